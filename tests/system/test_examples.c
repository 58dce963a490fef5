// SPDX-License-Identifier: GPL-3.0-or-later
// Every netlist of examples/ runs through the command, meets its expectations and closes its books.
// What <expect> cannot say, figures of the ledger, stands here in a table. SB_COMMAND is the path of
// the command, SB_SOURCE_ROOT that of the sources.
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/json_check.h"
#include "tests/near.h"

enum { TEXT_MAX = 1 << 18, PATH_SIZE = 512 };

/** A folder to work in, and the last ledger. */
typedef struct world {
  char folder[40];
  char text[TEXT_MAX];
  glob_t examples;
} world;

// The values are those of the comments on top of the files.
static const struct {
  const char *name, *key;
  double value, tolerance;
} figures[] = {
    {"bouncing_ball", "work/events", 18, 0}, // 8 bounces and that of the twin
    {"bouncing_ball_kv", "work/events", 4, 0},
    {"bouncing_ball_kv", "energy/event_loss", 0.0161911584958252, 1e-9},
    {"bouncing_ball_kv", "energy/dissipated", 0.221897256545922 + 0.253745291004409, 1e-8},
    {"buck", "energy/event_loss", 0, 1e-15},
    {"dc_motor", "energy/event_loss", 0, 0},
    {"end_stop", "energy/event_loss", 23.544 + 9.28125, 1e-9},
    {"tumbling_body", "energy/dissipated", 0, 0},
    {"two_ellipsoids", "energy/stored_start", 5.1012, 1e-12},
    {"two_ellipsoids", "work/events", 4, 0},
    {"two_ellipsoids_d0", "energy/dissipated", 0, 0},
    {"two_ellipsoids_d0", "energy/event_loss", 0, 1e-15},
    {"two_ellipsoids_d0", "energy/stored_end", 5.1012, 1e-7},
    {"two_ellipsoids_d3", "work/events", 4, 0},
};

static const char *setting(const char *name) {
  const char *value = getenv(name);
  if (value == NULL) {
    fail_msg("%s is not set", name);
  }
  return value;
}

static int set_up(void **state) {
  world *w = calloc(1, sizeof *w);
  if (w == NULL) {
    return -1;
  }
  (void)snprintf(w->folder, sizeof w->folder, "/tmp/sb_examples_XXXXXX");
  *state = w;
  return mkdtemp(w->folder) != NULL ? 0 : -1;
}

static int tear_down(void **state) {
  world *w = *state;
  char remove_all[80];
  (void)snprintf(remove_all, sizeof remove_all, "rm -rf %s", w->folder);
  int failed = system(remove_all);
  globfree(&w->examples);
  free(w);
  return failed;
}

/** "rlc" of ".../rlc.xml". */
static void model_name(const char *path, char name[PATH_SIZE]) {
  const char *slash = strrchr(path, '/'), *start = slash == NULL ? path : slash + 1;
  (void)snprintf(name, PATH_SIZE, "%.*s", (int)strcspn(start, "."), start);
}

/** Runs the command in the folder; its complaints go to a file "log". */
static int run_command(const world *w, const char *file) {
  const char *command = setting("SB_COMMAND");
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    int log = chdir(w->folder) == 0 ? open("log", O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    int nowhere = open("/dev/null", O_WRONLY);
    if (log >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0 && dup2(log, STDERR_FILENO) >= 0) {
      (void)execl(command, command, "run", file, (char *)NULL);
    }
    _exit(126);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static const char *read_file(world *w, const char *path) {
  char full[2 * PATH_SIZE];
  (void)snprintf(full, sizeof full, "%s/%s", w->folder, path);
  FILE *in = fopen(full, "r");
  if (in == NULL) {
    fail_msg("there is no file %s", full);
  }
  w->text[fread(w->text, 1, TEXT_MAX - 1, in)] = '\0';
  (void)fclose(in);
  return w->text;
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

static void check_example(world *w, const char *file) {
  char name[PATH_SIZE], audit[PATH_SIZE + 20];
  model_name(file, name);
  int code = run_command(w, file);
  if (code != 0) {
    fail_msg("%s: exit %d\n%s", name, code, read_file(w, "log"));
  }
  (void)snprintf(audit, sizeof audit, "%s.out/audit.json", name);
  const char *json = read_file(w, audit);
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

static void examples_run_as_their_comments_say(void **state) {
  world *w = *state;
  char pattern[PATH_SIZE];
  (void)snprintf(pattern, sizeof pattern, "%s/examples/*.xml", setting("SB_SOURCE_ROOT"));
  assert_int_equal(glob(pattern, 0, NULL, &w->examples), 0);
  for (size_t i = 0; i < w->examples.gl_pathc; i++) {
    if (!is_submodel(w->examples.gl_pathv[i])) {
      check_example(w, w->examples.gl_pathv[i]);
    }
  }
}

static void figures_are_of_examples(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
    char path[PATH_SIZE];
    (void)snprintf(path, sizeof path, "%s/examples/%s.xml", setting("SB_SOURCE_ROOT"),
                   figures[i].name);
    if (access(path, R_OK) != 0) {
      fail_msg("there is no example %s", figures[i].name);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(examples_run_as_their_comments_say, set_up, tear_down),
      cmocka_unit_test(figures_are_of_examples),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
