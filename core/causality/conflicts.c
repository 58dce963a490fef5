// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong when causality cannot be assigned, in words that name the elements.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/causality/assign_private.h"

enum { NAMED_MAX = 4 };
/** A combination of known variables below this part of its terms is an identity (rounding). */
static const double identity_tol = 1e-10;

/** A row as a combination of states and values. */
typedef struct sources {
  int all;
  double *weight;   // (all) coefficients of variables; those below base are used up
  double magnitude; // largest coefficient on the way
  sb_term *terms;   // (all) scratch
  char *seen;       // (all) scratch
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

/** Whose a known variable is: of a rate that of which it is the rate, of a force a tied storage. */
static int owner_of(const sb_assign *a, int var) {
  const sb_network *network = a->network;
  int value = var - sb_value_var(network, 0), values = network->value_count;
  if (value >= 2 * values) {
    int constraint = (value - 2 * values) / 2;
    return sb_owner_of(network, a->result->constraints[constraint].dependent);
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
    if (!listed && count < NAMED_MAX + 1) {
      owners[count++] = owner;
    }
  }
  return count;
}

static void join_names(const sb_network *network, const int owners[], int count, char text[],
                       size_t size) {
  text[0] = '\0';
  for (int i = 0; i < count && i < NAMED_MAX; i++) {
    size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s'%s'",
                   i == 0           ? ""
                   : i == count - 1 ? " and "
                                    : ", ",
                   network->instances[owners[i]].id);
  }
  if (count > NAMED_MAX) {
    size_t used = strlen(text);
    (void)snprintf(text + used, size - used, " and others");
  }
}

/** What would have to be otherwise for storages to be tied. */
static void hint_rate(const sb_instance *unknown, sb_error *err) {
  bool storage = unknown->type->role == SB_STORAGE;
  sb_error_hint(err,
                storage
                    ? "what is tied is kept together by the rates of what it gives, and that of "
                      "'%s' is not known: put an R between them"
                    : "what is tied is kept together by the rates of what it gives, and that of "
                      "what '%s' gives is not known: let it follow from states and the time, or "
                      "put an R between them",
                unknown->id);
}

/** @param unknown  part of which no rate is known, -1: none */
static void word_conflict(const sb_assign *a, int row, const int owners[], int count, int unknown,
                          sb_errors *errors) {
  const sb_network *network = a->network;
  const sb_instance *where = &network->instances[a->eq.owner[row]];
  int storages = 0, sources_count = 0, laws = 0, last = owners[0], modulated = -1;
  for (int i = 0; i < count; i++) {
    modulated = network->instances[owners[i]].type->role == SB_STRUCTURE ? owners[i] : modulated;
    storages += network->instances[owners[i]].type->role == SB_STORAGE;
    sources_count += network->instances[owners[i]].type->role == SB_SOURCE;
    laws += network->instances[owners[i]].type->role == SB_DISSIPATION;
    last = owners[i] > last ? owners[i] : last;
  }
  char names[400];
  sb_error err;
  join_names(network, owners, count, names, sizeof names);
  if (modulated >= 0) {
    sb_fail(
        &err, SB_ERR_CAUSALITY,
        "'%s' ties what stands on its two sides to each other: of %s and what is behind it only "
        "one can determine the variable at '%s'",
        network->instances[modulated].id, names, where->id);
    sb_error_hint(&err, "put a C, I or R between them that takes what they leave");
  } else if (count == 1) {
    sb_fail(&err, SB_ERR_CAUSALITY, "'%s' cannot give what '%s' forces to be zero",
            network->instances[owners[0]].id, where->id);
    sb_error_hint(&err, "check the junction's kind and the bonds around '%s'", where->id);
  } else if (sources_count == count) {
    sb_fail(&err, SB_ERR_CAUSALITY, "the sources %s fix the same variable at '%s'", names,
            where->id);
    sb_error_hint(&err,
                  "sources of effort meet at a J1, sources of flow at a J0, with an R, C or I that "
                  "takes what they leave");
  } else if (storages == count) {
    sb_fail(&err, SB_ERR_CAUSALITY,
            "the storages %s are tied to each other at '%s': one of them depends on the others",
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
    sb_fail(&err, SB_ERR_CAUSALITY,
            "%s %s determine the same variable at '%s': a storage there depends on the others",
            names, count > 2 ? "all" : "both", where->id);
    sb_error_hint(&err, "put an R between the source and the storage");
  }
  if (unknown >= 0 && storages + (modulated >= 0) > 0) {
    hint_rate(&network->instances[unknown], &err);
  }
  sb_instance_error(&network->instances[last], &err, errors);
}

/** Takes the pivots of constraints found since `from` out of a combination. */
static void reduce_by_constraints(const sb_assign *a, int from, sources *s) {
  const sb_causality *r = a->result;
  for (int i = from; i < r->constraint_count; i++) {
    const sb_constraint *c = &r->constraints[i];
    const sb_term *terms = &r->constraint_terms[c->first];
    double pivot = 0, weight = s->weight[c->pivot];
    for (int k = 0; k < c->count; k++) {
      pivot += terms[k].var == c->pivot ? terms[k].factor : 0;
    }
    for (int k = 0; weight != 0 && k < c->count; k++) {
      s->weight[terms[k].var] -= weight / pivot * terms[k].factor;
    }
    s->weight[c->pivot] = 0;
  }
}

/** The terms of a combination that are more than rounding. */
static int list_terms(const sb_assign *a, sources *s) {
  int count = 0;
  for (int var = a->base; var < s->all; var++) {
    if (fabs(s->weight[var]) > identity_tol * s->magnitude) {
      s->terms[count++] = (sb_term){var, s->weight[var]};
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
  int owners[NAMED_MAX + 1];
  memset(s->weight, 0, (size_t)s->all * sizeof(double));
  memset(s->seen, 0, (size_t)s->all);
  s->magnitude = 0;
  a->done[row] = 1;
  expand(a, row, s);
  reduce_by_constraints(a, before, s);
  int terms = list_terms(a, s);
  if (terms == 0) {
    return SB_OK;
  }
  int count = list_owners(a, s->terms, terms, owners);
  int unknown = -1;
  sb_constraint_kind kind = sb_constraint_add(a, row, s->terms, terms, s->seen, &unknown);
  if (kind == SB_CONSTRAINT_IMPOSSIBLE) {
    word_conflict(a, row, owners, count, unknown, errors);
    return SB_ERR_CAUSALITY;
  }
  found[kind]++;
  return kind == SB_CONSTRAINT_NO_MEMORY ? SB_ERR_MEMORY : SB_OK;
}

sb_status sb_conflicts_resolve(sb_assign *a, int *found, int *solved, sb_errors *errors) {
  int before = a->result->constraint_count, most = before, kinds[SB_CONSTRAINT_KINDS] = {0};
  for (int row = 0; row < a->eq.row_count; row++) {
    most += is_open(a, row);
  }
  if (most == before) {
    return SB_OK;
  }
  int all = sb_value_var(a->network, sb_multiplier_value(a->network, most));
  sb_status status = SB_OK;
  sources s = {.all = all,
               .weight = sb_zeroed(all, sizeof(double)),
               .terms = sb_zeroed(all, sizeof(sb_term)),
               .seen = sb_zeroed(all, sizeof(char))};
  if (s.weight == NULL || s.terms == NULL || s.seen == NULL) {
    status = SB_ERR_MEMORY;
  }
  for (int row = 0; row < a->eq.row_count && status != SB_ERR_MEMORY; row++) {
    if (is_open(a, row)) {
      sb_status one = resolve(a, row, before, &s, kinds, errors);
      status = one != SB_OK ? one : status;
    }
  }
  free(s.weight);
  free(s.terms);
  free(s.seen);
  *found += kinds[SB_CONSTRAINT_LINEAR] + kinds[SB_CONSTRAINT_AGAIN];
  *solved += kinds[SB_CONSTRAINT_MULTIPLIER];
  return status;
}

/** The part that has the most of what is undetermined: a junction of the ring rather than a source
 *  that merely feeds it. */
static int find_undetermined(const sb_assign *a, int *component) {
  int best = -1, most = 0;
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    int open = 0, first = -1;
    for (int k = 0; k < instance->components; k++) {
      int missing = !a->known[sb_effort_var(instance, k)] + !a->known[sb_flow_var(instance, k)];
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
  const sb_instance *instance = &a->network->instances[index];
  bool effort = a->known[sb_effort_var(instance, k)], flow = a->known[sb_flow_var(instance, k)];
  sb_error err;
  sb_fail(&err, SB_ERR_SINGULAR, "nothing determines the %s at '%s'",
          !effort && !flow ? "effort and the flow"
          : effort         ? "flow"
                           : "effort",
          instance->id);
  sb_error_hint(&err, "the elements around it leave it open: bonds in a ring, or a source, storage "
                      "or R of the other kind that is missing");
  sb_instance_error(instance, &err, errors);
}
