// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of a running simulation, shared by the files that run it.
#ifndef SB_CORE_SIMULATION_PRIVATE_H
#define SB_CORE_SIMULATION_PRIVATE_H

#include <float.h>
#include <math.h>
#include <signal.h>

#include "core/audit/audit.h"
#include "core/base/arena.h"
#include "core/integrator/nominal.h"
#include "core/integrator/stepper.h"
#include "core/model/constraints.h"
#include "core/model/model_data.h"
#include "core/network/instant.h"
#include "core/simulation/simulation.h"

/** An event indicator of a switching element over the last step. */
typedef struct sb_indicator {
  double g[2], gdot[2]; // at the start and at the end of the step
  double before;        // at the start of the step before
  double middle; // in the middle of a first step, of which there is none before; NAN: not looked at
  bool armed;    // has been positive since the element's last event
  bool at_zero;  // is exactly zero before an event
  bool ended;    // of a branch: it is exactly at an end that does not belong to it
  bool fell;     // through zero in the last step, not later than at `until` [s], where it was `end`
  double until, end, slope; // with this derivative; NAN: unknown
} sb_indicator;

/** An element with modes, and its event indicators; or a branch of its expressions, which has one. */
typedef struct sb_switch {
  int instance;
  int count; // indicators in the present mode
  const sb_switching_hooks *hooks;
  bool still;   // it idles with another one, and has been asked since: its indicators stay
  double since; // [s] of its last event
  int burst, at_once,
      jumps; // the last burst that it had events in, how many, and of how many what it decides on jumped
  int turned;  // that in which its slip was found to be turned,
  int limited; // and in which it has come to the limit of what it holds
  sb_indicator indicators[SB_INDICATORS_MAX];
  int branch;                         // of expressions
  bool jumped, free;                  // what it decides on did, at its last event; held no longer
  double passed, spans[2];            // [s] of a branch: its last event, and the times between
  double trembling;                   // [s] since when it goes to and fro below what rtol
  int trembles;                       // resolves, and how often
  double largest, farthest;           // value given, and distance from a kink, so far,
  double excursion, excursion_before; // since its last event, and between the two before
} sb_switch;

/** What must hold after every step: the divisor of a structure is not zero, or the temperature of a
 *  storage is not negative. */
typedef struct sb_step_check {
  int instance;
  int component;  // of the temperature; -1: a divisor
  double largest; // divisor so far; the last temperature [K]
} sb_step_check;

typedef struct sb_samples sb_samples;
typedef struct sb_remark sb_remark;
typedef struct sb_crossing sb_crossing;

/** The methods that a run changes between. */
typedef enum sb_choice { SB_EXPLICIT, SB_IMPLICIT, SB_SMOOTH, SB_CHOICES } sb_choice;

/** The choice between methods, while the run lasts: automatic.c, smooth_motion.c. */
typedef struct sb_automatic {
  bool on, alone; // alone: the one method is implicit, and chooses no more than its bias
  const sb_method *methods[SB_CHOICES];
  long accepted; // steps that were judged
  bool looked;   // the present step is looked at
  bool strayed;  // it had to be shortened, as a law strayed in it
  // of the explicit one
  int votes, calm,
      rested; // steps that stability bounds; others since; the former since anything has moved
  int patience, rest_patience;  // how many of them make a trial, in motion and at rest
  double course_h;              // [s] of the step that `course` is of
  double window_t, window_step; // [s] start of what is judged, and its first step,
  double window_work;           // and right-hand sides until then
  double window_stiff;          // the integral of `fastest` over the time since
  double moved_t,
      moved_work; // [s] when a step has last moved a state by more than a mere oscillation; right-hand sides until then
  double
      bent_work; // right-hand sides until a step has last led a state off the line of the one before by more than that
  bool goes_on;  // both are known since the trial before
  bool at_rest;  // the trial is one at rest
  double cost, step;            // [1/s] right-hand sides to a second; [s] length, when it was left
                                // of the smooth one
  bool smooth, tried;           // it is taken as the explicit one; whether it pays is known
  int row, failures;            // steps that accuracy bounds; trials in vain
  long marked;                  // accepted steps until what they cost is asked for,
  double marked_t, marked_work; // [s] with the time, and right-hand sides until then
  double cost_before;           // [1/s] right-hand sides to a second before the trial
  // of the implicit one
  int steps, paid;      // since it is judged; how often it was worth its work
  int sought;           // how often it was not, but had not found its length yet
  double least;         // [s] the shortest step since it is tried
  double until;         // right-hand sides until which it goes on, at rest; 0: not at rest
  double fastest;       // [1/s] as sb_stepper_fastest(), at its first step
  double bias, loosest; // of its steps, as in sb_stepper_setup; the least it may be
  double residual;      // relative energy-balance error, when it was taken with these,
  long repeated;        // and steps that the balance had made be repeated
} sb_automatic;

/** Steps in a row that are far shorter than the longest, and where a law that jumps at rest goes to and fro: rest_jumps.c. */
typedef struct sb_restless {
  int steps, instance; // the first of them are not looked at
  double since;        // [s] the others began
  bool known, jumps;   // whether there is such a law
} sb_restless;

struct sb_simulation {
  const sb_model *first,
      *model;    // as given, and the present one, which differs where elements come and go
  sb_model *own; // the present one, if it is not the first
  const sb_network *network; // of the present model
  sb_workspace *work;
  sb_options options; // with the method of the present steps
  sb_automatic automatic;
  sb_arena memory;  // of all arrays but `kept` that are sized by the network,
  sb_arena lasting; // and of those that are not
  // The steps of the run, and partial steps from the start of the last step. Events and samples have each
  // an integrator of their own: what one leaves behind, such as a Jacobian, would change where the other
  // begins. NULL: not needed
  sb_stepper *main, *locating, *sampling;
  sb_crossing *crossing; // with `locating`
  sb_nominal nominal;    // sizes that errors are relative to, by the accepted states
  bool inputs_changed;   // from outside, since the last step
  bool restart;          // main must start anew from (t, x)
  bool begun;            // the ledger has, and takes what impulses do
  double t, *x;          // last accepted, after its events
  double t0, *x0;        // start of the last step
  double *rates0;        // (vector) rates and powers there,
  bool start_known;      // if they are known
  double length_before;  // [s] of the step before that
  double *course;        // (states) [own unit/s] of the last step that was looked at (automatic.c)
  double behind_t,
      *behind; // [s] a state behind the event that is looked for, and its time; NAN: none
  double *xp;  // scratch: a state within the last step, or a projected one
  double view_t, *view_x; // [s] what sb_simulation_read() shows
  double last_step;       // [s] length of the last one
  double next_step;       // [s] its choice for the next where a time ended the last; 0: none did
  double first_step;      // [s] after a restart; 0: the integrator's own choice
  double longest_step;    // [s] so far, the time scale of what happens at once
  double stops_pushed;    // [J] see sb_stops_follow()
  double searched_from,
      searched_until;  // [s] where features of sources have been looked for
  double boundary;     // [s] end of the present smooth piece of the sources
  double foreseen;     // [s] the same without jumps that bound the present step
  bool evaluates_ends; // the model is evaluated at the end of every step, for elements with hooks
  sb_switch
      *switches; // (all_switch_count) those with modes first, then the branches of expressions
  struct sb_changed *changed; // (2 network->mode_count + SB_COMMUTATION_MAX) switches of one event
  int switch_count, all_switch_count;
  double *port_sizes;    // scratch: (2 pairs, states, values)
  double *value_sizes;   // (values of the network) scratch
  double *state_sizes;   // (states) the same
  double *held_energies; // (parts) [J] what constraints hold moves by no more than a rounding of
  double *uneven;        // (components of an instance) sb_uneven()
  double *acceleration_terms; // (the same) scratch
  double *hook_values;        // scratch: what the hooks of one element give, three times
  double *later;              // scratch: a state
  sb_step_check *checks;      // (check_count)
  int check_count, check_capacity;
  sb_remark *remarks; // (remark_count) of elements that have gone, and when asked of all
  int remark_count, remark_capacity;
  double *port_values;        // efforts and flows of one constant structure, for its hooks
  int modulated_count;        // structures that are modulated
  double turns;               // [s] longest step that misses no turn of what events follow
  double all_turns;           // [s] the same of all that depends on the time: sb_network_horizon()
  struct sb_blurred *blurred; // what states and accounts are known to
  struct sb_formulas
      *formulas; // expressions of signals that events depend on; NULL: there are none
  struct sb_turnings *turnings; // and sines of moving signals in these; NULL: none
  struct sb_pulses *pulses;     // and what of them a step may pass over; NULL: none
  double repeats; // [s] the shortest period, or time between kinks, of what depends on the time
  bool has_timed; // some switches have events of known times
  bool indicators_read_ports;    // which depend on port variables
  struct sb_features **features; // (feature_count) of expressions of the time that bound the steps
  const struct sb_in_time *
      *besides; // (feature_count) whose signals these take as they are at present; NULL: none
  int feature_count;
  const sb_expression **waves; // (wave_count) those that turn
  int wave_count;
  const struct sb_in_time *
      *composed; // (composed_count) those with kinks in which others stand in for signals
  int composed_count;
  double *branches_kept; // scratch: (branches) those held
  int *modes_kept;       // scratch: (modes) those before others are tried
  double *branches_held; // scratch: (branches) those of a loop that is looked for others
  double *energies_kept; // scratch: (branches) those held of energies
  long accepted;         // steps
  long rejected_before, jacobians_before; // of main steppers before the present one
  long unbalanced;                        // steps repeated because of their energy-balance error,
  int futile_retries;                     // in a row without effect
  sb_passage *passages;                   // (network->drifting_count)
  long near_steps;                        // in a row close to singular positions,
  double near_since;                      // [s] and when these began
  int refused_steps;     // since right-hand sides without an answer first shortened one
  double refused_length; // [s] of that one, then of the first step that was taken
  sb_restless restless;
  // The step behind which sb_rest_slopes_follow() asks what states may be wrong by, and how many later than the last.
  long rest_next, rest_wait;
  double burst_t;  // [s] of the last events
  int burst;       // events since then at the same time
  int burst_index; // of the last one
  int burst_number;
  double shifted_t;     // [s] when forces have shifted between contacts,
  double shifting_t;    // since when in a row at one contact alone,
  double shifting_span; // how long the row before took,
  int shifting;         // which it is,
  int shifts;           // and how often
  sb_audit audit;
  sb_samples *samples;
  struct sb_delays *delays; // NULL: there are none
  struct sb_delay_ways *delay_ways;
  struct sb_middles *middles; // of delays by steps of a given length
  bool step_restarted;        // the last step began anew from its start
  bool audited;               // the run, along with its steps
  long beside;                // right-hand sides for samples and audits
  long audited_events;        // events before the last audit
  long audits;                // at steps
  unsigned char *kept;        // contents of the workspace before a sample or an audit
  int kept_capacity;
  double t_end; // [s] of the present advance
  double
      *monitored; // (network->monitored_count) scratch: signals of who is monitored for neighbours
  double room, room_t; // of the present population, at a time [s],
  double room_rate;    // [1/s] and how fast it was used in the last step
  bool renewed;        // the population was, and nothing else has changed, since the last step
  volatile sig_atomic_t interrupted;
};

/** An event indicator that starts a mode at zero or below counts as armed after this time [s], and events
 *  that follow each other faster belong to one burst: a fraction of the longest step so far. */
static inline double sb_quiet_time(const sb_simulation *sim) {
  return 1e-9 * sim->longest_step;
}

/** The largest energy of a part so far [J], also at a start: what is small against its rounding is nothing. */
static inline double sb_largest_energy(const sb_simulation *sim, int part) {
  return fmax(sim->nominal.now.energy[part], sim->audit.courses[part].most.terms);
}

// integrators.c

/** Integrators for the present modes, in place of those for the modes before. */
sb_status sb_steppers_renew(sb_simulation *sim, sb_error *err);
/** One for partial steps, in place of that before. */
sb_status sb_stepper_renew_partial(sb_simulation *sim, sb_stepper **stepper, sb_error *err);
/** State at time t within the last step, by a partial step of the same method, into sim->xp; the
 *  workspace is brought there. */
sb_status sb_probe(sb_simulation *sim, sb_stepper *stepper, double t, sb_error *err);
/** Brings the workspace to (t, x); an error names the element. */
sb_status sb_evaluate(sb_simulation *sim, double t, const double x[], sb_error *err);
/** The same at the present, after a start or an event: what sticks may come to rest by it (resting.c). */
sb_status sb_evaluate_resting(sb_simulation *sim, sb_error *err);
/** Efforts and flows of what sticks go to sim->port_values: zero, but for the input at which it does. */
void sb_forget_ports(sb_simulation *sim, const sb_instance *instance);
/** Demands that algebraic loops have one solution, after sb_evaluate() at the present, and accepts it. */
sb_status sb_loops_check(sb_simulation *sim, sb_error *err);
/** Enforces the constraints at x, after sb_evaluate() there. */
sb_status sb_enforce(sb_simulation *sim, double t, double x[], sb_error *err);

// automatic.c

/** At the start of a run. */
void sb_automatic_start(sb_simulation *sim);
/** Before a step: by the steps so far the other method may be taken from here on, with new steppers. */
sb_status sb_automatic_choose(sb_simulation *sim, sb_error *err);
/** Takes another method from here on. */
sb_status sb_automatic_change(sb_simulation *sim, sb_choice choice, sb_error *err);
/** What steps have cost so far, in right-hand sides. */
double sb_automatic_work(const sb_simulation *sim);
/** Whether a step that failed may succeed with the explicit method; which is taken from here on. */
bool sb_automatic_falls_back(const sb_simulation *sim);
sb_status sb_automatic_fall_back(sb_simulation *sim, sb_error *err);

// smooth_motion.c

/** Behind implicit steps, which tell nothing of what explicit ones cost. */
void sb_smooth_interrupt(sb_simulation *sim);
/** After a step of an explicit method: whether that of higher order is taken from here on, or no longer. */
sb_status sb_smooth_choose(sb_simulation *sim, sb_error *err);

// step.c

/** One accepted step with all that belongs to it, at most to `limit`. */
sb_status sb_step_take(sb_simulation *sim, double limit, sb_error *err);
/** The next kink of sources and signals of the time behind t [s]; HUGE_VAL: none. */
double sb_next_kink(const sb_simulation *sim, double t);
/** Finds the end of the smooth piece of the sources that begins at sim->t. */
void sb_step_boundary(sb_simulation *sim);

// step_trials.c

/** A step with its event, if there is one, of a length at which it can be accepted.
 *  @param index  out: the switch whose event ends it, -1: none  @param indicator  out: which of its indicators */
sb_status sb_step_try(sb_simulation *sim, double stop, int *index, int *indicator, sb_error *err);
/** Back to the start of the step. */
void sb_step_back(sb_simulation *sim);

// step_checks.c

/** Lists what must hold after every step, and checks it. */
sb_status sb_step_checks_find(sb_simulation *sim, sb_error *err);
sb_status sb_step_checks_run(sb_simulation *sim, sb_error *err);
/** Whether no temperature is below 0 K. */
sb_status sb_temperatures_check(sb_simulation *sim, sb_error *err);
/** Whether one is at the end of a step, which is to be repeated with the length given: on the chord from the temperature at its
 *  start, from which the end at T < 0 pulls 8 times as hard with every attempt. A step that is as short as the tolerance for the
 *  time is not repeated. */
bool sb_temperatures_overdue(sb_simulation *sim, int attempt, double *length);

// refusals.c

/** What an element has worded, with its name, the time and its place. */
sb_status sb_refusal_place(const sb_instance *instance, double t, const sb_error *why,
                           sb_error *err);
/** Words why an element gives no answer at (t, x) or right behind it, in its place. */
sb_status sb_refusal_word(sb_simulation *sim, int instance, double t, const double x[],
                          sb_error *err);
/** The same at the present. */
sb_status sb_refusal_at(sb_simulation *sim, int instance, sb_error *err);
/** Where no step is short enough: names a structure with an effort, or an expression of the time, that is infinite close by.
 *  @return else `status` */
sb_status sb_unbounded_explain(sb_simulation *sim, sb_status status, sb_error *err);
/** After a step: an error if right-hand sides without an answer have shortened too many of them. @param why  of the last of them */
sb_status sb_refusals_check(sb_simulation *sim, const sb_error *why, sb_error *err);
/** The end of a step has no answer: whether it may be repeated, shorter; false after as many such steps. */
bool sb_refusals_go_on(sb_simulation *sim);

// singular_positions.c

/** After a step: an event without loss where it has passed a singular position; an error where steps have become so
 *  short near one that the run would never end. */
sb_status sb_singular_check(sb_simulation *sim, sb_error *err);
/** Before a step from a start: refuses one from where a constraint has no force that is finite (singular_start.c).
 *  @param stop  [s] where the step ends at the latest */
sb_status sb_singular_start(sb_simulation *sim, double stop, sb_error *err);
/** After a step that failed, with its start as the present: the error, with the singular position that is near. */
sb_status sb_singular_explain(sb_simulation *sim, sb_status status, sb_error *err);
/** Storages that start in a singular position. @return false: out of memory */
bool sb_singular_foresee(const sb_simulation *sim, sb_errors *warnings);

// delays.c

/** Lists the delays. */
sb_status sb_delays_create(sb_simulation *sim, sb_error *err);
/** What their inputs were before the start. @return SB_ERR_MISSING: it must be stated */
sb_status sb_delays_start(sb_simulation *sim, sb_error *err);
/** The same of inputs that are known by what can be evaluated. */
void sb_delays_try(sb_simulation *sim);
/** What blocks give at the start, by what can be evaluated before they do (start_blocks.c). */
void sb_blocks_start(sb_simulation *sim);
/** The samples of the start anew, once the modes are known in which it begins. */
sb_status sb_blocks_sample(sb_simulation *sim, sb_error *err);
/** At the peak of a source at the start of a run: how large what the delayed signal moves will be.
 *  @param span  [s] of the run */
void sb_delays_foresee(sb_simulation *sim, double peak, double span);
/** The next break of their outputs behind the present [s]; HUGE_VAL: none is known yet. */
double sb_delays_break(const sb_simulation *sim);
/** The end of a step from now that has what they need, and overlooks nothing of it, at most `stop` [s]. */
double sb_delays_bound(const sb_simulation *sim, double stop);
/** Remembers their inputs over the last step. */
sb_status sb_delays_accept(sb_simulation *sim, sb_error *err);

// delay_middles.c

/** What they need of steps of a given length, in the present network. */
sb_status sb_middles_create(sb_simulation *sim, sb_error *err);

// delay_breaks.c

/** Finds the ways on which breaks come to the inputs of delays, in the present network. */
sb_status sb_delay_ways_create(sb_simulation *sim, sb_error *err);
/** Keeps what a step ends with, by which sb_delays_mark() sees what has changed.
 *  @param jumps  whether anything may have as it was accepted */
void sb_delay_ways_keep(sb_simulation *sim, bool jumps);
/** At the present anything may have changed. */
void sb_delay_ways_unknown(sb_simulation *sim);
/** Before a step that begins anew: how smooth the inputs of delays are at its start. */
void sb_delays_mark(sb_simulation *sim);

// samples.c

/** The state at a time within the last step, on the constraints, as what sb_simulation_read() shows, with
 *  the workspace there. */
sb_status sb_step_state(sb_simulation *sim, double t, sb_error *err);

/** What sb_simulation_read() shows from now on. */
void sb_step_view(sb_simulation *sim, double t, const double x[]);
/** The samples that the last step has passed. */
sb_status sb_samples_take(sb_simulation *sim, sb_error *err);
/** Samples within steps are of the present method from here on. */
sb_status sb_samples_renew(sb_simulation *sim, sb_error *err);
/** A sample at the present. */
sb_status sb_sample(sb_simulation *sim, sb_error *err);

// audits.c

/** Why: an end of a run, which is audited whatever it costs, an event, or any step. */
typedef enum sb_audit_reason { SB_AUDIT_END, SB_AUDIT_EVENT, SB_AUDIT_STEP } sb_audit_reason;
/** An audit at the end of an accepted step, if one is due. */
void sb_step_audit(sb_simulation *sim, sb_audit_reason reason);

// kept.c

/** Keeps the contents of the workspace. @param evaluation  out: its point  @return false: out of memory */
bool sb_workspace_keep(sb_simulation *sim, sb_evaluation *evaluation);
void sb_workspace_put_back(sb_simulation *sim, const sb_evaluation *evaluation);

sb_status sb_samples_create(sb_samples **samples, sb_error *err);
void sb_samples_destroy(sb_samples *samples); // NULL is accepted

// remarks.c

/** Keeps what the run has shown of those elements of `before` that do not go on.  @param s  NULL: none does */
sb_status sb_remarks_keep(sb_simulation *sim, const sb_simulation *before, const sb_succession *s,
                          sb_error *err);

// renewal.c

/** Before a step: renews who is there, if the room is used up. */
sb_status sb_renewal_check(sb_simulation *sim, sb_error *err);
/** At the end of a step, with the workspace there: whether somebody may have been missing in it. */
bool sb_renewal_overdue(sb_simulation *sim);
/** The longest step that is not likely to be such a one [s]. */
double sb_renewal_horizon(const sb_simulation *sim);

// simulation.c

/** Arrays and the workspace for the present network. */
sb_status sb_simulation_allocate(sb_simulation *sim, sb_error *err);
/** Lists the switching elements, and what the elements require of every step. */
void sb_switches_find(sb_simulation *sim);
/** Denormals in long stiff networks cost a factor of four: they are flushed while a run lasts, and
 *  the caller's mode, which is returned, is put back. Meanwhile sb_simulation_interrupt() is heeded. */
unsigned sb_run_enter(sb_simulation *sim);
void sb_run_leave(sb_simulation *sim, unsigned mode);
/** Whether its clocks let it come to t_end [s] (clocks.c). */
sb_status sb_clocks_check_run(const sb_simulation *sim, double t_end, sb_error *err);
/** The same of sines of the time that drive something. */
sb_status sb_turns_check_run(const sb_simulation *sim, double t_end, sb_error *err);
/** Warns of fixed steps that are longer than a delay.  @return false: out of memory */
bool sb_lags_foresee(const sb_simulation *sim, double t_end, sb_errors *warnings);
/** Whether the simulation can go to time t [s]. */
sb_status sb_run_check(const sb_simulation *sim, double t, sb_error *err);
/** All steps to t_end. */
sb_status sb_run_advance(sb_simulation *sim, double t_end, sb_error *err);
/** Enters what the run has cost so far into the ledger. */
void sb_run_count(sb_simulation *sim);
/** SB_INTERRUPTED, worded. */
sb_status sb_interrupt_fail(const sb_simulation *sim, sb_error *err);

// features.c

/** Lists the expressions of the time that could hide something from a step. */
sb_status sb_features_list(sb_simulation *sim, sb_error *err);
/** Of the sines that event indicators, and branches of expressions of signals, depend on by bonds and signals. */
sb_status sb_turns_find(sb_simulation *sim, sb_error *err);
void sb_features_finish(sb_simulation *sim);
/** The next kink behind t of an expression of signals that are known in time [s]; HUGE_VAL: none. */
double sb_features_next_kink(const sb_simulation *sim, double t);
/** Its branches in the present smooth interval of time, which no evaluation at the ends of that can tell by rounding. */
void sb_features_hold(sb_simulation *sim);
/** Measures them from now to t_end [s]. */
/** Called at a place where a term has its largest value in the run; the workspace is to be evaluated there.
 *  @param span  [s] for which sources may go on as they are there */
typedef void sb_peak_visitor(sb_simulation *sim, double peak, double span, void *context);
void sb_features_visit(sb_simulation *sim, double t_end, sb_peak_visitor *visit, void *context);
void sb_features_foresee(sb_simulation *sim, double t_end);
/** The end of a step from now that misses none of them, at most `stop` [s]. */
double sb_features_bound(sb_simulation *sim, double stop);

// moving_sines.c

/** Lists the sines of moving signals among what event indicators depend on. @param feeds  (instances) these */
sb_status sb_turnings_list(sb_simulation *sim, const bool feeds[], sb_error *err);
/** Goes on with the pace of the model before, if what bounded its steps has lasted. */
void sb_turnings_succeed(sb_simulation *sim, const sb_simulation *before, const sb_succession *s);
/** Before a step, with the workspace at its start. */
void sb_turnings_begin(sb_simulation *sim);
/** Whether the step, at whose end the workspace is, goes through too much of a period. */
bool sb_turnings_overdue(const sb_simulation *sim);
void sb_turnings_accept(sb_simulation *sim);
/** The longest step that is not likely to be such a one [s]. */
double sb_turnings_horizon(const sb_simulation *sim);

// blurred.c
typedef struct sb_blurred sb_blurred;
sb_status sb_blurred_create(sb_simulation *sim, sb_error *err);
/** At the start, and behind an event. */
void sb_blurred_restart(sb_simulation *sim);
/** After an accepted step, with the workspace there. */
void sb_blurred_follow(sb_simulation *sim);
/** After an accepted step: an error where a sine is so fast that the run would not come to its end within `max_steps`. */
sb_status sb_turnings_check(sb_simulation *sim, sb_error *err);
/** SB_ERR_LIMIT: there have been `max_steps`. */
sb_status sb_steps_exceeded(const sb_simulation *sim, sb_error *err);

// moving_pulses.c

/** Lists what moving signals make of expressions that act on more than signals.
 *  @param feeds  (instances) event indicators depend on those by bonds: there what moves may also be multiplied by pulses in time */
sb_status sb_pulses_list(sb_simulation *sim, const bool feeds[], sb_error *err);
/** Whether the step, at whose end the workspace is, passes over something of them. */
bool sb_pulses_overdue(sb_simulation *sim);
/** Where the k-th of them is farthest beyond the ends of this step [s]; NAN: nowhere. @return false: there are no more */
bool sb_pulses_place(const sb_simulation *sim, int k, double *t);

// inputs.c

/** Sources that are set from outside start at their parameter. */
void sb_inputs_start(sb_simulation *sim);

#endif
