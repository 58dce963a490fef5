// SPDX-License-Identifier: GPL-3.0-or-later
// The netlist's expectations during a run: where it has to stop for them, and what was found.
#ifndef SB_TOOLS_EXPECTS_H
#define SB_TOOLS_EXPECTS_H

#include "netlist/netlist.h"
#include "report/report.h"

typedef struct expects {
  const sb_netlist *netlist;
  sb_quantity *quantities;   // (count)
  sb_expect_result *results; // (count)
  int count;
} expects;

/** Finds the quantities; faults go into `errors`. */
sb_status expects_init(expects *e, const sb_netlist *netlist, const sb_model *model,
                       sb_errors *errors);
void expects_finish(expects *e);

/** The next time after t at which something is expected, but at most t_end [s]. */
double expects_next(const expects *e, double t, double t_end);
/** Looks at what is expected at the present time. */
void expects_check(expects *e, const sb_simulation *sim);
/** Words every expectation until t [s] that was missed, or not reached. */
void expects_complain(const expects *e, double t, sb_errors *errors);

#endif
