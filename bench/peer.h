// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes by Simbody, which is C++: behind functions that C can call.
#ifndef SB_BENCH_PEER_H
#define SB_BENCH_PEER_H

#ifdef __cplusplus
extern "C" {
#endif

enum { PEER_POSITION = 3, PEER_BODIES = 2, PEER_LINKS_MAX = 100 };

typedef struct peer peer;

/** Forces of contacts, for the same law in both.
 *  @param R       rotations of both bodies, their rows  @param x  places of their centres [m]
 *  @param force   out: on each [N]  @param moment  out: about its centre [N m]; all in world axes
 *  @return the potential energy [J] */
typedef double (*peer_contacts)(const double R[PEER_BODIES][9],
                                const double x[PEER_BODIES][PEER_POSITION],
                                double force[PEER_BODIES][PEER_POSITION],
                                double moment[PEER_BODIES][PEER_POSITION]);

/** Links of 1/n m and 1/n kg along x, revolute about y and z in turn, the second of which starts with 1 rad/s,
 *  gravity along -z.
 *  @param thickness  [m] d of the inertia m d^2/12 about x */
peer *peer_chain(int links, double thickness);
/** The ring of examples/bricard.xml. */
peer *peer_ring(void);
/** Two uniform ellipsoids, turned about axes through their centres at (0, 0, height). */
typedef struct peer_ellipsoid {
  double mass, semi_axes[3], height, axis[3], angle;
} peer_ellipsoid;
peer *peer_ellipsoids(const peer_ellipsoid body[PEER_BODIES], peer_contacts contacts);
void peer_destroy(peer *p);

/** A run from the start by RungeKuttaMerson at an accuracy.
 *  @param places  out: of the origins of all bodies at the end [m], in the order in which they were made
 *  @return the evaluations of all accelerations */
long peer_run(peer *p, double t_end, double accuracy, double places[][PEER_POSITION]);
/** Evaluates the accelerations at the start anew, with all that depends on positions. */
void peer_evaluate(peer *p, long calls);
#ifdef __cplusplus
}
#endif

#endif
