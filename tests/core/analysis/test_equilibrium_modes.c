// SPDX-License-Identifier: GPL-3.0-or-later
// Equilibria behind events: the modes that a run would have taken on the way, against closed forms; and where there are none.
#include "core/analysis/equilibrium.h"
#include "core/analysis/linearize.h"
#include "tests/fixture.h"

#define MODEL(domain, content)                                                                     \
  "<screwbond version='1' id='m'><network domain='" domain "'>" content                            \
  "</network><run t-end='1 s'/></screwbond>"
/** A mass on a spring of 1.25 N/m with a damper and what else moves with it. */
#define MASS(force, more, bonds)                                                                   \
  MODEL("translation", "<Se id='F' effort='" force                                                 \
                       "'/><J1 id='j'/><I id='m' mass='1.3 kg'/><C id='k' c='0.8 m/N'/>"           \
                       "<R id='d' r='1.1 N.s/m'/>" more "<bond from='F' to='j'/><bond from='j' "   \
                       "to='m'/><bond from='j' to='k'/><bond from='j' to='d'/>" bonds)
#define STOP(force, limits) MASS(force, "<Stop id='st' " limits "/>", "<bond from='j' to='st'/>")
/** A block that dry friction holds, and a mass hung to it by a spring of 1.25 N/m. */
#define PULLED(force, more)                                                                        \
  MODEL("translation", "<Se id='F' effort='" force                                                 \
                       "'/><J1 id='a'/><I id='load' mass='1.3 kg'/><J0 id='z'/><C id='k' "         \
                       "c='0.8 m/N'/><J1 id='b'/><I id='block' mass='2.1 kg'/><Friction id='fr' "  \
                       "coulomb='4 N' static='5 N'/><bond from='F' to='a'/><bond from='a' "        \
                       "to='load'/><bond from='a' to='z'/><bond from='z' to='k'/><bond from='z' "  \
                       "to='b'/><bond from='b' to='block'/><bond from='b' to='fr'/>" more)
/** dc = 9 ohm beside a capacitor, behind four diodes and 1 ohm; the source rises from 0 to its end with a signal. */
#define BRIDGE(end)                                                                                \
  MODEL("electric",                                                                                \
        "<J0 id='plus'/><J0 id='minus'/><TransferFunction id='x' of='" end                         \
        "' num='1' den='1 1'/><J1 id='line'/><Se id='u' effort='x'/><R id='rs' r='1 ohm'/>"        \
        "<J0 id='n1'/><J0 id='n2'/><bond from='u' to='line'/><bond from='line' to='rs'/>"          \
        "<bond from='line' to='n1'/><bond from='n2' to='line'/>"                                   \
        "<J1 id='u1'/><Diode id='A1'/><bond from='n1' to='u1'/><bond from='u1' to='A1'/>"          \
        "<bond from='u1' to='plus'/><J1 id='d1'/><Diode id='B1'/><bond from='minus' to='d1'/>"     \
        "<bond from='d1' to='B1'/><bond from='d1' to='n1'/><J1 id='u2'/><Diode id='A2'/>"          \
        "<bond from='n2' to='u2'/><bond from='u2' to='A2'/><bond from='u2' to='plus'/>"            \
        "<J1 id='d2'/><Diode id='B2'/><bond from='minus' to='d2'/><bond from='d2' to='B2'/>"       \
        "<bond from='d2' to='n2'/><J1 id='rails'/><J0 id='dc'/><C id='c' c='1 mF' q0='5 mC'/>"     \
        "<R id='load' r='9 ohm'/><bond from='plus' to='rails'/><bond from='rails' to='minus'/>"    \
        "<bond from='rails' to='dc'/><bond from='dc' to='c'/><bond from='dc' to='load'/>")
/** C dT/dt = P - T/R with a relay, from 0 to what `above` heats to. */
#define THERMOSTAT(above)                                                                          \
  MODEL("electric",                                                                                \
        "<Se id='v' effort='up'/><R id='r' r='1 ohm'/><C id='c' c='1 F'/><J1 id='j'/>"             \
        "<signal id='u' of='c.e'/><Hysteresis id='up' of='0[V]-u' rising='-4 V' falling='-6 V' "   \
        "above='" above "' below='0 V'/><bond from='v' to='j'/><bond from='j' to='r'/>"            \
        "<bond from='j' to='c'/>")
/** A ball of 2 kg on a guide with a spring of 10 N/m from 0.4 m above a floor. */
#define BALL(law)                                                                                  \
  "<screwbond version='1' id='m'><laws><contact-law id='soft' normal='linear' stiffness='1000 "    \
  "N/m' damping='5 N.s/m'/><contact-law id='hard' normal='rigid'/></laws><mechanism gravity='0 0 " \
  "-9.81'><ground id='floor'><shape kind='plane' normal='0 0 1' offset='0 m'/></ground><body "     \
  "id='ball' mass='2 kg' inertia='0.1 0.1 0.1 kg.m^2'><shape kind='sphere' radius='0.1 "           \
  "m'/></body><joint id='g' kind='prismatic' axis='0 0 1' parent='world' child='ball' at='0 0 "    \
  "0.5 m' stiffness='10 N/m'/><contact id='c' a='floor' b='ball' law='" law                        \
  "'/></mechanism><run t-end='1 s'/></screwbond>"

/** Compares outputs at the equilibrium, and the changes, as "st touch, D switch". */
static void rests(const char *text, const char *const outputs[], const double values[], int count,
                  const char *changes) {
  run r = start_netlist(text);
  sb_error err = {0};
  sb_equilibrium *e;
  char all[200] = "";
  ok(sb_equilibrium_find(r.sim, outputs, count, &e, &err), &err);
  for (int i = 0; i < count; i++) {
    assert_near(e->outputs[i].value, values[i], 1e-9 * (1 + fabs(values[i])));
  }
  for (int i = 0; i < e->changed_count; i++) {
    const size_t used = strlen(all);
    (void)snprintf(all + used, sizeof all - used, "%s%s %s", i > 0 ? ", " : "", e->changed[i].name,
                   e->changed[i].change);
  }
  assert_string_equal(all, changes);
  assert_true(e->growth == 0);
  sb_equilibrium_destroy(e);
  stop(&r);
}

static void has_none(const char *text, const char *words, int line) {
  run r = start_netlist(text);
  sb_error err = {0};
  sb_equilibrium *e;
  assert_int_equal(sb_equilibrium_find(r.sim, NULL, 0, &e, &err), SB_ERR_SOLVER);
  assert_contains(err.text, words);
  assert_int_equal(err.line, line);
  assert_null(e);
  stop(&r);
}

/** F = k x + e at the limit x: 10 = 1.25 1 + 8.75. */
static void stops(void **state) {
  (void)state;
  static const char *const outputs[] = {"st.q", "k.q", "st.e"};
  rests(STOP("10 N", "upper='1 m'"), outputs, (double[]){1, 1, 8.75}, 3, "st touch");
  rests(STOP("-10 N", "lower='-1 m' upper='1 m'"), outputs, (double[]){-1, -1, -8.75}, 3,
        "st touch");
  // it is not reached, or just reached, which is no event
  rests(STOP("1.25 N", "upper='1 m'"), outputs, (double[]){1, 1, 0}, 3, "");
  rests(STOP("1 N", "upper='1 m'"), outputs, (double[]){0.8, 0.8, 0}, 3, "");
  // without a spring there is no equilibrium in the modes of the start: the mass falls
  rests(MODEL("translation", "<Se id='w' effort='-12.753 N'/><I id='m' mass='1.3 kg'/><J1 id='j'/>"
                             "<Stop id='st' lower='0.2 m' x0='1.2 m' restitution='0.8'/><bond "
                             "from='w' to='j'/><bond from='j' to='m'/><bond from='j' to='st'/>"),
        outputs, (double[]){0.2}, 1, "st impact");
}

/** Closed at the start by 4 N; the force falls to -2 N as a signal rises, and the spring from there is -1.6 m. */
static void a_preload_is_released(void **state) {
  (void)state;
  static const char *const outputs[] = {"k.q", "st.q", "st.e"};
  rests(MASS("4[N]-x",
             "<Stop id='st' upper='0.7 m' x0='0.7 m'/><TransferFunction id='x' of='6[N]' num='1' "
             "den='1 1'/>",
             "<bond from='j' to='st'/>"),
        outputs, (double[]){-1.6, -0.9, 0}, 3, "st release");
}

/** (1 A - i) 10 ohm = i (1 ohm + 1 Mohm). */
static void diodes(void **state) {
  (void)state;
  static const char *const outputs[] = {"C1.e", "C2.e", "D.e", "D.f"};
  const double i = 10 / (11 + 1e6);
  rests(MODEL("electric",
              "<Sf id='i' flow='1 A'/><J0 id='a'/><C id='C1' c='1 mF'/><R id='r1' r='10 ohm'/>"
              "<J1 id='j'/><Diode id='D'/><R id='rs' r='1 ohm'/><J0 id='b'/><C id='C2' c='1 mF' "
              "q0='5 mC'/><R id='r2' r='1 Mohm'/><bond from='i' to='a'/><bond from='a' to='C1'/>"
              "<bond from='a' to='r1'/><bond from='a' to='j'/><bond from='j' to='D'/><bond "
              "from='j' to='rs'/><bond from='j' to='b'/><bond from='b' to='C2'/><bond from='b' "
              "to='r2'/>"),
        outputs, (double[]){10 * (1 - i), 1e6 * i, 0, i}, 4, "D switch");
  static const char *const bridge[] = {"c.e", "A1.f", "B2.f", "A2.f", "B1.f"};
  rests(BRIDGE("10[V]"), bridge, (double[]){9, 1, 1, 0, 0}, 5, "A1 switch, B2 switch");
  rests(BRIDGE("-10[V]"), bridge, (double[]){9, 0, 0, 1, 1}, 5, "B1 switch, A2 switch");
}

/** At both thresholds the relay is in the wrong mode; with less power it never gets there. */
static void relays(void **state) {
  (void)state;
  static const char *const outputs[] = {"c.e"};
  rests(THERMOSTAT("5 V"), outputs, (double[]){5}, 1, "");
  has_none(THERMOSTAT("10 V"), "the one that was contradicts the mode of 'up'", 1);
}

/** The spring pulls with the force on the load: within what friction bears, or beyond it. */
static void friction(void **state) {
  (void)state;
  static const char *const outputs[] = {"k.q", "fr.e", "fr.f"};
  rests(PULLED("4.5 N", ""), outputs, (double[]){3.6, 4.5, 0}, 3, "");
  has_none(PULLED("10 N", ""), "where another mode is that of 'fr' (slip)", 1);
  // a damper of 2 N s/m on the load: both slip on at (10 - 4)/2
  rests(PULLED("10 N", "<R id='d' r='2 N.s/m'/><bond from='a' to='d'/>"), outputs,
        (double[]){3.2, 4, 3}, 3, "fr slip");
}

/** A drive of 10 N behind backlash, and a load that 4.5 N pull back, beyond its friction of 4 N: at the start it slips back, and where the
 *  drive has come to it forward, at (10 - 4 - 4.5)/1.1. */
static void a_load_that_is_moved_back_first(void **state) {
  (void)state;
  static const char *const outputs[] = {"load.f", "gap.e", "fr.e"};
  const double v = (10 - 4 - 4.5) / 1.1;
  rests(MODEL("translation",
              "<Se id='F' effort='10 N'/><J1 id='a'/><I id='drive' mass='1.3 kg'/><R id='d' "
              "r='1.1 N.s/m'/><bond from='F' to='a'/><bond from='a' to='drive'/><bond from='a' "
              "to='d'/><J0 id='z'/><C id='gap' energy='50[N/m]*max(0[m],abs(q)-0.2[m])^2'/><bond "
              "from='a' to='z'/><bond from='z' to='gap'/><J1 id='b'/><I id='load' mass='2.1 kg'/>"
              "<Friction id='fr' coulomb='4 N'/><Se id='w' effort='-4.5 N'/><bond from='z' "
              "to='b'/><bond from='b' to='load'/><bond from='b' to='fr'/><bond from='w' to='b'/>"),
        outputs, (double[]){v, 10 - 1.1 * v, 4}, 3, "fr slip");
}

/** m g = 10 (0.4 + d) + 1000 d; a rigid contact would have to close. */
static void contacts(void **state) {
  (void)state;
  static const char *const outputs[] = {"c.gap", "c.normal-force"};
  const double depth = (2 * 9.81 - 4) / 1010;
  rests(BALL("soft"), outputs, (double[]){-depth, 1000 * depth}, 2, "c touch");
  has_none(BALL("hard"), "the one that was contradicts the mode of 'c'", 1);
}

static void linearisations_tell_it(void **state) {
  (void)state;
  run r = start_netlist(STOP("10 N", "upper='1 m'"));
  sb_error err = {0};
  sb_linear *linear;
  const sb_linear_request request = {.equilibrium = true};
  ok(sb_linearize(r.sim, &request, &linear, &err), &err);
  assert_int_equal(linear->changed_count, 1);
  assert_string_equal(linear->changed[0].name, "st");
  assert_string_equal(linear->changed[0].change, "touch");
  for (int i = 0; i < linear->states; i++) {
    assert_near(linear->x[i], 1, 1e-12); // the spring and the stop; the momentum is held
  }
  sb_linear_destroy(linear);
  stop(&r);
}

/** 8.1 mC in one of two capacitors of 0.1 mF, between them a diode and another one with 10 V: only the latter can conduct, to
 *  35.5 V and 45.5 V. */
static void diodes_that_exclude_each_other(void **state) {
  (void)state;
  static const char *const outputs[] = {"C0.e", "C1.e"};
  rests(MODEL("electric",
              "<J0 id='n0'/><J0 id='n1'/><C id='C0' c='0.1 mF' q0='8.1 mC'/><C id='C1' c='0.1 mF'/>"
              "<bond from='n0' to='C0'/><bond from='n1' to='C1'/><J1 id='a'/><Diode id='A'/>"
              "<bond from='a' to='A'/><bond from='n0' to='a'/><bond from='a' to='n1'/><J1 id='b'/>"
              "<Diode id='B'/><Se id='V' effort='10 V'/><bond from='b' to='B'/>"
              "<bond from='V' to='b'/><bond from='n0' to='b'/><bond from='b' to='n1'/>"),
        outputs, (double[]){35.5, 45.5}, 2, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stops),
      cmocka_unit_test(a_preload_is_released),
      cmocka_unit_test(diodes),
      cmocka_unit_test(diodes_that_exclude_each_other),
      cmocka_unit_test(relays),
      cmocka_unit_test(friction),
      cmocka_unit_test(contacts),
      cmocka_unit_test(linearisations_tell_it),
      cmocka_unit_test(a_load_that_is_moved_back_first),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
