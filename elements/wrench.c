// SPDX-License-Identifier: GPL-3.0-or-later
// A wrench on a body from outside: force and moment as expressions of the time and of signals, at a point of a frame, in
// world axes or those of the frame. About the point that places count from (sb_place_hooks) it is W = (m + p x F, F).
#include <math.h>
#include <string.h>

#include "elements/elements.h"
#include "elements/signals_private.h"
#include "geometry/screw.h"

enum { WORLD, FRAME };
static const char *const axes_words[] = {"world", "frame", NULL};

typedef struct wrench {
  double number[6];       // [N m] moment, then [N] force
  sb_expression *part[6]; // in place of a number; NULL: none
  double at[3];           // [m] where the force acts, in the frame
  int axes;
  int signals;    // that the expressions name
  sb_vec3 origin; // [m] that poses and wrenches count from
} wrench;

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  wrench *s = self;
  s->signals = layout->wires;
  for (int i = 0; i < 6; i++) {
    SB_TRY(sb_signals_check(s->part[i], 1, layout->wires, err));
  }
  return SB_OK;
}

/** The signals behind the pose. */
static sb_at of_expressions(const sb_at *at) {
  sb_at own = *at;
  own.signals = at->signals + 1;
  return own;
}

static int value(const void *self, const sb_at *at, double y[]) {
  const wrench *s = self;
  const sb_at own = of_expressions(at);
  double u[SB_EXPRESSION_VARIABLES_MAX] = {at->t},
         inside[SB_EXPRESSION_VARIABLES_MAX] = {at->inside};
  double all[6];
  sb_pose pose;
  sb_signals_fill(&own, s->signals, u + 1);
  sb_signals_fill(&own, s->signals, inside + 1);
  for (int i = 0; i < 6; i++) {
    all[i] = s->part[i] == NULL ? s->number[i]
                                : sb_expression_at(s->part[i], u, inside, at->branches, -1).value;
  }
  memcpy(&pose, at->signals[0], sizeof pose);
  sb_vec3 moment = sb_vec3_load(all), force = sb_vec3_load(all + 3);
  if (s->axes == FRAME) {
    moment = sb_mat3_apply(pose.rotation, moment);
    force = sb_mat3_apply(pose.rotation, force);
  }
  const sb_vec3 p = sb_pose_point(pose, sb_vec3_load(s->at));
  sb_vec3_store(y, sb_vec3_add(moment, sb_vec3_cross(p, force)));
  sb_vec3_store(y + 3, force);
  return 0;
}

static const sb_source_hooks hooks = {.value = value};

static void refer(void *self, const double origin[3]) {
  ((wrench *)self)->origin = sb_vec3_load(origin);
}

static void effort(const void *self, int port, double values[]) {
  (void)port;
  sb_wrench_store(values, sb_wrench_from(((const wrench *)self)->origin, sb_wrench_load(values)));
}

static void flow(const void *self, int port, double values[]) {
  (void)port;
  sb_twist_store(values, sb_twist_from(((const wrench *)self)->origin, sb_twist_load(values)));
}

static const sb_place_hooks place = {.refer = refer, .effort = effort, .flow = flow};
static const sb_argument of_time[] = {{.name = "t", .unit = "s"}, {0}};
#define FORMULA(name_, index_, unit_)                                                              \
  {                                                                                                \
    .name = (name_), .kind = SB_PARAM_EXPRESSION,                                                  \
    .offset = offsetof(wrench, part) + (index_) * sizeof(sb_expression *), .unit = (unit_),        \
    .fallback = "", .arguments = of_time, .signals = true                                          \
  }
static const sb_param formulas[6] = {FORMULA("moment_x", 0, "N.m"), FORMULA("moment_y", 1, "N.m"),
                                     FORMULA("moment_z", 2, "N.m"), FORMULA("force_x", 3, "N"),
                                     FORMULA("force_y", 4, "N"),    FORMULA("force_z", 5, "N")};
#define PART(name_, index_, unit_)                                                                 \
  {                                                                                                \
    .name = (name_), .kind = SB_PARAM_REAL,                                                        \
    .offset = offsetof(wrench, number) + (index_) * sizeof(double), .unit = (unit_),               \
    .fallback = "0", .formula = &formulas[index_],                                                 \
    .help = "a number, or an expression of the time t and of signals"                              \
  }
static const sb_param params[] = {PART("moment_x", 0, "N.m"),
                                  PART("moment_y", 1, "N.m"),
                                  PART("moment_z", 2, "N.m"),
                                  PART("force_x", 3, "N"),
                                  PART("force_y", 4, "N"),
                                  PART("force_z", 5, "N"),
                                  {.name = "at",
                                   .kind = SB_PARAM_VECTOR,
                                   .count = 3,
                                   .offset = offsetof(wrench, at),
                                   .unit = "m",
                                   .fallback = "0 0 0",
                                   .help = "where the force acts, in the frame"},
                                  {.name = "axes",
                                   .kind = SB_PARAM_CHOICE,
                                   .offset = offsetof(wrench, axes),
                                   .choices = axes_words,
                                   .fallback = "world",
                                   .help = "that force and moment are along"},
                                  {0}};
static const sb_port_spec ports[] = {{"body", .dim = 6, .domain = "screw", .output = SB_EFFORT},
                                     {0}};
static const sb_signal_spec signals[] = {
    {.name = "pose", .count = 12, .input = true}, SB_SIGNAL_INPUTS, {0}};

const sb_element_type sb_kind_Wrench = {
    .name = "Wrench",
    .help = "force and moment on a body from outside: thrust, wind, load",
    .role = SB_SOURCE,
    .size = sizeof(wrench),
    .params = params,
    .ports = ports,
    .signals = signals,
    .init = init,
    .source = &hooks,
    .place = &place,
    .example =
        "<Wrench id=\"thrust\" on=\"rocket\" axes=\"frame\" force-z=\"200[N]*exp(-t/3[s])\"/>"};
