// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/live_part.h"

/** What steady sources give, which cannot fail. */
static void compute_steady(sb_workspace *work) {
  for (int i = 0; i < work->program->op_count; i++) {
    const sb_op *op = &work->program->ops[i];
    if (sb_live_is_steady(work->network, op)) {
      (void)sb_operations[op->kind].run(work, op, 0, work->evaluation.x, NULL);
    }
  }
}

sb_at sb_live_at(const sb_workspace *work, int index, double t, const double x[]) {
  const sb_live *live = &work->live;
  sb_at at = sb_at_instance(work, &work->network->instances[index], t, x);
  if (work->running == &live->part) {
    at.in = work->values + live->source[index];
    at.ports = live->first_port[index] < 0 ? NULL : live->port + live->first_port[index];
  }
  return at;
}

/** The hook of an operation itself, or its law. */
static void find_hook(const sb_instance *instance, const sb_op *op, sb_call *call) {
  const sb_element_type *type = instance->type;
  switch (op->kind) {
  case SB_OP_OUTPUT:
    call->hook = type->storage->output;
    break;
  case SB_OP_RATE:
    call->hook = type->storage->rate;
    break;
  case SB_OP_FORWARD:
    call->hook = type->structure->forward;
    break;
  case SB_OP_ADJOINT:
    call->hook = type->structure->adjoint;
    break;
  case SB_OP_LAW:
  case SB_OP_VALUE:
    call->law = type->dissipation != NULL ? type->dissipation->law : NULL;
    break;
  default:
    break;
  }
}

static sb_call call_of(const sb_workspace *work, const sb_op *op) {
  const sb_operation *operation = &sb_operations[op->kind];
  const sb_instance *instance = &work->network->instances[op->instance];
  int first = operation->gives == SB_COMPONENTS_NONE ? instance->signal : instance->out;
  first = operation->dot ? sb_rate_value(work->network, first) : first;
  sb_call call = {.at = sb_live_at(work, op->instance, 0, work->evaluation.x),
                  .self = instance->self,
                  .out = operation->gives_xdot ? NULL : work->values + first,
                  .state = instance->state};
  find_hook(instance, op, &call);
  return call;
}

/** States whose rates hooks give. */
static void note_rated(sb_live *live, const sb_instance *instance) {
  sb_span *last = live->rated_count > 0 ? &live->rated[live->rated_count - 1] : NULL;
  if (last != NULL && last->first + last->count == instance->state) {
    last->count += instance->layout.states;
  } else {
    live->rated[live->rated_count++] = (sb_span){instance->state, instance->layout.states};
  }
}

/** All that the hooks take but the time and the state. */
static void look(sb_workspace *work) {
  sb_live *live = &work->live;
  live->rated_count = 0;
  for (int i = 0; i < work->network->integral_count; i++) {
    live->integral_call[i] = -1;
  }
  for (int i = 0; i < live->port_count; i++) {
    live->port[i] = work->values + live->port_source[i];
  }
  for (int i = 0; i < live->part.op_count; i++) {
    const sb_op *op = &live->part.ops[i];
    live->calls[i] =
        sb_operations[op->kind].hook != NULL ? call_of(work, op) : (sb_call){.hook = NULL};
    if (op->kind == SB_OP_RATE) {
      note_rated(live, &work->network->instances[op->instance]);
    } else if (live->calls[i].law != NULL && work->network->instances[op->instance].integral >= 0) {
      live->integral_call[sb_integral_number(work->network, op->instance)] = i;
    }
  }
}

const sb_program *sb_live_renew(sb_workspace *work) {
  sb_live *live = &work->live;
  if (!live->possible || work->program->operations != sb_operations) {
    return work->program;
  }
  work->running = &live->part;
  if (!sb_live_adapts(live, work->network, work->program, work->modes)) {
    compute_steady(work);
    sb_live_make(live, work->network, work->program, work->modes, work->values);
  }
  look(work);
  return &live->part;
}
