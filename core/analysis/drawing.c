// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/drawing.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/model/model_data.h"
#include "core/program/program.h"

enum { DEPTH_MAX = 64 };

/** Inside quotation marks: DOT knows \" only, its labels backslashes too. */
static void put_escaped(sb_text *t, const char *word) {
  for (const char *c = word; *c != '\0'; c++) {
    if (*c == '"' || *c == '\\') {
      sb_text_put(t, "\\");
    }
    sb_text_put(t, "%c", (unsigned char)*c < ' ' ? ' ' : *c);
  }
}

/** Of every role. */
static const char *const attributes[] = {
    [SB_STORAGE] = "shape=box, style=\"rounded,filled\", fillcolor=\"#cfe2f3\"",
    [SB_DISSIPATION] = "shape=box, style=filled, fillcolor=\"#f8d9c4\"",
    [SB_SOURCE] = "shape=ellipse, style=filled, fillcolor=\"#d9ead3\"",
    [SB_STRUCTURE] = "shape=box, style=\"\"",
    [SB_SIGNAL] = "shape=cds, style=filled, fillcolor=\"#eeeeee\"",
};

/** Bytes of the first segment of an id: up to a '/' that is not in brackets, as that of
 *  contact(m1/tip,floor) is. */
static int segment(const char *id) {
  int depth = 0;
  for (int i = 0; id[i] != '\0'; i++) {
    depth += (id[i] == '(') - (id[i] == ')');
    if (id[i] == '/' && depth <= 0) {
      return i;
    }
  }
  return -1;
}

static void put_node(sb_text *t, const sb_instance *instance, const char *name, int indent) {
  const sb_element_type *type = instance->type;
  bool junction = type->ports != NULL && type->ports[0].name != NULL && type->ports[0].many;
  bool plain = type->structure != NULL && !instance->hooked && instance->mode < 0;
  sb_text_put(t, "%*s\"", indent, "");
  put_escaped(t, instance->id);
  sb_text_put(t, "\" [label=\"");
  put_escaped(t, junction && type->name[0] == 'J' ? type->name + 1 : type->name);
  sb_text_put(t, "\\n");
  put_escaped(t, name);
  sb_text_put(t, "\", %s];\n", plain ? "shape=plaintext" : attributes[type->role]);
}

typedef struct drawing {
  const sb_model *model;
  sb_arena memory;
  sb_text t;
  char *drawn;  // (instances)
  char *parent; // (instances) a composite: the ids of others begin with its id
} drawing;

static void put_level(drawing *d, int first, int length, int depth);

/** A composite: the elements whose ids begin with the first `upto` bytes of that of `first`, of which the
 *  first `length` are those of what it stands in. */
static void put_cluster(drawing *d, int first, int upto, int length, int depth) {
  const sb_network *network = &d->model->network;
  const sb_instance *instance = &network->instances[first];
  char *id = sb_arena_copy(&d->memory, instance->id, (size_t)upto);
  if (id == NULL) {
    return;
  }
  sb_text_put(&d->t, "%*ssubgraph \"cluster ", 2 * depth, "");
  put_escaped(&d->t, id);
  sb_text_put(&d->t, "\" {\n%*slabel=\"", 2 * depth + 2, "");
  put_escaped(&d->t, id + length);
  sb_text_put(&d->t, "\";\n");
  int owner = sb_names_find(&network->names, id, (size_t)upto);
  if (owner >= 0 && !d->drawn[owner]) { // the composite itself
    d->drawn[owner] = 1;
    put_node(&d->t, &network->instances[owner], id + length, 2 * depth + 2);
  }
  for (int k = first; k < network->instance_count; k++) {
    const char *other = network->instances[k].id;
    if (!d->drawn[k] && strncmp(other, id, (size_t)upto) == 0 && other[upto] == '/') {
      put_level(d, k, upto + 1, depth + 1);
    }
  }
  sb_text_put(&d->t, "%*s}\n", 2 * depth, "");
}

/** Elements whose ids begin with those `length` bytes of the id of `first`, and clusters of them. */
static void put_level(drawing *d, int first, int length, int depth) {
  const sb_network *network = &d->model->network;
  for (int i = first; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    if (d->drawn[i] || strncmp(instance->id, network->instances[first].id, (size_t)length) != 0) {
      continue;
    }
    const char *name = instance->id + length;
    int next = segment(name);
    next = next < 0 && d->parent[i] ? (int)strlen(name) : next;
    if (next < 0 || depth == DEPTH_MAX) {
      d->drawn[i] = 1;
      put_node(&d->t, instance, name, 2 * depth);
    } else {
      put_cluster(d, i, length + next, length, depth);
    }
  }
}

static void find_parents(drawing *d) {
  const sb_model *model = d->model;
  for (int i = 0; i < model->network.instance_count; i++) {
    const char *id = model->network.instances[i].id;
    for (int at = segment(id), length = 0; at >= 0; at = segment(id + length)) {
      int owner = sb_names_find(&model->network.names, id, (size_t)(length + at));
      length += at + 1;
      if (owner >= 0) {
        d->parent[owner] = 1;
      }
    }
  }
}

/** An edge whose attributes follow. */
static void put_edge(sb_text *t, const char *from, const char *to) {
  sb_text_put(t, "  \"");
  put_escaped(t, from);
  sb_text_put(t, "\" -> \"");
  put_escaped(t, to);
  sb_text_put(t, "\" [");
}

static void put_bond(sb_text *t, const sb_model *model, const sb_network_bond *bond,
                     bool from_gives) {
  int dim = model->network.instances[bond->from].layout.ports[bond->from_port].dim;
  put_edge(t, model->network.instances[bond->from].id, model->network.instances[bond->to].id);
  sb_text_put(t, "arrowtail=%s, arrowhead=%s", from_gives ? "none" : "tee",
              from_gives ? "teelvee" : "lvee");
  if (dim > 1) {
    sb_text_put(t, ", label=\"%d\", penwidth=2", dim);
  }
  sb_text_put(t, "];\n");
}

/** Whether a value is a signal of an instance, or a quantity of it that is read. */
static bool comes_from(const sb_model *model, int index, int value) {
  const sb_instance *instance = &model->network.instances[index];
  bool wired = value >= instance->signal && value < instance->signal + instance->signal_count;
  for (int i = 0; !wired && i < model->network.sensor_count; i++) {
    wired = model->network.sensors[i].value == value && model->network.sensors[i].instance == index;
  }
  return wired;
}

/** One dashed edge per pair of elements. */
static void put_signals(sb_text *t, const sb_model *model) {
  for (int i = 0; i < model->network.instance_count; i++) {
    const sb_instance *to = &model->network.instances[i];
    for (int k = 0; k < model->network.instance_count && to->wire_count > 0; k++) {
      const sb_instance *from = &model->network.instances[k];
      bool wired = false;
      for (int w = 0; w < to->wire_count; w++) {
        wired = wired || comes_from(model, k, model->network.wires[to->wire + w]);
      }
      if (wired) {
        put_edge(t, from->id, to->id);
        sb_text_put(t, "style=dashed, dir=forward, arrowhead=open, constraint=false];\n");
      }
    }
  }
}

/** Of every bond whether its `from` end gives the effort, in the modes at the start. Of a bond of several
 *  components the first counts. NULL: out of memory */
static const char *find_strokes(const sb_model *model, sb_arena *memory) {
  const sb_network *network = &model->network;
  int *owner = sb_arena_zeroed(memory, sb_known_base(network), sizeof *owner);
  char *effort_from = sb_arena_zeroed(memory, network->bond_count, 1);
  if (owner == NULL || effort_from == NULL ||
      !sb_causality_owners(network, model->start_modes, &model->program->causality, owner)) {
    return NULL;
  }
  for (int i = 0; i < network->bond_count; i++) {
    const sb_network_bond *bond = &network->bonds[i];
    int effort = owner[2 * bond->pair], flow = owner[2 * bond->pair + 1];
    bool known = effort == bond->from || effort == bond->to;
    effort_from[i] = known ? effort == bond->from : flow != bond->from;
  }
  return effort_from;
}

sb_status sb_model_draw(const sb_model *model, char **text, sb_error *err) {
  const sb_network *network = &model->network;
  drawing d = {.model = model};
  d.drawn = sb_arena_zeroed(&d.memory, network->instance_count, 1);
  d.parent = sb_arena_zeroed(&d.memory, network->instance_count, 1);
  const char *from_gives = find_strokes(model, &d.memory);
  if (from_gives != NULL && !d.memory.failed) {
    sb_text_put(&d.t, "digraph \"");
    put_escaped(&d.t, network->name);
    sb_text_put(&d.t, "\" {\n  rankdir=LR;\n  node [fontname=\"sans-serif\"];\n"
                      "  edge [dir=both, fontname=\"sans-serif\"];\n");
    find_parents(&d);
    put_level(&d, 0, 0, 1);
    for (int i = 0; i < network->bond_count; i++) {
      put_bond(&d.t, model, &network->bonds[i], from_gives[i]);
    }
    put_signals(&d.t, model);
    sb_text_put(&d.t, "}\n");
  }
  d.t.failed = d.t.failed || d.memory.failed || from_gives == NULL;
  sb_arena_finish(&d.memory);
  return sb_text_give(&d.t, text, err);
}
