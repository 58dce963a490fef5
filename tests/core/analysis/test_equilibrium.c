// SPDX-License-Identifier: GPL-3.0-or-later
// Equilibria against closed forms and direct solutions, and linearisations of mechanisms there against their frequencies.
#include "core/analysis/equilibrium.h"
#include "core/analysis/linearize.h"
#include "geometry/quat.h"
#include "tests/fixture.h"

#define HEAD "<screwbond version='1' id='m'><mechanism gravity='0 -9.81 0'>"
#define TAIL "</mechanism><run t-end='1 s'/></screwbond>"
#define BODY(id, com)                                                                              \
  "<body id='" id "' mass='1 kg' com='" com "' inertia='0.08 0.08 0.08 kg.m^2'/>"
#define PENDULUM(joint)                                                                            \
  HEAD "<body id='bob' mass='2.5 kg' com='0 -0.3 0' inertia='0.08 0.08 0.08 kg.m^2'/><joint "      \
       "id='hinge' kind='revolute' parent='world' child='bob' " joint "/>" TAIL
/** A parallelogram of three bars of 1 m that hangs from the world. */
#define BARS(q0, first, more)                                                                      \
  HEAD BODY("a", "0 -0.5 0") BODY("b", "0.5 0 0") BODY(                                            \
      "c", "0 -0.5 0") "<joint id='j1' kind='revolute' parent='world' child='a' q0='" q0           \
                       "' " first "/>"                                                             \
                       "<joint id='j2' kind='revolute' parent='a' child='b' at='0 -1 0' q0='-" q0  \
                       "'/>"                                                                       \
                       "<joint id='j3' kind='revolute' parent='b' child='c' at='1 0 0' "           \
                       "child-at='0 -1 0' "                                                        \
                       "q0='" q0 "'/>"                                                             \
                       "<joint id='j4' kind='revolute' parent='world' child='c' at='1 0 "          \
                       "0'/></mechanism>" more "<run t-end='1 s'/></screwbond>"

static const double g = 9.81;

/** Outputs at the equilibrium that is found from the start, and how deviations grow there. */
static void rests_of(const char *text, const char *const outputs[], int count, double values[],
                     double *growth) {
  run r = start_netlist(text);
  sb_error err = {0};
  sb_equilibrium *e;
  ok(sb_equilibrium_find(r.sim, outputs, count, &e, &err), &err);
  for (int i = 0; i < count; i++) {
    values[i] = e->outputs[i].value;
  }
  *growth = e->growth;
  sb_equilibrium_destroy(e);
  stop(&r);
}

static double rest_of(const char *text, const char *output, double *growth) {
  double value;
  rests_of(text, &output, 1, &value, growth);
  return value;
}

/** Half the number of modes, which are to be undamped. */
static int frequencies_of(const char *text, double omega[]) {
  run r = start_netlist(text);
  sb_error err = {0};
  sb_linear *linear;
  sb_mode modes[20];
  const sb_linear_request request = {.equilibrium = true};
  ok(sb_linearize(r.sim, &request, &linear, &err), &err);
  assert_true(linear->states <= 20);
  ok(sb_linear_modes(linear, modes, &err), &err);
  const int count = linear->states / 2;
  for (int i = 0; i < count; i++) {
    assert_near(modes[2 * i].re, 0, 1e-8 * modes[2 * i].natural);
    assert_false(modes[2 * i].neutral);
    omega[i] = modes[2 * i].natural;
  }
  sb_linear_destroy(linear);
  stop(&r);
  return count;
}

static void pendulums(void **state) {
  (void)state;
  double omega[10];
  assert_int_equal(frequencies_of(PENDULUM("q0='0.2 rad'"), omega), 1);
  assert_near_relative(omega[0], sqrt(2.5 * g * 0.3 / (0.08 + 2.5 * 0.09)), 1e-9);
  const char two[] =
      HEAD "<body id='a' mass='5 kg' com='0 -0.5 0' point-mass='yes'/>"
           "<body id='b' mass='2 kg' com='0 -0.25 0' point-mass='yes'/>"
           "<joint id='j1' kind='revolute' parent='world' child='a' q0='0.1 rad'/>"
           "<joint id='j2' kind='revolute' parent='a' child='b' at='0 -0.5 0' q0='0.1 rad'/>" TAIL;
  // det(K - w^2 M) = 0 in angles against the vertical
  const double m11 = 7 * 0.25, m12 = 2 * 0.5 * 0.25, m22 = 2 * 0.0625, k1 = 7 * g * 0.5,
               k2 = 2 * g * 0.25, a = m11 * m22 - m12 * m12, b = k1 * m22 + k2 * m11,
               root = sqrt(b * b - 4 * a * k1 * k2);
  assert_int_equal(frequencies_of(two, omega), 2);
  assert_near_relative(omega[0], sqrt((b - root) / (2 * a)), 1e-9);
  assert_near_relative(omega[1], sqrt((b + root) / (2 * a)), 1e-9);
}

/** Both uprights turn, and the coupler shifts: 2 (0.08 + 1/4) + 1 kg m^2 against 2 m g l/2 + m g l. */
static void a_loop_has_the_states_of_its_freedom(void **state) {
  (void)state;
  const double inertia = 2 * (0.08 + 0.25) + 1;
  double omega[10];
  assert_int_equal(frequencies_of(BARS("0.1 rad", "", ""), omega), 1);
  assert_near_relative(omega[0], sqrt(2 * g / inertia), 1e-9);
  assert_int_equal(frequencies_of(BARS("0.1 rad", "stiffness='3 N.m'", ""), omega), 1);
  assert_near_relative(omega[0], sqrt((2 * g + 3) / inertia), 1e-9);
  // with a flywheel that depends on the loop
  assert_int_equal(frequencies_of(BARS("0.1 rad", "",
                                       "<network domain='rotation'><I id='J' inertia='0.1 "
                                       "kg.m^2'/><bond from='j1' to='J'/></network>"),
                                  omega),
                   1);
  assert_near_relative(omega[0], sqrt(2 * g / (inertia + 0.1)), 1e-7);
}

/** Beside the position in which all bars lie along each other and the loop is singular, a spring holds the parallelogram:
 *  k (r - q) = 2 m g l sin q. Nothing moves there, and the momenta have nothing that the loop does not let through. */
static void a_loop_at_rest_beside_a_singular_position(void **state) {
  (void)state;
  const double inertia = 2 * (0.08 + 0.25) + 1;
  static const double at[] = {1.2, 1.5, 1.55};
  char text[2000];
  for (int k = 0; k < 3; k++) {
    const double q = at[k], rest = q + 2 * g * sin(q) / 30;
    double omega[10];
    (void)snprintf(text, sizeof text, BARS("%.17g", "stiffness='30 N.m' rest='%.17g'", ""), q, rest,
                   q, q);
    assert_int_equal(frequencies_of(text, omega), 1);
    assert_near_relative(omega[0], sqrt((2 * g * cos(q) + 30) / inertia), 1e-8);
  }
}

/** A crank of 0.2 m about z, a thin rod of 1.05 m between balls, its centre 0.5 m from the crank, and a rocker about an axis beside
 *  it: all is known by the angle of the rocker, as the crank's pin is 1.05 m from the rocker's. */
typedef struct crank_rocker {
  double crank;          // [rad]
  sb_vec3 centre, along; // of the rod: [m], and a unit vector
} crank_rocker;

static crank_rocker crank_rocker_at(double swing) {
  const sb_vec3 pivot = {1, 0.1, 0.1}, pin = {0, 0.1, 0.5},
                axis = sb_vec3_normalize((sb_vec3){1, 0.2, 0.1});
  const sb_mat3 turn = sb_quat_rotation(sb_quat_from_axis_angle(axis, swing));
  const sb_vec3 rocker = sb_vec3_add(pivot, sb_mat3_apply(turn, pin));
  const double r = 0.2, l = 1.05, square = sb_vec3_dot(rocker, rocker),
               part = (square + r * r - l * l) / (2 * r * hypot(rocker.x, rocker.y)),
               crank = atan2(rocker.y, rocker.x) + acos(part);
  const sb_vec3 tip = {r * cos(crank), r * sin(crank), 0},
                along = sb_vec3_scale(sb_vec3_sub(rocker, tip), 1 / l);
  return (crank_rocker){crank, sb_vec3_axpy(tip, 0.5, along), along};
}

/** Of the angle of the rocker: V' by differences of order 4, or V'', of V = k q^2/2 + m g z. */
static double crank_rocker_slope(double swing, bool second) {
  const double h = 1e-3;
  double v[5];
  for (int k = 0; k < 5; k++) {
    const crank_rocker m = crank_rocker_at(swing + (k - 2) * h);
    v[k] = 25 * m.crank * m.crank + g * m.centre.z;
  }
  return second ? (16 * (v[1] + v[3]) - v[0] - v[4] - 30 * v[2]) / (12 * h * h)
                : (8 * (v[3] - v[1]) - (v[4] - v[0])) / (12 * h);
}

/** sum m (dx/dswing)^2, and the same with the dampers of the crank and the rocker. */
static double crank_rocker_inertia(double swing, double *damping) {
  const double h = 1e-4;
  const crank_rocker a = crank_rocker_at(swing - h), b = crank_rocker_at(swing + h);
  const double crank = (b.crank - a.crank) / (2 * h),
               shift = sb_vec3_norm(sb_vec3_sub(b.centre, a.centre)) / (2 * h),
               turn = sb_vec3_norm(sb_vec3_sub(b.along, a.along)) / (2 * h);
  *damping = 0.5 * crank * crank + 0.3;
  return 0.01 * crank * crank + 0.01 + shift * shift + 0.02 * turn * turn;
}

/** Whichever joints hold a rod that is thin enough for its spin to take no energy. Between two balls the spin is a freedom that nothing
 *  holds, and of which no rate is more than rounding. */
static void a_spatial_loop_has_the_states_of_its_freedom(void **state) {
  (void)state;
#define UNIVERSAL "kind='universal' axis='0 0 1' axis2='0 1 0'"
  static const struct {
    const char *first, *last;
    int states;
  } rods[] = {{UNIVERSAL, "kind='spherical'", 2},
              {"kind='spherical'", UNIVERSAL, 2},
              {"kind='spherical'", "kind='spherical'", 4}};
  double low = 1.9, high = 2.4, damping, growth;
  for (int k = 0; k < 60; k++) {
    const double middle = 0.5 * (low + high);
    *(crank_rocker_slope(middle, false) > 0 ? &high : &low) = middle;
  }
  const double inertia = crank_rocker_inertia(low, &damping),
               natural = sqrt(crank_rocker_slope(low, true) / inertia);
  for (int k = 0; k < 3; k += THOROUGH ? 1 : 2) {
    char text[3000];
    sb_error err = {0};
    sb_linear *linear;
    sb_mode modes[20];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><mechanism gravity='0 0 -9.81 m/s^2'>"
                   "<body id='A' mass='1 kg' inertia='0.01 0.01 0.01'/>"
                   "<body id='B' mass='1 kg' inertia='1e-9 0.02 0.02' com='0.5 0 0 m'/>"
                   "<body id='D' mass='1 kg' inertia='0.01 0.01 0.01'/>"
                   "<joint id='j1' kind='revolute' axis='0 0 1' parent='world' child='A' q0='0.3' "
                   "stiffness='50' damping='0.5'/>"
                   "<joint id='j2' %s parent='A' child='B' at='0.2 0 0 m'/>"
                   "<joint id='j3' kind='revolute' axis='1 0.2 0.1' parent='world' child='D' "
                   "at='1 0.1 0.1 m' damping='0.3'/>"
                   "<joint id='j4' %s parent='D' child='B' at='0 0.1 0.5 m' child-at='1.05 0 0 m' "
                   "cut='yes'/>" TAIL,
                   rods[k].first, rods[k].last);
    run r = start_netlist(text);
    for (int equilibrium = 0; equilibrium < 2; equilibrium++) {
      const sb_linear_request request = {.equilibrium = equilibrium != 0};
      ok(sb_linearize(r.sim, &request, &linear, &err), &err);
      assert_int_equal(linear->states, rods[k].states);
      ok(sb_linear_modes(linear, modes, &err), &err);
      const sb_mode *last = &modes[linear->states - 1];
      if (equilibrium) {
        assert_near_relative(last->natural, natural, 1e-6);
        assert_near_relative(last->re, -damping / (2 * inertia), 1e-6);
      }
      sb_linear_destroy(linear);
    }
    stop(&r);
    assert_near(rest_of(text, "j3.q", &growth), low, 1e-8);
    assert_near(rest_of(text, "j1.q", &growth), crank_rocker_at(low).crank, 1e-8);
    assert_true(growth == 0);
  }
}

/** A search goes over positions from which Newton's method closes no loop: they are none of the mechanism. Where it rests, it comes to
 *  rest in a run. */
static void far_steps_keep_loops_closed(void **state) {
  (void)state;
  static const char text[] =
      "<screwbond version='1' id='m'><mechanism gravity='0 0 -9.81 m/s^2'>"
      "<body id='A' mass='1 kg' inertia='0.01 0.01 0.01'/>"
      "<body id='B' mass='0.41966 kg' inertia='0.026982 0.024873 0.020333' com='0.47302 0 0 m'/>"
      "<body id='D' mass='1 kg' inertia='0.01 0.01 0.01' com='0.047203 0.08776 0.1 m'/>"
      "<joint id='j1' kind='revolute' axis='1.6456 1.1364 1.2335' parent='world' child='A' "
      "q0='-0.3595' stiffness='2.1743' damping='0.5'/>"
      "<joint id='j2' kind='spherical' parent='A' child='B' at='0.28673 -0.03049 0.014959 m'/>"
      "<joint id='j3' kind='revolute' axis='0.33181 -0.33562 0.067131' parent='world' child='D' "
      "at='1 0.071598 0.018728 m' damping='0.3'/>"
      "<joint id='j4' kind='spherical' parent='D' child='B' at='0 -0.032985 0.44059 m' "
      "child-at='1.1315 0 0 m' cut='yes'/>" TAIL;
  const char *const angles[] = {"j1.q", "j3.q"};
  double found[2], growth;
  rests_of(text, angles, 2, found, &growth);
  assert_true(growth == 0);
  run r = start_netlist(text);
  advance(&r, 40);
  assert_near(found[0], value(&r, "j1.q"), 1e-6);
  assert_near(found[1], value(&r, "j3.q"), 1e-6);
  stop(&r);
}

/** k (q - r) + w sin q = 0, by bisection between the ends. */
static double sprung(double k, double r, double w, double low, double high) {
  for (int i = 0; i < 100; i++) {
    const double q = 0.5 * (low + high);
    *(k * (q - r) + w * sin(q) > 0 ? &high : &low) = q;
  }
  return low;
}

static void springs_hold_joints(void **state) {
  (void)state;
  const double w = 2.5 * g * 0.3;
  double growth;
  assert_near(rest_of(PENDULUM("stiffness='50 N.m' rest='0.5 rad'"), "hinge.q", &growth),
              sprung(50, 0.5, w, 0, 0.5), 1e-12);
  assert_true(growth == 0);
  // upright it would stay, but the spring is too soft for that: it buckles
  assert_near(
      rest_of(PENDULUM("q0='175 deg' stiffness='5 N.m' rest='180 deg'"), "hinge.q", &growth),
      sprung(5, pi, w, 0, 3), 1e-12);
  assert_true(growth == 0);
  assert_near(rest_of(BARS("0.1 rad", "stiffness='30 N.m' rest='1 rad'", ""), "j1.q", &growth),
              sprung(30, 1, 2 * g, 0, 1), 1e-11);
  assert_true(growth == 0);
}

static void what_can_fall_falls(void **state) {
  (void)state;
  double growth;
  assert_near(rest_of(PENDULUM("q0='170 deg'"), "hinge.q", &growth), 0, 1e-12);
  assert_true(growth == 0);
  // at rest upright it stays, and grows by the root of m g l over the inertia
  assert_near(rest_of(PENDULUM("q0='180 deg'"), "hinge.q", &growth), pi, 1e-12);
  assert_near_relative(growth, sqrt(2.5 * g * 0.3 / (0.08 + 2.5 * 0.09)), 1e-8);
}

/** A pendulum that a motor with a resistance R and little inductance brakes stands upright: J w' = k th - G i, L i' = G w - R i,
 *  th' = w. Beside L/R = 1 us the growth, of w^2 + G^2/(J R) w = k/J, may be rounding: it is told with that. */
static void growth_beside_a_fast_decay(void **state) {
  (void)state;
  const double k = 9.81, brake = 1e-4;
  run r = start_netlist(
      "<screwbond version='1' id='m'><network domain='rotation'><signal id='w' of='J.f'/>"
      "<signal id='th' rate='w' start='0 rad'/><J1 id='shaft'/><I id='J' inertia='1 kg.m^2'/>"
      "<Se id='g' effort='9.81[N.m]*sin(th)'/><GY id='motor' ratio='0.01 V.s'/><J1 id='coil' "
      "domain='electric'/><I id='L' domain='electric' l='1 uH'/><R id='R' domain='electric' "
      "r='1 ohm'/><bond from='g' to='shaft'/><bond from='shaft' to='J'/><bond from='motor' "
      "to='shaft'/><bond from='coil' to='motor'/><bond from='coil' to='L'/><bond from='coil' "
      "to='R'/></network><run t-end='1 s'/></screwbond>");
  sb_error err = {0};
  sb_equilibrium *e;
  ok(sb_equilibrium_find(r.sim, NULL, 0, &e, &err), &err);
  assert_true(e->growth == 0);
  assert_near_relative(e->doubtful_growth, sqrt(k + brake * brake / 4) - brake / 2, 1e-6);
  assert_near_relative(e->fastest, 1e6, 1e-6);
  sb_equilibrium_destroy(e);
  stop(&r);
}

/** Links between two points at one height: the horizontal force is the same in all, and so their slopes differ by
 *  m g / H. The start is a V. */
static void a_hanging_chain(void **state) {
  (void)state;
  const double l = 0.25, span = sqrt(0.5);
  double low = 0.01, high = 100, growth; // H over the weight of a link
  for (int i = 0; i < 100; i++) {
    const double h = 0.5 * (low + high);
    *(2 * l * (cos(atan(0.5 / h)) + cos(atan(1.5 / h))) > span ? &high : &low) = h;
  }
  const char text[] = HEAD BODY("b0", "0.125 0 0") BODY("b1", "0.125 0 0") BODY("b2", "0.125 0 0")
      BODY("b3",
           "0.125 0 0") "<joint id='j0' kind='revolute' parent='world' child='b0' q0='-45 deg'/>"
                        "<joint id='j1' kind='revolute' parent='b0' child='b1' at='0.25 0 0'/>"
                        "<joint id='j2' kind='revolute' parent='b1' child='b2' at='0.25 0 0' "
                        "q0='90 deg'/>"
                        "<joint id='j3' kind='revolute' parent='b2' child='b3' at='0.25 0 0'/>"
                        "<joint id='end' kind='revolute' parent='world' child='b3' "
                        "at='0.70710678118654752 0 0' "
                        "child-at='0.25 0 0'/>" TAIL;
  const char *const joints[] = {"j0.q", "j1.q", "j2.q"};
  double q[3];
  rests_of(text, joints, 3, q, &growth);
  assert_near(q[0], -atan(1.5 / low), 1e-10);
  assert_near(q[1], atan(1.5 / low) - atan(0.5 / low), 1e-10);
  assert_near(q[2], 2 * atan(0.5 / low), 1e-10);
  assert_true(growth == 0);
}

/** Efforts of all elements, of circuits too. */
static void networks_rest(void **state) {
  (void)state;
  run r = start_netlist("<screwbond version='1' id='m'><network domain='electric'>"
                        "<Se id='V' effort='12 V'/><R id='R1' r='10 ohm'/><R id='R2' r='20 ohm'/>"
                        "<C id='C1' c='1 uF'/><J1 id='s'/><J0 id='n'/><bond from='V' to='s'/>"
                        "<bond from='s' to='R1'/><bond from='s' to='n'/><bond from='n' to='R2'/>"
                        "<bond from='n' to='C1'/></network><run t-end='1 s'/></screwbond>");
  sb_error err = {0};
  sb_equilibrium *e;
  ok(sb_equilibrium_find(r.sim, NULL, 0, &e, &err), &err);
  assert_int_equal(e->state_count, 1);
  assert_string_equal(e->states[0].name, "C1.q");
  assert_near_relative(e->states[0].value, 8e-6, 1e-12);
  assert_int_equal(e->effort_count, 4);
  assert_string_equal(e->efforts[0].name, "V.e");
  assert_near(e->efforts[0].value, 12, 1e-12);
  assert_string_equal(e->efforts[3].name, "C1.e");
  assert_string_equal(e->efforts[3].unit, "V");
  assert_near(e->efforts[3].value, 8, 1e-11);
  sb_equilibrium_destroy(e);
  stop(&r);
  // a table, some pieces from where it starts: 5 A = u/(1 ohm) + f, u = 3 + 3 (f - 1)
  r = start_netlist("<screwbond version='1' id='m'><network domain='electric'>"
                    "<Sf id='I' flow='5 A'/><R id='R1' r='1 ohm'/><C id='C1' c='1 uF'/><J0 id='n'/>"
                    "<R id='R2' flows='-1 0 0.5 1 2 3 A' efforts='-1 0 1 3 6 8 V'/>"
                    "<bond from='I' to='n'/><bond from='n' to='R1'/><bond from='n' to='R2'/>"
                    "<bond from='n' to='C1'/></network><run t-end='1 s'/></screwbond>");
  ok(sb_equilibrium_find(r.sim, NULL, 0, &e, &err), &err);
  assert_near_relative(e->states[0].value, 3.75e-6, 1e-12);
  sb_equilibrium_destroy(e);
  stop(&r);
}

/** At rest the slope of the law is zero. F = c v^3 and F = c v |v| with F = 3.7 N, c = 0.6 SI. */
static void laws_without_a_slope_at_the_start(void **state) {
  (void)state;
  static const struct {
    const char *law;
    double exponent;
  } rows[] = {{"0.6[N.s^3/m^3]*f^3", 3}, {"0.6[N.s^2/m^2]*f*abs(f)", 2}};
  for (int i = 0; i < 2; i++) {
    char text[600];
    double growth;
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><network domain='translation'><I id='m' mass='2.5 "
        "kg'/><R id='r' law='%s'/><Se id='s' effort='3.7 N'/><J1 id='j'/><bond from='s' "
        "to='j'/><bond from='j' to='m'/><bond from='j' to='r'/></network><run t-end='1 "
        "s'/></screwbond>",
        rows[i].law);
    assert_near_relative(rest_of(text, "m.f", &growth), pow(3.7 / 0.6, 1 / rows[i].exponent), 1e-9);
    assert_true(growth == 0);
  }
}

static void failures_are_worded(void **state) {
  (void)state;
  const struct {
    const char *text, *words;
  } rows[] = {
      {HEAD "<body id='ball' mass='2.5 kg' inertia='0.08 0.08 0.08 kg.m^2'/>" TAIL,
       "no equilibrium of 'm' was found near its state at 0 s: 'ball.p.y' still changes by -24.525 "
       "N.s per second"},
      {HEAD BODY("nut", "0 0 0") "<joint id='screw' kind='prismatic' axis='0 1 0' parent='world' "
                                 "child='nut'/>" TAIL,
       "'tree(nut).screw.p' still changes by -9.81 N.s per second"},
      // folded flat it can move in two ways, and no linear space holds both
      {BARS("90 deg", "", ""),
       "the directions in which 'tree(a)' can move cannot be told from rounding here"},
      {"<screwbond version='1' id='m'><network domain='electric'><Sf id='A' flow='2 A'/><C id='C1' "
       "c='1 uF'/><bond from='A' to='C1'/></network><run t-end='1 s'/></screwbond>",
       "'C1.q' still changes by 2 C per second"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    run r = start_netlist(rows[i].text);
    sb_error err = {0};
    sb_equilibrium *e;
    assert_int_equal(sb_equilibrium_find(r.sim, NULL, 0, &e, &err), SB_ERR_SOLVER);
    assert_contains(err.text, rows[i].words);
    assert_int_equal(err.line, 1);
    assert_null(e);
    stop(&r);
  }
}

#define ROTOR(load)                                                                                \
  "<network domain='rotation'><signal id='L' of='rotor.p'/>"                                       \
  "<SampleHold id='error' of='5[rad/s] - L/0.02[kg.m^2]' period='10 ms'/>"                         \
  "<Delay id='late' of='error' delay='3 ms'/>"                                                     \
  "<SampleHold id='sum' of='sum + 0.015[N.m.s]*late' period='10 ms'/><J1 id='shaft'/>"             \
  "<Se id='motor' effort='0.3[N.m.s]*error + sum'/><bond from='motor' to='shaft'/>"                \
  "<I id='rotor' inertia='0.02 kg.m^2' p0='0.01 N.m.s'/><bond from='shaft' to='rotor'/>" load      \
  "</network>"

/** Where what is late rests, it gives what it is given: a controller that sums its error up between samples has none, and its sum is what the
 *  load of 0.7 N.m and the bearing of 0.04 N.m.s take at 5 rad/s. Found from the start, and from a state of the run. */
static void what_is_late_rests_with_the_rest(void **state) {
  (void)state;
  run r = prepare_inside(ROTOR("<Se id='load' effort='-0.7 N.m'/><R id='bearing' r='0.04 N.m.s'/>"
                               "<bond from='load' to='shaft'/><bond from='shaft' to='bearing'/>"));
  start_by(&r, &r.netlist->options);
  for (int k = 0; k < 2; k++) {
    static const char *const outputs[] = {"rotor.f", "sum", "error", "late"};
    sb_error err = {0};
    sb_equilibrium *e;
    ok(sb_equilibrium_find(r.sim, outputs, 4, &e, &err), &err);
    assert_near(e->outputs[0].value, 5, 1e-12);
    assert_near(e->outputs[1].value, 0.7 + 0.04 * 5, 1e-11);
    assert_near(e->outputs[2].value, 0, 1e-12);
    assert_near(e->outputs[3].value, 0, 1e-12);
    assert_int_equal(e->state_count, 1); // of the model
    assert_string_equal(e->states[0].name, "rotor.p");
    assert_near(e->states[0].value, 0.1, 1e-12);
    assert_int_equal(e->freedoms, 1);
    assert_string_equal(e->late, "error");
    assert_true(isnan(e->growth));
    sb_equilibrium_destroy(e);
    advance(&r, 0.137);
  }
  stop(&r);
}

/** A flow of 2 A - 3 A (u/V)^3 through two delays: u^3 = 2/3. A map y = 0.5 y + 1 has its fixed point 2, at 1 Hz as at 1 kHz. */
static void laws_and_maps_that_are_late(void **state) {
  (void)state;
  double growth, values[2];
  static const char *const outputs[] = {"C.e", "y"};
  for (int k = 0; k < 2; k++) {
    char text[600];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><network domain='electric'><signal id='u' of='C.e'/>"
        "<Delay id='a' of='u' delay='%g s'/><Delay id='b' of='a' delay='1 s'/>"
        "<SampleHold id='y' of='0.5*y + 1' period='%g s'/>"
        "<Sf id='S' flow='2[A] - 3[A]*(b/1[V])^3'/><C id='C' c='1.3 F' q0='0.2'/>"
        "<bond from='S' to='C'/></network><run t-end='1 s'/></screwbond>",
        k == 0 ? 1e-3 : 5., k == 0 ? 1. : 1e-3);
    rests_of(text, outputs, 2, values, &growth);
    assert_near(values[0], cbrt(2 / 3.), 1e-11);
    assert_near(values[1], 2, 1e-11);
  }
}

/** A sum of an error that nothing takes away goes on. */
static void a_sum_without_end_is_named(void **state) {
  (void)state;
  run r = prepare_inside("<network domain='rotation'><I id='rotor' inertia='0.02 kg.m^2'/>"
                         "<SampleHold id='sum' of='sum + 0.6' period='0.1 s'/>"
                         "<R id='bearing' r='2'/><bond from='rotor' to='bearing'/></network>");
  start_by(&r, &r.netlist->options);
  sb_equilibrium *e = NULL;
  sb_error err = {0};
  assert_int_equal(sb_equilibrium_find(r.sim, NULL, 0, &e, &err), SB_ERR_SOLVER);
  assert_string_equal(err.text,
                      "no equilibrium of 'm' was found near its state at 0 s: 'sum.value' "
                      "still changes by 6 per second");
  assert_null(e);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_late_rests_with_the_rest),
      cmocka_unit_test(laws_and_maps_that_are_late),
      cmocka_unit_test(a_sum_without_end_is_named),
      cmocka_unit_test(pendulums),
      cmocka_unit_test(a_loop_has_the_states_of_its_freedom),
      cmocka_unit_test(a_loop_at_rest_beside_a_singular_position),
      repeating_test(a_spatial_loop_has_the_states_of_its_freedom),
      repeating_test(far_steps_keep_loops_closed),
      repeating_test(springs_hold_joints),
      cmocka_unit_test(what_can_fall_falls),
      cmocka_unit_test(growth_beside_a_fast_decay),
      repeating_test(a_hanging_chain),
      cmocka_unit_test(networks_rest),
      cmocka_unit_test(laws_without_a_slope_at_the_start),
      cmocka_unit_test(failures_are_worded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
