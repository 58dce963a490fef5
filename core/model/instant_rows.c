// SPDX-License-Identifier: GPL-3.0-or-later
// The linear equations of an implicit Euler step: those of the network, x+ = x + h f of linear storages, y = y(x) + h K f of others
// with the Hessian K of their energy, and the laws of all other elements at its end by their slopes there. Where one element takes over from
// another at an event, forces are zero, and what they become is decided by their rates alone: sources have to be those at t + h.
#include "core/model/instant_rows_private.h"

#include <math.h>
#include <string.h>

#include "core/model/rhs.h"
#include "core/network/roles.h"

/** The step as a fraction of the shortest time constant that two elements may have: far below one, and far above the rounding of what
 *  the constraints of storages leave of equal efforts. */
static const double fraction = 1e-6;
/** Steps of differences, relative to the inputs. */
static const double difference = 1e-6;

/** What a storage or dissipation has on the diagonal of its matrix; 0: it has none. */
static double slope_of(const sb_instant *s, const sb_instance *instance, int k) {
  double K[SB_HESSIAN_MAX * SB_HESSIAN_MAX];
  if (instance->linear && instance->inverse == NULL) {
    return fabs(instance->matrix[k * instance->components + k]);
  }
  if (sb_instance_has_hessian(instance)) {
    const sb_at at = sb_at_instance(s->work, instance, s->t, s->x);
    return instance->type->storage->constraints.hessian(instance->self, &at, K) == 0
               ? fabs(K[k * instance->components + k])
               : 0;
  }
  return 0;
}

/** A component of a storage or dissipation with what is on the diagonal of its matrix. */
typedef struct diagonal {
  const sb_instance *instance;
  const sb_port *port;
  double value;
} diagonal;

/** The time constant of a storage with another element, sqrt(L C), R C or L/R [s]; HUGE_VAL: they have none. */
static double time_of(const diagonal *a, const diagonal *b) {
  const bool effort = a->port->output == SB_EFFORT;
  if (a->port->domain != b->port->domain || a->instance->type->storage == NULL) {
    return HUGE_VAL;
  }
  if (b->instance->type->storage != NULL) {
    return effort != (b->port->output == SB_EFFORT) ? 1 / sqrt(a->value * b->value) : HUGE_VAL;
  }
  return effort ? b->value / a->value : 1 / (a->value * b->value);
}

static sb_status find_step(sb_instant *s) {
  const sb_network *network = s->work->network;
  diagonal *slopes = NULL;
  int count = 0, capacity = 0;
  double least = HUGE_VAL;
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    for (int k = 0; network->part_of[i] == s->part && k < instance->components; k++) {
      const diagonal own = {instance, &instance->layout.ports[sb_port_of(instance, k)],
                            slope_of(s, instance, k)};
      if (own.value > 0 &&
          !sb_arena_append(&s->memory, &slopes, &count, &capacity, sizeof own, &own)) {
        return SB_ERR_MEMORY;
      }
    }
  }
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < count; j++) {
      least = fmin(least, time_of(&slopes[i], &slopes[j]));
    }
  }
  s->h = isfinite(least) && least > 0 ? fraction * least : fraction;
  return SB_OK;
}

static void add_input(sb_instant *s, const sb_instance *instance, int k, bool flow, double factor) {
  if (factor == 0) {
    return;
  }
  sb_equations_term(&s->eq, flow ? sb_flow_var(instance, k) : sb_effort_var(instance, k),
                    flow ? factor * instance->signs[k] : factor);
}

/** x+ = x + h u. */
static void add_linear_storage(sb_instant *s, int i) {
  const sb_instance *instance = &s->work->network->instances[i];
  for (int k = 0; k < instance->components; k++) {
    if (!sb_instance_depends(instance, k)) {
      sb_equations_row(&s->eq, i, true);
      sb_equations_term(&s->eq, sb_state_var(s->work->network, instance->state + k), 1);
      sb_equations_term(&s->eq, s->one, -s->x[instance->state + k]);
      add_input(s, instance, k, instance->layout.ports[sb_port_of(instance, k)].output == SB_EFFORT,
                -s->h);
    }
  }
}

/** y = y(x) + h (a + K u) of what accelerates: K what impulses at its ports make of the output, a the rate that it has without inputs. */
static sb_status add_accelerating(sb_instant *s, int i) {
  const sb_instance *instance = &s->work->network->instances[i];
  const sb_storage_hooks *hooks = instance->type->storage;
  const sb_storage_acceleration *acceleration = hooks->constraints.acceleration;
  const int n = instance->components;
  double *unit = sb_arena_zeroed(&s->memory, n * (n + 3), sizeof *unit);
  if (unit == NULL) {
    return SB_ERR_MEMORY;
  }
  double *y = unit + n, *rate = y + n, *K = rate + n; // column by column
  sb_at at = sb_at_instance(s->work, instance, s->t, s->x);
  at.point = 0;
  at.in = unit;
  if (acceleration->rate(instance->self, &at, rate) != 0 ||
      hooks->output(instance->self, &at, y) != 0) {
    return SB_ERR_LIMIT;
  }
  for (int j = 0; j < n; j++) {
    unit[j] = 1;
    if (acceleration->impulse(instance->self, &at, unit, NULL, NULL, K + j * n) != 0) {
      return SB_ERR_LIMIT;
    }
    unit[j] = 0;
  }
  for (int k = 0; k < n; k++) {
    sb_equations_row(&s->eq, i, true);
    sb_equations_term(&s->eq, sb_value_var(s->work->network, instance->out + k), 1);
    sb_equations_term(&s->eq, s->one, -y[k] - s->h * rate[k]);
    for (int j = 0; j < n; j++) {
      add_input(s, instance, j, instance->layout.ports[sb_port_of(instance, j)].output == SB_EFFORT,
                -s->h * K[j * n + k]);
    }
  }
  return SB_OK;
}

/** y = y(x) + h K u; without a Hessian no impulse moves it. */
static sb_status add_storage(sb_instant *s, int i) {
  const sb_instance *instance = &s->work->network->instances[i];
  const int n = instance->components, outputs = sb_instance_output_count(instance);
  const bool hessian = sb_instance_has_hessian(instance);
  double K[SB_HESSIAN_MAX * SB_HESSIAN_MAX], y[SB_DIM_MAX];
  sb_at at = sb_at_instance(s->work, instance, s->t, s->x);
  at.point = 0; // that of its end
  if (sb_instance_accelerates(instance)) {
    return add_accelerating(s, i);
  }
  if (outputs > SB_DIM_MAX || sb_instance_output(instance, &at, y) != 0 ||
      (hessian && instance->type->storage->constraints.hessian(instance->self, &at, K) != 0)) {
    return SB_ERR_LIMIT;
  }
  for (int k = 0; k < n; k++) {
    sb_equations_row(&s->eq, i, true);
    sb_equations_term(&s->eq, sb_value_var(s->work->network, instance->out + k), 1);
    sb_equations_term(&s->eq, s->one, -y[k]);
    for (int j = 0; hessian && j < n; j++) {
      add_input(s, instance, j, instance->layout.ports[sb_port_of(instance, j)].output == SB_EFFORT,
                -s->h * K[k * n + j]);
    }
  }
  return SB_OK;
}

/** The variable that a law is asked by, whatever the causality of the present modes. */
static sb_variable preferred_input(const sb_instance *instance) {
  return sb_natural_output(instance, 0) == SB_EFFORT ? SB_FLOW : SB_EFFORT;
}

static bool reads_flow(const sb_instant *s, int i, int k) {
  const sb_instance *instance = &s->work->network->instances[i];
  const sb_variable output = instance->layout.ports[sb_port_of(instance, k)].output;
  return instance->type->dissipation == NULL
             ? sb_reads_flow(s->work->network, &s->work->program->causality, i, k)
             : sb_output_variable(output, preferred_input(instance)) == SB_EFFORT;
}

/** y(u) of an element with hooks. */
static bool ask(const sb_instant *s, int i, const double in[], double y[]) {
  const sb_instance *instance = &s->work->network->instances[i];
  sb_at at = sb_at_instance(s->work, instance, s->end, s->x_end);
  at.in = in;
  at.point = 0;
  return sb_instance_output(instance, &at, y) == 0;
}

/** Whether dry friction that an impulse has released is at rest but for what a step of differences tells: it has no side yet, and bears nothing of
 *  the impulse that will tell it. */
static bool has_no_side(const sb_instant *s, const sb_instance *instance, double in) {
  return !s->of_laws && sb_instance_jumps(instance) && !sb_instance_sticks(instance, s->modes) &&
         !sb_instance_slips(instance, s->modes) && fabs(in) <= difference;
}

/** y = y(u0) + dy/du (u - u0) of what is asked by its hooks, where u0 is what its bonds have by the rates so far; of what sticks the network
 *  determines the first. A modulated structure is linear in its inputs: from zero by one the differences are its ratios, exactly. */
static sb_status add_law(sb_instant *s, int i) {
  const sb_instance *instance = &s->work->network->instances[i];
  const bool linear = instance->type->structure != NULL;
  const int n = instance->components;
  double in[SB_DIM_MAX], y[SB_DIM_MAX], moved[SB_DIM_MAX];
  for (int k = 0; k < n; k++) {
    in[k] = linear                ? 0
            : reads_flow(s, i, k) ? s->near[sb_flow_var(instance, k)] * instance->signs[k]
                                  : s->near[sb_effort_var(instance, k)];
  }
  if (sb_instance_output_count(instance) > SB_DIM_MAX || !ask(s, i, in, y)) {
    return SB_ERR_LIMIT;
  }
  const bool idle = has_no_side(s, instance, in[0]);
  const bool given =
      sb_instance_sticks(instance, s->modes) && !sb_instance_sticks_apart(instance, s->modes);
  for (int k = given; k < n; k++) {
    double rest = idle ? 0 : y[k];
    sb_equations_row(&s->eq, i, true);
    if (idle && !sb_reads_flow(s->work->network, &s->work->program->causality, i, k)) {
      add_input(s, instance, k, true,
                1); // it rests: a storage gives its effort, which no impulse changes
      continue;
    }
    sb_equations_term(&s->eq, sb_value_var(s->work->network, instance->out + k), 1);
    for (int j = 0; j < n && !idle; j++) {
      const double before = in[j], step = linear ? 1 : difference * fmax(fabs(before), 1);
      in[j] = before + step;
      const bool known = ask(s, i, in, moved);
      in[j] = before;
      if (!known) {
        return SB_ERR_LIMIT;
      }
      const double slope = (moved[k] - y[k]) / step;
      rest -= slope * before;
      add_input(s, instance, j, reads_flow(s, i, j), -slope);
    }
    sb_equations_term(&s->eq, s->one, -rest);
  }
  return SB_OK;
}

/** Whether the rows of an instance are those of a pair. */
static bool is_pair(const sb_instant *s, int i) {
  const sb_instance *instance = &s->work->network->instances[i];
  sb_complementary kind;
  return s->of_laws ? sb_instance_jumps(instance) && (s->chosen == NULL || s->chosen[i])
                    : sb_instance_is_complementary(instance, s->modes, &kind);
}

/** What is not a row of the network's. */
static sb_status add_instance(sb_instant *s, int i) {
  const sb_instance *instance = &s->work->network->instances[i];
  const sb_switching_hooks *switching = instance->mode < 0 ? NULL : instance->type->switching;
  if (switching != NULL && switching->unilateral != NULL &&
      s->modes[instance->mode] != SB_APART) { // its conditions are those of simulation/impacts.c
    return SB_ERR_LIMIT;
  }
  if (instance->linear) {
    if (instance->type->storage != NULL) {
      add_linear_storage(s, i);
    }
    return SB_OK;
  }
  return !instance->hooked || (s->of_laws && is_pair(s, i)) ? SB_OK
         : instance->type->storage != NULL                  ? add_storage(s, i)
                                                            : add_law(s, i);
}

/** Those rows of an indifferent causality that are used. */
static void choose_rows(sb_instant *s, int i) {
  const sb_instance *instance = &s->work->network->instances[i];
  const sb_variable input = instance->type->dissipation != NULL
                                ? preferred_input(instance)
                                : s->work->program->causality.assigned[i];
  for (int k = 0; s->eq.choice[i] >= 0 && k < s->eq.free_rows[i]; k++) {
    s->eq.active[s->eq.choice[i] + k + (input == SB_FLOW ? 0 : s->eq.free_rows[i])] = 1;
  }
}

/** Leaves the rows of the part that are used, without those of the pairs. */
static void leave_rows(sb_instant *s) {
  sb_equations *eq = &s->eq;
  int kept = 0, terms = 0;
  for (int r = 0, next = 0; r < eq->row_count; r++) {
    const int owner = eq->owner[r], first = next;
    const bool stays =
        eq->active[r] && s->work->network->part_of[owner] == s->part && !is_pair(s, owner);
    next = eq->first[r + 1];
    for (int i = first; i < next && stays; i++) {
      eq->terms[terms++] = eq->terms[i];
    }
    eq->owner[kept] = owner;
    kept += stays;
    eq->first[kept] = terms;
  }
  eq->row_count = kept;
  eq->term_count = terms;
}

static int number_of(sb_instant *s, int var, int column) {
  if (s->number[var] == 0) {
    s->number[var] = ++s->vars;
    s->column_of[s->vars - 1] = column;
    s->late[s->vars - 1] = column >= 0;
  }
  return s->number[var] - 1;
}

/** The inputs of a law that is not linear. */
static void number_inputs(sb_instant *s, int i) {
  const sb_instance *instance = &s->work->network->instances[i];
  for (int k = 0; k < instance->components && instance->hooked && !is_pair(s, i) &&
                  instance->type->dissipation != NULL && s->work->network->part_of[i] == s->part;
       k++) {
    const int var = reads_flow(s, i, k) ? sb_flow_var(instance, k) : sb_effort_var(instance, k);
    if (s->number[var] == 0) {
      s->var_of[s->columns] = var;
      (void)number_of(s, var, s->columns++);
    }
  }
}

/** Numbers what occurs: what the problem is about, and the rest. */
static sb_status number(sb_instant *s) {
  s->number = sb_arena_zeroed(&s->memory, s->one + 1, sizeof *s->number);
  s->column_of = sb_arena_zeroed(&s->memory, s->one + 1, sizeof *s->column_of);
  s->late = sb_arena_zeroed(&s->memory, s->one + 1, sizeof *s->late);
  s->var_of = sb_arena_zeroed(&s->memory, s->one + 1, sizeof *s->var_of);
  if (s->memory.failed) {
    return SB_ERR_MEMORY;
  }
  for (int k = 0; k < s->count; k++) {
    (void)number_of(s, sb_effort_var(s->pairs[k].instance, 0), k);
    (void)number_of(s, sb_flow_var(s->pairs[k].instance, 0), s->count + k);
  }
  (void)number_of(s, s->one, 2 * s->count);
  s->columns = 2 * s->count + 1;
  for (int i = 0; i < s->work->network->instance_count && s->of_laws; i++) {
    number_inputs(s, i);
  }
  for (int i = 0; i < s->eq.term_count; i++) {
    s->eq.terms[i].var = number_of(s, s->eq.terms[i].var, -1);
  }
  return SB_OK;
}

static sb_status list_pairs(sb_instant *s) {
  const sb_network *network = s->work->network;
  sb_complementary kind = {0};
  s->pairs = sb_arena_zeroed(&s->memory, network->instance_count, sizeof *s->pairs);
  for (int i = 0; s->pairs != NULL && i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    if (network->part_of[i] == s->part && is_pair(s, i)) {
      const bool held = !s->of_laws && sb_instance_is_complementary(instance, s->modes, &kind) &&
                        s->work->modes[instance->mode] == kind.held;
      s->pairs[s->count++] = (sb_pair){instance, kind, held};
    }
  }
  return s->pairs == NULL ? SB_ERR_MEMORY : SB_OK;
}

/** Brings the workspace to the end of the step. Ratios that follow signals have one value there, and give a linear relation as constant
 *  ones do. */
static sb_status go_to_end(sb_instant *s) {
  sb_instant_end end;
  double *x_end = sb_arena_zeroed(&s->memory, sb_vector_count(s->work->network), sizeof *x_end);
  if (x_end == NULL) {
    return SB_ERR_MEMORY;
  }
  sb_instant_go(s->work, s->t, s->h, s->x, x_end, &end);
  s->end = end.t;
  s->x_end = end.x;
  return SB_OK;
}

void sb_instant_go(sb_workspace *work, double t, double h, const double x[], double x_end[],
                   sb_instant_end *end) {
  *end = (sb_instant_end){t, x};
  if (sb_workspace_evaluate(work, t, x) != 0) {
    return;
  }
  memcpy(x_end, x, (size_t)sb_vector_count(work->network) * sizeof *x_end);
  for (int i = 0; i < work->network->state_count; i++) {
    x_end[i] += h * work->evaluation.xdot[i];
  }
  if (sb_workspace_evaluate(work, t + h, x_end) == 0) {
    sb_trace(work, x_end);
    *end = (sb_instant_end){t + h, x_end};
  }
}

static sb_status build(sb_instant *s) {
  const sb_network *network = s->work->network;
  s->one = sb_value_var(network, network->value_count);
  SB_TRY(list_pairs(s));
  SB_TRY(sb_equations_build(network, s->modes, &s->eq));
  SB_TRY(s->h > 0 ? SB_OK : find_step(s));
  SB_TRY(s->of_laws ? SB_OK : go_to_end(s));
  s->h = s->frozen ? 0 : s->h;
  for (int i = 0; i < network->instance_count; i++) {
    if (network->part_of[i] == s->part) {
      choose_rows(s, i);
      SB_TRY(add_instance(s, i));
    }
  }
  if (s->eq.memory.failed) {
    return SB_ERR_MEMORY;
  }
  leave_rows(s);
  return number(s);
}

sb_status sb_instant_build(sb_instant *s, sb_workspace *work, int part, double t, const double x[],
                           const int modes[]) {
  *s = (sb_instant){.work = work,
                    .part = part,
                    .t = t,
                    .end = t,
                    .x = x,
                    .x_end = x,
                    .modes = modes,
                    .near = work->bond_values};
  const sb_status status = build(s);
  if (sb_workspace_evaluate(work, t, x) == 0) {
    sb_trace(work, x);
  }
  return status;
}

sb_status sb_instant_build_laws(sb_instant *s, sb_workspace *work, int part, double t, double h,
                                const double x[], const sb_instant_end *end, const int modes[],
                                const bool chosen[], const double near[]) {
  *s = (sb_instant){.work = work,
                    .part = part,
                    .t = t,
                    .h = h,
                    .end = end->t,
                    .x = x,
                    .x_end = end->x,
                    .modes = modes,
                    .of_laws = true,
                    .chosen = chosen,
                    .frozen = chosen == NULL,
                    .near = near};
  return build(s);
}

void sb_instant_finish(sb_instant *s) {
  sb_equations_finish(&s->eq);
  sb_arena_finish(&s->memory);
}
