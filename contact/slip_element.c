// SPDX-License-Identifier: GPL-3.0-or-later
// The slip of a contact: a dissipation at the 0-junction where the motion of the bodies splits up into that of
// the skin and the slip. Its flow follows from signals, the motion v and normal force of the contact and the load
// K s of the springs, by which the loads stay within their limit; so no algebraic loop arises, and the effort
// that it dissipates is the one that the junction has.
//
// Modes: it slides, also while the bodies are apart; or it sticks, w = 0, up to the static limit. Both ends
// are located, so that steps end at the kinks.
#include <float.h>
#include <math.h>

#include "contact/parts.h"
#include "contact/slip.h"

enum { SLIDING, STUCK };
/** When the mode has changed last [s], and how often in a row within the rounding of the time. */
enum { CHANGED_AT, IN_A_ROW, STATES };

/** Of loads, by the terms that they are computed from. */
static const double rounding = 64 * DBL_EPSILON, widened = 4;

/** Of what slides, Stribeck's peak: mu + (mu_s - mu) exp(-v^2/v_S^2), v^2 = v_x^2 + v_y^2 + r^2 v_theta^2. It is the
 *  contact's whole motion that counts, so that the slip need not be known for it. */
static double sliding_mu(const sb_contact_law *law, const sb_contact_frame *frame) {
  const double v_S = law->friction.v_stribeck;
  if (!(v_S > 0)) {
    return law->mu;
  }
  const double turn = law->friction_radius * frame->twist.theta;
  const double v = hypot(hypot(frame->twist.x, frame->twist.y), turn) / v_S;
  return law->mu + (fmax(law->mu_static, law->mu) - law->mu) * exp(-v * v);
}

/** mu times the push [N]. */
static double limit_of(const sb_contact_slip_data *d, const sb_at *at, double mu) {
  const sb_contact_frame *frame = sb_contact_frame_of(at);
  return mu * sb_contact_push(&d->law, frame, at->signals[1], at->branches);
}

/** K s + B v, in the axes of the contact frame [N]. */
static void tangential_trial(const sb_at *at, double *x, double *y) {
  const double *b = sb_contact_frame_of(at)->skin.drag, *load = at->signals[1];
  const sb_twist4 v = sb_contact_frame_of(at)->twist;
  *x = load[0] + b[0] * v.x + b[1] * v.y;
  *y = load[1] + b[1] * v.x + b[2] * v.y;
}

/** K s + B v along the principal axes of the tangential damping and about the normal [N, N, N m], where B is
 *  diagonal, as G is.
 *  @param axis  out: the first of these axes */
static void trial_of(const sb_at *at, double trial[SB_SLIP_LOADS], double B[SB_SLIP_LOADS],
                     double axis[2]) {
  const sb_contact_frame *frame = sb_contact_frame_of(at);
  const double *b = frame->skin.drag;
  double mean = 0.5 * (b[0] + b[2]), half = 0.5 * (b[0] - b[2]);
  double x, y;
  tangential_trial(at, &x, &y);
  axis[0] = 1;
  axis[1] = 0;
  if (b[1] != 0 || half < 0) {
    const double angle = 0.5 * atan2(b[1], half);
    half = hypot(half, b[1]);
    axis[0] = cos(angle);
    axis[1] = sin(angle);
  }
  trial[0] = axis[0] * x + axis[1] * y;
  trial[1] = axis[0] * y - axis[1] * x;
  trial[2] = at->signals[1][SB_LOAD_THETA] + frame->skin.b_theta * frame->twist.theta;
  B[0] = mean + half;
  B[1] = mean - half;
  B[2] = frame->skin.b_theta;
}

static int law(const void *self, const sb_at *at, sb_variable assigned, double y[]) {
  (void)assigned;
  const sb_contact_slip_data *d = self;
  const sb_contact_frame *frame = sb_contact_frame_of(at);
  double trial[SB_SLIP_LOADS], B[SB_SLIP_LOADS], w[SB_SLIP_LOADS] = {0}, axis[2] = {1, 0};
  if (frame->active != 0 && at->mode == SLIDING) {
    trial_of(at, trial, B, axis);
    sb_slip_flow(trial, B, d->law.friction_radius, limit_of(d, at, sliding_mu(&d->law, frame)), w);
  }
  y[SB_CONTACT_X] = axis[0] * w[0] - axis[1] * w[1];
  y[SB_CONTACT_Y] = axis[1] * w[0] + axis[0] * w[1];
  y[SB_CONTACT_Z] = 0;
  y[SB_CONTACT_THETA] = w[2];
  return 0;
}

/** What the rounding of places makes of the limit is a fraction of this [N]: as k z is known to k times that of the place,
 *  the limit of what touches right now is little else. Depths within that rounding count as it: they may be zero. */
static double terms_of_limit(const sb_contact_slip_data *d, const sb_at *at) {
  const sb_contact_frame *frame = sb_contact_frame_of(at);
  const double mu = fmax(d->law.mu, d->law.mu_static), place = frame->places;
  const double known = 4 * DBL_EPSILON * place;
  if (-frame->gap > known) {
    return limit_of(d, at, mu) / -frame->gap * place;
  }
  double force = 0;
  (void)sb_contact_law_energy(&d->law, frame->skin.k_n, known, NULL, &force);
  return known > 0 ? mu * force / known * place : 0;
}

/** The loads of springs that are as long as shapes, and angles of a radian, are rounded [N]: feet that are put down straight have no other
 *  loads, and do not begin to slip by them where their normal force falls to zero. A point has its place alone. */
static double rounding_of_loads(const sb_contact_slip_data *d, const sb_contact_frame *frame) {
  const sb_contact_skin *skin = &frame->skin;
  const double *N = skin->map, radius = d->law.friction_radius,
               length = frame->reach > 0 ? frame->reach : frame->places;
  const double along = skin->k_t * (N[0] * N[0] + 2 * N[1] * N[1] + N[2] * N[2]) * length,
               about = radius > 0 ? skin->k_theta * skin->spin_map * skin->spin_map / radius : 0;
  return rounding * (along + about);
}

/** Whether a motion along the plane is rounding of that across it. What moves there slides by any load. */
static bool is_still(const sb_contact_slip_data *d, const sb_contact_frame *frame) {
  static const double still = 1e-13;
  const sb_twist4 *v = &frame->twist;
  return hypot(hypot(v->x, v->y), d->law.friction_radius * v->theta) <= still * fabs(v->z);
}

/** The same of the power [W], as the slip w follows from what the loads exceed their limit by.  @param B  of trial_of() */
static double terms_of_slip(const sb_contact_slip_data *d, const sb_at *at,
                            const double B[SB_SLIP_LOADS]) {
  const double radius = d->law.friction_radius, spin = radius > 0 ? B[2] / (radius * radius) : 0;
  double least = fmin(B[0] > 0 ? B[0] : HUGE_VAL, B[1] > 0 ? B[1] : HUGE_VAL);
  least = spin > 0 ? fmin(least, spin) : least;
  return limit_of(d, at, fmax(d->law.mu, d->law.mu_static)) * terms_of_limit(d, at) / least;
}

/** The loads are K s + B (v - w), which may be nothing but rounding: with mu = 0 they are zero. */
static double terms(const void *self, const sb_at *at) {
  const double *b = sb_contact_frame_of(at)->skin.drag, *load = at->signals[1];
  const double drag = fabs(b[0]) + fabs(b[1]) + fabs(b[2]);
  const sb_twist4 v = sb_contact_frame_of(at)->twist;
  double w[SB_CONTACT_DIM], trial[SB_SLIP_LOADS], B[SB_SLIP_LOADS], axis[2];
  trial_of(at, trial, B, axis);
  (void)law(self, at, SB_EFFORT, w);
  const double slides = fabs(w[SB_CONTACT_X]) + fabs(w[SB_CONTACT_Y]),
               turns = fabs(w[SB_CONTACT_THETA]);
  return slides * (fabs(load[0]) + fabs(load[1]) + drag * (fabs(v.x) + fabs(v.y) + slides)) +
         turns * (fabs(load[2]) + sb_contact_frame_of(at)->skin.b_theta * (fabs(v.theta) + turns)) +
         terms_of_slip(self, at, B);
}

static int initial_mode(const void *self, const sb_at *at, double discrete[]) {
  (void)self, (void)at;
  discrete[CHANGED_AT] = -HUGE_VAL;
  discrete[IN_A_ROW] = 0;
  return SLIDING;
}

static int indicators(const void *self, const sb_at *at, double g[], double gdot[]) {
  const sb_contact_slip_data *d = self;
  double trial[SB_SLIP_LOADS], B[SB_SLIP_LOADS], axis[2];
  gdot[0] = NAN;
  if (sb_contact_frame_of(at)->active == 0) {
    g[0] = gdot[0] = at->mode == STUCK ? -1 : 1; // what still sticks lets go
    return 1;
  }
  trial_of(at, trial, B, axis);
  double size = sb_slip_size(trial, d->law.friction_radius);
  // what sticks lets go by more than rounding, or both would alternate where a foot touches at rest
  const sb_contact_frame *frame = sb_contact_frame_of(at);
  const double loads = rounding_of_loads(d, frame),
               known = (4 * DBL_EPSILON * terms_of_limit(d, at) + loads) *
                       pow(widened, at->discrete[IN_A_ROW]);
  g[0] = at->mode == STUCK ? limit_of(d, at, fmax(d->law.mu, d->law.mu_static)) + known - size
                           : size - limit_of(d, at, sliding_mu(&d->law, frame));
  if (size <= loads && at->mode == SLIDING && d->law.mu > 0 && is_still(d, frame)) {
    g[0] = fmin(g[0], -DBL_MIN); // what touches at rest, without a load so far, does not slide
  }
  return 1;
}

/** Where a point leaps, as along a side that comes to lie, loads are rounded by more than can be told here: what changes anew within the
 *  rounding of the time is told by rounding, and its band widens each time. */
static sb_status fire(const void *self, const sb_at *at, int indicator, double discrete[],
                      sb_transition *out) {
  static const double at_once = 64 * DBL_EPSILON;
  (void)self, (void)indicator;
  const bool apart = sb_contact_frame_of(at)->active == 0,
             again = at->t - discrete[CHANGED_AT] <= at_once * fabs(at->t);
  discrete[IN_A_ROW] = again ? discrete[IN_A_ROW] + 1 : 0;
  discrete[CHANGED_AT] = at->t;
  *out = (sb_transition){.mode = at->mode == STUCK ? SLIDING : STUCK,
                         .kind = apart               ? NULL
                                 : at->mode == STUCK ? "slip"
                                                     : "stick"};
  return SB_OK;
}

/** So that the loads are never within their limit while it slides: the dissipation would change its sign. */
static bool before(const void *self, int mode, int indicator) {
  (void)self, (void)indicator;
  return mode == SLIDING;
}

/** Its speed; below zero behind the end of sliding, where w turns round: stages of a step that ends there may lie
 *  behind it, and |w| has a kink. */
static double speed_along(const void *self, const sb_at *at, const double w[]) {
  (void)self;
  double x, y;
  tangential_trial(at, &x, &y);
  return copysign(hypot(w[SB_CONTACT_X], w[SB_CONTACT_Y]),
                  w[SB_CONTACT_X] * x + w[SB_CONTACT_Y] * y);
}

static const sb_quantity_spec distance = {"distance", 1, "m",
                                          "of the slip: its speed over the time"};
enum { SPEED, SPIN, STICKS };
static const sb_quantity_spec quantities[] = {
    {"speed", 1, "m/s", "of the slip; without what the springs take"},
    {"spin", 1, "rad/s", "of the slip, about the normal"},
    {"sticks", 1, "", "1 while it sticks, 0 while it slides or the bodies are apart"},
    {0}};

static void measure(const void *self, const sb_at *at, int quantity, double out[]) {
  double w[SB_CONTACT_DIM];
  (void)law(self, at, SB_EFFORT, w);
  out[0] = quantity == SPEED  ? hypot(w[SB_CONTACT_X], w[SB_CONTACT_Y])
           : quantity == SPIN ? w[SB_CONTACT_THETA]
                              : at->mode == STUCK && sb_contact_frame_of(at)->active != 0;
}

static const sb_dissipation_hooks hooks = {.law = law, .by_signals = true, .terms = terms};
static const sb_switching_hooks switching = {.of_composite = true,
                                             .discrete_states = STATES,
                                             .modes = {.before = before},
                                             .initial_mode = initial_mode,
                                             .indicators = indicators,
                                             .fire = fire};
static const sb_param params[] = {SB_CONTACT_EXPRESSIONS(sb_contact_slip_data, false, true), {0}};
static const sb_port_spec ports[] = {
    {"p", .dim = SB_CONTACT_DIM, .domain = "contact", .output = SB_FLOW}, {0}};
static const sb_signal_spec signals[] = {
    {.name = "frame", .count = SB_CONTACT_FRAME_COUNT, .input = true},
    {.name = "load", .count = SB_LOAD_COUNT, .input = true},
    {0}};

const sb_element_type sb_kind_contact_slip = {.name = "contact-slip",
                                              .help = "slip of a contact (made by contact)",
                                              .role = SB_DISSIPATION,
                                              .size = sizeof(sb_contact_slip_data),
                                              .params = params,
                                              .ports = ports,
                                              .signals = signals,
                                              .measures = {.quantities = quantities,
                                                           .measure = measure,
                                                           .integral = &distance,
                                                           .integrand = speed_along},
                                              .idles_with = 1,
                                              .dissipation = &hooks,
                                              .switching = &switching};
