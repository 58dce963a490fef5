// SPDX-License-Identifier: GPL-3.0-or-later
// Two ellipsoids over a floor against an independent computation of the same equations: 80-bit
// numbers, rotation matrices and world angular momentum in place of quaternions, closest points from
// the eight implicit equations, tangential springs in a transported basis, and Gragg-Bulirsch-Stoer
// extrapolation with the events found by the length of the step. Its settings agree to 1e-15.
// With the clamp and with slip: another program, in 64 bits, with quaternions and world angular momentum, closest
// points by Newton's method on n and the gap, the slip tau = (1 + gam B G)^-1 (K s + B v) by Newton's method with
// bisection on gam, without modes: steps of the pair of order 8(5,3) end where the gap, the pull or the excess of
// the loads over their limit passes zero, by their length. Tolerances of 1e-12 and 1e-13 agree to 3e-15 s.
#include "tests/fixture.h"

typedef struct event {
  double t; // [s]
  const char *kind, *element;
} event;

enum { EVENTS_MAX = 16, SETS_MAX = 5 };

typedef struct scenario {
  const char *file;
  sb_override sets[SETS_MAX];
  double t_end;
  event events[EVENTS_MAX];
  double stored_end, event_loss; // [J]
} scenario;

static const scenario scenarios[] = {
    {"two_ellipsoids.xml",
     {{0}},
     1.2,
     {{0.126835557778836, "touch", "contact(floor,grey)"},
      {0.173755509443916, "touch", "contact(grey,black)"},
      {0.624210157850026, "touch", "contact(floor,black)"},
      {0.639499437822121, "release", "contact(grey,black)"}},
     2.745385319199497,
     0.013929614775049},
    {"two_ellipsoids_d0.xml",
     {{0}},
     0.9,
     {{0.126835557778836, "touch", "contact(floor,grey)"},
      {0.184991089992725, "touch", "contact(grey,black)"},
      {0.355989121528743, "release", "contact(grey,black)"},
      {0.555795165511475, "release", "contact(floor,grey)"},
      {0.633986934582097, "touch", "contact(floor,grey)"},
      {0.749822590165946, "release", "contact(floor,grey)"},
      {0.758690196339670, "touch", "contact(floor,black)"},
      {0.800748017297569, "touch", "contact(floor,grey)"},
      {0.828789882035380, "release", "contact(floor,black)"}},
     5.1012,
     0},
    {"two_ellipsoids_d3.xml",
     {{0}},
     1.2,
     {{0.126835557778836, "touch", "contact(floor,grey)"},
      {0.172148229468715, "touch", "contact(grey,black)"},
      {0.632735923635481, "touch", "contact(floor,black)"},
      {0.651706685355073, "release", "contact(grey,black)"}},
     2.704017964766555,
     0.014762908162429},
    {"two_ellipsoids.xml",
     {{"soft.clamp", "yes"}},
     1.2,
     {{0.126835557778836, "touch", "contact(floor,grey)"},
      {0.173755509443916, "touch", "contact(grey,black)"},
      {0.624210157850026, "touch", "contact(floor,black)"},
      {0.639346566678415, "release", "contact(grey,black)"}},
     2.75015632952771,
     0.0137074138133486},
    {"two_ellipsoids.xml",
     {{"soft.friction", "coulomb"},
      {"soft.mu", "0.4"},
      {"soft.friction-radius", "0.02 m"},
      {"soft.friction-damping", "0.01 s"}},
     1.2,
     {{0.126835557778836, "touch", "contact(floor,grey)"},
      {0.126835557778836, "stick", "contact(floor,grey)"},
      {0.173279837891375, "touch", "contact(grey,black)"},
      {0.174167793375758, "stick", "contact(grey,black)"},
      {0.233831015969218, "slip", "contact(grey,black)"},
      {0.248533967933994, "stick", "contact(grey,black)"},
      {0.257520764477939, "slip", "contact(floor,grey)"},
      {0.355903101327395, "stick", "contact(floor,grey)"},
      {0.524968210222496, "slip", "contact(grey,black)"},
      {0.608828136687272, "touch", "contact(floor,black)"},
      {0.609559261724684, "stick", "contact(floor,black)"},
      {0.623366188690175, "release", "contact(grey,black)"},
      {0.630612461512063, "slip", "contact(floor,black)"},
      {0.722200237313439, "stick", "contact(floor,black)"}},
     2.61639813198187,
     0.000126336791348821},
    {"two_ellipsoids.xml",
     {{"soft.clamp", "yes"},
      {"soft.friction", "coulomb"},
      {"soft.mu", "0.4"},
      {"soft.friction-radius", "0.02 m"},
      {"soft.friction-damping", "0.01 s"}},
     1.2,
     {{0.126835557778836, "touch", "contact(floor,grey)"},
      {0.126835557778836, "stick", "contact(floor,grey)"},
      {0.173279837891375, "touch", "contact(grey,black)"},
      {0.174167793375758, "stick", "contact(grey,black)"},
      {0.233831015969218, "slip", "contact(grey,black)"},
      {0.248533967933994, "stick", "contact(grey,black)"},
      {0.257520764477939, "slip", "contact(floor,grey)"},
      {0.355903101327395, "stick", "contact(floor,grey)"},
      {0.524968210222496, "slip", "contact(grey,black)"},
      {0.608828136687272, "touch", "contact(floor,black)"},
      {0.609559261724684, "stick", "contact(floor,black)"},
      {0.623301141116922, "release", "contact(grey,black)"},
      {0.630563062022083, "slip", "contact(floor,black)"},
      {0.722125144353306, "stick", "contact(floor,black)"}},
     2.61821451256235,
     0.000127991109291159},
};

static run start_scenario(const scenario *s) {
  int sets = 0;
  while (sets < SETS_MAX && s->sets[sets].id != NULL) {
    sets++;
  }
  run r = {.netlist = read_example(s->file, s->sets, sets)};
  r.model = compile_graph(r.netlist->graph);
  r.netlist->options.method = sb_method_find("fehlberg-8");
  r.netlist->options.rtol = 1e-12;
  r.netlist->options.atol = 1e-13;
  start_by(&r, &r.netlist->options);
  return r;
}

static void agrees_with_extrapolation(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
    const scenario *s = &scenarios[i];
    run r = start_scenario(s);
    advance(&r, s->t_end);
    const sb_ledger *ledger = ledger_of(&r);
    int k = 0;
    for (; k < ledger->event_count && s->events[k].kind != NULL; k++) {
      assert_string_equal(ledger->events[k].kind, s->events[k].kind);
      assert_string_equal(ledger->events[k].element, s->events[k].element);
      assert_near(ledger->events[k].t, s->events[k].t, 1e-11);
    }
    assert_int_equal(k, ledger->event_count);
    assert_null(s->events[k].kind);
    assert_near(ledger->total.stored_end, s->stored_end, 1e-10);
    assert_near(ledger->total.event_loss, s->event_loss, 1e-10);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_extrapolation)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
