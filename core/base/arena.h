// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that is only added to, and freed as a whole: for the many small pieces of large graphs,
// which are made together, read together and freed together.
#ifndef SB_CORE_ARENA_PRIVATE_H
#define SB_CORE_ARENA_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

/** All zero: empty. */
typedef struct sb_arena {
  struct sb_arena_chunk *chunks;
} sb_arena;

/** Not initialised, aligned for everything; NULL: out of memory. */
void *sb_arena_take(sb_arena *arena, size_t size);
/** Never NULL for a count of zero, as sb_zeroed(). */
void *sb_arena_zeroed(sb_arena *arena, int count, size_t size);
/** With a zero behind it. */
char *sb_arena_copy(sb_arena *arena, const char *text, size_t length);
/** As sb_grow(); the old array stays where it is, so that this is for short ones. */
bool sb_arena_grow(sb_arena *arena, void *items_pointer, int *capacity, int needed, size_t size);
void sb_arena_finish(sb_arena *arena);

#endif
