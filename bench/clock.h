// SPDX-License-Identifier: GPL-3.0-or-later
// Processor time, and fair comparisons: the candidates run in turn, so that whatever else happens on
// the machine meets all of them alike, and medians are taken.
#ifndef SB_BENCH_CLOCK_H
#define SB_BENCH_CLOCK_H

#include <stdlib.h>
#include <time.h>

enum { CLOCK_ROUNDS_MAX = 1001, CLOCK_TASKS_MAX = 8 };

typedef struct clock_task {
  void (*run)(void *context, long calls); // does the same work `calls` times
  void *context;
  double seconds; // out: median of one call
} clock_task;

/** Processor time of this process so far [s]. */
static inline double clock_now(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline int clock_by_size(const void *a, const void *b) {
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

/** The middle one of the times, which are sorted; of an even count the upper middle. */
static inline double clock_median(double times[], int count) {
  qsort(times, (size_t)count, sizeof *times, clock_by_size);
  return times[count / 2];
}

static inline double clock_measure(const clock_task *task, long calls) {
  double start = clock_now();
  task->run(task->context, calls);
  return clock_now() - start;
}

/** Runs all tasks in turn, `rounds` times (at most CLOCK_ROUNDS_MAX) after a round to warm up.
 *  @param block  [s] a task is repeated for about this long between two looks at the clock */
static inline void clock_compare(clock_task tasks[], int count, int rounds, double block) {
  static double times[CLOCK_TASKS_MAX][CLOCK_ROUNDS_MAX];
  long calls[CLOCK_TASKS_MAX];
  for (int i = 0; i < count; i++) {
    double once = clock_measure(&tasks[i], 1), again = clock_measure(&tasks[i], 1);
    calls[i] = 1 + (long)(block / (once < again ? once : again));
  }
  for (int r = 0; r < rounds; r++) {
    for (int i = 0; i < count; i++) {
      times[i][r] = clock_measure(&tasks[i], calls[i]) / (double)calls[i];
    }
  }
  for (int i = 0; i < count; i++) {
    tasks[i].seconds = clock_median(times[i], rounds);
  }
}

#endif
