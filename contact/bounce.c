// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/bounce.h"

#include <math.h>
#include <string.h>

enum { S, U, STATES };
enum { COLUMNS = 6 }; // of the extrapolation: its order is twice that
/** The error of a step, in lengths and speeds of about 1. */
static const double allowed = 1e-13;

/** A spring by any of the forms of a law: V(z) [J] and V'(z) [N]. */
static double spring(const sb_contact_law *law, double z, double *force) {
  if (!law->normal->potential) {
    return sb_contact_law_energy(law, law->stiffness, z, NULL, force);
  }
  const double q[SB_POTENTIAL_DIM] = {[SB_POTENTIAL_Z] = z};
  double gradient[SB_POTENTIAL_DIM];
  const double V = sb_potential_energy(&law->potential, sb_potential_isotropic(&law->potential), q,
                                       NULL, gradient);
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
  const double all = sb_contact_law_viscous(c->law, c->b, z, zd, NULL);
  const double own =
      c->law->normal->viscous != NULL ? c->law->normal->viscous(c->law, z, zd, NULL) : 0;
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
static void slope(const sb_bounce *c, const double y[], double ydot[]) {
  const double root = c->law != NULL ? 1 : pow(fabs(y[S]), 2 * fmin(c->n, c->p));
  ydot[S] = y[U];
  ydot[U] = -2 * y[S] * root * push_of(c, y);
}

/** Above zero while the force pushes and the depth is positive. */
static double lasts(const sb_bounce *c, const double y[]) {
  return y[U] >= 0 ? 1 : c->pulls ? y[S] : fmin(push_of(c, y), y[S]);
}

/** The modified midpoint rule in n substeps, n even: its error is a series in 1/n^2 (Gragg 1965). */
static void midpoint(const sb_bounce *c, const double from[], double h, int n, double to[]) {
  double before[STATES], ydot[STATES];
  memcpy(before, from, sizeof before);
  slope(c, from, ydot);
  for (int k = 0; k < STATES; k++) {
    to[k] = from[k] + h / n * ydot[k];
  }
  for (int i = 1; i < n; i++) {
    slope(c, to, ydot);
    for (int k = 0; k < STATES; k++) {
      const double next = before[k] + 2 * h / n * ydot[k];
      before[k] = to[k];
      to[k] = next;
    }
  }
  slope(c, to, ydot);
  for (int k = 0; k < STATES; k++) {
    to[k] = 0.5 * (before[k] + to[k] + h / n * ydot[k]);
  }
}

/** One step of the length h: extrapolated from 2, 4, ... substeps to infinitely many (Bulirsch & Stoer 1966; Hairer,
 *  Norsett & Wanner I, II.9). @param error  (STATES) out: what the last one changes */
static void step_from(const sb_bounce *c, const double from[], double h, double to[],
                      double error[]) {
  double row[COLUMNS][STATES]; // T_j0 ... T_jj
  memset(error, 0, STATES * sizeof *error);
  for (int j = 0; j < COLUMNS; j++) {
    double next[STATES];
    midpoint(c, from, h, 2 * (j + 1), next);
    for (int i = 0; i <= j; i++) {
      const double ratio = (j + 1.0) / (i < j ? j - i : 1);
      for (int k = 0; k < STATES; k++) {
        const double own = next[k];
        error[k] = i < j ? (own - row[i][k]) / (ratio * ratio - 1) : error[k];
        next[k] += i < j ? error[k] : 0;
        row[i][k] = own;
      }
    }
  }
  memcpy(to, row[COLUMNS - 1], STATES * sizeof *to);
}

/** The end of the push within the step from y. */
static void cut(const sb_bounce *c, double y[], double h) {
  double low = 0, high = h, at[STATES], error[STATES];
  for (double middle = 0.5 * h; middle != low && middle != high; middle = 0.5 * (low + high)) {
    step_from(c, y, middle, at, error);
    *(lasts(c, at) > 0 ? &low : &high) = middle;
  }
  step_from(c, y, high, at, error);
  memcpy(y, at, sizeof at);
}

/** The error of a step as a fraction of what is allowed. */
static double weigh(const double y[], const double error[]) {
  double most = 0;
  for (int k = 0; k < STATES; k++) {
    most = fmax(most, fabs(error[k]) / (allowed * (1 + fabs(y[k]))));
  }
  return most;
}

/** Integrates until the push ends. @return false: too many steps, or not a number */
static bool push(const sb_bounce *c, double y[]) {
  enum { STEPS_MAX = 1000000 };
  double h = 1e-3;
  for (int i = 0; i < STEPS_MAX; i++) {
    double to[STATES], error[STATES];
    const double tried = h;
    step_from(c, y, tried, to, error);
    if (!isfinite(to[U])) {
      return false;
    }
    const double off = weigh(to, error);
    h *= off > 0 ? fmin(fmax(0.9 * pow(off, -1.0 / (2 * COLUMNS - 1)), 0.2), 5) : 5;
    if (off > 1) {
      continue;
    }
    if (!(lasts(c, to) > 0)) {
      cut(c, y, tried);
      return true;
    }
    memcpy(y, to, sizeof to);
  }
  return false;
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
bool sb_bounce_run(const sb_bounce *c, double *e) {
  enum { PUSHES_MAX = 100 };
  double y[STATES] = {0, 1};
  for (int i = 0; i < PUSHES_MAX; i++) {
    if (!push(c, y)) {
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
