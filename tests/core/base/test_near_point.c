// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/near_point.h"

#include <math.h>

#include "tests/near.h"

/** Within four extents it is the world's origin. */
static void near_by_it_is_the_worlds_origin(void **state) {
  static const double middles[][3] = {{0, 0, 0}, {1.1, -1.19, 0.3}, {0, 0, 1.2}};
  (void)state;
  for (int i = 0; i < 3; i++) {
    double point[3] = {1, 2, 3};
    sb_near_point(middles[i], 0.3, point);
    assert_true(point[0] == 0 && point[1] == 0 && point[2] == 0);
  }
}

/** Far away it is within half a power of two above the extent, of which it is a multiple: all places of a grid of 2^-42 m have exact
 *  differences to it. */
static void far_away_it_is_near_and_differences_are_exact(void **state) {
  static const double extents[] = {0.03, 0.4, 1, 17}, far[] = {100, 612.3, -1000};
  (void)state;
  for (int i = 0; i < 4; i++) {
    const double grid = exp2(ceil(log2(extents[i]))), middle[] = {far[0], far[1], far[2]};
    double point[3];
    sb_near_point(middle, extents[i], point);
    for (int k = 0; k < 3; k++) {
      const double off = 0x1.23456789abp-7;
      assert_true(fmod(point[k], grid) == 0);
      assert_true(fabs(point[k] - middle[k]) <= grid / 2);
      assert_true((point[k] + 0x1p-42) - point[k] == 0x1p-42);
      assert_near((point[k] + off) - point[k], off, 0x1p-42);
    }
  }
}

/** Of what has no extent, or is nowhere, it is the world's origin. */
static void without_an_extent_there_is_none(void **state) {
  static const double far[] = {100, 612.3, -1000}, nowhere[] = {HUGE_VAL, 0, 0};
  double point[3];
  (void)state;
  sb_near_point(far, 0, point);
  assert_true(point[0] == 0 && point[1] == 0 && point[2] == 0);
  sb_near_point(nowhere, 1, point);
  assert_true(point[0] == 0 && point[1] == 0 && point[2] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(near_by_it_is_the_worlds_origin),
      cmocka_unit_test(far_away_it_is_near_and_differences_are_exact),
      cmocka_unit_test(without_an_extent_there_is_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
