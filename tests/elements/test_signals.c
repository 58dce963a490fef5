// SPDX-License-Identifier: GPL-3.0-or-later
// Signals, controlled sources and modulated structures against closed forms.
#include "tests/fixture.h"

#include <gsl/gsl_sf_ellint.h>
#include <gsl/gsl_sf_elljac.h>

/** A wheel that drives a spring by a crank, J th'' = -k r^2 sin th cos th: with 2 th for the angle, a
 *  pendulum of w^2 = k r^2/J. Started at th = 0 with the speed 2 w sin(a/2) of 2 th, its solution is
 *  sin(th) = m sn(w t, m) with m = sin(a/2). */
static void crank(void **state) {
  (void)state;
  const double J = 0.3, k = 385, r = 0.11, w = sqrt(k * r * r / J), m = sin(0.5 * 2.3), t = 2.385;
  char text[1500];
  (void)snprintf(text, sizeof text,
                 "<network domain='rotation'><I id='wheel' inertia='0.3 kg.m^2' p0='%.17g N.m.s'/>"
                 "<C id='angle' energy='0[J/rad]*q'/>" // a storage without energy: the angle
                 "<J1 id='shaft'/><MTF id='crank' ratio='0.11[m]*cos(th)'/>"
                 "<C id='spring' domain='translation' c='%.17g m/N'/><signal id='th' of='angle.q'/>"
                 "<bond from='shaft' to='wheel'/><bond from='shaft' to='angle'/>"
                 "<bond from='shaft' to='crank'/><bond from='crank' to='spring'/></network>",
                 J * w * m, 1 / k);
  run net = go(text, t);
  double sn, cn, dn;
  (void)gsl_sf_elljac_e(w * t, m * m, &sn, &cn, &dn);
  assert_near(sin(value(&net, "th")), m * sn, 1e-8);
  assert_near(value(&net, "spring.q"), r * m * sn, 1e-8);
  assert_near(value(&net, "wheel.f"), w * m * cn, 1e-7);
  assert_near(value(&net, "crank.ratio"), r * dn, 1e-8);
  assert_near(ledger_of(&net)->total.stored_end, 0.5 * J * w * w * m * m, 1e-8);
  stop(&net);
}

/** The free symmetric top as three inertias and the three gyrators of Euler's equations, modulated by
 *  the momenta: h1 and h2 turn at (J3 - J1)/(J1 J3) h3. */
static void euler_junction_structure(void **state) {
  (void)state;
  run net = go("<network domain='rotation'><I id='x' inertia='0.2 kg.m^2' p0='0.7 N.m.s'/>"
               "<I id='y' inertia='0.2 kg.m^2' p0='0.1 N.m.s'/>"
               "<I id='z' inertia='0.5 kg.m^2' p0='1.3 N.m.s'/><signal id='hx' of='x.p'/>"
               "<signal id='hy' of='y.p'/><signal id='hz' of='z.p'/><J1 id='jx'/><J1 id='jy'/>"
               "<J1 id='jz'/><MGY id='gxy' ratio='hz'/><MGY id='gyz' ratio='hx'/>"
               "<MGY id='gzx' ratio='hy'/><bond from='jx' to='x'/><bond from='jy' to='y'/>"
               "<bond from='jz' to='z'/><bond from='jx' to='gxy'/><bond from='gxy' to='jy'/>"
               "<bond from='jy' to='gyz'/><bond from='gyz' to='jz'/><bond from='jz' to='gzx'/>"
               "<bond from='gzx' to='jx'/></network>",
               7);
  const double turn = (1 / 0.2 - 1 / 0.5) * 1.3 * 7; // dhx/dt = hy hz (1/Jz - 1/Jy)
  assert_near(value(&net, "hz"), 1.3, 1e-9);
  assert_near(value(&net, "hx"), 0.7 * cos(turn) - 0.1 * sin(turn), 1e-7);
  assert_near(value(&net, "hy"), 0.1 * cos(turn) + 0.7 * sin(turn), 1e-7);
  stop(&net);
}

/** A PI controller holds the speed of J w' = u - d w: with u = kp (r - w) + ki (integral of r - w) the
 *  error obeys J e'' + (d + kp) e' + ki e = 0, e(0) = r, e'(0) = -kp r/J. */
static void pi_control(void **state) {
  (void)state;
  const double J = 0.5, d = 0.2, kp = 1.3, ki = 4.1, r = 3, t = 1.7;
  const double s = (d + kp) / (2 * J), w = sqrt(ki / J - s * s);
  run net = go(
      "<parameters><param id='kp' value='1.3 N.m.s'/><param id='ki' value='4.1 N.m'/>"
      "</parameters><network domain='rotation'><signal id='u' value='kp*error + ki*sum'/>" // the order does not matter
      "<signal id='sum' rate='error' start='0 rad'/>"
      "<signal id='error' value='3[rad/s] - speed'/><signal id='speed' of='rotor.f'/>"
      "<Se id='drive' effort='u'/><I id='rotor' inertia='0.5 kg.m^2'/>"
      "<R id='drag' r='0.2 N.m.s'/><J1 id='shaft'/><bond from='drive' to='shaft'/>"
      "<bond from='shaft' to='rotor'/><bond from='shaft' to='drag'/></network>",
      t);
  double b = (-kp * r / J + s * r) / w, e = exp(-s * t) * (r * cos(w * t) + b * sin(w * t));
  assert_near(value(&net, "error"), e, 1e-9);
  assert_near(value(&net, "rotor.f"), r - e, 1e-9);
  stop(&net);
}

/** An operational amplifier, u = -A v: v follows from u by the divider, a loop through a signal. The
 *  node obeys (s - v)/R1 + (u - v)/R2 = 0. */
static void amplifier(void **state) {
  (void)state;
  const double A = 2385, R1 = 1.2e3, R2 = 5.6e3, s = 370;
  run net = go("<network domain='electric'><Se id='in' effort='370 V'/><signal id='v' of='node.e'/>"
               "<Se id='out' effort='-2385*v'/><R id='R1' r='1.2 kohm'/><R id='R2' r='5.6 kohm'/>"
               "<J1 id='a'/><J1 id='b'/><J0 id='node'/><C id='load' c='1 uF'/><J0 id='o'/>"
               "<R id='R3' r='1 kohm'/><J1 id='c'/><bond from='in' to='a'/><bond from='a' to='R1'/>"
               "<bond from='a' to='node'/><bond from='node' to='b'/><bond from='b' to='R2'/>"
               "<bond from='b' to='o'/><bond from='out' to='o'/><bond from='o' to='c'/>"
               "<bond from='c' to='R3'/><bond from='c' to='load'/></network>",
               2e-3);
  double v = s / R1 / (1 / R1 + (1 + A) / R2), u = -A * v;
  assert_near(value(&net, "out.e"), u, 1e-7);
  assert_near(value(&net, "load.e"), u * (1 - exp(-2)), 1e-5);
  stop(&net);
}

/** A source that gives what the resistor behind it shows: any voltage would do, and so none is chosen. */
static void gain_of_one(void **state) {
  (void)state;
  static const char text[] =
      "<screwbond version='1' id='m'><network domain='electric'><signal id='u' of='r.e'/>"
      "<Se id='s' effort='u'/><R id='r' r='3 ohm'/><bond from='s' to='r'/></network>"
      "<run t-end='1 s'/></screwbond>";
  sb_error err;
  double t;
  assert_int_equal(try_run(text, 1, &t, &err), SB_ERR_UNSOLVED);
  assert_string_equal(err.text,
                      "the algebraic loop of 'u', 's' has infinitely many solutions at t = 0 s");
}

/** A transformer whose ratio follows the time, between resistors on both sides: R2 is seen as n^2 R2
 *  by the source. Neither side has a storage that would decide on causality. */
static void transformer_between_resistors(void **state) {
  (void)state;
  run net = go("<network domain='electric'><Se id='s' effort='12 V'/>"
               "<signal id='n' value='0.5 + 0.2*sin(3[1/s]*t)'/><MTF id='T' ratio='n'/>"
               "<R id='R1' r='3 ohm'/><R id='R2' r='7 ohm'/><I id='L' l='1 H'/><J0 id='tap'/>"
               "<J1 id='a'/><bond from='s' to='a'/><bond from='a' to='R1'/>"
               "<bond from='a' to='T'/><bond from='T' to='tap'/><bond from='tap' to='R2'/>"
               "<bond from='tap' to='L'/></network>",
               1e-9);
  // At the start no current flows in the coil: i = 12 V/(3 + n^2 7) ohm; the flow behind is n i.
  assert_near(value(&net, "R1.f"), 12 / (3 + 0.25 * 7), 1e-7);
  assert_near(value(&net, "R2.e"), 7 * 0.5 * 12 / (3 + 0.25 * 7), 1e-7);
  stop(&net);
}

/** The other causality: a source of effort fixes e_from, and a resistor right behind the transformer
 *  or gyrator leaves it no flow to read. */
static void effort_is_assigned(void **state) {
  (void)state;
  run net = go("<network><Se id='s' domain='electric' effort='12 V'/>"
               "<Se id='s2' domain='electric' effort='12 V'/><signal id='n' value='0.5'/>"
               "<signal id='r' value='0.4[V.s]'/><MTF id='T' ratio='n'/><MGY id='G' ratio='r'/>"
               "<R id='R1' domain='electric' r='3 ohm'/><R id='R2' domain='rotation' r='7 N.m.s'/>"
               "<bond from='s' to='T'/><bond from='T' to='R1'/><bond from='s2' to='G'/>"
               "<bond from='G' to='R2'/><C id='x' domain='electric' c='1 F'/>"
               "<Sf id='i' domain='electric' flow='1 A'/><bond from='i' to='x'/></network>",
               0.1);
  assert_near(value(&net, "R1.e"), 24, 1e-12); // e_from = n e_to
  assert_near(value(&net, "s.f"), 16, 1e-9);   // f_to = n f_from
  assert_near(value(&net, "R2.f"), 30, 1e-12); // e_from = r f_to
  assert_near(value(&net, "s2.f"), 7 * 30 / 0.4, 1e-9);
  stop(&net);
}

/** A heated resistor r = r0 (1 + a T): T follows a signal that rises with the time. */
static void modulated_resistor(void **state) {
  (void)state;
  run net = go("<network domain='electric'><C id='C1' c='1 F' q0='2 C'/>"
               "<signal id='T' rate='3[K/s]' start='10 K'/>"
               "<R id='R1' law='2[ohm]*(1 + 0.1[1/K]*T)*f'/><bond from='C1' to='R1'/></network>",
               4);
  // du/dt = -u/(2 (2 + 0.3 t)): u = 2 ((2 + 0.3 t)/2)^(-1/0.6)
  assert_near(value(&net, "C1.e"), 2 * pow((2 + 0.3 * 4) / 2, -1 / 0.6), 1e-9);
  stop(&net);
}

/** Branches that no one foresees are those of the moment: half waves of a sine, and a clamp of a signal and
 *  the time. The integral of max(0, sin w t) over 5/4 periods is 3/w, and that of sign(sin w t) is 1/4. */
static void branches_of_the_moment(void **state) {
  (void)state;
  const double w = 6.5, t = 1.25 * 2 * acos(-1) / w;
  run net = go("<network domain='electric'><Se id='s' effort='1[V]*max(0, sin(6.5*t/1[s]))'/>"
               "<signal id='u' of='s.e'/><signal id='half' rate='u'/>"
               "<signal id='side' rate='if(sin(6.5*t/1[s]) &lt; 0, -1[V], 1[V])'/>"
               "<signal id='most' value='min(u, 0.1[V/s]*t)'/><R id='r' r='3'/>"
               "<bond from='s' to='r'/></network>",
               t);
  assert_near(value(&net, "half"), 3 / w, 1e-8);
  assert_near(value(&net, "side"), t / 5, 1e-7);
  assert_near(value(&net, "u"), 1, 1e-12);
  assert_near(value(&net, "most"), t / 10, 1e-12);
  stop(&net);
}

/** The run of a network fails; its words. @param method  the value of its attribute, in quotes */
static void check_end(const char *inside, const char *method, const char *words) {
  char text[2000];
  sb_error err;
  double t;
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><network domain='electric'>%s</network>"
                 "<run t-end='2 s' method=%s/></screwbond>",
                 inside, method);
  assert_int_equal(try_run(text, 2, &t, &err), SB_ERR_NOT_FINITE);
  assert_contains(err.text, words);
  assert_string_equal(err.hint, "where the network gives the flow of 'T.from', as an I there does, "
                                "it multiplies");
}

/** A transducer that divides by its ratio cannot pass through zero: the error names it, before the
 *  steps of a network that it makes ever faster crawl. */
static void ratio_goes_to_zero(void **state) {
  (void)state;
  static const char *const before = "<signal id='time' value='t'/><Se id='S' effort='1 V'/>";
  char text[1500];
  (void)snprintf(text, sizeof text,
                 "%s<MTF id='T' ratio='1 - time/1[s]'/><R id='R' r='1 ohm'/>"
                 "<bond from='S' to='T'/><bond from='T' to='R'/>",
                 before);
  check_end(text, "'dormand-prince-5'", "e-07 at t = 0.99999");
  check_end(text, "'implicit-midpoint' step='1 ms'", "at t = 1 s, too small beside the 0.99");
  check_end(text, "'discrete-gradient' step='1 ms'", "at t = 1 s, too small beside the 0.99");
  (void)snprintf(text, sizeof text,
                 "%s<MGY id='T' ratio='2[ohm/s]*time'/><R id='R' r='1 ohm'/>"
                 "<bond from='S' to='T'/><bond from='T' to='R'/>",
                 before);
  check_end(text, "'dormand-prince-5'", "the ratio of 'T' is 0 at t = 0 s, and 'T' divides by it");
  (void)snprintf(text, sizeof text, // a pulse, behind which the ratio is what it was before
                 "%s<MTF id='T' ratio='1 + 1e7*exp(-((time - 1[s])/0.1[s])^2)'/>"
                 "<R id='R' r='1 ohm'/><bond from='S' to='T'/><bond from='T' to='R'/>",
                 before);
  check_end(text, "'dormand-prince-5'", " that it has been, and 'T' divides by it");
  (void)snprintf(text, sizeof text, // stiffer with the square of the ratio
                 "%s<J1 id='a'/><R id='R' r='1 ohm'/><MTF id='T' ratio='1 - time/1[s]'/>"
                 "<I id='L' l='1000 H'/><bond from='S' to='a'/><bond from='a' to='R'/>"
                 "<bond from='a' to='T'/><bond from='T' to='L'/>",
                 before);
  check_end(text, "'dormand-prince-5'", "e-07 at t = 0.99999");
}

/** Whatever the bonds' directions, a signal has what an output of the same name shows: at structures the flow along the half arrow. */
static void signals_have_what_outputs_show(void **state) {
  static const char *const names[] = {"h.f",     "r.f",   "tf.from.f", "tf.to.f", "gy.from.f",
                                      "gy.to.f", "out.f", "R.f",       "J.f",     "tf.from.e",
                                      "gy.to.e", "R.e",   "J.p"};
  static const double values[] = {0.5, 0.5, 0.5, 1, 1};
  char text[3000], name[20];
  (void)state;
  int used = snprintf(
      text, sizeof text,
      "<network domain='rotation'><Sf id='h' flow='0.5 rad/s'/><J1 id='r'/><R id='R' r='1 N.m.s'/>"
      "<TF id='tf' ratio='2'/><GY id='gy' ratio='3'/><J1 id='out'/>"
      "<I id='J' inertia='0.7 kg.m^2' p0='1.3 N.m.s'/><R id='S' r='3 N.m.s'/>"
      "<bond from='h' to='r'/><bond from='r' to='R'/><bond from='r' to='tf'/><bond from='tf' "
      "to='gy'/>"
      "<bond from='gy' to='out'/><bond from='out' to='J'/><bond from='out' to='S'/>");
  for (int i = 0; i < 13; i++) {
    used += snprintf(text + used, sizeof text - (size_t)used, "<signal id='s%d' of='%s'/>", i,
                     names[i]);
  }
  (void)snprintf(text + used, sizeof text - (size_t)used, "</network>");
  run r = start(text, 1e-9, 1e-12);
  advance(&r, 0.3);
  for (int i = 0; i < 13; i++) {
    (void)snprintf(name, sizeof name, "s%d.value", i);
    assert_near(value(&r, name), value(&r, names[i]), 1e-14);
    if (i < 5) {
      assert_near(value(&r, name), values[i], 1e-14);
    }
  }
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(crank),
      cmocka_unit_test(euler_junction_structure),
      cmocka_unit_test(pi_control),
      cmocka_unit_test(amplifier),
      cmocka_unit_test(gain_of_one),
      cmocka_unit_test(transformer_between_resistors),
      cmocka_unit_test(effort_is_assigned),
      cmocka_unit_test(modulated_resistor),
      cmocka_unit_test(branches_of_the_moment),
      cmocka_unit_test(ratio_goes_to_zero),
      cmocka_unit_test(signals_have_what_outputs_show),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
