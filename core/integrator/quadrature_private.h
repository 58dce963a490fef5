// SPDX-License-Identifier: GPL-3.0-or-later
// The quadratures of the ledger: integrals of powers. Their rates depend on the state, but nothing depends
// on them: over a step of a Runge-Kutta method with stages z_i they grow by sum b_i h P(z_i), and so
// need to be neither in the vector of the integrator nor in the equations of its implicit stages.
#ifndef SB_CORE_QUADRATURE_PRIVATE_H
#define SB_CORE_QUADRATURE_PRIVATE_H

#include <stdbool.h>

typedef struct sb_quadrature {
  int count, stages;
  int last;                      // stage, the last one with a weight
  double *time;                  // (stages) c
  double *weight, *error_weight; // (stages) b and b - d
  bool first_at_start;           // the first stage, and no other, is at the start of the step
  double *powers;                // (stages x count) [W]
  double **power;                // (stages) into these; NULL: the stage has no weight
  double *sum, *growth; // (count) [J] at the start of the step; [W] mean rate over the step
  int stage;            // the last one begun, -1: none
} sb_quadrature;

/** A Butcher table: times, weights, and those of the embedded method; d NULL: there is none. */
typedef struct sb_weights {
  int stages;
  const double *c, *b, *d; // (stages)
} sb_weights;

/** For `count` quadratures along with a method; false: out of memory. */
bool sb_quadrature_init(sb_quadrature *q, int count, const sb_weights *weights);
void sb_quadrature_finish(sb_quadrature *q);

/** Starts anew from the values `sum`. */
void sb_quadrature_reset(sb_quadrature *q, const double sum[]);
/** A stage begins. @param at_start  its time is that of the start of the step: a step that was rejected
 *  at a later stage begins again */
static inline void sb_quadrature_begin(sb_quadrature *q, bool at_start) {
  bool again = q->stage + 1 >= q->stages || (at_start && q->first_at_start);
  q->stage = again ? 0 : q->stage + 1;
}
/** Where the powers of the stage are to be stored; NULL if they have no weight. */
static inline double *sb_quadrature_power(const sb_quadrature *q) {
  return q->power[q->stage];
}

/** After the powers of the last stage of a step of length h [s]: finds the growth. Returns the largest
 *  estimated error relative to rtol * size, 0 without an embedded method.
 *  @param size  (count) [J]; one of size 0 does not count */
double sb_quadrature_close(sb_quadrature *q, double h, const double size[], double rtol);
/** The step of length h [s] is accepted. */
void sb_quadrature_accept(sb_quadrature *q, double h);
/** The largest power relative to the same tolerance [1/s]. */
double sb_quadrature_rate(const sb_quadrature *q, const double power[], const double size[],
                          double rtol);

#endif
