// SPDX-License-Identifier: GPL-3.0-or-later
// Elements at places of bodies: <Line>, <Axis>, <Slide> and <Bushing> between two of them, <Wrench> on one. A place is a body,
// a ground, a frame or the world; a frame's port is that of its body, its pose its own.
#include <stdio.h>
#include <string.h>

#include "core/graph/graph_data.h"
#include "elements/bushing.h"
#include "elements/elements.h"
#include "geometry/quat.h"
#include "mechanism/mechanism.h"
#include "netlist/build/build.h"
#include "netlist/build/mechanisms_private.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/index.h"
#include "netlist/reader/names.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

static const char world[] = "world";

/** Where an element acts: ids of the graph. */
typedef struct place {
  const char *body, *frame; // NULL: unknown, reported
} place;

static bool is_place(const sb_item *item) {
  const char *name = item->node->name;
  return strcmp(name, "body") == 0 || strcmp(name, "ground") == 0 || strcmp(name, "frame") == 0;
}

/** The world is a ground of that name, which is there once it is named. */
static place place_world(const sb_build *build) {
  sb_error err = {0};
  if (!sb_graph_knows(build->graph, world) &&
      sb_graph_add(build->graph, &sb_kind_ground, world, NULL, &err) != SB_OK) {
    sb_report_memory(build->reader);
    return (place){0};
  }
  return (place){world, world};
}

static place place_item(const sb_build *build, const sb_item *item) {
  const bool frame = strcmp(item->node->name, "frame") == 0;
  const sb_item *body = frame ? &build->reader->tree.items[item->parent] : item;
  const bool known = body->id != NULL && item->id != NULL &&
                     sb_graph_knows(build->graph, body->id) &&
                     (!frame || sb_made_of(build, item)->frame != NULL);
  return known ? (place){body->id, item->id} : (place){0};
}

static place find_place(const sb_build *build, const sb_setting *setting) {
  sb_reader *reader = build->reader;
  char name[SB_PATH_MAX + 1];
  if (setting == NULL ||
      !sb_full_name(reader, setting, setting->value, strlen(setting->value), name)) {
    return (place){0};
  }
  int index = sb_scope_find(reader, name, strlen(name));
  const sb_item *item = index < 0 ? NULL : &reader->tree.items[index];
  if (item != NULL && (item->tag == NULL || is_place(item))) {
    return item->tag == NULL ? (place){0} : place_item(build, item);
  }
  if (item == NULL && strcmp(setting->value, world) == 0) {
    return place_world(build);
  }
  if (item != NULL && item->contested) {
    return (place){0};
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no body, ground or frame '%.80s'", name);
  sb_hint_id(reader, name, strlen(name), is_place, &err);
  sb_report_value(reader, setting, &err);
  return (place){0};
}

/** Joins a port of the element to a body, and gives it the pose of the place. */
static sb_status attach(const sb_build *build, const char *id, const char *port, const char *signal,
                        place at, sb_error *err) {
  char own[SB_PATH_MAX + 16], pose[SB_PATH_MAX + 16];
  (void)snprintf(own, sizeof own, "%s.%s", id, port);
  SB_TRY(sb_graph_bond(build->graph, own, at.body, err));
  (void)snprintf(own, sizeof own, "%s.%s", id, signal);
  (void)snprintf(pose, sizeof pose, "%s.pose", at.frame);
  return sb_graph_wire(build->graph, pose, own, err);
}

/** The pose of a place at the start. */
static sb_status start_pose(const sb_build *build, place at, sb_pose *pose, sb_error *err) {
  bool part;
  const sb_element *element = sb_graph_resolve(build->graph, at.body, strlen(at.body), &part);
  const sb_item *whole = sb_find_mechanism(build->reader);
  const sb_param *rows = sb_element_type_of(element)->params, *row;
  double x[3], q[4];
  *pose = sb_pose_identity();
  if (part && sb_made_of(build, whole)->mechanism == NULL) { // which has been reported
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  if (part) {
    return sb_mechanism_start_pose(sb_made_of(build, whole)->mechanism, at.frame, pose, err);
  }
  if ((row = sb_param_find(rows, "position")) != NULL) {
    memcpy(x, (const char *)element->self + row->offset, sizeof x);
    memcpy(q, (const char *)element->self + sb_param_find(rows, "rotation")->offset, sizeof q);
    *pose = (sb_pose){sb_quat_rotation(sb_quat_load(q)), sb_vec3_load(x)};
  }
  return SB_OK;
}

static sb_status complete(const sb_build *build, const sb_item *item, const place ends[2],
                          sb_error *err) {
  sb_pose pose[2];
  if (item->type != &sb_kind_Bushing || build->reader->errors->count > 0) {
    return SB_OK;
  }
  for (int i = 0; i < 2; i++) {
    SB_TRY(start_pose(build, ends[i], &pose[i], err));
  }
  return sb_bushing_complete(build->graph, sb_made_of(build, item)->element,
                             sb_pose_compose(sb_pose_inverse(pose[0]), pose[1]), err);
}

/** @return false: an error, reported */
static bool build_between(const sb_build *build, const sb_item *item) {
  const sb_reader *reader = build->reader;
  const sb_setting *to = sb_item_text(reader, item, "to");
  const place ends[2] = {find_place(build, sb_item_text(reader, item, "from")),
                         find_place(build, to)};
  sb_error err = {0};
  if (ends[0].body == NULL || ends[1].body == NULL) {
    return false;
  }
  if (strcmp(ends[0].body, ends[1].body) == 0) {
    (void)sb_fail(&err, SB_ERR_REFERENCE, "both ends of '%.80s' are fixed in '%.80s'", item->id,
                  ends[0].body);
    sb_report_value(reader, to, &err);
  } else if (attach(build, item->id, "body1", "pose1", ends[0], &err) != SB_OK ||
             attach(build, item->id, "body2", "pose2", ends[1], &err) != SB_OK ||
             complete(build, item, ends, &err) != SB_OK) {
    sb_report_item(reader, item, &err);
  }
  return err.status == SB_OK;
}

static bool build_on(const sb_build *build, const sb_item *item) {
  const place at = find_place(build, sb_item_text(build->reader, item, "on"));
  sb_error err = {0};
  if (at.body != NULL && attach(build, item->id, "body", "pose", at, &err) != SB_OK) {
    sb_report_item(build->reader, item, &err);
  }
  return at.body != NULL && err.status == SB_OK;
}

void sb_build_between(const sb_build *build) {
  const sb_reader *reader = build->reader;
  for (int i = 0; i >= 0; i = sb_walk(reader, i)) {
    const sb_item *item = &reader->tree.items[i];
    if (build->made[i].element == NULL || item->tag == NULL || item->id == NULL) {
      continue;
    }
    sb_graph_place(build->graph, reader->scopes.list[item->scope].file, item->node->line,
                   item->node->column);
    bool good = true;
    if (sb_schema_attribute(item->tag, "on") != NULL) {
      good = build_on(build, item);
    } else if (sb_schema_attribute(item->tag, "to") != NULL) {
      good = build_between(build, item);
    }
    build->made[i].element->failed = build->made[i].element->failed || !good;
  }
}
