// SPDX-License-Identifier: GPL-3.0-or-later
// Sines of moving signals, as sin(th) of a rotor that turns evenly: where event indicators depend on one by bonds and signals, a
// step lets its argument go through no more than an eighth of a period, as with sines of the time. How fast it moves is known from
// the step before; a step that has gone through more than a quarter is taken again, shorter. None of this where a condition
// (conditions.c) keeps its sign or is monotone over the step, and over a period ahead, or where an expression does not move, by
// their enclosures.
#include <math.h>
#include <string.h>

#include "core/model/rhs.h"
#include "core/simulation/formulas_private.h"
#include "core/simulation/switching_private.h"

static const double eighth = 0.78539816339744830962, quarter = 1.57079632679489661923, // [rad]
    period = 6.28318530717958647693;
/** A difference is known to three digits if it is no less than this fraction of what it is one of. */
static const double known = 1e3 * DBL_EPSILON;
/** So many steps in a row, of which max-steps would not suffice at their pace, of sines that grow no slower, are too many. */
enum { CRAWL = 100000 };

/** A formula with sines of signals, and where their arguments stand. */
typedef struct sines {
  int formula, first, count; // of the angles
} sines;

/** What such sines act on: an indicator; or what a formula gives. */
typedef struct effect {
  int index, formula; // of the switch, -1: none; of the latter
  int first, count;   // of what is reached
} effect;

struct sb_turnings {
  sines *sines;    // (sine_count)
  effect *effects; // (effect_count)
  int *reached;    // (reached_count) sines that effects depend on
  int sine_count, effect_count, reached_count, capacity[3];
  int angle_count;
  double *angles;      // (twice angle_count) [rad] at the start and at the end of a step
  double rate;         // [rad/s] of the fastest that bounds steps, in the last one
  int effect, fastest; // what it acts on; its place among the sines
  int steps;           // in a row that were bounded so,
  double since, slow;  // since this time [s], with this rate at first
};

/** While what an effect depends on is found. */
typedef struct finding {
  int *sine, *stamp; // (formulas) the sines of each, -1: none; the last effect that has visited it
  int now;
} finding;

static bool list_sines(sb_simulation *sim, const bool feeds[], finding *f) {
  struct sb_turnings *t = sim->turnings;
  for (int i = 0; i < sim->formulas->count; i++) {
    const sb_moving_formula *formula = &sim->formulas->list[i];
    const int count =
        feeds[formula->instance] ? sb_expression_angles(formula->of.expression, NULL, NULL) : 0;
    const sines own = {i, t->angle_count, count};
    f->sine[i] = count > 0 ? t->sine_count : -1;
    t->angle_count += count;
    if (count > 0 && !sb_arena_append(&sim->memory, &t->sines, &t->sine_count, &t->capacity[0],
                                      sizeof own, &own)) {
      return false;
    }
  }
  return true;
}

static bool reach(sb_simulation *sim, finding *f, int formula) {
  struct sb_turnings *t = sim->turnings;
  if (formula < 0 || f->stamp[formula] == f->now) {
    return true;
  }
  f->stamp[formula] = f->now;
  if (f->sine[formula] >= 0 && !sb_arena_append(&sim->memory, &t->reached, &t->reached_count,
                                                &t->capacity[1], sizeof(int), &f->sine[formula])) {
    return false;
  }
  bool done = true;
  for (int slot = 0; slot < SB_EXPRESSION_VARIABLES_MAX && done; slot++) {
    done = reach(sim, f, sb_formula_behind(sim, formula, slot));
  }
  return done;
}

/** An effect of the formulas [from, to), if they depend on sines. */
static bool list_effect(sb_simulation *sim, finding *f, int index, int from, int to) {
  struct sb_turnings *t = sim->turnings;
  effect own = {.index = index, .formula = from, .first = t->reached_count};
  f->now++;
  bool done = true;
  for (int i = from; i < to && done; i++) {
    done = reach(sim, f, i);
  }
  own.count = t->reached_count - own.first;
  return done && (own.count == 0 || sb_arena_append(&sim->memory, &t->effects, &t->effect_count,
                                                    &t->capacity[2], sizeof own, &own));
}

static bool list_effects(sb_simulation *sim, const bool feeds[], finding *f) {
  const struct sb_formulas *c = sim->formulas;
  bool done = true;
  for (int i = 0; i < sim->all_switch_count && done; i++) {
    const int instance = sim->switches[i].instance;
    int from = sb_is_branch(sim, i) ? c->branches[sim->switches[i].branch].formula : 0, to = from;
    if (sb_is_branch(sim, i)) {
      to += from >= 0;
    } else if (sb_instance_has_condition(&sim->network->instances[instance])) {
      from = to = c->first[instance];
      for (; to < c->count && c->list[to].instance == instance; to++) {
      }
    }
    done = list_effect(sim, f, i, from, to);
  }
  for (int i = 0; i < c->count && done; i++) {
    done = !feeds[c->list[i].instance] || !sb_formula_acts(sim, i) ||
           list_effect(sim, f, -1, i, i + 1);
  }
  return done;
}

sb_status sb_turnings_list(sb_simulation *sim, const bool feeds[], sb_error *err) {
  sim->turnings = NULL;
  if (sim->formulas == NULL) {
    return SB_OK;
  }
  sb_arena memory = {0};
  const int count = sim->formulas->count;
  finding f = {sb_arena_zeroed(&memory, count, sizeof *f.sine),
               sb_arena_zeroed(&memory, count, sizeof *f.stamp), 0};
  struct sb_turnings *t = sim->turnings = sb_arena_zeroed(&sim->memory, 1, sizeof *t);
  bool done = !memory.failed && t != NULL && list_sines(sim, feeds, &f) &&
              (t->sine_count == 0 || list_effects(sim, feeds, &f));
  sb_arena_finish(&memory);
  if (done) {
    t->angles = sb_arena_zeroed(&sim->memory, 2 * t->angle_count, sizeof(double));
    done = t->angles != NULL;
  }
  sim->turnings = done && t->effect_count > 0 ? t : NULL;
  return done ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

/** The element that an effect is on, and that a formula with sines is of. */
static int acts_on(const sb_simulation *sim, int index) {
  const effect *e = &sim->turnings->effects[index];
  return e->index >= 0 ? sim->switches[e->index].instance
                       : sim->formulas->list[e->formula].instance;
}

static int turns_in(const sb_simulation *sim, int sine) {
  return sim->formulas->list[sim->turnings->sines[sine].formula].instance;
}

void sb_turnings_succeed(sb_simulation *sim, const sb_simulation *before, const sb_succession *s) {
  struct sb_turnings *t = sim->turnings;
  const struct sb_turnings *old = before->turnings;
  bool acts = false, turns = false;
  if (t == NULL || old == NULL) {
    return;
  }
  for (int i = 0; i < t->effect_count && !acts; i++) {
    acts = s->before[acts_on(sim, i)] == acts_on(before, old->effect);
    t->effect = acts ? i : 0;
  }
  for (int i = 0; i < t->sine_count && !turns; i++) {
    turns = s->before[turns_in(sim, i)] == turns_in(before, old->fastest);
    t->fastest = turns ? i : 0;
  }
  if (acts && turns) {
    t->rate = old->rate;
    t->steps = old->steps;
    t->since = old->since;
    t->slow = old->slow;
  }
}

/** The arguments where the workspace is. */
static void read(const sb_simulation *sim, double angles[]) {
  const struct sb_turnings *t = sim->turnings;
  for (int i = 0; i < t->sine_count; i++) {
    double variables[SB_EXPRESSION_VARIABLES_MAX];
    sb_formula_variables(sim, t->sines[i].formula, variables);
    (void)sb_expression_angles(sim->formulas->list[t->sines[i].formula].of.expression, variables,
                               angles + t->sines[i].first);
  }
}

/** The farthest that an argument that acts on something went through in the last step [rad]. @param sine  out: its place */
static double farthest(const struct sb_turnings *t, const effect *e, int *sine) {
  const double *start = t->angles, *end = start + t->angle_count;
  double most = 0;
  for (int k = e->first; k < e->first + e->count; k++) {
    const sines *own = &t->sines[t->reached[k]];
    for (int i = own->first; i < own->first + own->count; i++) {
      if (fabs(end[i] - start[i]) > most) {
        most = fabs(end[i] - start[i]);
        *sine = t->reached[k];
      }
    }
  }
  return most;
}

/** Whether they change nothing from the start of the step to so many times its length, if all goes on evenly. */
static bool is_proven(const sb_simulation *sim, const effect *e, double to) {
  if (e->index >= 0) {
    return sb_condition_is_clear(sim, e->index, to);
  }
  const sb_interval slope = sb_formula_enclose(sim, e->formula, 0, to).all.slope;
  return slope.low == 0 && slope.high == 0;
}

void sb_turnings_begin(sb_simulation *sim) {
  if (sim->turnings != NULL) {
    read(sim, sim->turnings->angles);
  }
}

bool sb_turnings_overdue(const sb_simulation *sim) {
  const struct sb_turnings *t = sim->turnings;
  if (t == NULL || sim->options.step > 0 || !sim->start_known ||
      !(0.25 * (sim->t - sim->t0) > sb_time_rounding(sim->t0))) {
    return false;
  }
  read(sim, t->angles + t->angle_count);
  bool overdue = false;
  for (int i = 0; i < t->effect_count && !overdue; i++) {
    int unused;
    overdue = farthest(t, &t->effects[i], &unused) > quarter && !is_proven(sim, &t->effects[i], 1);
  }
  return overdue;
}

void sb_turnings_accept(sb_simulation *sim) {
  struct sb_turnings *t = sim->turnings;
  if (t == NULL || !sim->start_known || !(sim->t > sim->t0) ||
      sb_workspace_evaluate(sim->work, sim->t, sim->x) != 0) {
    return;
  }
  sb_formulas_end(sim); // where there was an event it is the end
  read(sim, t->angles + t->angle_count);
  double most = 0;
  for (int i = 0; i < t->effect_count; i++) {
    int sine = 0;
    const double far = farthest(t, &t->effects[i], &sine);
    if (far > most && !is_proven(sim, &t->effects[i], fmax(1, period / far))) {
      most = far;
      t->effect = i;
      t->fastest = sine;
    }
  }
  t->rate = most / (sim->t - sim->t0);
}

double sb_turnings_horizon(const sb_simulation *sim) {
  const struct sb_turnings *t = sim->turnings;
  return t != NULL && t->rate > 0 && sim->options.step <= 0 ? eighth / t->rate : HUGE_VAL;
}

/** The largest angle at the end of the step. */
static double size_of(const struct sb_turnings *t) {
  double size = 0;
  for (int i = 0; i < t->angle_count; i++) {
    size = fmax(size, fabs(t->angles[t->angle_count + i]));
  }
  return size;
}

/** How far the argument will go for certain until the end of the run [rad], as it moves evenly. Of a step that is too short the
 *  speed is rounding of the angle, or of the time. */
static double certain_turns(const sb_simulation *sim) {
  const struct sb_turnings *t = sim->turnings;
  const int index = t->sines[t->fastest].formula;
  const sb_moving_formula *f = &sim->formulas->list[index];
  const double length = sim->t - sim->t0, to = (sim->t_end - sim->t0) / length;
  if (!f->even || t->rate * length < 0.25 * eighth || length < known * fabs(sim->t) ||
      t->rate * length < known * size_of(t)) {
    return 0;
  }
  (void)sb_formula_enclose(sim, index, 0, to);
  return to * sb_enclosing_turned(f->enclosing);
}

/** The element whose steps are bounded, and by how fast a sine. */
static void word(const sb_simulation *sim, sb_status status, sb_error *err) {
  const struct sb_turnings *t = sim->turnings;
  const effect *e = &t->effects[t->effect];
  const int in = turns_in(sim, t->fastest), of = acts_on(sim, t->effect);
  const sb_instance *own = &sim->network->instances[of], *other = &sim->network->instances[in];
  (void)sb_fail(err, status,
                "%s '%.80s': %s a sine%s%.80s%s whose argument moves by %s rad/s at t = %s s",
                own->type->name, own->id,
                e->index < 0                  ? "events depend on"
                : sb_is_branch(sim, e->index) ? "a branch may change in each period of"
                                              : "its condition may change in each period of",
                in == of ? "" : " in '", in == of ? "" : other->id, in == of ? "" : "'",
                sb_number_word(t->rate).text, sb_number_word(sim->t).text);
  sb_error_hint(err, "a period takes eight steps or more, and max-steps allows no more than %d",
                sim->options.max_steps);
  sb_place_into(&own->place, err);
}

sb_status sb_turnings_check(sb_simulation *sim, sb_error *err) {
  struct sb_turnings *t = sim->turnings;
  const double left = (double)(sim->options.max_steps - sim->accepted);
  if (t == NULL || !(t->rate > 0) || sim->options.step > 0 || !(sim->t > sim->t0) ||
      t->rate * (sim->t_end - sim->t) <= eighth * left) {
    if (t != NULL) {
      t->steps = 0;
    }
    return SB_OK;
  }
  if (t->steps++ == 0) {
    t->since = sim->t;
    t->slow = t->rate;
  }
  const bool crawls =
      t->steps > CRAWL && t->rate >= t->slow &&
      (sim->t - t->since) * (double)sim->options.max_steps < (sim->t_end - sim->t) * CRAWL;
  t->steps = t->steps > CRAWL ? 0 : t->steps;
  if (crawls || certain_turns(sim) > eighth * left) {
    word(sim, SB_ERR_LIMIT, err);
    return SB_ERR_LIMIT;
  }
  return SB_OK;
}

sb_status sb_steps_exceeded(const sb_simulation *sim, sb_error *err) {
  sb_error why = {0};
  if (sim->turnings != NULL && sim->turnings->rate > 0) {
    word(sim, SB_ERR_LIMIT, &why);
  }
  (void)sb_fail_at(err, SB_ERR_LIMIT, "max_steps", "more than %d steps; stopped at t = %s s",
                   sim->options.max_steps, sb_number_word(sim->t).text);
  if (why.status != SB_OK) {
    sb_error_hint(err, "%.380s", why.text);
  } else {
    sb_error_hint(err, "give <run> a larger max-steps; steps that are much shorter than the motion "
                       "of interest come from rates much "
                       "faster than it, from events, or from a small rtol");
  }
  return SB_ERR_LIMIT;
}
