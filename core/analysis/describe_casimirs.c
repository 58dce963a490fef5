// SPDX-License-Identifier: GPL-3.0-or-later
// The conserved quantities of a model in its account, and the words of an account.
#include <math.h>

#include "core/analysis/describe_private.h"
#include "core/analysis/matrix_text_private.h"
#include "core/base/json.h"
#include "core/base/number.h"

/** What the text shows of long lists; JSON has all. */
enum { CASIMIRS_SHOWN = 20, TERMS_SHOWN = 12 };

const char *sb_account_either(const sb_account *a, const char *json, const char *text) {
  return a->json ? json : text;
}

void sb_account_word(sb_account *a, const char *word) {
  if (a->json) {
    sb_json_quote(&a->t, word);
  } else {
    sb_text_put(&a->t, "%s", word);
  }
}

void sb_account_number(sb_account *a, double value) {
  char number[SB_NUMBER_SIZE];
  (void)sb_number_format_json(value, number, sizeof number);
  sb_text_put(&a->t, "%s", number);
}

static const char *state_unit(const sb_account *a, int state, sb_quantity *quantity) {
  char name[300];
  sb_error err;
  (void)sb_network_state_name(a->network, state, name);
  return sb_network_find(a->network, name, quantity, &err) == SB_OK ? quantity->unit : "";
}

static void put_json(sb_account *a) {
  char name[SB_LABEL_SIZE];
  sb_quantity quantity;
  for (int k = 0; k < a->casimirs->count; k++) {
    const sb_casimir *casimir = &a->casimirs->items[k];
    sb_text_put(&a->t, "%s\n  {\"terms\": [", k > 0 ? "," : "");
    for (int i = 0; i < casimir->count; i++) {
      sb_label_state(name, a->network, casimir->terms[i].var);
      sb_text_put(&a->t, i > 0 ? ", {\"state\": " : "{\"state\": ");
      sb_account_word(a, name);
      sb_text_put(&a->t, ", \"factor\": ");
      sb_account_number(a, casimir->terms[i].factor);
      sb_text_put(&a->t, "}");
    }
    sb_text_put(&a->t, "], \"unit\": ");
    sb_account_word(a, state_unit(a, casimir->terms[0].var, &quantity));
    sb_text_put(&a->t, "}");
  }
}

/** "C1.q - 2 C2.q [C]". */
static void put_casimir(sb_account *a, const sb_casimir *casimir) {
  char name[SB_LABEL_SIZE];
  sb_quantity quantity;
  for (int i = 0; i < casimir->count && i < TERMS_SHOWN; i++) {
    double size = fabs(casimir->terms[i].factor);
    bool minus = casimir->terms[i].factor < 0;
    sb_label_state(name, a->network, casimir->terms[i].var);
    sb_text_put(&a->t, "%s", i == 0 ? minus ? "-" : "" : minus ? " - " : " + ");
    if (size != 1) {
      sb_text_put(&a->t, "%s ", sb_number_word(size).text);
    }
    sb_text_put(&a->t, "%s", name);
  }
  if (casimir->count > TERMS_SHOWN) {
    sb_text_put(&a->t, " + ... (%d terms)", casimir->count);
  }
  const char *unit = state_unit(a, casimir->terms[0].var, &quantity);
  sb_text_put(&a->t, unit[0] == '\0' ? "\n" : " [%s]\n", unit);
}

static void put_text(sb_account *a) {
  if (a->casimirs->count > 0) {
    sb_text_put(&a->t, "%d conserved, whatever the energies and laws are%s:\n", a->casimirs->count,
                a->network->mode_count > 0 ? ", in the modes at the start" : "");
  }
  for (int k = 0; k < a->casimirs->count && k < CASIMIRS_SHOWN; k++) {
    sb_text_put(&a->t, "  ");
    put_casimir(a, &a->casimirs->items[k]);
  }
  if (a->casimirs->count > CASIMIRS_SHOWN) {
    sb_text_put(&a->t, "  and %d more (all by --json)\n", a->casimirs->count - CASIMIRS_SHOWN);
  }
}

void sb_account_casimirs(sb_account *a) {
  if (a->casimirs == NULL && a->json) {
    sb_text_put(&a->t, "null");
  } else if (a->casimirs == NULL) {
    sb_text_put(&a->t,
                "conserved quantities: not found, the elimination fills in too much (limit: %d "
                "terms)\n",
                SB_NULLSPACE_WORK_LEAST + SB_NULLSPACE_WORK * sb_known_base(a->network));
  } else if (a->json) {
    sb_text_put(&a->t, "[");
    put_json(a);
    sb_text_put(&a->t, "]");
  } else {
    put_text(a);
  }
}
