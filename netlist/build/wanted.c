// SPDX-License-Identifier: GPL-3.0-or-later
// Joints whose coordinates the netlist asks for, by their own attributes or by what bonds, couplings, signals and outputs
// name: of several joints that may carry a body, these do, and another closes the loop, whatever their order.
#include <string.h>

#include "mechanism/mechanism.h"
#include "netlist/build/mechanisms_private.h"
#include "netlist/build/words_private.h"
#include "netlist/reader/index.h"
#include "netlist/reader/names.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

const char *const sb_coordinate_attributes[] = {"q0",         "x0",           "rotation0",
                                                "w0",         "v0",           "rest",
                                                "stiffness",  "damping",      "slide-damping",
                                                "limits",     "slide-limits", "slide-stiffness",
                                                "slide-rest", "locked",       NULL};

/** The joint that `length` bytes of a setting name, by a first reading that reports nothing; NULL: none. */
static sb_mechanism_joint *find(const sb_build *build, const sb_setting *setting, const char *text,
                                size_t length) {
  sb_reader *reader = build->reader;
  sb_errors *errors = reader->errors, unused = {0};
  char name[SB_PATH_MAX + 1];
  reader->errors = &unused;
  const bool good = sb_full_name(reader, setting, text, length, name);
  reader->errors = errors;
  sb_errors_finish(&unused);
  const int index = good ? sb_scope_find(reader, name, strlen(name)) : -1;
  return index < 0 ? NULL : build->made[index].joint;
}

/** "j", "j.q", "j.turn1", and "j.w.x"; but "j.force" and "j.moment" every joint has. */
static void want(const sb_build *build, const sb_setting *setting, const sb_word *word) {
  for (size_t length = word->length; length > 0; length--) {
    const bool end = length == word->length || word->start[length] == '.';
    const char *rest = word->start + length;
    if (!end || strncmp(rest, ".force", 6) == 0 || strncmp(rest, ".moment", 7) == 0) {
      continue;
    }
    sb_mechanism_joint *joint = find(build, setting, word->start, length);
    if (joint != NULL) {
      joint->wanted = true;
      return;
    }
  }
}

static bool names_joints(const char *attribute) {
  static const char *const names[] = {"from", "to", "of", "node", "joints", "by", NULL};
  const char *const *name = names;
  while (*name != NULL && strcmp(*name, attribute) != 0) {
    name++;
  }
  return *name != NULL;
}

/** "tree(rod1)" asks for that name where several trees become one. */
static void find_names(const sb_build *build, const sb_setting *setting) {
  static const char prefix[] = "tree(";
  const sb_reader *reader = build->reader;
  for (const char *at = setting->value; at != NULL && (at = strstr(at, prefix)) != NULL;) {
    at += sizeof prefix - 1;
    const int index = sb_scope_find(reader, at, strcspn(at, ")"));
    if (index >= 0 && build->made[index].body != NULL) {
      build->made[index].body->names_tree = true;
    }
  }
}

void sb_find_wanted(const sb_build *build) {
  const sb_reader *reader = build->reader;
  const sb_item *item = NULL;
  while ((item = sb_next_item(reader, item, "joint")) != NULL) {
    sb_mechanism_joint *joint = sb_made_of(build, item)->joint;
    for (int i = 0; joint != NULL && sb_coordinate_attributes[i] != NULL; i++) {
      joint->wanted =
          joint->wanted || sb_item_own(reader, item, sb_coordinate_attributes[i]) != NULL;
    }
  }
  for (int i = 0; i < reader->tree.setting_count; i++) {
    const sb_setting *setting = &reader->tree.settings[i];
    find_names(build, setting);
    for (sb_word word = {0}; names_joints(setting->name) && sb_next_word(setting->value, &word);) {
      want(build, setting, &word);
    }
  }
}
