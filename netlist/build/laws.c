// SPDX-License-Identifier: GPL-3.0-or-later
// Contact laws. The units of stiffness and damping depend on the exponents.
#include "netlist/build/laws_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "contact/expressed.h"
#include "netlist/build/values_private.h"
#include "netlist/build/words_private.h"
#include "netlist/language/values.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/numbers.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

static const sb_normal_law *find_normal(const sb_reader *reader, const sb_setting *setting) {
  const sb_normal_law *normal = sb_normal_law_find(setting->value);
  if (normal == NULL) {
    sb_report_choice(reader, setting, "normal law", sb_normal_laws, sizeof *sb_normal_laws);
  }
  return normal;
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
  const bool has_unit = sb_law_dimension(law, name, &wanted); // no unit has some exponents
  row.unit = has_unit ? unit : "@";
  if (!has_unit && !dimension.any) {
    sb_error err;
    (void)sb_unit_describe(&dimension, written, sizeof written);
    (void)sb_fail(&err, SB_ERR_DIMENSION,
                  "the %s of the law '%s' is in %s, and needs %s, which no unit has", name,
                  law->normal->name, written, unit);
    sb_error_hint(&err, "a number without a unit is taken in %s", unit);
    sb_report_value(reader, setting, &err);
    return false;
  }
  if (has_unit && !sb_dimension_fits(&dimension, &wanted)) {
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

/** Under which laws attributes have an effect, where not under all: those by an energy, and whose it is if the others
 *  do not have it. */
static const struct {
  const char *name;
  bool potential, expressed;
  const char *whose;
} effects[] = {{"energy", true, true, "\"potential\" or \"expression\""},
               {"axis", true, false, "\"potential\""},
               {"damping-force", false, true, "\"expression\""},
               {"impact", false, false, "\"rigid\""},
               {"impacts", false, false, "\"rigid\""},
               {"stiffness-from", true, true, NULL},
               {"least-speed", true, true, NULL},
               {"clamp", false, true, NULL},
               {"recovery", false, true, NULL},
               {"tangential", false, true, NULL},
               {"rolling-friction", true, true, NULL},
               {"rolling-viscous", true, true, NULL},
               {"spin-friction", true, true, NULL},
               {"spin-viscous", true, true, NULL},
               {"turning-speed", true, true, NULL},
               {"turning-stiffness", true, true, NULL},
               {"turning-damping", true, true, NULL},
               {"exponent", false, false, NULL},
               {"damping", false, false, NULL},
               {"damping-factor", false, false, NULL},
               {"stiffness", false, false, NULL},
               {"stiffness-at", false, false, NULL}};

/** Those that a rigid contact has. */
static bool rigid_has(const char *name) {
  return strcmp(name, "impact") == 0 || strcmp(name, "impacts") == 0;
}

/** What would be without effect, or belongs to the laws by an energy. */
static bool check_effects(const sb_reader *reader, const sb_item *item, const sb_contact_law *law) {
  const bool potential = law->normal->potential, expressed = law->normal->expressed,
             rigid = law->normal->rigid;
  bool good = true;
  for (size_t i = 0; i < sizeof effects / sizeof *effects; i++) {
    const sb_setting *setting =
        sb_item_value(reader, item, sb_param_find(sb_contact_law_params, effects[i].name));
    const bool has = rigid       ? rigid_has(effects[i].name)
                     : potential ? effects[i].potential
                     : expressed ? effects[i].expressed
                                 : effects[i].whose == NULL;
    sb_error err;
    if (setting == NULL || has) {
      continue;
    }
    if (potential || expressed || rigid) {
      (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "%s is without effect with normal=\"%s\"",
                    effects[i].name, law->normal->name);
    } else {
      (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "%s is without effect unless normal=%s",
                    effects[i].name, effects[i].whose);
    }
    sb_report_value(reader, setting, &err);
    good = false;
  }
  return good;
}

/** The energy of a law by one, where its expressions could be read. */
static bool check_energy(const sb_reader *reader, const sb_item *item, const sb_contact_law *law,
                         bool read) {
  const sb_setting *energy =
      sb_item_value(reader, item, sb_param_find(sb_contact_law_params, "energy"));
  const char *about = "energy";
  sb_error err = {0};
  if (!sb_contact_law_by_energy(law)) {
    return true;
  }
  if (energy == NULL) {
    (void)sb_fail(&err, SB_ERR_MISSING, "energy is missing: normal=\"%s\" needs it",
                  law->normal->name);
    sb_report_item(reader, item, &err);
  } else if (read &&
             (law->normal->potential ? sb_potential_check(&law->potential, law->normal->name, &err)
                                     : sb_expressed_check(law, &about, &err)) != SB_OK) {
    about = err.param != NULL ? err.param : about;
    sb_report_value(reader,
                    sb_item_value(reader, item, sb_param_find(sb_contact_law_params, about)), &err);
  } else if (read && sb_contact_law_check_radius(law, &err) != SB_OK) {
    sb_report_item(reader, item, &err);
  }
  return err.status == SB_OK;
}

static const sb_setting *setting_of(const sb_reader *reader, const sb_item *item,
                                    const char *name) {
  return sb_item_value(reader, item, sb_param_find(sb_contact_law_params, name));
}

/** Its dry part is by the rate, below a speed, or by springs. */
static void check_turning_effects(const sb_reader *reader, const sb_item *item,
                                  const sb_contact_law *law, const char **about, sb_error *err) {
  static const char *const names[] = {"turning-speed", "turning-stiffness", "turning-damping"};
  const bool dry = law->turning.rolling_friction != 0 || law->turning.spin_friction != 0;
  const bool springs = setting_of(reader, item, "turning-stiffness") != NULL;
  for (int i = 0; i < 3; i++) {
    *about = names[i];
    if (setting_of(reader, item, names[i]) == NULL) {
      continue;
    }
    if (!dry) {
      (void)sb_fail(err, SB_ERR_ATTRIBUTE,
                    "%s is without effect without rolling-friction or spin-friction", names[i]);
      return;
    }
    if (i != 1 && springs == (i == 0)) {
      (void)sb_fail(err, SB_ERR_ATTRIBUTE, "%s is without effect %s turning-stiffness", names[i],
                    springs ? "with" : "without");
      return;
    }
  }
}

/** The resistance to rolling and spinning. */
static bool check_turning(const sb_reader *reader, const sb_item *item, const sb_contact_law *law) {
  const char *about = NULL;
  sb_error err = {0};
  check_turning_effects(reader, item, law, &about, &err);
  if (err.status == SB_OK &&
      sb_turning_check(&law->turning, law->normal->name, &about, &err) == SB_OK) {
    return true;
  }
  sb_report_value(reader, setting_of(reader, item, about), &err);
  return false;
}

/** The law that an attribute belongs to, by its name: that of friction where it takes it. */
static void name_subject(const sb_reader *reader, const sb_item *item, const char *name,
                         const sb_normal_law *normal, sb_subject *subject) {
  const sb_setting *friction = sb_item_text(reader, item, "friction");
  const sb_friction_row *row = friction == NULL ? NULL : sb_friction_row_find(friction->value);
  const bool rubs =
      row != NULL && (sb_is_among(row->needs, name) || sb_is_among(row->optional, name));
  subject->name = rubs || normal != NULL ? name : NULL;
  (void)snprintf(subject->owner, sizeof subject->owner, rubs ? "friction '%.60s'" : "law '%.60s'",
                 rubs             ? row->name
                 : normal == NULL ? ""
                                  : normal->name);
}

/** The parameters whose units are those of their rows. */
static bool read_plain_rows(const sb_build *build, const sb_item *item, const sb_normal_law *normal,
                            sb_contact_law *law) {
  sb_reader *reader = build->reader;
  bool good = true;
  for (const sb_param *row = sb_contact_law_params; row->name != NULL; row++) {
    const sb_setting *setting = sb_item_value(reader, item, row);
    if (setting != NULL && !sb_is_among("damping damping-factor stiffness", row->name)) {
      name_subject(reader, item, row->name, normal, &reader->subject);
      good = sb_read_value(build, setting, row, law, NULL, NULL) && good;
    }
  }
  reader->subject.name = NULL;
  return good;
}

static bool read_law(const sb_build *build, const sb_item *item, sb_contact_law *law) {
  const sb_reader *reader = build->reader;
  *law = sb_contact_law_defaults();
  const sb_setting *normal = sb_item_text(reader, item, "normal");
  const sb_normal_law *found = normal == NULL ? NULL : find_normal(reader, normal);
  const bool read = read_plain_rows(build, item, found, law);
  law->normal = found != NULL ? found : law->normal;
  bool good = read && found != NULL && check_turning(reader, item, law);
  good = sb_read_friction(reader, item, good, law) && good;
  if (found != NULL) {
    const bool with_effect = check_effects(reader, item, law);
    good = (!good || !with_effect || read_rows_of_law(build, item, law)) && with_effect && good;
    good = check_energy(reader, item, law, read) && good;
  }
  return good;
}

/** Whether a contact of the law can have damping: of its own, or of a material. */
static bool may_damp(const sb_reader *reader, const sb_contact_law *law) {
  const sb_item *material = NULL;
  bool damps = law->normal->expressed ? law->damping_force != NULL : sb_contact_law_damps(law);
  while (!damps && (material = sb_next_item(reader, material, "material")) != NULL) {
    damps = !law->normal->expressed && sb_item_text(reader, material, "damping") != NULL;
  }
  return damps;
}

/** The force of a spring alone ends where the gap opens, and leaves nothing that recovers. */
static void warn_of_recovery(const sb_reader *reader, const sb_item *item,
                             const sb_contact_law *law) {
  if (law->recovers && !may_damp(reader, law)) {
    sb_error err;
    sb_warn(&err, SB_ERR_ATTRIBUTE,
            "recovery is without effect: the law has no damping%s, so that its force ends where "
            "the gap opens",
            law->normal->expressed ? "" : ", and no material has");
    sb_report_value(reader, setting_of(reader, item, "recovery"), &err);
  }
}

sb_law_entry *sb_build_laws(const sb_build *build) {
  sb_law_entry *entries = sb_new_list(build->reader, "contact-law", sizeof *entries);
  const sb_item *item = NULL;
  int count = 0;
  while (entries != NULL && (item = sb_next_item(build->reader, item, "contact-law")) != NULL) {
    entries[count].good = read_law(build, item, &entries[count].law);
    if (entries[count].good) {
      warn_of_recovery(build->reader, item, &entries[count].law);
    }
    sb_made_of(build, item)->entry = count++;
  }
  return entries;
}

void sb_finish_laws(const sb_build *build, sb_law_entry laws[]) {
  const sb_item *item = NULL;
  while (laws != NULL && (item = sb_next_item(build->reader, item, "contact-law")) != NULL) {
    sb_contact_law_finish(&laws[sb_made_of(build, item)->entry].law);
  }
}
