// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/pencil_private.h"

#include <math.h>
#include <string.h>

static sb_tracked minus(sb_tracked a) {
  return (sb_tracked){-a.value, a.size};
}

/** a + f b, zero if it is rounding. */
static sb_tracked add(sb_tracked a, sb_tracked f, sb_tracked b, double rounding) {
  const double b_size = fabs((double)b.value),
               product = fmax(fabs((double)f.value) * b.size, f.size * b_size);
  sb_tracked sum = {a.value + f.value * b.value, fmax(a.size, fabs((double)a.value) + product)};
  sum.value = fabs((double)sum.value) <= rounding * sum.size ? 0 : sum.value;
  return sum;
}

/** 1/a, as far as it is known. */
static sb_tracked inverse_of(sb_tracked a) {
  const sb_extended inverse = 1 / a.value;
  return (sb_tracked){inverse, a.size * (double)(inverse * inverse)};
}

static void swap_rows(sb_tracked a[], int columns, int i, int j) {
  for (int k = 0; i != j && k < columns; k++) {
    sb_tracked swap = a[i * columns + k];
    a[i * columns + k] = a[j * columns + k];
    a[j * columns + k] = swap;
  }
}

/** The largest entry below the rows that are solved; false: there is none. */
static bool find_pivot(const sb_tracked a[], int rows, int columns, int first, int unknowns,
                       int solved, int *row, int *pivot) {
  double best = 0;
  for (int i = solved; i < rows; i++) {
    for (int j = first; j < first + unknowns; j++) {
      const double size = fabs((double)a[i * columns + j].value);
      if (size > best) {
        best = size;
        *row = i;
        *pivot = j;
      }
    }
  }
  return best > 0;
}

int sb_tracked_eliminate(sb_tracked a[], int rows, int columns, int first, int unknowns,
                         double rounding, int pivots[]) {
  int rank = 0, row = 0, pivot = 0;
  for (; rank < rows && find_pivot(a, rows, columns, first, unknowns, rank, &row, &pivot); rank++) {
    swap_rows(a, columns, rank, row);
    sb_tracked *by = &a[rank * columns];
    const sb_tracked inverse = inverse_of(by[pivot]);
    for (int j = first; j < columns; j++) {
      by[j] = add((sb_tracked){0}, inverse, by[j], 0);
    }
    for (int i = 0; i < rows; i++) {
      sb_tracked *at = &a[i * columns];
      const sb_tracked factor = i == rank ? (sb_tracked){0} : minus(at[pivot]);
      for (int j = first; j < columns && factor.value != 0; j++) {
        at[j] = by[j].value == 0 ? at[j] : add(at[j], factor, by[j], rounding);
      }
      at[pivot] = factor.value != 0 ? (sb_tracked){0} : at[pivot];
    }
    by[pivot] = (sb_tracked){1, 1};
    pivots[rank] = pivot - first;
  }
  return rank;
}

bool sb_pencil_init(sb_pencil *p, sb_arena *memory) {
  p->E = sb_arena_zeroed(memory, p->n * p->n, sizeof(sb_tracked));
  p->A = sb_arena_zeroed(memory, p->n * p->n, sizeof(sb_tracked));
  p->C = sb_arena_zeroed(memory, p->outputs, (size_t)p->n * sizeof(sb_tracked));
  for (int k = 0; k <= SB_PENCIL_ORDER_MAX; k++) {
    p->B[k] = sb_arena_zeroed(memory, p->n * p->inputs, sizeof(sb_tracked));
    p->D[k] = sb_arena_zeroed(memory, p->outputs * p->inputs, sizeof(sb_tracked));
  }
  return !memory->failed;
}

/** One pass of the shuffle: the rows as one matrix [E A B0 B1 ...], and which unknown each is solved for. */
typedef struct pass {
  sb_tracked *rows; // (n x columns)
  int n, columns;
  int *pivots;     // (n) of the algebraic rows
  int *kept;       // (n) unknowns that are left
  char *dependent; // (n)
} pass;

static void join(const sb_pencil *p, pass *s) {
  int n = p->n, m = p->inputs;
  for (int i = 0; i < n; i++) {
    sb_tracked *row = s->rows + i * s->columns;
    memcpy(row, p->E + i * n, (size_t)n * sizeof *row);
    memcpy(row + n, p->A + i * n, (size_t)n * sizeof *row);
    for (int k = 0; k <= p->order; k++) {
      memcpy(row + 2 * n + k * m, p->B[k] + i * m, (size_t)m * sizeof *row);
    }
  }
}

/** target_k += factor * (what dependent unknown `by` is of u); k counts from `shift` on. */
static void add_inputs(const sb_pencil *p, const sb_tracked *by, sb_tracked factor,
                       sb_tracked *target[], int row, int shift) {
  int m = p->inputs;
  for (int k = 0; k <= p->order && factor.value != 0; k++) {
    for (int j = 0; j < m; j++) {
      sb_tracked term = by[k * m + j];
      if (term.value != 0) {
        sb_tracked *to = &target[k + shift][row * m + j];
        *to = add(*to, factor, term, p->rounding);
      }
    }
  }
}

/** A row over all unknowns as one over those that are left. @param from  (n)  @param to  (left) out */
static void substitute(const sb_pencil *p, const pass *s, int rank, const sb_tracked from[],
                       sb_tracked to[], int left) {
  for (int j = 0; j < left; j++) {
    to[j] = from[s->kept[j]];
  }
  for (int r = rank; r < s->n; r++) {
    const sb_tracked factor = minus(from[s->pivots[r - rank]]);
    const sb_tracked *by = s->rows + r * s->columns + s->n; // w_pivot = -by w - ...
    for (int j = 0; j < left && factor.value != 0; j++) {
      to[j] = add(to[j], factor, by[s->kept[j]], p->rounding);
    }
  }
}

static bool any_input(const sb_pencil *p, const sb_tracked a[]) {
  bool any = false;
  for (int i = 0; i < p->n * p->inputs; i++) {
    any = any || a[i].value != 0;
  }
  return any;
}

/** Puts what the algebraic rows say into the others and into the outputs; n becomes `rank`. */
static sb_status shrink(sb_pencil *p, pass *s, int rank, sb_arena *memory) {
  int n = s->n, m = p->inputs;
  sb_pencil q = {.n = rank, .inputs = m, .outputs = p->outputs, .rounding = p->rounding};
  if (!sb_pencil_init(&q, memory)) {
    return SB_ERR_MEMORY;
  }
  sb_tracked *rest[SB_PENCIL_ORDER_MAX + 2];
  memcpy(rest, q.B, sizeof q.B);
  rest[SB_PENCIL_ORDER_MAX + 1] = sb_arena_zeroed(memory, rank * m, sizeof(sb_tracked));
  for (int k = 0; k <= SB_PENCIL_ORDER_MAX; k++) {
    memcpy(q.D[k], p->D[k], (size_t)(p->outputs * m) * sizeof(sb_tracked));
  }
  for (int i = 0; i < rank && !memory->failed; i++) {
    const sb_tracked *row = s->rows + i * s->columns;
    substitute(p, s, rank, row, q.E + i * rank, rank);
    substitute(p, s, rank, row + n, q.A + i * rank, rank);
    for (int k = 0; k <= p->order; k++) {
      memcpy(q.B[k] + i * m, row + 2 * n + k * m, (size_t)m * sizeof *row);
    }
    for (int r = rank; r < n; r++) { // E wdot goes to the other side, with a derivative more
      const sb_tracked *by = s->rows + r * s->columns + 2 * n;
      int unknown = s->pivots[r - rank];
      add_inputs(p, by, minus(row[n + unknown]), rest, i, 0);
      add_inputs(p, by, row[unknown], rest, i, 1);
    }
  }
  for (int i = 0; i < p->outputs; i++) {
    const sb_tracked *row = p->C + i * n;
    substitute(p, s, rank, row, q.C + i * rank, rank);
    for (int r = rank; r < n; r++) {
      add_inputs(p, s->rows + r * s->columns + 2 * n, minus(row[s->pivots[r - rank]]), q.D, i, 0);
    }
  }
  if (memory->failed) {
    return SB_ERR_MEMORY;
  }
  q.order = p->order + 1;
  while (q.order > 0 && q.order <= SB_PENCIL_ORDER_MAX && !any_input(&q, rest[q.order])) {
    q.order--;
  }
  bool beyond = q.order > SB_PENCIL_ORDER_MAX && any_input(&q, rest[SB_PENCIL_ORDER_MAX + 1]);
  q.order = q.order > SB_PENCIL_ORDER_MAX ? SB_PENCIL_ORDER_MAX : q.order;
  *p = q;
  return beyond ? SB_ERR_LIMIT : SB_OK;
}

/** E is regular: its rows are solved for the rates, in the order of the unknowns. */
static void solve_rates(sb_pencil *p, const pass *s, const int pivots[]) {
  int n = p->n, m = p->inputs;
  for (int r = 0; r < n; r++) {
    const sb_tracked *row = s->rows + r * s->columns;
    int i = pivots[r];
    memcpy(p->E + i * n, row, (size_t)n * sizeof *row);
    memcpy(p->A + i * n, row + n, (size_t)n * sizeof *row);
    for (int k = 0; k <= p->order; k++) {
      memcpy(p->B[k] + i * m, row + 2 * n + k * m, (size_t)m * sizeof *row);
    }
  }
}

/** out += a b, of tracked matrices (rows x n) and (n x columns). */
static void multiply(const sb_tracked a[], const sb_tracked b[], int rows, int n, int columns,
                     double rounding, sb_tracked out[]) {
  for (int i = 0; i < rows; i++) {
    for (int k = 0; k < n; k++) {
      const sb_tracked factor = a[i * n + k];
      for (int j = 0; j < columns && factor.value != 0; j++) {
        out[i * columns + j] = add(out[i * columns + j], factor, b[k * columns + j], rounding);
      }
    }
  }
}

/** w = v + d^(k-1)/dt^(k-1) B[k] u, for the highest k first, takes the derivatives out of wdot. */
static void take_out_derivatives(sb_pencil *p) {
  for (int k = p->order; k > 0; k--) {
    multiply(p->A, p->B[k], p->n, p->n, p->inputs, p->rounding, p->B[k - 1]);
    multiply(p->C, p->B[k], p->outputs, p->n, p->inputs, p->rounding, p->D[k - 1]);
    memset(p->B[k], 0, (size_t)(p->n * p->inputs) * sizeof(sb_tracked));
  }
}

/** Finds the order of the derivatives that are left in the outputs. */
static void find_order(sb_pencil *p) {
  for (p->order = SB_PENCIL_ORDER_MAX; p->order > 0; p->order--) {
    for (int i = 0; i < p->outputs * p->inputs; i++) {
      if (p->D[p->order][i].value != 0) {
        return;
      }
    }
  }
}

sb_status sb_pencil_reduce(sb_pencil *p, sb_arena *memory) {
  for (;;) {
    int n = p->n;
    pass s = {.n = n, .columns = 2 * n + (p->order + 1) * p->inputs};
    s.rows = sb_arena_zeroed(memory, n, (size_t)s.columns * sizeof(sb_tracked));
    s.pivots = sb_arena_zeroed(memory, n, sizeof(int));
    s.kept = sb_arena_zeroed(memory, n, sizeof(int));
    s.dependent = sb_arena_zeroed(memory, n, sizeof(char));
    if (memory->failed) {
      return SB_ERR_MEMORY;
    }
    join(p, &s);
    int rank = sb_tracked_eliminate(s.rows, n, s.columns, 0, n, p->rounding, s.pivots);
    if (rank == n) {
      solve_rates(p, &s, s.pivots);
      break;
    }
    // the rows without rates are equations between unknowns
    int found = sb_tracked_eliminate(s.rows + rank * s.columns, n - rank, s.columns, n, n,
                                     p->rounding, s.pivots);
    if (found < n - rank) {
      return SB_ERR_SINGULAR;
    }
    for (int r = 0; r < found; r++) {
      s.dependent[s.pivots[r]] = 1;
    }
    for (int j = 0, k = 0; j < n; j++) {
      if (!s.dependent[j]) {
        s.kept[k++] = j;
      }
    }
    SB_TRY(shrink(p, &s, rank, memory));
  }
  take_out_derivatives(p);
  find_order(p);
  return SB_OK;
}

sb_status sb_pencil_choose(sb_pencil *p, int among, int chosen[], sb_arena *memory) {
  int n = p->n, columns = among + p->n;
  // rows: w_i, by the outputs that see it; beside them the identity, which becomes (C_chosen^T)^-1
  sb_tracked *rows = sb_arena_zeroed(memory, n, (size_t)columns * sizeof(sb_tracked));
  sb_pencil q = *p;
  if (memory->failed || !sb_pencil_init(&q, memory)) {
    return SB_ERR_MEMORY;
  }
  for (int i = 0; i < n; i++) {
    for (int r = 0; r < among; r++) {
      rows[i * columns + r] = p->C[r * n + i];
    }
    rows[i * columns + among + i] = (sb_tracked){1, 1};
  }
  if (sb_tracked_eliminate(rows, n, columns, 0, among, p->rounding, chosen) < n) {
    return SB_ERR_SINGULAR;
  }
  for (int r = 1; r < n; r++) { // in the order of the outputs
    for (int k = r; k > 0 && chosen[k] < chosen[k - 1]; k--) {
      int swap = chosen[k];
      chosen[k] = chosen[k - 1];
      chosen[k - 1] = swap;
      swap_rows(rows, columns, k, k - 1);
    }
  }
  // with M = C_chosen, v = M w: w = M^-1 v, and row r of `rows` holds column r of M^-1
  sb_tracked *M = sb_arena_zeroed(memory, n * n, sizeof(sb_tracked));
  sb_tracked *inverse = sb_arena_zeroed(memory, n * n, sizeof(sb_tracked));
  sb_tracked *between = sb_arena_zeroed(memory, n * n, sizeof(sb_tracked));
  if (memory->failed) {
    return SB_ERR_MEMORY;
  }
  for (int r = 0; r < n; r++) {
    memcpy(M + r * n, p->C + chosen[r] * n, (size_t)n * sizeof *M);
    for (int i = 0; i < n; i++) {
      inverse[i * n + r] = rows[r * columns + among + i];
    }
  }
  multiply(M, p->A, n, n, n, p->rounding, between);
  multiply(between, inverse, n, n, n, p->rounding, q.A);
  multiply(M, p->B[0], n, n, p->inputs, p->rounding, q.B[0]);
  multiply(p->C, inverse, p->outputs, n, n, p->rounding, q.C);
  memcpy(q.D, p->D, sizeof q.D);
  memcpy(q.E, p->E, (size_t)(n * n) * sizeof *q.E);
  *p = q;
  return SB_OK;
}
