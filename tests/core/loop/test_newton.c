// SPDX-License-Identifier: GPL-3.0-or-later
// Nonlinear algebraic loops against closed forms and bisection.

#include "tests/fixture.h"

/** r2 f^2 + r1 f = V: the linear resistor is folded, the other makes a loop of its own. */
static void quadratic_in_series(void **state) {
  (void)state;
  run r = go("<network domain='electric'><Se id='s' effort='7.3'/><J1 id='j'/>"
             "<R id='a' r='1.9'/><R id='b' r='0.6' exponent='2'/><bond from='s' to='j'/>"
             "<bond from='j' to='a'/><bond from='j' to='b'/></network>",
             0.1);
  double f = (-1.9 + sqrt(1.9 * 1.9 + 4 * 0.6 * 7.3)) / (2 * 0.6);
  assert_near_relative(value(&r, "a.f"), f, 1e-13);
  assert_near_relative(value(&r, "b.e"), 0.6 * f * f, 1e-13);
  stop(&r);
}

/** Two power laws in series and one across them, with a root for comparison. */
static double series_flow(double v) { // 0.6 f^2 + 1.1 f^3 = v
  double low = 0, high = 10;
  for (int i = 0; i < 200; i++) {
    double f = 0.5 * (low + high);
    *(0.6 * f * f + 1.1 * f * f * f > v ? &high : &low) = f;
  }
  return low;
}

static void two_power_laws(void **state) {
  (void)state;
  run r = go("<network domain='electric'><Se id='s' effort='-7.3'/><J0 id='n'/><J1 id='j'/>"
             "<R id='a' r='1.1' exponent='3'/><R id='b' r='0.6' exponent='2'/>"
             "<R id='c' r='0.4' exponent='0.5'/><bond from='s' to='n'/><bond from='n' to='j'/>"
             "<bond from='j' to='a'/><bond from='j' to='b'/><bond from='n' to='c'/></network>",
             0.1);
  double f = series_flow(7.3), g = 7.3 / 0.4 * (7.3 / 0.4);
  assert_near_relative(value(&r, "a.f"), -f, 1e-13);
  assert_near_relative(value(&r, "c.f"), -g, 1e-13);
  assert_near_relative(value(&r, "s.f"), -f - g, 1e-13);
  stop(&r);
}

/** A bridge of five equal square laws: balanced, no flow across; unbalanced, Kirchhoff holds. */
static void bridge_of_square_laws(void **state) {
  (void)state;
  const char *bridge =
      "<network domain='electric'><Se id='s' effort='%s'/><J0 id='p'/><J0 id='m'/><J0 id='n'/>"
      "<J1 id='a'/><J1 id='b'/><J1 id='x'/><R id='ra' r='2' exponent='2'/>"
      "<R id='rb' r='%s' exponent='2'/><R id='rc' r='3' exponent='2'/>"
      "<R id='rd' r='3' exponent='2'/><R id='rx' r='1' exponent='2'/><bond from='s' to='p'/>"
      "<bond from='p' to='a'/><bond from='a' to='ra'/><bond from='a' to='m'/>"
      "<bond from='p' to='b'/><bond from='b' to='rb'/><bond from='b' to='n'/>"
      "<bond from='m' to='rc'/><bond from='n' to='rd'/><bond from='m' to='x'/>"
      "<bond from='x' to='rx'/><bond from='x' to='n'/></network>";
  char text[2400];
  (void)snprintf(text, sizeof text, bridge, "12", "2");
  run even = go(text, 0.1);
  assert_near(value(&even, "rx.f"), 0, 1e-7); // a square law is flat at zero
  assert_near_relative(value(&even, "ra.f"), sqrt(12.0 / 5), 1e-12);
  stop(&even);
  (void)snprintf(text, sizeof text, bridge, "12", "5");
  run odd = go(text, 0.1);
  double a = value(&odd, "ra.f"), b = value(&odd, "rb.f"), c = value(&odd, "rc.f"),
         d = value(&odd, "rd.f"), x = value(&odd, "rx.f");
  assert_near(a, c + x, 1e-12);
  assert_near(b + x, d, 1e-12);
  assert_near(2 * a * a + 3 * c * c, 12, 1e-11);
  assert_near(5 * b * b + 3 * d * d, 12, 1e-11);
  assert_near(2 * a * a + x * x, 5 * b * b, 1e-11);
  stop(&odd);
}

/** A capacitor that empties through two square laws in series: 1/f grows linearly in time.
 *  q' = -f, (r1 + r2) f^2 = q/c: f' = -1/(2 c r). */
static void capacitor_empties(void **state) {
  (void)state;
  run r = go("<network domain='electric'><C id='c' c='0.8' q0='2'/><J1 id='j'/>"
             "<R id='a' r='1.1' exponent='2'/><R id='b' r='0.6' exponent='2'/>"
             "<bond from='c' to='j'/><bond from='j' to='a'/><bond from='j' to='b'/></network>",
             1.5);
  double f = sqrt(2 / (0.8 * 1.7)) - 1.5 / (2 * 0.8 * 1.7);
  assert_near_relative(value(&r, "a.f"), f, 1e-8);
  assert_near_relative(value(&r, "c.q"), 0.8 * 1.7 * f * f, 1e-8);
  stop(&r);
}

/** A dissipation of two components that are coupled, not by a potential: e1 = f1^3 + 2 f2,
 *  e2 = f2 |f2| - 2 f1 + f2/2. Its power is f1^4 + |f2|^3 + f2^2/2. */
static int coupled_law(const void *self, const sb_at *at, sb_variable given, double y[]) {
  (void)self, (void)given;
  double f1 = at->in[0], f2 = at->in[1];
  y[0] = f1 * f1 * f1 + 2 * f2;
  y[1] = f2 * fabs(f2) - 2 * f1 + f2 / 2;
  return 0;
}

static const sb_dissipation_hooks coupled_hooks = {.law = coupled_law};
static const sb_port_spec coupled_ports[] = {
    {"a", .dim = 1, .output = SB_EFFORT}, {"b", .dim = 1, .output = SB_EFFORT}, {0}};
static const sb_param coupled_params[] = {{0}};
static const sb_element_type coupled = {.name = "coupled",
                                        .help = "dissipation of two ports",
                                        .role = SB_DISSIPATION,
                                        .size = 1,
                                        .params = coupled_params,
                                        .ports = coupled_ports,
                                        .dissipation = &coupled_hooks};

/** Both ports are fed through resistors, one of them with a square law. */
static void two_components(void **state) {
  (void)state;
  const char text[] =
      "<screwbond version='1' id='m'><network domain='electric'><Se id='s' effort='7.3'/>"
      "<J0 id='n'/><J1 id='j'/><J1 id='k'/><R id='ra' r='1.9'/><R id='rb' r='0.6' exponent='2'/>"
      "<bond from='s' to='n'/><bond from='n' to='j'/><bond from='n' to='k'/>"
      "<bond from='j' to='ra'/><bond from='k' to='rb'/></network></screwbond>";
  run r = {.netlist = read_netlist(text, NULL, 0)};
  (void)add_element(r.netlist->graph, &coupled, "x");
  add_bond(r.netlist->graph, "j", "x.a");
  add_bond(r.netlist->graph, "k", "x.b");
  r.model = compile_graph(r.netlist->graph);
  start_by(&r, &r.netlist->options);
  advance(&r, 0.1);
  double f1 = value(&r, "ra.f"), f2 = value(&r, "rb.f");
  assert_near(1.9 * f1 + f1 * f1 * f1 + 2 * f2, 7.3, 1e-13);
  assert_near(0.6 * f2 * f2 + f2 * f2 - 2 * f1 + f2 / 2, 7.3, 1e-13);
  assert_true(f1 > 0 && f2 > 0);
  assert_true(ledger_of(&r)->residual_relative < 1e-12);
  stop(&r);
}

/** A law that is flat in places reads the flow, whatever it is given by: L f' = 5 V - min(f, 1 A) of
 *  1 H passes 1 A at ln(5/4), and rises by 4 A/s from then on. */
static void flat_laws_read_the_flow(void **state) {
  (void)state;
  const char *const laws[] = {"flows='-2 -1 0 1 2' efforts='-1 -1 0 1 1'",
                              "law='max(-1[V], min(f*1[ohm], 1[V]))'"};
  for (int i = 0; i < 2; i++) {
    char text[600];
    (void)snprintf(text, sizeof text,
                   "<network domain='electric'><Se id='s' effort='5'/><J1 id='j'/><R id='r' %s/>"
                   "<I id='l' l='1'/><bond from='s' to='j'/><bond from='j' to='r'/>"
                   "<bond from='j' to='l'/></network>",
                   laws[i]);
    run r = go(text, 1);
    assert_near_relative(value(&r, "l.f"), 1 + 4 * (1 - log(1.25)), 1e-9);
    assert_near(value(&r, "r.e"), 1, 1e-12);
    stop(&r);
  }
}

/** A tunnel diode, i = v^3 - 3 v^2 + 2.5 v, behind R and U. With w = v - 1 the loop is
 *  w^3 + (1/R - 1/2) w + 1/2 + 1/R - U/R = 0: one root if R < 2, three where R > 2 and U near 1 + R/2. */
#define TUNNEL(source, r)                                                                          \
  "<network domain='electric'><Se id='s' " source "/><J1 id='j'/><R id='r' r='" r                  \
  "'/><R id='td' law='e^3*1[A/V^3] - e^2*3[A/V^2] + e*2.5[A/V]'/><bond from='s' to='j'/>"          \
  "<bond from='j' to='r'/><bond from='j' to='td'/></network>"

static void tunnel_diode_with_one_solution(void **state) {
  (void)state;
  // across the region of negative slope and back, without a jump: R = 1.6, dw/dU > 0 everywhere
  run r = go(TUNNEL("effort='1.8[V] + 1.3[V]*sin(2*pi*t/1[s])'", "1.6"), 0.75);
  double w = -1, u = 1.8 - 1.3;
  for (int i = 0; i < 100; i++) {
    w -= (w * w * w + 0.125 * w + 1.125 - u / 1.6) / (3 * w * w + 0.125);
  }
  assert_near(value(&r, "td.e"), 1 + w, 1e-12);
  stop(&r);
  r = go(TUNNEL("effort='1.8'", "1.6"), 0.1);
  assert_near(value(&r, "td.e"), 1, 1e-13);
  assert_near(value(&r, "td.f"), 0.5, 1e-13);
  stop(&r);
}

/** The error of a loop that cannot be solved. @param t  out: where the run ended; -1: not started */
static sb_error refuse(const char *inside, const char *method, double *t) {
  char text[3000];
  sb_error err;
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'>%s<run t-end='1 s' step='1 ms' method='%s'/>"
                 "</screwbond>",
                 inside, method);
  assert_int_equal(try_run(text, 2, t, &err), SB_ERR_UNSOLVED);
  return err;
}

/** R = 4, U = 3: w^3 - w/4 = 0. */
static void tunnel_diode_with_three(void **state) {
  (void)state;
  const char *three = TUNNEL("effort='3'", "4");
  double t = -1;
  sb_error err = refuse(three, "dormand-prince-5", &t);
  assert_string_equal(err.text, "the algebraic loop of 'td' has several solutions at t = 0 s: e = "
                                "0.5, 1 or 1.5 V of 'td'");
  assert_string_equal(err.hint,
                      "which of them holds depends on what is not in the model: a small C "
                      "or I beside 'td' decides it");
  assert_near(t, -1, 0); // it does not start
}

/** U = 3 V t/s: the fold is where w^2 = 1/12, w^3 - w/4 = (3 t - 3)/4; it is followed up to the second one,
 *  where it ends. A jump is never made. */
static void tunnel_diode_runs_into_a_fold(void **state) {
  (void)state;
  const char *const methods[] = {"dormand-prince-5", "kvaerno-5", "discrete-gradient"};
  double fold = 1 + 4.0 / 3 * (0.25 - 1.0 / 12) * sqrt(1.0 / 12), t;
  for (int i = 0; i < 3; i += THOROUGH ? 1 : 2) {
    sb_error err = refuse(TUNNEL("effort=\"3[V]*t/1[s]\"", "4"), methods[i], &t);
    assert_non_null(strstr(
        err.text,
        "the algebraic loop of 'td' has no solution that continues the present one at t = 1.064"));
    // steps of 1 ms: the gradient method stops at the last whole one before the fold
    assert_near(t, fold, i < 2 ? 2e-5 : 1e-3);
  }
}

/** A capacitor beside it makes the same circuit a bistable one, with the branch in the state. */
static void capacitor_decides(void **state) {
  (void)state;
  for (int side = -1; side <= 1; side += 2) {
    char text[1500];
    (void)snprintf(text, sizeof text,
                   "<network domain='electric'><Se id='s' effort='3'/><J1 id='j'/>"
                   "<R id='r' r='4'/><J0 id='n'/><C id='c' c='0.1' q0='%s'/>"
                   "<R id='td' law='e^3*1[A/V^3] - e^2*3[A/V^2] + e*2.5[A/V]'/>"
                   "<bond from='s' to='j'/><bond from='j' to='r'/><bond from='j' to='n'/>"
                   "<bond from='n' to='c'/><bond from='n' to='td'/></network>",
                   side < 0 ? "0.097" : "0.104");
    run r = go(text, 8);
    assert_near(value(&r, "td.e"), 1 + 0.5 * side, 1e-6);
    stop(&r);
  }
}

#define BESIDE_R(law)                                                                              \
  "<network domain='electric'><signal id='closing' value='max(1 - t/1[s], 0)'/>"                   \
  "<Sf id='s' flow='1 A'/><J0 id='n'/><R id='r' r='2 ohm'/><R id='v' law='" law "'/>"              \
  "<bond from='s' to='n'/><bond from='n' to='r'/><bond from='n' to='v'/></network>"

/** A law over the effort that signals bring to zero is not inverted where the network leaves that open;
 *  f = g e, e = 2 (1 - f). Over the flow the same law has no value at the end, and says so. */
static void valve_closes_beside_a_resistor(void **state) {
  (void)state;
  double t;
  run r = go(BESIDE_R("closing*3[S]*e"), 0.75);
  assert_near(value(&r, "v.e"), 2 / (1 + 2 * 0.25 * 3), 1e-12);
  stop(&r);
  r = go(BESIDE_R("closing*3[S]*e"), 1.5);
  assert_near(value(&r, "v.e"), 2, 1e-12);
  assert_near(value(&r, "v.f"), 0, 0);
  stop(&r);
  sb_error err = refuse(BESIDE_R("f/3[S]/closing"), "dormand-prince-5", &t);
  assert_contains(err.text, "the algebraic loop of 'v' cannot be solved at t = 1 s");
  assert_near(t, 1, 1e-9);
  assert_contains(err.text, "the law of 'v' is too steep");
  assert_contains(err.hint, "or state the law of 'v' for the other variable");
}

/** A resistor before a law over the effort, and a capacitor. With R nothing de/dt = -g sinh(e)/C, so that
 *  tanh(e/2) = tanh(1/2) exp(-g t/C). */
static void wire_before_a_law(void **state) {
  (void)state;
  static const char *const wires[] = {"1e-6", "1e-9", "1e-12", "1e-15", "1e-18"};
  for (size_t i = 0; i < sizeof wires / sizeof *wires; i++) {
    char text[600];
    (void)snprintf(
        text, sizeof text,
        "<network domain='electric'><Se id='V' effort='1 V'/><R id='w' r='%s ohm'/><C id='c' "
        "c='1.3 F'/><R id='d' law='1e-3[A]*sinh(e/1[V])'/><J1 id='s'/><bond from='V' to='s'/>"
        "<bond from='s' to='w'/><bond from='s' to='c'/><bond from='s' to='d'/></network>",
        wires[i]);
    run r = go(text, 900);
    const double e = 2 * atanh(tanh(0.5) * exp(-1e-3 * 900 / 1.3));
    assert_near(value(&r, "d.e"), e, 1e-7);
    assert_near(value(&r, "d.f"), 1e-3 * sinh(e), 1e-9);
    stop(&r);
  }
}

/** A capacitor C over R and f = Is sinh(e/U). From v = R f + U asinh(f/Is) and C dv/dt = -f the time from f0 to f is
 *  C (R ln(f0/f) + U/Is (asinh(Is/f) - asinh(Is/f0))); f0 and f by bisection with 60 digits. 30 V over 25 mV is more than exp()
 *  has numbers for. */
static void capacitor_over_wire_and_sinh(void **state) {
  (void)state;
  static const struct {
    const char *flow, *effort, *r;
    double v0, t, v, f;
  } cases[] = {
      {"0.001", "100.0", "1.0e-18", 1, 1, 0.55489518208836, 0.12848208729952},
      {"0.001", "100.0", "1.0e-8", 1, 1, 0.55489518780718, 0.12848209299659},
      {"0.001", "100.0", "0.01", 1, 1, 0.56023969928078, 0.13373527773004},
      {"0.001", "100.0", "1.0e+3", 1, 900, 0.53094393098761, 0.00048423705480769},
      {"0.001", "100.0", "1.0e+15", 1, 1, 1.0, 9.999999999999e-16},
      {"1.0e-12", "25.0", "1.0e-18", 30, 1, 0.62244132767105, 0.0325},
      {"1.0e-12", "25.0", "1.0e-6", 30, 1, 0.6224420298003, 0.032500870528545},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[600];
    (void)snprintf(text, sizeof text,
                   "<network domain='electric'><C id='c' c='1.3 F' q0='%g C'/><R id='w' r='%s "
                   "ohm'/><R id='d' law='%s[A]*sinh(e/%s[mV])'/><J1 id='s'/><bond from='c' "
                   "to='s'/><bond from='s' to='w'/><bond from='s' to='d'/></network>",
                   1.3 * cases[i].v0, cases[i].r, cases[i].flow, cases[i].effort);
    run r = go(text, cases[i].t);
    assert_near_relative(value(&r, "c.e"), cases[i].v, 1e-6);
    assert_near_relative(value(&r, "w.f"), cases[i].f, 3e-5); // df/f = dv/U
    stop(&r);
  }
}

/** A table of 0.5 ohm around zero behind a wire, f = 0.8 A exp(-t/(R C)). */
static void wire_before_a_table(void **state) {
  (void)state;
  run r = go("<network domain='electric'><C id='c' c='1.3 F' q0='0.52 C'/><R id='w' r='1e-18 "
             "ohm'/><R id='d' flows='-10 -1 0 1 10' efforts='-3 -0.5 0 0.5 3'/><J1 id='s'/><bond "
             "from='c' to='s'/><bond from='s' to='w'/><bond from='s' to='d'/></network>",
             1);
  assert_near_relative(value(&r, "d.f"), 0.8 * exp(-1 / 0.65), 1e-7);
  stop(&r);
}

/** A diode carries 1 A of an inductor beside a leak of 1e12 ohm: its voltage is that times a flow which nothing of 1 A is left for.
 *  Its law is bounded below, and so cannot be given the flow. */
static void leak_beside_a_diode(void **state) {
  (void)state;
  double t;
  sb_error err =
      refuse("<network domain='electric'><I id='l' l='1 H' p0='-1 V.s'/><R id='g' r='1e12 ohm'/>"
             "<R id='d' law='1e-12[A]*(exp(e/25[mV]) - 1)'/><J0 id='n'/><bond from='n' to='l'/>"
             "<bond from='n' to='g'/><bond from='n' to='d'/></network>",
             "dormand-prince-5", &t);
  assert_contains(err.text, "the algebraic loop of 'd' cannot be solved at t = 0 s: at e = 0.69");
  assert_contains(err.text, "the law of 'd' is too steep");
  assert_contains(err.hint, "or all but infinite");
}

/** Two laws in the loop, one of them falling: R is replaced by 4 f + f^3/1000. */
static void several_with_two_laws(void **state) {
  (void)state;
  double t = -1;
  sb_error err =
      refuse("<network domain='electric'><Se id='s' effort='3'/><J1 id='j'/>"
             "<R id='r' law='f*4[V/A] + f^3*1e-3[V/A^3]'/>"
             "<R id='td' law='e^3*1[A/V^3] - e^2*3[A/V^2] + e*2.5[A/V]'/><bond from='s' to='j'/>"
             "<bond from='j' to='r'/><bond from='j' to='td'/></network>",
             "dormand-prince-5", &t);
  assert_contains(err.text, "has several solutions at t = 0 s: ");
  assert_contains(err.text, "'r'");
  assert_contains(err.text, "'td'");
}

/** Two limiters of 1 A take 1.9 A, and no more than 2 A, which a ramp of 3 A/s reaches at 2/3 s. */
#define LIMITERS(flow)                                                                             \
  "<network domain='electric'><Sf id='s' flow='" flow                                              \
  "'/><J0 id='j'/><R id='a' law='tanh(e/1[V])*1[A]' effort-limit='10 V'/><R id='b' "               \
  "law='tanh(e/1[V])*1[A]' effort-limit='10 V'/><bond from='s' to='j'/><bond from='j' "            \
  "to='a'/><bond from='j' to='b'/></network>"

static void no_solution(void **state) {
  (void)state;
  double t = -1;
  run r = go(LIMITERS("1.9"), 0.1);
  assert_near_relative(value(&r, "a.e"), atanh(0.95), 1e-11);
  stop(&r);
  sb_error err = refuse(LIMITERS("3[A]*t/1[s]"), "dormand-prince-5", &t);
  assert_contains(err.text, "the algebraic loop of 'a', 'b' has no solution at t = 0.6666");
  assert_near(t, 2.0 / 3, 1e-5);
  err = refuse(LIMITERS("3 A"), "dormand-prince-5", &t);
  assert_contains(err.text, "the algebraic loop of 'a', 'b' has no solution at t = 0 s: the "
                            "law of 'b' has no value at f = 2.0000");
  assert_string_equal(err.hint, "what 'b' can take does not reach what the others demand");
}

/** The same of one limiter alone, whose flow is given: it is in no loop. */
static void limiter_alone(void **state) {
  (void)state;
#define LIMITER(flow)                                                                              \
  "<network domain='electric'><Sf id='s' flow='" flow                                              \
  "'/><J0 id='n'/><R id='R' law='1[A]*tanh(e/1[V])' effort-limit='10 V'/><bond from='s' "          \
  "to='n'/><bond from='n' to='R'/></network>"
  double t = -1;
  sb_error err = refuse(LIMITER("3 A"), "dormand-prince-5", &t);
  assert_int_equal(err.status, SB_ERR_UNSOLVED);
  assert_string_equal(err.text, "the law of 'R' has no solution at t = 0 s: no e gives f = 3");
  assert_string_equal(err.hint, "what 'R' can take does not reach what the others demand");
  err = refuse(LIMITER("-2[A]*t/1[s]"), "dormand-prince-5", &t);
  assert_int_equal(err.status, SB_ERR_UNSOLVED);
  assert_contains(err.text, "the law of 'R' has no solution at t = 0.5");
}

/** Efforts of 1e7 beside flows of 1e-6: each is solved to rounding of its own. An orifice, flat at zero,
 *  reads the flow, and a valve that saturates reads the effort. */
static void outputs_of_unlike_size(void **state) {
  (void)state;
  const double p = 1.7e7, k = 4e18, most = 1.2e-6, soft = 5e6;
  run r = go("<network domain='hydraulic'><Se id='s' effort='17 MPa'/><J1 id='j'/>"
             "<R id='a' law='4e18[Pa.s^2/m^6]*f*abs(f)'/>"
             "<R id='b' law='1.2e-6[m^3/s]*tanh(e/5[MPa])'/><bond from='s' to='j'/>"
             "<bond from='j' to='a'/><bond from='j' to='b'/></network>",
             0.1);
  double low = 0, high = most;
  for (int i = 0; i < 200; i++) {
    double f = 0.5 * (low + high);
    *(most * tanh((p - k * f * f) / soft) < f ? &high : &low) = f;
  }
  assert_near_relative(value(&r, "b.f"), low, 1e-12);
  assert_near_relative(value(&r, "a.e"), k * low * low, 1e-12);
  stop(&r);
}

/** A capacitor that empties through a law and a power law that is all but nothing beside it, from 1e-48 C: the effort of that is
 *  1e-12 of the others, and known to its own digits all the same. Steps are those of 1e-60 C, where it is nothing at all. */
static void small_beside_rounding(void **state) {
  (void)state;
  const double R = 0.04 / 0.12 + 0.14, c = 0.1, t = 0.02; // tanh(x) = x
  const char *text = "<screwbond version='1' id='m'><network domain='electric'><C id='c' c='0.1' "
                     "q0='%s'/><J1 id='j'/><R id='a' r='0.73' exponent='1.25'/>"
                     "<R id='b' law='0.04[V]*tanh(f/0.12[A]) + 0.14[V]*f/1[A]'/>"
                     "<bond from='c' to='j'/><bond from='j' to='a'/><bond from='j' to='b'/>"
                     "</network><run t-end='1 s' rtol='1e-10' max-step='1 ms'/></screwbond>";
  const double charges[] = {1e-48, 1e-60};
  long long steps[2];
  for (int i = 0; i < 2; i++) {
    char netlist[900];
    (void)snprintf(netlist, sizeof netlist, text, i == 0 ? "1e-48" : "1e-60");
    run r = start_netlist(netlist);
    advance(&r, t);
    const double f = charges[i] / (R * c) * exp(-t / (R * c));
    assert_near_relative(value(&r, "b.f"), f, 1e-8);
    assert_near_relative(value(&r, "a.e"), 0.73 * pow(value(&r, "b.f"), 1.25), 1e-10);
    steps[i] = ledger_of(&r)->work.steps;
    stop(&r);
  }
  assert_true(llabs(steps[0] - steps[1]) <= 1); // at rest it is 1e-15 of the others, and rounding
}

/** What the power law takes at 1e-290 N.m is far below the least number of the computer: it is nothing, and the table alone, of 6 N.m at
 *  0.9 rad/s, limits the flow. */
static void too_small_for_its_law(void **state) {
  (void)state;
  run r =
      go("<network domain='rotation'><Se id='s' effort='1e-290[N.m]*cos(3*t/1[s])'/><J1 id='j0'/>"
         "<R id='a' flows='-8 -0.9 0 0.9 8' efforts='-74 -6 0 6 74'/><bond from='s' to='j0'/>"
         "<bond from='j0' to='a'/><J0 id='j1'/><TF id='T' ratio='4.5'/><bond from='j0' to='T'/>"
         "<bond from='T' to='j1'/><R id='b' r='3.8'/><bond from='j1' to='b'/><J1 id='j2'/>"
         "<bond from='j2' to='j1'/><R id='c' r='33' exponent='1.25'/><bond from='j2' to='c'/>"
         "</network>",
         2.3);
  const double f = 1e-290 * cos(3 * 2.3) * 0.9 / 6;
  assert_near_relative(value(&r, "a.f"), f, 1e-12);
  assert_near_relative(value(&r, "c.f"), -4.5 * f, 1e-12);
  stop(&r);
}

/** Before the run: what check says, and laws that cannot be inverted where one must be. */
static void known_at_compilation(void **state) {
  (void)state;
  const char *text = "<screwbond version='1' id='m'>" TUNNEL("effort='3'", "4") "</screwbond>";
  run r = prepare(text);
  char *told, *json;
  assert_int_equal(sb_model_describe(r.model, false, &told, NULL), SB_OK);
  assert_int_equal(sb_model_describe(r.model, true, &json, NULL), SB_OK);
  assert_contains(told, "\ncannot start: the algebraic loop of 'td' has several solutions at "
                        "t = 0 s: e = 0.5, 1 or 1.5 V of 'td'\n");
  assert_contains(json, "\"start\": \"the algebraic loop of 'td' has several");
  free(told);
  free(json);
  stop(&r);
}

/** Solar cells in series: each diode reads its voltage as what the others leave of the whole, known to the rounding of as many terms as there are
 *  cells, and is steep. */
static void string_of_cells(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='pv'><run t-end='0.2 ms'/><network domain='electric'><J1 "
      "id='s'/><C "
      "id='C' c='10 uF'/><J0 id='o'/><R id='load' r='28.8 ohm'/><R id='wire' r='0.3 ohm'/><bond "
      "from='s' to='wire'/><bond from='s' to='o'/><bond from='o' to='C'/><bond from='o' "
      "to='load'/><repeat index='k' count='96'><J0 id='c[k]'/><Sf id='I[k]' flow='3 A'/><R "
      "id='D[k]' law='1e-9[A]*(exp(e/26[mV])-1)' effort-limit='2 V'/><R id='Rp[k]' "
      "r='10[ohm]+k*0.1[ohm]'/><bond from='I[k]' to='c[k]'/><bond from='c[k]' to='D[k]'/><bond "
      "from='c[k]' to='Rp[k]'/><bond from='c[k]' to='s'/></repeat></network></screwbond>");
  advance(&r, 2e-4);
  assert_closes(&r);
  stop(&r);
}

/** A ladder of 120 nonlinear resistors: each law reads what all others leave of the source, a sum of as many terms as there are laws, which is
 *  rounded by so many roundings. Newton's method ends there; where it looked for less, it took 40 halvings a step, and the run for ever. */
static void sums_of_many_terms(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='L'><run t-end='1 us' rtol='1e-4'/><network domain='electric'><Se "
      "id='V' effort='5 V'/><J0 id='n[0]'/><bond from='V' to='n[0]'/><repeat index='k' "
      "count='120'><J1 id='j[k]'/><R id='R[k]' r='10 ohm'/><J0 id='n[k]'/><R id='G[k]' "
      "law='1e-3[A/V]*e + 1e-4[A/V^3]*e^3'/><bond from='n[k-1]' to='j[k]'/><bond from='j[k]' "
      "to='R[k]'/><bond from='j[k]' to='n[k]'/><bond from='n[k]' to='G[k]'/></repeat><C id='C' "
      "c='1 nF'/><bond from='n[120]' to='C'/></network></screwbond>");
  advance(&r, 1e-6);
  double e = 5, f = 0; // along the ladder Kirchhoff's laws hold
  for (int k = 1; k <= 120; k++) {
    char name[12];
    (void)snprintf(name, sizeof name, "R[%d].f", k);
    const double through = value(&r, name);
    (void)snprintf(name, sizeof name, "G[%d].e", k);
    const double next = value(&r, name);
    assert_near(e - 10 * through, next, 1e-10);
    assert_near(k == 1 ? f : f - through, k == 1 ? 0 : 1e-3 * e + 1e-4 * e * e * e, 1e-10);
    e = next;
    f = through;
  }
  assert_closes(&r);
  stop(&r);
}

/** Runs w = 8 V sin(100 pi t) into a controller k phi(w - v), `form`, whose plant divides by 1 + Ro/RL, without a storage.
 *  @param law  v by w, asked at 23 times */
static void control(const char *form, double (*law)(double)) {
  char text[1600];
  (void)snprintf(
      text, sizeof text,
      "<screwbond version='1' id='m'><run t-end='20 ms'/><network domain='electric'>"
      "<signal id='w' value='8[V]*sin(2*pi*50[Hz]*t)'/><signal id='v' of='RL.e'/>"
      "<Se id='s' effort='182.8*(%s)'/><J1 id='a'/><R id='Ro' r='4779'/><R id='RL' r='59240'/>"
      "<bond from='s' to='a'/><bond from='a' to='Ro'/><bond from='a' to='RL'/>"
      "</network></screwbond>",
      form);
  run r = start_netlist(text);
  for (int i = 1; i <= 23; i++) {
    const double t = 20e-3 * i / 23;
    advance(&r, t);
    assert_near(value(&r, "RL.e"), law(8 * sin(100 * 3.14159265358979323846 * t)), 1e-9 * 8);
  }
  assert_closes(&r);
  stop(&r);
}

/** g k of the loop. */
static const double loop_gain = 182.8 * 59240 / (4779 + 59240.0);

static double v_dead(double w) {
  return loop_gain / (1 + loop_gain) * copysign(fmax(fabs(w) - 0.01, 0), w);
}

static double v_limited(double w) { // the error is limited to 0.02 V
  return copysign(fmin(loop_gain / (1 + loop_gain) * fabs(w), loop_gain * 0.02), w);
}

/** Dead zones and limits in a feedback without a storage. Just behind the edge of a dead zone what the controller gives is the rounding of w and of the
 *  edge, and no Newton step leaves less of it: "no solution" (SB0506). */
static void kinks_in_feedback(void **state) {
  (void)state;
  control("max(w - v - 0.01[V], 0[V]) + min(w - v + 0.01[V], 0[V])", v_dead);
  control("max(abs(w - v) - 0.01[V], 0[V])*sign(w - v)", v_dead);
  control("if(w - v &gt; 0.01[V], w - v - 0.01[V], if(w - v &lt; -0.01[V], w - v + 0.01[V], 0[V]))",
          v_dead);
  control("(abs(w - v - 0.01[V]) - abs(w - v + 0.01[V]))/2 + w - v", v_dead);
  control("min(max(w - v, -0.02[V]), 0.02[V])", v_limited);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(kinks_in_feedback),         cmocka_unit_test(quadratic_in_series),
      cmocka_unit_test(two_power_laws),          cmocka_unit_test(bridge_of_square_laws),
      cmocka_unit_test(capacitor_empties),       cmocka_unit_test(two_components),
      cmocka_unit_test(flat_laws_read_the_flow), cmocka_unit_test(tunnel_diode_with_one_solution),
      cmocka_unit_test(tunnel_diode_with_three), repeating_test(tunnel_diode_runs_into_a_fold),
      cmocka_unit_test(capacitor_decides),       cmocka_unit_test(valve_closes_beside_a_resistor),
      cmocka_unit_test(wire_before_a_law),       cmocka_unit_test(capacitor_over_wire_and_sinh),
      cmocka_unit_test(wire_before_a_table),     cmocka_unit_test(leak_beside_a_diode),
      cmocka_unit_test(several_with_two_laws),   repeating_test(no_solution),
      cmocka_unit_test(limiter_alone),           cmocka_unit_test(outputs_of_unlike_size),
      cmocka_unit_test(small_beside_rounding),   cmocka_unit_test(too_small_for_its_law),
      cmocka_unit_test(known_at_compilation),    repeating_test(string_of_cells),
      repeating_test(sums_of_many_terms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
