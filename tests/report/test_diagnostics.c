// SPDX-License-Identifier: GPL-3.0-or-later
// How errors are shown.
#include "tests/near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/nearest.h"
#include "report/diagnostics.h"
#include "report/diagnostics_private.h"

static sb_error make(int line, int column) {
  sb_error err = {.line = line, .column = column, .file = "model.xml"};
  sb_fail(&err, SB_ERR_UNIT, "unknown unit 'uf'");
  err.line = line;
  err.column = column;
  strcpy(err.file, "model.xml");
  return err;
}

static void check(const sb_error *err, const char *source, const char *expected) {
  sb_text text = {0};
  sb_diagnostic_put(&text, err, source, false);
  assert_string_equal(text.bytes, expected);
  free(text.bytes);
}

static void shows_the_line_and_a_caret(void **state) {
  (void)state;
  sb_error err = make(3, 22);
  sb_error_hint(&err, "did you mean '%s'?", "uF");
  check(&err, "<r>\n\n    <C id=\"C1\" c=\"10 uf\"/>\r\n</r>\n",
        "model.xml:3:22: error[SB0302]: unknown unit 'uf'\n"
        "    3 |     <C id=\"C1\" c=\"10 uf\"/>\n"
        "      |                      ^\n"
        "   hint: did you mean 'uF'?\n");
}

static void keeps_tabs_and_counts_characters(void **state) {
  (void)state;
  sb_error err = make(12, 8);
  check(&err, "\n\n\n\n\n\n\n\n\n\n\n\t<\xc3\xa4\t\xc2\xb5=\"uf\"/>",
        "model.xml:12:8: error[SB0302]: unknown unit 'uf'\n"
        "   12 | \t<\xc3\xa4\t\xc2\xb5=\"uf\"/>\n"
        "      | \t  \t   ^\n");
  err = make(1, 2);
  check(&err, "\xEF\xBB\xBF<r>",
        "model.xml:1:2: error[SB0302]: unknown unit 'uf'\n"
        "    1 | <r>\n"
        "      |  ^\n");
}

static void shows_what_is_known(void **state) {
  (void)state;
  sb_error err = make(0, 0);
  check(&err, "<r/>", "model.xml: error[SB0302]: unknown unit 'uf'\n");
  err = make(4, 0);
  check(&err, "<r/>", "model.xml:4: error[SB0302]: unknown unit 'uf'\n");
  err = make(4, 1);
  check(&err, "<r/>\n", "model.xml:4:1: error[SB0302]: unknown unit 'uf'\n");
  check(&err, NULL, "model.xml:4:1: error[SB0302]: unknown unit 'uf'\n");
  err.file[0] = '\0';
  err.line = 0;
  check(&err, NULL, "screwbond: error[SB0302]: unknown unit 'uf'\n");
  err = make(1, 99);
  check(&err, "<r/>\n",
        "model.xml:1:99: error[SB0302]: unknown unit 'uf'\n"
        "    1 | ...\n"
        "      |    ^\n");
}

static void cuts_long_lines(void **state) {
  (void)state;
  char source[1001], expected[400];
  memset(source, 'a', 1000);
  source[1000] = '\0';
  source[499] = 'X';
  sb_error err = make(1, 500);
  int length = sprintf(expected, "model.xml:1:500: error[SB0302]: unknown unit 'uf'\n    1 | ...");
  memset(expected + length, 'a', 110);
  expected[length + 70] = 'X';
  length += 110;
  length += sprintf(expected + length, "...\n      |    ");
  memset(expected + length, ' ', 70);
  strcpy(expected + length + 70, "^\n");
  check(&err, source, expected);
}

static void shows_no_control_characters(void **state) {
  (void)state;
  sb_error err = make(1, 5);
  sb_fail(&err, SB_ERR_TEXT, "a\x1b[31m\xc2\x9b\xe2\x80\xae\n\xff");
  err.line = 1;
  err.column = 5;
  check(&err, "\x1b[\xc2\x9b\xffz",
        "screwbond:1:5: error[SB0103]: a?[31m????\n"
        "    1 | ?[??z\n"
        "      |     ^\n");
}

static void colours_for_a_terminal(void **state) {
  (void)state;
  sb_text text = {0};
  sb_error err = make(1, 1);
  sb_diagnostic_put(&text, &err, "<r/>", true);
  assert_string_equal(text.bytes,
                      "\033[1mmodel.xml:1:1:\033[0m \033[1;31merror[SB0302]:\033[0m unknown "
                      "unit 'uf'\n    1 | <r/>\n      | \033[1;32m^\033[0m\n");
  free(text.bytes);
}

static void check_list(const sb_errors *errors, sb_errors_form form, const char *expected) {
  char *text;
  assert_int_equal(sb_errors_text(errors, form, &text, NULL), SB_OK);
  assert_string_equal(text, expected);
  free(text);
}

static void shows_lists_with_the_lines_of_their_files(void **state) {
  (void)state;
  char path[] = "/tmp/sb-diagnostics-XXXXXX", expected[1000];
  int file = mkstemp(path);
  assert_int_equal(write(file, "<r>\n</q>\n", 9), 9);
  close(file);
  sb_error one = make(2, 3), other = make(4, 1);
  strcpy(one.file, path);
  strcpy(other.file, "/no/such.xml");
  sb_errors errors = {0};
  check_list(&errors, SB_ERRORS_PLAIN, "");
  sb_errors_add(&errors, &one);
  sb_errors_add(&errors, &other);
  (void)snprintf(expected, sizeof expected,
                 "%s:2:3: error[SB0302]: unknown unit 'uf'\n"
                 "    2 | </q>\n"
                 "      |   ^\n"
                 "/no/such.xml:4:1: error[SB0302]: unknown unit 'uf'\n",
                 path);
  check_list(&errors, SB_ERRORS_PLAIN, expected);
  unlink(path);
  (void)snprintf(expected, sizeof expected,
                 "{\"file\":\"%s\",\"line\":2,\"column\":3,\"code\":\"SB0302\",\"message\":"
                 "\"unknown unit 'uf'\"}\n"
                 "{\"file\":\"/no/such.xml\",\"line\":4,\"column\":1,\"code\":\"SB0302\","
                 "\"message\":\"unknown unit 'uf'\"}\n",
                 path);
  check_list(&errors, SB_ERRORS_JSON, expected);
  sb_errors_finish(&errors);
}

/** Of a full list the rest is counted; an error that memory failed to keep is told by that. */
static void tells_what_a_list_has_not_kept(void **state) {
  (void)state;
  sb_errors errors = {.dropped = 7};
  check_list(&errors, SB_ERRORS_PLAIN,
             "screwbond: error[SB0602]: out of memory: 7 errors could not be kept\n");
  check_list(&errors, SB_ERRORS_JSON,
             "{\"code\":\"SB0602\",\"message\":\"out of memory: 7 errors could not be kept\"}\n");
  errors.dropped = 0;
  const sb_error one = make(0, 0);
  for (int i = 0; i < SB_ERRORS_MAX + 3; i++) {
    sb_errors_add(&errors, &one);
  }
  char *text;
  assert_int_equal(sb_errors_text(&errors, SB_ERRORS_PLAIN, &text, NULL), SB_OK);
  assert_string_equal(strstr(text, "and "), "and 3 more errors\n");
  free(text);
  sb_errors_finish(&errors);
}

static void check_json(const sb_error *err, const char *expected) {
  sb_text text = {0};
  sb_diagnostic_put_json(&text, err);
  assert_string_equal(text.bytes, expected);
  free(text.bytes);
}

static void writes_json(void **state) {
  (void)state;
  sb_error err = make(12, 23);
  sb_error_hint(&err, "did you mean \"%s\"?",
                "\xc2\xb5"
                "F");
  check_json(&err, "{\"file\":\"model.xml\",\"line\":12,\"column\":23,\"code\":\"SB0302\","
                   "\"message\":\"unknown unit 'uf'\","
                   "\"hint\":\"did you mean \\\"\xc2\xb5"
                   "F\\\"?\"}");
  sb_fail(&err, SB_ERR_IO, "a\n\xff");
  check_json(&err, "{\"code\":\"SB0701\",\"message\":\"a\\n\\ufffd\"}");
  err.line = 7;
  check_json(&err, "{\"line\":7,\"code\":\"SB0701\",\"message\":\"a\\n\\ufffd\"}");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shows_the_line_and_a_caret),
      cmocka_unit_test(keeps_tabs_and_counts_characters),
      cmocka_unit_test(shows_what_is_known),
      cmocka_unit_test(cuts_long_lines),
      cmocka_unit_test(shows_no_control_characters),
      cmocka_unit_test(colours_for_a_terminal),
      cmocka_unit_test(shows_lists_with_the_lines_of_their_files),
      cmocka_unit_test(tells_what_a_list_has_not_kept),
      cmocka_unit_test(writes_json),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
