// SPDX-License-Identifier: GPL-3.0-or-later
// Signals that read bodies, frames and joints of trees, <signal of="hand.velocity.x" by="elbow">: the tree must know
// of them before it is built.
#include <stdio.h>
#include <string.h>

#include "mechanism/mechanism.h"
#include "netlist/build/build.h"
#include "netlist/build/mechanisms_private.h"
#include "netlist/build/units_private.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/index.h"
#include "netlist/reader/names.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"
#include "netlist/value/unit.h"

static bool is_joint(const sb_item *item) {
  return strcmp(item->node->name, "joint") == 0;
}

/** The path of a part of what an attribute names. */
static bool full_path(const sb_build *build, const sb_setting *setting, const char *start,
                      size_t length, char path[SB_PATH_MAX + 1]) {
  static const char world[] = "world";
  if (length == strlen(world) && strncmp(start, world, length) == 0) {
    (void)snprintf(path, SB_PATH_MAX + 1, "%s", world);
    return true;
  }
  return sb_full_name(build->reader, setting, start, length, path);
}

bool sb_reading_name(const sb_build *build, const sb_setting *setting, char name[SB_READING_MAX]) {
  const size_t length = sb_reading_owner(setting->value);
  const char *rest = setting->value + length, *open = strchr(rest, '('),
             *close = open == NULL ? NULL : strchr(open, ')');
  char path[SB_PATH_MAX + 1], frame[SB_PATH_MAX + 1] = "";
  const int before = close == NULL ? (int)strlen(rest) : (int)(open + 1 - rest);
  const bool pair = strncmp(setting->value, "contact(", 8) == 0; // which has the ids of both inside
  if (!(pair ? sb_plain_name : sb_full_name)(build->reader, setting, setting->value, length,
                                             path) ||
      (close != NULL && !full_path(build, setting, open + 1, (size_t)(close - open - 1), frame))) {
    return false;
  }
  (void)snprintf(name, SB_READING_MAX, "%.200s%.*s%.200s%.80s", path, before > 80 ? 80 : before,
                 rest, frame, close == NULL ? "" : close);
  return true;
}

/** Whether the attribute `of` of a signal is about a part of a tree. */
static bool reads_part(const sb_build *build, const sb_setting *of, char name[]) {
  const sb_reader *reader = build->reader;
  if (of == NULL || strchr(of->value, '.') == NULL || strpbrk(of->value, " \t\r\n") != NULL ||
      !sb_reading_name(build, of, name)) {
    return false;
  }
  const int index = sb_scope_find(reader, name, strcspn(name, "."));
  return index >= 0 && build->made[index].part >= 0 &&
         (build->made[index].body != NULL || build->made[index].joint != NULL ||
          build->made[index].frame != NULL);
}

static void report(const sb_build *build, const sb_setting *setting, sb_error *err) {
  if (err->hint[0] == '\0' && strcmp(setting->name, "by") == 0) {
    sb_hint_id_in(build->reader, setting->scope, setting->value, strcspn(setting->value, "."),
                  is_joint, err);
  }
  err->column = 1;
  sb_report_value(build->reader, setting, err);
}

void sb_list_readings(const sb_build *build, sb_mechanism *m) {
  const sb_item *item = NULL;
  while ((item = sb_next_item(build->reader, item, "signal")) != NULL) {
    const sb_setting *of = sb_item_text(build->reader, item, "of"),
                     *by = sb_item_text(build->reader, item, "by");
    char name[SB_READING_MAX], rate[SB_READING_MAX];
    bool by_fails;
    sb_error err = {0};
    sb_made *made = sb_made_of(build, item);
    made->reads_part = item->id != NULL && reads_part(build, of, name);
    if (!made->reads_part) {
      continue;
    }
    made->refused =
        (by != NULL && !sb_reading_name(build, by, rate)) ||
        sb_mechanism_add_signal(m, name, by == NULL ? NULL : rate, &by_fails, &err) != SB_OK;
    if (err.status == SB_ERR_MEMORY) {
      sb_report_memory(build->reader);
    } else if (err.status != SB_OK) {
      report(build, by_fails ? by : of, &err);
    }
  }
}

bool sb_name_reading(const sb_build *build, const sb_item *item, char name[SB_READING_MAX],
                     sb_dimension *dimension) {
  const sb_item *whole = sb_find_mechanism(build->reader);
  const sb_setting *by = sb_item_text(build->reader, item, "by");
  const sb_mechanism *m = whole == NULL ? NULL : sb_made_of(build, whole)->mechanism;
  char rate[SB_READING_MAX];
  double scale;
  if (sb_made_of(build, item)->refused || m == NULL ||
      !sb_reading_name(build, sb_item_text(build->reader, item, "of"), name) ||
      (by != NULL && !sb_reading_name(build, by, rate))) {
    return false;
  }
  char part[SB_READING_MAX];
  (void)snprintf(part, sizeof part, "%.*s", (int)strcspn(name, "."), name);
  if (!sb_graph_knows(build->graph, part)) {
    return false; // the trees have an error, which has been reported
  }
  if (by != NULL) {
    const size_t used = strlen(name);
    (void)snprintf(name + used, SB_READING_MAX - used, " by %s", rate);
  }
  const char *unit = sb_mechanism_signal_unit(m, name);
  *dimension = (sb_dimension){.any = unit == NULL};
  if (unit != NULL && unit[0] != '\0') {
    (void)sb_unit_parse(unit, strlen(unit), dimension, &scale, &(sb_error){0});
  }
  return true;
}
