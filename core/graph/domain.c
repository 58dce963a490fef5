// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/domain.h"

#include <stddef.h>
#include <string.h>

const sb_domain sb_domains[] = {
    {"electric", "V", "A", "C", "Wb", "voltage and current", .compliance = "F", .inertia = "H"},
    {"translation", "N", "m/s", "m", "N.s", "force and velocity", .compliance = "m/N",
     .inertia = "kg"},
    {"rotation", "N.m", "rad/s", "rad", "N.m.s", "torque and angular velocity",
     .compliance = "rad/(N.m)", .inertia = "kg.m^2"},
    {"hydraulic", "Pa", "m^3/s", "m^3", "Pa.s", "pressure and volume flow", .compliance = "m^3/Pa",
     .inertia = "kg/m^4"},
    {"thermal", "K", "W/K", "J/K", "K.s", "temperature and entropy flow", .positive = true,
     .compliance = "J/K^2"},
    {"screw", NULL, NULL, NULL, NULL, "wrench (N.m, N) and twist (rad/s, m/s), 6 components",
     .efforts = "N.m N.m N.m N N N", .flows = "rad/s rad/s rad/s m/s m/s m/s", .vector = 3},
    {"contact", NULL, NULL, NULL, NULL, "wrench and twist on se(2) x T, 4 components",
     .efforts = "N N N N.m", .flows = "m/s m/s m/s rad/s", .vector = 0},
    {"stiffness", "J", "1/s", "1", "J.s", "k dV/dk and d ln k/dt of a stiffness k that changes",
     .vector = 0},
    {0},
};

const sb_domain *sb_domain_find(const char *name) {
  for (const sb_domain *domain = sb_domains; domain->name != NULL; domain++) {
    if (strcmp(domain->name, name) == 0) {
      return domain;
    }
  }
  return NULL;
}

bool sb_domain_turns(const sb_domain *domain, int component) {
  static const char word[] = "rad/s";
  const char *unit = domain->flow != NULL ? domain->flow : domain->flows;
  for (int k = 0; domain->flow == NULL && k < component && unit != NULL; k++) {
    unit = strchr(unit, ' ');
    unit = unit == NULL ? NULL : unit + 1;
  }
  return unit != NULL && strncmp(unit, word, sizeof word - 1) == 0;
}
