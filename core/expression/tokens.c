// SPDX-License-Identifier: GPL-3.0-or-later
// What every part of the grammar needs: characters, places of faults, and nodes that are added.
#include <string.h>

#include "core/base/utf8.h"
#include "core/expression/expression_private.h"

enum { QUOTE_MAX = 40 }; // bytes of a faulty word that are shown

sb_status sb_parser_place(const sb_parser *in, size_t at, sb_status status) {
  if (in->err != NULL) {
    in->err->column = sb_utf8_count(in->text, at) + 1;
  }
  return status;
}

bool sb_parser_is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool sb_parser_is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

char sb_parser_peek(const sb_parser *in, size_t ahead) {
  return in->at + ahead < in->end ? in->text[in->at + ahead] : '\0';
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

void sb_parser_skip_blanks(sb_parser *in) {
  while (in->at < in->end && is_blank(in->text[in->at])) {
    in->at++;
  }
}

int sb_parser_shown(const char *word, size_t length) {
  size_t size = 0;
  for (int next = 1; size < length && next > 0 && size + 4 <= QUOTE_MAX;) {
    next = sb_utf8_decode(word + size, length - size, NULL);
    size += (size_t)next;
  }
  return (int)size;
}

sb_status sb_parser_unexpected(const sb_parser *in, const char *wanted) {
  if (in->at >= in->end) {
    return sb_parser_place(in, in->at,
                           sb_fail(in->err, SB_ERR_NUMBER, "%s is missing at the end", wanted));
  }
  size_t length = 1;
  while (in->at + length < in->end && ((unsigned char)in->text[in->at + length] & 0xC0U) == 0x80U) {
    length++;
  }
  unsigned char c = (unsigned char)in->text[in->at];
  sb_status status = c < 0x20 || c == 0x7F
                         ? sb_fail(in->err, SB_ERR_NUMBER,
                                   "%s is missing before a control "
                                   "character",
                                   wanted)
                         : sb_fail(in->err, SB_ERR_NUMBER, "%s is missing before '%.*s'", wanted,
                                   sb_parser_shown(in->text + in->at, length), in->text + in->at);
  return sb_parser_place(in, in->at, status);
}

sb_status sb_parser_enter(sb_parser *in, size_t at) {
  if (++in->depth > SB_EXPRESSION_DEPTH_MAX) {
    return sb_parser_place(in, at,
                           sb_fail(in->err, SB_ERR_TOO_LARGE, "an expression has at most %d levels",
                                   SB_EXPRESSION_DEPTH_MAX));
  }
  return SB_OK;
}

/** The order of a function of arguments of these orders. */
static int order_of(const sb_function *f, const int orders[]) {
  const sb_function *ops = sb_operators;
  int most = 0, sum = 0;
  for (int i = 0; i < f->arity; i++) {
    most = orders[i] > most ? orders[i] : most;
    sum += orders[i];
  }
  bool divides = f == &ops[SB_OP_DIVIDE] || f->kink == SB_KINK_MULTIPLE;
  bool linear = f->kink != SB_KINK_NONE || f == &ops[SB_OP_NEGATE] || f == &ops[SB_OP_ADD] ||
                f == &ops[SB_OP_SUBTRACT] || divides || (f == &ops[SB_OP_MULTIPLY] && sum < 2);
  return most == 0 ? 0 : linear && !(divides && orders[1] > 0) ? most : 2;
}

sb_status sb_parser_emit(sb_parser *in, const sb_node *node, int *index) {
  if (in->out->count >= SB_EXPRESSION_NODES_MAX) {
    return sb_parser_place(in, (size_t)node->at,
                           sb_fail(in->err, SB_ERR_TOO_LARGE,
                                   "an expression has at most %d numbers, names and operators",
                                   SB_EXPRESSION_NODES_MAX));
  }
  *index = in->out->count;
  in->out->nodes[in->out->count++] = *node;
  return SB_OK;
}

sb_status sb_parser_emit_function(sb_parser *in, const sb_function *f, size_t at, size_t start,
                                  const int arguments[], int *index) {
  sb_node node = {.function = f, .variable = -1, .at = (int)at, .start = (int)start};
  int orders[3] = {0};
  size_t end = in->at;
  while (is_blank(in->text[end - 1])) {
    end--;
  }
  node.end = (int)end;
  for (int i = 0; i < f->arity; i++) {
    const sb_node *argument = &in->out->nodes[arguments[i]];
    node.arguments[i] = arguments[i];
    orders[i] = argument->order;
  }
  node.order = order_of(f, orders);
  return sb_parser_emit(in, &node, index);
}
