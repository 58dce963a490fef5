// SPDX-License-Identifier: GPL-3.0-or-later
// What delays remember of the steps of a fixed length.
//
// The methods of fixed steps are the midpoint rule in its forms, whose stages z = (x0 + x1)/2 follow a stiff mode,
// while its x0, x1, ... swing about them with |R(infinity)| = 1 and are driven by what alternates from step to step: a line
// between two networks that gets those, or a partial step from them, has a gain above one. Inputs are remembered for the
// states on the lines from one z to the next, which is of order 2: means with weights from 0 to 1, so that of what a passive
// network gives nothing is enlarged. The first and the last line between two breaks go on to these.
#include <string.h>

#include "core/model/rhs.h"
#include "core/simulation/delays_private.h"

typedef struct sb_middles {
  double *before, *now; // (vector) z of the step before, and of the last one
  double *there;        // (vector) scratch
} sb_middles;

/** Behind a change of the network the step restarts, and nothing is asked of the one before. */
sb_status sb_middles_create(sb_simulation *sim, sb_error *err) {
  const int length = sb_vector_count(sim->network);
  sim->middles = NULL;
  if (sim->delays == NULL || !sim->delays->by_middles) {
    return SB_OK;
  }
  sb_middles *m = sb_arena_zeroed(&sim->memory, 1, sizeof *m);
  double *numbers = sb_arena_zeroed(&sim->memory, 3 * length, sizeof(double));
  if (m == NULL || numbers == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  *m = (sb_middles){numbers, numbers + length, numbers + 2 * length};
  sim->middles = m;
  return SB_OK;
}

static double middle_of(const sb_simulation *sim) {
  return 0.5 * (sim->t0 + sim->t);
}

/** The inputs for the states on the line through the middles of the last two steps; where it has no answer beyond them, and
 *  where there is but one, for that in the middle. */
sb_status sb_middles_take(sb_simulation *sim, double t, double out[], sb_error *err) {
  const sb_delays *d = sim->delays;
  const sb_middles *m = sim->middles;
  const double middle = middle_of(sim);
  double part = sim->step_restarted ? 1 : (t - d->middle) / (middle - d->middle);
  for (bool beyond = part < 0 || part > 1;; beyond = false) {
    for (int i = 0; i < sb_vector_count(sim->network); i++) {
      m->there[i] = m->now[i] + (1 - part) * (m->before[i] - m->now[i]);
    }
    sb_status status = sb_evaluate(sim, t, m->there, beyond ? NULL : err);
    if (status == SB_OK || !beyond) {
      sb_delays_read(sim, t, m->there, out);
      return status;
    }
    part = 1;
  }
}

/** Of a step that restarted: whether an input has jumped is seen in its values at the ends of the steps themselves. */
static sb_status begin_middles(sb_simulation *sim, sb_error *err) {
  sb_delays *d = sim->delays;
  d->head = sim->t0;
  SB_TRY(sb_evaluate(sim, sim->t0, sim->x0, err));
  sb_delays_read(sim, sim->t0, sim->x0, d->next);
  for (int k = 0; k < d->count; k++) {
    d->head_level[k] = sb_delays_level(sim, k, d->next[k]);
  }
  return SB_OK;
}

/** To the middle, in the place of what was remembered from the middle before or the break before that on, and to the end. */
sb_status sb_middles_record(sb_simulation *sim, sb_error *err) {
  sb_delays *d = sim->delays;
  const sb_middles *m = sim->middles;
  const double middle = middle_of(sim);
  const double start = sim->step_restarted ? sim->t0 : d->begins ? d->head : d->middle;
  d->anew = start;
  for (int i = 0; i < sb_vector_count(sim->network); i++) {
    m->now[i] = 0.5 * (sim->x0[i] + sim->x[i]);
  }
  if (sim->step_restarted) {
    SB_TRY(begin_middles(sim, err));
  }
  for (int k = 0; k < d->count; k++) {
    sb_history_cut(&sim->work->past[k], start);
  }
  SB_TRY(sb_delays_record(sim, start, middle, err));
  SB_TRY(sb_delays_record(sim, middle, sim->t, err));
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  sb_delays_read(sim, sim->t, sim->x, d->last);
  d->begins = sim->step_restarted;
  d->middle = middle;
  memcpy(m->before, m->now, (size_t)sb_vector_count(sim->network) * sizeof *m->now);
  return SB_OK;
}
