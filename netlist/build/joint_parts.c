// SPDX-License-Identifier: GPL-3.0-or-later
// What stands at the ports of joints by their attributes. Of a joint that turns, or only slides:
//   damping  a dissipation JOINT/damping      limits  stops JOINT/limits, of several coordinates JOINT/limits1 ...
//   locked   a source of zero flow, JOINT/lock
// and for what it slides beside turning the same with slide-, as JOINT/slide-damping. With a limit-stiffness k stops are
// elastic: a spring with V = k z^2/2 of the way z beyond the limit and, with a limit-damping d, the damper k z d v.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/number.h"
#include "elements/elements.h"
#include "mechanism/mechanism.h"
#include "netlist/build/mechanisms_private.h"
#include "netlist/build/values_private.h"
#include "netlist/build/words_private.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

enum { ID_SIZE = SB_PATH_MAX + 64 };

/** One of the two groups of coordinates of a joint, those that turn and those that slide. */
typedef struct group {
  const sb_build *build;
  const sb_item *item;
  const sb_mechanism_joint *joint;
  bool turns, both; // whether the other group is not empty
  int count;        // velocities
  bool free_turn;   // it has no coordinates
  int coordinate[SB_JOINT_VELOCITIES], velocity[SB_JOINT_VELOCITIES]; // of each, in the joint
} group;

static group find_group(const sb_build *build, const sb_item *item, const sb_mechanism_joint *joint,
                        bool turns) {
  group g = {.build = build, .item = item, .joint = joint, .turns = turns};
  int q = 0, v = 0;
  for (const sb_joint_step *step = joint->kind->steps; step->primitive != NULL; step++) {
    const sb_primitive *p = step->primitive;
    for (int i = 0; i < p->velocities && p->turns == turns; i++) {
      g.coordinate[g.count] = q + i;
      g.velocity[g.count++] = v + i;
      g.free_turn = g.free_turn || p->coordinates > p->velocities;
    }
    g.both = g.both || p->turns != turns;
    q += p->coordinates;
    v += p->velocities;
  }
  return g;
}

/** An attribute of the group: "limits", and "slide-limits" of what slides; what only slides takes both.
 *  @param name  out: (40)  @return NULL: there is none */
static const sb_setting *find_setting(const group *g, const char *plain, char name[]) {
  const sb_setting *setting = NULL;
  if (!g->turns) {
    (void)snprintf(name, 40, "slide-%s", plain);
    setting = sb_item_text(g->build->reader, g->item, name);
  }
  if (setting == NULL && (g->turns || !g->both)) {
    (void)snprintf(name, 40, "%s", plain);
    setting = sb_item_text(g->build->reader, g->item, name);
  }
  return setting;
}

static bool refuse(const group *g, const sb_setting *setting, sb_status status, const char *text,
                   const char *hint) {
  sb_error err;
  (void)sb_fail(&err, status, "%s", text);
  if (hint != NULL) {
    sb_error_hint(&err, "%s", hint);
  }
  sb_report_value(g->build->reader, setting, &err);
  return false;
}

/** Numbers of the group: one for all, or `each` for every coordinate.
 *  @param values  (2 SB_JOINT_VELOCITIES) out: each for every coordinate  @return false: none, or an error, reported */
static bool read_numbers(const group *g, const char *plain, const char *turn_unit,
                         const char *slide_unit, int each, double values[]) {
  char name[40], text[200];
  const sb_setting *setting = find_setting(g, plain, name);
  const int wanted = each * g->count;
  int count;
  if (setting == NULL || !sb_read_list(g->build, g->item, name, g->turns ? turn_unit : slide_unit,
                                       2 * SB_JOINT_VELOCITIES, values, &count)) {
    return false;
  }
  if (count != wanted && !(each == 1 && count == 1)) {
    (void)snprintf(text, sizeof text, "%s takes %d number%s%s, got %d", name, wanted,
                   wanted == 1 ? "" : "s", each == 1 && wanted > 1 ? ", or one for all" : "",
                   count);
    return refuse(g, setting, SB_ERR_DIMENSION, text, NULL);
  }
  for (int i = count; i < wanted; i++) {
    values[i] = values[0];
  }
  return true;
}

/** Numbers that must not be negative. @return false: none, or an error, reported */
static bool read_positive(const group *g, const char *plain, const char *turn_unit,
                          const char *slide_unit, double most, double values[]) {
  char name[40], text[200];
  if (!read_numbers(g, plain, turn_unit, slide_unit, 1, values)) {
    return false;
  }
  for (int i = 0; i < g->count; i++) {
    if (!(values[i] >= 0 && values[i] <= most)) {
      const sb_setting *setting = find_setting(g, plain, name);
      (void)snprintf(text, sizeof text, "%s must %s", name,
                     most < HUGE_VAL ? "be from 0 to 1" : "not be negative");
      return refuse(g, setting, SB_ERR_RANGE, text, NULL);
    }
  }
  return true;
}

/** The port of the whole group, or of its coordinate k >= 0. */
static void port_of(const group *g, int k, char port[ID_SIZE]) {
  const char *word = g->turns ? "turn" : "slide";
  if (k >= 0 && g->count > 1) {
    (void)snprintf(port, ID_SIZE, "%.240s.%s%d", g->joint->id, word, k + 1);
  } else {
    (void)snprintf(port, ID_SIZE, "%.240s%s%s", g->joint->id, g->both ? "." : "",
                   g->both ? word : "");
  }
}

/** An element at the port of the group, or of its coordinate k >= 0. @param id  out */
static sb_status add_at(const group *g, int k, const char *name, const sb_element_type *type,
                        bool source, char id[ID_SIZE], sb_element **element, sb_error *err) {
  sb_graph *graph = g->build->graph;
  char port[ID_SIZE], number[16] = "";
  if (k >= 0 && g->count > 1) {
    (void)snprintf(number, sizeof number, "%d", k + 1);
  }
  (void)snprintf(id, ID_SIZE, "%.240s/%s%s%s", g->joint->id, g->both && !g->turns ? "slide-" : "",
                 name, number);
  port_of(g, k, port);
  SB_TRY(sb_graph_add(graph, type, id, element, err));
  SB_TRY(sb_element_set_domain(*element, -1, g->turns ? "rotation" : "translation", err));
  return source ? sb_graph_bond(graph, id, port, err) : sb_graph_bond(graph, port, id, err);
}

static void report(const group *g, const char *plain, sb_error *err) {
  char name[40];
  if (err->status != SB_OK) {
    sb_report_value(g->build->reader, find_setting(g, plain, name), err);
  }
}

static void add_damping(const group *g) {
  double r[2 * SB_JOINT_VELOCITIES];
  const double dim = g->count;
  char id[ID_SIZE];
  sb_element *element;
  sb_error err = {0};
  if (read_positive(g, "damping", "N.m.s/rad", "N.s/m", HUGE_VAL, r) &&
      add_at(g, -1, "damping", &sb_kind_R, false, id, &element, &err) == SB_OK &&
      sb_element_set(element, "dim", &dim, 1, &err) == SB_OK) {
    (void)sb_element_set(element, "r", r, g->count, &err);
  }
  report(g, "damping", &err);
}

/** A rigid stop. @param limits  lower and upper */
static sb_status add_stop(const group *g, int k, const double limits[2], double restitution,
                          double start, sb_error *err) {
  char id[ID_SIZE];
  sb_element *element;
  SB_TRY(add_at(g, k, "limits", &sb_kind_Stop, false, id, &element, err));
  SB_TRY(sb_element_set(element, "lower", &limits[0], 1, err));
  SB_TRY(sb_element_set(element, "upper", &limits[1], 1, err));
  SB_TRY(sb_element_set(element, "x0", &start, 1, err));
  return sb_element_set(element, "restitution", &restitution, 1, err);
}

/** The way beyond the limits as an expression of q. */
static void write_way(const char *q, const double limits[2], char text[], size_t size) {
  char lower[32], upper[32];
  (void)sb_number_format(limits[0], lower, sizeof lower);
  (void)sb_number_format(limits[1], upper, sizeof upper);
  (void)snprintf(text, size, "(max(%s - (%s), 0) + max((%s) - %s, 0))", q, upper, lower, q);
}

/** A spring beyond the limits, with a damper that presses only. */
static sb_status add_elastic_stop(const group *g, int k, const double limits[2], double stiffness,
                                  double damping, double start, sb_error *err) {
  char id[ID_SIZE], other[ID_SIZE], way[160], text[512], from[ID_SIZE + 8], to[ID_SIZE + 8],
      number[32];
  sb_element *spring, *damper;
  (void)sb_number_format(stiffness, number, sizeof number);
  write_way("q", limits, way, sizeof way);
  (void)snprintf(text, sizeof text, "%s/2*%s^2", number, way);
  SB_TRY(add_at(g, k, "limits", &sb_kind_C, false, id, &spring, err));
  SB_TRY(sb_element_express(spring, "energy", text, err));
  SB_TRY(sb_element_set(spring, "q0", &start, 1, err));
  if (damping == 0) {
    return SB_OK;
  }
  (void)sb_number_format(stiffness * damping, number, sizeof number);
  write_way("u1", limits, way, sizeof way);
  (void)snprintf(text, sizeof text, "%s*%s*f", number, way);
  SB_TRY(add_at(g, k, "limit-damping", &sb_kind_R, false, other, &damper, err));
  (void)snprintf(from, sizeof from, "%s.q", id);
  (void)snprintf(to, sizeof to, "%s.u", other);
  SB_TRY(sb_graph_wire(g->build->graph, from, to, err));
  return sb_element_express(damper, "law", text, err);
}

/** Whether the coordinates of the group are within its limits at the start. */
static bool check_limits(const group *g, const double limits[], const double q[], bool elastic) {
  char name[40], text[400];
  const sb_setting *setting = find_setting(g, "limits", name);
  const char *unit = g->turns ? "rad" : "m";
  for (int k = 0; k < g->count; k++) {
    const double lower = limits[2 * k], upper = limits[2 * k + 1], start = q[g->coordinate[k]];
    if (!(lower < upper)) {
      return refuse(g, setting, SB_ERR_RANGE, "the lower limit is not below the upper one", NULL);
    }
    if (!elastic && (start < lower || start > upper)) {
      (void)snprintf(text, sizeof text, "joint '%.80s' starts at %s %s, beyond its limits",
                     g->joint->id, sb_number_word(start).text, unit);
      return refuse(g, setting, SB_ERR_RANGE, text, NULL);
    }
  }
  return true;
}

/** What belongs to limits but is stated without them, or beside what it excludes. */
static bool check_companions(const group *g, const sb_setting *limits, bool elastic) {
  static const char *const names[] = {"limit-stiffness", "limit-damping"};
  char name[40];
  for (int i = 0; i < 2; i++) {
    const sb_setting *setting = find_setting(g, names[i], name);
    if (setting != NULL && (limits == NULL || (i == 1 && !elastic))) {
      return refuse(g, setting, SB_ERR_ATTRIBUTE,
                    limits == NULL ? "there are no limits that this belongs to"
                                   : "only limits with a limit-stiffness take a limit-damping",
                    NULL);
    }
  }
  const sb_setting *restitution = sb_item_own(g->build->reader, g->item, "restitution");
  return restitution == NULL || !elastic ||
         refuse(g, restitution, SB_ERR_ATTRIBUTE, "elastic limits have no restitution",
                "leave it out, or the limit-stiffness");
}

/** A restitution, which is of all limits of a joint, where it has none. */
static bool check_restitution(const sb_build *build, const sb_item *item) {
  const sb_reader *reader = build->reader;
  const sb_setting *setting = sb_item_own(reader, item, "restitution");
  sb_error err;
  if (setting == NULL || sb_item_text(reader, item, "limits") != NULL ||
      sb_item_text(reader, item, "slide-limits") != NULL) {
    return true;
  }
  (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "there are no limits that this belongs to");
  sb_report_value(reader, setting, &err);
  return false;
}

/** One number for all stops of the joint. */
static bool read_restitution(const group *g, double *restitution) {
  const sb_setting *setting = sb_item_text(g->build->reader, g->item, "restitution");
  int count;
  *restitution = 0;
  return sb_read_list(g->build, g->item, "restitution", "1", 1, restitution, &count) &&
         ((*restitution >= 0 && *restitution <= 1) ||
          refuse(g, setting, SB_ERR_RANGE, "restitution must be from 0 to 1",
                 "above 1 an impact would supply energy"));
}

static void add_limits(const group *g, const sb_mechanism *m) {
  double limits[2 * SB_JOINT_VELOCITIES], stiffness[2 * SB_JOINT_VELOCITIES],
      damping[2 * SB_JOINT_VELOCITIES] = {0}, q[SB_JOINT_COORDINATES], restitution;
  char name[40];
  const sb_setting *setting = find_setting(g, "limits", name);
  const bool elastic = find_setting(g, "limit-stiffness", name) != NULL;
  sb_error err = {0};
  if (!check_companions(g, setting, elastic) || setting == NULL) {
    return;
  }
  if (g->free_turn) {
    (void)refuse(g, setting, SB_ERR_ATTRIBUTE,
                 "a joint that turns freely has no angles that limits could hold",
                 "a cone may be a contact, or three revolute joints in its place");
    return;
  }
  if (!sb_mechanism_start_coordinates(m, g->joint, q)) {
    memcpy(q, g->joint->q, sizeof q);
  }
  if (!read_numbers(g, "limits", "rad", "m", 2, limits) || !check_limits(g, limits, q, elastic) ||
      !read_restitution(g, &restitution) ||
      (elastic && !read_positive(g, "limit-stiffness", "N.m/rad", "N/m", HUGE_VAL, stiffness)) ||
      (find_setting(g, "limit-damping", name) != NULL &&
       !read_positive(g, "limit-damping", "s/rad", "s/m", HUGE_VAL, damping))) {
    return;
  }
  for (int k = 0; k < g->count && err.status == SB_OK; k++) {
    const double start = q[g->coordinate[k]];
    (void)(elastic ? add_elastic_stop(g, k, &limits[2 * k], stiffness[k], damping[k], start, &err)
                   : add_stop(g, k, &limits[2 * k], restitution, start, &err));
  }
  report(g, "limits", &err);
}

/** A yes or no for every rate of the joint, or one for all. @return false: an error, reported */
static bool read_locks(const group *g, bool locked[], bool *all) {
  const sb_setting *setting = sb_item_text(g->build->reader, g->item, "locked");
  const int wanted = sb_joint_velocities(g->joint->kind);
  char text[200];
  int count = 0;
  *all = true;
  for (sb_word word = {0}; setting != NULL && sb_next_word(setting->value, &word); count++) {
    const bool yes = word.length == 3 && strncmp(word.start, "yes", 3) == 0;
    if (!yes && !(word.length == 2 && strncmp(word.start, "no", 2) == 0)) {
      (void)snprintf(text, sizeof text, "locked must be yes or no, not '%.*s'",
                     (int)(word.length > 80 ? 80 : word.length), word.start);
      return refuse(g, setting, SB_ERR_CHOICE, text, NULL);
    }
    if (count < wanted) {
      locked[count] = yes;
      *all = *all && yes;
    }
  }
  if (setting == NULL || count == wanted) {
    return setting != NULL;
  }
  for (int i = 1; i < wanted; i++) {
    locked[i] = locked[0];
  }
  (void)snprintf(text, sizeof text, "locked takes one word, or %d, got %d", wanted, count);
  return count == 1 || refuse(g, setting, SB_ERR_DIMENSION, text, NULL);
}

static void add_locks(const group *g) {
  static const double zeros[SB_JOINT_VELOCITIES] = {0};
  bool locked[SB_JOINT_VELOCITIES] = {false}, all, whole = true, any = false;
  char id[ID_SIZE];
  sb_element *element;
  sb_error err = {0};
  if (!read_locks(g, locked, &all)) {
    return;
  }
  for (int k = 0; k < g->count; k++) {
    whole = whole && locked[g->velocity[k]];
    any = any || locked[g->velocity[k]];
  }
  if (g->free_turn && any && !whole) {
    (void)refuse(g, sb_item_text(g->build->reader, g->item, "locked"), SB_ERR_CHOICE,
                 "a joint that turns freely is locked in all its three rates, or in none", NULL);
    return;
  }
  if (whole && add_at(g, -1, "lock", &sb_kind_Sf, true, id, &element, &err) == SB_OK) {
    (void)sb_element_set(element, "flow", zeros, g->count, &err);
  }
  for (int k = 0; k < g->count && !whole && err.status == SB_OK; k++) {
    if (locked[g->velocity[k]] &&
        add_at(g, k, "lock", &sb_kind_Sf, true, id, &element, &err) == SB_OK) {
      (void)sb_element_set(element, "flow", zeros, 1, &err);
    }
  }
  report(g, "locked", &err);
}

void sb_build_joint_parts(const sb_build *build, const sb_mechanism *m) {
  const sb_reader *reader = build->reader;
  const sb_item *item = NULL;
  while ((item = sb_next_item(reader, item, "joint")) != NULL) {
    const sb_mechanism_joint *joint = sb_made_of(build, item)->joint;
    if (joint == NULL || joint->closes || !sb_graph_knows(build->graph, joint->id)) {
      continue; // what closes a loop has none of these
    }
    sb_graph_place(build->graph, reader->scopes.list[item->scope].file, item->node->line,
                   item->node->column);
    for (int turns = 0; turns < 2 && (turns > 0 || check_restitution(build, item)); turns++) {
      const group g = find_group(build, item, joint, turns == 1);
      if (g.count > 0) {
        add_damping(&g);
        add_limits(&g, m);
        add_locks(&g);
      }
    }
  }
}
