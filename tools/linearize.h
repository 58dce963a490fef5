// SPDX-License-Identifier: GPL-3.0-or-later
// What the command linearize has found, and how it is printed.
#ifndef SB_TOOLS_LINEARIZE_H
#define SB_TOOLS_LINEARIZE_H

#include "core/analysis/linearize.h"
#include "load.h"

typedef struct session {
  const arguments *args;
  loaded model;
  sb_linear *linear;
  sb_mode *modes;
  sb_factors *channels;     // (outputs x inputs); NULL: too many
  sb_error *channel_errors; // (outputs x inputs) why one has none
  sb_root *roots;           // of all channels
  char **states, **outputs; // names, owned
  const char **wanted;      // (wanted_count) quantities asked for
  int wanted_count;
  double *frequencies; // [Hz]
  int frequency_count;
} session;

/** What is off by less than this fraction has three digits: they are not mentioned, or printed at all. */
extern const double linearize_known;

int linearize_out_of_memory(const session *s);
/** The frequency response (outputs x inputs); not a number where less than three digits of it are known. */
typedef struct polar {
  double *size, *phase; // [deg]
  double *error;        // what each may be off by, as a fraction
} polar;

/** @return false: out of memory */
bool polar_init(polar *p, const session *s);
void polar_finish(polar *p);
/** At a frequency [Hz]. @return exit code */
int linearize_polar(const session *s, double frequency, polar *p);

void linearize_print_text(const session *s);
/** @return exit code, as below */
int linearize_print_csv(const session *s);
int linearize_print_json(const session *s);

#endif
