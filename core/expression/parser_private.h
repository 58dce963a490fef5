// SPDX-License-Identifier: GPL-3.0-or-later
// A text on its way to nodes: its bytes and the words of faults (scanner.c), operands (operands.c), and
// operators in their ranks (parser.c).
#ifndef SB_CORE_EXPRESSION_PARSER_PRIVATE_H
#define SB_CORE_EXPRESSION_PARSER_PRIVATE_H

#include "core/expression/expression_private.h"

/** A text being compiled; `at` is the next byte. */
typedef struct sb_parser {
  const char *text;
  size_t at, end;
  const sb_vocabulary *vocabulary;
  sb_expression *out;
  int depth;
  sb_error *err;
} sb_parser;

static inline bool sb_is_digit(char c) {
  return c >= '0' && c <= '9';
}

static inline bool sb_is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static inline bool sb_is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/** A byte from here on; 0 behind the end. */
static inline char sb_parser_peek(const sb_parser *in, size_t ahead) {
  return in->at + ahead < in->end ? in->text[in->at + ahead] : '\0';
}

/** The next byte that is no blank. */
char sb_parser_next(sb_parser *in);
/** One level deeper; whoever enters counts `depth` down again. */
sb_status sb_parser_enter(sb_parser *in, size_t at);

/** Sets the column of an error and returns its status. */
sb_status sb_parser_place(const sb_parser *in, size_t at, sb_status status);
/** Words a fault at a byte of the text. */
#define SB_FAULT(in, at, status, ...)                                                              \
  sb_parser_place(in, at, sb_fail((in)->err, status, __VA_ARGS__))
/** What stands where something else is wanted. */
sb_status sb_parser_unexpected(const sb_parser *in, const char *wanted);
/** Hints at what "&&", "and", "||", "or" and a unit are written as, if one of them stands here, behind an operand. */
bool sb_parser_hint_behind(const sb_parser *in);
/** The bytes of a word to show, cut between characters. */
int sb_parser_shown(const char *word, size_t length);

/** Adds a node and gives its number. */
sb_status sb_parser_emit(sb_parser *in, const sb_node *node, int *index);
/** A function whose text begins at `start` and ends here. @param at  what faults show  @param arguments  nodes */
sb_status sb_parser_emit_function(sb_parser *in, const sb_function *f, size_t at, size_t start,
                                  const int arguments[], int *index);
/** An operator that stands `at` between *index, which becomes the result, and another operand. */
sb_status sb_parser_emit_operator(sb_parser *in, const sb_function *f, size_t at, int right,
                                  int *index);

/** A number, a name, a call or a bracket. */
sb_status sb_parser_operand(sb_parser *in, int *index);
/** Operators of all ranks and what is between them. */
sb_status sb_parser_expression(sb_parser *in, int *index);

#endif
