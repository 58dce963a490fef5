// SPDX-License-Identifier: GPL-3.0-or-later
// The last step where events are looked for: its dense output P (dense_output.c), a right-hand side for each look, moved
// so that it goes through what a partial step of the method gives at a time t_p near the event,
//   x(t) = x_p + P(t) - P(t_p),   in error by (t - t_p) times that of dP/dt:
// close to t_p it is the partial step itself. Implicit methods take partial steps throughout, as their polynomial
// is made of such.
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/simulation/dense_output_private.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

struct sb_crossing {
  sb_dense *dense; // NULL: partial steps throughout
  bool pinned;
  double t, *x; // [s] t_p, (n) x_p
};

void sb_crossing_destroy(sb_crossing *c) {
  if (c != NULL) {
    sb_dense_destroy(c->dense);
    free(c->x);
    free(c);
  }
}

sb_status sb_crossing_renew(sb_simulation *sim, sb_error *err) {
  sb_crossing_destroy(sim->crossing);
  sb_crossing *c = sim->crossing = calloc(1, sizeof *c);
  if (c == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  if (sim->options.method->implicit) {
    return SB_OK;
  }
  SB_TRY(sb_dense_create(sim, &c->dense, err));
  c->x = sb_zeroed(c->dense->n, sizeof(double));
  return c->x != NULL ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

void sb_crossing_begin(sb_crossing *c) {
  if (c->dense != NULL) {
    c->dense->made = false;
  }
  c->pinned = false;
}

bool sb_crossing_is_smooth(sb_simulation *sim) {
  return sim->crossing->dense != NULL && sb_dense_make(sim, sim->crossing->dense);
}

sb_status sb_crossing_go(sb_simulation *sim, double t, sb_error *err) {
  const sb_crossing *c = sim->crossing;
  if (sb_crossing_is_smooth(sim)) {
    if (c->pinned) {
      memcpy(sim->xp, c->x, (size_t)c->dense->n * sizeof *c->x);
      sb_dense_between(c->dense, c->t, t, sim->xp);
    } else {
      sb_dense_at(c->dense, t, sim->xp);
    }
    if (sb_evaluate(sim, t, sim->xp, err) == SB_OK && sb_enforce(sim, t, sim->xp, err) == SB_OK) {
      return SB_OK;
    }
  }
  return sb_probe(sim, sim->locating, t, err);
}

sb_status sb_crossing_pin(sb_simulation *sim, double t, sb_error *err) {
  sb_crossing *c = sim->crossing;
  SB_TRY(sb_probe(sim, sim->locating, t, err));
  if (c->dense != NULL) {
    c->pinned = true;
    c->t = t;
    memcpy(c->x, sim->xp, (size_t)c->dense->n * sizeof *c->x);
  }
  return SB_OK;
}
