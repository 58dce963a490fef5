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

// Each is known to rounding only: what decides in the expressions is off by eps of the sum of their terms, and by
//   eps sum |x_i d/dx_i|
// as the states x_i, and the sources together, are known to eps. So e - 0.7 is at its kink where e is 0.1*7, though it is 1e-16.
/** Directions between all states and inputs: there max(0, min(x, y)) has its kink. */
enum { DIAGONALS = 3 };
/** What decides is at its kink within so many of its roundings, and beyond it from so many on. */
static const double at_kink = 16, beyond = 64;
/** States and sources change by this fraction of themselves to tell what that does to what decides. */
static const double part = 0x1p-26;
/** The ways along a direction at which what decides is looked at, in sizes of the state, 1 SI at least. */
static const double nearest = 1e-30, farthest = 1e-6, stride = 1e3;
/** Derivatives differ if by more than this many errors of differences; these and values, if by more than this fraction. */
static const double errors_apart = 3, same = 1e-9;
/** Derivatives beyond a kink differ by less than this many times what they do at it. */
static const double growth = 10;
/** Rounding of values, as a fraction of what they change by over the size of the state. */
static const double rounding = 1e-12;

enum { BELOW, ABOVE, FIRST, SIDES }; // FIRST: as it is held at the point itself

typedef struct survey {
  sb_operating_point *p;
  double *const *inputs; // (input_count)
  int input_count, branches;
  double *x;    // (states) the operating point
  double *held; // (branches) there; NAN: at its kink
  double *distance,
      *blur; // (branches) of what decides there from its kink, and what that is known to
  double *input, *input_blur;        // (instances) of laws of one input, and what that is known to
  double *side[SIDES];               // (branches) by which the model goes on to either side
  double *value[SIDES];              // (rows)
  double *slope[SIDES], *off[SIDES]; // (rows) d/ds, and what it may be off by
  sb_differences d;
  double reach;    // the way along the direction by which all have left their kinks
  bool near_kinks; // some that change are not at their kinks, but within their rounding
  int direction;   // a state, an input behind the states, or a diagonal behind both
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
  const double share = fmod((variable + 1) * (0.6180339887498949 + 0.1 * k), 1);
  return size * (share < 0.5 ? -0.5 - share : share);
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

/** Evaluates and measures how far what decides is from its kinks; NAN: it is not evaluated. */
static bool measure(survey *v) {
  sb_branches *b = &v->p->work->branches;
  for (int k = 0; k < v->branches; k++) {
    b->off[k] = NAN;
  }
  b->notes = b->measures = true;
  const bool finite = evaluate(v, v->value[0]);
  b->notes = b->measures = false;
  return finite;
}

/** How far what decides is from its kink as measured last, in units of its rounding. */
static double apart(const survey *v, int branch) {
  const sb_branches *b = &v->p->work->branches;
  const double off = fabs(b->off[branch]);
  return off == 0 ? 0 : off / fmax(DBL_EPSILON * b->terms[branch], v->blur[branch]);
}

/** The branches that a model takes along the direction: of each that is at its kink the first beyond what is rounding; those that
 *  do not move stay as they are. */
static void look(survey *v, double sign, double side[]) {
  sb_branches *b = &v->p->work->branches;
  memcpy(side, v->held, (size_t)v->branches * sizeof *side);
  memcpy(b->held, v->held, (size_t)v->branches * sizeof *side);
  for (double h = nearest; h <= farthest * stride; h *= stride) {
    v->s = sign * h;
    const bool finite = measure(v);
    for (int k = 0; finite && k < v->branches; k++) {
      if (isnan(side[k]) && apart(v, k) > beyond) {
        side[k] = b->now[k];
        v->reach = fmax(v->reach, h);
      }
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

/** At a point within rounding of a kink the derivatives of the sides of what has none, as max(0, x - a)^1.5, differ by that rounding:
 *  they do by more and more away from it, while those of a kink differ by the same. */
static bool grows_apart(survey *v) {
  double most[2] = {0}; // at the point, and as far beyond the kink as all branches have left it
  for (int beside = 0; beside < 2; beside++) {
    for (int side = BELOW; side <= ABOVE; side++) {
      v->s = beside * (side == BELOW ? -1 : 1) * stride * v->reach;
      if (!differentiate(v, side)) {
        return false;
      }
    }
    for (int r = 0; r < v->p->states + v->p->output_components; r++) {
      most[beside] = fmax(most[beside], fabs(v->slope[ABOVE][r] - v->slope[BELOW][r]));
    }
  }
  v->s = 0;
  return most[1] > growth * most[0];
}

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
  difference found = tell(v, BELOW, ABOVE);
  if (found == KINK && v->near_kinks && grows_apart(v)) {
    found = NO_DIFFERENCE;
  }
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
  v->input = sb_arena_zeroed(memory, p->network.instance_count, sizeof(double));
  v->input_blur = sb_arena_zeroed(memory, p->network.instance_count, sizeof(double));
  double **of_branches[] = {&v->held, &v->distance, &v->blur};
  for (size_t i = 0; i < sizeof of_branches / sizeof *of_branches; i++) {
    *of_branches[i] = sb_arena_zeroed(memory, v->branches, sizeof(double));
  }
  for (int side = 0; side < SIDES; side++) {
    v->side[side] = sb_arena_zeroed(memory, v->branches, sizeof(double));
    v->value[side] = sb_arena_zeroed(memory, p->rows, sizeof(double));
    v->slope[side] = sb_arena_zeroed(memory, p->rows, sizeof(double));
    v->off[side] = sb_arena_zeroed(memory, p->rows, sizeof(double));
  }
  return sb_differences_init(&v->d, memory);
}

/** Whether an instance has a law of one input that has no expression, as a table. */
static bool has_plain_law(const sb_instance *instance) {
  const sb_dissipation_hooks *law = instance->type->dissipation;
  return law != NULL && law->slope != NULL && instance->hooked && instance->components == 1;
}

/** Adds what the last measure has changed by, which the rounding of what was moved leaves open. */
static void add_blur(survey *v) {
  const sb_workspace *work = v->p->work;
  const double rounding_of = DBL_EPSILON / part;
  for (int k = 0; k < v->branches; k++) {
    v->blur[k] += rounding_of * fabs(work->branches.off[k] - v->distance[k]);
  }
  for (int i = 0; i < v->p->network.instance_count; i++) {
    const sb_instance *instance = &v->p->network.instances[i];
    if (has_plain_law(instance)) {
      v->input_blur[i] += rounding_of * fabs(work->values[instance->in] - v->input[i]);
    }
  }
}

/** What decides at the point, and how well that and the inputs of plain laws are known. */
static void find_blur(survey *v) {
  sb_operating_point *p = v->p;
  (void)measure(v);
  memcpy(v->distance, p->work->branches.off, (size_t)v->branches * sizeof(double));
  for (int i = 0; i < p->network.instance_count; i++) {
    const sb_instance *instance = &p->network.instances[i];
    v->input[i] = has_plain_law(instance) ? p->work->values[instance->in] : 0;
  }
  for (v->direction = 0; v->direction <= p->states; v->direction++) { // the last: of all sources
    const double x = v->direction < p->states ? fabs(v->x[v->direction]) : 0;
    v->s = part * x / fmax(x, 1);
    p->gain = v->direction < p->states ? 1 : 1 + part;
    if ((v->s > 0 || p->gain > 1) && measure(v)) {
      add_blur(v);
    }
  }
  p->gain = 1;
  v->s = 0;
  v->direction = 0;
  (void)measure(v);
}

static sb_status survey_all(survey *v, sb_error *err) {
  const int count = v->p->states + v->input_count + DIAGONALS;
  for (v->direction = 0; v->direction < count; v->direction++) {
    v->reach = 0;
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
static bool is_in_corner(const survey *v, int i) {
  const sb_operating_point *p = v->p;
  const sb_instance *instance = &p->network.instances[i];
  if (!has_plain_law(instance)) {
    return false;
  }
  const double u = v->input[i];
  const double h = fmax(nearest, at_kink * fmax(DBL_EPSILON * fabs(u), v->input_blur[i]));
  double slope[4], in;
  sb_at at = sb_at_instance(p->work, instance, p->t, p->x);
  at.in = &in;
  for (int k = 0; k < 4; k++) {
    in = u + h * (k < 2 ? k - 2 : k - 1); // -2 -1 1 2
    slope[k] = instance->type->dissipation->slope(instance->self, &at, at.assigned);
  }
  return slope[0] == slope[1] && slope[2] == slope[3] &&
         fabs(slope[2] - slope[1]) > same * fmax(fabs(slope[1]), fabs(slope[2]));
}

static sb_status refuse_corners(const survey *v, sb_error *err) {
  for (int i = 0; i < v->p->network.instance_count; i++) {
    if (is_in_corner(v, i)) {
      return refuse(&v->p->network.instances[i], false, err);
    }
  }
  return SB_OK;
}

/** Looks to both sides of the branches that are at their kinks. */
static sb_status refuse_branches(survey *v, sb_error *err) {
  sb_branches *b = &v->p->work->branches;
  bool any = false;
  for (int k = 0; k < v->branches; k++) {
    const bool at = apart(v, k) <= at_kink;
    v->side[FIRST][k] = b->held[k];
    v->held[k] = at ? NAN : b->held[k];
    any = any || at;
    v->near_kinks = v->near_kinks || (at && b->off[k] != 0);
  }
  if (!any) {
    return SB_OK;
  }
  const sb_status status = survey_all(v, err);
  v->s = 0;
  memcpy(b->held, v->side[v->first_differs ? ABOVE : FIRST], (size_t)v->branches * sizeof(double));
  (void)evaluate(v, v->value[0]);
  return status;
}

sb_status sb_kinks_refuse(sb_operating_point *p, double *const inputs[], int input_count,
                          sb_error *err) {
  survey v = {.p = p, .inputs = inputs, .input_count = input_count};
  bool any;
  v.branches = p->network.branch_count;
  any = v.branches > 0;
  for (int i = 0; i < p->network.instance_count && !any; i++) {
    any = has_plain_law(&p->network.instances[i]);
  }
  if (!any) {
    return SB_OK;
  }
  sb_arena memory = {0};
  sb_status status = SB_ERR_MEMORY;
  if (allocate(&v, &memory)) {
    memcpy(v.x, p->x, (size_t)p->states * sizeof(double));
    find_blur(&v);
    status = refuse_corners(&v, err);
    status = status == SB_OK ? refuse_branches(&v, err) : status;
  } else {
    (void)sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  sb_arena_finish(&memory);
  return status;
}
