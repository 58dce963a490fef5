// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of an expression, and the words of faults in them.
#include <string.h>

#include "core/base/utf8.h"
#include "core/expression/parser_private.h"

enum { QUOTE_MAX = 40 }; // bytes of a faulty word that are shown

sb_status sb_parser_place(const sb_parser *in, size_t at, sb_status status) {
  if (in->err != NULL) {
    in->err->column = sb_utf8_count(in->text, at) + 1;
  }
  return status;
}

char sb_parser_next(sb_parser *in) {
  while (in->at < in->end && sb_is_blank(in->text[in->at])) {
    in->at++;
  }
  return sb_parser_peek(in, 0);
}

int sb_parser_shown(const char *word, size_t length) {
  size_t size = 0;
  for (int more = 1; size < length && more > 0 && size + 4 <= QUOTE_MAX;) {
    more = sb_utf8_decode(word + size, length - size, NULL);
    size += (size_t)more;
  }
  return (int)size;
}

sb_status sb_parser_unexpected(const sb_parser *in, const char *wanted) {
  if (in->at >= in->end) {
    return SB_FAULT(in, in->at, SB_ERR_NUMBER, "%s is missing at the end", wanted);
  }
  unsigned char c = (unsigned char)in->text[in->at];
  if (c < 0x20 || c == 0x7F) {
    return SB_FAULT(in, in->at, SB_ERR_NUMBER, "%s is missing before a control character", wanted);
  }
  return SB_FAULT(in, in->at, SB_ERR_NUMBER, "%s is missing before '%.*s'", wanted,
                  sb_utf8_decode(in->text + in->at, in->end - in->at, NULL), in->text + in->at);
}

bool sb_parser_hint_behind(const sb_parser *in) {
  const char *at = in->text + in->at;
  const size_t left = in->end - in->at;
  const bool both = (left > 1 && strncmp(at, "&&", 2) == 0) ||
                    (left > 3 && strncmp(at, "and", 3) == 0 && sb_is_blank(at[3]));
  const bool either = (left > 1 && strncmp(at, "||", 2) == 0) ||
                      (left > 2 && strncmp(at, "or", 2) == 0 && sb_is_blank(at[2]));
  if (both) {
    sb_error_hint(in->err, "both of two conditions: (a < b)*(c < d)");
  } else if (either) {
    sb_error_hint(in->err, "one of two conditions: max(a < b, c < d)");
  } else if (sb_is_letter(sb_parser_peek(in, 0))) {
    sb_error_hint(in->err, "in an expression units stand in brackets: 50[ms]");
  } else {
    return false;
  }
  return true;
}

sb_status sb_parser_enter(sb_parser *in, size_t at) {
  return ++in->depth <= SB_EXPRESSION_DEPTH_MAX
             ? SB_OK
             : SB_FAULT(in, at, SB_ERR_TOO_LARGE, "an expression has at most %d levels",
                        SB_EXPRESSION_DEPTH_MAX);
}
