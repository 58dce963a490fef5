// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict over a run, and its three files.
#include "report/report.h"

#include "report/whole_file_private.h"

sb_findings sb_report_findings(const sb_report *report) {
  const sb_ledger *ledger = report->ledger;
  // Written so that not-a-number fails.
  sb_findings found = {
      .integration = ledger->residual_relative <= ledger->limit,
      .structure = ledger->structure.residual_relative <= SB_STRUCTURE_LIMIT &&
                   ledger->structure.skew_relative <= SB_STRUCTURE_LIMIT &&
                   ledger->structure.rank_ok,
      .passivity = ledger->passivity.violations == 0,
      .expects = true,
  };
  for (int i = 0; i < report->expect_count; i++) {
    found.expects = found.expects && report->expects[i].ok;
  }
  return found;
}

sb_outcome sb_report_judge(const sb_report *report) {
  sb_findings found = sb_report_findings(report);
  bool ok = found.integration && found.structure && found.passivity && found.expects;
  return ok ? SB_OUTCOME_OK : SB_OUTCOME_AUDIT_FAILED;
}

const char *sb_outcome_name(sb_outcome outcome) {
  static const char *const names[] = {"ok", "audit-failed", "solver-failed", "interrupted"};
  return names[outcome];
}

static void fill_json(const void *report, FILE *out) {
  sb_report_json(report, out);
}
static void fill_text(const void *report, FILE *out) {
  sb_report_text(report, out);
}
static void fill_events(const void *report, FILE *out) {
  sb_report_events(report, out);
}

sb_status sb_report_save(const sb_report *report, const char *folder, sb_error *err) {
  SB_TRY(sb_whole_file(folder, "events.csv", fill_events, report, err));
  SB_TRY(sb_whole_file(folder, "audit.txt", fill_text, report, err));
  return sb_whole_file(folder, "audit.json", fill_json, report, err);
}
