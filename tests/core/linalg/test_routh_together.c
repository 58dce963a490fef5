// SPDX-License-Identifier: GPL-3.0-or-later
// Impacts of several contacts that approach alike: what sticks while others slip.
#include <math.h>

#include "core/linalg/unilateral.h"
#include "geometry/vec3.h"
#include "tests/fixture.h"

enum { FEET = 4, ROWS = 3 * FEET };

/** The velocity along row i that an impulse along row j gives: rows are the vertical, x and y of each foot. */
static double response(sb_vec3 of, sb_vec3 by, sb_vec3 along, sb_vec3 push, double m,
                       const double inertia[3]) {
  const sb_vec3 moment = sb_vec3_cross(by, push);
  const sb_vec3 turn = {moment.x / inertia[0], moment.y / inertia[1], moment.z / inertia[2]};
  return sb_vec3_dot(along, sb_vec3_add(sb_vec3_scale(push, 1 / m), sb_vec3_cross(turn, of)));
}

/** W of feet at places of a body, whose rows are as above. */
static void respond(const sb_vec3 place[FEET], double m, const double inertia[3],
                    double W[ROWS * ROWS]) {
  static const sb_vec3 axes[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  for (int i = 0; i < ROWS * ROWS; i++) {
    const int r = i / ROWS, s = i % ROWS;
    W[i] = response(place[r / 3], place[s / 3], axes[r % 3], axes[s % 3], m, inertia);
  }
}

/** A tall box comes down on an edge of two feet and slides slowly, with e = 0. Friction stops the one while the other slips on, and then that one. Both
 *  rest behind it, and as no impulse has a moment about their edge the box turns about it at w = m (h vx + a vz)/(Iy + m (a^2 + h^2)). */
static void one_sticks_while_another_slips(void **state) {
  (void)state;
  static const double m = 48, inertia[3] = {16, 7, 9.4}, a = 0.1, b = 0.76, h = 0.65;
  static const double vz = -0.14;
  for (int law = SB_ROUTH_NEWTON; law <= SB_ROUTH_STRONGE; law++) {
    for (int side = -1; side <= 1; side += 2) {
      const double vx = 0.0134, vy = 0.0124 * side;
      const bool struck[FEET] = {true, true};
      sb_unilateral feet[FEET] = {{0}};
      sb_vec3 place[FEET];
      double W[ROWS * ROWS], v[ROWS], p[ROWS];
      for (int c = 0; c < FEET; c++) {
        feet[c] = (sb_unilateral){.rubs = true, .mu = 0.8};
        place[c] = (sb_vec3){c < 2 ? a : -a, c % 2 ? -b : b, -h};
        v[3 * c] = vz, v[3 * c + 1] = vx, v[3 * c + 2] = vy;
      }
      respond(place, m, inertia, W);
      assert_int_equal(sb_routh_together(feet, FEET, struck, W, v, 0, 0, law, p),
                       SB_UNILATERAL_SOLVED);
      const double w = m * (h * vx + a * vz) / (inertia[1] + m * (a * a + h * h));
      for (int i = 0; i < ROWS; i++) {
        double after = v[i];
        for (int j = 0; j < ROWS; j++) {
          after += W[i * ROWS + j] * p[j];
        }
        assert_near(after, i >= ROWS / 2 && i % 3 == 0 ? 2 * a * w : 0, 1e-12);
      }
      for (int c = 0; c < FEET; c++) {
        assert_true(hypot(p[3 * c + 1], p[3 * c + 2]) <= (1 + 1e-12) * 0.8 * p[3 * c]);
      }
    }
  }
}

/** A box comes down on an edge of two feet and slips across it, slowly as to how fast friction turns a slip: along the edge there is rounding alone, and
 *  of the slips of both feet. By a normal impulse P in all and its friction the edge has v_n' = W_nn - mu s W_nx, v_x' = W_nx - mu s W_xx, where
 *  W_nn = 1/m + a^2/I, W_nx = a h/I, W_xx = 1/m + h^2/I: what mu = W_nx/W_xx all but holds slips on, or ends and slips the other way. */
static void slow_slips_stay_straight(void **state) {
  (void)state;
  static const double m = 2, inertia[3] = {0.009, 0.017, 0.022}, a = 0.15, b = 0.1, h = 0.06;
  static const double vn = -0.115, noise[2] = {2.2e-15, -6e-15}, vx[2] = {6.2e-5, -1.6e-5};
  const double Wnn = 1 / m + a * a / inertia[1], Wnx = a * h / inertia[1],
               Wxx = 1 / m + h * h / inertia[1];
  for (int k = 0; k < 4; k++) {
    const bool turns_over = k % 2;
    const double mu = Wnx / Wxx * (turns_over ? 1 - 1e-3 : 1 + 1e-4), apart = 7e-11 * (k / 2);
    const bool struck[FEET] = {true, true};
    sb_unilateral feet[FEET] = {{0}};
    sb_vec3 place[FEET];
    double W[ROWS * ROWS], v[ROWS], p[ROWS], first = 0;
    for (int c = 0; c < FEET; c++) {
      feet[c] = (sb_unilateral){.rubs = true, .mu = mu};
      place[c] = (sb_vec3){c < 2 ? a : -a, c % 2 ? -b : b, -h};
      v[3 * c] = vn, v[3 * c + 1] = vx[turns_over] + apart * c;
      v[3 * c + 2] = noise[k / 2] * (c % 2 && k / 2 ? -1 : 1);
    }
    respond(place, m, inertia, W);
    assert_int_equal(sb_routh_together(feet, FEET, struck, W, v, 2.6, 0, SB_ROUTH_STRONGE, p),
                     SB_UNILATERAL_SOLVED);
    if (turns_over) { // up to the end of the slip
      first = -vx[1] / (Wnx + mu * Wxx);
    }
    const double rest = (-vn - first * (Wnn + mu * Wnx)) / (Wnn - mu * Wnx);
    const double px = mu * (first - rest), w = -(h * px + a * (first + rest)) / inertia[1];
    for (int c = 0; c < 2; c++) {
      double after[3];
      for (int i = 0; i < 3; i++) {
        after[i] = v[3 * c + i];
        for (int j = 0; j < ROWS; j++) {
          after[i] += W[(3 * c + i) * ROWS + j] * p[j];
        }
      }
      const double exact = vx[turns_over] + px / m - h * w;
      assert_near(after[0], 0, 1e-13 + apart);
      assert_near(after[1], exact, 1e-13 + 2 * apart);
      assert_near(after[2], 0, 1e-13 + apart);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_sticks_while_another_slips),
                                     cmocka_unit_test(slow_slips_stay_straight)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
