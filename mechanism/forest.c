// SPDX-License-Identifier: GPL-3.0-or-later
// Which joint carries which body: a spanning forest of the graph of bodies and joints, from the world and the bodies that no
// joint has as its child. The joints that it leaves out close loops.
#include "mechanism/mechanism_private.h"

static bool make_forest(sb_mechanism *m, sb_forest *f) {
  int **lists[] = {&f->carrier, &f->root, &f->depth, &f->place};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    *lists[i] = sb_arena_zeroed(&m->memory, m->body_count, sizeof(int));
  }
  for (int i = 0; i < m->body_count && !m->memory.failed; i++) {
    f->carrier[i] = f->root[i] = -1;
  }
  return !m->memory.failed;
}

/** Whether joint i should rather carry its child than joint k: its coordinates are asked for, else it is stated first. */
static bool is_before(const sb_mechanism *m, int i, int k) {
  const bool own = m->joints[i]->wanted, other = m->joints[k]->wanted;
  return own == other ? i < k : own;
}

static bool can_carry(const sb_mechanism *m, const sb_forest *f, const bool placed[], int joint) {
  const int parent = m->joints[joint]->parent, child = m->joints[joint]->child;
  return child >= 0 && !m->joints[joint]->cut && !placed[child] && f->carrier[child] < 0 &&
         (parent < 0 || placed[parent]);
}

/** The joint that carries a body next, of those whose parent has its place: one that is the best of all for its child, else
 *  the best of these. -1: none. */
static int next_carrier(const sb_mechanism *m, const sb_forest *f, const bool placed[],
                        const int best[], int *from) {
  int found = -1;
  for (int n = 0; n < m->joint_count; n++) { // a chain that is told in its order takes one pass
    const int i = (*from + n) % m->joint_count;
    if (can_carry(m, f, placed, i)) {
      if (best[m->joints[i]->child] == i) {
        *from = i + 1;
        return i;
      }
      found = found < 0 || is_before(m, i, found) ? i : found;
    }
  }
  return found;
}

/** What a cut joint has as its child another one carries. @param best  (bodies) the joint that may; -1: none */
static sb_status check_cuts(const sb_mechanism *m, const int best[], const char **faulty,
                            sb_error *err) {
  for (int i = 0; i < m->joint_count; i++) {
    const sb_mechanism_joint *joint = m->joints[i];
    if (joint->cut && joint->child >= 0 && best[joint->child] < 0) {
      *faulty = joint->id;
      (void)sb_fail(err, SB_ERR_STRUCTURE,
                    "joint '%.80s' is cut, and no other joint carries its child '%.80s'", joint->id,
                    m->bodies[joint->child]->id);
      sb_error_hint(err,
                    "only a joint that closes a loop can be cut: the body is reached by another "
                    "joint, whose child it is");
      return SB_ERR_STRUCTURE;
    }
  }
  return SB_OK;
}

/** A spanning tree from the world and the bodies that no joint has as its child. What it leaves out closes loops: it depends on
 *  the order of the joints only where these are alike. */
static sb_status find_carriers(sb_mechanism *m, const sb_forest *f, const char **faulty,
                               sb_error *err) {
  bool *placed = sb_arena_zeroed(&m->memory, m->body_count, sizeof *placed);
  int *best = sb_arena_zeroed(&m->memory, m->body_count, sizeof *best), from = 0;
  for (int k = 0; k < m->body_count && !m->memory.failed; k++) {
    best[k] = -1;
  }
  for (int i = 0; i < m->joint_count && !m->memory.failed; i++) {
    const sb_mechanism_joint *joint = m->joints[i];
    *faulty = joint->id;
    if (joint->child == joint->parent) {
      return sb_fail(err, SB_ERR_REFERENCE, "joint '%.80s' joins %s with itself", joint->id,
                     joint->child < 0 ? "the world" : "a body");
    }
    if (joint->child >= 0 && !joint->cut &&
        (best[joint->child] < 0 || is_before(m, i, best[joint->child]))) {
      best[joint->child] = i;
    }
  }
  if (m->memory.failed) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  SB_TRY(check_cuts(m, best, faulty, err));
  for (int k = 0; k < m->body_count; k++) {
    placed[k] = best[k] < 0;
  }
  for (int i = 0; (i = next_carrier(m, f, placed, best, &from)) >= 0;) {
    f->carrier[m->joints[i]->child] = i;
    placed[m->joints[i]->child] = true;
  }
  for (int k = 0; k < m->body_count; k++) { // those that only carry each other
    f->carrier[k] = placed[k] ? f->carrier[k] : best[k];
  }
  return SB_OK;
}

int sb_forest_parent(const sb_mechanism *m, const sb_forest *f, int body) {
  return f->carrier[body] < 0 ? SB_MECHANISM_WORLD : m->joints[f->carrier[body]]->parent;
}

static sb_status find_roots(const sb_mechanism *m, const sb_forest *f, const char **faulty,
                            sb_error *err) {
  for (int i = 0; i < m->body_count; i++) {
    int root = i;
    for (int above = sb_forest_parent(m, f, i); above >= 0; above = sb_forest_parent(m, f, above)) {
      root = above;
      if (++f->depth[i] > m->body_count) {
        *faulty = m->joints[f->carrier[i]]->id;
        (void)sb_fail(err, SB_ERR_STRUCTURE, "joint '%.80s': body '%.80s' carries itself", *faulty,
                      m->bodies[i]->id);
        sb_error_hint(
            err, "a chain of joints from parent to child begins at the world or at a free body; "
                 "one that closes a loop has a child that another joint carries");
        return SB_ERR_STRUCTURE;
      }
    }
    f->root[i] = root;
  }
  return SB_OK;
}

bool sb_forest_closes(const sb_mechanism *m, const sb_forest *f, int joint) {
  int child = m->joints[joint]->child;
  return child < 0 || f->carrier[child] != joint;
}

static void join_two(const sb_mechanism *m, const sb_forest *f, int a, int b) {
  int from = f->root[a] > f->root[b] ? f->root[a] : f->root[b], to = f->root[a] + f->root[b] - from;
  if (m->bodies[from]->names_tree && !m->bodies[to]->names_tree) {
    to = from;
    from = f->root[a] + f->root[b] - to;
  }
  for (int k = 0; k < m->body_count; k++) {
    f->root[k] = f->root[k] == from ? to : f->root[k];
  }
}

/** Couplings are of joints with one velocity that carry a body. */
static sb_status check_couplings(const sb_mechanism *m, const sb_forest *f, const char **faulty,
                                 sb_error *err) {
  for (int i = 0; i < m->coupling_count; i++) {
    const sb_mechanism_coupling *c = m->couplings[i];
    for (int k = 0; k < c->count; k++) {
      const sb_mechanism_joint *joint = m->joints[c->joints[k]];
      *faulty = c->id;
      if (sb_forest_closes(m, f, c->joints[k])) {
        return sb_fail(err, SB_ERR_STRUCTURE,
                       "coupling '%.80s': joint '%.80s' closes a loop and has no coordinate", c->id,
                       joint->id);
      }
      if (sb_joint_velocities(joint->kind) != 1) {
        return sb_fail(err, SB_ERR_DIMENSION,
                       "coupling '%.80s': joint '%.80s' has not one coordinate, but %d rates",
                       c->id, joint->id, sb_joint_velocities(joint->kind));
      }
    }
  }
  return SB_OK;
}

/** Joints that close loops have no coordinate that a signal could read. */
static sb_status check_signals(const sb_mechanism *m, const sb_forest *f, const char **faulty,
                               sb_error *err) {
  for (int i = 0; i < m->signal_count; i++) {
    const sb_mechanism_signal *s = m->signals[i];
    const int joint = s->part == SB_PART_JOINT ? s->number : s->by;
    if (joint >= 0 && !s->measured && sb_forest_closes(m, f, joint)) {
      *faulty = m->joints[joint]->id;
      return sb_fail(err, SB_ERR_STRUCTURE,
                     "the signal '%.80s': joint '%.80s' closes a loop and has no coordinate",
                     s->name, m->joints[joint]->id);
    }
  }
  return SB_OK;
}

/** Trees that a joint or a coupling joins become one. */
static void join_trees(const sb_mechanism *m, const sb_forest *f) {
  for (int i = 0; i < m->joint_count; i++) {
    int a = m->joints[i]->parent, b = m->joints[i]->child;
    if (a < 0 || b < 0 || !sb_forest_closes(m, f, i) || f->root[a] == f->root[b]) {
      continue;
    }
    join_two(m, f, a, b);
  }
  for (int i = 0; i < m->coupling_count; i++) {
    const sb_mechanism_coupling *c = m->couplings[i];
    for (int k = 1; k < c->count; k++) {
      join_two(m, f, m->joints[c->joints[0]]->child, m->joints[c->joints[k]]->child);
    }
  }
}

sb_status sb_forest_find(sb_mechanism *m, sb_forest *f, const char **faulty, sb_error *err) {
  if (!make_forest(m, f)) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  SB_TRY(find_carriers(m, f, faulty, err));
  SB_TRY(find_roots(m, f, faulty, err));
  SB_TRY(check_couplings(m, f, faulty, err));
  SB_TRY(check_signals(m, f, faulty, err));
  join_trees(m, f);
  return SB_OK;
}
