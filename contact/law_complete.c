// SPDX-License-Identifier: GPL-3.0-or-later
// What a normal law gives of the parameters of a contact law, and what of them it refuses.
#include <math.h>

#include "contact/blame_private.h"
#include "contact/law.h"

static sb_status fail_fixed(const sb_normal_law *law, const char *name, double value,
                            sb_error *err) {
  sb_status status = sb_fail(err, SB_ERR_RANGE, "the %s of the law '%s' is always %s", name,
                             law->name, sb_number_word(value).text);
  sb_error_hint(err, "leave it out, or take normal=\"power\", whose exponents are free");
  return status;
}

/** The exponents of the row, and whether what is given may differ from them. */
static sb_status complete_exponents(sb_contact_law *law, const char **about, sb_error *err) {
  const sb_normal_law *row = law->normal;
  const double n = law->exponent, p = law->damping_exponent, near = 1e-12;
  law->exponent = n == 0 || row->free == SB_FIXED_EXPONENTS ? row->n : n;
  const double own_p = row->p < 0 ? law->exponent : row->p;
  law->damping_exponent = p < 0 || row->free != SB_FREE_EXPONENTS ? own_p : p;
  if (n != 0 && fabs(n - law->exponent) > near) {
    return sb_blame(about, "exponent", fail_fixed(row, "exponent", row->n, err));
  }
  if (p >= 0 && fabs(p - law->damping_exponent) > near) {
    return sb_blame(about, "damping-exponent", fail_fixed(row, "damping-exponent", own_p, err));
  }
  if (law->rate_exponent != 1 && row->free != SB_FREE_EXPONENTS) {
    return sb_blame(about, "rate-exponent", fail_fixed(row, "rate-exponent", 1, err));
  }
  return SB_OK;
}

/** A surface that recovers needs a force that ends before the gap opens. */
static sb_status check_recovery(const sb_contact_law *law, const char **about, sb_error *err) {
  if (!law->recovers) {
    return SB_OK;
  }
  if (law->normal->potential) {
    return sb_blame(
        about, "recovery",
        sb_fail(err, SB_ERR_ATTRIBUTE,
                "recovery is not for the law '%s': its force lasts until the gap opens, and "
                "nothing is left to recover",
                law->normal->name));
  }
  return law->clamp
             ? SB_OK
             : sb_blame(about, "recovery",
                        sb_fail(err, SB_ERR_ATTRIBUTE,
                                "recovery begins where the force ends: it needs clamp=\"yes\""));
}

static sb_status complete_restitution(sb_contact_law *law, const char **about, sb_error *err) {
  const double e = law->restitution;
  const char *name = law->normal->name;
  if (law->normal->rigid && !isnan(e) && !(e >= 0 && e <= 1)) {
    sb_status status =
        sb_blame(about, "restitution",
                 sb_fail(err, SB_ERR_RANGE,
                         "the restitution of the law 'rigid' must be from 0 to 1: it is %s",
                         sb_number_word(e).text));
    sb_error_hint(err, "above 1 an impact would supply energy");
    return status;
  }
  if (law->normal->restitution == NULL) {
    law->impact_damping = 0;
    if (isnan(e) || law->normal->rigid) {
      return SB_OK;
    }
    return sb_blame(about, "restitution",
                    sb_fail(err, SB_ERR_ATTRIBUTE, "the law '%s' takes no restitution, but %s",
                            name,
                            law->normal->expressed   ? "a damping-force"
                            : law->normal->potential ? "the damping of the materials"
                                                     : "a damping"));
  }
  if (isnan(e)) {
    return sb_blame(
        about, NULL,
        sb_fail(err, SB_ERR_MISSING, "restitution is missing: the law '%s' needs it", name));
  }
  if (!(e > 0 && e <= 1)) {
    return sb_blame(
        about, "restitution",
        sb_fail(err, SB_ERR_RANGE,
                "the restitution of the law '%s' must be above 0 and at most 1: it is %s", name,
                sb_number_word(e).text));
  }
  if (law->damping != 0 || law->damping_factor != 0) {
    return sb_blame(
        about, law->damping != 0 ? "damping" : "damping-factor",
        sb_fail(err, SB_ERR_ATTRIBUTE,
                "the law '%s' takes its damping from the restitution: leave out the other", name));
  }
  law->impact_damping = law->normal->restitution(e);
  return SB_OK;
}

sb_status sb_contact_law_check_radius(const sb_contact_law *law, sb_error *err) {
  const sb_expression *V = law->normal->potential ? law->potential.energy : NULL;
  const bool turns = V != NULL && sb_expression_uses(V, SB_POTENTIAL_THETA);
  return law->slips && turns && !(law->friction_radius > 0)
             ? sb_fail(err, SB_ERR_MISSING,
                       "friction-radius must be positive: the energy depends on theta, and "
                       "friction=\"coulomb\" limits its moment by it")
             : SB_OK;
}

/** @return SB_ERR_RANGE for a number that is negative */
static sb_status check_sizes(const sb_contact_law *law, const char **about, sb_error *err) {
  const struct {
    const char *name;
    double value;
  } sizes[] = {{"stiffness", law->stiffness},
               {"damping", law->damping},
               {"damping-factor", law->damping_factor}};
  for (int i = 0; i < 3; i++) {
    if (!(sizes[i].value >= 0)) {
      char unit[SB_CONTACT_LAW_UNIT_SIZE];
      sb_contact_law_unit(law, sizes[i].name, unit, sizeof unit);
      return sb_blame(
          about, sizes[i].name,
          sb_fail(err, SB_ERR_RANGE, "the %s of the law '%s' must not be negative: it is %s %s",
                  sizes[i].name, law->normal->name, sb_number_word(sizes[i].value).text, unit));
    }
  }
  return SB_OK;
}

sb_status sb_contact_law_complete(sb_contact_law *law, const char **about, sb_error *err) {
  if (about != NULL) {
    *about = NULL;
  }
  if (law->normal == NULL || !(law->exponent >= 0) || !(law->rate_exponent > 0) ||
      !(law->least_speed > 0)) {
    return sb_fail(err, SB_ERR_RANGE,
                   "the contact law needs a normal law, and exponents and least-speed that are "
                   "positive");
  }
  SB_TRY(complete_exponents(law, about, err));
  SB_TRY(check_sizes(law, about, err));
  law->hertz = law->hertz || law->normal->hertz;
  if (law->hertz && fabs(law->exponent - 1.5) > 1e-12) {
    return sb_blame(
        about, "stiffness-from",
        sb_fail(
            err, SB_ERR_RANGE,
            "a stiffness from curvatures needs the exponent 3/2, and that of the law '%s' is %s",
            law->normal->name, sb_number_word(law->exponent).text));
  }
  if (law->damping != 0 && law->damping_factor != 0) {
    return sb_blame(
        about, "damping",
        sb_fail(err, SB_ERR_ATTRIBUTE, "damping and damping-factor exclude each other"));
  }
  if (law->damping_factor != 0 && law->rate_exponent != 1) {
    return sb_blame(
        about, "damping-factor",
        sb_fail(err, SB_ERR_ATTRIBUTE, "a damping-factor needs the rate-exponent 1: give damping"));
  }
  SB_TRY(check_recovery(law, about, err));
  return complete_restitution(law, about, err);
}
