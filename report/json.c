// SPDX-License-Identifier: GPL-3.0-or-later
// audit.json: one line for each key of the top level and for each row of a list.
#include "report/report.h"

#include "report/put_private.h"

/** Where the next value goes; `first`: no comma before it. */
typedef struct writer {
  FILE *out;
  bool first;
} writer;

static void key(writer *w, const char *name) {
  if (!w->first) {
    (void)fputs(", ", w->out);
  }
  w->first = false;
  sb_put_json_string(w->out, name);
  (void)fputs(": ", w->out);
}

static void number(writer *w, const char *name, double value) {
  key(w, name);
  sb_put_json_number(w->out, value);
}

static void integer(writer *w, const char *name, long value) {
  key(w, name);
  (void)fprintf(w->out, "%ld", value);
}

static void string(writer *w, const char *name, const char *value) {
  key(w, name);
  sb_put_json_string(w->out, value);
}

static void boolean(writer *w, const char *name, bool value) {
  key(w, name);
  (void)fputs(value ? "true" : "false", w->out);
}

/** Begins a key of the top level, whose value is an object or a list. */
static void top(writer *w, const char *name, char bracket) {
  (void)fprintf(w->out, ",\n \"%s\": %c", name, bracket);
  w->first = true;
}

static void row(writer *w, bool first) {
  (void)fputs(first ? "\n  {" : ",\n  {", w->out);
  w->first = true;
}

static void end(writer *w, char bracket) {
  (void)fputc(bracket, w->out);
}

static void energies(writer *w, const sb_account *account) {
  number(w, "stored_start", account->stored_start + account->level);
  number(w, "stored_end", account->stored_end + account->level);
  number(w, "supplied", account->supplied);
  number(w, "dissipated", account->dissipated);
  number(w, "event_loss", account->event_loss);
}

static void run(writer *w, const sb_report *report) {
  const sb_ledger *ledger = report->ledger;
  string(w, "model", report->model);
  string(w, "status", sb_outcome_name(report->outcome));
  string(w, "version", report->version);
  top(w, "time", '{');
  number(w, "start", ledger->t_start);
  number(w, "end", ledger->t_end);
  end(w, '}');
  w->first = false;
  string(w, "method", report->method);
  top(w, "work", '{');
  integer(w, "steps", ledger->work.steps);
  integer(w, "implicit_steps", ledger->work.implicit_steps);
  integer(w, "method_changes", ledger->work.changes);
  integer(w, "rejected", ledger->work.rejected);
  integer(w, "rhs", ledger->work.rhs);
  integer(w, "jacobians", ledger->work.jacobians);
  integer(w, "events", ledger->work.events);
  number(w, "wall_s", report->wall);
  end(w, '}');
}

static void figures(writer *w, const sb_ledger *ledger) {
  top(w, "energy", '{');
  energies(w, &ledger->total);
  number(w, "scale", ledger->scale);
  number(w, "residual_max", ledger->residual_max);
  number(w, "residual_relative", ledger->residual_relative);
  number(w, "residual_time", ledger->residual_time);
  string(w, "residual_element", ledger->residual_element);
  if (ledger->part_count > 0) {
    string(w, "part", ledger->parts[ledger->worst_part].account.id);
  }
  number(w, "limit", ledger->limit);
  end(w, '}');
  top(w, "structure", '{');
  integer(w, "checked", ledger->structure.checked);
  number(w, "residual_relative", ledger->structure.residual_relative);
  number(w, "skew_relative", ledger->structure.skew_relative);
  boolean(w, "rank_ok", ledger->structure.rank_ok);
  string(w, "worst", ledger->structure.worst);
  number(w, "limit", ledger->structure.limit);
  end(w, '}');
  top(w, "passivity", '{');
  integer(w, "violations", ledger->passivity.violations);
  number(w, "worst", ledger->passivity.worst);
  end(w, '}');
}

static void accounts(writer *w, const char *name, const sb_account accounts[], int count) {
  top(w, name, '[');
  for (int i = 0; i < count; i++) {
    row(w, i == 0);
    string(w, "id", accounts[i].id);
    if (accounts[i].kind != NULL) { // groups have neither kind nor role
      string(w, "kind", accounts[i].kind);
      string(w, "role", sb_role_name(accounts[i].role));
    }
    energies(w, &accounts[i]);
    end(w, '}');
  }
  end(w, ']');
}

static void parts(writer *w, const sb_ledger *ledger) {
  top(w, "parts", '[');
  for (int i = 0; i < ledger->part_count; i++) {
    const sb_part *part = &ledger->parts[i];
    row(w, i == 0);
    string(w, "id", part->account.id);
    integer(w, "elements", part->element_count);
    energies(w, &part->account);
    number(w, "scale", part->scale);
    number(w, "rounding", part->rounding);
    number(w, "residual_max", part->residual_max);
    number(w, "residual_relative", part->residual_relative);
    number(w, "residual_time", part->residual_time);
    string(w, "residual_element", part->residual_element);
    boolean(w, "resolved", !part->unresolved);
    end(w, '}');
  }
  end(w, ']');
}

static void events(writer *w, const sb_ledger *ledger) {
  top(w, "events", '[');
  for (int i = 0; i < ledger->event_count; i++) {
    const sb_event *event = &ledger->events[i];
    row(w, i == 0);
    number(w, "t", event->t);
    string(w, "kind", event->kind);
    string(w, "element", event->element);
    number(w, "loss", event->loss);
    integer(w, "steps", event->steps);
    end(w, '}');
  }
  end(w, ']');
}

static void expects(writer *w, const sb_report *report) {
  top(w, "expect", '[');
  for (int i = 0; i < report->expect_count; i++) {
    const sb_expect_result *expect = &report->expects[i];
    row(w, i == 0);
    string(w, "of", expect->of);
    number(w, "at", expect->at);
    number(w, "expected", expect->expected);
    number(w, "actual", expect->actual);
    boolean(w, "ok", expect->ok);
    end(w, '}');
  }
  end(w, ']');
}

void sb_report_json(const sb_report *report, FILE *out) {
  writer w = {out, true};
  (void)fputc('{', out);
  run(&w, report);
  figures(&w, report->ledger);
  accounts(&w, "elements", report->ledger->elements, report->ledger->element_count);
  accounts(&w, "groups", report->ledger->groups, report->ledger->group_count);
  parts(&w, report->ledger);
  events(&w, report->ledger);
  expects(&w, report);
  top(&w, "final", '{');
  for (int i = 0; i < report->final_count; i++) {
    number(&w, report->finals[i].name, report->finals[i].value);
  }
  (void)fputs("}}\n", out);
}
