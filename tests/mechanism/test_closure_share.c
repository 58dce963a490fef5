// SPDX-License-Identifier: GPL-3.0-or-later
// The share of loads in overconstrained loops: closed forms of symmetrical and of simple structures, dense least squares, and
// whichever joint closes the loop.
#include "tests/fixture.h"

enum { JOINTS = 4, TEXT_SIZE = 4000 };

/** A planar four-bar linkage in space: the joints' places, the frames of the bodies at the start, all parallel to the world. */
typedef struct four_bar {
  double place[JOINTS]
              [3]; // [m] p0 of the left link, b0 and b1 of the coupler, p1 of the right link
  double mass[3],
      com[3][3]; // left, coupler, right; [m] from the first of these joints, b0 for the coupler
  double inertia[3][3];       // [kg m^2]
  const char *gravity, *load; // a wrench on the coupler
} four_bar;

static const char *const joint_ids[JOINTS] = {"p0", "b0", "b1", "p1"};
static const char *const body_ids[] = {"left", "coupler", "right", "world"};
enum { LEFT, COUPLER, RIGHT, WORLD };
static const int origin_of[] = {0, 1, 3}; // which joint's place a body's frame is at
static const int loaded[JOINTS] = {LEFT, COUPLER, COUPLER, RIGHT};

/** Parents and children of the joints, of which the last two may close the loop. */
static const struct {
  int ends[JOINTS][2], closing[2];
} trees[] = {{{{WORLD, LEFT}, {LEFT, COUPLER}, {RIGHT, COUPLER}, {WORLD, RIGHT}}, {1, 2}},
             {{{WORLD, LEFT}, {LEFT, COUPLER}, {COUPLER, RIGHT}, {WORLD, RIGHT}}, {2, 3}},
             {{{WORLD, LEFT}, {COUPLER, LEFT}, {RIGHT, COUPLER}, {WORLD, RIGHT}}, {0, 1}}};
static const int orders[][JOINTS] = {{0, 1, 2, 3}, {2, 3, 1, 0}, {1, 3, 0, 2}};

static void place_in(const four_bar *f, int body, int joint, double out[3]) {
  for (int i = 0; i < 3; i++) {
    out[i] = f->place[joint][i] - (body == WORLD ? 0 : f->place[origin_of[body]][i]);
  }
}

static run start_four_bar(const four_bar *f, int tree, int closing, const int order[JOINTS]) {
  char text[TEXT_SIZE];
  int n = snprintf(text, sizeof text, "<mechanism gravity='%s'>", f->gravity);
  for (int b = 0; b < 3; b++) {
    const double *c = f->com[b], *J = f->inertia[b];
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "<body id='%s' mass='%.17g kg' com='%.17g %.17g %.17g m' "
                  "inertia='%.17g %.17g %.17g kg.m^2'/>",
                  body_ids[b], f->mass[b], c[0], c[1], c[2], J[0], J[1], J[2]);
  }
  for (int k = 0; k < JOINTS; k++) {
    const int j = order[k], *ends = trees[tree].ends[j];
    double at[3], in[3];
    place_in(f, ends[0], j, at), place_in(f, ends[1], j, in);
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "<joint id='%s' kind='revolute' axis='0 0 1' parent='%s' child='%s' "
                  "at='%.17g %.17g %.17g m' child-at='%.17g %.17g %.17g m'%s/>",
                  joint_ids[j], body_ids[ends[0]], body_ids[ends[1]], at[0], at[1], at[2], in[0],
                  in[1], in[2], j == closing ? " cut='yes'" : "");
  }
  n += snprintf(text + n, sizeof text - (size_t)n, "%s</mechanism>", f->load);
  assert_true(n < TEXT_SIZE);
  return go(text, 0);
}

/** Force and moment of each joint on left, coupler, coupler and right, for every joint that may close the loop and every order in the file. */
static void assert_shares(const four_bar *f, const double expected[JOINTS][6]) {
  for (int t = 0; t < 3; t++) {
    for (int c = 0; c < 2; c++) {
      for (int o = 0; o < 3; o++) {
        run r = start_four_bar(f, t, trees[t].closing[c], orders[o]);
        for (int j = 0; j < JOINTS; j++) {
          const double sign = trees[t].ends[j][1] == loaded[j] ? 1 : -1;
          char name[20];
          double have[6];
          (void)snprintf(name, sizeof name, "%s.force", joint_ids[j]);
          read_all(&r, name, have);
          (void)snprintf(name, sizeof name, "%s.moment", joint_ids[j]);
          read_all(&r, name, have + 3);
          for (int i = 0; i < 6; i++) {
            assert_near(sign * have[i], expected[j][i], 1e-9);
          }
        }
        stop(&r);
      }
    }
  }
}

/** A portal loaded along the axes of its joints, which leave it at rest: by its mirror image each upright bears half, and no
 *  joint of the coupler a moment about the line between them; about the uprights the least moment is none. */
static void a_portal_shares_evenly(void **state) {
  const double g = 9.81, h = 1.2, link = 2, beam = 5, push = 20;
  const four_bar f = {
      .place = {{0, 0, 0}, {0, h, 0}, {1, h, 0}, {1, 0, 0}},
      .mass = {link, beam, link},
      .com = {{0, h / 2, 0}, {0.5, 0, 0}, {0, h / 2, 0}},
      .inertia = {{0.2, 0.05, 0.2}, {0.1, 0.4, 0.4}, {0.2, 0.05, 0.2}},
      .gravity = "0 0 -9.81 m/s^2",
      .load = "<Wrench id='w' on='coupler' at='0.5 0 0 m' force-z='-20 N'/>",
  };
  const double half = (beam * g + push) / 2, foot = half + link * g,
               lever = h * half + h / 2 * link * g;
  const double expected[JOINTS][6] = {{0, 0, foot, lever, 0, 0},
                                      {0, 0, half, 0, 0, 0},
                                      {0, 0, half, 0, 0, 0},
                                      {0, 0, foot, lever, 0, 0}};
  (void)state;
  assert_shares(&f, expected);
}

/** One that begins to fall, in and across its plane: Newton's and Euler's equations of its bodies and the accelerations of its joints are 27
 *  equations of rank 24 for 24 components and 3 angular accelerations; of the solutions that of least norm, by numpy. */
static void a_four_bar_against_dense_least_squares(void **state) {
  const four_bar f = {
      .place = {{0, 0, 0}, {0.1, 0.9, 0.05}, {1.1, 0.8, -0.1}, {1.3, -0.1, 0.2}},
      .mass = {2, 5, 1.5},
      .com = {{0.05, 0.4, 0.03}, {0.55, -0.07, 0.1}, {-0.1, 0.4, 0}},
      .inertia = {{0.2, 0.05, 0.2}, {0.1, 0.4, 0.4}, {0.1, 0.03, 0.11}},
      .gravity = "0.3 -9.81 2.5 m/s^2",
      .load = "<Wrench id='w' on='coupler' at='0.3 0.1 0.2 m' force-z='20 N' moment-x='3 N.m' "
              "moment-y='-2 N.m'/>",
  };
  static const double expected[JOINTS][6] = {
      {3.064928174371, 41.22048525177, -21.45217227438, -23.15230621117, -0.1002084059854, 0},
      {3.987321026051, 21.56018614531, -16.45217227438, -4.677532883774, -2.167119899175, 0},
      {-7.344056561755, 27.35128567623, -16.04782772562, -10.04608992238, -0.4429898642813, 0},
      {-8.044094199564, 42.00377626678, -19.79782772562, -17.78374917257, -1.824338440879, 0}};
  (void)state;
  assert_shares(&f, expected);
}

/** A shaft in two bearings that are l apart, its centre d off the middle, its weight across it along the z axis of
 *  the bearings: with the difference D of both forces both moments are (l D/2 - d m g)/2, and D^2/2 + (l D/2 - d m g)^2/(2 r^2) is least at
 *  D = (l/2) d m g/(r^2 + l^2/4), r^2 = tr J/(2 m). */
static void two_bearings_share_by_forces_and_moments(void **state) {
  const double m = 4, l = 1.6, d = 0.3, weight = m * 9.81, r2 = (0.05 + 0.7 + 0.7) / (2 * m);
  const double D = l / 2 * d * weight / (r2 + l * l / 4), M = (l / 2 * D - d * weight) / 2;
  (void)state;
  for (int cut = 0; cut < 2; cut++) {
    for (int far = 0; far < 2; far++) {
      char text[900];
      const double x = far == 0 ? 0 : 1000;
      (void)snprintf(text, sizeof text,
                     "<mechanism gravity='0 0 -9.81 m/s^2'><body id='b' mass='4 kg' com='0.3 0 0 m'"
                     " inertia='0.05 0.7 0.7 kg.m^2'/><joint id='j0' kind='prismatic' axis='0 1 0' "
                     "parent='world' child='b' at='%.17g 0 0 m' child-at='-0.8 0 0 m'%s/>"
                     "<joint id='j1' kind='prismatic' axis='0 1 0' parent='world' child='b' "
                     "at='%.17g 0 0 m' child-at='0.8 0 0 m'%s/></mechanism>",
                     x - 0.8, cut == 0 ? " cut='yes'" : "", x + 0.8, cut == 1 ? " cut='yes'" : "");
      run r = go(text, 0);
      assert_near(component(&r, "j0.force", 2), (weight - D) / 2, 1e-9);
      assert_near(component(&r, "j1.force", 2), (weight + D) / 2, 1e-9);
      for (int k = 0; k < 2; k++) {
        const char *const moment[] = {"j0.moment", "j1.moment"}, *const force[] = {"j0.force",
                                                                                   "j1.force"};
        assert_near(component(&r, moment[k], 0), 0, 1e-9);
        assert_near(component(&r, moment[k], 1), M, 1e-9);
        assert_near(component(&r, moment[k], 2), 0, 1e-9);
        assert_near(component(&r, force[k], 0), 0, 1e-9);
        assert_near(component(&r, force[k], 1), 0, 1e-9);
      }
      stop(&r);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_portal_shares_evenly),
      cmocka_unit_test(a_four_bar_against_dense_least_squares),
      cmocka_unit_test(two_bearings_share_by_forces_and_moments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
