// SPDX-License-Identifier: GPL-3.0-or-later
// The resistance of turning.h as parts of a contact: a dissipation at a port of its own of the structure, between the
// relative angular velocity in the contact frame and a moment; and for one by springs a storage beside it, whose flow the
// dissipation gives. Both ports together take M . w - K theta . theta' of the power of the contact. The normal force is a
// signal, so that no algebraic loop arises. The springs are a vector in world axes that is carried along with the
// contact, as those of elastic.c are: theta' = Omega x theta + the rate by the law, whose energy no Omega changes.
#include <math.h>
#include <string.h>

#include "contact/kinks.h"
#include "contact/parts.h"

static bool is_dry(const sb_contact_turning_data *d) {
  return d->law.turning.rolling_friction > 0 || d->law.turning.spin_friction > 0;
}

/** The law where the contact is. */
static void run_law(const sb_contact_turning_data *d, const sb_at *at, double moment[],
                    double theta_dot[], double guard[]) {
  const double *w = at->in, *held = at->in + SB_TURNING_DIM;
  sb_turning_state x = {
      .f_n = sb_contact_push(&d->law, sb_contact_frame_of(at), at->signals[1], at->branches)};
  memcpy(x.w, w, sizeof x.w);
  if (sb_turning_holds(&d->law.turning)) {
    memcpy(x.held, held, sizeof x.held);
  }
  sb_turning_moment(&d->law.turning, &x, is_dry(d) ? at->discrete : NULL, moment, theta_dot, guard);
}

static int law(const void *self, const sb_at *at, sb_variable assigned, double y[]) {
  (void)assigned;
  const sb_contact_turning_data *d = self;
  const bool holds = sb_turning_holds(&d->law.turning);
  double theta_dot[SB_TURNING_DIM], guard[SB_TURNING_KINKS];
  memset(y, 0, (size_t)(holds ? 2 * SB_TURNING_DIM : SB_TURNING_DIM) * sizeof *y);
  if (sb_contact_frame_of(at)->active == 0) {
    return 0;
  }
  run_law(d, at, y, theta_dot, guard);
  for (int i = 0; i < SB_TURNING_DIM && holds; i++) {
    y[SB_TURNING_DIM + i] = -theta_dot[i]; // out of this element, into the springs
  }
  return 0;
}

static int guards(const void *self, const sb_at *at, double guard[]) {
  double moment[SB_TURNING_DIM], theta_dot[SB_TURNING_DIM];
  if (sb_contact_frame_of(at)->active == 0) {
    return 0;
  }
  run_law(self, at, moment, theta_dot, guard);
  return SB_TURNING_KINKS;
}

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  (void)err;
  layout->pieces = is_dry(self) ? SB_TURNING_KINKS : 0;
  layout->one_mode = layout->pieces == 0;
  return SB_OK;
}

static int indicators(const void *self, const sb_at *at, double g[], double gdot[]) {
  return sb_kinks_indicators(guards, self, at, g, gdot);
}

static void take(const void *self, const sb_at *at, double sides[]) {
  sb_kinks_take(guards, self, at, sides);
}

static const sb_switching_hooks switching = {.of_composite = true,
                                             .discrete_states = SB_KINKS_MAX,
                                             .bends = SB_BENDS_AT_GUARDS,
                                             .initial_mode = sb_kinks_initial_mode,
                                             .indicators = indicators,
                                             .fire = sb_kinks_fire,
                                             .begin = take,
                                             .accept = take};

enum { MOMENT, ROLLING, SPIN };
static const sb_quantity_spec quantities[] = {
    {"moment", SB_TURNING_DIM, "N.m",
     "on body 1, along the axes of the contact frame, the normal last"},
    {"rolling-power", 1, "W", "that the resistance to rolling takes"},
    {"spin-power", 1, "W", "that the resistance to spinning takes"},
    {0}};

static void measure(const void *self, const sb_at *at, int quantity, double out[]) {
  double moment[2 * SB_TURNING_DIM];
  const double *w = at->in;
  (void)law(self, at, SB_FLOW, moment);
  if (quantity == MOMENT) {
    memcpy(out, moment, SB_TURNING_DIM * sizeof *out);
  } else {
    out[0] = quantity == ROLLING ? moment[0] * w[0] + moment[1] * w[1] : moment[2] * w[2];
  }
}

// ---- the springs

static int output(const void *self, const sb_at *at, double y[]) {
  const sb_contact_turning_data *d = self;
  sb_vec3 theta = {0, 0, 0};
  if (sb_contact_frame_of(at)->active != 0) {
    theta = sb_mat3_apply_transposed(sb_contact_frame_of(at)->pose.rotation, sb_vec3_load(at->x));
  }
  sb_vec3_store(y, sb_vec3_scale(theta, d->law.turning.stiffness));
  return 0;
}

static int rate(const void *self, const sb_at *at, double xdot[]) {
  (void)self;
  const sb_contact_frame *frame = sb_contact_frame_of(at);
  memset(xdot, 0, SB_TURNING_DIM * sizeof *xdot);
  if (frame->active != 0) {
    const sb_vec3 turned = sb_mat3_apply(frame->pose.rotation, sb_vec3_load(at->in));
    const sb_vec3 carried = sb_vec3_cross(frame->spin, sb_vec3_load(at->x));
    sb_vec3_store(xdot, sb_vec3_add(carried, turned));
  }
  return 0;
}

static double energy(const void *self, const sb_at *at) {
  const sb_contact_turning_data *d = self;
  const sb_vec3 theta = sb_vec3_load(at->x);
  return sb_contact_frame_of(at)->active * 0.5 * d->law.turning.stiffness *
         sb_vec3_dot(theta, theta);
}

static double nominal(const void *self, const sb_at *at, double floor, double size[],
                      double kept[]) {
  (void)kept;
  const sb_contact_turning_data *d = self;
  const double own = energy(self, at);
  for (int i = 0; i < SB_TURNING_DIM; i++) {
    size[i] = fmax(size[i], sqrt(2 * fmax(own, floor) / d->law.turning.stiffness));
  }
  return own;
}

static double exchanged(const void *self, const sb_at *at, const double x0[]) {
  const sb_contact_turning_data *d = self;
  const sb_vec3 theta = sb_vec3_load(at->x), moved = sb_vec3_sub(theta, sb_vec3_load(x0));
  return d->law.turning.stiffness * fabs(sb_vec3_dot(theta, moved));
}

/** The springs are relaxed where a contact begins. */
static void reset(const void *self, const sb_at *at, double x[]) {
  (void)self, (void)at;
  memset(x, 0, SB_TURNING_DIM * sizeof *x);
}

static const sb_dissipation_hooks hooks = {.law = law};
static const sb_param params[] = {SB_CONTACT_EXPRESSIONS(sb_contact_turning_data, false, true),
                                  {0}};
static const sb_port_spec ports[] = {
    {"p", .dim = SB_TURNING_DIM, .domain = "rotation", .output = SB_EFFORT}, {0}};
static const sb_port_spec ports_holding[] = {
    {"p", .dim = SB_TURNING_DIM, .domain = "rotation", .output = SB_EFFORT},
    {"springs", .dim = SB_TURNING_DIM, .domain = "rotation", .output = SB_FLOW},
    {0}};
static const sb_signal_spec signals[] = {
    {.name = "frame", .count = SB_CONTACT_FRAME_COUNT, .input = true},
    {.name = "load", .count = SB_LOAD_COUNT, .input = true},
    {0}};

const sb_element_type sb_kind_contact_turning = {
    .name = "contact-turning",
    .help = "resistance of a contact to rolling and spinning (made by contact)",
    .role = SB_DISSIPATION,
    .size = sizeof(sb_contact_turning_data),
    .params = params,
    .ports = ports,
    .signals = signals,
    .measures = {.quantities = quantities, .measure = measure},
    .init = init,
    .idles_with = 1,
    .dissipation = &hooks,
    .switching = &switching};

const sb_element_type sb_kind_contact_holding = {
    .name = "contact-holding",
    .help =
        "resistance of a contact to rolling and spinning that holds by springs (made by contact)",
    .role = SB_DISSIPATION,
    .size = sizeof(sb_contact_turning_data),
    .params = params,
    .ports = ports_holding,
    .signals = signals,
    .measures = {.quantities = quantities, .measure = measure},
    .init = init,
    .idles_with = 1,
    .dissipation = &hooks,
    .switching = &switching};

static const sb_storage_hooks storage = {.output = output,
                                         .rate = rate,
                                         .energy = energy,
                                         .sizes = {.nominal = nominal},
                                         .reset = reset,
                                         .audit = {.exchanged = exchanged}};
static const sb_port_spec ports_springs[] = {
    {"p", .dim = SB_TURNING_DIM, .domain = "rotation", .output = SB_EFFORT}, {0}};
static const sb_signal_spec signals_springs[] = {
    {.name = "frame", .count = SB_CONTACT_FRAME_COUNT, .input = true}, {0}};
static const char *const state_names[] = {"theta.x", "theta.y", "theta.z", NULL};
static const char *const state_units[] = {"rad", "rad", "rad"};
static const int state_vectors[] = {3, 0};

const sb_element_type sb_kind_contact_turning_springs = {
    .name = "contact-turning-springs",
    .help = "springs by which a contact holds what should not roll or spin (made by contact)",
    .role = SB_STORAGE,
    .size = sizeof(sb_contact_turning_data),
    .params = params,
    .ports = ports_springs,
    .signals = signals_springs,
    .state_names = state_names,
    .state_units = state_units,
    .state_vectors = state_vectors,
    .idles_with = 1,
    .storage = &storage};
