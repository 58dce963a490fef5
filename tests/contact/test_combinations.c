// SPDX-License-Identifier: GPL-3.0-or-later
// Normal laws, frictions, resistances to turning and pairs of surfaces, each three of which meet in a scene: they are taken, touch, and
// the balance of their energies is met with nothing given by a dissipation.
#include "tests/fixture.h"

/** One of so many scenes is run. */
enum { SIZE = 3000 };

static const char *const normals[] = {
    "normal='linear' stiffness='1e5 N/m' damping='30 N.s/m'",
    "normal='kelvin-voigt' stiffness='1e5 N/m' damping='30 N.s/m' clamp='no'",
    "normal='hunt-crossley' stiffness='1e5 N/m' damping-factor='0.3 s/m'",
    "normal='hunt-crossley' damping-factor='0.1 s/m'", // of the materials
    "normal='hertz' damping-factor='0.3 s/m'",
    "normal='azad-featherstone' stiffness-from='curvature' damping='60 N.s/m^(3/2)'",
    "normal='lee-wang' stiffness='3e6 N/m^(3/2)' damping='2e4 N.s/m^2'",
    "normal='azad-featherstone' stiffness='3e6 N/m^(3/2)' damping='600 N.s/m^(3/2)'",
    "normal='azad-featherstone' stiffness='3e6 N/m^(3/2)' damping='600 N.s/m^(3/2)' recovery='yes'",
    "normal='lankarani-nikravesh' stiffness='3e6 N/m^(3/2)' restitution='0.8'",
    "normal='flores' stiffness='3e6 N/m^(3/2)' restitution='0.5'",
    "normal='gonthier' stiffness='3e6 N/m^(3/2)' restitution='0.5'",
    ("normal='power' exponent='1.2' damping-exponent='0.7' rate-exponent='1.4' "
     "stiffness='3e5 N/m^1.2' damping='300 N.s^1.4/m^2.1'"),
    ("normal='expression' energy='2[J]*(cosh(z/2[mm]) - 1)' "
     "damping-force='3e4[N.s/m^2]*z*zd*(1 + abs(zd)/1[m/s])'"),
    "normal='potential' energy='5e4[N/m]*z^2'",
    "normal='potential' energy='5e4[N/m]*z^2*(1 + 900[1/m^2]*(x^2 + 3*y^2 + x*y) + 0.1*theta^2)'",
    "normal='potential' energy='2e6[N/m^(3/2)]*z^2.5*(1 + 900[1/m^2]*r^2) + 2e4[N/m]*r^2'"};
enum { NORMALS = sizeof normals / sizeof *normals, HERTZ = 4, CURVATURE = 5, WITH_AXIS = 15 };

static const char *const frictions[] = {
    "",
    "friction='coulomb' mu='0.3' mu-static='0.4' friction-radius='2 mm'",
    "friction='coulomb' mu='0.3' mu-static='0.4' v-stribeck='0.1 m/s' friction-radius='2 mm'",
    "friction='viscous' sigma2='3 N.s/m'",
    "friction='stribeck' mu-kinetic='0.3' mu-static='0.4' v-stribeck='0.1 m/s' sigma2='0.1 N.s/m'",
    "friction='bristle-dwell' mu-kinetic='0.3' mu-static='0.4' v-stribeck='0.1 m/s' sigma0='1e5 "
    "N/m' "
    "sigma1='4e3 N.s/m' tau-dwell='10 ms'"};
enum { FRICTIONS = sizeof frictions / sizeof *frictions };

static const char *const turnings[] = {
    "", "rolling-friction='2 mm' spin-friction='1 mm' rolling-viscous='1e-4 N.m.s/rad'",
    "rolling-friction='2 mm' spin-friction='1 mm' turning-stiffness='20 N.m/rad'"};
enum { TURNINGS = sizeof turnings / sizeof *turnings };

static const struct pair {
  const char *first, *second;
  double gap_at; // [m] height of the second body's centre where they touch, roughly
  bool smooth;
} pairs[] = {
    {"<shape kind='plane' normal='0 0 1' offset='0 m'/>", "<shape kind='sphere' radius='0.1 m'/>",
     0.1, true},
    {"<shape kind='plane' normal='0 0 1' offset='0 m'/>",
     "<shape kind='box' size='0.2 0.16 0.12 m' edge-radius='10 mm'/>", 0.12, false},
    {"<shape kind='ellipsoid' semi-axes='0.3 0.25 0.2 m'/>",
     "<shape kind='ellipsoid' semi-axes='0.1 0.08 0.12 m'/>", 0.31, true},
    {"<shape kind='tube' radius='0.3 m' rotation='90 deg about 1 0 0'/>",
     "<shape kind='sphere' radius='0.1 m'/>", -0.2, true},
    {"<shape kind='bowl' semi-axes='0.4 0.5 0.3 m'/>", "<shape kind='sphere' radius='0.1 m'/>",
     -0.2, true},
    {"<shape kind='capsule' radius='0.1 m' length='0.3 m' rotation='80 deg about 1 0 0'/>",
     "<shape kind='superellipsoid' semi-axes='0.1 0.08 0.12 m' exponent='2.5'/>", 0.21, false},
    {"<shape kind='torus' radius='0.2 m' tube-radius='0.05 m' at='-0.2 0 0 m'/>",
     "<shape kind='sphere' radius='0.1 m'/>", 0.15, true},
    {"<shape kind='cylinder' radius='0.2 m' length='0.5 m' edge-radius='10 mm' "
     "rotation='90 deg about 1 0 0'/>",
     "<shape kind='ellipsoid' semi-axes='0.1 0.08 0.12 m'/>", 0.31, false},
    {"<shape kind='cylinder' radius='0.2 m' length='0.5 m' edge-radius='10 mm' "
     "rotation='90 deg about 1 0 0'/>",
     "<shape kind='cylinder' radius='0.1 m' length='0.18 m' edge-radius='20 mm'/>", 0.31, false},
    {"<shape kind='plane' normal='0 0 1' offset='0 m'/>", "<shape kind='point'/>", 0, false},
    {"<shape kind='superellipsoid' semi-axes='0.3 0.25 0.2 m' exponent='2.5'/>",
     "<shape kind='point'/>", 0.2, false}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/** Whether the stiffness needs curvatures that one of the surfaces has not. */
static bool has_no_curvature(int normal, const struct pair *pair) {
  return (normal == HERTZ || normal == CURVATURE) && !pair->smooth;
}

static bool holds(int normal, int friction, int turning, const struct pair *pair, bool directed) {
  char inside[SIZE];
  assert_true(
      snprintf(inside, sizeof inside,
               "<materials><material id='m' stiffness='8e4 %s 1e5 N/m' damping='5 %s 10 N.s/m' %s"
               " youngs-modulus='40 MPa' poisson-ratio='0.3'/></materials>"
               "<laws><contact-law id='l' %s %s %s/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
               "<ground id='a' material='m'>%s</ground>"
               "<body id='b' mass='0.7 kg' inertia='3e-3 2e-3 2.5e-3' material='m' position='0.01 "
               "-0.02 %.17g m' "
               "rotation='25 deg about 1 2 0.5' velocity='0.4 -0.3 -1 m/s' angular-velocity='4 -3 "
               "5 rad/s'>%s</body>"
               "<contact id='c' a='a' b='b' law='l'/></mechanism>",
               directed ? "6e4" : "8e4", directed ? "4" : "5",
               directed ? "axes='body'" : "spin-stiffness='20 N.m/rad'", normals[normal],
               frictions[friction], turnings[turning], pair->first, pair->gap_at + 0.01,
               pair->second) < SIZE);
  run r = start(inside, 1e-8, 1e-11);
  sb_error err = {0};
  const sb_status status = sb_simulation_advance(r.sim, 0.04, &err);
  const sb_ledger *ledger = ledger_of(&r);
  const bool good = status == SB_OK && ledger->event_count > 0 &&
                    fabs(ledger->residual_relative) < 1e-8 && ledger->passivity.violations == 0;
  if (!good) {
    print_error("%s\n%s\n%s\n%s %s\n%s: %d events, residual %.2e, %d violations at %s\n",
                normals[normal], frictions[friction], turnings[turning], pair->first, pair->second,
                err.text, (int)ledger->event_count, ledger->residual_relative,
                (int)ledger->passivity.violations,
                ledger->passivity.violations > 0 ? ledger->passivity.element : "");
  }
  stop(&r);
  return good;
}

/** By an orthogonal array (Hedayat, Sloane and Stufken 1999): of the scenes with each three of the four, in one or more the sum is a
 *  multiple of 3. Else of 11: each two meet, as friction + 5 turning is anything to the modulus of 11. */
static bool is_run(int normal, int friction, int turning, int pair) {
  return (normal + friction + 5 * turning + pair) % (THOROUGH ? 3 : 11) == 0;
}

static void every_combination(void **state) {
  (void)state;
  int runs = 0, faults = 0;
  for (int i = 0; i < NORMALS * FRICTIONS * TURNINGS * PAIRS; i++) {
    const int normal = i % NORMALS, friction = i / NORMALS % FRICTIONS,
              turning = i / NORMALS / FRICTIONS % TURNINGS, k = i / NORMALS / FRICTIONS / TURNINGS;
    if (is_run(normal, friction, turning, k) && !has_no_curvature(normal, &pairs[k])) {
      runs++;
      faults += !holds(normal, friction, turning, &pairs[k], false);
    }
  }
  print_message("%d combinations\n", runs);
  assert_int_equal(faults, 0);
}

/** Materials with axes of the body go with each of them too. */
static void skins_with_directions(void **state) {
  (void)state;
  int faults = 0;
  for (int i = 0; i < NORMALS * FRICTIONS * TURNINGS; i++) {
    const int normal = i % NORMALS, friction = i / NORMALS % FRICTIONS,
              turning = i / NORMALS / FRICTIONS;
    if (is_run(normal, friction, turning, 0)) {
      faults += !holds(normal, friction, turning, &pairs[i % 2 == 0 ? 0 : 2], true);
    }
  }
  assert_int_equal(faults, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {repeating_test(every_combination),
                                     cmocka_unit_test(skins_with_directions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
