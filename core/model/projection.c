// SPDX-License-Identifier: GPL-3.0-or-later
// Consistent states. Storages tied by the network satisfy c(x) = 0, sum w y of their outputs and of
// sources. A state that does not, at the start or after a switch, is moved by the impulses of the
// constraint forces. These act on the rates as the constraint acts on the outputs, for the structure is
// power-free: with G = (w), K the Hessians and C = dc/dx = G K,
//   x+ = x- + G^T lambda,   (C G^T) lambda = -c(x-).
// It is the plastic impact: what is conserved stays, and energy is only lost. Where y is not linear in
// x the same is Newton's method. A source in the tie, w s, takes part with the impulse w lambda, and so
// gives the energy -s w lambda at once.
//
// Signals may let ratios and sources of a tie follow what the impulses move. Then the program is asked
// anew after every step, and where that converges slowly C G^T is found by differences along G.
//
// Ties that the program solves for by their rates (ties.c) drift by the errors of the integrator; the
// same projection takes the drift back after every step. As G y = 0 that costs no energy to first
// order, only the square of the drift.
//
// Constraints that share states form a group, and only these are solved together.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/linalg/dense.h"
#include "core/model/constraints.h"
#include "core/model/rhs.h"

/** A tie that is off by less than this part of its terms is rounding, or was kept as well as can be. */
static const double constraint_tol = 1e-12, drift_tol = 4e-15;
/** A pivot below this part of its diagonal is zero: the tie follows from others. */
static const double pivot_tol = 1e-13;

/** Differences along G are this part of the impulses; a step that leaves more than that of what is off
 *  is slow. */
static const double difference_part = 1e-4, slow_part = 0.05;

enum { ITERATIONS_MAX = 60, HALVINGS_MAX = 40 };

/** One step of a group. */
typedef struct impulses {
  int n, m;           // states, constraints
  double *c, *d;      // (m x n) dc/dx, G
  double *a;          // (m x m)
  double *off, *size; // (m) what is off, what it is summed up from
  double *lambda;     // (m)
  double *before;     // (n) x before the step
  double *other;      // (m x (m + 2)) what is off elsewhere, a system to solve
  bool exact;         // by differences
} impulses;

void sb_constraint_groups_destroy(sb_groups *g) {
  if (g == NULL) {
    return;
  }
  free(g->head);
  free(g->next);
  free(g->solved);
  free(g->moves);
  free(g->rate);
  free(g->pivots);
  free(g->slot);
  free(g->states);
  free(g->numbers);
  sb_constraint_row_finish(&g->row);
  free(g);
}

static int root_of(int parent[], int i) {
  while (parent[i] != i) {
    i = parent[i] = parent[parent[i]];
  }
  return i;
}

/** Joins the states of each constraint, and those of ties that share a source with one that is solved
 *  for: such a source gives to all of them what that tie asks for (discrete_ties.c).
 *  @param one     out: (constraints) one of its states, -1: it has none
 *  @param moves   out: (constraints) whether signals change it
 *  @param holder  scratch (parts), -1: of a source, a state that a solved tie holds to it */
static void join_states(sb_groups *g, sb_workspace *work, const double x[], int parent[], int one[],
                        bool moves[], int holder[]) {
  const sb_causality *c = &work->program->causality;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < c->constraint_count; i++) {
      sb_constraint_row_fill(&g->row, work, &c->constraints[i], x, true);
      one[i] = g->row.count > 0 ? g->row.states[0] : -1;
      moves[i] = g->row.moves;
      for (int k = 1; k < g->row.count; k++) {
        parent[root_of(parent, g->row.states[k])] = root_of(parent, one[i]);
      }
      for (int k = 0; k < g->row.source_count; k++) {
        int *held = &holder[g->row.sources[k].instance];
        *held = *held < 0 && c->constraints[i].solved ? one[i] : *held;
        if (*held >= 0) {
          parent[root_of(parent, *held)] = root_of(parent, one[i]);
        }
      }
    }
  }
}

/** Links the constraints of each group, the last one first.
 *  @param group  scratch (states), zero: 1 + number of the group of a root */
static void link_groups(sb_groups *g, const sb_causality *c, int parent[], const int one[],
                        const bool moves[], int group[]) {
  for (int i = c->constraint_count - 1; i >= 0; i--) {
    if (one[i] < 0) {
      continue;
    }
    int *number = &group[root_of(parent, one[i])];
    if (*number == 0) {
      *number = ++g->count;
      g->head[*number - 1] = -1;
    }
    g->next[i] = g->head[*number - 1];
    g->head[*number - 1] = i;
    g->solved[*number - 1] = g->solved[*number - 1] || c->constraints[i].solved;
    g->moves[*number - 1] = g->moves[*number - 1] || moves[i];
  }
}

static sb_groups *create_groups(sb_workspace *work) {
  const sb_causality *c = &work->program->causality;
  int n = work->network->state_count, m = c->constraint_count,
      sources = work->network->instance_count;
  sb_groups *g = calloc(1, sizeof *g);
  int *parent = sb_zeroed(n, sizeof(int)), *one = sb_zeroed(m, sizeof(int)),
      *group = sb_zeroed(n, sizeof(int)), *holder = sb_zeroed(sources, sizeof(int));
  double *x = sb_zeroed(n, sizeof(double)); // any will do
  bool *moves = sb_zeroed(m, sizeof(bool));
  bool ok = g != NULL && parent != NULL && one != NULL && group != NULL && holder != NULL &&
            x != NULL && moves != NULL;
  if (ok) {
    g->generation = work->generation;
    g->head = sb_zeroed(m, sizeof(int));
    g->next = sb_zeroed(m, sizeof(int));
    g->solved = sb_zeroed(m, sizeof(bool));
    g->moves = sb_zeroed(m, sizeof(bool));
    g->rate = sb_zeroed(n, sizeof(double));
    g->pivots = sb_zeroed(m, sizeof(int));
    g->slot = sb_zeroed(n, sizeof(int));
    g->states = sb_zeroed(n, sizeof(int));
    ok = g->head != NULL && g->next != NULL && g->solved != NULL && g->moves != NULL &&
         g->rate != NULL && g->pivots != NULL && g->slot != NULL && g->states != NULL &&
         sb_constraint_row_init(&g->row, n);
  }
  for (int i = 0; ok && i < n; i++) {
    parent[i] = i;
    g->slot[i] = -1;
  }
  for (int i = 0; ok && i < sources; i++) {
    holder[i] = -1;
  }
  if (ok) {
    join_states(g, work, x, parent, one, moves, holder);
    link_groups(g, c, parent, one, moves, group);
  } else {
    sb_constraint_groups_destroy(g);
  }
  free(parent);
  free(one);
  free(group);
  free(holder);
  free(moves);
  free(x);
  return ok ? g : NULL;
}

sb_groups *sb_groups_of(sb_workspace *work) {
  if (work->groups != NULL && work->groups->generation != work->generation) {
    sb_constraint_groups_destroy(work->groups);
    work->groups = NULL;
  }
  if (work->groups == NULL) {
    work->groups = create_groups(work);
  }
  return work->groups;
}

int sb_group_begin(sb_groups *g, sb_workspace *work, int group, const double x[], int *states) {
  const sb_constraint *constraints = work->program->causality.constraints;
  int m = 0, n = 0;
  for (int i = g->head[group]; i >= 0; i = g->next[i], m++) {
    sb_constraint_row_fill(&g->row, work, &constraints[i], x, true);
    for (int k = 0; k < g->row.count; k++) {
      if (g->slot[g->row.states[k]] < 0) {
        g->slot[g->row.states[k]] = n;
        g->states[n++] = g->row.states[k];
      }
    }
  }
  *states = n;
  return m;
}

void sb_group_end(sb_groups *g, int states) {
  for (int k = 0; k < states; k++) {
    g->slot[g->states[k]] = -1;
  }
}

/** The constraint of a group that is most off, by more than a part of its terms; -1: none. */
static int look(sb_groups *g, sb_workspace *work, int group, const double x[], double fraction) {
  const sb_constraint *constraints = work->program->causality.constraints;
  double most = fraction;
  int worst = -1;
  for (int i = g->head[group]; i >= 0; i = g->next[i]) {
    sb_constraint_row_fill(&g->row, work, &constraints[i], x, false);
    if (!(fabs(g->row.off) <= most * g->row.size)) {
      most = fabs(g->row.off) / g->row.size;
      worst = i;
    }
  }
  return worst;
}

/** Numbers the states of a group and makes room. */
static bool begin(sb_groups *g, sb_workspace *work, int group, const double x[], impulses *p) {
  *p = (impulses){0};
  int m = p->m = sb_group_begin(g, work, group, x, &p->n), n = p->n;
  if (!sb_grow(&g->numbers, &g->number_capacity, 2 * m * n + 2 * m * m + 5 * m + n,
               sizeof(double))) {
    return false;
  }
  p->c = g->numbers;
  p->d = p->c + m * n;
  p->a = p->d + m * n;
  p->off = p->a + m * m;
  p->size = p->off + m;
  p->lambda = p->size + m;
  p->other = p->lambda + m;
  p->before = p->other + m * (m + 2);
  return true;
}

/** c(x), or C and G too. */
static void fill(sb_groups *g, sb_workspace *work, int group, const double x[], impulses *p,
                 bool slopes) {
  const sb_constraint *constraints = work->program->causality.constraints;
  int row = 0;
  for (int i = g->head[group]; i >= 0; i = g->next[i], row++) {
    sb_constraint_row_fill(&g->row, work, &constraints[i], x, slopes);
    p->off[row] = g->row.failed ? NAN : g->row.off;
    if (!slopes) {
      continue;
    }
    p->size[row] = g->row.size;
    memset(p->c + row * p->n, 0, (size_t)p->n * sizeof *p->c);
    memset(p->d + row * p->n, 0, (size_t)p->n * sizeof *p->d);
    for (int k = 0; k < g->row.count; k++) {
      int state = g->row.states[k];
      p->c[row * p->n + g->slot[state]] = g->row.c[state];
      p->d[row * p->n + g->slot[state]] = g->row.d[state];
    }
  }
}

/** What is off, each as a part of what it was summed up from. */
static double norm(const impulses *p) {
  double sum = 0;
  for (int i = 0; i < p->m; i++) {
    double fraction = p->size[i] > 0 ? p->off[i] / p->size[i] : p->off[i];
    sum += fraction * fraction;
  }
  return sum;
}

/** Moves the states of a group by a part of the impulses. */
static void move(const sb_groups *g, const impulses *p, double fraction, double x[]) {
  for (int k = 0; k < p->n; k++) {
    double moved = 0;
    for (int i = 0; i < p->m; i++) {
      moved += p->d[i * p->n + k] * p->lambda[i];
    }
    x[g->states[k]] = p->before[k] + fraction * moved;
  }
}

/** What the sources give by a part of the impulses, to their integrals. */
static void book_sources(sb_groups *g, sb_workspace *work, int group, const impulses *p,
                         double fraction, const double x[], double quadratures[]) {
  const sb_constraint *constraints = work->program->causality.constraints;
  int row = 0;
  for (int i = g->head[group]; i >= 0; i = g->next[i], row++) {
    sb_constraint_row_fill(&g->row, work, &constraints[i], x, true);
    for (int k = 0; k < g->row.source_count; k++) {
      const sb_constrained_source *source = &g->row.sources[k];
      double assigned = source->factor * work->values[source->value];
      quadratures[work->network->instances[source->instance].quadrature] -=
          assigned * fraction * p->lambda[row];
    }
  }
}

/** What ratios and sources are at x. */
static bool refresh(sb_groups *g, sb_workspace *work, int group, double t, const double x[]) {
  return !g->moves[group] || sb_workspace_evaluate(work, t, x) == 0;
}

/** lambda by the slopes C G^T, with ratios and sources as they are. */
static bool solve_frozen(impulses *p) {
  int n = p->n, m = p->m;
  for (int i = 0; i < m; i++) {
    p->lambda[i] = -p->off[i];
    for (int j = 0; j < m; j++) {
      p->a[i * m + j] = 0;
      for (int k = 0; k < n; k++) {
        p->a[i * m + j] += p->c[i * n + k] * p->d[j * n + k];
      }
    }
  }
  sb_solve_definite(p->a, p->lambda, m, 1, pivot_tol);
  return true;
}

/** lambda by differences of c along G, after solve_frozen(), by whose impulses their length is
 *  chosen. */
static bool solve_exact(sb_groups *g, sb_workspace *work, int group, double t, impulses *p,
                        double x[]) {
  int m = p->m;
  double *off = p->other, *system = off + m;
  for (int i = 0; i < m; i++) {
    off[i] = p->off[i];
    system[i * (m + 1) + m] = -p->off[i];
  }
  for (int j = 0; j < m; j++) {
    double length = difference_part * fabs(p->lambda[j]);
    for (int side = 0; side < 2 && length > 0; side++) {
      for (int k = 0; k < p->n; k++) {
        x[g->states[k]] = p->before[k] + (side == 0 ? length : -length) * p->d[j * p->n + k];
      }
      if (!refresh(g, work, group, t, x)) {
        return false;
      }
      fill(g, work, group, x, p, false);
      for (int i = 0; i < m; i++) {
        double *slope = &system[i * (m + 1) + j];
        *slope = side == 0 ? p->off[i] : (*slope - p->off[i]) / (2 * length);
      }
    }
    for (int i = 0; i < m && !(length > 0); i++) {
      system[i * (m + 1) + j] = 0;
    }
  }
  memcpy(p->off, off, (size_t)m * sizeof *off);
  int rank = sb_eliminate(system, m, m + 1, m, pivot_tol, g->pivots);
  memset(p->lambda, 0, (size_t)m * sizeof *p->lambda);
  for (int r = 0; r < rank; r++) {
    p->lambda[g->pivots[r]] = system[r * (m + 1) + m];
  }
  return true;
}

/** One step of Newton's method, shortened until it leads nearer; false if it does not. */
static bool step(sb_groups *g, sb_workspace *work, int group, double t, impulses *p, double x[],
                 double quadratures[]) {
  double fraction = 1;
  fill(g, work, group, x, p, true);
  double old = norm(p), now = old;
  for (int k = 0; k < p->n; k++) {
    p->before[k] = x[g->states[k]];
  }
  bool good = solve_frozen(p) && (!p->exact || solve_exact(g, work, group, t, p, x));
  for (int halving = 0; good && halving < HALVINGS_MAX && !(now < old); halving++) {
    fraction = halving == 0 ? 1 : 0.5 * fraction;
    move(g, p, fraction, x);
    if (refresh(g, work, group, t, x)) {
      fill(g, work, group, x, p, false);
      now = norm(p);
    }
  }
  book_sources(g, work, group, p, fraction, x, quadratures);
  bool was_exact = p->exact;
  p->exact = g->moves[group] && now > slow_part * old;
  return now < old || (p->exact && !was_exact);
}

/** Moves a group onto its constraints. Returns the one that was most off before, -1: none was. */
static int project(sb_groups *g, sb_workspace *work, int group, double fraction, double t,
                   double x[], double quadratures[], bool *ok) {
  int first = look(g, work, group, x, fraction), off = first;
  impulses p;
  if (off < 0) {
    return -1;
  }
  *ok = begin(g, work, group, x, &p);
  for (int i = 0; *ok && off >= 0 && i < ITERATIONS_MAX; i++) {
    off = step(g, work, group, t, &p, x, quadratures) ? look(g, work, group, x, fraction) : -1;
  }
  sb_group_end(g, p.n);
  return first;
}

sb_status sb_workspace_project(sb_workspace *work, double t, double x[], int *constraint) {
  *constraint = -1;
  if (work->program->causality.constraint_count == 0) {
    return SB_OK;
  }
  sb_groups *g = sb_groups_of(work);
  bool ok = g != NULL;
  for (int group = 0; ok && group < g->count; group++) {
    int off = project(g, work, group, constraint_tol, t, x, x + work->network->state_count, &ok);
    *constraint = *constraint < 0 ? off : *constraint;
  }
  return ok ? SB_OK : SB_ERR_MEMORY;
}

/** The state that depends on others by a linear tie. */
static void follow(const sb_workspace *work, const sb_constraint *c, double x[]) {
  const sb_causality *r = &work->program->causality;
  int n = work->network->state_count, base = sb_known_base(work->network);
  double sum = 0, pivot = 1;
  for (int k = 0; k < c->count; k++) {
    const sb_term *term = &r->constraint_terms[c->first + k];
    int known = term->var - base;
    if (known == c->dependent) {
      pivot = term->factor;
    } else {
      sum += term->factor * (known < n ? x[known] : work->values[known - n]);
    }
  }
  x[c->dependent] = -sum / pivot;
}

sb_status sb_workspace_enforce(sb_workspace *work, double t, double x[], double quadratures[]) {
  const sb_causality *r = &work->program->causality;
  bool ok = true;
  if (sb_has_multipliers(r)) {
    sb_groups *g = sb_groups_of(work);
    ok = g != NULL;
    for (int group = 0; ok && group < g->count; group++) {
      if (g->solved[group]) {
        (void)project(g, work, group, drift_tol, t, x, quadratures, &ok);
      }
    }
  }
  for (int i = r->constraint_count - 1; i >= 0;
       i--) { // the earlier may hold the later ones' states
    if (!r->constraints[i].solved) {
      follow(work, &r->constraints[i], x);
    }
  }
  return ok ? SB_OK : SB_ERR_MEMORY;
}
