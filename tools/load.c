// SPDX-License-Identifier: GPL-3.0-or-later
#include "load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/decimal.h"
#include "folder.h"
#include "netlist/value/unit.h"
#include "netlist/value/value.h"
#include "verdict.h"

/** Reads the value of an option; NULL leaves it. */
static int read_option(const char *name, const char *text, bool time, double *value) {
  const sb_dimension dimension = {.exponent = {0, 0, time ? SB_EXPONENT_ONE : 0}};
  sb_error err = {0};
  int count = 0;
  if (text == NULL) {
    return EXIT_FINE;
  }
  if (sb_value_parse(text, &dimension, NULL, value, 1, &count, NULL, &err) != SB_OK) {
    return complain_usage(err.hint, "run: %s '%s': %s", name, text, err.text);
  }
  if (count != 1 || !(*value > 0)) {
    return complain_usage(NULL, "run: %s '%s': must be above zero", name, text);
  }
  return EXIT_FINE;
}

static int read_atol(const char *text, sb_netlist *netlist) {
  sb_error err = {0};
  if (text == NULL || sb_netlist_set_atol(netlist, text, &err) == SB_OK) {
    return EXIT_FINE;
  }
  return complain_usage(err.hint, "run: --atol '%s': %s", text, err.text);
}

static int read_method(const char *name, sb_options *options) {
  if (name == NULL) {
    return EXIT_FINE;
  }
  const sb_method *method = sb_method_find(name);
  if (method == NULL) {
    sb_suggestion methods = sb_suggestion_start(name);
    sb_suggestion_offer_rows(&methods, sb_methods, sizeof *sb_methods);
    return complain_unknown("method", &methods, "screwbond list methods shows them");
  }
  options->method = method;
  return EXIT_FINE;
}

static int apply_options(sb_netlist *netlist, const arguments *args) {
  sb_options *options = &netlist->options;
  int code = read_option("--t-end", args->t_end, true, &netlist->t_end);
  netlist->t_end = sb_decimal_near(netlist->t_end);
  if (code == EXIT_FINE) {
    code = read_option("--rtol", args->rtol, false, &options->rtol);
  }
  if (code == EXIT_FINE) {
    code = read_atol(args->atol, netlist);
  }
  if (code == EXIT_FINE) {
    code = read_option("--step", args->step, true, &options->step);
  }
  if (code == EXIT_FINE) {
    code = read_method(args->method, options);
  }
  if (code == EXIT_FINE && args->t_end != NULL && netlist->t_end <= options->t_start) {
    code = complain_usage(NULL, "run: --t-end '%s': not after the start of the run", args->t_end);
  }
  sb_error err = {0};
  if (code == EXIT_FINE && args->rtol != NULL && sb_rtol_check(options->rtol, &err) != SB_OK) {
    code = complain_usage(NULL, "run: --rtol '%s': %s", args->rtol, err.text);
  }
  if (args->rtol != NULL && netlist->rtol_line > 0) {
    sb_errors_drop(&netlist->warnings, netlist->rtol_line, netlist->rtol_column);
  }
  if (code == EXIT_FINE && args->rtol != NULL && sb_rtol_is_loose(options->rtol, &err)) {
    sb_errors_add(&netlist->warnings, &err);
  }
  if (code == EXIT_FINE && args->step != NULL &&
      sb_steps_check(options, netlist->t_end, options->step, &err) != SB_OK) {
    code = complain_usage(NULL, "run: --step '%s': %s", args->step, err.text);
  }
  if (code == EXIT_FINE && args->t_end != NULL &&
      sb_samples_check(options->t_start, netlist->t_end, netlist->sample, &err) != SB_OK) {
    code = complain_usage(NULL, "run: --t-end '%s': %s", args->t_end, err.text);
  }
  return code;
}

/** Warns of results for which there is no room: two bytes for each number, a digit and what is behind it, are the least. */
static void warn_of_size(loaded *l, const arguments *args) {
  const sb_netlist *netlist = l->netlist;
  const double time = netlist->t_end - netlist->options.t_start,
               lines = netlist->sample > 0 ? 1 + floor(time / netlist->sample) : 0,
               bytes = 2 * lines * (1 + l->outputs.components),
               room = folder_room(args->folder != NULL ? args->folder : ".");
  if (bytes > room) {
    sb_error err = {0};
    sb_warn(&err, SB_ERR_RANGE,
            "results.csv is to have %s lines, at least %s bytes; there is room for %s",
            sb_number_word(lines).text, sb_number_word(bytes).text, sb_number_word(room).text);
    sb_error_hint(&err, "give a longer sample, or fewer outputs");
    add_at(&l->netlist->warnings, &err, netlist, netlist->sample_line, netlist->sample_column);
  }
}

int loaded_init(loaded *l, const arguments *args) {
  *l = (loaded){0};
  sb_errors errors = {0};
  int code = EXIT_FINE;
  sb_status status =
      sb_netlist_read(args->operand, args->overrides, args->override_count, &l->netlist, &errors);
  if (status == SB_OK) {
    code = apply_options(l->netlist, args);
  }
  if (status == SB_OK && code == EXIT_FINE) {
    status = sb_model_compile(l->netlist->graph, &l->model, &errors);
  }
  if (status == SB_OK && code == EXIT_FINE) {
    (void)sb_clocks_check(l->netlist->graph, &l->netlist->options, l->netlist->t_end, &errors);
    (void)outputs_init(&l->outputs, l->netlist, l->model, &errors);
    (void)expects_init(&l->expects, l->netlist, l->model, &errors);
  }
  if (status == SB_OK && code == EXIT_FINE && !(l->netlist->options.max_step > 0)) {
    (void)sb_model_unseen(l->model, l->netlist->options.t_start, l->netlist->t_end,
                          &l->netlist->warnings); // where the user has not bounded the steps
  }
  if (status == SB_OK && code == EXIT_FINE) {
    warn_of_size(l, args);
  }
  if (errors.count + errors.dropped > 0) {
    code = complain(&errors, args->json);
  } else if (status != SB_OK) {
    code = exit_code_of(status);
  }
  sb_errors_finish(&errors);
  return code == EXIT_SOLVER ? EXIT_MODEL : code; // nothing has run yet
}

/** What the first audit of a run finds, and what is expected at its start and missed. */
static void judge_start(loaded *l, sb_simulation *sim, sb_errors *findings) {
  sb_simulation_audit(sim);
  expects_check(&l->expects, sim);
  verdict_word(l->model, &l->netlist->options, &(sb_report){.ledger = sb_simulation_ledger(sim)},
               findings);
  expects_complain(&l->expects, sb_simulation_time(sim), findings);
}

static sb_status start(loaded *l, sb_simulation **sim, sb_error *err) {
  SB_TRY(sb_simulation_create(l->model, &l->netlist->options, sim, err));
  SB_TRY(sb_simulation_foresee(*sim, l->netlist->t_end, &l->netlist->warnings));
  return sb_simulation_check_start(*sim, l->netlist->t_end, err);
}

void loaded_start(loaded *l, sb_errors *findings) {
  sb_simulation *sim = NULL;
  sb_error err = {0};
  if (start(l, &sim, &err) != SB_OK) {
    sb_errors_add(findings, &err);
  } else if (l->netlist->t_end > l->netlist->options.t_start) {
    judge_start(l, sim, findings);
  }
  sb_simulation_destroy(sim);
}

void loaded_warn(const loaded *l, bool json) {
  if (l->netlist->warnings.count > 0) {
    (void)complain(&l->netlist->warnings, json);
  }
}

int loaded_code(const arguments *args, int code) {
  return code == EXIT_USAGE && args->method == NULL ? EXIT_MODEL : code;
}

void loaded_finish(loaded *l) {
  expects_finish(&l->expects);
  outputs_finish(&l->outputs);
  sb_model_destroy(l->model);
  sb_netlist_destroy(l->netlist);
}
