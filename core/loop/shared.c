// SPDX-License-Identifier: GPL-3.0-or-later
// Loops with redundant multipliers, as of the four feet of one body: the Jacobian J is singular in the multipliers l, and only their
// combined effect is determined. With the other outputs eliminated (chain.c), of all solutions of S l = h the one is taken in which shares of limited strength are closest to their references. S is scaled to a diagonal of 1, so that units
// do not matter; the components of one vector have one scale, that of the mean of their diagonals, which does not depend on their
// axes, so that the closest one is the same in all frames.
#include <math.h>
#include <string.h>

#include "core/linalg/dense.h"
#include "core/loop/newton_private.h"

/** What others leave of a row of S below this fraction, as slopes by differences tell it, is implied by them. */
static const double implied = SB_NEWTON_IMPLIED;
/** Feet yield to what others contradict by this fraction of what they answer to forces of their own. */
static const double yielding = 1e-4;
/** Of shares that may hardly change: its square is far above rounding. */
static const double least_weight = 1e-3;
/** The row of a contact whose diagonal is less than the former fraction of another one of it is smaller than that by other reasons than its
 *  units, and is to stay small. Less than the latter is rounding: nothing moves along it, as across a slide, and nothing bears there. */
static const double least_scale = 1e-6, still = 1e-12;

/** 1/sqrt of the diagonal of S, of components of one vector of its mean; 0 where nothing moves.
 *  @param vector, contact  (count) of which one each is; -1: of none */
static void find_scales(const double S[], int count, const int vector[], const double contact[],
                        double scale[]) {
  for (int i = 0; i < count; i++) {
    double sum = 0, most = 0;
    int members = 0;
    for (int k = 0; k < count; k++) {
      const double own = fabs(S[k * count + k]);
      const bool beside = k == i || (vector[k] >= 0 && vector[k] == vector[i]);
      sum += beside ? own : 0;
      members += beside;
      most = contact[k] >= 0 && contact[k] == contact[i] ? fmax(most, own) : most;
    }
    const double mean = sum / members, size = fmax(mean, least_scale * most);
    scale[i] = mean < still * most ? 0 : size > 0 ? 1 / sqrt(size) : 1;
  }
}

/** A system S l = h whose unknowns are of two kinds: shares of limited strength, of which some are known to be within it, their
 *  reference, and others. */
typedef struct shares {
  double *S, *h;           // (count x count), scaled to a diagonal of 1; (count), out: l
  int count;               //
  const double *reference; // (count) NAN: none
  double *weight;          // (count) what a bounded one may be at most; then its root, relative
  const double *scale;     // (count)
  int *order;              // (count) scratch
  double *room;            // (count) scratch
} shares;

static bool is_bounded(const shares *s, int i) {
  return !isnan(s->reference[i]);
}

/** Leaves of S and h the rows and columns of the bounded unknowns, or of the others, in their order. @return how many these are */
static int pick(const shares *s, bool bounded, double S[], double h[]) {
  int rows = 0, next = 0;
  for (int i = 0; i < s->count; i++) {
    if (is_bounded(s, i) == bounded) {
      h[rows++] = s->h[i];
      for (int k = 0; k < s->count; k++) {
        S[next] = s->S[i * s->count + k];
        next += is_bounded(s, k) == bounded;
      }
    }
  }
  return rows;
}

/** Takes the unbounded unknowns out of the rows of all, the largest pivot first. @param done  (count) scratch */
static void eliminate(const shares *s, int done[]) {
  const int n = s->count;
  memset(done, 0, (size_t)n * sizeof *done);
  for (int p = 0; p >= 0;) {
    double most = implied;
    p = -1;
    for (int i = 0; i < n; i++) {
      const double own = !done[i] && !is_bounded(s, i) ? fabs(s->S[i * n + i]) : 0;
      p = own > most ? i : p;
      most = fmax(most, own);
    }
    for (int i = 0; p >= 0 && i < n; i++) {
      const double factor = i != p && !done[i] ? s->S[i * n + p] / s->S[p * n + p] : 0;
      for (int k = 0; factor != 0 && k < n; k++) {
        s->S[i * n + k] -= factor * s->S[p * n + k];
      }
      s->h[i] -= factor * s->h[p];
    }
    if (p >= 0) {
      done[p] = 1;
    }
  }
}

/** Shares change in proportion to what they may be at most, in units of S: feet that are drawn alike come to their bounds together, and
 *  one that has just come to bear is not taken out of its cone by a change that is small for the others. */
static void find_weights(const shares *s) {
  double most = 0;
  for (int i = 0; i < s->count; i++) {
    s->weight[i] /= s->scale[i];
    most = isfinite(s->weight[i]) ? fmax(most, s->weight[i]) : most;
  }
  for (int i = 0; i < s->count; i++) {
    const double part = most > 0 && s->weight[i] > 0 ? s->weight[i] / most : 1;
    s->weight[i] = fmax(sqrt(fmin(part, 1)), least_weight);
  }
}

/** Of all l with S l = h those whose bounded shares are next to their references: what is bounded by nothing, a lock or the closure of a
 *  loop, takes what it can of a load that changes. Of these the least.
 *  @param kept  S and h before, behind each other; used up */
static void share_bounded(const shares *s, double kept[]) {
  const int n = s->count;
  const shares before = {.S = kept, .h = kept + n * n, .count = n, .reference = s->reference};
  eliminate(s, s->order);
  const int bounded = pick(s, true, s->S, s->h), others = n - bounded;
  double largest = 0;
  find_weights(s);
  for (int i = 0, own = 0; i < n; i++) { // the difference to the reference
    if (is_bounded(s, i)) {
      for (int k = 0, column = 0; k < n; k++) {
        if (is_bounded(s, k)) {
          double *entry = &s->S[own * bounded + column++];
          s->h[own] -= *entry * s->reference[k] / s->scale[k];
          *entry *= s->weight[k];
          largest = fmax(largest, fabs(*entry));
        }
      }
      own++;
    }
  }
  if (largest > implied) {
    (void)sb_solve_least_norm(s->S, s->h, bounded, bounded, implied / largest, s->order, s->room);
  } else {
    memset(s->h, 0, (size_t)bounded * sizeof *s->h);
  }
  for (int i = n - 1, own = bounded; i >= 0; i--) {
    s->h[i] = is_bounded(s, i) ? s->weight[i] * s->h[--own] + s->reference[i] / s->scale[i] : 0;
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) {
      before.h[i] -= is_bounded(s, k) ? before.S[i * n + k] * s->h[k] : 0;
    }
  }
  (void)pick(&before, false, before.S, before.h);
  (void)sb_solve_least_norm(before.S, before.h, others, others, implied, s->order, s->room);
  for (int i = 0, other = 0; i < n; i++) {
    s->h[i] = is_bounded(s, i) ? s->h[i] : before.h[other++];
  }
}

// Where that leaves no l open, the reference has no part in it: the rounding of forces that have vanished would stay.
bool sb_newton_share(double S[], int count, const int vector[], const double contact[],
                     double reference[], double strength[], double h[], double scale[],
                     double room[], double kept[]) {
  const size_t size = (size_t)(count * count) * sizeof *S;
  int order[SB_LOOP_MAX];
  int moving = 0;
  bool any = false;
  find_scales(S, count, vector, contact, scale);
  for (int i = 0; i < count; i++) {
    moving += scale[i] > 0;
    reference[i] = scale[i] > 0 ? reference[i] : NAN;
    any = any || !isnan(reference[i]);
    h[i] *= scale[i];
    for (int k = 0; k < count; k++) {
      S[i * count + k] *= scale[i] * scale[k];
    }
  }
  memcpy(kept, S, size);
  memcpy(kept + count * count, h, (size_t)count * sizeof *h);
  const bool open = sb_solve_least_norm(S, h, count, count, implied, order, room) < moving;
  if (open && any) {
    memcpy(S, kept, size);
    memcpy(h, kept + count * count, (size_t)count * sizeof *h);
    const shares own = {S, h, count, reference, strength, scale, order, room};
    share_bounded(&own, kept);
  }
  for (int i = 0; i < count; i++) {
    h[i] *= scale[i];
  }
  return open;
}

// Along what is open, v, that is v (v.h)/yielding: S v = 0, so that nothing moves by it.
void sb_newton_yield(double S[], int count, const int vector[], const double contact[], double h[],
                     double scale[], double room[], double null[]) {
  int order[SB_LOOP_MAX];
  double *left = room + count, *z = left + count;
  find_scales(S, count, vector, contact, scale);
  for (int i = 0; i < count; i++) {
    left[i] = z[i] = h[i] * scale[i];
    for (int k = 0; k < count; k++) {
      S[i * count + k] *= scale[i] * scale[k];
    }
  }
  const int rank = sb_solve_least_norm_open(S, z, count, count, implied, order, room, null);
  memset(h, 0, (size_t)count * sizeof *h);
  for (int j = 0; j < count - rank; j++) {
    const double *v = null + j * count;
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += v[i] * left[i];
    }
    for (int i = 0; i < count; i++) {
      h[i] += scale[i] * v[i] * sum / yielding;
    }
  }
}
