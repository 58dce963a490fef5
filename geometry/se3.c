// SPDX-License-Identifier: GPL-3.0-or-later
// exp, log and dexp on SE(3). With t = |w| and hat matrices w^, v^:
//   R = 1 + A w^ + B w^2,  V = 1 + B w^ + C w^2,  V^-1 = 1 - w^/2 + D w^2,
//   dexp = [V 0; Q V],  Q = v^/2 + C (w^v^ + v^w^ + w^v^w^) + E (w^2 v^ + v^ w^2 - 3 w^v^w^)
//                         + G (w^v^w^2 + w^2 v^w^).
// Barfoot, State Estimation for Robotics, section 7.1. Each coefficient is a quotient that loses
// digits as t -> 0; below its threshold, chosen where the losses meet, a power series replaces it.
#include "geometry/se3.h"

static const double tiny_angle = 1e-4;     // [rad] below: two-term series of A and B
static const double cubic_angle = 1.2;     // [rad] below: series of C and D
static const double quintic_angle = 2.0;   // [rad] below: series of E and G
static const double axis_from_sine = 1e-8; // |q_v| below which 2 q_v is the rotation vector

enum { CUBIC_TERMS = 12, QUINTIC_TERMS = 14 };

/** sum over k of (-1)^k x^k / (2k + first)!, from the inside out. */
static double inverse_factorials(double x, int first, int terms) {
  double sum = 0.0;
  for (int k = terms - 1; k > 0; k--) {
    const double next = (double)((2 * k + first) * (2 * k + first - 1));
    sum = (1.0 - sum) * x / next;
  }
  double factorial = 1.0;
  for (int i = 2; i <= first; i++) {
    factorial *= i;
  }
  return (1.0 - sum) / factorial;
}

static double coefficient_a(double t) {
  const double x = t * t;
  return t < tiny_angle ? 1.0 - x / 6.0 + x * x / 120.0 : sin(t) / t;
}

static double coefficient_b(double t) {
  const double x = t * t;
  if (t < tiny_angle) {
    return 0.5 - x / 24.0 + x * x / 720.0;
  }
  const double s = sin(0.5 * t) / (0.5 * t); // the half-angle form has no cancellation
  return 0.5 * s * s;
}

static double coefficient_c(double t) {
  return t < cubic_angle ? inverse_factorials(t * t, 3, CUBIC_TERMS) : (t - sin(t)) / (t * t * t);
}

static double coefficient_d(double t) {
  // |B_{2k+2}| / (2k+2)!, Bernoulli numbers
  static const double series[CUBIC_TERMS] = {1.0 / 12.0,
                                             1.0 / 720.0,
                                             1.0 / 30240.0,
                                             1.0 / 1209600.0,
                                             2.08767569878681e-08,
                                             5.2841901386874932e-10,
                                             1.3382536530684679e-11,
                                             3.3896802963225827e-13,
                                             8.5860620562778452e-15,
                                             2.1748686985580619e-16,
                                             5.5090028283602295e-18,
                                             1.3954464685812522e-19};
  const double x = t * t;
  if (t < cubic_angle) {
    double sum = 0.0;
    for (int k = CUBIC_TERMS - 1; k >= 0; k--) {
      sum = sum * x + series[k];
    }
    return sum;
  }
  return (1.0 - coefficient_a(t) / (2.0 * coefficient_b(t))) / x;
}

static double coefficient_e(double t) {
  const double x = t * t;
  return t < quintic_angle ? inverse_factorials(x, 4, QUINTIC_TERMS)
                           : (0.5 * x + cos(t) - 1.0) / (x * x);
}

static double coefficient_g(double t) {
  const double x = t * t;
  if (t >= quintic_angle) {
    return (2.0 * t - 3.0 * sin(t) + t * cos(t)) / (2.0 * x * x * t);
  }
  double sum = 0.0, term = 1.0 / 120.0; // sum (-1)^k (k+1) x^k / (2k+5)!
  for (int k = 0; k < QUINTIC_TERMS; k++) {
    sum += (k + 1) * term;
    term *= -x / (double)((2 * k + 6) * (2 * k + 7));
  }
  return sum;
}

/** 1 + p w^ + q w^2 */
static sb_mat3 polynomial(sb_vec3 w, double p, double q) {
  const sb_mat3 hat = sb_mat3_hat(w);
  const sb_mat3 linear = sb_mat3_add(sb_mat3_identity(), sb_mat3_scale(hat, p));
  return sb_mat3_add(linear, sb_mat3_scale(sb_mat3_mul(hat, hat), q));
}

sb_pose sb_se3_exp(sb_twist t) {
  const double angle = sb_vec3_norm(t.angular);
  const double b = coefficient_b(angle);
  const sb_mat3 v = polynomial(t.angular, b, coefficient_c(angle));
  return (sb_pose){polynomial(t.angular, coefficient_a(angle), b), sb_mat3_apply(v, t.linear)};
}

sb_twist sb_se3_log(sb_pose h) {
  const sb_quat q = sb_quat_from_rotation(h.rotation);
  const sb_vec3 v = {q.x, q.y, q.z};
  const double sine = sb_vec3_norm(v);
  const double factor = sine < axis_from_sine ? 2.0 / q.w : 2.0 * atan2(sine, q.w) / sine;
  const sb_vec3 w = sb_vec3_scale(v, factor);
  const sb_mat3 inverse = polynomial(w, -0.5, coefficient_d(sb_vec3_norm(w)));
  return (sb_twist){w, sb_mat3_apply(inverse, h.position)};
}

/** The block Q of dexp. */
static sb_mat3 coupling(sb_twist t) {
  const double angle = sb_vec3_norm(t.angular);
  const sb_mat3 w = sb_mat3_hat(t.angular), v = sb_mat3_hat(t.linear);
  const sb_mat3 wv = sb_mat3_mul(w, v), vw = sb_mat3_mul(v, w);
  const sb_mat3 wvw = sb_mat3_mul(wv, w), wwv = sb_mat3_mul(w, wv), vww = sb_mat3_mul(vw, w);
  const sb_mat3 c = sb_mat3_add(sb_mat3_add(wv, vw), wvw);
  const sb_mat3 e = sb_mat3_add(sb_mat3_add(wwv, vww), sb_mat3_scale(wvw, -3.0));
  const sb_mat3 g = sb_mat3_add(sb_mat3_mul(wvw, w), sb_mat3_mul(w, wvw));
  const sb_mat3 head = sb_mat3_add(sb_mat3_scale(v, 0.5), sb_mat3_scale(c, coefficient_c(angle)));
  const sb_mat3 tail =
      sb_mat3_add(sb_mat3_scale(e, coefficient_e(angle)), sb_mat3_scale(g, coefficient_g(angle)));
  return sb_mat3_add(head, tail);
}

/** [diagonal 0; lower diagonal] */
static void store_blocks(sb_mat3 diagonal, sb_mat3 lower, double d[6][6]) {
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      d[i][j] = d[i + 3][j + 3] = diagonal.m[i][j];
      d[i][j + 3] = 0.0;
      d[i + 3][j] = lower.m[i][j];
    }
  }
}

void sb_se3_dexp(sb_twist t, double d[6][6]) {
  const double angle = sb_vec3_norm(t.angular);
  store_blocks(polynomial(t.angular, coefficient_b(angle), coefficient_c(angle)), coupling(t), d);
}

void sb_se3_dexp_inverse(sb_twist t, double d[6][6]) {
  const sb_mat3 inverse = polynomial(t.angular, -0.5, coefficient_d(sb_vec3_norm(t.angular)));
  const sb_mat3 lower = sb_mat3_mul(inverse, sb_mat3_mul(coupling(t), inverse));
  store_blocks(inverse, sb_mat3_scale(lower, -1.0), d);
}
