// SPDX-License-Identifier: GPL-3.0-or-later
// Transformers whose ratio n(q) follows the coordinate of a joint and that move a storage by it: cams and non-circular gears.
// Expected: one coordinate, H = (J1 + n(q)^2 J2) qdot^2/2 + V(q), by the classical method.
#include "tests/fixture.h"

#define BAR(id, more)                                                                              \
  "<body id='" id "' mass='1 kg' com='0.5 0 0 m' inertia='0.1 0.1 0.1 kg.m^2'/>"                   \
  "<joint id='j" id "' kind='revolute' axis='0 0 1' child='" id "' " more "/>"
#define SCENE(inside) "<mechanism gravity='0 -9.81 0 m/s^2'>" inside "</mechanism>"

typedef struct driven {
  const char *inside;
  double start;
  double (*inertia)(double q); // [kg m^2]
  double (*torque)(double q);  // [N m]
  const char *other;           // and what another quantity must be
  double (*follows)(double q);
} driven;

static const double g = 9.81;

/** A flywheel behind a gear of ratio 1 + 0.3 cos q. */
static double gear_ratio(double q) {
  return 1 + 0.3 * cos(q);
}
static double flywheel_inertia(double q) {
  return 0.35 + 0.2 * gear_ratio(q) * gear_ratio(q);
}
static double bar_torque(double q) {
  return -0.5 * g * cos(q);
}
static double same(double q) {
  return q;
}

/** A follower of 3 kg on a cam, y = 0.025 (1 - cos 2q) m, against a spring of 400 N/m. */
static double cam_inertia(double q) {
  return 0.35 + 3 * pow(0.05 * sin(2 * q), 2);
}
static double cam_lift(double q) {
  return 0.025 * (1 - cos(2 * q));
}
static double cam_torque(double q) {
  return bar_torque(q) - 400 * cam_lift(q) * 0.05 * sin(2 * q);
}

/** Two bars, the second at q + 0.3 sin q. */
static double second_angle(double q) {
  return q + 0.3 * sin(q);
}
static double bars_inertia(double q) {
  return 0.35 + 0.35 * gear_ratio(q) * gear_ratio(q);
}
static double bars_torque(double q) {
  return bar_torque(q) - 0.5 * g * cos(second_angle(q)) * gear_ratio(q);
}

/** The crank of a parallelogram: two bars that turn and one that is carried by 1 m. */
static double loop_inertia(double q) {
  return 0.35 + 0.35 + 1 + 0.2 * gear_ratio(q) * gear_ratio(q);
}
static double loop_torque(double q) {
  return 4 * bar_torque(q);
}

#define GEAR "<MTF id='n' ratio='1 + 0.3*cos(angle)'/><bond from='ja' to='n'/>"
static const driven cases[] = {
    {SCENE(BAR("a",
               "parent='world' q0='0.4 rad'")) "<network><signal id='angle' of='ja.q'/>" GEAR
                                               "<I id='w' domain='rotation' inertia='0.2 kg.m^2'/>"
                                               "<bond from='n' to='w'/></network>",
     0.4, flywheel_inertia, bar_torque, "ja.q", same},
    {SCENE(BAR(
         "a",
         "parent='world' q0='0 rad'")) "<network><signal id='angle' of='ja.q'/>"
                                       "<MTF id='n' ratio='0.05[m]*sin(2*angle)'/>"
                                       "<J1 id='y' domain='translation'/><I id='m' mass='3 kg'/>"
                                       "<C id='k' c='0.0025 m/N'/><bond from='ja' to='n'/>"
                                       "<bond from='n' to='y'/><bond from='y' to='m'/>"
                                       "<bond from='y' to='k'/></network>",
     0, cam_inertia, cam_torque, "k.q", cam_lift},
    {SCENE(BAR("a", "parent='world' q0='0 rad'") BAR(
         "b",
         "parent='world' at='5 0 0 m' q0='0 rad'")) "<network><signal id='angle' of='ja.q'/>" GEAR
                                                    "<bond from='n' to='jb'/></network>",
     0, bars_inertia, bars_torque, "jb.q", second_angle},
    {SCENE(BAR("a", "parent='world' q0='-0.2 rad'") BAR("c", "parent='a' at='1 0 0 m' q0='0.2 rad'")
               BAR("b",
                   "parent='world' at='1 0 0 m' q0='-0.2 rad'") "<joint id='e' kind='revolute' "
                                                                "axis='0 0 1' parent='c' "
                                                                "child='b' at='1 0 0 m' "
                                                                "child-at='1 0 0 m' "
                                                                "cut='yes'/>") "<network><"
                                                                               "signal "
                                                                               "id='angle' "
                                                                               "of='ja.q'/"
                                                                               ">" GEAR "<I id='w' "
                                                                               "domain='"
                                                                               "rotation' "
                                                                               "inertia='0.2 "
                                                                               "kg.m^2'/><bond "
                                                                               "from='n' "
                                                                               "to='w'/></"
                                                                               "network>",
     -0.2, loop_inertia, loop_torque, "jb.q", same}};

static double accelerate(const driven *d, double q, double w) {
  const double h = 1e-4, slope = (8 * (d->inertia(q + h) - d->inertia(q - h)) -
                                  (d->inertia(q + 2 * h) - d->inertia(q - 2 * h))) /
                                 (12 * h);
  return (d->torque(q) - slope * w * w / 2) / d->inertia(q);
}

static double expected(const driven *d, double until) {
  const int steps = 4000;
  const double h = until / steps;
  double q = d->start, w = 0;
  for (int i = 0; i < steps; i++) {
    const double k1 = accelerate(d, q, w), w2 = w + h / 2 * k1,
                 k2 = accelerate(d, q + h / 2 * w, w2), w3 = w + h / 2 * k2,
                 k3 = accelerate(d, q + h / 2 * w2, w3), w4 = w + h * k3,
                 k4 = accelerate(d, q + h * w3, w4);
    q += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
    w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return q;
}

static void a_storage_follows_the_joint(void **state) {
  (void)state;
  static const char *const methods[] = {"dormand-prince-5", "fehlberg-8", "kvaerno-5"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int k = 0; k < 3; k++) {
      const sb_options options = options_of(methods[k], 1e-10);
      run r = prepare_inside(cases[i].inside);
      start_by(&r, &options);
      advance(&r, 0.9);
      const double q = value(&r, "ja.q");
      assert_near(q, expected(&cases[i], 0.9), 2e-8);
      assert_near(value(&r, cases[i].other), cases[i].follows(q), 1e-8);
      assert_balanced(&r);
      stop(&r);
    }
  }
}

/** The rate of a place is not told by the states of joints: what reads it cannot constrain storages. */
static void what_follows_places_is_refused(void **state) {
  (void)state;
  sb_netlist *netlist =
      read_netlist("<screwbond version='1' id='x'>" SCENE(BAR(
                       "a", "parent='world'")) "<network><signal id='x' of='a.position.x'/><MTF "
                                               "id='n' ratio='1 + x/1[m]'/>"
                                               "<I id='w' domain='rotation' inertia='0.2 "
                                               "kg.m^2'/><bond from='ja' to='n'/><bond from='n' "
                                               "to='w'/></network><run t-end='1 s'/></screwbond>",
                   NULL, 0);
  sb_errors errors = {0};
  sb_model *model;
  assert_int_equal(sb_model_compile(netlist->graph, &model, &errors), SB_ERR_CAUSALITY);
  assert_non_null(strstr(errors.items[0].hint, "of a mechanism that of a joint's q is"));
  sb_errors_finish(&errors);
  sb_netlist_destroy(netlist);
}

int main(void) {
  const struct CMUnitTest tests[] = {repeating_test(a_storage_follows_the_joint),
                                     cmocka_unit_test(what_follows_places_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
