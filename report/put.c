// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/put_private.h"

#include <stdlib.h>

#include "core/base/json.h"
#include "core/base/number.h"

void sb_put_number(FILE *out, double value) {
  char text[SB_NUMBER_SIZE];
  (void)sb_number_format(value, text, sizeof text);
  (void)fputs(text, out);
}

void sb_put_json_number(FILE *out, double value) {
  char text[SB_NUMBER_SIZE];
  (void)sb_number_format_json(value, text, sizeof text);
  (void)fputs(text, out);
}

void sb_put_json_string(FILE *out, const char *text) {
  if (text != NULL && sb_json_is_plain(text)) {
    (void)fputc('"', out);
    (void)fputs(text, out);
    (void)fputc('"', out);
    return;
  }
  sb_text quoted = {0};
  sb_json_quote(&quoted, text);
  (void)fputs(quoted.failed ? "null" : quoted.bytes, out);
  free(quoted.bytes);
}

void sb_put_csv_field(FILE *out, const char *text) {
  if (strpbrk(text, ",\"\r\n") == NULL) {
    (void)fputs(text, out);
    return;
  }
  (void)fputc('"', out);
  for (const char *c = text; *c != '\0'; c++) {
    if (*c == '"') {
      (void)fputc('"', out);
    }
    (void)fputc(*c, out);
  }
  (void)fputc('"', out);
}

const char *sb_role_name(sb_role role) {
  static const char *const names[] = {"storage", "dissipation", "source", "structure", "signal"};
  return names[role];
}
