// SPDX-License-Identifier: GPL-3.0-or-later
// From text to nodes by recursive descent; every level of the grammar emits behind its arguments.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/utf8.h"
#include "core/expression/expression_private.h"

enum { QUOTE_MAX = 40 }; // bytes of a faulty word that are shown

/** A text being compiled; `at` is the next byte. */
typedef struct parser {
  const char *text;
  size_t at, end;
  const sb_vocabulary *vocabulary;
  sb_expression *out;
  int depth;
  sb_error *err;
} parser;

static sb_status read_unary(parser *in, int *index);
static sb_status read_chain(parser *in, int rank, int *index);

/** Sets the column of an error and returns its status. */
static sb_status place(const parser *in, size_t at, sb_status status) {
  if (in->err != NULL) {
    in->err->column = sb_utf8_count(in->text, at) + 1;
  }
  return status;
}

/** Words a fault at a byte of the text. */
#define FAULT(in, at, status, ...) place(in, at, sb_fail((in)->err, status, __VA_ARGS__))

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_name(const char *name, const char *text, size_t length) {
  return strlen(name) == length && memcmp(name, text, length) == 0;
}

/** A byte from here on; 0 behind the end. */
static char peek(const parser *in, size_t ahead) {
  return in->at + ahead < in->end ? in->text[in->at + ahead] : '\0';
}

/** The next byte that is no blank. */
static char next(parser *in) {
  while (in->at < in->end && is_blank(in->text[in->at])) {
    in->at++;
  }
  return peek(in, 0);
}

/** The bytes of a word to show, cut between characters. */
static int shown(const char *word, size_t length) {
  size_t size = 0;
  for (int more = 1; size < length && more > 0 && size + 4 <= QUOTE_MAX;) {
    more = sb_utf8_decode(word + size, length - size, NULL);
    size += (size_t)more;
  }
  return (int)size;
}

/** What stands where something else is wanted. */
static sb_status unexpected(const parser *in, const char *wanted) {
  if (in->at >= in->end) {
    return FAULT(in, in->at, SB_ERR_NUMBER, "%s is missing at the end", wanted);
  }
  unsigned char c = (unsigned char)in->text[in->at];
  if (c < 0x20 || c == 0x7F) {
    return FAULT(in, in->at, SB_ERR_NUMBER, "%s is missing before a control character", wanted);
  }
  return FAULT(in, in->at, SB_ERR_NUMBER, "%s is missing before '%.*s'", wanted,
               sb_utf8_decode(in->text + in->at, in->end - in->at, NULL), in->text + in->at);
}

/** One level deeper; whoever enters counts `depth` down again. */
static sb_status enter(parser *in, size_t at) {
  return ++in->depth <= SB_EXPRESSION_DEPTH_MAX
             ? SB_OK
             : FAULT(in, at, SB_ERR_TOO_LARGE, "an expression has at most %d levels",
                     SB_EXPRESSION_DEPTH_MAX);
}

/** Adds a node and gives its number. */
static sb_status emit(parser *in, const sb_node *node, int *index) {
  if (in->out->count >= SB_EXPRESSION_NODES_MAX) {
    return FAULT(in, (size_t)node->at, SB_ERR_TOO_LARGE,
                 "an expression has at most %d numbers, names and operators",
                 SB_EXPRESSION_NODES_MAX);
  }
  *index = in->out->count;
  in->out->nodes[in->out->count++] = *node;
  return SB_OK;
}

static sb_status emit_function(parser *in, const sb_function *f, size_t at, size_t start,
                               const int arguments[], int *index) {
  sb_node node = {.function = f, .variable = -1, .at = (int)at, .start = (int)start};
  int orders[3] = {0};
  size_t end = in->at;
  while (is_blank(in->text[end - 1])) {
    end--;
  }
  node.end = (int)end;
  for (int i = 0; i < f->arity; i++) {
    node.arguments[i] = arguments[i];
    orders[i] = in->out->nodes[arguments[i]].order;
  }
  node.order = sb_function_order(f, orders);
  return emit(in, &node, index);
}

/** An operator that stands `at` between *index, which becomes the result, and another operand. */
static sb_status emit_operator(parser *in, const sb_function *f, size_t at, int right, int *index) {
  const int arguments[] = {*index, right};
  return emit_function(in, f, at, (size_t)in->out->nodes[*index].start, arguments, index);
}

/** The unit in brackets behind a number. */
static sb_status read_unit(parser *in, sb_node *node) {
  size_t start = in->at + 1, end = start;
  while (end < in->end && in->text[end] != ']') {
    end++;
  }
  if (end == in->end) {
    return FAULT(in, in->at, SB_ERR_NUMBER, "the bracket '[' is not closed");
  }
  const sb_vocabulary *v = in->vocabulary;
  if (v->unit == NULL) {
    return FAULT(in, in->at, SB_ERR_NUMBER, "numbers have no units here: SI");
  }
  sb_status status =
      v->unit(v->context, in->text + start, end - start, &node->number, &node->tag, in->err);
  if (status != SB_OK) {
    int column = in->err != NULL && in->err->column > 0 ? in->err->column : 1;
    (void)place(in, start, status);
    if (in->err != NULL) {
      in->err->column += column - 1;
    }
    return status;
  }
  in->at = end + 1;
  return SB_OK;
}

/** A unit behind a bracket, as in sqrt(1e5)[N.s/m], multiplies by it. */
static sb_status read_unit_behind(parser *in, int *index) {
  size_t close = in->at;
  if (next(in) != '[') {
    in->at = close;
    return SB_OK;
  }
  size_t at = in->at;
  sb_node unit = {.variable = -1, .number = 1, .start = (int)at, .at = (int)at};
  int right = 0;
  SB_TRY(read_unit(in, &unit));
  unit.end = (int)in->at;
  SB_TRY(emit(in, &unit, &right));
  return emit_operator(in, &sb_operators[SB_OP_MULTIPLY], at, right, index);
}

static sb_status read_number(parser *in, int *index) {
  size_t start = in->at, used;
  sb_node node = {.variable = -1, .start = (int)start, .at = (int)start};
  if (sb_number_parse(in->text + start, in->end - start, &node.number, &used) != SB_OK) {
    return FAULT(in, start, SB_ERR_NUMBER, "the number is too large or too long");
  }
  in->at += used;
  if (is_letter(peek(in, 0)) || peek(in, 0) == '%') {
    sb_status status = unexpected(in, "an operator");
    sb_error_hint(in->err, "in an expression units stand in brackets: 50[ms]");
    return status;
  }
  size_t end = in->at;
  if (next(in) == '[') {
    SB_TRY(read_unit(in, &node));
    end = in->at;
  }
  in->at = end;
  node.end = (int)end;
  return emit(in, &node, index);
}

static sb_status wrong_count(const parser *in, const sb_function *f) {
  sb_status status = FAULT(in, in->at, SB_ERR_NUMBER, "%s takes %d argument%s", f->name, f->arity,
                           f->arity == 1 ? "" : "s");
  sb_error_hint(in->err, "%s: %s", f->name, f->help);
  return status;
}

/** The arguments of a function, from its bracket on. */
static sb_status read_call(parser *in, const sb_function *f, size_t start, int *index) {
  int arguments[3] = {0};
  SB_TRY(enter(in, in->at));
  in->at++;
  for (int i = 0; i < f->arity; i++) {
    if (next(in) == ')') {
      return wrong_count(in, f);
    }
    SB_TRY(read_chain(in, 0, &arguments[i]));
    char c = next(in), wanted = i + 1 < f->arity ? ',' : ')';
    if (c != wanted) {
      return c == ',' || c == ')' ? wrong_count(in, f) : unexpected(in, "')' or an operator");
    }
    in->at++;
  }
  in->depth--;
  SB_TRY(emit_function(in, f, start, start, arguments, index));
  return read_unit_behind(in, index);
}

/** A variable or a constant; false: unknown. */
static bool find_name(const parser *in, const char *name, size_t length, sb_node *node) {
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
static sb_status read_indexed(parser *in, size_t start, int *index) {
  const sb_vocabulary *v = in->vocabulary;
  const char *name = in->text + start;
  while (peek(in, 0) == '[') {
    const char *close = memchr(in->text + in->at, ']', in->end - in->at);
    if (close == NULL) {
      return FAULT(in, in->at, SB_ERR_NUMBER, "the bracket '[' is not closed");
    }
    in->at = (size_t)(close + 1 - in->text);
  }
  size_t length = in->at - start;
  sb_node node = {.variable = v->indexed(v->context, name, length),
                  .order = 2,
                  .start = (int)start,
                  .at = (int)start,
                  .end = (int)in->at};
  return node.variable >= 0
             ? emit(in, &node, index)
             : FAULT(in, start, SB_ERR_REFERENCE, "unknown name '%.*s'", shown(name, length), name);
}

static sb_status read_name(parser *in, int *index) {
  size_t start = in->at;
  while (is_letter(peek(in, 0)) || is_digit(peek(in, 0))) {
    in->at++;
  }
  const char *name = in->text + start;
  size_t length = in->at - start;
  if (peek(in, 0) == '[' && in->vocabulary->indexed != NULL) {
    return read_indexed(in, start, index);
  }
  sb_node node = {.variable = -1, .start = (int)start, .at = (int)start, .end = (int)in->at};
  bool calls = next(in) == '(';
  const sb_function *f = sb_function_find(name, length);
  if (calls && f != NULL) {
    return read_call(in, f, start, index);
  }
  in->at = start + length;
  bool known = find_name(in, name, length, &node);
  if (known && !calls) {
    return emit(in, &node, index);
  }
  sb_status status = FAULT(in, start, SB_ERR_REFERENCE, "unknown %s '%.*s'",
                           calls ? "function" : "name", shown(name, length), name);
  if (f != NULL) {
    sb_error_hint(in->err, "%s is a function: its arguments stand in brackets", f->name);
  } else if (known) {
    sb_error_hint(in->err, "a product is written with *");
  }
  return status;
}

/** A number, a name, a call or a bracket. */
static sb_status read_operand(parser *in, int *index) {
  char c = next(in);
  if (is_digit(c) || (c == '.' && is_digit(peek(in, 1)))) {
    return read_number(in, index);
  }
  if (is_letter(c)) {
    return read_name(in, index);
  }
  if (c != '(') {
    return unexpected(in, "a number or name");
  }
  size_t start = in->at;
  SB_TRY(enter(in, start));
  in->at++;
  SB_TRY(read_chain(in, 0, index));
  if (next(in) != ')') {
    return in->at >= in->end ? FAULT(in, start, SB_ERR_NUMBER, "the bracket '(' is not closed")
                             : unexpected(in, "')' or an operator");
  }
  in->at++;
  in->depth--;
  in->out->nodes[*index].start = (int)start;
  in->out->nodes[*index].end = (int)in->at;
  return read_unit_behind(in, index);
}

static sb_status read_power(parser *in, int *index) {
  int right = 0;
  SB_TRY(read_operand(in, index));
  if (next(in) != '^') {
    return SB_OK;
  }
  size_t at = in->at++;
  SB_TRY(enter(in, at));
  SB_TRY(read_unary(in, &right));
  in->depth--;
  return emit_operator(in, &sb_operators[SB_OP_POWER], at, right, index);
}

static sb_status read_unary(parser *in, int *index) {
  char sign = next(in);
  if (sign != '-' && sign != '+') {
    return read_power(in, index);
  }
  size_t at = in->at++;
  SB_TRY(enter(in, at));
  SB_TRY(read_unary(in, index));
  in->depth--;
  const int argument = *index;
  return sign == '+' ? SB_OK
                     : emit_function(in, &sb_operators[SB_OP_NEGATE], at, at, &argument, index);
}

/** Ranks of operators between operands, loosest first. */
static const struct {
  sb_operator first, last;
} ranks[] = {
    {SB_OP_LESS, SB_OP_NOT_EQUAL}, {SB_OP_ADD, SB_OP_SUBTRACT}, {SB_OP_MULTIPLY, SB_OP_DIVIDE}};
enum { RANKS = sizeof ranks / sizeof *ranks };

/** The operator of a rank that comes next, NULL: none; of two that fit the longer one. */
static const sb_function *peek_operator(parser *in, int rank) {
  const sb_function *found = NULL;
  char c = next(in);
  for (sb_operator i = ranks[rank].first; i <= ranks[rank].last; i++) {
    const char *name = sb_operators[i].name;
    bool fits = name[0] == c && (name[1] == '\0' || name[1] == peek(in, 1));
    found = fits && (found == NULL || name[1] != '\0') ? &sb_operators[i] : found;
  }
  return found;
}

/** Operators of a rank, from left to right; a comparison stands alone. */
static sb_status read_chain(parser *in, int rank, int *index) {
  if (rank == RANKS) {
    return read_unary(in, index);
  }
  SB_TRY(read_chain(in, rank + 1, index));
  for (const sb_function *f; (f = peek_operator(in, rank)) != NULL;) {
    size_t at = in->at;
    int right = 0;
    in->at += strlen(f->name);
    SB_TRY(read_chain(in, rank + 1, &right));
    SB_TRY(emit_operator(in, f, at, right, index));
    if (rank == 0 && peek_operator(in, rank) != NULL) {
      sb_status status = FAULT(in, in->at, SB_ERR_NUMBER, "comparisons stand alone");
      sb_error_hint(in->err, "a < b < c is written (a < b)*(b < c)");
      return status;
    }
  }
  return SB_OK;
}

/** What stands behind an expression that seemed to be complete. */
static sb_status trailing(const parser *in) {
  char c = peek(in, 0);
  if (c == ')') {
    return FAULT(in, in->at, SB_ERR_NUMBER, "a bracket '(' is missing before ')'");
  }
  sb_status status = unexpected(in, "an operator");
  if (c == '[') {
    sb_error_hint(in->err,
                  "a unit in brackets stands behind a number, as in 50[ms], or behind ')'");
  } else if (is_letter(c)) {
    sb_error_hint(in->err, "in an expression units stand in brackets: 50[ms]");
  } else if (c == '=') {
    sb_error_hint(in->err, "equality is written ==");
  }
  return status;
}

sb_status sb_expression_compile(const char *text, size_t length, const sb_vocabulary *vocabulary,
                                sb_expression **result, sb_error *err) {
  assert(vocabulary->variable_count <= SB_EXPRESSION_VARIABLES_MAX);
  parser in = {.text = text, .end = length, .vocabulary = vocabulary, .err = err};
  *result = NULL;
  if (length > SB_EXPRESSION_LENGTH_MAX) {
    return FAULT(&in, 0, SB_ERR_TOO_LARGE, "an expression has at most %d bytes",
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
  (void)next(&in);
  if (status == SB_OK && in.at < in.end) {
    status = trailing(&in);
  }
  if (status != SB_OK) {
    free(in.out);
    return status;
  }
  *result = in.out;
  return SB_OK;
}
