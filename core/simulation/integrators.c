// SPDX-License-Identifier: GPL-3.0-or-later
// The integrators of a simulation, and evaluations with errors that name the element.
#include <math.h>
#include <string.h>

#include "core/loop/loop.h"
#include "core/model/constraints.h"
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

/** In the place of the one before, whose counts are kept. @param fixed  steps of given length */
static sb_status renew(sb_simulation *sim, sb_stepper **stepper, bool fixed, sb_error *err) {
  sb_stepper *made;
  sb_stepper_setup setup = {.work = sim->work,
                            .options = &sim->options,
                            .nominal = &sim->nominal,
                            .fixed = fixed,
                            .shared = sim->evaluates_ends,
                            .gauged = sim->automatic.on && stepper == &sim->main,
                            .jumps = &sim->restless.jumps,
                            .bias = sim->options.method->implicit ? sim->automatic.bias : 0,
                            .project = sb_workspace_enforce};
  SB_TRY(sb_stepper_create(&setup, &made, err));
  if (stepper == &sim->main && *stepper != NULL) {
    sb_stepper_counts counts = sb_stepper_count(*stepper);
    sim->rejected_before += counts.rejected;
    sim->jacobians_before += counts.jacobians;
  }
  sb_stepper_destroy(*stepper);
  *stepper = made;
  return SB_OK;
}

sb_status sb_stepper_renew_partial(sb_simulation *sim, sb_stepper **stepper, sb_error *err) {
  return renew(sim, stepper, true, err);
}

sb_status sb_steppers_renew(sb_simulation *sim, sb_error *err) {
  SB_TRY(renew(sim, &sim->main, sim->options.step > 0, err));
  if (sim->all_switch_count > 0 || sim->pulses != NULL) {
    SB_TRY(sb_stepper_renew_partial(sim, &sim->locating, err));
    SB_TRY(sb_crossing_renew(sim, err));
  }
  return sim->sampling != NULL ? sb_stepper_renew_partial(sim, &sim->sampling, err) : SB_OK;
}

sb_status sb_enforce(sb_simulation *sim, double t, double x[], sb_error *err) {
  return sb_workspace_enforce(sim->work, t, x, x + sim->network->state_count) == SB_OK
             ? SB_OK
             : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

sb_status sb_evaluate(sb_simulation *sim, double t, const double x[], sb_error *err) {
  if (sb_workspace_evaluate(sim->work, t, x) != 0) {
    if (sim->work->failure.kind != SB_LOOP_SOLVED) {
      return sb_loop_failure_word(sim->work, &sim->work->failure, err);
    }
    if (sim->work->failed >= 0) {
      return sb_refusal_word(sim, sim->work->failed, t, x, err);
    }
    return sb_fail(err, SB_ERR_NOT_FINITE, "'%s' gives no finite number at t = %s s",
                   sim->network->name, sb_number_word(t).text);
  }
  return SB_OK;
}

/** Branches that are held go on beyond their kinks, where the laws have other values: further solutions are those of laws that follow their
 *  arguments. Of f |f| = 1, held where f is positive, -1 is none. */
sb_status sb_loops_check(sb_simulation *sim, sb_error *err) {
  double *held = sim->work->branches.held;
  const size_t size = (size_t)sim->network->branch_count * sizeof *held;
  memcpy(sim->branches_held, held, size);
  for (int i = 0; i < sim->network->branch_count; i++) {
    held[i] = NAN;
  }
  const bool single = sb_loop_single(sim->work, sim->t, sim->x);
  memcpy(held, sim->branches_held, size);
  if (!single) {
    return sb_loop_failure_word(sim->work, &sim->work->failure, err);
  }
  sb_loop_accept(sim->work);
  return SB_OK;
}

/** An implicit partial step starts without the history that helped Newton's iteration through the step
 *  itself; where it fails it is made in halves, quarters and so on, down to this. Of a law that is sharper than the tolerance, as 2 atan(v/w),
 *  the start may be so far beside the curve that Newton's iteration overshoots; the first of parts whose lengths double brings it there. */
enum { PROBE_STEPS_MAX = 1024, HALVINGS = 8, HALVINGS_MAX = 40 };

/** From the start of the step to t in `count` steps of equal length, or of lengths that double; none where t is the start. */
static sb_status probe_in(sb_simulation *sim, sb_stepper *stepper, double t, int count,
                          bool doubling, sb_error *err) {
  double reached;
  SB_TRY(sb_stepper_reset(stepper, sim->t0, sim->x0, 0, err));
  memcpy(sim->xp, sim->x0, (size_t)sb_vector_count(sim->network) * sizeof *sim->xp);
  for (int k = 1; k <= count; k++) {
    const double part = doubling ? ldexp(t - sim->t0, k - count) : (t - sim->t0) * k / count;
    double end = k == count ? t : sim->t0 + part;
    if (end > sim->t0) {
      SB_TRY(sb_stepper_step(stepper, end, &reached, sim->xp, err));
    }
  }
  return SB_OK;
}

sb_status sb_probe(sb_simulation *sim, sb_stepper *stepper, double t, sb_error *err) {
  sb_status status = probe_in(sim, stepper, t, 1, false, err);
  for (int count = 2; status != SB_OK && count <= PROBE_STEPS_MAX; count *= 2) {
    status = probe_in(sim, stepper, t, count, false, err);
  }
  for (int count = HALVINGS; status != SB_OK && count <= HALVINGS_MAX; count += HALVINGS) {
    status = probe_in(sim, stepper, t, count, true, err);
  }
  SB_TRY(status);
  SB_TRY(sb_evaluate(sim, t, sim->xp, err));
  return sb_enforce(sim, t, sim->xp, err);
}
