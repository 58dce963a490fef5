// SPDX-License-Identifier: GPL-3.0-or-later
// Names with an index, such as s[k+1], and the whole numbers in their brackets.
#include "netlist/reader/index.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/utf8.h"
#include "netlist/reader/numbers.h"
#include "netlist/reader/parameters.h"
#include "netlist/reader/report.h"

enum { WHOLE_MAX = 1000000000 };

/** A whole number being read from some bytes of a setting's value. */
typedef struct whole {
  sb_reader *reader;
  const sb_setting *setting;
  const char *at, *end;
} whole;

static bool fault(const whole *in, const char *at, sb_error *err) {
  err->column = sb_utf8_count(in->setting->value, (size_t)(at - in->setting->value)) + 1;
  sb_report_value(in->reader, in->setting, err);
  return false;
}

static void skip_blanks(whole *in) {
  while (in->at < in->end && strchr(" \t\r\n", *in->at) != NULL) {
    in->at++;
  }
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/** Looks up an index of a repeat, or a parameter, which is evaluated if it is not known yet. */
static bool look_up(const whole *in, const char *name, size_t length, double *value,
                    sb_dimension *dimension, bool *failed) {
  for (;;) {
    sb_lookup lookup;
    sb_value_scope scope = sb_lookup_begin(&lookup, in->reader, in->setting);
    bool found = scope.lookup(scope.context, name, length, value, dimension);
    *failed = lookup.failed;
    if (lookup.wanted < 0) {
      return found;
    }
    sb_resolve_parameter(in->reader, lookup.wanted);
  }
}

static bool check_whole(const whole *in, const char *name, size_t length, double value,
                        const sb_dimension *dimension) {
  static const sb_dimension pure = {0};
  int shown = (int)(length > 80 ? 80 : length);
  sb_error err = {0};
  if (!sb_dimension_fits(dimension, &pure)) {
    (void)sb_fail(&err, SB_ERR_DIMENSION, "'%.*s' has a unit, but a whole number is expected",
                  shown, name);
  } else if (!(fabs(value) <= WHOLE_MAX) || value != floor(value)) {
    (void)sb_fail(&err, SB_ERR_NUMBER, "'%.*s' is not a whole number: it is %s", shown, name,
                  sb_number_word(value).text);
  } else {
    return true;
  }
  return fault(in, name, &err);
}

static bool read_name(whole *in, double *value) {
  const char *name = in->at;
  while (in->at < in->end && (is_letter(*in->at) || is_digit(*in->at))) {
    in->at++;
  }
  size_t length = (size_t)(in->at - name);
  sb_dimension dimension = {0};
  bool failed;
  if (!look_up(in, name, length, value, &dimension, &failed)) {
    sb_error err = {0};
    (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no index and no parameter '%.*s'",
                  (int)(length > 80 ? 80 : length), name);
    return fault(in, name, &err);
  }
  return !failed && check_whole(in, name, length, *value, &dimension);
}

static bool read_factor(whole *in, double *value) {
  double sign = 1;
  skip_blanks(in);
  while (in->at < in->end && (*in->at == '-' || *in->at == '+')) {
    sign = *in->at++ == '-' ? -sign : sign;
    skip_blanks(in);
  }
  *value = 0;
  if (in->at < in->end && is_letter(*in->at)) {
    if (!read_name(in, value)) {
      return false;
    }
  } else if (in->at < in->end && is_digit(*in->at)) {
    while (in->at < in->end && is_digit(*in->at)) {
      *value = fmin(*value * 10 + (*in->at++ - '0'), 2.0 * WHOLE_MAX);
    }
  } else {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_NUMBER, "a whole number is missing here");
    sb_error_hint(&err, "whole numbers and names with + - *, for instance k+1");
    return fault(in, in->at, &err);
  }
  *value *= sign;
  skip_blanks(in);
  return true;
}

static bool read_sum(whole *in, long *result) {
  double sum = 0, product;
  const char *start = in->at;
  for (double sign = 1;;) {
    if (!read_factor(in, &product)) {
      return false;
    }
    while (in->at < in->end && *in->at == '*') {
      double factor;
      in->at++;
      if (!read_factor(in, &factor)) {
        return false;
      }
      product *= factor;
    }
    sum += sign * product;
    if (in->at >= in->end || (*in->at != '+' && *in->at != '-')) {
      break;
    }
    sign = *in->at++ == '-' ? -1 : 1;
  }
  sb_error err;
  if (in->at < in->end) {
    (void)sb_fail(&err, SB_ERR_NUMBER, "'%.*s' does not belong in a whole number",
                  in->end - in->at > 20 ? 20 : (int)(in->end - in->at), in->at);
    sb_error_hint(&err, "whole numbers and names with + - *, for instance k+1");
    return fault(in, in->at, &err);
  }
  if (!(fabs(sum) <= WHOLE_MAX)) {
    (void)sb_fail(&err, SB_ERR_RANGE, "whole numbers go up to %d", WHOLE_MAX);
    return fault(in, start, &err);
  }
  *result = (long)sum;
  return true;
}

bool sb_read_whole(sb_reader *reader, const sb_setting *setting, long *value) {
  whole in = {reader, setting, setting->value, setting->value + strlen(setting->value)};
  return read_sum(&in, value);
}

/** Appends to a path that has at most SB_PATH_MAX bytes. */
static bool append(const whole *in, const char *start, size_t length, size_t *used, char out[]) {
  if (*used + length > SB_PATH_MAX) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_TOO_LARGE, "a path has at most %d characters", SB_PATH_MAX);
    return fault(in, in->setting->value, &err);
  }
  memcpy(out + *used, start, length);
  *used += length;
  out[*used] = '\0';
  return true;
}

/** The brackets that begin at in->at. */
static bool append_index(whole *in, size_t *used, char out[]) {
  const char *open = in->at, *close = memchr(open, ']', (size_t)(in->end - open));
  char text[24];
  long value;
  if (close == NULL) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_NUMBER, "this bracket is not closed");
    return fault(in, open, &err);
  }
  whole inner = {in->reader, in->setting, open + 1, close};
  if (!read_sum(&inner, &value)) {
    return false;
  }
  in->at = close + 1;
  (void)snprintf(text, sizeof text, "[%ld]", value);
  return append(in, text, strlen(text), used, out);
}

static bool plain(sb_reader *reader, const sb_setting *setting, const char *start, size_t length,
                  size_t used, char out[]) {
  whole in = {reader, setting, start, start + length};
  while (in.at < in.end) {
    const char *open = memchr(in.at, '[', (size_t)(in.end - in.at));
    const char *stop = open == NULL ? in.end : open;
    if (!append(&in, in.at, (size_t)(stop - in.at), &used, out)) {
      return false;
    }
    in.at = stop;
    if (open != NULL && !append_index(&in, &used, out)) {
      return false;
    }
  }
  return true;
}

bool sb_plain_name(sb_reader *reader, const sb_setting *setting, const char *start, size_t length,
                   char out[SB_PATH_MAX + 1]) {
  out[0] = '\0';
  return plain(reader, setting, start, length, 0, out);
}

bool sb_full_name(sb_reader *reader, const sb_setting *setting, const char *start, size_t length,
                  char out[SB_PATH_MAX + 1]) {
  const sb_scope *scope = &reader->scopes.list[setting->scope];
  memcpy(out, scope->path, scope->length + 1);
  return plain(reader, setting, start, length, scope->length, out);
}
