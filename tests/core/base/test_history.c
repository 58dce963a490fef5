// SPDX-License-Identifier: GPL-3.0-or-later
// What a number has been: polynomials, their breaks, what is forgotten.
#include "core/base/history.h"

#include <math.h>

#include "tests/near.h"

/** f(t) over [start, end] by values at the nodes. */
static void add(sb_history *h, double start, double end, int level, double (*f)(double)) {
  enum { DEGREE = 5 };
  double value[DEGREE + 1];
  sb_history_piece piece = {.start = start, .end = end, .level = level};
  for (int j = 0; j <= DEGREE; j++) {
    value[j] = f(0.5 * (start + end) + 0.5 * (end - start) * cos(pi * j / DEGREE));
  }
  sb_history_fit(&piece, DEGREE, value, 1);
  assert_true(sb_history_append(h, &piece));
}

static double quintic(double t) {
  return 1.3 - 2.1 * t + 0.7 * pow(t, 3) - 0.4 * pow(t, 5);
}

static double line(double t) {
  return 5 - 3 * t;
}

static void polynomials_are_exact(void **state) {
  (void)state;
  sb_history h = {.constant = -2.385};
  double rate;
  assert_near(sb_history_at(&h, 7, 7, &rate), -2.385, 0);
  assert_near(rate, 0, 0);
  add(&h, 0.5, 2.1, 1, quintic);
  for (double t = 0.5; t <= 2.1; t += 0.16) {
    assert_near(sb_history_at(&h, t, t, &rate), quintic(t), 1e-13);
    assert_near(rate, -2.1 + 2.1 * t * t - 2 * pow(t, 4), 1e-12);
  }
  assert_near(sb_history_at(&h, 0.4, 0.3, &rate), -2.385, 0);
  assert_near(sb_history_terms(&h, 0.4, 0.3), 2.385, 0);
  assert_true(sb_history_terms(&h, 1, 1) >= fabs(quintic(0.5)));
  assert_near(sb_history_at(&h, 2.5, 2, NULL), quintic(2.5), 1e-11); // a stage behind its step
  assert_near(sb_history_at(&h, 0.5, 0.4, NULL), -2.385, 0);         // before the break
  sb_history_finish(&h);
}

/** Which side of a break counts is told by `inside`, not by rounding of the time. */
static void breaks_have_two_sides(void **state) {
  (void)state;
  sb_history h = {.constant = 0};
  int level = -1;
  add(&h, 0, 1, 1, quintic);
  add(&h, 1, 1.5, SB_HISTORY_SMOOTH, quintic);
  add(&h, 1.5, 2, 3, line);
  assert_near(sb_history_at(&h, 1.5, 1.2, NULL), quintic(1.5), 1e-13);
  assert_near(sb_history_at(&h, 1.5, 1.7, NULL), line(1.5), 1e-13);
  assert_near(sb_history_at(&h, 1.5 - 1e-15, 1.7, NULL), line(1.5), 1e-13);
  assert_near(sb_history_at(&h, 1.2, 0.3, NULL), quintic(1.2), 1e-13); // of one segment
  assert_near(sb_history_break(&h, -1, &level), 0, 0);
  assert_int_equal(level, 1);
  assert_near(sb_history_break(&h, 0.1, &level), 1.5, 0);
  assert_int_equal(level, 3);
  assert_true(isinf(sb_history_break(&h, 1.6, NULL)));
  assert_true(isinf(sb_history_room(&h, -1, -1)));
  assert_near(sb_history_room(&h, 0.3, 0.3), 0.7, 1e-15); // to the next piece; its length before it
  assert_near(sb_history_room(&h, 1.2, 1.2), 0.2, 1e-15);
  assert_near(sb_history_room(&h, 1.4, 1.2), 0.4, 1e-15);
  assert_near(sb_history_room(&h, 1, 1), 0, 0);
  assert_near(sb_history_room(&h, 1.7, 1.7), 0.7, 1e-15);
  sb_history_finish(&h);
}

/** What is taken back may be remembered anew. */
static void pieces_are_taken_back(void **state) {
  (void)state;
  sb_history h = {.constant = -2.385};
  add(&h, 0, 1, SB_HISTORY_SMOOTH, quintic);
  add(&h, 1, 1.5, SB_HISTORY_SMOOTH, quintic);
  add(&h, 1.5, 2, SB_HISTORY_SMOOTH, quintic);
  sb_history_cut(&h, 2);
  assert_int_equal(h.count, 3);
  sb_history_cut(&h, 1);
  assert_int_equal(h.count, 1);
  add(&h, 1, 2, SB_HISTORY_SMOOTH, line);
  assert_near(sb_history_at(&h, 0.7, 0.7, NULL), quintic(0.7), 1e-13);
  assert_near(sb_history_at(&h, 1.7, 1.7, NULL), line(1.7), 1e-13);
  sb_history_cut(&h, 0);
  assert_near(sb_history_at(&h, 0.7, 0.7, NULL), -2.385, 0);
  sb_history_finish(&h);
}

/** Old pieces are forgotten, and the others stay what they are, however many there have been. */
static void old_pieces_are_forgotten(void **state) {
  (void)state;
  sb_history h = {.constant = 0};
  for (int i = 0; i < 1000; i++) {
    add(&h, 0.1 * i, 0.1 * (i + 1), SB_HISTORY_SMOOTH, line);
    sb_history_forget(&h, 0.1 * i - 0.55);
    assert_true(h.count <= 8 && h.capacity <= 32);
    assert_near(sb_history_at(&h, 0.1 * i - 0.05, 0.1 * i, NULL), i > 0 ? line(0.1 * i - 0.05) : 0,
                1e-11);
  }
  sb_history_finish(&h);
}

static double hat(double t) {
  return fmax(0, 1 - fabs(t - 1));
}

/** A span ends where the chord leaves the values; without swing it ends nowhere. */
static void spans_miss_no_turn(void **state) {
  (void)state;
  sb_history h = {.constant = 0};
  for (int i = 0; i < 20; i++) {
    add(&h, 0.1 * i, 0.1 * (i + 1), SB_HISTORY_SMOOTH, hat);
  }
  assert_near(sb_history_reach(&h, -1, 0.25), 0, 0);
  // from 0 the chord to t > 1 is (2 - t)/t: 0.25 below the peak at 2/t - 1 = 0.75
  double end = sb_history_reach(&h, 0, 0.25);
  assert_true(end <= 2 / 1.75 + 1e-12 && end > 2 / 1.75 - 0.1);
  assert_near(sb_history_reach(&h, 1.05, 0.25), 2, 1e-12);
  sb_history_finish(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(polynomials_are_exact), cmocka_unit_test(breaks_have_two_sides),
      cmocka_unit_test(pieces_are_taken_back), cmocka_unit_test(old_pieces_are_forgotten),
      cmocka_unit_test(spans_miss_no_turn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
