// SPDX-License-Identifier: GPL-3.0-or-later
// The range of a term of the time over a run (its swing): intervals whose enclosure exceeds the values found so far by most are
// bisected first.
#include <float.h>
#include <math.h>

#include "core/expression/features_private.h"

enum {
  EFFORT_MAX = 2000, // spans of one term that are looked at to measure it
  PENDING_MAX = 256  // of them at a time
};

/** A span that may hold values beyond those found. */
typedef struct span {
  double from, to;
  sb_interval value;
} span;

/** What has been found of a term while it is measured. */
typedef struct search {
  sb_interval found;
  double size, peak; // largest absolute value found, and where
  span pending[PENDING_MAX];
  int count;
} search;

static void see(search *s, double at, double value) {
  if (isfinite(value)) {
    s->peak = fabs(value) > s->size ? at : s->peak;
    s->size = fmax(s->size, fabs(value));
    s->found = (sb_interval){fmin(s->found.low, value), fmax(s->found.high, value)};
  }
}

static double beyond(const search *s, const span *one) {
  return fmax(one->value.high - s->found.high, s->found.low - one->value.low);
}

/** The span with most beyond what is found; of equal ones the shortest, so that one of many like
 *  features is found at once. */
static int worst(const search *s) {
  int most = 0;
  for (int i = 1; i < s->count; i++) {
    double a = beyond(s, &s->pending[i]), b = beyond(s, &s->pending[most]);
    double length = s->pending[i].to - s->pending[i].from;
    most = a > b || (a == b && length < s->pending[most].to - s->pending[most].from) ? i : most;
  }
  return most;
}

static void look(const sb_features *f, const sb_moving_term *term, search *s, double from,
                 double to) {
  if (sb_term_weight(f, term, from, to, false) == 0) {
    return;
  }
  const sb_motion got = sb_term_enclose(f, term, from, to, false);
  see(s, from + 0.5 * (to - from), got.middle);
  s->pending[s->count++] = (span){from, to, got.all.value};
}

static bool enough(const search *s, const span *one) {
  double size = fmax(fabs(s->found.low), fabs(s->found.high));
  return beyond(s, one) <= fmax(s->found.high - s->found.low, SB_SWING_ROUNDING * size);
}

/** The swing of a term over [from, to], at least a third of the true one. @return false: not found */
static bool measure(const sb_features *f, sb_moving_term *term, double from, double to) {
  search s = {.found = {HUGE_VAL, -HUGE_VAL}, .peak = from};
  bool done = false, lost = false;
  see(&s, from, sb_term_enclose(f, term, from, from, false).middle); // of sign(t), the only zero
  look(f, term, &s, from, to);
  for (int i = 0; i < EFFORT_MAX && s.count > 0 && s.count + 2 <= PENDING_MAX && !done &&
                  !sb_features_stopped(f);
       i++) {
    int index = worst(&s);
    span one = s.pending[index];
    done = enough(&s, &one);
    if (done) {
      break;
    }
    s.pending[index] = s.pending[--s.count];
    double middle = one.from + 0.5 * (one.to - one.from);
    if (one.to - one.from > SB_FEATURE_NARROWEST * (to - from)) {
      look(f, term, &s, one.from, middle);
      look(f, term, &s, middle, one.to);
    } else { // not a jump, whose sides have been seen
      lost = true;
    }
  }
  done = (done || s.count == 0) && !lost;
  double size = fmax(fabs(s.found.low), fabs(s.found.high)), swing = s.found.high - s.found.low;
  if (!done && s.count > 0) { // nothing finer than what may be beyond is looked for
    span one = s.pending[worst(&s)];
    swing += isfinite(beyond(&s, &one)) ? beyond(&s, &one) : 0;
  }
  term->peak = s.peak;
  term->size = isfinite(size) ? fmax(term->size, size) : term->size;
  term->swing = isfinite(swing) ? fmax(term->swing, swing) : term->swing;
  return done;
}

/** Whether most of the swing is in a pulse at the peak that is narrower than `width`. */
static bool has_narrow_peak(const sb_features *f, const sb_moving_term *term, double width) {
  const double before = term->peak - width, behind = term->peak + width;
  const sb_interval left = sb_term_enclose(f, term, before, term->peak, true).all.value;
  const sb_interval right = sb_term_enclose(f, term, term->peak, behind, true).all.value;
  return fmin(left.high - left.low, right.high - right.low) > 0.5 * term->swing &&
         term->swing > SB_SWING_ROUNDING * term->size;
}

/** How many times a term is smaller than the largest of its group, and so on outwards. */
static double share_of(const sb_features *f, const sb_moving_term *term) {
  double share = 1;
  for (const sb_moving_term *at = term; at != NULL;) {
    const sb_term_group *group = &f->groups[at->group];
    double size = group->constant;
    for (int i = 0; i < f->term_count; i++) {
      size = f->terms[i].group == at->group ? fmax(size, f->terms[i].size) : size;
    }
    share *= at->swing > 0 && !group->bent ? fmax(size / at->swing, 1) : 1;
    at = group->within >= 0 ? &f->terms[group->within] : NULL;
  }
  return share;
}

bool sb_features_measure(sb_features *f, double from, double to) {
  bool done = true;
  const double resolved = SB_STEP_ROUNDINGS * DBL_EPSILON * fmax(fabs(from), fabs(to));
  const double narrow = SB_FEATURE_NARROWEST * (to - from);
  for (int i = 0; i < f->term_count; i++) {
    done = measure(f, &f->terms[i], from, to) && done;
  }
  for (int i = 0; i < f->term_count; i++) {
    sb_moving_term *term = &f->terms[i];
    term->shortest = fmax(narrow * share_of(f, term), resolved);
    term->clear = to - from;
    done = done && !has_narrow_peak(f, term, fmax(narrow, resolved));
  }
  return done;
}

bool sb_features_peak(const sb_features *f, int term, double *at) {
  *at = term < f->term_count ? f->terms[term].peak : 0;
  return term < f->term_count;
}
