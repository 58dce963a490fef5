// SPDX-License-Identifier: GPL-3.0-or-later
// Nonlinear algebraic loops against closed forms and bisection.
#include "run_network.h"

/** r2 f^2 + r1 f = V: the linear resistor is folded, the other makes a loop of its own. */
static void quadratic_in_series(void **state) {
  (void)state;
  run r = go("<network domain=\"electric\"><Se id=\"s\" effort=\"7.3\"/><J1 id=\"j\"/><R id=\"a\" "
             "r=\"1.9\"/><R id=\"b\" "
             "r=\"0.6\" exponent=\"2\"/><bond from=\"s\" to=\"j\"/><bond from=\"j\" to=\"a\"/>"
             "<bond from=\"j\" to=\"b\"/></network>",
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
  run r =
      go("<network domain=\"electric\"><Se id=\"s\" effort=\"-7.3\"/><J0 id=\"n\"/><J1 "
         "id=\"j\"/><R id=\"a\" r=\"1.1\" "
         "exponent=\"3\"/><R id=\"b\" r=\"0.6\" exponent=\"2\"/><R id=\"c\" r=\"0.4\" "
         "exponent=\"0.5\"/><bond from=\"s\" to=\"n\"/><bond from=\"n\" to=\"j\"/><bond "
         "from=\"j\" to=\"a\"/><bond from=\"j\" to=\"b\"/><bond from=\"n\" to=\"c\"/></network>",
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
      "<network domain=\"electric\"><Se id=\"s\" effort=\"%s\"/><J0 id=\"p\"/><J0 id=\"m\"/><J0 "
      "id=\"n\"/><J1 id=\"a\"/><J1 "
      "id=\"b\"/><J1 id=\"x\"/><R id=\"ra\" r=\"2\" exponent=\"2\"/><R id=\"rb\" r=\"%s\" "
      "exponent=\"2\"/><R id=\"rc\" r=\"3\" exponent=\"2\"/><R id=\"rd\" r=\"3\" "
      "exponent=\"2\"/><R id=\"rx\" r=\"1\" exponent=\"2\"/><bond from=\"s\" to=\"p\"/><bond "
      "from=\"p\" to=\"a\"/><bond from=\"a\" to=\"ra\"/><bond from=\"a\" to=\"m\"/><bond "
      "from=\"p\" to=\"b\"/><bond from=\"b\" to=\"rb\"/><bond from=\"b\" to=\"n\"/><bond "
      "from=\"m\" to=\"rc\"/><bond from=\"n\" to=\"rd\"/><bond from=\"m\" to=\"x\"/><bond "
      "from=\"x\" to=\"rx\"/><bond from=\"x\" to=\"n\"/></network>";
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
  run r = go("<network domain=\"electric\"><C id=\"c\" c=\"0.8\" q0=\"2\"/><J1 id=\"j\"/><R "
             "id=\"a\" r=\"1.1\" exponent=\"2\"/>"
             "<R id=\"b\" r=\"0.6\" exponent=\"2\"/><bond from=\"c\" to=\"j\"/><bond from=\"j\" "
             "to=\"a\"/><bond from=\"j\" to=\"b\"/></network>",
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
      "<screwbond version=\"1\" id=\"m\"><network domain=\"electric\"><Se id=\"s\" "
      "effort=\"7.3\"/><J0 id=\"n\"/><J1 id=\"j\"/><J1 id=\"k\"/><R id=\"ra\" r=\"1.9\"/><R "
      "id=\"rb\" r=\"0.6\" exponent=\"2\"/><bond from=\"s\" to=\"n\"/><bond from=\"n\" "
      "to=\"j\"/><bond from=\"n\" to=\"k\"/><bond from=\"j\" to=\"ra\"/><bond from=\"k\" "
      "to=\"rb\"/></network></screwbond>";
  run r = {0};
  sb_errors errors = {0};
  assert_int_equal(sb_netlist_parse("m.xml", text, strlen(text), NULL, 0, &r.netlist, &errors),
                   SB_OK);
  sb_graph *graph = r.netlist->graph;
  assert_int_equal(sb_graph_add(graph, &coupled, "x", NULL, NULL), SB_OK);
  assert_int_equal(sb_graph_bond(graph, "j", "x.a", NULL), SB_OK);
  assert_int_equal(sb_graph_bond(graph, "k", "x.b", NULL), SB_OK);
  assert_int_equal(sb_model_compile(graph, &r.model, &errors), SB_OK);
  assert_int_equal(sb_simulation_create(r.model, &r.netlist->options, &r.sim, NULL), SB_OK);
  assert_int_equal(sb_simulation_advance(r.sim, 0.1, NULL), SB_OK);
  double f1 = value(&r, "ra.f"), f2 = value(&r, "rb.f");
  assert_near(1.9 * f1 + f1 * f1 * f1 + 2 * f2, 7.3, 1e-13);
  assert_near(0.6 * f2 * f2 + f2 * f2 - 2 * f1 + f2 / 2, 7.3, 1e-13);
  assert_true(f1 > 0 && f2 > 0);
  assert_true(sb_simulation_ledger(r.sim)->residual_relative < 1e-12);
  stop(&r);
}

/** A law that is flat in places reads the flow, whatever it is given by: L f' = 5 V - min(f, 1 A) of
 *  1 H passes 1 A at ln(5/4), and rises by 4 A/s from then on. */
static void flat_laws_read_the_flow(void **state) {
  (void)state;
  const char *const laws[] = {"flows=\"-2 -1 0 1 2\" efforts=\"-1 -1 0 1 1\"",
                              "law=\"max(-1[V], min(f*1[ohm], 1[V]))\""};
  for (int i = 0; i < 2; i++) {
    char text[600];
    (void)snprintf(text, sizeof text,
                   "<network domain=\"electric\"><Se id=\"s\" effort=\"5\"/><J1 id=\"j\"/><R "
                   "id=\"r\" %s/><I id=\"l\" l=\"1\"/><bond from=\"s\" to=\"j\"/><bond "
                   "from=\"j\" to=\"r\"/><bond from=\"j\" to=\"l\"/></network>",
                   laws[i]);
    run r = go(text, 1);
    assert_near_relative(value(&r, "l.f"), 1 + 4 * (1 - log(1.25)), 1e-9);
    assert_near(value(&r, "r.e"), 1, 1e-12);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quadratic_in_series),   cmocka_unit_test(two_power_laws),
      cmocka_unit_test(bridge_of_square_laws), cmocka_unit_test(capacitor_empties),
      cmocka_unit_test(two_components),        cmocka_unit_test(flat_laws_read_the_flow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
