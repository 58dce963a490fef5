// SPDX-License-Identifier: GPL-3.0-or-later
// A stop throws flows back, v+ = -e v-, whatever the energy H(p) is whose gradient v is: closed forms for p+ and the loss H(p-) - H(p+).
#include "tests/fixture.h"

/** Of a body of the mass m where nothing is faster than c: H = sqrt(p^2 c^2 + m^2 c^4), v = p c^2/H. */
typedef struct fast {
  double m, c;
} fast;

static double energy_of(fast b, double p) {
  return hypot(p * b.c, b.m * b.c * b.c);
}

static double speed_of(fast b, double p) {
  return p * b.c * b.c / energy_of(b, p);
}

static double momentum_of(fast b, double v) {
  return b.m * v / sqrt((1 - v / b.c) * (1 + v / b.c));
}

#define FAST "sqrt(p^2*4[m^2/s^2] + 1.69[kg^2]*16[m^4/s^4])"
static const fast body = {1.3, 2};

#define AT_STOP                                                                                    \
  "<network domain='translation'><J1 id='v'/><I id='m' energy='%s' p0='%.17g'/>"                   \
  "<Stop id='s' upper='0.3' restitution='%.17g'/><bond from='v' to='m'/><bond from='v' to='s'/>"   \
  "</network>"

static run strike(const char *energy, double p0, double e) {
  char text[2000];
  (void)snprintf(text, sizeof text, AT_STOP, energy, p0, e);
  return go(text, 1);
}

static void no_faster_than_light(void **state) {
  (void)state;
  const double starts[] = {0.7, 5, 400}, es[] = {0, 0.01, 0.6, 1};
  for (int i = 0; i < 12; i++) {
    const double p0 = starts[i / 4], e = es[i % 4], v = speed_of(body, p0);
    const double p = momentum_of(body, -e * v);
    run r = strike(FAST, p0, e);
    assert_int_equal(events_of(&r, "impact", "s"), 1);
    assert_near(event_time(&r, "impact", 0), 0.3 / v, 1e-9);
    assert_near(value(&r, "m.f"), -e * v, 1e-13);
    assert_near(value(&r, "m.p"), p, 1e-12 * p0 * p0 * p0);
    assert_near(ledger_of(&r)->total.event_loss, energy_of(body, p0) - energy_of(body, p),
                1e-14 * p0 * p0 * p0 + 1e-12);
    stop(&r);
  }
}

/** v = p/3 + p^3/27: from 2 m/s at p = 3 to -10/27 m/s at p = -1; and p past a kink of the flow, where v = p/3 + (p + 2)/2. */
static void flows_that_bend(void **state) {
  (void)state;
  run r = strike("p^2/6[kg] + p^4/108[kg^3.m^2/s^2]", 3, 5. / 27);
  assert_near(value(&r, "m.p"), -1, 1e-13);
  assert_near(value(&r, "m.f"), -10. / 27, 1e-13);
  assert_near(ledger_of(&r)->total.event_loss, 1.5 + 0.75 - 1. / 6 - 1. / 108, 1e-12);
  stop(&r);
  r = strike("p^2/6[kg] + max(0[N.s], abs(p) - 2[N.s])^2/4[kg]", 5, 0.3);
  assert_near(value(&r, "m.f"), -0.3 * (5. / 3 + 3. / 2), 1e-13);
  assert_near(value(&r, "m.p"), -(0.95 + 1) * 6 / 5, 1e-13);
  assert_near(ledger_of(&r)->total.event_loss, 25. / 6 + 9. / 4 - 2.34 * 2.34 / 6 - 0.34 * 0.34 / 4,
              1e-12);
  stop(&r);
}

/** Not even in p: v = p where it goes forth, p/20 where it goes back. That has less energy up to e^2 = 1/20. */
static void slow_to_go_back(void **state) {
  (void)state;
  run r = strike("if(p > 0[N.s], p^2/2[kg], p^2/40[kg])", 2, 0.2);
  assert_near(value(&r, "m.p"), -0.4 * 20, 1e-12);
  assert_near(ledger_of(&r)->total.event_loss, 2 - 64. / 40, 1e-12);
  stop(&r);
}

/** A gear of 3 between a linear inertia and one of v = 2 tanh(p), which depends on it: the stop takes an impulse P with
 *  p1 + 3 p2 = P, and both are thrown back. */
static void through_a_gear(void **state) {
  (void)state;
  run r = go("<network domain='rotation'><J1 id='a'/><I id='I1' l='2.385' p0='1.4'/>"
             "<TF id='g' ratio='3'/><J1 id='b'/>"
             "<I id='I2' energy='2[J]*log(cosh(p/1[N.m.s]))' p0='1.3780022971121226'/>"
             "<Stop id='s' upper='0.4 rad' restitution='0.7'/><bond from='a' to='I1'/>"
             "<bond from='a' to='g'/><bond from='g' to='b'/><bond from='b' to='I2'/>"
             "<bond from='b' to='s'/></network>",
             0.3);
  const double w = 1.4 / 2.385, p2 = atanh(1.5 * w), q2 = atanh(-0.7 * 1.5 * w);
  assert_near(value(&r, "I1.f"), -0.7 * w, 1e-12);
  assert_near(value(&r, "I2.f"), -2.1 * w, 1e-12);
  assert_near(value(&r, "I2.p"), q2, 1e-11);
  assert_near(ledger_of(&r)->total.event_loss,
              0.51 * 1.4 * w / 2 + 2 * log(cosh(p2)) - 2 * log(cosh(q2)), 1e-10);
  stop(&r);
}

/** v_A - v_B of a fast body and a mass of 3 kg behind an impulse P between them, and its root at -e of that before, by halving. */
static double impulse_between(double pA, double pB, double target) {
  double low = -50, high = 0;
  for (int i = 0; i < 200; i++) {
    const double P = 0.5 * (low + high);
    const double v = speed_of(body, pA + P) - (pB - P) / 3;
    low = v < target ? P : low;
    high = v < target ? high : P;
  }
  return low;
}

/** Two bodies collide: momentum is conserved. */
static void two_bodies_collide(void **state) {
  (void)state;
  run r = go("<network domain='translation'><J1 id='a'/><I id='A' energy='" FAST "' p0='4'/>"
             "<J0 id='gap'/><J1 id='b'/><I id='B' l='3' p0='-1.5'/>"
             "<Stop id='s' upper='0.5' restitution='0.6'/><bond from='a' to='A'/>"
             "<bond from='a' to='gap'/><bond from='gap' to='b'/><bond from='gap' to='s'/>"
             "<bond from='b' to='B'/></network>",
             1);
  const double relative = speed_of(body, 4) + 0.5, P = impulse_between(4, -1.5, -0.6 * relative);
  assert_near(event_time(&r, "impact", 0), 0.5 / relative, 1e-9);
  assert_near(value(&r, "A.p"), 4 + P, 1e-12);
  assert_near(value(&r, "B.p"), -1.5 - P, 1e-12);
  assert_near(ledger_of(&r)->total.event_loss,
              energy_of(body, 4) - energy_of(body, 4 + P) + (1.5 * 1.5 - (1.5 + P) * (1.5 + P)) / 6,
              1e-12);
  stop(&r);
}

/** A racket at 0.6 m/s meets a fast body at rest, which leaves at (1 + e) 0.6 m/s; its work is that of the momentum it gives. */
static void racket(void **state) {
  (void)state;
  run r = go("<network domain='translation'><Sf id='w' flow='0.6'/><J0 id='gap'/><J1 id='v'/>"
             "<I id='m' energy='" FAST "'/><Stop id='s' upper='0.3' restitution='0.7'/>"
             "<bond from='w' to='gap'/><bond from='gap' to='v'/><bond from='v' to='m'/>"
             "<bond from='gap' to='s'/></network>",
             1);
  const double p = momentum_of(body, 1.7 * 0.6);
  assert_near(value(&r, "m.p"), p, 1e-12);
  assert_near(ledger_of(&r)->total.supplied, 0.6 * p, 1e-12);
  assert_near(ledger_of(&r)->total.event_loss, 0.6 * p - energy_of(body, p) + energy_of(body, 0),
              1e-12);
  stop(&r);
}

/** H = p^4/4 [J] of one's own kind. */
static int output_quartic(const void *self, const sb_at *at, double y[]) {
  (void)self;
  y[0] = at->x[0] * at->x[0] * at->x[0];
  return 0;
}

static int rate_quartic(const void *self, const sb_at *at, double xdot[]) {
  (void)self;
  xdot[0] = at->in[0];
  return 0;
}

static int hessian_quartic(const void *self, const sb_at *at, double K[]) {
  (void)self;
  K[0] = 3 * at->x[0] * at->x[0];
  return 0;
}

static double energy_quartic(const void *self, const sb_at *at) {
  (void)self;
  return pow(at->x[0], 4) / 4;
}

static void start_quartic(const void *self, double x[]) {
  (void)self;
  x[0] = 1.5;
}

static const sb_storage_hooks hooks_quartic = {.start = start_quartic,
                                               .output = output_quartic,
                                               .rate = rate_quartic,
                                               .energy = energy_quartic,
                                               .constraints = {.hessian = hessian_quartic}};
static const sb_port_spec ports_quartic[] = {{.name = "p", .output = SB_FLOW}, {0}};
static sb_status init_quartic(void *self, sb_layout *layout, sb_error *err) {
  (void)self, (void)err;
  layout->dim = layout->states = 1;
  return SB_OK;
}
static const sb_element_type quartic = {.name = "Quartic",
                                        .role = SB_STORAGE,
                                        .ports = ports_quartic,
                                        .init = init_quartic,
                                        .storage = &hooks_quartic};

/** By a program in C: v = p^3, and so p+ = -e^(1/3) p-; the plastic impact before it ends where the flow has no slope. */
static void kind_of_ones_own(void **state) {
  (void)state;
  sb_graph *graph = NULL;
  sb_error err = {0};
  ok(sb_graph_create("m", &graph, &err), &err);
  (void)add_element(graph, &quartic, "m");
  (void)add_kind(graph, "J1", "v", NULL, 0);
  sb_element *end = add_kind(graph, "Stop", "s", "upper", 0.3);
  set_value(end, "restitution", 0.512);
  add_bond(graph, "v", "m");
  add_bond(graph, "v", "s");
  run r = start_graph(graph, options_of("dormand-prince-5", 1e-10));
  advance(&r, 0.2);
  assert_balanced(&r);
  assert_near(event_time(&r, "impact", 0), 0.3 / 3.375, 1e-9);
  assert_near(value(&r, "m.f"), -0.512 * 3.375, 1e-12);
  assert_near(ledger_of(&r)->total.event_loss, pow(1.5, 4) / 4 * (1 - pow(0.8, 4)), 1e-12);
  stop(&r);
}

static void refuse(const char *energy, double p0, double e, const char *what, const char *hint) {
  char text[2000];
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'>" AT_STOP "<run t-end='1 s'/></screwbond>", energy,
                 p0, e);
  sb_error err = {0};
  double t;
  assert_int_equal(try_run(text, 1, &t, &err), SB_ERR_SOLVER);
  assert_contains(err.text, what);
  assert_contains(err.hint, hint);
  assert_true(err.line > 0);
}

/** Flows that no state has, and impacts that would give energy. */
static void refusals(void **state) {
  (void)state;
  // always forward
  refuse("1[J]*exp(p/1[N.s])", 1, 0.5, "'s' at t = 0.11", "keeps its sign");
  refuse("3[m/s]*p + 2[J]*log(cosh(p/1[N.s]))", 1, 0, "no impulse stops its flow", "a spring");
  // back at no more than 0.1 m/s: v = (1 + tanh(p))/2 - 0.1
  refuse("0.4[m/s]*p + 0.5[J]*log(cosh(p/1[N.s]))", 1, 0.5,
         "no impulse throws its flow back by this restitution", "to a bound");
  // a flow that jumps
  refuse("3[m/s]*abs(p)", 1, 0.5, "no impulse throws its flow back", "that jumps");
  // 2 J at 2 m/s before, 40 J at -2 m/s
  refuse("if(p > 0[N.s], p^2/2[kg], p^2/40[kg])", 2, 1, "its restitution gives energy here, 38 J",
         "even in p");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_faster_than_light), cmocka_unit_test(flows_that_bend),
      cmocka_unit_test(slow_to_go_back),      cmocka_unit_test(through_a_gear),
      cmocka_unit_test(two_bodies_collide),   cmocka_unit_test(racket),
      cmocka_unit_test(kind_of_ones_own),     cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
