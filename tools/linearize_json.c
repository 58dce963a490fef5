// SPDX-License-Identifier: GPL-3.0-or-later
// What the command linearize prints as one JSON object.
#include <stdio.h>
#include <stdlib.h>

#include "changes.h"
#include "core/base/json.h"
#include "core/base/number.h"
#include "linearize.h"

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

static void json_changes(const session *s) {
  sb_text t = {0};
  changes_put(&t, s->linear->changed, s->linear->changed_count);
  (void)fputs(t.failed ? "" : t.bytes, stdout);
  free(t.bytes);
}

static void json_modes(const session *s) {
  static const char *const keys[] = {"re", "im", "natural", "damping", "time_constant", "error"};
  (void)fputs(",\n \"eigenvalues\": [", stdout);
  for (int i = 0; i < s->linear->states; i++) {
    const sb_mode *m = &s->modes[i];
    const double values[] = {m->re, m->im, m->natural, m->damping, m->time_constant, m->error};
    (void)fputs(i > 0 ? ",\n  {" : "{", stdout);
    for (int k = 0; k < 6; k++) {
      (void)printf("\"%s\": ", keys[k]);
      json_number(values[k]);
      (void)fputs(", ", stdout);
    }
    (void)printf("\"neutral\": %s}", m->neutral ? "true" : "false");
  }
  (void)fputs("]", stdout);
}

/** Of every derivative of u, from the first, what it adds to y: outputs x inputs. */
static void json_derivatives(const session *s) {
  const sb_linear *l = s->linear;
  (void)fputs(",\n \"derivatives\": [", stdout);
  for (int k = 0; k < l->order; k++) {
    (void)fputs(k > 0 ? ",\n  [" : "[", stdout);
    for (int i = 0; i < l->outputs; i++) {
      (void)fputs(i > 0 ? ", " : "", stdout);
      json_row(l->derivatives + (k * l->outputs + i) * l->inputs, l->inputs);
    }
    (void)fputs("]", stdout);
  }
  (void)fputs("]", stdout);
}

static void json_roots(const char *key, const sb_root roots[], int count) {
  (void)printf(", \"%s\": [", key);
  for (int i = 0; i < count; i++) {
    (void)fputs(i > 0 ? ", {\"re\": " : "{\"re\": ", stdout);
    json_number(roots[i].re);
    (void)fputs(", \"im\": ", stdout);
    json_number(roots[i].im);
    (void)fputs(", \"error\": ", stdout);
    json_number(roots[i].error);
    (void)fputs("}", stdout);
  }
  (void)fputs("]", stdout);
}

/** [{output, input, gain, root_error, zeros, poles}]; {output, input, error} where they cannot be told. */
static void json_factors(const session *s) {
  const sb_linear *l = s->linear;
  (void)fputs(s->channels == NULL ? ",\n \"transfer\": null" : ",\n \"transfer\": [", stdout);
  for (int i = 0; s->channels != NULL && i < l->outputs * l->inputs; i++) {
    const sb_factors *f = &s->channels[i];
    const sb_error *err = &s->channel_errors[i];
    (void)fputs(i > 0 ? ",\n  {\"output\": " : "{\"output\": ", stdout);
    json_string(s->outputs[i / l->inputs]);
    (void)fputs(", \"input\": ", stdout);
    json_string(l->input_names[i % l->inputs]);
    if (err->status != SB_OK) {
      (void)fputs(", \"error\": ", stdout);
      json_string(err->text);
    } else {
      (void)fputs(", \"gain\": ", stdout);
      json_number(f->gain);
      (void)fputs(", \"root_error\": ", stdout);
      json_number(f->error);
      json_roots("zeros", f->zeros, f->zero_count);
      json_roots("poles", f->poles, f->pole_count);
    }
    (void)fputs("}", stdout);
  }
  (void)fputs(s->channels == NULL ? "" : "]", stdout);
}

/** {"frequency": f, "magnitude": [row by row], "phase": [deg], "error": [fractions]}. */
static void json_point(double frequency, const polar *p, int count) {
  (void)fputs("{\"frequency\": ", stdout);
  json_number(frequency);
  (void)fputs(", \"magnitude\": ", stdout);
  json_row(p->size, count);
  (void)fputs(", \"phase\": ", stdout);
  json_row(p->phase, count);
  (void)fputs(", \"error\": ", stdout);
  json_row(p->error, count);
  (void)fputs("}", stdout);
}

static int json_response(const session *s) {
  polar p;
  int code = polar_init(&p, s) ? EXIT_FINE : linearize_out_of_memory(s);
  for (int k = 0; code == EXIT_FINE && k < s->frequency_count; k++) {
    code = linearize_polar(s, s->frequencies[k], &p);
    if (code == EXIT_FINE) {
      (void)fputs(k > 0 ? ",\n  " : "", stdout);
      json_point(s->frequencies[k], &p, s->linear->outputs * s->linear->inputs);
    }
  }
  polar_finish(&p);
  return code;
}

int linearize_print_json(const session *s) {
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
  json_matrix("X", l->X, l->states, l->inputs);
  if (l->error.A != NULL) {
    json_matrix("A_error", l->error.A, l->states, l->states);
    json_matrix("B_error", l->error.B, l->states, l->inputs);
    json_matrix("C_error", l->error.C, l->outputs, l->states);
    json_matrix("D_error", l->error.D, l->outputs, l->inputs);
  }
  json_derivatives(s);
  (void)printf(",\n \"dependent_states\": %d", l->constrained);
  json_changes(s);
  json_modes(s);
  json_factors(s);
  (void)fputs(",\n \"response\": [", stdout);
  int code = json_response(s);
  (void)fputs("]}\n", stdout);
  return code;
}
