// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/junctions_private.h"

#include <stdio.h>
#include <string.h>

// The efforts of the bonds at a 1-junction add up to zero. Of two bonds, one that arrives and one that leaves, they
// are equal: e_from - e_to = 0. Likewise the flows at a 0-junction.
bool sb_junction_has(const sb_instance *instance, char variable) {
  const sb_port_spec *spec = instance->type->ports;
  return !spec->many || spec->common == '\0' || spec->common == variable ||
         (instance->layout.port_count == 2 &&
          instance->layout.ports[0].sign != instance->layout.ports[1].sign);
}

bool sb_junction_is_asked(const sb_instance *instance, const char *quantity) {
  return (quantity[0] == 'e' || quantity[0] == 'f') &&
         (quantity[1] == '\0' || quantity[1] == '.') && instance->layout.port_count > 0 &&
         !sb_junction_has(instance, quantity[0]);
}

/** How the effort or flow of a port is written, "a.e", "gear.to.e" or, of a part with a name of its own, "joint.e".
 *  @return whether that is one number */
static bool name_end(const sb_network *network, int element, int port, char variable,
                     char name[600]) {
  const sb_instance *far = &network->instances[element];
  const sb_port_spec *specs = far->type->ports;
  const bool alone = specs[0].many || sb_port_count(specs, false) == 1;
  const char *part = alone ? "" : specs[port].name;
  const int owner = alone ? -1 : sb_names_find(&network->aliases, part, strlen(part));
  sb_quantity q;
  (void)snprintf(name, 600, "%s%s%s.%c", owner == element ? "" : far->id,
                 alone || owner == element ? "" : ".", part, variable);
  return sb_network_find(network, name, &q, NULL) == SB_OK;
}

sb_status sb_junction_fail(const sb_network *network, int junction, char variable, sb_error *err) {
  const sb_instance *instance = &network->instances[junction];
  const char *asked = variable == 'e' ? "effort" : "flow",
             *shared = variable == 'e' ? "flow" : "effort";
  char name[600];
  if (err == NULL) { // and no search for names, which would go back and forth between two junctions
    return SB_ERR_REFERENCE;
  }
  (void)sb_fail(err, SB_ERR_REFERENCE,
                "the %s of %s '%s' is not one number: its bonds have one %s, but each its own %s",
                asked, instance->type->name, instance->id, shared, asked);
  sb_error_hint(err, "write the %s of the element that is meant, at the other end of its bond",
                asked);
  for (int i = 0; i < network->bond_count; i++) {
    const sb_network_bond *b = &network->bonds[i];
    if ((b->from == junction && name_end(network, b->to, b->to_port, variable, name)) ||
        (b->to == junction && name_end(network, b->from, b->from_port, variable, name))) {
      sb_error_hint(err,
                    "write the %s of the element that is meant, at the other end of its bond, "
                    "such as %s",
                    asked, name);
      break;
    }
  }
  return SB_ERR_REFERENCE;
}
