// SPDX-License-Identifier: GPL-3.0-or-later
// Makes links of bodies: a fixed joint adds a body to the link of its parent, any other becomes a chain of links, one for
// each primitive, of which the last has the body.
#include "mechanism/tree.h"

#include "core/base/array.h"
#include "mechanism/tree_private.h"

sb_status tree_joint_axes(const char *owner, const char *name, sb_vec3 axis, sb_vec3 second,
                          sb_mat3 *axes, sb_error *err) {
  const double largest = sb_vec3_largest(axis);
  if (!(largest > 0) || !isfinite(largest)) {
    return sb_fail_at(err, SB_ERR_RANGE, "axis", "the axis of the joint %s'%s' is zero", owner,
                      name);
  }
  const sb_vec3 z = sb_vec3_direction(axis);
  sb_vec3 x, y;
  sb_tangent_basis(z, &x, &y);
  if (sb_vec3_largest(second) > 0) {
    const sb_vec3 across = sb_vec3_cross(z, sb_vec3_direction(second));
    if (!(sb_vec3_norm(across) > 1e-9)) {
      return sb_fail_at(err, SB_ERR_RANGE, "second",
                        "the two axes of the joint %s'%s' are parallel", owner, name);
    }
    y = sb_vec3_normalize(across);
    x = sb_vec3_cross(y, z);
  }
  *axes = mat3_of(x, y, z);
  return SB_OK;
}

/** The axes with the wanted one as z, by a cyclic permutation. */
static sb_mat3 line_axes(sb_mat3 axes, char wanted) {
  const sb_vec3 x = mat3_column(axes, 0), y = mat3_column(axes, 1), z = mat3_column(axes, 2);
  return wanted == 'x' ? mat3_of(y, z, x) : wanted == 'y' ? mat3_of(z, x, y) : axes;
}

static sb_status check_body(const sb_tree_body bodies[], int i, sb_error *err) {
  const sb_tree_body *b = &bodies[i];
  if (b->parent < SB_TREE_WORLD || b->parent >= i) {
    return sb_fail_at(err, SB_ERR_REFERENCE, "parent",
                      "the body '%s' must stand behind the body that carries it", b->name);
  }
  SB_TRY(sb_inertia_check(&b->inertia, err));
  int k = 0;
  for (const sb_joint_step *step = b->joint->steps; step->primitive != NULL; step++) {
    const sb_primitive *p = step->primitive;
    for (int end = k + p->velocities; k < end; k++) {
      if (!(b->stiffness[k] >= 0) || !isfinite(b->stiffness[k]) || !isfinite(b->rest[k])) {
        return sb_fail_at(err, SB_ERR_RANGE, "stiffness",
                          "the stiffness of the joint of '%s' must be finite, and not negative",
                          b->name);
      }
      if (p->coordinates > p->velocities && b->stiffness[k] > 0) {
        return sb_fail_at(err, SB_ERR_RANGE, "stiffness",
                          "the joint of '%s' turns freely and takes no stiffness against that",
                          b->name);
      }
    }
  }
  return SB_OK;
}

/** A link of one primitive. @param axes  of the link in the joint's frame, before it in those of the link before */
static void add_link(sb_tree *tree, const sb_tree_body *b, const sb_primitive *p, int parent,
                     sb_pose place) {
  const placed_body *body = &tree->body[tree->bodies];
  const int spring = tree->velocities - body->joint.velocity;
  const sb_mat3 less = sb_mat3_add(place.rotation, sb_mat3_scale(sb_mat3_identity(), -1));
  tree_link *l = &tree->link[tree->links++];
  *l = (tree_link){.parent = parent,
                   .coordinate = tree->coordinates,
                   .velocity = tree->velocities,
                   .body = tree->bodies,
                   .line = p->velocities == 1,
                   .turns = p->turns,
                   .aligned = sb_mat3_contract(less, less) == 0,
                   .leaf = true,
                   .floats = b->floats && parent < 0,
                   .advance = p->pitch   ? b->pitch
                              : p->turns ? 0
                                         : 1,
                   .at = place.position,
                   .axes = place.rotation};
  for (int k = 0; k < p->velocities; k++) {
    l->stiffness[k] = b->stiffness[spring + k];
    l->rest[k] = b->rest[spring + k];
    l->sprung = l->sprung || l->stiffness[k] > 0;
  }
  tree->coordinates += p->coordinates;
  tree->velocities += p->velocities;
}

static void add_inertia(tree_link *l, sb_inertia a) {
  l->mass += a.mass;
  l->first = sb_vec3_add(l->first, a.first);
  l->second = sym3_add(l->second, sym3_of(a.second));
}

/** The chain of links of a body's joint, and the body in the last of them or in its parent's. */
static sb_status add_body(sb_tree *tree, const sb_tree_body *b, sb_error *err) {
  placed_body *body = &tree->body[tree->bodies];
  *body = (placed_body){.link = SB_TREE_WORLD, .pose = sb_pose_identity()};
  if (b->parent >= 0) {
    *body = tree->body[b->parent];
  }
  body->joint = (sb_tree_joint){b->joint, tree->coordinates, sb_joint_coordinates(b->joint),
                                tree->velocities, sb_joint_velocities(b->joint)};
  sb_pose place = sb_pose_compose(body->pose, b->in_parent);
  sb_mat3 before = sb_mat3_identity(), all = before;
  for (const sb_joint_step *step = b->joint->steps; step->primitive != NULL; step++) {
    sb_mat3 axes = sb_mat3_identity();
    if (step->primitive->velocities == 1) {
      SB_TRY(tree_joint_axes("of ", b->name, b->axis, b->second, &all, err));
      axes = line_axes(all, step->axis);
    }
    place.rotation = sb_mat3_mul(place.rotation, sb_mat3_mul(sb_mat3_transpose(before), axes));
    add_link(tree, b, step->primitive, body->link, place);
    body->link = tree->links - 1;
    place = sb_pose_identity();
    before = axes;
  }
  body->parent = b->parent;
  body->frame = sb_pose_compose(b->in_body, (sb_pose){all, {0, 0, 0}});
  body->inertia = b->inertia;
  place.rotation = sb_mat3_mul(place.rotation, sb_mat3_transpose(before));
  body->pose = sb_pose_compose(place, sb_pose_inverse(b->in_body));
  if (body->link >= 0) {
    add_inertia(&tree->link[body->link], sb_inertia_transform(body->pose, b->inertia));
  }
  tree->bodies++;
  return SB_OK;
}

/** Who carries links, who is the last that its parent carries, and what they move. */
static void mark_ends(sb_tree *tree) {
  for (int i = 0; i < tree->links; i++) {
    tree_link *l = &tree->link[i];
    l->moved = l->mass;
    l->drifts = !l->turns && (l->parent < 0 || tree->link[l->parent].drifts);
  }
  for (int i = tree->links - 1; i >= 0; i--) {
    tree_link *l = &tree->link[i];
    if (l->parent >= 0) {
      tree->link[l->parent].moved += l->moved;
      l->last = tree->link[l->parent].leaf;
      tree->link[l->parent].leaf = false;
    }
  }
}

/** The bodies of each link, in `order`. */
static void sort_bodies(sb_tree *tree) {
  for (int i = 0; i < tree->bodies; i++) {
    if (tree->body[i].link >= 0) {
      tree->link[tree->body[i].link].bodies++;
    }
  }
  for (int i = 0, before = 0; i < tree->links; i++) {
    tree->link[i].first_body = before;
    before += tree->link[i].bodies;
    tree->link[i].bodies = 0;
  }
  for (int i = 0; i < tree->bodies; i++) {
    if (tree->body[i].link >= 0) {
      tree_link *l = &tree->link[tree->body[i].link];
      tree->order[l->first_body + l->bodies++] = i;
    }
  }
}

sb_status tree_compile(sb_tree *tree, const sb_tree_body bodies[], int count, int *faulty,
                       sb_error *err) {
  int links = 0;
  for (int i = 0; i < count; i++) {
    *faulty = i;
    SB_TRY(check_body(bodies, i, err));
    for (const sb_joint_step *step = bodies[i].joint->steps; step->primitive != NULL; step++) {
      links++;
    }
  }
  tree->body = sb_zeroed(count, sizeof *tree->body);
  tree->order = sb_zeroed(count, sizeof *tree->order);
  tree->link = sb_zeroed(links, sizeof *tree->link);
  if (tree->body == NULL || tree->order == NULL || tree->link == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < count; i++) {
    *faulty = i;
    SB_TRY(add_body(tree, &bodies[i], err));
  }
  mark_ends(tree);
  sort_bodies(tree);
  return SB_OK;
}

int sb_tree_bodies(const sb_tree *tree) {
  return tree->bodies;
}
int sb_tree_coordinates(const sb_tree *tree) {
  return tree->coordinates;
}
int sb_tree_velocities(const sb_tree *tree) {
  return tree->velocities;
}
int sb_tree_scratch(const sb_tree *tree) {
  return tree->links * (int)(sizeof(link_state) / sizeof(double)) + 3; // the point to count from
}
sb_tree_joint sb_tree_joint_of(const sb_tree *tree, int body) {
  return tree->body[body].joint;
}

double sb_tree_mass(const sb_tree *tree) {
  double sum = 0;
  for (int i = 0; i < tree->links; i++) {
    sum += tree->link[i].mass;
  }
  return sum;
}
