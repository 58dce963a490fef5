// SPDX-License-Identifier: GPL-3.0-or-later
// The balance of each connected part: what is hidden beside larger parts is found, and what is at rest, far
// from its reference, tiny or huge is sound.
#include <float.h>

#include "tests/fixture.h"

static int nothing(void *context, const sb_simulation *sim, double t) {
  (void)context, (void)sim, (void)t;
  return 0;
}

/** Runs a netlist from its start to its end, with 50 samples. */
static run run_text(const char *text) {
  sb_error err = {0};
  run r = start_netlist(text);
  double t = r.netlist->t_end;
  ok(sb_simulation_run(r.sim, t, t / 50, nothing, NULL, &err), &err);
  return r;
}

/** @param networks  what stands in <screwbond>; the tolerances make losses of a percent, or none */
static run run_networks(const char *networks, bool lossy) {
  char text[6000];
  assert_true(snprintf(text, sizeof text,
                       "<screwbond version='1' id='m'>%s<run t-end='%s'/></screwbond>", networks,
                       lossy ? "60 s' rtol='1e-2' atol='1e-2" : "10 s' rtol='1e-9' atol='1e-12") <
              (int)sizeof text);
  return run_text(text);
}

static const sb_part *part_of(const run *r, const char *id) {
  for (int i = 0; i < ledger_of(r)->part_count; i++) {
    if (strcmp(ledger_of(r)->parts[i].account.id, id) == 0) {
      return &ledger_of(r)->parts[i];
    }
  }
  fail_msg("no part %s", id);
  return NULL;
}

static void assert_sound(const run *r) {
  const sb_ledger *ledger = ledger_of(r);
  if (!(ledger->residual_relative <= 1e-8 && ledger->structure.residual_relative <= 1e-12)) {
    print_error("%s %g, %s %g\n", ledger->residual_element, ledger->residual_relative,
                ledger->structure.worst, ledger->structure.residual_relative);
  }
  assert_true(ledger->residual_relative <= 1e-8);
  assert_true(ledger->structure.residual_relative <= 1e-12);
  assert_int_equal(ledger->passivity.violations, 0);
  for (int i = 0; i < ledger->part_count; i++) {
    assert_false(ledger->parts[i].unresolved);
  }
}

// ---- the accounts, against closed forms

static void parts_have_accounts_of_their_own(void **state) {
  (void)state;
  run r = run_networks(
      "<network domain='electric'><Se id='V' effort='3 V'/><R id='Rv' r='2 ohm'/>"
      "<bond from='V' to='Rv'/><C id='C' c='0.8 F' q0='2.4 C'/><R id='Rc' r='1.5 ohm'/>"
      "<bond from='C' to='Rc'/><signal id='u' of='C.e'/></network>",
      false);
  const sb_part *source = part_of(&r, "V"), *capacitor = part_of(&r, "C");
  double left = 3.6 * exp(-2 * 10 / 1.2); // [J] of 2.4^2/(2*0.8), RC = 1.2 s
  assert_int_equal(ledger_of(&r)->part_count, 2);
  assert_int_equal(source->element_count, 2);
  assert_near_relative(source->account.supplied, 45.0, 1e-9);
  assert_near_relative(source->account.dissipated, 45.0, 1e-9);
  assert_near_relative(source->scale, 45.0, 1e-9);
  assert_near_relative(capacitor->account.stored_start, 3.6, 1e-15);
  assert_near(capacitor->account.stored_end, left, 1e-8);
  assert_near(capacitor->account.dissipated, 3.6 - left, 1e-8);
  assert_near(capacitor->scale, 3.6 - left, 1e-8);
  assert_near(ledger_of(&r)->total.dissipated, 48.6 - left, 1e-7);
  assert_sound(&r);
  stop(&r);
}

/** An oscillator keeps its energy: what its storages exchange is the scale. */
static void what_storages_exchange_is_the_scale(void **state) {
  (void)state;
  run r = run_networks("<network domain='translation'><J1 id='j'/><I id='m' mass='2 kg'/>"
                       "<C id='k' compliance='0.5 m/N' q0='0.3 m'/><bond from='j' to='m'/>"
                       "<bond from='j' to='k'/></network>",
                       false);
  assert_near_relative(part_of(&r, "m")->scale, 2 * 0.09, 1e-2); // all of 0.09 J from k to m
  stop(&r);
  r = run_networks("<mechanism><body id='b' mass='1.2 kg' inertia='1 2 2.5 kg.m^2' "
                   "angular-velocity='0.1 2 0.1 rad/s'/></mechanism>",
                   false); // turns over about its middle axis: L_y from +-4 to its negative
  assert_in_range((uintmax_t)(1e3 * part_of(&r, "b")->scale), 4000, 40000);
  assert_sound(&r);
  stop(&r);
}

// ---- a loss beside what is larger

#define OSCILLATOR                                                                                 \
  "<network domain='translation'><J1 id='j'/><I id='m' mass='1 kg'/>"                              \
  "<C id='k' compliance='1 m/N' q0='1 m'/><bond from='j' to='m'/><bond from='j' "                  \
  "to='k'/></network>"

/** Energies E of %g = sqrt(2 E), and once of E itself. */
static const char *const larger[] = {
    "<network domain='translation'><Se id='S' effort='%g N'/><R id='R' r='1 N.s/m'/>"
    "<bond from='S' to='R'/></network>" OSCILLATOR,
    OSCILLATOR "<network domain='electric'><C id='C' c='1 F' q0='%g C'/><R id='R' r='9 ohm'/>"
               "<bond from='C' to='R'/></network>",
    "<network domain='translation'><C id='K' compliance='1 m/N' q0='%g m'/><J0 id='J'/>"
    "<bond from='K' to='J'/><R id='R' r='1e3 N.s/m'/><bond from='J' to='R'/></network>" OSCILLATOR,
    "<mechanism gravity='0 0 -9.81 m/s^2'><body id='B' mass='2 kg' inertia='1 1 1 kg.m^2' "
    "velocity='%g 0 0 m/s'/></mechanism>" OSCILLATOR,
};

static void loss_beside_larger_is_found(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof larger / sizeof *larger; i++) {
    for (double energy = 1e6; energy < 1e15; energy *= 1e4) {
      char text[3000];
      (void)snprintf(text, sizeof text, larger[i], sqrt(2 * energy));
      run r = run_networks(text, true);
      assert_true(part_of(&r, "m")->residual_relative > 1e-5);
      assert_true(ledger_of(&r)->residual_relative > 1e-5);
      assert_non_null(strchr("mkj", *ledger_of(&r)->residual_element));
      stop(&r);
      r = run_networks(text, false);
      assert_sound(&r);
      stop(&r);
    }
  }
}

// ---- constants of an energy

static run run_with_constant(const char *format, double constant, bool lossy) {
  char text[3000];
  (void)snprintf(text, sizeof text, format, constant);
  return run_networks(text, lossy);
}

#define WITH_CONSTANT(energy)                                                                      \
  "<network domain='translation'><J1 id='j'/><I id='m' mass='1.3 kg'/><C id='k' energy='" energy   \
  "' q0='0.5 m'/><bond from='j' to='m'/><bond from='j' to='k'/></network>"

static void constants_change_no_verdict(void **state) {
  (void)state;
  static const char *const formats[] = {
      WITH_CONSTANT("0.7[N/m]*q^2+%g[J]"), WITH_CONSTANT("0.7[N/m]*q^2+0.2[N/m^3]*q^4-%g[J]"),
      "<network domain='translation'><CField id='k' energy='%g[J]+q1^2*0.3[N/m]+q2^2*0.8[N/m]"
      "+q1*q2*0.1[N/m]' q0='0.4 0.6'/><I id='m' mass='1 kg'/><I id='n' mass='1.7 kg'/>"
      "<bond from='m' to='k.1'/><bond from='n' to='k.2'/></network>"};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    run plain = run_with_constant(formats[i], 0, true);
    double error = ledger_of(&plain)->residual_relative;
    stop(&plain);
    assert_true(error > 1e-4);
    for (double constant = 1; constant < 1e10; constant *= 1e3) {
      run r = run_with_constant(formats[i], constant, true);
      assert_near_relative(ledger_of(&r)->residual_relative, error, 1e-2);
      stop(&r);
      r = run_with_constant(formats[i], constant, false);
      assert_true(ledger_of(&r)->residual_relative <= 1e-8);
      stop(&r);
    }
  }
}

/** The rounding of a constant is no reason to repeat a step: every step is as without it. */
static void constants_change_no_step(void **state) {
  (void)state;
  const char *const methods[] = {"dormand-prince-5", "fehlberg-8", "kvaerno-5"};
  for (int m = 0; m < 3; m++) {
    double end = 0;
    long steps = 0;
    for (int exponent = 0; exponent <= 13; exponent++) { // an ulp is from 1 to 2 eps of a number
      char text[600];
      (void)snprintf(text, sizeof text, WITH_CONSTANT("2[N/m]*q^2+3[N/m^3]*q^4+%g[J]"),
                     exponent == 0 ? 0 : pow(10, exponent));
      run r = prepare_inside(text);
      const sb_options options = options_of(methods[m], 1e-11);
      start_by(&r, &options);
      advance(&r, 2);
      steps = exponent == 0 ? ledger_of(&r)->work.steps : steps;
      end = exponent == 0 ? value(&r, "k.q") : end;
      assert_int_equal(ledger_of(&r)->work.steps, steps);
      assert_near(value(&r, "k.q"), end, 0);
      stop(&r);
    }
  }
}

/** H = (1e14 J + ...) 1, whose constant is no term of it, is known to 0.02 J: a loss of 0.05 J of 0.8 J is not seen, and that is said. */
static void what_rounding_hides_is_said(void **state) {
  (void)state;
  run r = run_with_constant(WITH_CONSTANT("(0.7[N/m]*q^2+%g[J])*1"), 1e14, true);
  assert_true(part_of(&r, "m")->unresolved);
  assert_near(ledger_of(&r)->residual_relative, 0, 0);
  assert_in_range((uintmax_t)(1e3 * part_of(&r, "m")->rounding), 15, 500);
  stop(&r);
}

static void reference_heights_change_no_verdict(void **state) {
  (void)state;
  for (double height = 1; height < 1e10; height *= 1e3) {
    char text[500];
    (void)snprintf(text, sizeof text,
                   "<mechanism gravity='0 0 -9.81 m/s^2'><body id='b' mass='1.4 kg' "
                   "inertia='1 1.2 1.4 kg.m^2' position='0 0 %g m' "
                   "angular-velocity='1 2 3 rad/s'/></mechanism>",
                   height);
    run r = run_networks(text, false);
    assert_sound(&r);
    stop(&r);
  }
}

// ---- at rest, tiny, huge

/** Attitudes spread evenly by a golden sequence, one of three without weight. */
static void bodies_at_rest_are_sound(void **state) {
  (void)state;
  for (int i = 0; i < 60; i++) {
    char text[500];
    double angle = 360 * fmod(0.6180339887 * i, 1), x = cos(1.3 * i), y = sin(2.1 * i),
           z = cos(0.7 * i);
    (void)snprintf(
        text, sizeof text,
        "<mechanism gravity='0 0 %s m/s^2'><body id='b' mass='1.3 kg' inertia='1 1.1 1.7 "
        "kg.m^2' position='%g %g %g m' rotation='%g deg about %g %g %g'/></mechanism>",
        i % 3 == 0 ? "0" : "-9.81", 3 * y, 2 * z, 0.5 * x, angle, x, y, z);
    run r = run_networks(text, false);
    assert_sound(&r);
    stop(&r);
  }
}

/** Laws and fields near the least numbers: what is left of values that an iteration has made zero. */
static void tiny_values_are_sound(void **state) {
  (void)state;
  static const char *const formats[] = {
      OSCILLATOR "<network domain='electric'><C id='C' c='1 F' q0='%g C'/><I id='L' l='2 H'/>"
                 "<J1 id='J'/><bond from='C' to='J'/><bond from='J' to='L'/></network>",
      "<network domain='translation'><J1 id='j0'/><J1 id='j1'/><GY id='g' ratio='1.365'/>"
      "<R id='R0' r='1.1 N.s/m'/><R id='R2' law='4.3[N.s/m]*f + 0.14[N]*tanh(f/1.5[m/s])'/>"
      "<I id='L' mass='0.13 kg'/><C id='C' compliance='6.2 m/N' q0='%g m'/><bond from='j0' to='g'/>"
      "<bond from='g' to='j1'/><bond from='j1' to='R0'/><bond from='j0' to='R2'/>"
      "<bond from='j0' to='L'/><bond from='j1' to='C'/></network>",
      "<network domain='translation'><CField id='k' "
      "energy='q1^2*0.3[N/m]+q2^2*0.8[N/m]+q1*q2*0.1[N/m]'"
      " q0='%g 0'/><I id='m' mass='1 kg'/><I id='n' mass='1.7 kg'/><bond from='m' to='k.1'/>"
      "<bond from='n' to='k.2'/></network>"};
  static const double values[] = {0, 1e-60, 1e-91, 1e-110};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
      run r = run_with_constant(formats[i], values[k], false);
      assert_sound(&r);
      stop(&r);
    }
  }
}

static void scaled_networks_are_sound(void **state) {
  (void)state;
  static const char *const kinds[] = {
      "<I id='m' mass='%g kg'/><C id='k' compliance='%g m/N' q0='0.7 m'/>",
      "<I id='m' mass='%g kg' p0='0 N.s'/><C id='k' compliance='%g m/N' q0='0.1 m'/>",
      "<I id='m' mass='%g kg' p0='2e-3 N.s'/><C id='k' compliance='%g m/N'/>"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    for (double scale = 1e-12; scale < 1e13; scale *= 1e4) {
      char inside[600], text[900];
      (void)snprintf(inside, sizeof inside, kinds[i], 1.7 * scale, 0.4 / scale);
      (void)snprintf(text, sizeof text,
                     "<network domain='translation'><J1 id='j'/>%s<bond from='j' to='m'/>"
                     "<bond from='j' to='k'/></network>",
                     inside);
      run r = run_networks(text, false);
      if (ledger_of(&r)->residual_relative > 1e-8) {
        print_error("kind %zu, scale %g\n", i, scale);
      }
      assert_sound(&r);
      stop(&r);
    }
  }
}

// ---- rows that pass zero

/** The car axis of the test set for initial value problems (Mazzia and Magherini 2008): terms of the
 *  constraints pass zero while the multipliers are large. */
static void rows_that_pass_zero_are_sound(void **state) {
  (void)state;
  static const sb_override sets[][2] = {
      {{"r", "0.1 m"}, {"om", "10[rad/s]"}},
      {{"r", "0.13 m"}, {"om", "7[rad/s]"}},
      {{"r", "0.05 m"}, {"om", "16[rad/s]"}},
  };
  char path[1000];
  source_path(path, sizeof path, "tests/netlists/audit/car_axis.xml");
  for (size_t i = 0; i < (THOROUGH ? sizeof sets / sizeof *sets : 1); i++) {
    run r = {0};
    sb_errors errors = {0};
    sb_error err = {0};
    sb_status status = sb_netlist_read(path, sets[i], 2, &r.netlist, &errors);
    show_errors(&errors);
    assert_int_equal(status, SB_OK);
    r.model = compile_graph(r.netlist->graph);
    start_by(&r, &r.netlist->options);
    ok(sb_simulation_run(r.sim, 1, 0.01, nothing, NULL, &err), &err);
    assert_sound(&r);
    stop(&r);
    sb_errors_finish(&errors);
  }
}

/** Two fingers of closed loops close on a ball, and one passes its flat position: near there their rates are asked over shorter times. */
static void fingers_that_pass_a_flat_position_are_sound(void **state) {
  (void)state;
  char path[1000];
  run r = {0};
  sb_errors errors = {0};
  sb_error err = {0};
  source_path(path, sizeof path, "tests/netlists/audit/fingers.xml");
  const sb_status status = sb_netlist_read(path, NULL, 0, &r.netlist, &errors);
  show_errors(&errors);
  assert_int_equal(status, SB_OK);
  r.model = compile_graph(r.netlist->graph);
  start_by(&r, &r.netlist->options);
  ok(sb_simulation_run(r.sim, 2, 2, nothing, NULL, &err), &err);
  assert_int_equal(events_of(&r, "singular", "tree(c1a)"), 1);
  assert_sound(&r);
  stop(&r);
  sb_errors_finish(&errors);
}

// ---- the limit

/** An undamped oscillator, H = k4 q^4/4 + p^2/2m, of about three periods: what its steps add up to is sound. */
static const char quartic[] =
    "<screwbond version='1' id='m'><network domain='translation'><J1 id='j'/><I id='m' mass='1.3 "
    "kg'/>"
    "<C id='k' energy='0.7[N/m^3]*q^4' q0='1.9 m'/><bond from='j' to='m'/><bond from='j' to='k'/>"
    "</network><run t-end='8 s'%s/>%s</screwbond>";

/** Where none is given it follows the tolerance, or is that of steps that none holds. */
static void limit_follows_the_tolerance(void **state) {
  static const struct {
    const char *options, *audit;
    double limit;
  } rows[] = {{"", "", 1e-6},
              {" rtol='3e-10'", "", 3e-8},
              {" rtol='2e-4'", "", 1e-3},
              {" method='kvaerno-5' rtol='1e-7'", "", 1e-5},
              {" method='implicit-midpoint' step='2 ms'", "", 1e-8},
              {" rtol='3e-10'", "<audit residual='2e-7'/>", 2e-7},
              {" rtol='3e-10'", "<audit structure='2e-11'/>", 3e-8}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[1000];
    (void)snprintf(text, sizeof text, quartic, rows[i].options, rows[i].audit);
    run r = run_text(text);
    assert_near_relative(ledger_of(&r)->limit, rows[i].limit, 1e-14);
    assert_true(ledger_of(&r)->residual_relative <= rows[i].limit || rows[i].limit == 1e-8);
    stop(&r);
  }
}

// ---- the scale

/** What is at stake is the range of what each storage holds, whatever its states are: of a pendulum that turns over and over, of a mass
 *  between walls far from each other, and of a field what it exchanges at each of its ports. */
static void scale_does_not_grow_with_the_way(void **state) {
  static const struct {
    const char *network;
    double least, most; // [J]
  } rows[] = {
      // 50 J of which 20 go to and fro between the two
      {"<network domain='rotation'><J1 id='a'/><I id='m' inertia='1 kg.m^2' p0='10 N.m.s'/>"
       "<C id='c' energy='10[J]*(1-cos(q))'/><bond from='a' to='m'/><bond from='a' to='c'/>"
       "</network>",
       39.9, 40},
      {"<network domain='translation'><J1 id='a'/><I id='m' mass='1 kg' p0='1 N.s'/>"
       "<C id='c' energy='1e6[N/m]*max(0[m],abs(q)-0.9[m])^2/2'/><bond from='a' to='m'/>"
       "<bond from='a' to='c'/></network>",
       0.999, 1},
      // two pairs in one field: 2 J and 4.5 J in each of its halves, and as much beside it
      {"<network domain='translation'><J1 id='a'/><J1 id='b'/><I id='m' mass='1 kg' p0='2 N.s'/>"
       "<I id='n' mass='1 kg' p0='3 N.s'/>"
       "<CField id='c' energy='3[N/m]*q1^2/2+7[N/m]*q2^2/2+1000[J]'/><bond from='a' to='m'/>"
       "<bond from='b' to='n'/><bond from='a' to='c.1'/><bond from='b' to='c.2'/></network>",
       2 * 4.5, 2 * 6.5}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[1000];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'>%s<run t-end='30 s'/></screwbond>",
                   rows[i].network);
    run r = run_text(text);
    const double scale = ledger_of(&r)->scale;
    assert_true(scale > rows[i].least && scale < rows[i].most * (1 + 1e-6));
    assert_true(ledger_of(&r)->residual_relative <= ledger_of(&r)->limit);
    stop(&r);
  }
}

/** Steps of half a second lose half of the energy of the same pendulum in ten thousand turns: no tolerance holds them. */
static void lost_energy_is_found(void **state) {
  (void)state;
  run r = run_text("<screwbond version='1' id='m'><network domain='rotation'><J1 id='a'/>"
                   "<I id='m' inertia='1 kg.m^2' p0='10 N.m.s'/>"
                   "<C id='c' energy='10[J]*(1-cos(q))'/><bond from='a' to='m'/>"
                   "<bond from='a' to='c'/></network>"
                   "<run t-end='10000 s' method='dormand-prince-5' rtol='1e-4'/></screwbond>");
  const double p = value(&r, "m.p"), q = value(&r, "c.q");
  const double lost = fabs(p * p / 2 + 10 * (1 - cos(q)) - 50);
  const double residual = ledger_of(&r)->residual_relative;
  assert_true(lost > 1);
  assert_true(residual > lost / 45 && residual > ledger_of(&r)->limit);
  stop(&r);
}

/** A ball is pressed by d = 1 mm into a floor, a kilometre and more from the origin, for no longer than 1 us: its energy changes by
 *  less than F eps |place|, to which that of a gap is known. That much excuses the residual, and is no larger than some
 *  roundings. F = k d of the linear law. */
static void gaps_far_away_are_sound(void **state) {
  (void)state;
  static const char *const times[] = {"1e-12", "1e-9", "1e-6"};
  static const double slopes[][2] = {{0, 1}, {0.6, 0.8}, {0.28, 0.96}}, away[] = {1e3, 1e6};
  const double d = 1e-3, k = 2e4, radius = 0.05; // two alike skins of 4e4 N/m
  for (int i = 0; i < 18; i++) {
    const double *n = slopes[i % 3], x = away[i / 9], y = -0.7 * x, z = 0.5 * x;
    char text[2000];
    assert_true(
        snprintf(
            text, sizeof text,
            "<screwbond version='1' id='s'><materials><material id='m' youngs-modulus='1 MPa' "
            "poisson-ratio='0.3' stiffness='4e4 4e4 4e4 N/m'/></materials><laws><contact-law "
            "id='l' normal='linear'/></laws><mechanism gravity='7 -3 -4 m/s^2'><ground id='floor' "
            "material='m'><shape kind='plane' normal='0 %.17g %.17g' offset='%.17g m'/></ground>"
            "<body id='ball' mass='1 kg' material='m' position='%.17g %.17g %.17g m' "
            "velocity='0.3 0.2 -0.1 m/s'><shape kind='sphere' radius='%g m'/></body>"
            "<contact a='floor' b='ball' law='l'/></mechanism><run t-end='%s s'/></screwbond>",
            n[0], n[1], n[0] * y + n[1] * z, x, y + n[0] * (radius - d), z + n[1] * (radius - d),
            radius, times[i / 3 % 3]) < (int)sizeof text);
    run r = run_text(text);
    const sb_part *part = part_of(&r, "floor");
    const double known = k * d * DBL_EPSILON * sqrt(x * x + y * y + z * z);
    assert_true(ledger_of(&r)->residual_relative <= ledger_of(&r)->limit);
    assert_true(part->rounding < 100 * known);
    assert_true(ledger_of(&r)->work.steps < 100);
    assert_true(ledger_of(&r)->structure.residual_relative <= 1e-12);
    stop(&r);
  }
}

/** A pendulum that turns over the top again and again exchanges m g 2 l between what it stores at the bottom and at the top, and its kinetic
 *  energy is of that size: after a hundred turns the scale is what it was after one. */
static void turns_exchange_no_more_than_a_swing(void **state) {
  (void)state;
  double scale[2];
  run r = prepare("<screwbond version='1' id='m'><mechanism gravity='0 -9.81 0 m/s^2'><body id='A' "
                  "mass='1 kg' inertia='0.1 0.1 0.1 kg.m^2' com='0 -0.5 0 m'/><joint id='j' "
                  "kind='revolute' parent='world' child='A' q0='60 deg' w0='12 "
                  "rad/s'/></mechanism><run t-end='99 s'/></screwbond>");
  start_by(&r, &r.netlist->options);
  for (int k = 0; k < 2; k++) {
    advance(&r, k == 0 ? 2 : 60);
    sb_simulation_audit(r.sim);
    scale[k] = ledger_of(&r)->parts[0].scale;
  }
  assert_true(value(&r, "j.q") > 60 * 2 * pi);
  assert_true(scale[0] > 4.905 && scale[1] < 30);
  assert_near_relative(scale[1], scale[0], 0.01);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_have_accounts_of_their_own),
      cmocka_unit_test(what_storages_exchange_is_the_scale),
      cmocka_unit_test(turns_exchange_no_more_than_a_swing),
      cmocka_unit_test(loss_beside_larger_is_found),
      cmocka_unit_test(constants_change_no_verdict),
      cmocka_unit_test(constants_change_no_step),
      cmocka_unit_test(what_rounding_hides_is_said),
      cmocka_unit_test(reference_heights_change_no_verdict),
      cmocka_unit_test(bodies_at_rest_are_sound),
      cmocka_unit_test(gaps_far_away_are_sound),
      cmocka_unit_test(tiny_values_are_sound),
      cmocka_unit_test(scaled_networks_are_sound),
      cmocka_unit_test(rows_that_pass_zero_are_sound),
      cmocka_unit_test(fingers_that_pass_a_flat_position_are_sound),
      cmocka_unit_test(limit_follows_the_tolerance),
      cmocka_unit_test(scale_does_not_grow_with_the_way),
      cmocka_unit_test(lost_energy_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
