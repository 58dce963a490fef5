// SPDX-License-Identifier: GPL-3.0-or-later
// Matrices with names, as text in columns and as LaTeX.
#include "tests/near.h"

#include "core/analysis/matrix_text_private.h"

static sb_labels labels_of(const char *base, int count, sb_arena *memory) {
  sb_labels labels;
  assert_true(sb_labels_init(&labels, count, memory));
  for (int i = 0; i < count; i++) {
    sb_component_name(labels.items[i], SB_LABEL_SIZE, base, i, count);
  }
  return labels;
}

static void text_stands_in_columns(void **state) {
  (void)state;
  sb_arena memory = {0};
  sb_labels rows = labels_of("L_1.p", 2, &memory), columns = labels_of("u", 1, &memory);
  sb_matrix_text t = {0};
  sb_matrix_text_vector(&t, "x", &rows);
  sb_matrix_text_matrix(&t, "G", (double[]){1, -2.385e-7}, &rows, &columns);
  sb_matrix_text_statement(&t, "G is small", false, 0.5);
  assert_string_equal(t.text.bytes, "x = (L_1.p.0, L_1.p.1)\n"
                                    "\nG        u\n"
                                    "L_1.p.0  1\n"
                                    "L_1.p.1  -2.385e-07\n"
                                    "G is small: NO (0.5)\n");
  free(t.text.bytes);
  sb_arena_finish(&memory);
}

/** Names are text there, with their special characters escaped, and powers of ten are products. */
static void latex_is_escaped(void **state) {
  (void)state;
  sb_arena memory = {0};
  sb_labels rows = labels_of("L_1.p", 1, &memory), columns = labels_of("u", 2, &memory);
  sb_matrix_text t = {.latex = true};
  sb_matrix_text_vector(&t, "x", &rows);
  sb_matrix_text_matrix(&t, "G", (double[]){1, -2.385e-7}, &rows, &columns);
  sb_matrix_text_statement(&t, "G is small", true, 0);
  assert_string_equal(t.text.bytes, "\\[ x = (\\mathrm{L\\_1.p})^T \\]\n"
                                    "\\[ G = \\begin{pmatrix}\n"
                                    "1 & -2.385 \\cdot 10^{-7} \\\\\n"
                                    "\\end{pmatrix} \\]\n"
                                    "% G is small: yes (0)\n");
  free(t.text.bytes);
  sb_arena_finish(&memory);
}

static void rounding_is_zero(void **state) {
  (void)state;
  double m[] = {1, 1e-16, -3e-14, 2.385e-5};
  sb_matrix_clean(m, 4, 1);
  assert_near(m[0], 1, 0);
  assert_near(m[1], 0, 0);
  assert_near(m[2], 0, 0);
  assert_near(m[3], 2.385e-5, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_stands_in_columns),
      cmocka_unit_test(latex_is_escaped),
      cmocka_unit_test(rounding_is_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
