// SPDX-License-Identifier: GPL-3.0-or-later
// A hash table from names to indices (open addressing). Names that differ in their last digit, as
// those of the elements of a chain do, are neighbours in it: what is read next is in the cache then.
#ifndef SB_CORE_NAMES_PRIVATE_H
#define SB_CORE_NAMES_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sb_names {
  struct sb_names_slot {
    const char *name; // borrowed
    int index;
    uint32_t hash;
  } * slots;
  int count, capacity; // capacity: a power of two
} sb_names;

/** Adds a name that is not there yet; false: out of memory. */
bool sb_names_add(sb_names *names, const char *name, int index);
/** -1 if the name is unknown. */
int sb_names_find(const sb_names *names, const char *name, size_t length);
void sb_names_finish(sb_names *names);

#endif
