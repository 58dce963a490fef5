// SPDX-License-Identifier: GPL-3.0-or-later
// From an assigned causality to a program. Variables and hooks form a graph of data dependence; in
// its topological order every variable that is a multiple of one other, or is used once, is
// substituted where it is used, so that a linear network ends as one sparse matrix of no more
// entries than the network itself has. What remains becomes a temporary.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/schedule_private.h"

/** Longest combination that is still substituted: bounds the work of long chains. */
enum { INLINE_MAX = 8 };

enum { OP_OUTPUT, OP_VALUE, OP_LAW, OP_FORWARD, OP_ADJOINT, OP_RATE, OP_SOURCE_RATE };
static const sb_op_run runs[] = {sb_run_output,  sb_run_value, sb_run_law,        sb_run_forward,
                                 sb_run_adjoint, sb_run_rate,  sb_run_source_rate};

static bool append(void *items, int *count, int *capacity, size_t size, const void *item) {
  if (!sb_grow(items, capacity, *count + 1, size)) {
    return false;
  }
  char *array;
  memcpy(&array, items, sizeof array);
  memcpy(array + (size_t)(*count)++ * size, item, size);
  return true;
}

/** Lists the hooks to run, and for every value the hook that makes it. */
static bool list_hooks(sb_schedule *s) {
  const sb_model *model = s->model;
  for (int i = 0; i < model->value_count; i++) {
    s->maker[i] = -1;
  }
  for (int i = 0; i < model->part_count; i++) {
    const sb_part *part = &model->parts[i];
    int kinds[2], count = 0;
    if (!part->hooked) {
      continue;
    }
    if (part->type->role == SB_STORAGE) {
      kinds[count++] = OP_OUTPUT;
      kinds[count++] = OP_RATE;
    } else if (part->type->role == SB_STRUCTURE) {
      kinds[count++] = OP_FORWARD;
      kinds[count++] = OP_ADJOINT;
    } else {
      kinds[count++] = part->type->role == SB_SOURCE ? OP_VALUE : OP_LAW;
    }
    if (part->type->role == SB_SOURCE && part->type->source->rate != NULL &&
        s->causality->constraint_count > 0) {
      kinds[count++] = OP_SOURCE_RATE;
      for (int k = 0; k < part->components; k++) {
        s->maker[part->rate + k] = s->hook_count + 1;
      }
    }
    for (int k = 0; k < part->signal_count; k++) {
      s->maker[part->signal + k] = s->hook_count;
    }
    for (int k = 0; k < part->components; k++) {
      bool side_a =
          part->type->role == SB_STRUCTURE && part->type->ports[sb_port_of(part, k)].side == 'A';
      s->maker[part->out + k] = s->hook_count + side_a;
    }
    for (int k = 0; k < count; k++) {
      sb_hook hook = {i, kinds[k]};
      if (!append(&s->hooks, &s->hook_count, &s->hook_capacity, sizeof hook, &hook)) {
        return false;
      }
    }
  }
  return true;
}

static int input_var(const sb_schedule *s, int index, int component, double *sign) {
  const sb_part *part = &s->model->parts[index];
  sb_variable output = part->layout.ports[sb_port_of(part, component)].output;
  if (output == SB_EITHER) {
    output = s->causality->given[index] == SB_EFFORT ? SB_FLOW : SB_EFFORT;
  }
  *sign = output == SB_EFFORT ? part->signs[component] : 1;
  return output == SB_EFFORT ? sb_flow_var(part, component) : sb_effort_var(part, component);
}

/** Whether a hook reads a component of its ports. */
static bool reads(const sb_schedule *s, const sb_hook *hook, int component) {
  const sb_part *part = &s->model->parts[hook->part];
  char side = part->type->ports[part->type->ports[0].many ? 0 : sb_port_of(part, component)].side;
  switch (hook->kind) {
  case OP_LAW:
  case OP_RATE:
    return true;
  case OP_FORWARD:
    return side == 'A';
  case OP_ADJOINT:
    return side == 'B';
  default:
    return false;
  }
}

/** Number of things that a node depends on, and the k-th: nodes are variables, then hooks. */
static int dependency_count(const sb_schedule *s, int node) {
  if (node < s->base) {
    return s->causality->count[node];
  }
  const sb_hook *hook = &s->hooks[node - s->base];
  const sb_part *part = &s->model->parts[hook->part];
  return part->components + part->wire_count + 1;
}

static int dependency(const sb_schedule *s, int node, int k) {
  if (node < s->base) {
    int var = s->causality->terms[s->causality->first[node] + k].var;
    int value = var - s->base - s->model->state_count;
    return var < s->base                        ? var
           : value >= 0 && s->maker[value] >= 0 ? s->base + s->maker[value]
                                                : -1;
  }
  const sb_hook *hook = &s->hooks[node - s->base];
  const sb_part *part = &s->model->parts[hook->part];
  if (k < part->components) {
    double sign;
    return reads(s, hook, k) ? input_var(s, hook->part, k, &sign) : -1;
  }
  k -= part->components;
  if (k < part->wire_count) {
    return s->base + s->maker[s->model->wires[part->wire + k]];
  }
  bool second = hook->kind == OP_ADJOINT || hook->kind == OP_RATE; // after the part's first hook
  return second ? node - 1 : -1;
}

static void report_loop(const sb_schedule *s, const sb_ring *ring) {
  const sb_model *model = s->model;
  char names[360] = "";
  int last = -1;
  for (int i = 0; i < ring->count; i++) {
    int node = s->members[ring->first + i];
    if (node < s->base) {
      continue;
    }
    const sb_part *part = &model->parts[s->hooks[node - s->base].part];
    if (strlen(names) + strlen(part->id) + 6 < sizeof names) {
      strcat(strcat(strcat(names, last < 0 ? "'" : ", '"), part->id), "'");
    }
    last = s->hooks[node - s->base].part;
  }
  sb_error err;
  sb_fail(&err, SB_ERR_LOOP, "algebraic loop through %s: each needs what the other gives", names);
  sb_error_hint(&err, "a small storage (C or I) between them breaks the loop");
  sb_part_error(&model->parts[last < 0 ? 0 : last], &err, s->errors);
}

/** Only scalar dissipations can be solved for together, and only so many. */
static bool solvable(const sb_schedule *s, const sb_ring *ring) {
  int count = 0;
  for (int i = 0; i < ring->count; i++) {
    int node = s->members[ring->first + i];
    if (node < s->base) {
      continue;
    }
    const sb_hook *hook = &s->hooks[node - s->base];
    count++;
    if (hook->kind != OP_LAW || s->model->parts[hook->part].components != 1) {
      return false;
    }
  }
  return count <= SB_LOOP_MAX;
}

/** A component is complete: everything on the path from `node` on. */
static sb_status close_component(sb_schedule *s, int node) {
  int first = s->path_count;
  do {
    first--;
    s->low[s->path[first]] = 0;
  } while (s->path[first] != node);
  int count = s->path_count - first;
  s->path_count = first;
  if (count == 1) {
    s->order[s->order_count++] = node;
    return SB_OK;
  }
  sb_ring ring = {s->member_count, count};
  memcpy(&s->members[s->member_count], &s->path[first], (size_t)count * sizeof(int));
  s->member_count += count;
  if (!solvable(s, &ring)) {
    report_loop(s, &ring);
    return SB_ERR_LOOP;
  }
  s->order[s->order_count++] = -1 - s->ring_count;
  return append(&s->rings, &s->ring_count, &s->ring_capacity, sizeof ring, &ring) ? SB_OK
                                                                                  : SB_ERR_MEMORY;
}

static void discover(sb_schedule *s, int node, int *depth) {
  s->stack[++*depth] = node;
  s->path[s->path_count++] = node;
  s->next[node] = 0;
  s->mark[node] = s->low[node] = ++s->found;
}

/** All that `root` depends on, in order, with the strongly connected components of Tarjan (1972). */
static sb_status visit(sb_schedule *s, int root) {
  int depth = -1;
  if (s->mark[root] == 0) {
    discover(s, root, &depth);
  }
  while (depth >= 0) {
    int node = s->stack[depth];
    if (s->next[node] < dependency_count(s, node)) {
      int below = dependency(s, node, s->next[node]++);
      if (below >= 0 && s->mark[below] == 0) {
        discover(s, below, &depth);
      } else if (below >= 0 && s->low[below] > 0 && s->mark[below] < s->low[node]) {
        s->low[node] = s->mark[below];
      }
      continue;
    }
    depth--;
    if (depth >= 0 && s->low[node] < s->low[s->stack[depth]]) {
      s->low[s->stack[depth]] = s->low[node];
    }
    if (s->low[node] == s->mark[node]) {
      SB_TRY(close_component(s, node));
    }
  }
  return SB_OK;
}

/** Calls `each` for every variable that the ledger and the linear storages need. */
static bool for_each_sink(sb_schedule *s, bool (*each)(sb_schedule *, int var)) {
  for (int i = 0; i < s->model->part_count; i++) {
    const sb_part *part = &s->model->parts[i];
    for (int k = 0; k < part->components; k++) {
      double sign;
      if (part->linear && part->type->role == SB_STORAGE && !each(s, input_var(s, i, k, &sign))) {
        return false;
      }
      if (part->integral >= 0 &&
          (!each(s, sb_effort_var(part, k)) || !each(s, sb_flow_var(part, k)))) {
        return false;
      }
    }
  }
  return true;
}

static bool visit_sink(sb_schedule *s, int var) {
  s->status = visit(s, var);
  return s->status == SB_OK;
}

static bool count_use(sb_schedule *s, int var) {
  s->uses[var]++;
  return true;
}

static void count_uses(sb_schedule *s) {
  for (int node = 0; node < s->base + s->hook_count; node++) {
    for (int k = 0, n = s->mark[node] > 0 ? dependency_count(s, node) : 0; k < n; k++) {
      int below = dependency(s, node, k);
      if (below >= 0 && below < s->base) {
        s->uses[below]++;
      }
    }
  }
  (void)for_each_sink(s, count_use);
}

/** Adds factor * var to the combination being built, var replaced by its own combination. */
static bool gather(sb_schedule *s, int var, double factor) {
  if (var >= s->base) {
    if (s->seen[var] == s->stamp) {
      s->work[s->slot[var]].factor += factor;
      return true;
    }
    s->seen[var] = s->stamp;
    s->slot[var] = s->work_count;
    sb_term term = {var, factor};
    return append(&s->work, &s->work_count, &s->work_capacity, sizeof term, &term);
  }
  for (int i = 0; i < s->count[var]; i++) {
    const sb_term term = s->terms[s->first[var] + i];
    if (!gather(s, term.var, factor * term.factor)) {
      return false;
    }
  }
  return true;
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
  if (!open && !append(&p->ops, &p->op_count, &p->op_capacity, sizeof op, &op)) {
    return false;
  }
  if (continues_last(p, &row, open)) {
    p->rows[p->row_count - 1].repeat++;
    p->term_count = row.first;
    return true;
  }
  p->ops[p->op_count - 1].row_count++;
  return append(&p->rows, &p->row_count, &p->row_capacity, sizeof row, &row);
}

static bool store(sb_schedule *s, int var) {
  s->first[var] = s->term_count;
  s->count[var] = s->work_count;
  for (int i = 0; i < s->work_count; i++) {
    if (!append(&s->terms, &s->term_count, &s->term_capacity, sizeof(sb_term), &s->work[i])) {
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

static bool emit_variable(sb_schedule *s, int var) {
  begin(s);
  for (int i = 0; i < s->causality->count[var]; i++) {
    const sb_term *term = &s->causality->terms[s->causality->first[var] + i];
    if (!gather(s, term->var, term->factor)) {
      return false;
    }
  }
  compact(s);
  bool substitute = s->work_count <= 1 || (s->uses[var] <= 1 && s->work_count <= INLINE_MAX);
  return (substitute || make_temporary(s)) && store(s, var);
}

static bool emit_hook(sb_schedule *s, const sb_hook *hook) {
  const sb_part *part = &s->model->parts[hook->part];
  for (int k = 0; k < part->components; k++) {
    double sign;
    if (!reads(s, hook, k)) {
      continue;
    }
    int var = input_var(s, hook->part, k, &sign);
    begin(s);
    if (!gather(s, var, sign)) {
      return false;
    }
    compact(s);
    if (!emit_row(s, part->in + k)) {
      return false;
    }
  }
  sb_program *p = s->program;
  sb_op op = {runs[hook->kind], hook->part, 0, 0};
  return append(&p->ops, &p->op_count, &p->op_capacity, sizeof op, &op);
}

/** A factor of a product: one state or value times a number; a longer combination becomes a
 *  temporary. Returns false if memory runs out; an empty combination gives factor 0. */
static bool single(sb_schedule *s, int var, int *index, double *factor) {
  begin(s);
  if (!gather(s, var, 1)) {
    return false;
  }
  compact(s);
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
      if (product.factor != 0 && !append(&p->products, &p->product_count, &p->product_capacity,
                                         sizeof product, &product)) {
        return false;
      }
    }
  }
  return true;
}

sb_status sb_schedule_order(sb_schedule *s) {
  if (!list_hooks(s)) {
    return SB_ERR_MEMORY;
  }
  s->mark = sb_zeroed(s->base + s->hook_count, sizeof(int));
  s->low = sb_zeroed(s->base + s->hook_count, sizeof(int));
  s->path = sb_zeroed(s->base + s->hook_count, sizeof(int));
  s->members = sb_zeroed(s->base + s->hook_count, sizeof(int));
  s->next = sb_zeroed(s->base + s->hook_count, sizeof(int));
  s->stack = sb_zeroed(s->base + s->hook_count + 1, sizeof(int));
  s->order = sb_zeroed(s->base + s->hook_count, sizeof(int));
  if (s->mark == NULL || s->low == NULL || s->path == NULL || s->members == NULL ||
      s->next == NULL || s->stack == NULL || s->order == NULL) {
    return SB_ERR_MEMORY;
  }
  for (int i = 0; i < s->hook_count; i++) {
    SB_TRY(visit(s, s->base + i));
  }
  if (!for_each_sink(s, visit_sink)) {
    return s->status;
  }
  count_uses(s);
  return SB_OK;
}

/** Combinations of the variables of a ring, over the outputs of its dissipations as well: in an order
 *  in which each comes after those of the ring that it is made of. */
static bool expand_ring(sb_schedule *s, const sb_ring *ring) {
  int left = 0;
  for (int i = 0; i < ring->count; i++) {
    int node = s->members[ring->first + i];
    s->count[node < s->base ? node : 0] = node < s->base ? -1 : s->count[0];
    left += node < s->base;
  }
  for (int before = left + 1; left > 0 && left < before;) {
    before = left;
    for (int i = 0; i < ring->count; i++) {
      int var = s->members[ring->first + i];
      bool ready = var < s->base && s->count[var] < 0;
      for (int k = 0; ready && k < s->causality->count[var]; k++) {
        int below = s->causality->terms[s->causality->first[var] + k].var;
        ready = below >= s->base || s->count[below] >= 0;
      }
      if (ready) {
        begin(s);
        for (int k = 0; k < s->causality->count[var]; k++) {
          const sb_term *term = &s->causality->terms[s->causality->first[var] + k];
          if (!gather(s, term->var, term->factor)) {
            return false;
          }
        }
        compact(s);
        if (!store(s, var)) {
          return false;
        }
        left--;
      }
    }
  }
  return left == 0;
}

/** One row of a loop: the terms in its own outputs go to the matrix, the rest to a row. */
static bool emit_loop_row(sb_schedule *s, const sb_loop *loop, int row) {
  sb_program *p = s->program;
  const int *parts = p->loop_parts + loop->first;
  const sb_part *part = &s->model->parts[parts[row]];
  int values = s->base + s->model->state_count, kept = 0;
  double sign;
  int var = input_var(s, parts[row], 0, &sign);
  begin(s);
  if (!gather(s, var, sign)) {
    return false;
  }
  compact(s);
  for (int i = 0; i < s->work_count; i++) {
    int column = 0;
    while (column < loop->count && s->work[i].var != values + s->model->parts[parts[column]].out) {
      column++;
    }
    if (column < loop->count) {
      p->loop_matrix[loop->matrix + row * loop->count + column] = s->work[i].factor;
    } else {
      s->work[kept++] = s->work[i];
    }
  }
  s->work_count = kept;
  return emit_row(s, part->in);
}

static bool emit_ring(sb_schedule *s, const sb_ring *ring) {
  sb_program *p = s->program;
  sb_loop loop = {p->loop_part_count, 0, p->loop_matrix_count};
  for (int i = 0; i < ring->count; i++) {
    int node = s->members[ring->first + i];
    if (node >= s->base && !append(&p->loop_parts, &p->loop_part_count, &p->loop_part_capacity,
                                   sizeof(int), &s->hooks[node - s->base].part)) {
      return false;
    }
    loop.count += node >= s->base;
  }
  if (!expand_ring(s, ring) ||
      !sb_grow(&p->loop_matrix, &p->loop_matrix_capacity,
               p->loop_matrix_count + loop.count * loop.count, sizeof(double))) {
    return false;
  }
  p->loop_matrix_count += loop.count * loop.count;
  memset(p->loop_matrix + loop.matrix, 0, (size_t)(loop.count * loop.count) * sizeof(double));
  for (int row = 0; row < loop.count; row++) {
    if (!emit_loop_row(s, &loop, row)) {
      return false;
    }
  }
  sb_op op = {sb_run_loop, p->loop_parts[loop.first], p->loop_count, 0};
  return append(&p->loops, &p->loop_count, &p->loop_capacity, sizeof loop, &loop) &&
         append(&p->ops, &p->op_count, &p->op_capacity, sizeof op, &op);
}

sb_status sb_schedule_emit(sb_schedule *s) {
  for (int i = 0; i < s->order_count; i++) {
    int node = s->order[i];
    bool ok = node < 0         ? emit_ring(s, &s->rings[-1 - node])
              : node < s->base ? emit_variable(s, node)
                               : emit_hook(s, &s->hooks[node - s->base]);
    if (!ok) {
      return SB_ERR_MEMORY;
    }
  }
  return emit_products(s) ? SB_OK : SB_ERR_MEMORY;
}

bool sb_schedule_rate(sb_schedule *s, int part, int component) {
  double sign;
  int var = input_var(s, part, component, &sign);
  begin(s);
  if (!gather(s, var, sign)) {
    return false;
  }
  compact(s);
  return true;
}
