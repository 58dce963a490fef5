// SPDX-License-Identifier: GPL-3.0-or-later
// Words for what ends a step of ARKODE.
#include <arkode/arkode_arkstep.h>
#include <math.h>
#include <string.h>

#include "core/integrator/arkode_private.h"
#include "core/linalg/numbers.h"
#include "core/loop/loop.h"

/** Name of a number of the vector: a state, or the ledger. */
static const char *name_of(const arkode *s, int index, char name[300]) {
  if (index < s->network->state_count) {
    return sb_network_state_name(s->network, index, name);
  }
  return strcpy(name, "the ledger");
}

sb_status sb_arkode_overflow(const arkode *s, int index, double t, sb_error *err) {
  char name[300];
  return sb_fail(err, SB_ERR_NOT_FINITE, "'%s' grows beyond all numbers near t = %s s",
                 name_of(s, index, name), sb_number_word(t).text);
}

int sb_first_infinite(const double x[], int n) {
  int i = 0;
  while (i < n - 1 && isfinite(x[i])) {
    i++;
  }
  return i;
}

/** An error relative to its tolerance; that of the witness is. */
static double weighted(const arkode *s, int i, const double error[], const double y[]) {
  return fabs(error[i]) / (i < s->n ? s->rtol * fabs(y[i]) + s->atol : 1);
}

/** The error test failed down to the smallest step: names the state with the largest error. */
static sb_status word_error_test(const arkode *s, double t, sb_error *err) {
  char name[300] = "?";
  N_Vector errors = N_VClone(s->y);
  int worst = 0, n = s->length;
  if (errors != NULL && ARKStepGetEstLocalErrors(s->ark, errors) == 0) {
    const double *e = NV_DATA_S(errors), *y = NV_DATA_S(s->y);
    if (!sb_all_finite(e, n)) {
      sb_status status = sb_arkode_overflow(s, sb_first_infinite(e, n), t, err);
      N_VDestroy(errors);
      return status;
    }
    for (int i = 0; i < n; i++) {
      worst = weighted(s, i, e, y) > weighted(s, worst, e, y) ? i : worst;
    }
    (void)name_of(s, worst, name);
  }
  if (errors != NULL) {
    N_VDestroy(errors);
  }
  return sb_fail(err, SB_ERR_SOLVER,
                 "the error test failed at the smallest step at t = %s s, most in '%s'",
                 sb_number_word(t).text, name);
}

/** The state with the largest error in the last step, where that is known. */
static bool name_worst(const arkode *s, char name[300]) {
  N_Vector errors = N_VClone(s->y);
  bool known = errors != NULL && ARKStepGetEstLocalErrors(s->ark, errors) == 0 &&
               sb_all_finite(NV_DATA_S(errors), s->length);
  int worst = 0;
  for (int i = 0; known && i < s->n; i++) {
    const double *e = NV_DATA_S(errors), *y = NV_DATA_S(s->y);
    worst = weighted(s, i, e, y) > weighted(s, worst, e, y) ? i : worst;
  }
  known = known && s->n > 0;
  if (known) {
    (void)name_of(s, worst, name);
  }
  if (errors != NULL) {
    N_VDestroy(errors);
  }
  return known;
}

sb_status sb_arkode_failure(const arkode *s, int flag, double t, sb_error *err) {
  if (s->failed != NULL &&
      (flag == ARK_RHSFUNC_FAIL || flag == ARK_FIRST_RHSFUNC_ERR || flag == ARK_REPTD_RHSFUNC_ERR ||
       flag == ARK_UNREC_RHSFUNC_ERR || flag == ARK_NLS_OP_ERR || flag == ARK_CONV_FAILURE)) {
    if (s->failure.kind != SB_LOOP_SOLVED) {
      return sb_loop_failure_word(s->work, &s->failure, err);
    }
    return sb_fail(err, SB_ERR_NOT_FINITE, "'%s' gave no finite number near t = %s s", s->failed,
                   sb_number_word(t).text);
  }
  if (flag == ARK_ERR_FAILURE) {
    return word_error_test(s, t, err);
  }
  const char *what = flag == ARK_CONV_FAILURE ? "Newton's iteration did not converge"
                     : flag == ARK_LSETUP_FAIL || flag == ARK_LSOLVE_FAIL
                         ? "the linear solver failed"
                     : flag == ARK_TOO_CLOSE         ? "the time left is too short for a step"
                     : flag == ARK_REPTD_RHSFUNC_ERR ? "the steps have become too short to advance"
                                                     : "the integrator stopped";
  char name[300];
  if (!name_worst(s, name)) {
    return sb_fail(err, SB_ERR_SOLVER, "%s at t = %s s", what, sb_number_word(t).text);
  }
  (void)sb_fail(err, SB_ERR_SOLVER, "%s at t = %s s, with the largest error in '%s'", what,
                sb_number_word(t).text, name);
  sb_error_hint(err, "it may grow without bound there, as by a source that feeds itself, or change "
                     "faster than the time can be told");
  return SB_ERR_SOLVER;
}
