// SPDX-License-Identifier: GPL-3.0-or-later
// What a contact law costs: the right-hand side, with the powers of the ledger, of one ball pressed into a plane, under each normal
// law and each friction, beside that of Kelvin and Voigt without friction, measured in turn. Fails if a contact does not press.
#include <stdio.h>
#include <string.h>

#include "bench/clock.h"
#include "bench/common.h"
#include "core/simulation/simulation_private.h"
#include "netlist/netlist.h"

enum { ROUNDS = 101, TEXT = 2000 };
static const double block = 1e-3; // [s]

static const struct {
  const char *name, *law;
} rows[] = {
    {"kelvin-voigt", "normal='linear' stiffness='1e5 N/m' damping='10 N.s/m'"},
    {"hunt-crossley, n = 1.37",
     "normal='hunt-crossley' exponent='1.37' stiffness='1e5' damping-factor='0.1'"},
    {"lee-wang", "normal='lee-wang' stiffness='1e6' damping='10'"},
    {"azad-featherstone", "normal='azad-featherstone' stiffness='1e6' damping='10'"},
    {"lankarani-nikravesh", "normal='lankarani-nikravesh' stiffness='1e6' restitution='0.9'"},
    {"flores", "normal='flores' stiffness='1e6' restitution='0.9'"},
    {"gonthier", "normal='gonthier' stiffness='1e6' restitution='0.9'"},
    {"power, n, p, q of 1.3, 0.7, 1.2", "normal='power' exponent='1.3' damping-exponent='0.7' "
                                        "rate-exponent='1.2' stiffness='1e5' damping='10'"},
    {"hertz, by curvatures", "normal='hertz' damping-factor='0.1 s/m'"},
    {"expression, k z^2/2 and b zd",
     "normal='expression' energy='5e4[N/m]*z^2' damping-force='10[N.s/m]*zd'"},
    {"expression, cosh and sinh", "normal='expression' energy='1[J]*(cosh(z/5[mm]) - 1)' "
                                  "damping-force='20[N.s/m]*sinh(z/5[mm])*zd'"},
    {"potential, k z^2/2", "normal='potential' energy='5e4[N/m]*z^2'"},
    {"potential, k z^2/2 (1 + r^2/L^2)",
     "normal='potential' energy='5e4[N/m]*z^2*(1 + (r/1[cm])^2)'"},
    {"friction: springs that hold",
     "normal='linear' stiffness='1e5 N/m' damping='10 N.s/m' friction='none'"},
    {"friction: coulomb, sliding",
     "normal='linear' stiffness='1e5 N/m' damping='10 N.s/m' friction='coulomb' mu='0.1'"},
    {"friction: viscous",
     "normal='linear' stiffness='1e5 N/m' damping='10 N.s/m' friction='viscous' sigma2='1 N.s/m'"},
    {"friction: stribeck", "normal='linear' stiffness='1e5 N/m' damping='10 N.s/m' "
                           "friction='stribeck' mu-kinetic='0.1' v-stribeck='0.1 m/s'"},
    {"friction: bristle-dwell", "normal='linear' stiffness='1e5 N/m' damping='10 N.s/m' "
                                "friction='bristle-dwell' mu-kinetic='0.1' sigma0='1e4 N/m' "
                                "sigma1='1e3 N.s/m' v-stribeck='0.1 m/s' tau-dwell='10 ms'"},
    {"rolling and spinning", "normal='linear' stiffness='1e5 N/m' damping='10 N.s/m' "
                             "rolling-friction='1 mm' spin-friction='1 mm'"}};
enum { ROWS = sizeof rows / sizeof *rows, SPRINGS = 13 };

typedef struct scene {
  sb_netlist *netlist;
  sb_model *model;
  sb_simulation *sim;
  double t, *x, *xdot;
} scene;

static double normal_force(const scene *s) {
  sb_error err;
  sb_quantity force;
  double value;
  bench_must(sb_model_find(s->model, "contact(floor,ball).normal-force", &force, &err), &err);
  sb_simulation_read(s->sim, &force, &value);
  return value;
}

/** The ball 5 ms after its touch, sliding, rolling and spinning. @param springs  with those of the tangent plane */
static scene make(const char *law, bool springs, double force) {
  char text[TEXT];
  sb_error err;
  sb_errors errors = {0};
  scene s = {0};
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><materials><material id='m' stiffness='%s 0 N/m' "
                 "normal-stiffness='1' "
                 "youngs-modulus='10 MPa' poisson-ratio='0.3'/></materials><laws><contact-law "
                 "id='l' %s/></laws>"
                 "<mechanism gravity='0 0 -9.81 m/s^2'><ground id='floor'><shape kind='plane' "
                 "normal='0 0 1'/></ground>"
                 "<body id='ball' mass='1 kg' material='m' position='0 0 0.1 m' velocity='1 0.3 "
                 "-0.3 m/s' angular-velocity='1 2 3 rad/s'>"
                 "<shape kind='sphere' radius='0.1 m'/></body><contact a='floor' b='ball' "
                 "law='l'/></mechanism>"
                 "<run t-end='1 s' method='dormand-prince-5'/></screwbond>",
                 springs ? "1e4 1e4" : "0 0", law);
  if (sb_netlist_parse("law.xml", text, strlen(text), NULL, 0, &s.netlist, &errors) != SB_OK) {
    bench_fail("%s: %s", law, errors.count > 0 ? errors.items[0].text : "no netlist");
  }
  s.model = bench_compile(s.netlist->graph);
  s.sim = bench_simulation(s.model, "dormand-prince-5", 1e-8, 0);
  bench_must(sb_simulation_advance(s.sim, 5e-3, &err), &err);
  if (!(normal_force(&s) > force)) {
    bench_fail("%s: the ball presses with %g N", law, normal_force(&s));
  }
  const int count = sb_model_vector_count(s.model);
  s.t = 5e-3;
  s.x = bench_zeros(count);
  s.xdot = bench_zeros(count);
  memcpy(s.x, sb_simulation_state(s.sim), (size_t)count * sizeof *s.x);
  return s;
}

static void finish(scene *s) {
  sb_simulation_destroy(s->sim);
  sb_model_destroy(s->model);
  sb_netlist_destroy(s->netlist);
  free(s->x);
  free(s->xdot);
}

static void evaluate(void *context, long calls) {
  scene *s = context;
  for (long i = 0; i < calls; i++) {
    sb_workspace_changed(s->sim->work); // else the rates at this point are known
    (void)sb_model_rhs(s->model, s->sim->work, s->t, s->x, s->xdot);
  }
}

int main(void) {
  bench_flush_denormals();
  scene reference = make(rows[0].law, false, 1);
  printf("%-34s %10s %10s\n", "law", "ns", "beside kv");
  for (int i = 0; i < ROWS; i++) {
    scene s = make(rows[i].law, i == SPRINGS || i == SPRINGS + 1, 1);
    clock_task tasks[] = {{evaluate, &reference, 0}, {evaluate, &s, 0}};
    clock_compare(tasks, 2, ROUNDS, block);
    printf("%-34s %10.0f %10.2f\n", rows[i].name, 1e9 * tasks[1].seconds,
           tasks[1].seconds / tasks[0].seconds);
    finish(&s);
  }
  finish(&reference);
  return 0;
}
