// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions of variables: laws over e or f, energies over q or p, sources over t.
#include "netlist/build/formulas_private.h"

#include <string.h>

#include "core/base/utf8.h"
#include "netlist/build/formula_names_private.h"
#include "netlist/build/signal_states_private.h"
#include "netlist/build/units_private.h"
#include "netlist/build/wires_private.h"
#include "netlist/reader/definitions.h"
#include "netlist/reader/index.h"
#include "netlist/reader/names.h"
#include "netlist/reader/numbers.h"
#include "netlist/reader/report.h"
#include "netlist/value/angle.h"

/** v[k-1] as v[2], for sb_value_compile(). */
static bool plain_name(void *context, const char *name, size_t length,
                       char out[SB_VALUE_NAME_MAX + 1]) {
  const sb_lookup *lookup = context;
  return sb_plain_name(lookup->reader, lookup->setting, name, length, out);
}

/** Whether all signals that a formula names are known. */
static sb_outcome await_signals(const sb_build *build, const sb_setting *setting,
                                const sb_param *row) {
  sb_outcome all = sb_known(true);
  sb_signal_walk walk = {0};
  while (sb_next_signal(build->reader, setting, row, &walk)) {
    sb_outcome one = sb_signal_await(build, walk.signal);
    all.known = all.known && one.known;
    all.wanted = all.wanted < 0 ? one.wanted : all.wanted;
  }
  return walk.at == NULL ? all : sb_known(false);
}

/** Connects all signals that a formula names to the element. */
static bool wire_signals(const sb_build *build, const sb_setting *setting, const sb_param *row,
                         const sb_element *element, sb_wires *wires) {
  sb_signal_walk walk = {0};
  bool good = true;
  while (sb_next_signal(build->reader, setting, row, &walk)) {
    good = sb_wire_signal(build, setting, element, walk.signal, walk.column, wires) && good;
  }
  return good;
}

/** An error at the first place where a variable is named. */
static void report_at_variable(const sb_reader *reader, const sb_setting *setting,
                               const sb_expression *expression, int slot, sb_error *err) {
  int count;
  const sb_node *nodes = sb_expression_nodes(expression, &count);
  for (int i = 0; i < count; i++) {
    if (nodes[i].variable == slot) {
      err->column = sb_utf8_count(setting->value, (size_t)nodes[i].at) + 1;
      break;
    }
  }
  sb_report_value(reader, setting, err);
}

bool sb_check_names(const sb_reader *reader, const sb_setting *setting, const sb_param *row,
                    const sb_expression *expression) {
  for (int i = 0; row->arguments[i].name != NULL; i++) {
    const sb_argument *a = &row->arguments[i];
    if (!sb_expression_uses(expression, i)) {
      continue;
    }
    bool signal =
        row->signals && sb_find_signal(reader, setting->scope, a->name, strlen(a->name)) >= 0;
    if (signal || sb_find_parameter(reader, setting->scope, a->name, strlen(a->name)) >= 0) {
      const char *kind = signal ? "signal" : "parameter";
      sb_error err;
      (void)sb_fail(&err, SB_ERR_DUPLICATE, "'%s' is the variable of this expression and also a %s",
                    a->name, kind);
      sb_error_hint(&err, "give the %s another id", kind);
      report_at_variable(reader, setting, expression, i, &err);
      return false;
    }
  }
  return true;
}

/** The unit of the result, which may depend on the variables. */
static const char *result_unit(const sb_param *row, const sb_expression *expression) {
  const char *unit = row->unit;
  for (int i = 0; row->arguments[i].name != NULL; i++) {
    const sb_argument *a = &row->arguments[i];
    unit = a->result != NULL && sb_expression_uses(expression, i) ? a->result : unit;
  }
  return unit;
}

/** Whether a frequency is not taken for an angular velocity. */
static bool check_angle(const sb_reader *reader, const sb_setting *setting,
                        const sb_dimension *dimension, const sb_dimension *expected) {
  double factor;
  sb_error err = {0};
  if (sb_angle_convert(dimension, expected, &factor) && factor == 1) {
    return true;
  }
  (void)sb_angle_refuse("the expression", setting->value, (int)strcspn(setting->value, "\r\n"),
                        dimension, expected, &err);
  err.column = 1;
  sb_report_value(reader, setting, &err);
  return false;
}

static bool check_result(const sb_build *build, const sb_setting *setting, const char *unit,
                         const sb_element *element, const sb_dimension *dimension) {
  const sb_reader *reader = build->reader;
  sb_error err = {0};
  sb_dimension expected;
  if (sb_row_dimension(build, unit, element, &expected, &err) != SB_OK) {
    if (dimension->any || build->domains->failed) {
      return dimension->any;
    }
    sb_report_value(reader, setting, &err);
    return false;
  }
  if (sb_dimension_fits(dimension, &expected)) {
    return check_angle(reader, setting, dimension, &expected);
  }
  static const sb_dimension pure = {0};
  char wanted[SB_DIMENSION_SIZE], got[SB_DIMENSION_SIZE];
  bool is_pure = sb_dimension_equal(dimension, &pure),
       wants_pure = sb_dimension_equal(&expected, &pure);
  (void)sb_unit_describe(&expected, wanted, sizeof wanted);
  (void)sb_unit_describe(dimension, got, sizeof got);
  (void)sb_fail(&err, SB_ERR_DIMENSION, "the expression is %s%s, expected is a %s%s",
                is_pure ? "a pure number" : "in ", is_pure ? "" : got,
                wants_pure ? "pure number" : "unit like ", wants_pure ? "" : wanted);
  if (is_pure) {
    sb_error_hint(&err, "a number with a unit is written 50[ms]");
  }
  err.column = 1;
  sb_report_value(reader, setting, &err);
  return false;
}

/** The variables of the row, then the signals connected to the element. */
static int list_variables(const sb_build *build, const sb_param *row, const sb_element *element,
                          const sb_wires *wires, sb_value_variable variables[]) {
  const sb_reader *reader = build->reader;
  int count = 0;
  for (const sb_argument *a = row->arguments; a->name != NULL; a++, count++) {
    variables[count] = (sb_value_variable){.name = a->name};
    // A domain that is missing is reported where the result has a dimension.
    sb_error unused = {0};
    (void)sb_row_dimension(build, a->unit, element, &variables[count].dimension, &unused);
  }
  for (int i = 0; row->signals && i < wires->count; i++) {
    const sb_item *item = &reader->tree.items[wires->items[i]];
    const char *name = item->id + reader->scopes.list[item->scope].length;
    variables[count++] = (sb_value_variable){
        .name = name, .dimension = *sb_signal_dimension(build, wires->items[i]), .signal = true};
  }
  return count;
}

/** Compiles once all signals are connected. */
static void compile(const sb_build *build, const sb_setting *setting, const sb_param *row,
                    const sb_element *element, const sb_wires *wires, sb_formula *formula) {
  sb_value_variable variables[SB_EXPRESSION_VARIABLES_MAX];
  sb_error err = {0};
  int count = list_variables(build, row, element, wires, variables);
  sb_lookup lookup;
  sb_value_scope scope = sb_lookup_begin(&lookup, build->reader, setting);
  scope.plain = row->signals ? plain_name : NULL;
  sb_status status = sb_value_compile(setting->value, 0, strlen(setting->value), &scope, variables,
                                      count, &formula->expression, &formula->dimension, &err);
  if (!sb_lookup_end(&lookup, status, row, &err).known) {
    sb_expression_destroy(formula->expression);
    formula->expression = NULL;
  }
}

sb_formula sb_compile_formula(const sb_build *build, const sb_setting *setting, const sb_param *row,
                              const sb_element *element, sb_wires *wires) {
  sb_formula formula = {.wanted = -1};
  if (row->signals) { // no wire before all are known
    sb_outcome signals = await_signals(build, setting, row);
    formula.wanted = signals.wanted;
    if (!signals.known || !wire_signals(build, setting, row, element, wires)) {
      return formula;
    }
  }
  compile(build, setting, row, element, wires, &formula);
  return formula;
}

bool sb_read_formula(const sb_build *build, const sb_setting *setting, const sb_param *row,
                     void *self, const sb_element *element, sb_wires *wires) {
  sb_formula formula = sb_compile_formula(build, setting, row, element, wires);
  if (formula.expression == NULL) {
    return false;
  }
  if (!sb_check_names(build->reader, setting, row, formula.expression) ||
      !check_result(build, setting, result_unit(row, formula.expression), element,
                    &formula.dimension)) {
    sb_expression_destroy(formula.expression);
    return false;
  }
  sb_expression_fold(formula.expression);
  sb_param_take(row, self, formula.expression);
  return true;
}
