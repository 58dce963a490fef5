// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/restitution.h"

#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <string.h>

#include "contact/impact.h"

double sb_impact_damping_of(const sb_contact_law *law, double v) {
  const double factor = law->damping_factor + law->impact_damping / fmax(v, law->least_speed);
  return law->damping + factor * law->stiffness;
}

double sb_impact_group(const sb_contact_law *law, double m, double v) {
  const double n = law->exponent, k = law->stiffness;
  return sb_impact_damping_of(law, v) / k * pow(v, law->rate_exponent) *
         pow(m * v * v / k, (law->damping_exponent - n) / (n + 1));
}

// ---- by integration

enum { S, U, STATES };

typedef struct impact {
  double n, p, q, G;
} impact;

/** The force without its root at s = 0, by s^(2 min(n, p)). */
static double push_of(const impact *c, const double y[]) {
  const double s = fabs(y[S]), least = fmin(c->n, c->p);
  const double viscous = c->G * copysign(pow(fabs(y[U]), c->q), y[U]);
  return pow(s, 2 * (c->n - least)) + viscous * pow(s, 2 * (c->p - least));
}

/** The force, negative too: the solution that is cut off at its root is then smooth. */
static int slope(double w, const double y[], double ydot[], void *context) {
  const impact *c = context;
  (void)w;
  ydot[S] = y[U];
  ydot[U] = -2 * y[S] * pow(fabs(y[S]), 2 * fmin(c->n, c->p)) * push_of(c, y);
  return 0;
}

/** Above zero while the force pushes and the depth is positive. */
static double lasts(const impact *c, const double y[]) {
  return y[U] < 0 ? fmin(push_of(c, y), y[S]) : 1;
}

/** One step of the length h from y, without error control. */
static void step_from(gsl_odeiv2_step *step, gsl_odeiv2_system *system, const double from[],
                      double h, double to[]) {
  double error[STATES];
  memcpy(to, from, STATES * sizeof *to);
  (void)gsl_odeiv2_step_apply(step, 0, h, to, error, NULL, NULL, system);
}

/** The end of the push within the step from y. */
static void cut(gsl_odeiv2_step *step, gsl_odeiv2_system *system, double y[], double h) {
  const impact *c = system->params;
  double low = 0, high = h, at[STATES];
  for (double middle = 0.5 * h; middle != low && middle != high; middle = 0.5 * (low + high)) {
    step_from(step, system, y, middle, at);
    *(lasts(c, at) > 0 ? &low : &high) = middle;
  }
  step_from(step, system, y, high, at);
  memcpy(y, at, sizeof at);
}

/** Integrates until the push ends. @return false: too many steps */
static bool push(gsl_odeiv2_step *step, gsl_odeiv2_system *system, double y[]) {
  enum { STEPS_MAX = 1000000 };
  const impact *c = system->params;
  gsl_odeiv2_control *control = gsl_odeiv2_control_y_new(1e-13, 1e-13);
  double h = 1e-3, to[STATES], error[STATES], ydot[STATES];
  bool ended = false;
  for (int i = 0; control != NULL && i < STEPS_MAX && !ended; i++) {
    const double tried = h;
    memcpy(to, y, sizeof to);
    (void)gsl_odeiv2_step_apply(step, 0, tried, to, error, NULL, NULL, system);
    (void)slope(0, to, ydot, system->params);
    if (gsl_odeiv2_control_hadjust(control, step, to, error, ydot, &h) == GSL_ODEIV_HADJ_DEC) {
      continue;
    }
    ended = !(lasts(c, to) > 0);
    if (ended) {
      cut(step, system, y, tried);
    } else {
      memcpy(y, to, sizeof to);
    }
  }
  gsl_odeiv2_control_free(control);
  return ended;
}

/** From the touch on. A force that ends above the surface leaves the mass in free flight, through the depth where
 *  a damping with p > n has died off, and the spring pushes again. */
static bool bounce(gsl_odeiv2_step *step, impact *c, double *e) {
  enum { PUSHES_MAX = 100 };
  gsl_odeiv2_system system = {slope, NULL, STATES, c};
  double y[STATES] = {0, 1};
  for (int i = 0; i < PUSHES_MAX; i++) {
    if (!push(step, &system, y)) {
      return false;
    }
    *e = -y[U];
    const double again =
        c->p > c->n ? pow(c->G * pow(*e, c->q), -0.5 / (c->p - c->n)) * (1 - 1e-9) : 0;
    if (y[S] <= 0 || again <= 0) {
      return true;
    }
    y[S] = fmin(y[S], again);
  }
  return false;
}

sb_status sb_impact_restitution_of(const sb_contact_law *law, double G, double *e, sb_error *err) {
  impact c = {law->exponent, law->damping_exponent, law->rate_exponent, G};
  *e = 1;
  if (law->normal->energy != NULL || law->normal->potential) {
    return sb_fail(err, SB_ERR_CHOICE, "the law '%s' is not one of powers", law->normal->name);
  }
  if (!(G >= 0 && isfinite(G))) {
    return sb_fail(err, SB_ERR_RANGE,
                   "an impact needs a finite mass, speed, stiffness and damping");
  }
  if (c.p == c.n && c.q == 1) {
    *e = sb_impact_restitution(G);
    return SB_OK;
  }
  gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, STATES);
  if (step == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  const bool done = bounce(step, &c, e);
  gsl_odeiv2_step_free(step);
  return done ? SB_OK
              : sb_fail(err, SB_ERR_SOLVER,
                        "the impact cannot be integrated: the damping is too strong, G = %s",
                        sb_number_word(G).text);
}

sb_status sb_impact_damping_for(const sb_contact_law *law, double m, double v, double e, double *b,
                                sb_error *err) {
  const double n = law->exponent, k = law->stiffness;
  static const double least = -32, most = 16; // of ln G
  double low = least, high = 0, found = 1;
  *b = 0;
  if (!(e > 0 && e <= 1)) {
    return sb_fail(err, SB_ERR_RANGE, "a restitution is above 0 and at most 1: it is %s",
                   sb_number_word(e).text);
  }
  if (e == 1) {
    return SB_OK;
  }
  for (; found > e && high <= most; high += 1) { // e falls as G grows
    SB_TRY(sb_impact_restitution_of(law, exp(high), &found, err));
  }
  if (found > e) {
    return sb_fail(err, SB_ERR_RANGE, "no damping gives the law '%s' a restitution of %s",
                   law->normal->name, sb_number_word(e).text);
  }
  for (double x = 0.5 * (low + high); x != low && x != high; x = 0.5 * (low + high)) {
    SB_TRY(sb_impact_restitution_of(law, exp(x), &found, err));
    *(found > e ? &low : &high) = x;
  }
  *b = exp(0.5 * (low + high)) * k / pow(v, law->rate_exponent) *
       pow(m * v * v / k, (n - law->damping_exponent) / (n + 1));
  return SB_OK;
}
