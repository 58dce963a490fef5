// SPDX-License-Identifier: GPL-3.0-or-later
// What a rigid contact holds, and Coulomb's friction on what slides.
#include <math.h>

#include "contact/rigid_private.h"

/** The cosine of the turns of a slip in a step from which on friction does not follow it. */
static const double lost = 0.87;
static const sb_param params[] = {SB_CONTACT_EXPRESSIONS(sb_contact_data, false, false), {0}};

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
    .switching = &hold_switching,
    .component = true};

// ---- Coulomb's friction

/** The direction of the friction: that of the slip v, which turns little in a step from its direction s at the start of the step
 *  (rigid_modes.c). What has turned further belongs to stages of a step behind the end of the slip. There the friction is along s, and
 *  the slip falls through zero; friction that turned with these stages would hold it at a speed that comes from the length of the
 *  step alone. What waits for a slip that is imposed has s = 0, and no friction below `still`. */
static void direct(const double v[2], const double s[2], double still, double d[2]) {
  const double speed = hypot(v[0], v[1]), along = v[0] * s[0] + v[1] * s[1];
  const bool waits = s[0] == 0 && s[1] == 0;
  const double cosine = speed > 0 && !waits ? along / speed : 1;
  const double fast = speed > still ? fmin((speed / still - 1) / (SB_SLIP_FOLLOWS - 1), 1) : 0;
  const double own = fast * fmin(fmax((cosine - lost) / (SB_RIGID_FOLLOWED - lost), 0), 1);
  d[0] = own * v[0] + (1 - own) * speed * s[0];
  d[1] = own * v[1] + (1 - own) * speed * s[1];
  const double length = hypot(d[0], d[1]);
  d[0] = length > 0 ? d[0] / length : s[0];
  d[1] = length > 0 ? d[1] / length : s[1];
}

void sb_rigid_turn(const sb_rigid_frame *frame, double t, double slip[2]) {
  const double angle = frame->drift * (t - frame->begun);
  const double s[2] = {frame->slip[0], frame->slip[1]};
  const double c = angle == 0 ? 1 : cos(angle), n = angle == 0 ? 0 : sin(angle);
  slip[0] = c * s[0] - n * s[1];
  slip[1] = c * s[1] + n * s[0];
}

/** mu N against the slip; the effort acts on body 1, and so is along the velocity of body 2. */
static int rub(const void *self, const sb_at *at, sb_variable assigned, double y[]) {
  (void)assigned;
  const sb_contact_data *s = self;
  const sb_rigid_frame *frame = (const sb_rigid_frame *)(const void *)at->signals[0];
  const double force = frame->slides != 0 ? s->law.mu * -*at->signals[1] : 0;
  double s_now[2], d[2];
  sb_rigid_turn(frame, at->t, s_now);
  direct(at->in, s_now, frame->still, d);
  y[0] = force * d[0];
  y[1] = force * d[1];
  return 0;
}

/** At the end of a slip its velocity is rounding of those that it is the difference of, and where it lets go its normal force is
 *  rounding of the largest. */
static double terms(const void *self, const sb_at *at) {
  const sb_contact_data *s = self;
  const sb_rigid_frame *frame = (const sb_rigid_frame *)(const void *)at->signals[0];
  return s->law.mu * fmax(fabs(*at->signals[1]), frame->force) * frame->speeds;
}

/** A contact that pulls lets go: an event is located there. Of what drags, the normal force may come to that through infinity. */
static bool pulls(const void *self, const sb_at *at) {
  (void)self;
  return *at->signals[1] > 0; // on body 1
}

static const sb_dissipation_hooks rub_hooks = {
    .law = rub, .terms = terms, .ended = pulls, .affine = true};
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
