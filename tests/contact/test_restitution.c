// SPDX-License-Identifier: GPL-3.0-or-later
// Restitution of the normal laws: closed forms, limits of small damping, the scaling laws, and the same numbers
// from whole runs of a ball against a floor.
#include "tests/fixture.h"

#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sf_lambert.h>

#include "contact/expressed.h"
#include "contact/impact.h"
#include "contact/restitution.h"

static sb_contact_law law_of(const char *name, double damping, double restitution) {
  sb_contact_law law = sb_contact_law_defaults();
  sb_error err = {0};
  law.normal = sb_normal_law_find(name);
  assert_non_null(law.normal);
  law.stiffness = 83500;
  law.damping = damping;
  law.restitution = restitution;
  ok(sb_contact_law_complete(&law, NULL, &err), &err);
  return law;
}

static sb_contact_law power_law(double n, double p, double q) {
  sb_contact_law law = sb_contact_law_defaults();
  law.normal = sb_normal_law_find("power");
  law.exponent = n;
  law.damping_exponent = p;
  law.rate_exponent = q;
  law.stiffness = 83500;
  return law;
}

static double restitution_of(const sb_contact_law *law, double G) {
  double e = 0;
  sb_error err = {0};
  ok(sb_impact_restitution_of(law, G, &e, &err), &err);
  return e;
}

/** (1 + d/e)/(1 - d) = exp(d (1 + 1/e)) by its logarithm; e back by Lambert's function; and the limits. */
static void damping_of_a_restitution(void **state) {
  (void)state;
  for (double e = 0.03; e < 1; e += 0.0097) {
    const double s = sb_impact_damping(e), d = s * e;
    assert_true(d > 1 - e && d < 1);
    assert_near((1 + s) * exp(-s - d) - 1, -d, 1e-15);
    const double x = -(1 + s) * exp(-(1 + s));
    assert_near((1 + gsl_sf_lambert_W0(x)) / s, e, 1e-12);
    assert_near(sb_impact_restitution(s), e, 1e-14);
  }
  assert_near(sb_impact_damping(1), 0, 0);
  assert_near(sb_impact_restitution(0), 1, 0);
  assert_near_relative(sb_impact_damping(1 - 1e-9), 1.5e-9, 1e-7); // d = (3/2) (1 - e)
  assert_near_relative(1 - sb_impact_restitution(1e-6), 2e-6 / 3, 1e-5);
  assert_near(sb_impact_damping(0.01), 100, 1e-12); // 1 - d is 1e-42
  assert_near(sb_impact_restitution(100), 0.01, 1e-16);
}

/** k z + b zd = 0 ends the contact of Kelvin and Voigt. */
static double kelvin_voigt(double zeta) {
  const double w = sqrt(fabs(1 - zeta * zeta)), y = 2 * zeta * w, x = 2 * zeta * zeta - 1;
  const double tau = zeta < 1 ? atan2(y, x) / w : atanh(y / x) / w;
  return exp(-zeta * tau) * (zeta < 1 ? zeta * sin(w * tau) / w - cos(w * tau)
                                      : zeta * sinh(w * tau) / w - cosh(w * tau));
}

static void closed_forms(void **state) {
  (void)state;
  const double zetas[] = {1e-6, 0.031, 0.17, 0.46, 0.83, 1.37, 3};
  const sb_contact_law linear = law_of("kelvin-voigt", 0, NAN);
  for (int i = 0; i < 7; i++) { // G = b/sqrt(m k) = 2 zeta
    assert_near(restitution_of(&linear, 2 * zetas[i]), kelvin_voigt(zetas[i]), 1e-11);
  }
  const double G[] = {0, 1e-4, 0.047, 0.31, 1.42, 5.3, 30};
  for (int i = 0; i < 7;
       i++) { // p so near to n that the integration has to find what is closed for p = n
    for (double n = 1; n < 3; n += 0.5) {
      const sb_contact_law near_ = power_law(n, n * (1 - 1e-15), 1);
      assert_near(restitution_of(&near_, G[i]), sb_impact_restitution(G[i]), 1e-11);
    }
  }
}

/** 1 - e = 2 I G + O(G^2), I = ((n+1)/2)^c B(c, 3/2)/(n+1), c = (p+1)/(n+1); the second order is taken off. */
static void small_damping(void **state) {
  (void)state;
  static const double powers[][2] = {{1, 0}, {1.5, 0.5}, {1.5, 1}, {1.5, 1.5}, {1.5, 2.2}, {2, 1}};
  const double G = 1e-4;
  for (int i = 0; i < 6; i++) {
    const double n = powers[i][0], p = powers[i][1], c = (p + 1) / (n + 1);
    const double I = pow((n + 1) / 2, c) / (n + 1) * gsl_sf_beta(c, 1.5);
    const sb_contact_law law = power_law(n, p, 1);
    const double one = 1 - restitution_of(&law, G), two = 1 - restitution_of(&law, 2 * G);
    assert_near_relative((4 * one - two) / 2, 2 * I * G, 3e-6);
  }
}

/** The damping for a wanted e gives it back; (alpha^-(n+1) k, alpha^-(p+1) b) keep it. */
static void wanted_restitution(void **state) {
  (void)state;
  static const char *const names[] = {"kelvin-voigt", "hunt-crossley", "lee-wang",
                                      "azad-featherstone"};
  sb_error err = {0};
  for (int i = 0; i < 4; i++) {
    for (double e = 0.05; e < 1; e += 0.15) {
      sb_contact_law law = law_of(names[i], 0, NAN);
      const double m = 0.2385, v = 1.73, alpha = 0.37;
      ok(sb_impact_damping_for(&law, m, v, e, &law.damping, &err), &err);
      const double G = sb_impact_group(&law, m, v);
      assert_near(restitution_of(&law, G), e, 1e-11);
      sb_contact_law scaled = law;
      scaled.stiffness *= pow(alpha, -law.exponent - 1);
      scaled.damping *= pow(alpha, -law.damping_exponent - 1);
      assert_near_relative(sb_impact_group(&scaled, m, v), G, 1e-13);
    }
  }
  sb_contact_law law = law_of("kelvin-voigt", 0, NAN);
  double b;
  assert_int_equal(sb_impact_damping_for(&law, 1, 1, 1.2, &b, &err), SB_ERR_RANGE);
  assert_string_equal(err.text, "a restitution is above 0 and at most 1: it is 1.2");
}

static double restitution_at(const sb_contact_law *law, double m, double v, double factor) {
  double e = 0;
  sb_error err = {0};
  ok(sb_impact_restitution_at(law, m, v, factor, &e, &err), &err);
  return e;
}

/** A law by an energy, to be freed by sb_contact_law_finish(). */
static sb_contact_law by_energy(const char *name, const char *energy, const char *force) {
  sb_contact_law law = sb_contact_law_defaults();
  sb_error err = {0};
  law.normal = sb_normal_law_find(name);
  ok(sb_contact_law_complete(&law, NULL, &err), &err);
  ok(sb_param_express(sb_param_find(sb_contact_law_params, "energy"), &law, energy, &err), &err);
  if (force != NULL) {
    ok(sb_param_express(sb_param_find(sb_contact_law_params, "damping-force"), &law, force, &err),
       &err);
  }
  return law;
}

/** Written as expressions the laws of powers have the same e, and so has A (cosh(z/L) - 1) with A/L sinh(z/L) c zd |zd|
 *  that of its closed form, 1/sqrt(1 + c v^2): du/dz = V'(z) (1 +- c u)/(m/2) of u = zd^2 gives ln(1 + c v^2) = -ln(1 - c e^2 v^2). */
static void laws_by_expression(void **state) {
  (void)state;
  static const struct {
    const char *energy, *force;
    double n, p, q, b;
  } laws[] = {{"41750*z^2", "71*zd", 1, 0, 1, 71},
              {"33400*z^2.5", "16700*z^1.5*zd", 1.5, 1.5, 1, 16700},
              {"33400*z^2.5", "5000*z*zd", 1.5, 1, 1, 5000},
              {"33400*z^2.5", "700*sqrt(z)*zd", 1.5, 0.5, 1, 700},
              {"83500/2.2*z^2.2", "900*z^0.8*zd*abs(zd)^0.4", 1.2, 0.8, 1.4, 900},
              {"33400*z^2.5", "1e9*z^2.5*zd", 1.5, 2.5, 1,
               1e9}}; // it flies where the damping is, and is pushed again
  for (int i = 0; i < 6; i++) {
    sb_contact_law row = power_law(laws[i].n, laws[i].p, laws[i].q);
    row.damping = laws[i].b;
    sb_contact_law law = by_energy("expression", laws[i].energy, laws[i].force);
    for (double v = 1e-4; v < 200; v *= 31) {
      const double e = restitution_of(&row, sb_impact_group(&row, 0.2385, v));
      assert_near(restitution_at(&row, 0.2385, v, 1), e, 0);
      assert_near(restitution_at(&law, 0.2385, v, 1), e, 1e-9);
    }
    sb_contact_law_finish(&law);
  }
  sb_contact_law buffer =
      by_energy("expression", "2*(cosh(z/0.003) - 1)", "2/0.003*sinh(z/0.003)*0.7*zd*abs(zd)");
  for (double v = 1e-2; v < 10; v *= 3) {
    assert_near(restitution_at(&buffer, 1.3, v, 1), 1 / sqrt(1 + 0.7 * v * v), 1e-10);
    assert_near(restitution_at(&buffer, 1.3, v, 3), 1 / sqrt(1 + 2.1 * v * v), 1e-10);
  }
  double factor;
  sb_error err = {0};
  ok(sb_impact_damping_for(&buffer, 1.3, 2.1, 0.6, &factor, &err), &err);
  assert_near_relative(factor, (1 / 0.36 - 1) / (0.7 * 2.1 * 2.1), 1e-9);
  sb_contact_law_finish(&buffer);
}

/** A potential is not clamped: with b of the materials e = exp(-pi zeta/sqrt(1 - zeta^2)), zeta = b/(2 sqrt(m k)). */
static void potentials(void **state) {
  (void)state;
  sb_contact_law law = by_energy("potential", "41750*z^2*(1 + 30*x) + 7*y^2 + 0.1*theta^2", NULL);
  double b;
  sb_error err = {0};
  assert_near(restitution_at(&law, 0.2385, 0.7, 1), 1, 1e-12);
  law.damping = 71;
  const double zeta = 71 / (2 * sqrt(0.2385 * 83500));
  assert_near(restitution_at(&law, 0.2385, 0.7, 1), exp(-acos(-1) * zeta / sqrt(1 - zeta * zeta)),
              1e-11);
  ok(sb_impact_damping_for(&law, 0.2385, 0.7, 0.3, &b, &err), &err);
  const double ratio = log(0.3) / acos(-1);
  assert_near_relative(b, -2 * sqrt(0.2385 * 83500) * ratio / sqrt(1 + ratio * ratio), 1e-10);
  assert_int_equal(sb_impact_restitution_of(&law, 1, &b, &err), SB_ERR_CHOICE);
  assert_string_equal(err.text, "the law 'potential' is not one of powers");
  assert_int_equal(sb_impact_restitution_at(&law, 1, -1, 1, &b, &err), SB_ERR_RANGE);
  sb_contact_law_finish(&law);
  law = by_energy("expression", "3*tanh(z^2)", NULL);
  assert_int_equal(sb_impact_restitution_at(&law, 1, 3, 1, &b, &err), SB_ERR_RANGE);
  assert_string_equal(
      err.text, "the spring of the law 'expression' never holds the energy of the impact, 4.5 J");
  sb_contact_law_finish(&law);
}

static const char scene[] =
    "<laws><contact-law id='law' %s/></laws><mechanism>"
    "<body id='ball' mass='0.2385 kg' position='0 0 0.0623 m' velocity='0 0 %.17g m/s'>"
    "<shape kind='sphere' radius='5.23 cm'/></body>"
    "<ground id='floor'><shape kind='plane' normal='0 0 1' offset='0 m'/></ground>"
    "<contact a='floor' b='ball' law='law'/></mechanism>";

/** e of a whole run without gravity, whose balance closes and whose dissipation is never negative. */
static double run_impact(const char *law, double v) {
  char text[2000];
  assert_true(snprintf(text, sizeof text, scene, law, -v) < (int)sizeof text);
  run r = start(text, 1e-11, 1e-13 * fmin(v, 1));
  advance(&r, 0.51 / v);
  sb_simulation_audit(r.sim);
  const double e = component(&r, "ball.velocity", 2) / v;
  const sb_ledger *ledger = ledger_of(&r);
  assert_int_equal(ledger->passivity.violations, 0);
  assert_near(ledger->residual_relative, 0, 1e-9);
  assert_near(ledger->total.dissipated, 0.5 * 0.2385 * v * v * (1 - e * e), 1e-8 * v * v);
  stop(&r);
  return e;
}

static void runs_have_the_restitution(void **state) {
  (void)state;
  static const struct {
    const char *name, *attributes;
    double b;
  } laws[] = {
      {"kelvin-voigt", "normal='kelvin-voigt' stiffness='83500 N/m' damping='71 N.s/m'", 71},
      {"hunt-crossley",
       "normal='hunt-crossley' exponent='1.5' stiffness='83500 N/m^(3/2)' "
       "damping='16700 N.s/m^(5/2)'",
       16700},
      {"lee-wang", "normal='lee-wang' stiffness='83500 N/m^(3/2)' damping='5000 N.s/m^2'", 5000},
      {"azad-featherstone",
       "normal='azad-featherstone' stiffness='83500 N/m^(3/2)' damping='700 N.s/m^(3/2)'", 700}};
  const double speeds[] = {0.031, 0.42, 3.7};
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 3; j++) {
      sb_contact_law law = law_of(laws[i].name, laws[i].b, NAN);
      if (strcmp(laws[i].name, "hunt-crossley") == 0) {
        law.exponent = law.damping_exponent = 1.5;
      }
      const double G = sb_impact_group(&law, 0.2385, speeds[j]);
      assert_near(run_impact(laws[i].attributes, speeds[j]), restitution_of(&law, G), 1e-8);
    }
  }
}

/** Where the contact ends at the origin of the axes, places tell nothing of the rounding of the gap: the way until then does. A surface that
 *  parts (the clamp) gave power by it. */
static void ends_at_the_origin(void **state) {
  (void)state;
  static const char *const shapes[] = {"kind='point'", "kind='sphere' radius='0.1 m'"};
  for (int k = 0; k < 2; k++) {
    char text[1000];
    (void)snprintf(text, sizeof text,
                   "<laws><contact-law id='soft' normal='linear' stiffness='1e6 N/m' damping='100 "
                   "N.s/m'/></laws><mechanism gravity='0 0 -9.81 m/s^2'><ground id='floor'><shape "
                   "kind='plane' normal='0 0 1' offset='0 m'/></ground><body id='b' mass='1 kg' "
                   "inertia='0.01 0.011 0.012 kg.m^2' position='0 0 0.5 m'><shape %s/></body>"
                   "<contact a='floor' b='b' law='soft'/></mechanism>",
                   shapes[k]);
    run r = start(text, 1e-8, 1e-10);
    advance(&r, PLAIN ? 3 : 2);
    assert_int_equal(ledger_of(&r)->passivity.violations, 0);
    assert_true(ledger_of(&r)->event_count > 4);
    stop(&r);
  }
}

/** Gonthier's law gives e itself at any speed, the two others what their damping means. */
static void runs_with_a_restitution(void **state) {
  (void)state;
  static const char *const names[] = {"gonthier", "flores", "lankarani-nikravesh"};
  const double restitutions[] = {0.02, 0.1, 0.5, 0.9, 1}, speeds[] = {1e-4, 0.031, 3.7, 100};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 5; j++) {
      const double e = restitutions[j];
      const double s[] = {0, 1.6 * (1 - e) / e, 0.75 * (1 - e * e)};
      for (int k = 0; k < 4; k++) {
        char law[300];
        (void)snprintf(law, sizeof law, "normal='%s' stiffness='%g N/m^(3/2)' restitution='%g'",
                       names[i], speeds[k] > 10 ? 1e9 : 83500, e);
        assert_near(run_impact(law, speeds[k]), i == 0 ? e : sb_impact_restitution(s[i]), 1e-9);
      }
    }
  }
}

/** A damping b z zd ends with the gap, which is known to the rounding of places: where it opens, the damper gives no power. */
static void ends_by_rounding(void **state) {
  (void)state;
  for (int i = 0; i < 20; i++) {
    char text[1000];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><laws><contact-law id='l' normal='hunt-crossley' "
        "stiffness='%.17g N/m' exponent='1' friction='none' damping-factor='0.1 s/m'/></laws>"
        "<mechanism gravity='0 0 -9.81 m/s^2'><ground id='f'><shape kind='plane' normal='0 0 1'/>"
        "</ground><body id='b' mass='1 kg' position='0.3 0.2 %.17g m' velocity='1 0.4 0 m/s'>"
        "<shape kind='sphere' radius='0.1 m'/></body><contact id='c' a='f' b='b' law='l'/>"
        "</mechanism><run t-end='1 s' rtol='1e-11'/></screwbond>",
        7e5 * pow(1.2, i), 0.2 + 0.013 * i);
    run r = start_netlist(text);
    advance(&r, 1);
    assert_int_equal(ledger_of(&r)->passivity.violations, 0);
    assert_balanced(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(ends_by_rounding),
      cmocka_unit_test(damping_of_a_restitution),
      cmocka_unit_test(closed_forms),
      cmocka_unit_test(small_damping),
      repeating_test(wanted_restitution),
      repeating_test(laws_by_expression),
      cmocka_unit_test(potentials),
      repeating_test(runs_have_the_restitution),
      repeating_test(runs_with_a_restitution),
      cmocka_unit_test(ends_at_the_origin),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
