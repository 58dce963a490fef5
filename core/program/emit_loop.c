// SPDX-License-Identifier: GPL-3.0-or-later
// An algebraic loop of a program: the outputs y of hooks that depend on each other solve
//   y = hooks(b + A y),
// with the matrix A from the rows between the hooks, and b by rows before the loop.
#include <string.h>

#include "core/causality/constraint.h"
#include "core/program/schedule_private.h"

/** Makes what a condition wants to be zero the combination at hand: the rate of a constraint, or a balance.
 *  @param value  its value of the program */
static void combine_condition(sb_schedule *s, int value) {
  const sb_causality *c = s->causality;
  int own = value - sb_multiplier_value(s->network, c, 0), count;
  if (own >= 0) {
    const sb_term *terms = sb_constraint_terms(c, own / 2, &count);
    sb_emit_combine(s, terms, count, true);
  } else {
    const sb_algebraic *a = &c->algebraics[(value - sb_algebraic_value(s->network, 0)) / 3];
    sb_emit_combine(s, c->balance_terms + a->balance, a->balance_count, false);
  }
}

/** Whether all members of the component that a variable is made of have been combined. */
static bool is_ready(const sb_schedule *s, int node) {
  const sb_causality *c = s->causality;
  int var = node % s->base;
  for (int k = 0; k < c->count[var]; k++) {
    int term = c->terms[c->first[var] + k].var;
    int below = node < s->base ? term : sb_schedule_rate_node(s, term);
    if (below < (node < s->base ? s->base : s->nodes) && s->count[below] < 0) {
      return false;
    }
  }
  return true;
}

/** Combinations of the variables of a component, over the outputs of its hooks as well: in an order in
 *  which each comes after those of the component that it is made of. */
static void expand_scc(sb_schedule *s, const sb_scc *scc) {
  int left = 0;
  for (int i = 0; i < scc->count; i++) {
    int node = s->members[scc->first + i];
    if (node < s->nodes) {
      s->count[node] = -1;
      left++;
    }
  }
  for (int before = left + 1; left > 0 && left < before;) {
    before = left;
    for (int i = 0; i < scc->count; i++) {
      int node = s->members[scc->first + i];
      if (node < s->nodes && s->count[node] < 0 && is_ready(s, node)) {
        sb_emit_combine_node(s, node);
        sb_emit_store(s, node);
        left--;
      }
    }
  }
}

/** The column of a variable among the outputs of a loop; -1: none. */
static int loop_column(const sb_schedule *s, const sb_loop *loop, int var) {
  const int *outputs = s->program->loop_outputs + loop->first_output;
  int value = var - s->base - s->network->state_count;
  for (int k = 0; k < loop->output_count; k++) {
    if (outputs[k] == value) {
      return k;
    }
  }
  return -1;
}

static void add_loop_input(sb_schedule *s, sb_loop *loop, int value) {
  sb_program *p = s->program;
  sb_arena_append(&p->memory, &p->loop_inputs, &p->loop_input_count, &p->loop_input_capacity,
                  sizeof value, &value);
  loop->input_count = p->loop_input_count - loop->first_input;
}

static void add_loop_output(sb_schedule *s, sb_loop *loop, int value) {
  sb_program *p = s->program;
  sb_arena_append(&p->memory, &p->loop_outputs, &p->loop_output_count, &p->loop_output_capacity,
                  sizeof value, &value);
  static const bool none = false;
  sb_arena_append(&p->memory, &p->loop_feeds, &p->loop_feed_count, &p->loop_feed_capacity,
                  sizeof none, &none);
  loop->output_count = p->loop_output_count - loop->first_output;
}

/** A term of the last input of a loop, in its place among those that there are. */
static void add_loop_term(sb_program *p, const sb_loop *loop, int column, double factor) {
  const sb_loop_term term = {column, factor};
  if (factor == 0 || !sb_arena_append(&p->memory, &p->loop_terms, &p->loop_term_count,
                                      &p->loop_term_capacity, sizeof term, &term)) {
    return;
  }
  p->loop_feeds[loop->first_output + column] = true;
  sb_loop_row *row = &p->loop_rows[p->loop_row_count - 1];
  sb_loop_term *terms = p->loop_terms + row->first;
  int place = row->count++;
  for (; place > 0 && terms[place - 1].column > column; place--) {
    terms[place] = terms[place - 1];
  }
  terms[place] = term;
}

/** The combination at hand, of an input: its terms in outputs go to the matrix, the rest to a row. */
static void emit_loop_row(sb_schedule *s, const sb_loop *loop, int value) {
  sb_program *p = s->program;
  int kept = 0;
  for (int i = 0; i < s->work_count; i++) {
    int column = loop_column(s, loop, s->work[i].var);
    if (column >= 0) {
      add_loop_term(p, loop, column, s->work[i].factor);
    } else {
      s->work[kept++] = s->work[i];
    }
  }
  s->work_count = kept;
  sb_emit_row(s, value);
}

/** The hook of a member of a component; NULL: it is a variable or a sensor. */
static const sb_op *op_in_scc(const sb_schedule *s, const sb_scc *scc, int member) {
  const sb_op *op = sb_schedule_op(s, s->members[scc->first + member]);
  return op == NULL || (sb_operations[op->kind].row && !sb_operation_is_condition(op->kind)) ? NULL
                                                                                             : op;
}

/** The outputs of a hook of an instance. */
static void list_instance_outputs(sb_schedule *s, const sb_op *op, sb_loop *loop) {
  const sb_instance *instance = &s->network->instances[op->instance];
  const sb_operation *operation = &sb_operations[op->kind];
  int shift = operation->dot ? sb_rate_value(s->network, 0) : 0;
  for (int k = 0; k < instance->components; k++) {
    if (sb_components_hold(operation->gives, instance, k)) {
      add_loop_output(s, loop, shift + instance->out + k);
    }
  }
  for (int k = 0; operation->gives_signals && k < instance->signal_count; k++) {
    add_loop_output(s, loop, shift + instance->signal + k);
  }
  if (op->kind == SB_OP_MEASURE) {
    add_loop_output(s, loop, s->network->sensors[op->count].value);
  }
}

/** The value that a condition wants to be zero, or that of its unknown. */
static int condition_value(const sb_schedule *s, const sb_op *op, bool zero) {
  if (op->kind == SB_OP_MULTIPLIER) {
    return (zero ? sb_constraint_rate_value : sb_multiplier_value)(s->network, s->causality,
                                                                   op->instance);
  }
  return (zero ? sb_balance_value : sb_algebraic_rate_value)(s->network, op->instance);
}

/** The first value of the vector of which a constraint holds one component: those of a port of two or three have one
 *  unit, and axes that anything may have turned. -1: it is of none. */
static int vector_of(const sb_schedule *s, int constraint) {
  int count;
  const sb_term *term = sb_constraint_terms(s->causality, constraint, &count);
  const int value = count == 1 ? term->var - sb_value_var(s->network, 0) : -1;
  for (int i = 0; value >= 0 && i < s->network->instance_count; i++) {
    const sb_instance *instance = &s->network->instances[i];
    int first = instance->out;
    for (int k = 0; instance->hooked && k < instance->layout.port_count;
         first += instance->layout.ports[k++].dim) {
      const int dim = instance->layout.ports[k].dim;
      if (value >= first && value < first + dim) {
        return dim == 2 || dim == 3 ? first : -1;
      }
    }
  }
  return -1;
}

/** The outputs of the hooks of a component are the unknowns of a loop. */
static void list_loop_outputs(sb_schedule *s, const sb_scc *scc, sb_loop *loop) {
  sb_program *p = s->program;
  for (int i = 0; i < scc->count; i++) {
    const sb_op *op = op_in_scc(s, scc, i);
    if (op == NULL) {
      continue;
    }
    const sb_causality *c = s->causality;
    bool condition = sb_operation_is_condition(op->kind);
    int instance = op->kind == SB_OP_MULTIPLIER ? c->constraints[op->instance].where
                   : condition                  ? c->algebraics[op->instance].instance
                                                : op->instance;
    sb_loop_hook lh = {.op = {op->kind, instance, 0, op->count},
                       .first_output = loop->output_count,
                       .vector = op->kind == SB_OP_MULTIPLIER ? vector_of(s, op->instance) : -1,
                       .contact =
                           op->kind == SB_OP_MULTIPLIER
                               ? sb_constraint_contact(s->network, s->causality, op->instance)
                               : -1};
    loop->condition_count += condition;
    if (condition) {
      add_loop_output(s, loop, condition_value(s, op, false));
    } else {
      list_instance_outputs(s, op, loop);
    }
    lh.output_count = loop->output_count - lh.first_output;
    sb_arena_append(&p->memory, &p->loop_hooks, &p->loop_hook_count, &p->loop_hook_capacity,
                    sizeof lh, &lh);
  }
  loop->count = p->loop_hook_count - loop->first;
}

/** Of a value that a wire reads: whether it comes out of the loop, and if so through which sensor,
 *  or (NULL) directly. */
static bool made_in_loop(const sb_schedule *s, const sb_scc *scc, const sb_loop *loop, int value,
                         const sb_op **sensor) {
  *sensor = NULL;
  for (int i = 0; i < scc->count; i++) {
    const sb_op *op = sb_schedule_op(s, s->members[scc->first + i]);
    if (op != NULL && (op->kind == SB_OP_SENSOR || op->kind == SB_OP_SENSOR_DOT) &&
        sb_emit_sensor_value(s, op) == value) {
      *sensor = op;
      return true;
    }
  }
  return loop_column(s, loop, sb_value_var(s->network, value)) >= 0;
}

/** What a wire, or its rate, brings into a loop from it. */
static void list_wire(sb_schedule *s, const sb_scc *scc, sb_loop *loop, int value) {
  const sb_op *sensor;
  if (made_in_loop(s, scc, loop, value, &sensor)) {
    add_loop_input(s, loop, sensor != NULL ? value : -1 - value);
  }
}

/** What the hook of an instance reads of a loop: ports, sensors and signals, and their rates. */
static void list_instance_inputs(sb_schedule *s, const sb_scc *scc, const sb_op *op,
                                 sb_loop *loop) {
  const sb_instance *instance = &s->network->instances[op->instance];
  const sb_operation *operation = &sb_operations[op->kind];
  int shift = sb_rate_value(s->network, 0);
  for (int k = 0; k < instance->components; k++) {
    bool reads = sb_components_hold(sb_operation_reads(s->network, op), instance, k);
    for (int rate = 0; reads && rate < 1 + operation->reads_rates; rate++) {
      add_loop_input(s, loop, instance->in + k + (rate ? shift : 0));
    }
  }
  for (int k = 0; k < instance->wire_count; k++) {
    bool rates = k < sb_operation_wire_rates(op->kind, instance);
    for (int rate = 0; rate < 1 + rates; rate++) {
      list_wire(s, scc, loop, s->network->wires[instance->wire + k] + (rate ? shift : 0));
    }
  }
  const bool left = op->kind == SB_OP_MEASURE && instance->signal_count > 0 &&
                    loop_column(s, loop, sb_value_var(s->network, instance->signal)) >= 0;
  for (int k = 0; left && k < instance->signal_count; k++) {
    list_wire(s, scc, loop, instance->signal + k);
  }
}

/** What the hooks of a loop read of it. */
static void list_loop_inputs(sb_schedule *s, const sb_scc *scc, sb_loop *loop) {
  for (int i = 0, h = loop->first; i < scc->count; i++) {
    const sb_op *op = op_in_scc(s, scc, i);
    if (op == NULL) {
      continue;
    }
    sb_loop_hook *lh = &s->program->loop_hooks[h++];
    lh->first_input = loop->input_count;
    if (sb_operation_is_condition(op->kind)) {
      add_loop_input(s, loop, condition_value(s, op, true));
    } else {
      list_instance_inputs(s, scc, op, loop);
    }
    lh->input_count = loop->input_count - lh->first_input;
  }
}

/** Makes what an input of a loop reads the combination at hand. */
static void combine_loop_input(sb_schedule *s, const sb_scc *scc, const sb_loop *loop, int instance,
                               int value) {
  const sb_instance *reader = &s->network->instances[instance];
  int shift = sb_rate_value(s->network, 0);
  bool rate = value >= shift;
  int port = value - (rate ? shift : 0) - reader->in;
  const sb_op *sensor;
  if (value >= sb_algebraic_value(s->network, 0)) {
    combine_condition(s, value);
  } else if (reader->hooked && port >= 0 && port < reader->components) {
    sb_emit_combine_input(s, instance, port, rate);
  } else if (made_in_loop(s, scc, loop, value, &sensor)) {
    sb_emit_combine_sensor(s, sensor);
  }
}

static void emit_loop_input(sb_schedule *s, const sb_scc *scc, const sb_loop *loop,
                            const sb_loop_hook *hook, int input) {
  int value = s->program->loop_inputs[loop->first_input + input];
  if (value < 0) { // an output itself
    int column = loop_column(s, loop, sb_value_var(s->network, -1 - value));
    add_loop_term(s->program, loop, column, 1);
    return;
  }
  combine_loop_input(s, scc, loop, hook->op.instance, value);
  emit_loop_row(s, loop, value);
}

/** Adds the combination at hand to the bonds of a loop, if its outputs are in it. */
static void add_bond(sb_schedule *s, const sb_loop *loop) {
  sb_program *p = s->program;
  sb_loop_bond bond = {.first = p->loop_bond_term_count};
  bool any = false;
  for (int k = 0; k < s->work_count && !any; k++) {
    any = loop_column(s, loop, s->work[k].var) >= 0;
  }
  for (int k = 0; any && k < s->work_count; k++) {
    const int column = loop_column(s, loop, s->work[k].var);
    const sb_loop_term term = {column < 0 ? s->base - 1 - s->work[k].var : column,
                               s->work[k].factor};
    bond.count += sb_arena_append(&p->memory, &p->loop_bond_terms, &p->loop_bond_term_count,
                                  &p->loop_bond_term_capacity, sizeof term, &term);
  }
  if (any) {
    sb_arena_append(&p->memory, &p->loop_bonds, &p->loop_bond_count, &p->loop_bond_capacity,
                    sizeof bond, &bond);
  }
}

/** Whether all that a variable is made of is there. */
static bool is_made_of_made(const sb_schedule *s, int var) {
  const sb_causality *c = s->causality;
  bool all = true;
  for (int k = 0; all && k < c->count[var]; k++) {
    const int node = sb_schedule_node(s, c->terms[c->first[var] + k].var);
    all = node < 0 || s->made[node];
  }
  return all;
}

/** The bond variables that multipliers act on, and nothing behind the loop besides. */
static void list_bonds(sb_schedule *s, sb_loop *loop) {
  enum { HERE = 2 };
  const int *order = s->causality->order;
  loop->first_bond = s->program->loop_bond_count;
  for (int i = 0; i < s->base && loop->condition_count > 0; i++) {
    const bool made = s->made[order[i]] != 0;
    if (made || is_made_of_made(s, order[i])) {
      sb_emit_combine_node(s, order[i]);
      add_bond(s, loop);
    }
    if (!made && is_made_of_made(s, order[i])) {
      sb_emit_store(s, order[i]);
      s->made[order[i]] = HERE;
    }
  }
  for (int i = 0; i < s->base; i++) {
    s->made[i] = s->made[i] == HERE ? 0 : s->made[i];
  }
  loop->bond_count = s->program->loop_bond_count - loop->first_bond;
}

void sb_emit_loop(sb_schedule *s, const sb_scc *scc) {
  sb_program *p = s->program;
  sb_loop loop = {.first = p->loop_hook_count,
                  .first_input = p->loop_input_count,
                  .first_output = p->loop_output_count};
  list_loop_outputs(s, scc, &loop);
  if (!p->memory.failed) {
    list_loop_inputs(s, scc, &loop);
  }
  expand_scc(s, scc);
  for (int h = 0; h < loop.count && !p->memory.failed; h++) {
    const sb_loop_hook *hook = &p->loop_hooks[loop.first + h];
    for (int k = 0; k < hook->input_count; k++) {
      const sb_loop_row row = {.first = p->loop_term_count};
      if (sb_arena_append(&p->memory, &p->loop_rows, &p->loop_row_count, &p->loop_row_capacity,
                          sizeof row, &row)) {
        emit_loop_input(s, scc, &loop, hook, hook->first_input + k);
      }
    }
  }
  list_bonds(s, &loop);
  if (p->memory.failed) {
    return;
  }
  sb_op op = {SB_OP_LOOP, p->loop_hooks[loop.first].op.instance, p->loop_count, 0};
  sb_arena_append(&p->memory, &p->loops, &p->loop_count, &p->loop_capacity, sizeof loop, &loop);
  sb_arena_append(&p->memory, &p->ops, &p->op_count, &p->op_capacity, sizeof op, &op);
}
