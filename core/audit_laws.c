// SPDX-License-Identifier: GPL-3.0-or-later
// Did the solver use what the elements state? At every sample each element is asked once more by its
// own hooks, apart from the equations and the program that the right-hand side was made of:
//   structures    kernel rows, with the port variables; bonds at a shared port share its power
//   linear        y = K x or e = R f by the matrix, and by output() or law() where the kind has both
//   storages      output() and rate() at the port's variables, motion() where there is one
//   dissipations  law(), and back again by the law of the other causality
//   sources       value(), and that rate() is its derivative
//   impacts       the energy of the lost velocities, and voltages, is what is lost (Carnot)
// Inputs are known to rounding. What a law makes of that is found by moving them, and taken off.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "core/audit_private.h"

/** How far inputs are moved, as a part of what their rounding is a part of. */
static const double input_rounding = 4 * DBL_EPSILON;
/** How far a law's argument is moved to see the rounding of the law itself, and what is allowed as a
 *  multiple of it. */
static const double law_step = 1e-9, law_rounding = 8;

/** Differences below this are the rounding of denormals. */
static const double least = DBL_MIN / DBL_EPSILON;

/** Notes a difference relative to what it is the difference of. */
static void note(sb_audit *a, int index, double off, double size) {
  if (off > least) {
    sb_audit_note(a, index, size > 0 ? off / size : 1);
  }
}

static double port_value(const sb_audit *a, const sb_part *part, int k, sb_variable variable) {
  return variable == SB_EFFORT ? a->work->cells[sb_effort_var(part, k)]
                               : a->work->cells[sb_flow_var(part, k)] * part->signs[k];
}

static double port_size(const sb_audit *a, const sb_part *part, int k, sb_variable variable) {
  return a->sizes[variable == SB_EFFORT ? sb_effort_var(part, k) : sb_flow_var(part, k)];
}

/** What a port gives, in the present causality. */
static sb_variable output_of(const sb_audit *a, int index, int component) {
  const sb_part *part = &a->model->parts[index];
  return sb_output_given(part->layout.ports[sb_port_of(part, component)].output,
                         a->work->program->causality.given[index]);
}

static sb_variable other(sb_variable variable) {
  return variable == SB_EFFORT ? SB_FLOW : SB_EFFORT;
}

sb_status sb_audit_laws_init(sb_audit *a) {
  int n = 0;
  for (int i = 0; i < a->model->part_count; i++) {
    const sb_part *part = &a->model->parts[i];
    int states = part->layout.states, most = part->components > states ? part->components : states;
    most = part->signal_count > most ? part->signal_count : most;
    n = most > n ? most : n;
  }
  a->in = sb_zeroed(6 * n, sizeof(double));
  a->largest = sb_zeroed(a->model->part_count, sizeof(double));
  a->before = sb_zeroed(a->model->state_count, sizeof(double));
  if (a->in == NULL || a->largest == NULL || a->before == NULL) {
    return SB_ERR_MEMORY;
  }
  a->said = a->in + n;
  a->moved = a->said + n;
  a->spread = a->moved + n;
  a->own = a->spread + n;
  a->back = a->own + n;
  return SB_OK;
}

void sb_audit_laws_finish(sb_audit *a) {
  free(a->in);
  free(a->largest);
  free(a->before);
  sb_kernel_finish(&a->kernel);
}

/** +1 where power that comes along the bond counts positive at its end, by the rule of element.h. */
static double stated_sign(const sb_part *part, bool arrives) {
  bool one = part->layout.port_count == 1 && !part->type->ports[0].many;
  bool takes = part->type->role == SB_STORAGE || part->type->role == SB_DISSIPATION ||
               (part->type->role == SB_STRUCTURE && one);
  return takes == arrives ? 1 : -1;
}

static void check_end(sb_audit *a, int index, int port, int cell, bool arrives) {
  const sb_part *part = &a->model->parts[index];
  double sign = 0;
  if (part->cells[part->first[port]] == cell) {
    sign = part->signs[part->first[port]];
  }
  for (int s = 0; s < a->model->shared_count; s++) {
    const sb_shared_port *shared = &a->model->shared[s];
    for (int b = shared->part == index && shared->port == port ? shared->head : -1; b >= 0;
         b = a->model->shared_bonds[b].next) {
      sign = a->model->shared_bonds[b].cell == cell ? a->model->shared_bonds[b].sign : sign;
    }
  }
  sb_audit_note(a, index, sign == stated_sign(part, arrives) ? 0 : 1);
}

void sb_audit_bonds(sb_audit *a) {
  for (int i = 0; i < a->model->bond_count; i++) {
    const sb_model_bond *bond = &a->model->bonds[i];
    check_end(a, bond->from, bond->from_port, bond->cell, false);
    check_end(a, bond->to, bond->to_port, bond->cell, true);
  }
}

/** The rows of a constant structure as its kernel() states them, each relative to its own terms. */
static void check_kernel(sb_audit *a, int index) {
  const sb_part *part = &a->model->parts[index];
  sb_at at = {.mode = part->mode < 0 ? 0 : a->work->modes[part->mode]};
  double *sum = a->in, *size = a->said;
  memset(sum, 0, (size_t)part->components * sizeof *sum);
  memset(size, 0, (size_t)part->components * sizeof *size);
  a->kernel.count = 0;
  part->type->structure->kernel(part->self, &at, &part->layout, &a->kernel);
  for (int i = 0; i < a->kernel.count; i++) {
    const sb_kernel_entry *k = &a->kernel.entries[i];
    sum[k->row] += k->value * port_value(a, part, k->component, k->variable);
    size[k->row] += fabs(k->value) * port_size(a, part, k->component, k->variable);
  }
  for (int row = 0; row < part->components; row++) {
    note(a, index, fabs(sum[row]), size[row]);
  }
}

/** Bonds that meet at a port bring what it takes. */
static void check_shared(sb_audit *a, const sb_shared_port *shared, double elapsed) {
  const sb_part *part = &a->model->parts[shared->part];
  const double *cells = a->work->cells, *sizes = a->sizes;
  double sum = 0, size = 0;
  for (int k = 0; k < part->layout.ports[shared->port].dim; k++) {
    int own = 2 * part->cells[part->first[shared->port] + k];
    sum -= cells[own] * cells[own + 1];
    for (int b = shared->head; b >= 0; b = a->model->shared_bonds[b].next) {
      const sb_shared_bond *bond = &a->model->shared_bonds[b];
      int e = 2 * (bond->cell + k), f = e + 1;
      sum += cells[e] * cells[f] * bond->sign;
      size += sizes[e] * fabs(cells[f]) + fabs(cells[e]) * sizes[f];
    }
  }
  note(a, shared->part, fabs(sum), size);
  a->blame[shared->part] += fabs(sum) * elapsed;
}

/** Row `i` of K x or R f, and the sum of the absolute values of its terms. */
static double row_of(const sb_audit *a, const sb_part *part, int i, const double x[],
                     double *size) {
  double sum = 0;
  *size = 0;
  for (int k = 0; k < part->components; k++) {
    double factor = part->matrix[i * part->components + k];
    bool state = part->type->role == SB_STORAGE;
    sum += factor * (state ? x[part->state + k] : port_value(a, part, k, SB_FLOW));
    *size += fabs(factor) * (state ? fabs(x[part->state + k]) : port_size(a, part, k, SB_FLOW));
  }
  return sum;
}

/** A linear element: its matrix, and what its hooks say besides. */
static void check_linear(sb_audit *a, int index, double t, const double x[]) {
  const sb_part *part = &a->model->parts[index];
  const sb_element_type *type = part->type;
  bool storage = type->role == SB_STORAGE, says = false;
  sb_at at = sb_at_part(a->work, part, t, x);
  for (int k = 0; k < part->components; k++) {
    a->in[k] = storage ? 0 : port_value(a, part, k, SB_FLOW);
  }
  at.in = a->in;
  if (storage && type->storage->output != NULL) {
    says = type->storage->output(part->self, &at, a->said) == 0;
  } else if (!storage && type->dissipation->law != NULL) {
    says = type->dissipation->law(part->self, &at, SB_FLOW, a->said) == 0;
  }
  for (int k = 0; k < part->components; k++) {
    double size, y = row_of(a, part, k, x, &size);
    sb_variable output = storage ? output_of(a, index, k) : SB_EFFORT;
    // A tied storage follows the others to the rounding of all its motion, not of the moment.
    size = fmax(fmax(size, port_size(a, part, k, output)), storage ? a->amplitude[index] : 0);
    double off = fabs(y - port_value(a, part, k, output));
    off = says ? fmax(off, fabs(y - a->said[k])) : off;
    note(a, index, off, size);
  }
}

/** Whether all that ties storages is storages. */
static bool ties_hold_no_source(const sb_audit *a) {
  const sb_causality *c = &a->work->program->causality;
  int values = sb_value_var(a->model, 0);
  bool none = true;
  for (int i = 0; i < c->constraint_term_count; i++) {
    none = none && c->constraint_terms[i].var < values;
  }
  return none;
}

/** With C x+ = 0 and x+ - x- = K^-1 C^T lambda the part x+.K(x+ - x-) of the loss is zero, and what
 *  remains of H(x-) - H(x+) is H(x+ - x-). */
void sb_audit_impact(sb_audit *a, const double x[]) {
  double lost = 0, changed = 0, size = 0, most = 0;
  int worst = -1;
  for (int i = 0; i < a->model->part_count; i++) {
    const sb_part *part = &a->model->parts[i];
    if (part->type->role != SB_STORAGE || !part->linear) {
      continue;
    }
    double own = 0;
    for (int k = 0, d = part->components; k < d; k++) {
      double y = 0;
      for (int j = 0; j < d; j++) {
        int n = part->state + j;
        y += part->matrix[k * d + j] * (x[n] - a->before[n]);
      }
      own += 0.5 * y * (x[part->state + k] - a->before[part->state + k]);
    }
    worst = own > most ? i : worst;
    most = fmax(most, own);
    changed += own;
    lost += a->energy[i] - a->after[i];
    size += fabs(a->energy[i]) + fabs(a->after[i]);
  }
  if (worst >= 0 && ties_hold_no_source(a)) {
    note(a, worst, fabs(lost - changed), size);
  }
}

/** The hook that reads the port: rate() or law(), into y. */
static int ask(const sb_part *part, sb_at at, const double in[], sb_variable given, double y[]) {
  at.in = in;
  return part->type->role == SB_STORAGE ? part->type->storage->rate(part->self, &at, y)
                                        : part->type->dissipation->law(part->self, &at, given, y);
}

/** What the hook says at the port's variables, and how far their rounding moves that. */
static bool ask_around(sb_audit *a, int index, const sb_at *at, int count) {
  const sb_part *part = &a->model->parts[index];
  sb_variable given = other(output_of(a, index, 0));
  for (int k = 0; k < part->components; k++) {
    a->in[k] = port_value(a, part, k, other(output_of(a, index, k)));
  }
  if (ask(part, *at, a->in, given, a->said) != 0) {
    return false;
  }
  memset(a->spread, 0, (size_t)count * sizeof(double));
  for (int k = 0; k < part->components; k++) {
    double kept = a->in[k];
    double size = port_size(a, part, k, other(output_of(a, index, k)));
    a->in[k] = kept + input_rounding * size;
    int status = ask(part, *at, a->in, given, a->moved);
    a->in[k] = kept;
    for (int i = 0; status == 0 && i < count; i++) {
      a->spread[i] += fabs(a->moved[i] - a->said[i]) + DBL_EPSILON * fabs(a->said[i]);
    }
  }
  return true;
}

/** Notes the largest difference of `used` and what was said, beyond what rounding explains. */
static void note_said(sb_audit *a, int index, const double used[], int count, double size) {
  double off = 0;
  for (int i = 0; i < count; i++) {
    double own = fmax(fmax(fabs(used[i]), fabs(a->said[i])), size);
    double beyond = fabs(used[i] - a->said[i]) - a->spread[i];
    off = beyond > least ? fmax(off, beyond / own) : off;
  }
  sb_audit_note(a, index, off);
}

/** What the port gives must be what output() says: the same numbers. */
static void check_output(sb_audit *a, int index) {
  const sb_part *part = &a->model->parts[index];
  for (int k = 0; k < part->components; k++) {
    double y = port_value(a, part, k, output_of(a, index, k));
    note(a, index, fabs(y - a->said[k]), fmax(fabs(y), fabs(a->said[k])));
  }
}

static void check_storage(sb_audit *a, int index, double t, const double x[], const double xdot[]) {
  const sb_part *part = &a->model->parts[index];
  const sb_storage_hooks *hooks = part->type->storage;
  sb_at at = sb_at_part(a->work, part, t, x);
  at.own = a->own;
  if (hooks->output(part->self, &at, a->said) != 0) {
    return;
  }
  check_output(a, index);
  if (ask_around(a, index, &at, part->layout.states)) {
    note_said(a, index, xdot + part->state, part->layout.states, 0);
  }
  if (hooks->motion != NULL) {
    for (int k = 0; k < part->components; k++) {
      a->said[k] = port_value(a, part, k, output_of(a, index, k));
    }
    at.in = a->work->values + part->in;
    sb_audit_note(a, index, hooks->motion(part->self, &at, a->said, xdot + part->state));
  }
}

/** From y back to u by the law of the other causality; one of the two must come back. */
static void check_inverse(sb_audit *a, int index, const sb_at *at, double u, double y) {
  const sb_part *part = &a->model->parts[index];
  sb_variable output = output_of(a, index, 0);
  double v, again, around[5], noise = 0;
  if (u == 0 || ask(part, *at, &y, output, &v) != 0 ||
      ask(part, *at, &v, other(output), &again) != 0) {
    return;
  }
  for (int k = 0; k < 5; k++) {
    double moved = u * (1 + (k - 2) * law_step);
    if (ask(part, *at, &moved, other(output), &around[k]) != 0) {
      return;
    }
  }
  for (int k = 1; k < 4; k++) {
    noise = fmax(noise, fabs(around[k - 1] - 2 * around[k] + around[k + 1]));
  }
  double off = fabs(again - y) - law_rounding * noise;
  if (off > least) { // false for not-a-number, which the step has refused
    sb_audit_note(a, index,
                  fmin(off / fmax(fabs(y), fabs(again)), fabs(v - u) / fmax(fabs(u), fabs(v))));
  }
}

/** In loops laws hold to the rounding of all outputs of the loop. */
static double loop_size(const sb_audit *a, int index) {
  const sb_program *p = a->work->program;
  double largest = 0;
  for (int i = 0; i < p->loop_count; i++) {
    const sb_loop *loop = &p->loops[i];
    double size = 0;
    bool in_it = false;
    for (int k = loop->first; k < loop->first + loop->count; k++) {
      in_it = in_it || p->loop_hooks[k].op.part == index;
    }
    for (int k = loop->first_output; k < loop->first_output + loop->output_count; k++) {
      size = fmax(size, fabs(a->work->values[p->loop_outputs[k]]));
    }
    largest = in_it ? fmax(largest, size) : largest;
  }
  return largest;
}

static void check_law(sb_audit *a, int index, double t, const double x[]) {
  const sb_part *part = &a->model->parts[index];
  sb_at at = sb_at_part(a->work, part, t, x);
  if (!ask_around(a, index, &at, part->components)) {
    return;
  }
  double *used = a->back;
  for (int k = 0; k < part->components; k++) {
    used[k] = port_value(a, part, k, output_of(a, index, k));
    a->largest[index] = fmax(a->largest[index], fabs(used[k]));
  }
  double y = a->said[0];
  note_said(a, index, used, part->components, loop_size(a, index));
  if (part->components == 1 && part->layout.ports[0].output == SB_EITHER) {
    check_inverse(a, index, &at, a->in[0], y);
  }
}

/** The change of a source's output over a short time, against the integral of its rate by Simpson's
 *  rule over one and two halves. */
static void check_rate(sb_audit *a, int index, sb_at at, double h) {
  const sb_part *part = &a->model->parts[index];
  const sb_source_hooks *hooks = part->type->source;
  static const double weight[2][5] = {{1. / 6, 0, 4. / 6, 0, 1. / 6},
                                      {1. / 12, 4. / 12, 2. / 12, 4. / 12, 1. / 12}};
  double t = at.t, *integral = a->moved, *coarse = a->spread, *rate = a->back;
  const double *start = a->said;
  int n = part->components;
  memset(integral, 0, (size_t)n * sizeof *integral);
  memset(coarse, 0, (size_t)n * sizeof *coarse);
  for (int k = 0; k < 5; k++) {
    at.t = t + 0.25 * k * h;
    if (hooks->rate(part->self, &at, rate) != 0) {
      return;
    }
    for (int i = 0; i < n; i++) {
      coarse[i] += weight[0][k] * h * rate[i];
      integral[i] += weight[1][k] * h * rate[i];
    }
  }
  at.t = t + h;
  if (hooks->value(part->self, &at, rate) != 0) {
    return;
  }
  for (int i = 0; i < n; i++) {
    double change = rate[i] - start[i], size = fmax(fabs(change), fabs(integral[i]));
    double rounding =
        16 * DBL_EPSILON *
        ((fabs(rate[i]) + fabs(start[i])) * (1 + h) + fabs(integral[i]) * (fabs(t) / h + 1));
    double off = fabs(change - integral[i]) - fabs(integral[i] - coarse[i]) - rounding;
    note(a, index, off, size);
  }
}

static void check_source(sb_audit *a, int index, double t, const double x[], double step) {
  const sb_part *part = &a->model->parts[index];
  const sb_source_hooks *hooks = part->type->source;
  sb_at at = sb_at_part(a->work, part, t, x);
  at.own = a->own;
  if (hooks->value(part->self, &at, a->said) != 0) {
    return;
  }
  check_output(a, index);
  if (sb_part_has_rate(part) && step > 0) {
    check_rate(a, index, at, step);
  }
}

void sb_audit_laws(sb_audit *a, double t, const double x[], const double xdot[], double step,
                   double elapsed) {
  for (int i = 0; i < a->model->part_count; i++) {
    const sb_part *part = &a->model->parts[i];
    if (part->linear) {
      check_linear(a, i, t, x);
    } else if (part->type->role == SB_STRUCTURE && !part->hooked) {
      check_kernel(a, i);
    } else if (part->type->role == SB_STORAGE) {
      check_storage(a, i, t, x, xdot);
    } else if (part->type->role == SB_DISSIPATION) {
      check_law(a, i, t, x);
    } else if (part->type->role == SB_SOURCE) {
      check_source(a, i, t, x, step);
    }
  }
  for (int i = 0; i < a->model->shared_count; i++) {
    check_shared(a, &a->model->shared[i], elapsed);
  }
}
