// SPDX-License-Identifier: GPL-3.0-or-later
// Impacts of rigid contacts on bodies that are joined to an inertia, of constant mass or not: flows, momenta and losses against closed
// forms.
#include "tests/fixture.h"

enum { TEXT = 4000 };
static const char floor_[] =
    "<ground id='floor'><shape kind='plane' normal='0 0 1' offset='0 m'/></ground>";

/** Balls that fall on the floor, all at 0.1 s, on ropes that turn one inertia by levers: its flow is -sum r_i v_i. */
typedef struct levers {
  int count;
  double m[2], v[2], r[2], e[2]; // [kg], [m/s] downwards
  const char *law, *inertia;     // attributes
} levers;

static void write_levers(const levers *l, char text[2 * TEXT]) {
  static const char *const names[] = {"1", "2"};
  char laws[400] = "", bodies[1600] = "", lines[600] = "";
  for (int i = 0; i < l->count; i++) {
    const char *n = names[i];
    (void)snprintf(laws + strlen(laws), sizeof laws - strlen(laws),
                   "<contact-law id='h%s' normal='rigid' restitution='%.17g' %s/>", n, l->e[i],
                   l->law);
    (void)snprintf(
        bodies + strlen(bodies), sizeof bodies - strlen(bodies),
        "<body id='b%s' mass='%.17g kg' position='%d 0 %.17g m' velocity='0 0 %.17g m/s'>"
        "<shape kind='sphere' radius='0.1 m'/></body><Line id='rope%s' from='world' to='b%s' "
        "from-at='%d 0 2 m'/><contact id='c%s' a='floor' b='b%s' law='h%s'/>",
        n, l->m[i], i, 0.1 + 0.1 * l->v[i], -l->v[i], n, n, i, n, n, n);
    (void)snprintf(lines + strlen(lines), sizeof lines - strlen(lines),
                   "<TF id='t%s' ratio='%.17g'/><bond from='rope%s' to='t%s'/>"
                   "<bond from='t%s' to='j'/>",
                   n, l->r[i], n, n, n);
  }
  (void)snprintf(text, 2 * TEXT,
                 "<screwbond version='1' id='m'><run t-end='0.15 s' rtol='1e-9'/><laws>%s</laws>"
                 "<mechanism gravity='0 0 0 m/s^2'>%s%s</mechanism><network "
                 "domain='translation'><J0 id='j'/>%s<I id='i' %s/><bond from='j' to='i'/>"
                 "</network></screwbond>",
                 laws, floor_, bodies, lines, l->inertia);
}

/** An inertia that moves with 1.5 m/s at 3 N s. */
typedef struct inertia {
  const char *text;
  double (*flow)(double p), (*energy)(double p);
} inertia;

static double linear_flow(double p) {
  return p / 2;
}
static double linear_energy(double p) {
  return p * p / 4;
}
static double kinked_flow(double p) {
  return p / 3 + copysign(fmax(0, fabs(p) - 2) / 2, p);
}
static double kinked_energy(double p) {
  return p * p / 6 + pow(fmax(0, fabs(p) - 2), 2) / 4;
}
static double quartic_flow(double p) {
  return p / 3 + p * p * p / 54;
}
static double quartic_energy(double p) {
  return p * p / 6 + p * p * p * p / 216;
}
static double relativistic_flow(double p) {
  return 2 * p / sqrt(7 + p * p);
}
static double relativistic_energy(double p) {
  return 2 * sqrt(7 + p * p);
}

static const inertia inertias[] = {
    {"l='2 kg' p0='3 N.s'", linear_flow, linear_energy},
    {"energy='p^2/6[kg] + max(0[N.s], abs(p) - 2[N.s])^2/4[kg]' p0='3 N.s'", kinked_flow,
     kinked_energy},
    {"energy='p^2/6[kg] + p^4/216[kg^3.m^2/s^2]' p0='3 N.s'", quartic_flow, quartic_energy},
    {"energy='2[m/s]*sqrt(7[N^2.s^2] + p^2)' p0='3 N.s'", relativistic_flow, relativistic_energy},
};
enum { INERTIAS = sizeof inertias / sizeof *inertias };

/** Runs them. @param v  out: (count) [m/s] upwards  @param p  out: [N s]  @param loss  out: [J] of all impacts */
static void let_fall(const levers *l, double v[], double *p, double *loss) {
  static const char *const names[] = {"b1.velocity", "b2.velocity"};
  char text[2 * TEXT];
  write_levers(l, text);
  run r = start_netlist(text);
  advance(&r, 0.15);
  const sb_ledger *ledger = sb_simulation_ledger(r.sim);
  *loss = 0;
  for (int i = 0; i < ledger->event_count; i++) {
    assert_true(ledger->events[i].loss >= 0);
    *loss += ledger->events[i].loss;
  }
  for (int i = 0; i < l->count; i++) {
    v[i] = component(&r, names[i], 2);
  }
  *p = value(&r, "i.p");
  assert_balanced(&r);
  stop(&r);
}

/** Newton's law beside inertias that are not linear: each ball is thrown back to e v, the inertia takes the momentum that belongs to its
 *  flow then, and the loss is that of all energies. */
static void nonlinear_inertias(void **state) {
  (void)state;
  const double es[] = {0, 0.3, 0.9, 1};
  for (int k = 0; k < INERTIAS; k++) {
    for (int i = 0; i < 4; i++) {
      const levers one = {1, {2}, {1.5}, {1}, {es[i]}, "", inertias[k].text};
      const levers two = {2,  {2, 0.7},        {1.5, 0.6}, {0.6, 1}, {es[i], es[3 - i] / 2},
                          "", inertias[k].text};
      for (const levers *l = &one; l != NULL; l = l == &one ? &two : NULL) {
        double v[2], p, loss, before = inertias[k].energy(3), after, flow = 0;
        let_fall(l, v, &p, &loss);
        after = inertias[k].energy(p);
        for (int b = 0; b < l->count; b++) {
          assert_near(v[b], l->e[b] * l->v[b], 1e-12);
          flow -= l->r[b] * v[b];
          before += l->m[b] * l->v[b] * l->v[b] / 2;
          after += l->m[b] * v[b] * v[b] / 2;
        }
        assert_near(inertias[k].flow(p), flow, 1e-12);
        assert_near(loss, before - after, 1e-12 * before);
      }
    }
  }
}

/** Poisson's law: the impulse that gives back is e times the one that ends the approach, of ball and inertia together m v + r p. */
static void nonlinear_inertias_by_poisson(void **state) {
  (void)state;
  for (int k = 0; k < INERTIAS; k++) {
    for (int i = 0; i <= 10; i++) {
      const double e = i / 10.0;
      const levers one = {1, {2}, {1.5}, {1}, {e}, "impact='poisson'", inertias[k].text};
      double v, p, loss;
      let_fall(&one, &v, &p, &loss);
      assert_near(2 * v - p, e * (2 * 1.5 + 3), 1e-12);
      assert_near(inertias[k].flow(p), -v, 1e-12);
      assert_near(loss, 2 * (1.5 * 1.5 - v * v) / 2 + inertias[k].energy(3) - inertias[k].energy(p),
                  1e-11);
    }
  }
}

/** Laws that follow the impulse, of the work of a force or of a slip, are those of linear flows: they are refused beside others. */
static void nonlinear_inertias_are_refused(void **state) {
  (void)state;
  static const char *const laws[] = {"impact='stronge'", "friction='coulomb' mu='0.3'"};
  for (int k = 0; k < INERTIAS; k++) {
    for (int i = 0; i < 2; i++) {
      const levers one = {1, {2}, {1.5}, {1}, {0.5}, laws[i], inertias[k].text};
      char text[2 * TEXT];
      double t;
      sb_error err = {0};
      write_levers(&one, text);
      const sb_status status = try_run(text, 0.15, &t, &err);
      if (k == 0) {
        ok(status, &err);
        continue;
      }
      assert_int_equal(status, SB_ERR_SOLVER);
      assert_contains(err.text, "'c1' at t = 0.1 s");
      assert_contains(err.text, "a storage whose flow is not linear in its state");
      assert_contains(err.hint, "impact=\"newton\"");
    }
  }
}

/** Forces that vanish with an impact leave rounding behind, of which neither the loops nor the audit make anything. */
static void forces_that_vanish(void **state) {
  (void)state;
  static const levers cases[] = {{2,
                                  {0.5576941593707937, 2.4145944224327494},
                                  {1.8464969073432738, 0.6649869074206249},
                                  {1.4359459176585874, -1.7315674688019695},
                                  {0, 0.8},
                                  "",
                                  "l='2 kg' p0='3 N.s'"},
                                 {2,
                                  {1.7561597738096053, 2.699282140298229},
                                  {0.7400541492131331, 1.379493070975923},
                                  {-1.3353971995941296, 1.8037540678960489},
                                  {0, 0.5},
                                  "",
                                  "l='2 kg' p0='3 N.s'"},
                                 {1,
                                  {1.0079956286369953},
                                  {1.6254709689893785},
                                  {0.9228094679123129},
                                  {1},
                                  "",
                                  "l='2 kg' p0='3 N.s'"}};
  for (int i = 0; i < 3; i++) {
    double v[2], p, loss;
    let_fall(&cases[i], v, &p, &loss);
  }
}

/** The linear response leaves the domain of H = -sqrt(13 - p^2), v = p/sqrt(13 - p^2): p = -5 in the place of -3. */
static void domain_of_an_energy(void **state) {
  (void)state;
  const levers two = {2,
                      {2, 10},
                      {1.5, 1},
                      {1, 1 / sqrt(12) - 1.5},
                      {1, 0},
                      "",
                      "energy='-1[m/s]*sqrt(13[N^2.s^2] - p^2)' p0='1 N.s'"};
  double v[2], p, loss;
  let_fall(&two, v, &p, &loss);
  assert_near(v[0], 1.5, 1e-12);
  assert_near(v[1], 0, 1e-12);
  assert_near(p, -3, 1e-12);
  assert_near(loss, 10 * 0.5 - sqrt(12) + sqrt(4), 1e-11);
}

/** A bat that a source drives at u meets a ball at w: p = m (1 + e)(u + w) takes p u from the source, directly or behind a lever; the
 *  impact loses p (1 - e)(u + w)/2. */
static void sources_supply_impacts(void **state) {
  (void)state;
  static const char *const drives[] = {
      "<Sf id='m' flow='3 m/s'/><bond from='m' to='j'/>",
      "<Sf id='m' flow='1.5 m/s'/><TF id='t' ratio='2'/><bond from='m' to='t'/>"
      "<bond from='t' to='j'/>",
      "<Sf id='m' flow='0.01[m/s^2]*t + 3[m/s]'/><bond from='m' to='j'/>"};
  const double u = 3, w = 10, m = 0.1;
  for (int i = 0; i < 9; i++) {
    const double e = 0.5 * (i % 3), p = m * (1 + e) * (u + w);
    char text[TEXT];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='bat'><run t-end='0.1 s' rtol='1e-10'/><laws><contact-law "
        "id='c' normal='rigid' restitution='%.17g'/></laws><mechanism><body id='bat' mass='1 kg' "
        "inertia='1 1 1 kg.m^2'><shape kind='plane' normal='1 0 0'/></body><joint id='j' "
        "kind='prismatic' axis='1 0 0' parent='world' child='bat' w0='3 m/s'/><body id='ball' "
        "mass='%.17g kg' position='0.5 0 0.03 m' velocity='-10 0 0 m/s'><shape kind='sphere' "
        "radius='0.03 m'/></body><contact id='k' a='bat' b='ball' law='c'/></mechanism>"
        "<network domain='translation'>%s</network></screwbond>",
        e, m, drives[i / 3]);
    run r = start_netlist(text);
    advance(&r, 0.05);
    const sb_ledger *ledger = ledger_of(&r);
    const double near = i / 3 < 2 ? 1e-11 : 1e-2; // the last is a little faster by then
    assert_true(ledger->event_count >=
                1); // without restitution the ball goes on with the bat, or is let go
    assert_near(ledger->events[0].loss, p * (1 - e) * (u + w) / 2, near);
    assert_near(ledger->events[0].stored_after, ledger->total.stored_end, near);
    assert_near(ledger->total.event_loss, ledger->events[0].loss, 1e-11);
    assert_near(ledger->total.supplied, p * u, near);
    assert_balanced(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {repeating_test(nonlinear_inertias),
                                     cmocka_unit_test(nonlinear_inertias_by_poisson),
                                     cmocka_unit_test(nonlinear_inertias_are_refused),
                                     cmocka_unit_test(domain_of_an_energy),
                                     cmocka_unit_test(forces_that_vanish),
                                     cmocka_unit_test(sources_supply_impacts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
