// SPDX-License-Identifier: GPL-3.0-or-later
// A rotation is two values, "6 deg" and "0 1 0", with the word "about" between them.
#include <string.h>

#include "core/graph/param.h"
#include "netlist/value/value.h"
#include "netlist/value/words_private.h"

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
  SB_TRY(sb_value_read(&first));
  second.start = about + 5;
  second.values = axis;
  second.max = 3;
  SB_TRY(sb_value_read(&second));
  size_t at = sb_value_skip_blanks(&second, second.start);
  if (second.count != 3) {
    return sb_value_at(
        &second, at, sb_fail(err, SB_ERR_DIMENSION, "an axis has 3 numbers, not %d", second.count));
  }
  return sb_direction_check("the axis", axis, 3, err) == SB_OK
             ? SB_OK
             : sb_value_at(&second, at, err->status);
}
