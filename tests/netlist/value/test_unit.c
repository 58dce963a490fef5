// SPDX-License-Identifier: GPL-3.0-or-later
// Units, dimensions, and the values of attributes.
#include "tests/near.h"

#include <string.h>

#include "netlist/value/value.h"

static sb_dimension parse_unit(const char *text, double *scale) {
  sb_dimension dimension;
  sb_error err = {0};
  if (sb_unit_parse(text, strlen(text), &dimension, scale, &err) != SB_OK) {
    fail_msg("%s: %s", text, err.text);
  }
  return dimension;
}

static void reads_units(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double scale;
    const char *base;
  } cases[] = {
      {"uF", 1e-6, "s^4.A^2/(kg.m^2)"},
      {"\xc2\xb5"
       "F",
       1e-6, "s^4.A^2/(kg.m^2)"},
      {"\xce\xbc"
       "F",
       1e-6, "s^4.A^2/(kg.m^2)"},
      {"N/m^(3/2)", 1, "kg/(m^(1/2).s^2)"},
      {"N/m^1.5", 1, "kg/(m^(1/2).s^2)"},
      {"N/m^2.2", 1, "kg/(m^(6/5).s^2)"},
      {"kg.m^2", 1, "kg.m^2"},
      {"g*mm^2", 1e-9, "kg.m^2"},
      {"N.m.s", 1, "kg.m^2/s"},
      {"mN.m/A", 1e-3, "kg.m^2/(s^2.A)"},
      {"N/m.s", 1, "kg/s"},
      {"N/(m.s)", 1, "kg/s^3"},
      {"m/s/s", 1, "m/s^2"},
      {"m.s^-2", 1, "m/s^2"},
      {"m.s^(-2)", 1, "m/s^2"},
      {"m^+1", 1, "m"},
      {"1/s", 1, "1/s"},
      {"1", 1, "1"},
      {"ohm", 1, "kg.m^2/(s^3.A^2)"},
      {"k\xce\xa9", 1e3, "kg.m^2/(s^3.A^2)"},
      {"kHz", 1e3, "1/s"},
      {"rpm", 0.10471975511965977, "1/s"},
      {"deg/s", 0.017453292519943295, "1/s"},
      {"rev", 6.283185307179586, "1"},
      {"%", 1e-2, "1"},
      {"min", 60, "s"},
      {"h", 3600, "s"},
      {"L/min", 1e-3 / 60, "m^3/s"},
      {"mbar", 100, "kg/(m.s^2)"},
      {"hPa", 100, "kg/(m.s^2)"},
      {"dam", 10, "m"},
      {"kg", 1, "kg"},
      {"mg", 1e-6, "kg"},
      {"t", 1000, "kg"},
      {"MeV", 1.602176634e-13, "kg.m^2/s^2"},
      {"kW.h", 3.6e6, "kg.m^2/s^2"},
      {"((m))^2", 1, "m^2"},
      {"J/(mol.K)", 1, "kg.m^2/(s^2.K.mol)"},
      {"cd", 1, "cd"},
      {"Wb", 1, "kg.m^2/(s^2.A)"},
      {"mT", 1e-3, "kg/(s^2.A)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[SB_DIMENSION_SIZE];
    double scale;
    sb_dimension dimension = parse_unit(cases[i].text, &scale);
    assert_near_relative(scale, cases[i].scale, 1e-15);
    sb_dimension_format(&dimension, text, sizeof text);
    assert_string_equal(text, cases[i].base);
  }
}

static void every_listed_unit_reads(void **state) {
  (void)state;
  for (const sb_unit *unit = sb_units; unit->name != NULL; unit++) {
    double scale;
    sb_dimension dimension = parse_unit(unit->name, &scale);
    assert_near_relative(scale, unit->scale, 1e-15);
    assert_int_equal(dimension.exponent[2], unit->base[2] * SB_EXPONENT_ONE);
    assert_non_null(unit->help);
  }
}

static void check_unit_error(const char *text, const char *message, int column, const char *hint) {
  sb_dimension dimension;
  double scale;
  sb_error err = {0};
  assert_int_equal(sb_unit_parse(text, strlen(text), &dimension, &scale, &err), SB_ERR_UNIT);
  assert_string_equal(err.text, message);
  assert_string_equal(err.hint, hint);
  assert_int_equal(err.column, column);
}

static void words_faults_of_units(void **state) {
  (void)state;
  const char *exponent = "for instance m^2, s^-1, m^1.5 or m^(3/2)";
  check_unit_error("uf", "unknown unit 'uf'", 1, "did you mean 'uF'?");
  check_unit_error("Nm/rad", "unknown unit 'Nm'", 1, "did you mean 'N.m'?");
  check_unit_error("mNm", "unknown unit 'mNm'", 1,
                   "did you mean 'mN.m'? A product is written with a point");
  check_unit_error("V*sqrt(2)", "unknown unit 'sqrt'", 3,
                   "in an expression units are written in brackets: 50[ms]*sqrt(2)");
  check_unit_error("kohms", "unknown unit 'kohms'", 1, "did you mean 'kohm'?");
  check_unit_error("mh", "unknown unit 'mh'", 1, "did you mean 'mH'?");
  check_unit_error("V/(1-1)", "'-' does not belong in a unit", 5,
                   "in an expression units are written in brackets: 5[V]/(1 - x)");
  check_unit_error("kWh", "unknown unit 'kWh'", 1,
                   "did you mean 'kW.h'? A product is written with a point");
  check_unit_error("KHz", "unknown unit 'KHz'", 1, "did you mean 'kHz'?");
  check_unit_error("Ohm", "unknown unit 'Ohm'", 1, "did you mean 'ohm'?");
  check_unit_error("\xc2\xb5\xc2\xb5/sec", "unknown unit '\xc2\xb5\xc2\xb5'", 1, "");
  check_unit_error("\xc2\xb5m/sec", "unknown unit 'sec'", 4, "did you mean 's'?");
  check_unit_error("ohms", "unknown unit 'ohms'", 1, "did you mean 'ohm'?");
  check_unit_error("degC", "unknown unit 'degC'", 1,
                   "temperatures are in K: 20 degrees Celsius are 293.15 K");
  check_unit_error("mmin", "unknown unit 'mmin'", 1,
                   "did you mean 'm.min'? A product is written with a point");
  check_unit_error("quux", "unknown unit 'quux'", 1, "");
  check_unit_error("N/m^3/2", "a unit cannot contain a number other than 1", 7,
                   "a fractional exponent is written in brackets: N/m^(3/2)");
  check_unit_error("m^", "an exponent is missing or malformed", 3, exponent);
  check_unit_error("m^(3/0)", "an exponent is missing or malformed", 3, exponent);
  check_unit_error("m^(3/2", "an exponent is missing or malformed", 3, exponent);
  check_unit_error("m^99999999", "an exponent is missing or malformed", 3, exponent);
  check_unit_error("m^(1/7)", "the exponent is too large, or not a multiple of 1/600", 3, "");
  check_unit_error("m^101", "the exponent is too large, or not a multiple of 1/600", 3, "");
  check_unit_error("m^60.m^60", "an exponent becomes too large", 5, "");
  check_unit_error("N..m", "a unit is missing here", 3, "");
  check_unit_error("", "a unit is missing here", 1, "");
  check_unit_error("N/", "a unit is missing here", 3, "");
  check_unit_error("(N.m", "a bracket is not closed", 1, "");
  check_unit_error("((((((((((m))))))))))", "too many brackets in a unit", 9, "");
  check_unit_error("m)", "')' does not belong in a unit", 2, "");
  check_unit_error("N m", "' ' does not belong in a unit", 2, "");
  check_unit_error("Ym^20", "the unit is too large or too small", 1, "");
}

static void describes_for_engineers(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"F", "F"},     {"C/V", "F"},   {"N.m", "J or N.m"},      {"Hz", "Hz or rad/s"},
      {"s/m", "s/m"}, {"m^7", "m^7"}, {"N/m^1.5", "N/m^(3/2)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[SB_DIMENSION_SIZE];
    double scale;
    sb_dimension dimension = parse_unit(cases[i][0], &scale);
    sb_unit_describe(&dimension, text, sizeof text);
    assert_string_equal(text, cases[i][1]);
  }
}

/** Parameters R0 = 10 ohm, l1 = 0.5 m, h = 0.61 m, N = 20 and g = 3 s. */
static bool look_up(void *context, const char *name, size_t length, double *value,
                    sb_dimension *dimension) {
  static const struct {
    const char *name, *unit;
    double value;
  } known[] = {
      {"R0", "ohm", 10}, {"l1", "m", 0.5}, {"h", "m", 0.61}, {"N", NULL, 20}, {"g", "s", 3}};
  (void)context;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strlen(known[i].name) == length && memcmp(known[i].name, name, length) == 0) {
      double scale;
      if (value == NULL) {
        if (dimension != NULL) {
          *dimension = known[i].unit != NULL ? parse_unit(known[i].unit, &scale)
                                             : (sb_dimension){.any = true};
        }
        return true;
      }
      *value = known[i].value;
      *dimension =
          known[i].unit != NULL ? parse_unit(known[i].unit, &scale) : (sb_dimension){.any = true};
      return true;
    }
  }
  return false;
}

static const sb_value_scope scope = {.lookup = look_up};

static void check_value(const char *text, const char *unit, int expected_count,
                        const double expected[]) {
  double values[4], scale;
  int count;
  sb_error err = {0};
  sb_dimension dimension, wanted = parse_unit(unit, &scale);
  if (sb_value_parse(text, &wanted, &scope, values, 4, &count, &dimension, &err) != SB_OK) {
    fail_msg("%s: %s", text, err.text);
  }
  assert_int_equal(count, expected_count);
  for (int i = 0; i < count; i++) {
    assert_true(values[i] == expected[i]);
  }
  assert_true(sb_dimension_fits(&dimension, &wanted));
}

static void reads_values(void **state) {
  (void)state;
  check_value("10 uF", "F", 1, (double[]){1e-5});
  check_value("10uF", "F", 1, (double[]){1e-5});
  check_value("2.4e5 N/m^(3/2)", "N/m^1.5", 1, (double[]){2.4e5});
  check_value("-9.81 m/s^2", "m/s^2", 1, (double[]){-9.81});
  check_value(" 0 0\t0.16 m ", "m", 3, (double[]){0, 0, 0.16});
  check_value("150 -120 80 mm", "m", 3, (double[]){0.15, -0.12, 0.08});
  check_value("20", "F", 1, (double[]){20});
  check_value("3/2", "1", 1, (double[]){1.5});
  check_value("-3/2", "1", 1, (double[]){-1.5});
  check_value("5 1/s", "Hz", 1, (double[]){5});
  check_value("5 (m/s)^2", "m^2/s^2", 1, (double[]){5});
  check_value("5%", "1", 1, (double[]){0.05});
  check_value("R0", "ohm", 1, (double[]){10});
  check_value("-R0", "ohm", 1, (double[]){-10});
  check_value("N", "kg", 1, (double[]){20});
  check_value("0 -l1 0", "m", 3, (double[]){0, -0.5, 0});
  check_value("1 -l1 2 cm", "m", 3, (double[]){0.01, -0.5, 0.02});
  check_value("0 0 l1", "m", 3, (double[]){0, 0, 0.5});
  check_value("0 h 0", "m", 3, (double[]){0, 0.61, 0});
  check_value("0 0 +h", "m", 3, (double[]){0, 0, 0.61});
  check_value("2 h", "s", 1, (double[]){7200});
}

static void reports_the_dimension(void **state) {
  (void)state;
  double value;
  int count;
  char text[SB_DIMENSION_SIZE];
  sb_dimension dimension;
  assert_int_equal(sb_value_parse("7", NULL, NULL, &value, 1, &count, &dimension, NULL), SB_OK);
  assert_true(dimension.any);
  assert_int_equal(sb_value_parse("7 rad", NULL, NULL, &value, 1, &count, &dimension, NULL), SB_OK);
  assert_false(dimension.any);
  assert_int_equal(sb_value_parse("R0", NULL, &scope, &value, 1, &count, &dimension, NULL), SB_OK);
  sb_dimension_format(&dimension, text, sizeof text);
  assert_string_equal(text, "kg.m^2/(s^3.A^2)");
}

/** Expects a length or a list of up to three, and refuses the text. */
static void check_value_error(const char *text, sb_status status, int column, const char *message,
                              const char *hint) {
  double values[3], scale;
  int count;
  sb_error err = {0};
  sb_dimension metre = parse_unit("m", &scale);
  assert_int_equal(sb_value_parse(text, &metre, &scope, values, 3, &count, NULL, &err), status);
  assert_string_equal(err.text, message);
  assert_string_equal(err.hint, hint);
  assert_int_equal(err.column, column);
  assert_int_equal(err.status, status);
}

static void words_faults_of_values(void **state) {
  (void)state;
  check_value_error("", SB_ERR_NUMBER, 1, "a value is missing", "");
  check_value_error("10 uf", SB_ERR_UNIT, 4, "unknown unit 'uf'", "did you mean 'uF'?");
  check_value_error("1 2 N/mm^x", SB_ERR_UNIT, 10, "an exponent is missing or malformed",
                    "for instance m^2, s^-1, m^1.5 or m^(3/2)");
  check_value_error("10 ohm", SB_ERR_DIMENSION, 4,
                    "the unit 'ohm' does not fit: expected a unit like m",
                    "ohm is kg.m^2/(s^3.A^2), expected is m");
  check_value_error("0 -R0 0", SB_ERR_DIMENSION, 4,
                    "the parameter 'R0' does not fit: expected a unit like m",
                    "R0 is kg.m^2/(s^3.A^2), expected is m");
  check_value_error("0 0 h", SB_ERR_DIMENSION, 5,
                    "the unit 'h' does not fit: expected a unit like m",
                    "for the parameter of the same name write +h");
  check_value_error("0 0 h/2", SB_ERR_UNIT, 7, "a unit cannot contain a number other than 1",
                    "for the parameter of the same name write +h");
  check_value_error("0 0 3 h", SB_ERR_DIMENSION, 7,
                    "the unit 'h' does not fit: expected a unit like m",
                    "for the parameter of the same name write *h");
  check_value_error("0 0 3 g", SB_ERR_DIMENSION, 7,
                    "the unit 'g' does not fit: expected a unit like m",
                    "g is kg, expected is m"); // 3*g, of the parameter, would be a time
  check_value_error("0 0 g", SB_ERR_DIMENSION, 5,
                    "the unit 'g' does not fit: expected a unit like m", "g is kg, expected is m");
  check_value_error("0 h/2 g", SB_ERR_DIMENSION, 7,
                    "the parameter 'g' does not fit: expected a unit like m",
                    "after an expression, which has a unit of its own, 'g' is the parameter of "
                    "this name, not the unit");
  check_value_error("1 2 3 4 m", SB_ERR_DIMENSION, 7, "too many numbers: expected at most 3", "");
  check_value_error("R9", SB_ERR_REFERENCE, 1, "unknown parameter 'R9'",
                    "three numbers may stand here, as in \"0 1 0\"");
  check_value_error("-R9", SB_ERR_REFERENCE, 2, "unknown parameter 'R9'",
                    "three numbers may stand here, as in \"0 1 0\"");
  check_value_error("inf", SB_ERR_REFERENCE, 1, "unknown parameter 'inf'",
                    "three numbers may stand here, as in \"0 1 0\"");
  check_value_error("mm", SB_ERR_REFERENCE, 1, "unknown parameter 'mm'",
                    "a number is missing before the unit");
  check_value_error("1 m 2 m", SB_ERR_UNIT, 5, "nothing may follow the unit",
                    "a unit has no blanks (kg.m^2) and comes once, after the last number");
  check_value_error("1 kg / m", SB_ERR_UNIT, 6, "nothing may follow the unit",
                    "a unit has no blanks (kg.m^2) and comes once, after the last number");
  check_value_error("1,5 m", SB_ERR_NUMBER, 2, "',5' is not a number",
                    "the decimal sign is a point, and blanks separate the numbers of a list");
  check_value_error("1e400", SB_ERR_NUMBER, 1, "the number is too large or too long", "");
  check_value_error("0 1e300 Ym", SB_ERR_NUMBER, 3, "the value is too large", "");
  check_value_error("3/0", SB_ERR_NUMBER, 3, "cannot divide by this", "");
  check_value_error("1.2.3", SB_ERR_NUMBER, 4, "'.3' is not a number", "");
  check_value_error("\xc2\xb5 \"", SB_ERR_REFERENCE, 1, "unknown parameter '\xc2\xb5'", "");
  check_value_error("0 \xc3\xa4 0", SB_ERR_REFERENCE, 3, "unknown parameter '\xc3\xa4'", "");
  check_value_error("1 \xc2\xb5m 2", SB_ERR_UNIT, 6, "nothing may follow the unit",
                    "a unit has no blanks (kg.m^2) and comes once, after the last number");
}

/** One value or several, each a part by itself; see test_expression.c for the rest. */
static void reads_expressions(void **state) {
  (void)state;
  check_value("l1*2", "m", 1, (double[]){1});
  check_value("sqrt(1e4)[m]", "m", 1, (double[]){100});
  check_value("50[mm]", "m", 1, (double[]){0.05});
  check_value("50 [mm] + l1", "m", 1, (double[]){0.05 + 0.5});
  check_value("2*3", "1", 1, (double[]){6});
  check_value("(1)", "1", 1, (double[]){1});
  check_value("- 5", "1", 1, (double[]){-5});
  check_value("0 l1*2", "m", 2, (double[]){0, 1});
  check_value("0 l1 * 2 h+l1", "m", 3, (double[]){0, 1, 0.61 + 0.5});
  check_value("0 sin(2)*l1 2 mm", "m", 3, (double[]){0, sin(2) * 0.5, 0.002});
  check_value("1 min(l1, h) -l1", "m", 3, (double[]){1, 0.5, -0.5});
  check_value("l1 - h", "m", 1, (double[]){0.5 - 0.61});
  check_value("l1 -h", "m", 2, (double[]){0.5, -0.61});
  check_value("0 (l1 + h)", "m", 2, (double[]){0, 0.5 + 0.61});
  check_value("-l1 (l1)", "m", 2, (double[]){-0.5, 0.5});
  check_value_error(
      "2*3", SB_ERR_DIMENSION, 1, "the expression '2*3' does not fit: expected a unit like m",
      "inside an expression a bare number is a pure number; units are written in brackets: "
      "50[ms]");
  check_value_error("0 l1*R9", SB_ERR_REFERENCE, 6, "unknown name 'R9'", "");
  check_value_error("0 l1(2)", SB_ERR_REFERENCE, 3, "unknown function 'l1'",
                    "a product is written with *");
  check_value_error("0 l1/(h - h)", SB_ERR_NUMBER, 5, "'l1/(h - h)' is not a finite number", "");
  check_value_error("l1*2 mm", SB_ERR_REFERENCE, 6, "unknown parameter 'mm'",
                    "the unit comes once, after the last number");
}

static void expects_a_pure_number(void **state) {
  (void)state;
  static const sb_dimension pure = {0};
  double value;
  int count;
  sb_error err = {0};
  assert_int_equal(sb_value_parse("2 mm", &pure, NULL, &value, 1, &count, NULL, &err),
                   SB_ERR_DIMENSION);
  assert_string_equal(err.text, "the unit 'mm' does not fit: expected a pure number");
  assert_string_equal(err.hint, "mm is m");
  assert_int_equal(sb_value_parse("1 2", &pure, NULL, &value, 1, &count, NULL, &err),
                   SB_ERR_DIMENSION);
  assert_string_equal(err.text, "too many numbers: expected 1");
  assert_int_equal(err.column, 3);
}

static void reads_rotations(void **state) {
  (void)state;
  double angle, axis[3];
  assert_int_equal(sb_value_parse_rotation("30 deg about 0.2 1 -2", NULL, &angle, axis, NULL),
                   SB_OK);
  assert_near(angle, 0.5235987755982988, 1e-15);
  assert_true(axis[0] == 0.2 && axis[1] == 1 && axis[2] == -2);
  assert_int_equal(sb_value_parse_rotation("N about 0 0 1", &scope, &angle, axis, NULL), SB_OK);
  assert_true(angle == 20);
}

static void words_faults_of_rotations(void **state) {
  (void)state;
  static const struct {
    const char *text;
    sb_status status;
    int column;
    const char *message;
  } cases[] = {
      {"6 deg", SB_ERR_NUMBER, 1, "a rotation is an angle about an axis"},
      {"6 mm about 0 0 1", SB_ERR_DIMENSION, 3,
       "the unit 'mm' does not fit: expected a pure number"},
      {"about 0 0 1", SB_ERR_NUMBER, 1, "a value is missing"},
      {"6 7 deg about 0 0 1", SB_ERR_DIMENSION, 3, "too many numbers: expected 1"},
      {"6 deg about", SB_ERR_NUMBER, 12, "a value is missing"},
      {"6 deg about 0 1", SB_ERR_DIMENSION, 13, "an axis has 3 numbers, not 2"},
      {"6 deg about 0 0 0", SB_ERR_RANGE, 13, "the axis is zero, and tells no direction"},
      {"6 deg about 0 zz 1", SB_ERR_REFERENCE, 15, "unknown parameter 'zz'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double angle, axis[3];
    sb_error err = {0};
    assert_int_equal(sb_value_parse_rotation(cases[i].text, NULL, &angle, axis, &err),
                     cases[i].status);
    assert_string_equal(err.text, cases[i].message);
    assert_int_equal(err.column, cases[i].column);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_units),
      cmocka_unit_test(every_listed_unit_reads),
      cmocka_unit_test(words_faults_of_units),
      cmocka_unit_test(describes_for_engineers),
      cmocka_unit_test(reads_values),
      cmocka_unit_test(reports_the_dimension),
      cmocka_unit_test(words_faults_of_values),
      cmocka_unit_test(reads_expressions),
      cmocka_unit_test(expects_a_pure_number),
      cmocka_unit_test(reads_rotations),
      cmocka_unit_test(words_faults_of_rotations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
