// SPDX-License-Identifier: GPL-3.0-or-later
// Every value and rate is a linear combination of states, as long as only rows of the program compute
// it. What a hook computes is nonlinear, and so is all that is computed from it; there only the pattern
// is known.
#include "core/integrator/pattern_private.h"

#include "core/model/constraints.h"

/** To be called before terms are added to a row: numbers those that it has. */
static void begin(sb_pattern *p, const sb_pattern_row *to) {
  p->rows++;
  for (int i = 0; i < to->count; i++) {
    p->stamp[to->terms[i].var] = p->rows;
    p->slot[to->terms[i].var] = i;
  }
}

static void add(sb_pattern *p, sb_pattern_row *to, int state, double factor) {
  if (p->failed) {
    return;
  }
  if (p->stamp[state] == p->rows) {
    to->terms[p->slot[state]].factor += factor;
    return;
  }
  p->stamp[state] = p->rows;
  p->slot[state] = to->count;
  p->failed =
      !sb_arena_grow(&p->memory, &to->terms, &to->capacity, to->count + 1, sizeof *to->terms);
  if (!p->failed) {
    to->terms[to->count++] = (sb_term){state, factor};
  }
}

static void add_row(sb_pattern *p, sb_pattern_row *to, const sb_pattern_row *from, double factor) {
  to->nonlinear = to->nonlinear || from->nonlinear;
  for (int i = 0; i < from->count; i++) {
    add(p, to, from->terms[i].var, factor * from->terms[i].factor);
  }
}

/** A scratch row, to which can be added. */
static sb_pattern_row *begin_scratch(sb_pattern *p) {
  p->scratch.count = 0;
  p->scratch.nonlinear = false;
  begin(p, &p->scratch);
  return &p->scratch;
}

/** Something that may depend in any way on what `all` contains. */
static void set_nonlinear(sb_pattern *p, sb_pattern_row *to, const sb_pattern_row *all) {
  begin(p, to);
  add_row(p, to, all, 1);
  to->nonlinear = to->count > 0;
}

static void visit_rows(sb_pattern *p, const sb_op *op) {
  const sb_program *program = p->program;
  for (int r = op->first; r < op->first + op->count; r++) {
    const sb_row *row = &program->rows[r];
    for (int k = 0; k < row->repeat; k++) {
      sb_pattern_row *to = &p->values[row->dest + k];
      begin(p, to);
      for (int i = row->first; i < row->first + row->count; i++) {
        if (i < row->first + row->states) {
          add(p, to, program->index[i] + k, program->factor[i]);
        } else {
          add_row(p, to, &p->values[program->index[i] + k], program->factor[i]);
        }
      }
    }
  }
}

/** A hook may read all inputs, signals and states of its instance, and the rates of the inputs. */
static void add_reads(sb_pattern *p, sb_pattern_row *to, const sb_instance *instance, bool rates) {
  int shift = rates ? sb_rate_value(p->network, 0) : 0;
  for (int k = 0; k < instance->layout.states; k++) {
    add(p, to, instance->state + k, 1);
  }
  for (int k = 0; instance->hooked && k < instance->components; k++) {
    add_row(p, to, &p->values[instance->in + k], 1);
    add_row(p, to, &p->values[shift + instance->in + k], 1);
  }
  for (int k = 0; k < instance->wire_count; k++) {
    add_row(p, to, &p->values[p->network->wires[instance->wire + k]], 1);
    add_row(p, to, &p->values[shift + p->network->wires[instance->wire + k]], 1);
  }
}

static void visit_hook(sb_pattern *p, const sb_op *op) {
  const sb_instance *instance = &p->network->instances[op->instance];
  const sb_operation *operation = &sb_operations[op->kind];
  int shift = operation->dot ? sb_rate_value(p->network, 0) : 0;
  sb_pattern_row *all = begin_scratch(p);
  add_reads(p, all, instance, operation->dot);
  const bool left = op->kind == SB_OP_ADJOINT || op->kind == SB_OP_MEASURE; // by hooks before
  for (int k = 0; k < instance->signal_count && left; k++) {
    add_row(p, all, &p->values[instance->signal + k], 1);
  }
  for (int k = 0; k < instance->components; k++) {
    if (sb_components_hold(operation->gives, instance, k)) {
      set_nonlinear(p, &p->values[shift + instance->out + k], all);
    }
  }
  for (int k = 0; k < instance->signal_count && operation->gives_signals; k++) {
    set_nonlinear(p, &p->values[shift + instance->signal + k], all);
  }
  if (op->kind == SB_OP_MEASURE) {
    const sb_sensor *sensor = &p->network->sensors[op->count];
    for (int k = 0; sensor->quantity.axes > 0 && k < 12; k++) { // the pose of the frame
      add_row(p, all, &p->values[sensor->quantity.axes - 1 + k], 1);
    }
    set_nonlinear(p, &p->values[sensor->value], all);
  }
  for (int k = 0; k < instance->layout.states && operation->gives_xdot; k++) {
    set_nonlinear(p, &p->rates[instance->state + k], all);
  }
}

/** Algebraic variables depend on all states of their constraints and on what changes the ratios in these. */
static void visit_algebraic(sb_pattern *p, const sb_op *op) {
  const sb_causality *c = &p->program->causality;
  sb_pattern_row *all = begin_scratch(p);
  const sb_algebraic *own = &c->algebraics[op->first];
  for (int i = own->first_read; i < own->first_read + own->read_count; i++) {
    int known = c->algebraic_reads[i] - sb_known_base(p->network);
    if (known < p->network->state_count) {
      add(p, all, known, 1);
    } else {
      add_row(p, all, &p->values[known - p->network->state_count], 1);
    }
  }
  for (int k = 0; k < c->algebraic_count; k++) {
    if (c->algebraics[k].group == op->first) {
      set_nonlinear(p, &p->values[sb_algebraic_value(p->network, k)], all);
    }
  }
}

/** Every output of a loop depends on all inputs of its hooks. */
static void visit_loop(sb_pattern *p, const sb_op *op) {
  const sb_program *program = p->program;
  const sb_loop *loop = &program->loops[op->first];
  sb_pattern_row *all = begin_scratch(p);
  bool rates = program->causality.constraint_count > 0;
  for (int k = 0; k < loop->count; k++) {
    int instance = program->loop_hooks[loop->first + k].op.instance;
    add_reads(p, all, &p->network->instances[instance], rates);
  }
  for (int k = 0; k < loop->input_count; k++) {
    int value = program->loop_inputs[loop->first_input + k];
    add_row(p, all, &p->values[value < 0 ? -1 - value : value], 1);
  }
  for (int k = 0; k < loop->output_count; k++) {
    set_nonlinear(p, &p->values[program->loop_outputs[loop->first_output + k]], all);
  }
}

static void visit_groups(sb_pattern *p) {
  const sb_program *program = p->program;
  for (int g = 0; g < program->group_count; g++) {
    const sb_rate_group *group = &program->groups[g];
    for (int r = 0; r < group->count; r++) {
      sb_pattern_row *to = &p->rates[program->rate_dest[group->first_row + r]];
      begin(p, to);
      for (int i = 0; i < group->terms; i++) {
        int term = group->first_term + r * group->terms + i;
        add(p, to, program->rate_index[term], program->rate_factor[term]);
      }
    }
  }
}

static void visit_runs(sb_pattern *p) {
  const sb_program *program = p->program;
  for (int i = 0; i < program->run_count; i++) {
    const sb_rate_run *run = &program->runs[i];
    for (int r = 0; r < run->count; r++) {
      sb_pattern_row *to = &p->rates[run->dest + r * run->stride];
      begin(p, to);
      for (int k = 0; k < run->terms; k++) {
        int factor = run->first + (run->uniform ? k : k * run->count + r);
        add(p, to, run->index[k] + r * run->stride, program->rate_factor[factor]);
      }
    }
  }
}

static void visit_bands(sb_pattern *p) {
  const sb_program *program = p->program;
  for (int i = 0; i < program->band_count; i++) {
    const sb_rate_band *band = &program->bands[i];
    for (int r = 0; r < band->count; r++) {
      sb_pattern_row *to = &p->rates[band->dest + r];
      begin(p, to);
      for (int k = 0; k < band->terms; k++) {
        double factor = program->band_factor[sb_band_factor(band, k, r)];
        if (factor != 0) { // else it only fills up
          add(p, to, band->index[k] + r, factor);
        }
      }
    }
  }
}

static void visit_program(sb_pattern *p) {
  const sb_program *program = p->program;
  for (int i = 0; i < program->op_count; i++) {
    const sb_op *op = &program->ops[i];
    (op->kind == SB_OP_ROWS        ? visit_rows
     : op->kind == SB_OP_LOOP      ? visit_loop
     : op->kind == SB_OP_ALGEBRAIC ? visit_algebraic
                                   : visit_hook)(p, op);
  }
  visit_groups(p);
  visit_runs(p);
  visit_bands(p);
  for (int i = 0; i < program->extra_count; i++) {
    const sb_rate_extra *extra = &program->extras[i];
    begin(p, &p->rates[extra->dest]);
    add_row(p, &p->rates[extra->dest], &p->values[extra->index], extra->factor);
  }
}

/** The states that signals of sources and of modulated structures depend on: constraints may change with
 *  them. */
static const sb_pattern_row *collect_signals(sb_pattern *p) {
  const sb_network *network = p->network;
  sb_pattern_row *to = begin_scratch(p);
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    bool modulates = instance->type->structure != NULL || instance->type->source != NULL;
    for (int k = 0; modulates && k < instance->wire_count; k++) {
      add_row(p, to, &p->values[network->wires[instance->wire + k]], 0);
    }
  }
  return to;
}

/** In discrete gradient methods what one storage of a group of constraints gives depends on the whole
 *  group, and on all that its constraints depend on (discrete_constraints.c). */
static bool couple_groups(sb_pattern *p, sb_workspace *work) {
  if (!sb_has_multipliers(&p->program->causality)) {
    return true;
  }
  const sb_constraint_groups *g = sb_constraint_groups_of(work);
  if (g == NULL) {
    return false;
  }
  const sb_pattern_row *signals = collect_signals(p);
  for (int i = 0; i < p->network->state_count; i++) {
    sb_pattern_row *row = &p->rates[i];
    bool constrained = false;
    begin(p, row);
    for (int k = 0, count = row->count; k < count; k++) {
      int number = g->group_of[row->terms[k].var];
      if (number >= 0 && g->groups[number].has_multiplier) {
        constrained = true;
        for (int j = 0; j < g->groups[number].state_count; j++) {
          add(p, row, g->groups[number].states[j], 0);
        }
      }
    }
    if (constrained) {
      add_row(p, row, signals, 0);
    }
  }
  return true;
}

bool sb_pattern_init(sb_pattern *p, sb_workspace *work, bool discrete) {
  int n = work->network->state_count;
  *p = (sb_pattern){.network = work->network, .program = work->program};
  p->values = sb_arena_zeroed(&p->memory, work->program->value_count, sizeof *p->values);
  p->rates = sb_arena_zeroed(&p->memory, n, sizeof *p->rates);
  p->stamp = sb_arena_zeroed(&p->memory, n, sizeof(int));
  p->slot = sb_arena_zeroed(&p->memory, n, sizeof(int));
  if (p->values == NULL || p->rates == NULL || p->stamp == NULL || p->slot == NULL) {
    return false;
  }
  visit_program(p);
  if (discrete && !couple_groups(p, work)) {
    return false;
  }
  for (int i = 0; i < n; i++) {
    p->rates[i].nonlinear = p->rates[i].nonlinear || discrete;
    begin(p, &p->rates[i]);
    add(p, &p->rates[i], i, 0); // the diagonal
  }
  return !p->failed;
}

void sb_pattern_finish(sb_pattern *p) {
  sb_arena_finish(&p->memory);
}
