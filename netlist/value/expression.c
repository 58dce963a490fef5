// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions with units: literals and parameters become numbers in SI, and the dimensions are
// propagated through the compiled nodes.
#include "netlist/value/expression.h"

#include <math.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/utf8.h"
#include "netlist/value/angle.h"
#include "netlist/value/unit.h"

enum { QUOTE_MAX = 60 }; // bytes of a subexpression that are shown

/** What the tags of numbers stand for: tag n is dimensions[n - 1]. */
typedef struct compilation {
  const char *text; // of the expression
  const sb_value_scope *scope;
  const sb_value_variable *variables; // (variable_count)
  int variable_count;
  sb_dimension *dimensions; // (SB_EXPRESSION_NODES_MAX)
  int count;
  sb_error *err;
} compilation;

static bool is_pure(const sb_dimension *dimension) {
  static const sb_dimension pure = {0};
  return dimension->any || sb_dimension_equal(dimension, &pure);
}

static int remember(compilation *c, const sb_dimension *dimension) {
  if (c->count == SB_EXPRESSION_NODES_MAX) {
    return c->count; // the compiler is about to refuse it
  }
  c->dimensions[c->count++] = *dimension;
  return c->count;
}

static bool find_parameter(void *context, const char *name, size_t length, double *number,
                           int *tag) {
  compilation *c = context;
  sb_dimension dimension = {.any = true};
  if (c->scope == NULL || !c->scope->lookup(c->scope->context, name, length, number, &dimension)) {
    if (length != 2 || memcmp(name, "pi", 2) != 0) {
      return false;
    }
    *number = 3.14159265358979323846;
    dimension = (sb_dimension){.pi = SB_EXPONENT_ONE};
  }
  *tag = remember(c, &dimension);
  return true;
}

static int find_indexed(void *context, const char *name, size_t length) {
  const compilation *c = context;
  char plain[SB_VALUE_NAME_MAX + 1];
  int slot = c->variable_count - 1;
  if (!c->scope->plain(c->scope->context, name, length, plain)) {
    return -1;
  }
  while (slot >= 0 && strcmp(c->variables[slot].name, plain) != 0) {
    slot--;
  }
  return slot;
}

static sb_status read_unit(void *context, const char *unit, size_t length, double *number, int *tag,
                           sb_error *err) {
  compilation *c = context;
  sb_dimension dimension;
  double scale;
  SB_TRY(sb_unit_parse(unit, length, &dimension, &scale, err));
  *number = sb_unit_to_si(*number, scale);
  *tag = remember(c, &dimension);
  return SB_OK;
}

static sb_status at_byte(const compilation *c, int byte, sb_status status) {
  if (c->err != NULL) {
    c->err->column = sb_utf8_count(c->text, (size_t)byte) + 1;
  }
  return status;
}

/** A piece of the text to show, cut between characters. */
typedef struct quote {
  char text[QUOTE_MAX + 1];
} quote;

static quote quoted(const compilation *c, const sb_node *node) {
  quote q = {0};
  const char *text = c->text + node->start;
  size_t length = (size_t)(node->end - node->start), size = 0;
  for (int next = 1; size < length && next > 0 && size + 4 <= QUOTE_MAX;) {
    next = sb_utf8_decode(text + size, length - size, NULL);
    size += (size_t)next;
  }
  memcpy(q.text, text, size);
  return q;
}

/** "in V" or "a pure number". */
typedef struct wording {
  char text[SB_DIMENSION_SIZE + 4];
} wording;

static wording worded(const sb_dimension *dimension) {
  wording w = {"in "};
  if (is_pure(dimension)) {
    strcpy(w.text, "a pure number");
  } else {
    (void)sb_unit_describe(dimension, w.text + 3, SB_DIMENSION_SIZE);
  }
  return w;
}

static bool is_bare(const sb_node *node) {
  return node->function == NULL && node->variable < 0 && node->tag == 0;
}

static sb_status refuse_mix(const compilation *c, const sb_node *a, const sb_node *b,
                            bool a_turns) {
  static const char turns[] = "counts radians (rad/s)", cycles[] = "counts cycles (Hz)";
  sb_status status = sb_fail(c->err, SB_ERR_DIMENSION, "'%s' %s, but '%s' %s", quoted(c, a).text,
                             a_turns ? turns : cycles, quoted(c, b).text, a_turns ? cycles : turns);
  sb_error_hint(c->err, "the angular velocity of a frequency f is 2*pi*f, and the frequency of an "
                        "angular velocity w is w/(2*pi)");
  return status;
}

/** Both arguments must have one dimension, which is the result's. */
static sb_status agree(const compilation *c, const sb_node *nodes, const sb_dimension got[], int a,
                       int b, int at, sb_dimension *result) {
  bool silent = got[a].angle == 0 && got[a].cycle == 0; // of what has no dimension
  *result = got[a].any || (silent && !got[b].any) ? got[b] : got[a];
  if (sb_angle_mixes(&got[a], &got[b])) {
    return at_byte(c, at, refuse_mix(c, &nodes[a], &nodes[b], got[a].angle != 0));
  }
  if (sb_dimension_fits(&got[a], &got[b])) {
    return SB_OK;
  }
  sb_status status =
      sb_fail(c->err, SB_ERR_DIMENSION, "'%s' is %s, but '%s' is %s", quoted(c, &nodes[a]).text,
              worded(&got[a]).text, quoted(c, &nodes[b]).text, worded(&got[b]).text);
  if (is_bare(&nodes[a]) || is_bare(&nodes[b])) {
    sb_error_hint(c->err, "a number with a unit is written 50[ms]");
  }
  return at_byte(c, at, status);
}

static sb_status must_be_pure(const compilation *c, const sb_node *node, const sb_node *argument,
                              const sb_dimension *got) {
  if (is_pure(got)) {
    return SB_OK;
  }
  static const sb_dimension time = {.exponent = {0, 0, SB_EXPONENT_ONE}};
  const sb_status status =
      at_byte(c, argument->start,
              sb_fail(c->err, SB_ERR_DIMENSION, "%s takes a pure number, but '%s' is %s",
                      node->function->unit == SB_UNIT_POWER ? "an exponent" : node->function->name,
                      quoted(c, argument).text, worded(got).text));
  if (sb_dimension_equal(got, &time) && node->function->unit == SB_UNIT_NONE) {
    sb_error_hint(c->err, "a frequency has its unit, too: sin(2*pi*50[Hz]*t)");
  }
  return status;
}

static sb_status bad_exponents(const compilation *c, const sb_node *node) {
  return at_byte(c, node->at,
                 sb_fail(c->err, SB_ERR_DIMENSION,
                         "the exponents of the unit of '%s' are too large, or not ratios of small "
                         "numbers",
                         quoted(c, node).text));
}

static sb_status multiply(const compilation *c, const sb_node *node, const sb_dimension *a,
                          const sb_dimension *b, int numerator, int denominator,
                          sb_dimension *result) {
  *result = *a;
  if (a->any || b->any) { // it still is or is not an angular velocity
    const sb_dimension factor = {.angle = b->angle, .cycle = b->cycle, .pi = b->pi};
    *result = (sb_dimension){.any = true, .angle = a->angle, .cycle = a->cycle, .pi = a->pi};
    (void)sb_dimension_multiply(result, &factor, numerator, denominator);
    result->any = true;
    return SB_OK;
  }
  return sb_dimension_multiply(result, b, numerator, denominator) ? SB_OK : bad_exponents(c, node);
}

static sb_status check_power(const compilation *c, const sb_expression *expression,
                             const sb_node *nodes, const sb_node *node, const sb_dimension got[],
                             sb_dimension *result) {
  static const sb_dimension pure = {0};
  int base = node->arguments[0], exponent = node->arguments[1];
  SB_TRY(must_be_pure(c, node, &nodes[exponent], &got[exponent]));
  *result = got[base];
  if (is_pure(&got[base])) {
    return SB_OK;
  }
  if (nodes[exponent].order > 0) {
    return at_byte(c, nodes[exponent].start,
                   sb_fail(c->err, SB_ERR_DIMENSION,
                           "'%s' is %s, and its exponent must be constant for that",
                           quoted(c, &nodes[base]).text, worded(&got[base]).text));
  }
  double parts = sb_expression_constant(expression, exponent) * SB_EXPONENT_ONE;
  if (!(fabs(parts) < 1e6) || fabs(parts - round(parts)) > 1e-6) {
    return bad_exponents(c, node);
  }
  return multiply(c, node, &pure, &got[base], (int)lround(parts), SB_EXPONENT_ONE, result);
}

/** Whether a node is the angle of a turn, or the number 2 pi of one in rad, to the digits that are written by hand. */
static bool is_turn(const sb_expression *expression, int i, const sb_dimension *got) {
  static const double turn = 6.283185307179586477, written = 1e-3;
  return got->angle == SB_EXPONENT_ONE && is_pure(got) &&
         sb_expression_nodes(expression, &(int){0})[i].order == 0 &&
         fabs(fabs(sb_expression_constant(expression, i)) / turn - 1) < written;
}

/** What turns divide, or are divided, by counts cycles: n/1[rev] is a frequency. */
static sb_status divide(const compilation *c, const sb_expression *expression, const sb_node *node,
                        const sb_dimension got[], sb_dimension *result) {
  const int *a = node->arguments;
  SB_TRY(multiply(c, node, &got[a[0]], &got[a[1]], -1, 1, result));
  if (is_turn(expression, a[0], &got[a[0]]) || is_turn(expression, a[1], &got[a[1]])) {
    result->lost = got[a[0]].lost || got[a[1]].lost;
  }
  return SB_OK;
}

static sb_status check_function(const compilation *c, const sb_expression *expression,
                                const sb_node *nodes, const sb_node *node, const sb_dimension got[],
                                sb_dimension *result) {
  static const sb_dimension pure = {0};
  const sb_function *f = node->function;
  const int *a = node->arguments;
  *result = pure;
  switch (f->unit) {
  case SB_UNIT_NONE:
    return must_be_pure(c, node, &nodes[a[0]], &got[a[0]]);
  case SB_UNIT_SAME:
  case SB_UNIT_COMPARE: {
    *result = got[a[0]];
    if (f->arity == 2) {
      bool is_operator = nodes[a[0]].start < node->at;
      SB_TRY(agree(c, nodes, got, a[0], a[1], is_operator ? node->at : nodes[a[1]].start, result));
    }
    *result = f->unit == SB_UNIT_COMPARE ? pure : *result;
    return SB_OK;
  }
  case SB_UNIT_SIGN:
    return SB_OK;
  case SB_UNIT_PRODUCT:
    return multiply(c, node, &got[a[0]], &got[a[1]], 1, 1, result);
  case SB_UNIT_QUOTIENT:
    return divide(c, expression, node, got, result);
  case SB_UNIT_ROOT:
    return multiply(c, node, &pure, &got[a[0]], 1, 2, result);
  case SB_UNIT_POWER:
    return check_power(c, expression, nodes, node, got, result);
  case SB_UNIT_CONDITION:
    SB_TRY(must_be_pure(c, node, &nodes[a[0]], &got[a[0]]));
    return agree(c, nodes, got, a[1], a[2], nodes[a[2]].start, result);
  }
  return SB_OK;
}

/** @param got  (SB_EXPRESSION_NODES_MAX) scratch */
static sb_status check(const compilation *c, const sb_expression *expression,
                       const sb_value_variable variables[], sb_dimension got[],
                       sb_dimension *result) {
  int count;
  const sb_node *nodes = sb_expression_nodes(expression, &count);
  for (int i = 0; i < count; i++) {
    const sb_node *node = &nodes[i];
    if (node->function != NULL) {
      SB_TRY(check_function(c, expression, nodes, node, got, &got[i]));
    } else if (node->variable >= 0) {
      got[i] = variables[node->variable].dimension;
    } else if (node->tag > 0) {
      got[i] = c->dimensions[node->tag - 1];
    } else {
      got[i] = (sb_dimension){.any = node->number == 0};
    }
  }
  *result = got[count - 1];
  return SB_OK;
}

sb_status sb_value_compile(const char *text, size_t start, size_t end, const sb_value_scope *scope,
                           const sb_value_variable variables[], int count, sb_expression **result,
                           sb_dimension *dimension, sb_error *err) {
  const char *names[SB_EXPRESSION_VARIABLES_MAX];
  int signals = 0;
  for (int i = 0; i < count; i++) {
    names[i] = variables[i].name;
    signals += variables[i].signal;
  }
  sb_arena memory = {0};
  sb_dimension *dimensions =
      sb_arena_zeroed(&memory, 2 * SB_EXPRESSION_NODES_MAX, sizeof *dimensions);
  *result = NULL;
  if (memory.failed) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  compilation c = {.text = text + start,
                   .scope = scope,
                   .dimensions = dimensions,
                   .variables = variables,
                   .variable_count = count,
                   .err = err};
  bool indexed = scope != NULL && scope->plain != NULL;
  const sb_vocabulary vocabulary = {
      names, count, signals, find_parameter, read_unit, indexed ? find_indexed : NULL, &c};
  sb_status status = sb_expression_compile(text + start, end - start, &vocabulary, result, err);
  if (status == SB_OK) {
    status = check(&c, *result, variables, dimensions + SB_EXPRESSION_NODES_MAX, dimension);
  }
  sb_arena_finish(&memory);
  if (status != SB_OK) {
    sb_expression_destroy(*result);
    *result = NULL;
    if (err != NULL && err->column > 0) {
      err->column += sb_utf8_count(text, start);
    }
  }
  return status;
}
