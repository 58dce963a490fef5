// SPDX-License-Identifier: GPL-3.0-or-later
// What follows from the role of an element, and from the hooks that it has: the only place that tells
// roles apart. (By which operations a program evaluates a role is a table in program/operation.c.)
#ifndef SB_CORE_NETWORK_ROLES_H
#define SB_CORE_NETWORK_ROLES_H

#include "core/network/network.h"

typedef struct sb_role_traits {
  bool inward;               // power counts positive into its ports, else out of them
  bool powered;              // its power may differ from zero, and is a quantity to read
  bool quadrature;           // its power is integrated along for the ledger
  const char *quantities[3]; // all of the role have them besides port variables; NULL ends them
} sb_role_traits;

extern const sb_role_traits sb_roles[]; // (roles)

/** The sign with which power along a bond counts at its end.
 *  @param arrives  the half arrow points to the element */
double sb_instance_power_sign(const sb_instance *instance, bool arrives);
/** Sets the states at t = 0; those of elements without start() are kept.
 *  @param x  (states of the instance) */
void sb_instance_start(const sb_instance *instance, double x[]);

/** What an instance with hooks computes from its states, its signals or the other side of a structure:
 *  port outputs, or signals; of a dissipation by its law, from the input that it prefers. Hooks see only `at`.
 *  @param y  (sb_instance_output_count()) out
 *  @return 0; else there is none */
int sb_instance_output(const sb_instance *instance, const sb_at *at, double y[]);
/** d/dt of these, by at->signal_rates and at->in_rate, which of a storage is the rate of its state. */
int sb_instance_output_rate(const sb_instance *instance, const sb_at *at, double ydot[]);
/** Of a storage, ydot = K xdot with the Hessian K of its energy; of one that accelerates by at->in. */
int sb_storage_output_rate(const sb_instance *instance, const sb_at *at, const double xdot[],
                           double ydot[]);
/** Of a law where it is flat, by its hook or zero. */
int sb_flat_rate(const sb_instance *instance, const sb_at *at, double ydot[]);
int sb_instance_output_count(const sb_instance *instance);
/** Whether these rates are known. */
bool sb_instance_has_output_rate(const sb_instance *instance);
/** Whether the output of an element that has signal hooks depends on its inputs at once: direct feedthrough. */
bool sb_instance_feeds_through(const sb_instance *instance);

#endif
