// SPDX-License-Identifier: GPL-3.0-or-later
// In a chain of like sections with two states each, the rates of the first states make one run, and
// those of the second another, each with every other state. Together they are one run over all states
// in their order, which a processor works through several at a time.
#include "core/program/schedule_private.h"

/** The term of a run that stands `offset` behind its row, -1: none. */
static int term_at(const sb_rate_run *run, int offset) {
  int k = run->terms - 1;
  while (k >= 0 && run->index[k] - run->dest != offset) {
    k--;
  }
  return k;
}

/** Puts the offsets of a run's terms to those of a band. Returns false if they are too many. */
static bool add_offsets(const sb_rate_run *run, int offsets[SB_RUN_TERMS], int *count) {
  for (int k = 0; k < run->terms; k++) {
    int offset = run->index[k] - run->dest, i = 0;
    while (i < *count && offsets[i] != offset) {
      i++;
    }
    if (i == SB_RUN_TERMS) {
      return false;
    }
    offsets[i] = offset;
    *count += i == *count;
  }
  return true;
}

static double factor_of(const sb_program *p, const sb_rate_run *run, int term, int row) {
  return term < 0 ? 0
                  : p->rate_factor[run->first + (run->uniform ? term : term * run->count + row)];
}

/** Rows of the first and of the second run in turn. */
static void store_band(sb_program *p, const sb_rate_run runs[2], const int offsets[], int terms) {
  sb_rate_band band = {.terms = terms,
                       .count = 2 * runs[0].count,
                       .dest = runs[0].dest,
                       .first = p->band_factor_count,
                       .uniform = runs[0].uniform && runs[1].uniform};
  int factors = terms * (band.uniform ? 2 : band.count);
  if (!sb_arena_grow(&p->memory, &p->band_factor, &p->band_factor_capacity,
                     p->band_factor_count + factors, sizeof(double))) {
    return;
  }
  p->band_factor_count += factors;
  for (int k = 0; k < terms; k++) {
    band.index[k] = band.dest + offsets[k];
    for (int r = 0; r < (band.uniform ? 2 : band.count); r++) {
      const sb_rate_run *run = &runs[r % 2];
      p->band_factor[sb_band_factor(&band, k, r)] =
          factor_of(p, run, term_at(run, offsets[k]), r / 2);
    }
  }
  sb_arena_append(&p->memory, &p->bands, &p->band_count, &p->band_capacity, sizeof band, &band);
}

/** Where the runs of stride 2 begin: numbers from 1 by the first row, 0: none there. */
static int *index_runs(const sb_program *p, sb_arena *scratch) {
  int rows = 2;
  for (int i = 0; i < p->run_count; i++) {
    rows = p->runs[i].dest + 2 > rows ? p->runs[i].dest + 2 : rows;
  }
  int *at = sb_arena_zeroed(scratch, rows, sizeof *at);
  for (int i = 0; at != NULL && i < p->run_count; i++) {
    at[p->runs[i].dest] = p->runs[i].stride == 2 ? i + 1 : 0;
  }
  return at;
}

/** Makes a band of run i and the one a row behind, if there is one like it; both are then empty. */
static void join(sb_program *p, int i, const int at[]) {
  int offsets[SB_RUN_TERMS], terms = 0, partner = at[p->runs[i].dest + 1] - 1;
  if (p->runs[i].stride != 2 || p->runs[i].count == 0 || partner < 0 ||
      p->runs[partner].count != p->runs[i].count || !add_offsets(&p->runs[i], offsets, &terms) ||
      !add_offsets(&p->runs[partner], offsets, &terms)) {
    return;
  }
  const sb_rate_run runs[2] = {p->runs[i], p->runs[partner]};
  p->runs[i].count = p->runs[partner].count = 0;
  store_band(p, runs, offsets, terms);
}

void sb_store_bands(sb_program *p, sb_arena *scratch) {
  int kept = 0;
  int *at = index_runs(p, scratch);
  for (int i = 0; at != NULL && i < p->run_count; i++) {
    join(p, i, at);
  }
  for (int i = 0; i < p->run_count; i++) {
    if (p->runs[i].count > 0) {
      p->runs[kept++] = p->runs[i];
    }
  }
  p->run_count = kept;
}
