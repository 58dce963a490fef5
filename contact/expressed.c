// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/expressed.h"

#include <float.h>
#include <math.h>

#include "contact/blame_private.h"

static sb_status refuse_rest(const sb_contact_law *law, double z, double rest, const char **about,
                             sb_error *err) {
  (void)sb_fail(err, SB_ERR_RANGE,
                "the damping-force of the law '%s' must be 0 where zd = 0: at z = %s m it is %s N",
                law->normal->name, sb_number_word(z).text, sb_number_word(rest).text);
  sb_error_hint(err, "what does not depend on zd is a part of the energy, by its integral");
  return sb_blame(about, "damping-force", SB_ERR_RANGE);
}

/** g(z, 0) = 0 at depths of all sizes: a force at rest would be neither stored nor dissipated. It may be too large for
 *  a number at some of them, which depend on the units, but not at all. */
static sb_status check_rest(const sb_contact_law *law, const char **about, sb_error *err) {
  static const double most = 1, least = 1e-30; // [m]
  bool defined = law->damping_force == NULL;
  for (double z = most; z > least && law->damping_force != NULL; z /= 10) {
    const double slots[SB_EXPRESSION_VARIABLES_MAX] = {z, 0};
    const double rest = sb_contact_law_viscous(law, 0, z, 0, NULL);
    defined = defined || isfinite(rest);
    if (fabs(rest) > 4 * DBL_EPSILON * sb_expression_terms(law->damping_force, slots, NULL, NULL)) {
      return refuse_rest(law, z, rest, about, err);
    }
  }
  return defined ? SB_OK : refuse_rest(law, most, NAN, about, err);
}

/** g zd is what it takes: one that only gives has the wrong sign. Whether it ever gives a run tells. */
static sb_status check_sign(const sb_contact_law *law, const char **about, sb_error *err) {
  static const double depths[] = {1e-9, 1e-6, 1e-3, 1},
                      rates[] = {-1, -1e-3, 1e-3, 1}; // [m], [m/s]
  double z = 0, zd = 0, gives = 0;
  for (int i = 0; i < 16 && law->damping_force != NULL; i++) {
    const double force = sb_contact_law_viscous(law, 0, depths[i / 4], rates[i % 4], NULL);
    if (force * rates[i % 4] > 0) {
      return SB_OK;
    }
    if (force * rates[i % 4] < 0) {
      z = depths[i / 4], zd = rates[i % 4], gives = force;
    }
  }
  if (gives == 0) {
    return SB_OK;
  }
  (void)sb_fail(
      err, SB_ERR_RANGE,
      "the damping-force of the law '%s' must have the sign of zd: at z = %s m and zd = %s "
      "m/s it is %s N",
      law->normal->name, sb_number_word(z).text, sb_number_word(zd).text,
      sb_number_word(gives).text);
  sb_error_hint(err, "f = dV/dz + g, and g zd is dissipated");
  return sb_blame(about, "damping-force", SB_ERR_RANGE);
}

sb_status sb_expressed_check(const sb_contact_law *law, const char **about, sb_error *err) {
  const sb_expression *V = law->potential.energy;
  static const int others[] = {SB_POTENTIAL_X, SB_POTENTIAL_Y, SB_POTENTIAL_THETA, SB_POTENTIAL_R};
  if (V == NULL) {
    return sb_blame(about, NULL,
                    sb_fail(err, SB_ERR_MISSING, "energy is missing: normal=\"%s\" needs it",
                            law->normal->name));
  }
  for (int i = 0; i < 4; i++) {
    if (sb_expression_uses(V, others[i])) {
      (void)sb_fail(err, SB_ERR_CHOICE, "the energy of the law '%s' depends on z alone, not on %s",
                    law->normal->name, sb_contact_law_arguments[others[i]].name);
      sb_error_hint(err, "normal=\"potential\" takes an energy of x, y, r, z and theta");
      return sb_blame(about, "energy", SB_ERR_CHOICE);
    }
  }
  SB_TRY(sb_blame(about, "energy", sb_potential_check(&law->potential, law->normal->name, err)));
  SB_TRY(check_rest(law, about, err));
  return check_sign(law, about, err);
}

sb_status sb_contact_law_copy_expressions(const sb_contact_law *law, sb_contact_law *to,
                                          sb_error *err) {
  to->potential.energy = to->damping_force = NULL;
  if (law->potential.energy != NULL) {
    SB_TRY(sb_expression_copy(law->potential.energy, &to->potential.energy, err));
  }
  return law->damping_force != NULL
             ? sb_expression_copy(law->damping_force, &to->damping_force, err)
             : SB_OK;
}

void sb_contact_law_finish(sb_contact_law *law) {
  sb_expression_destroy(law->potential.energy);
  sb_expression_destroy(law->damping_force);
  law->potential.energy = law->damping_force = NULL;
}
