// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_CORE_VERSION_H
#define SB_CORE_VERSION_H

#include "core/base/export.h"

/** The version of the library that is linked, "0.2.0". */
SB_API const char *sb_version(void);

#endif
