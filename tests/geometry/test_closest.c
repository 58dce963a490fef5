// SPDX-License-Identifier: GPL-3.0-or-later
// Closest points against pairs of bodies built around a known answer: a common normal is drawn,
// the two support points on it are found in long double by the formulas of pairs.h, and the
// second body is put where they are the wanted gap apart.
#include "tests/geometry/pairs.h"

static int built_pairs(void) {
  return THOROUGH ? 200000 : 30000;
}

/** The smaller eigenvalue of R1 + R2: the second differences of h1 + h2 on two tangents and their
 *  sum, which for an ellipsoid are e.R e = (|a f|^2 - (a f . a m / h)^2) / h, f = e in its axes. */
static double least_radius(const body b[2], const frame f[2], sb_vec3 n) {
  sb_vec3 e[3];
  sb_tangent_basis(n, &e[0], &e[1]);
  e[2] = sb_vec3_add(e[0], e[1]);
  wide form[3] = {0, 0, 0};
  for (int k = 0; k < 2; k++) {
    const double a[3] = {b[k].surface.semi_axes.x, b[k].surface.semi_axes.y,
                         b[k].surface.semi_axes.z};
    for (int i = 0; i < 3; i++) {
      wide hh = 0, ee = 0, eh = 0;
      for (int j = 0; j < 3; j++) {
        const wide m = a[j] * (f[k].r[0][j] * n.x + f[k].r[1][j] * n.y + f[k].r[2][j] * n.z);
        const wide t =
            a[j] * (f[k].r[0][j] * e[i].x + f[k].r[1][j] * e[i].y + f[k].r[2][j] * e[i].z);
        hh += m * m, ee += t * t, eh += m * t;
      }
      form[i] += (ee - eh * eh / hh) / sqrtl(hh);
    }
  }
  const wide off = (form[2] - form[0] - form[1]) / 2, half = (form[0] - form[1]) / 2;
  return (double)((form[0] + form[1]) / 2 - sqrtl(half * half + off * off));
}

/** Whether n is a strict local maximum of g, by g around it. */
static int is_maximum(const body b[2], const frame f[2], sb_vec3 n) {
  wide span[3];
  const wide g = gap_along(b, f, n, span);
  sb_vec3 e1, e2;
  sb_tangent_basis(n, &e1, &e2);
  for (int i = 0; i < 16; i++) {
    const double angle = i * SB_PI / 8, step = 1e-5;
    const sb_vec3 to = sb_vec3_add(sb_vec3_scale(e1, cos(angle)), sb_vec3_scale(e2, sin(angle)));
    if (gap_along(b, f, sb_vec3_axpy(n, step, to), span) >= g) {
      return 0;
    }
  }
  return 1;
}

/** Whether p1 lies in body 2 or p2 in body 1: a thin body can be left again on the far side, and
 *  the built pair is then no contact any more. */
static int is_contact(const body b[2], const frame f[2], sb_vec3 n) {
  for (int k = 0; k < 2; k++) {
    const wide side = k ? -1 : 1;
    const double a[3] = {b[1 - k].surface.semi_axes.x, b[1 - k].surface.semi_axes.y,
                         b[1 - k].surface.semi_axes.z};
    wide x[3], level = 0;
    support(&b[k], &f[k], (wide[]){n.x * side, n.y * side, n.z * side}, x);
    for (int j = 0; j < 3; j++) {
      wide y = 0;
      for (int i = 0; i < 3; i++) {
        y += f[1 - k].r[i][j] * (f[k].c.x[i] + x[i] - f[1 - k].c.x[i]);
      }
      level += y * y / (a[j] * a[j]);
    }
    if (level <= 1) {
      return 1;
    }
  }
  return 0;
}

typedef struct tally {
  int pairs, failures;
  int others;                // cold answers that are another, better maximum
  int left;                  // pairs that are no contact any more
  double gap, normal, error; // largest errors; gap relative to the smaller body
  long cold, warm;           // evaluations
} tally;

static int agrees(tally *t, const sb_closest *c, double gap, sb_vec3 n, double size) {
  if (!(fabs(c->gap - gap) <= 1e-12 * size)) {
    return 0;
  }
  t->gap = fmax(t->gap, fabs(c->gap - gap) / size);
  t->normal = fmax(t->normal, sb_vec3_norm(sb_vec3_sub(c->normal, n)));
  t->error = fmax(t->error, c->error);
  return 1;
}

/** Cold and warm against the built answer. */
static void check_built(tally *t, const body b[2], const frame f[2], sb_vec3 n, double gap) {
  const double size = fmin(largest(b[0].surface.semi_axes), largest(b[1].surface.semi_axes));
  sb_closest c = solve(b, NULL);
  t->pairs++;
  t->cold += c.iterations;
  if (!agrees(t, &c, gap, n, size)) {
    wide span[3];
    const int better = gap < 0 && c.gap > gap && is_maximum(b, f, c.normal) &&
                       fabs(c.gap - (double)gap_along(b, f, c.normal, span)) <= 1e-12 * size;
    t->others += better;
    t->failures += !better;
  }
  const sb_vec3 warm = sb_vec3_axpy(n, 0.02 * uniform(), random_direction());
  c = solve(b, &warm);
  t->warm += c.iterations;
  t->failures += !agrees(t, &c, gap, n, size);
  if (gap > 1e-9 * size) { // apart, the answer is unique: any warm start must lead to it
    const sb_vec3 anywhere = random_direction();
    const sb_closest again = solve(b, &anywhere);
    t->failures += !agrees(t, &again, gap, n, size);
  }
  t->failures +=
      c.status != (c.depth_ratio > SB_CLOSEST_DEPTH_DEEP ? SB_CLOSEST_DEEP : SB_CLOSEST_OK);
}

/** A pair that has come through: warm or cold, the answer is a contact or the bodies are apart. */
static void check_left(tally *t, const body b[2]) {
  const frame f[2] = {world_frame(&b[0]), world_frame(&b[1])};
  const sb_vec3 warm = random_direction();
  const sb_closest c[2] = {solve(b, NULL), solve(b, &warm)};
  t->left++;
  for (int i = 0; i < 2; i++) {
    if (c[i].gap < 0 && c[i].status <= SB_CLOSEST_DEEP) {
      t->failures += !is_contact(b, f, c[i].normal) || !is_maximum(b, f, c[i].normal);
    }
    t->failures += c[i].status == SB_CLOSEST_FAILED;
  }
  t->failures += (c[0].gap > 0) != (c[1].gap > 0);
}

typedef struct band {
  const char *name;
  double low, high; // gap relative to the smaller body, or its depth ratio rho if negative
} band;
static const band bands[] = {{"separated", 1e-3, 1},       {"nearly touching", 1e-9, 1e-4},
                             {"touching", 0, 0},           {"shallow", -1e-6, -1e-2},
                             {"penetrating", -1e-2, -0.3}, {"deep", -0.3, -0.5}};
enum { BANDS = sizeof bands / sizeof bands[0] };

static double draw_gap(const band *d, double size, double radius) {
  if (d->low == 0) {
    return 0;
  }
  return d->low < 0 ? -radius * log_between(-d->low, -d->high)
                    : size * log_between(d->low, d->high);
}

/** Pairs of the two makers' bodies, in every band.  @param limit  of the gap's errors, relative to the smaller body */
static void run_bands(body (*make1)(double, double), body (*make2)(double, double), double aspect,
                      double limit, int pairs) {
  for (int k = 0; k < BANDS; k++) {
    tally t = {0};
    for (int i = 0; i < pairs; i++) {
      const double size = log_between(0.2, 5.0);
      const body b1 = make1(1.0, log_between(1, aspect)), b2 = make2(size, log_between(1, aspect));
      body b[2] = {b1, b2};
      frame f[2] = {world_frame(&b[0]), world_frame(&b[1])};
      const sb_vec3 n = random_direction();
      const double wanted = draw_gap(&bands[k], fmin(size, 1.0), least_radius(b, f, n));
      const double gap = place(b, f, n, wanted);
      if (wanted >= 0 || is_contact(b, f, n)) {
        check_built(&t, b, f, n, gap);
      } else {
        check_left(&t, b);
      }
    }
    print_message("%s-%s, aspect <= %3g, %-15s: gap %.1e, normal %.1e, error %.1e, other maxima "
                  "%d, not a contact %d, evaluations cold %.2f warm %.2f, failures %d\n",
                  make1(1, 2).surface.type->name, make2(1, 2).surface.type->name, aspect,
                  bands[k].name, t.gap, t.normal, t.error, t.others, t.left,
                  (double)t.cold / t.pairs, (double)t.warm / t.pairs, t.failures);
    assert_int_equal(t.failures, 0);
    assert_true(t.gap <= limit && t.normal <= 1e-10 && t.error <= 1e-12);
    assert_true(t.others == 0 || bands[k].low < 0);
  }
}

static void built_ellipsoids(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    run_bands(random_ellipsoid, random_ellipsoid, (double[]){5, 20, 100}[i], 5e-15,
              built_pairs() / (3 * BANDS));
  }
}

static void built_with_spheres(void **state) {
  (void)state;
  run_bands(random_sphere, random_ellipsoid, 100, 1e-14, built_pairs() / 100);
  run_bands(random_ellipsoid, random_sphere, 5, 1e-14, built_pairs() / 100);
  run_bands(random_sphere, random_sphere, 1, 1e-14, built_pairs() / 100);
}

/** The plane is put under the body's lowest point along a normal, at the wanted gap. */
static void built_with_planes(void **state) {
  (void)state;
  for (int i = 0; i < built_pairs() / 100; i++) {
    const double gap = between(-0.3, 1.0);
    const body below = i % 2 ? random_ellipsoid(1, log_between(1, 100)) : random_sphere(1, 1);
    const frame f = world_frame(&below);
    const sb_vec3 own = random_direction();
    const sb_pose pose = random_pose(1);
    const sb_vec3 n = sb_mat3_apply(pose.rotation, own);
    wide x[3], height = -gap;
    height -= support(&below, &f, (wide[]){n.x, n.y, n.z}, x);
    height += n.x * (f.c.x[0] - pose.position.x) + n.y * (f.c.x[1] - pose.position.y) +
              n.z * (f.c.x[2] - pose.position.z);
    const body plane = {sb_surface_plane(sb_vec3_scale(own, 2.385), (double)height), pose};
    const sb_closest c = solve((body[]){plane, below}, NULL);
    const sb_closest back = solve((body[]){below, plane}, NULL);
    assert_int_equal(c.status, SB_CLOSEST_OK);
    assert_near(c.gap, gap, 3e-15);
    assert_near(back.gap, c.gap, 0);
    assert_near(sb_vec3_norm(sb_vec3_add(back.normal, n)), 0, 1e-15);
    assert_near(c.p2.x, (double)(f.c.x[0] - x[0]), 1e-13);
    assert_near(c.p2.y, (double)(f.c.x[1] - x[1]), 1e-13);
    assert_near(back.p1.z, (double)(f.c.x[2] - x[2]), 1e-13);
    assert_near(c.shape1.m[0][0], 0, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(built_ellipsoids),
      cmocka_unit_test(built_with_spheres),
      cmocka_unit_test(built_with_planes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
