// SPDX-License-Identifier: GPL-3.0-or-later
// Kinks of energies as events: motions of piecewise forces against their closed forms, piece by piece; and energies that jump.
#include "tests/fixture.h"

static const char *const methods[] = {"dormand-prince-5", "kvaerno-5", "fehlberg-8"};

/** An oscillator with play g, let go at rest from a > g: harmonic in touch, uniform between. w = sqrt(k/m)
 *  @param v  out: dx/dt */
static double with_play(double a, double g, double w, double t, double *v) {
  const double quarter = pi / (2 * w), flight = 2 * g / ((a - g) * w), half = 2 * quarter + flight;
  const double n = floor(t / half), side = fmod(n, 2) == 0 ? 1 : -1;
  const double s = t - n * half, behind = s - quarter - flight;
  double x;
  if (s < quarter) {
    x = g + (a - g) * cos(w * s);
    *v = -(a - g) * w * sin(w * s);
  } else if (behind < 0) {
    x = g - (a - g) * w * (s - quarter);
    *v = -(a - g) * w;
  } else {
    x = -g - (a - g) * sin(w * behind);
    *v = -(a - g) * w * cos(w * behind);
  }
  *v *= side;
  return side * x;
}

/** One motion by displacements, by momenta and by several ports, each in several words for the same energy. */
static const struct {
  const char *network, *x, *xdot;
  double sign; // of xdot against the quantity
} plays[] = {
    {"<network domain='translation'><C id='k' energy='800[N/m]*max(0[m], abs(q) - 0.3[m])^2/2' "
     "q0='0.5 m'/>"
     "<I id='m' mass='2 kg'/><J1 id='j'/><bond from='j' to='k'/><bond from='j' to='m'/></network>",
     "k.q", "m.f", 1},
    {"<network domain='translation'><C id='k' energy='if(q &gt; 0.3[m], 400[N/m]*(q - 0.3[m])^2, "
     "if(q &lt; -0.3[m], 400[N/m]*(q + 0.3[m])^2, 0[J]))' q0='0.5 m'/><I id='m' mass='2 kg'/>"
     "<J1 id='j'/><bond from='j' to='k'/><bond from='j' to='m'/></network>",
     "k.q", "m.f", 1},
    // p of the inertia for x, the displacement of a spring of 2 m/N for the momentum of a mass of 2 kg
    {"<network domain='translation'><I id='m' energy='800[m/(N.s^2)]*max(0[N.s], abs(p) - "
     "0.3[N.s])^2/2' "
     "p0='0.5 N.s'/><C id='k' c='2 m/N'/><J1 id='j'/><bond from='j' to='k'/><bond from='j' to='m'/>"
     "</network>",
     "m.p", "k.e", -1},
    // two equal masses that meet: x = q1 + q2, of the half of a mass
    {"<network domain='translation'><CField id='k' energy='800[N/m]*(max(0[m], q1 + q2 - 0.3[m])^2 "
     "+ "
     "min(0[m], q1 + q2 + 0.3[m])^2)/2' q0='0.2 0.3 m'/><I id='m' mass='4 kg'/><I id='n' mass='4 "
     "kg'/>"
     "<J1 id='j'/><J1 id='i'/><bond from='j' to='k.1'/><bond from='i' to='k.2'/>"
     "<bond from='j' to='m'/><bond from='i' to='n'/></network>",
     "k.q1", "m.f", 2},
};

static double error_of_play(const run *r, int form, double t) {
  double v;
  const double x = with_play(0.5, 0.3, 20, t, &v), first = form == 3 ? -0.1 : 0;
  const double have = (form == 3 ? 2 : 1) * (value(r, plays[form].x) - first / 2);
  return fmax(fabs(have - x), fabs(plays[form].sign * value(r, plays[form].xdot) - v) / 20);
}

/** The error falls with the tolerance, decade by decade, and no step is repeated for a kink: at most one of those that follow
 *  a free flight, the steps of which are long. */
static void play(void **state) {
  (void)state;
  const double t_end = 10;
  for (int form = 0; form < 4; form++) {
    for (int i = 0; i < (THOROUGH ? 3 : 2); i++) {
      double before = HUGE_VAL;
      for (double rtol = 1e-6; rtol > (THOROUGH ? 3e-12 : 3e-9); rtol /= 100) {
        run r = prepare_inside(plays[form].network);
        sb_options options = sb_options_defaults();
        options.method = sb_method_find(methods[i]);
        options.rtol = rtol;
        start_by(&r, &options);
        advance(&r, t_end);
        const double error = error_of_play(&r, form, t_end);
        if (!(error < 1500 * rtol && error < before / 15) || ledger_of(&r)->work.rejected > 140 ||
            ledger_of(&r)->event_count > 0) {
          fail_msg("%d, %s, rtol %g: error %g, %ld of %ld steps repeated", form, methods[i], rtol,
                   error, ledger_of(&r)->work.rejected, ledger_of(&r)->work.steps);
        }
        assert_closes(&r);
        before = error;
        stop(&r);
      }
    }
  }
}

/** Discrete gradients keep the energy to rounding, and are of order two across kinks. */
static void play_by_discrete_gradients(void **state) {
  (void)state;
  static const char *const gradients[] = {"discrete-gradient", "mean-value-gradient"};
  for (int form = 0; form < 4; form += THOROUGH ? 1 : 3) {
    for (int i = 0; i < 2; i++) {
      enum { HALVINGS = 3 };
      double errors[HALVINGS];
      for (int k = 0; k < HALVINGS; k++) {
        run r = prepare_inside(plays[form].network);
        sb_options options = sb_options_defaults();
        options.method = sb_method_find(gradients[i]);
        options.step = 1e-3 / (1 << k);
        start_by(&r, &options);
        advance(&r, 2.5);
        errors[k] = error_of_play(&r, form, 2.5);
        sb_simulation_audit(r.sim);
        assert_true(ledger_of(&r)->residual_relative < 1e-13);
        stop(&r);
      }
      for (int k = 1; k < HALVINGS; k++) {
        assert_near(errors[k - 1] / errors[k], 4, 0.1);
      }
    }
  }
}

/** A mass on a cable that only pulls: w^2 = k/m, x = m g/k + A cos(w t) while x > 0, then a throw of 2 v/g. */
static void cable(void **state) {
  (void)state;
  const double k = 900, m = 3, g = 9.81, w = sqrt(k / m), rest = m * g / k, A = 0.2 - rest;
  const double leaves = acos(-rest / A) / w, v = A * w * sin(w * leaves), flight = 2 * v / g;
  const double period = 2 * leaves + flight;
  for (int i = 0; i < 3; i++) {
    run r = prepare_inside(
        "<network domain='translation'><C id='k' energy='900[N/m]*max(0[m], q)^2/2' q0='0.2 m'/>"
        "<I id='m' mass='3 kg'/><Se id='g' effort='29.43 N'/><J1 id='j'/><bond from='g' to='j'/>"
        "<bond from='j' to='k'/><bond from='j' to='m'/></network>");
    sb_options options = sb_options_defaults();
    options.method = sb_method_find(methods[i]);
    options.rtol = 1e-10;
    start_by(&r, &options);
    advance(&r, 6 * period + leaves + 0.3 * flight);
    const double s = 0.3 * flight;
    assert_near(value(&r, "k.q"), -v * s + g * s * s / 2, 3e-8);
    assert_near(value(&r, "m.f"), -v + g * s, 3e-7);
    stop(&r);
  }
}

/** H = k max(0, q)^2.5/2.5: a power that has no value beyond its kink. A body that arrives with v is thrown back with v
 *  after 2 d/v times the integral of dx/sqrt(1 - x^2.5) from 0 to 1, d = (5 m v^2/(4 k))^(2/5) (Johnson, Contact Mechanics, 11.4). */
static void power_that_ends(void **state) {
  (void)state;
  const double m = 3, v = 1.3, k = 4e4, before = 0.2 / v;
  const double d = pow(5 * m * v * v / (4 * k), 0.4);
  const double lasts = 2 * d / v * 0.4 * tgamma(0.4) * tgamma(0.5) / tgamma(0.9);
  for (int i = 0; i < 3; i++) {
    run r = prepare_inside("<network domain='translation'><C id='k' "
                           "energy='4e4[N/m^1.5]*max(0[m], q)^2.5/2.5' q0='-0.2 m'/><J1 id='j'/>"
                           "<I id='m' mass='3 kg' p0='3.9 N.s'/><bond from='j' to='k'/>"
                           "<bond from='j' to='m'/></network>");
    sb_options options = sb_options_defaults();
    options.method = sb_method_find(methods[i]);
    options.rtol = 1e-10;
    start_by(&r, &options);
    advance(&r, before + lasts + 0.1);
    assert_near(value(&r, "m.f"), -v, 1e-8);
    assert_near(value(&r, "k.q"), -v * 0.1, 1e-8);
    assert_true(ledger_of(&r)->work.steps < 600);
    stop(&r);
  }
}

/** F |q|: parabolas of the period 4 sqrt(2 m q0/F); each half ends with a jump of the effort, and takes a few steps. */
static void force_that_changes_sign(void **state) {
  (void)state;
  const double quarter = sqrt(2 * 3 * 0.2 / 5);
  for (int i = 0; i < 3; i++) {
    run r =
        prepare_inside("<network domain='translation'><C id='k' energy='5[N]*abs(q)' q0='0.2 m'/>"
                       "<I id='m' mass='3 kg'/><J1 id='j'/><bond from='j' to='k'/>"
                       "<bond from='j' to='m'/></network>");
    sb_options options = sb_options_defaults();
    options.method = sb_method_find(methods[i]);
    options.rtol = 1e-8;
    start_by(&r, &options);
    advance(&r, 40 * quarter);
    assert_int_equal(events_of(&r, "jump", "k"), 20);
    for (int n = 0; n < 20; n++) {
      assert_near(event_time(&r, "jump", n), (2 * n + 1) * quarter, 1e-8);
    }
    assert_near(value(&r, "k.q"), 0.2, 1e-8);
    assert_true(ledger_of(&r)->work.steps < 20 * 5);
    assert_true(fabs(ledger_of(&r)->total.event_loss) < 1e-9);
    assert_closes(&r);
    stop(&r);
  }
}

/** Teeth of 5 N: the speed is that of the energy at each of their ends, and the force between is constant. The mod jumps at every
 *  second end, and with it what the abs decides on: one event for both. */
static void teeth(void **state) {
  (void)state;
  const double slow = 0.5, fast = sqrt(0.5 * 0.5 + 2 * 0.25 / 3), tooth = 2 * 0.05 / (slow + fast);
  run r = go("<network domain='translation'><C id='k' energy='5[N]*abs(mod(q, 0.1[m]) - 0.05[m])' "
             "q0='0.3 m'/><I id='m' mass='3 kg' p0='1.5 N.s'/><J1 id='j'/><bond from='j' to='k'/>"
             "<bond from='j' to='m'/></network>",
             20.5 * tooth);
  assert_in_range(events_of(&r, "jump", "k"), 20, 21); // the start is on a tip
  // from the tip on the force is 5 N along the motion for half a tooth
  const double s = tooth / 2, at = 0.3 + 20 * 0.05;
  assert_near(value(&r, "k.q"), at + slow * s + 5. / 3 * s * s / 2, 1e-9);
  stop(&r);
}

/** In derivative causality: the charge follows from the source, q(u) in pieces, and its current from the Hessian. */
static void dependent(void **state) {
  (void)state;
  const double t = 0.9, u = 3 * sin(40 * t);
  run r = go(
      "<network domain='electric'><Se id='u' effort='3[V]*sin(40[1/s]*t)'/><J0 id='n'/>"
      "<C id='k' energy='if(abs(q) &lt; 1e-3[C], q^2/2[mF], 0.5e-3[J] + 1[V]*(abs(q) - 1e-3[C]) + "
      "(abs(q) - 1e-3[C])^2/0.4[mF])'/><R id='r' r='0.1 ohm'/><bond from='u' to='n'/>"
      "<bond from='n' to='k'/><bond from='n' to='r'/></network>",
      t);
  assert_true(fabs(u) > 1);
  assert_near(value(&r, "k.q"), copysign(1e-3 + 0.2e-3 * (fabs(u) - 1), u), 1e-12);
  assert_near(value(&r, "k.f"), 0.2e-3 * 120 * cos(40 * t), 1e-12);
  stop(&r);
}

/** What rests on a kink stays there: with abs(q) on the tip of a valley, with max(0, q) in front of the stop. */
static void rests_on_a_kink(void **state) {
  (void)state;
  static const char *const energies[] = {"5[N]*abs(q)", "5[N]*abs(q) + 3[N/m]*q^2",
                                         "800[N/m]*max(0[m], abs(q) - 0[m])^2",
                                         "800[N/m]*max(0[m], q)^2"};
  for (int i = 0; i < 4; i++) {
    char text[500];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><C id='k' energy='%s'/><I id='m' mass='3 kg'/>"
                   "<J1 id='j'/><bond from='j' to='k'/><bond from='j' to='m'/></network>",
                   energies[i]);
    run r = go(text, 4);
    assert_near(value(&r, "k.q"), 0, 0);
    assert_near(value(&r, "m.f"), 0, 0);
    assert_true(ledger_of(&r)->work.steps < 10);
    stop(&r);
  }
}

/** A constant force stated as an energy, which has no minimum: free fall by any method, in a few steps. */
static void constant_force(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    run r = prepare_inside("<network domain='translation'><C id='k' energy='5[N]*q' q0='0.2 m'/>"
                           "<I id='m' mass='3 kg'/><J1 id='j'/><bond from='j' to='k'/>"
                           "<bond from='j' to='m'/></network>");
    sb_options options = sb_options_defaults();
    options.method = sb_method_find(methods[i]);
    options.rtol = 1e-8;
    start_by(&r, &options);
    advance(&r, 7);
    assert_near(value(&r, "k.q"), 0.2 - 5. / 3 * 49 / 2, 1e-8);
    assert_true(ledger_of(&r)->work.steps < 12);
    assert_int_equal(ledger_of(&r)->work.rejected, 0);
    stop(&r);
  }
}

/** A pinion in the middle of its play, that moves either way from the start, sets a wheel in motion: implicit methods too follow its
 *  displacement by what it has moved, as nothing else tells its size. Momenta are exchanged as between masses that meet. */
static void gear_with_play(void **state) {
  (void)state;
  const double a = 0.02, b = 0.7, w = 20;                     // [kg m^2, rad/s]
  const double behind = (a - b) / (a + b), before = 0.01 / w; // of w; [s]
  const double lasts = pi * sqrt(a * b / (a + b) / 300);
  for (int side = -1; side < 2; side += 2) {
    for (int i = 0; i < 3; i++) {
      char text[900];
      (void)snprintf(text, sizeof text,
                     "<network domain='rotation'><I id='a' l='0.02 kg.m^2' p0='%g N.m.s'/>"
                     "<I id='b' l='0.7 kg.m^2'/><J1 id='ja'/><J1 id='jb'/><J0 id='n'/>"
                     "<C id='k' energy='150[N.m/rad]*max(0[rad], abs(q) - 0.01[rad])^2'/>"
                     "<C id='soft' c='1e3 rad/(N.m)'/><bond from='jb' to='soft'/>"
                     "<bond from='ja' to='a'/><bond from='ja' to='n'/><bond from='n' to='k'/>"
                     "<bond from='n' to='jb'/><bond from='jb' to='b'/></network>",
                     side * a * w);
      run r = prepare_inside(text);
      sb_options options = sb_options_defaults();
      options.method = sb_method_find(methods[i]);
      options.rtol = 1e-9;
      start_by(&r, &options);
      advance(&r, before + lasts + 1e-4);
      assert_near(value(&r, "a.f"), side * w * behind, 1e-6);
      assert_true(ledger_of(&r)->work.rejected < 30);
      stop(&r);
    }
  }
}

static void refuse_run(const char *energy, const char *more, sb_status status, const char *message,
                       const char *hint) {
  char all[900];
  sb_error err;
  double t;
  (void)snprintf(
      all, sizeof all,
      "<screwbond version='1' id='m'><network domain='translation'><C id='k' energy='%s' "
      "q0='0.2 m'/><J1 id='j'/><bond from='j' to='k'/><bond from='j' to='m'/>%s</network>"
      "<run t-end='5 s' max-steps='5000'/></screwbond>",
      energy, more);
  assert_int_equal(try_run(all, 5, &t, &err), status);
  assert_contains(err.text, message);
  assert_contains(err.hint, hint);
}

/** An energy that jumps would take an infinite force. A state that has jumped itself, by an impact, is none of that. */
static void jumps_of_energies_are_refused(void **state) {
  (void)state;
  static const char *const mass = "<I id='m' mass='3 kg'/>";
  refuse_run("if(q &lt; 0.1[m], 0[J], 0.4[J] + 30[N]*(q - 0.1[m]))", mass, SB_ERR_NOT_FINITE,
             "the energy of 'k' jumps by -0.4 J at t = 0.141421356 s, where k.q = 0.1: its effort "
             "would be "
             "infinite",
             "pieces of an energy meet where they change");
  refuse_run("30[N]*q + 1e-3[J]*(q &lt; 0.1[m])", mass, SB_ERR_NOT_FINITE, "jumps by 0.001 J",
             "meet");
  refuse_run("30[N]*q + 2[J]*floor(-5[1/m]*q)", mass, SB_ERR_NOT_FINITE, "jumps by 2 J", "meet");
  refuse_run("5[N]*abs(q)", "<R id='m' r='3 N.s/m'/>", SB_ERR_CHATTER,
             "'k' switches without end at t = 0.12", "the effort of its energy jumps there");
}

/** What check says of an energy; nothing of one whose pieces meet, or whose jumps depend on where it has been. */
static void jumps_of_energies_are_foreseen(void **state) {
  (void)state;
  static const struct {
    const char *energy, *text; // NULL: no warning
  } rows[] = {
      {"if(q &lt; 0.1[m], 0[J], 0.4[J] + 30[N]*(q - 0.1[m]))",
       "the energy of 'k' jumps by 0.4 J at q = 0.1: a run that gets there ends"},
      {"30[N/m]*q^2 - 1e-9[J]*(q &gt; -3[mm])", "jumps by -1e-09 J at q = -0.003"},
      {"30[N/m]*q^2 + 2[J]*floor(-5e6[1/m]*q)", "jumps by -2 J at q = "},
      {"30[N/m]*q^2*(1 + max(sign(q), 0))", NULL},
      {"5[N]*abs(q - 3[nm]) + 4[N/m]*max(q, 2[m])^2", NULL},
      {"if(q &gt; 0.1[m], 30[N/m]*(q - 0.1[m])^2/2, 0[J])", NULL},
      {"1e6[J] + if(q &gt; 0.3[m], 7[N/m]*(q^2 - 0.09[m^2]), 0[J])", NULL},
      {"4[N/m]*q^2", NULL},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[900];
    sb_errors warnings = {0};
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><network domain='translation'><C id='k' "
                   "energy='%s' q0='0.2 m'/><I id='m' mass='3 kg'/><J1 id='j'/>"
                   "<bond from='j' to='k'/><bond from='j' to='m'/></network>"
                   "<run t-end='5 s'/></screwbond>",
                   rows[i].energy);
    run r = start_netlist(text);
    assert_int_equal(sb_simulation_foresee(r.sim, 5, &warnings), SB_OK);
    assert_int_equal(warnings.count, rows[i].text != NULL);
    if (rows[i].text != NULL) {
      assert_contains(warnings.items[0].text, rows[i].text);
      assert_contains(warnings.items[0].hint, "pieces of an energy meet");
      assert_true(warnings.items[0].line > 0);
    }
    sb_errors_finish(&warnings);
    stop(&r);
  }
}

/** A wall takes the velocity from 5/3 + 3/2 m/s to -0.3 of that and the momentum past two kinks of the energy of the mass, to -2.34 N.s: that has not
 *  jumped. */
static void impacts_pass_kinks(void **state) {
  (void)state;
  run r = go("<network domain='translation'><I id='m' energy='p^2/6[kg] + max(0[N.s], abs(p) - "
             "2[N.s])^2/4[kg]' "
             "p0='5 N.s'/><Stop id='s' upper='0.3 m' restitution='0.3'/><J1 id='j'/><bond from='j' "
             "to='m'/>"
             "<bond from='j' to='s'/></network>",
             2);
  assert_near(value(&r, "m.f"), -0.95, 1e-9);
  assert_near(value(&r, "m.p"), -2.34, 1e-9);
  assert_near(ledger_of(&r)->total.event_loss, 25. / 6 + 9. / 4 - 2.34 * 2.34 / 6 - 0.34 * 0.34 / 4,
              1e-9);
  assert_near(event_time(&r, "impact", 0), 0.3 / (5. / 3 + 3. / 2), 1e-9);
  stop(&r);
}

/** A train pulled from rest, with play in its couplings. Far down it moves by less than any number at first, which has no side of a kink.
 *  All of it has the momentum that the force gave; and the same in words without a kink at rest moves alike. */
static void far_down_a_chain(void **state) {
  (void)state;
  static const char *const play[] = {"max(0[m], abs(q) - 2[cm])^2/2",
                                     "(max(0[m], q - 2[cm])^2 + max(0[m], -q - 2[cm])^2)/2"};
  double last[2];
  for (int form = 0; form < 2; form++) {
    char text[2000];
    assert_true(
        snprintf(text, sizeof text,
                 "<network domain='translation'><Se id='F' effort='100[kN]*min(t/0.5[s],1)'/><J1 "
                 "id='v[0]'/><I id='m[0]' mass='8.7 t'/><bond from='F' to='v[0]'/><bond "
                 "from='v[0]' to='m[0]'/><repeat index='i' count='23'><J0 id='j[i]'/><J1 "
                 "id='c[i]'/><C id='k[i]' energy='1.73e6[N/m]*%s'/><R id='d[i]' r='1e4 N.s/m'/><J1 "
                 "id='v[i]'/><I id='m[i]' mass='8.7 t'/><bond from='v[i-1]' to='j[i]'/><bond "
                 "from='j[i]' to='c[i]'/><bond from='c[i]' to='k[i]'/><bond from='c[i]' "
                 "to='d[i]'/><bond from='j[i]' to='v[i]'/><bond from='v[i]' to='m[i]'/></repeat>"
                 "</network>",
                 play[form]) < (int)sizeof text);
    run r = start(text, 1e-8, 0);
    advance(&r, 2);
    double p = 0;
    for (int i = 0; i < 24; i++) {
      char name[20];
      (void)snprintf(name, sizeof name, "m[%d].p", i);
      p += value(&r, name);
    }
    assert_near_relative(p, 1e5 * (2 - 0.25), 1e-9);
    last[form] = value(&r, "m[23].f");
    assert_closes(&r);
    stop(&r);
  }
  assert_near_relative(last[0], last[1], 1e-5);
}

/** Wagons with buffers whose dampers differ by direction, 1 and 3 kN.s/m, pulled from rest by a step: far down their flows are errors of either sign
 *  at first. Three forms of the law move alike, all have the momentum that the force gave, and what they differ by falls with the tolerance. */
static void dampers_far_down_a_chain(void **state) {
  (void)state;
  static const char *const laws[] = {"flows='-1 0 1 m/s' efforts='-3000 0 1000 N'",
                                     "law='if(f &gt; 0[m/s], 1e3[N.s/m]*f, 3e3[N.s/m]*f)'",
                                     "law='1e3[N.s/m]*max(0[m/s], f) + 3e3[N.s/m]*min(0[m/s], f)'"};
  static const double tolerances[] = {1e-5, 1e-9};
  for (int i = 0; i < (THOROUGH ? 6 : 2); i++) {
    static double last;
    const double rtol = tolerances[i / 3];
    char text[2000];
    assert_true(
        snprintf(
            text, sizeof text,
            "<network domain='translation'><Se id='F' effort='10 kN'/><J1 id='v[0]'/><I "
            "id='m[0]' mass='1 t'/><bond from='F' to='v[0]'/><bond from='v[0]' to='m[0]'/>"
            "<repeat index='i' count='21'><J0 id='j[i]'/><J1 id='c[i]'/><C id='k[i]' c='1e-5'/>"
            "<R id='d[i]' %s/><J1 id='v[i]'/><I id='m[i]' mass='1 t'/><bond from='v[i-1]' "
            "to='j[i]'/><bond from='j[i]' to='c[i]'/><bond from='c[i]' to='k[i]'/><bond "
            "from='c[i]' to='d[i]'/><bond from='j[i]' to='v[i]'/><bond from='v[i]' "
            "to='m[i]'/></repeat></network>",
            laws[i % 3]) < (int)sizeof text);
    run r = start(text, rtol, 0);
    advance(&r, 1);
    double p = 0;
    for (int k = 0; k < 22; k++) {
      char name[20];
      (void)snprintf(name, sizeof name, "m[%d].p", k);
      p += value(&r, name);
    }
    assert_near_relative(p, 1e4, 1e-12 + rtol / 10);
    last = i % 3 == 0 ? value(&r, "m[21].f") : last;
    assert_near(value(&r, "m[21].f"), last, 100 * rtol);
    assert_closes(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(play),
      repeating_test(play_by_discrete_gradients),
      cmocka_unit_test(cable),
      cmocka_unit_test(power_that_ends),
      cmocka_unit_test(force_that_changes_sign),
      cmocka_unit_test(teeth),
      repeating_test(dependent),
      cmocka_unit_test(rests_on_a_kink),
      cmocka_unit_test(constant_force),
      repeating_test(dampers_far_down_a_chain),
      cmocka_unit_test(gear_with_play),
      cmocka_unit_test(jumps_of_energies_are_refused),
      cmocka_unit_test(jumps_of_energies_are_foreseen),
      cmocka_unit_test(impacts_pass_kinks),
      repeating_test(far_down_a_chain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
