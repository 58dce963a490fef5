// SPDX-License-Identifier: GPL-3.0-or-later
// Whose account is off where every law holds: that of each element with energy against the power at its own ports,
//   storage      stored(t) - stored(0) + event losses = int P dt
//   source       supplied - what it supplied at events = int P dt
//   dissipation  dissipated = int P dt
// with P at audits, and its integral by the polynomial of the third degree through the last four of them. Where steps begin
// anew, powers may have jumped, and those right behind are the first. That is as exact as audits are dense, and only names
// an element: whether the balance is met, the sums of the ledger tell (balance.c).
#include <math.h>
#include <string.h>

#include "core/audit/audit_private.h"

enum { KNOWN = SB_POWERS_KEPT, NODES = KNOWN + 1 };

/** The polynomial that is 1 at one node and 0 at the others. */
static double lagrange(const double node[], int count, int of, double t) {
  double value = 1;
  for (int k = 0; k < count; k++) {
    value *= k == of ? 1 : (t - node[k]) / (node[of] - node[k]);
  }
  return value;
}

/** Of the powers at the nodes, the last of which is the end, in the integral over the last `time`: by two points of Gauss,
 *  which are exact for the polynomial through the nodes. That is not continued further than it reaches: else it is the line
 *  through the last two. */
static void find_weights(const double node[NODES], int count, double time, double weight[NODES]) {
  const double end = node[count - 1], offset = 0.5 / sqrt(3) * time;
  int from = count > 2 && time > node[count - 2] - node[0] ? count - 2 : 0;
  memset(weight, 0, NODES * sizeof *weight);
  for (int k = from; k < count; k++) {
    for (int side = -1; side <= 1; side += 2) {
      weight[k] += 0.5 * time *
                   lagrange(node + from, count - from, k - from, end - 0.5 * time + side * offset);
    }
  }
}

static bool has_account(const sb_instance *instance) {
  return instance->type->storage != NULL || instance->quadrature >= 0;
}

/** What the account of an element says that it took by its ports, or gave [J]. */
static double booked(const sb_audit *a, int index, double t, const double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  const double lost = a->work->event_loss[index];
  if (instance->type->storage != NULL) {
    return sb_instance_energy(a->work, index, t, x) - a->ledger.elements[index].stored_start + lost;
  }
  return x[a->network->state_count + instance->quadrature] - lost;
}

void sb_audit_accounts_succeed(sb_audit *a, const sb_succession *s, double t, const double x[]) {
  for (int i = 0; i < s->to->instance_count; i++) {
    if (s->before[i] < 0 && has_account(&s->to->instances[i])) {
      a->taken[i] = booked(a, i, t, x);
    }
  }
}

/** Takes the powers at t, which the traced efforts and flows are of, in the place of those of the last audit or behind them.
 *  @param weight  of the powers of the last audits, the earliest first, and of these, in what each has taken since the last */
static void take_powers(sb_audit *a, double t, const double weight[], int count) {
  const int instances = a->network->instance_count;
  for (int i = 0; i < instances; i++) {
    const sb_instance *instance = &a->network->instances[i];
    if (has_account(instance)) {
      double *powers = a->powers + i, size, power = sb_port_power(a, instance, &size);
      for (int k = 0; k + 1 < count; k++) {
        a->taken[i] += weight[k] * powers[(KNOWN - count + 1 + k) * instances];
      }
      a->taken[i] += weight[count - 1] * power;
      for (int k = 0; k + 1 < KNOWN; k++) {
        powers[k * instances] = powers[(k + 1) * instances];
      }
      powers[(KNOWN - 1) * instances] = power;
    }
  }
  memmove(a->power_times, a->power_times + 1, (KNOWN - 1) * sizeof *a->power_times);
  a->power_times[KNOWN - 1] = t;
}

void sb_audit_restart(sb_audit *a, double t, const double x[]) {
  const double weight[] = {a->power_count > 0 ? t - a->power_times[KNOWN - 1] : 0, 0};
  sb_trace(a->work, x);
  take_powers(a, t, weight, 2);
  a->power_count = 1;
}

void sb_audit_accounts(sb_audit *a, double t, const double x[]) {
  double node[NODES] = {t}, weight[NODES] = {0};
  const int count = a->power_count + 1;
  if (count > 1) {
    const double time = t - a->power_times[KNOWN - 1];
    if (!(time > 0)) {
      return; // they are known
    }
    memcpy(node, a->power_times + KNOWN - count + 1, (size_t)(count - 1) * sizeof *node);
    node[count - 1] = t;
    find_weights(node, count, time, weight);
  }
  take_powers(a, t, weight, count);
  a->power_count = count < KNOWN ? count : KNOWN;
  for (int i = 0; i < a->network->instance_count; i++) {
    if (has_account(&a->network->instances[i])) {
      a->account_error[i] = fmax(a->account_error[i], fabs(booked(a, i, t, x) - a->taken[i]));
    }
  }
}
