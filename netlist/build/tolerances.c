// SPDX-License-Identifier: GPL-3.0-or-later
// Absolute tolerances by quantity, atol="1 uV 1 nm": numbers with a unit each, which hold for all states of
// that dimension and for all outputs dH/dx of it, whose states have the dimension of J over it. A single number
// without a unit is that of every state in SI.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/utf8.h"
#include "netlist/build/build.h"
#include "netlist/reader/numbers.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/value/value.h"

enum { ENTRY_SIZE = 400 };

static bool is_blank(char c) {
  return strchr(" \t\r\n", c) != NULL;
}

/** The end of the entry that begins at `at`: where a number follows a blank, outside of brackets, and no
 *  operator is before it. */
static size_t entry_end(const char *text, size_t at) {
  char last = '\0'; // but blanks
  int depth = 0;
  for (size_t i = at; text[i] != '\0'; i++) {
    bool number = isdigit((unsigned char)text[i]) || text[i] == '.';
    if (i > at && number && depth == 0 && is_blank(text[i - 1]) && strchr("+-*/^", last) == NULL) {
      return i;
    }
    depth += (text[i] == '(' || text[i] == '[') - (text[i] == ')' || text[i] == ']');
    last = is_blank(text[i]) ? last : text[i];
  }
  return strlen(text);
}

static sb_status read_entry(const char *text, size_t at, size_t end, const sb_value_scope *scope,
                            double *size, sb_dimension *dimension, sb_error *err) {
  char entry[ENTRY_SIZE];
  int count;
  if (end - at >= sizeof entry) {
    return sb_fail(err, SB_ERR_TOO_LARGE, "an atol of more than %d characters", ENTRY_SIZE - 1);
  }
  (void)snprintf(entry, sizeof entry, "%.*s", (int)(end - at), text + at);
  SB_TRY(sb_value_parse(entry, NULL, scope, size, 1, &count, dimension, err));
  if (!(*size > 0)) {
    return sb_fail(err, SB_ERR_RANGE, "atol must be above zero");
  }
  if (dimension->any && (at > 0 || text[end] != '\0')) {
    (void)sb_fail(err, SB_ERR_UNIT, "each of several tolerances needs a unit");
    sb_error_hint(err, "as in atol=\"1 uV 1 nm\"");
    return SB_ERR_UNIT;
  }
  return SB_OK;
}

/** Whether a state in `unit`, or its output, has the dimension of a tolerance. */
static void compare(const char *unit, const sb_dimension *wanted, bool *state, bool *output) {
  sb_dimension own, conjugate;
  double scale;
  *state = *output = false;
  if (unit != NULL && sb_unit_parse(unit, strlen(unit), &own, &scale, NULL) == SB_OK &&
      sb_unit_parse("J", 1, &conjugate, &scale, NULL) == SB_OK &&
      sb_dimension_multiply(&conjugate, &own, -1, 1)) {
    *state = sb_dimension_equal(&own, wanted);
    *output = sb_dimension_equal(&conjugate, wanted);
  }
}

static void list_units(int count, const char *const units[], sb_error *err) {
  char text[SB_ERROR_HINT] = "";
  for (int i = 0; i < count; i++) {
    bool known = false;
    for (int k = 0; k < i && !known && units[i] != NULL; k++) {
      known = units[k] != NULL && strcmp(units[k], units[i]) == 0;
    }
    size_t used = strlen(text);
    if (units[i] != NULL && !known && used + 40 < sizeof text) {
      (void)snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? ", " : "", units[i]);
    }
  }
  sb_error_hint(
      err, text[0] == '\0' ? "none of its states has a known unit" : "its states are in %s", text);
}

/** The hook of sb_tolerances; the context is the netlist. */
static sb_status find_states(const void *context, int count, const char *const units[],
                             double state[], double output[], sb_error *err) {
  const sb_netlist *netlist = context;
  for (int k = 0; k < netlist->tolerance_count; k++) {
    const sb_netlist_tolerance *tolerance = &netlist->tolerances[k];
    sb_dimension wanted;
    double scale;
    bool of_state = false, of_output = false, used = false;
    SB_TRY(sb_unit_parse(tolerance->unit, strlen(tolerance->unit), &wanted, &scale, err));
    for (int i = 0; i < count; i++) {
      if (i == 0 || units[i] != units[i - 1]) {
        compare(units[i], &wanted, &of_state, &of_output);
      }
      state[i] = of_state ? fmax(state[i], tolerance->size) : state[i];
      output[i] = of_output ? fmax(output[i], tolerance->size) : output[i];
      used = used || of_state || of_output;
    }
    if (!used) {
      char name[SB_DIMENSION_SIZE];
      (void)sb_unit_describe(&wanted, name, sizeof name);
      (void)sb_fail(err, SB_ERR_DIMENSION,
                    "atol: no storage has a state, an effort or a flow in %s to be held to", name);
      list_units(count, units, err);
      err->line = tolerance->line;
      err->column = tolerance->column;
      (void)snprintf(err->file, sizeof err->file, "%s",
                     tolerance->line > 0 ? netlist->file : "--atol");
      return SB_ERR_DIMENSION;
    }
  }
  return SB_OK;
}

static sb_status add_entry(sb_netlist *netlist, sb_arena *memory, int *capacity, double size,
                           const sb_dimension *dimension, sb_error *err) {
  char unit[SB_DIMENSION_SIZE];
  int length = sb_dimension_format(dimension, unit, sizeof unit);
  sb_netlist_tolerance entry = {.size = size, .unit = sb_arena_copy(memory, unit, (size_t)length)};
  if (entry.unit == NULL ||
      !sb_arena_append(memory, &netlist->tolerances, &netlist->tolerance_count, capacity,
                       sizeof entry, &entry)) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  return SB_OK;
}

sb_status sb_tolerances_read(sb_netlist *netlist, const char *text, const sb_value_scope *scope,
                             const sb_xml_attribute *attribute, sb_arena *memory, sb_error *err) {
  sb_netlist to = *netlist;
  int capacity = 0;
  to.options.atol = 0;
  to.tolerances = NULL;
  to.tolerance_count = 0;
  for (size_t at = strspn(text, " \t\r\n"), end = 0; end == 0 || text[at] != '\0'; at = end) {
    double size = 0;
    sb_dimension dimension;
    int column = 1 + (int)sb_utf8_count(text, at);
    end = entry_end(text, at);
    sb_status status = read_entry(text, at, end, scope, &size, &dimension, err);
    if (status != SB_OK) {
      err->column += err->column > 0 ? column - 1 : column;
      return status;
    }
    if (dimension.any) {
      to.options.atol = size;
      continue;
    }
    SB_TRY(add_entry(&to, memory, &capacity, size, &dimension, err));
    sb_netlist_tolerance *entry = &to.tolerances[to.tolerance_count - 1];
    if (attribute != NULL) {
      sb_xml_value_place(attribute, column, &entry->line, &entry->column);
    }
  }
  *netlist = to;
  if (to.tolerance_count > 0) {
    netlist->options.tolerances = (sb_tolerances){find_states, netlist};
  } else {
    netlist->options.tolerances = (sb_tolerances){NULL, NULL};
  }
  return SB_OK;
}

void sb_build_atol(const sb_build *build, const sb_setting *setting, sb_netlist *netlist,
                   sb_arena *memory) {
  sb_error err = {0};
  sb_lookup lookup;
  if (setting != NULL) {
    sb_value_scope scope = sb_lookup_begin(&lookup, build->reader, setting);
    sb_status status =
        sb_tolerances_read(netlist, setting->value, &scope, setting->attribute, memory, &err);
    (void)sb_lookup_end(&lookup, status, NULL, &err);
  }
}
