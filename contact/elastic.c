// SPDX-License-Identifier: GPL-3.0-or-later
// Elastic part of a contact on SE(2) x T: V = V_n(depth) + k_t |s|^2 / 2 + k_theta theta^2 / 2.
// The normal spring is a function of the gap itself (the state z of the paper's storage equals it, and would only
// drift from it). Where its stiffness k changes with the point of contact, a second port takes k dV/dk at the rate
// d ln k/dt, so that V(depth, k) gives its full differential. The tangential spring s is a vector in world axes,
// carried along with the contact, eqs (24)-(26) with N^T N = K:
//   sdot = Omega x s + N v_t,   thetadot = w_rel . n,
// so that it has a memory, and neither a basis of the tangent plane enters nor a group, for which eq (16) has not
// the differential of V. dV/dt = W_store . T_store exactly, whatever Omega is.
#include <math.h>
#include <string.h>

#include "contact/parts.h"
#include "core/base/wide.h"
#include "core/graph/element.h"

enum { S = 0, THETA = 3, STATES = 4 };
enum { HARDENING = SB_CONTACT_DIM };

static int output(const void *self, const sb_at *at, double y[]) {
  const sb_contact_elastic_data *d = self;
  const sb_contact_frame *frame = sb_contact_frame_of(at);
  double normal = 0;
  if (frame->active == 0) {
    memset(y, 0, (size_t)(SB_CONTACT_DIM + d->hardens) * sizeof *y);
    sb_contact_store_load(y, at->own);
    if (frame->recovering != 0) {
      (void)sb_contact_law_energy(&d->law, frame->skin.k_n, -frame->gap, at->branches, &normal);
      y[SB_CONTACT_Z] = 0 - normal;
    }
    return 0;
  }
  sb_vec3 s = sb_mat3_apply_transposed(frame->pose.rotation, sb_vec3_load(at->x + S));
  const double *N = frame->skin.map,
               stored = sb_contact_law_energy(&d->law, frame->skin.k_n, -frame->gap, at->branches,
                                              &normal);
  y[SB_CONTACT_X] = d->skin.k_t * (N[0] * s.x + N[1] * s.y);
  y[SB_CONTACT_Y] = d->skin.k_t * (N[1] * s.x + N[2] * s.y);
  y[SB_CONTACT_Z] = -normal; // dV/dgap
  y[SB_CONTACT_THETA] = d->skin.k_theta * frame->skin.spin_map * at->x[THETA];
  sb_contact_store_load(y, at->own);
  if (d->hardens) {
    y[HARDENING] = stored; // V is proportional to k
  }
  return 0;
}

/** A spring without stiffness is none: its state stays zero. */
static int rate(const void *self, const sb_at *at, double xdot[]) {
  const sb_contact_elastic_data *d = self;
  const sb_contact_frame *frame = sb_contact_frame_of(at);
  memset(xdot, 0, STATES * sizeof *xdot);
  if (frame->active == 0) {
    return 0;
  }
  if (d->skin.k_theta > 0) {
    xdot[THETA] = frame->skin.spin_map * at->in[SB_CONTACT_THETA];
  }
  if (!(d->skin.k_t > 0)) {
    return 0;
  }
  sb_vec3 s = sb_vec3_load(at->x + S);
  const double *N = frame->skin.map, x = at->in[SB_CONTACT_X], y = at->in[SB_CONTACT_Y];
  sb_vec3 stretch = {N[0] * x + N[1] * y, N[1] * x + N[2] * y, 0};
  sb_vec3 slide = sb_mat3_apply(frame->pose.rotation, stretch);
  sb_vec3_store(xdot + S, sb_vec3_add(sb_vec3_cross(frame->spin, s), slide));
  return 0;
}

static double energy_of(const sb_contact_elastic_data *d, const sb_at *at, double gap, double k_n) {
  const sb_contact_frame *frame = sb_contact_frame_of(at);
  if (frame->active == 0 && frame->recovering == 0) {
    return 0; // of bodies apart, which are most of a crowd: nothing else is read
  }
  sb_vec3 s = sb_vec3_load(at->x + S);
  double force, theta = at->x[THETA];
  double normal = sb_contact_law_energy(&d->law, k_n, -gap, at->branches, &force);
  return (frame->active + frame->recovering) * normal +
         frame->active *
             (0.5 * d->skin.k_t * sb_vec3_dot(s, s) + 0.5 * d->skin.k_theta * theta * theta);
}

static double energy(const void *self, const sb_at *at) {
  const sb_contact_frame *frame = sb_contact_frame_of(at);
  return energy_of(self, at, frame->gap, frame->skin.k_n);
}

/** An energy by expression is known to the rounding of its terms, as cosh(z/L) - 1 is. */
static double terms(const void *self, const sb_at *at) {
  const sb_contact_elastic_data *d = self;
  const double q[SB_POTENTIAL_DIM] = {[SB_POTENTIAL_Z] = sb_contact_frame_of(at)->gap};
  const double own = energy(self, at);
  return d->law.normal->expressed && sb_contact_frame_of(at)->active != 0
             ? own + sb_potential_terms(&d->law.potential, true, q, at->branches)
             : own;
}

/** The gap changes by the flow of its component, and k by d ln k/dt. */
static double ahead(const void *self, const sb_at *at, double h) {
  const sb_contact_elastic_data *d = self;
  const sb_contact_frame *frame = sb_contact_frame_of(at);
  double hardening = d->hardens ? exp(h * at->in[HARDENING]) : 1;
  return energy_of(d, at, frame->gap + h * at->in[SB_CONTACT_Z], frame->skin.k_n * hardening);
}

static double way_of(double stiffness, double energy) {
  return stiffness > 0 ? sqrt(2 * energy / stiffness) : HUGE_VAL;
}

/** The springs by their own energy; one without stiffness holds none, whatever its extension. */
static double nominal(const void *self, const sb_at *at, double floor, double size[],
                      double kept[]) {
  (void)kept;
  const sb_contact_elastic_data *d = self;
  sb_vec3 s = sb_vec3_load(at->x + S);
  double slid = 0.5 * d->skin.k_t * sb_vec3_dot(s, s),
         turned = 0.5 * d->skin.k_theta * at->x[THETA] * at->x[THETA];
  const double along = way_of(d->skin.k_t, sb_larger(slid, floor)),
               about = way_of(d->skin.k_theta, sb_larger(turned, floor));
  for (int i = S; i < THETA; i++) {
    size[i] = sb_larger(size[i], along);
  }
  size[THETA] = sb_larger(size[THETA], about);
  return slid + turned;
}

/** By the normal spring, or the tangential one, k_t N^T N, if that is stiffer. */
static double noise(const void *self, const sb_at *at) {
  const sb_contact_elastic_data *d = self;
  const sb_contact_frame *frame = sb_contact_frame_of(at);
  double normal = 0;
  if (frame->active == 0) {
    return 0;
  }
  if (frame->gap < 0) {
    (void)sb_contact_law_energy(&d->law, frame->skin.k_n, -frame->gap, at->branches, &normal);
    normal /= -frame->gap;
  }
  const double *N = frame->skin.map, along = N[1] * N[1] + fmax(N[0] * N[0], N[2] * N[2]);
  return sb_contact_noise(frame, fmax(normal, d->skin.k_t * along));
}

static double exchanged(const void *self, const sb_at *at, const double x0[]) {
  const sb_contact_elastic_data *d = self;
  sb_vec3 s = sb_vec3_load(at->x + S), moved = sb_vec3_sub(s, sb_vec3_load(x0 + S));
  return d->skin.k_t * fabs(sb_vec3_dot(s, moved)) +
         d->skin.k_theta * fabs(at->x[THETA] * (at->x[THETA] - x0[THETA]));
}

/** A contact starts with relaxed springs, and leaves none loaded behind. */
static void reset(const void *self, const sb_at *at, double x[]) {
  (void)self, (void)at;
  for (int i = 0; i < STATES; i++) {
    x[i] = 0;
  }
}

static const sb_storage_hooks hooks = {
    .output = output,
    .rate = rate,
    .energy = energy,
    .sizes = {.nominal = nominal, .noise = noise, .least = SB_CONTACT_LEAST},
    .reset = reset,
    .audit = {.terms = terms,
              .exchanged = exchanged,
              .ahead = ahead,
              .places = sb_contact_places,
              .sprung = true}};
static const sb_param params[] = {SB_CONTACT_EXPRESSIONS(sb_contact_elastic_data, true, false),
                                  {0}};
static const sb_port_spec ports[] = {
    {"p", .dim = SB_CONTACT_DIM, .domain = "contact", .output = SB_EFFORT},
    {SB_CONTACT_HARDENING, .dim = 1, .domain = "stiffness", .output = SB_EFFORT, .optional = true},
    {0}};
static const sb_signal_spec signals[] = {
    {.name = "load", .count = SB_LOAD_COUNT},
    {.name = "frame", .count = SB_CONTACT_FRAME_COUNT, .input = true},
    {0}};
static const char *const state_names[] = {"s.x", "s.y", "s.z", "theta", NULL};
static const char *const state_units[] = {"m", "m", "m", "rad"};
/** Of springs by the patch, K_t = k_t r: s is the integral of sqrt(r) v_t, and theta that of r^(3/2) w. */
static const char *const patch_units[] = {"m^(3/2)", "m^(3/2)", "m^(3/2)", "m^(3/2)"};

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  const sb_contact_elastic_data *d = self;
  (void)err;
  if (d->law.tangential == SB_TANGENTIAL_MINDLIN) {
    layout->state_units = patch_units;
  }
  return SB_OK;
}

static const int state_vectors[] = {3, 1, 0}; // s, theta

const sb_element_type sb_kind_contact_elastic = {.name = "contact-elastic",
                                                 .help =
                                                     "elastic part of a contact (made by contact)",
                                                 .role = SB_STORAGE,
                                                 .size = sizeof(sb_contact_elastic_data),
                                                 .params = params,
                                                 .ports = ports,
                                                 .signals = signals,
                                                 .state_names = state_names,
                                                 .state_units = state_units,
                                                 .state_vectors = state_vectors,
                                                 .init = init,
                                                 .idles_with = 1,
                                                 .storage = &hooks};
