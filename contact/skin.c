// SPDX-License-Identifier: GPL-3.0-or-later
// Series combination of two viscoelastic skins on se(2) x T, Stramigioli and Duindam eqs (19), (20), (27), (28):
// springs and dampers given at p1 and p2 are the same at c, between them on the line of the normal. The point c is where
// the springs meet, by their normal parts (21), eq (22) in its label-symmetric form
// alpha = C1_nn / (C1_nn + C2_nn), c = (1 - alpha) p1 + alpha p2 (the printed fraction is inverted).
#include <float.h>
#include <math.h>

#include "contact/contact.h"
#include "contact/hertz.h"
#include "contact/skin_private.h"
#include "contact/tensor.h"

sb_material sb_material_rigid(void) {
  return (sb_material){.stiffness = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                       .spin_stiffness = HUGE_VAL,
                       .damping = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                       .spin_damping = HUGE_VAL,
                       .youngs_modulus = HUGE_VAL};
}

double sb_series(double a, double b) {
  if (isinf(a) || isinf(b)) {
    return isinf(a) && isinf(b) ? 0 : isinf(a) ? b : a;
  }
  const double product = a * b;
  if (product >= DBL_MIN && product <= DBL_MAX) {
    return product / (a + b);
  }
  return a > 0 && b > 0 ? fmin(a, b) / (1 + fmin(a, b) / fmax(a, b)) : 0;
}

static sb_status check(double value, const char *what, sb_error *err) {
  return value >= 0 ? SB_OK
                    : sb_fail(err, SB_ERR_RANGE, "the %s of a material must not be negative", what);
}

sb_status sb_material_check(const sb_material *m, sb_error *err) {
  sb_contact_side side;
  for (int i = 0; i < 3; i++) {
    SB_TRY(check(m->stiffness[i], "stiffness", err));
    SB_TRY(check(m->damping[i], "damping", err));
  }
  SB_TRY(check(m->spin_stiffness, "spin-stiffness", err));
  SB_TRY(check(m->spin_damping, "spin-damping", err));
  SB_TRY(check(m->youngs_modulus, "youngs-modulus", err));
  if (!(m->poisson_ratio > -1 && m->poisson_ratio <= 0.5)) {
    return sb_fail(err, SB_ERR_RANGE, "a poisson-ratio is above -1 and at most 0.5, not %s",
                   sb_number_word(m->poisson_ratio).text);
  }
  const double *k = m->stiffness_coupling, *b = m->damping_coupling;
  if (m->axes == SB_AXES_BODY) {
    return sb_contact_side_init(m, &side, err);
  }
  if (m->stiffness[0] != m->stiffness[1] || m->damping[0] != m->damping[1] || k[0] != 0 ||
      k[1] != 0 || k[2] != 0 || b[0] != 0 || b[1] != 0 || b[2] != 0) {
    (void)sb_fail(err, SB_ERR_RANGE,
                  "a material with directions needs axes that turn with the body");
    sb_error_hint(err, "axes=\"body\": the numbers are then along x, y and z of the body");
    return SB_ERR_RANGE;
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

/** Mindlin (1949), Johnson section 7.4: a patch of radius r has K_t = 8 G* r, 1/G* = (2 - nu1)/G1 +
 *  (2 - nu2)/G2, and k_theta = (16/3) r^3/(1/G1 + 1/G2). The springs' energies are those of a patch of 1 m, and
 *  maps make them those of the patch. */
static sb_status combine_shear(const sb_material m[2], sb_contact_data *s, sb_error *err) {
  double slide = 0, turn = 0;
  if (!s->law.hertz || s->directed) {
    return sb_fail(err, SB_ERR_RANGE,
                   "tangential=\"mindlin\" needs the law hertz, and materials without axes of the "
                   "body");
  }
  for (int i = 0; i < 2; i++) {
    double nu = m[i].poisson_ratio, G = m[i].youngs_modulus / (2 * (1 + nu));
    slide += (2 - nu) / G;
    turn += 1 / G;
  }
  s->shear = 8 / slide;
  s->torsion = 16.0 / 3 / turn;
  s->skin.k_t = s->shear;
  s->skin.k_theta = s->torsion;
  s->skin.b_t = sb_series(m[0].damping[0], m[1].damping[0]);
  s->skin.b_theta = sb_series(m[0].spin_damping, m[1].spin_damping);
  return SB_OK;
}

static double normal_of(const sb_material *m) {
  return m->normal_stiffness > 0 ? m->normal_stiffness : m->stiffness[2];
}

/** alpha of a pair whose law has a stiffness of its own, or an energy, too: by the normal stiffnesses of the materials; by their moduli where
 *  one has no stiffness; halfway where nothing compares them. */
static double share_of_first(const sb_material m[2], double k1, double k2) {
  if (isinf(k1) || isinf(k2)) {
    return isinf(k1) && isinf(k2) ? 0.5 : isinf(k1) ? 0 : 1;
  }
  if (k1 > 0 && k2 > 0) {
    return k2 / (k1 + k2);
  }
  if (m[0].youngs_modulus > 0 && m[1].youngs_modulus > 0) {
    const double c1 = sb_hertz_compliance(m[0].youngs_modulus, m[0].poisson_ratio);
    const double c2 = sb_hertz_compliance(m[1].youngs_modulus, m[1].poisson_ratio);
    return c1 + c2 > 0 ? c1 / (c1 + c2) : 0.5;
  }
  return 0.5;
}

/** k_n and alpha of a pair with a normal stiffness that is the same everywhere. */
static sb_status combine_normals(const sb_contact_spec *spec, sb_contact_data *s, sb_error *err) {
  double k1 = normal_of(&spec->material[0]), k2 = normal_of(&spec->material[1]);
  bool rigid = isinf(k1) && isinf(k2);
  if (rigid && s->law.stiffness == 0 && !sb_contact_law_by_energy(&s->law)) {
    return sb_fail(err, SB_ERR_RANGE,
                   "both sides are rigid: one of them needs a material, or the "
                   "law a stiffness");
  }
  s->skin.alpha = share_of_first(spec->material, k1, k2);
  if (sb_contact_law_by_energy(&s->law)) {
    s->skin.k_n = 0;
    return SB_OK;
  }
  s->skin.k_n = s->law.stiffness > 0 ? s->law.stiffness : sb_series(k1, k2);
  if (s->skin.k_n > SB_STIFFNESS_MAX) {
    return sb_fail(err, SB_ERR_RANGE,
                   "the normal stiffness of the pair is too large: it must be at most %s, not %s",
                   sb_number_word(SB_STIFFNESS_MAX).text, sb_number_word(s->skin.k_n).text);
  }
  if (s->skin.k_n > 0) {
    return SB_OK;
  }
  for (int i = 0; i < 2; i++) {
    const sb_material *m = &spec->material[i];
    if (normal_of(m) == 0 && m->youngs_modulus > 0) {
      (void)sb_fail(err, SB_ERR_RANGE,
                    "the normal stiffness of the pair is zero: the law '%s' needs one, and the "
                    "material of '%s' has only moduli",
                    s->law.normal->name, spec->body[i]);
      sb_error_hint(err, "law=\"hertz\" uses the moduli; or give the material a "
                         "stiffness=\"0 0 1e4 N/m\"");
      return SB_ERR_RANGE;
    }
  }
  (void)sb_fail(err, SB_ERR_RANGE, "the normal stiffness of the pair is zero");
  sb_error_hint(err, "give a material the normal stiffness that the law '%s' needs",
                s->law.normal->name);
  return SB_ERR_RANGE;
}

/** The stiffness that stands for all directions of the plane: that of the mean compliance. */
static double mean_stiffness(const sb_contact_side *side, const sb_material *m) {
  const sb_mat3 *C = &side->compliance;
  return side->directed ? 3 / (C->m[0][0] + C->m[1][1] + C->m[2][2]) : m->stiffness[0];
}

sb_status sb_contact_skin_combine(const sb_contact_spec *spec, sb_contact_data *contact,
                                  sb_error *err) {
  const sb_material *m = spec->material;
  sb_contact_side *side = contact->side;
  for (int i = 0; i < 2; i++) {
    SB_TRY(sb_material_check(&m[i], err));
    SB_TRY(sb_contact_side_init(&m[i], &side[i], err));
    contact->directed = contact->directed || side[i].directed;
  }
  contact->directed_point = !contact->law.hertz && sb_contact_sides_direct(side);
  contact->directed_normal = contact->directed_point && contact->law.stiffness == 0 &&
                             !sb_contact_law_by_energy(&contact->law);
  double a = sb_contact_tangential_factor(&contact->law);
  double k_t = sb_series(mean_stiffness(&side[0], &m[0]), mean_stiffness(&side[1], &m[1]));
  double k_theta = sb_series(m[0].spin_stiffness, m[1].spin_stiffness);
  double b_t = sb_series(m[0].damping[0], m[1].damping[0]) + a * k_t;
  contact->skin =
      (sb_contact_skin){.k_t = k_t,
                        .k_theta = k_theta,
                        .b_t = b_t,
                        .b_n = sb_series(m[0].damping[2], m[1].damping[2]),
                        .b_theta = sb_series(m[0].spin_damping, m[1].spin_damping) + a * k_theta,
                        .map = {1, 0, 1},
                        .spin_map = 1,
                        .drag = {b_t, 0, b_t}};
  SB_TRY(contact->law.hertz ? combine_moduli(spec, contact, err)
                            : combine_normals(spec, contact, err));
  if (contact->law.normal->potential && contact->law.slips && contact->skin.b_theta == 0) {
    // of the moment of V, as large as that of the tangential drag at the radius of friction
    contact->skin.b_theta = b_t * contact->law.friction_radius * contact->law.friction_radius;
  }
  if (contact->law.friction.kind != SB_FRICTION_NONE) { // stands for these springs and dampers
    sb_contact_skin *skin = &contact->skin;
    skin->k_t = skin->k_theta = skin->b_t = skin->b_theta = 0;
    skin->drag[0] = skin->drag[2] = 0;
    return SB_OK;
  }
  return contact->law.tangential == SB_TANGENTIAL_MINDLIN ? combine_shear(m, contact, err) : SB_OK;
}

void sb_contact_store_load(const double effort[SB_CONTACT_DIM], double load[SB_LOAD_COUNT]) {
  load[SB_LOAD_X] = effort[SB_CONTACT_X];
  load[SB_LOAD_Y] = effort[SB_CONTACT_Y];
  load[SB_LOAD_THETA] = effort[SB_CONTACT_THETA];
  load[SB_LOAD_NORMAL] = -effort[SB_CONTACT_Z];
}

double sb_contact_push(const sb_contact_law *law, const sb_contact_frame *frame,
                       const double load[SB_LOAD_COUNT], const sb_branches *branches) {
  const double viscous =
      sb_contact_law_viscous(law, frame->skin.b_n, -frame->gap, -frame->twist.z, branches);
  return frame->pushing != 0 ? fmax(load[SB_LOAD_NORMAL] + viscous, 0) : 0;
}

double sb_contact_normal_force(const sb_contact_law *law, const sb_contact_skin *skin, double gap,
                               double gap_rate, double *pull) {
  double elastic;
  (void)sb_contact_law_energy(law, skin->k_n, -gap, NULL, &elastic);
  *pull = sb_contact_law_pull(law, skin->k_n, skin->b_n, -gap, -gap_rate);
  return elastic + sb_contact_law_viscous(law, skin->b_n, -gap, -gap_rate, NULL);
}
