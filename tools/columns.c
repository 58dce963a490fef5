// SPDX-License-Identifier: GPL-3.0-or-later
#include "columns.h"

#include <stdio.h>
#include <string.h>

#include "core/base/utf8.h"

static int characters(const char *text) {
  return text != NULL ? sb_utf8_count(text, strlen(text)) : 0;
}

void column_print(const char *text, int width) {
  int blanks = width - characters(text);
  (void)printf("%s%*s", text != NULL ? text : "", (blanks > 0 ? blanks : 0) + 2, "");
}

int column_widen(int width, const char *text) {
  int count = characters(text);
  return count > width ? count : width;
}
