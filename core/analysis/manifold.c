// SPDX-License-Identifier: GPL-3.0-or-later
// The projection P of a storage has P(P(x)) = P(x), so that its derivative on the manifold is a linear projection onto the
// tangent space. That is found by differences; its trace is its rank, whatever the units of the states are. The rates are
// tangent, and zdot = S f(x), with S the rows of z, has the exact derivative S (df/dx) T in the coordinates z.
#include "core/analysis/manifold_private.h"

#include <math.h>
#include <string.h>

#include "core/analysis/differences_private.h"
#include "core/linalg/dense.h"
#include "core/linalg/numbers.h"
#include "core/model/constraints.h"

/** How far the trace may be from a whole number. */
static const double whole = 1e-3;
/** A state with a pivot of this fraction of the largest is taken before those behind it. */
static const double enough = 0.1;
/** What a motion holds, to compare momenta with coordinates [J]. */
static const double energy = 1;

/** The states of one storage, projected. */
typedef struct projecting {
  sb_operating_point *p;
  const sb_instance *instance;
  double *x; // (states)
} projecting;

static bool project(void *context, double out[]) {
  const projecting *c = context;
  sb_operating_point *p = c->p;
  const sb_instance *instance = c->instance;
  sb_workspace_changed(p->work);
  if (sb_workspace_evaluate(p->work, p->t, p->x) != 0) {
    return false;
  }
  memcpy(c->x, p->x, (size_t)p->states * sizeof *c->x);
  const sb_at at = sb_at_instance(p->work, instance, p->t, p->x);
  instance->type->storage->manifold.project(instance->self, &at, c->x + instance->state);
  memcpy(out, c->x + instance->state, (size_t)instance->layout.states * sizeof *out);
  return sb_all_finite(out, instance->layout.states) != 0;
}

/** dP/dx of an instance, (n x n), transposed. */
static sb_status differentiate(const projecting *c, double dP[], sb_arena *memory, sb_error *err) {
  const int n = c->instance->layout.states;
  sb_differences d = {.evaluate = project, .context = (void *)c, .rows = n};
  if (!sb_differences_init(&d, memory)) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int j = 0; j < n; j++) {
    if (!sb_differences_take(&d, &c->p->x[c->instance->state + j])) {
      return sb_operating_point_not_finite(c->p, err);
    }
    for (int i = 0; i < n; i++) {
      dP[j * n + i] = d.column[i];
    }
  }
  return SB_OK;
}

/** The sizes of its states, by which entries of dP become numbers without a unit. */
static void find_sizes(const projecting *c, double size[]) {
  const int n = c->instance->layout.states;
  const sb_storage_hooks *hooks = c->instance->type->storage;
  sb_workspace_changed(c->p->work);
  if (hooks->sizes.nominal != NULL && sb_workspace_evaluate(c->p->work, c->p->t, c->p->x) == 0) {
    const sb_at at = sb_at_instance(c->p->work, c->instance, c->p->t, c->p->x);
    (void)hooks->sizes.nominal(c->instance->self, &at, energy, size);
  }
  for (int i = 0; i < n; i++) {
    size[i] = size[i] > 0 && isfinite(size[i]) ? size[i] : 1;
  }
}

/** Appends the freedoms of a storage that projects its states. */
static sb_status add_projected(const projecting *c, sb_manifold *m, sb_arena *memory,
                               sb_error *err) {
  const int n = c->instance->layout.states, first = c->instance->state;
  double *dP = sb_arena_zeroed(memory, n, (size_t)n * sizeof *dP),
         *size = sb_arena_zeroed(memory, n, sizeof *size), trace = 0;
  int *pivots = sb_arena_zeroed(memory, n, sizeof *pivots);
  if (memory->failed) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  SB_TRY(differentiate(c, dP, memory, err));
  for (int i = 0; i < n; i++) {
    trace += dP[i * n + i];
  }
  if (!(fabs(trace - round(trace)) <= whole)) {
    (void)sb_fail(err, SB_ERR_SOLVER,
                  "the directions in which '%s' can move cannot be told from rounding here",
                  c->instance->id);
    sb_error_hint(err, "its position may be singular: take one beside it");
    return SB_ERR_SOLVER;
  }
  find_sizes(c, size);
  for (int i = 0; i < n * n; i++) {
    dP[i] *= size[i / n] / size[i % n];
  }
  // columns of dP, combined to unit rows of as many states as its rank
  const int rank = sb_eliminate_early(dP, n, n, (int)lrint(trace), enough, pivots);
  for (int i = 0; i < n; i++) {
    for (int r = 0; r < rank; r++) {
      for (int k = 0; k < n && pivots[r] == i; k++) {
        m->T[(first + k) * m->states + m->freedoms] = dP[r * n + k] * size[k] / size[i];
      }
      if (pivots[r] == i) {
        m->chosen[m->freedoms++] = first + i;
      }
    }
  }
  return SB_OK;
}

sb_status sb_manifold_find(sb_operating_point *p, sb_manifold *m, sb_arena *memory, sb_error *err) {
  const int n = p->states;
  sb_arena own = {0};
  *m = (sb_manifold){.states = n,
                     .chosen = sb_arena_zeroed(memory, n, sizeof *m->chosen),
                     .T = sb_arena_zeroed(memory, n, (size_t)n * sizeof *m->T)};
  projecting c = {.p = p, .x = sb_arena_zeroed(&own, n, sizeof *c.x)};
  sb_status status =
      memory->failed || own.failed ? sb_fail(err, SB_ERR_MEMORY, "out of memory") : SB_OK;
  for (int i = 0; i < n && status == SB_OK;) {
    c.instance = &p->network.instances[sb_owner_of(&p->network, i)];
    const int count = c.instance->layout.states;
    if (c.instance->type->storage != NULL && c.instance->type->storage->manifold.project != NULL) {
      status = add_projected(&c, m, &own, err);
    } else {
      for (int k = i; k < i + count; k++) {
        m->T[k * n + m->freedoms] = 1;
        m->chosen[m->freedoms++] = k;
      }
    }
    i += count;
  }
  for (int i = 0; i < n && status == SB_OK; i++) { // the rows become as long as there are freedoms
    memmove(m->T + i * m->freedoms, m->T + i * n, (size_t)m->freedoms * sizeof *m->T);
  }
  sb_arena_finish(&own);
  sb_workspace_changed(p->work);
  return status;
}

bool sb_manifold_enter(sb_operating_point *p) {
  if (p->network.drifting_count == 0) {
    return true;
  }
  sb_workspace_changed(p->work);
  return sb_workspace_evaluate(p->work, p->t, p->x) == 0 &&
         sb_workspace_enforce(p->work, p->t, p->x, p->x + p->states) == SB_OK;
}

void sb_manifold_move(const sb_manifold *m, const double dz[], double out[]) {
  for (int i = 0; i < m->states; i++) {
    out[i] = 0;
    for (int k = 0; k < m->freedoms; k++) {
      out[i] += m->T[i * m->freedoms + k] * dz[k];
    }
  }
}

/** A row times T. */
static void fold_row(const sb_manifold *m, const double row[], double scratch[]) {
  memset(scratch, 0, (size_t)m->freedoms * sizeof *scratch);
  for (int j = 0; j < m->states; j++) {
    for (int k = 0; k < m->freedoms && row[j] != 0; k++) {
      scratch[k] += row[j] * m->T[j * m->freedoms + k];
    }
  }
}

void sb_manifold_fold(const sb_manifold *m, double matrix[], int rows, const int chosen[]) {
  double folded[SB_LINEAR_STATES_MAX];
  for (int i = 0; i < rows && m->freedoms < m->states; i++) {
    fold_row(m, matrix + (chosen == NULL ? i : chosen[i]) * m->states, folded);
    memcpy(matrix + i * m->freedoms, folded, (size_t)m->freedoms * sizeof *folded);
  }
}

void sb_manifold_reduce(const sb_manifold *m, sb_linear *l) {
  const int r = m->freedoms;
  if (r == m->states) {
    return;
  }
  sb_manifold_fold(m, l->A, r, m->chosen);
  sb_manifold_fold(m, l->C, l->outputs, NULL);
  if (l->E != NULL) {
    sb_manifold_fold(m, l->E, l->ports, NULL);
  }
  for (int k = 0; k < r; k++) {
    const int i = m->chosen[k];
    memmove(l->B + k * l->inputs, l->B + i * l->inputs, (size_t)l->inputs * sizeof *l->B);
    l->state[k] = i;
    l->x[k] = l->x[i];
    l->xdot[k] = l->xdot[i];
  }
  l->states = r;
  l->constrained = m->states - r;
}
