// SPDX-License-Identifier: GPL-3.0-or-later
// The nearest legal name, for hints: Damerau-Levenshtein distance (restricted: no substring is
// edited twice), in which another case counts little.
#ifndef SB_NETLIST_NEAREST_H
#define SB_NETLIST_NEAREST_H

#include <stddef.h>

#include "core/base/export.h"

enum {
  SB_NEAREST_CASE = 1,       // cost of another case
  SB_NEAREST_EDIT = 4,       // of a letter changed, missing, too many, or of two exchanged
  SB_NEAREST_LENGTH_MAX = 64 // bytes of names that are compared
};

/** The candidate that `name` was most likely meant to be, the first of several; NULL: none is
 *  close. NULL candidates are passed over. */
SB_API const char *sb_nearest(const char *name, const char *const *candidates, int count);

/** The cost of making `b` from `a`; INT_MAX if either is too long. */
SB_API int sb_nearest_distance(const char *a, size_t a_length, const char *b, size_t b_length);
/** The largest cost at which a name of this length may be suggested. */
SB_API int sb_nearest_cutoff(size_t length);

#endif
