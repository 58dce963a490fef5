// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/nearest.h"
#include "core/base/number.h"
#include "netlist/value/angle.h"
#include "netlist/value/unit.h"

enum { NAME_SIZE = 512 };

void add_at(sb_errors *errors, sb_error *err, const sb_netlist *netlist, int line, int column) {
  if (err->line == 0) {
    (void)snprintf(err->file, sizeof err->file, "%s", netlist->file);
    err->line = line;
    err->column = column;
  }
  sb_errors_add(errors, err);
}

/** "contact(b,a).gap" for "contact(a,b).gap"; the name as it is for any other. */
static void exchange_bodies(const char *name, char text[NAME_SIZE]) {
  size_t open = strcspn(name, "("), comma = strcspn(name, ","), close = strcspn(name, ")");
  if (open < comma && comma < close && name[close] == ')') {
    (void)snprintf(text, NAME_SIZE, "%.*s%.*s,%.*s%s", (int)open + 1, name,
                   (int)(close - comma - 1), name + comma + 1, (int)(comma - open - 1),
                   name + open + 1, name + close);
  } else {
    (void)snprintf(text, NAME_SIZE, "%s", name);
  }
}

/** "m1/L.f" for "m1.L.f": what is inside a use has a path. */
static void make_path(const char *name, char text[NAME_SIZE]) {
  char *dot;
  (void)snprintf(text, NAME_SIZE, "%s", name);
  while ((dot = strchr(text, '.')) != NULL && strchr(dot + 1, '.') != NULL) {
    *dot = '/';
  }
}

static void hint_element(const sb_model *model, const char *name, sb_error *err) {
  char text[NAME_SIZE], element[NAME_SIZE];
  sb_quantity quantity;
  int count = sb_model_element_count(model);
  exchange_bodies(name, text);
  bool found = sb_model_find(model, text, &quantity, NULL) == SB_OK;
  if (!found) {
    make_path(name, text);
    found = sb_model_find(model, text, &quantity, NULL) == SB_OK;
  }
  (void)snprintf(element, sizeof element, "%.*s", (int)strcspn(name, "."), name);
  sb_suggestion ids = sb_suggestion_start(element);
  for (int i = 0; !found && i < count; i++) {
    (void)sb_suggestion_offer(&ids, sb_model_element_id(model, i));
  }
  if (found || ids.best[0] != '\0') {
    sb_error_hint(err, "did you mean '%s'?", found ? text : ids.best);
  }
}

sb_status find_quantity(const sb_model *model, const char *name, sb_quantity *quantity,
                        sb_error *err) {
  sb_status status = sb_model_find(model, name, quantity, err);
  if (status == SB_ERR_REFERENCE && err->hint[0] == '\0') {
    hint_element(model, name, err);
  }
  return status;
}

/** `label` and `unit` are copied, the unit only if there is one. */
static sb_status add_column(outputs *out, const char *label, const char *unit, double scale,
                            const sb_quantity *quantity, sb_error *err) {
  size_t count = (size_t)out->count + 1;
  sb_results_column *columns = realloc(out->columns, count * sizeof *columns);
  out->columns = columns != NULL ? columns : out->columns;
  sb_quantity *quantities = realloc(out->quantities, count * sizeof *quantities);
  out->quantities = quantities != NULL ? quantities : out->quantities;
  double *scales = realloc(out->scales, count * sizeof *scales);
  out->scales = scales != NULL ? scales : out->scales;
  char *copy = strdup(label), *unit_copy = strdup(unit != NULL ? unit : quantity->unit);
  if (columns == NULL || quantities == NULL || scales == NULL || copy == NULL ||
      unit_copy == NULL) {
    free(copy);
    free(unit_copy);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  quantities[out->count] = *quantity;
  scales[out->count] = scale;
  columns[out->count++] = (sb_results_column){copy, unit_copy, quantity->count};
  out->components += quantity->count;
  return SB_OK;
}

/** @param scale  out: the SI value of one of the unit shown; 1 Hz is 2 pi rad/s */
static sb_status check_unit(const sb_netlist_output *output, const sb_quantity *quantity,
                            double *scale, sb_error *err) {
  sb_dimension shown, own;
  double own_scale, factor;
  *scale = output->unit != NULL ? output->scale : 1;
  if (output->unit == NULL) {
    return SB_OK;
  }
  SB_TRY(sb_unit_parse(output->unit, strlen(output->unit), &shown, &own_scale, err));
  const char *unit = quantity->unit[0] != '\0' ? quantity->unit : "1";
  if (strchr(unit, ' ') != NULL) {
    return sb_fail(err, SB_ERR_DIMENSION, "%s has not one unit for all its numbers, but '%s'",
                   output->of, unit);
  }
  if (sb_unit_parse(unit, strlen(unit), &own, &own_scale, NULL) != SB_OK) {
    return SB_OK;
  }
  if (!sb_dimension_fits(&shown, &own)) {
    return sb_fail(err, SB_ERR_DIMENSION, "%s is in %s, which cannot be shown in %s", output->of,
                   unit, output->unit);
  }
  if (own.angle != 0 && sb_angle_convert(&own, &shown, &factor)) {
    *scale /= factor;
  } else if (own.cycle != 0 && sb_angle_convert(&shown, &own, &factor)) {
    *scale *= factor;
  }
  return SB_OK;
}

static void add_output(outputs *out, const sb_netlist *netlist, const sb_model *model,
                       const sb_netlist_output *output, sb_errors *errors) {
  sb_quantity quantity;
  sb_error err = {0};
  double scale = 1;
  sb_status status = find_quantity(model, output->of, &quantity, &err);
  if (status == SB_OK && (status = check_unit(output, &quantity, &scale, &err)) != SB_OK) {
    add_at(errors, &err, netlist, output->unit_line, output->unit_column);
    return;
  }
  if (status == SB_OK) {
    status = add_column(out, output->label, output->unit, scale, &quantity, &err);
  }
  if (status != SB_OK) {
    add_at(errors, &err, netlist, output->line, output->column);
  }
}

/** All states of elements that last; a name that stands for several states comes once. */
static void add_states(outputs *out, const sb_model *model, sb_errors *errors) {
  for (int i = 0; i < sb_model_state_count(model); i++) {
    char buffer[300];
    const char *name = sb_model_state_name(model, i, buffer);
    sb_quantity quantity;
    sb_error err = {0};
    bool seen = out->count > 0 && strcmp(out->columns[out->count - 1].label, name) == 0;
    if (!seen && sb_model_find(model, name, &quantity, &err) == SB_OK &&
        quantity.element < sb_model_lasting_count(model)) {
      (void)add_column(out, name, NULL, 1, &quantity, &err);
    }
    if (err.status != SB_OK) {
      sb_errors_add(errors, &err);
    }
  }
}

static sb_status make_values(outputs *out, sb_error *err) {
  size_t count = (size_t)out->components + 1; // never 0
  out->values = calloc(count, sizeof *out->values);
  out->finals = calloc(count, sizeof *out->finals);
  out->undefined = malloc(((size_t)out->count + 1) * sizeof *out->undefined);
  if (out->values == NULL || out->finals == NULL || out->undefined == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < out->count; i++) {
    out->undefined[i] = HUGE_VAL;
  }
  int at = 0;
  for (int i = 0; i < out->count; i++) {
    for (int k = 0; k < out->columns[i].count; k++) {
      char name[NAME_SIZE];
      sb_component_name(name, sizeof name, out->columns[i].label, k, out->columns[i].count);
      out->finals[at].name = strdup(name);
      if (out->finals[at++].name == NULL) {
        return sb_fail(err, SB_ERR_MEMORY, "out of memory");
      }
    }
  }
  return SB_OK;
}

sb_status outputs_init(outputs *out, const sb_netlist *netlist, const sb_model *model,
                       sb_errors *errors) {
  *out = (outputs){0};
  for (int i = 0; i < netlist->output_count; i++) {
    add_output(out, netlist, model, &netlist->outputs[i], errors);
  }
  if (netlist->output_count == 0) {
    add_states(out, model, errors);
  }
  sb_error err = {0};
  if (make_values(out, &err) != SB_OK) {
    sb_errors_add(errors, &err);
  }
  return errors->count > 0 ? errors->items[0].status : SB_OK;
}

void outputs_finish(outputs *out) {
  for (int i = 0; i < out->count; i++) {
    free((char *)out->columns[i].label);
    free((char *)out->columns[i].unit);
  }
  for (int i = 0; out->finals != NULL && i < out->components; i++) {
    free((char *)out->finals[i].name);
  }
  free(out->finals);
  free(out->values);
  free(out->undefined);
  free(out->scales);
  free(out->quantities);
  free(out->columns);
  *out = (outputs){0};
}

const double *outputs_read(outputs *out, const sb_simulation *sim) {
  double *at = out->values;
  for (int i = 0; i < out->count; i++) {
    sb_simulation_read(sim, &out->quantities[i], at);
    for (int k = 0; k < out->columns[i].count; k++) {
      *at++ /= out->scales[i];
    }
  }
  return out->values;
}

void outputs_note(outputs *out, double t) {
  const double *at = out->values;
  for (int i = 0; i < out->count; i++) {
    double poison = 0;
    for (int k = 0; k < out->columns[i].count; k++) {
      poison += 0 * *at++;
    }
    if (!(poison == 0) && t < out->undefined[i]) {
      out->undefined[i] = t;
    }
  }
}

void outputs_warn(const outputs *out, const sb_netlist *netlist, sb_errors *warnings) {
  for (int i = 0; i < out->count; i++) {
    if (out->undefined[i] < HUGE_VAL) {
      sb_error err;
      sb_warn(&err, SB_ERR_NOT_FINITE, "the output '%s' is no finite number, first at t = %s s",
              out->columns[i].label, sb_number_word(out->undefined[i]).text);
      if (i < netlist->output_count) { // else they are all states
        add_at(warnings, &err, netlist, netlist->outputs[i].line, netlist->outputs[i].column);
      } else {
        sb_errors_add(warnings, &err);
      }
    }
  }
}

void outputs_read_finals(outputs *out, const sb_simulation *sim) {
  int at = 0;
  for (int i = 0; i < out->count; i++) {
    sb_simulation_read(sim, &out->quantities[i], &out->values[at]);
    for (int k = 0; k < out->columns[i].count; k++, at++) {
      out->finals[at].value = out->values[at];
    }
  }
}
