// SPDX-License-Identifier: GPL-3.0-or-later
// Enclosures of values and derivatives, one rule for each operator and function.
#include "core/expression/interval_private.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const sb_interval all = {-HUGE_VAL, HUGE_VAL};
static const sb_interval zero = {0, 0};
static const sb_interval truth = {0, 1};
static const double pi = 3.14159265358979323846;

static double times(double a, double b) {
  return a != 0 && b != 0 ? a * b : 0; // infinity times 0 is 0: the end of an open range
}

sb_interval sb_interval_known(sb_interval a) {
  return isnan(a.low) || isnan(a.high) ? all : a;
}

// fmin() and fmax() leave out what is not a number, so that an interval with such an end would shrink: it is the whole line

sb_interval sb_interval_add(sb_interval a, sb_interval b) {
  return sb_interval_known((sb_interval){a.low + b.low, a.high + b.high});
}

sb_interval sb_interval_multiply(sb_interval a, sb_interval b) {
  a = sb_interval_known(a);
  b = sb_interval_known(b);
  double p = times(a.low, b.low), q = times(a.low, b.high), r = times(a.high, b.low),
         s = times(a.high, b.high);
  return (sb_interval){fmin(fmin(p, q), fmin(r, s)), fmax(fmax(p, q), fmax(r, s))};
}

sb_interval sb_interval_hull(sb_interval a, sb_interval b) {
  a = sb_interval_known(a);
  b = sb_interval_known(b);
  return (sb_interval){fmin(a.low, b.low), fmax(a.high, b.high)};
}

sb_interval sb_interval_meet(sb_interval a, sb_interval b) {
  a = sb_interval_known(a);
  b = sb_interval_known(b);
  const sb_interval both = {fmax(a.low, b.low), fmin(a.high, b.high)};
  return both.low <= both.high ? both : sb_interval_hull(a, b);
}

static sb_interval negative(sb_interval a) {
  return (sb_interval){-a.high, -a.low};
}

static bool holds(sb_interval a, double x) {
  return a.low <= x && x <= a.high;
}

static sb_interval inverse(sb_interval a) {
  return holds(a, 0) ? all : (sb_interval){1 / a.high, 1 / a.low};
}

static sb_interval absolute_of(sb_interval a) {
  return a.low >= 0 ? a : a.high <= 0 ? negative(a) : (sb_interval){0, fmax(-a.low, a.high)};
}

static sb_interval square_of(sb_interval a) {
  sb_interval b = absolute_of(a);
  return (sb_interval){b.low * b.low, b.high * b.high};
}

/** By the chain rule. */
static sb_enclosure chain(sb_interval value, sb_interval partial, const sb_enclosure *a) {
  return (sb_enclosure){value, sb_interval_multiply(partial, a->slope)};
}

static sb_enclosure negate(const sb_enclosure a[]) {
  return (sb_enclosure){negative(a->value), negative(a->slope)};
}

static sb_enclosure add(const sb_enclosure a[]) {
  return (sb_enclosure){sb_interval_add(a[0].value, a[1].value),
                        sb_interval_add(a[0].slope, a[1].slope)};
}

static sb_enclosure subtract(const sb_enclosure a[]) {
  const sb_enclosure b[] = {a[0], negate(&a[1])};
  return add(b);
}

static sb_enclosure multiply(const sb_enclosure a[]) {
  return (sb_enclosure){sb_interval_multiply(a[0].value, a[1].value),
                        sb_interval_add(sb_interval_multiply(a[0].value, a[1].slope),
                                        sb_interval_multiply(a[0].slope, a[1].value))};
}

static sb_enclosure reciprocal(const sb_enclosure *a) {
  sb_interval value = inverse(a->value);
  return holds(a->value, 0) ? (sb_enclosure){all, all}
                            : chain(value, negative(square_of(value)), a);
}

static sb_enclosure divide(const sb_enclosure a[]) {
  const sb_enclosure b[] = {a[0], reciprocal(&a[1])};
  return holds(a[1].value, 0) ? b[1] : multiply(b);
}

static sb_enclosure exponential(const sb_enclosure a[]) {
  sb_interval value = {exp(a->value.low), exp(a->value.high)};
  return chain(value, value, a);
}

/** Of a function that has no value in the whole range, which is no number. */
static const sb_enclosure undefined = {{-HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, HUGE_VAL}};

static sb_enclosure logarithm(const sb_enclosure a[]) {
  if (!(a->value.high > 0)) {
    return undefined;
  }
  sb_interval x = {fmax(a->value.low, 0), fmax(a->value.high, 0)};
  return chain((sb_interval){log(x.low), log(x.high)},
               (sb_interval){1 / x.high, x.low > 0 ? 1 / x.low : HUGE_VAL}, a);
}

static sb_enclosure decadic(const sb_enclosure a[]) {
  static const double factor = 0.43429448190325182765; // 1/log(10)
  const sb_enclosure b[] = {logarithm(a), {{factor, factor}, {0, 0}}};
  return multiply(b);
}

static sb_enclosure square_root(const sb_enclosure a[]) {
  if (!(a->value.high >= 0)) {
    return undefined;
  }
  sb_interval value = {sqrt(fmax(a->value.low, 0)), sqrt(fmax(a->value.high, 0))};
  return chain(value, (sb_interval){0.5 / value.high, value.low > 0 ? 0.5 / value.low : HUGE_VAL},
               a);
}

/** a^n of a constant whole n; between 0 and the largest of the ends where n is even and a crosses 0. */
static sb_interval whole_power(sb_interval a, double n) {
  if (n < 0) {
    return holds(a, 0) ? all : inverse(whole_power(a, -n));
  }
  sb_interval b = fmod(n, 2) == 0 ? absolute_of(a) : a;
  return (sb_interval){pow(b.low, n), pow(b.high, n)};
}

static sb_enclosure power(const sb_enclosure a[]) {
  double n = a[1].value.low;
  if (n == a[1].value.high && n == floor(n)) {
    sb_interval rest = n == 0 ? zero : whole_power(a->value, n - 1);
    return chain(whole_power(a->value, n), sb_interval_multiply((sb_interval){n, n}, rest), a);
  }
  if (!(a[0].value.low >= 0)) {
    return (sb_enclosure){all, all};
  }
  const sb_enclosure product[] = {a[1], logarithm(a)};
  sb_enclosure exponent = multiply(product); // a^b = exp(b log a)
  return exponential(&exponent);
}

/** cos over a range: its ends, and the multiples of pi in between. Of an angle beyond 1/eps no multiple can be told. */
static sb_interval cosine_of(sb_interval a) {
  if (!(a.high - a.low < 2 * pi && fmax(fabs(a.low), fabs(a.high)) < 1 / DBL_EPSILON)) {
    return (sb_interval){-1, 1};
  }
  double at_low = cos(a.low), at_high = cos(a.high);
  sb_interval value = {fmin(at_low, at_high), fmax(at_low, at_high)};
  double first = ceil(a.low / pi), last = floor(a.high / pi);
  for (double k = first; k <= last; k++) {
    value = sb_interval_hull(value, fmod(k, 2) == 0 ? (sb_interval){1, 1} : (sb_interval){-1, -1});
  }
  return value;
}

static sb_interval sine_of(sb_interval a) {
  return cosine_of((sb_interval){a.low - 0.5 * pi, a.high - 0.5 * pi});
}

static sb_enclosure sine(const sb_enclosure a[]) {
  return chain(sine_of(a->value), cosine_of(a->value), a);
}

static sb_enclosure cosine(const sb_enclosure a[]) {
  return chain(cosine_of(a->value), negative(sine_of(a->value)), a);
}

static sb_enclosure tangent(const sb_enclosure a[]) {
  const sb_enclosure b[] = {sine(a), cosine(a)};
  return divide(b);
}

static sb_enclosure hyperbolic_sine(const sb_enclosure a[]) {
  sb_interval size = absolute_of(a->value);
  return chain((sb_interval){sinh(a->value.low), sinh(a->value.high)},
               (sb_interval){cosh(size.low), cosh(size.high)}, a);
}

static sb_enclosure hyperbolic_cosine(const sb_enclosure a[]) {
  sb_interval size = absolute_of(a->value);
  return chain((sb_interval){cosh(size.low), cosh(size.high)},
               (sb_interval){sinh(a->value.low), sinh(a->value.high)}, a);
}

static sb_enclosure hyperbolic_tangent(const sb_enclosure a[]) {
  sb_interval size = absolute_of(a->value);
  double near = 1 / cosh(size.low), far = 1 / cosh(size.high);
  return chain((sb_interval){tanh(a->value.low), tanh(a->value.high)},
               (sb_interval){far * far, near * near}, a);
}

static sb_enclosure arc_tangent(const sb_enclosure a[]) {
  sb_interval square = square_of(a->value);
  return chain((sb_interval){atan(a->value.low), atan(a->value.high)},
               (sb_interval){1 / (1 + square.high), 1 / (1 + square.low)}, a);
}

static sb_enclosure arc_sine(const sb_enclosure a[]) {
  if (!(a->value.low <= 1 && a->value.high >= -1)) {
    return undefined;
  }
  sb_interval x = {fmin(fmax(a->value.low, -1), 1), fmin(fmax(a->value.high, -1), 1)};
  sb_interval square = square_of(x);
  return chain((sb_interval){asin(x.low), asin(x.high)},
               (sb_interval){1 / sqrt(1 - square.low), 1 / sqrt(1 - square.high)}, a);
}

static sb_enclosure arc_cosine(const sb_enclosure a[]) {
  const sb_enclosure b[] = {{{0.5 * pi, 0.5 * pi}, {0, 0}}, arc_sine(a)};
  return subtract(b);
}

/** atan(y/x) for x > 0, and +-pi/2 - atan(x/y) for y that keeps its sign: both are continuous there. */
static sb_enclosure arc_tangent_2(const sb_enclosure a[]) {
  const sb_enclosure turned[] = {a[1], a[0]};
  if (a[1].value.low > 0) {
    const sb_enclosure ratio = divide(a);
    return arc_tangent(&ratio);
  }
  if (!(a[0].value.low > 0 || a[0].value.high < 0)) {
    return (sb_enclosure){{-pi, pi}, all};
  }
  const double right = a[0].value.low > 0 ? 0.5 * pi : -0.5 * pi;
  const sb_enclosure ratio = divide(turned);
  const sb_enclosure parts[] = {{{right, right}, zero}, arc_tangent(&ratio)};
  return subtract(parts);
}

static sb_enclosure hypotenuse(const sb_enclosure a[]) {
  const sb_enclosure squares[] = {
      chain(square_of(a[0].value), sb_interval_multiply((sb_interval){2, 2}, a[0].value), &a[0]),
      chain(square_of(a[1].value), sb_interval_multiply((sb_interval){2, 2}, a[1].value), &a[1])};
  const sb_enclosure sum = add(squares);
  return square_root(&sum);
}

// Branches. Where one is not decided the derivative is that of a jump, or of either branch.

static sb_enclosure compare(bool always, bool never) {
  return always  ? (sb_enclosure){{1, 1}, zero}
         : never ? (sb_enclosure){{0, 0}, zero}
                 : (sb_enclosure){truth, all};
}

static sb_enclosure less(const sb_enclosure a[]) {
  return compare(a[0].value.high < a[1].value.low, a[0].value.low >= a[1].value.high);
}

static sb_enclosure greater(const sb_enclosure a[]) {
  const sb_enclosure b[] = {a[1], a[0]};
  return less(b);
}

static sb_enclosure not_greater(const sb_enclosure a[]) {
  return compare(a[0].value.high <= a[1].value.low, a[0].value.low > a[1].value.high);
}

static sb_enclosure not_less(const sb_enclosure a[]) {
  const sb_enclosure b[] = {a[1], a[0]};
  return not_greater(b);
}

static sb_enclosure equal(const sb_enclosure a[]) {
  return compare(a[0].value.low == a[0].value.high && a[1].value.low == a[1].value.high &&
                     a[0].value.low == a[1].value.low,
                 a[0].value.high < a[1].value.low || a[1].value.high < a[0].value.low);
}

static sb_enclosure not_equal(const sb_enclosure a[]) {
  sb_enclosure same = equal(a);
  return (sb_enclosure){{1 - same.value.high, 1 - same.value.low}, same.slope};
}

static sb_enclosure choice(const sb_enclosure a[]) {
  if (!holds(a[0].value, 0)) {
    return a[1];
  }
  return a[0].value.low == a[0].value.high
             ? a[2]
             : (sb_enclosure){sb_interval_hull(a[1].value, a[2].value), all};
}

static sb_enclosure least(const sb_enclosure a[]) {
  if (a[0].value.high <= a[1].value.low || a[1].value.high <= a[0].value.low) {
    return a[0].value.high <= a[1].value.low ? a[0] : a[1];
  }
  return (sb_enclosure){
      {fmin(a[0].value.low, a[1].value.low), fmin(a[0].value.high, a[1].value.high)},
      sb_interval_hull(a[0].slope, a[1].slope)};
}

static sb_enclosure greatest(const sb_enclosure a[]) {
  const sb_enclosure b[] = {negate(&a[0]), negate(&a[1])};
  const sb_enclosure c = least(b);
  return negate(&c);
}

static sb_enclosure absolute(const sb_enclosure a[]) {
  const sb_enclosure b[] = {a[0], negate(a)};
  sb_enclosure both = greatest(b);
  both.value = absolute_of(a->value);
  return both;
}

static sb_enclosure step_of(double low, double high) {
  return (sb_enclosure){{low, high}, low == high ? zero : all};
}

static sb_enclosure sign(const sb_enclosure a[]) {
  return step_of((a->value.low > 0) - (a->value.low < 0),
                 (a->value.high > 0) - (a->value.high < 0));
}

static sb_enclosure floor_of(const sb_enclosure a[]) {
  return step_of(floor(a->value.low), floor(a->value.high));
}

static sb_enclosure ceil_of(const sb_enclosure a[]) {
  return step_of(ceil(a->value.low), ceil(a->value.high));
}

static sb_enclosure modulus(const sb_enclosure a[]) {
  const sb_enclosure ratio = divide(a);
  const sb_enclosure periods[] = {a[1], floor_of(&ratio)};
  if (periods[1].value.low == periods[1].value.high) {
    const sb_enclosure parts[] = {a[0], multiply(periods)};
    return subtract(parts);
  }
  return (sb_enclosure){sb_interval_hull(zero, a[1].value), all};
}

static const struct {
  const char *name;
  int arity;
  sb_enclose rule;
} rules[] = {
    {"-", 1, negate},
    {"+", 2, add},
    {"-", 2, subtract},
    {"*", 2, multiply},
    {"/", 2, divide},
    {"^", 2, power},
    {"<", 2, less},
    {"<=", 2, not_greater},
    {">", 2, greater},
    {">=", 2, not_less},
    {"==", 2, equal},
    {"!=", 2, not_equal},
    {"if", 3, choice},
    {"min", 2, least},
    {"max", 2, greatest},
    {"abs", 1, absolute},
    {"sign", 1, sign},
    {"sqrt", 1, square_root},
    {"exp", 1, exponential},
    {"log", 1, logarithm},
    {"log10", 1, decadic},
    {"sin", 1, sine},
    {"cos", 1, cosine},
    {"tan", 1, tangent},
    {"asin", 1, arc_sine},
    {"acos", 1, arc_cosine},
    {"atan", 1, arc_tangent},
    {"atan2", 2, arc_tangent_2},
    {"sinh", 1, hyperbolic_sine},
    {"cosh", 1, hyperbolic_cosine},
    {"tanh", 1, hyperbolic_tangent},
    {"pow", 2, power},
    {"floor", 1, floor_of},
    {"ceil", 1, ceil_of},
    {"hypot", 2, hypotenuse},
    {"mod", 2, modulus},
};

static sb_enclosure anything(const sb_enclosure a[]) {
  (void)a;
  return (sb_enclosure){all, all};
}

sb_enclose sb_enclose_find(const sb_function *function) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    if (rules[i].arity == function->arity && strcmp(rules[i].name, function->name) == 0) {
      return rules[i].rule;
    }
  }
  return anything;
}
