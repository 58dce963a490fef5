// SPDX-License-Identifier: GPL-3.0-or-later
// The friction of a contact law: springs that never slip (none), Coulomb's with springs that do, or a friction law
// of its own, and which parameters each of them takes.
#include <stdio.h>
#include <string.h>

#include "netlist/build/laws_private.h"
#include "netlist/build/words_private.h"
#include "netlist/reader/hints.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"

static const sb_friction_row none = {"none", "", SB_FRICTION_NONE, "", ""};
static const sb_friction_row coulomb = {"coulomb", "", SB_FRICTION_NONE, "mu",
                                        "mu-static v-stribeck friction-radius friction-damping"};
static const sb_friction_row stuck = {"stuck", "", SB_FRICTION_NONE, "", ""};
static const sb_friction_row rigid_coulomb = {"coulomb", "", SB_FRICTION_NONE, "mu", ""};

/** All parameters of frictions. */
static const char *const parameters[] = {
    "mu",     "mu-static",  "mu-kinetic", "friction-radius", "friction-damping", "sigma0", "sigma1",
    "sigma2", "v-stribeck", "tau-dwell",  "dwell-at-touch",  "as-printed",       NULL};

/** Those of a rigid contact. */
static const sb_friction_row *find_rigid_row(const sb_reader *reader, const sb_setting *setting) {
  const sb_friction_row *rows[] = {&none, &rigid_coulomb, &stuck};
  for (int i = 0; i < 3; i++) {
    if (strcmp(setting == NULL ? none.name : setting->value, rows[i]->name) == 0) {
      return rows[i];
    }
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_CHOICE, "normal=\"rigid\" has no friction '%.80s'", setting->value);
  sb_error_hint(&err, "it has none, coulomb and stuck");
  sb_report_value(reader, setting, &err);
  return NULL;
}

static const sb_friction_row *find_row(const sb_reader *reader, const sb_setting *setting) {
  if (setting == NULL || strcmp(setting->value, none.name) == 0) {
    return &none;
  }
  if (strcmp(setting->value, coulomb.name) == 0) {
    return &coulomb;
  }
  const sb_friction_row *found = sb_friction_row_find(setting->value);
  if (found != NULL) {
    return found;
  }
  sb_error err;
  sb_suggestion suggestion = sb_suggestion_start(setting->value);
  (void)sb_suggestion_offer(&suggestion, none.name);
  (void)sb_suggestion_offer(&suggestion, coulomb.name);
  sb_suggestion_offer_rows(&suggestion, sb_friction_rows, sizeof *sb_friction_rows);
  (void)sb_fail(&err, SB_ERR_CHOICE, "there is no friction '%.80s'", setting->value);
  sb_hint_suggestion(&suggestion, &err);
  sb_report_value(reader, setting, &err);
  return NULL;
}

static bool names_word(const char *words, const char *name) {
  sb_word word = {0};
  while (sb_next_word(words, &word)) {
    if (word.length == strlen(name) && strncmp(word.start, name, word.length) == 0) {
      return true;
    }
  }
  return false;
}

/** What it needs is there, and nothing that would be without effect. */
static bool check_parameters(const sb_reader *reader, const sb_item *item,
                             const sb_friction_row *row) {
  bool good = true;
  for (const char *const *name = parameters; *name != NULL; name++) {
    const sb_setting *setting =
        sb_item_value(reader, item, sb_param_find(sb_contact_law_params, *name));
    const bool needed = names_word(row->needs, *name);
    sb_error err;
    if (setting == NULL && needed) {
      (void)sb_fail(&err, SB_ERR_MISSING, "%s is missing: friction=\"%s\" needs it", *name,
                    row->name);
      sb_report_item(reader, item, &err);
      good = false;
    } else if (setting != NULL && !needed && !names_word(row->optional, *name)) {
      (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "%s is without effect with friction=\"%s\"", *name,
                    row->name);
      sb_report_value(reader, setting, &err);
      good = false;
    }
  }
  return good;
}

/** Numbers out of range, placed at the parameter. */
static bool check_numbers(const sb_reader *reader, const sb_item *item, const sb_contact_law *law) {
  const char *about = NULL;
  const bool peak =
      law->slips &&
      sb_item_value(reader, item, sb_param_find(sb_contact_law_params, "v-stribeck")) != NULL;
  sb_error err = {0};
  if (law->slips && law->mu_static != 0 && law->mu_static < law->mu) {
    about = "mu-static";
    (void)sb_fail(&err, SB_ERR_RANGE,
                  "the mu-static of the friction 'coulomb' must not be below mu: %s is below %s",
                  sb_number_word(law->mu_static).text, sb_number_word(law->mu).text);
  } else if (peak && !(law->friction.v_stribeck > 0)) {
    about = "v-stribeck";
    (void)sb_fail(&err, SB_ERR_RANGE,
                  "the v-stribeck of the friction 'coulomb' must be positive: it is %s m/s",
                  sb_number_word(law->friction.v_stribeck).text);
  } else if (peak && law->mu_static == 0) {
    about = "v-stribeck";
    (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "v-stribeck is without effect without mu-static");
  } else if (law->friction.kind == SB_FRICTION_NONE ||
             sb_friction_check(&law->friction, &about, &err) == SB_OK) {
    return true;
  }
  sb_report_value(reader, sb_item_value(reader, item, sb_param_find(sb_contact_law_params, about)),
                  &err);
  return false;
}

bool sb_read_friction(const sb_reader *reader, const sb_item *item, bool read,
                      sb_contact_law *law) {
  const sb_setting *setting = sb_item_text(reader, item, "friction");
  const sb_friction_row *row =
      law->normal->rigid ? find_rigid_row(reader, setting) : find_row(reader, setting);
  if (row == NULL) {
    return false;
  }
  law->slips = row == &coulomb || row == &rigid_coulomb;
  law->stuck = row == &stuck;
  law->friction.kind = row->kind;
  law->friction.mu_static = law->mu_static;
  return check_parameters(reader, item, row) && (!read || check_numbers(reader, item, law));
}
