// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_NETLIST_UNIT_PRIVATE_H
#define SB_NETLIST_UNIT_PRIVATE_H

#include "netlist/value/unit.h"

/** Finds one unit, with or without a prefix; false: unknown. */
bool sb_unit_find(const char *name, size_t length, sb_dimension *dimension, double *scale);

/** Hints at what an unknown unit was meant to be, if that can be guessed. */
void sb_unit_hint(const char *name, size_t length, sb_error *err);

#endif
