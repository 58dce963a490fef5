// SPDX-License-Identifier: GPL-3.0-or-later
// The scene of examples/two_ellipsoids.xml by hand: two ellipsoids over a floor, three contacts with
// linear springs and a damping proportional to the depth. Equations as in elements/body.c and
// contact/, written out without ports: forces act on the bodies directly, the floor takes none, the
// tangential spring is a vector in world axes and needs no basis of the tangent plane.
#ifndef SB_BENCH_SCENE_H
#define SB_BENCH_SCENE_H

#include <stdbool.h>

#include "geometry/quat.h"
#include "geometry/surface.h"

enum { SCENE_BODIES = 2, SCENE_CONTACTS = 3, SCENE_EVENTS_MAX = 32 };
enum { SCENE_FLOOR = -1, SCENE_GREY, SCENE_BLACK };
/** Of a body: x [m], p [N s], q, L [N m s] about its centre in its axes; of a contact: tangential
 *  spring s [m] in world axes, angle [rad]. Contacts follow the bodies. */
enum { BODY_STATES = 13, SPRING_STATES = 4, SCENE_STATES = 38 };

typedef struct scene_body {
  double mass;
  sb_vec3 inverse_inertia; // principal, the body's axes are the ellipsoid's
  sb_surface surface;
} scene_body;

typedef struct scene_contact {
  int body1, body2;
  double k_t, k_n, k_theta; // [N/m], [N/m], [N m/rad]
  double share;             // the springs meet at (1 - share) p1 + share p2
  bool touching;
  sb_vec3 normal; // at the last accepted step, to start from; zero: unknown
} scene_contact;

typedef struct scene {
  scene_body bodies[SCENE_BODIES];
  scene_contact contacts[SCENE_CONTACTS];
  sb_surface floor;
  long evaluations; // of the right-hand side
} scene;

void scene_init(scene *s, double x[SCENE_STATES]);
/** An ode_rhs. */
int scene_rhs(void *scene, double t, const double x[], double xdot[]);
/** Gaps of all contacts at x [m], and their normals. False where there is no reliable answer. */
bool scene_gaps(const scene *s, const double x[], double gaps[SCENE_CONTACTS],
                sb_vec3 normals[SCENE_CONTACTS]);
/** The state of a contact's spring, relaxed when the contact is made and lost. */
static inline double *scene_spring(double x[], int contact) {
  return x + SCENE_BODIES * BODY_STATES + contact * SPRING_STATES;
}

typedef struct scene_event {
  double t; // [s]
  int contact;
  bool touching; // from now on
} scene_event;

typedef struct scene_history {
  scene_event events[SCENE_EVENTS_MAX];
  int event_count;
  long steps, evaluations;
  double x[SCENE_STATES]; // at the end
} scene_history;

/** From the start to t_end, with located events. */
void scene_run(double t_end, double rtol, double atol, scene_history *history);

#endif
