// SPDX-License-Identifier: GPL-3.0-or-later
// The conserved quantities of a model in its description, and the words of a description.
#include <math.h>

#include "core/analysis/describe_private.h"
#include "core/analysis/matrix_text_private.h"
#include "core/base/json.h"
#include "core/base/number.h"

/** What the text shows of long lists; JSON has all. */
enum { CASIMIRS_SHOWN = 20, TERMS_SHOWN = 12 };

const char *sb_description_either(const sb_description *d, const char *json, const char *text) {
  return d->json ? json : text;
}

void sb_description_word(sb_description *d, const char *word) {
  if (d->json) {
    sb_json_quote(&d->t, word);
  } else {
    sb_text_put(&d->t, "%s", word);
  }
}

void sb_description_put(sb_description *d, const char *json, const char *text) {
  sb_text_put(&d->t, "%s", sb_description_either(d, json, text));
}

void sb_description_ids(sb_description *d, const int instances[], int count) {
  for (int i = 0; i < count; i++) {
    sb_text_put(&d->t, i > 0 ? ", " : "");
    sb_description_word(d, d->network->instances[instances[i]].id);
  }
}

void sb_description_number(sb_description *d, double value) {
  char number[SB_NUMBER_SIZE];
  (void)sb_number_format_json(value, number, sizeof number);
  sb_text_put(&d->t, "%s", number);
}

static const char *state_unit(const sb_description *d, int state, sb_quantity *quantity) {
  char name[300];
  sb_error err;
  (void)sb_network_state_name(d->network, state, name);
  return sb_network_find(d->network, name, quantity, &err) == SB_OK ? quantity->unit : "";
}

static void put_json(sb_description *d) {
  char name[SB_LABEL_SIZE];
  sb_quantity quantity;
  for (int k = 0; k < d->casimirs->count; k++) {
    const sb_casimir *casimir = &d->casimirs->items[k];
    sb_text_put(&d->t, "%s\n  {\"terms\": [", k > 0 ? "," : "");
    for (int i = 0; i < casimir->count; i++) {
      sb_label_state(name, d->network, casimir->terms[i].var);
      sb_text_put(&d->t, i > 0 ? ", {\"state\": " : "{\"state\": ");
      sb_description_word(d, name);
      sb_text_put(&d->t, ", \"factor\": ");
      sb_description_number(d, casimir->terms[i].factor);
      sb_text_put(&d->t, "}");
    }
    sb_text_put(&d->t, "], \"unit\": ");
    sb_description_word(d, state_unit(d, casimir->terms[0].var, &quantity));
    sb_text_put(&d->t, "}");
  }
}

/** "C1.q - 2 C2.q [C]". */
static void put_casimir(sb_description *d, const sb_casimir *casimir) {
  char name[SB_LABEL_SIZE];
  sb_quantity quantity;
  for (int i = 0; i < casimir->count && i < TERMS_SHOWN; i++) {
    double size = fabs(casimir->terms[i].factor);
    bool minus = casimir->terms[i].factor < 0;
    sb_label_state(name, d->network, casimir->terms[i].var);
    sb_text_put(&d->t, "%s", i == 0 ? minus ? "-" : "" : minus ? " - " : " + ");
    if (size != 1) {
      sb_text_put(&d->t, "%s ", sb_number_word(size).text);
    }
    sb_text_put(&d->t, "%s", name);
  }
  if (casimir->count > TERMS_SHOWN) {
    sb_text_put(&d->t, " + ... (%d terms)", casimir->count);
  }
  const char *unit = state_unit(d, casimir->terms[0].var, &quantity);
  sb_text_put(&d->t, unit[0] == '\0' ? "\n" : " [%s]\n", unit);
}

static void put_text(sb_description *d) {
  if (d->casimirs->count > 0) {
    sb_text_put(&d->t, "%d conserved, whatever the energies and laws are%s:\n", d->casimirs->count,
                d->network->mode_count > 0 ? ", in the modes at the start" : "");
  }
  for (int k = 0; k < d->casimirs->count && k < CASIMIRS_SHOWN; k++) {
    sb_text_put(&d->t, "  ");
    put_casimir(d, &d->casimirs->items[k]);
  }
  if (d->casimirs->count > CASIMIRS_SHOWN) {
    sb_text_put(&d->t, "  and %d more (all by --json)\n", d->casimirs->count - CASIMIRS_SHOWN);
  }
}

void sb_description_casimirs(sb_description *d) {
  if (d->casimirs == NULL && d->json) {
    sb_text_put(&d->t, "null");
  } else if (d->casimirs == NULL) {
    sb_text_put(&d->t,
                "conserved quantities: not found, the elimination fills in too much (limit: %d "
                "terms)\n",
                SB_NULLSPACE_WORK_LEAST + SB_NULLSPACE_WORK * sb_known_base(d->network));
  } else if (d->json) {
    sb_text_put(&d->t, "[");
    put_json(d);
    sb_text_put(&d->t, "]");
  } else {
    put_text(d);
  }
}
