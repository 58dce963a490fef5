// SPDX-License-Identifier: GPL-3.0-or-later
// Materials and contact laws. Their units depend on the law's exponent n: a normal stiffness is in
// N/m^n, so it can only be checked where a material meets a law.
#include <math.h>
#include <string.h>

#include "core/array_private.h"
#include "netlist/build/build.h"
#include "netlist/language/values.h"

bool sb_stiffness_dimension(double exponent, sb_dimension *dimension) {
  const sb_dimension metre = {.exponent = {SB_DIMENSION_PART}};
  double parts = round(exponent * SB_DIMENSION_PART), scale;
  return fabs(parts - exponent * SB_DIMENSION_PART) < 1e-6 && fabs(exponent) < 10 &&
         sb_unit_parse("N", 1, dimension, &scale, NULL) == SB_OK &&
         sb_dimension_multiply(dimension, &metre, -(int)parts, SB_DIMENSION_PART);
}

/** Whether the numbers of a setting have a unit, and which. */
static sb_dimension written_dimension(sb_reader *reader, const sb_setting *setting) {
  sb_dimension dimension = {.any = true};
  double values[3];
  int count;
  if (setting == NULL) {
    return dimension;
  }
  sb_value_scope scope = sb_reader_scope(reader, setting);
  if (sb_value_parse(setting->value, NULL, &scope, values, 3, &count, &dimension, NULL) != SB_OK) {
    dimension.any = true;
  }
  return dimension;
}

static void read_material(sb_reader *reader, const sb_item *item, sb_material_entry *entry) {
  sb_material_values values = {0};
  *entry = (sb_material_entry){.item = (int)(item - reader->items)};
  entry->good = sb_read_values(reader, item, sb_material_table, NULL, &values);
  entry->stiffness = sb_item_text(reader, item, "stiffness");
  entry->normal = sb_item_text(reader, item, "normal-stiffness");
  entry->normal_dimension =
      written_dimension(reader, entry->normal != NULL ? entry->normal : entry->stiffness);
  if (entry->normal != NULL) {
    values.material.stiffness[2] = values.normal_stiffness;
  }
  entry->material = values.material;
}

void sb_build_materials(sb_reader *reader) {
  sb_item *item = NULL;
  while ((item = sb_next_item(reader, item, "material")) != NULL) {
    if (!sb_grow(&reader->materials, &reader->material_capacity, reader->material_count + 1,
                 sizeof(sb_material_entry))) {
      sb_report_memory(reader);
      return;
    }
    read_material(reader, item, &reader->materials[reader->material_count]);
    item->part = reader->material_count++;
  }
}

static const sb_normal_law *find_normal(sb_reader *reader, const sb_setting *setting) {
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

/** A law with an exponent of its own takes no other. */
static bool check_exponent(sb_reader *reader, const sb_item *item, sb_contact_law *law) {
  double fixed = law->normal->fixed_exponent;
  const sb_setting *setting = sb_item_text(reader, item, "exponent");
  if (fixed == 0) {
    return true;
  }
  if (setting != NULL && fabs(law->exponent - fixed) > 1e-12) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_RANGE, "the law '%s' has the exponent %s", law->normal->name,
                  sb_number_word(fixed).text);
    sb_report_value(reader, setting, &err);
    return false;
  }
  law->exponent = fixed;
  return true;
}

/** The units that hang on the law. With a damping that goes with d^m, B = damping-factor K d^m is
 *  in N.s/m where K is in N/m^n, so the factor is in s m^(n - m - 1). */
static bool read_lawful(sb_reader *reader, const sb_item *item, const char *name, bool factor,
                        sb_contact_law *law) {
  sb_param row = *sb_param_find(sb_contact_law_params, name);
  const sb_setting *setting =
      sb_item_value(reader, item, sb_param_find(sb_contact_law_params, name));
  double m = log2(law->normal->damping(law, 2) / law->normal->damping(law, 1));
  const sb_dimension second = {.exponent = {0, 0, SB_DIMENSION_PART}};
  const sb_dimension metre = {.exponent = {SB_DIMENSION_PART}};
  sb_dimension dimension = second;
  char unit[SB_DIMENSION_SIZE];
  bool known = factor
                   ? sb_dimension_multiply(&dimension, &metre,
                                           (int)lround((law->exponent - m - 1) * SB_DIMENSION_PART),
                                           SB_DIMENSION_PART)
                   : sb_stiffness_dimension(law->exponent, &dimension);
  (void)sb_dimension_format(&dimension, unit, sizeof unit);
  row.unit = known ? unit : "@";
  return setting == NULL || sb_read_value(reader, setting, &row, law, NULL);
}

static bool read_law(sb_reader *reader, const sb_item *item, sb_contact_law *law) {
  *law = sb_contact_law_defaults();
  const sb_setting *normal = sb_item_text(reader, item, "normal");
  const sb_setting *friction = sb_item_text(reader, item, "friction");
  const sb_normal_law *found = normal == NULL ? NULL : find_normal(reader, normal);
  bool good =
      sb_read_values(reader, item, sb_contact_law_params, "damping-factor stiffness", law) &&
      found != NULL;
  if (friction != NULL && strcmp(friction->value, "none") != 0) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_NOT_YET, "friction '%.80s' is not there yet", friction->value);
    sb_error_hint(&err, "friction=\"none\": tangential springs hold, and nothing slips");
    sb_report_value(reader, friction, &err);
    good = false;
  }
  if (found != NULL) {
    law->normal = found;
    bool known = check_exponent(reader, item, law);
    good = (!known || read_lawful(reader, item, "damping-factor", true, law)) && good;
    good = (!known || read_lawful(reader, item, "stiffness", false, law)) && good && known;
  }
  return good;
}

void sb_build_laws(sb_reader *reader) {
  sb_item *item = NULL;
  while ((item = sb_next_item(reader, item, "contact-law")) != NULL) {
    if (!sb_grow(&reader->laws, &reader->law_capacity, reader->law_count + 1,
                 sizeof(sb_law_entry))) {
      sb_report_memory(reader);
      return;
    }
    sb_law_entry *entry = &reader->laws[reader->law_count];
    *entry = (sb_law_entry){.item = (int)(item - reader->items)};
    entry->good = read_law(reader, item, &entry->law);
    item->part = reader->law_count++;
  }
}
