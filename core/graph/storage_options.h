// SPDX-License-Identifier: GPL-3.0-or-later
// What only few storages have beside the hooks of all of them (core/graph/element.h): rates of the output of bodies,
// dependence on other storages, figures for the audit, the structure that discrete gradients ask for, variables of long
// chains, sizes of states, manifolds. A kind without them leaves them out.
#ifndef SB_CORE_STORAGE_OPTIONS_H
#define SB_CORE_STORAGE_OPTIONS_H

#include <stdbool.h>

enum { SB_HESSIAN_MAX = 8 };

typedef struct sb_at sb_at; // core/graph/element.h
struct sb_text;             // core/base/text.h

/** How the output of a storage changes whose states do not integrate its inputs, as the twist of a body. It is linear in
 *  the inputs; impulses at its ports, which move its states, change it likewise. */
typedef struct sb_storage_acceleration {
  /** d/dt of output() by the inputs at->in (components). @return as output() */
  int (*rate)(const void *self, const sb_at *at, double ydot[]);
  /** An impulse w (components) at the ports: it moves the states by dx (states) and the output by dy (components).
   *  @param gradient  (states) out: d(w.y)/dx over the states that impulses move, zero at the others
   *  @param dx        as gradient and dy, NULL: not wanted
   *  @return as output() */
  int (*impulse)(const void *self, const sb_at *at, const double w[], double dx[],
                 double gradient[], double dy[]);
  /** Moves what the states have of places by a displacement, the velocities that an impulse made, taken for a time of 1 s.
   *  @param moved  (states) where impulse() gives the gradient  @param x  (states) in and out */
  void (*displace)(const void *self, const sb_at *at, const double moved[], double x[]);
  /** size (components) of what rate() is the difference of, after that: a rate that forces hold at zero is the rounding of
   *  this. NULL: of what the inputs make */
  void (*terms)(const void *self, const sb_at *at, double size[]);
} sb_storage_acceleration;

/** Lets the network make a storage dependent on others (derivative causality). */
typedef struct sb_storage_constraints {
  /** Of a linear storage whose K is singular, as some y carries no energy: fills M of x = M y
   *  (states x states, row-major) and returns true. K is then zero in the rows and columns of the
   *  states that depend on the others, x = M K x. NULL: K is regular. */
  bool (*inverse)(const void *self, int dim, double M[]);
  /** With y = dH/dx of at->x alone and xdot = u: the Hessian d2H/dx2 (states x states, row-major), of
   *  at most SB_HESSIAN_MAX states. NULL: the storage cannot depend on others, unless it accelerates. */
  int (*hessian)(const void *self, const sb_at *at, double K[]);
  /** In its place where xdot is not u. NULL: it is. */
  const sb_storage_acceleration *acceleration;
} sb_storage_constraints;

/** Lets the audit judge an energy by its rounding, and what no energy tells. */
typedef struct sb_storage_audit {
  /** The sum of the absolute values of the terms that H is computed from [J]: H is known to the rounding
   *  of this, which is far more than |H| where terms cancel. NULL: |H|. */
  double (*terms)(const void *self, const sb_at *at);
  /** What the energy that is reported has beyond H [J]: a constant, which is left out of H, as H would be known to its rounding. NULL:
   *  nothing. */
  double (*level)(const void *self);
  /** sum |dH/dx.(x - x0)| [J] over the vectors that the states form, what they have exchanged since they were x0, to judge
   *  residuals by: a constant in H is no part of it. NULL: by output(), if each state has one, else |H - H0|. */
  double (*exchanged)(const void *self, const sb_at *at, const double x0[]);
  /** How far the rates xdot (states) are from what must hold beyond the energy, relative to the terms,
   *  with the input at->in and the output y (components): a pose moves as the port's twist says. */
  double (*motion)(const void *self, const sb_at *at, const double y[], const double xdot[]);
  /** After rate(): adds to `size` (states) the absolute values of the terms that cancel in each rate whatever the inputs are, as
   *  torques and the reactions of closed loops: it is known to the rounding of these. NULL: none. */
  void (*rate_terms)(const void *self, const sb_at *at, double size[]);
  /** H(x) [J] with what H reads of signals as it will be after a time h [s], by the rates that follow from the
   *  input at->in. NULL: H reads no signals. */
  double (*ahead)(const void *self, const sb_at *at, double h);
  /** Of a displacement q that H reads of signals and that is a difference of places p, as a gap: sum |dH/dq p| [J] with the
   *  output y (components). Values of H elsewhere are known to the rounding of this; its rates are not. NULL: none. */
  double (*places)(const void *self, const sb_at *at, const double y[]);
  /** H is that of a spring that is let go of now and then, and zero then: below zero it would give more than it took. A
   *  run ends where it falls below zero. */
  bool sprung;
} sb_storage_audit;

/** A step of a discrete gradient method; at->x is its middle. */
typedef struct sb_gradient_step {
  const double *before; // (states) x at its beginning
  double h;             // [s] its length
  /** (components) impulses at the ports by which y meets the constraints of the network, NULL: there are none. What
   *  they change of y is taken back from the chain rule elsewhere: they do no work. */
  const double *push;
} sb_gradient_step;

/** Of a storage whose states do not integrate its inputs: xdot = J(x) dH/dx + G(x) u, y = G(x)^T dH/dx with a skew-symmetric
 *  J, so that with any numbers in the place of dH/dx the power y.u is dH/dx.xdot: discrete gradient methods put theirs there. */
typedef struct sb_storage_structure {
  /** dH/dx (states) at at->x; what output() has left stays. @return as output() */
  int (*gradient)(const void *self, const sb_at *at, double gradient[]);
  /** y (components) and then xdot (states) by `gradient`, with J and G of at->x, after output() there. @param y, xdot  NULL:
   *  not wanted */
  int (*act)(const void *self, const sb_at *at, const sb_gradient_step *step,
             const double gradient[], double y[], double xdot[]);
  /** dy (components) by a change of those of the states that inputs move, dx (states), with what else holds y over the
   *  step, after act(). NULL: nothing can depend on it. */
  void (*respond)(const void *self, const sb_at *at, const double dx[], double dy[]);
} sb_storage_structure;

/** Variables z in which explicit methods step in place of the states x, where small errors of some states would be large ones of
 *  outputs. They are of the size of the states. */
typedef struct sb_storage_chart {
  /** Whether they serve better than the states. */
  bool (*serves)(const void *self);
  /** scale (states) at x, where steps begin: 0 of states that are their own variable.
   *  @return what rounding makes of the rates of the variables, as a fraction of them; HUGE_VAL: there is no answer */
  double (*scale)(const void *self, const sb_at *at, double scale[]);
  /** z (states) of at->x. @return as output() */
  int (*enter)(const void *self, const sb_at *at, const double scale[], double z[]);
  /** x (states) of z, which is at->x. */
  void (*leave)(const void *self, const sb_at *at, const double scale[], double x[]);
  /** zdot (states), in: xdot, after rate() at x. @return as output() */
  int (*rates)(const void *self, const sb_at *at, const double scale[], double zdot[]);
} sb_storage_chart;

/** How many numbers a nominal hook may keep for each state. */
enum { SB_SIZES_KEPT = 3 };

/** What counts of the states, where more than their own amount tells: of poses, and of springs that touch now and then. */
typedef struct sb_storage_sizes {
  /** The size of each state (states), by which its error becomes a number without a unit: what holds the
   *  energy that the storage holds now or, if that is more, `floor` [J]. It must not depend on where the
   *  origin is. Of linear storages, and of those with a Hessian, the core knows it; else NULL: |x|.
   *  @param size  (states) in: 0 or the largest so far; out: no less, but by what it has kept; HUGE_VAL: no error matters
   *  @param kept  (SB_SIZES_KEPT x states) what it keeps of the accepted states so far, 0 at first; its inputs are known, too. NULL: it is
   *               asked about this state alone
   *  @return the energy that it holds, above the least that it can hold [J] */
  double (*nominal)(const void *self, const sb_at *at, double floor, double size[], double kept[]);
  /** The states count with this fraction of the amplitude that would hold the largest energy in the part, at least. 0: by what
   *  the integrator takes. */
  double least;
  /** The energy that is the rounding of places [J], (1/2) K (eps |c|)^2 of a stiffness K between points that are
   *  |c| from the origin: no state in the part can be known better. NULL: none. */
  double (*noise)(const void *self, const sb_at *at);
} sb_storage_sizes;

/** Of states that must agree with each other, as those of closed loops do: they are on a manifold. */
typedef struct sb_storage_manifold {
  /** Moves x (states) to where its states agree with each other, from which they drift by the errors of integration:
   *  the hooks have been asked at x. NULL: they always agree.  @return false: x is so far off that they do not agree there either */
  bool (*project)(const void *self, const sb_at *at, double x[]);
  /** How far x is from a singular position, in which what project() keeps loses rank: from 1, far, to 0; after output().
   *  NULL: there is none.
   *  @param words  NULL; or out: "the constraints of ... lose rank there, and ...", or what constrains it where it is far */
  double (*clearance)(const void *self, const sb_at *at, struct sb_text *words);
  /** Takes out of an error of x (states) what is no error, as the hooks read x without it and project() removes it: they have
   *  been asked at a state next to x. NULL: all of it counts. */
  void (*count)(const void *self, const sb_at *at, double error[]);
} sb_storage_manifold;

/** Rates of the signal outputs that a storage has, as far as its states alone tell them, so that constraints may lead through
 *  what reads them. */
typedef struct sb_storage_signals {
  /** (signal outputs), after output(). NULL: none. */
  int (*rates)(const void *self, const sb_at *at, double rates[]);
  bool (*tells)(const void *self, int signal); // whether rates() gives the rate of this one
} sb_storage_signals;

#endif
