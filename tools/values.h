// SPDX-License-Identifier: GPL-3.0-or-later
// Values with units on the command line.
#ifndef SB_TOOLS_VALUES_H
#define SB_TOOLS_VALUES_H

#include "netlist/value/unit.h"

/** The points of an axis: a list, or --sweep FROM:TO:N on a logarithmic axis. */
typedef struct value_axis {
  const char *command, *option; // of the list
  const char *example;          // of a sweep
  sb_dimension dimension;
  double least; // of a list
} value_axis;

/** @return an exit code, what is wrong said */
int value_parse(const char *name, const char *option, const char *text,
                const sb_dimension *dimension, double values[], int max, int *count);
/** @param list, sweep  at most one of them; without any there are no points
 *  @param points       out, to be freed; NULL: none */
int value_axis_parse(const value_axis *axis, const char *list, const char *sweep, double **points,
                     int *count);

/** The time of an operating point [s]: of the option --at, or the start of the run. @return an exit code */
int value_time(const char *name, const char *text, double start, double *t);

#endif
