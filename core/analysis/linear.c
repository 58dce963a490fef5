// SPDX-License-Identifier: GPL-3.0-or-later
// What a linearisation is asked for, and what it gives: sources by their ids, outputs, the operating
// point.
#include "core/analysis/linearize.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/linear_private.h"
#include "core/analysis/manifold_private.h"
#include "core/analysis/partials_private.h"
#include "core/base/arena.h"

typedef struct linear {
  sb_linear shown;
  sb_arena memory; // of its arrays
} linear;

bool sb_network_is_linear(const sb_network *network) {
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    if (instance->hooked && instance->type->source == NULL) {
      return false;
    }
  }
  return true;
}

/** Whether all elements but sources and signals are linear, and there are signals. Through their loops, which run by Newton's method,
 *  differences would be those of its ends. */
static bool is_moved_by_signals(const sb_network *network) {
  bool any = false;
  for (int i = 0; i < network->instance_count; i++) {
    const sb_element_type *type = network->instances[i].type;
    if (network->instances[i].hooked && type->source == NULL && type->signal == NULL) {
      return false;
    }
    any = any || type->signal != NULL;
  }
  return any;
}

sb_linear sb_linear_about(const sb_operating_point *p) {
  return (sb_linear){.states = p->states,
                     .outputs = p->output_components,
                     .t = p->t,
                     .exact = sb_network_is_linear(&p->network),
                     .ports = 2 * p->network.pair_count};
}

/** Quantities of a linear model that are not linear, energies and powers, need differences. */
static bool is_curved(sb_quantity_kind kind) {
  return kind != SB_QUANTITY_EFFORT && kind != SB_QUANTITY_FLOW && kind != SB_QUANTITY_STATE;
}

void sb_linear_allocate(sb_linear *l, sb_arena *memory) {
  int n = l->states;
  l->state = sb_arena_zeroed(memory, n, sizeof(int));
  l->x = sb_arena_zeroed(memory, n, sizeof(double));
  l->xdot = sb_arena_zeroed(memory, n, sizeof(double));
  l->A = sb_arena_zeroed(memory, n * n, sizeof(double));
  l->B = sb_arena_zeroed(memory, n * l->inputs, sizeof(double));
  l->C = sb_arena_zeroed(memory, l->outputs * n, sizeof(double));
  l->D = sb_arena_zeroed(memory, l->outputs * l->inputs, sizeof(double));
  l->X = sb_arena_zeroed(memory, n * l->inputs, sizeof(double));
  l->derivatives =
      sb_arena_zeroed(memory, l->order * l->outputs, (size_t)l->inputs * sizeof(double));
  l->E = l->exact ? NULL : sb_arena_zeroed(memory, l->ports, (size_t)n * sizeof(double));
}

/** The sources that are moved: where their amounts stand, and which input each amount is. */
typedef struct moved {
  double **amounts; // (inputs)
  int *number;      // (components of all instances) of the input, from 1; 0: none
} moved;

/** The amounts of one source, and their names. */
static void add_source(sb_operating_point *p, sb_linear *l, int index, const moved *in,
                       sb_arena *memory) {
  const sb_instance *instance = &p->network.instances[index];
  int first = 0;
  for (int i = 0; i < index; i++) {
    first += p->network.instances[i].components;
  }
  for (int k = 0; k < instance->components && in->number[first + k] == 0; k++) {
    char name[600], base[590];
    const char *variable =
        instance->layout.ports[sb_port_of(instance, k)].output == SB_FLOW ? "f" : "e";
    (void)snprintf(base, sizeof base, "%s.%s", instance->id, variable);
    sb_component_name(name, sizeof name, base, k, instance->components);
    in->amounts[l->inputs] = p->amount + first + k;
    l->input_names[l->inputs++] = sb_arena_copy(memory, name, strlen(name));
    in->number[first + k] = l->inputs;
  }
}

/** "an" before a vowel, and before letters that are read by their names and begin with one: an R, an MTF. */
static const char *article_of(const char *kind) {
  const bool spelt = kind[1] == '\0' || (kind[1] >= 'A' && kind[1] <= 'Z');
  return strchr(spelt ? "AEFHILMNORSX" : "AEIO", kind[0]) != NULL ? "an" : "a";
}

static sb_status find_source(const sb_network *network, const char *name, int *index,
                             sb_error *err) {
  size_t length = strlen(name);
  if (length > 2 &&
      (strcmp(name + length - 2, ".e") == 0 || strcmp(name + length - 2, ".f") == 0)) {
    length -= 2;
  }
  *index = sb_names_find(&network->names, name, length);
  if (*index < 0) {
    return sb_fail(err, SB_ERR_REFERENCE, "there is no element '%.*s'", (int)length, name);
  }
  if (network->instances[*index].type->source == NULL) {
    const char *kind = network->instances[*index].type->name;
    (void)sb_fail(err, SB_ERR_REFERENCE, "'%.*s' is no source, but %s %s", (int)length, name,
                  article_of(kind), kind);
    sb_place_into(&network->instances[*index].place, err);
    return SB_ERR_REFERENCE;
  }
  return SB_OK;
}

static sb_status add_sources(sb_operating_point *p, sb_linear *l, const sb_linear_request *request,
                             const moved *in, sb_arena *memory, sb_error *err) {
  const sb_network *network = &p->network;
  int index;
  l->inputs = 0;
  for (int i = 0; request->inputs == NULL && i < network->instance_count; i++) {
    if (network->instances[i].type->source != NULL) {
      add_source(p, l, i, in, memory);
    }
  }
  for (int i = 0; request->inputs != NULL && i < request->input_count; i++) {
    int before = l->inputs;
    SB_TRY(find_source(network, request->inputs[i], &index, err));
    add_source(p, l, index, in, memory);
    if (l->inputs == before) {
      return sb_fail(err, SB_ERR_DUPLICATE, "the input '%s' is given twice", request->inputs[i]);
    }
  }
  return memory->failed ? sb_fail(err, SB_ERR_MEMORY, "out of memory") : SB_OK;
}

/** The matrices about l->x. */
static sb_status differentiate(sb_operating_point *p, sb_linear *l, double *inputs[],
                               sb_arena *memory, sb_error *err) {
  bool curved = false;
  for (int i = 0; i < p->output_count; i++) {
    curved = curved || is_curved(p->outputs[i].kind);
  }
  if (curved || !l->exact) {
    const int n = l->states;
    l->error.A = sb_arena_zeroed(memory, n, (size_t)n * sizeof(double));
    l->error.B = sb_arena_zeroed(memory, n, (size_t)l->inputs * sizeof(double));
    l->error.C = sb_arena_zeroed(memory, l->outputs, (size_t)n * sizeof(double));
    l->error.D = sb_arena_zeroed(memory, l->outputs, (size_t)l->inputs * sizeof(double));
  }
  if (memory->failed) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  SB_TRY(sb_operating_point_differentiate(p, l, inputs, l->exact && !curved, err));
  if (l->exact && curved) { // C and D by differences; A and B all the same without
    int outputs = l->outputs;
    l->outputs = 0;
    SB_TRY(sb_operating_point_differentiate(p, l, inputs, true, err));
    l->outputs = outputs;
  }
  return SB_OK;
}

/** All sources and their components, where there is room for them. */
static sb_status make_inputs(sb_operating_point *p, sb_linear *l, const sb_linear_request *request,
                             moved *in, sb_arena *memory, sb_error *err) {
  int components = 0;
  for (int i = 0; i < p->network.instance_count; i++) {
    const sb_instance *instance = &p->network.instances[i];
    components += instance->components;
    l->inputs += instance->type->source != NULL ? instance->components : 0;
  }
  l->input_names = sb_arena_zeroed(memory, l->inputs, sizeof(char *));
  in->amounts = sb_arena_zeroed(memory, l->inputs, sizeof *in->amounts);
  in->number = sb_arena_zeroed(memory, components, sizeof *in->number);
  return memory->failed ? sb_fail(err, SB_ERR_MEMORY, "out of memory")
                        : add_sources(p, l, request, in, memory, err);
}

/** Whether the equations as they stand are linearised. With constraints, whose derivatives in time are wanted, they must be linear
 *  along the whole motion. */
static sb_status is_descriptor(sb_operating_point *p, bool *descriptor, sb_error *err) {
  const bool constrained = p->work->program->causality.constraint_count > 0;
  *descriptor = sb_network_is_linear(&p->network) || is_moved_by_signals(&p->network);
  return *descriptor && constrained && !sb_network_is_linear(&p->network)
             ? sb_hooks_judge(p, descriptor, err)
             : SB_OK;
}

/** What is not known to be other than 0 is 0, as in a single difference. */
static void drop(double m[], const double error[], int count) {
  for (int i = 0; i < count; i++) {
    m[i] = fabs(m[i]) <= error[i] ? 0 : m[i];
  }
}

static void drop_rounding(sb_linear *l) {
  const int n = l->states;
  drop(l->A, l->error.A, n * n);
  drop(l->B, l->error.B, n * l->inputs);
  drop(l->C, l->error.C, l->outputs * n);
  drop(l->D, l->error.D, l->outputs * l->inputs);
}

static sb_status build(sb_operating_point *p, sb_linear *l, const sb_linear_request *request,
                       sb_arena *memory, sb_error *err) {
  moved in;
  double *rows = sb_arena_zeroed(memory, p->rows, sizeof *rows);
  SB_TRY(make_inputs(p, l, request, &in, memory, err));
  sb_linear_allocate(l, memory);
  if (memory->failed) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < l->states; i++) {
    l->state[i] = i;
  }
  memcpy(l->x, p->x, (size_t)l->states * sizeof(double));
  if (request->equilibrium) {
    SB_TRY(sb_operating_point_settle(p, l, false, err));
    l->changed_count = sb_operating_point_list_changed(p, memory, &l->changed);
  }
  bool descriptor;
  sb_manifold manifold;
  memcpy(p->x, l->x, (size_t)l->states * sizeof(double));
  sb_operating_point_hold(p, rows);
  SB_TRY(sb_kinks_refuse(p, in.amounts, l->inputs, err));
  SB_TRY(is_descriptor(p, &descriptor, err));
  const bool held = !descriptor && sb_operating_point_is_held(p);
  SB_TRY(sb_manifold_find(p, held, &manifold, memory, err));
  if (!descriptor) {
    SB_TRY(differentiate(p, l, in.amounts, memory, err));
  }
  if (held) {
    SB_TRY(sb_held_complete(p, l, in.amounts, memory, err));
  }
  memcpy(p->x, l->x, (size_t)l->states * sizeof(double));
  bool finite = sb_operating_point_evaluate(p, rows);
  memcpy(l->xdot, rows, (size_t)l->states * sizeof(double));
  if (!finite && (descriptor || held)) {
    return sb_operating_point_not_finite(p, err);
  }
  if (descriptor) {
    return sb_descriptor_linearise(p, l, in.number, &manifold, memory, err);
  }
  sb_manifold_reduce(&manifold, l);
  if (l->error.A != NULL) {
    drop_rounding(l);
  }
  return SB_OK;
}

sb_status sb_network_check_linear(const sb_network *network, bool rests, sb_error *err) {
  int states = network->state_count;
  for (int i = 0; rests && i < network->instance_count; i++) {
    states += sb_late_hooks(&network->instances[i]) != NULL;
  }
  if (states > SB_LINEAR_STATES_MAX) {
    (void)sb_fail(err, SB_ERR_LIMIT, "'%s' has %d states; at most %d can be linearised",
                  network->name, states, SB_LINEAR_STATES_MAX);
    sb_place_into(&network->place, err);
    return SB_ERR_LIMIT;
  }
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    const sb_switching_hooks *switching = instance->type->switching;
    bool samples =
        instance->type->signal != NULL && switching != NULL && switching->times.next_time != NULL;
    if ((instance->delay >= 0 || samples) && !(rests && sb_late_hooks(instance) != NULL)) {
      (void)sb_fail(err, SB_ERR_USAGE, "the %s '%s' cannot be linearised",
                    samples ? "sampler" : "delay", instance->id);
      sb_error_hint(err,
                    samples ? "write the signal that it samples in its place, or a TransferFunction"
                            : "write a TransferFunction in its place, such as num=\"-T/2 1\" "
                              "den=\"T/2 1\" for a delay of T seconds");
      sb_place_into(&instance->place, err);
      return SB_ERR_USAGE;
    }
  }
  return SB_OK;
}

void sb_analysis_place(const sb_network *network, sb_error *err) {
  if (err != NULL && err->status != SB_ERR_MEMORY && err->status != SB_ERR_REFERENCE &&
      err->status != SB_ERR_DUPLICATE) {
    sb_place_into(&network->place, err);
  }
}

/** Integrals are of the run so far, and no functions of the states. */
static sb_status check_outputs(const sb_operating_point *p, const sb_linear_request *request,
                               sb_error *err) {
  for (int i = 0; i < p->output_count; i++) {
    if (!sb_quantity_integrates(&p->outputs[i])) {
      continue;
    }
    (void)sb_fail(err, SB_ERR_REFERENCE,
                  "'%.300s' is an integral over the run: it has no linear model",
                  request->outputs[i]);
    sb_error_hint(err, "linearize what is integrated, as the power of an element for what it has "
                       "lost; its transfer function over s is that of the integral");
    return SB_ERR_REFERENCE;
  }
  return SB_OK;
}

sb_status sb_linearize(const sb_simulation *sim, const sb_linear_request *request,
                       sb_linear **result, sb_error *err) {
  const sb_network *network = &sb_simulation_at(sim).model->network;
  *result = NULL;
  SB_TRY(sb_network_check_linear(network, false, err));
  linear *own = calloc(1, sizeof *own);
  if (own == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  sb_operating_point p;
  sb_status status = sb_operating_point_init(&p, sim, request->outputs, request->output_count, err);
  status = status == SB_OK ? check_outputs(&p, request, err) : status;
  if (status == SB_OK) {
    own->shown = sb_linear_about(&p);
    status = build(&p, &own->shown, request, &own->memory, err);
  }
  sb_operating_point_finish(&p);
  if (status != SB_OK) {
    sb_analysis_place(network, err);
    sb_linear_destroy(&own->shown);
    return status;
  }
  *result = &own->shown;
  return SB_OK;
}

void sb_linear_destroy(sb_linear *l) {
  if (l != NULL) {
    sb_arena_finish(&((linear *)(void *)l)->memory); // the first member of what was allocated
    free(l);
  }
}
