// SPDX-License-Identifier: GPL-3.0-or-later
// Viscous part of a contact, eq (29): W_dis = g(depth) B T_dis with B = diag(b_t, b_t, b_n, b_theta),
// passive as every factor is >= 0 (unlike the paper's eq (30), which can give power). A law with a clamp has
// the normal force max(0, f_el + f_d): where that is 0, the damper takes what the spring gives, f_d = -f_el
// in place of a pull below it, and dissipates f_el times the speed of parting, >= 0; as it does while a surface that
// the bodies have left recovers.
#include <math.h>

#include "contact/parts.h"
#include "core/graph/element.h"

static int law(const void *self, const sb_at *at, sb_variable assigned, double y[]) {
  (void)assigned;
  const sb_contact_damper_data *d = self;
  const sb_contact_frame *frame = sb_contact_frame_of(at);
  double normal = 0;
  if (frame->clamped != 0) {
    (void)sb_contact_law_energy(&d->law, frame->skin.k_n, -frame->gap, at->branches, &normal);
  } else if (frame->active != 0) {
    normal = -sb_contact_law_viscous(&d->law, frame->skin.b_n, -frame->gap, -at->in[SB_CONTACT_Z],
                                     at->branches);
  }
  y[SB_CONTACT_Z] = normal;
  if (frame->active == 0) {
    y[SB_CONTACT_X] = y[SB_CONTACT_Y] = y[SB_CONTACT_THETA] = 0;
    return 0;
  }
  double scale = sb_contact_law_damping(&d->law, -frame->gap);
  double sticking = d->law.slips ? 1 : scale; // what slips needs a damping that does not vanish
  const double *B = frame->skin.drag, *v = at->in;
  y[SB_CONTACT_X] = sticking * (B[0] * v[SB_CONTACT_X] + B[1] * v[SB_CONTACT_Y]);
  y[SB_CONTACT_Y] = sticking * (B[1] * v[SB_CONTACT_X] + B[2] * v[SB_CONTACT_Y]);
  y[SB_CONTACT_THETA] = sticking * frame->skin.b_theta * at->in[SB_CONTACT_THETA];
  return 0;
}

/** What is held at zero is the force of the spring, by a gap that is a difference of places and ends at a time: to the rounding of
 *  these and of the way since t = 0 it is known, with the stiffness there. Likewise a damping that ends with the gap. */
static double terms(const void *self, const sb_at *at) {
  const sb_contact_damper_data *d = self;
  const sb_contact_frame *frame = sb_contact_frame_of(at);
  const double way = fabs(at->in[SB_CONTACT_Z] * at->t);
  const double place = sb_vec3_norm(frame->pose.position) + way, least = 4 * DBL_EPSILON * place;
  double force = 0;
  if (!(least > 0) || (frame->clamped == 0 && frame->gap <= 0)) {
    return 0;
  }
  if (frame->clamped != 0) {
    (void)sb_contact_law_energy(&d->law, frame->skin.k_n, least, NULL, &force);
  } else {
    force = sb_contact_law_viscous(&d->law, frame->skin.b_n, least, -at->in[SB_CONTACT_Z], NULL);
  }
  return fabs(force) / least * place * fabs(at->in[SB_CONTACT_Z]);
}

static const sb_dissipation_hooks hooks = {.law = law, .terms = terms};
static const sb_param params[] = {SB_CONTACT_EXPRESSIONS(sb_contact_damper_data, true, true), {0}};
static const sb_port_spec ports[] = {
    {"p", .dim = SB_CONTACT_DIM, .domain = "contact", .output = SB_EFFORT}, {0}};
static const sb_signal_spec signals[] = {
    {.name = "frame", .count = SB_CONTACT_FRAME_COUNT, .input = true}, {0}};

const sb_element_type sb_kind_contact_damper = {.name = "contact-damper",
                                                .help =
                                                    "viscous part of a contact (made by contact)",
                                                .role = SB_DISSIPATION,
                                                .size = sizeof(sb_contact_damper_data),
                                                .params = params,
                                                .ports = ports,
                                                .signals = signals,
                                                .idles_with = 1,
                                                .dissipation = &hooks};
