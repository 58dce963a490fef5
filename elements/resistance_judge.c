// SPDX-License-Identifier: GPL-3.0-or-later
// What samples tell of the law of an R: whether an expression could give power, and what grows without end.
#include "elements/resistance_private.h"

#include <math.h>

#include "elements/signals_private.h"
#include "elements/stick_private.h"

// Without a limit a law is judged up to SAMPLE_RANGE in SI, from SAMPLE_RANGE^-1 on; with one on as
// many decades below it, and at equal distances.
enum { SAMPLES_PER_DECADE = 24, SAMPLE_DECADES = 18, EVEN_SAMPLES = 1000 };
static const double SAMPLE_RANGE = 1e9;
static const double GROWN =
    1e100; // SI; a law that overflows from here has grown to it, and has no pole
// Of the largest sample before, or of the terms of a law, taken for zero.
static const double ROUNDING = 1e-12;

/** Judges a law along one direction. */
typedef struct judge {
  const resistance *s;
  double sign;     // of the arguments
  bool limited;    // only a law without a stated limit may overflow
  bool invertible; // so far
  double last;     // the sample before this one
  double largest;  // of all samples, to tell rounding
  sb_error *err;
} judge;

/** The sum of the absolute values of the terms of a law without signals. */
static double terms_at(const resistance *s, double u) {
  const double all[SB_EXPRESSION_VARIABLES_MAX] = {[FLOW] = u, [EFFORT] = u};
  const double terms = sb_expression_terms(s->law, all, NULL, NULL);
  return isfinite(terms) ? terms : 0;
}

static sb_status judge_sample(judge *j, double u) {
  static const double none[SB_SIGNALS_MAX];
  sb_dual y = sb_resistance_at(j->s, none, j->sign * u);
  const char *name = sb_resistance_slot(j->s) == FLOW ? "f" : "e";
  double value = j->sign * y.value; // passive if not negative
  if (isnan(y.value) || (isinf(y.value) && (j->limited || j->last < GROWN))) {
    sb_status status =
        sb_fail_at(j->err, SB_ERR_RANGE, "law", "the law has no finite value at %s = %s", name,
                   sb_number_word(j->sign * u).text);
    sb_error_hint(j->err, "state the range it is meant for by %s-limit",
                  sb_resistance_slot(j->s) == FLOW ? "flow" : "effort");
    return status;
  }
  if (value < -ROUNDING * fmax(j->largest, terms_at(j->s, j->sign * u))) {
    sb_status status = sb_fail_at(j->err, SB_ERR_RANGE, "law", "the law gives power at %s = %s",
                                  name, sb_number_word(j->sign * u).text);
    sb_error_hint(j->err, "there %s = %s; %s-limit states the range that counts",
                  sb_resistance_slot(j->s) == FLOW ? "e" : "f", sb_number_word(y.value).text,
                  sb_resistance_slot(j->s) == FLOW ? "flow" : "effort");
    return status;
  }
  j->invertible = j->invertible && (isinf(value) || (value > j->last && y.slope > 0));
  j->last = value;
  j->largest = fmax(j->largest, isfinite(value) ? fabs(value) : 0);
  return SB_OK;
}

static sb_status judge_side(judge *j, double limit) {
  const int count = SAMPLES_PER_DECADE * SAMPLE_DECADES;
  j->last = j->largest = 0;
  for (int i = 0; i <= count; i++) {
    double decades = (double)(i - count) / SAMPLES_PER_DECADE;
    SB_TRY(judge_sample(j, limit * pow(10, decades)));
  }
  j->last = 0;
  for (int i = 1; j->limited && i <= EVEN_SAMPLES; i++) {
    SB_TRY(judge_sample(j, limit * i / EVEN_SAMPLES));
  }
  return SB_OK;
}

/** Whether a law without signals has one value between jumps. */
static bool is_flat(const resistance *s, double limit) {
  static const double none[SB_SIGNALS_MAX];
  bool flat = true;
  for (int i = 0; i <= SAMPLES_PER_DECADE * SAMPLE_DECADES && flat; i++) {
    const double size = limit * pow(10, -(double)i / SAMPLES_PER_DECADE);
    for (int sign = -1; sign <= 1; sign += 2) {
      const double u = sign * size;
      resistance view;
      const resistance *there = sb_resistance_view(s, sb_resistance_nearest(s, u), &view);
      const double way = sb_resistance_from_place(there, u);
      flat = flat &&
             (way == 0 || sb_resistance_at(s, none, u).value ==
                              sb_resistance_beside(there, none, there->place, way > 0 ? 1 : -1));
    }
  }
  return flat;
}

sb_status sb_resistance_check_law(resistance *s, bool *invertible, sb_error *err) {
  static const double none[SB_SIGNALS_MAX];
  bool flow = sb_expression_uses(s->law, FLOW), effort = sb_expression_uses(s->law, EFFORT);
  if (s->r.count > 0 || sb_resistance_is_table(s) || s->exponent != 1) {
    return sb_fail_at(err, SB_ERR_CHOICE, "law", "a law excludes r, exponent, flows and efforts");
  }
  if (flow == effort) {
    return sb_fail_at(err, SB_ERR_RANGE, "law",
                      "a law depends on the flow f or on the effort e: %s",
                      flow ? "not on both" : "it has neither");
  }
  SB_TRY(sb_signals_check(s->law, SIGNALS, s->signals, err));
  if (s->signals > 0) { // not known before the run, whose audit checks the power
    return SB_OK;
  }
  double limit = flow ? s->flow_limit : s->effort_limit;
  judge j = {s,
             1,
             limit > 0,
             isfinite(sb_resistance_at(s, none, 0).slope) || sb_resistance_at(s, none, 0).slope > 0,
             0,
             0,
             err};
  if (!isfinite(sb_resistance_at(s, none, 0).value)) {
    return sb_fail_at(err, SB_ERR_RANGE, "law", "the law has no finite value at %s = 0",
                      flow ? "f" : "e");
  }
  for (j.sign = 1; j.sign >= -1; j.sign -= 2) {
    SB_TRY(judge_side(&j, limit > 0 ? limit : SAMPLE_RANGE));
  }
  s->jumps = sb_resistance_claim_jump(s);
  s->flat = s->jumps && is_flat(s, limit > 0 ? limit : SAMPLE_RANGE);
  *invertible = j.invertible && (sb_resistance_at(s, none, 0).value == 0 || s->jumps);
  return SB_OK;
}

bool sb_resistance_is_steep(const resistance *s) {
  static const double none[SB_SIGNALS_MAX], near = 1e-18, far = 1e-9;
  if (s->law == NULL) {
    return !sb_resistance_is_table(s) && s->exponent < 1;
  }
  return s->signals == 0 && !s->jumps &&
         sb_resistance_at(s, none, near).value / near >
             2 * sb_resistance_at(s, none, far).value / far;
}

bool sb_resistance_is_exponential(const resistance *s) {
  static const double none[SB_SIGNALS_MAX], far = 1e9;
  return s->law != NULL && s->signals == 0 && !s->jumps &&
         !(isfinite(sb_resistance_at(s, none, far).value) &&
           isfinite(sb_resistance_at(s, none, -far).value));
}
