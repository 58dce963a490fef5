// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/quantity.h"

#include <stdio.h>
#include <stdlib.h>
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

int sb_component_find(const char *name, const char *end, int count, sb_error *err) {
  static const char axes[] = "xyz";
  const int length = (int)(end - name);
  if (count == 1 && *end == '\0') {
    return 0;
  }
  const char *axis =
      count == 3 && end[0] == '.' && end[1] != '\0' && end[2] == '\0' ? strchr(axes, end[1]) : NULL;
  if (axis != NULL) {
    return (int)(axis - axes);
  }
  char *rest = NULL;
  const long number = end[0] == '.' && end[1] >= '0' && end[1] <= '9' && count != 3 && count != 1
                          ? strtol(end + 1, &rest, 10)
                          : -1;
  if (number >= 0 && *rest == '\0' && number < count) {
    return (int)number;
  }
  if (count == 1) {
    (void)sb_fail(err, SB_ERR_DIMENSION, "'%.*s' is one number, and '%.80s' names a component",
                  length, name, name);
  } else if (*end == '\0') {
    (void)sb_fail(err, SB_ERR_DIMENSION, "'%.*s' has %d components, a signal has one", length, name,
                  count);
    sb_error_hint(err, count == 3 ? "write '%.*s.x', .y or .z" : "write '%.*s.0', .1 and so on",
                  length, name);
  } else {
    (void)sb_fail(err, SB_ERR_DIMENSION, "'%.*s' has no component '%.40s'", length, name, end + 1);
    if (count == 3) {
      sb_error_hint(err, "its components are x, y and z");
    } else {
      sb_error_hint(err, "its components are 0 to %d", count - 1);
    }
  }
  return -1;
}
