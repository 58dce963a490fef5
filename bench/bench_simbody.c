// SPDX-License-Identifier: GPL-3.0-or-later
// Chains of links in space, Bricard's ring and two ellipsoids that bounce without friction, beside the same by Simbody, by the
// defaults of both but for the tolerance, and the ellipsoids by our method of order 8, too: the time of one evaluation of all
// rates at the start (the ellipsoids are apart), and that of whole runs at equal error.
// The contact of the ellipsoids is the same C function there, f = k depth at the closest points. Errors are the largest of
// the places of all bodies at the end, against ours at rtol 1e-13. Fails if both do not converge to the same places.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/clock.h"
#include "bench/common.h"
#include "bench/peer.h"
#include "core/model/model_data.h"
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"
#include "geometry/closest.h"
#include "geometry/quat.h"
#include "netlist/netlist.h"

enum { RUN_ROUNDS = 7, ROUNDS = 31, TEXT_SIZE = 4000 };
static const double block = 2e-3, run_block = 2e-2; // [s]
static const double finest = 1e-11, alike = 1e-6;   // Simbody's accuracy by which both agree [m]

typedef struct scene {
  const char *name, *before,
      *behind; // of the scene; what is before and behind the number of a body
  int count;
  double t_end; // [s]
  const char *method;
  double rtol; // of ours
  sb_model *model;
  peer *peer;
  sb_simulation *sim;
  double exact[PEER_LINKS_MAX][3], accuracy; // [m], of Simbody at equal error
  long evaluations[2];
} scene;

static const char chain_text[] =
    "<screwbond version='1' id='chain'><parameters><param id='n' value='2*%d'/>"
    "<param id='l' value='1[m]/n'/><param id='J' value='1[kg]/n*l^2/12'/></parameters>"
    "<defaults><body mass='1[kg]/n' com='l/2 0 0' inertia='1[kg]/n*(%g[m])^2/12 J J'/>"
    "<joint kind='revolute'/></defaults><mechanism gravity='0 0 -9.81 m/s^2'>"
    "<repeat index='k' count='n'><body id='link[k]'><frame id='end[k]' at='l 0 0'/></body></repeat>"
    "<joint id='j[1]' axis='0 1 0' parent='world' child='link[1]'/>"
    "<joint id='j[2]' axis='0 0 1' parent='link[1]' child='link[2]' at='l 0 0' w0='1 rad/s'/>"
    "<repeat index='k' count='%d'>"
    "<joint id='j[2*k+1]' axis='0 1 0' parent='link[2*k]' child='link[2*k+1]' at='l 0 0'/>"
    "<joint id='j[2*k+2]' axis='0 0 1' parent='link[2*k+1]' child='link[2*k+2]' at='l 0 0'/>"
    "</repeat></mechanism><run t-end='1 s'/></screwbond>";

static const double stiffness = 1e4; // [N/m]
static const peer_ellipsoid ellipsoids[PEER_BODIES] = {
    {1, {0.15, 0.12, 0.08}, 0.16, {0, 1, 0}, 6 * SB_PI / 180},
    {0.8, {0.24, 0.16, 0.14}, 0.45, {0.2, 1, 0}, 30 * SB_PI / 180}};
static const char ellipsoids_text[] =
    "<screwbond version='1' id='ellipsoids'><laws>"
    "<contact-law id='elastic' normal='kelvin-voigt' stiffness='1e4 N/m'/></laws>"
    "<defaults><contact law='elastic'/></defaults><mechanism gravity='0 0 -9.81 m/s^2'>"
    "<ground id='floor'><shape kind='plane' normal='0 0 1' offset='0 m'/></ground>"
    "<body id='solid1' mass='1 kg' position='0 0 0.16 m' rotation='6 deg about 0 1 0'>"
    "<shape kind='ellipsoid' semi-axes='0.15 0.12 0.08 m'/></body>"
    "<body id='solid2' mass='0.8 kg' position='0 0 0.45 m' rotation='30 deg about 0.2 1 0'>"
    "<shape kind='ellipsoid' semi-axes='0.24 0.16 0.14 m'/></body>"
    "<contacts among='floor solid1 solid2'/></mechanism><run t-end='2 s'/></screwbond>";

static void push(sb_vec3 c, sb_vec3 f, const double x[], double force[], double moment[]) {
  const sb_vec3 m = sb_vec3_cross(sb_vec3_sub(c, sb_vec3_load(x)), f);
  sb_vec3_store(force, sb_vec3_add(sb_vec3_load(force), f));
  sb_vec3_store(moment, sb_vec3_add(sb_vec3_load(moment), m));
}

/** A peer_contacts: floor and both ellipsoids, in the middle between the closest points. */
static double contacts(const double R[PEER_BODIES][9], const double x[PEER_BODIES][PEER_POSITION],
                       double force[PEER_BODIES][PEER_POSITION],
                       double moment[PEER_BODIES][PEER_POSITION]) {
  static sb_surface surface[1 + PEER_BODIES];
  static sb_vec3 warm[PEER_BODIES][PEER_BODIES + 1];
  sb_pose pose[1 + PEER_BODIES] = {sb_pose_identity()};
  double energy = 0;
  for (int k = 0; k < PEER_BODIES; k++) {
    const double *a = ellipsoids[k].semi_axes;
    surface[k + 1] = sb_surface_ellipsoid(sb_vec3_load(a), sb_pose_identity());
    memcpy(pose[k + 1].rotation.m, R[k], sizeof pose[k + 1].rotation.m);
    pose[k + 1].position = sb_vec3_load(x[k]);
    memset(force[k], 0, sizeof force[k]);
    memset(moment[k], 0, sizeof moment[k]);
  }
  surface[0] = sb_surface_plane((sb_vec3){0, 0, 1}, 0);
  for (int i = 0; i < PEER_BODIES; i++) {
    for (int j = i + 1; j <= PEER_BODIES; j++) {
      sb_closest near;
      sb_closest_points(&surface[i], &pose[i], &surface[j], &pose[j], &warm[i][j], &near);
      warm[i][j] = near.normal;
      if (near.gap < 0) {
        const sb_vec3 f = sb_vec3_scale(near.normal, -stiffness * near.gap);
        const sb_vec3 c = sb_vec3_scale(sb_vec3_add(near.p1, near.p2), 0.5);
        push(c, f, x[j - 1], force[j - 1], moment[j - 1]);
        if (i > 0) {
          push(c, sb_vec3_neg(f), x[i - 1], force[i - 1], moment[i - 1]);
        }
        energy += 0.5 * stiffness * near.gap * near.gap;
      }
    }
  }
  return energy;
}

static void read_places(const scene *s, const sb_simulation *sim, double places[][3]) {
  char name[64];
  sb_error err;
  sb_quantity of;
  for (int k = 0; k < s->count; k++) {
    (void)snprintf(name, sizeof name, "%s%d%s", s->before, k + 1, s->behind);
    bench_must(sb_model_find(s->model, name, &of, &err), &err);
    sb_simulation_read(sim, &of, places[k]);
  }
}

static void run_ours(scene *s, const char *method, double tolerance, double places[][3]) {
  sb_error err;
  sb_simulation *sim = bench_simulation(s->model, method, tolerance, 0);
  bench_must(sb_simulation_advance(sim, s->t_end, &err), &err);
  read_places(s, sim, places);
  s->evaluations[0] = sb_simulation_ledger(sim)->work.rhs;
  sb_simulation_destroy(sim);
}

static double error_of(const scene *s, double places[][3]) {
  double largest = 0;
  for (int k = 0; k < s->count; k++) {
    const sb_vec3 off = sb_vec3_sub(sb_vec3_load(places[k]), sb_vec3_load(s->exact[k]));
    largest = fmax(largest, sb_vec3_norm(off));
  }
  return largest;
}

static double error_of_peer(void *context, double accuracy) {
  scene *s = context;
  double places[PEER_LINKS_MAX][3];
  s->evaluations[1] = peer_run(s->peer, s->t_end, accuracy, places);
  return error_of(s, places);
}

static void time_ours(void *context, long calls) {
  scene *s = context;
  double places[PEER_LINKS_MAX][3];
  for (long k = 0; k < calls; k++) {
    run_ours(s, s->method, s->rtol, places);
  }
}
static void time_peer(void *context, long calls) {
  for (long k = 0; k < calls; k++) {
    (void)error_of_peer(context, ((scene *)context)->accuracy);
  }
}
static void evaluate_ours(void *context, long calls) {
  scene *s = context;
  double *xdot = bench_zeros(sb_model_vector_count(s->model));
  for (long k = 0; k < calls; k++) {
    sb_workspace_changed(s->sim->work);
    (void)sb_model_rhs(s->model, s->sim->work, 0, sb_simulation_state(s->sim), xdot);
  }
  free(xdot);
}
static void evaluate_peer(void *context, long calls) {
  peer_evaluate(((scene *)context)->peer, calls);
}

static void compare(scene *s) {
  double places[PEER_LINKS_MAX][3];
  run_ours(s, "fehlberg-8", 1e-13, s->exact);
  const double apart = error_of_peer(s, finest);
  if (!(apart <= alike)) {
    bench_fail("%s: the places at the end are %g m apart", s->name, apart);
  }
  s->sim = bench_simulation(s->model, s->method, s->rtol, 0);
  clock_task evaluations[] = {{evaluate_ours, s, 0}, {evaluate_peer, s, 0}};
  clock_compare(evaluations, 2, ROUNDS, block);
  run_ours(s, s->method, s->rtol, places);
  const double error = error_of(s, places);
  s->accuracy = bench_equal_error(error_of_peer, s, error, s->rtol);
  clock_task runs[] = {{time_ours, s, 0}, {time_peer, s, 0}};
  clock_compare(runs, 2, RUN_ROUNDS, run_block);
  const double us = 1e6 * evaluations[0].seconds, them = 1e6 * evaluations[1].seconds;
  printf("%-20s %8.2f %8.2f %7.1f   %8.1e %9.3f %9.3f %7.1f   %7ld %8ld\n", s->name, us, them,
         them / us, error, 1e3 * runs[0].seconds, 1e3 * runs[1].seconds,
         runs[1].seconds / runs[0].seconds, s->evaluations[0], s->evaluations[1]);
  sb_simulation_destroy(s->sim);
}

/** @param text  of a netlist, or of its path if it is a file's */
static sb_netlist *read(const char *text) {
  sb_errors errors = {0};
  sb_netlist *netlist;
  sb_status status =
      *text == '<' ? sb_netlist_parse("bench.xml", text, strlen(text), NULL, 0, &netlist, &errors)
                   : sb_netlist_read(text, NULL, 0, &netlist, &errors);
  if (status != SB_OK) {
    bench_fail("%s", errors.count > 0 ? errors.items[0].text : "out of memory");
  }
  return netlist;
}

/** By the default of a method and tolerance unless the scene states others. */
static void measure(scene s, const char *text, peer *other) {
  const sb_options defaults = sb_options_defaults();
  s.method = s.method == NULL ? defaults.method->name : s.method;
  s.rtol = s.rtol == 0 ? defaults.rtol : s.rtol;
  sb_netlist *netlist = read(text);
  s.model = bench_compile(netlist->graph);
  s.peer = other;
  compare(&s);
  sb_model_destroy(s.model);
  sb_netlist_destroy(netlist);
  peer_destroy(other);
}

static void measure_chain(scene s) {
  static char text[TEXT_SIZE];
  static const double thickness = 0.01; // [m]
  (void)snprintf(text, sizeof text, chain_text, s.count / 2, thickness, s.count / 2 - 1);
  s.before = "link[";
  s.behind = "].origin";
  measure(s, text, peer_chain(s.count, thickness));
}

int main(int argc, char **argv) {
  if (argc != 2) {
    bench_fail("usage: %s bricard.xml", argv[0]);
  }
  bench_flush_denormals();
  printf("                        an evaluation [us]              at equal error [ms]              "
         "evaluations\n");
  printf(
      "                         ours  Simbody   ratio   error [m]      ours   Simbody   ratio    "
      "  ours  Simbody\n");
  measure_chain((scene){.name = "chain of 10, 1 s", .count = 10, .t_end = 1});
  measure_chain((scene){.name = "chain of 100, 0.3 s", .count = 100, .t_end = 0.3});
  scene ring = {.name = "Bricard's ring, 10 s", .before = "rod", .behind = ".origin", .count = 5};
  ring.t_end = 10;
  measure(ring, argv[1], peer_ring());
  scene pair = {
      .name = "two ellipsoids, 2 s", .before = "solid", .behind = ".position", .count = 2};
  pair.t_end = 2;
  measure(pair, ellipsoids_text, peer_ellipsoids(ellipsoids, contacts));
  pair.name = "the same, order 8";
  pair.method = "fehlberg-8";
  pair.rtol = 3e-6;
  measure(pair, ellipsoids_text, peer_ellipsoids(ellipsoids, contacts));
  return 0;
}
