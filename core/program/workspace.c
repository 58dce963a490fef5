// SPDX-License-Identifier: GPL-3.0-or-later
// What a running simulation writes while it steps: values, modes, and what follows from them at one
// point, such as all port variables and energies.
#include "core/program/workspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/wide.h"

/** A row of value terms for `length` components of a vector, a number known to the compiler. */
SB_INLINE void run_vector(double *out, const int *index, const double *factor, int count,
                          const double *values, int length) {
  double sum[8];
  for (int r = 0; r < length; r++) {
    sum[r] = factor[0] * values[index[0] + r];
  }
  for (int k = 1; k < count; k++) {
    for (int r = 0; r < length; r++) {
      sum[r] += factor[k] * values[index[k] + r];
    }
  }
  for (int r = 0; r < length; r++) {
    out[r] = sum[r];
  }
}

SB_INLINE double run_scalar(const sb_row *row, const int *index, const double *factor,
                            const double *values, const double x[]) {
  double sum = 0;
  int i = 0;
  for (; i < row->states; i++) {
    sum += factor[i] * x[index[i]];
  }
  for (; i < row->count; i++) {
    sum += factor[i] * values[index[i]];
  }
  return sum;
}

int sb_run_rows(sb_workspace *work, const sb_op *op, double t, const double x[], double xdot[]) {
  (void)t, (void)xdot;
  const sb_program *program = work->running;
  double *values = work->values;
  const sb_row *end = program->rows + op->first + op->count;
  for (const sb_row *row = program->rows + op->first; row < end; row++) {
    const int *index = program->index + row->first;
    const double *factor = program->factor + row->first;
    double *out = values + row->dest;
    switch (row->repeat) {
    case 1:
      *out = run_scalar(row, index, factor, values, x);
      break;
    case 4: // a contact's loads
      run_vector(out, index, factor, row->count, values, 4);
      break;
    case 6: // a screw
      run_vector(out, index, factor, row->count, values, 6);
      break;
    default:
      for (int r = 0; r < row->repeat; r++) {
        run_vector(out + r, index, factor, row->count, values + r, 1);
      }
    }
  }
  return 0;
}

const char *sb_workspace_failure(const sb_workspace *work) {
  return work->failed < 0 ? NULL : work->network->instances[work->failed].id;
}

/** What an algebraic variable or a multiplier is known to the rounding of: of multipliers the largest of those of its element, as the
 *  components of one force.
 *  @param known  (algebraic variables, then constraints) and what more is known of each; NULL: nothing */
static double size_of_solved(const sb_workspace *work, const double known[], int value) {
  const sb_causality *c = &work->program->causality;
  const int first = sb_multiplier_value(work->network, c, 0), own = (value - first) / 2,
            algebraic = sb_algebraic_of(work->network, c, value);
  double largest = fabs(work->values[value]);
  if (known != NULL && (value >= first || algebraic >= 0)) {
    largest = fmax(largest, known[algebraic >= 0 ? algebraic : c->algebraic_count + own]);
  }
  for (int side = -1; value >= first && side <= 1; side += 2) {
    for (int i = own + side;
         i >= 0 && i < c->constraint_count && c->constraints[i].where == c->constraints[own].where;
         i += side) {
      largest = fmax(largest, fabs(work->values[sb_multiplier_value(work->network, c, i)]));
    }
  }
  return largest;
}

/** Every bond variable as the sum of its terms. */
static void sum_terms(const sb_workspace *work, const double x[], double pairs[]) {
  const sb_causality *causality = &work->program->causality;
  const double *values = work->values;
  const int base = sb_known_base(work->network), states = base + work->network->state_count;
  for (int k = 0; k < base; k++) {
    int var = causality->order[k];
    const sb_term *term = causality->terms + causality->first[var];
    const sb_term *end = term + causality->count[var];
    double sum = 0;
    for (; term < end; term++) {
      int v = term->var;
      sum += term->factor * (v < base ? pairs[v] : v < states ? x[v - base] : values[v - states]);
    }
    pairs[var] = sum;
  }
}

void sb_trace_here(sb_workspace *work, const double x[]) {
  sb_evaluation *e = &work->evaluation;
  if (!e->current || !e->traced) {
    e->traced = e->current;
    sum_terms(work, x, work->bond_values);
  }
}

void sb_trace(sb_workspace *work, const double x[]) {
  sb_evaluation *e = &work->evaluation;
  bool here = e->current && memcmp(x, e->x, (size_t)work->network->state_count * sizeof *x) == 0;
  if (!here || !e->traced) {
    e->traced = here;
    sum_terms(work, x, work->bond_values);
  }
}

/** The sizes of what the terms of bond variables know, behind those of the bond variables themselves. */
static void size_known(const sb_workspace *work, const double x[], const double value_sizes[],
                       double size[]) {
  const int states = work->network->state_count, values = work->network->value_count;
  double *of_states = size + sb_known_base(work->network), *of_values = of_states + states;
  for (int k = 0; k < states; k++) {
    of_states[k] = fabs(x[k]);
  }
  for (int k = 0; k < values; k++) {
    of_values[k] = sb_larger(fabs(work->values[k]), value_sizes[k]);
  }
}

void sb_trace_sizes(const sb_workspace *work, const double x[], const double value_sizes[],
                    const double solved[], double size[]) {
  size_known(work, x, value_sizes, size);
  sb_sum_sizes(work, solved, size);
}

void sb_sum_sizes(const sb_workspace *work, const double solved[], double size[]) {
  const sb_causality *causality = &work->program->causality;
  const int base = sb_known_base(work->network), states = base + work->network->state_count,
            multipliers = states + work->network->value_count;
  for (int k = 0; k < base; k++) {
    int var = causality->order[k];
    const sb_term *term = causality->terms + causality->first[var];
    const sb_term *end = term + causality->count[var];
    double sum = 0;
    for (; term < end; term++) {
      int v = term->var;
      sum += fabs(term->factor) *
             (v < multipliers ? size[v] : size_of_solved(work, solved, v - states));
    }
    size[var] = sum;
  }
}

double sb_instance_level(const sb_instance *instance) {
  const sb_place_hooks *place = instance->type->place;
  const sb_storage_hooks *storage = instance->type->storage;
  const bool placed = place != NULL && place->level != NULL,
             stored = storage != NULL && storage->audit.level != NULL;
  return (placed ? place->level(instance->self) : 0) +
         (stored ? storage->audit.level(instance->self) : 0);
}

double sb_instance_energy(const sb_workspace *work, int index, double t, const double x[]) {
  const sb_instance *instance = &work->network->instances[index];
  if (instance->type->storage == NULL) {
    return 0;
  }
  if (!instance->linear) {
    sb_at at = sb_at_instance(work, instance, t, x);
    return instance->type->storage->energy(instance->self, &at);
  }
  double energy = 0;
  const double *q = x + instance->state;
  for (int i = 0, d = instance->components; i < d; i++) {
    double y = 0;
    for (int k = 0; k < d; k++) {
      y += instance->matrix[i * d + k] * q[k];
    }
    energy += 0.5 * y * q[i];
  }
  return energy;
}

double sb_divisor(const sb_workspace *work, int index, double t, const double x[]) {
  const sb_instance *instance = &work->network->instances[index];
  if (instance->type->structure == NULL || instance->type->structure->division.divisor == NULL) {
    return HUGE_VAL;
  }
  sb_at at = sb_at_instance(work, instance, t, x);
  return instance->type->structure->division.divisor(instance->self, &at);
}

/** The accepted output of the loops of a program that a value is; 0: it is none. */
static double accepted(const sb_loop_memory *loops, const sb_program *program, int value) {
  for (int k = 0; program != NULL && k < program->loop_output_count; k++) {
    if (program->loop_outputs[k] == value) {
      return loops->start_y[k];
    }
  }
  return 0;
}

/** The output of the loops of a program that is a bond variable, by its multiplier; -1: there is none. */
static int output_of(const sb_network *network, const sb_program *program, int acting) {
  const sb_causality *c = &program->causality;
  for (int i = 0; i < c->constraint_count; i++) {
    const int value = sb_multiplier_value(network, c, i);
    for (int k = 0; c->constraints[i].acting == acting && k < program->loop_output_count; k++) {
      if (program->loop_outputs[k] == value) {
        return k;
      }
    }
  }
  return -1;
}

/** What is held goes on with its share of the load, whatever else switches.
 *  @param before  the program before; NULL: none  @param own  out: for the present program */
static void keep_references(const sb_workspace *work, const sb_program *before,
                            sb_loop_memory *own) {
  const sb_program *p = work->program;
  for (int k = 0; k < p->loop_output_count; k++) {
    own->reference[k] = NAN;
  }
  for (int i = 0; before != NULL && i < p->causality.constraint_count; i++) {
    const int acting = p->causality.constraints[i].acting;
    const int k = acting < 0 ? -1 : output_of(work->network, p, acting);
    const int then = k < 0 ? -1 : output_of(work->network, before, acting);
    if (then >= 0) {
      own->reference[k] = work->loops.reference[then];
      own->strength[k] = work->loops.strength[then];
    }
  }
}

/** Makes room for the loops of the present program. What was accepted of a value that was an output of
 *  a loop before, too, is kept.
 *  @param before  the program before; NULL: none */
static bool prepare_loops(sb_workspace *work, const sb_program *before) {
  const sb_program *p = work->program;
  int outputs = p->loop_output_count, inputs = p->loop_input_count, largest = 0, room = 0,
      impulse = 0;
  for (int i = 0; i < p->loop_count; i++) {
    const sb_loop *loop = &p->loops[i];
    int own = SB_LOOP_VECTORS * loop->output_count + SB_LOOP_INPUT_VECTORS * loop->input_count +
              loop->condition_count * (2 * loop->bond_count + loop->output_count + 2) +
              2 * loop->bond_count;
    largest = p->loops[i].output_count > largest ? p->loops[i].output_count : largest;
    room = own > room ? own : room;
  }
  for (int i = 0; i < work->network->instance_count && p->loop_count > 0; i++) {
    int components = work->network->instances[i].components;
    impulse = components > impulse ? components : impulse;
  }
  room += impulse;
  const int matrices = sb_loop_matrices(largest);
  double *block = sb_zeroed(4 * outputs + inputs + matrices + room, sizeof *block);
  if (block == NULL) {
    return false;
  }
  for (int k = 0; k < outputs; k++) {
    block[k] = accepted(&work->loops, before, p->loop_outputs[k]);
  }
  sb_loop_memory own = {.start_y = block,
                        .reference = block + outputs,
                        .strength = block + 2 * outputs,
                        .left = block + 3 * outputs,
                        .b = block + 4 * outputs,
                        .matrices = block + 4 * outputs + inputs,
                        .room = block + 4 * outputs + inputs + matrices,
                        .room_size = room,
                        .block = block};
  keep_references(work, before, &own);
  free(work->loops.block);
  work->loops = own;
  return true;
}

void sb_workspace_forget_shares(sb_workspace *work) {
  for (int k = 0; k < work->program->loop_output_count; k++) {
    work->loops.reference[k] = NAN;
  }
}

/** Lets the wires point into the values, wherever these are. */
static void connect_wires(sb_workspace *work) {
  const sb_network *network = work->network;
  bool rates = work->program->causality.constraint_count > 0;
  for (int i = 0; i < network->wire_count; i++) {
    const double *view = network->views != NULL ? network->views[i] : NULL;
    work->wires[i] = view != NULL ? view : work->values + network->wires[i];
    work->wires[network->wire_count + i] =
        rates ? work->values + sb_rate_value(network, network->wires[i]) : NULL;
  }
}

void sb_workspace_free_branches(sb_workspace *work) {
  for (int i = 0; i < work->network->branch_count; i++) {
    work->branches.held[i] = NAN;
  }
  sb_workspace_changed(work);
}

sb_workspace *sb_workspace_make(const sb_network *network, const sb_program *program,
                                const int modes[], sb_error *err) {
  sb_workspace *work = calloc(1, sizeof *work);
  if (work != NULL) {
    work->network = network;
    work->program = work->start_program = program;
    work->start_modes = modes;
    work->failed = -1;
    work->value_capacity = program->value_count;
    work->values = sb_zeroed(work->value_capacity, sizeof(double));
    work->wires = sb_arena_zeroed(&work->memory, 2 * network->wire_count, sizeof(double *));
    work->discrete = sb_arena_zeroed(&work->memory, network->discrete_count, sizeof(double));
    double **branches[] = {&work->branches.held, &work->branches.band, &work->branches.gap,
                           &work->branches.now,  &work->branches.off,  &work->branches.terms,
                           &work->slide.other};
    for (size_t i = 0; i < sizeof branches / sizeof *branches; i++) {
      *branches[i] = sb_arena_zeroed(&work->memory, network->branch_count, sizeof(double));
    }
    double **states[] = {&work->slide.rates[0], &work->slide.rates[1], &work->slide.moved,
                         &work->slide.scratch};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
      const int count = network->branch_count > 0 ? network->state_count : 0;
      *states[i] = sb_arena_zeroed(&work->memory, count, sizeof(double));
    }
    work->branches.ended = sb_arena_zeroed(&work->memory, network->branch_count, sizeof(bool));
    work->modes = sb_arena_zeroed(&work->memory, network->mode_count, sizeof(int));
    work->inputs = sb_arena_zeroed(&work->memory, network->input_count, sizeof(double));
    work->past = sb_arena_zeroed(&work->memory, network->delay_count, sizeof(sb_history));
    work->bond_values = sb_arena_zeroed(&work->memory, 2 * network->pair_count, sizeof(double));
    work->event_loss = sb_arena_zeroed(&work->memory, network->instance_count, sizeof(double));
    work->rest = sb_arena_zeroed(&work->memory, 2 * network->instance_count, sizeof(double));
    work->evaluation.x = sb_arena_zeroed(&work->memory, network->state_count, sizeof(double));
    work->refused = -1;
    work->refused_x = sb_arena_zeroed(&work->memory, network->state_count, sizeof(double));
    work->evaluation.xdot =
        sb_arena_zeroed(&work->memory, sb_vector_count(network), sizeof(double));
    if (work->values != NULL && !work->memory.failed && prepare_loops(work, NULL) &&
        sb_live_reserve(&work->live, network, program)) {
      connect_wires(work);
      sb_workspace_free_branches(work);
      return work;
    }
    sb_workspace_finish(work);
  }
  (void)sb_fail(err, SB_ERR_MEMORY, "out of memory");
  return NULL;
}

void sb_workspace_finish(sb_workspace *work) {
  sb_program_destroy(work->own);
  free(work->values);
  for (int i = 0; work->past != NULL && i < work->network->delay_count; i++) {
    sb_history_finish(&work->past[i]);
  }
  sb_live_finish(&work->live);
  sb_arena_finish(&work->memory);
  free(work->loops.block);
  free(work);
}

sb_status sb_workspace_recompile(sb_workspace *work, sb_errors *errors) {
  const sb_network *network = work->network;
  sb_program *program = NULL;
  bool initial =
      memcmp(work->modes, work->start_modes, (size_t)network->mode_count * sizeof(int)) == 0;
  if (!initial) {
    SB_TRY(sb_program_create(network, work->modes, &program, errors));
    if (!sb_grow(&work->values, &work->value_capacity, program->value_count, sizeof(double))) {
      sb_program_destroy(program);
      return SB_ERR_MEMORY;
    }
  }
  sb_program *own = work->own;
  const sb_program *before = work->program;
  work->own = program;
  work->generation++;
  sb_workspace_changed(work);
  work->program = initial ? work->start_program : program;
  connect_wires(work);
  bool prepared =
      prepare_loops(work, before) && sb_live_reserve(&work->live, network, work->program);
  sb_program_destroy(own);
  return prepared ? SB_OK : SB_ERR_MEMORY;
}

void sb_workspace_reset_listeners(sb_workspace *work, int index, double t, double x[]) {
  const sb_network *network = work->network;
  const sb_instance *source = &network->instances[index];
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    if (instance->type->storage == NULL || instance->type->storage->reset == NULL) {
      continue;
    }
    for (int k = 0; k < instance->wire_count; k++) {
      const int value = network->wires[instance->wire + k];
      if (value >= source->signal && value < source->signal + source->signal_count) {
        const sb_at at = sb_at_instance(work, instance, t, x);
        instance->type->storage->reset(instance->self, &at, x + instance->state);
        break;
      }
    }
  }
}
