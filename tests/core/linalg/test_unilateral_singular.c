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
  assert_near(p[4] / (bound - p[4] * p[4]) / (p[7] / (rest - p[7] * p[7])), 1, 1e-5);
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

/** The front feet of a walker, whose legs turn in planes that are 1e-4 from parallel: across these the difference of both answers by 2.5e-8. To
 *  hold what they differ by would take 14 N, more than their friction. What the loops of a step do not hold they need not; the sum of
 *  both is held. */
static void feet_of_legs_in_parallel(void **state) {
  (void)state;
  static const double W[36] = {
      6.5396455437355216,      6.5794415647226892,      0.002297581002436079,
      0.0049541079013246288,   -0.00017078806208702113, 0.0024247660884241878,
      6.5794415647226927,      13.900134898908243,      -0.2013193858999093,
      -0.00014768165887610318, 0.13301960977905142,     -0.20121880140737466,
      0.0022975810024359888,   -0.20131938589990939,    0.87239311261061347,
      -0.0023284729068364651,  0.20123609140445314,     0.87229848814339261,
      0.0049541079013246184,   -0.00014768165887625584, -0.0023284729068366026,
      6.5444461656032713,      6.5818007532298024,      -0.0024557975587777806,
      -0.00017078806208695174, 0.13301960977905128,     0.20123609140445309,
      6.5818007532298024,      13.894388801425135,      0.20113539256407983,
      0.002424766088424235,    -0.20121880140737458,    0.87229848814339261,
      -0.0024557975587776726,  0.20113539256407997,     0.87220393052039635};
  static const double b[6] = {-106.3753929066186,  -120.61600210408113, -0.079418326883462453,
                              -106.62335721697042, -121.49426107011796, -0.079407817626620913};
  static const double v[6] = {0}, mu = 0.656;
  sb_unilateral feet[2] = {{.rubs = true, .mu = mu}, {.rubs = true, .mu = mu}};
  double p[6];
  assert_int_equal(sb_unilateral_solve(feet, 2, W, b, v, p), SB_UNILATERAL_SOLVED);
  for (int i = 0; i < 6; i++) {
    double u = b[i];
    for (int k = 0; k < 6; k++) {
      u += W[6 * i + k] * p[k];
    }
    assert_true(feet[i / 3].acts && feet[i / 3].sticks);
    assert_near(u, 0, i % 3 == 2 ? 1e-5 : 1e-6);
  }
  assert_true(hypot(p[1], p[2]) < mu * p[0] && hypot(p[4], p[5]) < mu * p[3]);
}

/** Two feet of a body that rolls, by an angle s from where their distance does not change with that: they answer across by w [1 1; 1 1] + r s^2 [1 -1; -1 1], and
 *  an angular acceleration q of it asks for +-s q. To keep their distance would take q/(2 r s) of each, far more than their friction, and without that
 *  nothing but s q is left of the roll: the foot that is pressed less slips by 2 s q, against mu N, and the other one bears the rest of the need. Both
 *  stick only where s^2 is nothing. */
static void feet_whose_distance_turns(void **state) {
  (void)state;
  static const double N[2] = {4.3, 9.7}, w = 1.2, r = 0.9, q = 6.1, mu = 0.7, need = 1.4;
  static const double v[6] = {0}, angles[] = {3e-8, 6e-7, 1e-6, 2e-6, 1e-5, 1e-4, 1e-3};
  for (int i = 0; i < 7; i++) {
    const double s = angles[i], a = s * q, own = w + r * s * s, between = w - r * s * s;
    const double W[36] = {1.1, 0, 0, 0,   0, 0, 0, 2.3, 0, 0, 0,   0, 0, 0, own,     0, 0, between,
                          0,   0, 0, 1.3, 0, 0, 0, 0,   0, 0, 2.1, 0, 0, 0, between, 0, 0, own};
    const double b[6] = {-1.1 * N[0], 0, a - w * need, -1.3 * N[1], 0, -a - w * need};
    const double slips = -mu * N[0], rest = (w * need + a - between * slips) / own;
    sb_unilateral feet[2] = {{.rubs = true, .mu = mu}, {.rubs = true, .mu = mu}};
    double p[6];
    assert_int_equal(sb_unilateral_solve(feet, 2, W, b, v, p), SB_UNILATERAL_SOLVED);
    assert_true(feet[0].acts && feet[1].acts && feet[1].sticks);
    assert_int_equal(feet[0].sticks, i == 0);
    assert_near(p[2] + p[5], need, 6 * s); // by s q/w
    if (i > 0) {
      assert_near(feet[0].s[1], 1, 1e-9);
      assert_near(p[2], slips, 1e-9);
      assert_near(p[5], rest, 1e-9);
    }
  }
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

/** A point that slides jams where W_nn = mu W_nt . s: no force lets it go on, and the impulse that ends its slip is p_n = v/(mu W_ss - W_ns), with u_n =
 *  0. That is so on either side to the last digits, on one of which there are forces that grow beyond all bounds. */
static void point_that_comes_to_jam(void **state) {
  (void)state;
  static const double wn = 2.67, ws = 15.3, between = 4.78, across = 0.87, speed = 2e-6;
  static const double beside[] = {0, 1e-15, -1e-15, 3e-14, -3e-14, 1e-12, -1e-12, 1e-10, -1e-10};
  for (size_t k = 0; k < 4 * sizeof beside / sizeof *beside; k++) {
    const double mu = wn / between * (1 + beside[k / 4]), turn = 0.64 * (double)(k % 4);
    const double c = cos(turn), s = sin(turn), cross = (ws - across) * c * s;
    const double W[9] = {wn,
                         between * c,
                         between * s,
                         between * c,
                         ws * c * c + across * s * s,
                         cross,
                         between * s,
                         cross,
                         ws * s * s + across * c * c};
    const double v[3] = {0, speed * c, speed * s},
                 b[3] = {-5.46, 53 * c - 5.3 * s, 53 * s + 5.3 * c};
    const double impulse = speed / (wn / between * ws - between);
    sb_unilateral point = {.rubs = true, .mu = mu, .slides = true, .s = {c, s}};
    double p[3];
    assert_int_equal(sb_unilateral_solve(&point, 1, W, b, v, p), SB_UNILATERAL_IMPACT);
    assert_near_relative(p[0], impulse, 1e-8);
    assert_near(p[1], -wn / between * impulse * c, 1e-8 * impulse);
    assert_near(p[2], -wn / between * impulse * s, 1e-8 * impulse);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(feet_share_beside_a_slide),
                                     cmocka_unit_test(feet_share_beside_a_slip_that_begins),
                                     cmocka_unit_test(feet_of_links_in_line),
                                     cmocka_unit_test(feet_of_legs_in_parallel),
                                     cmocka_unit_test(feet_whose_distance_turns),
                                     cmocka_unit_test(point_that_comes_to_jam),
                                     cmocka_unit_test(slip_imposed_across)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
