// SPDX-License-Identifier: GPL-3.0-or-later
// How errors are shown.
#include "tests/near.h"

#include <stdio.h>
#include <string.h>

#include "core/base/nearest.h"
#include "netlist/diagnostics.h"

static sb_error make(int line, int column) {
  sb_error err = {.line = line, .column = column, .file = "model.xml"};
  sb_fail(&err, SB_ERR_UNIT, "unknown unit 'uf'");
  err.line = line;
  err.column = column;
  strcpy(err.file, "model.xml");
  return err;
}

static void check(const sb_error *err, const char *source, const char *expected) {
  char text[SB_DIAGNOSTIC_SIZE];
  assert_int_equal(sb_diagnostic_format(err, source, false, text, sizeof text), strlen(expected));
  assert_string_equal(text, expected);
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
  char text[SB_DIAGNOSTIC_SIZE];
  sb_error err = make(1, 1);
  sb_diagnostic_format(&err, "<r/>", true, text, sizeof text);
  assert_string_equal(text, "\033[1mmodel.xml:1:1:\033[0m \033[1;31merror[SB0302]:\033[0m unknown "
                            "unit 'uf'\n    1 | <r/>\n      | \033[1;32m^\033[0m\n");
}

static void stays_within_the_buffer(void **state) {
  (void)state;
  char text[21];
  memset(text, '#', sizeof text);
  sb_error err = make(1, 1);
  assert_int_equal(sb_diagnostic_format(&err, NULL, false, text, 20), 48);
  assert_string_equal(text, "model.xml:1:1: erro");
  assert_int_equal(sb_diagnostic_format(&err, NULL, false, NULL, 0), 48);
  sb_error worst = make(1, 1000000);
  memset(worst.file, '\x01', sizeof worst.file - 1);
  memset(worst.text, '\x01', sizeof worst.text - 1);
  memset(worst.hint, '\x01', sizeof worst.hint - 1);
  assert_in_range(sb_diagnostic_json(&worst, NULL, 0), 5000, SB_DIAGNOSTIC_SIZE - 1);
}

static void writes_json(void **state) {
  (void)state;
  char text[SB_DIAGNOSTIC_SIZE];
  sb_error err = make(12, 23);
  sb_error_hint(&err, "did you mean \"%s\"?",
                "\xc2\xb5"
                "F");
  sb_diagnostic_json(&err, text, sizeof text);
  assert_string_equal(text, "{\"file\":\"model.xml\",\"line\":12,\"column\":23,\"code\":\"SB0302\","
                            "\"message\":\"unknown unit 'uf'\","
                            "\"hint\":\"did you mean \\\"\xc2\xb5"
                            "F\\\"?\"}");
  sb_fail(&err, SB_ERR_IO, "a\n\xff");
  sb_diagnostic_json(&err, text, sizeof text);
  assert_string_equal(text, "{\"code\":\"SB0701\",\"message\":\"a\\n\\ufffd\"}");
  err.line = 7;
  sb_diagnostic_json(&err, text, sizeof text);
  assert_string_equal(text, "{\"line\":7,\"code\":\"SB0701\",\"message\":\"a\\n\\ufffd\"}");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shows_the_line_and_a_caret),
      cmocka_unit_test(keeps_tabs_and_counts_characters),
      cmocka_unit_test(shows_what_is_known),
      cmocka_unit_test(cuts_long_lines),
      cmocka_unit_test(shows_no_control_characters),
      cmocka_unit_test(colours_for_a_terminal),
      cmocka_unit_test(stays_within_the_buffer),
      cmocka_unit_test(writes_json),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
