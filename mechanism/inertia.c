// SPDX-License-Identifier: GPL-3.0-or-later
#include "mechanism/inertia.h"

#include <float.h>

#include "mechanism/articulated_private.h"

/** How far rounded numbers may violate what holds for every body: of its own moments, as they are written down,
 *  and of those about the frame's origin, which they are computed from. */
static const double written = 1e-9, computed = 1e-13;

/** x.x 1 - x y^T made symmetric for x != y: the moment of the pair (x, y), bilinear. */
static sb_mat3 pair_moment(sb_vec3 x, sb_vec3 y) {
  const sb_mat3 even = sb_mat3_scale(sb_mat3_identity(), 2 * sb_vec3_dot(x, y));
  const sb_mat3 sum = sb_mat3_add(sb_mat3_outer(x, y), sb_mat3_outer(y, x));
  return sb_mat3_scale(sb_mat3_add(even, sb_mat3_scale(sum, -1)), 0.5);
}

sb_inertia sb_inertia_make(double mass, sb_vec3 centre, sb_mat3 central) {
  return (sb_inertia){mass, sb_vec3_scale(centre, mass),
                      sb_mat3_add(central, sb_mat3_scale(pair_moment(centre, centre), mass))};
}

sb_inertia sb_inertia_add(sb_inertia a, sb_inertia b) {
  return (sb_inertia){a.mass + b.mass, sb_vec3_add(a.first, b.first),
                      sb_mat3_add(a.second, b.second)};
}

/** A point at x goes to R x + d: m -> m, c -> R c + m d, J -> R J R^T + 2 (Rc, d) + m (d, d) by pair moments. */
sb_inertia sb_inertia_transform(sb_pose h_ab, sb_inertia a) {
  const sb_mat3 r = h_ab.rotation;
  const sb_vec3 d = h_ab.position, first = sb_mat3_apply(r, a.first);
  sb_mat3 second = sb_mat3_mul(r, sb_mat3_mul(a.second, sb_mat3_transpose(r)));
  second = sb_mat3_add(second, sb_mat3_scale(pair_moment(first, d), 2));
  second = sb_mat3_add(second, sb_mat3_scale(pair_moment(d, d), a.mass));
  return (sb_inertia){a.mass, sb_vec3_axpy(first, a.mass, d), second};
}

sb_wrench sb_inertia_momentum(const sb_inertia *a, sb_twist t) {
  return (sb_wrench){
      sb_vec3_add(sb_mat3_apply(a->second, t.angular), sb_vec3_cross(a->first, t.linear)),
      sb_vec3_sub(sb_vec3_scale(t.linear, a->mass), sb_vec3_cross(a->first, t.angular))};
}

static double norm(sb_mat3 a) {
  return sqrt(sb_mat3_contract(a, a));
}

/** The second moments of the mass about its centre, the integral of x x^T, are trace(J)/2 - J, and are a
 *  positive semi-definite matrix: this is the inequality of the principal moments. */
sb_status sb_inertia_check(const sb_inertia *a, sb_error *err) {
  const double size = norm(a->second);
  if (!(a->mass >= 0) || !isfinite(a->mass) || !isfinite(size)) {
    return sb_fail(err, SB_ERR_RANGE, "the mass and the inertia must be finite, and not negative");
  }
  if (a->mass == 0 && (size > 0 || sb_vec3_norm(a->first) > 0)) {
    return sb_fail(err, SB_ERR_RANGE, "a body without mass has no inertia");
  }
  if (a->mass == 0) {
    return SB_OK;
  }
  const sb_vec3 c = sb_vec3_scale(a->first, 1 / a->mass);
  const sb_mat3 central = sb_mat3_add(a->second, sb_mat3_scale(pair_moment(c, c), -a->mass));
  const double half = (central.m[0][0] + central.m[1][1] + central.m[2][2]) / 2,
               slack = written * norm(central) + computed * size + DBL_MIN;
  const sb_mat3 moments =
      sb_mat3_add(sb_mat3_scale(sb_mat3_identity(), half + slack), sb_mat3_scale(central, -1));
  sym3_factor unused;
  if (!sym3_factorise(sym3_of(moments), &unused)) {
    return sb_fail(err, SB_ERR_RANGE,
                   "no rigid body has this inertia: a principal moment exceeds "
                   "the sum of the other two");
  }
  return SB_OK;
}
