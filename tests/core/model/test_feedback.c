// SPDX-License-Identifier: GPL-3.0-or-later
// Controlled sources that force storages and read what they force, in closed form.
#include <complex.h>

#include "core/analysis/linearize.h"
#include "tests/fixture.h"

#define MODEL(network)                                                                             \
  "<screwbond version='1' id='fed'><network domain='electric'>" network                            \
  "</network><run t-end='1 s'/></screwbond>"

/** The response of outputs to the inputs at s = i omega. */
static void respond(const char *text, const char *const outputs[], int count, double omega,
                    double complex response[]) {
  sb_error err = {0};
  run r = start_netlist(text);
  const sb_linear_request request = {.outputs = outputs, .output_count = count};
  sb_linear *linear;
  double re[20], im[20];
  ok(sb_linearize(r.sim, &request, &linear, &err), &err);
  assert_true(linear->outputs * linear->inputs <= 20);
  ok(sb_linear_response(linear, omega, re, im, NULL, &err), &err);
  for (int k = 0; k < linear->outputs * linear->inputs; k++) {
    response[k] = re[k] + I * im[k];
  }
  sb_linear_destroy(linear);
  stop(&r);
}

static void near_complex(double complex value, double complex expected, double tolerance) {
  assert_near(cabs(value - expected), 0, tolerance * cabs(expected));
}

static const char *const methods[] = {"auto", "dormand-prince-5", "fehlberg-8", "kvaerno-5"};

/** Runs a netlist by a method from its start to 1 s; balanced. */
static run run_by(const char *text, int method) {
  run r = prepare(text);
  sb_options options = options_of(methods[method], 1e-9);
  start_by(&r, &options);
  advance(&r, 1);
  assert_balanced(&r);
  return r;
}

/** E = u - 2 e on a capacitor of its own effort e: e = u/3, and the current is e/R + s c e. */
static void of_its_own_storage(void **state) {
  (void)state;
  static const char text[] =
      MODEL("<signal id='s' of='C.e'/><J0 id='n'/><C id='C' c='0.5 F'/><R id='R' r='4 ohm'/>"
            "<Se id='E' effort='1.7[V]*cos(2[rad/s]*t)-2*s'/><bond from='E' to='n'/>"
            "<bond from='n' to='C'/><bond from='n' to='R'/>");
  for (int m = 0; m < 4; m++) {
    run r = run_by(text, m);
    const double e = 1.7 * cos(2) / 3, rate = -1.7 * 2 * sin(2) / 3;
    assert_near_relative(component(&r, "C.e", 0), e, 1e-13);
    assert_near_relative(component(&r, "E.f", 0), e / 4 + 0.5 * rate, 1e-12);
    stop(&r);
  }
  static const char *const outputs[] = {"C.e", "E.f"};
  double complex G[2];
  respond(text, outputs, 2, 1.3, G);
  near_complex(G[0], 1.0 / 3, 1e-9);
  near_complex(G[1], (0.25 + 1.3 * I * 0.5) / 3, 1e-9);
}

/** The flow F = 4.5 A of an inductor is read by the effort 7 V - 3 f of a capacitor: both meet at the start, in any order of the
 *  elements. F gives l F^2, of which half is lost, and E its effort behind the start times what it charges, c E^2. */
static void one_source_reads_another(void **state) {
  (void)state;
#define FIRST                                                                                      \
  "<Sf id='F' flow='4.5[A]+0.2*x*1[A/V]'/><J1 id='a'/><I id='L' l='2 H'/><C id='D' c='2 F'/>"      \
  "<R id='R' r='3 ohm'/><bond from='F' to='a'/><bond from='a' to='L'/><bond from='a' to='D'/>"     \
  "<bond from='a' to='R'/>"
#define SECOND                                                                                     \
  "<C id='C' c='0.7 F'/><J0 id='b'/><Se id='E' effort='7[V]-3[V/A]*f'/><R id='Q' r='5 ohm'/>"      \
  "<bond from='E' to='b'/><bond from='b' to='C'/><bond from='b' to='Q'/>"
#define SIGNALS "<signal id='f' of='L.f'/><signal id='x' of='D.e'/>"
  static const char *const texts[] = {MODEL(FIRST SECOND SIGNALS), MODEL(SIGNALS SECOND FIRST)};
  for (int order = 0; order < 2; order++) {
    run r = start_netlist(texts[order]);
    const double F = 4.5, E = 7 - 3 * F;
    assert_near_relative(component(&r, "L.f", 0), F, 1e-14);
    assert_near_relative(component(&r, "C.e", 0), E, 1e-14);
    assert_int_equal(ledger_of(&r)->event_count, 1);
    assert_near_relative(ledger_of(&r)->events[0].loss, 0.5 * 2 * F * F + 0.5 * 0.7 * E * E, 1e-12);
    stop(&r);
    for (int m = 0; m < 4; m++) { // x' = f/c, f = F + k x
      r = run_by(texts[order], m);
      const double f = F * exp(0.2 / 2);
      assert_near_relative(component(&r, "L.f", 0), f, 1e-7);
      assert_near_relative(component(&r, "C.e", 0), 7 - 3 * f, 1e-7);
      stop(&r);
    }
  }
}

/** x = int l f' dt = l f of the flow f = u + k x, whose force is an impulse where u jumps: f = u/(1 - k l), e = s l f. */
static void integral_of_an_impulse(void **state) {
  (void)state;
  static const char *const outputs[] = {"L.f", "L.e", "x"};
  double complex G[3];
  respond(MODEL("<signal id='s' of='L.e'/><signal id='x' rate='s/1[s]'/><J1 id='a'/>"
                "<Sf id='F' flow='4.5[A]+0.3*x*1[A/V]'/><I id='L' l='2 H'/><R id='R' r='3 ohm'/>"
                "<bond from='F' to='a'/><bond from='a' to='L'/><bond from='a' to='R'/>"),
          outputs, 3, 0.7, G);
  near_complex(G[0], 1 / (1 - 0.3 * 2), 1e-10);
  near_complex(G[1], 0.7 * I * 2 / (1 - 0.3 * 2), 1e-10);
  near_complex(G[2], 2 / (1 - 0.3 * 2), 1e-10);
}

/** An input of 0.1 A beside 22,000 A, whose flux is met within a tolerance: f = u2 + 1.5 u1. */
static void beside_a_large_amount(void **state) {
  (void)state;
  static const char *const outputs[] = {"L.f"};
  double complex G[2];
  respond(MODEL("<signal id='s' of='R.e'/><Sf id='F' flow='2 A'/><J1 id='a'/><R id='R' r='3 ohm'/>"
                "<R id='Q' r='3 ohm'/><bond from='F' to='a'/><bond from='a' to='R'/>"
                "<bond from='a' to='Q'/><Sf id='G' flow='22000[A]+0.5*s*1[A/V]'/><J1 id='b'/>"
                "<R id='P' r='5 ohm'/><I id='L' l='8610.5 H'/><bond from='G' to='b'/>"
                "<bond from='b' to='P'/><bond from='b' to='L'/>"),
          outputs, 1, 0.7, G);
  near_complex(G[0], 1.5, 1e-8);
  near_complex(G[1], 1, 1e-8);
}

/** A flow that stays as it is, f = u/(1 - k g), is held by forces of 1e7 V, of whose rounding its rate of zero is known. */
static void held_by_large_forces(void **state) {
  (void)state;
  const double g = 90.2767, k = 0.0101, u = 87.0052, f = u / (1 - k * g);
  static const char text[] =
      MODEL("<signal id='s' of='R.e'/><J0 id='n'/><J1 id='m'/><GY id='G' ratio='90.2767 ohm'/>"
            "<Se id='E' effort='92.2908[V]+3.7764*s'/><R id='R' r='0.4691 ohm'/>"
            "<Sf id='F' flow='87.0052[A]+0.0101*s*1[A/V]'/><I id='L' l='6.4468 H'/>"
            "<bond from='n' to='G'/><bond from='G' to='m'/><bond from='E' to='m'/>"
            "<bond from='n' to='R'/><bond from='F' to='m'/><bond from='m' to='L'/>");
  for (int m = 0; m < 4; m++) {
    run r = run_by(text, m);
    assert_near_relative(component(&r, "L.f", 0), f, 1e-9);
    assert_near_relative(component(&r, "R.e", 0), g * f, 1e-9);
    stop(&r);
  }
}

/** An effort of -3e-5 V which a source gives as the difference of terms of 8 V is known to their rounding. The two sources of
 *  effort fix both sides of the gyrator g, and s = r n f of its flow f. With e = u + k s of the capacitor and f = e/g:
 *  e = u/(1 - k r n^2/g). */
static void difference_of_large_terms(void **state) {
  (void)state;
  const double g = 0.0146, n = 39.6254, r0 = 1.0022, k = 90.6106, u = 8.4515;
  const double e = u / (1 - k * r0 * n / g);
  static const char text[] =
      MODEL("<signal id='s' of='R.e'/><J1 id='a'/><J0 id='b'/><GY id='G' ratio='0.0146 ohm'/>"
            "<TF id='T' ratio='39.6254'/><R id='R' r='1.0022 ohm'/><C id='C' c='1.5399 F'/>"
            "<Se id='D' effort='2.519[V]-0.0211*s'/><Se id='E' effort='8.4515[V]+90.6106*s'/>"
            "<bond from='a' to='G'/><bond from='G' to='b'/><bond from='a' to='T'/>"
            "<bond from='T' to='R'/><bond from='D' to='a'/><bond from='b' to='C'/>"
            "<bond from='E' to='b'/>");
  for (int m = 0; m < 4; m++) {
    run r = run_by(text, m);
    assert_near_relative(component(&r, "C.e", 0), e, 1e-9);
    stop(&r);
  }
}

/** Two ways of ratios 1 and 3 between two flows let neither move: the inductor is held at zero, and its flux is zero, not the
 *  rounding of itself. 3 A go into the other. */
static void held_at_zero(void **state) {
  (void)state;
  static const char text[] =
      MODEL("<J1 id='a'/><J0 id='b'/><J1 id='c'/><TF id='T' ratio='1'/><TF id='U' ratio='3'/>"
            "<I id='K' l='0.5 H'/><Se id='E' effort='2 V'/><Sf id='F' flow='3 A'/>"
            "<I id='L' l='3 H'/><Se id='D' effort='0.5 V'/><R id='R' r='0.5 ohm'/>"
            "<bond from='a' to='T'/><bond from='T' to='b'/><bond from='a' to='c'/>"
            "<bond from='a' to='U'/><bond from='U' to='c'/><bond from='b' to='K'/>"
            "<bond from='E' to='c'/><bond from='F' to='b'/><bond from='c' to='L'/>"
            "<bond from='D' to='c'/><bond from='c' to='R'/>");
  for (int m = 0; m < 4; m++) {
    run r = run_by(text, m);
    assert_near(component(&r, "L.f", 0), 0, 0);
    assert_near_relative(component(&r, "K.f", 0), 3.0, 1e-13);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_its_own_storage),     cmocka_unit_test(one_source_reads_another),
      cmocka_unit_test(integral_of_an_impulse), cmocka_unit_test(beside_a_large_amount),
      cmocka_unit_test(held_by_large_forces),   cmocka_unit_test(difference_of_large_terms),
      cmocka_unit_test(held_at_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
