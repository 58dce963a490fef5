// SPDX-License-Identifier: GPL-3.0-or-later
// What the solver of rigid contacts works with.
#ifndef SB_CORE_IMPACTS_PRIVATE_H
#define SB_CORE_IMPACTS_PRIVATE_H

#include "core/simulation/simulation_private.h"

/** One contact that touches. */
typedef struct sb_touch {
  int index, instance; // of its switch
  int mode, next;      // before, and from here on
  sb_unilateral_terms terms;
  double held[3]; // the forces on body 2 that hold it where it is: normal, tangential
  double rate
      [3]; // [m/s^2] of its flows with these: zero, unless redundant contacts contradict each other
  double force[3]; // those from here on
  double slow;     // [m/s] no speed
  bool struck;     // it took an impulse
  double loss;     // [J] in impacts, and what was turned over there
  double turned;
} sb_touch;

/** All of them at an instant, each with three components. */
typedef struct sb_touches {
  sb_touch *touches;
  int count, n;     // n: states
  double *numbers;  // of all that follows
  double *G;        // (3 count x n) how an impulse moves the states
  double *W;        // (3 count x 3 count) and the flows
  double *v, *v0;   // (3 count) flows, and those before the last impulses
  double *size;     // (3 count) what each is the sum of
  double *p, *step; // (3 count) impulses so far, and the next ones
} sb_touches;

#endif
