// SPDX-License-Identifier: GPL-3.0-or-later
// The surface that recovers behind a release: its relaxation in closed form, what the ledger books for it, and the bounces of a
// ball that meets it again before it has recovered, against the closed forms of each phase.
#include "tests/fixture.h"

#include "contact/expressed.h"
#include "contact/recovery.h"

enum { SIZE = 2500 };

static run falling(const char *law, double g, const char *ball) {
  char inside[SIZE];
  (void)snprintf(inside, sizeof inside,
                 "<laws><contact-law id='l' %s/></laws><mechanism gravity='0 0 %.17g m/s^2'>"
                 "<ground id='floor'><shape kind='plane' normal='0 0 1'/></ground>"
                 "<body id='ball' mass='1 kg' %s><shape kind='sphere' radius='0.1 m'/></body>"
                 "<contact a='floor' b='ball' law='l'/></mechanism>",
                 law, -g, ball);
  return start(inside, 1e-10, 1e-14);
}

/** f' = -f^m by differences, and its closed forms for m = 1, 1/2 and 3. */
static void relaxation(void **state) {
  (void)state;
  static const struct {
    const char *law;
    double n, p, q;
  } cases[] = {{"azad-featherstone", 1.5, 0.5, 1},
               {"lee-wang", 1.5, 1, 1},
               {"power", 3, 0, 1},
               {"power", 2, 0.5, 0.7}};
  for (int i = 0; i < 4; i++) {
    sb_contact_law law = sb_contact_law_defaults();
    law.normal = sb_normal_law_find(cases[i].law);
    law.exponent = cases[i].n;
    law.damping_exponent = cases[i].p;
    law.rate_exponent = cases[i].q;
    const double k = 3e5, b = 210, x_r = 2.3e-3, h = 1e-7;
    sb_recovery r;
    sb_error err = {0};
    ok(sb_recovery_begin(&law, k, b, x_r, 0.4, &r, &err), &err);
    for (double t = 0.4 + 1e-5; t < 0.401; t *= 1.0003) {
      double rate, unused;
      const double x = sb_recovery_depth(&law, &r, t, &rate);
      assert_near(k * pow(x, cases[i].n), b * pow(x, cases[i].p) * pow(-rate, cases[i].q),
                  1e-10 * k * pow(x_r, cases[i].n));
      assert_near(rate,
                  (sb_recovery_depth(&law, &r, t + h, &unused) -
                   sb_recovery_depth(&law, &r, t - h, &unused)) /
                      (2 * h),
                  1e-5 * k / b * x_r);
    }
  }
  sb_contact_law law = sb_contact_law_defaults();
  law.normal = sb_normal_law_find("lee-wang");
  law.exponent = 1.5;
  law.damping_exponent = 1;
  sb_recovery r;
  sb_error err = {0};
  ok(sb_recovery_begin(&law, 100, 2, 0.04, 0, &r, &err), &err); // x = 0.04 (1 - 125 t)^2
  double rate;
  assert_near(sb_recovery_depth(&law, &r, 0.004, &rate), 0.01, 1e-16);
  assert_near(rate, -2 * 0.04 * 125 * 0.5, 1e-14);
  assert_near(sb_recovery_depth(&law, &r, 0.3, &rate), 0, 0);
  assert_near(rate, 0, 0);
}

static sb_contact_law expressed(const char *energy, const char *force) {
  sb_contact_law law = sb_contact_law_defaults();
  sb_error err = {0};
  law.normal = sb_normal_law_find("expression");
  ok(sb_contact_law_complete(&law, NULL, &err), &err);
  ok(sb_param_express(sb_param_find(sb_contact_law_params, "energy"), &law, energy, &err), &err);
  ok(sb_param_express(sb_param_find(sb_contact_law_params, "damping-force"), &law, force, &err),
     &err);
  return law;
}

/** By expression: closed forms for m = 1, 1/2 and 3, and k x = B sinh(-x'/w), whose x' = -w asinh(k x/B) is compared, and its x by the
 *  sum of small Runge-Kutta steps. Counted anew from anywhere it goes on. */
static void relaxation_by_expression(void **state) {
  (void)state;
  static const struct {
    const char *energy, *force;
    double m, c; // x' = -c x^m
  } cases[] = {{"4e3*z^2.5/2.5", "2*z^0.5*zd", 1, 2000},
               {"4e3*z^2.5/2.5", "2*z*zd", 0.5, 2000},
               {"5e6*z^4/4", "30*zd", 3, 5e6 / 30.0}};
  const double x_r = 2.3e-3, t_r = 0.4;
  for (int i = 0; i < 3; i++) {
    sb_contact_law law = expressed(cases[i].energy, cases[i].force);
    const double m = cases[i].m, pace = cases[i].c * pow(x_r, m - 1);
    sb_recovery r;
    sb_error err = {0};
    ok(sb_recovery_begin(&law, 0, 0, x_r, t_r, &r, &err), &err);
    for (double y = 0.01; y < 1.7; y += 0.17) {
      double rate;
      const double x = sb_recovery_depth(&law, &r, t_r + y / pace, &rate);
      const double exact = x_r * (m == 1 ? exp(-y) : pow(1 + (m - 1) * y, -1 / (m - 1)));
      assert_near(x, exact, 1e-12 * x_r);
      assert_near(rate, -cases[i].c * pow(exact, m), 1e-11 * pace * x_r);
      if (y > 1) {
        sb_recovery_accept(&law, &r, t_r + (y - 0.05) / pace);
      }
    }
    double rate;
    const double late = sb_recovery_depth(&law, &r, t_r + 2.4 / pace, &rate);
    assert_near(late, m == 1 ? x_r * exp(-2.4) : m == 3 ? x_r / sqrt(5.8) : 0, 1e-12 * x_r);
    sb_contact_law_finish(&law);
  }
  sb_contact_law law = expressed("0.5*2e4*z^2", "3*sinh(zd/0.4)");
  sb_recovery r;
  sb_error err = {0};
  ok(sb_recovery_begin(&law, 0, 0, x_r, 0, &r, &err), &err);
  const double h = 1e-6;
  double x = x_r, rate;
  for (int i = 0; i < 2000; i++) {
    const double a = -0.4 * asinh(2e4 * x / 3), b = -0.4 * asinh(2e4 * (x + h / 2 * a) / 3),
                 c = -0.4 * asinh(2e4 * (x + h / 2 * b) / 3),
                 d = -0.4 * asinh(2e4 * (x + h * c) / 3);
    x += h / 6 * (a + 2 * b + 2 * c + d);
  }
  assert_near(sb_recovery_depth(&law, &r, 2e-3, &rate), x, 1e-13 * x_r);
  assert_near(rate, -0.4 * asinh(2e4 * x / 3), 1e-11);
  sb_contact_law_finish(&law);
}

/** A ball on foam that is written as an expression bounces as on foam of the same law by name. */
static void expression_bounces_alike(void **state) {
  (void)state;
  static const char *const laws[2][2] = {
      {"normal='lee-wang' stiffness='4e4 N/m^(3/2)' damping='4e3 N.s/m^2'",
       "normal='expression' energy='4e4[N/m^(3/2)]*z^2.5/2.5' damping-force='4e3[N.s/m^2]*z*zd'"},
      {"normal='linear' stiffness='1 kN/m' damping='20 N.s/m'",
       "normal='expression' energy='500[N/m]*z^2' damping-force='20[N.s/m]*zd'"}};
  for (int i = 0; i < 2; i++) {
    run r[2];
    for (int k = 0; k < 2; k++) {
      char law[300];
      (void)snprintf(law, sizeof law, "%s recovery='yes'", laws[i][k]);
      r[k] = falling(law, 3, "position='0 0 0.11 m' velocity='0 0 -0.29 m/s'");
      advance(&r[k], 0.9);
      assert_balanced(&r[k]);
    }
    assert_true(ledger_of(&r[0])->event_count >= 3);
    assert_int_equal(ledger_of(&r[0])->event_count, ledger_of(&r[1])->event_count);
    for (int k = 0; k < ledger_of(&r[0])->event_count; k++) {
      assert_near(ledger_of(&r[0])->events[k].t, ledger_of(&r[1])->events[k].t, 1e-8);
    }
    assert_near(component(&r[0], "ball.position", 2), component(&r[1], "ball.position", 2), 1e-9);
    assert_near(value(&r[0], "contact(floor,ball)/damper.lost"),
                value(&r[1], "contact(floor,ball)/damper.lost"), 1e-8);
    stop(&r[0]);
    stop(&r[1]);
  }
}

/** Below the depth k/c a damping of at most c z^2 cannot hold the spring's k z: such are refused where a body lets go. */
static void no_speed_is_large_enough(void **state) {
  (void)state;
  sb_contact_law law = expressed("0.5*2e4*z^2", "4e7*z^2*tanh(zd/0.1)");
  sb_recovery r;
  sb_error err = {0};
  assert_int_equal(sb_recovery_begin(&law, 0, 0, 1e-3, 0, &r, &err), SB_ERR_CONTACT);
  assert_contains(err.text, "no speed makes the damping of the law 'expression' as large as the ");
  sb_contact_law_finish(&law);
  run ball = falling( // it lets go at a depth of about 1 mm, where the damping is at its largest
      "normal='expression' energy='1e4[N/m]*z^2' recovery='yes' "
      "damping-force='400[N]*tanh(zd/0.1[m/s])*exp(-((z/1[mm] - 1)/0.2)^2)'",
      0, "position='0 0 0.11 m' velocity='0 0 -2 m/s'");
  err = (sb_error){0};
  assert_int_equal(sb_simulation_run(ball.sim, 1, 0, NULL, NULL, &err), SB_ERR_CONTACT);
  assert_contains(err.text, "contact(floor,ball)");
  assert_contains(err.text, "recovery: at the depth ");
  stop(&ball);
}

/** Kelvin and Voigt's law without gravity: it lets go at z = v exp(-zeta T) sin(w T)/(w w0) as in seed formulas, and from there on
 *  the spring's energy falls by exp(-2 k/b t), all of it dissipated. */
static void spring_relaxes(void **state) {
  (void)state;
  const double k = 1000, b = 20, v = 0.7, w0 = sqrt(k), zeta = b / (2 * w0),
               w = sqrt(1 - zeta * zeta);
  const double tau = atan2(2 * zeta * w, 2 * zeta * zeta - 1) / w, touch = 0.01 / v;
  const double z = v / w0 * exp(-zeta * tau) * sin(w * tau) / w, t_r = touch + tau / w0;
  const double e = exp(-zeta * tau) * (zeta * sin(w * tau) / w - cos(w * tau));
  run r = falling("normal='linear' stiffness='1 kN/m' damping='20 N.s/m' recovery='yes'", 0,
                  "position='0 0 0.11 m' velocity='0 0 -0.7 m/s'");
  for (double t = t_r + 0.003; t < t_r + 0.1; t += 0.013) {
    advance(&r, t);
    assert_int_equal(value(&r, "contact(floor,ball).touches"), 0);
    assert_near(value(&r, "contact(floor,ball).normal-force"), 0, 0);
    assert_near(value(&r, "contact(floor,ball)/elastic.energy"),
                0.5 * k * z * z * exp(-2 * k / b * (t - t_r)), 1e-11);
    assert_near(component(&r, "ball.velocity", 2), e * v, 1e-10);
    assert_near(value(&r, "contact(floor,ball)/damper.lost") +
                    value(&r, "contact(floor,ball)/elastic.energy"),
                0.5 * v * v * (1 - e * e), 1e-10);
  }
  assert_balanced(&r);
  for (int i = 0; i < ledger_of(&r)->event_count; i++) {
    assert_near(ledger_of(&r)->events[i].loss, 0, 1e-15);
  }
  stop(&r);
}

// ---- bounces on a surface that has not recovered

/** m z'' = m g - k z - b z' from (z, u), after a time t; zeta < 1. */
static void pressed(double g, double k, double b, double t, double *z, double *u) {
  const double rest = g / k, a = b / 2, w = sqrt(k - a * a), c = *z - rest, s = (*u + a * c) / w;
  const double fall = exp(-a * t);
  *z = rest + fall * (c * cos(w * t) + s * sin(w * t));
  *u = fall * (-a * (c * cos(w * t) + s * sin(w * t)) + w * (s * cos(w * t) - c * sin(w * t)));
}

typedef struct phase {
  bool touching;
  double g, k, b, z, u; // where it began
} phase;

/** Above zero while it lasts: the force, or the distance to the surface. */
static double lasts(const phase *p, double t) {
  double z = p->z, u = p->u;
  if (p->touching) {
    pressed(p->g, p->k, p->b, t, &z, &u);
    return p->k * z + p->b * u;
  }
  return z * exp(-p->k / p->b * t) - (z + u * t + p->g * t * t / 2);
}

/** The end of a phase, behind its first 50 us. */
static double end_of(const phase *p) {
  const double step = 1e-5;
  double low = 5 * step;
  while (lasts(p, low + step) > 0 && low < 2) {
    low += step;
  }
  double high = low + step;
  for (int i = 0; i < 60; i++) {
    const double t = 0.5 * (low + high);
    *(lasts(p, t) > 0 ? &low : &high) = t;
  }
  return low;
}

static void meets_it_again(void **state) {
  (void)state;
  const double g = 0.3, k = 1000, b = 20, v = 0.3;
  phase p = {true, g, k, b, 0, v};
  run r =
      falling("normal='linear' stiffness='1 kN/m' damping='20 N.s/m' recovery='yes'", g,
              "position='0 0 0.11 m' velocity='0 0 -0.2898275349237888 m/s'"); // v where it touches
  double times[6], t = (v - 0.2898275349237888) / g;
  for (int i = 0; i < 6; i++) {
    const double lasted = end_of(&p);
    if (p.touching) {
      pressed(g, k, b, lasted, &p.z, &p.u);
    } else {
      p.z += p.u * lasted + g * lasted * lasted / 2;
      p.u += g * lasted;
    }
    p.touching = !p.touching;
    times[i] = t += lasted;
  }
  advance(&r, times[5] + 1e-3);
  const sb_ledger *ledger = ledger_of(&r);
  int count = 0;
  assert_true(times[5] - times[4] < 3 * b / k); // while it recovers
  for (int i = 0; i < ledger->event_count; i++) {
    if (count > 0 && count <= 6) {
      assert_near(ledger->events[i].t, times[count - 1], 1e-9);
      assert_string_equal(ledger->events[i].kind, count % 2 == 1 ? "release" : "touch");
    }
    count++;
  }
  assert_int_equal(count, 7);
  assert_balanced(&r);
  stop(&r);
}

/** With every friction and with springs of the tangent plane, which a release relaxes. */
static void goes_with_every_friction(void **state) {
  (void)state;
  static const char *const laws[] = {
      "normal='azad-featherstone' stiffness='1e6 N/m^(3/2)' damping='3e3 N.s/m^(3/2)'",
      "normal='lee-wang' stiffness='1e6 N/m^(3/2)' damping='3e4 N.s/m^2' friction='coulomb' "
      "mu='0.3'",
      "normal='power' exponent='2' damping-exponent='0.5' stiffness='1e7 N/m^2' damping='900 "
      "N.s/m^(3/2)' friction='stribeck' "
      "mu-kinetic='0.3' v-stribeck='0.1 m/s'",
      "normal='linear' stiffness='20 kN/m' damping='90 N.s/m' rolling-friction='1 mm' "
      "friction='bristle-dwell' mu-kinetic='0.3' "
      "sigma0='1e4 N/m' sigma1='1e3 N.s/m' v-stribeck='0.1 m/s' tau-dwell='10 ms'"};
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
    char inside[SIZE];
    (void)snprintf(
        inside, sizeof inside,
        "<materials><material id='m' stiffness='20 20 0 kN/m' normal-stiffness='1 "
        "N/m%s'/></materials>"
        "<laws><contact-law id='l' recovery='yes' %s/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
        "<ground id='floor'><shape kind='plane' normal='0 0 1'/></ground>"
        "<body id='ball' mass='0.2 kg' inertia='4e-4 4e-4 4e-4' material='m' position='0 0 0.11 m' "
        "velocity='0.4 0.3 -1 m/s' angular-velocity='9 5 3 rad/s'><shape kind='ellipsoid' "
        "semi-axes='0.11 0.1 0.1 m'/></body>"
        "<contact a='floor' b='ball' law='l'/></mechanism>",
        i < 2    ? "^(3/2)"
        : i == 2 ? "^2"
                 : "",
        laws[i]);
    run r = start(inside, 1e-9, 1e-12);
    advance(&r, 0.25);
    assert_true(ledger_of(&r)->event_count > 1);
    assert_balanced(&r);
    stop(&r);
  }
}

/** Without damping the force of a spring ends where the gap opens: said at its place, and no error. */
static void warns_without_damping(void **state) {
  (void)state;
  static const struct {
    const char *material, *law;
    int warnings;
  } rows[] = {
      {"", "normal='linear' stiffness='1 N/m' recovery='yes'", 1},
      {"", "normal='linear' stiffness='1 N/m'", 0},
      {"", "normal='linear' stiffness='1 N/m' damping='1 N.s/m' recovery='yes'", 0},
      {"", "normal='gonthier' stiffness='1 N/m^(3/2)' restitution='0.5' recovery='yes'", 0},
      {"damping='0 0 1 N.s/m'", "normal='linear' recovery='yes'", 0},
      {"damping='0 0 1 N.s/m'", "normal='expression' energy='1[N/m]*z^2' recovery='yes'", 1},
      {"", "normal='expression' energy='1[N/m]*z^2' damping-force='1[N.s/m]*zd' recovery='yes'",
       0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char whole[SIZE];
    (void)snprintf(
        whole, sizeof whole,
        "<screwbond version='1' id='m'><materials><material id='a' stiffness='0 0 1 N/m' "
        "%s/></materials>\n<laws><contact-law id='l' %s/></laws><run t-end='1 s'/></screwbond>",
        rows[i].material, rows[i].law);
    sb_netlist *netlist = read_netlist(whole, NULL, 0);
    assert_int_equal(netlist->warnings.count, rows[i].warnings);
    if (rows[i].warnings > 0) {
      assert_contains(netlist->warnings.items[0].text,
                      "recovery is without effect: the law has no damping");
      assert_int_equal(netlist->warnings.items[0].line, 2);
      assert_true(netlist->warnings.items[0].column > 40);
    }
    sb_netlist_destroy(netlist);
  }
}

static void faults(void **state) {
  (void)state;
  static const char *const bad[][3] = {
      {"normal='linear' clamp='no' recovery='yes'",
       "recovery begins where the force ends: it needs clamp=\"yes\""},
      {"normal='potential' energy='1[N/m]*z^2' recovery='yes'",
       "recovery is without effect with normal=\"potential\""},
      {"normal='linear' recovery='1'", "the recovery of the law 'linear' cannot be '1'"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char whole[SIZE];
    sb_netlist *netlist = NULL;
    sb_errors errors = {0};
    (void)snprintf(whole, sizeof whole,
                   "<screwbond version='1' id='m'><laws><contact-law id='l' %s/></laws><run "
                   "t-end='1 s'/></screwbond>",
                   bad[i][0]);
    (void)sb_netlist_parse("m.xml", whole, strlen(whole), NULL, 0, &netlist, &errors);
    assert_int_equal(errors.count, 1);
    assert_contains(errors.items[0].text, bad[i][1]);
    sb_errors_finish(&errors);
    sb_netlist_destroy(netlist);
  }
  sb_contact_law law = sb_contact_law_defaults();
  const char *about;
  sb_error err = {0};
  law.normal = sb_normal_law_find("potential");
  law.recovers = true;
  assert_int_equal(sb_contact_law_complete(&law, &about, &err), SB_ERR_ATTRIBUTE);
  assert_string_equal(err.text,
                      "recovery is not for the law 'potential': its force lasts until the "
                      "gap opens, and nothing is left to recover");
  assert_string_equal(about, "recovery");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(relaxation),
      cmocka_unit_test(spring_relaxes),
      cmocka_unit_test(meets_it_again),
      repeating_test(goes_with_every_friction),
      cmocka_unit_test(relaxation_by_expression),
      repeating_test(expression_bounces_alike),
      cmocka_unit_test(no_speed_is_large_enough),
      cmocka_unit_test(warns_without_damping),
      cmocka_unit_test(faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
