// SPDX-License-Identifier: GPL-3.0-or-later
// The event loop that the scene needs, by hand: after every step the signs of the gaps; where one
// has changed, its time by false position on partial steps from the start of the step, the spring
// relaxed, and a new start.
#include <math.h>
#include <string.h>

#include "bench/common.h"
#include "bench/ode.h"
#include "bench/scene.h"

static const double event_tol = 1e-12;      // [s]
static const double longest_step = 10e-3;   // [s] in free flight the error estimate sees no floor
static const double restart_fraction = 0.2; // of the step before an event

typedef struct loop {
  scene scene;
  ode main, probe;
  double t, x[SCENE_STATES], t_before, x_before[SCENE_STATES]; // after and before the last step
  double gaps[SCENE_CONTACTS], gaps_before[SCENE_CONTACTS];
  sb_vec3 normals[SCENE_CONTACTS];
} loop;

static void read_gaps(const loop *l, const double x[], double gaps[], sb_vec3 normals[]) {
  if (!scene_gaps(&l->scene, x, gaps, normals)) {
    bench_fail("by hand: no reliable closest points after t = %.9g s", l->t_before);
  }
}

/** Positive until the contact is made, or lost. */
static double indicator(const loop *l, int contact, const double gaps[]) {
  return l->scene.contacts[contact].touching ? -gaps[contact] : gaps[contact];
}

/** Time just behind the contact's event within the step that ended at b; the state there is probe.x. */
static double locate(loop *l, int contact, double b) {
  double a = l->t_before, va = indicator(l, contact, l->gaps_before);
  double vb = indicator(l, contact, l->gaps), gaps[SCENE_CONTACTS];
  sb_vec3 normals[SCENE_CONTACTS];
  int side = 0;
  while (b - a > event_tol) {
    double t = va > 0 ? b - (b - a) * vb / (vb - va) : 0.5 * (a + b);
    t = fmin(fmax(t, a + 0.4 * event_tol), b - 0.4 * event_tol);
    ode_leap(&l->probe, l->t_before, l->x_before, t);
    read_gaps(l, l->probe.x, gaps, normals);
    double v = indicator(l, contact, gaps);
    if (v > 0) { // the Illinois method: an end that stays counts half
      a = t, va = v;
      vb *= side == 1 ? 0.5 : 1;
      side = 1;
    } else {
      b = t, vb = v;
      va *= side == -1 ? 0.5 : 1;
      side = -1;
    }
  }
  ode_leap(&l->probe, l->t_before, l->x_before, b);
  return b;
}

/** The contact whose event comes first in the last step; the loop goes back to it. -1: none. */
static int find_event(loop *l) {
  int first = -1;
  const double end = l->t;
  for (int i = 0; i < SCENE_CONTACTS; i++) {
    if (indicator(l, i, l->gaps) > 0) {
      continue;
    }
    double t = locate(l, i, end);
    if (first < 0 || t < l->t) {
      first = i;
      l->t = t;
      memcpy(l->x, l->probe.x, sizeof l->x);
    }
  }
  return first;
}

static void take_event(loop *l, int contact, scene_history *history) {
  scene_contact *c = &l->scene.contacts[contact];
  if (history->event_count == SCENE_EVENTS_MAX) {
    bench_fail("by hand: too many events at t = %.9g s", l->t);
  }
  c->touching = !c->touching;
  memset(scene_spring(l->x, contact), 0, SPRING_STATES * sizeof(double));
  history->events[history->event_count++] = (scene_event){l->t, contact, c->touching};
  read_gaps(l, l->x, l->gaps, l->normals);
  ode_reset(&l->main, l->t, l->x, restart_fraction * ode_last_step(&l->main));
}

static void step(loop *l, double t_end, scene_history *history) {
  l->t_before = l->t;
  memcpy(l->x_before, l->x, sizeof l->x);
  memcpy(l->gaps_before, l->gaps, sizeof l->gaps);
  l->t = ode_step(&l->main, t_end);
  memcpy(l->x, l->main.x, sizeof l->x);
  history->steps++;
  read_gaps(l, l->x, l->gaps, l->normals);
  int contact = find_event(l);
  if (contact >= 0) {
    take_event(l, contact, history);
  }
  for (int i = 0; i < SCENE_CONTACTS; i++) {
    l->scene.contacts[i].normal = l->normals[i];
  }
}

void scene_run(double t_end, double rtol, double atol, scene_history *history) {
  loop l = {0};
  *history = (scene_history){0};
  scene_init(&l.scene, l.x);
  ode_init(&l.main, SCENE_STATES, scene_rhs, &l.scene, rtol, atol);
  ode_init(&l.probe, SCENE_STATES, scene_rhs, &l.scene, rtol, atol);
  ode_limit_step(&l.main, longest_step);
  ode_reset(&l.main, 0, l.x, 0);
  read_gaps(&l, l.x, l.gaps, l.normals);
  while (l.t < t_end) {
    step(&l, t_end, history);
  }
  memcpy(history->x, l.x, sizeof l.x);
  history->evaluations = l.scene.evaluations;
  ode_finish(&l.main);
  ode_finish(&l.probe);
}
