// SPDX-License-Identifier: GPL-3.0-or-later
// The operands of an expression: numbers with units, names, names with indices, calls and brackets.
#include <string.h>

#include "core/base/number.h"
#include "core/expression/parser_private.h"

static bool is_name(const char *name, const char *text, size_t length) {
  return strlen(name) == length && memcmp(name, text, length) == 0;
}

/** The unit in brackets behind a number. */
static sb_status read_unit(sb_parser *in, sb_node *node) {
  size_t start = in->at + 1, end = start;
  while (end < in->end && in->text[end] != ']') {
    end++;
  }
  if (end == in->end) {
    return SB_FAULT(in, in->at, SB_ERR_NUMBER, "the bracket '[' is not closed");
  }
  const sb_vocabulary *v = in->vocabulary;
  if (v->unit == NULL) {
    return SB_FAULT(in, in->at, SB_ERR_NUMBER, "numbers have no units here: SI");
  }
  sb_status status =
      v->unit(v->context, in->text + start, end - start, &node->number, &node->tag, in->err);
  if (status != SB_OK) {
    int column = in->err != NULL && in->err->column > 0 ? in->err->column : 1;
    (void)sb_parser_place(in, start, status);
    if (in->err != NULL) {
      in->err->column += column - 1;
    }
    return status;
  }
  in->at = end + 1;
  return SB_OK;
}

/** A unit behind a bracket, as in sqrt(1e5)[N.s/m], multiplies by it. */
static sb_status read_unit_behind(sb_parser *in, int *index) {
  size_t close = in->at;
  if (sb_parser_next(in) != '[') {
    in->at = close;
    return SB_OK;
  }
  size_t at = in->at;
  sb_node unit = {.variable = -1, .number = 1, .start = (int)at, .at = (int)at};
  int right = 0;
  SB_TRY(read_unit(in, &unit));
  unit.end = (int)in->at;
  SB_TRY(sb_parser_emit(in, &unit, &right));
  return sb_parser_emit_operator(in, &sb_operators[SB_OP_MULTIPLY], at, right, index);
}

static sb_status read_number(sb_parser *in, int *index) {
  size_t start = in->at, used;
  sb_node node = {.variable = -1, .start = (int)start, .at = (int)start};
  if (sb_number_parse(in->text + start, in->end - start, &node.number, &used) != SB_OK) {
    return SB_FAULT(in, start, SB_ERR_NUMBER, "the number is too large or too long");
  }
  in->at += used;
  if (sb_is_letter(sb_parser_peek(in, 0)) || sb_parser_peek(in, 0) == '%') {
    sb_status status = sb_parser_unexpected(in, "an operator");
    sb_error_hint(in->err, "in an expression units stand in brackets: 50[ms]");
    return status;
  }
  size_t end = in->at;
  if (sb_parser_next(in) == '[') {
    SB_TRY(read_unit(in, &node));
    end = in->at;
  }
  in->at = end;
  node.end = (int)end;
  return sb_parser_emit(in, &node, index);
}

static sb_status wrong_count(const sb_parser *in, const sb_function *f) {
  sb_status status = SB_FAULT(in, in->at, SB_ERR_NUMBER, "%s takes %d argument%s", f->name,
                              f->arity, f->arity == 1 ? "" : "s");
  sb_error_hint(in->err, "%s: %s", f->name, f->help);
  return status;
}

static sb_status unclosed(const sb_parser *in) {
  const sb_status status = sb_parser_unexpected(in, "')' or an operator");
  (void)sb_parser_hint_behind(in);
  return status;
}

/** The arguments of a function, from its bracket on. */
static sb_status read_call(sb_parser *in, const sb_function *f, size_t start, int *index) {
  int arguments[3] = {0};
  SB_TRY(sb_parser_enter(in, in->at));
  in->at++;
  for (int i = 0; i < f->arity; i++) {
    if (sb_parser_next(in) == ')') {
      return wrong_count(in, f);
    }
    SB_TRY(sb_parser_expression(in, &arguments[i]));
    char c = sb_parser_next(in), wanted = i + 1 < f->arity ? ',' : ')';
    if (c != wanted) {
      return c == ',' || c == ')' ? wrong_count(in, f) : unclosed(in);
    }
    in->at++;
  }
  in->depth--;
  SB_TRY(sb_parser_emit_function(in, f, start, start, arguments, index));
  return read_unit_behind(in, index);
}

/** A variable or a constant; false: unknown. */
static bool find_name(const sb_parser *in, const char *name, size_t length, sb_node *node) {
  const sb_vocabulary *v = in->vocabulary;
  for (int i = 0; i < v->variable_count && node->variable < 0; i++) {
    node->variable = is_name(v->variables[i], name, length) ? i : -1;
  }
  if (node->variable >= 0) {
    node->order = node->variable < v->variable_count - v->signal_count ? 1 : 2;
    return true;
  }
  if (v->constant != NULL && v->constant(v->context, name, length, &node->number, &node->tag)) {
    return true;
  }
  bool is_pi = is_name("pi", name, length);
  node->number = is_pi ? 3.14159265358979323846 : 2.71828182845904523536;
  return is_pi || is_name("e", name, length);
}

/** A name with indices, which begins at `start` and whose first bracket opens here. */
static sb_status read_indexed(sb_parser *in, size_t start, int *index) {
  const sb_vocabulary *v = in->vocabulary;
  const char *name = in->text + start;
  while (sb_parser_peek(in, 0) == '[') {
    const char *close = memchr(in->text + in->at, ']', in->end - in->at);
    if (close == NULL) {
      return SB_FAULT(in, in->at, SB_ERR_NUMBER, "the bracket '[' is not closed");
    }
    in->at = (size_t)(close + 1 - in->text);
  }
  size_t length = in->at - start;
  sb_node node = {.variable = v->indexed(v->context, name, length),
                  .order = 2,
                  .start = (int)start,
                  .at = (int)start,
                  .end = (int)in->at};
  return node.variable >= 0 ? sb_parser_emit(in, &node, index)
                            : SB_FAULT(in, start, SB_ERR_REFERENCE, "unknown name '%.*s'",
                                       sb_parser_shown(name, length), name);
}

static sb_status read_name(sb_parser *in, int *index) {
  size_t start = in->at;
  while (sb_is_letter(sb_parser_peek(in, 0)) || sb_is_digit(sb_parser_peek(in, 0))) {
    in->at++;
  }
  const char *name = in->text + start;
  size_t length = in->at - start;
  if (sb_parser_peek(in, 0) == '[' && in->vocabulary->indexed != NULL) {
    return read_indexed(in, start, index);
  }
  sb_node node = {.variable = -1, .start = (int)start, .at = (int)start, .end = (int)in->at};
  bool calls = sb_parser_next(in) == '(';
  const sb_function *f = sb_function_find(name, length);
  if (calls && f != NULL) {
    return read_call(in, f, start, index);
  }
  in->at = start + length;
  bool known = find_name(in, name, length, &node);
  if (known && !calls) {
    return sb_parser_emit(in, &node, index);
  }
  sb_status status = SB_FAULT(in, start, SB_ERR_REFERENCE, "unknown %s '%.*s'",
                              calls ? "function" : "name", sb_parser_shown(name, length), name);
  if (f != NULL) {
    sb_error_hint(in->err, "%s is a function: its arguments stand in brackets", f->name);
  } else if (known) {
    sb_error_hint(in->err, "a product is written with *");
  }
  return status;
}

sb_status sb_parser_operand(sb_parser *in, int *index) {
  char c = sb_parser_next(in);
  if (sb_is_digit(c) || (c == '.' && sb_is_digit(sb_parser_peek(in, 1)))) {
    return read_number(in, index);
  }
  if (sb_is_letter(c)) {
    return read_name(in, index);
  }
  if (c != '(') {
    const sb_status status = sb_parser_unexpected(in, "a number or name");
    if (c == '*' && in->at > 0 && in->text[in->at - 1] == '*') {
      sb_error_hint(in->err, "a power is written ^, as in 2^3");
    } else if (c == '!') {
      sb_error_hint(in->err, "where a condition does not hold: (a < b) == 0");
    } else if (c == '$') {
      sb_error_hint(in->err, "a parameter or signal is written by its name alone");
    }
    return status;
  }
  size_t start = in->at;
  SB_TRY(sb_parser_enter(in, start));
  in->at++;
  SB_TRY(sb_parser_expression(in, index));
  if (sb_parser_next(in) != ')') {
    return in->at >= in->end ? SB_FAULT(in, start, SB_ERR_NUMBER, "the bracket '(' is not closed")
                             : unclosed(in);
  }
  in->at++;
  in->depth--;
  in->out->nodes[*index].start = (int)start;
  in->out->nodes[*index].end = (int)in->at;
  return read_unit_behind(in, index);
}
