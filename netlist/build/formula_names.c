// SPDX-License-Identifier: GPL-3.0-or-later
// The names in an expression: those of variables, and those of signals, which may have an index.
#include "netlist/build/formula_names_private.h"

#include <string.h>

#include "core/base/number.h"
#include "core/base/utf8.h"
#include "netlist/reader/index.h"
#include "netlist/reader/names.h"
#include "netlist/reader/numbers.h"
#include "netlist/reader/report.h"
#include "netlist/value/unit.h"

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_argument(const sb_argument *arguments, const char *name, size_t length) {
  for (const sb_argument *a = arguments; a != NULL && a->name != NULL; a++) {
    if (strlen(a->name) == length && memcmp(a->name, name, length) == 0) {
      return true;
    }
  }
  return false;
}

/** The bytes of the name that the text begins with. */
static size_t name_length(const char *text) {
  size_t length = 0;
  while (is_letter(text[length]) || (length > 0 && text[length] >= '0' && text[length] <= '9')) {
    length++;
  }
  return length;
}

/** The bytes of a name with the indices in brackets after it. */
static size_t indexed_length(const char *text) {
  size_t length = name_length(text);
  while (length > 0 && text[length] == '[') {
    length += strcspn(text + length, "]");
    length += text[length] == ']';
  }
  return length;
}

/** The bytes of a unit behind a number, with the blanks before it: " V/s". A signal has an operator between. */
static size_t unit_length(const char *text) {
  sb_dimension dimension;
  double scale;
  const size_t start = strspn(text, " \t\r\n"), size = strcspn(text + start, " \t\r\n");
  const bool unit = is_letter(text[start]) &&
                    sb_unit_parse(text + start, size, &dimension, &scale, NULL) == SB_OK;
  return unit ? start + size : name_length(text);
}

/** The next name of a text, its bytes in *length; NULL: none. Units are skipped. */
static const char *next_name(const char *at, size_t *length) {
  size_t size = strlen(at);
  for (const char *end = at + size; at < end;) {
    double number;
    size_t used = 0;
    *length = indexed_length(at);
    if (*length > 0) {
      return at;
    }
    if (*at == '[') {
      at += strcspn(at, "]");
    } else if ((void)sb_number_parse(at, (size_t)(end - at), &number, &used), used > 0) {
      at += used;
      at += unit_length(at);
    } else {
      at++;
    }
  }
  return NULL;
}

static bool is_indexed(const char *name, size_t length) {
  return memchr(name, '[', length) != NULL;
}

/** What is wrong with a name with an index that is that of no signal. */
static void report_indexed(const sb_reader *reader, const sb_setting *setting, const char *plain,
                           int column) {
  size_t length = strlen(plain);
  int item = sb_scope_find_in(reader, setting->scope, plain, length);
  sb_error err;
  if (item >= 0 ? reader->tree.items[item].tag == NULL : reader->unfinished) {
    return; // left out, and reported
  }
  (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no signal '%.80s'", plain);
  sb_hint_name(reader, setting->scope, plain, length, true, &err);
  err.column = column;
  sb_report_value(reader, setting, &err);
}

bool sb_is_formula(const sb_reader *reader, const sb_setting *setting, const sb_param *row) {
  size_t length = 0;
  for (const char *at = next_name(setting->value, &length); at != NULL;
       at = next_name(at + length, &length)) {
    if (is_argument(row->arguments, at, length) ||
        (row->signals &&
         (is_indexed(at, length) || sb_find_signal(reader, setting->scope, at, length) >= 0))) {
      return true;
    }
  }
  return false;
}

/** The signal that a name stands for, in *signal; -1: none.
 *  @return false: an error, reported */
static bool find_named(sb_reader *reader, const sb_setting *setting, sb_signal_walk *walk) {
  char plain[SB_PATH_MAX + 1];
  if (!is_indexed(walk->at, walk->length)) {
    walk->signal = sb_find_signal(reader, setting->scope, walk->at, walk->length);
    return true;
  }
  if (!sb_plain_name(reader, setting, walk->at, walk->length, plain)) {
    return false;
  }
  walk->signal = sb_find_signal(reader, setting->scope, plain, strlen(plain));
  if (walk->signal < 0) {
    report_indexed(reader, setting, plain, walk->column);
  }
  return walk->signal >= 0;
}

bool sb_next_signal(sb_reader *reader, const sb_setting *setting, const sb_param *row,
                    sb_signal_walk *walk) {
  const char *from = walk->at == NULL ? setting->value : walk->at + walk->length;
  while ((walk->at = next_name(from, &walk->length)) != NULL) {
    from = walk->at + walk->length;
    walk->column = sb_utf8_count(setting->value, (size_t)(walk->at - setting->value)) + 1;
    if (is_argument(row->arguments, walk->at, walk->length)) {
      continue;
    }
    if (!find_named(reader, setting, walk)) {
      return false;
    }
    if (walk->signal >= 0) {
      return true;
    }
  }
  return false;
}
