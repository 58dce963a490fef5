// SPDX-License-Identifier: GPL-3.0-or-later
// Features of sources and signals that a step could pass unseen: the expressions of the time that the
// elements state are measured over the run before it, and bound its steps (core/expression/features.h).
#include "core/expression/features.h"

#include <math.h>
#include <string.h>

#include "core/expression/compose.h"
#include "core/network/in_time.h"
#include "core/network/turns.h"
#include "core/simulation/formulas_private.h"

/** Of a period, among which the largest value is looked for. */
enum { SAMPLES = 16 };
/** The part of a period in which a source is about at its crest. */
static const double crest_part = 0.125;

sb_status sb_features_list(sb_simulation *sim, sb_error *err) {
  sb_in_time *list;
  int count = sb_in_time_list(sim->network, &sim->memory, &list);
  sim->searched_from = sim->searched_until = -HUGE_VAL;
  sim->feature_count = sim->composed_count = sim->wave_count = 0;
  sim->features = sb_arena_zeroed(&sim->memory, count > 0 ? 2 * count : 0, sizeof(sb_features *));
  sim->besides = sb_arena_zeroed(&sim->memory, count > 0 ? 2 * count : 0, sizeof *sim->besides);
  sim->composed = sb_arena_zeroed(&sim->memory, count > 0 ? count : 0, sizeof *sim->composed);
  sim->waves = sb_arena_zeroed(&sim->memory, count > 0 ? count : 0, sizeof *sim->waves);
  sim->branches_kept = sb_arena_zeroed(&sim->memory, sim->network->branch_count, sizeof(double));
  sim->branches_held = sb_arena_zeroed(&sim->memory, sim->network->branch_count, sizeof(double));
  sim->energies_kept = sb_arena_zeroed(&sim->memory, sim->network->branch_count, sizeof(double));
  if (count < 0 || sim->features == NULL || sim->besides == NULL || sim->memory.failed) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < count; i++) {
    SB_TRY(sb_features_create(list[i].expression, 0, &sim->features[sim->feature_count], err));
    sim->feature_count += sim->features[sim->feature_count] != NULL;
    SB_TRY(
        sb_features_create_beside(list[i].expression, 0, &sim->features[sim->feature_count], err));
    if (sim->features[sim->feature_count] != NULL) {
      sim->besides[sim->feature_count++] = &list[i];
    }
    if (!isinf(sb_expression_period(list[i].expression))) {
      sim->waves[sim->wave_count++] = list[i].expression;
    }
    if (list[i].composed && sb_expression_has_kinks(list[i].expression)) {
      sim->composed[sim->composed_count++] = &list[i];
    }
  }
  for (int i = 0; i < sim->feature_count; i++) {
    sb_features_watch(sim->features[i], &sim->interrupted);
  }
  return SB_OK;
}

double sb_features_next_kink(const sb_simulation *sim, double t) {
  double next = HUGE_VAL;
  for (int i = 0; i < sim->composed_count; i++) {
    next = sb_time_first(next, sb_expression_next_kink(sim->composed[i]->expression, t));
  }
  return next;
}

void sb_features_hold(sb_simulation *sim) {
  for (int i = 0; i < sim->composed_count; i++) {
    sb_expression_hold(sim->composed[i]->expression, sim->work->inside, &sim->work->branches);
  }
}

/** Whether an element waits for a sign of what it sees. */
static bool watches(const sb_instance *instance) {
  const sb_switching_hooks *hooks = instance->type->switching;
  bool indicates = hooks != NULL && hooks->indicators != NULL;
  return (indicates && (sb_instance_commutates(instance) || instance->type->signal != NULL)) ||
         (instance->branch_count > 0 && instance->wire_count > 0);
}

sb_status sb_turns_find(sb_simulation *sim, sb_error *err) {
  const sb_network *network = sim->network;
  sb_arena memory = {0};
  bool *feeds = sb_arena_zeroed(&memory, network->instance_count, sizeof *feeds);
  for (int i = 0; i < network->instance_count && feeds != NULL; i++) {
    feeds[i] = watches(&network->instances[i]);
  }
  bool done = feeds != NULL && sb_network_feeding(network, feeds, &memory);
  sim->turns = HUGE_VAL;
  sim->all_turns = sb_network_horizon(network);
  sim->repeats = 8 * sim->all_turns;
  for (int i = 0; i < network->instance_count && done; i++) {
    const sb_instance *instance = &network->instances[i];
    sim->repeats = fmin(sim->repeats, sb_instance_interval(network, instance));
    sim->turns = feeds[i] ? fmin(sim->turns, sb_instance_turns(network, instance)) : sim->turns;
  }
  sb_status status = done ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "out of memory");
  status = status == SB_OK ? sb_formulas_list(sim, err) : status;
  status = status == SB_OK ? sb_turnings_list(sim, feeds, err) : status;
  status = status == SB_OK ? sb_pulses_list(sim, feeds, err) : status;
  sim->evaluates_ends = sim->evaluates_ends || sim->pulses != NULL;
  sb_arena_finish(&memory);
  return status;
}

void sb_features_finish(sb_simulation *sim) {
  for (int i = 0; i < sim->feature_count; i++) {
    sb_features_destroy(sim->features[i]);
  }
}

/** About where an expression is largest within a period, in all of its variables: of a product of sines in that of the fastest. */
static double find_crest(const sb_expression *expression, double t, double period) {
  double most = 0, crest = t + 0.5 * period;
  for (int k = 1; k < SAMPLES; k++) {
    const double at = t + k * period / SAMPLES;
    double variables[SB_EXPRESSION_VARIABLES_MAX];
    for (int j = 0; j < SB_EXPRESSION_VARIABLES_MAX; j++) {
      variables[j] = at;
    }
    const double value = fabs(sb_expression_value(expression, variables));
    crest = value > most ? at : crest;
    most = fmax(most, value);
  }
  return crest;
}

/** The signals that an expression reads are for its features those of the present; several that one variable stands for, and what is at
 *  the port of an element, are zero. */
static void take_signals(sb_simulation *sim, int feature) {
  const sb_in_time *beside = sim->besides[feature];
  double variables[SB_EXPRESSION_VARIABLES_MAX] = {0};
  if (beside == NULL) {
    return;
  }
  const sb_instance *instance = &sim->network->instances[beside->instance];
  if (beside->composed && beside->other >= 0) {
    variables[SB_COMPOSED_OTHER] = *sim->work->wires[beside->other];
  }
  for (int k = 0; k < instance->wire_count && !beside->composed; k++) {
    const int slot = beside->arguments + k;
    if (slot < SB_EXPRESSION_VARIABLES_MAX) {
      variables[slot] = *sim->work->wires[instance->wire + k];
    }
  }
  sb_features_take(sim->features[feature], variables);
}

/** The length of the smooth piece of the sources that a peak is in, or half of it: what they do there ends with it, though branches that
 *  are those of the peak go on. */
static double piece_around(const sb_simulation *sim, double peak, double t_end) {
  const double end = sb_time_first(t_end, sb_next_kink(sim, peak));
  double length = end - sim->t;
  while (length > end - peak && sb_next_kink(sim, end - length) < end) {
    length /= 2;
  }
  return length;
}

/** At a peak branches are those of the peak: one that is held at the start would hide it. What turns has no terms, and is followed
 *  wherever it goes; but a source that begins as 1 - cos(w t) does tells nothing of the sizes that it will lead to. */
void sb_features_visit(sb_simulation *sim, double t_end, sb_peak_visitor *visit, void *context) {
  double inside = sim->work->inside, peak;
  size_t held = (size_t)sim->network->branch_count * sizeof(double);
  for (int i = 0; i < sim->feature_count; i++) {
    take_signals(sim, i); // visits evaluate other times
  }
  memcpy(sim->branches_kept, sim->work->branches.held, held);
  sb_workspace_free_branches(sim->work);
  for (int i = 0; i < sim->feature_count && t_end > sim->t && !sim->interrupted; i++) {
    (void)sb_features_measure(sim->features[i], sim->t, t_end);
    for (int k = 0; !sim->interrupted && sb_features_peak(sim->features[i], k, &peak); k++) {
      sim->work->inside = peak;
      sb_workspace_changed(sim->work);
      visit(sim, peak, piece_around(sim, peak, t_end), context);
    }
  }
  for (int i = 0; i < sim->wave_count && t_end > sim->t; i++) {
    const double period = fmin(sb_expression_period(sim->waves[i]), t_end - sim->t);
    peak = sim->work->inside = find_crest(sim->waves[i], sim->t, period);
    sb_workspace_changed(sim->work);
    visit(sim, peak, crest_part * period, context);
  }
  sim->work->inside = inside;
  memcpy(sim->work->branches.held, sim->branches_kept, held);
  sb_workspace_changed(sim->work);
}

static void foresee_at(sb_simulation *sim, double peak, double span, void *context) {
  (void)context;
  (void)sb_nominal_foresee(&sim->nominal, peak, sim->x, span);
  sb_delays_foresee(sim, peak, span);
}

/** A program that advances in many short times has them looked for over times that double, so that each call costs no search. */
void sb_features_foresee(sb_simulation *sim, double t_end) {
  const double before = sim->searched_until - sim->searched_from; // not-a-number at first
  if (t_end <= sim->searched_until && sim->t < sim->searched_until) {
    return;
  }
  sim->searched_from = sim->t;
  sim->searched_until = fmax(t_end, sim->t + 2 * before);
  sb_features_visit(sim, sim->searched_until, foresee_at, NULL);
}

double sb_features_bound(sb_simulation *sim, double stop) {
  for (int i = 0; i < sim->feature_count; i++) {
    double jump = sim->boundary;
    stop = sb_features_reach(sim->features[i], sim->t, stop, &jump);
    sim->boundary = sb_time_first(sim->boundary, jump); // the smooth piece ends behind the step
  }
  return stop;
}

/** Warns if features of what an element states in time may be missed. */
static sb_status warn_of(const sb_network *network, const sb_in_time *stated, double t_start,
                         double t_end, sb_errors *warnings) {
  const sb_instance *instance = &network->instances[stated->instance];
  sb_features *features = NULL;
  sb_error err = {0};
  SB_TRY(sb_features_create(stated->expression, 0, &features, &err));
  if (features != NULL && sb_features_compare_same(features)) {
    sb_warn(&err, SB_ERR_LIMIT,
            "the expression of '%s' compares what is the same on both sides: that gives the same "
            "at all times",
            instance->id);
    sb_error_hint(&err, "a comparison that shall decide needs two sides that differ");
    sb_place_into(&instance->place, &err);
    (void)sb_errors_add(warnings, &err);
  }
  if (features != NULL && !sb_features_measure(features, t_start, t_end)) {
    sb_warn(&err, SB_ERR_LIMIT,
            "the expression of '%s' may have features that are too short to be found: steps "
            "may miss them",
            instance->id);
    sb_error_hint(&err, "give <run> a max-step below the width of the shortest one");
    sb_place_into(&instance->place, &err);
    (void)sb_errors_add(warnings, &err);
  }
  sb_features_destroy(features);
  return SB_OK;
}

sb_status sb_model_unseen(const sb_model *model, double t_start, double t_end,
                          sb_errors *warnings) {
  sb_arena memory = {0};
  sb_in_time *list;
  int count = sb_in_time_list(&model->network, &memory, &list);
  sb_status status = count < 0 ? SB_ERR_MEMORY : SB_OK;
  for (int i = 0; i < count && t_end > t_start && status == SB_OK; i++) {
    status = warn_of(&model->network, &list[i], t_start, t_end, warnings);
  }
  sb_arena_finish(&memory);
  return status;
}
