// SPDX-License-Identifier: GPL-3.0-or-later
// The normal laws of a contact: the force is the derivative of the stored energy, for every law of the
// table, and the values of the laws by hand.
#include "tests/fixture.h"

#include "contact/expressed.h"

/** An expression of a law, to be freed by sb_contact_law_finish(). */
static void express(sb_contact_law *law, const char *name, const char *text) {
  sb_error err = {0};
  ok(sb_param_express(sb_param_find(sb_contact_law_params, name), law, text, &err), &err);
}

static sb_contact_law law_of(const char *name, double n) {
  sb_contact_law law = sb_contact_law_defaults();
  sb_error err = {0};
  law.normal = sb_normal_law_find(name);
  assert_non_null(law.normal);
  law.exponent = law.normal->free == SB_FIXED_EXPONENTS ? 0 : n;
  law.restitution = law.normal->restitution != NULL ? 0.73 : NAN;
  ok(sb_contact_law_complete(&law, NULL, &err), &err);
  if (law.normal->expressed) {
    express(&law, "energy", "1100*z^2 + 0.3*(cosh(50*z) - 1)");
    express(&law, "damping-force", "93*z*zd*(1 + abs(zd))");
  }
  return law;
}

static void force_is_the_derivative_of_the_energy(void **state) {
  (void)state;
  for (const sb_normal_law *row = sb_normal_laws; row->name != NULL; row++) {
    sb_contact_law law = law_of(row->name, 1.37);
    for (double z = 1e-4; z < 0.1; z *= 7) {
      double force, unused, h = 1e-4 * z;
      (void)sb_contact_law_energy(&law, 2385, z, NULL, &force);
      double rise = sb_contact_law_energy(&law, 2385, z + h, NULL, &unused) -
                    sb_contact_law_energy(&law, 2385, z - h, NULL, &unused);
      assert_near_relative(force, rise / (2 * h), 1e-8);
      assert_true(sb_contact_law_damping(&law, z) > 0);
    }
    assert_true(isfinite(sb_contact_law_pull(&law, 2385, 17, 0, -1)));
    assert_ptr_equal(sb_normal_law_find(row->name), row);
    sb_contact_law_finish(&law);
  }
  assert_null(sb_normal_law_find("plastic"));
}

/** The pull has the sign of the force at any depth and speed. */
static void pull_has_the_sign_of_the_force(void **state) {
  (void)state;
  for (const sb_normal_law *row = sb_normal_laws; row->name != NULL; row++) {
    sb_contact_law law = law_of(row->name, 1.37);
    for (int i = 0; i < 1000; i++) {
      const double z = 1e-3 * (1 + i % 10), zd = 0.01 * (i - 500), k = 2385, b = 311;
      double force;
      (void)sb_contact_law_energy(&law, k, z, NULL, &force);
      force += sb_contact_law_viscous(&law, b, z, zd, NULL);
      if (fabs(force) > 1e-9) {
        assert_true((sb_contact_law_pull(&law, k, b, z, zd) > 0) == (force > 0));
      }
    }
    sb_contact_law_finish(&law);
  }
}

/** A force of the caller's own: V = k (z^2/2 + 40 z^4), damped by 1 + 3 z. */
static double stiffening(const sb_contact_law *law, double k, double z, const sb_branches *branches,
                         double *force) {
  (void)law, (void)branches;
  *force = k * (z + 160 * z * z * z);
  return k * z * z * (0.5 + 40 * z * z);
}

static double thicker(const sb_contact_law *law, double z) {
  (void)law;
  return 1 + 3 * fabs(z);
}

static const sb_normal_law own = {.name = "own", .n = 1, .energy = stiffening, .damping = thicker};

static void laws_by_hand(void **state) {
  (void)state;
  sb_contact_law law = law_of("linear", 0);
  double force;
  assert_near(sb_contact_law_energy(&law, 1700, 0.02, NULL, &force), 0.34, 1e-15);
  assert_near(force, 34, 1e-14);
  assert_near(sb_contact_law_damping(&law, 0.02), 1, 0);
  law = law_of("hunt-crossley", 1.5); // V = 2/5 k z^(5/2), f = k z^(3/2)
  assert_near(sb_contact_law_energy(&law, 1e6, 0.04, NULL, &force), 0.4 * 1e6 * 0.00032, 1e-11);
  assert_near(force, 8000, 1e-9);
  assert_near(sb_contact_law_damping(&law, 0.04), 0.008, 1e-17);
  law = law_of("lee-wang", 0);
  assert_near(sb_contact_law_damping(&law, 0.04), 0.04, 0);
  law = law_of("azad-featherstone", 0);
  assert_near(sb_contact_law_damping(&law, 0.04), 0.2, 1e-16);
  law = law_of("power", 2);
  law.damping_exponent = 0.25;
  law.rate_exponent = 2;
  assert_near(sb_contact_law_damping(&law, 0.0016), 0.2, 1e-15);
  assert_near(sb_contact_law_rate(&law, -3), -9, 1e-14);
  law = sb_contact_law_defaults();
  law.normal = &own;
  assert_near(sb_contact_law_energy(&law, 10, 0.1, NULL, &force), 0.09, 1e-16);
  assert_near(force, 2.6, 1e-15);
  assert_near(sb_contact_law_damping(&law, 0.1), 1.3, 1e-15);
  assert_near(sb_contact_law_viscous(&law, 20, 0.1, -0.7, NULL), -18.2, 1e-14);
  law = law_of("expression", 0); // f = 2200 z + 15 sinh(50 z)
  assert_near(sb_contact_law_energy(&law, NAN, 0.02, NULL, &force), 0.44 + 0.3 * (cosh(1) - 1),
              1e-15);
  assert_near(force, 44 + 15 * sinh(1), 1e-13);
  assert_near(sb_contact_law_viscous(&law, 0, 0.02, -0.7, NULL), -93 * 0.02 * 0.7 * 1.7, 1e-14);
  assert_near(sb_contact_law_viscous(&law, 3, 0.02, -0.7, NULL), -2.1 - 93 * 0.02 * 0.7 * 1.7,
              1e-14);
  sb_contact_law_finish(&law);
}

/** At the touch, where elastic and viscous force vanish alike, the pull tells which of them is the greater. */
static void pull_at_the_touch(void **state) {
  (void)state;
  sb_contact_law law = law_of("expression", 0);
  sb_contact_law_finish(&law);
  express(&law, "energy", "0.4*2385*z^2.5"); // f = k z^1.5 (1 + 0.31 zd)
  express(&law, "damping-force", "2385*0.31*z^1.5*zd");
  for (double z = -1e-12; z < 2e-12; z += 1e-12) {
    assert_near(sb_contact_law_pull(&law, 0, 0, z, 2), 1, 1e-15);
    assert_near(sb_contact_law_pull(&law, 0, 0, z, -2), 0.38 / 1.62, 1e-14);
    assert_near(sb_contact_law_pull(&law, 0, 0, z, -5), -0.55 / 2.55, 1e-14);
  }
  sb_contact_law_finish(&law);
}

/** What contradicts the row is refused, and the parameter that it is about told. */
static void refusals(void **state) {
  (void)state;
  static const struct {
    const char *law;
    double n, p, q, damping, factor, restitution;
    const char *about, *words;
  } bad[] = {{"lee-wang", 2, -1, 1, 0, 0, NAN, "exponent",
              "the exponent of the law 'lee-wang' is always 1.5"},
             {"hunt-crossley", 1.5, 1, 1, 0, 0, NAN, "damping-exponent",
              "the damping-exponent of the law 'hunt-crossley' is always 1.5"},
             {"gonthier", 1.5, -1, 2, 0, 0, 0.5, "rate-exponent",
              "the rate-exponent of the law 'gonthier' is always 1"},
             {"gonthier", 1.5, -1, 1, 0, 0, NAN, NULL,
              "restitution is missing: the law 'gonthier' needs it"},
             {"flores", 1.5, -1, 1, 0, 0, 1.01, "restitution",
              "the restitution of the law 'flores' must be above 0 and at most 1: it is 1.01"},
             {"flores", 1.5, -1, 1, 3, 0, 0.9, "damping",
              "the law 'flores' takes its damping from the restitution: leave out the other"},
             {"kelvin-voigt", 0, -1, 1, 3, 0, 0.9, "restitution",
              "the law 'kelvin-voigt' takes no restitution, but a damping"},
             {"kelvin-voigt", 0, -1, 1, 3, 2, NAN, "damping",
              "damping and damping-factor exclude each other"},
             {"flores", 1.5, -1, 1, 0, 0, 0, "restitution",
              "the restitution of the law 'flores' must be above 0 and at most 1: it is 0"},
             {"lee-wang", 0, -1, 1, -3, 0, NAN, "damping",
              "the damping of the law 'lee-wang' must not be negative: it is -3 N.s/m^2"},
             {"power", 0, 1, 2, 0, 2, NAN, "damping-factor",
              "a damping-factor needs the rate-exponent 1: give damping"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    sb_contact_law law = sb_contact_law_defaults();
    const char *about;
    sb_error err = {0};
    law.normal = sb_normal_law_find(bad[i].law);
    law.exponent = bad[i].n;
    law.damping_exponent = bad[i].p;
    law.rate_exponent = bad[i].q;
    law.damping = bad[i].damping;
    law.damping_factor = bad[i].factor;
    law.restitution = bad[i].restitution;
    assert_true(sb_contact_law_complete(&law, &about, &err) != SB_OK);
    assert_string_equal(err.text, bad[i].words);
    assert_true((about == NULL) == (bad[i].about == NULL));
    if (about != NULL) {
      assert_string_equal(about, bad[i].about);
    }
  }
}

/** The first error of a contact law by `attributes` names what it is of, and its unit.
 *  @param unit  NULL: a pure number */
static void named(const char *law, const char *attributes, const char *owner, const char *unit) {
  char whole[1500];
  sb_netlist *netlist = NULL;
  sb_errors errors = {0};
  const sb_contact_law of = {.normal = sb_normal_law_find(law)};
  const bool lacks = sb_contact_law_by_energy(&of) && strstr(attributes, "energy=") == NULL;
  (void)snprintf(whole, sizeof whole,
                 "<screwbond version='1' id='m'><laws>\n<contact-law id='l' normal='%s' %s "
                 "%s/></laws><run t-end='1 s'/></screwbond>",
                 law, attributes, lacks ? "energy='1[N/m]*z^2'" : "");
  (void)sb_netlist_parse("m.xml", whole, strlen(whole), NULL, 0, &netlist, &errors);
  assert_true(errors.count >= 1);
  const sb_error *err = &errors.items[0];
  char quoted[80];
  (void)snprintf(quoted, sizeof quoted, "'%s'", owner);
  if (strstr(err->text, quoted) == NULL || (unit != NULL && strstr(err->text, unit) == NULL) ||
      err->line != 2 || err->column <= 1) {
    fail_msg("%s %s: %d:%d: %s", law, attributes, err->line, err->column, err->text);
  }
  sb_errors_finish(&errors);
  sb_netlist_destroy(netlist);
}

/** What every law refuses: it names itself, or the friction it is about, and the unit that it expects. */
static void refusals_name_the_law(void **state) {
  (void)state;
  static const char *const sizes[] = {"stiffness", "damping", "damping-factor"};
  for (const sb_normal_law *row = sb_normal_laws; row->name != NULL; row++) {
    const char *name = row->name;
    char attributes[600], unit[SB_CONTACT_LAW_UNIT_SIZE];
    const bool powers = row->energy == NULL && !row->potential && !row->rigid;
    const sb_contact_law law = powers ? law_of(name, 1.5) : (sb_contact_law){.normal = row};
    const char *rest = row->free == SB_FREE_STIFFNESS_EXPONENT ? "exponent='3/2'" : "";
    for (int i = 0; i < 3 && powers; i++) {
      sb_contact_law_unit(&law, sizes[i], unit, sizeof unit);
      const char *e = row->restitution != NULL ? "restitution='0.5'" : "";
      (void)snprintf(attributes, sizeof attributes, "%s %s %s='-1'", rest, e, sizes[i]);
      named(name, attributes, name, unit);
      (void)snprintf(attributes, sizeof attributes, "%s %s %s='1 K'", rest, e, sizes[i]);
      named(name, attributes, name, unit);
    }
    named(name, "restitution='-0.2'", name, NULL);
    named(name, "restitution='1.2'", name, NULL);
    named(name, "restitution='1 m'", name, "pure number");
    named(name, "rolling-friction='-1 mm'", name, " m");
    if (sb_contact_law_by_energy(&law)) {
      named(name, "energy='1[N]*z^2'", name, "J");
      named(name, "energy='1[N/m^3]*z^2'", name, "J");
    }
    if (!row->rigid) {
      named(name, "turning-speed='1 m/s'", name, "rad/s");
      named(name,
            "friction='bristle-dwell' mu-static='0.3' mu-kinetic='0.2' sigma0='1e5 N/m' sigma1='0 "
            "N.s/m' v-stribeck='1 mm/s' tau-dwell='1 s'",
            "bristle-dwell", "N.s/m");
      named(name,
            "friction='bristle-dwell' mu-static='0.3' mu-kinetic='0.2' sigma0='1e5 N' sigma1='1 "
            "N.s/m' v-stribeck='1 mm/s' tau-dwell='1 s'",
            "bristle-dwell", "N/m");
      named(name, "friction='stribeck' mu-static='0.2' mu-kinetic='0.3' v-stribeck='1 mm/s'",
            "stribeck", NULL);
      named(name, "friction='viscous' sigma2='1 N'", "viscous", "N.s/m");
    }
  }
}

/** Cell k of the row of a table in Markdown, without blanks around it; false: there is none. */
static bool cell_of(const char *row, int k, char text[200]) {
  const char *from = row;
  for (int i = 0; i <= k && from != NULL; i++) {
    from = strstr(from + (i > 0), "| ");
  }
  const char *to = from == NULL ? NULL : strstr(from + 1, " | ");
  if (to == NULL || to - from - 2 >= 200 || strcspn(from, "\n") < (size_t)(to - from)) {
    return false;
  }
  (void)snprintf(text, 200, "%.*s", (int)(to - from - 2), from + 2);
  return true;
}

/** The guide's table has a row of every law, with its passivity and the units that its parameters have. */
static void guide_has_the_table(void **state) {
  (void)state;
  char folder[1000], begin[80], cell[200], unit[SB_CONTACT_LAW_UNIT_SIZE], wanted[160];
  source_path(folder, sizeof folder, "docs");
  char *guide = read_file(folder, "guide-laws.md");
  for (const sb_normal_law *row = sb_normal_laws; row->name != NULL; row++) {
    (void)snprintf(begin, sizeof begin, "\n| `%s` |", row->name);
    const char *line = strstr(guide, begin);
    if (line == NULL) {
      print_error("no row of %s\n", row->name);
    }
    assert_non_null(line);
    assert_true(cell_of(line + 1, 4, cell));
    assert_string_equal(cell, row->passivity);
    assert_true(cell_of(line + 1, 2, cell));
    assert_true(row->restitution == NULL || strstr(cell, "`restitution`") != NULL);
    if (row->free != SB_FIXED_EXPONENTS ||
        sb_contact_law_by_energy(&(sb_contact_law){.normal = row}) || row->rigid) {
      continue; // of free exponents as symbols
    }
    const sb_contact_law law = law_of(row->name, 0);
    sb_contact_law_unit(&law, "damping", unit, sizeof unit);
    (void)snprintf(wanted, sizeof wanted, "`damping` %s", unit);
    assert_non_null(strstr(cell, wanted));
    sb_contact_law_unit(&law, "stiffness", unit, sizeof unit);
    (void)snprintf(wanted, sizeof wanted, "`stiffness` %s", unit);
    assert_true(row->hertz || strstr(cell, wanted) != NULL);
  }
  free(guide);
}

/** What says that it is passive always is: b z^p zd and what it has besides oppose zd at any depth and rate. */
static void passive_where_it_says(void **state) {
  (void)state;
  for (const sb_normal_law *row = sb_normal_laws; row->name != NULL; row++) {
    sb_contact_law law = law_of(row->name, 1.37);
    for (double z = 1e-9; z < 1; z *= 7) {
      for (double zd = -30; zd <= 30; zd += 7.5) {
        assert_true(sb_contact_law_viscous(&law, 0.7, z, zd, NULL) * zd >= 0);
      }
    }
    sb_contact_law_finish(&law);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(guide_has_the_table),
      cmocka_unit_test(passive_where_it_says),
      cmocka_unit_test(force_is_the_derivative_of_the_energy),
      cmocka_unit_test(pull_has_the_sign_of_the_force),
      cmocka_unit_test(laws_by_hand),
      cmocka_unit_test(pull_at_the_touch),
      cmocka_unit_test(refusals),
      cmocka_unit_test(refusals_name_the_law),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
