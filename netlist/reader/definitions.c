// SPDX-License-Identifier: GPL-3.0-or-later
// Definitions that name each other, whatever their order. An evaluation that meets one not known yet
// stops and waits on a stack until that one is known, so that long chains cost no depth.
#include <stdio.h>

#include "core/array_private.h"
#include "netlist/build/build.h"
#include "netlist/reader/expand.h"

/** Words the circle that closes at `index` with the top of the stack. */
static void report_circle(sb_reader *reader, const sb_definitions *all, int index) {
  const sb_definition_sort *sort = all->sort;
  const sb_item *item = &reader->items[all->entries[index].item];
  char path[SB_ERROR_TEXT / 2] = "";
  size_t used = 0;
  int first = all->depth - 1;
  while (first > 0 && all->stack[first] != index) {
    first--;
  }
  for (int i = first; i < all->depth && used < sizeof path; i++) {
    used += (size_t)snprintf(path + used, sizeof path - used, "%s -> ",
                             reader->items[all->entries[all->stack[i]].item].id);
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_REFERENCE, "%s refer to each other in a circle: %s%s", sort->plural,
                path, item->id);
  sort->report_circle(reader, item, &err);
}

void sb_resolve(sb_reader *reader, sb_definitions *all, int index) {
  if (!sb_grow(&all->stack, &all->stack_capacity, all->count, sizeof *all->stack)) {
    sb_report_memory(reader);
    all->entries[index].state = SB_DEFINITION_FAILED;
    return;
  }
  all->stack[all->depth++] = index;
  while (all->depth > 0) {
    sb_definition *entry = &all->entries[all->stack[all->depth - 1]];
    entry->state = SB_DEFINITION_OPEN;
    bool known = all->sort->evaluate(reader, entry);
    int wanted = known ? -1 : reader->wanted;
    if (wanted >= 0 && all->entries[wanted].state == SB_DEFINITION_NEW) {
      all->stack[all->depth++] = wanted;
      continue;
    }
    if (wanted >= 0) {
      report_circle(reader, all, wanted);
    }
    entry->state = known ? SB_DEFINITION_KNOWN : SB_DEFINITION_FAILED;
    all->depth--;
  }
}

void sb_resolve_all(sb_reader *reader, sb_definitions *all) {
  for (int i = 0; i < all->count; i++) {
    if (all->entries[i].state == SB_DEFINITION_NEW) {
      sb_resolve(reader, all, i);
    }
  }
}
