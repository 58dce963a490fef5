// SPDX-License-Identifier: GPL-3.0-or-later
// The table of results as CSV (RFC 4180): time, then a column for each component of each quantity.
// It grows by full lines, and is readable up to its last one whatever ends the run: lines are handed to the
// system when there are many, or the first 0.2 s after those before, and at the end.
#ifndef SB_REPORT_RESULTS_H
#define SB_REPORT_RESULTS_H

#include "core/base/error.h"

typedef struct sb_results sb_results;

/** A quantity: columns "label [unit]", or for several components "label.x [unit]" (three
 *  components) or "label.0 [unit]". */
typedef struct sb_results_column {
  const char *label;
  const char *
      unit; // NULL or "": a pure number, written without brackets; or one for each component, with blanks
            // between, in which "1" is none
  int count; // components
} sb_results_column;

/** Starts the file with its header; a regular file that is there is replaced once that is written, nothing
 *  else ever is.
 *  @return SB_ERR_IO, SB_ERR_MEMORY */
SB_API sb_status sb_results_create(const char *path, const sb_results_column columns[], int count,
                                   sb_results **results, sb_error *err);
/** Adds a line. What keeps earlier ones from being written may show here, or at the end.
 *  @param values  the components of all columns, in the units shown */
SB_API sb_status sb_results_add(sb_results *results, double t, const double values[],
                                sb_error *err);
/** @return SB_ERR_IO for what could not be written at last; the object is gone in any case */
SB_API sb_status sb_results_destroy(sb_results *results, sb_error *err);

#endif
