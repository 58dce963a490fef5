// SPDX-License-Identifier: GPL-3.0-or-later
// The contact's Dirac structures (Stramigioli and Duindam, corrected): switching and moving to the
// frame of body 1, eqs (5)-(7); projection on se(2) x T, (10)-(12); both together, (13)-(15).
// Ranks by GSL's singular values.
#include "tests/near.h"

#include <gsl/gsl_linalg.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "contact/parts.h"
#include "core/graph/dirac.h"
#include "core/graph/kernel.h"
#include "geometry/quat.h"

enum { TRIALS = 20 };

static double random_in(double low, double high) {
  return low + (high - low) * rand() / (double)RAND_MAX;
}

static sb_vec3 random_vector(double size) {
  return (sb_vec3){random_in(-size, size), random_in(-size, size), random_in(-size, size)};
}

static sb_pose random_pose(void) {
  sb_quat q = sb_quat_from_axis_angle(random_vector(1), random_in(-3, 3));
  return (sb_pose){sb_quat_rotation(q), random_vector(2.4)};
}

/** Adds factor * block (rows x columns, stride columns; transposed if asked) at (row, column). */
static void put(sb_dirac *d, double *matrix, int row, int column, int rows, int columns,
                const double *block, bool transposed, double factor) {
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < columns; j++) {
      matrix[(row + i) * d->n + column + j] +=
          factor * (transposed ? block[j * rows + i] : block[i * columns + j]);
    }
  }
}

static void put_identity(sb_dirac *d, double *matrix, int row, int column, int n, double factor) {
  for (int i = 0; i < n; i++) {
    matrix[(row + i) * d->n + column + i] += factor;
  }
}

/** Ad_H^T P*, 6 x 4: P* puts (x, y, z, theta) at the rows 4, 5, 6, 3. */
static void projected(sb_pose h, double out[24]) {
  static const int rows[4] = {3, 4, 5, 2};
  double ad[6][6];
  sb_adjoint_matrix(h, ad);
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 4; k++) {
      out[i * 4 + k] = ad[rows[k]][i];
    }
  }
}

static void switching(double s, sb_pose h01, sb_dirac *d) { // ports W1, W2, W21
  double to_1[6][6], to_0[6][6];
  sb_adjoint_matrix(h01, to_1);
  sb_adjoint_matrix(sb_pose_inverse(h01), to_0);
  assert_int_equal(sb_dirac_init(d, 18, NULL), SB_OK);
  put_identity(d, d->F, 0, 0, 6, 1 - s);
  put_identity(d, d->F, 0, 6, 6, s - 1);
  put(d, d->F, 0, 12, 6, 6, &to_0[0][0], false, 1);
  put_identity(d, d->E, 6, 0, 6, 1);
  put(d, d->E, 6, 12, 6, 6, &to_1[0][0], true, s - 1);
  put_identity(d, d->E, 12, 6, 6, 1);
  put(d, d->E, 12, 12, 6, 6, &to_1[0][0], true, 1 - s);
}

static void projection(sb_pose h1c, sb_dirac *d) { // ports W21, W_dis, W_store
  double a[24];
  projected(h1c, a);
  assert_int_equal(sb_dirac_init(d, 14, NULL), SB_OK);
  for (int k = 0; k < 2; k++) {
    put(d, d->F, 4 * k, 0, 4, 6, a, true, 1);
    put_identity(d, d->F, 4 * k, 6 + 4 * k, 4, -1);
    put(d, d->E, 8, 6 + 4 * k, 6, 4, a, false, 1);
  }
  put_identity(d, d->E, 8, 0, 6, 1);
}

static void contact(double s, sb_pose h0c, sb_dirac *d) { // ports W1, W2, W_store, W_dis
  double a[24];
  projected(h0c, a);
  assert_int_equal(sb_dirac_init(d, 20, NULL), SB_OK);
  put_identity(d, d->E, 0, 0, 12, 1);
  for (int k = 0; k < 2; k++) {
    put(d, d->E, 0, 12 + 4 * k, 6, 4, a, false, s - 1);
    put(d, d->E, 6, 12 + 4 * k, 6, 4, a, false, 1 - s);
    put(d, d->F, 12 + 4 * k, 0, 4, 6, a, true, s - 1);
    put(d, d->F, 12 + 4 * k, 6, 4, 6, a, true, 1 - s);
    put_identity(d, d->F, 12 + 4 * k, 12 + 4 * k, 4, -1);
  }
}

/** Rank of the rows [E F] of one structure, or of two stacked. */
static int rank_of(const sb_dirac *a, const sb_dirac *b) {
  size_t rows = (size_t)(a->n + (b == NULL ? 0 : b->n)), columns = 2 * (size_t)a->n;
  gsl_matrix *m = gsl_matrix_calloc(columns, rows), *v = gsl_matrix_alloc(rows, rows);
  gsl_vector *s = gsl_vector_alloc(rows), *work = gsl_vector_alloc(rows);
  for (size_t i = 0; i < rows; i++) {
    const sb_dirac *d = i < (size_t)a->n ? a : b;
    size_t row = i < (size_t)a->n ? i : i - (size_t)a->n, n = (size_t)d->n;
    for (size_t k = 0; k < n; k++) {
      gsl_matrix_set(m, k, i, d->E[row * n + k]);
      gsl_matrix_set(m, n + k, i, d->F[row * n + k]);
    }
  }
  gsl_linalg_SV_decomp(m, v, s, work);
  int rank = 0;
  for (size_t i = 0; i < rows; i++) {
    rank += gsl_vector_get(s, i) > 1e-11 * gsl_vector_get(s, 0);
  }
  gsl_matrix_free(m);
  gsl_matrix_free(v);
  gsl_vector_free(s);
  gsl_vector_free(work);
  return rank;
}

/** Power-free by the definition: e.f = 0 for the image f = E^T l, e = F^T l of any l. */
static void check_power_free(const sb_dirac *d) {
  double power = 0, size = 0, l[20];
  for (int i = 0; i < d->n; i++) {
    l[i] = random_in(-1, 1);
  }
  for (int k = 0; k < d->n; k++) {
    double e = 0, f = 0;
    for (int i = 0; i < d->n; i++) {
      f += d->E[i * d->n + k] * l[i];
      e += d->F[i * d->n + k] * l[i];
    }
    power += e * f;
    size += fabs(e * f);
  }
  assert_near(power, 0, 1e-13 * size);
}

static void check(const sb_dirac *d, int rank) {
  double work[2 * 20 * 20];
  check_power_free(d);
  assert_near(sb_dirac_skew_residual(d), 0, 1e-12);
  assert_int_equal(rank_of(d, NULL), rank);
  assert_int_equal(sb_dirac_rank(d, work), rank);
}

static double mode_of(int trial) { // apart, in contact, and any real number in between
  return trial % 3 == 0 ? 0 : trial % 3 == 1 ? 1 : random_in(-0.5, 1.5);
}

static void power_free_and_of_full_rank(void **state) {
  (void)state;
  for (int trial = 0; trial < TRIALS; trial++) {
    double s = mode_of(trial);
    sb_dirac a, b, c;
    switching(s, random_pose(), &a);
    projection(random_pose(), &b);
    contact(s, random_pose(), &c);
    check(&a, 18);
    check(&b, 14);
    check(&c, 20);
    b.E[8 * b.n + 7] *= -1; // as printed in the paper: power is lost
    assert_true(sb_dirac_skew_residual(&b) > 1e-3);
    b.F[9] = b.E[8 * b.n + 7] = 0;
    memset(b.E + 13 * b.n, 0, (size_t)b.n * sizeof *b.E); // a row without anything
    assert_int_equal(rank_of(&b, NULL), 13);
    sb_dirac_finish(&a);
    sb_dirac_finish(&b);
    sb_dirac_finish(&c);
  }
}

/** The contact's ports are W1, W2, W_store, W_dis; those of the composition end in W_dis, W_store. */
static void swap_last(sb_dirac *d) {
  for (int i = 0; i < d->n; i++) {
    for (int k = 0; k < 8; k++) {
      double *row = k < 4 ? &d->E[i * d->n] : &d->F[i * d->n], swap = row[12 + k % 4];
      row[12 + k % 4] = row[16 + k % 4];
      row[16 + k % 4] = swap;
    }
  }
}

/** Shared twist, opposite wrenches: both of b's change sign, and then efforts are equal and flows
 *  opposite. */
static void composes_to_the_contact(void **state) {
  (void)state;
  for (int trial = 0; trial < TRIALS; trial++) {
    double s = mode_of(trial);
    sb_pose h01 = random_pose(), h1c = random_pose();
    sb_dirac a, b, c, joint;
    sb_error err = {0};
    switching(s, h01, &a);
    projection(h1c, &b);
    contact(s, sb_pose_compose(h1c, h01), &c);
    for (int i = 0; i < b.n; i++) {
      for (int k = 0; k < 6; k++) {
        b.E[i * b.n + k] *= -1;
        b.F[i * b.n + k] *= -1;
      }
    }
    assert_int_equal(sb_dirac_compose(&a, &b, 6, -1, &joint, &err), SB_OK);
    assert_int_equal(joint.n, 20);
    swap_last(&joint);
    check(&joint, 20);
    assert_int_equal(rank_of(&joint, &c), 20); // the same space
    sb_dirac_finish(&a);
    sb_dirac_finish(&b);
    sb_dirac_finish(&c);
    sb_dirac_finish(&joint);
  }
}

/** Twists of the bodies in, their wrenches out; wrenches of the springs in, their twists out, apart
 *  and in contact alike. */
static void causality_of_the_contact(void **state) {
  (void)state;
  double weight[20] = {0}, J[400], a[24];
  bool flow_out[20];
  for (int k = 12; k < 20; k++) {
    weight[k] = 100;
  }
  for (int trial = 0; trial < TRIALS; trial++) {
    double s = trial % 2;
    sb_pose h = random_pose();
    sb_dirac d;
    sb_error err = {0};
    contact(s, h, &d);
    projected(h, a);
    assert_int_equal(sb_dirac_hybrid(&d, weight, flow_out, J, &err), SB_OK);
    for (int i = 0; i < 20; i++) {
      assert_int_equal(flow_out[i], i >= 12);
      for (int k = 0; k < 20; k++) {
        double want = 0, sign = i < 6 || k < 6 ? 1 : -1;
        if (i < 12 && k >= 12) { // W_1 = (1 - s) A (W_store + W_dis), W_2 = -W_1
          want = (1 - s) * sign * a[i % 6 * 4 + (k - 12) % 4];
        } else if (i >= 12 && k < 12) { // T = (1 - s) A^T (T_2 - T_1)
          want = -(1 - s) * sign * a[k % 6 * 4 + (i - 12) % 4];
        }
        assert_near(J[i * 20 + k], want, 1e-12);
        assert_near(J[i * 20 + k] + J[k * 20 + i], 0, 1e-12);
      }
    }
    sb_dirac_finish(&d);
  }
}

/** The hybrid form of the others, whatever causality it finds, is skew. */
static void hybrid_is_skew(void **state) {
  (void)state;
  for (int trial = 0; trial < TRIALS; trial++) {
    sb_dirac d;
    sb_error err = {0};
    bool flow_out[18];
    double J[18 * 18];
    if (trial % 2 == 0) {
      switching(trial / 2 % 2, random_pose(), &d);
    } else {
      projection(random_pose(), &d);
    }
    assert_int_equal(sb_dirac_hybrid(&d, NULL, flow_out, J, &err), SB_OK);
    double size = 1;
    for (int i = 0; i < d.n * d.n; i++) {
      size = fmax(size, fabs(J[i]));
    }
    for (int i = 0; i < d.n; i++) {
      for (int k = 0; k < d.n; k++) {
        assert_near(J[i * d.n + k] + J[k * d.n + i], 0, 1e-12 * size);
      }
    }
    sb_dirac_finish(&d);
  }
}

/** The kind "contact" states the rows of (13)-(15) for its frame. */
static void kind_is_the_contact(void **state) {
  (void)state;
  const sb_element_type *kind = sb_catalog_find("contact");
  for (int trial = 0; trial < TRIALS; trial++) {
    sb_pose h = random_pose(); // of the contact frame in the world
    sb_contact_frame frame = {.pose = h, .active = trial % 2};
    sb_at at = {.own = (double *)(void *)&frame, .mode = trial % 2}; // 1: in contact
    sb_kernel kernel = {0};
    sb_dirac d, want;
    kind->structure->kernel(NULL, &at, NULL, &kernel);
    assert_int_equal(sb_dirac_init(&d, 20, NULL), SB_OK);
    sb_dirac_load(&d, &kernel);
    contact(1 - trial % 2, sb_pose_inverse(h), &want);
    check(&d, 20);
    assert_int_equal(rank_of(&d, &want), 20);
    sb_kernel_finish(&kernel);
    sb_dirac_finish(&d);
    sb_dirac_finish(&want);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(power_free_and_of_full_rank), cmocka_unit_test(composes_to_the_contact),
      cmocka_unit_test(causality_of_the_contact),    cmocka_unit_test(hybrid_is_skew),
      cmocka_unit_test(kind_is_the_contact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
