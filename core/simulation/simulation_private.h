// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of a running simulation, shared by the files that run it.
#ifndef SB_CORE_SIMULATION_PRIVATE_H
#define SB_CORE_SIMULATION_PRIVATE_H

#include <float.h>
#include <math.h>
#include <signal.h>

#include "core/audit/audit.h"
#include "core/integrator/stepper.h"
#include "core/model/model_data.h"
#include "core/simulation/simulation.h"

/** A guard of a switching element over the last step. */
typedef struct sb_indicator {
  double g[2], gdot[2]; // at the start and at the end of the step
  bool armed;           // has been positive since the element's last event
} sb_indicator;

/** An element whose guards are watched. */
typedef struct sb_switching {
  int instance;
  int count;    // guards in the present mode
  double since; // [s] of its last event
  sb_indicator indicators[SB_INDICATORS_MAX];
} sb_switching;

/** A structure that may divide by what becomes zero, or a storage whose effort is a temperature. */
typedef struct sb_limit {
  int instance;
  int component;  // of the temperature; -1: a divisor
  double largest; // divisor so far
} sb_limit;

struct sb_simulation {
  const sb_model *model;
  const sb_network *network; // the model's
  sb_workspace *work;
  sb_options options;
  sb_stepper *main; // the steps of the run
  sb_stepper *locating,
      *sampling;       // partial steps from the start of the last step: each has its own,
                       // since what one leaves behind, such as a Jacobian, would change
                       // where the other begins; NULL: not needed
  bool inputs_changed; // from outside, since the last step
  bool probed;         // the workspace's values are those of a probe
  bool restart;        // main must start anew from (t, x)
  double t, *x;        // last accepted, after its events
  double t0, *x0;      // start of the last step
  double *xp;          // scratch: a probed state
  double view_t;       // [s] what sb_simulation_read() shows
  double *view_x;
  double last_step;         // [s] of the integrator's own choice
  double boundary;          // [s] end of the smooth piece
  bool hooks;               // the books need the values of hooks after every step
  sb_switching *switchings; // (watch_count)
  int switching_count;
  sb_limit *limits; // (limit_count) looked at after every step
  int limit_count, limit_capacity;
  double *port_values;        // efforts and flows of the constant structure being watched
  bool has_indicators;        // some constant structures have guards
  bool indicators_read_ports; // which read port variables
  long accepted, unbalanced;
  int vain;           // steps taken again in vain, in a row
  double burst_t;     // [s] of the last events
  int burst;          // events since then at the same time
  int burst_instance; // whose the last one was
  sb_audit audit;
  sb_sampler sampler;
  void *sampler_context;
  double sample; // [s] 0: every step
  long sample_count;
  unsigned char *kept; // what the workspace held before a sample
  int kept_capacity;
  volatile sig_atomic_t interrupted;
};

/** Integrators for the present modes, in place of those for the modes before. */
sb_status sb_steppers_renew(sb_simulation *sim, sb_error *err);
/** One accepted step with all that belongs to it, at most to `limit` (step.c). */
sb_status sb_step_take(sb_simulation *sim, double limit, sb_error *err);
/** The samples that the last step has passed (samples.c). */
sb_status sb_samples_take(sb_simulation *sim, sb_error *err);
/** One sample at time t within the last step: audit, view, sampler. */
sb_status sb_sample(sb_simulation *sim, double t, sb_error *err);
/** Lists what must hold after every step, and looks whether it does (limits.c). */
sb_status sb_limits_find(sb_simulation *sim, sb_error *err);
sb_status sb_limits_check(sb_simulation *sim, sb_error *err);
/** Finds the end of the smooth piece of the sources that begins at sim->t. */
void sb_step_boundary(sb_simulation *sim);
/** Times that differ by less than this are the same [s]. */
static inline double sb_time_rounding(double t) {
  return 8 * DBL_EPSILON * fabs(t);
}
/** What sb_simulation_read() shows from now on. */
void sb_step_view(sb_simulation *sim, double t, const double x[]);

/** State of the last step at time t within it, by a partial step of the same method, into sim->xp;
 *  the workspace is brought there. */
sb_status sb_probe(sb_simulation *sim, sb_stepper *stepper, double t, sb_error *err);
/** Right-hand side at (t, x), an error that names the element if it fails. */
sb_status sb_evaluate(sb_simulation *sim, double t, const double x[], sb_error *err);
/** Keeps the ties at x, after sb_evaluate() there. */
sb_status sb_enforce(sb_simulation *sim, double t, double x[], sb_error *err);

/** Values of all guards at (t, x) into the start (0) or the end (1) of the step. */
sb_status sb_indicators_read(sb_simulation *sim, double t, const double x[], int end,
                             sb_error *err);
/** Finds the first event of the last step. If there is one, (t, x) become its time and the state
 *  just behind it. @param watch, guard  out; watch = -1: no event */
sb_status sb_event_find(sb_simulation *sim, int *switching, int *indicator, sb_error *err);
/** What the hooks of a watched element see; port variables of constant structures as last traced. */
sb_at sb_at_switching(const sb_simulation *sim, const sb_switching *switching, double t,
                      const double x[]);
enum { SB_TOGETHER_MAX = 32, SB_COMMUTATION_MAX = 2 };
/** What has switched along with something else. */
typedef struct sb_changed {
  int switching;
  const char *kind; // as an sb_transition reports it
} sb_changed;
/** Compiles the present modes (commutation.c). If the state cannot go on in them as it is, modes of
 *  diodes are looked for in which it can.
 *  @param index  the watch that has switched; -1: none, modes are as compiled
 *  @param more   diodes that have switched are added behind the first *count */
sb_status sb_commutate(sb_simulation *sim, int index, sb_changed more[], int *count, sb_error *err);
/** Takes an event at (t, x) and all that follow from it at the same time. */
sb_status sb_event_fire(sb_simulation *sim, int switching, int indicator, sb_error *err);
/** A step that failed right after many events at one instant: SB_ERR_CHATTER, worded; else `status`. */
sb_status sb_event_blame(const sb_simulation *sim, sb_status status, sb_error *err);
/** Words what is inconsistent at (t, x); SB_OK if nothing is. Scratch: sim->xp. */
sb_status sb_event_refuse(sb_simulation *sim, sb_error *err);
/** Makes tied storages consistent at (t, x); what it costs is booked as an impact. */
sb_status sb_event_project(sb_simulation *sim, sb_error *err);
/** Longest step that the elements allow [s], and the next time set for an event. */
double sb_event_horizon(sb_simulation *sim);
double sb_event_next_time(const sb_simulation *sim, int *switching);
/** Lets the elements latch what they need from the accepted state. */
void sb_event_accept(sb_simulation *sim);
/** Takes the events that are due at the start: of elements with hooks, which lose nothing then, or of
 *  constant structures. */
sb_status sb_event_settle(sb_simulation *sim, bool hooked, sb_error *err);

#endif
