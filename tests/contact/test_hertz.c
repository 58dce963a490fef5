// SPDX-License-Identifier: GPL-3.0-or-later
// Elliptic Hertz contact: the pressure that it states presses the half-space into the shape of the gap,
// published coefficients, and the derivative by the curvatures.
#include "tests/near.h"

#include <gsl/gsl_integration.h>
#include <gsl/gsl_sf_ellint.h>

#include "contact/contact.h"
#include "contact/hertz.h"
#include "contact/materials.h"

/** A tensor of the plane across n with the eigenvalues k1 and k2, turned by an angle. */
static sb_mat3 tensor(sb_vec3 n, double k1, double k2, double angle) {
  sb_vec3 e1, e2;
  sb_tangent_basis(n, &e1, &e2);
  sb_vec3 u = sb_vec3_axpy(sb_vec3_scale(e1, cos(angle)), sin(angle), e2);
  sb_vec3 v = sb_vec3_axpy(sb_vec3_scale(e1, -sin(angle)), cos(angle), e2);
  return sb_mat3_add(sb_mat3_scale(sb_mat3_outer(u, u), k1),
                     sb_mat3_scale(sb_mat3_outer(v, v), k2));
}

static const sb_vec3 normal = {0.48, -0.6, -0.64};

static sb_hertz solve(double k1, double k2, double modulus) {
  sb_hertz h;
  assert_true(sb_hertz_contact(tensor(normal, k1, k2, 0.713), normal, modulus, &h));
  return h;
}

/** Integrand of the potential of the pressure p0 sqrt(1 - x^2/a^2 - y^2/b^2), with w = b^2 tan^2 t. */
typedef struct potential {
  double a, b;
  int power_a, power_b; // of 1/(a^2 + w) and 1/(b^2 + w)
} potential;

static double integrand(double t, void *data) {
  const potential *p = data;
  double c2 = cos(t) * cos(t), s2 = sin(t) * sin(t), q = p->a * p->a * c2 + p->b * p->b * s2;
  return 2 / sqrt(q) * pow(c2 / q, p->power_a) * pow(c2 / (p->b * p->b), p->power_b);
}

static double potential_of(double a, double b, int power_a, int power_b) {
  potential p = {a, b, power_a, power_b};
  gsl_function f = {integrand, &p};
  gsl_integration_workspace *space = gsl_integration_workspace_alloc(2000);
  double value, error;
  assert_int_equal(gsl_integration_qags(&f, 0, pi / 2, 0, 1e-11, 2000, space, &value, &error), 0);
  gsl_integration_workspace_free(space);
  return value;
}

/** Under the pressure p0 sqrt(1 - x^2/a^2 - y^2/b^2) the two surfaces approach by
 *  (p0 a b/2E*) int (1 - x^2/(a^2+w) - y^2/(b^2+w)) dw/sqrt((a^2+w)(b^2+w)w), which must be
 *  d - k2 x^2/2 - k1 y^2/2 (Johnson, section 3.5). The integrals are done numerically. */
static void pressure_closes_the_gap(void **state) {
  (void)state;
  const double modulus = 2.385e9, d = 1.7e-4, k1 = 31.7;
  const double ratios[] = {1, 1.0001, 1.3, 2, 10, 317, 1e4, 1e6};
  for (int i = 0; i < 8; i++) {
    double a, b;
    sb_hertz h = solve(k1, k1 / ratios[i], modulus);
    sb_hertz_patch(&h, d, &a, &b);
    double p0 = 3 * h.stiffness * pow(d, 1.5) / (2 * pi * a * b),
           scale = p0 * a * b / (2 * modulus);
    assert_near_relative(scale * potential_of(a, b, 0, 0), d, 2e-10);
    assert_near_relative(scale * potential_of(a, b, 1, 0), 0.5 * k1 / ratios[i], 2e-10);
    assert_near_relative(scale * potential_of(a, b, 0, 1), 0.5 * k1, 2e-10);
  }
}

/** (c^2 E - K)/(K - E) = k1/k2, by GSL's integrals, from the circle to what is almost a line. */
static void ratio_by_elliptic_integrals(void **state) {
  (void)state;
  for (double x = 0.05; x < 18; x += 0.37) {
    sb_hertz h = solve(17.3 * exp(x), 17.3, 1);
    double c2 = h.ratio * h.ratio, modulus = sqrt(1 - 1 / c2);
    double K = gsl_sf_ellint_Kcomp(modulus, GSL_PREC_DOUBLE);
    double E = gsl_sf_ellint_Ecomp(modulus, GSL_PREC_DOUBLE);
    assert_near_relative((c2 * E - K) / (K - E), exp(x), 1e-14 / (x * x) + 1e-15 * c2);
    double A = 17.3 / 2; // Johnson's form of the stiffness
    double k = 2 * pi / 3 * h.ratio / K * sqrt((K - E) / (K * A * (c2 - 1)));
    assert_near_relative(h.stiffness, k, 1e-13 / x + 1e-15 * exp(x));
  }
}

/** Coefficients of Timoshenko and Goodier, Theory of Elasticity, section 140: with cos t = (k1-k2)/(k1+k2)
 *  and P the force, a = m (3 P/2E*(k1+k2))^(1/3), b likewise with n. */
static void published_coefficients(void **state) {
  (void)state;
  const double table[][3] = {
      {30, 2.731, 0.493}, {45, 1.926, 0.604}, {60, 1.486, 0.717}, {75, 1.202, 0.846}, {90, 1, 1}};
  for (int i = 0; i < 5; i++) {
    double modulus = 1.1e11, sum = 83.5, cosine = cos(table[i][0] * pi / 180), d = 2.3e-5, a, b;
    sb_hertz h = solve(0.5 * sum * (1 + cosine), 0.5 * sum * (1 - cosine), modulus);
    double size = cbrt(1.5 * h.stiffness * pow(d, 1.5) / (modulus * sum));
    sb_hertz_patch(&h, d, &a, &b);
    assert_near(a / size, table[i][1], 1.3e-3); // the table has three digits
    assert_near(b / size, table[i][2], 1.3e-3);
  }
  const double ratios[][2] = {
      {2, 1.586}, {10, 4.50}, {100, 18.2}}; // not sqrt(k1/k2), Dupin's ratio
  for (int i = 0; i < 3; i++) {
    assert_near_relative(solve(7.1 * ratios[i][0], 7.1, 1).ratio, ratios[i][1], 2e-3);
  }
}

/** Sphere on sphere: k = (4/3) E* sqrt(R), with no jump of what is near a circle. */
static void circular_limit(void **state) {
  (void)state;
  const double modulus = 7.3e10, R = 0.0427;
  assert_near_relative(solve(1 / R, 1 / R, modulus).stiffness, 4.0 / 3 * modulus * sqrt(R), 1e-15);
  for (double x = 1e-16; x < 1e-2; x *= 3) {
    sb_hertz h = solve(exp(x / 2) / R, exp(-x / 2) / R, modulus);
    // ln k = ln(4/3 E*) - ln(k1 k2)/4 + O(x^2) and the ratio is c = (k1/k2)^(2/3)
    assert_near_relative(h.stiffness, 4.0 / 3 * modulus * sqrt(R), 0.03 * x * x + 1e-15);
    assert_near(log(h.ratio), 2 * x / 3, 0.0035 * x * x * x + 1e-15);
  }
  assert_near_relative(sb_hertz_compliance(2.1e11, 0.3), 0.91 / 2.1e11, 1e-15);
  assert_near(sb_hertz_compliance(HUGE_VAL, 0.3), 0, 0);
}

/** The patch lies with its long axis along the smaller curvature. */
static void long_axis(void **state) {
  (void)state;
  for (double angle = -3; angle < 3; angle += 0.31) {
    sb_hertz h;
    sb_mat3 M = tensor(normal, 9.1, 2.385, angle);
    assert_true(sb_hertz_contact(M, normal, 1, &h));
    assert_near(sb_vec3_dot(h.long_axis, sb_mat3_apply(M, h.long_axis)), 2.385, 1e-14);
    assert_near(sb_vec3_norm(h.long_axis), 1, 1e-15);
    assert_near(sb_vec3_dot(h.long_axis, normal), 0, 1e-15);
  }
}

/** slope : dM = d ln k for any change of the tensor, by differences of k. */
static void slope_is_the_derivative(void **state) {
  (void)state;
  const double ratios[] = {1, 1 + 1e-9, 1.0003, 1.7, 23, 1e4};
  for (int i = 0; i < 6; i++) {
    const double k2 = 3.1, k1 = k2 * ratios[i], h = 1e-4 * k2;
    for (int axis = 0; axis < 3; axis++) {
      sb_mat3 M = tensor(normal, k1, k2, 0.713);
      sb_mat3 dM = axis == 0 ? tensor(normal, 1, 0, 1.9) : tensor(normal, 1, -0.4 * axis, -0.37);
      sb_hertz at, side[4];
      assert_true(sb_hertz_contact(M, normal, 1, &at));
      for (int j = 0; j < 4; j++) {
        double far = h * (j - 1.5 + (j > 1 ? 0.5 : -0.5)); // -2, -1, 1, 2
        sb_mat3 near = sb_mat3_add(M, sb_mat3_scale(dM, far));
        assert_true(sb_hertz_contact(near, normal, 1, &side[j]));
      }
      double lines[4], want = 0;
      for (int j = 0; j < 4; j++) {
        lines[j] = log(side[j].stiffness);
      }
      double got = (8 * (lines[2] - lines[1]) - (lines[3] - lines[0])) / (12 * h);
      for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
          want += at.slope.m[r][c] * dM.m[r][c];
        }
      }
      assert_near(got, want, (1e-10 + 1e-11 * ratios[i]) / k2); // k2 is a small difference;
    }
  }
}

/** A line, a plane, a saddle and what is not finite have no Hertz contact. */
static void refused(void **state) {
  (void)state;
  sb_hertz h;
  const double bad[][2] = {{1, 0}, {0, 0}, {1, -0.3}, {-1, -2}, {1, 1e-9}, {NAN, 1}, {INFINITY, 1}};
  for (int i = 0; i < 7; i++) {
    assert_false(sb_hertz_contact(tensor(normal, bad[i][0], bad[i][1], 0.3), normal, 1, &h));
  }
  assert_true(sb_hertz_contact(tensor(normal, 1, 1e-7, 0.3), normal, 1, &h));
}

/** A steel ball of radius 1.27 cm on cast iron: k = 1.15e10 N/m^1.5, as near to the measured case of Azad and
 *  Featherstone (2014), section II-C, as handbook values go. */
static void library_of_materials(void **state) {
  (void)state;
  const sb_material_kind *steel = sb_material_kind_find("steel"),
                         *iron = sb_material_kind_find("cast-iron");
  const double sum = sb_hertz_compliance(steel->youngs_modulus, steel->poisson_ratio) +
                     sb_hertz_compliance(iron->youngs_modulus, iron->poisson_ratio);
  assert_near_relative(4.0 / 3 / sum * sqrt(0.0127), 1.15e10, 5e-3);
  for (const sb_material_kind *kind = sb_material_kinds; kind->name != NULL; kind++) {
    sb_material material = sb_material_rigid();
    sb_error err = {0};
    material.youngs_modulus = kind->youngs_modulus;
    material.poisson_ratio = kind->poisson_ratio;
    ok(sb_material_check(&material, &err), &err);
    assert_true(kind->density > 0 && strlen(kind->help) > 0);
  }
  assert_null(sb_material_kind_find("butter"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pressure_closes_the_gap),
      cmocka_unit_test(ratio_by_elliptic_integrals),
      cmocka_unit_test(published_coefficients),
      cmocka_unit_test(circular_limit),
      cmocka_unit_test(long_axis),
      cmocka_unit_test(slope_is_the_derivative),
      cmocka_unit_test(refused),
      cmocka_unit_test(library_of_materials),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
