// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions: values against C's own mathematics, slopes against closed forms and differences,
// every limit and fault with its column.
#include "tests/core/expression/expressions.h"

#include <float.h>

#include "netlist/value/value.h"

enum { TEXT = 8192 };

static void precedence(void **state) {
  (void)state;
  assert_true(value_of("-2^2", 0, 0) == -4);
  assert_true(value_of("2^3^2", 0, 0) == 512);
  assert_true(value_of("2^-2", 0, 0) == 0.25);
  assert_true(value_of("2^-2^2", 0, 0) == 0.0625);
  assert_true(value_of("-x^2", 3, 0) == -9);
  assert_true(value_of("(-x)^2", 3, 0) == 9);
  assert_true(value_of("8/4/2", 0, 0) == 1);
  assert_true(value_of("8-4-2", 0, 0) == 2);
  assert_true(value_of("2+3*4", 0, 0) == 14);
  assert_true(value_of("2*3+4", 0, 0) == 10);
  assert_true(value_of("8/2*3", 0, 0) == 12);
  assert_true(value_of("2*-3", 0, 0) == -6);
  assert_true(value_of("2--3", 0, 0) == 5);
  assert_true(value_of("+-+3", 0, 0) == -3);
  assert_true(value_of("1 + 1 < 3", 0, 0) == 1);
  assert_true(value_of("2*(1 >= 2) + (3 != 4)", 0, 0) == 1);
  assert_true(value_of(".5 + 5. + 1e-3", 0, 0) == 5.501);
  assert_true(value_of("x*y\n\t -1", 3, 5) == 14);
  assert_true(value_of("pi", 0, 0) == acos(-1));
  assert_true(value_of("e", 0, 0) == exp(1));
}

static double c_min(double a, double b) {
  return a <= b ? a : b;
}
static double c_max(double a, double b) {
  return a >= b ? a : b;
}
static double c_mod(double a, double b) {
  return a - b * floor(a / b);
}
static double c_sign(double a) {
  return (a > 0) - (a < 0);
}

/** Every function against C, its slope against its closed form and central differences. */
static void functions(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double x, value, slope;
  } rows[] = {
      {"sqrt(x)", 2.385, 1.54434452114805, 0.3237619541190881},
      {"exp(x)", 0.7, 2.0137527074704766, 2.0137527074704766},
      {"log(x)", 2.385, 0.8691991243403044, 0.41928721174004197},
      {"log10(x)", 2.385, 0.37748838337613266, 0.18209412239130054},
      {"sin(x)", 0.7, 0.644217687237691, 0.7648421872844885},
      {"cos(x)", 0.7, 0.7648421872844885, -0.644217687237691},
      {"tan(x)", 0.7, 0.8422883804630794, 1.709449715863117},
      {"asin(x)", 0.3, 0.3046926540153975, 1.0482848367219182},
      {"acos(x)", 0.3, 1.2661036727794992, -1.0482848367219182},
      {"atan(x)", 0.7, 0.6107259643892086, 0.6711409395973155},
      {"sinh(x)", 0.7, 0.7585837018395334, 1.255169005630943},
      {"cosh(x)", 0.7, 1.255169005630943, 0.7585837018395334},
      {"tanh(x)", 0.7, 0.6043677771171636, 0.6347395899824586},
      {"x^3", 1.3, 2.197, 5.07},
      {"pow(x, 2.5)", 1.3, 1.9268964684175434, 3.7055701315721983},
      {"2^x", 1.3, 2.4622888266898326, 1.7067285579443132},
      {"x^x", 1.3, 1.4064566732378863, 1.7754606438173388},
      {"(-x)^3", 1.3, -2.197, -5.07},
      {"3/x", 1.3, 2.3076923076923075, -1.7751479289940826},
      {"x*x - x/4", 1.3, 1.365, 2.35},
      {"hypot(x, 3)", 4, 5, 0.8},
      {"atan2(x, 3)", 4, 0.9272952180016122, 0.12},
      {"atan2(3, x)", 4, 0.6435011087932844, -0.12},
      {"mod(x, 0.5)", 1.3, 0.3, 1},
      {"mod(7, x)", 1.3, 0.5, -5},
      {"abs(-x)", 1.3, 1.3, 1},
      {"min(x, 2*x)", 1.3, 1.3, 1},
      {"max(x, 2*x)", 1.3, 2.6, 2},
      {"if(x < 1, x, 3*x)", 1.3, 3.9, 3},
      {"floor(x) + ceil(x) + sign(x)", 1.3, 4, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const double h = 1e-6, x = rows[i].x, at[] = {x, 0};
    sb_expression *e = compile(rows[i].text);
    sb_dual d = sb_expression_dual(e, at, 0);
    assert_near(d.value, rows[i].value, 1e-14);
    assert_near(d.slope, rows[i].slope, 1e-13);
    assert_near(d.slope,
                (value_of(rows[i].text, x + h, 0) - value_of(rows[i].text, x - h, 0)) / (2 * h),
                1e-8);
    double up = sb_expression_dual(e, (double[]){x + h, 0}, 0).slope;
    double down = sb_expression_dual(e, (double[]){x - h, 0}, 0).slope;
    assert_near(sb_expression_second(e, at, NULL, 0, 0), (up - down) / (2 * h), 1e-8);
    assert_true(sb_expression_dual(e, at, 1).slope == 0);
    assert_true(sb_expression_value(e, at) == d.value);
    sb_expression_destroy(e);
  }
  for (double a = -2.385; a < 3; a += 0.37) {
    const double b = 1.13;
    assert_true(value_of("min(x, y)", a, b) == c_min(a, b));
    assert_true(value_of("max(x, y)", a, b) == c_max(a, b));
    assert_true(value_of("mod(x, y)", a, b) == c_mod(a, b));
    assert_true(value_of("sign(x)", a, b) == c_sign(a));
    assert_true(value_of("abs(x)", a, b) == fabs(a));
    assert_true(value_of("atan2(x, y)", a, b) == atan2(a, b));
    assert_true(value_of("hypot(x, y)", a, b) == hypot(a, b));
    assert_true(value_of("y^x", a, b) == pow(b, a));
    assert_true(value_of("sin(x)*cos(y) - exp(x)", a, b) == sin(a) * cos(b) - exp(a));
    assert_true(value_of("floor(x/y) + ceil(x)", a, b) == floor(a / b) + ceil(a));
  }
  assert_true(isnan(value_of("sqrt(x)", -1, 0)));
  assert_true(isinf(value_of("1/x", 0, 0)));
}

/** The sum of the absolute values of the terms of a value, which may cancel, through functions too. */
static void terms(void **state) {
  (void)state;
  const struct {
    const char *text;
    double x, terms;
  } rows[] = {
      {"x - 3", 2.75, 5.75},
      {"150*(exp(x) - 2)", 0, 600}, // those of a product have two factors
      {"150*(exp(x) - 1)", 0, 0},   // expm1 x
      {"(x - 3)*7", 2.75, 42},
      {"sqrt(x - 3)", 7, 2.5},
      {"sin(x)", 0.5, 0.8775825618903728 * 0.5},
      {"1 - cos(x)", 1e-3, 9.999998333333417e-7}, // x sin(x)
      {"abs(x) - max(x, 1)", -2.5, 3.5},
      {"max(x - 3, 0)*7", 3.25, 45.5},
      {"(x - 3)^3", 2.75, 3 * 0.0625 * 5.75}, // a whole exponent of a negative base is exact
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const double at[] = {rows[i].x, 0};
    sb_expression *e = compile(rows[i].text);
    assert_near_relative(sb_expression_terms(e, at, NULL, NULL),
                         fmax(rows[i].terms, fabs(sb_expression_value(e, at))), 1e-14);
    sb_expression_destroy(e);
  }
}

/** 1 - cos u at small u is u^2/2 - u^4/24; and a capacitor behind 1 V (1 - cos(w t)) and R, with T = R C and w T = pi 1e-6:
 *  after T it has (w T)^2/2 (1 - 2/e), to (w T)^2. Steps of 1e-16 V are no part of that. */
static void versines(void **state) {
  (void)state;
  const double u[] = {0.7, -2.385, 1e-3, 1e-7, 3e-11};
  for (int i = 0; i < 5; i++) {
    const double small = u[i] * u[i] / 2 - u[i] * u[i] * u[i] * u[i] / 24;
    const double expected = fabs(u[i]) < 0.01 ? small : 1 - cos(u[i]);
    assert_near_relative(value_of("1 - cos(x)", u[i], 0), expected, 1e-14);
    assert_near_relative(value_of("cos(y) - 1", 0, u[i]), -expected, 1e-14);
  }
  run r = start_netlist(
      "<screwbond version='1' id='m'><network domain='electric'>"
      "<Se id='S' effort='1[V]*(1 - cos(2*pi*50[Hz]*t))'/><R id='R' r='1 kohm'/><C id='C' c='10 "
      "pF'/><J1 id='j'/><bond from='S' to='j'/><bond from='j' to='R'/><bond from='j' to='C'/>"
      "</network><run t-end='10 ns' max-steps='200'/></screwbond>");
  advance(&r, 1e-8);
  const double phase = 1e-6 * acos(-1);
  assert_near_relative(value(&r, "C.e"), phase * phase / 2 * (1 - 2 / exp(1)), 1e-8);
  assert_closes(&r);
  stop(&r);
}

/** By their series at small u, and as they are written elsewhere. */
static void differences_from_one(void **state) {
  (void)state;
  const double u[] = {0.7, -0.2385, 1e-4, -1e-7, 3e-11, 5e-18, 2e-200};
  for (int i = 0; i < 7; i++) {
    const double x = u[i], x2 = x * x, x3 = x2 * x;
    const bool small = fabs(x) < 0.01;
    const struct {
      const char *text;
      double value;
    } rows[] = {
        {"exp(x) - 1", small ? x + x2 / 2 + x3 / 6 + x * x3 / 24 : exp(x) - 1},
        {"1 - exp(x)", small ? -x - x2 / 2 - x3 / 6 - x * x3 / 24 : 1 - exp(x)},
        {"log(1 + x)", small ? x - x2 / 2 + x3 / 3 - x * x3 / 4 : log(1 + x)},
        {"log(x + 1)", small ? x - x2 / 2 + x3 / 3 - x * x3 / 4 : log(1 + x)},
        {"log(1 - x)", small ? -x - x2 / 2 - x3 / 3 - x * x3 / 4 : log(1 - x)},
        {"sqrt(1 + x) - 1", small ? x / 2 - x2 / 8 + x3 / 16 - 5 * x * x3 / 128 : sqrt(1 + x) - 1},
        {"cosh(x) - 1", small ? x2 / 2 * (1 + x2 / 12) : cosh(x) - 1},
        // the sum in another order, with signs, factors and more terms
        {"-1 + exp(x)", expm1(x)},
        {"(-1) + exp(x)", expm1(x)},
        {"-(1 - exp(x))", expm1(x)},
        {"-exp(x) + 1", -expm1(x)},
        {"-1 + cosh(x)", 2 * sinh(x / 2) * sinh(x / 2)},
        {"-1 + cos(x)", -2 * sin(x / 2) * sin(x / 2)},
        {"-1 + sqrt(1 - x)", -x / (sqrt(1 - x) + 1)},
        {"sqrt(-x - -1) - 1", -x / (sqrt(1 - x) + 1)},
        {"0.3*exp(2*x) - 0.3", 0.3 * expm1(2 * x)},
        {"(2 + 3)*exp(x) - 5", 5 * expm1(x)},
        {"-3*(exp(x)/4) + 3/4", -0.75 * expm1(x)},
        {"exp(x) + 2*cosh(x) - 3", expm1(x) + 4 * sinh(x / 2) * sinh(x / 2)},
        {"7*x + exp(x) - 1", 7 * x + expm1(x)},
        {"7*x - (1 - exp(x)) + 3*x", 10 * x + expm1(x)},
        {"log(1 + x + x)", log1p(2 * x)},
        {"log(3 + x - 2)", log1p(x)},
        {"sqrt(1 + x*x + 2*x*x) - 1", 3 * x2 / (sqrt(1 + 3 * x2) + 1)},
        {"log(1 - exp(-abs(x)))", log(-expm1(-fabs(x)))}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
      assert_near_relative(value_of(rows[k].text, x, 0), rows[k].value, 1e-14);
    }
  }
  assert_near(value_of("log(x - 1)", 1.7, 0), log(0.7), 1e-15);
  assert_near(value_of("exp(x) - 2", 1e-9, 0), exp(1e-9) - 2, 0);
  // sums that do not cancel keep what is small in them
  assert_near_relative(value_of("exp(x) - exp(y)", -50, -51), exp(-50) * (1 - exp(-1)), 1e-14);
  assert_near_relative(value_of("log(exp(x))", -50, 0), -50.0, 1e-15);
  assert_near_relative(value_of("log(1 - exp(x))", -50, 0), -exp(-50), 1e-14);
  assert_near_relative(value_of("log(1 - x)", 1 - 1e-12, 0), log(1 - (1 - 1e-12)), 1e-15);
  const double at[] = {5e-18, 0};
  sb_expression *e = compile("1e18*log(1 + x)"); // terms of both factors
  assert_near_relative(sb_expression_dual(e, at, 0).slope, 1e18, 1e-15);
  assert_near_relative(sb_expression_terms(e, at, NULL, NULL), 10.0, 1e-14);
  sb_expression_destroy(e);
  // a damper from rest: m f' = F - log(1 + f/v) with F = 1.01 t^2 at first, f = v (exp(F) - 1) to m F' v exp(F) of 1 N
  run r = start_netlist(
      "<screwbond version='1' id='m'><network domain='translation'>"
      "<Se id='s' effort='2.02[N]*(1 - cos(t/1[s]))'/><J1 id='j'/><I id='m' mass='1 kg'/>"
      "<R id='r' law='1[N]*log(1 + abs(f)/1[nm/s])*sign(f)'/><bond from='s' to='j'/>"
      "<bond from='j' to='m'/><bond from='j' to='r'/></network>"
      "<run t-end='2 s' max-steps='20000'/></screwbond>");
  advance(&r, 2);
  assert_near_relative(value(&r, "m.f"), 1e-9 * expm1(2.02 * (1 - cos(2))), 1e-6);
  assert_closes(&r);
  stop(&r);
}

static void refuse(const char *text, size_t length, sb_status status, int column,
                   const char *message) {
  sb_expression *e;
  sb_error err = {0};
  assert_int_equal(sb_expression_compile(text, length, &vocabulary, &e, &err), status);
  assert_null(e);
  if (message != NULL) {
    assert_string_equal(err.text, message);
  }
  assert_int_equal(err.column, column);
}

static void faults(void **state) {
  (void)state;
  static const struct {
    const char *text;
    sb_status status;
    int column;
    const char *message;
  } rows[] = {
      {"", SB_ERR_NUMBER, 1, "a number or name is missing at the end"},
      {"  ", SB_ERR_NUMBER, 3, "a number or name is missing at the end"},
      {"2 *", SB_ERR_NUMBER, 4, "a number or name is missing at the end"},
      {"2 ** 3", SB_ERR_NUMBER, 4, "a number or name is missing before '*'"},
      {"(x", SB_ERR_NUMBER, 1, "the bracket '(' is not closed"},
      {"x)", SB_ERR_NUMBER, 2, "a bracket '(' is missing before ')'"},
      {"2x", SB_ERR_NUMBER, 2, "an operator is missing before 'x'"},
      {"x y", SB_ERR_NUMBER, 3, "an operator is missing before 'y'"},
      {"3[m]", SB_ERR_NUMBER, 2, "numbers have no units here: SI"},
      {"min(x)", SB_ERR_NUMBER, 6, "min takes 2 arguments"},
      {"min(x, y, x)", SB_ERR_NUMBER, 9, "min takes 2 arguments"},
      {"sin()", SB_ERR_NUMBER, 5, "sin takes 1 argument"},
      {"sin(x", SB_ERR_NUMBER, 6, "')' or an operator is missing at the end"},
      {"z", SB_ERR_REFERENCE, 1, "unknown name 'z'"},
      {"x + zz", SB_ERR_REFERENCE, 5, "unknown name 'zz'"},
      {"zz(3)", SB_ERR_REFERENCE, 1, "unknown function 'zz'"},
      {"sin", SB_ERR_REFERENCE, 1, "unknown name 'sin'"},
      {"x(3)", SB_ERR_REFERENCE, 1, "unknown function 'x'"},
      {"x < y < 1", SB_ERR_NUMBER, 7, "comparisons stand alone"},
      {"x = y", SB_ERR_NUMBER, 3, "an operator is missing before '='"},
      {"1e400 + x", SB_ERR_NUMBER, 1, "the number is too large or too long"},
      {"x + \x01", SB_ERR_NUMBER, 5, "a number or name is missing before a control character"},
      {"x ? y", SB_ERR_NUMBER, 3, "an operator is missing before '?'"},
      {"\xc3\xa4 + x", SB_ERR_REFERENCE, 1, "unknown name '\xc3\xa4'"},
      {"x*(y + \xc3\xa4)*\xc3\xb6)", SB_ERR_REFERENCE, 8, "unknown name '\xc3\xa4'"},
      {"\xe2\x88\x9e", SB_ERR_REFERENCE, 1, "unknown name '\xe2\x88\x9e'"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    refuse(rows[i].text, strlen(rows[i].text), rows[i].status, rows[i].column, rows[i].message);
  }
  refuse("x\0+ y", 5, SB_ERR_NUMBER, 2, "an operator is missing before a control character");
}

static char *filled(size_t size, char c) {
  char *text = malloc(size + 1);
  assert_non_null(text);
  memset(text, c, size);
  text[size] = '\0';
  return text;
}

static void limits(void **state) {
  (void)state;
  static const char hostile[] = "(-+^[]x,1. \xff";
  for (const char *c = hostile; *c != '\0'; c++) {
    char *text = filled(1 << 20, *c);
    refuse(text, 1 << 20, SB_ERR_TOO_LARGE, 1, "an expression has at most 4096 bytes");
    text[SB_EXPRESSION_LENGTH_MAX] = '\0';
    sb_expression *e;
    assert_true(sb_expression_compile(text, SB_EXPRESSION_LENGTH_MAX, &vocabulary, &e, NULL) !=
                SB_OK);
    free(text);
  }
  static const char deep[] = "(-^";
  for (const char *c = deep; *c != '\0'; c++) {
    char text[TEXT] = "";
    for (int i = 0; i <= SB_EXPRESSION_DEPTH_MAX; i++) {
      strcat(text, *c == '(' ? "(" : *c == '-' ? "-" : "x^");
    }
    strcat(text, "x");
    int column = *c == '^' ? 2 * (SB_EXPRESSION_DEPTH_MAX + 1) : SB_EXPRESSION_DEPTH_MAX + 1;
    refuse(text, strlen(text), SB_ERR_TOO_LARGE, column, "an expression has at most 64 levels");
  }
  char text[TEXT] = "x";
  for (int i = 1; i < SB_EXPRESSION_NODES_MAX / 2; i++) {
    strcat(text, "+x");
  }
  assert_near(value_of(text, 2.5, 0), 2.5 * SB_EXPRESSION_NODES_MAX / 2, 0);
  strcat(text, "+x");
  refuse(text, strlen(text), SB_ERR_TOO_LARGE, SB_EXPRESSION_NODES_MAX,
         "an expression has at most 512 numbers, names and operators");
}

static void second_derivatives(void **state) {
  (void)state;
  static const char *const texts[] = {"x^y",
                                      "x*y^2",
                                      "x/y",
                                      "hypot(x, y)",
                                      "atan2(x, y)",
                                      "exp(x*sin(y))/(1 + x^2)",
                                      "sqrt(x)*log(y) - x*y"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const double x = 1.3, y = 0.7, h = 1e-6;
    sb_expression *e = compile(texts[i]);
    double up = sb_expression_dual(e, (double[]){x, y + h}, 0).slope;
    double down = sb_expression_dual(e, (double[]){x, y - h}, 0).slope;
    const double at[] = {x, y};
    assert_near(sb_expression_second(e, at, NULL, 0, 1), (up - down) / (2 * h), 1e-8);
    assert_near(sb_expression_second(e, at, NULL, 1, 0), sb_expression_second(e, at, NULL, 0, 1),
                1e-14);
    sb_expression_destroy(e);
  }
}

/** Texts of random tokens are often nearly right. SB_FUZZ_ROUNDS asks for more of them. */
static void random_texts(void **state) {
  (void)state;
  static const char *const tokens[] = {
      "x",    "y",    "1",      "2.5",   "0",    "e",   "pi",   "+",  "-",     "*", "/",
      "^",    "(",    ")",      "(",     ")",    ",",   "<",    ">=", "==",    "!", "=",
      "[",    "]",    "[ms]",   "sin(",  "min(", "if(", "mod(", "1e", "1e300", " ", "\xc3",
      "\xa4", "abs(", "floor(", "sqrt(", "log(", ".",   "m",    "\n"};
  const unsigned count = sizeof tokens / sizeof *tokens;
  const char *rounds = getenv("SB_FUZZ_ROUNDS");
  unsigned long random = 2385;
  for (long round = rounds != NULL ? atol(rounds) : THOROUGH ? 100000 : 30000; round > 0; round--) {
    char text[400] = "";
    random = random * 6364136223846793005UL + 1442695040888963407UL;
    for (unsigned n = (unsigned)(random >> 40) % 24; n > 0; n--) {
      random = random * 6364136223846793005UL + 1442695040888963407UL;
      strcat(text, tokens[(random >> 33) % count]);
    }
    sb_expression *e;
    sb_error err = {0};
    const double at[] = {0.7, -2};
    if (sb_expression_compile(text, strlen(text), &vocabulary, &e, &err) == SB_OK) {
      sb_dual d = sb_expression_dual(e, at, 0);
      (void)sb_expression_next_kink(e, 0.7);
      sb_expression_fold(e);
      sb_dual folded = sb_expression_dual(e, at, 0);
      assert_true(d.value == folded.value || (isnan(d.value) && isnan(folded.value)));
      sb_expression_destroy(e);
    } else {
      assert_true(err.column >= 1 && err.column <= (int)strlen(text) + 1);
    }
    const sb_value_variable variables[] = {{.name = "x", .dimension.exponent[0] = SB_EXPONENT_ONE},
                                           {.name = "y"}};
    sb_dimension whole;
    err = (sb_error){0};
    if (sb_value_compile(text, 0, strlen(text), NULL, variables, 2, &e, &whole, &err) == SB_OK) {
      sb_expression_destroy(e);
    } else {
      assert_true(err.column >= 1 && err.column <= (int)strlen(text) + 1);
    }
    double values[200];
    int items;
    sb_dimension dimension;
    err = (sb_error){0};
    if (sb_value_parse(text, NULL, NULL, values, 200, &items, &dimension, &err) != SB_OK) {
      assert_true(err.column >= 1 && err.column <= (int)strlen(text) + 1);
    }
  }
}

/** Dimensions through expressions; faults stand in the corpus of wrong netlists. */
static void dimensions(void **state) {
  (void)state;
  static const struct {
    const char *text, *unit;
    double value;
  } rows[] = {
      {"sqrt(1e5)[N.s/m]", "N.s/m", 316.22776601683796},
      {"50[ms] + 2[s]", "s", 2.05},
      {"sqrt(4[m^2])", "m", 2},
      {"(8[N^3])^(1/3)", "N", 2},
      {"4[m]^1.5", "m^(3/2)", 8},
      {"(4[m])^-2", "1/m^2", 0.0625},
      {"pow(2[m], 3)", "m^3", 8},
      {"if(3[m] > 2[cm], 3[V], 0)", "V", 3},
      {"max(0, -3[A])", "A", 0},
      {"atan2(2[m], 2[m])", "1", 0.78539816339744831},
      {"hypot(3[mm], 4[mm])", "m", 0.005},
      {"mod(7[s], 4[s])", "s", 3},
      {"sin(30[deg])", "1", 0.5},
      {"abs(-3[K])/sign(-2[m])", "K", -3},
      {"2[m/s]*3[s]", "m", 6},
      {"0", "V", 0},
      {"2^0.5", "1", 1.4142135623730951},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    double value, scale;
    int count;
    sb_dimension expected, dimension;
    sb_error err = {0};
    assert_int_equal(sb_unit_parse(rows[i].unit, strlen(rows[i].unit), &expected, &scale, &err),
                     SB_OK);
    if (sb_value_parse(rows[i].text, &expected, NULL, &value, 1, &count, &dimension, &err) !=
        SB_OK) {
      fail_msg("%s: %d: %s", rows[i].text, err.column, err.text);
    }
    assert_near(value, rows[i].value, 1e-15 * (1 + fabs(value)));
  }
}

/** The constant terms of a sum, and what is left: all digits of a small rest. */
static void constant_terms(void **state) {
  (void)state;
  static const struct {
    const char *text, *rest;
    double constant;
  } sums[] = {{"3 + x^2 - 1", "x^2", 2},
              {"1e14 + 0.5*x^2", "0.5*x^2", 1e14},
              {"-(5 - (x - 2^3))", "x", -13},
              {"x - (y + 4 - 2*pi)", "x - y", 2 * 3.14159265358979323846 - 4},
              {"2*(1 + x)", "2*(1 + x)", 0},
              {"1 - cos(x)", "1 - cos(x)", 0},
              {"7 + 2 - 2*cos(x)", "-2*cos(x)", 9},
              {"7 + 2*(1 - cos(x))", "2*(1 - cos(x))", 7},
              {"(2*exp(x) - 2) + 1e9", "2*exp(x) - 2", 1e9},
              {"5", "0", 5},
              {"max(x, 3) + 2", "max(x, 3)", 2}};
  for (size_t k = 0; k < sizeof sums / sizeof *sums; k++) {
    sb_expression *e = compile(sums[k].text), *rest = compile(sums[k].rest);
    assert_near_relative(sb_expression_take_constant(e), sums[k].constant, 1e-15);
    for (int i = 0; i < 4; i++) {
      const double at[] = {pow(10, -5 * i), 0.3};
      assert_near_relative(sb_expression_value(e, at), sb_expression_value(rest, at), 1e-15);
      assert_near_relative(sb_expression_dual(e, at, 0).slope,
                           sb_expression_dual(rest, at, 0).slope, 1e-15);
    }
    sb_expression_destroy(e);
    sb_expression_destroy(rest);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(precedence),
      cmocka_unit_test(functions),
      cmocka_unit_test(faults),
      cmocka_unit_test(limits),
      cmocka_unit_test(second_derivatives),
      cmocka_unit_test(random_texts),
      cmocka_unit_test(dimensions),
      cmocka_unit_test(terms),
      cmocka_unit_test(versines),
      cmocka_unit_test(constant_terms),
      cmocka_unit_test(differences_from_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
