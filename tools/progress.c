// SPDX-License-Identifier: GPL-3.0-or-later
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "core/base/number.h"

static const double least_interval = 0.2; // [s] between two renewals

double wall_clock(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_init(progress *p, bool quiet, double t_start, double t_end) {
  *p =
      (progress){.shown = !quiet && isatty(STDERR_FILENO) == 1, .t_start = t_start, .t_end = t_end};
  p->begun = p->last = wall_clock();
}

void progress_show(progress *p, double t) {
  double now = p->shown ? wall_clock() : 0;
  if (!p->shown || now - p->last < least_interval || t <= p->t_start) {
    return;
  }
  p->last = now;
  double speed = (t - p->t_start) / (now - p->begun);
  long left = (long)((p->t_end - t) / speed + 0.5); // [s]
  char at[SB_NUMBER_SIZE], end[SB_NUMBER_SIZE], times[SB_NUMBER_SIZE], line[160];
  (void)sb_number_format_short(t, 4, at, sizeof at);
  (void)sb_number_format_short(p->t_end, 4, end, sizeof end);
  (void)sb_number_format_short(speed, 3, times, sizeof times);
  int width = snprintf(line, sizeof line, "%s of %s s, %s x real time, %ld:%02ld:%02ld to go", at,
                       end, times, left / 3600, left / 60 % 60, left % 60);
  (void)fprintf(stderr, "\r%-*s", p->width, line);
  (void)fflush(stderr);
  p->width = width > p->width ? width : p->width;
}

void progress_finish(progress *p) {
  if (p->width > 0) {
    (void)fprintf(stderr, "\r%*s\r", p->width, "");
    (void)fflush(stderr);
  }
  p->width = 0;
}
