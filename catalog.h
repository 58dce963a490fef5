// SPDX-License-Identifier: GPL-3.0-or-later
// The one table of all element kinds; with it the only file that knows elements/ and contact/
// together.
#ifndef SB_CATALOG_H
#define SB_CATALOG_H

#include "core/graph/element.h"

SB_API const sb_element_type *const sb_catalog[];                // NULL ends the list
SB_API const sb_element_type *sb_catalog_find(const char *name); // NULL: none

#endif
