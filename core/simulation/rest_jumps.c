// SPDX-License-Identifier: GPL-3.0-or-later
// Dissipation whose law jumps where all its port inputs are zero, but by no branch of an expression, as Coulomb's friction
// in a plane, e = F f/|f|: its limit along d is another one than along -d. Jumps by sign() or if() are located and stuck in; this one has
// no mode, and what comes to rest there goes to and fro, in steps that do not pass the jump by more than their error may be. Such a
// run ends, by name.
#include <math.h>

#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

enum { PORTS_MAX = 4 };
/** Inputs [SI] beside zero: an output that is the same at both is that of the limit. Their squares are no zeros yet. */
static const double beside = 1e-30, nearer = 1e-60;
/** Outputs that agree, as a fraction of them. */
static const double agree = 1e-6;

/** What goes to and fro at rest does so in steps below this fraction of the longest, and would pass its jump within the next few
 *  steps; so many in a row, at whose pace the rest of the run would take more than the latter, are a crawl. */
static const double at_once = 1e-4, few = 10;
enum { TOO_MANY = 1000, CRAWL = 100000 };

/** Jumps of the outputs of a law. */
typedef struct jump {
  bool of[PORTS_MAX]; // these components
  int component;      // the first that was found
  double from, to;    // [SI]
} jump;

static bool outputs_at(const sb_instance *instance, const sb_at *at, const int d[], double scale,
                       double y[]) {
  double in[PORTS_MAX];
  sb_at here = *at;
  for (int k = 0; k < instance->components; k++) {
    in[k] = scale * d[k];
  }
  here.in = in;
  here.ports = NULL;
  return instance->type->dissipation->law(instance->self, &here, at->assigned, y) == 0;
}

static bool agrees(double a, double b) {
  return fabs(a - b) <= agree * fabs(b);
}

/** Adds what jumps along d, whose components are -1, 0 and 1: on both sides the output is that of a limit, which sqrt(abs(f))*sign(f), with
 *  an infinite slope but no jump, is on neither. */
static void find_along(const sb_instance *instance, const sb_at *at, const int d[], jump *found,
                       bool *any) {
  double y[PORTS_MAX], near[PORTS_MAX], back[PORTS_MAX], near_back[PORTS_MAX];
  if (!outputs_at(instance, at, d, beside, y) || !outputs_at(instance, at, d, nearer, near) ||
      !outputs_at(instance, at, d, -beside, back) ||
      !outputs_at(instance, at, d, -nearer, near_back)) {
    return;
  }
  for (int k = 0; k < instance->components; k++) {
    if (agrees(near[k], y[k]) && agrees(near_back[k], back[k]) &&
        fabs(back[k] - y[k]) > agree * (fabs(y[k]) + fabs(back[k]))) {
      found->component = *any ? found->component : k;
      found->from = *any ? found->from : back[k];
      found->to = *any ? found->to : y[k];
      found->of[k] = *any = true;
    }
  }
}

static bool jumps_at_rest(const sb_instance *instance, const sb_at *at, jump *found) {
  int directions = 1, d[PORTS_MAX];
  bool any = false;
  *found = (jump){0};
  for (int k = 0; k < instance->components; k++) {
    directions *= 3;
  }
  for (int i = directions / 2 + 1; i < directions; i++) { // the others are their opposites
    for (int k = 0, rest = i; k < instance->components; k++, rest /= 3) {
      d[k] = rest % 3 - 1;
    }
    find_along(instance, at, d, found, &any);
  }
  return any;
}

static void word_hint(sb_error *err) {
  sb_error_hint(err, "give it a finite slope there, f1/sqrt(f1^2 + f2^2 + (1e-6[m/s])^2), or "
                     "use a Friction along "
                     "each axis, which sticks");
}

/** Whether an element has a law without modes of its own, or of one port, whose jumps by sign() alone are modes. */
static bool has_law(const sb_instance *instance) {
  return instance->type->dissipation != NULL && instance->hooked &&
         instance->type->dissipation->law != NULL && instance->components <= PORTS_MAX &&
         (instance->type->switching == NULL || instance->components == 1);
}

void sb_rest_jumps_find(sb_simulation *sim) {
  for (int i = 0; i < sim->network->instance_count && !sim->restless.known; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    const sb_at at = sb_at_instance(sim->work, instance, sim->t, sim->x);
    jump found;
    if (has_law(instance) && jumps_at_rest(instance, &at, &found)) {
      sim->restless.jumps = true;
    }
  }
  sim->restless.known = true;
}

/** The outputs of a law by the flows and efforts at (t, x).  @return whether they are known */
static bool give(const sb_simulation *sim, const sb_instance *instance, double t, const double x[],
                 double y[]) {
  if (sb_workspace_evaluate(sim->work, t, x) != 0) {
    return false;
  }
  const sb_at at = sb_at_instance(sim->work, instance, t, x);
  return instance->type->dissipation->law(instance->self, &at, at.assigned, y) == 0;
}

/** Whether the rates at the end of the last step turn what jumps by more than a right angle within a few more of its length: what
 *  only goes round beside the jump is not slowed down all the time. */
static bool reverses(const sb_simulation *sim, const sb_instance *instance, const jump *found) {
  double now[PORTS_MAX], then[PORTS_MAX];
  const double h = few * (sim->t - sim->t0);
  bool known = give(sim, instance, sim->t, sim->x, now);
  double product = 0;
  for (int i = 0; known && i < sim->network->state_count; i++) {
    sim->later[i] = sim->x[i] + h * sim->work->evaluation.xdot[i];
  }
  known = known && give(sim, instance, sim->t + h, sim->later, then);
  for (int k = 0; known && k < instance->components; k++) {
    product += found->of[k] ? now[k] * then[k] : 0;
  }
  return known && product < 0;
}

/** The first element, from `from` on, that jumps at rest and goes to and fro; -1: there is none. */
static int find_restless(const sb_simulation *sim, int from, int to) {
  int found = -1;
  for (int i = from; i < to && found < 0; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    const sb_at at = sb_at_instance(sim->work, instance, sim->t, sim->x);
    jump jumping;
    const bool jumps = has_law(instance) && !sb_instance_sticks(instance, sim->work->modes) &&
                       jumps_at_rest(instance, &at, &jumping);
    found = jumps && reverses(sim, instance, &jumping) ? i : -1;
  }
  return found;
}

/** Counts the step.  @return whether the run crawls */
static bool crawls(sb_simulation *sim) {
  sb_restless *r = &sim->restless;
  if (!(sim->t - sim->t0 < at_once * sim->longest_step) || sim->options.step > 0) {
    r->steps = 0;
    return false;
  }
  if (++r->steps <= TOO_MANY) {
    return false;
  }
  if (r->steps == TOO_MANY + 1) {
    r->instance = find_restless(sim, 0, sim->network->instance_count);
    r->since = sim->t;
  } else {
    r->instance = find_restless(sim, r->instance, r->instance + 1);
  }
  (void)sb_workspace_evaluate(sim->work, sim->t, sim->x);
  if (r->instance < 0) {
    r->steps = 0;
  }
  const int counted = r->steps - (TOO_MANY + 1);
  return counted >= TOO_MANY && (sim->t - r->since) * CRAWL < (sim->t_end - sim->t) * counted;
}

sb_status sb_rest_jumps_check(sb_simulation *sim, sb_error *err) {
  if (!crawls(sim)) {
    return SB_OK;
  }
  const sb_instance *instance = &sim->network->instances[sim->restless.instance];
  (void)sb_fail(err, SB_ERR_CHATTER,
                "the law of '%.100s' jumps at rest, where it has come to at t = %s s: it goes "
                "to and fro without end",
                instance->id, sb_number_word(sim->t).text);
  word_hint(err);
  sb_place_into(&instance->place, err);
  return SB_ERR_CHATTER;
}

bool sb_rest_jumps_foresee(const sb_simulation *sim, sb_errors *warnings) {
  bool added = true;
  for (int i = 0; i < sim->network->instance_count; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    const sb_at at = sb_at_instance(sim->work, instance, sim->t, sim->x);
    jump found;
    if (!has_law(instance) || !jumps_at_rest(instance, &at, &found)) {
      continue;
    }
    sb_error err = {0};
    const int before = warnings->count;
    sb_warn(&err, SB_ERR_RANGE,
            "the law of '%.100s' jumps at rest: what it gives at its port %d goes to %s from one "
            "side and to %s from the "
            "other, as its inputs go to zero together; a run that comes to rest there ends "
            "(SB0504)",
            instance->id, found.component + 1, sb_number_word(found.from).text,
            sb_number_word(found.to).text);
    word_hint(&err);
    sb_place_into(&instance->place, &err);
    sb_errors_add(warnings, &err);
    added = warnings->count > before && added;
  }
  return added;
}
