// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies on a plane by a contact that slips, with the springs and dampers of its skin.
#ifndef SB_TESTS_ON_PLANE_H
#define SB_TESTS_ON_PLANE_H

#include "tests/fixture.h"

#include "contact/slip.h"

static const double mass = 1.3, g = 9.81, k_n = 5230, k_t = 3170, radius = 0.05;

typedef struct setting {
  double slope, mu, mu_static, patch, damping; // [rad], -, -, [m], [s]
  double inertia[3], velocity[3], spin[3];     // about the normal last
  double stribeck;                             // [m/s] 0: none
} setting;

/** A ball that lies on a plane of a slope as deep as its weight presses it, with axes along the slope. */
static inline run on_plane(const setting *s, const char *method, double rtol) {
  char text[3000], peak[120] = "", speed[60] = "";
  double depth = mass * g * cos(s->slope) / k_n;
  if (s->mu_static > 0) {
    if (s->stribeck > 0) {
      (void)snprintf(speed, sizeof speed, "v-stribeck='%.17g m/s'", s->stribeck);
    }
    (void)snprintf(peak, sizeof peak, "mu-static='%.17g' %s", s->mu_static, speed);
  }
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='slip'>"
                 "<materials><material id='m' stiffness='%.17g %.17g %.17g N/m' "
                 "spin-stiffness='%.17g N.m/rad'/></materials>"
                 "<laws><contact-law id='l' normal='linear' friction='coulomb' mu='%.17g' %s "
                 "friction-radius='%.17g m' "
                 "friction-damping='%.17g s'/></laws>"
                 "<mechanism gravity='%.17g 0 %.17g m/s^2'>"
                 "<body id='b' mass='%.17g kg' inertia='%.17g %.17g %.17g kg.m^2' material='m' "
                 "position='0 0 %.17g m' "
                 "velocity='%.17g %.17g %.17g m/s' angular-velocity='%.17g %.17g %.17g rad/s'>"
                 "<shape kind='sphere' radius='%.17g m'/></body>"
                 "<ground id='f'><shape kind='plane' normal='0 0 1'/></ground><contact a='f' b='b' "
                 "law='l'/></mechanism>"
                 "<run t-end='1 s' method='%s' rtol='%.17g'/></screwbond>",
                 k_t, k_t, k_n, k_t * s->patch * s->patch, s->mu, peak, s->patch, s->damping,
                 g * sin(s->slope), -g * cos(s->slope), mass, s->inertia[0], s->inertia[1],
                 s->inertia[2], radius - depth, s->velocity[0], s->velocity[1], s->velocity[2],
                 s->spin[0], s->spin[1], s->spin[2], radius, method, rtol);
  return start_netlist(text);
}

static inline const sb_event *find_event(const run *r, const char *kind) {
  const sb_ledger *ledger = ledger_of(r);
  for (int i = 0; i < ledger->event_count; i++) {
    if (strcmp(ledger->events[i].kind, kind) == 0) {
      return &ledger->events[i];
    }
  }
  fail_msg("no event '%s'", kind);
  return NULL;
}

static const char *const methods[] = {"dormand-prince-5", "fehlberg-8", "kvaerno-5"};

#endif
