// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/array.h"

static void word(sb_error *err, sb_status status, const char *param, const char *format,
                 va_list args) {
  if (err != NULL) {
    *err = (sb_error){.status = status, .param = param};
    (void)vsnprintf(err->text, sizeof err->text, format, args);
  }
}

sb_status sb_fail(sb_error *err, sb_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  word(err, status, NULL, format, args);
  va_end(args);
  return status;
}

void sb_warn(sb_error *err, sb_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  word(err, status, NULL, format, args);
  va_end(args);
  err->warning = true;
}

sb_status sb_fail_at(sb_error *err, sb_status status, const char *param, const char *format, ...) {
  va_list args;
  va_start(args, format);
  word(err, status, param, format, args);
  va_end(args);
  return status;
}

void sb_error_hint(sb_error *err, const char *format, ...) {
  if (err == NULL) {
    return;
  }
  va_list args;
  va_start(args, format);
  (void)vsnprintf(err->hint, sizeof err->hint, format, args);
  va_end(args);
}

void sb_errors_add(sb_errors *errors, const sb_error *err) {
  if (errors->count >= SB_ERRORS_MAX ||
      !sb_append(&errors->items, &errors->count, &errors->capacity, sizeof *err, err)) {
    errors->dropped++;
  }
}

void sb_errors_drop(sb_errors *errors, int line, int column) {
  int kept = 0;
  for (int i = 0; i < errors->count; i++) {
    if (errors->items[i].line != line || errors->items[i].column != column) {
      errors->items[kept++] = errors->items[i];
    }
  }
  errors->count = kept;
}

void sb_errors_finish(sb_errors *errors) {
  if (errors != NULL) {
    free(errors->items);
    *errors = (sb_errors){0};
  }
}

const char *sb_status_code(sb_status status, char code[8]) {
  (void)snprintf(code, 8, "SB%04u", (unsigned)status % 10000U);
  return code;
}
