// SPDX-License-Identifier: GPL-3.0-or-later
// Materials: stiffnesses, moduli, or a kind of the library. The unit of a normal stiffness, N/m^n with the exponent
// n of the law, can only be checked where a material meets a law.
#include "netlist/build/laws_private.h"

#include "contact/materials.h"
#include "netlist/build/values_private.h"
#include "netlist/build/words_private.h"
#include "netlist/language/values.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

/** The moduli of the library, where the material states none of its own. */
static bool take_kind(const sb_reader *reader, const sb_item *item, sb_material *m) {
  const sb_setting *setting = sb_item_text(reader, item, "kind");
  if (setting == NULL) {
    return true;
  }
  const sb_material_kind *kind = sb_material_kind_find(setting->value);
  if (kind != NULL) {
    m->youngs_modulus = kind->youngs_modulus;
    m->poisson_ratio = kind->poisson_ratio;
    return true;
  }
  sb_error err;
  sb_suggestion suggestion = sb_suggestion_start(setting->value);
  sb_suggestion_offer_rows(&suggestion, sb_material_kinds, sizeof *sb_material_kinds);
  (void)sb_fail(&err, SB_ERR_CHOICE, "there is no material '%.80s' in the library", setting->value);
  sb_hint_suggestion(&suggestion, &err);
  sb_report_value(reader, setting, &err);
  return false;
}

/** A material has stiffnesses, or moduli, or both. */
static bool check_material(const sb_reader *reader, const sb_item *item, const sb_material *m) {
  const bool kind = sb_item_text(reader, item, "kind") != NULL;
  const sb_setting *modulus = sb_item_text(reader, item, "youngs-modulus");
  const sb_setting *ratio = sb_item_text(reader, item, "poisson-ratio");
  sb_error err = {0};
  if (!kind && modulus == NULL && sb_item_text(reader, item, "stiffness") == NULL) {
    (void)sb_fail(&err, SB_ERR_MISSING,
                  "a material needs a stiffness, or youngs-modulus and poisson-ratio");
    sb_error_hint(&err, "or kind=\"steel\": screwbond list materials");
    sb_report_item(reader, item, &err);
  } else if (!kind && (modulus == NULL) != (ratio == NULL)) {
    (void)sb_fail(&err, SB_ERR_MISSING, "youngs-modulus and poisson-ratio go together");
    sb_report_item(reader, item, &err);
  } else if (sb_material_check(m, &err) != SB_OK) {
    sb_report_item(reader, item, &err);
  }
  return err.status == SB_OK;
}

static void read_material(const sb_build *build, const sb_item *item, sb_material_entry *entry) {
  sb_reader *reader = build->reader;
  sb_material_values values = {0};
  *entry = (sb_material_entry){.item = (int)(item - reader->tree.items)};
  bool read = take_kind(reader, item, &values.material);
  read = sb_read_values(build, item, sb_material_table, NULL, &values) && read;
  values.material.normal_stiffness = values.normal_stiffness;
  entry->good = read && check_material(reader, item, &values.material);
  entry->stiffness = sb_item_text(reader, item, "stiffness");
  entry->normal = sb_item_text(reader, item, "normal-stiffness");
  entry->normal_dimension =
      sb_written_dimension(reader, entry->normal != NULL ? entry->normal : entry->stiffness);
  entry->material = values.material;
}

const sb_material_entry *sb_build_materials(const sb_build *build) {
  sb_material_entry *entries = sb_new_list(build->reader, "material", sizeof *entries);
  const sb_item *item = NULL;
  int count = 0;
  while (entries != NULL && (item = sb_next_item(build->reader, item, "material")) != NULL) {
    read_material(build, item, &entries[count]);
    sb_made_of(build, item)->entry = count++;
  }
  return entries;
}
