// SPDX-License-Identifier: GPL-3.0-or-later
// What a run leaves behind: its ledger with the verdict, as JSON, as text and as a table of events.
// The growing table of results is in report/results.h.
#ifndef SB_REPORT_REPORT_H
#define SB_REPORT_REPORT_H

#include <stdio.h>

#include "core/audit/ledger.h"

typedef enum sb_outcome {
  SB_OUTCOME_OK,
  SB_OUTCOME_AUDIT_FAILED, // a figure of the audit beyond its limit, or an expectation missed
  SB_OUTCOME_SOLVER_FAILED,
  SB_OUTCOME_INTERRUPTED,
} sb_outcome;

/** An expectation and what became of it; NAN as `actual`: its time was not reached. In SI. */
typedef struct sb_expect_result {
  const char *of;
  double at; // [s]
  double expected, actual, tolerance;
  bool ok;
} sb_expect_result;

/** The last value of one component of an output, in SI. */
typedef struct sb_final_value {
  const char *name;
  double value;
} sb_final_value;

/** All that a report says. Everything is borrowed. */
typedef struct sb_report {
  const char *model, *version, *method;
  sb_outcome outcome;
  const char *reason; // why a run ended early, in words, or NULL
  double wall;        // [s]
  const sb_ledger *ledger;
  const sb_expect_result *expects; // (expect_count)
  int expect_count;
  const sb_final_value *finals; // (final_count)
  int final_count;
} sb_report;

/** Which parts of the audit passed. */
typedef struct sb_findings {
  bool integration, structure, passivity, expects;
} sb_findings;
SB_API sb_findings sb_report_findings(const sb_report *report);
/** SB_OUTCOME_OK or SB_OUTCOME_AUDIT_FAILED, for a run that reached its end. */
SB_API sb_outcome sb_report_judge(const sb_report *report);
SB_API const char *sb_outcome_name(sb_outcome outcome); // as in audit.json

/** Write to a stream; its error indicator tells of failures. */
SB_API void sb_report_json(const sb_report *report, FILE *out);
SB_API void sb_report_text(const sb_report *report, FILE *out);
SB_API void sb_report_events(const sb_report *report, FILE *out); // CSV

/** A file of a report, and its writer. */
typedef struct sb_report_file {
  const char *name; // NULL ends the list
  void (*write)(const sb_report *report, FILE *out);
} sb_report_file;
SB_API const sb_report_file sb_report_files[];

/** Writes every file of the table into a folder that exists. Each appears whole or not at all.
 *  @return SB_ERR_IO, SB_ERR_MEMORY */
SB_API sb_status sb_report_save(const sb_report *report, const char *folder, sb_error *err);

#endif
