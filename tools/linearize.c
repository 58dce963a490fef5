// SPDX-License-Identifier: GPL-3.0-or-later
// screwbond linearize: matrices, modes and frequency response about an operating point.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "core/analysis/linearize.h"
#include "core/base/json.h"
#include "core/base/number.h"
#include "load.h"
#include "netlist/value/unit.h"
#include "netlist/value/value.h"

enum { FREQUENCIES_MAX = 100000, NAME_SIZE = 700, DIGITS = 6, TABLE_MAX = 8 };

typedef struct session {
  const arguments *args;
  loaded model;
  sb_linear *linear;
  sb_mode *modes;
  char **states, **outputs; // names, owned
  const char **wanted;      // (wanted_count) quantities asked for
  int wanted_count;
  double *frequencies; // [Hz]
  int frequency_count;
} session;

static int out_of_memory(const session *s) {
  const sb_error err = {.status = SB_ERR_MEMORY, .text = "out of memory"};
  return complain_once(&err, s->args->json);
}

static int parse(const char *option, const char *text, bool time, double values[], int max,
                 int *count) {
  const sb_dimension dimension = {.exponent = {0, 0, time ? SB_EXPONENT_ONE : -SB_EXPONENT_ONE},
                                  .cycle = time ? 0 : SB_EXPONENT_ONE};
  sb_error err = {0};
  if (sb_value_parse(text, &dimension, NULL, values, max, count, NULL, &err) != SB_OK) {
    return complain_usage(err.hint, "linearize: %s '%s': %s", option, text, err.text);
  }
  return EXIT_FINE;
}

/** "FROM:TO:N", from and to in Hz, evenly on a logarithmic axis. */
static int parse_sweep(session *s) {
  const char *text = s->args->sweep, *colon = strchr(text, ':'), *last = strrchr(text, ':');
  char from_text[64], to_text[64];
  double from = 0, to = 0, number = 0;
  int count = 0, code = EXIT_FINE;
  size_t used = 0;
  if (colon == NULL || last == colon || colon - text > 60 || last - colon > 60 ||
      sb_number_parse(last + 1, strlen(last + 1), &number, &used) != SB_OK || used == 0 ||
      last[1 + used] != '\0') {
    return complain_usage("for instance --sweep '1 Hz:10 kHz:50'", "linearize: --sweep '%s'", text);
  }
  (void)snprintf(from_text, sizeof from_text, "%.*s", (int)(colon - text), text);
  (void)snprintf(to_text, sizeof to_text, "%.*s", (int)(last - colon - 1), colon + 1);
  code = parse("--sweep", from_text, false, &from, 1, &count);
  code = code == EXIT_FINE ? parse("--sweep", to_text, false, &to, 1, &count) : code;
  if (code != EXIT_FINE) {
    return code;
  }
  if (!(from > 0) || !(to > from) || !(number >= 2) || number > FREQUENCIES_MAX ||
      number != floor(number)) {
    return complain_usage("for instance --sweep '1 Hz:10 kHz:50'",
                          "linearize: --sweep '%s': needs 0 < FROM < TO, and N from 2 to %d", text,
                          FREQUENCIES_MAX);
  }
  s->frequency_count = (int)number;
  s->frequencies = calloc((size_t)s->frequency_count, sizeof(double));
  for (int i = 0; s->frequencies != NULL && i < s->frequency_count; i++) {
    s->frequencies[i] = from * pow(to / from, i / (number - 1));
  }
  return s->frequencies != NULL ? EXIT_FINE : out_of_memory(s);
}

static int parse_frequencies(session *s) {
  if (s->args->sweep != NULL && s->args->frequencies != NULL) {
    return complain_usage(NULL, "linearize: give --frequencies or --sweep, not both");
  }
  if (s->args->sweep != NULL) {
    return parse_sweep(s);
  }
  if (s->args->frequencies == NULL) {
    return EXIT_FINE;
  }
  int room = (int)(strlen(s->args->frequencies) / 2) + 1;
  s->frequencies = calloc((size_t)room, sizeof(double));
  if (s->frequencies == NULL) {
    return out_of_memory(s);
  }
  int code = parse("--frequencies", s->args->frequencies, false, s->frequencies, room,
                   &s->frequency_count);
  for (int i = 0; code == EXIT_FINE && i < s->frequency_count; i++) {
    if (!(s->frequencies[i] >= 0)) {
      code = complain_usage(NULL, "linearize: --frequencies '%s': must not be negative",
                            s->args->frequencies);
    }
  }
  return code;
}

/** The quantities asked for, else those of the netlist, else all states. */
static int choose_outputs(session *s) {
  const sb_netlist *netlist = s->model.netlist;
  int room = s->args->quantity_count + netlist->output_count + s->model.outputs.count + 1;
  s->wanted = calloc((size_t)room, sizeof *s->wanted);
  if (s->wanted == NULL) {
    return out_of_memory(s);
  }
  for (int i = 0; i < s->args->quantity_count; i++) {
    s->wanted[s->wanted_count++] = s->args->quantities[i];
  }
  for (int i = 0; s->args->quantity_count == 0 && i < netlist->output_count; i++) {
    s->wanted[s->wanted_count++] = netlist->outputs[i].of;
  }
  bool states = s->wanted_count == 0;
  for (int i = 0; states && i < s->model.outputs.count; i++) {
    s->wanted[s->wanted_count++] = s->model.outputs.columns[i].label;
  }
  return EXIT_FINE;
}

static bool name_states(session *s) {
  const sb_model *model = s->model.model;
  s->states = calloc((size_t)s->linear->states + 1, sizeof *s->states);
  for (int i = 0, same = 0; s->states != NULL && i < s->linear->states; i++) {
    char name[300], next[300], full[NAME_SIZE];
    (void)sb_model_state_name(model, i, name);
    next[0] = '\0';
    if (i + 1 < s->linear->states) {
      (void)sb_model_state_name(model, i + 1, next);
    }
    bool many = same > 0 || strcmp(name, next) == 0; // a vector's states share their name
    (void)snprintf(full, sizeof full, many ? "%s.%d" : "%s", name, same);
    same = strcmp(name, next) == 0 ? same + 1 : 0;
    s->states[i] = strdup(full);
    if (s->states[i] == NULL) {
      return false;
    }
  }
  return s->states != NULL;
}

static bool name_outputs(session *s) {
  s->outputs = calloc((size_t)s->linear->outputs + 1, sizeof *s->outputs);
  for (int i = 0, at = 0; s->outputs != NULL && i < s->wanted_count; i++) {
    sb_quantity quantity;
    char name[NAME_SIZE];
    (void)sb_model_find(s->model.model, s->wanted[i], &quantity, NULL);
    for (int k = 0; k < quantity.count; k++) {
      sb_component_name(name, sizeof name, s->wanted[i], k, quantity.count);
      s->outputs[at] = strdup(name);
      if (s->outputs[at++] == NULL) {
        return false;
      }
    }
  }
  return s->outputs != NULL;
}

static int failed(const session *s, sb_error *err) {
  return complain_once(err, s->args->json);
}

static int linearize_at(session *s, double t) {
  const arguments *args = s->args;
  sb_error err = {0};
  sb_simulation *sim = NULL;
  sb_status status = sb_simulation_create(s->model.model, &s->model.netlist->options, &sim, &err);
  if (status == SB_OK && t > s->model.netlist->options.t_start) {
    status = sb_simulation_advance(sim, t, &err);
  }
  const sb_linear_request request = {.inputs = args->input_count > 0 ? args->inputs : NULL,
                                     .input_count = args->input_count,
                                     .outputs = s->wanted,
                                     .output_count = s->wanted_count,
                                     .equilibrium = args->equilibrium};
  if (status == SB_OK) {
    status = sb_linearize(sim, &request, &s->linear, &err);
  }
  sb_simulation_destroy(sim);
  if (status != SB_OK) {
    return failed(s, &err);
  }
  s->modes = calloc((size_t)s->linear->states + 1, sizeof *s->modes);
  if (s->modes == NULL || !name_states(s) || !name_outputs(s)) {
    return out_of_memory(s);
  }
  return sb_linear_modes(s->linear, s->modes, &err) == SB_OK ? EXIT_FINE : failed(s, &err);
}

static int find_time(const session *s, double *t) {
  double start = s->model.netlist->options.t_start;
  int count = 0, code = EXIT_FINE;
  *t = start;
  if (s->args->at != NULL) {
    code = parse("--at", s->args->at, true, t, 1, &count);
    if (code == EXIT_FINE && !(*t >= start)) {
      code = complain_usage(NULL, "linearize: --at '%s': before the start of the run", s->args->at);
    }
  }
  return code;
}

static const char *shown(double value, char text[SB_NUMBER_SIZE]) {
  (void)sb_number_format_short(value, DIGITS, text, SB_NUMBER_SIZE);
  return text;
}

/** A wide matrix, row by row, without its zeros. */
static void print_entries(const char *title, const double m[], int rows, int columns,
                          char *const row_names[], char *const column_names[]) {
  (void)printf("\n%s, entries that are not zero\n", title);
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) {
      char text[SB_NUMBER_SIZE];
      if (m[i * columns + j] != 0) {
        (void)printf("%s, %s: %s\n", row_names[i], column_names[j],
                     shown(m[i * columns + j], text));
      }
    }
  }
}

/** A matrix with the names of its rows and columns. */
static void print_matrix(const char *title, const double m[], int rows, int columns,
                         char *const row_names[], char *const column_names[]) {
  int first = 0, width = 12;
  if (rows == 0 || columns == 0) {
    return;
  }
  if (columns > TABLE_MAX) {
    print_entries(title, m, rows, columns, row_names, column_names);
    return;
  }
  for (int i = 0; i < rows; i++) {
    first = column_widen(first, row_names[i]);
  }
  for (int j = 0; j < columns; j++) {
    width = column_widen(width, column_names[j]);
  }
  (void)printf("\n%s\n", title);
  column_print("", first);
  for (int j = 0; j < columns; j++) {
    column_print(column_names[j], width);
  }
  (void)fputs("\n", stdout);
  for (int i = 0; i < rows; i++) {
    char text[SB_NUMBER_SIZE];
    column_print(row_names[i], first);
    for (int j = 0; j < columns; j++) {
      column_print(shown(m[i * columns + j], text), width);
    }
    (void)fputs("\n", stdout);
  }
}

static void print_modes(const session *s) {
  static const char *const heads[] = {"real [1/s]",     "imaginary [rad/s]", "natural [rad/s]",
                                      "frequency [Hz]", "damping ratio",     "time constant [s]"};
  const double two_pi = 6.283185307179586477;
  (void)puts("\neigenvalues of A");
  for (int k = 0; k < 6; k++) {
    column_print(heads[k], 17);
  }
  (void)fputs("\n", stdout);
  for (int i = 0; i < s->linear->states; i++) {
    const sb_mode *m = &s->modes[i];
    const double cells[] = {m->re,      m->im,           m->natural, m->natural / two_pi,
                            m->damping, m->time_constant};
    for (int k = 0; k < 6; k++) {
      char text[SB_NUMBER_SIZE];
      column_print(shown(cells[k], text), 17);
    }
    (void)puts(m->neutral ? "neutral: no port sees it" : "");
  }
}

static void print_text(const session *s) {
  const sb_linear *l = s->linear;
  char text[SB_NUMBER_SIZE], rate[SB_NUMBER_SIZE];
  int width = 5;
  (void)printf("%s at %s s%s; states: %d, inputs: %d, outputs: %d; %s\n", s->model.netlist->name,
               shown(l->t, text), s->args->equilibrium ? ", in equilibrium" : "", l->states,
               l->inputs, l->outputs, l->exact ? "linear, exact" : "by central differences");
  (void)puts("xdot = A x + B u, y = C x + D u for deviations, in SI units\n");
  for (int i = 0; i < l->states; i++) {
    width = column_widen(width, s->states[i]);
  }
  column_print("state", width);
  column_print("value", 12);
  (void)puts("rate");
  for (int i = 0; i < l->states; i++) {
    column_print(s->states[i], width);
    column_print(shown(l->x[i], text), 12);
    (void)puts(shown(l->xdot[i], rate));
  }
  print_matrix("A", l->A, l->states, l->states, s->states, s->states);
  print_matrix("B", l->B, l->states, l->inputs, s->states, l->input_names);
  print_matrix("C", l->C, l->outputs, l->states, s->outputs, s->states);
  print_matrix("D", l->D, l->outputs, l->inputs, s->outputs, l->input_names);
  print_modes(s);
  if (l->constrained > 0) {
    (void)printf("%d of the eigenvalues 0 belong%s to dependent storages\n", l->constrained,
                 l->constrained == 1 ? "s" : "");
  }
}

static void json_number(double value) {
  char text[SB_NUMBER_SIZE];
  (void)sb_number_format_json(value, text, sizeof text);
  (void)fputs(text, stdout);
}

static void json_string(const char *text) {
  sb_text quoted = {0};
  sb_json_quote(&quoted, text);
  (void)fputs(quoted.failed ? "null" : quoted.bytes, stdout);
  free(quoted.bytes);
}

static void json_names(const char *key, char *const names[], int count) {
  (void)printf(",\n \"%s\": [", key);
  for (int i = 0; i < count; i++) {
    (void)fputs(i > 0 ? ", " : "", stdout);
    json_string(names[i]);
  }
  (void)fputs("]", stdout);
}

static void json_row(const double row[], int count) {
  (void)fputs("[", stdout);
  for (int j = 0; j < count; j++) {
    (void)fputs(j > 0 ? ", " : "", stdout);
    json_number(row[j]);
  }
  (void)fputs("]", stdout);
}

static void json_matrix(const char *key, const double m[], int rows, int columns) {
  (void)printf(",\n \"%s\": [", key);
  for (int i = 0; i < rows; i++) {
    (void)fputs(i > 0 ? ",\n  " : "", stdout);
    json_row(m + (size_t)i * (size_t)columns, columns);
  }
  (void)fputs("]", stdout);
}

static void json_modes(const session *s) {
  static const char *const keys[] = {"re", "im", "natural", "damping", "time_constant"};
  (void)fputs(",\n \"eigenvalues\": [", stdout);
  for (int i = 0; i < s->linear->states; i++) {
    const sb_mode *m = &s->modes[i];
    const double values[] = {m->re, m->im, m->natural, m->damping, m->time_constant};
    (void)fputs(i > 0 ? ",\n  {" : "{", stdout);
    for (int k = 0; k < 5; k++) {
      (void)printf("\"%s\": ", keys[k]);
      json_number(values[k]);
      (void)fputs(", ", stdout);
    }
    (void)printf("\"neutral\": %s}", m->neutral ? "true" : "false");
  }
  (void)fputs("]", stdout);
}

/** Magnitude and phase [deg] of all transfer functions at one frequency. */
static void polar(double re[], double im[], int count) {
  const double degree = 0.017453292519943295769;
  for (int i = 0; i < count; i++) {
    double magnitude = hypot(re[i], im[i]), phase = atan2(im[i], re[i]) / degree;
    re[i] = magnitude;
    im[i] = isfinite(magnitude) ? phase : NAN;
  }
}

static void csv_head(const session *s) {
  const sb_linear *l = s->linear;
  (void)fputs("frequency [Hz]", stdout);
  for (int i = 0; i < l->outputs; i++) {
    for (int j = 0; j < l->inputs; j++) {
      (void)printf(",\"|%s/%s|\",\"arg(%s/%s) [deg]\"", s->outputs[i], l->input_names[j],
                   s->outputs[i], l->input_names[j]);
    }
  }
  (void)fputs("\r\n", stdout);
}

static void csv_line(double frequency, const double size[], const double phase[], int count) {
  char text[SB_NUMBER_SIZE];
  (void)sb_number_format(frequency, text, sizeof text);
  (void)fputs(text, stdout);
  for (int i = 0; i < count; i++) {
    (void)sb_number_format(size[i], text, sizeof text);
    (void)printf(",%s", text);
    (void)sb_number_format(phase[i], text, sizeof text);
    (void)printf(",%s", text);
  }
  (void)fputs("\r\n", stdout);
}

/** {"frequency": f, "magnitude": [row by row], "phase": [deg]}. */
static void json_point(double frequency, const double size[], const double phase[], int count) {
  (void)fputs("{\"frequency\": ", stdout);
  json_number(frequency);
  (void)fputs(", \"magnitude\": ", stdout);
  json_row(size, count);
  (void)fputs(", \"phase\": ", stdout);
  json_row(phase, count);
  (void)fputs("}", stdout);
}

static int print_response(const session *s) {
  const double two_pi = 6.283185307179586477;
  int count = s->linear->outputs * s->linear->inputs, code = EXIT_FINE;
  double *re = calloc((size_t)count + 1, sizeof *re), *im = calloc((size_t)count + 1, sizeof *im);
  sb_error err = {0};
  if (re == NULL || im == NULL) {
    code = out_of_memory(s);
  } else if (!s->args->json) {
    csv_head(s);
  }
  for (int k = 0; code == EXIT_FINE && k < s->frequency_count; k++) {
    double f = s->frequencies[k];
    if (sb_linear_response(s->linear, two_pi * f, re, im, &err) != SB_OK) {
      code = failed(s, &err);
      break;
    }
    polar(re, im, count);
    if (s->args->json) {
      (void)fputs(k > 0 ? ",\n  " : "", stdout);
      json_point(f, re, im, count);
    } else {
      csv_line(f, re, im, count);
    }
  }
  free(re);
  free(im);
  return code;
}

static int print_json(const session *s) {
  const sb_linear *l = s->linear;
  (void)fputs("{\"model\": ", stdout);
  json_string(s->model.netlist->name);
  (void)fputs(", \"time\": ", stdout);
  json_number(l->t);
  (void)printf(", \"exact\": %s", l->exact ? "true" : "false");
  json_names("states", s->states, l->states);
  json_names("inputs", l->input_names, l->inputs);
  json_names("outputs", s->outputs, l->outputs);
  (void)fputs(",\n \"x\": ", stdout);
  json_row(l->x, l->states);
  (void)fputs(",\n \"xdot\": ", stdout);
  json_row(l->xdot, l->states);
  json_matrix("A", l->A, l->states, l->states);
  json_matrix("B", l->B, l->states, l->inputs);
  json_matrix("C", l->C, l->outputs, l->states);
  json_matrix("D", l->D, l->outputs, l->inputs);
  json_modes(s);
  (void)fputs(",\n \"response\": [", stdout);
  int code = print_response(s);
  (void)fputs("]}\n", stdout);
  return code;
}

static int run(session *s) {
  double t = 0;
  int code = parse_frequencies(s);
  code = code == EXIT_FINE ? find_time(s, &t) : code;
  code = code == EXIT_FINE ? choose_outputs(s) : code;
  code = code == EXIT_FINE ? linearize_at(s, t) : code;
  if (code != EXIT_FINE) {
    return code;
  }
  if (s->args->json) {
    return print_json(s);
  }
  if (s->frequency_count > 0) {
    return print_response(s);
  }
  print_text(s);
  return EXIT_FINE;
}

static void free_names(char **names, int count) {
  for (int i = 0; names != NULL && i < count; i++) {
    free(names[i]);
  }
  free(names);
}

int linearize_model(const arguments *args) {
  session s = {.args = args};
  int code = loaded_init(&s.model, args);
  if (code == EXIT_FINE) {
    code = run(&s);
  }
  free_names(s.states, s.linear != NULL ? s.linear->states : 0);
  free_names(s.outputs, s.linear != NULL ? s.linear->outputs : 0);
  free(s.wanted);
  free(s.modes);
  free(s.frequencies);
  sb_linear_destroy(s.linear);
  loaded_finish(&s.model);
  return code;
}
