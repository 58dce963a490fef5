// SPDX-License-Identifier: GPL-3.0-or-later
// Rates by which constraints are enforced, off by a factor 1 + lie: the audit finds them and names the element. The
// projection on the constraints hides the drift, and the energy balance may be met all the same.
#include "tests/campaign/wrong_hooks.h"
#include "tests/fixture.h"

/** Networks with constraints, and how many rates their elements have. */
static const struct {
  int rates;
  const char *text;
} networks[] = {
    // a source that follows a signal, right on a capacitor
    {3,
     "<network domain='electric'><signal id='i' of='L.f'/><signal id='u' value='3[V] + 2[ohm]*i'/>"
     "<Se id='S' effort='u*u/1[V]'/><C id='store' c='0.2 F' q0='1.8 C'/><bond from='S' to='store'/>"
     "<J1 id='j'/><I id='L' l='0.7 H'/><C id='C' c='0.3 F' q0='0.4 C'/>"
     "<bond from='j' to='L'/><bond from='j' to='C'/></network>"},
    // inertias on both sides of a ratio that follows the angle
    {4, "<network domain='rotation'><signal id='w' of='wheel.f'/><signal id='th' rate='w'/>"
        "<I id='wheel' inertia='0.3 kg.m^2' p0='0.9 N.m.s'/><J1 id='shaft'/>"
        "<MTF id='crank' ratio='2 + sin(th)'/><I id='load' inertia='0.05 kg.m^2' p0='0.3 N.m.s'/>"
        "<bond from='shaft' to='wheel'/><bond from='shaft' to='crank'/>"
        "<bond from='crank' to='load'/></network>"},
    // a point mass on a rod, whose joint has no inertia: one constraint, one multiplier
    {7, "<network domain='translation'><signal id='th' rate='w' start='0.6 rad'/>"
        "<signal id='w' of='swing.f'/><J1 id='swing' domain='rotation'/>"
        "<MTF id='tx' ratio='1.5[m]*cos(th)'/><MTF id='ty' ratio='1.5[m]*sin(th)'/>"
        "<J1 id='mx'/><I id='Lx' mass='2 kg'/><J1 id='my'/><I id='Ly' mass='2 kg'/>"
        "<Se id='G' effort='-19.6[N]*cos(0.3*t/1[s])'/><bond from='swing' to='tx'/><bond from='tx' "
        "to='mx'/>"
        "<bond from='mx' to='Lx'/><bond from='swing' to='ty'/><bond from='ty' to='my'/>"
        "<bond from='my' to='Ly'/><bond from='G' to='my'/></network>"},
    // springs with laws of their own side by side
    {2,
     "<network domain='translation'><J0 id='j'/><J1 id='v'/><I id='m' mass='1.3 kg' p0='0.7 N.s'/>"
     "<C id='soft' energy='2[N/m]*q^2 + 0.3[N/m^3]*q^4' q0='0.1 m'/>"
     "<C id='hard' energy='2[N/m]*q^2 + 0.3[N/m^3]*q^4' q0='0.1 m'/><R id='R' r='0.1 N.s/m'/>"
     "<bond from='v' to='m'/><bond from='v' to='R'/><bond from='j' to='v'/><bond from='j' "
     "to='soft'/>"
     "<bond from='j' to='hard'/></network>"},
    // a swinging voltage across a capacitor
    {1, "<network domain='electric'><Se id='U' effort='2.3[V]*sin(1.7*t/1[s])'/>"
        "<C id='C' c='0.3 F'/><J0 id='n'/><R id='R' r='0.9 ohm'/><bond from='U' to='n'/>"
        "<bond from='n' to='C'/><bond from='n' to='R'/></network>"},
    // a speed that begins as t^2, by a difference, on a mass
    {1, "<network domain='translation'><Sf id='F' flow='3[m/s]*(1 - cos(20*t/1[s]))'/><J1 id='j'/>"
        "<I id='m' mass='2 kg'/><R id='b' r='1 N.s/m'/><bond from='F' to='j'/>"
        "<bond from='j' to='m'/><bond from='j' to='b'/></network>"},
    // a voltage behind a filter and a delay on a capacitor
    {5,
     "<network domain='electric'><signal id='i' of='L.f'/>"
     "<TransferFunction id='y' of='i' num='0.7 1' den='0.2 0.3 1'/>"
     "<TransferFunction id='z' of='i' num='0.4 1' den='0.6 1'/><Delay id='d' of='i' delay='0.3 s'/>"
     "<Se id='S' effort='2[ohm]*(y + z + d)'/><C id='store' c='0.2 F' q0='0.41 C'/>"
     "<bond from='S' to='store'/><J1 id='j'/><I id='L' l='0.7 H' p0='0.5 Wb'/>"
     "<C id='C' c='0.3 F' q0='0.4 C'/><bond from='j' to='L'/><bond from='j' to='C'/></network>"},
};

static int nothing(void *context, const sb_simulation *sim, double t) {
  (void)context, (void)sim, (void)t;
  return 0;
}

/** @param instance  whose rate is wrong; -1: all are right */
static run run_with(const char *text, int instance, wrong_hook which, double lie) {
  run r = prepare_inside(text);
  sb_error err = {0};
  if (instance >= 0) {
    spoil_hook(&r.model->network.instances[instance], which, 1 + lie);
  }
  start_by(&r, &r.netlist->options);
  ok(sb_simulation_run(r.sim, 2, 0.1, nothing, NULL, &err), &err);
  return r;
}

/** The figure is the lie, as a part of the wrong rate. */
static void try_hook(const char *text, int instance, wrong_hook which) {
  for (double lie = 1e-5; lie < 1; lie *= 1e4) {
    run r = run_with(text, instance, which, lie);
    assert_string_equal(ledger_of(&r)->structure.worst, r.model->network.instances[instance].id);
    assert_near_relative(ledger_of(&r)->structure.residual_relative, lie / (1 + lie), 1e-3);
    stop(&r);
  }
}

/** @return how many rates of elements the network has */
static int try_network(const char *text) {
  int tried = 0;
  run right = run_with(text, -1, WRONG_HOOKS, 0);
  const sb_network *network = &right.model->network;
  assert_near(ledger_of(&right)->structure.residual_relative, 0, 1e-13);
  for (int i = 0; i < network->instance_count; i++) {
    for (wrong_hook which = WRONG_HESSIAN; which < WRONG_HOOKS; which++) {
      if (has_hook(&network->instances[i], which)) {
        try_hook(text, i, which);
        tried++;
      }
    }
  }
  stop(&right);
  return tried;
}

static void structure_names_a_wrong_rate(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
    assert_int_equal(try_network(networks[i].text), networks[i].rates);
  }
}

/** Mechanisms of which parts of wrenches cancel: what is left of them is rounding, and so is its rate. */
static const char *const cancelling[] = {
    // along a skew line through the origin: no moment about it
    "<mechanism><body id='a' mass='1.3 kg' inertia='0.1 0.1 0.1 kg.m^2'>"
    "<frame id='eye' at='0.1 0.2 0.3 m'/></body>"
    "<joint id='rail' kind='prismatic' parent='world' child='a' axis='1 2 3' q0='0.9 m' "
    "v0='1.1 m/s' limits='0.2 1.4 m'/>"
    "<Line id='cord' from='world' to='eye' from-at='0.07 0.14 0.21 m'/></mechanism>"
    "<network domain='translation'><C id='k' c='0.02 m/N' q0='0.3 m'/><I id='m' mass='0.4 kg'/>"
    "<J1 id='j'/><bond from='cord' to='j'/><bond from='j' to='k'/><bond from='j' "
    "to='m'/></network>",
    // in a plane, after an impact: no force across it
    "<mechanism gravity='0 0 -9.81 m/s^2'><body id='trunk' mass='3 kg' inertia='1 1 1 kg.m^2'/>"
    "<joint id='base' kind='prismatic' parent='world' child='trunk' limits='-0.4 1 m'/>"
    "<body id='upper' mass='2 kg' inertia='0.1 0.1 0.1 kg.m^2'/>"
    "<body id='lower' mass='1 kg' inertia='0.1 0.1 0.1 kg.m^2'><frame id='hand' at='0 0 -0.6 "
    "m'/></body>"
    "<joint id='elbow' kind='revolute' axis='0 1 0' parent='upper' child='lower' at='0 0 -1 m' "
    "q0='20 deg'/><Line id='muscle' from='upper' to='hand'/>"
    "<joint id='r' kind='spherical' parent='trunk' child='upper' at='0 -0.3 0 m'/></mechanism>"
    "<network domain='translation'><C id='k' c='0.01 m/N'/><bond from='muscle' to='k'/></network>",
    // two bodies on one skew rail, through a bushing: no moments, no forces across the rail
    "<mechanism><body id='a' mass='1.3 kg' inertia='0.1 0.1 0.1 kg.m^2'/>"
    "<body id='b' mass='0.7 kg' inertia='0.1 0.1 0.1 kg.m^2'/>"
    "<joint id='rail' kind='prismatic' parent='world' child='a' axis='0.3 -0.7 1.1' q0='0.9 m' "
    "v0='1.3 m/s' limits='0.2 1.4 m'/>"
    "<joint id='slide' kind='prismatic' parent='a' child='b' axis='0.3 -0.7 1.1' q0='0.6 m' "
    "v0='-0.4 m/s' limits='0.1 1.7 m'/>"
    "<Line id='cord' from='a' to='b' from-at='0.03 -0.07 0.11 m'/></mechanism>"
    "<network domain='translation'><C id='k' c='0.01 m/N'/><bond from='cord' to='k'/></network>",
    // a link that hardly moves yet, beside one that turns fast, over the short times of a circuit
    "<mechanism gravity='0 0 -9.81 m/s^2'>"
    "<body id='a' mass='1.3 kg' inertia='0.02 0.03 0.04 kg.m^2' com='0.1 -0.05 0.02 m'/>"
    "<joint id='ja' parent='world' child='a' kind='revolute' axis='1 2 3'/>"
    "<body id='b' mass='0.8 kg' inertia='0.01 0.02 0.015 kg.m^2' com='0.02 0.03 -0.05 m'/>"
    "<joint id='jb' parent='a' child='b' kind='revolute' axis='3 -1 2' at='0.1 0.2 -0.1 m' "
    "w0='20 rad/s'/><body id='c' mass='2 kg' inertia='0.03 0.02 0.04 kg.m^2' com='-0.05 0.02 0.01 "
    "m'/><joint id='jc' parent='a' child='c' kind='revolute' axis='1 -1 2' at='-0.1 0.1 0.1 m'/>"
    "<Line id='cord' from='world' to='c' from-at='0.5 -0.4 0.9 m'/></mechanism>"
    "<network domain='translation'><C id='k' c='0.02 m/N' q0='0.1 m'/><bond from='cord' to='k'/>"
    "</network><network domain='electric'><J0 id='n'/><C id='C' c='1 uF' q0='1 uC'/>"
    "<C id='E' c='1 uF' q0='1 uC'/><R id='R' r='10 ohm'/><bond from='n' to='C'/>"
    "<bond from='n' to='E'/><bond from='n' to='R'/></network>",
    // at rest within a dead zone that is narrower than one unit
    "<network domain='electric'><J1 id='j'/><I id='I' l='0.1 H'/><bond from='j' to='I'/>"
    "<R id='R' law='1[V]*(sign(f/1[A]) + f/1[A])'/><bond from='j' to='R'/><C id='C' "
    "energy='1e-4[J]*((q/1e-4[C])^2/4 + 2*max(abs(q/1e-4[C]) - 0.15, 0)^2)'/>"
    "<bond from='j' to='C'/></network>",
};

static void what_cancels_is_no_error(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cancelling / sizeof *cancelling; i++) {
    run r = run_with(cancelling[i], -1, WRONG_HOOKS, 0);
    assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
    stop(&r);
  }
}

/** Speeds 3 m/s (1 - cos(20 t)), known to the rounding of 3 m/s whatever is left, of a mass of 2 kg from rest. Its momentum is
 *  6 N.s (1 - cos(20 t)) = 12 N.s sin(10 t)^2. */
static void what_begins_by_a_difference_is_no_error(void **state) {
  (void)state;
  static const char *const sources[] = {
      "<Sf id='F' flow='3[m/s]*(1 - cos(20*t/1[s]))'/>",
      "<signal id='u' value='3[m/s]*(1 - cos(20*t/1[s]))'/><Sf id='F' flow='u'/>",
      "<signal id='u' value='3*(1 - cos(20*t/1[s]))'/><signal id='v' value='2*u'/>"
      "<Sf id='F' flow='0.5[m/s]*v'/>",
      "<Sf id='F' flow='-3 m/s' waveform='sine' frequency='3.183098861837907 Hz' phase='90 deg' "
      "offset='3 m/s'/>"};
  for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
    for (double t_end = 1e-4; t_end < 1; t_end *= 10) {
      char text[700];
      (void)snprintf(text, sizeof text,
                     "<network domain='translation'>%s<J1 id='j'/><I id='m' mass='2 kg'/>"
                     "<R id='b' r='1 N.s/m'/><bond from='F' to='j'/><bond from='j' to='m'/>"
                     "<bond from='j' to='b'/></network>",
                     sources[i]);
      run r = start(text, 1e-8, 0);
      sb_error err = {0};
      ok(sb_simulation_run(r.sim, t_end, 0.1 * t_end, nothing, NULL, &err), &err);
      assert_near_relative(value(&r, "m.p"), 12 * pow(sin(10 * t_end), 2), 1e-7);
      assert_true(ledger_of(&r)->structure.residual_relative < 1e-12);
      stop(&r);
    }
  }
}

static int number_of(const run *r, const char *id) {
  int i = 0;
  while (strcmp(r->model->network.instances[i].id, id) != 0) {
    i++;
  }
  return i;
}

/** The floor for what cancels hides no error of what does not: those of the line in space, where all components count. */
static void a_wrong_rate_beside_what_cancels(void **state) {
  (void)state;
  static const char line_in_space[] =
      "<mechanism gravity='0 0 -9.81 m/s^2'><body id='a' mass='1.3 kg' inertia='0.1 0.2 0.15 "
      "kg.m^2'><frame id='eye' at='0.3 0.2 -0.4 m'/></body>"
      "<joint id='hub' kind='revolute' parent='world' child='a' axis='1 2 3' w0='1.2 rad/s' "
      "limits='-40 70 deg'/><Line id='cord' from='world' to='eye' from-at='0.5 -0.4 0.9 m'/>"
      "</mechanism><network domain='translation'><C id='k' c='0.02 m/N' q0='0.1 m'/>"
      "<I id='m' mass='0.4 kg'/><J1 id='j'/><bond from='cord' to='j'/><bond from='j' to='k'/>"
      "<bond from='j' to='m'/></network>";
  run right = run_with(line_in_space, -1, WRONG_HOOKS, 0);
  const int cord = number_of(&right, "cord");
  assert_true(ledger_of(&right)->structure.residual_relative < 1e-12);
  try_hook(line_in_space, cord, WRONG_FORWARD_RATE);
  try_hook(line_in_space, cord, WRONG_ADJOINT_RATE);
  stop(&right);
  right = run_with(cancelling[0], -1, WRONG_HOOKS, 0);
  try_hook(cancelling[0], number_of(&right, "cord"), WRONG_FORWARD_RATE);
  stop(&right);
}

/** A ratio by the sine of a speed, which a friction has stopped: signals that are exactly zero vary by the largest that they have been, in
 *  whatever unit. */
static void signals_that_have_stopped(void **state) {
  (void)state;
  static const double speeds[] = {1, 1e-6, 1e-12}; // [m/s]
  for (int i = 0; i < 3; i++) {
    char text[900];
    const double v = speeds[i];
    assert_true(
        snprintf(text, sizeof text,
                 "<network domain='translation'><signal id='v' of='m.f'/><J1 id='s'/><I id='m' "
                 "mass='1 kg' p0='%g'/><Friction id='mu' coulomb='%g'/><bond from='s' to='mu'/>"
                 "<bond from='s' to='m'/><J0 id='a'/><R id='R' r='1 N.s/m'/><MTF id='n' "
                 "ratio='1.2 + sin(v/%g[m/s])'/><C id='c' c='1 m/N' q0='%g'/><J0 id='b'/><bond "
                 "from='a' to='R'/><bond from='a' to='n'/><bond from='n' to='b'/><bond from='b' "
                 "to='c'/></network>",
                 0.3 * v, 0.8 * v, v, v) < (int)sizeof text);
    run r = prepare_inside(text);
    r.netlist->options.rtol = 1e-10;
    start_by(&r, &r.netlist->options);
    advance(&r, 3);
    assert_near(event_time(&r, "stick", 0), 0.375, 1e-12);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A superellipsoid of p = 2.8 that rolls on a floor without friction, over places where its curvature vanishes as x^0.8. */
static const char over_flat_places[] =
    "<laws><contact-law id='c' normal='rigid'/></laws><mechanism gravity='0 0 -9.8 m/s^2'>"
    "<ground id='floor'><shape kind='plane' normal='0 0 1'/></ground>"
    "<body id='a' mass='0.7 kg' position='0 0 0.16257964762456661 m' "
    "rotation='2.2683985768518538 rad about 0.60976699674043078 0.48777966831293573 "
    "0.62470409384498005' velocity='0.9 0.5 0 m/s' angular-velocity='1.2 -5.5 5.5 rad/s'>"
    "<shape kind='superellipsoid' semi-axes='0.2 0.15 0.17 m' exponent='2.8'/></body>"
    "<contact id='k' a='floor' b='a' law='c'/></mechanism>";

static const sb_structure_hooks *right_contact;

/** The second derivative of its gap is off by a part of that which the body's turning gives, 1e-5 of 0.1 m w^2. */
static int wrong_curve(const void *self, const sb_at *at, double ydot[]) {
  enum { BODIES = 12, TURN = 6 }; // of two twists; that of the second body
  const double *w = at->in + TURN;
  const int status = right_contact->rates.forward(self, at, ydot);
  ydot[BODIES] += 1e-6 * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  return status;
}

/** Where the radius of curvature R is large, a rounding of the pose moves the point of contact by as much times R. */
static void rounding_where_it_is_flat_is_no_error(void **state) {
  (void)state;
  for (int spoilt = 0; spoilt < 2; spoilt++) {
    run r = prepare_inside(over_flat_places);
    sb_instance *contact = &r.model->network.instances[number_of(&r, "k")];
    sb_element_type type = *contact->type;
    sb_structure_hooks structure = *type.structure;
    sb_error err = {0};
    right_contact = contact->type->structure;
    structure.rates.forward = spoilt ? wrong_curve : structure.rates.forward;
    type.structure = &structure;
    contact->type = &type;
    start_by(&r, &r.netlist->options);
    ok(sb_simulation_run(r.sim, 0.8, 0.01, nothing, NULL, &err), &err);
    const double residual = ledger_of(&r)->structure.residual_relative;
    assert_true(spoilt ? residual > 1e-7 : residual < 1e-12);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(structure_names_a_wrong_rate),
                                     repeating_test(what_cancels_is_no_error),
                                     cmocka_unit_test(signals_that_have_stopped),
                                     cmocka_unit_test(rounding_where_it_is_flat_is_no_error),
                                     cmocka_unit_test(what_begins_by_a_difference_is_no_error),
                                     repeating_test(a_wrong_rate_beside_what_cancels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
