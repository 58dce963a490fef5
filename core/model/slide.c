// SPDX-License-Identifier: GPL-3.0-or-later
// Filippov's solution for signals. A condition, as that of an integrator which is clamped, may be left on both sides at once: with the gap g
// of what decides, g > 0 on the side A that is held and g < 0 on the other side B, the rates lead there from both,
//   grad g . f_A < 0 < grad g . f_B.
// The solution stays at g = 0 with the rates f = s f_A + (1 - s) f_B, whose share s is that for which the gap stays zero. As both sides are taken
// from one expression of g, by the branches of A, which are smooth, s is a function of (t, x), and goes on beyond 0 and 1, which are the ends
// of the slide. What s is known to makes the state leave the edge by as much, so that it is brought back along f_A - f_B.
// Only the rates of signals jump; what they move has no energy.
#include "core/model/slide.h"

#include <math.h>
#include <string.h>

#include "core/model/compute.h"

/** A jump of other rates by less than this fraction of that of a signal's, by the sizes of the states, is none. */
static const double no_jump = 1e-6;
/** A gap is linear in the state but for the error of a step. */
enum { ROUNDS_MAX = 3 };

static bool is_signal(const sb_instance *instance) {
  const sb_element_type *type = instance->type;
  return type->storage == NULL && type->structure == NULL && type->dissipation == NULL &&
         type->source == NULL;
}

static void exchange(sb_workspace *work) {
  double *held = work->branches.held;
  work->branches.held = work->slide.other;
  work->slide.other = held;
}

/** The gap of what decides at (t, x), on the side that is held. */
static int find_gap(sb_workspace *work, double t, const double x[], double *gap) {
  sb_branches *b = &work->branches;
  const bool notes = b->notes;
  b->notes = true;
  b->gap[work->slide.branch] = NAN;
  const int status = sb_workspace_compute(work, t, x, work->slide.scratch, NULL, true);
  b->notes = notes;
  *gap = b->gap[work->slide.branch] - b->band[work->slide.branch];
  return status;
}

/** The rate of the gap along given rates. */
static int find_lead(sb_workspace *work, double t, const double x[], const double rates[],
                     double *lead) {
  const int n = work->network->state_count;
  sb_slide *s = &work->slide;
  double gap[2];
  for (int side = 0; side < 2; side++) {
    const double h = side == 0 ? -s->span : s->span;
    for (int i = 0; i < n; i++) {
      s->moved[i] = x[i] + h * rates[i];
    }
    const int status = find_gap(work, t + h, s->moved, &gap[side]);
    if (status != 0) {
      return status;
    }
  }
  *lead = (gap[1] - gap[0]) / (2 * s->span);
  return 0;
}

int sb_slide_look(sb_workspace *work, double t, const double x[]) {
  sb_slide *s = &work->slide;
  int status = sb_workspace_compute(work, t, x, s->rates[0], NULL, true);
  exchange(work);
  status = status == 0 ? sb_workspace_compute(work, t, x, s->rates[1], NULL, true) : status;
  exchange(work);
  for (int side = 0; side < 2 && status == 0; side++) {
    status = find_lead(work, t, x, s->rates[side], &work->evaluation.leads[side]);
  }
  return status;
}

double sb_slide_room(const sb_workspace *work) {
  const double *leads = work->evaluation.leads;
  return fmin(-leads[0], leads[1]);
}

void sb_slide_mix(const sb_workspace *work, double xdot[]) {
  const double *leads = work->evaluation.leads, *other = work->slide.rates[1];
  const double share = leads[0] / (leads[0] - leads[1]); // of the other side
  const double away = isfinite(share) ? share : 0;       // where branches are free there is no edge
  for (int i = 0; i < work->network->instance_count; i++) {
    const sb_instance *instance = &work->network->instances[i];
    for (int k = instance->state;
         is_signal(instance) && k < instance->state + instance->layout.states; k++) {
      xdot[k] += away * (other[k] - xdot[k]);
    }
  }
}

/** Whether what jumps are the rates of signals alone. */
static bool moves_signals(const sb_workspace *work, const double size[]) {
  const sb_slide *s = &work->slide;
  double most[2] = {0, 0}; // of signals, and of others
  for (int i = 0; i < work->network->instance_count; i++) {
    const sb_instance *instance = &work->network->instances[i];
    double *own = &most[!is_signal(instance)];
    for (int k = instance->state; k < instance->state + instance->layout.states; k++) {
      const double jump = fabs(s->rates[1][k] - s->rates[0][k]);
      *own = jump > 0 ? fmax(*own, jump / size[k]) : *own;
    }
  }
  return most[1] <= no_jump * most[0];
}

bool sb_slide_begin(sb_workspace *work, int branch, const double size[], double t,
                    const double x[]) {
  sb_slide *s = &work->slide;
  s->branch = branch;
  s->on = s->span > 0 && sb_slide_look(work, t, x) == 0 && sb_slide_room(work) > 0 &&
          moves_signals(work, size);
  sb_workspace_changed(work);
  return s->on;
}

void sb_slide_end(sb_workspace *work) {
  const double *leads = work->evaluation.leads;
  if (work->slide.on && leads[1] < -leads[0]) {
    exchange(work);
  }
  work->slide.on = false;
  sb_workspace_changed(work);
}

void sb_slide_project(sb_workspace *work, double t, double x[]) {
  const sb_slide *s = &work->slide;
  const double *leads = work->evaluation.leads, fall = leads[1] - leads[0];
  double gap;
  for (int round = 0; round < ROUNDS_MAX && fall > 0 && find_gap(work, t, x, &gap) == 0 && gap != 0;
       round++) {
    for (int i = 0; i < work->network->instance_count; i++) {
      const sb_instance *instance = &work->network->instances[i];
      for (int k = instance->state;
           is_signal(instance) && k < instance->state + instance->layout.states; k++) {
        x[k] -= gap / fall * (s->rates[1][k] - s->rates[0][k]);
      }
    }
  }
  sb_workspace_changed(work);
}
