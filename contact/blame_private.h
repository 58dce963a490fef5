// SPDX-License-Identifier: GPL-3.0-or-later
// Checks of a contact law tell which parameter they are about, so that a netlist can place what they say.
#ifndef SB_CONTACT_BLAME_PRIVATE_H
#define SB_CONTACT_BLAME_PRIVATE_H

#include <stddef.h>

#include "core/base/error.h"

/** Names the parameter that is refused. @param about  out, may be NULL */
static inline sb_status sb_blame(const char **about, const char *parameter, sb_status status) {
  if (about != NULL) {
    *about = parameter;
  }
  return status;
}

#endif
