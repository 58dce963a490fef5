// SPDX-License-Identifier: GPL-3.0-or-later
// A mechanism as data that a test can rewrite (turn, mirror, root elsewhere, split) and write out as a netlist. Poses at the
// start are composed here, by exponentials, from the joints' coordinates.
#ifndef SB_TESTS_MECHANISM_SCENE_H
#define SB_TESTS_MECHANISM_SCENE_H

#include "tests/fixture.h"
#include "tests/mechanism/specimen.h"

enum { WORLD = -1, PARTS_MAX = 16, LINKS_MAX = 20, NETLIST_SIZE = 24000 };

typedef struct part {
  double mass;
  sb_vec3 com;
  sb_mat3 central; // about com
  bool placed; // no joint carries it: where its frame is at the start, and how it moves, world axes
  sb_pose pose;
  sb_vec3 w, v; // of the frame's origin
} part;

/** A joint: child = parent o at o J(q) o turn o (-child_at). */
typedef struct hinge {
  const char *kind;
  int parent, child;
  sb_vec3 at, child_at, axis,
      second; // `second` of universal (second axis) and planar (first direction), else zero
  sb_mat3 turn;
  double pitch, q[3], v[3];
  sb_quat spin; // of a spherical joint in place of q; v in the turned axes
  double stiffness, rest, damping, effort; // of a joint of one coordinate
  bool closes;                             // a loop: nothing of the lines above
} hinge;

typedef struct scene {
  const char *name;
  sb_vec3 gravity;
  part parts[PARTS_MAX];
  hinge links[LINKS_MAX];
  int part_count, link_count;
  int line[2]; // a spring and a damper between points of these parts; the same twice: none
  sb_vec3 line_at[2];
  bool backwards; // the order in the file
} scene;

static inline int add_part(scene *s, double mass, sb_vec3 com, sb_mat3 central) {
  s->parts[s->part_count] =
      (part){.mass = mass, .com = com, .central = central, .pose = sb_pose_identity()};
  assert_true(s->part_count < PARTS_MAX);
  return s->part_count++;
}

static inline hinge *add_link(scene *s, const char *kind, int parent, int child, sb_vec3 at,
                              sb_vec3 axis) {
  assert_true(s->link_count < LINKS_MAX);
  s->links[s->link_count] = (hinge){.kind = kind,
                                    .parent = parent,
                                    .child = child,
                                    .at = at,
                                    .axis = axis,
                                    .turn = sb_mat3_identity(),
                                    .spin = {1, 0, 0, 0}};
  return &s->links[s->link_count++];
}

static inline bool is(const hinge *l, const char *kind) {
  return strcmp(l->kind, kind) == 0;
}

/** The motion J(q) at the start, in the axes of the parent. */
static inline sb_pose motion_of(const hinge *l) {
  if (is(l, "spherical")) {
    return (sb_pose){sb_quat_rotation(l->spin), {0, 0, 0}};
  }
  // joint_motion() makes the second direction perpendicular to the axis; a universal joint's are so.
  const sb_tree_body b = {.joint = sb_joint_find(l->kind),
                          .axis = l->axis,
                          .second = sb_vec3_norm(l->second) > 0
                                        ? l->second
                                        : (sb_vec3){l->axis.y, l->axis.z, -l->axis.x},
                          .pitch = l->pitch};
  return joint_motion(&b, l->q);
}

static inline sb_pose pose_of(const scene *s, int number) {
  if (number == WORLD || s->parts[number].placed) {
    return number == WORLD ? sb_pose_identity() : s->parts[number].pose;
  }
  const hinge *l = s->links;
  while (l->closes || l->child != number) {
    l++;
    assert_true(l < s->links + s->link_count);
  }
  const sb_pose at = {sb_mat3_identity(), l->at}, turn = {l->turn, {0, 0, 0}},
                back = {sb_mat3_identity(), sb_vec3_neg(l->child_at)};
  return sb_pose_compose(sb_pose_compose(sb_pose_compose(pose_of(s, l->parent), at), motion_of(l)),
                         sb_pose_compose(turn, back));
}

// ---- written out

typedef struct text {
  char all[NETLIST_SIZE];
  size_t length;
} text;

static inline void put(text *t, const char *format, ...) {
  va_list args;
  va_start(args, format);
  t->length += (size_t)vsnprintf(t->all + t->length, NETLIST_SIZE - t->length, format, args);
  va_end(args);
  assert_true(t->length < NETLIST_SIZE);
}

static inline void put_vector(text *t, const char *name, sb_vec3 v, const char *unit) {
  put(t, " %s='%.17g %.17g %.17g %s'", name, v.x, v.y, v.z, unit);
}

static inline void put_rotation(text *t, const char *name, sb_quat q) {
  const double sine = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
  put(t, " %s='%.17g rad about %.17g %.17g %.17g'", name, 2 * atan2(sine, q.w), q.x, q.y,
      sine > 0 ? q.z : 1);
}

static inline const char *name_of(int number, char name[12]) {
  (void)snprintf(name, 12, number == WORLD ? "world" : "b%d", number);
  return name;
}

static inline void put_part(text *t, const scene *s, int number) {
  const part *p = &s->parts[number];
  const double(*j)[3] = p->central.m;
  put(t, "<body id='b%d' mass='%.17g kg' inertia='%.17g %.17g %.17g %.17g %.17g %.17g kg.m^2'",
      number, p->mass, j[0][0], j[1][1], j[2][2], j[0][1], j[0][2], j[1][2]);
  put_vector(t, "com", p->com, "m");
  if (p->placed) {
    put_vector(t, "position", p->pose.position, "m");
    put_rotation(t, "rotation", sb_quat_from_rotation(p->pose.rotation));
    put_vector(t, "angular-velocity", p->w, "rad/s");
    put_vector(t, "velocity", p->v, "m/s");
  }
  put(t, "/>");
}

static inline void put_start(text *t, const hinge *l) {
  if (is(l, "spherical")) {
    put_rotation(t, "rotation0", l->spin);
    put_vector(t, "w0", (sb_vec3){l->v[0], l->v[1], l->v[2]}, "rad/s");
  } else if (is(l, "cylindrical")) {
    put(t, " q0='%.17g rad' x0='%.17g m' w0='%.17g rad/s' v0='%.17g m/s'", l->q[0], l->q[1],
        l->v[0], l->v[1]);
  } else if (is(l, "planar")) { // its slides stand first
    put(t, " x0='%.17g %.17g m' q0='%.17g rad' v0='%.17g %.17g m/s' w0='%.17g rad/s'", l->q[0],
        l->q[1], l->q[2], l->v[0], l->v[1], l->v[2]);
  } else if (is(l, "universal")) {
    put(t, " q0='%.17g %.17g rad' w0='%.17g %.17g rad/s'", l->q[0], l->q[1], l->v[0], l->v[1]);
  } else if (!is(l, "fixed")) {
    put(t, " q0='%.17g' w0='%.17g'", l->q[0], l->v[0]);
  }
  if (l->stiffness > 0) {
    put(t, " stiffness='%.17g' rest='%.17g'", l->stiffness, l->rest);
  }
  if (l->damping > 0) {
    put(t, " damping='%.17g'", l->damping);
  }
}

static inline void put_link(text *t, const scene *s, int number) {
  const hinge *l = &s->links[number];
  char parent[12], child[12];
  put(t, "<joint id='j%d' kind='%s' parent='%s' child='%s'", number, l->kind,
      name_of(l->parent, parent), name_of(l->child, child));
  put_vector(t, "at", l->at, "m");
  put_vector(t, "child-at", l->child_at, "m");
  put_rotation(t, "rotation", sb_quat_from_rotation(l->turn));
  if (!is(l, "spherical") && !is(l, "fixed") && !is(l, "free")) {
    put_vector(t, "axis", l->axis, "");
  }
  if (sb_vec3_norm(l->second) > 0) {
    put_vector(t, "axis2", l->second, "");
  }
  if (l->pitch != 0) {
    put(t, " pitch='%.17g m/rad'", l->pitch);
  }
  if (is(l, "free")) { // its motion is that of the part
    const part *p = &s->parts[l->child];
    put_vector(t, "x0", p->pose.position, "m");
    put_rotation(t, "rotation0", sb_quat_from_rotation(p->pose.rotation));
    put_vector(t, "v0", p->v, "m/s");
    put_vector(t, "w0", sb_mat3_apply(sb_mat3_transpose(p->pose.rotation), p->w), "rad/s");
  } else if (!l->closes) {
    put_start(t, l);
  }
  put(t, "/>");
}

static inline void put_network(text *t, const scene *s) {
  put(t, "<network>");
  for (int i = 0; i < s->link_count; i++) {
    const hinge *l = &s->links[i];
    const bool slides = is(l, "prismatic");
    if (l->effort != 0) {
      put(t,
          "<Se id='m%d' domain='%s' effort='%.17g[%s]*cos(3*t/1[s])'/><bond from='m%d' to='j%d'/>",
          i, slides ? "translation" : "rotation", l->effort, slides ? "N" : "N.m", i, i);
    }
  }
  if (s->line[0] != s->line[1]) {
    put(t, "<C id='spring' c='0.02 m/N' domain='translation'/><R id='damper' r='0.7 N.s/m' "
           "domain='translation'/><bond from='line' to='spring'/><bond from='line' to='damper'/>");
  }
  put(t, "</network>");
}

/** What stands in <screwbond>. */
static inline void write_scene(text *t, const scene *s) {
  char from[12], to[12];
  t->length = 0;
  put(t, "<mechanism");
  put_vector(t, "gravity", s->gravity, "m/s^2");
  put(t, ">");
  for (int i = 0; i < s->part_count; i++) {
    put_part(t, s, s->backwards ? s->part_count - 1 - i : i);
  }
  for (int i = 0; i < s->link_count; i++) {
    put_link(t, s, s->backwards ? s->link_count - 1 - i : i);
  }
  if (s->line[0] != s->line[1]) {
    put(t, "<Line id='line' from='%s' to='%s'", name_of(s->line[0], from), name_of(s->line[1], to));
    put_vector(t, "from-at", s->line_at[0], "m");
    put_vector(t, "to-at", s->line_at[1], "m");
    put(t, "/>");
  }
  put(t, "</mechanism>");
  put_network(t, s);
}

#endif
