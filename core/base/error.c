// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sb_status sb_fail(sb_error *err, sb_status status, const char *format, ...) {
  if (err == NULL) {
    return status;
  }
  *err = (sb_error){.status = status};
  va_list args;
  va_start(args, format);
  (void)vsnprintf(err->text, sizeof err->text, format, args);
  va_end(args);
  return status;
}

sb_status sb_fail_at(sb_error *err, sb_status status, const char *param, const char *format, ...) {
  if (err == NULL) {
    return status;
  }
  *err = (sb_error){.status = status, .param = param};
  va_list args;
  va_start(args, format);
  (void)vsnprintf(err->text, sizeof err->text, format, args);
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
  if (errors->count >= SB_ERRORS_MAX) {
    errors->dropped++;
    return;
  }
  if (errors->count == errors->capacity) {
    int capacity = errors->capacity == 0 ? 4 : 2 * errors->capacity;
    sb_error *items = realloc(errors->items, (size_t)capacity * sizeof *items);
    if (items == NULL) {
      errors->dropped++;
      return;
    }
    errors->items = items;
    errors->capacity = capacity;
  }
  errors->items[errors->count++] = *err;
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
