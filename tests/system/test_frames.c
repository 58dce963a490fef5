// SPDX-License-Identifier: GPL-3.0-or-later
// No frame is special: every example with bodies is turned, moved by up to a kilometre and told in another order. Its steps
// must be as many, as errors of vectors count by their lengths, and its bodies and events the same.
// A scene that is far counts from a point near by (core/network/origin.c); what is left is rounding. A turn alone brings it. It
// decides on no step where the error is that of the motion, and not on which events share one (core/simulation/locate.c).
#include "contact/parts.h"
#include "core/graph/graph_data.h"
#include "core/model/model_data.h"
#include "geometry/quat.h"
#include "tests/fixture.h"
#include "tests/system/rewrite/rewrite.h"

enum { PATH_SIZE = 512, BODIES_MAX = 8 };

typedef struct frame {
  sb_vec3 axis;
  double angle;   // [rad]
  sb_vec3 shift;  // [m]
  unsigned order; // seed; 0: as it is
} frame;

static sb_mat3 rotation_of(const frame *f) {
  return sb_quat_rotation(sb_quat_from_axis_angle(f->axis, f->angle));
}

/** The vector that a row of an element's table holds. */
static double *row_of(const sb_element *element, const char *name) {
  return (double *)(void *)((char *)element->self +
                            sb_param_find(element->type->params, name)->offset);
}

static void turn(const frame *f, double v[]) {
  sb_vec3_store(v, sb_mat3_apply(rotation_of(f), sb_vec3_load(v)));
}

static void turn_body(const frame *f, const sb_element *body) {
  static const char *const vectors[] = {"position", "velocity", "angular-velocity", "gravity"};
  double *x = row_of(body, "position"), *q = row_of(body, "rotation");
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    turn(f, row_of(body, vectors[k]));
  }
  sb_vec3_store(x, sb_vec3_add(sb_vec3_load(x), f->shift));
  sb_quat turned = sb_quat_mul(sb_quat_from_axis_angle(f->axis, f->angle), sb_quat_load(q));
  memcpy(q, &turned, sizeof turned);
}

/** A form in the axes of the ground, R C R^T. */
static sb_mat3 turned_form(const frame *f, sb_mat3 C) {
  sb_mat3 R = rotation_of(f);
  return sb_mat3_mul(sb_mat3_mul(R, C), sb_mat3_transpose(R));
}

/** The ground's own side of a contact. */
static void turn_ground(const frame *f, sb_contact_data *c, int side) {
  sb_surface *surface = &c->surface[side];
  const sb_pose moved = sb_pose_compose((sb_pose){rotation_of(f), f->shift}, surface->local);
  *surface = sb_surface_make(surface->type, surface, moved);
  c->side[side].compliance = turned_form(f, c->side[side].compliance);
  c->side[side].mobility = turned_form(f, c->side[side].mobility);
  if (side == 0) {
    turn(f, c->law.potential.axis);
  }
}

static int turn_scene(const frame *f, const sb_graph *graph) {
  int bodies = 0;
  for (int i = 0; i < graph->element_count; i++) {
    if (strcmp(graph->elements[i]->type->name, "body") == 0) {
      turn_body(f, graph->elements[i]);
      bodies++;
    }
  }
  for (int i = 0; i < graph->wire_count; i++) {
    const sb_wire *wire = &graph->wires[i];
    const sb_element *from = graph->elements[wire->from_element],
                     *to = graph->elements[wire->to_element];
    if (strcmp(from->type->name, "ground") == 0 &&
        strncmp(to->type->signals[wire->to_signal].name, "pose", 4) == 0) {
      turn_ground(f, to->self, wire->to_signal - 1);
    }
  }
  return bodies;
}

static run start_in(const char *file, const frame *f, double rtol) {
  char path[PATH_SIZE], name[PATH_SIZE];
  rewrite *r = calloc(1, sizeof *r);
  run result = {0};
  sb_errors errors = {0};
  xmlChar *text;
  int size;
  assert_non_null(r);
  (void)snprintf(name, sizeof name, "examples/%s", file);
  source_path(path, sizeof path, name);
  *r = (rewrite){.doc = rewrite_load(path), .number = f->order};
  if (f->order > 0) {
    assert_true(rewrite_order(r) > 0);
  }
  xmlDocDumpMemory(r->doc, &text, &size);
  assert_int_equal(
      sb_netlist_parse(path, (const char *)text, (size_t)size, NULL, 0, &result.netlist, &errors),
      SB_OK);
  assert_true(turn_scene(f, result.netlist->graph) > 0);
  result.model = compile_graph(result.netlist->graph);
  if (strcmp(result.netlist->options.method->name, "auto") ==
      0) { // which it takes is a matter of cost
    result.netlist->options.method = sb_method_find("dormand-prince-5");
  }
  result.netlist->options.rtol = rtol > 0 ? rtol : result.netlist->options.rtol;
  start_by(&result, &result.netlist->options);
  xmlFree(text);
  xmlFreeDoc(r->doc);
  free(r);
  return result;
}

static run run_in(const char *file, const frame *f, double rtol, double t_end) {
  run r = start_in(file, f, rtol);
  advance(&r, t_end > 0 ? t_end : r.netlist->t_end);
  return r;
}

/** Where a body is, in the frame of the scene. */
static sb_vec3 place_of(const run *r, const frame *f, const char *id) {
  char name[300];
  double x[3];
  (void)snprintf(name, sizeof name, "%s.position", id);
  read_all(r, name, x);
  return sb_mat3_apply_transposed(rotation_of(f), sb_vec3_sub(sb_vec3_load(x), f->shift));
}

static double gap_between(const run *plain, const frame *at_rest, const run *r, const frame *f) {
  double worst = 0;
  for (int i = 0; i < plain->model->network.instance_count; i++) {
    const sb_instance *instance = &plain->model->network.instances[i];
    if (strcmp(instance->type->name, "body") == 0) {
      sb_vec3 gap =
          sb_vec3_sub(place_of(plain, at_rest, instance->id), place_of(r, f, instance->id));
      worst = fmax(worst, sb_vec3_norm(gap));
    }
  }
  return worst;
}

static const frame frames[] = {
    {.axis = {0.3, -0.8, 0.5}, .angle = 2.385},
    {.axis = {1, 0.7, 0.1}, .angle = 2.94},
    {.axis = {1, 2, 3}, .angle = 1},
    {.axis = {1, 1, 1}, .angle = 0.7, .order = 7},
    {.axis = {1, 0, 0}, .order = 23},
    {.axis = {1, 0, 0}, .shift = {600, -700, 380}},
    {.axis = {-0.2, 0.5, 1}, .angle = 4, .shift = {-312.7, 871.3, -377.9}, .order = 3},
    {.axis = {0.9, -0.1, 0.4}, .angle = 1.7, .shift = {-81.3, 450.2, 12.7}},
    {.axis = {0.1, 1, -0.2}, .angle = 0.9, .shift = {0.37, -2.41, 5.2}, .order = 11},
    {.axis = {-0.5, 0.2, -0.9}, .angle = 5.1},
    {.axis = {0.25, 0.48, 0.59}, .angle = 5.6},
    {.axis = {0.48, -0.94, -0.07}, .angle = 2.8, .order = 77},
    {.axis = {1, 0, 0}, .angle = 1.5707963267948966},
    {.axis = {1, 0, 0}, .shift = {1000, 0, 0}},
    {.axis = {1, 0, 0}, .shift = {-133.4, 286.5, 568.1}},
    {.axis = {0.7, 0.1, -0.6}, .angle = 3.3, .shift = {6.1, 3.3, -8.7}},
};
enum { FRAMES = sizeof frames / sizeof *frames };

/** As many steps to a fraction, or but for one: of an event at the end of a step rounding decides which takes it. */
static void check_steps(const char *file, int frame_number, const run *plain, const run *other,
                        double fraction) {
  const double want = (double)ledger_of(plain)->work.steps,
               have = (double)ledger_of(other)->work.steps;
  if (!(fabs(have - want) <= fmax(1, fraction * want))) {
    fail_msg("%s, frame %d: %g steps, %g in the plain one", file, frame_number, have, want);
  }
}

/** Events and bodies agree. @param gap  [m] of bodies; events to as many seconds */
static void check_motion(const char *file, int frame_number, const run *plain, const run *other,
                         double gap) {
  static const frame at_rest = {.axis = {1, 0, 0}};
  const sb_ledger *want = ledger_of(plain), *have = ledger_of(other);
  const double apart = gap_between(plain, &at_rest, other, &frames[frame_number]);
  if (!(apart <= gap) || have->event_count != want->event_count) {
    fail_msg("%s, frame %d: bodies are %g m apart, %d events and %d", file, frame_number, apart,
             have->event_count, want->event_count);
  }
}

static void no_frame_is_special(void **state) {
  static const double one = 0.01;
  const struct {
    const char *file;
    double rtol, t_end; // 0: its own
    double
        far; // steps more or fewer, as a fraction, where the scene is a kilometre away; near by it is 1 %
    double gap;  // [m]
    double near; // as `far`, near by
  } rows[] = {
      {"two_ellipsoids.xml", 0, 0, one, 1e-10, one},
      {"two_ellipsoids_d0.xml", 0, 0, one, 1e-10, one},
      {"two_ellipsoids_d3.xml", 0, 0, one, 1e-10, one},
      {"bouncing_ball.xml", 0, 0, one, 1e-10, one},
      {"bouncing_ball_kv.xml", 0, 0, one, 1e-10, one}, // two balls that touch together
      {"precessing_top.xml", 0, 0, 0, 1e-10, one},
      {"tumbling_body.xml", 0, 0, 0, 1e-10, one},
      {"shapes.xml", 0, 0.15, one, 1e-10, one}, // a table on four feet, which leave together
      {"sliding_ball.xml", 0, 0, one, 1e-10, one},
      {"ball_in_bowl.xml", 1e-6, 0.1, one, 1e-10, one},
      {"ball_in_tube.xml", 1e-6, 0.1, one, 1e-10, one},
      {"mindlin.xml", 1e-6, 0, one, 1e-10, one},
      {"mindlin.xml", 0, 0, one, 1e-10, one},
      {"rod.xml", 0, 0, one, 1e-10, one},
      {"rubber_mount.xml", 0, 0, one, 1e-10, one},
      {"wood_grain.xml", 0, 0, one, 1e-10, one},
      {"hertz_ellipsoids.xml", 1e-9, 0.4, one, 1e-10, one},
      {"atlas/rattleback.xml", 1e-8, 0.2, one, 1e-10, one},
      {"atlas/sliding_ball.xml", 0, 1, one, 1e-10, one},
      {"atlas/tippe_top.xml", 1e-8, 0.1, one, 1e-10, one},
      {"atlas/bouncing.xml", 0, 1, one, 1e-10, one},
      {"atlas/disc.xml", 0, 0, one, 1e-10, one},
      {"atlas/impact.xml", 0, 0, one, 1e-10, one},
      {"atlas/rolling_in_tube.xml", 1e-8, 0.3, one, 1e-10, one},
      {"atlas/top.xml", 1e-8, 0.2, one, 1e-10, one},
      {"atlas/incline.xml", 1e-8, 5, one, 1e-10, one},
      {"hertz_impact.xml", 0, 0, one, 1e-10, one},
      {"atlas/cradle.xml", 1e-6, 0, one, 1e-10, one},
      // steel 10 nm apart: at the origin, too, an initial speed that is 1e-14 of itself larger makes 137 to 140 steps, and gaps that differ
      // by the rounding of places far out 132 to 141
      {"atlas/cradle.xml", 1e-8, 0, 10 * one, 1e-10, 5 * one},
  };
  const frame plain = {.axis = {1, 0, 0}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i += THOROUGH ? 1 : 9) {
    run r = run_in(rows[i].file, &plain, rows[i].rtol, rows[i].t_end);
    for (int k = (int)i % 2; k < FRAMES; k += 2) { // every other one, near by and far away
      run other = run_in(rows[i].file, &frames[k], rows[i].rtol, rows[i].t_end);
      bool far = sb_vec3_norm(frames[k].shift) > 0;
      check_steps(rows[i].file, k, &r, &other, far ? rows[i].far : rows[i].near);
      check_motion(rows[i].file, k, &r, &other, rows[i].gap);
      stop(&other);
    }
    stop(&r);
  }
}

typedef struct times {
  int count;
  double t[400]; // [s]
} times;

static int note_time(void *context, const sb_simulation *sim, double t) {
  times *steps = context;
  (void)sim;
  assert_true(steps->count < 400);
  steps->t[steps->count++] = t;
  return 0;
}

/** Ellipsoids that turn as they fall: the first steps are so short that the estimates of their errors are rounding, which does not tell how long the next are. */
static void rounding_tells_no_lengths(void **state) {
  static const char file[] = "../tests/netlists/frames/falling_pair.xml";
  (void)state;
  times plain = {0};
  for (int k = -1; k < FRAMES; k++) {
    const frame none = {.axis = {1, 0, 0}};
    times other = {0};
    run r = start_in(file, k < 0 ? &none : &frames[k], 0);
    sb_error err;
    assert_int_equal(sb_simulation_run(r.sim, 0.2, 0, note_time, &other, &err), SB_OK);
    plain = k < 0 ? other : plain;
    assert_int_equal(other.count, plain.count);
    for (int i = 0; i < plain.count; i++) {
      assert_near(other.t[i], plain.t[i], 1e-7);
    }
    stop(&r);
  }
}

/** A ball of 1 kg on a floor of 1e5 N/m without friction, at rest but for a velocity along the floor. */
typedef struct ball_scene {
  const char *joint;    // "": the body is free
  sb_vec3 along, side;  // [m/s] the velocity; a unit vector across
  sb_vec3 normal, foot; // of the floor; [m] where the ball is over it at first
  double height;        // [m] of its centre
} ball_scene;

static void write_joint(const ball_scene *s, sb_vec3 at, char *text, size_t size) {
  const sb_vec3 v = s->along;
  const sb_vec3 ahead = sb_vec3_cross(s->side, s->normal);
  if (strcmp(s->joint, "planar") == 0) {
    (void)snprintf(
        text, size,
        "<joint id='j' kind='planar' parent='world' child='ball' axis='%.17g %.17g %.17g' "
        "axis2='%.17g %.17g %.17g' at='%.17g %.17g %.17g m' v0='%.17g 0 m/s'/>",
        s->side.x, s->side.y, s->side.z, ahead.x, ahead.y, ahead.z, at.x, at.y, at.z,
        sb_vec3_dot(v, ahead));
  } else {
    (void)snprintf(text, size,
                   "<joint id='j' kind='%s' parent='world' child='ball' x0='%.17g %.17g %.17g m' "
                   "v0='%.17g %.17g %.17g m/s'/>",
                   s->joint, at.x, at.y, at.z, v.x, v.y, v.z);
  }
}

static run start_ball(const ball_scene *s) {
  char text[2000], joint[700] = "", start[300] = "";
  const sb_vec3 g = sb_vec3_scale(s->normal, -9.81), v = s->along, n = s->normal,
                at = sb_vec3_axpy(s->foot, s->height, n);
  if (*s->joint != '\0') {
    write_joint(s, at, joint, sizeof joint);
  } else {
    (void)snprintf(start, sizeof start,
                   "position='%.17g %.17g %.17g m' velocity='%.17g %.17g %.17g m/s'", at.x, at.y,
                   at.z, v.x, v.y, v.z);
  }
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><laws><contact-law id='l' normal='linear' "
                 "stiffness='1e5 N/m'/></laws><mechanism gravity='%.17g %.17g %.17g m/s^2'>"
                 "<ground id='floor'><shape kind='plane' normal='%.17g %.17g %.17g' "
                 "offset='%.17g m'/></ground><body id='ball' mass='1 kg' inertia='4e-3 4e-3 4e-3 "
                 "kg.m^2' %s><shape kind='sphere' radius='0.1 m'/></body>%s"
                 "<contact id='c' a='floor' b='ball' law='l'/></mechanism></screwbond>",
                 g.x, g.y, g.z, n.x, n.y, n.z, sb_vec3_dot(n, s->foot), start, joint);
  return start_netlist(text);
}

static const char *const joints[] = {"", "translational", "free", "planar"};
enum { JOINTS = sizeof joints / sizeof *joints };

/** A ball that was laid on the floor goes on with z = z0 - (m g/k) (1 - cos(sqrt(k/m) t)), whatever its velocity along the floor is: in as many
 *  steps, and the energy balance is met as well. */
static void no_velocity_along_a_plane_is_special(void **state) {
  (void)state;
  const double t = 0.2, k = 1e5, g = 9.81, z = 0.1 - g / k * (1 - cos(sqrt(k) * t));
  const double speeds[][2] = {{0, 0}, {0.3, 0}, {30, 0}, {-1.8, 2.4}, {18, -24}};
  double steps = 0;
  for (size_t i = 0; i < JOINTS * sizeof speeds / sizeof *speeds; i++) {
    const double *v = speeds[i / JOINTS];
    const ball_scene scene = {.joint = joints[i % JOINTS],
                              .along = {v[0], v[1], 0},
                              .side = {0, 1, 0},
                              .normal = {0, 0, 1},
                              .height = 0.1};
    if (strcmp(scene.joint, "planar") == 0 && v[1] != 0) {
      continue; // not in its plane
    }
    run r = start_ball(&scene);
    advance(&r, t);
    const sb_ledger *ledger = ledger_of(&r);
    steps = i == 0 ? (double)ledger->work.steps : steps;
    assert_near(component(&r, "ball.position", 2), z, 1e-6 * g / k);
    assert_near(component(&r, "ball.position", 0), v[0] * t, 1e-12 * fabs(v[0]));
    assert_near(component(&r, "ball.position", 1), v[1] * t, 1e-12 * fabs(v[1]));
    assert_true(ledger->residual_relative < 1e-7);
    assert_near((double)ledger->work.steps, steps, 0.01 * steps);
    stop(&r);
  }
}

/** Bounces of 0.1 mm, one each 22.83 ms: 9.03 ms of flight and 13.80 ms on the floor, from half a flight on. In 0.99 s it touches 44 times. */
static void bounces_along_a_plane_are_the_same_in_every_frame(void **state) {
  (void)state;
  const double speeds[] = {1, 30};
  for (int i = 0; i < 2 * JOINTS; i += THOROUGH ? 1 : 3) {
    double steps = 0;
    for (int k = -1; k < FRAMES; k += THOROUGH ? 2 : 7) {
      const frame *f = k < 0 ? &(frame){.axis = {1, 0, 0}} : &frames[k];
      const sb_mat3 R = rotation_of(f);
      const ball_scene scene = {joints[i % JOINTS],
                                sb_mat3_apply(R, (sb_vec3){speeds[i / JOINTS], 0, 0}),
                                sb_mat3_apply(R, (sb_vec3){0, 1, 0}),
                                sb_mat3_apply(R, (sb_vec3){0, 0, 1}),
                                f->shift,
                                0.1001};
      run r = start_ball(&scene);
      advance(&r, 0.99);
      const sb_ledger *ledger = ledger_of(&r);
      steps = k < 0 ? (double)ledger->work.steps : steps;
      assert_true(ledger->residual_relative < 5e-7); // up to 2.4e-5 by the whole kinetic energy
      assert_int_equal(ledger->event_count, 44 + 43);
      assert_near((double)ledger->work.steps, steps, 0.01 * steps);
      stop(&r);
    }
  }
}

/** A ball of 1 mm slides on a rigid floor without friction, x = v t: no force is along its momentum but by rounding, and no
 *  step is spent on that. */
static void sliding_without_friction_costs_nothing(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='m'><laws><contact-law id='l' normal='rigid'/></laws><mechanism "
      "gravity='0 0 -9.81 m/s^2'><ground id='floor'><shape kind='plane' normal='0 0 1'/></ground>"
      "<body id='ball' mass='0.01 kg' position='0 0 0.001 m' velocity='1 0 0 m/s'><shape "
      "kind='sphere' radius='1 mm'/></body><contact a='floor' b='ball' law='l'/></mechanism>"
      "<run t-end='3 s'/></screwbond>");
  advance(&r, 3);
  assert_near(component(&r, "ball.position", 0), 3, 1e-12);
  assert_near(component(&r, "ball.position", 2), 0.001, 1e-12);
  assert_in_range(ledger_of(&r)->work.steps, 1, 100); // 18; where rounding was followed 341,071
  stop(&r);
}

/** Links on a cart that slides along a rail, or that floats, at a common velocity.
 *  @param loop  the links are closed to a four-bar linkage */
static run start_cart(double speed, bool floats, bool loop) {
  char text[2500], cart[300], rail[200] = "";
  (void)snprintf(cart, sizeof cart, "<body id='cart' mass='3 kg' inertia='0.5 0.6 0.7 kg.m^2'%s",
                 floats ? " angular-velocity='0.1 0.2 0.3 rad/s'" : "/>");
  if (floats) {
    const size_t end = strlen(cart);
    (void)snprintf(cart + end, sizeof cart - end, " velocity='%.17g 0 0 m/s'/>", speed);
  } else {
    (void)snprintf(rail, sizeof rail,
                   "<joint id='rail' kind='prismatic' axis='1 0 0' parent='world' child='cart' "
                   "w0='%.17g m/s'/>",
                   speed);
  }
  (void)snprintf(
      text, sizeof text,
      "<screwbond version='1' id='m'><mechanism gravity='0 0 -9.81 m/s^2'>%s%s"
      "<body id='l' mass='1 kg' com='0 0 -0.5 m' inertia='0.1 0.1 0.01 kg.m^2'/>"
      "<body id='r' mass='1 kg' com='0 0 -0.5 m' inertia='0.1 0.1 0.01 kg.m^2'/>"
      "<body id='c' mass='2 kg' com='0.5 0 0 m' inertia='0.01 0.2 0.2 kg.m^2'/>"
      "<joint id='j1' kind='revolute' axis='0 1 0' parent='cart' child='l' q0='0.7 rad'/>"
      "<joint id='j2' kind='revolute' axis='0 1 0' parent='cart' child='r' at='1 0 0 m' "
      "q0='0.7 rad'/>"
      "<joint id='j3' kind='revolute' axis='0 1 0' parent='l' child='c' at='0 0 -1 m' "
      "q0='-0.7 rad'/>%s</mechanism><run t-end='2 s' rtol='1e-8'/></screwbond>",
      cart, rail,
      loop ? "<joint id='j4' kind='revolute' axis='0 1 0' parent='c' child='r' at='1 0 0 m' "
             "child-at='0 0 -1 m'/>"
           : "");
  return start_netlist(text);
}

/** Galilei: all that turns on it does the same in as many steps, with the energy as well balanced, but for the rounding of
 *  what it has in the world. Of loops the sizes of momenta are those in the world, so that fewer steps are allowed there. */
static void no_velocity_of_a_whole_mechanism_is_special(void **state) {
  static const double speeds[] = {0, 1, 100, 1e4};
  (void)state;
  for (int kind = 0; kind < 4; kind++) {
    const bool floats = kind % 2 == 1, loop = kind >= 2;
    double steps = 0, angle = 0, error = 0;
    for (int k = 0; k < 4; k++) {
      run r = start_cart(speeds[k], floats, loop);
      advance(&r, 2);
      const sb_ledger *ledger = ledger_of(&r);
      if (k == 0) {
        steps = (double)ledger->work.steps, angle = component(&r, "j1.q", 0);
        error = ledger->residual_max;
      }
      assert_near(component(&r, "j1.q", 0), angle, 1e-8);
      assert_true((double)ledger->work.steps < 1.02 * steps + 3); // 13,114 for 202 in the world
      assert_true(loop || (double)ledger->work.steps > 0.98 * steps);
      assert_true(ledger->residual_max < 3 * error + 1e-14 * speeds[k] * speeds[k]);
      stop(&r);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(no_frame_is_special),
      repeating_test(no_velocity_along_a_plane_is_special),
      repeating_test(bounces_along_a_plane_are_the_same_in_every_frame),
      cmocka_unit_test(rounding_tells_no_lengths),
      cmocka_unit_test(sliding_without_friction_costs_nothing),
      cmocka_unit_test(no_velocity_of_a_whole_mechanism_is_special),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
