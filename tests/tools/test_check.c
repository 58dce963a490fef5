// SPDX-License-Identifier: GPL-3.0-or-later
// What run refuses before its first step, check refuses with the same words and the same exit code; and it
// warns of what is surely not meant.
#include "tests/command.h"

#define HEAD "<screwbond version='1' id='m'>"
#define ELECTRIC HEAD "<network domain='electric'>"
#define TAIL "</network><run t-end='1 s'/></screwbond>"
#define REFUSING "</network><run t-end='1 s' inconsistent='refuse'/></screwbond>"
/** A node with some elements. */
#define AT(elements, bonds) ELECTRIC "<J0 id='n'/>" elements bonds TAIL
#define TO(id) "<bond from='n' to='" id "'/>"
#define FROM(id) "<bond from='" id "' to='n'/>"

static const struct {
  const char *text;
  int code;
  const char *words;
} rows[] = {
    // of the network
    {AT("<Se id='A' effort='1 V'/><Se id='B' effort='2 V'/>", FROM("A") FROM("B")), 2, "SB0403"},
    {AT("<Sf id='A' flow='1 A'/><Sf id='B' flow='2 A'/>", FROM("A") FROM("B")), 2, "SB0403"},
    // the rate of a signal with direct feedthrough of the flow that it determines, y = (s + 1)/(s + 2) i
    {AT("<signal id='i' of='C.f'/><TransferFunction id='y' of='i' num='1 1' den='1 2' gain='1 "
        "V/A'/>"
        "<Se id='S' effort='5[V]*cos(t/1[s]) - 2*y'/><C id='C' c='1 F'/><R id='R' r='3 ohm'/>",
        FROM("S") TO("C") TO("R")),
     2, "that of what 'i' gives is not known"},
    {AT("<Se id='A' effort='1 V'/><Switch id='S' state='closed' times='1 s'/>", FROM("A") TO("S")),
     2, "SB04"},
    {ELECTRIC TAIL, 2, "SB0203"},
    {HEAD "<run t-end='1 s'/></screwbond>", 2,
     "m.xml:1:1: error[SB0203]: the model 'm' has nothing to simulate"},
    {"<!-- nothing -->\n  " HEAD "<network domain='electric'/><run t-end='1 s'/></screwbond>", 2,
     "m.xml:2:3: error[SB0203]: the model 'm' has nothing to simulate"},
    {"\n" HEAD "<network domain='electric'><signal id='s' value='2[V]'/></network><run t-end='1 "
     "s'/></screwbond>",
     2, "m.xml:2:1: error[SB0203]: the model 'm' has nothing to simulate"},
    {AT("<R id='R1' r='-1 ohm'/><C id='C1' c='1 F'/>", TO("R1") TO("C1")), 2,
     "R 'R1': r must not be negative"},
    // an element with the name of its parameter
    {AT("<R id='r' r='-1 ohm'/><C id='C1' c='1 F'/>", TO("r") TO("C1")), 2,
     "R 'r': r must not be negative"},
    {AT("<R id='R1' r='1 ohm'/><C id='c' c='0 F'/>", TO("R1") TO("c")), 2,
     "C 'c': c must be positive"},
    // a second joint of one body, 1 m from where the first holds it
    {HEAD "<mechanism><body id='arm' mass='1 kg' inertia='1 1 1 kg.m^2'/><joint id='a' "
          "kind='fixed' parent='world' child='arm'/><joint id='b' kind='revolute' parent='world' "
          "child='arm' at='1 0 0 m'/></mechanism><run t-end='1 s'/></screwbond>",
     2, "the joint 'a' carries 'arm' already, so that 'b' closes a loop"},
    // of the start
    {ELECTRIC "<J0 id='n'/><C id='C1' c='1 F' q0='1 C'/><C id='C2' c='2 F' q0='3 C'/>" TO("C1")
         TO("C2") REFUSING,
     2, "the initial values contradict each other: "},
    {ELECTRIC "<J0 id='n'/><Se id='A' effort='1 V'/><C id='C1' c='1 F' q0='3 C'/>" FROM("A")
         TO("C1") REFUSING,
     2, "the initial values contradict each other: "},
    {AT("<C id='C1' c='1e-300 F' q0='1 C'/><R id='R1' r='1e-30 ohm'/>", TO("C1") TO("R1")), 2,
     "C 'C1': c must be from 1e-100 to 1e+100 in SI units, not 1e-300"},
    {AT("<C id='C1' c='1e-90 F' q0='1e80 C'/><R id='R1' r='1e-90 ohm'/>", TO("C1") TO("R1")), 3,
     "'C1' gives 1e+170 in SI units at t = 0 s, and no power of that size is a number"},
    {AT("<C id='C1' energy='q^2/2e-300[F]' q0='3 C'/><R id='R1' r='1 ohm'/>", TO("C1") TO("R1")), 3,
     "'C1' gives 3e+300 in SI units at t = 0 s, and no power of that size is a number"},
    {ELECTRIC "<C id='C1' c='1e-90 F' q0='1e100 C'/><I id='L' l='1e-90 H' p0='1 Wb'/><R id='R1' "
              "r='1e-90 ohm'/><J0 id='n'/><bond from='n' to='C1'/><bond from='n' to='R1'/>"
              "<bond from='n' to='L'/>" TAIL,
     3, "'C1' gives 1e+190 in SI units at t = 0 s, and no power of that size is a number"},
    // 3 N on what two ratios, 2 and 2 + sin t, let move at t = 0 alone
    {HEAD "<network domain='translation'><signal id='time' value='t'/><Se id='g' effort='3 N'/>"
          "<J1 id='y'/><I id='my' mass='1.3 kg'/><TF id='tf' ratio='2'/>"
          "<MTF id='mtf' ratio='2+sin(time/1[s])'/><J1 id='z'/><R id='r' r='0.7 N.s/m'/>"
          "<bond from='g' to='y'/><bond from='y' to='my'/><bond from='y' to='tf'/>"
          "<bond from='y' to='mtf'/><bond from='tf' to='z'/><bond from='mtf' to='z'/>"
          "<bond from='z' to='r'/></network><run t-end='5 s'/></screwbond>",
     3, "'z': at t = 0 s the constraint there holds nothing, as its ratios are zero or cancel"},
    // of loops: a law that no voltage gives 1 A, and u = u^2 + 1
    {AT("<Sf id='A' flow='1 A'/><R id='R1' law='1[A]*tanh(e/1[V])/2'/>", FROM("A") TO("R1")), 2,
     "SB0404"},
    {AT("<signal id='u' of='R1.e'/><Sf id='A' flow='1[A]*((u/1[V])^2 + 1)'/>"
        "<R id='R1' r='1 ohm'/>",
        FROM("A") TO("R1")),
     3, "SB0506"},
    {AT("<signal id='u' of='C1.e'/><Hysteresis id='h' of='sqrt(1 - u/1[V])' rising='1' "
        "falling='0'/>"
        "<C id='C1' c='1 F' q0='2 C'/><R id='R1' r='1 ohm'/>",
        TO("C1") TO("R1")),
     3, "'h' gives no finite number at t = 0 s"},
    // of the first audit, and of what is expected at the start
    {AT("<signal id='s' value='t'/><C id='C1' c='1 F' q0='1 C'/>"
        "<R id='R1' law='(s/1[s] - 0.5)*1[S]*e'/>",
        TO("C1") TO("R1")),
     4, "m.xml:1:125: error[SB0505]: R1 is no dissipation: it absorbed -0.5 W at t = 0 s"},
    {ELECTRIC "<J0 id='n'/><C id='C1' c='1 F' q0='1 C'/><R id='R1' r='1 ohm'/>" TO("C1")
         TO("R1") "</network><run t-end='1 s'/><expect of='C1.e' at='0 s' value='2 V' abs-tol='0.1 "
                  "V'/></screwbond>",
     4, "C1.e at 0 s: expected 2 within 0.1, actual 1"},
    // of what is asked for
    {HEAD "<network domain='electric'><Se id='A' effort='1 V'/><R id='R1' r='1 ohm'/>"
          "<bond from='A' to='R1'/></network><run t-end='1 s'/><output of='R1.q'/></screwbond>",
     2, "SB0205"},
    {HEAD "<network domain='electric'><Se id='A' effort='1 V'/><R id='R1' r='1 ohm'/>"
          "<bond from='A' to='R1'/></network><run t-end='1 s'/>"
          "<expect of='R1.e' at='2 s' value='1 V' abs-tol='1 V'/></screwbond>",
     2, "SB0304"},
    {HEAD "<network domain='electric'><Se id='A' effort='1 V'/><R id='R1' r='1 ohm'/>"
          "<bond from='A' to='R1'/></network><run t-end='1 s' sample='1e-300 s'/></screwbond>",
     2, "SB0304"},
    {HEAD "<network domain='electric'><C id='C1' c='1 F'/><R id='R1' r='1 ohm'/>"
          "<J0 id='n'/>" TO("C1")
              TO("R1") "</network>"
                       "<run t-end='1 s' method='implicit-midpoint'/></screwbond>",
     2, "needs the attribute 'step'"},
    {HEAD "<network domain='electric'><C id='C1' c='1 F'/><R id='R1' r='1 ohm'/>"
          "<J0 id='n'/>" TO("C1") TO("R1") "</network><run t-end='1 s' rtol='2'/></screwbond>",
     2, "error[SB0304]: rtol must be below 1, not 2"},
    {HEAD "<network domain='electric'><C id='C1' c='1 F'/><R id='R1' r='1 ohm'/>"
          "<J0 id='n'/>" TO("C1")
              TO("R1") "<signal id='u' value='1 - y'/><TransferFunction id='y' "
                       "of='u' num='1 2' den='1 1'/></network><run t-end='1 s'/></screwbond>",
     2, "a <TransferFunction> with fewer coefficients in num than in den"},
};

static void refusals_are_foreseen(void **state) {
  workplace *w = *state;
  int wrong = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    write_file(w->folder, "m.xml", rows[i].text);
    int ran = run_command(w, "run m.xml");
    char *words = strdup(w->err);
    int check = run_command(w, "check m.xml");
    if (ran != rows[i].code || check != ran || strcmp(words, w->err) != 0) {
      print_error("%s\nrun: %d\n%s\ncheck: %d\n%s\n", rows[i].text, ran, words, check, w->err);
      wrong++;
    } else {
      assert_contains(words, rows[i].words);
    }
    free(words);
  }
  assert_int_equal(wrong, 0);
}

/** What fails in the run has the place of its element. */
static void failures_in_the_run_have_places(void **state) {
  workplace *w = *state;
  static const char *const efforts[] = {"sqrt(-t/1[s])*1[V]", "1[V]*log(0.2 - t/1[s])",
                                        "1[V]*asin(3*t/1[s])"};
  for (size_t i = 0; i < sizeof efforts / sizeof *efforts; i++) {
    char text[500];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><network domain='electric'>\n"
        "<Se id='V' effort='%s'/><R id='R1' r='1 ohm'/><C id='C1' c='1 F'/><J1 id='n'/>"
        "<bond from='V' to='n'/><bond from='n' to='R1'/><bond from='n' to='C1'/></network>"
        "<run t-end='1 s'/></screwbond>",
        efforts[i]);
    write_file(w->folder, "m.xml", text);
    expect_code(w, "run m.xml", 3);
    assert_contains(w->err, "m.xml:2:1: error[SB0502]: 'V' g");
    assert_contains(w->err, "no finite number ");
  }
}

/** A mass that moves in a plane, with laws for both directions. */
#define PLANE(E1, E2)                                                                              \
  HEAD "<network domain='translation'><J1 id='j'/><J1 id='k'/><I id='m' mass='1 kg' p0='1.2'/>"    \
       "<I id='n' mass='1 kg' p0='0.5'/><RField id='r' e1='" E1 "' e2='" E2 "'/>"                  \
       "<bond from='j' to='m'/><bond from='k' to='n'/><bond from='j' to='r.1'/>"                   \
       "<bond from='k' to='r.2'/></network><run t-end='0.6 s'/></screwbond>"

static void models_are_warned_of(void **state) {
  workplace *w = *state;
  static const struct {
    const char *text, *words;
  } warned[] = {
      {AT("<Se id='A' effort='1 V'/><R id='R1' r='1 ohm'/><J1 id='j'/><Switch id='S'/>",
          "<bond from='n' to='j'/><bond from='j' to='S'/>" FROM("A") TO("R1")),
       "m.xml:1:"},
      {AT("<Se id='A' effort='1 V'/><R id='R1' r='1 ohm'/><J1 id='j'/><Switch id='S'/>",
          "<bond from='n' to='j'/><bond from='j' to='S'/>" FROM("A") TO("R1")),
       "warning[SB0203]: Switch 'S' never switches: it has no times and no condition"},
      {AT("<Se id='A' effort='1 V'/><R id='R1' r='1 ohm'/><R id='R2' r='1 ohm'/>"
          "<Clutch id='K' state='closed'/>",
          "<bond from='n' to='K.from'/><bond from='K.to' to='R2'/>" FROM("A") TO("R1")),
       "Clutch 'K' never switches: it has no times and no condition"},
      {HEAD "<network domain='electric'><J0 id='n'/><C id='C1' c='1 F' q0='1 C'/>"
            "<C id='C2' c='1 F'/>" TO("C1")
                TO("C2") "</network>"
                         "<run t-end='1 s' inconsistent='jump'/></screwbond>",
       "the start loses 0.25 J"}, // 1/2 J of 1 F at 1 V, and half of it left at 1/2 V of 2 F
      // kappa = v_S sigma1/(mu_k f_n) >= 1/2 by sigma1 = 0.2 1.37e-9 9.81/(2 1e-3) = 1.344e-6, rounded up to two digits
      {HEAD
       "<laws><contact-law id='l' normal='linear' stiffness='1 N/m' friction='bristle-dwell' "
       "mu-kinetic='0.2' mu-static='0.3' sigma0='1 N/m' sigma1='1e-9 N.s/m' v-stribeck='1 mm/s' "
       "tau-dwell='0.1 s'/></laws><mechanism gravity='0 0 -9.81 m/s^2'><ground id='F'><shape "
       "kind='plane' normal='0 0 1'/></ground><body id='B' mass='1.37e-9 kg' position='0 0 1e-4 m'>"
       "<shape kind='sphere' radius='0.1 mm'/></body><contact id='c' a='F' b='B' law='l'/>"
       "</mechanism><run t-end='1 ms'/></screwbond>",
       "sigma1 = 1.4e-06 N.s/m is enough"},
      // 2 N against each direction of motion; the run ends before it rests, at 1.3 m/s / (2 m/s^2)
      {PLANE("2[N]*f1/sqrt(f1^2 + f2^2)", "2[N]*f2/sqrt(f1^2 + f2^2)"),
       "the law of 'r' jumps at rest: what it gives at its port 1 goes to -2 from one side and to "
       "2 "
       "from the other"},
  };
  for (size_t i = 0; i < sizeof warned / sizeof *warned; i++) {
    write_file(w->folder, "m.xml", warned[i].text);
    expect_code(w, "check m.xml", 0);
    assert_contains(w->err, warned[i].words);
    char *words = strdup(w->err);
    expect_code(w, "run m.xml", 0);
    assert_string_equal(w->err, words);
    free(words);
  }
  write_file(w->folder, "m.xml", PLANE("2[N]*f1/sqrt(f1^2 + f2^2 + (1[um/s])^2)", "0.1[N.s/m]*f2"));
  expect_code(w, "check m.xml", 0);
  assert_string_equal(w->err, "");
  static const char *const continuous[] = {"sqrt(abs(f)/1[A])*sign(f)", "(abs(f)/1[A])^0.1*sign(f)",
                                           "log(1 + abs(f)/1[nA])*sign(f)"};
  for (size_t i = 0; i < sizeof continuous / sizeof *continuous;
       i++) { // no jump, but a kink or a steep slope
    char text[500];
    (void)snprintf(text, sizeof text,
                   HEAD "<network domain='electric'><Se id='s' effort='1 V'/><J1 id='j'/><I id='l' "
                        "l='1 H'/><R id='r' law='1[V]*%s'/><bond from='s' to='j'/><bond from='j' "
                        "to='l'/><bond from='j' to='r'/></network><run t-end='1 s'/></screwbond>",
                   continuous[i]);
    write_file(w->folder, "m.xml", text);
    expect_code(w, "check m.xml", 0);
    assert_string_equal(w->err, "");
  }
  write_file(w->folder, "m.xml",
             AT("<Se id='A' effort='1 V'/><R id='R1' r='1 ohm'/><J1 id='j'/>"
                "<Switch id='S' times='1 ms'/>",
                "<bond from='n' to='j'/><bond from='j' to='S'/>" FROM("A") TO("R1")));
  expect_code(w, "check m.xml", 0);
  assert_string_equal(w->err, "");
}

/** 1000 s each 1 ns, in 250 columns and that of the time, of two bytes at least: 5.02e14 bytes. What the command states in place of the file is warned of alone. */
static void results_without_room_are_foreseen(void **state) {
  workplace *w = *state;
  char text[9000] = HEAD "<network domain='electric'><C id='C' c='1 F' q0='1 C'/><R id='R' r='1 "
                         "ohm'/><J0 id='j'/><bond from='j' to='C'/><bond from='j' to='R'/>"
                         "</network><run t-end='1000 s' sample='1 ns'/>";
  for (int i = 0; i < 250; i++) {
    const size_t end = strlen(text);
    (void)snprintf(text + end, sizeof text - end, "<output id='o%d' of='C.e'/>", i);
  }
  strcat(text, "</screwbond>");
  write_file(w->folder, "m.xml", text);
  expect_code(w, "check m.xml", 0);
  assert_contains(w->err, "m.xml:1:");
  assert_contains(w->err, "warning[SB0304]: results.csv is to have 1e+12 lines, at least 5.02e+14 "
                          "bytes; there is room for ");
  expect_code(w, "run m.xml -o new/folder --t-end 1us", 0);
  assert_string_equal(w->err, "");
}

/** A source that forces a capacitor from its first value on loses C u^2/2 at the start: told where that is something, not where a bump
 *  only begins, by 1e-44 of its height; nothing else comes of what was foreseen. */
static void losses_below_all_tolerances_are_not_told(void **state) {
  workplace *w = *state;
  static const char model[] =
      HEAD "<network domain='electric'><Se id='s' "
           "effort='5[V]*exp(-((t-%s[s])/0.1[s])^2)'/><C id='C' c='1 F'/><R id='R' r='1 ohm'/>"
           "<J0 id='j'/><bond from='s' to='j'/><bond from='j' to='C'/><bond from='j' to='R'/>"
           "</network><run t-end='2 s' inconsistent='jump'/></screwbond>";
  static const struct {
    const char *centre, *words; // C u^2/2 = 12.5 J exp(-2 (centre/0.1 s)^2)
  } bumps[] = {{"1", NULL},
               {"0.5", NULL}, // 2.4e-21 J of 12.5 J
               {"0.2", "at 'C' the start loses 0.00419328285 J"}};
  for (size_t i = 0; i < sizeof bumps / sizeof *bumps; i++) {
    char text[900];
    (void)snprintf(text, sizeof text, model, bumps[i].centre);
    write_file(w->folder, "m.xml", text);
    for (int k = 0; k < 2; k++) {
      expect_code(w, k == 0 ? "check m.xml" : "run m.xml", 0);
      if (bumps[i].words == NULL) {
        assert_string_equal(w->err, "");
      } else {
        assert_contains(w->err, bumps[i].words);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(refusals_are_foreseen, set_up_workplace, tear_down_workplace),
      cmocka_unit_test_setup_teardown(failures_in_the_run_have_places, set_up_workplace,
                                      tear_down_workplace),
      cmocka_unit_test_setup_teardown(results_without_room_are_foreseen, set_up_workplace,
                                      tear_down_workplace),
      cmocka_unit_test_setup_teardown(models_are_warned_of, set_up_workplace, tear_down_workplace),
      cmocka_unit_test_setup_teardown(losses_below_all_tolerances_are_not_told, set_up_workplace,
                                      tear_down_workplace),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
