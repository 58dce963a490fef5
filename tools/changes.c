// SPDX-License-Identifier: GPL-3.0-or-later
#include "changes.h"

#include <stdio.h>

#include "columns.h"
#include "core/base/json.h"

void changes_print(const sb_mode_change changes[], int count) {
  int width = 12;
  for (int i = 0; i < count; i++) {
    width = column_widen(width, changes[i].name);
  }
  (void)fputs(count > 0 ? "\nin another mode than at the start, by its last event\n" : "", stdout);
  for (int i = 0; i < count; i++) {
    column_print(changes[i].name, width);
    (void)puts(changes[i].change);
  }
}

void changes_put(sb_text *t, const sb_mode_change changes[], int count) {
  sb_text_put(t, ",\n \"changed\": [");
  for (int i = 0; i < count; i++) {
    sb_text_put(t, "%s{\"name\": ", i == 0 ? "" : ", ");
    sb_json_quote(t, changes[i].name);
    sb_text_put(t, ", \"change\": ");
    sb_json_quote(t, changes[i].change);
    sb_text_put(t, "}");
  }
  sb_text_put(t, "]");
}
