// SPDX-License-Identifier: GPL-3.0-or-later
// Linear algebraic loops of many unknowns, solved row by row: each unknown as a sum of what is known and of unknowns that are eliminated
// after it, by sparse Gaussian elimination (Duff, Erisman and Reid, "Direct Methods for Sparse Matrices", 2017, chapter 5). Along
// a ladder of resistors these sums are the stages' ratios, all of about one size, where the effect of a source on what is far from it,
// 0.4^70, is less than a rounding of what acts near it, and could not be told from one in the solution by the knowns alone. The pivot of a sum of
// conductances is the sum, however different they are, and whether it is a zero no matter of a tolerance. A set that leaves
// unknowns open, as a constraint is stated twice, is eliminated once more with the conditions of least norm (redundant_loops.c).
#include <float.h>
#include <math.h>

#include "core/causality/sparse_private.h"

/** Entries of all rows at the most. */
enum { ENTRIES_MAX = 4000000 };
/** Passes of the scaling at the most. */
enum { PASSES = 60 };
/** An entry below this fraction of what it is the sum of is the rest of terms that cancel. A bound of all that rounding has made of it, on
 *  the way from the ends of a chain, would grow with each stage: what several entries have in common it counts for each. */
static const double residue = 1e-12;
/** Rows have to hold to this fraction of their terms: half of what the audit's structure figure allows (1e-12). */
static const double sound_rest = 5e-13;

/** Appends an entry to a line, which does not have that variable. */
static void append(sb_sparse *s, int at, sb_sparse_entry e) {
  sb_sparse_line *l = &s->lines[at];
  sb_sparse_column *c = sb_sparse_column_of(s, e.var);
  sb_arena_append(&s->memory, &l->entries, &l->count, &l->capacity, sizeof e, &e);
  if (c != NULL) {
    l->unknowns++;
    c->active++;
    sb_arena_append(&s->memory, &c->lines, &c->count, &c->capacity, sizeof at, &at);
  }
  s->entries++;
}

/** Notes where the variables of a line are, or forgets it. */
static void mark(sb_sparse *s, const sb_sparse_line *l, bool present) {
  for (int i = 0; i < l->count; i++) {
    s->at[l->entries[i].var] = present ? i + 1 : 0;
  }
}

/** The set's rows, and conditions behind them. */
static void fill(const sb_assign *a, const sb_sparse_conditions *conditions, sb_sparse *s) {
  for (int r = 0; r < s->set->row_count && !s->memory.failed; r++) {
    const int row = s->set->rows[r];
    sb_sparse_line *l = &s->lines[r];
    l->pivot = -1;
    for (int k = a->eq.first[row]; k < a->eq.first[row + 1]; k++) {
      const sb_term term = a->eq.terms[k];
      const int at = s->at[term.var];
      if (at == 0) {
        append(s, r, (sb_sparse_entry){term.var, term.factor, fabs(term.factor)});
        s->at[term.var] = l->count;
      } else {
        l->entries[at - 1].factor += term.factor;
        l->entries[at - 1].size = fmax(l->entries[at - 1].size, fabs(term.factor));
      }
    }
    l->own = sb_sparse_own(s, l);
    mark(s, l, false);
  }
  for (int k = 0, i = 0; k < conditions->count && !s->memory.failed; k++) {
    const int line = s->set->row_count + k;
    s->lines[line].pivot = s->lines[line].own = -1;
    for (; i < conditions->ends[k]; i++) {
      const sb_term term = conditions->terms[i];
      append(s, line, (sb_sparse_entry){term.var, term.factor, fabs(term.factor)});
    }
  }
}

static double exponent_of(double factor) {
  int exponent = 1;
  (void)frexp(factor, &exponent);
  return exponent - 1;
}

/** Lets the entries of rows and unknowns be 1 in the geometric mean, as efforts and flows have units (core/linalg/equilibrate.c).
 *  @param sums, counts  (set's unknowns) scratch */
static void scale(sb_sparse *s, double sums[], int counts[]) {
  double change = 1;
  for (int pass = 0; change > 0.25 && pass < PASSES; pass++) {
    change = 0;
    for (int j = 0; j < s->set->var_count; j++) {
      sums[j] = counts[j] = 0;
    }
    for (int r = 0; r < s->line_count; r++) {
      sb_sparse_line *l = &s->lines[r];
      double sum = 0;
      for (int i = 0; i < l->count; i++) {
        const sb_sparse_column *c = sb_sparse_column_of(s, l->entries[i].var);
        sum += c != NULL ? exponent_of(l->entries[i].factor) + c->power : 0;
      }
      l->power = l->unknowns > 0 ? -sum / l->unknowns : 0;
      for (int i = 0; i < l->count; i++) {
        const int j = s->set->place[l->entries[i].var] - 1;
        if (j >= 0) {
          sums[j] += exponent_of(l->entries[i].factor) + l->power;
          counts[j]++;
        }
      }
    }
    for (int j = 0; j < s->set->var_count; j++) {
      const double power = counts[j] > 0 ? -sums[j] / counts[j] : 0;
      change = fmax(change, fabs(power - s->columns[j].power));
      s->columns[j].power = power;
    }
  }
}

/** Divides a line by an entry, which is 1 then and the unknown that it gives. */
static void normalize(sb_sparse *s, sb_sparse_line *l, int pivot) {
  const double by = l->entries[pivot].factor;
  for (int i = 0; i < l->count; i++) {
    sb_sparse_column *c = sb_sparse_column_of(s, l->entries[i].var);
    l->entries[i].factor /= by;
    if (c != NULL) {
      c->active--;
    }
  }
  l->pivot = l->entries[pivot].var;
}

/** Takes an entry out of a line. */
static void drop(sb_sparse *s, sb_sparse_line *l, int i) {
  sb_sparse_column *c = sb_sparse_column_of(s, l->entries[i].var);
  if (c != NULL) {
    l->unknowns--;
    c->active--;
  }
  l->entries[i] = l->entries[--l->count];
  s->entries--;
}

/** Takes the unknown that a line gives out of another one. */
static void substitute(sb_sparse *s, const sb_sparse_line *from, int to) {
  sb_sparse_line *l = &s->lines[to];
  sb_sparse_unlist(s, to);
  mark(s, l, true);
  const int at = s->at[from->pivot] - 1;
  if (at >= 0) {
    const double by = l->entries[at].factor;
    for (int i = 0; i < from->count; i++) {
      const int var = from->entries[i].var, own = s->at[var];
      const double product = by * from->entries[i].factor;
      if (own > 0) {
        l->entries[own - 1].factor -= product;
        l->entries[own - 1].size = fmax(l->entries[own - 1].size, fabs(product));
      } else {
        append(s, to, (sb_sparse_entry){var, -product, fabs(product)});
      }
    }
  }
  mark(s, l, false);
  for (int i = l->count - 1; at >= 0 && i >= 0; i--) {
    if (l->entries[i].var == from->pivot ||
        fabs(l->entries[i].factor) <= residue * l->entries[i].size) {
      drop(s, l, i);
    }
  }
  if (at >= 0) {
    sb_sparse_inherit(s, from, l);
  }
  sb_sparse_list(s, to);
}

/** @return SB_ERR_SINGULAR: unknowns are left open, or only what cancels would determine them */
static sb_status eliminate(sb_sparse *s) {
  for (int i = 0; i < 2 * (s->set->var_count + 1); i++) {
    s->heads[i] = -1;
  }
  for (int r = s->line_count - 1; r >= 0; r--) {
    sb_sparse_list(s, r);
  }
  for (s->rank = 0; s->rank < s->set->var_count; s->rank++) {
    const sb_sparse_pivot best = sb_sparse_choose(s);
    const int chosen = best.line;
    if (chosen < 0) {
      return SB_ERR_SINGULAR;
    }
    s->order[s->rank] = chosen;
    sb_sparse_unlist(s, chosen);
    normalize(s, &s->lines[chosen], best.entry);
    sb_sparse_hand_on(s, &s->lines[chosen]);
    const sb_sparse_column *c = sb_sparse_column_of(s, s->lines[chosen].pivot);
    for (int i = 0; i < c->count && !s->memory.failed; i++) {
      if (s->lines[c->lines[i]].pivot < 0) {
        substitute(s, &s->lines[chosen], c->lines[i]);
      }
    }
    if (s->memory.failed) {
      return SB_ERR_MEMORY;
    }
    if (s->entries > ENTRIES_MAX) {
      return SB_ERR_LIMIT;
    }
  }
  return SB_OK;
}

/** How well the rows hold that give an unknown, for knowns of 1 to 2: what is left of each, beside its terms. Where an unknown is the rest of
 *  larger terms that cancel these count, but none above the largest unknown as they are scaled: otherwise what has grown without
 *  bound would bound itself.
 *  @param x, size  (all variables) scratch  @param worst  out: the line  @return that of the worst */
static double rest_of(const sb_assign *a, const sb_sparse *s, double x[], double size[],
                      int *worst) {
  const int all = sb_value_var(a->network, sb_fixed_values(a->network, a->result));
  double largest = 0, rest = 0;
  for (int v = 0; v < all; v++) {
    x[v] = size[v] = 1 + fmod(v * 0.6180339887, 1);
  }
  for (int k = s->set->var_count - 1; k >= 0; k--) {
    const sb_sparse_line *l = &s->lines[s->order[k]];
    x[l->pivot] = size[l->pivot] = 0;
    for (int i = 0; i < l->count; i++) {
      const sb_sparse_entry *e = &l->entries[i];
      if (e->var != l->pivot) {
        x[l->pivot] -= e->factor * x[e->var];
        size[l->pivot] += fabs(e->factor) * size[e->var];
      }
    }
    largest = fmax(largest,
                   ldexp(fabs(x[l->pivot]), -(int)lrint(sb_sparse_column_of(s, l->pivot)->power)));
  }
  for (int k = 0; k < s->set->var_count; k++) {
    const int line = s->order[k], row = line < s->set->row_count ? s->set->rows[line] : -1;
    double sum = 0, terms = 0;
    for (int i = row >= 0 ? a->eq.first[row] : 0; row >= 0 && i < a->eq.first[row + 1]; i++) {
      const sb_term *term = &a->eq.terms[i];
      const sb_sparse_column *c = sb_sparse_column_of(s, term->var);
      const double most = c != NULL ? ldexp(largest, (int)lrint(c->power)) : HUGE_VAL;
      sum += term->factor * x[term->var];
      terms += fabs(term->factor) * fmin(size[term->var], most);
    }
    if (!(fabs(sum) <= rest * terms + DBL_MIN)) {
      rest = fabs(sum) / terms;
      *worst = line;
    }
  }
  return rest;
}

/** Writes the unknowns, the last one first: what it depends on is known then. The rows that gave none are left to the check for
 *  conflicts; the others hold, even where what arrives at the end of a long chain is below 1e-308. */
static void store(sb_assign *a, const sb_sparse *s) {
  for (int k = s->set->var_count - 1; k >= 0; k--) {
    const sb_sparse_line *l = &s->lines[s->order[k]];
    a->result->first[l->pivot] = a->result->term_count;
    for (int i = 0; i < l->count; i++) {
      if (l->entries[i].var != l->pivot) {
        sb_assign_term(a, l->entries[i].var, -l->entries[i].factor);
      }
    }
    a->result->count[l->pivot] = a->result->term_count - a->result->first[l->pivot];
    if (s->order[k] < s->set->row_count) {
      a->done[s->set->rows[s->order[k]]] = 1;
    }
    sb_assign_known(a, l->pivot);
  }
  a->result->loop_count++;
}

/** Words for a loop that cannot be solved within limits. */
static void report(const sb_assign *a, const sb_sparse *s, double rest, int worst,
                   sb_errors *errors) {
  const sb_instance *instance = &a->network->instances[a->eq.owner[s->set->rows[worst]]];
  sb_error err;
  if (!(rest <= sound_rest)) {
    sb_fail(&err, SB_ERR_LIMIT,
            "the algebraic loop of %d unknowns around '%s' cannot be solved well enough: what it "
            "gives is off "
            "there by %.3g of its terms, at most %g is allowed",
            s->set->var_count, instance->id, rest, sound_rest);
    sb_error_hint(&err, "put a C or I into the loop, which divides it, or give its elements values "
                        "nearer to each other");
  } else {
    sb_fail(&err, SB_ERR_LIMIT,
            "the algebraic loop of %d unknowns around '%s' has more than %d coefficients",
            s->set->var_count, instance->id, ENTRIES_MAX);
    sb_error_hint(&err, "put a C or I into the loop, which divides it");
  }
  sb_instance_error(instance, &err, errors);
}

/** The set, eliminated with conditions. */
static sb_status sparse_init(const sb_assign *a, const sb_loop_set *set,
                             const sb_sparse_conditions *conditions, sb_sparse *s) {
  const int all = sb_value_var(a->network, sb_fixed_values(a->network, a->result));
  *s = (sb_sparse){.set = set, .line_count = set->row_count + conditions->count};
  s->lines = sb_arena_zeroed(&s->memory, s->line_count, sizeof(sb_sparse_line));
  s->columns = sb_arena_zeroed(&s->memory, set->var_count, sizeof(sb_sparse_column));
  s->at = sb_arena_zeroed(&s->memory, all, sizeof(int));
  s->heads = sb_arena_zeroed(&s->memory, 2 * (set->var_count + 1), sizeof(int));
  s->order = sb_arena_zeroed(&s->memory, set->var_count, sizeof(int));
  double *sums = sb_arena_zeroed(&s->memory, set->var_count, sizeof(double));
  if (!s->memory.failed) {
    fill(a, conditions, s);
  }
  if (!s->memory.failed) {
    scale(s, sums, s->order);
  }
  return s->memory.failed ? SB_ERR_MEMORY : eliminate(s);
}

bool sb_loop_implies(sb_assign *a, const sb_loop_set *set, int var) {
  sb_sparse s;
  const sb_status status = sparse_init(a, set, &(sb_sparse_conditions){0}, &s);
  bool found = false;
  for (int r = 0; (status == SB_OK || status == SB_ERR_SINGULAR) && r < set->row_count; r++) {
    const sb_sparse_line *l = &s.lines[r];
    for (int i = 0; l->pivot < 0 && l->unknowns == 0 && i < l->count; i++) {
      found = found || l->entries[i].var == var;
    }
  }
  a->memory.failed = a->memory.failed || s.memory.failed;
  sb_arena_finish(&s.memory);
  return found;
}

/** What the rows have left open, if that is all that is wrong with them. */
static sb_status complete(sb_assign *a, const sb_loop_set *set, sb_sparse *s, int *found) {
  sb_sparse_conditions conditions = {0};
  sb_sparse closed = {0};
  sb_status status = sb_sparse_imply(a, s, found);
  if (status == SB_OK && *found == 0) {
    status = sb_sparse_close(a, s, &conditions);
    if (status == SB_OK) {
      status = sparse_init(a, set, &conditions, &closed);
    }
    sb_arena_finish(&s->memory);
    *s = closed;
  }
  return status;
}

/** An eliminated set to the result, if its rows hold. */
static sb_status finish(sb_assign *a, sb_sparse *s, sb_errors *errors) {
  const int all = sb_value_var(a->network, sb_fixed_values(a->network, a->result));
  double *x = sb_arena_zeroed(&s->memory, all, sizeof *x);
  double *size = sb_arena_zeroed(&s->memory, all, sizeof *size);
  int worst = 0;
  if (s->memory.failed) {
    return SB_ERR_MEMORY;
  }
  const double rest = rest_of(a, s, x, size, &worst);
  if (!(rest <= sound_rest)) {
    report(a, s, rest, worst, errors);
    return SB_ERR_LIMIT;
  }
  store(a, s);
  return SB_OK;
}

sb_status sb_loop_solve_sparse(sb_assign *a, const sb_loop_set *set, int *found,
                               sb_errors *errors) {
  sb_sparse s;
  sb_status status = sparse_init(a, set, &(sb_sparse_conditions){0}, &s);
  if (status == SB_ERR_SINGULAR) {
    status = complete(a, set, &s, found);
  }
  if (status == SB_OK && *found == 0) {
    status = finish(a, &s, errors);
  } else if (status == SB_ERR_LIMIT) {
    report(a, &s, 0, 0, errors);
  }
  sb_arena_finish(&s.memory);
  return status;
}
