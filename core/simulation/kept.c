// SPDX-License-Identifier: GPL-3.0-or-later
// Samples and audits do not change a run: they work on its workspace, whose contents are kept before and
// put back after them.
#include <string.h>

#include "core/base/array.h"
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"

typedef struct region {
  void *at;
  size_t size;
} region;
enum { REGIONS = 5 };

/** What an evaluation leaves behind: the accepted solution of loops, too, is taken from it. */
static size_t list_regions(const sb_workspace *work, region list[REGIONS]) {
  const sb_program *p = work->program;
  const sb_network *network = work->network;
  const size_t number = sizeof(double);
  const region all[REGIONS] = {
      {work->values, (size_t)p->value_count * number},
      {work->evaluation.x, (size_t)network->state_count * number},
      {work->evaluation.xdot, (size_t)sb_vector_count(network) * number},
      {work->loops.b, (size_t)p->loop_input_count * number},
      {work->loops.left, (size_t)p->loop_output_count * number},
  };
  size_t total = 0;
  for (int i = 0; i < REGIONS; i++) {
    list[i] = all[i];
    total += list[i].size;
  }
  return total;
}

/** The next step need not evaluate the model there again. Not where what the workspace holds is taken over from the step, as the solution of a
 *  loop: a projection may have moved x by a rounding since, which no sample and no audit may show. */
static void evaluate_end(sb_simulation *sim) {
  if (!sim->evaluates_ends && sim->work->program->loop_count == 0) {
    (void)sb_workspace_evaluate(sim->work, sim->t, sim->x);
  }
}

bool sb_workspace_keep(sb_simulation *sim, sb_evaluation *evaluation) {
  evaluate_end(sim);
  region list[REGIONS];
  size_t total = list_regions(sim->work, list), offset = 0;
  *evaluation = sim->work->evaluation;
  if (total > INT32_MAX || !sb_grow(&sim->kept, &sim->kept_capacity, (int)total, 1)) {
    return false;
  }
  for (int i = 0; i < REGIONS; offset += list[i++].size) {
    memcpy(sim->kept + offset, list[i].at, list[i].size);
  }
  return true;
}

void sb_workspace_put_back(sb_simulation *sim, const sb_evaluation *evaluation) {
  region list[REGIONS];
  size_t offset = 0;
  (void)list_regions(sim->work, list);
  for (int i = 0; i < REGIONS; offset += list[i++].size) {
    memcpy(list[i].at, sim->kept + offset, list[i].size);
  }
  sim->work->evaluation = *evaluation;
  sim->work->evaluation.traced = false;
}
