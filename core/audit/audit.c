// SPDX-License-Identifier: GPL-3.0-or-later
// The balance: stored(t) - stored(0) - supplied(t) + dissipated(t) + event losses(t). What is stored
// is evaluated from the states; what was supplied and dissipated is integrated along with them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/audit/audit.h"
#include "core/base/array.h"

/** An event that changes an energy by less than this part of all energy present loses nothing. */
static const double rounding = 1e-15;
static const double passive_tol = 1e-12; // of the largest power of an element: rounding

static sb_status make_accounts(sb_audit *a) {
  const sb_network *network = a->network;
  sb_ledger *ledger = &a->ledger;
  ledger->elements = sb_zeroed(network->instance_count, sizeof(sb_account));
  ledger->groups = sb_zeroed(network->group_count, sizeof(sb_account));
  if (ledger->elements == NULL || ledger->groups == NULL) {
    return SB_ERR_MEMORY;
  }
  ledger->element_count = network->instance_count;
  ledger->group_count = network->group_count;
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    ledger->elements[i] = (sb_account){
        .id = instance->id, .kind = instance->type->name, .role = instance->type->role};
  }
  for (int i = 0; i < network->group_count; i++) {
    ledger->groups[i].id = network->groups[i].id;
  }
  ledger->total.id = network->name;
  return SB_OK;
}

static void make_lists(sb_audit *a) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    if (instance->type->role == SB_STORAGE && instance->linear && instance->components == 1) {
      a->scalar_half[a->scalar_count] = 0.5 * instance->matrix[0];
      a->scalar_state[a->scalar_count++] = instance->state;
    } else if (instance->type->role == SB_STORAGE) {
      a->others[a->other_count++] = i;
    } else if (instance->quadrature >= 0 && instance->type->role == SB_SOURCE) {
      a->supplies[a->supply_count++] = a->network->state_count + instance->quadrature;
    } else if (instance->quadrature >= 0) {
      a->losses[a->loss_count++] = a->network->state_count + instance->quadrature;
    }
  }
}

sb_status sb_audit_init(sb_audit *a, const sb_network *network, sb_workspace *work,
                        const sb_ledger *settings, sb_error *err) {
  int n = sb_vector_count(network), instances = network->instance_count;
  *a = (sb_audit){.network = network,
                  .work = work,
                  .ledger = *settings,
                  .scalar_state = sb_zeroed(instances, sizeof(int)),
                  .scalar_half = sb_zeroed(instances, sizeof(double)),
                  .others = sb_zeroed(instances, sizeof(int)),
                  .supplies = sb_zeroed(instances, sizeof(int)),
                  .losses = sb_zeroed(instances, sizeof(int)),
                  .energy = sb_zeroed(instances, sizeof(double)),
                  .after = sb_zeroed(instances, sizeof(double)),
                  .assigned = sb_zeroed(network->quadrature_count, sizeof(double)),
                  .blame = sb_zeroed(instances, sizeof(double)),
                  .greatest = sb_zeroed(instances, sizeof(double)),
                  .power_size = sb_zeroed(network->quadrature_count, sizeof(double)),
                  .row_error = sb_zeroed(instances, sizeof(double)),
                  .row_size = sb_zeroed(instances, sizeof(double)),
                  .x = sb_zeroed(n, sizeof(double)),
                  .rate = sb_zeroed(n, sizeof(double)),
                  .amplitude = sb_zeroed(instances, sizeof(double)),
                  .variable_greatest = sb_zeroed(2 * network->pair_count, sizeof(double)),
                  .sizes = sb_zeroed(2 * network->pair_count, sizeof(double))};
  bool ok = a->scalar_state != NULL && a->scalar_half != NULL && a->others != NULL &&
            a->supplies != NULL && a->losses != NULL && a->energy != NULL && a->after != NULL &&
            a->assigned != NULL && a->blame != NULL && a->greatest != NULL &&
            a->power_size != NULL && a->row_error != NULL && a->row_size != NULL && a->x != NULL &&
            a->rate != NULL && a->sizes != NULL && a->amplitude != NULL &&
            a->variable_greatest != NULL;
  a->ledger.structure.rank_ok = true;
  if (!ok || make_accounts(a) != SB_OK || sb_audit_laws_init(a) != SB_OK ||
      sb_audit_structures(a) != SB_OK) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  make_lists(a);
  sb_audit_bonds(a);
  return SB_OK;
}

void sb_audit_finish(sb_audit *a) {
  free(a->scalar_state);
  free(a->scalar_half);
  free(a->others);
  free(a->supplies);
  free(a->losses);
  free(a->energy);
  free(a->after);
  free(a->assigned);
  free(a->blame);
  free(a->greatest);
  free(a->power_size);
  free(a->row_error);
  free(a->row_size);
  free(a->x);
  free(a->rate);
  free(a->sizes);
  free(a->variable_greatest);
  free(a->amplitude);
  free(a->ledger.elements);
  free(a->ledger.groups);
  free(a->ledger.events);
  sb_equations_finish(&a->equations);
  sb_audit_laws_finish(a);
}

static double magnitude_of(const sb_audit *a, int index, double energy, double t,
                           const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  if (instance->linear || instance->type->storage->magnitude == NULL) {
    return fabs(energy);
  }
  sb_at at = sb_at_instance(a->work, instance, t, x);
  return instance->type->storage->magnitude(instance->self, &at);
}

/** Stored energy, and the sum of the absolute values of its terms. */
static double stored(const sb_audit *a, double t, const double x[], double *magnitude) {
  double sum = 0, absolute;
  for (int i = 0; i < a->scalar_count; i++) {
    double q = x[a->scalar_state[i]];
    sum += a->scalar_half[i] * q * q;
  }
  absolute = sum;
  for (int i = 0; i < a->other_count; i++) {
    double h = sb_instance_energy(a->work, a->others[i], t, x);
    sum += h;
    absolute += magnitude_of(a, a->others[i], h, t, x);
  }
  *magnitude = absolute;
  return sum;
}

static double energies(const sb_audit *a, double t, const double x[], double energy[]) {
  double sum = 0;
  for (int i = 0; i < a->network->instance_count; i++) {
    energy[i] = sb_instance_energy(a->work, i, t, x);
    sum += energy[i];
  }
  return sum;
}

static double sum_of(const double x[], const int list[], int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) {
    sum += x[list[i]];
  }
  return sum;
}

void sb_audit_start(sb_audit *a, double t, const double x[]) {
  sb_ledger *ledger = &a->ledger;
  double magnitude, h = stored(a, t, x, &magnitude);
  (void)energies(a, t, x, a->energy);
  ledger->t_start = ledger->t_end = a->sampled_t = t;
  ledger->total.stored_start = ledger->total.stored_end = h;
  a->stored_min = a->stored_max = h;
  a->magnitude_max = magnitude;
  for (int i = 0; i < a->network->instance_count; i++) {
    ledger->elements[i].stored_start = a->energy[i];
  }
}

/** The sums of the absolute values of the products that make up each power: what goes in at one port
 *  and out at another leaves rounding of these. */
static void size_powers(sb_audit *a, const double x[]) {
  const sb_program *p = a->work->program;
  int n = a->network->state_count;
  memset(a->power_size, 0, (size_t)a->network->quadrature_count * sizeof *a->power_size);
  for (int i = 0; i < p->product_count; i++) {
    const sb_product *product = &p->products[i];
    double f = product->a < n ? x[product->a] : a->work->values[product->a - n];
    double e = product->b < n ? x[product->b] : a->work->values[product->b - n];
    a->power_size[product->dest] += fabs(product->factor * e * f);
  }
}

/** The power that a dissipation makes heat of [W]. Where the heat flows on through ports of its kind, the
 *  powers of all ports balance whatever the law, and what tells is the entropy that is made: the work that
 *  it would take to undo it at the temperature of the first of them. */
static double degraded(const sb_audit *a, const sb_instance *instance, double power) {
  double entropy = 0, temperature = 0; // [W/K], [K]
  for (int p = 0; instance->hooked && p < instance->layout.port_count; p++) {
    const char *domain = instance->type->ports[p].domain;
    if (domain != NULL && strcmp(domain, "thermal") == 0 &&
        instance->layout.ports[p].output == SB_FLOW) {
      temperature =
          temperature == 0 ? a->work->values[instance->in + instance->first[p]] : temperature;
      entropy -= a->work->values[instance->out + instance->first[p]];
    }
  }
  return temperature > 0 ? fmin(power, temperature * entropy) : power;
}

void sb_audit_passive(sb_audit *a, double t, const double x[], const double xdot[]) {
  size_powers(a, x);
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    if (instance->type->role != SB_DISSIPATION) {
      continue;
    }
    double power = xdot[a->network->state_count + instance->quadrature];
    a->greatest[i] = fmax(a->greatest[i], fmax(fabs(power), a->power_size[instance->quadrature]));
    power = degraded(a, instance, power);
    if (power < -passive_tol * a->greatest[i]) {
      a->ledger.passivity.violations++;
      if (power < a->ledger.passivity.worst) {
        a->ledger.passivity.worst = power;
        a->ledger.passivity.element = instance->id;
        a->ledger.passivity.t = t;
      }
    }
  }
}

sb_balance sb_audit_balance(const sb_audit *a, double t, const double x[]) {
  sb_balance b;
  b.stored = stored(a, t, x, &b.magnitude);
  b.supplied = sum_of(x, a->supplies, a->supply_count);
  b.dissipated = sum_of(x, a->losses, a->loss_count);
  b.residual = b.stored - a->ledger.total.stored_start - b.supplied + b.dissipated +
               a->ledger.total.event_loss;
  return b;
}

double sb_audit_scale(const sb_audit *a) {
  // Rounding grows with the energy present, also where none changes hands.
  return fmax(fmax(a->stored_max - a->stored_min, a->magnitude_max),
              fmax(a->supplied_max, a->dissipated_max));
}

void sb_audit_step(sb_audit *a, double t, const sb_balance *b, const double x[],
                   const double xdot[]) {
  sb_ledger *ledger = &a->ledger;
  a->stored_min = fmin(a->stored_min, b->stored);
  a->stored_max = fmax(a->stored_max, b->stored);
  a->magnitude_max = fmax(a->magnitude_max, b->magnitude);
  a->supplied_max = fmax(a->supplied_max, fabs(b->supplied));
  a->dissipated_max = fmax(a->dissipated_max, fabs(b->dissipated));
  a->residual = b->residual;
  if (!(fabs(b->residual) <= ledger->residual_max)) {
    ledger->residual_max = fabs(b->residual);
    ledger->residual_time = t;
  }
  ledger->t_end = t;
  if (xdot != NULL) {
    sb_audit_passive(a, t, x, xdot);
  }
}

void sb_audit_before(sb_audit *a, double t, const double x[]) {
  memcpy(a->before, x, (size_t)a->network->state_count * sizeof *x);
  (void)energies(a, t, x, a->energy);
  for (int i = 0; i < a->network->quadrature_count; i++) {
    a->assigned[i] = x[a->network->state_count + i];
  }
}

sb_status sb_audit_event(sb_audit *a, double t, const double x[], const char *kind, int instance,
                         sb_error *err) {
  sb_ledger *ledger = &a->ledger;
  double before = 0, loss = 0, after = energies(a, t, x, a->after);
  sb_audit_impact(a, x);
  a->restitution = 0;
  a->struck_source = false;
  for (int i = 0; i < a->network->instance_count; i++) {
    double difference = a->energy[i] - a->after[i];
    before += a->energy[i];
    if (fabs(difference) > rounding * a->magnitude_max) {
      loss += difference;
      ledger->elements[i].event_loss += difference;
    }
    a->energy[i] = a->after[i];
    int quadrature =
        a->network->instances[i].quadrature; // what a source gives at once is lost there, or stored
    double assigned =
        quadrature < 0 ? 0 : x[a->network->state_count + quadrature] - a->assigned[quadrature];
    loss += assigned;
    ledger->elements[i].event_loss += assigned;
    if (quadrature >= 0) {
      a->assigned[quadrature] += assigned;
    }
  }
  ledger->total.event_loss += loss;
  if (kind == NULL) {
    return SB_OK;
  }
  if (!sb_grow(&ledger->events, &a->event_capacity, ledger->event_count + 1, sizeof(sb_event))) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  ledger->events[ledger->event_count++] =
      (sb_event){t, kind, a->network->instances[instance].id, loss, before, after};
  ledger->work.events++;
  return SB_OK;
}

static void add_account(sb_account *sum, const sb_account *item) {
  sum->stored_start += item->stored_start;
  sum->stored_end += item->stored_end;
  sum->supplied += item->supplied;
  sum->dissipated += item->dissipated;
  sum->event_loss += item->event_loss;
}

static void find_blame(sb_audit *a) {
  int worst = -1;
  for (int i = 0; i < a->network->instance_count; i++) {
    if (worst < 0 || a->blame[i] > a->blame[worst]) {
      worst = i;
    }
  }
  a->ledger.residual_element = worst < 0 ? "" : a->network->instances[worst].id;
}

void sb_audit_close(sb_audit *a, double t, const double x[]) {
  sb_ledger *ledger = &a->ledger;
  (void)energies(a, t, x, a->after);
  for (int i = 0; i < ledger->element_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    sb_account *account = &ledger->elements[i];
    account->stored_end = a->after[i];
    if (instance->quadrature >= 0) {
      double sum = x[a->network->state_count + instance->quadrature];
      *(instance->type->role == SB_SOURCE ? &account->supplied : &account->dissipated) = sum;
    }
  }
  sb_account total = {.id = ledger->total.id};
  for (int i = 0; i < ledger->element_count; i++) {
    add_account(&total, &ledger->elements[i]);
  }
  total.stored_start = ledger->total.stored_start;
  total.event_loss = ledger->total.event_loss;
  ledger->total = total;
  for (int i = 0; i < ledger->group_count; i++) {
    ledger->groups[i] = (sb_account){.id = a->network->groups[i].id};
    for (int k = 0; k < a->network->groups[i].count; k++) {
      add_account(&ledger->groups[i], &ledger->elements[a->network->groups[i].members[k]]);
    }
  }
  ledger->scale = sb_audit_scale(a);
  ledger->residual_relative = ledger->residual_max == 0 ? 0 : ledger->residual_max / ledger->scale;
  ledger->t_end = t;
  find_blame(a);
}
