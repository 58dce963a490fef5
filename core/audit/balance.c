// SPDX-License-Identifier: GPL-3.0-or-later
// The energy balance of every connected part of the network,
//   residual = stored(t) - stored(0) - supplied(t) + dissipated(t) + event losses(t) = 0,
// and the accounts of the elements. What is stored is computed from the states; what was supplied and
// dissipated is integrated along with them.
//
// Scale. A residual is judged against the energy that was at stake in its own part: what the storages have
// exchanged since the start (exchange.c), or what sources supplied, dissipations took or events lost. A constant in H does not enter into it.
// Rounding. H is known to a multiple of eps times its terms, constants included, and to what the rounding of places
// makes of it, once; the states, and the sums of supplied and dissipated energy, are rounded in every step; and states
// far below their tolerance are the rounding of its arithmetic. All follow from the model's own numbers.
#include <float.h>
#include <math.h>

#include "core/audit/audit_private.h"
#include "core/base/wide.h"
#include "core/network/roles.h"

/** Roundings in the evaluation of an energy, of which two are subtracted. */
static const double evaluation_rounding = 8 * DBL_EPSILON;

/** Sums are taken in so many parts, one beside the other in a register. */
enum { LANES = 4 };

typedef struct scalar_sums {
  double stored[LANES], exchanged[LANES];
} scalar_sums;

static double total(const double lanes[LANES]) {
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

/** A storage of one linear state: H = half x^2, and half of dH/dx is half x. */
__attribute__((always_inline)) static inline void add_scalar(double half, double q, double start,
                                                             int lane, scalar_sums *sums) {
  double h = half * q * q;
  sums->stored[lane] += h;
  sums->exchanged[lane] += fabs(h - start);
}

SB_WIDE static void add_scalars(const double *restrict half, const double *restrict q,
                                const double *restrict start, int count, scalar_sums *result) {
  scalar_sums sums = *result;
  int i = 0;
  for (; i + LANES <= count; i += LANES) {
    SB_LANES
    for (int k = 0; k < LANES; k++) {
      add_scalar(half[i + k], q[i + k], start[i + k], k, &sums);
    }
  }
  for (; i < count; i++) {
    add_scalar(half[i], q[i], start[i], 0, &sums);
  }
  *result = sums;
}

/** What absolute tolerances allow of the energies of the same. */
static double loose_of(const double half[], const double q[], const double atol[], int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    sum += atol[i] * fabs(half[i] * q[i]);
  }
  return sum;
}

static void add_all_scalars(const sb_audit *a, const sb_part_range *range, const double x[],
                            sb_balance *b) {
  scalar_sums sums = {0};
  for (int r = range->scalars; r < range[1].scalars; r++) {
    int first = a->scalars[r].first;
    add_scalars(a->scalar_half + first, x + first, a->scalar_start + first, a->scalars[r].count,
                &sums);
    if (a->nominal->has_atol) {
      b->loose += 2 * loose_of(a->scalar_half + first, x + first, a->nominal->atol + first,
                               a->scalars[r].count);
    }
  }
  double stored = total(sums.stored);
  b->stored += stored;
  b->terms += stored;
  b->moved += 2 * stored;
  b->held += 2 * stored;
  b->exchanged += total(sums.exchanged);
}

double sb_storage_terms(const sb_instance *instance, double energy, const sb_at *at) {
  if (!instance->linear) {
    const sb_storage_audit *audit = &instance->type->storage->audit;
    return audit->terms != NULL ? audit->terms(instance->self, at) : fabs(energy);
  }
  double sum = 0;
  for (int i = 0, d = instance->components; i < d; i++) {
    for (int k = 0; k < d; k++) {
      sum += 0.5 * fabs(instance->matrix[i * d + k] * at->x[i] * at->x[k]);
    }
  }
  return sum;
}

double sb_storage_output(const sb_audit *a, const sb_instance *instance, int k, const double x[]) {
  if (!instance->linear) {
    return a->work->values[instance->out + k];
  }
  double y = 0;
  for (int j = 0; j < instance->components; j++) {
    y += instance->matrix[k * instance->components + j] * x[instance->state + j];
  }
  return y;
}

double sb_storage_moved(const sb_audit *a, const sb_instance *instance, double terms,
                        const double x[]) {
  double moved = 0;
  if (!sb_storage_has_outputs(instance)) {
    return terms;
  }
  for (int k = 0; k < instance->components; k++) {
    moved += fabs(sb_storage_output(a, instance, k, x) * x[instance->state + k]);
  }
  return moved;
}

/** What absolute tolerances allow of the energy of a storage whose states have each an output. */
static double loose_by_outputs(const sb_audit *a, const sb_instance *instance, const double x[]) {
  double loose = 0;
  for (int k = 0; k < instance->components; k++) {
    loose += a->nominal->atol[instance->state + k] * fabs(sb_storage_output(a, instance, k, x));
  }
  return loose;
}

static void add_storage(const sb_audit *a, int index, double t, const double x[], sb_balance *b) {
  const sb_instance *instance = &a->network->instances[index];
  const sb_storage_hooks *hooks = instance->type->storage;
  const sb_at at = sb_at_instance(a->work, instance, t, x);
  const double h = instance->linear ? sb_instance_energy(a->work, index, t, x)
                                    : hooks->energy(instance->self, &at),
               terms = sb_storage_terms(instance, h, &at),
               moved = sb_storage_moved(a, instance, terms, x);
  double exchanged = 0;
  if (sb_storage_has_outputs(instance)) {
    exchanged = sb_storage_exchanged(a, index, h, x);
    b->loose += loose_by_outputs(a, instance, x);
  } else if (hooks->audit.exchanged != NULL) {
    exchanged = hooks->audit.exchanged(instance->self, &at, a->state_start + instance->state);
  }
  if (hooks->audit.places != NULL) {
    b->places += hooks->audit.places(instance->self, &at, a->work->values + instance->out);
  }
  b->stored += h;
  b->terms += terms;
  b->moved += moved;
  b->held += hooks->sizes.nominal == NULL ? moved : 0; // else sb_nominal.stake counts
  b->exchanged += sb_larger(exchanged, fabs(h - a->ledger.elements[index].stored_start));
  if (hooks->audit.sprung && -h - evaluation_rounding * terms > b->below) {
    b->below = -h - evaluation_rounding * terms;
    b->below_of = index;
  }
}

SB_WIDE static void add_run(const double *restrict x, int count, double *restrict sum,
                            double *restrict absolute) {
  double sums[LANES] = {0}, sizes[LANES] = {0};
  int i = 0;
  for (; i + LANES <= count; i += LANES) {
    SB_LANES
    for (int k = 0; k < LANES; k++) {
      sums[k] += x[i + k];
      sizes[k] += fabs(x[i + k]);
    }
  }
  for (; i < count; i++) {
    sums[0] += x[i];
    sizes[0] += fabs(x[i]);
  }
  *sum += total(sums);
  *absolute += total(sizes);
}

/** @param absolute  out: the sum of the absolute values */
static double sum_of(const double x[], const sb_run list[], int first, int last, double *absolute) {
  double sum = 0;
  for (int r = first; r < last; r++) {
    add_run(x + list[r].first, list[r].count, &sum, absolute);
  }
  return sum;
}

static sb_balance balance_of(const sb_audit *a, int part, double t, const double x[]) {
  const sb_part_range *range = &a->ranges[part];
  const sb_account *account = &a->ledger.parts[part].account;
  sb_balance b = {0};
  double supplied_size = 0, dissipated_size = 0;
  add_all_scalars(a, range, x, &b);
  for (int i = range->others; i < range[1].others; i++) {
    add_storage(a, a->others[i], t, x, &b);
  }
  double supplied = sum_of(x, a->supplies, range->supplies, range[1].supplies, &supplied_size);
  double dissipated = a->courses[part].gone +
                      sum_of(x, a->losses, range->losses, range[1].losses, &dissipated_size);
  b.moved += supplied_size + dissipated_size;
  b.held += supplied_size + dissipated_size;
  b.exchanged = sb_larger(sb_larger(b.exchanged, fabs(account->event_loss)),
                          sb_larger(supplied_size, dissipated_size));
  b.residual = b.stored - account->stored_start - supplied + dissipated + account->event_loss;
  return b;
}

void sb_audit_balance(sb_audit *a, double t, const double x[]) {
  for (int i = 0; i < a->ledger.part_count; i++) {
    a->now[i] = balance_of(a, i, t, x);
  }
}

static double rounding_of(const sb_audit *a, int part) {
  const sb_part_course *c = &a->courses[part];
  return evaluation_rounding * (c->most.terms + a->nominal->held[part]) +
         DBL_EPSILON * (c->moved + c->most.loose + c->most.places) + c->idle;
}

double sb_audit_excess(const sb_audit *a, const double least[]) {
  double worst = 0;
  for (int i = 0; i < a->ledger.part_count; i++) {
    const sb_balance *now = &a->now[i];
    const sb_part_course *c = &a->courses[i];
    double rounding =
        evaluation_rounding * sb_larger(c->most.terms, now->terms) + DBL_EPSILON * now->places;
    double added = fabs(now->residual - c->residual);
    double stake =
        sb_larger(sb_larger(c->most.exchanged, now->exchanged), sb_larger(now->held, least[i]));
    double tolerance = a->options->rtol * stake + now->loose + rounding / SB_EXCESS_ALLOWED;
    worst = added > worst * tolerance ? added / tolerance : worst;
  }
  return worst;
}

double sb_audit_part_rounding(const sb_audit *a, int part) {
  return evaluation_rounding * a->courses[part].most.terms;
}

static void note_most(sb_part_course *c, const sb_balance *now) {
  c->most.exchanged = sb_larger(c->most.exchanged, now->exchanged);
  c->most.terms = sb_larger(c->most.terms, now->terms);
  c->most.places = sb_larger(c->most.places, now->places);
  c->most.moved = sb_larger(c->most.moved, now->moved);
  c->most.loose = sb_larger(c->most.loose, now->loose);
}

void sb_audit_start(sb_audit *a, double t, const double x[]) {
  sb_ledger *ledger = &a->ledger;
  ledger->t_start = ledger->t_end = a->sampled_t = t;
  sb_audit_forget(a);
  for (int i = 0; i < a->network->state_count; i++) {
    a->state_start[i] = x[i];
  }
  for (int i = 0; i < a->network->instance_count; i++) {
    ledger->elements[i].stored_start = sb_instance_energy(a->work, i, t, x);
  }
  for (int i = 0; i < a->ranges[ledger->part_count].others; i++) {
    sb_audit_exchange_start(a, a->others[i], x);
  }
  for (int i = 0; i < a->network->state_count; i++) {
    a->scalar_start[i] = a->scalar_half[i] * x[i] * x[i];
  }
  sb_audit_balance(a, t, x);
  for (int i = 0; i < ledger->part_count; i++) {
    ledger->parts[i].account.stored_start = a->now[i].stored;
    a->courses[i] = (sb_part_course){.most = a->now[i]};
  }
}

void sb_audit_step(sb_audit *a, double t, const double x[], const double xdot[]) {
  for (int i = 0; i < a->ledger.part_count; i++) {
    const sb_balance *now = &a->now[i];
    sb_part *part = &a->ledger.parts[i];
    sb_part_course *c = &a->courses[i];
    note_most(c, now);
    c->moved += now->moved;
    c->idle += a->nominal->idle[i] + a->nominal->spread[i];
    c->residual = now->residual;
    if (!(fabs(now->residual) <= part->residual_max)) {
      part->residual_max = fabs(now->residual);
      part->residual_time = t;
    }
  }
  for (int i = 0; i < a->ranges[a->ledger.part_count].others; i++) {
    sb_audit_exchange(a, a->others[i], t, x);
  }
  a->ledger.t_end = t;
  if (xdot != NULL) {
    sb_audit_passive(a, t, x, xdot);
  }
}

static void add_account(sb_account *sum, const sb_account *item) {
  sum->stored_start += item->stored_start;
  sum->stored_end += item->stored_end;
  sum->supplied += item->supplied;
  sum->dissipated += item->dissipated;
  sum->event_loss += item->event_loss;
  sum->level += item->level;
}

static void clear_end(sb_account *account) {
  account->stored_end = account->supplied = account->dissipated = account->level = 0;
}

/** Of two elements of a part, that to which an error of the balance is rather due: whose law loses more power; where
 *  all laws hold, whose account is off more. */
static int worse_of(const sb_audit *a, int i, int j) {
  const double *error =
      a->power_error[i] > 0 || a->power_error[j] > 0 ? a->power_error : a->account_error;
  return error[j] > error[i] ? j : i;
}

/** The storage with the largest terms, whose rounding it is most. */
static void note_terms(const sb_audit *a, const sb_instance *instance, double energy, double t,
                       const double x[], sb_part *part) {
  const sb_at at = sb_at_instance(a->work, instance, t, x);
  const double terms =
      instance->type->storage != NULL ? sb_storage_terms(instance, energy, &at) : 0;
  if (terms > part->terms) {
    part->terms = terms;
    part->terms_element = instance->id;
  }
}

/** Accounts of the elements and of the parts, and of each part the worst element. */
static void fill_elements(sb_audit *a, double t, const double x[]) {
  sb_ledger *ledger = &a->ledger;
  for (int i = 0; i < ledger->part_count; i++) {
    clear_end(&ledger->parts[i].account);
    ledger->parts[i].terms = 0;
    ledger->parts[i].account.dissipated = a->courses[i].gone;
    a->courses[i].worst = a->ranges[i].first;
  }
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    sb_account *account = &ledger->elements[i];
    int part = a->network->part_of[i];
    account->stored_end = sb_instance_energy(a->work, i, t, x);
    account->level = sb_instance_level(instance);
    account->event_loss = a->work->event_loss[i];
    if (instance->quadrature >= 0) {
      double sum = x[a->network->state_count + instance->quadrature];
      *(instance->type->source != NULL ? &account->supplied : &account->dissipated) = sum;
    }
    if (part >= 0) {
      sb_account own = *account;
      own.stored_start = own.event_loss = 0; // known of the part
      add_account(&ledger->parts[part].account, &own);
      note_terms(a, instance, account->stored_end, t, x, &ledger->parts[part]);
      a->courses[part].worst = worse_of(a, a->courses[part].worst, i);
    }
  }
}

/** Where all that happened is within the tolerance of the states, nothing is to be resolved. What is held by large forces is at rest
 *  only if the storages have kept their energy. */
static bool is_at_rest(const sb_audit *a, const sb_part_course *c) {
  static const double little = 1e-3;
  const sb_account *account = &a->ledger.parts[c - a->courses].account;
  const double rtol = a->options->rtol, change = fabs(account->stored_end - account->stored_start);
  const bool kept = change <= sb_larger(rtol * c->most.terms, little * c->most.exchanged);
  const double held = kept ? a->nominal->held[c - a->courses] : 0;
  return c->most.exchanged <= rtol * (c->most.moved + held) + c->most.loose;
}

/** What the balance of a part was missed by at the most, beyond rounding, relative to what was at stake. */
static double relative_residual(const sb_audit *a, int part) {
  double beyond = a->ledger.parts[part].residual_max - rounding_of(a, part);
  return beyond <= 0 ? 0 : beyond / a->courses[part].most.exchanged;
}

double sb_audit_residual(const sb_audit *a) {
  double worst = 0;
  for (int i = 0; i < a->ledger.part_count; i++) {
    worst = sb_larger(worst, relative_residual(a, i));
  }
  return worst;
}

static void judge_part(sb_audit *a, int index) {
  const sb_part_course *c = &a->courses[index];
  sb_part *part = &a->ledger.parts[index];
  part->scale = c->most.exchanged;
  part->rounding = rounding_of(a, index);
  part->residual_element = a->network->instances[c->worst].id;
  part->residual_relative = relative_residual(a, index);
  part->unresolved = part->residual_max <= part->rounding &&
                     part->residual_max > a->ledger.limit * part->scale && !is_at_rest(a, c);
}

/** The worst part speaks for the ledger. The residuals of all parts add up to no more, relative to the sum
 *  of their scales. */
static void judge(sb_audit *a) {
  sb_ledger *ledger = &a->ledger;
  ledger->worst_part = ledger->part_count > 0 ? 0 : -1;
  for (int i = 0; i < ledger->part_count; i++) {
    judge_part(a, i);
    const sb_part *part = &ledger->parts[i], *worst = &ledger->parts[ledger->worst_part];
    bool worse = !(part->residual_relative <= worst->residual_relative) ||
                 (part->residual_relative == worst->residual_relative &&
                  part->residual_max * worst->scale > worst->residual_max * part->scale);
    ledger->worst_part = worse ? i : ledger->worst_part;
  }
  if (ledger->worst_part >= 0) {
    const sb_part *worst = &ledger->parts[ledger->worst_part];
    ledger->scale = worst->scale;
    ledger->residual_max = worst->residual_max;
    ledger->residual_relative = worst->residual_relative;
    ledger->residual_time = worst->residual_time;
    ledger->residual_element = worst->residual_element;
  }
}

void sb_audit_close(sb_audit *a, double t, const double x[]) {
  sb_ledger *ledger = &a->ledger;
  fill_elements(a, t, x);
  sb_account total = {.id = ledger->total.id};
  for (int i = 0; i < ledger->element_count; i++) {
    add_account(&total, &ledger->elements[i]);
  }
  ledger->total = total;
  for (int i = 0; i < ledger->group_count; i++) {
    ledger->groups[i] = (sb_account){.id = a->network->groups[i].id};
    for (int k = 0; k < a->network->groups[i].count; k++) {
      add_account(&ledger->groups[i], &ledger->elements[a->network->groups[i].members[k]]);
    }
  }
  judge(a);
  ledger->t_end = t;
  sb_audit_lost_digits(a, t - ledger->t_start);
}
