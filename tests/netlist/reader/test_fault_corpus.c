// SPDX-License-Identifier: GPL-3.0-or-later
// The corpus of netlists with faults, each with its messages as a user reads them.
#include "tests/netlist/reader/parsing.h"

enum { PATH = 512, TEXT = 8192 };

/** Looks up what the netlist's outputs name. */
static void find_outputs(const sb_netlist *netlist, const sb_model *model, sb_errors *errors) {
  for (int i = 0; i < netlist->output_count; i++) {
    const sb_netlist_output *output = &netlist->outputs[i];
    sb_quantity quantity;
    sb_error err = {0};
    if (sb_model_find(model, output->of, &quantity, &err) != SB_OK) {
      (void)snprintf(err.file, sizeof err.file, "%s", netlist->file);
      err.line = output->line;
      err.column = output->column;
      sb_errors_add(errors, &err);
    }
  }
}

/** What only the start finds: loops that have no solution, or several. */
static void find_start(const sb_netlist *netlist, const sb_model *model, sb_errors *errors) {
  sb_error err = {0};
  sb_simulation *sim = NULL;
  if (errors->count == 0 && (sb_simulation_create(model, &netlist->options, &sim, &err) != SB_OK ||
                             sb_simulation_check_start(sim, netlist->t_end, &err) != SB_OK)) {
    sb_errors_add(errors, &err);
  }
  sb_simulation_destroy(sim);
}

/** Reads and compiles one file of the corpus, starts it, and writes its faults as in expected.txt. */
static void faults_of(const char *folder, const char *file, char out[], size_t size) {
  char path[2 * PATH], code[8];
  sb_errors errors = {0};
  sb_netlist *netlist;
  sb_model *model = NULL;
  (void)snprintf(path, sizeof path, "%s/%s", folder, file);
  if (sb_netlist_read(path, NULL, 0, &netlist, &errors) == SB_OK &&
      sb_model_compile(netlist->graph, &model, &errors) == SB_OK) {
    find_outputs(netlist, model, &errors);
    find_start(netlist, model, &errors);
  }
  out[0] = '\0';
  size_t used = 0;
  for (int i = 0; i < errors.count && used < size; i++) {
    const sb_error *e = &errors.items[i];
    assert_string_equal(e->file, path);
    assert_true(e->text[0] != '\0');
    used += (size_t)snprintf(out + used, size - used, "%s %s %d %d\n", file,
                             sb_status_code(e->status, code), e->line, e->column);
  }
  sb_model_destroy(model);
  sb_netlist_destroy(netlist);
  sb_errors_finish(&errors);
}

/** Compares the faults of one file with what is expected of it. */
static bool check_file(const char *folder, const char *file, const char *expected) {
  char actual[TEXT];
  faults_of(folder, file, actual, sizeof actual);
  if (strcmp(actual, expected) != 0) {
    print_error("expected:\n%sgot:\n%s", expected, actual);
    return false;
  }
  return true;
}

static void corpus_of_faults(void **state) {
  (void)state;
  char folder[PATH], path[PATH + 16], line[PATH], file[PATH] = "", expected[TEXT] = "";
  source_path(folder, sizeof folder, "tests/netlists/bad");
  (void)snprintf(path, sizeof path, "%s/expected.txt", folder);
  FILE *table = fopen(path, "r");
  assert_non_null(table);
  int files = 0, wrong = 0;
  for (bool more = true; more;) {
    more = fgets(line, sizeof line, table) != NULL;
    size_t length = more ? strcspn(line, " ") : 0;
    if (more && line[0] == '#') {
      continue;
    }
    if (file[0] != '\0' && (!more || strlen(file) != length || memcmp(file, line, length) != 0)) {
      wrong += !check_file(folder, file, expected);
      files++;
      expected[0] = '\0';
    }
    (void)snprintf(file, sizeof file, "%.*s", (int)length, line);
    strncat(expected, more ? line : "", sizeof expected - strlen(expected) - 1);
  }
  (void)fclose(table);
  assert_true(files >= 340);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(corpus_of_faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
