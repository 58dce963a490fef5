// SPDX-License-Identifier: GPL-3.0-or-later
// Copies the contents of a workspace to that of the network that follows in the run, element by element of the same id.
#include <string.h>

#include "core/program/workspace.h"

static void copy(double to[], int at, const double from[], int was, int count) {
  if (count > 0) {
    memcpy(to + at, from + was, (size_t)count * sizeof *to);
  }
}

static void succeed_instance(sb_workspace *work, sb_workspace *before, const sb_instance *own,
                             const sb_instance *was) {
  if (own->mode >= 0) {
    work->modes[own->mode] = before->modes[was->mode];
    copy(work->discrete, own->discrete, before->discrete, was->discrete,
         own->type->switching->discrete_states);
  }
  copy(work->inputs, own->input, before->inputs, was->input, own->input_count);
  copy(work->branches.held, own->branch, before->branches.held, was->branch, own->branch_count);
  copy(work->branches.band, own->branch, before->branches.band, was->branch, own->branch_count);
  copy(work->values, own->signal, before->values, was->signal, own->signal_count);
  for (int k = 0; k < 2; k++) {
    const sb_variable of = k == 0 ? SB_EFFORT : SB_FLOW;
    work->rest[sb_rest_place(work->network, own, of)] =
        before->rest[sb_rest_place(before->network, was, of)];
  }
  if (own->hooked) {
    sb_succession_components(own, was, before->values + was->out, work->values + own->out);
    sb_succession_components(own, was, before->values + was->in, work->values + own->in);
  }
  if (own->delay >= 0) {
    work->past[own->delay] = before->past[was->delay];
    before->past[was->delay] = (sb_history){0};
  }
}

/** The accepted solutions of loops: those that last stand where they stood. */
static void succeed_loops(sb_workspace *work, const sb_workspace *before) {
  const sb_program *own = work->program, *was = before->program;
  for (int k = 0; k < own->loop_output_count; k++) {
    for (int i = 0; i < was->loop_output_count; i++) {
      if (own->loop_outputs[k] == was->loop_outputs[i]) {
        work->loops.start_y[k] = before->loops.start_y[i];
        work->loops.reference[k] = before->loops.reference[i];
        work->loops.strength[k] = before->loops.strength[i];
      }
    }
  }
}

sb_status sb_workspace_succeed(sb_workspace *work, sb_workspace *before, const sb_succession *s,
                               sb_errors *errors) {
  bool commutated = false;
  for (int i = 0; i < s->to->instance_count; i++) {
    const sb_instance *own = &s->to->instances[i];
    if (s->before[i] >= 0) {
      succeed_instance(work, before, own, &s->from->instances[s->before[i]]);
    }
    commutated = commutated || (sb_instance_commutates(own) &&
                                work->modes[own->mode] != work->start_modes[own->mode]);
  }
  work->inside = before->inside;
  work->rest_fraction = before->rest_fraction;
  work->rhs_count = before->rhs_count;
  work->stop = before->stop;
  sb_workspace_changed(work);
  if (commutated) {
    SB_TRY(sb_workspace_recompile(work, errors));
  }
  succeed_loops(work, before);
  return SB_OK;
}
