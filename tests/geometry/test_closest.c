// SPDX-License-Identifier: GPL-3.0-or-later
// Closest points against pairs of bodies built around a known answer: a common normal is drawn,
// the two support points on it are found in long double by the formulas of this file, and the
// second body is put where they are the wanted gap apart. Then the derivative against differences
// of re-solved pairs, every pair of kinds, and the cases without an answer.
#include "tests/near.h"

#include "geometry/closest.h"
#include "geometry/se3.h"

static int built_pairs(void) {
  return THOROUGH ? 200000 : 30000;
}

typedef long double wide; // the reference is computed with 11 bits more
typedef struct wide3 {
  wide x[3];
} wide3;

static uint64_t random_state = 2385;

/** xorshift64*: uniform in (0, 1), the same on every machine. */
static double uniform(void) {
  random_state ^= random_state >> 12;
  random_state ^= random_state << 25;
  random_state ^= random_state >> 27;
  return ((double)((random_state * 2685821657736338717u) >> 11) + 0.5) * 0x1p-53;
}
static double between(double low, double high) {
  return low + (high - low) * uniform();
}
static double log_between(double low, double high) {
  return low * pow(high / low, uniform());
}
static sb_vec3 random_direction(void) {
  const double z = between(-1, 1), angle = between(0, 2 * SB_PI), r = sqrt(1 - z * z);
  return (sb_vec3){r * cos(angle), r * sin(angle), z};
}
static sb_vec3 random_vector(double size) {
  return (sb_vec3){between(-size, size), between(-size, size), between(-size, size)};
}
static sb_pose random_pose(double size) {
  const sb_quat q = sb_quat_from_axis_angle(random_direction(), between(0, SB_PI));
  return (sb_pose){sb_quat_rotation(q), random_vector(size)};
}

/** A body with its world pose: ellipsoids have a local pose that is not trivial. */
typedef struct body {
  sb_surface surface;
  sb_pose pose;
} body;

static double largest(sb_vec3 a) {
  return fmax(a.x, fmax(a.y, a.z));
}
static body random_ellipsoid(double size, double aspect) {
  const sb_vec3 ratio = {1.0, 1.0 / aspect, 1.0 / log_between(1.0, aspect)};
  return (body){sb_surface_ellipsoid(sb_vec3_scale(ratio, size), random_pose(0.3 * size)),
                random_pose(size)};
}
static body random_sphere(double size, double aspect) {
  (void)aspect;
  return (body){sb_surface_sphere(size, random_vector(0.3 * size)), random_pose(size)};
}

/** The axes of the shape in the world, and its centre. */
typedef struct frame {
  wide r[3][3];
  wide3 c;
} frame;

static frame world_frame(const body *b) {
  frame f;
  const double p[3] = {b->pose.position.x, b->pose.position.y, b->pose.position.z};
  const sb_vec3 local = b->surface.local.position;
  for (int i = 0; i < 3; i++) {
    const double *row = b->pose.rotation.m[i];
    f.c.x[i] = p[i] + (wide)row[0] * local.x + (wide)row[1] * local.y + (wide)row[2] * local.z;
    for (int j = 0; j < 3; j++) {
      f.r[i][j] = 0;
      for (int k = 0; k < 3; k++) {
        f.r[i][j] += (wide)row[k] * b->surface.local.rotation.m[k][j];
      }
    }
  }
  return f;
}

/** Support about the centre and the support point from the centre, for a unit n. */
static wide support(const body *b, const frame *f, const wide n[3], wide point[3]) {
  const wide a[3] = {b->surface.semi_axes.x, b->surface.semi_axes.y, b->surface.semi_axes.z};
  wide m[3], h = 0;
  for (int i = 0; i < 3; i++) {
    m[i] = a[i] * (f->r[0][i] * n[0] + f->r[1][i] * n[1] + f->r[2][i] * n[2]);
    h += m[i] * m[i];
  }
  h = sqrtl(h);
  for (int i = 0; i < 3; i++) {
    point[i] = (f->r[i][0] * a[0] * m[0] + f->r[i][1] * a[1] * m[1] + f->r[i][2] * a[2] * m[2]) / h;
  }
  return h;
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

/** g at a direction, normalised here: the gap if that is the common normal; and p2 - p1 there. */
static wide gap_along(const body b[2], const frame f[2], sb_vec3 n, wide span[3]) {
  const wide length = sqrtl((wide)n.x * n.x + (wide)n.y * n.y + (wide)n.z * n.z);
  const wide w[3] = {n.x / length, n.y / length, n.z / length};
  wide x1[3], x2[3];
  wide g = -support(&b[0], &f[0], w, x1) - support(&b[1], &f[1], w, x2);
  for (int i = 0; i < 3; i++) {
    const wide d = f[1].c.x[i] - f[0].c.x[i];
    g += w[i] * d;
    span[i] = d - x1[i] - x2[i];
  }
  return g;
}

/** Moves the second body until the gap along n is `gap`; returns the gap that rounding left. */
static double place(body b[2], frame f[2], sb_vec3 n, double gap) {
  wide span[3];
  gap_along(b, f, n, span);
  b[1].pose.position.x -= (double)(span[0] - (wide)gap * n.x);
  b[1].pose.position.y -= (double)(span[1] - (wide)gap * n.y);
  b[1].pose.position.z -= (double)(span[2] - (wide)gap * n.z);
  f[1] = world_frame(&b[1]);
  return (double)gap_along(b, f, n, span);
}

static sb_closest solve(const body b[2], const sb_vec3 *warm) {
  sb_closest c;
  sb_closest_points(&b[0].surface, &b[0].pose, &b[1].surface, &b[1].pose, warm, &c);
  return c;
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

/** A body of the k-th kind. */
static body random_body(int kind) {
  if (kind == 0) {
    return (body){sb_surface_plane(random_direction(), 0.1), random_pose(1)};
  }
  return kind == 1 ? random_sphere(1, 1) : random_ellipsoid(1, 3);
}

/** The pair after both bodies have moved for a time with constant spatial twists. */
static sb_closest solve_moved(const body b[2], const sb_twist T[2], double time, sb_vec3 warm) {
  body moved[2] = {b[0], b[1]};
  for (int i = 0; i < 2; i++) {
    moved[i].pose = sb_pose_compose(sb_se3_exp(sb_twist_scale(T[i], time)), b[i].pose);
  }
  return solve(moved, &warm);
}

static void assert_difference(sb_vec3 a, sb_vec3 b, double step, sb_vec3 rate) {
  const sb_vec3 difference = sb_vec3_scale(sb_vec3_sub(b, a), 0.5 / step);
  assert_near(sb_vec3_norm(sb_vec3_sub(difference, rate)), 0, 1e-6 * (1 + sb_vec3_norm(rate)));
}

static sb_twist random_twist(void) {
  return (sb_twist){random_vector(1), random_vector(1)};
}

static void derivative_is_difference(void **state) {
  (void)state;
  const double step = 3e-6; // [s]
  int tested = 0;
  for (int i = 0; tested < 3000; i++) {
    const body b[2] = {random_body(i % 3), random_body(i / 3 % 3)};
    const sb_closest c = solve(b, NULL);
    if (c.status != SB_CLOSEST_OK) {
      continue; // two planes, or too deep for the difference to converge
    }
    tested++;
    const sb_twist T[2] = {random_twist(), random_twist()};
    const sb_closest_motion m = sb_closest_derivative(&c, T[0], T[1]);
    const sb_closest before = solve_moved(b, T, -step, c.normal);
    const sb_closest after = solve_moved(b, T, step, c.normal);
    assert_difference(before.normal, after.normal, step, m.ndot);
    assert_difference(before.p1, after.p1, step, sb_vec3_add(sb_twist_at(T[0], c.p1), m.u1));
    assert_difference(before.p2, after.p2, step, sb_vec3_add(sb_twist_at(T[1], c.p2), m.u2));
    assert_near((after.gap - before.gap) / (2 * step), m.gap_rate, 1e-8);
  }
}

/** The turn of the normal alone, of every pair, with a plane on either side too. */
static void turn_is_that_of_the_motion(void **state) {
  (void)state;
  for (int i = 0; i < 2000; i++) {
    const body b[2] = {random_body(i % 3), random_body(i / 3 % 3)};
    const sb_closest c = solve(b, NULL);
    if (c.status != SB_CLOSEST_OK) {
      continue;
    }
    const sb_twist T[2] = {random_twist(), random_twist()};
    const sb_vec3 ndot = sb_closest_derivative(&c, T[0], T[1]).ndot;
    const sb_vec3 turn = sb_closest_turn(&c, T[0], T[1]);
    assert_near(sb_vec3_norm(sb_vec3_sub(turn, ndot)), 0, 1e-9 * (1 + sb_vec3_norm(ndot)));
  }
}

/** What is told of bodies far apart: less than the gap, further than their size, and its rate. */
static void far_is_a_lower_bound(void **state) {
  (void)state;
  const double step = 1e-5; // [s]
  int far = 0;
  for (int i = 0; i < 20000; i++) {
    body b[2] = {random_body(i % 3), random_body(i / 3 % 3)};
    if (sb_closest_supported(&b[0].surface, &b[1].surface, NULL) != SB_OK) {
      continue;
    }
    b[1].pose.position = sb_vec3_scale(b[1].pose.position, between(0, 10));
    double least, near[2];
    sb_vec3 n, place, none;
    if (!sb_closest_far(&b[0].surface, &b[0].pose, &b[1].surface, &b[1].pose, &least, &n, &place)) {
      continue;
    }
    far++;
    const sb_closest c = solve(b, NULL);
    assert_int_equal(c.status, SB_CLOSEST_OK);
    assert_true(least > 0 && least <= c.gap * (1 + 1e-12));
    assert_near(sb_vec3_norm(n), 1, 1e-12);
    const sb_twist T[2] = {random_twist(), random_twist()};
    const double rate = sb_vec3_dot(n, sb_twist_at(sb_twist_sub(T[1], T[0]), place));
    for (int k = 0; k < 2; k++) {
      const double h = k == 0 ? -step : step;
      const sb_pose H1 = sb_pose_compose(sb_se3_exp(sb_twist_scale(T[0], h)), b[0].pose);
      const sb_pose H2 = sb_pose_compose(sb_se3_exp(sb_twist_scale(T[1], h)), b[1].pose);
      (void)sb_closest_far(&b[0].surface, &H1, &b[1].surface, &H2, &near[k], &none, &none);
    }
    assert_near((near[1] - near[0]) / (2 * step), rate, 1e-6 * (1 + fabs(rate)));
  }
  assert_true(far > 1000);
}

/** The bound by planes across a normal: the gap where that is the answer's, never more, and its rate that of fixed normals;
 *  across a plane always the gap. */
static void least_is_a_bound(void **state) {
  (void)state;
  const double step = 1e-6;
  for (int i = 0; i < 6000; i++) {
    body b[2] = {random_body(i % 3), random_body(i / 3 % 3)};
    const bool plane = i % 3 == 0 || i / 3 % 3 == 0;
    const sb_closest c = solve(b, NULL);
    if (c.status != SB_CLOSEST_OK) {
      continue;
    }
    sb_vec3 n = c.normal, place[2], none[2];
    const double size = 1 + sb_vec3_norm(c.p1) + sb_vec3_norm(c.p2);
    assert_near(sb_closest_least(&b[0].surface, &b[0].pose, &b[1].surface, &b[1].pose, &n, place),
                c.gap, 1e-12 * size);
    assert_near(sb_vec3_norm(sb_vec3_sub(n, c.normal)), 0, 1e-12);
    n = sb_vec3_normalize(sb_vec3_add(c.normal, random_vector(0.1)));
    const double least =
        sb_closest_least(&b[0].surface, &b[0].pose, &b[1].surface, &b[1].pose, &n, place);
    assert_true(least <= c.gap + 1e-12 * size);
    const sb_twist T[2] = {random_twist(), random_twist()};
    const double rate =
        sb_vec3_dot(n, sb_vec3_sub(sb_twist_at(T[1], place[1]), sb_twist_at(T[0], place[0])));
    double near[2];
    for (int k = 0; k < 2; k++) {
      const double h = k == 0 ? -step : step;
      sb_vec3 fixed = n;
      const sb_pose H1 = sb_pose_compose(sb_se3_exp(sb_twist_scale(T[0], h)), b[0].pose);
      const sb_pose H2 = sb_pose_compose(sb_se3_exp(sb_twist_scale(T[1], h)), b[1].pose);
      near[k] = sb_closest_least(&b[0].surface, &H1, &b[1].surface, &H2, &fixed, none);
      assert_true(plane || sb_vec3_norm(sb_vec3_sub(fixed, n)) == 0);
    }
    assert_near((near[1] - near[0]) / (2 * step), rate, 1e-6 * (size + fabs(rate)));
  }
  const sb_surface bowl =
      sb_surface_make(&sb_bowl, &(sb_surface){.semi_axes = {1, 2, 3}}, sb_pose_identity());
  const body ball = random_body(1);
  sb_vec3 n = {0, 0, 1}, place[2];
  const sb_pose here = sb_pose_identity();
  assert_true(isnan(sb_closest_least(&bowl, &here, &ball.surface, &ball.pose, &n, place)));
}

static sb_vec3 tangent(sb_vec3 n, double size) {
  const sb_vec3 v = random_vector(size);
  return sb_vec3_axpy(v, -sb_vec3_dot(v, n), n);
}

/** sb_closest_gradient makes the power g1.u1 + g2.u2 + turn n.(w2 - w1) with every twist. */
static void gradient_is_adjoint(void **state) {
  (void)state;
  for (int i = 0; i < 2000; i++) {
    const body b[2] = {random_body(i % 3), random_body(i / 3 % 3)};
    const sb_closest c = solve(b, NULL);
    if (c.status != SB_CLOSEST_OK) {
      continue;
    }
    const sb_vec3 g1 = tangent(c.normal, 1), g2 = tangent(c.normal, 1);
    const sb_wrench K = sb_closest_gradient(&c, g1, g2, 0.713);
    const sb_twist T[2] = {random_twist(), random_twist()};
    const sb_closest_motion m = sb_closest_derivative(&c, T[0], T[1]);
    const double about = sb_vec3_dot(c.normal, sb_vec3_sub(T[1].angular, T[0].angular));
    const double want = sb_vec3_dot(g1, m.u1) + sb_vec3_dot(g2, m.u2) + 0.713 * about;
    const double size = 1 + sb_vec3_norm(m.u1) + sb_vec3_norm(m.u2);
    assert_near(sb_power(K, sb_twist_sub(T[1], T[0])), want, 1e-12 * size);
  }
}

/** Trace and determinant of L1 + L2 on the tangent plane. */
static void curvature_invariants(const sb_closest *c, double out[2]) {
  const sb_mat3 M = sb_mat3_add(c->shape1, c->shape2);
  const double trace = M.m[0][0] + M.m[1][1] + M.m[2][2];
  out[0] = trace;
  out[1] = 0.5 * (trace * trace - sb_mat3_contract(M, M));
}

/** The rate of G : (L1 + L2) where bodies that have radii of curvature are told by nothing else. */
static double rate_by_normals(const sb_closest *c, const body b[2], const sb_twist T[2],
                              sb_mat3 G) {
  sb_surface bare[2];
  sb_surface_type types[2];
  for (int i = 0; i < 2; i++) {
    bare[i] = b[i].surface;
    types[i] = *bare[i].type;
    if (types[i].radius != NULL) {
      types[i].at = NULL;
      types[i].shape_gradient = NULL;
    }
    bare[i].type = &types[i];
  }
  return sb_power(sb_closest_curvature_gradient(c, &bare[0], &b[0].pose, &bare[1], &b[1].pose, G),
                  sb_twist_sub(T[1], T[0]));
}

/** Their differential, against differences over the points of moved bodies: G is 1 - n n^T for the trace
 *  and trace (1 - n n^T) - (L1 + L2) for the determinant. */
static void curvature_gradient_is_difference(void **state) {
  (void)state;
  const double step = 1e-3; // [s]
  int tested = 0;
  for (int i = 0; tested < 1500; i++) {
    const body b[2] = {random_body(i % 3), random_body(i / 3 % 3)};
    const sb_closest c = solve(b, NULL);
    if (c.status != SB_CLOSEST_OK || c.depth_ratio > 0.2) {
      continue;
    }
    tested++;
    const sb_twist T[2] = {random_twist(), random_twist()};
    double at[2], side[4][2];
    curvature_invariants(&c, at);
    for (int k = 0; k < 4; k++) {
      const double time = step * (k - (k < 2 ? 2 : 1)); // -2, -1, 1, 2
      const sb_closest moved = solve_moved(b, T, time, c.normal);
      curvature_invariants(&moved, side[k]);
    }
    const sb_mat3 M = sb_mat3_add(c.shape1, c.shape2);
    const sb_mat3 one =
        sb_mat3_add(sb_mat3_identity(), sb_mat3_scale(sb_mat3_outer(c.normal, c.normal), -1));
    const sb_mat3 G[2] = {one, sb_mat3_add(sb_mat3_scale(one, at[0]), sb_mat3_scale(M, -1))};
    for (int k = 0; k < 2; k++) {
      const sb_wrench K = sb_closest_curvature_gradient(&c, &b[0].surface, &b[0].pose,
                                                        &b[1].surface, &b[1].pose, G[k]);
      const double rate = sb_power(K, sb_twist_sub(T[1], T[0]));
      assert_near(rate_by_normals(&c, b, T, G[k]), rate, 1e-8 * (at[k] + fabs(rate)));
      const double difference =
          (8 * (side[2][k] - side[1][k]) - (side[3][k] - side[0][k])) / (12 * step);
      assert_near(difference, rate, 1e-8 * (at[k] + fabs(rate)));
    }
  }
}

/** The law that the energy balance rests on: the gap is the integral of n.(v2 - v1), to rounding. */
static void gap_is_integral_of_its_rate(void **state) {
  (void)state;
  int tested = 0;
  const double node = sqrt(0.6); // Gauss-Legendre with three points
  for (int i = 0; i < 50; i++) {
    const body b[2] = {random_ellipsoid(1, 3),
                       i % 2 ? random_ellipsoid(1, 3) : random_sphere(1, 1)};
    const sb_twist T[2] = {random_twist(), random_twist()};
    const sb_closest start = solve(b, NULL);
    if (start.status != SB_CLOSEST_OK) {
      continue;
    }
    enum { PANELS = 64 };
    const double time = 0.05, h = time / PANELS; // [s]
    double sum = 0;
    for (int k = 0; k < 3 * PANELS; k++) {
      const double at = (k / 3 + 0.5) * h + (k % 3 - 1) * node * 0.5 * h;
      const sb_closest c = solve_moved(b, T, at, start.normal);
      sum +=
          h * (k % 3 == 1 ? 8.0 / 18 : 5.0 / 18) * sb_closest_derivative(&c, T[0], T[1]).gap_rate;
    }
    const sb_closest end = solve_moved(b, T, time, start.normal);
    if (end.status == SB_CLOSEST_OK) {
      assert_near(end.gap - start.gap, sum, 2e-14);
      tested++;
    }
  }
  assert_true(tested > 20);
}

static void bodies_can_be_exchanged(void **state) {
  (void)state;
  for (int i = 0; i < 1000; i++) {
    const body b[2] = {random_ellipsoid(1, 10), random_ellipsoid(1, 10)};
    const sb_closest c = solve(b, NULL), back = solve((body[]){b[1], b[0]}, NULL);
    if (c.status == SB_CLOSEST_OK) {
      assert_near(back.gap, c.gap, 5e-15);
      assert_near(sb_vec3_norm(sb_vec3_add(back.normal, c.normal)), 0, 1e-12);
      assert_near(sb_vec3_norm(sb_vec3_sub(back.p1, c.p2)), 0, 1e-12);
    }
  }
}

static body still(sb_surface surface) {
  return (body){surface, sb_pose_identity()};
}

static void spheres_by_hand(void **state) {
  (void)state;
  const body b[2] = {still(sb_surface_sphere(0.5, (sb_vec3){0, 0, 0})),
                     still(sb_surface_sphere(0.25, (sb_vec3){0, 2.385, 0}))};
  const sb_closest c = solve(b, NULL);
  assert_near(c.gap, 1.635, 1e-15);
  assert_near(c.normal.y, 1, 0);
  assert_near(c.p1.y, 0.5, 0);
  assert_near(c.p2.y, 2.135, 1e-15);
  assert_near(c.shape1.m[0][0], 2, 1e-15);
  assert_near(c.shape2.m[2][2], 4, 1e-15);
}

/** A ball is pushed through a thin plate. While the branch lives the gap follows the motion; where
 *  it has ended the status says so; beyond the plate the bodies are apart again. */
static void ball_through_a_plate(void **state) {
  (void)state;
  body b[2] = {still(sb_surface_ellipsoid((sb_vec3){1, 0.9, 0.05}, sb_pose_identity())),
               still(sb_surface_sphere(0.3, (sb_vec3){0.13, 0.07, 0}))};
  const double step = 1e-3; // [m]
  sb_vec3 warm = {0, 0, 1};
  double last = NAN;
  int ended = 0;
  for (double z = 0.5; z > -0.5; z -= step) {
    b[1].pose.position.z = z;
    const sb_closest c = solve(b, &warm);
    if (c.status == SB_CLOSEST_AMBIGUOUS) {
      ended++;
      last = NAN;
      continue;
    }
    assert_true(isnan(last) || fabs(c.gap - last) <= step);
    assert_true(c.gap < 0 || c.status == SB_CLOSEST_OK);
    last = c.gap;
    warm = c.normal;
  }
  assert_true(ended > 0 && last > 0 && warm.z < 0);
}

/** Concentric, coincident: some answer, marked as one of many. */
static void no_unique_answer(void **state) {
  (void)state;
  const sb_vec3 o = {0, 0, 0};
  const body bodies[] = {still(sb_surface_sphere(0.5, o)),
                         still(sb_surface_ellipsoid((sb_vec3){0.3, 0.2, 0.1}, sb_pose_identity())),
                         still(sb_surface_ellipsoid((sb_vec3){1, 1, 1}, sb_pose_identity()))};
  for (int i = 0; i < 9; i++) {
    const sb_closest c = solve((body[]){bodies[i % 3], bodies[i / 3]}, NULL);
    assert_int_equal(c.status, SB_CLOSEST_AMBIGUOUS);
    assert_true(isfinite(c.gap) && c.gap < 0);
  }
}

static void no_answer(void **state) {
  (void)state;
  for (int i = 0; i < 27; i++) {
    body b[2] = {random_body(i % 3), random_body(i / 3 % 3)};
    if (i / 9 == 0) {
      b[1].pose.position.y = NAN;
    } else if (i / 9 == 1) {
      b[1].pose.rotation.m[1][2] = NAN;
    } else {
      b[1].pose.position.x = INFINITY;
    }
    const sb_closest c = solve(b, NULL);
    assert_int_equal(c.status, SB_CLOSEST_FAILED);
    assert_true(isnan(c.gap) && isnan(c.p1.x) && isnan(c.normal.z));
  }
}

static void useless_warm_start_is_none(void **state) {
  (void)state;
  const body b[2] = {random_ellipsoid(1, 5), random_ellipsoid(0.2, 5)};
  const double gap = solve(b, NULL).gap;
  assert_near(solve(b, &(sb_vec3){0, 0, 0}).gap, gap, 0);
  assert_near(solve(b, &(sb_vec3){NAN, 0, 1}).gap, gap, 0);
}

/** Of order three, a start that is off by 0.01 is off by 1e-6 and then by rounding: at the third evaluation it is seen. */
static void a_warm_start_needs_three_evaluations(void **state) {
  enum { PAIRS = 500 };
  int evaluations = 0;
  (void)state;
  for (int i = 0; i < PAIRS; i++) {
    body b[2] = {random_ellipsoid(1, 2), random_ellipsoid(1, 2)};
    frame f[2] = {world_frame(&b[0]), world_frame(&b[1])};
    const sb_vec3 n = random_direction(), warm = sb_vec3_axpy(n, 0.01, random_direction());
    (void)place(b, f, n, between(-0.05, 0.5));
    evaluations += solve(b, &warm).iterations;
  }
  assert_true(evaluations < 3.2 * PAIRS);
}

/** Edges of two boxes along each other, at angles of 45 and 30 degrees: any pair of their points is as near, and the depth is
 *  counted by r1 + r2, the radius across the edges. */
static void edges_along_each_other(void **state) {
  (void)state;
  const sb_surface a = {.size = {0.2, 0.3, 0.16}, .edge_radius = 0.011},
                   b = {.size = {0.12, 0.2, 0.3}, .edge_radius = 0.007};
  const sb_surface s[] = {sb_surface_make(&sb_box, &a, sb_pose_identity()),
                          sb_surface_make(&sb_box, &b, sb_pose_identity())};
  const sb_vec3 axis = {0, 1, 0}, up = {0.28, 0, 0.96};
  const double depth = 1e-4, angles[] = {45, 30};
  for (int i = 0; i < 2; i++) {
    sb_pose H[2];
    sb_vec3 p[2];
    for (int k = 0; k < 2; k++) {
      const sb_quat q = sb_quat_from_axis_angle(axis, (k ? -1 : 1) * angles[i] * SB_PI / 180);
      H[k] = (sb_pose){sb_quat_rotation(q), {0, 0, 0}};
      (void)sb_surface_support(&s[k], &H[k], k ? sb_vec3_neg(up) : up, &p[k]);
    }
    H[1].position = sb_vec3_axpy(sb_vec3_sub(p[0], p[1]), -depth, up);
    sb_closest c;
    sb_closest_points(&s[0], &H[0], &s[1], &H[1], &up, &c);
    assert_int_equal(c.status, SB_CLOSEST_AMBIGUOUS);
    assert_near(c.gap, -depth, 1e-15);
    assert_near(c.depth_ratio, depth / 0.018, 1e-12);
  }
}

static void planes_are_refused(void **state) {
  (void)state;
  const sb_surface plane = sb_surface_plane((sb_vec3){0, 0, 1}, 0);
  const sb_surface sphere = sb_surface_sphere(1, (sb_vec3){0, 0, 0});
  sb_error err;
  assert_int_equal(sb_closest_supported(&plane, &plane, &err), SB_ERR_CONTACT);
  assert_string_equal(err.text, "a contact between the shapes plane and plane is not supported");
  assert_int_equal(sb_closest_supported(&sphere, &plane, &err), SB_OK);
}

/** A point at the origin of its body, on the plane and at rounding beside it: no size to compare with, and nothing to find. */
static void point_on_a_plane(void **state) {
  (void)state;
  const sb_surface plane = sb_surface_plane((sb_vec3){0, 0, 1}, 0), none = {0},
                   point = sb_surface_make(&sb_point, &none, sb_pose_identity());
  for (int k = -1; k < 2; k++) {
    const double gap = k * 1e-17;
    const sb_pose here = sb_pose_identity(), at = {here.rotation, {2.385, 0.71, gap}};
    sb_closest c;
    sb_closest_points(&plane, &here, &point, &at, NULL, &c);
    assert_int_equal(c.status, SB_CLOSEST_OK);
    assert_near(c.gap, gap, 0);
    assert_near(c.p1.x, 2.385, 0);
    assert_near(c.normal.z, 1, 0);
  }
}

/** The closest points of a shape, raised by 0.3 m and turned about x by an angle, to the plane z = 0. */
static sb_closest above_plane(const sb_surface_type *type, const sb_surface *attributes,
                              double angle, sb_pose *pose) {
  const sb_surface plane = sb_surface_plane((sb_vec3){0, 0, 1}, 0),
                   s = sb_surface_make(type, attributes, sb_pose_identity());
  const sb_pose here = sb_pose_identity();
  sb_closest c;
  assert_int_equal(sb_surface_check(&s, NULL), SB_OK);
  *pose = (sb_pose){sb_quat_rotation(sb_quat_from_axis_angle((sb_vec3){1, 0, 0}, angle)),
                    {0.71, -0.4, 0.3}};
  sb_closest_points(&plane, &here, &s, pose, NULL, &c);
  return c;
}

/** A torus flat on a plane has a circle of closest points, R from its axis; on its edge it has one. */
static void torus_on_a_plane(void **state) {
  (void)state;
  const sb_surface torus = {.radius = 0.1, .tube_radius = 0.02};
  sb_pose H;
  const sb_closest flat = above_plane(&sb_torus, &torus, 0, &H);
  assert_int_equal(flat.status, SB_CLOSEST_AMBIGUOUS);
  assert_near(flat.gap, 0.28, 1e-16);
  assert_near(hypot(flat.p2.x - 0.71, flat.p2.y + 0.4), 0.1, 1e-15);
  assert_near(flat.shape2.m[0][0] + flat.shape2.m[1][1], 50, 1e-12); // 1/r and 0
  assert_near(flat.shape2.m[0][0] * flat.shape2.m[1][1], 0, 1e-12);
  const sb_closest edge = above_plane(&sb_torus, &torus, SB_PI / 2, &H);
  assert_int_equal(edge.status, SB_CLOSEST_OK);
  assert_near(edge.gap, 0.18, 1e-15);
}

/** Strictly convex, though a curvature vanishes where a coordinate of the shape is zero: h(n) is known, and with the body turning
 *  about x at w the point goes along y by w/L, that of its own motion. */
static void superellipsoid_on_a_plane(void **state) {
  (void)state;
  const double exponents[] = {2.01, 4, 20}, angle = 0.35, a = 0.1, b = 0.12, c = 0.08;
  for (int i = 0; i < 3; i++) {
    const double p = exponents[i], q = p / (p - 1);
    const sb_surface s = {.semi_axes = {a, b, c}, .exponent = p};
    const double h = pow(pow(b * sin(angle), q) + pow(c * cos(angle), q), 1 / q);
    sb_pose H;
    const sb_closest at = above_plane(&sb_superellipsoid, &s, angle, &H);
    assert_int_equal(at.status, SB_CLOSEST_OK);
    const double rounded = p > 5 ? 1e-16 : 1e-11; // its sides, within 1e-10 of its size
    assert_near(at.gap, 0.3 - h, 10 * rounded);
    assert_near(at.p2.x, 0.71, 1e-15);
    assert_near(at.shape2.m[0][0] * a, 0, p > 5 ? 0 : p > 3 ? 1e-3 : 1);
    // of h as a function of the angle t, n = (0, -sin t, -cos t): R = h + h''
    const double step = 1e-3, up = angle + step, down = angle - step;
    const double above = pow(pow(b * sin(up), q) + pow(c * cos(up), q), 1 / q);
    const double below = pow(pow(b * sin(down), q) + pow(c * cos(down), q), 1 / q);
    const double R = h + (above - 2 * h + below) / (step * step), w = 2.385;
    const sb_twist still = {{0, 0, 0}, {0, 0, 0}}, turns = {{w, 0, 0}, {0, 0, 0}};
    const sb_closest_motion motion = sb_closest_derivative(&at, still, turns);
    const double own = -w * at.p2.z; // the velocity of the body's point along y
    assert_near(motion.u2.x, 0, 1e-15);
    assert_near(fabs(motion.u1.y - own), w * R, 1e-4 * w * R);
    assert_near(motion.u2.y, motion.u1.y - own, 1e-12);
    const sb_closest upright = above_plane(&sb_superellipsoid, &s, 0, &H);
    assert_int_equal(upright.status, SB_CLOSEST_OK);
    assert_near(upright.gap, 0.3 - c, rounded);
    assert_near(sb_vec3_norm(sb_closest_derivative(&upright, still, still).u1), 0, 0);
  }
}

/** Cylinders whose flats have gone are a capsule and a disc with a half circle as its rim, in whatever unit the edge is stated. */
static void cylinders_without_flats(void **state) {
  (void)state;
  const double edges[] = {0.07, nextafter(0.07, 1), nextafter(0.07, 0)};
  for (int i = 0; i < 3; i++) {
    const sb_surface capsule = {.radius = 0.07, .length = 0.4, .edge_radius = edges[i]},
                     disc = {.radius = 0.2, .length = 0.14, .edge_radius = edges[i]},
                     box = {.size = {0.14, 0.14, 0.4}, .edge_radius = edges[i]};
    sb_pose H;
    const sb_closest c[] = {above_plane(&sb_cylinder, &capsule, 0, &H),
                            above_plane(&sb_box, &box, 0, &H),
                            above_plane(&sb_cylinder, &disc, SB_PI / 2, &H)};
    const double kx[] = {1 / 0.07, 1 / 0.07, 1 / 0.2}, gap[] = {0.1, 0.1, 0.1};
    for (int k = 0; k < 3; k++) {
      assert_int_equal(c[k].status, SB_CLOSEST_OK);
      assert_near(c[k].gap, gap[k], 1e-15);
      assert_near(c[k].shape2.m[0][0], kx[k], 1e-12);
      assert_near(c[k].shape2.m[1][1], 1 / 0.07, 1e-12);
    }
    assert_int_equal(above_plane(&sb_cylinder, &disc, 0, &H).status, SB_CLOSEST_AMBIGUOUS);
    assert_int_equal(above_plane(&sb_cylinder, &capsule, SB_PI / 2, &H).status,
                     SB_CLOSEST_AMBIGUOUS);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(built_ellipsoids),
      cmocka_unit_test(built_with_spheres),
      cmocka_unit_test(built_with_planes),
      cmocka_unit_test(derivative_is_difference),
      cmocka_unit_test(turn_is_that_of_the_motion),
      cmocka_unit_test(far_is_a_lower_bound),
      cmocka_unit_test(gradient_is_adjoint),
      cmocka_unit_test(curvature_gradient_is_difference),
      cmocka_unit_test(gap_is_integral_of_its_rate),
      cmocka_unit_test(bodies_can_be_exchanged),
      cmocka_unit_test(spheres_by_hand),
      cmocka_unit_test(ball_through_a_plate),
      cmocka_unit_test(no_unique_answer),
      cmocka_unit_test(no_answer),
      cmocka_unit_test(useless_warm_start_is_none),
      cmocka_unit_test(a_warm_start_needs_three_evaluations),
      cmocka_unit_test(edges_along_each_other),
      cmocka_unit_test(planes_are_refused),
      cmocka_unit_test(least_is_a_bound),
      cmocka_unit_test(point_on_a_plane),
      cmocka_unit_test(torus_on_a_plane),
      cmocka_unit_test(superellipsoid_on_a_plane),
      cmocka_unit_test(cylinders_without_flats),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
