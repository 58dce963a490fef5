// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_CORE_SHORTEST_H
#define SB_CORE_SHORTEST_H

#include <stdbool.h>

/** Writes the shortest of 15 to 17 digits that reads back as `value`, as "%.*g" would.
 *  @param text  out; of 32 bytes, which hold every formatted number
 *  @return false: not by integers of 128 bits; nothing is written */
bool sb_shortest_format(double value, char text[]);

#endif
