// SPDX-License-Identifier: GPL-3.0-or-later
// An energy is continuous: where one jumps as its expression changes branches, the force would have to be infinite, and no
// port could take what is missing. A kink is none: its energies by both branches differ by what the state is beyond it.
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

#define MEET "pieces of an energy meet where they change: if(q > a, k*(q - a)^2/2, 0[J])"

/** What an energy by both branches may differ by, as a fraction of what it changes by a short time later: as beyond a kink. And
 *  a state has been at the kink if it is beyond it by this fraction of what it moves in that time; else it has jumped. */
static const double still = 1e-2;
/** Roundings in the evaluation of an energy. */
static const double roundings = 16;

/** H by the branches that are held, now and a short time later, and how far the state is inside of one of them. */
typedef struct side {
  double now, later;
  double gap, gap_later;
} side;

/** @param h  [s] sim->later is as much later: also of what the energy reads of signals, as the depth of a contact */
static side look(const sb_simulation *sim, const sb_switch *switched, double h) {
  const sb_instance *instance = &sim->network->instances[switched->instance];
  const sb_storage_hooks *hooks = instance->type->storage;
  sb_workspace *work = sim->work;
  side s;
  work->branches.notes = true;
  const sb_at now = sb_at_instance(work, instance, sim->t, sim->x);
  s.now = hooks->energy(instance->self, &now);
  s.gap = work->branches.gap[switched->branch];
  const sb_at later = sb_at_instance(work, instance, sim->t, sim->later);
  s.later = hooks->audit.ahead != NULL ? hooks->audit.ahead(instance->self, &later, h)
                                       : hooks->energy(instance->self, &later);
  s.gap_later = work->branches.gap[switched->branch];
  work->branches.notes = false;
  return s;
}

static sb_status word(const sb_simulation *sim, const sb_switch *switched, double jump,
                      sb_error *err) {
  const sb_instance *instance = &sim->network->instances[switched->instance];
  char name[300], where[340] = "";
  if (instance->type->storage->audit.ahead == NULL) { // else signals decide, not the state
    (void)snprintf(where, sizeof where, ", where %.200s = %s",
                   sb_network_state_name(sim->network, instance->state, name),
                   sb_number_word(sim->x[instance->state]).text);
  }
  (void)sb_fail(err, SB_ERR_NOT_FINITE,
                "the energy of '%.100s' jumps by %s J at t = %s s%s: its effort would be infinite",
                instance->id, sb_number_word(jump).text, sb_number_word(sim->t).text, where);
  sb_error_hint(err, MEET);
  sb_place_into(&instance->place, err);
  return SB_ERR_NOT_FINITE;
}

static sb_status word_trembling(const sb_simulation *sim, const sb_instance *instance,
                                sb_error *err) {
  (void)sb_fail(err, SB_ERR_CHATTER,
                "'%.100s' switches without end at t = %s s: it goes to and fro with less energy "
                "than rtol resolves",
                instance->id, sb_number_word(sim->t).text);
  sb_error_hint(err, "the effort of its energy jumps there: round the kink, as by sqrt(x^2 + a^2) "
                     "in place of abs(x), with a small a");
  sb_place_into(&instance->place, err);
  return SB_ERR_CHATTER;
}

/** Counts a passage over a kink where dH/dt jumps by `power`, from -F v to F v: by the time T since the last one it went away to v T/4,
 *  which took F v T/4. */
static sb_status count_trembling(sb_simulation *sim, sb_switch *switched, double power,
                                 sb_error *err) {
  const sb_instance *instance = &sim->network->instances[switched->instance];
  const double most = sim->nominal.now.energy[sim->network->part_of[switched->instance]];
  const double energy = fabs(power) * (sim->t - switched->passed) / 8;
  switched->passed = sim->t;
  const bool trembles = switched->jumped && energy < sim->options.rtol * most;
  return sb_trembles_on(sim, switched, trembles) ? word_trembling(sim, instance, err) : SB_OK;
}

sb_status sb_energy_check(sb_simulation *sim, int index, double h, double old[], sb_error *err) {
  sb_switch *switched = &sim->switches[index];
  const sb_instance *instance = &sim->network->instances[switched->instance];
  if (instance->type->storage == NULL || !(h > 0)) {
    return SB_OK;
  }
  for (int i = 0; i < sim->network->state_count; i++) {
    sim->later[i] = sim->x[i] + h * sim->work->evaluation.xdot[i];
  }
  const side new = look(sim, switched, h);
  sb_branches_exchange(sim, instance, old);
  const side before = look(sim, switched, h);
  sb_branches_exchange(sim, instance, old);
  const sb_at at = sb_at_instance(sim->work, instance, sim->t, sim->x);
  const sb_storage_audit *audit = &instance->type->storage->audit;
  const double jump = new.now - before.now;
  const double terms = audit->terms != NULL ? audit->terms(instance->self, &at) : fabs(new.now);
  const double moves = fabs(new.later - new.now) + fabs(before.later - before.now);
  const bool was_there = fabs(before.gap) <= still * fabs(before.gap_later - before.gap);
  return was_there && fabs(jump) > still * moves && fabs(jump) > roundings * DBL_EPSILON * terms
             ? word(sim, switched, jump, err)
             : count_trembling(sim, switched,
                               (new.later - new.now - (before.later - before.now)) / h, err);
}

/** Where an energy of one state alone jumps most, as far as it is looked at. */
typedef struct fall {
  double at, by; // [SI], [J]
} fall;

/** From places of all sizes to the kinks that come next. */
static fall find_fall(const sb_expression *energy) {
  enum { DECADES = 30, NEXT = 4 };
  fall most = {0, 0};
  for (int k = -DECADES; k <= DECADES; k++) {
    for (int sign = -1; sign <= 1; sign++) {
      double x = sign * pow(10, k);
      for (int i = 0; i < NEXT; i++) {
        const double kink = sb_expression_next_kink(energy, x);
        if (isinf(kink)) {
          break;
        }
        const double next = sb_expression_next_kink(energy, kink),
                     aside = fmin(1e-9 * fabs(kink), 0.25 * (next - kink)) + DBL_MIN;
        const double at[SB_EXPRESSION_VARIABLES_MAX] = {kink};
        const double left[SB_EXPRESSION_VARIABLES_MAX] = {kink - aside};
        const double right[SB_EXPRESSION_VARIABLES_MAX] = {kink + aside};
        const sb_dual behind = sb_expression_beside(energy, at, right, 0),
                      before = sb_expression_beside(energy, at, left, 0);
        const double by = behind.value - before.value;
        const double moved = (fabs(behind.slope) + fabs(before.slope)) * fmax(fabs(x), fabs(kink));
        const double terms = fmax(sb_expression_terms(energy, at, left, NULL),
                                  sb_expression_terms(energy, at, right, NULL));
        most = fabs(by) > roundings * DBL_EPSILON * (terms + moved) && fabs(by) > fabs(most.by)
                   ? (fall){kink, by}
                   : most;
        x = kink;
      }
    }
  }
  return most;
}

bool sb_energies_foresee(const sb_network *network, sb_errors *warnings) {
  bool added = true;
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    const sb_param *row = instance->type->storage != NULL && instance->layout.states == 1
                              ? sb_param_find(instance->type->params, "energy")
                              : NULL;
    if (row == NULL || row->kind != SB_PARAM_EXPRESSION || row->arguments == NULL ||
        row->arguments[0].name == NULL || row->arguments[1].name != NULL || row->signals) {
      continue;
    }
    const sb_expression *energy = *(sb_expression **)(void *)((char *)instance->self + row->offset);
    const fall most = energy != NULL ? find_fall(energy) : (fall){0, 0};
    if (most.by != 0) {
      const int before = warnings->count;
      sb_error err = {0};
      sb_warn(&err, SB_ERR_NOT_FINITE,
              "the energy of '%.100s' jumps by %s J at %s = %s: a run that gets there ends, as its "
              "effort would be infinite",
              instance->id, sb_number_word(most.by).text, row->arguments[0].name,
              sb_number_word(most.at).text);
      sb_error_hint(&err, MEET);
      sb_place_into(&instance->place, &err);
      sb_errors_add(warnings, &err);
      added = warnings->count > before && added;
    }
  }
  return added;
}
