// SPDX-License-Identifier: GPL-3.0-or-later
// The friction laws of friction.h as parts of a contact: a dissipation between the tangential velocity and the load,
// and for bristles a storage beside it whose flow that dissipation gives. Both ports together take
// f_t . v - sigma0 zb . zb' of the power of the contact. The velocity, the normal force and the bristles are
// signals, so that no algebraic loop arises. The bristles are a vector in world axes that is carried along with the
// contact, as the springs of elastic.c are: zb' = Omega x zb + the rate by the law.
#include <math.h>
#include <string.h>

#include "contact/friction.h"
#include "contact/kinks.h"
#include "contact/parts.h"

/** What the storage tells the dissipation. */
enum { BRISTLE_X, BRISTLE_Y, BRISTLE_DWELL, BRISTLE_SIGNAL };
enum { TANGENT = 2 };
enum { ZB = 0, DWELL = 3, STATES = 4 };

static double push_of(const sb_contact_friction_data *d, const sb_at *at) {
  return sb_contact_push(&d->law, sb_contact_frame_of(at), at->signals[1], at->branches);
}

/** The law where the contact is. */
static void run_law(const sb_contact_friction_data *d, const sb_at *at, sb_friction_rates *out,
                    double guard[]) {
  const sb_friction *f = &d->law.friction;
  sb_friction_state x = {.f_n = push_of(d, at),
                         .v = {sb_contact_frame_of(at)->twist.x, sb_contact_frame_of(at)->twist.y}};
  if (f->kind == SB_FRICTION_BRISTLE) {
    const double *bristle = at->signals[2];
    memcpy(x.zb, bristle, sizeof x.zb);
    x.s_dw = bristle[BRISTLE_DWELL];
  }
  sb_friction_force(f, &x, sb_friction_kinks(f) > 0 ? at->discrete : NULL, out, guard);
}

static int friction_law(const void *self, const sb_at *at, sb_variable assigned, double y[]) {
  (void)assigned;
  const sb_contact_friction_data *d = self;
  const bool bristles = d->law.friction.kind == SB_FRICTION_BRISTLE;
  sb_friction_rates rates = {0};
  double guard[SB_FRICTION_KINKS];
  memset(y, 0, (size_t)(SB_CONTACT_DIM + (bristles ? TANGENT : 0)) * sizeof *y);
  if (sb_contact_frame_of(at)->active != 0) {
    run_law(d, at, &rates, guard);
  }
  memcpy(y, rates.force, sizeof rates.force);
  for (int i = 0; i < TANGENT && bristles; i++) {
    y[SB_CONTACT_DIM + i] = -rates.zb_dot[i]; // out of this element, into the bristles
  }
  return 0;
}

static int guards(const void *self, const sb_at *at, double guard[]) {
  const sb_contact_friction_data *d = self;
  sb_friction_rates rates;
  if (sb_contact_frame_of(at)->active == 0) {
    return 0;
  }
  run_law(d, at, &rates, guard);
  return sb_friction_kinks(&d->law.friction);
}

static int indicators(const void *self, const sb_at *at, double g[], double gdot[]) {
  return sb_kinks_indicators(guards, self, at, g, gdot);
}

static void take(const void *self, const sb_at *at, double sides[]) {
  sb_kinks_take(guards, self, at, sides);
}

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  const sb_contact_friction_data *d = self;
  (void)err;
  layout->pieces = sb_friction_kinks(&d->law.friction);
  layout->one_mode = layout->pieces == 0;
  return SB_OK;
}

static const sb_switching_hooks switching = {.of_composite = true,
                                             .discrete_states = SB_KINKS_MAX,
                                             .bends = SB_BENDS_AT_GUARDS,
                                             .initial_mode = sb_kinks_initial_mode,
                                             .indicators = indicators,
                                             .fire = sb_kinks_fire,
                                             .begin = take,
                                             .accept = take};

enum { FORCE, KAPPA };
static const sb_quantity_spec quantities[] = {
    {"force", 2, "N", "tangential, on body 1 along the axes of the contact frame"},
    {"kappa", 1, "", "v_S sigma1/(mu f_n): as printed bristles may give power below 1/2; 0 apart"},
    {0}};

static void measure(const void *self, const sb_at *at, int quantity, double out[]) {
  const sb_contact_friction_data *d = self;
  if (quantity == FORCE) {
    sb_friction_rates rates = {0};
    double guard[SB_FRICTION_KINKS];
    if (sb_contact_frame_of(at)->active != 0) {
      run_law(d, at, &rates, guard);
    }
    memcpy(out, rates.force, sizeof rates.force);
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
  const sb_contact_friction_data *d = self;
  const sb_vec3 slide = {at->in[0], at->in[1], 0};
  double ages;
  xdot[DWELL] = sb_friction_dwell_rate(&d->law.friction, hypot(frame->twist.x, frame->twist.y),
                                       at->x[DWELL], &ages);
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
    .init = init,
    .idles_with = 1,
    .dissipation = &dissipation,
    .switching = &switching};

const sb_element_type sb_kind_contact_bristle_friction = {
    .name = "contact-bristle-friction",
    .help = "friction of a contact by bristles (made by contact)",
    .role = SB_DISSIPATION,
    .size = sizeof(sb_contact_friction_data),
    .params = params,
    .ports = ports_bristles,
    .signals = signals_bristles,
    .measures = {.quantities = quantities, .measure = measure},
    .init = init,
    .idles_with = 1,
    .dissipation = &dissipation,
    .switching = &switching};

static const sb_storage_hooks storage = {.output = output,
                                         .rate = rate,
                                         .energy = energy,
                                         .sizes = {.nominal = nominal},
                                         .reset = reset};
static const sb_port_spec ports_storage[] = {
    {"p", .dim = TANGENT, .domain = "translation", .output = SB_EFFORT}, {0}};
static const sb_signal_spec signals_storage[] = {
    {.name = "state", .count = BRISTLE_SIGNAL},
    {.name = "frame", .count = SB_CONTACT_FRAME_COUNT, .input = true},
    {0}};
static const char *const state_names[] = {"zb.x", "zb.y", "zb.z", "dwell", NULL};
static const char *const state_units[] = {"m", "m", "m", ""};
static const int state_vectors[] = {DWELL, 1, 0}; // zb, s_dw

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
    .state_vectors = state_vectors,
    .idles_with = 1,
    .storage = &storage};
