// SPDX-License-Identifier: GPL-3.0-or-later
// screwbond restitution: the coefficient of restitution of a normal law against the speed of impact.
#include "restitution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "core/base/number.h"
#include "netlist/value/value.h"
#include "report/whole_file.h"
#include "values.h"

static const char *const name = "restitution";

static int find_law(const arguments *args, sb_contact_law *law) {
  const char *names[32];
  int count = 0;
  *law = sb_contact_law_defaults();
  if (args->law == NULL) {
    return complain_usage("screwbond list laws", "%s: --law is missing", name);
  }
  for (const sb_normal_law *row = sb_normal_laws; row->name != NULL && count < 32; row++) {
    names[count++] = row->name;
  }
  law->normal = sb_normal_law_find(args->law);
  if (law->normal == NULL) {
    return complain_unknown("law", args->law, names, count, "screwbond list laws");
  }
  return sb_contact_law_by_energy(law)
             ? complain_usage(NULL, "%s: the law '%s' is not one of powers", name, args->law)
             : EXIT_FINE;
}

static bool by_law(const char *parameter) {
  return strcmp(parameter, "stiffness") == 0 || strcmp(parameter, "damping") == 0 ||
         strcmp(parameter, "damping-factor") == 0;
}

/** One parameter, in a unit of its own or, where that depends on the exponents, of the law. */
static int set_parameter(const sb_override *set, sb_contact_law *law) {
  const sb_param *row = sb_param_find(sb_contact_law_params, set->id);
  char unit[SB_CONTACT_LAW_UNIT_SIZE] = "", option[80];
  sb_dimension dimension = {0};
  double value = 0, scale;
  int count;
  if (by_law(set->id)) {
    sb_contact_law_unit(law, set->id, unit, sizeof unit);
  } else if (row->unit != NULL) {
    (void)snprintf(unit, sizeof unit, "%s", row->unit);
  }
  if (unit[0] != '\0' && sb_unit_parse(unit, strlen(unit), &dimension, &scale, NULL) != SB_OK) {
    return complain_usage(NULL, "%s: no unit has the exponents of %s", name, unit);
  }
  (void)snprintf(option, sizeof option, "--set %.40s", set->id);
  int code = value_parse(name, option, set->value, &dimension, &value, 1, &count);
  if (code == EXIT_FINE) {
    *(double *)(void *)((char *)law + row->offset) = value;
  }
  return code;
}

/** Of the parameters those that an impact depends on. */
static int check_parameter(const sb_override *set) {
  static const char *const words[] = {"stiffness",        "damping",       "damping-factor",
                                      "exponent",         "restitution",   "least-speed",
                                      "damping-exponent", "rate-exponent", NULL};
  int count = 0;
  for (; words[count] != NULL; count++) {
    if (strcmp(words[count], set->id) == 0) {
      return EXIT_FINE;
    }
  }
  return complain_unknown("parameter", set->id, words, count, "stiffness, damping, exponent, ...");
}

static int complete(sb_contact_law *law) {
  sb_error err = {0};
  return sb_contact_law_complete(law, NULL, &err) == SB_OK
             ? EXIT_FINE
             : complain_usage(err.hint, "%s: %s", name, err.text);
}

/** Exponents first, as the other units follow from them. */
static int read_parameters(const arguments *args, sb_contact_law *law) {
  int code = EXIT_FINE, count;
  const sb_dimension number = {0};
  for (int pass = 0; pass < 2 && code == EXIT_FINE; pass++) {
    for (int i = 0; i < args->override_count && code == EXIT_FINE; i++) {
      const sb_override *set = &args->overrides[i];
      code = check_parameter(set);
      if (code == EXIT_FINE && by_law(set->id) == (pass == 1)) {
        code = set_parameter(set, law);
      }
    }
    sb_contact_law exponents = *law;
    exponents.restitution = law->normal->restitution != NULL ? 1 : NAN;
    if (pass == 0 && code == EXIT_FINE && (code = complete(&exponents)) == EXIT_FINE) {
      law->exponent = exponents.exponent;
      law->damping_exponent = exponents.damping_exponent;
    }
  }
  if (code == EXIT_FINE && args->restitution != NULL && law->normal->restitution != NULL) {
    code = value_parse(name, "--restitution", args->restitution, &number, &law->restitution, 1,
                       &count);
  }
  if (code == EXIT_FINE && law->stiffness == 0 && law->damping_exponent == law->exponent &&
      law->damping == 0) {
    law->stiffness = 1; // f = k z^n (1 + a zd): any does
  }
  return code == EXIT_FINE ? complete(law) : code;
}

/** A mass, or a speed. */
static int read_positive(const char *option, const char *text, const char *unit, double *value) {
  sb_dimension dimension;
  double scale;
  int count;
  (void)sb_unit_parse(unit, strlen(unit), &dimension, &scale, NULL);
  int code = value_parse(name, option, text, &dimension, value, 1, &count);
  return code != EXIT_FINE || *value > 0
             ? code
             : complain_usage(NULL, "%s: %s '%s': must be positive", name, option, text);
}

/** The damping that gives the restitution wanted at the speed --at. */
static int find_damping(const arguments *args, restitution_table *table) {
  const sb_dimension number = {0};
  double e = 0, v = 0;
  int count;
  sb_error err = {0};
  if (args->restitution == NULL || table->law.normal->restitution != NULL) {
    return args->at == NULL ? EXIT_FINE
                            : complain_usage(NULL,
                                             "%s: --at is of the --restitution that a damping "
                                             "is to give",
                                             name);
  }
  if (args->at == NULL) {
    return complain_usage("--at '1 m/s'",
                          "%s: the restitution of the law '%s' changes with the "
                          "speed: --at is missing",
                          name, table->law.normal->name);
  }
  int code = value_parse(name, "--restitution", args->restitution, &number, &e, 1, &count);
  code = code == EXIT_FINE ? read_positive("--at", args->at, "m/s", &v) : code;
  if (code != EXIT_FINE) {
    return code;
  }
  table->law.damping_factor = 0;
  return sb_impact_damping_for(&table->law, table->mass, v, e, &table->law.damping, &err) == SB_OK
             ? EXIT_FINE
             : complain_once(&err, false);
}

static int compute(restitution_table *table, const double speeds[], int count) {
  sb_error err = {0};
  table->rows = calloc((size_t)count + 1, sizeof *table->rows);
  if (table->rows == NULL) {
    (void)sb_fail(&err, SB_ERR_MEMORY, "out of memory");
    return complain_once(&err, false);
  }
  for (int i = 0; i < count; i++) {
    restitution_row *row = &table->rows[table->count++];
    row->speed = speeds[i];
    row->damping = sb_impact_damping_of(&table->law, speeds[i]);
    row->group = sb_impact_group(&table->law, table->mass, speeds[i]);
    if (sb_impact_restitution_of(&table->law, row->group, &row->restitution, &err) != SB_OK) {
      return complain_once(&err, false);
    }
  }
  return EXIT_FINE;
}

static void print_table(const void *context, FILE *out) {
  const restitution_table *table = context;
  char unit[SB_CONTACT_LAW_UNIT_SIZE];
  sb_contact_law_unit(&table->law, "damping", unit, sizeof unit);
  (void)fprintf(out, "v [m/s],b [%s],G,e\r\n", unit);
  for (int i = 0; i < table->count; i++) {
    const restitution_row *row = &table->rows[i];
    const double values[] = {row->speed, row->damping, row->group, row->restitution};
    for (int k = 0; k < 4; k++) {
      char text[SB_NUMBER_SIZE];
      (void)sb_number_format(values[k], text, sizeof text);
      (void)fprintf(out, "%s%s", text, k < 3 ? "," : "\r\n");
    }
  }
}

static int write_out(const arguments *args, const restitution_table *table) {
  void (*const fill)(const void *, FILE *) = args->svg ? restitution_plot : print_table;
  sb_error err = {0};
  if (args->folder == NULL) {
    fill(table, stdout);
    return EXIT_FINE;
  }
  return sb_file_replaceable(args->folder, &err) == SB_OK &&
                 sb_whole_file(args->folder, fill, table, &err) == SB_OK
             ? EXIT_FINE
             : complain_once(&err, false);
}

static int read_table(const arguments *args, restitution_table *table) {
  int code = find_law(args, &table->law);
  code = code == EXIT_FINE ? read_parameters(args, &table->law) : code;
  if (code == EXIT_FINE && !(table->law.stiffness > 0)) {
    char unit[SB_CONTACT_LAW_UNIT_SIZE], hint[2 * SB_CONTACT_LAW_UNIT_SIZE];
    sb_contact_law_unit(&table->law, "stiffness", unit, sizeof unit);
    (void)snprintf(hint, sizeof hint, "--set stiffness='1e6 %s'", unit);
    code =
        complain_usage(hint, "%s: the law '%s' needs a stiffness", name, table->law.normal->name);
  }
  if (code == EXIT_FINE && args->mass == NULL) {
    code = complain_usage("--mass '66 g'", "%s: --mass is missing", name);
  }
  code = code == EXIT_FINE ? read_positive("--mass", args->mass, "kg", &table->mass) : code;
  return code == EXIT_FINE ? find_damping(args, table) : code;
}

int restitution_of_law(const arguments *args) {
  restitution_table table = {0};
  double *speeds = NULL;
  int count = 0;
  value_axis axis = {
      .command = name, .option = "--speeds", .example = "1 cm/s:5 m/s:50", .least = 1e-300};
  double scale;
  (void)sb_unit_parse("m/s", 3, &axis.dimension, &scale, NULL);
  int code = read_table(args, &table);
  code = code == EXIT_FINE ? value_axis_parse(&axis, args->speeds, args->sweep, &speeds, &count)
                           : code;
  if (code == EXIT_FINE && count == 0) {
    code = complain_usage("--speeds '0.1 1 m/s' or --sweep '1 cm/s:5 m/s:50'",
                          "%s: the speeds are missing", name);
  }
  code = code == EXIT_FINE ? compute(&table, speeds, count) : code;
  code = code == EXIT_FINE ? write_out(args, &table) : code;
  free(speeds);
  free(table.rows);
  return code;
}
