// SPDX-License-Identifier: GPL-3.0-or-later
// Paths of transformers side by side state one constraint twice: they share the power by the number of their bonds, whatever the order
// of the elements, the ratios and the units on the way.
#include "tests/fixture.h"

enum { ORDERS = 30, ELEMENTS_MAX = 40, TEXT = 6000 };

/** A wheel at `a` of 1 kg m^2, which turns by th, moves `b` by the ratio r(th) = 0.1 m (2 + cos th). */
#define WHEEL                                                                                      \
  "<signal id='th' rate='w' start='0 rad'/>", "<signal id='w' of='J.f'/>",                         \
      "<I id='J' domain='rotation' inertia='1' p0='1'/>", "<J1 id='a'/>",                          \
      "<bond from='a' to='J'/>", "<J1 id='b'/>"
#define PATH(id, kind, ratio)                                                                      \
  "<" kind " id='" id "' ratio='" ratio "'/>", "<bond from='a' to='" id "'/>",                     \
      "<bond from='" id "' to='b'/>"
#define CHAIN(first, ratio, last, rest)                                                            \
  "<MTF id='" first "' ratio='" ratio "'/>", "<bond from='a' to='" first "'/>",                    \
      "<J1 id='n" first "' domain='rotation'/>", "<bond from='" first "' to='n" first "'/>",       \
      "<MTF id='" last "' ratio='" rest "'/>", "<bond from='n" first "' to='" last "'/>",          \
      "<bond from='" last "' to='b'/>"
#define MASS "<I id='m' domain='translation' mass='50' p0='15'/>", "<bond from='b' to='m'/>"
#define SPRING "<C id='k' domain='translation' c='0.01'/>", "<bond from='b' to='k'/>"
#define R "0.1[m]*(2+cos(th))"

typedef struct scene {
  const char *elements[ELEMENTS_MAX];
  const char *forces[4]; // at `b`
  double share[3];
} scene;

static const scene scenes[] = {
    {{WHEEL, PATH("p", "MTF", R), PATH("q", "MTF", R), MASS}, {"p.to.e", "q.to.e"}, {0.5, 0.5}},
    {{WHEEL, PATH("p", "MTF", R), PATH("q", "MTF", R), SPRING}, {"p.to.e", "q.to.e"}, {0.5, 0.5}},
    {{WHEEL, PATH("p", "MTF", R), PATH("q", "MTF", R), PATH("r", "MTF", R), MASS, SPRING},
     {"p.to.e", "q.to.e", "r.to.e"},
     {1.0 / 3, 1.0 / 3, 1.0 / 3}},
    {{WHEEL, PATH("p", "MTF", "0.3[m]+0[m]*th"), PATH("q", "TF", "0.3 m"), MASS, SPRING},
     {"p.to.e", "q.to.e"},
     {0.5, 0.5}},
    {{WHEEL, PATH("p", "MTF", "0.3[m]+0[m]*th"), PATH("q", "MTF", "0.3[m]+0[m]*th"),
      PATH("r", "TF", "0.3 m"), SPRING},
     {"p.to.e", "q.to.e", "r.to.e"},
     {1.0 / 3, 1.0 / 3, 1.0 / 3}},
    // four bonds and two, and four of other ratios
    {{WHEEL, CHAIN("p", "2+sin(th)", "q", R), PATH("r", "MTF", "(2+sin(th))*" R), MASS},
     {"q.to.e", "r.to.e"},
     {1.0 / 3, 2.0 / 3}},
    {{WHEEL, CHAIN("p", "2+sin(th)", "q", R),
      CHAIN("r", "20*(2+sin(th))", "s", "0.005[m]*(2+cos(th))"), SPRING},
     {"q.to.e", "s.to.e"},
     {0.5, 0.5}},
};

/** The elements in an order of their own. */
static void write_elements(const scene *s, unsigned order, char text[TEXT]) {
  const char *rest[ELEMENTS_MAX];
  int count = 0, used = snprintf(text, TEXT, "<network>");
  while (s->elements[count] != NULL) {
    rest[count] = s->elements[count];
    count++;
  }
  for (unsigned random = order; count > 0; random = random * 1664525u + 1013904223u) {
    const int next = order == 0 ? 0 : (int)((random >> 8) % (unsigned)count);
    used += snprintf(text + used, TEXT - (size_t)used, "%s", rest[next]);
    memmove(&rest[next], &rest[next + 1], (size_t)(--count - next) * sizeof *rest);
  }
  (void)snprintf(text + used, TEXT - (size_t)used, "</network>");
}

static void paths_share_by_power(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
    for (unsigned order = 0; order < ORDERS; order += THOROUGH ? 1 : 6) {
      char text[TEXT];
      write_elements(&scenes[k], order, text);
      run r = start(text, 1e-9, 0);
      advance(&r, 0.3);
      double all = 0;
      for (int i = 0; scenes[k].forces[i] != NULL; i++) {
        all += value(&r, scenes[k].forces[i]);
      }
      assert_true(fabs(all) > 1e-3);
      for (int i = 0; scenes[k].forces[i] != NULL; i++) {
        assert_near(value(&r, scenes[k].forces[i]) / all, scenes[k].share[i], 1e-7);
      }
      stop(&r);
    }
  }
}

/** (J + m r(th)^2) w^2 / 2 is the energy. */
static void and_move_as_one(void **state) {
  (void)state;
  for (unsigned order = 0; order < 3; order++) {
    char text[TEXT];
    write_elements(&scenes[0], order, text);
    run r = start(text, 1e-10, 0);
    advance(&r, 1.2);
    const double ratio = 0.1 * (2 + cos(value(&r, "th")));
    assert_near_relative(value(&r, "J.f"), sqrt(5.5 / (1 + 50 * ratio * ratio)), 1e-8);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {repeating_test(paths_share_by_power),
                                     cmocka_unit_test(and_move_as_one)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
