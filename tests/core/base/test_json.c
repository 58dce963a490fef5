// SPDX-License-Identifier: GPL-3.0-or-later
// Strings of JSON: the escapes of RFC 8259, section 7.
#include "tests/near.h"

#include "core/base/json.h"

static void check_quote(const char *text, const char *expected) {
  sb_text quoted = {0};
  sb_json_quote(&quoted, text);
  assert_false(quoted.failed);
  assert_string_equal(quoted.bytes, expected);
  free(quoted.bytes);
}

static void quotes_for_json(void **state) {
  (void)state;
  check_quote("", "\"\"");
  check_quote("s[1]/C1.e", "\"s[1]/C1.e\"");
  check_quote(NULL, "null");
  check_quote("a \"b\" \\ /", "\"a \\\"b\\\" \\\\ /\"");
  check_quote("\n\t\r\b\f\x01\x1b\x7f", "\"\\n\\t\\r\\b\\f\\u0001\\u001b\\u007f\"");
  check_quote("\xc2\xb5 \xf0\x9f\x94\xa9", "\"\xc2\xb5 \xf0\x9f\x94\xa9\"");
  check_quote("a\xff\xc2", "\"a\\ufffd\\ufffd\"");
}

/** A plain text may be written as it is between quotation marks. */
static void tells_what_is_plain(void **state) {
  (void)state;
  assert_true(sb_json_is_plain(""));
  assert_true(sb_json_is_plain("s[1]/C1.e ~"));
  static const char *const others[] = {"a\"", "\\b", "a\nb", "\x7f", "\xc2\xb5", "\xff"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    assert_false(sb_json_is_plain(others[i]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quotes_for_json),
      cmocka_unit_test(tells_what_is_plain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
