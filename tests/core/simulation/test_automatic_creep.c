// SPDX-License-Identifier: GPL-3.0-or-later
// The method "auto" where what is stiff waits for what is slow: dampers and signals that bend sharply, orifices from rest,
// circuits behind a slow source.
#include "tests/core/simulation/by_method.h"

/** A mass on a spring, m = 1 kg, c = 0.1 m/N, comes to rest by a smooth damper that is as sharp as a jump to its tolerance of
 *  1e-8 m/s, and creeps: within it explicit steps go to and fro without end. q and f after 20 s by Radau's method of order 5
 *  (Hairer & Wanner; scipy) at a tolerance of 1e-10, of f 1e-5 of the width. */
static void sharp_dampers_creep(void **state) {
  (void)state;
  static const struct {
    const char *domain, *law, *unit;
    double q, f;
  } rows[] = {
      {"translation", "2[N]*f/sqrt(f^2 + (1[mm/s])^2)", "m", 0.14754330843688168,
       -0.0010927632234467544},
      {"translation", "2[N]*tanh(f/0.1[um/s])", "m", 0.17416310828714746, -1.336444219414897e-07},
      {"translation", "2[N]*f/(abs(f) + 0.1[um/s])", "m", 0.17415249093463891,
       -6.73768952009507e-07},
      {"rotation", "2[N.m]*(2/(1 + exp(-f/10[nrad/s])) - 1)", "rad", 0.17416521259077186,
       -2.6729755118531584e-08},
      {"translation", "2[N]*f/sqrt(f^2 + (10[nm/s])^2)", "m", 0.17416539002600137,
       -1.7714508024514274e-08},
      {"translation", "2[N]*f/(abs(f) + 10[nm/s])", "m", 0.1741644135519544,
       -6.741260311715739e-08},
      {"translation", "2[N]*f/(abs(f) + 1[nm/s])", "m", 0.17416560616133558,
       -6.741617676381337e-09},
      {"translation", "2[N]*tanh(f/1[nm/s])", "m", 0.17416571237295983, -1.3364980965418473e-09},
      {"translation", "4[N]/3.141592653589793*atan(f/1[nm/s])", "m", 0.17416564312009744,
       -4.860653383757239e-09},
      {"translation", "2[N]*tanh(f/0.1[nm/s])", "m", 0.17416573604694888, -1.3364985863670706e-10},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i += THOROUGH ? 1 : 4) {
    for (int implicit = 0; implicit <= 1; implicit++) {
      char text[800];
      const bool turns = strcmp(rows[i].domain, "rotation") == 0;
      (void)snprintf(text, sizeof text,
                     "<network domain='%s'><J1 id='x'/><I id='m' %s='1' p0='1'/><C id='k' "
                     "c='0.1'/><R id='r' law='%s'/><bond from='x' to='m'/><bond from='x' to='k'/>"
                     "<bond from='x' to='r'/></network>",
                     rows[i].domain, turns ? "inertia" : "mass", rows[i].law);
      run r = start_by_method(text, implicit ? "kvaerno-5" : "auto", 1e-8);
      advance(&r, 20);
      assert_near(value(&r, "k.q"), rows[i].q, 1e-8);
      assert_near(value(&r, "m.f"), rows[i].f, fmax(1e-9, 0.01 * fabs(rows[i].f)));
      assert_in_range(ledger_of(&r)->work.steps, 1, 1000);
      assert_true(implicit_steps(&r) > 0);
      assert_closes(&r);
      stop(&r);
    }
  }
}

/** Stick, and break loose at 2 N: a mass of 1 kg under 4 N sin(2t/s), and one that a second one pulls by a spring; p by Radau's method
 *  (scipy, tolerance 1e-10). By friction of 2 N, the limit of width 0, the first one is loose from pi/12 s on, with
 *  p = 2 (cos(pi/6) - cos 2t) - 2 (t - pi/12) = 1.0522391348, and the second ends with 0.256585820. Implicit steps went on to
 *  creep, as a correction by the slope there is within the tolerance. */
static void sharp_dampers_break_loose(void **state) {
  (void)state;
  static const char *models[] = {
      "<I id='m' mass='1'/><Se id='s' effort='4[N]*sin(2[rad/s]*t)'/><bond from='s' to='x'/>",
      "<I id='m' mass='1' p0='1'/><J0 id='y'/><C id='k' c='0.02'/><bond from='x' to='y'/><bond "
      "from='y' to='k'/><J1 id='z'/><I id='n' mass='0.5'/><bond from='y' to='z'/><bond from='z' "
      "to='n'/>"};
  static const double end[] = {1.6, 0.4};
  static const struct {
    const char *law;
    double p[2];
  } rows[] = {
      {"2[N]*tanh(f/10[nm/s])", {1.052239189228, 0.256585854258}},
      {"2[N]*tanh(f/0.1[nm/s])", {1.052239135417, 0.256585822759}},
      {"2[N]*f/sqrt(f^2 + (0.1[nm/s])^2)", {1.052239147502, 0.256585828086}},
      {"4[N]/3.141592653589793*atan(f/0.1[nm/s])", {1.052239525973, 0.256585958716}},
  };
  for (int i = 0; i < 16; i++) {
    const int row = i / 4, model = i % 2;
    const double rtol = i % 4 < 2 ? 1e-7 : 1e-8;
    char text[1000];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><J1 id='x'/><R id='r' law='%s'/>%s"
                   "<bond from='x' to='m'/><bond from='x' to='r'/></network>",
                   rows[row].law, models[model]);
    run r = start_by_method(text, "kvaerno-5", rtol);
    advance(&r, end[model]);
    assert_near(value(&r, "m.p"), rows[row].p[model], 2 * rtol);
    assert_in_range(ledger_of(&r)->work.steps, 1, 1000);
    assert_closes(&r);
    stop(&r);
  }
}

static int count_sample(void *context, const sb_simulation *sim, double t) {
  (void)sim, (void)t;
  ++*(int *)context;
  return 0;
}

/** A mass behind a sharp damper, in which explicit steps end where they began or every other step does, and a second one that a spring of
 *  0.02 m/N pulls to and fro: its motion is far beyond its tolerance in each step, but no part of what the damper does wrong. The spring's
 *  displacement and the second momentum after 3 s by Radau's method. Samples fall into steps of the implicit method. */
static void sharp_dampers_are_no_crawl(void **state) {
  (void)state;
  static const struct {
    const char *law, *p0, *force;
    double q, p;
    int steps;
  } rows[] = {
      {"2[N]*atan(f/1[nm/s])", "1", "0", -0.019216467962, -0.314553472594, 4000},
      {"1[N]*log(1 + abs(f)/1[nm/s])*sign(f)", "1", "3[N]*sin(2[rad/s]*t)", -0.000156157219688,
       -0.1198917377708, 1500},
      {"2[N]*tanh(f/10[nm/s])", "1", "2.02[N]*(1 - cos(1[rad/s]*t))", -0.02364879265951,
       0.7180269121347, 2000},
      {"2[N]*tanh(f/10[nm/s])", "0", "3[N]*sin(2[rad/s]*t)", 0.02319821931173, -0.1729424763329,
       3000},
  };
  const char *methods[] = {"auto", "kvaerno-5"};
  for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i += PLAIN ? 1 : 3) {
    char text[1000];
    (void)snprintf(
        text, sizeof text,
        "<network domain='translation'><J1 id='x'/><I id='m' mass='1' p0='%s'/>"
        "<R id='r' law='%s'/><J0 id='y'/><C id='k' c='0.02'/><J1 id='z'/>"
        "<I id='n' mass='0.5'/><Se id='s' effort='%s'/><bond from='x' to='m'/>"
        "<bond from='x' to='r'/><bond from='x' to='y'/><bond from='y' to='k'/>"
        "<bond from='y' to='z'/><bond from='z' to='n'/><bond from='s' to='x'/></network>",
        rows[i / 2].p0, rows[i / 2].law, rows[i / 2].force);
    run r = start_by_method(text, methods[i % 2], 1e-8);
    sb_error err;
    int samples = 0;
    ok(sb_simulation_run(r.sim, 3, 0.05, count_sample, &samples, &err), &err);
    assert_int_equal(samples, 61);
    assert_near(value(&r, "k.q"), rows[i / 2].q, 1e-6 * 0.1); // of the largest
    assert_near(value(&r, "n.p"), rows[i / 2].p, 1e-6);
    assert_in_range(ledger_of(&r)->work.steps, 1, rows[i / 2].steps);
    assert_closes(&r);
    stop(&r);
  }
}

/** From rest under F = 2.02 N (1 - cos t), v = 0.02 (t - t1) - 2.02 (sin t - sin t1) from F(t1) = 2 N on. */
static void sharp_dampers_from_rest(void **state) {
  (void)state;
  run r = start_by_method("<network domain='translation'><J1 id='x'/><I id='m' mass='1'/><R id='r' "
                          "law='2[N]*tanh(f/0.1[nm/s])'/><Se id='s' effort='2.02[N]*(1 - "
                          "cos(1[rad/s]*t))'/><bond from='x' to='m'/><bond from='x' to='r'/><bond "
                          "from='s' to='x'/></network>",
                          "auto", 1e-8);
  const double start = acos(0.02 / 2.02);
  advance(&r, 3);
  assert_near(value(&r, "m.f"), 0.02 * (3 - start) - 2.02 * (sin(3) - sin(start)), 1e-6);
  assert_in_range(ledger_of(&r)->work.steps, 1, 15000);
  assert_closes(&r);
  stop(&r);
}

/** The same as an effort that a signal gives, and at other tolerances. */
static void sharp_signals_creep(void **state) {
  (void)state;
  static const double rtols[] = {1e-5, 1e-8, 1e-10};
  for (int i = 0; i < 3; i++) {
    run r = start_by_method(
        "<network domain='translation'><J1 id='x'/><I id='m' mass='1 kg' p0='1 N.s'/>"
        "<C id='k' c='0.1 m/N'/><signal id='w' of='m.f'/><Se id='r' "
        "effort='-2[N]*w/sqrt(w^2 + (10[nm/s])^2)'/><bond from='x' to='m'/><bond from='x' "
        "to='k'/><bond from='r' to='x'/></network>",
        "auto", rtols[i]);
    advance(&r, 20);
    assert_near(value(&r, "k.q"), 0.17416539002600137, fmax(1e-10, 100 * rtols[i] * 0.174));
    assert_in_range(ledger_of(&r)->work.steps, 1, 1500);
    assert_closes(&r);
    stop(&r);
  }
}

/** From rest under 1 - cos(t), beside sqrt(v), whose slope is infinite there: m v' = F - c sqrt(v). Nothing at the start tells the sizes to come, but
 *  the crest of the force does. The values are those of s = sqrt(v), s' = (F - s)/(2 s), by an implicit Runge-Kutta method from the series of
 *  s + 2 s s' = F at t = 0.02 s and at t = 0.05 s, which agree to 1e-15. */
static void roots_are_followed_from_rest(void **state) {
  (void)state;
  static const char *const forces[] = {"1[N]*(1-cos(t/1[s]))", "1[N] - 1[N]*cos(t/1[s])",
                                       "2[N]*sin(t/2[s])^2"};
  for (size_t i = 0; i < sizeof forces / sizeof *forces; i++) {
    char text[600];
    (void)snprintf(text, sizeof text,
                   "<network domain='translation'><Se id='s' effort='%s'/><I id='m' mass='1 kg'/>"
                   "<R id='r' law='1[N]*sqrt(abs(f)/1[m/s])*sign(f)'/><J1 id='j'/><bond from='s' "
                   "to='j'/><bond from='j' to='m'/><bond from='j' to='r'/></network>",
                   forces[i]);
    run r = prepare_inside(text);
    sb_options options = sb_options_defaults();
    options.max_steps = 2000;
    start_by(&r, &options);
    advance(&r, 1);
    assert_near_relative(value(&r, "m.p"), 0.06399437201983, 1e-8);
    stop(&r);
  }
}

/** A resistor and a capacitor, 25 us, at a sine of 1 Hz: explicit steps stay at h/tau = 1.8 for all of the run, and implicit ones are 14 times
 *  longer. u = A (sin(w t) - w tau (cos(w t) - exp(-t/tau)))/(1 + (w tau)^2). */
static void slow_source_of_a_fast_circuit(void **state) {
  (void)state;
  const double w = 2 * acos(-1), tau = 25e-6, t = 0.7;
  run r = start_by_method("<network domain='electric'><Se id='V' effort='5[V]*sin(2*pi*1[Hz]*t)'/>"
                          "<J1 id='j'/><R id='R' r='10 ohm'/><C id='C' c='2.5 uF'/><bond from='V' "
                          "to='j'/><bond from='j' to='R'/><bond from='j' to='C'/></network>",
                          "auto", 1e-8);
  advance(&r, t);
  assert_near(value(&r, "C.e"), 5 * (sin(w * t) - w * tau * cos(w * t)) / (1 + w * w * tau * tau),
              100e-8 * 5);
  assert_in_range(ledger_of(&r)->work.steps, 0, 1500); // explicit ones: 15,000
  assert_closes(&r);
  stop(&r);
}

/** Three balanced phases through coils to a neutral of 1 nF: it swings at 3.9e5 rad/s by some tolerances, beside currents that go on by
 *  thousands of them in a step, straight on. The neutral is at zero, i = U/|Z| (sin(w t - b - c) + sin(b + c) exp(-R t/L)), tan c = w L/R,
 *  where the source is U sin(w t - b). */
static void coils_to_a_light_neutral(void **state) {
  (void)state;
  const double w = 2 * acos(-1) * 50, R = 10, L = 20e-3, U = 325, t = 0.087;
  char text[2000] = "<network domain='electric'><J0 id='n'/><C id='C' c='1 nF'/>"
                    "<bond from='n' to='C'/>";
  for (int k = 0; k < 3; k++) {
    const size_t n = strlen(text);
    (void)snprintf(
        text + n, sizeof text - n,
        "<Se id='V%d' effort='325[V]*sin(2*pi*50[Hz]*t - %d*2*pi/3)'/><J1 id='p%d'/>"
        "<R id='R%d' r='10 ohm'/><I id='L%d' l='20 mH'/><bond from='V%d' to='p%d'/>"
        "<bond from='p%d' to='R%d'/><bond from='p%d' to='L%d'/><bond from='p%d' to='n'/>",
        k, k, k, k, k, k, k, k, k, k, k, k);
  }
  strcat(text, "</network>");
  run r = start_by_method(text, "auto", 1e-6);
  advance(&r, t);
  const double Z = hypot(R, w * L), c = atan2(w * L, R);
  for (int k = 0; k < 3; k++) {
    char flow[] = "L0.f";
    flow[1] = (char)('0' + k);
    const double b = k * 2 * acos(-1) / 3;
    assert_near(value(&r, flow), U / Z * (sin(w * t - b - c) + sin(b + c) * exp(-R * t / L)),
                100e-6 * U / Z);
  }
  assert_in_range(ledger_of(&r)->work.steps, 0, 5000); // explicit ones: 27,000
  assert_closes(&r);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sharp_dampers_creep),
      cmocka_unit_test(sharp_signals_creep),
      cmocka_unit_test(sharp_dampers_are_no_crawl),
      cmocka_unit_test(sharp_dampers_from_rest),
      cmocka_unit_test(roots_are_followed_from_rest),
      cmocka_unit_test(slow_source_of_a_fast_circuit),
      cmocka_unit_test(coils_to_a_light_neutral),
      repeating_test(sharp_dampers_break_loose),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
