// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/integrator/blind_private.h"

#include <math.h>
#include <string.h>

#include "core/base/array.h"
#include "core/integrator/norm_private.h"

enum { NODES = 7, ORDER = 8 };
static const double same = 1e-12;

/** Whether b and d give equal weight to each time. */
static bool is_blind(const sb_weights *w) {
  for (int i = 0; i < w->stages; i++) {
    double gap = 0;
    for (int k = 0; k < w->stages; k++) {
      gap += fabs(w->c[k] - w->c[i]) < same ? w->b[k] - w->d[k] : 0;
    }
    if (fabs(gap) > same) {
      return false;
    }
  }
  return true;
}

/** Weights of the divided difference over the given stages. */
static void divide(const sb_weights *w, const int stages[], int count, double weight[]) {
  for (int i = 0; i < count; i++) {
    double product = 1;
    for (int k = 0; k < count; k++) {
      product *= k == i ? 1 : w->c[stages[i]] - w->c[stages[k]];
    }
    weight[stages[i]] = 1 / product;
  }
}

/** The stages with a weight, by their times. */
static int list_nodes(const sb_weights *w, int nodes[]) {
  int count = 0;
  for (int i = 0; i < w->stages; i++) {
    if (w->b[i] != 0) {
      int at = count++;
      for (; at > 0 && w->c[nodes[at - 1]] > w->c[i]; at--) {
        nodes[at] = nodes[at - 1];
      }
      nodes[at] = i;
    }
  }
  return count;
}

bool sb_blind_init(sb_blind *blind, const sb_weights *w, int n) {
  int nodes[SB_STAGES_MAX];
  *blind = (sb_blind){.n = n};
  if (w->d == NULL || w->stages > SB_STAGES_MAX || !is_blind(w) || list_nodes(w, nodes) != NODES) {
    return true;
  }
  double moment = 1. / (ORDER + 1);
  for (int i = 0; i < w->stages; i++) {
    moment -= w->b[i] * pow(w->c[i], ORDER);
  }
  const int fewer[] = {nodes[0], nodes[2], nodes[3], nodes[4], nodes[6]};
  divide(w, nodes, NODES, blind->high);
  divide(w, fewer, NODES - 2, blind->low);
  blind->constant = fabs(moment) * 720. * 720. / (24. * 40320.);
  blind->sums = sb_zeroed(3 * n, sizeof(double));
  blind->on = blind->sums != NULL;
  if (blind->on) {
    blind->weight = blind->sums + 2 * n;
  }
  return blind->on;
}

void sb_blind_finish(sb_blind *blind) {
  free(blind->sums);
}

void sb_blind_start(sb_blind *blind, const sb_nominal *nominal, const double y[]) {
  memset(blind->sums, 0, 2 * (size_t)blind->n * sizeof *blind->sums);
  sb_nominal_weights(nominal, y, blind->n, blind->weight);
}

void sb_blind_add(sb_blind *blind, int stage, const double rate[]) {
  double *high = blind->sums, *low = high + blind->n;
  for (int i = 0; i < blind->n && blind->high[stage] != 0; i++) {
    high[i] += blind->high[stage] * rate[i];
    low[i] += blind->low[stage] * rate[i];
  }
}

/** Of what counts of the sums alone: at a singular position of a mechanism rates across its branch are anything. */
static double norm_of(const sb_blind *blind, const sb_error_measure *measure, const double sums[]) {
  const double *counted =
      measure->counted == NULL ? sums : measure->counted(measure->self, sums, blind->n);
  return sb_norm(counted, blind->weight, blind->n, measure->vectors);
}

double sb_blind_error(const sb_blind *blind, double h, const sb_error_measure *measure) {
  double high = norm_of(blind, measure, blind->sums),
         low = norm_of(blind, measure, blind->sums + blind->n);
  return high > 0 ? h * blind->constant * high * (high / hypot(high, low)) : 0;
}
