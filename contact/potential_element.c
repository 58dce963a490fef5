// SPDX-License-Identifier: GPL-3.0-or-later
// The elastic part of a contact whose energy is a potential, see potential.h. States: the tangential vector, in
// world axes if V is isotropic, sdot = Omega x s + v_t; else its components along the axes of V, whose rates are
// those of the velocity there, whatever these axes do; and theta. The depth is the geometry's.
#include <math.h>
#include <string.h>

#include "contact/parts.h"
#include "core/graph/element.h"

enum { S = 0, THETA = 3, STATES = 4 };

/** q of V at the states, and the direction of x in the contact frame. */
static void arguments_of(const sb_contact_elastic_data *d, const sb_at *at, double gap,
                         double q[SB_POTENTIAL_DIM], double axis[2]) {
  const sb_contact_frame *frame = sb_contact_frame_of(at);
  q[SB_POTENTIAL_X] = at->x[S];
  q[SB_POTENTIAL_Y] = at->x[S + 1];
  q[SB_POTENTIAL_Z] = -gap;
  q[SB_POTENTIAL_THETA] = at->x[THETA];
  memcpy(axis, frame->skin.axis, 2 * sizeof *axis);
  if (d->law.potential.isotropic) {
    sb_vec3 s = sb_mat3_apply_transposed(frame->pose.rotation, sb_vec3_load(at->x + S));
    // The vector keeps a part along the normal, as large as what its rate is integrated to: r counts it, since
    // d|s|/dt = s.v_t/|s| holds of the whole vector, however the plane turns.
    double r = sb_vec3_norm(s);
    q[SB_POTENTIAL_X] = r;
    q[SB_POTENTIAL_Y] = 0;
    axis[0] = r > 0 ? s.x / r : 1;
    axis[1] = r > 0 ? s.y / r : 0;
  }
}

static double potential(const sb_contact_elastic_data *d, const sb_at *at, const double q[],
                        double gradient[]) {
  return sb_potential_energy(&d->law.potential, d->law.potential.isotropic, q, at->branches,
                             gradient);
}

static int output(const void *self, const sb_at *at, double y[]) {
  double q[SB_POTENTIAL_DIM], V[SB_POTENTIAL_DIM], axis[2];
  const sb_contact_frame *frame = sb_contact_frame_of(at);
  memset(y, 0, SB_CONTACT_DIM * sizeof *y);
  sb_contact_store_load(y, at->own);
  if (frame->active == 0) {
    return 0;
  }
  arguments_of(self, at, frame->gap, q, axis);
  (void)potential(self, at, q, V);
  y[SB_CONTACT_X] = axis[0] * V[SB_POTENTIAL_X] - axis[1] * V[SB_POTENTIAL_Y];
  y[SB_CONTACT_Y] = axis[1] * V[SB_POTENTIAL_X] + axis[0] * V[SB_POTENTIAL_Y];
  y[SB_CONTACT_Z] = -V[SB_POTENTIAL_Z]; // dV/dgap
  y[SB_CONTACT_THETA] = V[SB_POTENTIAL_THETA];
  sb_contact_store_load(y, at->own);
  return isfinite(y[0]) && isfinite(y[1]) && isfinite(y[2]) && isfinite(y[3]) ? 0 : -1;
}

static int rate(const void *self, const sb_at *at, double xdot[]) {
  const sb_contact_elastic_data *d = self;
  const sb_contact_frame *frame = sb_contact_frame_of(at);
  const double *axis = frame->skin.axis, *v = at->in;
  memset(xdot, 0, STATES * sizeof *xdot);
  if (frame->active == 0) {
    return 0;
  }
  if (d->law.potential.isotropic) {
    sb_vec3 slide = {v[SB_CONTACT_X], v[SB_CONTACT_Y], 0};
    sb_vec3_store(xdot + S, sb_vec3_add(sb_vec3_cross(frame->spin, sb_vec3_load(at->x + S)),
                                        sb_mat3_apply(frame->pose.rotation, slide)));
  } else {
    xdot[S] = axis[0] * v[SB_CONTACT_X] + axis[1] * v[SB_CONTACT_Y];
    xdot[S + 1] = axis[0] * v[SB_CONTACT_Y] - axis[1] * v[SB_CONTACT_X];
  }
  xdot[THETA] = v[SB_CONTACT_THETA];
  return 0;
}

static double energy_of(const sb_contact_elastic_data *d, const sb_at *at, double gap) {
  double q[SB_POTENTIAL_DIM], V[SB_POTENTIAL_DIM], axis[2];
  if (sb_contact_frame_of(at)->active == 0) {
    return 0;
  }
  arguments_of(d, at, gap, q, axis);
  return potential(d, at, q, V);
}

static double energy(const void *self, const sb_at *at) {
  return energy_of(self, at, sb_contact_frame_of(at)->gap);
}

static double terms(const void *self, const sb_at *at) {
  const sb_contact_elastic_data *d = self;
  double q[SB_POTENTIAL_DIM], axis[2];
  arguments_of(d, at, sb_contact_frame_of(at)->gap, q, axis);
  return sb_contact_frame_of(at)->active *
         sb_potential_terms(&d->law.potential, d->law.potential.isotropic, q, at->branches);
}

/** The gap changes by the flow of its component. */
static double ahead(const void *self, const sb_at *at, double h) {
  return energy_of(self, at, sb_contact_frame_of(at)->gap + h * at->in[SB_CONTACT_Z]);
}

/** A displacement that matters: the present one, or that of the depth, or a small angle. */
static double length_of(const double q[], int i) {
  static const double small = 1e-3; // [rad]
  return fmax(fabs(q[i]), i == SB_POTENTIAL_THETA ? small : fabs(q[SB_POTENTIAL_Z]));
}

/** d2V/dq_i^2, by the gradient on both sides: no more than a size follows from it. */
static double stiffness_of(const sb_contact_elastic_data *d, const sb_at *at, const double q[],
                           int i) {
  double p[SB_POTENTIAL_DIM], up[SB_POTENTIAL_DIM], down[SB_POTENTIAL_DIM];
  static const double share = 1e-3;
  double h = share * length_of(q, i);
  memcpy(p, q, sizeof p);
  p[i] = q[i] + h;
  (void)potential(d, at, p, up);
  p[i] = q[i] - h;
  if (d->law.potential.isotropic && p[SB_POTENTIAL_X] < 0) { // odd by r
    p[i] = -p[i];
    (void)potential(d, at, p, down);
    down[i] = -down[i];
  } else {
    (void)potential(d, at, p, down);
  }
  double k = fabs(up[i] - down[i]) / (2 * h);
  return isfinite(k) ? k : 0;
}

/** The displacements by the energy they hold, at the stiffness here: that may be nothing at the touch, so none
 *  counts as more than a displacement that matters. In play, where nothing is stored, they are
 *  what they have moved, and a fraction of that at least. */
static double nominal(const void *self, const sb_at *at, double floor, double size[],
                      double kept[]) {
  (void)kept;
  const sb_contact_elastic_data *d = self;
  double q[SB_POTENTIAL_DIM], V[SB_POTENTIAL_DIM], axis[2];
  const bool active = sb_contact_frame_of(at)->active != 0;
  arguments_of(d, at, sb_contact_frame_of(at)->gap, q, axis);
  const double pressed[SB_POTENTIAL_DIM] = {[SB_POTENTIAL_Z] = q[SB_POTENTIAL_Z]};
  double held = active ? fmax(potential(d, at, q, V) - potential(d, at, pressed, V), 0) : 0;
  for (int i = 0; i < STATES; i++) {
    const bool isotropic = d->law.potential.isotropic, unused = i == S + 2 && !isotropic;
    int along = i == THETA ? SB_POTENTIAL_THETA : isotropic ? SB_POTENTIAL_X : i;
    double k = active && !unused ? stiffness_of(d, at, q, along) : 0;
    double length = active ? length_of(q, along) : 0;
    double own = k > 0 ? fmin(sqrt(2 * fmax(held, floor) / k), length)
                       : fmax(active ? fabs(q[along]) : 0, SB_CONTACT_LEAST * length);
    size[i] = unused ? HUGE_VAL : fmax(size[i], own);
  }
  return held;
}

static double noise(const void *self, const sb_at *at) {
  const sb_contact_elastic_data *d = self;
  double q[SB_POTENTIAL_DIM], axis[2], k = 0;
  if (sb_contact_frame_of(at)->active == 0) {
    return 0;
  }
  arguments_of(d, at, sb_contact_frame_of(at)->gap, q, axis);
  for (int i = SB_POTENTIAL_X; i <= SB_POTENTIAL_Z; i++) {
    k = fmax(k, stiffness_of(d, at, q, i));
  }
  return sb_contact_noise(sb_contact_frame_of(at), k);
}

/** By the displacements, whose axes are those of V. */
static double exchanged(const void *self, const sb_at *at, const double x0[]) {
  const sb_contact_elastic_data *d = self;
  double q[SB_POTENTIAL_DIM], V[SB_POTENTIAL_DIM], axis[2], sum = 0;
  (void)x0; // a contact starts with relaxed springs
  if (sb_contact_frame_of(at)->active == 0) {
    return 0;
  }
  arguments_of(d, at, sb_contact_frame_of(at)->gap, q, axis);
  (void)potential(d, at, q, V);
  for (int i = 0; i < SB_POTENTIAL_DIM; i++) {
    sum += fabs(V[i] * q[i]);
  }
  return sum;
}

/** A contact starts with relaxed springs, and leaves none loaded behind. */
static void reset(const void *self, const sb_at *at, double x[]) {
  (void)self, (void)at;
  memset(x, 0, STATES * sizeof *x);
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
    {"p", .dim = SB_CONTACT_DIM, .domain = "contact", .output = SB_EFFORT}, {0}};
static const sb_signal_spec signals[] = {
    {.name = "load", .count = SB_LOAD_COUNT},
    {.name = "frame", .count = SB_CONTACT_FRAME_COUNT, .input = true},
    {0}};
static const char *const state_names[] = {"s.x", "s.y", "s.z", "theta", NULL};
static const char *const state_units[] = {"m", "m", "m", "rad"};
static const int state_vectors[] = {3, 1, 0}; // s, theta

const sb_element_type sb_kind_contact_potential = {
    .name = "contact-potential",
    .help = "elastic part of a contact by its energy (made by contact)",
    .role = SB_STORAGE,
    .size = sizeof(sb_contact_elastic_data),
    .params = params,
    .ports = ports,
    .signals = signals,
    .state_names = state_names,
    .state_units = state_units,
    .state_vectors = state_vectors,
    .idles_with = 1,
    .storage = &hooks};
