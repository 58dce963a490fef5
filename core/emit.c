// SPDX-License-Identifier: GPL-3.0-or-later
// From an assigned causality, in the order of data dependence, to a program. Every variable that is a
// multiple of one other, or is used once, is substituted where it is used, so that a linear network
// ends as one sparse matrix of no more entries than the network itself has. What remains becomes a
// temporary.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/schedule_private.h"

/** Longest combination that is still substituted: bounds the work of long chains. */
enum { INLINE_MAX = 8 };

static const sb_op_run runs[] = {
    [OP_OUTPUT] = sb_run_output,
    [OP_VALUE] = sb_run_value,
    [OP_LAW] = sb_run_law,
    [OP_FORWARD] = sb_run_forward,
    [OP_ADJOINT] = sb_run_adjoint,
    [OP_RATE] = sb_run_rate,
    [OP_SIGNAL] = sb_run_signal,
    [OP_SIGNAL_RATE] = sb_run_signal_rate,
    [OP_OUTPUT_DOT] = sb_run_output_dot,
    [OP_VALUE_DOT] = sb_run_value_dot,
    [OP_FORWARD_DOT] = sb_run_forward_dot,
    [OP_ADJOINT_DOT] = sb_run_adjoint_dot,
    [OP_SIGNAL_DOT] = sb_run_signal_dot,
    [OP_TIE] = sb_run_tie,
};

static bool gather_node(sb_schedule *s, int node, double factor);

/** Adds factor * var to the combination being built, var replaced by its own combination. */
static bool gather(sb_schedule *s, int var, double factor) {
  if (var < s->base) {
    return gather_node(s, var, factor);
  }
  if (s->seen[var] == s->stamp) {
    s->work[s->slot[var]].factor += factor;
    return true;
  }
  s->seen[var] = s->stamp;
  s->slot[var] = s->work_count;
  sb_term term = {var, factor};
  return sb_append(&s->work, &s->work_count, &s->work_capacity, sizeof term, &term);
}

/** The combination that was stored for a variable or for its rate. */
static bool gather_node(sb_schedule *s, int node, double factor) {
  for (int i = 0; i < s->count[node]; i++) {
    const sb_term term = s->terms[s->first[node] + i];
    if (!gather(s, term.var, factor * term.factor)) {
      return false;
    }
  }
  return true;
}

/** Adds factor * d/dt of a variable, state or value. */
static bool gather_rate(sb_schedule *s, int var, double factor) {
  if (var < s->base) {
    return gather_node(s, s->base + var, factor);
  }
  sb_term rate = sb_rate_of(s->model, s->causality, var);
  return gather(s, rate.var, factor * rate.factor);
}

static void begin(sb_schedule *s) {
  s->stamp++;
  s->work_count = 0;
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

/** Emits values[dest] = the combination at hand. */
static bool emit_row(sb_schedule *s, int dest) {
  sb_program *p = s->program;
  int base = s->base, states = base + s->model->state_count;
  sb_row row = {.dest = dest, .first = p->term_count, .count = s->work_count, .repeat = 1};
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < s->work_count; i++) {
      bool state = s->work[i].var < states;
      if (state != (pass == 0)) {
        continue;
      }
      if (!sb_grow(&p->index, &p->index_capacity, p->term_count + 1, sizeof(int)) ||
          !sb_grow(&p->factor, &p->factor_capacity, p->term_count + 1, sizeof(double))) {
        return false;
      }
      p->index[p->term_count] = s->work[i].var - (state ? base : states);
      p->factor[p->term_count++] = s->work[i].factor;
      row.states += state;
    }
  }
  bool open = p->op_count > 0 && p->ops[p->op_count - 1].run == sb_run_rows;
  sb_op op = {sb_run_rows, -1, p->row_count, 0};
  if (!open && !sb_append(&p->ops, &p->op_count, &p->op_capacity, sizeof op, &op)) {
    return false;
  }
  if (continues_last(p, &row, open)) {
    p->rows[p->row_count - 1].repeat++;
    p->term_count = row.first;
    return true;
  }
  p->ops[p->op_count - 1].row_count++;
  return sb_append(&p->rows, &p->row_count, &p->row_capacity, sizeof row, &row);
}

static bool store(sb_schedule *s, int var) {
  s->first[var] = s->term_count;
  s->count[var] = s->work_count;
  for (int i = 0; i < s->work_count; i++) {
    if (!sb_append(&s->terms, &s->term_count, &s->term_capacity, sizeof(sb_term), &s->work[i])) {
      return false;
    }
  }
  return true;
}

/** Puts the combination at hand into a temporary and makes it the combination. */
static bool make_temporary(sb_schedule *s) {
  int value = s->program->value_count++;
  if (!emit_row(s, value)) {
    return false;
  }
  s->work_count = 1;
  s->work[0] = (sb_term){s->base + s->model->state_count + value, 1};
  return true;
}

/** Makes terms, or their rates, the combination at hand. */
static bool combine(sb_schedule *s, const sb_term terms[], int count, bool rates) {
  begin(s);
  for (int i = 0; i < count; i++) {
    if (!(rates ? gather_rate : gather)(s, terms[i].var, terms[i].factor)) {
      return false;
    }
  }
  compact(s);
  return true;
}

/** What causality says of a variable, or of its rate. */
static bool combine_node(sb_schedule *s, int node) {
  const sb_causality *c = s->causality;
  int var = node % s->base;
  return combine(s, &c->terms[c->first[var]], c->count[var], node >= s->base);
}

static bool emit_variable(sb_schedule *s, int node) {
  if (!combine_node(s, node)) {
    return false;
  }
  bool substitute = s->work_count <= 1 || (s->uses[node] <= 1 && s->work_count <= INLINE_MAX);
  return (substitute || make_temporary(s)) && store(s, node);
}

/** Makes what a sensor reads the combination at hand. */
static bool combine_sensor(sb_schedule *s, const sb_hook *hook) {
  const sb_sensor *sensor = &s->model->sensors[hook->part];
  return combine(s, &(sb_term){sensor->var, sensor->sign}, 1, hook->kind == OP_SENSOR_DOT);
}

/** The value that a sensor, or its rate, is put into. */
static int sensor_value(const sb_schedule *s, const sb_hook *hook) {
  int value = s->model->sensors[hook->part].value;
  return hook->kind == OP_SENSOR ? value : sb_rate_value(s->model, value);
}

/** Makes an input of a part's ports, or its rate, the combination at hand. */
static bool combine_input(sb_schedule *s, int part, int component, bool rate) {
  sb_term input;
  input.var = sb_schedule_input(s, part, component, &input.factor);
  return combine(s, &input, 1, rate);
}

/** Makes the rate of a tie the combination at hand. */
static bool combine_tie(sb_schedule *s, int tie) {
  const sb_constraint *c = &s->causality->constraints[tie];
  return combine(s, &s->causality->constraint_terms[c->first], c->count, true);
}

static bool emit_hook(sb_schedule *s, const sb_hook *hook) {
  if (sb_schedule_apart(hook)) { // a sensor: ties are always in rings
    return combine_sensor(s, hook) && emit_row(s, sensor_value(s, hook));
  }
  const sb_part *part = &s->model->parts[hook->part];
  int shift = sb_rate_value(s->model, 0);
  for (int rate = 0; rate < 2; rate++) {
    for (int k = 0; k < part->components; k++) {
      bool reads = (rate ? sb_schedule_reads_rate : sb_schedule_reads)(s, hook, k);
      if (reads && (!combine_input(s, hook->part, k, rate) ||
                    !emit_row(s, part->in + k + (rate ? shift : 0)))) {
        return false;
      }
    }
  }
  sb_program *p = s->program;
  sb_op op = {runs[hook->kind], hook->part, 0, 0};
  return sb_append(&p->ops, &p->op_count, &p->op_capacity, sizeof op, &op);
}

/** A factor of a product: one state or value times a number; a longer combination becomes a
 *  temporary. Returns false if memory runs out; an empty combination gives factor 0. */
static bool single(sb_schedule *s, int var, int *index, double *factor) {
  if (!combine(s, &(sb_term){var, 1}, 1, false)) {
    return false;
  }
  if (s->work_count > 1 && (!make_temporary(s) || !store(s, var))) {
    return false;
  }
  *index = s->work_count == 0 ? 0 : s->work[0].var - s->base;
  *factor = s->work_count == 0 ? 0 : s->work[0].factor;
  return true;
}

static bool emit_products(sb_schedule *s) {
  sb_program *p = s->program;
  for (int i = 0; i < s->model->part_count; i++) {
    const sb_part *part = &s->model->parts[i];
    for (int k = 0; part->integral >= 0 && k < part->components; k++) {
      sb_product product = {.dest = part->integral};
      double a, b;
      if (!single(s, sb_effort_var(part, k), &product.a, &a) ||
          !single(s, sb_flow_var(part, k), &product.b, &b)) {
        return false;
      }
      product.factor = a * b * part->signs[k];
      if (product.factor != 0 && !sb_append(&p->products, &p->product_count, &p->product_capacity,
                                            sizeof product, &product)) {
        return false;
      }
    }
  }
  return true;
}

/** Whether all of a ring that a variable is made of has been combined. */
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

/** Combinations of the variables of a ring, over the outputs of its hooks as well: in an order in
 *  which each comes after those of the ring that it is made of. */
static bool expand_ring(sb_schedule *s, const sb_ring *ring) {
  int left = 0;
  for (int i = 0; i < ring->count; i++) {
    int node = s->members[ring->first + i];
    if (node < s->nodes) {
      s->count[node] = -1;
      left++;
    }
  }
  for (int before = left + 1; left > 0 && left < before;) {
    before = left;
    for (int i = 0; i < ring->count; i++) {
      int node = s->members[ring->first + i];
      if (node < s->nodes && s->count[node] < 0 && is_ready(s, node)) {
        if (!combine_node(s, node) || !store(s, node)) {
          return false;
        }
        left--;
      }
    }
  }
  return left == 0;
}

/** The column of a variable among the outputs of a loop; -1: none. */
static int loop_column(const sb_schedule *s, const sb_loop *loop, int var) {
  const int *outputs = s->program->loop_outputs + loop->first_output;
  int value = var - s->base - s->model->state_count;
  for (int k = 0; k < loop->output_count; k++) {
    if (outputs[k] == value) {
      return k;
    }
  }
  return -1;
}

static bool add_loop_input(sb_schedule *s, sb_loop *loop, int value) {
  sb_program *p = s->program;
  loop->input_count++;
  return sb_append(&p->loop_inputs, &p->loop_input_count, &p->loop_input_capacity, sizeof value,
                   &value);
}

static bool add_loop_output(sb_schedule *s, sb_loop *loop, int value) {
  sb_program *p = s->program;
  loop->output_count++;
  return sb_append(&p->loop_outputs, &p->loop_output_count, &p->loop_output_capacity, sizeof value,
                   &value);
}

/** The combination at hand, of an input: its terms in outputs go to the matrix, the rest to a row. */
static bool emit_loop_row(sb_schedule *s, const sb_loop *loop, int input, int value) {
  sb_program *p = s->program;
  int kept = 0;
  for (int i = 0; i < s->work_count; i++) {
    int column = loop_column(s, loop, s->work[i].var);
    if (column >= 0) {
      p->loop_matrix[loop->matrix + input * loop->output_count + column] = s->work[i].factor;
    } else {
      s->work[kept++] = s->work[i];
    }
  }
  s->work_count = kept;
  return emit_row(s, value);
}

/** The hook of a member of a ring; NULL: it is a variable or a sensor. */
static const sb_hook *hook_in_ring(const sb_schedule *s, const sb_ring *ring, int member) {
  int node = s->members[ring->first + member];
  const sb_hook *hook = node < s->nodes ? NULL : &s->hooks[node - s->nodes];
  return hook == NULL || (sb_schedule_apart(hook) && hook->kind != OP_TIE) ? NULL : hook;
}

/** The outputs of a hook of a part. */
static bool list_part_outputs(sb_schedule *s, const sb_hook *hook, sb_loop *loop) {
  const sb_part *part = &s->model->parts[hook->part];
  int shift = sb_schedule_dots(hook) ? sb_rate_value(s->model, 0) : 0;
  for (int k = 0; k < part->components; k++) {
    if (sb_schedule_gives(s, hook, k) && !add_loop_output(s, loop, shift + part->out + k)) {
      return false;
    }
  }
  for (int k = 0; sb_schedule_signals(s, hook) && k < part->signal_count; k++) {
    if (!add_loop_output(s, loop, shift + part->signal + k)) {
      return false;
    }
  }
  return true;
}

/** The outputs of the hooks of a ring are the unknowns of a loop. */
static bool list_loop_outputs(sb_schedule *s, const sb_ring *ring, sb_loop *loop) {
  sb_program *p = s->program;
  for (int i = 0; i < ring->count; i++) {
    const sb_hook *hook = hook_in_ring(s, ring, i);
    if (hook == NULL) {
      continue;
    }
    bool tie = hook->kind == OP_TIE;
    int part = tie ? s->causality->constraints[hook->part].where : hook->part;
    sb_loop_hook lh = {.op = {runs[hook->kind], part, 0, 0}, .first_output = loop->output_count};
    if (!(tie ? add_loop_output(s, loop, sb_force_value(s->model, hook->part))
              : list_part_outputs(s, hook, loop))) {
      return false;
    }
    lh.output_count = loop->output_count - lh.first_output;
    loop->count++;
    if (!sb_append(&p->loop_hooks, &p->loop_hook_count, &p->loop_hook_capacity, sizeof lh, &lh)) {
      return false;
    }
  }
  return true;
}

/** Of a value that a wire reads: whether it comes out of the loop, and if so through which sensor,
 *  or (NULL) directly. */
static bool made_in_loop(const sb_schedule *s, const sb_ring *ring, const sb_loop *loop, int value,
                         const sb_hook **sensor) {
  *sensor = NULL;
  for (int i = 0; i < ring->count; i++) {
    int node = s->members[ring->first + i];
    const sb_hook *hook = node < s->nodes ? NULL : &s->hooks[node - s->nodes];
    if (hook != NULL && (hook->kind == OP_SENSOR || hook->kind == OP_SENSOR_DOT) &&
        sensor_value(s, hook) == value) {
      *sensor = hook;
      return true;
    }
  }
  return loop_column(s, loop, sb_value_var(s->model, value)) >= 0;
}

/** What a wire, or its rate, brings into a loop from it. */
static bool list_wire(sb_schedule *s, const sb_ring *ring, sb_loop *loop, int value) {
  const sb_hook *sensor;
  return !made_in_loop(s, ring, loop, value, &sensor) ||
         add_loop_input(s, loop, sensor != NULL ? value : -1 - value);
}

/** What the hook of a part reads of a loop: ports, sensors and signals, and their rates. */
static bool list_part_inputs(sb_schedule *s, const sb_ring *ring, const sb_hook *hook,
                             sb_loop *loop) {
  const sb_part *part = &s->model->parts[hook->part];
  int shift = sb_rate_value(s->model, 0);
  bool ok = true;
  for (int k = 0; ok && k < part->components; k++) {
    ok = !sb_schedule_reads(s, hook, k) || add_loop_input(s, loop, part->in + k);
    ok = ok &&
         (!sb_schedule_reads_rate(s, hook, k) || add_loop_input(s, loop, shift + part->in + k));
  }
  for (int k = 0; ok && k < part->wire_count; k++) {
    int value = s->model->wires[part->wire + k];
    ok = list_wire(s, ring, loop, value) &&
         (!sb_schedule_dots(hook) || list_wire(s, ring, loop, shift + value));
  }
  return ok;
}

/** What the hooks of a loop read of it. */
static bool list_loop_inputs(sb_schedule *s, const sb_ring *ring, sb_loop *loop) {
  for (int i = 0, h = loop->first; i < ring->count; i++) {
    const sb_hook *hook = hook_in_ring(s, ring, i);
    if (hook == NULL) {
      continue;
    }
    sb_loop_hook *lh = &s->program->loop_hooks[h++];
    lh->first_input = loop->input_count;
    if (!(hook->kind == OP_TIE ? add_loop_input(s, loop, sb_excess_value(s->model, hook->part))
                               : list_part_inputs(s, ring, hook, loop))) {
      return false;
    }
    lh->input_count = loop->input_count - lh->first_input;
  }
  return true;
}

/** Makes what an input of a loop reads the combination at hand. */
static bool combine_loop_input(sb_schedule *s, const sb_ring *ring, const sb_loop *loop, int part,
                               int value) {
  const sb_part *reader = &s->model->parts[part];
  int shift = sb_rate_value(s->model, 0);
  bool rate = value >= shift;
  int port = value - (rate ? shift : 0) - reader->in;
  if (value >= sb_force_value(s->model, 0)) {
    return combine_tie(s, (value - sb_force_value(s->model, 0)) / 2);
  }
  if (reader->hooked && port >= 0 && port < reader->components) {
    return combine_input(s, part, port, rate);
  }
  const sb_hook *sensor;
  (void)made_in_loop(s, ring, loop, value, &sensor);
  return combine_sensor(s, sensor);
}

static bool emit_loop_input(sb_schedule *s, const sb_ring *ring, const sb_loop *loop,
                            const sb_loop_hook *hook, int input) {
  int value = s->program->loop_inputs[loop->first_input + input];
  if (value < 0) { // an output itself
    int column = loop_column(s, loop, sb_value_var(s->model, -1 - value));
    s->program->loop_matrix[loop->matrix + input * loop->output_count + column] = 1;
    return true;
  }
  return combine_loop_input(s, ring, loop, hook->op.part, value) &&
         emit_loop_row(s, loop, input, value);
}

static bool emit_ring(sb_schedule *s, const sb_ring *ring) {
  sb_program *p = s->program;
  sb_loop loop = {.first = p->loop_hook_count,
                  .first_input = p->loop_input_count,
                  .first_output = p->loop_output_count,
                  .matrix = p->loop_matrix_count};
  if (!list_loop_outputs(s, ring, &loop) || !list_loop_inputs(s, ring, &loop) ||
      !expand_ring(s, ring)) {
    return false;
  }
  int size = loop.input_count * loop.output_count;
  if (!sb_grow(&p->loop_matrix, &p->loop_matrix_capacity, p->loop_matrix_count + size,
               sizeof(double))) {
    return false;
  }
  p->loop_matrix_count += size;
  memset(p->loop_matrix + loop.matrix, 0, (size_t)size * sizeof(double));
  for (int h = 0; h < loop.count; h++) {
    const sb_loop_hook *hook = &p->loop_hooks[loop.first + h];
    for (int k = 0; k < hook->input_count; k++) {
      if (!emit_loop_input(s, ring, &loop, hook, hook->first_input + k)) {
        return false;
      }
    }
  }
  sb_op op = {sb_run_loop, p->loop_hooks[loop.first].op.part, p->loop_count, 0};
  return sb_append(&p->loops, &p->loop_count, &p->loop_capacity, sizeof loop, &loop) &&
         sb_append(&p->ops, &p->op_count, &p->op_capacity, sizeof op, &op);
}

sb_status sb_schedule_emit(sb_schedule *s) {
  for (int i = 0; i < s->order_count; i++) {
    int node = s->order[i];
    bool ok = node < 0          ? emit_ring(s, &s->rings[-1 - node])
              : node < s->nodes ? emit_variable(s, node)
                                : emit_hook(s, &s->hooks[node - s->nodes]);
    if (!ok) {
      return SB_ERR_MEMORY;
    }
  }
  return emit_products(s) ? SB_OK : SB_ERR_MEMORY;
}

bool sb_schedule_rate(sb_schedule *s, int part, int component) {
  return combine_input(s, part, component, false);
}
