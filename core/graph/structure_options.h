// SPDX-License-Identifier: GPL-3.0-or-later
// What only few structures have beside the hooks of all of them (core/graph/element.h): rates for storages that depend on
// each other, numbers that are divided by, displacements for the audit.
#ifndef SB_CORE_STRUCTURE_OPTIONS_H
#define SB_CORE_STRUCTURE_OPTIONS_H

#include <stdbool.h>

typedef struct sb_at sb_at; // core/graph/element.h

/** Lets storages depend on each other through a modulated structure: d/dt of forward() and adjoint(),
 *  by the rates of the inputs and of the signals. NULL: they cannot. */
typedef struct sb_structure_rates {
  int (*forward)(const void *self, const sb_at *at, double ydot[]);
  int (*adjoint)(const void *self, const sb_at *at, double ydot[]);
  /** Of one whose signals change with its flows alone, as poses with twists, so that nobody else is asked for their
   *  rates: the signals after a time h [s] by the flows at->in. NULL: at->signal_rates has them. */
  void (*ahead)(const void *self, const sb_at *at, double h, double *const signals[]);
} sb_structure_rates;

/** A run ends with an error where a number that a structure divides by goes to zero. */
typedef struct sb_division {
  /** What forward() and adjoint() divide by in the causality at->assigned; HUGE_VAL: by nothing.
   *  NULL: they never divide. */
  double (*divisor)(const void *self, const sb_at *at);
  const char *name; // in messages
} sb_division;

/** A displacement q that a structure gives to energies by its own signals, and that one of its flows is the rate of. Of a
 *  stiffness k that changes it is ln k. */
typedef struct sb_displacement {
  int component;   // of the flow
  double time;     // [s] over which the structure changes as a whole; 0: it does not move
  double terms;    // the sum of the absolute values of the terms that the flow is computed from
  double rounding; // of q
} sb_displacement;

enum { SB_DISPLACEMENTS_MAX = 2 };

/** Lets the audit difference such displacements. */
typedef struct sb_structure_audit {
  /** The displacement `which`, counted from 0, by the inputs at->in. @return false: there are no more in this mode.
   *  NULL: never */
  bool (*displacement)(const void *self, const sb_at *at, int which, sb_displacement *out);
  /** q of all of them as forward() has them after a time h [s], by the inputs at->in; not a number: there is no answer. */
  void (*ahead)(const void *self, const sb_at *at, double h, double q[SB_DISPLACEMENTS_MAX]);
} sb_structure_audit;

#endif
