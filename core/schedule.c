// SPDX-License-Identifier: GPL-3.0-or-later
// The order of a program. Variables and hooks form a graph of data dependence; what depends on itself
// are rings, which are solved for while the program runs (newton.c).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/schedule_private.h"

bool sb_schedule_apart(const sb_hook *hook) {
  return hook->kind == OP_SENSOR || hook->kind == OP_SENSOR_DOT || hook->kind == OP_TIE;
}

bool sb_schedule_dots(const sb_hook *hook) {
  return hook->kind >= OP_OUTPUT_DOT && hook->kind <= OP_SENSOR_DOT;
}

/** The kinds of hooks that a part has, in the order in which they follow each other. */
static int kinds_of(const sb_part *part, int kinds[2]) {
  switch (part->type->role) {
  case SB_STORAGE:
    kinds[0] = OP_OUTPUT;
    kinds[1] = OP_RATE;
    return 2;
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
    return 1;
  }
  return 0;
}

/** The same of the rates of what they give, where these are known. */
static int dots_of(const sb_part *part, int kinds[2]) {
  const sb_element_type *type = part->type;
  int count = 0;
  if (type->role == SB_STRUCTURE && type->structure->forward_rate != NULL) {
    kinds[count++] = OP_FORWARD_DOT;
  }
  if (type->role == SB_STRUCTURE && type->structure->adjoint_rate != NULL) {
    kinds[count++] = OP_ADJOINT_DOT;
  }
  if (type->role == SB_SIGNAL && type->signal->output_rate != NULL) {
    kinds[count++] = OP_SIGNAL_DOT;
  }
  if (sb_part_has_stiffness(part)) {
    kinds[count++] = OP_OUTPUT_DOT;
  }
  if (sb_part_has_rate(part)) {
    kinds[count++] = OP_VALUE_DOT;
  }
  return count;
}

static bool add_hook(sb_schedule *s, int part, int kind) {
  sb_hook hook = {part, kind};
  return sb_append(&s->hooks, &s->hook_count, &s->hook_capacity, sizeof hook, &hook);
}

/** Notes which values the hook just added makes. */
static void note_made(sb_schedule *s, const sb_part *part) {
  const sb_hook *hook = &s->hooks[s->hook_count - 1];
  int shift = sb_schedule_dots(hook) ? sb_rate_value(s->model, 0) : 0;
  for (int k = 0; k < part->components; k++) {
    if (sb_schedule_gives(s, hook, k)) {
      s->maker[shift + part->out + k] = s->hook_count - 1;
    }
  }
  for (int k = 0; sb_schedule_signals(s, hook) && k < part->signal_count; k++) {
    s->maker[shift + part->signal + k] = s->hook_count - 1;
  }
}

static bool list_part(sb_schedule *s, int index) {
  const sb_part *part = &s->model->parts[index];
  int kinds[4], count = part->hooked ? kinds_of(part, kinds) : 0;
  if (part->hooked && s->causality->constraint_count > 0) {
    count += dots_of(part, kinds + count);
  }
  for (int k = 0; k < count; k++) {
    if (!add_hook(s, index, kinds[k])) {
      return false;
    }
    note_made(s, part);
  }
  return true;
}

/** Lists the hooks to run, and for every value the hook that makes it. */
static bool list_hooks(sb_schedule *s) {
  const sb_model *model = s->model;
  int ties = s->causality->constraint_count;
  bool ok = true;
  for (int i = 0; i < sb_fixed_values(model, s->causality); i++) {
    s->maker[i] = -1;
  }
  for (int i = 0; ok && i < model->part_count; i++) {
    ok = list_part(s, i);
  }
  for (int i = 0; ok && i < model->sensor_count; i++) {
    int value = model->sensors[i].value;
    s->maker[value] = s->hook_count;
    ok = add_hook(s, i, OP_SENSOR);
    if (ok && ties > 0) {
      s->maker[sb_rate_value(model, value)] = s->hook_count;
      ok = add_hook(s, i, OP_SENSOR_DOT);
    }
  }
  for (int i = 0; ok && i < ties; i++) {
    s->maker[sb_force_value(model, i)] = s->hook_count;
    ok = add_hook(s, i, OP_TIE);
  }
  return ok;
}

int sb_schedule_input(const sb_schedule *s, int index, int component, double *sign) {
  const sb_part *part = &s->model->parts[index];
  bool flow = sb_reads_flow(s->model, s->causality, index, component);
  *sign = flow ? part->signs[component] : 1;
  return flow ? sb_flow_var(part, component) : sb_effort_var(part, component);
}

bool sb_schedule_gives(const sb_schedule *s, const sb_hook *hook, int component) {
  const sb_part *part = &s->model->parts[hook->part];
  switch (hook->kind) {
  case OP_OUTPUT:
  case OP_OUTPUT_DOT:
  case OP_VALUE:
  case OP_VALUE_DOT:
  case OP_LAW:
    return true;
  case OP_FORWARD:
  case OP_FORWARD_DOT:
    return sb_part_side(part, component) != 'A';
  case OP_ADJOINT:
  case OP_ADJOINT_DOT:
    return sb_part_side(part, component) == 'A';
  default:
    return false;
  }
}

bool sb_schedule_signals(const sb_schedule *s, const sb_hook *hook) {
  (void)s;
  return hook->kind < OP_OUTPUT_DOT ? hook->kind != OP_RATE && hook->kind != OP_ADJOINT &&
                                          hook->kind != OP_SIGNAL_RATE && hook->kind != OP_SENSOR
                                    : hook->kind == OP_SIGNAL_DOT;
}

bool sb_schedule_reads(const sb_schedule *s, const sb_hook *hook, int component) {
  const sb_part *part = &s->model->parts[hook->part];
  switch (hook->kind) {
  case OP_LAW:
  case OP_RATE:
  case OP_OUTPUT_DOT:
    return true;
  case OP_FORWARD:
  case OP_FORWARD_DOT:
    return sb_part_side(part, component) == 'A';
  case OP_ADJOINT:
  case OP_ADJOINT_DOT:
    return sb_part_side(part, component) == 'B';
  default:
    return false;
  }
}

bool sb_schedule_reads_rate(const sb_schedule *s, const sb_hook *hook, int component) {
  return (hook->kind == OP_FORWARD_DOT || hook->kind == OP_ADJOINT_DOT) &&
         sb_schedule_reads(s, hook, component);
}

/** Signals with states give them whatever comes in, and their rates whatever its rates are. */
static int wires_read(const sb_hook *hook, const sb_part *part) {
  return hook->kind == OP_SIGNAL && part->layout.states > 0 ? 0 : part->wire_count;
}
static int wire_rates_read(const sb_hook *hook, const sb_part *part) {
  bool states = hook->kind == OP_SIGNAL_DOT && part->layout.states > 0;
  return sb_schedule_dots(hook) && !states ? part->wire_count : 0;
}

/** The node of a variable, or of the hook that makes a value; -1: of none. */
static int node_of(const sb_schedule *s, int var) {
  int value = var - s->base - s->model->state_count;
  return var < s->base ? var : value >= 0 && s->maker[value] >= 0 ? s->nodes + s->maker[value] : -1;
}

int sb_schedule_rate_node(const sb_schedule *s, int var) {
  return var < s->base ? s->base + var : node_of(s, sb_rate_of(s->model, s->causality, var).var);
}

/** Number of things that a node depends on, and the k-th. */
static int dependency_count(const sb_schedule *s, int node) {
  if (node < s->nodes) {
    return s->causality->count[node % s->base];
  }
  const sb_hook *hook = &s->hooks[node - s->nodes];
  if (hook->kind == OP_TIE) {
    return s->causality->constraints[hook->part].count;
  }
  if (sb_schedule_apart(hook)) {
    return 1;
  }
  const sb_part *part = &s->model->parts[hook->part];
  return 2 * part->components + wires_read(hook, part) + wire_rates_read(hook, part) + 1;
}

/** What the hook of a part depends on. */
static int hook_dependency(const sb_schedule *s, int node, int k) {
  const sb_hook *hook = &s->hooks[node - s->nodes];
  const sb_part *part = &s->model->parts[hook->part];
  int components = part->components, wires = wires_read(hook, part);
  const int *wire = s->model->wires + part->wire;
  double sign;
  if (k < components) {
    return sb_schedule_reads(s, hook, k) ? sb_schedule_input(s, hook->part, k, &sign) : -1;
  }
  k -= components;
  if (k < components) {
    bool reads = sb_schedule_reads_rate(s, hook, k);
    return reads ? sb_schedule_rate_node(s, sb_schedule_input(s, hook->part, k, &sign)) : -1;
  }
  k -= components;
  if (k < wires) {
    return s->nodes + s->maker[wire[k]];
  }
  k -= wires;
  if (k < wire_rates_read(hook, part)) {
    return sb_schedule_rate_node(s, sb_value_var(s->model, wire[k]));
  }
  bool second = hook->kind == OP_RATE || (hook->kind == OP_ADJOINT && part->signal_count > 0);
  return second ? node - 1 : -1; // after the part's first hook, whose signals it reads
}

static int dependency(const sb_schedule *s, int node, int k) {
  const sb_causality *c = s->causality;
  if (node < s->nodes) {
    int var = c->terms[c->first[node % s->base] + k].var;
    return node < s->base ? node_of(s, var) : sb_schedule_rate_node(s, var);
  }
  const sb_hook *hook = &s->hooks[node - s->nodes];
  switch (hook->kind) {
  case OP_TIE:
    return sb_schedule_rate_node(s, c->constraint_terms[c->constraints[hook->part].first + k].var);
  case OP_SENSOR:
    return node_of(s, s->model->sensors[hook->part].var);
  case OP_SENSOR_DOT:
    return sb_schedule_rate_node(s, s->model->sensors[hook->part].var);
  default:
    return hook_dependency(s, node, k);
  }
}

/** Names parts of a ring, each once. Returns the last of them. @param ties  out: whether it has ties */
static int name_ring(const sb_schedule *s, const sb_ring *ring, char names[], size_t size,
                     bool *ties) {
  enum { NAMED_MAX = 6 };
  int parts[NAMED_MAX], count = 0, last = 0;
  bool more = false;
  names[0] = '\0';
  *ties = false;
  for (int i = 0; i < ring->count; i++) {
    int node = s->members[ring->first + i];
    const sb_hook *hook = node < s->nodes ? NULL : &s->hooks[node - s->nodes];
    *ties = *ties || (hook != NULL && hook->kind == OP_TIE);
    bool listed = hook == NULL || sb_schedule_apart(hook);
    for (int k = 0; !listed && k < count; k++) {
      listed = parts[k] == hook->part;
    }
    more = more || (!listed && count == NAMED_MAX);
    if (!listed && count < NAMED_MAX) {
      size_t used = strlen(names);
      last = parts[count] = hook->part;
      (void)snprintf(names + used, size - used, "%s'%.40s'", count++ > 0 ? ", " : "",
                     s->model->parts[hook->part].id);
    }
  }
  if (more) {
    size_t used = strlen(names);
    (void)snprintf(names + used, size - used, " and others");
  }
  return last;
}

static void report_loop(const sb_schedule *s, const sb_ring *ring) {
  char names[400];
  bool ties;
  const sb_part *last = &s->model->parts[name_ring(s, ring, names, sizeof names, &ties)];
  sb_error err;
  sb_fail(&err, SB_ERR_LOOP,
          "algebraic loop through %s: each needs what the other gives, and more than %d numbers "
          "would have to be solved for together",
          names, SB_LOOP_MAX);
  sb_error_hint(&err,
                ties ? "they are tied to each other by ratios that change: a spring (C) between "
                       "two of them, or an R, parts the ties"
                     : "a small storage (C or I) between them breaks the loop");
  sb_part_error(last, &err, s->errors);
}

/** A tie on which its own force has no effect. */
static void report_tie(const sb_schedule *s, const sb_hook *hook) {
  const sb_constraint *tie = &s->causality->constraints[hook->part];
  const sb_part *where = &s->model->parts[tie->where];
  sb_error err;
  sb_fail(&err, SB_ERR_CAUSALITY, "what is tied to each other at '%s' cannot be kept together",
          where->id);
  sb_error_hint(&err, "no force that acts there changes what is tied: check the bonds around '%s'",
                where->id);
  sb_part_error(where, &err, s->errors);
}

/** Outputs of the hooks of a ring are solved for together, if they are not too many. */
static bool solvable(const sb_schedule *s, const sb_ring *ring) {
  int count = 0, inputs = 0;
  for (int i = 0; i < ring->count; i++) {
    int node = s->members[ring->first + i];
    const sb_hook *hook = node < s->nodes ? NULL : &s->hooks[node - s->nodes];
    if (hook == NULL || sb_schedule_apart(hook)) {
      count += hook != NULL && hook->kind == OP_TIE;
      inputs += hook != NULL;
      continue;
    }
    const sb_part *part = &s->model->parts[hook->part];
    for (int k = 0; k < part->components; k++) {
      count += sb_schedule_gives(s, hook, k);
      inputs += sb_schedule_reads(s, hook, k) + sb_schedule_reads_rate(s, hook, k);
    }
    count += sb_schedule_signals(s, hook) ? part->signal_count : 0;
    inputs += wires_read(hook, part) + wire_rates_read(hook, part);
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
  if (count == 1 && node >= s->nodes && s->hooks[node - s->nodes].kind == OP_TIE) {
    report_tie(s, &s->hooks[node - s->nodes]);
    return SB_ERR_CAUSALITY;
  }
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
  for (int node = 0; node < s->nodes + s->hook_count; node++) {
    for (int k = 0, n = s->mark[node] > 0 ? dependency_count(s, node) : 0; k < n; k++) {
      int below = dependency(s, node, k);
      if (below >= 0 && below < s->nodes) {
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
  s->mark = sb_zeroed(s->nodes + s->hook_count, sizeof(int));
  s->low = sb_zeroed(s->nodes + s->hook_count, sizeof(int));
  s->path = sb_zeroed(s->nodes + s->hook_count, sizeof(int));
  s->members = sb_zeroed(s->nodes + s->hook_count, sizeof(int));
  s->next = sb_zeroed(s->nodes + s->hook_count, sizeof(int));
  s->stack = sb_zeroed(s->nodes + s->hook_count + 1, sizeof(int));
  s->order = sb_zeroed(s->nodes + s->hook_count, sizeof(int));
  if (s->mark == NULL || s->low == NULL || s->path == NULL || s->members == NULL ||
      s->next == NULL || s->stack == NULL || s->order == NULL) {
    return SB_ERR_MEMORY;
  }
  for (int i = 0; i < s->hook_count; i++) {
    if (s->hooks[i].kind < OP_OUTPUT_DOT) { // the others where they are needed
      SB_TRY(visit(s, s->nodes + i));
    }
  }
  if (!for_each_sink(s, visit_sink)) {
    return s->status;
  }
  count_uses(s);
  return SB_OK;
}
