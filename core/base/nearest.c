// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/nearest.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static char lower(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int change(char a, char b) {
  if (a == b) {
    return 0;
  }
  return lower(a) == lower(b) ? SB_NEAREST_CASE : SB_NEAREST_EDIT;
}

/** Of leaving out the i-th letter of a name. */
static int omission(const char *a, size_t i) {
  return i > 1 && lower(a[i - 1]) == lower(a[i - 2]) ? SB_NEAREST_TWICE : SB_NEAREST_EDIT;
}

static int least(int a, int b) {
  return a < b ? a : b;
}

int sb_nearest_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
  if (a_length > SB_NEAREST_LENGTH_MAX || b_length > SB_NEAREST_LENGTH_MAX) {
    return INT_MAX;
  }
  // Three rows of the table cost[i][j]: from the first i letters of `a` to the first j of `b`.
  int rows[3][SB_NEAREST_LENGTH_MAX + 1];
  for (size_t i = 0; i <= a_length; i++) {
    int *now = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
    now[0] = (int)i * SB_NEAREST_EDIT;
    for (size_t j = 1; j <= b_length; j++) {
      now[j] = now[j - 1] + SB_NEAREST_EDIT;
      if (i > 0) {
        now[j] = least(now[j], above[j] + omission(a, i));
        now[j] = least(now[j], above[j - 1] + change(a[i - 1], b[j - 1]));
      }
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1])) {
        now[j] = least(now[j], before[j - 2] + SB_NEAREST_EDIT);
      }
    }
  }
  return rows[a_length % 3][b_length];
}

int sb_nearest_cutoff(size_t length) {
  // In a name of one or two letters only the case can be guessed, or that a key was pressed twice.
  if (length < 3) {
    return (int)length * SB_NEAREST_CASE;
  }
  int edits = length < 6 ? 1 : length < 10 ? 2 : 3;
  return edits * SB_NEAREST_EDIT + 3 * SB_NEAREST_CASE;
}

sb_suggestion sb_suggestion_start(const char *name) {
  size_t length = strlen(name);
  return (sb_suggestion){
      .name = name, .length = length, .least = sb_nearest_cutoff(length) + (length > 0)};
}

/** Appends a candidate to the list, while there is room for it. */
static void list(sb_suggestion *s, const char *candidate) {
  const char *comma = s->used > 0 ? ", " : "";
  if (s->used + strlen(comma) + strlen(candidate) < SB_SUGGESTION_LIST) {
    s->used +=
        (size_t)snprintf(s->all + s->used, sizeof s->all - s->used, "%s%s", comma, candidate);
  } else if (s->used < SB_SUGGESTION_LIST) {
    (void)snprintf(s->all + s->used, sizeof s->all - s->used, "%s...", comma);
    s->used = SB_SUGGESTION_LIST;
  }
}

bool sb_suggestion_offer(sb_suggestion *s, const char *candidate) {
  if (candidate == NULL) {
    return false;
  }
  size_t length = strlen(candidate);
  list(s, candidate);
  int cost = sb_nearest_distance(s->name, s->length, candidate, length);
  if (cost >= s->least || cost >= SB_NEAREST_EDIT * (int)length) { // no letter of it is left
    return false;
  }
  s->least = cost;
  memcpy(s->best, candidate, length + 1);
  return true;
}

void sb_suggestion_offer_rows(sb_suggestion *s, const void *table, size_t size) {
  const char *name;
  for (const char *row = table; memcpy(&name, row, sizeof name), name != NULL; row += size) {
    (void)sb_suggestion_offer(s, name);
  }
}
