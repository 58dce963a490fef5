// SPDX-License-Identifier: GPL-3.0-or-later
// The equations of a model as matrices with names.
#ifndef SB_CORE_HAMILTONIAN_H
#define SB_CORE_HAMILTONIAN_H

#include "core/model/model.h"

enum { SB_EQUATIONS_MAX = 200 }; // states, or numbers at ports

/** Of a linear model xdot = (J - R) Q x + (G - P) u, y = (G + P)^T Q x + (S + N) u with the energy
 *  x^T Q x / 2 (van der Schaft and Jeltsema 2014, eq. 4.14); P, S and N are left out where they are
 *  zero. Of any other model, or one with dependent storages, the structure matrix: what each element
 *  is given by what all give, in the modes at the start. That the matrices have the symmetries they
 *  must have is checked, and stated. The caller frees the text.
 *  @return SB_ERR_LIMIT, SB_ERR_MEMORY */
SB_API sb_status sb_model_equations(const sb_model *model, bool latex, char **text, sb_error *err);

#endif
