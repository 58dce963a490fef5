// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of joints and frames, and what stands at the ports of joints: <joint damping="..."> is a dissipation
// JOINT/damping there, limits are a stop JOINT/limits, and a locked joint has a source of zero flow, JOINT/lock.
#include <stdio.h>
#include <string.h>

#include "elements/elements.h"
#include "geometry/quat.h"
#include "mechanism/mechanism.h"
#include "netlist/build/mechanisms_private.h"
#include "netlist/build/values_private.h"
#include "netlist/build/words_private.h"
#include "netlist/reader/numbers.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"
#include "netlist/value/unit.h"

bool sb_read_list(const sb_build *build, const sb_item *item, const char *name, const char *unit,
                  int max, double values[], int *count) {
  sb_reader *reader = build->reader;
  const sb_setting *setting = sb_item_text(reader, item, name);
  sb_dimension expected;
  double scale;
  sb_error err = {0};
  *count = 0;
  if (setting == NULL) {
    return true;
  }
  if (unit != NULL) {
    (void)sb_unit_parse(unit, strlen(unit), &expected, &scale, &err);
  }
  sb_lookup lookup;
  sb_value_scope scope = sb_lookup_begin(&lookup, reader, setting);
  sb_status status = sb_value_parse(setting->value, unit == NULL ? NULL : &expected, &scope, values,
                                    max, count, NULL, &err);
  return sb_lookup_end(&lookup, status, NULL, &err).known;
}

static bool wrong_count(const sb_build *build, const sb_item *item, const char *name, int wanted,
                        int count) {
  sb_error err;
  (void)sb_fail(&err, SB_ERR_DIMENSION, "%s takes %d number%s, got %d", name, wanted,
                wanted == 1 ? "" : "s", count);
  sb_report_value(build->reader, sb_item_text(build->reader, item, name), &err);
  return false;
}

bool sb_read_vector(const sb_build *build, const sb_item *item, const char *name, const char *unit,
                    sb_vec3 *out) {
  double values[3];
  int count;
  if (!sb_read_list(build, item, name, unit, 3, values, &count)) {
    return false;
  }
  if (count == 0) {
    return true;
  }
  *out = sb_vec3_load(values);
  return count == 3 || wrong_count(build, item, name, 3, count);
}

bool sb_read_turn(const sb_build *build, const sb_item *item, const char *name, sb_mat3 *out) {
  const sb_setting *setting = sb_item_text(build->reader, item, name);
  sb_quat q;
  if (setting == NULL) {
    return true;
  }
  if (!sb_read_attitude(build, setting, &q)) {
    return false;
  }
  *out = sb_quat_rotation(q);
  return true;
}

bool sb_read_flag(const sb_build *build, const sb_item *item, const char *name, bool *out) {
  const sb_setting *setting = sb_item_text(build->reader, item, name);
  *out = setting != NULL && strcmp(setting->value, "yes") == 0;
  if (setting == NULL || *out || strcmp(setting->value, "no") == 0) {
    return true;
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_CHOICE, "%s must be yes or no, not '%.80s'", name, setting->value);
  sb_report_value(build->reader, setting, &err);
  return false;
}

/** Attributes of joints that are numbers for each velocity: those that turn, those that slide, and the only ones. */
typedef struct rate_rows {
  const char *turn, *slide; // names; of a joint that only slides both are taken
  const char *turn_unit, *slide_unit;
} rate_rows;
static const rate_rows coordinate_rows = {"q0", "x0", "rad", "m"},
                       velocity_rows = {"w0", "v0", "rad/s", "m/s"},
                       stiffness_rows = {"stiffness", "slide-stiffness", "N.m/rad", "N/m"},
                       rest_rows = {"rest", "slide-rest", "rad", "m"},
                       damping_rows = {"damping", "slide-damping", "N.m.s/rad", "N.s/m"};

static int count_of(const sb_joint *joint, bool turns) {
  int count = 0;
  for (const sb_joint_step *step = joint->steps; step->primitive != NULL; step++) {
    count += step->primitive->turns == turns ? step->primitive->velocities : 0;
  }
  return count;
}

/** Reads what turns or slides; a joint that only slides may use the name of what turns.
 *  @param values  (SB_JOINT_VELOCITIES) out  @param count  out: 0: not given */
static bool read_some(const sb_build *build, const sb_item *item, const sb_joint *joint,
                      const rate_rows *rows, bool turns, double values[], int *count) {
  int wanted = count_of(joint, turns);
  const char *unit = turns ? rows->turn_unit : rows->slide_unit,
             *name = turns ? rows->turn : rows->slide;
  bool only = count_of(joint, !turns) == 0;
  *count = 0;
  if (wanted == 0) {
    return true;
  }
  if (!turns && only && sb_item_text(build->reader, item, name) == NULL) {
    name = rows->turn;
  }
  return sb_read_list(build, item, name, unit, SB_JOINT_VELOCITIES, values, count) &&
         (*count == 0 || *count == wanted || wrong_count(build, item, name, wanted, *count));
}

/** Reads one of these into the order of the velocities. */
static bool read_rates(const sb_build *build, const sb_item *item, const sb_joint *joint,
                       const rate_rows *rows, double out[]) {
  double turning[SB_JOINT_VELOCITIES] = {0}, sliding[SB_JOINT_VELOCITIES] = {0};
  int turns, slides, t = 0, s = 0, k = 0;
  if (!read_some(build, item, joint, rows, true, turning, &turns) ||
      !read_some(build, item, joint, rows, false, sliding, &slides)) {
    return false;
  }
  for (const sb_joint_step *step = joint->steps; step->primitive != NULL; step++) {
    for (int i = 0; i < step->primitive->velocities; i++) {
      out[k++] = step->primitive->turns ? turning[t++] : sliding[s++];
    }
  }
  return true;
}

/** Coordinates of lines and shifts; the quaternion of a free turn, by "rotation0". */
static bool read_coordinates(const sb_build *build, const sb_item *item,
                             sb_mechanism_joint *joint) {
  double values[SB_JOINT_VELOCITIES] = {0}, *q = joint->q;
  sb_mat3 turn = sb_mat3_identity();
  int k = 0;
  if (count_of(joint->kind, true) == 3) { // no three angles tell a free turn
    int slides, s = 0;
    if (!read_some(build, item, joint->kind, &coordinate_rows, false, values, &slides) ||
        !sb_read_turn(build, item, "rotation0", &turn)) {
      return false;
    }
    for (const sb_joint_step *step = joint->kind->steps; step->primitive != NULL; step++) {
      const sb_quat attitude = sb_quat_from_rotation(turn);
      const double numbers[4] = {attitude.w, attitude.x, attitude.y, attitude.z};
      int count = step->primitive->coordinates;
      memcpy(q, step->primitive->turns ? numbers : values + s, (size_t)count * sizeof *q);
      s += step->primitive->turns ? 0 : count;
      q += count;
    }
    return true;
  }
  if (!read_rates(build, item, joint->kind, &coordinate_rows, values)) {
    return false;
  }
  for (const sb_joint_step *step = joint->kind->steps; step->primitive != NULL; step++) {
    for (int i = 0; i < step->primitive->velocities; i++) {
      *q++ = values[k++];
    }
  }
  return true;
}

/** An element at the only port of a joint. */
static sb_status add_at(const sb_build *build, const sb_mechanism_joint *joint, const char *name,
                        const sb_element_type *type, bool source, sb_element **element,
                        sb_error *err) {
  char id[SB_PATH_MAX + 32];
  const bool turns = count_of(joint->kind, true) > 0;
  (void)snprintf(id, sizeof id, "%.220s/%s", joint->id, name);
  SB_TRY(sb_graph_add(build->graph, type, id, element, err));
  SB_TRY(sb_element_set_domain(*element, -1, turns ? "rotation" : "translation", err));
  return source ? sb_graph_bond(build->graph, id, joint->id, err)
                : sb_graph_bond(build->graph, joint->id, id, err);
}

static bool has_one_velocity(const sb_build *build, const sb_item *item,
                             const sb_mechanism_joint *joint, const char *name) {
  if (sb_joint_velocities(joint->kind) == 1) {
    return true;
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "a %s joint has no attribute '%s'", joint->kind->name,
                name);
  sb_error_hint(&err, "joints of one coordinate have it: revolute, prismatic, helical");
  sb_report_value(build->reader, sb_item_text(build->reader, item, name), &err);
  return false;
}

static void add_damping(const sb_build *build, const sb_item *item,
                        const sb_mechanism_joint *joint) {
  double values[SB_JOINT_VELOCITIES];
  int count;
  sb_element *element;
  sb_error err = {0};
  const bool turns = count_of(joint->kind, true) > 0;
  if (sb_item_text(build->reader, item, damping_rows.turn) == NULL ||
      !has_one_velocity(build, item, joint, damping_rows.turn) ||
      !read_some(build, item, joint->kind, &damping_rows, turns, values, &count)) {
    return;
  }
  if (add_at(build, joint, "damping", &sb_kind_R, false, &element, &err) != SB_OK ||
      sb_element_set(element, "r", values, 1, &err) != SB_OK) {
    sb_report_value(build->reader, sb_item_text(build->reader, item, damping_rows.turn), &err);
  }
}

static void add_limits(const sb_build *build, const sb_item *item,
                       const sb_mechanism_joint *joint) {
  const sb_reader *reader = build->reader;
  const char *unit = count_of(joint->kind, true) > 0 ? "rad" : "m";
  double values[2], restitution = 0;
  int count, more;
  sb_element *element;
  sb_error err = {0};
  const sb_setting *setting = sb_item_text(reader, item, "limits");
  if (setting == NULL || !has_one_velocity(build, item, joint, "limits") ||
      !sb_read_list(build, item, "limits", unit, 2, values, &count) ||
      !sb_read_list(build, item, "restitution", "1", 1, &restitution, &more)) {
    return;
  }
  if (count != 2) {
    (void)wrong_count(build, item, "limits", 2, count);
    return;
  }
  if (!(values[0] < values[1])) {
    (void)sb_fail(&err, SB_ERR_RANGE, "the lower limit is not below the upper one");
  } else if (joint->q[0] < values[0] || joint->q[0] > values[1]) {
    (void)sb_fail(&err, SB_ERR_RANGE, "joint '%.80s' starts at %s %s, beyond its limits", joint->id,
                  sb_number_word(joint->q[0]).text, unit);
  } else if (add_at(build, joint, "limits", &sb_kind_Stop, false, &element, &err) == SB_OK &&
             sb_element_set(element, "lower", &values[0], 1, &err) == SB_OK &&
             sb_element_set(element, "upper", &values[1], 1, &err) == SB_OK &&
             sb_element_set(element, "x0", joint->q, 1, &err) == SB_OK) {
    (void)sb_element_set(element, "restitution", &restitution, 1, &err);
  }
  if (err.status != SB_OK) {
    sb_report_value(reader, setting, &err);
  }
}

static void add_lock(const sb_build *build, const sb_item *item, const sb_mechanism_joint *joint) {
  bool locked;
  sb_element *element;
  const double zero = 0;
  sb_error err = {0};
  if (!sb_read_flag(build, item, "locked", &locked) || !locked ||
      !has_one_velocity(build, item, joint, "locked")) {
    return;
  }
  if (add_at(build, joint, "lock", &sb_kind_Sf, true, &element, &err) != SB_OK ||
      sb_element_set(element, "flow", &zero, 1, &err) != SB_OK) {
    sb_report_item(build->reader, item, &err);
  }
}

/** Whether an item has one of several attributes, named with blanks between. */
static bool has_any(const sb_build *build, const sb_item *item, const char *names) {
  sb_word word = {0};
  bool any = false;
  while (sb_next_word(names, &word)) {
    char name[32];
    (void)snprintf(name, sizeof name, "%.*s", (int)word.length, word.start);
    any = any || sb_item_text(build->reader, item, name) != NULL;
  }
  return any;
}

/** A joint that closes a loop has no coordinate of its own, for what stands there. */
static bool check_closing(const sb_build *build, const sb_item *item,
                          const sb_mechanism_joint *joint) {
  static const char *const names[] = {
      "q0",         "x0",      "rotation0", "w0",     "v0", "rest", "stiffness", "slide-stiffness",
      "slide-rest", "damping", "limits",    "locked", NULL};
  for (const char *const *name = names; *name != NULL; name++) {
    const sb_setting *setting = sb_item_own(build->reader, item, *name);
    sb_error err;
    if (setting != NULL && joint->closes) {
      (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "joint '%.80s' closes a loop and takes no '%s'",
                    joint->id, *name);
      sb_error_hint(&err,
                    "another joint carries its child already: what is stated first carries it");
      sb_report_value(build->reader, setting, &err);
      return false;
    }
  }
  return true;
}

static void build_joint(const sb_build *build, const sb_item *item, sb_mechanism_joint *joint) {
  int count;
  sb_mat3 turned = sb_mat3_identity();
  if (!check_closing(build, item, joint)) {
    return;
  }
  (void)sb_read_vector(build, item, "at", "m", &joint->in_parent.position);
  (void)sb_read_vector(build, item, "child-at", "m", &joint->in_child.position);
  (void)sb_read_vector(build, item, "axis", "1", &joint->axis);
  (void)sb_read_vector(build, item, "axis2", "1", &joint->second);
  (void)sb_read_list(build, item, "pitch", "m/rad", 1, &joint->pitch, &count);
  if (sb_read_turn(build, item, "rotation",
                   &turned)) { // the child stands turned at the joint's zero
    joint->in_child.rotation = sb_mat3_transpose(turned);
  }
  joint->q_given = has_any(build, item, "q0 x0 rotation0");
  joint->v_given = has_any(build, item, "w0 v0");
  (void)read_coordinates(build, item, joint);
  (void)read_rates(build, item, joint->kind, &velocity_rows, joint->v);
  (void)read_rates(build, item, joint->kind, &stiffness_rows, joint->stiffness);
  (void)read_rates(build, item, joint->kind, &rest_rows, joint->rest);
  if (sb_graph_knows(build->graph, joint->id) && !joint->closes) {
    add_damping(build, item, joint);
    add_limits(build, item, joint);
    add_lock(build, item, joint);
  }
}

/** Ratios, as many as joints, and the value that is kept, in SI. */
static void build_coupling(const sb_build *build, const sb_item *item,
                           sb_mechanism_coupling *coupling) {
  int count, one;
  (void)sb_read_list(build, item, "value", NULL, 1, &coupling->value, &one);
  if (sb_read_list(build, item, "ratios", NULL, SB_MECHANISM_COUPLED, coupling->ratios, &count) &&
      count != coupling->count) {
    (void)wrong_count(build, item, "ratios", coupling->count, count);
  }
}

void sb_build_joints(const sb_build *build) {
  const sb_reader *reader = build->reader;
  const sb_item *item = NULL;
  while ((item = sb_next_item(reader, item, "joint")) != NULL) {
    if (sb_made_of(build, item)->joint != NULL) {
      sb_graph_place(build->graph, reader->scopes.list[item->scope].file, item->node->line,
                     item->node->column);
      build_joint(build, item, sb_made_of(build, item)->joint);
    }
  }
  while ((item = sb_next_item(reader, item, "coupling")) != NULL) {
    if (sb_made_of(build, item)->coupling != NULL) {
      build_coupling(build, item, sb_made_of(build, item)->coupling);
    }
  }
  while ((item = sb_next_item(reader, item, "frame")) != NULL) {
    sb_mechanism_frame *frame = sb_made_of(build, item)->frame;
    if (frame != NULL) {
      (void)sb_read_vector(build, item, "at", "m", &frame->in_body.position);
      (void)sb_read_turn(build, item, "rotation", &frame->in_body.rotation);
    }
  }
}
