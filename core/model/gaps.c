// SPDX-License-Identifier: GPL-3.0-or-later
// The gaps of rigid contacts that last are zero. Their constraints hold the rates gdot = J v only, so that they drift by the
// errors of the integrator; as a closed loop is closed again, the places are moved by the least displacement u in the metric of the
// inertias,
//   u = M^-1 J^T lambda,   (J M^-1 J^T) lambda = -g,
// with zero in the place of g for what else holds velocities: a foot that sticks does not slip, unless what sticks holds one thing twice and
// would keep a gap open, as of links that lie in line. As contact forces do work along g
// alone, this changes the energy by their sum times g; like the other errors of a step it is in the residual of its energy balance.
//
// Where contacts begin their gaps are what they were found with, up to 1e-10 of the places. Held so, contacts of which one follows from
// others where all are closed (feet on a floor and along a wall) contradict each other by as much. So they are closed together at
// the event, in whose loss the energy is.
#include <math.h>
#include <string.h>

#include "core/causality/constraint.h"
#include "core/model/projection_private.h"

/** Displacements that leave more than this fraction of the widest gap close none. */
static const double contradicts = 0.01;

/** Where places are moved when contacts begin, what the gaps say almost twice is not taken apart beyond this fraction: gaps differ
 *  by their rounding then, and turn the bodies by less than its inverse root. */
static const double settle_tol = 1e-6;

/** The rigid contact of which a constraint holds a flow, and the term of it; NULL: none. */
static const sb_instance *contact_of(const sb_projection *p, int constraint, const sb_term **term,
                                     int *component) {
  const sb_network *network = p->work->network;
  int count;
  *term = sb_constraint_terms(&p->work->program->causality, constraint, &count);
  const int known = (*term)->var - sb_known_base(network);
  if (count != 1 || known < network->state_count) {
    return NULL;
  }
  const sb_instance *instance = &network->instances[sb_owner_of(network, known)];
  const sb_switching_hooks *switching = instance->type->switching;
  if (switching == NULL || switching->unilateral == NULL) {
    return NULL;
  }
  *component = known - network->state_count - instance->out - switching->unilateral->component;
  return instance;
}

/** By how much the gap whose rate a constraint holds is open, in its units; 0: none.
 *  @param begins  counted from zero, else from where it is held  @param known  out: to what that is known */
static double gap_of(const sb_projection *p, int constraint, bool begins, double *known) {
  const sb_term *term;
  int component;
  const sb_instance *instance = contact_of(p, constraint, &term, &component);
  *known = 0;
  if (instance == NULL || component != 0) {
    return 0;
  }
  const sb_at at = sb_at_instance(p->work, instance, p->t, p->x);
  double held, gap = instance->type->switching->unilateral->gap(instance->self, &at, &held, known);
  *known *= fabs(term->factor);
  return term->factor * (begins ? gap : gap - held);
}

/** What sticks may slip while its gap is closed: takes the constraints of tangential flows out. */
static void let_slip(sb_projection *p) {
  const sb_term *term;
  int component;
  for (int i = 0; i < p->m; i++) {
    if (contact_of(p, p->group->constraints[i], &term, &component) != NULL && component != 0) {
      memset(p->C + i * p->n, 0, (size_t)p->n * sizeof *p->C);
      memset(p->G + i * p->n, 0, (size_t)p->n * sizeof *p->G);
    }
  }
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

/** Whether a gap of the group is open. */
static bool find_open(sb_projection *p, int group, bool begins) {
  bool open = false;
  double known;
  sb_projection_begin(p, group);
  for (int i = 0; i < p->m && !open; i++) {
    const double gap = gap_of(p, p->group->constraints[i], begins, &known);
    open = fabs(gap) > known;
  }
  return open;
}

/** Whether the displacements C^T lambda leave a gap open, or open another one: what else is held contradicts them. */
static bool leave_open(const sb_projection *p) {
  bool open = false;
  double known, widest = 0;
  for (int i = 0; i < p->m; i++) {
    widest = fmax(widest, fabs(gap_of(p, p->group->constraints[i], false, &known)));
  }
  for (int i = 0; i < p->m && !open; i++) {
    double gap = gap_of(p, p->group->constraints[i], false, &known);
    for (int j = 0; j < p->m && known > 0; j++) {
      for (int k = 0; k < p->n; k++) {
        gap += p->G[i * p->n + k] * p->C[j * p->n + k] * p->lambda[j];
      }
    }
    open = known > 0 && fabs(gap) > fmax(known, contradicts * widest);
  }
  return open;
}

static void find_displacements(sb_projection *p, bool begins) {
  double known;
  for (int i = 0; i < p->m; i++) {
    p->residual[i] = gap_of(p, p->group->constraints[i], begins, &known);
  }
  (void)sb_projection_eliminate(p, begins ? settle_tol : SB_PIVOT_TOL);
}

static void close_gaps(sb_projection *p, int group, bool begins) {
  sb_projection_rows(p);
  if (begins) {
    let_slip(p);
  }
  find_displacements(p, begins);
  if (!begins && leave_open(p)) {
    let_slip(p);
    find_displacements(p, begins);
  }
  for (int i = 0; i < p->work->network->instance_count; i++) {
    const sb_instance *instance = &p->work->network->instances[i];
    if (sb_instance_accelerates(instance)) {
      displace(p, group, instance);
    }
  }
}

void sb_gaps_close(sb_projection *p, int group) {
  if (find_open(p, group, false)) {
    close_gaps(p, group, false);
  }
}

sb_status sb_workspace_settle(sb_workspace *work, double t, double x[], bool *moved) {
  *moved = false;
  if (!sb_has_multipliers(&work->program->causality)) {
    return SB_OK;
  }
  sb_projection p = {.work = work, .groups = sb_constraint_groups_of(work), .t = t, .x = x};
  for (int group = 0; p.groups != NULL && group < p.groups->count; group++) {
    if (p.groups->groups[group].has_multiplier && find_open(&p, group, true)) {
      close_gaps(&p, group, true);
      *moved = true;
    }
  }
  return p.groups != NULL ? SB_OK : SB_ERR_MEMORY;
}
