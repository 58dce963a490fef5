// SPDX-License-Identifier: GPL-3.0-or-later
// What goes to and fro over its jump by less than rtol resolves, faster and faster or by next to no energy: no step follows it, and it has no end.
#include <math.h>

#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

/** So many times in a row, at whose pace the rest of the run would take more than the latter, are without end. */
enum { TOO_MANY = 1000, CRAWL = 100000 };

bool sb_trembles_on(sb_simulation *sim, sb_switch *switched, bool trembles) {
  if (!trembles || sim->options.step > 0) {
    switched->trembles = 0;
    return false;
  }
  if (switched->trembles++ == 0) {
    switched->trembling = sim->t;
  }
  const double span = sim->t - switched->trembling;
  return switched->trembles > TOO_MANY && span * CRAWL < (sim->t_end - sim->t) * switched->trembles;
}

/** Whether what decides has gone no farther from its kink, by the time T since its last passage to v T/4, than to rtol of its own terms.
 *  With the workspace at (t, x). */
static bool is_unresolved(sb_simulation *sim, int index, double T) {
  const sb_switch *switched = &sim->switches[index];
  sb_branches *b = &sim->work->branches;
  const double h = sb_short_time(sim);
  b->measures = true;
  (void)sb_branches_ask(sim, switched->instance, sim->t, sim->x);
  b->measures = false;
  const double now = b->gap[switched->branch],
               known = sim->options.rtol * b->terms[switched->branch];
  return h > 0 && sb_branches_later(sim, sim->t, sim->x, index, h) &&
         fabs(b->gap[switched->branch] - now) / h * T / 4 < known;
}

sb_status sb_quickening_check(sb_simulation *sim, int index, sb_error *err) {
  sb_switch *switched = &sim->switches[index];
  const double T = sim->t - switched->passed;
  const bool quickens = switched->jumped && T < switched->spans[1]; // the last one the same way
  switched->passed = sim->t;
  switched->spans[1] = switched->spans[0];
  switched->spans[0] = T;
  if (!sb_trembles_on(sim, switched, quickens && is_unresolved(sim, index, T))) {
    return SB_OK;
  }
  const sb_instance *instance = &sim->network->instances[switched->instance];
  (void)sb_fail(err, SB_ERR_CHATTER,
                "'%.100s' switches without end at t = %s s: faster and faster, by less than rtol "
                "resolves of what decides",
                instance->id, sb_number_word(sim->t).text);
  sb_error_hint(err, "what its expression switches drives it back through a lag: add hysteresis");
  sb_place_into(&instance->place, err);
  return SB_ERR_CHATTER;
}
