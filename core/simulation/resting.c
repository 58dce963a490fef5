// SPDX-License-Identifier: GPL-3.0-or-later
// What sticks and slips begins by the branch of its present flow, at the start and behind a jump. In an algebraic loop
// that branch may have no solution, as its law jumps at rest: a source forces 0.5 m/s on a damper beside dry friction
// that takes no less than 3 N. Then the element is at rest, and the effort is what the others leave, as in the
// set-valued law (Filippov 1988). Its event indicator tells whether it holds.
// Diodes begin blocking. Behind ratios that change several of them may so hold one thing, and what each bears is not determined: the
// problem of the instant (core/model/complementarity.h) tells which of them hold it.
#include <string.h>

#include "core/loop/loop.h"
#include "core/model/complementarity.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

enum { DISCRETE_MAX = 8 };

/** Whether an element is one of the loop that has just failed. */
static bool is_in_loop(const sb_simulation *sim, int instance) {
  const sb_program *p = sim->work->program;
  const sb_loop *loop = &p->loops[sim->work->failure.loop];
  bool found = false;
  for (int h = loop->first; h < loop->first + loop->count && !found; h++) {
    found = p->loop_hooks[h].op.instance == instance;
  }
  return found;
}

/** Whether a switch is of an element of that loop that sticks, and has not found its mode yet. */
static bool is_undecided(const sb_simulation *sim, const sb_switch *element) {
  const sb_instance *instance = &sim->network->instances[element->instance];
  const sb_element_type *type = instance->type;
  double discrete[DISCRETE_MAX];
  if (type->dissipation == NULL || type->dissipation->jumps.sticks == NULL ||
      type->switching->discrete_states > DISCRETE_MAX) {
    return false;
  }
  sb_at at = sb_at_instance(sim->work, instance, sim->t, sim->x);
  int mode = sim->work->modes[instance->mode];
  return is_in_loop(sim, element->instance) &&
         mode == type->switching->initial_mode(instance->self, &at, discrete) &&
         !sb_instance_sticks(instance, sim->work->modes);
}

void sb_forget_ports(sb_simulation *sim, const sb_instance *instance) {
  const int n = instance->components;
  memset(sim->port_values, 0, 2 * (size_t)n * sizeof *sim->port_values);
  sim->port_values[sb_natural_output(instance, 0) == SB_EFFORT ? n : 0] =
      sb_instance_stick_place(instance, sim->work->modes[instance->mode]);
}

/** Takes the mode of an element at rest, by its own event there. */
static sb_status rest(sb_simulation *sim, int index, sb_error *err) {
  const sb_instance *instance = &sim->network->instances[sim->switches[index].instance];
  sb_changed more[SB_COMMUTATION_MAX];
  int none = 0;
  sb_at at = sb_at_instance(sim->work, instance, sim->t, sim->x);
  sb_forget_ports(sim, instance);
  at.in = sim->port_values;
  sb_transition next = {.mode = at.mode, .err = err};
  SB_TRY(instance->type->switching->fire(instance->self, &at, 0,
                                         sim->work->discrete + instance->discrete, &next));
  sim->work->modes[instance->mode] = next.mode;
  return sb_commutate(sim, index, more, &none, err);
}

/** Complementary elements of every part that has several take the modes of its problem, if that has a solution; where no part has several
 *  the failure of the loop stays.  @param err  it is worded there */
static sb_status hold_once(sb_simulation *sim, sb_error *err) {
  sb_workspace *work = sim->work;
  sb_errors errors = {0};
  bool any = false;
  for (int part = 0; part < sim->network->part_count; part++) {
    if (sb_complementary_count(sim->network, work->modes, part) > 1) {
      const sb_status known = sb_complementarity_solve(work, part, sim->t, sim->x, work->modes);
      SB_TRY(known == SB_ERR_MEMORY ? sb_fail(err, known, "out of memory") : SB_OK);
      any = any || known == SB_OK;
    }
  }
  const bool compiles = any && sb_workspace_recompile(work, &errors) == SB_OK;
  sb_errors_finish(&errors);
  if (!compiles) {
    return SB_ERR_UNSOLVED;
  }
  SB_TRY(sb_audit_structures(&sim->audit));
  SB_TRY(sb_steppers_renew(sim, err));
  return sb_evaluate(sim, sim->t, sim->x, err);
}

sb_status sb_evaluate_resting(sb_simulation *sim, sb_error *err) {
  sb_status status = sb_evaluate(sim, sim->t, sim->x, err);
  if (status != SB_OK && sim->work->failure.kind == SB_LOOP_NO_SOLUTION) {
    status = hold_once(sim, err);
  }
  if (status != SB_OK && sim->work->failure.kind == SB_LOOP_NO_SOLUTION) {
    status = sb_jumps_settle(sim, err);
  }
  for (int i = 0; status != SB_OK && i < sim->switch_count; i++) {
    if (sim->work->failure.kind == SB_LOOP_NO_SOLUTION && is_undecided(sim, &sim->switches[i])) {
      SB_TRY(rest(sim, i, err));
      status = sb_evaluate(sim, sim->t, sim->x, err);
    }
  }
  return status;
}
