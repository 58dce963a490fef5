// SPDX-License-Identifier: GPL-3.0-or-later
// The law of screwbond restitution, by the options --law and --set.
#include <math.h>
#include <string.h>

#include "command.h"
#include "contact/expressed.h"
#include "netlist/value/expression.h"
#include "netlist/value/value.h"
#include "restitution.h"
#include "values.h"

static const char *const name = "restitution";

static int find_law(const arguments *args, sb_contact_law *law) {
  *law = sb_contact_law_defaults();
  if (args->law == NULL) {
    return complain_usage("screwbond list laws", "%s: --law is missing", name);
  }
  law->normal = sb_normal_law_find(args->law);
  if (law->normal == NULL) {
    sb_suggestion laws = sb_suggestion_start(args->law);
    sb_suggestion_offer_rows(&laws, sb_normal_laws, sizeof *sb_normal_laws);
    return complain_unknown("law", &laws, "screwbond list laws");
  }
  return law->normal->rigid
             ? complain_usage(NULL, "%s: the law '%s' has no force that depends on a depth", name,
                              args->law)
             : EXIT_FINE;
}

static bool by_law(const char *parameter) {
  return strcmp(parameter, "stiffness") == 0 || strcmp(parameter, "damping") == 0 ||
         strcmp(parameter, "damping-factor") == 0;
}

/** An expression of the variables of its row, in its unit. */
static int set_expression(const sb_override *set, const sb_param *row, sb_contact_law *law) {
  sb_value_variable variables[SB_EXPRESSION_VARIABLES_MAX];
  sb_dimension dimension, wanted;
  sb_expression *expression;
  sb_error err = {0};
  double scale;
  int count = 0;
  for (const sb_argument *a = row->arguments; a->name != NULL; a++, count++) {
    variables[count] = (sb_value_variable){.name = a->name};
    (void)sb_unit_parse(a->unit, strlen(a->unit), &variables[count].dimension, &scale, NULL);
  }
  if (sb_value_compile(set->value, 0, strlen(set->value), NULL, variables, count, &expression,
                       &dimension, &err) != SB_OK) {
    return complain_usage(err.hint, "%s: --set %s='%.200s': %s", name, set->id, set->value,
                          err.text);
  }
  (void)sb_unit_parse(row->unit, strlen(row->unit), &wanted, &scale, NULL);
  if (!sb_dimension_fits(&dimension, &wanted)) {
    char text[SB_DIMENSION_SIZE];
    (void)sb_unit_describe(&dimension, text, sizeof text);
    sb_expression_destroy(expression);
    return complain_usage("a number with a unit is written 50[N/m]",
                          "%s: --set %s='%.200s': it is in %s, expected is %s", name, set->id,
                          set->value, text[0] == '\0' ? "no unit" : text, row->unit);
  }
  sb_param_take(row, law, expression);
  return EXIT_FINE;
}

/** One parameter, in a unit of its own or, where that depends on the exponents, of the law. */
static int set_parameter(const sb_override *set, sb_contact_law *law) {
  const sb_param *row = sb_param_find(sb_contact_law_params, set->id);
  char unit[SB_CONTACT_LAW_UNIT_SIZE] = "", option[80];
  sb_dimension dimension = {0};
  double value = 0, scale;
  int count;
  if (row->kind == SB_PARAM_EXPRESSION) {
    return set_expression(set, row, law);
  }
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

static bool is_among(const char *word, const char *const words[]) {
  while (*words != NULL && strcmp(*words, word) != 0) {
    words++;
  }
  return *words != NULL;
}

/** Of the parameters those that an impact depends on. */
static int check_parameter(const sb_override *set, const sb_contact_law *law) {
  static const char *const powers[] = {"stiffness",        "damping",       "damping-factor",
                                       "exponent",         "restitution",   "least-speed",
                                       "damping-exponent", "rate-exponent", NULL};
  static const char *const energies[] = {"energy", "damping", "damping-force", NULL};
  const bool by_energy = sb_contact_law_by_energy(law);
  const bool forced = law->normal->potential && strcmp(set->id, "damping-force") == 0;
  if (is_among(set->id, by_energy ? energies : powers) && !forced) {
    return EXIT_FINE;
  }
  sb_suggestion rows = sb_suggestion_start(set->id);
  sb_suggestion_offer_rows(&rows, by_energy ? energies : powers, sizeof *energies);
  return forced || is_among(set->id, by_energy ? powers : energies)
             ? complain_usage(NULL, "%s: %s is without effect with the law '%s'", name, set->id,
                              law->normal->name)
             : complain_unknown("parameter", &rows,
                                by_energy ? "energy, damping, ..."
                                          : "stiffness, damping, exponent, ...");
}

static int complete(sb_contact_law *law) {
  sb_error err = {0};
  sb_status status = sb_contact_law_complete(law, NULL, &err);
  if (status == SB_OK && law->normal->potential) {
    status = law->potential.energy == NULL
                 ? sb_fail(&err, SB_ERR_MISSING, "energy is missing: the law '%s' needs it",
                           law->normal->name)
                 : sb_potential_check(&law->potential, law->normal->name, &err);
  } else if (status == SB_OK && law->normal->expressed) {
    status = sb_expressed_check(law, NULL, &err);
  }
  return status == SB_OK ? EXIT_FINE : complain_usage(err.hint, "%s: %s", name, err.text);
}

/** Exponents first, as the other units follow from them. */
static int read_parameters(const arguments *args, sb_contact_law *law) {
  int code = EXIT_FINE, count;
  const sb_dimension number = {0};
  for (int pass = 0; pass < 2 && code == EXIT_FINE; pass++) {
    for (int i = 0; i < args->override_count && code == EXIT_FINE; i++) {
      const sb_override *set = &args->overrides[i];
      code = check_parameter(set, law);
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
  if (code == EXIT_FINE && law->stiffness == 0 && !sb_contact_law_by_energy(law) &&
      law->damping_exponent == law->exponent && law->damping == 0) {
    law->stiffness = 1; // f = k z^n (1 + a zd): any does
  }
  return code == EXIT_FINE ? complete(law) : code;
}

int restitution_read_law(const arguments *args, sb_contact_law *law) {
  int code = find_law(args, law);
  code = code == EXIT_FINE ? read_parameters(args, law) : code;
  if (code == EXIT_FINE && !sb_contact_law_by_energy(law) && !(law->stiffness > 0)) {
    char unit[SB_CONTACT_LAW_UNIT_SIZE], hint[2 * SB_CONTACT_LAW_UNIT_SIZE];
    sb_contact_law_unit(law, "stiffness", unit, sizeof unit);
    (void)snprintf(hint, sizeof hint, "--set stiffness='1e6 %s'", unit);
    code = complain_usage(hint, "%s: the law '%s' needs a stiffness", name, law->normal->name);
  }
  return code;
}
