// SPDX-License-Identifier: GPL-3.0-or-later
// Signals of other kinds than <signal>: an input, which is an expression of signals, and parameters, whose
// units follow from those of the input and of the output.
#include <string.h>

#include "netlist/build/signal_forms_private.h"
#include "netlist/build/values_private.h"
#include "netlist/reader/numbers.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"

/** What is known of the dimensions while the rows are read. */
typedef struct dimensions {
  sb_dimension input, output, gain;
  bool gains; // the output is the input times the gain
} dimensions;

static sb_dimension *find_dimension(dimensions *all, const char *unit) {
  return unit == NULL                        ? NULL
         : strcmp(unit, SB_UNIT_INPUT) == 0  ? &all->input
         : strcmp(unit, SB_UNIT_OUTPUT) == 0 ? &all->output
         : strcmp(unit, SB_UNIT_GAIN) == 0   ? &all->gain
                                             : NULL;
}

/** A number in a unit of the input or the output, which becomes known by it if it was open. */
static bool read_known(const sb_build *build, const sb_setting *setting, const sb_param *row,
                       void *self, sb_dimension *known) {
  double value;
  sb_dimension dimension;
  sb_error err = {0};
  if (!sb_read_number(build->reader, setting, known->any ? NULL : known, NULL, &value, &dimension)
           .known) {
    return false;
  }
  *known = known->any ? dimension : *known;
  if (sb_param_set(row, self, &value, 1, &err) != SB_OK) {
    sb_report_value(build->reader, setting, &err);
    return false;
  }
  return true;
}

/** All rows but the input. */
static bool read_rows(const sb_build *build, const sb_item *item, sb_element *element,
                      dimensions *all) {
  const sb_reader *reader = build->reader;
  sb_wires wires = {.count = 0};
  bool good = true;
  for (const sb_param *row = item->type->params + 1; row->name != NULL; row++) {
    const sb_setting *setting = sb_item_value(reader, item, row);
    sb_dimension *known = find_dimension(all, row->unit);
    void *self = sb_element_data(element);
    if (setting == NULL) {
      good = (row->fallback != NULL || sb_missing_value(reader, item, row)) && good;
      continue;
    }
    all->gains = all->gains || known == &all->gain;
    good = (known != NULL ? read_known(build, setting, row, self, known)
                          : sb_read_value(build, setting, row, self, element, &wires)) &&
           good;
    sb_place_value(build, item, setting, row);
  }
  return good;
}

/** The dimension of the output: its own, or that of the input, perhaps times the gain. */
static sb_dimension output_of(const sb_item *item, const dimensions *all) {
  const sb_param *row = item->type->params;
  while (row->name != NULL && (row->unit == NULL || strcmp(row->unit, SB_UNIT_OUTPUT) != 0)) {
    row++;
  }
  sb_dimension output = all->input;
  if (row->name != NULL) {
    output = all->output;
  } else if (all->gains && !output.any && !all->gain.any &&
             !sb_dimension_multiply(&output, &all->gain, 1, 1)) {
    output = (sb_dimension){.any = true};
  }
  return output;
}

sb_outcome sb_read_block(const sb_build *build, const sb_item *item, sb_definition *entry) {
  const sb_dimension any = {.any = true};
  const sb_param *input = item->type->params; // the first row
  const sb_setting *setting = sb_item_value(build->reader, item, input);
  sb_element *element = sb_made_of(build, item)->element;
  dimensions all = {.input = any, .output = any, .gain = any};
  if (setting == NULL) {
    return sb_known(sb_missing_value(build->reader, item, input));
  }
  sb_outcome outcome = sb_read_input(build, element, setting, &all.input);
  if (!outcome.known) {
    return outcome;
  }
  sb_place_value(build, item, setting, input);
  bool good = read_rows(build, item, element, &all);
  entry->dimension = output_of(item, &all);
  return sb_known(good);
}
