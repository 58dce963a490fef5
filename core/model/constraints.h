// SPDX-License-Identifier: GPL-3.0-or-later
// The constraints of a program at a state, sum w y = 0 over the outputs y of storages and the values of
// sources: their rows (constraints.c), their groups (constraint_groups.c), and the coordinate
// projection of a state onto them (projection.c).
#ifndef SB_CORE_MODEL_CONSTRAINTS_H
#define SB_CORE_MODEL_CONSTRAINTS_H

#include "core/base/arena.h"
#include "core/program/workspace.h"

/** What a projection leaves of a residual, relative to the sum of the absolute values of its terms: near rounding. */
#define SB_DRIFT_TOL 4e-15

/** A source in a constraint, sum w y + factor * value = 0. */
typedef struct sb_constraint_source {
  int instance, value;
  double factor;
} sb_constraint_source;

/** A constraint c(x) = sum w y at a state. */
typedef struct sb_constraint_row {
  double residual; // c(x)
  double size;     // sum |w y|
  double
      terms; // of storages that accelerate: sum |w| times the largest |y| of each in the same unit
  double
      momenta; // the same, with gradients: sum |g p|, of which w y is a difference too (constraints.c)
  // (states) dc/dx, and by how much an impulse of 1 of its Lagrange multiplier moves x; zero elsewhere
  double *gradient, *impulse;
  int *states; // (states) where they may not be zero
  int count;
  char *listed; // (states) whether a state is among those
  sb_constraint_source *sources;
  int source_count, source_capacity;
  int *structures; // instances of the modulated ones that w depends on
  int structure_count, structure_capacity;
  double *algebraic; // (algebraic variables) dc of each; c contains their values
  char *on;          // (the same) whether it contains that at all, be the ratio zero
  bool modulated;    // signals change a ratio or a source in it
  bool failed;       // a storage has no output there, or memory ran out
} sb_constraint_row;

/** How far something was from a singular configuration, in any unit, after the last two steps. */
typedef struct sb_passage {
  double at[2], distance[2]; // [s]
  double farthest;           // so far
} sb_passage;

/** Takes the distance after the next step. @return whether it was zero since the step before the last (singular.c) */
bool sb_passage_note(sb_passage *passage, double t, double distance);

/** Constraints that share states, directly or through others, and so have to be solved together. Its
 *  states and sources are the same at all points. */
typedef struct sb_constraint_group {
  int *constraints, count, capacity; // in ascending order
  int *states, state_count, state_capacity;
  int *sources, source_count, source_capacity; // values of the sources in it
  sb_passage passage;
  int weakest; // constraint, at the last step
  int rank;    // the largest so far
  bool struck; // it did not hold where sb_workspace_project() was last asked, which took impulses
  double
      push; // [J/s^2] the largest A l^2/2 of a multiplier l at the last step: see sb_constraints_push()
  double push_of_all; // [J/s^2] what those of all can be together
  double *lengths; // (constraints, then algebraic variables) squares of the largest of each so far
  int *algebraics, algebraic_count, algebraic_capacity;
  bool has_multiplier; // one of them has
  bool modulated;      // one of them is
} sb_constraint_group;

/** What is kept of a row: so much of it, and of another one (still_rows.c). */
typedef struct sb_kept_row {
  double own, beside; // 1 and 0: all; 0 and 0: nothing moves along it
  int other;
} sb_kept_row;

/** The groups of all constraints of a program, and what work on them needs. */
struct sb_constraint_groups {
  sb_arena memory;
  int generation; // of the program
  int count;
  sb_constraint_group *groups;
  int *group_of;           // (states) number of the group of a state, -1: it is in none
  int *column;             // (states in a group) number among those of the group
  int *group_of_algebraic; // (algebraic variables)
  double *largest;         // (the same) weight of its constraints so far
  sb_constraint_row row;
  double *taken;                // (constraints) the impulses of a projection so far
  double *struck, *struck_size; // (constraints) c before an impact, and what it is the sum of
  double *known;   // (algebraic variables, then constraints) see sb_constraints_sizes()
  double *numbers; // scratch of the projection: sb_projection_numbers() for the largest group
  bool only_lists; // rows are asked for their states alone, at a point that is none
  int *pivots;     // (constraints and algebraic variables) scratch
  sb_kept_row
      *kept; // (2 constraints) scratch: what is kept of rows, in a projection and in a system
  // of storages that accelerate, in the row at hand: which, and the weights of their components (values)
  int *accelerating, accelerating_count;
  double *weights;
  char *turns;   // (values) whether the output of a storage that accelerates is an angular velocity
  double *moved; // scratch: twice the states and the components of the largest of them
  double *system; // scratch of sb_algebraic_run(): sb_algebraic_numbers() for the largest group
};

/** A group's constraints at a point, in the metric of its storages: the impulses lambda and changes w of its
 *  algebraic variables with
 *    A lambda + N w = -c,   N^T lambda = 0,   A = C G^T.
 *  Of several solutions that of least norm, which is the same in all units. */
typedef struct sb_constraint_system {
  int m, f;          // constraints, algebraic variables
  double *A, *N, *c; // (m x m), (m x f), (m)
  double *size;      // (m) the sum of the absolute values of the terms of c
  sb_kept_row *kept; // (m) what is kept of the rows (still_rows.c)
  double *solution;  // (m + f) out: lambda, w
  double *scratch;   // (m + f) * (m + f + 2)
  int *order;        // (m + f) scratch
} sb_constraint_system;

/** A pivot below this fraction of its diagonal, or of the largest once rows and columns are scaled, is zero: the constraint is implied by
 *  others. */
#define SB_PIVOT_TOL 1e-13
/** A response below this fraction of another one of the same contact is nothing: loops of contact forces have no force there (loop/shared.c). It is
 *  more than that by which events tell what moves (SB_UNILATERAL_NOTHING), so that what these leave a flow is not held. */
#define SB_STILL_RESPONSE 1e-12

/** What is kept of the rows of a group, so that nothing is left along which nothing moves (still_rows.c).
 *  @param system  of which N and the diagonal of A are read  @param C, G  (count x states) its rows  @param kept  (count) out */
void sb_constraints_find_kept(const sb_workspace *work, const sb_constraint_group *group,
                              const sb_constraint_system *system, const double C[],
                              const double G[], sb_kept_row kept[]);
/** Keeps that of them. @param rows  (count x columns) in and out */
void sb_constraints_keep(const sb_kept_row kept[], int count, double rows[], int columns);
/** The same of what constraints are at x, where the workspace holds values. @param rows  (constraints x columns) in and out */
void sb_constraints_keep_moving(sb_workspace *work, const double x[], double rows[], int columns);
/** Whether nothing moves along the row of a constraint at x, where the workspace holds values. */
bool sb_constraint_is_still(sb_workspace *work, int constraint, const double x[]);
/** The part of the residual of a constraint at x that no impulse on those of its group takes. */
double sb_constraint_beyond_reach(sb_workspace *work, int constraint, const double x[]);
/** @param below  (f) the right side of the lower rows; NULL: zero
 *  @return the rank: m + f if there is but one solution */
int sb_constraint_system_solve(const sb_constraint_system *system, const double below[]);
/** The system of a group at x, with its algebraic variables set to zero (algebraic.c). Of rows that are still nothing is kept. Its arrays are of the groups'.
 *  @return 0; else a storage or a structure has no output there */
int sb_constraint_system_fill(sb_constraint_groups *groups, const sb_constraint_group *group,
                              sb_workspace *work, const double x[], sb_constraint_system *system);

/** A constraint among others. */
typedef struct sb_redundancy {
  int group;    // those of one number state one thing twice together; -1: it is none of these
  bool implied; // by the others of the group
} sb_redundancy;

/** Finds constraints that others imply at x, where the workspace holds values (redundancy.c). It leaves the
 *  algebraic variables at zero.
 *  @param redundant  (constraints) out
 *  @return how many are implied */
int sb_constraints_redundant(sb_workspace *work, const double x[], sb_redundancy redundant[]);

/** How many of the constraints with multipliers of a part the others imply at x, where the workspace holds values. */
int sb_constraints_missing(sb_workspace *work, int part, const double x[]);

/** Whether multipliers hold a state. */
bool sb_constraints_hold(const sb_workspace *work, int state);

/** The groups of the present program; NULL: out of memory. */
sb_constraint_groups *sb_constraint_groups_of(sb_workspace *work);
void sb_constraint_groups_destroy(sb_constraint_groups *groups); // NULL is accepted

/** The row of a constraint at x, by the values that the workspace holds of sources and signals: those of
 *  the point of its last evaluation. It is valid until the next call.
 *  @param gradients  whether gradient, impulse and sources are wanted */
const sb_constraint_row *sb_constraint_row_at(sb_constraint_groups *groups, sb_workspace *work,
                                              int constraint, const double x[], bool gradients);
/** The same of a flow of an element that is free, with gradients: as if a constraint held it at zero. Where algebraic variables or laws
 *  determine it, beside storages and sources, no impulse can act: it has `failed`. */
const sb_constraint_row *sb_flow_row_at(sb_constraint_groups *groups, sb_workspace *work,
                                        const sb_instance *instance, int component,
                                        const double x[]);

/** Determines the algebraic variables of a group from the constraints at x: the least squares solution in the
 *  metric of the storages, which is what a projection would leave (algebraic.c).
 *  @param first  the group's first algebraic variable
 *  @return 0; else a storage or a structure has no output there, or memory ran out */
int sb_algebraic_run(sb_workspace *work, int first, const double x[]);

/** To be asked after every step: whether constraints with multipliers have passed a singular configuration, where
 *  they lose rank, since the step before the last (singular.c).
 *  @return one of them; -1: none has */
int sb_constraints_passed_singular(sb_workspace *work, double t, const double x[]);

/** The energy that the multiplier of a constraint in a part would give in a time of 1 s to what it holds, were that let go
 *  [J/s^2]; at x, where the workspace is, when one of sb_constraints_note_pushes() and sb_constraints_passed_singular() was last
 *  asked. */
void sb_constraints_note_pushes(sb_workspace *work, const double x[]);
double sb_constraints_push(const sb_workspace *work, int part);
/** The most that those of all constraints of a part could give together [J/s^2]. */
double sb_constraints_push_of_all(const sb_workspace *work, int part);

/** What algebraic variables, multipliers and states are known to the rounding of, beside the others of their group, at x, where the
 *  workspace is (known_sizes.c).  @param values  (values) what those of storages and structures are known to  @param states  (states) out
 *  @return (algebraic variables, then constraints), until the next call or program; NULL: there are none */
const double *sb_constraints_sizes(sb_workspace *work, const double x[], const double values[],
                                   double states[]);

/** The energy that the impulses take which bring x onto the constraints with multipliers of a part, to first order, l.A l/2 with
 *  A l = -c [J]; the workspace is at x.  @param rank  out: of these constraints, and algebraic variables, at x */
double sb_constraints_impulse(sb_workspace *work, int part, const double x[], int *rank);

/** How far constraints with multipliers were from a singular configuration when sb_constraints_passed_singular() was last
 *  asked, of the farthest they have been; 1: there are none.  @param constraint  out: one of the nearest; -1: there are none */
double sb_constraints_clearance(const sb_workspace *work, int *constraint);

/** An algebraic variable that the constraints at x do not determine any more, compared with the states that were
 *  asked about before; -1: none. */
int sb_algebraic_undetermined(sb_workspace *work, const double x[]);

/** Projects x onto the constraints of the program, with the workspace at (t, x) before: see
 *  sb_workspace_evaluate(). The quadratures in x take the work of the sources.
 *  @param constraint  out: the one that was most violated, -1 if all were met to rounding
 *  @return SB_ERR_MEMORY */
sb_status sb_workspace_project(sb_workspace *work, double t, double x[], int *constraint);
/** The same however little x is off them: what is differentiated must not stay where it is within a tolerance. */
sb_status sb_workspace_project_closely(sb_workspace *work, double t, double x[]);
/** What an impact did. */
typedef struct sb_strike {
  int constraint; // as of sb_workspace_project()
  double energy;  // [J] the most that an impulse has which meets one of the constraints alone
  bool bent;      // flows are not linear in the states that it moved
  bool met;       // its law is; else there is no such impulse,
  double left;    // [J] and the most energy of what a constraint is off by
} sb_strike;

/** An impact by Newton's law of restitution e, c(x+) = -e c(x-), plastic where e = 0, with the workspace at (t, x) before.
 *  @param before  a copy of x, quadratures included  @return SB_ERR_MEMORY */
sb_status sb_workspace_strike(sb_workspace *work, double t, const double before[], double x[],
                              double restitution, sb_strike *out);
/** Whether there were constraints in a part that had to be met by impulses when that was last asked, for the present program. */
bool sb_constraints_struck(const sb_workspace *work, int part);

/** Removes the drift off the constraints, with the workspace at (t, x) before: computes dependent
 *  states from the others and the sources, which changes nothing else, and projects the states of
 *  constraints that have a multiplier.
 *  @param quadratures  of the ledger; they take the work of the sources  @return SB_ERR_MEMORY */
sb_status sb_workspace_enforce(sb_workspace *work, double t, double x[], double quadratures[]);

/** Closes the gaps of rigid contacts that begin, with the workspace at (t, x) before: what touches within the rounding of places that
 *  are found one after the other would else hold the bodies in places that contradict each other (gaps.c).
 *  @param moved  out: whether x is another one  @return SB_ERR_MEMORY */
sb_status sb_workspace_settle(sb_workspace *work, double t, double x[], bool *moved);

/** Whether states drift off what sb_workspace_enforce() brings them back to. */
static inline bool sb_workspace_drifts(const sb_workspace *work) {
  return sb_has_multipliers(&work->program->causality) || work->network->drifting_count > 0 ||
         work->slide.on;
}

/** How many numbers work on a group with m constraints over n states and f algebraic variables takes. */
static inline int sb_algebraic_numbers(int m, int n, int f) {
  return 2 * m * n + m * (m + f + 2) + (m + f) * (m + f + 3);
}
static inline int sb_projection_numbers(int m, int n, int f) {
  return 2 * m * n + 2 * m * m + 7 * m + n + sb_algebraic_numbers(m, 0, f);
}

#endif
