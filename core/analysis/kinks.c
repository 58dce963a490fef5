// SPDX-License-Identifier: GPL-3.0-or-later
// Kinks and jumps of expressions at the operating point of a linearisation. Along every state, every input and a few directions
// between them the rates and outputs f(x, u) must have one value and one derivative on both sides,
//   f(x + s d) and df/ds for s -> 0 from below and from above:
// the sides differ in the branches that expressions take a short way along d, and by these f is smooth across x. The whole model is
// judged, not each expression: abs(v)*v has a derivative at v = 0, in one signal or in two.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/analysis/differences_private.h"
#include "core/analysis/linear_private.h"

/** Directions between all states and inputs: there max(0, min(x, y)) has its kink. */
enum { DIAGONALS = 3 };
/** What decides is at its kink within so many of its roundings, and beyond it from so many on. */
static const double at_kink = 16, beyond = 64;
/** The ways along a direction at which what decides is looked at, in sizes of the state, 1 SI at least. */
static const double nearest = 1e-30, farthest = 1e-6, stride = 1e3;
/** Derivatives differ if by more than this many errors of differences; these and values, if by more than this fraction. */
static const double errors_apart = 3, same = 1e-9;
/** Rounding of values, as a fraction of what they change by over the size of the state. */
static const double rounding = 1e-12;

enum { BELOW, ABOVE, FIRST, SIDES }; // FIRST: as it is held at the point itself

typedef struct survey {
  sb_operating_point *p;
  double *const *inputs; // (input_count)
  int input_count, branches;
  double *x;                         // (states) the operating point
  double *held;                      // (branches) there; NAN: at its kink
  double *side[SIDES];               // (branches) by which the model goes on to either side
  double *value[SIDES];              // (rows)
  double *slope[SIDES], *off[SIDES]; // (rows) d/ds, and what it may be off by
  sb_differences d;
  int direction; // a state, an input behind the states, or a diagonal behind both
  double s;
  bool first_differs; // from both sides, as 0 of max(0, v) - max(0, -v)
} survey;

/** By how much a state or an input moves with s; 0: it does not belong to the direction. */
static double move_of(const survey *v, int variable) {
  const int states = v->p->states, count = states + v->input_count;
  const double size = variable < states ? fmax(fabs(v->x[variable]), 1) : 1;
  if (v->direction < count) {
    return variable == v->direction ? size : 0;
  }
  const int k = v->direction - count; // directions with other signs, and of no simple ratios
  const double part = fmod((variable + 1) * (0.6180339887498949 + 0.1 * k), 1);
  return size * (part < 0.5 ? -0.5 - part : part);
}

static bool evaluate(void *context, double out[]) {
  survey *v = context;
  for (int i = 0; i < v->p->states; i++) {
    v->p->x[i] = v->x[i] + v->s * move_of(v, i);
  }
  for (int i = 0; i < v->input_count; i++) {
    *v->inputs[i] = v->s * move_of(v, v->p->states + i);
  }
  return sb_operating_point_evaluate(v->p, out);
}

/** The branches that a model takes along the direction: of each that is at its kink the first beyond what is rounding; those that
 *  do not move stay as they are. */
static void look(survey *v, double sign, double side[]) {
  sb_branches *b = &v->p->work->branches;
  memcpy(side, v->held, (size_t)v->branches * sizeof *side);
  memcpy(b->held, v->held, (size_t)v->branches * sizeof *side);
  for (double h = nearest; h <= farthest * stride; h *= stride) {
    for (int k = 0; k < v->branches; k++) {
      b->apart[k] = 0; // of what is not evaluated
    }
    v->s = sign * h;
    b->notes = true;
    const bool finite = evaluate(v, v->value[0]);
    b->notes = false;
    for (int k = 0; finite && k < v->branches; k++) {
      side[k] = isnan(side[k]) && b->apart[k] > beyond ? b->now[k] : side[k];
    }
  }
  for (int k = 0; k < v->branches; k++) {
    side[k] = isnan(side[k]) ? v->side[FIRST][k] : side[k];
  }
  v->s = 0;
}

static bool changes(const survey *v, int branch) {
  return isnan(v->held[branch]) && !isnan(v->side[FIRST][branch]) &&
         v->side[BELOW][branch] != v->side[ABOVE][branch];
}

/** The next instance from one on whose branches are not the same on both sides; the number of all: none. */
static int next_changed(const survey *v, int instance) {
  const sb_network *network = &v->p->network;
  for (; instance < network->instance_count; instance++) {
    const sb_instance *i = &network->instances[instance];
    for (int k = i->branch; k < i->branch + i->branch_count; k++) {
      if (changes(v, k)) {
        return instance;
      }
    }
  }
  return instance;
}

/** The value and the derivative at the point on the branches of one side. @return false: they are not finite */
static bool differentiate(survey *v, int side) {
  const size_t size = (size_t)v->p->rows * sizeof(double);
  memcpy(v->p->work->branches.held, v->side[side], (size_t)v->branches * sizeof(double));
  if (!evaluate(v, v->value[side]) || !sb_differences_take(&v->d, &v->s)) {
    return false;
  }
  memcpy(v->slope[side], v->d.column, size);
  memcpy(v->off[side], v->d.error, size);
  return true;
}

typedef enum difference { NO_DIFFERENCE, KINK, JUMP } difference;

/** Whether the rates and outputs differ by their values or derivatives on two sides that differentiate() was called for. */
static difference tell(const survey *v, int a, int b) {
  difference found = NO_DIFFERENCE;
  for (int r = 0; r < v->p->states + v->p->output_components && found != JUMP; r++) {
    const double slope = fmax(fabs(v->slope[a][r]), fabs(v->slope[b][r]));
    const double size = fmax(fabs(v->value[a][r]), fabs(v->value[b][r]));
    const double off = errors_apart * (v->off[a][r] + v->off[b][r]);
    if (fabs(v->value[a][r] - v->value[b][r]) > same * size + rounding * slope) {
      found = JUMP;
    } else if (fabs(v->slope[a][r] - v->slope[b][r]) > fmax(off, same * slope)) {
      found = KINK;
    }
  }
  return found;
}

/** The first instance whose branches alone make a difference; if none does, the first whose branches change. */
static const sb_instance *find_cause(survey *v) {
  const sb_network *network = &v->p->network;
  const int first = next_changed(v, 0);
  for (int i = first; i < network->instance_count; i = next_changed(v, i + 1)) {
    const sb_instance *instance = &network->instances[i];
    memcpy(v->side[FIRST], v->side[BELOW], (size_t)v->branches * sizeof(double));
    memcpy(v->side[FIRST] + instance->branch, v->side[ABOVE] + instance->branch,
           (size_t)instance->branch_count * sizeof(double));
    if (differentiate(v, BELOW) && differentiate(v, FIRST) &&
        tell(v, BELOW, FIRST) != NO_DIFFERENCE) {
      return instance;
    }
  }
  return &network->instances[first];
}

static sb_status refuse(const sb_instance *instance, bool jumps, sb_error *err) {
  sb_status status =
      sb_fail(err, SB_ERR_USAGE, "%s '%s' has a %s at the operating point: %s",
              instance->type->name, instance->id, jumps ? "jump" : "kink",
              jumps ? "the values on both sides differ" : "the derivatives on both sides differ");
  sb_error_hint(err,
                "linearize at another operating point, a short way to one side of it: by other "
                "values at the start, --at or --equilibrium");
  sb_place_into(&instance->place, err);
  return status;
}

static sb_status compare(survey *v, sb_error *err) {
  if (!differentiate(v, BELOW) || !differentiate(v, ABOVE)) {
    return SB_OK; // the linearisation tells where
  }
  const difference found = tell(v, BELOW, ABOVE);
  if (found != NO_DIFFERENCE) {
    return refuse(find_cause(v), found == JUMP, err);
  }
  v->first_differs =
      v->first_differs || !differentiate(v, FIRST) || tell(v, FIRST, ABOVE) != NO_DIFFERENCE;
  return SB_OK;
}

static bool allocate(survey *v, sb_arena *memory) {
  sb_operating_point *p = v->p;
  v->d = (sb_differences){.evaluate = evaluate, .context = v, .rows = p->rows};
  v->x = sb_arena_zeroed(memory, p->states, sizeof(double));
  v->held = sb_arena_zeroed(memory, v->branches, sizeof(double));
  for (int side = 0; side < SIDES; side++) {
    v->side[side] = sb_arena_zeroed(memory, v->branches, sizeof(double));
    v->value[side] = sb_arena_zeroed(memory, p->rows, sizeof(double));
    v->slope[side] = sb_arena_zeroed(memory, p->rows, sizeof(double));
    v->off[side] = sb_arena_zeroed(memory, p->rows, sizeof(double));
  }
  return sb_differences_init(&v->d, memory);
}

static sb_status survey_all(survey *v, sb_error *err) {
  const int count = v->p->states + v->input_count + DIAGONALS;
  for (v->direction = 0; v->direction < count; v->direction++) {
    look(v, -1, v->side[BELOW]);
    look(v, 1, v->side[ABOVE]);
    if (next_changed(v, 0) < v->p->network.instance_count) {
      SB_TRY(compare(v, err));
    }
  }
  return SB_OK;
}

/** Whether a law of one input that has no expression is straight on both sides of the point, and bends there: a table in a corner.
 */
static bool is_in_corner(const sb_operating_point *p, const sb_instance *instance) {
  const sb_dissipation_hooks *law = instance->type->dissipation;
  if (law == NULL || law->slope == NULL || !instance->hooked || instance->components != 1) {
    return false;
  }
  const double u = p->work->values[instance->in];
  const double h = u == 0 ? nearest : at_kink * DBL_EPSILON * fabs(u);
  double slope[4], in;
  sb_at at = sb_at_instance(p->work, instance, p->t, p->x);
  at.in = &in;
  for (int k = 0; k < 4; k++) {
    in = u + h * (k < 2 ? k - 2 : k - 1); // -2 -1 1 2
    slope[k] = law->slope(instance->self, &at, at.assigned);
  }
  return slope[0] == slope[1] && slope[2] == slope[3] &&
         fabs(slope[2] - slope[1]) > same * fmax(fabs(slope[1]), fabs(slope[2]));
}

static sb_status refuse_corners(const sb_operating_point *p, sb_error *err) {
  for (int i = 0; i < p->network.instance_count; i++) {
    if (is_in_corner(p, &p->network.instances[i])) {
      return refuse(&p->network.instances[i], false, err);
    }
  }
  return SB_OK;
}

sb_status sb_kinks_refuse(sb_operating_point *p, double *const inputs[], int input_count,
                          sb_error *err) {
  sb_branches *b = &p->work->branches;
  survey v = {.p = p, .inputs = inputs, .input_count = input_count};
  bool any = false;
  v.branches = p->network.branch_count;
  for (int k = 0; k < v.branches; k++) {
    any = any || b->apart[k] <= at_kink;
  }
  SB_TRY(refuse_corners(p, err));
  if (!any) {
    return SB_OK;
  }
  sb_arena memory = {0};
  sb_status status = SB_ERR_MEMORY;
  if (allocate(&v, &memory)) {
    memcpy(v.x, p->x, (size_t)p->states * sizeof(double));
    for (int k = 0; k < v.branches; k++) {
      v.side[FIRST][k] = b->held[k];
      v.held[k] = b->apart[k] <= at_kink ? NAN : b->held[k];
    }
    status = survey_all(&v, err);
    v.s = 0;
    memcpy(b->held, v.side[v.first_differs ? ABOVE : FIRST], (size_t)v.branches * sizeof(double));
    (void)evaluate(&v, v.value[0]);
  } else {
    (void)sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  sb_arena_finish(&memory);
  return status;
}
