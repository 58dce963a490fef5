// SPDX-License-Identifier: GPL-3.0-or-later
// The netlist of two ellipsoids over a floor, read from the file given, beside the same scene by
// hand (scene.h), both on dormand-prince-5, rtol 1e-8, atol 1e-10, for 1.2 s. "Bare" is the
// library's right-hand side without the ledger's quadratures. The errors of both are those of the positions at the
// end, the largest, against a run by hand at rtol 1e-12, atol 1e-14. Fails if the results disagree.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bare.h"
#include "bench/clock.h"
#include "bench/common.h"
#include "bench/ode.h"
#include "bench/scene.h"
#include "core/model/model_data.h"
#include "core/simulation/simulation_private.h"
#include "netlist/netlist.h"

static const double t_end = 1.2, relative = 1e-8, absolute = 1e-10; // [s], rtol, atol
static const double rhs_tol = 1e-12;     // of the largest component: rounding
static const double event_tol = 1e-7;    // [s] times of events may differ by this
static const double position_tol = 1e-6; // [m] and positions at the end by this
/** The right-hand sides are timed so long after an accepted step [s]: in the middle of the next. */
static const double after_step = 0.5e-3;
enum { RHS_ROUNDS = 201, RUN_ROUNDS = 21 };
static const double rhs_block = 1e-3, run_block = 10e-3; // [s]

static const char *const contact_names[SCENE_CONTACTS] = {
    "contact(floor,grey)", "contact(floor,black)", "contact(grey,black)"};

typedef struct bench {
  const sb_model *model;
  sb_simulation *sim; // has left its workspace at the instant looked at
  bare_model bare;
  scene scene;
  int count;                       // of ours
  double t, *x, *xdot, *bare_xdot; // (count)
  double xdot_by_hand[SCENE_STATES];
  long steps, evaluations;
  double positions[SCENE_BODIES][3]; // [m] at the end
  scene_event events[SCENE_EVENTS_MAX];
  int event_count;
  scene_history by_hand;
} bench;

static sb_netlist *read(const char *path) {
  sb_errors errors = {0};
  sb_netlist *netlist;
  if (sb_netlist_read(path, NULL, 0, &netlist, &errors) != SB_OK) {
    bench_fail("%s: %s", path, errors.count > 0 ? errors.items[0].text : "out of memory");
  }
  return netlist;
}

/** The states of the compiled model are in the order of the scene by hand. */
static void check_order(const sb_model *model) {
  static const struct {
    int at;
    const char *name;
  } rows[] = {{0, "grey.x.x"},
              {13, "black.x.x"},
              {26, "contact(floor,grey)/elastic.s.x"},
              {30, "contact(floor,black)/elastic.s.x"},
              {34, "contact(grey,black)/elastic.s.x"}};
  char name[300];
  if (sb_model_state_count(model) != SCENE_STATES) {
    bench_fail("%d states and not %d", sb_model_state_count(model), SCENE_STATES);
  }
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (strcmp(sb_model_state_name(model, rows[i].at, name), rows[i].name) != 0) {
      bench_fail("state %d is %s and not %s", rows[i].at, name, rows[i].name);
    }
  }
}

static void advance(sb_simulation *sim, double t) {
  sb_error err;
  bench_must(sb_simulation_advance(sim, t, &err), &err);
}

/** Takes both right-hand sides to an instant, with the normals of a step just before. */
static void look_at(bench *b, double t) {
  double gaps[SCENE_CONTACTS], start[SCENE_STATES];
  sb_vec3 normals[SCENE_CONTACTS], later[SCENE_CONTACTS];
  int discretes = b->model->network.discrete_count;
  double *discrete = bench_zeros(discretes);
  scene_init(&b->scene, start);
  b->sim = bench_simulation(b->model, "dormand-prince-5", relative, absolute);
  advance(b->sim, t - after_step);
  memcpy(discrete, b->sim->work->discrete, (size_t)discretes * sizeof *discrete);
  bool known = scene_gaps(&b->scene, sb_simulation_state(b->sim), gaps, normals);
  advance(b->sim, t);
  memcpy(b->sim->work->discrete, discrete, (size_t)discretes * sizeof *discrete);
  memcpy(b->x, sb_simulation_state(b->sim), (size_t)b->count * sizeof *b->x);
  if (!known || !scene_gaps(&b->scene, b->x, gaps, later)) {
    bench_fail("no reliable closest points at t = %g s", t);
  }
  for (int i = 0; i < SCENE_CONTACTS; i++) {
    b->scene.contacts[i].normal = normals[i];
    b->scene.contacts[i].touching = gaps[i] < 0;
  }
  b->t = t;
  b->bare = (bare_model){b->model, b->sim->work};
  free(discrete);
}

static void rhs_ours(void *context, long calls) {
  bench *b = context;
  for (long i = 0; i < calls; i++) {
    sb_workspace_changed(b->sim->work); // else the rates at this point are known
    (void)sb_model_rhs(b->model, b->sim->work, b->t, b->x, b->xdot);
  }
}
static void rhs_bare(void *context, long calls) {
  bench *b = context;
  for (long i = 0; i < calls; i++) {
    sb_workspace_changed(b->sim->work);
    (void)bare_rhs(&b->bare, b->t, b->x, b->bare_xdot);
  }
}
static void rhs_by_hand(void *context, long calls) {
  bench *b = context;
  for (long i = 0; i < calls; i++) {
    (void)scene_rhs(&b->scene, b->t, b->x, b->xdot_by_hand);
  }
}

static void compare_rhs(const bench *b) {
  double largest = 0;
  for (int i = 0; i < SCENE_STATES; i++) {
    largest = fmax(largest, fabs(b->xdot[i]));
  }
  for (int i = 0; i < SCENE_STATES; i++) {
    double bare = b->bare_xdot[i] - b->xdot[i], hand = b->xdot_by_hand[i] - b->xdot[i];
    if (!(fabs(bare) + fabs(hand) <= rhs_tol * largest)) {
      bench_fail("right-hand sides at t = %g s: %g and %g of %g in state %d", b->t, bare, hand,
                 largest, i);
    }
  }
}

static int contact_of(const char *element) {
  int i = 0;
  while (i < SCENE_CONTACTS && strcmp(contact_names[i], element) != 0) {
    i++;
  }
  return i;
}

static void keep(bench *b, const sb_simulation *sim) {
  const sb_ledger *ledger = sb_simulation_ledger(sim);
  b->steps = ledger->work.steps;
  b->evaluations = ledger->work.rhs;
  b->event_count = ledger->event_count < SCENE_EVENTS_MAX ? ledger->event_count : SCENE_EVENTS_MAX;
  for (int i = 0; i < b->event_count; i++) {
    const sb_event *event = &ledger->events[i];
    b->events[i] =
        (scene_event){event->t, contact_of(event->element), strcmp(event->kind, "touch") == 0};
  }
  for (int i = 0; i < SCENE_BODIES; i++) {
    memcpy(b->positions[i], sb_simulation_state(sim) + i * BODY_STATES, sizeof b->positions[i]);
  }
}

/** From the compiled model to the end, with the making of the simulation. */
static void run_ours(void *context, long calls) {
  bench *b = context;
  for (long i = 0; i < calls; i++) {
    sb_simulation *sim = bench_simulation(b->model, "dormand-prince-5", relative, absolute);
    advance(sim, t_end);
    keep(b, sim);
    sb_simulation_destroy(sim);
  }
}
static void run_by_hand(void *context, long calls) {
  for (long i = 0; i < calls; i++) {
    scene_run(t_end, relative, absolute, &((bench *)context)->by_hand);
  }
}

static void compare_events(const bench *b) {
  printf("\nevent                               ours [s]    by hand [s]  difference\n");
  for (int i = 0; i < b->event_count && i < b->by_hand.event_count; i++) {
    const scene_event *ours = &b->events[i], *hand = &b->by_hand.events[i];
    if (ours->contact != hand->contact || ours->touching != hand->touching) {
      bench_fail("event %d is another one by hand", i + 1);
    }
    printf("%-22s %-8s %12.9f   %12.9f  %10.2g\n", contact_names[ours->contact],
           ours->touching ? "touch" : "release", ours->t, hand->t, ours->t - hand->t);
    if (!(fabs(ours->t - hand->t) <= event_tol)) {
      bench_fail("the times of event %d differ", i + 1);
    }
  }
  if (b->event_count != b->by_hand.event_count) {
    bench_fail("%d events against %d by hand", b->event_count, b->by_hand.event_count);
  }
}

static void compare_ends(const bench *b) {
  double worst = 0;
  for (int i = 0; i < SCENE_BODIES; i++) {
    for (int k = 0; k < 3; k++) {
      double difference = fabs(b->positions[i][k] - b->by_hand.x[i * BODY_STATES + k]);
      if (!(difference <= position_tol)) {
        bench_fail("positions at %g s differ by %g m", t_end, difference);
      }
      worst = fmax(worst, difference);
    }
  }
  printf("positions at %g s differ by at most %.2g m\n", t_end, worst);
}

static void print_errors(const bench *b) {
  scene_history reference;
  double ours = 0, hand = 0;
  scene_run(t_end, 1e-12, 1e-14, &reference);
  for (int i = 0; i < SCENE_BODIES; i++) {
    for (int k = 0; k < 3; k++) {
      double at = reference.x[i * BODY_STATES + k];
      ours = fmax(ours, fabs(b->positions[i][k] - at));
      hand = fmax(hand, fabs(b->by_hand.x[i * BODY_STATES + k] - at));
    }
  }
  printf("error of positions [m] %7.2g %8.2g\n", ours, hand);
}

static void measure_rhs(bench *b, double t, const char *what) {
  look_at(b, t);
  clock_task tasks[] = {{rhs_ours, b, 0}, {rhs_bare, b, 0}, {rhs_by_hand, b, 0}};
  clock_compare(tasks, 3, RHS_ROUNDS, rhs_block);
  compare_rhs(b);
  double ours = tasks[0].seconds, bare = tasks[1].seconds, hand = tasks[2].seconds;
  printf("%-42s %8.1f %8.1f %8.1f   %7.2f %7.2f\n", what, 1e9 * ours, 1e9 * bare, 1e9 * hand,
         ours / hand, bare / hand);
  sb_simulation_destroy(b->sim);
}

static void measure_run(bench *b) {
  clock_task tasks[] = {{run_ours, b, 0}, {run_by_hand, b, 0}};
  clock_compare(tasks, 2, RUN_ROUNDS, run_block);
  double ours = tasks[0].seconds, hand = tasks[1].seconds;
  printf("\n                          ours  by hand   ours / by hand\n");
  printf("whole run [ms]        %8.3f %8.3f   %7.2f\n", 1e3 * ours, 1e3 * hand, ours / hand);
  printf("steps                 %8ld %8ld\n", b->steps, b->by_hand.steps);
  printf("right-hand sides      %8ld %8ld\n", b->evaluations, b->by_hand.evaluations);
  print_errors(b);
  compare_events(b);
  compare_ends(b);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    bench_fail("usage: %s two_ellipsoids.xml", argv[0]);
  }
  static bench b;
  bench_flush_denormals();
  sb_netlist *netlist = read(argv[1]);
  sb_model *model = bench_compile(netlist->graph);
  check_order(model);
  b.model = model;
  b.count = sb_model_vector_count(model);
  b.x = bench_zeros(b.count);
  b.xdot = bench_zeros(b.count);
  b.bare_xdot = bench_zeros(b.count);
  printf(
      "right-hand side [ns]                           ours     bare  by hand    ours /  bare /\n");
  printf("                                                                        by hand\n");
  measure_rhs(&b, 0.05, "free flight");
  measure_rhs(&b, 0.15, "grey on the floor");
  measure_rhs(&b, 0.3, "grey on the floor, black on grey");
  measure_rhs(&b, 0.63, "grey on the floor, black on both");
  measure_run(&b);
  free(b.x);
  free(b.xdot);
  free(b.bare_xdot);
  sb_model_destroy(model);
  sb_netlist_destroy(netlist);
  return EXIT_SUCCESS;
}
