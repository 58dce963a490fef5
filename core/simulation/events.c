// SPDX-License-Identifier: GPL-3.0-or-later
// Events. A guard fires when it falls through zero. The time is found by root finding on partial
// steps of the method itself, from the start of the step: x(t) is then as accurate as the step, of
// any order. The state just behind the root is kept, so that the new mode starts on its own side.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/model/constraints.h"
#include "core/simulation/simulation_private.h"

/** A guard that starts a mode at zero or below counts as armed after this time [s]; events that
 *  follow each other faster belong to one burst. */
static const double quiet = 1e-9;
/** Late in a run it is rounding that makes an instant, in units of the time's: then as many times more
 *  events may follow each other, since impacts that come to rest do as well. */
static const double instant = 64 * DBL_EPSILON;
enum { MORE_LATE = 16 };
/** A run that cannot go on after as many events at one instant has been stopped by them. */
enum { STOPPED_BY = 8 };
enum { ROOT_ITERATIONS_MAX = 200, MOVES_NAMED = 4 };
/** A state that an impulse changes by less than this part of it has not moved. */
static const double moved_tol = 1e-12;

sb_at sb_at_switching(const sb_simulation *sim, const sb_switching *switching, double t,
                      const double x[]) {
  const sb_instance *instance = &sim->network->instances[switching->instance];
  sb_at at = sb_at_instance(sim->work, instance, t, x);
  for (int k = 0; !instance->hooked && k < instance->components; k++) {
    sim->port_values[k] = sim->work->bond_values[sb_effort_var(instance, k)];
    sim->port_values[instance->components + k] =
        sim->work->bond_values[sb_flow_var(instance, k)] * instance->signs[k];
  }
  if (!instance->hooked) {
    at.in = sim->port_values;
  }
  return at;
}

static void trace_ports(const sb_simulation *sim, const double x[]) {
  if (sim->indicators_read_ports) {
    sb_trace(sim->work, x);
  }
}

static const sb_switching_hooks *hooks_of(const sb_simulation *sim, const sb_switching *switching) {
  return sim->network->instances[switching->instance].type->switching;
}

static sb_status read_indicators(sb_simulation *sim, sb_switching *switching, double t,
                                 const double x[], double g[], double gdot[], sb_error *err) {
  const sb_instance *instance = &sim->network->instances[switching->instance];
  sb_at at = sb_at_switching(sim, switching, t, x);
  switching->count = instance->type->switching->indicators == NULL
                         ? 0
                         : instance->type->switching->indicators(instance->self, &at, g, gdot);
  if (switching->count < 0) {
    switching->count = 0;
    return sb_fail(err, SB_ERR_CONTACT, "'%s' has no reliable closest points at t = %s s",
                   instance->id, sb_number_word(t).text);
  }
  return SB_OK;
}

sb_status sb_indicators_read(sb_simulation *sim, double t, const double x[], int end,
                             sb_error *err) {
  trace_ports(sim, x);
  for (int i = 0; i < sim->switching_count; i++) {
    sb_switching *switching = &sim->switchings[i];
    double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
    SB_TRY(read_indicators(sim, switching, t, x, g, gdot, err));
    for (int k = 0; k < switching->count; k++) {
      switching->indicators[k].g[end] = g[k];
      switching->indicators[k].gdot[end] = gdot[k];
      switching->indicators[k].armed = switching->indicators[k].armed || g[k] > 0;
    }
  }
  return SB_OK;
}

/** A guard or, for the search of its minimum, the negative of its derivative at time t. */
static sb_status value_at(sb_simulation *sim, int index, int indicator, bool slope, double t,
                          double *value, sb_error *err) {
  double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
  SB_TRY(sb_probe(sim, sim->locating, t, err));
  trace_ports(sim, sim->xp);
  SB_TRY(read_indicators(sim, &sim->switchings[index], t, sim->xp, g, gdot, err));
  *value = slope ? -gdot[indicator] : g[indicator];
  return SB_OK;
}

/** Where the value falls from positive at *a to zero or below at *b: the Illinois method, with
 *  bisection when it is slow. Ends with *b - *a below the tolerance; *b is behind the root. */
static sb_status find_root(sb_simulation *sim, int index, int indicator, bool slope, double *a,
                           double *b, double va, double vb, sb_error *err) {
  double tol = fmax(sim->options.event_tol, 4 * 2.2e-16 * fmax(fabs(*a), fabs(*b)));
  int last_side = 0;
  for (int i = 0; *b - *a > tol && i < ROOT_ITERATIONS_MAX; i++) {
    double width = *b - *a, t = *b - width * vb / (vb - va), v;
    if (i % 4 == 3 || va <= 0) {
      t = *a + 0.5 * width;
    }
    t = fmin(fmax(t, *a + 0.4 * tol), *b - 0.4 * tol);
    SB_TRY(value_at(sim, index, indicator, slope, t, &v, err));
    if (v > 0) {
      vb *= last_side == 1 ? 0.5 : 1;
      *a = t;
      va = v;
      last_side = 1;
    } else {
      va *= last_side == -1 ? 0.5 : 1;
      *b = t;
      vb = v;
      last_side = -1;
    }
  }
  return SB_OK;
}

/** Whether a guard that is positive at both ends may have been below zero in between: it falls at the
 *  start, rises at the end, and where the tangents of the ends meet, below a convex curve, it is not
 *  positive. */
static bool may_dip(const sb_indicator *g, double length) {
  double fall = g->gdot[0], rise = g->gdot[1];
  if (!(g->g[0] > 0 && g->g[1] > 0 && fall < 0 && rise > 0)) {
    return false;
  }
  double meet = (g->g[1] - g->g[0] - rise * length) / (fall - rise);
  return g->g[0] + fall * meet <= 0;
}

/** Whether the guard fired between a (the start of the step) and b, and then b close behind. */
static sb_status fired_before(sb_simulation *sim, int index, int indicator, double *b, bool *fired,
                              sb_error *err) {
  sb_switching *switching = &sim->switchings[index];
  sb_indicator *g = &switching->indicators[indicator];
  double a = sim->t0, end = g->g[1];
  *fired = false;
  bool dips = may_dip(g, sim->t - sim->t0);
  if (dips) { // it may have been below zero in between: look at its minimum
    double low = a, high = *b;
    SB_TRY(find_root(sim, index, indicator, true, &low, &high, -g->gdot[0], -g->gdot[1], err));
    SB_TRY(value_at(sim, index, indicator, false, high, &end, err));
    if (end < 0) {
      *b = high;
    }
  }
  bool armed = g->armed || sim->t - switching->since > quiet;
  if (end >= 0 || !armed) {
    return SB_OK;
  }
  *fired = true;
  return find_root(sim, index, indicator, false, &a, b, g->g[0], end, err);
}

sb_status sb_event_find(sb_simulation *sim, int *switching, int *indicator, sb_error *err) {
  double first = HUGE_VAL;
  *switching = -1;
  sim->probed = false;
  SB_TRY(sb_indicators_read(sim, sim->t, sim->x, 1, err));
  for (int i = 0; i < sim->switching_count; i++) {
    for (int k = 0; k < sim->switchings[i].count; k++) {
      double b = sim->t;
      bool fired;
      SB_TRY(fired_before(sim, i, k, &b, &fired, err));
      if (fired && b < first) {
        first = b;
        *switching = i;
        *indicator = k;
      }
    }
  }
  if (*switching < 0 && !sim->probed) {
    return SB_OK;
  }
  if (*switching >= 0 && first < sim->t) {
    SB_TRY(sb_probe(sim, sim->locating, first, err));
    memcpy(sim->x, sim->xp, (size_t)sb_vector_count(sim->network) * sizeof(double));
    sim->t = first;
  }
  return sb_evaluate(sim, sim->t, sim->x, err);
}

/** Storages that listen to the element take its event. */
static void reset_listeners(sb_simulation *sim, int index) {
  const sb_network *network = sim->network;
  const sb_instance *source = &network->instances[index];
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    if (instance->type->role != SB_STORAGE || instance->type->storage->reset == NULL) {
      continue;
    }
    for (int k = 0; k < instance->wire_count; k++) {
      int value = network->wires[instance->wire + k];
      if (value >= source->signal && value < source->signal + source->signal_count) {
        sb_at at = sb_at_instance(sim->work, instance, sim->t, sim->x);
        instance->type->storage->reset(instance->self, &at, sim->x + instance->state);
        break;
      }
    }
  }
}

/** Timed events of other constant structures at this instant happen with that of the first: between
 *  two switches that change over together there is no moment at which both are open.
 *  @param more  (SB_TOGETHER_MAX) out */
static sb_status fire_together(sb_simulation *sim, int index, sb_changed more[], int *count,
                               sb_error *err) {
  for (int i = 0; i < sim->switching_count && *count < SB_TOGETHER_MAX; i++) {
    const sb_switching *switching = &sim->switchings[i];
    const sb_instance *instance = &sim->network->instances[switching->instance];
    const sb_switching_hooks *hooks = instance->type->switching;
    if (i == index || instance->hooked || hooks->next_time == NULL) {
      continue;
    }
    sb_at at = sb_at_switching(sim, switching, sim->t, sim->x);
    if (hooks->next_time(instance->self, &at, sim->t) <= sim->t + 8 * DBL_EPSILON * fabs(sim->t)) {
      sb_transition next = {.mode = at.mode, .err = err};
      SB_TRY(hooks->fire(instance->self, &at, -1, sim->work->discrete + instance->discrete, &next));
      sim->work->modes[instance->mode] = next.mode;
      sb_workspace_changed(sim->work);
      more[(*count)++] = (sb_changed){i, next.kind};
    }
  }
  return SB_OK;
}

static void disarm(sb_simulation *sim, sb_switching *switching) {
  switching->since = sim->t;
  for (int k = 0; k < SB_INDICATORS_MAX; k++) {
    switching->indicators[k].armed = false;
  }
}

/** What switched with another element, or to let its current flow on. */
static sb_status book_more(sb_simulation *sim, const sb_changed more[], int count, sb_error *err) {
  for (int i = 0; i < count; i++) {
    sb_switching *switching = &sim->switchings[more[i].switching];
    disarm(sim, switching);
    SB_TRY(sb_audit_event(&sim->audit, sim->t, sim->x, more[i].kind, switching->instance, err));
  }
  return SB_OK;
}

/** Moves the state onto its constraints. @param violated  out: that which was most off, -1: none was */
static sb_status project(const sb_simulation *sim, double x[], int *violated, sb_error *err) {
  return sb_workspace_project(sim->work, sim->t, x, violated) == SB_OK
             ? SB_OK
             : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

/** What the new mode of a structure ties together meets by impulses; with restitution it is thrown back,
 *  x+ = x- + (1 + e)(xp - x-) for the plastic xp, and the structure lets go at once. Other ties
 *  hold for both x- and xp, and so for x+. */
static sb_status strike(sb_simulation *sim, int index, const sb_transition *next, sb_error *err) {
  int violated, n = sb_vector_count(sim->network); // what sources give at it, too
  memcpy(sim->xp, sim->x, (size_t)n * sizeof *sim->x);
  SB_TRY(project(sim, sim->x, &violated, err));
  if (violated >= 0 && next->restitution > 0) {
    for (int i = 0; i < n; i++) {
      sim->x[i] += next->restitution * (sim->x[i] - sim->xp[i]);
    }
    int none = 0;
    sb_audit_strike(&sim->audit, next->restitution);
    sim->work->modes[sim->network->instances[sim->switchings[index].instance].mode] = next->rebound;
    SB_TRY(sb_commutate(sim, index, NULL, &none, err));
  }
  return sb_evaluate(sim, sim->t, sim->x, err);
}

static sb_status fire_one(sb_simulation *sim, int index, int indicator, sb_error *err) {
  sb_switching *switching = &sim->switchings[index];
  const sb_instance *instance = &sim->network->instances[switching->instance];
  sb_at at = sb_at_switching(sim, switching, sim->t, sim->x);
  sb_transition next = {.mode = at.mode, .err = err};
  sb_audit_before(&sim->audit, sim->t, sim->x);
  SB_TRY(instance->type->switching->fire(instance->self, &at, indicator,
                                         sim->work->discrete + instance->discrete, &next));
  bool changed = next.mode != at.mode;
  sb_changed more[SB_TOGETHER_MAX + SB_COMMUTATION_MAX];
  int count = 0;
  sim->work->modes[instance->mode] = next.mode;
  sb_workspace_changed(sim->work);
  if (changed && !instance->hooked) {
    if (indicator < 0) {
      SB_TRY(fire_together(sim, index, more, &count, err));
    }
    SB_TRY(sb_commutate(sim, index, more, &count, err));
  }
  reset_listeners(sim, switching->instance);
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  if (changed && !instance->hooked) {
    SB_TRY(strike(sim, index, &next, err));
  }
  disarm(sim, switching);
  sim->restart = true;
  SB_TRY(sb_audit_event(&sim->audit, sim->t, sim->x, next.kind, switching->instance, err));
  return book_more(sim, more, count, err);
}

/** A guard that is at or below zero and, of the element that just had an event, falling. */
static bool fires_now(const sb_simulation *sim, int index, int indicator, bool just) {
  const sb_indicator *g = &sim->switchings[index].indicators[indicator];
  (void)sim;
  return g->g[0] < 0 && (just ? g->gdot[0] < 0 : g->armed);
}

/** "A.q is 3 C and would be 1 C", for every state that would move. */
static void list_moves(const sb_simulation *sim, const double after[], char text[], size_t size) {
  const sb_network *network = sim->network;
  int listed = 0;
  for (int i = 0; i < network->state_count; i++) {
    double have = sim->x[i], want = after[i];
    if (fabs(want - have) <= moved_tol * (fabs(have) + fabs(want))) {
      continue;
    }
    char name[300];
    sb_quantity quantity = {0};
    sb_error err;
    (void)sb_network_find(network, sb_network_state_name(network, i, name), &quantity, &err);
    const char *gap = quantity.unit[0] == '\0' ? "" : " ";
    size_t used = strlen(text);
    if (listed++ == MOVES_NAMED) {
      (void)snprintf(text + used, size - used, ", and others");
      return;
    }
    (void)snprintf(text + used, size - used, "%s%.80s is %s%s%s and would be %s%s%s",
                   listed > 1 ? ", " : "", name, sb_number_word(have).text, gap, quantity.unit,
                   sb_number_word(want).text, gap, quantity.unit);
  }
}

sb_status sb_event_refuse(sb_simulation *sim, sb_error *err) {
  int violated;
  memcpy(sim->xp, sim->x, (size_t)sb_vector_count(sim->network) * sizeof *sim->x);
  if (sb_workspace_project(sim->work, sim->t, sim->xp, &violated) != SB_OK) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  if (violated < 0) {
    return SB_OK;
  }
  char text[400] = "";
  double loss = 0;
  list_moves(sim, sim->xp, text, sizeof text);
  for (int i = 0; i < sim->network->instance_count; i++) {
    loss += sb_instance_energy(sim->work, i, sim->t, sim->x) -
            sb_instance_energy(sim->work, i, sim->t, sim->xp);
  }
  for (int i = sim->network->state_count; i < sb_vector_count(sim->network); i++) {
    loss += sim->xp[i] - sim->x[i]; // what sources would give
  }
  sb_status status =
      sb_fail(err, SB_ERR_RANGE, "the initial values contradict each other: %s", text);
  sb_error_hint(err,
                "start with these, or let them meet by inconsistent=\"jump\", which loses %s J",
                sb_number_word(loss).text);
  int state = sim->work->program->causality.constraints[violated].dependent;
  if (err != NULL) {
    sb_place_into(&sim->network->instances[sb_owner_of(sim->network, state)].place, err);
  }
  return status;
}

sb_status sb_event_project(sb_simulation *sim, sb_error *err) {
  sb_changed more[SB_COMMUTATION_MAX];
  int violated, count = 0;
  memcpy(sim->xp, sim->x, (size_t)sb_vector_count(sim->network) * sizeof *sim->x);
  SB_TRY(project(sim, sim->xp, &violated, err));
  if (violated < 0) {
    return SB_OK;
  }
  sim->restart = true;
  sb_audit_before(&sim->audit, sim->t, sim->x);
  SB_TRY(sb_commutate(sim, -1, more, &count, err));
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  if (count > 0) {
    return book_more(sim, more, count, err);
  }
  SB_TRY(project(sim, sim->x, &violated, err));
  if (violated < 0) {
    return SB_OK;
  }
  SB_TRY(sb_evaluate(sim, sim->t, sim->x, err));
  const sb_constraint *constraint = &sim->work->program->causality.constraints[violated];
  return sb_audit_event(&sim->audit, sim->t, sim->x, "impact",
                        sb_owner_of(sim->network, constraint->dependent), err);
}

static sb_status word_chatter(const sb_simulation *sim, int instance, sb_error *err) {
  (void)sb_fail(err, SB_ERR_CHATTER, "'%s' switches without end at t = %s s",
                sim->network->instances[instance].id, sb_number_word(sim->t).text);
  sb_error_hint(err,
                "what closes it must not open it at once: add hysteresis, a gap between the two, "
                "as in closes=\"4[V] - u\" opens=\"u - 5[V]\"");
  return SB_ERR_CHATTER;
}

/** How far apart events of one burst may be [s]. */
static double burst_gap(const sb_simulation *sim) {
  return fmax(quiet, instant * fabs(sim->t));
}

sb_status sb_event_blame(const sb_simulation *sim, sb_status status, sb_error *err) {
  bool stopped = sim->burst >= STOPPED_BY && sim->t - sim->burst_t <= burst_gap(sim);
  return status == SB_ERR_SOLVER && stopped ? word_chatter(sim, sim->burst_instance, err) : status;
}

sb_status sb_event_fire(sb_simulation *sim, int index, int indicator, sb_error *err) {
  double gap = burst_gap(sim);
  int most = sim->options.max_events_at_once * (gap > quiet ? MORE_LATE : 1);
  if (sim->t - sim->burst_t > gap) {
    sim->burst = 0;
  }
  sim->burst_t = sim->t;
  while (index >= 0) {
    sim->burst_instance = sim->switchings[index].instance;
    if (++sim->burst > most) {
      return word_chatter(sim, sim->burst_instance, err);
    }
    int fired = index;
    SB_TRY(fire_one(sim, index, indicator, err));
    SB_TRY(sb_indicators_read(sim, sim->t, sim->x, 0, err));
    index = -1;
    for (int i = 0; i < sim->switching_count && index < 0; i++) {
      for (int k = 0; k < sim->switchings[i].count && index < 0; k++) {
        if (fires_now(sim, i, k, i == fired)) {
          index = i;
          indicator = k;
        }
      }
    }
  }
  return SB_OK;
}

double sb_event_horizon(sb_simulation *sim) {
  double horizon = HUGE_VAL;
  for (int i = 0; i < sim->switching_count; i++) {
    const sb_switching_hooks *hooks = hooks_of(sim, &sim->switchings[i]);
    if (hooks->horizon != NULL) {
      sb_at at = sb_at_switching(sim, &sim->switchings[i], sim->t, sim->x);
      horizon = fmin(
          horizon, hooks->horizon(sim->network->instances[sim->switchings[i].instance].self, &at));
    }
  }
  return horizon;
}

double sb_event_next_time(const sb_simulation *sim, int *switching) {
  double next = HUGE_VAL;
  *switching = -1;
  for (int i = 0; i < sim->switching_count; i++) {
    const sb_switching_hooks *hooks = hooks_of(sim, &sim->switchings[i]);
    if (hooks->next_time != NULL) {
      sb_at at = sb_at_switching(sim, &sim->switchings[i], sim->t, sim->x);
      double t =
          hooks->next_time(sim->network->instances[sim->switchings[i].instance].self, &at, sim->t);
      if (t < next) {
        next = t;
        *switching = i;
      }
    }
  }
  return next;
}

void sb_event_accept(sb_simulation *sim) {
  trace_ports(sim, sim->x);
  for (int i = 0; i < sim->switching_count; i++) {
    const sb_instance *instance = &sim->network->instances[sim->switchings[i].instance];
    if (instance->type->switching->accept != NULL) {
      sb_at at = sb_at_switching(sim, &sim->switchings[i], sim->t, sim->x);
      instance->type->switching->accept(instance->self, &at,
                                        sim->work->discrete + instance->discrete);
    }
  }
}

sb_status sb_event_settle(sb_simulation *sim, bool hooked, sb_error *err) {
  SB_TRY(sb_indicators_read(sim, sim->t, sim->x, 0, err));
  for (int i = 0; i < sim->switching_count; i++) {
    if (sim->network->instances[sim->switchings[i].instance].hooked != hooked) {
      continue;
    }
    for (int k = 0; k < sim->switchings[i].count; k++) {
      const sb_indicator *indicator = &sim->switchings[i].indicators[k];
      if (indicator->g[0] < 0 || (indicator->g[0] == 0 && indicator->gdot[0] <= 0)) {
        SB_TRY(sb_event_fire(sim, i, k, err));
        break;
      }
    }
  }
  return SB_OK;
}
