// SPDX-License-Identifier: GPL-3.0-or-later
// Singular positions, in which constraints lose rank, of those that storages keep inside (the loops of a mechanism) and of
// those that the network states between storages (core/model/singular.c). One that a step has passed is an event without
// loss. Where a run cannot go on near one, as with a driven mechanism at the end of what it reaches, the error tells so.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/model/constraints.h"
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"

/** Of the farthest that a storage, or a group of constraints, has been from a singular position: nearer, it is told. */
static const double near = 0.01, near_between = 0.05;
/** So many steps in a row near one, at whose pace the run would take more than the most steps, are a crawl. */
enum { CRAWL = 1000, NAMED = 4 };

static const sb_instance *drifting_at(const sb_simulation *sim, int k, double *clearance) {
  const sb_instance *instance = &sim->network->instances[sim->network->drifting[k]];
  *clearance = 1;
  if (instance->type->storage->manifold.clearance == NULL) {
    return NULL;
  }
  const sb_at at = sb_at_instance(sim->work, instance, sim->t, sim->x);
  *clearance = instance->type->storage->manifold.clearance(instance->self, &at, NULL);
  return instance;
}

static sb_status note(sb_simulation *sim, int instance, sb_error *err) {
  sb_audit_before(&sim->audit, sim->t, sim->x);
  return sb_audit_event(&sim->audit, sim->t, sim->x, "singular", instance, err);
}

/** Enters what has been passed. @param least  out: the least distance of all, of the farthest */
static sb_status note_passages(sb_simulation *sim, double *least, sb_error *err) {
  const sb_causality *c = &sim->work->program->causality;
  *least = 1;
  for (int k = 0; k < sim->network->drifting_count; k++) {
    double clearance;
    const sb_instance *instance = drifting_at(sim, k, &clearance);
    const bool passed = instance != NULL && sb_passage_note(&sim->passages[k], sim->t, clearance);
    *least = fmin(*least, clearance / fmax(sim->passages[k].farthest, near));
    if (passed) {
      SB_TRY(note(sim, (int)(instance - sim->network->instances), err));
    }
  }
  const int constraint =
      sb_has_multipliers(c) ? sb_constraints_passed_singular(sim->work, sim->t, sim->x) : -1;
  return constraint < 0 ? SB_OK : note(sim, c->constraints[constraint].where, err);
}

/** Words about the storage that is nearest. @return false: none is near */
static bool word_storage(const sb_simulation *sim, double *clearance, const sb_instance **instance,
                         sb_text *words) {
  int found = -1;
  double least = near_between; // what grows with the reactions ends farther out
  for (int k = 0; k < sim->network->drifting_count; k++) {
    double here;
    if (drifting_at(sim, k, &here) != NULL &&
        here < least * fmax(sim->passages[k].farthest, near)) {
      least = here / fmax(sim->passages[k].farthest, near);
      *clearance = here;
      found = sim->network->drifting[k];
    }
  }
  if (found >= 0) {
    *instance = &sim->network->instances[found];
    const sb_at at = sb_at_instance(sim->work, *instance, sim->t, sim->x);
    (void)(*instance)->type->storage->manifold.clearance((*instance)->self, &at, words);
  }
  return found >= 0 && !words->failed;
}

/** "'a', 'b' ": the sources in the group of a constraint. */
static void put_sources(const sb_simulation *sim, int constraint, sb_text *words) {
  const sb_constraint_groups *groups = sim->work->constraint_groups;
  for (int i = 0, listed = 0; i < groups->count; i++) {
    const sb_constraint_group *g = &groups->groups[i];
    bool own = false;
    for (int k = 0; k < g->count; k++) {
      own = own || g->constraints[k] == constraint;
    }
    for (int k = 0; k < g->source_count && own; k++) {
      for (int n = 0; n < sim->network->instance_count; n++) {
        const sb_instance *instance = &sim->network->instances[n];
        const int component = g->sources[k] - instance->out;
        if (component >= 0 && component < instance->components && instance->type->source != NULL &&
            listed++ < NAMED) {
          sb_text_put(words, "%s'%.60s'", listed > 1 ? ", " : "", instance->id);
        }
      }
    }
    if (listed > 0) {
      sb_text_put(words, " with ");
      return;
    }
  }
}

/** Words about constraints between storages. */
static bool word_constraints(const sb_simulation *sim, double *clearance,
                             const sb_instance **instance, sb_text *words) {
  int found;
  *clearance = sb_constraints_clearance(sim->work, &found);
  if (found < 0 || !(*clearance < near_between)) {
    return false;
  }
  *instance = &sim->network->instances[sim->work->program->causality.constraints[found].where];
  const sb_storage_hooks *storage = (*instance)->type->storage;
  put_sources(sim, found, words);
  if (storage != NULL && storage->manifold.clearance != NULL) {
    const sb_at at = sb_at_instance(sim->work, *instance, sim->t, sim->x);
    (void)storage->manifold.clearance((*instance)->self, &at, words);
  } else {
    sb_text_put(words, "the constraints on it");
  }
  sb_text_put(words, " lose rank there, and forces grow without bound");
  return !words->failed;
}

sb_status sb_singular_explain(sb_simulation *sim, sb_status status, sb_error *err) {
  sb_text words = {0};
  const sb_instance *instance;
  double clearance;
  const bool can =
      status == SB_ERR_SOLVER || status == SB_ERR_NOT_FINITE || status == SB_ERR_UNSOLVED;
  if (!can || err == NULL || sb_workspace_evaluate(sim->work, sim->t, sim->x) != 0) {
    return status;
  }
  const bool inside = word_storage(sim, &clearance, &instance, &words);
  if (inside || word_constraints(sim, &clearance, &instance, &words)) {
    const sb_error why = *err;
    (void)sb_fail(err, status,
                  "'%.80s' is within %s of a configuration singularity at t = %s s: %.200s; %.160s",
                  instance->id, sb_number_word(clearance).text, sb_number_word(sim->t).text,
                  words.bytes, why.text);
    sb_error_hint(
        err, inside
                 ? "no motion out of it is determined, or forces grow without bound: begin beside "
                   "it, hold a joint that may branch by a stop, a spring or a drive, or make "
                   "lengths differ"
                 : "a drive cannot carry it on, as at a dead point: drive another joint, or end "
                   "before; an effort in the place of a flow, or a spring between, gives way");
    sb_place_into(&instance->place, err);
  }
  free(words.bytes);
  return status;
}

sb_status sb_singular_check(sb_simulation *sim, sb_error *err) {
  double least;
  int unused;
  SB_TRY(note_passages(sim, &least, err));
  if (least >= near && sb_constraints_clearance(sim->work, &unused) >= near_between) {
    sim->near_steps = 0;
    return SB_OK;
  }
  if (sim->near_steps++ == 0) {
    sim->near_since = sim->t;
  }
  const double pace = (sim->t - sim->near_since) / (double)sim->near_steps;
  if (sim->near_steps < CRAWL || sim->options.step > 0 ||
      pace * (double)sim->options.max_steps > sim->t_end - sim->t) {
    return SB_OK;
  }
  (void)sb_fail(err, SB_ERR_SOLVER, "the steps have become too short to go on");
  return sb_singular_explain(sim, SB_ERR_SOLVER, err);
}

bool sb_singular_foresee(const sb_simulation *sim, sb_errors *warnings) {
  bool added = true;
  for (int k = 0; k < sim->network->drifting_count; k++) {
    double clearance;
    const sb_instance *instance = drifting_at(sim, k, &clearance);
    if (clearance > 0) {
      continue;
    }
    sb_text words = {0};
    sb_error err = {0};
    const sb_at at = sb_at_instance(sim->work, instance, sim->t, sim->x);
    const int before = warnings->count;
    (void)instance->type->storage->manifold.clearance(instance->self, &at, &words);
    sb_warn(&err, SB_ERR_RANGE, "'%.80s' starts in a configuration singularity: %.300s",
            instance->id, words.failed ? "" : words.bytes);
    sb_error_hint(&err, "the velocities at the start decide in which way it moves on, and at rest "
                        "rounding does: start beside that position");
    sb_place_into(&instance->place, &err);
    sb_errors_add(warnings, &err);
    added = added && warnings->count > before && !words.failed;
    free(words.bytes);
  }
  return added;
}
