// SPDX-License-Identifier: GPL-3.0-or-later
#include "expects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "netlist/value/angle.h"
#include "netlist/value/unit.h"
#include "outputs.h"

enum { NAME_SIZE = 512 };

static sb_status refuse_unit(const sb_netlist_expect *expect, int count, const char *unit,
                             sb_error *err) {
  char name[NAME_SIZE];
  sb_component_name(name, sizeof name, expect->of, expect->component, count);
  if (unit[0] == '\0') {
    return sb_fail(err, SB_ERR_DIMENSION, "the value is in %s, but %.80s has no unit", expect->unit,
                   name);
  }
  return strcmp(expect->unit, "1") == 0
             ? sb_fail(err, SB_ERR_DIMENSION, "the value has no unit, but %.80s is in %s", name,
                       unit)
             : sb_fail(err, SB_ERR_DIMENSION, "the value is in %s, but %.80s is in %s",
                       expect->unit, name, unit);
}

/** Of what the reader does not know, as contacts and parts of elements, the unit is known here only: that of the component. */
static sb_status check_unit(const sb_netlist_expect *expect, const sb_quantity *quantity,
                            const sb_netlist *netlist, sb_error *err) {
  sb_dimension stated, own;
  double scale, factor;
  char unit[64];
  (void)sb_unit_of_component(quantity->unit, expect->component, unit);
  const char *shown = unit[0] != '\0' ? unit : "1";
  if (expect->unit == NULL || sb_unit_parse(shown, strlen(shown), &own, &scale, NULL) != SB_OK ||
      sb_unit_parse(expect->unit, strlen(expect->unit), &stated, &scale, NULL) != SB_OK) {
    return SB_OK;
  }
  stated.cycle = expect->cycles;
  if (!sb_dimension_fits(&stated, &own)) {
    (void)refuse_unit(expect, quantity->count, unit, err);
  } else if (stated.cycle != 0 && !sb_angle_convert(&stated, &own, &factor)) {
    (void)sb_angle_refuse("the value in", "Hz", 2, &stated, &own, err);
  } else {
    return SB_OK;
  }
  (void)snprintf(err->file, sizeof err->file, "%s", netlist->file);
  err->line = expect->value_line;
  err->column = expect->value_column;
  return SB_ERR_DIMENSION;
}

static sb_status refuse_component(const sb_netlist_expect *expect, int count, sb_error *err) {
  char last[NAME_SIZE];
  sb_component_name(last, sizeof last, expect->of, count - 1, count);
  if (count == 1) {
    (void)sb_fail(err, SB_ERR_DIMENSION, "%s is one number: it has no component %d", expect->of,
                  expect->component);
    sb_error_hint(err, "leave out the attribute 'component'");
  } else {
    (void)sb_fail(err, SB_ERR_DIMENSION, "%s has no component %d", expect->of, expect->component);
    sb_error_hint(err, "it has %d, counted from 0: %s is component=\"%d\"", count, last, count - 1);
  }
  return SB_ERR_DIMENSION;
}

static sb_status find_one(const sb_netlist *netlist, const sb_netlist_expect *expect,
                          const sb_model *model, sb_quantity *quantity, sb_expect_result *result,
                          sb_error *err) {
  char name[NAME_SIZE];
  SB_TRY(find_quantity(model, expect->of, quantity, err));
  if (expect->component >= quantity->count) {
    return refuse_component(expect, quantity->count, err);
  }
  SB_TRY(check_unit(expect, quantity, netlist, err));
  sb_component_name(name, sizeof name, expect->of, expect->component, quantity->count);
  *result = (sb_expect_result){
      .of = strdup(name),
      .at = expect->at_end ? netlist->t_end : expect->at,
      .expected = expect->value,
      .actual = NAN,
      .tolerance = fmax(expect->abs_tol, expect->rel_tol * fabs(expect->value)),
  };
  return result->of != NULL ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

sb_status expects_init(expects *e, const sb_netlist *netlist, const sb_model *model,
                       sb_errors *errors) {
  size_t room = (size_t)netlist->expect_count + 1; // never 0
  *e = (expects){.netlist = netlist, .count = netlist->expect_count};
  e->quantities = calloc(room, sizeof *e->quantities);
  e->results = calloc(room, sizeof *e->results);
  sb_error err = {0};
  if (e->quantities == NULL || e->results == NULL) {
    (void)sb_fail(&err, SB_ERR_MEMORY, "out of memory");
    sb_errors_add(errors, &err);
    return SB_ERR_MEMORY;
  }
  for (int i = 0; i < e->count; i++) {
    const sb_netlist_expect *expect = &netlist->expects[i];
    err = (sb_error){0};
    if (find_one(netlist, expect, model, &e->quantities[i], &e->results[i], &err) != SB_OK) {
      add_at(errors, &err, netlist, expect->line, expect->column);
    }
  }
  return errors->count > 0 ? errors->items[0].status : SB_OK;
}

void expects_finish(expects *e) {
  for (int i = 0; e->results != NULL && i < e->count; i++) {
    free((char *)e->results[i].of);
  }
  free(e->quantities);
  free(e->results);
  *e = (expects){0};
}

double expects_next(const expects *e, double t, double t_end) {
  double next = t_end;
  for (int i = 0; i < e->count; i++) {
    double at = e->results[i].at;
    next = at > t && at < next ? at : next;
  }
  return next;
}

static void check(sb_expect_result *result, const sb_simulation *sim, const sb_quantity *quantity,
                  int component) {
  double *values = calloc((size_t)quantity->count, sizeof *values);
  if (values != NULL) { // else it stays unreached, and counts as missed
    sb_simulation_read(sim, quantity, values);
    result->actual = values[component];
    result->ok = fabs(result->actual - result->expected) <= result->tolerance;
  }
  free(values);
}

void expects_check(expects *e, const sb_simulation *sim) {
  double t = sb_simulation_time(sim);
  for (int i = 0; i < e->count; i++) {
    if (e->results[i].at == t) {
      check(&e->results[i], sim, &e->quantities[i], e->netlist->expects[i].component);
    }
  }
}

static void word(const sb_expect_result *result, sb_error *err) {
  char at[SB_NUMBER_SIZE], expected[SB_NUMBER_SIZE], actual[SB_NUMBER_SIZE], within[SB_NUMBER_SIZE];
  (void)sb_number_format_short(result->at, 9, at, sizeof at);
  (void)sb_number_format_short(result->expected, 9, expected, sizeof expected);
  (void)sb_number_format_short(result->actual, 9, actual, sizeof actual);
  if (strcmp(expected, actual) == 0) { // what differs must be seen
    (void)sb_number_format_short(result->expected, 17, expected, sizeof expected);
    (void)sb_number_format_short(result->actual, 17, actual, sizeof actual);
  }
  (void)sb_number_format_short(result->tolerance, 3, within, sizeof within);
  if (isnan(result->actual)) {
    (void)sb_fail(err, SB_ERR_AUDIT,
                  "%s at %s s: expected %s, found nothing: not reached, or not "
                  "a number",
                  result->of, at, expected);
  } else {
    (void)sb_fail(err, SB_ERR_AUDIT, "%s at %s s: expected %s within %s, actual %s", result->of, at,
                  expected, within, actual);
    if (result->tolerance == 0 && result->expected != 0) {
      sb_error_hint(err, "give abs-tol or rel-tol: without them it must be met to the last digit");
    }
  }
}

void expects_complain(const expects *e, double t, sb_errors *errors) {
  for (int i = 0; i < e->count; i++) {
    if (!e->results[i].ok && e->results[i].at <= t) {
      sb_error err = {0};
      word(&e->results[i], &err);
      add_at(errors, &err, e->netlist, e->netlist->expects[i].line, e->netlist->expects[i].column);
    }
  }
}
