// SPDX-License-Identifier: GPL-3.0-or-later
// What can be read of a tree of bodies, of its joints, bodies and frames. Everything but what joints carry (reactions.c) is
// computed from the state alone. All is done on the second scratch memory.
#include <math.h>
#include <string.h>

#include "mechanism/mechanism_private.h"
#include "mechanism/recursion.h"

enum { JOINT_W = SB_JOINT_MOMENT + 1, JOINT_Q };
#define CARRIED                                                                                    \
  {"force", 3, "N", "what the joint does to its child, world axes"}, {                             \
    "moment", 3, "N.m", "the same, about the joint's place in the child"                           \
  }
const sb_quantity_spec sb_joint_quantities[] = {
    CARRIED,
    {"w", SB_OF_VELOCITIES, NULL,
     "rates of q; of a free turn the angular velocity in those axes of the child that are the "
     "parent's "
     "at q = 0: its own, unless a rotation is given"},
    {"q", SB_OF_COORDINATES, NULL, "coordinates; of a free turn a quaternion"},
    {0}};
static const sb_quantity_spec of_one_velocity[] = {
    CARRIED, {"w", 1, NULL, "rate of the coordinate q"}, {0}};
static const sb_quantity_spec of_no_velocity[] = {CARRIED, {0}};

enum {
  POSITION,
  ROTATION,
  VELOCITY,
  ANGULAR_VELOCITY,
  MOMENTUM,
  ANGULAR_MOMENTUM,
  SPIN,
  ORIGIN,
  AXES
};
#define AXES_OF                                                                                    \
  {"axis-x", 3, "", "of its frame, world axes"}, {"axis-y", 3, "", "likewise"}, {                  \
    "axis-z", 3, "", "likewise"                                                                    \
  }
static const sb_quantity_spec of_body[] = {
    {"position", 3, "m", "of the centre of mass"},
    {"rotation", 4, "", "unit quaternion w x y z"},
    {"velocity", 3, "m/s", "of the centre of mass, world axes"},
    {"angular-velocity", 3, "rad/s", "world axes"},
    {"momentum", 3, "N.s", "world axes"},
    {"angular-momentum", 3, "N.m.s", "about the world's origin, world axes"},
    {"spin", 3, "N.m.s", "angular momentum about the centre of mass, world axes"},
    {"origin", 3, "m", "of the body's frame"},
    AXES_OF,
    {0}};

enum { FRAME_POSITION, FRAME_ROTATION, FRAME_VELOCITY, FRAME_ANGULAR_VELOCITY, FRAME_AXES };
const sb_quantity_spec sb_frame_quantities[] = {{"position", 3, "m", "of its origin"},
                                                {"rotation", 4, "", "unit quaternion w x y z"},
                                                {"velocity", 3, "m/s", "of its origin, world axes"},
                                                {"angular-velocity", 3, "rad/s", "world axes"},
                                                AXES_OF,
                                                {0}};

enum { KINETIC, POTENTIAL, CENTRE, TREE_MOMENTUM, TREE_ANGULAR_MOMENTUM };
static const sb_quantity_spec of_tree[] = {
    {"kinetic-energy", 1, "J", "of all bodies"},
    {"potential-energy", 1, "J", "of gravity and the springs of joints"},
    {"centre", 3, "m", "of mass of all bodies"},
    {"momentum", 3, "N.s", "of all bodies, world axes"},
    {"angular-momentum", 3, "N.m.s", "of all bodies about the world's origin, world axes"},
    {0}};

const sb_quantity_spec *sb_linkage_quantities(sb_linkage_part part, const sb_joint *joint) {
  const int velocities = part == SB_PART_JOINT ? sb_joint_velocities(joint) : 0;
  return part == SB_PART_JOINT || part == SB_PART_CLOSING
             ? (velocities == 0   ? of_no_velocity
                : velocities == 1 ? of_one_velocity
                                  : sb_joint_quantities)
         : part == SB_PART_BODY  ? of_body
         : part == SB_PART_FRAME ? sb_frame_quantities
                                 : of_tree;
}

const sb_quantity_spec *sb_linkage_readable(sb_linkage_part part) {
  return part == SB_PART_JOINT ? sb_joint_quantities : sb_linkage_quantities(part, NULL);
}

static const sb_linkage_quantity *quantity_of(const void *self, int quantity) {
  return &((const sb_linkage_data *)self)->linkage->quantities[quantity];
}

bool sb_linkage_carries(const void *self, int quantity) {
  const sb_linkage_quantity *q = quantity_of(self, quantity);
  return q->part == SB_PART_CLOSING || (q->part == SB_PART_JOINT && q->row <= SB_JOINT_MOMENT);
}

bool sb_linkage_turn(const void *self, int quantity, const double pose[], double vector[]) {
  const sb_linkage_quantity *q = quantity_of(self, quantity);
  const bool turns = sb_linkage_carries(self, quantity) ||
                     (q->part == SB_PART_BODY && q->row >= VELOCITY && q->row != ORIGIN) ||
                     (q->part == SB_PART_FRAME && q->row >= FRAME_VELOCITY) ||
                     (q->part == SB_PART_TREE && q->row >= TREE_MOMENTUM);
  if (turns && vector != NULL) {
    sb_pose_turn_back(pose, vector);
  }
  return turns;
}

/** The tree at the state of the element. */
typedef struct reading {
  const sb_linkage *l;
  sb_vec3 origin; // that places and momenta of the scratch memory are about
  const double *x;
  double *scratch, *v;
} reading;

/** In the world, of a place. */
static void store_place(const reading *r, sb_vec3 place, double out[]) {
  sb_vec3_store(out, sb_vec3_add(r->origin, place));
}

static void store_rotation(sb_mat3 rotation, double out[]) {
  const sb_quat q = sb_quat_from_rotation(rotation);
  const double numbers[4] = {q.w, q.x, q.y, q.z};
  memcpy(out, numbers, sizeof numbers);
}

static void store_axis(sb_mat3 rotation, int axis, double out[]) {
  for (int i = 0; i < 3; i++) {
    out[i] = rotation.m[i][axis];
  }
}

/** A body's centre of mass, and its momentum, both from the common point, world axes. */
static sb_wrench momentum_of(const reading *r, int k, sb_vec3 *centre) {
  const sb_mechanism_body *b = r->l->mechanism->bodies[r->l->bodies[k].body];
  const sb_pose pose = sb_tree_pose(r->l->tree, r->scratch, k);
  const sb_twist twist = sb_tree_twist(r->l->tree, r->scratch, k);
  *centre = sb_pose_point(pose, b->com);
  const sb_vec3 p = sb_vec3_scale(sb_twist_at(twist, *centre), b->mass);
  const sb_vec3 own = sb_mat3_apply_transposed(pose.rotation, twist.angular);
  const sb_vec3 spin = sb_mat3_apply(pose.rotation, sb_mat3_apply(b->inertia, own));
  return (sb_wrench){sb_vec3_add(sb_vec3_cross(*centre, p), spin), p};
}

static void measure_body(const reading *r, int k, int row, double out[]) {
  const sb_pose pose = sb_tree_pose(r->l->tree, r->scratch, k);
  const sb_twist twist = sb_tree_twist(r->l->tree, r->scratch, k);
  sb_vec3 centre;
  const sb_wrench h = momentum_of(r, k, &centre);
  switch (row) {
  case POSITION:
    store_place(r, centre, out);
    break;
  case ROTATION:
    store_rotation(pose.rotation, out);
    break;
  case VELOCITY:
    sb_vec3_store(out, sb_twist_at(twist, centre));
    break;
  case ANGULAR_VELOCITY:
    sb_vec3_store(out, twist.angular);
    break;
  case MOMENTUM:
    sb_vec3_store(out, h.force);
    break;
  case ANGULAR_MOMENTUM:
    sb_vec3_store(out, sb_wrench_from(r->origin, h).moment);
    break;
  case SPIN:
    sb_vec3_store(out, sb_vec3_sub(h.moment, sb_vec3_cross(centre, h.force)));
    break;
  case ORIGIN:
    store_place(r, pose.position, out);
    break;
  default:
    store_axis(pose.rotation, row - AXES, out);
  }
}

static void measure_frame(const reading *r, int k, int row, double out[]) {
  const sb_linkage_frame *f = &r->l->frames[k];
  const sb_pose body = sb_tree_pose(r->l->tree, r->scratch, f->body);
  const sb_pose pose = sb_pose_compose(body, r->l->mechanism->frames[f->frame]->in_body);
  const sb_twist twist = sb_tree_twist(r->l->tree, r->scratch, f->body);
  if (row == FRAME_ROTATION) {
    store_rotation(pose.rotation, out);
    return;
  }
  if (row >= FRAME_AXES) {
    store_axis(pose.rotation, row - FRAME_AXES, out);
    return;
  }
  if (row == FRAME_POSITION) {
    store_place(r, pose.position, out);
    return;
  }
  sb_vec3_store(out, row == FRAME_VELOCITY ? sb_twist_at(twist, pose.position) : twist.angular);
}

static void measure_joint(const reading *r, int k, int row, double out[]) {
  const sb_tree_joint joint = sb_tree_joint_of(r->l->tree, k);
  if (row == JOINT_W) {
    memcpy(out, r->v + joint.velocity, (size_t)joint.velocities * sizeof *out);
  } else {
    memcpy(out, r->x + joint.coordinate, (size_t)joint.coordinates * sizeof *out);
  }
}

static void measure_tree(const reading *r, int row, double out[]) {
  const sb_linkage *l = r->l;
  sb_wrench all = {{0, 0, 0}, {0, 0, 0}};
  sb_vec3 moment = {0, 0, 0};
  double mass = 0;
  for (int k = 0; k < l->body_count; k++) {
    sb_vec3 centre;
    double own = l->mechanism->bodies[l->bodies[k].body]->mass;
    all = sb_wrench_add(all, momentum_of(r, k, &centre));
    moment = sb_vec3_axpy(moment, own, centre);
    mass += own;
  }
  if (row == KINETIC) {
    out[0] = sb_tree_kinetic(l->tree, r->x + l->coordinates, r->v);
  } else if (row == POTENTIAL) {
    out[0] =
        sb_tree_potential(l->tree, r->x, r->scratch, NULL, NULL) + sb_linkage_level(l, r->origin);
  } else if (row == CENTRE) {
    store_place(r, sb_vec3_scale(moment, 1 / mass), out);
  } else {
    sb_vec3_store(out, row == TREE_MOMENTUM ? all.force : sb_wrench_from(r->origin, all).moment);
  }
}

void sb_linkage_read(const void *self, const double x[], const sb_linkage_quantity *q,
                     double scratch[], double v[], double out[]) {
  const reading r = {sb_linkage_of(self), sb_linkage_origin(self), x, scratch, v};
  if (q->part == SB_PART_BODY) {
    measure_body(&r, q->number, q->row, out);
  } else if (q->part == SB_PART_JOINT) {
    measure_joint(&r, q->number, q->row, out);
  } else if (q->part == SB_PART_FRAME) {
    measure_frame(&r, q->number, q->row, out);
  } else {
    measure_tree(&r, q->row, out);
  }
}

void sb_linkage_measure(const void *self, const sb_at *at, int quantity, double out[]) {
  const sb_linkage *l = ((const sb_linkage_data *)self)->linkage;
  const sb_linkage_quantity *q = &l->quantities[quantity];
  double *scratch = at->own + l->scratch.other, *v = scratch + sb_tree_scratch(l->tree);
  if (sb_linkage_carries(self, quantity)) {
    sb_linkage_reaction(self, at, q, out);
    return;
  }
  sb_tree_place_from(l->tree, at->x, sb_linkage_origin(self), scratch);
  if (sb_tree_solve(l->tree, at->x + l->coordinates, scratch, v) != 0) {
    out[0] = NAN;
  } else {
    sb_linkage_read(self, at->x, q, scratch, v, out);
  }
}

/** Of all bodies the largest angular velocity [rad/s], and the largest velocity with that of its turn over its place [m/s]. */
static void largest_motion(const sb_linkage *l, const double scratch[], double *turn,
                           double *shift) {
  *turn = *shift = 0;
  for (int k = 0; k < l->body_count; k++) {
    const sb_pose pose = sb_tree_pose(l->tree, scratch, k);
    const sb_twist twist = sb_tree_twist(l->tree, scratch, k);
    *turn = fmax(*turn, sb_vec3_norm(twist.angular));
    *shift = fmax(*shift, sb_vec3_norm(sb_twist_at(twist, pose.position)));
  }
}

/** Of the numbers of a quantity, with the largest motion of all bodies; those of another kind are not changed. */
static void size_quantity(const sb_linkage *l, const sb_linkage_quantity *q, double turn,
                          double shift, double out[]) {
  const bool joint = q->part == SB_PART_JOINT && q->row == JOINT_W,
             shifts = (q->part == SB_PART_BODY && q->row == VELOCITY) ||
                      (q->part == SB_PART_FRAME && q->row == FRAME_VELOCITY),
             turns = (q->part == SB_PART_BODY && q->row == ANGULAR_VELOCITY) ||
                     (q->part == SB_PART_FRAME && q->row == FRAME_ANGULAR_VELOCITY);
  const int count = joint             ? sb_tree_joint_of(l->tree, q->number).velocities
                    : shifts || turns ? 3
                                      : 0;
  const sb_joint_step *step = joint ? sb_tree_joint_of(l->tree, q->number).kind->steps : NULL;
  for (int i = 0, own = 0; i < count; i++, own++) {
    if (joint && own == step->primitive->velocities) {
      step++;
      own = 0;
    }
    out[i] = fmax(out[i], shifts || (joint && !step->primitive->turns) ? shift : turn);
  }
}

/** @return whether the tree has velocities */
static bool move_tree(const void *self, const sb_at *at, double *turn, double *shift) {
  const sb_linkage *l = sb_linkage_of(self);
  double *scratch = at->own + l->scratch.other, *v = scratch + sb_tree_scratch(l->tree);
  sb_tree_place_from(l->tree, at->x, sb_linkage_origin(self), scratch);
  if (sb_tree_solve(l->tree, at->x + l->coordinates, scratch, v) != 0) {
    return false;
  }
  largest_motion(l, scratch, turn, shift);
  return true;
}

void sb_linkage_sizes(const void *self, const sb_at *at, int quantity, double out[]) {
  double turn, shift;
  if (sb_linkage_carries(self, quantity)) {
    out[0] = out[1] = out[2] = sb_linkage_reaction_size(self, at, quantity_of(self, quantity));
  } else if (move_tree(self, at, &turn, &shift)) {
    size_quantity(sb_linkage_of(self), quantity_of(self, quantity), turn, shift, out);
  }
}

void sb_linkage_signal_sizes(const void *self, const sb_at *at, double own[]) {
  const sb_linkage *l = sb_linkage_of(self);
  double turn, shift;
  if (!move_tree(self, at, &turn, &shift)) {
    return;
  }
  for (int k = 0; k < l->body_count; k++) {
    const sb_linkage_quantity rate = {SB_PART_JOINT, k, JOINT_W};
    if (l->bodies[k].joint_signal >= 0) {
      double *q = own + l->bodies[k].joint_signal;
      *q = fmax(*q, l->length[sb_tree_joint_of(l->tree, k).coordinate]);
      size_quantity(l, &rate, turn, shift, q + 1);
    }
  }
  for (int i = 0; i < l->signal_count; i++) {
    const sb_linkage_signal *s = &l->signals[i];
    double numbers[SB_JOINT_COORDINATES] = {0};
    if (s->by < 0) { // no entry of a Jacobian
      size_quantity(l, &s->quantity, turn, shift, numbers);
      own[s->place] = fmax(own[s->place], numbers[s->component]);
    }
  }
}
