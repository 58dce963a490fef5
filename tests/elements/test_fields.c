// SPDX-License-Identifier: GPL-3.0-or-later
// Fields of several ports and heat, against closed forms.
#include "tests/fixture.h"

#include <gsl/gsl_sf_ellint.h>
#include <math.h>

/** Two equal circuits whose coils are coupled: the sum and the difference of the voltages swing at
 *  1/sqrt((L + M) C) and 1/sqrt((L - M) C). */
static void coupled_coils(void **state) {
  (void)state;
  const double L = 10e-3, M = 7e-3, C = 1e-6, t = 2.385e-3;
  run net = go("<network domain='electric'><IField id='coils' l='10 7 7 10 mH'/>"
               "<C id='C1' c='1 uF' q0='5 mC'/><C id='C2' c='1 uF'/><J1 id='a'/><J1 id='b'/>"
               "<bond from='a' to='C1'/><bond from='b' to='C2'/><bond from='a' to='coils.1'/>"
               "<bond from='b' to='coils.2'/></network>",
               t);
  double sum = 5e3 * cos(t / sqrt((L + M) * C)), difference = 5e3 * cos(t / sqrt((L - M) * C));
  assert_near(value(&net, "C1.e"), 0.5 * (sum + difference), 1e-4);
  assert_near(value(&net, "C2.e"), 0.5 * (sum - difference), 1e-4);
  assert_near(value(&net, "coils.p1"), L * value(&net, "a.f") + M * value(&net, "b.f"), 1e-9);
  stop(&net);
}

/** Coils with L1 = L2 = M on separate ports are an ideal transformer with a magnetising inductance: one
 *  flux, and only the sum of the currents counts. A source with R1 in front and R2 behind see
 *  L i' = U R2/(R1 + R2) - i R1 R2/(R1 + R2). */
static void closely_coupled_coils(void **state) {
  (void)state;
  const double U = 7, R1 = 3, R2 = 5, L = 0.4, t = 0.3, R = R1 * R2 / (R1 + R2);
  run net = go("<network domain='electric'><IField id='coils' l='0.4 0.4 0.4 0.4 H'/>"
               "<Se id='s' effort='7 V'/><R id='R1' r='3 ohm'/><R id='R2' r='5 ohm'/>"
               "<J1 id='a'/><bond from='s' to='a'/><bond from='a' to='R1'/>"
               "<bond from='a' to='coils.1'/><J1 id='b'/><bond from='b' to='coils.2'/>"
               "<bond from='b' to='R2'/></network>",
               t);
  double i = U / R1 * (1 - exp(-R / L * t)), u = L * U / R1 * R / L * exp(-R / L * t);
  assert_near(value(&net, "coils.p1"), L * i, 1e-9);
  assert_near(value(&net, "coils.1.e"), u, 1e-9);
  assert_near(value(&net, "R2.f"), -u / R2, 1e-9);
  stop(&net);
}

/** The plates of a charged capacitor, H = q^2 (d + x)/(2 k), attract each other with q^2/(2 k) at any
 *  distance: a mass falls with constant acceleration, its energy taken from the field. */
static void plates(void **state) {
  (void)state;
  const double q = 0.3, k = 0.02, m = 1.7, t = 0.61, force = q * q / (2 * k);
  run net = go("<network domain='electric'>"
               "<CField id='plates' energy='q1^2*(2.5[m] + q2)/(2*0.02[F.m])' q0='0.3 0'/>"
               "<Sf id='open' flow='0 A'/><I id='m' domain='translation' mass='1.7 kg'/>"
               "<J1 id='x' domain='translation'/><bond from='open' to='plates.1'/>"
               "<bond from='x' to='plates.2'/><bond from='x' to='m'/></network>",
               t);
  assert_near(value(&net, "m.f"), -force / m * t, 1e-9);
  assert_near(value(&net, "plates.q2"), -0.5 * force / m * t * t, 1e-9);
  assert_near(value(&net, "plates.1.e"), q * (2.5 - 0.5 * force / m * t * t) / k, 1e-7);
  stop(&net);
}

/** A flywheel J with a crank r and a slider m, H = p^2/(2 (J + m r^2 cos^2 q)), without friction:
 *  t = sqrt((J + m r^2)/(2 H)) E(q, k), k^2 = m r^2/(J + m r^2). */
static void crank_mechanism(void **state) {
  (void)state;
  const double J = 0.2, a = 3 * 0.4 * 0.4, p = 1.9, H = p * p / (2 * (J + a)), t = 0.7;
  run net = go("<network domain='rotation'>"
               "<ICField id='crank' x0='0 1.9' energy='p2^2/(2*(0.2[kg.m^2] + "
               "3[kg]*(0.4[m])^2*cos(q1)^2))'/><J1 id='shaft'/><bond from='shaft' to='crank.1'/>"
               "<bond from='shaft' to='crank.2'/></network>",
               t);
  double q = value(&net, "crank.q1");
  double E = gsl_sf_ellint_E(q, sqrt(a / (J + a)), GSL_PREC_DOUBLE);
  assert_near(sqrt((J + a) / (2 * H)) * E, t, 1e-8);
  assert_near(value(&net, "crank.energy"), H, 1e-9);
  assert_near(value(&net, "shaft.f"), sqrt(2 * H / (J + a * cos(q) * cos(q))), 1e-8);
  stop(&net);
}

/** e = R f with a part that gyrates: f = R^-1 e. */
static void resistance_matrix(void **state) {
  (void)state;
  run net =
      go("<network domain='electric'><Se id='s1' effort='3 V'/><Se id='s2' effort='5 V'/>"
         "<RField id='R' r='2 4 -3 1 ohm'/><I id='L' l='1 H'/><Se id='s' effort='1 V'/>"
         "<bond from='s' to='L'/><bond from='s1' to='R.1'/><bond from='s2' to='R.2'/></network>",
         1);
  assert_near(value(&net, "R.1.f"), (1 * 3. - 4 * 5.) / (2 + 12), 1e-14);
  assert_near(value(&net, "R.2.f"), (3 * 3. + 2 * 5.) / (2 + 12), 1e-14);
  stop(&net);
}

/** A transistor after Ebers and Moll, with base and collector driven through resistors: the collector
 *  node obeys (12 - u)/1k = b (exp(ub/Ut) - exp((ub - u)/Ut)) Is - (exp((ub - u)/Ut) - 1) Is/br. */
static void transistor(void **state) {
  (void)state;
  run net =
      go("<parameters><param id='Is' value='1e-14 A'/><param id='Ut' value='25.85 mV'/>"
         "</parameters><network domain='electric'>"
         "<RField id='T' limits='1' f1='Is*((exp(e1/Ut) - 1)/100 + exp((e1 - e2)/Ut) - 1)' "
         "f2='Is*(exp(e1/Ut) - exp((e1 - e2)/Ut)) - Is*(exp((e1 - e2)/Ut) - 1)'/>"
         "<Se id='base' effort='1 V'/><R id='Rb' r='20 kohm'/><J1 id='jb'/><J0 id='b'/>"
         "<Se id='supply' effort='12 V'/><R id='Rc' r='4 kohm'/><J1 id='jc'/><J0 id='c'/>"
         "<C id='Cc' c='100 uF'/><C id='Cb' c='100 uF'/><bond from='base' to='jb'/>"
         "<bond from='jb' to='Rb'/><bond from='jb' to='b'/><bond from='b' to='Cb'/>"
         "<bond from='b' to='T.1'/><bond from='supply' to='jc'/><bond from='jc' to='Rc'/>"
         "<bond from='jc' to='c'/><bond from='c' to='Cc'/><bond from='c' to='T.2'/></network>",
         60);
  double ub = value(&net, "b.e"), uc = value(&net, "c.e");
  double ib = 1e-14 * (exp(ub / 25.85e-3) - 1) / 100; // forward active: the other diode blocks
  assert_near((1 - ub) / 20e3, ib, 1e-11);
  assert_near((12 - uc) / 4e3, 100 * ib, 1e-9);
  assert_true(uc > 1 && uc < 11);
  stop(&net);
}

/** A capacitor empties into a resistor that heats a body: T0 exp(S/C) rises by its energy over C. */
static void resistor_heats_a_body(void **state) {
  (void)state;
  run net = go("<network domain='electric'><C id='C1' c='2 mF' q0='0.6 C'/><R id='R1' r='5 ohm'/>"
               "<C id='body' domain='thermal' energy='1.5[J/K]*293[K]*(exp(q/1.5[J/K]) - 1)'/>"
               "<bond from='C1' to='R1'/><bond from='R1.heat' to='body'/></network>",
               0.02);
  double energy = 0.5 * 0.6 * 0.6 / 2e-3 * (1 - exp(-2 * 0.02 / (5 * 2e-3)));
  assert_near(value(&net, "C1.e"), 300 * exp(-2), 1e-7);
  assert_near(value(&net, "body.e"), 293 + energy / 1.5, 1e-7);
  assert_near(value(&net, "body.energy"), energy, 1e-7);
  assert_near(ledger_of(&net)->total.dissipated, 0, 1e-11); // nothing is lost
  stop(&net);
}

/** A resistor that heats, in a loop with others: its entropy, a millionth of its effort as a number, is all
 *  that its law gives, and no rounding of the others. */
static void heat_of_a_loop(void **state) {
  (void)state;
  run net =
      go("<network domain='electric'><C id='C1' c='0.5' q0='-0.06'/><J0 id='a'/><J1 id='b'/>"
         "<R id='R1' r='2.6'/><RField id='R2' r='3.1 1.6 0.9 1.7'/>"
         "<C id='body' domain='thermal' energy='1.8[J/K]*300[K]*(exp(q/1.8[J/K]) - 1)'/>"
         "<bond from='C1' to='a'/><bond from='b' to='a'/><bond from='b' to='R1'/>"
         "<bond from='a' to='R2.1'/><bond from='b' to='R2.2'/><bond from='R1.heat' to='body'/>"
         "</network>",
         2.385);
  assert_near_relative(value(&net, "body.e") * value(&net, "body.f"),
                       value(&net, "R1.e") * value(&net, "R1.f"), 1e-14);
  stop(&net);
}

/** A law that a signal makes give power, and takes it from heat: the energy is kept, and yet it is told. */
static void work_from_heat(void **state) {
  (void)state;
  const char *text =
      "<screwbond version='1' id='m'><network domain='electric'><I id='L1' l='1' p0='1'/>"
      "<R id='R1' law='(0.5 - s)*f*1[ohm]'/><signal id='s' rate='1/1[s]'/>"
      "<C id='body' domain='thermal' energy='2[J/K]*300[K]*(exp(q/2[J/K]) - 1)'/>"
      "<bond from='L1' to='R1'/><bond from='R1.heat' to='body'/></network><run t-end='2 s'/>"
      "</screwbond>";
  run net = start_netlist(text);
  const sb_ledger *ledger = ledger_of(&net);
  advance(&net, 0.49);
  assert_int_equal(ledger->passivity.violations, 0);
  advance(&net, 2);
  assert_true(ledger->residual_relative < 1e-6);
  assert_true(ledger->passivity.violations > 0);
  assert_string_equal(ledger->passivity.element, "R1");
  assert_near_relative(ledger->passivity.worst, -1.5 * exp(2), 1e-6); // L1.f = exp((t^2 - t)/2)
  stop(&net);
}

/** Two bodies with a wall between: T1 - T2 dies out at g (1/C1 + 1/C2), energy is kept, entropy made.
 */
static void heat_conduction(void **state) {
  (void)state;
  run net = go("<network domain='thermal'><HeatR id='wall' g='3 W/K'/>"
               "<C id='a' energy='20[J/K]*300[K]*exp(q/20[J/K])' q0='4 J/K'/>"
               "<C id='b' energy='50[J/K]*280[K]*exp(q/50[J/K])'/><J0 id='ja'/><J0 id='jb'/>"
               "<bond from='ja' to='a'/><bond from='jb' to='b'/><bond from='ja' to='wall'/>"
               "<bond from='wall' to='jb'/></network>",
               6);
  double T1 = 300 * exp(4. / 20), T2 = 280, mean = (20 * T1 + 50 * T2) / 70;
  double d = (T1 - T2) * exp(-3 * (1. / 20 + 1. / 50) * 6);
  assert_near(value(&net, "a.e"), mean + d * 50 / 70, 1e-7);
  assert_near(value(&net, "b.e"), mean - d * 20 / 70, 1e-7);
  assert_true(value(&net, "wall.to.f") < value(&net, "wall.from.f")); // more comes out
  stop(&net);
}

/** A wall of no conductance insulates: T = 300 K exp(4/20) stays. A conductance that is not given is missing. */
static void insulation(void **state) {
  (void)state;
  run net = go("<network domain='thermal'><HeatR id='wall' g='0 W/K'/>"
               "<C id='a' energy='20[J/K]*300[K]*exp(q/20[J/K])' q0='4 J/K'/>"
               "<Se id='room' effort='280 K'/><bond from='a' to='wall'/>"
               "<bond from='wall' to='room'/></network>",
               6);
  assert_near(value(&net, "a.e"), 300 * exp(4. / 20), 1e-12);
  assert_near(value(&net, "wall.from.f"), 0, 0);
  stop(&net);
  static const struct {
    const char *values;
    sb_status status;
    const char *text;
  } rows[] = {{"", SB_ERR_MISSING, "HeatR 'wall': g is missing (or its heat)"},
              {"g='1 2 W/K'", SB_ERR_DIMENSION, "HeatR 'wall': g takes one number, got 2"},
              {"g='1 W/K' heat='1[W/K]*(T1 - T2)'", SB_ERR_CHOICE,
               "HeatR 'wall': g and heat exclude each other"}};
  for (int i = 0; i < 3; i++) {
    char text[400];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><network domain='thermal'><HeatR id='wall' %s/>"
        "<Se id='a' effort='290 K'/><Se id='b' effort='280 K'/><bond from='a' to='wall'/>"
        "<bond from='wall' to='b'/></network><run t-end='1 s'/></screwbond>",
        rows[i].values);
    sb_netlist *netlist = read_netlist(text, NULL, 0);
    sb_model *model = NULL;
    sb_errors errors = {0};
    assert_int_equal(sb_model_compile(netlist->graph, &model, &errors), rows[i].status);
    assert_string_equal(errors.items[0].text, rows[i].text);
    sb_errors_finish(&errors);
    sb_netlist_destroy(netlist);
  }
}

/** q = 300 J/K - 200 W/K t, T = q/(1 J/K^2): zero at 1.5 s. Nothing else stops a plain capacitance. */
static void temperature_stays_positive(void **state) {
  (void)state;
  static const char text[] =
      "<screwbond version='1' id='m'><network domain='thermal'><Sf id='pump' flow='-200 W/K'/>"
      "<C id='block' c='1 J/K^2' q0='300 J/K'/><bond from='pump' to='block'/></network>"
      "<run t-end='2 s'/></screwbond>";
  sb_error err = {0};
  run net = prepare(text);
  for (int i = 0; i < 2; i++) {
    net.netlist->options.method = sb_method_find(i == 0 ? "dormand-prince-5" : "discrete-gradient");
    net.netlist->options.step = 10e-3;
    start_by(&net, &net.netlist->options);
    advance(&net, 1.45);
    assert_int_equal(sb_simulation_advance(net.sim, 2, &err), SB_ERR_SOLVER);
    assert_string_equal(err.text, "the temperature of 'block' is below 0 K at t = 1.51 s");
    assert_contains(err.hint, "temperatures are absolute");
    sb_simulation_destroy(net.sim);
    net.sim = NULL;
  }
  stop(&net);
}

static int keep_time(void *context, const sb_simulation *sim, double t) {
  (void)sim;
  *(double *)context = t;
  return 0;
}

/** The same with steps of any length: the time is told to about the tolerance, and the samples before it are taken; of an energy
 *  by which T = (q/k)^3, k = 75 J/K, too: 300 J/K come to 0 at 1.5 s. */
static void temperatures_end_in_time(void **state) {
  (void)state;
  static const char *const kinds[] = {"c='1 J/K^2'", "energy='q/4*(q/75[J/K])^3*1[K]'",
                                      "energy='q^2/2*1[K^2/J]'"};
  for (int i = 0; i < 3; i++) {
    char text[600];
    double last = 0;
    sb_error err = {0};
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><network domain='thermal'><Sf id='pump' "
                   "flow='-200 W/K'/><C id='block' %s q0='300 J/K'/><bond from='pump' "
                   "to='block'/></network><run t-end='20 s' sample='0.25 s'/></screwbond>",
                   kinds[i]);
    run net = start_netlist(text);
    assert_int_equal(sb_simulation_run(net.sim, 20, 0.25, keep_time, &last, &err), SB_ERR_SOLVER);
    assert_contains(err.text, "the temperature of 'block' is below 0 K at t = 1.5");
    assert_near(sb_simulation_time(net.sim), 1.5, i == 1 ? 1e-4 : 1e-5);
    assert_near(last, 1.25, 1e-12);
    stop(&net);
  }
}

/** Fields whose storages depend on each other, through a compliance, an inertia and a field of both, in units of
 *  effort and flow: states, efforts and flows are those of units of 1 times the units. */
static void fields_in_any_units(void **state) {
  (void)state;
  static const double efforts[] = {1, 1e-12, 1e12, 1e-22, 9.4e-11},
                      flows[] = {1, 1e12, 1e-12, 3e15, 9.1e4};
  double first[4];
  for (int i = 0; i < 5; i++) {
    double e = efforts[i], f = flows[i], c = f / e, l = e / f;
    char text[2000];
    (void)snprintf(text, sizeof text,
                   "<network domain='rotation'><J0 id='a'/><J0 id='b'/><J1 id='c'/><J1 id='d'/>"
                   "<CField id='CF' c='%.17g %.17g %.17g %.17g' q0='%.17g %.17g'/>"
                   "<IField id='IF' l='%.17g %.17g %.17g %.17g' p0='%.17g %.17g'/>"
                   "<RField id='RF' r='%.17g %.17g %.17g %.17g'/>"
                   "<ICField id='XF' energy='%.17g[J]*((q1/%.17g[rad])^2/2 + (p2/%.17g[N.m.s])^2/2*"
                   "(1 + 0.3*(q1/%.17g[rad])^2))' x0='%.17g %.17g'/>"
                   "<bond from='a' to='CF.1'/><bond from='b' to='CF.2'/><bond from='c' to='IF.1'/>"
                   "<bond from='d' to='IF.2'/><bond from='c' to='RF.1'/><bond from='d' to='RF.2'/>"
                   "<bond from='a' to='c'/><bond from='b' to='d'/><bond from='a' to='XF.1'/>"
                   "<bond from='d' to='XF.2'/></network>",
                   c, 0.4 * c, 0.4 * c, 1.3 * c, 0.2 * f, -0.4 * f, l, -0.6 * l, -0.6 * l, 1.1 * l,
                   -0.7 * e, -0.6 * e, l, 0.3 * l, -0.2 * l, 2 * l, e * f, f, e, f, -0.8 * f,
                   0.4 * e);
    run net = go(text, 1.385);
    double now[] = {value(&net, "CF.q1") / f, value(&net, "IF.p2") / e, value(&net, "XF.2.e") / e,
                    value(&net, "XF.1.f") / f};
    for (int k = 0; k < 4; k++) {
      first[k] = i == 0 ? now[k] : first[k];
      assert_near(now[k], first[k], 1e-7 * fabs(first[k]));
    }
    stop(&net);
  }
}

/** Coulomb's friction in a plane, e = F f/|f|, rests after |p|/F and has no mode to rest in: the run ends there, by name, and does not
 *  go to and fro for ever. Before that, and with a finite slope at rest, it is sound. */
static void friction_in_a_plane_ends_at_rest(void **state) {
  (void)state;
  static const struct {
    const char *method, *slope;
    double end; // [s]
    bool sound;
  } rows[] = {
      {"auto", "", 5, false},
      {"bogacki-shampine-3", "", 5, false},
      {"zonneveld-4", "", 5, false},
      {"dormand-prince-5", "", 5, false},
      {"verner-6", "", 5, false},
      {"fehlberg-8", "", 5, false},
      {"kvaerno-5", "", 5, false},
      {"auto", "", 0.649, true},
      {"auto", "", 0.65001, true},
      {"auto", " + (1e-5[m/s])^2", 5, true},
      {"kvaerno-5", " + (1e-5[m/s])^2", 5, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[1200];
    assert_true(
        snprintf(
            text, sizeof text,
            "<screwbond version='1' id='m'><network domain='translation'><J1 id='a'/>"
            "<J1 id='b'/><I id='x' mass='1.7 kg' p0='1.2'/><I id='y' mass='1.7 kg' p0='-0.5'/>"
            "<RField id='r' e1='2[N]*f1/sqrt(f1^2 + f2^2%s)' e2='2[N]*f2/sqrt(f1^2 + f2^2%s)'/>"
            "<bond from='a' to='x'/><bond from='b' to='y'/><bond from='a' to='r.1'/>"
            "<bond from='b' to='r.2'/></network><run t-end='1 s' method='%s'/></screwbond>",
            rows[i].slope, rows[i].slope, rows[i].method) < (int)sizeof text);
    run net = start_netlist(text);
    sb_error err = {0};
    const sb_status status = sb_simulation_advance(net.sim, rows[i].end, &err);
    assert_int_equal(status, rows[i].sound ? SB_OK : SB_ERR_CHATTER);
    assert_true(fabs(value(&net, "x.p")) < (rows[i].end < 0.65 ? 2e-3 : 1e-5));
    if (!rows[i].sound) {
      assert_near(sb_simulation_time(net.sim), 1.3 / 2, 1e-3);
      assert_contains(err.text, "the law of 'r' jumps at rest, where it has come to at t = 0.65");
      assert_in_range(ledger_of(&net)->work.steps, 1000, 4000);
    }
    stop(&net);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(friction_in_a_plane_ends_at_rest),
      cmocka_unit_test(temperature_stays_positive),
      cmocka_unit_test(temperatures_end_in_time),
      cmocka_unit_test(coupled_coils),
      cmocka_unit_test(closely_coupled_coils),
      cmocka_unit_test(plates),
      cmocka_unit_test(crank_mechanism),
      cmocka_unit_test(resistance_matrix),
      cmocka_unit_test(transistor),
      cmocka_unit_test(resistor_heats_a_body),
      cmocka_unit_test(heat_conduction),
      cmocka_unit_test(insulation),
      cmocka_unit_test(insulation),
      cmocka_unit_test(heat_of_a_loop),
      cmocka_unit_test(work_from_heat),
      repeating_test(fields_in_any_units),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
