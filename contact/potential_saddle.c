// SPDX-License-Identifier: GPL-3.0-or-later
// The quadratic part of a stored energy V where the bodies touch, q.Hq/2 with H = d2V/dq2 at q = 0: a way along which it is
// negative, if there is one. H is eliminated by rows as L D L^T; what a row leaves of the others' diagonal, the Schur complement
// H_jj - H_ij^2/H_ii, is what V has along q_j where q_i follows so that V is least. By itself no number on the diagonal need be
// negative: of z^2 + 3 x z it is not. The units of H_ij differ, so each is compared with the terms that it is a sum of.
//
// q and -q have the same quadratic part, so that z >= 0 excludes nothing, but that r >= 0 of an isotropic V, too: where
// r and z have other signs the bodies cannot go. theta is eliminated first then, which is free: what is left of r and z is a form of two,
// a r^2 + 2 b r z + c z^2, that is negative in the quadrant only if a or c is, or b < -sqrt(a c): the sign of b tells.
#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/potential.h"

enum { DIM = SB_POTENTIAL_DIM };

/** What is below this fraction of its terms is rounding. */
static const double rounding = 64 * DBL_EPSILON;

typedef struct form {
  double H[DIM][DIM], terms[DIM][DIM]; // terms: the sums of the absolute values of those of H
  bool open[DIM];                      // not eliminated yet
} form;

/** By exact derivatives of an expression; of a function by its gradient near by, which is zero at the touch. */
static double second(const sb_potential *p, bool isotropic, int i, int j) {
  static const double near = 1e-6; // [m or rad]
  if (p->energy != NULL) {
    const double touch[SB_EXPRESSION_VARIABLES_MAX] = {0};
    const int a = isotropic && i == SB_POTENTIAL_X ? SB_POTENTIAL_R : i,
              b = isotropic && j == SB_POTENTIAL_X ? SB_POTENTIAL_R : j;
    return sb_expression_uses(p->energy, a) && sb_expression_uses(p->energy, b)
               ? sb_expression_second(p->energy, touch, NULL, a, b)
               : 0;
  }
  double q[DIM] = {0}, by_i[DIM], by_j[DIM];
  q[i] = near;
  (void)sb_potential_energy(p, isotropic, q, NULL, by_i);
  q[i] = 0;
  q[j] = near;
  (void)sb_potential_energy(p, isotropic, q, NULL, by_j);
  return (by_i[j] + by_j[i]) / (2 * near);
}

static form form_of(const sb_potential *p, bool isotropic) {
  form f;
  for (int i = 0; i < DIM; i++) {
    f.open[i] = !(isotropic && i == SB_POTENTIAL_Y);
    for (int j = 0; j < DIM; j++) {
      f.H[i][j] = f.open[i] && !(isotropic && j == SB_POTENTIAL_Y) ? second(p, isotropic, i, j) : 0;
      f.terms[i][j] = fabs(f.H[i][j]);
    }
    for (int j = 0; j < DIM; j++) {
      f.open[i] = f.open[i] && isfinite(f.H[i][j]);
    }
  }
  return f;
}

static void eliminate(form *f, int i) {
  for (int r = 0; r < DIM; r++) {
    for (int c = 0; c < DIM; c++) {
      if (f->open[r] && f->open[c]) {
        const double less = f->H[r][i] * f->H[i][c] / f->H[i][i];
        f->H[r][c] -= less;
        f->terms[r][c] += fabs(less);
      }
    }
  }
}

static bool counts(const form *f, int i, int j) {
  return fabs(f->H[i][j]) > rounding * f->terms[i][j];
}

/** A way among those that are open on which the form is negative: q_j alone, or, where V does not depend on q_i alone, both. */
static bool find_open(const form *f, int i, double way[DIM]) {
  for (int j = 0; j < DIM; j++) {
    if (f->open[j] && counts(f, j, j) && f->H[j][j] < 0) {
      way[j] = 1;
      return true;
    }
  }
  for (int j = 0; j < DIM && f->open[i] && !counts(f, i, i); j++) {
    if (j != i && f->open[j] && counts(f, i, j)) {
      way[j] = 1; // 2 H_ij way_i + H_jj < 0
      way[i] = counts(f, j, j) ? -f->H[j][j] / f->H[i][j] : -copysign(1, f->H[i][j]);
      return true;
    }
  }
  return false;
}

/** Those that were eliminated follow, the last first. */
static void complete(const form *f, const int rows[], int count, double way[DIM]) {
  for (int k = count - 1; k >= 0; k--) {
    const int i = rows[k];
    double sum = 0;
    for (int j = 0; j < DIM; j++) {
      sum += j != i && way[j] != 0 ? f->H[i][j] * way[j] : 0;
    }
    way[i] = -sum / f->H[i][i];
  }
}

/** Of the largest number 1, and into the contact. @return false: the bodies cannot go there */
static bool orient(bool isotropic, double way[DIM]) {
  double most = 0;
  for (int i = 0; i < DIM; i++) {
    most = fmax(most, fabs(way[i]));
  }
  const double depth = way[SB_POTENTIAL_Z], slide = way[SB_POTENTIAL_X];
  const double scale = (depth < 0 || (depth == 0 && slide < 0) ? -1 : 1) / most;
  for (int i = 0; i < DIM; i++) {
    way[i] = way[i] != 0 ? scale * way[i] : 0;
  }
  return !(isotropic && slide * depth < 0);
}

bool sb_potential_saddle(const sb_potential *p, bool isotropic, double way[DIM]) {
  static const int order[] = {SB_POTENTIAL_THETA, SB_POTENTIAL_X, SB_POTENTIAL_Y, SB_POTENTIAL_Z};
  int rows[DIM], count = 0;
  form f = form_of(p, isotropic);
  memset(way, 0, DIM * sizeof *way);
  for (int k = 0; k < DIM; k++) {
    const int i = order[k];
    if (find_open(&f, i, way)) {
      complete(&f, rows, count, way);
      return orient(isotropic, way);
    }
    if (f.open[i]) {
      f.open[i] = false;
      if (counts(&f, i, i)) {
        eliminate(&f, i);
        rows[count++] = i;
      }
    }
  }
  return false;
}
