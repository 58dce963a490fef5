// SPDX-License-Identifier: GPL-3.0-or-later
// What states count as beside others of their kind: a thousandth of the lesser of the largest state and of what gives
// the largest output; that what is small is still known to 100 rtol; and that what has hardly begun costs no steps.
#include <math.h>
#include <stdio.h>

#include "core/simulation/simulation_private.h"
#include "tests/fixture.h"

#define NETLIST(run, networks)                                                                     \
  "<screwbond version='1' id='m'><run " run "/>" networks "</screwbond>"

static double size_of(const run *r, const char *name) {
  sb_quantity q;
  sb_error err;
  ok(sb_network_find(&r->model->network, name, &q, &err), &err);
  return r->sim->nominal.now.size[r->model->network.instances[q.element].state + q.first];
}

/** 100 V on 1 uF, 0.1 mC; beside it 10 uF, where the largest charge is the less, and 1 nF, where the largest voltage is; a
 *  coil of the same part, of which no other is known, and a capacitor of another part. */
static void states_count_by_those_of_their_kind(void **state) {
  (void)state;
  run r = start_netlist(
      NETLIST("t-end='1 us' rtol='1e-6'",
              "<network domain='electric'><J0 id='n'/><J1 id='a'/><J1 id='b'/><J1 id='l'/>"
              "<C id='main' c='1 uF' q0='0.1 mC'/><C id='large' c='10 uF'/><C id='small' c='1 nF'/>"
              "<R id='ra' r='1 ohm'/><R id='rb' r='1 ohm'/><I id='coil' l='1 mH'/>"
              "<bond from='n' to='main'/><bond from='n' to='a'/><bond from='a' to='ra'/><bond "
              "from='a' to='large'/>"
              "<bond from='n' to='b'/><bond from='b' to='rb'/><bond from='b' to='small'/>"
              "<bond from='n' to='l'/><bond from='l' to='coil'/></network>"
              "<network domain='electric'><J0 id='m'/><C id='apart' c='1 uF' q0='1 nC'/><R id='rc' "
              "r='1 ohm'/>"
              "<bond from='m' to='apart'/><bond from='m' to='rc'/></network>"));
  assert_near(size_of(&r, "main.q"), 1e-4, 1e-16);
  assert_near(size_of(&r, "large.q"), 1e-3 * 1e-4, 1e-18);
  assert_near(size_of(&r, "small.q"), 1e-3 * 100 * 1e-9, 1e-21);
  // 1e-6 of the flux that holds the energy of 5 mJ, as no other coil is there
  assert_near(size_of(&r, "coil.p"), 1e-6 * sqrt(2 * 1e-3 * 5e-3), 1e-17);
  assert_near(size_of(&r, "apart.q"), 1e-9, 1e-20);
  stop(&r);
}

/** 100 V charge 1 uF over 1 kohm; from there 100 Mohm lead to 1 uF with 1 kohm across: 1 mV in the end. Both voltages by
 *  the eigenvalues of v' = A v + b. */
static void what_is_small_is_known_to_100_rtol(void **state) {
  (void)state;
  const double r1 = 1e3, r2 = 1e8, r3 = 1e3, c = 1e-6, supply = 100, rtol = 1e-6;
  const double a = -(1 / r1 + 1 / r2) / c, d = -(1 / r2 + 1 / r3) / c, o = 1 / (r2 * c);
  const double end_a = supply / (1 + r1 / (r2 + r3)), end_b = end_a * r3 / (r2 + r3);
  run r = start_netlist(NETLIST("t-end='5 ms' rtol='1e-6'",
                                "<network domain='electric'><Se id='s' effort='100 V'/><J1 "
                                "id='j'/><J0 id='a'/><J1 id='k'/><J0 id='b'/>"
                                "<R id='r1' r='1 kohm'/><R id='r2' r='100 Mohm'/><R id='r3' r='1 "
                                "kohm'/><C id='c1' c='1 uF'/><C id='c2' c='1 uF'/>"
                                "<bond from='s' to='j'/><bond from='j' to='r1'/><bond from='j' "
                                "to='a'/><bond from='a' to='c1'/>"
                                "<bond from='a' to='k'/><bond from='k' to='r2'/><bond from='k' "
                                "to='b'/><bond from='b' to='c2'/><bond from='b' to='r3'/>"
                                "</network>"));
  for (int i = 1; i <= 50; i++) {
    double t = 1e-4 * i;
    sb_error err = {0};
    ok(sb_simulation_advance(r.sim, t, &err), &err);
    // A = m 1 + [0 o; o 0], as a = d here: v - end = exp(A t) (-end), modes v_a + v_b and v_a - v_b
    assert_true(a == d);
    double sum = -(end_a + end_b) * exp((a + o) * t),
           difference = -(end_a - end_b) * exp((a - o) * t);
    double exact = end_b + (sum - difference) / 2;
    assert_near(value(&r, "c2.q") / c, exact, 100 * rtol * end_b);
  }
  stop(&r);
}

/** Steps of a line of RC sections of 1 ms on a step of voltage, to 2 ms. */
static int steps_of(int sections) {
  char text[2048];
  sb_error err = {0};
  (void)snprintf(
      text, sizeof text,
      NETLIST("t-end='2 ms' method='kvaerno-5' rtol='1e-6'",
              "<network domain='electric'><Se id='n0' effort='1 V'/><repeat index='k' "
              "count='%d'><J1 id='m[k]'/><J0 id='n[k]'/>"
              "<R id='R[k]' r='1 kohm'/><C id='C[k]' c='1 uF'/><bond from='m[k]' to='R[k]'/><bond "
              "from='m[k]' to='n[k]'/>"
              "<bond from='n[k]' to='C[k]'/></repeat><bond from='n0' to='m[1]'/>"
              "<repeat index='k' count='%d'><bond from='n[k]' to='m[k+1]'/></repeat></network>"),
      sections, sections - 1);
  run r = start_netlist(text);
  ok(sb_simulation_advance(r.sim, 2e-3, &err), &err);
  int steps = (int)ledger_of(&r)->work.steps;
  stop(&r);
  return steps;
}

/** In 2 ms a step diffuses into a few sections; behind the twentieth it is below 1e-20. */
static void what_has_hardly_begun_costs_no_steps(void **state) {
  (void)state;
  int near = steps_of(4), far = steps_of(40);
  if (far > near + near / 10) {
    fail_msg("%d steps for 40 sections, %d for 4", far, near);
  }
}

/** H = p^2/(2m) + k |q|^1.5 has an infinite stiffness at q = 0, through which it goes twice in a period,
 *  T = 4 sqrt(m/(2k)) a^(1/4) (2/3) B(2/3, 1/2). What is there for no time makes no step of the rest short. */
static void stiffness_of_one_place(void **state) {
  (void)state;
  static const struct {
    const char *method;
    int most; // steps
  } rows[] = {{"bogacki-shampine-3", 6000},
              {"zonneveld-4", 2000},
              {"dormand-prince-5", 300},
              {"auto", 300},
              {"verner-6", 250},
              {"fehlberg-8", 150},
              {"kvaerno-5", 500}};
  const double m = 1.7, k = 2, a = 1.385;
  const double beta = tgamma(2. / 3) * tgamma(0.5) / tgamma(7. / 6);
  const double period = 4 * sqrt(m / (2 * k)) * pow(a, 0.25) * 2 / 3 * beta;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    run r = prepare_inside("<network domain='translation'><I id='m' mass='1.7 kg'/><J1 id='j'/>"
                           "<C id='k' energy='2[N/m^0.5]*abs(q)^1.5' q0='1.385'/>"
                           "<bond from='j' to='k'/><bond from='j' to='m'/></network>");
    sb_options options = sb_options_defaults();
    options.method = sb_method_find(rows[i].method);
    options.rtol = 1e-6;
    start_by(&r, &options);
    advance(&r, period);
    assert_near(value(&r, "k.q"), a, 1e-5);
    assert_near(value(&r, "m.p"), 0, 1e-5);
    assert_true(ledger_of(&r)->residual_relative < 100 * options.rtol);
    assert_in_range(ledger_of(&r)->work.steps, 1, rows[i].most);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_count_by_those_of_their_kind),
      cmocka_unit_test(what_is_small_is_known_to_100_rtol),
      cmocka_unit_test(what_has_hardly_begun_costs_no_steps),
      cmocka_unit_test(stiffness_of_one_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
