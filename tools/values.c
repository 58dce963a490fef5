// SPDX-License-Identifier: GPL-3.0-or-later
#include "values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "core/base/number.h"
#include "netlist/value/value.h"

enum { POINTS_MAX = 100000 };

int value_parse(const char *name, const char *option, const char *text,
                const sb_dimension *dimension, double values[], int max, int *count) {
  sb_error err = {0};
  if (sb_value_parse(text, dimension, NULL, values, max, count, NULL, &err) != SB_OK) {
    return complain_usage(err.hint, "%s: %s '%s': %s", name, option, text, err.text);
  }
  return EXIT_FINE;
}

static int out_of_memory(void) {
  const sb_error err = {.status = SB_ERR_MEMORY, .text = "out of memory"};
  return complain_once(&err, false);
}

static int parse_sweep(const value_axis *axis, const char *text, double **points, int *size) {
  const char *colon = strchr(text, ':'), *last = strrchr(text, ':');
  char from_text[64], to_text[64], hint[80];
  double from = 0, to = 0, number = 0;
  int count = 0, code = EXIT_FINE;
  size_t used = 0;
  (void)snprintf(hint, sizeof hint, "for instance --sweep '%s'", axis->example);
  if (colon == NULL || last == colon || colon - text > 60 || last - colon > 60 ||
      sb_number_parse(last + 1, strlen(last + 1), &number, &used) != SB_OK || used == 0 ||
      last[1 + used] != '\0') {
    return complain_usage(hint, "%s: --sweep '%s': needs FROM:TO:N", axis->command, text);
  }
  (void)snprintf(from_text, sizeof from_text, "%.*s", (int)(colon - text), text);
  (void)snprintf(to_text, sizeof to_text, "%.*s", (int)(last - colon - 1), colon + 1);
  code = value_parse(axis->command, "--sweep", from_text, &axis->dimension, &from, 1, &count);
  code = code == EXIT_FINE
             ? value_parse(axis->command, "--sweep", to_text, &axis->dimension, &to, 1, &count)
             : code;
  if (code != EXIT_FINE) {
    return code;
  }
  if (!(from > 0) || !(to > from) || !(number >= 2) || number > POINTS_MAX ||
      number != floor(number)) {
    return complain_usage(hint, "%s: --sweep '%s': needs 0 < FROM < TO, and N from 2 to %d",
                          axis->command, text, POINTS_MAX);
  }
  *size = (int)number;
  *points = calloc((size_t)*size, sizeof(double));
  for (int i = 0; *points != NULL && i < *size; i++) {
    (*points)[i] = from * pow(to / from, i / (number - 1));
  }
  return *points != NULL ? EXIT_FINE : out_of_memory();
}

int value_axis_parse(const value_axis *axis, const char *list, const char *sweep, double **points,
                     int *count) {
  *points = NULL;
  *count = 0;
  if (sweep != NULL && list != NULL) {
    return complain_usage(NULL, "%s: give %s or --sweep, not both", axis->command, axis->option);
  }
  if (sweep != NULL) {
    return parse_sweep(axis, sweep, points, count);
  }
  if (list == NULL) {
    return EXIT_FINE;
  }
  int room = (int)(strlen(list) / 2) + 1;
  *points = calloc((size_t)room, sizeof(double));
  if (*points == NULL) {
    return out_of_memory();
  }
  int code = value_parse(axis->command, axis->option, list, &axis->dimension, *points, room, count);
  for (int i = 0; code == EXIT_FINE && i < *count; i++) {
    if (!((*points)[i] >= axis->least)) {
      code = complain_usage(NULL, "%s: %s '%s': must %s", axis->command, axis->option, list,
                            axis->least > 0 ? "be positive" : "not be negative");
    }
  }
  return code;
}

int value_time(const char *name, const char *text, double start, double *t) {
  const sb_dimension second = {.exponent = {0, 0, SB_EXPONENT_ONE}};
  int count = 0, code = EXIT_FINE;
  *t = start;
  if (text != NULL) {
    code = value_parse(name, "--at", text, &second, t, 1, &count);
    if (code == EXIT_FINE && !(*t >= start)) {
      code = complain_usage(NULL, "%s: --at '%s': before the start of the run", name, text);
    }
  }
  return code;
}
