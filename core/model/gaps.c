// SPDX-License-Identifier: GPL-3.0-or-later
// The gaps of rigid contacts that last are zero. Their constraints hold the rates gdot = J v only, so that they drift by the
// errors of the integrator; as a closed loop is closed again, the places are moved by the least displacement u in the metric of the
// inertias,
//   u = M^-1 J^T lambda,   (J M^-1 J^T) lambda = -g,
// with zero in the place of g for what else holds velocities: a foot that sticks does not slip. As contact forces do work along g
// alone, this changes the energy by their sum times g; like the other errors of a step it is in the residual of its energy balance.
#include <math.h>
#include <string.h>

#include "core/causality/constraint.h"
#include "core/model/projection_private.h"

/** A gap is closed to this fraction of the size of the places that it is the difference of. */
static const double closed = 1e-14;

/** The gap whose rate a constraint holds, in its units; 0: none. @param size  out: what that is the difference of */
static double gap_of(const sb_projection *p, int constraint, double *size) {
  const sb_network *network = p->work->network;
  int count;
  const sb_term *term = sb_constraint_terms(&p->work->program->causality, constraint, &count);
  const int known = term->var - sb_known_base(network);
  *size = 0;
  if (count != 1 || known < network->state_count) {
    return 0;
  }
  const sb_instance *instance = &network->instances[sb_owner_of(network, known)];
  const sb_switching_hooks *switching = instance->type->switching;
  if (switching == NULL || switching->unilateral == NULL ||
      known - network->state_count - instance->out != switching->unilateral->component) {
    return 0;
  }
  const sb_at at = sb_at_instance(p->work, instance, p->t, p->x);
  const double gap = switching->unilateral->gap(instance->self, &at, size);
  *size *= fabs(term->factor);
  return term->factor * gap;
}

/** Moves the places of a storage by the velocities C^T lambda. */
static void displace(const sb_projection *p, int group, const sb_instance *instance) {
  double *moved = p->groups->moved;
  bool any = false;
  for (int k = 0; k < instance->layout.states; k++) {
    const int state = instance->state + k;
    const bool listed = p->groups->group_of[state] == group;
    any = any || listed;
    moved[k] = 0;
    for (int i = 0; i < p->m && listed; i++) {
      moved[k] += p->C[i * p->n + p->groups->column[state]] * p->lambda[i];
    }
  }
  if (any) {
    const sb_at at = sb_at_instance(p->work, instance, p->t, p->x);
    instance->type->storage->constraints.acceleration->displace(instance->self, &at, moved,
                                                                p->x + instance->state);
  }
}

void sb_gaps_close(sb_projection *p, int group) {
  bool open = false;
  double size;
  sb_projection_begin(p, group);
  for (int i = 0; i < p->m && !open; i++) {
    const double gap = gap_of(p, p->group->constraints[i], &size);
    open = fabs(gap) > closed * size;
  }
  if (!open) {
    return;
  }
  sb_projection_rows(p);
  for (int i = 0; i < p->m; i++) {
    p->residual[i] = gap_of(p, p->group->constraints[i], &size);
  }
  sb_projection_solve(p);
  for (int i = 0; i < p->work->network->instance_count; i++) {
    const sb_instance *instance = &p->work->network->instances[i];
    if (sb_instance_accelerates(instance)) {
      displace(p, group, instance);
    }
  }
}
