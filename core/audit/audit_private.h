// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of one sample, and what they share: port variables as an element counts them, and the
// sizes that their rounding is a fraction of.
#ifndef SB_CORE_AUDIT_CHECKS_PRIVATE_H
#define SB_CORE_AUDIT_CHECKS_PRIVATE_H

#include <float.h>
#include <math.h>

#include "core/audit/audit.h"

/** The product of two numbers below this is the rounding of denormals. */
#define SB_LEAST (0x1p-511 / DBL_EPSILON)

/** Enters a relative error into the structure figure. */
void sb_audit_note(sb_audit *audit, int instance, double relative_error);

/** The same for an error relative to the size of what was subtracted. */
static inline void sb_audit_difference(sb_audit *a, int instance, double error, double size) {
  if (error > SB_LEAST) {
    sb_audit_note(a, instance, size > 0 ? error / size : 1);
  }
}

/** What an error is beyond the rounding of the terms of what is judged: of a small rest of them, as dependent states may be, that is much,
 *  while beyond it a fault counts by the size of the rest. */
static inline double sb_beyond_rounding(double error, double terms) {
  return fmax(error - 8 * DBL_EPSILON * terms, 0);
}

/** Enters an error of power, over the time since the last audit: what the structure figure excuses is rounding. */
static inline void sb_audit_power(sb_audit *a, int instance, double error, double size,
                                  double elapsed) {
  a->power_error[instance] += error > a->ledger.structure.limit * size ? error * elapsed : 0;
}

/** Of two numbers that should be one. */
static inline void sb_audit_same(sb_audit *a, int instance, double x, double y) {
  sb_audit_difference(a, instance, fabs(x - y), fmax(fabs(x), fabs(y)));
}

static inline double sb_port_value(const sb_audit *a, const sb_instance *instance, int k,
                                   sb_variable variable) {
  return variable == SB_EFFORT
             ? a->work->bond_values[sb_effort_var(instance, k)]
             : a->work->bond_values[sb_flow_var(instance, k)] * instance->signs[k];
}

/** What the rounding of a port variable is a fraction of, so far (sizes.c). */
static inline double sb_port_size(const sb_audit *a, const sb_instance *instance, int k,
                                  sb_variable variable) {
  return a->sizes[variable == SB_EFFORT ? sb_effort_var(instance, k) : sb_flow_var(instance, k)];
}

/** Power of all ports of an element [W]. @param size  out: what its rounding is a fraction of */
double sb_port_power(const sb_audit *audit, const sb_instance *instance, double *size);

/** The sum of the absolute values of the terms that the energy H of a storage is computed from [J] (balance.c). */
double sb_storage_terms(const sb_instance *instance, double H, const sb_at *at);
/** dH/dx_k, where each state has an output (balance.c). */
double sb_storage_output(const sb_audit *audit, const sb_instance *instance, int k,
                         const double x[]);
/** Whether each state has its own output, dH/dx. */
static inline bool sb_storage_has_outputs(const sb_instance *instance) {
  return instance->layout.states == instance->components &&
         instance->type->storage->audit.exchanged == NULL;
}
/** sum |int dH/dx_k dx_k| since the start [J], where each state has an output (exchange.c). @param H  [J] at x */
double sb_storage_exchanged(const sb_audit *audit, int index, double H, const double x[]);
/** Takes a step of these integrals, and begins them. */
void sb_audit_exchange(sb_audit *audit, int index, double t, const double x[]);
void sb_audit_exchange_start(sb_audit *audit, int index, const double x[]);
/** sum |dH/dx_k x_k| [J], of which rounding is a fraction; the terms of H if the outputs are not that. */
double sb_storage_moved(const sb_audit *audit, const sb_instance *instance, double terms,
                        const double x[]);

/** The variable that an element computes at a port component, in the present causality. */
static inline sb_variable sb_output_of(const sb_audit *a, int index, int component) {
  return sb_instance_gives(&a->network->instances[index], component,
                           a->work->program->causality.assigned[index]);
}

static inline sb_variable sb_other(sb_variable variable) {
  return variable == SB_EFFORT ? SB_FLOW : SB_EFFORT;
}

/** Events so far have lost nothing (impact.c). */
void sb_audit_forget(sb_audit *audit);

/** Kernel rows of a structure as it states them; NULL: out of memory. Valid until the next call. */
const sb_kernel *sb_audit_kernel(sb_audit *audit, const sb_instance *instance, const sb_at *at);
/** The same of a modulated structure, asked for once since sb_audit_sizes(). */
const sb_kernel *sb_audit_modulated_kernel(sb_audit *audit, int index, double t, const double x[]);

/** Enlarges the sizes of the bond variables; after sb_trace() (sizes.c). */
void sb_audit_sizes(sb_audit *audit, double t, const double x[]);
/** Enlarges those of the outputs of storages by what they are at (t, x), before an event: where it brings them to zero, what is left is a
 *  rounding of what they were. */
void sb_audit_size_states(sb_audit *audit, double t, const double x[]);
/** The sizes of signals, and of the sources that they move, by present_sizes (signal_sizes.c).
 *  @param latched  what their states are known to by now counts as well
 *  @return whether those of sources have grown */
bool sb_audit_size_signals(sb_audit *audit, double t, const double x[], bool latched);
/** What the values of a source or a signal are known to the rounding of (terms.c).
 *  @param terms  (components, or its signals) out  @return false: it is known of the values alone */
bool sb_audit_own_terms(const sb_instance *instance, const sb_at *at, double terms[]);
/** The same of a source with those of the signals that move it, at (t, x), where the workspace is. */
double sb_audit_terms_behind(sb_audit *audit, const sb_instance *source, double t, const double x[],
                             int component);
/** What a hook of signals states, in `stated`, and what it is the sum of, in `effect`.  @return false: it states nothing */
bool sb_audit_contributions(sb_audit *audit, const sb_instance *instance, const sb_at *at,
                            int (*hook)(const void *, const sb_at *, double[]), int count);
/** That of an effort, flow, state or value that a signal reads. */
double sb_audit_sensor_size(const sb_audit *audit, const sb_sensor *sensor, const double x[]);
/** Which dissipations have lost the digits that the limit asks for, in a run that took `time` [s] (lost_digits.c). */
void sb_audit_lost_digits(sb_audit *audit, double time);
/** What the rounding of the input of a delay is a fraction of; after sb_audit_sizes() (signal_sizes.c). */
double sb_audit_input_size(sb_audit *audit, const sb_instance *instance, const sb_at *at);
/** Puts the port variables into kernel rows; each residual is relative to its own terms. What no impulse takes of a flow that a contact holds
 *  is none of it. @param x  the state */
void sb_audit_kernel_rows(sb_audit *audit, int index, const sb_kernel *kernel, const double x[]);

/** Whether the half arrows count at both ends as the roles of the elements say. */
void sb_audit_bonds(sb_audit *audit);
/** Whether all dissipations absorb power, by the rates at (t, x) (passivity.c). */
void sb_audit_passive(sb_audit *audit, double t, const double x[], const double xdot[]);

/** Whether what the elements state holds for what the solver used; after sb_trace() and
 *  sb_trace_sizes().
 *  @param time     [s] over which little changes
 *  @param elapsed  [s] since the last sample: power errors are integrated over it */
void sb_audit_laws(sb_audit *audit, double t, const double x[], const double xdot[], double time,
                   double elapsed);
/** The same of one element by its hooks (hooks.c). */
void sb_audit_storage(sb_audit *audit, int instance, double t, const double x[],
                      const double xdot[]);
void sb_audit_law(sb_audit *audit, int instance, double t, const double x[]);
void sb_audit_source(sb_audit *audit, int instance, double t, const double x[], double time);

/** Whether signals have what they read and what their hooks give; after sb_audit_sizes() (signals.c). */
void sb_audit_signals(sb_audit *audit, double t, const double x[], const double xdot[]);

/** Compares dH/dt of every storage, along the rates of its states, with the power at its ports; after
 *  sb_audit_sizes() (storages.c). @param elapsed  [s] since the last sample: power errors are integrated over it */
void sb_audit_storages(sb_audit *audit, double t, const double x[], const double xdot[],
                       double elapsed);

/** Compares the accounts of elements with the integrals of the powers at their ports; after sb_trace() (accounts.c). */
void sb_audit_accounts(sb_audit *audit, double t, const double x[]);

/** Elements that come begin with the accounts that they have at (t, x). */
void sb_audit_accounts_succeed(sb_audit *audit, const sb_succession *s, double t, const double x[]);

/** Compares flows with the rates of the displacements that structures give to energies; after sb_audit_sizes()
 *  (displacements.c). @param elapsed  [s] since the last sample */
void sb_audit_displacements(sb_audit *audit, double t, const double x[], double elapsed);

/** Compares the rates that constraints are enforced by with differences (constraint_rates.c).
 *  @param time  [s] over which little changes */
void sb_audit_constraint_rates(sb_audit *audit, double t, const double x[], const double xdot[],
                               double time);

#endif
