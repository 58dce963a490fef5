// SPDX-License-Identifier: GPL-3.0-or-later
// screwbond run: simulates a netlist, writes its files, and judges it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "core/base/number.h"
#include "folder.h"
#include "interrupt.h"
#include "load.h"
#include "progress.h"
#include "screwbond.h"
#include "verdict.h"

// A sample this near to the one due, as a fraction of the interval, is that one: times are rounded, and
// the run also stops at the times of expectations, which need not be samples.
static const double sample_slack = 1e-6;

typedef struct recording {
  const arguments *args;
  loaded *model;
  sb_simulation *sim;
  char *folder; // owned
  sb_results *results;
  progress progress;
  double t_last;    // [s] of the last line written
  double wall;      // [s]
  int signal;       // that ended the run; 0: none
  sb_status status; // of the run
  sb_error err;     // why it is not SB_OK
} recording;

static bool is_due(const recording *r, double t) {
  const sb_netlist *netlist = r->model->netlist;
  double slack = sample_slack * netlist->sample;
  if (t <= r->t_last + slack) {
    return false;
  }
  if (netlist->sample <= 0 || t >= netlist->t_end) {
    return true;
  }
  double samples = (t - netlist->options.t_start) / netlist->sample;
  return fabs(samples - round(samples)) <= sample_slack;
}

/** The simulation's sampler: a line of results, unless the run only stopped for an expectation. */
static int record(void *context, const sb_simulation *sim, double t) {
  recording *r = context;
  progress_show(&r->progress, t);
  if (!is_due(r, t)) {
    return 0;
  }
  r->t_last = t;
  const double *values = outputs_read(&r->model->outputs, sim);
  outputs_note(&r->model->outputs, t);
  r->status = sb_results_add(r->results, t, values, &r->err);
  return r->status != SB_OK;
}

static sb_status open_results(recording *r) {
  const outputs *out = &r->model->outputs;
  char *path = folder_file(r->folder, "results.csv");
  if (path == NULL) {
    return sb_fail(&r->err, SB_ERR_MEMORY, "out of memory");
  }
  sb_status status = sb_results_create(path, out->columns, out->count, &r->results, &r->err);
  free(path);
  return status;
}

/** Nothing is written, and no results of an earlier run are touched, before this one can begin. */
static sb_status prepare(recording *r) {
  const sb_netlist *netlist = r->model->netlist;
  SB_TRY(sb_simulation_create(r->model->model, &netlist->options, &r->sim, &r->err));
  SB_TRY(sb_simulation_foresee(r->sim, netlist->t_end, &r->model->netlist->warnings));
  SB_TRY(sb_simulation_check_start(r->sim, netlist->t_end, &r->err));
  r->folder = r->args->folder != NULL ? strdup(r->args->folder) : folder_default(r->args->operand);
  if (r->folder == NULL) {
    return sb_fail(&r->err, SB_ERR_MEMORY, "out of memory");
  }
  SB_TRY(folder_prepare(r->folder, &r->err));
  SB_TRY(open_results(r));
  return folder_begin(r->folder, &r->err);
}

/** The bound on the steps that the run has come to stands in the netlist, if not in the defaults or on the command line. */
static void place_max_steps(recording *r) {
  const sb_netlist *netlist = r->model->netlist;
  const bool reached =
      r->status != SB_OK && r->err.param != NULL && strcmp(r->err.param, "max_steps") == 0;
  if (reached && r->err.line == 0 && netlist->max_steps_line > 0) {
    (void)snprintf(r->err.file, sizeof r->err.file, "%s", netlist->file);
    r->err.line = netlist->max_steps_line;
    r->err.column = netlist->max_steps_column;
  }
}

/** Runs from one time of an expectation to the next. */
static void simulate(recording *r) {
  const sb_netlist *netlist = r->model->netlist;
  double begun = wall_clock(), t = netlist->options.t_start;
  progress_init(&r->progress, r->args->quiet, t, netlist->t_end);
  interrupt_begin(r->sim);
  expects_check(&r->model->expects, r->sim);
  while (t < netlist->t_end && r->status == SB_OK) {
    t = expects_next(&r->model->expects, t, netlist->t_end);
    sb_error err = {0};
    sb_status status = sb_simulation_run(r->sim, t, netlist->sample, record, r, &err);
    if (r->status == SB_OK && status != SB_OK) { // else record() knows better
      r->status = status;
      r->err = err;
    }
    if (r->status == SB_OK) {
      expects_check(&r->model->expects, r->sim);
    }
  }
  r->signal = interrupt_finish();
  place_max_steps(r);
  progress_finish(&r->progress);
  r->wall = wall_clock() - begun;
  sb_error late = {0};
  sb_status closed = sb_results_destroy(r->results, &late);
  r->results = NULL;
  if (r->status == SB_OK && closed != SB_OK) {
    r->status = closed;
    r->err = late;
  }
}

static sb_report report_of(recording *r) {
  outputs *out = &r->model->outputs;
  outputs_read_finals(out, r->sim);
  sb_report report = {
      .model = r->model->netlist->name,
      .version = sb_version(),
      .method = r->model->netlist->options.method->name,
      .reason = r->status != SB_OK && r->err.text[0] != '\0' ? r->err.text : NULL,
      .wall = r->wall,
      .ledger = sb_simulation_ledger(r->sim),
      .expects = r->model->expects.results,
      .expect_count = r->model->expects.count,
      .finals = out->finals,
      .final_count = out->components,
  };
  if (r->status == SB_INTERRUPTED) {
    report.outcome = SB_OUTCOME_INTERRUPTED;
  } else if (r->status == SB_OK) {
    report.outcome = sb_report_judge(&report);
  } else {
    report.outcome = SB_OUTCOME_SOLVER_FAILED;
  }
  return report;
}

/** Warns of parts whose energy is known to so few digits that an error may hide in its rounding. */
static void warn_unresolved(const sb_ledger *ledger, bool json) {
  for (int i = 0; i < ledger->part_count; i++) {
    const sb_part *part = &ledger->parts[i];
    sb_error err;
    if (part->unresolved) {
      sb_warn(
          &err, SB_ERR_AUDIT,
          "the energy balance of the part of %s cannot be resolved: its energy is known to %s J, "
          "and %s J were exchanged",
          part->account.id, sb_number_word(part->rounding).text, sb_number_word(part->scale).text);
      sb_error_hint(
          &err,
          "%.80s has an energy with terms of %s J: leave constants out of it, or count its place "
          "from "
          "nearer to it; an error of the integration is resolved by a smaller rtol beside "
          "<audit residual=\"%s\"/>",
          part->terms_element != NULL ? part->terms_element : part->account.id,
          sb_number_word(part->terms).text, sb_number_word(ledger->limit).text);
      (void)complain_once(&err, json);
    }
  }
}

/** Warns of elements that are nothing but rounding. */
static void warn_blurred(const sb_ledger *ledger, bool json) {
  for (int i = 0; i < ledger->part_count; i++) {
    const sb_part *part = &ledger->parts[i];
    sb_error err;
    if (part->blurring_element != NULL) {
      sb_warn(&err, SB_ERR_AUDIT,
              "%s has lost its digits: the effort or flow that drives it is a small difference of "
              "larger "
              "ones, whose rounding is up to %s J of the %s J exchanged",
              part->blurring_element, sb_number_word(part->blurred).text,
              sb_number_word(part->scale).text);
      sb_error_hint(&err,
                    "leave it out, if it is meant to be nothing, or give it a value nearer to "
                    "those beside it");
      (void)complain_once(&err, json);
    }
  }
}

/** Warns of outputs that had no value. */
static void warn_undefined(const recording *r) {
  sb_errors warnings = {0};
  outputs_warn(&r->model->outputs, r->model->netlist, &warnings);
  if (warnings.count > 0) {
    (void)complain(&warnings, r->args->json);
  }
  sb_errors_finish(&warnings);
}

/** Warns of what the run has shown of its elements; an error about contacts tells the same of what it names. */
static void warn_remarks(const recording *r) {
  sb_errors warnings = {0};
  if (r->status != SB_ERR_CONTACT) {
    (void)sb_simulation_remarks(r->sim, &warnings);
  }
  if (warnings.count > 0) {
    (void)complain(&warnings, r->args->json);
  }
  sb_errors_finish(&warnings);
}

static int complain_interrupted(const recording *r) {
  if (r->args->json) {
    sb_error err;
    (void)sb_fail(&err, SB_INTERRUPTED, "interrupted; the results so far are in %s", r->folder);
    sb_error_hint(&err, "%s", r->err.hint);
    (void)complain_once(&err, true);
  } else {
    (void)fprintf(stderr, "screwbond: interrupted; the results so far are in %s\n", r->folder);
    if (r->err.hint[0] != '\0') {
      (void)fprintf(stderr, "   hint: %s\n", r->err.hint);
    }
  }
  return r->signal != 0 ? EXIT_SIGNAL + r->signal : exit_code_of(SB_INTERRUPTED);
}

static int complain_outcome(const recording *r, const sb_report *report) {
  warn_unresolved(report->ledger, r->args->json);
  warn_blurred(report->ledger, r->args->json);
  warn_undefined(r);
  warn_remarks(r);
  if (r->status == SB_INTERRUPTED) {
    return complain_interrupted(r);
  }
  if (r->status != SB_OK) {
    (void)complain_once(&r->err, r->args->json);
    return loaded_code(r->args, exit_code_of(r->status));
  }
  if (report->outcome == SB_OUTCOME_OK) {
    return EXIT_FINE;
  }
  sb_errors errors = {0};
  verdict_word(r->model->model, &r->model->netlist->options, report, &errors);
  expects_complain(&r->model->expects, HUGE_VAL, &errors);
  (void)complain(&errors, r->args->json);
  sb_errors_finish(&errors);
  return EXIT_AUDIT;
}

static int finish(recording *r) {
  const sb_report report = report_of(r);
  sb_error err = {0};
  sb_status saved = sb_report_save(&report, r->folder, &err);
  if (r->args->json) {
    sb_report_json(&report, stdout);
  } else if (!r->args->quiet) {
    sb_report_text(&report, stdout);
  }
  (void)fflush(stdout);
  int code = complain_outcome(r, &report);
  if (saved != SB_OK && r->status != SB_ERR_IO) { // else the same fault, as of a disk that is full
    int failure = complain_once(&err, r->args->json);
    return r->status == SB_OK ? failure : code;
  }
  if (saved == SB_OK && !r->args->quiet && isatty(STDERR_FILENO) == 1) {
    (void)fprintf(stderr, "results in %s\n", r->folder);
  }
  return code;
}

/** A netlist may be without a <run>, for the other commands. */
static int check_end(const sb_netlist *netlist, bool json) {
  sb_error err = {0};
  if (netlist->t_end > netlist->options.t_start) {
    return EXIT_FINE;
  }
  (void)sb_fail(&err, SB_ERR_MISSING, "nothing tells how long to run");
  sb_error_hint(&err, "write <run t-end=\"...\"/>, or give --t-end");
  (void)snprintf(err.file, sizeof err.file, "%s", netlist->file);
  err.line = netlist->line;
  err.column = netlist->column;
  return complain_once(&err, json);
}

int run_model(const arguments *args) {
  loaded model;
  int code = loaded_init(&model, args);
  if (code == EXIT_FINE) {
    code = check_end(model.netlist, args->json);
  }
  if (code == EXIT_FINE) {
    recording r = {.args = args, .model = &model, .t_last = -HUGE_VAL};
    r.status = prepare(&r);
    loaded_warn(&model, args->json);
    if (r.status == SB_OK) {
      simulate(&r);
      code = finish(&r);
    } else {
      code = loaded_code(args, complain_once(&r.err, args->json));
    }
    (void)sb_results_destroy(r.results, NULL);
    sb_simulation_destroy(r.sim);
    free(r.folder);
  }
  loaded_finish(&model);
  return code;
}
