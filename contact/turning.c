// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/turning.h"

#include <math.h>
#include <string.h>

#include "contact/blame_private.h"
#include "contact/friction.h"
#include "contact/kinks.h"

sb_status sb_turning_check(const sb_turning *t, const char *law, const char **about,
                           sb_error *err) {
  const bool dry = t->rolling_friction > 0 || t->spin_friction > 0;
  const struct {
    const char *name, *unit;
    double value;
    bool positive, used;
  } sizes[] = {{"rolling-friction", "m", t->rolling_friction, false, true},
               {"spin-friction", "m", t->spin_friction, false, true},
               {"rolling-viscous", "N.m.s/rad", t->rolling_viscous, false, true},
               {"spin-viscous", "N.m.s/rad", t->spin_viscous, false, true},
               {"turning-stiffness", "N.m/rad", t->stiffness, false, true},
               {"turning-damping", "s", t->damping, true, sb_turning_holds(t)},
               {"turning-speed", "rad/s", t->speed, true, dry && !sb_turning_holds(t)}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const double x = sizes[i].value;
    if (sizes[i].used && !(isfinite(x) && (sizes[i].positive ? x > 0 : x >= 0))) {
      return sb_blame(about, sizes[i].name,
                      sb_fail(err, SB_ERR_RANGE, "the %s of the law '%s' must %s: it is %s %s",
                              sizes[i].name, law,
                              sizes[i].positive ? "be positive" : "not be negative",
                              sb_number_word(x).text, sizes[i].unit));
    }
  }
  return SB_OK;
}

/** One part of the dry resistance. */
typedef struct dry_part {
  int first, count; // components
  double lever;     // [m]
} dry_part;
static dry_part part_of(const sb_turning *t, int kink) {
  return kink == SB_TURNING_ROLLING ? (dry_part){0, 2, t->rolling_friction}
                                    : (dry_part){2, 1, t->spin_friction};
}

static double square_of(const double x[], int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    sum += x[i] * x[i];
  }
  return sum;
}

/** @param limit  [N m]  @return the guard */
static double by_rate(const sb_turning *t, double limit, int count, const double w[],
                      const double sides[], int kink, double moment[]) {
  const double square = square_of(w, count), guard = sb_kink_guard(square, t->speed * t->speed);
  const double factor =
      limit *
      (sb_beyond_kink(sides, kink, guard) ? 1 / sqrt(square) : sb_friction_slow(square, t->speed));
  for (int i = 0; i < count; i++) {
    moment[i] = factor * w[i];
  }
  return guard;
}

/** @return the guard */
static double by_springs(const sb_turning *t, double limit, int count, const double w[],
                         const double held[], const double sides[], int kink, double moment[],
                         double theta_dot[]) {
  const double B = t->damping * t->stiffness;
  for (int i = 0; i < count; i++) {
    moment[i] = held[i] + B * w[i];
    theta_dot[i] = w[i];
  }
  const double square = square_of(moment, count), guard = sb_kink_guard(square, limit * limit);
  const bool yields = sb_beyond_kink(sides, kink, guard) && square > 0;
  for (int i = 0; i < count && yields; i++) {
    moment[i] *= limit / sqrt(square);
    theta_dot[i] = (moment[i] - held[i]) / B;
  }
  return guard;
}

void sb_turning_moment(const sb_turning *t, const sb_turning_state *x, const double sides[],
                       double moment[SB_TURNING_DIM], double theta_dot[SB_TURNING_DIM],
                       double guard[SB_TURNING_KINKS]) {
  memset(theta_dot, 0, SB_TURNING_DIM * sizeof *theta_dot);
  for (int kink = 0; kink < SB_TURNING_KINKS; kink++) {
    const dry_part part = part_of(t, kink);
    const double limit = part.lever * x->f_n, *w = x->w + part.first;
    double *M = moment + part.first;
    if (!(part.lever > 0) && !sb_turning_holds(t)) {
      memset(M, 0, (size_t)part.count * sizeof *M);
      guard[kink] = 0;
      continue;
    }
    guard[kink] = sb_turning_holds(t) ? by_springs(t, limit, part.count, w, x->held + part.first,
                                                   sides, kink, M, theta_dot + part.first)
                                      : by_rate(t, limit, part.count, w, sides, kink, M);
  }
  moment[0] += t->rolling_viscous * x->w[0];
  moment[1] += t->rolling_viscous * x->w[1];
  moment[2] += t->spin_viscous * x->w[2];
}
