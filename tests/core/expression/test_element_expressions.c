// SPDX-License-Identifier: GPL-3.0-or-later
// Elements whose laws, energies and sources are expressions.
#include "tests/fixture.h"

#define NETLIST(body) "<screwbond version='1' id='m'>\n" body "\n</screwbond>"

/** Runs a netlist and gives a quantity at the end, and the relative energy-balance error. */
static double run_to_end(const char *text, const char *quantity, double *residual) {
  run r = start_netlist(text);
  sb_error err = {0};
  ok(sb_simulation_run(r.sim, r.netlist->t_end, 0, NULL, NULL, &err), &err);
  double found = value(&r, quantity);
  *residual = ledger_of(&r)->residual_relative;
  stop(&r);
  return found;
}

#define DAMPED(R)                                                                                  \
  NETLIST("<network domain='translation'><I id='m' l='0.7 kg' p0='2 N.s'/>"                        \
          "<C id='k' c='0.3 m/N'/>" R "<J1 id='j'/><bond from='j' to='m'/>"                        \
          "<bond from='j' to='k'/><bond from='j' to='R'/></network>"                               \
          "<run t-end='3 s' rtol='1e-10' atol='1e-12'/>")
#define PARALLEL(R)                                                                                \
  NETLIST("<network domain='translation'><I id='m' l='0.7 kg' p0='2 N.s'/>"                        \
          "<C id='k' c='0.3 m/N' q0='1 m'/>" R                                                     \
          "<J0 id='j'/><J1 id='i'/><bond from='i' to='m'/><bond from='i' to='j'/>"                 \
          "<bond from='j' to='k'/><bond from='j' to='R'/></network>"                               \
          "<run t-end='3 s' rtol='1e-10' atol='1e-12'/>")

/** A law is the same as the power law of the kind, in both causalities and both ways round. */
static void laws_of_resistors(void **state) {
  (void)state;
  double residual;
  double expected = run_to_end(DAMPED("<R id='R' r='1.3' exponent='2'/>"), "m.f", &residual);
  assert_near(run_to_end(DAMPED("<R id='R' law='1.3[N.s^2/m^2]*f*abs(f)'/>"), "m.f", &residual),
              expected, 1e-8);
  assert_true(residual < 1e-8);
  assert_near(
      run_to_end(DAMPED("<R id='R' law='sign(e)*sqrt(abs(e)/1.3[N.s^2/m^2])'/>"), "m.f", &residual),
      expected, 1e-7);
  double parallel = run_to_end(PARALLEL("<R id='R' r='1.3' exponent='3'/>"), "m.f", &residual);
  assert_near(run_to_end(PARALLEL("<R id='R' law='1.3[N.s^3/m^3]*f^3'/>"), "m.f", &residual),
              parallel, 1e-7);
  assert_true(residual < 1e-8);
  double linear = run_to_end(PARALLEL("<R id='R' r='1.3'/>"), "m.f", &residual);
  assert_near(run_to_end(PARALLEL("<R id='R' law='1.3[N.s/m]*f'/>"), "m.f", &residual), linear,
              1e-8);
  assert_near(run_to_end(PARALLEL("<R id='R' law='e/1.3[N.s/m]'/>"), "m.f", &residual), linear,
              1e-8);
}

/** An R with a law, alone in a graph. */
static sb_element *add_resistor(const char *law, sb_graph **graph) {
  sb_element *element;
  assert_int_equal(sb_graph_create("one", graph, NULL), SB_OK);
  assert_int_equal(sb_graph_add(*graph, &sb_kind_R, "R", &element, NULL), SB_OK);
  assert_int_equal(sb_element_express(element, "law", law, NULL), SB_OK);
  return element;
}

/** The inverse against the law itself, for laws of all shapes. */
static void inverse_laws(void **state) {
  (void)state;
  static const char *const laws[] = {"2.5*f",
                                     "2.5*f + f^3",
                                     "f^3",
                                     "sinh(f/0.026)",
                                     "0.05*tanh(f/0.1) + 0.01*f",
                                     "f*abs(f)",
                                     "sign(f)*sqrt(abs(f))",
                                     "1e-12*(exp(f/0.026) - 1) + 1e-9*f",
                                     "log(1 + abs(f))*sign(f)"};
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
    sb_graph *graph;
    sb_error err = {0};
    sb_port port = {1, NULL, SB_EFFORT, 1};
    sb_layout layout = {.ports = &port, .port_count = 1, .dim = 1};
    sb_element *element = add_resistor(laws[i], &graph);
    void *self = sb_element_data(element);
    if (sb_kind_R.init(self, &layout, &err) != SB_OK) {
      fail_msg("%s: %s", laws[i], err.text);
    }
    assert_int_equal(port.output, SB_INDIFFERENT);
    for (int k = -60; k <= 24; k++) {
      double f = (k % 2 == 0 ? 1 : -1) * pow(10, k / 10.0) * 0.02, e, back;
      sb_at at = {.in = &f};
      assert_int_equal(sb_kind_R.dissipation->law(self, &at, SB_FLOW, &e), 0);
      if (fabs(e) > 1e290) {
        continue;
      }
      at.in = &e;
      assert_int_equal(sb_kind_R.dissipation->law(self, &at, SB_EFFORT, &back), 0);
      double again;
      at.in = &back;
      assert_int_equal(sb_kind_R.dissipation->law(self, &at, SB_FLOW, &again), 0);
      assert_near(again, e, 1e-12 * fabs(e) + 1e-300);
    }
    sb_graph_destroy(graph);
  }
}

/** Laws that saturate or are flat keep their causality, unless they jump at zero, where they stick; those that give power
 *  are refused. */
static void judged_laws(void **state) {
  (void)state;
  static const struct {
    const char *law;
    sb_variable output;
    const char *message;
  } rows[] = {
      {"tanh(f)", SB_EFFORT, NULL},
      {"max(f - 1, 0) + min(f + 1, 0)", SB_EFFORT, NULL},
      {"sign(f)", SB_INDIFFERENT, NULL},
      {"f*(f - 1)^2", SB_EFFORT, NULL},
      {"tanh(e)", SB_FLOW, NULL},
      {"2*e", SB_INDIFFERENT, NULL},
      {"exp(e/1e-3) - 1", SB_FLOW, NULL}, // overflows at 0.7, as one in millivolts may
      {"-f", SB_EFFORT, "the law gives power at f = 1e-09"},
      {"f + 1", SB_EFFORT, "the law gives power at f = -1e-09"},
      {"if(f < 0, 0, 1)", SB_INDIFFERENT, NULL},
      {"1/f", SB_EFFORT, "the law has no finite value at f = 0"},
      {"log(f + 1)", SB_EFFORT, "the law has no finite value at f = -1"},
      {"2*e + f", SB_EFFORT, "a law depends on the flow f or on the effort e: not on both"},
      {"2", SB_EFFORT, "a law depends on the flow f or on the effort e: it has neither"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sb_graph *graph;
    sb_error err = {0};
    sb_port port = {1, NULL, SB_EFFORT, 1};
    sb_layout layout = {.ports = &port, .port_count = 1, .dim = 1};
    sb_element *element = add_resistor(rows[i].law, &graph);
    sb_status status = sb_kind_R.init(sb_element_data(element), &layout, &err);
    assert_string_equal(err.text, rows[i].message != NULL ? rows[i].message : "");
    assert_int_equal(status, rows[i].message != NULL ? SB_ERR_RANGE : SB_OK);
    if (status == SB_OK) {
      assert_int_equal(port.output, rows[i].output);
    }
    sb_graph_destroy(graph);
  }
}

/** Duffing's oscillator keeps its energy, and a quadratic energy is a linear storage. */
static void energies(void **state) {
  (void)state;
  double residual;
  (void)run_to_end(NETLIST("<network domain='translation'>"
                           "<C id='k' energy='3[N/m]*q^2/2 + 7[N/m^3]*q^4/4' q0='1.2 m'/>"
                           "<I id='m' energy='p^2/(2*0.7[kg])'/><J1 id='j'/><bond from='j' to='k'/>"
                           "<bond from='j' to='m'/></network>"
                           "<run t-end='20 s' rtol='1e-10' atol='1e-12'/>"),
                   "k.q", &residual);
  assert_true(residual < 1e-8);
  double expected = run_to_end(DAMPED("<R id='R' r='1.3'/>"), "m.f", &residual);
  double value =
      run_to_end(NETLIST("<network domain='translation'>"
                         "<I id='m' energy='p^2/1.4[kg]' p0='2 N.s'/>"
                         "<C id='k' energy='q^2/0.6[m/N]'/><R id='R' r='1.3'/><J1 id='j'/>"
                         "<bond from='j' to='m'/><bond from='j' to='k'/>"
                         "<bond from='j' to='R'/></network>"
                         "<run t-end='3 s' rtol='1e-10' atol='1e-12'/>"),
                 "m.f", &residual);
  assert_near(value, expected, 1e-8);
}

/** An energy that no state changes is a slip. */
static void constant_energies(void **state) {
  (void)state;
  sb_netlist *c = read_netlist(
      NETLIST("<network domain='electric'><C id='x' energy='1[J]'/></network>"), NULL, 0);
  refuse_graph(c->graph, SB_ERR_RANGE, "C 'x': the energy does not depend on q");
  c->graph = NULL;
  sb_netlist_destroy(c);
  sb_netlist *l = read_netlist(
      NETLIST("<network domain='electric'><I id='x' energy='1[J]'/></network>"), NULL, 0);
  refuse_graph(l->graph, SB_ERR_RANGE, "I 'x': the energy does not depend on p");
  l->graph = NULL;
  sb_netlist_destroy(l);
}

#define DRIVEN(source)                                                                             \
  NETLIST("<network domain='electric'>" source "<R id='R' r='3 ohm'/>"                             \
          "<I id='L' l='20 mH'/><J1 id='j'/><bond from='s' to='j'/>"                               \
          "<bond from='j' to='R'/><bond from='j' to='L'/></network>"                               \
          "<run t-end='0.1 s' rtol='1e-10' atol='1e-12'/>")

/** An expression of time against the waveforms. */
static void sources(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {DRIVEN("<Se id='s' effort='5 V' waveform='ramp' start='7 ms' rise='50 ms'/>"),
       DRIVEN("<Se id='s' effort='5[V]*min(max(t - 7[ms], 0)/50[ms], 1)'/>")},
      {DRIVEN("<Se id='s' effort='5 V' waveform='step' start='13 ms'/>"),
       DRIVEN("<Se id='s' effort='if(t &lt; 13[ms], 0, 5[V])'/>")},
      {DRIVEN("<Se id='s' effort='5 V' waveform='sine' frequency='50 Hz'/>"),
       DRIVEN("<Se id='s' effort='5[V]*sin(2*pi*50[Hz]*t)'/>")},
      {DRIVEN("<Se id='s' waveform='table' times='0 10 20 30 40 50 60 70 80 90 100 ms' "
              "values='0 5 0 5 0 5 0 5 0 5 0 V'/>"),
       DRIVEN("<Se id='s' effort='5[V]*abs(mod(t/10[ms] + 1, 2) - 1)'/>")},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    double residual, expected = run_to_end(pairs[i][0], "L.f", &residual);
    assert_near(run_to_end(pairs[i][1], "L.f", &residual), expected, 1e-9);
    assert_true(residual < 1e-8);
  }
}

/** From C: an expression takes the place of numbers, and numbers that of an expression. */
static void setters(void **state) {
  (void)state;
  sb_graph *graph;
  assert_int_equal(sb_graph_create("one", &graph, NULL), SB_OK);
  sb_element *element;
  sb_error err = {0};
  const double five = 5, at_time = 0.02;
  double y;
  assert_int_equal(sb_graph_add(graph, &sb_kind_Se, "S", &element, &err), SB_OK);
  void *self = sb_element_data(element);
  const sb_at at = {.t = at_time, .inside = at_time};
  assert_int_equal(sb_element_express(element, "effort", "7*min(t/0.05, 1)", &err), SB_OK);
  assert_int_equal(sb_kind_Se.source->value(self, &at, &y), 0);
  assert_near(y, 2.8, 1e-15);
  assert_int_equal(sb_kind_Se.source->rate(self, &at, &y), 0);
  assert_near(y, 140, 1e-12);
  assert_int_equal(sb_element_express(element, "effort", "7*tt", &err), SB_ERR_REFERENCE);
  assert_int_equal(err.column, 3);
  assert_int_equal(sb_kind_Se.source->value(self, &at, &y), 0);
  assert_near(y, 140 * at_time, 1e-15);
  assert_int_equal(sb_element_set(element, "effort", &five, 1, &err), SB_OK);
  assert_int_equal(sb_kind_Se.source->value(self, &at, &y), 0);
  assert_near(y, 5, 0);
  assert_int_equal(sb_element_express(element, "start", "7*t", &err), SB_ERR_CHOICE);
  assert_string_equal(err.text, "start takes no expression");
  assert_int_equal(sb_element_express(element, "law", "7*t", &err), SB_ERR_ATTRIBUTE);
  sb_graph_destroy(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laws_of_resistors), cmocka_unit_test(inverse_laws),
      cmocka_unit_test(judged_laws),       cmocka_unit_test(energies),
      cmocka_unit_test(constant_energies), cmocka_unit_test(sources),
      cmocka_unit_test(setters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
