// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of a linearisation.
#ifndef SB_CORE_ANALYSIS_LINEAR_PRIVATE_H
#define SB_CORE_ANALYSIS_LINEAR_PRIVATE_H

#include "core/analysis/linearize.h"
#include "core/analysis/operating_point_private.h"
#include "core/linalg/extended.h"

struct sb_manifold; // core/analysis/manifold_private.h

/** Whether all elements but sources are linear. */
bool sb_network_is_linear(const sb_network *network);
/** Of the numbers of an operating point, without arrays and inputs. */
sb_linear sb_linear_about(const sb_operating_point *p);

/** Whether a model can be linearised. What cannot has no linear equation in continuous time: a delay has infinitely many
 *  poles, and what a sampler gives is held between its samples, so that a loop closed by it would look open.
 *  @param rests  it is to find where the model rests: there such elements give what they are given (late.c)
 *  @return SB_ERR_LIMIT: too many states; SB_ERR_USAGE, naming the element */
sb_status sb_network_check_linear(const sb_network *network, bool rests, sb_error *err);

/** Gives a failure that concerns the model as a whole the model's place; names that the caller asked for have none. */
void sb_analysis_place(const sb_network *network, sb_error *err);

/** An entry of a matrix of l with all its digits. @param rest  as of l->rest */
static inline sb_extended sb_linear_entry(const double m[], const double rest[], int i) {
  const sb_extended value = m[i];
  return rest != NULL ? value + rest[i] : value;
}

/** Takes the arrays for l's numbers of states, inputs, outputs and ports, and its order; zero.
 *  memory->failed: out of memory */
void sb_linear_allocate(sb_linear *l, sb_arena *memory);

/** The descriptor system of a model with constraints about p->x, where p was evaluated last. On entry
 *  l->x and l->xdot hold all states of the model; all arrays of l become those of the result.
 *  @param input_of  (components of all instances) number of the input, from 1
 *  @param manifold  where storages let their states be
 *  @return as sb_linearize() */
sb_status sb_descriptor_linearise(sb_operating_point *p, sb_linear *l, const int input_of[],
                                  const struct sb_manifold *manifold, sb_arena *memory,
                                  sb_error *err);

/** At p->x, where p is held: refuses a jump, and a kink whose sides have different derivatives, in the rates and outputs as functions
 *  of the states and inputs; else p is held on one side of what is smooth for all that, as abs(v)*v.
 *  @param inputs  (input_count) amounts of p
 *  @return SB_ERR_USAGE, naming the element, SB_ERR_MEMORY */
sb_status sb_kinks_refuse(sb_operating_point *p, double *const inputs[], int input_count,
                          sb_error *err);

/** Of a model that is held (held.c): X, what it makes of B and D, and what outputs follow of the rates of the sources.
 *  @param l        about l->x, A to D by differences over all states  @param amounts  of p, one for each input
 *  @return SB_ERR_MEMORY, SB_ERR_NOT_FINITE */
sb_status sb_held_complete(sb_operating_point *p, sb_linear *l, double *const amounts[],
                           sb_arena *memory, sb_error *err);

/** A and C about l->x, E where there is one, and B and D; it moves p->x.
 *  @param inputs  amounts of p, one for each of l's inputs; NULL: B and D are left as they are
 *  @param exact   the model and the outputs are linear: no differences are taken
 *  @return SB_ERR_MEMORY, SB_ERR_NOT_FINITE */
sb_status sb_operating_point_differentiate(sb_operating_point *p, sb_linear *l,
                                           double *const inputs[], bool exact, sb_error *err);

/** Moves l->x to xdot = 0 in the present modes, with A and C for its scratch: by Newton's iteration, damped, from where it is; else, or
 *  first, along implicit Euler steps of growing length, which lose energy and so come to a state that is stable.
 *  @param relax  by these first
 *  @return SB_ERR_MEMORY, SB_ERR_NOT_FINITE; SB_ERR_SOLVER: no equilibrium found, what is left is named */
sb_status sb_operating_point_rest(sb_operating_point *p, sb_linear *l, bool relax, sb_error *err);
/** Moves p->x along x(h), one implicit Euler step of length h from l->x, to just behind where `reached` is first true at p->x.
 *  @param found  out: whether it is anywhere  @return SB_ERR_MEMORY */
sb_status sb_operating_point_depart(sb_operating_point *p, sb_linear *l, bool (*reached)(void *),
                                    void *context, bool *found, sb_error *err);
/** The same as sb_operating_point_rest(), in modes that the state does not contradict: those that an event on the way would have
 *  changed are changed, p->changed (equilibrium_modes.c).
 *  @return also SB_ERR_SOLVER: there are no such modes, an element is named */
sb_status sb_operating_point_settle(sb_operating_point *p, sb_linear *l, bool relax, sb_error *err);

#endif
