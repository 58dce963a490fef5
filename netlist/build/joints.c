// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of joints, frames and couplings. What stands at the ports of joints is in joint_parts.c.
#include <math.h>
#include <stdio.h>
#include <string.h>

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
  const sb_param row = {.name = name};
  const bool direction = unit != NULL && strcmp(unit, "1") == 0; // has limits of its own
  status = status == SB_OK && !direction ? sb_param_check_size(&row, values, *count, &err) : status;
  return sb_lookup_end(&lookup, status, NULL, &err).known;
}

static bool wrong_count(const sb_build *build, const sb_item *item, const char *name, int wanted,
                        int count) {
  sb_error err;
  (void)sb_fail(&err, SB_ERR_DIMENSION, "%s takes %d number%s, got %d", name, wanted,
                wanted == 1 ? "" : "s", count);
  const sb_setting *setting = sb_item_text(build->reader, item, name);
  if (count < wanted) {
    sb_hint_count(build->reader, setting, &err);
  }
  sb_report_value(build->reader, setting, &err);
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
  bool one; // one number counts for all
} rate_rows;
static const rate_rows coordinate_rows = {"q0", "x0", "rad", "m", false},
                       velocity_rows = {"w0", "v0", "rad/s", "m/s", false},
                       stiffness_rows = {"stiffness", "slide-stiffness", "N.m/rad", "N/m", true},
                       rest_rows = {"rest", "slide-rest", "rad", "m", true};

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
  if (!sb_read_list(build, item, name, unit, SB_JOINT_VELOCITIES, values, count)) {
    return false;
  }
  for (int given = *count; rows->one && given == 1 && *count < wanted;) {
    values[(*count)++] = values[0];
  }
  return (*count == 0 || *count == wanted || wrong_count(build, item, name, wanted, *count));
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

/** By velocities: whether the netlist tells where they start. @param turns, slides  the attributes of either */
static void find_given(const sb_build *build, const sb_item *item, const sb_joint *joint,
                       const char *turns, const char *slides, bool given[]) {
  const bool turn = has_any(build, item, turns), only = count_of(joint, true) == 0,
             slide = has_any(build, item, slides) || (only && turn);
  for (const sb_joint_step *step = joint->steps; step->primitive != NULL; step++) {
    for (int i = 0; i < step->primitive->velocities; i++) {
      *given++ = step->primitive->turns ? turn : slide;
    }
  }
}

/** A joint that closes a loop has no coordinate of its own, for what stands there. */
static bool check_closing(const sb_build *build, const sb_item *item,
                          const sb_mechanism_joint *joint) {
  for (const char *const *name = sb_coordinate_attributes; *name != NULL; name++) {
    const sb_setting *setting = sb_item_own(build->reader, item, *name);
    sb_error err;
    if (setting != NULL && joint->closes) {
      (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "joint '%.80s' closes a loop and takes no '%s'",
                    joint->id, *name);
      sb_error_hint(&err, joint->child < 0
                              ? "its child is the world: let the world be its parent instead"
                              : "the position of its child follows from another joint, which "
                                "carries it");
      sb_report_value(build->reader, setting, &err);
      return false;
    }
  }
  return true;
}

/** A vector that becomes one of length 1. */
static bool read_direction(const sb_build *build, const sb_item *item, const char *name,
                           sb_vec3 *out) {
  if (!sb_read_vector(build, item, name, "1", out) ||
      sb_item_text(build->reader, item, name) == NULL) {
    return false;
  }
  sb_error err;
  if (sb_direction_check(name, (double[]){out->x, out->y, out->z}, 3, &err) == SB_OK) {
    *out = sb_vec3_direction(*out);
    return true;
  }
  sb_report_value(build->reader, sb_item_text(build->reader, item, name), &err);
  return false;
}

/** Springs that push must not be, of an attribute that is there. */
static void check_stiffness(const sb_build *build, const sb_item *item,
                            const sb_mechanism_joint *joint) {
  static const char *const names[] = {"stiffness", "slide-stiffness"};
  bool negative = false;
  for (int i = 0; i < SB_JOINT_VELOCITIES; i++) {
    negative = negative || joint->stiffness[i] < 0;
  }
  for (int i = 0; i < 2 && negative; i++) {
    const sb_setting *setting = sb_item_text(build->reader, item, names[i]);
    if (setting != NULL) {
      sb_error err;
      (void)sb_fail(&err, SB_ERR_RANGE, "%s must not be negative", setting->name);
      sb_report_value(build->reader, setting, &err);
      return;
    }
  }
}

/** The rest of springs that are not there. */
static void check_rest(const sb_build *build, const sb_item *item, const sb_joint *kind) {
  static const char *const names[][2] = {{"rest", "stiffness"}, {"slide-rest", "slide-stiffness"}};
  const bool only_slides = count_of(kind, true) == 0; // both names are of what slides then
  for (int i = 0; i < 2; i++) {
    const sb_setting *setting = sb_item_own(build->reader, item, names[i][0]);
    const bool sprung = sb_item_text(build->reader, item, names[i][1]) != NULL ||
                        (only_slides && sb_item_text(build->reader, item, names[1 - i][1]) != NULL);
    sb_error err;
    if (setting != NULL && !sprung) {
      (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "there is no %s that this belongs to", names[i][1]);
      sb_error_hint(&err, "q0 and x0 are where a joint starts, %s is where its spring is relaxed",
                    names[i][0]);
      sb_report_value(build->reader, setting, &err);
    }
  }
}

static void build_joint(const sb_build *build, const sb_item *item, sb_mechanism_joint *joint) {
  int count;
  sb_mat3 turned = sb_mat3_identity();
  if (!sb_check_joint_attributes(build, item, joint->kind) || !check_closing(build, item, joint)) {
    return;
  }
  (void)sb_read_vector(build, item, "at", "m", &joint->in_parent.position);
  (void)sb_read_vector(build, item, "child-at", "m", &joint->in_child.position);
  (void)read_direction(build, item, "axis", &joint->axis);
  (void)read_direction(build, item, "axis2", &joint->second);
  (void)sb_read_list(build, item, "pitch", "m/rad", 1, &joint->pitch, &count);
  if (sb_read_turn(build, item, "rotation",
                   &turned)) { // the child stands turned at the joint's zero
    joint->in_child.rotation = sb_mat3_transpose(turned);
  }
  find_given(build, item, joint->kind, "q0 rotation0", "x0", joint->q_given);
  find_given(build, item, joint->kind, "w0", "v0", joint->v_given);
  (void)read_coordinates(build, item, joint);
  (void)read_rates(build, item, joint->kind, &velocity_rows, joint->v);
  (void)read_rates(build, item, joint->kind, &stiffness_rows, joint->stiffness);
  (void)read_rates(build, item, joint->kind, &rest_rows, joint->rest);
  check_stiffness(build, item, joint);
  check_rest(build, item, joint->kind);
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
