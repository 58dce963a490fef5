// SPDX-License-Identifier: GPL-3.0-or-later
// audit.txt: the ledger as a person reads it. The command prints the same.
#include "report/report.h"

#include <math.h>
#include <string.h>

#include "core/base/number.h"
#include "report/put_private.h"

enum {
  ID_WIDTH_MAX = 40,
  NUMBER_WIDTH = 15,
  EVENTS_SHOWN = 20, // the rest is in events.csv
  PARTS_SHOWN = 5,   // the rest is in audit.json
};

/** Six digits, for people. */
static sb_number_text shown(double value) {
  sb_number_text number;
  (void)sb_number_format_short(value, 6, number.text, sizeof number.text);
  return number;
}

static int longest_id(const sb_ledger *ledger) {
  size_t longest = strlen("element");
  for (int i = 0; i < ledger->element_count; i++) {
    size_t length = strlen(ledger->elements[i].id);
    longest = length > longest ? length : longest;
  }
  for (int i = 0; i < ledger->group_count; i++) {
    size_t length = strlen(ledger->groups[i].id);
    longest = length > longest ? length : longest;
  }
  return longest > ID_WIDTH_MAX ? ID_WIDTH_MAX : (int)longest;
}

static void head(const sb_report *report, FILE *out) {
  const sb_ledger *ledger = report->ledger;
  (void)fprintf(out, "%s  (screwbond %s)\n\n", report->model, report->version);
  (void)fprintf(out, "status   %s%s%s\n", sb_outcome_name(report->outcome),
                report->reason != NULL ? ": " : "", report->reason != NULL ? report->reason : "");
  (void)fprintf(out, "time     %s s to %s s, computed in %s s\n", shown(ledger->t_start).text,
                shown(ledger->t_end).text, shown(report->wall).text);
  (void)fprintf(out,
                "method   %s: %ld steps (%ld rejected), %ld evaluations, %ld Jacobians, "
                "%ld events\n",
                report->method, ledger->work.steps, ledger->work.rejected, ledger->work.rhs,
                ledger->work.jacobians, ledger->work.events);
  if (ledger->work.changes > 0) {
    (void)fprintf(out,
                  "         %ld of the steps implicit, %ld of the higher order; changes of the "
                  "method: %ld\n",
                  ledger->work.implicit_steps, ledger->work.smooth_steps, ledger->work.changes);
  }
  (void)fputc('\n', out);
}

static void account_row(const sb_account *account, const char *role, int id_width, FILE *out) {
  (void)fprintf(out, "%-*s  %-11s", id_width, account->id, role);
  const double numbers[] = {account->stored_start + account->level,
                            account->stored_end + account->level, account->supplied,
                            account->dissipated, account->event_loss};
  for (int k = 0; k < 5; k++) {
    (void)fprintf(out, "%*s", NUMBER_WIDTH, shown(numbers[k]).text);
  }
  (void)fputc('\n', out);
}

static void rule(int id_width, FILE *out) {
  for (int i = 0; i < id_width + 13 + 5 * NUMBER_WIDTH; i++) {
    (void)fputc('-', out);
  }
  (void)fputc('\n', out);
}

static bool keeps_energy(const sb_account *account) {
  return !account->powerless || account->event_loss != 0;
}

static void accounts(const sb_ledger *ledger, FILE *out) {
  static const char *const columns[] = {"stored before", "stored after", "supplied", "dissipated",
                                        "event loss"};
  int width = longest_id(ledger);
  (void)fprintf(out, "%-*s  %-11s", width, "energy [J]", "role");
  for (int k = 0; k < 5; k++) {
    (void)fprintf(out, "%*s", NUMBER_WIDTH, columns[k]);
  }
  (void)fputc('\n', out);
  rule(width, out);
  for (int i = 0; i < ledger->element_count; i++) {
    if (keeps_energy(&ledger->elements[i])) { // a junction's row would be all zeros
      account_row(&ledger->elements[i], sb_role_name(ledger->elements[i].role), width, out);
    }
  }
  rule(width, out);
  sb_account total = ledger->total;
  total.id = "total";
  account_row(&total, "", width, out);
  for (int i = 0; i < ledger->group_count; i++) {
    account_row(&ledger->groups[i], "group", width, out);
  }
  (void)fputc('\n', out);
}

static void events(const sb_ledger *ledger, FILE *out) {
  if (ledger->event_count == 0) {
    return;
  }
  (void)fprintf(out, "%*s  %-10s%*s  element\n", NUMBER_WIDTH, "event at [s]", "kind", NUMBER_WIDTH,
                "loss [J]");
  for (int i = 0; i < ledger->event_count && i < EVENTS_SHOWN; i++) {
    const sb_event *event = &ledger->events[i];
    (void)fprintf(out, "%*s  %-10s%*s  %s\n", NUMBER_WIDTH, shown(event->t).text, event->kind,
                  NUMBER_WIDTH, shown(event->loss).text, event->element);
  }
  if (ledger->event_count > EVENTS_SHOWN) {
    (void)fprintf(out, "%*s  and %d more in events.csv\n", NUMBER_WIDTH, "",
                  ledger->event_count - EVENTS_SHOWN);
  }
  (void)fputc('\n', out);
}

/** Whether a part's balance is met worse than that of another one. */
static bool is_worse(const sb_part *a, const sb_part *b) {
  bool beyond = a->residual_relative != b->residual_relative;
  return beyond ? !(a->residual_relative < b->residual_relative)
                : a->residual_max * b->scale > b->residual_max * a->scale;
}

/** The worst parts, the worst first.  @param worst  (PARTS_SHOWN) out  @return how many */
static int find_worst(const sb_ledger *ledger, const sb_part *worst[]) {
  int count = 0;
  for (int i = 0; i < ledger->part_count; i++) {
    const sb_part *part = &ledger->parts[i];
    if (count == PARTS_SHOWN && !is_worse(part, worst[count - 1])) {
      continue;
    }
    int k = count < PARTS_SHOWN ? count++ : count - 1;
    for (; k > 0 && is_worse(part, worst[k - 1]); k--) {
      worst[k] = worst[k - 1];
    }
    worst[k] = part;
  }
  return count;
}

static void parts(const sb_ledger *ledger, FILE *out) {
  const sb_part *worst[PARTS_SHOWN];
  if (ledger->part_count <= 1) {
    return;
  }
  (void)fprintf(out, "%*s%*s%*s  connected part\n", NUMBER_WIDTH, "error [J]", NUMBER_WIDTH,
                "of [J]", NUMBER_WIDTH, "relative");
  int count = find_worst(ledger, worst);
  for (int k = 0; k < count; k++) {
    (void)fprintf(out, "%*s%*s%*s  of %s (%d element%s)\n", NUMBER_WIDTH,
                  shown(worst[k]->residual_max).text, NUMBER_WIDTH, shown(worst[k]->scale).text,
                  NUMBER_WIDTH, shown(worst[k]->residual_relative).text, worst[k]->account.id,
                  worst[k]->element_count, worst[k]->element_count == 1 ? "" : "s");
  }
  if (ledger->part_count > count) {
    (void)fprintf(out, "%*s  and %d more in audit.json\n", 3 * NUMBER_WIDTH, "",
                  ledger->part_count - count);
  }
  (void)fputc('\n', out);
}

static void integration(const sb_ledger *ledger, bool ok, FILE *out) {
  bool is_rounding = ledger->residual_relative == 0 && ledger->residual_max > 0;
  (void)fprintf(out, "integration  %s: error at most %s J of %s J%s%s (limit %s)",
                ok ? "the energy balance is met" : "THE ENERGY BALANCE IS NOT MET",
                shown(ledger->residual_max).text, shown(ledger->scale).text,
                is_rounding ? ", which is rounding" : " = ",
                is_rounding ? "" : shown(ledger->residual_relative).text,
                shown(ledger->limit).text);
  if (!ok) {
    (void)fprintf(out, " at %s s, most in %s", shown(ledger->residual_time).text,
                  ledger->residual_element != NULL ? ledger->residual_element : "none");
  }
  if (ledger->part_count > 1) {
    (void)fprintf(out, ", of %d parts the worst", ledger->part_count);
  }
  (void)fputc('\n', out);
  for (int i = 0; i < ledger->part_count; i++) {
    if (ledger->parts[i].unresolved) {
      (void)fprintf(
          out, "             NOT RESOLVED in the part of %s: rounding of %s J, %s J exchanged\n",
          ledger->parts[i].account.id, shown(ledger->parts[i].rounding).text,
          shown(ledger->parts[i].scale).text);
    }
  }
}

static void structure(const sb_ledger *ledger, bool ok, FILE *out) {
  if (ledger->structure.checked == 0 && ledger->structure.residual_relative == 0) {
    (void)fputs("structure    nothing to check: no structures, or no samples\n", out);
    return;
  }
  (void)fprintf(out, "structure    %s: residual %s, skew-symmetry error %s (limit %s), rank %s",
                ok ? "no power is lost between the elements"
                   : "POWER IS LOST BETWEEN THE ELEMENTS, OR A LAW DOES NOT HOLD",
                shown(ledger->structure.residual_relative).text,
                shown(ledger->structure.skew_relative).text, shown(ledger->structure.limit).text,
                ledger->structure.rank_ok ? "full" : "DEFICIENT");
  if (ledger->structure.checked > 0) {
    (void)fprintf(out, ", structures checked %ld times", ledger->structure.checked);
  }
  if (!ok && ledger->structure.worst != NULL) {
    (void)fprintf(out, ", worst %s", ledger->structure.worst);
  }
  (void)fputc('\n', out);
}

/** A dissipation whose power was never seen negative, but whose integral over the run is, beyond what the balance may be off by;
 *  NULL: none. */
static const char *negative_sum(const sb_ledger *ledger) {
  double least = 0;
  for (int i = 0; i < ledger->part_count; i++) {
    const sb_part *part = &ledger->parts[i];
    least = fmin(least, -fmax(ledger->limit * part->scale, part->rounding));
  }
  for (int i = 0; i < ledger->element_count; i++) {
    const sb_account *account = &ledger->elements[i];
    if (account->role == SB_DISSIPATION && account->dissipated < least) {
      return account->id;
    }
  }
  return NULL;
}

static void passivity(const sb_ledger *ledger, bool ok, FILE *out) {
  const char *negative = ok ? negative_sum(ledger) : NULL;
  if (negative != NULL) {
    (void)fprintf(out,
                  "passivity    no dissipation gave power at the instants checked, but the sum of "
                  "'%s' is negative: the step is too long for the method\n",
                  negative);
    return;
  }
  if (ok) {
    (void)fputs("passivity    no dissipation gave power\n", out);
    return;
  }
  (void)fprintf(out, "passivity    A DISSIPATION GAVE POWER %ld times: %s absorbed %s W at %s s\n",
                ledger->passivity.violations,
                ledger->passivity.element != NULL ? ledger->passivity.element : "one",
                shown(ledger->passivity.worst).text, shown(ledger->passivity.t).text);
}

static void expects(const sb_report *report, FILE *out) {
  for (int i = 0; i < report->expect_count; i++) {
    const sb_expect_result *expect = &report->expects[i];
    bool reached = !isnan(expect->actual);
    (void)fprintf(out, "expect       %s: %s at %s s %s%s, expected %s within %s\n",
                  expect->ok ? "met" : "MISSED", expect->of, shown(expect->at).text,
                  reached ? "is " : "was not reached", reached ? shown(expect->actual).text : "",
                  shown(expect->expected).text, shown(expect->tolerance).text);
  }
}

void sb_report_text(const sb_report *report, FILE *out) {
  const sb_findings found = sb_report_findings(report);
  head(report, out);
  accounts(report->ledger, out);
  events(report->ledger, out);
  parts(report->ledger, out);
  integration(report->ledger, found.integration, out);
  structure(report->ledger, found.structure, out);
  passivity(report->ledger, found.passivity, out);
  expects(report, out);
}
