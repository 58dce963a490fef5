// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that is only added to, and freed as a whole: what an object is made of while it is built lives
// in one arena, so that destroying it, or giving it up half built, is one call.
#ifndef SB_CORE_ARENA_PRIVATE_H
#define SB_CORE_ARENA_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

/** All zero: empty. May be moved. */
typedef struct sb_arena {
  struct sb_arena_chunk *chunks;
  bool failed; // an allocation has failed since the start: to be asked once for many pieces
} sb_arena;

/** Not initialised, aligned for everything; NULL: out of memory. */
void *sb_arena_take(sb_arena *arena, size_t size);
/** `count` items of zero bytes. Never NULL for a count of zero, as sb_zeroed(). */
void *sb_arena_zeroed(sb_arena *arena, int count, size_t size);
/** With a zero behind it. */
char *sb_arena_copy(sb_arena *arena, const char *text, size_t length);
/** As sb_grow(), of an array that is empty or from this arena. A short array leaves its old place
 *  unused, a long one grows in a chunk of its own and wastes nothing.
 *  @param capacity  the number of items that the array was taken with */
bool sb_arena_grow(sb_arena *arena, void *items_pointer, int *capacity, int needed, size_t size);
/** As sb_append(). */
bool sb_arena_append(sb_arena *arena, void *items, int *count, int *capacity, size_t size,
                     const void *item);
void sb_arena_finish(sb_arena *arena);

#endif
