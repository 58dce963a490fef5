// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/live.h"

#include <stdlib.h>
#include <string.h>

/** Takes room for `count` things out of a block; without a block it only counts. */
static void *take(char *block, size_t *used, int count, size_t size) {
  void *result = block == NULL ? NULL : block + *used;
  *used += ((size_t)count * size + 15) / 16 * 16;
  return result;
}

/** Of the instances that read by ports. */
static int count_ports(const sb_network *network) {
  int count = 0;
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    count += instance->type->by_ports ? instance->layout.port_count : 0;
  }
  return count;
}

/** @return the size of the block */
static size_t lay_out(sb_live *live, const sb_network *network, const sb_program *p, char *block) {
  size_t used = 0;
  live->port_count = count_ports(network);
  live->part.ops = take(block, &used, p->op_count, sizeof(sb_op));
  live->part.rows = take(block, &used, p->row_count, sizeof(sb_row));
  live->part.index = take(block, &used, p->term_count, sizeof(int));
  live->part.factor = take(block, &used, p->term_count, sizeof(double));
  live->part.extras = take(block, &used, p->extra_count, sizeof(sb_rate_extra));
  live->part.products = take(block, &used, p->product_count, sizeof(sb_product));
  live->calls = take(block, &used, p->op_count, sizeof(sb_call));
  live->rated = take(block, &used, p->op_count, sizeof(sb_span));
  live->still = take(block, &used, network->instance_count, sizeof(sb_span));
  live->integrals = take(block, &used, network->integral_count, sizeof(int));
  live->integral_call = take(block, &used, network->integral_count, sizeof(int));
  live->modes = take(block, &used, network->mode_count, sizeof(int));
  live->leader = take(block, &used, network->instance_count, sizeof(int));
  live->copy_of = take(block, &used, p->value_count, sizeof(int));
  live->source = take(block, &used, network->instance_count, sizeof(int));
  live->first_port = take(block, &used, network->instance_count, sizeof(int));
  live->port_source = take(block, &used, live->port_count, sizeof(int));
  live->port = take(block, &used, live->port_count, sizeof(double *));
  live->idle = take(block, &used, network->instance_count, sizeof(bool));
  live->given = take(block, &used, p->value_count, sizeof(bool));
  live->zero = take(block, &used, p->value_count, sizeof(bool));
  live->looped = take(block, &used, p->value_count, sizeof(bool));
  return used;
}

static bool idles(const sb_instance *instance) {
  return instance->mode >= 0 && instance->hooked && instance->type->switching->modes.idle != NULL;
}

/** The instance that gives a signal; -1: none. They stand in the order of their signals. */
static int giver(const sb_network *network, int value) {
  int low = 0, high = network->instance_count;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    *(network->instances[middle].signal <= value ? &low : &high) = middle;
  }
  const sb_instance *found = &network->instances[low];
  return value < found->signal + found->signal_count ? low : -1;
}

/** Who may be idle, and with whom. Loops solve for what hooks give, and rates of what they give are not known to
 *  be zero. */
static void find_leaders(sb_live *live, const sb_network *network, const sb_program *p) {
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    int wire = instance->type->idles_with - 1;
    int with =
        wire < 0 || !instance->hooked ? i : giver(network, network->wires[instance->wire + wire]);
    live->leader[i] = with >= 0 && idles(&network->instances[with]) ? with : -1;
  }
  for (int i = 0; i < network->sensor_count; i++) { // what is apart has a gap and places to be read
    if (sb_sensor_measures(&network->sensors[i])) {
      live->leader[network->sensors[i].instance] = -1;
    }
  }
  for (int i = 0; i < p->loop_hook_count; i++) {
    live->leader[p->loop_hooks[i].op.instance] = -1;
  }
  for (int i = 0; i < p->loop_input_count; i++) {
    if (p->loop_inputs[i] >= 0) {
      live->looped[p->loop_inputs[i]] = true;
    }
  }
  for (int i = 0; i < p->op_count; i++) {
    if (p->ops[i].instance >= 0 && sb_operations[p->ops[i].kind].dot) {
      live->leader[p->ops[i].instance] = -1;
    }
  }
}

bool sb_live_reserve(sb_live *live, const sb_network *network, const sb_program *program) {
  live->program = NULL;
  live->possible = program->op_count > 0;
  if (!live->possible) {
    return true;
  }
  char *block = calloc(1, lay_out(live, network, program, NULL));
  if (block == NULL) {
    return false;
  }
  free(live->block);
  live->block = block;
  (void)lay_out(live, network, program, block);
  find_leaders(live, network, program);
  sb_live_find_inputs(live, network, program);
  return true;
}

void sb_live_finish(sb_live *live) {
  free(live->block);
}

static bool all_zero(const sb_live *live, int first, int count) {
  int i = 0;
  while (i < count && live->zero[first + i]) {
    i++;
  }
  return i == count;
}

static void set_zero(sb_live *live, int first, int count, double values[]) {
  for (int i = first; i < first + count; i++) {
    live->zero[i] = true;
    values[i] = 0;
  }
}

static bool is_looped(const sb_live *live, const sb_row *row) {
  int i = 0;
  while (i < row->repeat && !live->looped[row->dest + i]) {
    i++;
  }
  return i < row->repeat;
}

/** A row without its terms that are zero; one that has none left is done once and for all, unless a loop adds what it
 *  solves for to it. */
static void add_row(sb_live *live, const sb_program *p, const sb_row *row, double values[]) {
  sb_program *part = &live->part;
  sb_row own = {
      .dest = row->dest, .first = part->term_count, .states = row->states, .repeat = row->repeat};
  bool whole = is_looped(live, row);
  for (int k = 0; k < row->count; k++) {
    int index = p->index[row->first + k];
    if (whole || k < row->states || !all_zero(live, index, row->repeat)) {
      part->index[part->term_count] = index;
      part->factor[part->term_count++] = p->factor[row->first + k];
    }
  }
  own.count = part->term_count - own.first;
  if (own.count == 0 && !whole) {
    set_zero(live, row->dest, row->repeat, values);
    return;
  }
  part->rows[part->row_count++] = own;
}

/** The rows of a block that are, or are not, inputs that no hook reads. */
static void add_rows(sb_live *live, const sb_program *p, const sb_op *op, bool given,
                     double values[]) {
  for (int r = op->first; r < op->first + op->count; r++) {
    if (live->given[p->rows[r].dest] == given) {
      add_row(live, p, &p->rows[r], values);
    }
  }
}

bool sb_live_is_steady(const sb_network *network, const sb_op *op) {
  const sb_instance *instance = op->instance < 0 ? NULL : &network->instances[op->instance];
  return op->kind == SB_OP_VALUE && instance->type->source != NULL &&
         instance->type->source->steady != NULL && instance->type->source->steady(instance->self);
}

/** An operation that is no block of rows. */
static void add_operation(sb_live *live, const sb_network *network, sb_op op) {
  bool hook = sb_operations[op.kind].hook != NULL;
  if (sb_operation_is_condition(op.kind) ||
      (hook && (live->idle[op.instance] || sb_live_is_steady(network, &op)))) {
    return;
  }
  live->part.ops[live->part.op_count++] = op;
}

static void add_operations(sb_live *live, const sb_network *network, const sb_program *p,
                           double values[]) {
  sb_program *part = &live->part;
  for (int i = 0; i < p->op_count; i++) {
    sb_op op = p->ops[i], *last = part->op_count > 0 ? &part->ops[part->op_count - 1] : NULL;
    if (op.kind != SB_OP_ROWS) {
      add_operation(live, network, op);
      continue;
    }
    int first = part->row_count;
    add_rows(live, p, &op, false, values);
    op.first = first;
    op.count = part->row_count - first;
    if (last != NULL && last->kind == SB_OP_ROWS) {
      last->count += op.count;
    } else if (op.count > 0) {
      part->ops[part->op_count++] = op;
    }
  }
  live->inputs = (sb_op){SB_OP_ROWS, -1, part->row_count, 0};
  for (int i = 0; i < p->op_count; i++) {
    if (p->ops[i].kind == SB_OP_ROWS) {
      add_rows(live, p, &p->ops[i], true, values);
    }
  }
  live->inputs.count = part->row_count - live->inputs.first;
}

/** The inputs of an instance that no hook reads. */
static void mark_given(sb_live *live, int index, const sb_instance *instance) {
  if (live->idle[index] || live->source[index] != instance->in) {
    memset(live->given + instance->in, true, (size_t)instance->components * sizeof *live->given);
  }
  for (int k = 0; live->first_port[index] >= 0 && k < instance->layout.port_count; k++) {
    int in = instance->in + instance->first[k];
    if (live->port_source[live->first_port[index] + k] != in) {
      memset(live->given + in, true, (size_t)instance->layout.ports[k].dim * sizeof *live->given);
    }
  }
}

/** Who is idle in these modes, and what follows at once.
 *  @param anew  nothing is known of what the values are from before */
static void find_idle(sb_live *live, const sb_network *network, bool anew, double values[]) {
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    const sb_instance *leader = live->leader[i] < 0 ? NULL : &network->instances[live->leader[i]];
    const bool idled = live->idle[i] && !anew;
    live->idle[i] = leader != NULL &&
                    leader->type->switching->modes.idle(leader->self, live->modes[leader->mode]);
    mark_given(live, i, instance);
    if (!live->idle[i]) {
      continue;
    }
    if (idled) { // they are zero, but for what hooks keep for each other in their signals
      memset(live->zero + instance->out, true, (size_t)instance->components * sizeof *live->zero);
      memset(live->zero + instance->signal, true,
             (size_t)instance->signal_count * sizeof *live->zero);
    } else {
      set_zero(live, instance->out, instance->components, values);
      set_zero(live, instance->signal, instance->signal_count, values);
    }
    sb_span *last = live->still_count > 0 ? &live->still[live->still_count - 1] : NULL;
    if (last != NULL && last->first + last->count == instance->state) {
      last->count += instance->layout.states;
    } else if (instance->layout.states > 0) {
      live->still[live->still_count++] = (sb_span){instance->state, instance->layout.states};
    }
  }
}

/** What steady sources give that is zero. */
static void find_steady(sb_live *live, const sb_network *network, const sb_program *p,
                        const double values[]) {
  for (int i = 0; i < p->op_count; i++) {
    if (sb_live_is_steady(network, &p->ops[i])) {
      const sb_instance *instance = &network->instances[p->ops[i].instance];
      for (int k = instance->out; k < instance->out + instance->components; k++) {
        live->zero[k] = values[k] == 0;
      }
    }
  }
}

static void add_extras(sb_live *live, const sb_program *p) {
  for (int i = 0; i < p->extra_count; i++) {
    if (!live->zero[p->extras[i].index]) {
      live->part.extras[live->part.extra_count++] = p->extras[i];
    }
  }
}

static void add_products(sb_live *live, const sb_network *network, const sb_program *p) {
  for (int i = 0; i < p->product_count; i++) {
    const sb_product *product = &p->products[i];
    int a = product->a - network->state_count, b = product->b - network->state_count;
    if (!(a >= 0 && all_zero(live, a, product->count)) &&
        !(b >= 0 && all_zero(live, b, product->count))) {
      live->part.products[live->part.product_count++] = *product;
    }
  }
}

static void find_integrals(sb_live *live, const sb_network *network) {
  live->integral_count = 0;
  for (int i = 0; i < network->integral_count; i++) {
    if (!live->idle[network->integrals[i]]) {
      live->integrals[live->integral_count++] = network->integrals[i];
    }
  }
}

bool sb_live_adapts(sb_live *live, const sb_network *network, const sb_program *program,
                    const int modes[]) {
  bool same = live->program == program;
  for (int i = 0; i < network->instance_count && same; i++) {
    if (live->leader[i] >= 0) { // which may be followed, and not idle itself
      const sb_instance *leader = &network->instances[live->leader[i]];
      const int mode = modes[leader->mode];
      same = mode == live->modes[leader->mode] ||
             leader->type->switching->modes.idle(leader->self, mode) == live->idle[i];
    }
  }
  if (same) {
    memcpy(live->modes, modes, (size_t)network->mode_count * sizeof *modes);
  }
  return same;
}

void sb_live_make(sb_live *live, const sb_network *network, const sb_program *program,
                  const int modes[], double values[]) {
  const sb_program own = live->part;
  const bool anew = live->program != program;
  live->program = program;
  live->part = *program;
  live->part.ops = own.ops, live->part.rows = own.rows;
  live->part.index = own.index, live->part.factor = own.factor;
  live->part.extras = own.extras, live->part.products = own.products;
  live->part.op_count = live->part.row_count = live->part.term_count = 0;
  live->part.extra_count = live->part.product_count = live->still_count = 0;
  memcpy(live->modes, modes, (size_t)network->mode_count * sizeof *modes);
  memset(live->given, 0, (size_t)program->value_count * sizeof *live->given);
  memset(live->zero, 0, (size_t)program->value_count * sizeof *live->zero);
  find_idle(live, network, anew, values);
  find_integrals(live, network);
  find_steady(live, network, program, values);
  add_operations(live, network, program, values);
  add_extras(live, program);
  add_products(live, network, program);
}
