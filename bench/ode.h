// SPDX-License-Identifier: GPL-3.0-or-later
// ARKODE for a right-hand side written by hand, on the settings of core/integrator/arkode.c: ARKStep with
// dormand-prince-5, or kvaerno-5 with KLU, our own vector operations and error weights, denormals
// flushed.
#ifndef SB_BENCH_ODE_H
#define SB_BENCH_ODE_H

#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

/** xdot at (t, x); 0 if possible. */
typedef int (*ode_rhs)(void *data, double t, const double x[], double xdot[]);

/** The Jacobian in compressed columns, with the whole diagonal. */
typedef void (*ode_jacobian)(void *data, sunindextype first[], sunindextype row[], double value[]);

typedef struct ode {
  ode_rhs rhs;
  ode_jacobian jacobian; // NULL: explicit
  void *data;
  double rtol, atol;
  double *size;            // (n) borrowed; NULL: none
  const double *amplitude; // (n) borrowed; NULL: none
  double *x;               // (n) the state reached
  SUNContext context;
  N_Vector y;
  SUNMatrix matrix;
  SUNLinearSolver solver;
  void *ark;
} ode;

void ode_init(ode *o, int n, ode_rhs rhs, void *data, double rtol, double atol);
/** Implicit. @param count  entries of the Jacobian */
void ode_init_implicit(ode *o, int n, ode_rhs rhs, ode_jacobian jacobian, int count, void *data,
                       double rtol, double atol);
/** Weights as the library has them: an error is relative to the largest |x_i| so far, and size_i at least.
 *  @param size  (n) borrowed until ode_finish(); grows */
void ode_set_sizes(ode *o, double size[]);
/** Instead of atol: an error is relative to |x_i| + amplitude_i.  @param amplitude  (n) borrowed as above */
void ode_set_amplitudes(ode *o, double amplitude[]);
/** What the library knows of linear networks: a symmetric pattern, and one solution for each stage. */
void ode_set_linear(ode *o);
void ode_finish(ode *o);

/** Starts anew from (t, x), `x` of length n. @param first_step [s] 0: chosen by the integrator */
void ode_reset(ode *o, double t, const double x[], double first_step);
/** No step is longer than this [s]. */
void ode_limit_step(ode *o, double longest);
/** One accepted step, at most to t_stop. Returns the time reached. */
double ode_step(ode *o, double t_stop);
/** One step to exactly t_stop, without error control, from (t, x). */
void ode_leap(ode *o, double t, const double x[], double t_stop);
/** As many steps as it takes to t_end. */
void ode_run(ode *o, double t_end);

double ode_last_step(const ode *o); // [s]
long ode_step_count(const ode *o);

#endif
