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
#include "core/graph/kernel.h"
#include "geometry/quat.h"
#include "tests/dirac_matrices.h"

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
  dirac_init(d, 18);
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
  dirac_init(d, 14);
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
  dirac_init(d, 20);
  put_identity(d, d->E, 0, 0, 12, 1);
  for (int k = 0; k < 2; k++) {
    put(d, d->E, 0, 12 + 4 * k, 6, 4, a, false, s - 1);
    put(d, d->E, 6, 12 + 4 * k, 6, 4, a, false, 1 - s);
    put(d, d->F, 12 + 4 * k, 0, 4, 6, a, true, s - 1);
    put(d, d->F, 12 + 4 * k, 6, 4, 6, a, true, 1 - s);
    put_identity(d, d->F, 12 + 4 * k, 12 + 4 * k, 4, -1);
  }
}

/** Singular values of m (columns x rows), which is used up, above rounding. */
static int rank_of_columns(gsl_matrix *m) {
  gsl_matrix *v = gsl_matrix_alloc(m->size2, m->size2);
  gsl_vector *s = gsl_vector_alloc(m->size2), *work = gsl_vector_alloc(m->size2);
  gsl_linalg_SV_decomp(m, v, s, work);
  int rank = 0;
  for (size_t i = 0; i < s->size; i++) {
    rank += gsl_vector_get(s, i) > 1e-11 * gsl_vector_get(s, 0);
  }
  gsl_matrix_free(m);
  gsl_matrix_free(v);
  gsl_vector_free(s);
  gsl_vector_free(work);
  return rank;
}

/** Puts the rows [E F] of a structure behind the first `rows` of m; components `from` to `to` stand `shift`
 *  behind, efforts times `sign`, flows behind all `n` efforts. */
static void put_rows(gsl_matrix *m, size_t rows, const sb_dirac *d, int from, int to, int shift,
                     double sign, size_t n) {
  for (int i = 0; i < d->n; i++) {
    for (int k = from; k < to; k++) {
      size_t row = rows + (size_t)i, column = (size_t)(k + shift);
      gsl_matrix_set(m, column, row, sign * d->E[i * d->n + k]);
      gsl_matrix_set(m, n + column, row, d->F[i * d->n + k]);
    }
  }
}

enum { COMPONENTS_MAX = 21 };

/** Rank of the rows [E F] of one structure, or of two stacked. */
static int rank_of(const sb_dirac *a, const sb_dirac *b) {
  size_t n = (size_t)a->n;
  gsl_matrix *m = gsl_matrix_calloc(2 * n, b == NULL ? n : 2 * n);
  put_rows(m, 0, a, 0, a->n, 0, 1, n);
  if (b != NULL) {
    put_rows(m, n, b, 0, b->n, 0, 1, n);
  }
  return rank_of_columns(m);
}

/** Power-free by the definition: e.f = 0 for the image f = E^T l, e = F^T l of any l. */
static void check_power_free(const sb_dirac *d) {
  double power = 0, size = 0, l[COMPONENTS_MAX];
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
  double work[2 * COMPONENTS_MAX * COMPONENTS_MAX + 3 * COMPONENTS_MAX];
  check_power_free(d);
  assert_near(dirac_skew_residual(d), 0, 1e-12);
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
    assert_true(dirac_skew_residual(&b) > 1e-3);
    b.F[9] = b.E[8 * b.n + 7] = 0;
    memset(b.E + 13 * b.n, 0, (size_t)b.n * sizeof *b.E); // a row without anything
    assert_int_equal(rank_of(&b, NULL), 13);
    dirac_finish(&a);
    dirac_finish(&b);
    dirac_finish(&c);
  }
}

/** Shared twist, opposite wrenches at W21: what the contact states follows from the rows of both, and it
 *  is all that follows, as no larger structure is power-free. */
static void composes_to_the_contact(void **state) {
  (void)state;
  for (int trial = 0; trial < TRIALS; trial++) {
    double s = mode_of(trial);
    sb_pose h01 = random_pose(), h1c = random_pose();
    sb_dirac a, b, c;
    switching(s, h01, &a);
    projection(h1c, &b);
    contact(s, sb_pose_compose(h1c, h01), &c);
    for (int rows = 32; rows <= 52; rows += 20) {          // of a and b; of the contact, too
      gsl_matrix *m = gsl_matrix_calloc(52, (size_t)rows); // W1, W2, W_store, W_dis, W21
      put_rows(m, 0, &a, 0, 12, 0, 1, 26);
      put_rows(m, 0, &a, 12, 18, 8, 1, 26);
      put_rows(m, 18, &b, 0, 6, 20, -1, 26);
      put_rows(m, 18, &b, 6, 10, 10, 1, 26);
      put_rows(m, 18, &b, 10, 14, 2, 1, 26);
      if (rows == 52) {
        put_rows(m, 32, &c, 0, 20, 0, 1, 26);
      }
      assert_int_equal(rank_of_columns(m), 32);
    }
    dirac_finish(&a);
    dirac_finish(&b);
    dirac_finish(&c);
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
    sb_port ports[4] = {{.dim = 6}, {.dim = 6}, {.dim = 4}, {.dim = 4}};
    sb_layout layout = {.ports = ports, .port_count = 4};
    kind->structure->kernel(NULL, &at, &layout, &kernel);
    dirac_init(&d, 20);
    sb_dirac_load(&d, &kernel);
    contact(1 - trial % 2, sb_pose_inverse(h), &want);
    check(&d, 20);
    assert_int_equal(rank_of(&d, &want), 20);
    sb_kernel_finish(&kernel);
    dirac_finish(&d);
    dirac_finish(&want);
  }
}

/** With a stiffness that changes there is one more port, which a wrench joins with both bodies; its
 *  components that are nothing but rounding, and levers of that size, take no rank away. */
static void contact_that_hardens(void **state) {
  (void)state;
  const sb_element_type *kind = sb_catalog_find("contact");
  for (int trial = 0; trial < TRIALS; trial++) {
    sb_contact_frame frame = {.pose = random_pose(), .active = trial % 2};
    frame.hardening = (sb_wrench){{0.31, 0.263366, -0.7}, {1.3, -2.1, 0.4}};
    if (trial % 4 == 1) {
      frame.pose = (sb_pose){sb_mat3_identity(), {0.0206394, 0, 1.38778e-17}};
      frame.hardening = (sb_wrench){{0, 0.263366, 0}, {1.11022e-16, 0, 1.94688e-16}};
    }
    sb_at at = {.own = (double *)(void *)&frame, .mode = trial % 2};
    sb_port ports[5] = {{.dim = 6}, {.dim = 6}, {.dim = 4}, {.dim = 4}, {.dim = 1}};
    sb_layout layout = {.ports = ports, .port_count = 5};
    sb_kernel kernel = {0};
    sb_dirac d;
    kind->structure->kernel(NULL, &at, &layout, &kernel);
    dirac_init(&d, 21);
    sb_dirac_load(&d, &kernel);
    check(&d, 21);
    double work[2 * 21 * 21 + 3 * 21], W = trial % 2 == 0 ? 0 : frame.hardening.moment.y;
    assert_int_equal(sb_dirac_rank(&d, work), 21);
    assert_near(d.E[1 * 21 + 20], -W, 0); // W_1 = K k dV/dk
    assert_near(d.F[20 * 21 + 7], W, 0);  // d ln k/dt = K . (T_2 - T_1)
    sb_kernel_finish(&kernel);
    dirac_finish(&d);
  }
}

/** The rank of a contact in other units of length, in which a lever of 2.4 m is 2.4e-18 to 2.4e18; and where a
 *  row says nothing that another does not say. */
static void rank_has_no_units(void **state) {
  (void)state;
  double work[2 * 20 * 20 + 3 * 20];
  for (int trial = 0; trial < TRIALS; trial++) {
    double unit = pow(10, 36.0 * trial / (TRIALS - 1) - 18);
    sb_pose h = random_pose();
    h.position = sb_vec3_scale(h.position, unit);
    sb_dirac d;
    contact(0, h, &d);
    assert_int_equal(sb_dirac_rank(&d, work), 20);
    for (int k = 0; k < 20; k++) {
      d.E[k] = 2.385 * unit * d.E[20 + k];
      d.F[k] = 2.385 * unit * d.F[20 + k];
    }
    assert_int_equal(sb_dirac_rank(&d, work), 19);
    dirac_finish(&d);
  }
}

/** A contact states each row by a component of its own, with the coefficient 1: in any unit of length, also where a lever
 *  is the rounding of another, 1e-16 of it. */
static void leading_rows_have_no_units(void **state) {
  (void)state;
  const sb_element_type *kind = sb_catalog_find("contact");
  sb_port ports[4] = {{.dim = 6}, {.dim = 6}, {.dim = 4}, {.dim = 4}};
  sb_layout layout = {.ports = ports, .port_count = 4};
  for (int decade = -18; decade <= 18; decade++) {
    const double unit = pow(10, decade);
    sb_contact_frame frame = {.pose = {sb_mat3_identity(), {2.385 * unit, 0, 2.385e-16 * unit}},
                              .active = 1};
    sb_at at = {.own = (double *)(void *)&frame, .mode = 1};
    sb_kernel kernel = {0};
    double scratch[4 * 20];
    kind->structure->kernel(NULL, &at, &layout, &kernel);
    assert_true(sb_kernel_leads(&kernel, 20, scratch));
    sb_kernel_finish(&kernel);
  }
}

/** Rows that have a column each are independent; of others, and of what is small in its row, nothing is said. */
static void leading_rows_have_full_rank(void **state) {
  (void)state;
  const sb_element_type *kind = sb_catalog_find("contact");
  sb_port ports[4] = {{.dim = 6}, {.dim = 6}, {.dim = 4}, {.dim = 4}};
  sb_layout layout = {.ports = ports, .port_count = 4};
  double scratch[4 * 20];
  for (int trial = 0; trial < TRIALS; trial++) {
    sb_contact_frame frame = {.pose = random_pose(), .active = 1};
    sb_at at = {.own = (double *)(void *)&frame, .mode = 1};
    sb_kernel kernel = {0};
    sb_dirac d;
    kind->structure->kernel(NULL, &at, &layout, &kernel);
    assert_true(sb_kernel_leads(&kernel, 20, scratch));
    dirac_init(&d, 20);
    sb_dirac_load(&d, &kernel);
    assert_int_equal(rank_of(&d, NULL), 20);
    double skew[3 * 20 * 20 + 2 * 20];
    assert_near(sb_kernel_skew(&kernel, 20, skew), 0, 1e-12);
    dirac_finish(&d);
    int count = kernel.count, row = trial % 20, other = (row + 7) % 20, led = -1;
    for (int i = 0; i < count; i++) {
      sb_kernel_entry *entry = &kernel.entries[i];
      led = entry->row == row && entry->component == row ? i : led;
    }
    kernel.entries[led].value *= 1e-12; // each row of a contact leads by its own component
    assert_false(sb_kernel_leads(&kernel, 20, scratch));
    dirac_init(&d, 20); // no longer without power, and one figure for both forms
    sb_dirac_load(&d, &kernel);
    assert_true(dirac_skew_residual(&d) > 1e-3);
    assert_near(sb_kernel_skew(&kernel, 20, skew), dirac_skew_residual(&d), 1e-12);
    dirac_finish(&d);
    for (int i = 0; i < count; i++) {
      const sb_kernel_entry entry = kernel.entries[i];
      if (entry.row == row) { // what it says, another row says too
        sb_kernel_add(&kernel, other, entry.component, entry.variable, 2.385 * entry.value);
      }
    }
    assert_false(sb_kernel_leads(&kernel, 20, scratch));
    sb_kernel_finish(&kernel);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(power_free_and_of_full_rank), cmocka_unit_test(composes_to_the_contact),
      cmocka_unit_test(kind_is_the_contact),         cmocka_unit_test(contact_that_hardens),
      cmocka_unit_test(rank_has_no_units),           cmocka_unit_test(leading_rows_have_full_rank),
      cmocka_unit_test(leading_rows_have_no_units),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
