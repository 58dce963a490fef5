// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/friction.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "contact/blame_private.h"

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

/** dir(v) by its factor: dir(v) = factor v. */
static double direction(const sb_friction *f, double speed) {
  return sb_friction_direction(speed, f->v_stribeck / 100);
}

/** What the bristles take up, sigma0 zb . zb', is at most what the surfaces give, f . v. The excess is zero where zb is. */
static void limit_power(const sb_friction *f, const double v[2], const double zb[2],
                        const double force[2], double zb_dot[2]) {
  const double taken = f->sigma0 * (zb[0] * zb_dot[0] + zb[1] * zb_dot[1]);
  const double excess = taken - (force[0] * v[0] + force[1] * v[1]); // [W]
  const double square = f->sigma0 * (zb[0] * zb[0] + zb[1] * zb[1]);
  for (int i = 0; i < 2 && excess > 0; i++) {
    zb_dot[i] -= excess / square * zb[i];
  }
}

static void bristles(const sb_friction *f, double f_n, const double v[2], const double zb[2],
                     double s_dw, double force[2], double zb_dot[2], double *s_dw_dot) {
  const double speed = hypot(v[0], v[1]), ratio = speed / f->v_stribeck;
  const double s = exp(-ratio * ratio), slides = -expm1(-ratio * ratio);
  const double coulomb = f->mu_kinetic * f_n * direction(f, speed);
  const double most = f_n * (f->mu_kinetic + (static_of(f) - f->mu_kinetic) * s_dw);
  for (int i = 0; i < 2; i++) {
    zb_dot[i] = s * v[i] + slides * (coulomb * v[i] - f->sigma0 * zb[i]) / f->sigma1;
    force[i] = s * (f->sigma0 * zb[i] + f->sigma1 * v[i]) + slides * coulomb * v[i]; // eq (15)
  }
  const double size = hypot(force[0], force[1]);
  for (int i = 0; i < 2 && size > most; i++) { // the bristles yield with what they bear
    force[i] *= most / size;
    zb_dot[i] = (force[i] - f->sigma0 * zb[i]) / f->sigma1;
  }
  if (!f->as_printed) {
    limit_power(f, v, zb, force, zb_dot);
  }
  *s_dw_dot = (s - s_dw) / (s >= s_dw ? f->tau_dwell : f->sigma1 / f->sigma0);
}

void sb_friction_force(const sb_friction *f, double f_n, const double v[2], const double zb[2],
                       double s_dw, double force[2], double zb_dot[2], double *s_dw_dot) {
  memset(force, 0, 2 * sizeof *force);
  memset(zb_dot, 0, 2 * sizeof *zb_dot);
  *s_dw_dot = 0;
  if (f->kind == SB_FRICTION_BRISTLE) {
    bristles(f, f_n, v, zb, s_dw, force, zb_dot, s_dw_dot);
  } else if (f->kind == SB_FRICTION_STRIBECK) {
    const double speed = hypot(v[0], v[1]), ratio = speed / f->v_stribeck;
    const double mu = f->mu_kinetic + (static_of(f) - f->mu_kinetic) * exp(-ratio * ratio);
    const double factor = mu * f_n * direction(f, speed);
    force[0] = factor * v[0];
    force[1] = factor * v[1];
  }
  force[0] += f->sigma2 * v[0];
  force[1] += f->sigma2 * v[1];
}

double sb_friction_kappa(const sb_friction *f, double f_n) {
  return f->mu_kinetic * f_n > 0 ? f->v_stribeck * f->sigma1 / (f->mu_kinetic * f_n) : HUGE_VAL;
}
