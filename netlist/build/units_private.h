// SPDX-License-Identifier: GPL-3.0-or-later
// The dimensions of the units of rows, which may depend on the domains of the ports.
#ifndef SB_NETLIST_BUILD_UNITS_PRIVATE_H
#define SB_NETLIST_BUILD_UNITS_PRIVATE_H

#include "netlist/build/build.h"

/** The dimension of a unit as rows have it; `any`, with an error in `err`, if a domain is
 *  missing for it. `element` may be NULL. */
sb_status sb_row_dimension(const sb_build *build, const char *unit, const sb_element *element,
                           sb_dimension *dimension, sb_error *err);

/** The dimension of a formula such as "@q/e" for this element.
 *  @return SB_ERR_DOMAIN if a domain is not known or has no single unit */
sb_status sb_formula_dimension(const sb_port_domains *domains, const sb_element *element,
                               const char *formula, sb_dimension *dimension, sb_error *err);

#endif
