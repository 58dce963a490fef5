// SPDX-License-Identifier: GPL-3.0-or-later
// The description of a model while it is written, as text or as JSON.
#ifndef SB_CORE_ANALYSIS_DESCRIBE_PRIVATE_H
#define SB_CORE_ANALYSIS_DESCRIBE_PRIVATE_H

#include "core/analysis/casimirs_private.h"
#include "core/base/text.h"
#include "core/model/constraints.h"

typedef struct sb_description {
  const sb_model *model;
  const sb_network *network;
  const sb_program *program;
  const sb_casimirs *casimirs; // NULL: they were not found
  sb_workspace *work;          // at the start
  double *x;                   // (states and quadratures) the start
  sb_redundancy *redundant;    // (constraints) there
  int implied;                 // constraints that others imply
  char *seen;                  // scratch of what dependent storages follow
  const char *failure;         // why no run can start; NULL: that is not known
  bool json;
  sb_text t;
} sb_description;

const char *sb_description_either(const sb_description *d, const char *json, const char *text);
/** Quoted in JSON. */
void sb_description_word(sb_description *d, const char *word);
/** In JSON. */
void sb_description_number(sb_description *d, double value);
/** One of two texts. */
void sb_description_put(sb_description *d, const char *json, const char *text);
/** The ids of instances, with commas. */
void sb_description_ids(sb_description *d, const int instances[], int count);

// Constraints (describe_constraints.c).

void sb_description_dependent(sb_description *d);
void sb_description_algebraics(sb_description *d);
void sb_description_redundant(sb_description *d);

/** The conserved quantities, in JSON as a value. */
void sb_description_casimirs(sb_description *d);

#endif
