// SPDX-License-Identifier: GPL-3.0-or-later
// What must not change how a mechanism moves, nor its energies: the scene turned, shifted or mirrored, the tree rooted
// elsewhere, a body split in two that a fixed joint holds together, a free joint in place of none, the order of the file.
#include "tests/mechanism/scene.h"

static const double times[] = {0.25, 0.5};
enum { TIMES = 2 };

// ---- the rewritings; `frame` carries vectors of the original world to those of the rewritten one

/** Of a joint, what is told in its parent's axes: carried over by a pose. */
static void carry_link(hinge *l, sb_pose by) {
  const sb_vec3 v = sb_mat3_apply(by.rotation, (sb_vec3){l->v[0], l->v[1], l->v[2]});
  const sb_vec3 turned = sb_mat3_apply(by.rotation, (sb_vec3){l->spin.x, l->spin.y, l->spin.z});
  l->at = sb_vec3_add(by.position, sb_mat3_apply(by.rotation, l->at));
  l->axis = sb_mat3_apply(by.rotation, l->axis);
  l->second = sb_mat3_apply(by.rotation, l->second);
  l->turn = sb_mat3_mul(by.rotation, l->turn);
  l->spin = (sb_quat){l->spin.w, turned.x, turned.y, turned.z};
  if (is(l, "spherical")) {
    sb_vec3_store(l->v, v);
  }
}

static void turn_scene(scene *s, sb_pose by) {
  s->gravity = sb_mat3_apply(by.rotation, s->gravity);
  for (int i = 0; i < s->part_count; i++) {
    part *p = &s->parts[i];
    p->pose = p->placed ? sb_pose_compose(by, p->pose) : p->pose;
    p->w = sb_mat3_apply(by.rotation, p->w);
    p->v = sb_mat3_apply(by.rotation, p->v);
  }
  for (int i = 0; i < s->link_count; i++) {
    if (s->links[i].parent == WORLD) {
      carry_link(&s->links[i], by);
    }
  }
  for (int e = 0; e < 2; e++) {
    if (s->line[e] == WORLD) {
      s->line_at[e] = sb_vec3_add(by.position, sb_mat3_apply(by.rotation, s->line_at[e]));
    }
  }
}

static sb_vec3 polar(sb_vec3 v) { // places, velocities, forces
  return (sb_vec3){-v.x, v.y, v.z};
}
static sb_vec3 axial(sb_vec3 v) { // angular velocities, moments
  return (sb_vec3){v.x, -v.y, -v.z};
}
static sb_mat3 conjugate(sb_mat3 r) {
  const sb_mat3 s = sb_mat3_diag((sb_vec3){-1, 1, 1});
  return sb_mat3_mul(s, sb_mat3_mul(r, s));
}

/** Everything at its mirror image in the plane x = 0, of the world and of the frame of every body. */
static void mirror_link(hinge *l) {
  const bool slides = is(l, "prismatic");
  const sb_vec3 spin = axial((sb_vec3){l->spin.x, l->spin.y, l->spin.z});
  l->at = polar(l->at);
  l->child_at = polar(l->child_at);
  l->axis = slides ? polar(l->axis) : axial(l->axis);
  l->second = is(l, "planar") ? polar(l->second) : axial(l->second);
  l->turn = conjugate(l->turn);
  l->pitch = -l->pitch;
  l->spin = (sb_quat){l->spin.w, spin.x, spin.y, spin.z};
  if (is(l, "cylindrical")) { // slides against the mirrored axis
    l->q[1] = -l->q[1];
    l->v[1] = -l->v[1];
  } else if (is(l, "spherical")) {
    sb_vec3_store(l->v, axial((sb_vec3){l->v[0], l->v[1], l->v[2]}));
  }
}

static void mirror_scene(scene *s) {
  s->gravity = polar(s->gravity);
  for (int i = 0; i < s->part_count; i++) {
    part *p = &s->parts[i];
    p->com = polar(p->com);
    p->central = conjugate(p->central);
    p->pose = (sb_pose){conjugate(p->pose.rotation), polar(p->pose.position)};
    p->v = polar(p->v);
    p->w = axial(p->w);
  }
  for (int i = 0; i < s->link_count; i++) {
    mirror_link(&s->links[i]);
  }
  s->line_at[0] = polar(s->line_at[0]);
  s->line_at[1] = polar(s->line_at[1]);
}

/** Parent and child change places: J' = turn^T J^-1 turn, about the opposite axes, so that coordinates stay. */
static void reverse_link(hinge *l) {
  const sb_mat3 back = sb_mat3_transpose(l->turn);
  const hinge old = *l;
  const bool two = is(l, "universal"); // the second axis is fixed in the child: it comes first
  l->parent = old.child, l->child = old.parent;
  l->at = old.child_at, l->child_at = old.at;
  l->turn = back;
  l->axis = sb_vec3_neg(sb_mat3_apply(back, two ? old.second : old.axis));
  l->second = sb_vec3_neg(sb_mat3_apply(back, two ? old.axis : old.second));
  if (two) {
    l->q[0] = old.q[1], l->q[1] = old.q[0];
    l->v[0] = old.v[1], l->v[1] = old.v[0];
  } else if (is(l, "spherical")) {
    const sb_vec3 v =
        sb_mat3_apply(sb_quat_rotation(old.spin), (sb_vec3){old.v[0], old.v[1], old.v[2]});
    const sb_vec3 spin = sb_mat3_apply(back, (sb_vec3){-old.spin.x, -old.spin.y, -old.spin.z});
    sb_vec3_store(l->v, sb_vec3_neg(sb_mat3_apply(back, v)));
    l->spin = (sb_quat){old.spin.w, spin.x, spin.y, spin.z};
  }
}

/** Roots the tree at the part `root`, which moves as it did: the joints on the way to it are turned round. One that led from
 *  the world closes a loop then. */
static bool root_scene(scene *s, int root, sb_vec3 w, sb_vec3 v) {
  const sb_pose pose = pose_of(s, root);
  int carriers[LINKS_MAX], count = 0;
  for (int at = root; at != WORLD && !s->parts[at].placed;) {
    for (int i = 0; i < s->link_count; i++) {
      if (!s->links[i].closes && s->links[i].child == at) {
        carriers[count++] = i;
        at = s->links[i].parent;
        break;
      }
    }
  }
  for (int i = 0; i < count; i++) {
    hinge *l = &s->links[carriers[i]];
    if (is(l, "planar") ||
        (l->parent == WORLD && (l->stiffness > 0 || l->damping > 0 || l->effort != 0))) {
      return false;
    }
  }
  for (int i = 0; i < count; i++) {
    hinge *l = &s->links[carriers[i]];
    l->closes = l->parent == WORLD;
    if (!l->closes) {
      s->parts[l->parent].placed = false;
    }
    reverse_link(l);
  }
  for (int i = 0; i < s->link_count; i++) { // a root is the child of no joint
    if (s->links[i].closes && s->links[i].child == root && s->links[i].parent != WORLD) {
      reverse_link(&s->links[i]);
    }
  }
  s->parts[root].placed = true;
  s->parts[root].pose = pose;
  s->parts[root].w = w;
  s->parts[root].v = v;
  return true;
}

/** Takes a share of a part for a second one, whose frame stands elsewhere and which carries every other joint. */
static void split_part(scene *s, int number, double share) {
  part *p = &s->parts[number];
  const sb_pose place = uniform_pose();
  const sb_vec3 apart = sb_vec3_scale(uniform_vec3(1), 0.03);
  const sb_vec3 com = sb_vec3_axpy(p->com, 1 - share, apart);
  const double reduced = share * (1 - share) * p->mass, square = sb_vec3_dot(apart, apart);
  // I = I1 + I2 + mu (d^2 - d d^T) for two bodies d apart
  const sb_mat3 rest = sb_mat3_add(
      p->central, sb_mat3_scale(sb_mat3_add(sb_mat3_scale(sb_mat3_identity(), square),
                                            sb_mat3_scale(sb_mat3_outer(apart, apart), -1)),
                                -reduced));
  const sb_mat3 back = sb_mat3_transpose(place.rotation);
  const int other =
      add_part(s, share * p->mass, sb_mat3_apply(back, sb_vec3_sub(com, place.position)),
               sb_mat3_mul(back, sb_mat3_mul(sb_mat3_scale(rest, share), place.rotation)));
  p->com = sb_vec3_axpy(p->com, -share, apart);
  p->mass *= 1 - share;
  p->central = sb_mat3_scale(rest, 1 - share);
  const sb_pose inverse = {back, sb_vec3_neg(sb_mat3_apply(back, place.position))};
  for (int i = 0; i < s->link_count; i++) {
    if (s->links[i].parent == number && i % 2 == 1) {
      s->links[i].parent = other;
      carry_link(&s->links[i], inverse);
    }
  }
  add_link(s, "fixed", number, other, place.position, (sb_vec3){0, 0, 1})->turn = place.rotation;
}

static bool free_joints(scene *s) {
  bool any = false;
  for (int i = 0; i < s->part_count; i++) {
    if (s->parts[i].placed) {
      add_link(s, "free", WORLD, i, (sb_vec3){0, 0, 0}, (sb_vec3){0, 0, 1});
      s->parts[i].placed = false;
      any = true;
    }
  }
  return any;
}

// ---- runs

/** Of the frame of every part at every time its origin, velocity and angular velocity; energies since the start. */
typedef struct history {
  int count;
  sb_vec3 position[TIMES][PARTS_MAX], velocity[TIMES][PARTS_MAX], w[TIMES][PARTS_MAX];
  sb_vec3 w0[PARTS_MAX], v0[PARTS_MAX];
  double stored[TIMES], dissipated[TIMES], supplied[TIMES];
} history;

static sb_vec3 vector(const run *r, int number, const char *quantity) {
  char name[60];
  double out[3];
  (void)snprintf(name, sizeof name, "b%d.%s", number, quantity);
  read_all(r, name, out);
  return sb_vec3_load(out);
}

/** Of the origin of its frame: its centre of mass may be split. */
static sb_vec3 velocity(const run *r, int number) {
  const sb_vec3 arm = sb_vec3_sub(vector(r, number, "position"), vector(r, number, "origin"));
  return sb_vec3_sub(vector(r, number, "velocity"),
                     sb_vec3_cross(vector(r, number, "angular-velocity"), arm));
}

static void record(const scene *s, int count, history *h) {
  static text t;
  write_scene(&t, s);
  char *whole = malloc(NETLIST_SIZE + 200);
  assert_non_null(whole);
  (void)snprintf(whole, NETLIST_SIZE + 200,
                 "<screwbond version='1' id='m'>%s<run t-end='9 s'/></screwbond>", t.all);
  run r = prepare(whole);
  free(whole);
  r.netlist->options.method = sb_method_find("fehlberg-8");
  r.netlist->options.rtol = 1e-12;
  start_by(&r, &r.netlist->options);
  h->count = count;
  for (int i = 0; i < count; i++) {
    h->w0[i] = vector(&r, i, "angular-velocity");
    h->v0[i] = velocity(&r, i);
  }
  for (int k = 0; k < TIMES; k++) {
    advance(&r, times[k]);
    assert_balanced(&r);
    const sb_account *total = &ledger_of(&r)->total;
    h->stored[k] = total->stored_end - total->stored_start;
    h->dissipated[k] = total->dissipated;
    h->supplied[k] = total->supplied;
    for (int i = 0; i < count; i++) {
      h->position[k][i] = vector(&r, i, "origin");
      h->velocity[k][i] = velocity(&r, i);
      h->w[k][i] = vector(&r, i, "angular-velocity");
    }
  }
  stop(&r);
}

static double worst;

static void compare(const char *name, const char *change, const char *what, sb_vec3 a, sb_vec3 b) {
  const double off = sb_vec3_norm(sb_vec3_sub(a, b)) / (1 + sb_vec3_norm(b));
  worst = fmax(worst, off);
  if (!(off <= 1e-9)) {
    fail_msg("%s, %s: %s off by %.3g: (%.12g %.12g %.12g), (%.12g %.12g %.12g)", name, change, what,
             off, a.x, a.y, a.z, b.x, b.y, b.z);
  }
}

/** Runs a rewritten scene; it moves as before, carried over by `by`, and mirrored before that. */
static void same(const scene *s, const history *h, const char *change, bool mirrored, sb_pose by) {
  static history other;
  record(s, h->count, &other);
  for (int k = 0; k < TIMES; k++) {
    const sb_vec3 energies = {h->stored[k], h->dissipated[k], h->supplied[k]};
    compare(s->name, change, "energies (stored, dissipated, supplied)",
            (sb_vec3){other.stored[k], other.dissipated[k], other.supplied[k]}, energies);
    for (int i = 0; i < h->count; i++) {
      const sb_vec3 p = mirrored ? polar(h->position[k][i]) : h->position[k][i];
      const sb_vec3 v = mirrored ? polar(h->velocity[k][i]) : h->velocity[k][i];
      const sb_vec3 w = mirrored ? axial(h->w[k][i]) : h->w[k][i];
      compare(s->name, change, "position", other.position[k][i],
              sb_vec3_add(by.position, sb_mat3_apply(by.rotation, p)));
      compare(s->name, change, "velocity", other.velocity[k][i], sb_mat3_apply(by.rotation, v));
      compare(s->name, change, "angular velocity", other.w[k][i], sb_mat3_apply(by.rotation, w));
    }
  }
}

/** Roots it at the part `root`. @return false: its joints do not let it */
static bool root_as_it_moves(scene *s, const history *h, int root) {
  return root_scene(s, root, h->w0[root], h->v0[root]);
}

static void every_rewriting(const scene *original) {
  static history h;
  const sb_pose rest = sb_pose_identity();
  const sb_pose by = {sb_quat_rotation(sb_quat_from_axis_angle((sb_vec3){0.3, -0.5, 0.9}, 0.83)),
                      {0.71, -1.13, 0.42}};
  const int last = original->part_count - 1;
  record(original, original->part_count, &h);
  scene s = *original;
  s.backwards = true;
  same(&s, &h, "order of the file", false, rest);
  s = *original;
  turn_scene(&s, by);
  same(&s, &h, "turned and shifted", false, by);
  s = *original;
  mirror_scene(&s);
  same(&s, &h, "mirrored", true, rest);
  s = *original;
  split_part(&s, last, 0.37);
  split_part(&s, 0, 0.61);
  same(&s, &h, "split", false, rest);
  for (int root = 0; root <= last; root += last > 0 ? last : 1) {
    s = *original;
    if (root_as_it_moves(&s, &h, root)) {
      same(&s, &h, root == 0 ? "rooted at its first part" : "rooted at its last part", false, rest);
    }
  }
  s = *original;
  if (root_as_it_moves(&s, &h, last) && free_joints(&s)) {
    same(&s, &h, "rooted at its last part by a free joint", false, rest);
  }
  s = *original;
  mirror_scene(&s);
  turn_scene(&s, by);
  split_part(&s, last / 2, 0.5);
  (void)free_joints(&s);
  s.backwards = true;
  same(&s, &h, "all of it", true, by);
}

// ---- the scenes

static int rod_part(scene *s, double mass, sb_vec3 end) {
  const double square = sb_vec3_dot(end, end) + 0.04; // 0.2 m thick
  return add_part(s, mass, sb_vec3_scale(end, 0.5),
                  sb_mat3_scale(sb_mat3_add(sb_mat3_scale(sb_mat3_identity(), square),
                                            sb_mat3_scale(sb_mat3_outer(end, end), -1)),
                                mass / 12));
}

/** About its centre, of a body with random second moments. */
static sb_mat3 uniform_central(double mass) {
  const sb_inertia i = uniform_inertia(mass);
  const sb_vec3 c = sb_vec3_scale(i.first, 1 / mass);
  const sb_mat3 of_point = sb_inertia_make(mass, c, sb_mat3_diag((sb_vec3){0, 0, 0})).second;
  return sb_mat3_add(i.second, sb_mat3_scale(of_point, -1));
}

static const sb_vec3 none = {0, 0, 0};

static scene empty(const char *name) {
  return (scene){.name = name, .gravity = {0.7, -9.3, 2.1}};
}

/** Three rods, axes askew, a spring, a damper and a motor at the joints. */
static void pendulum_with_springs(void **state) {
  (void)state;
  scene s = empty("triple pendulum");
  for (int i = 0; i < 3; i++) {
    (void)rod_part(&s, 1.3 + i, (sb_vec3){0.4, -0.7, 0.2 * i});
    hinge *l =
        add_link(&s, "revolute", i - 1, i, i == 0 ? none : (sb_vec3){0.4, -0.7, 0.2 * (i - 1)},
                 (sb_vec3){0.2 * i, 0.3, 1});
    l->q[0] = 0.6 - i;
    l->v[0] = 0.8 * i - 0.5;
  }
  s.links[1].stiffness = 14, s.links[1].rest = 0.3;
  s.links[2].damping = 0.6, s.links[2].effort = 1.7;
  every_rewriting(&s);
}

/** Crank, rod and slider in space: a spring on the slider, a motor between crank and rod, a line from the slider to the world. */
static void slider_crank(void **state) {
  (void)state;
  scene s = empty("slider-crank");
  const sb_vec3 z = {0, 0, 1};
  (void)rod_part(&s, 1, (sb_vec3){0.3, 0, 0});
  (void)rod_part(&s, 0.8, (sb_vec3){0.9, 0, 0});
  (void)add_part(&s, 0.5, none, sb_mat3_diag((sb_vec3){0.02, 0.03, 0.025}));
  const double a = 1.1, b = asin(0.3 * sin(a) / 0.9);
  add_link(&s, "revolute", WORLD, 0, none, z)->q[0] = a;
  hinge *elbow = add_link(&s, "revolute", 0, 1, (sb_vec3){0.3, 0, 0}, z);
  elbow->q[0] = -a - b;
  elbow->effort = 0.9;
  hinge *guide = add_link(&s, "prismatic", WORLD, 2, none, (sb_vec3){1, 0, 0});
  guide->q[0] = 0.3 * cos(a) + 0.9 * cos(b);
  guide->stiffness = 60, guide->rest = 0.9;
  hinge *pin = add_link(&s, "revolute", 1, 2, (sb_vec3){0.9, 0, 0}, z);
  pin->closes = true;
  s.line[0] = WORLD, s.line[1] = 1;
  s.line_at[0] = (sb_vec3){0.2, 1.5, 0.4}, s.line_at[1] = (sb_vec3){0.4, 0.1, 0};
  every_rewriting(&s);
}

/** Bricard's six-bar with thick rods: redundant, with a freedom all the same. */
static void bricard(void **state) {
  static const sb_vec3 corner[6] = {{0, 0, 0},  {1, 0, 0},  {1, -1, 0},
                                    {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  static const sb_vec3 axis[6] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  (void)state;
  scene s = empty("bricard");
  for (int i = 0; i < 5; i++) {
    (void)rod_part(&s, 1 + 0.1 * i, sb_vec3_sub(corner[i + 1], corner[i]));
    add_link(&s, "revolute", i - 1, i, i == 0 ? none : sb_vec3_sub(corner[i], corner[i - 1]),
             axis[i]);
  }
  s.links[2].damping = 0.4;
  hinge *last = add_link(&s, "revolute", WORLD, 4, corner[5], axis[5]);
  last->child_at = (sb_vec3){0, 1, 0};
  last->closes = true;
  every_rewriting(&s);
}

/** A parallelogram: its coupler turns back as fast as it is carried round. */
static void parallelogram(void **state) {
  (void)state;
  scene s = empty("parallelogram");
  const sb_vec3 z = {0, 0, 1}, up = {0, 0.8, 0}, right = {1.3, 0, 0};
  (void)rod_part(&s, 1.2, up);
  (void)rod_part(&s, 2.3, right);
  (void)rod_part(&s, 0.9, up);
  hinge *first = add_link(&s, "revolute", WORLD, 0, none, z);
  first->q[0] = 0.1, first->v[0] = 0.3;
  hinge *elbow = add_link(&s, "revolute", 0, 1, up, z);
  elbow->q[0] = -0.1, elbow->v[0] = -0.3;
  hinge *second = add_link(&s, "revolute", WORLD, 2, right, z);
  second->q[0] = 0.1, second->v[0] = 0.3;
  second->damping = 0.3;
  hinge *last = add_link(&s, "revolute", 1, 2, right, z);
  last->child_at = up;
  last->closes = true;
  every_rewriting(&s);
}

/** Two bodies that float, with a hinge, a motor and a spring. */
static void satellite(void **state) {
  (void)state;
  scene s = empty("satellite");
  (void)add_part(&s, 4, (sb_vec3){0.1, -0.05, 0.02}, uniform_central(4));
  (void)add_part(&s, 1.7, (sb_vec3){0.4, 0, -0.2}, uniform_central(1.7));
  s.parts[0].placed = true;
  s.parts[0].pose = uniform_pose();
  s.parts[0].w = (sb_vec3){0.2, 1.5, 0.3}, s.parts[0].v = (sb_vec3){-0.4, 0.1, 0.6};
  hinge *l = add_link(&s, "revolute", 0, 1, (sb_vec3){0.5, 0.1, 0}, (sb_vec3){0, 1, 2});
  l->child_at = (sb_vec3){-0.3, 0.2, 0.1};
  l->turn = uniform_pose().rotation;
  l->q[0] = 0.3, l->v[0] = -1;
  l->stiffness = 3, l->effort = 0.4;
  every_rewriting(&s);
}

static const char *const kinds[] = {"revolute", "spherical", "universal",   "helical",
                                    "revolute", "prismatic", "cylindrical", "planar"};

static void random_link(scene *s, int parent, int child, bool moving) {
  hinge *l = add_link(s, kinds[(int)floor(uniform(0, 7.999))], parent, child, uniform_vec3(0.8),
                      sb_vec3_normalize(uniform_vec3(1)));
  const bool one = is(l, "revolute") || is(l, "helical") || is(l, "prismatic");
  l->child_at = uniform_vec3(0.6);
  l->turn = uniform_pose().rotation;
  l->pitch = is(l, "helical") ? uniform(0.1, 0.3) : 0;
  l->second = is(l, "universal") || is(l, "planar")
                  ? sb_vec3_normalize(sb_vec3_cross(l->axis, uniform_vec3(1)))
                  : none;
  l->spin = is(l, "spherical") ? uniform_quat() : l->spin;
  for (int k = 0; k < 3; k++) {
    l->q[k] = uniform(-0.5, 0.5);
    l->v[k] = moving ? uniform(-1, 1) : 0;
  }
  if (one && parent != WORLD) {
    l->stiffness = uniform(5, 30), l->rest = uniform(-0.3, 0.3);
    l->damping = uniform(0.1, 0.5), l->effort = uniform(-2, 2);
  }
}

/** Closes a loop where two parts are at the start. */
static void random_loop(scene *s, int a, int b) {
  static const char *const closing[] = {"spherical", "universal", "revolute"};
  const sb_pose parent = pose_of(s, a), child = pose_of(s, b);
  hinge *l = add_link(s, closing[(int)floor(uniform(0, 2.999))], a, b, uniform_vec3(0.5),
                      sb_vec3_normalize(uniform_vec3(1)));
  const sb_vec3 place = sb_vec3_add(parent.position, sb_mat3_apply(parent.rotation, l->at));
  const sb_mat3 back = sb_mat3_transpose(child.rotation);
  l->second =
      is(l, "universal") ? sb_vec3_normalize(sb_vec3_cross(l->axis, uniform_vec3(1))) : none;
  l->turn = sb_mat3_mul(sb_mat3_transpose(parent.rotation), child.rotation);
  l->child_at = sb_mat3_apply(back, sb_vec3_sub(place, child.position));
  l->closes = true;
}

/** Trees of all kinds of joints, at the world or floating, open or with a loop between their ends. */
static void random_trees(void **state) {
  static const char *const names[] = {"tree at the world", "floating tree",
                                      "tree at the world with a loop", "floating tree with a loop"};
  (void)state;
  for (int n = 0; n < (THOROUGH ? 24 : 4); n++) {
    scene s = empty(names[n % 4]);
    const int count = 3 + n % 3 + n % 4 / 2 * 2;
    const bool floats = n % 2 == 1, loop = n % 4 >= 2;
    for (int i = 0; i < count; i++) {
      const double mass = uniform(0.5, 3);
      (void)add_part(&s, mass, uniform_vec3(0.3), uniform_central(mass));
      if (i > 0 || !floats) {
        random_link(&s, i == 0 ? WORLD : (int)floor(uniform(i > 1 ? i - 2 : 0, i - 1e-9)), i,
                    !loop);
      }
    }
    if (floats) {
      s.parts[0].placed = true;
      s.parts[0].pose = uniform_pose();
      s.parts[0].w = uniform_vec3(1), s.parts[0].v = uniform_vec3(1);
    }
    if (loop) {
      s.parts[0].w = s.parts[0].v = none;
      random_loop(&s, floats ? 0 : WORLD, count - 1);
    }
    s.line[0] = 0, s.line[1] = count - 1;
    s.line_at[0] = uniform_vec3(1), s.line_at[1] = uniform_vec3(1);
    every_rewriting(&s);
  }
}

static int report_worst(void **state) {
  (void)state;
  print_message("largest difference %.2g\n", worst);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {repeating_test(pendulum_with_springs),
                                     repeating_test(slider_crank),
                                     cmocka_unit_test(bricard),
                                     cmocka_unit_test(parallelogram),
                                     cmocka_unit_test(satellite),
                                     repeating_test(random_trees)};
  return cmocka_run_group_tests(tests, NULL, report_worst);
}
