// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of closures at a state: the residual g, J, and Jdot v. With the frames A of a joint on its parent and B on
// its child, their relative twist (w, u) where the origin of B is, and the axes a_k of A:
//   held along a_k    g = (o_B - o_A).a_k         dg/dt = a_k.u
//   all directions    g = log(A^T B)_k            dg/dt = a_k.w        to first order at g = 0
//   z of both alike   g = turn of a_z to b_z      dg/dt = a_x.w, a_y.w to first order at g = 0
//   two axes square   g = a_z.b_x                 dg/dt = (b_x x a_z).w
// and a pitch h takes h times the angle about a_z, and a_z.w, off the row of a_z. None of the rows has a position in which
// it is not smooth, or none at all.
#include "geometry/se3.h"
#include "mechanism/closure_private.h"
#include "mechanism/dynamics.h"
#include "mechanism/tree_private.h"

static const sb_vec3 zero = {0, 0, 0};

static sb_pose frame_of(const sb_closures *s, int body, const sb_pose *in_body,
                        const double tree_scratch[]) {
  if (body >= 0) {
    return sb_pose_compose(sb_tree_pose(s->tree, tree_scratch, body), *in_body);
  }
  const sb_vec3 point = sb_vec3_load(tree_point(s->tree, (double *)tree_scratch));
  return (sb_pose){in_body->rotation, sb_vec3_sub(in_body->position, point)};
}

closure_frames closure_frames_of(const sb_closures *s, const closing *c,
                                 const double tree_scratch[]) {
  return (closure_frames){frame_of(s, c->parent, &c->in_parent, tree_scratch),
                          frame_of(s, c->child, &c->in_child, tree_scratch)};
}

/** The turn (x, y) of the z axis to the direction d, all in the same axes. */
static void align(sb_vec3 d, double g[2]) {
  const double across = hypot(d.x, d.y), angle = atan2(across, d.z);
  g[0] = across > 0 ? -d.y * angle / across : angle; // z x d = (-d_y, d_x, 0)
  g[1] = across > 0 ? d.x * angle / across : 0;
}

static void joint_residual(const closing *c, const closure_frames *at, double g[]) {
  const sb_pose relative = sb_pose_compose(sb_pose_inverse(at->parent), at->child);
  const sb_mat3 r = relative.rotation;
  double d[3];
  sb_vec3_store(d, relative.position);
  if (c->pitch != 0) { // which of its turns it is in, the place tells
    const double angle = atan2(r.m[1][0] - r.m[0][1], r.m[0][0] + r.m[1][1]);
    d[2] = remainder(d[2] - c->pitch * angle, 2 * SB_PI * c->pitch);
  }
  for (int k = 0; k < 3; k++) {
    if (c->holds[k]) {
      *g++ = d[k];
    }
  }
  if (c->turns == 3) {
    sb_vec3_store(g, sb_se3_log((sb_pose){r, zero}).angular);
  } else if (c->turns == 2) {
    align(mat3_column(r, 2), g);
  } else if (c->turns == 1) {
    g[0] = r.m[2][0];
  }
}

void sb_closures_residual(const sb_closures *s, const double q[], const double tree_scratch[],
                          double g[]) {
  for (int i = 0; i < s->joints; i++) {
    const closing *c = &s->joint[i];
    const closure_frames at = closure_frames_of(s, c, tree_scratch);
    joint_residual(c, &at, g + c->first);
  }
  for (int i = 0; i < s->couplings; i++) {
    const coupling *c = &s->coupling[i];
    g[c->row] = -c->value;
    for (int k = 0; k < c->count; k++) {
      g[c->row] += c->terms[k].factor * q[c->coordinates[k]];
    }
  }
}

double closure_gap(const sb_closures *s, const double g[], int *row) {
  double most = 0;
  for (int i = 0; i < s->rows; i++) {
    const double gap = s->row_scale[i] * fabs(g[i]);
    if (!(gap <= most)) {
      most = gap;
      *row = i;
    }
  }
  return most;
}

double closure_reach(const sb_closures *s, const double tree_scratch[]) {
  double most = 0;
  for (int i = 0; i < s->joints; i++) {
    const closure_frames at = closure_frames_of(s, &s->joint[i], tree_scratch);
    most = fmax(most, sb_vec3_norm(at.parent.position));
  }
  return s->length + most;
}

double sb_closures_gap(const sb_closures *s, const double g[]) {
  int row;
  return closure_gap(s, g, &row);
}

void closure_wrenches(const closing *c, const closure_frames *at, sb_wrench rows[CLOSURE_ROWS]) {
  const sb_mat3 a = at->parent.rotation;
  for (int k = 0; k < 3; k++) {
    if (c->holds[k]) {
      const sb_vec3 axis = mat3_column(a, k);
      *rows++ = (sb_wrench){k == 2 ? sb_vec3_scale(axis, -c->pitch) : zero, axis};
    }
  }
  for (int k = 0; k < c->turns; k++) {
    const sb_vec3 axis = c->turns == 1
                             ? sb_vec3_cross(mat3_column(at->child.rotation, 0), mat3_column(a, 2))
                             : mat3_column(a, k);
    *rows++ = (sb_wrench){axis, zero};
  }
}

/** How the rows change: axes of a body turn with it. */
static void wrench_rates(const closing *c, const closure_frames *at, sb_vec3 parent, sb_vec3 child,
                         const sb_wrench rows[CLOSURE_ROWS], sb_wrench rates[CLOSURE_ROWS]) {
  for (int k = 0; k < c->rows; k++) {
    rates[k] =
        (sb_wrench){sb_vec3_cross(parent, rows[k].moment), sb_vec3_cross(parent, rows[k].force)};
  }
  if (c->turns == 1) {
    const sb_vec3 x = mat3_column(at->child.rotation, 0), z = mat3_column(at->parent.rotation, 2);
    rates[c->rows - 1].moment = sb_vec3_add(sb_vec3_cross(sb_vec3_cross(child, x), z),
                                            sb_vec3_cross(x, sb_vec3_cross(parent, z)));
  }
}

/** What the rows' wrenches about `point` on a body do along the joints below it, up to the link `end`. */
static void add_path(const sb_tree *tree, const link_state s[], int link, int end, double sign,
                     sb_vec3 point, const closing *c, const sb_wrench rows[CLOSURE_ROWS],
                     double J[]) {
  for (int i = link; i != end; i = tree->link[i].parent) {
    const tree_link *l = &tree->link[i];
    const sb_vec3 arm = sb_vec3_sub(point, s[i].origin);
    for (int k = 0; k < c->rows; k++) {
      double parts[3];
      sb_vec3_store(parts, link_project(l, &s[i], wrench_shift(rows[k], arm)));
      double *entry = &J[k * tree->velocities + l->velocity];
      for (int j = 0; j < link_velocities(l); j++) {
        entry[j] = sign * parts[j];
      }
    }
  }
}

/** The last link that carries both; SB_TREE_WORLD: none. */
static int meeting_link(const sb_tree *tree, int a, int b) {
  while (a != b) {
    if (a > b) {
      a = tree->link[a].parent;
    } else {
      b = tree->link[b].parent;
    }
  }
  return a;
}

static int link_of(const sb_tree *tree, int body) {
  return body < 0 ? SB_TREE_WORLD : tree->body[body].link;
}

void sb_closures_jacobian(const sb_closures *s, const double tree_scratch[], double J[]) {
  const int n = s->velocities;
  for (int i = 0; i < s->rows * n; i++) {
    J[i] = 0;
  }
  for (int i = 0; i < s->joints; i++) {
    const closing *c = &s->joint[i];
    const closure_frames at = closure_frames_of(s, c, tree_scratch);
    sb_wrench rows[CLOSURE_ROWS];
    closure_wrenches(c, &at, rows);
    const int a = link_of(s->tree, c->parent), b = link_of(s->tree, c->child),
              end = meeting_link(s->tree, a, b);
    const sb_vec3 point = at.child.position;
    add_path(s->tree, const_states(tree_scratch), b, end, 1, point, c, rows, J + c->first * n);
    add_path(s->tree, const_states(tree_scratch), a, end, -1, point, c, rows, J + c->first * n);
  }
  for (int i = 0; i < s->couplings; i++) {
    const coupling *c = &s->coupling[i];
    for (int k = 0; k < c->count; k++) {
      J[c->row * n + c->terms[k].velocity] += c->terms[k].factor;
    }
  }
}

/** d/dt (row . V) at vdot = 0, for V = (w, u) the twist of B against A where the origin of B is, which moves with B. */
static void joint_bias(const sb_closures *s, const closing *c, const double tree_scratch[],
                       const sb_twist rates[], double bias[]) {
  const sb_twist rest = {zero, zero};
  const closure_frames at = closure_frames_of(s, c, tree_scratch);
  const sb_twist a = c->parent < 0 ? rest : sb_tree_twist(s->tree, tree_scratch, c->parent),
                 b = c->child < 0 ? rest : sb_tree_twist(s->tree, tree_scratch, c->child);
  const sb_twist da = c->parent < 0 ? rest : rates[c->parent],
                 db = c->child < 0 ? rest : rates[c->child];
  const sb_vec3 point = at.child.position;
  const sb_twist V = twist_shift(sb_twist_sub(b, a), point);
  sb_twist dV = twist_shift(sb_twist_sub(db, da), point);
  dV.linear = sb_vec3_add(dV.linear, sb_vec3_cross(V.angular, sb_twist_at(b, point)));
  sb_wrench rows[CLOSURE_ROWS], changes[CLOSURE_ROWS];
  closure_wrenches(c, &at, rows);
  wrench_rates(c, &at, a.angular, b.angular, rows, changes);
  for (int k = 0; k < c->rows; k++) {
    bias[k] = sb_power(rows[k], dV) + sb_power(changes[k], V);
  }
}

void sb_closures_bias(const sb_closures *s, double tree_scratch[], double scratch[],
                      double bias[]) {
  sb_twist *rates = closure_parts_of(s, scratch).rates;
  sb_tree_accelerations(s->tree, NULL, tree_scratch, rates);
  for (int i = 0; i < s->joints; i++) {
    joint_bias(s, &s->joint[i], tree_scratch, rates, bias + s->joint[i].first);
  }
  for (int i = 0; i < s->couplings; i++) {
    bias[s->coupling[i].row] = 0;
  }
}

void sb_closures_wrenches(const sb_closures *s, const double tree_scratch[], const double lambda[],
                          sb_wrench bodies[], sb_wrench joints[]) {
  for (int i = 0; i < s->joints; i++) {
    const closing *c = &s->joint[i];
    const closure_frames at = closure_frames_of(s, c, tree_scratch);
    sb_wrench rows[CLOSURE_ROWS], sum = {zero, zero};
    closure_wrenches(c, &at, rows);
    for (int k = 0; k < c->rows; k++) {
      sum = sb_wrench_add(sum, sb_wrench_scale(rows[k], lambda[c->first + k]));
    }
    sum = wrench_shift(sum, at.child.position);
    if (joints != NULL) {
      joints[i] = sum;
    }
    if (bodies != NULL && c->child >= 0) {
      bodies[c->child] = sb_wrench_add(bodies[c->child], sum);
    }
    if (bodies != NULL && c->parent >= 0) {
      bodies[c->parent] = sb_wrench_add(bodies[c->parent], sb_wrench_scale(sum, -1));
    }
  }
}
