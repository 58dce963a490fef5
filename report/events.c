// SPDX-License-Identifier: GPL-3.0-or-later
// events.csv: what switched, touched or struck, the energy that left with it, and the steps so far.
#include "report/put_private.h"
#include "report/report.h"

void sb_report_events(const sb_report *report, FILE *out) {
  (void)fputs("t [s],kind,element,loss [J],stored before [J],stored after [J],steps\r\n", out);
  for (int i = 0; i < report->ledger->event_count; i++) {
    const sb_event *event = &report->ledger->events[i];
    sb_put_number(out, event->t);
    (void)fputc(',', out);
    sb_put_csv_field(out, event->kind);
    (void)fputc(',', out);
    sb_put_csv_field(out, event->element);
    const double numbers[] = {event->loss, event->stored_before, event->stored_after};
    for (int k = 0; k < 3; k++) {
      (void)fputc(',', out);
      sb_put_number(out, numbers[k]);
    }
    (void)fprintf(out, ",%ld\r\n", event->steps);
  }
}
