// SPDX-License-Identifier: GPL-3.0-or-later
// Junctions by name: "J.f" of a 1-junction is the flow that all of its bonds have; "J.e" is not one number.
#ifndef SB_CORE_NETWORK_JUNCTIONS_PRIVATE_H
#define SB_CORE_NETWORK_JUNCTIONS_PRIVATE_H

#include "core/network/network.h"

/** Whether an effort ('e') or a flow ('f') of an instance is one number: true of all that is no junction.
 *  @param instance  with a port or more */
bool sb_junction_has(const sb_instance *instance, char variable);

/** Whether a name asks a junction for an effort or a flow, or a component of it, that is not one number. */
bool sb_junction_is_asked(const sb_instance *instance, const char *quantity);

/** Words that, with a name that may have been meant.  @return SB_ERR_REFERENCE */
sb_status sb_junction_fail(const sb_network *network, int junction, char variable, sb_error *err);

#endif
