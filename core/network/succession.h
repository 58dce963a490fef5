// SPDX-License-Identifier: GPL-3.0-or-later
// Two networks of one run, before and after elements have come or gone: elements with the same id correspond to each other.
#ifndef SB_CORE_SUCCESSION_H
#define SB_CORE_SUCCESSION_H

#include "core/network/network.h"

typedef struct sb_succession {
  const sb_network *from, *to;
  int *now;    // (from->instance_count) where they are in `to`; -1: gone
  int *before; // (to->instance_count) where they were in `from`; -1: new
} sb_succession;

/** @return SB_ERR_MEMORY, not worded */
sb_status sb_succession_find(sb_succession *s, sb_arena *memory, const sb_network *from,
                             const sb_network *to);

// Numbers of those that go on; those of new ones are left as they are.

void sb_succession_instances(const sb_succession *s, const double from[], double to[]);
void sb_succession_states(const sb_succession *s, const double from[], double to[]);
/** So many numbers for each state. */
void sb_succession_of_states(const sb_succession *s, int each, const double from[], double to[]);
void sb_succession_quadratures(const sb_succession *s, const double from[], double to[]);
/** States, and then quadratures. */
void sb_succession_vector(const sb_succession *s, const double from[], double to[]);
/** Numbers of the components of an instance that goes on, port by port: a shared port without a bond has none.
 *  @param from, to  (components) */
void sb_succession_components(const sb_instance *own, const sb_instance *was, const double from[],
                              double to[]);
/** Efforts and flows at the ports. @param from, to  (2 pairs) */
void sb_succession_pairs(const sb_succession *s, const double from[], double to[]);

#endif
