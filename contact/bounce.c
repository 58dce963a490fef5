// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/bounce.h"

#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <string.h>

enum { S, U, STATES };

/** A spring by any of the forms of a law: V(z) [J] and V'(z) [N]. */
static double spring(const sb_contact_law *law, double z, double *force) {
  if (!law->normal->potential) {
    return sb_contact_law_energy(law, law->stiffness, z, force);
  }
  const double q[SB_POTENTIAL_DIM] = {[SB_POTENTIAL_Z] = z};
  double gradient[SB_POTENTIAL_DIM];
  const double V =
      sb_potential_energy(&law->potential, sb_potential_isotropic(&law->potential), q, gradient);
  *force = gradient[SB_POTENTIAL_Z];
  return V;
}

double sb_bounce_length(const sb_contact_law *law, double m, double v) {
  static const double least = 1e-30, most = 1e9; // [m]
  const double E = 0.5 * m * v * v;
  double low = 0, high = least, force;
  while (high < most && spring(law, high, &force) < E) {
    low = high;
    high *= 2;
  }
  if (!(high < most)) {
    return 0;
  }
  for (int i = 0; i < 60; i++) {
    const double z = 0.5 * (low + high);
    *(spring(law, z, &force) < E ? &low : &high) = z;
  }
  return high;
}

static double push_of_law(const sb_bounce *c, double s, double u) {
  const double z = c->length * s * s, zd = c->speed * u;
  double elastic;
  (void)spring(c->law, copysign(z, s), &elastic);
  const double all = sb_contact_law_viscous(c->law, c->b, z, zd);
  const double own = c->law->normal->viscous != NULL ? c->law->normal->viscous(c->law, z, zd) : 0;
  return (elastic + all + (c->factor - 1) * own) * c->length / (c->mass * c->speed * c->speed);
}

/** The force without its root at s = 0, by s^(2 min(n, p)). */
static double push_of(const sb_bounce *c, const double y[]) {
  if (c->law != NULL) {
    return push_of_law(c, y[S], y[U]);
  }
  const double s = fabs(y[S]), least = fmin(c->n, c->p);
  const double viscous = c->G * copysign(pow(fabs(y[U]), c->q), y[U]);
  return pow(s, 2 * (c->n - least)) + viscous * pow(s, 2 * (c->p - least));
}

/** The force, negative too: the solution that is cut off at its root is then smooth. */
static int slope(double w, const double y[], double ydot[], void *context) {
  const sb_bounce *c = context;
  (void)w;
  const double root = c->law != NULL ? 1 : pow(fabs(y[S]), 2 * fmin(c->n, c->p));
  ydot[S] = y[U];
  ydot[U] = -2 * y[S] * root * push_of(c, y);
  return 0;
}

/** Above zero while the force pushes and the depth is positive. */
static double lasts(const sb_bounce *c, const double y[]) {
  return y[U] >= 0 ? 1 : c->pulls ? y[S] : fmin(push_of(c, y), y[S]);
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
  const sb_bounce *c = system->params;
  double low = 0, high = h, at[STATES];
  for (double middle = 0.5 * h; middle != low && middle != high; middle = 0.5 * (low + high)) {
    step_from(step, system, y, middle, at);
    *(lasts(c, at) > 0 ? &low : &high) = middle;
  }
  step_from(step, system, y, high, at);
  memcpy(y, at, sizeof at);
}

/** Integrates until the push ends. @return false: too many steps, or not a number */
static bool push(gsl_odeiv2_step *step, gsl_odeiv2_system *system, double y[]) {
  enum { STEPS_MAX = 1000000 };
  const sb_bounce *c = system->params;
  gsl_odeiv2_control *control = gsl_odeiv2_control_y_new(1e-13, 1e-13);
  double h = 1e-3, to[STATES], error[STATES], ydot[STATES];
  bool ended = false;
  for (int i = 0; control != NULL && i < STEPS_MAX && !ended; i++) {
    const double tried = h;
    memcpy(to, y, sizeof to);
    (void)gsl_odeiv2_step_apply(step, 0, tried, to, error, NULL, NULL, system);
    if (!isfinite(to[U])) {
      break;
    }
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

/** Where the mass that flies back from y meets a push again; 0: nowhere. */
static double meets_again(const sb_bounce *c, const double y[]) {
  enum { PIECES = 1000 };
  if (c->law == NULL) { // where a damping with p > n has died off
    return c->p > c->n ? pow(c->G * pow(-y[U], c->q), -0.5 / (c->p - c->n)) * (1 - 1e-9) : 0;
  }
  for (int i = PIECES - 1; i > 0; i--) {
    double low = y[S] * i / PIECES, high = y[S] * (i + 1) / PIECES;
    if (!(push_of(c, (double[]){low, y[U]}) > 0)) {
      continue;
    }
    for (int k = 0; k < 50; k++) {
      const double middle = 0.5 * (low + high);
      *(push_of(c, (double[]){middle, y[U]}) > 0 ? &low : &high) = middle;
    }
    return low;
  }
  return 0;
}

/** From the touch on. A force that ends above the surface leaves the mass in free flight. */
static bool bounce(gsl_odeiv2_step *step, const sb_bounce *c, double *e) {
  enum { PUSHES_MAX = 100 };
  gsl_odeiv2_system system = {slope, NULL, STATES, (void *)(size_t)c};
  double y[STATES] = {0, 1};
  for (int i = 0; i < PUSHES_MAX; i++) {
    if (!push(step, &system, y)) {
      return false;
    }
    *e = -y[U];
    const double again = y[S] > 0 && y[U] < 0 ? meets_again(c, y) : 0;
    if (again <= 0) {
      return true;
    }
    y[S] = fmin(y[S], again);
  }
  return false;
}

bool sb_bounce_run(const sb_bounce *c, double *e) {
  gsl_odeiv2_step *step = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, STATES);
  const bool done = step != NULL && bounce(step, c, e);
  if (step != NULL) {
    gsl_odeiv2_step_free(step);
  }
  return done;
}
