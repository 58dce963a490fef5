// SPDX-License-Identifier: GPL-3.0-or-later
// A textbook articulated-body recursion, written by hand for a chain of revolute joints, to compare with:
// (q, v) to dv/dt with six-dimensional vectors in the axes of the links. Featherstone, Rigid Body Dynamics
// Algorithms, 2008, table 7.1.
#ifndef SB_BENCH_ABA_H
#define SB_BENCH_ABA_H

#include "geometry/screw.h"

typedef struct aba_link {
  sb_mat3 tree; // axes of the link at q = 0 in those of its parent; it turns about its z
  sb_vec3 at;   // [m] its origin in the parent's axes
  double mass;
  sb_vec3 first;    // [kg m]
  double second[6]; // [kg m^2] about its origin: xx yy zz xy xz yz
} aba_link;

typedef struct aba_work {
  sb_mat3 E;     // axes of the link in those of its parent
  sb_twist v, c; // velocity, and the acceleration that it makes
  double J[6], M[6];
  sb_mat3 C;
  sb_wrench p, U; // bias, and what the joint feels
  double D, u;
  sb_twist a;
} aba_work;

/** @param g     acceleration of free fall, in the world's axes
 *  @param vdot  (count) out */
void aba_run(const aba_link link[], int count, sb_vec3 g, const double q[], const double v[],
             aba_work work[], double vdot[]);

#endif
