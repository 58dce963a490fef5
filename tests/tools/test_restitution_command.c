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
       0, ",0.6\r\n"},
      {"--law hunt-crossley --set exponent=1.5 --set 'damping-factor=0.1 s/m' --mass 1kg --sweep "
       "'0.1 m/s:10 m/s:3'",
       0, "\r\n10,0.1,1,0.5936"},
      {"--law flores --restitution 0.5 --mass 1kg --speeds '0.1 1 m/s' --svg", 0, "<polyline"},
      {"--law flores --restitution 0.5 --mass 1kg --speeds 1m/s -o table.csv", 0, ""},
      {"--law flores --restitution 0.5 --mass 1kg --speeds 1m/s -o /nowhere/table.csv", 5,
       "cannot write /nowhere/table.csv"},
      {"--mass 1kg", 1, "--law is missing"},
      {"--law gontier", 1, "did you mean gonthier?"},
      {"--law potential", 1, "the law 'potential' is not one of powers"},
      {"--law expression", 1, "the law 'expression' is not one of powers"},
      {"--law gonthier", 1, "restitution is missing: the law 'gonthier' needs it"},
      {"--law gonthier --restitution 1.5", 1, "must be above 0 and at most 1: it is 1.5"},
      {"--law gonthier --restitution 0.5", 1, "--mass is missing"},
      {"--law gonthier --restitution 0.5 --mass '-1 kg'", 1, "--mass '-1 kg': must be positive"},
      {"--law gonthier --restitution 0.5 --mass '1 m'", 1,
       "--mass '1 m': the unit 'm' does not fit"},
      {"--law gonthier --restitution 0.5 --mass 1kg", 1, "the speeds are missing"},
      {"--law gonthier --restitution 0.5 --mass 1kg --speeds 0m/s", 1, "must be positive"},
      {"--law gonthier --restitution 0.5 --mass 1kg --at 1m/s", 1, "--at is of the --restitution"},
      {"--law gonthier --set mu=1", 1, "unknown parameter mu"},
      {"--law lee-wang --mass 1kg", 1, "--set stiffness='1e6 N/m^(3/2)'"},
      {"--law lee-wang --set 'stiffness=1 N/m'", 1, "expected a unit like N/m^(3/2)"},
      {"--law lee-wang --set exponent=2", 1, "the law 'lee-wang' has the exponent 1.5"},
      {"--law lee-wang --set 'stiffness=1 N/m^(3/2)' --mass 1kg --restitution 0.5", 1,
       "changes with the speed: --at is missing"},
      {"--law lee-wang --set 'stiffness=1 N/m^(3/2)' --mass 1kg --restitution 2 --at 1m/s", 2,
       "a restitution is above 0 and at most 1: it is 2"},
  };
  workplace *w = *state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char line[400];
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
