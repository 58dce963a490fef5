// SPDX-License-Identifier: GPL-3.0-or-later
// The balance of an event: what leaves the storages and what sources supply at once is lost there. Of
// an impact between linear storages Carnot's theorem tells the loss: it is the energy of the lost
// velocities, or voltages.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/audit/audit_private.h"
#include "core/base/array.h"
#include "core/causality/constraint.h"

/** Whether a constraint contains what hooks compute, and so perhaps a source. */
static bool constraints_contain_values(const sb_audit *a) {
  return sb_constraints_contain(&a->work->program->causality, sb_value_var(a->network, 0), INT_MAX);
}

void sb_audit_strike(sb_audit *a, double restitution) {
  a->restitution = restitution;
  a->source_in_impact = constraints_contain_values(a);
}

void sb_audit_forget(sb_audit *a) {
  sb_ledger *ledger = &a->ledger;
  for (int i = 0; i < ledger->event_count; i++) {
    ledger->events[i].loss = 0;
    ledger->events[i].stored_before = ledger->events[i].stored_after;
  }
  for (int i = 0; i < a->network->instance_count; i++) {
    a->work->event_loss[i] = 0;
  }
  for (int i = 0; i < ledger->part_count; i++) {
    ledger->parts[i].account.event_loss = 0;
  }
}

void sb_audit_before(sb_audit *a, double t, const double x[]) {
  const sb_network *network = a->network;
  memcpy(a->state_before, x, (size_t)network->state_count * sizeof *x);
  memcpy(a->quadrature_before, x + network->state_count,
         (size_t)network->quadrature_count * sizeof *x);
  for (int i = 0; i < network->instance_count; i++) {
    a->energy_before[i] = sb_instance_energy(a->work, i, t, x);
  }
  sb_audit_size_states(a, t, x);
}

/** H(x+ - x-) of a linear storage [J]. */
static double energy_of_change(const sb_audit *a, const sb_instance *instance, const double x[]) {
  double energy = 0;
  for (int k = 0, d = instance->components; k < d; k++) {
    double y = 0;
    for (int j = 0; j < d; j++) {
      int n = instance->state + j;
      y += instance->matrix[k * d + j] * (x[n] - a->state_before[n]);
    }
    energy += 0.5 * y * (x[instance->state + k] - a->state_before[instance->state + k]);
  }
  return energy;
}

/** With C x+ = 0 and x+ - x- = K^-1 C^T lambda the term x+.K(x+ - x-) of the loss is zero, and what
 *  remains of H(x-) - H(x+) is H(x+ - x-). With restitution e, x+ = x- + (1 + e)(xp - x-) for that
 *  xp, the loss is (1 - e)/(1 + e) of H(x+ - x-). */
static void check_impact(sb_audit *a, const double x[]) {
  double kept = (1 - a->restitution) / (1 + a->restitution);
  double lost = 0, changed = 0, size = 0, most = 0;
  int worst = -1;
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    if (instance->type->storage == NULL || !instance->linear) {
      continue;
    }
    double own = energy_of_change(a, instance, x);
    worst = own > most ? i : worst;
    most = fmax(most, own);
    changed += own;
    lost += a->energy_before[i] - a->energy_after[i];
    size += fabs(a->energy_before[i]) + fabs(a->energy_after[i]);
  }
  if (worst >= 0 && !a->source_in_impact && !constraints_contain_values(a)) {
    sb_audit_difference(a, worst, fabs(lost - kept * changed), size);
  }
}

/** What an element lost at the event [J]; what a source supplied at once is lost there, or stored. */
static double enter_loss(sb_audit *a, int index, const double x[], double loss) {
  double difference = a->energy_before[index] - a->energy_after[index];
  int quadrature = a->network->instances[index].quadrature;
  int part = a->network->part_of[index];
  if (part < 0) {
    return loss;
  }
  double own = fabs(difference) > sb_audit_part_rounding(a, part) ? difference : 0;
  a->energy_before[index] = a->energy_after[index];
  if (quadrature >= 0) {
    double supplied = x[a->network->state_count + quadrature] - a->quadrature_before[quadrature];
    own += supplied;
    a->quadrature_before[quadrature] += supplied;
  }
  a->work->event_loss[index] += own;
  a->ledger.parts[part].account.event_loss += own;
  return loss + own;
}

/** The element whose event it is. */
static const char *reported(const sb_network *network, int index) {
  const sb_instance *instance = &network->instances[index];
  const sb_switching_hooks *hooks = instance->type->switching;
  const char *slash = strrchr(instance->id, '/');
  int composite =
      hooks == NULL || !hooks->of_composite || slash == NULL
          ? -1
          : sb_names_find(&network->names, instance->id, (size_t)(slash - instance->id));
  return composite < 0 ? instance->id : network->instances[composite].id;
}

sb_status sb_audit_event(sb_audit *a, double t, const double x[], const char *kind, int instance,
                         sb_error *err) {
  sb_ledger *ledger = &a->ledger;
  double before = 0, after = 0, loss = 0;
  for (int i = 0; i < a->network->instance_count; i++) {
    a->energy_after[i] = sb_instance_energy(a->work, i, t, x);
    before += a->energy_before[i];
    after += a->energy_after[i];
  }
  check_impact(a, x);
  a->restitution = 0;
  a->source_in_impact = false;
  for (int i = 0; i < a->network->instance_count; i++) {
    loss = enter_loss(a, i, x, loss);
  }
  // who switches with it has its event behind this one, by which nothing changes
  memcpy(a->state_before, x, (size_t)a->network->state_count * sizeof *x);
  kind = kind == NULL && loss != 0 ? "impact" : kind; // no energy goes without an event
  if (kind == NULL) {
    return SB_OK;
  }
  sb_event event = {t,
                    kind,
                    reported(a->network, instance),
                    loss,
                    before + a->level,
                    after + a->level,
                    ledger->work.steps};
  if (!sb_append(&ledger->events, &ledger->event_count, &a->event_capacity, sizeof event, &event)) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  ledger->work.events++;
  return SB_OK;
}
