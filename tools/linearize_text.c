// SPDX-License-Identifier: GPL-3.0-or-later
// What the command linearize prints to be read: tables, and the frequency response as CSV.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "changes.h"
#include "columns.h"
#include "core/base/number.h"
#include "linearize.h"

enum { DIGITS = 6, TABLE_MAX = 8, UNCERTAIN_MAX = 10 };
/** Nor is the error of an eigenvalue or a root below this fraction mentioned, which DIGITS do not show. */
static const double precise = 1e-6;

static const char *shown(double value, char text[SB_NUMBER_SIZE]) {
  (void)sb_number_format_short(value, DIGITS, text, SB_NUMBER_SIZE);
  return text;
}

/** What a number may be off by. */
static const char *shown_error(double error, char text[SB_NUMBER_SIZE]) {
  return isnan(error) ? "unknown" : shown(error, text);
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

/** The entries of a matrix that fewer digits are known of than the tables have room for. */
static int print_uncertain_in(const char *name, const double m[], const double error[], int rows,
                              int columns, char *const row_names[], char *const column_names[],
                              int shown_before) {
  int count = 0;
  for (int i = 0; i < rows * columns; i++) {
    if (fabs(m[i]) * linearize_known >= error[i] || m[i] == 0) {
      continue;
    }
    char value[SB_NUMBER_SIZE], off[SB_NUMBER_SIZE];
    if (shown_before + count++ == 0) {
      (void)puts(
          "\nentries that are small differences of large numbers, known to less than three digits");
    }
    if (shown_before + count <= UNCERTAIN_MAX) {
      (void)printf("%s, %s by %s: %s +- %s\n", name, row_names[i / columns],
                   column_names[i % columns], shown(m[i], value), shown(error[i], off));
    }
  }
  return count;
}

static void print_uncertain(const session *s) {
  const sb_linear *l = s->linear;
  if (l->error.A == NULL) {
    return;
  }
  int n = l->states, count = 0;
  count += print_uncertain_in("A", l->A, l->error.A, n, n, s->states, s->states, count);
  count +=
      print_uncertain_in("B", l->B, l->error.B, n, l->inputs, s->states, l->input_names, count);
  count += print_uncertain_in("C", l->C, l->error.C, l->outputs, n, s->outputs, s->states, count);
  count += print_uncertain_in("D", l->D, l->error.D, l->outputs, l->inputs, s->outputs,
                              l->input_names, count);
  if (count > UNCERTAIN_MAX) {
    (void)printf("and %d more\n", count - UNCERTAIN_MAX);
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
    if ((m->natural > 0 || !m->neutral) && !(m->error <= precise * m->natural)) {
      char text[SB_NUMBER_SIZE];
      (void)printf("+- %s  ", shown_error(m->error, text));
    }
    (void)puts(m->neutral ? "neutral: no port sees it" : "");
  }
}

static void print_roots(const char *title, const sb_root roots[], int count) {
  (void)printf("  %s:%s", title, count == 0 ? " none" : "");
  for (int i = 0; i < count; i++) {
    const sb_root *root = &roots[i];
    char text[SB_NUMBER_SIZE];
    (void)printf(" %s", shown(root->re, text));
    if (root->im != 0) { // the other one of the pair is not repeated
      (void)printf("+-%sj", shown(fabs(root->im), text));
      i += i + 1 < count && roots[i + 1].im != 0;
    }
    if (!(root->error <= precise * hypot(root->re, root->im))) {
      (void)printf(" (+- %s)", shown_error(root->error, text));
    }
  }
  (void)fputs("\n", stdout);
}

static void print_factors(const session *s) {
  const sb_linear *l = s->linear;
  char text[SB_NUMBER_SIZE];
  if (l->outputs * l->inputs == 0) {
    return;
  }
  (void)puts("\ntransfer functions, gain (s - zero) .../((s - pole) ...), roots in 1/s");
  if (s->channels == NULL) {
    (void)puts("too many for this size: ask for less by --input and --output");
  }
  for (int i = 0; s->channels != NULL && i < l->outputs * l->inputs; i++) {
    const sb_factors *f = &s->channels[i];
    const sb_error *err = &s->channel_errors[i];
    (void)printf("%s/%s", s->outputs[i / l->inputs], l->input_names[i % l->inputs]);
    if (err->status != SB_OK) {
      (void)printf(": %s\n", err->text);
    } else {
      (void)printf("  gain: %s\n", shown(f->gain, text));
      if (f->error > precise) {
        (void)printf("  each root by itself is known to a fraction of %s\n", shown(f->error, text));
      }
      print_roots("zeros", f->zeros, f->zero_count);
      print_roots("poles", f->poles, f->pole_count);
    }
  }
}

/** What derivatives of u add to y, and u to the states. */
static void print_additions(const session *s) {
  const sb_linear *l = s->linear;
  bool any = false;
  for (int i = 0; i < l->states * l->inputs; i++) {
    any = any || l->X[i] != 0;
  }
  if (any) {
    print_matrix("X, what u adds at once to the states, which stand for the rest", l->X, l->states,
                 l->inputs, s->states, l->input_names);
  }
  for (int k = 1; k <= l->order; k++) {
    char title[60];
    (void)snprintf(title, sizeof title, "D%d, of derivative %d of u", k, k);
    print_matrix(title, l->derivatives + (k - 1) * l->outputs * l->inputs, l->outputs, l->inputs,
                 s->outputs, l->input_names);
  }
}

void linearize_print_text(const session *s) {
  const sb_linear *l = s->linear;
  char text[SB_NUMBER_SIZE], rate[SB_NUMBER_SIZE];
  int width = 5;
  (void)printf("%s at %s s%s; states: %d, inputs: %d, outputs: %d; %s\n", s->model.netlist->name,
               shown(l->t, text), s->args->equilibrium ? ", in equilibrium" : "", l->states,
               l->inputs, l->outputs, l->exact ? "linear, exact" : "by central differences");
  (void)printf("xdot = A x + B u, y = C x + D u%s%s for deviations, in SI units\n",
               l->order > 0 ? " + D1 du/dt" : "", l->order > 1 ? " + ..." : "");
  if (l->constrained > 0) {
    (void)printf("states that depend on these: %d\n", l->constrained);
  }
  changes_print(l->changed, l->changed_count);
  (void)fputs("\n", stdout);
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
  print_additions(s);
  print_uncertain(s);
  print_modes(s);
  print_factors(s);
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

static void csv_line(double frequency, const polar *p, int count) {
  char text[SB_NUMBER_SIZE];
  (void)sb_number_format(frequency, text, sizeof text);
  (void)fputs(text, stdout);
  for (int i = 0; i < count; i++) {
    (void)sb_number_format(p->size[i], text, sizeof text);
    (void)printf(",%s", text);
    (void)sb_number_format(p->phase[i], text, sizeof text);
    (void)printf(",%s", text);
  }
  (void)fputs("\r\n", stdout);
}

int linearize_print_csv(const session *s) {
  polar p;
  int code = polar_init(&p, s) ? EXIT_FINE : linearize_out_of_memory(s);
  if (code == EXIT_FINE) {
    csv_head(s);
  }
  for (int k = 0; code == EXIT_FINE && k < s->frequency_count; k++) {
    code = linearize_polar(s, s->frequencies[k], &p);
    if (code == EXIT_FINE) {
      csv_line(s->frequencies[k], &p, s->linear->outputs * s->linear->inputs);
    }
  }
  polar_finish(&p);
  return code;
}
