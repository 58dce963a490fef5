// SPDX-License-Identifier: GPL-3.0-or-later
// Units as they are written, where those that fit depend on the exponents of a contact law.
#include "netlist/build/laws_private.h"

#include <string.h>

#include "netlist/reader/numbers.h"
#include "netlist/value/unit.h"

bool sb_law_dimension(const sb_contact_law *law, const char *name, sb_dimension *dimension) {
  char unit[SB_CONTACT_LAW_UNIT_SIZE];
  double scale;
  sb_contact_law_unit(law, name, unit, sizeof unit);
  return sb_unit_parse(unit, strlen(unit), dimension, &scale, NULL) == SB_OK;
}

sb_status sb_read_unit(sb_reader *reader, const sb_setting *setting, const sb_dimension *wanted,
                       sb_dimension *dimension, sb_error *err) {
  double values[3];
  int count;
  sb_lookup lookup;
  sb_value_scope scope = sb_lookup_begin(&lookup, reader, setting);
  return sb_value_parse(setting->value, wanted, &scope, values, 3, &count, dimension, err);
}

sb_dimension sb_written_dimension(sb_reader *reader, const sb_setting *setting) {
  sb_dimension dimension = {.any = true};
  if (setting != NULL && sb_read_unit(reader, setting, NULL, &dimension, NULL) != SB_OK) {
    dimension.any = true;
  }
  return dimension;
}
