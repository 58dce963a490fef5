// SPDX-License-Identifier: GPL-3.0-or-later
// Words for what ends a step of ARKODE.
#include <arkode/arkode_arkstep.h>
#include <math.h>

#include "core/base/error.h"
#include "core/integrator/arkode_private.h"
#include "core/linalg/numbers.h"

/** An error relative to its tolerance; that of the error monitor is already. */
static double weighted(const arkode *s, int i, const double error[], const double y[]) {
  double tolerance = i < s->n ? sb_nominal_tolerance(s->nominal, i, y[i]) : 1;
  return tolerance > 0 ? fabs(error[i]) / tolerance : 0;
}

/** No error below this fraction of its tolerance holds a step: a method of order p would take one that is longer by its root of order p + 1. */
static const double binding = 1e-3;

/** The number with the largest relative error in the last step among the first n of the vector; -1: not
 *  known.
 *  @param infinite  out: an error is not finite; it is the first that is not
 *  @param size      out: that error; may be NULL */
static int largest_error(const arkode *s, int n, bool *infinite, double *size) {
  N_Vector errors = N_VClone(s->y);
  int worst = -1;
  *infinite = false;
  if (errors != NULL && ARKStepGetEstLocalErrors(s->ark, errors) == 0) {
    const double *e = NV_DATA_S(errors), *y = NV_DATA_S(s->y);
    *infinite = !sb_all_finite(e, s->length);
    worst = *infinite ? sb_first_infinite(e, s->length) : n > 0 ? 0 : -1;
    for (int i = 1; i < n && !*infinite; i++) {
      worst = weighted(s, i, e, y) > weighted(s, worst, e, y) ? i : worst;
    }
    if (size != NULL && worst >= 0) {
      *size = weighted(s, worst, e, y);
    }
  }
  if (errors != NULL) {
    N_VDestroy(errors);
  }
  return worst;
}

int sb_arkode_binding(const sb_stepper *stepper) {
  const arkode *s = (const arkode *)(const void *)stepper;
  bool infinite;
  double size = 0;
  const int worst = s->fixed ? -1 : largest_error(s, s->length, &infinite, &size);
  return size > binding ? worst : -1;
}

static bool is_rhs_failure(int flag) {
  return flag == ARK_RHSFUNC_FAIL || flag == ARK_FIRST_RHSFUNC_ERR ||
         flag == ARK_REPTD_RHSFUNC_ERR || flag == ARK_UNREC_RHSFUNC_ERR || flag == ARK_NLS_OP_ERR ||
         flag == ARK_CONV_FAILURE;
}

sb_status sb_arkode_failure(const arkode *s, int flag, double t, sb_error *err) {
  if (s->failed != NULL && is_rhs_failure(flag)) {
    return sb_rhs_fail(s->work, &s->failure, s->failed, t, err);
  }
  bool infinite, test = flag == ARK_ERR_FAILURE;
  int worst = largest_error(s, test ? s->length : s->n, &infinite, NULL);
  if (test && infinite) {
    return sb_overflow_fail(s->network, worst, t, err);
  }
  const char *what = test                       ? "the error test failed at the smallest step"
                     : flag == ARK_CONV_FAILURE ? "Newton's iteration did not converge"
                     : flag == ARK_LSETUP_FAIL || flag == ARK_LSOLVE_FAIL
                         ? "the linear solver failed"
                     : flag == ARK_TOO_CLOSE         ? "the time left is too short for a step"
                     : flag == ARK_REPTD_RHSFUNC_ERR ? "the steps have become too short to advance"
                                                     : "the integrator stopped";
  char name[300];
  if (infinite || worst < 0) {
    return sb_fail(err, SB_ERR_SOLVER, "%s at t = %s s", what, sb_number_word(t).text);
  }
  (void)sb_fail(err, SB_ERR_SOLVER, "%s at t = %s s, with the largest error in '%s'", what,
                sb_number_word(t).text, sb_vector_name(s->network, worst, name));
  sb_error_hint(err, "it may grow without bound there, as by a source that feeds itself, or change "
                     "faster than the time can be resolved");
  sb_vector_place(s->network, worst, err);
  return SB_ERR_SOLVER;
}
