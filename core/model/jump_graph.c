// SPDX-License-Identifier: GPL-3.0-or-later
// The piece that the law is on is exact at u; the outermost ones are secants from their jumps. All others join the values on the sides of
// their jumps that are nearer to u, with the slope that they share, which is no more than any of the graph allows.
#include "core/model/jump_graph_private.h"

#include <float.h>
#include <math.h>

#include "core/network/roles.h"

/** Steps of differences, relative to the inputs. */
static const double difference = 1e-6;

static int mode_of(const sb_jump_graph *g, int k, int side) {
  return g->instance->type->dissipation->jumps.mode(g->instance->self, k, side);
}

int sb_jump_graph_mode(const sb_jump_graph *g) {
  return mode_of(g, g->jump, g->side);
}

int sb_jump_graph_nearest(const sb_jump_graph *g) {
  int best = 0;
  for (int k = 1; k < g->count; k++) {
    best = fabs(g->u - g->places[k]) < fabs(g->u - g->places[best]) ? k : best;
  }
  return best;
}

sb_status sb_jump_graph_init(sb_jump_graph *g, const sb_instance *instance, double u, int mode,
                             sb_arena *memory) {
  *g = (sb_jump_graph){.instance = instance, .u = u};
  while (mode_of(g, g->count, 0) >= 0) {
    g->count++;
  }
  g->places = sb_arena_zeroed(memory, g->count, sizeof *g->places);
  g->low = sb_arena_zeroed(memory, g->count, sizeof *g->low);
  g->high = sb_arena_zeroed(memory, g->count, sizeof *g->high);
  if (memory->failed) {
    return SB_ERR_MEMORY;
  }
  for (int k = 0; k < g->count; k++) {
    g->places[k] = sb_instance_stick_place(instance, mode_of(g, k, 0));
  }
  g->jump = sb_jump_graph_nearest(g);
  for (int k = 0; k < g->count; k++) {
    for (int side = -1; side <= 1; side++) {
      const bool there = mode == mode_of(g, k, side) || mode == mode_of(g, k, 2 * side);
      g->jump = there ? k : g->jump;
      g->side = there ? side : g->side;
    }
  }
  g->near_jump = g->jump;
  g->near_side = g->side;
  return SB_OK;
}

void sb_jump_graph_move(sb_jump_graph *g, double u, int jump, int side, double part) {
  g->u += part * (u - g->u);
  g->near_jump = g->jump = jump;
  g->near_side = g->side = side;
  if (part < 1) {
    g->near_jump = sb_jump_graph_nearest(g);
    g->near_side = g->u > g->places[g->near_jump] ? 1 : -1;
  }
}

/** The value of the law on a side of a jump. @return whether it has one */
static bool ask(const sb_jump_graph *g, const sb_instant *s, int k, int side, double u, double *y) {
  double in[SB_DIM_MAX] = {u}, out[SB_DIM_MAX];
  sb_at at = sb_at_instance(s->work, g->instance, s->end, s->x_end);
  for (int i = 1; i < g->instance->components; i++) { // a heat port has its temperature
    in[i] = s->work->bond_values[sb_effort_var(g->instance, i)];
  }
  at.in = in;
  at.point = 0;
  at.mode = mode_of(g, k, side);
  if (sb_instance_output(g->instance, &at, out) != 0 || !isfinite(out[0])) {
    return false;
  }
  *y = out[0];
  return true;
}

/** The slope of the outermost piece on a side. Where it falls it is level where the law is. */
static bool read_end(const sb_jump_graph *g, const sb_instant *s, int side, double *slope) {
  const int k = side > 0 ? g->count - 1 : 0;
  const double place = g->places[k], way = side * (g->u - place);
  const bool there = way > DBL_EPSILON * fabs(place);
  const double u = there ? g->u : place + side * difference * fmax(fabs(place), 1);
  double y, *level = side > 0 ? &g->high[k] : &g->low[k];
  if (!ask(g, s, k, side, u, &y)) {
    return false;
  }
  *slope = (y - *level) / (u - place);
  if (!(*slope >= 0)) {
    *level = there ? y : *level;
    *slope = 0;
  }
  return isfinite(*slope);
}

/** The values on both sides of each jump; those of the present mode may be about one of them. */
static bool read_limits(sb_jump_graph *g, const sb_instant *s) {
  const sb_jumping_law *law = &g->instance->type->dissipation->jumps;
  const int present = s->modes[g->instance->mode];
  sb_at at = sb_at_instance(s->work, g->instance, s->end, s->x_end);
  bool finite = true;
  at.point = 0;
  for (int k = 0; k < g->count; k++) {
    const bool own = sb_instance_stick_place(g->instance, present) == g->places[k];
    at.mode = own ? present : mode_of(g, k, 0);
    law->limits(g->instance->self, &at, &g->low[k], &g->high[k]);
    finite = finite && isfinite(g->low[k]) && isfinite(g->high[k]);
  }
  return finite;
}

/** The jump behind the piece between two that the law is on; -1: it is on none. */
static int inner_piece(const sb_jump_graph *g) {
  const int k = g->near_jump + (g->near_side > 0);
  return g->near_side != 0 && k > 0 && k < g->count ? k : -1;
}

/** Joins the inner pieces with one slope. */
static bool join(sb_jump_graph *g, const sb_instant *s) {
  const int inner = inner_piece(g);
  double y = 0, u = g->u;
  if (inner > 0) {
    const double width = g->places[inner] - g->places[inner - 1];
    u = fmin(fmax(u, g->places[inner - 1] + difference * width),
             g->places[inner] - difference * width);
    if (!ask(g, s, g->near_jump, g->near_side, u, &y)) {
      return false;
    }
    g->slope = fmin(g->slope, (g->low[inner] - g->high[inner - 1]) / width);
    g->slope = fmin(g->slope, (y - g->low[inner - 1]) / (u - g->places[inner - 1]));
    g->slope = fmin(g->slope, (g->high[inner] - y) / (g->places[inner] - u));
  }
  const int first_behind = inner > 0 ? inner + 1 : g->near_jump + 1;
  for (int k = 1; k < g->count; k++) { // none may fall below the other side of its jump
    const bool rises = k >= first_behind || k == inner;
    const double room = rises ? g->high[k] - g->high[k - 1] : g->low[k] - g->low[k - 1];
    g->slope = k == inner ? g->slope : fmin(g->slope, room / (g->places[k] - g->places[k - 1]));
  }
  g->slope = fmax(g->slope, 0);
  for (int k = 1; k < g->count; k++) {
    const double rise = g->slope * (g->places[k] - g->places[k - 1]);
    if (k == inner) {
      g->high[k - 1] = y - g->slope * (u - g->places[k - 1]);
      g->low[k] = y + g->slope * (g->places[k] - u);
    } else if (k >= first_behind) {
      g->low[k] = g->high[k - 1] + rise;
    } else {
      g->high[k - 1] = g->low[k] - rise;
    }
  }
  return true;
}

bool sb_jump_graph_read(sb_jump_graph *g, const sb_instant *s) {
  if (!read_limits(g, s) || !read_end(g, s, -1, &g->in_front) || !read_end(g, s, 1, &g->behind)) {
    return false;
  }
  g->slope = fmin(g->in_front, g->behind);
  bool rises = join(g, s);
  g->in_front -= g->slope;
  g->behind -= g->slope;
  for (int k = 0; k < g->count; k++) {
    rises = rises && g->high[k] >= g->low[k];
  }
  return rises;
}
