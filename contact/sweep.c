// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/sweep.h"

#include <math.h>

#include "core/base/array.h"

bool sb_sweep_add(sb_sweep *s, int index, sb_vec3 center, double reach) {
  const sb_swept item = {.index = index, .center = center, .reach = reach};
  return sb_append(&s->items, &s->count, &s->capacity, sizeof item, &item);
}

void sb_sweep_finish(sb_sweep *s) {
  free(s->items);
  free(s->pairs);
}

static double along(sb_vec3 v, int axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/** The axis along which the centres spread most: fewest overlap there. */
static int widest_axis(const sb_sweep *s) {
  double widest = -1;
  int best = 0;
  for (int axis = 0; axis < 3; axis++) {
    double sum = 0, squares = 0;
    int count = 0;
    for (int i = 0; i < s->count; i++) {
      if (isfinite(s->items[i].reach)) {
        double x = along(s->items[i].center, axis) - along(s->items[0].center, axis);
        sum += x;
        squares += x * x;
        count++;
      }
    }
    double spread = count > 0 ? squares - sum * sum / count : 0;
    best = spread > widest ? axis : best;
    widest = fmax(widest, spread);
  }
  return best;
}

static int by_low(const void *left, const void *right) {
  const sb_swept *a = left, *b = right;
  return a->low != b->low ? (a->low > b->low) - (a->low < b->low)
                          : (a->index > b->index) - (a->index < b->index);
}

static int by_indices(const void *left, const void *right) {
  const int *a = left, *b = right;
  return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

/** Not false where a number is none. */
static bool overlaps(const sb_swept *a, const sb_swept *b) {
  double reach = a->reach + b->reach;
  return !(fabs(a->center.x - b->center.x) > reach || fabs(a->center.y - b->center.y) > reach ||
           fabs(a->center.z - b->center.z) > reach);
}

static bool add_pair(sb_sweep *s, int a, int b) {
  const int pair[2] = {a < b ? a : b, a < b ? b : a};
  return sb_append(&s->pairs, &s->pair_count, &s->pair_capacity, sizeof pair, pair);
}

bool sb_sweep_run(sb_sweep *s) {
  int axis = widest_axis(s);
  for (int i = 0; i < s->count; i++) { // those without bounds come first, and reach to all others
    s->items[i].low = along(s->items[i].center, axis) - s->items[i].reach;
  }
  if (s->count > 0) {
    qsort(s->items, (size_t)s->count, sizeof *s->items, by_low);
  }
  for (int i = 0; i < s->count; i++) {
    const sb_swept *own = &s->items[i];
    double high = along(own->center, axis) + own->reach;
    for (int k = i + 1; k < s->count && !(s->items[k].low > high); k++) {
      if (overlaps(own, &s->items[k]) && !add_pair(s, own->index, s->items[k].index)) {
        return false;
      }
    }
  }
  if (s->pair_count > 0) {
    qsort(s->pairs, (size_t)s->pair_count, sizeof *s->pairs, by_indices);
  }
  return true;
}
