// SPDX-License-Identifier: GPL-3.0-or-later
// The ground is a source of zero twist: whatever force it takes, it supplies no power. Its pose is that of the world, -o from
// the common point that x and poses count from (sb_place_hooks).
#include <string.h>

#include "elements/elements.h"
#include "geometry/screw.h"

typedef struct ground {
  sb_vec3 origin; // [m] o
} ground;

static void see(sb_vec3 origin, double signals[]) {
  const sb_pose pose = {sb_mat3_identity(), sb_vec3_sub((sb_vec3){0, 0, 0}, origin)}; // no -0
  memcpy(signals, &pose, sizeof pose);
}

static int value(const void *self, const sb_at *at, double y[]) {
  see(((const ground *)self)->origin, at->own);
  memset(y, 0, 6 * sizeof *y);
  return 0;
}

/** So that storages may depend on each other through the ground. */
static int rate(const void *self, const sb_at *at, double ydot[]) {
  (void)self, (void)at;
  memset(ydot, 0, 6 * sizeof *ydot);
  return 0;
}

static bool steady(const void *self) {
  (void)self;
  return true;
}

static void refer(void *self, const double origin[3]) {
  ((ground *)self)->origin = sb_vec3_load(origin);
}

static void seen(const double origin[3], double signals[]) {
  see(sb_vec3_load(origin), signals);
}

static void effort(const void *self, int port, double values[]) {
  (void)port;
  sb_wrench_store(values, sb_wrench_from(((const ground *)self)->origin, sb_wrench_load(values)));
}

/** Zero about every point. */
static void flow(const void *self, int port, double values[]) {
  (void)self, (void)port, (void)values;
}

static const sb_place_hooks place = {.refer = refer, .seen = seen, .effort = effort, .flow = flow};

static const sb_source_hooks hooks = {.value = value, .rate = rate, .steady = steady};

static const sb_port_spec ports[] = {
    {"p", .dim = 6, .domain = "screw", .output = SB_FLOW, .shared = true}, {0}};
static const sb_signal_spec signals[] = {{.name = "pose", .count = 12}, {0}};

const sb_element_type sb_kind_ground = {
    .name = "ground",
    .help = "the fixed world",
    .role = SB_SOURCE,
    .size = sizeof(ground),
    .ports = ports,
    .signals = signals,
    .source = &hooks,
    .place = &place,
    .example = "<ground id=\"floor\"> <shape kind=\"plane\" normal=\"0 0 1\"/> </ground>"};
