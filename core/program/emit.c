// SPDX-License-Identifier: GPL-3.0-or-later
// From an assigned causality, in the order of data dependence, to a program. Every variable that is a
// multiple of one other, or is used once, is substituted where it is used, so that a linear network
// ends as one sparse matrix of no more entries than the network itself has. What remains becomes a
// temporary.

#include "core/program/schedule_private.h"

/** Longest combination that is still substituted: bounds the work of long chains. */
enum { INLINE_MAX = 8 };

static void gather_node(sb_schedule *s, int node, double factor);

/** Adds factor * var to the combination being built, var replaced by its own combination. */
static void gather(sb_schedule *s, int var, double factor) {
  sb_term term = {var, factor};
  if (var < s->base) {
    gather_node(s, var, factor);
  } else if (s->seen[var] == s->stamp) {
    s->work[s->slot[var]].factor += factor;
  } else if (sb_arena_append(&s->memory, &s->work, &s->work_count, &s->work_capacity, sizeof term,
                             &term)) {
    s->seen[var] = s->stamp;
    s->slot[var] = s->work_count - 1;
  }
}

/** The combination that was stored for a variable or for its rate. */
static void gather_node(sb_schedule *s, int node, double factor) {
  for (int i = 0; i < s->count[node]; i++) {
    const sb_term term = s->terms[s->first[node] + i];
    gather(s, term.var, factor * term.factor);
  }
}

/** Adds factor * d/dt of a variable, state or value. */
static void gather_rate(sb_schedule *s, int var, double factor) {
  if (var < s->base) {
    gather_node(s, s->base + var, factor);
    return;
  }
  sb_term rate = sb_rate_of(s->network, s->causality, var);
  gather(s, rate.var, factor * rate.factor);
}

/** Drops terms that cancelled. */
static void compact(sb_schedule *s) {
  int count = 0;
  for (int i = 0; i < s->work_count; i++) {
    if (s->work[i].factor != 0) {
      s->work[count++] = s->work[i];
    }
  }
  s->work_count = count;
}

/** Whether a row is the next component of what the last row does. */
static bool continues_last(const sb_program *p, const sb_row *row, bool open) {
  const sb_row *last = open && p->row_count > 0 ? &p->rows[p->row_count - 1] : NULL;
  if (last == NULL || row->count == 0 || row->count != last->count || row->states > 0 ||
      last->states > 0 || row->dest != last->dest + last->repeat) {
    return false;
  }
  for (int k = 0; k < row->count; k++) {
    if (p->index[row->first + k] != p->index[last->first + k] + last->repeat ||
        p->factor[row->first + k] != p->factor[last->first + k]) {
      return false;
    }
  }
  return true;
}

void sb_emit_row(sb_schedule *s, int dest) {
  sb_program *p = s->program;
  int base = s->base, states = base + s->network->state_count;
  sb_row row = {.dest = dest, .first = p->term_count, .count = s->work_count, .repeat = 1};
  bool open = p->op_count > 0 && p->ops[p->op_count - 1].kind == SB_OP_ROWS;
  sb_op op = {SB_OP_ROWS, -1, p->row_count, 0};
  if (!open) {
    sb_arena_append(&p->memory, &p->ops, &p->op_count, &p->op_capacity, sizeof op, &op);
  }
  sb_arena_grow(&p->memory, &p->index, &p->index_capacity, row.first + row.count, sizeof(int));
  sb_arena_grow(&p->memory, &p->factor, &p->factor_capacity, row.first + row.count, sizeof(double));
  if (p->memory.failed) {
    return;
  }
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < s->work_count; i++) {
      bool state = s->work[i].var < states;
      if (state == (pass == 0)) {
        p->index[p->term_count] = s->work[i].var - (state ? base : states);
        p->factor[p->term_count++] = s->work[i].factor;
        row.states += state;
      }
    }
  }
  if (continues_last(p, &row, open)) {
    p->rows[p->row_count - 1].repeat++;
    p->term_count = row.first;
    return;
  }
  p->ops[p->op_count - 1].count++;
  sb_arena_append(&p->memory, &p->rows, &p->row_count, &p->row_capacity, sizeof row, &row);
}

void sb_emit_store(sb_schedule *s, int var) {
  s->first[var] = s->term_count;
  for (int i = 0; i < s->work_count; i++) {
    sb_arena_append(&s->memory, &s->terms, &s->term_count, &s->term_capacity, sizeof(sb_term),
                    &s->work[i]);
  }
  s->count[var] = s->term_count - s->first[var];
}

/** Puts the combination at hand into a temporary and makes it the combination. */
static void make_temporary(sb_schedule *s) {
  int value = s->program->value_count++;
  sb_emit_row(s, value);
  s->work_count = 1;
  s->work[0] = (sb_term){s->base + s->network->state_count + value, 1};
}

void sb_emit_combine(sb_schedule *s, const sb_term terms[], int count, bool rates) {
  s->stamp++;
  s->work_count = 0;
  for (int i = 0; i < count; i++) {
    (rates ? gather_rate : gather)(s, terms[i].var, terms[i].factor);
  }
  compact(s);
}

void sb_emit_combine_node(sb_schedule *s, int node) {
  const sb_causality *c = s->causality;
  int var = node % s->base;
  sb_emit_combine(s, &c->terms[c->first[var]], c->count[var], node >= s->base);
}

static void emit_variable(sb_schedule *s, int node) {
  sb_emit_combine_node(s, node);
  if (s->work_count > 1 && (s->uses[node] > 1 || s->work_count > INLINE_MAX)) {
    make_temporary(s);
  }
  sb_emit_store(s, node);
}

void sb_emit_combine_sensor(sb_schedule *s, const sb_op *op) {
  const sb_sensor *sensor = &s->network->sensors[op->instance];
  sb_emit_combine(s, &(sb_term){sensor->var, sensor->sign}, 1, op->kind == SB_OP_SENSOR_DOT);
}

int sb_emit_sensor_value(const sb_schedule *s, const sb_op *op) {
  int value = s->network->sensors[op->instance].value;
  return op->kind == SB_OP_SENSOR ? value : sb_rate_value(s->network, value);
}

void sb_emit_combine_input(sb_schedule *s, int instance, int component, bool rate) {
  sb_term input;
  input.var = sb_schedule_input(s, instance, component, &input.factor);
  sb_emit_combine(s, &input, 1, rate);
}

static void emit_hook(sb_schedule *s, const sb_op *op) {
  sb_program *p = s->program;
  if (op->kind == SB_OP_ALGEBRAIC) {
    int instance = s->causality->algebraics[op->instance].instance;
    sb_op own = {op->kind, instance, op->instance, 0};
    sb_arena_append(&p->memory, &p->ops, &p->op_count, &p->op_capacity, sizeof own, &own);
    return;
  }
  if (sb_operations[op->kind].row) { // a sensor: constraints are always in loops
    sb_emit_combine_sensor(s, op);
    sb_emit_row(s, sb_emit_sensor_value(s, op));
    return;
  }
  const sb_instance *instance = &s->network->instances[op->instance];
  const sb_operation *operation = &sb_operations[op->kind];
  int shift = sb_rate_value(s->network, 0);
  for (int rate = 0; rate < 1 + operation->reads_rates; rate++) {
    for (int k = 0; k < instance->components; k++) {
      if (sb_components_hold(sb_operation_reads(s->network, op), instance, k)) {
        sb_emit_combine_input(s, op->instance, k, rate);
        sb_emit_row(s, instance->in + k + (rate ? shift : 0));
      }
    }
  }
  sb_arena_append(&p->memory, &p->ops, &p->op_count, &p->op_capacity, sizeof *op, op);
}

/** A factor of a product: one state or value times a number; a longer combination becomes a
 *  temporary. The factor of an empty combination is 0. */
static void single(sb_schedule *s, int var, int *index, double *factor) {
  sb_emit_combine(s, &(sb_term){var, 1}, 1, false);
  if (s->work_count > 1) {
    make_temporary(s);
    sb_emit_store(s, var);
  }
  *index = s->work_count == 0 ? 0 : s->work[0].var - s->base;
  *factor = s->work_count == 0 ? 0 : s->work[0].factor;
}

static void emit_products(sb_schedule *s) {
  sb_program *p = s->program;
  for (int i = 0; i < s->network->instance_count; i++) {
    const sb_instance *instance = &s->network->instances[i];
    for (int k = 0; instance->quadrature >= 0 && k < instance->components; k++) {
      sb_product product = {.dest = instance->quadrature, .count = 1};
      double a, b;
      single(s, sb_effort_var(instance, k), &product.a, &a);
      single(s, sb_flow_var(instance, k), &product.b, &b);
      product.factor = a * b * instance->signs[k];
      if (product.factor != 0) {
        sb_arena_append(&p->memory, &p->products, &p->product_count, &p->product_capacity,
                        sizeof product, &product);
      }
    }
  }
}

/** Notes that a node of the order has been emitted. */
static void note_made(sb_schedule *s, int node) {
  const sb_scc one = {0, 1}, *scc = node < 0 ? &s->sccs[-1 - node] : &one;
  const int *members = node < 0 ? s->members + scc->first : &node;
  for (int i = 0; i < scc->count; i++) {
    s->made[members[i]] = 1;
  }
}

void sb_schedule_emit(sb_schedule *s) {
  s->made = sb_arena_zeroed(&s->memory, s->nodes + s->op_count, sizeof(char));
  if (s->made == NULL) {
    return;
  }
  for (int i = 0; i < s->order_count; i++) {
    int node = s->order[i];
    note_made(s, node);
    if (node < 0) {
      sb_emit_loop(s, &s->sccs[-1 - node]);
    } else if (node < s->nodes) {
      emit_variable(s, node);
    } else {
      emit_hook(s, &s->ops[node - s->nodes]);
    }
  }
  emit_products(s);
}
