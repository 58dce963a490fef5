// SPDX-License-Identifier: GPL-3.0-or-later
// screwbond equilibrium: where a model rests.
#include <stdio.h>
#include <stdlib.h>

#include "changes.h"
#include "columns.h"
#include "core/analysis/equilibrium.h"
#include "core/base/json.h"
#include "core/base/number.h"
#include "load.h"
#include "values.h"

enum { DIGITS = 9 };

static void print_readings(const char *title, const sb_reading readings[], int count) {
  int width = 12;
  if (count == 0) {
    return;
  }
  (void)printf("\n%s\n", title);
  for (int i = 0; i < count; i++) {
    width = column_widen(width, readings[i].name);
  }
  for (int i = 0; i < count; i++) {
    char text[SB_NUMBER_SIZE];
    (void)sb_number_format_short(readings[i].value, DIGITS, text, sizeof text);
    column_print(readings[i].name, width);
    (void)printf("%s%s%s\n", text, readings[i].unit[0] != '\0' ? " " : "", readings[i].unit);
  }
}

static void print_time(const char *what, double seconds, const char *end) {
  char text[SB_NUMBER_SIZE];
  (void)sb_number_format_short(seconds, DIGITS, text, sizeof text);
  (void)printf("%s%s s%s", what, text, end);
}

static void print_text(const char *model, const sb_equilibrium *e) {
  char time[SB_NUMBER_SIZE];
  (void)sb_number_format_short(e->t, DIGITS, time, sizeof time);
  (void)printf("%s in equilibrium at %s s; freedoms of its states: %d; ", model, time, e->freedoms);
  if (e->late != NULL) {
    (void)printf("whether small deviations grow is not told, as '%s' gives what its input was\n",
                 e->late);
  } else if (e->growth > 0) {
    print_time("unstable, deviations grow e-fold in ", 1 / e->growth, "\n");
  } else if (e->doubtful_growth > 0) {
    print_time("small deviations do not grow, or only e-fold in ", 1 / e->doubtful_growth, "");
    print_time(": that cannot be told from rounding beside the fastest motion, ", 1 / e->fastest,
               "\n");
  } else {
    (void)puts("small deviations do not grow");
  }
  changes_print(e->changed, e->changed_count);
  print_readings("states", e->states, e->state_count);
  print_readings("outputs", e->outputs, e->output_count);
  print_readings("efforts at ports", e->efforts, e->effort_count);
  print_readings(
      "reactions: forces and moments of joints on their children, world axes, about the joints",
      e->reactions, e->reaction_count);
}

static void put_readings(sb_text *t, const char *title, const sb_reading readings[], int count) {
  sb_text_put(t, ",\n \"%s\": [", title);
  for (int i = 0; i < count; i++) {
    char number[SB_NUMBER_SIZE];
    (void)sb_number_format_json(readings[i].value, number, sizeof number);
    sb_text_put(t, "%s\n  {\"name\": ", i == 0 ? "" : ",");
    sb_json_quote(t, readings[i].name);
    sb_text_put(t, ", \"value\": %s, \"unit\": ", number);
    sb_json_quote(t, readings[i].unit);
    sb_text_put(t, "}");
  }
  sb_text_put(t, "]");
}

static int print_json(const char *model, const sb_equilibrium *e) {
  sb_text t = {0};
  char time[SB_NUMBER_SIZE], growth[SB_NUMBER_SIZE], doubtful[SB_NUMBER_SIZE];
  (void)sb_number_format_json(e->t, time, sizeof time);
  (void)sb_number_format_json(e->growth, growth, sizeof growth);
  (void)sb_number_format_json(e->doubtful_growth, doubtful, sizeof doubtful);
  sb_text_put(&t, "{\"model\": ");
  sb_json_quote(&t, model);
  sb_text_put(&t, ", \"t\": %s, \"freedoms\": %d, \"growth\": %s, \"doubtful_growth\": %s", time,
              e->freedoms, growth, doubtful);
  put_readings(&t, "states", e->states, e->state_count);
  put_readings(&t, "outputs", e->outputs, e->output_count);
  put_readings(&t, "efforts", e->efforts, e->effort_count);
  put_readings(&t, "reactions", e->reactions, e->reaction_count);
  changes_put(&t, e->changed, e->changed_count);
  sb_text_put(&t, "}\n");
  char *text;
  sb_error err = {0};
  if (sb_text_give(&t, &text, &err) != SB_OK) {
    return complain_once(&err, true);
  }
  (void)fputs(text, stdout);
  free(text);
  return EXIT_FINE;
}

/** The quantities asked for, else those of the netlist. NULL: out of memory */
static const char **choose_outputs(const arguments *args, const sb_netlist *netlist, int *count) {
  const bool own = args->quantity_count > 0;
  *count = own ? args->quantity_count : netlist->output_count;
  const char **names = calloc((size_t)*count + 1, sizeof *names);
  for (int i = 0; names != NULL && i < *count; i++) {
    names[i] = own ? args->quantities[i] : netlist->outputs[i].of;
  }
  return names;
}

static sb_status find(const loaded *model, double t, const char *const names[], int count,
                      sb_equilibrium **result, sb_error *err) {
  sb_simulation *sim = NULL;
  sb_status status = sb_simulation_create(model->model, &model->netlist->options, &sim, err);
  if (status == SB_OK && t > model->netlist->options.t_start) {
    status = sb_simulation_advance(sim, t, err);
  }
  if (status == SB_OK) {
    status = sb_equilibrium_find(sim, names, count, result, err);
  }
  sb_simulation_destroy(sim);
  return status;
}

static int run(const arguments *args, const loaded *model) {
  sb_error err = {.status = SB_ERR_MEMORY, .text = "out of memory"};
  sb_equilibrium *e = NULL;
  double t;
  int count, code = value_time("equilibrium", args->at, model->netlist->options.t_start, &t);
  if (code != EXIT_FINE) {
    return code;
  }
  const char **names = choose_outputs(args, model->netlist, &count);
  if (names == NULL || find(model, t, names, count, &e, &err) != SB_OK) {
    code = complain_once(&err, args->json);
  } else if (args->json) {
    code = print_json(model->netlist->name, e);
  } else {
    print_text(model->netlist->name, e);
  }
  sb_equilibrium_destroy(e);
  free(names);
  return code;
}

int find_equilibrium(const arguments *args) {
  loaded model;
  int code = loaded_init(&model, args);
  if (code == EXIT_FINE) {
    code = run(args, &model);
  }
  loaded_finish(&model);
  return code;
}
