// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The address sanitizer sees the ends of pieces only where each is a chunk of its own.
#if defined(__SANITIZE_ADDRESS__)
enum { CHUNK_SIZE = 1, LONG_SIZE = 1 };
#else
enum { CHUNK_SIZE = 32 * 1024, LONG_SIZE = CHUNK_SIZE / 16 };
#endif

/** Small pieces are taken from the first chunk of the list; a piece larger than CHUNK_SIZE has a chunk of
 *  its own, which is never the first one that has room. */
struct sb_arena_chunk {
  struct sb_arena_chunk *next, *previous;
  size_t used, size;
  alignas(max_align_t) char bytes[];
};

/** Lets the neighbours of a chunk point to it. */
static void link_chunk(sb_arena *arena, struct sb_arena_chunk *chunk) {
  *(chunk->previous != NULL ? &chunk->previous->next : &arena->chunks) = chunk;
  if (chunk->next != NULL) {
    chunk->next->previous = chunk;
  }
}

static void *take_own(sb_arena *arena, size_t size, bool zeroed) {
  struct sb_arena_chunk *first = arena->chunks, *chunk;
  size_t all = sizeof *chunk + size;
  chunk = zeroed ? calloc(1, all) : malloc(all); // calloc does not touch what the system has zeroed
  if (chunk == NULL) {
    arena->failed = true;
    return NULL;
  }
  chunk->used = chunk->size = size;
  chunk->previous = first;
  chunk->next = first == NULL ? NULL : first->next;
  link_chunk(arena, chunk);
  return chunk->bytes;
}

void *sb_arena_take(sb_arena *arena, size_t size) {
  const size_t step = alignof(max_align_t);
  struct sb_arena_chunk *first = arena->chunks;
  if (size > CHUNK_SIZE) {
    return take_own(arena, size, false);
  }
  if (first == NULL || first->used > first->size || first->size - first->used < size) {
    struct sb_arena_chunk *fresh = malloc(sizeof *fresh + CHUNK_SIZE);
    if (fresh == NULL) {
      arena->failed = true;
      return NULL;
    }
    *fresh = (struct sb_arena_chunk){.next = first, .size = CHUNK_SIZE};
    link_chunk(arena, fresh);
    first = fresh;
  }
  void *memory = first->bytes + first->used;
  first->used += (size + step - 1) / step * step;
  return memory;
}

void *sb_arena_zeroed(sb_arena *arena, int count, size_t size) {
  size_t all = (count > 0 ? (size_t)count : 1) * size;
  if (all > CHUNK_SIZE) {
    return take_own(arena, all, true);
  }
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

/** An array in a chunk of its own grows with the chunk. */
static void *grow_own(sb_arena *arena, void *items, size_t size) {
  struct sb_arena_chunk *chunk = (void *)((char *)items - offsetof(struct sb_arena_chunk, bytes));
  chunk = realloc(chunk, sizeof *chunk + size);
  if (chunk == NULL) {
    arena->failed = true;
    return NULL;
  }
  chunk->used = chunk->size = size;
  link_chunk(arena, chunk);
  return chunk->bytes;
}

bool sb_arena_grow(sb_arena *arena, void *items_pointer, int *capacity, int needed, size_t size) {
  if (needed <= *capacity) {
    return true;
  }
  int larger = *capacity > INT32_MAX / 2 ? INT32_MAX : 2 * *capacity;
  larger = larger < needed ? needed : larger;
  size_t before = (size_t)*capacity * size, after = (size_t)larger * size;
  if (before >= LONG_SIZE && after <= CHUNK_SIZE) { // it will have a chunk of its own: from now on
    larger = (int)(CHUNK_SIZE / size) + 1;
    after = (size_t)larger * size;
  }
  void *items;
  memcpy(&items, items_pointer, sizeof items);
  void *more = before > CHUNK_SIZE ? grow_own(arena, items, after) : sb_arena_take(arena, after);
  if (more == NULL) {
    return false;
  }
  if (before > 0 && before <= CHUNK_SIZE) {
    memcpy(more, items, before);
  }
  memcpy(items_pointer, &more, sizeof more);
  *capacity = larger;
  return true;
}

bool sb_arena_append(sb_arena *arena, void *items, int *count, int *capacity, size_t size,
                     const void *item) {
  if (!sb_arena_grow(arena, items, capacity, *count + 1, size)) {
    return false;
  }
  char *array;
  memcpy(&array, items, sizeof array);
  memcpy(array + (size_t)(*count)++ * size, item, size);
  return true;
}

void sb_arena_finish(sb_arena *arena) {
  while (arena->chunks != NULL) {
    struct sb_arena_chunk *next = arena->chunks->next;
    free(arena->chunks);
    arena->chunks = next;
  }
  arena->failed = false;
}
