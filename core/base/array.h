// SPDX-License-Identifier: GPL-3.0-or-later
// Growing arrays, used while building; nothing here is called in a step.
#ifndef SB_CORE_ARRAY_PRIVATE_H
#define SB_CORE_ARRAY_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** Makes room for `needed` items; false: out of memory, the old array is kept. */
static inline bool sb_grow(void *items_pointer, int *capacity, int needed, size_t size) {
  if (needed <= *capacity) {
    return true;
  }
  int larger = *capacity < 8 ? 8 : *capacity;
  while (larger < needed) {
    if (larger > INT32_MAX / 2) {
      return false;
    }
    larger *= 2;
  }
  void *items;
  memcpy(&items, items_pointer, sizeof items);
  items = realloc(items, (size_t)larger * size);
  if (items == NULL) {
    return false;
  }
  memcpy(items_pointer, &items, sizeof items);
  *capacity = larger;
  return true;
}

/** Appends a copy of an item; false: out of memory. */
static inline bool sb_append(void *items, int *count, int *capacity, size_t size,
                             const void *item) {
  if (!sb_grow(items, capacity, *count + 1, size)) {
    return false;
  }
  char *array;
  memcpy(&array, items, sizeof array);
  memcpy(array + (size_t)(*count)++ * size, item, size);
  return true;
}

/** calloc that never returns NULL for a count of zero. */
static inline void *sb_zeroed(int count, size_t size) {
  return calloc(count > 0 ? (size_t)count : 1, size);
}

#endif
