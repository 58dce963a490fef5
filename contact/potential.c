// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/potential.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "geometry/vec3.h"

static const char *const names[SB_POTENTIAL_SLOTS] = {"x", "y", "z", "theta", "r"};

bool sb_potential_isotropic(const sb_potential *p) {
  return p->energy == NULL ? p->isotropic
                           : !(sb_expression_uses(p->energy, SB_POTENTIAL_X) ||
                               sb_expression_uses(p->energy, SB_POTENTIAL_Y));
}

/** Of an isotropic one r stands in the place of x. */
static void fill_slots(const double q[], double slots[SB_EXPRESSION_VARIABLES_MAX]) {
  memset(slots, 0, SB_EXPRESSION_VARIABLES_MAX * sizeof *slots);
  memcpy(slots, q, SB_POTENTIAL_DIM * sizeof *q);
  slots[SB_POTENTIAL_Z] = fabs(q[SB_POTENTIAL_Z]);
  slots[SB_POTENTIAL_R] = q[SB_POTENTIAL_X];
}

static double express(const sb_expression *V, bool isotropic, const double q[],
                      const sb_branches *branches, double gradient[]) {
  double slots[SB_EXPRESSION_VARIABLES_MAX];
  fill_slots(q, slots);
  for (int i = 0; i < SB_POTENTIAL_DIM; i++) {
    int slot = isotropic && i == SB_POTENTIAL_X ? SB_POTENTIAL_R : i;
    const bool used = sb_expression_uses(V, slot);
    gradient[i] = used ? sb_expression_at(V, slots, NULL, branches, slot).slope : 0;
  }
  return sb_expression_at(V, slots, NULL, branches, -1).value;
}

/** V and its gradient at a depth that is not negative. */
static double pressed(const sb_potential *p, bool isotropic, const double q[], double depth,
                      const sb_branches *branches, double gradient[]) {
  double at[SB_POTENTIAL_DIM];
  memcpy(at, q, sizeof at);
  at[SB_POTENTIAL_Z] = depth;
  return p->energy != NULL ? express(p->energy, isotropic, at, branches, gradient)
                           : p->function(p->context, at, gradient);
}

/** Behind the end of a contact, at the depth -a, V goes on as 3 V(0) - 3 V(a) + V(2 a): the parabola through the end, whose force and
 *  stiffness are continuous there also where shear leaves a push at no depth, as z r^2 does. */
static double behind_end(const sb_potential *p, bool isotropic, const double q[],
                         const sb_branches *branches, double gradient[]) {
  const double a = -q[SB_POTENTIAL_Z], weight[] = {3, -3, 1};
  double V = 0, sum[SB_POTENTIAL_DIM] = {0};
  for (int k = 0; k < 3; k++) {
    V += weight[k] * pressed(p, isotropic, q, k * a, branches, gradient);
    gradient[SB_POTENTIAL_Z] = k > 0 ? -k * gradient[SB_POTENTIAL_Z] : 0;
    for (int i = 0; i < SB_POTENTIAL_DIM; i++) {
      sum[i] += weight[k] * gradient[i];
    }
  }
  memcpy(gradient, sum, sizeof sum);
  return V;
}

double sb_potential_energy(const sb_potential *p, bool isotropic, const double q[SB_POTENTIAL_DIM],
                           const sb_branches *branches, double gradient[SB_POTENTIAL_DIM]) {
  const double depth = q[SB_POTENTIAL_Z];
  return depth < 0 ? behind_end(p, isotropic, q, branches, gradient)
                   : pressed(p, isotropic, q, depth, branches, gradient);
}

double sb_potential_terms(const sb_potential *p, bool isotropic, const double q[SB_POTENTIAL_DIM],
                          const sb_branches *branches) {
  double slots[SB_EXPRESSION_VARIABLES_MAX], gradient[SB_POTENTIAL_DIM];
  fill_slots(q, slots);
  return p->energy != NULL ? sb_expression_terms(p->energy, slots, NULL, branches)
                           : fabs(sb_potential_energy(p, isotropic, q, branches, gradient));
}

/** Whether dV/dq_i goes to zero with q_i: that of a cone, such as sqrt(x^2 + y^2), does not. */
static bool is_smooth(const sb_potential *p, bool isotropic, int i) {
  // [m or rad] below all lengths that an energy may have, and so large that their eighth powers are numbers
  static const double near = 1e-34, nearer = 1e-40;
  double q[SB_POTENTIAL_DIM] = {0}, far[SB_POTENTIAL_DIM], close[SB_POTENTIAL_DIM];
  q[i] = near;
  (void)sb_potential_energy(p, isotropic, q, NULL, far);
  q[i] = nearer;
  (void)sb_potential_energy(p, isotropic, q, NULL, close);
  return fabs(close[i]) <= 0.5 * fabs(far[i]);
}

/** Whether V begins to fall along `way` where the bodies touch: by the first of its sizes that is not rounding. */
static bool begins_to_fall(const sb_potential *p, bool isotropic,
                           const double way[SB_POTENTIAL_DIM]) {
  static const double least = 1e-30, most = 1; // [m or rad]
  double gradient[SB_POTENTIAL_DIM], q[SB_POTENTIAL_DIM];
  for (double h = least; h < most; h *= 10) {
    for (int i = 0; i < SB_POTENTIAL_DIM; i++) {
      q[i] = h * way[i];
    }
    const double V = sb_potential_energy(p, isotropic, q, NULL, gradient);
    const double known =
        p->energy != NULL ? 4 * DBL_EPSILON * sb_potential_terms(p, isotropic, q, NULL) : 0;
    if (fabs(V) > known) {
      return V < 0;
    }
  }
  return false;
}

static sb_status refuse_saddle(const char *law, bool isotropic, const double way[SB_POTENTIAL_DIM],
                               sb_error *err) {
  char words[200] = "";
  for (int i = 0; i < SB_POTENTIAL_DIM; i++) {
    const size_t used = strlen(words);
    if (way[i] != 0) {
      (void)snprintf(words + used, sizeof words - used, "%s%s = %s %s", used > 0 ? ", " : "",
                     names[isotropic && i == 0 ? SB_POTENTIAL_R : i], sb_number_word(way[i]).text,
                     i == SB_POTENTIAL_THETA ? "rad" : "m");
    }
  }
  (void)sb_fail(err, SB_ERR_RANGE,
                "the energy of the law '%s' must not be negative: its second derivatives where the "
                "bodies touch are indefinite, and it falls along %s",
                law, words);
  sb_error_hint(err, "a product of two variables needs the squares of both beside it: of x z, "
                     "V_xz^2 < V_xx V_zz");
  return SB_ERR_RANGE;
}

/** Refuses a V that falls with one of its variables, to either side, from where the bodies touch, or with several together: the former by
 *  its values, whatever powers it has, the latter where its quadratic part tells along which way. */
static sb_status check_sign(const sb_potential *p, bool isotropic, const char *law, sb_error *err) {
  double way[SB_POTENTIAL_DIM];
  for (int i = 0; i < SB_POTENTIAL_DIM; i++) {
    const bool one_sided = i == SB_POTENTIAL_Z || (isotropic && i == SB_POTENTIAL_X); // z, r >= 0
    for (int sign = 1; sign >= (one_sided ? 1 : -1); sign -= 2) {
      double along[SB_POTENTIAL_DIM] = {0};
      along[i] = sign;
      if (begins_to_fall(p, isotropic, along)) {
        return sb_fail(err, SB_ERR_RANGE,
                       "the energy of the law '%s' must not be negative: it falls with %s%s from "
                       "where the bodies touch",
                       law, sign < 0 ? "-" : "", names[isotropic && i == 0 ? SB_POTENTIAL_R : i]);
      }
    }
  }
  if (!sb_potential_saddle(p, isotropic, way) || !begins_to_fall(p, isotropic, way)) {
    return SB_OK;
  }
  return refuse_saddle(law, isotropic, way, err);
}

sb_status sb_potential_check(const sb_potential *p, const char *law, sb_error *err) {
  static const char *const units[] = {"N", "N", "N", "N.m"};
  const double touch[SB_POTENTIAL_DIM] = {0};
  double gradient[SB_POTENTIAL_DIM];
  if ((p->energy == NULL) == (p->function == NULL)) {
    return p->energy == NULL
               ? sb_fail(err, SB_ERR_MISSING, "energy is missing: the law '%s' needs it", law)
               : sb_fail(err, SB_ERR_MISSING,
                         "an energy and a function of the law '%s' exclude each other", law);
  }
  bool isotropic = sb_potential_isotropic(p);
  if (p->energy != NULL && !isotropic && sb_expression_uses(p->energy, SB_POTENTIAL_R)) {
    return sb_fail(err, SB_ERR_CHOICE,
                   "the energy of the law '%s' names x or y, and r: they exclude each other", law);
  }
  double V = sb_potential_energy(p, isotropic, touch, NULL, gradient);
  if (!(fabs(V) <= 4 * DBL_EPSILON * sb_potential_terms(p, isotropic, touch, NULL))) {
    return sb_fail(err, SB_ERR_RANGE,
                   "the energy of the law '%s' must be 0 where the bodies touch, x = y = z = theta "
                   "= 0: it is %s J",
                   law, sb_number_word(V).text);
  }
  for (int i = 0; i < SB_POTENTIAL_DIM; i++) {
    if (gradient[i] != 0) { // nor is it not a number
      return sb_fail(
          err, SB_ERR_RANGE,
          "the derivative of the energy of the law '%s' by %s must be 0 where the bodies touch, "
          "x = y = z = theta = 0: it is %s %s",
          law, names[isotropic && i == 0 ? SB_POTENTIAL_R : i], sb_number_word(gradient[i]).text,
          units[i]);
    }
    if (!is_smooth(p, isotropic, i)) {
      return sb_fail(
          err, SB_ERR_RANGE,
          "the derivative of the energy of the law '%s' by %s jumps where the bodies touch, "
          "x = y = z = theta = 0",
          law, names[i]);
    }
  }
  SB_TRY(check_sign(p, isotropic, law, err));
  const double largest = sb_vec3_largest(sb_vec3_load(p->axis));
  return isotropic || (isfinite(largest) && largest > 0)
             ? SB_OK
             : sb_fail_at(err, SB_ERR_RANGE, "axis",
                          "the axis of a contact law is zero, and tells no direction");
}
