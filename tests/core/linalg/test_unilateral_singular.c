// SPDX-License-Identifier: GPL-3.0-or-later
// Forces of rigid contacts whose response W is singular: shares that are free, directions that nothing answers in.
#include <math.h>

#include "core/linalg/unilateral.h"
#include "tests/fixture.h"

/** Two feet of one link stick while another body slides beside them: what they bear along their line is free, and so is taken where the sum of
 *  log(1 - u^2) over the parts u of their friction that they need is largest. Across the line the second bears 0.9 of its friction alone. */
static void feet_share_beside_a_slide(void **state) {
  (void)state;
  enum { FEET = 3, OF_FEET = 3 * FEET };
  static const double N[FEET] = {17, 1.3, 14.5}, w[FEET] = {1.7, 0.9, 1.2}, mu = 0.5;
  const double v[OF_FEET] = {0, 0.6, -0.8}, across = 0.9 * mu * N[2];
  const double need = 0.97 * (mu * N[1] + sqrt(mu * N[2] * mu * N[2] - across * across));
  double W[OF_FEET * OF_FEET] = {0}, b[OF_FEET] = {0}, p[OF_FEET], use[FEET];
  sb_unilateral feet[FEET] = {{0}};
  for (int i = 0; i < FEET; i++) {
    feet[i] = (sb_unilateral){.rubs = true, .mu = mu, .slides = i == 0, .s = {v[1], v[2]}};
    W[3 * i * (OF_FEET + 1)] = w[i];
    W[(3 * i + 2) * (OF_FEET + 1)] = 0.8;
    b[3 * i] = -w[i] * N[i];
    for (int j = 0; j < FEET; j++) {
      W[(3 * i + 1) * OF_FEET + 3 * j + 1] = (i == 0) == (j == 0) ? 1.4 : 0;
    }
    b[3 * i + 1] = i > 0 ? -1.4 * need : 0;
  }
  b[8] = -0.8 * across;
  assert_int_equal(sb_unilateral_solve(feet, FEET, W, b, v, p), SB_UNILATERAL_SOLVED);
  for (int i = 0; i < FEET; i++) {
    assert_near(p[3 * i], N[i], 1e-12);
    assert_int_equal(feet[i].sticks, i > 0);
    use[i] = hypot(p[3 * i + 1], p[3 * i + 2]) / (mu * N[i]);
  }
  assert_near(p[4] + p[7], need, 1e-9);
  const double bound = mu * N[1] * mu * N[1], rest = mu * N[2] * mu * N[2] - across * across;
  assert_near(p[4] / (bound - p[4] * p[4]) / (p[7] / (rest - p[7] * p[7])), 1, 1e-3);
  assert_true(use[1] < 0.999 && use[2] < 0.999);
}

/** The same beside a body that begins to slip, by a: u_t = a s and p_t = -mu N s. The smaller foot could not bear half of what both need, as feet
 *  that yield alike would; it would slip without an acceleration, and be back at once. */
static void feet_share_beside_a_slip_that_begins(void **state) {
  (void)state;
  enum { FEET = 3, OF_FEET = 3 * FEET };
  static const double N[FEET] = {17, 1.3, 14.5}, w[FEET] = {1.7, 0.9, 1.2}, s[2] = {0.6, -0.8};
  static const double mu = 0.5, a = 4e-4, need = 0.4 * 0.5 * (1.3 + 14.5);
  double W[OF_FEET * OF_FEET] = {0}, b[OF_FEET] = {0}, v[OF_FEET] = {0}, p[OF_FEET];
  sb_unilateral feet[FEET] = {{0}};
  for (int i = 0; i < FEET; i++) {
    feet[i] = (sb_unilateral){.rubs = true, .mu = mu};
    W[3 * i * (OF_FEET + 1)] = w[i];
    W[(3 * i + 2) * (OF_FEET + 1)] = 1.4;
    b[3 * i] = -w[i] * N[i];
    for (int j = 0; j < FEET; j++) {
      W[(3 * i + 1) * OF_FEET + 3 * j + 1] = (i == 0) == (j == 0) ? 1.4 : 0;
    }
    b[3 * i + 1] = i > 0 ? -1.4 * need : (a + 1.4 * mu * N[0]) * s[0];
  }
  b[2] = (a + 1.4 * mu * N[0]) * s[1];
  assert_int_equal(sb_unilateral_solve(feet, FEET, W, b, v, p), SB_UNILATERAL_SOLVED);
  for (int i = 0; i < FEET; i++) {
    assert_near(p[3 * i], N[i], 1e-12);
    assert_int_equal(feet[i].sticks, i > 0);
    assert_true(i == 0 || hypot(p[3 * i + 1], p[3 * i + 2]) < 0.999 * mu * N[i]);
  }
  assert_true(!feet[0].slides);
  assert_near(p[1], -mu * N[0] * s[0], 1e-12);
  assert_near(p[2], -mu * N[0] * s[1], 1e-12);
  assert_near(p[4] + p[7], need, 1e-12);
}

/** Two feet at the ends of links that lie in line: their distance cannot change, W_tt = w [1 1; 1 1], but links that turn ask for an acceleration
 *  +-a of each which no force answers. They stick, with the need F between them, and keep it; yielding feet, by 1e-9 of the response 13 of a
 *  light body beside them, would bear less than they can. */
static void feet_of_links_in_line(void **state) {
  (void)state;
  enum { FEET = 3, OF_FEET = 3 * FEET };
  static const double N[FEET] = {8.2, 7.7, 0.75}, w[FEET] = {1.2, 1.3, 13}, mu = 0.9, a = 4e-8;
  static const double v[OF_FEET] = {0}, need = 2.1;
  double W[OF_FEET * OF_FEET] = {0}, b[OF_FEET] = {0}, p[OF_FEET];
  sb_unilateral feet[FEET] = {{0}};
  for (int i = 0; i < FEET; i++) {
    feet[i] = (sb_unilateral){.rubs = true, .mu = mu};
    W[3 * i * (OF_FEET + 1)] = w[i];
    W[(3 * i + 2) * (OF_FEET + 1)] = w[i];
    b[3 * i] = -w[i] * N[i];
    for (int j = 0; j < FEET; j++) {
      W[(3 * i + 1) * OF_FEET + 3 * j + 1] = (i == 2) == (j == 2) ? w[0] : 0;
    }
    b[3 * i + 1] = i == 2 ? 0 : -w[0] * need + (i == 0 ? a : -a);
  }
  assert_int_equal(sb_unilateral_solve(feet, FEET, W, b, v, p), SB_UNILATERAL_SOLVED);
  for (int i = 0; i < FEET; i++) {
    assert_true(feet[i].acts && feet[i].sticks);
    assert_near(p[3 * i], N[i], 1e-12);
  }
  assert_near(p[1] + p[4], need, 1e-9);
}

/** A block that is free along one direction e of its floor, which a source accelerates by a across it: W_tt = w e e^T. It slips as the source
 *  wants, u = (u_e, a), and p_t = -mu N u/|u| with N = -b_n/W_nn, so that b_e = u_e (1 + w mu N/|u|). */
static void slip_imposed_across(void **state) {
  (void)state;
  static const double wn = 0.91, w = 1.3, mu = 0.3, N = 9.81 / 0.91;
  for (int i = 0; i < 16; i++) {
    const double e[2] = {cos(0.8 * i), sin(0.8 * i)}, u[2] = {i % 3 * 1.7, i % 2 == 0 ? -4 : 4};
    const double size = hypot(u[0], u[1]), b_e = u[0] * (1 + w * mu * N / size);
    const double W[9] = {
        wn, 0, 0, 0, w * e[0] * e[0], w * e[0] * e[1], 0, w * e[0] * e[1], w * e[1] * e[1]};
    const double b[3] = {-9.81, b_e * e[0] - u[1] * e[1], b_e * e[1] + u[1] * e[0]};
    sb_unilateral block = {.rubs = true, .mu = mu};
    double p[3];
    assert_int_equal(sb_unilateral_solve(&block, 1, W, b, NULL, p), SB_UNILATERAL_SOLVED);
    assert_true(block.acts && !block.sticks);
    assert_near(p[0], N, 1e-12);
    assert_near(p[1], -mu * N * (u[0] * e[0] - u[1] * e[1]) / size, 1e-9);
    assert_near(p[2], -mu * N * (u[0] * e[1] + u[1] * e[0]) / size, 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(feet_share_beside_a_slide),
                                     cmocka_unit_test(feet_share_beside_a_slip_that_begins),
                                     cmocka_unit_test(feet_of_links_in_line),
                                     cmocka_unit_test(slip_imposed_across)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
