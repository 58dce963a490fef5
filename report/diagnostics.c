// SPDX-License-Identifier: GPL-3.0-or-later
// Errors as text for a terminal, with the line of the netlist cut around the caret, and as JSON.
#include "report/diagnostics.h"

#include <string.h>

#include "core/base/json.h"
#include "core/base/utf8.h"
#include "netlist/xml/xml.h"
#include "report/diagnostics_private.h"

enum {
  BEFORE_MAX = 70, // characters shown before the caret
  AFTER_MAX = 40   // and from it on
};

/** Characters that a terminal interprets instead of showing: control characters, and those that
 *  change the direction of writing. */
static bool is_control(unsigned code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

/** Writes one character so that it takes one column, and returns its bytes. */
static size_t put_character(sb_text *out, const char *text, size_t length) {
  unsigned code;
  int size = sb_utf8_decode(text, length, &code);
  if (size == 0 || (is_control(code) && code != '\t')) {
    sb_text_put(out, "?");
  } else {
    sb_text_put(out, "%.*s", size, text);
  }
  return size > 0 ? (size_t)size : 1;
}

static void put_text(sb_text *out, const char *text) {
  size_t length = strlen(text);
  for (size_t i = 0; i < length;) {
    i += put_character(out, text + i, length - i);
  }
}

/** The n-th line, from 1, without its end; NULL if there is none. */
static const char *find_line(const char *source, int line, size_t *length) {
  if (strncmp(source, "\xEF\xBB\xBF", 3) == 0) {
    source += 3;
  }
  for (int i = 1; i < line; i++) {
    source = strchr(source, '\n');
    if (source == NULL) {
      return NULL;
    }
    source++;
  }
  *length = strcspn(source, "\n");
  if (*length > 0 && source[*length - 1] == '\r') {
    (*length)--;
  }
  return source;
}

static size_t skip_characters(const char *text, size_t length, size_t at, int count) {
  for (; count > 0 && at < length; count--) {
    int size = sb_utf8_decode(text + at, length - at, NULL);
    at += size > 0 ? (size_t)size : 1;
  }
  return at;
}

/** The line, cut around the caret, and the caret: blanks and tabs bring it under its character. */
static void put_line(sb_text *out, const sb_error *err, const char *source, const char *mark,
                     const char *plain) {
  size_t length;
  const char *text = find_line(source, err->line, &length);
  if (text == NULL || err->column < 1) {
    return;
  }
  int first = err->column > BEFORE_MAX + 1 ? err->column - BEFORE_MAX : 1;
  size_t start = skip_characters(text, length, 0, first - 1);
  size_t caret = skip_characters(text, length, start, err->column - first);
  size_t end = skip_characters(text, length, caret, AFTER_MAX);
  sb_text_put(out, "%5d | %s", err->line, first > 1 ? "..." : "");
  for (size_t i = start; i < end;) {
    i += put_character(out, text + i, length - i);
  }
  sb_text_put(out, "%s\n      | %s", end < length ? "..." : "", first > 1 ? "   " : "");
  for (size_t i = start; i < caret; i = skip_characters(text, length, i, 1)) {
    sb_text_put(out, text[i] == '\t' ? "\t" : " ");
  }
  sb_text_put(out, "%s^%s\n", mark, plain);
}

void sb_diagnostic_put(sb_text *out, const sb_error *err, const char *source, bool colour) {
  const char *bold = colour ? "\033[1m" : "", *red = colour ? "\033[1;31m" : "";
  const char *yellow = colour ? "\033[1;33m" : "";
  const char *green = colour ? "\033[1;32m" : "", *plain = colour ? "\033[0m" : "";
  char code[8];
  sb_text_put(out, "%s", bold);
  put_text(out, err->file[0] != '\0' ? err->file : "screwbond");
  if (err->line > 0) {
    sb_text_put(out, ":%d", err->line);
  }
  if (err->line > 0 && err->column > 0) {
    sb_text_put(out, ":%d", err->column);
  }
  sb_text_put(out, ":%s %s%s[%s]:%s ", plain, err->warning ? yellow : red,
              err->warning ? "warning" : "error", sb_status_code(err->status, code), plain);
  put_text(out, err->text);
  sb_text_put(out, "\n");
  if (source != NULL && err->line > 0) {
    put_line(out, err, source, green, plain);
  }
  if (err->hint[0] != '\0') {
    sb_text_put(out, "   hint: ");
    put_text(out, err->hint);
    sb_text_put(out, "\n");
  }
}

static void put_field(sb_text *out, const char *name, const char *text) {
  sb_text_put(out, "\"%s\":", name);
  sb_json_quote(out, text);
}

void sb_diagnostic_put_json(sb_text *out, const sb_error *err) {
  char code[8];
  sb_text_put(out, "{");
  if (err->file[0] != '\0') {
    put_field(out, "file", err->file);
    sb_text_put(out, ",");
  }
  if (err->line > 0) {
    sb_text_put(out, "\"line\":%d,", err->line);
  }
  if (err->line > 0 && err->column > 0) {
    sb_text_put(out, "\"column\":%d,", err->column);
  }
  if (err->warning) {
    sb_text_put(out, "\"severity\":\"warning\",");
  }
  put_field(out, "code", sb_status_code(err->status, code));
  sb_text_put(out, ",");
  put_field(out, "message", err->text);
  if (err->hint[0] != '\0') {
    sb_text_put(out, ",");
    put_field(out, "hint", err->hint);
  }
  sb_text_put(out, "}");
}

/** Each error with its line; a file is read once for those in a row that name it. */
static void put_all(sb_text *out, const sb_errors *errors, sb_errors_form form) {
  if (form == SB_ERRORS_JSON) {
    for (int i = 0; i < errors->count; i++) {
      sb_diagnostic_put_json(out, &errors->items[i]);
      sb_text_put(out, "\n");
    }
    return;
  }
  char *source = NULL; // of the file named last
  const char *file = "";
  for (int i = 0; i < errors->count; i++) {
    const sb_error *err = &errors->items[i];
    if (err->line > 0 && strcmp(file, err->file) != 0) {
      size_t size;
      free(source);
      if (sb_xml_load(err->file, &source, &size, NULL) != SB_OK) {
        source = NULL; // the message stands without its line
      }
      file = err->file;
    }
    sb_diagnostic_put(out, err, source, form == SB_ERRORS_COLOUR);
  }
  free(source);
}

/** What the list has not kept: those past its end, or where memory failed the cause itself. */
static void put_dropped(sb_text *out, const sb_errors *errors, sb_errors_form form) {
  if (errors->dropped > 0 && errors->count < SB_ERRORS_MAX) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_MEMORY, "out of memory: %d errors could not be kept",
                  errors->dropped);
    put_all(out, &(sb_errors){.items = &err, .count = 1}, form);
  } else if (errors->dropped > 0 && form != SB_ERRORS_JSON) {
    sb_text_put(out, "and %d more errors\n", errors->dropped);
  }
}

sb_status sb_errors_text(const sb_errors *errors, sb_errors_form form, char **text, sb_error *err) {
  sb_text out = {0};
  sb_text_put(&out, "%s", ""); // no errors: an empty text
  put_all(&out, errors, form);
  put_dropped(&out, errors, form);
  if (out.failed) {
    free(out.bytes);
    *text = NULL;
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  *text = out.bytes;
  return SB_OK;
}
