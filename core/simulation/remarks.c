// SPDX-License-Identifier: GPL-3.0-or-later
// What a run has shown of its elements that stops nothing but that its user should know, as how deep a contact was. The
// elements note it in their discrete states, so that no step costs more; they are asked when the run has ended, and those that go
// with their neighbours (renewal.c) when they go. One that comes and goes again is told once, by what was gravest.
#include <string.h>

#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

struct sb_remark {
  const char *id;
  double weight; // how grave
  sb_error err;
};

/** @return its weight; 0: there is nothing to tell */
static double remark_of(const sb_simulation *sim, const sb_switch *element, sb_error *err) {
  const sb_instance *instance = &sim->network->instances[element->instance];
  sb_error why = {0};
  const double weight =
      element->hooks->remark == NULL
          ? 0
          : element->hooks->remark(instance->self, sim->work->discrete + instance->discrete, &why);
  if (weight > 0) {
    *err = (sb_error){0};
    sb_warn(err, why.status, "'%.100s': %.340s", instance->id, why.text);
    sb_error_hint(err, "%s", why.hint);
    sb_place_into(&instance->place, err);
  }
  return weight;
}

/** That of an element of this name; NULL: there is none. */
static sb_remark *find_known(const sb_simulation *sim, const char *id) {
  for (int i = 0; i < sim->remark_count; i++) {
    if (strcmp(sim->remarks[i].id, id) == 0) {
      return &sim->remarks[i];
    }
  }
  return NULL;
}

static bool keep(sb_simulation *sim, const char *id, double weight, const sb_error *err) {
  sb_remark *known = find_known(sim, id);
  if (known == NULL) {
    const char *name = sb_arena_copy(&sim->lasting, id, strlen(id));
    const sb_remark remark = {name, weight, *err};
    return name != NULL && sb_arena_append(&sim->lasting, &sim->remarks, &sim->remark_count,
                                           &sim->remark_capacity, sizeof remark, &remark);
  }
  if (weight > known->weight) {
    known->weight = weight;
    known->err = *err;
  }
  return true;
}

sb_status sb_remarks_keep(sb_simulation *sim, const sb_simulation *before, const sb_succession *s,
                          sb_error *err) {
  for (int i = 0; i < before->switch_count; i++) {
    const sb_switch *element = &before->switches[i];
    const bool stays = s != NULL && s->now[element->instance] >= 0;
    sb_error remark;
    const double weight = stays ? 0 : remark_of(before, element, &remark);
    if (weight > 0 &&
        !keep(sim, before->network->instances[element->instance].id, weight, &remark)) {
      return sb_fail(err, SB_ERR_MEMORY, "out of memory");
    }
  }
  return SB_OK;
}

/** Absolute tolerances that no error can exceed: each is larger than its state has ever been. */
static void warn_of_tolerances(const sb_simulation *sim, sb_errors *warnings) {
  const double *atol = sim->nominal.atol, *size = sim->nominal.now.size;
  int largest = -1;
  bool idle = sim->options.step <= 0;
  for (int i = 0; i < sim->network->state_count; i++) {
    idle = idle && (atol[i] > size[i] || (size[i] == 0 && sim->x[i] == 0));
    largest = size[i] > 0 && (largest < 0 || atol[i] > atol[largest]) ? i : largest;
  }
  if (idle && largest >= 0) {
    char name[300];
    sb_error err = {0};
    sb_warn(&err, SB_ERR_RANGE,
            "absolute tolerances let every state be wrong by more than it is: %s, of the size %s, "
            "by %s",
            sb_network_state_name(sim->network, largest, name), sb_number_word(size[largest]).text,
            sb_number_word(atol[largest]).text);
    sb_error_hint(&err, "without atol errors are relative to the sizes of the states, by rtol");
    sb_errors_add(warnings, &err);
  }
}

sb_status sb_simulation_remarks(sb_simulation *sim, sb_errors *warnings) {
  SB_TRY(sb_remarks_keep(sim, sim, NULL, NULL));
  warn_of_tolerances(sim, warnings);
  for (int i = 0; i < sim->remark_count; i++) {
    const int before = warnings->count;
    sb_errors_add(warnings, &sim->remarks[i].err);
    if (warnings->count == before && before < SB_ERRORS_MAX) {
      return SB_ERR_MEMORY;
    }
  }
  return SB_OK;
}
