// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a tree and looks whether M can be inverted at all, by doing so in a position that is special for no tree.
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "mechanism/recursion.h"
#include "mechanism/recursion_private.h"

/** Of the inertia with all other joints held: what is less against a joint while they give way is rounding. */
static const double singular = 1e-12;

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

/** Whether something that the joint moves has inertia against each of its velocities, all others giving way. */
static bool is_regular(const tree_link *l, const link_state *s) {
  if (l->line) {
    const double unit = 1;
    const sb_wrench whole = composite_momentum(&s->carried, link_span(l, s, &unit));
    return 1 / s->factor.line.inverse > singular * link_project(l, s, whole).x;
  }
  const sym3 whole = l->turns ? s->carried.J : s->carried.M, left = s->factor.triad.inverse;
  return 1 / left.xx > singular * whole.xx && 1 / left.yy > singular * whole.yy &&
         1 / left.zz > singular * whole.zz;
}

/** The first link from the leaves, or -1, that nothing moves: M is singular wherever the tree is. */
static int find_massless(const sb_tree *tree, double q[], double p[], double scratch[]) {
  const int size = sb_tree_scratch(tree);
  for (int i = 0; i < size; i++) {
    scratch[i] = NAN;
  }
  memset(p, 0, (size_t)tree->velocities * sizeof *p);
  generic_coordinates(tree, q);
  sb_tree_place(tree, q, scratch);
  (void)sb_tree_solve(tree, p, scratch, NULL);
  tree_composite(tree, states(scratch));
  int i = tree->links - 1;
  while (i >= 0 && is_regular(&tree->link[i], &const_states(scratch)[i])) {
    i--;
  }
  return i;
}

static sb_status check_regular(const sb_tree *tree, const sb_tree_body bodies[], int *faulty,
                               sb_error *err) {
  double *work =
      sb_zeroed(sb_tree_scratch(tree) + tree->coordinates + tree->velocities, sizeof *work);
  if (work == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  double *q = work + sb_tree_scratch(tree);
  const int found = find_massless(tree, q, q + tree->coordinates, work);
  free(work);
  if (found < 0) {
    return SB_OK;
  }
  const tree_link *l = &tree->link[found];
  *faulty = l->body;
  return sb_fail(err, SB_ERR_SINGULAR,
                 l->turns ? "zero mass at a leaf: nothing that the joint of '%s' turns has inertia "
                            "against that"
                          : "zero mass at a leaf: nothing that the joint of '%s' shifts has mass",
                 bodies[l->body].name);
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
