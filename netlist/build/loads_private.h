// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_NETLIST_BUILD_LOADS_PRIVATE_H
#define SB_NETLIST_BUILD_LOADS_PRIVATE_H

#include "contact/contact.h"
#include "netlist/build/build.h"

/** Warns where the bristles of a pair may give power under the loads to be expected. @return whether it did */
bool sb_warn_of_loads(const sb_build *build, const sb_item *item, const sb_contact_spec *spec);
/** Warns of the damping of one material beside another that has none. @return as above */
bool sb_warn_of_dampers(const sb_build *build, const sb_item *item, const sb_contact_spec *spec);
/** Refuses a stiffness beyond what a run can hold (contact/load_range.h). @return whether it did */
bool sb_refuse_stiffness(const sb_build *build, const sb_item *item, const sb_contact_spec *spec);

#endif
