// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_CORE_EXPRESSION_PRIVATE_H
#define SB_CORE_EXPRESSION_PRIVATE_H

#include "core/expression/expression.h"

struct sb_expression {
  int variable_count;
  int count;
  sb_node nodes[]; // (count)
};

typedef enum sb_operator {
  SB_OP_NEGATE,
  SB_OP_ADD,
  SB_OP_SUBTRACT,
  SB_OP_MULTIPLY,
  SB_OP_DIVIDE,
  SB_OP_POWER,
  SB_OP_LESS,
  SB_OP_LESS_EQUAL,
  SB_OP_GREATER,
  SB_OP_GREATER_EQUAL,
  SB_OP_EQUAL,
  SB_OP_NOT_EQUAL,
  SB_OPERATORS
} sb_operator;

extern const sb_function sb_operators[SB_OPERATORS];

/** A text being compiled; `at` is the next byte. */
typedef struct sb_parser {
  const char *text;
  size_t at, end;
  const sb_vocabulary *vocabulary;
  sb_expression *out;
  int depth;
  sb_error *err;
} sb_parser;

bool sb_parser_is_digit(char c);
bool sb_parser_is_letter(char c);
/** A byte from here on; 0 behind the end. */
char sb_parser_peek(const sb_parser *in, size_t ahead);
void sb_parser_skip_blanks(sb_parser *in);

/** Sets the column of an error and returns its status. */
sb_status sb_parser_place(const sb_parser *in, size_t at, sb_status status);
/** The bytes of a word to show, cut between characters. */
int sb_parser_shown(const char *word, size_t length);
/** What stands where something else is wanted. */
sb_status sb_parser_unexpected(const sb_parser *in, const char *wanted);
/** One level deeper; whoever enters counts `depth` down again. */
sb_status sb_parser_enter(sb_parser *in, size_t at);

/** Adds a node and gives its number. */
sb_status sb_parser_emit(sb_parser *in, const sb_node *node, int *index);
sb_status sb_parser_emit_function(sb_parser *in, const sb_function *f, size_t at, size_t start,
                                  const int arguments[], int *index);

sb_status sb_parser_read_comparison(sb_parser *in, int *index);
/** A number, a name, a call or a bracket. */
sb_status sb_parser_read_operand(sb_parser *in, int *index);

#endif
