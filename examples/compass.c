// SPDX-License-Identifier: GPL-3.0-or-later
// The compass biped on a slope: limit cycles of passive walking, found by shooting (Goswami, Thuilot, Espiau, "Compass-like
// biped robot", INRIA RR-2996, 1996). Two legs of 1 m, 5 kg in the middle of each, 10 kg at the hip, no motor.
//
//   swing    the stance leg turns about its foot, the swing leg about the hip: a tree of two joints. That the swing
//            foot passes through the ground while the legs pass each other is left out of account
//   impact   the swing foot meets the slope: theta_1 + theta_2 = 2 slope, with it ahead. It stays at once and the old foot leaves.
//            With the hip free to move, v = Q_- of the rates before and Q_+ of those after, p_r = Q^T M v,
//              p_r+ = Q_+^T M Q_- (Q_-^T M Q_-)^-1 p_r-,
//            as Q_+^T takes no impulse at the new foot, and the old one exerts none
//   cycle    x = (angle and rate of the stance leg, rate of the swing leg) after an impact comes back after a step, by
//            Newton's method on P(x) - x. The eigenvalues of P' at it are the Floquet multipliers
//
// Checked: the figures of an independent program (angles in 80-bit arithmetic, impacts by angular momenta), and the energy that an
// impact loses, which in a cycle is what the slope gives: m g L sin(slope), m = 20 kg, L the length of a step.
//
// Build against the installed library:
//   cc compass.c $(pkg-config --cflags --libs screwbond) -lm -o compass
// The program ends with 1 if anything fails or a figure is not as expected.
#include <complex.h>
#include <math.h>
#include <screwbond.h>
#include <stdio.h>
#include <string.h>

static const double leg_mass = 5, hip_mass = 10, leg = 1, gravity = 9.81; // [kg], [m], [m/s^2]
static const double degree = 0.017453292519943295;

/** The stance leg with the hip's mass, about its foot; the swing leg, about the hip. Both stand along y. */
static const double stance_mass = 15, swing_mass = 5;

static sb_vec3 stance_centre(void) {
  return (sb_vec3){0, (leg_mass * leg / 2 + hip_mass * leg) / stance_mass, 0};
}

/** Of points on the y axis about their centre. */
static sb_mat3 stance_inertia(void) {
  const double c = stance_centre().y, a = leg / 2 - c, b = leg - c,
               j = leg_mass * a * a + hip_mass * b * b;
  return sb_mat3_diag((sb_vec3){j, 0, j});
}

/** What can go wrong in the library is printed, and ends the program's work. */
static sb_error err;

/** The state of the walker: angles of stance and swing leg from the upward vertical, towards +x, and their rates. */
typedef struct walker {
  double angle[2], rate[2]; // [rad], [rad/s]
} walker;

static sb_status describe(const walker *start, sb_mechanism *m) {
  const sb_joint *revolute = sb_joint_find("revolute");
  sb_mechanism_body *stance = sb_mechanism_add_body(m, "stance");
  sb_mechanism_body *swing = sb_mechanism_add_body(m, "swing");
  sb_mechanism_joint *foot = sb_mechanism_add_joint(m, "foot", revolute, SB_MECHANISM_WORLD, 0);
  sb_mechanism_joint *hip = sb_mechanism_add_joint(m, "hip", revolute, 0, 1);
  if (stance == NULL || swing == NULL || foot == NULL || hip == NULL) {
    return SB_ERR_MEMORY;
  }
  stance->mass = stance_mass;
  stance->com = stance_centre();
  stance->inertia = stance_inertia();
  swing->mass = swing_mass;
  swing->com = (sb_vec3){0, -leg / 2, 0};
  foot->axis = hip->axis = (sb_vec3){0, 0, -1};
  hip->in_parent.position = (sb_vec3){0, leg, 0};
  foot->q[0] = start->angle[0];
  hip->q[0] = start->angle[1] - start->angle[0];
  foot->v[0] = start->rate[0];
  hip->v[0] = start->rate[1] - start->rate[0];
  return SB_OK;
}

static sb_status compile(const walker *start, sb_model **model) {
  sb_mechanism *m = NULL;
  sb_graph *graph = NULL;
  sb_errors errors = {0};
  SB_TRY(sb_mechanism_create((sb_vec3){0, -gravity, 0}, &m, &err));
  sb_status status = describe(start, m);
  status = status == SB_OK ? sb_graph_create("compass", &graph, &err) : status;
  status = status == SB_OK ? sb_mechanism_build(m, graph, NULL, &err) : status;
  status = status == SB_OK ? sb_model_compile(graph, model, &errors) : status;
  if (errors.count > 0) {
    err = errors.items[0];
  }
  sb_errors_finish(&errors);
  sb_graph_destroy(graph);
  sb_mechanism_release(m); // the model has its share
  return status;
}

/** A swing, and what is read of it. */
typedef struct swing {
  sb_model *model;
  sb_quantity angle[2], rate[2], energy;
} swing;

static sb_status begin(const walker *start, swing *s) {
  static const char *const names[] = {"foot.q", "hip.q", "foot.w", "hip.w"};
  SB_TRY(compile(start, &s->model));
  for (int i = 0; i < 4; i++) {
    SB_TRY(sb_model_find(s->model, names[i], i < 2 ? &s->angle[i] : &s->rate[i - 2], &err));
  }
  return sb_model_find(s->model, "tree(stance).kinetic-energy", &s->energy, &err);
}

static void read_walker(const swing *s, const sb_simulation *sim, walker *w) {
  for (int i = 0; i < 2; i++) {
    sb_simulation_read(sim, &s->angle[i], &w->angle[i]);
    sb_simulation_read(sim, &s->rate[i], &w->rate[i]);
    w->angle[i] += i > 0 ? w->angle[0] : 0; // of the hip, against the stance leg
    w->rate[i] += i > 0 ? w->rate[0] : 0;
  }
}

/** The walker at a time [s] from the start. */
static sb_status walker_at(const swing *s, double t, walker *w) {
  sb_options options = sb_options_defaults();
  sb_simulation *sim;
  options.rtol = 1e-13;
  options.method = sb_method_find("fehlberg-8"); // of high order, for such an accuracy
  SB_TRY(sb_simulation_create(s->model, &options, &sim, &err));
  sb_status status = t > 0 ? sb_simulation_advance(sim, t, &err) : SB_OK;
  read_walker(s, sim, w);
  sb_simulation_destroy(sim);
  return status;
}

/** Of the swing foot over the slope, divided by 2 sin of half the angle between the legs: positive before the impact. */
static double height(const walker *w, double slope) {
  return sin((w->angle[0] + w->angle[1]) / 2 - slope);
}

/** The time of the impact, from when the legs have passed each other: bracketed, then by the rate of the height. */
static sb_status find_impact(const swing *s, double slope, double *t, walker *w) {
  sb_options options = sb_options_defaults();
  sb_simulation *sim;
  options.rtol = 1e-10;
  SB_TRY(sb_simulation_create(s->model, &options, &sim, &err));
  bool ahead = false, met = false;
  sb_status status = SB_OK;
  for (*t = 0; status == SB_OK && !met && *t < 2;) {
    *t += 0.01;
    status = sb_simulation_advance(sim, *t, &err);
    read_walker(s, sim, w);
    ahead = w->angle[0] - w->angle[1] > 0.1;
    met = ahead && height(w, slope) > 0;
  }
  sb_simulation_destroy(sim);
  double move = HUGE_VAL; // [s]; the square of one is less than rounding
  for (int i = 0; i < 6 && status == SB_OK && fabs(move) > 1e-9; i++) {
    const double rate =
        cos((w->angle[0] + w->angle[1]) / 2 - slope) * (w->rate[0] + w->rate[1]) / 2;
    move = height(w, slope) / rate;
    *t -= move;
    status = walker_at(s, *t, w);
  }
  return status == SB_OK && !met ? sb_fail(&err, SB_ERR_UNSOLVED, "the walker falls") : status;
}

/** M of the legs with a hip that moves in the plane, in (x, y, stance, swing) of the hip and the absolute angles. */
static sb_status mass_matrix(const walker *w, double M[16]) {
  const sb_inertia none = {0};
  sb_tree_body rows[3] = {{.name = "hip", .parent = SB_TREE_WORLD, .axis = {0, 0, 1}}};
  double q[4] = {0, 0, w->angle[0], w->angle[1]}, scratch[1024];
  sb_tree *tree;
  rows[0].joint = sb_joint_find("translational");
  rows[0].in_parent = rows[0].in_body = sb_pose_identity();
  rows[0].inertia = sb_inertia_make(hip_mass, (sb_vec3){0, 0, 0}, none.second);
  for (int i = 1; i < 3; i++) {
    rows[i] = (sb_tree_body){.name = "leg", .parent = 0, .axis = {0, 0, -1}};
    rows[i].joint = sb_joint_find("revolute");
    rows[i].in_parent = rows[i].in_body = sb_pose_identity();
    rows[i].inertia = sb_inertia_make(leg_mass, (sb_vec3){0, -leg / 2, 0}, none.second);
  }
  SB_TRY(sb_tree_create(rows, 3, (sb_vec3){0, 0, 0}, &tree, NULL, &err));
  double whole[25], place[5] = {0, 0, 0, q[2], q[3]};
  static const int chosen[4] = {0, 1, 3, 4}; // without the shift across the plane
  sb_tree_place(tree, place, scratch);
  sb_tree_mass_matrix(tree, scratch, whole);
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++) {
      M[4 * i + k] = whole[5 * chosen[i] + chosen[k]];
    }
  }
  sb_tree_destroy(tree);
  return SB_OK;
}

/** Q of v = Q (rates of both legs) with one foot at rest: the hip moves with the leg that stands. */
static void motions(const walker *w, int stands, double Q[8]) {
  memset(Q, 0, 8 * sizeof *Q);
  Q[0 + stands] = leg * cos(w->angle[stands]);
  Q[2 + stands] = -leg * sin(w->angle[stands]);
  Q[4] = Q[7] = 1;
}

/** A^T M B of (4 x 2) matrices. */
static void between(const double A[8], const double M[16], const double B[8], double out[4]) {
  memset(out, 0, 4 * sizeof *out);
  for (int i = 0; i < 16; i++) {
    for (int r = 0; r < 4; r++) {
      out[r] += A[2 * (i / 4) + r / 2] * M[i] * B[2 * (i % 4) + r % 2];
    }
  }
}

/** What an impact does. */
typedef struct impact {
  double loss, lift,
      push; // [J]; [m/s] of the old foot off the slope; [N s] of the new one, across it
} impact;

/** Q_+^T M Q_+ x+ = Q_+^T M Q_- x-, of the rates x of both legs; then the legs change their roles. */
static sb_status strike(walker *w, double slope, impact *out) {
  double M[16], before[8], after[8], A[4], B[4], C[4], x[2];
  SB_TRY(mass_matrix(w, M));
  motions(w, 0, before);
  motions(w, 1, after);
  between(after, M, after, A);
  between(after, M, before, B);
  between(before, M, before, C);
  const double *v = w->rate, p[2] = {B[0] * v[0] + B[1] * v[1], B[2] * v[0] + B[3] * v[1]},
               d = A[0] * A[3] - A[1] * A[2];
  x[0] = (A[3] * p[0] - A[1] * p[1]) / d;
  x[1] = (A[0] * p[1] - A[2] * p[0]) / d;
  out->loss = 0.5 * (v[0] * (C[0] * v[0] + C[1] * v[1]) + v[1] * (C[2] * v[0] + C[3] * v[1])) -
              0.5 * (x[0] * p[0] + x[1] * p[1]);
  double jump[4] = {0}, hip[2] = {0}; // momentum of all, and the velocity of the hip after it
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 2; k++) {
      jump[i] += after[2 * i + k] * x[k] - before[2 * i + k] * v[k];
      hip[i % 2] += i < 2 ? after[2 * i + k] * x[k] : 0;
    }
  }
  double impulse[2] = {0},
         foot[2] = {hip[0] - leg * cos(w->angle[0]) * x[0], hip[1] + leg * sin(w->angle[0]) * x[0]};
  for (int i = 0; i < 8; i++) {
    impulse[i / 4] += M[4 * (i / 4) + i % 4] * jump[i % 4];
  }
  out->push = impulse[0] * sin(slope) + impulse[1] * cos(slope);
  out->lift = foot[0] * sin(slope) + foot[1] * cos(slope);
  *w = (walker){{w->angle[1], w->angle[0]}, {x[1], x[0]}};
  return SB_OK;
}

/** A step from x = (stance angle, its rate, swing rate) to the next, P(x). */
typedef struct step {
  double period, length; // [s], [m]
  impact impact;
} step;

static sb_status take_step(double slope, const double x[3], double next[3], step *out) {
  walker w = {{x[0], 2 * slope - x[0]}, {x[1], x[2]}};
  swing s = {0};
  sb_status status = begin(&w, &s);
  status = status == SB_OK ? find_impact(&s, slope, &out->period, &w) : status;
  sb_model_destroy(s.model);
  if (status == SB_OK) {
    out->length = 2 * leg * sin((w.angle[0] - w.angle[1]) / 2);
    status = strike(&w, slope, &out->impact);
  }
  next[0] = w.angle[0];
  next[1] = w.rate[0];
  next[2] = w.rate[1];
  return status;
}

/** P'(x) by differences of fourth order. */
static sb_status slopes(double slope, const double x[3], double D[9]) {
  const double h = 1e-3, weight[4] = {1. / 12, -2. / 3, 2. / 3, -1. / 12}; // [rad], [rad/s]
  static const int place[4] = {-2, -1, 1, 2};
  step s;
  memset(D, 0, 9 * sizeof *D);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 4; i++) {
      double at[3] = {x[0], x[1], x[2]}, next[3];
      at[k] += place[i] * h;
      SB_TRY(take_step(slope, at, next, &s));
      for (int r = 0; r < 3; r++) {
        D[3 * r + k] += weight[i] * next[r] / h;
      }
    }
  }
  return SB_OK;
}

static double determinant(const double a[9]) {
  return a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
         a[2] * (a[3] * a[7] - a[4] * a[6]);
}

/** The roots of the characteristic polynomial of a (3 x 3) matrix, by Durand and Kerner. */
static void eigenvalues(const double a[9], double complex z[3]) {
  const double c2 = -(a[0] + a[4] + a[8]), c0 = -determinant(a),
               c1 = a[0] * a[4] - a[1] * a[3] + a[0] * a[8] - a[2] * a[6] + a[4] * a[8] -
                    a[5] * a[7];
  for (int i = 0; i < 3; i++) {
    z[i] = cpow(0.4 + 0.9 * I, i);
  }
  for (int sweep = 0; sweep < 200; sweep++) {
    for (int i = 0; i < 3; i++) {
      const double complex value = ((z[i] + c2) * z[i] + c1) * z[i] + c0;
      z[i] -= value / ((z[i] - z[(i + 1) % 3]) * (z[i] - z[(i + 2) % 3]));
    }
  }
}

/** x := the fixed point of P near x, by Newton's method. D: P' there. */
static sb_status find_cycle(double slope, double x[3], double D[9], step *s) {
  double change = HUGE_VAL;
  for (int i = 0; i < 12; i++) {
    double next[3], J[9], r[3];
    SB_TRY(take_step(slope, x, next, s));
    if (change > 1e-4) { // else the last one will do
      SB_TRY(slopes(slope, x, D));
    }
    change = 0;
    for (int k = 0; k < 9; k++) {
      J[k] = D[k] - (k % 4 == 0);
    }
    for (int k = 0; k < 3; k++) {
      r[k] = x[k] - next[k];
    }
    const double d = determinant(J);
    for (int k = 0; k < 3; k++) { // Cramer's rule
      double replaced[9];
      memcpy(replaced, J, sizeof replaced);
      for (int row = 0; row < 3; row++) {
        replaced[3 * row + k] = r[row];
      }
      const double move = determinant(replaced) / d;
      x[k] += move;
      change = fmax(change, fabs(move));
    }
    if (change < 1e-11) {
      return slopes(slope, x, D);
    }
  }
  return sb_fail(&err, SB_ERR_UNSOLVED, "no cycle was found");
}

/** A cycle of an independent program. */
typedef struct known {
  double slope, x[3], period, length,
      multiplier[3]; // [deg]; real and imaginary part of the first, the third
} known;
static const known cycles[] = {{1,
                                {-.1695389582468923, .86171396246017130, .60573941377500676},
                                .70364852562362816,
                                .37180884536824646,
                                {.362563482649, .460318834013, .21567936}},
                               {2,
                                {-.2013567787246608, 1.01263810425717048, .51918904936838055},
                                .71965221236239535,
                                .46814287749200014,
                                {.098042561899, .584387250564, .1604889}},
                               {3,
                                {-.2186688029389905, 1.09238358988360095, .37737394890719410},
                                .73434639115871944,
                                .53544541543000941,
                                {-.199726126829, .544476062096, .131572624075}},
                               {4,
                                {-.2290852639719483, 1.13989911217954793, .21641142368697281},
                                .74824097013166047,
                                .58893532285897446,
                                {-.520976811201, .207950019493, .11189264}}};

static bool near(double a, double b, double tolerance) {
  return fabs(a - b) <= tolerance;
}

/** Whether the multipliers are a pair and a real one as given. */
static bool same_multipliers(double complex z[3], const double known_z[3]) {
  int real = 0;
  for (int i = 1; i < 3; i++) {
    real = fabs(cimag(z[i])) < fabs(cimag(z[real])) ? i : real;
  }
  const double complex first = z[(real + 1) % 3];
  return near(creal(z[real]), known_z[2], 1e-6) && near(creal(first), known_z[0], 1e-6) &&
         near(fabs(cimag(first)), known_z[1], 1e-6);
}

static bool check_cycle(const known *k, double x[3]) {
  const double slope = k->slope * degree;
  double complex z[3];
  double D[9];
  step s;
  if (find_cycle(slope, x, D, &s) != SB_OK) {
    fprintf(stderr, "compass: %s\n", err.text);
    return false;
  }
  eigenvalues(D, z);
  const double given = (2 * leg_mass + hip_mass) * gravity * s.length * sin(slope);
  bool same = near(s.period, k->period, 1e-6) && near(s.length, k->length, 1e-6) &&
              same_multipliers(z, k->multiplier) && near(s.impact.loss, given, 1e-8 * given);
  for (int i = 0; i < 3; i++) {
    same = same && near(x[i], k->x[i], 1e-6);
  }
  same = same && s.impact.lift > 0 && s.impact.push > 0;
  printf("%3g deg  %.9f s  %.9f m  %.6f J  |multipliers| %.6f %.6f %.6f  old foot %+.3f m/s: %s\n",
         k->slope, s.period, s.length, s.impact.loss, cabs(z[0]), cabs(z[1]), cabs(z[2]),
         s.impact.lift, same ? "ok" : "WRONG");
  return same;
}

int main(void) {
  double x[3] = {-0.17, 0.86,
                 0.6}; // near the cycle of the first slope; each is near that of the next
  bool all = true;
  printf("slope    period         step           loss\n");
  for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++) {
    all = check_cycle(&cycles[i], x) && all;
  }
  return all ? 0 : 1;
}
