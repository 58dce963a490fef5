// SPDX-License-Identifier: GPL-3.0-or-later
// The rigid body: what its dynamics (body.c), its figures for the audit (body_audit.c) and what it reports
// (body_measures.c) share.
#ifndef SB_ELEMENTS_BODY_PRIVATE_H
#define SB_ELEMENTS_BODY_PRIVATE_H

#include "core/graph/element.h"
#include "geometry/quat.h"

typedef struct sb_body {
  double mass;
  sb_list inertia; // 3 or 6 numbers
  double gravity[3], position[3], rotation[4], velocity[3], angular_velocity[3];
  sb_mat3 J, J_inverse; // derived
  sb_vec3 origin;       // [m] o
} sb_body;

/** Where its states begin: the place, the momentum, the attitude, the angular momentum in body axes. */
enum { X = 0, P = 3, Q = 6, L = 10, STATES = 13 };

/** [J] With the potential energy about the common point. */
double sb_body_energy(const void *self, const sb_at *at);

// Of the audit: as sb_storage_audit says.
double sb_body_terms(const void *self, const sb_at *at);
double sb_body_exchanged(const void *self, const sb_at *at, const double x0[]);
double sb_body_motion(const void *self, const sb_at *at, const double y[], const double xdot[]);

// What it reports: as sb_measures and sb_place_hooks say.
extern const sb_quantity_spec sb_body_quantities[];
void sb_body_measure(const void *self, const sb_at *at, int quantity, double out[]);
/** Its quantities are of its states alone. */
bool sb_body_reads(const void *self, int quantity);
bool sb_body_turn(const void *self, int quantity, const double pose[], double vector[]);
extern const sb_place_hooks sb_body_place;

#endif
