// SPDX-License-Identifier: GPL-3.0-or-later
// The order of a program. Variables and hooks form a graph of data dependence; what depends on itself
// are rings, which are solved for while the program runs (newton.c).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/schedule_private.h"

const sb_constraint *sb_schedule_tie(const sb_schedule *s, const sb_part *part) {
  const sb_causality *c = s->causality;
  for (int i = 0; part->hooked && part->layout.states > 0 && i < c->constraint_count; i++) {
    if (c->constraints[i].dependent == part->state) {
      return &c->constraints[i];
    }
  }
  return NULL;
}

/** Whether what a storage gives occurs in a tie. */
static bool is_tied(const sb_schedule *s, const sb_part *part) {
  int first = sb_value_var(s->model, part->out);
  bool tied = false;
  for (int i = 0; sb_part_has_stiffness(part) && i < s->causality->constraint_term_count; i++) {
    int var = s->causality->constraint_terms[i].var;
    tied = tied || (var >= first && var < first + part->components);
  }
  return tied;
}

/** The kinds of hooks that a part has, in the order in which they follow each other. */
static int kinds_of(const sb_schedule *s, const sb_part *part, int kinds[3]) {
  const sb_element_type *type = part->type;
  switch (type->role) {
  case SB_STORAGE:
    kinds[0] = OP_OUTPUT;
    kinds[1] = OP_RATE;
    kinds[2] = sb_schedule_tie(s, part) != NULL ? OP_TIED : OP_OUTPUT_RATE;
    return is_tied(s, part) ? 3 : 2;
  case SB_STRUCTURE:
    kinds[0] = OP_FORWARD;
    kinds[1] = OP_ADJOINT;
    return 2;
  case SB_DISSIPATION:
    kinds[0] = OP_LAW;
    return 1;
  case SB_SIGNAL:
    kinds[0] = OP_SIGNAL;
    kinds[1] = OP_SIGNAL_RATE;
    return part->layout.states > 0 ? 2 : 1;
  case SB_SOURCE:
    kinds[0] = OP_VALUE;
    kinds[1] = OP_SOURCE_RATE;
    return sb_part_has_rate(part) && s->causality->constraint_count > 0 ? 2 : 1;
  }
  return 0;
}

static bool add_hook(sb_schedule *s, int part, int kind) {
  sb_hook hook = {part, kind};
  return sb_append(&s->hooks, &s->hook_count, &s->hook_capacity, sizeof hook, &hook);
}

/** Notes which values the hook just added makes. */
static void note_made(sb_schedule *s, const sb_part *part) {
  const sb_hook *hook = &s->hooks[s->hook_count - 1];
  for (int k = 0; k < part->components; k++) {
    if (sb_schedule_gives(s, hook, k)) {
      s->maker[part->out + k] = s->hook_count - 1;
    }
    if (sb_schedule_rates(hook)) {
      s->maker[part->rate + k] = s->hook_count - 1;
    }
  }
  for (int k = 0; sb_schedule_signals(s, hook) && k < part->signal_count; k++) {
    s->maker[part->signal + k] = s->hook_count - 1;
  }
}

/** Lists the hooks to run, and for every value the hook that makes it. */
static bool list_hooks(sb_schedule *s) {
  const sb_model *model = s->model;
  for (int i = 0; i < model->value_count; i++) {
    s->maker[i] = -1;
  }
  for (int i = 0; i < model->part_count; i++) {
    const sb_part *part = &model->parts[i];
    int kinds[3], count = part->hooked ? kinds_of(s, part, kinds) : 0;
    for (int k = 0; k < count; k++) {
      if (!add_hook(s, i, kinds[k])) {
        return false;
      }
      note_made(s, part);
    }
  }
  for (int i = 0; i < model->sensor_count; i++) {
    s->maker[model->sensors[i].value] = s->hook_count;
    if (!add_hook(s, i, OP_SENSOR)) {
      return false;
    }
  }
  return true;
}

int sb_schedule_input(const sb_schedule *s, int index, int component, double *sign) {
  const sb_part *part = &s->model->parts[index];
  sb_variable output = sb_output_given(part->layout.ports[sb_port_of(part, component)].output,
                                       s->causality->given[index]);
  *sign = output == SB_EFFORT ? part->signs[component] : 1;
  return output == SB_EFFORT ? sb_flow_var(part, component) : sb_effort_var(part, component);
}

static char side_of(const sb_part *part, int component) {
  return part->type->ports[part->type->ports[0].many ? 0 : sb_port_of(part, component)].side;
}

bool sb_schedule_gives(const sb_schedule *s, const sb_hook *hook, int component) {
  const sb_part *part = &s->model->parts[hook->part];
  switch (hook->kind) {
  case OP_OUTPUT:
  case OP_VALUE:
  case OP_LAW:
    return true;
  case OP_FORWARD:
    return side_of(part, component) != 'A';
  case OP_ADJOINT:
    return side_of(part, component) == 'A';
  default:
    return false;
  }
}

bool sb_schedule_rates(const sb_hook *hook) {
  return hook->kind == OP_SOURCE_RATE || hook->kind == OP_OUTPUT_RATE || hook->kind == OP_TIED;
}

bool sb_schedule_signals(const sb_schedule *s, const sb_hook *hook) {
  (void)s;
  return hook->kind != OP_RATE && hook->kind != OP_ADJOINT && !sb_schedule_rates(hook) &&
         hook->kind != OP_SIGNAL_RATE && hook->kind != OP_SENSOR;
}

/** Whether a hook reads a component of its ports. */
bool sb_schedule_reads(const sb_schedule *s, const sb_hook *hook, int component) {
  const sb_part *part = &s->model->parts[hook->part];
  char side = side_of(part, component);
  switch (hook->kind) {
  case OP_LAW:
  case OP_RATE:
  case OP_OUTPUT_RATE:
    return true;
  case OP_FORWARD:
    return side == 'A';
  case OP_ADJOINT:
    return side == 'B';
  default:
    return false;
  }
}

/** Signals with states give them whatever comes in. */
static int wires_read(const sb_hook *hook, const sb_part *part) {
  return hook->kind == OP_SIGNAL && part->layout.states > 0 ? 0 : part->wire_count;
}

/** Number of things that a node depends on, and the k-th: nodes are variables, then hooks. */
static int dependency_count(const sb_schedule *s, int node) {
  if (node < s->base) {
    return s->causality->count[node];
  }
  const sb_hook *hook = &s->hooks[node - s->base];
  if (hook->kind == OP_SENSOR) {
    return 1;
  }
  const sb_part *part = &s->model->parts[hook->part];
  if (hook->kind == OP_TIED) {
    return sb_schedule_tie(s, part)->count;
  }
  return part->components + wires_read(hook, part) + 1;
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
  if (hook->kind == OP_SENSOR) {
    int var = s->model->sensors[hook->part].var;
    return var < s->base ? var : -1;
  }
  const sb_part *part = &s->model->parts[hook->part];
  if (hook->kind == OP_TIED) { // the rates of the other terms
    const sb_term *term = &s->causality->constraint_terms[sb_schedule_tie(s, part)->first + k];
    sb_term rate = sb_tie_rate(s->model, term);
    int value = rate.var - s->base - s->model->state_count;
    bool own = term->var == sb_value_var(s->model, part->out);
    return own ? -1 : rate.var < s->base ? rate.var : s->base + s->maker[value];
  }
  if (k < part->components) {
    double sign;
    return sb_schedule_reads(s, hook, k) ? sb_schedule_input(s, hook->part, k, &sign) : -1;
  }
  k -= part->components;
  if (k < wires_read(hook, part)) {
    return s->base + s->maker[s->model->wires[part->wire + k]];
  }
  bool second = hook->kind == OP_RATE || (hook->kind == OP_ADJOINT && part->signal_count > 0);
  return second ? node - 1 : -1; // after the part's first hook, whose signals it reads
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
    const sb_hook *hook = &s->hooks[node - s->base];
    if (hook->kind == OP_SENSOR || hook->part == last) {
      continue;
    }
    const sb_part *part = &model->parts[hook->part];
    if (strlen(names) + strlen(part->id) + 6 < sizeof names) {
      strcat(strcat(strcat(names, last < 0 ? "'" : ", '"), part->id), "'");
    }
    last = hook->part;
  }
  sb_error err;
  sb_fail(&err, SB_ERR_LOOP,
          "algebraic loop through %s: each needs what the other gives, and more than %d numbers "
          "would have to be solved for together",
          names, SB_LOOP_MAX);
  sb_error_hint(&err, "a small storage (C or I) between them breaks the loop");
  sb_part_error(&model->parts[last < 0 ? 0 : last], &err, s->errors);
}

/** Outputs of the hooks of a ring are solved for together, if they are not too many. */
static bool solvable(const sb_schedule *s, const sb_ring *ring) {
  int count = 0, inputs = 0;
  for (int i = 0; i < ring->count; i++) {
    int node = s->members[ring->first + i];
    const sb_hook *hook = node < s->base ? NULL : &s->hooks[node - s->base];
    if (hook == NULL || hook->kind == OP_SENSOR) {
      continue;
    }
    const sb_part *part = &s->model->parts[hook->part];
    for (int k = 0; k < part->components; k++) {
      count += sb_schedule_gives(s, hook, k) || sb_schedule_rates(hook);
    }
    count += sb_schedule_signals(s, hook) ? part->signal_count : 0;
    inputs += part->components + part->wire_count;
  }
  return count <= SB_LOOP_MAX && inputs <= SB_LOOP_INPUTS_MAX;
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
  return sb_append(&s->rings, &s->ring_count, &s->ring_capacity, sizeof ring, &ring)
             ? SB_OK
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
      if (sb_part_integrates(part) && !each(s, sb_schedule_input(s, i, k, &sign))) {
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
