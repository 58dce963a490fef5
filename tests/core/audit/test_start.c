// SPDX-License-Identifier: GPL-3.0-or-later
// The state at the start is audited before the first event: events at time 0 replace the program for the modes at the
// start, whose terms then move nothing, and yet a wrong one is found.
#include "core/model/model_data.h"
#include "tests/fixture.h"

/** Networks whose first event is at time 0. Terms of all elements listed are wrong. */
static const struct {
  const char *text, *at_fault;
} networks[] = {
// a block sticks at once, while the other slides; a push reads the speed of the first
#define BLOCKS(p1, p2)                                                                             \
  "<network domain='translation'><signal id='v' of='m.f'/>"                                        \
  "<I id='m' mass='1.3 kg' p0='" p1 "'/><I id='n' mass='0.9 kg' p0='" p2 "'/>"                     \
  "<Friction id='F' coulomb='0.3 N'/><Friction id='G' coulomb='0.2 N'/>"                           \
  "<Se id='P' effort='0.01[N]*cos(v/1[m/s])'/><J1 id='j'/><J1 id='l'/>"                            \
  "<bond from='P' to='j'/><bond from='j' to='m'/><bond from='j' to='F'/>"                          \
  "<bond from='l' to='n'/><bond from='l' to='G'/></network>"
    {BLOCKS("0.7 N.s", "0 N.s"), " m n v F G "},
    {BLOCKS("0.4 N.s", "-0.4 N.s"), " m n v F G "},
    {BLOCKS("-0.3 N.s", "0.2 N.s"), " m n v F G "},
    // a diode that a voltage closes at once
    {"<network domain='electric'><signal id='u' of='C.e'/><J1 id='j'/><J0 id='n'/><J1 id='k'/>"
     "<C id='B' c='0.7 F' q0='0.9 C'/><Diode id='D'/><R id='Q' r='0.3 ohm'/><J0 id='m'/>"
     "<C id='C' c='0.3 F' q0='0.2 C'/><R id='R' r='1.7 ohm'/>"
     "<Se id='U' effort='0.1[V]*tanh(u/1[V])'/>"
     "<bond from='m' to='B'/><bond from='m' to='j' /><bond from='j' to='D'/><bond from='j' to='Q'/>"
     "<bond from='U' to='k'/><bond from='k' to='R'/><bond from='n' to='k'/>"
     "<bond from='j' to='n'/><bond from='n' to='C'/></network>",
     " u B D Q C R U "},
    // a mass that flies into its stop at time 0 and is pressed to it: a plastic impact
    {"<network domain='translation'><signal id='x' of='k.q'/><J1 id='j'/><J1 id='l'/><J0 id='n'/>"
     "<Stop id='S' upper='0 m'/><I id='m' mass='1.3 kg' p0='0.7 N.s'/><C id='k' c='0.4 m/N' "
     "q0='0.1 m'/>"
     "<I id='o' mass='0.8 kg' p0='0.5 N.s'/>"
     "<Se id='U' effort='0.3[N]*cos(x/1[m])'/><bond from='U' to='j'/><bond from='j' to='m'/>"
     "<bond from='j' to='S'/><bond from='j' to='n'/><bond from='n' to='k'/><bond from='l' to='n'/>"
     "<bond from='l' to='o'/></network>",
     " x S m k o U "},
    // a switch that opens at time 0
    {"<network domain='electric'><signal id='i' of='R.f'/><J1 id='j'/><J1 id='k'/><J0 id='n'/>"
     "<C id='C' c='0.3 F' q0='0.2 C'/><Switch id='S' state='closed' times='0 s'/>"
     "<R id='R' r='1.7 ohm'/><R id='Q' r='0.9 ohm'/><Se id='U' effort='0.4[V]*cos(i/1[A])'/>"
     "<bond from='U' to='k'/><bond from='k' to='Q'/><bond from='k' to='n'/><bond from='n' to='C'/>"
     "<bond from='n' to='j'/><bond from='j' to='S'/><bond from='j' to='R'/></network>",
     " i C S R Q U "},
};

static int nothing(void *context, const sb_simulation *sim, double t) {
  (void)context, (void)sim, (void)t;
  return 0;
}

/** With the terms of the program for the modes at the start off by a factor 1 + lie. */
static run run_with(const char *text, double lie) {
  run r = prepare_inside(text);
  sb_error err = {0};
  assert_true(r.model->program->term_count > 0);
  for (int k = 0; k < r.model->program->term_count; k++) {
    r.model->program->factor[k] *= 1 + lie;
  }
  start_by(&r, &r.netlist->options);
  ok(sb_simulation_run(r.sim, 0.01, 0.01, nothing, NULL, &err), &err);
  return r;
}

static void structure_names_a_term_of_the_start(void **state) {
  const double lie = 1e-4;
  (void)state;
  for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
    run right = run_with(networks[i].text, 0), wrong = run_with(networks[i].text, lie);
    char named[80];
    assert_near(ledger_of(&right)->structure.residual_relative, 0, 1e-14);
    assert_near(ledger_of(&wrong)->structure.residual_relative, lie, 0.2 * lie);
    (void)snprintf(named, sizeof named, " %s ", ledger_of(&wrong)->structure.worst);
    assert_non_null(strstr(networks[i].at_fault, named));
    for (int k = 0; k < sb_model_state_count(right.model); k++) {
      assert_near_relative(sb_simulation_state(wrong.sim)[k], sb_simulation_state(right.sim)[k],
                           1e-12);
    }
    stop(&wrong);
    stop(&right);
  }
}

/** A shaft that a source turns a little faster than it is said to start: sizes are not known yet when the impact of the start is
 *  audited. It loses dH = J (dw)^2/2 with both shafts, w2 = w1 cos 40 deg at this angle. */
static void rates_that_hardly_disagree(void **state) {
  static const double off[] = {0.1, 2.5e-4, 1e-6, 1e-9};
  (void)state;
  for (int i = 0; i < 4; i++) {
    char text[1200];
    (void)snprintf(text, sizeof text,
                   "<mechanism><body id='a' mass='1 kg' inertia='0.01 0.01 0.01 kg.m^2'/>"
                   "<body id='b' mass='1 kg' inertia='0.02 0.02 0.02 kg.m^2'/>"
                   "<joint id='in' kind='revolute' axis='1 0 0' parent='world' child='a' "
                   "w0='10 rad/s'/><joint id='out' kind='revolute' parent='world' child='b' "
                   "axis='0.7660444431189780 0.6427876096865394 0' rotation='40 deg about 0 0 1'/>"
                   "<joint id='cross' kind='universal' axis='0 0 1' axis2='0 1 0' parent='a' "
                   "child='b'/></mechanism><network domain='rotation'><Sf id='motor' "
                   "flow='%.17g rad/s'/><bond from='motor' to='in'/></network>",
                   10 + off[i]);
    run r = start(text, 1e-10, 0);
    advance(&r, 0.1);
    const double inertia = 0.01 + 0.02 * pow(cos(40 * SB_PI / 180), 2);
    assert_near(ledger_of(&r)->total.event_loss, inertia * off[i] * off[i] / 2, 1e-13);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A mass that stops and ratios hold at rest is brought there by an impact, all of its 2 J but for 1e-15 of its velocity, and sticks by friction at
 *  once or after 1e-15 s, in which that friction may act the way it moves: 2e-14 W are rounding. */
static void friction_beside_a_rest_of_an_impact(void **state) {
  (void)state;
  run r = start("<network domain='translation'><J1 id='v0'/><I id='m0' mass='1' p0='2'/>"
                "<bond from='v0' to='m0'/><J1 id='v1'/><J1 id='v2'/><J0 id='j0'/>"
                "<TF id='a' ratio='-1'/><bond from='v2' to='a.from'/><bond from='a.to' to='j0'/>"
                "<Stop id='s0' lower='0 m' x0='0 m'/><bond from='j0' to='s0'/><J0 id='j1'/>"
                "<TF id='b' ratio='-1'/><bond from='v2' to='b.from'/><bond from='b.to' to='j1'/>"
                "<TF id='c' ratio='-0.5'/><bond from='v1' to='c.from'/><bond from='c.to' to='j1'/>"
                "<TF id='d' ratio='-1'/><bond from='v0' to='d.from'/><bond from='d.to' to='j1'/>"
                "<Friction id='mu' coulomb='3 N'/><bond from='v0' to='mu'/><J0 id='jo'/>"
                "<TF id='f' ratio='1.5'/><bond from='v1' to='f.from'/><bond from='f.to' to='jo'/>"
                "<TF id='g' ratio='3'/><bond from='v2' to='g.from'/><bond from='g.to' to='jo'/>"
                "<Stop id='so' lower='0 m'/><bond from='jo' to='so'/></network>",
                1e-8, 0);
  advance(&r, 1);
  assert_near(value(&r, "m0.f"), 0, 1e-13);
  assert_near(ledger_of(&r)->total.event_loss, 2, 1e-12);
  assert_int_equal(ledger_of(&r)->passivity.violations, 0);
  assert_balanced(&r);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(structure_names_a_term_of_the_start),
                                     cmocka_unit_test(rates_that_hardly_disagree),
                                     cmocka_unit_test(friction_beside_a_rest_of_an_impact)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
