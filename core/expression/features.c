// SPDX-License-Identifier: GPL-3.0-or-later
// The longest step that cannot miss a feature, such as a pulse, of an expression of the time: the shortest over its terms.
#include <float.h>
#include <math.h>

#include "core/expression/features_private.h"

enum {
  REFINEMENTS = 3, // bisections of where a feature begins
  GROWTHS_MAX = 3, // doublings of a clear span in one step
  PARTS_MAX = 200  // of a span before a jump
};

static sb_status create(const sb_expression *expression, int slot, bool beside,
                        sb_features **result, sb_error *err) {
  *result = NULL;
  int count = expression->count;
  sb_arena memory = {0};
  sb_features *f = sb_arena_zeroed(&memory, 1, sizeof *f);
  sb_features made = {.expression = expression,
                      .slot = slot,
                      .beside = beside,
                      .groups = sb_arena_zeroed(&memory, count + 1, sizeof *made.groups),
                      .parents = sb_arena_zeroed(&memory, count, sizeof *made.parents),
                      .terms = sb_arena_zeroed(&memory, count, sizeof *made.terms),
                      .rules = sb_arena_zeroed(&memory, count, sizeof *made.rules),
                      .got = sb_arena_zeroed(&memory, count, sizeof *made.got)};
  if (memory.failed) {
    sb_arena_finish(&memory);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  *f = made;
  f->memory = memory;
  sb_moving_terms_find(f);
  if (f->term_count == 0 && !f->same) {
    sb_features_destroy(f);
    return SB_OK;
  }
  *result = f;
  return SB_OK;
}

sb_status sb_features_create(const sb_expression *expression, int slot, sb_features **result,
                             sb_error *err) {
  return create(expression, slot, false, result, err);
}

sb_status sb_features_create_beside(const sb_expression *expression, int slot, sb_features **result,
                                    sb_error *err) {
  *result = NULL;
  return sb_moving_terms_meet(expression, slot) ? create(expression, slot, true, result, err)
                                                : SB_OK;
}

void sb_features_take(sb_features *f, const double variables[]) {
  for (int i = 0; i < f->expression->count; i++) {
    const int variable = f->expression->nodes[i].variable;
    f->rules[i].number =
        variable >= 0 && variable != f->slot ? variables[variable] : f->rules[i].number;
  }
}

void sb_features_destroy(sb_features *features) {
  if (features != NULL) {
    sb_arena memory = features->memory; // which it is in itself
    sb_arena_finish(&memory);
  }
}

bool sb_features_compare_same(const sb_features *features) {
  return features->same;
}

/** Whether a term is a part of another one that all but stands still, whatever the part does. */
static bool counts_for_nothing(const sb_features *f, const sb_moving_term *term, double from,
                               double to) {
  const sb_moving_term *whole = sb_term_whole(f, term);
  return whole != term && sb_term_weight(f, term, from, to, true) * term->swing <=
                              SB_FEATURE_NARROWEST * whole->swing;
}

static bool is_clear(const sb_features *f, const sb_moving_term *term, double from, double to) {
  const sb_enclosure all = sb_term_enclose(f, term, from, to, true).all;
  double moved = all.value.high == all.value.low
                     ? 0 // also of what has overflowed, infinity throughout
                     : all.value.high - all.value.low;
  if (f->beside && !(isfinite(all.value.low) && isfinite(all.value.high))) {
    return true; // it may have a value where the others really are
  }
  double bent = 0.25 * (to - from) * (all.slope.high - all.slope.low);
  return moved <= SB_FEATURE_FLAT * term->swing || bent <= SB_FEATURE_BEND * term->swing ||
         counts_for_nothing(f, term, from, to);
}

static bool jumps(const sb_enclosure *all) {
  return isinf(all->slope.high) && isinf(all->slope.low);
}

/** Whether a span that holds no more than a jump at its end is clear, part by part: an enclosure of all of it cannot tell, as of a comparison
 *  of what moves on both sides. Rounding may decide it on both sides of one time, so that a jump may be between two parts.
 *  @param before  in: its start; out: its end   @param behind  out: right behind the jump; HUGE_VAL: there is none up to `to` */
static bool is_clear_by_parts(const sb_features *f, const sb_moving_term *term, double to,
                              double *before, double *behind) {
  const double most = SB_FEATURE_FLAT * term->swing;
  double length = to - *before;
  sb_interval seen = sb_term_enclose(f, term, *before, *before, true).all.value;
  *behind = HUGE_VAL;
  for (int i = 0; i < PARTS_MAX && *before < to; i++) {
    const double end = fmin(*before + length, to), rounding = DBL_EPSILON * fabs(end);
    const sb_enclosure part = sb_term_enclose(f, term, *before, end, true).all;
    const double apart = fmax(part.value.low - seen.high, seen.low - part.value.high);
    if (jumps(&part) || apart > most) {
      length = 0.5 * (end - *before);
      if (2 * length <= rounding) {
        *behind = end;
        return true;
      }
      continue;
    }
    seen = sb_interval_hull(seen, part.value);
    if (seen.high - seen.low > most) {
      return false;
    }
    *before = end;
    length *= 2;
  }
  return *before >= to;
}

/** Finds the first jump between *before and *behind, which become its neighbours by rounding. */
static bool find_jump(const sb_features *f, const sb_moving_term *term, double *before,
                      double *behind) {
  sb_enclosure rest = sb_term_enclose(f, term, *before, *behind, true).all;
  while (jumps(&rest) && *behind - *before > fmax(DBL_EPSILON * fabs(*behind), DBL_MIN)) {
    const double middle = *before + 0.5 * (*behind - *before);
    const sb_enclosure first = sb_term_enclose(f, term, *before, middle, true).all;
    *(jumps(&first) ? behind : before) = middle;
    rest = jumps(&first) ? rest : sb_term_enclose(f, term, *before, *behind, true).all;
  }
  return jumps(&rest);
}

/** The longest of the spans from `from` that are tried, between one that is clear (or as short as any) and
 *  one that is not. */
static double shrink(const sb_features *f, const sb_moving_term *term, double from, double *bad) {
  double good = *bad;
  do {
    *bad = good;
    good *= 0.5;
  } while (good > term->shortest && !is_clear(f, term, from, from + good));
  good = fmax(good, term->shortest);
  for (int i = 0; i < REFINEMENTS; i++) {
    double length = 0.5 * (good + *bad);
    bool clear = is_clear(f, term, from, from + length);
    good = clear ? length : good;
    *bad = clear ? *bad : length;
  }
  return good;
}

/** The end of a span that is clear up to a jump: before it; or so far behind it, if event indicators find it there, that rounding does
 *  not tell what decides to be still before it. */
static double end_at(const sb_moving_term *term, double before, double behind, double to,
                     double *jump) {
  if (term->held) {
    return fmin(behind + term->shortest, to);
  }
  *jump = fmin(*jump, behind);
  return fmin(before, to);
}

/** The end of the longest clear span of one term. A jump that is closer than the shortest span is passed over: rounding may tell one
 *  at each of many times, as of a sine near its peak. */
static double reach(const sb_features *f, sb_moving_term *term, double from, double to,
                    double *jump) {
  double good = 0, rest = to - from, length = fmin(term->clear, rest);
  if (!(term->swing > SB_SWING_ROUNDING * term->size) || rest <= 4 * DBL_EPSILON * fabs(to)) {
    return to;
  }
  for (int i = 0; i <= GROWTHS_MAX && is_clear(f, term, from, from + length); i++) {
    good = length;
    if (length >= rest) {
      term->clear = fmax(term->clear, rest);
      return to;
    }
    length = fmin(2 * length, rest);
  }
  double before = from, behind;
  const sb_enclosure part = sb_term_enclose(f, term, from, from + length, true).all;
  if (jumps(&part) && is_clear_by_parts(f, term, to, &before, &behind) &&
      before - from > term->shortest) {
    return end_at(term, before, behind, to, jump);
  }
  good = good > 0 ? good : shrink(f, term, from, &length);
  term->clear = good;
  before = from, behind = from + length;
  if (find_jump(f, term, &before, &behind) && before - from > term->shortest &&
      is_clear(f, term, from, before)) {
    return end_at(term, before, behind, to, jump);
  }
  return fmin(from + good, to);
}

void sb_features_watch(sb_features *features, const volatile sig_atomic_t *stop) {
  features->stop = stop;
}

double sb_features_reach(sb_features *f, double from, double to, double *jump) {
  for (int i = 0; i < f->term_count && !sb_features_stopped(f); i++) {
    to = reach(f, &f->terms[i], from, to, jump);
  }
  *jump = *jump - to > SB_SAME_TIME * DBL_EPSILON * fabs(to) ? HUGE_VAL
                                                             : *jump; // the span ends before it
  return to;
}
