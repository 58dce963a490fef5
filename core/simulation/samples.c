// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of a run. They do not change it: see kept.c. A step that contains some takes the data of a
// polynomial (dense_output.c) once; a few samples are then evaluated one by one, many are interpolated
// between nodes (panel.c).
#include "core/simulation/samples_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"

sb_status sb_samples_create(sb_samples **result, sb_error *err) {
  sb_samples *s = *result = calloc(1, sizeof *s);
  if (s == NULL || !sb_panel_init(&s->panel)) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  s->settled = true;
  return SB_OK;
}

void sb_samples_destroy(sb_samples *s) {
  if (s != NULL) {
    sb_dense_destroy(s->dense);
    sb_panel_finish(&s->panel);
    free(s);
  }
}

sb_status sb_intervals_check(const char *what, double t_start, double t_end, double interval,
                             double most, sb_error *err) {
  double rounding = sb_time_rounding(fmax(fabs(t_start), fabs(t_end)));
  if (!(interval >= 0) || !isfinite(interval)) {
    return sb_fail(err, SB_ERR_RANGE, "the %s interval must be finite and not negative", what);
  }
  if (interval > 0 && (t_end - t_start) / interval > most) {
    return sb_fail(err, SB_ERR_RANGE, "a %s every %s s until t = %s s: more than %s %ss", what,
                   sb_number_word(interval).text, sb_number_word(t_end).text,
                   sb_number_word(most).text, what);
  }
  if (interval > 0 && interval < rounding) {
    return sb_fail(err, SB_ERR_RANGE, "a %s every %s s: times near t = %s s are rounded to %s s",
                   what, sb_number_word(interval).text, sb_number_word(t_end).text,
                   sb_number_word(rounding).text);
  }
  return SB_OK;
}

sb_status sb_samples_check(double t_start, double t_end, double interval, sb_error *err) {
  return sb_intervals_check("sample", t_start, t_end, interval, SB_SAMPLES_MAX, err);
}

sb_status sb_samples_begin(sb_simulation *sim, double t_end, double interval, sb_sampler sampler,
                           void *context, sb_error *err) {
  sb_samples *s = sim->samples;
  s->call = NULL;
  if (sampler == NULL) {
    return SB_OK;
  }
  SB_TRY(sb_samples_check(sim->options.t_start, t_end, interval, err));
  s->interval = interval;
  s->grid = sb_grid_make(sim->options.t_start, interval);
  s->next = interval > 0 ? (long long)((sim->t - sim->options.t_start) / interval) : 0;
  while (interval > 0 && sb_grid_at(&s->grid, s->next) <= sim->t + sb_time_rounding(sim->t)) {
    s->next++;
  }
  if (interval > 0 && s->dense == NULL) {
    SB_TRY(sb_dense_create(sim, &s->dense, err));
    SB_TRY(sb_stepper_renew_partial(sim, &sim->sampling, err));
  }
  s->call = sampler;
  s->context = context;
  return SB_OK;
}

sb_status sb_samples_renew(sb_simulation *sim, sb_error *err) {
  sb_samples *s = sim->samples;
  if (s->dense == NULL) {
    return SB_OK;
  }
  sb_dense_destroy(s->dense);
  s->dense = NULL;
  return sb_dense_create(sim, &s->dense, err);
}

void sb_step_view(sb_simulation *sim, double t, const double x[]) {
  sim->view_t = t;
  sim->samples->settled = true;
  sim->samples->viewed = 0;
  memcpy(sim->view_x, x, (size_t)sb_vector_count(sim->network) * sizeof(double));
}

/** Where the polynomial leads to a point without values, a partial step of the method does. */
sb_status sb_step_state(sb_simulation *sim, double t, sb_error *err) {
  sb_samples *s = sim->samples;
  bool dense = s->dense != NULL && s->dense->made && !s->dense->failed && t < sim->t;
  if (dense) {
    sim->view_t = t;
    s->settled = true;
    s->viewed = 0;
    sb_dense_at(s->dense, t, sim->view_x);
    dense = sb_evaluate(sim, t, sim->view_x, err) == SB_OK &&
            sb_enforce(sim, t, sim->view_x, err) == SB_OK;
  }
  if (!dense && t < sim->t) {
    SB_TRY(sb_probe(sim, sim->sampling, t, err));
    sb_step_view(sim, t, sim->xp);
  } else if (!dense) {
    sb_step_view(sim, t, sim->x);
  }
  return sb_evaluate(sim, t, sim->view_x, err);
}

/** What the sampler asks for itself is found when it asks. */
static void settle(sb_simulation *sim) {
  sb_error unused;
  if (!sim->samples->settled) {
    (void)sb_step_state(sim, sim->view_t, &unused);
  }
}

static sb_status call(sb_simulation *sim, double t, sb_error *err) {
  sb_samples *s = sim->samples;
  if (sim->interrupted) {
    return sb_interrupt_fail(sim, err);
  }
  s->calling = true;
  s->last_t = t;
  int stop = s->call(s->context, sim, t);
  s->calling = false;
  return stop == 0 ? SB_OK : sb_interrupt_fail(sim, err);
}

sb_status sb_sample(sb_simulation *sim, sb_error *err) {
  sb_evaluation evaluation;
  if (!sb_workspace_keep(sim, &evaluation)) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  sb_step_view(sim, sim->t, sim->x);
  sim->samples->panel.active = false;
  sb_status status = call(sim, sim->t, err);
  sb_workspace_put_back(sim, &evaluation);
  return status;
}

/** One by one, or by the panel if it is active. */
static sb_status emit(sb_simulation *sim, long long count, sb_error *err) {
  sb_samples *s = sim->samples;
  for (; count > 0; count--) {
    double t = sb_grid_at(&s->grid, s->next++);
    bool end = t >= sim->t - sb_time_rounding(sim->t);
    if (s->panel.active && !end) {
      sim->view_t = t;
      s->settled = false;
      s->viewed = 0;
    } else {
      s->panel.active = false;
      SB_TRY(sb_step_state(sim, end ? sim->t : t, err));
    }
    SB_TRY(call(sim, t,
                err)); // a step may end there but for the rounding of its own grid, as of a clock
  }
  return SB_OK;
}

/** Panels as long as they are right, the first over all samples that the step has passed. Where they are not
 *  right at any length, samples are evaluated one by one, twice as many each time before a panel is
 *  tried again. */
static sb_status take(sb_simulation *sim, long long left, sb_error *err) {
  sb_samples *s = sim->samples;
  long long length = left, patience = SB_PANEL_COST;
  bool dense = sb_dense_pays(s->dense, left) && sb_dense_make(sim, s->dense);
  for (long long count; left > 0; left -= count) {
    count = length < left ? length : left;
    s->panel.active = false;
    if (!dense || count <= SB_PANEL_COST) {
      count = !dense || patience > left ? left : patience;
      patience *= 2;
      length = patience;
    } else if (sb_panel_make(sim, &s->panel, sb_grid_at(&s->grid, s->next),
                             fmin(sim->t, sb_grid_at(&s->grid, s->next + count - 1)),
                             sb_step_state)) {
      patience = SB_PANEL_COST;
      length = 2 * count;
    } else {
      length = count / 2;
      count = 0;
      continue;
    }
    SB_TRY(emit(sim, count, err));
  }
  return SB_OK;
}

/** Of the present and those before that have not been taken. */
static long long count_passed(const sb_simulation *sim) {
  const sb_samples *s = sim->samples;
  double limit = sim->t + sb_time_rounding(sim->t);
  long long count = (long long)fmax(0, (limit - s->grid.start) / s->interval) - s->next;
  count = count > 0 ? count - 1 : 0;
  while (sb_grid_at(&s->grid, s->next + count) <= limit) {
    count++;
  }
  return count;
}

sb_status sb_samples_take(sb_simulation *sim, sb_error *err) {
  sb_samples *s = sim->samples;
  sb_evaluation evaluation;
  if (s->dense != NULL) {
    s->dense->made = false;
  }
  if (s->call == NULL) {
    return SB_OK;
  }
  if (s->interval == 0) {
    return sb_sample(sim, err);
  }
  long long count = count_passed(sim);
  if (count == 0) {
    return SB_OK;
  }
  long before = sim->work->rhs_count;
  if (!sb_workspace_keep(sim, &evaluation)) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  sb_status status = take(sim, count, err);
  s->panel.active = false;
  sb_workspace_put_back(sim, &evaluation);
  sim->beside += sim->work->rhs_count - before;
  return status;
}

double sb_simulation_time(const sb_simulation *sim) {
  return sim->view_t;
}

const double *sb_simulation_state(const sb_simulation *sim) {
  settle((sb_simulation *)sim);
  return sim->view_x;
}

const sb_ledger *sb_simulation_ledger(const sb_simulation *sim) {
  sb_simulation *own = (sb_simulation *)sim;
  if (sim->samples->calling) {
    settle(own);
    (void)sb_workspace_evaluate(sim->work, sim->view_t, sim->view_x);
    sb_audit_close(&own->audit, sim->view_t, sim->view_x);
  }
  return &sim->audit.ledger;
}

/** Brings the workspace to what is shown. */
static void evaluate_view(sb_simulation *sim) {
  const sb_evaluation *e = &sim->work->evaluation;
  settle(sim);
  if (sim->samples->viewed == 0 || !e->current || e->point != sim->samples->viewed) {
    (void)sb_workspace_evaluate(sim->work, sim->view_t, sim->view_x);
    sim->samples->viewed = e->point;
  }
}

/** Where an element of the model as given is now; -1: gone. */
static int present(const sb_simulation *sim, int element) {
  if (sim->own == NULL || element < sb_model_lasting_count(sim->first)) {
    return element;
  }
  const char *id = sim->first->network.instances[element].id;
  return sb_names_find(&sim->network->names, id, strlen(id));
}

void sb_simulation_read(const sb_simulation *sim, const sb_quantity *quantity, double out[]) {
  sb_samples *s = sim->samples;
  sb_quantity own = *quantity;
  own.element = present(sim, quantity->element);
  for (int k = 0; own.element < 0 && k < own.count; k++) {
    out[k] = NAN;
  }
  if (own.element >= 0 && (!s->calling || !sb_panel_read(&s->panel, &own, sim->view_t, out))) {
    evaluate_view((sb_simulation *)sim);
    sb_quantity_read_here(sim->work, &own, sim->view_t, sim->view_x, out);
  }
}
