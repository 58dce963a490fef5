// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/quantity.h"

#include <stdio.h>
#include <string.h>

const char *sb_unit_of_component(const char *units, int component, char unit[64]) {
  const char *at = units, *blank = strchr(units, ' ');
  for (int k = 0; k < component && blank != NULL; k++) {
    at = blank + 1;
    blank = strchr(at, ' ');
  }
  (void)snprintf(unit, 64, "%.*s", (int)strcspn(at, " "), at);
  if (at != units || blank != NULL) { // a list of units, in which 1 is none
    unit[0] = strcmp(unit, "1") == 0 ? '\0' : unit[0];
  }
  return unit;
}

void sb_component_name(char *buffer, int size, const char *label, int component, int count) {
  size_t room = (size_t)size;
  if (count == 1) {
    (void)snprintf(buffer, room, "%s", label);
  } else if (count == 3) {
    (void)snprintf(buffer, room, "%s.%c", label, "xyz"[component]);
  } else {
    (void)snprintf(buffer, room, "%s.%d", label, component);
  }
}
