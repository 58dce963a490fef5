// SPDX-License-Identifier: GPL-3.0-or-later
// Integrals, filters and delays of signals, and storages, that are zero but for rounding take no steps of their own.
#include <float.h>

#include "tests/fixture.h"

enum { TEXT = 3000 };

/** What reads a signal w, of the unit of a speed and of a current. */
static const char *const readers[] = {
    "",
    "<signal id='y' rate='w'/>",
    "<TransferFunction id='y' of='w' num='1' den='0.01 1'/>",
    "<Delay id='y' of='w' delay='0.0333 s'/>",
    "<TransferFunction id='part' of='w' num='1' den='0.02 1'/><signal id='y' rate='part'/>",
    "<TransferFunction id='part' of='w' num='1' den='0.02 1'/><TransferFunction id='y' of='part' "
    "num='1' "
    "den='0.01 1'/>",
    "<TransferFunction id='y' of='w' num='1' den='1e-4 0.02 1'/>",
    "<TransferFunction id='y' of='w' num='1 0' den='1e-8 4e-6 6e-4 0.04 1'/>",
    "<Delay id='part' of='w' delay='0.0333 s'/><Delay id='y' of='part' delay='0.0777 s'/>",
    "<Delay id='part' of='w' delay='0.0333 s'/><TransferFunction id='y' of='part' num='1' "
    "den='0.01 1'/>"};
enum { READERS = sizeof readers / sizeof *readers };

/** Runs a netlist with each of the readers in it; those take hardly more steps than none. */
static void compare(const char *format, double t_end) {
  long steps = 0;
  for (int k = 0; k < READERS; k++) {
    char text[TEXT];
    sb_error err = {0};
    (void)snprintf(text, sizeof text, format, readers[k]);
    run r = start_netlist(text);
    ok(sb_simulation_run(r.sim, t_end, 0, NULL, NULL, &err), &err);
    const sb_ledger *ledger = ledger_of(&r);
    steps = k == 0 ? ledger->work.steps : steps;
    assert_true(ledger->work.steps <
                3 * steps + 100); // those of a delay end where others begin anew, too
    assert_true(ledger->work.rhs < 60 * ledger->work.steps);
    if (k > 0) {
      assert_near(value(&r, "y"), 0, 1e-11);
    }
    assert_closes(&r);
    stop(&r);
  }
}

/** The speed of an elbow that is locked, held by friction, or by a source, while the shoulder moves. */
static void joints_that_are_held(void **state) {
  (void)state;
  static const char *const holds[] = {
      "<Friction id='f' domain='rotation' coulomb='70 N.m'/><bond from='k' to='f'/>",
      "<Sf id='f' domain='rotation' flow='0 rad/s'/><bond from='f' to='k'/>",
      "<R id='f' domain='rotation' law='70[N.m]*sign(f)'/><bond from='k' to='f'/>"};
  for (int k = 0; k < 3; k++) {
    char text[TEXT];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><run t-end='1 s'/><mechanism gravity='0 -9.81 0 "
        "m/s^2'><body id='A' mass='1 kg' inertia='0.1 0.1 0.1 kg.m^2' com='0 -0.5 0 m'/><body "
        "id='B' mass='1 kg' inertia='0.1 0.1 0.1 kg.m^2' com='0.1 -0.5 0 m'/><joint id='j' "
        "kind='revolute' parent='world' child='A'/><joint id='k' kind='revolute' parent='A' "
        "child='B' at='0 -1 0 m'/></mechanism><network>%s<Se id='m' domain='rotation' "
        "effort='10[N.m/s]*t'/><bond from='m' to='j'/><signal id='w' of='k.w'/>%%s</network>"
        "</screwbond>",
        holds[k]);
    compare(text, 1);
  }
}

/** The height of a ball that slides on a rigid floor. */
static void ball_on_a_floor(void **state) {
  (void)state;
  compare("<screwbond version='1' id='m'><run t-end='1 s'/><laws><contact-law id='l' "
          "normal='rigid' friction='coulomb' mu='0.2'/></laws><mechanism gravity='0 0 -9.81 "
          "m/s^2'><ground id='g'><shape kind='plane' normal='0 0 1'/></ground><body id='b' mass='1 "
          "kg' position='0 0 0.1 m' velocity='1 0.3 0 m/s'><shape kind='sphere' radius='0.1 "
          "m'/></body><contact a='g' b='b' law='l'/></mechanism><network><signal id='w' "
          "of='b.velocity.z'/>%s</network></screwbond>",
          1);
}

/** The difference of two speeds that a gear couples, and the current in the neutral of three balanced phases. */
static void differences_of_a_network(void **state) {
  (void)state;
  compare("<screwbond version='1' id='m'><run t-end='1 s'/><network domain='rotation'><I id='a' "
          "inertia='1.3'/><I id='b' inertia='0.7'/><TF id='g' ratio='0.3'/><J1 id='x'/><J1 "
          "id='z'/><Se id='m' effort='1[N.m]*sin(t/0.1[s])'/><bond from='m' to='x'/><bond from='x' "
          "to='a'/><bond from='x' to='g'/><bond from='g' to='z'/><bond from='z' to='b'/><signal "
          "id='w1' of='a.f'/><signal id='w2' of='b.f'/><signal id='w' "
          "value='0.3*w1 - w2'/>%s</network></screwbond>",
          1);
  compare(
      "<screwbond version='1' id='m'><run t-end='0.1 s'/><network domain='electric'><Se id='ua' "
      "effort='10[V]*sin(2*pi*50[Hz]*t)'/><Se id='ub' "
      "effort='10[V]*sin(2*pi*50[Hz]*t - 2*pi/3)'/><Se id='uc' "
      "effort='10[V]*sin(2*pi*50[Hz]*t + 2*pi/3)'/><J1 id='a'/><J1 id='b'/><J1 id='c'/><I "
      "id='la' l='1 mH'/><I id='lb' l='1 mH'/><I id='lc' l='1 mH'/><R id='ra' r='1'/><R id='rb' "
      "r='1'/><R id='rc' r='1'/><J0 id='n'/><R id='rn' r='0.1'/><bond from='ua' to='a'/><bond "
      "from='ub' to='b'/><bond from='uc' to='c'/><bond from='a' to='la'/><bond from='a' "
      "to='ra'/><bond from='b' to='lb'/><bond from='b' to='rb'/><bond from='c' to='lc'/><bond "
      "from='c' to='rc'/><bond from='a' to='n'/><bond from='b' to='n'/><bond from='c' "
      "to='n'/><bond from='n' to='rn'/><signal id='w' of='rn.f'/>%s</network></screwbond>",
      0.1);
}

/** The detector of a bridge that is balanced, R1/R2 = R3/R4, whatever drives it: alone in its circuit it carries nothing but rounding. */
static void detector_of_a_bridge(void **state) {
  (void)state;
  static const char *const detectors[] = {"<C id='d' c='1 nF'/>", "<C id='d' c='1 uF'/>",
                                          "<C id='d' c='100 uF'/>", "<I id='d' l='1 mH'/>",
                                          "<I id='d' l='10 H'/>"};
  for (size_t k = 0; k < sizeof detectors / sizeof *detectors; k++) {
    char text[TEXT];
    sb_error err = {0};
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><run t-end='0.1 s' max-steps='5000'/><network "
        "domain='electric'><Se id='u' "
        "effort='10[V]*sin(t/10[ms])'/><J0 id='a'/><J0 id='b'/><J0 id='c'/><J1 id='j1'/><J1 "
        "id='j2'/><J1 id='j3'/><R id='r1' r='100'/><R id='r2' r='220'/><R id='r3' r='330'/><R "
        "id='r4' r='726'/>%s<bond from='u' to='a'/><bond from='a' to='j1'/><bond from='j1' "
        "to='r1'/><bond from='j1' to='b'/><bond from='a' to='j2'/><bond from='j2' to='r2'/><bond "
        "from='j2' to='c'/><bond from='b' to='r3'/><bond from='c' to='r4'/><bond from='b' "
        "to='j3'/><bond from='j3' to='d'/><bond from='j3' to='c'/></network></screwbond>",
        detectors[k]);
    run r = start_netlist(text);
    ok(sb_simulation_run(r.sim, 0.1, 0, NULL, NULL, &err), &err);
    assert_true(ledger_of(&r)->work.steps < 2000);
    assert_near(sb_simulation_state(r.sim)[0], 0, 1e-14);
    assert_closes(&r);
    stop(&r);
  }
}

/** A mass of 1 kg with a damper of 1 N.s/m under three forces, 0.3 N, -0.1 N and -0.2 N times sin 5 t, that leave d = 1e-13 N to 1e-9 N, or
 *  their rounding: p' = d sin 5 t - p/s is met to the rounding of 0.6 N in 1 s, and nothing is followed beyond that. */
static void forces_that_balance(void **state) {
  (void)state;
  static const double left[] = {0, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9};
  static const char *const methods[] = {"auto", "kvaerno-5", "fehlberg-8"};
  for (int k = 0; k < 54; k++) {
    char text[TEXT];
    sb_error err = {0};
    const double first = 0.3 + left[k % 6], d = first - 0.3;
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><run t-end='2 s' method='%s' rtol='1e-%d' "
        "max-steps='5000'/><network domain='translation'><J1 id='j'/><I id='m' mass='1'/><R id='r' "
        "r='1'/><bond from='j' to='m'/><bond from='j' to='r'/><Se id='F' "
        "effort='%.17g[N]*sin(5[1/s]*t)'/><Se id='G' effort='-0.1[N]*sin(5[1/s]*t)'/><Se id='H' "
        "effort='-0.2[N]*sin(5[1/s]*t)'/><bond from='F' to='j'/><bond from='G' to='j'/><bond "
        "from='H' to='j'/></network></screwbond>",
        methods[k / 6 % 3], 6 + 2 * (k / 18), first);
    run r = start_netlist(text);
    ok(sb_simulation_run(r.sim, 2, 0, NULL, NULL, &err), &err);
    const double p = d * (sin(10) - 5 * cos(10) + 5 * exp(-2)) / 26;
    assert_near(value(&r, "m.p"), p, 64 * DBL_EPSILON * 0.6 + 1e-5 * fabs(p));
    assert_true(ledger_of(&r)->work.steps < 300);
    assert_closes(&r);
    stop(&r);
  }
}

/** What rests because all that drives it balances: a lever, three phases in series, a joint, an arm whose weight its drives carry, and what reads
 *  a function of the time that is nothing but rounding. */
static void at_rest_by_balance(void **state) {
  (void)state;
  static const struct {
    const char *inside, *zero;
  } rows[] = {
      {"<network domain='rotation'><J1 id='w'/><I id='J' inertia='1'/><R id='b' r='1'/><bond "
       "from='w' to='J'/><bond from='w' to='b'/><Se id='F' domain='translation' "
       "effort='3[N]*sin(5[1/s]*t)'/><TF id='T' ratio='0.1 m/rad'/><bond from='w' to='T'/><J1 "
       "id='t' domain='translation'/><bond from='T' to='t'/><bond from='F' to='t'/><Se id='G' "
       "domain='translation' "
       "effort='-1[N]*sin(5[1/s]*t)'/><TF id='U' "
       "ratio='0.3 m/rad'/><bond from='w' to='U'/><J1 id='u' domain='translation'/><bond from='U' "
       "to='u'/><bond "
       "from='G' to='u'/></network>",
       "J.p"},
      {"<network domain='electric'><J1 id='j'/><Se id='U' effort='325[V]*sin(100*pi*t/1[s])'/><Se "
       "id='V' effort='325[V]*sin(100*pi*t/1[s] - 2*pi/3)'/><Se id='W' "
       "effort='325[V]*sin(100*pi*t/1[s] - 4*pi/3)'/><R id='R' r='10'/><I id='L' l='10 mH'/><bond "
       "from='U' to='j'/><bond from='V' to='j'/><bond from='W' to='j'/><bond from='j' "
       "to='R'/><bond "
       "from='j' to='L'/></network>",
       "L.p"},
      {"<mechanism><body id='b' mass='2' inertia='1 1 1'/><joint id='q' kind='revolute' axis='0 0 "
       "1' "
       "parent='world' child='b'/></mechanism><network><Se id='F' domain='rotation' "
       "effort='0.3[N.m]*sin(5[1/s]*t)'/><bond from='F' to='q'/><Se id='G' domain='rotation' "
       "effort='-0.1[N.m]*sin(5[1/s]*t)'/><bond from='G' to='q'/><Se id='H' domain='rotation' "
       "effort='-0.2[N.m]*sin(5[1/s]*t)'/><bond from='H' to='q'/></network>",
       "q.w"},
      {"<mechanism gravity='0 -9.81 0'><body id='b' mass='2' com='0.3 0 0' inertia='1 1 1'/><joint "
       "id='q' kind='revolute' axis='0 0 1' parent='world' child='b' q0='40 "
       "deg'/></mechanism><network><signal id='a' of='b.velocity.y' by='q'/><Se id='T' "
       "domain='rotation' effort='9.81[m/s^2]*2[kg]*a'/><bond from='T' to='q'/><signal id='qq' "
       "of='q.q'/><signal id='w' of='q.w'/><signal id='e' value='40[deg]-qq'/><signal id='ie' "
       "rate='e'/><Se id='PD' domain='rotation' effort='100[N.m/rad]*e - 10[N.m.s/rad]*w + "
       "20[N.m/rad/s]*ie'/><bond from='PD' to='q'/></network>",
       "q.w"},
      {"<network domain='translation'><I id='m' mass='1' p0='1'/><C id='k' "
       "compliance='1'/><J1 id='j'/><bond from='j' to='m'/><bond from='j' to='k'/><signal id='u' "
       "value='sin(7[1/s]*t)^2 + cos(7[1/s]*t)^2 - 1'/><signal id='y' rate='u'/><TransferFunction "
       "id='f' of='u' num='1' den='1e-4 0.02 1'/><Delay id='d' of='u' delay='10 ms'/></network>",
       "y"}};
  static const char *const methods[] = {"auto", "kvaerno-5"};
  for (size_t k = 0; k < 2 * sizeof rows / sizeof *rows; k++) {
    char text[TEXT];
    sb_error err = {0};
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><run t-end='1 s' method='%s' "
                   "max-steps='5000'/>%s</screwbond>",
                   methods[k % 2], rows[k / 2].inside);
    run r = start_netlist(text);
    ok(sb_simulation_run(r.sim, 1, 0, NULL, NULL, &err), &err);
    assert_near(value(&r, rows[k / 2].zero), 0, 1e-13);
    assert_true(ledger_of(&r)->work.steps < 300);
    assert_closes(&r);
    stop(&r);
  }
}

/** The speed of a ball at right angles to the rigid plane on which a force that changes presses it, and of a joint that one presses against its
 *  limit, or that friction all but holds. */
static void speeds_of_what_is_pressed(void **state) {
  (void)state;
  compare("<screwbond version='1' id='m'><run t-end='0.1 s'/><laws><contact-law id='L' "
          "normal='rigid' restitution='0'/></laws><mechanism gravity='0 0 -9.81'><body id='b' "
          "mass='1' position='0 0 0.1'><shape kind='sphere' radius='0.1'/></body><ground "
          "id='g'><shape kind='plane' normal='0 0 1'/></ground><contact id='c' a='g' b='b' "
          "law='L'/><Wrench id='W' on='b' force-z='9.7[N]*sin(285[1/s]*t + "
          "4)'/></mechanism><network><signal id='w' of='b.velocity.z'/>%s</network></screwbond>",
          0.1);
  compare("<screwbond version='1' id='m'><run t-end='0.1 s'/><mechanism><body id='b' mass='1' "
          "inertia='0.1 0.1 0.1' com='0.1 0 0'/><joint id='q' kind='revolute' axis='0 0 1' "
          "parent='world' child='b' limits='0 3000 deg'/></mechanism><network><Se id='F' "
          "effort='0.99[N.m]*sin(339[1/s]*t) - 1[N.m]'/><bond from='F' to='q'/><signal id='w' "
          "of='q.w'/>%s<Se id='X' domain='electric' effort='sin(400*pi*t/1[s])*1[V]'/><Diode "
          "id='D' domain='electric'/><C id='C' domain='electric' c='1 mF'/><R id='R' "
          "domain='electric' r='10 ohm'/><R id='S' domain='electric' r='1 ohm'/><J1 id='j' "
          "domain='electric'/><J0 id='k' domain='electric'/><bond from='X' to='j'/><bond from='j' "
          "to='D'/><bond from='j' to='S'/><bond from='j' to='k'/><bond from='k' to='C'/><bond "
          "from='k' to='R'/></network></screwbond>",
          0.1);
}

/** A star of three balanced phases whose neutral has a stray capacitance to ground: it is a fast mode that is nothing but rounding of the currents,
 *  325 V/10 ohm each, by all methods and tolerances. */
static void neutral_with_a_capacitance(void **state) {
  (void)state;
  static const char *const capacitances[] = {"10 nF", "1 uF", "10 uF"};
  static const char *const methods[] = {"auto", "kvaerno-5"};
  static const double tolerances[] = {1e-4, 1e-6, 1e-8};
  for (int i = 0; i < 18; i++) {
    char text[1600];
    assert_true(
        snprintf(
            text, sizeof text,
            "<screwbond version='1' id='m'><run t-end='0.1 s' method='%s' rtol='%g'/><network "
            "domain='electric'><Se id='s0' effort='325[V]*sin(2*pi*50[Hz]*t-0*2*pi/3)'/><J1 "
            "id='p0'/><R id='r0' r='10'/><Se id='s1' effort='325[V]*sin(2*pi*50[Hz]*t-1*2*pi/3)'"
            "/><J1 id='p1'/><R id='r1' r='10'/><Se id='s2' "
            "effort='325[V]*sin(2*pi*50[Hz]*t-2*2*pi/3)'/><J1 id='p2'/><R id='r2' r='10'/><J0 "
            "id='n'/><C id='c' c='%s'/><bond from='s0' to='p0'/><bond from='p0' to='r0'/><bond "
            "from='p0' to='n'/><bond from='s1' to='p1'/><bond from='p1' to='r1'/><bond "
            "from='p1' to='n'/><bond from='s2' to='p2'/><bond from='p2' to='r2'/><bond "
            "from='p2' to='n'/><bond from='n' to='c'/></network></screwbond>",
            methods[i / 3 % 2], tolerances[i / 6], capacitances[i % 3]) < (int)sizeof text);
    run r = start_netlist(text);
    advance(&r, 0.0333);
    assert_near(value(&r, "r1.f"), 32.5 * sin(2 * pi * 50 * 0.0333 - 2 * pi / 3), 1e-9);
    assert_near(value(&r, "c.e"), 0, 1e-11);
    assert_true(ledger_of(&r)->work.steps < 600);
    assert_closes(&r);
    stop(&r);
  }
}

#define ROTOR                                                                                      \
  "<screwbond version='1' id='m'><run t-end='20 s' rtol='%s'/><network domain='rotation'>"         \
  "<Se id='M' effort='1[N.m]*pc'/><J1 id='j'/><I id='J' l='1 kg.m^2' p0='2 N.m.s'/>"               \
  "<R id='b' r='0.1'/><bond from='M' to='j'/><bond from='j' to='J'/><bond from='j' to='b'/>"

/** A rotor driven by a PI controller with anti-windup by 1/K, limited to 0 ... 20: above its set point the integrator has the rate e - K e/K, which is
 *  rounding, and stays at zero, w = 2 exp(-t/10). */
static void integrator_at_its_limit(void **state) {
  (void)state;
  static const char *const gains[] = {"20", "30", "7"}, *const inverse[] = {
                                                            "0.05", "0.03333333333333333", "1/7"};
  for (int i = 0; i < 3 * 3; i++) {
    char text[TEXT];
    sb_error err = {0};
    (void)snprintf(
        text, sizeof text,
        ROTOR
        "<signal "
        "id='w' of='J.f'/><signal id='e' value='(1[rad/s] - w)/1[rad/s]'/><signal id='pc' "
        "value='min(max(%s*e + z, 0), 20)'/><signal id='z' rate='2[1/s]*(e - (%s)*(%s*e + z - "
        "pc))' start='0'/></network></screwbond>",
        (const char *[]){"1e-5", "1e-8", "1e-10"}[i / 3], gains[i % 3], inverse[i % 3],
        gains[i % 3]);
    run r = start_netlist(text);
    ok(sb_simulation_run(r.sim, 6, 0, NULL, NULL, &err), &err);
    assert_near(value(&r, "z"), 0, 1e-13);
    assert_near(value(&r, "J.f"), 2 * exp(-0.6), i / 3 == 0 ? 1e-4 : 1e-7);
    ok(sb_simulation_run(r.sim, 20, 0, NULL, NULL, &err), &err);
    assert_true(ledger_of(&r)->work.steps < 1000);
    stop(&r);
  }
}

/** The same where time alone decides on the error, whatever the rotor does: e < 0 throughout, so that the drive is at its limit 0 and the rate of the
 *  integrator the rounding of e - K e/K; w = 2 exp(-t/10). No step is shortened for a pulse of that. */
static void integrator_at_its_limit_in_time(void **state) {
  (void)state;
  static const char *const errors[] = {"0.2*exp(-t/3[s]) - 1", "0.3*sin(1.3[1/s]*t) - 0.9",
                                       "tanh(t/2[s] - 3) - 1.01"};
  static const char *const gains[] = {"20", "30", "3"}, *const inverse[] = {
                                                            "0.05", "0.03333333333333333", "1/3"};
  for (int i = 0; i < 3 * 3 * 3; i++) {
    char text[TEXT];
    sb_error err = {0};
    (void)snprintf(
        text, sizeof text,
        ROTOR
        "<signal "
        "id='e' value='%s'/><signal id='pc' value='min(max(%s*e + z, 0), 20)'/><signal id='z' "
        "rate='2[1/s]*(e - (%s)*(%s*e + z - pc))'/></network></screwbond>",
        (const char *[]){"1e-5", "1e-8", "1e-10"}[i / 9], errors[i / 3 % 3], gains[i % 3],
        inverse[i % 3], gains[i % 3]);
    run r = start_netlist(text);
    ok(sb_simulation_run(r.sim, 20, 0, NULL, NULL, &err), &err);
    assert_near(value(&r, "z"), 0, 1e-13);
    assert_near(value(&r, "J.f"), 2 * exp(-2), i / 9 == 0 ? 1e-4 : 1e-7);
    assert_true(ledger_of(&r)->work.steps < 400);
    stop(&r);
  }
}

/** What a lag or a controller makes of rounding in a long step at rest, in one passage after the other, is not there: it forgets it. No digit is lost by the
 *  resistor behind it. */
static void lags_forget(void **state) {
  (void)state;
  static const char *const controls[] = {
      "<signal id='r' value='if(t &lt; 2[s], 4[V], 1[V])'/>"
      "<signal id='a' rate='max(-6[V/s], min(6[V/s], 40[1/s]*(r - a)))'/>",
      "<signal id='y' of='C.e'/><signal id='e' value='4[V] - y'/><signal id='x' "
      "rate='2[1/s]*e'/><signal id='a' rate='40[1/s]*(3*e + x - a)'/>"};
  for (int i = 0; i < 8; i++) {
    char text[TEXT];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><run t-end='12 s' rtol='1e-%d'/><network "
                   "domain='electric'>%s<Se id='S' effort='a'/><R id='R' r='1 ohm'/>"
                   "<R id='L' r='5 ohm'/><C id='C' c='0.7 F'/><J1 id='j'/><J0 id='n'/>"
                   "<bond from='S' to='j'/><bond from='j' to='R'/><bond from='j' to='n'/>"
                   "<bond from='n' to='C'/><bond from='n' to='L'/></network></screwbond>",
                   8 + i / 2, controls[i % 2]);
    run r = start_netlist(text);
    advance(&r, 12);
    sb_simulation_audit(r.sim);
    for (int k = 0; k < ledger_of(&r)->part_count; k++) {
      assert_null(ledger_of(&r)->parts[k].blurring_element);
    }
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {repeating_test(joints_that_are_held),
                                     repeating_test(ball_on_a_floor),
                                     repeating_test(differences_of_a_network),
                                     cmocka_unit_test(detector_of_a_bridge),
                                     repeating_test(forces_that_balance),
                                     cmocka_unit_test(at_rest_by_balance),
                                     repeating_test(speeds_of_what_is_pressed),
                                     repeating_test(neutral_with_a_capacitance),
                                     repeating_test(integrator_at_its_limit),
                                     repeating_test(integrator_at_its_limit_in_time),
                                     repeating_test(lags_forget)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
