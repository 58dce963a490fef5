// SPDX-License-Identifier: GPL-3.0-or-later
// The table of the units that can be written, and how a name is found in it.
#ifndef SB_NETLIST_UNIT_TABLE_H
#define SB_NETLIST_UNIT_TABLE_H

#include "netlist/value/dimension.h"

/** One unit that can be written. */
typedef struct sb_unit {
  const char *name; // NULL ends the list
  double scale;     // SI value of one of it
  bool prefixable;  // takes the prefixes of the SI, from y to Y; u stands for micro
  signed char
      base[SB_DIMENSION_BASES + 2]; // exponents; behind them those of the angle and the cycle
  const char *help;
} sb_unit;

SB_API const sb_unit sb_units[];

/** Finds one unit, with or without a prefix; false: unknown. */
bool sb_unit_find(const char *name, size_t length, sb_dimension *dimension, double *scale);

/** Adds a hint at the unit that an unknown name probably stands for, if there is one. */
void sb_unit_hint(const char *name, size_t length, sb_error *err);

#endif
