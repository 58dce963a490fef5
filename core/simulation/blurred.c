// SPDX-License-Identifier: GPL-3.0-or-later
// States and accounts that are nothing but rounding, as the momentum of a mass on which three forces balance, or the integral of the speed of a
// joint that friction holds while others move: to follow them to rtol of their largest value would be to follow the rounding of what they are
// computed from. Every rate is known to what the audit finds, r = eps M (audit/rate_sizes.c), so that a step of h makes a state known to
//   dx = h r,  of implicit methods (I - gamma J)^-1 h r,
// and what is computed from that state, as a flow that is integrated or filtered, the power of a source beside it or the input of a
// delay, to what a change of the state by dx makes of it. This is asked for behind the first steps, also behind events, and ever more seldom.
#include <math.h>
#include <string.h>

#include "core/base/uneven.h"
#include "core/model/rhs.h"
#include "core/simulation/delays_private.h"

struct sb_blurred {
  double *rates; // (vector) [own unit/s] what they are known to
  double *known; // (vector) [own unit] and what a step makes of that
  double *moved,
      *rate;          // (vector) the states, moved by what they are known to, and their rates there
  double *once;       // (vector) what rates are known to behind one passage
  double *inputs;     // (delays) [own unit] what they are known to,
  double *here, *far; // (delays) and those of the states, and of the states that are moved
  double t, step;     // [s] of the step before, and its length
  // The step from which they were asked for anew, at which they were last, and at which they are asked for again.
  long first, last, next;
};

/** They are asked for behind each of the first steps; then the steps between two questions are this fraction of those so far: where
 *  rounding decides on a size, or comes to a fraction of one, and elsewhere. */
enum { FIRST_STEPS = 64 };
/** Where one event follows the other, they are asked for once in so many steps. */
enum { APART = 8 };
static const double share = 0.125, seldom = 3, near = 0x1p-6;
/** What is known to rounding is followed over so many signals; from storage to storage once, as in a step that is at the limit of what is
 *  stable each counts as several times what it is. */
enum { CHAIN_MAX = 8 };
static const double grown = 1.5;
/** What is known to so many times its rounding has lost digits by that. */
static const double lost = 16;

sb_status sb_blurred_create(sb_simulation *sim, sb_error *err) {
  const int length = sb_vector_count(sim->network), delays = sim->network->delay_count;
  const sb_blurred *before = sim->blurred; // of the network before
  sb_blurred *b = sim->blurred = sb_arena_zeroed(&sim->memory, 1, sizeof *b);
  double *numbers = sb_arena_zeroed(&sim->memory, 5 * length + 3 * delays, sizeof(double));
  if (b == NULL || numbers == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  *b = (sb_blurred){.last = before != NULL ? before->last : 0,
                    .next = before != NULL ? before->next : 0,
                    .rates = numbers,
                    .known = numbers + length,
                    .moved = numbers + 2 * length,
                    .rate = numbers + 3 * length,
                    .once = numbers + 4 * length,
                    .inputs = numbers + 5 * length,
                    .here = numbers + 5 * length + delays,
                    .far = numbers + 5 * length + 2 * delays};
  return SB_OK;
}

/** What a step makes of the states, by the rates that are known so far. */
static void take_step(sb_simulation *sim) {
  sb_blurred *b = sim->blurred;
  const int states = sim->network->state_count;
  for (int i = 0; i < states; i++) {
    b->known[i] = sb_uneven(i) * b->rates[i];
  }
  sb_stepper_respond(sim->main, b->step, b->known, states);
  for (int i = states, length = sb_vector_count(sim->network); i < length; i++) {
    b->known[i] = b->step * b->rates[i];
  }
}

static void read_delays(const sb_simulation *sim, const double x[], double out[]) {
  if (sim->network->delay_count > 0) {
    sb_delays_read(sim, sim->t, x, out);
  }
}

/** The inputs of delays where states are moved. */
static void follow_delays(sb_simulation *sim) {
  sb_blurred *b = sim->blurred;
  for (int k = 0; k < sim->network->delay_count; k++) {
    b->inputs[k] = fmax(b->inputs[k], fabs(b->far[k] - b->here[k]));
  }
}

/** The same of rates, @return whether one has grown by that. */
static bool follow_rates(sb_simulation *sim, const double xdot[], bool first) {
  sb_blurred *b = sim->blurred;
  bool grew = false;
  for (int i = 0, length = sb_vector_count(sim->network); i < length; i++) {
    const bool follows = first || i >= sim->network->state_count || sim->nominal.integral[i];
    const double rate = follows ? fabs(b->rate[i] - xdot[i]) : 0;
    grew = grew || rate > grown * b->rates[i];
    b->rates[i] = fmax(b->rates[i], rate);
  }
  return grew;
}

/** And of powers that stages have deduced from states (stage_powers.c): they have more digits than e.f, as of a wire, where that has few. */
static void follow_deduced(sb_simulation *sim, const double xdot[]) {
  sb_blurred *b = sim->blurred;
  for (int i = sim->network->state_count, end = sb_vector_count(sim->network); i < end; i++) {
    b->rates[i] = fmax(0, fabs(b->rate[i] - xdot[i]) - lost * b->rates[i]);
  }
}

/** What is computed from states that are known to rounding; what a step of an implicit method makes of the states has it all. Where a chain of signals does not
 *  end it is a loop, as of a lag or a controller, which forgets in a step what it would make of it in one passage after the other.
 *  @param xdot  (vector) where they are not moved */
static void follow(sb_simulation *sim, const double xdot[]) {
  sb_blurred *b = sim->blurred;
  const int states = sim->network->state_count, length = sb_vector_count(sim->network);
  bool grew = true;
  take_step(sim);
  read_delays(sim, sim->x, b->here);
  for (int pass = 0; pass < CHAIN_MAX && grew; pass++) {
    for (int i = 0; i < length; i++) {
      b->moved[i] = sim->x[i] + (i < states ? b->known[i] : 0);
    }
    if (sb_workspace_rhs(sim->work, sim->t, b->moved, b->rate) != 0) {
      return;
    }
    read_delays(sim, b->moved, b->far);
    follow_delays(sim);
    grew = !sim->options.method->implicit && follow_rates(sim, xdot, pass == 0);
    if (sim->options.method->implicit) {
      follow_deduced(sim, xdot);
    }
    if (pass == 0) {
      memcpy(b->once, b->rates, (size_t)length * sizeof *b->once);
    }
    take_step(sim);
  }
  if (grew) {
    memcpy(b->rates, b->once, (size_t)length * sizeof *b->rates);
    take_step(sim);
  }
}

/** The step behind which they are asked for again. */
static long next_question(const sb_simulation *sim) {
  const sb_blurred *b = sim->blurred;
  const sb_nominal *nominal = &sim->nominal;
  const double taken = (double)(sim->accepted - b->first);
  bool decides = false;
  for (int i = 0, length = sb_vector_count(sim->network); i < length; i++) {
    decides = decides || fabs(b->known[i]) > near * nominal->rtol * nominal->now.size[i];
  }
  return sim->accepted + 1 +
         (long)(decides ? share * fmax(0, taken - FIRST_STEPS) : seldom * taken);
}

static void ask(sb_simulation *sim) {
  sb_blurred *b = sim->blurred;
  sb_evaluation evaluation;
  if (sb_workspace_evaluate(sim->work, sim->t, sim->x) != 0 ||
      !sb_workspace_keep(sim, &evaluation)) {
    return;
  }
  sb_audit_rate_rounding(&sim->audit, sim->t, sim->x, sim->options.method->implicit, b->rates,
                         b->inputs);
  follow(sim, evaluation.xdot);
  sb_workspace_put_back(sim, &evaluation);
  sb_nominal_blur(&sim->nominal, b->known);
  for (int k = 0; k < sim->network->delay_count; k++) {
    sim->delays->known[k] = fmax(sim->delays->known[k], b->inputs[k]);
  }
  b->last = sim->accepted;
  b->next = next_question(sim);
}

void sb_blurred_restart(sb_simulation *sim) {
  sb_blurred *b = sim->blurred;
  const long soon = b->last > 0 ? b->last + APART : 0;
  b->first = sim->accepted;
  b->next = b->next < soon ? b->next : soon;
  b->t = sim->t;
}

/** Of steps of a given length no error is judged, but what delays remember is. */
void sb_blurred_follow(sb_simulation *sim) {
  sb_blurred *b = sim->blurred;
  if (sim->options.step > 0 && sim->network->delay_count == 0) {
    return;
  }
  b->step = sim->t - b->t;
  b->t = sim->t;
  if (sim->accepted >= b->next) {
    const long before = sim->work->rhs_count;
    ask(sim);
    sim->beside += sim->work->rhs_count - before;
  }
}
