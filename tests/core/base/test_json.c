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
  check_quote(NULL, "null");
  check_quote("a \"b\" \\ /", "\"a \\\"b\\\" \\\\ /\"");
  check_quote("\n\t\r\b\f\x01\x1b\x7f", "\"\\n\\t\\r\\b\\f\\u0001\\u001b\\u007f\"");
  check_quote("\xc2\xb5 \xf0\x9f\x94\xa9", "\"\xc2\xb5 \xf0\x9f\x94\xa9\"");
  check_quote("a\xff\xc2", "\"a\\ufffd\\ufffd\"");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quotes_for_json),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
