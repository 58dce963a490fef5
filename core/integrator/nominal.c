// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrator/nominal.h"

#include <string.h>

#include "core/base/error.h"
#include "core/base/wide.h"
#include "core/integrator/nominal_private.h"
#include "core/integrator/norm_private.h"
#include "core/model/constraints.h"

/** A storage counts with no less than what rounding, as this fraction of its amplitude, makes of rtol. */
static const double rounding = 64 * DBL_EPSILON;
/** Newton's iteration finds a stage to the rounding of places itself, and what is left of it is in the estimate of the error, that aims at a
 *  sixth of a tolerance and less: of implicit methods a tolerance is so many times what rounding makes of a state in the root mean square. */
static const double of_stages = 64;
/** An energy counts in the energy balance of a step with this fraction of the largest in its part at least. */
static const double least_stake = 1e-6;
/** A step that moves a state by so many times its size leaves what the size was taken from. */
static const double far = 64;

static bool is_scalar(const sb_instance *instance) {
  return instance->type->storage != NULL && instance->linear && instance->components == 1;
}

static bool has_states(const sb_instance *instance) {
  return instance->layout.states > 0;
}

/** Adds a place in the vector to the last run, if that ends there, or to a new one. */
static void append(sb_nominal_run runs[], int *count, int place, int part) {
  sb_nominal_run *last = *count > 0 ? &runs[*count - 1] : NULL;
  if (last != NULL && last->part == part && last->first + last->count == place) {
    last->count++;
  } else {
    runs[(*count)++] = (sb_nominal_run){place, 1, part};
  }
}

/** Lists the elements with states: runs of linear storages of one state, and others; and the quadratures. */
static void list_states(sb_nominal *n) {
  const sb_network *network = n->network;
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    if (instance->quadrature >= 0) {
      append(n->quadratures, &n->quadrature_run_count, network->state_count + instance->quadrature,
             network->part_of[i]);
    }
    if (!has_states(instance)) {
      continue;
    }
    if (!is_scalar(instance)) {
      const sb_storage_hooks *storage = instance->type->storage;
      n->others[n->other_count++] = i;
      memset(n->integral + instance->state, storage == NULL,
             (size_t)instance->layout.states * sizeof *n->integral);
      if (storage != NULL && storage->sizes.nominal != NULL) {
        n->sized[network->part_of[i]] = true;
      }
      const sb_structure_hooks *structure = instance->type->structure;
      if (structure != NULL && structure->nominal != NULL) {
        structure->nominal(instance->self, n->foreseen + instance->state);
      }
      continue;
    }
    n->stiffness[instance->state] = instance->matrix[0];
    append(n->runs, &n->run_count, instance->state, network->part_of[i]);
  }
}

static void make_record(sb_nominal *n, sb_nominal_record *r) {
  const int states = n->network->state_count, parts = n->network->part_count;
  const int lengths[] = {sb_vector_count(n->network),
                         SB_SIZES_KEPT * states,
                         states,
                         states,
                         states,
                         states,
                         parts,
                         parts,
                         2 * n->kind_count * parts};
  double **const arrays[] = {&r->size,    &r->kept,   &r->output, &r->slope, &r->lowest,
                             &r->highest, &r->energy, &r->scale,  &r->peak};
  enum { ARRAYS = sizeof lengths / sizeof *lengths };
  n->record_length = 0;
  for (int k = 0; k < ARRAYS; k++) {
    n->record_length += lengths[k];
  }
  double *block = sb_arena_zeroed(&n->memory, n->record_length, sizeof(double));
  for (int k = 0; k < ARRAYS && block != NULL; k++) {
    *arrays[k] = block;
    block += lengths[k];
  }
}

sb_status sb_nominal_init(sb_nominal *n, const sb_options *options, sb_workspace *work,
                          sb_error *err) {
  const sb_network *network = work->network;
  int length = sb_vector_count(network), instances = network->instance_count;
  *n = (sb_nominal){
      .network = network, .work = work, .rtol = options->rtol, .fixed = options->step > 0};
  n->implicit = options->method->implicit;
  n->least = pow(fmax(sb_least_amplitude, rounding / n->rtol), 2);
  if (!sb_peaks_init(n)) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  make_record(n, &n->now);
  make_record(n, &n->trial);
  n->stiffness = sb_arena_zeroed(&n->memory, length, sizeof(double));
  n->runs = sb_arena_zeroed(&n->memory, network->state_count, sizeof(sb_nominal_run));
  n->others = sb_arena_zeroed(&n->memory, instances, sizeof(int));
  n->quadratures = sb_arena_zeroed(&n->memory, network->quadrature_count, sizeof(sb_nominal_run));
  double **const vectors[] = {&n->origin,  &n->atol,     &n->state_atol, &n->output_atol,
                              &n->chosen,  &n->x,        &n->rate[0],    &n->rate[1],
                              &n->rate[2], &n->foreseen, &n->blurred};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    *vectors[k] = sb_arena_zeroed(&n->memory, length, sizeof(double));
  }
  n->used = n->chosen;
  n->stake = sb_arena_zeroed(&n->memory, network->part_count, sizeof(double));
  n->integral = sb_arena_zeroed(&n->memory, network->state_count, sizeof(bool));
  n->sized = sb_arena_zeroed(&n->memory, network->part_count, sizeof(bool));
  n->noise = sb_arena_zeroed(&n->memory, network->part_count, sizeof(double));
  n->idle = sb_arena_zeroed(&n->memory, network->part_count, sizeof(double));
  n->held = sb_arena_zeroed(&n->memory, network->part_count, sizeof(double));
  n->hold = sb_arena_zeroed(&n->memory, network->part_count, sizeof(double));
  n->spread = sb_arena_zeroed(&n->memory, network->part_count, sizeof(double));
  if (n->memory.failed) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  list_states(n);
  return sb_absolute_init(n, options, err);
}

void sb_nominal_finish(sb_nominal *n) {
  sb_arena_finish(&n->memory);
}

/** Until the end of the trial the motion is followed relative to what it is there: what has begun at t is not known to
 *  a fraction of itself before t' - t is many roundings of t. Sizes that are known behind it stay so. */
static void choose_sizes(sb_nominal *n, bool within) {
  const double *now = n->now.size, *trial = n->trial.size;
  int unknown = within;
  for (int i = 0, length = sb_vector_count(n->network); i < length && !n->known; i++) {
    n->chosen[i] = now[i] > 0 && !within ? now[i] : sb_larger(now[i], trial[i]);
    unknown += !(now[i] > 0);
  }
  n->known = unknown == 0;
  n->used = n->known ? n->now.size : n->chosen;
}

/** What an energy counts as at least in the energy balance of a step, by the same sizes. */
static void choose_stakes(sb_nominal *n, bool within) {
  for (int p = 0; p < n->network->part_count; p++) {
    double scale = within ? sb_larger(n->now.scale[p], n->trial.scale[p]) : n->now.scale[p];
    n->stake[p] =
        fmax((n->sized[p] ? 1 : least_stake) * scale, (n->idle[p] + n->spread[p]) / n->rtol);
  }
}

void sb_nominal_choose(sb_nominal *n, double trial_end) {
  n->known = false;
  n->trial_end = trial_end;
  choose_sizes(n, true);
  choose_stakes(n, true);
}

void sb_nominal_blur(sb_nominal *n, const double known[]) {
  for (int i = 0, length = sb_vector_count(n->network); i < length; i++) {
    n->blurred[i] = fmax(n->blurred[i], fabs(known[i]));
  }
  memset(n->spread, 0, (size_t)n->network->part_count * sizeof *n->spread);
  for (int r = 0; r < n->quadrature_run_count; r++) {
    const sb_nominal_run *run = &n->quadratures[r];
    for (int i = run->first; i < run->first + run->count; i++) {
      n->spread[run->part] += n->blurred[i];
    }
  }
}

static void measure_noise(sb_nominal *n, double t, const double x[]) {
  const double times = n->implicit && !n->fixed ? of_stages * of_stages : 1;
  for (int i = 0; i < n->other_count; i++) {
    const sb_instance *instance = &n->network->instances[n->others[i]];
    if (!sb_live_idles(&n->work->live, n->others[i]) && instance->type->storage != NULL &&
        instance->type->storage->sizes.noise != NULL) {
      sb_at at = sb_at_instance(n->work, instance, t, x);
      double *noise = &n->noise[n->network->part_of[n->others[i]]];
      *noise = fmax(*noise, times * instance->type->storage->sizes.noise(instance->self, &at));
    }
  }
}

/** What constraints hold at rest is known to the rounding of the forces that hold it, and no motion by less is followed: in
 *  the last step they would have given it an energy that counts as one. */
static void measure_holds(sb_nominal *n, double t) {
  const double h = t - n->accepted_t;
  for (int p = 0; p < n->network->part_count && sb_has_multipliers(&n->work->program->causality);
       p++) {
    const double energy = sb_constraints_push(n->work, p) * h * h;
    n->now.energy[p] = fmax(n->now.energy[p], energy);
    n->hold[p] = fmax(n->hold[p], energy);
    n->held[p] += 2 * sb_constraints_push_of_all(n->work, p) * h * h;
  }
  n->accepted_t = t;
}

void sb_nominal_accept(sb_nominal *n, double t, const double x[]) {
  measure_holds(n, t);
  measure_noise(n, t, x);
  sb_nominal_measure(n, &n->now, t, x);
  sb_absolute_accept(n);
  choose_sizes(n, t < n->trial_end);
  choose_stakes(n, t < n->trial_end);
}

bool sb_nominal_awakes(sb_nominal *n, double t, const double x0[], const double x[]) {
  bool any = false;
  for (int i = 0; i < n->network->state_count && !n->known && !n->fixed; i++) {
    any = any || (n->chosen[i] == 0 && n->atol[i] == 0 && x[i] != x0[i]);
  }
  if (!any) {
    return false;
  }
  const bool held = sb_nominal_measure_held(n, t, x); // where what is held moves by rounding
  any = false;
  for (int i = 0; i < n->network->state_count; i++) {
    if (n->chosen[i] == 0 && n->atol[i] == 0 && x[i] != x0[i]) {
      n->trial.size[i] = fmax(held ? n->trial.size[i] : 0, fabs(x[i] - n->origin[i]));
      any = any || n->trial.size[i] > 0;
    }
  }
  if (any) {
    n->trial_end = t;
    choose_sizes(n, true);
  }
  return any;
}

/** The numbers that the rounding of a state is a fraction of: |x|, of a component of a vector the length of that. */
static void measure_lengths(const sb_state_vectors *vectors, const double x[], int count,
                            double length[]) {
  for (int i = 0; i < count; i++) {
    length[i] = fabs(x[i]);
  }
  for (int v = 0; v < vectors->count; v++) {
    const int first = vectors->items[v].first, end = first + vectors->items[v].count;
    const double whole = sb_length(x + first, end - first);
    for (int i = first; i < end; i++) {
      length[i] = whole;
    }
  }
}

/** See sb_nominal_tolerance(). @param weight  in: the lengths */
SB_WIDE static void weigh(const sb_nominal *n, int count, double weight[]) {
  const double *restrict used = n->used, *restrict atol = n->atol;
  double *restrict w = weight, rtol = n->rtol;
  for (int i = 0; i < count; i++) {
    double size = rtol * used[i], rounding_of_sum = 4 * DBL_EPSILON * w[i];
    double tolerance = rounding_of_sum > size ? rounding_of_sum : size;
    w[i] = tolerance > 0 ? tolerance : HUGE_VAL;
  }
  for (int i = 0; i < count && n->has_atol; i++) {
    double tolerance = w[i] < HUGE_VAL ? w[i] : 0;
    w[i] = atol[i] > tolerance ? atol[i] : w[i];
  }
  for (int i = 0; i < count; i++) { // a loop of its own, as no division may be made in vain
    w[i] = 1 / w[i];
  }
}

void sb_nominal_weights(const sb_nominal *n, const double x[], int count, double weight[]) {
  measure_lengths(&n->network->vectors, x, count, weight);
  weigh(n, count, weight);
}

double sb_nominal_size(const double size[], int components) {
  double least = size[0];
  for (int k = 1; k < components; k++) {
    least = fmin(least, size[k]);
  }
  return least;
}

bool sb_nominal_reaches(const sb_nominal *n, double h, const double xdot[]) {
  const double *size = n->now.size;
  int next = 0, own = 1;
  for (int i = 0, length = sb_vector_count(n->network); i < length; i += own) {
    own = sb_state_components(&n->network->vectors, i, &next);
    if (!(h * sb_length(xdot + i, own) <= far * sb_nominal_size(size + i, own))) {
      return false;
    }
  }
  return h > 0;
}

void sb_nominal_start(sb_nominal *n, double t, const double x[]) {
  memcpy(n->origin, x, (size_t)n->network->state_count * sizeof *x);
  n->accepted_t = t;
  sb_absolute_start(n, t, x);
  sb_nominal_accept(n, t, x);
}

static void succeed_record(const sb_succession *s, const sb_nominal_record *from,
                           const sb_nominal_record *to) {
  size_t parts = (size_t)s->to->part_count * sizeof(double); // the same
  sb_succession_vector(s, from->size, to->size);
  sb_succession_of_states(s, SB_SIZES_KEPT, from->kept, to->kept);
  sb_succession_states(s, from->output, to->output);
  sb_succession_states(s, from->slope, to->slope);
  sb_succession_states(s, from->lowest, to->lowest);
  sb_succession_states(s, from->highest, to->highest);
  memcpy(to->energy, from->energy, parts);
  memcpy(to->scale, from->scale, parts);
}

void sb_nominal_succeed(sb_nominal *n, const sb_nominal *before, const sb_succession *s, double t,
                        const double x[]) {
  memcpy(n->origin, x, (size_t)n->network->state_count * sizeof *x);
  sb_succession_states(s, before->origin, n->origin);
  sb_succession_states(s, before->foreseen, n->foreseen);
  sb_succession_vector(s, before->blurred, n->blurred);
  succeed_record(s, &before->now, &n->now);
  succeed_record(s, &before->trial, &n->trial);
  sb_peaks_find(n, &n->now);
  memcpy(n->noise, before->noise, (size_t)n->network->part_count * sizeof *n->noise);
  memcpy(n->idle, before->idle, (size_t)n->network->part_count * sizeof *n->idle);
  memcpy(n->held, before->held, (size_t)n->network->part_count * sizeof *n->held);
  memcpy(n->hold, before->hold, (size_t)n->network->part_count * sizeof *n->hold);
  memcpy(n->spread, before->spread, (size_t)n->network->part_count * sizeof *n->spread);
  n->accepted_t = t;
  sb_absolute_start(n, t, x);
  sb_nominal_accept(n, t, x);
}
