// SPDX-License-Identifier: GPL-3.0-or-later
// The right-hand side: what the operations of the program compute (compute.c), once at each point.
#include "core/model/rhs.h"

#include <string.h>

#include "core/model/slide.h"

/** The operations of the program, with what slides along the edge of a condition. */
static int compute(sb_workspace *work, double t, const double x[], double xdot[], double power[],
                   bool inputs) {
  const bool slides = work->slide.on;
  int status = slides ? sb_slide_look(work, t, x) : 0;
  status = status == 0 ? sb_workspace_compute(work, t, x, xdot, power, inputs) : status;
  if (slides && status == 0) {
    sb_slide_mix(work, xdot);
  }
  return status;
}

/** Whether the rates at (t, x) are known. */
static bool is_known(const sb_workspace *work, double t, const double x[]) {
  const sb_evaluation *e = &work->evaluation;
  return e->known && t == e->t && work->program == e->program &&
         memcmp(x, e->x, (size_t)work->network->state_count * sizeof *x) == 0;
}

int sb_workspace_rates(sb_workspace *work, double t, const double x[], double xdot[],
                       double power[]) {
  const sb_network *network = work->network;
  sb_evaluation *e = &work->evaluation;
  if (is_known(work, t, x)) {
    memcpy(xdot, e->xdot, (size_t)network->state_count * sizeof *xdot);
    if (power != NULL) {
      memcpy(power, e->xdot + network->state_count,
             (size_t)network->quadrature_count * sizeof *power);
    }
    return 0;
  }
  e->current = e->traced = false;
  return compute(work, t, x, xdot, power, false);
}

void sb_workspace_try(sb_workspace *work, double t, const double x[]) {
  const sb_program *outer = work->running, *program = work->program;
  sb_workspace_changed(work);
  work->running = program;
  x = program->substitute == NULL ? x : program->substitute(work, t, x);
  for (int i = 0; x != NULL && i < program->op_count; i++) {
    (void)sb_workspace_run(work, &program->ops[i], t, x, work->evaluation.xdot);
  }
  work->running = outer;
  sb_workspace_changed(work);
}

int sb_workspace_evaluate(sb_workspace *work, double t, const double x[]) {
  sb_evaluation *e = &work->evaluation;
  int n = work->network->state_count;
  if (e->current && is_known(work, t, x)) {
    return 0;
  }
  sb_workspace_changed(work);
  if (e->point == 0 || t != e->t || memcmp(x, e->x, (size_t)n * sizeof *x) != 0) {
    e->point = ++work->points; // what has changed otherwise, as a mode, leaves the point
  }
  int status = compute(work, t, x, e->xdot, e->xdot + n, true);
  e->known = e->current = status == 0;
  e->program = work->program;
  e->t = t;
  memcpy(e->x, x, (size_t)n * sizeof *x);
  return status;
}
