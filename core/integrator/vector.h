// SPDX-License-Identifier: GPL-3.0-or-later
// Vector operations for ARKODE. Those of the packaged N_Vector_Serial are compiled without
// optimisation and take most of a run; the ops table is public, and clones inherit it.
#ifndef SB_CORE_VECTOR_PRIVATE_H
#define SB_CORE_VECTOR_PRIVATE_H

#include <nvector/nvector_serial.h>

#include "core/base/export.h"

/** Replaces the operations that a step uses by our own, same results up to rounding.
 *  @param increments_first  in linear combinations; see vector.c */
SB_API void sb_vector_optimise(N_Vector v, int increments_first);

#endif
