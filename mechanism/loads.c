// SPDX-License-Identifier: GPL-3.0-or-later
#include "mechanism/loads.h"

#include "mechanism/recursion_private.h"

void sb_tree_generalised(const sb_tree *tree, const double tau[], const sb_wrench wrenches[],
                         double scratch[], double out[]) {
  link_state *s = states(scratch);
  for (int i = tree->links - 1; i >= 0; i--) {
    const tree_link *l = &tree->link[i];
    sb_wrench load = link_outer(tree, l, &s[i], wrenches);
    if (!l->leaf) {
      load = sb_wrench_add(load, s[i].load);
    }
    sb_vec3 effort = link_project(l, &s[i], load);
    if (tau != NULL) {
      effort = sb_vec3_add(effort, load_velocities(l, tau));
    }
    store_velocities(l, effort, out);
    if (l->parent >= 0) {
      hand_over(l, &s[l->parent].load, wrench_shift(load, s[i].arm));
    }
  }
}

void sb_tree_diagonal(const sb_tree *tree, double scratch[], double diagonal[]) {
  link_state *s = states(scratch);
  tree_composite(tree, s);
  for (int i = 0; i < tree->links; i++) {
    const tree_link *l = &tree->link[i];
    for (int k = 0; k < link_velocities(l); k++) {
      const double unit[3] = {k == 0, k == 1, k == 2};
      const sb_wrench h = composite_momentum(&s[i].carried, link_span(l, &s[i], unit));
      const sb_vec3 p = link_project(l, &s[i], h);
      diagonal[l->velocity + k] = k == 0 ? p.x : k == 1 ? p.y : p.z;
    }
  }
}
