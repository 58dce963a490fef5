// SPDX-License-Identifier: GPL-3.0-or-later
// How contacts that touch respond to impulses, beside what the network holds with them, c(x) = 0 for the flows c and the
// impulses p of their constraints (core/model/constraints.h):
//   x+ = x- + G^T p,   c+ = c- + W p,   W = C G^T,
// with the other constraints taken out: no impulse on a contact violates them.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/causality/constraint.h"
#include "core/linalg/dense.h"
#include "core/model/constraints.h"
#include "core/simulation/impacts_private.h"

/** What is left of a response beside the network's other constraints is rounding below `redundant` of it, and all of it below
 *  `noise` of the largest one: the square of the rounding of a gradient. */
static const double rank_tol = 1e-12, redundant = 1e-9, noise = 1e-24;
/** Where all rests, flows are small against nothing but those that there were: below this fraction of them they are rounding. */
static const double at_rest = 16 * DBL_EPSILON;
/** Flows of an impact are tested to 1e-9 (impact_check.c). */
static const double coupled = 1e-10;

/** Of a friction or a stop: its flow is in the constraint whose multiplier is its effort. @return whether it is that one */
static bool is_effort(const sb_simulation *sim, const sb_touch *touch, int constraint,
                      double *factor, double *multiplier) {
  const sb_causality *causality = &sim->work->program->causality;
  const sb_instance *instance = &sim->network->instances[touch->instance];
  const int effort = sb_effort_var(instance, 0);
  const sb_term *own = causality->terms + causality->first[effort];
  const int value = sb_known_base(sim->network) + sim->network->state_count +
                    sb_multiplier_value(sim->network, causality, constraint);
  const double side = touch->side != 0 ? -touch->side : 1; // of u along f
  if (causality->count[effort] != 1 || own->var != value) {
    return false;
  }
  *factor = -side * own->factor * instance->signs[0];
  if (multiplier != NULL) {
    *multiplier = -side / own->factor;
  }
  return true;
}

int sb_touch_component(const sb_simulation *sim, const sb_touches *all, int constraint,
                       double *factor, double *multiplier) {
  int count;
  const sb_term *term = sb_constraint_terms(&sim->work->program->causality, constraint, &count);
  int value = count == 0 ? -1 : term->var - sb_known_base(sim->network) - sim->network->state_count;
  for (int c = 0; c < all->count; c++) {
    const sb_touch *touch = &all->touches[c];
    if (sb_touch_is_element(touch)) {
      if (is_effort(sim, touch, constraint, factor, multiplier)) {
        return 3 * c + (touch->side == 0);
      }
      continue;
    }
    const sb_instance *instance = &sim->network->instances[touch->instance];
    int component = value - instance->out - sb_touch_hooks(sim, touch->index)->component;
    if (count == 1 && component >= 0 && component < 3) {
      *factor = term->factor;
      if (multiplier != NULL) {
        *multiplier = -1; // the effort on body 1
      }
      return 3 * c + component;
    }
  }
  return -1;
}

/** Takes the constraints beside the contacts out of the rows of all->G: G' = G - Z G_b, Z = G C_b^T (C_b G_b^T)^-1.
 *  @param C  (rows x n), the first rows those of contacts */
static sb_status take_out(sb_touches *all, const double *C, sb_error *err) {
  const int contacts = 3 * all->count, others = all->other_count, n = all->n;
  double *G = all->G;
  double *a = sb_zeroed(2 * others * others + 4 * others + 4, sizeof(double));
  int *order = sb_zeroed(others + 1, sizeof(int));
  if (a == NULL || order == NULL) {
    free(a);
    free(order);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  double *used = a + others * others, *z = used + others * others, *scratch = z + 2 * others + 2;
  for (int i = 0; i < others; i++) {
    for (int j = 0; j < others; j++) {
      for (int k = 0; k < n; k++) {
        a[i * others + j] += C[(contacts + i) * n + k] * G[(contacts + j) * n + k];
      }
    }
  }
  for (int c = 0; c <= contacts && others > 0; c++) { // the last: their own residuals
    memcpy(used, a, (size_t)(others * others) * sizeof *a);
    for (int i = 0; i < others; i++) {
      z[i] = c < contacts ? 0 : all->beside[2 * i];
      for (int k = 0; k < n && c < contacts; k++) {
        z[i] += C[(contacts + i) * n + k] * G[c * n + k];
      }
    }
    (void)sb_solve_least_norm(used, z, others, others, rank_tol, order, scratch);
    memcpy(all->Z + c * others, z, (size_t)others * sizeof *z);
    for (int i = 0; i < others && c < contacts; i++) {
      for (int k = 0; k < n; k++) {
        G[c * n + k] -= z[i] * G[(contacts + i) * n + k];
      }
    }
  }
  free(a);
  free(order);
  return SB_OK;
}

/** A flow v once the other constraints hold, v - z c_b of take_out(): what friction holds at rest keeps a rounding of its momentum.
 *  @param size  out: the sum of the absolute values of its terms */
static double flow_beside(const sb_touches *all, int i, double *size) {
  double v = all->v[i];
  *size = all->size[i];
  for (int k = 0; k < all->other_count; k++) {
    const double term = all->Z[i * all->other_count + k] * all->beside[2 * k];
    v -= term;
    *size += fabs(term);
  }
  return v;
}

/** What is driven into another body, as by a source of velocity, and has nothing that could give way. */
static sb_status check_driven(const sb_simulation *sim, const sb_touches *all, int c,
                              sb_error *err) {
  double own;
  const double v = flow_beside(all, 3 * c, &own), *size = all->size + 3 * c;
  const sb_unilateral_terms *terms = &all->touches[c].terms;
  // nor is one that the gap would not tell of by the end of the run, once that is known
  const double left = sim->t_end - sim->t, slowest = left > 0 ? terms->known / left : 0;
  const double rest = fmax(at_rest * terms->speed, slowest);
  return !(v < -fmax(rest, SB_TOUCH_ROUNDING * (own + size[1] + size[2])))
             ? SB_OK
             : sb_touch_refuse(sim, &all->touches[c],
                               "what drives the bodies into each other cannot be stopped",
                               "a source of velocity gives way to nothing: drive by a force, or "
                               "through a spring or a damper",
                               err);
}

/** Whether a response is next to nothing, but not to what flows of an impact agree to, and there is a speed to be told: with W = d^2
 *  in a direction impulses in others change its flow by d. W_ii is made no less than W_ij^2/W_jj. */
static bool keeps_coupling(sb_touches *all, const double without[], int i) {
  const int m = 3 * all->count;
  bool any = false;
  for (int j = 0; j < m && all->v[i] != 0; j++) {
    const double own = all->W[j * m + j], between = all->W[i * m + j];
    if (j != i && own > redundant * without[j] &&
        fabs(between) > coupled * sqrt(without[i] * without[j])) {
      all->W[i * m + i] = fmax(all->W[i * m + i], between * between / own);
      any = true;
    }
  }
  return any;
}

/** A direction in which a contact does not move, as across the plane of a mechanism, has no response but rounding. A source may impose a
 *  velocity there, which no impulse changes.
 *  @param without  (contacts x 3) responses of the contacts without the other constraints */
static sb_status drop_still(const sb_simulation *sim, sb_touches *all, const double without[],
                            sb_error *err) {
  int m = 3 * all->count;
  double most = 0;
  for (int i = 0; i < m; i++) {
    most = fmax(most, without[i]);
  }
  for (int i = 0; i < m; i++) {
    const double *own = without + i - i % 3, largest = fmax(fmax(own[0], own[1]), own[2]);
    const double least = fmax(redundant * without[i], SB_UNILATERAL_NOTHING * largest);
    if (all->W[i * m + i] > fmax(least, noise * most)) {
      continue;
    }
    all->v[i] = fabs(all->v[i]) > SB_TOUCH_ROUNDING * all->size[i] ? all->v[i] : 0;
    if (i % 3 > 0 && keeps_coupling(all, without, i)) {
      continue;
    }
    if (i % 3 == 0) {
      SB_TRY(check_driven(sim, all, i / 3, err));
    }
    for (int j = 0; j < m; j++) {
      all->W[i * m + j] = all->W[j * m + i] = 0;
    }
    memset(all->G + i * all->n, 0, (size_t)all->n * sizeof *all->G);
    all->v[i] = i % 3 > 0 ? all->v[i] : 0;
  }
  return SB_OK;
}

/** The row of a flow u. @param to  where  @param factor  before u in it */
static void set_row(const sb_touches *all, int to, const sb_constraint_row *row, double factor) {
  for (int k = 0; k < row->count; k++) {
    const int state = row->states[k];
    all->C[to * all->n + state] = row->gradient[state] / factor;
    all->G[to * all->n + state] = row->impulse[state] / factor;
  }
  if (to < 3 * all->count) {
    all->v[to] = row->residual / factor;
    all->size[to] = (row->size + row->terms) / fabs(factor);
  }
}

/** A constraint of the program, or behind these the flow of a friction or stop, which is free in it.
 *  @param own  out: the component of a contact that it is, -1: of none  @param factor  out: before its flow
 *  @return NULL: there is none */
static const sb_constraint_row *row_at(const sb_simulation *sim, const sb_touches *all,
                                       sb_constraint_groups *groups, int i, int *own,
                                       double *factor) {
  const int c = i - sim->work->program->causality.constraint_count;
  *factor = 1;
  if (c < 0) {
    *own = sb_touch_component(sim, all, i, factor, NULL);
    return sb_constraint_row_at(groups, sim->work, i, sim->x, true);
  }
  const sb_touch *touch = &all->touches[c];
  if (!sb_touch_is_element(touch)) {
    return NULL;
  }
  *own = 3 * c + (touch->side == 0);
  *factor = touch->side != 0 ? -touch->side : 1;
  const sb_instance *instance = &sim->network->instances[touch->instance];
  const sb_constraint_row *row = sb_flow_row_at(groups, sim->work, instance, 0, sim->x);
  return row->failed ? NULL : row;
}

/** Fills v, size, W and G of the contacts, by the program in which they are held, and frictions and stops free. */
sb_status sb_touches_respond(sb_simulation *sim, sb_touches *all, sb_error *err) {
  const sb_causality *causality = &sim->work->program->causality;
  int n = sim->network->state_count, m = 3 * all->count, total = m + causality->constraint_count;
  sb_constraint_groups *groups = sb_constraint_groups_of(sim->work);
  free(all->numbers);
  all->numbers =
      sb_zeroed(2 * total * n + m * m + 6 * m + 2 * total + (m + 1) * total, sizeof(double));
  if (all->numbers == NULL || groups == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  all->n = n;
  double *C = all->numbers + total * n;
  all->C = C;
  all->G = all->numbers;
  all->W = C + total * n;
  all->v = all->W + m * m;
  all->size = all->v + m;
  all->p = all->size + m;
  all->step = all->p + m;
  all->v0 = all->step + m;
  double *without = all->v0 + m; // responses without the other constraints
  all->beside = without + m;
  all->Z = all->beside + 2 * total;
  int rows = m;
  for (int i = 0; i < causality->constraint_count + all->count; i++) {
    double factor;
    int own;
    const sb_constraint_row *row = row_at(sim, all, groups, i, &own, &factor);
    if (row == NULL) {
      continue;
    }
    const int to = own >= 0 ? own : rows++;
    set_row(all, to, row, factor);
    if (own < 0) {
      all->beside[2 * (to - m)] = row->residual;
      all->beside[2 * (to - m) + 1] = row->size + row->terms + row->momenta;
    }
  }
  all->other_count = rows - m;
  all->G_others = all->G + m * n;
  all->pending = all->Z + m * all->other_count;
  for (int i = 0; i < m; i++) {
    for (int k = 0; k < n; k++) {
      without[i] += C[i * n + k] * all->G[i * n + k];
    }
  }
  SB_TRY(take_out(all, C, err));
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) {
      for (int k = 0; k < n; k++) {
        all->W[i * m + j] += C[i * n + k] * all->G[j * n + k];
      }
    }
  }
  SB_TRY(drop_still(sim, all, without, err));
  for (int c = 0; c < all->count; c++) { // what presses a friction is its own
    const double w = all->W[(3 * c + 1) * m + 3 * c + 1];
    if (all->touches[c].strength > 0) {
      all->W[3 * c * m + 3 * c] = w > 0 ? w : 1;
    }
  }
  return SB_OK;
}

void sb_touches_supply(sb_simulation *sim, sb_touches *all, const double p[]) {
  const sb_causality *causality = &sim->work->program->causality;
  sb_constraint_groups *groups = sb_constraint_groups_of(sim->work);
  double *quadratures = sim->x + sim->network->state_count;
  for (int i = 0, other = 0; groups != NULL && i < causality->constraint_count + all->count; i++) {
    double factor, taken = 0;
    int own;
    const sb_constraint_row *row = row_at(sim, all, groups, i, &own, &factor);
    if (row == NULL) {
      continue;
    }
    for (int c = 0; own < 0 && c < 3 * all->count; c++) {
      taken -= all->Z[c * all->other_count + other] * p[c];
    }
    taken = own < 0 ? taken : p[own] / factor;
    other += own < 0;
    for (int k = 0; taken != 0 && k < row->source_count; k++) {
      const sb_constraint_source *source = &row->sources[k];
      const sb_instance *instance = &sim->network->instances[source->instance];
      if (instance->type->source != NULL) {
        const double energy = -source->factor * sim->work->values[source->value] * taken;
        quadratures[instance->quadrature] += energy;
        all->supplied += energy;
      }
    }
  }
}

sb_status sb_touches_arrest(const sb_touches *all, const bool held[], const double b[], double p[],
                            sb_error *err) {
  const int m = 3 * all->count;
  int n = 0;
  double *a = sb_zeroed(m * m + 2 * m, sizeof *a), *rhs = a + m * m;
  int *order = sb_zeroed(2 * m, sizeof *order), *rows = order + m;
  if (a == NULL || order == NULL) {
    free(a);
    free(order);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < m; i++) {
    rows[n] = i;
    n += held[i];
  }
  for (int i = 0; i < n; i++) {
    rhs[i] = -b[rows[i]];
    for (int k = 0; k < n; k++) {
      a[i * n + k] = all->W[rows[i] * m + rows[k]];
    }
  }
  (void)sb_solve_least_norm(a, rhs, n, n, rank_tol, order, rhs + m);
  memset(p, 0, (size_t)m * sizeof *p);
  for (int i = 0; i < n; i++) {
    p[rows[i]] = rhs[i];
  }
  free(a);
  free(order);
  return SB_OK;
}
