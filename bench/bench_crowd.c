// SPDX-License-Identifier: GPL-3.0-or-later
// Ellipsoids that fall into a bowl of five planes and onto each other, 10 to 1,000 of them in bowls of the same
// shape, contacts with Hunt and Crossley's damping and Coulomb's friction: the time of processor for each body and
// step, for each contact and right-hand side, and for each body and simulated second. All start from a
// lattice with small random velocities, so that the bodies have as many neighbours whatever their number.
// Up to 40 bodies the same with an element for every pair. Fails if a ledger does not close.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/clock.h"
#include "bench/common.h"
#include "core/simulation/simulation_private.h"
#include "netlist/netlist.h"

static const double pitch = 0.205, span = 0.05; // [m] of the lattice, [s]
enum { TEXT_MAX = 600000, ALL_MAX = 40 };

static char *append(char *at, const char *format, ...) __attribute__((format(printf, 2, 3)));
static char *append(char *at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  at += vsprintf(at, format, args);
  va_end(args);
  return at;
}

static double random_in(double low, double high) {
  return low + (high - low) * rand() / RAND_MAX;
}

static char *append_body(char *at, int k, int side) {
  double p[3] = {pitch * (k % side), pitch * (k / side % side), pitch * (k / side / side) + 0.105};
  at = append(at, "<body id='b%d' mass='4 kg' material='rubber' position='%.6f %.6f %.6f m' ", k,
              p[0], p[1], p[2]);
  at = append(at, "velocity='%.5f %.5f %.5f m/s' rotation='%.4f deg about 1 %.4f %.4f'>",
              random_in(-0.5, 0.5), random_in(-0.5, 0.5), random_in(-1, 0), random_in(0, 180),
              random_in(-1, 1), random_in(-1, 1));
  return append(at, "<shape kind='ellipsoid' semi-axes='10.2 9.6 9 cm'/></body>");
}

/** @param pairs  "near" or "all" */
static void write_scene(char *at, int bodies, const char *pairs) {
  int side = (int)ceil(cbrt(bodies) - 1e-9);
  double low = -0.12, high = pitch * (side - 1) + 0.12;
  srand(7);
  at = append(at, "<screwbond version='1' id='bowl'><materials><material id='rubber' "
                  "stiffness='2e4 2e4 4e4 N/m' spin-stiffness='40 N.m/rad'/></materials><laws>"
                  "<contact-law id='l' normal='hunt-crossley' exponent='1' damping-factor='1 s/m' "
                  "friction='coulomb' mu='0.4' friction-radius='1 cm' friction-damping='1 ms'/>"
                  "</laws><mechanism gravity='0 0 -9.81 m/s^2'>"
                  "<ground id='g0'><shape kind='plane' normal='0 0 1'/></ground>");
  static const char *const normals[4] = {"1 0 0.3", "-1 0 0.3", "0 1 0.3", "0 -1 0.3"};
  for (int k = 0; k < 4; k++) {
    double offset = (k % 2 == 0 ? low : -high) / sqrt(1.09);
    at = append(at, "<ground id='g%d'><shape kind='plane' normal='%s' offset='%.9f m'/></ground>",
                k + 1, normals[k], offset);
  }
  for (int k = 0; k < bodies; k++) {
    at = append_body(at, k, side);
  }
  at = append(at, "<contacts law='l' pairs='%s' among='g0 g1 g2 g3 g4", pairs);
  for (int k = 0; k < bodies; k++) {
    at = append(at, " b%d", k);
  }
  (void)append(at, "'/></mechanism><run t-end='1 s' method='dormand-prince-5' rtol='1e-6'/>"
                   "</screwbond>");
}

/** Contacts that there are, and those of them that touch. */
static void count_contacts(const sb_simulation *sim, int *near, int *touching) {
  *near = *touching = 0;
  for (int i = 0; i < sim->network->instance_count; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    if (instance->mode >= 0 && instance->type->switching->modes.idle != NULL) {
      ++*near;
      *touching += sim->work->modes[instance->mode] != 0;
    }
  }
}

static void run(int bodies, const char *pairs) {
  char *text = malloc(TEXT_MAX);
  sb_errors errors = {0};
  sb_error err = {0};
  sb_netlist *netlist;
  sb_model *model;
  sb_simulation *sim;
  write_scene(text, bodies, pairs);
  double begun = clock_now();
  if (sb_netlist_parse("bowl", text, strlen(text), NULL, 0, &netlist, &errors) != SB_OK ||
      sb_model_compile(netlist->graph, &model, &errors) != SB_OK ||
      sb_simulation_create(model, &netlist->options, &sim, &err) != SB_OK) {
    bench_fail("%s", errors.count > 0 ? errors.items[0].text : err.text);
  }
  double compiled = clock_now() - begun, weighted = 0, touching = 0;
  int near, touch;
  enum { PARTS = 10 };
  for (int k = 1; k <= PARTS; k++) {
    if (sb_simulation_run(sim, span * k / PARTS, 0, NULL, NULL, &err) != SB_OK) {
      bench_fail("%d bodies: %s", bodies, err.text);
    }
    count_contacts(sim, &near, &touch);
    weighted += (double)near / PARTS;
    touching += (double)touch / PARTS;
  }
  double took = clock_now() - begun - compiled;
  const sb_ledger *ledger = sb_simulation_ledger(sim);
  if (!(ledger->residual_relative <= ledger->limit) || ledger->passivity.violations > 0) {
    bench_fail("%d bodies: the ledger does not close: %g", bodies, ledger->residual_relative);
  }
  (void)printf("%6d %-4s %8.2f %8.1f %8.1f %8ld %8ld %7d %9.2f %10.3f %10.3f %10.3f %10.2f\n",
               bodies, pairs, compiled, weighted / bodies, touching / bodies, ledger->work.steps,
               ledger->work.rhs, ledger->event_count, took,
               1e6 * took / (bodies * (double)ledger->work.steps),
               1e6 * took / (bodies * (double)ledger->work.rhs),
               1e6 * took / (touching * (double)ledger->work.rhs), took / (bodies * span));
  (void)fflush(stdout);
  sb_simulation_destroy(sim);
  sb_model_destroy(model);
  sb_netlist_destroy(netlist);
  free(text);
}

/** @param argv  numbers of bodies; those of the table if there are none */
int main(int argc, char *argv[]) {
  static const int table[] = {10, 40, 100, 300, 1000};
  (void)printf("bodies pairs  read[s] near/body touch/body  steps      rhs  events    run[s] "
               "us/(body step) us/(body rhs) us/(touching rhs) s/(body s)\n");
  for (int i = 0; i < (argc > 1 ? argc - 1 : 5); i++) {
    int bodies = argc > 1 ? atoi(argv[i + 1]) : table[i];
    run(bodies, "near");
    if (bodies <= ALL_MAX) {
      run(bodies, "all");
    }
  }
  return 0;
}
