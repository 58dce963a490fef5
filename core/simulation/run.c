// SPDX-License-Identifier: GPL-3.0-or-later
// A run from the present to its end, with samples and audits.
#include "core/simulation/samples_private.h"

/** The first sample, the steps with theirs, and the last one. */
static sb_status run(sb_simulation *sim, double t_end, sb_error *err) {
  sb_samples *s = sim->samples;
  if (!s->begun) {
    sb_step_audit(sim, SB_AUDIT_END);
  }
  if (!s->begun && s->call != NULL) {
    s->begun = true;
    SB_TRY(sb_sample(sim, err));
  }
  SB_TRY(sb_run_advance(sim, t_end, err));
  sb_simulation_audit(sim);
  return s->call != NULL && s->last_t != sim->t ? sb_sample(sim, err) : SB_OK;
}

sb_status sb_simulation_run(sb_simulation *sim, double t_end, double sample, sb_sampler sampler,
                            void *context, sb_error *err) {
  SB_TRY(sb_run_check(sim, t_end, err));
  SB_TRY(sb_samples_begin(sim, t_end, sample, sampler, context, err));
  unsigned mode = sb_run_enter(sim);
  sim->audited = true;
  sb_status status = run(sim, t_end, err);
  sim->audited = false;
  sim->samples->call = NULL;
  sb_step_view(sim, sim->t, sim->x);
  sb_run_count(sim);
  sb_run_leave(sim, mode);
  return status;
}
