// SPDX-License-Identifier: GPL-3.0-or-later
// Dry friction: Friction, and laws that jump, against closed forms.
#include "tests/fixture.h"

static const char *const coulomb_forms[] = {
    "<Friction id='mu' coulomb='0.7 N'/>", "<R id='mu' law='0.7[N]*sign(f)'/>",
    "<R id='mu' law='if(f &gt; 0[m/s], 0.7[N], -0.7[N])'/>",
    "<R id='mu' law='0.7[N]*((f &gt; 0[m/s]) - (f &lt; 0[m/s]))'/>"};
enum { FORMS = sizeof coulomb_forms / sizeof *coulomb_forms };

/** The amplitude of an oscillator falls by 2 Fc/k in each half cycle of the undamped period, and it rests where a
 *  turning point is inside the dead zone |x| <= Fc/k. */
static void amplitude_falls_linearly(void **state) {
  (void)state;
  const double k = 8, m = 1.3, Fc = 0.7, half = pi * sqrt(m / k);
  for (int form = 0; form < FORMS; form++) {
    run r = go_with("<network domain='translation'><J1 id='v'/>%s<I id='m' mass='1.3 kg'/>"
                    "<C id='k' c='0.125 m/N' q0='1 m'/><bond from='v' to='mu'/>"
                    "<bond from='v' to='m'/><bond from='v' to='k'/></network>",
                    coulomb_forms[form], 0);
    double x = 1;
    int halves = 0;
    for (; fabs(x) * k > Fc; halves++) {
      advance(&r, (halves + 0.5) * half);
      assert_near(value(&r, "k.q"), copysign(Fc / k, x), 1e-9);
      x = copysign(2 * Fc / k, x) - x;
      advance(&r, (halves + 1) * half);
      assert_near(value(&r, "k.q"), x, 1e-9);
    }
    assert_int_equal(halves, 6);
    advance(&r, 20);
    assert_balanced(&r);
    assert_near(value(&r, "m.f"), 0, 0);
    assert_near(value(&r, "k.q"), x, 1e-9);
    assert_near(value(&r, "mu.e"), -k * x, 1e-8);
    assert_near_relative(ledger_of(&r)->total.dissipated, 0.5 * k * (1 - x * x), 1e-8);
    assert_int_equal(events_of(&r, "stick", "mu"), 7);
    stop(&r);
  }
}

static long steps_to(const char *friction, double t) {
  run r = go_with("<network domain='translation'><J1 id='v'/>%s<I id='m' mass='1.3 kg'/>"
                  "<C id='k' c='0.125 m/N' q0='1 m'/><bond from='v' to='m'/>"
                  "<bond from='v' to='k'/></network>",
                  friction, t);
  long steps = ledger_of(&r)->work.steps;
  stop(&r);
  return steps;
}

/** At most five steps more at each event than the same motion without. */
static void events_cost_few_steps(void **state) {
  (void)state;
  const double t = 5.9 * pi * sqrt(1.3 / 8);
  long smooth = steps_to("", t);
  for (int form = 0; form < FORMS; form++) {
    char text[200];
    (void)snprintf(text, sizeof text, "%s<bond from='v' to='mu'/>", coulomb_forms[form]);
    assert_true(steps_to(text, t) <= smooth + 5 * 5);
  }
}

/** A block slows down to rest at v0 m/Fc, to the rounding of numbers, with and without viscous friction:
 *  v = (v0 + Fc/b) exp(-b t/m) - Fc/b. */
static void comes_to_rest(void **state) {
  (void)state;
  static const char *const forms[] = {"<Friction id='mu' coulomb='6 N' viscous='0.8 N.s/m'/>",
                                      "<R id='mu' law='6[N]*sign(f) + 0.8[N.s/m]*f'/>"};
  for (int form = 0; form < 2; form++) {
    run r = go_with("<network domain='translation'><J1 id='v'/>%s<I id='m' mass='1.7 kg' p0='-5.1 "
                    "kg.m/s'/><bond from='v' to='mu'/><bond from='v' to='m'/></network>",
                    forms[form], 2);
    double rest = 1.7 / 0.8 * log(1 + 0.8 * 3 / 6);
    assert_near(event_time(&r, "stick", 0), rest, 1e-9);
    assert_near(value(&r, "m.f"), 0, 0);
    assert_near_relative(ledger_of(&r)->total.dissipated, 0.5 * 1.7 * 9, 1e-9);
    stop(&r);
  }
}

/** A block that hardly moves rests within a small part of the first step: what the friction took by then is p0^2/2m, and
 *  not the rounding of what it takes in a whole step. */
static void comes_to_rest_at_once(void **state) {
  (void)state;
  for (int k = 0; k <= 32; k++) {
    const double p0 = pow(10, -8 - 0.125 * k);
    char form[400];
    (void)snprintf(form, sizeof form,
                   "<network domain='translation'><J1 id='v'/>%%s<I id='m' mass='0.5 kg' p0='%.17g "
                   "kg.m/s'/><bond from='v' to='mu'/><bond from='v' to='m'/></network>",
                   p0);
    run r = go_with(form, "<R id='mu' law='1[N]*sign(f)'/>", 1);
    assert_balanced(&r);
    assert_int_equal(events_of(&r, "stick", "mu"), 1);
    assert_near_relative(ledger_of(&r)->total.dissipated + ledger_of(&r)->total.event_loss, p0 * p0,
                         1e-9);
    stop(&r);
  }
}

/** A belt whose speed steps past that of the block reverses the friction at once, without an impulse: v = v0 - a t
 *  before, a = Fc/m, and v1 + a (t - 0.1 s) behind it, until both are as fast. */
static void belt_steps_past_the_block(void **state) {
  (void)state;
  static const char *const forms[] = {
      "<Friction id='mu' coulomb='0.7 N'/>", "<R id='mu' law='0.7[N]*sign(f)'/>",
      "<Friction id='mu' coulomb='0.7 N' static='0.9 N' dwell='2 s'/>",
      "<R id='mu' law='0.7[N]*((f &gt; 0[m/s]) - (f &lt; 0[m/s]))'/>"};
  const double a = 0.7 / 1.3, v1 = 3 - 0.1 * a, meet = 0.1 + (5 - v1) / a;
  for (int form = 0; form < (int)(sizeof forms / sizeof *forms); form++) {
    run r =
        go_with("<network domain='translation'><J1 id='v'/><J0 id='on'/>%s<I id='m' mass='1.3 kg' "
                "p0='3.9 kg.m/s'/><Sf id='belt' waveform='step' flow='5 m/s' start='0.1 s'/>"
                "<bond from='v' to='m'/><bond from='belt' to='on'/><bond from='on' to='mu'/>"
                "<bond from='on' to='v'/></network>",
                forms[form], 2);
    assert_near_relative(value(&r, "m.f"), v1 + 1.9 * a, 1e-9);
    advance(&r, meet + 1);
    assert_near(event_time(&r, "stick", 0), meet, 1e-9);
    assert_near(value(&r, "m.f"), 5, 1e-12);
    assert_near(ledger_of(&r)->total.event_loss, 0, 1e-12);
    double lost = 0.5 * 1.3 * (9 - v1 * v1) + 0.5 * 1.3 * (5 - v1) * (5 - v1);
    assert_near_relative(ledger_of(&r)->total.dissipated, lost, 1e-9);
    assert_int_equal(ledger_of(&r)->passivity.violations, 0);
    assert_balanced(&r);
    stop(&r);
  }
}

/** The flow u = A (t - 1 s)^2 - d between a belt and a block that slips is below zero for a time 2 sqrt(d/A), within
 *  a step: the block sticks at the first of its roots, and slips again at 1 s, where the belt's acceleration grows
 *  beyond Fc/m, slower by d than if it had not. */
static void short_sticks_are_found(void **state) {
  (void)state;
  const double A = 5, a = 0.7 / 1.3;
  for (int form = 0; form < FORMS; form++) {
    for (double d = 0.03; d > 1e-5; d *= 0.1) {
      char text[2000];
      (void)snprintf(
          text, sizeof text,
          "<network domain='translation'><J1 id='v'/><J0 id='on'/>%s<I id='m' "
          "mass='1.3 kg' p0='3.9 kg.m/s'/><Sf id='belt' flow='3[m/s] + (0.7/1.3)*1[m/s^2]*t "
          "+ 5[m/s^3]*(t - 1[s])^2 - %.17g[m/s]'/><bond from='v' to='m'/>"
          "<bond from='belt' to='on'/><bond from='on' to='mu'/><bond from='on' to='v'/>"
          "</network>",
          coulomb_forms[form], d);
      run r = go(text, 2);
      assert_int_equal(events_of(&r, "stick", "mu"), 1);
      assert_near(event_time(&r, "stick", 0), 1 - sqrt(d / A), 1e-9);
      assert_near_relative(value(&r, "m.f"), 3 - d + 2 * a, 1e-10);
      stop(&r);
    }
  }
}

/** On a plane whose angle grows by w t: it holds exactly up to tan(w t) = mu_s, then slips with mu. The flow
 *  after it, from the integral of g (sin(w t) - mu cos(w t)). */
static void incline_holds_to_its_angle(void **state) {
  (void)state;
  run r = go("<network domain='translation'><signal id='a' value='0.1[rad/s]*t'/><J1 id='v'/>"
             "<I id='m' mass='2 kg'/><Se id='g' effort='2*9.81[N]*sin(a)'/><Friction id='mu' "
             "coulomb='0.4*2*9.81[N]*cos(a)' static='0.5*2*9.81[N]*cos(a)'/>"
             "<bond from='g' to='v'/><bond from='v' to='m'/><bond from='v' to='mu'/></network>",
             4.6);
  double slips = atan(0.5) / 0.1, w = 0.1;
  assert_near(value(&r, "m.f"), 0, 0);
  assert_near(value(&r, "mu.e"), 2 * 9.81 * sin(0.46), 1e-13);
  advance(&r, 6);
  assert_balanced(&r);
  assert_near(event_time(&r, "slip", 0), slips, 1e-10);
  double v = 9.81 / w * (cos(w * slips) - cos(0.6)) - 0.4 * 9.81 / w * (sin(0.6) - sin(w * slips));
  assert_near_relative(value(&r, "m.f"), v, 1e-9);
  stop(&r);
}

static double root(double (*f)(double t, const double at[]), const double at[], double a,
                   double b) {
  for (int i = 0; i < 200; i++) {
    double middle = 0.5 * (a + b);
    *((f(middle, at) > 0) == (f(a, at) > 0) ? &a : &b) = middle;
  }
  return 0.5 * (a + b);
}

enum { M, K, FS, FC, B, TAU, V, X, FIRST, OMEGA, DELTA, P, Q };
/** The spring against the friction that has grown by now. */
static double pull(double t, const double a[]) {
  double grown = a[FIRST] > 0 ? a[FS] : a[FC] - (a[FS] - a[FC]) * expm1(-t / a[TAU]);
  return a[K] * (a[X] + a[V] * t) - grown;
}
/** The flow over that of the belt, while it slips. */
static double behind(double t, const double a[]) {
  double wt = a[OMEGA] * t;
  return exp(-a[DELTA] * t) * ((a[Q] * a[OMEGA] - a[DELTA] * a[P]) * cos(wt) -
                               (a[P] * a[OMEGA] + a[DELTA] * a[Q]) * sin(wt)) -
         a[V];
}

/** Stick-slip on a belt by the map of Bowden and Leben's experiment: it sticks until the spring pulls as hard as
 *  the friction that grows with the time of rest, and slips by m x'' = -k x + Fc + b (V - x') until x' = V. */
static void block_on_a_belt(void **state) {
  (void)state;
  const double speeds[] = {0.05, 0.1, 0.15};
  for (int i = 0; i < 3; i++) {
    char text[1500];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><Sf id='belt' flow='%g m/s'/><J0 id='j'/>"
                   "<J1 id='v'/><Friction id='mu' coulomb='1 N' static='1.5 N' dwell='2 s' "
                   "viscous='0.1 N.s/m'/><I id='m' mass='1 kg' p0='%g kg.m/s'/>"
                   "<C id='k' c='0.5 m/N'/><bond from='belt' to='j'/><bond from='j' to='v'/>"
                   "<bond from='j' to='mu'/><bond from='v' to='m'/><bond from='v' to='k'/>"
                   "</network>",
                   speeds[i], speeds[i]);
    run r = go(text, 80);
    double a[] = {1, 2, 1.5, 1, 0.1, 2, speeds[i], 0, 1, 0, 0, 0, 0}, t = 0;
    for (int n = 0; n < 4; n++) {
      double rest = root(pull, a, 0, 100);
      t += rest;
      assert_near(event_time(&r, "slip", n), t, 2e-8);
      double x = a[X] + a[V] * rest, centre = (a[FC] + a[B] * a[V]) / a[K];
      a[DELTA] = a[B] / a[M] / 2;
      a[OMEGA] = sqrt(a[K] / a[M] - a[DELTA] * a[DELTA]);
      a[P] = x - centre;
      a[Q] = (a[V] + a[DELTA] * a[P]) / a[OMEGA];
      double s = pi / a[OMEGA]; // it is behind the belt by now
      s = root(behind, a, s, 2 * s);
      t += s;
      assert_near(event_time(&r, "stick", n + 1), t, 2e-8);
      a[X] = centre + exp(-a[DELTA] * s) * (a[P] * cos(a[OMEGA] * s) + a[Q] * sin(a[OMEGA] * s));
      a[FIRST] = 0;
    }
    stop(&r);
  }
}

/** A spring of unit stiffness pulls slower than the static peak lets go at once: with Stribeck's velocity the
 *  law is what the element gives. */
static void follows_stribeck(void **state) {
  (void)state;
  run r = go("<network domain='rotation'><Sf id='w' flow='0.03[rad/s^2]*t'/><Friction id='mu' "
             "coulomb='2 N.m' static='3.1 N.m' stribeck='0.02 rad/s' viscous='0.7 N.m.s/rad'/>"
             "<bond from='w' to='mu'/></network>",
             1);
  assert_near_relative(value(&r, "mu.e"), 2 + 1.1 * exp(-2.25) + 0.7 * 0.03, 1e-12);
  stop(&r);
}

/** A mass that a damper couples to a slider without inertia, d (v - f) = F(f), dv/dt = -F(f)/m: with Stribeck's velocity F comes back to the peak as f
 *  falls to zero, and the slider sticks at v = Fs/d, which then decays as exp(-d t/m). By v = f + F/d the slip takes
 *  (m/d) ln(F(f0)/Fs) + the integral of m/F from 0 to f0. */
static void comes_to_rest_at_its_peak(void **state) {
  (void)state;
  static const char *const methods[] = {"dormand-prince-5", "fehlberg-8", "kvaerno-5"};
  enum { PARTS = 2000 };
  const double d = 180, f0 = 1 - 2 / d; // F(f0) = 2 to exp(-97)
  double slip = log(2. / 3) / d;
  for (int i = 0; i <= PARTS; i++) { // Simpson's rule
    const double ratio = i * f0 / PARTS / 0.1, weight = i % PARTS == 0 ? 1 : i % 2 == 1 ? 4 : 2;
    slip += weight * f0 / PARTS / 3 / (2 + exp(-ratio * ratio));
  }
  for (int i = 0; i < 3; i++) {
    run r = prepare_inside(
        "<network domain='translation'><J1 id='slider'/><Friction id='mu' coulomb='2 N' static='3 "
        "N' stribeck='0.1 m/s'/><J0 id='j'/><R id='d' r='180 N.s/m'/><J1 id='v'/><I id='m' "
        "mass='1 kg' p0='1 N.s'/><bond from='slider' to='mu'/><bond from='v' to='j'/><bond "
        "from='j' to='d'/><bond from='j' to='slider'/><bond from='v' to='m'/></network>");
    sb_options options = options_of(methods[i], 1e-10);
    start_by(&r, &options);
    advance(&r, slip + 0.01);
    assert_balanced(&r);
    assert_near(event_time(&r, "stick", 0), slip, 1e-9);
    assert_near_relative(value(&r, "m.f"), 3 / d * exp(-1.8), 1e-7);
    advance(&r, 1);
    assert_int_equal(events_of(&r, "slip", "mu"), 0);
    stop(&r);
  }
}

/** A slipping clutch: capacity M from t = 1 s on between J1 = 1 at 10 rad/s and J2 = 3 at rest. The slip ends after
 *  10/(M (1/J1 + 1/J2)), with w = 2.5 and a loss of J1 J2/(J1 + J2) 10^2/2 = 37.5 J whatever M. Locked it
 *  transmits J1/(J1 + J2) of a torque on the second, until that is beyond M. */
static void slipping_clutch(void **state) {
  (void)state;
  run r = go("<network domain='rotation'><signal id='M' value='if(t &lt; 1[s], 0[N.m], 3[N.m])'/>"
             "<J1 id='a'/><J1 id='b'/><I id='A' inertia='1 kg.m^2' p0='10 kg.m^2/s'/>"
             "<I id='B' inertia='3 kg.m^2'/><J0 id='k'/><Friction id='K' coulomb='M'/>"
             "<Se id='T' effort='-4[N.m/s]*max(t - 6[s], 0[s])'/><bond from='T' to='b'/>"
             "<bond from='a' to='k'/><bond from='k' to='b'/><bond from='k' to='K'/>"
             "<bond from='a' to='A'/><bond from='b' to='B'/></network>",
             5);
  assert_near(event_time(&r, "stick", 0), 1 + 10 / (3 * (1 + 1. / 3)), 1e-10);
  assert_near_relative(value(&r, "A.f"), 2.5, 1e-10);
  assert_near_relative(value(&r, "B.f"), 2.5, 1e-10);
  assert_near_relative(ledger_of(&r)->total.dissipated, 37.5, 1e-10);
  advance(&r, 8);
  assert_near(value(&r, "K.e"), 2, 1e-9);
  advance(&r, 10);
  assert_balanced(&r);
  assert_near(event_time(&r, "slip", 0), 9, 1e-9);
  assert_near(value(&r, "A.f"), 2.5 - 4.5 - 3, 1e-9);
  assert_near(value(&r, "B.f"), 2.5 - 4.5 - (14 - 3) / 3., 1e-9);
  stop(&r);
}

/** Dry friction bears no impulse: a block that sticks is thrown by an impact, and slips when its belt jumps. */
static void impulses_pass(void **state) {
  (void)state;
  run r = go("<network domain='translation'><J1 id='a'/><J1 id='b'/><I id='A' mass='1 kg' p0='2 "
             "kg.m/s'/><I id='B' mass='3 kg'/><Friction id='mu' coulomb='2 N'/>"
             "<Stop id='S' upper='0.1 m' restitution='0.5'/><J0 id='j'/><bond from='a' to='A'/>"
             "<bond from='b' to='B'/><bond from='b' to='mu'/><bond from='a' to='j'/>"
             "<bond from='j' to='b'/><bond from='j' to='S'/></network>",
             0.5);
  assert_near(value(&r, "A.f"), -0.25, 1e-12); // (1 + e) m v = 2.25 N s pass
  assert_near(value(&r, "B.f"), 0.75 - 2. / 3 * 0.45, 1e-9);
  advance(&r, 2);
  assert_balanced(&r);
  assert_near(event_time(&r, "stick", 1), 0.05 + 0.75 * 3 / 2, 1e-9);
  stop(&r);
  r = go("<network domain='translation'><Sf id='belt' flow='0.5 m/s' waveform='step' start='1 s'/>"
         "<J0 id='j'/><J1 id='v'/><Friction id='mu' coulomb='2 N'/><I id='m' mass='1 kg'/>"
         "<bond from='belt' to='j'/><bond from='j' to='v'/><bond from='j' to='mu'/>"
         "<bond from='v' to='m'/></network>",
         2);
  assert_near(event_time(&r, "stick", 1), 1.25, 1e-9);
  assert_near_relative(ledger_of(&r)->total.dissipated, 0.125, 1e-9);
  assert_near(ledger_of(&r)->total.event_loss, 0, 1e-14);
  assert_near(value(&r, "m.f"), 0.5, 1e-12);
  stop(&r);
}

/** What it dissipates by friction leaves as heat, and none while it sticks. */
static void friction_heats(void **state) {
  (void)state;
  run r = go("<network domain='translation'><J1 id='v'/><I id='m' mass='2 kg' p0='6 kg.m/s'/>"
             "<R id='mu' law='4[N]*sign(f)'/><C id='heat' domain='thermal' "
             "energy='50[J/K]*300[K]*(exp(q/50[J/K])-1)'/><bond from='v' to='m'/>"
             "<bond from='v' to='mu.p'/><bond from='mu.heat' to='heat'/></network>",
             3);
  assert_near_relative(value(&r, "heat.e"), 300 + 9. / 50, 1e-11);
  assert_near(value(&r, "m.f"), 0, 0);
  stop(&r);
}

/** The energy balance follows the tolerance, with every kind of method. */
static void balance_follows_the_tolerance(void **state) {
  (void)state;
  static const char text[] =
      "<network domain='translation'><Sf id='belt' flow='0.1 m/s'/><J0 id='j'/><J1 id='v'/>"
      "<Friction id='mu' coulomb='2 N' static='3 N' stribeck='10 mm/s'/><I id='m' mass='1 kg'/>"
      "<C id='k' c='0.01 m/N'/><bond from='belt' to='j'/><bond from='j' to='v'/>"
      "<bond from='j' to='mu'/><bond from='v' to='m'/><bond from='v' to='k'/></network>";
  static const char *const methods[] = {"dormand-prince-5", "fehlberg-8", "kvaerno-5"};
  for (int i = 0; i < 3; i++) {
    for (double rtol = 1e-6; rtol > 1e-11; rtol *= 1e-2) {
      run r = prepare_inside(text);
      sb_options options = options_of(methods[i], rtol);
      start_by(&r, &options);
      advance(&r, 3);
      assert_true(ledger_of(&r)->residual_relative < rtol);
      assert_int_equal(ledger_of(&r)->passivity.violations, 0);
      assert_int_equal(events_of(&r, "slip", "mu"), 4);
      stop(&r);
    }
  }
}

static void refusals(void **state) {
  (void)state;
  sb_graph *graph;
  sb_error err = {0};
  ok(sb_graph_create("m", &graph, &err), &err);
  sb_element *mu = add_kind(graph, "Friction", "mu", "coulomb", 2);
  add_kind(graph, "Sf", "v", "flow", 1);
  add_bond(graph, "v", "mu");
  set_value(mu, "static", 1.5);
  refuse_graph(graph, SB_ERR_RANGE,
               "Friction 'mu': static must not be below coulomb: 1.5 is below 2");
  ok(sb_graph_create("m", &graph, &err), &err);
  add_kind(graph, "Friction", "mu", NULL, 0);
  add_kind(graph, "Sf", "v", "flow", 1);
  add_bond(graph, "v", "mu");
  refuse_graph(graph, SB_ERR_MISSING, "Friction 'mu': coulomb is missing");
  ok(sb_graph_create("m", &graph, &err), &err);
  mu = add_kind(graph, "Friction", "mu", NULL, 0);
  add_kind(graph, "Sf", "v", "flow", 1);
  add_bond(graph, "v", "mu");
  set_values(mu, "coulomb", (const double[]){1, 2}, 2);
  refuse_graph(graph, SB_ERR_DIMENSION, "Friction 'mu': coulomb takes one number, got 2");
}

/** A mass on a spring at rest, held by friction: it breaks loose where the force 7 N sin 3t passes 2 N, and moves
 *  by x'' + w^2 x = 7 sin 3t - 2. Forces and all motion are zero before, but for rounding. */
static void breaks_loose_from_rest(void **state) {
  (void)state;
  run r = go("<network domain='translation'><Se id='F' effort='7[N]*sin(3[rad/s]*t)'/>"
             "<I id='m' mass='1 kg'/><J1 id='j'/><C id='k' c='0.02 m/N'/>"
             "<R id='f' law='2[N]*sign(f)'/><bond from='F' to='j'/><bond from='j' to='m'/>"
             "<bond from='j' to='f'/><bond from='j' to='k'/></network>",
             0.25);
  double w = sqrt(50), t = asin(2 / 7.) / 3, a = 7. / (50 - 9), s = 0.25 - t;
  double x = a * sin(3 * t) - 0.04, v = 3 * a * cos(3 * t); // of the particular solution at t
  assert_near(value(&r, "k.q"), a * sin(0.75) - 0.04 - x * cos(w * s) - v / w * sin(w * s), 1e-10);
  assert_true(ledger_of(&r)->work.steps < 300);
  stop(&r);
}

/** The same without a spring, and with its path as a signal: from where 3 N sin t passes 2 N,
 *  v = -3 (cos t - cos t0) - 2 (t - t0). The force is zero there but for rounding, and tells nothing of the path to come. */
static void path_of_what_breaks_loose(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "kvaerno-5", "fehlberg-8"};
  const double t0 = asin(2. / 3), t = 3, s = t - t0;
  const double x = -3 * (sin(t) - 2. / 3) + 3 * cos(t0) * s - s * s;
  for (int i = 0; i < 3; i++) {
    run r = prepare_inside("<network domain='translation'><Se id='F' effort='3[N]*sin(t/1[s])'/>"
                           "<J1 id='j'/><I id='m' mass='1 kg'/><R id='mu' law='2[N]*sign(f)'/>"
                           "<bond from='F' to='j'/><bond from='j' to='m'/><bond from='j' to='mu'/>"
                           "<signal id='v' of='m.f'/><signal id='x' rate='v'/>"
                           "<signal id='area' rate='x'/></network>");
    sb_options options = options_of(methods[i], 1e-9);
    options.atol = 0;
    start_by(&r, &options);
    advance(&r, t);
    assert_near(value(&r, "x.value"), x, 1e-8);
    assert_true(ledger_of(&r)->work.steps < 200);
    stop(&r);
  }
}

/** Two blocks of 1 and 2 kg that stick to each other at 3 m/s; the second strikes a stop at 2 m. The first slips on against 1 N for 3 s:
 *  what an impact releases is reported as a slip. */
static void impact_releases_what_sticks(void **state) {
  (void)state;
  run r = go("<network domain='translation'><J1 id='a'/><J1 id='b'/><J0 id='r'/>"
             "<I id='ma' mass='1 kg' p0='3 kg.m/s'/><I id='mb' mass='2 kg' p0='6 kg.m/s'/>"
             "<Friction id='mu' coulomb='1 N' static='2 N'/><Stop id='S' upper='2 m' "
             "restitution='0'/><bond from='a' to='ma'/><bond from='b' to='mb'/>"
             "<bond from='a' to='r'/><bond from='r' to='b'/><bond from='r' to='mu'/>"
             "<bond from='b' to='S'/></network>",
             5);
  assert_int_equal(ledger_of(&r)->event_count, 4);
  assert_int_equal(events_of(&r, "slip", "mu"), 1);
  assert_near(event_time(&r, "slip", 0), 2. / 3, 1e-9);
  assert_near(event_time(&r, "stick", 1), 2. / 3 + 3, 1e-9);
  stop(&r);
}

/** A body that an impact breaks loose after 1.3 s of rest has the strength of that rest, 1 + 4 (1 - exp(-1.3/100)) N; and of two impacts the
 *  second, which reverses a slip, lists one slip. */
static void rest_before_an_impact(void **state) {
  (void)state;
  run r =
      go("<network domain='translation'><I id='A' mass='1 kg' p0='1 kg.m/s'/><J1 id='a'/>"
         "<Friction id='mu' coulomb='1 N' static='5 N' stribeck='10 m/s' dwell='100 s'/>"
         "<I id='B' mass='1 kg' p0='2 kg.m/s'/><J1 id='b'/><I id='D' mass='1 kg' p0='-4 kg.m/s'/>"
         "<J1 id='d'/><Clutch id='K' state='open' times='1.5 s'/><Clutch id='L' state='open' "
         "times='2 s'/><bond from='a' to='A'/><bond from='a' to='mu'/><bond from='b' to='B'/>"
         "<bond from='b' to='K.from'/><bond from='K.to' to='a'/><bond from='d' to='D'/>"
         "<bond from='d' to='L.from'/><bond from='L.to' to='a'/></network>",
         1.55);
  const double rested = 1.5 - event_time(&r, "stick", 0), v = value(&r, "A.f"),
               peak = 1 + 4 * (1 - exp(-rested / 100));
  assert_near(value(&r, "mu.e"), 1 + (peak - 1) * exp(-v * v / 100), 1e-9);
  advance(&r, 2.1);
  assert_true(value(&r, "A.f") < 0);
  assert_int_equal(events_of(&r, "slip", "mu"), 2);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rest_before_an_impact),
      cmocka_unit_test(impact_releases_what_sticks),
      cmocka_unit_test(breaks_loose_from_rest),
      cmocka_unit_test(path_of_what_breaks_loose),
      repeating_test(amplitude_falls_linearly),
      repeating_test(events_cost_few_steps),
      cmocka_unit_test(comes_to_rest),
      repeating_test(comes_to_rest_at_once),
      cmocka_unit_test(belt_steps_past_the_block),
      cmocka_unit_test(short_sticks_are_found),
      cmocka_unit_test(incline_holds_to_its_angle),
      repeating_test(block_on_a_belt),
      cmocka_unit_test(follows_stribeck),
      cmocka_unit_test(comes_to_rest_at_its_peak),
      cmocka_unit_test(slipping_clutch),
      cmocka_unit_test(impulses_pass),
      cmocka_unit_test(friction_heats),
      repeating_test(balance_follows_the_tolerance),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
