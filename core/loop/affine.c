// SPDX-License-Identifier: GPL-3.0-or-later
// Loops in which all unknowns enter linearly, y = b + A y: Lagrange multipliers and algebraic variables with the structures and storages that
// they act through (forces of rigid contacts: contacts.c). Near a singular configuration a multiplier is the difference of large terms;
// their rounding, passed on through the loop, is what residuals are judged by.
#include <math.h>
#include <string.h>

#include "core/loop/newton_private.h"

enum { STEPS = 4 }; // of Newton's method: one, and what the slopes by differences miss
/** Of a residual as a fraction of the sum of the absolute values of its terms: below the first it is rounding, below the second it is
 *  accepted after the last step. */
static const double rounding = 4e-15, solved = 1e-11;

static bool is_structure(const sb_loop_hook *hook) {
  return hook->op.kind == SB_OP_FORWARD || hook->op.kind == SB_OP_ADJOINT;
}

/** Whether a hook is linear in the inputs of its ports, and reads nothing else of the loop. */
static bool is_linear(const sb_newton *n, const sb_loop_hook *hook) {
  const sb_instance *instance = &n->work->network->instances[hook->op.instance];
  const sb_operation *operation = &sb_operations[hook->op.kind];
  int shift = sb_rate_value(n->work->network, 0);
  if (hook->op.kind == SB_OP_LAW && instance->type->dissipation->affine) {
    return true;
  }
  for (int i = hook->first_input; i < hook->first_input + hook->input_count; i++) {
    int port = n->inputs[i] - instance->in - (n->inputs[i] >= shift ? shift : 0);
    if (port < 0 || port >= instance->components) {
      return false;
    }
  }
  return is_structure(hook) || (operation->dot && operation->reads != SB_COMPONENTS_NONE);
}

bool sb_newton_affine(const sb_newton *n) {
  bool constraints = false;
  for (int h = 0; h < n->loop->count; h++) {
    const sb_loop_hook *hook = &n->hooks[h];
    constraints = constraints || sb_newton_is_condition(hook) || sb_newton_is_of_contact(n, hook);
    if (!sb_newton_is_condition(hook) && !is_linear(n, hook)) {
      return false;
    }
  }
  return constraints;
}

/** One pass. @return whether any is another one */
static bool give(const sb_newton *n, const sb_newton_point *p, double y[]) {
  bool any = false;
  for (int h = 0; h < n->loop->count; h++) {
    const sb_loop_hook *hook = &n->hooks[h];
    for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
      y[k] -= is_structure(hook) ? p->r[k] : 0;
      any = any || (is_structure(hook) && p->r[k] != 0);
    }
  }
  return any;
}

// Where efforts circulate, they may be small beside the rates that are solved for with them: what one structure gives another is followed
// from one to the next.
void sb_newton_give(const sb_newton *n, sb_newton_point *p, double y[]) {
  for (int k = 0; give(n, p, y) && p->shared && k < n->loop->count; k++) {
    if (sb_newton_at(n, y, p) != 0) {
      break;
    }
  }
}

bool sb_newton_cancels(const sb_newton *n) {
  bool any = false;
  for (int h = 0; h < n->loop->count; h++) {
    any = any || n->hooks[h].op.kind == SB_OP_BALANCE || sb_newton_is_of_contact(n, &n->hooks[h]);
  }
  return any;
}

/** Whether every residual is at most this fraction of what it is the difference of.
 *  @param more  (m) rounding that it inherits; NULL: none */
static bool all_below(double fraction, const sb_newton_point *p, const double more[], int m) {
  for (int k = 0; k < m; k++) {
    double size = p->size[k] + p->noise[k] + (more == NULL ? 0 : more[k]);
    if (!(fabs(p->r[k]) <= fraction * size)) {
      return false;
    }
  }
  return true;
}

/** What the rounding of all residuals does to each unknown, and so to each residual: |J| |J^-1 size|. */
static bool spread_rounding(const sb_newton *n, sb_newton_point *p, const double y[],
                            double spread[]) {
  sb_newton own = *n;
  n = &own;
  double *size = sb_newton_vector(&own), *d = sb_newton_vector(&own);
  if (!sb_newton_factor(n, p, NULL)) {
    return false;
  }
  for (int k = 0; k < n->m; k++) {
    size[k] = p->size[k] + p->noise[k];
  }
  sb_newton_correct(n, p, y, size, d);
  for (int i = 0; i < n->m; i++) {
    spread[i] = 0;
    for (int k = 0; k < n->m; k++) {
      spread[i] += fabs(p->row[i] * n->matrix[i * n->m + k] * p->column[k] * d[k]);
    }
  }
  return true;
}

/** @param plain  out: residuals are small beside their own terms, and not beside the rounding that these inherit alone */
static bool solve_others(const sb_newton *n, double y[], bool *plain) {
  sb_newton own = *n;
  n = &own;
  double *d = sb_newton_vector(&own), *spread = sb_newton_vector(&own);
  sb_newton_point p = sb_newton_point_take(&own);
  *plain = false;
  if (sb_newton_at(n, y, &p) != 0) {
    return false;
  }
  for (int i = 0; i < STEPS && !all_below(rounding, &p, NULL, n->m); i++) {
    if (!sb_newton_factor(n, &p, NULL)) {
      return false;
    }
    sb_newton_correct(n, &p, y, p.r, d);
    for (int k = 0; k < n->m; k++) {
      y[k] -= d[k];
    }
    if (sb_newton_at(n, y, &p) != 0) {
      return false;
    }
  }
  *plain = all_below(solved, &p, NULL, n->m);
  const bool found =
      *plain || (spread_rounding(n, &p, y, spread) && all_below(solved, &p, spread, n->m));
  sb_newton_give(n, &p, y);
  return found;
}

// Where what drove a loop has vanished, what is left of the last solution is larger than the next one, and nothing but its rounding is
// found from there: it is solved from 0 then.
bool sb_newton_solve_affine(const sb_newton *n, double y[]) {
  const size_t size = (size_t)n->m * sizeof *y;
  sb_newton own = *n;
  double *next = sb_newton_vector(&own);
  bool plain = true;
  if (sb_newton_of_contacts(n)) {
    return sb_newton_solve_contacts(n, y);
  }
  memcpy(next, y, size);
  const bool found = solve_others(&own, next, &plain);
  if (found) {
    memcpy(y, next, size);
  }
  if (found && plain) {
    return true;
  }
  memset(next, 0, size);
  const bool again = solve_others(&own, next, &plain);
  if (again && (plain || !found)) {
    memcpy(y, next, size);
  }
  return found || again;
}
