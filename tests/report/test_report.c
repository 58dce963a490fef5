// SPDX-License-Identifier: GPL-3.0-or-later
// report/: JSON that a strict reader accepts whatever the names and numbers, CSV that reads back
// the same numbers, and files that appear whole or not at all.
#include "report/report.h"

#include "report/results.h"
#include "report/whole_file.h"
#include "tests/fixture.h"
#include "tests/json_check.h"

/** A ledger with an element whose name needs every kind of escape. */
typedef struct sample {
  sb_account elements[2];
  sb_account group;
  sb_event event;
  sb_part parts[2];
  sb_ledger ledger;
  sb_expect_result expect;
  sb_final_value final;
  sb_report report;
} sample;

static void make(sample *f) {
  *f = (sample){0};
  f->elements[0] = (sb_account){.id = "a\"b\\c\n\t\x01", .kind = "C", .stored_end = 2.385};
  f->elements[1] = (sb_account){.id = "R\xc3\xa9,1", .kind = "R", .role = SB_DISSIPATION};
  f->elements[1].dissipated = 0.1;
  f->group = (sb_account){.id = "losses", .dissipated = 0.1};
  f->event = (sb_event){
      .t = 0.25, .kind = "touch", .element = "contact(a,b)", .loss = 1.0 / 3.0, .steps = 17};
  f->parts[0] = (sb_part){.account = {.id = "V\"1"}, .element_count = 1};
  f->parts[1] = (sb_part){.account = {.id = "m", .stored_start = 2.5, .dissipated = 0.75},
                          .element_count = 3,
                          .scale = 2.385,
                          .rounding = 1e-15,
                          .residual_max = 2.385e-10,
                          .residual_relative = 1e-10,
                          .residual_time = 0.5,
                          .residual_element = "k"};
  f->ledger = (sb_ledger){.t_end = 1.5,
                          .scale = 2.385,
                          .limit = 1e-8,
                          .residual_relative = 1e-10,
                          .structure = {.rank_ok = true, .checked = 7, .limit = 1e-12},
                          .parts = f->parts,
                          .part_count = 2,
                          .worst_part = 1,
                          .elements = f->elements,
                          .element_count = 2,
                          .groups = &f->group,
                          .group_count = 1,
                          .events = &f->event,
                          .event_count = 1};
  f->expect = (sb_expect_result){
      .of = "C1.e", .at = 0.02, .expected = 5, .actual = 4.5, .tolerance = 0.1, .ok = false};
  f->final = (sb_final_value){"C1.e", 4.5};
  f->report = (sb_report){.model = "m",
                          .version = "0.1.0",
                          .method = "dormand-prince-5",
                          .wall = 0.5,
                          .ledger = &f->ledger,
                          .finals = &f->final,
                          .final_count = 1};
}

/** What a writer writes; the caller frees it. */
static char *written(void (*write)(const sb_report *, FILE *), const sb_report *report) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  write(report, out);
  assert_int_equal(fclose(out), 0);
  return text;
}

static void checker_is_strict(void **state) {
  (void)state;
  static const char *const good[] = {"{}", " [1, -0.5e+3, \"\\u00e9\\n\", {\"a\": null}] ", "true"};
  static const char *const bad[] = {"",    "{",  "[1,]",     "{\"a\" 1}", "01",
                                    "1.",  ".5", "\"\x01\"", "\"\\x\"",   "[1] 2",
                                    "nan", "+1", "{a:1}",    "1e"};
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    assert_true(json_valid(good[i]));
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    assert_false(json_valid(bad[i]));
  }
}

static void json_has_every_key(void **state) {
  (void)state;
  static const char *const keys[] = {"model",
                                     "status",
                                     "version",
                                     "time/start",
                                     "time/end",
                                     "method",
                                     "work/steps",
                                     "work/rejected",
                                     "work/rhs",
                                     "work/jacobians",
                                     "work/events",
                                     "work/wall_s",
                                     "energy/stored_start",
                                     "energy/stored_end",
                                     "energy/supplied",
                                     "energy/dissipated",
                                     "energy/event_loss",
                                     "energy/scale",
                                     "energy/residual_max",
                                     "energy/residual_relative",
                                     "energy/residual_time",
                                     "energy/residual_element",
                                     "energy/limit",
                                     "structure/checked",
                                     "structure/residual_relative",
                                     "structure/skew_relative",
                                     "structure/rank_ok",
                                     "structure/worst",
                                     "passivity/violations",
                                     "passivity/worst",
                                     "energy/part",
                                     "structure/limit",
                                     "elements",
                                     "groups",
                                     "parts",
                                     "events",
                                     "expect",
                                     "final",
                                     "final/C1.e"};
  sample f;
  make(&f);
  f.report.expects = &f.expect;
  f.report.expect_count = 1;
  char *text = written(sb_report_json, &f.report);
  assert_true(json_valid(text));
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    if (json_at(text, keys[i]) == NULL) {
      fail_msg("no key %s in %s", keys[i], text);
    }
  }
  assert_near(strtod(json_at(text, "time/end"), NULL), 1.5, 0);
  assert_near(strtod(json_at(text, "energy/limit"), NULL), 1e-8, 0);
  assert_contains(text, "{\"id\": \"R\xc3\xa9,1\", \"kind\": \"R\", \"role\": \"dissipation\", "
                        "\"stored_start\": 0, \"stored_end\": 0, \"supplied\": 0, "
                        "\"dissipated\": 0.1, \"event_loss\": 0}");
  assert_contains(text, "{\"id\": \"losses\", \"stored_start\": 0, ");
  assert_contains(text,
                  "{\"id\": \"m\", \"elements\": 3, \"stored_start\": 2.5, \"stored_end\": 0, "
                  "\"supplied\": 0, \"dissipated\": 0.75, \"event_loss\": 0, "
                  "\"scale\": 2.385, \"rounding\": 1e-15, \"residual_max\": 2.385e-10, "
                  "\"residual_relative\": 1e-10, \"residual_time\": 0.5, "
                  "\"residual_element\": \"k\", \"resolved\": true}");
  assert_contains(text, "{\"t\": 0.25, \"kind\": \"touch\", \"element\": \"contact(a,b)\", "
                        "\"loss\": 0.333");
  assert_contains(text, "{\"of\": \"C1.e\", \"at\": 0.02, \"expected\": 5, "
                        "\"actual\": 4.5, \"ok\": false}");
  free(text);
}

static void json_survives_what_is_not_finite(void **state) {
  (void)state;
  sample f;
  make(&f);
  f.ledger.residual_max = NAN;
  f.ledger.scale = INFINITY;
  f.elements[0].supplied = -INFINITY;
  f.ledger.structure.worst = NULL;
  char *text = written(sb_report_json, &f.report);
  assert_true(json_valid(text));
  assert_int_equal(strncmp(json_at(text, "energy/residual_max"), "null", 4), 0);
  assert_int_equal(strncmp(json_at(text, "structure/worst"), "null", 4), 0);
  free(text);
}

static void empty_report_is_valid(void **state) {
  (void)state;
  const sb_ledger ledger = {.structure = {.rank_ok = true}};
  const sb_report report = {.model = "m", .version = "0", .method = "x", .ledger = &ledger};
  char *text = written(sb_report_json, &report);
  assert_true(json_valid(text));
  free(text);
}

static void verdict_needs_all_figures(void **state) {
  (void)state;
  sample f;
  make(&f);
  assert_int_equal(sb_report_judge(&f.report), SB_OUTCOME_OK);
  f.ledger.residual_relative = 1.001e-8;
  assert_int_equal(sb_report_judge(&f.report), SB_OUTCOME_AUDIT_FAILED);
  f.ledger.residual_relative = NAN;
  assert_int_equal(sb_report_judge(&f.report), SB_OUTCOME_AUDIT_FAILED);
  make(&f);
  f.ledger.structure.skew_relative = 2e-12;
  assert_int_equal(sb_report_judge(&f.report), SB_OUTCOME_AUDIT_FAILED);
  make(&f);
  f.ledger.structure.rank_ok = false;
  assert_int_equal(sb_report_judge(&f.report), SB_OUTCOME_AUDIT_FAILED);
  make(&f);
  f.ledger.passivity.violations = 1;
  assert_int_equal(sb_report_judge(&f.report), SB_OUTCOME_AUDIT_FAILED);
  make(&f);
  f.report.expects = &f.expect;
  f.report.expect_count = 1;
  assert_int_equal(sb_report_judge(&f.report), SB_OUTCOME_AUDIT_FAILED);
}

static void text_says_what_failed(void **state) {
  (void)state;
  sample f;
  make(&f);
  f.report.expects = &f.expect;
  f.report.expect_count = 1;
  f.ledger.residual_relative = 3e-5;
  f.ledger.residual_element = "R1";
  f.report.outcome = sb_report_judge(&f.report);
  char *text = written(sb_report_text, &f.report);
  assert_contains(text, "status   audit-failed");
  assert_contains(text, "THE ENERGY BALANCE IS NOT MET");
  assert_contains(text, "most in R1");
  assert_contains(text, "MISSED: C1.e at 0.02 s is 4.5, expected 5 within 0.1");
  assert_contains(text, "no dissipation gave power");
  free(text);
}

/** A step far too long for the method may make of a dissipation a source, though its power is positive wherever it is looked at. */
static void text_tells_of_negative_sums(void **state) {
  (void)state;
  sample f;
  make(&f);
  for (int i = 0; i < f.ledger.element_count; i++) {
    if (f.ledger.elements[i].role == SB_DISSIPATION) {
      f.ledger.elements[i].dissipated = -2.385;
      f.ledger.elements[i].id = "R1";
    }
  }
  char *text = written(sb_report_text, &f.report);
  assert_contains(text, "no dissipation gave power at the instants checked, but the sum of 'R1' is "
                        "negative: the step is too long for the method");
  free(text);
}

/** One part needs no table; of many the worst are shown, and how many there are. */
static void text_lists_the_worst_parts(void **state) {
  (void)state;
  sample f;
  make(&f);
  char *text = written(sb_report_text, &f.report);
  assert_contains(text, "  of m (3 elements)\n");
  assert_contains(text, "  of V\"1 (1 element)\n\n");
  assert_true(strstr(text, "of m (3") < strstr(text, "of V\"1 (1"));
  assert_contains(text, ", of 2 parts the worst\n");
  free(text);
  sb_part many[9];
  for (int i = 0; i < 9; i++) {
    many[i] = f.parts[1];
    many[i].element_count = 2 + (4 * i) % 9; // all of 2 to 10, in no order
    many[i].residual_relative = 1e-12 * many[i].element_count;
  }
  f.ledger.parts = many;
  f.ledger.part_count = 9;
  text = written(sb_report_text, &f.report);
  const char *at = text;
  for (int i = 10; i > 5; i--) {
    char row[40];
    (void)snprintf(row, sizeof row, "of m (%d elements)", i);
    at = strstr(at, row);
    assert_non_null(at);
  }
  assert_contains(at, "and 4 more in audit.json\n");
  assert_null(strstr(text, "of m (5 elements)"));
  free(text);
  f.ledger.part_count = 1;
  text = written(sb_report_text, &f.report);
  assert_null(strstr(text, "part"));
  free(text);
}

static void events_are_csv(void **state) {
  (void)state;
  sample f;
  make(&f);
  char *text = written(sb_report_events, &f.report);
  assert_string_equal(text,
                      "t [s],kind,element,loss [J],stored before [J],stored after [J],steps\r\n"
                      "0.25,touch,\"contact(a,b)\",0.3333333333333333,0,0,17\r\n");
  free(text);
}

static void results_read_back(void **state) {
  (void)state;
  const sb_results_column columns[] = {{"contact(a,b).gap", "m", 1},
                                       {"grey.position", "m", 3},
                                       {"q", NULL, 2},
                                       {"the \"one\"", "1/s", 1}};
  const double values[] = {0.1, 1.0 / 3.0, -2.385e-300, 1e22, 5e-324, 123456789.123456789, -0.0};
  char folder[FOLDER_SIZE], path[FOLDER_SIZE + 16];
  make_folder(folder);
  (void)snprintf(path, sizeof path, "%s/results.csv", folder);
  sb_results *results;
  sb_error err;
  assert_int_equal(sb_results_create(path, columns, 4, &results, &err), SB_OK);
  assert_int_equal(sb_results_add(results, 0.7, values, &err), SB_OK);
  assert_int_equal(sb_results_destroy(results, &err), SB_OK);
  char *text = read_file(folder, "results.csv");
  const char *line = strstr(text, "\r\n");
  assert_non_null(line);
  const char *head = "t [s],\"contact(a,b).gap [m]\",grey.position.x [m],grey.position.y [m],"
                     "grey.position.z [m],q.0,q.1,\"the \"\"one\"\" [1/s]\"\r\n";
  assert_int_equal(strncmp(text, head, strlen(head)), 0);
  char *at = (char *)line + 2;
  assert_near(strtod(at, &at), 0.7, 0);
  for (int i = 0; i < 7; i++) {
    assert_int_equal(*at, ',');
    assert_near(strtod(at + 1, &at), values[i], 0);
  }
  assert_string_equal(at, "\r\n");
  free(text);
  remove_folder(folder);
}

/** A row of many columns, longer than any buffer, and many of few. */
static void results_grow_by_whole_lines(void **state) {
  (void)state;
  enum { WIDE = 4000, LINES = 6000, EVERY = 83 };
  static const int widths[] = {1, 3, 700, WIDE};
  static double values[WIDE];
  for (int i = 0; i < WIDE; i++) {
    values[i] = -1.2345678901234567e-300 * (i + 1);
  }
  for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
    char folder[FOLDER_SIZE], path[FOLDER_SIZE + 16];
    const sb_results_column column = {"x", "m", widths[k]};
    int lines = LINES / widths[k] + 5, seen = 1;
    sb_results *results;
    sb_error err;
    make_folder(folder);
    (void)snprintf(path, sizeof path, "%s/results.csv", folder);
    assert_int_equal(sb_results_create(path, &column, 1, &results, &err), SB_OK);
    for (int i = 0; i <= lines; i++) {
      bool last = i == lines;
      assert_int_equal(last ? sb_results_destroy(results, &err)
                            : sb_results_add(results, i, values, &err),
                       SB_OK);
      if (!last && i % EVERY != 0 && widths[k] < WIDE) {
        continue;
      }
      char *text = read_file(folder, "results.csv");
      int ends = 0;
      for (const char *c = text; *c != '\0'; c++) {
        ends += *c == '\n';
      }
      assert_true(strcmp(text + strlen(text) - 2, "\r\n") == 0);
      assert_true(ends >= seen && ends <= i + 2);
      seen = ends;
      free(text);
    }
    assert_int_equal(seen, lines + 1);
    remove_folder(folder);
  }
}

static void fill_half(const void *context, FILE *out) {
  (void)fputs(context, out);
}

static void files_appear_whole_or_not_at_all(void **state) {
  (void)state;
  char folder[FOLDER_SIZE], path[FOLDER_SIZE + 16];
  sb_error err;
  make_folder(folder);
  (void)snprintf(path, sizeof path, "%s/a.txt", folder);
  assert_int_equal(sb_whole_file(path, fill_half, "one", &err), SB_OK);
  char *text = read_file(folder, "a.txt");
  assert_string_equal(text, "one");
  free(text);
  (void)unlink(path);
  assert_int_equal(mkdir(path, 0777), 0); // in the way
  assert_int_equal(sb_whole_file(path, fill_half, "two", &err), SB_ERR_IO);
  assert_contains(err.text, "a.txt: it is a folder");
  (void)rmdir(path);
  assert_int_equal(rmdir(folder), 0); // no temporary file stays behind
}

/** Neither under its own name nor under that of its draft is anything but a regular file replaced. */
static void only_regular_files_are_replaced(void **state) {
  (void)state;
  static const char *const words[] = {"it is a pipe", "it is a symbolic link", "it is a folder"};
  static const char *const names[] = {"a.csv", "a.csv.tmp"};
  char folder[FOLDER_SIZE], path[FOLDER_SIZE + 16], other[FOLDER_SIZE + 16];
  make_folder(folder);
  (void)snprintf(path, sizeof path, "%s/a.csv", folder);
  for (int draft = 0; draft < 2; draft++) {
    for (int i = 0; i < 3; i++) {
      struct stat before, after;
      sb_error err;
      sb_results *results;
      (void)snprintf(other, sizeof other, "%s/%s", folder, names[draft]);
      assert_int_equal(i == 0   ? mkfifo(other, 0666)
                       : i == 1 ? symlink("elsewhere", other)
                                : mkdir(other, 0777),
                       0);
      assert_int_equal(lstat(other, &before), 0);
      assert_int_equal(sb_results_create(path, NULL, 0, &results, &err), SB_ERR_IO);
      assert_null(results);
      assert_contains(err.text, words[i]);
      assert_contains(err.hint, "only regular files are replaced");
      assert_int_equal(sb_whole_file(path, fill_half, "one", &err), SB_ERR_IO);
      assert_int_equal(lstat(other, &after), 0);
      assert_true(before.st_ino == after.st_ino && before.st_mode == after.st_mode);
      assert_int_equal(remove(other), 0);
    }
  }
  assert_int_equal(rmdir(folder), 0);
}

static void failures_are_worded(void **state) {
  (void)state;
  sample f;
  sb_error err;
  sb_results *results;
  make(&f);
  assert_int_equal(sb_report_save(&f.report, "/nonexistent/folder", &err), SB_ERR_IO);
  assert_string_equal(err.text,
                      "cannot write /nonexistent/folder/events.csv: No such file or directory");
  assert_int_equal(sb_results_create("/nonexistent/r.csv", NULL, 0, &results, &err), SB_ERR_IO);
  assert_null(results);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(checker_is_strict),
      cmocka_unit_test(json_has_every_key),
      cmocka_unit_test(json_survives_what_is_not_finite),
      cmocka_unit_test(empty_report_is_valid),
      cmocka_unit_test(verdict_needs_all_figures),
      cmocka_unit_test(text_says_what_failed),
      cmocka_unit_test(text_tells_of_negative_sums),
      cmocka_unit_test(text_lists_the_worst_parts),
      cmocka_unit_test(events_are_csv),
      cmocka_unit_test(results_read_back),
      cmocka_unit_test(results_grow_by_whole_lines),
      cmocka_unit_test(files_appear_whole_or_not_at_all),
      cmocka_unit_test(only_regular_files_are_replaced),
      cmocka_unit_test(failures_are_worded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
