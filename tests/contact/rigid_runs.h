// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of bodies with rigid contacts.
#ifndef SB_TESTS_RIGID_RUNS_H
#define SB_TESTS_RIGID_RUNS_H

#include "tests/fixture.h"

#include "core/linalg/unilateral.h"

enum { TEXT = 4000 };
static const char floor_[] =
    "<ground id='floor'><shape kind='plane' normal='0 0 1' offset='0 m'/></ground>";

/** @param law  attributes  @param inside  of the mechanism, without the floor */
static inline run rigid(const char *law, const char *gravity, const char *inside) {
  char text[TEXT];
  assert_true(snprintf(text, sizeof text,
                       "<laws><contact-law id='hard' normal='rigid' %s/></laws><defaults><contact "
                       "law='hard'/></defaults><mechanism gravity='%s m/s^2'>%s%s</mechanism>",
                       law, gravity, floor_, inside) < TEXT);
  return start(text, 1e-11, 1e-13);
}

static inline const sb_event *event_of(const run *r, int k) {
  assert_true(k < ledger_of(r)->event_count);
  return &ledger_of(r)->events[k];
}

#endif
