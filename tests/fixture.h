// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a netlist given as text, and demands that its books close.
#ifndef SB_TESTS_FIXTURE_H
#define SB_TESTS_FIXTURE_H

#include "tests/near.h"

#include <stdio.h>
#include <string.h>

#include "screwbond.h"

typedef struct run {
  sb_netlist *netlist;
  sb_model *model;
  sb_simulation *sim;
} run;

/** Reads and compiles a netlist; it is not started. */
static inline run prepare(const char *text) {
  run r = {0};
  sb_errors errors = {0};
  sb_status status = sb_netlist_parse("m.xml", text, strlen(text), NULL, 0, &r.netlist, &errors);
  if (status == SB_OK) {
    status = sb_model_compile(r.netlist->graph, &r.model, &errors);
  }
  for (int i = 0; i < errors.count; i++) {
    print_error("%s\n", errors.items[i].text);
  }
  assert_int_equal(status, SB_OK);
  return r;
}

/** @param inside  what stands in <screwbond>, without <run> */
static inline run start(const char *inside, double rtol, double atol) {
  char text[9000];
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'>%s<run t-end='9 s'/></screwbond>", inside);
  run r = prepare(text);
  r.netlist->options.rtol = rtol;
  r.netlist->options.atol = atol;
  assert_int_equal(sb_simulation_create(r.model, &r.netlist->options, &r.sim, NULL), SB_OK);
  return r;
}

/** The same up to t_end [s], demanding that the books close. */
static inline run go(const char *inside, double t_end) {
  run r = start(inside, 1e-10, 1e-12);
  assert_int_equal(sb_simulation_advance(r.sim, t_end, NULL), SB_OK);
  sb_simulation_audit(r.sim);
  const sb_ledger *ledger = sb_simulation_ledger(r.sim);
  assert_true(ledger->residual_relative < 1e-9);
  assert_true(ledger->structure.residual_relative < 1e-12);
  assert_int_equal(ledger->passivity.violations, 0);
  return r;
}

/** The first component of a quantity, now. */
static inline double value(const run *r, const char *name) {
  sb_quantity quantity;
  double out[8];
  assert_int_equal(sb_model_find(r->model, name, &quantity, NULL), SB_OK);
  sb_simulation_read(r->sim, &quantity, out);
  return out[0];
}

static inline void stop(run *r) {
  sb_simulation_destroy(r->sim);
  sb_model_destroy(r->model);
  sb_netlist_destroy(r->netlist);
}

#endif
