// SPDX-License-Identifier: GPL-3.0-or-later
// The friction laws of friction.h as parts of a contact: a dissipation between the tangential velocity and the load,
// and for bristles a storage beside it whose flow that dissipation gives. Both ports together take
// f_t . v - sigma0 zb . zb' of the power of the contact. The velocity, the normal force and the bristles are
// signals, so that no algebraic loop arises. The bristles are a vector in world axes that is carried along with the
// contact, as the springs of elastic.c are: zb' = Omega x zb + the rate by the law.
#include <math.h>
#include <string.h>

#include "contact/friction.h"
#include "contact/parts.h"

/** What the storage tells the dissipation. */
enum { BRISTLE_X, BRISTLE_Y, BRISTLE_DWELL, BRISTLE_SIGNAL };
enum { TANGENT = 2 };
enum { ZB = 0, DWELL = 3, STATES = 4 };

static double push_of(const sb_contact_friction_data *d, const sb_at *at) {
  return sb_contact_push(&d->law, sb_contact_frame_of(at), at->signals[1], at->branches);
}

/** The law where the contact is. @param bristle  (BRISTLE_SIGNAL) */
static void run_law(const sb_contact_friction_data *d, const sb_at *at, const double bristle[],
                    double force[], double zb_dot[], double *s_dw_dot) {
  const double v[] = {sb_contact_frame_of(at)->twist.x, sb_contact_frame_of(at)->twist.y};
  sb_friction_force(&d->law.friction, push_of(d, at), v, bristle, bristle[BRISTLE_DWELL], force,
                    zb_dot, s_dw_dot);
}

static int friction_law(const void *self, const sb_at *at, sb_variable assigned, double y[]) {
  (void)assigned;
  static const double none[BRISTLE_SIGNAL] = {0};
  const sb_contact_friction_data *d = self;
  const bool bristles = d->law.friction.kind == SB_FRICTION_BRISTLE;
  double zb_dot[TANGENT], unused;
  memset(y, 0, (size_t)(SB_CONTACT_DIM + (bristles ? TANGENT : 0)) * sizeof *y);
  if (sb_contact_frame_of(at)->active == 0) {
    return 0;
  }
  run_law(d, at, bristles ? at->signals[2] : none, y, zb_dot, &unused);
  for (int i = 0; i < TANGENT && bristles; i++) {
    y[SB_CONTACT_DIM + i] = -zb_dot[i]; // out of this element, into the bristles
  }
  return 0;
}

enum { FORCE, KAPPA };
static const sb_quantity_spec quantities[] = {
    {"force", 2, "N", "tangential, on body 1 along the axes of the contact frame"},
    {"kappa", 1, "", "v_S sigma1/(mu f_n): as printed bristles may give power below 1/2; 0 apart"},
    {0}};

static void measure(const void *self, const sb_at *at, int quantity, double out[]) {
  const sb_contact_friction_data *d = self;
  if (quantity == FORCE) {
    double y[SB_CONTACT_DIM + TANGENT];
    (void)friction_law(self, at, SB_FLOW, y);
    memcpy(out, y, TANGENT * sizeof *out);
    return;
  }
  out[0] = sb_contact_frame_of(at)->active == 0
               ? 0
               : sb_friction_kappa(&d->law.friction, push_of(d, at));
}

// ---- the bristles

static sb_vec3 tangential(const sb_at *at) {
  return sb_mat3_apply_transposed(sb_contact_frame_of(at)->pose.rotation, sb_vec3_load(at->x + ZB));
}

static int output(const void *self, const sb_at *at, double y[]) {
  const sb_contact_friction_data *d = self;
  memset(y, 0, TANGENT * sizeof *y);
  memset(at->own, 0, BRISTLE_SIGNAL * sizeof *at->own);
  if (sb_contact_frame_of(at)->active == 0) {
    return 0;
  }
  const sb_vec3 zb = tangential(at);
  at->own[BRISTLE_X] = zb.x;
  at->own[BRISTLE_Y] = zb.y;
  at->own[BRISTLE_DWELL] = at->x[DWELL];
  y[0] = d->law.friction.sigma0 * zb.x;
  y[1] = d->law.friction.sigma0 * zb.y;
  return 0;
}

static int rate(const void *self, const sb_at *at, double xdot[]) {
  const sb_contact_frame *frame = sb_contact_frame_of(at);
  memset(xdot, 0, STATES * sizeof *xdot);
  if (frame->active == 0) {
    return 0;
  }
  const sb_vec3 zb = tangential(at), slide = {at->in[0], at->in[1], 0};
  const double bristle[] = {zb.x, zb.y, at->x[DWELL]};
  double force[TANGENT], zb_dot[TANGENT];
  run_law(self, at, bristle, force, zb_dot, &xdot[DWELL]);
  sb_vec3_store(xdot + ZB, sb_vec3_add(sb_vec3_cross(frame->spin, sb_vec3_load(at->x + ZB)),
                                       sb_mat3_apply(frame->pose.rotation, slide)));
  return 0;
}

static double energy(const void *self, const sb_at *at) {
  const sb_contact_friction_data *d = self;
  const sb_vec3 zb = sb_vec3_load(at->x + ZB);
  return sb_contact_frame_of(at)->active * 0.5 * d->law.friction.sigma0 * sb_vec3_dot(zb, zb);
}

static double nominal(const void *self, const sb_at *at, double floor, double size[],
                      double kept[]) {
  (void)kept;
  const sb_contact_friction_data *d = self;
  const double own = energy(self, at);
  for (int i = 0; i < DWELL; i++) {
    size[ZB + i] = fmax(size[ZB + i], sqrt(2 * fmax(own, floor) / d->law.friction.sigma0));
  }
  size[DWELL] = 1;
  return own;
}

/** The bristles are relaxed where a contact begins. */
static void reset(const void *self, const sb_at *at, double x[]) {
  (void)at;
  const sb_contact_friction_data *d = self;
  memset(x, 0, DWELL * sizeof *x);
  x[DWELL] = d->law.friction.dwell_at_touch;
}

static const sb_dissipation_hooks dissipation = {.law = friction_law, .by_signals = true};
static const sb_param params[] = {SB_CONTACT_EXPRESSIONS(sb_contact_friction_data, false, true),
                                  {0}};
static const sb_port_spec ports[] = {
    {"p", .dim = SB_CONTACT_DIM, .domain = "contact", .output = SB_EFFORT}, {0}};
static const sb_port_spec ports_bristles[] = {
    {"p", .dim = SB_CONTACT_DIM, .domain = "contact", .output = SB_EFFORT},
    {"bristles", .dim = TANGENT, .domain = "translation", .output = SB_FLOW},
    {0}};
#define CONTACT_SIGNALS                                                                            \
  {.name = "frame", .count = SB_CONTACT_FRAME_COUNT, .input = true}, {                             \
    .name = "load", .count = SB_LOAD_COUNT, .input = true                                          \
  }
static const sb_signal_spec signals[] = {CONTACT_SIGNALS, {0}};
static const sb_signal_spec signals_bristles[] = {
    CONTACT_SIGNALS, {.name = "state", .count = BRISTLE_SIGNAL, .input = true}, {0}};

const sb_element_type sb_kind_contact_friction = {
    .name = "contact-friction",
    .help = "friction of a contact by its velocity (made by contact)",
    .role = SB_DISSIPATION,
    .size = sizeof(sb_contact_friction_data),
    .params = params,
    .ports = ports,
    .signals = signals,
    .measures = {.quantities = quantities, .measure = measure},
    .idles_with = 1,
    .dissipation = &dissipation};

const sb_element_type sb_kind_contact_bristle_friction = {
    .name = "contact-bristle-friction",
    .help = "friction of a contact by bristles (made by contact)",
    .role = SB_DISSIPATION,
    .size = sizeof(sb_contact_friction_data),
    .params = params,
    .ports = ports_bristles,
    .signals = signals_bristles,
    .measures = {.quantities = quantities, .measure = measure},
    .idles_with = 1,
    .dissipation = &dissipation};

static const sb_storage_hooks storage = {.output = output,
                                         .rate = rate,
                                         .energy = energy,
                                         .sizes = {.nominal = nominal},
                                         .reset = reset};
static const sb_port_spec ports_storage[] = {
    {"p", .dim = TANGENT, .domain = "translation", .output = SB_EFFORT}, {0}};
static const sb_signal_spec signals_storage[] = {
    {.name = "state", .count = BRISTLE_SIGNAL}, CONTACT_SIGNALS, {0}};
static const char *const state_names[] = {"zb.x", "zb.y", "zb.z", "dwell", NULL};
static const char *const state_units[] = {"m", "m", "m", ""};

const sb_element_type sb_kind_contact_bristles = {
    .name = "contact-bristles",
    .help = "bristles between the bodies of a contact (made by contact)",
    .role = SB_STORAGE,
    .size = sizeof(sb_contact_friction_data),
    .params = params,
    .ports = ports_storage,
    .signals = signals_storage,
    .state_names = state_names,
    .state_units = state_units,
    .idles_with = 1,
    .storage = &storage};
