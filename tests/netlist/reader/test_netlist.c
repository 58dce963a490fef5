// SPDX-License-Identifier: GPL-3.0-or-later
// Netlists: what a file says arrives in the graph.
#include "tests/netlist/reader/parsing.h"

enum { TEXT = 8192 };

static const char rlc[] = "<screwbond version='1' id='rlc'>\n"
                          "<parameters>"
                          "<param id='R0' value='R00'/> <param id='R00' value='2.385 kohm'/>"
                          "<param id='C0' value='3' unit='uF' min='1' max='5 uF'/>"
                          "</parameters>\n"
                          "<network domain='electric'>"
                          "<Se id='src' effort='-V0' start='2 ms' waveform='step'/>"
                          "<R id='R1' r='R0'/> <C id='C1' capacitance='C0' q0='-7 mC'/>"
                          "<I id='L1' l='13 mH'/> <J1 id='loop'/>"
                          "<bond from='src' to='loop'/> <bond from='loop' to='R1'/>"
                          "<bond from='loop' to='L1'/> <bond from='loop' to='C1'/>"
                          "</network>\n"
                          "<parameters><param id='V0' value='5 V'/></parameters>"
                          "<run t-end='20 ms' method='implicit-midpoint' step='3 us'"
                          " rtol='1e-7' atol='1e-11' sample='10 us' max-step='1 ms'/>\n"
                          "<output id='uC' of='C1.e' unit='mV'/>"
                          "<output of='R1.f  L1.f' unit='mA'/>\n"
                          "<audit residual='1e-8'><group id='all' members='R1 C1'/></audit>\n"
                          "<expect of='C1.e' at='20 ms' value='5 V' abs-tol='10 mV'/>"
                          "<expect of='C1.f' at='end' value='3' rel-tol='0.5 '/>"
                          "</screwbond>";

static void circuit_arrives(void **state) {
  (void)state;
  sb_netlist *n = read_netlist(rlc, NULL, 0);
  assert_string_equal(n->name, "rlc");
  assert_near(number_of(n, "R1", "r", 0), 2385, 1e-9);
  assert_near_relative(number_of(n, "C1", "c", 0), 3e-6, 1e-15);
  assert_near_relative(number_of(n, "C1", "q0", 0), -7e-3, 1e-15);
  assert_near_relative(number_of(n, "L1", "l", 0), 13e-3, 1e-15);
  assert_near(number_of(n, "src", "effort", 0), -5, 0);
  assert_near_relative(number_of(n, "src", "start", 0), 2e-3, 1e-15);
  assert_int_equal(n->graph->element_count, 5);
  assert_int_equal(n->graph->bond_count, 4);
  assert_int_equal(n->graph->group_count, 1);
  assert_int_equal(n->graph->groups[0].count, 2);
  assert_int_equal(n->graph->bonds[3].place.line, 3);
  assert_string_equal(n->graph->bonds[3].place.file, "test.xml");
  sb_netlist_destroy(n);
}

static void run_arrives(void **state) {
  (void)state;
  sb_netlist *n = read_netlist(rlc, NULL, 0);
  assert_near_relative(n->t_end, 20e-3, 1e-15);
  assert_near_relative(n->sample, 10e-6, 1e-15);
  assert_string_equal(n->options.method->name, "implicit-midpoint");
  assert_near_relative(n->options.step, 3e-6, 1e-15);
  assert_near_relative(n->options.max_step, 1e-3, 1e-15);
  assert_near_relative(n->options.rtol, 1e-7, 1e-15);
  assert_near_relative(n->options.atol, 1e-11, 1e-15);
  assert_near_relative(n->options.residual_limit, 1e-8, 1e-15);
  sb_netlist_destroy(n);
}

/** The text of a netlist with one warning, or with none. */
static void expect_warning(const char *rest, const char *text, int column) {
  char netlist[1000];
  (void)snprintf(netlist, sizeof netlist,
                 "<screwbond version='1' id='w'><network domain='electric'><C id='C' c='1 F'/>"
                 "<R id='R' r='1 ohm'/><bond from='C' to='R'/></network>\n%s</screwbond>",
                 rest);
  sb_netlist *n = read_netlist(netlist, NULL, 0);
  assert_int_equal(n->warnings.count, text != NULL);
  if (text != NULL) {
    const sb_error *warning = &n->warnings.items[0];
    assert_true(warning->warning);
    assert_int_equal(warning->status, SB_ERR_RANGE);
    assert_string_equal(warning->text, text);
    assert_int_equal(warning->line, 2);
    assert_int_equal(warning->column, column);
  }
  sb_netlist_destroy(n);
}

static void limits_that_hide_errors_are_warned_of(void **state) {
  (void)state;
  static const char met[] =
      "the tolerance is not below the value: a result of 0 would pass as well";
  expect_warning("<audit residual='1e-3' structure='1e-3'/>", NULL, 0);
  expect_warning("<audit residual='2e-3'/>", "a limit of 0.002 hides errors of up to 0.2 %", 18);
  expect_warning("<audit structure='0.5'/>", "a limit of 0.5 hides errors of up to 50 %", 19);
  expect_warning("<audit structure='7'/>", "a limit of 7 hides errors of up to 700 %", 19);
  expect_warning("<run t-end='1 s' rtol='1e-2'/>", NULL, 0);
  expect_warning("<run t-end='1 s' rtol='0.2'/>", "at an rtol of 0.2 a step may be wrong by 20 %",
                 24);
  expect_warning("<run t-end='1 s' rtol='15e-3'/>",
                 "at an rtol of 0.015 a step may be wrong by 1.5 %", 24);
  expect_warning("<expect of='C.e' at='end' value='2 V' rel-tol='0.9'/>", NULL, 0);
  expect_warning("<expect of='C.e' at='end' value='0 V' abs-tol='1 V'/>", NULL, 0);
  expect_warning("<expect of='C.e' at='end' value='2 V' rel-tol='1'/>", met, 48);
  expect_warning("<expect of='C.e' at='end' value='-2 V' abs-tol='2 V'/>", met, 49);
  expect_warning("<expect of='C.e' at='end' value='3 mV' abs-tol='1 V' rel-tol='0.1'/>", met, 49);
}

static void limits_of_the_audit_arrive(void **state) {
  (void)state;
  const sb_override sets[] = {{"audit.structure", "3e-11"}};
  sb_netlist *n = read_netlist(rlc, NULL, 0);
  assert_near_relative(n->options.structure_limit, 1e-12, 1e-15);
  sb_netlist_destroy(n);
  n = read_netlist(rlc, sets, 1);
  assert_near_relative(n->options.structure_limit, 3e-11, 1e-15);
  assert_near_relative(n->options.residual_limit, 1e-8, 1e-15);
  sb_netlist_destroy(n);
}

static void results_arrive(void **state) {
  (void)state;
  sb_netlist *n = read_netlist(rlc, NULL, 0);
  assert_int_equal(n->output_count, 3);
  assert_string_equal(n->outputs[0].label, "uC");
  assert_string_equal(n->outputs[0].of, "C1.e");
  assert_string_equal(n->outputs[0].unit, "mV");
  assert_near_relative(n->outputs[0].scale, 1e-3, 1e-15);
  assert_string_equal(n->outputs[2].of, "L1.f");
  assert_string_equal(n->outputs[2].label, "L1.f");
  assert_int_equal(n->outputs[2].line, 5);
  assert_int_equal(n->outputs[2].column, 56);
  assert_int_equal(n->expect_count, 2);
  assert_false(n->expects[0].at_end);
  assert_near_relative(n->expects[0].at, 20e-3, 1e-15);
  assert_near_relative(n->expects[0].abs_tol, 10e-3, 1e-15);
  assert_string_equal(n->expects[0].unit, "kg.m^2/(s^3.A)");
  assert_true(n->expects[1].at_end);
  assert_null(n->expects[1].unit);
  assert_near(n->expects[1].rel_tol, 0.5, 0);
  sb_netlist_destroy(n);
}

static void overrides_apply(void **state) {
  (void)state;
  const sb_override sets[] = {{"R00", "12 ohm"},         {"C1.q0", "1 mC"}, {"run.rtol", "1e-3"},
                              {"C1.capacitance", "C0"},  {"C0", "4"},       {"src.offset", "V0"},
                              {"audit.residual", "1e-3"}};
  sb_netlist *n = read_netlist(rlc, sets, 7);
  assert_near(number_of(n, "R1", "r", 0), 12, 0);
  assert_near_relative(number_of(n, "C1", "q0", 0), 1e-3, 1e-15);
  assert_near_relative(number_of(n, "C1", "c", 0), 4e-6, 1e-15);
  assert_near(number_of(n, "src", "offset", 0), 5, 0);
  assert_near(n->options.rtol, 1e-3, 0);
  assert_near(n->options.residual_limit, 1e-3, 0);
  sb_netlist_destroy(n);
}

/** What stands in the file but can only be read by a signal: the hint repeats the quantity that was asked for. */
static void elements_in_expressions_are_read_by_signals(void **state) {
  (void)state;
#define INPUT(text)                                                                                \
  NETLIST("<mechanism><body id='rod' mass='1 kg' inertia='1 1 1 kg.m^2'/>"                         \
          "<joint id='hinge' kind='revolute' parent='world' child='rod'/></mechanism>"             \
          "<network domain='rotation'>" text "<bond from='M' to='hinge'/></network>")
  static const struct {
    const char *text, *message, *hint;
  } rows[] = {
      {INPUT("<Se id='M' effort='1[N.m] - 2[N.m.s/rad]*hinge.w'/>"), "Se 'M': unknown name 'hinge'",
       "'hinge' is a <joint>: a <signal> gives a name to one of its quantities, as in <signal "
       "id=\"x\" of=\"hinge.w\"/>"},
      {INPUT("<Se id='M' effort='2[N.s]*rod.velocity.x'/>"), "Se 'M': unknown name 'rod'",
       "'rod' is an element: a <signal> gives a name to one of its quantities, as in <signal "
       "id=\"x\" of=\"rod.velocity.x\"/>"},
      {INPUT("<signal id='s' value='hinge'/><Se id='M' effort='s'/>"),
       "signal 's': unknown parameter 'hinge'",
       "'hinge' is a <joint>: a <signal> gives a name to one of its quantities, as in <signal "
       "id=\"x\" of=\"hinge.QUANTITY\"/>"},
      {INPUT("<Se id='M' effort='2[N.m]*M'/>"), "unknown name 'M'",
       "'M' is an element: a <signal> gives a name to one of its quantities, as in <signal "
       "id=\"x\" of=\"M.f\"/>"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sb_errors errors = {0};
    assert_null(parse_with(rows[i].text, NULL, 0, &errors));
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.items[0].status, SB_ERR_REFERENCE);
    assert_string_equal(errors.items[0].text, rows[i].message);
    assert_string_equal(errors.items[0].hint, rows[i].hint);
    sb_errors_finish(&errors);
  }
}

static void overrides_are_checked(void **state) {
  (void)state;
  static const struct {
    sb_override set;
    sb_status status;
    const char *text, *hint;
  } rows[] = {
      {{"R000", "1"},
       SB_ERR_OVERRIDE,
       "'R000' matches nothing: there is no parameter 'R000'",
       "did you mean 'R00'?"},
      {{"C1.qo", "1"}, SB_ERR_OVERRIDE, "<C> has no attribute 'qo' to set", NULL},
      {{"C1.id", "C2"}, SB_ERR_OVERRIDE, "'id' of <C> cannot be set", ""},
      {{"rnu.rtol", "1"},
       SB_ERR_OVERRIDE,
       "'rnu.rtol' matches nothing: there is no element 'rnu'",
       "did you mean 'run'?"},
      {{"R00", "12 ohn"}, SB_ERR_UNIT, "R00: unknown unit 'ohn'", "did you mean 'ohm'?"},
      {{"C0", "7"},
       SB_ERR_RANGE,
       "C0: C0 is 7e-06, above its maximum 5e-06",
       "in SI units; the bound is set in line 2"},
      {{"run.method", "euler"}, SB_ERR_CHOICE, "run.method: there is no method 'euler'", NULL},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    sb_errors errors = {0};
    assert_null(parse_with(rlc, &rows[i].set, 1, &errors));
    assert_int_equal(errors.count, 1);
    assert_string_equal(errors.items[0].file, "--set");
    assert_int_equal(errors.items[0].line, 0);
    assert_int_equal(errors.items[0].status, rows[i].status);
    assert_string_equal(errors.items[0].text, rows[i].text);
    if (rows[i].hint != NULL) {
      assert_string_equal(errors.items[0].hint, rows[i].hint);
    }
    sb_errors_finish(&errors);
  }
}

static void defaults_apply(void **state) {
  (void)state;
  sb_netlist *n = read_netlist(
      NETLIST("<network domain='electric'><Se id='src' effort='1 V'/><R id='R1'/>"
              "<R id='R2' class='big'/><R id='R3' class='big' r='5 ohm'/></network><defaults>"
              "<R class='big' r='40 ohm'/><R r='3 ohm' exponent='2'/></defaults>"),
      NULL, 0);
  assert_near(number_of(n, "R1", "r", 0), 3, 0);
  assert_near(number_of(n, "R2", "r", 0), 40, 0);
  assert_near(number_of(n, "R3", "r", 0), 5, 0);
  assert_near(number_of(n, "R3", "exponent", 0), 2, 0);
  sb_netlist_destroy(n);
}

static void domains_spread(void **state) {
  (void)state;
  // The motor constant is in N.m/A, so its sides must be known: one by the network, one by a bond.
  sb_netlist *n = read_netlist(
      NETLIST("<network domain='electric'><Se id='src' effort='1 V'/><J1 id='coil'/>"
              "<GY id='emf' ratio='35 mN.m/A'/><bond from='src' to='coil'/>"
              "<bond from='coil' to='emf'/></network><network><bond from='emf' to='rotor'/>"
              "<J1 id='rotor'/><bond from='rotor' to='J'/>"
              "<I id='J' l='1.4e-5 kg.m^2' domain='rotation'/><TF id='gear' ratio='0.05'/>"
              "<bond from='rotor' to='gear'/><bond from='gear' to='load'/>"
              "<I id='load' inertia='2 g.m^2' domain='rotation'/></network>"),
      NULL, 0);
  assert_near_relative(number_of(n, "emf", "ratio", 0), 35e-3, 1e-15);
  assert_near_relative(number_of(n, "load", "l", 0), 2e-3, 1e-15);
  sb_netlist_destroy(n);
}

static const char drop[] =
    NETLIST("<defaults><contact law='soft'/></defaults>\n"
            "<materials><material id='rubber' stiffness='1500 1500 2000 N/m' spin-stiffness='2 "
            "N.m/rad'"
            " damping='1 1 3 N.s/m'/></materials>\n"
            "<laws><contact-law id='soft' normal='hunt-crossley' exponent='1'"
            " damping-factor='4 s/m' clamp='no' friction='none'/></laws>\n"
            "<mechanism gravity='0 0 -9.81 m/s^2'>\n"
            "<body id='grey' mass='1.3 kg' material='rubber' position='0 0 height'"
            " rotation='6 deg about 0 2 0' velocity='1 2 3 km/h'>"
            "<shape kind='ellipsoid' semi-axes='15 12 8 cm'/></body>\n"
            "<body id='black' mass='0.8 kg' material='rubber' inertia='2 2.5 3 0.1 0.2 0.3 kg.m^2'>"
            "<shape kind='sphere' radius='5 cm'/></body>\n"
            "<ground id='floor' material='rubber'><shape kind='plane' normal='0 0 2'/></ground>\n"
            "<ground id='wall'><shape kind='plane' normal='1 0 0' offset='-2 m'/></ground>\n"
            "<contacts among='floor grey wall'/> <contact id='clash' a='black' b='grey'/>"
            "</mechanism><parameters><param id='height' value='16 cm'/></parameters>");

static void bodies_arrive(void **state) {
  (void)state;
  sb_netlist *n = read_netlist(drop, NULL, 0);
  const double a = 0.15, b = 0.12, c = 0.08, half = 3 * acos(-1) / 180;
  assert_near(number_of(n, "grey", "mass", 0), 1.3, 0);
  assert_near_relative(number_of(n, "grey", "inertia", 0), 1.3 / 5 * (b * b + c * c), 1e-14);
  assert_near_relative(number_of(n, "grey", "inertia", 1), 1.3 / 5 * (a * a + c * c), 1e-14);
  assert_near_relative(number_of(n, "grey", "inertia", 2), 1.3 / 5 * (a * a + b * b), 1e-14);
  assert_near(number_of(n, "grey", "position", 2), 0.16, 1e-15);
  assert_near(number_of(n, "grey", "gravity", 2), -9.81, 0);
  assert_near(number_of(n, "grey", "rotation", 0), cos(half), 1e-15);
  assert_near(number_of(n, "grey", "rotation", 2), sin(half), 1e-15);
  assert_near_relative(number_of(n, "grey", "velocity", 1), 2 / 3.6, 1e-14);
  assert_near(number_of(n, "black", "inertia", 5), 0.3, 0);
  assert_near(number_of(n, "black", "rotation", 0), 1, 0);
  sb_netlist_destroy(n);
}

static void contacts_arrive(void **state) {
  (void)state;
  sb_netlist *n = read_netlist(drop, NULL, 0);
  assert_non_null(sb_graph_find(n->graph, "contact(floor,grey)"));
  assert_non_null(sb_graph_find(n->graph, "contact(grey,wall)"));
  assert_non_null(sb_graph_find(n->graph, "clash"));
  assert_null(sb_graph_find(n->graph, "contact(floor,wall)"));
  assert_non_null(sb_graph_find(n->graph, "clash/elastic"));
  sb_netlist_destroy(n);
}

/** A Hertz law wants N/m^(3/2), which only normal-stiffness can have; bare numbers always fit. */
static void hertz_stiffness(void **state) {
  (void)state;
  char text[TEXT];
  const sb_override bare[] = {{"soft.exponent", "3/2"}, {"rubber.stiffness", "1 1 3"}};
  const sb_override normal[] = {{"soft.exponent", "3/2"},
                                {"rubber.normal-stiffness", "2e4 N/m^(3/2)"}};
  sb_netlist_destroy(read_netlist(drop, bare, 2));
  sb_netlist_destroy(read_netlist(drop, normal, 2));
  (void)snprintf(text, sizeof text, "%s", drop);
  memcpy(strstr(text, "exponent='1'"), "exponent='2'", 12);
  check_fault(
      text, NULL, 0, SB_ERR_DIMENSION, 3, 45,
      "the normal stiffness of 'rubber' is in N/m, but a law with the exponent 2 needs N/m^2",
      "state it separately: normal-stiffness=\"... N/m^2\"");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(circuit_arrives),
      cmocka_unit_test(run_arrives),
      cmocka_unit_test(limits_that_hide_errors_are_warned_of),
      cmocka_unit_test(limits_of_the_audit_arrive),
      cmocka_unit_test(results_arrive),
      cmocka_unit_test(overrides_apply),
      cmocka_unit_test(elements_in_expressions_are_read_by_signals),
      cmocka_unit_test(overrides_are_checked),
      cmocka_unit_test(defaults_apply),
      cmocka_unit_test(domains_spread),
      cmocka_unit_test(bodies_arrive),
      cmocka_unit_test(contacts_arrive),
      cmocka_unit_test(hertz_stiffness),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
