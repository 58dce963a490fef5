// SPDX-License-Identifier: GPL-3.0-or-later
// The constraints that causality has found between storages, asked by their number: sum factor * var = 0
// over states and values.
#ifndef SB_CORE_CAUSALITY_CONSTRAINT_H
#define SB_CORE_CAUSALITY_CONSTRAINT_H

#include "core/causality/causality.h"

/** The terms of a constraint; borrowed. @param count  out */
const sb_term *sb_constraint_terms(const sb_causality *causality, int constraint, int *count);
/** Whether any constraint contains one of the variables from `first` up to, not including, `end`. */
bool sb_constraints_contain(const sb_causality *causality, int first, int end);
/** The state that depends on the others; of a constraint with a multiplier the one that is named. */
int sb_constraint_state(const sb_causality *causality, int constraint);
/** Whether a Lagrange multiplier enforces it, for which the program solves. */
bool sb_constraint_has_multiplier(const sb_causality *causality, int constraint);
/** The rigid contact of which it holds one component, be that a force along the normal or across it; -1: of none. */
int sb_constraint_contact(const sb_network *network, const sb_causality *causality, int constraint);
/** Which component of that contact it holds: 0 along the normal, 1 and 2 across it. */
int sb_constraint_component(const sb_network *network, const sb_causality *causality,
                            int constraint, int contact);
/** Whether it leads through a modulated structure. */
bool sb_constraint_is_through_structure(const sb_network *network, const sb_causality *causality,
                                        int constraint);

/** The port at which a modulated structure reads an algebraic variable. */
const char *sb_algebraic_port(const sb_network *network, const sb_algebraic *algebraic);

#endif
