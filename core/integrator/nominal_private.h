// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_CORE_INTEGRATOR_NOMINAL_PRIVATE_H
#define SB_CORE_INTEGRATOR_NOMINAL_PRIVATE_H

#include "core/integrator/nominal.h"

/** Enters the state at (t, x) into a record, with the workspace there. */
void sb_nominal_measure(const sb_nominal *nominal, const sb_nominal_record *record, double t,
                        const double x[]);

#endif
