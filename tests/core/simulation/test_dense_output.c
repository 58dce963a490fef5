// SPDX-License-Identifier: GPL-3.0-or-later
// Samples within a step: polynomials that take values and slopes, the order of every method at samples,
// closed forms, stiff models, constraints and poses, and what a sample costs.
#include "tests/fixture.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

#include "core/simulation/interpolant_private.h"

// ---- polynomials

static double power(double x, int n) {
  return n < 0 ? 0 : pow(x, n);
}

/** Every polynomial of their degree is met. */
static void polynomials_are_met(void **state) {
  (void)state;
  sb_interpolant u = {.degree = 5, .place = {1, 0, 1, 0.18, 0.82}, .slope = {0, 1, 1, 1, 1}};
  assert_true(sb_interpolant_solve(&u));
  for (int degree = 1; degree <= SB_DEGREE_MAX + 1; degree++) {
    if (degree > 1 && !sb_interpolant_values(degree - 1, &u)) {
      fail();
    }
    for (int n = 1; n <= u.degree; n++) {
      for (int k = 0; k <= 10; k++) {
        double theta = 0.1 * k, weight[SB_DEGREE_MAX], sum = 0;
        sb_interpolant_weights(&u, theta, weight);
        for (int j = 0; j < u.degree; j++) {
          sum += weight[j] * (u.slope[j] ? n * power(u.place[j], n - 1) : power(u.place[j], n));
        }
        assert_near(sum, power(theta, n), 1e-13);
      }
    }
  }
}

/** At a time theta from the start they are met relative to theta, however early that is; and to theta^2, that is to theta of
 *  what they move by, where the slope at the start is given and zero. */
static void polynomials_are_met_early(void **state) {
  (void)state;
  sb_interpolant slopes = {.degree = 5, .place = {1, 0, 1, 0.18, 0.82}, .slope = {0, 1, 1, 1, 1}};
  sb_interpolant values;
  assert_true(sb_interpolant_solve(&slopes));
  assert_true(sb_interpolant_values(5, &values));
  for (double theta = 0.1; theta > 1e-15; theta *= 0.1) {
    double weight[SB_DEGREE_MAX], linear = 0;
    sb_interpolant_weights(&values, theta, weight);
    for (int j = 0; j < values.degree; j++) {
      linear += weight[j] * values.place[j];
    }
    assert_near_relative(linear, theta, 1e-13);
    for (int n = 2; n <= slopes.degree; n++) {
      double sum = 0;
      sb_interpolant_weights(&slopes, theta, weight);
      for (int j = 0; j < slopes.degree; j++) {
        const double place = slopes.place[j];
        sum += weight[j] * (slopes.slope[j] ? n * power(place, n - 1) : power(place, n));
      }
      assert_near(sum, power(theta, n), 1e-13 * theta * theta);
    }
  }
}

/** A value and three slopes at Lobatto's places determine no polynomial; nor is there one above the limit. */
static void polynomials_are_refused(void **state) {
  (void)state;
  sb_interpolant u = {.degree = 4, .place = {1, 0, 1, 0.5}, .slope = {0, 1, 1, 1}};
  assert_false(sb_interpolant_solve(&u));
  assert_false(sb_interpolant_values(0, &u));
  assert_false(sb_interpolant_values(SB_DEGREE_MAX + 1, &u));
}

// ---- orders: a mass on a spring, slowed by the cube of its speed

static const double m_ = 1.31, c_ = 0.47, r_ = 0.3, q0_ = 0.92, p0_ = -0.37, t_ = 1.9;

static int cubic(double t, const double x[], double xdot[], void *data) {
  (void)t, (void)data;
  double v = x[1] / m_;
  xdot[0] = v;
  xdot[1] = -x[0] / c_ - r_ * v * v * v;
  return GSL_SUCCESS;
}

static const char *const cubic_text =
    "<screwbond version='1' id='m'><network><C id='spring' c='0.47' q0='0.92'/>"
    "<I id='mass' l='1.31' p0='-0.37'/><R id='damper' r='0.3' exponent='3'/><J1 id='v'/>"
    "<bond from='v' to='spring'/><bond from='v' to='mass'/><bond from='v' to='damper'/></network>"
    "</screwbond>";

/** Compares samples with a reference that goes along, and counts. */
typedef struct follower {
  run r;
  gsl_odeiv2_driver *driver;
  double t, x[2];
  sb_quantity q, p, heat;
  double error; // largest
  int samples;
} follower;

static int compare(void *context, const sb_simulation *sim, double t) {
  follower *f = context;
  double q, p, heat;
  if (t > f->t) {
    assert_int_equal(gsl_odeiv2_driver_apply(f->driver, &f->t, t, f->x), GSL_SUCCESS);
  }
  sb_simulation_read(sim, &f->q, &q);
  sb_simulation_read(sim, &f->p, &p);
  sb_simulation_read(sim, &f->heat, &heat);
  double want = r_ * pow(f->x[1] / m_, 4);
  f->error = fmax(f->error, fmax(hypot(q - f->x[0], p - f->x[1]), 0.1 * fabs(heat - want)));
  f->samples++;
  return 0;
}

static double error_with(const sb_method *method, int steps, int samples_per_step) {
  gsl_odeiv2_system system = {cubic, NULL, 2, NULL};
  sb_options options = options_of(method->name, 1e-12);
  sb_error err = {0};
  follower f = {.x = {q0_, p0_}};
  options.step = t_ / steps;
  f.r = prepare(cubic_text);
  start_by(&f.r, &options);
  ok(sb_model_find(f.r.model, "spring.q", &f.q, &err), &err);
  ok(sb_model_find(f.r.model, "mass.p", &f.p, &err), &err);
  ok(sb_model_find(f.r.model, "damper.power", &f.heat, &err), &err);
  f.driver = gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3, 1e-15, 1e-15);
  ok(sb_simulation_run(f.r.sim, t_, options.step / (samples_per_step + 0.37), compare, &f, &err),
     &err);
  assert_int_equal(ledger_of(&f.r)->work.steps, steps);
  assert_true(f.samples >= steps * samples_per_step);
  gsl_odeiv2_driver_free(f.driver);
  stop(&f.r);
  return f.error;
}

/** At samples between steps, few or many of a step, the error falls as the step to the power of the order
 *  too. */
static void samples_have_the_order(void **state) {
  (void)state;
  static const int steps_of_order[] = {0, 640, 320, 320, 160, 40, 20, 20, 10};
  static const int samples[] = {2, 8, 40};
  for (const sb_method *method = sb_methods; method->name != NULL; method++) {
    const int steps = steps_of_order[method->order];
    for (int k = 0; k < 3; k++) {
      double coarse = error_with(method, steps, samples[k]);
      double fine = error_with(method, 2 * steps, samples[k]), order = log2(coarse / fine);
      assert_in_range((int)round(order), method->order, method->order + 1);
    }
  }
}

// ---- what samples cost, and what they keep

static int note(void *context, const sb_simulation *sim, double t) {
  double *read = context, q[4];
  (void)t;
  sb_simulation_read(sim, (const sb_quantity *)(const void *)(read + 2), q);
  read[0] += 1;
  read[1] = fmax(read[1], fabs(hypot(hypot(q[0], q[1]), hypot(q[2], q[3])) - 1));
  return 0;
}

/** With 1,000 samples of a step a sample costs less than half a right-hand side, by every method that takes
 *  bodies; and a unit quaternion is one at each. */
static void samples_are_cheap_and_poses_unit(void **state) {
  (void)state;
  const double t_end = 0.02;
  for (const sb_method *method = sb_methods; method->name != NULL; method++) {
    struct {
      double count, worst;
      sb_quantity rotation;
    } context = {0};
    sb_error err = {0};
    sb_options options = options_of(method->name, 1e-9);
    options.step = t_end / 8;
    run r = {.netlist = read_example("tumbling_body.xml", NULL, 0)};
    r.model = compile_graph(r.netlist->graph);
    if (sb_simulation_create(r.model, &options, &r.sim, &err) == SB_ERR_USAGE) {
      assert_non_null(strstr(method->name, "gradient"));
      stop(&r);
      continue;
    }
    ok(sb_model_find(r.model, "box.rotation", &context.rotation, &err), &err);
    ok(sb_simulation_run(r.sim, t_end, options.step / 1000, note, &context, &err), &err);
    assert_near(context.count, 8001, 0);
    assert_true((double)ledger_of(&r)->work.rhs < 0.5 * context.count);
    assert_near(context.worst, 0, 1e-15);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(polynomials_are_met),
      cmocka_unit_test(polynomials_are_met_early),
      cmocka_unit_test(polynomials_are_refused),
      repeating_test(samples_have_the_order),
      cmocka_unit_test(samples_are_cheap_and_poses_unit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
