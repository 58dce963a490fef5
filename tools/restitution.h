// SPDX-License-Identifier: GPL-3.0-or-later
// What the table and the plot of restitutions share.
#ifndef SB_TOOLS_RESTITUTION_H
#define SB_TOOLS_RESTITUTION_H

#include <stdio.h>

#include "command.h"
#include "contact/restitution.h"

typedef struct restitution_row {
  double speed, damping, restitution; // [m/s], [N s^q/m^(p+q)], -
  double group;                       // G; of a law by functions the factor of its damping-force
} restitution_row;

typedef struct restitution_table {
  sb_contact_law law;
  double mass;   // [kg]
  double factor; // of a damping-force
  restitution_row *rows;
  int count;
} restitution_table;

/** The law of --law with what --set and --restitution say of it; its expressions are to be freed.
 *  @return an exit code, what is wrong said */
int restitution_read_law(const arguments *args, sb_contact_law *law);

/** e against the speed on a logarithmic axis, as SVG; of type sb_filler. */
void restitution_plot(const void *table, FILE *out);

#endif
