// SPDX-License-Identifier: GPL-3.0-or-later
// Where a face, a barrel or a cap goes over into a rounded edge the curvature jumps, and with it the normal force of a rigid contact:
// bodies that slide there may let go at once. Where a side of a yielding body passes through lying flat the normal force jumps, and with
// it what friction can hold. Neither is a dissipation that gives power.
#include "tests/netlist_text.h"

#include "geometry/quat.h"

static const double g = 9.81;

/** A ball of radius R slides off a table, over its edge of radius e, where m v^2/(e + R) is more than m g. It lets go where the edge begins, at
 *  x = 0.08 m: with a = mu g after t = (v - sqrt(v^2 - 2 a x))/a, with v - a t, and flies on. */
static void ball_slides_off_a_table(void **state) {
  (void)state;
  static const double mu = 0.3, way = 0.08, end = 0.2;
  for (double v = 1.5; v < 3; v += 0.5) {
    const double a = mu * g, t = (v - sqrt(v * v - 2 * a * way)) / a, fall = end - t;
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='%.17g s' rtol='1e-9'/><laws><contact-law id='l' "
        "normal='rigid' friction='coulomb' mu='%g'/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
        "<ground id='table'><shape kind='box' size='1 1 0.1 m' edge-radius='2 cm' at='0 0 -0.05 "
        "m'/></ground><body id='ball' mass='1 kg' position='0.4 0 0.05 m' velocity='%g 0 0 m/s'>"
        "<shape kind='sphere' radius='5 cm'/></body><contact id='c' a='table' b='ball' law='l'/>"
        "</mechanism></screwbond>",
        end, mu, v);
    run r = start_netlist(text);
    advance(&r, end);
    assert_near(event_time(&r, "release", 0), t, 1e-10);
    assert_int_equal(ledger_of(&r)->event_count, 2); // touch, release
    assert_near(component(&r, "ball.position", 0), 0.48 + (v - a * t) * fall, 1e-9);
    assert_near(component(&r, "ball.position", 2), 0.05 - g * fall * fall / 2, 1e-9);
    assert_near(component(&r, "ball.angular-velocity", 1), 2.5 * mu * g * t / 0.05, 1e-7);
    assert_balanced(&r);
    stop(&r);
  }
}

/** How far a ball has come that rolls over an edge: it is at the angle x of the arc after a time t [s]. */
typedef struct rolled {
  double t, x;
} rolled;

/** A ball without slip on a table, of radius R, from a speed v: 7/10 v^2 + g z holds on the arc of radius a = R + e, and it lets go where
 *  v^2/a = g cos x. The time by Gauss's rule of 5 points on parts of the arc. */
static rolled roll_to_the_end(double v, double a) {
  static const double place[] = {0, 0.5384693101056831, 0.9061798459386640},
                      weight[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  enum { PARTS = 40 };
  const double x = acos((7 * v * v / (g * a) + 10) / 17), h = x / PARTS;
  rolled end = {0, x};
  for (int i = 0; i < 5 * PARTS; i++) {
    const int k = i % 5, at = k < 3 ? k : k - 2;
    const double angle = h * (i / 5 + 0.5 + 0.5 * (k < 3 ? place[at] : -place[at]));
    end.t += 0.5 * h * weight[at] * a / sqrt(v * v + 10. / 7 * g * a * (1 - cos(angle)));
  }
  return end;
}

static run start_on_table(const char *law, double rtol, double v, double w, double y) {
  char text[TEXT] = "";
  add(text,
      "<screwbond version='1' id='m'><run t-end='1 s' rtol='%g'/><laws><contact-law id='l' %s/>"
      "</laws><mechanism gravity='0 0 -9.81 m/s^2'><ground id='table'><shape kind='box' "
      "size='1 1 0.1 m' edge-radius='2 cm' at='0 0 -0.05 m'/></ground><body id='ball' mass='1 kg' "
      "position='0.4 %.17g 0.05 m' velocity='%.17g 0 0 m/s' angular-velocity='0 %.17g 0 rad/s'>"
      "<shape kind='sphere' radius='5 cm'/></body><contact id='c' a='table' b='ball' law='l'/>"
      "</mechanism></screwbond>",
      rtol, law, y, v, w);
  return start_netlist(text);
}

/** The seam between the face and the edge, where the acceleration jumps, costs no accuracy, is no event, and takes few steps. */
static void ball_rolls_over_an_edge(void **state) {
  (void)state;
  static const double R = 0.05, a = 0.07, way = 0.08;
  for (double v = 0.2; v < 0.7; v += 0.05) {
    const rolled end = roll_to_the_end(v, a);
    const double t = way / v + end.t, speed = sqrt(g * a * cos(end.x)), fall = 0.01;
    for (double rtol = 1e-6; rtol > 5e-11; rtol *= 1e-2) {
      run r = start_on_table("normal='rigid' friction='stuck'", rtol, v, v / R, 0);
      advance(&r, t + fall);
      const double most = rtol < 1e-7 ? 1e-2 * rtol : 2e-2 * rtol;
      assert_near(event_time(&r, "release", 0), t, most);
      assert_int_equal(ledger_of(&r)->event_count, 2); // touch, release
      assert_near(component(&r, "ball.position", 0),
                  0.48 + a * sin(end.x) + speed * cos(end.x) * fall, most);
      assert_near(component(&r, "ball.position", 2),
                  -0.02 + a * cos(end.x) - speed * sin(end.x) * fall - g * fall * fall / 2, most);
      assert_near(component(&r, "ball.angular-velocity", 1), speed / R, 50 * most);
      stop(&r);
    }
  }
}

/** A point that rolls along a seam, or rests on it, is at either side of it by rounding. */
static void ball_rolls_along_a_seam(void **state) {
  (void)state;
  static const char *const laws[] = {"normal='rigid' friction='stuck'", "normal='rigid'",
                                     "normal='rigid' friction='coulomb' mu='0.4'",
                                     "normal='linear' stiffness='4e4 N/m' damping='10 N.s/m'"};
  for (size_t i = 0; i < 3 * sizeof laws / sizeof *laws; i++) {
    const double y = 0.48 + (i / 4 == 1 ? 1e-15 : i / 4 == 2 ? -1e-15 : 0);
    run r = start_on_table(laws[i % 4], 1e-8, 0.3, 6, y),
        inside = start_on_table(laws[i % 4], 1e-8, 0.3, 6, 0.3);
    advance(&r, 0.2);
    advance(&inside, 0.2);
    assert_near(component(&r, "ball.position", 1), 0.48, 1e-11);
    assert_near(component(&r, "ball.position", 0), component(&inside, "ball.position", 0), 1e-11);
    assert_in_range(ledger_of(&r)->work.steps, 1, ledger_of(&inside)->work.steps + 10);
    stop(&r);
    stop(&inside);
  }
}

/** A number between -1 and 1, the next of a row. */
static double next(unsigned *row) {
  *row = *row * 1664525u + 1013904223u;
  return *row / 2147483648. - 1;
}

static void add_rotation(char text[TEXT], unsigned *row) {
  const double x = next(row), y = next(row), z = next(row);
  add(text, " rotation='%.17g deg about %.17g %.17g %.17g'", 180 * next(row), x, y, z);
  const double u = next(row), v = next(row), w = next(row);
  add(text, " angular-velocity='%.17g %.17g %.17g rad/s'", 5 * u, 5 * v, 5 * w);
}

static const char *const lens =
    "<shape kind='lens' radius='10 cm' length='6 cm' edge-radius='5 mm'/>";
static const char *const capsule = "<shape kind='capsule' radius='2 cm' length='24 cm'/>";
static const char *const cylinder =
    "<shape kind='cylinder' radius='5 cm' length='16 cm' edge-radius='5 mm'/>";
static const char *const box = "<shape kind='box' size='20 20 8 cm' edge-radius='1 cm'/>";
static const char *const ellipsoid = "<shape kind='ellipsoid' semi-axes='4 5 8 cm'/>";

/** Free rigid bodies that meet and slide over each other, their edges among the rest, keep momenta, and lose what friction and impacts take. */
static void bodies_slide_over_edges(void **state) {
  (void)state;
  const char *const pairs[][2] = {{lens, lens},         {lens, ellipsoid}, {capsule, lens},
                                  {capsule, ellipsoid}, {cylinder, lens},  {box, ellipsoid}};
  enum { PAIRS = sizeof pairs / sizeof *pairs };
  unsigned row = 20385;
  for (int i = 0; i < (THOROUGH ? 8 : 1) * PAIRS; i++) {
    char text[TEXT] = "";
    add(text, "<screwbond version='1' id='m'><run t-end='0.6 s' rtol='1e-8'/><laws><contact-law "
              "id='l' normal='rigid' friction='coulomb' mu='0.3'/></laws><mechanism gravity='0 0 0 "
              "m/s^2'><body id='a' mass='1 kg' velocity='1.5 0 0 m/s'");
    const double y = next(&row), z = next(&row);
    add(text, " position='-0.2 %.17g %.17g m'", 0.04 * y, 0.04 * z);
    add_rotation(text, &row);
    add(text, ">%s</body><body id='b' mass='1.4 kg' position='0.15 0 0 m'", pairs[i % PAIRS][0]);
    add_rotation(text, &row);
    add(text, ">%s</body><contact id='c' a='a' b='b' law='l'/></mechanism></screwbond>",
        pairs[i % PAIRS][1]);
    run r = start_netlist(text);
    advance(&r, 0.6);
    for (int k = 0; k < 3; k++) {
      assert_near(component(&r, "a.velocity", k) + 1.4 * component(&r, "b.velocity", k),
                  k == 0 ? 1.5 : 0, 1e-12);
    }
    assert_closes(&r);
    stop(&r);
  }
}

/** A rotation about an axis, as the netlist writes one. */
static void add_turned(char text[TEXT], sb_quat turn, sb_vec3 position, sb_quat own,
                       sb_vec3 velocity, sb_vec3 spin) {
  const sb_mat3 R = sb_quat_rotation(turn);
  const sb_quat q = sb_quat_mul(turn, own);
  const sb_vec3 x = sb_mat3_apply(R, position), v = sb_mat3_apply(R, velocity),
                w = sb_mat3_apply(R, spin);
  add(text,
      " position='%.17g %.17g %.17g m' rotation='%.17g rad about %.17g %.17g %.17g' "
      "velocity='%.17g %.17g %.17g m/s' angular-velocity='%.17g %.17g %.17g rad/s'",
      x.x, x.y, x.z, 2 * atan2(sb_vec3_norm((sb_vec3){q.x, q.y, q.z}), q.w), q.x, q.y, q.z, v.x,
      v.y, v.z, w.x, w.y, w.z);
}

/** A ball, or nearly one, and a box that fly against each other, the ball over an edge, in one of two orders. */
static run start_flying(const char *law, const char *ball, sb_quat turn, bool reversed) {
  char text[TEXT] = "", body[2][TEXT] = {"", ""};
  add(body[0], "<body id='ball' mass='0.5150286859404751 kg'");
  add_turned(body[0], turn, (sb_vec3){-0.3, 0, 1},
             sb_quat_from_axis_angle((sb_vec3){0.544, 0.836, 0.066}, 2.721), (sb_vec3){1, 0, 0},
             (sb_vec3){1.194836919625203, -6.486183824276755, 0.04343191906627417});
  add(body[0], "><shape %s/></body>", ball);
  add(body[1], "<body id='box' mass='0.902513169913082 kg'");
  add_turned(body[1], turn, (sb_vec3){0.3, 0.00692764162923432, 0.9491962591835975},
             sb_quat_from_axis_angle(
                 (sb_vec3){-0.15198344130901137, -0.3931776746310059, 0.9068143965220363},
                 2.19788315225989),
             (sb_vec3){-1, 0, 0},
             (sb_vec3){0.67181738302312, -4.579840233609706, -0.5114007846980981});
  add(body[1], "><shape kind='box' size='0.15663794774453144 0.19661796472472334 "
               "0.0889343763589421 m' edge-radius='0.01667519556730164 m'/></body>");
  add(text,
      "<screwbond version='1' id='m'><run t-end='0.6 s' rtol='1e-8'/><laws><contact-law "
      "id='l' %s/></laws><mechanism gravity='0 0 0 m/s^2'>",
      law);
  add(text, "%s%s", body[reversed], body[!reversed]);
  add(text, "<contact id='c' a='%s' b='%s' law='l'/></mechanism></screwbond>",
      reversed ? "box" : "ball", reversed ? "ball" : "box");
  run r = start_netlist(text);
  advance(&r, 0.6);
  return r;
}

static sb_vec3 place(const run *r, const char *name) {
  return (sb_vec3){component(r, name, 0), component(r, name, 1), component(r, name, 2)};
}

/** Seams lie where they lie in a step by chance; what they do to it does not depend on that, and the order of the bodies and the frame on nothing. */
static void seams_know_no_frame(void **state) {
  (void)state;
  static const char *const laws[] = {
      "normal='rigid' restitution='0.313814' friction='coulomb' mu='0.160599' impact='stronge'",
      "normal='hunt-crossley' exponent='1.5' stiffness='2e5 N/m^(3/2)' damping-factor='0.3 s/m'"};
  static const char *const names[] = {"ball.position", "box.position"};
  static const char *const balls[] = {"kind='sphere' radius='0.14518483057629436 m'",
                                      "kind='ellipsoid' semi-axes='0.145 0.14 0.15 m'"};
  for (int i = 0; i < 12; i++) {
    const sb_quat none = sb_quat_from_axis_angle((sb_vec3){0, 0, 1}, 0),
                  turn = sb_quat_from_axis_angle((sb_vec3){0.3, -0.8, 0.5}, i % 6 > 3 ? 4 : 2.385);
    const sb_quat frame = i % 6 < 2 ? none : turn;
    const char *ball = balls[i / 6];
    run plain = start_flying(laws[i % 2], ball, none, false),
        other = start_flying(laws[i % 2], ball, frame, i % 6 < 4);
    const sb_mat3 R = sb_quat_rotation(frame);
    for (int k = 0; k < 2; k++) {
      const sb_vec3 x = sb_mat3_apply_transposed(R, place(&other, names[k]));
      assert_near(sb_vec3_norm(sb_vec3_sub(x, place(&plain, names[k]))), 0, 1e-10);
    }
    const long steps = ledger_of(&plain)->work.steps;
    assert_near((double)ledger_of(&other)->work.steps, (double)steps,
                fmax(2, 0.01 * (double)steps));
    assert_int_equal(ledger_of(&other)->event_count, ledger_of(&plain)->event_count);
    assert_balanced(&plain);
    stop(&plain);
    stop(&other);
  }
}

/** A capsule that falls on a floor nearly flat slides, and sticks as its other end comes down: within the leap of the point. */
static void side_comes_down(void **state) {
  (void)state;
  for (int i = 0; i < (PLAIN ? 60 : 24); i++) {
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='0.15 s' rtol='1e-8'/><materials><material "
        "id='r' stiffness='2e4 2e4 4e4 N/m'/></materials><laws><contact-law id='l' "
        "normal='linear' stiffness='2e4 N/m' damping='50 N.s/m' friction='coulomb' mu='0.3' "
        "/></laws><mechanism gravity='0 0 -9.81 m/s^2'><ground "
        "id='f' material='r'><shape kind='plane' normal='0 0 1'/></ground><body id='a' "
        "material='r' mass='1 kg' position='0 "
        "0 0.08 m' rotation='%.17g deg about 0 1 0' velocity='0 0 -1.5 m/s'>%s</body><contact "
        "id='c' a='f' b='a' law='l'/></mechanism></screwbond>",
        91 + (PLAIN ? 0.1 : 0.25) * i, capsule);
    run r = start_netlist(text);
    advance(&r, 0.15);
    assert_closes(&r);
    stop(&r);
  }
}

/** A rigid one that comes down on its side ends by name: it lies on no one point. */
static void rigid_side_lies_flat(void **state) {
  (void)state;
  static const char *const laws[] = {"friction='none'", "friction='coulomb' mu='0.5'",
                                     "restitution='0.4'"};
  for (int i = 0; i < 12; i++) {
    char text[TEXT] = "";
    sb_error err = {0};
    add(text,
        "<screwbond version='1' id='m'><run t-end='3 s'/><laws><contact-law id='l' normal='rigid' "
        "%s/></laws><mechanism gravity='0 0 -9.81 m/s^2'><ground id='f'><shape kind='plane' "
        "normal='0 0 1'/></ground><body id='a' mass='1 kg' position='0 0 0.12 m' rotation='%d deg "
        "about 0 1 0'>%s</body><contact id='c' a='f' b='a' law='l'/></mechanism></screwbond>",
        laws[i % 3], 95 + 3 * i, i % 2 ? cylinder : capsule);
    run r = start_netlist(text);
    assert_int_equal(sb_simulation_run(r.sim, 3, 0, NULL, NULL, &err), SB_ERR_CONTACT);
    assert_contains(err.text, "a flat side or a straight edge of one lies flat on the other");
    assert_contains(err.hint, "give the body feet");
    assert_true(ledger_of(&r)->structure.residual_relative < 1e-12); // up to there
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball_slides_off_a_table), cmocka_unit_test(ball_rolls_over_an_edge),
      cmocka_unit_test(ball_rolls_along_a_seam), cmocka_unit_test(seams_know_no_frame),
      repeating_test(bodies_slide_over_edges),   cmocka_unit_test(side_comes_down),
      repeating_test(rigid_side_lies_flat)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
