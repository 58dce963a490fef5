// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a tree and looks whether M can be inverted at all, by doing so in a position that is special for no tree.
#include <stdlib.h>

#include "core/base/array.h"
#include "mechanism/recursion.h"
#include "mechanism/recursion_private.h"

/** Of what a link and those that it carries would have against being moved, in any direction, if the joints of these did not
 *  give way: what is less is the rounding of it. */
static const double singular = 1e-13;

/** Coordinates that are special for no tree, shifts of the size of its arms. */
static void generic_coordinates(const sb_tree *tree, double q[]) {
  double size = 0;
  for (int i = 0; i < tree->links; i++) {
    size = fmax(size, sb_vec3_norm(tree->link[i].at));
  }
  for (int i = 0; i < tree->coordinates; i++) {
    q[i] = 0.61803 + 0.7 * sin(2.385 * (i + 1));
  }
  for (int i = 0; i < tree->links; i++) {
    const tree_link *l = &tree->link[i];
    for (int k = 0; k < link_velocities(l) && !l->turns && size > 0; k++) {
      q[l->coordinate + k] *= size;
    }
  }
}

/** Each link with those that it carries directly as one body, these with what gives way behind them, to `held`. Needs what
 *  sb_tree_solve() has handed over. */
static void hold_one_joint(const sb_tree *tree, const link_state s[], articulated held[]) {
  for (int i = tree->links - 1; i >= 0; i--) {
    const tree_link *l = &tree->link[i];
    const articulated own = articulated_rigid(l->mass, s[i].first, s[i].second);
    held[i] = articulated_add(held[i], own);
    if (l->parent >= 0) {
      const articulated all = l->leaf ? own : articulated_add(own, s[i].carried);
      held[l->parent] = articulated_add(held[l->parent], articulated_shift(all, s[i].arm));
    }
  }
}

static double trace(sym3 a) {
  return a.xx + a.yy + a.zz;
}

/** Whether something that the joint moves has inertia against each of its velocities, all others giving way. */
static bool is_regular(const tree_link *l, const factor *f, const articulated *held) {
  if (l->line) {
    const double whole = (l->turns ? trace(held->J) : 0) + l->advance * l->advance * trace(held->M);
    return 1 / f->line.inverse > singular * whole;
  }
  const double least = singular * trace(l->turns ? held->J : held->M);
  const sym3_factor *own = &f->triad.own;
  return 1 / sym3_solve(own, (sb_vec3){1, 0, 0}).x > least &&
         1 / sym3_solve(own, (sb_vec3){0, 1, 0}).y > least && 1 / own->iz > least;
}

/** The first link from the leaves, or -1, whose joint moves nothing: M is singular wherever the tree is. */
static int find_massless(const sb_tree *tree, double q[], double p[], double scratch[],
                         articulated held[]) {
  const int size = sb_tree_scratch(tree);
  for (int i = 0; i < size; i++) {
    scratch[i] = NAN; // the factors of links that are not reached
  }
  generic_coordinates(tree, q);
  sb_tree_place(tree, q, scratch);
  (void)sb_tree_solve(tree, p, scratch, NULL);
  const link_state *s = const_states(scratch);
  hold_one_joint(tree, s, held);
  int i = tree->links - 1;
  while (i >= 0 && is_regular(&tree->link[i], &s[i].factor, &held[i])) {
    i--;
  }
  return i;
}

static sb_status report_massless(const tree_link *l, const sb_tree_body *body, sb_error *err) {
  if (l->turns && body->joint == sb_joint_find("free") && body->inertia.mass > 0) {
    (void)sb_fail(err, SB_ERR_SINGULAR,
                  "body '%s' moves freely, and has no inertia against a turn about one of its axes",
                  body->name);
    sb_error_hint(err,
                  "its mass stands on a line or in a point: give it an inertia, or a joint that "
                  "does not turn it there");
    return SB_ERR_SINGULAR;
  }
  (void)sb_fail(err, SB_ERR_SINGULAR,
                l->turns ? "nothing that the joint of '%s' turns has inertia against that"
                         : "nothing that the joint of '%s' shifts has mass",
                body->name);
  sb_error_hint(err,
                "so nothing determines how it moves: give '%.80s', or a body that it carries, %s",
                body->name, l->turns ? "an inertia" : "a mass");
  return SB_ERR_SINGULAR;
}

static sb_status check_regular(const sb_tree *tree, const sb_tree_body bodies[], int *faulty,
                               sb_error *err) {
  const int size = sb_tree_scratch(tree);
  double *work = sb_zeroed(size + tree->coordinates + tree->velocities, sizeof *work);
  articulated *held = sb_zeroed(tree->links, sizeof *held);
  const bool enough = work != NULL && held != NULL;
  int found = -1;
  if (enough) {
    found = find_massless(tree, work + size, work + size + tree->coordinates, work, held);
  }
  free(work);
  free(held);
  if (!enough) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  if (found < 0) {
    return SB_OK;
  }
  *faulty = tree->link[found].body;
  return report_massless(&tree->link[found], &bodies[*faulty], err);
}

sb_status sb_tree_create(const sb_tree_body bodies[], int count, sb_vec3 gravity, sb_tree **tree,
                         int *faulty, sb_error *err) {
  int unused;
  *tree = sb_zeroed(1, sizeof **tree);
  if (*tree == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  (*tree)->gravity = gravity;
  int *place = faulty == NULL ? &unused : faulty;
  sb_status status = tree_compile(*tree, bodies, count, place, err);
  if (status == SB_OK) {
    status = check_regular(*tree, bodies, place, err);
  }
  if (status != SB_OK) {
    sb_tree_destroy(*tree);
    *tree = NULL;
  }
  return status;
}

void sb_tree_destroy(sb_tree *tree) {
  if (tree != NULL) {
    free(tree->body);
    free(tree->order);
    free(tree->link);
    free(tree);
  }
}
