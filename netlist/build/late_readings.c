// SPDX-License-Identifier: GPL-3.0-or-later
// Signals that read what is made after them, <signal of="floor-ball.normal-force">: contacts, and the parts of elements that
// consist of several, ID/part. Their dimension is told by the kinds that they may be; they are connected at the end.
#include <string.h>

#include "contact/parts.h"
#include "contact/rigid.h"
#include "core/graph/graph_data.h"
#include "elements/elements.h"
#include "netlist/build/build.h"
#include "netlist/build/mechanisms_private.h"
#include "netlist/build/wires_private.h"
#include "netlist/reader/names.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

static const char pair[] = "contact(";

size_t sb_reading_owner(const char *text) {
  const char *close = strncmp(text, pair, strlen(pair)) == 0 ? strchr(text, ')') : NULL;
  return close == NULL ? strcspn(text, ".") : (size_t)(close - text) + strcspn(close, ".");
}

/** The item of an id, or of what a part ID/part belongs to; -1: none. */
static int find_whole(const sb_build *build, const char *id) {
  const char *slash = strrchr(id, '/');
  const int item = sb_scope_find(build->reader, id, strlen(id));
  return item >= 0 || slash == NULL ? item : sb_scope_find(build->reader, id, (size_t)(slash - id));
}

bool sb_is_late(const sb_build *build, const char *id, const sb_element_type *kinds[3]) {
  const bool is_pair = strncmp(id, pair, strlen(pair)) == 0;
  const int index = is_pair ? -1 : find_whole(build, id);
  const sb_item *item = index < 0 ? NULL : &build->reader->tree.items[index];
  const bool part = item != NULL && item->id != NULL && strlen(id) > strlen(item->id);
  const bool contact =
      is_pair || (item != NULL && !part && strcmp(item->node->name, "contact") == 0);
  kinds[0] = contact ? &sb_kind_contact : NULL;
  kinds[1] = contact ? &sb_kind_contact_rigid : NULL;
  kinds[2] = NULL;
  return contact || part;
}

static void connect_late(const sb_build *build, const sb_item *item) {
  const sb_setting *of = sb_item_text(build->reader, item, "of");
  char name[SB_READING_MAX], owner[SB_READING_MAX];
  if (!sb_reading_name(build, of, name)) {
    return;
  }
  const size_t length = sb_reading_owner(name);
  memcpy(owner, name, length);
  owner[length] = '\0';
  if (sb_graph_knows(build->graph, owner)) {
    (void)sb_wire_quantity(build, of, name, sb_made_of(build, item)->element, 1);
    return;
  }
  sb_made_of(build, item)->element->failed = true;
  if (build->reader->errors->count == 0) { // else it may be what has failed
    sb_error err;
    (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no element '%.80s'", owner);
    if (strncmp(owner, pair, strlen(pair)) == 0) {
      sb_error_hint(&err, "pairs that are made only while they are near have no signals: state "
                          "<contact a=\"...\" b=\"...\"/> of the two");
    }
    sb_report_value(build->reader, of, &err);
  }
}

void sb_build_late_readings(const sb_build *build) {
  const sb_item *item = NULL;
  while ((item = sb_next_item(build->reader, item, "signal")) != NULL) {
    if (sb_made_of(build, item)->late) {
      connect_late(build, item);
    }
  }
}
