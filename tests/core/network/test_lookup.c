// SPDX-License-Identifier: GPL-3.0-or-later
// One number of a named quantity, by the name of its column.
#include "core/analysis/linearize.h"
#include "core/model/model_data.h"
#include "tests/fixture.h"

static const char text[] =
    "<screwbond version='1' id='m'><mechanism gravity='0 0 -9.81 m/s^2'>"
    "<body id='rod' mass='1.3 kg' com='0.2 0.1 -0.3 m' inertia='0.02 0.03 0.04 kg.m^2'>"
    "<frame id='tip' at='0.1 0 -0.7 m' rotation='20 deg about 0 1 0'/></body>"
    "<body id='ball' mass='0.7 kg' inertia='1 2 3 kg.m^2' position='1 2 3 m' "
    "velocity='0.3 -0.2 0.1 m/s' angular-velocity='0.5 0.6 0.7 rad/s'/>"
    "<joint id='hip' kind='universal' axis='1 0 0' axis2='0 1 0' parent='world' child='rod' "
    "q0='20 -30 deg' w0='1.1 -0.7 rad/s'/></mechanism>"
    "<run t-end='1 s' rtol='1e-8'/></screwbond>";

static const struct {
  const char *whole;
  int k;
  const char *one, *unit;
} numbers[] = {
    {"rod.velocity", 2, "rod.velocity.z", "m/s"},
    {"tip.velocity(tip)", 1, "tip.velocity(tip).y", "m/s"},
    {"hip.q", 1, "hip.q.1", "rad"},
    {"hip.force", 0, "hip.force.x", "N"},
    {"ball.position", 1, "ball.position.y", "m"},
    {"ball.f", 3, "ball.f.3", "m/s"},
    {"ball.momentum", 2, "ball.momentum.z", "N.s"},
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static void a_number_by_itself(void **state) {
  (void)state;
  run r = start_netlist(text);
  for (int i = 0; i < NUMBERS; i++) {
    const double want = component(&r, numbers[i].whole, numbers[i].k);
    assert_true(want != 0);
    assert_near(value(&r, numbers[i].one), want, 0);
    sb_quantity q;
    sb_error err = {0};
    ok(sb_model_find(r.model, numbers[i].one, &q, &err), &err);
    assert_int_equal(q.count, 1);
    assert_string_equal(q.unit, numbers[i].unit);
  }
  stop(&r);
}

/** Rows of C and D are those of the whole quantity. */
static void linearised_by_itself(void **state) {
  (void)state;
  run r = start_netlist(text);
  for (int i = 0; i < NUMBERS; i++) {
    sb_error err = {0};
    sb_linear *whole, *one;
    sb_linear_request request = {.outputs = &numbers[i].whole, .output_count = 1};
    ok(sb_linearize(r.sim, &request, &whole, &err), &err);
    request.outputs = &numbers[i].one;
    ok(sb_linearize(r.sim, &request, &one, &err), &err);
    assert_int_equal(one->outputs, 1);
    double most = 0;
    for (int k = 0; k < one->states; k++) {
      const double want = whole->C[numbers[i].k * whole->states + k];
      assert_near(one->C[k], want, 1e-9 * (1 + fabs(want)));
      most = fmax(most, fabs(want));
    }
    assert_true(most > 0);
    sb_linear_destroy(whole);
    sb_linear_destroy(one);
  }
  stop(&r);
}

static void no_such_number(void **state) {
  (void)state;
  run r = start_netlist(text);
  static const struct {
    const char *name, *text, *hint;
  } rows[] = {
      {"rod.velocity.w", "'rod.velocity' has no component 'w'", "its components are x, y and z"},
      {"hip.q.2", NULL, NULL},
      {"hip.q.x", NULL, NULL},
      {"rod.velocity.", "'rod.velocity' has no component ''", "its components are x, y and z"},
      {"tip.velocity(tip).3", "'tip.velocity(tip)' has no component '3'",
       "its components are x, y and z"},
      {"rod.speed.x", NULL, NULL}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sb_quantity q;
    sb_error err = {0};
    assert_int_equal(sb_model_find(r.model, rows[i].name, &q, &err), SB_ERR_REFERENCE);
    assert_int_equal(err.status, SB_ERR_REFERENCE);
    assert_true(err.text[0] != '\0');
    if (rows[i].text != NULL) {
      assert_string_equal(err.text, rows[i].text);
      assert_string_equal(err.hint, rows[i].hint);
    }
  }
  stop(&r);
}

/** What signals read of ports of any kind has the sign of the result of that name: along the half arrow. */
static void signals_read_the_same(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='m'><network domain='rotation'><Se id='src' effort='5 N.m'/>"
      "<I id='J' inertia='2 kg.m^2'/><TF id='T' ratio='2'/><R id='R' r='3 N.m.s/rad'/><J1 id='a'/>"
      "<bond from='src' to='a'/><bond from='a' to='J'/><bond from='a' to='T'/><bond from='T' "
      "to='R'/>"
      "<signal id='from' of='T.from.f'/><signal id='to' of='T.to.f'/><signal id='all' of='a.f'/>"
      "<signal id='given' of='src.f'/></network><run t-end='1 s'/></screwbond>");
  advance(&r, 1);
  const double w = 5. / 12 * (1 - exp(-6)); // 2 w' = 5 - 2^2 3 w
  assert_near(value(&r, "from"), w, 1e-5);
  assert_near(value(&r, "to"), 2 * w, 1e-5);
  assert_near(value(&r, "all"), w, 1e-5);
  assert_near(value(&r, "given"), w, 1e-5);
  assert_near(value(&r, "from"), value(&r, "T.from.f"), 1e-15);
  stop(&r);
}

/** Of three bonds or more the efforts of a 1-junction differ, and which comes first must not matter. */
static void junctions_have_one_of_both(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='m'><mechanism><body id='rod' mass='2 kg' inertia='3 3 3 kg.m^2'/>"
      "<joint id='hinge' parent='world' child='rod' kind='revolute' axis='0 0 1'/></mechanism>"
      "<network domain='rotation'><Se id='s' effort='5 N.m'/><J1 id='shaft'/><J1 id='pair'/><J0 "
      "id='n'/>"
      "<TF id='T' ratio='2'/><R id='a' r='1 N.m.s'/><R id='b' r='3 N.m.s'/><R id='c' r='7 N.m.s'/>"
      "<bond from='pair' to='shaft'/><bond from='s' to='pair'/><bond from='shaft' to='T'/>"
      "<bond from='T' to='n'/><bond from='n' to='a'/><bond from='n' to='b'/>"
      "<bond from='shaft' to='c'/><bond from='shaft' to='hinge'/></network><run t-end='1 "
      "s'/></screwbond>");
  static const struct {
    const char *name, *text, *hint;
  } refused[] = {
      {"shaft.e",
       "the effort of J1 'shaft' is not one number: its bonds have one flow, but each its own "
       "effort",
       "pair.e"},
      {"n.f",
       "the flow of J0 'n' is not one number: its bonds have one effort, but each its own flow",
       "T.to.f"},
      {"shaft.e.0",
       "the effort of J1 'shaft' is not one number: its bonds have one flow, but each its own "
       "effort",
       "pair.e"}};
  for (int i = 0; i < 3; i++) {
    char hint[200];
    sb_quantity q;
    sb_error err = {0};
    assert_int_equal(sb_model_find(r.model, refused[i].name, &q, &err), SB_ERR_REFERENCE);
    assert_string_equal(err.text, refused[i].text);
    (void)snprintf(
        hint, sizeof hint,
        "write the %s of the element that is meant, at the other end of its bond, such as "
        "%s",
        i == 1 ? "flow" : "effort", refused[i].hint);
    assert_string_equal(err.hint, hint);
    assert_int_equal(sb_model_find(r.model, refused[i].hint, &q, &err), SB_OK);
  }
  advance(&r, 0.5);
  assert_near(value(&r, "pair.e"), 5, 1e-12); // one bond in, one out
  assert_near(value(&r, "pair.f"), value(&r, "shaft.f"), 1e-15);
  assert_near(value(&r, "n.e"), value(&r, "T.to.e"), 1e-15);
  assert_near(value(&r, "n.e"), 0.75 * value(&r, "T.to.f"), 1e-12); // 1 and 3 N.m.s in series
  stop(&r);
}

/** The place is that of the name, and where the other end is a joint it is named by its own id. */
static void junctions_are_refused_in_signals(void **state) {
  (void)state;
  static const char wired[] =
      "<screwbond version='1' id='m'><mechanism><body id='rod' mass='2 kg' inertia='3 3 3 "
      "kg.m^2'/>\n"
      "<joint id='hinge' parent='world' child='rod' kind='revolute' axis='0 0 1'/></mechanism>\n"
      "<network domain='rotation'><J1 id='shaft'/><R id='c' r='7 N.m.s'/><R id='d' r='1 N.m.s'/>\n"
      "<signal id='M' of='shaft.e'/><bond from='shaft' to='hinge'/><bond from='shaft' to='c'/>\n"
      "<bond from='shaft' to='d'/></network><run t-end='1 s'/></screwbond>";
  sb_netlist *netlist = read_netlist(wired, NULL, 0);
  sb_model *model = NULL;
  sb_errors errors = {0};
  assert_int_equal(sb_model_compile(netlist->graph, &model, &errors), SB_ERR_REFERENCE);
  assert_int_equal(errors.count, 1);
  assert_int_equal(errors.items[0].line, 4);
  assert_int_equal(errors.items[0].column, 20);
  assert_non_null(strstr(errors.items[0].hint, "such as hinge.e"));
  sb_errors_finish(&errors);
  sb_netlist_destroy(netlist);
}

static const sb_instance *instance(const run *r, const char *id) {
  return &r->model->network.instances[sb_names_find(&r->model->network.names, id, strlen(id))];
}

#define BALL(id, material, x)                                                                      \
  "<body id='" id "' mass='0.1 kg' material='" material "' position='" x " 0 0.0999 m'>"           \
  "<shape kind='sphere' radius='10 cm'/></body><contact id='g" id "' a='g' b='" id "' law='l'/>"

/** Elements of a kind with the same parameters share them, others do not: balls of 0.1 kg on springs of 100 and of 200 N/m. */
static void equal_data_stand_once(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='m'><materials><material id='soft' stiffness='0 0 100 N/m'/>"
      "<material id='hard' stiffness='0 0 200 N/m'/></materials>"
      "<laws><contact-law id='l' normal='linear'/></laws><mechanism>"
      "<ground id='g'><shape kind='plane' normal='0 0 1'/></ground>" BALL("a", "soft", "0")
          BALL("b", "soft", "3")
              BALL("c", "hard", "6") "</mechanism>"
                                     "<run t-end='1 s' rtol='1e-9'/></screwbond>");
  assert_ptr_equal(instance(&r, "ga/elastic")->self, instance(&r, "gb/elastic")->self);
  assert_ptr_not_equal(instance(&r, "gb/elastic")->self, instance(&r, "gc/elastic")->self);
  assert_ptr_not_equal(instance(&r, "ga")->self, instance(&r, "gb")->self);
  advance(&r, 0.01);
  static const char *const places[] = {"a.position", "b.position", "c.position"};
  for (int i = 0; i < 3; i++) { // z = -z0 cos w t, w^2 = k/m
    const double w = sqrt((i < 2 ? 100 : 200) / 0.1);
    assert_near(component(&r, places[i], 2), 0.1 - 1e-4 * cos(w * 0.01), 1e-11);
  }
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_number_by_itself),
                                     cmocka_unit_test(linearised_by_itself),
                                     cmocka_unit_test(no_such_number),
                                     cmocka_unit_test(signals_read_the_same),
                                     cmocka_unit_test(junctions_have_one_of_both),
                                     cmocka_unit_test(junctions_are_refused_in_signals),
                                     cmocka_unit_test(equal_data_stand_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
