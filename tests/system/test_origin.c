// SPDX-License-Identifier: GPL-3.0-or-later
// A scene far from the world's origin counts from a point near by, and tells nobody: what is read of it is that of the
// same scene near the origin, moved. Expected: of a wrench (m, f) about the world's origin (m + s x f, f), of a twist
// (w, v + s x w), of angular momentum L + s x p, of the energy -m g.s more, with s the shift.
#include "core/model/model_data.h"
#include "geometry/screw.h"
#include "tests/fixture.h"

enum { TEXT_SIZE = 2000 };
static const double mass = 1.3, fall = 9.81; // [kg], [m/s^2]

/** Two balls of 0.1 and 0.08 m on a floor, the second one on the first. */
static run start_at(sb_vec3 s, double t, bool sensed) {
  char text[TEXT_SIZE];
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'>"
                 "<materials><material id='rubber' stiffness='1500 1500 2000 N/m' "
                 "spin-stiffness='2 N.m/rad'/></materials>"
                 "<laws><contact-law id='l' normal='linear' friction='coulomb' mu='0.3' "
                 "friction-radius='1 cm' "
                 "friction-damping='1 ms'/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
                 "<ground id='floor' material='rubber'><shape kind='plane' normal='0 0 1' "
                 "offset='%.17g m'/></ground>"
                 "<body id='a' mass='1.3 kg' material='rubber' position='%.17g %.17g %.17g m' "
                 "velocity='0.3 0.1 0 m/s' "
                 "angular-velocity='1 2 3 rad/s'><shape kind='sphere' radius='0.1 m'/></body>"
                 "<body id='b' mass='0.7 kg' material='rubber' position='%.17g %.17g %.17g m'>"
                 "<shape kind='sphere' radius='8 cm'/></body>"
                 "<contacts law='l' among='floor a b'/></mechanism>"
                 "%s<run t-end='1 s' method='dormand-prince-5' rtol='1e-9'/></screwbond>",
                 s.z, s.x, s.y, s.z + 0.0998, s.x + 0.03, s.y, s.z + 0.2755,
                 sensed ? "<network><signal id='height' of='b.x.z'/></network>" : "");
  run r = start_netlist(text);
  advance(&r, t);
  return r;
}

static void read_vector(const run *r, const char *name, sb_vec3 out[2]) {
  double v[6] = {0};
  read_all(r, name, v);
  out[0] = sb_vec3_load(v);
  out[1] = sb_vec3_load(v + 3);
}

static void assert_moved(sb_vec3 have, sb_vec3 want, double tol) {
  assert_near(sb_vec3_norm(sb_vec3_sub(have, want)), 0, tol);
}

static void what_is_read_is_about_the_worlds_origin(void **state) {
  static const sb_vec3 shifts[] = {{612.3, -871.1, 377.7}, {0, 0, -5000.125}, {1e5, 3, 20}};
  run near = start_at((sb_vec3){0, 0, 0}, 0.05, false);
  (void)state;
  for (int k = 0; k < 3; k++) {
    const sb_vec3 s = shifts[k];
    const double far = sb_vec3_norm(s),
                 tol = 1e-9 + 1e-13 * far; // places are rounded as they are stated
    run r = start_at(s, 0.05, false);
    sb_vec3 a[2], b[2];
    read_vector(&near, "b.position", a), read_vector(&r, "b.position", b);
    assert_moved(b[0], sb_vec3_add(a[0], s), tol);
    assert_near(component(&r, "b.x.y", 0), a[0].y + s.y, tol);
    assert_near(component(&r, "b.x.z", 0), a[0].z + s.z, tol);
    read_vector(&near, "contact(a,b).point", a), read_vector(&r, "contact(a,b).point", b);
    assert_moved(b[0], sb_vec3_add(a[0], s), tol);
    read_vector(&near, "a.angular-momentum", a), read_vector(&r, "a.angular-momentum", b);
    sb_vec3 p[2];
    read_vector(&near, "a.momentum", p);
    assert_moved(b[0], sb_vec3_add(a[0], sb_vec3_cross(s, p[0])), tol * far);
    static const char *const wrenches[] = {"a.e", "floor.e", "contact(floor,a).wrench",
                                           "contact(floor,a).body1.e"};
    for (int i = 0; i < 4; i++) {
      read_vector(&near, wrenches[i], a), read_vector(&r, wrenches[i], b);
      assert_true(sb_vec3_norm(a[1]) > 1);
      assert_moved(b[1], a[1], 1e4 * tol); // stiffnesses of some 1000 N/m
      assert_moved(b[0], sb_vec3_add(a[0], sb_vec3_cross(s, a[1])), 1e4 * tol * far);
    }
    static const char *const twists[] = {"a.f", "contact(a,b).body1.f"};
    for (int i = 0; i < 2; i++) {
      read_vector(&near, twists[i], a), read_vector(&r, twists[i], b);
      assert_moved(b[0], a[0], 1e3 * tol);
      assert_moved(b[1], sb_vec3_add(a[1], sb_vec3_cross(s, a[0])), 1e3 * tol * far);
    }
    assert_near(component(&r, "a.energy", 0), component(&near, "a.energy", 0) + mass * fall * s.z,
                1e2 * tol);
    const sb_account *total = &ledger_of(&r)->total;
    assert_near(total->stored_start + total->level,
                ledger_of(&near)->total.stored_start + 2.0 * fall * s.z, 1e2 * tol);
    assert_near(total->stored_end,
                ledger_of(&near)->total.stored_end + fall * 2.0 * s.z - total->level, 1e2 * tol);
    assert_int_equal(ledger_of(&r)->work.steps, ledger_of(&near)->work.steps);
    stop(&r);
  }
  stop(&near);
}

/** Whether the first state of `b` is its place in the world. */
static bool counts_from_the_world(const run *r) {
  return fabs(sb_simulation_state(r->sim)[0] - component(r, "a.x.x", 0)) == 0;
}

static void near_by_it_is_the_worlds_origin(void **state) {
  (void)state;
  run near = start_at((sb_vec3){0.3, -0.2, 0.25}, 0.01, false),
      far = start_at((sb_vec3){40, 0, 0}, 0.01, false);
  assert_true(counts_from_the_world(&near));
  assert_false(counts_from_the_world(&far));
  stop(&near), stop(&far);
}

/** A signal takes the state as it is, so that places count from the world's origin. */
static void what_is_sensed_is_in_the_world(void **state) {
  (void)state;
  run r = start_at((sb_vec3){612.3, -871.1, 377.7}, 0.01, true);
  assert_true(counts_from_the_world(&r));
  assert_near(component(&r, "height", 0), component(&r, "b.position", 2), 1e-12);
  stop(&r);
}

/** So does a source of wrenches: a force f through x about the world's origin turns nothing. */
static void sources_act_about_the_worlds_origin(void **state) {
  const double position[3] = {612.25, -871.5, 377.75}, J[3] = {0.1, 0.2, 0.3}, t = 1e-3;
  const sb_vec3 f = {3, -5, 7}, m = sb_vec3_cross(sb_vec3_load(position), f);
  const double effort[6] = {m.x, m.y, m.z, f.x, f.y, f.z};
  sb_graph *graph;
  (void)state;
  assert_int_equal(sb_graph_create("g", &graph, NULL), SB_OK);
  sb_element *body = add_kind(graph, "body", "a", "mass", 2);
  set_values(body, "inertia", J, 3);
  set_values(body, "position", position, 3);
  set_values(add_kind(graph, "Se", "push", NULL, 0), "effort", effort, 6);
  add_bond(graph, "push", "a");
  run r = start_graph(graph, options_of("dormand-prince-5", 1e-10));
  advance(&r, t);
  sb_vec3 w[2], v[2];
  read_vector(&r, "a.angular-velocity", w), read_vector(&r, "a.velocity", v);
  assert_moved(v[0], sb_vec3_scale(f, t / 2), 1e-9);
  assert_near(sb_vec3_norm(w[0]), 0, 1e-6); // the lever that the body moves away from
  stop(&r);
}

/** A table that a joint carries, and a ball on it, rolling without friction at 0.2 m/s; a stand that floats with an arm beside it. */
static run start_tree(sb_vec3 s, double t) {
  char text[TEXT_SIZE];
  (void)snprintf(
      text, sizeof text,
      "<screwbond version='1' id='m'><laws><contact-law id='c' normal='rigid'/></laws>"
      "<mechanism gravity='0.2 0 -9.81 m/s^2'>"
      "<body id='table' mass='3 kg' inertia='1 1 1 kg.m^2'>"
      "<shape kind='plane' normal='0 0 1'/></body>"
      "<body id='ball' mass='0.3 kg' position='%.17g %.17g %.17g m' "
      "velocity='0.2 0 0 m/s'><shape kind='sphere' radius='0.05 m'/></body>"
      "<joint id='j' kind='prismatic' axis='1 0 0' parent='world' at='%.17g %.17g %.17g m' "
      "child='table'/>"
      "<body id='stand' mass='2 kg' inertia='0.1 0.1 0.1 kg.m^2' "
      "position='%.17g %.17g %.17g m' velocity='0 0.1 0 m/s'/>"
      "<body id='arm' mass='1 kg' com='0.1 0 0 m' inertia='0.02 0.02 0.02 kg.m^2'/>"
      "<joint id='h' kind='revolute' axis='0 1 0' parent='stand' child='arm' w0='2 rad/s'/>"
      "<contact id='k' a='table' b='ball' law='c'/></mechanism>"
      "<run t-end='1 s' rtol='1e-10'/></screwbond>",
      s.x + 0.375, s.y + 0.125, s.z + 0.05, s.x, s.y, s.z, s.x, s.y + 1, s.z + 1);
  run r = start_netlist(text);
  advance(&r, t);
  return r;
}

/** Of trees too. The table falls along its rail with the ball on it, both with g_x t^2/2. */
static void trees_count_from_a_point_near_by(void **state) {
  const double t = 0.5, fallen = 0.2 * t * t / 2;
  const sb_vec3 s = {1000, -700, 250};
  run near = start_tree((sb_vec3){0, 0, 0}, t), far = start_tree(s, t);
  sb_vec3 a[2], b[2], p[2];
  (void)state;
  assert_int_equal(ledger_of(&far)->work.steps, ledger_of(&near)->work.steps);
  assert_near(component(&far, "j.q", 0), fallen, 1e-10);
  assert_near(component(&far, "ball.position", 0), s.x + 0.375 + 0.2 * t + fallen, 1e-10);
  assert_near(component(&far, "ball.position", 2), s.z + 0.05, 1e-12);
  assert_near(component(&far, "k.normal-force", 0), 0.3 * fall, 1e-10);
  static const char *const places[] = {"stand.position", "arm.position", "arm.origin",
                                       "tree(stand).centre"};
  for (int i = 0; i < 4; i++) {
    read_vector(&near, places[i], a), read_vector(&far, places[i], b);
    assert_moved(b[0], sb_vec3_add(a[0], s), 1e-10);
  }
  read_vector(&near, "arm.momentum", p);
  read_vector(&near, "arm.angular-momentum", a), read_vector(&far, "arm.angular-momentum", b);
  assert_moved(b[0], sb_vec3_add(a[0], sb_vec3_cross(s, p[0])), 1e-7);
  read_vector(&near, "h.moment", a), read_vector(&far, "h.moment", b);
  assert_moved(b[0], a[0], 1e-9);
  read_vector(&near, "tree(table).table.e", a), read_vector(&far, "tree(table).table.e", b);
  assert_near(sb_vec3_norm(a[1]), 0.3 * fall, 1e-9);
  assert_moved(b[0], sb_vec3_add(a[0], sb_vec3_cross(s, a[1])), 1e-6);
  const double raised = (2 + 1) * (fall * s.z - 0.2 * s.x); // -m g.s
  static const char *const energies[] = {"tree(stand).potential-energy", "tree(stand).energy"};
  for (int i = 0; i < 2; i++) {
    assert_near(component(&far, energies[i], 0), component(&near, energies[i], 0) + raised, 1e-7);
  }
  stop(&near), stop(&far);
}

/** A point on a belt slides as well where all places are zero. */
static void a_point_may_be_at_the_origin(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='m'><laws><contact-law id='c' normal='rigid'/></laws>"
      "<mechanism gravity='0 0 -9.81 m/s^2'><body id='belt' mass='1 kg' inertia='1 1 1 kg.m^2'>"
      "<shape kind='plane' normal='0 0 1'/></body><joint id='run' kind='prismatic' axis='1 0 0' "
      "parent='world' child='belt' w0='2 m/s'/><body id='block' mass='1 kg' "
      "inertia='0.01 0.01 0.01 kg.m^2' position='0 0 0 m'><shape kind='point'/></body>"
      "<contact id='k' a='belt' b='block' law='c'/></mechanism><run t-end='0.3 s'/></screwbond>");
  advance(&r, 0.3);
  assert_near(component(&r, "k.normal-force", 0), 9.81, 1e-9);
  assert_near(component(&r, "block.position", 2), 0, 1e-12);
  assert_near(component(&r, "run.q", 0), 0.6, 1e-9);
  stop(&r);
}

/** A body that falls on three balls and comes to rest by bounces that accumulate. */
static run start_bounces(sb_vec3 s, double t) {
  char text[TEXT_SIZE];
  (void)snprintf(
      text, sizeof text,
      "<screwbond version='1' id='m'><laws><contact-law id='c' normal='rigid' restitution='0.5'/>"
      "</laws><mechanism gravity='0.3 0 -9.8 m/s^2'><ground id='floor'>"
      "<shape kind='plane' normal='0 0 1' offset='%.17g m'/></ground>"
      "<body id='a' mass='5 kg' inertia='0.3 0.3 0.5 kg.m^2' position='%.17g %.17g %.17g m' "
      "angular-velocity='0.1 -0.1 0.5 rad/s'>"
      "<shape id='b1' kind='sphere' radius='0.1 m' at='0.5 0.3 -0.2 m'/>"
      "<shape id='b2' kind='sphere' radius='0.1 m' at='-0.5 0.3 -0.2 m'/>"
      "<shape id='b3' kind='sphere' radius='0.1 m' at='0 -0.5 -0.2 m'/></body>"
      "<contact a='floor' b='a' law='c'/></mechanism>"
      "<run t-end='1 s' method='fehlberg-8' rtol='1e-11'/></screwbond>",
      s.z, s.x, s.y, s.z + 0.45);
  run r = start_netlist(text);
  advance(&r, t);
  return r;
}

/** What is closed, and what has come to rest, is small against the scene, not against its distance from the origin. At rest it lies on all three
 *  balls, 0.3 m below its centre. */
static void bounces_accumulate_likewise(void **state) {
  static const sb_vec3 shifts[] = {{10, 0, 0}, {0.1, 0.2, 0.3}, {1000, -700, 400}};
  const double t = 1;
  run near = start_bounces((sb_vec3){0, 0, 0}, t);
  sb_vec3 a[2], b[2];
  (void)state;
  assert_true(ledger_of(&near)->event_count > 100);
  assert_near(component(&near, "a.position", 2), 0.3, 1e-12);
  for (int k = 0; k < 3; k++) {
    run far = start_bounces(shifts[k], t);
    assert_int_equal(ledger_of(&far)->work.steps, ledger_of(&near)->work.steps);
    assert_int_equal(ledger_of(&far)->event_count, ledger_of(&near)->event_count);
    read_vector(&near, "a.position", a), read_vector(&far, "a.position", b);
    assert_moved(b[0], sb_vec3_add(a[0], shifts[k]), 1e-12);
    read_vector(&near, "a.angular-velocity", a), read_vector(&far, "a.angular-velocity", b);
    assert_moved(b[0], a[0], 1e-12);
    assert_near(ledger_of(&far)->total.event_loss, ledger_of(&near)->total.event_loss, 1e-9);
    stop(&far);
  }
  stop(&near);
}

/** Balls of 1 kg and 0.1 m, each over its place on a floor without friction, 0.1 m above it or laid on it.
 *  @param law  of the contacts  @param grounds  one for each */
static run start_balls(int count, const double x[], const double height[], const char *law,
                       bool grounds, double t) {
  char text[2 * TEXT_SIZE], floors[300] = "", balls[1000] = "";
  for (int i = 0; i < count; i++) {
    size_t end = strlen(floors);
    if (i == 0 || grounds) {
      (void)snprintf(floors + end, sizeof floors - end,
                     "<ground id='floor%d'><shape kind='plane' normal='0 0 1'/></ground>", i);
    }
    end = strlen(balls);
    (void)snprintf(balls + end, sizeof balls - end,
                   "<body id='b%d' mass='1 kg' position='%.17g 0 %.17g m'><shape kind='sphere' "
                   "radius='0.1 m'/></body><contact id='c%d' a='floor%d' b='b%d' law='l'/>",
                   i, x[i], 0.1 + height[i], i, grounds ? i : 0, i);
  }
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><laws><contact-law id='l' %s/></laws>"
                 "<mechanism gravity='0 0 -9.81 m/s^2'>%s%s</mechanism>"
                 "<run t-end='1 s' method='dormand-prince-5' rtol='1e-10'/></screwbond>",
                 law, floors, balls);
  run r = start_netlist(text);
  advance(&r, t);
  return r;
}

/** Two balls that have nothing to do with each other but the ground each count from a point near by: both bounce as one does alone, and
 *  all that one alone meets is met. */
static void scenes_far_apart_count_from_points_of_their_own(void **state) {
  static const char *const laws[] = {"normal='rigid' restitution='0.5'",
                                     "normal='linear' stiffness='1e5 N/m'"};
  static const double apart[] = {1, 2000, 3000, 10000, 100000}, drop[2] = {0.1, 0.1};
  (void)state;
  for (int i = 0; i < 4; i++) {
    const char *law = laws[i % 2];
    const double zero = 0;
    run alone = start_balls(1, &zero, drop, law, false, 1);
    for (size_t k = 0; k < sizeof apart / sizeof *apart; k++) {
      const double x[2] = {0, apart[k]};
      run both = start_balls(2, x, drop, law, i >= 2, 1);
      const sb_ledger *ledger = ledger_of(&both), *one = ledger_of(&alone);
      const double z = component(&alone, "b0.position", 2);
      assert_near(component(&both, "b0.position", 2), z, 1e-9);
      assert_near(component(&both, "b1.position", 2), z, 1e-9);
      assert_near(component(&both, "b1.position", 0), apart[k], 0);
      assert_true(ledger->structure.residual_relative < 1e-12); // 1.4e-6 from one point
      assert_true(ledger->residual_relative < 1e-8);
      assert_int_equal(ledger->event_count, 2 * one->event_count);
      assert_near((double)ledger->work.steps, (double)one->work.steps,
                  fmax(1, 0.01 * (double)one->work.steps));
      stop(&both);
    }
    stop(&alone);
  }
}

/** What one ground bears, each from its own point: the weights, as one wrench about the world's origin. */
static void the_ground_bears_all_about_the_worlds_origin(void **state) {
  static const double x[] = {0, 5000, -70.25}, drop[3] = {0, 0, 0};
  (void)state;
  run r = start_balls(3, x, drop, "normal='rigid'", false, 0.1);
  sb_vec3 w[2];
  double lever = 0;
  read_vector(&r, "floor0.e", w);
  for (int i = 0; i < 3; i++) {
    lever += x[i];
  }
  const double down = fabs(w[1].z) / w[1].z;
  assert_moved(w[1], (sb_vec3){0, 0, 3 * fall * down}, 1e-9);
  assert_moved(w[0], (sb_vec3){0, -lever * fall * down, 0}, 1e-8);
  for (int i = 0; i < 3; i++) {
    char name[40];
    (void)snprintf(name, sizeof name, "c%d.point", i);
    read_vector(&r, name, w);
    assert_moved(w[0], (sb_vec3){x[i], 0, 0}, 1e-9);
  }
  stop(&r);
}

/** A mass that hangs at rest by a spring sees the ground from its own point, whatever else that bears. */
static void a_line_sees_the_ground_from_its_own_point(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='m'><laws><contact-law id='l' normal='rigid'/></laws><mechanism "
      "gravity='0 0 -9.81 m/s^2'><ground id='floor'><shape kind='plane' normal='0 0 1'/></ground>"
      "<body id='far' mass='1 kg' position='10000 0 0.1 m'><shape kind='sphere' radius='0.1 m'/>"
      "</body><contact id='c' a='floor' b='far' law='l'/>"
      "<body id='hung' mass='1 kg' inertia='1 1 1 kg.m^2' position='3 0 -1 m'/>"
      "<Line id='s' from='floor' to='hung' from-at='3 0 0 m'/></mechanism>"
      "<network domain='translation'><C id='k' c='0.01 m/N' q0='0.0981 m'/>"
      "<bond from='s' to='k'/></network></screwbond>");
  sb_vec3 w[2];
  advance(&r, 0.1);
  read_vector(&r, "hung.position", w);
  assert_moved(w[0], (sb_vec3){3, 0, -1}, 1e-9);
  read_vector(&r, "far.position", w);
  assert_moved(w[0], (sb_vec3){10000, 0, 0.1}, 1e-9);
  read_vector(&r, "floor.e", w);
  const double down = fabs(w[1].z) / w[1].z;
  assert_moved(w[1], (sb_vec3){0, 0, 2 * fall * down}, 1e-9);
  assert_moved(w[0], (sb_vec3){0, -10003 * fall * down, 0}, 1e-8);
  stop(&r);
}

#define PAIR(element_, network_)                                                                   \
  { element_, "<network>" network_ "</network>" }
#define SPRING                                                                                     \
  "<C id='c' c='0.001 m/N' q0='0.01 m'/><R id='r' r='0.5 N.s/m'/><bond from='k' to='c'/>"          \
  "<bond from='k' to='r'/>"
/** Each kind between two bodies that fall and turn, or on one of them; the last one hangs on the world. */
static const struct {
  const char *element, *network;
} acting[] = {
    PAIR("<Bushing id='k' from='b' to='a' stiffness='2e3 2e3 1e3 N/m' turn-stiffness='3 2 1 "
         "N.m/rad' damping='1 1 1 N.s/m' turn-damping='0.01 0.01 0.01 N.m.s/rad'/>",
         ""),
    PAIR("<Line id='k' from='b' to='a' from-at='0.05 0 0 m'/>", SPRING),
    PAIR("<Slide id='k' from='b' to='a' axis='1 0 0'/>", SPRING),
    PAIR("<Axis id='k' from='b' to='a' axis='1 0 0'/>",
         "<C id='c' c='0.1 rad/(N.m)' q0='0.1 rad'/><bond from='k' to='c'/>"),
    PAIR("<Wrench id='k' on='a' axes='frame' at='0.1 0 0 m' force-z='2[N]*cos(9[rad/s]*t)' "
         "moment-x='0.01 N.m'/>",
         ""),
    PAIR("<Line id='k' from='stand' to='a' from-at='0 0 1 m'/>", SPRING)};

static run start_acting(int which, sb_vec3 s, double t) {
  char text[2 * TEXT_SIZE];
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><mechanism gravity='0 0 -9.81 m/s^2'>"
                 "<body id='a' mass='1.3 kg' inertia='0.02 0.03 0.025 kg.m^2' "
                 "position='%.17g %.17g %.17g m' velocity='0.1 0.2 0 m/s' "
                 "angular-velocity='0.5 1 -0.3 rad/s'/>"
                 "<body id='b' mass='0.7 kg' inertia='0.01 0.02 0.015 kg.m^2' "
                 "position='%.17g %.17g %.17g m' angular-velocity='0.2 -1 0.3 rad/s'/>"
                 "<body id='stand' mass='1 kg' inertia='1 1 1 kg.m^2'/><joint id='fix' "
                 "kind='fixed' parent='world' child='stand' at='%.17g %.17g %.17g m'/>"
                 "%s</mechanism>%s<run t-end='1 s' rtol='1e-10'/></screwbond>",
                 s.x, s.y, s.z, s.x + 0.25, s.y + 0.125, s.z, s.x, s.y, s.z, acting[which].element,
                 acting[which].network);
  run r = start_netlist(text);
  advance(&r, t);
  return r;
}

/** Same steps, same motion, and wrenches of (m + s x f, f) on the body. A shift of few binary digits: places are stated exactly. */
static void what_acts_between_bodies_counts_from_a_point_near_by(void **state) {
  const sb_vec3 zero = {0, 0, 0}, s = {1024, -768, 512};
  const double t = 0.25;
  (void)state;
  for (size_t i = 0; i < sizeof acting / sizeof *acting; i++) {
    run near = start_acting((int)i, zero, t), far = start_acting((int)i, s, t);
    sb_vec3 a[2], b[2];
    assert_true(counts_from_the_world(&near));
    assert_false(counts_from_the_world(&far));
    assert_int_equal(ledger_of(&far)->work.steps, ledger_of(&near)->work.steps);
    assert_near(ledger_of(&far)->residual_relative, ledger_of(&near)->residual_relative, 1e-10);
    assert_true(ledger_of(&far)->structure.residual_relative < 1e-12);
    for (int k = 0; k < ledger_of(&far)->part_count; k++) {
      assert_null(ledger_of(&far)->parts[k].blurring_element);
    }
    static const char *const names[] = {"a.velocity", "a.angular-velocity", "b.velocity",
                                        "b.angular-velocity"};
    for (int k = 0; k < 4; k++) {
      read_vector(&near, names[k], a), read_vector(&far, names[k], b);
      assert_moved(b[0], a[0], 1e-10);
    }
    read_vector(&near, "a.position", a), read_vector(&far, "a.position", b);
    assert_moved(b[0], sb_vec3_add(a[0], s), 1e-10);
    read_vector(&near, "a.e", a), read_vector(&far, "a.e", b);
    assert_true(sb_vec3_norm(a[0]) + sb_vec3_norm(a[1]) > 1e-2);
    assert_moved(b[1], a[1], 1e-9);
    assert_moved(b[0], sb_vec3_add(a[0], sb_vec3_cross(s, a[1])), 1e-6);
    const char *body = strstr(acting[i].element, "Wrench") != NULL ? "k.body" : "k.body2";
    static const char *const ends[] = {".e", ".f"};
    for (int k = 0; k < 2; k++) {
      char name[20];
      (void)snprintf(name, sizeof name, "%s%s", body, ends[k]);
      read_vector(&near, name, a), read_vector(&far, name, b);
      const int moving = k == 0 ? 0 : 1, moved_by = 1 - moving;
      assert_moved(b[moved_by], a[moved_by], 1e-9);
      assert_moved(b[moving], sb_vec3_add(a[moving], sb_vec3_cross(s, a[moved_by])), 1e-6);
    }
    stop(&near), stop(&far);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(bounces_accumulate_likewise),
      cmocka_unit_test(what_is_read_is_about_the_worlds_origin),
      cmocka_unit_test(near_by_it_is_the_worlds_origin),
      cmocka_unit_test(what_is_sensed_is_in_the_world),
      cmocka_unit_test(sources_act_about_the_worlds_origin),
      cmocka_unit_test(trees_count_from_a_point_near_by),
      cmocka_unit_test(a_point_may_be_at_the_origin),
      repeating_test(scenes_far_apart_count_from_points_of_their_own),
      cmocka_unit_test(the_ground_bears_all_about_the_worlds_origin),
      cmocka_unit_test(a_line_sees_the_ground_from_its_own_point),
      cmocka_unit_test(what_acts_between_bodies_counts_from_a_point_near_by),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
