// SPDX-License-Identifier: GPL-3.0-or-later
// screwbond restitution: the coefficient of restitution of a normal law against the speed of impact.
#include "restitution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "contact/expressed.h"
#include "core/base/number.h"
#include "netlist/value/value.h"
#include "report/whole_file.h"
#include "values.h"

static const char *const name = "restitution";

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
                                             "%s: --at is without effect: it is the speed at "
                                             "which a damping is to give the --restitution",
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
  double *found = table->law.damping_force != NULL ? &table->factor : &table->law.damping;
  return sb_impact_damping_for(&table->law, table->mass, v, e, found, &err) == SB_OK
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
    row->group = sb_impact_by_group(&table->law)
                     ? sb_impact_group(&table->law, table->mass, speeds[i])
                     : table->factor;
    if (sb_impact_restitution_at(&table->law, table->mass, speeds[i], table->factor,
                                 &row->restitution, &err) != SB_OK) {
      return complain_once(&err, false);
    }
  }
  return EXIT_FINE;
}

static void print_table(const void *context, FILE *out) {
  const restitution_table *table = context;
  char unit[SB_CONTACT_LAW_UNIT_SIZE];
  sb_contact_law_unit(&table->law, "damping", unit, sizeof unit);
  (void)fprintf(out, "v [m/s],b [%s],%s,e\r\n", unit,
                sb_impact_by_group(&table->law) ? "G" : "factor");
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
  int code = restitution_read_law(args, &table->law);
  if (code == EXIT_FINE && args->mass == NULL) {
    code = complain_usage("--mass '66 g'", "%s: --mass is missing", name);
  }
  code = code == EXIT_FINE ? read_positive("--mass", args->mass, "kg", &table->mass) : code;
  return code == EXIT_FINE ? find_damping(args, table) : code;
}

int restitution_of_law(const arguments *args) {
  restitution_table table = {.factor = 1};
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
  sb_contact_law_finish(&table.law);
  return code;
}
