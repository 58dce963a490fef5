// SPDX-License-Identifier: GPL-3.0-or-later
// Causality as preference-ordered elimination on the kernel rows (causality.c).
#ifndef SB_CORE_CAUSALITY_PRIVATE_H
#define SB_CORE_CAUSALITY_PRIVATE_H

#include "core/model_private.h"

/** Every variable 2c, 2c+1 as a combination of variables determined before it, of states and of
 *  values: terms[first[v]] ... of count[v]. `order` lists the variables as they were determined. */
typedef struct sb_causality {
  int *first, *count; // (2 cells)
  int *order;         // (2 cells)
  sb_term *terms;
  int term_count, term_capacity;
  sb_variable *given; // (parts) what a dissipation whose causality was free reads
} sb_causality;

/** @param modes (model->mode_count) present modes of switching elements */
sb_status sb_causality_assign(const sb_model *model, const int modes[], sb_causality *causality,
                              sb_errors *errors);
void sb_causality_finish(sb_causality *causality);

#endif
