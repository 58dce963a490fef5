// SPDX-License-Identifier: GPL-3.0-or-later
// Transfer functions of a reduced pencil, and the check of its reduction: they are the same before and after it.
#ifndef SB_CORE_ANALYSIS_TRANSFER_PRIVATE_H
#define SB_CORE_ANALYSIS_TRANSFER_PRIVATE_H

#include <complex.h>

#include "core/analysis/pencil_private.h"

/** Scratch for responses. */
typedef struct sb_response_work {
  sb_extended_complex *a;     // (n x (n + inputs or outputs)): j omega - A and B, which become x
  double complex *doubles;    // the same
  sb_extended_complex *again; // (outputs x inputs)
} sb_response_work;

/** @return false: out of memory */
bool sb_response_work_init(sb_response_work *w, const sb_pencil *p, sb_arena *memory);
/** C (j omega - A)^-1 B + sum_k (j omega)^k D[k] of a reduced pencil. It is found a second time with all numbers moved by what they
 *  may be off, with all digits from the transpose, as roots are: what has changed is what is not known.
 *  @param extended  with all digits, else with those of doubles, at a tenth of the cost or less
 *  @param y    (outputs x inputs) out  @param off  the same, out: what each may be off by, as a fraction; NULL: not wanted
 *  @return false: j omega is a pole */
bool sb_pencil_respond(const sb_pencil *p, double omega, bool extended, sb_response_work *w,
                       sb_extended_complex y[], double off[]);

/** Compares them at two real frequencies, one of the size of the fastest eigenvalue, one slow.
 *  @param after  reduced: E is the identity  @param name  of the model, for messages
 *  @return SB_ERR_SOLVER: they differ; SB_ERR_MEMORY */
sb_status sb_pencil_compare(const sb_pencil *before, const sb_pencil *after, const char *name,
                            sb_error *err);

#endif
