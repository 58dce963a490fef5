// SPDX-License-Identifier: GPL-3.0-or-later
// The nearest legal name, for hints: Damerau-Levenshtein distance (restricted: no substring is
// edited twice), in which another case counts little, and a letter typed twice.
#ifndef SB_NEAREST_H
#define SB_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/export.h"

enum {
  SB_NEAREST_CASE = 1,       // cost of another case
  SB_NEAREST_TWICE = 1,      // of a letter typed twice, in any case
  SB_NEAREST_EDIT = 4,       // of a letter changed, missing, too many, or of two exchanged
  SB_NEAREST_LENGTH_MAX = 64 // bytes of names that are compared
};

enum { SB_SUGGESTION_LIST = 440 }; // bytes of the list of all candidates
/** The candidate that a name was most likely meant to be, the first of several. They are offered one after the other and
 *  need not be kept. */
typedef struct sb_suggestion {
  const char *name;
  size_t length;
  int least;                            // cost of the best, or the largest that may be suggested
  char best[SB_NEAREST_LENGTH_MAX + 1]; // empty: none is close
  char
      all[SB_SUGGESTION_LIST + 8]; // with commas; where they are too many, those that fit and "..."
  size_t used;
} sb_suggestion;
SB_API sb_suggestion sb_suggestion_start(const char *name);
/** NULL is passed over. @return whether it is the best so far */
SB_API bool sb_suggestion_offer(sb_suggestion *suggestion, const char *candidate);
/** Rows of `size` bytes that begin with their name, up to one without. */
SB_API void sb_suggestion_offer_rows(sb_suggestion *suggestion, const void *table, size_t size);

/** The cost of making `b` from `a`; INT_MAX if either is too long. */
SB_API int sb_nearest_distance(const char *a, size_t a_length, const char *b, size_t b_length);
/** The largest cost at which a name of this length may be suggested. */
SB_API int sb_nearest_cutoff(size_t length);

#endif
