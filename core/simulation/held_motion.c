// SPDX-License-Identifier: GPL-3.0-or-later
// Dry frictions that hold one motion, as the bearings on both sides of a rigid gear. Some of them stick by a constraint; the others cannot, as
// that would be stated twice, and are held with an effort within their limits. Together they hold the sum of all limits: where one that sticks
// has come to its limit it stays there, and another one, which is not at its own, sticks in its place. Where there is none the motion begins,
// and all of them slip. That is an active-set method for the accelerations a at rest,
//   min a.M a/2 - F.a + sum_j P_j |b_j.a|,
// with the limits P_j and the rows b_j of the flows: a friction that is not at its limit has b_j.a = 0.
#include <math.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

enum { DISCRETE_MAX = 8 };
/** An argument within this fraction of the place of a jump is there. */
static const double at_place = 64 * DBL_EPSILON;

/** What is at rest, and does not stick. */
typedef struct resting {
  int index;  // of its switch
  int before; // its mode
  int slips;  // that in which it slips, beyond its limit; -1: it is within
  const char *kind;
} resting;

/** What becomes of one that is to stick. */
typedef enum trial { CANNOT, HOLDS, GIVES_WAY, STAYS } trial;

static const sb_jumping_law *jumps_of(const sb_instance *instance) {
  return &instance->type->dissipation->jumps;
}

static const sb_instance *instance_of(const sb_simulation *sim, int index) {
  return &sim->network->instances[sim->switches[index].instance];
}

/** Whether an element slips in a mode, on one side. */
static bool slips(const sb_simulation *sim, int index, int mode) {
  const sb_switch *element = &sim->switches[index];
  return element->hooks->modes.before(instance_of(sim, index)->self, mode, 0);
}

/** Whether the argument of a law is the effort. */
static bool of_effort(const sb_instance *instance) {
  return sb_natural_output(instance, 0) == SB_FLOW;
}

/** Whether an element is at its jump without sticking there. The sizes of port variables are traced. */
static bool is_at_rest(const sb_simulation *sim, int index) {
  const sb_instance *instance = instance_of(sim, index);
  if (!sb_instance_jumps(instance) || sb_instance_sticks(instance, sim->work->modes)) {
    return false;
  }
  const sb_at at = sb_at_sized(sim, &sim->switches[index], sim->t, sim->x);
  const double place = sb_instance_stick_place(instance, sim->work->modes[instance->mode]);
  return fabs(at.in[of_effort(instance) ? 0 : instance->components] - place) <=
         at_place * fabs(place);
}

static void copy_discrete(const sb_simulation *sim, int index, double discrete[]) {
  memcpy(discrete, sim->work->discrete + instance_of(sim, index)->discrete,
         (size_t)sim->switches[index].hooks->discrete_states * sizeof *discrete);
}

/** The event of an element at rest that bears nothing.  @return whether it would stick */
static bool comes_to_stick(sb_simulation *sim, int index, double discrete[], sb_transition *next) {
  const sb_instance *instance = instance_of(sim, index);
  sb_at at = sb_at_instance(sim->work, instance, sim->t, sim->x);
  sb_forget_ports(sim, instance);
  at.in = sim->port_values;
  *next = (sb_transition){.mode = at.mode};
  return sim->switches[index].hooks->fire(instance->self, &at, 0, discrete, next) == SB_OK &&
         jumps_of(instance)->sticks(instance->self, next->mode);
}

/** Lists what is at rest in a part. @param without  this one  @param list  (all switches) out  @return how many */
static int list_resting(sb_simulation *sim, int part, int without, resting list[]) {
  int count = 0;
  sb_rest_sizes_trace(sim, sim->x);
  for (int i = 0; i < sim->switch_count; i++) {
    const int own = sim->switches[i].instance;
    if (i != without && sim->network->part_of[own] == part && is_at_rest(sim, i)) {
      const int mode = sim->work->modes[sim->network->instances[own].mode];
      list[count++] = (resting){i, mode, -1, NULL};
    }
  }
  return count;
}

/** How many constraints others imply, with an element in a mode. @return -1: that has no solution */
static int missing_in(sb_simulation *sim, int index, int mode) {
  const int part = sim->network->part_of[sim->switches[index].instance];
  sim->work->modes[instance_of(sim, index)->mode] = mode;
  return sb_modes_compile(sim) ? sb_constraints_missing(sim->work, part, sim->x) : -1;
}

/** Whether the constraint of an element that sticks is implied by others at the present place, as of two joints of a closed loop.
 *  @param free  a mode in which it does not stick */
static bool is_implied(sb_simulation *sim, int index, int stuck, int free) {
  const int part = sim->network->part_of[sim->switches[index].instance];
  int *mode = &sim->work->modes[instance_of(sim, index)->mode];
  const int now = *mode;
  if (!sb_stick_may_vanish(sim, part)) {
    return false;
  }
  const int without = missing_in(sim, index, free), with = missing_in(sim, index, stuck);
  *mode = now;
  sb_workspace_changed(sim->work);
  return without >= 0 && with > without;
}

/** Whether what sticks holds an element at rest: in the mode in which it sticks its constraint would be stated twice. The program is another
 *  one then. */
static bool is_held(sb_simulation *sim, int index, int stuck) {
  int *mode = &sim->work->modes[instance_of(sim, index)->mode];
  const int now = *mode;
  sb_errors errors = {0};
  *mode = stuck;
  const sb_status status = sb_workspace_recompile(sim->work, &errors);
  sb_errors_finish(&errors);
  *mode = now;
  sb_workspace_changed(sim->work);
  return status == SB_OK ? is_implied(sim, index, stuck, now) : status != SB_ERR_MEMORY;
}

/** Lets an element at rest stick; beyond its limit it takes that. */
static trial try_stick(sb_simulation *sim, resting *r) {
  const sb_switch *element = &sim->switches[r->index];
  const sb_instance *instance = instance_of(sim, r->index);
  const size_t size = (size_t)element->hooks->discrete_states * sizeof(double);
  int *mode = &sim->work->modes[instance->mode];
  const int now = *mode;
  double *discrete = sim->work->discrete + instance->discrete, kept[DISCRETE_MAX];
  double low, high;
  sb_transition next;
  copy_discrete(sim, r->index, kept);
  const bool sticks = comes_to_stick(sim, r->index, discrete, &next);
  r->kind = next.kind;
  *mode = sticks ? next.mode : now;
  if (!sticks || is_implied(sim, r->index, next.mode, now) || !sb_modes_compile(sim) ||
      !sb_stick_holds(sim, r->index)) {
    *mode = now;
    memcpy(discrete, kept, size);
    return CANNOT;
  }
  sb_trace(sim->work, sim->x);
  const sb_at at = sb_at_event(sim, element, sim->t, sim->x);
  const double y = at.in[of_effort(instance) ? instance->components : 0];
  jumps_of(instance)->limits(instance->self, &at, &low, &high);
  if (y >= low &&
      y <= high) { // of the load nothing is left by which another one is beyond its limit
    return HOLDS;
  }
  (void)element->hooks->fire(instance->self, &at, 0, discrete, &next);
  r->slips = next.mode;
  *mode = next.held;
  if (next.mode == now) { // it slips already
    memcpy(discrete, kept, size);
  }
  return *mode == now ? STAYS : GIVES_WAY;
}

bool sb_motion_is_held(sb_simulation *sim, int index, int stuck) {
  sb_rest_sizes_trace(sim, sim->x);
  return is_at_rest(sim, index) && is_held(sim, index, stuck);
}

/** Whether an element that sticks is beyond its limit now. */
static bool gives_way(const sb_simulation *sim, int index) {
  return sb_instance_sticks(instance_of(sim, index), sim->work->modes) &&
         sim->switches[index].indicators[0].g[0] < 0;
}

static bool same_part(const sb_simulation *sim, int index, int part) {
  return sim->network->part_of[sim->switches[index].instance] == part;
}

sb_status sb_motion_wait(sb_simulation *sim, int index, sb_transition *next, sb_error *err) {
  sb_arena memory = {0};
  resting *list = sb_arena_zeroed(&memory, sim->switch_count, sizeof *list);
  if (list == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  const int part = sim->network->part_of[sim->switches[index].instance];
  const int count = list_resting(sim, part, index, list);
  const int stuck = sim->work->modes[instance_of(sim, index)->mode];
  bool others = count > 0 || is_implied(sim, index, stuck, next->held);
  for (int i = 0; i < sim->switch_count && !others; i++) {
    others = i != index && same_part(sim, i, part) && gives_way(sim, i);
  }
  for (int k = 0; k < count; k++) {
    double discrete[DISCRETE_MAX];
    sb_transition rest;
    const int own = list[k].index;
    copy_discrete(sim, own, discrete);
    if (slips(sim, own, list[k].before) && comes_to_stick(sim, own, discrete, &rest) &&
        is_held(sim, own, rest.mode)) {
      sim->switches[own].limited = sim->burst_number;
    }
  }
  if (others) {
    sim->switches[index].limited = sim->burst_number;
    next->kind = NULL;
    next->mode = next->held;
  }
  sb_arena_finish(&memory);
  return SB_OK;
}

/** Keeps those that others hold, or that are at their limits. */
static int keep_limited(const sb_simulation *sim, resting list[], int count) {
  int kept = 0;
  for (int k = 0; k < count; k++) {
    const sb_switch *element = &sim->switches[list[k].index];
    if (element->limited == sim->burst_number ||
        sb_instance_is_held(instance_of(sim, list[k].index), sim->work->modes)) {
      list[kept++] = list[k];
    }
  }
  return kept;
}

/** Lets those at rest stick, until one of them is within its limit. @return whether one holds, else whether one has given way, which changes
 *  what others bear */
static trial try_all(sb_simulation *sim, resting list[], int count) {
  trial found = STAYS;
  for (int k = 0; k < count && found != HOLDS; k++) {
    const trial own = try_stick(sim, &list[k]);
    found = own == HOLDS || own == GIVES_WAY ? own : found;
    list[k].kind = own == HOLDS ? list[k].kind : NULL;
  }
  return found;
}

/** The motion begins: what is beyond its limit slips. */
static void begin(sb_simulation *sim, int part, resting list[], int count) {
  for (int k = 0; k < count; k++) {
    int *mode = &sim->work->modes[instance_of(sim, list[k].index)->mode];
    *mode = list[k].slips >= 0 ? list[k].slips : *mode;
    list[k].kind = list[k].slips >= 0 ? "slip" : NULL;
  }
  for (int i = 0; i < sim->switch_count; i++) {
    int *limited = &sim->switches[i].limited;
    *limited = same_part(sim, i, part) ? 0 : *limited;
  }
}

/** Lists those whose modes have changed, or that are reported. @return how many */
static int list_changed(const sb_simulation *sim, const resting list[], int count,
                        sb_changed more[]) {
  int changed = 0;
  for (int k = 0; k < count; k++) {
    const resting *r = &list[k];
    if (sim->work->modes[instance_of(sim, r->index)->mode] != r->before || r->kind != NULL) {
      more[changed++] = (sb_changed){r->index, r->kind};
    }
  }
  return changed;
}

/** Takes the program for modes that have been tried, with the events of those that have others. */
static sb_status go_on(sb_simulation *sim, int index, sb_changed more[], int count, sb_error *err) {
  int none = 0;
  sb_workspace_changed(sim->work);
  SB_TRY(sb_commutate(sim, index, more + count, &none, err));
  SB_TRY(sb_evaluate_resting(sim, err));
  SB_TRY(sb_loops_check(sim, err));
  sim->restart = true;
  SB_TRY(sb_event_enter(sim, more, count, err));
  return sb_indicators_read(sim, sim->t, sim->x, 0, err);
}

/** @param list  (all switches) scratch  @param changed  as of sb_motion_settle() */
static sb_status settle(sb_simulation *sim, int part, resting list[], bool *changed,
                        sb_error *err) {
  const int count = keep_limited(sim, list, list_resting(sim, part, -1, list));
  sb_audit_before(&sim->audit, sim->t, sim->x);
  if (try_all(sim, list, count) == STAYS) {
    begin(sim, part, list, count);
  }
  const int others = list_changed(sim, list, count, sim->changed);
  *changed = others > 0;
  return count > 0 ? go_on(sim, list[0].index, sim->changed, others, err) : SB_OK;
}

sb_status sb_motion_settle(sb_simulation *sim, bool *changed, sb_error *err) {
  sb_arena memory = {0};
  sb_status status = SB_OK;
  *changed = false;
  for (int i = 0; i < sim->switch_count && status == SB_OK && !*changed; i++) {
    if (sim->switches[i].limited == sim->burst_number) {
      const int part = sim->network->part_of[sim->switches[i].instance];
      resting *list = sb_arena_zeroed(&memory, sim->switch_count, sizeof *list);
      status = list == NULL ? sb_fail(err, SB_ERR_MEMORY, "out of memory")
                            : settle(sim, part, list, changed, err);
    }
  }
  sb_arena_finish(&memory);
  return status;
}

/** What slips and is at rest now, as what sticks holds it, takes the mode for that, if it has one.
 *  @param asked  out: whether the program is another one  @return whether it does */
static bool comes_to_rest(sb_simulation *sim, int index, bool *asked) {
  const sb_instance *instance = instance_of(sim, index);
  int *mode = &sim->work->modes[instance->mode];
  double discrete[DISCRETE_MAX];
  sb_transition next;
  copy_discrete(sim, index, discrete);
  if (!slips(sim, index, *mode) || !comes_to_stick(sim, index, discrete, &next) ||
      slips(sim, index, next.held)) {
    return false;
  }
  *asked = true;
  if (!is_held(sim, index, next.mode)) {
    return false;
  }
  *mode = next.held;
  memcpy(sim->work->discrete + instance->discrete, discrete,
         (size_t)sim->switches[index].hooks->discrete_states * sizeof *discrete);
  return true;
}

sb_status sb_motion_ends(sb_simulation *sim, int index, sb_changed more[], int *count,
                         sb_error *err) {
  sb_arena memory = {0};
  resting *list = sb_arena_zeroed(&memory, sim->switch_count, sizeof *list);
  if (list == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  bool asked = false;
  int none = 0;
  sb_indicators_trace(sim, sim->x);
  const int part = sim->network->part_of[sim->switches[index].instance];
  const int resting_count = list_resting(sim, part, index, list);
  for (int k = 0; k < resting_count; k++) {
    if (comes_to_rest(sim, list[k].index, &asked)) {
      more[(*count)++] = (sb_changed){list[k].index, "stick"};
    }
  }
  sb_arena_finish(&memory);
  if (!asked) {
    return SB_OK;
  }
  SB_TRY(sb_commutate(sim, index, more + *count, &none, err));
  return sb_evaluate_resting(sim, err);
}
