// SPDX-License-Identifier: GPL-3.0-or-later
// Modulated Dirac structures between two frames, which are fixed in bodies: the relative twist of the bodies goes to a port
// p by columns A of the poses, wrenches about the point that places count from (sb_place_hooks),
//   f_p = A^T (T_2 - T_1),   W_1 = A e_p,   W_2 = -W_1
// so that e_p holds the frames together. A kind of them is its columns.
#ifndef SB_ELEMENTS_BETWEEN_PRIVATE_H
#define SB_ELEMENTS_BETWEEN_PRIVATE_H

#include "core/graph/element.h"
#include "geometry/screw.h"

/** The frames, and the twists of the bodies that they are fixed in. */
typedef struct sb_between_frames {
  sb_pose pose[2];
  sb_twist twist[2]; // about the point that places count from, world axes
} sb_between_frames;

/** A of a kind, and how it changes.
 *  @param A, Adot  (columns of p) out
 *  @param q        out: the displacement whose rate is f_p, where there is one
 *  @return false: there is no answer */
typedef bool sb_between_columns(const void *self, const sb_between_frames *frames, sb_wrench A[],
                                sb_wrench Adot[], double *q);

/** The first member of the data of such a kind. */
typedef struct sb_between {
  sb_between_columns *columns;
  int dim;        // of p
  sb_vec3 origin; // [m] that poses, twists and wrenches count from
} sb_between;

enum { SB_BETWEEN_P = 0 };
/** Ports: p, to be shared, then the bodies; signals: `own` outputs (the columns and, if `q_` names it, the displacement),
 *  then the poses. */
#define SB_BETWEEN_PORTS(dim_, domain_)                                                            \
  {"p", .dim = (dim_), .domain = (domain_), .output = SB_FLOW, .shared = true, .side = 'B'},       \
      {"body1", .dim = 6, .domain = "screw", .output = SB_EFFORT, .optional = true, .side = 'A'},  \
      {"body2", .dim = 6, .domain = "screw", .output = SB_EFFORT, .optional = true, .side = 'A'},  \
  {                                                                                                \
    0                                                                                              \
  }
#define SB_BETWEEN_SIGNALS(dim_, q_)                                                               \
  {.name = (q_), .count = 1}, {.name = "columns", .count = 12 * (dim_)},                           \
      {.name = "pose1", .count = 12, .input = true},                                               \
      {.name = "pose2", .count = 12, .input = true}, {                                             \
    0                                                                                              \
  }

/** To be called by init().  @return SB_ERR_MISSING: it has no bodies */
sb_status sb_between_init(sb_between *self, sb_between_columns *columns, const sb_layout *layout,
                          sb_error *err);
extern const sb_place_hooks sb_between_place;
/** The displacement by the poses alone. */
double sb_between_displacement(const void *self, const sb_at *at);

void sb_between_kernel(const void *self, const sb_at *at, const sb_layout *layout,
                       sb_kernel *kernel);
int sb_between_forward(const void *self, const sb_at *at, double y[]);
int sb_between_adjoint(const void *self, const sb_at *at, double y[]);
int sb_between_forward_rate(const void *self, const sb_at *at, double ydot[]);
int sb_between_adjoint_rate(const void *self, const sb_at *at, double ydot[]);
void sb_between_poses_ahead(const void *self, const sb_at *at, double h, double *const signals[]);
#define SB_BETWEEN_HOOKS                                                                           \
  .kernel = sb_between_kernel, .forward = sb_between_forward, .adjoint = sb_between_adjoint,       \
  .rates = {sb_between_forward_rate, sb_between_adjoint_rate, sb_between_poses_ahead}
/** Of a kind with a displacement: q after a time h, by the twists. */
void sb_between_ahead(const void *self, const sb_at *at, double h, double q[]);

#endif
