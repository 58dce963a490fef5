// SPDX-License-Identifier: GPL-3.0-or-later
// audit.txt: the ledger as a person reads it. The command prints the same.
#include "report/report.h"

#include <math.h>
#include <string.h>

#include "report/put_private.h"

enum {
  ID_WIDTH_MAX = 40,
  NUMBER_WIDTH = 15,
  EVENTS_SHOWN = 20, // the rest is in events.csv
  PARTS_SHOWN = 5,   // the rest is in audit.json
};

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
  (void)fputs("time     ", out);
  sb_put_rounded(out, ledger->t_start, 0);
  (void)fputs(" s to ", out);
  sb_put_rounded(out, ledger->t_end, 0);
  (void)fputs(" s, computed in ", out);
  sb_put_rounded(out, report->wall, 0);
  (void)fprintf(out,
                " s\nmethod   %s: %ld steps (%ld rejected), %ld evaluations, %ld Jacobians, "
                "%ld events\n\n",
                report->method, ledger->work.steps, ledger->work.rejected, ledger->work.rhs,
                ledger->work.jacobians, ledger->work.events);
}

static void account_row(const sb_account *account, const char *role, int id_width, FILE *out) {
  (void)fprintf(out, "%-*s  %-11s", id_width, account->id, role);
  const double numbers[] = {account->stored_start, account->stored_end, account->supplied,
                            account->dissipated, account->event_loss};
  for (int k = 0; k < 5; k++) {
    sb_put_rounded(out, numbers[k], NUMBER_WIDTH);
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
    sb_put_rounded(out, event->t, NUMBER_WIDTH);
    (void)fprintf(out, "  %-10s", event->kind);
    sb_put_rounded(out, event->loss, NUMBER_WIDTH);
    (void)fprintf(out, "  %s\n", event->element);
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

/** The worst parts first, where there are several. */
static void parts(const sb_ledger *ledger, FILE *out) {
  const sb_part *shown[PARTS_SHOWN];
  int count = 0;
  for (int i = 0; i < ledger->part_count && ledger->part_count > 1; i++) {
    const sb_part *part = &ledger->parts[i];
    if (count == PARTS_SHOWN && !is_worse(part, shown[count - 1])) {
      continue;
    }
    int k = count < PARTS_SHOWN ? count++ : count - 1;
    for (; k > 0 && is_worse(part, shown[k - 1]); k--) {
      shown[k] = shown[k - 1];
    }
    shown[k] = part;
  }
  if (count == 0) {
    return;
  }
  (void)fprintf(out, "%*s%*s%*s  part, joined by no bond to the others\n", NUMBER_WIDTH,
                "error [J]", NUMBER_WIDTH, "of [J]", NUMBER_WIDTH, "relative");
  for (int k = 0; k < count; k++) {
    sb_put_rounded(out, shown[k]->residual_max, NUMBER_WIDTH);
    sb_put_rounded(out, shown[k]->scale, NUMBER_WIDTH);
    sb_put_rounded(out, shown[k]->residual_relative, NUMBER_WIDTH);
    (void)fprintf(out, "  of %s (%d element%s)\n", shown[k]->account.id, shown[k]->element_count,
                  shown[k]->element_count == 1 ? "" : "s");
  }
  if (ledger->part_count > count) {
    (void)fprintf(out, "%*s  and %d more in audit.json\n", 3 * NUMBER_WIDTH, "",
                  ledger->part_count - count);
  }
  (void)fputc('\n', out);
}

static void integration(const sb_ledger *ledger, bool ok, FILE *out) {
  (void)fprintf(out, "integration  %s: error at most ",
                ok ? "the energy balance is met" : "THE ENERGY BALANCE IS NOT MET");
  sb_put_rounded(out, ledger->residual_max, 0);
  (void)fputs(" J of ", out);
  sb_put_rounded(out, ledger->scale, 0);
  (void)fputs(" J = ", out);
  sb_put_rounded(out, ledger->residual_relative, 0);
  (void)fputs(" (limit ", out);
  sb_put_rounded(out, ledger->limit, 0);
  (void)fputc(')', out);
  if (!ok) {
    (void)fputs(" at ", out);
    sb_put_rounded(out, ledger->residual_time, 0);
    (void)fprintf(out, " s, most in %s",
                  ledger->residual_element != NULL ? ledger->residual_element : "none");
  }
  if (ledger->part_count > 1) {
    (void)fprintf(out, " (of %d parts the worst)", ledger->part_count);
  }
  (void)fputc('\n', out);
}

static void structure(const sb_ledger *ledger, bool ok, FILE *out) {
  if (ledger->structure.checked == 0 && ledger->structure.residual_relative == 0) {
    (void)fputs("structure    nothing to check: no structures, or no samples\n", out);
    return;
  }
  (void)fprintf(out, "structure    %s: residual ",
                ok ? "no power is lost between the elements"
                   : "POWER IS LOST BETWEEN THE ELEMENTS, OR A LAW DOES NOT HOLD");
  sb_put_rounded(out, ledger->structure.residual_relative, 0);
  (void)fputs(", skew-symmetry error ", out);
  sb_put_rounded(out, ledger->structure.skew_relative, 0);
  (void)fputs(" (limit ", out);
  sb_put_rounded(out, ledger->structure.limit, 0);
  (void)fprintf(out, "), rank %s, %ld checks", ledger->structure.rank_ok ? "full" : "DEFICIENT",
                ledger->structure.checked);
  if (!ok && ledger->structure.worst != NULL) {
    (void)fprintf(out, ", worst %s", ledger->structure.worst);
  }
  (void)fputc('\n', out);
}

static void passivity(const sb_ledger *ledger, bool ok, FILE *out) {
  if (ok) {
    (void)fputs("passivity    no dissipation gave power\n", out);
    return;
  }
  (void)fprintf(out, "passivity    A DISSIPATION GAVE POWER %ld times: %s absorbed ",
                ledger->passivity.violations,
                ledger->passivity.element != NULL ? ledger->passivity.element : "one");
  sb_put_rounded(out, ledger->passivity.worst, 0);
  (void)fputs(" W at ", out);
  sb_put_rounded(out, ledger->passivity.t, 0);
  (void)fputs(" s\n", out);
}

static void expects(const sb_report *report, FILE *out) {
  for (int i = 0; i < report->expect_count; i++) {
    const sb_expect_result *expect = &report->expects[i];
    (void)fprintf(out, "expect       %s: %s at ", expect->ok ? "met" : "MISSED", expect->of);
    sb_put_rounded(out, expect->at, 0);
    if (isnan(expect->actual)) {
      (void)fputs(" s was not reached", out);
    } else {
      (void)fputs(" s is ", out);
      sb_put_rounded(out, expect->actual, 0);
    }
    (void)fputs(", expected ", out);
    sb_put_rounded(out, expect->expected, 0);
    (void)fputs(" within ", out);
    sb_put_rounded(out, expect->tolerance, 0);
    (void)fputc('\n', out);
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
