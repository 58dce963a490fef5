// SPDX-License-Identifier: GPL-3.0-or-later
// Physical domains: the units of effort and flow, whose product is power.
#ifndef SB_CORE_DOMAIN_H
#define SB_CORE_DOMAIN_H

#include <stdbool.h>

#include "core/base/export.h"

typedef struct sb_domain {
  const char *name, *effort, *flow;    // effort and flow: SI units
  const char *displacement, *momentum; // flow x s and effort x s, SI units
  const char *help;
  bool positive;               // its effort is an absolute quantity above zero (a temperature)
  const char *efforts, *flows; // in place of one unit for all components: that of each
  const char *compliance,
      *inertia; // of a linear C and I, displacement/effort and momentum/flow; NULL: no word for it
  int vector;   // so many components in a row form a vector; 0: each is a number by itself
} sb_domain;

SB_API const sb_domain sb_domains[];                      // NULL name ends the list
SB_API const sb_domain *sb_domain_find(const char *name); // NULL: none

/** Whether the flow of a component is an angular velocity. */
bool sb_domain_turns(const sb_domain *domain, int component);

#endif
