// SPDX-License-Identifier: GPL-3.0-or-later
// What the table and the plot of restitutions share.
#ifndef SB_TOOLS_RESTITUTION_H
#define SB_TOOLS_RESTITUTION_H

#include <stdio.h>

#include "contact/restitution.h"

typedef struct restitution_row {
  double speed, damping, group, restitution; // [m/s], [N s^q/m^(p+q)], -, -
} restitution_row;

typedef struct restitution_table {
  sb_contact_law law;
  double mass; // [kg]
  restitution_row *rows;
  int count;
} restitution_table;

/** e against the speed on a logarithmic axis, as SVG; of type sb_filler. */
void restitution_plot(const void *table, FILE *out);

#endif
