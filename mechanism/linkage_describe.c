// SPDX-License-Identifier: GPL-3.0-or-later
// What check prints of a tree of bodies: who carries whom by which joint, the degrees of freedom, what closes loops and how
// much of it says something new, and the mass with its centre.
#include <stdlib.h>

#include "core/base/array.h"
#include "core/base/json.h"
#include "core/base/number.h"
#include "mechanism/assembly.h"
#include "mechanism/mechanism_private.h"
#include "mechanism/recursion.h"

enum { INDENT_MAX = 40 }; // deeper bodies are not indented further

typedef struct report {
  const sb_linkage *l;
  sb_vec3 origin; // that places count from
  const sb_at *at;
  sb_text *out;
  int *first, *next, *depth; // (bodies) first child, next one of the same parent, how many carry it
  int root;                  // the first of the world's
  int closures;
  int *implied; // (closures) rows of each that follow from the others
  sb_mobility mobility;
} report;

static bool begin(report *r, const sb_linkage *l) {
  const int n = l->body_count;
  while (l->closures != NULL &&
         sb_closures_first_row(l->closures, r->closures) < sb_closures_rows(l->closures)) {
    r->closures++;
  }
  r->first = sb_zeroed(3 * n + r->closures + 1, sizeof *r->first);
  if (r->first == NULL) {
    return false;
  }
  r->next = r->first + n;
  r->depth = r->next + n;
  r->implied = r->depth + n;
  r->root = -1;
  for (int k = 0; k < n; k++) {
    r->first[k] = -1;
    r->depth[k] = l->bodies[k].parent < 0 ? 0 : r->depth[l->bodies[k].parent] + 1;
  }
  for (int k = n - 1; k >= 0; k--) {
    int *head = l->bodies[k].parent < 0 ? &r->root : &r->first[l->bodies[k].parent];
    r->next[k] = *head;
    *head = k;
  }
  return l->closures == NULL || sb_closures_analyse(l->closures, r->at->x, r->origin, &r->mobility,
                                                    r->implied, NULL) == SB_OK;
}

/** The body behind k, children before siblings; -1: it is the last. */
static int follower(const report *r, int k) {
  if (r->first[k] >= 0) {
    return r->first[k];
  }
  while (k >= 0 && r->next[k] < 0) {
    k = r->l->bodies[k].parent;
  }
  return k < 0 ? -1 : r->next[k];
}

static const char *body_id(const sb_linkage *l, int k) {
  return k < 0 ? "world" : l->mechanism->bodies[l->bodies[k].body]->id;
}

static const char *joint_id(const sb_linkage *l, int k) {
  const int joint = l->bodies[k].joint;
  return joint < 0 ? NULL : l->mechanism->joints[joint]->id;
}

static void put_string(sb_text *out, const char *key, const char *value) {
  sb_text_put(out, "\"%s\": ", key);
  sb_json_quote(out, value);
}

static void put_number(sb_text *out, double value) {
  char number[SB_NUMBER_SIZE];
  (void)sb_number_format_json(value, number, sizeof number);
  sb_text_put(out, "%s", number);
}

/** The mass of all bodies, and its centre. */
static double centre_of(const report *r, sb_vec3 *centre) {
  const sb_linkage *l = r->l;
  double *scratch = r->at->own + l->scratch.other, mass = 0;
  sb_vec3 moment = {0, 0, 0};
  sb_tree_place_from(l->tree, r->at->x, r->origin, scratch);
  for (int k = 0; k < l->body_count; k++) {
    const sb_mechanism_body *b = l->mechanism->bodies[l->bodies[k].body];
    const sb_pose pose = sb_tree_pose(l->tree, scratch, k);
    moment = sb_vec3_axpy(moment, b->mass, sb_pose_point(pose, b->com));
    mass += b->mass;
  }
  *centre = mass > 0 ? sb_vec3_add(r->origin, sb_vec3_scale(moment, 1 / mass)) : moment;
  return mass;
}

static int row_count(const report *r, int closure) {
  return sb_closures_first_row(r->l->closures, closure + 1) -
         sb_closures_first_row(r->l->closures, closure);
}

static void put_text(const report *r) {
  const sb_linkage *l = r->l;
  sb_vec3 c;
  const double mass = centre_of(r, &c);
  const int freedoms = l->velocities - r->mobility.most;
  sb_text_put(r->out, "%d bod%s, %d degree%s of freedom", l->body_count,
              l->body_count == 1 ? "y" : "ies", freedoms, freedoms == 1 ? "" : "s");
  if (r->mobility.rank < r->mobility.most) {
    sb_text_put(r->out, " (%d at the start, which is singular)", l->velocities - r->mobility.rank);
  }
  sb_text_put(r->out, "; mass %s kg, centre at the start %s %s %s m\n", sb_number_word(mass).text,
              sb_number_word(c.x).text, sb_number_word(c.y).text, sb_number_word(c.z).text);
  for (int k = r->root; k >= 0; k = follower(r, k)) {
    const int indent = 2 * (r->depth[k] < INDENT_MAX ? r->depth[k] : INDENT_MAX);
    const char *joint = joint_id(l, k);
    sb_text_put(r->out, "  %*s%s%s%s, %s\n", indent, "", body_id(l, k), joint == NULL ? "" : " on ",
                joint == NULL ? "" : joint, sb_linkage_joint(l, k)->name);
  }
  if (r->closures > 0) {
    sb_text_put(r->out, "  loops: %d rows, of rank %d\n", sb_closures_rows(l->closures),
                r->mobility.most);
  }
  for (int i = 0; i < r->closures; i++) {
    const int rows = row_count(r, i);
    sb_text_put(r->out, "  %s closes by %d row%s", sb_closures_name(l->closures, i), rows,
                rows == 1 ? "" : "s");
    if (r->implied[i] > 0) {
      sb_text_put(r->out, ", %d of which follow%s from the rest", r->implied[i],
                  r->implied[i] == 1 ? "s" : "");
    }
    sb_text_put(r->out, "\n");
  }
}

static void put_json(const report *r) {
  const sb_linkage *l = r->l;
  sb_vec3 c;
  const double mass = centre_of(r, &c), parts[3] = {c.x, c.y, c.z};
  const int start = l->velocities - r->mobility.rank;
  sb_text_put(r->out, "\"freedoms\": %d, \"freedoms_at_start\": %d, \"mass\": ",
              l->velocities - r->mobility.most, start);
  put_number(r->out, mass);
  for (int i = 0; i < 3; i++) {
    sb_text_put(r->out, i == 0 ? ", \"centre\": [" : ", ");
    put_number(r->out, parts[i]);
  }
  sb_text_put(r->out, "],\n   \"tree\": [");
  for (int k = r->root; k >= 0; k = follower(r, k)) {
    sb_text_put(r->out, k == r->root ? "\n    {" : ",\n    {");
    put_string(r->out, "body", body_id(l, k));
    sb_text_put(r->out, ", ");
    put_string(r->out, "parent", body_id(l, l->bodies[k].parent));
    sb_text_put(r->out, ", ");
    put_string(r->out, "joint", joint_id(l, k));
    sb_text_put(r->out, ", ");
    put_string(r->out, "kind", sb_linkage_joint(l, k)->name);
    sb_text_put(r->out, "}");
  }
  sb_text_put(r->out, "],\n   \"rank\": %d, \"loops\": [", r->mobility.most);
  for (int i = 0; i < r->closures; i++) {
    sb_text_put(r->out, i == 0 ? "{" : ", {");
    put_string(r->out, "id", sb_closures_name(l->closures, i));
    sb_text_put(r->out, ", \"rows\": %d, \"implied\": %d}", row_count(r, i), r->implied[i]);
  }
  sb_text_put(r->out, "]");
}

void sb_linkage_report(const void *self, const sb_at *at, bool json, sb_text *out) {
  report r = {.l = sb_linkage_of(self), .origin = sb_linkage_origin(self), .at = at, .out = out};
  if (!begin(&r, r.l)) {
    out->failed = true;
  } else {
    (json ? put_json : put_text)(&r);
  }
  free(r.first);
}

/** Names of what counts for more than this, of the largest; and so many of them. */
static const double counts = 0.1;
enum { NAMED = 4 };

/** "'a', 'b' and others" */
static void put_names(sb_text *out, const char *(*name)(const sb_linkage *l, int i),
                      const sb_linkage *l, const double part[], int count) {
  double largest = 0;
  int named = 0;
  for (int i = 0; i < count; i++) {
    largest = name(l, i) != NULL && part[i] > largest ? part[i] : largest;
  }
  for (int i = 0; i < count; i++) {
    if (name(l, i) == NULL || !(part[i] > counts * largest)) {
      continue;
    }
    if (named == NAMED) {
      sb_text_put(out, " and others");
      return;
    }
    sb_text_put(out, "%s'%.60s'", named++ > 0 ? ", " : "", name(l, i));
  }
}

static const char *closure_name(const sb_linkage *l, int i) {
  return sb_closures_name(l->closures, i);
}

/** What closes loops: all of it, where nothing is weak. */
static void put_closed(sb_text *words, const sb_linkage *l, double parts[], int lost) {
  const int closures = l->closing_count + l->coupled_count;
  for (int i = 0; i < closures && lost == 0; i++) {
    parts[i] = 1;
  }
  sb_text_put(words, "the constraints of ");
  put_names(words, closure_name, l, parts, closures);
}

double sb_linkage_clearance(const void *self, const sb_at *at, sb_text *words) {
  const sb_linkage *l = ((const sb_linkage_data *)self)->linkage;
  double *scratch = at->own + l->scratch.closures;
  if (l->closures == NULL) {
    return 1;
  }
  const int closures = l->closing_count + l->coupled_count;
  double *parts =
      words == NULL ? NULL : sb_zeroed(closures + l->velocities + l->body_count, sizeof *parts);
  if (parts == NULL) {
    return sb_closures_clearance(l->closures, l->rank, scratch, NULL, NULL, NULL);
  }
  double *rates = parts + closures, *joints = rates + l->velocities;
  int lost;
  const double clearance =
      sb_closures_clearance(l->closures, l->rank, scratch, parts, rates, &lost);
  for (int k = 0; k < l->body_count; k++) {
    const sb_tree_joint joint = sb_tree_joint_of(l->tree, k);
    for (int i = 0; i < joint.velocities; i++) {
      joints[k] += rates[joint.velocity + i];
    }
  }
  const int freedoms = l->velocities - l->rank;
  put_closed(words, l, parts, lost);
  if (lost > 0) {
    sb_text_put(words, " lose rank there, and ");
    put_names(words, joint_id, l, joints, l->body_count);
    sb_text_put(words, " may branch (%d degrees of freedom in place of %d)", freedoms + lost,
                freedoms);
  }
  free(parts);
  return clearance;
}

void sb_linkage_hint_carrier(const sb_linkage *l, const sb_mechanism_joint *closing,
                             sb_error *err) {
  for (int k = 0; k < l->body_count; k++) {
    if (l->bodies[k].body == closing->child && l->bodies[k].joint >= 0) {
      sb_error_hint(err,
                    "the joint '%s' carries '%s' already, so that '%s' closes a loop: its frames "
                    "must meet there",
                    l->mechanism->joints[l->bodies[k].joint]->id,
                    l->mechanism->bodies[closing->child]->id, closing->id);
    }
  }
}
