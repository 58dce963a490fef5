// SPDX-License-Identifier: GPL-3.0-or-later
// The slopes of implicit stages. A stage z = z0 + gamma k, k = f(z), is solved for z, and its slope is deduced from that,
//   k = (z - z0)/gamma,
// in place of another f(z): that would be rounded by eps |lambda z| with the fastest eigenvalue lambda, which a step h
// turns into h |lambda| eps |z| of the state and of its estimated error (Hairer & Wanner, Solving Ordinary Differential
// Equations II, section IV.8: the transformed variables z - y). Where the last stage of a step is the first of the
// next, which is explicit, that takes the slope over. So it does where a projection has moved z by d between: f(z + d) is another one
// by J d, which for what drifts in a step of length h is of the order of h times the error of the step, but of a fast mode |lambda d|,
// though d be rounding. With k kept the next step is that of its implicit stages alone, which answer d by what vanishes as
// h lambda -> -infinity.
#include <arkode/arkode_arkstep.h>
#include <float.h>
#include <math.h>
#include <string.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include "core/integrator/arkode_private.h"

/** What a stage may miss, gamma (f(z) - k), in units of what a state may be wrong by: an error of the step, which its
 *  estimate does not see. */
static const double residual_max = 0.1;
/** A correction of a state that is rounding, as a fraction of its size. */
static const double rounding = 4 * DBL_EPSILON;
/** Newton's iterations that one stage goes on by. */
enum { FURTHER_MAX = 12 };

/** The right-hand side at a stage that is solved, and its powers. Linear rates are solved for once, by a matrix from which the
 *  entries 1/r of a wire have taken the digits of all beside it. The rates themselves have them, as a flow is one number in each
 *  row that it is in; so the stage moves by what it misses, until that is as small as an iteration leaves it (iterative
 *  refinement: Higham, Accuracy and Stability of Numerical Algorithms, 2002, chapter 12). Where that does not halve, the
 *  matrix has nothing left of the slow modes, and has more in a shorter step. */
static int end_stage(arkode *s, const sb_stage *stage, N_Vector predicted, double t,
                     N_Vector rate) {
  for (double before = HUGE_VAL;; before = s->powers.missed) {
    N_VLinearSum(1, stage->correction, 1, predicted, stage->z);
    s->pending = true;
    int status = sb_arkode_rhs(t, stage->z, rate, s);
    if (status != 0 || s->powers.missed <= stage->tolerance) {
      return status;
    }
    if (!(s->powers.missed < before / 2)) {
      return 1;
    }
    N_VLinearSum(1, s->powers.missing, 1, stage->correction, stage->correction);
  }
}

/** Has the correction z - y of a stage start on the tangent at the start of the step, (t - t0) f(t0, y). @return whether there is one */
static bool begin_on_tangent(arkode *s, N_Vector predicted, double t, N_Vector rate,
                             N_Vector correction) {
  const bool known = sb_arkode_rhs(s->now, predicted, rate, s) == 0;
  if (known) {
    N_VScale(t - s->now, rate, correction);
  }
  return known;
}

/** Newton's iteration for the correction z - y of a stage, which starts at zero, where the step does. There a slope may be infinite, as of the
 *  damping z^p v, p < 1, of what touches right now: no correction leaves that place. Or what is steep there follows a source, as a tank behind an orifice,
 *  f = (u/r)^(1/n), whose u remains the same while the pressures on both sides fall: beside the pressure that the source will have, u is far from that, and each
 *  correction leads farther, to (1 - n) u. On the tangent at the start of the step slopes are others, and u is what it was. So the iteration begins again there,
 *  by the slopes there, and goes on so at the next stages. */
static int iterate_stage(arkode *s, N_Vector predicted, N_Vector correction, N_Vector weight,
                         double tolerance, booleantype setup) {
  sb_implicit_stages *stages = &s->implicit;
  double t, gamma;
  N_Vector y, z, rate, known;
  void *data;
  if (ARKStepGetNonlinearSystemData(stages->ark, &t, &y, &z, &rate, &gamma, &known, &data) != 0) {
    return SUN_NLS_MEM_NULL;
  }
  stages->tangent = stages->tangent && begin_on_tangent(s, predicted, t, rate, correction);
  int status = stages->iterate(stages->iteration, predicted, correction, weight, tolerance, setup,
                               stages->ark);
  stages->failed = status > 0;
  if (status <= 0 || s->newton.jacobian->colours == 0) {
    return status;
  }
  N_VConst(0, correction);
  if (!stages->tangent && !begin_on_tangent(s, predicted, t, rate, correction)) {
    return status;
  }
  stages->anew = true;
  status = stages->iterate(stages->iteration, predicted, correction, weight, tolerance, SUNTRUE,
                           stages->ark);
  stages->anew = false;
  stages->failed = status > 0;
  stages->tangent = status == 0 && !stages->tangent;
  return status;
}

/** Newton's iteration from where it has ended, by slopes from there. Its own test looks at the correction alone, which the slope of an
 *  old matrix may make small: while a damper 2 tanh(v/w) creeps, that is 2/w, and any force beyond 2 moves v by less than its
 *  tolerance, where no such root is any more. What the stage misses then, gamma f(z) - gamma k, is large: the damper never broke loose.
 *  A correction within rounding by a matrix of this very point tells that no state is nearer.
 *  @param closer  out: it has moved */
static int iterate_further(arkode *s, const sb_stage *stage, N_Vector predicted, bool *closer) {
  sb_implicit_stages *stages = &s->implicit;
  N_Vector before = s->powers.away;
  N_VScale(1, stage->correction, before);
  stages->failed = stages->anew = true;
  int status = stages->iterate(stages->iteration, predicted, stage->correction, stage->weight,
                               stage->tolerance, SUNTRUE, stage->ark);
  stages->failed = status > 0;
  stages->anew = false;
  N_VLinearSum(1, stage->correction, -1, before, before);
  NV_DATA_S(before)[s->length - 1] *= s->length > s->n ? 0 : 1; // the error monitor
  *closer = N_VWrmsNorm(before, stage->weight) > rounding / s->nominal->rtol;
  return status;
}

/** The right-hand side and the powers where the stage has ended, which goes on while its rates are not those that it was solved by. */
static int judge_stage(arkode *s, const sb_stage *stage, N_Vector predicted, double t,
                       N_Vector rate) {
  sb_implicit_stages *stages = &s->implicit;
  bool closer = true;
  for (int number = 0;; number++) {
    stages->present = stage;
    int status = end_stage(s, stage, predicted, t, rate);
    stages->present = NULL;
    if (status != 0 || s->newton.jacobian->colours == 0 || !closer ||
        !(s->powers.residual > residual_max)) {
      return status;
    }
    if (number == FURTHER_MAX) {
      stages->failed = true;
      return 1;
    }
    status = iterate_further(s, stage, predicted, &closer);
    if (status != 0) {
      return status;
    }
  }
}

/** Newton's iteration for the state of a stage. The powers are found there; the error monitor, on which nothing depends,
 *  is solved for last, by the rate that they give it. */
static int solve_stage(SUNNonlinearSolver iteration, N_Vector predicted, N_Vector correction,
                       N_Vector weight, double tolerance, booleantype setup, void *ark) {
  double t, gamma;
  N_Vector y, z, rate, known; // z0 is y + known
  void *data;
  if (ARKStepGetNonlinearSystemData(ark, &t, &y, &z, &rate, &gamma, &known, &data) != 0) {
    return SUN_NLS_MEM_NULL;
  }
  arkode *s = data;
  sb_implicit_stages *stages = &s->implicit;
  int status = iterate_stage(s, predicted, correction, weight, tolerance, setup);
  if (status != SUN_NLS_SUCCESS) {
    return status;
  }
  if (s->ledger.count > 0) {
    const sb_stage stage = {z, weight, correction, known, gamma, tolerance, iteration, ark};
    (void)sb_arkode_begin_stage(t, z, s);
    stages->solved = true;
    status = judge_stage(s, &stage, predicted, t, rate);
    stages->solved = status == 0 || !stages->failed; // else its iteration begins once more
  }
  if (stages->fsal && sb_arkode_in_last_stage(s)) {
    N_VLinearSum(1 / gamma, correction, -1 / gamma, known, stages->last);
  }
  if (s->length > s->n) {
    NV_DATA_S(correction)[s->n] = NV_DATA_S(known)[s->n] + gamma * NV_DATA_S(rate)[s->n];
  }
  return status == 0 ? SUN_NLS_SUCCESS : status < 0 ? ARK_RHSFUNC_FAIL : SUN_NLS_CONV_RECVR;
}

int sb_implicit_stages_first(double t, N_Vector y, N_Vector ydot, void *data) {
  const arkode *s = data;
  int status = sb_arkode_rhs(t, y, ydot, data);
  if (status == 0 && s->implicit.known) {
    memcpy(NV_DATA_S(ydot), NV_DATA_S(s->implicit.first), (size_t)s->n * sizeof(double));
  }
  return status;
}

/** What a correction leaves of itself at least, where the matrix is that of another gamma: ARKODE multiplies it by 2/(1 + r), with r
 *  the quotient of the two, so that modes of gamma lambda -> 0 and -> infinity are both off by |r - 1|/(r + 1). */
static double left_of(const sb_implicit_stages *stages) {
  double gamma;
  return ARKStepGetCurrentGamma(stages->ark, &gamma) == 0
             ? fabs((gamma - stages->gamma) / (gamma + stages->gamma))
             : 0;
}

/** ARKODE's test of Newton's iteration, but for a first correction by the matrix of another gamma, and for divergence. That correction
 *  is judged by a rate of convergence that was found in another stage: where rates are linear, and gamma was that of the matrix, it
 *  is rounding, and what the change of gamma leaves would be taken for nothing. As to divergence, ARKODE takes a second correction
 *  that is larger than the first by `growth` for that. The first one starts where the step does, by slopes from there. Where those are
 *  zero, as at the touch of a contact whose stiffness grows from zero, it knows no force; the second one brings all of it, to what was at
 *  rest and counts with a millionth of its later size. That tells nothing of whether the iteration contracts: from the third on
 *  corrections do. One that is no smaller than the one before, but less than a stage may miss, is rounding: of a place, say, whose last
 *  digit moves a gap by more than the tolerance, so that the iteration goes to and fro between two states that are both as good. */
static int test_corrections(SUNNonlinearSolver iteration, N_Vector y, N_Vector correction,
                            double tolerance, N_Vector weight, void *data) {
  static const double growth = 2.3; // as ARKODE
  sb_implicit_stages *stages = data;
  int number, status = stages->test(iteration, y, correction, tolerance, weight, stages->ark);
  (void)SUNNonlinSolGetCurIter(iteration, &number);
  const double size = N_VWrmsNorm(correction, weight), before = stages->corrected;
  if (status == SUN_NLS_SUCCESS && size * left_of(stages) > tolerance) {
    status = SUN_NLS_CONTINUE;
  }
  stages->corrected = size;
  if (status == SUN_NLS_CONTINUE && number >= 2 && size >= before && size <= residual_max) {
    return SUN_NLS_SUCCESS;
  }
  bool diverges = status == SUN_NLS_CONTINUE && number >= 2 && !(size <= growth * before);
  return diverges ? SUN_NLS_CONV_RECVR : status;
}

/** Has ARKODE iterate so: its own test for divergence is put out of reach. */
static bool take_over_test(sb_implicit_stages *stages, void *ark) {
  if (ARKStepSetNonlinearSolver(ark, stages->iteration) != 0) {
    return false;
  }
  const struct _SUNNonlinearSolverContent_Newton *newton = stages->iteration->content;
  stages->test = newton->CTest;
  stages->ark = newton->ctest_data;
  return ARKStepSetNonlinRDiv(ark, DBL_MAX) == 0 &&
         SUNNonlinSolSetConvTestFn(stages->iteration, test_corrections, stages) == 0;
}

bool sb_implicit_stages_init(arkode *s) {
  sb_implicit_stages *stages = &s->implicit;
  stages->iteration = SUNNonlinSol_Newton(s->y, s->context);
  stages->first = N_VClone(s->y);
  stages->last = N_VClone(s->y);
  if (stages->iteration == NULL || stages->first == NULL || stages->last == NULL) {
    return false;
  }
  stages->iterate = stages->iteration->ops->solve;
  stages->iteration->ops->solve = solve_stage;
  return take_over_test(stages, s->ark) && ARKStepSetNlsRhsFn(s->ark, sb_arkode_rhs) == 0 &&
         ARKStepSetDeduceImplicitRhs(s->ark, SUNTRUE) == 0;
}

void sb_implicit_stages_finish(sb_implicit_stages *stages) {
  if (stages->iteration != NULL) {
    (void)SUNNonlinSolFree(stages->iteration);
  }
  if (stages->first != NULL) {
    N_VDestroy(stages->first);
  }
  if (stages->last != NULL) {
    N_VDestroy(stages->last);
  }
}

void sb_implicit_stages_reset(sb_implicit_stages *stages) {
  stages->solved = stages->known = stages->tangent = false;
}

void sb_implicit_stages_accept(sb_implicit_stages *stages) {
  N_Vector last = stages->last;
  stages->last = stages->first;
  stages->first = last;
  stages->known = stages->fsal;
}
