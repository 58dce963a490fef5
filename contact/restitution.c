// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/restitution.h"

#include <math.h>

#include "contact/bounce.h"
#include "contact/impact.h"

bool sb_impact_by_group(const sb_contact_law *law) {
  return law->normal->energy == NULL && !law->normal->potential;
}

double sb_impact_damping_of(const sb_contact_law *law, double v) {
  const double factor = law->damping_factor + law->impact_damping / fmax(v, law->least_speed);
  return law->damping + factor * law->stiffness;
}

double sb_impact_group(const sb_contact_law *law, double m, double v) {
  const double n = law->exponent, k = law->stiffness;
  return sb_impact_damping_of(law, v) / k * pow(v, law->rate_exponent) *
         pow(m * v * v / k, (law->damping_exponent - n) / (n + 1));
}

static sb_status out_of_range(sb_error *err) {
  return sb_fail(err, SB_ERR_RANGE, "an impact needs a finite mass, speed, stiffness and damping");
}

sb_status sb_impact_restitution_of(const sb_contact_law *law, double G, double *e, sb_error *err) {
  const sb_bounce c = {
      .n = law->exponent, .p = law->damping_exponent, .q = law->rate_exponent, .G = G};
  *e = 1;
  if (!sb_impact_by_group(law)) {
    return sb_fail(err, SB_ERR_CHOICE, "the law '%s' is not one of powers", law->normal->name);
  }
  if (!(G >= 0 && isfinite(G))) {
    return out_of_range(err);
  }
  if (c.p == c.n && c.q == 1) {
    *e = sb_impact_restitution(G);
    return SB_OK;
  }
  return sb_bounce_run(&c, e)
             ? SB_OK
             : sb_fail(err, SB_ERR_SOLVER,
                       "the impact cannot be integrated: the damping is too strong, G = %s",
                       sb_number_word(G).text);
}

/** Of a law by functions. */
static sb_status prepare(const sb_contact_law *law, double m, double v, sb_bounce *c,
                         sb_error *err) {
  *c = (sb_bounce){.law = law, .mass = m, .speed = v, .factor = 1};
  if (!(m > 0 && v > 0 && isfinite(m * v * v))) {
    return out_of_range(err);
  }
  c->b = sb_impact_damping_of(law, v);
  c->pulls = law->normal->potential || !law->clamp;
  c->length = sb_bounce_length(law, m, v);
  return c->length > 0
             ? SB_OK
             : sb_fail(err, SB_ERR_RANGE,
                       "the spring of the law '%s' never holds the energy of the impact, %s J",
                       law->normal->name, sb_number_word(0.5 * m * v * v).text);
}

static sb_status run(const sb_bounce *c, double *e, sb_error *err) {
  return sb_bounce_run(c, e)
             ? SB_OK
             : sb_fail(err, SB_ERR_SOLVER, "the impact on the law '%s' cannot be integrated",
                       c->law->normal->name);
}

sb_status sb_impact_restitution_at(const sb_contact_law *law, double m, double v, double factor,
                                   double *e, sb_error *err) {
  sb_bounce c;
  *e = 1;
  if (sb_impact_by_group(law)) {
    return sb_impact_restitution_of(law, sb_impact_group(law, m, v), e, err);
  }
  SB_TRY(prepare(law, m, v, &c, err));
  c.factor = factor;
  return run(&c, e, err);
}

/** What is sought, as a multiple of a size: G itself, the factor of a viscous function, or a damping. */
typedef struct search {
  const sb_contact_law *law;
  sb_bounce c;
  double size;
} search;

static sb_status restitution_at(search *s, double x, double *e, sb_error *err) {
  if (sb_impact_by_group(s->law)) {
    return sb_impact_restitution_of(s->law, x, e, err);
  }
  *(s->law->damping_force != NULL ? &s->c.factor : &s->c.b) = x * s->size;
  return run(&s->c, e, err);
}

/** Sizes at which the damping is as strong as the spring. */
static sb_status prepare_search(search *s, double m, double v, sb_error *err) {
  const sb_contact_law *law = s->law;
  const double n = law->exponent, k = law->stiffness;
  if (sb_impact_by_group(law)) {
    s->size =
        k / pow(v, law->rate_exponent) * pow(m * v * v / k, (n - law->damping_exponent) / (n + 1));
    return SB_OK;
  }
  SB_TRY(prepare(law, m, v, &s->c, err));
  const double L = s->c.length, rest = sb_contact_law_viscous(law, 0, L, v, NULL);
  const double force =
      law->damping_force != NULL ? rest : sb_contact_law_viscous(law, 1, L, v, NULL) - rest;
  s->size = m * v * v / L / force;
  return s->size > 0 && isfinite(s->size)
             ? SB_OK
             : sb_fail(err, SB_ERR_RANGE, "no damping gives the law '%s' a restitution",
                       law->normal->name);
}

sb_status sb_impact_damping_for(const sb_contact_law *law, double m, double v, double e, double *b,
                                sb_error *err) {
  static const double least = -32, most = 16; // of the logarithm of what is sought
  search s = {.law = law};
  double low = least, high = 0, found = 1;
  *b = 0;
  if (!(e > 0 && e <= 1)) {
    return sb_fail(err, SB_ERR_RANGE, "a restitution is above 0 and at most 1: it is %s",
                   sb_number_word(e).text);
  }
  if (e == 1) {
    return SB_OK;
  }
  SB_TRY(prepare_search(&s, m, v, err));
  for (; found > e && high <= most; high += 1) { // e falls as it grows
    SB_TRY(restitution_at(&s, exp(high), &found, err));
  }
  if (found > e) {
    return sb_fail(err, SB_ERR_RANGE, "no damping gives the law '%s' a restitution of %s",
                   law->normal->name, sb_number_word(e).text);
  }
  for (double x = 0.5 * (low + high); x != low && x != high; x = 0.5 * (low + high)) {
    SB_TRY(restitution_at(&s, exp(x), &found, err));
    *(found > e ? &low : &high) = x;
  }
  *b = exp(0.5 * (low + high)) * s.size;
  return SB_OK;
}
