// SPDX-License-Identifier: GPL-3.0-or-later
// The method "auto": explicit steps, and implicit ones while these cost less, against closed forms, published
// solutions and runs by one method alone.
#include "tests/core/simulation/by_method.h"

static long changes(const run *r) {
  return ledger_of(r)->work.changes;
}

// An ellipsoid dropped on a stiff, damped floor, flat: it bounces, slides and comes to rest with f = m g.
#define ELLIPSOID                                                                                  \
  "<materials><material id='m' stiffness='1e8 1e8 1e8 N/m' spin-stiffness='10 N.m/rad'/>"          \
  "</materials><laws><contact-law id='l' normal='linear' damping-factor='0.1 ms' "                 \
  "friction='coulomb' mu='0.3' friction-radius='5 mm' friction-damping='1 ms'/></laws>"            \
  "<mechanism gravity='0 0 -9.81 m/s^2'><body id='b' mass='1.3 kg' material='m' "                  \
  "position='0 0 0.15 m'><shape kind='ellipsoid' semi-axes='0.14 0.12 0.08 m'/></body>"            \
  "<ground id='f'><shape kind='plane' normal='0 0 1'/></ground><contact id='c' a='f' b='b' "       \
  "law='l'/></mechanism>"

/** Resting costs ever fewer steps; the explicit method takes thousands a second. */
static void rest_costs_nothing(void **state) {
  (void)state;
  run r = start_by_method(ELLIPSOID, "auto", 1e-8);
  advance(&r, 2);
  long before = ledger_of(&r)->work.steps;
  advance(&r, 20);
  assert_in_range(ledger_of(&r)->work.steps - before, 1, 30);
  assert_int_equal(changes(&r), 1);
  assert_in_range(implicit_steps(&r), 1, 60);
  assert_near(component(&r, "b.position", 2), 0.08 - 1.3 * 9.81 / 1e8, 1e-10);
  assert_near(value(&r, "c.normal-force"), 1.3 * 9.81, 1e-5); // 1e-13 m; a step may err by 7e-10 m
  assert_near(value(&r, "c.lost"), 1.3 * 9.81 * (0.07 + 1.3 * 9.81 / 1e8 / 2), 1e-7);
  assert_closes(&r);
  run alone = start_by_method(ELLIPSOID, "dormand-prince-5", 1e-8);
  advance(&alone, 2);
  assert_true(ledger_of(&alone)->work.steps > 10 * before);
  assert_int_equal(ledger_of(&alone)->event_count, ledger_of(&r)->event_count);
  for (int i = 0; i < ledger_of(&r)->event_count; i++) {
    assert_near(ledger_of(&r)->events[i].t, ledger_of(&alone)->events[i].t, 1e-7);
  }
  stop(&alone);
  stop(&r);
}

/** A stool on stiff feet that stick. The last digit of a place moves a gap by more than Newton's iteration is to leave, so that it goes
 *  to and fro; it was iterated on, with a new Jacobian, too, and steps were shortened to where that was within its tolerance. */
static void stool_on_stiff_feet(void **state) {
  (void)state;
  static const char text[] =
      "<materials><material id='m' stiffness='2.2e6 2.2e6 2.2e6 N/m'/></materials><laws>"
      "<contact-law id='l' normal='linear' stiffness='1.1e6 N/m' damping='270 N.s/m' "
      "friction='coulomb' mu='0.7' friction-damping='1 ms'/></laws>"
      "<mechanism gravity='0 0 -9.81 m/s^2'><ground id='f' material='m'>"
      "<shape kind='plane' normal='0 0 1'/></ground><body id='b' mass='5 kg' material='m' "
      "position='0 0 0.07 m' rotation='1.5 rad about 0 0 1' inertia='0.015 0.015 0.015'>"
      "<shape id='f0' kind='sphere' radius='0.02' at='0.055 0 -0.05'/>"
      "<shape id='f1' kind='sphere' radius='0.02' at='-0.027 0.048 -0.05'/>"
      "<shape id='f2' kind='sphere' radius='0.02' at='-0.027 -0.048 -0.05'/></body>"
      "<contact id='c0' a='f0' b='f' law='l'/><contact id='c1' a='f1' b='f' law='l'/>"
      "<contact id='c2' a='f2' b='f' law='l'/></mechanism>";
  static const char *const method[] = {"kvaerno-5", "auto"};
  for (int i = 0; i < 2; i++) {
    run r = start_by_method(text, method[i], 1e-8);
    advance(&r, 20);
    assert_in_range(ledger_of(&r)->work.rejected, 0, 20); // 117 and 154 before
    assert_in_range(ledger_of(&r)->work.steps, 1, 3000);  // 9,490 by auto
    const double front = value(&r, "c0.normal-force"), left = value(&r, "c1.normal-force"),
                 right = value(&r, "c2.normal-force");
    assert_near(front + left + right, 5 * 9.81, 1e-6);
    // torques about the line through the feet behind, but for micrometres by which these sink less
    assert_near(front, 5 * 9.81 * 0.027 / 0.082, 1e-3);
    assert_closes(&r);
    stop(&r);
  }
}

/** Five feet, uneven by 1e-6, that stand upright turn by hardly more than the rounding of their places, which Newton's iteration cannot
 *  follow: kvaerno-5 took 14,562 steps, and rejected 10,680. */
static void five_feet(void **state) {
  (void)state;
  char feet[1000], contacts[500], text[2500];
  for (int i = 0, n = 0, m = 0; i < 5; i++) {
    const double angle = 0.3 + 6.2832 * i / 5;
    n += snprintf(feet + n, sizeof feet - (size_t)n,
                  "<shape id='f%d' kind='sphere' radius='0.02' at='%.17g %.17g -0.05'/>", i,
                  0.08576 * cos(angle), 0.08576 * sin(angle));
    m += snprintf(contacts + m, sizeof contacts - (size_t)m,
                  "<contact id='c%d' a='f%d' b='f' law='l'/>", i, i);
  }
  (void)snprintf(
      text, sizeof text,
      "<materials><material id='m' stiffness='1.4e5 1.4e5 1.4e5 N/m' youngs-modulus='3.8e7 Pa' "
      "poisson-ratio='0.3'/></materials><laws><contact-law id='l' normal='hertz' damping='3.2e7' "
      "friction='coulomb' mu='0.7' mu-static='0.85' friction-damping='1 ms'/></laws>"
      "<mechanism gravity='0 0 -9.81 m/s^2'><ground id='f' material='m'>"
      "<shape kind='plane' normal='0 0 1'/></ground><body id='b' mass='5 kg' material='m' "
      "position='0 0 0.07 m' rotation='1.947 rad about 0 0 1' inertia='0.015 0.015 0.015'>"
      "%s</body>%s</mechanism>",
      feet, contacts);
  run r = start_by_method(text, "kvaerno-5", 1e-8);
  advance(&r, 20);
  assert_in_range(ledger_of(&r)->work.steps, 1, 1000);
  assert_in_range(ledger_of(&r)->work.rejected, 0, 100);
  for (int i = 0; i < 5; i++) {
    char force[] = "c0.normal-force";
    force[1] = (char)('0' + i);
    assert_near(value(&r, force), 9.81, 1e-4);
  }
  assert_closes(&r);
  stop(&r);
}

/** A ball that slides and rolls to rest in a bowl: three trials in motion are in vain, which tells nothing of the rest behind it. */
static void rest_behind_motion(void **state) {
  (void)state;
  static const char text[] =
      "<materials><material id='m' stiffness='1e6 1e6 1e6 N/m' spin-stiffness='0.01 N.m/rad'/>"
      "</materials><laws><contact-law id='l' normal='azad-featherstone' "
      "stiffness='1.15e8 N/m^(3/2)' damping='4285' friction='coulomb' mu='0.8' mu-static='1.05' "
      "v-stribeck='0.05 m/s' friction-radius='2 mm' friction-damping='1 ms' "
      "rolling-friction='1 mm' turning-stiffness='0.49 N.m/rad' turning-damping='0.05 s' "
      "spin-friction='1 mm'/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
      "<ground id='f' material='m'><shape kind='bowl' semi-axes='0.3 0.3 0.3' at='0 0 0.3'/>"
      "</ground><body id='b' mass='1 kg' material='m' position='0.05 0.02 0.0558689'>"
      "<shape kind='sphere' radius='0.05'/></body>"
      "<contact id='c' a='f' b='b' law='l'/></mechanism>";
  run r = start_by_method(text, "auto", 1e-8);
  advance(&r, 10);
  const long before = ledger_of(&r)->work.steps;
  advance(&r, 20);
  assert_in_range(ledger_of(&r)->work.steps - before, 1, 100); // 740
  assert_closes(&r);
  stop(&r);
}

/** What is damped weakly, a fiftieth to a tenth of critically, the explicit method leaves to swing by some tolerances, and an implicit one
 *  must follow that until it is damped: a trial at rest goes on until it shows that this costs nothing. */
static void damped_weakly(void **state) {
  (void)state;
  static const double k[] = {1e6, 1e8}, ratio[] = {0.02, 0.1};
  for (int i = 0; i < 4; i++) {
    char text[700];
    (void)snprintf(text, sizeof text,
                   "<laws><contact-law id='l' normal='linear' stiffness='%g N/m' "
                   "damping='%g N.s/m'/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
                   "<ground id='f'><shape kind='plane' normal='0 0 1'/></ground>"
                   "<body id='b' mass='1 kg' position='0 0 0.06 m'>"
                   "<shape kind='sphere' radius='0.05 m'/></body>"
                   "<contact id='c' a='f' b='b' law='l'/></mechanism>",
                   k[i / 2], 2 * ratio[i % 2] * sqrt(k[i / 2]));
    run r = start_by_method(text, "auto", 1e-8);
    advance(&r, 40);
    const long before = ledger_of(&r)->work.steps;
    assert_in_range(before, 1, 4500); // explicit ones: 12,000 and more
    advance(&r, 400);
    assert_in_range(ledger_of(&r)->work.steps - before, 0, 300); // 120,000
    assert_near(value(&r, "c.gap"), -9.81 / k[i / 2], 1e-12);
    assert_closes(&r);
    stop(&r);
  }
}

/** A ball of steel that bounces on steel: damping by f v leaves c = a m g, a hundredth of critical. The fall to the floor does not go on behind it, so that the span
 *  of the run decides neither how accurate the bounces are nor how many steps they take. */
static void stiff_and_weakly_damped(void **state) {
  (void)state;
  long first = 0;
  for (double t = 1; t <= 100; t *= 10) {
    run r = start_by_method(
        "<laws><contact-law id='l' normal='hunt-crossley' stiffness='1e9 N/m' exponent='1' "
        "damping='3e10 N.s/m^2'/></laws><mechanism gravity='0 0 -9.81 m/s^2'><ground id='f'><shape "
        "kind='plane' normal='0 0 1'/></ground><body id='b' mass='1 kg' position='0 0 0.1001 m'>"
        "<shape kind='sphere' radius='0.1 m'/></body><contact id='c' a='f' b='b' law='l'/>"
        "</mechanism>",
        "auto", 1e-8);
    advance(&r, t);
    const long steps = ledger_of(&r)->work.steps;
    first = first > 0 ? first : steps;
    assert_in_range(steps, 1, first + first / 5); // explicit ones: 26,000 a second
    assert_true(ledger_of(&r)->residual_relative < 1e-7);
    assert_near(value(&r, "c.gap"), -9.81e-9, 1e-16);
    stop(&r);
  }
}

/** An implicit method alone keeps the balance, too: errors of its powers have one sign and add up. What R takes of the
 *  source in each period is (U w C)^2 R/2 T/(1 + (w R C)^2). */
static void implicit_alone_balances(void **state) {
  (void)state;
  static const char format[] =
      "<network domain='electric'><Se id='U' effort='1[V]*sin(6283.185307179586[1/s]*t)'/>"
      "<J1 id='j'/>%s<bond from='U' to='j'/><bond from='j' to='R'/><bond from='j' "
      "to='A'/></network>";
  static const char *const storages[] = {"<R id='R' r='1 ohm'/><C id='A' c='1 uF'/>",
                                         "<R id='R' r='1.7 ohm'/><C id='A' c='0.5 uF'/>",
                                         "<R id='R' r='20 ohm'/><C id='A' energy='q^2/60[nF]'/>"};
  static const double taus[] = {1e-6, 0.85e-6, 0.6e-6}, rs[] = {1, 1.7, 20};
  for (int i = 0; i < 3; i++) {
    char text[800];
    const double w = 2000 * pi, wt = w * taus[i], periods = PLAIN ? 30 : 3;
    (void)snprintf(text, sizeof text, format, storages[i]);
    run r = start_by_method(text, "kvaerno-5", 1e-8);
    advance(&r, 1e-3 * periods);
    assert_near_relative(ledger_of(&r)->total.dissipated,
                         periods * 1e-3 * wt * wt / (2 * rs[i] * (1 + wt * wt)), 1e-2 / periods);
    assert_closes(&r);
    stop(&r);
  }
}

/** R and C behind a source, by kvaerno-5 alone. @param limit  of the energy-balance error; 0: by the tolerance */
static run rc_behind(const char *effort, double limit) {
  char text[400];
  (void)snprintf(
      text, sizeof text,
      "<network domain='electric'><Se id='U' effort='%s'/><J1 id='j'/><R id='R' r='1 ohm'/>"
      "<C id='C' c='1 uF'/><bond from='U' to='j'/><bond from='j' to='R'/><bond from='j' "
      "to='C'/></network>",
      effort);
  run r = prepare_inside(text);
  sb_options options = options_of("kvaerno-5", 1e-8);
  options.atol = 0;
  options.residual_limit = limit;
  start_by(&r, &options);
  return r;
}

/** U = sin^3 w t = (3 sin w t - sin 3 w t)/4 begins so slowly that the first steps miss a balance of 1e-17 J, which is
 *  nothing of the 1e-7 J behind them: a run whose limit no step is held to takes as many. What R takes is the sum of
 *  (A w C)^2 R/2 T/(1 + (w R C)^2) over both waves, and what the start leaves. */
static void slow_start_tightens_not_for_long(void **state) {
  (void)state;
  const double w = 2000 * pi, tau = 1e-6, T = 3e-3;
  run r = rc_behind("1[V]*sin(6283.185307179586[1/s]*t)^3", 0);
  run free = rc_behind("1[V]*sin(6283.185307179586[1/s]*t)^3", 0.1);
  advance(&r, T);
  advance(&free, T);
  double taken = 0;
  for (int k = 1; k <= 3; k += 2) {
    double a = k == 1 ? 0.75 : 0.25, wt = k * w * tau;
    taken += a * a * wt * wt / (2 * (1 + wt * wt)) * T;
  }
  assert_near_relative(ledger_of(&r)->total.dissipated, taken, 1e-6);
  assert_in_range(ledger_of(&r)->work.steps, 1, 1.05 * (double)ledger_of(&free)->work.steps);
  assert_closes(&r);
  stop(&free);
  stop(&r);
}

/** Behind U = t^4 steps of the tolerance alone miss the balance, and are repeated at a quarter of their length again and
 *  again. Tighter ones are not, and stay. C holds U^2 C/2 but for what w R C leaves. */
static void repeated_steps_do_not_come_back(void **state) {
  (void)state;
  run r = rc_behind("1[V]*(t*1[1/s])^4", 0), free = rc_behind("1[V]*(t*1[1/s])^4", 1e9);
  advance(&r, 20);
  advance(&free, 20);
  assert_near_relative(ledger_of(&r)->total.stored_end, 0.5e-6 * pow(20, 8), 1e-6);
  assert_true(2 * ledger_of(&r)->work.rejected < ledger_of(&free)->work.rejected);
  assert_true(4 * ledger_of(&r)->work.steps < 3 * ledger_of(&free)->work.steps);
  assert_closes(&r);
  stop(&free);
  stop(&r);
}

/** A fast decay behind a slow source: u_C = U/sqrt(1 + (w R C)^2) sin(w t - atan(w R C)). */
static void stiff_circuit(void **state) {
  (void)state;
  const double w = 100, tau = 1e-6, t = 0.7;
  run r = start_by_method("<network domain='electric'><Se id='U' effort='5[V]*sin(100[1/s]*t)'/>"
                          "<R id='R' r='1 ohm'/><C id='C' c='1 uF'/><J1 id='a'/><bond from='U' "
                          "to='a'/><bond from='a' to='R'/><bond from='a' to='C'/></network>",
                          "auto", 1e-8);
  advance(&r, t);
  assert_near(value(&r, "C.e"), 5 / hypot(1, w * tau) * sin(w * t - atan(w * tau)), 1e-6);
  assert_int_equal(changes(&r), 1);
  assert_in_range(ledger_of(&r)->work.steps, 100, 20000); // explicit: t/(3.3 tau) = 2e5
  assert_closes(&r);
  stop(&r);
}

#define VAN_DER_POL                                                                                \
  "<network><signal id='y' rate='v*1[1/s]' start='2'/>"                                            \
  "<signal id='v' rate='(1000*(1 - y^2)*v - y)*1[1/s]' start='0'/></network>"

/** Van der Pol's equation with mu = 1000 is stiff on its branches, and not where it jumps between them. y and y' after
 *  2000 s: Test Set for IVP Solvers, problem VDPOL (Mazzia, Magherini), y'/mu there. */
static void van_der_pol(void **state) {
  (void)state;
  run r = start_by_method(VAN_DER_POL, "auto", 1e-8);
  advance(&r, 2000);
  assert_near_relative(value(&r, "y"), 1.706167732170483, 1e-6);
  assert_near_relative(value(&r, "v"), -0.8928097010247975e-3, 1e-5);
  assert_in_range(changes(&r), 2, 10);
  run alone = start_by_method(VAN_DER_POL, "kvaerno-5", 1e-8);
  advance(&alone, 2000);
  assert_true(ledger_of(&r)->work.rhs < ledger_of(&alone)->work.rhs);
  assert_int_equal(implicit_steps(&alone), ledger_of(&alone)->work.steps);
  stop(&alone);
  stop(&r);
}

/** An orbit of eccentricity 0.6 is not stiff at any tolerance: the steps are those of the explicit method alone. */
static void orbit_never_changes(void **state) {
  (void)state;
  const char *inside = "<network><signal id='x' rate='u*1[1/s]' start='0.4'/>"
                       "<signal id='y' rate='v*1[1/s]' start='0'/>"
                       "<signal id='u' rate='-x/(x^2 + y^2)^1.5*1[1/s]' start='0'/>"
                       "<signal id='v' rate='-y/(x^2 + y^2)^1.5*1[1/s]' start='2'/></network>";
  for (double rtol = 1e-3; rtol > 1e-11; rtol /= 100) {
    run r = start_by_method(inside, "auto", rtol);
    run alone = start_by_method(inside, "dormand-prince-5", rtol);
    advance(&r, 4 * pi);
    advance(&alone, 4 * pi);
    assert_int_equal(changes(&r), 0);
    assert_int_equal(ledger_of(&r)->work.steps, ledger_of(&alone)->work.steps);
    assert_near(value(&r, "x"), value(&alone, "x"), 0);
    stop(&r);
    stop(&alone);
  }
}

/** One that rocks and rolls at once on a stiff floor is bounded by accuracy; what is tried in vain is not tried often. */
static void rolling_changes_seldom(void **state) {
  (void)state;
  const char *inside =
      "<materials><material id='m' stiffness='1e6 1e6 1e6 N/m' spin-stiffness='10 N.m/rad'/>"
      "</materials><laws><contact-law id='l' normal='linear' damping-factor='2 ms' "
      "friction='coulomb' mu='0.3' friction-radius='5 mm' friction-damping='2 ms'/></laws>"
      "<mechanism gravity='0 0 -9.81 m/s^2'><body id='b' mass='1 kg' material='m' "
      "position='0 0 0.15 m' rotation='20 deg about 1 0.3 0' "
      "angular-velocity='0.3 -0.4 0.2 rad/s'><shape kind='ellipsoid' semi-axes='0.14 0.12 0.08 m'/>"
      "</body><ground id='f'><shape kind='plane' normal='0 0 1'/></ground>"
      "<contact id='c' a='f' b='b' law='l'/></mechanism>";
  run r = start_by_method(inside, "auto", 1e-6);
  run alone = start_by_method(inside, "dormand-prince-5", 1e-6);
  advance(&r, 3);
  advance(&alone, 3);
  assert_in_range(changes(&r), 0, 10);
  assert_true((double)ledger_of(&r)->work.rhs < 1.1 * (double)ledger_of(&alone)->work.rhs);
  assert_near(component(&r, "b.position", 2), component(&alone, "b.position", 2), 1e-4);
  assert_closes(&r);
  stop(&r);
  stop(&alone);
}

/** i of a coil between a source and R, or R/1000 once a switch has bridged most of it: the mode is changed while the
 *  implicit method steps, and behind that the explicit one is cheaper. */
static void changes_back(void **state) {
  (void)state;
  const double L = 1e-3, T = 0.5, U = 5, high = 1000, low = 0.5;
  run r = start_by_method(
      "<network domain='electric'><Se id='U' effort='5 V'/><R id='low' r='0.5 ohm'/>"
      "<R id='high' r='999.5 ohm'/><Switch id='S' state='open' times='0.5 s'/><I id='L' l='1 mH'/>"
      "<J1 id='a'/><J0 id='b'/><bond from='U' to='a'/><bond from='a' to='low'/><bond from='a' "
      "to='L'/><bond from='a' to='b'/><bond from='b' to='high'/><bond from='b' to='S'/></network>",
      "auto", 1e-8);
  advance(&r, T);
  assert_near_relative(value(&r, "L.f"), U / high, 1e-9);
  assert_true(implicit_steps(&r) > 0);
  long before = implicit_steps(&r);
  for (int k = 1; k <= 4; k++) { // 2 ms is the time constant now
    double t = 2e-3 * k;
    advance(&r, T + t);
    assert_near(value(&r, "L.f"), U / low + (U / high - U / low) * exp(-low / L * t), 1e-6);
  }
  assert_int_equal(changes(&r), 2);
  assert_in_range(implicit_steps(&r) - before, 1, 30);
  assert_closes(&r);
  stop(&r);
}

typedef struct follower {
  run view;
  int samples;
  double worst;
} follower;

static int follow(void *context, const sb_simulation *sim, double t) {
  follower *f = context;
  const double w = 100, tau = 1e-6;
  f->view.sim = (sb_simulation *)(uintptr_t)sim;
  double slow = 5 / hypot(1, w * tau) * sin(w * t - atan(w * tau)),
         fast = 5 * w * tau / (1 + w * w * tau * tau) * exp(-t / tau);
  f->worst = fmax(f->worst, fabs(value(&f->view, "C.e") - slow - fast));
  f->samples++;
  return 0;
}

/** Samples within steps, dense where many fall into one, go on through the change. */
static void samples_through_the_change(void **state) {
  (void)state;
  sb_error err = {0};
  run r = start_by_method("<network domain='electric'><Se id='U' effort='5[V]*sin(100[1/s]*t)'/>"
                          "<R id='R' r='1 ohm'/><C id='C' c='1 uF'/><J1 id='a'/><bond from='U' "
                          "to='a'/><bond from='a' to='R'/><bond from='a' to='C'/></network>",
                          "auto", 1e-8);
  follower f = {.view = {.model = r.model}};
  ok(sb_simulation_run(r.sim, 0.02, 3.17e-6, follow, &f, &err), &err);
  assert_int_equal(f.samples, 2 + (int)(0.02 / 3.17e-6));
  assert_near(f.worst, 0, 5e-6);
  assert_int_equal(changes(&r), 1);
  assert_closes(&r);
  stop(&r);
}

/** Steps of a given length leave nothing to choose. */
static void fixed_steps_are_explicit(void **state) {
  (void)state;
  run r = prepare_inside(VAN_DER_POL);
  sb_options options = options_of("auto", 1e-8);
  options.step = 1e-3;
  start_by(&r, &options);
  advance(&r, 1);
  assert_int_equal(implicit_steps(&r), 0);
  assert_int_equal(ledger_of(&r)->work.steps, 1000);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rest_costs_nothing),
      cmocka_unit_test(five_feet),
      cmocka_unit_test(slow_start_tightens_not_for_long),
      cmocka_unit_test(repeated_steps_do_not_come_back),
      cmocka_unit_test(changes_back),
      cmocka_unit_test(samples_through_the_change),
      cmocka_unit_test(fixed_steps_are_explicit),
      repeating_test(stool_on_stiff_feet),
      repeating_test(rest_behind_motion),
      repeating_test(damped_weakly),
      repeating_test(stiff_and_weakly_damped),
      repeating_test(implicit_alone_balances),
      repeating_test(stiff_circuit),
      repeating_test(van_der_pol),
      repeating_test(orbit_never_changes),
      repeating_test(rolling_changes_seldom),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
