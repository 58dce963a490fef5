// SPDX-License-Identifier: GPL-3.0-or-later
// A text that grows.
#ifndef SB_CORE_TEXT_PRIVATE_H
#define SB_CORE_TEXT_PRIVATE_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/error.h"

/** Zero-initialise it; `bytes` is the caller's to free. */
typedef struct sb_text {
  char *bytes;
  int length, capacity;
  bool failed;
} sb_text;

__attribute__((format(printf, 2, 3))) static inline void sb_text_put(sb_text *t, const char *format,
                                                                     ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int size = vsnprintf(NULL, 0, format, args);
  if (size < 0 || !sb_grow(&t->bytes, &t->capacity, t->length + size + 1, 1)) {
    t->failed = true;
  } else {
    (void)vsnprintf(t->bytes + t->length, (size_t)size + 1, format, again);
    t->length += size;
  }
  va_end(again);
  va_end(args);
}

/** Appends bytes as they are. */
static inline void sb_text_add(sb_text *t, const char *bytes, size_t count) {
  if (count > INT32_MAX / 2 || !sb_grow(&t->bytes, &t->capacity, t->length + (int)count + 1, 1)) {
    t->failed = true;
    return;
  }
  memcpy(t->bytes + t->length, bytes, count);
  t->length += (int)count;
  t->bytes[t->length] = '\0';
}

/** Leaves the text to the caller; NULL and SB_ERR_MEMORY if it has failed. */
static inline sb_status sb_text_give(sb_text *t, char **text, sb_error *err) {
  if (t->failed) {
    free(t->bytes);
    *t = (sb_text){.failed = true};
  }
  *text = t->bytes;
  return t->failed ? sb_fail(err, SB_ERR_MEMORY, "out of memory") : SB_OK;
}

#endif
