// SPDX-License-Identifier: GPL-3.0-or-later
#include "mechanism/mechanism.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mechanism/mechanism_private.h"

static sb_status out_of_memory(sb_error *err) {
  return sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

sb_status sb_mechanism_create(sb_vec3 gravity, sb_mechanism **mechanism, sb_error *err) {
  *mechanism = calloc(1, sizeof **mechanism);
  if (*mechanism == NULL) {
    return out_of_memory(err);
  }
  atomic_init(&(*mechanism)->shares, 1);
  (*mechanism)->gravity = gravity;
  return SB_OK;
}

void sb_mechanism_release(sb_mechanism *mechanism) {
  if (mechanism == NULL || atomic_fetch_sub(&mechanism->shares, 1) > 1) {
    return;
  }
  for (int i = 0; i < mechanism->linkage_count; i++) {
    sb_closures_destroy(mechanism->linkages[i].closures);
    sb_tree_destroy(mechanism->linkages[i].tree);
  }
  sb_arena_finish(&mechanism->memory);
  free(mechanism);
}

static void retain(void *object) {
  (void)atomic_fetch_add(&((sb_mechanism *)object)->shares, 1);
}

static void release(void *object) {
  sb_mechanism_release(object);
}

void sb_mechanism_set_gravity(sb_mechanism *mechanism, sb_vec3 gravity) {
  mechanism->gravity = gravity;
}

sb_status sb_mechanism_check(sb_mechanism *m, const char **faulty, sb_error *err) {
  *faulty = NULL;
  for (int i = 0; i < m->linkage_count; i++) {
    if (m->linkages[i].tree == NULL) {
      SB_TRY(sb_linkage_compile(&m->linkages[i], faulty, err));
    }
  }
  return SB_OK;
}

/** A zeroed item at the end of a list of pointers; NULL: out of memory. */
static void *add(sb_mechanism *m, void *list, int *count, int *capacity, size_t size) {
  void *item = sb_arena_zeroed(&m->memory, 1, size);
  return item != NULL && sb_arena_append(&m->memory, list, count, capacity, sizeof item, &item)
             ? item
             : NULL;
}

static const char *copy_id(sb_mechanism *m, const char *id) {
  return sb_arena_copy(&m->memory, id, strlen(id));
}

sb_mechanism_body *sb_mechanism_add_body(sb_mechanism *m, const char *id) {
  sb_mechanism_body *body = add(m, &m->bodies, &m->body_count, &m->body_capacity, sizeof *body);
  if (body != NULL) {
    *body = (sb_mechanism_body){.id = copy_id(m, id), .pose = sb_pose_identity()};
  }
  return body == NULL || body->id == NULL ? NULL : body;
}

sb_mechanism_joint *sb_mechanism_add_joint(sb_mechanism *m, const char *id, const sb_joint *kind,
                                           int parent, int child) {
  sb_mechanism_joint *joint =
      add(m, &m->joints, &m->joint_count, &m->joint_capacity, sizeof *joint);
  if (joint != NULL) {
    *joint = (sb_mechanism_joint){.id = copy_id(m, id),
                                  .kind = kind,
                                  .parent = parent,
                                  .child = child,
                                  .in_parent = sb_pose_identity(),
                                  .in_child = sb_pose_identity(),
                                  .axis = {0, 0, 1}};
    sb_joint_rest(kind, joint->q);
  }
  return joint == NULL || joint->id == NULL ? NULL : joint;
}

sb_mechanism_frame *sb_mechanism_add_frame(sb_mechanism *m, const char *id, int body) {
  sb_mechanism_frame *frame =
      add(m, &m->frames, &m->frame_count, &m->frame_capacity, sizeof *frame);
  if (frame != NULL) {
    *frame = (sb_mechanism_frame){copy_id(m, id), body, sb_pose_identity()};
  }
  return frame == NULL || frame->id == NULL ? NULL : frame;
}

sb_mechanism_coupling *sb_mechanism_add_coupling(sb_mechanism *m, const char *id) {
  sb_mechanism_coupling *coupling =
      add(m, &m->couplings, &m->coupling_count, &m->coupling_capacity, sizeof *coupling);
  if (coupling != NULL) {
    coupling->id = copy_id(m, id);
  }
  return coupling == NULL || coupling->id == NULL ? NULL : coupling;
}

/** The bodies of the tree of a root, parents first: by their depth. */
static bool fill_bodies(sb_mechanism *m, const sb_forest *f, int root, sb_linkage *l) {
  int deepest = 0;
  for (int i = 0; i < m->body_count; i++) {
    l->body_count += f->root[i] == root;
    deepest = f->root[i] == root && f->depth[i] > deepest ? f->depth[i] : deepest;
  }
  l->bodies = sb_arena_zeroed(&m->memory, l->body_count, sizeof *l->bodies);
  int *next = sb_arena_zeroed(&m->memory, deepest + 2, sizeof(int)); // where those of a depth begin
  if (m->memory.failed) {
    return false;
  }
  for (int i = 0; i < m->body_count; i++) {
    if (f->root[i] == root) {
      next[f->depth[i] + 1]++;
    }
  }
  for (int d = 0; d < deepest; d++) {
    next[d + 1] += next[d];
  }
  for (int i = 0; i < m->body_count; i++) {
    if (f->root[i] == root) {
      f->place[i] = next[f->depth[i]]++;
      l->bodies[f->place[i]] = (sb_linkage_body){.body = i, .joint = f->carrier[i]};
    }
  }
  for (int k = 0; k < l->body_count; k++) {
    int above = sb_forest_parent(m, f, l->bodies[k].body);
    l->bodies[k].parent = above < 0 ? SB_TREE_WORLD : f->place[above];
  }
  return true;
}

static bool fill_frames(sb_mechanism *m, const sb_forest *f, int root, sb_linkage *l) {
  l->frames = sb_arena_zeroed(&m->memory, m->frame_count, sizeof *l->frames);
  for (int i = 0; i < m->frame_count && !m->memory.failed; i++) {
    int body = m->frames[i]->body;
    if (body >= 0 && f->root[body] == root) {
      l->frames[l->frame_count++] = (sb_linkage_frame){.frame = i, .body = f->place[body]};
    }
  }
  return !m->memory.failed;
}

/** The tree that a joint which closes a loop is in; -1: both its ends are the world. */
static int tree_of(const sb_mechanism *m, const sb_forest *f, int joint) {
  int body = m->joints[joint]->parent >= 0 ? m->joints[joint]->parent : m->joints[joint]->child;
  return body < 0 ? -1 : f->root[body];
}

static bool fill_closures(sb_mechanism *m, const sb_forest *f, int root, sb_linkage *l) {
  l->closing = sb_arena_zeroed(&m->memory, m->joint_count, sizeof(int));
  for (int i = 0; i < m->joint_count && !m->memory.failed; i++) {
    if (sb_forest_closes(m, f, i) && tree_of(m, f, i) == root) {
      l->closing[l->closing_count++] = i;
    }
  }
  l->coupled = sb_arena_zeroed(&m->memory, m->coupling_count, sizeof(int));
  for (int i = 0; i < m->coupling_count && !m->memory.failed; i++) {
    if (m->couplings[i]->count > 0 &&
        f->root[m->joints[m->couplings[i]->joints[0]]->child] == root) {
      l->coupled[l->coupled_count++] = i;
    }
  }
  for (int k = 0; k < l->body_count && !m->memory.failed; k++) {
    m->bodies[l->bodies[k].body]->place = k;
  }
  return !m->memory.failed;
}

static bool make_linkage(sb_mechanism *m, const sb_forest *f, int root) {
  char id[256];
  sb_linkage *l = &m->linkages[m->linkage_count];
  int length = snprintf(id, sizeof id, "tree(%.190s)", m->bodies[root]->id);
  *l = (sb_linkage){.mechanism = m, .id = sb_arena_copy(&m->memory, id, (size_t)length)};
  m->linkage_count += l->id != NULL;
  return l->id != NULL && fill_bodies(m, f, root, l) && fill_frames(m, f, root, l) &&
         fill_closures(m, f, root, l) && sb_linkage_describe(l, &m->memory);
}

static sb_status add_aliases(const sb_linkage *l, sb_graph *graph, sb_element *element,
                             sb_error *err) {
  const sb_mechanism *m = l->mechanism;
  for (int k = 0; k < l->body_count; k++) {
    SB_TRY(sb_graph_alias(graph, m->bodies[l->bodies[k].body]->id, element, err));
    if (l->bodies[k].joint >= 0) {
      SB_TRY(sb_graph_alias(graph, m->joints[l->bodies[k].joint]->id, element, err));
    }
  }
  for (int k = 0; k < l->frame_count; k++) {
    SB_TRY(sb_graph_alias(graph, m->frames[l->frames[k].frame]->id, element, err));
  }
  for (int k = 0; k < l->closing_count; k++) {
    SB_TRY(sb_graph_alias(graph, m->joints[l->closing[k]]->id, element, err));
  }
  return SB_OK;
}

sb_status sb_mechanism_build(sb_mechanism *m, sb_graph *graph, const char **faulty, sb_error *err) {
  sb_forest f;
  const char *none, **fault = faulty == NULL ? &none : faulty;
  *fault = NULL;
  retain(m); // also where it fails: the netlist's later errors are about its parts
  SB_TRY(sb_graph_keep(graph, (sb_kept){m, retain, release}, err));
  m->linkages = sb_arena_zeroed(&m->memory, m->body_count, sizeof *m->linkages);
  if (m->linkages == NULL) {
    return out_of_memory(err);
  }
  SB_TRY(sb_forest_find(m, &f, fault, err));
  for (int i = 0; i < m->joint_count; i++) {
    m->joints[i]->closes = sb_forest_closes(m, &f, i);
  }
  *fault = NULL;
  for (int i = 0; i < m->body_count; i++) {
    if (f.root[i] == i && !make_linkage(m, &f, i)) {
      return out_of_memory(err);
    }
  }
  for (int i = 0; i < m->linkage_count; i++) {
    sb_linkage *l = &m->linkages[i];
    sb_element *element;
    SB_TRY(sb_graph_add(graph, &l->type, l->id, &element, err));
    ((sb_linkage_data *)sb_element_data(element))->linkage = l;
    SB_TRY(add_aliases(l, graph, element, err));
  }
  return SB_OK;
}
