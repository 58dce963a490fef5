// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/ladder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/common.h"
#include "elements/elements.h"

int ladder_rhs_apart(void *data, double t, const double x[], double xdot[]) {
  (void)t;
  const ladder_by_hand *s = data;
  const int n = s->sections;
  const double r_over_l = s->r_over_l, inverse_l = s->inverse_l, inverse_c = s->inverse_c;
  const double *restrict p = x, *restrict q = x + n;
  double *restrict pdot = xdot, *restrict qdot = xdot + n;
  pdot[0] = ladder_step - inverse_c * q[0] - r_over_l * p[0];
  for (int k = 1; k < n; k++) {
    pdot[k] = inverse_c * (q[k - 1] - q[k]) - r_over_l * p[k];
  }
  for (int k = 0; k < n - 1; k++) {
    qdot[k] = inverse_l * (p[k] - p[k + 1]);
  }
  qdot[n - 1] = inverse_l * p[n - 1] - s->inverse_load * inverse_c * q[n - 1];
  return 0;
}

int ladder_rhs_by_section(void *data, double t, const double x[], double xdot[]) {
  (void)t;
  const ladder_by_hand *s = data;
  const double *restrict resistance = s->resistance, *restrict state = x;
  const double *restrict inverse_l = s->inverse_ls, *restrict inverse_c = s->inverse_cs;
  double *restrict rate = xdot;
  const int last = s->sections - 1;
  double voltage = ladder_step, current = inverse_l[0] * state[0];
  for (int k = 0; k <= last; k++) {
    double u = inverse_c[k] * state[2 * k + 1];
    double next = k < last ? inverse_l[k + 1] * state[2 * k + 2] : s->inverse_load * u;
    rate[2 * k] = voltage - u - resistance[k] * current;
    rate[2 * k + 1] = current - next;
    voltage = u;
    current = next;
  }
  return 0;
}

int ladder_jacobian_count(int sections) {
  return 6 * sections - 2;
}

void ladder_jacobian(void *data, sunindextype first[], sunindextype row[], double value[]) {
  const ladder_by_hand *s = data;
  const int n = s->sections;
  sunindextype k = 0;
  for (int i = 0; i < n; i++) {
    first[2 * i] = k; // by the flux of section i
    if (i > 0) {
      row[k] = 2 * i - 1;
      value[k++] = -s->inverse_ls[i];
    }
    row[k] = 2 * i;
    value[k++] = -s->resistance[i] * s->inverse_ls[i];
    row[k] = 2 * i + 1;
    value[k++] = s->inverse_ls[i];
    first[2 * i + 1] = k; // by its charge
    row[k] = 2 * i;
    value[k++] = -s->inverse_cs[i];
    row[k] = 2 * i + 1;
    value[k++] = i < n - 1 ? 0 : -s->inverse_load * s->inverse_cs[i]; // the diagonal of I - gamma J
    if (i < n - 1) {
      row[k] = 2 * i + 2;
      value[k++] = s->inverse_cs[i];
    }
  }
  first[2 * n] = k;
}

double ladder_value(double mean, double spread, int k) {
  return mean * (1 + spread * sin(2.4 * k));
}

void ladder_by_hand_init(ladder_by_hand *hand, int sections, double inductance, double spread) {
  *hand = (ladder_by_hand){.sections = sections,
                           .r_over_l = ladder_resistance / inductance,
                           .inverse_l = 1 / inductance,
                           .inverse_c = 1 / ladder_capacitance,
                           .inverse_load = 1 / ladder_load,
                           .resistance = bench_zeros(sections),
                           .inverse_ls = bench_zeros(sections),
                           .inverse_cs = bench_zeros(sections)};
  for (int k = 0; k < sections; k++) {
    hand->resistance[k] = ladder_value(ladder_resistance, spread, k + 1);
    hand->inverse_ls[k] = 1 / ladder_value(inductance, spread, k + 1);
    hand->inverse_cs[k] = 1 / ladder_value(ladder_capacitance, spread, k + 1);
  }
}

void ladder_by_hand_finish(ladder_by_hand *hand) {
  free(hand->resistance);
  free(hand->inverse_ls);
  free(hand->inverse_cs);
}

static void add(sb_graph *graph, const sb_element_type *type, const char *name, int k,
                const char *param, double value) {
  sb_error err;
  sb_element *element;
  char id[32];
  (void)snprintf(id, sizeof id, "%s%d", name, k);
  bench_must(sb_graph_add(graph, type, id, &element, &err), &err);
  bench_must(sb_element_set_domain(element, -1, "electric", &err), &err);
  if (param != NULL) {
    bench_must(sb_element_set(element, param, &value, 1, &err), &err);
  }
}

static void bond(sb_graph *graph, const char *from, int i, const char *to, int k) {
  sb_error err;
  char source[32], sink[32];
  (void)snprintf(source, sizeof source, "%s%d", from, i);
  (void)snprintf(sink, sizeof sink, "%s%d", to, k);
  bench_must(sb_graph_bond(graph, source, sink, &err), &err);
}

sb_graph *ladder_graph(int sections, double inductance, double spread) {
  sb_graph *graph;
  sb_error err = {0};
  bench_must(sb_graph_create("ladder", &graph, &err), &err);
  add(graph, &sb_kind_Se, "source", 0, "effort", ladder_step);
  for (int k = 1; k <= sections; k++) {
    add(graph, &sb_kind_J1, "mesh", k, NULL, 0);
    add(graph, &sb_kind_J0, "node", k, NULL, 0);
    add(graph, &sb_kind_R, "R", k, "r", ladder_value(ladder_resistance, spread, k));
    add(graph, &sb_kind_I, "L", k, "l", ladder_value(inductance, spread, k));
    add(graph, &sb_kind_C, "C", k, "c", ladder_value(ladder_capacitance, spread, k));
    bond(graph, k == 1 ? "source" : "node", k - 1, "mesh", k);
    bond(graph, "mesh", k, "R", k);
    bond(graph, "mesh", k, "L", k);
    bond(graph, "mesh", k, "node", k);
    bond(graph, "node", k, "C", k);
  }
  add(graph, &sb_kind_R, "load", 0, "r", ladder_load);
  bond(graph, "node", sections, "load", 0);
  return graph;
}
