// SPDX-License-Identifier: GPL-3.0-or-later
#include "verdict.h"

#include <string.h>

#include "core/base/number.h"
#include "core/simulation/simulation.h"

/** What may be done for an energy balance that is not met. */
static const char *hint_for_balance(const sb_options *options, const sb_ledger *ledger) {
  if (ledger->parts[ledger->worst_part].blurring_element != NULL) {
    return "rounding in the element that the warning names; no tolerance makes it smaller";
  }
  if (strcmp(options->method->name, "discrete-gradient") == 0) {
    return "a smaller --rtol or --step makes it smaller";
  }
  return strcmp(options->method->name, "fehlberg-8") == 0
             ? "a smaller --rtol or --step makes it smaller; what oscillates for long keeps its "
               "energy by --method discrete-gradient, if the model is one that this method can run"
             : "a smaller --rtol or --step makes it smaller; what oscillates for thousands of "
               "periods loses less of its energy, and takes fewer steps, by --method fehlberg-8, "
               "and keeps it by --method discrete-gradient, if the model is one that this method "
               "can run";
}

/** Which of the three figures of the structures is beyond its limit, the gravest first. */
static void fail_structure(const sb_ledger *ledger, sb_error *err) {
  const char *worst = ledger->structure.worst != NULL ? ledger->structure.worst : "the whole";
  char value[SB_NUMBER_SIZE];
  if (!ledger->structure.rank_ok) {
    (void)sb_fail(err, SB_ERR_AUDIT,
                  "the rows of the Dirac structure of %s are not independent: E e + F f = 0 leaves "
                  "more of its port variables free than it has components",
                  worst);
  } else if (!(ledger->structure.skew_relative <= ledger->structure.limit)) {
    (void)sb_number_format_short(ledger->structure.skew_relative, 3, value, sizeof value);
    (void)sb_fail(err, SB_ERR_AUDIT,
                  "the Dirac structure of %s is not power-free: E F^T + F E^T is %s of its terms, "
                  "and must be zero",
                  worst, value);
  } else {
    (void)sb_number_format_short(ledger->structure.residual_relative, 3, value, sizeof value);
    (void)sb_fail(err, SB_ERR_AUDIT, "a structure or a law does not hold: residual %s, worst in %s",
                  value, worst);
  }
}

void verdict_word(const sb_model *model, const sb_options *options, const sb_report *report,
                  sb_errors *errors) {
  const sb_findings found = sb_report_findings(report);
  const sb_ledger *ledger = report->ledger;
  char value[SB_NUMBER_SIZE], limit[SB_NUMBER_SIZE];
  if (!found.integration) {
    sb_error err = {0};
    (void)sb_number_format_short(ledger->residual_relative, 3, value, sizeof value);
    (void)sb_number_format_short(ledger->limit, 3, limit, sizeof limit);
    const char *part = ledger->part_count > 1 ? ledger->parts[ledger->worst_part].account.id : NULL;
    (void)sb_fail(&err, SB_ERR_AUDIT, "the energy-balance error %s%s%s is above its limit %s",
                  value, part != NULL ? " of the part of " : "", part != NULL ? part : "", limit);
    sb_error_hint(&err, "%s", hint_for_balance(options, ledger));
    sb_errors_add(errors, &err);
  }
  if (!found.structure) {
    sb_error err = {0};
    fail_structure(ledger, &err);
    sb_model_place(model, ledger->structure.worst, &err);
    sb_errors_add(errors, &err);
  }
  if (!found.passivity) {
    sb_error err = {0};
    (void)sb_number_format_short(ledger->passivity.worst, 3, value, sizeof value);
    (void)sb_fail(&err, SB_ERR_AUDIT, "%s is no dissipation: it absorbed %s W at t = %s s",
                  ledger->passivity.element != NULL ? ledger->passivity.element : "an element",
                  value, sb_number_word(ledger->passivity.t).text);
    sb_error_hint(&err, "its law must not give power, whatever the signals in it are");
    sb_model_place(model, ledger->passivity.element, &err);
    sb_errors_add(errors, &err);
  }
}
