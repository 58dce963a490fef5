// SPDX-License-Identifier: GPL-3.0-or-later
// Two pairs of states, (I - gamma J) x = b solved by Cramer's rule beside the matrix, dense and sparse: in units that leave the
// sizes of the states at the ends of what a double holds, and with sizes that are not known.
#include "tests/near.h"

#include <sundials/sundials_context.h>

#include "core/integrator/newton_matrix.h"
#include "core/integrator/vector.h"

enum { STATES = 4, BEHIND = 1, ENTRIES = 8 };
static const double gamma_h = 0.31;

/** xdot = M u in u = x/unit, so J_ik = unit_i M_ik / unit_k; rows 0, 1 and 2, 3 are coupled. */
static const double coupling[ENTRIES] = {-2.385, 0.71, 1.93, -0.43, 0.37, 4.1, -3.3, -0.92};

static void check(bool sparse, const double unit[], const double size[]) {
  int first[STATES + 1] = {0, 2, 4, 6, 8}, row[ENTRIES] = {0, 1, 0, 1, 2, 3, 2, 3};
  double value[ENTRIES];
  for (int k = 0; k < ENTRIES; k++) {
    value[k] = coupling[k] * (unit[row[k]] / unit[k / 2]);
  }
  sb_jacobian jacobian = {
      .n = STATES, .nnz = ENTRIES, .column_first = first, .row = row, .value = value};
  sb_newton_matrix m = {.jacobian = &jacobian};
  SUNContext context;
  assert_int_equal(SUNContext_Create(NULL, &context), 0);
  N_Vector x = sb_vector_create(STATES + BEHIND, NULL, false, context), b = N_VClone(x);
  assert_true(sb_newton_matrix_init(&m, x, sparse, context));
  sb_newton_matrix_fill(&m, gamma_h, size, m.matrix);
  for (int i = 0; i < STATES + BEHIND; i++) {
    NV_DATA_S(b)[i] = (1.7 - 0.6 * i) * (i < STATES ? unit[i] : 1);
  }
  assert_int_equal(SUNLinSolSetup(m.solver, m.matrix), 0);
  assert_int_equal(SUNLinSolSolve(m.solver, m.matrix, x, b, 0), 0);
  for (int i = 0; i < STATES; i += 2) {
    const double *c = coupling + 2 * i, right = 1.7 - 0.6 * i, below = right - 0.6;
    double p = 1 - gamma_h * c[0], q = -gamma_h * c[2], r = -gamma_h * c[1], s = 1 - gamma_h * c[3];
    assert_near_relative(NV_DATA_S(x)[i] / unit[i], (right * s - q * below) / (p * s - q * r),
                         1e-14);
    assert_near_relative(NV_DATA_S(x)[i + 1] / unit[i + 1],
                         (p * below - r * right) / (p * s - q * r), 1e-14);
  }
  assert_near(NV_DATA_S(x)[STATES], 1.7 - 0.6 * STATES, 0); // what is behind the states is itself
  m.jacobian = NULL;
  sb_newton_matrix_finish(&m);
  N_VDestroy(x);
  N_VDestroy(b);
  assert_int_equal(SUNContext_Free(&context), 0);
}

static void pairs_are_solved_in_any_units(void **state) {
  static const struct {
    double unit[STATES], size[STATES];
  } cases[] = {
      {{1, 1, 1, 1}, {1, 1, 1, 1}},
      {{1, 1e-3, 2.385, 1e2}, {0, HUGE_VAL, NAN, -1}}, // not known
      {{1e-12, 1e9, 2.385, 1e-3}, {3e-12, 0.7e9, 2, 1e-3}},
      {{1e150, 1e-150, 1e-150, 1e150}, {1e150, 2e-151, 3e-150, 9e150}},
      {{1e305, 1e303, 1e-305, 1e-303}, {1.7e308, 2e304, 5e-324, 3e-310}}, // inverses overflow
  };
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    check(false, cases[i].unit, cases[i].size);
    check(true, cases[i].unit, cases[i].size);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_are_solved_in_any_units)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
