// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/names.h"

#include <stdlib.h>
#include <string.h>

/** FNV-1a of all but the last digit, which counts the slots from there on. */
static uint32_t hash(const char *name, size_t length) {
  uint32_t h = 2166136261U, last = 0;
  for (size_t i = 0; i < length; i++) {
    uint32_t c = (unsigned char)name[i];
    if (c - '0' < 10) {
      h = (h ^ last) * 16777619U;
      last = c;
    } else {
      h = (h ^ c) * 16777619U;
    }
  }
  return h + last;
}

static void insert(sb_names *names, struct sb_names_slot slot) {
  uint32_t mask = (uint32_t)names->capacity - 1;
  uint32_t i = slot.hash & mask;
  while (names->slots[i].name != NULL) {
    i = (i + 1) & mask;
  }
  names->slots[i] = slot;
  names->count++;
}

bool sb_names_add(sb_names *names, const char *name, int index) {
  if (2 * (names->count + 1) > names->capacity) {
    sb_names larger = {.capacity = names->capacity == 0 ? 16 : 2 * names->capacity};
    larger.slots = calloc((size_t)larger.capacity, sizeof *larger.slots);
    if (larger.slots == NULL) {
      return false;
    }
    for (int i = 0; i < names->capacity; i++) {
      if (names->slots[i].name != NULL) {
        insert(&larger, names->slots[i]);
      }
    }
    free(names->slots);
    *names = larger;
  }
  insert(names, (struct sb_names_slot){name, index, hash(name, strlen(name))});
  return true;
}

int sb_names_find(const sb_names *names, const char *name, size_t length) {
  if (names->capacity == 0) {
    return -1;
  }
  uint32_t mask = (uint32_t)names->capacity - 1, wanted = hash(name, length);
  for (uint32_t i = wanted & mask; names->slots[i].name != NULL; i = (i + 1) & mask) {
    const struct sb_names_slot *slot = &names->slots[i];
    if (slot->hash == wanted && strncmp(slot->name, name, length) == 0 &&
        slot->name[length] == '\0') {
      return slot->index;
    }
  }
  return -1;
}

void sb_names_finish(sb_names *names) {
  free(names->slots);
  *names = (sb_names){0};
}
