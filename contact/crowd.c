// SPDX-License-Identifier: GPL-3.0-or-later
// The contacts of a crowd: whose gap may be below the margin has one. Two shapes are as far apart as the balls that hold
// them at least, and that lower bound shrinks no faster than the centres of the balls move. So with the margin m, none is
// missing until the two that have moved most have moved by m together.
//
// Pairs are found by sorting and sweeping: the balls, each larger by half the margin, in the order of their
// lower ends along one axis; those that overlap there are compared (Cohen, Lin, Manocha and Ponamgi, I-COLLIDE, 1995).
// Shapes that no ball holds, few of them, are compared with all. Contacts are added in the order of the parties.
#include "contact/crowd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/expressed.h"
#include "contact/sweep.h"
#include "core/base/arena.h"
#include "core/base/array.h"
#include "core/base/names.h"
#include "core/graph/neighbours.h"
#include "geometry/closest.h"

/** The margin, as a fraction of the mean reach of the shapes, if none is given: a wider one is renewed less often,
 *  but more contacts are monitored. */
static const double margin_of_reach = 0.3;

enum { PARTY_NAME_MAX = 200, ID_SIZE = 460 };

typedef struct crowd {
  sb_arena memory;
  sb_party *parties; // (count)
  int count;
  sb_names names;   // of the parties, as far as they are in the id of a contact -> index
  int (*except)[2]; // (except_count) first smaller; sorted
  int except_count;
  sb_contact_law law;
  double margin;
} crowd;

static void destroy(void *self) {
  crowd *c = self;
  if (c != NULL) {
    sb_contact_law_finish(&c->law);
    sb_names_finish(&c->names);
    sb_arena_finish(&c->memory);
    free(c);
  }
}

static int compare_pairs(const void *left, const void *right) {
  const int *a = left, *b = right;
  return a[0] != b[0] ? (a[0] > b[0]) - (a[0] < b[0]) : (a[1] > b[1]) - (a[1] < b[1]);
}

static bool copy_parties(crowd *c, const sb_party parties[], int count) {
  c->parties = sb_arena_zeroed(&c->memory, count, sizeof *parties);
  for (int i = 0; i < count && !c->memory.failed; i++) {
    c->parties[c->count] = parties[i];
    c->parties[c->count].body = sb_arena_copy(&c->memory, parties[i].body, strlen(parties[i].body));
    c->parties[c->count++].name =
        sb_arena_copy(&c->memory, parties[i].name, strlen(parties[i].name));
  }
  return !c->memory.failed;
}

static bool index_names(crowd *c) {
  for (int i = 0; i < c->count; i++) {
    const size_t length = strnlen(c->parties[i].name, PARTY_NAME_MAX);
    const char *name = sb_arena_copy(&c->memory, c->parties[i].name, length);
    if (name == NULL ||
        (sb_names_find(&c->names, name, length) < 0 && !sb_names_add(&c->names, name, i))) {
      return false;
    }
  }
  return true;
}

static void word_id(const crowd *c, int i, int j, char id[ID_SIZE]) {
  (void)snprintf(id, ID_SIZE, "contact(%.*s,%.*s)", PARTY_NAME_MAX, c->parties[i].name,
                 PARTY_NAME_MAX, c->parties[j].name);
}

/** NULL: out of memory. */
static crowd *make(const sb_crowd_spec *spec) {
  crowd *c = calloc(1, sizeof *c);
  sb_error unused;
  if (c == NULL) {
    return NULL;
  }
  c->law = spec->law;
  c->law.potential.energy = c->law.damping_force = NULL;
  c->margin = spec->margin;
  c->except = sb_arena_zeroed(&c->memory, spec->except_count, sizeof *c->except);
  bool ok = copy_parties(c, spec->parties, spec->count) && index_names(c);
  for (int i = 0; ok && i < spec->except_count; i++) {
    int a = spec->except[i][0], b = spec->except[i][1];
    c->except[i][0] = a < b ? a : b;
    c->except[i][1] = a < b ? b : a;
    c->except_count++;
  }
  if (ok && c->except_count > 0) {
    qsort(c->except, (size_t)c->except_count, sizeof *c->except, compare_pairs);
  }
  if (!ok || sb_contact_law_copy_expressions(&spec->law, &c->law, &unused) != SB_OK) {
    destroy(c);
    return NULL;
  }
  return c;
}

static void *copy(const void *self) {
  const crowd *c = self;
  const sb_crowd_spec spec = {c->parties,      c->count, (const int(*)[2])c->except,
                              c->except_count, c->law,   c->margin};
  return make(&spec);
}

static const sb_pose *pose_of(const double signals[], int party) {
  return (const sb_pose *)(const void *)(signals + 12 * party);
}

static sb_vec3 center_of(const crowd *c, const double signals[], int party) {
  return sb_pose_point(*pose_of(signals, party), c->parties[party].surface.local.position);
}

/** Whether a pair may have a contact at all. */
static bool may_meet(const crowd *c, int i, int j) {
  const sb_party *a = &c->parties[i], *b = &c->parties[j];
  const int pair[2] = {i, j};
  return !(a->fixed && b->fixed) && strcmp(a->body, b->body) != 0 &&
         (c->except_count == 0 ||
          bsearch(pair, c->except, (size_t)c->except_count, sizeof pair, compare_pairs) == NULL);
}

/** A shape that no ball holds bounds nothing if it turns: it is near to all. */
static bool is_boundless(const sb_party *party) {
  return !isfinite(party->surface.reach);
}

static bool is_near(const crowd *c, const double signals[], int i, int j) {
  const sb_party *a = &c->parties[i], *b = &c->parties[j];
  double least;
  sb_vec3 normal, place[2];
  (void)sb_closest_far(&a->surface, pose_of(signals, i), &b->surface, pose_of(signals, j), &least,
                       &normal, place);
  bool turns = (is_boundless(a) && !a->fixed) || (is_boundless(b) && !b->fixed);
  return turns || !(least >= c->margin);
}

static sb_contact_spec spec_of(const crowd *c, int i, int j) {
  const sb_party *a = &c->parties[i], *b = &c->parties[j];
  return (sb_contact_spec){.body = {a->body, b->body},
                           .surface = {a->surface, b->surface},
                           .material = {a->material, b->material},
                           .law = c->law};
}

static sb_status add_contact(const crowd *c, int i, int j, sb_graph *graph, sb_error *err) {
  char id[ID_SIZE];
  sb_contact_spec spec = spec_of(c, i, j);
  word_id(c, i, j, id);
  spec.id = id;
  return sb_contact_add(graph, &spec, err);
}

/** All pairs that are near, sorted. */
static bool find_pairs(const crowd *c, const double signals[], sb_sweep *sweep) {
  for (int i = 0; i < c->count; i++) {
    double reach = c->parties[i].surface.reach + 0.5 * c->margin;
    if (!sb_sweep_add(sweep, i, center_of(c, signals, i), reach)) {
      return false;
    }
  }
  return sb_sweep_run(sweep);
}

/** The pair of an id that word_id() makes, by the comma between two names. @return false: none of the crowd */
static bool find_pair(const crowd *c, const char *id, int pair[2]) {
  const size_t length = strlen(id), begin = strlen("contact(");
  const char *last = id + length - 1;
  if (strncmp(id, "contact(", begin) != 0 || *last != ')') {
    return false;
  }
  for (const char *comma = strchr(id, ','); comma != NULL; comma = strchr(comma + 1, ',')) {
    pair[0] = sb_names_find(&c->names, id + begin, (size_t)(comma - id) - begin);
    pair[1] = sb_names_find(&c->names, comma + 1, (size_t)(last - comma - 1));
    if (pair[0] >= 0 && pair[1] > pair[0]) {
      return true;
    }
  }
  return false;
}

/** The pairs of the crowd among the elements that last, sorted. @return how many */
static int find_lasting(const crowd *c, sb_lasting lasting, int (*pairs)[2]) {
  int count = 0;
  for (int k = 0; k < lasting.count; k++) {
    const int *pair = pairs[count]; // of another crowd, perhaps, which this one leaves out
    count += find_pair(c, lasting.ids[k], pairs[count]) && may_meet(c, pair[0], pair[1]);
  }
  if (count > 0) {
    qsort(pairs, (size_t)count, sizeof *pairs, compare_pairs);
  }
  return count;
}

/** Those of the sweep that are near, and those that last, in their common order. */
static sb_status add_pairs(const crowd *c, const double signals[], const sb_sweep *sweep,
                           int (*lasting)[2], int count, sb_graph *graph, sb_error *err) {
  for (int k = 0, l = 0; k < sweep->pair_count || l < count;) {
    const int order = k == sweep->pair_count ? 1
                      : l == count           ? -1
                                             : compare_pairs(sweep->pairs[k], lasting[l]);
    const int *pair = order <= 0 ? sweep->pairs[k] : lasting[l];
    if (order >= 0 || (may_meet(c, pair[0], pair[1]) && is_near(c, signals, pair[0], pair[1]))) {
      SB_TRY(add_contact(c, pair[0], pair[1], graph, err));
    }
    k += order <= 0;
    l += order >= 0;
  }
  return SB_OK;
}

static sb_status populate(const void *self, const double signals[], sb_lasting lasting,
                          sb_graph *graph, sb_error *err) {
  const crowd *c = self;
  sb_sweep sweep = {0};
  int(*pairs)[2] = sb_zeroed(lasting.count, sizeof *pairs);
  sb_status status = pairs != NULL && find_pairs(c, signals, &sweep)
                         ? SB_OK
                         : sb_fail(err, SB_ERR_MEMORY, "out of memory");
  if (status == SB_OK) {
    const int count = find_lasting(c, lasting, pairs);
    status = add_pairs(c, signals, &sweep, pairs, count, graph, err);
  }
  sb_sweep_finish(&sweep);
  free(pairs);
  return status;
}

static double room(const void *self, const double then[], const double now[]) {
  const crowd *c = self;
  double first = 0, second = 0; // the largest motions
  for (int i = 0; i < c->count; i++) {
    if (is_boundless(&c->parties[i])) {
      continue;
    }
    double moved = sb_vec3_norm(sb_vec3_sub(center_of(c, now, i), center_of(c, then, i)));
    second = fmax(second, fmin(first, moved));
    first = isnan(moved) ? NAN : fmax(first, moved);
    if (isnan(first)) {
      return NAN;
    }
  }
  return 1 - (first + second) / c->margin;
}

static const sb_neighbour_hooks hooks = {
    .copy = copy, .destroy = destroy, .populate = populate, .room = room};

/** Whether an earlier pair is of the same kinds of surfaces and materials: it passes the same checks. */
static bool is_alike(const sb_party *a, const sb_party *b) {
  return a->surface.type == b->surface.type &&
         memcmp(&a->material, &b->material, sizeof a->material) == 0;
}

/** For each party the first that is like it. */
static void find_kinds(const crowd *c, int kinds[]) {
  for (int i = 0; i < c->count; i++) {
    kinds[i] = i;
    for (int k = 0; k < i && kinds[i] == i; k++) {
      kinds[i] = kinds[k] == k && is_alike(&c->parties[k], &c->parties[i]) ? k : i;
    }
  }
}

/** Every pair that may meet, one for all of the same kinds. */
static sb_status check_kinds(const crowd *c, const int kinds[], bool checked[], sb_error *err) {
  for (int i = 0; i < c->count; i++) {
    SB_TRY(sb_surface_check(&c->parties[i].surface, err));
    for (int j = i + 1; j < c->count; j++) {
      bool *done = &checked[(size_t)kinds[i] * (size_t)c->count + (size_t)kinds[j]];
      if (!*done && may_meet(c, i, j)) {
        sb_contact_spec spec = spec_of(c, i, j);
        *done = true;
        SB_TRY(sb_contact_check(&spec, err));
      }
    }
  }
  return SB_OK;
}

static sb_status check_pairs(const crowd *c, sb_error *err) {
  sb_arena scratch = {0};
  int *kinds = sb_arena_zeroed(&scratch, c->count, sizeof(int));
  bool *checked = sb_arena_zeroed(&scratch, c->count, (size_t)c->count * sizeof *checked);
  if (!scratch.failed) {
    find_kinds(c, kinds);
  }
  sb_status status = scratch.failed ? sb_fail(err, SB_ERR_MEMORY, "out of memory")
                                    : check_kinds(c, kinds, checked, err);
  sb_arena_finish(&scratch);
  return status;
}

/** The margin that was asked for, or a fraction of the mean reach. */
static sb_status choose_margin(crowd *c, sb_error *err) {
  double sum = 0;
  int count = 0;
  for (int i = 0; i < c->count; i++) {
    if (!is_boundless(&c->parties[i]) && !c->parties[i].fixed) {
      sum += c->parties[i].surface.reach;
      count++;
    }
  }
  if (c->margin == 0 && count > 0) {
    c->margin = margin_of_reach * sum / count;
  }
  return c->margin > 0 && isfinite(c->margin)
             ? SB_OK
             : sb_fail(
                   err, SB_ERR_RANGE,
                   "contacts need a positive margin: no moving shape has a size to take it from");
}

sb_status sb_crowd_add(sb_graph *graph, const sb_crowd_spec *spec, sb_error *err) {
  crowd *c = make(spec);
  const char **bodies = sb_zeroed(spec->count, sizeof *bodies);
  sb_status status = c == NULL || bodies == NULL ? sb_fail(err, SB_ERR_MEMORY, "out of memory")
                                                 : choose_margin(c, err);
  if (status == SB_OK) {
    status = check_pairs(c, err);
  }
  for (int i = 0; i < spec->count && bodies != NULL; i++) {
    bodies[i] = spec->parties[i].body;
  }
  if (status == SB_OK) {
    status = sb_graph_monitor(graph, &hooks, c, bodies, spec->count, "pose", err);
  } else {
    destroy(c);
  }
  free(bodies);
  return status;
}
