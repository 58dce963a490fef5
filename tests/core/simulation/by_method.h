// SPDX-License-Identifier: GPL-3.0-or-later
// Runs by one method, and what they took.
#ifndef SB_TESTS_BY_METHOD_H
#define SB_TESTS_BY_METHOD_H

#include "tests/fixture.h"

static inline long implicit_steps(const run *r) {
  return ledger_of(r)->work.implicit_steps;
}

static inline run start_by_method(const char *inside, const char *method, double rtol) {
  run r = prepare_inside(inside);
  sb_options options = options_of(method, rtol);
  options.atol = 0;
  start_by(&r, &options);
  return r;
}

#endif
