// SPDX-License-Identifier: GPL-3.0-or-later
// The right-hand side of a discrete gradient method: the program of the model, in which storages
// give their discrete gradient over the step instead of their gradient.
#ifndef SB_CORE_INTEGRATOR_DISCRETE_GRADIENT_PRIVATE_H
#define SB_CORE_INTEGRATOR_DISCRETE_GRADIENT_PRIVATE_H

#include "core/base/arena.h"
#include "core/integrator/stepper.h"
#include "core/model/rhs.h"

/** What the storages and sources in constraints with a multiplier give over the step. */
typedef struct sb_discrete_constraints {
  char *constrained; // (instances) a storage or source in such a constraint
  double *outputs;   // (states) of the storages
  double *means;     // (values) of the sources, and of storages with a structure of their own
  double *pushes;    // (values) impulses at the ports of these
  double *states;    // (states) those that the rows of the program read
  double *numbers;   // scratch for the largest group
  bool *rests;       // (groups) what it holds moves by no more than rounding, at the last residual
  bool differences;  // derivatives are taken there: `rests` stays
} sb_discrete_constraints;

/** Points of a step where the plain program is evaluated. */
enum { SB_AT_START, SB_AT_MIDDLE, SB_AT_END, SB_STEP_POINTS };

/** What changes over a step besides the states, where constraints may lead through it: ratios of modulated
 *  structures, and sources that follow signals. */
typedef struct sb_discrete_modulation {
  bool any, begun;            // there is such; it is known at the start of the present step
  const sb_program *plain;    // the program that gives it
  int *place;                 // (instances) of an instance's numbers in `at`, -1: it has none
  double *at[SB_STEP_POINTS]; // operators and inputs of structures, outputs of sources
  double *end_state;          // (states) scratch
} sb_discrete_modulation;

/** A step from (t0, x0) to (t0 + h, .) as the discrete program sees it. While that is in the place of the
 *  workspace's own, the right-hand side at (t0 + h/2, (x0 + x1)/2) is (x1 - x0)/h with the mean powers
 *  of the step. */
typedef struct sb_discrete {
  sb_program program; // first: the operations find the step by it; its arrays are borrowed
  sb_operation operations[SB_OPERATION_KINDS];
  sb_arena memory;
  sb_workspace *work;
  bool structured;  // there are storages with a structure of their own
  int form;         // SB_GRADIENT_MIDPOINT, SB_GRADIENT_MEAN_VALUE
  double t0, h;     // [s]
  const double *x0; // (states) borrowed
  double *scratch;  // for one element
  // of storages with a structure of their own:
  double *gradients, *rates; // (states) the discrete gradients; scratch
  double *beside, *ends;     // scratch for the signals and outputs of one
  sb_discrete_constraints constraints;
  sb_discrete_modulation modulation;
} sb_discrete;

static inline sb_discrete *sb_discrete_of(const sb_workspace *work) {
  return (sb_discrete *)(uintptr_t)work->program;
}

static inline double sb_discrete_dot(const double a[], const double b[], int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

/** Whether a storage has a structure of its own. */
static inline bool sb_discrete_structured(const sb_instance *instance) {
  return instance->type->storage != NULL && instance->type->storage->structure != NULL;
}

/** Two energies differ by rounding if by less than this, relative to the sum of the absolute values of
 *  their terms. */
extern const double sb_energy_rounding;

/** The discrete gradient of a storage with hooks over the step whose middle is x (discrete_storage.c). */
int sb_discrete_output(sb_discrete *discrete, const sb_instance *instance, double t,
                       const double x[], double y[]);
/** The mean rate of its output over the step, with its input as it is. */
int sb_discrete_output_rate(sb_discrete *discrete, const sb_instance *instance, double t,
                            const double x[], double ydot[]);
/** The mean of the values of a source at both ends of the step (discrete_source.c). */
int sb_discrete_source(sb_discrete *discrete, const sb_instance *instance, double t,
                       const double x[], double mean[]);
/** Lets sources in constraints give such means, and their mean rates. */
void sb_discrete_source_operations(sb_operation operations[]);

/** Makes room for storages with a structure of their own (discrete_structures.c). */
bool sb_discrete_structures_init(sb_discrete *discrete);
/** act() of such a storage, by its discrete gradient and the impulses that constraints ask for, after sb_discrete_output(). */
int sb_discrete_act(sb_discrete *discrete, const sb_instance *instance, double t, const double x[],
                    double y[], double xdot[]);
/** As sb_discrete_output_rate() of such a storage. */
int sb_discrete_structure_rate(sb_discrete *discrete, const sb_instance *instance, double t,
                               const double x[], double ydot[]);
void sb_discrete_structure_operations(sb_operation operations[]);

/** Makes room for constraints with a multiplier (discrete_constraints.c). */
bool sb_discrete_constraints_init(sb_discrete *discrete);
/** Finds what storages and sources in such constraints give over the step whose middle is x. Returns the
 *  states that the program is to read in place of x, NULL if an element failed. */
const double *sb_discrete_substitute(sb_workspace *work, double t, const double x[]);

/** Makes room for what changes besides the states, if constraints may lead through it
 *  (discrete_modulation.c). */
bool sb_discrete_modulation_init(sb_discrete *discrete);
/** Evaluates the plain program at both ends of the step whose middle is x, and there. */
int sb_discrete_modulation_evaluate(sb_discrete *discrete, double t, const double x[]);
/** Lets modulated structures act by their operator over the step. */
void sb_discrete_modulation_operations(sb_operation operations[]);
/** Corrects the operators of the structures that the constraints of a group lead through, so that these
 *  are met by what storages and sources give (discrete_operators.c). */
void sb_discrete_correct_operators(sb_discrete *discrete, const int constraints[], int count);

/** For the present modes of the workspace.
 *  @return SB_ERR_USAGE, naming the element, if a storage is not of the form y = dH/dx, xdot = u */
sb_status sb_discrete_init(sb_discrete *discrete, sb_workspace *work, const sb_method *method,
                           sb_error *err);
void sb_discrete_finish(sb_discrete *discrete);

#endif
