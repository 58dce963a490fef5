// SPDX-License-Identifier: GPL-3.0-or-later
// Elements that come and go with neighbours (core/graph/neighbours.h). Between two steps, before the room of the last
// population is used up, the simulation goes on with a model that is populated anew: what lasts is taken over
// as it is, states, modes, sizes and accounts, so that the step behind it is the one that would have followed. A step
// that ends beyond the room is repeated with a shorter one.
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/graph/graph.h"
#include "core/loop/loop.h"
#include "core/simulation/samples_private.h"
#include "core/simulation/switching_private.h"

/** The room at which a population is renewed; and what a step leaves of it at the speed of the last. At one speed one step
 *  uses the room, and one that is faster by a sixth is not repeated. */
static const double used_up = 0.25, left = 0.15;

/** What is monitored at the point of the workspace. */
static double room_here(const sb_simulation *sim) {
  const double *then = sim->model->monitored, *now = sim->monitored;
  double room = 1;
  sb_monitors_read(sim->network, sim->work->values, sim->monitored);
  for (int i = 0; i < sim->network->monitor_count; i++) {
    const sb_monitor *monitor = &sim->network->monitors[i];
    room = fmin(room, monitor->hooks->room(monitor->self, then, now));
    then += monitor->count * monitor->width;
    now += monitor->count * monitor->width;
  }
  return room;
}

bool sb_renewal_overdue(sb_simulation *sim) {
  return sim->network->monitor_count > 0 && !(room_here(sim) >= 0);
}

double sb_renewal_horizon(const sb_simulation *sim) {
  return sim->room_rate > 0 ? (sim->room - left) / sim->room_rate : HUGE_VAL;
}

/** What belongs to the network of a simulation. */
static void release(sb_simulation *sim) {
  sb_audit_finish(&sim->audit);
  sb_nominal_finish(&sim->nominal);
  sb_workspace_destroy(sim->work);
  sb_features_finish(sim);
  sb_arena_finish(&sim->memory);
}

static void succeed_switches(sb_simulation *sim, const sb_simulation *before,
                             const sb_succession *s) {
  int was = 0;
  for (int i = 0; i < sim->all_switch_count; i++) {
    sb_switch *own = &sim->switches[i];
    was = i == sim->switch_count ? before->switch_count : was; // branches stand behind
    int wanted = s->before[own->instance];
    if (wanted < 0) {
      continue;
    }
    // those that go on stand in the same order
    while (was < before->all_switch_count && before->switches[was].instance != wanted) {
      was++;
    }
    if (was < before->all_switch_count) {
      int instance = own->instance, branch = own->branch;
      *own = before->switches[was++];
      own->instance = instance;
      own->branch = branch;
    }
  }
}

/** All that is sized by the network, for that of the present model. */
static sb_status make(sb_simulation *sim, sb_error *err) {
  sim->memory = (sb_arena){0};
  sim->audit = (sb_audit){0};
  sim->nominal = (sb_nominal){0};
  sim->work = NULL;
  sim->features = NULL;
  sim->checks = NULL;
  sim->has_timed = false;
  sim->switch_count = sim->all_switch_count = sim->feature_count = sim->modulated_count = 0;
  sim->check_count = sim->check_capacity = 0;
  SB_TRY(sb_simulation_allocate(sim, err));
  SB_TRY(sb_nominal_init(&sim->nominal, &sim->options, sim->work, err));
  SB_TRY(sb_blurred_create(sim, err));
  sb_switches_find(sim);
  sb_branches_list(sim);
  SB_TRY(sb_step_checks_find(sim, err));
  SB_TRY(sb_features_list(sim, err));
  SB_TRY(sb_turns_find(sim, err));
  SB_TRY(sb_delay_ways_create(sim, err));
  SB_TRY(sb_middles_create(sim, err));
  return sb_audit_init(&sim->audit, sim->network, sim->work, &sim->options, &sim->nominal, err);
}

/** New elements take the present as what they are latched at. */
static void accept_new(sb_simulation *sim, const sb_succession *s) {
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_instance *instance = &sim->network->instances[sim->switches[i].instance];
    const sb_switching_hooks *hooks = instance->type->switching;
    if (s->before[sim->switches[i].instance] < 0 && hooks->accept != NULL) {
      sb_at at = sb_at_switch(sim, &sim->switches[i], sim->t, sim->x);
      hooks->accept(instance->self, &at, sim->work->discrete + instance->discrete);
    }
  }
}

/** From `before` to its present model, which `sim` has already; the ledger is still with `before`. */
static sb_status succeed(sb_simulation *sim, sb_simulation *before, sb_succession *s,
                         sb_error *err) {
  sb_errors errors = {0};
  SB_TRY(make(sim, err));
  if (sb_succession_find(s, &sim->memory, before->network, sim->network) != SB_OK) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  sb_model_start(sim->model, sim->work, sim->x);
  sb_succession_vector(s, before->x, sim->x);
  sb_status status = sb_workspace_succeed(sim->work, before->work, s, &errors);
  if (status != SB_OK) {
    (void)sb_fail(err, status, "%s", errors.count > 0 ? errors.items[0].text : "out of memory");
  }
  sb_errors_finish(&errors);
  SB_TRY(status);
  succeed_switches(sim, before, s);
  sb_turnings_succeed(sim, before, s);
  sim->restless.steps = 0; // of an element of the network before
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  sb_nominal_succeed(&sim->nominal, &before->nominal, s, sim->t, sim->x);
  accept_new(sim, s);
  SB_TRY(sb_indicators_read(sim, sim->t, sim->x, 0, err));
  return sb_audit_succeed(&sim->audit, &before->audit, s, sim->t, sim->x, err);
}

/** What steps and samples work with. */
static sb_status make_tools(sb_simulation *sim, sb_error *err) {
  sb_panel *panel = &sim->samples->panel;
  SB_TRY(sb_steppers_renew(sim, err));
  sb_panel_finish(panel);
  return sb_panel_init(panel) ? sb_samples_renew(sim, err)
                              : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

/** Goes on with another model, which it takes over; after a failure with the one before. */
static sb_status go_on(sb_simulation *sim, sb_model *model, sb_error *err) {
  sb_audit_close(&sim->audit, sim->t, sim->x);
  sb_simulation before = *sim;
  sb_succession s;
  const double next = sb_stepper_next(sim->main);
  sim->model = sim->own = model;
  sim->network = &model->network;
  sb_status status = succeed(sim, &before, &s, err);
  if (status != SB_OK) {
    release(sim);
    *sim = before;
    sb_model_destroy(model);
    return status;
  }
  sb_step_view(sim, sim->t, sim->x);
  status = sb_remarks_keep(sim, &before, &s, err);
  status = status == SB_OK ? make_tools(sim, err) : status;
  release(&before);
  sb_model_destroy(before.own);
  SB_TRY(status);
  sb_features_foresee(sim, sim->t_end);
  sb_step_boundary(sim);
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  sb_audit_balance(&sim->audit, sim->t, sim->x);
  if (!sim->restart) { // nothing has changed but who is there: the next step is as long as it would have been
    sim->renewed = true;
    sim->next_step = next;
  }
  sim->restart = true;
  sim->room = room_here(sim);
  return SB_OK;
}

/** Whether an element of the population must last: in its mode it is not idle. */
static bool must_last(const sb_simulation *sim, const sb_switch *own) {
  const sb_instance *instance = &sim->network->instances[own->instance];
  const sb_switching_hooks *hooks = instance->type->switching;
  return hooks->modes.idle != NULL && instance->mode >= 0 &&
         !hooks->modes.idle(instance->self, sim->work->modes[instance->mode]) &&
         !sb_graph_knows(sim->first->source, instance->id);
}

/** @param ids  (switch_count) out: borrowed from the network */
static sb_lasting find_lasting(const sb_simulation *sim, const char *ids[]) {
  int count = 0;
  for (int i = 0; i < sim->switch_count; i++) {
    if (must_last(sim, &sim->switches[i])) {
      ids[count++] = sim->network->instances[sim->switches[i].instance].id;
    }
  }
  return (sb_lasting){ids, count};
}

static sb_status renew(sb_simulation *sim, sb_error *err) {
  sb_errors errors = {0};
  sb_model *model = NULL;
  const char **ids = sb_zeroed(sim->switch_count, sizeof *ids);
  sb_status status = ids == NULL ? SB_ERR_MEMORY
                                 : sb_model_populate(sim->first->source, sim->monitored,
                                                     find_lasting(sim, ids), &model, &errors);
  free(ids);
  if (status != SB_OK) {
    *err = errors.count > 0 ? errors.items[0] : (sb_error){.status = status};
    if (errors.count == 0) {
      (void)sb_fail(err, status, "out of memory");
    }
  }
  sb_errors_finish(&errors);
  return status != SB_OK ? status : go_on(sim, model, err);
}

sb_status sb_renewal_check(sb_simulation *sim, sb_error *err) {
  if (sim->network->monitor_count == 0) {
    return SB_OK;
  }
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  double room = room_here(sim), elapsed = sim->t - sim->room_t;
  if (elapsed > 0) {
    sim->room_rate = fmax(0, (sim->room - room) / elapsed);
  }
  sim->room = room;
  sim->room_t = sim->t;
  return room > used_up ? SB_OK : renew(sim, err);
}
