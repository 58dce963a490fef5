// SPDX-License-Identifier: GPL-3.0-or-later
// What must not change the energies, for every netlist of examples/, or every second where not thorough: names, order, hierarchy, the
// direction of half arrows, transformers n and 1/n, junctions in two, storages behind gyrators,
// units. A new example is tested by being there. SB_SOURCE_ROOT is the path of the sources.
//
// How alike two runs must be. Energies are those of the ledger, in total, per element and per group,
// by its scale; results are those of <output> at the end, by their largest values.
//   exact       Other names, the hierarchy written out and all half arrows turned round leave the same
//               operations in the same order: everything is the same to the last bit.
//   same steps  All else changes the order of sums, or numbers by factors. A Runge-Kutta step of the
//               rewritten model is the rewritten step, so with fixed steps nothing but rounding is
//               left: 1e-12. A step need not be accurate for that, only stable: where a run of an automatic
//               method turns to implicit steps, their lengths say nothing, and those of the explicit method
//               over its own first steps are taken. Bodies that roll
//               over each other make more of a difference in the last bit, by a thousand and more:
//               1e-10 where there are contacts. The iterations of implicit methods end by the
//               tolerance: for these steps of the same length count as own steps.
//   own steps   Steps that a tolerance chooses move with rounding, and states in other units weigh
//               otherwise beside atol. Two runs then differ by what the tolerance allows: energies
//               by 10 rtol, results by 300 rtol, with the rtol of the example and with one 100 times
//               as large, so that the difference falls with rtol.
#include <glob.h>

#include "tests/fixture.h"
#include "tests/system/rewrite/rewrite.h"

enum { PATH_SIZE = 512 };
static const double rounding = 1e-12, rolling = 1e-10;
/** Each event hands on the rounding of its time. */
static const double rounding_of_event = 1e-13;
/** Steps of a run; longer ones are cut short. A step of an implicit method costs tens of explicit ones; the
 *  first hundred of ring_modulator.xml set out from rest, with currents that are rounding. Of a large model each
 *  step has what the many steps of a small one have: its steps and states together are bounded. */
enum { STEPS_MAX = 100, STATES_MAX = 20000 };
static const double energies_in_rtol = 10, results_in_rtol = 300;

/** Models that magnify what little differs by themselves are run up to a time [s]. */
static const struct {
  const char *file;
  double until;
  const char *reason;
} bounded[] = {
    {"ball_in_cylinder.xml", 0.415,
     "bounces in a round, where steps of one length enlarge rounding by 1e10"},
    {"bicycle.xml", 1, "further weaving says the same"},
    {"double_pendulum_on_plane.xml", 0.09, "38 impacts of 1 ms, each of which magnifies errors"},
    {"hertz_ellipsoids.xml", 1.2,
     "bouncing bodies that tumble are chaotic: 1 nm at the start is 40 nm at 1.2 s, and 17 mm at "
     "the end"},
    {"material_pairs.xml", 0.00009, "impacts of different lengths, as of the steel ball"},
    {"slider_crank.xml", 0.02, "further turns say the same"},
    {"steel_ball.xml", 0.44720,
     "impacts of 0.1 ms between flights of half a second: steps of one length resolve either"},
};

typedef struct rewriting {
  const char *name;
  int (*apply)(rewrite *r);
  double number;
  bool flat; // works on the netlist written out
  bool dual_C, ordered;
  bool exact;
  int manner;  // the only one where thorough, from 1; 0: all
  int minimum; // examples that it must apply to
} rewriting;

static const rewriting rewritings[] = {
    {"names", rewrite_names, .ordered = true, .exact = true, .minimum = 17},
    {"flat", rewrite_flat, .ordered = true, .exact = true, .minimum = 2},
    {"reversed bonds", rewrite_reverse, .flat = true, .exact = true, .minimum = 10},
    {"order 1", rewrite_order, .number = 1, .manner = 1, .minimum = 17},
    {"order 2", rewrite_order, .number = 22, .manner = 2, .minimum = 17},
    {"order 3", rewrite_order, .number = 333, .manner = 3, .minimum = 17},
    {"units", rewrite_units, .minimum = 17},
    {"base units", rewrite_base_units, .minimum = 17},
    {"contacts", rewrite_contacts, .minimum = 5},
    {"reversed one-ports", rewrite_one_ports, .number = 1, .flat = true, .minimum = 10},
    {"every second one-port", rewrite_one_ports, .number = 2, .flat = true, .minimum = 10},
    {"TF 2", rewrite_transform, .number = 2, .flat = true, .minimum = 10},
    {"TF 2.385", rewrite_transform, .number = 2.385, .flat = true, .minimum = 10},
    {"junctions in two", rewrite_split, .flat = true, .minimum = 10},
    {"C as I, r = 1", rewrite_duals, .number = 1, .dual_C = true, .flat = true, .minimum = 5},
    {"C as I", rewrite_duals, .number = 2.385, .dual_C = true, .flat = true, .minimum = 5},
    {"I as C, r = 1", rewrite_duals, .number = 1, .flat = true, .minimum = 9},
    {"I as C", rewrite_duals, .number = 2.385, .flat = true, .minimum = 9},
    {"efforts times 4", rewrite_efforts, .number = 4, .flat = true, .minimum = 10},
    {"efforts times 2.385", rewrite_efforts, .number = 2.385, .flat = true, .minimum = 10},
};
enum { REWRITINGS = sizeof rewritings / sizeof *rewritings };

/** How to run: with steps of the same length, or by a tolerance. */
enum { SAME_STEPS, OWN_STEPS, LOOSE_STEPS, MANNERS };
static const char *const manners[MANNERS] = {"same steps", "own steps", "loose steps"};
static const double tolerances[MANNERS] = {1, 1, 100};

/** An example, and its runs as it is. */
typedef struct example {
  const char *path;
  xmlDoc *docs[2]; // as it is, and written out
  rewrite_run plain[2][MANNERS];
  double step; // [s] of SAME_STEPS
  bool contacts, implicit, hierarchical;
  int steps, steps_max;   // of the run that counts them
  double t;               // [s] where that has come to
  double fraction;        // of its time that is run
  double stable_fraction; // with steps of the same length
} example;

/** Ends a run that has taken its steps, in the middle of the last: its end may be the time of a switch, which rounding puts on either side
 *  of the end of a run. */
static int count_steps(void *context, const sb_simulation *sim, double t) {
  example *e = context;
  const bool last = ++e->steps > e->steps_max;
  (void)sim;
  e->t = last ? 0.5 * (e->t + t) : t;
  return last;
}

static double time_of(const char *path, double t_end) {
  const char *file = strrchr(path, '/') + 1;
  for (size_t i = 0; i < sizeof bounded / sizeof *bounded; i++) {
    t_end = strcmp(file, bounded[i].file) == 0 ? fmin(t_end, bounded[i].until) : t_end;
  }
  return t_end;
}

/** Long runs say no more than their beginnings.
 *  @param method  NULL: its own
 *  @return the part of its time that the steps of the beginning take */
static double beginning(example *e, const char *method) {
  rewrite_run whole;
  sb_error err = {0};
  rewrite_start(&whole, e->path, e->docs[0]);
  if (method != NULL) {
    whole.netlist->options.method = sb_method_find(method);
  }
  e->implicit = whole.netlist->options.method->implicit;
  e->steps = 0;
  e->t = 0;
  e->steps_max = (int)fmin(THOROUGH ? STEPS_MAX : STEPS_MAX / 2,
                           STATES_MAX / fmax(1, sb_model_state_count(whole.model)));
  ok(sb_simulation_create(whole.model, &whole.netlist->options, &whole.sim, &err), &err);
  double end = time_of(e->path, whole.netlist->t_end);
  sb_status status = sb_simulation_run(whole.sim, end, 0, count_steps, e, &err);
  assert_true(status == SB_OK || status == SB_INTERRUPTED);
  const double part = (status == SB_OK ? end : e->t) / whole.netlist->t_end;
  rewrite_stop(&whole);
  return part;
}

/** Steps of one length: half as long as they are on average.
 *  @param r  a run whose steps the tolerance chose */
static void choose_step(example *e, const rewrite_run *r) {
  const sb_ledger *ledger = sb_simulation_ledger(r->sim);
  int steps = (int)(ledger->work.steps + ledger->work.rejected);
  e->stable_fraction = e->fraction;
  if (ledger->work.implicit_steps > 0 && !e->implicit) {
    e->stable_fraction = fmin(beginning(e, "dormand-prince-5"), e->fraction);
    steps = e->steps;
  }
  e->step = e->stable_fraction * r->netlist->t_end / (2 * steps);
}

static double fraction_of(const example *e, int how) {
  return how == SAME_STEPS ? e->stable_fraction : e->fraction;
}

static void begin(example *e, const char *path) {
  rewrite flat;
  *e = (example){.path = path, .docs = {rewrite_load(path)}};
  flat = (rewrite){.doc = xmlCopyDoc(e->docs[0], 1)};
  e->hierarchical = rewrite_flat(&flat) > 0;
  e->docs[1] = flat.doc;
  e->contacts = rewrite_find(xmlDocGetRootElement(flat.doc), "contact") != NULL ||
                rewrite_find(xmlDocGetRootElement(flat.doc), "contacts") != NULL;
  e->fraction = beginning(e, NULL);
  for (int flattened = 0; flattened <= e->hierarchical; flattened++) {
    for (int how = MANNERS - 1; how >= 0; how--) {
      rewrite_run *r = &e->plain[flattened][how];
      rewrite_start(r, path, e->docs[flattened]);
      rewrite_finish(r, path, how == SAME_STEPS ? e->step : 0, tolerances[how], 1,
                     fraction_of(e, how));
      if (how == OWN_STEPS && !flattened) {
        choose_step(e, r);
      }
    }
  }
}

static void end(example *e) {
  for (int flattened = 0; flattened < 2; flattened++) {
    for (int how = 0; how < MANNERS && flattened <= e->hierarchical; how++) {
      rewrite_stop(&e->plain[flattened][how]);
    }
    xmlFreeDoc(e->docs[flattened]);
  }
}

/** The run that a rewritten one is compared with. */
static const rewrite_run *plain_of(const example *e, const rewriting *w, int how) {
  return &e->plain[w->flat && e->hierarchical][how];
}

static void prepare_rewrite(rewrite *r, const rewriting *w, const example *e) {
  *r = (rewrite){.doc = xmlCopyDoc(e->docs[w->flat], 1),
                 .model = plain_of(e, w, OWN_STEPS)->model,
                 .number = w->number,
                 .dual_C = w->dual_C,
                 .ordered = w->ordered,
                 .energy = 1,
                 .time = 1};
  for (int i = 0; i < SB_DIMENSION_BASES; i++) {
    r->base[i] = 1;
  }
}

/** Runs what was rewritten. */
static void run_other(const rewrite *r, const example *e, int how, const char *what,
                      rewrite_run *other) {
  rewrite_start(other, what, r->doc);
  rewrite_finish(other, what, how == SAME_STEPS ? e->step : 0, tolerances[how], r->time,
                 fraction_of(e, how));
}

static void compare(const rewriting *w, const rewrite *r, const example *e, int how) {
  const rewrite_run *plain = plain_of(e, w, how);
  const sb_ledger *was = sb_simulation_ledger(plain->sim), *is;
  double rtol = plain->netlist->options.rtol,
         alike = (e->contacts ? rolling : rounding) + was->event_count * rounding_of_event;
  bool tolerant = how != SAME_STEPS || e->implicit;
  double energies = w->exact ? 0 : tolerant ? energies_in_rtol * rtol : alike;
  double results = w->exact ? 0 : tolerant ? results_in_rtol * rtol : alike;
  char what[PATH_SIZE];
  rewrite_run other;
  (void)snprintf(what, sizeof what, "%s, %s", strrchr(e->path, '/') + 1, w->name);
  run_other(r, e, how, what, &other);
  is = sb_simulation_ledger(other.sim);
  double energy = rewrite_energy_gap(r, was, is), result = rewrite_result_gap(r, plain, &other);
  if (!(energy <= energies && result <= results && is->event_count == was->event_count)) {
    fail_msg("%s, %s: energies are %.3g apart (%.3g), results %.3g (%.3g), with %d events for %d",
             what, manners[how], energy, energies, result, results, is->event_count,
             was->event_count);
  }
  rewrite_stop(&other);
}

/** Whether it is run in this manner. What is the same to the last bit is so in any: own steps tell, as their lengths
 *  follow from the last bits. Three orders are tried, each in a manner of its own. All else is run with the same steps, which tell most, and
 *  every second time with own or loose ones as well, which take turns. A method without an estimate of its error takes the same steps in any manner.
 *  @param turn  the turn; where not thorough all manners take turns */
static bool runs(const rewriting *w, const example *e, int turn, int how) {
  if (!plain_of(e, w, OWN_STEPS)->netlist->options.method->adaptive) {
    return how == SAME_STEPS;
  }
  if (w->exact) {
    return how == OWN_STEPS;
  }
  if (!THOROUGH || w->manner > 0) {
    return how == (THOROUGH ? w->manner - 1 : turn % MANNERS);
  }
  return how == SAME_STEPS || (turn % 2 == 0 && how == (turn % 4 == 0 ? OWN_STEPS : LOOSE_STEPS));
}

/** @return whether the rewriting applies */
static bool check(const rewriting *w, const example *e, int turn) {
  rewrite *r = malloc(sizeof *r);
  assert_non_null(r);
  prepare_rewrite(r, w, e);
  bool applies = w->apply(r) > 0;
  for (int how = 0; how < MANNERS && applies; how++) {
    if (runs(w, e, turn, how)) {
      compare(w, r, e, how);
    }
  }
  xmlFreeDoc(r->doc);
  free(r);
  return applies;
}

/** The comparison sees values that are wrong by some millionths. */
static bool notices_fault(const example *e) {
  static const rewriting fault = {.name = "fault"};
  rewrite *r = malloc(sizeof *r);
  rewrite_run other;
  bool seen = false;
  assert_non_null(r);
  prepare_rewrite(r, &fault, e);
  if (rewrite_fault(r) > 0) {
    const sb_ledger *was = sb_simulation_ledger(e->plain[0][SAME_STEPS].sim);
    run_other(r, e, SAME_STEPS, "fault", &other);
    seen = rewrite_energy_gap(r, was, sb_simulation_ledger(other.sim)) > 1e-8;
    rewrite_stop(&other);
  }
  xmlFreeDoc(r->doc);
  free(r);
  return seen;
}

/** The tree with its imports written out is what the file is. */
static void check_file(const example *e) {
  rewrite *r = malloc(sizeof *r);
  rewrite_run file;
  static const rewriting same = {.name = "file"};
  assert_non_null(r);
  prepare_rewrite(r, &same, e);
  rewrite_start_file(&file, e->path);
  rewrite_finish(&file, e->path, 0, 1, 1, e->fraction);
  assert_near(rewrite_energy_gap(r, sb_simulation_ledger(e->plain[0][OWN_STEPS].sim),
                                 sb_simulation_ledger(file.sim)),
              0, 0);
  assert_near(rewrite_result_gap(r, &e->plain[0][OWN_STEPS], &file), 0, 0);
  rewrite_stop(&file);
  xmlFreeDoc(r->doc);
  free(r);
}

/** Whether the file is a whole netlist; a sub-model runs in those that import it. */
static bool is_netlist(const char *path) {
  xmlDoc *doc = rewrite_load(path);
  bool whole = rewrite_named(xmlDocGetRootElement(doc), "screwbond");
  xmlFreeDoc(doc);
  return whole;
}

static void energies_do_not_change(void **state) {
  glob_t files;
  char pattern[PATH_SIZE];
  int counts[REWRITINGS] = {0}, noticed = 0, examples = 0;
  const char *root = getenv("SB_SOURCE_ROOT");
  (void)state;
  (void)snprintf(pattern, sizeof pattern, "%s/examples/*.xml", root == NULL ? "." : root);
  assert_int_equal(glob(pattern, 0, NULL, &files), 0);
  for (size_t i = 0; i < files.gl_pathc; i += THOROUGH ? 1 : 2) {
    example e;
    if (!is_netlist(files.gl_pathv[i])) {
      continue;
    }
    begin(&e, files.gl_pathv[i]);
    examples++;
    check_file(&e);
    for (int k = 0; k < REWRITINGS; k++) {
      counts[k] += check(&rewritings[k], &e, examples + k);
    }
    noticed += notices_fault(&e);
    end(&e);
  }
  globfree(&files);
  assert_true(examples >= 17);
  assert_true(noticed >= examples - (int)(sizeof bounded / sizeof *bounded)); // a part may hide it
  for (int k = 0; k < REWRITINGS; k++) {
    const int minimum = rewritings[k].minimum / (THOROUGH ? 1 : 2);
    if (counts[k] < minimum) {
      fail_msg("%s: only %d examples, not %d", rewritings[k].name, counts[k], minimum);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(energies_do_not_change)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
