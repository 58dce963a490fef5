// SPDX-License-Identifier: GPL-3.0-or-later
// Ellipsoids that fall into a bowl of five planes and onto each other, 10 to 1,000 of them in bowls of the same
// shape, contacts with Hunt and Crossley's damping and Coulomb's friction: the time of processor for each body and
// step, for each contact and right-hand side, and for each body and simulated second. All start from a
// lattice with small random velocities, so that the bodies have as many neighbours whatever their number.
// Up to 40 bodies the same with an element for every pair. All numbers of bodies take turns, a twentieth of the time each, so that
// whatever else happens on the machine meets all of them alike; of few bodies several scenes are run. Contacts are counted
// at both ends of each of these turns, and weighted by the right-hand sides in it. Fails if a ledger does not close.
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
enum { TEXT_MAX = 600000, ALL_MAX = 40, ROWS_MAX = 16, SCENES_MAX = 10, TURNS = 20 };

/** One run. */
typedef struct scene {
  sb_netlist *netlist;
  sb_model *model;
  sb_simulation *sim;
  long rhs;           // at the end of the last turn
  int near, touching; // contacts there
} scene;

/** Scenes of so many bodies, and what they took together. */
typedef struct row {
  int bodies, scene_count;
  const char *pairs; // "near" or "all"
  scene scenes[SCENES_MAX];
  double read, took;            // [s]
  double near, touching;        // contacts times right-hand sides
  double steps, rhs, of_events; // counts
} row;

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

static void write_scene(char *at, int bodies, const char *pairs, int seed) {
  int side = (int)ceil(cbrt(bodies) - 1e-9);
  double low = -0.12, high = pitch * (side - 1) + 0.12;
  srand((unsigned)seed);
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

static void begin(scene *s, int bodies, const char *pairs, int seed) {
  char *text = malloc(TEXT_MAX);
  sb_errors errors = {0};
  sb_error err = {0};
  write_scene(text, bodies, pairs, seed);
  if (sb_netlist_parse("bowl", text, strlen(text), NULL, 0, &s->netlist, &errors) != SB_OK ||
      sb_model_compile(s->netlist->graph, &s->model, &errors) != SB_OK ||
      sb_simulation_create(s->model, &s->netlist->options, &s->sim, &err) != SB_OK) {
    bench_fail("%s", errors.count > 0 ? errors.items[0].text : err.text);
  }
  free(text);
}

static void begin_row(row *r, int bodies, const char *pairs) {
  *r = (row){.bodies = bodies, .pairs = pairs};
  r->scene_count = bodies < 10 * SCENES_MAX ? (10 * SCENES_MAX + bodies - 1) / bodies : 1;
  r->scene_count = r->scene_count < SCENES_MAX ? r->scene_count : SCENES_MAX;
  const double begun = clock_now();
  for (int i = 0; i < r->scene_count; i++) {
    begin(&r->scenes[i], bodies, pairs, 7 + i);
  }
  r->read = (clock_now() - begun) / r->scene_count;
}

/** The next twentieth of the time. */
static void take_turn(row *r, int turn) {
  for (int i = 0; i < r->scene_count; i++) {
    scene *s = &r->scenes[i];
    sb_error err = {0};
    const int near = s->near, touching = s->touching;
    const double begun = clock_now();
    if (sb_simulation_run(s->sim, span * turn / TURNS, 0, NULL, NULL, &err) != SB_OK) {
      bench_fail("%d bodies: %s", r->bodies, err.text);
    }
    r->took += clock_now() - begun;
    const long rhs = sb_simulation_ledger(s->sim)->work.rhs - s->rhs;
    count_contacts(s->sim, &s->near, &s->touching);
    r->near += 0.5 * (near + s->near) * (double)rhs;
    r->touching += 0.5 * (touching + s->touching) * (double)rhs;
    s->rhs += rhs;
  }
}

/** @return the time for a contact that touches and a right-hand side [s] */
static double end_row(row *r) {
  for (int i = 0; i < r->scene_count; i++) {
    scene *s = &r->scenes[i];
    const sb_ledger *ledger = sb_simulation_ledger(s->sim);
    if (!(ledger->residual_relative <= ledger->limit) || ledger->passivity.violations > 0) {
      bench_fail("%d bodies: the ledger does not close: %g", r->bodies, ledger->residual_relative);
    }
    r->steps += (double)ledger->work.steps;
    r->rhs += (double)ledger->work.rhs;
    r->of_events += ledger->event_count;
    sb_simulation_destroy(s->sim);
    sb_model_destroy(s->model);
    sb_netlist_destroy(s->netlist);
  }
  const double n = r->bodies, count = r->scene_count;
  (void)printf(
      "%6d %-4s %8.2f %8.2f %8.2f %8.0f %8.0f %7.0f %9.2f %10.3f %10.3f %10.3f %10.3f %10.2f\n",
      r->bodies, r->pairs, r->read, r->near / (n * r->rhs), r->touching / (n * r->rhs),
      r->steps / count, r->rhs / count, r->of_events / count, r->took / count,
      1e6 * r->took / (n * r->steps), 1e6 * r->took / (n * r->rhs), 1e6 * r->took / r->near,
      1e6 * r->took / r->touching, r->took / (count * n * span));
  return r->took / r->touching;
}

/** @param argv  numbers of bodies; those of the table if there are none */
int main(int argc, char *argv[]) {
  static const int table[] = {10, 40, 100, 300, 1000};
  static row rows[ROWS_MAX];
  int count = 0;
  double least = HUGE_VAL, most = 0;
  for (int i = 0; i < (argc > 1 ? argc - 1 : 5); i++) {
    int bodies = argc > 1 ? atoi(argv[i + 1]) : table[i];
    if (bodies < 1 || count + 2 > ROWS_MAX) {
      bench_fail("numbers of bodies above zero, at most %d of them", ROWS_MAX / 2);
    }
    begin_row(&rows[count++], bodies, "near");
    if (bodies <= ALL_MAX) {
      begin_row(&rows[count++], bodies, "all");
    }
  }
  for (int turn = 1; turn <= TURNS; turn++) {
    for (int i = 0; i < count; i++) {
      take_turn(&rows[i], turn);
    }
  }
  (void)printf(
      "                            contacts a body    of each scene                                "
      "     us for each rhs and\n"
      "bodies pairs  read[s]     near touching    steps      rhs  events    run[s] us/(body "
      "step)   body       near   touching s/(body s)\n");
  for (int i = 0; i < count; i++) {
    const bool near = strcmp(rows[i].pairs, "near") == 0;
    const double cost = end_row(&rows[i]);
    least = near ? fmin(least, cost) : least;
    most = near ? fmax(most, cost) : most;
  }
  (void)printf("near: a contact that touches costs up to %.2f times what it costs at the least\n",
               most / least);
  return 0;
}
