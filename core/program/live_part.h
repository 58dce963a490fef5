// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the present program that is to be run (live.h), with what its hooks see.
#ifndef SB_CORE_PROGRAM_LIVE_PART_H
#define SB_CORE_PROGRAM_LIVE_PART_H

#include <string.h>

#include "core/program/workspace.h"

/** Makes it anew after a change of the program or the modes. Those of discrete gradients are run whole. */
const sb_program *sb_live_renew(sb_workspace *work);

/** What is to be run now. */
static inline const sb_program *sb_live_part(sb_workspace *work) {
  const sb_live *live = &work->live;
  size_t modes = (size_t)work->network->mode_count * sizeof *live->modes;
  bool current = live->program == work->program &&
                 (modes == 0 || memcmp(live->modes, work->modes, modes) == 0);
  return current ? &live->part : sb_live_renew(work);
}

/** Completes what the hook of an operation of the part sees. */
static inline void sb_live_look(sb_call *call, double t, double inside, const double x[]) {
  call->at.t = t;
  call->at.inside = inside;
  call->at.x = x + call->state;
}

/** Where it writes to. */
static inline double *sb_live_out(const sb_call *call, double xdot[]) {
  double *rates = xdot + call->state;
  return call->out != NULL ? call->out : rates;
}

/** A law, or what only the table of operations tells. */
static inline int sb_live_call_by_table(const sb_call *call, const sb_workspace *work,
                                        const sb_op *op, double xdot[]) {
  double *out = sb_live_out(call, xdot);
  return call->law != NULL ? call->law(call->self, &call->at, call->at.assigned, out)
                           : sb_operations[op->kind].hook(&work->network->instances[op->instance],
                                                          &call->at, out);
}

/** What the hooks of an instance see while the program runs: in a part, inputs where they stand. */
sb_at sb_live_at(const sb_workspace *work, int instance, double t, const double x[]);

#endif
