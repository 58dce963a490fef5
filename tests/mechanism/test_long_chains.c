// SPDX-License-Identifier: GPL-3.0-or-later
// Long chains, which explicit methods step in other variables than the momenta of their joints: the same motion as by
// implicit methods, which step these, and as by another order of the joints; energies by tolerances at which the momenta are of no use.
#include "tests/fixture.h"

enum { RESULTS = 3 };

/** A rope of 18 links on spherical and revolute joints that hangs on a free body: a motor turns a joint against a damper, a
 *  spring pulls at a link, a push of a time acts on another, and the end falls on a floor. */
static const char rope[] =
    "<screwbond version='1' id='rope'>"
    "<materials><material id='cork' stiffness='200 200 400 N/m' spin-stiffness='0 "
    "N.m/rad'/></materials>"
    "<laws><contact-law id='soft' normal='kelvin-voigt' damping-factor='0.01'/></laws>"
    "<mechanism gravity='0 0 -9.81 m/s^2'>"
    "<body id='kite' mass='0.5 kg' inertia='2e-3 3e-3 4e-3 kg.m^2' position='0 0 0.6 m' "
    "velocity='0.3 0.1 0.5 m/s'"
    " angular-velocity='0.4 0.2 -0.3 rad/s'/>"
    "<repeat index='k' count='17'><body id='link[k]' mass='10 g' com='1.5 0 0 cm'"
    " inertia='1e-7 9e-7 9e-7 kg.m^2'/></repeat>"
    "<body id='link[18]' mass='10 g' com='1.5 0 0 cm' inertia='1e-7 9e-7 9e-7 kg.m^2' "
    "material='cork'>"
    "<shape kind='sphere' radius='8 mm' at='3 0 0 cm'/></body>"
    "<joint id='j[1]' kind='spherical' parent='kite' child='link[1]'/>"
    "<repeat index='k' count='8'>"
    "<joint id='j[2*k]' kind='revolute' axis='0 1 0' parent='link[2*k-1]' child='link[2*k]' at='3 "
    "0 0 cm' q0='5 deg'/>"
    "<joint id='j[2*k+1]' kind='revolute' axis='0 0 1' parent='link[2*k]' child='link[2*k+1]' "
    "at='3 0 0 cm'/>"
    "</repeat>"
    "<joint id='j[18]' kind='revolute' axis='0 1 0' parent='link[17]' child='link[18]' at='3 0 0 "
    "cm'/>"
    "<ground id='floor' material='cork'><shape kind='plane' normal='0 0 1' offset='0.36 "
    "m'/></ground>"
    "<contact a='floor' b='link[18]' law='soft'/>"
    "<Line id='string' from='kite' to='link[9]' from-at='0 0.1 0 m'/>"
    "<Wrench id='wind' on='link[5]' force-y='0.1[N]*sin(20*t/1[s])'/></mechanism>"
    "<network domain='rotation'><Se id='motor' effort='2e-3[N.m]*cos(9*t/1[s])'/><R id='rub' "
    "r='1e-4 N.m.s'/>"
    "<bond from='motor' to='j[4]'/><bond from='j[4]' to='rub'/></network>"
    "<network domain='translation'><C id='spring' c='0.1 m/N'/><bond from='string' "
    "to='spring'/></network>"
    "<run t-end='0.4 s' rtol='1e-10'/></screwbond>";

static run run_by(const char *text, const char *method, double rtol, double t_end) {
  run r = prepare(text);
  sb_options options = r.netlist->options;
  options.method = sb_method_find(method);
  options.rtol = rtol;
  start_by(&r, &options);
  advance(&r, t_end);
  return r;
}

static void same_motion_as_by_momenta(void **state) {
  static const char *const results[RESULTS] = {"kite.position", "link[18].position",
                                               "link[9].angular-velocity"};
  const double t = THOROUGH ? 0.4 : 0.2;
  (void)state;
  run by_velocities = run_by(rope, "dormand-prince-5", 1e-10, t),
      by_momenta = run_by(rope, "kvaerno-5", 1e-10, t);
  for (int i = 0; i < RESULTS; i++) {
    double a[3], b[3];
    read_all(&by_velocities, results[i], a);
    read_all(&by_momenta, results[i], b);
    const double size = fmax(fmax(fabs(a[0]), fabs(a[1])), fabs(a[2]));
    for (int k = 0; k < 3; k++) {
      assert_near(a[k], b[k], 2e-7 * size);
    }
  }
  assert_true(ledger_of(&by_velocities)->event_count >= 1);
  assert_int_equal(ledger_of(&by_velocities)->event_count, ledger_of(&by_momenta)->event_count);
  stop(&by_velocities);
  stop(&by_momenta);
}

static double height(double rtol) {
  sb_netlist *netlist = read_example("chain_100.xml", NULL, 0);
  sb_options options = options_of("dormand-prince-5", rtol);
  run r = {.netlist = netlist, .model = compile_graph(netlist->graph)};
  start_by(&r, &options);
  advance(&r, 0.25);
  double z = component(&r, "link[99]/rod.origin", 0);
  stop(&r);
  return z;
}

/** Of a hundred links that fall, against Lagrange's equations in absolute angles with a matrix of 100 x 100, from a program of
 *  its own: stepped in momenta, errors are 1e3 times these, and rtol = 1e-3 ends nowhere. */
static void accurate_by_loose_tolerances(void **state) {
  (void)state;
  static const double exact = 0.867314233401635; // [m]
  assert_near(height(1e-3), exact, 2e-5);
  assert_near(height(1e-5), exact, 2e-7);
  if (THOROUGH) {
    assert_near(height(1e-7), exact, 2e-9);
  }
}

/** Links on spherical joints, each of which turns at 1 rad/s: the last one turns at the sum, which the audit's differences are to follow. */
static void turns_that_add_up(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='m'><run t-end='0.05 s'/><mechanism>"
      "<repeat index='k' count='8'><body id='link[k]' mass='0.3 kg' com='0.05 0 0 m' "
      "inertia='2e-4 9e-4 8e-4 kg.m^2'/></repeat>"
      "<joint id='j[1]' kind='spherical' parent='world' child='link[1]' w0='0 0 1 rad/s'/>"
      "<repeat index='k' count='7'><joint id='j[k+1]' kind='spherical' parent='link[k]' "
      "child='link[k+1]' at='0.1 0 0 m' w0='0 0 1 rad/s'/></repeat></mechanism></screwbond>");
  assert_near(component(&r, "link[8].angular-velocity", 2), 8, 1e-12);
  advance(&r, 0.05);
  assert_balanced(&r);
  stop(&r);
}

/** A zigzag of 21 links, hung up at one end. */
static const char swinging[] =
    "<screwbond version='1' id='m'><mechanism gravity='0 0 -9.81 m/s^2'><repeat index='k' "
    "count='21'><body id='link[k]' mass='1 kg' com='0 0 -0.5 m' inertia='0.1 0.1 0.01 "
    "kg.m^2'/></repeat>"
    "<joint id='j[1]' kind='revolute' axis='0 1 0' parent='world' child='link[1]' q0='0.6 rad'/>"
    "<repeat index='k' count='10'><joint id='j[2*k]' kind='revolute' axis='0 1 0' "
    "parent='link[2*k-1]' child='link[2*k]' at='0 0 -1 m' q0='-0.3 rad'/>"
    "<joint id='j[2*k+1]' kind='revolute' axis='0 1 0' parent='link[2*k]' child='link[2*k+1]' "
    "at='0 0 -1 m' q0='0.3 rad'/></repeat></mechanism><run t-end='1 s'/></screwbond>";

/** A step that is repeated begins with the rates of the first attempt: these are of the velocities, too. (They were of where the
 *  attempt had ended, and took thousands of steps.) */
static void a_repeated_step_begins_where_it_began(void **state) {
  (void)state;
  run r = run_by(swinging, "fehlberg-8", 1e-9, 1),
      exact = run_by(swinging, "dormand-prince-5", 1e-12, 1);
  assert_true(ledger_of(&r)->work.rejected > 0);
  assert_in_range(ledger_of(&r)->work.steps, 1, 500);
  assert_near(component(&r, "j[1].q", 0), component(&exact, "j[1].q", 0), 1e-9);
  stop(&r), stop(&exact);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(same_motion_as_by_momenta), repeating_test(accurate_by_loose_tolerances),
      cmocka_unit_test(turns_that_add_up), repeating_test(a_repeated_step_begins_where_it_began)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
