// SPDX-License-Identifier: GPL-3.0-or-later
// Operators and functions of expressions with their partial derivatives.
#include <math.h>
#include <string.h>

#include "core/expression/expression_private.h"

#define VALUE(name, formula)                                                                       \
  static double name(const double a[], const double c[]) {                                         \
    (void)a, (void)c;                                                                              \
    return formula;                                                                                \
  }
#define SLOPE(name, ...)                                                                           \
  static void name##_slope(const double a[], const double c[], double value, double partial[]) {   \
    (void)a, (void)c, (void)value;                                                                 \
    __VA_ARGS__                                                                                    \
  }
#define ONE(name, formula, derivative) VALUE(name, formula) SLOPE(name, partial[0] = derivative;)
#define TWO(name, formula, first, second)                                                          \
  VALUE(name, formula) SLOPE(name, partial[0] = first; partial[1] = second;)

/** x^n. Small whole powers are products: they follow a change of the units by powers of two to the last bit, and
 *  take less time. */
static double raise(double x, double n) {
  return n == 2 ? x * x : n == 3 ? x * x * x : n == 4 ? (x * x) * (x * x) : pow(x, n);
}

ONE(negate, -a[0], -1)
TWO(add, a[0] + a[1], 1, 1)
TWO(subtract, a[0] - a[1], 1, -1)
TWO(multiply, a[0] * a[1], a[1], a[0])
TWO(divide, a[0] / a[1], 1 / a[1], -value / a[1])
TWO(power, raise(a[0], a[1]), a[1] == 0 ? 0 : a[1] * raise(a[0], a[1] - 1),
    a[0] == 0 && a[1] > 0 ? 0 : value * log(a[0]))

// What does not depend on anything smoothly.
static void flat_slope(const double a[], const double c[], double value, double partial[]) {
  (void)a, (void)c, (void)value;
  partial[0] = partial[1] = 0;
}
VALUE(less, c[0] < c[1])
VALUE(less_equal, c[0] <= c[1])
VALUE(greater, c[0] > c[1])
VALUE(greater_equal, c[0] >= c[1])
VALUE(equal, c[0] == c[1])
VALUE(not_equal, c[0] != c[1])
VALUE(sign, (double)((c[0] > 0) - (c[0] < 0)))
VALUE(floor_of, floor(c[0]))
VALUE(ceil_of, ceil(c[0]))

// At rest on its kink it goes on as zero, with the slope that it has there.
ONE(absolute, c[0]<0 ? -a[0] : c[0]> 0 ? a[0] : fabs(c[0]), (double)((c[0] > 0) - (c[0] < 0)))
TWO(least, c[0] <= c[1] ? a[0] : a[1], c[0] <= c[1], !(c[0] <= c[1]))
TWO(greatest, c[0] >= c[1] ? a[0] : a[1], c[0] >= c[1], !(c[0] >= c[1]))
ONE(square_root, sqrt(a[0]), 0.5 / value)
ONE(exponential, exp(a[0]), value)
ONE(logarithm, log(a[0]), 1 / a[0])
ONE(decadic, log10(a[0]), 1 / (a[0] * 2.302585092994045684))
ONE(sine, sin(a[0]), cos(a[0]))
ONE(cosine, cos(a[0]), -sin(a[0]))
ONE(tangent, tan(a[0]), 1 + value * value)
ONE(arc_sine, asin(a[0]), 1 / sqrt((1 - a[0]) * (1 + a[0])))
ONE(arc_cosine, acos(a[0]), -1 / sqrt((1 - a[0]) * (1 + a[0])))
ONE(arc_tangent, atan(a[0]), 1 / (1 + a[0] * a[0]))
TWO(arc_tangent_2, atan2(a[0], a[1]), a[1] / (a[0] * a[0] + a[1] * a[1]),
    -a[0] / (a[0] * a[0] + a[1] * a[1]))
ONE(hyperbolic_sine, sinh(a[0]), cosh(a[0]))
ONE(hyperbolic_cosine, cosh(a[0]), sinh(a[0]))
ONE(hyperbolic_tangent, tanh(a[0]), 1 / (cosh(a[0]) * cosh(a[0])))
TWO(hypotenuse, hypot(a[0], a[1]), value == 0 ? 0 : a[0] / value, value == 0 ? 0 : a[1] / value)
TWO(modulus, a[0] - a[1] * floor(c[0] / c[1]), 1, -floor(c[0] / c[1]))
VALUE(choice, c[0] != 0 ? a[1] : a[2])
SLOPE(choice, partial[0] = 0; partial[1] = c[0] != 0; partial[2] = !(c[0] != 0);)

// Second partial derivatives aa, ab, bb.
#define SECOND(name, aa, ab, bb)                                                                   \
  static void name##_second(const double a[], double value, double partial[3]) {                   \
    (void)a, (void)value;                                                                          \
    partial[0] = aa;                                                                               \
    partial[1] = ab;                                                                               \
    partial[2] = bb;                                                                               \
  }
#define SQUARES (a[0] * a[0] + a[1] * a[1])
SECOND(multiply, 0, 1, 0)
SECOND(divide, 0, -1 / (a[1] * a[1]), 2 * value / (a[1] * a[1]))
SECOND(power, a[1] == 0 || a[1] == 1 ? 0 : a[1] * (a[1] - 1) * raise(a[0], a[1] - 2),
       a[0] == 0 && a[1] > 1 ? 0 : raise(a[0], a[1] - 1) * (1 + a[1] * log(a[0])),
       a[0] == 0 && a[1] > 0 ? 0 : value * log(a[0]) * log(a[0]))
SECOND(square_root, -0.25 / (value * a[0]), 0, 0)
SECOND(exponential, value, 0, 0)
SECOND(logarithm, -1 / (a[0] * a[0]), 0, 0)
SECOND(decadic, -1 / (a[0] * a[0] * 2.302585092994045684), 0, 0)
SECOND(sine, -value, 0, 0)
SECOND(cosine, -value, 0, 0)
SECOND(tangent, 2 * value * (1 + value * value), 0, 0)
SECOND(arc_sine, a[0] / pow((1 - a[0]) * (1 + a[0]), 1.5), 0, 0)
SECOND(arc_cosine, -a[0] / pow((1 - a[0]) * (1 + a[0]), 1.5), 0, 0)
SECOND(arc_tangent, -2 * a[0] / ((1 + a[0] * a[0]) * (1 + a[0] * a[0])), 0, 0)
SECOND(arc_tangent_2, -2 * a[0] * a[1] / (SQUARES * SQUARES),
       (a[0] * a[0] - a[1] * a[1]) / (SQUARES * SQUARES), 2 * a[0] * a[1] / (SQUARES * SQUARES))
SECOND(hyperbolic_sine, value, 0, 0)
SECOND(hyperbolic_cosine, value, 0, 0)
SECOND(hyperbolic_tangent, -2 * value / (cosh(a[0]) * cosh(a[0])), 0, 0)
SECOND(hypotenuse, value == 0 ? 0 : a[1] * a[1] / (SQUARES * value),
       value == 0 ? 0 : -a[0] * a[1] / (SQUARES * value),
       value == 0 ? 0 : a[0] * a[0] / (SQUARES * value))

const sb_function sb_operators[SB_OPERATORS] = {
    [SB_OP_NEGATE] = {"-", 1, SB_UNIT_SAME, negate, .slope = negate_slope},
    [SB_OP_ADD] = {"+", 2, SB_UNIT_SAME, add, .slope = add_slope},
    [SB_OP_SUBTRACT] = {"-", 2, SB_UNIT_SAME, subtract, .slope = subtract_slope},
    [SB_OP_MULTIPLY] = {"*", 2, SB_UNIT_PRODUCT, multiply, multiply_slope,
                        .second = multiply_second},
    [SB_OP_DIVIDE] = {"/", 2, SB_UNIT_QUOTIENT, divide, divide_slope, .second = divide_second},
    [SB_OP_POWER] = {"^", 2, SB_UNIT_POWER, power, power_slope, .second = power_second},
    [SB_OP_LESS] = {"<", 2, SB_UNIT_COMPARE, less, flat_slope, .kink = SB_KINK_EQUAL},
    [SB_OP_LESS_EQUAL] = {"<=", 2, SB_UNIT_COMPARE, less_equal, flat_slope, .kink = SB_KINK_EQUAL},
    [SB_OP_GREATER] = {">", 2, SB_UNIT_COMPARE, greater, flat_slope, .kink = SB_KINK_EQUAL},
    [SB_OP_GREATER_EQUAL] = {">=", 2, SB_UNIT_COMPARE, greater_equal, flat_slope,
                             .kink = SB_KINK_EQUAL},
    [SB_OP_EQUAL] = {"==", 2, SB_UNIT_COMPARE, equal, flat_slope, .kink = SB_KINK_EQUAL},
    [SB_OP_NOT_EQUAL] = {"!=", 2, SB_UNIT_COMPARE, not_equal, flat_slope, .kink = SB_KINK_EQUAL},
};

#define PURE(name, function, help, beside_one)                                                     \
  {                                                                                                \
    name, 1, SB_UNIT_NONE, function, function##_slope, help, SB_KINK_NONE, function##_second,      \
        beside_one                                                                                 \
  }

const sb_function sb_functions[] = {
    {"if", 3, SB_UNIT_CONDITION, choice, choice_slope, "if(a < b, value, otherwise)",
     .kink = SB_KINK_ZERO},
    {"min", 2, SB_UNIT_SAME, least, least_slope, "the smaller", .kink = SB_KINK_EQUAL},
    {"max", 2, SB_UNIT_SAME, greatest, greatest_slope, "the larger", .kink = SB_KINK_EQUAL},
    {"abs", 1, SB_UNIT_SAME, absolute, absolute_slope, "absolute value", .kink = SB_KINK_ZERO},
    {"sign", 1, SB_UNIT_SIGN, sign, flat_slope, "-1, 0 or 1", .kink = SB_KINK_ZERO},
    {"sqrt", 1, SB_UNIT_ROOT, square_root, square_root_slope, "square root",
     .second = square_root_second, .beside_one = &sb_sqrt_beside_one},
    PURE("exp", exponential, "exponential function", &sb_exp_beside_one),
    PURE("log", logarithm, "natural logarithm", &sb_log_beside_one),
    PURE("log10", decadic, "decadic logarithm", NULL),
    PURE("sin", sine, "sine of an angle [rad]", NULL),
    PURE("cos", cosine, "cosine of an angle [rad]", &sb_cosine_beside_one),
    PURE("tan", tangent, "tangent of an angle [rad]", NULL),
    PURE("asin", arc_sine, "arc sine [rad]", NULL),
    PURE("acos", arc_cosine, "arc cosine [rad]", NULL),
    PURE("atan", arc_tangent, "arc tangent [rad]", NULL),
    {"atan2", 2, SB_UNIT_COMPARE, arc_tangent_2, arc_tangent_2_slope, "angle of (y, x) [rad]",
     .second = arc_tangent_2_second},
    PURE("sinh", hyperbolic_sine, "hyperbolic sine", NULL),
    PURE("cosh", hyperbolic_cosine, "hyperbolic cosine", &sb_cosh_beside_one),
    PURE("tanh", hyperbolic_tangent, "hyperbolic tangent", NULL),
    {"pow", 2, SB_UNIT_POWER, power, power_slope, "pow(a, b) = a^b", .second = power_second},
    {"floor", 1, SB_UNIT_NONE, floor_of, flat_slope, "largest whole number not above",
     .kink = SB_KINK_WHOLE},
    {"ceil", 1, SB_UNIT_NONE, ceil_of, flat_slope, "least whole number not below",
     .kink = SB_KINK_WHOLE},
    {"hypot", 2, SB_UNIT_SAME, hypotenuse, hypotenuse_slope, "sqrt(a^2 + b^2)",
     .second = hypotenuse_second},
    {"mod", 2, SB_UNIT_SAME, modulus, modulus_slope, "a - b floor(a/b)", .kink = SB_KINK_MULTIPLE},
    {0},
};

const sb_function *sb_function_find(const char *name, size_t length) {
  const sb_function *f = sb_functions;
  while (f->name != NULL && (strlen(f->name) != length || memcmp(f->name, name, length) != 0)) {
    f++;
  }
  return f->name == NULL ? NULL : f;
}

bool sb_function_jumps(const sb_function *f) {
  return f->kink != SB_KINK_NONE && (f->slope == flat_slope || f->kink == SB_KINK_MULTIPLE);
}

int sb_function_order(const sb_function *f, const int orders[]) {
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
