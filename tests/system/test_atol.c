// SPDX-License-Identifier: GPL-3.0-or-later
// Absolute tolerances by quantity: which states they become, in numbers, what they do to steps, and what is
// said where they fit nothing.
#include "core/simulation/simulation_private.h"
#include "tests/fixture.h"

#define NETLIST(atol, networks)                                                                    \
  "<screwbond version='1' id='m'>\n<run t-end='2 s' atol='" atol "'/>" networks "</screwbond>"
#define CIRCUIT                                                                                    \
  "<network domain='electric'><J1 id='j'/><C id='C' c='2.5 uF' q0='10 uC'/><I id='L' l='30 mH'/>"  \
  "<bond from='j' to='C'/><bond from='j' to='L'/></network>"
#define MECHANICS                                                                                  \
  "<network domain='translation'><J1 id='k'/><I id='m' mass='1.3 kg'/>"                            \
  "<C id='s' compliance='0.2 mm/N' q0='1 mm'/><bond from='k' to='m'/><bond from='k' to='s'/>"      \
  "</network>"

static double atol_of(const run *r, const char *name) {
  sb_quantity q;
  sb_error err;
  ok(sb_network_find(&r->model->network, name, &q, &err), &err);
  return r->sim->nominal.atol[r->model->network.instances[q.element].state + q.first];
}

/** dx = dy/K: an effort or flow of a storage is held by the state that gives it. */
static void tolerances_become_those_of_states(void **state) {
  static const struct {
    const char *text, *state;
    double atol;
  } rows[] = {
      {NETLIST("3 uV", CIRCUIT), "C.q", 3e-6 * 2.5e-6},
      {NETLIST("3 uV", CIRCUIT), "L.p", 0},
      {NETLIST("3uV 7 nA", CIRCUIT MECHANICS), "L.p", 7e-9 * 30e-3},
      {NETLIST("3uV 7 nA", CIRCUIT MECHANICS), "s.q", 0},
      {NETLIST("3 uV 4 nC", CIRCUIT), "C.q", 4e-9},
      {NETLIST("3 uV 4 pC", CIRCUIT), "C.q", 3e-6 * 2.5e-6},
      {NETLIST("2e-7", CIRCUIT), "C.q", 2e-7},
      {NETLIST("2e-7", CIRCUIT), "L.p", 2e-7},
      {NETLIST("1 uV 1 nm", CIRCUIT MECHANICS), "s.q", 1e-9},
      {NETLIST("1 uV 1 nm", CIRCUIT MECHANICS), "C.q", 1e-6 * 2.5e-6},
      {NETLIST("6 um/s  0.5 mN", MECHANICS), "m.p", 6e-6 * 1.3},
      {NETLIST("6 um/s  0.5 mN", MECHANICS), "s.q", 0.5e-3 * 0.2e-3},
      {NETLIST("2 * 3 [um] 1 mN.s", MECHANICS), "s.q", 6e-6},
      {NETLIST("2 * 3 [um] 1 mN.s", MECHANICS), "m.p", 1e-3},
      {NETLIST("small", "<parameters><param id='small' value='0.3 mm'/></parameters>" MECHANICS),
       "s.q", 3e-4},
      // H = 0.7 q^4 - q^2/4, K = 8.4 q^2 - 1/2 at q = 1.9
      {NETLIST("3 mN", "<network domain='translation'><J1 id='j'/><I id='m' mass='1 kg'/>"
                       "<C id='k' energy='0.7[N/m^3]*q^4 - 0.25[N/m]*q^2' q0='1.9 m'/>"
                       "<bond from='j' to='m'/><bond from='j' to='k'/></network>"),
       "k.q", 3e-3 / (8.4 * 1.9 * 1.9 - 0.5)},
      {NETLIST("1 mm/s 2 mrad/s 5 um",
               "<mechanism><body id='b' mass='3 kg' inertia='0.4 0.5 0.6 kg.m^2' "
               "velocity='1 2 3 m/s'/></mechanism>"),
       "b.p.y", 3e-3},
      {NETLIST("1 mm/s 2 mrad/s 5 um",
               "<mechanism><body id='b' mass='3 kg' inertia='0.4 0.5 0.6 kg.m^2' "
               "velocity='1 2 3 m/s'/></mechanism>"),
       "b.L.y", 2e-3 * 3 / (1 / 0.4 + 1 / 0.5 + 1 / 0.6)},
      {NETLIST("1 mm/s 2 mrad/s 5 um",
               "<mechanism><body id='b' mass='3 kg' inertia='0.4 0.5 0.6 kg.m^2' "
               "velocity='1 2 3 m/s'/></mechanism>"),
       "b.x.z", 5e-6},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    run r = start_netlist(rows[i].text);
    double atol = atol_of(&r, rows[i].state);
    if (!(fabs(atol - rows[i].atol) <= 1e-12 * rows[i].atol)) {
      fail_msg("%s: %s has %g, not %g", rows[i].text, rows[i].state, atol, rows[i].atol);
    }
    stop(&r);
  }
}

/** @return the number of accepted steps to 2 s. @param q  out: the charge at the end [C] */
static int steps_with(const char *text, double *q) {
  sb_error err = {0};
  run r = start_netlist(text);
  ok(sb_simulation_run(r.sim, 2, 0, NULL, NULL, &err), &err);
  *q = value(&r, "C.q");
  int steps = (int)ledger_of(&r)->work.steps;
  stop(&r);
  return steps;
}

#define SLOW_CIRCUIT(atol)                                                                         \
  NETLIST(atol, "<network domain='electric'><J1 id='j'/><C id='C' c='2.5 mF' q0='10 mC'/>"         \
                "<I id='L' l='3 H'/><bond from='j' to='C'/><bond from='j' to='L'/></network>")

/** The error allowed is the larger of the two: steps are longer by a loose one, and the same by one that is
 *  stricter than rtol; the same one of states or of outputs is the same run. */
static void larger_tolerance_holds(void **state) {
  (void)state;
  double plain, loose, alike, strict;
  int steps = steps_with(SLOW_CIRCUIT("1e-30"), &plain);
  int fewer = steps_with(SLOW_CIRCUIT("2 mV 0.1 mA"), &loose);
  assert_true(fewer < steps / 2);
  assert_true(fabs(loose - plain) > 1e-7 * 10e-3 && fabs(loose - plain) < 100 * 2e-3 * 2.5e-3);
  assert_int_equal(steps_with(SLOW_CIRCUIT("5 uC 0.3 mWb"), &alike), fewer);
  assert_near(alike, loose, 1e-12 * 10e-3);
  assert_int_equal(steps_with(SLOW_CIRCUIT("1 pV 1 pA"), &strict), steps);
  assert_near(strict, plain, 0);
}

static void tolerances_that_fit_nothing_are_refused(void **state) {
  static const struct {
    const char *text;
    int column;
    const char *message, *hint;
  } rows[] = {
      {NETLIST("1 uV 2 K", CIRCUIT), 29,
       "atol: no storage has a state, an effort or a flow in K to be held to",
       "its states are in C, Wb"},
      {NETLIST("1 nm", CIRCUIT), 24,
       "atol: no storage has a state, an effort or a flow in m to be held to",
       "its states are in C, Wb"},
      {NETLIST("3 m/s 1 Pa 2 nC", CIRCUIT MECHANICS), 30,
       "atol: no storage has a state, an effort or a flow in Pa to be held to",
       "its states are in C, Wb, N.s, m"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sb_error err = {0};
    run r = prepare(rows[i].text);
    assert_int_equal(sb_simulation_create(r.model, &r.netlist->options, &r.sim, &err),
                     SB_ERR_DIMENSION);
    assert_string_equal(err.text, rows[i].message);
    assert_string_equal(err.hint, rows[i].hint);
    assert_string_equal(err.file, r.netlist->file);
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, rows[i].column);
    stop(&r);
  }
}

static void malformed_tolerances_are_refused(void **state) {
  static const struct {
    const char *text;
    int column;
    const char *message;
  } rows[] = {
      {NETLIST("1 uV 2", CIRCUIT), 29, "each of several tolerances needs a unit"},
      {NETLIST("2 1 uV", CIRCUIT), 24, "each of several tolerances needs a unit"},
      {NETLIST("1 uV 1 uX", CIRCUIT), 31, "unknown unit 'uX'"},
      {NETLIST("1 uV 0 A", CIRCUIT), 29, "atol must be above zero"},
      {NETLIST("-1", CIRCUIT), 24, "atol must be above zero"},
      {NETLIST("", CIRCUIT), 24, "a value is missing"},
      {NETLIST("1 uV tiny", CIRCUIT), 29, "nothing may follow the unit"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sb_errors errors = {0};
    sb_netlist *netlist = NULL;
    assert_int_not_equal(
        sb_netlist_parse("t.xml", rows[i].text, strlen(rows[i].text), NULL, 0, &netlist, &errors),
        SB_OK);
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.items[0].text, rows[i].message);
    assert_int_equal(errors.items[0].line, 2);
    assert_int_equal(errors.items[0].column, rows[i].column);
    sb_errors_finish(&errors);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tolerances_become_those_of_states),
      cmocka_unit_test(larger_tolerance_holds),
      cmocka_unit_test(tolerances_that_fit_nothing_are_refused),
      cmocka_unit_test(malformed_tolerances_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
