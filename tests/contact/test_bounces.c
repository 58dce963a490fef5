// SPDX-License-Identifier: GPL-3.0-or-later
// Two undamped ellipsoids of random shapes and starts bounce on a plane and on each other, with Hertz's
// stiffness of their true curvatures: over 20 bounces and more the energy is kept, and better as the tolerance
// falls. The program takes the number of starts as its argument.
#include "tests/fixture.h"

#include "geometry/quat.h"

enum { BOUNCES = 20 };
static int starts = 2;
static bool
    by_support; // ellipsoids are told by their support functions, as those of a program may be
static double axes[2][3];

static double random_in(double low, double high) {
  return low + (high - low) * rand() / RAND_MAX;
}

static double support(const void *data, sb_vec3 n, sb_vec3 *point) {
  const sb_vec3 a = sb_vec3_load(data), an = sb_vec3_times(a, n);
  const double h = sb_vec3_norm(an);
  *point = sb_vec3_scale(sb_vec3_times(a, an), 1 / h);
  return h;
}

static sb_mat3 support_hessian(const void *data, sb_vec3 n) {
  const sb_vec3 a = sb_vec3_load(data), an = sb_vec3_times(a, n), x = sb_vec3_times(a, an);
  const double h = sb_vec3_norm(an);
  return sb_mat3_add(sb_mat3_scale(sb_mat3_diag(sb_vec3_times(a, a)), 1 / h),
                     sb_mat3_scale(sb_mat3_outer(x, x), -1 / (h * h * h)));
}

static sb_surface supported(const double a[3]) {
  const sb_custom custom = {.data = a, .support = support, .radius = support_hessian};
  return sb_surface_custom(&sb_convex_body, &custom, 2 * fmin(a[0], fmin(a[1], a[2])),
                           fmax(a[0], fmax(a[1], a[2])), sb_pose_identity());
}

/** An ellipsoid of rubber at a height [m]. */
static void add_ellipsoid(sb_graph *graph, const char *id, double height, sb_surface *surface) {
  double *a = axes[id[0] - '1'], moments[3], twist[6];
  for (int i = 0; i < 3; i++) {
    a[i] = random_in(0.06, 0.2);
  }
  for (int i = 0; i < 6; i++) {
    twist[i] = random_in(-1, 1) * (i < 3 ? 4 : 0.3);
  }
  double mass = 4 * pi / 3 * a[0] * a[1] * a[2] * 1100;
  *surface = sb_surface_ellipsoid(sb_vec3_load(a), sb_pose_identity());
  sb_vec3_store(moments, sb_surface_inertia(surface, mass));
  *surface = by_support ? supported(a) : *surface;
  sb_element *body = add_kind(graph, "body", id, "mass", mass);
  set_values(body, "inertia", moments, 3);
  set_values(body, "gravity", (double[]){0, 0, -9.81}, 3);
  set_values(body, "position", (double[]){random_in(-0.03, 0.03), random_in(-0.03, 0.03), height},
             3);
  const double q[4] = {random_in(-1, 1), random_in(-1, 1), random_in(-1, 1), random_in(0.1, 1)};
  set_values(body, "rotation", q, 4);
  set_values(body, "angular-velocity", twist, 3);
  set_values(body, "velocity", twist + 3, 3);
}

static run bouncing(unsigned seed, double rtol, int stiffness_at) {
  sb_graph *graph;
  sb_error err = {0};
  sb_surface surfaces[3];
  srand(seed);
  assert_int_equal(sb_graph_create("bounces", &graph, NULL), SB_OK);
  add_kind(graph, "ground", "0", NULL, 0);
  surfaces[0] = sb_surface_plane((sb_vec3){0, 0, 1}, 0);
  add_ellipsoid(graph, "1", 0.25, &surfaces[1]);
  add_ellipsoid(graph, "2", 0.7, &surfaces[2]);
  const char *const ids[3][3] = {{"0", "1", "01"}, {"0", "2", "02"}, {"1", "2", "12"}};
  double modulus = exp(random_in(log(1e6), log(1e7)));
  for (int i = 0; i < 3; i++) {
    sb_material rubber = {.youngs_modulus = modulus, .poisson_ratio = 0.47};
    sb_contact_spec spec = {.id = ids[i][2],
                            .body = {ids[i][0], ids[i][1]},
                            .surface = {surfaces[ids[i][0][0] - '0'], surfaces[ids[i][1][0] - '0']},
                            .material = {i < 2 ? sb_material_rigid() : rubber, rubber},
                            .law = sb_contact_law_defaults()};
    spec.law.normal = sb_normal_law_find("hertz");
    spec.law.stiffness_at = stiffness_at;
    ok(sb_contact_add(graph, &spec, &err), &err);
  }
  return start_graph(graph, options_of("fehlberg-8", rtol));
}

/** The largest relative error of the energy over the bounces. */
static double energy_error(unsigned seed, double rtol, int stiffness_at) {
  run r = bouncing(seed, rtol, stiffness_at);
  double worst = 0;
  for (double t = 0.05; ledger_of(&r)->event_count < 2 * BOUNCES; t += 0.05) {
    advance(&r, t);
    const sb_account *total = &ledger_of(&r)->total;
    worst = fmax(worst, fabs(total->stored_end / total->stored_start - 1));
    assert_true(t < 60);
  }
  sb_simulation_audit(r.sim);
  const sb_ledger *ledger = ledger_of(&r);
  assert_near(ledger->total.dissipated, 0, 0);
  assert_near(ledger->structure.residual_relative, 0, 1e-12);
  assert_near(ledger->structure.skew_relative, 0, 1e-12);
  assert_true(ledger->structure.rank_ok);
  stop(&r);
  return worst;
}

static void energy_is_kept(void **state) {
  (void)state;
  for (unsigned seed = 1; seed <= (unsigned)starts; seed++) {
    double coarse = energy_error(seed, 1e-6, SB_AT_POINT);
    double fine = energy_error(seed, 1e-11, SB_AT_POINT);
    if (starts > 2) {
      print_message("start %u: error of the energy %.2e at rtol 1e-6, %.2e at 1e-11\n", seed,
                    coarse, fine);
    }
    assert_near(fine, 0, 1e-9);
    assert_true(fine < 1e-3 * coarse);
  }
}

static void also_where_the_stiffness_is_held(void **state) {
  (void)state;
  assert_near(energy_error(3, 1e-11, SB_AT_TOUCH), 0, 1e-9);
}

/** What a body is told by does not matter: the same ellipsoids by their closed forms move alike. */
static void bodies_told_by_their_support_function(void **state) {
  (void)state;
  double place[2][6];
  long events[2];
  for (int k = 0; k < 2; k++) {
    by_support = k == 1;
    run r = bouncing(5, 1e-11, SB_AT_POINT);
    by_support = false;
    advance(&r, 1.2);
    events[k] = ledger_of(&r)->event_count;
    for (int i = 0; i < 6; i++) {
      char name[] = "1.x.x";
      name[0] = (char)('1' + i / 3);
      name[4] = (char)('x' + i % 3);
      place[k][i] = value(&r, name);
    }
    stop(&r);
  }
  assert_true(events[0] >= 6);
  assert_int_equal(events[1], events[0]);
  for (int i = 0; i < 6; i++) {
    assert_near(place[1][i], place[0][i], 1e-8);
  }
}

int main(int count, char *arguments[]) {
  starts = count > 1 ? atoi(arguments[1]) : starts;
  const struct CMUnitTest tests[] = {
      repeating_test(energy_is_kept),
      cmocka_unit_test(also_where_the_stiffness_is_held),
      cmocka_unit_test(bodies_told_by_their_support_function),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
