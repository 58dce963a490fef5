// SPDX-License-Identifier: GPL-3.0-or-later
// Which bodies joints join directly. They overlap where the joint is: they have contacts only where that is asked for.
#include <string.h>

#include "netlist/build/contact_names_private.h"
#include "netlist/build/mechanisms_private.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

bool sb_find_jointed(sb_contacts *all) {
  const sb_build *build = all->build;
  sb_reader *reader = build->reader;
  const sb_item *item = NULL;
  int capacity = 0;
  all->first_joint = sb_arena_zeroed(&reader->memory, reader->tree.item_count, sizeof(int));
  while (all->first_joint != NULL && (item = sb_next_item(reader, item, "joint")) != NULL) {
    const int *ends = sb_made_of(build, item)->ends;
    for (int i = 0; i < 2; i++) {
      const sb_joint_end own = {item, ends[1 - i],
                                ends[0] > 0 && ends[1] > 0 ? all->first_joint[ends[i]] : 0};
      if (ends[0] > 0 && ends[1] > 0 &&
          sb_arena_append(&reader->memory, &all->joint_ends, &all->joint_end_count, &capacity,
                          sizeof own, &own)) {
        all->first_joint[ends[i]] = all->joint_end_count;
      }
    }
  }
  if (reader->memory.failed) {
    sb_report_memory(reader);
  }
  return !reader->memory.failed;
}

const sb_item *sb_joint_between(const sb_contacts *all, const sb_item *a, const sb_item *b) {
  const sb_item *items = all->build->reader->tree.items;
  int k = all->first_joint[a - items];
  while (k > 0 && all->joint_ends[k - 1].other != (int)(b - items)) {
    k = all->joint_ends[k - 1].next;
  }
  return k > 0 ? all->joint_ends[k - 1].joint : NULL;
}

bool sb_check_jointed(const sb_contacts *all, const sb_item *item, const sb_item *a,
                      const sb_item *b) {
  const sb_item *joint = sb_joint_between(all, a, b);
  bool wanted;
  sb_error err;
  if (!sb_read_flag(all->build, item, "jointed", &wanted)) {
    return false;
  }
  if (joint == NULL || wanted) {
    return true;
  }
  (void)sb_fail(&err, SB_ERR_CONTACT, "a contact of '%.80s' and '%.80s', which joint '%.80s' joins",
                a->id, b->id, joint->id);
  sb_error_hint(&err, "where their shapes do not overlap at the joint, ask for the contact by "
                      "jointed=\"yes\"");
  sb_report_item(all->build->reader, item, &err);
  return false;
}
