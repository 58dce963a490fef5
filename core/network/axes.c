// SPDX-License-Identifier: GPL-3.0-or-later
// The frame whose axes "NAME.QUANTITY(FRAME)" names.
#include <stdio.h>
#include <string.h>

#include "core/base/nearest.h"
#include "core/network/network.h"

static const char world[] = "world", pose[] = "pose";

/** Where the pose of a body, ground or frame begins among the values; -1: there is none of this name. */
static int find_pose(const sb_network *network, const char *frame, size_t length) {
  char name[300];
  int element = sb_names_find(&network->names, frame, length);
  const bool part = element < 0;
  element = part ? sb_names_find(&network->aliases, frame, length) : element;
  const sb_instance *owner = element < 0 ? NULL : &network->instances[element];
  (void)snprintf(name, sizeof name, "%.*s%s%s", part ? (int)length : 0, frame, part ? "." : "",
                 pose);
  const sb_signal_spec *signals = owner == NULL ? NULL : owner->type->signals;
  for (int i = 0; signals != NULL && signals[i].name != NULL; i++) {
    if (!signals[i].input && strcmp(signals[i].name, name) == 0) {
      return owner->signal + sb_signal_offset(owner->type, i);
    }
  }
  return -1;
}

/** The frame that is named most like one that there is not. */
static void hint_frame(const sb_network *network, const char *frame, size_t length, sb_error *err) {
  char name[300];
  (void)snprintf(name, sizeof name, "%.*s", (int)length, frame);
  sb_suggestion frames = sb_suggestion_start(name);
  for (size_t i = 0; i < (size_t)network->names.capacity + (size_t)network->aliases.capacity; i++) {
    const bool part = i >= (size_t)network->names.capacity;
    const sb_names *names = part ? &network->aliases : &network->names;
    const char *other = names->slots[part ? i - (size_t)network->names.capacity : i].name;
    if (other != NULL && find_pose(network, other, strlen(other)) >= 0) {
      (void)sb_suggestion_offer(&frames, other);
    }
  }
  if (frames.best[0] != '\0') {
    sb_error_hint(err, "did you mean '%s'?", frames.best);
  } else {
    sb_error_hint(err, "axes are those of a body, a ground or a frame, or of the world");
  }
}

const char *sb_quantity_axes(const char *name) {
  const char *dot = strchr(name, '.'), *open = dot == NULL ? NULL : strchr(dot, '(');
  return open != NULL && name[strlen(name) - 1] == ')' ? open : NULL;
}

sb_status sb_quantity_turn(const sb_network *network, const char *name, sb_quantity *q,
                           sb_error *err) {
  const char *frame = sb_quantity_axes(name) + 1;
  const size_t length = strlen(frame) - 1;
  const sb_instance *instance = &network->instances[q->element];
  const sb_measures *measures = &instance->type->measures;
  if (q->kind != SB_QUANTITY_MEASURE || measures->turn == NULL ||
      !measures->turn(instance->self, q->first, NULL, NULL)) {
    (void)sb_fail(err, SB_ERR_REFERENCE, "'%.*s' has no components in the axes of a frame",
                  (int)(frame - 1 - name), name);
    sb_error_hint(err, "velocities, momenta, forces and moments have");
    return SB_ERR_REFERENCE;
  }
  const int at = find_pose(network, frame, length);
  if (at >= 0) {
    q->axes = 1 + at;
  } else if (length != strlen(world) || strncmp(frame, world, length) != 0) {
    (void)sb_fail(err, SB_ERR_REFERENCE,
                  "there is no body or frame '%.*s' whose axes '%.80s' names",
                  (int)(length < 80 ? length : 80), frame, name);
    hint_frame(network, frame, length, err);
    return SB_ERR_REFERENCE;
  }
  return SB_OK;
}
