// SPDX-License-Identifier: GPL-3.0-or-later
// A second error estimate for pairs whose own one is blind: where the two methods of a pair take the same mean of
// the rates at each time, as Fehlberg's of order 8, their difference is zero for integrals of a function of
// the time, whatever the step. The weighted stages of order 8 are at 7 times c_i; there the divided
// differences of the rates over all 7 and over 5 of them,
//   D6 = f''''''h^6/6!,  D4 = f''''h^4/4!,   give   f^(8) h^8/8! ~ (6! D6)^2/(4! D4)/8!,
// and the error of the quadrature is h |1/9 - sum b c^8| of that. It is of the order of the method, as in DOP853
// (Hairer, Norsett, Wanner, "Solving Ordinary Differential Equations I", II.10), and needs no more rates.
#ifndef SB_CORE_INTEGRATOR_BLIND_PRIVATE_H
#define SB_CORE_INTEGRATOR_BLIND_PRIVATE_H

#include <stdbool.h>

#include "core/integrator/nominal.h"
#include "core/integrator/quadrature_private.h"
#include "core/integrator/vector.h"

enum { SB_STAGES_MAX = 16 };

typedef struct sb_blind {
  bool on; // the pair is blind
  int n;
  double high[SB_STAGES_MAX], low[SB_STAGES_MAX]; // weights of D6 and D4
  double constant;                                // |1/9 - sum b c^8| (6!)^2/(4! 8!)
  double *sums;                                   // (2 n) D6, D4 so far
  double *weight;                                 // (n) of errors
} sb_blind;

/** For n rates. @return false: out of memory */
bool sb_blind_init(sb_blind *blind, const sb_weights *weights, int n);
void sb_blind_finish(sb_blind *blind);
/** Before the first stage of a step from y: errors count by the tolerances there, as in ARKODE's own test; what has not moved yet has
 *  none. */
void sb_blind_start(sb_blind *blind, const sb_nominal *nominal, const double y[]);
/** The rates of a stage. */
void sb_blind_add(sb_blind *blind, int stage, const double rate[]);
/** After the last stage of a step of length h: the largest estimated error relative to the tolerances.
 *  @param measure  what of it counts */
double sb_blind_error(const sb_blind *blind, double h, const sb_error_measure *measure);

#endif
