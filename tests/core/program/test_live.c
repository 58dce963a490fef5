// SPDX-License-Identifier: GPL-3.0-or-later
// A program without what is idle gives the same numbers as the whole program, value by value, along runs in
// which bodies touch, slip and part.
#include "tests/fixture.h"

#include "core/model/model_data.h"
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"

#define BALL(id_, at_, velocity_)                                                                  \
  "<body id='" id_ "' mass='0.2385 kg' material='rubber' position='" at_                           \
  " m' velocity='" velocity_ " m/s'><shape kind='sphere' radius='0.0523 m'/></body>"
#define HEAD(law_)                                                                                 \
  "<screwbond version='1' id='balls'><defaults><contact law='soft'/></defaults><materials>"        \
  "<material id='rubber' stiffness='1500 1500 2385 N/m' spin-stiffness='0.2 N.m/rad'/>"            \
  "</materials><laws><contact-law id='soft' normal='hunt-crossley' exponent='1' " law_             \
  "/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
#define FLOOR                                                                                      \
  "<ground id='floor' material='rubber'><shape kind='plane' normal='0 0 1' offset='0 "             \
  "m'/></ground>"
#define TAIL "</mechanism><run t-end='0.5 s'/></screwbond>"

/** Evaluates the same point with and without what is idle. @return whether anything was left out */
static bool compare(run *r) {
  sb_workspace *work = r->sim->work;
  const sb_network *network = work->network;
  int n = sb_vector_count(network), values = network->value_count;
  double *xdot = calloc((size_t)(2 * n + values), sizeof *xdot), *whole = xdot + n,
         *value = whole + n;
  double *x = calloc((size_t)n, sizeof *x);
  assert_non_null(xdot);
  assert_non_null(x);
  memcpy(x, r->sim->x, (size_t)n * sizeof *x);
  sb_workspace_changed(work);
  assert_int_equal(sb_workspace_rates(work, r->sim->t, x, xdot, xdot + network->state_count), 0);
  sb_workspace_changed(work);
  assert_int_equal(sb_workspace_evaluate(work, r->sim->t, x), 0);
  memcpy(value, work->values, (size_t)values * sizeof *value);
  bool left_out = work->live.part.op_count < work->program->op_count;
  work->live.possible = false;
  sb_workspace_changed(work);
  assert_int_equal(sb_workspace_rates(work, r->sim->t, x, whole, whole + network->state_count), 0);
  work->live.possible = true;
  for (int i = 0; i < n; i++) {
    assert_true(xdot[i] == whole[i]);
  }
  for (int i = 0; i < values; i++) {
    assert_true(value[i] == work->values[i]);
  }
  sb_workspace_changed(work);
  free(xdot);
  free(x);
  return left_out;
}

/** @param events  at least as many happen */
static void same_along_a_run(const char *text, int events) {
  run r = start_netlist(text);
  int left_out = 0;
  for (int i = 0; i < 200; i++) {
    advance(&r, 0.5 * (i + 1) / 200);
    left_out += compare(&r);
  }
  assert_true(left_out > 0);
  assert_true(ledger_of(&r)->event_count >= events);
  stop(&r);
}

static void bodies_that_bounce(void **state) {
  (void)state;
  same_along_a_run(HEAD("damping-factor='2 s/m'") BALL("a", "0 0 0.06", "0.3 0 0")
                       BALL("b", "0.02 0.01 0.19", "0 0 0") BALL("c", "0.3 0.01 0.1", "-1 0 0")
                           FLOOR "<contacts among='floor a b c'/>" TAIL,
                   8);
}

static void bodies_that_slip(void **state) {
  (void)state;
  same_along_a_run(HEAD("damping-factor='2 s/m' friction='coulomb' mu='0.3' friction-radius='5 mm' "
                        "friction-damping='1 ms'") BALL("a", "0 0 0.06", "0.3 0 0")
                       BALL("b", "0.02 0.01 0.19", "0 0 0") FLOOR
                   "<contacts among='floor a b'/>" TAIL,
                   6);
}

/** Storages that depend on each other beside contacts. */
static void bodies_beside_a_circuit(void **state) {
  (void)state;
  same_along_a_run(HEAD("damping-factor='0 s/m' clamp='no'") BALL("a", "0 0 0.06", "0.3 0 0") FLOOR
                   "<contacts among='floor a'/></mechanism>"
                   "<network domain='electric'><Se id='S' effort='2.385 V'/><R id='R' r='3 ohm'/>"
                   "<I id='L' l='0.2 H'/><I id='M' l='0.1 H'/><J1 id='J'/><bond from='S' to='J'/>"
                   "<bond from='J' to='R'/><bond from='J' to='L'/><bond from='J' to='M'/></network>"
                   "<run t-end='0.5 s'/></screwbond>",
                   2);
}

/** A pendulum of x and y, whose rates are solved in loops: an input of a loop that is nothing else is zero anew in
 *  each evaluation. Three of them beside contacts. */
static void bodies_beside_pendula(void **state) {
  (void)state;
  static const char *const ends[] = {
      "<Se id='G' effort='-0.6 N'/><bond from='G' to='y'/><C id='C' domain='rotation' c='0.08'/>"
      "<bond from='s' to='C'/>",
      "<Se id='G' effort='-9 N'/><bond from='G' to='y'/><I id='J' domain='rotation' l='0.3'/>"
      "<bond from='s' to='J'/>",
      "<C id='K' c='0.02'/><bond from='x' to='K'/><R id='B' domain='rotation' r='0.1'/>"
      "<bond from='s' to='B'/>"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    char text[4000];
    assert_true(
        snprintf(
            text, sizeof text,
            HEAD("damping-factor='0 s/m' clamp='no'") BALL("a", "0 0 0.06", "0.3 0 0") FLOOR
            "<contacts among='floor a'/></mechanism>"
            "<network domain='translation'><J1 id='s' domain='rotation'/>"
            "<signal id='w' of='s.f'/><signal id='th' rate='w' start='2.05 rad'/>"
            "<MTF id='X' ratio='1.55[m]*cos(th)'/><MTF id='Y' ratio='1.55[m]*sin(th)'/>"
            "<J1 id='x'/><J1 id='y'/><I id='mx' mass='0.9 kg'/><I id='my' mass='0.9 kg'/>"
            "<bond from='s' to='X'/><bond from='X' to='x'/><bond from='x' to='mx'/>"
            "<bond from='s' to='Y'/><bond from='Y' to='y'/><bond from='y' to='my'/>%s</network>"
            "<run t-end='0.5 s'/></screwbond>",
            ends[i]) < (int)sizeof text);
    same_along_a_run(text, 2);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_that_bounce),
      cmocka_unit_test(bodies_that_slip),
      cmocka_unit_test(bodies_beside_a_circuit),
      cmocka_unit_test(bodies_beside_pendula),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
