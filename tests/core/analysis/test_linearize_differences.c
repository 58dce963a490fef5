// SPDX-License-Identifier: GPL-3.0-or-later
// Linearisation by differences: their errors, what they lose no digit of, and kinks and jumps, where there is no derivative.
#include "tests/core/analysis/linearized.h"

static void energy_and_power_are_differenced(void **state) {
  (void)state;
  const char *const outputs[] = {"C1.energy", "C1.e"};
  point p;
  start_point(&p, rlc);
  linearize(&p, outputs, 2, false);
  assert_near_relative(p.linear->C[0 * 2 + 1], 1e-6 / 2.385e-6, 1e-7); // dH/dq = q/c; L1.p is first
  assert_near_relative(p.linear->C[1 * 2 + 1], 1 / 2.385e-6, 1e-9);
  assert_near_relative(p.linear->A[1], -1 / 2.385e-6, 1e-15); // exact all the same
  stop_point(&p);
}

/** Beside a kink the matrices are those of one side: no difference looks across. */
static void one_side_of_a_kink(void **state) {
  (void)state;
  static const struct {
    const char *q0;
    double stiffness, slope;
  } rows[] = {{"1e-9 m", 700, 2}, {"-1e-9 m", 0, 5}, {"3 mm", 700, 2}};
  for (int i = 0; i < 3; i++) {
    char text[900];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><network domain='translation'><C id='k' "
                   "energy='350[N/m]*max(0[m], q)^2' q0='%s'/><I id='m' mass='2 kg'/><J1 id='j'/>"
                   "<bond from='j' to='k'/><bond from='j' to='m'/><signal id='s' of='k.q'/>"
                   "<signal id='y' rate='if(s &lt; 0[m], 5*s, 2*s)*1[1/s]'/></network>"
                   "<run t-end='1 s'/></screwbond>",
                   rows[i].q0);
    point p;
    start_point(&p, text);
    linearize(&p, NULL, 0, false);
    const int n = p.linear->states;
    assert_int_equal(n, 3);
    assert_near(p.linear->A[1 * n + 0], -rows[i].stiffness, 1e-6);
    assert_near(p.linear->A[0 * n + 1], 0.5, 1e-12);
    assert_near(p.linear->A[2 * n + 0], rows[i].slope, 1e-9);
    stop_point(&p);
  }
}

/** A mass of 1 kg and a spring of 1 N/m that move from v0 and 0 m, and what acts on the mass. */
static void start_mass(point *p, const char *parts, const char *v0, char text[TEXT_MAX]) {
  (void)snprintf(
      text, TEXT_MAX,
      "<screwbond version='1' id='m'><network domain='translation'><Se id='G' effort='0 N'/>"
      "<I id='m' mass='1 kg' p0='%s'/><C id='k' c='1 m/N'/><J1 id='j'/><bond from='G' "
      "to='j'/><bond from='j' to='m'/><bond from='j' to='k'/><signal id='v' of='m.f'/>"
      "<signal id='x' of='k.q'/><signal id='g' of='G.e'/>%s</network>" RUN "</screwbond>",
      v0, parts);
  start_point(p, text);
}
#define FORCE(effort) "<Se id='F' effort='" effort "'/><bond from='F' to='j'/>"
#define LAW(law) "<R id='F' law='" law "'/><bond from='j' to='F'/>"

/** On a kink or a jump there is no linear model; the element is named at its place. */
static void kinks_and_jumps_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *parts, *v0, *what, *element;
  } rows[] = {
      {FORCE("-1[N.s/m]*abs(v)"), "0 N.s", "Se 'F' has a kink", "<Se id='F'"},
      {FORCE("if(v&gt;0[m/s], -1[N.s/m]*v, 1[N])"), "0 N.s", "Se 'F' has a jump", "<Se id='F'"},
      {FORCE("if(v&gt;=0[m/s], -1[N.s/m]*v, 1[N])"), "0 N.s", "Se 'F' has a jump", "<Se id='F'"},
      {FORCE("-2[N]*floor(v/0.1[m/s])"), "0.3 N.s", "Se 'F' has a jump", "<Se id='F'"},
      {FORCE("-2[N.s/m]*mod(v, 0.1[m/s])"), "0.2 N.s", "Se 'F' has a jump", "<Se id='F'"},
      {FORCE("-1[N.s/m]*max(v - 0.3[m/s], 0[m/s])"), "0.3 N.s", "Se 'F' has a kink", "<Se id='F'"},
      {LAW("3[N.s/m]*f + max(0[N], 2[N.s/m]*f)"), "0 N.s", "R 'F' has a kink", "<R id='F'"},
      {"<signal id='s' value='max(-v, 2*v)'/>" FORCE("-1[N.s/m]*s"), "0 N.s",
       "signal 's' has a kink", "<signal id='s'"},
      {"<signal id='s' value='abs(v)'/>" FORCE("-1[N.s/m]*max(v, 0[m/s])"), "0 N.s",
       "Se 'F' has a kink", "<Se id='F'"},
      {FORCE("max(0[N], g)"), "0 N.s", "Se 'F' has a kink", "<Se id='F'"}, // of the source G
      {FORCE("max(0[N], min(3[N.s/m]*v, 2[N/m]*x))"), "0 N.s", "Se 'F' has a kink", "<Se id='F'"},
      {"<C id='F' energy='350[N/m]*max(0[m], q)^2'/><bond from='j' to='F'/>", "0 N.s",
       "C 'F' has a kink", "<C id='F'"},
      {"<R id='F' flows='-1 0 2 m/s' efforts='-3 0 5 N'/><bond from='j' to='F'/>", "0 N.s",
       "R 'F' has a kink", "<R id='F'"},
      {"<R id='F' flows='-1 0 0.3 2 m/s' efforts='-3 0 0.9 5 N'/><bond from='j' to='F'/>",
       "0.3 N.s", "R 'F' has a kink", "<R id='F'"},
      // What decides is a difference of 1e-16 of terms that are rounded: 0.1*3 is not 0.3
      {FORCE("-1[N.s/m]*max(0[m/s], v - 0.3[m/s])"), "0.1*3[N.s]", "Se 'F' has a kink",
       "<Se id='F'"},
      {FORCE("-1[N.s/m]*abs(v - 0.3[m/s])"), "0.1*3[N.s]", "Se 'F' has a kink", "<Se id='F'"},
      {FORCE("1[N]*sign(0.3[m/s] - v)"), "0.1*3[N.s]", "Se 'F' has a jump", "<Se id='F'"},
      {FORCE("if(v - 0.3[m/s] &lt; 0[m/s], 1[N], 2[N])"), "0.1*3[N.s]", "Se 'F' has a jump",
       "<Se id='F'"},
      {FORCE("if(v + 1[m/s] - 1.3[m/s] &gt;= 0[m/s], 1[N], 2[N])"), "0.3 N.s", "Se 'F' has a jump",
       "<Se id='F'"},
      {FORCE("2[N]*(v &gt; 0.3[m/s])"), "0.1*3[N.s]", "Se 'F' has a jump", "<Se id='F'"},
      {FORCE("-2[N]*floor((v - 0.3[m/s])/0.2[m/s])"), "0.1*3[N.s]", "Se 'F' has a jump",
       "<Se id='F'"},
      {FORCE("-1[N.s/m]*max(0[m/s], x*1[1/s] + 0.3[m/s] - v0)") "<signal id='v0' "
                                                                "value='0.1*3[m/s]'/>",
       "0 N.s", "Se 'F' has a kink", "<Se id='F'"},
      {"<signal id='d' value='v - 0.3[m/s]'/>" FORCE("-1[N.s/m]*max(0[m/s], d)"), "0.1*3[N.s]",
       "Se 'F' has a kink", "<Se id='F'"}, // of a signal
      {"<Se id='H' effort='0.1*3[N]'/><bond from='H' to='j'/><signal id='h' of='H.e'/><signal "
       "id='d' value='h - 0.3[N]'/>" FORCE("max(0[N], d)"),
       "0 N.s", "Se 'F' has a kink", "<Se id='F'"}, // of a source
      {"<Sf id='H' flow='0.1*3[m/s]'/><R id='F' flows='-1 0 2 m/s' efforts='-3 0 5 N'/>"
       "<J0 id='o'/><bond from='H' to='o'/><bond from='o' to='F'/><bond from='j' to='o'/>",
       "-0.3 N.s", "R 'F' has a kink", "<R id='F'"}, // a table between them
  };
  static char text[TEXT_MAX];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    point p;
    sb_error err = {0};
    const sb_linear_request request = {0};
    start_mass(&p, rows[i].parts, rows[i].v0, text);
    assert_int_equal(sb_linearize(p.r.sim, &request, &p.linear, &err), SB_ERR_USAGE);
    assert_contains(err.text, rows[i].what);
    assert_contains(err.text, " at the operating point: the ");
    assert_contains(err.hint, "linearize at another operating point");
    assert_int_equal(err.line, 1);
    assert_int_equal(err.column, strstr(text, rows[i].element) - text + 1);
    assert_null(p.linear);
    stop(&p.r);
  }
}

/** dF/dv and dF/dx, where both sides agree, or away from the kink. */
static void what_has_derivatives_on_a_kink_is_linearised(void **state) {
  (void)state;
  static const struct {
    const char *parts, *v0;
    double of_v, of_x;
  } rows[] = {
      {FORCE("-1[N.s^2/m^2]*abs(v)*v"), "0 N.s", 0, 0},
      {FORCE("-1[N.s^2/m^2]*abs(v)*v"), "-0.7 N.s", -1.4, 0},
      {"<signal id='s' value='abs(v)'/>" FORCE("-1[N.s^2/m^2]*s*v"), "0 N.s", 0, 0},
      {"<signal id='s' value='abs(v)'/>" FORCE("-3[N.s/m]*v"), "0 N.s", -3, 0}, // nothing reads it
      {FORCE("-3[N.s/m]*(max(0[m/s], v) - max(0[m/s], -v))"), "0 N.s", -3, 0},  // is -3 v
      {FORCE("-1.3[N.s/m]*(max(v, 0[m/s]) + min(0[m/s], v)) + 2[N.s/m^2]*x*sign(v)*v"), "0 N.s",
       -1.3, 0},
      {FORCE("-3[N.s^2/m^2]*max(0[m/s], v - 0.3[m/s])^2"), "0.3 N.s", 0, 0},
      {FORCE("-3[N.s^1.5/m^1.5]*max(0[m/s], v)^1.5"), "0 N.s", 0, 0},
      {FORCE("min(max(-7[N.s/m]*v - 4[N/m]*x, -2[N]), 2[N])"), "0 N.s", -7, -4}, // a saturation
      {FORCE("min(max(-7[N.s/m]*v - 4[N/m]*x, -2[N]), 2[N])"), "1 N.s", 0, 0},
      {FORCE("-1[N.s/m]*abs(v)"), "1e-9 N.s", -1, 0},
      {FORCE("-1[N.s/m]*abs(v)"), "-1e-9 N.s", 1, 0},
      {FORCE("-1[N.s/m]*abs(v)"), "-1e-16 N.s", 1, 0}, // no terms cancel: it is beside the kink
      {FORCE("-1[N.s/m]*max(0[m/s], v - 0.3[m/s])"), "0.30000000000003 N.s", -1, 0},
      {FORCE("-3[N.s^2/m^2]*max(0[m/s], v - 0.3[m/s])^2"), "0.1*3[N.s]", 0, 0},
      {FORCE("-0.03[N.s^1.5/m^1.5]*max(0[m/s], v - 0.3[m/s])^1.5"), "0.1*3[N.s]", 0, 0},
      {FORCE("if(t &lt; 0[s], 1[N], 2[N]) - 0.6[N.s/m]*v"), "0 N.s", -0.6, 0}, // of the time alone
      {LAW("3[N.s^2/m^2]*abs(f)*f"), "0 N.s", 0, 0},
      {"<R id='F' flows='-1 0 0.3 2 m/s' efforts='-3 0 0.9 5 N'/><bond from='j' to='F'/>", "0 N.s",
       -3, 0},
      {"<C id='F' energy='350[N/m^2]*max(0[m], q)^3'/><bond from='j' to='F'/>", "0 N.s", 0, 0},
  };
  static char text[TEXT_MAX];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    point p;
    start_mass(&p, rows[i].parts, rows[i].v0, text);
    linearize(&p, NULL, 0, false);
    const double *row = p.linear->A; // m.p, k.q, and the state of another C
    assert_near(row[0], rows[i].of_v, 1e-6);
    assert_near(row[1], -1 + rows[i].of_x, 1e-6);
    stop_point(&p);
  }
}

/** A source in a loop of gain k/r = 1.4e6, e = u + c + k e/r: p' = e, so that B = 1/(1 - k/r), however large the constant c is. */
static void constants_beside_signals_cost_no_digits(void **state) {
  (void)state;
  const char *const outputs[] = {"R.f", "s"};
  point p;
  start_point(&p,
              "<screwbond version='1' id='g'><network domain='electric'><signal id='s' of='R.f'/>"
              "<J0 id='j'/><R id='R' r='2.5e-6 ohm'/><I id='I' l='0.7 H'/>"
              "<Se id='E' effort='5.9e6[V] + 3.5[ohm]*s'/><bond from='E' to='j'/>"
              "<bond from='j' to='R'/><bond from='j' to='I'/></network>" RUN "</screwbond>");
  linearize(&p, outputs, 2, false);
  const double gain = 1 / (1 - 3.5 / 2.5e-6);
  assert_true(p.linear->exact);
  assert_near_relative(p.linear->D[1], gain / 2.5e-6, 1e-14);
  assert_near_relative(p.linear->B[0], gain, 1e-14);
  assert_near_relative(p.linear->D[0], gain / 2.5e-6, 1e-14);
  stop_point(&p);
}

/** Whether a number is known to within its error, which is not many times what it is off by. */
static void within(double value, double error, double truth, double terms) {
  assert_true(fabs(value - truth) <= error);
  assert_true(error <= 1e-9 * terms);
}

/** Entries beside others that are 15 decades larger: what differences have of them is told. Two capacitors, joined by a resistor g, with a
 *  diode of the third degree beside the first. */
static void errors_of_differences_are_told(void **state) {
  (void)state;
  for (int i = 0; i < 12; i++) {
    const double g = 1e-8 * pow(10, i);
    const char *const outputs[] = {"g.f"};
    char text[1000];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='d'><network domain='electric'><J0 id='a'/><J0 id='b'/><J1 "
        "id='j'/>"
        "<C id='A' c='1 F' q0='1 C'/><C id='B' c='1 F' q0='0.5 C'/><R id='g' r='%.17g ohm'/>"
        "<R id='D' law='1e7[A/V^3]*e^3'/><Sf id='S' flow='0 A'/><bond from='a' to='A'/>"
        "<bond from='a' to='D'/><bond from='S' to='a'/><bond from='a' to='j'/>"
        "<bond from='j' to='g'/><bond from='j' to='b'/><bond from='b' to='B'/></network>" RUN
        "</screwbond>",
        1 / g);
    point p;
    start_point(&p, text);
    linearize(&p, outputs, 1, false);
    const sb_linear *l = p.linear;
    within(l->A[0], l->error.A[0], -3e7 - g, 3e7);
    within(l->A[1], l->error.A[1], g, 3e7);
    within(l->A[2], l->error.A[2], g, g);
    within(l->A[3], l->error.A[3], -g, g);
    within(l->C[0], l->error.C[0], g, g);
    within(l->B[0], l->error.B[0], 1, 3e7);
    assert_true(l->A[1] == 0 || fabs(l->A[1] - g) < g);
    stop_point(&p);
  }
}

/** Of what constraints hold, as well: two masses on one rod, which a source drives, on a spring of the third degree. Where no
 *  difference is taken nothing but the rounding of an elimination with more digits is left. */
static void errors_of_constrained_entries(void **state) {
  (void)state;
  const double m1 = 3, m2 = 1e-9, k = 3 * 1e5 * 0.1 * 0.1;
  point p;
  start_point(&p, "<screwbond version='1' id='d'><network domain='translation'><J1 id='j'/>"
                  "<I id='M' mass='3 kg'/><I id='m' mass='1e-9 kg'/><C id='k' q0='0.1 m' "
                  "energy='1e5[N/m^3]*q^4/(4[m])*1[m]'/><Se id='F' effort='0 N'/>"
                  "<bond from='j' to='M'/><bond from='j' to='m'/><bond from='j' to='k'/>"
                  "<bond from='F' to='j'/></network>" RUN "</screwbond>");
  linearize(&p, NULL, 0, false);
  const sb_linear *l = p.linear;
  assert_int_equal(l->states, 2);
  const int spring = l->state[0] == 2 ? 0 : 1, mass = 1 - spring;
  const double share = (l->state[mass] == 0 ? m1 : m2) / (m1 + m2);
  within(l->A[mass * 2 + spring], l->error.A[mass * 2 + spring], -share * k, k);
  within(l->A[spring * 2 + mass], l->error.A[spring * 2 + mass], 1 / (share * (m1 + m2)), 1);
  within(l->B[mass], l->error.B[mass], share, 1);
  stop_point(&p);
  start_point(&p, rlc);
  linearize(&p, NULL, 0, false);
  for (int i = 0; i < p.linear->states * p.linear->states; i++) {
    assert_true(p.linear->error.A[i] <= 1e-25 * fabs(p.linear->A[i]));
  }
  stop_point(&p);
}

static bool one_row_and_what_vanishes(void *context, double out[]) {
  const double x = *(const double *)context;
  out[0] = exp(3 * x) + 7;
  out[1] = fabs(x) < 1e-11 ? 1e-30 * x : 1e-20 * (sin(1e15 * x) + x); // rounding that wakes up
  return true;
}

/** A row that is rounding does not end the steps of another: exp(3 x) + 7 at 0 needs wide ones, as it is known to 1e-15. */
static void rows_are_differenced_each_by_its_own_steps(void **state) {
  (void)state;
  double x = 0;
  sb_arena memory = {0};
  sb_differences d = {.evaluate = one_row_and_what_vanishes, .context = &x, .rows = 2};
  assert_true(sb_differences_init(&d, &memory));
  assert_true(sb_differences_take(&d, &x));
  assert_near(d.column[0], 3, 1e-9);
  assert_near(d.column[0], 3, d.error[0]);
  sb_arena_finish(&memory);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_differenced_each_by_its_own_steps),
      cmocka_unit_test(energy_and_power_are_differenced),
      cmocka_unit_test(constants_beside_signals_cost_no_digits),
      cmocka_unit_test(one_side_of_a_kink),
      cmocka_unit_test(kinks_and_jumps_are_refused),
      cmocka_unit_test(what_has_derivatives_on_a_kink_is_linearised),
      cmocka_unit_test(errors_of_differences_are_told),
      cmocka_unit_test(errors_of_constrained_entries),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
