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

/** A hook of a live part, of which all is known but the time and the state. */
static inline int sb_live_call(const sb_workspace *work, const sb_op *op, double t,
                               const double x[], double xdot[]) {
  sb_call *call = &work->live.calls[op->first - 1];
  double *out = call->out != NULL ? call->out : xdot + call->state;
  call->at.t = t;
  call->at.inside = work->inside;
  call->at.x = x + call->state;
  return call->hook != NULL  ? call->hook(call->self, &call->at, out)
         : call->law != NULL ? call->law(call->self, &call->at, call->at.assigned, out)
                             : sb_operations[op->kind].hook(&work->network->instances[op->instance],
                                                            &call->at, out);
}

/** What the hooks of an instance see while the program runs: in a part, inputs where they stand. */
sb_at sb_live_at(const sb_workspace *work, int instance, double t, const double x[]);

#endif
