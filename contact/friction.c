// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/friction.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "contact/blame_private.h"
#include "contact/kinks.h"

const sb_friction_row sb_friction_rows[] = {
    {"viscous", "f_t = sigma2 v", SB_FRICTION_VISCOUS, "sigma2", ""},
    {"stribeck",
     "Coulomb's friction and Stribeck's peak by the velocity: it creeps where it should stick",
     SB_FRICTION_STRIBECK, "mu-kinetic v-stribeck", "mu-static sigma2"},
    {"bristle-dwell",
     "bristles with a dwell time, Gonthier et al. (2004): sticks, and the longer the harder",
     SB_FRICTION_BRISTLE, "mu-kinetic sigma0 sigma1 v-stribeck tau-dwell",
     "mu-static sigma2 dwell-at-touch as-printed"},
    {0}};

const sb_friction_row *sb_friction_row_find(const char *name) {
  for (const sb_friction_row *row = sb_friction_rows; row->name != NULL; row++) {
    if (strcmp(row->name, name) == 0) {
      return row;
    }
  }
  return NULL;
}

static const char *name_of(const sb_friction *f) {
  const sb_friction_row *row = sb_friction_rows;
  while (row->name != NULL && row->kind != f->kind) {
    row++;
  }
  return row->name != NULL ? row->name : "none";
}

sb_status sb_friction_check(const sb_friction *f, const char **about, sb_error *err) {
  const bool bristles = f->kind == SB_FRICTION_BRISTLE,
             dry = bristles || f->kind == SB_FRICTION_STRIBECK;
  const struct {
    const char *name, *unit;
    double value;
    bool positive, used;
  } sizes[] = {{"mu-kinetic", "", f->mu_kinetic, false, dry},
               {"mu-static", "", f->mu_static, false, dry},
               {"sigma0", " N/m", f->sigma0, true, bristles},
               {"sigma1", " N.s/m", f->sigma1, true, bristles},
               {"sigma2", " N.s/m", f->sigma2, false, true},
               {"v-stribeck", " m/s", f->v_stribeck, true, dry},
               {"tau-dwell", " s", f->tau_dwell, true, bristles}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const double x = sizes[i].value;
    if (sizes[i].used && !(isfinite(x) && (sizes[i].positive ? x > 0 : x >= 0))) {
      return sb_blame(about, sizes[i].name,
                      sb_fail(err, SB_ERR_RANGE, "the %s of the friction '%s' must %s: it is %s%s",
                              sizes[i].name, name_of(f),
                              sizes[i].positive ? "be positive" : "not be negative",
                              sb_number_word(x).text, sizes[i].unit));
    }
  }
  if (dry && f->mu_static != 0 && f->mu_static < f->mu_kinetic) {
    return sb_blame(
        about, "mu-static",
        sb_fail(err, SB_ERR_RANGE,
                "the mu-static of the friction '%s' must not be below mu-kinetic: %s is "
                "below %s",
                name_of(f), sb_number_word(f->mu_static).text, sb_number_word(f->mu_kinetic).text));
  }
  if (bristles && !(f->dwell_at_touch >= 0 && f->dwell_at_touch <= 1)) {
    return sb_blame(about, "dwell-at-touch",
                    sb_fail(err, SB_ERR_RANGE, "the dwell-at-touch must be from 0 to 1: it is %s",
                            sb_number_word(f->dwell_at_touch).text));
  }
  return SB_OK;
}

static double static_of(const sb_friction *f) {
  return f->mu_static > 0 ? f->mu_static : f->mu_kinetic;
}

/** What is so many times as fast as v_e has leapt there, as its point from end to end of a side that passes through lying flat: what goes on behind v_e of
 *  a slow slip, a cubic of v/v_e, has nothing to do with it. */
static const double leapt = 2;

/** dir(v) by its factor, dir(v) = factor v, and how far beyond v_e it is. */
static double direction(const sb_friction *f, const double v[2], const double sides[],
                        double guard[]) {
  const double least = f->v_stribeck / 100, square = v[0] * v[0] + v[1] * v[1];
  guard[SB_FRICTION_FAST] = sb_kink_guard(square, least * least);
  const bool fast = square > leapt * leapt * least * least ||
                    sb_beyond_kink(sides, SB_FRICTION_FAST, guard[SB_FRICTION_FAST]);
  return fast ? 1 / sqrt(square) : sb_friction_slow(square, least);
}

/** What the bristles take up, sigma0 zb . zb', is at most what the surfaces give, f . v. The excess is zero where zb is. */
static void limit_power(const sb_friction *f, const sb_friction_state *x, const double force[2],
                        double zb_dot[2], double guard[]) {
  const double *v = x->v, *zb = x->zb;
  const double taken = f->sigma0 * (zb[0] * zb_dot[0] + zb[1] * zb_dot[1]),
               given = force[0] * v[0] + force[1] * v[1]; // [W]
  const double square = f->sigma0 * (zb[0] * zb[0] + zb[1] * zb[1]),
               size = fabs(taken) + fabs(given);
  guard[SB_FRICTION_FED] = size > 0 ? (taken - given) / size : 0;
  for (int i = 0; i < 2 && taken > given && square > 0; i++) {
    zb_dot[i] -= (taken - given) / square * zb[i];
  }
}

static void bristles(const sb_friction *f, const sb_friction_state *x, const double sides[],
                     sb_friction_rates *out, double guard[]) {
  const double *v = x->v, *zb = x->zb, ratio = hypot(v[0], v[1]) / f->v_stribeck;
  const double s = exp(-ratio * ratio), slides = -expm1(-ratio * ratio);
  const double coulomb = f->mu_kinetic * x->f_n * direction(f, v, sides, guard);
  const double most = x->f_n * (f->mu_kinetic + (static_of(f) - f->mu_kinetic) * x->s_dw);
  double *force = out->force, *zb_dot = out->zb_dot;
  for (int i = 0; i < 2; i++) {
    zb_dot[i] = s * v[i] + slides * (coulomb * v[i] - f->sigma0 * zb[i]) / f->sigma1;
    force[i] = s * (f->sigma0 * zb[i] + f->sigma1 * v[i]) + slides * coulomb * v[i]; // eq (15)
  }
  const double square = force[0] * force[0] + force[1] * force[1];
  guard[SB_FRICTION_YIELDS] = sb_kink_guard(square, most * most);
  const bool yields = sb_beyond_kink(sides, SB_FRICTION_YIELDS, guard[SB_FRICTION_YIELDS]);
  for (int i = 0; i < 2 && yields && square > 0; i++) { // with what they bear
    force[i] *= most / sqrt(square);
    zb_dot[i] = (force[i] - f->sigma0 * zb[i]) / f->sigma1;
  }
  if (!f->as_printed) {
    limit_power(f, x, force, zb_dot, guard);
  }
  (void)sb_friction_dwell_rate(f, hypot(v[0], v[1]), x->s_dw, &guard[SB_FRICTION_AGES]);
}

double sb_friction_dwell_rate(const sb_friction *f, double speed, double s_dw, double *guard) {
  const double ratio = speed / f->v_stribeck;
  *guard = exp(-ratio * ratio) - s_dw;
  return *guard / (*guard > 0 ? f->tau_dwell : f->sigma1 / f->sigma0);
}

int sb_friction_kinks(const sb_friction *f) {
  return f->kind == SB_FRICTION_BRISTLE    ? SB_FRICTION_KINKS
         : f->kind == SB_FRICTION_STRIBECK ? SB_FRICTION_FAST + 1
                                           : 0;
}

void sb_friction_force(const sb_friction *f, const sb_friction_state *x, const double sides[],
                       sb_friction_rates *out, double guard[SB_FRICTION_KINKS]) {
  memset(out, 0, sizeof *out);
  memset(guard, 0, SB_FRICTION_KINKS * sizeof *guard);
  const double *v = x->v;
  if (f->kind == SB_FRICTION_BRISTLE) {
    bristles(f, x, sides, out, guard);
  } else if (f->kind == SB_FRICTION_STRIBECK) {
    const double ratio = hypot(v[0], v[1]) / f->v_stribeck;
    const double mu = f->mu_kinetic + (static_of(f) - f->mu_kinetic) * exp(-ratio * ratio);
    const double factor = mu * x->f_n * direction(f, v, sides, guard);
    out->force[0] = factor * v[0];
    out->force[1] = factor * v[1];
  }
  out->force[0] += f->sigma2 * v[0];
  out->force[1] += f->sigma2 * v[1];
}

double sb_friction_kappa(const sb_friction *f, double f_n) {
  return f->mu_kinetic * f_n > 0 ? f->v_stribeck * f->sigma1 / (f->mu_kinetic * f_n) : HUGE_VAL;
}
