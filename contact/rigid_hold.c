// SPDX-License-Identifier: GPL-3.0-or-later
// What a rigid contact holds, and Coulomb's friction on what slides.
#include <math.h>

#include "contact/rigid_private.h"

/** A slip slower than this fraction of the speeds that it is the difference of has the direction that it began with. */
static const double still = 1e-12;
static const sb_param params[] = {SB_CONTACT_EXPRESSIONS(sb_contact_data), {0}};

// ---- what holds

/** Apart e = 0; sliding gdot = 0 and no tangential effort; where it sticks f = 0. */
static void hold_kernel(const void *self, const sb_at *at, const sb_layout *layout,
                        sb_kernel *rows) {
  (void)self, (void)layout;
  for (int k = 0; k < 3; k++) {
    bool held = k == 0 ? at->mode != SB_APART : at->mode == SB_STICKS;
    sb_kernel_add(rows, k, k, held ? SB_FLOW : SB_EFFORT, 1);
  }
}

static const sb_structure_hooks hold_structure = {.kernel = hold_kernel};
static const sb_switching_hooks hold_switching = {.of_composite = true, .follows = true};
static const sb_port_spec hold_ports[] = {
    {"n", .dim = 1, .domain = "translation"}, {"t", .dim = 2, .domain = "translation"}, {0}};

const sb_element_type sb_kind_contact_hold = {
    .name = "contact-hold",
    .help = "constraints of a rigid contact (made by contact)",
    .role = SB_STRUCTURE,
    .size = 1,
    .ports = hold_ports,
    .structure = &hold_structure,
    .switching = &hold_switching};

// ---- Coulomb's friction

/** mu N against the slip; the effort acts on body 1, and so is along the velocity of body 2. */
static int rub(const void *self, const sb_at *at, sb_variable assigned, double y[]) {
  (void)assigned;
  const sb_contact_data *s = self;
  const sb_rigid_frame *frame = (const sb_rigid_frame *)(const void *)at->signals[0];
  const double force = frame->slides != 0 ? s->law.mu * -*at->signals[1] : 0;
  const double speed = hypot(at->in[0], at->in[1]);
  const double along = at->in[0] * frame->slip[0] + at->in[1] * frame->slip[1];
  const bool slow = !(along > still) && !(speed > still);
  y[0] = force * (slow ? frame->slip[0] : at->in[0] / speed);
  y[1] = force * (slow ? frame->slip[1] : at->in[1] / speed);
  return 0;
}

static const sb_dissipation_hooks rub_hooks = {.law = rub, .affine = true};
static const sb_port_spec rub_ports[] = {
    {"p", .dim = 2, .domain = "translation", .output = SB_EFFORT}, {0}};
static const sb_signal_spec rub_signals[] = {
    {.name = "frame", .count = SB_RIGID_FRAME_COUNT, .input = true},
    {.name = "normal", .count = 1, .input = true},
    {0}};

const sb_element_type sb_kind_contact_rub = {.name = "contact-rub",
                                             .help = "Coulomb's friction of a rigid contact "
                                                     "(made by contact)",
                                             .role = SB_DISSIPATION,
                                             .size = sizeof(sb_contact_data),
                                             .params = params,
                                             .ports = rub_ports,
                                             .signals = rub_signals,
                                             .dissipation = &rub_hooks};
