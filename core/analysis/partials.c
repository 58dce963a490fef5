// SPDX-License-Identifier: GPL-3.0-or-later
// What a hook computes, by differences with respect to all that it sees: port inputs, own states, signals
// and the element's own signals. Those of a storage follow from its states by output(), which runs before its other hooks:
// they may be many, and of no meaning to others.
#include "core/analysis/partials_private.h"

#include <float.h>
#include <math.h>

#include "core/analysis/differences_private.h"
#include "core/linalg/numbers.h"
#include "core/program/operation.h"

enum { POSE = 12 }; // numbers of a frame's pose
/** Relative difference of two derivatives for rounding. */
static const double same = 8 * DBL_EPSILON;

/** One number that a hook sees. */
typedef struct argument {
  double *place;
  int var;
} argument;

/** A hook at the operating point: an operation, or a quantity that is read. An operation computes numbers
 *  for port components, then for states, then for own signals. */
typedef struct hook {
  sb_operating_point *p;
  const sb_instance *instance;
  const sb_operation *operation; // NULL: a quantity
  const sb_quantity *quantity;
  argument *arguments;
  int count;
  double *
      output; // (components) of a storage, for what follows its output(); NULL: nothing runs before
} hook;

/** Brings the own signals of a storage to its states. */
static int run_first(const hook *h, const sb_at *at) {
  return h->output == NULL ? 0
                           : h->instance->type->storage->output(h->instance->self, at, h->output);
}

/** The kind's own quantity, or one of its numbers. */
static void measure(const hook *h, const sb_at *at, double out[]) {
  const sb_quantity *q = h->quantity;
  const sb_measures *measures = &h->instance->type->measures;
  double all[SB_QUANTITY_COMPONENTS_MAX], *to = q->only > 0 ? all : out;
  measures->measure(h->instance->self, at, q->first, to);
  if (q->axes > 0) {
    (void)measures->turn(h->instance->self, q->first, h->p->work->values + q->axes - 1, to);
  }
  out[0] = to[q->only > 0 ? q->only - 1 : 0];
}

static bool evaluate(void *context, double out[]) {
  hook *h = context;
  sb_workspace *work = h->p->work;
  const sb_instance *instance = h->instance;
  int size = 0, status = 0;
  sb_at at = sb_at_instance(work, instance, h->p->t, h->p->x);
  if (run_first(h, &at) != 0) {
    return false;
  }
  if (h->operation != NULL) {
    double *own = out + instance->components + instance->layout.states;
    at.own = h->operation->gives_signals ? own : at.own;
    size = instance->components + instance->layout.states + instance->signal_count;
    status = h->operation->hook(instance, &at,
                                h->operation->gives_xdot ? out + instance->components
                                : h->operation->gives == SB_COMPONENTS_NONE ? own
                                                                            : out);
  } else if (h->quantity->kind == SB_QUANTITY_ENERGY) {
    size = 1;
    out[0] = sb_instance_energy(work, h->quantity->element, h->p->t, h->p->x);
  } else {
    size = h->quantity->count;
    measure(h, &at, out);
  }
  return status == 0 && sb_all_finite(out, size);
}

static void see(hook *h, double *place, int var) {
  h->arguments[h->count++] = (argument){place, var};
}

/** Numbers of a signal input; inputs are counted without outputs, and the last may be of any number. */
static int signal_size(const sb_element_type *type, int input) {
  const sb_signal_spec *signal = type->signals;
  for (; !signal->input || (input > 0 && !signal->many); signal++) {
    input -= signal->input;
  }
  return signal->count;
}

/** Lists what the hook sees. */
static bool list_arguments(hook *h, const sb_components reads, int wires, bool own,
                           sb_arena *memory) {
  const sb_network *network = &h->p->network;
  const sb_instance *instance = h->instance;
  if (own && instance->type->storage != NULL && instance->type->storage->output != NULL) {
    h->output = sb_arena_zeroed(memory, instance->components, sizeof *h->output);
    own = false;
  }
  double *values = h->p->work->values;
  int room = instance->components + instance->layout.states + instance->signal_count + POSE;
  for (int w = 0; w < wires; w++) {
    room += signal_size(instance->type, w);
  }
  h->arguments = sb_arena_zeroed(memory, room, sizeof *h->arguments);
  for (int k = 0; !memory->failed && k < instance->layout.states; k++) {
    see(h, &h->p->x[instance->state + k], sb_state_var(network, instance->state + k));
  }
  for (int k = 0; !memory->failed && instance->hooked && k < instance->components; k++) {
    if (sb_components_hold(reads, instance, k)) {
      see(h, &values[instance->in + k], sb_value_var(network, instance->in + k));
    }
  }
  for (int w = 0; !memory->failed && w < wires; w++) {
    int first = network->wires[instance->wire + w];
    for (int k = 0; k < signal_size(instance->type, w); k++) {
      see(h, &values[first + k], sb_value_var(network, first + k));
    }
  }
  for (int k = 0; !memory->failed && own && k < instance->signal_count; k++) {
    see(h, &values[instance->signal + k], sb_value_var(network, instance->signal + k));
  }
  const int axes = h->quantity == NULL ? 0 : h->quantity->axes; // of another element
  const bool other = axes > 0 && (axes - 1 < instance->signal ||
                                  axes - 1 >= instance->signal + instance->signal_count);
  for (int k = 0; !memory->failed && other && k < POSE; k++) {
    see(h, &values[axes - 1 + k], sb_value_var(network, axes - 1 + k));
  }
  return !memory->failed;
}

static sb_status fail(const hook *h, sb_status status, sb_error *err) {
  (void)sb_fail(err, status,
                status == SB_ERR_MEMORY ? "out of memory"
                                        : "'%s' gives no finite number near the operating point",
                h->instance->id);
  if (status != SB_ERR_MEMORY) {
    sb_place_into(&h->instance->place, err);
  }
  return status;
}

/** The derivatives of all that the hook computes: a row for each number, a column for each argument.
 *  @param affine  becomes false where they are known to differences only: expressions of signals are moved far, places of
 *                 bodies and contacts must not be */
static sb_status differentiate(hook *h, int rows, double table[], bool *affine, sb_arena *memory,
                               sb_error *err) {
  const sb_element_type *type = h->instance->type;
  const bool flat = h->operation != NULL
                        ? type->signal != NULL || type->source != NULL
                        : type->signal != NULL; // a signal that is read or an output
  sb_differences d = {.evaluate = evaluate, .context = h, .rows = rows};
  if (!sb_differences_init(&d, memory)) {
    return fail(h, SB_ERR_MEMORY, err);
  }
  for (int j = 0; j < h->count; j++) {
    if (!sb_differences_take(&d, h->arguments[j].place)) {
      return fail(h, SB_ERR_NOT_FINITE, err);
    }
    *affine = flat && sb_differences_affine(&d, h->arguments[j].place) && *affine;
    for (int i = 0; i < rows; i++) {
      table[i * h->count + j] = d.column[i];
    }
  }
  const sb_at at = sb_at_instance(h->p->work, h->instance, h->p->t, h->p->x);
  return run_first(h, &at) == 0 ? SB_OK : fail(h, SB_ERR_NOT_FINITE, err);
}

static bool is_of_axes(const sb_quantity *q, int value) {
  return q->axes > 0 && value >= q->axes - 1 && value < q->axes - 1 + POSE;
}

/** Whether a signal input, or a quantity in the axes of a frame, has this value, counted among those of all elements. */
static bool is_wired(const sb_operating_point *p, int value) {
  const sb_network *network = &p->network;
  for (int i = 0; i < network->sensor_count; i++) {
    if (sb_sensor_measures(&network->sensors[i]) &&
        is_of_axes(&network->sensors[i].quantity, value)) {
      return true;
    }
  }
  for (int i = 0; i < p->output_count; i++) {
    if (is_of_axes(&p->outputs[i], value)) {
      return true;
    }
  }
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    for (int w = 0; w < instance->wire_count; w++) {
      const int first = network->wires[instance->wire + w];
      if (value >= first && value < first + signal_size(instance->type, w)) {
        return true;
      }
    }
  }
  return false;
}

/** var = sum of the row's derivatives times the arguments. */
static void put_row(sb_linear_rows *rows, const hook *h, int var, const double derivative[]) {
  sb_equations_row(&rows->eq, (int)(h->instance - h->p->network.instances), true);
  sb_equations_term(&rows->eq, var, 1);
  for (int j = 0; j < h->count; j++) {
    sb_equations_term(&rows->eq, h->arguments[j].var, -derivative[j]);
  }
}

/** The derivatives of all that an operation of an instance computes. @param table  out */
static sb_status tabulate(hook *h, sb_operation_kind kind, double **table, bool *affine,
                          sb_arena *memory, sb_error *err) {
  const sb_instance *instance = h->instance;
  const int count = instance->components + instance->layout.states + instance->signal_count;
  h->operation = &sb_operations[kind];
  if (!list_arguments(h, h->operation->reads, sb_operation_wires(kind, instance),
                      sb_operation_follows(kind, instance), memory)) {
    return fail(h, SB_ERR_MEMORY, err);
  }
  *table = sb_arena_zeroed(memory, count, (size_t)h->count * sizeof **table);
  return *table == NULL ? fail(h, SB_ERR_MEMORY, err)
                        : differentiate(h, count, *table, affine, memory, err);
}

static sb_status put_operation(sb_linear_rows *rows, int index, sb_operation_kind kind,
                               int first_component, sb_arena *memory, sb_error *err) {
  const sb_network *network = &rows->p->network;
  const sb_instance *instance = &network->instances[index];
  const sb_operation *operation = &sb_operations[kind];
  hook h = {.p = rows->p, .instance = instance};
  int states = instance->layout.states, components = instance->components;
  double *table;
  SB_TRY(tabulate(&h, kind, &table, &rows->affine, memory, err));
  for (int k = 0; k < components; k++) {
    if (sb_components_hold(operation->gives, instance, k)) {
      put_row(rows, &h, sb_value_var(network, instance->out + k), table + k * h.count);
      int input = instance->type->source != NULL ? rows->input_of[first_component + k] : 0;
      sb_equations_term(&rows->eq, rows->inputs + input - 1, input > 0 ? -1 : 0);
    }
  }
  for (int k = 0; k < states && operation->gives_xdot; k++) {
    put_row(rows, &h, rows->rates + instance->state + k, table + (components + k) * h.count);
  }
  for (int k = 0; k < instance->signal_count && operation->gives_signals; k++) {
    if (instance->type->storage != NULL && !is_wired(rows->p, instance->signal + k)) {
      continue; // nobody reads it
    }
    put_row(rows, &h, sb_value_var(network, instance->signal + k),
            table + (components + states + k) * h.count);
  }
  return SB_OK;
}

/** The rows of an instance with hooks. @param first_component  of it among those of all */
static sb_status put_instance(sb_linear_rows *rows, int index, int first_component, sb_error *err) {
  const sb_instance *instance = &rows->p->network.instances[index];
  sb_operation_kind kinds[4];
  sb_arena memory = {0};
  sb_status status = SB_OK;
  int count = sb_operations_of(instance, false, kinds);
  for (int k = 0; status == SB_OK && k < count; k++) {
    status = put_operation(rows, index, kinds[k], first_component, &memory, err);
  }
  sb_arena_finish(&memory);
  return status;
}

/** d(sum e f) = sum f de + e df. */
static void put_power(sb_linear_rows *rows, const sb_instance *instance) {
  const double *bond = rows->p->work->bond_values;
  for (int k = 0; k < instance->components; k++) {
    int effort = sb_effort_var(instance, k), flow = sb_flow_var(instance, k);
    sb_equations_term(&rows->eq, effort, -instance->signs[k] * bond[flow]);
    sb_equations_term(&rows->eq, flow, -instance->signs[k] * bond[effort]);
  }
}

/** What a hook that measures tells: a row for each number, from a variable on. */
static sb_status put_measured(sb_linear_rows *rows, const sb_quantity *q, int var, sb_error *err) {
  const sb_instance *instance = &rows->p->network.instances[q->element];
  hook h = {.p = rows->p, .instance = instance, .quantity = q};
  sb_arena memory = {0};
  const bool listed =
      list_arguments(&h, SB_COMPONENTS_ALL, instance->wire_count, instance->hooked, &memory);
  double *table =
      listed ? sb_arena_zeroed(&memory, q->count, (size_t)h.count * sizeof *table) : NULL;
  sb_status status = table == NULL
                         ? fail(&h, SB_ERR_MEMORY, err)
                         : differentiate(&h, q->count, table, &rows->affine, &memory, err);
  for (int k = 0; status == SB_OK && k < q->count; k++) {
    put_row(rows, &h, var + k, table + k * h.count);
  }
  sb_arena_finish(&memory);
  return status;
}

/** @param first  number of the output among all */
static sb_status put_output(sb_linear_rows *rows, const sb_quantity *q, int first, sb_error *err) {
  const sb_network *network = &rows->p->network;
  const sb_instance *instance = &network->instances[q->element];
  if (q->kind == SB_QUANTITY_ENERGY || q->kind == SB_QUANTITY_MEASURE) {
    return put_measured(rows, q, rows->outputs + first, err);
  }
  for (int k = 0; k < q->count; k++) {
    int c = q->first + k + (q->only > 0 ? q->only - 1 : 0), var = rows->outputs + first + k;
    sb_equations_row(&rows->eq, q->element, true);
    sb_equations_term(&rows->eq, var, 1);
    if (q->kind == SB_QUANTITY_POWER) {
      put_power(rows, instance);
    } else if (q->kind == SB_QUANTITY_STATE) {
      sb_equations_term(&rows->eq, sb_state_var(network, instance->state + c), -1);
    } else if (q->kind == SB_QUANTITY_EFFORT) {
      sb_equations_term(&rows->eq, sb_effort_var(instance, c), -1);
    } else {
      sb_equations_term(&rows->eq, sb_flow_var(instance, c), -sb_quantity_flow_sign(instance, c));
    }
  }
  return SB_OK;
}

sb_status sb_linear_rows_hooks(sb_linear_rows *rows, sb_error *err) {
  const sb_network *network = &rows->p->network;
  for (int i = 0, component = 0; i < network->instance_count; i++) {
    if (network->instances[i].hooked) {
      SB_TRY(put_instance(rows, i, component, err));
    }
    component += network->instances[i].components;
  }
  for (int i = 0; i < network->sensor_count; i++) {
    const sb_sensor *sensor = &network->sensors[i];
    if (sb_sensor_measures(sensor)) {
      SB_TRY(put_measured(rows, &sensor->quantity, sb_value_var(network, sensor->value), err));
    }
  }
  for (int i = 0, first = 0; i < rows->p->output_count; i++) {
    SB_TRY(put_output(rows, &rows->p->outputs[i], first, err));
    first += rows->p->outputs[i].count;
  }
  return SB_OK;
}

/** Whether an operation is affine in what it reads, with the same coefficients at other times. */
static sb_status judge(sb_operating_point *p, const sb_instance *instance, sb_operation_kind kind,
                       bool *affine, sb_arena *memory, sb_error *err) {
  static const double later[] = {0, 0.0137, 1.93, 731}; // [s]
  double *table[2];
  for (size_t k = 0; k < sizeof later / sizeof *later && *affine; k++) {
    hook h = {.p = p, .instance = instance};
    const double kept = p->t;
    p->t += later[k];
    const sb_status status = tabulate(&h, kind, &table[k > 0], affine, memory, err);
    p->t = kept;
    *affine = *affine && status == SB_OK;
    if (status == SB_ERR_MEMORY || (k == 0 && status != SB_OK)) {
      return status;
    }
    const int rows = instance->components + instance->layout.states + instance->signal_count;
    for (int i = 0; k > 0 && *affine && i < rows * h.count; i++) {
      *affine = fabs(table[1][i] - table[0][i]) <= same * fabs(table[0][i]);
    }
  }
  return SB_OK;
}

sb_status sb_hooks_judge(sb_operating_point *p, bool *affine, sb_error *err) {
  const sb_network *network = &p->network;
  sb_arena memory = {0};
  sb_status status = SB_OK;
  *affine = true;
  for (int i = 0; i < network->sensor_count; i++) {
    *affine = *affine && !sb_sensor_measures(&network->sensors[i]);
  }
  for (int i = 0; i < network->instance_count && status == SB_OK; i++) {
    sb_operation_kind kinds[4];
    const int count = sb_operations_of(&network->instances[i], false, kinds);
    for (int k = 0; k < count && status == SB_OK; k++) {
      status = judge(p, &network->instances[i], kinds[k], affine, &memory, err);
    }
  }
  sb_arena_finish(&memory);
  return status;
}
