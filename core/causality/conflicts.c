// SPDX-License-Identifier: GPL-3.0-or-later
// Rows whose variables are all known: identities, constraints on storages, or conflicts.
#include <math.h>
#include <string.h>

#include "core/causality/assign_private.h"

/** A coefficient below this fraction of what it is the sum of is zero (rounding). Those of one variable have
 *  one unit, and so are compared with each other only. */
static const double identity_tol = 1e-10;
/** Below this fraction it has lost digits: its rounding is that of what it is the rest of. */
static const double rest_fraction = 1e-2;

/** A row as a combination of states and values. */
typedef struct sources {
  int all;
  double *weight; // (all) coefficients of variables; those below base are used up
  double *size;   // (all) the largest that was added to each of them
  sb_term *terms; // (all) scratch
  char *seen;     // (all) scratch
} sources;

static void add(sources *s, int var, double weight) {
  s->weight[var] += weight;
  s->size[var] = fmax(s->size[var], fabs(weight));
}

/** A coefficient, 0 where it is rounding. */
static double weight_of(const sources *s, int var) {
  return fabs(s->weight[var]) > identity_tol * s->size[var] ? s->weight[var] : 0;
}

/** Replaces every variable of a sum by what determined it, the last one first. */
static void expand(const sb_assign *a, const sb_term terms[], int count, sources *s) {
  memset(s->weight, 0, (size_t)s->all * sizeof(double));
  memset(s->size, 0, (size_t)s->all * sizeof(double));
  memset(s->seen, 0, (size_t)s->all);
  for (int i = 0; i < count; i++) {
    add(s, terms[i].var, terms[i].factor);
  }
  for (int k = a->known_count - 1; k >= 0; k--) {
    int var = a->result->order[k];
    double weight = weight_of(s, var);
    for (int i = 0; weight != 0 && i < a->result->count[var]; i++) {
      const sb_term *term = &a->result->terms[a->result->first[var] + i];
      add(s, term->var, weight * term->factor);
    }
  }
}

/** Whose a known variable is: of a rate that of which it is the rate, of a multiplier a constrained storage. */
static int owner_of(const sb_assign *a, int var) {
  const sb_network *network = a->network;
  int value = var - sb_value_var(network, 0), values = network->value_count;
  int first = sb_multiplier_value(network, a->result, 0);
  if (value >= first) {
    int constraint = (value - first) / 2;
    const sb_constraint *c = &a->result->constraints[constraint];
    return c->dependent < 0 ? c->where : sb_owner_of(network, c->dependent);
  }
  if (value >= 2 * values) {
    return a->result->algebraics[(value - 2 * values) / 3].instance;
  }
  return sb_owner_of(network, var - a->base - (value >= values ? values : 0));
}

static int list_owners(const sb_assign *a, const sb_term terms[], int term_count, int owners[]) {
  int count = 0;
  for (int k = 0; k < term_count; k++) {
    int owner = owner_of(a, terms[k].var);
    bool listed = owner < 0;
    for (int i = 0; i < count; i++) {
      listed = listed || owners[i] == owner;
    }
    if (!listed && count < SB_OWNERS_MAX) {
      owners[count++] = owner;
    }
  }
  return count;
}

/** Takes the pivots of constraints found since `from` out of a combination, and of those of linear storages before: the output of a
 *  field contains its dependent states, and of the constraints none may contain those of earlier ones (enforce.c).
 *  @return whether any of linear storages since `from` took part, with which assignment begins again */
static bool reduce_by_constraints(const sb_assign *a, int from, sources *s) {
  const sb_causality *r = a->result;
  bool took = false;
  for (int i = 0; i < r->constraint_count; i++) {
    const sb_constraint *c = &r->constraints[i];
    const sb_term *terms = &r->constraint_terms[c->first];
    if (i < from && c->solved) {
      continue;
    }
    double pivot = 0, weight = weight_of(s, c->pivot);
    for (int k = 0; k < c->count; k++) {
      pivot += terms[k].var == c->pivot ? terms[k].factor : 0;
    }
    for (int k = 0; weight != 0 && k < c->count; k++) {
      add(s, terms[k].var, -weight / pivot * terms[k].factor);
    }
    s->weight[c->pivot] = 0;
    took = took || (weight != 0 && i >= from && !c->solved);
  }
  return took;
}

/** Whether a coefficient is left of larger ones, n - N with N what constraints of this assignment have brought in. The next assignment
 *  knows these constraints, and states what the row says without them, to all digits. */
static bool has_rests(const sb_assign *a, const sources *s) {
  bool any = false;
  for (int var = a->base; var < s->all; var++) {
    any = any || (weight_of(s, var) != 0 && fabs(s->weight[var]) < rest_fraction * s->size[var]);
  }
  return any;
}

/** The terms of a combination. */
static int list_terms(const sb_assign *a, sources *s) {
  int count = 0;
  for (int var = a->base; var < s->all; var++) {
    double weight = weight_of(s, var);
    if (weight != 0) {
      s->terms[count++] = (sb_term){var, weight};
    }
  }
  return count;
}

/** Whether nothing is known yet of a row but its variables. */
static bool is_open(const sb_assign *a, int row) {
  return !a->done[row] && a->eq.active[row] && a->unknown[row] == 0;
}

/** One row without unknowns: an identity, a new constraint, or a conflict. */
static sb_status resolve(sb_assign *a, int row, int before, sources *s, int found[],
                         sb_errors *errors) {
  int owners[SB_OWNERS_MAX];
  a->done[row] = 1;
  expand(a, a->eq.terms + a->eq.first[row], a->eq.first[row + 1] - a->eq.first[row], s);
  const bool reduced = reduce_by_constraints(a, before, s);
  int terms = list_terms(a, s);
  if (terms == 0 || (reduced && has_rests(a, s))) {
    return SB_OK;
  }
  int count = list_owners(a, s->terms, terms, owners);
  int unknown = -1;
  sb_constraint_kind kind = SB_CONSTRAINT_BALANCE;
  if (!sb_algebraic_balance(a, row, s->terms, terms, s->seen)) {
    memset(s->seen, 0, (size_t)s->all);
    kind = sb_constraint_add(a, row, s->terms, terms, s->seen, &unknown);
  }
  a->done[row] = kind != SB_CONSTRAINT_OPEN;
  if (kind == SB_CONSTRAINT_IMPOSSIBLE) {
    sb_conflict_report(a, row, owners, count, unknown, errors);
    return SB_ERR_CAUSALITY;
  }
  found[kind]++;
  return SB_OK;
}

/** @param most  constraints that there may be */
static sources sources_of(const sb_assign *a, int most, sb_arena *memory) {
  int all = sb_value_var(a->network, sb_multiplier_value(a->network, a->result, most));
  return (sources){.all = all,
                   .weight = sb_arena_zeroed(memory, all, sizeof(double)),
                   .size = sb_arena_zeroed(memory, all, sizeof(double)),
                   .terms = sb_arena_zeroed(memory, all, sizeof(sb_term)),
                   .seen = sb_arena_zeroed(memory, all, sizeof(char))};
}

sb_status sb_conflicts_imply(sb_assign *a, int row, const sb_term terms[], int count, int *found) {
  int before = a->result->constraint_count, unknown;
  sb_arena memory = {0};
  sources s = sources_of(a, before + 1, &memory);
  sb_constraint_kind kind = SB_CONSTRAINT_IMPOSSIBLE;
  bool failed = memory.failed;
  if (!failed) {
    expand(a, terms, count, &s);
    const bool reduced = reduce_by_constraints(a, before - *found, &s);
    const int left = reduced && has_rests(a, &s) ? 0 : list_terms(a, &s);
    kind = left > 0 ? sb_constraint_add(a, row, s.terms, left, s.seen, &unknown)
                    : SB_CONSTRAINT_BALANCE; // nothing is left to hold
    if (kind == SB_CONSTRAINT_IMPOSSIBLE) {
      a->rival_count = list_owners(a, s.terms, left, a->rivals);
    }
  }
  sb_arena_finish(&memory);
  bool again = kind == SB_CONSTRAINT_LINEAR || kind == SB_CONSTRAINT_AGAIN;
  *found += again;
  return failed ? SB_ERR_MEMORY : again || kind == SB_CONSTRAINT_BALANCE ? SB_OK : SB_ERR_SINGULAR;
}

sb_status sb_conflicts_resolve(sb_assign *a, int *found, int *solved, sb_errors *errors) {
  int before = a->result->constraint_count, count = 0, kinds[SB_CONSTRAINT_KINDS] = {0};
  sb_arena memory = {0};
  int *open = sb_arena_zeroed(&memory, a->eq.row_count, sizeof(int));
  for (int row = 0; open != NULL && row < a->eq.row_count; row++) {
    open[count] = row;
    count += is_open(a, row);
  }
  sources s = count > 0 ? sources_of(a, before + count, &memory) : (sources){0};
  sb_status status = memory.failed ? SB_ERR_MEMORY : SB_OK;
  for (int i = 0; i < count && !memory.failed; i++) {
    if (resolve(a, open[i], before, &s, kinds, errors) != SB_OK) {
      status = SB_ERR_CAUSALITY;
    }
    sb_assign_propagate(a); // a multiplier determines others, which are none of the next one
  }
  sb_arena_finish(&memory);
  *found += kinds[SB_CONSTRAINT_LINEAR] + kinds[SB_CONSTRAINT_AGAIN];
  *solved += kinds[SB_CONSTRAINT_MULTIPLIER];
  return status;
}
