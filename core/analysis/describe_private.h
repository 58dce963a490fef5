// SPDX-License-Identifier: GPL-3.0-or-later
// The description of a model while it is written, as text or as JSON.
#ifndef SB_CORE_ANALYSIS_DESCRIBE_PRIVATE_H
#define SB_CORE_ANALYSIS_DESCRIBE_PRIVATE_H

#include "core/analysis/casimirs_private.h"
#include "core/base/text.h"

typedef struct sb_description {
  const sb_model *model;
  const sb_network *network;
  const sb_program *program;
  const sb_casimirs *casimirs; // NULL: they were not found
  bool json;
  sb_text t;
} sb_description;

const char *sb_description_either(const sb_description *d, const char *json, const char *text);
/** Quoted in JSON. */
void sb_description_word(sb_description *d, const char *word);
/** In JSON. */
void sb_description_number(sb_description *d, double value);
/** The conserved quantities, in JSON as a value. */
void sb_description_casimirs(sb_description *d);

#endif
