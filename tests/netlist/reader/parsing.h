// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of the reader share: a text that is read, a parameter of it, and a text with exactly one fault.
#ifndef SB_TESTS_PARSING_H
#define SB_TESTS_PARSING_H

#include "tests/fixture.h"

#include "core/graph/graph_data.h"

#define NETLIST(body) "<screwbond version='1' id='m'>\n" body "\n</screwbond>"

/** The circuit that most tests vary: one loop of a source, a resistor and a capacitor. */
#define LOOP                                                                                       \
  "<J1 id='loop'/> <bond from='src' to='loop'/> <bond from='loop' to='R1'/>"                       \
  " <bond from='loop' to='C1'/>"

static inline sb_netlist *parse_with(const char *text, const sb_override *sets, int count,
                                     sb_errors *errors) {
  sb_netlist *netlist;
  sb_status status =
      sb_netlist_parse("test.xml", text, strlen(text), sets, count, &netlist, errors);
  assert_int_equal(status == SB_OK, netlist != NULL);
  assert_int_equal(status == SB_OK, errors->count == 0);
  return netlist;
}

/** A component of a parameter, as a number. */
static inline double number_of(const sb_netlist *netlist, const char *id, const char *name, int i) {
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
static inline void check_fault(const char *text, const sb_override *sets, int count,
                               sb_status status, int line, int column, const char *message,
                               const char *hint) {
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

#endif
