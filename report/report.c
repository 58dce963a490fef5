// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict over a run, and the table of its files.
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "report/whole_file.h"

sb_findings sb_report_findings(const sb_report *report) {
  const sb_ledger *ledger = report->ledger;
  // Written so that not-a-number fails.
  sb_findings found = {
      .integration = ledger->residual_relative <= ledger->limit,
      .structure = ledger->structure.residual_relative <= ledger->structure.limit &&
                   ledger->structure.skew_relative <= ledger->structure.limit &&
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

const sb_report_file sb_report_files[] = {
    {"events.csv", sb_report_events},
    {"audit.txt", sb_report_text},
    {"audit.json", sb_report_json},
    {0},
};

/** What a file is filled from. */
typedef struct filling {
  const sb_report_file *file;
  const sb_report *report;
} filling;

static void fill(const void *context, FILE *out) {
  const filling *f = context;
  f->file->write(f->report, out);
}

sb_status sb_report_save(const sb_report *report, const char *folder, sb_error *err) {
  sb_status status = SB_OK;
  for (const sb_report_file *file = sb_report_files; status == SB_OK && file->name != NULL;
       file++) {
    size_t length = strlen(folder), rest = strlen(file->name) + 1; // with the end
    char *path = malloc(length + 1 + rest);
    if (path == NULL) {
      return sb_fail(err, SB_ERR_MEMORY, "out of memory");
    }
    memcpy(path, folder, length);
    path[length] = '/';
    memcpy(path + length + 1, file->name, rest);
    status = sb_whole_file(path, fill, &(filling){file, report}, err);
    free(path);
  }
  return status;
}
