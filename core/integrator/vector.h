// SPDX-License-Identifier: GPL-3.0-or-later
// Vector operations for ARKODE. Those of the packaged N_Vector_Serial are compiled without
// optimisation and take most of a run; the ops table is public, and clones inherit it.
#ifndef SB_CORE_VECTOR_PRIVATE_H
#define SB_CORE_VECTOR_PRIVATE_H

#include <nvector/nvector_serial.h>

#include "core/base/export.h"
#include "core/network/network.h"

/** What the weighted norm of an error is taken of. */
typedef struct sb_error_measure {
  const sb_state_vectors *vectors; // among the numbers; NULL: there are none
  /** (n) what of an error counts: the error itself, or numbers that live until the next call. NULL: all. */
  const double *(*counted)(void *self, const double error[], int n);
  void *self;
} sb_error_measure;

/** A serial vector of zeros, and its clones, with our own operations, same results up to rounding; but the weighted norm
 *  is that of norm_private.h.
 *  @param measure           borrowed while it or a clone lives; NULL: of numbers that all count
 *  @param increments_first  in linear combinations; see vector.c
 *  @return NULL: out of memory */
SB_API N_Vector sb_vector_create(int length, const sb_error_measure *measure, bool increments_first,
                                 SUNContext context);

#endif
