// SPDX-License-Identifier: GPL-3.0-or-later
// Redundant feet, some of which slip: what they do to their body has no axes, and keeps its symmetry.
#include <math.h>
#include <string.h>

#include "core/linalg/unilateral.h"
#include "tests/campaign/random.h"
#include "tests/fixture.h"

/** A foot of a body: where it is from the centre of mass, the normal that pushes it, and a tangent. */
typedef struct foot {
  double place[3], normal[3], tangent[3];
} foot;

static void cross(const double a[3], const double b[3], double c[3]) {
  for (int k = 0; k < 3; k++) {
    c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
  }
}

/** Rows of the flows of feet that move with a body, (3 count x 6) of (w, v), with the tangents turned about their normals. */
static void rows_of(const foot feet[], int count, const double turns[], double J[][6]) {
  for (int c = 0; c < count; c++) {
    double other[3], along[3][3];
    cross(feet[c].normal, feet[c].tangent, other);
    for (int k = 0; k < 3; k++) {
      along[0][k] = feet[c].normal[k];
      along[1][k] = cos(turns[c]) * feet[c].tangent[k] + sin(turns[c]) * other[k];
      along[2][k] = cos(turns[c]) * other[k] - sin(turns[c]) * feet[c].tangent[k];
    }
    for (int i = 0; i < 3; i++) {
      cross(feet[c].place, along[i], J[3 * c + i]);
      memcpy(J[3 * c + i] + 3, along[i], sizeof along[i]);
    }
  }
}

/** W = J M^-1 J^T and b = J (w, v). */
static void pose(int rows, double J[][6], const double inertia[6], const double motion[6],
                 double W[], double b[]) {
  for (int i = 0; i < rows; i++) {
    b[i] = 0;
    for (int k = 0; k < 6; k++) {
      b[i] += J[i][k] * motion[k];
    }
    for (int j = 0; j < rows; j++) {
      W[i * rows + j] = 0;
      for (int k = 0; k < 6; k++) {
        W[i * rows + j] += J[i][k] * J[j][k] / inertia[k];
      }
    }
  }
}

enum { FEET = 6, ROWS = 3 * FEET };

/** What the impulses of the feet move a body by, (w, v), whatever the tangents are. */
static void move_by_impulses(const foot feet[], int count, double mu, const double turns[],
                             const double inertia[6], const double motion[6], double p[],
                             double moved[6]) {
  double J[ROWS][6], W[ROWS * ROWS], b[ROWS];
  sb_unilateral contacts[FEET];
  rows_of(feet, count, turns, J);
  pose(3 * count, J, inertia, motion, W, b);
  for (int c = 0; c < count; c++) {
    contacts[c] = (sb_unilateral){.rubs = true, .mu = mu};
  }
  assert_int_equal(sb_unilateral_solve(contacts, count, W, b, NULL, p), SB_UNILATERAL_SOLVED);
  for (int k = 0; k < 6; k++) {
    moved[k] = 0;
    for (int i = 0; i < 3 * count; i++) {
      moved[k] += J[i][k] * p[i] / inertia[k];
    }
  }
}

static const double box[6] = {0.006, 0.008, 0.009, 1, 1, 1};  // [kg m^2], [kg]
static const double a = 0.13, w = 0.08, c = 0.07, mu = 0.231; // [m] half of its sides

/** A box on four feet, and with two more at a wall. */
static void place_feet(double height, foot feet[FEET]) {
  for (int i = 0; i < FEET; i++) {
    const double y = i % 2 == 0 ? w : -w;
    feet[i] = i < 4 ? (foot){{i < 2 ? a : -a, y, -c}, {0, 0, 1}, {1, 0, 0}}
                    : (foot){{a, y, height}, {-1, 0, 0}, {0, 1, 0}};
  }
}

/** A box that falls flat at V without a spin and slides is stopped by P = m V, and not turned, so that its feet at x press with P (1 + mu c x/a^2)/4:
 *  the share of least norm is even in y. With a spin there is no such form, but no choice of tangents or of their order tells either. */
static void flat_fall_has_no_axes(void **state) {
  (void)state;
  foot feet[FEET];
  place_feet(0, feet);
  for (int seed = 0; seed < 60; seed++) {
    chance random = {(uint64_t)seed};
    const double spin = seed % 3 == 0 ? 0 : between(&random, -0.01, 0.01), none[4] = {0};
    const double motion[6] = {
        0, 0, spin, between(&random, 0.4, 1), 0, -between(&random, 0.01, 0.2)};
    double turns[4], p[ROWS], first[6], moved[6];
    for (int i = 0; i < 4; i++) {
      turns[i] = between(&random, -3, 3);
    }
    move_by_impulses(feet, 4, mu, none, box, motion, p, first);
    move_by_impulses(feet, 4, mu, turns, box, motion, p, moved);
    for (int k = 0; k < 6; k++) {
      assert_near(moved[k], first[k], 1e-12);
    }
    for (int i = 0; i < 4 && spin == 0; i++) {
      const double share = 0.25 * (1 + mu * c * feet[i].place[0] / (a * a));
      assert_near(p[3 * i], -motion[5] * share, 1e-12);
    }
  }
}

/** A box slides square against a wall, which it strikes with two feet side by side: what it does is even in y, and these do not squeeze each other. */
static void square_stroke_stays_in_its_plane(void **state) {
  (void)state;
  foot feet[FEET];
  for (int seed = 0; seed < 60; seed++) {
    chance random = {(uint64_t)seed};
    const double motion[6] = {0, 0, 0, between(&random, 0.4, 2), 0, 0};
    const double part = between(&random, 0.1, 1);
    double turns[FEET], p[ROWS], moved[6];
    place_feet(between(&random, -c, c), feet);
    for (int i = 0; i < FEET; i++) {
      turns[i] = between(&random, -3, 3);
    }
    move_by_impulses(feet, FEET, part, turns, box, motion, p, moved);
    assert_near(moved[0], 0, 1e-12);
    assert_near(moved[2], 0, 1e-12);
    assert_near(moved[4], 0, 1e-12);
  }
}

/** Two wheels of a cart roll and two slide on, along parallel lines. Those that roll bear what turns it, with 0.9 of their friction: how all four press
 *  is in the middle of what they can, whatever the tangents are. */
static void middle_beside_slides_has_no_axes(void **state) {
  (void)state;
  static const double cart[6] = {0.083, 0.128, 0.145, 4.2, 4.2, 4.2}, r = 0.06, wheel = 0.001;
  static const double load[6] = {0, 0, 0, 0, 0, -9.81};
  foot feet[4];
  double first[4] = {0};
  for (int seed = 0; seed < 12; seed++) {
    chance random = {(uint64_t)seed};
    double J[12][6], W[144], b[12], v[12] = {0}, p[12], turns[4];
    sb_unilateral contacts[4];
    for (int i = 0; i < 4; i++) {
      feet[i] =
          (foot){{i < 2 ? 0.2 : -0.2, i % 2 == 0 ? 0.15 : -0.15, -0.096}, {0, 0, 1}, {1, 0, 0}};
      turns[i] = seed == 0 ? 0 : between(&random, -3, 3);
      const double s[2] = {cos(turns[i]), -sin(turns[i])};
      contacts[i] =
          (sb_unilateral){.rubs = true, .mu = 0.384, .slides = i % 2 == 1, .s = {s[0], s[1]}};
      v[3 * i + 1] = contacts[i].slides ? 0.05 * s[0] : 0;
      v[3 * i + 2] = contacts[i].slides ? 0.05 * s[1] : 0;
    }
    rows_of(feet, 4, turns, J);
    pose(12, J, cart, load, W, b);
    for (int i = 0; i < 4; i++) { // each turns its own wheel
      const double s[2] = {cos(turns[i]), -sin(turns[i])};
      for (int k = 0; k < 4; k++) {
        W[(3 * i + 1 + k / 2) * 12 + 3 * i + 1 + k % 2] += r * r / wheel * s[k / 2] * s[k % 2];
      }
    }
    assert_int_equal(sb_unilateral_solve(contacts, 4, W, b, v, p), SB_UNILATERAL_SOLVED);
    for (int i = 0; i < 4; i++) {
      assert_int_equal(contacts[i].sticks, i % 2 == 0);
      first[i] = seed == 0 ? p[3 * i] : first[i];
      assert_near(p[3 * i], first[i], 1e-8);
    }
    const double use[2] = {hypot(p[1], p[2]) / p[0], hypot(p[7], p[8]) / p[6]};
    assert_near(use[0], use[1], 0.01); // alike, not equal: the middle weighs p_n as well (centre.c)
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(flat_fall_has_no_axes),
                                     cmocka_unit_test(square_stroke_stays_in_its_plane),
                                     cmocka_unit_test(middle_beside_slides_has_no_axes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
