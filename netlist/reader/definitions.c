// SPDX-License-Identifier: GPL-3.0-or-later
// Definitions that name each other, whatever their order. An evaluation that meets one not known
// yet stops and waits on a stack until that one is known, so that long chains need no deep
// recursion.
#include "netlist/reader/definitions.h"

#include <stdio.h>

#include "netlist/reader/report.h"

/** Reports the circular reference that closes at `index` with the top of the stack. */
static void report_circle(const sb_reader *reader, const sb_definitions *all, int index) {
  const sb_definition_sort *sort = all->sort;
  const sb_item *item = &reader->tree.items[all->entries[index].item];
  char path[SB_ERROR_TEXT / 2] = "";
  size_t used = 0;
  int first = all->depth - 1;
  while (first > 0 && all->stack[first] != index) {
    first--;
  }
  for (int i = first; i < all->depth && used < sizeof path; i++) {
    used += (size_t)snprintf(path + used, sizeof path - used, "%s -> ",
                             reader->tree.items[all->entries[all->stack[i]].item].id);
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_REFERENCE, "circular reference among the %s: %s%s", sort->plural, path,
                item->id);
  sort->report_circle(reader, item, &err);
}

void sb_resolve(sb_reader *reader, sb_definitions *all, int index, void *context) {
  if (!sb_arena_grow(&reader->memory, &all->stack, &all->stack_capacity, all->count,
                     sizeof *all->stack)) {
    sb_report_memory(reader);
    all->entries[index].state = SB_DEFINITION_FAILED;
    return;
  }
  all->stack[all->depth++] = index;
  while (all->depth > 0) {
    sb_definition *entry = &all->entries[all->stack[all->depth - 1]];
    entry->state = SB_DEFINITION_OPEN;
    sb_outcome outcome = all->sort->evaluate(context, entry);
    int wanted = outcome.known ? -1 : outcome.wanted;
    if (wanted >= 0 && all->entries[wanted].state == SB_DEFINITION_NEW) {
      all->stack[all->depth++] = wanted;
      continue;
    }
    if (wanted >= 0) {
      report_circle(reader, all, wanted);
    }
    entry->state = outcome.known ? SB_DEFINITION_KNOWN : SB_DEFINITION_FAILED;
    all->depth--;
  }
}

void sb_resolve_all(sb_reader *reader, sb_definitions *all, void *context) {
  for (int i = 0; i < all->count; i++) {
    if (all->entries[i].state == SB_DEFINITION_NEW) {
      sb_resolve(reader, all, i, context);
    }
  }
}
