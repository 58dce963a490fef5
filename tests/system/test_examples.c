// SPDX-License-Identifier: GPL-3.0-or-later
// Every netlist of examples/ runs through the command, meets its expectations and its energy balance.
// What <expect> cannot say, figures of the ledger, stands here in a table. SB_COMMAND is the path of
// the command, SB_SOURCE_ROOT that of the sources.
#include <glob.h>

#include "tests/command.h"
#include "tests/json_check.h"

enum { PATH_SIZE = 512 };

// The values are those of the comments on top of the files.
static const struct {
  const char *name, *key;
  double value, tolerance;
} figures[] = {
    {"bouncing_ball", "work/events", 18, 0}, // 8 bounces and that of the twin
    {"bouncing_ball_kv", "work/events", 4, 0},
    {"bouncing_ball_kv", "energy/event_loss", 0, 0},
    {"bouncing_ball_kv", "energy/dissipated", 0.238088415041747 + 0.253745291004409, 1e-8},
    {"buck", "energy/event_loss", 0, 1e-15},
    {"dc_motor", "energy/event_loss", 0, 0},
    {"end_stop", "energy/event_loss", 23.544 + 9.28125, 1e-9},
    {"impact_loops", "energy/dissipated", 0.19011250, 1e-9}, // m v^2 (1 - e^2)/2
    {"laws_side_by_side", "energy/dissipated", 1.0022734582497699, 1e-8},
    {"steel_ball", "work/events", 75, 0}, // 38 touches, the last for ever
    {"tumbling_body", "energy/dissipated", 0, 0},
    {"two_ellipsoids", "energy/stored_start", 5.1012, 1e-12},
    {"two_ellipsoids", "work/events", 4, 0},
    {"two_ellipsoids_d0", "energy/dissipated", 0, 0},
    {"two_ellipsoids_d0", "energy/event_loss", 0, 1e-15},
    {"two_ellipsoids_d0", "energy/stored_end", 5.1012, 1e-7},
    {"two_ellipsoids_d3", "work/events", 4, 0},
};

/** Later steps repeat what the first do: the sanitizers see these alone, and of the longest run so does any build. */
enum { FIRST_STEPS = 60 };

static int count_steps(void *context, const sb_simulation *sim, double t) {
  int *steps = context;
  (void)sim, (void)t;
  return ++*steps > FIRST_STEPS;
}

static void run_first_steps(const char *file) {
  sb_errors errors = {0};
  sb_error err = {0};
  run r = {0};
  int steps = 0;
  const sb_status read = sb_netlist_read(file, NULL, 0, &r.netlist, &errors);
  show_errors(&errors);
  assert_int_equal(read, SB_OK);
  r.model = compile_graph(r.netlist->graph);
  start_by(&r, &r.netlist->options);
  const sb_status status = sb_simulation_run(r.sim, r.netlist->t_end, 0, count_steps, &steps, &err);
  if (status != SB_INTERRUPTED) {
    ok(status, &err);
  }
  sb_simulation_audit(r.sim);
  assert_true(ledger_of(&r)->structure.rank_ok);
  assert_true(ledger_of(&r)->residual_relative <= ledger_of(&r)->limit);
  stop(&r);
  sb_errors_finish(&errors);
}

/** "rlc" of ".../rlc.xml". */
static void model_name(const char *path, char name[PATH_SIZE]) {
  const char *slash = strrchr(path, '/'), *start = slash == NULL ? path : slash + 1;
  (void)snprintf(name, PATH_SIZE, "%.*s", (int)strcspn(start, "."), start);
}

static const char *value_at(const char *json, const char *name, const char *key) {
  const char *value = json_at(json, key);
  if (value == NULL) {
    fail_msg("%s: the ledger has no %s", name, key);
  }
  return value;
}

static void check_figures(const char *name, const char *json) {
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
    if (strcmp(figures[i].name, name) == 0) {
      double actual = strtod(value_at(json, name, figures[i].key), NULL);
      if (!(fabs(actual - figures[i].value) <= figures[i].tolerance)) {
        fail_msg("%s: %s is %.15g, expected %.15g", name, figures[i].key, actual, figures[i].value);
      }
    }
  }
}

/** Problems of the test set for initial value problems, a third of the time of all: test_ivp.c has their equations, and the published end
 *  of one. Both run to it where thorough. */
static bool is_long(const char *name) {
  return strcmp(name, "ring_modulator") == 0 || strcmp(name, "transistor_amplifier") == 0;
}

static void check_example(workplace *w, const char *file) {
  char name[PATH_SIZE], audit[PATH_SIZE + 20], line[PATH_SIZE + 20];
  model_name(file, name);
  if (!PLAIN || (!THOROUGH && is_long(name))) {
    run_first_steps(file);
    return;
  }
  (void)snprintf(line, sizeof line, "run '%s'", file);
  expect_code(w, line, 0);
  (void)snprintf(audit, sizeof audit, "%s.out/audit.json", name);
  const char *json = file_text(w, audit);
  assert_true(json_valid(json));
  const char *status = value_at(json, name, "status");
  if (strncmp(status, "\"ok\"", 4) != 0) {
    fail_msg("%s: status %.20s", name, status);
  }
  check_figures(name, json);
}

static bool is_submodel(const char *path) {
  const char *end = strstr(path, ".sub.xml");
  return end != NULL && end[8] == '\0';
}

static void run_all(workplace *w, const char *files) {
  char pattern[PATH_SIZE];
  glob_t examples;
  source_path(pattern, sizeof pattern, files);
  assert_int_equal(glob(pattern, 0, NULL, &examples), 0);
  for (size_t i = 0; i < examples.gl_pathc; i++) {
    if (!is_submodel(examples.gl_pathv[i])) {
      check_example(w, examples.gl_pathv[i]);
    }
  }
  globfree(&examples);
}

static void examples_run_as_their_comments_say(void **state) {
  run_all(*state, "examples/*.xml");
}

static void mechanisms_run_as_their_comments_say(void **state) {
  if (PLAIN) { // no branch that examples have not run
    run_all(*state, "tests/netlists/mechanism/*.xml");
  }
}

static void figures_are_of_examples(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
    char name[PATH_SIZE], path[2 * PATH_SIZE];
    (void)snprintf(name, sizeof name, "examples/%s.xml", figures[i].name);
    source_path(path, sizeof path, name);
    if (access(path, R_OK) != 0) {
      fail_msg("there is no example %s", figures[i].name);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(examples_run_as_their_comments_say, set_up_workplace,
                                      tear_down_workplace),
      cmocka_unit_test_setup_teardown(mechanisms_run_as_their_comments_say, set_up_workplace,
                                      tear_down_workplace),
      cmocka_unit_test(figures_are_of_examples),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
