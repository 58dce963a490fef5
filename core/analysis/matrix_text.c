// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/matrix_text_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"

enum { DIGITS = 9 };
/** What is below this fraction of the largest entry is rounding. */
static const double rounding = 1e-13;

static void put_number(sb_matrix_text *t, double value, int width) {
  char number[SB_NUMBER_SIZE];
  (void)sb_number_format_short(value, DIGITS, number, sizeof number);
  char *power = strchr(number, 'e');
  if (t->latex && power != NULL) {
    sb_text_put(&t->text, "%.*s \\cdot 10^{%d}", (int)(power - number), number, atoi(power + 1));
  } else {
    sb_text_put(&t->text, "%-*s", t->latex ? 0 : width, number);
  }
}

/** In LaTeX a name is text: its special characters are escaped. */
static void put_name(sb_matrix_text *t, const char *name, int width) {
  if (!t->latex) {
    sb_text_put(&t->text, "%-*s", width, name);
    return;
  }
  sb_text_put(&t->text, "\\mathrm{");
  for (const char *c = name; *c != '\0'; c++) {
    if (*c == '\\' || *c == '^' || *c == '~') {
      sb_text_put(&t->text, "\\char`\\%c ", *c);
    } else {
      sb_text_put(&t->text, "%s%c", strchr("_#$%&{}", *c) != NULL ? "\\" : "", *c);
    }
  }
  sb_text_put(&t->text, "}");
}

void sb_matrix_text_vector(sb_matrix_text *t, const char *symbol, const sb_labels *n) {
  sb_text_put(&t->text, t->latex ? "\\[ %s = (" : "%s = (", symbol);
  for (int i = 0; i < n->count; i++) {
    sb_text_put(&t->text, i > 0 ? t->latex ? ",\\, " : ", " : "");
    put_name(t, n->items[i], 0);
  }
  sb_text_put(&t->text, t->latex ? ")^T \\]\n" : ")\n");
}

static int widest(const sb_labels *labels, int least) {
  for (int i = 0; i < labels->count; i++) {
    int length = (int)strlen(labels->items[i]);
    least = length > least ? length : least;
  }
  return least;
}

void sb_matrix_text_matrix(sb_matrix_text *t, const char *symbol, const double m[],
                           const sb_labels *rows, const sb_labels *columns) {
  int first = widest(rows, 0), width = widest(columns, 12);
  if (t->latex) {
    sb_text_put(&t->text, "\\[ %s = \\begin{pmatrix}\n", symbol);
  } else {
    sb_text_put(&t->text, "\n%-*s", first + 2, symbol);
    for (int j = 0; j < columns->count; j++) {
      put_name(t, columns->items[j], j + 1 < columns->count ? width + 2 : 0);
    }
    sb_text_put(&t->text, "\n");
  }
  for (int i = 0; i < rows->count; i++) {
    if (!t->latex) {
      put_name(t, rows->items[i], first + 2);
    }
    for (int j = 0; j < columns->count; j++) {
      sb_text_put(&t->text, t->latex && j > 0 ? " & " : "");
      put_number(t, m[i * columns->count + j], j + 1 < columns->count ? width + 2 : 0);
    }
    sb_text_put(&t->text, t->latex ? " \\\\\n" : "\n");
  }
  if (t->latex) {
    sb_text_put(&t->text, "\\end{pmatrix} \\]\n");
  }
}

void sb_matrix_text_statement(sb_matrix_text *t, const char *what, bool holds, double figure) {
  sb_text_put(&t->text, "%s%s: %s (%s)\n", t->latex ? "% " : "", what, holds ? "yes" : "NO",
              sb_number_word(figure).text);
}

bool sb_labels_init(sb_labels *n, int count, sb_arena *memory) {
  *n = (sb_labels){sb_arena_zeroed(memory, count, SB_LABEL_SIZE), count};
  return n->items != NULL;
}

void sb_label_state(char label[SB_LABEL_SIZE], const sb_network *network, int state) {
  const sb_instance *instance = &network->instances[sb_owner_of(network, state)];
  char base[300];
  (void)sb_network_state_name(network, state, base);
  sb_component_name(label, SB_LABEL_SIZE, base, state - instance->state,
                    sb_instance_names_states(instance) ? 1 : instance->layout.states);
}

void sb_matrix_clean(double m[], int count, double size) {
  for (int i = 0; i < count; i++) {
    m[i] = fabs(m[i]) <= rounding * size ? 0 : m[i];
  }
}
