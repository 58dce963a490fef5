// SPDX-License-Identifier: GPL-3.0-or-later
// From text to nodes by recursive descent; every level of the grammar emits behind its arguments.
#include "core/expression/expression.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/utf8.h"
#include "core/expression/expression_private.h"

static sb_status read_unary(sb_parser *in, int *index);

static sb_status read_power(sb_parser *in, int *index) {
  int arguments[2];
  SB_TRY(sb_parser_read_operand(in, &arguments[0]));
  *index = arguments[0];
  sb_parser_skip_blanks(in);
  if (sb_parser_peek(in, 0) != '^') {
    return SB_OK;
  }
  size_t at = in->at++, start = (size_t)in->out->nodes[arguments[0]].start;
  SB_TRY(sb_parser_enter(in, at));
  SB_TRY(read_unary(in, &arguments[1]));
  in->depth--;
  return sb_parser_emit_function(in, &sb_operators[SB_OP_POWER], at, start, arguments, index);
}

static sb_status read_unary(sb_parser *in, int *index) {
  sb_parser_skip_blanks(in);
  size_t at = in->at;
  char sign = sb_parser_peek(in, 0);
  if (sign != '-' && sign != '+') {
    return read_power(in, index);
  }
  int argument;
  SB_TRY(sb_parser_enter(in, at));
  in->at++;
  SB_TRY(read_unary(in, &argument));
  in->depth--;
  *index = argument;
  return sign == '+'
             ? SB_OK
             : sb_parser_emit_function(in, &sb_operators[SB_OP_NEGATE], at, at, &argument, index);
}

/** A chain of two operators of equal rank, from left to right. */
static sb_status read_chain(sb_parser *in, const char *signs, sb_operator first,
                            sb_status (*read)(sb_parser *, int *), int *index) {
  SB_TRY(read(in, index));
  for (sb_parser_skip_blanks(in);
       sb_parser_peek(in, 0) == signs[0] || sb_parser_peek(in, 0) == signs[1];
       sb_parser_skip_blanks(in)) {
    const sb_function *f = &sb_operators[(int)first + (sb_parser_peek(in, 0) == signs[1])];
    size_t at = in->at++;
    int arguments[2] = {*index};
    SB_TRY(read(in, &arguments[1]));
    SB_TRY(sb_parser_emit_function(in, f, at, (size_t)in->out->nodes[arguments[0]].start, arguments,
                                   index));
  }
  return SB_OK;
}

static sb_status read_product(sb_parser *in, int *index) {
  return read_chain(in, "*/", SB_OP_MULTIPLY, read_unary, index);
}

static sb_status read_sum(sb_parser *in, int *index) {
  return read_chain(in, "+-", SB_OP_ADD, read_product, index);
}

static const sb_function *peek_comparison(const sb_parser *in) {
  const sb_function *found = NULL;
  for (int i = SB_OP_LESS; i < SB_OPERATORS; i++) {
    const char *name = sb_operators[i].name;
    bool fits =
        name[0] == sb_parser_peek(in, 0) && (name[1] == '\0' || name[1] == sb_parser_peek(in, 1));
    found = fits && (found == NULL || name[1] != '\0') ? &sb_operators[i] : found;
  }
  return found;
}

sb_status sb_parser_read_comparison(sb_parser *in, int *index) {
  SB_TRY(read_sum(in, index));
  sb_parser_skip_blanks(in);
  const sb_function *f = peek_comparison(in);
  if (f == NULL) {
    return SB_OK;
  }
  size_t at = in->at;
  int arguments[2] = {*index};
  in->at += strlen(f->name);
  SB_TRY(read_sum(in, &arguments[1]));
  SB_TRY(sb_parser_emit_function(in, f, at, (size_t)in->out->nodes[arguments[0]].start, arguments,
                                 index));
  sb_parser_skip_blanks(in);
  if (peek_comparison(in) != NULL) {
    sb_status status = sb_fail(in->err, SB_ERR_NUMBER, "comparisons stand alone");
    sb_error_hint(in->err, "a < b < c is written (a < b)*(b < c)");
    return sb_parser_place(in, in->at, status);
  }
  return SB_OK;
}

/** What stands behind an expression that seemed to be complete. */
static sb_status trailing(const sb_parser *in) {
  char c = sb_parser_peek(in, 0);
  if (c == ')') {
    return sb_parser_place(in, in->at,
                           sb_fail(in->err, SB_ERR_NUMBER, "a bracket '(' is missing before ')'"));
  }
  sb_status status = sb_parser_unexpected(in, "an operator");
  if (c == '[') {
    sb_error_hint(in->err,
                  "a unit in brackets stands behind a number, as in 50[ms], or behind ')'");
  } else if (sb_parser_is_letter(c)) {
    sb_error_hint(in->err, "in an expression units stand in brackets: 50[ms]");
  } else if (c == '=') {
    sb_error_hint(in->err, "equality is written ==");
  }
  return status;
}

static sb_status parse(sb_parser *in) {
  int index;
  SB_TRY(sb_parser_read_comparison(in, &index));
  sb_parser_skip_blanks(in);
  return in->at < in->end ? trailing(in) : SB_OK;
}

sb_status sb_expression_compile(const char *text, size_t length, const sb_vocabulary *vocabulary,
                                sb_expression **result, sb_error *err) {
  assert(vocabulary->variable_count <= SB_EXPRESSION_VARIABLES_MAX);
  sb_parser in = {.text = text, .end = length, .vocabulary = vocabulary, .err = err};
  *result = NULL;
  if (length > SB_EXPRESSION_LENGTH_MAX) {
    return sb_parser_place(&in, 0,
                           sb_fail(err, SB_ERR_TOO_LARGE, "an expression has at most %d bytes",
                                   SB_EXPRESSION_LENGTH_MAX));
  }
  // A node takes at least one byte of the text.
  size_t most = length < SB_EXPRESSION_NODES_MAX ? length : SB_EXPRESSION_NODES_MAX;
  in.out = calloc(1, sizeof *in.out + (most + 1) * sizeof(sb_node));
  if (in.out == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  in.out->variable_count = vocabulary->variable_count;
  sb_status status = parse(&in);
  if (status != SB_OK) {
    free(in.out);
    return status;
  }
  *result = in.out;
  return SB_OK;
}

static size_t size_of(const sb_expression *expression) {
  return sizeof *expression + (size_t)expression->count * sizeof(sb_node);
}

sb_status sb_expression_copy(const sb_expression *expression, sb_expression **copy, sb_error *err) {
  *copy = malloc(size_of(expression));
  if (*copy == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  memcpy(*copy, expression, size_of(expression));
  return SB_OK;
}

void sb_expression_destroy(sb_expression *expression) {
  free(expression);
}

const sb_node *sb_expression_nodes(const sb_expression *expression, int *count) {
  *count = expression->count;
  return expression->nodes;
}

int sb_expression_variable_count(const sb_expression *expression) {
  return expression->variable_count;
}

bool sb_expression_uses(const sb_expression *expression, int slot) {
  bool uses = false;
  for (int i = 0; i < expression->count; i++) {
    uses = uses || expression->nodes[i].variable == slot;
  }
  return uses;
}
