// SPDX-License-Identifier: GPL-3.0-or-later
// Series combination of two viscoelastic skins on se(2) x T, Stramigioli and Duindam eqs (20), (28),
// and the point c where their springs meet, eq (22) in its label-symmetric form
// alpha = C1_nn / (C1_nn + C2_nn), c = (1 - alpha) p1 + alpha p2 (the printed fraction is inverted).
#include <math.h>

#include "contact/contact.h"
#include "contact/hertz.h"
#include "contact/skin_private.h"

sb_material sb_material_rigid(void) {
  return (sb_material){.stiffness = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                       .spin_stiffness = HUGE_VAL,
                       .damping = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                       .spin_damping = HUGE_VAL,
                       .youngs_modulus = HUGE_VAL};
}

/** K1 K2 / (K1 + K2) with its limits: a rigid one gives the other, a zero gives zero. Two rigid ones
 *  give zero: then only the law's own stiffness acts. */
static double series(double a, double b) {
  if (isinf(a) || isinf(b)) {
    return isinf(a) && isinf(b) ? 0 : isinf(a) ? b : a;
  }
  return a + b > 0 ? a * b / (a + b) : 0;
}

static sb_status check(double value, const char *what, sb_error *err) {
  return value >= 0 ? SB_OK
                    : sb_fail(err, SB_ERR_RANGE, "the %s of a material must not be negative", what);
}

static sb_status check_material(const sb_material *m, sb_error *err) {
  for (int i = 0; i < 3; i++) {
    SB_TRY(check(m->stiffness[i], "stiffness", err));
    SB_TRY(check(m->damping[i], "damping", err));
  }
  SB_TRY(check(m->spin_stiffness, "spin-stiffness", err));
  SB_TRY(check(m->spin_damping, "spin-damping", err));
  SB_TRY(check(m->youngs_modulus, "youngs-modulus", err));
  if (!(m->poisson_ratio > -1 && m->poisson_ratio <= 0.5)) {
    return sb_fail(err, SB_ERR_RANGE,
                   "the poisson-ratio of a material must be above -1 and at most 0.5");
  }
  if (m->stiffness[0] != m->stiffness[1] || m->damping[0] != m->damping[1]) {
    return sb_fail(err, SB_ERR_NOT_YET,
                   "a material whose tangent-x and tangent-y differ is not "
                   "supported yet");
  }
  return SB_OK;
}

/** E* of the pair, and alpha from the shares of both bodies in 1/E*. */
static sb_status combine_moduli(const sb_contact_spec *spec, sb_contact_data *s, sb_error *err) {
  const sb_material *m = spec->material;
  double compliance[2];
  if (s->law.stiffness > 0) {
    return sb_fail(err, SB_ERR_RANGE,
                   "the law '%s' takes its stiffness from the materials: leave out the law's own",
                   s->law.normal->name);
  }
  for (int i = 0; i < 2; i++) {
    if (m[i].youngs_modulus == 0) {
      (void)sb_fail(err, SB_ERR_MISSING,
                    "the law '%s' needs a Young's modulus, and the material of '%s' has none",
                    s->law.normal->name, spec->body[i]);
      sb_error_hint(err, "give the material youngs-modulus and poisson-ratio");
      return SB_ERR_MISSING;
    }
    compliance[i] = sb_hertz_compliance(m[i].youngs_modulus, m[i].poisson_ratio);
  }
  double sum = compliance[0] + compliance[1];
  s->modulus = 1 / sum;
  s->skin.alpha = compliance[0] / sum;
  return sum > 0 ? SB_OK
                 : sb_fail(err, SB_ERR_RANGE,
                           "both sides are rigid: one of them needs a material with a Young's "
                           "modulus");
}

/** k_n and alpha of a pair with a normal stiffness that is the same everywhere. */
static sb_status combine_normals(const sb_contact_law *law, double k1, double k2,
                                 sb_contact_skin *skin, sb_error *err) {
  bool rigid = isinf(k1) && isinf(k2);
  if (rigid && law->stiffness == 0) {
    return sb_fail(err, SB_ERR_RANGE,
                   "both sides are rigid: one of them needs a material, or the "
                   "law a stiffness");
  }
  skin->k_n = law->stiffness > 0 ? law->stiffness : series(k1, k2);
  skin->b_n += law->damping_factor * skin->k_n;
  skin->alpha = rigid || k1 + k2 == 0 ? 0.5 : isinf(k1) ? 0 : isinf(k2) ? 1 : k2 / (k1 + k2);
  if (skin->k_n > 0) {
    return SB_OK;
  }
  (void)sb_fail(err, SB_ERR_RANGE, "the normal stiffness of the pair is zero");
  sb_error_hint(err, "give a material the normal stiffness that the law '%s' needs",
                law->normal->name);
  return SB_ERR_RANGE;
}

sb_status sb_contact_skin_combine(const sb_contact_spec *spec, sb_contact_data *contact,
                                  sb_error *err) {
  const sb_material *m1 = &spec->material[0], *m2 = &spec->material[1];
  sb_contact_skin *skin = &contact->skin;
  SB_TRY(check_material(m1, err));
  SB_TRY(check_material(m2, err));
  const sb_contact_law *law = &contact->law;
  double a = law->slips ? law->friction_damping : law->damping_factor;
  double k_t = series(m1->stiffness[0], m2->stiffness[0]);
  double k_theta = series(m1->spin_stiffness, m2->spin_stiffness);
  *skin = (sb_contact_skin){.k_t = k_t,
                            .k_theta = k_theta,
                            .b_t = series(m1->damping[0], m2->damping[0]) + a * k_t,
                            .b_n = series(m1->damping[2], m2->damping[2]),
                            .b_theta = series(m1->spin_damping, m2->spin_damping) + a * k_theta};
  return contact->law.normal->hertz
             ? combine_moduli(spec, contact, err)
             : combine_normals(&contact->law, m1->stiffness[2], m2->stiffness[2], skin, err);
}

double sb_contact_normal_force(const sb_contact_law *law, const sb_contact_skin *skin, double gap,
                               double gap_rate, double *pull) {
  double elastic;
  (void)law->normal->energy(law, skin->k_n, -gap, &elastic);
  *pull = law->normal->ratio(law, skin->k_n, -gap) - skin->b_n * gap_rate;
  return elastic - law->normal->damping(law, -gap) * skin->b_n * gap_rate;
}
