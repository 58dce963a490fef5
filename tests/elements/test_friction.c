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

/** Two blocks in series at rest: the second moves when the spring between them holds its static friction. */
static void blocks_in_series(void **state) {
  (void)state;
  run r =
      go("<network domain='translation'><Se id='F' effort='1.5[N/s]*t'/><J1 id='a'/><J1 id='b'/>"
         "<I id='A' mass='2 kg'/><I id='B' mass='1 kg'/><Friction id='fa' coulomb='3 N'/>"
         "<R id='fb' law='1[N]*sign(f)'/><J0 id='s'/><C id='k' c='0.02 m/N'/>"
         "<bond from='F' to='a'/><bond from='a' to='A'/><bond from='a' to='fa'/>"
         "<bond from='a' to='s'/><bond from='s' to='k'/><bond from='s' to='b'/>"
         "<bond from='b' to='B'/><bond from='b' to='fb'/></network>",
         4);
  // A alone from t = 2 s on: 2 x'' = 1.5 (t - 2) - 50 x, until 50 x = 1
  const double w = 5;
  double a = 0, b = 2;
  for (int i = 0; i < 100; i++) {
    double s = 0.5 * (a + b), x = 1.5 / 50 * (s - sin(w * s) / w);
    *(50 * x > 1 ? &b : &a) = s;
  }
  assert_near(event_time(&r, "slip", 0), 2, 1e-9);
  assert_near(event_time(&r, "slip", 1), 2 + a, 1e-8);
  assert_int_equal(events_of(&r, "slip", "fa"), 1);
  // the impulse of all forces; what the spring gives to B before that moves is in the ground
  double held = 50 * 0.03 * (a * a / 2 + (cos(w * a) - 1) / (w * w));
  assert_near(value(&r, "A.p") + value(&r, "B.p"), 0.75 * (16 - 4) - 3 * 2 - (2 - a) - held, 1e-7);
  stop(&r);
}

/** Two on one mass hold what both hold together, whatever the one bears, and at rest from the start. */
static void two_at_one_place(void **state) {
  (void)state;
  for (int moving = 0; moving < 2; moving++) {
    run r = go_with("<network domain='translation'><J1 id='v'/><I id='m' mass='2 kg' p0='%s'/>"
                    "<Se id='F' effort='3 N' waveform='sine' frequency='0.1 Hz'/>"
                    "<Friction id='m1' coulomb='1 N'/><Friction id='m2' coulomb='1.5 N'/>"
                    "<bond from='F' to='v'/><bond from='v' to='m'/><bond from='v' to='m1'/>"
                    "<bond from='v' to='m2'/></network>",
                    moving ? "1 kg.m/s" : "0 kg.m/s", 1.5);
    double w = 0.2 * pi, slips = asin(2.5 / 3) / w;
    assert_near(value(&r, "m1.e") + value(&r, "m2.e"), 3 * sin(w * 1.5), 1e-12);
    advance(&r, 2.5);
    assert_balanced(&r);
    double v = (3 / w * (cos(w * slips) - cos(w * 2.5)) - 2.5 * (2.5 - slips)) / 2;
    assert_near_relative(value(&r, "m.f"), v, 1e-8);
    stop(&r);
  }
}

/** Frictions that hold one motion hold the sum of their static peaks n Fs, whatever the order in which they come to these, and all slip with n Fc
 *  once it begins: J w' = M' t - sum n Fc from t1 = sum n Fs/M' on. */
static void peaks_add_up(void **state) {
  (void)state;
  static const struct {
    const char *elements;
    double peaks, slides, inertia; // [N m], [kg m^2]
  } cases[] = {
      {"<Friction id='f1' coulomb='0.5' static='0.6'/><Friction id='f2' coulomb='0.8' static='1'/>"
       "<bond from='a' to='f1'/><bond from='a' to='f2'/>",
       1.6, 1.3, 0.2},
      {"<TF id='g' ratio='-2.5'/><J1 id='b' domain='rotation'/><I id='K' inertia='0.04'/>"
       "<Friction id='f2' coulomb='0.3' static='0.45'/><bond from='a' to='g'/><bond from='g' "
       "to='b'/>"
       "<bond from='b' to='K'/><bond from='b' to='f2'/>"
       "<Friction id='f1' coulomb='0.5' static='0.6'/><bond from='a' to='f1'/>",
       0.6 + 2.5 * 0.45, 0.5 + 2.5 * 0.3, 0.2 + 2.5 * 2.5 * 0.04},
      {"<R id='f3' law='0.4[N.m]*sign(f)'/><Friction id='f1' coulomb='0.5' static='0.6'/>"
       "<Friction id='f2' coulomb='0.1' static='0.9' stribeck='1e-9 rad/s'/>"
       "<bond from='a' to='f3'/><bond from='a' to='f2'/><bond from='a' to='f1'/>",
       1.9, 1.0, 0.2},
      {"<Friction id='f1' coulomb='0.2' static='0.7'/><R id='f3' law='0.4[N.m]*sign(f)'/>"
       "<Friction id='f2' coulomb='0.5'/><bond from='a' to='f1'/><bond from='a' to='f2'/>"
       "<bond from='a' to='f3'/>",
       1.6, 1.1, 0.2}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const double t = cases[k].peaks / 0.7, later = t + 0.3;
    run r = go_with("<network domain='rotation'><Se id='M' effort='0.7[N.m/s]*t'/><J1 id='a'/>"
                    "<I id='J' inertia='0.2 kg.m^2'/><bond from='M' to='a'/>"
                    "<bond from='a' to='J'/>%s</network>",
                    cases[k].elements, t - 1e-6);
    assert_near(value(&r, "J.p"), 0, 0);
    advance(&r, later);
    assert_near(event_time(&r, "slip", 0), t, 1e-11);
    const double w =
        (0.35 * (later * later - t * t) - cases[k].slides * (later - t)) / cases[k].inertia;
    assert_near_relative(value(&r, "J.f"), w, 1e-8);
    assert_balanced(&r);
    stop(&r);
  }
}

/** The load turns while they hold: what was at its peak bears the other one in the end, and still all peaks. With a dwell time they have grown
 *  since all have come to rest. A block of 1 kg at 0.26 m/s rests after 0.2 s by 1.3 N; then 1.45 N to and fro does not move it, and a ramp from
 *  t = 4 s on does at 1.6 - 0.3 exp(-(t - 0.2)/0.5). */
static void peaks_hold_both_ways(void **state) {
  (void)state;
  run r = go("<network domain='translation'><J1 id='v'/><I id='m' mass='1 kg' p0='0.26 kg.m/s'/>"
             "<Se id='F' effort='if(t &lt; 2[s], 0[N], if(t &lt; 4[s], 1.45[N]*sin(pi*t/0.5[s]), "
             "1[N] + 0.25[N/s]*(t - 4[s])))'/>"
             "<Friction id='f1' coulomb='0.5 N' static='0.6 N' dwell='0.5 s'/>"
             "<Friction id='f2' coulomb='0.8 N' static='1 N' dwell='0.5 s'/>"
             "<bond from='F' to='v'/><bond from='v' to='m'/><bond from='v' to='f1'/>"
             "<bond from='v' to='f2'/></network>",
             0.1);
  advance(&r, 4);
  assert_near(event_time(&r, "stick", 0), 0.2, 1e-9);
  assert_int_equal(events_of(&r, "slip", "f1") + events_of(&r, "slip", "f2"), 0);
  advance(&r, 7);
  double t = 6;
  for (int i = 0; i < 50; i++) {
    t = 4 + (1.6 - 0.3 * exp(-(t - 0.2) / 0.5) - 1) / 0.25;
  }
  assert_near(event_time(&r, "slip", 0), t, 1e-9);
  const double v = -0.3 * (7 - t) + 0.125 * (9 - (t - 4) * (t - 4));
  assert_near_relative(value(&r, "m.f"), v, 1e-8);
  assert_balanced(&r);
  stop(&r);
}

/** What holds several bodies is decided on all at once. Three frictions on two masses, one of them between: the first mass is pulled with 1 N/s;
 *  the ground holds it with 0.6 N, the other friction 0.7 N, which the ground under the other mass bears. At 1.3 N it slips, with 0.4 N and 0.5 N. */
static void peaks_of_two_bodies(void **state) {
  (void)state;
  run r = go("<network domain='translation'><J1 id='u'/><J1 id='v'/><J0 id='o'/>"
             "<I id='m' mass='2 kg'/><I id='n' mass='1 kg'/><Se id='F' effort='1[N/s]*t'/>"
             "<Friction id='g' coulomb='0.4 N' static='0.6 N'/>"
             "<Friction id='h' coulomb='0.6 N' static='0.9 N'/>"
             "<Friction id='b' coulomb='0.5 N' static='0.7 N'/>"
             "<bond from='F' to='u'/><bond from='u' to='m'/><bond from='u' to='g'/>"
             "<bond from='v' to='n'/><bond from='v' to='h'/><bond from='u' to='o'/>"
             "<bond from='o' to='v'/><bond from='o' to='b'/></network>",
             1.2);
  assert_near(value(&r, "g.e"), 0.6, 0);
  assert_near(value(&r, "b.e"), 0.6, 1e-12);
  assert_near(value(&r, "h.e"), 0.6, 1e-12);
  advance(&r, 2);
  assert_near(event_time(&r, "slip", 0), 1.3, 1e-11);
  assert_near_relative(value(&r, "m.f"), ((4 - 1.69) / 2 - 0.9 * 0.7) / 2, 1e-8);
  assert_near(value(&r, "n.p"), 0, 0);
  assert_balanced(&r);
  stop(&r);
}

/** Two on a node without a storage hold the sum of their peaks, too: a damper takes what is beyond. */
static void peaks_without_a_mass(void **state) {
  (void)state;
  run r = go("<network domain='translation'><J1 id='v'/><Se id='F' effort='1[N/s]*t'/>"
             "<R id='d' r='0.5 N.s/m'/><Friction id='f1' coulomb='0.5 N' static='0.6 N'/>"
             "<Friction id='f2' coulomb='0.8 N' static='1 N'/><bond from='F' to='v'/>"
             "<bond from='v' to='d'/><bond from='v' to='f1'/><bond from='v' to='f2'/></network>",
             1.599);
  assert_near(value(&r, "d.f"), 0, 0);
  assert_near(value(&r, "f1.e") + value(&r, "f2.e"), 1.599, 1e-12);
  advance(&r, 2);
  assert_near(event_time(&r, "slip", 0), 1.6, 1e-11);
  assert_near(value(&r, "d.f"), (2 - 1.3) / 0.5, 1e-12);
  assert_balanced(&r);
  stop(&r);
}

/** An impact moves what two frictions hold, and a closed clutch that opens lets it go. */
static void two_let_go(void **state) {
  (void)state;
  run r = go("<network domain='translation'><J1 id='a'/><J1 id='b'/><I id='A' mass='1 kg' p0='2 "
             "kg.m/s'/><I id='B' mass='3 kg'/><Friction id='f1' coulomb='0.5 N' static='0.6 N'/>"
             "<Friction id='f2' coulomb='0.8 N' static='1 N'/>"
             "<Stop id='S' upper='0.1 m' restitution='0.5'/><J0 id='j'/><bond from='a' to='A'/>"
             "<bond from='b' to='B'/><bond from='b' to='f1'/><bond from='b' to='f2'/>"
             "<bond from='a' to='j'/><bond from='j' to='b'/><bond from='j' to='S'/></network>",
             1.05);
  assert_near_relative(value(&r, "B.f"), 2 * 1.5 / 4 - 1.3 / 3, 1e-9);
  assert_near(ledger_of(&r)->total.event_loss, 1.125, 1e-12);
  stop(&r);
  r = go(
      "<network domain='rotation'><J1 id='a'/><J1 id='b'/><Se id='M' effort='1.9 N.m'/>"
      "<I id='A' inertia='1 kg.m^2'/><I id='B' inertia='1 kg.m^2'/>"
      "<Friction id='f1' coulomb='0.5' static='0.6'/><Friction id='f2' coulomb='0.8' static='1'/>"
      "<Friction id='f3' coulomb='2'/><Clutch id='K' state='closed' times='1 s'/>"
      "<bond from='M' to='a'/><bond from='a' to='A'/><bond from='a' to='f1'/>"
      "<bond from='a' to='f2'/><bond from='a' to='K'/><bond from='K' to='b'/>"
      "<bond from='b' to='B'/><bond from='b' to='f3'/></network>",
      2);
  assert_near_relative(value(&r, "A.f"), 1.9 - 1.3, 1e-9);
  assert_near(value(&r, "B.f"), 0, 0);
  assert_balanced(&r);
  stop(&r);
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

/** A law of the effort jumps at effort zero: a pump that runs at 0.2 m^3/s either way, and stands between. */
static void law_of_the_effort(void **state) {
  (void)state;
  run r = go("<network domain='hydraulic'><J0 id='n'/><C id='tank' c='0.5 m^3/Pa' q0='1 m^3'/>"
             "<R id='pump' law='0.2[m^3/s]*sign(e)'/><bond from='n' to='tank'/>"
             "<bond from='n' to='pump'/><Sf id='in' flow='0.05[m^3/s^2]*max(t-6[s],0[s])'/>"
             "<bond from='in' to='n'/></network>",
             4);
  assert_near(value(&r, "tank.q"), 0.2, 1e-10);
  advance(&r, 8);
  assert_near(event_time(&r, "stick", 0), 5, 1e-9);
  assert_near(value(&r, "tank.q"), 0, 0);
  assert_near(value(&r, "pump.f"), 0.1, 1e-12);
  advance(&r, 11);
  assert_balanced(&r);
  assert_near(event_time(&r, "slip", 0), 10, 1e-9);
  assert_near(value(&r, "tank.q"), 0.025, 1e-9);
  stop(&r);
}

/** In series with a law that no range says to rise, friction cannot stick, and the run says of which; within a range it rests, and slips
 *  where the effort is beyond its strength: u = E - 1 then, v = tanh(u). */
static void limiters_in_series(void **state) {
  (void)state;
  static const char network[] =
      "<network domain='translation'><J1 id='n'/><R id='limit' law='1[m/s]*tanh(e/1[N])'%s/>"
      "<Friction id='mu' coulomb='1 N'/><Se id='E' effort='1[N/s]*t'/><bond from='E' to='n'/>"
      "<bond from='n' to='limit'/><bond from='n' to='mu'/></network>";
  run r = go_with(network, " effort-limit='10 N'", 2);
  assert_near(event_time(&r, "slip", 0), 1, 1e-9);
  assert_near(value(&r, "limit.f"), tanh(1), 1e-9);
  assert_near_relative(value(&r, "mu.lost"), log(cosh(1)), 1e-7);
  assert_balanced(&r);
  stop(&r);
  char text[800];
  sb_error err;
  double t;
  assert_true(snprintf(text, sizeof text,
                       "<screwbond version='1' id='m'><network domain='translation'><J0 id='n'/>"
                       "<J1 id='on'/><R id='limit' law='1[m/s]*tanh(e/1[N])'/><C id='k' c='1 m/N'/>"
                       "<I id='m' mass='1 kg' p0='1 N.s'/><Friction id='mu' coulomb='1 N'/>"
                       "<bond from='on' to='n'/><bond from='on' to='limit'/>"
                       "<bond from='on' to='mu'/><bond from='n' to='m'/><bond from='n' to='k'/>"
                       "</network><run t-end='1 s'/></screwbond>") < (int)sizeof text);
  assert_int_equal(try_run(text, 1, &t, &err), SB_ERR_CHATTER);
  assert_contains(err.text, "'mu' switches without end");
  assert_string_equal(
      err.hint,
      "it cannot stick here: 'limit' prescribes a variable that 'on' forces to be zero; a law that "
      "rises everywhere can be inverted (its range is stated by effort-limit or flow-limit); or an "
      "R, C or I beside 'limit' takes up what it gives; or check the junction's kind and the bonds "
      "around 'on'");
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

static const char *const ohmic_forms[] = {
    "<Friction id='d' coulomb='2 V' viscous='1 ohm'/>", "<R id='d' law='1[ohm]*f + 2[V]*sign(f)'/>",
    "<R id='d' law='if(f &gt; 0[A], 1[ohm]*f + 2[V], 1[ohm]*f - 2[V])'/>"};

/** A source of 5 V charges 0.5 F through a threshold of 2 V and 1 ohm: q' = 3 - 2 q. */
static void threshold_charges(void **state) {
  (void)state;
  for (int form = 0; form < 3; form++) {
    run r = go_with("<network domain='electric'><Se id='U' effort='5 V'/><J1 id='j'/>%s"
                    "<C id='c' c='0.5 F'/><bond from='U' to='j'/><bond from='j' to='d'/>"
                    "<bond from='j' to='c'/></network>",
                    ohmic_forms[form], 0.7);
    assert_near_relative(value(&r, "c.q"), -1.5 * expm1(-1.4), 1e-8);
    assert_near_relative(value(&r, "d.e"), 2 + 3 * exp(-1.4), 1e-8);
    advance(&r, 100);
    assert_near(value(&r, "c.q"), 1.5, 1e-8);
    assert_true(events_of(&r, "stick", "d") <= 1 && events_of(&r, "slip", "d") == 0);
    assert_balanced(&r);
    stop(&r);
  }
}

/** The charge of 1 F at 5 V sin t while it slips from a time on: q' + q = 5 sin t - 2 s has the solution
 *  2.5 (sin t - cos t) - 2 s + K exp(-t). */
static double slip_charge(double t, double from, double q, double s) {
  double start = q - 2.5 * (sin(from) - cos(from)) + 2 * s;
  return 2.5 * (sin(t) - cos(t)) - 2 * s + start * exp(from - t);
}

/** The end of a piece: where |5 sin t - q| grows beyond 2 with the charge q at rest, s = 0, or s (5 sin t - q(t))
 *  falls to 2 while it slips; by steps of 1 ms, then by bisection. */
static double next_change(double from, double q, int s) {
  double low = from + 1e-6, high = low;
  for (int i = 0; i < 2; i++) {
    bool sought = i == 1;
    double t = low, step = sought ? 0 : 1e-3;
    for (int k = 0; k < 100000; k++) {
      t = sought ? 0.5 * (low + high) : t + step;
      double e = 5 * sin(t) - (s != 0 ? slip_charge(t, from, q, s) : q);
      bool changed = s != 0 ? s * e < 2 : fabs(e) > 2;
      *(changed ? &high : &low) = t;
      if (sought ? high - low < 1e-14 : changed) {
        break;
      }
    }
  }
  return high;
}

/** With 5 V sin t it sticks from the start on, and slips and sticks in turn, as the closed form of each piece says. */
static void threshold_with_a_sine(void **state) {
  (void)state;
  for (int form = 0; form < 3; form++) {
    run r = go_with("<network domain='electric'><Se id='U' effort='5[V]*sin(t*1[rad/s])'/>"
                    "<J1 id='j'/>%s<C id='c' c='1 F'/><bond from='U' to='j'/>"
                    "<bond from='j' to='d'/><bond from='j' to='c'/></network>",
                    ohmic_forms[form], 0);
    double t = 0, q = 0;
    for (int piece = 0; piece < 8; piece++) {
      int s = piece % 2 == 0 ? 0 : 5 * sin(t) > q ? 1 : -1;
      double end = next_change(t, q, s), middle = 0.5 * (t + end);
      advance(&r, middle);
      assert_near(value(&r, "c.q"), s != 0 ? slip_charge(middle, t, q, s) : q, 1e-7);
      q = s != 0 ? slip_charge(end, t, q, s) : q;
      t = end;
    }
    assert_int_equal(events_of(&r, "slip", "d"), 4);
    assert_int_equal(events_of(&r, "stick", "d"), 4); // the first at the start
    assert_near(event_time(&r, "slip", 0), asin(0.4), 1e-9);
    assert_balanced(&r);
    stop(&r);
  }
}

static const char *const slider_forms[] = {"<Friction id='d' coulomb='2 N'/>",
                                           "<R id='d' law='2[N]*sign(f)'/>"};

/** Prandtl's element, a spring of k = 1 N/m in series with 2 N of dry friction, moved by X sin t: it dissipates
 *  4 Fc (X - Fc/k) in each cycle after the first quarter, in which it is Fc (X - Fc/k). */
static void spring_and_slider(void **state) {
  (void)state;
  for (int form = 0; form < 2; form++) {
    run r = go_with("<network domain='translation'><Sf id='U' flow='5[m/s]*cos(t*1[rad/s])'/>"
                    "<J0 id='j'/>%s<C id='c' c='1 m/N'/><bond from='U' to='j'/>"
                    "<bond from='j' to='d'/><bond from='j' to='c'/></network>",
                    slider_forms[form], pi / 2);
    assert_near(value(&r, "c.e"), 2, 1e-9);
    assert_near_relative(ledger_of(&r)->total.dissipated, 6., 1e-7);
    advance(&r, pi / 2 + 1);
    assert_near(value(&r, "c.e"), 2 - 5 * (1 - cos(1)), 1e-7); // it sticks
    assert_near(value(&r, "d.f"), 0, 0);
    advance(&r, pi);
    assert_near(value(&r, "d.f"), -5, 1e-9);
    assert_near(value(&r, "c.e"), -2, 1e-9);
    advance(&r, pi / 2 + 6 * pi);
    assert_near_relative(ledger_of(&r)->total.dissipated, 6 + 3 * 4 * 2 * 3., 1e-7);
    assert_int_equal(events_of(&r, "slip", "d"), 7);
    assert_near(ledger_of(&r)->total.event_loss, 0, 1e-9);
    assert_balanced(&r);
    stop(&r);
  }
}

/** At 1 m/s it slips from t = 2 s on, with e = 2 N + b (1 - exp(-(t - 2)/(b c))) m/s, c = 1 m/N; and a spring that
 *  starts beyond what is held, at 3 N, comes back at once and loses (9 - 4)/2 J. */
static void slider_slips_evenly(void **state) {
  (void)state;
  static const char text[] = "<network domain='translation'><Sf id='U' flow='1 m/s'/><J0 id='j'/>%s"
                             "<bond from='U' to='j'/><bond from='j' to='d'/><bond from='j' to='c'/>"
                             "</network>";
  run r =
      go_with(text, "<Friction id='d' coulomb='2 N' viscous='0.5 N.s/m'/><C id='c' c='1 m/N'/>", 3);
  assert_near(event_time(&r, "slip", 0), 2, 1e-9);
  assert_near_relative(value(&r, "d.e"), 2 - 0.5 * expm1(-2), 1e-8);
  stop(&r);
  r = go_with(text, "<Friction id='d' coulomb='2 N'/><C id='c' c='1 m/N'/>", 5);
  assert_near_relative(ledger_of(&r)->total.dissipated, 6., 1e-9);
  assert_balanced(&r);
  stop(&r);
  r = go_with(text, "<Friction id='d' coulomb='2 N'/><C id='c' c='1 m/N' q0='3 m'/>", 5);
  assert_near_relative(ledger_of(&r)->total.event_loss, 2.5, 1e-9);
  assert_near_relative(ledger_of(&r)->total.dissipated, 10., 1e-9);
  assert_balanced(&r);
  stop(&r);
}

/** A spring that starts beyond what is held, against the flow that will move it, comes back to -2 N at once, is moved on by the flow while the
 *  slider sticks, and slips at 2 N. So does a momentum beyond what a flow of no more than 0.3 m/s allows. */
static void what_gives_way_to_a_jump_may_go_back(void **state) {
  (void)state;
  for (int form = 0; form < 2; form++) {
    run r = go_with("<network domain='translation'><Sf id='U' flow='1 m/s'/><J0 id='j'/>%s"
                    "<C id='c' c='1 m/N' q0='-3 m'/><bond from='U' to='j'/>"
                    "<bond from='j' to='d'/><bond from='j' to='c'/></network>",
                    slider_forms[form], 3);
    assert_near_relative(ledger_of(&r)->total.event_loss, 2.5, 1e-9);
    assert_near(ledger_of(&r)->total.dissipated, 0, 1e-9);
    assert_near(value(&r, "c.e"), 1, 1e-9);
    advance(&r, 5);
    assert_near_relative(ledger_of(&r)->total.dissipated, 2., 1e-9);
    assert_near(value(&r, "c.e"), 2, 1e-9);
    assert_balanced(&r);
    stop(&r);
  }
  run r = go("<network domain='translation'><J1 id='j'/><R id='d' law='0.3[m/s]*sign(e)'/>"
             "<I id='m' mass='2 kg' p0='-2 N.s'/><Se id='F' effort='1 N'/><bond from='F' to='j'/>"
             "<bond from='j' to='m'/><bond from='j' to='d'/></network>",
             1);
  assert_near_relative(ledger_of(&r)->total.event_loss, 0.5 * (4 - 0.36) / 2, 1e-9);
  assert_near(value(&r, "m.p"), -0.6 + 1, 1e-9);
  assert_balanced(&r);
  stop(&r);
}

/** With Stribeck's term a slider beside a storage cannot be given the effort: the refusal says what to do. */
static void sliders_refused(void **state) {
  (void)state;
  sb_graph *graph;
  sb_model *model = NULL;
  sb_error err = {0};
  sb_errors errors = {0};
  ok(sb_graph_create("m", &graph, &err), &err);
  sb_element *d = add_kind(graph, "Friction", "d", "coulomb", 2);
  set_value(d, "stribeck", 0.3);
  add_kind(graph, "Sf", "U", "flow", 1);
  add_kind(graph, "C", "c", "c", 1);
  add_kind(graph, "J0", "j", NULL, 0);
  add_bond(graph, "U", "j");
  add_bond(graph, "j", "d");
  add_bond(graph, "j", "c");
  assert_int_equal(sb_model_compile(graph, &model, &errors), SB_ERR_CAUSALITY);
  assert_int_equal(errors.count, 1);
  assert_non_null(strstr(errors.items[0].text, "both determine the same variable at 'j': a storage "
                                               "there depends on the others"));
  assert_string_equal(
      errors.items[0].hint,
      "'d' sticks: without a small I between them, its friction must not depend on the flow, and "
      "on signals of known rates alone, or rise with the flow (viscous above zero, no stribeck)");
  sb_errors_finish(&errors);
  sb_graph_destroy(graph);
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

/** A block on the ground (g) that is pulled by 1.7 N, and another one on it (h) by -0.85 N, begin at rest: h slips, as 0.85 N > 0.79 N, and g
 *  holds 1.7 N - 0.79 N < 1.6 N. Each by itself would decide otherwise: g slips before h, and what h sticks to turns. */
static void neighbours_decide_at_one_instant(void **state) {
  (void)state;
  static const char *const forms[] = {
      "<Friction id='g' coulomb='1.6 N'/><Friction id='h' coulomb='0.79 N'/>",
      "<Friction id='h' coulomb='0.79 N'/><Friction id='g' coulomb='1.6 N'/>",
      "<R id='g' law='1.6[N]*sign(f)'/><Friction id='h' coulomb='0.79 N'/>"};
  for (int form = 0; form < 3; form++) {
    run r = go_with("<network domain='translation'><J1 id='u'/><I id='m' mass='1.5 kg'/>"
                    "<Se id='E' effort='-0.85 N'/><J1 id='v'/><I id='n' mass='0.5 kg'/>"
                    "<Se id='F' effort='1.7 N'/><J0 id='o'/>%s<bond from='u' to='m'/>"
                    "<bond from='E' to='u'/><bond from='v' to='n'/><bond from='F' to='v'/>"
                    "<bond from='v' to='g'/><bond from='u' to='o'/><bond from='o' to='v'/>"
                    "<bond from='o' to='h'/></network>",
                    forms[form], 2);
    assert_balanced(&r);
    assert_near(value(&r, "m.p"), -(0.85 - 0.79) * 2, 1e-12);
    assert_near(value(&r, "n.p"), 0, 0);
    assert_near(value(&r, "g.e"), 1.7 - 0.79, 1e-12);
    stop(&r);
  }
}

/** What friction on the ground (g) holds stays at rest, whatever slips on it with less (h): at the event at which h turns they stick together
 *  for a moment and g is beyond its strength, so that what follows has a flow of the rounding of its time, to either side. */
static void what_is_held_gives_no_power(void **state) {
  (void)state;
  static const char *const numbers[] = {
      "<I id='m' mass='1.4 kg'/><Se id='F' effort='3.8[N]*sin(2.7[rad/s]*t)'/>"
      "<Friction id='b' coulomb='0.3 N'/><I id='n' mass='0.9 kg'/>"
      "<Friction id='g' coulomb='1.4 N'/><Friction id='h' coulomb='0.7 N'/>",
      "<I id='m' mass='1.7 kg'/><Se id='F' effort='3.8[N]*sin(3.7[rad/s]*t)'/>"
      "<Friction id='b' coulomb='0.2 N'/><I id='n' mass='1.6 kg'/>"
      "<Friction id='g' coulomb='1.7 N'/><Friction id='h' coulomb='1.1 N'/>"};
  for (int k = 0; k < 2; k++) {
    run r = go_with("<network domain='translation'><J1 id='u'/><J1 id='v'/><J0 id='o'/>%s"
                    "<bond from='u' to='m'/><bond from='F' to='u'/><bond from='u' to='b'/>"
                    "<bond from='v' to='n'/><bond from='v' to='g'/><bond from='u' to='o'/>"
                    "<bond from='o' to='v'/><bond from='o' to='h'/></network>",
                    numbers[k], 13);
    assert_balanced(&r);
    assert_near(value(&r, "n.p"), 0, 1e-13);
    assert_near(ledger_of(&r)->passivity.worst, 0, 0);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(neighbours_decide_at_one_instant),
      cmocka_unit_test(what_is_held_gives_no_power),
      cmocka_unit_test(rest_before_an_impact),
      cmocka_unit_test(impact_releases_what_sticks),
      cmocka_unit_test(breaks_loose_from_rest),
      cmocka_unit_test(path_of_what_breaks_loose),
      cmocka_unit_test(amplitude_falls_linearly),
      cmocka_unit_test(events_cost_few_steps),
      cmocka_unit_test(comes_to_rest),
      cmocka_unit_test(comes_to_rest_at_once),
      cmocka_unit_test(belt_steps_past_the_block),
      cmocka_unit_test(short_sticks_are_found),
      cmocka_unit_test(incline_holds_to_its_angle),
      cmocka_unit_test(block_on_a_belt),
      cmocka_unit_test(follows_stribeck),
      cmocka_unit_test(blocks_in_series),
      cmocka_unit_test(two_at_one_place),
      cmocka_unit_test(peaks_add_up),
      cmocka_unit_test(peaks_hold_both_ways),
      cmocka_unit_test(peaks_of_two_bodies),
      cmocka_unit_test(peaks_without_a_mass),
      cmocka_unit_test(two_let_go),
      cmocka_unit_test(slipping_clutch),
      cmocka_unit_test(impulses_pass),
      cmocka_unit_test(law_of_the_effort),
      cmocka_unit_test(limiters_in_series),
      cmocka_unit_test(friction_heats),
      cmocka_unit_test(balance_follows_the_tolerance),
      cmocka_unit_test(refusals),
      cmocka_unit_test(threshold_charges),
      cmocka_unit_test(threshold_with_a_sine),
      cmocka_unit_test(spring_and_slider),
      cmocka_unit_test(slider_slips_evenly),
      cmocka_unit_test(what_gives_way_to_a_jump_may_go_back),
      cmocka_unit_test(sliders_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
