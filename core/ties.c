// SPDX-License-Identifier: GPL-3.0-or-later
// How storages that the network ties to each other are kept together. A tie sum w y = 0 is kept by its
// rate, sum w ydot = 0 (index reduction), from a start that satisfies it.
//
// Linear storages (and sources of time): the rate is one more linear row, in the place of that of the
// output of one of them, which is dependent.
// Others, and ties that change with time (y of a modulated transformer): the row that states the tie is
// left out, and with it one variable is open: the force that keeps the tie, power-conjugate to the row,
// as rows of a power-free structure are. The force is a value that the program solves for such that
// the rate is zero: for storages with Hessian K the matrix w K w^T > 0 stands before it. That the
// storages keep their outputs lets a ratio pass through zero.
#include <math.h>

#include "core/array_private.h"
#include "core/assign_private.h"
#include "core/tie_rows_private.h"

/** An output below this part of the others of its storage is rounding. */
static const double output_tol = 1e-10;

/** A search through what variables are made of. */
typedef struct search {
  const sb_assign *a;
  char *seen;  // (variables, states and values) was asked through a port, 2, or a signal, 1
  int storage; // a state whose output was met; -1: none
  bool turned; // a modulated structure to be given flows was met
  int unknown; // a part that gives something without a known rate; -1: none
} search;

static bool has_rate(search *s, int var, bool port);

/** The part whose signal a value is; -1: none. */
static int find_signal(const sb_model *model, int value) {
  for (int i = 0; i < model->part_count; i++) {
    const sb_part *part = &model->parts[i];
    if (value >= part->signal && value < part->signal + part->signal_count) {
      return i;
    }
  }
  return -1;
}

static bool wires_have_rates(search *s, const sb_part *part);

/** Notes the first part at fault. Returns false. */
static bool blame(search *s, int part) {
  s->unknown = s->unknown < 0 ? part : s->unknown;
  return false;
}

/** What a wire reads: a sensor or a signal. */
static bool wire_has_rate(search *s, int value) {
  const sb_model *model = s->a->model;
  int var = sb_value_var(model, value);
  if (s->seen[var]) {
    return true;
  }
  s->seen[var] = 1;
  for (int i = 0; i < model->sensor_count; i++) {
    if (model->sensors[i].value == value) {
      return has_rate(s, model->sensors[i].var, false);
    }
  }
  int index = find_signal(model, value);
  const sb_part *part = &model->parts[index];
  bool known = part->type->role == SB_SIGNAL && part->type->signal->output_rate != NULL;
  return known ? part->layout.states > 0 || wires_have_rates(s, part) : blame(s, index);
}

static bool wires_have_rates(search *s, const sb_part *part) {
  const sb_model *model = s->a->model;
  for (int k = 0; k < part->wire_count; k++) {
    int before = s->unknown;
    if (!wire_has_rate(s, model->wires[part->wire + k])) {
      bool signal = before < 0 && s->unknown >= 0 &&
                    model->parts[s->unknown].type->role == SB_SIGNAL; // the first of a chain
      s->unknown = signal ? s->unknown : (int)(part - model->parts);
      return false;
    }
  }
  return true;
}

/** Whether a structure was free to be given efforts or flows, and is given efforts: by these a ratio n
 *  of flows divides. */
static bool divides(const sb_causality *c, const sb_part *part, int index) {
  return part->layout.ports[0].output == SB_EITHER && c->given[index] == SB_EFFORT;
}

/** A component that a modulated structure gives from the other side. */
static bool structure_has_rate(search *s, int index, int component) {
  const sb_model *model = s->a->model;
  const sb_part *part = &model->parts[index];
  bool adjoint = sb_part_side(part, component) == 'A';
  const sb_structure_hooks *hooks = part->type->structure;
  if (divides(s->a->result, part, index) && !s->a->result->multiplies[index] &&
      !s->a->result->divides) {
    s->a->result->multiplies[index] = 1;
    s->turned = true;
  }
  bool known = (adjoint ? hooks->adjoint_rate : hooks->forward_rate) != NULL;
  for (int k = 0; known && k < part->components; k++) {
    if (sb_part_side(part, k) == (adjoint ? 'B' : 'A')) {
      bool flow = sb_reads_flow(model, s->a->result, index, k);
      known = has_rate(s, flow ? sb_flow_var(part, k) : sb_effort_var(part, k), true);
    }
  }
  return known && wires_have_rates(s, part);
}

/** What hooks give to a port. */
static bool output_has_rate(search *s, int value, bool port) {
  const sb_model *model = s->a->model;
  int index = value < model->value_count ? sb_owner_of(model, model->state_count + value) : -1;
  if (index < 0) { // a rate itself, or a force
    return false;
  }
  const sb_part *part = &model->parts[index];
  switch (part->type->role) {
  case SB_STORAGE:
    s->storage = port ? part->state + value - part->out : s->storage;
    return sb_part_has_stiffness(part) || blame(s, index);
  case SB_SOURCE:
    return (sb_part_has_rate(part) && wires_have_rates(s, part)) || blame(s, index);
  case SB_STRUCTURE:
    return structure_has_rate(s, index, value - part->out) || blame(s, index);
  default:
    return blame(s, index);
  }
}

/** Whether the rate of a variable, state or value is known. @param port  the tie goes through it, and
 *  not only through a signal */
static bool has_rate(search *s, int var, bool port) {
  const sb_causality *c = s->a->result;
  const sb_model *model = s->a->model;
  int known = var - s->a->base;
  if (known >= model->state_count) {
    return output_has_rate(s, known - model->state_count, port);
  }
  if (known >= 0) {
    const sb_part *part = &model->parts[sb_owner_of(model, known)];
    s->storage = port ? known : s->storage;
    return sb_rate_of(model, c, var).var >= 0 &&
           (part->type->role != SB_SIGNAL || part->type->signal->output_rate != NULL);
  }
  char mark = port ? 2 : 1;
  if (s->seen[var] >= mark) {
    return true; // or it is being asked: a loop, of which the other terms decide
  }
  s->seen[var] = mark;
  bool all = s->a->known[var];
  for (int i = 0; all && i < c->count[var]; i++) {
    all = has_rate(s, c->terms[c->first[var] + i].var, port);
  }
  return all;
}

/** Whether a term is of a linear storage, or of a source of time alone. */
static bool is_constant(const sb_model *model, int known) {
  const sb_part *part = &model->parts[sb_owner_of(model, known)];
  return known < model->state_count ? part->linear
                                    : part->type->role == SB_SOURCE && part->wire_count == 0;
}

/** How much of the tie is the output that belongs to a state: of c . x = (G K) . x it is G. All have one
 *  unit. 0: it is of none. */
static double output_of(const sb_model *model, const sb_term terms[], int count, int i) {
  int base = sb_known_base(model), known = terms[i].var - base;
  const sb_part *part = &model->parts[sb_owner_of(model, known)];
  double c[SB_DIM_MAX] = {0}, g[SB_DIM_MAX];
  if (part->type->role != SB_STORAGE || known >= model->state_count) {
    return part->type->role == SB_STORAGE ? fabs(terms[i].factor) : 0;
  }
  for (int k = 0; k < count; k++) {
    int own = terms[k].var - base - part->state;
    if (own >= 0 && own < part->components) {
      c[own] = terms[k].factor;
    }
  }
  sb_storage_solve(part, c, g);
  double most = 0;
  for (int k = 0; k < part->components; k++) {
    most = fmax(most, fabs(g[k]));
  }
  double own = fabs(g[known - part->state]);
  return own > output_tol * most ? own : 0;
}

/** The last storage whose output counts; a linear one if there is any. Counted as by sb_owner_of();
 *  -1: none. */
static int choose_dependent(const sb_model *model, const sb_term terms[], int count) {
  double largest = 0;
  int chosen = -1, base = sb_known_base(model);
  for (int i = 0; i < count; i++) {
    largest = fmax(largest, output_of(model, terms, count, i));
  }
  for (int i = 0; i < count; i++) {
    int known = terms[i].var - base;
    double output = output_of(model, terms, count, i);
    bool linear = known < model->state_count,
         chosen_linear = chosen >= 0 && chosen < model->state_count;
    if (output > 0 && output >= 0.01 * largest && (linear || !chosen_linear)) {
      chosen = known;
    }
  }
  return chosen;
}

/** The state behind an output. */
static int state_of(const sb_model *model, int known) {
  const sb_part *part = &model->parts[sb_owner_of(model, known)];
  return known < model->state_count ? known : part->state + known - model->state_count - part->out;
}

/** Lets a force be known that acts at a row, as the first open variable that is power-conjugate to one
 *  of its terms. Returns that; -1: there is none. */
static int release(sb_assign *a, int row, int force) {
  const sb_equations *eq = &a->eq;
  for (int i = eq->first[row]; i < eq->first[row + 1]; i++) {
    int var = eq->terms[i].var ^ 1; // effort and flow of a cell are neighbours
    if (eq->terms[i].var < a->base && !a->known[var]) {
      a->result->first[var] = a->result->term_count;
      a->result->count[var] = 1;
      bool ok = sb_assign_term(a, sb_value_var(a->model, force), 1);
      sb_assign_known(a, var);
      return ok ? var : -1;
    }
  }
  return -1;
}

/** Whether all terms have rates, and a storage takes part. */
static bool is_kept(search *s, const sb_term terms[], int count) {
  for (int i = 0; i < count; i++) {
    if (!has_rate(s, terms[i].var, true)) {
      return false;
    }
  }
  return s->storage >= 0;
}

sb_tie_kind sb_tie_add(sb_assign *a, int row, const sb_term terms[], int count, char seen[],
                       int *unknown) {
  sb_causality *r = a->result;
  const sb_model *model = a->model;
  sb_constraint c = {.where = a->eq.owner[row], .first = r->constraint_term_count, .count = count};
  search s = {.a = a, .seen = seen, .storage = -1, .unknown = -1};
  bool kept = is_kept(&s, terms, count);
  *unknown = s.unknown;
  if (!kept) {
    return SB_TIE_NONE;
  }
  if (s.turned) {
    return SB_TIE_AGAIN;
  }
  int chosen = choose_dependent(model, terms, count), pivot = 0;
  for (int i = 0; i < count; i++) {
    c.solved = c.solved || !is_constant(model, terms[i].var - a->base);
    bool better = chosen >= 0 ? terms[i].var == a->base + chosen
                              : fabs(terms[i].factor) > fabs(terms[pivot].factor);
    pivot = better ? i : pivot;
  }
  c.pivot = terms[pivot].var;
  c.dependent = chosen >= 0 ? state_of(model, chosen) : s.storage;
  c.acting = c.solved ? release(a, row, sb_force_value(model, r->constraint_count)) : -1;
  if (c.solved && c.acting < 0) {
    return SB_TIE_NONE;
  }
  for (int i = 0; i < count; i++) {
    if (!sb_append(&r->constraint_terms, &r->constraint_term_count, &r->constraint_term_capacity,
                   sizeof(sb_term), &terms[i])) {
      return SB_TIE_NO_MEMORY;
    }
  }
  return !sb_append(&r->constraints, &r->constraint_count, &r->constraint_capacity, sizeof c, &c)
             ? SB_TIE_NO_MEMORY
         : c.solved ? SB_TIE_SOLVED
                    : SB_TIE_LINEAR;
}
