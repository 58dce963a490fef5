// SPDX-License-Identifier: GPL-3.0-or-later
// Forces of rigid contacts with friction: their conditions hold for random bodies on random points, redundant ones too; directions
// of slips; impacts of any friction end, with a loss and within the cone.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/linalg/unilateral_private.h"
#include "tests/campaign/random.h"
#include "tests/fixture.h"

enum { POINTS_MAX = 4, ROWS = 3 * POINTS_MAX };

/** W = J M^-1 J^T of a body of mass m and inertia J about its centre, touched at points of this depth below it with the normal z.
 *  @param places  (2 count) out: x, y of the points */
static void response_of_points(chance *random, int count, double depth, double places[],
                               double W[]) {
  double J[ROWS][6] = {{0}}, inverse[6];
  const double m = between(random, 0.5, 3);
  for (int k = 0; k < 6; k++) {
    inverse[k] = k < 3 ? 1 / (m * between(random, 0.01, 0.05)) : 1 / m;
  }
  for (int c = 0; c < count; c++) {
    const double r[3] = {between(random, -0.3, 0.3), between(random, -0.3, 0.3), -depth};
    memcpy(places + 2 * c, r, 2 * sizeof *r);
    static const int axis[3] = {2, 0, 1}; // normal, tangents
    for (int k = 0; k < 3; k++) {
      double e[3] = {0};
      e[axis[k]] = 1;
      double *row = J[3 * c + k];
      row[0] = r[1] * e[2] - r[2] * e[1];
      row[1] = r[2] * e[0] - r[0] * e[2];
      row[2] = r[0] * e[1] - r[1] * e[0];
      memcpy(row + 3, e, sizeof e);
    }
  }
  for (int i = 0; i < 3 * count; i++) {
    for (int j = 0; j < 3 * count; j++) {
      W[i * 3 * count + j] = 0;
      for (int k = 0; k < 6; k++) {
        W[i * 3 * count + j] += J[i][k] * inverse[k] * J[j][k];
      }
    }
  }
}

static void response_of_body(chance *random, int count, double W[]) {
  double places[2 * POINTS_MAX];
  response_of_points(random, count, 0.1, places, W);
}

static void assert_conditions(int count, const double W[], const double b[], const double p[],
                              double mu) {
  double size = 0;
  for (int i = 0; i < 3 * count; i++) {
    size = fmax(size, fabs(b[i]));
  }
  for (int c = 0; c < count; c++) {
    double u[3];
    for (int i = 0; i < 3; i++) {
      u[i] = b[3 * c + i];
      for (int j = 0; j < 3 * count; j++) {
        u[i] += W[(3 * c + i) * 3 * count + j] * p[j];
      }
    }
    const double *own = p + 3 * c, friction = hypot(own[1], own[2]), slip = hypot(u[1], u[2]);
    assert_true(own[0] >= 0 && u[0] >= -1e-7 * size);
    assert_true(own[0] * u[0] <= 1e-7 * size * size);
    assert_true(friction <= mu * own[0] * (1 + 1e-7) + 1e-12);
    if (own[0] > 1e-6 && slip > 1e-6 * size) { // it slips: all its friction, against the slip
      assert_near(own[1] * u[1] + own[2] * u[2], -mu * own[0] * slip, 1e-6 * mu * own[0] * slip);
    }
  }
}

/** A body that is pressed on up to four points and begins to slip or not: there are forces, as b is in the range of W. */
static void forces_meet_their_conditions(void **state) {
  (void)state;
  int slipped = 0;
  for (uint64_t seed = 0; seed < (PLAIN ? 1000 : 200); seed++) {
    chance random = {seed};
    const int count = 1 + (int)(seed % POINTS_MAX);
    const double mu = between(&random, 0.05, 0.6);
    double W[ROWS * ROWS], f[ROWS], b[ROWS], p[ROWS];
    sb_unilateral contacts[POINTS_MAX] = {{0}};
    response_of_body(&random, count, W);
    for (int i = 0; i < 3 * count; i++) {
      f[i] = i % 3 == 0 ? between(&random, -0.3, 1) : between(&random, -1, 1);
    }
    for (int i = 0; i < 3 * count; i++) {
      b[i] = 0;
      for (int j = 0; j < 3 * count; j++) {
        b[i] -= W[i * 3 * count + j] * f[j];
      }
    }
    for (int c = 0; c < count; c++) {
      contacts[c] = (sb_unilateral){.rubs = true, .mu = mu};
    }
    assert_int_equal(sb_unilateral_solve(contacts, count, W, b, NULL, p), SB_UNILATERAL_SOLVED);
    assert_conditions(count, W, b, p, mu);
    for (int c = 0; c < count; c++) {
      slipped += contacts[c].acts && !contacts[c].sticks;
    }
  }
  assert_true(slipped > (PLAIN ? 250 : 50));
}

/** u = b + W p. */
static void flows_with(int rows, const double W[], const double b[], const double p[], double u[]) {
  for (int i = 0; i < rows; i++) {
    u[i] = b[i];
    for (int j = 0; j < rows; j++) {
      u[i] += W[i * rows + j] * p[j];
    }
  }
}

/** Forces of contacts that slide along v: no normal flow is below zero, none that presses above it, and friction is against v. */
static void assert_slides_on(int count, const double W[], const double b[], const double v[],
                             const double p[], double mu) {
  double u[ROWS], size = 0;
  flows_with(3 * count, W, b, p, u);
  for (int i = 0; i < 3 * count; i++) {
    size = fmax(size, fabs(b[i]) + W[i * 3 * count + i] * fabs(p[i]));
  }
  for (int c = 0; c < count; c++) {
    const double *own = p + 3 * c, *slip = v + 3 * c, speed = hypot(slip[1], slip[2]);
    assert_true(own[0] >= -1e-9 * size && u[3 * c] >= -1e-8 * size);
    assert_true(own[0] * u[3 * c] <= 1e-8 * size * size);
    assert_near(own[1], -mu * own[0] * slip[1] / speed, 1e-8 * size);
    assert_near(own[2], -mu * own[0] * slip[2] / speed, 1e-8 * size);
  }
}

/** A tall body that slides and turns on its points, with so much friction that it often jams (Painleve): forces let it go on, or impulses
 *  end slips at once. These satisfy the conditions of an impact with the flows v, which approach nowhere, and lose energy. */
static void dragged_bodies_go_on(void **state) {
  (void)state;
  int stopped[POINTS_MAX] = {0};
  for (uint64_t seed = 0; seed < 800; seed++) {
    chance random = {seed};
    const int count = 1 + (int)(seed % POINTS_MAX), rows = 3 * count;
    const double mu = between(&random, 0.3, 2.5);
    const double twist[3] = {between(&random, -1, 1), between(&random, -1, 1),
                             between(&random, -3, 3)};
    double W[ROWS * ROWS], f[ROWS], b[ROWS] = {0}, p[ROWS], v[ROWS] = {0}, u[ROWS];
    double places[2 * POINTS_MAX], loss = 0;
    sb_unilateral contacts[POINTS_MAX] = {{0}};
    response_of_points(&random, count, 0.3, places, W);
    for (int i = 0; i < rows; i++) {
      f[i] = i % 3 == 0 ? between(&random, -1, 0) : between(&random, -0.2, 0.2);
    }
    flows_with(rows, W, (const double[ROWS]){0}, f, b);
    for (int c = 0; c < count; c++) {
      v[3 * c + 1] = twist[0] - twist[2] * places[2 * c + 1];
      v[3 * c + 2] = twist[1] + twist[2] * places[2 * c];
      const double speed = hypot(v[3 * c + 1], v[3 * c + 2]);
      contacts[c] = (sb_unilateral){.rubs = true,
                                    .mu = mu,
                                    .slides = true,
                                    .s = {v[3 * c + 1] / speed, v[3 * c + 2] / speed}};
    }
    const sb_unilateral_status status = sb_unilateral_solve(contacts, count, W, b, v, p);
    if (status == SB_UNILATERAL_SOLVED) {
      assert_slides_on(count, W, b, v, p, mu);
      continue;
    }
    assert_int_equal(status, SB_UNILATERAL_IMPACT);
    flows_with(rows, W, v, p, u);
    for (int i = 0; i < rows; i++) {
      const double *own = p + i - i % 3;
      assert_true(i % 3 > 0 || (own[0] >= 0 && u[i] >= -1e-8 && own[0] * u[i] <= 1e-8));
      assert_true(i % 3 > 0 || hypot(own[1], own[2]) <= mu * own[0] * (1 + 1e-7) + 1e-12);
      loss -= 0.5 * p[i] * (u[i] + v[i]);
    }
    assert_true(loss > 0);
    stopped[count - 1]++;
  }
  for (int k = 0; k < POINTS_MAX; k++) {
    assert_true(stopped[k] > 20);
  }
}

/** W = A A^T/rows + 0.02 of random A, definite: there is always a solution (pyramid.c), and friction jams in none of these. */
static void draw_response(chance *random, double W[ROWS * ROWS]) {
  double A[ROWS][ROWS];
  for (int i = 0; i < ROWS * ROWS; i++) {
    A[i / ROWS][i % ROWS] = between(random, -1, 1);
  }
  for (int i = 0; i < ROWS * ROWS; i++) {
    W[i] = i / ROWS == i % ROWS ? 0.02 : 0;
    for (int k = 0; k < ROWS; k++) {
      W[i] += A[i / ROWS][k] * A[i % ROWS][k] / ROWS;
    }
  }
}

/** One contact that does not slide, two that do so slowly, and a fast one, as in a chain of links: what is left of the slow speeds where
 *  they cancel each other decides nothing. */
static void slow_slips_beside_a_fast_one(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 300; seed++) {
    chance random = {seed};
    double W[ROWS * ROWS], b[ROWS], p[ROWS], u[ROWS], v[ROWS] = {0};
    sb_unilateral contacts[POINTS_MAX] = {{0}};
    const double mu = between(&random, 0.3, 0.8), slow = pow(10, between(&random, -6, -3));
    draw_response(&random, W);
    for (int i = 0; i < ROWS; i++) {
      b[i] = i % 3 == 0 ? -10 : between(&random, -0.2, 0.2);
    }
    for (int c = 0; c < POINTS_MAX; c++) {
      const double angle = between(&random, 0, 2 * pi), speed = c == POINTS_MAX - 1 ? 1 : slow * c;
      contacts[c] =
          (sb_unilateral){.rubs = true, .mu = mu, .slides = c > 0, .s = {cos(angle), sin(angle)}};
      v[3 * c + 1] = speed * cos(angle);
      v[3 * c + 2] = speed * sin(angle);
    }
    assert_int_equal(sb_unilateral_solve(contacts, POINTS_MAX, W, b, v, p), SB_UNILATERAL_SOLVED);
    flows_with(ROWS, W, b, p, u);
    for (int c = 0; c < POINTS_MAX; c++) {
      const double *own = p + 3 * c, *s = contacts[c].s, slip = hypot(u[1], u[2]);
      assert_true(own[0] >= 0 && u[3 * c] >= -1e-7);
      assert_near(own[0] * u[3 * c], 0, 1e-5);
      assert_near(c == 0 ? 0 : own[1] + mu * own[0] * s[0], 0, 1e-9);
      assert_near(c == 0 ? 0 : own[2] + mu * own[0] * s[1], 0, 1e-9);
      assert_true(c > 0 || hypot(own[1], own[2]) <= mu * own[0] * (1 + 1e-7));
      if (c == 0 && slip > 1e-5) {
        assert_near(own[1] * u[1] + own[2] * u[2], -mu * own[0] * slip, 1e-5 * mu * own[0] * slip);
      }
    }
  }
}

/** Where all tangential directions respond alike, an impact that cannot be held slips along w = W_tn; else the slip that follows
 *  from the friction is along it, and away. */
static void slips_begin_along_themselves(void **state) {
  (void)state;
  static const double none[2] = {0, 0};
  const double alike[9] = {2, 0.9, -1.2, 0.9, 1.3, 0, -1.2, 0, 1.3};
  double s[2];
  assert_true(sb_slip_direction(alike, none, 0.7, s));
  assert_near(s[0], 0.6, 1e-12);
  assert_near(s[1], -0.8, 1e-12);
  assert_false(sb_slip_direction(alike, none, 1.2, s)); // 1.2 * 1.3 holds 1.5
  for (uint64_t seed = 0; seed < 300; seed++) {
    chance random = {seed};
    double W[9];
    response_of_body(&random, 1, W);
    const double det = W[4] * W[8] - W[5] * W[5];
    const double hold = hypot(W[8] * W[1] - W[5] * W[2], W[4] * W[2] - W[5] * W[1]) / det;
    const double mu = hold * between(&random, 0.01, 0.999);
    assert_true(sb_slip_direction(W, none, mu, s));
    const double u[2] = {W[1] - mu * (W[4] * s[0] + W[5] * s[1]),
                         W[2] - mu * (W[5] * s[0] + W[8] * s[1])};
    const double speed = hypot(u[0], u[1]);
    assert_near(u[0], speed * s[0], 1e-9 * (speed + W[4]));
    assert_near(u[1], speed * s[1], 1e-9 * (speed + W[4]));
  }
}

/** Impacts of any pose, friction and restitution end. By Stronge's law each loses energy, and without friction (1 - e^2) v^2/(2 W_nn). */
static void impacts_end(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 1000; seed++) {
    chance random = {seed};
    double W[9], p[3], loss = 0;
    response_of_body(&random, 1, W);
    const double mu = seed % 10 == 0 ? 0 : between(&random, 0, 2), e = between(&random, 0, 1);
    const double v[3] = {-between(&random, 0.01, 2), between(&random, -2, 2),
                         seed % 3 == 0 ? 0 : between(&random, -2, 2)};
    assert_true(sb_routh(W, v, 0, mu, e, SB_ROUTH_STRONGE, p));
    for (int i = 0; i < 3; i++) {
      double u = v[i];
      for (int j = 0; j < 3; j++) {
        u += W[3 * i + j] * p[j];
      }
      assert_true(i > 0 || u >= -1e-12);
      loss -= 0.5 * p[i] * (v[i] + u);
    }
    assert_true(p[0] > 0 && hypot(p[1], p[2]) <= mu * p[0] * (1 + 1e-9));
    assert_true(loss > -1e-12);
    if (mu == 0) {
      assert_near(loss, (1 - e * e) * v[0] * v[0] / (2 * W[0]), 1e-12);
    }
  }
}

/** A slip that turns: with W_tt = diag(w, 2 w) and W_nt = 0 v_x = x0 u and v_y = y0 u^2, u from 1 to 0, and mu w dP = -|(x0, y0 u)| du,
 *  p_x = -x0 (1 - u)/w, p_y = -y0 (1 - u^2)/(2 w). It ends in the slip where P is less than what takes u to 0; else it sticks, and
 *  p_t = (-x0/w, -y0/(2 w)). In any axes of the plane, and by all laws, which agree where friction does not work on the normal. */
static double push_of(double x0, double y0, double u) {
  return 0.5 * u * hypot(x0, y0 * u) + 0.5 * x0 * x0 / y0 * asinh(y0 * u / x0);
}

static void turning_slip_has_its_closed_form(void **state) {
  (void)state;
  static const double w = 1.385, Wn = 0.87, mu = 0.43, e = 0.35, x0 = 0.73, y0 = -1.21;
  static const double ends[] = {0.9, 0.5, 0.1, 1e-3, 1e-7, 0};
  for (size_t k = 0; k < 8 * sizeof ends / sizeof *ends; k++) {
    const double u = ends[k / 8], turn = 0.77 * (double)(k % 8), c = cos(turn), s = sin(turn);
    const double P =
        (push_of(x0, fabs(y0), 1) - push_of(x0, fabs(y0), u)) / (mu * w) * (u > 0 ? 1 : 1.3);
    const double W[9] = {
        Wn, 0, 0, 0, w * (c * c + 2 * s * s), -w * c * s, 0, -w * c * s, w * (s * s + 2 * c * c)};
    const double v[3] = {-Wn * P / (1 + e), c * x0 - s * y0, s * x0 + c * y0};
    const double px = -x0 * (1 - u) / w, py = -y0 * (1 - u * u) / (2 * w);
    for (int law = 0; law < 3; law++) {
      double p[3];
      assert_true(sb_routh(W, v, 0, mu, e, law, p));
      assert_near_relative(p[0], P, 1e-13);
      assert_near(p[1], c * px - s * py, 1e-13);
      assert_near(p[2], s * px + c * py, 1e-13);
    }
  }
}

/** A point strikes without a slip where friction is at its very bound, |W_tt^-1 W_tn| = mu but for the last digits: there is no direction in which it
 *  would slip, and by any law it gives p_n = (1 + e) |v_n|/(W_nn - W_nt W_tt^-1 W_tn) back. */
static void point_at_its_bound_sticks(void **state) {
  (void)state;
  for (int k = 0; k < 2000; k++) {
    const double angle = 0.00314159 * k, c = cos(angle), s = sin(angle), e = 0.5, own = 2,
                 wide = 2.5;
    const double W[9] = {2,
                         0.5 * c,
                         0.5 * s,
                         0.5 * c,
                         1.25 * c * c + wide * s * s,
                         (1.25 - wide) * c * s,
                         0.5 * s,
                         (1.25 - wide) * c * s,
                         1.25 * s * s + wide * c * c};
    const double v[3] = {-0.385, 0, 0}, mu = 0.4 * (1 + (k % 4 - 2) * DBL_EPSILON);
    for (int law = SB_ROUTH_NEWTON; law <= SB_ROUTH_STRONGE; law++) {
      double p[3];
      assert_true(sb_routh(W, v, 0, mu, e, law, p));
      assert_near(p[0], (1 + e) * 0.385 / (own - 0.5 * 0.5 / 1.25), 1e-12);
      assert_near(p[1], -0.4 * p[0] * c, 1e-12);
      assert_near(p[2], -0.4 * p[0] * s, 1e-12);
    }
  }
}

/** A point that moves along a line alone, W = w w^T, as the end of a link that turns about a pivot: with mu above w_n/w_t friction wedges it, and
 *  p_n = -v_n/(w_n (w_n + mu w_t)) stops it for good whatever the law; a smaller mu lets it rebound along its line. */
static void wedged_point_stays(void **state) {
  (void)state;
  static const double w[2] = {0.57, 1.095}, v0 = -0.96;
  const double W[9] = {w[0] * w[0], w[0] * w[1], 0, w[0] * w[1], w[1] * w[1]};
  const double v[3] = {w[0] * v0, w[1] * v0, 0};
  for (int law = 0; law < 3; law++) {
    double p[3];
    const double mu = 0.6, e = 0.3;
    assert_true(sb_routh(W, v, 0, mu, e, law, p));
    if (law != SB_ROUTH_POISSON) {
      assert_near_relative(p[0], -v0 / (w[0] + mu * w[1]), 1e-12);
      assert_near_relative(p[1], mu * p[0], 1e-12);
    }
    assert_near(v0 + w[0] * p[0] + w[1] * p[1], 0, 1e-12);
    assert_true(sb_routh(W, v, 0, 0.3, e, law, p));
    assert_true(v0 + w[0] * p[0] + w[1] * p[1] > 0.01);
  }
}

/** In a mechanism that moves in a plane friction moves a contact along one direction d alone. What is left across it by rounding is no slip, along
 *  which all friction would turn once the slip along d has ended: p_t = -v_t/W_tt d, p_n = -(1 + e) v_n/W_nn. */
static void slip_in_a_plane_stays_in_it(void **state) {
  (void)state;
  static const double Wn = 252, Wt = 880.7, mu = 0.2, e = 0.5, vn = -7e-6, vt = 3e-6, known = 1e-13;
  for (int k = 0; k < 8; k++) {
    const double turn = 0.77 * k, d[2] = {cos(turn), sin(turn)};
    const double W[9] = {
        Wn, 0, 0, 0, Wt * d[0] * d[0], Wt * d[0] * d[1], 0, Wt * d[0] * d[1], Wt * d[1] * d[1]};
    const double across = k % 2 == 0 ? 3e-14 : -3e-14;
    const double v[3] = {vn, vt * d[0] - across * d[1], vt * d[1] + across * d[0]};
    for (int law = 0; law < 3; law++) {
      double p[3];
      assert_true(sb_routh(W, v, known, mu, e, law, p));
      assert_near_relative(p[0], -(1 + e) * vn / Wn, 1e-13);
      assert_near_relative(p[1] * d[0] + p[2] * d[1], -vt / Wt, 1e-12);
      assert_near(p[2] * d[0] - p[1] * d[1], 0, 1e-15 * p[0]);
    }
  }
}

/** Links that lie in a row: their tangents move as one, u_t = b_t + w sum p_t, and one of them hardly presses. With W_nn N = -b_n they hold
 *  as long as -b_t/w is below the sum of all mu N, however that is shared; else all slip, at b_t + w mu sum N. */
static void row_shares_its_friction(void **state) {
  (void)state;
  enum { LINKS = 4, OF_ROW = 3 * LINKS };
  static const double needs[] = {0.4, 0.53, 0.66, 0.79, 0.92, 1 - 1e-8, 1 + 1e-11, 1.05, 1.18};
  static const double pushes[] = {1e-6, 6e-8}, w = 1.304, mu = 0.5;
  for (int k = 0; k < 2 * (int)(sizeof needs / sizeof *needs); k++) {
    const double N[LINKS] = {pushes[k % 2], 1.2, 1.3, 0.6}, bound = mu * (N[0] + 3.1);
    const double need = needs[k / 2] * bound;
    double W[OF_ROW * OF_ROW] = {0}, b[OF_ROW] = {0}, p[OF_ROW], shared = 0;
    sb_unilateral contacts[LINKS] = {{0}};
    for (int i = 0; i < LINKS; i++) {
      contacts[i] = (sb_unilateral){.rubs = true, .mu = mu};
      for (int j = 0; j < LINKS; j++) {
        const double normal = i == j ? 13.8 : 3.7 * pow(-0.27, abs(i - j) - 1) * -1;
        W[3 * i * OF_ROW + 3 * j] = normal;
        W[(3 * i + 1) * OF_ROW + 3 * j + 1] = w;
        b[3 * i] -= normal * N[j];
      }
      b[3 * i + 1] = -w * need;
    }
    assert_int_equal(sb_unilateral_solve(contacts, LINKS, W, b, NULL, p), SB_UNILATERAL_SOLVED);
    for (int i = 0; i < LINKS; i++) {
      assert_near(p[3 * i], N[i], 1e-13);
      assert_true(fabs(p[3 * i + 1]) <= mu * N[i] * (1 + 1e-8));
      assert_int_equal(contacts[i].sticks, need < bound);
      shared += p[3 * i + 1];
    }
    assert_near(shared, fmin(need, bound), 1e-8);
  }
}

/** Three dry frictions hold one motion against a load that is next to the sum of their strengths F. From where two are at their bounds but for rounding
 *  the middle is found: sum -log(1 - u^2)/2 -> min with sum F u = L leaves to each (sum F - L)/3. */
static void middle_is_found_from_a_corner(void **state) {
  (void)state;
  enum { FRICTIONS = 3, OF_ALL = 3 * FRICTIONS };
  static const double strengths[FRICTIONS] = {1.375, 0.6558, 0.1867}, gaps[] = {1e-5, 1e-6, 1e-8};
  for (size_t k = 0; k < sizeof gaps / sizeof *gaps; k++) {
    double W[OF_ALL * OF_ALL] = {0}, b[OF_ALL] = {0}, p[OF_ALL] = {0}, gap = 3 * gaps[k];
    double scratch[9 * FRICTIONS * FRICTIONS + 24 * FRICTIONS + 12];
    sb_unilateral contacts[FRICTIONS] = {{0}};
    for (int i = 0; i < FRICTIONS; i++) {
      contacts[i] =
          (sb_unilateral){.rubs = true, .dry = true, .mu = 1, .acts = true, .sticks = true};
      W[3 * i * OF_ALL + 3 * i] = 2.3;
      b[3 * i] = -2.3 * strengths[i];
      p[3 * i] = strengths[i];
      p[3 * i + 1] = strengths[i] * (1 - 3e-11);
      for (int j = 0; j < FRICTIONS; j++) {
        W[(3 * i + 1) * OF_ALL + 3 * j + 1] = 2.3;
        b[3 * i + 1] -= 2.3 * strengths[j];
      }
      b[3 * i + 1] += 2.3 * gap;
    }
    p[7] = strengths[2] - gap + 3e-11 * (strengths[0] + strengths[1]);
    sb_unilateral_problem m = {contacts, FRICTIONS, W, b, p, 0, SB_UNILATERAL_RANK_TOL, false};
    sb_unilateral_centre(&m, scratch);
    for (int i = 0; i < FRICTIONS; i++) {
      assert_near(strengths[i] - p[3 * i + 1], gap / 3, 1e-3 * gap);
    }
  }
}

/** A ball that rolls on a table at v strikes a cushion: nothing presses it on the table, whose friction bears nothing of the impulse. */
static void friction_without_load_bears_nothing(void **state) {
  (void)state;
  static const double m = 2, r = 0.1, v = 3, mus[] = {1e-3, 0.3, 50};
  for (int i = 0; i < 6; i++) {
    const int table = i % 2, wall = 1 - table;
    double W[36] = {0}, b[6] = {0}, p[6];
    sb_unilateral contacts[2] = {{.mu = 0}, {.mu = 0}};
    contacts[table] = (sb_unilateral){.rubs = true, .mu = mus[i / 2]};
    W[(3 * table) * 6 + 3 * table] = W[(3 * wall) * 6 + 3 * wall] = 1 / m;
    W[(3 * table + 1) * 6 + 3 * table + 1] = W[(3 * table + 2) * 6 + 3 * table + 2] =
        1 / m + r * r / (0.4 * m * r * r);
    W[(3 * table + 1) * 6 + 3 * wall] = W[3 * wall * 6 + 3 * table + 1] = 1 / m;
    b[3 * wall] = -v;
    assert_int_equal(sb_unilateral_solve(contacts, 2, W, b, NULL, p), SB_UNILATERAL_SOLVED);
    assert_near(p[3 * wall], m * v, 1e-12);
    assert_true(!contacts[table].acts);
    for (int k = 0; k < 3; k++) {
      assert_near(p[3 * table + k], 0, 1e-12);
    }
  }
}

/** Three cubes in a corner, on each other, one foot of which neither presses nor parts: rounding of its rates, 3e-10 of the others, led all solvers
 *  astray. The problem beside it tells who sticks. */
static void foot_that_hardly_presses(void **state) {
  (void)state;
  enum { FEET = 6, ALL = 3 * FEET };
  static const char lower[] = // of W
      "1 0 3.5 0 0 3.5 0 0 0 1 0 0 0 0 3.5 0 0 0 0 0 3.5 0 0 0 0.009900990099 0.09900990099 "
      "-0.9950371902 1 0 0 0 -0.9950371902 0.3482630166 -2.475247525 0 3.5 0 0 0 "
      "0.09900990099 0.9900990099 0.3482630166 0 0 3.5 0 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 "
      "0 0 3.5 0 0 0 0 0 0 0 0 0 0 0 3.5 -0.9135071805 -0.1074930936 -0.3923644556 "
      "-0.01606226406 0.9196695807 0.3923644556 -0.2995198636 0.1074930936 0.9480153407 0 0 "
      "0 2 0.1074930936 1.304902796 0.07714506828 -0.9997245936 2.290807506 0.9594846306 "
      "0.01123609798 0.2466639535 -0.05404921173 0 0 0 0 7 0.3923644556 0.07714506828 "
      "1.565357974 -0.01710966198 -0.3375068113 0.8994038008 -0.9540238998 0.2508406317 "
      "2.185984674 0 0 0 0 0 7 0 0 0 0.1342014551 -0.9640220022 -0.2294592529 0.1342014946 "
      "-0.2294592133 -0.9640220061 -0.1342014946 0.2294592133 0.9640220061 -0.9787689446 "
      "-0.1213399844 0.1651906816 2 0 0 0 0.9909456234 2.563864332 0.6045900296 "
      "-0.004091571469 -1.301714938 0.2986575619 0.004091571469 0.6441692715 -0.1633680631 "
      "0.1156446403 1.470903301 0.01548008324 0 7 0 0 0 -0.004091567527 0.2986576013 "
      "-1.301714828 0.990945618 0.604589931 2.563864396 -0.990945618 0.5504741315 "
      "2.300846129 -0.1692266831 -0.08558974943 1.495528831 0 0 7";
  const char *next = lower;
  static const double b[ALL] = {-9,
                                3,
                                3,
                                -3.880645042,
                                -8.656823555,
                                3,
                                -3.880645042,
                                3,
                                -8.656823555,
                                -3.880645042,
                                3,
                                -8.656823555,
                                0.04687887438,
                                0.05826164001,
                                0.2126611729,
                                2.715214142e-09,
                                1.27531525e-11,
                                -3.088992173e-09};
  double W[ALL * ALL], p[ALL];
  const double v[ALL] = {0}, mu = 0.7;
  sb_unilateral contacts[FEET];
  for (int i = 0; i < ALL; i++) {
    contacts[i / 3] = (sb_unilateral){.rubs = true, .mu = mu};
    for (int j = 0; j <= i; j++) {
      char *end;
      W[i * ALL + j] = W[j * ALL + i] = strtod(next, &end);
      next = end;
    }
  }
  assert_int_equal(sb_unilateral_solve(contacts, FEET, W, b, v, p), SB_UNILATERAL_SOLVED);
  assert_conditions(FEET, W, b, p, mu);
}

int main(void) {
  const struct CMUnitTest tests[] = {repeating_test(forces_meet_their_conditions),
                                     cmocka_unit_test(dragged_bodies_go_on),
                                     cmocka_unit_test(slow_slips_beside_a_fast_one),
                                     cmocka_unit_test(slips_begin_along_themselves),
                                     repeating_test(impacts_end),
                                     repeating_test(turning_slip_has_its_closed_form),
                                     cmocka_unit_test(wedged_point_stays),
                                     cmocka_unit_test(point_at_its_bound_sticks),
                                     cmocka_unit_test(slip_in_a_plane_stays_in_it),
                                     cmocka_unit_test(slip_in_a_plane_stays_in_it),
                                     cmocka_unit_test(middle_is_found_from_a_corner),
                                     cmocka_unit_test(foot_that_hardly_presses),
                                     cmocka_unit_test(row_shares_its_friction),
                                     cmocka_unit_test(friction_without_load_bears_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
