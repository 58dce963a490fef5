// SPDX-License-Identifier: GPL-3.0-or-later
// Disjoint sets of the numbers 0, 1, 2, ... (union-find, Galler and Fischer 1964). Each number refers to another one of its set; the
// representative of a set, its least number, refers to itself.
#ifndef SB_CORE_SETS_H
#define SB_CORE_SETS_H

/** The number that stands for the set that i is in; the way there is halved. */
static inline int sb_set_of(int parent[], int i) {
  while (parent[i] != i) {
    i = parent[i] = parent[parent[i]];
  }
  return i;
}

/** Makes one set of those that i and j are in. */
static inline void sb_sets_join(int parent[], int i, int j) {
  const int a = sb_set_of(parent, i), b = sb_set_of(parent, j);
  parent[a > b ? a : b] = a < b ? a : b;
}

#endif
