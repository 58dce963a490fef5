// SPDX-License-Identifier: GPL-3.0-or-later
// Contact laws. The units of stiffness and damping depend on the exponents.
#include "netlist/build/laws_private.h"

#include <math.h>
#include <string.h>

#include "netlist/build/values_private.h"
#include "netlist/build/words_private.h"
#include "netlist/language/values.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/numbers.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

static const sb_normal_law *find_normal(const sb_reader *reader, const sb_setting *setting) {
  const char *names[32];
  int count = 0;
  const sb_normal_law *normal = sb_normal_law_find(setting->value);
  if (normal != NULL) {
    return normal;
  }
  for (normal = sb_normal_laws; normal->name != NULL && count < 32; normal++) {
    names[count++] = normal->name;
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_CHOICE, "there is no normal law '%.80s'", setting->value);
  sb_hint_word(setting->value, names, count, &err);
  sb_report_value(reader, setting, &err);
  return NULL;
}

static bool read_row_of_law(const sb_build *build, const sb_item *item, const char *name,
                            sb_contact_law *law) {
  const sb_reader *reader = build->reader;
  const sb_param *found = sb_param_find(sb_contact_law_params, name);
  const sb_setting *setting = sb_item_value(reader, item, found);
  sb_param row = *found;
  char unit[SB_CONTACT_LAW_UNIT_SIZE], written[SB_DIMENSION_SIZE];
  sb_dimension dimension, wanted;
  if (setting == NULL) {
    return true;
  }
  sb_contact_law_unit(law, name, unit, sizeof unit);
  dimension = sb_written_dimension(build->reader, setting);
  row.unit = unit;
  if (!sb_law_dimension(law, name, &wanted)) {
    row.unit = "@"; // an exponent that no unit has
  } else if (!sb_dimension_fits(&dimension, &wanted)) {
    sb_error err;
    (void)sb_read_unit(build->reader, setting, &wanted, NULL, &err);
    const int column = err.column; // of the unit
    (void)sb_unit_describe(&dimension, written, sizeof written);
    (void)sb_fail(&err, SB_ERR_DIMENSION, "the %s of the law '%s' needs the unit %s, and is in %s",
                  name, law->normal->name, unit, written);
    err.column = column;
    sb_report_value(reader, setting, &err);
    return false;
  }
  return sb_read_value(build, setting, &row, law, NULL, NULL);
}

/** What the row of the law gives; its refusals are placed at the parameter that they are about. */
static bool complete(const sb_build *build, const sb_item *item, sb_contact_law *law) {
  const sb_reader *reader = build->reader;
  const char *about;
  sb_error err;
  if (sb_contact_law_complete(law, &about, &err) == SB_OK) {
    return true;
  }
  const sb_setting *setting =
      about != NULL ? sb_item_value(reader, item, sb_param_find(sb_contact_law_params, about))
                    : NULL;
  if (setting != NULL) {
    sb_report_value(reader, setting, &err);
  } else {
    sb_report_item(reader, item, &err);
  }
  return false;
}

/** The parameters whose units depend on the exponents, which come first. */
static bool read_rows_of_law(const sb_build *build, const sb_item *item, sb_contact_law *law) {
  static const char *const names[] = {"stiffness", "damping", "damping-factor"};
  sb_contact_law exponents = *law;
  exponents.restitution = law->normal->restitution != NULL ? 1 : NAN;
  if (!complete(build, item, &exponents)) {
    return false;
  }
  law->exponent = exponents.exponent;
  law->damping_exponent = exponents.damping_exponent;
  bool good = true;
  for (int i = 0; i < 3; i++) {
    good = read_row_of_law(build, item, names[i], law) && good;
  }
  return good && complete(build, item, law);
}

/** A potential needs its energy and tells all loads; without one its attributes would be without effect. */
static bool check_potential(const sb_reader *reader, const sb_item *item,
                            const sb_contact_law *law) {
  static const char *const names[] = {"energy",    "axis",  "exponent",   "damping-factor",
                                      "stiffness", "clamp", "tangential", "stiffness-at"};
  enum { OWN = 2, NAMES = sizeof names / sizeof *names };
  const bool potential = law->normal->potential;
  const sb_setting *energy = NULL;
  bool good = true;
  sb_error err;
  for (int i = 0; i < NAMES; i++) {
    const sb_setting *setting =
        sb_item_value(reader, item, sb_param_find(sb_contact_law_params, names[i]));
    energy = i == 0 ? setting : energy;
    if (setting != NULL && potential != (i < OWN)) {
      (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "%s is without effect %s normal=\"potential\"",
                    names[i], potential ? "with" : "unless");
      sb_report_value(reader, setting, &err);
      good = false;
    }
  }
  if (potential && law->slips) {
    (void)sb_fail(&err, SB_ERR_NOT_YET,
                  "friction of normal=\"potential\" is not supported in this version");
    sb_report_value(reader, sb_item_text(reader, item, "friction"), &err);
    good = false;
  }
  if (potential && energy == NULL) {
    (void)sb_fail(&err, SB_ERR_MISSING, "energy is missing: normal=\"potential\" needs it");
    sb_report_item(reader, item, &err);
  } else if (potential && law->potential.energy != NULL &&
             sb_potential_check(&law->potential, &err) != SB_OK) {
    sb_report_value(reader, energy, &err);
  } else {
    return good;
  }
  return false;
}

static bool read_law(const sb_build *build, const sb_item *item, sb_contact_law *law) {
  const sb_reader *reader = build->reader;
  *law = sb_contact_law_defaults();
  const sb_setting *normal = sb_item_text(reader, item, "normal");
  const sb_normal_law *found = normal == NULL ? NULL : find_normal(reader, normal);
  bool good =
      sb_read_values(build, item, sb_contact_law_params, "damping damping-factor stiffness", law) &&
      found != NULL;
  good = sb_read_friction(reader, item, good, law) && good;
  if (found != NULL) {
    law->normal = found;
    good = (!good || read_rows_of_law(build, item, law)) && good;
    good = check_potential(reader, item, law) && good;
  }
  return good;
}

sb_law_entry *sb_build_laws(const sb_build *build) {
  sb_law_entry *entries = sb_new_list(build->reader, "contact-law", sizeof *entries);
  const sb_item *item = NULL;
  int count = 0;
  while (entries != NULL && (item = sb_next_item(build->reader, item, "contact-law")) != NULL) {
    entries[count].good = read_law(build, item, &entries[count].law);
    sb_made_of(build, item)->entry = count++;
  }
  return entries;
}

void sb_finish_laws(const sb_build *build, sb_law_entry laws[]) {
  const sb_item *item = NULL;
  while (laws != NULL && (item = sb_next_item(build->reader, item, "contact-law")) != NULL) {
    sb_expression_destroy(laws[sb_made_of(build, item)->entry].law.potential.energy);
  }
}
