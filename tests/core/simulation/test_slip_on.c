// SPDX-License-Identifier: GPL-3.0-or-later
// Dry friction behind a ratio n that passes through zero: its flow n v is reversed there, and no force of it could hold it. Expected
// values by closed forms: of a mass of 1 kg with y = x - 0.5 m, n = y/1 m and friction of 1 N, y'' = y before and y'' = -y behind.
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"
#include "tests/fixture.h"

/** No event loses anything. */
static run go_by(const char *inside, const char *method, double t_end) {
  run r = prepare_inside(inside);
  const sb_options options = options_of(method, 1e-10);
  start_by(&r, &options);
  advance(&r, t_end);
  assert_near(ledger_of(&r)->total.event_loss, 0, 1e-12);
  assert_closes(&r);
  return r;
}

/** A mass that starts at x0 with a momentum p0, and what is behind a transducer with a ratio of x and the time tt. */
static run go_behind(const char *kind, const char *ratio, const char *law, const char *x0,
                     const char *p0, const char *beside, const char *method, double t_end) {
  char text[2000];
  (void)snprintf(text, sizeof text,
                 "<network domain='translation'><signal id='tt' value='t'/>"
                 "<signal id='x' rate='v' start='%s m'/><signal id='v' of='m.f'/>"
                 "<I id='m' mass='1 kg' p0='%s kg.m/s'/><J1 id='j'/><%s id='T' ratio='%s'/>%s"
                 "<bond from='j' to='m'/><bond from='j' to='T'/><bond from='T' to='mu'/>%s"
                 "</network>",
                 x0, p0, kind, ratio, law, beside);
  return go_by(text, method, t_end);
}

static const char line[] = "x/1[m] - 0.5", coulomb[] = "<Friction id='mu' coulomb='1 N'/>";
static const char *const methods[] = {"auto", "fehlberg-8", "kvaerno-5"};
enum { METHODS = sizeof methods / sizeof *methods };

/** With friction of 1 N while y < 0, and of `behind` there. */
static void check_swing(const run *r, double before, double behind) {
  const double w = sqrt(before), u = sqrt(behind), t0 = atanh(0.5 * w) / w;
  const double v0 = cosh(w * t0) - 0.5 * w * sinh(w * t0);
  assert_near(event_time(r, "slip", 0), t0, 1e-8);
  assert_int_equal(ledger_of(r)->event_count, 1);
  assert_near(value(r, "x"), 0.5 + v0 / u * sin(u * (1 - t0)), 1e-8);
  assert_near(value(r, "m.f"), v0 * cos(u * (1 - t0)), 1e-8);
}

static void slips_on_reversed(void **state) {
  (void)state;
  static const struct {
    const char *kind, *ratio, *law;
    double before, behind;
  } cases[] = {{"MTF", line, coulomb, 1, 1},
               {"MTF", line, "<Friction id='mu' coulomb='1 N' static='1.7 N'/>", 1, 1},
               {"MTF", line, "<R id='mu' law='1[N]*sign(f)'/>", 1, 1},
               {"MTF", line, "<R id='mu' law='if(f &gt; 0[m/s], 1[N], -0.6[N])'/>", 0.6, 1},
               {"MGY", "x*1[N.s/m^2] - 0.5[N.s/m]", "<R id='mu' law='1[m/s]*sign(e)'/>", 1, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int k = 0; k < METHODS; k++) {
      run r = go_behind(cases[i].kind, cases[i].ratio, cases[i].law, "0", "1", "", methods[k], 1);
      check_swing(&r, cases[i].before, cases[i].behind);
      stop(&r);
    }
  }
}

/** dv/dy = -b y^2 of viscous friction alone, whether it has modes or not. */
static void viscous_friction_passes(void **state) {
  (void)state;
  static const char *const laws[] = {"<Friction id='mu' coulomb='0 N' viscous='0.8 N.s/m'/>",
                                     "<R id='mu' r='0.8 N.s/m'/>"};
  for (int i = 0; i < 2; i++) {
    run r = go_behind("MTF", line, laws[i], "0", "1", "", "auto", 1);
    const double y = value(&r, "x") - 0.5;
    assert_true(y > 0.4);
    assert_near(value(&r, "m.f"), 1 - 0.8 * (y * y * y + 0.125) / 3, 1e-8);
    stop(&r);
  }
}

/** n = 2 t/s - 1: v = 1 - t + t^2 before 0.5 s, 0.75 - (t - 0.5)^2 behind. */
static void ratio_of_the_time(void **state) {
  (void)state;
  run r = go_behind("MTF", "2*tt/1[s] - 1", coulomb, "0", "1", "", "auto", 1);
  assert_near(event_time(&r, "slip", 0), 0.5, 1e-12);
  assert_near(value(&r, "m.f"), 0.5, 1e-9);
  assert_near(value(&r, "x"), 0.75, 1e-9);
  stop(&r);
}

/** A ratio that touches zero leaves the friction as it is: v^2/2 = 1/2 - (y^3 + 1/8)/3, or 1/2 - (y |y| + 1/4)/2. */
static void touching_zero_changes_nothing(void **state) {
  (void)state;
  static const char *const ratios[] = {"(x/1[m] - 0.5)^2", "x^2/1[m^2] - x/1[m] + 0.25",
                                       "abs(x/1[m] - 0.5)"};
  for (int i = 0; i < 3; i++) {
    run r = go_behind("MTF", ratios[i], coulomb, "0", "1", "", "auto", 1);
    const double y = value(&r, "x") - 0.5;
    const double work = i < 2 ? (y * y * y + 0.125) / 3 : (y * y + 0.25) / 2;
    assert_true(y > 0.3);
    assert_near(value(&r, "m.f"), sqrt(1 - 2 * work), 1e-8);
    assert_int_equal(events_of(&r, "slip", "mu"), 0);
    stop(&r);
  }
}

/** At a dead centre from the start, in motion: y = sin t; at rest with a force of 1 N: y = 1 - cos t; and without one. */
static void starts_at_a_dead_centre(void **state) {
  (void)state;
  for (int k = 0; k < METHODS; k += THOROUGH ? 1 : 2) {
    run moving = go_behind("MTF", line, coulomb, "0.5", "1", "", methods[k], 1);
    assert_near(value(&moving, "x"), 0.5 + sin(1), 1e-8);
    stop(&moving);
    run idle = go_behind("MTF", line, coulomb, "0.5", "0", "", methods[k], 1);
    assert_near(value(&idle, "x"), 0.5, 0);
    stop(&idle);
  }
  run driven = go_behind("MTF", line, coulomb, "0.5", "0",
                         "<Se id='F' effort='1 N'/><bond from='F' to='j'/>", "auto", 1);
  assert_near(value(&driven, "x"), 1.5 - cos(1), 1e-7);
  assert_near(value(&driven, "m.f"), sin(1), 1e-7);
  stop(&driven);
}

/** What an attempt is to return, and how often it was made in other modes. */
typedef struct attempts {
  bool succeeds;
  int before, waiting;
} attempts;

static bool count_attempt(sb_simulation *sim, void *context) {
  attempts *a = context;
  a->waiting += sim->work->modes[0] != a->before;
  return a->succeeds;
}

/** At rest behind a ratio friction that bears nothing waits where a step succeeds so. Where it does not, it sticks as before; so it does
 *  where it holds a mass, and where no ratio can vanish. */
static void waits_where_that_helps(void **state) {
  (void)state;
  static const struct {
    const char *x0, *beside;
    bool idle;
  } cases[] = {{"0.5", "", true},
               {"0.6", "", true},
               {"0.6", "<Se id='F' effort='0.05 N'/><bond from='F' to='j'/>", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int succeeds = 0; succeeds <= 1; succeeds++) {
      run r = go_behind("MTF", line, coulomb, cases[i].x0, "0", cases[i].beside, "auto", 0.5);
      attempts a = {succeeds, r.sim->work->modes[0], 0};
      const bool waits = cases[i].idle && succeeds;
      assert_int_equal(sb_idle_sticks_wait(r.sim, count_attempt, &a), waits);
      assert_int_equal(a.waiting, cases[i].idle);
      assert_int_equal(r.sim->work->modes[0] != a.before, waits);
      advance(&r, 1);
      assert_near(value(&r, "x"), strtod(cases[i].x0, NULL), 1e-15);
      assert_closes(&r);
      stop(&r);
    }
  }
  run r = go_by("<network domain='translation'><I id='m' mass='1 kg'/><Friction id='mu' coulomb='1 "
                "N'/><J1 id='j'/><bond from='j' to='m'/><bond from='j' to='mu'/></network>",
                "auto", 0.5);
  attempts a = {true, r.sim->work->modes[0], 0};
  assert_false(sb_idle_sticks_wait(r.sim, count_attempt, &a));
  assert_int_equal(r.sim->work->modes[0], a.before);
  stop(&r);
}

/** Beside a dead centre it sticks. With a spring of 4 N/m 2 x^2 changes by y |y|/2 between turns at a, b and c, where it rests:
 *  1/2 = 2 a^2 + (1/4 - (a - 1/2)^2)/2, and from the roots of the others a + b = 1/5, b + c = -1/3. */
static void sticks_beside_a_dead_centre(void **state) {
  (void)state;
  const double a = (sqrt(3.25) - 0.5) / 3, c = a - 0.2 - 1. / 3;
  for (int k = 0; k < METHODS; k++) {
    run r = go_behind("MTF", line, coulomb, "0", "1",
                      "<C id='k' c='0.25 m/N'/><bond from='j' to='k'/>", methods[k], 5);
    assert_int_equal(events_of(&r, "stick", "mu"), 3);
    assert_near(value(&r, "x"), c, 1e-8);
    assert_near(value(&r, "m.f"), 0, 1e-20);
    assert_near(value(&r, "mu.e"), -4 * c / (c - 0.5), 1e-7);
    stop(&r);
  }
}

/** A flywheel drives a piston of 0.8 kg by 0.05 m sin(th) against 5 N, past nine dead centres:
 *  (J + m r^2 cos^2 th) w^2/2 = 9.9 J - 5 N times the way of the piston. */
static void scotch_yoke_passes_its_dead_centres(void **state) {
  (void)state;
  run r = go_by("<network domain='rotation'><signal id='th' rate='w'/><signal id='w' of='J.f'/>"
                "<I id='J' inertia='0.02 kg.m^2' p0='0.6 kg.m^2/s'/><J1 id='s'/>"
                "<MTF id='T' ratio='0.05[m]*cos(th)'/><J1 id='p' domain='translation'/>"
                "<I id='m' domain='translation' mass='0.8 kg' p0='1.2 kg.m/s'/>"
                "<Friction id='mu' domain='translation' coulomb='5 N'/>"
                "<bond from='s' to='J'/><bond from='s' to='T'/><bond from='T' to='p'/>"
                "<bond from='p' to='m'/><bond from='p' to='mu'/></network>",
                "fehlberg-8", 1);
  const double th = value(&r, "th"), way = 0.05 * (18 - fabs(sin(th)));
  const double J = 0.02 + 0.8 * 0.0025 * cos(th) * cos(th);
  assert_int_equal(ledger_of(&r)->event_count, 9);
  assert_near(th, 26.92165, 1e-5);
  assert_near(value(&r, "J.f"), sqrt(2 * (9.9 - 5 * way) / J), 1e-6);
  stop(&r);
}

/** A yoke of 0.1 m at a flywheel that a shaft of 50 N.m/rad joins to another one: its piston passes two dead centres, at the second of which
 *  n = -4e-16 m, and the force of a stick there would be rounding over n^2. By DOP853 of scipy. */
static void yoke_beside_an_elastic_shaft(void **state) {
  (void)state;
  for (int k = 0; k < METHODS; k++) {
    run r = go_by("<network domain='rotation'><signal id='w' of='J.f'/><signal id='th' rate='w'/>"
                  "<I id='J' inertia='0.02' p0='0.4/1.5'/><J1 id='s'/>"
                  "<MTF id='T' ratio='0.1[m]*cos(th)'/><J1 id='p' domain='translation'/>"
                  "<I id='m' domain='translation' mass='1' p0='2/1.5'/>"
                  "<Friction id='mu' domain='translation' coulomb='1 N'/>"
                  "<J0 id='e'/><C id='k' c='1/50'/><J1 id='s2'/><I id='J2' inertia='0.01'/>"
                  "<bond from='s' to='J'/><bond from='s' to='T'/><bond from='T' to='p'/>"
                  "<bond from='p' to='m'/><bond from='p' to='mu'/><bond from='s' to='e'/>"
                  "<bond from='e' to='k'/><bond from='e' to='s2'/><bond from='s2' to='J2'/>"
                  "</network>",
                  methods[k], 0.5);
    assert_int_equal(ledger_of(&r)->event_count, 2);
    assert_near(event_time(&r, "slip", 1), 0.4572278963, 1e-8);
    assert_near(value(&r, "th"), 5.0761516405, 1e-8);
    assert_near(value(&r, "J.f"), 8.4658866272, 1e-7);
    stop(&r);
  }
}

/** A line from (1 m, 0) to the rim at 0.3 m of a disc, L^2 = 1.09 - 0.6 cos q, is longest at q = pi. */
static void line_passes_its_longest(void **state) {
  (void)state;
  run r = go_by("<mechanism gravity='0 0 0 m/s^2'><body id='b' mass='1 kg' inertia='0.5 0.5 0.5 "
                "kg.m^2'><frame id='pin' at='0.3 0 0 m'/></body><joint id='j' kind='revolute' "
                "axis='0 0 1' parent='world' child='b' q0='0.4 rad' w0='6 rad/s'/>"
                "<Line id='rod' from='world' to='pin' from-at='1 0 0 m'/></mechanism>"
                "<network domain='translation'><Friction id='mu' coulomb='4 N'/>"
                "<bond from='rod' to='mu'/></network>",
                "auto", 1);
  const double q = value(&r, "j.q");
  const double way = 2 * 1.3 - sqrt(1.09 - 0.6 * cos(0.4)) - sqrt(1.09 - 0.6 * cos(q));
  assert_near(q, 5.5850698, 1e-6);
  assert_near(value(&r, "j.w"), sqrt(36 - 2 * 4 * way / 0.5), 1e-8);
  stop(&r);
}

/** A pendulum of 2 m by two ratios, 6 th'' = -29.43 sin th - sign(w) |2 sin th| with 1 N across its height, by a Runge-Kutta
 *  method of its own (2e-4 s, its events by bisection): it passes th = 0 and turns seven times. */
static void pendulum_passes_its_lowest(void **state) {
  (void)state;
  run r = go_by("<network domain='translation'><signal id='th' rate='w' start='1.2 rad'/>"
                "<signal id='w' of='rot.f'/><J1 id='rot' domain='rotation'/>"
                "<MTF id='tx' ratio='2.0[m]*cos(th)'/><MTF id='ty' ratio='2.0[m]*sin(th)'/>"
                "<J1 id='bx'/><J1 id='by'/><I id='mx' mass='1.5 kg'/><I id='my' mass='1.5 kg'/>"
                "<Se id='G' effort='-14.715 N'/><Friction id='mu' coulomb='1 N'/>"
                "<bond from='rot' to='tx'/><bond from='rot' to='ty'/><bond from='tx' to='bx'/>"
                "<bond from='bx' to='mx'/><bond from='ty' to='by'/><bond from='by' to='my'/>"
                "<bond from='G' to='by'/><bond from='by' to='mu'/></network>",
                "fehlberg-8", 10);
  assert_near(value(&r, "th"), -0.2685617238, 1e-7);
  assert_near(value(&r, "w"), -1.483439539, 1e-7);
  stop(&r);
}

/** Two masses rub against each other, one with a momentum that is not linear in its speed: by the time at which the slip came to zero
 *  some 1e-15 m/s are left of it, against the next slip. */
static void slips_on_from_zero(void **state) {
  (void)state;
  static const double rtol[] = {1e-10, 9e-11};
  for (int i = 0; i < 2; i++) {
    sb_options options = options_of("fehlberg-8", rtol[i]);
    run r = prepare_inside(
        "<network domain='translation'><J1 id='a2'/><J1 id='b2'/><J0 id='on2'/>"
        "<Friction id='F2' coulomb='0.26351519348047'/>"
        "<I id='I2' l='2.25290655232861' p0='0.715473338069957'/><bond from='a2' to='I2'/>"
        "<I id='L2' energy='0.265683361449781[J]*((p/0.341860273192222[N.s])^2/2 + "
        "(p/0.341860273192222[N.s])^4/7)' p0='0.890289060083079'/><bond from='L2' to='b2'/>"
        "<C id='C2' c='0.00964627231600353' q0='0.000682138652507656'/><bond from='b2' to='C2'/>"
        "<Se id='U2' effort='1.88068838761684[N]*exp(-t/2.01975979345757[s])*"
        "cos(t/0.567793932898656[s])'/><bond from='U2' to='a2'/><bond from='on2' to='a2'/>"
        "<bond from='b2' to='on2'/><bond from='on2' to='F2'/></network>");
    start_by(&r, &options);
    advance(&r, 10.5);
    assert_balanced(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {repeating_test(slips_on_reversed),
                                     cmocka_unit_test(viscous_friction_passes),
                                     cmocka_unit_test(ratio_of_the_time),
                                     cmocka_unit_test(touching_zero_changes_nothing),
                                     repeating_test(starts_at_a_dead_centre),
                                     cmocka_unit_test(waits_where_that_helps),
                                     cmocka_unit_test(sticks_beside_a_dead_centre),
                                     repeating_test(scotch_yoke_passes_its_dead_centres),
                                     repeating_test(yoke_beside_an_elastic_shaft),
                                     repeating_test(line_passes_its_longest),
                                     cmocka_unit_test(pendulum_passes_its_lowest),
                                     repeating_test(slips_on_from_zero)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
