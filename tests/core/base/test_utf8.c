// SPDX-License-Identifier: GPL-3.0-or-later
// Characters of UTF-8, and what RFC 3629 forbids: overlong forms, surrogates, codes past U+10FFFF.
#include "tests/near.h"

#include "core/base/utf8.h"

static void decodes_utf8(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int size;
    unsigned code;
  } cases[] = {
      {"a", 1, 'a'},
      {"\xc2\xb5", 2, 0xB5},
      {"\xe2\x84\xa6", 3, 0x2126},
      {"\xf0\x9f\x94\xa9", 4, 0x1F529},
      {"\x80", 0, 9},
      {"\xc0\x80", 0, 9},
      {"\xc1\xbf", 0, 9},
      {"\xe0\x80\x80", 0, 9},
      {"\xed\xa0\x80", 0, 9},
      {"\xf0\x80\x80\x80", 0, 9},
      {"\xf4\x90\x80\x80", 0, 9},
      {"\xf5\x80\x80\x80", 0, 9},
      {"\xe2\x84", 0, 9},
      {"\xc2"
       "a",
       0, 9},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    unsigned code = 9;
    assert_int_equal(sb_utf8_decode(cases[i].text, strlen(cases[i].text), &code), cases[i].size);
    assert_int_equal(code, cases[i].code);
  }
  assert_int_equal(sb_utf8_count("a\xc2\xb5\xff"
                                 "b",
                                 5),
                   4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(decodes_utf8),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
