// SPDX-License-Identifier: GPL-3.0-or-later
// What is solved for together is known together. The multipliers l, the algebraic variables w and the states x of a group of constraints
// come from one system (algebraic.c),
//   A l + N w = b,   N^T l = 0,   A = C G^T,
// so that one that has vanished beside others is what the rounding of these has left of it. In units of energy, u_i = l_i sqrt(A_ii)
// for forces and c_i/sqrt(A_ii) for flows that are the terms of a constraint, what constraint j does to i is the fraction
//   |A_ij|/sqrt(A_ii A_jj) + sum_k |N_ik N_jk|/(A_ii A_jj)^(1/2)/|N_k|^2,   at most 1,
// the cosine between what the two move (Cauchy and Schwarz), of bodies that they share and of flows: it is passed on from constraint to
// constraint, and falls along a chain of bodies as A^-1 does. Of flows an algebraic variable has what is left of them by least squares,
// N_k^T u/|N_k|^2, and a state what the impulse u_i/sqrt(A_ii) moves it by.
#include <math.h>
#include <string.h>

#include "core/causality/constraint.h"
#include "core/model/constraints.h"

/** What grows by less than this factor is known. */
static const double grown = 1.5;

/** 1/sqrt(A_ii); of a constraint on algebraic variables alone 1, of one that is still zero: it takes no part in what others do. */
static double scale_of(const sb_constraint_system *s, int i) {
  const double own = fabs(s->A[i * s->m + i]);
  return s->kept[i].own == 0 ? 0 : own > 0 ? 1 / sqrt(own) : 1;
}

/** |N_k|^2 of the scaled column. */
static double square_of(const sb_constraint_system *s, int k) {
  double sum = 0;
  for (int i = 0; i < s->m; i++) {
    const double entry = scale_of(s, i) * s->N[i * s->f + k];
    sum += entry * entry;
  }
  return sum;
}

/** The fractions of u_j that u_i takes, into the scratch of the system. */
static void couple(const sb_constraint_system *s) {
  const int m = s->m, f = s->f;
  double *fraction = s->scratch;
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) {
      fraction[i * m + j] = fabs(s->A[i * m + j]) * scale_of(s, i) * scale_of(s, j);
    }
  }
  for (int k = 0; k < f; k++) {
    const double square = square_of(s, k);
    for (int i = 0; i < m; i++) {
      for (int j = 0; square > 0 && j < m; j++) {
        fraction[i * m + j] +=
            fabs(s->N[i * f + k] * s->N[j * f + k]) * scale_of(s, i) * scale_of(s, j) / square;
      }
    }
  }
}

static bool pass_on(const sb_constraint_system *s, double u[]) {
  bool grew = false;
  for (int i = 0; i < s->m; i++) {
    for (int j = 0; j < s->m; j++) {
      const double passed = fmin(s->scratch[i * s->m + j], 1) * u[j];
      grew = grew || passed > grown * u[i];
      u[i] = passed > grown * u[i] ? passed : u[i];
    }
  }
  return grew;
}

static void share(const sb_constraint_system *s, double u[]) {
  for (int sweep = 0; sweep < s->m && pass_on(s, u); sweep++) {
  }
}

/** Forces, by the multipliers as they are, and by the accelerations N dw/dt that they are solved beside: a link without mass that falls
 *  freely takes none of the weight. Constraints without a multiplier have none. */
static void size_multipliers(const sb_workspace *work, const sb_constraint_group *group,
                             const sb_constraint_system *s, double known[]) {
  const sb_causality *c = &work->program->causality;
  double *u = s->solution;
  for (int i = 0; i < s->m; i++) {
    const int constraint = group->constraints[i];
    const double l = sb_constraint_has_multiplier(c, constraint)
                         ? work->values[sb_multiplier_value(work->network, c, constraint)]
                         : 0;
    u[i] = scale_of(s, i) > 0 ? fabs(l) / scale_of(s, i) : 0;
    for (int k = 0; k < s->f; k++) {
      const int rate = sb_algebraic_rate_value(work->network, group->algebraics[k]);
      u[i] = fmax(u[i], fabs(s->N[i * s->f + k] * work->values[rate]) * scale_of(s, i));
    }
  }
  share(s, u);
  for (int i = 0; i < s->m; i++) {
    known[c->algebraic_count + group->constraints[i]] = u[i] * scale_of(s, i);
  }
}

/** The sum of the terms of a constraint that read what storages and structures give, by the sizes of that. */
static double size_of_values(const sb_workspace *work, int constraint, const double values[]) {
  const int base = sb_known_base(work->network) + work->network->state_count;
  int count;
  const sb_term *terms = sb_constraint_terms(&work->program->causality, constraint, &count);
  double sum = 0;
  for (int k = 0; k < count; k++) {
    const int value = terms[k].var - base;
    sum += value >= 0 && value < work->network->value_count ? fabs(terms[k].factor) * values[value]
                                                            : 0;
  }
  return sum;
}

/** Flows, by the terms of the constraints without their algebraic variables. */
static void size_flows(const sb_workspace *work, const sb_constraint_groups *groups,
                       const sb_constraint_group *group, const sb_constraint_system *s,
                       const double values[], double known[], double states[]) {
  const double *G = groups->system + s->m * group->state_count;
  double *u = s->solution;
  for (int i = 0; i < s->m; i++) {
    u[i] = fmax(s->size[i], size_of_values(work, group->constraints[i], values)) * scale_of(s, i);
  }
  share(s, u);
  for (int k = 0; k < s->f; k++) {
    const double square = square_of(s, k);
    double sum = 0;
    for (int i = 0; i < s->m; i++) {
      sum += fabs(s->N[i * s->f + k]) * scale_of(s, i) * u[i];
    }
    known[group->algebraics[k]] = square > 0 ? sum / square : 0;
  }
  for (int k = 0; k < group->state_count; k++) {
    double *state = &states[group->states[k]];
    for (int i = 0; i < s->m; i++) {
      const double moved = fabs(G[i * group->state_count + groups->column[group->states[k]]]);
      *state = s->A[i * s->m + i] != 0 ? fmax(*state, moved * u[i] * scale_of(s, i)) : *state;
    }
  }
}

const double *sb_constraints_sizes(sb_workspace *work, const double x[], const double values[],
                                   double states[]) {
  const sb_network *network = work->network;
  sb_constraint_groups *groups =
      sb_has_multipliers(&work->program->causality) ? sb_constraint_groups_of(work) : NULL;
  for (int k = 0; k < network->state_count; k++) {
    states[k] = fabs(x[k]);
  }
  for (int g = 0; groups != NULL && g < groups->count; g++) {
    const sb_constraint_group *group = &groups->groups[g];
    sb_constraint_system s;
    if (!group->has_multiplier || sb_constraint_system_fill(groups, group, work, x, &s) != 0) {
      continue;
    }
    couple(&s);
    size_multipliers(work, group, &s, groups->known);
    size_flows(work, groups, group, &s, values, groups->known, states);
    if (group->algebraic_count > 0) {
      (void)sb_algebraic_run(work, group->algebraics[0], x); // whose values were set to zero
    }
  }
  return groups == NULL ? NULL : groups->known;
}
