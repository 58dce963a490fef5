// SPDX-License-Identifier: GPL-3.0-or-later
// The <run>: the method of integration, its options, and the times.
#include <math.h>
#include <string.h>

#include "core/base/decimal.h"
#include "netlist/build/build.h"
#include "netlist/build/values_private.h"
#include "netlist/language/values.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

static const sb_method *find_method(const sb_reader *reader, const sb_setting *setting) {
  const sb_method *method = sb_method_find(setting->value);
  if (method == NULL) {
    sb_report_choice(reader, setting, "method", sb_methods, sizeof *sb_methods);
  }
  return method;
}

static void check_end(const sb_reader *reader, const sb_item *run, const sb_run_values *values) {
  sb_error err;
  if (values->t_end <= values->options.t_start) { // not a number: it was not understood
    const sb_setting *end = sb_item_text(reader, run, "t-end");
    (void)sb_fail(&err, SB_ERR_RANGE, "the run ends at %s s, not after its start at %s s",
                  sb_number_word(values->t_end).text, sb_number_word(values->options.t_start).text);
    sb_report_value(reader, end, &err);
  }
}

static void check_samples(const sb_reader *reader, const sb_item *run,
                          const sb_run_values *values) {
  sb_error err = {0};
  const sb_setting *sample = sb_item_text(reader, run, "sample");
  if (sample != NULL && values->t_end > values->options.t_start &&
      sb_samples_check(values->options.t_start, values->t_end, values->sample, &err) != SB_OK) {
    sb_report_value(reader, sample, &err);
  }
}

/** Steps that are so short that no run comes to its end. */
static void check_length(const sb_reader *reader, const sb_item *run, const sb_run_values *values,
                         const char *name, double step) {
  sb_error err = {0};
  const sb_setting *setting = sb_item_text(reader, run, name);
  if (setting != NULL && values->t_end > values->options.t_start && step > 0 &&
      sb_steps_check(&values->options, values->t_end, step, &err) != SB_OK) {
    sb_error_hint(&err, "max-steps allows no more than %d", values->options.max_steps);
    sb_report_value(reader, setting, &err);
  }
}

static void check_step(const sb_reader *reader, const sb_item *run, const sb_options *options) {
  sb_error err;
  bool has_step = options->step > 0 || sb_item_text(reader, run, "step") != NULL;
  if (options->method != NULL && !options->method->adaptive && !has_step) {
    (void)sb_fail(&err, SB_ERR_MISSING, "the method '%s' needs the attribute 'step'",
                  options->method->name);
    sb_error_hint(&err, "it has no estimate of its error: give a fixed step");
    sb_report_item(reader, run, &err);
  }
}

/** Where an attribute stands. Of one that is not in the file the place is left. */
static void place(const sb_reader *reader, const sb_item *run, const char *name, int *line,
                  int *column) {
  const sb_setting *setting = sb_item_text(reader, run, name);
  if (setting != NULL && setting->attribute != NULL) {
    sb_xml_value_place(setting->attribute, 1, line, column);
  }
}

/** Where the file states what a run may come to, or the command may state otherwise. */
static void place_all(const sb_reader *reader, const sb_item *run, sb_netlist *netlist) {
  place(reader, run, "max-steps", &netlist->max_steps_line, &netlist->max_steps_column);
  place(reader, run, "rtol", &netlist->rtol_line, &netlist->rtol_column);
  place(reader, run, "sample", &netlist->sample_line, &netlist->sample_column);
}

static void check_rtol(const sb_reader *reader, const sb_item *run, double rtol) {
  const sb_setting *setting = sb_item_text(reader, run, "rtol");
  sb_error err = {0};
  if (setting != NULL && rtol >= 1) {
    (void)sb_fail(&err, SB_ERR_RANGE, "rtol must be below 1, not %s", sb_number_word(rtol).text);
    sb_error_hint(&err, "the error of a step is held to this fraction; by default to 1e-8");
    sb_report_value(reader, setting, &err);
  } else if (setting != NULL && rtol > 0 && sb_rtol_check(rtol, &err) != SB_OK) {
    sb_report_value(reader, setting, &err);
  } else if (setting != NULL && sb_rtol_is_loose(rtol, &err)) {
    sb_report_value(reader, setting, &err);
  }
}

void sb_build_run(const sb_build *build, sb_netlist *netlist, sb_arena *memory) {
  const sb_reader *reader = build->reader;
  const sb_item *run = sb_next_item(reader, NULL, "run");
  if (run == NULL) {
    return;
  }
  sb_run_values values = {.options = netlist->options, .t_end = NAN};
  const sb_setting *method = sb_item_text(reader, run, "method");
  const sb_method *found = method == NULL ? NULL : find_method(reader, method);
  if (found != NULL) {
    values.options.method = found;
  }
  (void)sb_read_values(build, run, sb_run_table, NULL, &values);
  values.t_end = sb_decimal_near(values.t_end);
  values.sample = sb_decimal_near(values.sample);
  values.options.t_start = sb_decimal_near(values.options.t_start);
  if (method == NULL || found != NULL) {
    check_step(reader, run, &values.options);
  }
  check_rtol(reader, run, values.options.rtol);
  check_end(reader, run, &values);
  check_samples(reader, run, &values);
  check_length(reader, run, &values, "step", values.options.step);
  check_length(reader, run, &values, "max-step", values.options.max_step);
  place_all(reader, run, netlist);
  netlist->options = values.options;
  netlist->t_end = values.t_end;
  netlist->sample = values.sample;
  sb_build_atol(build, sb_item_text(reader, run, "atol"), netlist, memory);
}
