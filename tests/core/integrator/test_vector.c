// SPDX-License-Identifier: GPL-3.0-or-later
// The vector operations that ARKODE is given, against sums formed component by component; with lengths
// that are no multiple of four.
#include "tests/near.h"

#include <sundials/sundials_context.h>

#include "core/integrator/vector.h"
#include "core/linalg/numbers.h"

enum { LENGTH = 1031, COUNT = 7 };

static double entry(int vector, int i) {
  return sin(2.385 * vector + 0.71 * i) * (i % 5 + 1);
}

typedef struct vectors {
  SUNContext context;
  N_Vector x[COUNT], z;
} vectors;

/** @param list     NULL: all numbers are by themselves
 *  @param increments  add the first vector last */
static vectors make(int length, const sb_error_measure *measure, bool increments) {
  vectors v;
  assert_int_equal(SUNContext_Create(NULL, &v.context), 0);
  v.z = sb_vector_create(length, measure, increments, v.context);
  assert_non_null(v.z);
  for (int k = 0; k < COUNT; k++) {
    v.x[k] = N_VClone(v.z); // clones inherit the operations
    for (int i = 0; i < length; i++) {
      NV_DATA_S(v.x[k])[i] = entry(k, i);
    }
  }
  return v;
}

static void finish(vectors *v) {
  for (int k = 0; k < COUNT; k++) {
    N_VDestroy(v->x[k]);
  }
  N_VDestroy(v->z);
  assert_int_equal(SUNContext_Free(&v->context), 0);
}

static void check_sums(bool increments) {
  double c[COUNT] = {1, -0.3, 2.385, 0, 7.1, -1.2, 0.9};
  vectors v = make(LENGTH, NULL, increments);
  const double *z = NV_DATA_S(v.z);
  N_VLinearSum(1.7, v.x[0], -0.6, v.x[1], v.z);
  for (int i = 0; i < LENGTH; i++) {
    assert_near(z[i], 1.7 * entry(0, i) - 0.6 * entry(1, i), 1e-15);
  }
  N_VScale(-2.385, v.x[2], v.z);
  assert_near(z[LENGTH - 1], -2.385 * entry(2, LENGTH - 1), 0);
  N_VConst(0.83, v.z);
  assert_near(z[0] + z[LENGTH - 1], 1.66, 0);
  for (int count = 1; count <= COUNT; count++) {
    assert_int_equal(N_VLinearCombination(count, c, v.x, v.z), 0);
    for (int i = 0; i < LENGTH; i++) {
      double sum = 0;
      for (int k = 0; k < count; k++) {
        sum += c[k] * entry(k, i);
      }
      assert_near(z[i], sum, 1e-14 * 60); // either order of the terms
    }
  }
  assert_int_equal(N_VLinearCombination(COUNT, c, v.x, v.x[0]), 0); // into the first of them
  for (int i = 0; i < LENGTH; i++) {
    assert_near(NV_DATA_S(v.x[0])[i], z[i], 0);
  }
  finish(&v);
}

static void sums_are_those_of_the_components(void **state) {
  (void)state;
  check_sums(false);
  check_sums(true);
}

/** ARKODE forms the state of the last stage as y + (sum of increments) and the solution as the sum of
 *  y and its increments, the last with the weight 0: with the increments first both are the same. */
static void solutions_are_the_last_stages(void **state) {
  (void)state;
  double c[COUNT] = {1, -0.3, 2.385, 0.41, 7.1, -1.2, 0};
  vectors v = make(LENGTH, NULL, true);
  assert_int_equal(N_VLinearCombination(COUNT - 2, c + 1, v.x + 1, v.z), 0);
  N_VLinearSum(1, v.x[0], 1, v.z, v.z);
  assert_int_equal(N_VLinearCombination(COUNT, c, v.x, v.x[6]), 0);
  for (int i = 0; i < LENGTH; i++) {
    assert_near(NV_DATA_S(v.x[6])[i], NV_DATA_S(v.z)[i], 0);
  }
  finish(&v);
}

/** The norm is the largest weighted component, wherever it stands; what is not finite is seen. */
static void norm_is_the_largest_component(void **state) {
  (void)state;
  for (int length = 1; length <= 9; length++) {
    for (int at = 0; at < length; at++) {
      vectors v = make(length, NULL, false);
      N_VConst(0.5, v.z);
      NV_DATA_S(v.x[0])[at] = -23.85;
      assert_near(N_VWrmsNorm(v.x[0], v.z), 23.85 / 2, 0);
      assert_near(N_VMaxNorm(v.x[0]), 23.85, 0);
      assert_near(sb_largest(NV_DATA_S(v.x[0]), length), 23.85, 0);
      assert_true(sb_all_finite(NV_DATA_S(v.x[0]), length));
      NV_DATA_S(v.x[0])[at] = NAN;
      assert_true(N_VWrmsNorm(v.x[0], v.z) > 1e20);
      assert_false(sb_all_finite(NV_DATA_S(v.x[0]), length));
      NV_DATA_S(v.x[0])[at] = -HUGE_VAL;
      assert_true(N_VWrmsNorm(v.x[0], v.z) > 1e20);
      assert_false(sb_all_finite(NV_DATA_S(v.x[0]), length));
      finish(&v);
    }
  }
}

/** Of vectors among numbers by themselves the length counts, in all axes alike: of (3, 4, 0) as
 *  of (5, 0, 0) it is 5. Clones know the vectors too. */
static void norm_of_vectors_is_their_length(void **state) {
  (void)state;
  sb_state_vector items[] = {{2, 3}, {5, 4}, {10, 2}};
  const sb_state_vectors list = {items, 3};
  const sb_error_measure measure = {.vectors = &list};
  static const double errors[][5] = {
      {3, 4, 0, 0, 5}, {5, 0, 0, 0, 5}, {1.8, 2.4, 4, 0, 5}, {2.5, -2.5, 2.5, -2.5, 5}};
  for (size_t k = 0; k < sizeof errors / sizeof *errors; k++) {
    for (int at = 2; at <= 5; at += 3) {
      vectors v = make(13, &measure, false);
      N_Vector e = N_VClone(v.x[3]);
      N_VConst(2, v.z);
      N_VConst(0, e);
      for (int i = 0; i < (at == 2 ? 3 : 4); i++) {
        NV_DATA_S(e)[at + i] = errors[k][i];
      }
      const bool fits = at == 5 || errors[k][3] == 0;
      assert_near(N_VWrmsNorm(e, v.z), fits ? 2 * errors[k][4] : sqrt(75), 1e-15 * 10);
      NV_DATA_S(e)[9] = -7; // behind both, and before the third
      NV_DATA_S(e)[12] = 7.5;
      assert_near(N_VWrmsNorm(e, v.z), 15, 0);
      NV_DATA_S(e)[10] = 6;
      NV_DATA_S(e)[11] = -8;
      assert_near(N_VWrmsNorm(e, v.z), 20, 0);
      N_Vector column = N_VCloneEmpty(e); // data from elsewhere: of numbers only
      N_VSetArrayPointer(NV_DATA_S(e), column);
      assert_near(N_VWrmsNorm(column, v.z), 16, 0);
      N_VDestroy(column);
      NV_DATA_S(e)[at] = NAN;
      assert_true(N_VWrmsNorm(e, v.z) > 1e20);
      N_VDestroy(e);
      finish(&v);
    }
  }
}

static const double *all_but_the_second(void *self, const double error[], int n) {
  double *kept = self;
  memcpy(kept, error, (size_t)n * sizeof *error);
  kept[1] = 0;
  return kept;
}

/** What does not count of an error is no part of its norm, and stays where it is. */
static void norm_is_of_what_counts(void **state) {
  (void)state;
  double kept[3];
  const sb_error_measure measure = {NULL, all_but_the_second, kept};
  vectors v = make(3, &measure, false);
  N_Vector e = N_VClone(v.x[0]);
  const double values[3] = {2.385, 1e9, -0.7};
  memcpy(NV_DATA_S(e), values, sizeof values);
  N_VConst(2, v.z);
  assert_near(N_VWrmsNorm(e, v.z), 4.77, 1e-15);
  assert_near(NV_DATA_S(e)[1], 1e9, 0);
  N_VDestroy(e);
  finish(&v);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_are_those_of_the_components),
      cmocka_unit_test(solutions_are_the_last_stages),
      cmocka_unit_test(norm_is_the_largest_component),
      cmocka_unit_test(norm_of_vectors_is_their_length),
      cmocka_unit_test(norm_is_of_what_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
