// SPDX-License-Identifier: GPL-3.0-or-later
// screwbond list: the names of a table, one a line, each with its help.
#include <stdio.h>
#include <string.h>

#include "columns.h"
#include "command.h"
#include "core/expression/expression.h"
#include "core/graph/domain.h"
#include "geometry/surface.h"
#include "netlist/value/unit.h"
#include "screwbond.h"

/** Row `i` of a table; false behind the last. */
typedef bool (*table_row)(int i, const char **name, const char **help);

static bool kind_row(int i, const char **name, const char **help) {
  if (sb_catalog[i] == NULL) {
    return false;
  }
  *name = sb_catalog[i]->name;
  *help = sb_catalog[i]->help;
  return true;
}

static bool method_row(int i, const char **name, const char **help) {
  *name = sb_methods[i].name;
  *help = sb_methods[i].help;
  return *name != NULL;
}

static bool law_row(int i, const char **name, const char **help) {
  *name = sb_normal_laws[i].name;
  *help = sb_normal_laws[i].help;
  return *name != NULL;
}

static bool material_row(int i, const char **name, const char **help) {
  *name = sb_material_kinds[i].name;
  *help = sb_material_kinds[i].help;
  return *name != NULL;
}

static bool surface_row(int i, const char **name, const char **help) {
  if (sb_surface_types[i] == NULL) {
    return false;
  }
  *name = sb_surface_types[i]->name;
  *help = sb_surface_types[i]->help;
  return true;
}

static bool unit_row(int i, const char **name, const char **help) {
  *name = sb_units[i].name;
  *help = sb_units[i].help;
  return *name != NULL;
}

static bool joint_row(int i, const char **name, const char **help) {
  *name = sb_joints[i].name;
  *help = sb_joints[i].help;
  return *name != NULL;
}

static bool function_row(int i, const char **name, const char **help) {
  *name = sb_functions[i].name;
  *help = sb_functions[i].help;
  return *name != NULL;
}

static bool domain_row(int i, const char **name, const char **help) {
  *name = sb_domains[i].name;
  *help = sb_domains[i].help;
  return *name != NULL;
}

static const struct {
  const char *name;
  table_row row;
} tables[] = {{"kinds", kind_row},         {"methods", method_row},     {"joints", joint_row},
              {"laws", law_row},           {"materials", material_row}, {"surfaces", surface_row},
              {"functions", function_row}, {"domains", domain_row},     {"units", unit_row}};

const char *list_holding(const char *wanted) {
  for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
    const char *name, *help;
    for (int i = 0; tables[k].row(i, &name, &help); i++) {
      if (tables[k].row != unit_row && strcmp(name, wanted) == 0) {
        return tables[k].name;
      }
    }
  }
  return NULL;
}

int list_names(const arguments *args) {
  for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
    const char *name, *help;
    int width = 0;
    if (strcmp(tables[k].name, args->operand) != 0) {
      continue;
    }
    for (int i = 0; tables[k].row(i, &name, &help); i++) {
      width = column_widen(width, name);
    }
    for (int i = 0; tables[k].row(i, &name, &help); i++) {
      column_print(name, width);
      (void)puts(help);
    }
  }
  return EXIT_FINE;
}
