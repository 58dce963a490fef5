// SPDX-License-Identifier: GPL-3.0-or-later
// The projection P of a storage, or of a network with constraints, has P(P(x)) = P(x), so that its derivative on the manifold
// is a linear projection onto the tangent space. That is found by differences; its trace is its rank, whatever the units of the
// states are. The rates are tangent, and zdot = S f(x), with S the rows of z, has the exact derivative S (df/dx) T in the
// coordinates z.
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

/** States that are projected together: those of one storage, or all by the constraints of the network, too. */
typedef struct projecting {
  sb_operating_point *p;
  const sb_instance *instance; // NULL: all
  int first, count;            // states
  const char *name;
  double *x; // (vector)
} projecting;

/** The storages, then the constraints between them, which are known at what those have come to. */
static bool project_all(const projecting *c) {
  sb_workspace *work = c->p->work;
  bool ok = true;
  for (int pass = 0; ok && pass < 2; pass++) {
    sb_workspace_changed(work);
    ok = sb_workspace_evaluate(work, c->p->t, c->x) == 0 &&
         sb_workspace_enforce(work, c->p->t, c->x, c->x + c->p->states) == SB_OK;
  }
  return ok;
}

static bool project(void *context, double out[]) {
  const projecting *c = context;
  sb_operating_point *p = c->p;
  const sb_instance *instance = c->instance;
  memcpy(c->x, p->x, (size_t)sb_vector_count(&p->network) * sizeof *c->x);
  if (instance == NULL) {
    if (!project_all(c)) {
      return false;
    }
  } else {
    sb_workspace_changed(p->work);
    if (sb_workspace_evaluate(p->work, p->t, p->x) != 0) {
      return false;
    }
    const sb_at at = sb_at_instance(p->work, instance, p->t, p->x);
    if (!instance->type->storage->manifold.project(instance->self, &at, c->x + instance->state)) {
      return false;
    }
  }
  memcpy(out, c->x + c->first, (size_t)c->count * sizeof *out);
  return sb_all_finite(out, c->count) != 0;
}

/** dP/dx of the states, (n x n), transposed. */
static sb_status differentiate(const projecting *c, double dP[], sb_arena *memory, sb_error *err) {
  const int n = c->count;
  sb_differences d = {.evaluate = project, .context = (void *)c, .rows = n, .coarse = c->p->coarse};
  if (!sb_differences_init(&d, memory)) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int j = 0; j < n; j++) {
    if (!sb_differences_take(&d, &c->p->x[c->first + j])) {
      return sb_operating_point_not_finite(c->p, err);
    }
    for (int i = 0; i < n; i++) {
      dP[j * n + i] = d.column[i];
    }
  }
  return SB_OK;
}

/** The sizes of the states, by which entries of dP become numbers without a unit. */
static void find_sizes(const projecting *c, double size[]) {
  const sb_operating_point *p = c->p;
  memset(size, 0, (size_t)c->count * sizeof *size);
  sb_workspace_changed(p->work);
  const bool known = sb_workspace_evaluate(p->work, p->t, p->x) == 0;
  for (int i = 0; known && i < c->count;) {
    const sb_instance *instance = &p->network.instances[sb_owner_of(&p->network, c->first + i)];
    const sb_storage_hooks *hooks = instance->type->storage;
    if (hooks != NULL && hooks->sizes.nominal != NULL) {
      const sb_at at = sb_at_instance(p->work, instance, p->t, p->x);
      (void)hooks->sizes.nominal(instance->self, &at, energy, size + i, NULL);
    }
    i += instance->layout.states;
  }
  for (int i = 0; i < c->count; i++) {
    size[i] = size[i] > 0 && isfinite(size[i]) ? size[i] : 1;
  }
}

/** Appends the freedoms of states that are projected. */
static sb_status add_projected(const projecting *c, sb_manifold *m, sb_arena *memory,
                               sb_error *err) {
  const int n = c->count, first = c->first;
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
                  c->name);
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

/** Storage by storage; those that do not project their states keep them all. */
static sb_status add_storages(projecting *c, sb_manifold *m, sb_arena *memory, sb_error *err) {
  const sb_network *network = &c->p->network;
  sb_status status = SB_OK;
  for (int i = 0; i < m->states && status == SB_OK; i += c->count) {
    c->instance = &network->instances[sb_owner_of(network, i)];
    c->first = i;
    c->count = c->instance->layout.states;
    c->name = c->instance->id;
    if (c->instance->type->storage != NULL &&
        c->instance->type->storage->manifold.project != NULL) {
      status = add_projected(c, m, memory, err);
      continue;
    }
    for (int k = i; k < i + c->count; k++) {
      m->T[k * m->states + m->freedoms] = 1;
      m->chosen[m->freedoms++] = k;
    }
  }
  return status;
}

sb_status sb_manifold_find(sb_operating_point *p, bool constraints, sb_manifold *m,
                           sb_arena *memory, sb_error *err) {
  const int n = p->states;
  sb_arena own = {0};
  *m = (sb_manifold){.states = n,
                     .chosen = sb_arena_zeroed(memory, n, sizeof *m->chosen),
                     .T = sb_arena_zeroed(memory, n, (size_t)n * sizeof *m->T)};
  projecting c = {.p = p,
                  .count = n,
                  .name = p->network.name,
                  .x = sb_arena_zeroed(&own, sb_vector_count(&p->network), sizeof *c.x)};
  sb_status status =
      memory->failed || own.failed ? sb_fail(err, SB_ERR_MEMORY, "out of memory") : SB_OK;
  if (status == SB_OK) {
    status = constraints ? add_projected(&c, m, &own, err) : add_storages(&c, m, &own, err);
  }
  for (int i = 0; i < n && status == SB_OK; i++) { // the rows become as long as there are freedoms
    memmove(m->T + i * m->freedoms, m->T + i * n, (size_t)m->freedoms * sizeof *m->T);
  }
  sb_arena_finish(&own);
  sb_workspace_changed(p->work);
  return status;
}

bool sb_manifold_enter(sb_operating_point *p) {
  if (p->network.drifting_count == 0 && !sb_operating_point_is_held(p)) {
    return true;
  }
  sb_workspace_changed(p->work);
  bool ok = sb_workspace_evaluate(p->work, p->t, p->x) == 0;
  for (int k = 0; ok && k < p->network.drifting_count; k++) {
    const sb_instance *instance = &p->network.instances[p->network.drifting[k]];
    const sb_at at = sb_at_instance(p->work, instance, p->t, p->x);
    ok = instance->type->storage->manifold.project(instance->self, &at, p->x + instance->state);
  }
  return ok && sb_workspace_enforce(p->work, p->t, p->x, p->x + p->states) == SB_OK;
}

void sb_manifold_move(const sb_manifold *m, const double dz[], double out[]) {
  for (int i = 0; i < m->states; i++) {
    out[i] = 0;
    for (int k = 0; k < m->freedoms; k++) {
      out[i] += m->T[i * m->freedoms + k] * dz[k];
    }
  }
}

/** A row times T. @param sizes  times |T| */
static void fold_row(const sb_manifold *m, bool sizes, const double row[], double scratch[]) {
  memset(scratch, 0, (size_t)m->freedoms * sizeof *scratch);
  for (int j = 0; j < m->states; j++) {
    for (int k = 0; k < m->freedoms && row[j] != 0; k++) {
      const double t = m->T[j * m->freedoms + k];
      scratch[k] += row[j] * (sizes ? fabs(t) : t);
    }
  }
}

static void fold(const sb_manifold *m, bool sizes, double matrix[], int rows, const int chosen[]) {
  double folded[SB_LINEAR_STATES_MAX];
  for (int i = 0; i < rows && m->freedoms < m->states; i++) {
    fold_row(m, sizes, matrix + (chosen == NULL ? i : chosen[i]) * m->states, folded);
    memcpy(matrix + i * m->freedoms, folded, (size_t)m->freedoms * sizeof *folded);
  }
}

void sb_manifold_fold(const sb_manifold *m, double matrix[], int rows, const int chosen[]) {
  fold(m, false, matrix, rows, chosen);
}

static void choose_rows(const sb_manifold *m, double matrix[], int columns) {
  for (int k = 0; k < m->freedoms; k++) {
    memmove(matrix + k * columns, matrix + m->chosen[k] * columns,
            (size_t)columns * sizeof *matrix);
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
  if (l->error.A != NULL) {
    fold(m, true, l->error.A, r, m->chosen);
    fold(m, true, l->error.C, l->outputs, NULL);
  }
  choose_rows(m, l->B, l->inputs);
  choose_rows(m, l->X, l->inputs);
  if (l->error.B != NULL) {
    choose_rows(m, l->error.B, l->inputs);
  }
  for (int k = 0; k < r; k++) {
    const int i = m->chosen[k];
    l->state[k] = i;
    l->x[k] = l->x[i];
    l->xdot[k] = l->xdot[i];
  }
  l->states = r;
  l->constrained = m->states - r;
}
