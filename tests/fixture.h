// SPDX-License-Identifier: GPL-3.0-or-later
// What tests share beside the comparisons of near.h: networks built, read, compiled and run, the
// energy balance of a run, messages of models that cannot be compiled, and files.
#ifndef SB_TESTS_FIXTURE_H
#define SB_TESTS_FIXTURE_H

#include "tests/near.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "screwbond.h"

// ---- graphs

static inline sb_element *add_element(sb_graph *graph, const sb_element_type *type,
                                      const char *id) {
  sb_error err = {0};
  sb_element *element = NULL;
  ok(sb_graph_add(graph, type, id, &element, &err), &err);
  return element;
}

static inline void set_values(sb_element *element, const char *name, const double values[],
                              int count) {
  sb_error err = {0};
  ok(sb_element_set(element, name, values, count, &err), &err);
}

static inline void set_value(sb_element *element, const char *name, double value) {
  set_values(element, name, &value, 1);
}

/** A kind of the catalog, with one parameter; NULL: none. */
static inline sb_element *add_kind(sb_graph *graph, const char *kind, const char *id,
                                   const char *param, double value) {
  sb_element *element = add_element(graph, sb_catalog_find(kind), id);
  if (param != NULL) {
    set_value(element, param, value);
  }
  return element;
}

static inline void add_bond(sb_graph *graph, const char *from, const char *to) {
  sb_error err = {0};
  ok(sb_graph_bond(graph, from, to, &err), &err);
}

// ---- netlists and models

static inline void show_errors(const sb_errors *errors) {
  for (int i = 0; i < errors->count; i++) {
    const sb_error *e = &errors->items[i];
    print_error("%s:%d:%d: %d %s (%s)\n", e->file, e->line, e->column, (int)e->status, e->text,
                e->hint);
  }
}

/** The whole text of a netlist, which must be without fault. */
static inline sb_netlist *read_netlist(const char *text, const sb_override *sets, int count) {
  sb_netlist *netlist = NULL;
  sb_errors errors = {0};
  sb_status status =
      sb_netlist_parse("test.xml", text, strlen(text), sets, count, &netlist, &errors);
  show_errors(&errors);
  sb_errors_finish(&errors);
  assert_int_equal(status, SB_OK);
  assert_non_null(netlist);
  return netlist;
}

/** "tests/netlists" of the sources, wherever the test runs. */
static inline void source_path(char path[], size_t size, const char *name) {
  const char *root = getenv("SB_SOURCE_ROOT");
  assert_true((size_t)snprintf(path, size, "%s/%s", root == NULL ? "." : root, name) < size);
}

/** A netlist of examples/, which must be without fault. */
static inline sb_netlist *read_example(const char *file, const sb_override *sets, int count) {
  char name[300], path[1000];
  sb_netlist *netlist = NULL;
  sb_errors errors = {0};
  (void)snprintf(name, sizeof name, "examples/%s", file);
  source_path(path, sizeof path, name);
  sb_status status = sb_netlist_read(path, sets, count, &netlist, &errors);
  show_errors(&errors);
  sb_errors_finish(&errors);
  assert_int_equal(status, SB_OK);
  return netlist;
}

static inline sb_model *compile_graph(const sb_graph *graph) {
  sb_model *model = NULL;
  sb_errors errors = {0};
  sb_status status = sb_model_compile(graph, &model, &errors);
  show_errors(&errors);
  sb_errors_finish(&errors);
  assert_int_equal(status, SB_OK);
  return model;
}

/** Destroys the graph. It does not compile, and the message wanted is among those reported. */
static inline void refuse_graph(sb_graph *graph, sb_status status, const char *text) {
  sb_errors errors = {0};
  sb_model *model;
  sb_status have = sb_model_compile(graph, &model, &errors);
  bool found = false;
  for (int i = 0; i < errors.count; i++) {
    found = found || (errors.items[i].status == status && strcmp(errors.items[i].text, text) == 0);
  }
  if (!found) {
    show_errors(&errors);
    print_error("expected: %d %s\n", (int)status, text);
  }
  assert_true(found);
  assert_int_equal(have, status);
  assert_null(model);
  sb_errors_finish(&errors);
  sb_graph_destroy(graph);
}

// ---- runs

/** A model that runs; the netlist is NULL where a graph was built by hand. */
typedef struct run {
  sb_netlist *netlist;
  sb_model *model;
  sb_simulation *sim;
} run;

static inline sb_options options_of(const char *method, double rtol) {
  sb_options options = sb_options_defaults();
  options.method = sb_method_find(method);
  options.rtol = rtol;
  options.atol = 1e-2 * rtol;
  return options;
}

/** Reads and compiles a netlist; it is not started. */
static inline run prepare(const char *text) {
  run r = {.netlist = read_netlist(text, NULL, 0)};
  r.model = compile_graph(r.netlist->graph);
  return r;
}

/** Starts what is compiled, by options of its own. */
static inline void start_by(run *r, const sb_options *options) {
  sb_error err = {0};
  ok(sb_simulation_create(r->model, options, &r->sim, &err), &err);
}

/** A netlist from its <screwbond> to its end, started as its <run> says. */
static inline run start_netlist(const char *text) {
  run r = prepare(text);
  start_by(&r, &r.netlist->options);
  return r;
}

/** Compiles and starts a graph, and destroys it. */
static inline run start_graph(sb_graph *graph, sb_options options) {
  run r = {.model = compile_graph(graph)};
  sb_graph_destroy(graph);
  start_by(&r, &options);
  return r;
}

/** Destroys the graph. It does not start by these options. */
static inline void refuse_options(sb_graph *graph, sb_options options, sb_status status,
                                  const char *text) {
  sb_error err = {0};
  run r = {.model = compile_graph(graph)};
  sb_graph_destroy(graph);
  assert_int_equal(sb_simulation_create(r.model, &options, &r.sim, &err), status);
  assert_null(r.sim);
  assert_string_equal(err.text, text);
  sb_model_destroy(r.model);
}

/** @param inside  what stands in <screwbond>, without <run> */
static inline run prepare_inside(const char *inside) {
  char text[9000];
  assert_true(snprintf(text, sizeof text,
                       "<screwbond version='1' id='m'>%s<run t-end='9 s'/></screwbond>",
                       inside) < (int)sizeof text);
  return prepare(text);
}

static inline run start(const char *inside, double rtol, double atol) {
  run r = prepare_inside(inside);
  r.netlist->options.rtol = rtol;
  r.netlist->options.atol = atol;
  start_by(&r, &r.netlist->options);
  return r;
}

/** What storages lost at events stands in the list of the events; a gap that closes is known to some 1e-12 m, and what its weight
 *  gains there is no event's loss. */
static inline void assert_losses_listed(const run *r) {
  const sb_ledger *ledger = sb_simulation_ledger(r->sim);
  double sum = 0;
  for (int i = 0; i < ledger->event_count; i++) {
    sum += ledger->events[i].loss;
  }
  assert_near(sum, ledger->total.event_loss, 1e-11 * (1 + ledger->scale));
}

static inline void stop(run *r) {
  if (r->sim != NULL) {
    assert_losses_listed(r);
  }
  sb_simulation_destroy(r->sim);
  sb_model_destroy(r->model);
  if (r->netlist != NULL) {
    sb_netlist_destroy(r->netlist);
  }
}

/** To time t [s], where it must be then. */
static inline void advance(run *r, double t) {
  sb_error err = {0};
  ok(sb_simulation_advance(r->sim, t, &err), &err);
  assert_near(sb_simulation_time(r->sim), t, 0);
}

/** Starts a netlist and goes to t_end [s], as far as that is possible.
 *  @param t  out: where it ended; -1: it did not start */
static inline sb_status try_run(const char *text, double t_end, double *t, sb_error *err) {
  run r = prepare(text);
  *err = (sb_error){0};
  *t = -1;
  sb_status status = sb_simulation_create(r.model, &r.netlist->options, &r.sim, err);
  if (status == SB_OK) {
    status = sb_simulation_advance(r.sim, t_end, err);
    *t = sb_simulation_time(r.sim);
  }
  stop(&r);
  return status;
}

static inline const sb_ledger *ledger_of(const run *r) {
  return sb_simulation_ledger(r->sim);
}

/** The energy balance is met, no structure makes power, and no dissipation gives any. */
static inline void assert_balanced(const run *r) {
  sb_simulation_audit(r->sim);
  assert_true(ledger_of(r)->residual_relative < 1e-9);
  assert_true(ledger_of(r)->structure.residual_relative < 1e-12);
  assert_int_equal(ledger_of(r)->passivity.violations, 0);
}

/** The same to what the tolerance allows; implicit methods meet the balance no better. */
static inline void assert_closes(const run *r) {
  sb_simulation_audit(r->sim);
  const sb_ledger *ledger = ledger_of(r);
  assert_true(ledger->residual_relative < 0.6 * ledger->limit);
  assert_true(ledger->structure.residual_relative < 1e-12);
  assert_int_equal(ledger->passivity.violations, 0);
}

/** Starts the inside of a netlist with tight tolerances and goes to t_end [s]: balanced. */
static inline run go(const char *inside, double t_end) {
  run r = start(inside, 1e-10, 1e-12);
  advance(&r, t_end);
  assert_balanced(&r);
  return r;
}

/** How many events of a kind an element had. */
static inline int events_of(const run *r, const char *kind, const char *element) {
  int count = 0;
  for (int i = 0; i < ledger_of(r)->event_count; i++) {
    const sb_event *event = &ledger_of(r)->events[i];
    count += strcmp(event->kind, kind) == 0 && strcmp(event->element, element) == 0;
  }
  return count;
}

/** [s] of the n-th event of a kind, from 0. */
static inline double event_time(const run *r, const char *kind, int n) {
  for (int i = 0; i < ledger_of(r)->event_count; i++) {
    const sb_event *event = &ledger_of(r)->events[i];
    if (strcmp(event->kind, kind) == 0 && n-- == 0) {
      return event->t;
    }
  }
  fail_msg("no event '%s'", kind);
  return NAN;
}

/** go() with what stands in the place of %s. */
static inline run go_with(const char *format, const char *friction, double t_end) {
  char text[4000];
  assert_true(snprintf(text, sizeof text, format, friction) < (int)sizeof text);
  return go(text, t_end);
}

/** All components of a quantity, now. */
static inline void read_all(const run *r, const char *name, double out[]) {
  sb_error err = {0};
  sb_quantity quantity;
  ok(sb_model_find(r->model, name, &quantity, &err), &err);
  sb_simulation_read(r->sim, &quantity, out);
}

static inline double component(const run *r, const char *name, int k) {
  double out[64];
  read_all(r, name, out);
  return out[k];
}

/** The first component of a quantity, now. */
static inline double value(const run *r, const char *name) {
  return component(r, name, 0);
}

// ---- files

enum { FOLDER_SIZE = 64, PATH_MAX_SIZE = 1200 };

static inline void join_path(char path[PATH_MAX_SIZE], const char *folder, const char *name) {
  assert_true(snprintf(path, PATH_MAX_SIZE, "%s/%s", folder, name) < PATH_MAX_SIZE);
}

/** A new folder under the temporary ones. */
static inline void make_folder(char folder[FOLDER_SIZE]) {
  const char *temporary = getenv("TMPDIR");
  assert_true(snprintf(folder, FOLDER_SIZE, "%s/screwbond_XXXXXX",
                       temporary == NULL ? "/tmp" : temporary) < FOLDER_SIZE);
  assert_non_null(mkdtemp(folder));
}

/** With the files and folders in it. */
static inline void remove_folder(const char *folder) {
  DIR *entries = opendir(folder);
  assert_non_null(entries);
  for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
    char path[PATH_MAX_SIZE];
    struct stat about;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
      continue;
    }
    join_path(path, folder, entry->d_name);
    assert_int_equal(lstat(path, &about), 0);
    if (S_ISDIR(about.st_mode)) {
      remove_folder(path);
    } else {
      assert_int_equal(unlink(path), 0);
    }
  }
  (void)closedir(entries);
  assert_int_equal(rmdir(folder), 0);
}

static inline void write_file(const char *folder, const char *name, const char *text) {
  char path[PATH_MAX_SIZE];
  join_path(path, folder, name);
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  assert_true(fputs(text, out) >= 0);
  assert_int_equal(fclose(out), 0);
}

/** The text of a file, for the caller to free; NULL: there is none. */
static inline char *read_file(const char *folder, const char *name) {
  char path[PATH_MAX_SIZE], *text = NULL;
  size_t length = 0, room = 1 << 12;
  join_path(path, folder, name);
  FILE *in = fopen(path, "r");
  if (in == NULL) {
    return NULL;
  }
  do { // up to the present end: the file may grow
    room *= 2;
    text = realloc(text, room);
    assert_non_null(text);
    length += fread(text + length, 1, room - 1 - length, in);
  } while (length == room - 1);
  text[length] = '\0';
  (void)fclose(in);
  return text;
}

#endif
