// SPDX-License-Identifier: GPL-3.0-or-later
// screwbond restitution: tables against closed forms, the plot, and what is refused.
#include "tests/command.h"

/** The words after "restitution", and what it says: on stdout where the code is 0, else on stderr. */
static void tables_and_refusals(void **state) {
  static const struct {
    const char *arguments;
    int code;
    const char *text;
  } rows[] = {
      // b = s(e) k/v with s(1/2) = 1.43275 for k = 1
      {"--law gonthier --restitution 0.5 --mass '1 kg' --speeds '0.1 1 m/s'", 0,
       "v [m/s],b [N.s/m^(5/2)],G,e\r\n0.1,14.3275"},
      {"--law gonthier --set restitution=0.5 --mass '1 kg' --speeds '10 m/s'", 0, ",0.5\r\n"},
      // zeta = 1: exp(-2)
      {"--law kelvin-voigt --set 'stiffness=4 N/m' --set 'damping=4 N.s/m' --mass 1kg --speeds "
       "3m/s",
       0, "3,4,2,0.13533528323"},
      {"--law lee-wang --set 'stiffness=1e6 N/m^(3/2)' --mass 1kg --restitution 0.6 --at 1m/s "
       "--speeds '1 m/s'",
       0, "1,44025.683459"}, // by the integrators of GSL
      {"--law hunt-crossley --set exponent=1.5 --set 'damping-factor=0.1 s/m' --mass 1kg --sweep "
       "'0.1 m/s:10 m/s:3'",
       0, "\r\n10,0.1,1,0.5936"},
      {"--law flores --restitution 0.5 --mass 1kg --speeds '0.1 1 m/s' --svg", 0, "<polyline"},
      {"--law flores --restitution 0.5 --mass 1kg --speeds 1m/s -o table.csv", 0, ""},
      {"--law flores --restitution 0.5 --mass 1kg --speeds 1m/s -o /nowhere/table.csv", 5,
       "cannot write /nowhere/table.csv"},
      {"--mass 1kg", 1, "--law is missing"},
      {"--law gontier", 1, "did you mean gonthier?"},
      // 1/sqrt(1 + c v^2) with c = 0.5 s^2/m^2, and c = (1/e^2 - 1)/v^2 for a wanted e
      {"--law expression --set 'energy=2[J]*(cosh(z/3[mm]) - 1)' --set "
       "'damping-force=2[J]/3[mm]*sinh(z/3[mm])*0.5[s^2/m^2]*zd*abs(zd)' --mass 1kg --speeds '2 "
       "m/s'",
       0, "v [m/s],b [N.s/m],factor,e\r\n2,0,1,0.57735026"},
      {"--law expression --set 'energy=2[J]*(cosh(z/3[mm]) - 1)' --set "
       "'damping-force=2[J]/3[mm]*sinh(z/3[mm])*0.5[s^2/m^2]*zd*abs(zd)' --mass 1kg --restitution "
       "0.5 "
       "--at '2 m/s' --speeds '2 m/s'",
       0, "\r\n2,0,1.49999999"},
      {"--law potential --set 'energy=50[N/m]*z^2*(1 + x^2/1[m^2])' --set 'damping=10 N.s/m' "
       "--mass 1kg "
       "--sweep '1 mm/s:1 m/s:3' --svg",
       0, "<polyline"},
      // exp(-pi zeta/sqrt(1 - zeta^2)) = 1/2
      {"--law potential --set 'energy=50[N/m]*z^2' --mass 1kg --restitution 0.5 --at 1m/s --speeds "
       "3m/s",
       0, "\r\n3,4.3090"},
      {"--law potential", 1, "energy is missing: the law 'potential' needs it"},
      {"--law rigid", 1, "the law 'rigid' has no force that depends on a depth"},
      {"--law expression", 1, "energy is missing: normal=\"expression\" needs it"},
      {"--law expression --set 'energy=2[N]*z^2'", 1, "it is in kg.m^3/s^2, expected is J"},
      {"--law expression --set 'energy=2*z^2'", 1, "a number with a unit is written 50[N/m]"},
      {"--law expression --set 'energy=2[N/m]*y^2'", 1, "depends on z alone, not on y"},
      {"--law expression --set 'energy=2[N/m]*w^2'", 1, "unknown name 'w'"},
      {"--law expression --set 'energy=2[N/m]*z^2' --set 'damping-force=1[N]*(1 + z/1[m])'", 1,
       "must be 0 where zd = 0"},
      {"--law expression --set 'stiffness=2 N/m'", 1,
       "stiffness is without effect with the law 'expression'"},
      {"--law lee-wang --set 'energy=2[N/m]*z^2'", 1,
       "energy is without effect with the law 'lee-wang'"},
      {"--law potential --set 'damping-force=2[N.s/m]*zd'", 1,
       "damping-force is without effect with the law 'potential'"},
      {"--law gonthier", 1, "restitution is missing: the law 'gonthier' needs it"},
      {"--law gonthier --restitution 1.5", 1, "must be above 0 and at most 1: it is 1.5"},
      {"--law gonthier --restitution 0.5", 1, "--mass is missing"},
      {"--law gonthier --restitution 0.5 --mass '-1 kg'", 1, "--mass '-1 kg': must be positive"},
      {"--law gonthier --restitution 0.5 --mass '1 m'", 1,
       "--mass '1 m': the unit 'm' does not fit"},
      {"--law gonthier --restitution 0.5 --mass 1kg", 1, "the speeds are missing"},
      {"--law gonthier --restitution 0.5 --mass 1kg --speeds 0m/s", 1, "must be positive"},
      {"--law gonthier --restitution 0.5 --mass 1kg --at 1m/s", 1,
       "--at is without effect: it is the speed"},
      {"--law gonthier --set mu=1", 1, "unknown parameter mu"},
      {"--law lee-wang --mass 1kg", 1, "--set stiffness='1e6 N/m^(3/2)'"},
      {"--law lee-wang --set 'stiffness=1 N/m'", 1, "expected a unit like N/m^(3/2)"},
      {"--law lee-wang --set exponent=2", 1, "the exponent of the law 'lee-wang' is always 1.5"},
      {"--law lee-wang --set 'stiffness=1 N/m^(3/2)' --mass 1kg --restitution 0.5", 1,
       "changes with the speed: --at is missing"},
      {"--law lee-wang --set 'stiffness=1 N/m^(3/2)' --mass 1kg --restitution 2 --at 1m/s", 2,
       "a restitution is above 0 and at most 1: it is 2"},
  };
  workplace *w = *state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char line[600];
    (void)snprintf(line, sizeof line, "restitution %s", rows[i].arguments);
    expect_code(w, line, rows[i].code);
    assert_contains(rows[i].code == 0 ? w->out : w->err, rows[i].text);
  }
  char *table = read_file(w->folder, "table.csv");
  assert_non_null(table);
  assert_contains(table, "v [m/s],b [N.s/m^(5/2)],G,e");
  free(table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(tables_and_refusals, set_up_workplace, tear_down_workplace),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
