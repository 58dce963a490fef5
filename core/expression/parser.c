// SPDX-License-Identifier: GPL-3.0-or-later
// From text to nodes by recursive descent; every level of the grammar emits behind its arguments.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/expression/parser_private.h"

static sb_status read_unary(sb_parser *in, int *index);

sb_status sb_parser_emit(sb_parser *in, const sb_node *node, int *index) {
  if (in->out->count >= SB_EXPRESSION_NODES_MAX) {
    return SB_FAULT(in, (size_t)node->at, SB_ERR_TOO_LARGE,
                    "an expression has at most %d numbers, names and operators",
                    SB_EXPRESSION_NODES_MAX);
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
  while (sb_is_blank(in->text[end - 1])) {
    end--;
  }
  node.end = (int)end;
  for (int i = 0; i < f->arity; i++) {
    node.arguments[i] = arguments[i];
    orders[i] = in->out->nodes[arguments[i]].order;
  }
  node.order = sb_function_order(f, orders);
  return sb_parser_emit(in, &node, index);
}

sb_status sb_parser_emit_operator(sb_parser *in, const sb_function *f, size_t at, int right,
                                  int *index) {
  const int arguments[] = {*index, right};
  return sb_parser_emit_function(in, f, at, (size_t)in->out->nodes[*index].start, arguments, index);
}

static sb_status read_power(sb_parser *in, int *index) {
  int right = 0;
  SB_TRY(sb_parser_operand(in, index));
  if (sb_parser_next(in) != '^') {
    return SB_OK;
  }
  size_t at = in->at++;
  SB_TRY(sb_parser_enter(in, at));
  SB_TRY(read_unary(in, &right));
  in->depth--;
  return sb_parser_emit_operator(in, &sb_operators[SB_OP_POWER], at, right, index);
}

static sb_status read_unary(sb_parser *in, int *index) {
  char sign = sb_parser_next(in);
  if (sign != '-' && sign != '+') {
    return read_power(in, index);
  }
  size_t at = in->at++;
  SB_TRY(sb_parser_enter(in, at));
  SB_TRY(read_unary(in, index));
  in->depth--;
  const int argument = *index;
  return sign == '+'
             ? SB_OK
             : sb_parser_emit_function(in, &sb_operators[SB_OP_NEGATE], at, at, &argument, index);
}

/** Ranks of operators between operands, loosest first. */
static const struct {
  sb_operator first, last;
} ranks[] = {
    {SB_OP_LESS, SB_OP_NOT_EQUAL}, {SB_OP_ADD, SB_OP_SUBTRACT}, {SB_OP_MULTIPLY, SB_OP_DIVIDE}};
enum { RANKS = sizeof ranks / sizeof *ranks };

/** The operator of a rank that comes next, NULL: none; of two that fit the longer one. */
static const sb_function *peek_operator(sb_parser *in, int rank) {
  const sb_function *found = NULL;
  char c = sb_parser_next(in);
  for (sb_operator i = ranks[rank].first; i <= ranks[rank].last; i++) {
    const char *name = sb_operators[i].name;
    bool fits = name[0] == c && (name[1] == '\0' || name[1] == sb_parser_peek(in, 1));
    found = fits && (found == NULL || name[1] != '\0') ? &sb_operators[i] : found;
  }
  return found;
}

/** Operators of a rank, from left to right; a comparison stands alone. */
static sb_status read_chain(sb_parser *in, int rank, int *index) {
  if (rank == RANKS) {
    return read_unary(in, index);
  }
  SB_TRY(read_chain(in, rank + 1, index));
  for (const sb_function *f; (f = peek_operator(in, rank)) != NULL;) {
    size_t at = in->at;
    int right = 0;
    in->at += strlen(f->name);
    SB_TRY(read_chain(in, rank + 1, &right));
    SB_TRY(sb_parser_emit_operator(in, f, at, right, index));
    if (rank == 0 && peek_operator(in, rank) != NULL) {
      sb_status status = SB_FAULT(in, in->at, SB_ERR_NUMBER, "comparisons stand alone");
      sb_error_hint(in->err, "a < b < c is written (a < b)*(b < c)");
      return status;
    }
  }
  return SB_OK;
}

sb_status sb_parser_expression(sb_parser *in, int *index) {
  return read_chain(in, 0, index);
}

/** What stands behind an expression that seemed to be complete. */
static sb_status trailing(const sb_parser *in) {
  char c = sb_parser_peek(in, 0);
  if (c == ')') {
    return SB_FAULT(in, in->at, SB_ERR_NUMBER, "a bracket '(' is missing before ')'");
  }
  sb_status status = sb_parser_unexpected(in, "an operator");
  if (c == '[') {
    sb_error_hint(in->err,
                  "a unit in brackets stands behind a number, as in 50[ms], or behind ')'");
  } else if (sb_parser_hint_behind(in)) {
    return status;
  } else if (c == '=') {
    sb_error_hint(in->err, "equality is written ==");
  } else if (c == ',') {
    sb_error_hint(in->err, "the decimal sign is a point: 1.5");
  }
  return status;
}

sb_status sb_expression_compile(const char *text, size_t length, const sb_vocabulary *vocabulary,
                                sb_expression **result, sb_error *err) {
  assert(vocabulary->variable_count <= SB_EXPRESSION_VARIABLES_MAX);
  sb_parser in = {.text = text, .end = length, .vocabulary = vocabulary, .err = err};
  *result = NULL;
  if (length > SB_EXPRESSION_LENGTH_MAX) {
    return SB_FAULT(&in, 0, SB_ERR_TOO_LARGE, "an expression has at most %d bytes",
                    SB_EXPRESSION_LENGTH_MAX);
  }
  // A node takes at least one byte of the text.
  size_t most = length < SB_EXPRESSION_NODES_MAX ? length : SB_EXPRESSION_NODES_MAX;
  in.out = calloc(1, sizeof *in.out + (most + 1) * sizeof(sb_node));
  if (in.out == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  in.out->variable_count = vocabulary->variable_count;
  int index;
  sb_status status = read_chain(&in, 0, &index);
  (void)sb_parser_next(&in);
  if (status == SB_OK && in.at < in.end) {
    status = trailing(&in);
  }
  if (status != SB_OK) {
    free(in.out);
    return status;
  }
  sb_expression_find_beside_one(in.out);
  *result = in.out;
  return SB_OK;
}
