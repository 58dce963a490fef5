// SPDX-License-Identifier: GPL-3.0-or-later
// A model about an operating point: xdot = A x + B u, y = C x + D u for small deviations, its modes,
// its transfer functions and its frequency response. The ledger's quadratures are left out.
//
// Where there are dependent storages the equations are those of the descriptor system, with the
// constraints kept as equations: the states are those that can be chosen freely, x stands for their
// deviation less X u, what the sources add to them at once, and y may contain derivatives of u,
//   y = C x + D u + sum_k derivatives[k - 1] d^k u/dt^k, k = 1 ... order.
#ifndef SB_CORE_LINEARIZE_H
#define SB_CORE_LINEARIZE_H

#include "core/simulation/simulation.h"

enum {
  SB_LINEAR_STATES_MAX = 1000,
  SB_LINEAR_EXTENDED_MAX =
      64 // states up to which roots and responses are found with more digits than those of doubles
};

/** What is asked for. Inputs are sources by their ids, NULL: all; u is the effort or flow that they
 *  add to their own. Outputs are quantities as sb_model_find() knows them. */
typedef struct sb_linear_request {
  const char *const *inputs;
  int input_count;
  const char *const *outputs;
  int output_count;
  bool
      equilibrium; // move the states to xdot = 0 first, at the present time, as sb_equilibrium_find()
} sb_linear_request;

/** An element in another mode than at the start of the analysis. */
typedef struct sb_mode_change {
  const char *name; // its id
  const char *
      change; // the last event that it would have had: "touch", "release", "switch", "slip", "stick"
} sb_mode_change;

/** Matrices are row-major, in the SI units of their states, inputs and outputs. */
typedef struct sb_linear {
  int states, inputs, outputs; // numbers, components counted
  int constrained;             // states of the model that depend on those, and are left out
  int *state;   // (states) the number of each among the model's, sb_model_state_name()
  double t;     // [s]
  double *x;    // (states) operating point
  double *xdot; // (states) rates there
  bool exact;   // the model is linear, what signals do in it included: no differences were taken
  double *A, *B, *C, *D; // (states or outputs) x (states or inputs)
  struct {
    double *A, *B, *C, *D, *derivatives; // of the same shapes
  } error,  // what entries may be off by, as differences or terms that cancel tell; NULL: not known
      rest; // what the numbers of a linear network are beyond these doubles; NULL: not known
  double *X;           // (states x inputs) what u adds to the states at once
  int order;           // of the highest derivative of u in y
  double *derivatives; // (order) times (outputs x inputs)
  int ports;
  double *
      E; // (ports x states) how all port variables depend on the states; NULL: all elements are linear
  char **input_names; // (inputs) "src.e"
  int changed_count;
  sb_mode_change *changed; // on the way to an equilibrium
} sb_linear;

/** Linearises at the present state and modes of a simulation: by exact columns where all elements
 *  are linear, else by central differences, extrapolated, each entry with the step of least error.
 *  @return SB_ERR_REFERENCE, SB_ERR_DUPLICATE, SB_ERR_LIMIT, SB_ERR_NOT_FINITE; SB_ERR_USAGE: at a jump, or at a
 *          kink whose sides have different derivatives; SB_ERR_SOLVER: no
 *          equilibrium found, or constraints that cannot be told from rounding; SB_ERR_SINGULAR: an
 *          output that nothing determines */
SB_API sb_status sb_linearize(const sb_simulation *sim, const sb_linear_request *request,
                              sb_linear **linear, sb_error *err);
SB_API void sb_linear_destroy(sb_linear *linear);

/** One eigenvalue of A. */
typedef struct sb_mode {
  double re, im;        // [1/s], [rad/s]
  double natural;       // [rad/s] |lambda|
  double damping;       // -re / |lambda|; 0 for lambda = 0
  double time_constant; // [s] -1/re; infinite for re = 0, negative where it grows
  double error;         // [1/s] what re and im may be off by, estimated; not a number: not known
  bool neutral;         // no port variable sees it, as a free position
} sb_mode;
/** All modes, slowest first. @param modes (linear->states) out */
SB_API sb_status sb_linear_modes(const sb_linear *linear, sb_mode modes[], sb_error *err);

typedef struct sb_root {
  double re, im; // [1/s], [rad/s]
  double error;  // [1/s] what both may be off by, estimated; not a number: not known
} sb_root;

/** A transfer function y(s)/u(s) = gain (s - zeros[0]) .../((s - poles[0]) ...), without common factors. */
typedef struct sb_factors {
  double gain; // 0: the input has no effect on the output
  double
      error; // what the roots may be off by, as a fraction of themselves, at most 1: the largest, estimated
  int zero_count, pole_count;
  sb_root *zeros; // (states + order) given by the caller
  sb_root *poles; // (states) given by the caller
} sb_factors;

/** The factors of the transfer function from an input to an output. They are checked against the matrices.
 *  @return SB_ERR_SOLVER: they cannot be told from rounding; SB_ERR_NOT_FINITE, SB_ERR_MEMORY */
SB_API sb_status sb_linear_factors(const sb_linear *linear, int output, int input,
                                   sb_factors *factors, sb_error *err);
/** Those of all channels (outputs x inputs), of which poles that are the same are found once.
 *  @param errors  (outputs x inputs) out: why one has none  @return SB_ERR_MEMORY */
SB_API sb_status sb_linear_all_factors(const sb_linear *linear, sb_factors factors[],
                                       sb_error errors[]);

/** C (j omega - A)^-1 B + D + sum (j omega)^k derivatives[k - 1].
 *  @param omega   [rad/s]
 *  @param re, im  (outputs x inputs) out; infinite at an undamped resonance
 *  @param error   (outputs x inputs) out: what each may be off by at most, as a fraction, estimated; NULL: not wanted */
SB_API sb_status sb_linear_response(const sb_linear *linear, double omega, double re[], double im[],
                                    double error[], sb_error *err);

#endif
