// SPDX-License-Identifier: GPL-3.0-or-later
// Series combination of two viscoelastic skins on se(2) x T, Stramigioli and Duindam eqs (20), (28),
// and the point c where their springs meet, eq (22) in its label-symmetric form
// alpha = C1_nn / (C1_nn + C2_nn), c = (1 - alpha) p1 + alpha p2 (the printed fraction is inverted).
#include <math.h>

#include "contact/contact.h"
#include "contact/skin_private.h"

sb_material sb_material_rigid(void) {
  return (sb_material){
      {HUGE_VAL, HUGE_VAL, HUGE_VAL}, HUGE_VAL, {HUGE_VAL, HUGE_VAL, HUGE_VAL}, HUGE_VAL};
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
  if (m->stiffness[0] != m->stiffness[1] || m->damping[0] != m->damping[1]) {
    return sb_fail(err, SB_ERR_NOT_YET,
                   "a material whose tangent-x and tangent-y differ is not "
                   "supported yet");
  }
  return SB_OK;
}

sb_status sb_contact_skin_combine(const sb_material *m1, const sb_material *m2,
                                  const sb_contact_law *law, sb_contact_skin *skin, sb_error *err) {
  SB_TRY(check_material(m1, err));
  SB_TRY(check_material(m2, err));
  double k1 = m1->stiffness[2], k2 = m2->stiffness[2], a = law->damping_factor;
  bool rigid = isinf(k1) && isinf(k2);
  if (rigid && law->stiffness == 0) {
    return sb_fail(err, SB_ERR_RANGE,
                   "both sides are rigid: one of them needs a material, or the "
                   "law a stiffness");
  }
  double k_t = series(m1->stiffness[0], m2->stiffness[0]);
  double k_n = law->stiffness > 0 ? law->stiffness : series(k1, k2);
  double k_theta = series(m1->spin_stiffness, m2->spin_stiffness);
  double sticking = law->slips ? law->friction_damping : a;
  *skin =
      (sb_contact_skin){.k_t = k_t,
                        .k_n = k_n,
                        .k_theta = k_theta,
                        .b_t = series(m1->damping[0], m2->damping[0]) + sticking * k_t,
                        .b_n = series(m1->damping[2], m2->damping[2]) + a * k_n,
                        .b_theta = series(m1->spin_damping, m2->spin_damping) + sticking * k_theta,
                        .alpha = rigid || k1 + k2 == 0 ? 0.5
                                 : isinf(k1)           ? 0
                                 : isinf(k2)           ? 1
                                                       : k2 / (k1 + k2)};
  return k_n > 0 ? SB_OK : sb_fail(err, SB_ERR_RANGE, "the normal stiffness of the pair is zero");
}

double sb_contact_normal_force(const sb_contact_law *law, const sb_contact_skin *skin, double gap,
                               double gap_rate, double *pull) {
  double elastic;
  (void)law->normal->energy(law, skin->k_n, -gap, &elastic);
  *pull = law->normal->ratio(law, skin->k_n, -gap) - skin->b_n * gap_rate;
  return elastic - law->normal->damping(law, -gap) * skin->b_n * gap_rate;
}
