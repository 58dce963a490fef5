// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong when causality cannot be assigned, in words that name the elements.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/assign_private.h"

enum { NAMED_MAX = 4 };
/** A combination of known variables below this part of its terms is an identity (rounding). */
static const double identity_tol = 1e-10;

/** A row as a combination of states and values. */
typedef struct sources {
  double *weight;   // (all variables) coefficients; those below base are used up
  double magnitude; // largest coefficient on the way
} sources;

/** Replaces every variable by what determined it, the last one first. */
static void expand(const sb_assign *a, int row, sources *s) {
  const sb_equations *eq = &a->eq;
  for (int i = eq->first[row]; i < eq->first[row + 1]; i++) {
    s->weight[eq->terms[i].var] += eq->terms[i].factor;
    s->magnitude = fmax(s->magnitude, fabs(eq->terms[i].factor));
  }
  for (int k = a->known_count - 1; k >= 0; k--) {
    int var = a->result->order[k];
    double weight = s->weight[var];
    for (int i = 0; weight != 0 && i < a->result->count[var]; i++) {
      const sb_term *term = &a->result->terms[a->result->first[var] + i];
      s->weight[term->var] += weight * term->factor;
      s->magnitude = fmax(s->magnitude, fabs(weight * term->factor));
    }
  }
}

int sb_owner_of(const sb_model *model, int known) {
  int value = known - model->state_count;
  for (int i = 0; i < model->part_count; i++) {
    const sb_part *part = &model->parts[i];
    if (value < 0 ? known >= part->state && known < part->state + part->layout.states
                  : part->hooked && value >= part->out && value < part->out + part->components) {
      return i;
    }
  }
  return -1;
}

static int list_owners(const sb_assign *a, const sources *s, int owners[]) {
  int count = 0, known_count = a->model->state_count + a->model->value_count;
  for (int k = 0; k < known_count; k++) {
    bool present = fabs(s->weight[a->base + k]) > identity_tol * s->magnitude;
    int owner = present ? sb_owner_of(a->model, k) : -1;
    bool listed = owner < 0;
    for (int i = 0; i < count; i++) {
      listed = listed || owners[i] == owner;
    }
    if (!listed && count < NAMED_MAX + 1) {
      owners[count++] = owner;
    }
  }
  return count;
}

static void join_names(const sb_model *model, const int owners[], int count, char text[],
                       size_t size) {
  text[0] = '\0';
  for (int i = 0; i < count && i < NAMED_MAX; i++) {
    size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s'%s'",
                   i == 0           ? ""
                   : i == count - 1 ? " and "
                                    : ", ",
                   model->parts[owners[i]].id);
  }
  if (count > NAMED_MAX) {
    size_t used = strlen(text);
    (void)snprintf(text + used, size - used, " and others");
  }
}

static void word_conflict(const sb_assign *a, int row, const int owners[], int count,
                          sb_errors *errors) {
  const sb_model *model = a->model;
  const sb_part *where = &model->parts[a->eq.owner[row]];
  int storages = 0, sources_count = 0, laws = 0, last = owners[0], modulated = -1;
  for (int i = 0; i < count; i++) {
    modulated = model->parts[owners[i]].type->role == SB_STRUCTURE ? owners[i] : modulated;
    storages += model->parts[owners[i]].type->role == SB_STORAGE;
    sources_count += model->parts[owners[i]].type->role == SB_SOURCE;
    laws += model->parts[owners[i]].type->role == SB_DISSIPATION;
    last = owners[i] > last ? owners[i] : last;
  }
  char names[400];
  sb_error err;
  join_names(model, owners, count, names, sizeof names);
  if (modulated >= 0) {
    sb_fail(
        &err, SB_ERR_CAUSALITY,
        "'%s' ties what stands on its two sides to each other: of %s and what is behind it only "
        "one can determine the variable at '%s'",
        model->parts[modulated].id, names, where->id);
    sb_error_hint(&err,
                  "storages that depend on each other by a changing ratio are not solved for: "
                  "put a C or an R between them, or join them in one ICField of energy H(q, p)");
  } else if (count == 1) {
    sb_fail(&err, SB_ERR_CAUSALITY, "'%s' cannot give what '%s' forces to be zero",
            model->parts[owners[0]].id, where->id);
    sb_error_hint(&err, "check the junction's kind and the bonds around '%s'", where->id);
  } else if (storages == 0 && sources_count == count) {
    sb_fail(&err, SB_ERR_CAUSALITY, "the sources %s fix the same variable at '%s'", names,
            where->id);
    sb_error_hint(&err,
                  "sources of effort meet at a J1, sources of flow at a J0, with an R, C or I that "
                  "takes what they leave");
  } else if (storages == count) {
    sb_fail(&err, SB_ERR_CAUSALITY,
            "the storages %s are tied to each other at '%s': one of them depends on the others, "
            "which is solved for C, I and fields without signals only",
            names, where->id);
    sb_error_hint(&err, "merge them into one storage with the combined parameter, or put an R "
                        "between them");
  } else if (laws > 0 && storages == 0) {
    sb_fail(&err, SB_ERR_LOOP,
            "%s %s determine the same variable at '%s', and nothing there the other: a law that "
            "cannot be inverted takes no part in a loop",
            names, count > 2 ? "all" : "both", where->id);
    sb_error_hint(&err, "a law that rises everywhere can be inverted (its range is stated by "
                        "effort-limit or flow-limit); or put a C or I beside it");
  } else {
    sb_fail(
        &err, SB_ERR_CAUSALITY,
        "%s %s determine the same variable at '%s': a storage there depends on the others, "
        "which is solved for C, I and fields without signals, and sources with a known rate, only",
        names, count > 2 ? "all" : "both", where->id);
    sb_error_hint(&err, "put an R between the source and the storage");
  }
  sb_part_error(&model->parts[last], &err, errors);
}

/** Takes the dependent states of earlier constraints out of a combination. */
static void reduce_by_constraints(const sb_assign *a, int from, sources *s) {
  const sb_causality *r = a->result;
  for (int i = from; i < r->constraint_count; i++) {
    const sb_constraint *c = &r->constraints[i];
    const sb_term *terms = &r->constraint_terms[c->first];
    const sb_part *part = &a->model->parts[sb_owner_of(a->model, c->dependent)];
    int pivot_var = a->base + sb_known_of(a->model, part, c->dependent);
    double pivot = 0, weight = s->weight[pivot_var];
    for (int k = 0; k < c->count; k++) {
      pivot += terms[k].var == pivot_var ? terms[k].factor : 0;
    }
    for (int k = 0; weight != 0 && k < c->count; k++) {
      s->weight[terms[k].var] -= weight / pivot * terms[k].factor;
    }
    s->weight[pivot_var] = 0;
  }
}

/** Whether a constraint can be differentiated here: linear storages, those that know their stiffness,
 *  and sources that know their rate. Chooses the dependent one: the last whose output counts, a
 *  linear one if there is any. */
static int choose_dependent(const sb_assign *a, const sources *s) {
  const sb_model *model = a->model;
  int all = model->state_count + model->value_count, chosen = -1;
  bool chosen_linear = false;
  double largest = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int k = 0; k < all; k++) {
      double weight = s->weight[a->base + k];
      if (fabs(weight) <= identity_tol * s->magnitude) {
        continue;
      }
      int owner = sb_owner_of(model, k);
      if (owner < 0) { // a rate of a source: its derivative is not known
        return -1;
      }
      const sb_part *part = &model->parts[owner];
      bool storage = k < model->state_count && part->linear;
      bool source = k >= model->state_count && sb_part_has_rate(part);
      bool hooked = k >= model->state_count && sb_part_has_stiffness(part);
      if (!storage && !source && !hooked) {
        return -1;
      }
      int i = k - part->state; // weights of outputs have one unit: comparable
      double output = storage  ? fabs(weight / part->matrix[i * part->components + i])
                      : hooked ? fabs(weight)
                               : 0;
      largest = fmax(largest, output);
      bool fit = storage || (hooked && part->components == 1 && !chosen_linear);
      if (fit && pass == 1 && output >= 0.01 * largest) {
        chosen = storage ? k : part->state;
        chosen_linear = storage;
      }
    }
  }
  return chosen;
}

static bool add_constraint(sb_assign *a, int row, int dependent, const sources *s) {
  sb_causality *r = a->result;
  int all = a->model->state_count + a->model->value_count;
  sb_constraint c = {dependent, a->eq.owner[row], r->constraint_term_count, 0};
  for (int k = 0; k < all; k++) {
    double weight = s->weight[a->base + k];
    if (fabs(weight) <= identity_tol * s->magnitude) {
      continue;
    }
    if (!sb_grow(&r->constraint_terms, &r->constraint_term_capacity, r->constraint_term_count + 1,
                 sizeof(sb_term))) {
      return false;
    }
    r->constraint_terms[r->constraint_term_count++] = (sb_term){a->base + k, weight};
    c.count++;
  }
  if (!sb_grow(&r->constraints, &r->constraint_capacity, r->constraint_count + 1, sizeof c)) {
    return false;
  }
  r->constraints[r->constraint_count++] = c;
  return true;
}

/** One row without unknowns: an identity, a new constraint, or a conflict. */
static sb_status resolve(sb_assign *a, int row, int before, sources *s, int *found,
                         sb_errors *errors) {
  int owners[NAMED_MAX + 1];
  memset(s->weight, 0, (size_t)sb_value_var(a->model, a->model->value_count) * sizeof(double));
  s->magnitude = 0;
  expand(a, row, s);
  reduce_by_constraints(a, before, s);
  int count = list_owners(a, s, owners);
  if (count == 0) {
    return SB_OK;
  }
  int dependent = choose_dependent(a, s);
  if (dependent < 0) {
    word_conflict(a, row, owners, count, errors);
    return SB_ERR_CAUSALITY;
  }
  ++*found;
  return add_constraint(a, row, dependent, s) ? SB_OK : SB_ERR_MEMORY;
}

sb_status sb_conflicts_resolve(sb_assign *a, int *found, sb_errors *errors) {
  int all = sb_value_var(a->model, a->model->value_count), before = a->result->constraint_count;
  sb_status status = SB_OK;
  sources s = {.weight = sb_zeroed(all, sizeof(double))};
  if (s.weight == NULL) {
    return SB_ERR_MEMORY;
  }
  for (int row = 0; row < a->eq.row_count && status != SB_ERR_MEMORY; row++) {
    if (!a->done[row] && a->eq.active[row] && a->unknown[row] == 0) {
      sb_status one = resolve(a, row, before, &s, found, errors);
      status = one != SB_OK ? one : status;
    }
  }
  free(s.weight);
  return status;
}

/** The part that has the most of what is undetermined: a junction of the ring rather than a source
 *  that merely feeds it. */
static int find_undetermined(const sb_assign *a, int *component) {
  int best = -1, most = 0;
  for (int i = 0; i < a->model->part_count; i++) {
    const sb_part *part = &a->model->parts[i];
    int open = 0, first = -1;
    for (int k = 0; k < part->components; k++) {
      int missing = !a->known[sb_effort_var(part, k)] + !a->known[sb_flow_var(part, k)];
      open += missing;
      first = missing > 0 && first < 0 ? k : first;
    }
    if (open > most) {
      most = open;
      best = i;
      *component = first;
    }
  }
  return best;
}

void sb_singular_report(sb_assign *a, sb_errors *errors) {
  int k = 0, index = find_undetermined(a, &k);
  if (index < 0) {
    return;
  }
  const sb_part *part = &a->model->parts[index];
  bool effort = a->known[sb_effort_var(part, k)], flow = a->known[sb_flow_var(part, k)];
  sb_error err;
  sb_fail(&err, SB_ERR_SINGULAR, "nothing determines the %s at '%s'",
          !effort && !flow ? "effort and the flow"
          : effort         ? "flow"
                           : "effort",
          part->id);
  sb_error_hint(&err, "the elements around it leave it open: bonds in a ring, or a source, storage "
                      "or R of the other kind that is missing");
  sb_part_error(part, &err, errors);
}
