// SPDX-License-Identifier: GPL-3.0-or-later
// An algebraic loop while it is solved, shared by newton.c, branches.c, tears.c and searches.c.
#ifndef SB_CORE_NEWTON_PRIVATE_H
#define SB_CORE_NEWTON_PRIVATE_H

#include "core/loop/loop.h"

typedef struct sb_newton {
  const sb_network *network;
  sb_workspace *work;
  const sb_loop *loop;
  int index;                   // of the loop
  const sb_loop_hook *hooks;   // (loop->count)
  const int *inputs, *outputs; // values; input -1 - value: an output itself
  const double *a;             // (inputs x m)
  int m;
  bool scalar; // hook k is a law of one input and one output, both the k-th
  double t;
  const double *x;
  double b[SB_LOOP_INPUTS_MAX];
} sb_newton;

/** The output of the k-th law of a scalar loop; not-a-number where it has none. */
double sb_newton_law(const sb_newton *n, int k, double in);
/** Newton's method from y. @param u  out: what the hooks read there
 *  @return false if it ends without a solution */
bool sb_newton_solve(const sb_newton *n, double y[], double u[]);
/** Whether small changes of the outputs y can be told from each other: false where any would do. */
bool sb_newton_regular(const sb_newton *n, const double y[], double u[]);
/** The output that is most off. @param said  out: what its hook gives; not-a-number: nothing */
int sb_newton_worst(const sb_newton *n, const double y[], double *said);

/** The hook of an output. */
int sb_newton_hook_of(const sb_newton *n, int output);
/** Runs a hook at its inputs u; its outputs are left among the values. */
int sb_newton_run(const sb_newton *n, int hook, const double u[]);

/** Finds a solution where Newton's method from the last one failed; false: work->trouble says why. */
bool sb_branches_find(const sb_newton *n, double y[], double u[]);
/** Whether the solution is the only one, as far as laws that fall somewhere can tell; false:
 *  work->trouble names others. */
bool sb_branches_single(const sb_newton *n, const double y[], double u[]);

/** The same for loops of any hooks (searches.c). */
bool sb_search_find(const sb_newton *n, double y[], double u[]);
bool sb_search_single(const sb_newton *n, const double y[]);

#endif
