// SPDX-License-Identifier: GPL-3.0-or-later
// Where a branch that has been left would be taken again at once, the run slides along the edge (core/model/slide.h), until the rates on
// one side lead away from it.
#include "core/model/slide.h"

#include <math.h>
#include <string.h>

#include "core/integrator/stepper.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

/** Step of differences, as a fraction of a step. */
static const double span_fraction = 1e-4;

void sb_sides_keep(sb_simulation *sim) {
  if (!sim->work->slide.on) {
    memcpy(sim->work->slide.other, sim->work->branches.held,
           (size_t)sim->network->branch_count * sizeof(double));
  }
}

/** Whether a branch of signals has jumped at this instant. */
static bool have_jumped(const sb_simulation *sim) {
  bool any = false;
  for (int i = sim->switch_count; i < sim->all_switch_count; i++) {
    any = any || (sim->switches[i].jumped && sim->switches[i].since == sim->t);
  }
  return any;
}

void sb_sliding_span(sb_simulation *sim) {
  sim->work->slide.span = fmax(sb_short_time(sim), span_fraction * sim->last_step);
}

sb_status sb_sliding_begin(sb_simulation *sim, int index, sb_error *err) {
  const sb_switch *switched = &sim->switches[index];
  sb_workspace *work = sim->work;
  if (work->slide.on || !sb_is_branch(sim, index) || !have_jumped(sim) ||
      sb_integrator_of(sim->options.method)->stepper != &sb_arkode) {
    return SB_OK;
  }
  sb_sliding_span(sim);
  work->branches.band[switched->branch] = 0;
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  const bool slides = sb_slide_begin(work, switched->branch, sim->nominal.now.size, sim->t, sim->x);
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  if (!slides) {
    return SB_OK;
  }
  SB_TRY(sb_enforce(sim, sim->t, sim->x, err));
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  sim->restart = true;
  return sb_indicators_read(sim, sim->t, sim->x, 0, err);
}

bool sb_sliding_end(sb_simulation *sim, int index) {
  const bool own = sim->work->slide.on && sim->work->slide.branch == sim->switches[index].branch;
  if (own) {
    sb_slide_end(sim->work);
    sim->switches[index].excursion = 0;
  }
  return own;
}

void sb_sliding_follow(sb_simulation *sim, int branch) {
  if (sim->work->slide.on) {
    sim->work->slide.other[branch] = sim->work->branches.held[branch];
  }
}

void sb_sliding_note(sb_simulation *sim, const sb_instance *instance) {
  sb_branches *b = &sim->work->branches;
  for (int k = instance->branch; k < instance->branch + instance->branch_count; k++) {
    if (sb_slide_has(sim->work, k)) {
      b->gap[k] = k == sim->work->slide.branch ? sb_slide_room(sim->work) : HUGE_VAL;
      b->ended[k] = false;
    }
  }
}
