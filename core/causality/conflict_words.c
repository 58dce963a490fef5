// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong when causality cannot be assigned, in words that name the elements.
#include <stdio.h>

#include "core/causality/assign_private.h"

/** Of a place in words. */
enum { PLACE_TEXT = 240 };

/** What would have to be otherwise for storages to be constrained. */
static void hint_rate(const sb_instance *unknown, sb_error *err) {
  const sb_dissipation_hooks *law = unknown->type->dissipation;
  if (law != NULL && law->jumps.sticks != NULL && unknown->mode >= 0) {
    bool effort = sb_natural_output(unknown, 0) == SB_EFFORT;
    sb_error_hint(
        err,
        effort
            ? "'%s' sticks: without a small I between them, its friction must not depend on the "
              "flow, "
              "and on signals of known rates alone, or rise with the flow (viscous above zero, no "
              "stribeck)"
            : "'%s' sticks: without a small C between them, its flow must not depend on the "
              "effort, and on signals of known rates alone, or rise with the effort",
        unknown->id);
    return;
  }
  sb_error_hint(
      err,
      unknown->type->storage != NULL
          ? "a constraint is enforced by the rates of what it relates, and that of '%s' is "
            "not known: put an R between them"
          : "a constraint is enforced by the rates of what it relates, and that of what "
            "'%s' gives is not known: let it follow from states and the time (of a mechanism that "
            "of a joint's q is), "
            "or put an R between them",
      unknown->id);
}

/** Instances that determine the same variable. */
typedef struct parties {
  int count, storages, sources, laws;
  int fixed;     // of the laws: they have no jump at which they could give either variable
  int last;      // the last of them
  int modulated; // a modulated structure among them, -1: none is
} parties;

static parties count_parties(const sb_network *network, const int owners[], int count) {
  parties p = {.count = count, .last = owners[0], .modulated = -1};
  for (int i = 0; i < count; i++) {
    const sb_element_type *type = network->instances[owners[i]].type;
    p.modulated = type->structure != NULL ? owners[i] : p.modulated;
    p.storages += type->storage != NULL;
    p.sources += type->source != NULL;
    p.laws += type->dissipation != NULL;
    p.fixed += type->dissipation != NULL && !sb_instance_jumps(&network->instances[owners[i]]);
    p.last = owners[i] > p.last ? owners[i] : p.last;
  }
  return p;
}

static const char invertible[] =
    "a law that rises everywhere can be inverted (its range is stated by "
    "effort-limit or flow-limit)";

/** Several instances, none of which is a modulated structure. */
static void word_several(const parties *p, const char *names, const char *where, sb_error *err) {
  const char *all = p->count > 2 ? "all" : "both";
  if (p->sources == p->count) {
    sb_fail(err, SB_ERR_CAUSALITY, "the sources %s fix the same variable at '%s'", names, where);
    sb_error_hint(err, "sources of effort meet at a J1, sources of flow at a J0, with an R, C or I "
                       "that takes up the difference");
  } else if (p->storages == p->count) {
    sb_fail(err, SB_ERR_CAUSALITY,
            "the storages %s are constrained to each other at '%s': one of them depends on the "
            "others",
            names, where);
    sb_error_hint(err, "merge them into one storage with the combined parameter, or put an R "
                       "between them");
  } else if (p->laws > 0 && p->storages == 0) {
    sb_fail(err, SB_ERR_LOOP,
            "%s %s determine the same variable at '%s', and nothing determines the other one: a "
            "law that cannot be inverted cannot be part of a loop",
            names, all, where);
    sb_error_hint(err,
                  "%s, and so can one that tends to a bound, as an exponential, with a leak "
                  "beside it (+ 1[nS]*e); or put a C or I beside it",
                  invertible);
  } else if (p->fixed > 0) {
    sb_fail(err, SB_ERR_CAUSALITY,
            "%s %s determine the same variable at '%s': a storage does, and a law that cannot be "
            "inverted",
            names, all, where);
    sb_error_hint(err,
                  "%s, one that is flat in part, as with max(), with a leak beside it (+ 1[uS]*e); "
                  "or put an R between them",
                  invertible);
  } else {
    sb_fail(err, SB_ERR_CAUSALITY,
            "%s %s determine the same variable at '%s': a storage there depends on the others",
            names, all, where);
    sb_error_hint(err, "put an R between the source and the storage");
  }
}

/** What is at the other end of an element's bond. */
static int facing(const sb_network *network, int index) {
  for (int i = 0; i < network->bond_count; i++) {
    const sb_network_bond *bond = &network->bonds[i];
    if (bond->from == index || bond->to == index) {
      return bond->from == index ? bond->to : bond->from;
    }
  }
  return index;
}

void sb_conflict_report(const sb_assign *a, int row, const int owners[], int count, int unknown,
                        sb_errors *errors) {
  const sb_network *network = a->network;
  const char *where = network->instances[a->eq.owner[row]].id;
  parties p = count_parties(network, owners, count);
  char names[SB_INSTANCES_TEXT];
  sb_error err;
  sb_instances_name(network, owners, count, names);
  if (p.modulated >= 0) {
    sb_fail(&err, SB_ERR_CAUSALITY,
            "'%s' couples its two sides rigidly: of %s and what is connected behind it only one "
            "can determine the variable at '%s'",
            network->instances[p.modulated].id, names, where);
    sb_error_hint(&err, "put a C, I or R between them that takes up the difference");
  } else if (count == 1) {
    where =
        a->eq.owner[row] == owners[0] ? network->instances[facing(network, owners[0])].id : where;
    sb_fail(&err, SB_ERR_CAUSALITY, "'%s' prescribes a variable that '%s' forces to be zero",
            network->instances[owners[0]].id, where);
    sb_error_hint(
        &err,
        "%s%san R, C or I beside '%s' takes up what it gives; or check the junction's kind "
        "and the bonds around '%s'",
        p.laws > 0 ? invertible : "", p.laws > 0 ? "; or " : "", network->instances[owners[0]].id,
        where);
  } else {
    word_several(&p, names, where, &err);
  }
  const bool law = unknown >= 0 && network->instances[unknown].type->dissipation != NULL &&
                   !sb_instance_jumps(&network->instances[unknown]);
  if (unknown >= 0 && !law && p.storages + (p.modulated >= 0) > 0) {
    hint_rate(&network->instances[unknown], &err);
  }
  sb_instance_error(&network->instances[p.last], &err, errors);
}

/** The instance that has the most of what is undetermined: a junction of the loop rather than a source
 *  that merely feeds it. */
static int find_undetermined(const sb_assign *a, int *component) {
  int best = -1, most = 0;
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    int open = 0, first = -1;
    for (int k = 0; k < instance->components; k++) {
      int missing = !a->known[sb_effort_var(instance, k)] + !a->known[sb_flow_var(instance, k)];
      open += missing;
      first = missing > 0 && first < 0 ? k : first;
    }
    if (open > most) {
      most = open;
      best = i;
      *component = first;
    }
  }
  return best;
}

/** Where an element stands: " (x.xml:3:5)", or nothing if that is not known. */
static void word_place(const sb_instance *instance, char text[PLACE_TEXT]) {
  const sb_place *place = &instance->place;
  text[0] = '\0';
  if (place->file != NULL && place->line > 0) {
    (void)snprintf(text, PLACE_TEXT, " (%.200s:%d:%d)", place->file, place->line, place->column);
  }
}

/** Sources round a loop, or at a cut of the network, with nothing beside them. false: the rivals are others. */
static bool report_rivals(const sb_assign *a, sb_errors *errors) {
  const sb_network *network = a->network;
  const int count = a->rival_count;
  int efforts = 0, sources = 0;
  for (int i = 0; i < count; i++) {
    const sb_instance *instance = &network->instances[a->rivals[i]];
    sources += instance->type->source != NULL;
    efforts += sb_natural_output(instance, 0) == SB_EFFORT;
  }
  if (count == 0 || sources < count) {
    return false;
  }
  const bool all = efforts == count;
  const char *why = all            ? "the efforts round a loop of bonds add up to zero"
                    : efforts == 0 ? "the flows into a part of the network add up to zero"
                                   : "the bonds relate what they give";
  char names[SB_INSTANCES_TEXT], place[PLACE_TEXT];
  sb_error err;
  sb_instances_name(network, a->rivals, count, names);
  word_place(&network->instances[a->rivals[0]], place);
  if (count == 1) {
    sb_fail(&err, SB_ERR_CAUSALITY, "the source %s stands alone: %s, and only its own is there",
            names, why);
  } else {
    sb_fail(&err, SB_ERR_CAUSALITY,
            "the sources %s contradict each other: %s, and here all are given", names, why);
  }
  sb_error_hint(&err, "put an R or %s '%.80s'%s, which takes up the difference%s",
                all            ? "I in series with"
                : efforts == 0 ? "C beside"
                               : "a storage at",
                network->instances[a->rivals[0]].id, place,
                count > 1 ? ", or take one of them away" : "");
  sb_instance_error(&network->instances[a->rivals[count - 1]], &err, errors);
  return true;
}

sb_status sb_singular_report(const sb_assign *a, sb_errors *errors) {
  if (report_rivals(a, errors)) {
    return SB_ERR_CAUSALITY;
  }
  int k = 0, index = find_undetermined(a, &k);
  if (index < 0) {
    return SB_ERR_SINGULAR;
  }
  const sb_instance *instance = &a->network->instances[index];
  bool effort = a->known[sb_effort_var(instance, k)], flow = a->known[sb_flow_var(instance, k)];
  sb_error err;
  sb_fail(&err, SB_ERR_SINGULAR, "nothing determines the %s at '%s'",
          !effort && !flow ? "effort and the flow"
          : effort         ? "flow"
                           : "effort",
          instance->id);
  sb_error_hint(&err, "the elements around it leave it undetermined: bonds form a loop, or a "
                      "source, storage or R of the other kind is missing");
  sb_instance_error(instance, &err, errors);
  return SB_ERR_SINGULAR;
}
