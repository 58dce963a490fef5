// SPDX-License-Identifier: GPL-3.0-or-later
// Two bodies of random shapes, laws and starts fall on a floor and on each other, with slip and damping. What damps
// and slips never gives power, no event gives energy, and the energy balance is met to its limit. The program takes
// the number of starts as its argument, and the first of them: 10^4 take about ten minutes.
#include "tests/fixture.h"

#include "geometry/quat.h"

static int starts, first = 1;

static double random_in(double low, double high) {
  return low + (high - low) * rand() / RAND_MAX;
}

static double random_size(double low, double high) {
  return low * pow(high / low, random_in(0, 1));
}

static bool chance(double probability) {
  return random_in(0, 1) < probability;
}

/** A random direction, a random half turn. */
static void add_body(sb_graph *graph, const char *id, double height, sb_surface *surface,
                     double *mass) {
  double a[3], moments[3], spin[3], velocity[3];
  for (int i = 0; i < 3; i++) {
    a[i] = random_in(0.06, 0.2);
    spin[i] = random_in(-8, 8);
    velocity[i] = random_in(-1, 1);
  }
  *surface = chance(0.3) ? sb_surface_sphere(a[0], (sb_vec3){0, 0, 0})
                         : sb_surface_ellipsoid(sb_vec3_load(a), sb_pose_identity());
  *mass = random_size(0.5, 10);
  sb_vec3_store(moments, sb_surface_inertia(surface, *mass));
  sb_element *body = add_kind(graph, "body", id, "mass", *mass);
  set_values(body, "inertia", moments, 3);
  set_values(body, "gravity", (double[]){0, 0, -9.81}, 3);
  set_values(body, "position", (double[]){random_in(-0.05, 0.05), random_in(-0.05, 0.05), height},
             3);
  const double q[4] = {random_in(-1, 1), random_in(-1, 1), random_in(-1, 1), random_in(0.1, 1)};
  set_values(body, "rotation", q, 4);
  set_values(body, "angular-velocity", spin, 3);
  set_values(body, "velocity", velocity, 3);
}

static sb_contact_law random_law(void) {
  static const char *const names[] = {"linear", "hunt-crossley", "hertz"};
  sb_contact_law law = sb_contact_law_defaults();
  law.normal = sb_normal_law_find(names[rand() % 3]);
  law.exponent = strcmp(law.normal->name, "hunt-crossley") == 0 ? random_in(1, 1.6) : 0;
  law.damping_factor = chance(0.2) ? 0 : random_size(1e-3, 3);
  law.damping_factor *= strcmp(law.normal->name, "linear") == 0 ? 0.01 : 1;
  law.clamp = chance(0.7);
  law.slips = true;
  law.mu = random_size(0.03, 1.2);
  law.mu_static = chance(0.3) ? law.mu * random_in(1, 1.5) : 0;
  law.friction_radius = random_size(1e-3, 2e-2);
  law.friction_damping = random_size(1e-3, 2e-2);
  if (law.normal->hertz && chance(0.5)) {
    law.tangential = SB_TANGENTIAL_MINDLIN;
  }
  return law;
}

/** So stiff that a fall of half a metre goes in by no more than 15 mm or so. */
static sb_material random_material(double mass, const sb_contact_law *law) {
  const double depth = 0.01, energy = mass * 9.81;
  double n = law->exponent > 0 ? law->exponent : law->normal->n;
  double k_n = energy * (n + 1) / pow(depth, n + 1) * random_in(1, 3);
  double k_t = 2 * energy / pow(depth, 2) * random_in(0.3, 1);
  return (sb_material){.stiffness = {k_t, k_t, k_n},
                       .spin_stiffness = 1e-4 * k_t * random_in(0.3, 1),
                       .youngs_modulus = energy / pow(depth, 2.5) / sqrt(0.1) * random_in(2, 5),
                       .poisson_ratio = random_in(0, 0.49)};
}

static run make(unsigned seed) {
  static const char *const ids[3][3] = {{"0", "1", "01"}, {"0", "2", "02"}, {"1", "2", "12"}};
  static const char *const methods[] = {"dormand-prince-5", "fehlberg-8", "verner-6"};
  sb_graph *graph;
  sb_error err = {0};
  sb_surface surfaces[3];
  double mass[2];
  srand(seed);
  assert_int_equal(sb_graph_create("falls", &graph, NULL), SB_OK);
  add_kind(graph, "ground", "0", NULL, 0);
  surfaces[0] = sb_surface_plane((sb_vec3){0, 0, 1}, 0);
  add_body(graph, "1", 0.25, &surfaces[1], &mass[0]);
  add_body(graph, "2", 0.68, &surfaces[2], &mass[1]);
  sb_contact_law law = random_law();
  sb_material skin = random_material(mass[0] + mass[1], &law);
  for (int i = 0; i < 3; i++) {
    sb_contact_spec spec = {.id = ids[i][2],
                            .body = {ids[i][0], ids[i][1]},
                            .surface = {surfaces[ids[i][0][0] - '0'], surfaces[ids[i][1][0] - '0']},
                            .material = {i < 2 ? sb_material_rigid() : skin, skin},
                            .law = law};
    ok(sb_contact_add(graph, &spec, &err), &err);
  }
  return start_graph(graph, options_of(methods[rand() % 3], 1e-7));
}

/** @return whether the run went through; else a reason was given */
static bool falls(unsigned seed) {
  run r = make(seed);
  sb_error err = {0};
  sb_status status = sb_simulation_advance(r.sim, 1.2, &err);
  if (status != SB_OK) { // a depth that no closest points belong to
    print_message("start %u: %s\n", seed, err.text);
    assert_int_equal(status, SB_ERR_CONTACT);
    stop(&r);
    return false;
  }
  sb_simulation_audit(r.sim);
  const sb_ledger *ledger = ledger_of(&r);
  bool good = ledger->passivity.violations == 0 && ledger->structure.rank_ok &&
              ledger->residual_relative <= ledger->limit &&
              ledger->structure.residual_relative <= ledger->structure.limit &&
              ledger->structure.skew_relative <= ledger->structure.limit;
  for (int i = 0; i < ledger->element_count; i++) {
    const sb_account *account = &ledger->elements[i];
    good = good && (account->role == SB_SOURCE ||
                    (account->dissipated >= 0 && account->event_loss >= -1e-12 * ledger->scale));
  }
  for (int i = 0; i < ledger->event_count; i++) {
    good = good && ledger->events[i].loss >= -1e-12 * ledger->scale;
  }
  if (!good) {
    print_error("start %u: residual %.2e (limit %.2e), structure %.2e %.2e, power %.2e W of %s\n",
                seed, ledger->residual_relative, ledger->limit, ledger->structure.residual_relative,
                ledger->structure.skew_relative, ledger->passivity.worst,
                ledger->passivity.element);
  }
  assert_true(good);
  stop(&r);
  return true;
}

static void dissipation_is_never_negative(void **state) {
  (void)state;
  int refused = 0;
  for (int seed = first; seed < first + starts; seed++) {
    refused += !falls((unsigned)seed);
  }
  print_message("%d starts, %d refused\n", starts, refused);
  assert_true(refused <= 1 + starts / 50);
}

/** Right behind a touch a slip is told from the difference of two velocities: its power there, of either sign, is the
 *  rounding of what these would make with its dampers. */
static void rounding_is_no_power(void **state) {
  (void)state;
  assert_true(falls(8785));
  assert_true(falls(9538));
}

/** A ball that begins right on the floor, where gap, push and sliding are zero: it rests, rolls without slip, or leans on the springs
 *  that hold it. The origin lies in the point of contact. */
static void touching_from_the_start(void **state) {
  (void)state;
  static const char *const laws[] = {
      "normal='linear' damping-factor='10 ms'",
      "normal='kelvin-voigt' stiffness='1500 N/m' damping='15 N.s/m'", "normal='linear'",
      "normal='expression' energy='800[N/m]*z^2' damping-force='15[N.s/m]*zd' clamp='no'",
      "normal='kelvin-voigt' stiffness='1500 N/m' damping='15 N.s/m' mu-static='0.4' "
      "v-stribeck='0.1 "
      "m/s'"};
  static const char *const bodies[] = {
      "position='0 0 0.1 m'><shape kind='sphere' radius='0.1 m'/>",
      "position='0 0 0.1 m' velocity='0.3 0 0 m/s' angular-velocity='0 3 0 rad/s'><shape "
      "kind='sphere' radius='0.1 m'/>",
      "position='0.7 -0.2 0.1 m'><shape kind='sphere' radius='0.1 m'/>",
      "position='0 0 0 m' inertia='1 1 1'><shape kind='point'/>"};
  enum { LAWS = sizeof laws / sizeof *laws, BODIES = sizeof bodies / sizeof *bodies };
  static const char *const gravities[] = {"1 0 -9.81", "0 0 -9.81", "1e-3 0 -9.81"};
  for (int i = 0; i < LAWS * BODIES * 3; i++) {
    char text[1500];
    (void)snprintf(
        text, sizeof text,
        "<materials><material id='m' stiffness='2000 2000 3000 N/m' damping='0 0 30 N.s/m'/>"
        "</materials><laws><contact-law id='l' %s friction='coulomb' mu='0.3'/></laws>"
        "<mechanism gravity='%s m/s^2'><ground id='f' material='m'><shape kind='plane' "
        "normal='0 0 1'/></ground><body id='b' mass='1 kg' material='m' %s</body>"
        "<contact id='c' a='f' b='b' law='l'/></mechanism>",
        laws[i % LAWS], gravities[i / LAWS % 3], bodies[i / LAWS / 3]);
    run r = start(text, 1e-6, 0);
    advance(&r, 0.05);
    sb_simulation_audit(r.sim);
    const sb_ledger *ledger = ledger_of(&r);
    if (ledger->passivity.violations > 0) {
      print_error("%s\n%s absorbed %.2e W at %.2e s\n", text, ledger->passivity.element,
                  ledger->passivity.worst, ledger->passivity.t);
    }
    assert_int_equal(ledger->passivity.violations, 0);
    assert_true(ledger->residual_relative < 1e-4);
    stop(&r);
  }
}

int main(int count, char *arguments[]) {
  starts = count > 1 ? atoi(arguments[1]) : THOROUGH ? 24 : 10;
  first = count > 2 ? atoi(arguments[2]) : first;
  const struct CMUnitTest tests[] = {cmocka_unit_test(dissipation_is_never_negative),
                                     cmocka_unit_test(rounding_is_no_power),
                                     cmocka_unit_test(touching_from_the_start)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
