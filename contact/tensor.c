// SPDX-License-Identifier: GPL-3.0-or-later
// Tensors fixed in bodies. With C_i the compliance of body i, turned with it, and E = [e1 e2] a basis of the
// tangent plane, springs in series have the compliances E^T C_1 E + E^T C_2 E and n.C_1 n + n.C_2 n (eq (20); what
// couples the normal with the plane is left out). K_t is the inverse of the former. Dampers in series likewise, by their
// inverses B_i^-1 (eq (28)): bodies of one time constant, B_i = tau K_i, give B = tau K.
// The symmetric square root of K_t is the map N of the storage, N^T N = K_t, eqs (24), (25): the springs are stretched by
// q_t' = Omega x q_t + N v_t and give N^T dV/dq_t, without loss for whatever N(t) is. The root is smooth in K_t, unlike N of
// the eigenvectors of the relative curvature (23), which jumps where these are equal.
#include "contact/tensor.h"

#include <math.h>

/** A symmetric form of the tangent plane, [a b; b c]. */
typedef struct form {
  double a, b, c;
} form;

static form add(form f, form g) {
  return (form){f.a + g.a, f.b + g.b, f.c + g.c};
}

static double det(form f) {
  return f.a * f.c - f.b * f.b;
}

static form inverse(form f) {
  const double d = 1 / det(f);
  return (form){d * f.c, -d * f.b, d * f.a};
}

/** The positive square root, (F + sqrt(det F))/sqrt(tr F + 2 sqrt(det F)). */
static form root(form f) {
  const double d = sqrt(det(f)), s = 1 / sqrt(f.a + f.c + 2 * d);
  return (form){s * (f.a + d), s * f.b, s * (f.c + d)};
}

/** The tensor of a body on the tangent plane. */
static form on_plane(sb_mat3 tensor, const sb_pose *body, sb_vec3 e1, sb_vec3 e2) {
  const sb_vec3 u = sb_mat3_apply_transposed(body->rotation, e1);
  const sb_vec3 v = sb_mat3_apply_transposed(body->rotation, e2);
  return (form){sb_vec3_dot(u, sb_mat3_apply(tensor, u)), sb_vec3_dot(u, sb_mat3_apply(tensor, v)),
                sb_vec3_dot(v, sb_mat3_apply(tensor, v))};
}

/** The tensor of a body applied to a world vector. */
static sb_vec3 turned(sb_mat3 tensor, const sb_pose *body, sb_vec3 n) {
  const sb_vec3 m = sb_mat3_apply_transposed(body->rotation, n);
  return sb_mat3_apply(body->rotation, sb_mat3_apply(tensor, m));
}

static double along(sb_mat3 tensor, const sb_pose *body, sb_vec3 n) {
  return sb_vec3_dot(n, turned(tensor, body, n));
}

// ---- materials

static sb_mat3 symmetric(const double diagonal[3], const double beside[3]) {
  return (sb_mat3){{{diagonal[0], beside[0], beside[1]},
                    {beside[0], diagonal[1], beside[2]},
                    {beside[1], beside[2], diagonal[2]}}};
}

/** The minors of a positive definite tensor are positive, beyond this share of what its size makes them: the rounding of its entries. */
static const double least = 1e-12;

/** The largest number of a tensor, in size. */
static double largest(sb_mat3 T) {
  return fmax(sb_vec3_largest(sb_vec3_load(T.m[0])),
              fmax(sb_vec3_largest(sb_vec3_load(T.m[1])), sb_vec3_largest(sb_vec3_load(T.m[2]))));
}

/** A power of two that makes the largest number of T one from 0.5 to 1, so that no product overflows or vanishes. */
static double scale_of(sb_mat3 T) {
  int exponent;
  (void)frexp(largest(T), &exponent);
  return ldexp(1, -exponent);
}

static bool is_definite(sb_mat3 T) {
  const sb_mat3 unit = sb_mat3_scale(T, scale_of(T));
  const double(*m)[3] = (const double(*)[3])unit.m;
  const double size = m[0][0] + m[1][1] + m[2][2];
  const double plane = m[0][0] * m[1][1] - m[0][1] * m[0][1];
  const double whole = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[1][2]) -
                       m[0][1] * (m[0][1] * m[2][2] - m[1][2] * m[0][2]) +
                       m[0][2] * (m[0][1] * m[1][2] - m[1][1] * m[0][2]);
  return isfinite(size) && m[0][0] > least * size && plane > least * size * size &&
         whole > least * size * size * size;
}

static sb_status refuse(const char *what, const char *zero, sb_error *err) {
  (void)sb_fail(err, SB_ERR_RANGE,
                "a %s in the axes of the body must be a positive definite tensor%s", what, zero);
  sb_error_hint(err,
                "each number is positive, and those of the coupling are small beside them: "
                "xy^2 < xx yy, and the determinant above %s of the cube of xx + yy + zz",
                sb_number_word(least).text);
  return SB_ERR_RANGE;
}

/** A tensor that is definite, and within the bounds of what the pair computes with. */
static sb_status check(sb_mat3 T, const char *what, const char *unit, const char *zero,
                       sb_error *err) {
  const double most = largest(T);
  if (most > 0 && !(most >= 1 / SB_STIFFNESS_MAX && most <= SB_STIFFNESS_MAX)) {
    return sb_fail(err, SB_ERR_RANGE,
                   "a %s in the axes of the body is too %s: its largest number must be from %s to "
                   "%s %s, not %s %s",
                   what, most > 1 ? "large" : "small", sb_number_word(1 / SB_STIFFNESS_MAX).text,
                   sb_number_word(SB_STIFFNESS_MAX).text, unit, sb_number_word(most).text, unit);
  }
  return is_definite(T) ? SB_OK : refuse(what, zero, err);
}

static sb_mat3 inverse_of(sb_mat3 given) {
  const double by = scale_of(given);
  const sb_mat3 T = sb_mat3_scale(given, by);
  const sb_vec3 a = sb_vec3_load(T.m[0]), b = sb_vec3_load(T.m[1]), c = sb_vec3_load(T.m[2]);
  const sb_vec3 bc = sb_vec3_cross(b, c), ca = sb_vec3_cross(c, a), ab = sb_vec3_cross(a, b);
  const double scale = by / sb_vec3_dot(a, bc);
  return (sb_mat3){{{scale * bc.x, scale * ca.x, scale * ab.x},
                    {scale * bc.y, scale * ca.y, scale * ab.y},
                    {scale * bc.z, scale * ca.z, scale * ab.z}}};
}

static sb_mat3 isotropic(double value) {
  return sb_mat3_scale(sb_mat3_identity(), value);
}

sb_status sb_contact_side_init(const sb_material *m, sb_contact_side *side, sb_error *err) {
  const double normal = m->normal_stiffness > 0 ? m->normal_stiffness : m->stiffness[2];
  const double b[3] = {m->damping[0], m->damping[1], m->damping[2]};
  *side = (sb_contact_side){.compliance = isotropic(1 / m->stiffness[0]),
                            .normal_compliance = 1 / normal,
                            .mobility = isotropic(1 / b[0]),
                            .normal_mobility = 1 / b[2],
                            .undamped = b[0] == 0};
  if (m->axes != SB_AXES_BODY) {
    return SB_OK;
  }
  const sb_mat3 K = symmetric(m->stiffness, m->stiffness_coupling);
  const sb_mat3 B = symmetric(b, m->damping_coupling);
  const bool undamped = sb_mat3_contract(B, B) == 0;
  SB_TRY(check(K, "stiffness", "N/m", "", err));
  if (!undamped) {
    SB_TRY(check(B, "damping", "N.s/m", ", or zero", err));
  }
  *side = (sb_contact_side){.directed = true,
                            .compliance = inverse_of(K),
                            .normal_compliance = m->normal_stiffness > 0 ? 1 / normal : NAN,
                            .mobility = undamped ? isotropic(HUGE_VAL) : inverse_of(B),
                            .normal_mobility = undamped ? HUGE_VAL : NAN,
                            .undamped = undamped};
  return SB_OK;
}

bool sb_contact_sides_direct(const sb_contact_side side[2]) {
  const double C1 = side[0].normal_compliance, C2 = side[1].normal_compliance;
  return !isinf(C1) && !isinf(C2) && (isnan(C1) || isnan(C2));
}

// ---- at a point

static double along_normal(double given, sb_mat3 tensor, const sb_pose *body, sb_vec3 n) {
  return isnan(given) ? along(tensor, body, n) : given;
}

static double normal_compliance(const sb_contact_side *side, const sb_pose *body, sb_vec3 n) {
  return along_normal(side->normal_compliance, side->compliance, body, n);
}

/** Dampers in series: one that yields lets all pass; two rigid ones are none. */
static form damping_on_plane(const sb_contact_data *s, const sb_pose *H[2], sb_vec3 e1,
                             sb_vec3 e2) {
  const sb_contact_side *side = s->side;
  const form none = {0, 0, 0};
  if (side[0].undamped || side[1].undamped) {
    return none;
  }
  const form both =
      add(on_plane(side[0].mobility, H[0], e1, e2), on_plane(side[1].mobility, H[1], e1, e2));
  return both.a + both.c > 0 ? inverse(both) : none;
}

static double damping_along(const sb_contact_data *s, const sb_pose *H[2], sb_vec3 n) {
  double both = 0;
  for (int i = 0; i < 2; i++) {
    both += along_normal(s->side[i].normal_mobility, s->side[i].mobility, H[i], n);
  }
  return both > 0 ? 1 / both : 0;
}

/** The springs and dampers of the tangent plane. */
static void tangent_plane_at(const sb_contact_data *s, sb_vec3 n, const sb_pose *H1,
                             const sb_pose *H2, sb_contact_skin *skin) {
  const sb_pose *H[2] = {H1, H2};
  sb_vec3 e1, e2;
  sb_tangent_basis(n, &e1, &e2);
  form B = damping_on_plane(s, H, e1, e2);
  if (skin->k_t > 0) {
    const form K = inverse(add(on_plane(s->side[0].compliance, H1, e1, e2),
                               on_plane(s->side[1].compliance, H2, e1, e2)));
    const double k = 1 / skin->k_t, a = sb_contact_tangential_factor(&s->law);
    const form N = root((form){k * K.a, k * K.b, k * K.c});
    skin->map[0] = N.a, skin->map[1] = N.b, skin->map[2] = N.c;
    B = add(B, (form){a * K.a, a * K.b, a * K.c});
  }
  skin->drag[0] = B.a, skin->drag[1] = B.b, skin->drag[2] = B.c;
}

void sb_contact_directed_at(const sb_contact_data *s, sb_vec3 n, const sb_pose *H1,
                            const sb_pose *H2, sb_contact_skin *skin) {
  if (s->law.friction.kind == SB_FRICTION_NONE) {
    tangent_plane_at(s, n, H1, H2, skin);
  }
  skin->b_n = damping_along(s, (const sb_pose *[]){H1, H2}, n);
  if (s->directed_point) {
    const double C1 = normal_compliance(&s->side[0], H1, n);
    const double C2 = normal_compliance(&s->side[1], H2, n);
    skin->alpha = C1 / (C1 + C2);
    skin->k_n = s->directed_normal ? 1 / (C1 + C2) : skin->k_n;
  }
}

/** With C = n.C_1 n + n.C_2 n and ln k_n = -ln C: in body 1 the normal turns by L1 u1, in body 2 by -L2 u2. */
sb_wrench sb_contact_directed_hardening(const sb_contact_data *s, const sb_closest *points,
                                        const sb_pose *H1, const sb_pose *H2) {
  const sb_vec3 n = points->normal, none = {0, 0, 0};
  const sb_contact_side *side = s->side;
  const double C = normal_compliance(&side[0], H1, n) + normal_compliance(&side[1], H2, n);
  const bool turns[2] = {isnan(side[0].normal_compliance), isnan(side[1].normal_compliance)};
  const sb_vec3 g1 = turns[0] ? sb_vec3_scale(turned(side[0].compliance, H1, n), -2 / C) : none;
  const sb_vec3 g2 = turns[1] ? sb_vec3_scale(turned(side[1].compliance, H2, n), 2 / C) : none;
  return sb_closest_gradient_by_normals(points, g1, g2);
}
