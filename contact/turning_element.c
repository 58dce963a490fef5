// SPDX-License-Identifier: GPL-3.0-or-later
// The resistance of turning.h as a part of a contact: a dissipation at a port of its own of the structure, between the
// relative angular velocity in the contact frame and a moment. The normal force is a signal, so that no algebraic loop arises.
#include <math.h>
#include <string.h>

#include "contact/parts.h"

static const sb_contact_frame *frame_of(const sb_at *at) {
  return (const sb_contact_frame *)(const void *)at->signals[0];
}

static int law(const void *self, const sb_at *at, sb_variable assigned, double y[]) {
  (void)assigned;
  const sb_contact_turning_data *d = self;
  const sb_contact_frame *frame = frame_of(at);
  double pull;
  memset(y, 0, SB_TURNING_DIM * sizeof *y);
  if (frame->active != 0) {
    const double f_n =
        sb_contact_normal_force(&d->law, &frame->skin, frame->gap, frame->twist.z, &pull);
    sb_turning_moment(&d->law.turning, frame->pushing != 0 ? fmax(f_n, 0) : 0, at->in, y);
  }
  return 0;
}

enum { MOMENT, ROLLING, SPIN };
static const sb_quantity_spec quantities[] = {
    {"moment", SB_TURNING_DIM, "N m",
     "on body 1, along the axes of the contact frame, the normal last"},
    {"rolling-power", 1, "W", "that the resistance to rolling takes"},
    {"spin-power", 1, "W", "that the resistance to spinning takes"},
    {0}};

static void measure(const void *self, const sb_at *at, int quantity, double out[]) {
  double moment[SB_TURNING_DIM];
  const double *w = at->in;
  (void)law(self, at, SB_FLOW, moment);
  if (quantity == MOMENT) {
    memcpy(out, moment, sizeof moment);
  } else {
    out[0] = quantity == ROLLING ? moment[0] * w[0] + moment[1] * w[1] : moment[2] * w[2];
  }
}

static const sb_dissipation_hooks hooks = {.law = law};
static const sb_param params[] = {SB_CONTACT_EXPRESSIONS(sb_contact_turning_data), {0}};
static const sb_port_spec ports[] = {
    {"p", .dim = SB_TURNING_DIM, .domain = "rotation", .output = SB_EFFORT}, {0}};
static const sb_signal_spec signals[] = {
    {.name = "frame", .count = SB_CONTACT_FRAME_COUNT, .input = true}, {0}};

const sb_element_type sb_kind_contact_turning = {
    .name = "contact-turning",
    .help = "resistance of a contact to rolling and spinning (made by contact)",
    .role = SB_DISSIPATION,
    .size = sizeof(sb_contact_turning_data),
    .params = params,
    .ports = ports,
    .signals = signals,
    .measures = {.quantities = quantities, .measure = measure},
    .idles_with = 1,
    .dissipation = &hooks};
