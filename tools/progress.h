// SPDX-License-Identifier: GPL-3.0-or-later
// The progress line on stderr: simulated time, speed against real time, time to go.
#ifndef SB_TOOLS_PROGRESS_H
#define SB_TOOLS_PROGRESS_H

#include <stdbool.h>

typedef struct progress {
  bool shown;            // only on a terminal
  double t_start, t_end; // [s] simulated
  double begun, last;    // [s] of the wall clock
  int width;             // of the line on the terminal
} progress;

/** Seconds of a clock that only goes forward. */
double wall_clock(void);
void progress_init(progress *p, bool quiet, double t_start, double t_end);
/** Renews the line, at most five times a second. */
void progress_show(progress *p, double t);
/** Takes the line away. */
void progress_finish(progress *p);

#endif
