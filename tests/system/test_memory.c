// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that fails: one call for memory at a time gives nothing, and what is going on must end with
// SB_ERR_MEMORY and a text, or as if nothing had happened where it can do without.
#include "core/analysis/hamiltonian.h"
#include "core/analysis/linearize.h"
#include "tests/fixture.h"

/** Calls of one piece of work that are tried one by one; beyond them every seventh, and so on. */
enum { ALL = 300 };

static long calls, failing; // calls so far, and the one that fails; 0: none
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

static bool fails(void) {
  return ++calls == failing;
}
void *__wrap_malloc(size_t size) {
  return fails() ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
  return fails() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *block, size_t size) {
  return fails() ? NULL : __real_realloc(block, size);
}

/** What the work is done on: those before it are made without faults. */
typedef struct subject {
  const char *path;
  sb_netlist *netlist;
  sb_model *model;
} subject;

static sb_status first_of(sb_errors *errors, sb_status status, sb_error *err) {
  if (errors->count > 0) {
    *err = errors->items[0];
  }
  sb_errors_finish(errors);
  return status;
}

static sb_status do_read(const subject *s, sb_error *err) {
  sb_netlist *netlist = NULL;
  sb_errors errors = {0};
  sb_status status = sb_netlist_read(s->path, NULL, 0, &netlist, &errors);
  sb_netlist_destroy(netlist);
  return first_of(&errors, status, err);
}

static sb_status do_compile(const subject *s, sb_error *err) {
  sb_model *model = NULL;
  sb_errors errors = {0};
  sb_status status = sb_model_compile(s->netlist->graph, &model, &errors);
  sb_model_destroy(model);
  return first_of(&errors, status, err);
}

static sb_status do_check(const subject *s, sb_error *err) {
  char *text = NULL;
  sb_status status = sb_model_describe(s->model, false, &text, err);
  free(text);
  if (status == SB_OK) {
    status = sb_model_equations(s->model, false, &text, err);
    free(text);
  }
  return status == SB_ERR_LIMIT || status == SB_ERR_SINGULAR ? SB_OK : status;
}

static int ignore(void *context, const sb_simulation *sim, double t) {
  (void)context, (void)sim, (void)t;
  return 0;
}

static sb_status do_run(const subject *s, sb_error *err) {
  sb_simulation *sim = NULL;
  sb_status status = sb_simulation_create(s->model, &s->netlist->options, &sim, err);
  if (status == SB_OK) {
    double end = s->netlist->options.t_start + 1e-3 * s->netlist->t_end;
    status = sb_simulation_run(sim, end, end / 3, ignore, NULL, err);
  }
  sb_simulation_destroy(sim);
  return status;
}

static sb_status do_linearize(const subject *s, sb_error *err) {
  sb_simulation *sim = NULL;
  sb_linear *linear = NULL;
  sb_mode modes[64];
  sb_status status = sb_simulation_create(s->model, &s->netlist->options, &sim, err);
  if (status == SB_OK) {
    status = sb_linearize(sim, &(sb_linear_request){0}, &linear, err);
  }
  if (status == SB_OK) {
    assert_true(linear->states <= 64);
    status = sb_linear_modes(linear, modes, err);
  }
  sb_linear_destroy(linear);
  sb_simulation_destroy(sim);
  return status;
}

static int wrong;

/** Lets one call after the other fail. */
static void try_all(const char *what, sb_status (*work)(const subject *s, sb_error *err),
                    const subject *s) {
  sb_error err = {0};
  failing = calls = 0;
  ok(work(s, &err), &err);
  long total = calls;
  for (long k = 1; k <= total; k += k < ALL ? 1 : 7 + total / 200) {
    err = (sb_error){0};
    calls = 0;
    failing = k;
    sb_status status = work(s, &err);
    failing = 0;
    if (status != SB_OK && (status != SB_ERR_MEMORY || err.text[0] == '\0')) {
      print_error("%s of %s, call %ld of %ld: %d '%s'\n", what, s->path, k, total, (int)status,
                  err.text);
      wrong++;
    }
  }
}

static void every_call(void **state) {
  (void)state;
  static const char *const files[] = {"rlc.xml",   "dc_motor_gear.xml", "diode.xml",
                                      "crank.xml", "bouncing_ball.xml", "loudspeaker.xml",
                                      "gear.xml"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char name[100], path[1000];
    (void)snprintf(name, sizeof name, "examples/%s", files[i]);
    source_path(path, sizeof path, name);
    subject s = {.path = path, .netlist = read_example(files[i], NULL, 0)};
    s.model = compile_graph(s.netlist->graph);
    try_all("reading", do_read, &s);
    try_all("compiling", do_compile, &s);
    try_all("describing", do_check, &s);
    try_all("running", do_run, &s);
    try_all("linearising", do_linearize, &s);
    sb_model_destroy(s.model);
    sb_netlist_destroy(s.netlist);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_call)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
