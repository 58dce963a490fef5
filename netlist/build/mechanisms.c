// SPDX-License-Identifier: GPL-3.0-or-later
// Which bodies joints connect, and what they become: parts of the storages of their trees. Numbers are filled in later
// (bodies.c, joints.c); other bodies are elements by themselves.
#include "mechanism/mechanism.h"

#include <string.h>

#include "netlist/build/build.h"
#include "netlist/build/mechanisms_private.h"
#include "netlist/build/words_private.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/index.h"
#include "netlist/reader/names.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

enum { WORLD = -1, UNKNOWN = -2 };

static bool is_body(const sb_item *item) {
  return strcmp(item->node->name, "body") == 0;
}

static bool is_joint(const sb_item *item) {
  return strcmp(item->node->name, "joint") == 0;
}

static bool can_carry(const sb_item *item) {
  return is_body(item) || strcmp(item->node->name, "ground") == 0;
}

/** The item of the body that an attribute of a joint names; WORLD; or UNKNOWN, reported.
 *  @param end  out: the item of a ground too */
static int find_body(const sb_build *build, const sb_item *joint, const char *attribute, int *end) {
  sb_reader *reader = build->reader;
  const sb_setting *setting = sb_item_text(reader, joint, attribute);
  char name[SB_PATH_MAX + 1];
  if (setting == NULL || joint->id == NULL) {
    return UNKNOWN; // which has been reported
  }
  if (strcmp(setting->value, "world") == 0) {
    return WORLD;
  }
  if (!sb_full_name(reader, setting, setting->value, strlen(setting->value), name)) {
    return UNKNOWN;
  }
  int index = sb_scope_find(reader, name, strlen(name));
  const sb_item *item = index < 0 ? NULL : &reader->tree.items[index];
  if (item != NULL && item->tag == NULL) {
    return UNKNOWN;
  }
  if (item != NULL && can_carry(item)) {
    *end = index;
    return is_body(item) ? index : WORLD;
  }
  if (item != NULL && item->contested) {
    return UNKNOWN;
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no body '%.80s'", name);
  sb_hint_id(reader, name, strlen(name), can_carry, &err);
  if (err.hint[0] == '\0') {
    sb_error_hint(&err, "a joint has a body, or world, at each end");
  }
  sb_report_value(reader, setting, &err);
  return UNKNOWN;
}

static const sb_joint *find_kind(const sb_reader *reader, const sb_item *item) {
  const sb_setting *setting = sb_item_text(reader, item, "kind");
  const sb_joint *kind = setting == NULL ? NULL : sb_joint_find(setting->value);
  if (setting != NULL && kind == NULL) {
    sb_report_choice(reader, setting, "joint", sb_joints, sizeof *sb_joints);
  }
  return kind;
}

/** Whether a body is given about a frame of its own, which need not be at its centre of mass. */
static bool has_own_frame(const sb_reader *reader, const sb_item *body) {
  int shapes = 0, parts = 0, moved = 0;
  for (int i = body->first_child; i >= 0; i = reader->tree.items[i].next) {
    const sb_item *child = &reader->tree.items[i];
    const bool shape = strcmp(child->node->name, "shape") == 0;
    shapes += shape;
    moved += shape && sb_item_text(reader, child, "at") != NULL;
    parts += strcmp(child->node->name, "mass") == 0 ||
             (shape && (sb_item_text(reader, child, "mass") != NULL ||
                        sb_item_text(reader, child, "density") != NULL));
  }
  return sb_item_text(reader, body, "com") != NULL ||
         sb_item_text(reader, body, "point-mass") != NULL || parts > 0 ||
         (sb_item_text(reader, body, "inertia") == NULL && (shapes > 1 || moved > 0));
}

/** Bodies that are parts of trees: those of joints, with frames, or given about a frame of their own. */
static void mark_bodies(const sb_build *build) {
  const sb_reader *reader = build->reader;
  const sb_item *item = NULL;
  while ((item = sb_next_item(reader, item, "joint")) != NULL) {
    sb_made *made = sb_made_of(build, item);
    int parent = find_body(build, item, "parent", &made->ends[0]),
        child = find_body(build, item, "child", &made->ends[1]);
    made->entry = parent == UNKNOWN || child == UNKNOWN ? -1 : 0;
    for (int end = 0; end < 2; end++) {
      int body = end == 0 ? parent : child;
      if (body >= 0) {
        build->made[body].part = 0;
      }
    }
  }
  while ((item = sb_next_item(reader, item, "frame")) != NULL) {
    build->made[item->parent].part = 0;
  }
  while ((item = sb_next_item(reader, item, "body")) != NULL) {
    if (has_own_frame(reader, item)) {
      sb_made_of(build, item)->part = 0;
    }
  }
}

static int body_number(const sb_build *build, int item) {
  return item <= 0 || build->made[item].part < 0 ? SB_MECHANISM_WORLD : build->made[item].part;
}

/** The joint that a word names; NULL: none, reported. */
static const sb_item *find_joint(const sb_build *build, const sb_setting *setting,
                                 const sb_word *word) {
  const sb_reader *reader = build->reader;
  char name[SB_PATH_MAX + 1];
  if (!sb_full_name(build->reader, setting, word->start, word->length, name)) {
    return NULL;
  }
  int index = sb_scope_find(reader, name, strlen(name));
  const sb_item *item = index < 0 ? NULL : &reader->tree.items[index];
  if (item != NULL && (item->tag == NULL || is_joint(item))) {
    return item->tag != NULL && sb_made_of(build, item)->joint != NULL ? item : NULL;
  }
  if (item != NULL && item->contested) {
    return NULL;
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no joint '%.80s'", name);
  sb_hint_id(build->reader, name, strlen(name), is_joint, &err);
  err.column = word->column;
  sb_report_value(reader, setting, &err);
  return NULL;
}

/** A coupling with the joints that it names. @return false: out of memory */
static bool add_coupling(const sb_build *build, const sb_item *item, sb_mechanism *m) {
  const sb_setting *joints = sb_item_text(build->reader, item, "joints");
  sb_mechanism_coupling c = {0};
  sb_word word = {0};
  sb_error err;
  if (joints == NULL || item->id == NULL) {
    return true; // which has been reported
  }
  while (sb_next_word(joints->value, &word)) {
    const sb_item *joint = find_joint(build, joints, &word);
    if (joint == NULL) {
      return true;
    }
    if (c.count == SB_MECHANISM_COUPLED) {
      (void)sb_fail(&err, SB_ERR_LIMIT, "more than %d joints in one coupling",
                    SB_MECHANISM_COUPLED);
      err.column = word.column;
      sb_report_value(build->reader, joints, &err);
      return true;
    }
    const int number = sb_made_of(build, joint)->part;
    for (int k = 0; k < c.count; k++) {
      if (c.joints[k] == number) {
        (void)sb_fail(&err, SB_ERR_DUPLICATE, "'%.80s' is named twice", joint->id);
        err.column = word.column;
        sb_report_value(build->reader, joints, &err);
        return true;
      }
    }
    c.joints[c.count++] = number;
  }
  sb_mechanism_coupling *own = sb_mechanism_add_coupling(m, item->id);
  if (own == NULL) {
    return false;
  }
  c.id = own->id;
  *own = c;
  sb_made_of(build, item)->coupling = own;
  return true;
}

/** Bodies, joints, frames and couplings, without their numbers. */
static bool add_parts(const sb_build *build, sb_mechanism *m) {
  const sb_reader *reader = build->reader;
  const sb_item *item = NULL;
  int bodies = 0, joints = 0;
  bool good = true;
  while ((item = sb_next_item(reader, item, "body")) != NULL) {
    sb_made *made = sb_made_of(build, item);
    if (made->part >= 0 && item->id != NULL) {
      made->part = bodies++;
      made->body = sb_mechanism_add_body(m, item->id);
      good = good && made->body != NULL;
    }
  }
  while ((item = sb_next_item(reader, item, "joint")) != NULL) {
    sb_made *made = sb_made_of(build, item);
    const sb_joint *kind = find_kind(reader, item);
    bool known = made->entry >= 0 && kind != NULL;
    made->entry = -1;
    if (known) {
      made->part = joints++;
      made->joint = sb_mechanism_add_joint(m, item->id, kind, body_number(build, made->ends[0]),
                                           body_number(build, made->ends[1]));
      good = good && made->joint != NULL;
      (void)(made->joint != NULL && sb_read_flag(build, item, "cut", &made->joint->cut));
    }
  }
  while ((item = sb_next_item(reader, item, "frame")) != NULL) {
    sb_made *made = sb_made_of(build, item);
    if (item->id != NULL && build->made[item->parent].body != NULL) {
      made->part = 0;
      made->frame = sb_mechanism_add_frame(m, item->id, build->made[item->parent].part);
      good = good && made->frame != NULL;
    }
  }
  while ((item = sb_next_item(reader, item, "coupling")) != NULL) {
    good = add_coupling(build, item, m) && good;
  }
  return good;
}

const sb_item *sb_find_mechanism(const sb_reader *reader) {
  const sb_item *item = NULL, *first = sb_next_item(reader, NULL, "mechanism");
  while ((item = sb_next_item(reader, item, "mechanism")) != NULL) {
    if (item->parent == 0) {
      return item;
    }
  }
  return first;
}

const sb_item *sb_find_faulty(const sb_build *build, const char *id) {
  static const char *const tags[] = {"joint", "coupling", "body"};
  const sb_item *item = NULL;
  for (int k = 0; k < 3 && id != NULL; k++) {
    while ((item = sb_next_item(build->reader, item, tags[k])) != NULL) {
      if (item->id != NULL && strcmp(item->id, id) == 0) {
        return item;
      }
    }
  }
  return sb_find_mechanism(build->reader);
}

/** Without memory the graph may not hold the mechanism: nothing more is filled into its parts. */
static void forget_parts(const sb_build *build) {
  for (int i = 0; i < build->reader->tree.item_count; i++) {
    sb_made *made = &build->made[i];
    made->body = NULL;
    made->joint = NULL;
    made->frame = NULL;
    made->coupling = NULL;
    made->mechanism = NULL;
  }
}

void sb_build_mechanisms(const sb_build *build) {
  sb_reader *reader = build->reader;
  const sb_item *whole = sb_find_mechanism(reader);
  sb_mechanism *m = NULL;
  sb_error err = {0};
  const char *faulty = NULL;
  mark_bodies(build);
  if (whole == NULL) {
    return;
  }
  if (sb_mechanism_create((sb_vec3){0, 0, 0}, &m, &err) != SB_OK || !add_parts(build, m)) {
    forget_parts(build);
    sb_mechanism_release(m);
    sb_report_memory(reader);
    return;
  }
  sb_graph_place(build->graph, reader->scopes.list[whole->scope].file, whole->node->line,
                 whole->node->column);
  sb_made_of(build, whole)->mechanism = m;
  sb_list_readings(build, m);
  sb_find_wanted(build);
  if (sb_mechanism_build(m, build->graph, &faulty, &err) != SB_OK) {
    sb_report_item(reader, sb_find_faulty(build, faulty), &err);
  }
  if (err.status == SB_ERR_MEMORY) {
    forget_parts(build);
  }
  sb_mechanism_release(m); // the graph has its share
}
