// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/live_part.h"

/** What steady sources give, which cannot fail. */
static void compute_steady(sb_workspace *work) {
  for (int i = 0; i < work->program->op_count; i++) {
    const sb_op *op = &work->program->ops[i];
    if (sb_live_is_steady(work->network, op)) {
      (void)sb_operations[op->kind].run(work, op, 0, work->evaluation.x, NULL);
    }
  }
}

sb_at sb_live_at(const sb_workspace *work, int index, double t, const double x[]) {
  const sb_live *live = &work->live;
  sb_at at = sb_at_instance(work, &work->network->instances[index], t, x);
  if (work->running == &live->part) {
    at.in = work->values + live->source[index];
    at.ports = live->first_port[index] < 0 ? NULL : live->port + live->first_port[index];
  }
  return at;
}

/** All that the hooks see but the time and the state. */
static void look(sb_workspace *work) {
  sb_live *live = &work->live;
  for (int i = 0; i < live->port_count; i++) {
    live->port[i] = work->values + live->port_source[i];
  }
  for (int i = 0; i < live->part.op_count; i++) {
    const sb_op *op = &live->part.ops[i];
    if (sb_operations[op->kind].hook != NULL) {
      live->at[op->first - 1] = sb_live_at(work, op->instance, 0, work->evaluation.x);
    }
  }
}

const sb_program *sb_live_renew(sb_workspace *work) {
  sb_live *live = &work->live;
  if (!live->possible || work->program->operations != sb_operations) {
    return work->program;
  }
  work->running = &live->part;
  compute_steady(work);
  sb_live_make(live, work->network, work->program, work->modes, work->values);
  look(work);
  return &live->part;
}
