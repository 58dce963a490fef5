// SPDX-License-Identifier: GPL-3.0-or-later
// The account of a model while it is written, as text or as JSON.
#ifndef SB_CORE_ANALYSIS_DESCRIBE_PRIVATE_H
#define SB_CORE_ANALYSIS_DESCRIBE_PRIVATE_H

#include "core/analysis/casimirs_private.h"
#include "core/base/text.h"

typedef struct sb_account {
  const sb_model *model;
  const sb_network *network;
  const sb_program *program;
  const sb_casimirs *casimirs; // NULL: they were not found
  bool json;
  sb_text t;
} sb_account;

const char *sb_account_either(const sb_account *a, const char *json, const char *text);
/** Quoted in JSON. */
void sb_account_word(sb_account *a, const char *word);
/** In JSON. */
void sb_account_number(sb_account *a, double value);
/** The conserved quantities, in JSON as a value. */
void sb_account_casimirs(sb_account *a);

#endif
