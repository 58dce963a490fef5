// SPDX-License-Identifier: GPL-3.0-or-later
// Netlists: what a file says arrives in the graph, and every fault is found at its place.
#include "tests/fixture.h"

#include "core/graph/graph_data.h"
#include "netlist/language/schema.h"

enum { PATH = 512, TEXT = 8192 };

#define NETLIST(body) "<screwbond version='1' id='m'>\n" body "\n</screwbond>"

/** The circuit that most tests vary: one loop of a source, a resistor and a capacitor. */
#define LOOP                                                                                       \
  "<J1 id='loop'/> <bond from='src' to='loop'/> <bond from='loop' to='R1'/>"                       \
  " <bond from='loop' to='C1'/>"

static sb_netlist *parse_with(const char *text, const sb_override *sets, int count,
                              sb_errors *errors) {
  sb_netlist *netlist;
  sb_status status =
      sb_netlist_parse("test.xml", text, strlen(text), sets, count, &netlist, errors);
  assert_int_equal(status == SB_OK, netlist != NULL);
  assert_int_equal(status == SB_OK, errors->count == 0);
  return netlist;
}

/** A component of a parameter, as a number. */
static double number_of(const sb_netlist *netlist, const char *id, const char *name, int i) {
  sb_element *element = sb_graph_find(netlist->graph, id);
  assert_non_null(element);
  const sb_param *row = sb_param_find(sb_element_type_of(element)->params, name);
  assert_non_null(row);
  const char *field = (const char *)sb_element_data(element) + row->offset;
  if (row->kind == SB_PARAM_LIST) {
    const sb_list *list = (const sb_list *)(const void *)field;
    assert_true(i < list->count);
    return list->values[i];
  }
  if (row->kind == SB_PARAM_INT || row->kind == SB_PARAM_CHOICE) {
    return *(const int *)(const void *)field;
  }
  return ((const double *)(const void *)field)[i];
}

/** Fails unless there is exactly this fault. A hint that lists the catalog is not compared (NULL). */
static void check_fault(const char *text, const sb_override *sets, int count, sb_status status,
                        int line, int column, const char *message, const char *hint) {
  sb_errors errors = {0};
  sb_netlist *netlist = parse_with(text, sets, count, &errors);
  assert_null(netlist);
  if (errors.count != 1) {
    show_errors(&errors);
  }
  assert_int_equal(errors.count, 1);
  assert_string_equal(errors.items[0].text, message);
  if (hint != NULL) {
    assert_string_equal(errors.items[0].hint, hint);
  }
  assert_int_equal(errors.items[0].status, status);
  assert_int_equal(errors.items[0].line, line);
  assert_int_equal(errors.items[0].column, column);
  assert_string_equal(errors.items[0].file, line > 0 ? "test.xml" : "--set");
  sb_errors_finish(&errors);
}

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

static void texts_of_faults(void **state) {
  (void)state;
  check_fault("<netlist/>", NULL, 0, SB_ERR_ELEMENT, 1, 1,
              "the root of a netlist is <screwbond>, not <netlist>", "");
  check_fault(NETLIST("<netwerk/>"), NULL, 0, SB_ERR_ELEMENT, 2, 1,
              "unknown element <netwerk> in <screwbond>", "did you mean 'network'?");
  check_fault(NETLIST("<bond from='a' to='b'/>"), NULL, 0, SB_ERR_ELEMENT, 2, 1,
              "<bond> is not allowed in <screwbond>", "it belongs in <network>");
  check_fault(NETLIST("<network><joint id='a'/></network>"), NULL, 0, SB_ERR_ELEMENT, 2, 10,
              "<joint> is not allowed in <network>", "it belongs in <mechanism>");
  check_fault(NETLIST("<run t-end='1 s' maxstep='1'/>"), NULL, 0, SB_ERR_ATTRIBUTE, 2, 18,
              "<run> has no attribute 'maxstep'", "did you mean 'max-step'?");
  check_fault(NETLIST("<run/>"), NULL, 0, SB_ERR_MISSING, 2, 1, "<run> needs the attribute 't-end'",
              "t-end: end of the run");
  check_fault(NETLIST("<run t-end='1 s'/>\n<run t-end='2 s'/>"), NULL, 0, SB_ERR_DUPLICATE, 3, 1,
              "a second <run>; the first is in line 2", "");
  check_fault(NETLIST("<output of='C1'/>"), NULL, 0, SB_ERR_REFERENCE, 2, 13,
              "'C1' is not a quantity", "write ELEMENT.QUANTITY, for instance C1.e");
  check_fault("<screwbond version='2' id='m'/>", NULL, 0, SB_ERR_VERSION, 1, 21,
              "version '2' of the language is not known", "this program reads version 1");
}

static void texts_of_names(void **state) {
  (void)state;
  check_fault(NETLIST("<parameters><param id='a' value='1'/>\n<param id='a' value='1'/>"
                      "</parameters>"),
              NULL, 0, SB_ERR_DUPLICATE, 3, 12, "'a' is the id of a <param> in line 2 already", "");
  check_fault(NETLIST("<network><J0 id='4a'/></network>"), NULL, 0, SB_ERR_CHOICE, 2, 18,
              "an id begins with a letter or '_', unlike '4a'", "letters, digits, '_' and '-'");
  check_fault(NETLIST("<network><J0 id='a b'/></network>"), NULL, 0, SB_ERR_CHOICE, 2, 19,
              "'a b' cannot be an id", "letters, digits, '_' and '-'");
  check_fault(NETLIST("<parameters><param id='a' value='b'/><param id='b' value='a'/>"
                      "</parameters>"),
              NULL, 0, SB_ERR_REFERENCE, 2, 34,
              "param 'a': circular reference among the parameters: a -> b -> a", "");
  check_fault(NETLIST("<network><R id='R1' r='2'/><J0 id='junction'/>\n"
                      "<bond from='juncton' to='R1'/></network>"),
              NULL, 0, SB_ERR_REFERENCE, 3, 13, "there is no element 'juncton'",
              "did you mean 'junction'?");
  check_fault(NETLIST("<network><R id='R1' r='2'/><TF id='t' ratio='2'/>\n"
                      "<bond from='t.form' to='R1'/></network>"),
              NULL, 0, SB_ERR_PORT, 3, 15, "TF 't' has no port 'form'", "did you mean 'from'?");
  check_fault(NETLIST("<network><R id='R1' class='big' r='2'/></network>"), NULL, 0,
              SB_ERR_REFERENCE, 2, 28, "R 'R1': <defaults> has no class 'big' of <R>", "");
}

/** The unit of a number may be the name of a parameter, of its own or of one defined later, or of a signal. */
static void units_that_are_names_too(void **state) {
  (void)state;
  sb_netlist *n = read_netlist(
      NETLIST("<parameters><param id='m' value='2 m'/><param id='h' value='2 s'/>"
              "<param id='s' value='3 h'/><param id='k' value='2 m/s'/><param id='V' value='5 V'/>"
              "<param id='A' value='7*V'/></parameters>"
              "<network domain='electric'><signal id='mV' value='3 mV'/>"
              "<Se id='a' effort='V'/><Se id='b' effort='V*s/h'/><Se id='c' effort='A'/>"
              "<Se id='d' effort='V*m/k/1[s]'/><Se id='f' effort='9 mV'/></network>"
              "<run t-end='1 s'/>"),
      NULL, 0);
  assert_near(number_of(n, "a", "effort", 0), 5, 0);
  assert_near(number_of(n, "b", "effort", 0), 5.0 * 3 * 3600 / 2, 1e-9);
  assert_near(number_of(n, "c", "effort", 0), 35, 0);
  assert_near(number_of(n, "d", "effort", 0), 5, 0);
  assert_near(number_of(n, "f", "effort", 0), 9e-3, 1e-18);
  sb_netlist_destroy(n);
  check_fault(NETLIST("<parameters><param id='m' value='2 m' unit='kg'/></parameters>"), NULL, 0,
              SB_ERR_DIMENSION, 2, 36, "the unit 'm' does not fit: expected a unit like kg",
              "m is m, expected is kg"); // 2*m would be m by itself
}

static void hints_at_parameters_named_as_units(void **state) {
  (void)state;
  static const char end[] = "<screwbond version='1' id='m'><parameters><param id='A' value='%s'/>"
                            "</parameters><network/>\n<run t-end='5 A'/></screwbond>";
  for (int fits = 0; fits < 2; fits++) {
    char text[300];
    (void)snprintf(text, sizeof text, end, fits ? "2 s" : "3 m");
    check_fault(text, NULL, 0, SB_ERR_DIMENSION, 2, 15,
                "the unit 'A' does not fit: expected a unit like s",
                fits ? "for the parameter of the same name write *A" : "A is A, expected is s");
  }
  static const char form[] =
      NETLIST("<parameters><param id='L' value='0.3 m'/><param id='m' value='0.5 kg'/></parameters>"
              "<mechanism>\n<body id='b' mass='m' point-mass='yes' position='%s'/></mechanism>");
  static const struct {
    const char *position;
    int column;
    const char *message, *hint;
  } rows[] = {
      {"0 0 L/2", 56, "body 'b': a unit cannot contain a number other than 1",
       "for the parameter of the same name write +L"},
      {"0 0 m", 50, "body 'b': position takes 3 numbers, got 2",
       "for the parameter of the same name write +m"},
      {"0 0 L/2 m", 58, "body 'b': the parameter 'm' does not fit: expected a unit like m",
       "after an expression, which has a unit of its own, 'm' is the parameter of this name, not "
       "the unit"},
  };
  char text[600];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    (void)snprintf(text, sizeof text, form, rows[i].position);
    check_fault(text, NULL, 0, i == 0 ? SB_ERR_UNIT : SB_ERR_DIMENSION, 3, rows[i].column,
                rows[i].message, rows[i].hint);
  }
}

static void hints_at_other_names_of_attributes(void **state) {
  (void)state;
  check_fault(NETLIST("<network domain='translation'><I id='m' mas='2 kg'/></network>"), NULL, 0,
              SB_ERR_ATTRIBUTE, 2, 41, "<I> has no attribute 'mas'", "did you mean 'mass'?");
}

static void hints_at_what_other_programs_write(void **state) {
  (void)state;
  check_fault(NETLIST("<network domain='electric'><L id='L1' l='2 H'/></network>"), NULL, 0,
              SB_ERR_ELEMENT, 2, 28, "unknown element <L> in <network>",
              "an inductor is <I l=\"...\">");
  check_fault(NETLIST("<network domain='electric'><Se id='V' value='2 V'/></network>"), NULL, 0,
              SB_ERR_ATTRIBUTE, 2, 39, "<Se> has no attribute 'value'",
              "the effort of an Se is 'effort'");
  check_fault(NETLIST("<network domain='electric'><Se id='V' effort='2[V]*sin(2*pi*50*t)'/>"
                      "</network>"),
              NULL, 0, SB_ERR_DIMENSION, 2, 56,
              "Se 'V': sin takes a pure number, but '2*pi*50*t' is in s",
              "a frequency has its unit, too: sin(2*pi*50[Hz]*t)");
}

static void hints_at_operators_that_are_not_there(void **state) {
  (void)state;
  static const struct {
    const char *value, *message, *hint;
    int column;
  } rows[] = {
      {"if(t &lt; 1[s] &amp;&amp; t > 0[s], 1[V], 2[V])",
       "Se 'V': ')' or an operator is missing before '&'",
       "both of two conditions: (a < b)*(c < d)", 62},
      {"if(t > 1[s] or t > 0[s], 1[V], 2[V])", "Se 'V': ')' or an operator is missing before 'o'",
       "one of two conditions: max(a < b, c < d)", 59},
      {"2**3*1[V]", "Se 'V': a number or name is missing before '*'",
       "a power is written ^, as in 2^3", 49},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[300];
    (void)snprintf(text, sizeof text,
                   NETLIST("<network domain='electric'><Se id='V' effort='%s'/></network>"),
                   rows[i].value);
    check_fault(text, NULL, 0, SB_ERR_NUMBER, 2, rows[i].column, rows[i].message, rows[i].hint);
  }
}

static void texts_of_domains(void **state) {
  (void)state;
  check_fault(NETLIST("<network><R id='R1' r='2 ohm'/></network>"), NULL, 0, SB_ERR_DOMAIN, 2, 24,
              "a unit needs a domain, and that of 'R1' is not known",
              "give the network, or the element, a domain: electric, translation, rotation, "
              "hydraulic or thermal");
  check_fault(
      NETLIST("<network domain='electric'><C id='C1' c='1e-6 m/N'/></network>"), NULL, 0,
      SB_ERR_DIMENSION, 2, 47,
      "C 'C1': the unit 'm/N' does not fit: expected a unit like F (its domain is electric)", NULL);
  check_fault(NETLIST("<network domain='electrical'><R id='R1' r='2 ohm'/></network>"), NULL, 0,
              SB_ERR_CHOICE, 2, 18, "there is no domain 'electrical'", "did you mean 'electric'?");
  check_fault(NETLIST("<network domain='electric'><R id='R1' r='2' domain='rotation'/>"
                      "<J0 id='j'/><C id='C1' c='2'/><bond from='j' to='C1'/>"
                      "\n<bond from='j' to='R1'/></network>"),
              NULL, 0, SB_ERR_DOMAIN, 3, 1, "bond j -> R1 joins the domains electric and rotation",
              "a transducer TF or GY leads from one domain to another");
  check_fault(NETLIST("<network><C id='C1' domain='screw' dim='6' c='1 m/N'/></network>"), NULL, 0,
              SB_ERR_DOMAIN, 2, 47, "C 'C1': components of the domain screw have different units",
              "write bare numbers, in SI");
}

#define SHAPED(shapes, contacts)                                                                   \
  NETLIST("<materials><material id='m' stiffness='1 1 2 kN/m' spin-stiffness='1 N.m/rad'/>"        \
          "</materials><mechanism><body id='b' mass='1 kg' material='m' position='0 0 1 m'\n"      \
          "inertia='1 1 1 kg.m^2'>\n" shapes "</body><ground id='g'>"                              \
          "<shape kind='plane' normal='0 0 1'/></ground>\n" contacts "</mechanism>")
#define LEGS                                                                                       \
  "<shape id='leg1' kind='sphere' radius='2 cm' at='10 0 -10 cm'/>"                                \
  "<shape id='leg2' kind='point' at='-10 0 -10 cm'/>"

static void shapes_of_a_body(void **state) {
  (void)state;
  check_fault(SHAPED("<shape kind='box' size='1 1 1 m'/>", "<contacts among='b g'/>"), NULL, 0,
              SB_ERR_MISSING, 4, 1,
              "a box without an edge-radius has sharp edges, and can be in no contact",
              "give it an edge-radius, or leave it out of contacts");
  check_fault(SHAPED("<shape kind='box' size='1 -1 1 m' edge-radius='1 cm'/>", ""), NULL, 0,
              SB_ERR_RANGE, 4, 25, "shape of body 'b': size must be positive", "");
  check_fault(SHAPED("<shape kind='box' size='1 1 1 m' edge-radius='1 m'/>", ""), NULL, 0,
              SB_ERR_RANGE, 4, 1,
              "the edge-radius of this box must be from 0.00018660254 to 0.5 m, not 1 m", "");
  check_fault(SHAPED("<shape kind='torus' radius='1 m' tube-radius='2 m'/>", ""), NULL, 0,
              SB_ERR_RANGE, 4, 1,
              "the tube-radius of a torus must be less than its radius, not 2 against 1 m", "");
  check_fault(SHAPED("<shape kind='ellipsoid' semi-axes='1 0 1 m'/>", ""), NULL, 0, SB_ERR_RANGE, 4,
              36, "shape of body 'b': semi-axes must be positive", "");
  check_fault(SHAPED("<shape kind='tube' radius='1 m'/>", "<contacts among='b g'/>"), NULL, 0,
              SB_ERR_CONTACT, 5, 1, "a contact between the shapes tube and plane is not supported",
              "");
  check_fault(SHAPED(LEGS, "<contact id='c' a='b' b='g'/>"), NULL, 0, SB_ERR_CONTACT, 5, 1,
              "the contact 'c' is of 2 pairs of shapes",
              "name one shape of each body, or leave out the id");
  check_fault(SHAPED(LEGS, "<contact a='leg1' b='leg2'/>"), NULL, 0, SB_ERR_CONTACT, 5, 22,
              "a contact of 'b' with itself", "");
  check_fault(SHAPED(LEGS, "<contact a='leg1' b='g'/>\n<contacts among='g b'/>"), NULL, 0,
              SB_ERR_DUPLICATE, 6, 1, "'g' and 'leg1' have a contact in line 5 already", "");
  check_fault(SHAPED(LEGS, "<contact a='leg3' b='g'/>"), NULL, 0, SB_ERR_REFERENCE, 5, 13,
              "there is no body, ground or shape 'leg3'", "did you mean 'leg1'?");
  check_fault(NETLIST("<mechanism><body id='b' mass='1 kg'><shape kind='point'/></body>"
                      "</mechanism>"),
              NULL, 0, SB_ERR_MISSING, 2, 12, "body 'b' needs the attribute 'inertia'",
              "its shape bounds no solid");
}

static void texts_of_mechanisms(void **state) {
  (void)state;
  check_fault(NETLIST("<mechanism><body id='b' mass='1 kg'/></mechanism>"), NULL, 0, SB_ERR_MISSING,
              2, 12, "body 'b' needs the attribute 'inertia'",
              "with a shape that bounds a solid it would be that of the uniform solid");
  check_fault(NETLIST("<mechanism><body id='b' mass='1 kg' inertia='1 1'/></mechanism>"), NULL, 0,
              SB_ERR_DIMENSION, 2, 46, "body 'b': inertia takes 3 or 6 numbers, got 2",
              "xx yy zz, or xx yy zz xy xz yz, about the centre of mass");
  check_fault(NETLIST("<mechanism><ground id='g'><shape kind='plane' normal='0 0 1'/>"
                      "</ground>\n<contact a='g' b='h'/></mechanism>"),
              NULL, 0, SB_ERR_REFERENCE, 3, 19, "there is no body, ground or shape 'h'", "");
  check_fault(NETLIST("<mechanism><ground id='g'/><ground id='h'/></mechanism><laws>"
                      "<contact-law id='l' normal='linear' friction='bristle'/></laws>"),
              NULL, 0, SB_ERR_CHOICE, 2, 108, "contact-law 'l': there is no friction 'bristle'",
              "one of: none, coulomb, viscous, stribeck, bristle-dwell");
  check_fault(NETLIST("<mechanism><ground id='g'/><ground id='h'/></mechanism><laws>"
                      "<contact-law id='l' normal='linear' friction='coulomb' mu='0.5' "
                      "mu-static='0.4'/></laws>"),
              NULL, 0, SB_ERR_RANGE, 2, 137,
              "contact-law 'l': the mu-static of the friction 'coulomb' must not be below mu: 0.4 "
              "is below 0.5",
              "");
  check_fault(NETLIST("<mechanism><ground id='g'/><ground id='h'/></mechanism><laws>"
                      "<contact-law id='l' normal='linear' friction='coulomb'/></laws>"),
              NULL, 0, SB_ERR_MISSING, 2, 62, "mu is missing: friction=\"coulomb\" needs it", "");
  check_fault(NETLIST("<mechanism><ground id='g'/><ground id='h'/></mechanism><laws>"
                      "<contact-law id='l' normal='linear' friction-radius='1 cm'/></laws>"),
              NULL, 0, SB_ERR_ATTRIBUTE, 2, 115,
              "contact-law 'l': friction-radius is without effect with friction=\"none\"", "");
}

/** A ball and a floor with materials and a law, the mechanism in the lines 3 and 4. */
#define BALL(material, law)                                                                        \
  NETLIST("<materials><material id='m' " material "/></materials><laws><contact-law id='l' " law   \
          "/></laws>\n<mechanism><body id='b' mass='1 kg' material='m'><shape kind='sphere' "      \
          "radius='1 cm'/></body><ground id='g'><shape kind='plane' normal='0 0 1'/></ground>\n"   \
          "<contact a='g' b='b' law='l'/></mechanism>")

static void texts_of_moduli(void **state) {
  (void)state;
  const char *const good = BALL("youngs-modulus='70 GPa' poisson-ratio='0.33'", "normal='hertz'");
  sb_netlist_destroy(read_netlist(good, NULL, 0));
  check_fault(BALL("youngs-modulus='70 GPa'", "normal='hertz'"), NULL, 0, SB_ERR_MISSING, 2, 12,
              "youngs-modulus and poisson-ratio go together", "");
  check_fault(BALL("stiffness='1 1 1' poisson-ratio='0.3'", "normal='linear'"), NULL, 0,
              SB_ERR_MISSING, 2, 12, "youngs-modulus and poisson-ratio go together", "");
  check_fault(BALL("spin-stiffness='1'", "normal='linear'"), NULL, 0, SB_ERR_MISSING, 2, 12,
              "a material needs a stiffness, or youngs-modulus and poisson-ratio",
              "or kind=\"steel\": screwbond list materials");
  check_fault(BALL("youngs-modulus='70 GPa' poisson-ratio='0.51'", "normal='hertz'"), NULL, 0,
              SB_ERR_RANGE, 2, 12, "a poisson-ratio is above -1 and at most 0.5, not 0.51", "");
  check_fault(BALL("stiffness='1 2 1'", "normal='linear'"), NULL, 0, SB_ERR_RANGE, 2, 12,
              "a material with directions needs axes that turn with the body",
              "axes=\"body\": the numbers are then along x, y and z of the body");
  check_fault(BALL("stiffness='1 1 1' damping-coupling='0 1 0'", "normal='linear'"), NULL, 0,
              SB_ERR_RANGE, 2, 12, "a material with directions needs axes that turn with the body",
              NULL);
  check_fault(BALL("axes='body' stiffness='1 2 3' stiffness-coupling='0 2 0'", "normal='linear'"),
              NULL, 0, SB_ERR_RANGE, 2, 12,
              "a stiffness in the axes of the body must be a positive definite tensor",
              "each number is positive, and those of the coupling are small beside them: xy^2 < xx "
              "yy, and the determinant above 1e-12 of the cube of xx + yy + zz");
  check_fault(BALL("axes='body' stiffness='1 2 0'", "normal='linear'"), NULL, 0, SB_ERR_RANGE, 2,
              12, "a stiffness in the axes of the body must be a positive definite tensor",
              "each number is positive, and those of the coupling are small beside them: xy^2 < xx "
              "yy, and the determinant above 1e-12 of the cube of xx + yy + zz");
  check_fault(BALL("axes='body' stiffness='1 2 3' damping='1 0 0'", "normal='linear'"), NULL, 0,
              SB_ERR_RANGE, 2, 12,
              "a damping in the axes of the body must be a positive definite tensor, or zero",
              "each number is positive, and those of the coupling are small beside them: xy^2 < xx "
              "yy, and the determinant above 1e-12 of the cube of xx + yy + zz");
  check_fault(BALL("axes='x' stiffness='1 2 3'", "normal='linear'"), NULL, 0, SB_ERR_CHOICE, 2, 35,
              "material 'm': axes cannot be 'x'", "one of: contact, body");
  check_fault(BALL("stiffness='1 1 1'", "normal='hertz'"), NULL, 0, SB_ERR_MISSING, 4, 1,
              "the law 'hertz' needs a Young's modulus, and the material of 'b' has none",
              "give the material youngs-modulus and poisson-ratio");
  check_fault(BALL("youngs-modulus='7' poisson-ratio='0.3'", "normal='hertz' stiffness='3'"), NULL,
              0, SB_ERR_RANGE, 4, 1,
              "the law 'hertz' takes its stiffness from the materials: leave out the law's own",
              "");
  check_fault(
      BALL("youngs-modulus='7' poisson-ratio='0.3'", "normal='linear'"), NULL, 0, SB_ERR_RANGE, 4,
      1,
      "the normal stiffness of the pair is zero: the law 'linear' needs one, and the material of "
      "'b' has only moduli",
      "law=\"hertz\" uses the moduli; or give the material a stiffness=\"0 0 1e4 N/m\"");
  check_fault(BALL("youngs-modulus='7' poisson-ratio='0.3'", "normal='hertz' stiffness-at='end'"),
              NULL, 0, SB_ERR_CHOICE, 2, 136,
              "contact-law 'l': the stiffness-at of the law 'hertz' cannot be 'end'",
              "one of: point, touch");
}

static void text_of_mindlin(void **state) {
  (void)state;
  check_fault(
      BALL("stiffness='1 1 1'", "normal='linear' tangential='mindlin'"), NULL, 0, SB_ERR_RANGE, 4,
      1, "tangential=\"mindlin\" needs the law hertz, and materials without axes of the body", "");
}

/** A rounded box is flat here and round there: Hertz's stiffness would jump. */
static void text_of_a_curvature_that_jumps(void **state) {
  (void)state;
  check_fault(NETLIST("<materials><material id='m' youngs-modulus='7 GPa' poisson-ratio='0.3'/>"
                      "</materials><laws><contact-law id='l' normal='hertz'/></laws><mechanism>"
                      "<body id='b' mass='1 kg' material='m'><shape kind='box' size='1 1 1 m' "
                      "edge-radius='1 cm'/></body><ground id='g'><shape kind='sphere' "
                      "radius='1 m'/></ground>\n<contact a='b' b='g' law='l'/></mechanism>"),
              NULL, 0, SB_ERR_CONTACT, 3, 1,
              "the law 'hertz' needs smooth curvatures, and that of a box jumps or is infinite",
              "");
}

/** Nor has that of a superellipsoid a finite derivative between the exponents 2 and 3, where Hertz's stiffness is that of the present point. */
static void text_of_a_curvature_without_derivative(void **state) {
  (void)state;
#define SUPERELLIPSOID(exponent, more)                                                             \
  NETLIST("<materials><material id='m' youngs-modulus='7 GPa' poisson-ratio='0.3'/>"               \
          "</materials><laws><contact-law id='l' " more "/></laws><mechanism>"                     \
          "<body id='b' mass='1 kg' material='m'><shape kind='superellipsoid' "                    \
          "semi-axes='1 1 1 m' exponent='" exponent "'/></body><ground id='g'><shape "             \
          "kind='sphere' radius='1 m' at='0 0 3 m'/></ground>\n<contact a='b' b='g' "              \
          "law='l'/></mechanism>")
  static const char *const taken[] = {
      SUPERELLIPSOID("2", "normal='hertz'"), SUPERELLIPSOID("3", "normal='hertz'"),
      SUPERELLIPSOID("2.5", "normal='hertz' stiffness-at='touch'"),
      SUPERELLIPSOID("2.5", "normal='hunt-crossley' stiffness='1e6'")};
  static const char hint[] =
      "stiffness-at=\"touch\" keeps the stiffness as it was where the bodies "
      "touched; or the exponent 2, an ellipsoid";
  check_fault(SUPERELLIPSOID("2.5", "normal='hertz'"), NULL, 0, SB_ERR_CONTACT, 3, 1,
              "the law 'hertz' needs curvatures with a finite derivative, and that of a "
              "superellipsoid with "
              "the exponent 2.5 has none where x, y or z of the shape is zero",
              hint);
  check_fault(
      SUPERELLIPSOID("2.9", "normal='azad-featherstone' stiffness-from='curvature'"), NULL, 0,
      SB_ERR_CONTACT, 3, 1,
      "the law 'azad-featherstone' needs curvatures with a finite derivative, and that of a "
      "superellipsoid with the exponent 2.9 has none where x, y or z of the shape is zero",
      hint);
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
    sb_errors errors = {0};
    sb_netlist *netlist = parse_with(taken[i], NULL, 0, &errors);
    show_errors(&errors);
    assert_non_null(netlist);
    sb_netlist_destroy(netlist);
    sb_errors_finish(&errors);
  }
}

/** An integral in a circle has a dimension, whoever is read first; one of the wrong one is found. */
static void circles_through_integrals(void **state) {
  (void)state;
  char text[TEXT];
  const char *const filters[] = {
      "<signal id='y' rate='(u - y)/2.385[s]'/>",
      "<signal id='d' value='(u - y)/2.385[s]'/><signal id='y' rate='d'/>",
      "<signal id='y' rate='d' start='3 V'/><signal id='d' value='(u - y)/2.385[s]'/>"};
  for (int i = 0; i < 4; i++) {
    const char *end = "<Se id='src' effort='y'/>" LOOP "<signal id='u' of='C1.e'/></network>";
    (void)snprintf(text, sizeof text,
                   NETLIST("<network domain='electric'>%s<R id='R1' r='2 ohm'/>"
                           "<C id='C1' c='3 F'/>%s"),
                   i < 3 ? filters[i] : "<signal id='y' rate='u - y'/>", end);
    if (i < 3) {
      sb_netlist_destroy(read_netlist(text, NULL, 0));
    } else {
      check_fault(text, NULL, 0, SB_ERR_DIMENSION, 2, 51, "'u' is in V, but 'y' is in Wb", "");
    }
  }
}

/** A failed element, parameter or class is reported once, however much refers to it. */
static void no_follow_up_errors(void **state) {
  (void)state;
  check_fault(NETLIST("<network domain='electric'><Sx id='src' effort='1 V'/>"
                      "<R id='R1' r='2 ohm'/><C id='C1' c='1 F'/>" LOOP "</network><audit>"
                      "<group id='g' "
                      "members='src'/></audit>"),
              NULL, 0, SB_ERR_ELEMENT, 2, 28, "unknown element <Sx> in <network>", NULL);
  check_fault(NETLIST("<defaults><R r='2 uhm'/></defaults><network domain='electric'>"
                      "<R id='R1'/><R id='R2'/><R id='R3'/></network>"),
              NULL, 0, SB_ERR_UNIT, 2, 19, "unknown unit 'uhm'", "did you mean 'ohm'?");
}

/** What the second item of an id would have been is meant where the first does not fit. */
static void no_follow_up_errors_of_an_id_used_twice(void **state) {
  static const struct {
    const char *first, *second, *rest;
  } rows[] = {
      {"<materials><material id='s' stiffness='0 0 1e4'/></materials>",
       "<laws><contact-law id='s' normal='linear'/></laws>",
       "<mechanism><body id='g' mass='1' material='s'><shape kind='sphere' radius='0.1'/></body>"
       "<ground id='w' material='s'><shape kind='plane' normal='0 0 1'/></ground>"
       "<contact a='w' b='g' law='s'/></mechanism>"},
      {"<laws><contact-law id='s' normal='linear'/></laws>",
       "<materials><material id='s' stiffness='0 0 1e4'/></materials>",
       "<mechanism><body id='g' mass='1' material='s'><shape kind='sphere' radius='0.1'/></body>"
       "<ground id='w' material='s'><shape kind='plane' normal='0 0 1'/></ground>"
       "<contact a='w' b='g' law='s'/></mechanism>"},
      {"<materials><material id='s' stiffness='0 0 1e4'/></materials>",
       "<network domain='electric'><C id='s' c='1'/></network>",
       "<network domain='electric'><R id='r' r='1'/><J0 id='j'/><bond from='j' to='s'/>"
       "<bond from='j' to='r'/><signal id='u' of='s.e'/></network><output of='s.e'/>"},
      {"<materials><material id='s' stiffness='0 0 1e4'/></materials>",
       "<mechanism><body id='s' mass='1' inertia='1 1 1'/>",
       "<body id='g' mass='1' inertia='1 1 1'/><Line id='l' from='g' to='s'/><joint "
       "id='j' kind='revolute' axis='0 0 1' parent='world' child='s'/></mechanism>"},
  };
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[1500];
    sb_errors errors = {0};
    (void)snprintf(text, sizeof text, "<screwbond version='1' id='m'>\n%s\n%s\n%s</screwbond>",
                   rows[i].first, rows[i].second, rows[i].rest);
    assert_null(parse_with(text, NULL, 0, &errors));
    if (errors.count != 1) {
      show_errors(&errors);
    }
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.items[0].status, SB_ERR_DUPLICATE);
    assert_int_equal(errors.items[0].line, 3);
    sb_errors_finish(&errors);
  }
}

/** Kinds that others make are neither written nor hinted at. */
static void components_are_not_written(void **state) {
  (void)state;
  for (const sb_element_type *const *kind = sb_catalog; *kind != NULL; kind++) {
    const sb_element_type *type;
    const bool made = strstr((*kind)->help, "(made by ") != NULL;
    assert_int_equal(sb_schema_find((*kind)->name, &type) == NULL, made);
  }
  check_fault(NETLIST("<network><bushing-elastic id='x'/></network>"), NULL, 0, SB_ERR_ELEMENT, 2,
              10, "unknown element <bushing-elastic> in <network>",
              "<network> takes: signal, Hysteresis, SampleHold, TransferFunction, Delay, bond, "
              "use, repeat, Se, Sf, C, I, R, CField, IField, ICField, RField, HeatR, Friction, TF, "
              "GY, MTF, MGY, J0, J1, Switch, Clutch, Diode, Stop");
  check_fault(NETLIST("<network domain='electric'><Cc id='x' c='1 F'/></network>"), NULL, 0,
              SB_ERR_ELEMENT, 2, 28, "unknown element <Cc> in <network>", "did you mean 'C'?");
}

/** A chain of parameters as long as a file allows costs time, but no depth. */
static void long_chain(void **state) {
  (void)state;
  const int count = 100000;
  size_t size = (size_t)count * 48 + 256, used = 0;
  char *text = malloc(size);
  assert_non_null(text);
  used += (size_t)snprintf(text, size, "<screwbond version='1' id='m'><parameters>");
  for (int i = 0; i < count; i++) {
    used += (size_t)snprintf(text + used, size - used, "<param id='p%d' value='p%d'/>", i, i + 1);
  }
  (void)snprintf(text + used, size - used,
                 "<param id='p%d' value='2.385 ohm'/></parameters><network domain='electric'>"
                 "<R id='R1' r='p0'/></network></screwbond>",
                 count);
  sb_netlist *n = read_netlist(text, NULL, 0);
  assert_near(number_of(n, "R1", "r", 0), 2.385, 0);
  sb_netlist_destroy(n);
  free(text);
}

/** Repeats `unit` between `head` and `tail`. */
static char *repeated(const char *head, const char *unit, int count, const char *tail) {
  size_t length = strlen(unit), used = strlen(head);
  char *text = malloc(used + (size_t)count * (length + 8) + strlen(tail) + 1);
  assert_non_null(text);
  memcpy(text, head, used);
  for (int i = 0; i < count; i++) {
    used += (size_t)sprintf(text + used, unit, i);
  }
  memcpy(text + used, tail, strlen(tail) + 1);
  return text;
}

static void check_huge(char *text, sb_status status, int count) {
  sb_errors errors = {0};
  assert_null(parse_with(text, NULL, 0, &errors));
  assert_int_equal(errors.items[0].status, status);
  assert_int_equal(errors.count, count);
  sb_errors_finish(&errors);
  free(text);
}

static void huge_inputs(void **state) {
  (void)state;
  const int many = THOROUGH ? 200000 : 20000;
  check_huge(repeated("<screwbond version='1' id='m'", " a%d='1'", 20000, "/>"), SB_ERR_TOO_LARGE,
             1);
  check_huge(repeated("<screwbond version='1' id='m'>", "<network doc='%d'>", 100000, ""),
             SB_ERR_TOO_LARGE, 1);
  check_huge(
      repeated("<screwbond version='1' id='m'>", "<run t-end='%d s'/>", many, "</screwbond>"),
      SB_ERR_DUPLICATE, SB_ERRORS_MAX);
  check_huge(repeated("<screwbond version='1' id='m'><network>", "<bond from='a%d' to='b'/>",
                      many / 2, "</network></screwbond>"),
             SB_ERR_REFERENCE, SB_ERRORS_MAX);
  check_huge(repeated("<screwbond version='1' id='m'><mechanism><contacts among='", "b%d ", 5000,
                      "'/></mechanism></screwbond>"),
             SB_ERR_REFERENCE, SB_ERRORS_MAX);
  // one fault found 40,000 times; what is refused before it is expanded, in one loop and in two
  check_huge(strdup("<screwbond version='1' id='m'><network domain='electric'><repeat index='k' "
                    "count='40000'><J0 id='n[k]'/><bond from='n[k]' to='zz[k]'/></repeat>"
                    "</network></screwbond>"),
             SB_ERR_REFERENCE, 1);
  check_huge(strdup("<screwbond version='1' id='m'><network domain='electric'><repeat index='k' "
                    "count='900000'><R id='a[k]'/><R id='b[k]'/><R id='c[k]'/></repeat>"
                    "</network></screwbond>"),
             SB_ERR_TOO_LARGE, 1);
  check_huge(strdup("<screwbond version='1' id='m'><network domain='electric'><repeat index='i' "
                    "count='1200'><repeat index='j' count='i+700'><R id='a[i][j]' r='1 ohm'/>"
                    "<C id='b[i][j]' c='1 F'/></repeat></repeat></network></screwbond>"),
             SB_ERR_TOO_LARGE, 1);
}

/** Errors that all lines of a netlist make: beyond those that are kept each is counted, and none is worded. */
static void errors_beyond_the_list_are_counted(void **state) {
  (void)state;
  enum { LINES = 250 };
  static const char *const rows[][2] = {
      {"\n<R id='r%d' r='1 om'/>", "unknown unit 'om'"},
      {"\n<R id='r%d' r='1 V'/>", "the unit 'V' does not fit"},
      {"\n<R id='r%d' r='x'/>", "unknown parameter 'x'"},
      {"\n<R id='r%d' rr='1 ohm' r='1 ohm'/>", "<R> has no attribute 'rr'"},
      {"\n<Rr id='r%d'/>", "unknown element <Rr>"},
      {"\n<signal id='r%d' value='2*x'/>", "unknown name 'x'"},
      {"\n<param id='p%d' value='1 om'/>", "<param> is not allowed"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sb_errors errors = {0};
    char *text = repeated("<screwbond version='1' id='m'><network domain='electric'>", rows[i][0],
                          LINES, "</network></screwbond>");
    assert_null(parse_with(text, NULL, 0, &errors));
    assert_int_equal(errors.count, SB_ERRORS_MAX);
    assert_int_equal(errors.dropped, LINES - SB_ERRORS_MAX);
    for (int k = 0; k < errors.count; k++) {
      assert_contains(errors.items[k].text, rows[i][1]);
      assert_int_equal(errors.items[k].line, k + 2);
    }
    sb_errors_finish(&errors);
    free(text);
  }
}

static void not_a_file(void **state) {
  (void)state;
  char folder[FOLDER_SIZE], pipe[FOLDER_SIZE + 8];
  sb_errors errors = {0};
  sb_netlist *netlist;
  make_folder(folder);
  (void)snprintf(pipe, sizeof pipe, "%s/pipe", folder);
  assert_int_equal(mkfifo(pipe, 0600), 0);
  const char *const paths[] = {folder, pipe, "/nowhere/model.xml"};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(sb_netlist_read(paths[i], NULL, 0, &netlist, &errors),
                     i < 2 ? SB_ERR_FILE : SB_ERR_IO);
    assert_null(netlist);
    assert_int_equal(errors.count, i + 1);
    assert_string_equal(errors.items[i].file, paths[i]);
    assert_int_equal(errors.items[i].line, 0);
  }
  sb_errors_finish(&errors);
  remove_folder(folder);
}

/** Looks up what the netlist's outputs name. */
static void find_outputs(const sb_netlist *netlist, const sb_model *model, sb_errors *errors) {
  for (int i = 0; i < netlist->output_count; i++) {
    const sb_netlist_output *output = &netlist->outputs[i];
    sb_quantity quantity;
    sb_error err = {0};
    if (sb_model_find(model, output->of, &quantity, &err) != SB_OK) {
      (void)snprintf(err.file, sizeof err.file, "%s", netlist->file);
      err.line = output->line;
      err.column = output->column;
      sb_errors_add(errors, &err);
    }
  }
}

/** What only the start finds: loops that have no solution, or several. */
static void find_start(const sb_netlist *netlist, const sb_model *model, sb_errors *errors) {
  sb_error err = {0};
  sb_simulation *sim = NULL;
  if (errors->count == 0 && (sb_simulation_create(model, &netlist->options, &sim, &err) != SB_OK ||
                             sb_simulation_check_start(sim, netlist->t_end, &err) != SB_OK)) {
    sb_errors_add(errors, &err);
  }
  sb_simulation_destroy(sim);
}

/** Reads and compiles one file of the corpus, starts it, and writes its faults as in expected.txt. */
static void faults_of(const char *folder, const char *file, char out[], size_t size) {
  char path[2 * PATH], code[8];
  sb_errors errors = {0};
  sb_netlist *netlist;
  sb_model *model = NULL;
  (void)snprintf(path, sizeof path, "%s/%s", folder, file);
  if (sb_netlist_read(path, NULL, 0, &netlist, &errors) == SB_OK &&
      sb_model_compile(netlist->graph, &model, &errors) == SB_OK) {
    find_outputs(netlist, model, &errors);
    find_start(netlist, model, &errors);
  }
  out[0] = '\0';
  size_t used = 0;
  for (int i = 0; i < errors.count && used < size; i++) {
    const sb_error *e = &errors.items[i];
    assert_string_equal(e->file, path);
    assert_true(e->text[0] != '\0');
    used += (size_t)snprintf(out + used, size - used, "%s %s %d %d\n", file,
                             sb_status_code(e->status, code), e->line, e->column);
  }
  sb_model_destroy(model);
  sb_netlist_destroy(netlist);
  sb_errors_finish(&errors);
}

/** Compares the faults of one file with what is expected of it. */
static bool check_file(const char *folder, const char *file, const char *expected) {
  char actual[TEXT];
  faults_of(folder, file, actual, sizeof actual);
  if (strcmp(actual, expected) != 0) {
    print_error("expected:\n%sgot:\n%s", expected, actual);
    return false;
  }
  return true;
}

static void corpus_of_faults(void **state) {
  (void)state;
  char folder[PATH], path[PATH + 16], line[PATH], file[PATH] = "", expected[TEXT] = "";
  source_path(folder, sizeof folder, "tests/netlists/bad");
  (void)snprintf(path, sizeof path, "%s/expected.txt", folder);
  FILE *table = fopen(path, "r");
  assert_non_null(table);
  int files = 0, wrong = 0;
  for (bool more = true; more;) {
    more = fgets(line, sizeof line, table) != NULL;
    size_t length = more ? strcspn(line, " ") : 0;
    if (more && line[0] == '#') {
      continue;
    }
    if (file[0] != '\0' && (!more || strlen(file) != length || memcmp(file, line, length) != 0)) {
      wrong += !check_file(folder, file, expected);
      files++;
      expected[0] = '\0';
    }
    (void)snprintf(file, sizeof file, "%.*s", (int)length, line);
    strncat(expected, more ? line : "", sizeof expected - strlen(expected) - 1);
  }
  (void)fclose(table);
  assert_true(files >= 340);
  assert_int_equal(wrong, 0);
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
      cmocka_unit_test(texts_of_faults),
      cmocka_unit_test(texts_of_names),
      cmocka_unit_test(units_that_are_names_too),
      cmocka_unit_test(hints_at_parameters_named_as_units),
      cmocka_unit_test(hints_at_other_names_of_attributes),
      cmocka_unit_test(hints_at_what_other_programs_write),
      cmocka_unit_test(hints_at_operators_that_are_not_there),
      cmocka_unit_test(texts_of_domains),
      cmocka_unit_test(texts_of_mechanisms),
      cmocka_unit_test(shapes_of_a_body),
      cmocka_unit_test(texts_of_moduli),
      cmocka_unit_test(text_of_mindlin),
      cmocka_unit_test(text_of_a_curvature_that_jumps),
      cmocka_unit_test(text_of_a_curvature_without_derivative),
      cmocka_unit_test(no_follow_up_errors),
      cmocka_unit_test(no_follow_up_errors_of_an_id_used_twice),
      cmocka_unit_test(components_are_not_written),
      cmocka_unit_test(long_chain),
      cmocka_unit_test(circles_through_integrals),
      cmocka_unit_test(huge_inputs),
      cmocka_unit_test(errors_beyond_the_list_are_counted),
      cmocka_unit_test(not_a_file),
      cmocka_unit_test(corpus_of_faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
