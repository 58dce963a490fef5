// SPDX-License-Identifier: GPL-3.0-or-later
// Which attributes a kind of joint takes, by what it does; and what is stated of a joint or a body and does not hold.
#include <math.h>
#include <string.h>

#include "mechanism/mechanism.h"
#include "netlist/build/mechanisms_private.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

/** What a joint has. */
enum {
  LINE = 1,   // an axis
  SECOND = 2, // another one
  PITCH = 4,
  ANGLES = 8, // angles as coordinates or, if it only slides, lengths
  SLIDES = 16,
  FREE_TURN = 32, // a rotation as a coordinate
  RATES = 64,
};

static const struct {
  const char *name;
  unsigned any_of;
} rows[] = {{"axis", LINE},
            {"axis2", SECOND},
            {"pitch", PITCH},
            {"q0", ANGLES},
            {"x0", SLIDES},
            {"rotation0", FREE_TURN},
            {"w0", RATES},
            {"v0", SLIDES},
            {"stiffness", ANGLES},
            {"rest", ANGLES},
            {"slide-stiffness", SLIDES},
            {"slide-rest", SLIDES},
            {"damping", RATES},
            {"slide-damping", SLIDES},
            {"limits", ANGLES | FREE_TURN},
            {"slide-limits", SLIDES},
            {"limit-stiffness", ANGLES | FREE_TURN},
            {"slide-limit-stiffness", SLIDES},
            {"limit-damping", ANGLES | FREE_TURN},
            {"slide-limit-damping", SLIDES},
            {"restitution", RATES},
            {"locked", RATES}};

static unsigned features(const sb_joint *joint) {
  unsigned all = 0;
  bool turns = false;
  for (const sb_joint_step *step = joint->steps; step->primitive != NULL; step++) {
    const sb_primitive *p = step->primitive;
    const bool free_turn = p->coordinates > p->velocities;
    all |= RATES | (p->velocities == 1 ? LINE : 0) | (step->axis == 'x' ? SECOND : 0) |
           (p->pitch ? PITCH : 0) |
           (free_turn  ? FREE_TURN
            : p->turns ? ANGLES
                       : SLIDES);
    turns = turns || p->turns;
  }
  return all & SLIDES && !turns ? all | ANGLES : all;
}

bool sb_check_joint_attributes(const sb_build *build, const sb_item *item, const sb_joint *kind) {
  const sb_reader *reader = build->reader;
  const unsigned has = features(kind);
  sb_error err;
  bool good = true;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const sb_setting *setting = sb_item_own(reader, item, rows[i].name);
    if (setting == NULL || has & rows[i].any_of) {
      continue;
    }
    (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "a %s joint has no attribute '%s'", kind->name,
                  rows[i].name);
    if (has & FREE_TURN && rows[i].any_of == ANGLES) {
      sb_error_hint(&err, strcmp(rows[i].name, "q0") == 0
                              ? "it turns freely: rotation0 is how it stands turned at the start"
                              : "it turns freely; springs against that may be a <Bushing>");
    }
    sb_report_name(reader, setting->scope, setting->attribute, &err);
    good = false;
  }
  if (has & PITCH && sb_item_text(reader, item, "pitch") == NULL) {
    (void)sb_fail(&err, SB_ERR_MISSING, "a %s joint needs the attribute 'pitch'", kind->name);
    sb_error_hint(&err, "pitch: the advance for an angle, in m/rad");
    sb_report_item(reader, item, &err);
    good = false;
  }
  return good;
}

/** A start that does not close the loops is one of them only roughly. */
static const double roughly = 1e-3;

static const char *unit_of(const sb_joint *kind) {
  const unsigned has = features(kind);
  return !(has & SLIDES)                                  ? "rad"
         : has & ANGLES && sb_joint_velocities(kind) == 1 ? "m"
                                                          : "rad or m";
}

static void warn_of_start(const sb_build *build, const sb_item *item, const sb_mechanism *m) {
  static const char *const names[] = {"q0", "x0", "rotation0"};
  const sb_mechanism_joint *joint = sb_made_of(build, item)->joint;
  const double moved = joint->q_given ? sb_mechanism_start_moved(m, joint) : 0;
  const sb_setting *setting = NULL;
  for (int i = 0; i < 3 && setting == NULL; i++) {
    setting = sb_item_text(build->reader, item, names[i]);
  }
  if (moved > roughly && setting != NULL) {
    sb_error err;
    sb_warn(
        &err, SB_ERR_RANGE,
        "joint '%.80s' starts %s %s away from the position that is given, so that the loops close",
        joint->id, sb_number_word(moved).text, unit_of(joint->kind));
    sb_error_hint(
        &err, "the positions that are given do not close them; leave out those that may change");
    sb_report_value(build->reader, setting, &err);
  }
}

/** Where the given coordinates do not tell where a loop stands, those that it begins with decide, and these depend on which joint
 *  closes it. */
static void warn_of_choice(const sb_build *build, const sb_item *item, const sb_mechanism *m) {
  const sb_mechanism_joint *joint = sb_made_of(build, item)->joint;
  const unsigned has = features(joint->kind);
  bool open[SB_JOINT_VELOCITIES] = {false}, turns = false, slides = false;
  int k = 0;
  sb_error err;
  if (joint->q_given || !sb_mechanism_start_is_open(m, joint, open)) {
    return;
  }
  for (const sb_joint_step *step = joint->kind->steps; step->primitive != NULL; step++) {
    for (int i = 0; i < step->primitive->velocities; i++, k++) {
      turns = turns || (open[k] && step->primitive->turns);
      slides = slides || (open[k] && !step->primitive->turns);
    }
  }
  const char *name = turns ? (has & FREE_TURN ? "rotation0" : "q0")
                     : has & ANGLES && !turns && sb_joint_velocities(joint->kind) == 1 ? "q0"
                                                                                       : "x0";
  sb_warn(
      &err, SB_ERR_RANGE,
      "nothing that is given tells where joint '%.80s' starts: the closing of its loop has chosen",
      joint->id);
  sb_error_hint(&err, "state its %s%s; another joint that closes the loop would choose otherwise",
                name, turns && slides ? " and x0" : "");
  sb_report_item(build->reader, item, &err);
}

/** Where a body that a joint carries stands follows from the joint. */
static void warn_of_place(const sb_build *build, const sb_item *joint) {
  static const char *const names[] = {"position", "rotation", "velocity", "angular-velocity"};
  const int child = sb_made_of(build, joint)->ends[1];
  const sb_item *body = &build->reader->tree.items[child];
  for (int i = 0; i < 4 && child > 0 && strcmp(body->node->name, "body") == 0; i++) {
    const sb_setting *setting = sb_item_own(build->reader, body, names[i]);
    if (setting != NULL) {
      sb_error err;
      sb_warn(&err, SB_ERR_ATTRIBUTE,
              "the %s of '%.80s' follows from joint '%.80s', and is ignored", names[i], body->id,
              joint->id);
      sb_report_value(build->reader, setting, &err);
      return;
    }
  }
}

void sb_warn_of_joints(const sb_build *build, const sb_mechanism *m) {
  const sb_item *item = NULL;
  while ((item = sb_next_item(build->reader, item, "joint")) != NULL) {
    const sb_mechanism_joint *joint = sb_made_of(build, item)->joint;
    if (joint != NULL && !joint->closes) {
      warn_of_start(build, item, m);
      warn_of_choice(build, item, m);
      warn_of_place(build, item);
    }
  }
}
