// SPDX-License-Identifier: GPL-3.0-or-later
// Lemke's method. The table tells what is basic by what is not, basic = T nonbasic + q; at first w = M z + z_0 + q with an artificial
// z_0 >= 0 that makes all w >= 0. What enters is the complement of what left last, until z_0 leaves. Quantities are polynomials in
// eps and compared by their lowest power that differs, so that no basis comes back.
#include "core/linalg/lemke.h"

#include <float.h>
#include <math.h>
#include <string.h>

/** What is left of a sum below this fraction of its terms is zero; pivots below it, too; ratios that agree to it are equal. */
static const double rounding = 1e-11;
/** The rounding of q as given. */
static const double given = 8 * DBL_EPSILON;
enum { STEPS_EACH = 50, KNOWN = SB_LEMKE_POWERS - 1 };

typedef struct lemke {
  double *table;
  int n, columns;
  bool cancels;       // q_0 is zero where it has cancelled out
  int *basic, *other; // (n), (n + 1) variables: w_i is i, z_i is n + i, z_0 is 2 n
} lemke;

static double *row_of(const lemke *m, int i) {
  return m->table + i * m->columns;
}

static const double *q_of(const lemke *m, int i) {
  return row_of(m, i) + m->n + 1;
}

/** To what q_0 of a row is known, after all that it has followed from: what is left where it has cancelled out, as of the speeds of slow
 *  slips beside a fast one, must not decide before q_1. */
static double *error_of(const lemke *m, int i) {
  return row_of(m, i) + m->n + 1 + SB_LEMKE_POWERS;
}

/** Adds a multiple of the row r of the pivot to q of another one. */
static void add_known(lemke *m, int i, int r, double factor) {
  double *q = row_of(m, i) + m->n + 1, *error = error_of(m, i);
  const double *own = q_of(m, r);
  *error += fabs(factor) * *error_of(m, r) + DBL_EPSILON * fabs(factor * own[0]);
  for (int k = 0; k < SB_LEMKE_POWERS; k++) {
    const double change = factor * own[k];
    q[k] += change;
    if (k < KNOWN &&
        fabs(q[k]) <= fmax(rounding * fabs(change), k == 0 && m->cancels ? *error : 0)) {
      q[k] = 0;
    }
  }
}

/** Exchanges the basic variable of row r with the other one of column c. */
static void exchange(lemke *m, int r, int c) {
  double *own = row_of(m, r);
  const double pivot = own[c];
  for (int j = 0; j < m->n + 1 + SB_LEMKE_POWERS; j++) {
    own[j] = j == c ? 1 / pivot : -own[j] / pivot;
  }
  *error_of(m, r) /= fabs(pivot);
  for (int i = 0; i < m->n; i++) {
    double *row = row_of(m, i), factor = row[c];
    for (int j = 0; j < m->n + 1 && i != r && factor != 0; j++) {
      row[j] = (j == c ? 0 : row[j]) + factor * own[j];
    }
    if (i != r && factor != 0) {
      add_known(m, i, r, factor);
    }
  }
  const int left = m->basic[r];
  m->basic[r] = m->other[c];
  m->other[c] = left;
}

/** Compares a/size_a with b/size_b by powers. @param powers  how many count */
static int compare(const double a[], double size_a, const double b[], double size_b, int powers) {
  for (int k = 0; k < powers; k++) {
    const double x = a[k] / size_a, y = b[k] / size_b;
    if (fabs(x - y) > rounding * fmax(fabs(x), fabs(y))) {
      return x < y ? -1 : 1;
    }
  }
  return 0;
}

/** The row that limits what enters by column c: the first basic variable that becomes zero, z_0 before all others. -1: none */
static int limit_of(const lemke *m, int c) {
  int best = -1;
  for (int i = 0; i < m->n; i++) {
    const double slope = -row_of(m, i)[c];
    if (!(slope > rounding)) {
      continue;
    }
    const double least = best < 0 ? 1 : -row_of(m, best)[c];
    const int known = best < 0 ? -1 : compare(q_of(m, i), slope, q_of(m, best), least, KNOWN);
    const bool first = known < 0 || (known == 0 && m->basic[i] == 2 * m->n) ||
                       (known == 0 && m->basic[best] != 2 * m->n &&
                        compare(q_of(m, i), slope, q_of(m, best), least, SB_LEMKE_POWERS) < 0);
    best = first ? i : best;
  }
  return best;
}

/** Brings z_0 in at the row that is most negative. @return whether there is one */
static bool begin(lemke *m) {
  static const double zero[SB_LEMKE_POWERS] = {0};
  int worst = 0;
  for (int i = 0; i < 2 * m->n + 1; i++) {
    *(i < m->n ? &m->basic[i] : &m->other[i - m->n]) = i;
    worst = i < m->n && compare(q_of(m, i), 1, q_of(m, worst), 1, SB_LEMKE_POWERS) < 0 ? i : worst;
  }
  if (compare(q_of(m, worst), 1, zero, 1, KNOWN) >= 0) {
    return false;
  }
  exchange(m, worst, m->n);
  return true;
}

bool sb_lemke(double table[], int n, bool cancels, int names[], double z[]) {
  lemke m = {table, n, sb_lemke_columns(n), cancels, names, names + n};
  memset(z, 0, (size_t)(2 * n) * sizeof *z);
  for (int i = 0; i < n; i++) {
    *error_of(&m, i) = given * fabs(q_of(&m, i)[0]);
  }
  if (!begin(&m)) {
    return true;
  }
  int left = m.other[n];
  bool goes_on = true;
  for (int step = 0; left != 2 * n && goes_on; step++) {
    int column = 0;
    while (m.other[column] != (left < n ? left + n : left - n)) {
      column++;
    }
    const int row = limit_of(&m, column);
    goes_on = row >= 0 && step < STEPS_EACH * (n + 1);
    if (goes_on) {
      left = m.basic[row];
      exchange(&m, row, column);
    }
  }
  for (int i = 0; i < n; i++) {
    if (m.basic[i] >= n && m.basic[i] < 2 * n) {
      memcpy(z + 2 * (m.basic[i] - n), q_of(&m, i), 2 * sizeof *z);
    }
  }
  return goes_on;
}
