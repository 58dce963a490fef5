// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The address sanitizer sees the ends of pieces only where each is a chunk of its own.
#if defined(__SANITIZE_ADDRESS__)
enum { CHUNK_SIZE = 1 };
#else
enum { CHUNK_SIZE = 32 * 1024 };
#endif

struct sb_arena_chunk {
  struct sb_arena_chunk *next;
  size_t used, size;
  alignas(max_align_t) char bytes[];
};

void *sb_arena_take(sb_arena *arena, size_t size) {
  const size_t step = alignof(max_align_t);
  struct sb_arena_chunk *last = arena->chunks;
  if (last == NULL || last->used > last->size || last->size - last->used < size) {
    size_t capacity = size > CHUNK_SIZE ? size : CHUNK_SIZE;
    struct sb_arena_chunk *fresh = malloc(sizeof *fresh + capacity);
    if (fresh == NULL) {
      return NULL;
    }
    *fresh = (struct sb_arena_chunk){.next = last, .size = capacity};
    arena->chunks = last = fresh;
  }
  void *memory = last->bytes + last->used;
  last->used += (size + step - 1) / step * step;
  return memory;
}

void *sb_arena_zeroed(sb_arena *arena, int count, size_t size) {
  size_t all = (count > 0 ? (size_t)count : 1) * size;
  void *memory = sb_arena_take(arena, all);
  return memory == NULL ? NULL : memset(memory, 0, all);
}

char *sb_arena_copy(sb_arena *arena, const char *text, size_t length) {
  char *copy = sb_arena_take(arena, length + 1);
  if (copy != NULL) {
    memcpy(copy, text, length);
    copy[length] = '\0';
  }
  return copy;
}

bool sb_arena_grow(sb_arena *arena, void *items_pointer, int *capacity, int needed, size_t size) {
  if (needed <= *capacity) {
    return true;
  }
  int larger = *capacity > INT32_MAX / 2 ? INT32_MAX : 2 * *capacity;
  larger = larger < needed ? needed : larger;
  void *items, *more = sb_arena_take(arena, (size_t)larger * size);
  if (more == NULL) {
    return false;
  }
  memcpy(&items, items_pointer, sizeof items);
  if (*capacity > 0) {
    memcpy(more, items, (size_t)*capacity * size);
  }
  memcpy(items_pointer, &more, sizeof more);
  *capacity = larger;
  return true;
}

void sb_arena_finish(sb_arena *arena) {
  while (arena->chunks != NULL) {
    struct sb_arena_chunk *next = arena->chunks->next;
    free(arena->chunks);
    arena->chunks = next;
  }
}
