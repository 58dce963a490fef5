// SPDX-License-Identifier: GPL-3.0-or-later
// Netlists that a test puts together piece by piece.
#ifndef SB_TESTS_NETLIST_TEXT_H
#define SB_TESTS_NETLIST_TEXT_H

#include <stdarg.h>

#include "tests/fixture.h"

enum { TEXT = 8000 };

/** Appends to a text, as printf does. */
static inline void add(char text[TEXT], const char *format, ...) {
  va_list arguments;
  size_t used = strlen(text);
  va_start(arguments, format);
  int length = vsnprintf(text + used, TEXT - used, format, arguments);
  va_end(arguments);
  assert_true(length >= 0 && used + (size_t)length < TEXT);
}

#endif
