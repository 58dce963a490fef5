// SPDX-License-Identifier: GPL-3.0-or-later
// Solves a loop within an evaluation by Newton's method from the accepted solution, and tells why where there is no solution.
#include "core/loop/loop.h"

#include <math.h>
#include <string.h>

#include "core/loop/newton_private.h"

bool sb_newton_fail(const sb_newton *n, sb_loop_failure failure) {
  failure.loop = n->index;
  failure.t = n->t;
  n->work->failure = failure;
  return false;
}

/** Notes why there is no solution: a hook without a value, or the output with the largest residual. */
static bool refuse(const sb_newton *n, const double y[]) {
  sb_loop_failure failure = {.kind = SB_LOOP_NO_SOLUTION};
  sb_newton own = *n;
  n = &own;
  double *r = sb_newton_vector(&own), *size = sb_newton_vector(&own);
  double *at = sb_newton_vector(&own), most = -1, terms;
  int worst = 0, h = 0;
  memcpy(at, y, (size_t)n->m * sizeof *at);
  bool finite = sb_newton_residual(n, at, r, size) == 0;
  for (int k = 0; k < n->m && finite; k++) {
    if (fabs(r[k]) > most * size[k]) {
      most = fabs(r[k]) / size[k];
      worst = k;
    }
  }
  while (finite && h + 1 < n->loop->count && n->hooks[h + 1].first_output <= worst) {
    h++;
  }
  for (bool valued = !finite; valued && h + 1 < n->loop->count; h += valued) {
    memcpy(r, at, (size_t)n->m * sizeof *r);
    valued = sb_newton_hook(n, h, r);
  }
  if (n->work->loops.continues && finite && sb_newton_fold(n, y)) {
    failure.kind = SB_LOOP_LOST;
  }
  const sb_loop_hook *hook = &n->hooks[h];
  bool law = hook->op.kind == SB_OP_LAW && hook->input_count == 1;
  failure.instance = hook->op.instance;
  failure.steep = law && finite && sb_newton_steep(n, at);
  failure.at[0] = law ? sb_newton_input(n, hook->first_input, at, &terms) : NAN;
  failure.at[1] = at[worst];
  failure.at[2] = finite ? at[worst] - r[worst] : NAN;
  return sb_newton_fail(n, failure);
}

/** Behind a jump the branches of laws are still held far beyond their kinks, where c f |f| + r f, held where f was positive, folds back as
 *  c f^2 + r f: laws alone may then have a solution by their arguments only, from which their branches follow (branch_changes.c). */
static bool solve_freely(const sb_newton *n, double y[]) {
  if (n->work->network->branch_count == 0 || !sb_newton_of_laws(n)) {
    return false;
  }
  n->work->loops.free = true;
  const bool found = sb_newton_solve(n, y, false) && sb_multiplicity_single(n, y);
  n->work->loops.free = false;
  return found;
}

/** From the accepted solution. Within a step only one that continues it counts, if the hooks have a value
 *  there; elsewhere the only one. */
static bool find(const sb_newton *n, double y[]) {
  const double *start = n->work->loops.start_y + n->loop->first_output;
  bool follow = n->work->loops.continues;
  sb_newton own = *n;
  n = &own;
  double *r = sb_newton_vector(&own), *size = sb_newton_vector(&own);
  double *last = sb_newton_vector(&own);
  memcpy(y, start, (size_t)n->m * sizeof *y);
  if (sb_newton_solve(n, y, follow)) {
    return true;
  }
  memcpy(last, y, (size_t)n->m * sizeof *y);
  const bool steep = sb_newton_steep(n, last);
  memcpy(y, start, (size_t)n->m * sizeof *y);
  if (follow && sb_newton_residual(n, y, r, size) == 0) {
    return refuse(n, steep ? last : y);
  }
  if (solve_freely(n, y)) {
    return true;
  }
  memcpy(y, start, (size_t)n->m * sizeof *y);
  if (sb_newton_follow(n, y)) {
    return sb_multiplicity_single(n, y);
  }
  return sb_multiplicity_find(n, y) ||
         (n->work->failure.kind != SB_LOOP_SEVERAL && refuse(n, steep ? last : y));
}

int sb_loop_run(sb_workspace *work, int loop, double t, const double x[]) {
  sb_newton n = sb_newton_begin(work, loop, t, x);
  double *y = sb_newton_vector(&n), *b = work->loops.b + n.loop->first_input;
  for (int i = 0; i < n.loop->input_count; i++) {
    b[i] = n.inputs[i] < 0 ? 0 : work->values[n.inputs[i]];
    if (!isfinite(b[i])) {
      return -1; // the fault is in its inputs
    }
  }
  if (!find(&n, y)) {
    return -1;
  }
  sb_newton_leave(&n, y);
  return 0;
}

void sb_loop_accept(sb_workspace *work) {
  const sb_program *p = work->program;
  for (int k = 0; k < p->loop_output_count; k++) {
    work->loops.start_y[k] = work->values[p->loop_outputs[k]];
  }
}

double sb_loop_left(const sb_workspace *work, int multiplier) {
  const sb_program *p = work->program;
  double left = 0;
  for (int k = 0; k < p->loop_output_count; k++) {
    left = p->loop_outputs[k] == multiplier ? work->loops.left[k] : left;
  }
  return left;
}
