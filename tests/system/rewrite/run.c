// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of netlists that stand in a tree or a file.
#include <math.h>

#include "tests/near.h"

#include "tests/system/rewrite/rewrite.h"

enum { SAMPLES = 23 };

static void must(sb_status status, const char *what, const sb_errors *errors) {
  for (int i = 0; i < errors->count; i++) {
    const sb_error *e = &errors->items[i];
    print_error("%s: %s:%d:%d: %s\n", what, e->file, e->line, e->column, e->text);
  }
  assert_int_equal(status, SB_OK);
}

/** Notes the largest magnitude of each result. */
static int note_largest(void *context, const sb_simulation *sim, double t) {
  rewrite_run *r = context;
  (void)t;
  for (int i = 0; i < r->netlist->output_count && i < REWRITE_RESULTS; i++) {
    sb_quantity quantity;
    double values[16];
    if (sb_model_find(r->model, r->netlist->outputs[i].of, &quantity, NULL) != SB_OK) {
      continue; // it has another name now
    }
    assert_true(quantity.count <= 16);
    sb_simulation_read(sim, &quantity, values);
    for (int k = 0; k < quantity.count; k++) {
      r->largest[i] = fmax(r->largest[i], fabs(values[k]));
    }
  }
  return 0;
}

static void start(rewrite_run *r, const char *what, sb_status status, sb_errors *errors) {
  status = status == SB_OK ? sb_model_compile(r->netlist->graph, &r->model, errors) : status;
  must(status, what, errors);
}

void rewrite_start(rewrite_run *r, const char *what, xmlDoc *doc) {
  xmlChar *text;
  int size;
  sb_errors errors = {0};
  *r = (rewrite_run){0};
  xmlDocDumpFormatMemory(doc, &text, &size, 1);
  start(r, what,
        sb_netlist_parse(what, (const char *)text, (size_t)size, NULL, 0, &r->netlist, &errors),
        &errors);
  xmlFree(text);
}

void rewrite_start_file(rewrite_run *r, const char *path) {
  sb_errors errors = {0};
  *r = (rewrite_run){0};
  start(r, path, sb_netlist_read(path, NULL, 0, &r->netlist, &errors), &errors);
}

void rewrite_finish(rewrite_run *r, const char *what, double step, double tolerance, double time,
                    double fraction) {
  sb_error err = {0};
  sb_options *options = &r->netlist->options;
  double t_end = fraction * r->netlist->t_end;
  if (options->method->adaptive) {
    options->step = step * time;
  }
  options->rtol *= tolerance;
  options->atol *= tolerance;
  sb_status status = sb_simulation_create(r->model, options, &r->sim, &err);
  if (status == SB_OK) {
    status = sb_simulation_run(r->sim, t_end, t_end / SAMPLES, note_largest, r, &err);
  }
  if (status != SB_OK) {
    fail_msg("%s: %s", what, err.text);
  }
  // The structures are free of power however they are written.
  const sb_ledger *ledger = sb_simulation_ledger(r->sim);
  if (!(ledger->structure.residual_relative <= ledger->structure.limit)) {
    fail_msg("%s: structures make power, %.3g of it (%s)", what,
             ledger->structure.residual_relative, ledger->structure.worst);
  }
  assert_true(ledger->structure.rank_ok);
}

void rewrite_stop(rewrite_run *r) {
  sb_simulation_destroy(r->sim);
  sb_model_destroy(r->model);
  sb_netlist_destroy(r->netlist);
}
