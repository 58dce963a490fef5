// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/names_private.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint32_t hash(const char *name, size_t length) {
  uint32_t h = 2166136261U;
  for (size_t i = 0; i < length; i++) {
    h = (h ^ (unsigned char)name[i]) * 16777619U;
  }
  return h;
}

static void insert(sb_names *names, const char *name, int index) {
  uint32_t mask = (uint32_t)names->capacity - 1;
  uint32_t i = hash(name, strlen(name)) & mask;
  while (names->slots[i].name != NULL) {
    i = (i + 1) & mask;
  }
  names->slots[i].name = name;
  names->slots[i].index = index;
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
        insert(&larger, names->slots[i].name, names->slots[i].index);
      }
    }
    free(names->slots);
    *names = larger;
  }
  insert(names, name, index);
  return true;
}

int sb_names_find(const sb_names *names, const char *name, size_t length) {
  if (names->capacity == 0) {
    return -1;
  }
  uint32_t mask = (uint32_t)names->capacity - 1;
  for (uint32_t i = hash(name, length) & mask; names->slots[i].name != NULL; i = (i + 1) & mask) {
    const char *known = names->slots[i].name;
    if (strncmp(known, name, length) == 0 && known[length] == '\0') {
      return names->slots[i].index;
    }
  }
  return -1;
}

void sb_names_finish(sb_names *names) {
  free(names->slots);
  *names = (sb_names){0};
}
