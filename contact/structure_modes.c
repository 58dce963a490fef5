// SPDX-License-Identifier: GPL-3.0-or-later
// The modes of a contact: when bodies touch, let go, and what is kept from one to the other.
//
// Modes: APART; PUSHING; PULLING, in contact with a normal law that would pull, which a clamp holds at zero.
// RECOVERING: under a law whose surface recovers, in place of PULLING; the bodies are apart, whatever their gap, and the
// surface moves by its own spring and damper, whose efforts cancel: its load has no effort, and a flow that is not
// that of the bodies. Contact begins and ends with the gap, or begins where a body meets such a surface; the kink of what depends on the push is located, so that steps end there.
// Event indicators fire when they fall through zero. What is closer to zero than it is known to ends no contact, and no push: of bodies that
// rest side by side the gap is rounding of their places, and its sign that of the last digit.
#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/structure_private.h"

/** Cosine between the normals at both ends of a step in touch that are on one branch: more than what turn_max makes, less
 *  than a leap round an edge or to the other side. */
static const double same_branch = 0.5;
/** Of a speed that changes within a step the larger one at both ends, so many times; and a leap of the gap by this share of the
 *  thinner body, less than what the tolerance of a step leaves at rest, is none. */
static const double most = 4, nearby = 1e-4;

/** The gap is right even where the points are one pair of several, as of a box flat on a floor: its touch is located,
 *  and refused there. */
static bool gap_known(const sb_contact_data *s, const sb_at *at, const sb_closest *points) {
  return sb_contact_usable(points) ||
         (touches(at->mode) ? sb_rocking_passes(s, at, points) : sb_contact_flat(points));
}

static int initial_mode(const void *self, const sb_at *at, double discrete[]) {
  (void)self, (void)at;
  memset(discrete, 0, LATCHED_COUNT * sizeof *discrete);
  return APART;
}

bool sb_contact_watches_push(const sb_contact_data *s) {
  return !s->law.normal->potential && (s->law.clamp || sb_contact_law_one_load(&s->law)) &&
         (s->skin.b_n > 0 || sb_contact_law_damps(&s->law));
}

/** A lower bound that is above this fraction of the gap where it was last solved for is good enough: only its sign, and
 *  how long it may stay, depends on it. */
static const double still_apart = 0.5;

/** How far the bodies are from each other: exactly or at least; far apart by balls, else by planes across the normal where
 *  the gap was last solved for. */
typedef struct distance {
  double gap, rate;   // [m], [m/s]
  double known;       // [m] to what the gap is known
  double speed;       // [m/s] of the nearest points
  double depth_ratio; // if the gap is exact; else 0
  sb_vec3 normal;
  enum { UNKNOWN, EXACT, FAR, LEAST } how;
} distance;

/** A bound of the gap, in place of the closest points of the frame.
 *  @param far  out: it is that of the balls */
static void find_bound(const sb_contact_data *s, const sb_at *at, sb_closest *bound, bool *far) {
  const sb_surface *surface = s->surface;
  const sb_pose *H1 = pose_of(at, 0), *H2 = pose_of(at, 1);
  sb_vec3 place[2];
  *far = sb_closest_far(&surface[0], H1, &surface[1], H2, &bound->gap, &bound->normal, place);
  if (!*far && at->discrete[LATCHED_SOLVED] > 0) {
    bound->normal = sb_vec3_load(at->discrete + LATCHED_NORMAL);
    bound->gap = sb_closest_least(&surface[0], H1, &surface[1], H2, &bound->normal, place);
  }
  bound->p1 = place[0], bound->p2 = place[1];
}

/** The same, found once for a point.  @return whether it will do */
static bool bounded(const sb_contact_data *s, const sb_at *at, distance *d, sb_vec3 place[2]) {
  sb_contact_frame *frame = (sb_contact_frame *)(void *)at->own;
  const double solved = at->discrete[LATCHED_SOLVED];
  sb_closest here, *bound = at->point != 0 ? &frame->points : &here;
  if (at->mode != APART) {
    return false;
  }
  bool far = frame->far != 0;
  if (at->point == 0 || frame->solved != -(double)at->point) {
    find_bound(s, at, bound, &far);
    frame->solved = at->point != 0 ? -(double)at->point : frame->solved;
    frame->far = far;
  }
  *d = (distance){.gap = bound->gap, .normal = bound->normal, .how = far ? FAR : LEAST};
  place[0] = bound->p1, place[1] = bound->p2;
  return far || (solved > 0 && d->gap > still_apart * solved);
}

/** The sum of the terms of n . p [m]. */
static double terms_along(sb_vec3 n, sb_vec3 p) {
  return fabs(n.x * p.x) + fabs(n.y * p.y) + fabs(n.z * p.z);
}

static distance distance_of(const sb_contact_data *s, const sb_at *at) {
  distance d;
  sb_vec3 place[2];
  if (!bounded(s, at, &d, place)) {
    sb_closest solved;
    const sb_closest *points = sb_contact_points(s, at, &solved);
    d = (distance){.gap = points->gap,
                   .normal = points->normal,
                   .depth_ratio = points->depth_ratio,
                   .how = gap_known(s, at, points) ? EXACT : UNKNOWN};
    place[0] = points->p1, place[1] = points->p2;
  }
  const sb_vec3 v = sb_contact_parting(at, place);
  d.rate = sb_vec3_dot(d.normal, v);
  d.speed = sb_vec3_norm(v);
  for (int i = 0; i < 2; i++) {
    d.known += DBL_EPSILON *
               (terms_along(d.normal, place[i]) + terms_along(d.normal, pose_of(at, i)->position));
  }
  return d;
}

bool sb_contact_leaps(const sb_at *at, const sb_closest *points) {
  return touches(at->mode) && at->discrete[LATCHED_KNOWN] == EXACT &&
         sb_vec3_dot(points->normal, sb_vec3_load(at->discrete + LATCHED_NORMAL)) < same_branch;
}

static bool gap_leaps(const sb_contact_data *s, const sb_at *at, const distance *d) {
  const double *discrete = at->discrete;
  const double way = fabs(d->gap - discrete[LATCHED_GAP]) - nearby * s->width;
  return touches(at->mode) && discrete[LATCHED_KNOWN] == EXACT &&
         way >
             most * fabs(at->t - discrete[LATCHED_TIME]) * fmax(d->speed, discrete[LATCHED_SPEED]);
}

bool sb_contact_gap_leaps(const sb_contact_data *s, const sb_at *at) {
  const distance d = distance_of(s, at);
  return gap_leaps(s, at, &d);
}

/** To what the push is known where such a gap ends: by the spring at a depth of that to both sides. */
static double push_known(const sb_contact_data *s, const sb_contact_skin *skin, const distance *d) {
  double force = 0;
  (void)sb_contact_law_energy(&s->law, skin->k_n, 2 * d->known, NULL, &force);
  return fabs(force);
}

/** Event indicators in touch; those of seams follow. */
enum { ENDS, PUSH, SEAMS };

/** The push or the pull of a damper, as far as anything depends on it. */
static bool push_indicator(const sb_contact_data *s, const sb_at *at, const distance *d,
                           const sb_closest *points, double *g, double *gdot) {
  sb_contact_skin skin;
  double pull;
  if (!sb_contact_skin_here(s, at, points, &skin, NULL)) {
    return false;
  }
  (void)sb_contact_normal_force(&s->law, &skin, d->gap, d->rate, &pull);
  *g = at->mode == PUSHING ? pull + push_known(s, &skin, d) : -pull;
  *gdot = NAN;
  return true;
}

static int indicators(const void *self, const sb_at *at, double g[], double gdot[]) {
  const sb_contact_data *s = self;
  distance d = distance_of(s, at);
  if (d.how == UNKNOWN || gap_leaps(s, at, &d) ||
      (touches(at->mode) && sb_rocking_ends(at->discrete + LATCHED_ROCKING))) {
    return -1;
  }
  g[ENDS] = at->mode == APART ? d.gap : d.known - d.gap;
  gdot[ENDS] = at->mode == APART ? d.rate : -d.rate;
  if (at->mode == RECOVERING) {
    const sb_recovery *recovery = &sb_contact_latched(at)->recovery;
    double rate, x = sb_recovery_depth(&s->law, recovery, at->t, &rate);
    g[0] = d.gap + x;
    gdot[0] = d.rate + rate;
    g[1] = x / recovery->depth - SB_RECOVERY_LEAST;
    gdot[1] = rate / recovery->depth;
    return 2;
  }
  if (at->mode == APART) {
    return 1;
  }
  sb_closest solved;
  const sb_closest *points = sb_contact_points(s, at, &solved);
  const bool watches = sb_contact_watches_push(s);
  g[PUSH] = 1;
  gdot[PUSH] = 0;
  if (watches && !push_indicator(s, at, &d, points, &g[PUSH], &gdot[PUSH])) {
    return -1;
  }
  const int seams = sb_seams_indicators(s, at, points, g + SEAMS, gdot + SEAMS);
  return seams > 0 ? SEAMS + seams : watches ? SEAMS : PUSH;
}

static bool pass_kink(const void *self, const sb_at *at, int indicator, double discrete[]) {
  const bool passes = touches(at->mode) && indicator >= SEAMS;
  if (passes) {
    sb_seams_pass(self, at, indicator - SEAMS, discrete);
  }
  return passes;
}

static double known(const void *self, const sb_at *at, int indicator) {
  const sb_contact_data *s = self;
  const distance d = distance_of(s, at);
  sb_closest solved;
  sb_contact_skin skin;
  if (indicator != PUSH || at->mode == RECOVERING) {
    return indicator == ENDS ? d.known : 0;
  }
  const bool usable = sb_contact_skin_here(s, at, sb_contact_points(s, at, &solved), &skin, NULL);
  return usable ? push_known(s, &skin, &d) : 0;
}

/** A contact that begins while its bodies part, as one that overlaps at the start may, would pull at once. */
static int mode_at_touch(const sb_contact_data *s, const sb_at *at) {
  double g[SB_INDICATORS_MAX], gdot[SB_INDICATORS_MAX];
  sb_at pushing = *at;
  pushing.mode = PUSHING;
  return indicators(s, &pushing, g, gdot) > PUSH && g[PUSH] < 0 ? PULLING : PUSHING;
}

/** The stiffness that a contact keeps from here on [N/m^n]; 0: none. */
static double held_stiffness(const sb_contact_data *s, const sb_at *at) {
  sb_closest solved;
  sb_contact_skin skin;
  if (s->law.stiffness_at != SB_AT_TOUCH) {
    return 0;
  }
  const sb_closest *points = sb_contact_points(s, at, &solved);
  return sb_contact_usable(points) && sb_contact_skin_here(s, at, points, &skin, NULL) ? skin.k_n
                                                                                       : 0;
}

/** The bodies let go of a surface that is still pressed in. */
static sb_status let_go(const sb_contact_data *s, const sb_at *at, double discrete[],
                        sb_transition *out) {
  sb_contact_latch *latch = (sb_contact_latch *)(void *)(discrete + LATCHED_LATCH);
  sb_contact_skin skin;
  sb_closest solved;
  const sb_closest *points = sb_contact_points(s, at, &solved);
  const bool known = sb_contact_skin_here(s, at, points, &skin, NULL);
  *latch = (sb_contact_latch){0};
  sb_seams_release(discrete);
  if (known && points->gap < 0) {
    SB_TRY(sb_recovery_begin(&s->law, skin.k_n, skin.b_n, -points->gap, at->t, &latch->recovery,
                             out->err));
    latch->recovering = skin.k_n;
  }
  *out = (sb_transition){.mode = known && points->gap < 0 ? RECOVERING : APART, .kind = "release"};
  return SB_OK;
}

static sb_status fire(const void *self, const sb_at *at, int indicator, double discrete[],
                      sb_transition *out) {
  const sb_contact_data *s = self;
  sb_contact_latch *latch = (sb_contact_latch *)(void *)(discrete + LATCHED_LATCH);
  if (at->mode == RECOVERING && indicator == 1) {
    *latch = (sb_contact_latch){0};
    *out = (sb_transition){.mode = APART, .continues = true};
  } else if (!touches(at->mode)) {
    SB_TRY(sb_contact_check_overlap(self, distance_of(self, at).gap, out->err));
    *latch = (sb_contact_latch){.stiffness = held_stiffness(self, at),
                                .speed = fmax(-distance_of(self, at).rate, 0)};
    sb_closest solved;
    sb_rocking_begin(discrete + LATCHED_ROCKING);
    sb_seams_hold(s, at, sb_contact_points(s, at, &solved), discrete);
    *out = (sb_transition){.mode = mode_at_touch(self, at), .kind = "touch"};
  } else if (indicator == 1 && s->law.recovers && at->mode == PUSHING) {
    SB_TRY(let_go(s, at, discrete, out));
  } else if (indicator == 0) {
    *latch = (sb_contact_latch){0};
    sb_seams_release(discrete);
    *out = (sb_transition){.mode = APART, .kind = "release"};
  } else {
    *out = (sb_transition){.mode = at->mode == PUSHING ? PULLING : PUSHING, .continues = true};
  }
  return SB_OK;
}

/** Whether bodies that are apart at both ends of a step may have touched in it. */
static bool overdue(const void *self, const sb_at *at) {
  const sb_contact_data *s = self;
  const double *discrete = at->discrete;
  if (at->mode != APART || discrete[LATCHED_KNOWN] == UNKNOWN) {
    return false;
  }
  const double room = fmax(discrete[LATCHED_GAP], 0) + 0.5 * s->width;
  const double way = 0.5 * (at->t - discrete[LATCHED_TIME]) *
                     (discrete[LATCHED_PASSING] + sb_passing_speed(s, at));
  return way > room && way > room + fmax(distance_of(s, at).gap, 0);
}

static void accept(const void *self, const sb_at *at, double discrete[]) {
  const sb_contact_data *s = self;
  distance d = distance_of(self, at);
  if (at->mode == RECOVERING) {
    sb_contact_latch *latch = (sb_contact_latch *)(void *)(discrete + LATCHED_LATCH);
    sb_recovery_accept(&s->law, &latch->recovery, at->t);
  }
  if (d.how == UNKNOWN) {
    return;
  }
  if (at->mode == APART) {
    discrete[LATCHED_PASSING] = sb_passing_speed(s, at);
  }
  if (touches(at->mode)) {
    sb_closest solved;
    const sb_closest *points = sb_contact_points(s, at, &solved);
    sb_rocking_follow(s, at, points, discrete + LATCHED_ROCKING);
    sb_seams_hold(s, at, points, discrete);
  }
  double elapsed = at->t - discrete[LATCHED_TIME];
  if (discrete[LATCHED_KNOWN] == (double)d.how &&
      elapsed > 0) { // of one kind, and the step is short
    discrete[LATCHED_ACCELERATION] = fabs(d.rate - discrete[LATCHED_RATE]) / elapsed;
  }
  sb_vec3_store(discrete + LATCHED_NORMAL, d.normal);
  discrete[LATCHED_RATE] = d.rate;
  discrete[LATCHED_TIME] = at->t;
  discrete[LATCHED_GAP] = d.gap;
  discrete[LATCHED_SPEED] = d.speed;
  discrete[LATCHED_DEPTH_RATIO] = d.depth_ratio;
  if (d.depth_ratio > discrete[LATCHED_DEEPEST] && touches(at->mode)) {
    discrete[LATCHED_DEEPEST] = d.depth_ratio;
    discrete[LATCHED_DEEPEST_TIME] = at->t;
  }
  if (-d.gap > discrete[LATCHED_DEPTH] && touches(at->mode)) {
    discrete[LATCHED_DEPTH] = -d.gap;
    discrete[LATCHED_DEPTH_TIME] = at->t;
  }
  discrete[LATCHED_KNOWN] = d.how;
  discrete[LATCHED_SOLVED] = d.how == EXACT ? d.gap : d.how == LEAST ? discrete[LATCHED_SOLVED] : 0;
}

/** Bodies apart give each other nothing. */
static bool idle(const void *self, int mode) {
  (void)self;
  return mode == APART;
}

const sb_switching_hooks sb_contact_switching = {
    .discrete_states = LATCHED_COUNT,
    .initial_mode = initial_mode,
    .modes = {.idle = idle},
    .indicators = indicators,
    .known = known,
    .fire = fire,
    .pass_kink = pass_kink,
    .times = {.horizon = sb_contact_horizon, .overdue = overdue},
    .accept = accept,
    .remark = sb_contact_remark};
