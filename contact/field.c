// SPDX-License-Identifier: GPL-3.0-or-later
// How the skin of a contact changes over the surfaces. A law with k_n = k(L1 + L2) stores V(depth, k): its
// wrench is the full differential of V, of which V_k dk is a part. k does not feel a common motion of both
// bodies, so that d ln k = K . (T_2 - T_1) with a wrench K: one more row of the projection P in the Dirac
// structure (13)-(15), power-continuous for whatever K.
#include <float.h>
#include <math.h>

#include "contact/hertz.h"
#include "contact/parts.h"
#include "contact/tensor.h"

/** The springs of the patch by Mindlin, as one of the radius sqrt(a b), and their damping. Slip divides by that, also
 *  at the touch: a patch is no smaller than at the depth to which places on surfaces so curved are rounded. */
static void mindlin_at(const sb_contact_data *s, const sb_hertz *hertz, double depth,
                       sb_contact_skin *skin) {
  const double least = DBL_EPSILON / (hertz->curvatures[0] + hertz->curvatures[1]); // [m]
  double a, b;
  sb_hertz_patch(hertz, fmax(depth, least), &a, &b);
  const double r = sqrt(a * b), factor = sb_contact_tangential_factor(&s->law);
  skin->map[0] = skin->map[2] = sqrt(r);
  skin->spin_map = r * sqrt(r);
  skin->drag[0] = skin->drag[2] = skin->b_t + factor * s->shear * r;
  skin->b_theta += factor * s->torsion * r * r * r;
}

/** The Weingarten map of body 1 or 2, less the curvatures that vanish within the patch, of semi-axes `a` and `b` [m]. */
static sb_mat3 least_shape(const sb_surface *s, const sb_pose *body, sb_vec3 p, sb_mat3 shape,
                           sb_vec3 a, sb_vec3 b) {
  if (s->type->least_shape == NULL) {
    return shape;
  }
  const sb_pose pose = sb_pose_compose(*body, s->local);
  const sb_mat3 R = pose.rotation;
  const sb_vec3 x = sb_mat3_apply_transposed(R, sb_vec3_sub(p, pose.position)),
                u = sb_mat3_apply_transposed(R, a), v = sb_mat3_apply_transposed(R, b);
  const sb_vec3 extent = {hypot(u.x, v.x), hypot(u.y, v.y), hypot(u.z, v.z)};
  const sb_mat3 L = s->type->least_shape(s, x, extent);
  return sb_mat3_mul(R, sb_mat3_mul(L, sb_mat3_transpose(R)));
}

/** Hertz's theory takes the gap of the surfaces for a paraboloid all over the patch. Where a relative curvature all but
 *  vanishes within it, it is none, and the k of its middle goes to infinity as that nears such a place. */
static bool is_paraboloid(const sb_contact_data *s, const sb_closest *points, const sb_pose *H1,
                          const sb_pose *H2, const sb_hertz *hertz) {
  static const double vanishing = 0.01; // of the curvature in the middle of the patch
  const sb_surface *s1 = &s->surface[0], *s2 = &s->surface[1];
  double a, b, least[2];
  if (s1->type->least_shape == NULL && s2->type->least_shape == NULL) {
    return true;
  }
  sb_hertz_patch(hertz, fmax(-points->gap, 0), &a, &b);
  const sb_vec3 u = sb_vec3_scale(hertz->long_axis, a),
                v = sb_vec3_scale(sb_vec3_cross(points->normal, hertz->long_axis), b);
  sb_hertz_curvatures(sb_mat3_add(least_shape(s1, H1, points->p1, points->shape1, u, v),
                                  least_shape(s2, H2, points->p2, points->shape2, u, v)),
                      points->normal, least);
  return least[1] > vanishing * hertz->curvatures[1];
}

/** What the law takes from the curvatures: k_n, unless it is held, with its differential, and Mindlin's springs. */
static bool hertz_at(const sb_contact_data *s, const sb_closest *points, const sb_pose *H1,
                     const sb_pose *H2, double held, sb_contact_skin *skin, sb_wrench *hardening) {
  sb_hertz hertz;
  if (!sb_hertz_contact(sb_mat3_add(points->shape1, points->shape2), points->normal, s->modulus,
                        &hertz) ||
      (s->hardens && !is_paraboloid(s, points, H1, H2, &hertz))) {
    return false;
  }
  skin->k_n = held > 0 ? held : hertz.stiffness;
  if (s->law.tangential == SB_TANGENTIAL_MINDLIN) {
    mindlin_at(s, &hertz, -points->gap, skin);
  }
  if (hardening != NULL) {
    *hardening =
        sb_closest_curvature_gradient(points, &s->surface[0], H1, &s->surface[1], H2, hertz.slope);
  }
  return true;
}

/** The direction of x of a potential: the projection of its axis, of length 1. false: that stands on the surface. */
static bool potential_at(const sb_potential *potential, sb_vec3 normal, const sb_pose *H1,
                         double axis[2]) {
  static const double least = 1e-6; // [rad] from the normal
  const sb_vec3 a = sb_mat3_apply(H1->rotation, sb_vec3_load(potential->axis));
  sb_vec3 e1, e2;
  sb_tangent_basis(normal, &e1, &e2);
  const double x = sb_vec3_dot(a, e1), y = sb_vec3_dot(a, e2), size = hypot(x, y);
  axis[0] = x / size;
  axis[1] = y / size;
  return size > least;
}

bool sb_contact_skin_at(const sb_contact_data *s, const sb_closest *points, const sb_pose *H1,
                        const sb_pose *H2, const sb_contact_latch *latch, sb_contact_skin *skin,
                        sb_wrench *hardening) {
  const double held = latch != NULL ? latch->stiffness : 0;
  sb_wrench *wanted = s->hardens ? hardening : NULL;
  *skin = s->skin;
  if (hardening != NULL) {
    *hardening = (sb_wrench){{0, 0, 0}, {0, 0, 0}};
  }
  if (s->directed) {
    sb_contact_directed_at(s, points->normal, H1, H2, skin);
  }
  if (s->directed_normal && wanted != NULL) {
    *wanted = sb_contact_directed_hardening(s, points, H1, H2);
  }
  if (s->law.hertz) {
    if (!hertz_at(s, points, H1, H2, held, skin, wanted)) {
      return false;
    }
  } else if (held > 0) {
    skin->k_n = held;
  }
  if (s->law.normal->potential && !s->law.potential.isotropic &&
      !potential_at(&s->law.potential, points->normal, H1, skin->axis)) {
    return false;
  }
  skin->b_n += s->law.damping + s->law.damping_factor * skin->k_n;
  if (s->law.impact_damping > 0) { // a law with a restitution: a = s(e)/v
    const double v = fmax(latch != NULL ? latch->speed : 0, s->law.least_speed);
    skin->b_n += s->law.impact_damping / v * skin->k_n;
  }
  return true;
}

static double norm(sb_mat3 T) {
  return sqrt(sb_mat3_contract(T, T));
}

double sb_contact_curvature_terms(const sb_contact_data *s, const sb_closest *points) {
  sb_hertz hertz;
  return s->law.hertz && sb_hertz_contact(sb_mat3_add(points->shape1, points->shape2),
                                          points->normal, s->modulus, &hertz)
             ? norm(hertz.slope) * (norm(points->shape1) + norm(points->shape2))
             : 0;
}

/** The curvatures have a stiffness at the point of contact: they vanish elsewhere in the patch. */
static sb_status explain_patch(const sb_contact_data *s, const sb_hertz *hertz, double depth,
                               sb_error *err) {
  double a, b;
  sb_hertz_patch(hertz, fmax(depth, 0), &a, &b);
  (void)sb_fail(err, SB_ERR_CONTACT,
                "the law '%s' does not hold where a curvature vanishes within the patch, as it "
                "does where x, y or z of a superellipsoid is zero: the patch has the semi-axes %s "
                "m and %s m at the depth %s m",
                s->law.normal->name, sb_number_word(a).text, sb_number_word(b).text,
                sb_number_word(fmax(depth, 0)).text);
  sb_error_hint(err,
                "a law with a stiffness of its own, as hunt-crossley, or stiffness-at=\"touch\", "
                "which keeps that of the touch; stiffer materials make the patch smaller");
  return SB_ERR_CONTACT;
}

sb_status sb_contact_explain_skin(const sb_contact_data *s, const sb_closest *points,
                                  sb_error *err) {
  double k[2];
  sb_hertz hertz;
  if (s->law.normal->potential) {
    (void)sb_fail(
        err, SB_ERR_CONTACT,
        "the axis along which x of the energy runs is normal to the surface: x and y have "
        "no direction there");
    sb_error_hint(err, "another axis, or an energy of r, z and theta, which needs none");
    return SB_ERR_CONTACT;
  }
  const sb_mat3 curvature = sb_mat3_add(points->shape1, points->shape2);
  if (sb_hertz_contact(curvature, points->normal, s->modulus, &hertz)) {
    return explain_patch(s, &hertz, -points->gap, err);
  }
  sb_hertz_curvatures(curvature, points->normal, k);
  (void)sb_fail(err, SB_ERR_CONTACT,
                "the law '%s' has no stiffness where %s: the principal relative curvatures are %s "
                "and %s 1/m",
                s->law.normal->name,
                s->surface[0].type->least_shape != NULL || s->surface[1].type->least_shape != NULL
                    ? "a curvature vanishes, as it does where x, y or z of a superellipsoid is zero"
                    : "the bodies conform or touch along a line",
                sb_number_word(k[0]).text, sb_number_word(k[1]).text);
  sb_error_hint(err, "rounder surfaces, or a law with a stiffness of its own");
  return SB_ERR_CONTACT;
}
