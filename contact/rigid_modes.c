// SPDX-License-Identifier: GPL-3.0-or-later
// The modes of a rigid contact: when bodies touch, slip, stick and let go, and what is latched from one to the other.
#include <math.h>
#include <string.h>

#include "contact/rigid_private.h"

/** As those of a stop (elements/stop.c). */
static const double rest_fraction = 1e-6, rest_time = 1e-8;
/** Of the largest force; what friction gives within it is less than what passivity is judged by (core/audit/passivity.c). */
static const double effort_band = 1e-13;
/** A contact sticks up to so much of its friction, beyond all that a solution counts as sticking: that would end at once again. */
static const double bound = 1 + 2e-9; // twice what core/linalg/unilateral_private.h calls solved
/** Of speeds. */
static const double rounding = 1e-14;
/** Bounces that are no higher than so many of these come to rest, if they are slower than this fraction of the fastest impact. */
static const double bounce = 200, low_fraction = 1e-4;
/** Twice v t of what bounces by rounding alone, below. */
static const double rebound = 8;
/** [rad] The direction in which a slip begins is found to this at least. */
static const double direction_known = 1e-9;
/** A gap is looked at again after it may have changed by this fraction. */
static const double nearby = 1e-6;
/** What slides has a direction of its own at the latest where it is so much faster than what is too slow for one. */
static const double far = 10;
/** Most of a speed. */
static const double most = 0.5;
/** Changes of a load by this fraction of the normal force are known to several digits. */
static const double load_known = 1e-9;
/** A curvature of this fraction of a ball's is none. */
static const double flat = 1e-8;
static const double turn_max = 0.5;       // [rad] as in structure.c
static const double slip_turn_max = 0.15; // [rad]

static int initial_mode(const void *self, const sb_at *at, double discrete[]) {
  (void)self, (void)at;
  memset(discrete, 0, STATE_COUNT * sizeof *discrete);
  discrete[STATE_IMPACT] = -HUGE_VAL;
  discrete[STATE_LEAPS + LEAPS_SINCE] = discrete[STATE_BEGUN] = discrete[STATE_LOADED] = HUGE_VAL;
  return SB_APART;
}

typedef struct distance {
  double gap, rate, speed; // [m] at least, [m/s], [m/s]
  sb_vec3 normal;
  bool known, exact;
} distance;

static distance distance_of(const sb_contact_data *s, const sb_at *at) {
  sb_vec3 place[2];
  distance d = {.known = true};
  if (at->mode != SB_APART || !sb_closest_far(&s->surface[0], pose_of(at, 0), &s->surface[1],
                                              pose_of(at, 1), &d.gap, &d.normal, place)) {
    sb_closest points;
    sb_contact_closest(s, at, &points);
    d = (distance){.gap = points.gap, .normal = points.normal, .exact = true};
    d.known = sb_rigid_usable(s, at, &points);
    place[0] = points.p1, place[1] = points.p2;
  }
  const sb_vec3 v = sb_contact_parting(at, place);
  d.rate = sb_vec3_dot(d.normal, v);
  d.speed = sb_vec3_norm(v);
  return d;
}

static double coefficient(const sb_contact_data *s) {
  return s->law.stuck ? HUGE_VAL : s->law.slips ? s->law.mu : 0;
}

/** Whether there is friction along a slip: without it the direction of the slip decides on nothing, and may turn at once where a point
 *  of a body that spins comes to rest. */
static bool rubs(const sb_contact_data *s, const sb_at *at) {
  return at->mode == SB_SLIDES && coefficient(s) > 0;
}

/** The direction of the slip so far, at present. */
static sb_vec3 aim_of(const sb_at *at, const sb_rigid_frame *frame) {
  double slip[2];
  if (at->discrete[STATE_DRIFT] == 0) {
    return sb_vec3_load(at->discrete + STATE_SLIP);
  }
  sb_rigid_turn(frame, at->t, slip);
  return sb_vec3_axpy(sb_vec3_scale(frame->axes[1], slip[0]), slip[1], frame->axes[2]);
}

/** Event indicators of what is in contact; those of seams follow. */
enum { PARTS, SLIP_ENDS, SEAMS };

/** Apart: the gap. In contact: the normal force; while it slides by friction the speed along its slip so far, and where
 *  it sticks how much more friction there could be. */
static int indicators(const void *self, const sb_at *at, double g[], double gdot[]) {
  const sb_contact_data *s = self;
  if (at->mode == SB_APART) {
    const distance d = distance_of(s, at);
    g[0] = d.gap + at->discrete[STATE_BEHIND];
    gdot[0] = d.rate;
    return d.known ? 1 : -1;
  }
  double load[3], mu = coefficient(s);
  if (sb_rigid_lies(at) || sb_rigid_leaps(s, at)) {
    return -1;
  }
  sb_rigid_load(s, at, load);
  const double band = effort_band * fmax(fabs(load[0]), at->discrete[STATE_FORCE]);
  g[PARTS] = -load[0] + band;
  gdot[PARTS] = gdot[SLIP_ENDS] = NAN;
  const sb_rigid_frame *frame = sb_rigid_frame_of(at);
  const int seams = sb_seams_indicators(s, at, &frame->points, g + SEAMS, gdot + SEAMS);
  if (mu == 0 || isinf(mu)) {
    g[SLIP_ENDS] = 1;
    gdot[SLIP_ENDS] = 0;
    return seams > 0 ? SEAMS + seams : SLIP_ENDS;
  }
  const sb_vec3 v = sb_twist_at(sb_rigid_relative(at), frame->point);
  g[SLIP_ENDS] = at->mode == SB_SLIDES ? sb_vec3_dot(aim_of(at, frame), v) +
                                             rounding * sb_rigid_speeds(at, frame->point)
                                       : bound * mu * -load[0] - hypot(load[1], load[2]) + band;
  return SEAMS + seams;
}

static bool pass_kink(const void *self, const sb_at *at, int indicator, double discrete[]) {
  const bool passes = at->mode != SB_APART && indicator >= SEAMS;
  if (passes) {
    sb_seams_pass(self, at, indicator - SEAMS, discrete);
    discrete[STATE_LOADED] = HUGE_VAL; // loads jump
  }
  return passes;
}

static sb_vec3 slip_velocity(const sb_at *at) {
  const sb_rigid_frame *frame = sb_rigid_frame_of(at);
  const sb_vec3 v = sb_twist_at(sb_rigid_relative(at), frame->point), n = frame->axes[0];
  return sb_vec3_axpy(v, -sb_vec3_dot(n, v), n);
}

/** Notes the load of what sticks, and how fast it changes: by that a slip knows how its direction turns as it begins. */
static void note_load(const sb_contact_data *s, const sb_at *at, double discrete[]) {
  const sb_rigid_frame *frame = sb_rigid_frame_of(at);
  double load[3], now[4], change = 0;
  sb_rigid_load(s, at, load);
  now[0] = -load[0];
  sb_vec3_store(now + 1,
                sb_vec3_axpy(sb_vec3_scale(frame->axes[1], load[1]), load[2], frame->axes[2]));
  for (int k = 0; k < 4; k++) {
    change = fmax(change, fabs(now[k] - discrete[STATE_LOAD + k]));
  }
  const double elapsed = at->t - discrete[STATE_LOADED];
  if (elapsed > 0 && !(change > load_known * fabs(now[0]))) {
    return; // what follows shows more of it
  }
  for (int k = 0; k < 4; k++) {
    discrete[STATE_LOAD_RATE + k] =
        elapsed > 0 ? (now[k] - discrete[STATE_LOAD + k]) / elapsed : discrete[STATE_LOAD_RATE + k];
    discrete[STATE_LOAD + k] = now[k];
  }
  discrete[STATE_LOADED] = at->t;
}

static void accept(const void *self, const sb_at *at, double discrete[]) {
  const distance d = distance_of(self, at);
  const double since = discrete[STATE_TIME];
  if (d.known) {
    const double elapsed = at->t - discrete[STATE_TIME];
    const bool same = discrete[STATE_KNOWN] == 1 + d.exact && elapsed > 0;
    discrete[STATE_ACCELERATION] =
        same ? fabs(d.rate - discrete[STATE_RATE]) / elapsed : discrete[STATE_ACCELERATION];
    sb_vec3_store(discrete + STATE_WARM, d.normal);
    discrete[STATE_RATE] = d.rate;
    discrete[STATE_TIME] = at->t;
    discrete[STATE_GAP] = d.gap;
    discrete[STATE_SPEED] = d.speed;
    discrete[STATE_KNOWN] = 1 + d.exact;
    discrete[STATE_PASSING] = sb_passing_speed(self, at);
  }
  if (at->mode != SB_APART) {
    const sb_closest *points = &sb_rigid_frame_of(at)->points;
    const bool lies = sb_rigid_vanishes(self, points, 0, flat);
    discrete[STATE_LYING] = lies ? discrete[STATE_LYING] + 1 : 0;
    sb_leaps_note(at, points, discrete + STATE_LEAPS);
    sb_seams_hold(self, at, points, discrete);
    discrete[STATE_FORCE] = fmax(discrete[STATE_FORCE], fabs(at->in[NORMAL]));
    discrete[STATE_SPEEDS] = sb_rigid_speeds(at, sb_rigid_frame_of(at)->point);
  }
  if (at->mode == SB_STICKS) {
    note_load(self, at, discrete);
  }
  if (rubs(self, at)) {
    const sb_vec3 v = slip_velocity(at);
    const double speed = sb_vec3_norm(v);
    discrete[STATE_SLIDING] = fmax(discrete[STATE_SLIDING], speed);
    const sb_vec3 before = aim_of(at, sb_rigid_frame_of(at));
    const bool waits = sb_vec3_norm(before) == 0;
    if (speed > SB_SLIP_FOLLOWS * discrete[STATE_STILL] && (waits || sb_vec3_dot(v, before) > 0)) {
      const double noise = rounding * discrete[STATE_SPEEDS] / speed; // of its direction
      const double turn = fmax(sb_vec3_norm(sb_vec3_cross(before, v)) / speed - noise, 0);
      const double elapsed = at->t - since;
      discrete[STATE_TURNING] = elapsed > 0 ? turn / elapsed : discrete[STATE_TURNING];
      sb_vec3_store(discrete + STATE_SLIP, sb_vec3_scale(v, 1 / speed));
      discrete[STATE_DRIFT] = 0;
      discrete[STATE_BEGUN] = at->t;
    } else if (speed <= SB_SLIP_FOLLOWS * discrete[STATE_STILL]) {
      discrete[STATE_TURNING] = 0; // its friction does not turn with it
    }
  }
}

/** Whether a slip has turned by more in a step than its friction follows (rigid_hold.c). */
static bool turns(const sb_at *at) {
  const sb_vec3 v = slip_velocity(at), before = aim_of(at, sb_rigid_frame_of(at));
  const double speed = sb_vec3_norm(v), along = sb_vec3_dot(v, before);
  return speed > SB_SLIP_FOLLOWS * at->discrete[STATE_STILL] && along > 0 &&
         along < SB_RIGID_FOLLOWED * speed;
}

/** From here on the friction of a slow slip is against it. */
static bool jumps(const void *self, const sb_at *at) {
  return rubs(self, at) && turns(at);
}

/** What is faster has had the friction of another direction in this step. So has what turns by a right angle with most of its speed: it has not ended. */
static bool strays(const void *self, const sb_at *at) {
  const double speed = sb_vec3_norm(slip_velocity(at));
  const sb_vec3 before = aim_of(at, sb_rigid_frame_of(at));
  const bool crosses = sb_vec3_dot(slip_velocity(at), before) <= 0;
  return rubs(self, at) && speed > far * at->discrete[STATE_STILL] &&
         (turns(at) || (crosses && speed > most * at->discrete[STATE_SPEED]));
}

/** A slip turns in a step by less than what its friction follows (rigid_hold.c). */
static double slip_horizon(const sb_contact_data *s, const sb_at *at) {
  const double turning = at->discrete[STATE_TURNING];
  return rubs(s, at) && turning > 0 ? slip_turn_max / turning : HUGE_VAL;
}

static double width_of_larger(const sb_contact_data *s) {
  return fmax(s->surface[0].reach, s->surface[1].reach);
}

/** As that of contact/structure.c. */
static double horizon(const void *self, const sb_at *at) {
  const sb_contact_data *s = self;
  const double *discrete = at->discrete;
  double turning =
      sb_vec3_norm(sb_vec3_load(at->in + BODY_1)) + sb_vec3_norm(sb_vec3_load(at->in + BODY_2));
  double size = fmin(s->surface[0].reach, s->surface[1].reach);
  double width = fmin(sb_surface_width(&s->surface[0]), sb_surface_width(&s->surface[1]));
  // what has no end cannot be jumped over sideways
  double along = isinf(width_of_larger(s)) ? fabs(discrete[STATE_RATE]) : discrete[STATE_SPEED];
  double speed = along + turning * (isfinite(size) ? size : 0);
  double reach = fmax(discrete[STATE_GAP], 0) + 0.5 * width + nearby * sb_rigid_length(s, at);
  double travel =
      2 * reach / (speed + sqrt(speed * speed + 2 * discrete[STATE_ACCELERATION] * reach));
  travel = at->mode == SB_APART ? travel : slip_horizon(s, at);
  return fmin(isfinite(travel) ? travel : HUGE_VAL, turning > 0 ? turn_max / turning : HUGE_VAL);
}

/** As that of contact/structure_modes.c. */
static bool overdue(const void *self, const sb_at *at) {
  const sb_contact_data *s = self;
  const double *discrete = at->discrete;
  if (at->mode != SB_APART || discrete[STATE_KNOWN] == 0) {
    return false;
  }
  const double room =
      fmax(discrete[STATE_GAP], 0) + 0.5 * s->width + nearby * sb_rigid_length(s, at);
  const double way =
      0.5 * (at->t - discrete[STATE_TIME]) * (discrete[STATE_PASSING] + sb_passing_speed(s, at));
  return way > room && way > room + fmax(distance_of(s, at).gap, 0);
}

static double restitution_of(const sb_contact_data *s) {
  return isnan(s->law.restitution) ? 0 : s->law.restitution;
}

/** Bounces that recur gather so many roundings of their gap. */
static const double recurring = 10;

/** Impacts below this speed have come to rest [m/s]: a small fraction of the fastest, and where a bounce is no higher than what gaps are
 *  known to, v t of what falls back in the time t. It would go on for ever by what rounding gives it: what falls by d more than it
 *  rose, as a gap is at least the rounding d when it opens, goes on with v^2 (1 - e^2) = 2 a d and v t = 2 d/(1 - e). */
static double rest_speed(const sb_contact_data *s, const sb_at *at, const sb_closest *points) {
  const double fastest = at->discrete[STATE_FASTEST], pause = at->t - at->discrete[STATE_IMPACT];
  const double e = restitution_of(s), known = recurring * sb_rigid_known(s, at, points) / pause;
  if (!(pause > 0 && isfinite(pause))) {
    return rest_fraction * fastest;
  }
  const double low = fmin(bounce * known, low_fraction * fastest);
  return fmax(rest_fraction * fastest, e < 1 ? fmax(low, rebound / (1 - e) * known) : low);
}

/** What the speed of a slip is small against [m/s]. */
static double speed_scale(const sb_at *at) {
  const double *d = at->discrete;
  return fmax(fmax(d[STATE_SPEED], d[STATE_SLIDING]), d[STATE_FASTEST]);
}

static void terms(const void *self, const sb_at *at, sb_unilateral_terms *out) {
  const sb_contact_data *s = self;
  sb_closest points;
  sb_contact_closest(s, at, &points);
  const double closed = sb_rigid_closed(s, at, &points), mu = coefficient(s);
  const double gap = points.gap + at->discrete[STATE_BEHIND];
  *out = (sb_unilateral_terms){.touches = at->mode != SB_APART || gap <= closed,
                               .overlap = fmax(-gap - closed, 0),
                               .length = sb_rigid_length(s, at),
                               .known = sb_rigid_known(s, at, &points),
                               .speeds = sb_rigid_swiftness(s, at, sb_rigid_point(s, &points)),
                               .speed = speed_scale(at),
                               .rest = rest_speed(s, at, &points),
                               .rubs = mu > 0,
                               .mu = mu,
                               .impact = (sb_impact_law)s->law.impact,
                               .in_turn = s->law.in_turn};
  if (out->touches) {
    sb_rigid_frame frame = {.points = points};
    sb_rigid_place_frame(self, at, &frame);
    sb_rigid_turn(&frame, at->t, out->slip);
    out->flat = sb_rigid_is_flat(s, &frame);
    const double *rate = at->discrete + STATE_LOAD_RATE;
    out->load_rate[0] = rate[0];
    out->load_rate[1] = sb_vec3_dot(frame.axes[1], sb_vec3_load(rate + 1));
    out->load_rate[2] = sb_vec3_dot(frame.axes[2], sb_vec3_load(rate + 1));
  }
}

static double gap(const void *self, const sb_at *at, double *held, double *known) {
  const sb_rigid_frame *frame = sb_rigid_frame_of(at);
  *held = 0 - at->discrete[STATE_BEHIND];
  *known = sb_rigid_known(self, at, &frame->points);
  return frame->gap;
}

static double restitution(const void *self, const sb_at *at, double speed, double discrete[]) {
  const sb_contact_data *s = self;
  const double e = restitution_of(s);
  sb_closest points;
  sb_contact_closest(s, at, &points);
  discrete[STATE_FASTEST] = fmax(discrete[STATE_FASTEST], speed);
  const double pause = at->t - discrete[STATE_IMPACT]; // not finite at the first impact
  const bool rests = e * speed <= rest_speed(s, at, &points) ||
                     (pause > 0 && pause < rest_time * discrete[STATE_LONGEST]);
  discrete[STATE_LONGEST] = isfinite(pause) ? fmax(discrete[STATE_LONGEST], pause) : 0;
  discrete[STATE_IMPACT] = at->t;
  return rests ? 0 : e;
}

/** How fast the direction turns along which a slip without a speed has begun, where it begins anew [rad/s]. Friction along a direction that
 *  stands still leaves the forces across it to grow: where the contact hardly accelerates they move it aside, and end its slip at once.
 *  @param slip  (world) the direction from here on */
static double drift_of(const sb_at *at, sb_vec3 normal, sb_vec3 slip, double still) {
  const double *d = at->discrete, elapsed = at->t - d[STATE_BEGUN];
  const sb_vec3 before = sb_vec3_load(d + STATE_SLIP), across = sb_vec3_cross(before, slip);
  const double angle = atan2(sb_vec3_dot(normal, across), sb_vec3_dot(before, slip));
  const bool known = fabs(angle) > direction_known && fabs(angle) < slip_turn_max;
  return known && elapsed > 0 && sb_vec3_norm(slip_velocity(at)) <= still ? angle / elapsed : 0;
}

static void enter(const void *self, const sb_at *at, int mode, const double slip[2], double turning,
                  double still, double discrete[]) {
  sb_rigid_frame frame;
  sb_contact_closest(self, at, &frame.points);
  sb_rigid_place_frame(self, at, &frame);
  const double known = sb_rigid_known(self, at, &frame.points);
  sb_leaps_note(at, &frame.points, discrete + STATE_LEAPS);
  discrete[STATE_LEAPS + LEAPS_SINCE] = mode == SB_APART ? HUGE_VAL : at->t;
  if (mode == SB_APART) {
    sb_seams_release(discrete);
  } else {
    sb_seams_hold(self, at, &frame.points, discrete);
  }
  sb_vec3_store(discrete + STATE_WARM, frame.points.normal);
  discrete[STATE_KNOWN] = 2;
  discrete[STATE_GAP] = frame.gap;
  discrete[STATE_BEHIND] = mode == SB_APART ? fmax(-frame.gap, 0) + known : -frame.gap;
  const sb_vec3 along = sb_vec3_axpy(sb_vec3_scale(frame.axes[1], slip[0]), slip[1], frame.axes[2]);
  discrete[STATE_DRIFT] = mode != SB_SLIDES ? 0
                          : !isnan(turning) ? turning
                                            : drift_of(at, frame.axes[0], along, still);
  discrete[STATE_LOADED] = HUGE_VAL; // loads jump at events, their rates hardly
  if (mode != SB_STICKS) {
    memset(discrete + STATE_LOAD_RATE, 0, 4 * sizeof *discrete);
  }
  discrete[STATE_BEGUN] = mode == SB_SLIDES ? at->t : HUGE_VAL;
  discrete[STATE_SLIDING] = mode == SB_SLIDES ? discrete[STATE_SLIDING] : 0;
  discrete[STATE_TURNING] = 0;
  discrete[STATE_STILL] = still;
  discrete[STATE_SPEEDS] = sb_rigid_speeds(at, frame.point);
  sb_vec3_store(discrete + STATE_SLIP, along);
}

/** A slip ends before it turns, so that friction never gives power. What lets go does so behind the place where its force ends: this may
 *  jump there, as over an edge, and before it nothing parts the bodies. */
static bool before(const void *self, int mode, int indicator) {
  (void)self;
  return mode == SB_SLIDES && indicator == SLIP_ENDS;
}

static bool idle(const void *self, int mode) {
  (void)self;
  return mode == SB_APART;
}

static const sb_unilateral_hooks unilateral = {
    .component = NORMAL, .terms = terms, .restitution = restitution, .gap = gap, .enter = enter};
const sb_switching_hooks sb_rigid_switching = {.discrete_states = STATE_COUNT,
                                               .initial_mode = initial_mode,
                                               .modes = {.before = before, .idle = idle},
                                               .indicators = indicators,
                                               .times = {.horizon = horizon, .overdue = overdue},
                                               .pass_kink = pass_kink,
                                               .accept = accept,
                                               .jumps = jumps,
                                               .strays = strays,
                                               .unilateral = &unilateral};
