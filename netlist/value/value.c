// SPDX-License-Identifier: GPL-3.0-or-later
// A value is a list of numbers and parameters, with one unit after it. It is read once to check it
// and to find the unit, and once more if there is one.
#include "netlist/value/value.h"

#include <string.h>

#include "netlist/value/item_private.h"

static sb_status read_items(sb_value_reader *in) {
  in->count = 0;
  in->after_number = false;
  in->dimension = (sb_dimension){.any = true};
  for (in->at = sb_value_skip_blanks(in, in->start); in->at < in->end;
       in->at = sb_value_skip_blanks(in, in->at)) {
    SB_TRY(sb_value_read_item(in));
  }
  if (in->count == 0) {
    return sb_value_at(in, in->start, sb_fail(in->err, SB_ERR_NUMBER, "a value is missing"));
  }
  return SB_OK;
}

/** Reads the values between `start` and `end`, which the reader brings along. */
static sb_status read_value(sb_value_reader *in) {
  in->scale = 1;
  SB_TRY(read_items(in));
  return in->has_unit ? read_items(in) : SB_OK;
}

sb_status sb_value_parse(const char *text, const sb_dimension *expected,
                         const sb_value_scope *scope, double values[], int max, int *count,
                         sb_dimension *dimension, sb_error *err) {
  sb_value_reader in = {.text = text,
                        .end = strlen(text),
                        .expected = expected,
                        .scope = scope,
                        .values = values,
                        .max = max,
                        .err = err};
  *count = 0;
  SB_TRY(read_value(&in));
  *count = in.count;
  if (dimension != NULL) {
    *dimension = in.dimension;
  }
  return SB_OK;
}

/** Where the word "about" begins; the end of the text if it is not there. */
static size_t find_about(const sb_value_reader *in) {
  for (size_t at = 0; at < in->end; at = sb_value_word_end(in, at)) {
    at = sb_value_skip_blanks(in, at);
    if (sb_value_word_end(in, at) - at == 5 && memcmp(in->text + at, "about", 5) == 0) {
      return at;
    }
  }
  return in->end;
}

sb_status sb_value_parse_rotation(const char *text, const sb_value_scope *scope, double *angle,
                                  double axis[3], sb_error *err) {
  static const sb_dimension pure = {0};
  sb_value_reader whole = {
      .text = text, .end = strlen(text), .expected = &pure, .scope = scope, .err = err};
  size_t about = find_about(&whole);
  if (about == whole.end) {
    sb_status status = sb_fail(err, SB_ERR_NUMBER, "a rotation is an angle about an axis");
    sb_error_hint(err, "for instance 6 deg about 0 1 0");
    return sb_value_at(&whole, 0, status);
  }
  sb_value_reader first = whole, second = whole;
  first.end = about;
  first.values = angle;
  first.max = 1;
  SB_TRY(read_value(&first));
  second.start = about + 5;
  second.values = axis;
  second.max = 3;
  SB_TRY(read_value(&second));
  size_t at = sb_value_skip_blanks(&second, second.start);
  if (second.count != 3) {
    return sb_value_at(
        &second, at, sb_fail(err, SB_ERR_DIMENSION, "an axis has 3 numbers, not %d", second.count));
  }
  if (axis[0] == 0 && axis[1] == 0 && axis[2] == 0) {
    return sb_value_at(&second, at, sb_fail(err, SB_ERR_RANGE, "the axis must not be zero"));
  }
  return SB_OK;
}
