// SPDX-License-Identifier: GPL-3.0-or-later
// What closes the loops of a tree: joints between two of its bodies, or a body and the world, and couplings of joint
// coordinates. Both state rows J(q) v = 0 on its velocities, the rates of a residual g(q) = 0, and act by J^T lambda.
//
//   J vdot + Jdot v = 0,   M vdot = tau - bias + J^T lambda                            (accelerations)
//   J v+ = 0,              M (v+ - v) = J^T mu                                         (a plastic impact)
//
// Rows may imply each other: a planar loop closed by a revolute joint has five, of which two say something, and
// Bricard's linkage has five, of which four do in every closed position. The rank is decided by J alone, before masses
// come in (mechanism/closure_factor.c); of all lambda that do the same, those have the least norm, with lengths
// of the size of the mechanism between moments and forces. What joints bear by that is shared by sb_closures_share().
//
// All work on two scratch memories of the caller: that of the tree, as in mechanism/recursion.h, and
// sb_closures_scratch() doubles; nothing is allocated. Frames in the world are seen from the point of sb_tree_place_from(), and
// wrenches are about it. Arrays of rows have sb_closures_rows() numbers, first the
// joints' in their order, then one of each coupling.
#ifndef SB_MECHANISM_CLOSURE_H
#define SB_MECHANISM_CLOSURE_H

#include "mechanism/recursion.h"

/** A joint that closes a loop: what its kind does not let move, stays. Its frame is fixed in both bodies; the two coincide
 *  where the coordinates that the joint would have in a tree are zero. */
typedef struct sb_closure_joint {
  const char *name; // in messages; copied
  const sb_joint *joint;
  int parent, child; // bodies of the tree, or SB_TREE_WORLD
  sb_pose in_parent, in_child;
  sb_vec3 axis, second; // as in sb_tree_body
  double pitch;         // [m/rad] of a helical joint
} sb_closure_joint;

/** factor times the coordinate of a velocity */
typedef struct sb_coupling_term {
  int velocity; // index in v; not of a free turn
  double factor;
} sb_coupling_term;

/** Gears, racks, belts, differentials: sum of factor q = value. */
typedef struct sb_coupling {
  const char *name;              // copied
  const sb_coupling_term *terms; // (count) copied
  int count;
  double value;
} sb_coupling;

/** The closures of one tree; immutable. */
typedef struct sb_closures sb_closures;

/** @param tree    borrowed for as long as the closures live
 *  @param faulty  out: index of the joint, or joint_count + index of the coupling, that the error is about; may be NULL
 *  @return SB_ERR_REFERENCE: there is no such body or velocity; SB_ERR_RANGE: a zero axis, a body joined to itself,
 *          a coupling of a free turn, or without a factor other than zero; SB_ERR_MEMORY */
sb_status sb_closures_create(const sb_tree *tree, const sb_closure_joint joints[], int joint_count,
                             const sb_coupling couplings[], int coupling_count,
                             sb_closures **closures, int *faulty, sb_error *err);
void sb_closures_destroy(sb_closures *closures); // NULL is accepted

int sb_closures_rows(const sb_closures *closures);
int sb_closures_scratch(const sb_closures *closures);
/** The length between turns and shifts [m]: the radius of gyration of the origins of all bodies and closures at rest, of those of each
 *  tree that floats about their own mean. */
double sb_closures_length(const sb_closures *closures);
/** Index of the first row of a joint, or of joint_count + a coupling; of the count behind the last: the number of rows. */
int sb_closures_first_row(const sb_closures *closures, int closure);
const char *sb_closures_name(const sb_closures *closures, int closure);

/** g(q) [m], [rad], and in the unit of a coupling. Zero exactly where all is closed: a joint's axes that point against
 *  each other are half a turn apart. Near there, dg/dt = J v. Needs the poses. */
void sb_closures_residual(const sb_closures *closures, const double q[],
                          const double tree_scratch[], double g[]);

/** The largest of the residuals g: shifts [m], and turns and couplings by the length of the mechanism. */
double sb_closures_gap(const sb_closures *closures, const double g[]);

/** J(q), (rows x velocities) row-major. Needs the poses. */
void sb_closures_jacobian(const sb_closures *closures, const double tree_scratch[], double J[]);

/** Jdot v, to be added to J vdot. Needs the twists. */
void sb_closures_bias(const sb_closures *closures, double tree_scratch[], double scratch[],
                      double bias[]);

/** Takes J and its response into the scratch memory, for all functions below. Needs poses and the factors of
 *  sb_tree_solve().
 *  @param most  the rank is not above this. Off the closed positions, by what a step has strayed, rows that imply each
 *               other there do so no longer: what was found to be the rank in closed ones (sb_closures_analyse()) keeps
 *               a false row out. sb_closures_rows(): no limit
 *  @return the rank */
int sb_closures_factor(const sb_closures *closures, int most, double tree_scratch[],
                       double scratch[]);

/** sb_closures_factor() by the discrete derivative of the closures over a step, from a closed position to one where g is
 *  left: of all rows next to J(q) in the middle, where the tree is, those with J w = g (Gonzalez 1996).
 *  @param w  (velocities) the way of the step, in velocities for unit time  @param g  (rows) */
int sb_closures_factor_over(const sb_closures *closures, int most, const double w[],
                            const double g[], double tree_scratch[], double scratch[]);

/** Accelerations that keep J v: of all, those nearest to the given ones in the metric of M (Gauss's principle).
 *  @param bias     (rows) of sb_closures_bias()
 *  @param vdot     in: without constraints; out: with them
 *  @param efforts  out: J^T lambda, to be added to tau; may be NULL
 *  @param lambda   (rows) out: [N], [N m], per unit of a coupling; may be NULL */
void sb_closures_accelerate(const sb_closures *closures, const double bias[], double scratch[],
                            double vdot[], double efforts[], double lambda[]);

/** Adds to `size` (velocities) what such efforts are known to the rounding of: sums over an orthonormal basis, each is known to that of
 *  all of them, with the length of the mechanism between turns and shifts. */
void sb_closures_effort_terms(const sb_closures *closures, const double efforts[], double size[]);

/** Velocities and momenta after the constraints' impulses have made J v = 0: the nearest such v in the metric of M.
 *  @param p   in and out: momenta that belong to v; may be NULL
 *  @param mu  (rows) out: the impulses; may be NULL */
void sb_closures_project(const sb_closures *closures, double scratch[], double v[], double p[],
                         double mu[]);

/** sb_tree_response() of the mechanism with its loops: what loads do to accelerations, or impulses to
 *  velocities, while J dv = 0. */
void sb_closures_response(const sb_closures *closures, const double tau[],
                          const sb_wrench wrenches[], double tree_scratch[], double scratch[],
                          double dv[], sb_twist dtwists[]);

/** Adds what the joints do to the bodies by lambda. Needs the poses.
 *  @param bodies  (bodies) in and out; may be NULL
 *  @param joints  (joints) out: each joint's wrench on its child; may be NULL */
void sb_closures_wrenches(const sb_closures *closures, const double tree_scratch[],
                          const double lambda[], sb_wrench bodies[], sb_wrench joints[]);

/** Of all wrenches of joints that move the mechanism as these do, those of least norm, where rows imply each other: the share of
 *  overconstrained loops, whichever joint closes them (closure_share.c). Needs poses and the factors.
 *  @param joints  (bodies + joints) in and out: of the joints that carry the bodies, then of those that close loops, each on its
 *                 child */
void sb_closures_share(const sb_closures *closures, const double tree_scratch[], double scratch[],
                       sb_wrench joints[]);

/** sb_tree_place_from(), sb_tree_solve() and sb_closures_factor() for states that are off, as the stages of a step are by its
 *  truncation error: the motion is that which the loops let through of p and, near a singular position, in
 *  the closed position next to q. Errors off the loops would come back there divided by the distance, and again at each stage.
 *  @param v  out: J v = 0  @return 0; 1: M is singular */
int sb_closures_follow(const sb_closures *closures, int most, const double q[], const double p[],
                       sb_vec3 point, double v[], double tree_scratch[], double scratch[]);

/** The gap [m] that the state last followed or closed has itself, wherever the tree was placed for it; or the length of the mechanism times
 *  what its free turns are off length one by, if that is more. */
double sb_closures_open(const sb_closures *closures, double scratch[]);

/** Takes what the loops do not let through out of an error of the state, near a singular position: sb_closures_follow() reads
 *  states without it. In other positions, and of positions that turn freely, it stays. @param factored, scratch  of a state nearby */
void sb_closures_count(const sb_closures *closures, double q[], double p[], double tree_scratch[],
                       double scratch[]);

/** How far the position in the scratch memory is from a singular one: of the pivots of J the least by the largest, 0 where the
 *  rank is below `most`, 1 where nothing is held.
 *  @param weak  (joints and couplings) out: how much of what is weak each closure holds; may be NULL
 *  @param loose (velocities) out: how much each may move where the weak rows are lost, from 0 to 1; may be NULL
 *  @param count out: how many are weak or lost; may be NULL */
double sb_closures_clearance(const sb_closures *closures, int most, double scratch[], double weak[],
                             double loose[], int *count);

/** Projects q onto g = 0 by Newton's method with dq = M^-1 J^T mu, quaternions kept at length one, and then v and p
 *  onto J v = 0. Where it returns, the scratch memories hold all of the new state.
 *  @param v  out
 *  @return what is left of g, [m], turns by the length of the mechanism; infinite where M is singular */
double sb_closures_close(const sb_closures *closures, int most, double q[], double p[],
                         sb_vec3 point, double v[], double tree_scratch[], double scratch[]);

#endif
