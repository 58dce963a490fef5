// SPDX-License-Identifier: GPL-3.0-or-later
// A loop y = hooks(b + A y) at some y: inputs and outputs of its hooks, and its residual.
#include <math.h>
#include <string.h>

#include "core/loop/newton_private.h"

static double *input_at(const sb_newton *n, int input) {
  int value = n->inputs[input];
  return &n->work->values[value < 0 ? -1 - value : value];
}

void sb_newton_feed(const sb_newton *n, const sb_loop_hook *hook, const double u[]) {
  for (int k = hook->first_input; k < hook->first_input + hook->input_count; k++) {
    *input_at(n, k) = u[k];
  }
}

int sb_newton_run(const sb_newton *n, const sb_loop_hook *hook, const double u[]) {
  sb_newton_feed(n, hook, u);
  if (sb_workspace_stopped(n->work)) {
    return -1; // all searches go through here
  }
  return n->work->program->operations[hook->op.kind].run(n->work, &hook->op, n->t, n->x, NULL);
}

double sb_newton_input(const sb_newton *n, int input, const double y[], double *terms) {
  double sum = n->b[input], size = fabs(sum);
  const sb_loop_term *terms_of = n->terms + n->rows[input].first;
  for (int j = 0; j < n->rows[input].count; j++) {
    double term = terms_of[j].factor * y[terms_of[j].column];
    sum += term;
    size += fabs(term);
  }
  *terms = size;
  return sum;
}

bool sb_newton_is_condition(const sb_loop_hook *hook) {
  return sb_operation_is_condition(hook->op.kind);
}

bool sb_newton_is_of_contact(const sb_newton *n, const sb_loop_hook *hook) {
  const sb_switching_hooks *switching =
      n->work->network->instances[hook->op.instance].type->switching;
  return switching != NULL && switching->unilateral != NULL;
}

bool sb_newton_has_conditions(const sb_newton *n) {
  bool any = false;
  for (int h = 0; h < n->loop->count; h++) {
    any = any || sb_newton_is_condition(&n->hooks[h]);
  }
  return any;
}

bool sb_newton_hook(const sb_newton *n, int h, double y[]) {
  const sb_loop_hook *hook = &n->hooks[h];
  sb_newton own = *n;
  double *u = sb_newton_take(&own, n->loop->input_count), terms;
  for (int i = hook->first_input; i < hook->first_input + hook->input_count; i++) {
    u[i] = sb_newton_input(n, i, y, &terms);
  }
  bool finite = sb_newton_run(&own, hook, u) == 0;
  for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
    y[k] = n->work->values[n->outputs[k]];
    finite = finite && isfinite(y[k]);
  }
  return finite;
}

int sb_newton_at(const sb_newton *n, double y[], sb_newton_point *p) {
  for (int i = 0; i < n->loop->input_count; i++) {
    p->u[i] = sb_newton_input(n, i, y, &p->terms[i]);
  }
  for (int h = 0; h < n->loop->count; h++) {
    const sb_loop_hook *hook = &n->hooks[h];
    if (sb_newton_run(n, hook, p->u) != 0) {
      return -1;
    }
    for (int k = hook->first_output; k < hook->first_output + hook->output_count; k++) {
      double out = n->work->values[n->outputs[k]];
      if (sb_newton_is_condition(hook)) {
        p->r[k] = p->u[hook->first_input];
        p->size[k] = p->terms[hook->first_input];
      } else {
        y[k] = n->work->program->loop_feeds[n->loop->first_output + k] ? y[k] : out;
        p->r[k] = y[k] - out;
        p->size[k] = fabs(y[k]) + fabs(out);
      }
      if (!isfinite(p->r[k])) {
        return -1;
      }
    }
  }
  return 0;
}

int sb_newton_residual(const sb_newton *n, double y[], double r[], double size[]) {
  sb_newton own = *n;
  sb_newton_point p = sb_newton_point_take(&own);
  int status = sb_newton_at(&own, y, &p);
  memcpy(r, p.r, (size_t)n->m * sizeof *r);
  memcpy(size, p.size, (size_t)n->m * sizeof *size);
  return status;
}

sb_newton_point sb_newton_point_take(sb_newton *own) {
  int inputs = own->loop->input_count;
  sb_newton_point p = {.u = sb_newton_take(own, inputs),
                       .terms = sb_newton_take(own, inputs),
                       .r = sb_newton_vector(own),
                       .size = sb_newton_vector(own),
                       .noise = sb_newton_vector(own),
                       .matter = sb_newton_vector(own),
                       .row = sb_newton_vector(own),
                       .column = sb_newton_vector(own)};
  memset(p.noise, 0, (size_t)own->m * sizeof *p.noise);
  return p;
}

sb_newton sb_newton_begin(sb_workspace *work, int index, double t, const double x[]) {
  const sb_program *p = work->program;
  const sb_loop *loop = &p->loops[index];
  int m = loop->output_count;
  return (sb_newton){.work = work,
                     .loop = loop,
                     .index = index,
                     .hooks = p->loop_hooks + loop->first,
                     .inputs = p->loop_inputs + loop->first_input,
                     .outputs = p->loop_outputs + loop->first_output,
                     .rows = p->loop_rows + loop->first_input,
                     .terms = p->loop_terms,
                     .b = work->loops.b + loop->first_input,
                     .matrix = work->loops.matrices,
                     .lu = work->loops.matrices + m * m,
                     .columns = (int *)(void *)(work->loops.matrices + 3 * m * m),
                     .reference = work->loops.reference + loop->first_output,
                     .strength = work->loops.strength + loop->first_output,
                     .m = m,
                     .t = t,
                     .x = x,
                     .room = work->loops.room,
                     .end = work->loops.room + work->loops.room_size};
}

void sb_newton_leave(const sb_newton *n, const double y[]) {
  double terms;
  for (int i = 0; i < n->loop->input_count; i++) {
    *input_at(n, i) = sb_newton_input(n, i, y, &terms);
  }
  for (int k = 0; k < n->m; k++) {
    n->work->values[n->outputs[k]] = y[k];
  }
}
