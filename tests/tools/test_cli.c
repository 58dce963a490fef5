// SPDX-License-Identifier: GPL-3.0-or-later
// The command as scripts see it: exit codes, files, JSON, signals. SB_COMMAND is its path.
#include <signal.h>
#include <time.h>

#include "tests/command.h"
#include "tests/json_check.h"
#include "tools/command.h"

// f0 = 1 kHz, tau = 2 L/R = 2 ms: after 20 ms the capacitor holds the source's 5 V within 5e-4.
static const char rlc[] =
    "<screwbond version='1' id='rlc'>\n"
    "  <parameters><param id='R0' value='10 ohm'/></parameters>\n"
    "  <network domain='electric'>\n"
    "    <Se id='src' effort='5 V'/> <J1 id='loop'/>\n"
    "    <R id='R1' r='R0'/> <I id='L1' l='10 mH'/> <C id='C1' c='2.533 uF'/>\n"
    "    <bond from='src' to='loop'/> <bond from='loop' to='R1'/>\n"
    "    <bond from='loop' to='L1'/> <bond from='loop' to='C1'/>\n"
    "  </network>\n"
    "  <run t-end='20 ms' method='dormand-prince-5' rtol='1e-10' atol='1e-13' sample='0.3 ms'/>\n"
    "  <output id='uC' of='C1.e' unit='V'/> <output of='L1.f' unit='mA'/>\n"
    "  <audit residual='1e-8'><group id='losses' members='R1'/></audit>\n"
    "  <expect of='C1.e' at='20 ms' value='5 V' abs-tol='10 mV'/>\n"
    "  <expect of='C1.e' at='0 s' value='0 V' abs-tol='1 uV'/>\n"
    "  <expect of='L1.f' at='1.05 ms' value='0 A' abs-tol='0.2 A'/>\n"
    "</screwbond>\n";

static bool exists(const workplace *w, const char *name) {
  char path[PATH_MAX_SIZE];
  join_path(path, w->folder, name);
  return access(path, F_OK) == 0;
}

static void usage_errors_exit_1(void **state) {
  static const struct {
    const char *arguments, *text, *hint;
  } rows[] = {
      {"", "a command is missing", "--help"},
      {"rnu rlc.xml", "unknown command rnu", "did you mean run?"},
      {"--verson", "unknown option --verson", "hint: "},
      {"run", "MODEL.xml is missing", "screwbond run MODEL.xml"},
      {"run rlc.xml more", "one argument too many: more", ""},
      {"run rlc.xml --rtoll 1e-3", "unknown option --rtoll", "did you mean --rtol?"},
      {"check rlc.xml --rtol 1e-3", "unknown option --rtol", "hint: "},
      {"run rlc.xml --t-end", "--t-end needs a value", "500 ms"},
      {"run rlc.xml --set R0", "--set needs ID=VALUE", "--set R0='12 ohm'"},
      {"run rlc.xml --json=yes", "--json takes no value", ""},
      {"run rlc.xml --rtol abc", "--rtol 'abc'", ""},
      {"run rlc.xml --t-end 5V", "--t-end '5V'", ""},
      {"run rlc.xml --t-end -1", "must be above zero", ""},
      {"run rlc.xml --method dormand-prince-6", "unknown method", "dormand-prince-5?"},
      {"list kind", "unknown argument kind", "did you mean kinds?"},
      {"list", "is missing",
       "kinds|methods|joints|laws|materials|surfaces|functions|domains|units"},
      {"help bdoy", "unknown kind bdoy", "did you mean body?"},
      {"help sphere", "unknown kind sphere", "screwbond list surfaces"},
      {"help rigid", "unknown kind rigid", "screwbond list laws"},
      {"rlc.xml", "unknown command rlc.xml", "did you mean screwbond run rlc.xml?"},
      {"run rlc.xml --set R1.r=12 ohm", "one argument too many: ohm", "quote values with blanks"},
  };
  workplace *w = *state;
  write_file(w->folder, "rlc.xml", rlc);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    expect_code(w, rows[i].arguments, EXIT_USAGE);
    assert_contains(w->err, rows[i].text);
    assert_contains(w->err, rows[i].hint);
    assert_string_equal(w->out, "");
    assert_false(exists(w, "rlc.out"));
  }
}

static void information_goes_to_stdout(void **state) {
  static const struct {
    const char *arguments, *text;
  } rows[] = {
      {"--version", "screwbond 0."},
      {"--help", "Exit codes"},
      {"--help", "|domains|units\n"},
      {"run --help", "--t-end T"},
      {"help", "element kinds:"},
      {"help audit", "100 rtol"},
      {"list functions", "sqrt"},
      {"list domains", "hydraulic"},
      {"help C", "example:"},
      {"help body", "mass"},
      {"help contact", "law"},
      {"help contact", "quantity normal-force [N]"},
      {"help contact", "of rigid contacts also:\n  quantity sticks: 1 while it sticks, else 0\n"
                       "  quantity force [N]"},
      {"help contact", "quantity lost [J]: dissipated in its parts so far\n  of rigid contacts"},
      {"help I", "; also written inertia, mass, inductance\n"},
      {"help MTF", "quantity ratio [f2/f1]"},
      {"help joint", "quantity moment [N.m]"},
      {"help frame", "quantity velocity [m/s]"},
      {"list kinds", "C "},
      {"list methods", "dormand-prince-5"},
      {"list laws", "hunt-crossley"},
      {"list surfaces", "ellipsoid"},
      {"list units", "ohm"},
  };
  workplace *w = *state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    expect_code(w, rows[i].arguments, EXIT_FINE);
    assert_contains(w->out, rows[i].text);
    assert_string_equal(w->err, "");
  }
}

static void good_run_writes_four_files(void **state) {
  workplace *w = *state;
  const char *text;
  write_file(w->folder, "rlc.xml", rlc);
  expect_code(w, "run rlc.xml", EXIT_FINE);
  assert_string_equal(w->err, "");
  text = file_text(w, "rlc.out/audit.txt");
  assert_string_equal(w->out, text);
  text = file_text(w, "rlc.out/events.csv");
  text = file_text(w, "rlc.out/results.csv");
  assert_contains(text, "t [s],uC [V],L1.f [mA]\r\n0,0,0\r\n");
  int lines = 0;
  for (const char *at = text; (at = strstr(at, "\r\n")) != NULL; at += 2) {
    lines++;
  }
  assert_int_equal(lines, 1 + 67 + 1); // the header, 0 to 66 times 0.3 ms, the end
  text = file_text(w, "rlc.out/audit.json");
  assert_true(json_valid(text));
  assert_contains(json_at(text, "status"), "\"ok\"");
  assert_near(strtod(json_at(text, "time/end"), NULL), 0.02, 1e-15);
  assert_near(strtod(json_at(text, "final/uC"), NULL), 5, 1e-2);
  assert_true(strtod(json_at(text, "energy/dissipated"), NULL) > 0);
  assert_contains(text, "\"of\": \"L1.f\", \"at\": 0.00105");
}

static void json_is_the_audit(void **state) {
  workplace *w = *state;
  const char *text;
  write_file(w->folder, "rlc.xml", rlc);
  expect_code(w, "run --json -o some/where rlc.xml", EXIT_FINE);
  text = file_text(w, "some/where/audit.json");
  assert_string_equal(w->out, text);
  expect_code(w, "run --quiet --output=some rlc.xml", EXIT_FINE);
  assert_string_equal(w->out, "");
  assert_true(exists(w, "some/results.csv"));
  expect_code(w, "check rlc.xml --json", EXIT_FINE);
  assert_true(json_valid(w->out));
  expect_code(w, "check rlc.xml", EXIT_FINE);
  assert_contains(w->out, "C1");
}

static void states_are_the_default_outputs(void **state) {
  workplace *w = *state;
  const char *text;
  write_file(w->folder, "decay.xml",
             "<screwbond version='1' id='decay'><network domain='electric'><J0 id='node'/>"
             "<R id='R1' r='1 ohm'/><C id='C1' c='1 F' q0='2.385 C'/><bond from='node' to='R1'/>"
             "<bond from='node' to='C1'/></network><run t-end='1 s' sample='0.5 s'/></screwbond>");
  expect_code(w, "run decay.xml", EXIT_FINE);
  text = file_text(w, "decay.out/results.csv");
  assert_contains(text, "t [s],C1.q [C]\r\n0,2.385\r\n0.5,1.44");
}

static void options_override(void **state) {
  workplace *w = *state;
  write_file(w->folder, "rlc.xml", rlc);
  expect_code(w,
              "run rlc.xml --json --t-end=25ms --method zonneveld-4 --step 1us "
              "--set R0=12ohm",
              EXIT_FINE);
  assert_near(strtod(json_at(w->out, "time/end"), NULL), 0.025, 1e-15);
  assert_contains(json_at(w->out, "method"), "\"zonneveld-4\"");
  assert_near(strtod(json_at(w->out, "work/steps"), NULL), 25000, 20);
}

static void wrong_model_exits_2_and_writes_nothing(void **state) {
  workplace *w = *state;
  write_file(w->folder, "rlc.xml", rlc);
  write_file(w->folder, "bad.xml", "<screwbond version='1' id='x'>\n  <newtork/>\n</screwbond>\n");
  expect_code(w, "run bad.xml", EXIT_MODEL);
  assert_contains(w->err, "bad.xml:2:");
  assert_contains(w->err, "error[SB0201]");
  assert_contains(w->err, "network");
  expect_code(w, "run bad.xml --json", EXIT_MODEL);
  *strchr(w->err, '\n') = '\0';
  assert_true(json_valid(w->err));
  expect_code(w, "check bad.xml", EXIT_MODEL);
  expect_code(w, "run rlc.xml --set nothing=1", EXIT_MODEL);
  write_file(w->folder, "endless.xml",
             "<screwbond version='1' id='x'><network domain='electric'><Se id='s' effort='5 V'/>"
             "<C id='c' c='1 F'/><R id='r' r='1 ohm'/><J1 id='j'/><bond from='s' to='j'/>"
             "<bond from='j' to='c'/><bond from='j' to='r'/></network></screwbond>");
  expect_code(w, "run endless.xml", EXIT_MODEL);
  assert_contains(w->err, "endless.xml:1:1: error[SB0203]: nothing tells how long to run");
  assert_false(exists(w, "endless.out"));
  expect_code(w, "run endless.xml --t-end 1s --set s.waveform=sine", EXIT_MODEL);
  assert_contains(w->err, "Se 's': a sine needs a positive frequency");
  expect_code(w, "run endless.xml --t-end 1s", EXIT_FINE);
  assert_false(exists(w, "bad.out"));
  assert_false(exists(w, "rlc.out"));
}

/** Faults that only the geometry sees have codes of the solver, but nothing has run. */
static void contact_that_cannot_be_exits_2(void **state) {
  workplace *w = *state;
  write_file(w->folder, "ball.xml",
             "<screwbond version='1' id='x'><materials>"
             "<material id='m' stiffness='1 1 1 N/m' spin-stiffness='1 N.m/rad'/></materials>"
             "<mechanism><body id='b' mass='1 kg' material='m'>"
             "<shape kind='sphere' radius='1 m'/></body><contact a='b' b='b'/></mechanism>"
             "</screwbond>");
  expect_code(w, "run ball.xml", EXIT_MODEL);
  assert_contains(w->err, "error[SB0503]: a contact of 'b' with itself");
}

static void unknown_quantities_have_hints(void **state) {
  static const struct {
    const char *of, *hint;
  } rows[] = {{"m1.L1.f", "did you mean 'm1/L1.f'?"},
              {"contact(b,floor).gap", "did you mean 'contact(floor,b).gap'?"},
              {"suorce.f", "did you mean 'source'?"}};
  workplace *w = *state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[2000];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='x'><submodel id='S'><port id='p' node='L1'/>"
        "<network domain='electric'><I id='L1' l='1 H'/></network></submodel>"
        "<network domain='electric'><Se id='source' effort='1 V'/><use id='m1' submodel='S'/>"
        "<bond from='source' to='m1.p'/></network><mechanism>"
        "<body id='b' mass='1 kg' material='m'><shape kind='sphere' radius='1 m'/></body>"
        "<ground id='floor'><shape kind='plane' normal='0 0 1'/></ground>"
        "<contact a='floor' b='b'/></mechanism><materials>"
        "<material id='m' stiffness='1 1 1 N/m' spin-stiffness='1 N.m/rad'/></materials>"
        "<run t-end='1 s'/><output of='%s'/></screwbond>",
        rows[i].of);
    write_file(w->folder, "model.xml", text);
    expect_code(w, "run model.xml", EXIT_MODEL);
    assert_contains(w->err, "there is no element");
    assert_contains(w->err, rows[i].hint);
  }
}

/** What is expected of contacts and of parts of elements is compared with their units too, each component with its own. */
static void units_of_expectations_fit(void **state) {
  static const struct {
    const char *of, *words; // NULL: it fits
  } rows[] = {
      {"of='c.gap' value='1 kg' abs-tol='9 kg'",
       "model.xml:3:67: error[SB0303]: the value is in kg, but c.gap is in m"},
      {"of='c.gap' value='1 mm' abs-tol='9 m'", NULL},
      {"of='c.gap' value='1' abs-tol='9'", NULL},
      {"of='c.touches' value='1 m' abs-tol='9 m'", "the value is in m, but c.touches has no unit"},
      {"of='c.gap' value='9 %' abs-tol='9 %'", "the value has no unit, but c.gap is in m"},
      {"of='c.gap' component='1' value='1 m' abs-tol='9 m'",
       "c.gap is one number: it has no component 1"},
      {"of='c.wrench' component='6' value='1 N' abs-tol='9 N'", "c.wrench has no component 6"},
      {"of='c.wrench' component='6' value='1 N' abs-tol='9 N'",
       "hint: it has 6, counted from 0: c.wrench.5 is component=\"5\""},
      {"of='c.wrench' component='1' value='1 N' abs-tol='99 N'",
       "the value is in kg.m/s^2, but c.wrench.1 is in N.m"},
      {"of='c.wrench' component='5' value='1 N' abs-tol='99 N'", NULL},
      {"of='c.wrench.1' value='1 N.m' abs-tol='99 N.m'", NULL},
      {"of='c.wrench.5' value='1 N.m' abs-tol='99 N.m'", "c.wrench.5 is in N"},
      {"of='c.load' component='3' value='1 J' abs-tol='99 J'", NULL},
      {"of='c.relative-curvatures' value='1 m' abs-tol='99 m'", "is in 1/m"},
      {"of='c/turning.moment' component='2' value='1 N.m' abs-tol='9 N.m'", NULL},
      {"of='c/turning.moment.y' value='1 m' abs-tol='9 m'", "is in N.m"},
      {"of='c/slip.spin' value='1 Hz' abs-tol='9 Hz'", "the value in 'Hz' counts cycles (Hz)"},
      {"of='c/slip.spin' value='1 rev/s' abs-tol='9 rev/s'", NULL}};
  workplace *w = *state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[2000];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='x'><materials><material id='m' stiffness='1 1 1 "
                   "kN/m' spin-stiffness='1 N.m/rad'/></materials>"
                   "<laws><contact-law id='l' normal='linear' rolling-viscous='1 N.m.s/rad' "
                   "friction='coulomb' mu='0.3' friction-radius='1 mm' "
                   "friction-damping='1 ms'/></laws><mechanism>"
                   "<ground id='F'><shape kind='plane' normal='0 0 1'/></ground>\n"
                   "<body id='b' mass='1 kg' material='m' position='0 0 0.09 m'><shape "
                   "kind='sphere' radius='0.1 m'/></body><contact id='c' a='F' b='b' "
                   "law='l'/></mechanism><run t-end='1 ms' sample='1 ms'/>\n<output "
                   "of='c/turning.moment'/><expect at='end' %s/></screwbond>",
                   rows[i].of);
    write_file(w->folder, "model.xml", text);
    expect_code(w, "run model.xml", rows[i].words != NULL ? EXIT_MODEL : EXIT_FINE);
    if (rows[i].words != NULL) {
      assert_contains(w->err, rows[i].words);
    }
  }
  assert_contains(
      file_text(w, "model.out/results.csv"),
      "t [s],c/turning.moment.x [N.m],c/turning.moment.y [N.m],c/turning.moment.z [N.m]");
}

static void solver_failure_exits_3_and_keeps_results(void **state) {
  workplace *w = *state;
  const char *text;
  write_file(w->folder, "rlc.xml", rlc);
  expect_code(w, "run rlc.xml --set src.effort=1[V]*exp(t/1[us])", EXIT_SOLVER);
  text = file_text(w, "rlc.out/audit.json");
  assert_true(json_valid(text));
  assert_contains(json_at(text, "status"), "\"solver-failed\"");
  text = file_text(w, "rlc.out/results.csv");
  assert_contains(text, "\r\n0.0003,"); // powers are beyond all numbers from 0.00036 s on
  assert_contains(w->err, "error[SB0502]");
}

static void missed_expectation_exits_4(void **state) {
  workplace *w = *state;
  const char *text;
  write_file(w->folder, "rlc.xml", rlc);
  expect_code(w, "run rlc.xml --set src.effort=6V", EXIT_AUDIT);
  assert_contains(w->err, "rlc.xml:12:");
  assert_contains(w->err, "C1.e at 0.02 s: expected 5 within 0.01, actual ");
  text = file_text(w, "rlc.out/audit.json");
  assert_contains(json_at(text, "status"), "\"audit-failed\"");
  expect_code(w, "run rlc.xml --rtol 1e-3 --atol 1e-4", EXIT_AUDIT);
  assert_contains(w->err, "the energy-balance error ");
  assert_contains(w->err, "--method discrete-gradient, if the model is one that");
  expect_code(w, "run rlc.xml --t-end 0.5ms --quiet", EXIT_AUDIT);
  assert_contains(w->err, "expected 0, found nothing");
  char bare[sizeof rlc];
  char *tolerance = strstr(strcpy(bare, rlc), " abs-tol='10 mV'");
  memset(tolerance, ' ', strlen(" abs-tol='10 mV'"));
  write_file(w->folder, "rlc.xml", bare);
  expect_code(w, "run rlc.xml --set src.effort=5.000113V", EXIT_AUDIT);
  assert_contains(w->err, "give abs-tol or rel-tol");
}

/** What is likely to be a mistake is said with its place, and stops nothing. */
static void warnings_stop_nothing(void **state) {
  workplace *w = *state;
  char loose[sizeof rlc + 20];
  const char *rest = strstr(rlc, "rtol='1e-10'");
  (void)snprintf(loose, sizeof loose, "%.*srtol='0.1'%s", (int)(rest - rlc), rlc,
                 rest + strlen("rtol='1e-10'"));
  write_file(w->folder, "rlc.xml", loose);
  expect_code(w, "check rlc.xml --json", EXIT_FINE);
  assert_true(json_valid(w->out));
  assert_contains(json_at(w->out, "warnings"), "\"severity\":\"warning\",\"code\":\"SB0304\","
                                               "\"message\":\"at an rtol of 0.1 a step");
  expect_code(w, "check rlc.xml", EXIT_FINE);
  assert_contains(w->err, "warning[SB0304]: at an rtol of 0.1 a step may be wrong by 10 %\n");
  expect_code(w, "run rlc.xml --rtol 1e-9", EXIT_FINE); // what holds is that of the command
  assert_string_equal(w->err, "");
  write_file(w->folder, "rlc.xml", rlc);
  expect_code(w, "run rlc.xml --rtol 0.02", EXIT_AUDIT);
  assert_contains(w->err, "warning[SB0304]: at an rtol of 0.02 a step may be wrong by 2 %\n");
  expect_code(w, "run rlc.xml --atol 1e14", EXIT_FINE);
  assert_contains(w->err, "warning[SB0304]: absolute tolerances let every state be wrong by more "
                          "than it is: ");
  expect_code(w, "run rlc.xml --atol 1e-9", EXIT_FINE);
  assert_null(strstr(w->err, "warning"));
  expect_code(w, "check rlc.xml --json", EXIT_FINE);
  assert_contains(w->out, "\"warnings\": []}");
  write_file(w->folder, "far.xml",
             "<screwbond version='1' id='m'><network domain='translation'><J1 id='j'/>"
             "<I id='m' mass='1.3 kg'/><C id='k' energy='(0.7[N/m]*q^2+5e13[J])*1' q0='0.5 m'/>"
             "<bond from='j' to='m'/><bond from='j' to='k'/></network>"
             "<run t-end='100 s' rtol='1e-2' atol='1e-2'/></screwbond>");
  expect_code(w, "run far.xml", EXIT_FINE);
  assert_contains(w->err,
                  "warning[SB0505]: the energy balance of the part of m cannot be resolved: "
                  "its energy is known to 0.17");
  assert_contains(w->err, "   hint: k has an energy with terms of 1e+14 J: leave constants out of "
                          "it, or count its place from nearer to it; an error of the integration "
                          "is resolved by a smaller rtol beside <audit residual=\"0.001\"/>\n");
  assert_contains(w->out, "NOT RESOLVED in the part of m: rounding of 0.17");
  write_file(
      w->folder, "wire.xml",
      "<screwbond version='1' id='m'><network domain='electric'><Se id='s' effort='2[V]*t/1[s]'/>"
      "<J1 id='j'/><R id='wire' r='1e-14 ohm'/><C id='c' c='1 F'/><bond from='s' to='j'/>"
      "<bond from='j' to='wire'/><bond from='j' to='c'/></network><run t-end='1 s'/></screwbond>");
  expect_code(w, "run wire.xml", EXIT_FINE);
  // eps (2 V + 2 V) (2 V + 2 V)/R 1 s
  assert_contains(
      w->err, "warning[SB0505]: wire has lost its digits: the effort or flow that drives it is a "
              "small difference of larger ones, whose rounding is up to 0.355271368 J of the 2 J "
              "exchanged\n");
  assert_contains(w->err, "   hint: leave it out, if it is meant to be nothing, or give it a value "
                          "nearer to those beside it");
}

/** The part and the element at fault are named. */
static void a_loss_beside_a_larger_part_exits_4(void **state) {
  workplace *w = *state;
  write_file(
      w->folder, "two.xml",
      "<screwbond version='1' id='m'><network domain='translation'><Se id='S' effort='1e6 N'/>"
      "<R id='R' r='1 N.s/m'/><bond from='S' to='R'/><I id='m' mass='1 kg'/><J1 id='j'/>"
      "<C id='k' compliance='1 m/N' q0='1 m'/><bond from='j' to='m'/>"
      "<bond from='j' to='k'/></network>"
      "<run t-end='100 s' sample='1 s' rtol='1e-2' atol='1e-2'/></screwbond>");
  expect_code(w, "run two.xml", EXIT_AUDIT);
  assert_contains(w->err, "the energy-balance error 0.0");
  assert_contains(w->err, " of the part of m is above its limit 0.001");
  const char *text = file_text(w, "two.out/audit.json");
  assert_contains(json_at(text, "energy/part"), "\"m\"");
  assert_contains(text, "{\"id\": \"S\", \"elements\": 2, ");
  assert_contains(text, "{\"id\": \"m\", \"elements\": 3, ");
}

static void files_in_the_way_exit_5(void **state) {
  workplace *w = *state;
  expect_code(w, "run missing.xml", EXIT_IO);
  assert_contains(w->err, "missing.xml");
  write_file(w->folder, "rlc.xml", rlc);
  write_file(w->folder, "rlc.out", "a file");
  expect_code(w, "run rlc.xml", EXIT_IO);
  assert_contains(w->err, "cannot make the folder rlc.out: Not a directory");
  char nowhere[PATH_MAX_SIZE];
  join_path(nowhere, w->folder, "link");
  assert_int_equal(symlink("no/where", nowhere), 0);
  expect_code(w, "run rlc.xml -o link", EXIT_IO);
  assert_contains(w->err, "cannot make the folder link: a symbolic link in its path leads nowhere");
}

/** A method of the command line that is not for the model is wrong usage; one that the model names is the model's fault. */
static void methods_that_are_not_for_the_model(void **state) {
  static const char model[] =
      "<screwbond version='1' id='x'><mechanism><body id='b' mass='1 kg' inertia='1 2 3'/>"
      "</mechanism><run t-end='1 s'%s/></screwbond>";
  workplace *w = *state;
  char text[400];
  (void)snprintf(text, sizeof text, model, " method='discrete-gradient' step='1 ms'");
  write_file(w->folder, "named.xml", text);
  (void)snprintf(text, sizeof text, model, "");
  write_file(w->folder, "plain.xml", text);
  expect_code(w, "run named.xml", EXIT_MODEL);
  assert_contains(w->err, "discrete-gradient is not for 'b' (body)");
  expect_code(w, "check named.xml", EXIT_MODEL);
  expect_code(w, "run plain.xml --method discrete-gradient --step 1ms", EXIT_USAGE);
  expect_code(w, "run plain.xml --rtol 1e-30", EXIT_USAGE);
  assert_contains(w->err, "run: --rtol '1e-30': rtol is below 1e-15");
  (void)snprintf(text, sizeof text, model, "\n rtol='1e-30'");
  write_file(w->folder, "plain.xml", text);
  expect_code(w, "run plain.xml", EXIT_MODEL);
  assert_contains(w->err, "plain.xml:2:8: error[SB0304]: rtol is below 1e-15");
}

static void limits_exit_6(void **state) {
  workplace *w = *state;
  write_file(w->folder, "rlc.xml", rlc);
  expect_code(w, "run rlc.xml --set run.max-steps=3", EXIT_LIMIT);
  assert_contains(w->err, "screwbond: error[SB0601]: more than 3 steps");
  assert_contains(w->err, "hint: give <run> a larger max-steps; ");
  write_file(w->folder, "few.xml",
             "<screwbond version='1' id='x'><network domain='electric'><Se id='s' effort='5 V'/>"
             "<C id='c' c='1 F'/><R id='r' r='1 ohm'/><J1 id='j'/><bond from='s' to='j'/>"
             "<bond from='j' to='c'/><bond from='j' to='r'/></network>\n<run t-end='1 s' "
             "max-steps='3'/></screwbond>");
  expect_code(w, "run few.xml", EXIT_LIMIT);
  assert_contains(w->err, "few.xml:2:29: error[SB0601]: more than 3 steps");
  assert_true(exists(w, "rlc.out/audit.json"));
}

/** A run that is ok tells what it has shown of its elements: the depth 1 m/s / (20 1/s) is half of the radii 0.05 + 0.05 m. */
static void what_a_run_has_shown(void **state) {
  workplace *w = *state;
  write_file(w->folder, "deep.xml",
             "<screwbond version='1' id='x'><materials><material id='m' stiffness='0 0 400 N/m'/>"
             "</materials><mechanism><ground id='g'><shape kind='sphere' radius='5 cm'/></ground>"
             "<body id='b' mass='1 kg' material='m' position='0 0 0.11 m' velocity='0 0 -1 m/s'>"
             "<shape kind='sphere' radius='5 cm'/></body>\n<contact a='g' b='b'/></mechanism>"
             "<run t-end='0.3 s'/></screwbond>");
  expect_code(w, "run deep.xml", EXIT_FINE);
  assert_contains(w->err,
                  "deep.xml:2:1: warning[SB0503]: 'contact(g,b)': the depth ratio came to 0.");
  assert_contains(w->err, "hint: a stiffer material, a rounder surface, or a smaller speed");
  expect_code(w, "run deep.xml --set b.mass=0.25kg", EXIT_FINE); // a fourth
  assert_string_equal(w->err, "");
}

static void analyses_exit_as_they_should(void **state) {
  static const struct {
    const char *arguments;
    int code;
    const char *text;
  } rows[] = {
      {"linearize rlc.xml", 0, "rlc at 0 s; states: 2, inputs: 1, "},
      {"linearize rlc.xml --at '2 ms' --equilibrium", 0, "rlc at 0.002 s, in equilibrium; "},
      {"linearize rlc.xml -o C1.e --frequencies '100 Hz 1 kHz'", 1, "--frequencies"},
      {"linearize rlc.xml -o C1.e --frequencies '100 1000 Hz'", 0,
       "frequency [Hz],\"|C1.e/src.e|\",\"arg(C1.e/src.e) [deg]\"\r\n100,1.00997"},
      {"linearize rlc.xml --sweep '1 Hz:2 Hz'", 1, "for instance --sweep '1 Hz:10 kHz:50'"},
      {"linearize rlc.xml --sweep '2 Hz:1 Hz:5'", 1, "needs 0 < FROM < TO"},
      {"linearize rlc.xml --sweep '1 Hz:2 Hz:5' --frequencies '1 Hz'", 1, "not both"},
      {"linearize rlc.xml --at '-1 s'", 1, "before the start of the run"},
      {"linearize rlc.xml --at '1 V'", 1, "--at '1 V'"},
      {"linearize rlc.xml --sweep 1:2", 1, "--sweep '1:2': needs FROM:TO:N"},
      {"linearize rlc.xml --input C1", 2, "'C1' is no source, but a C"},
      {"linearize rlc.xml --input R1", 2, "'R1' is no source, but an R"},
      {"linearize rlc.xml --output C9.e", 2, "there is no element 'C9'"},
      {"linearize rlc.xml --json --frequencies '100 Hz'", 0, "\"response\": [{\"frequency\": 100,"},
      {"equilibrium rlc.xml", 0, "rlc in equilibrium at 0 s; freedoms of its states: 2; small "},
      {"equilibrium rlc.xml --at '2 ms' -o L1.f", 0, "outputs\nL1.f          0 A\n"},
      {"equilibrium rlc.xml --at '-1 s'", 1, "equilibrium: --at '-1 s': before the start"},
      {"equilibrium rlc.xml --output C9.e", 2, "there is no element 'C9'"},
      {"equilibrium missing.xml", 5, "missing.xml"},
      {"graph rlc.xml", 0, "digraph \"rlc\" {"},
      {"graph rlc.xml -o /nowhere/drawing", 5, "cannot write /nowhere/drawing"},
      {"graph missing.xml", 5, "missing.xml"},
      {"check --equations rlc.xml", 0, "J is skew-symmetric"},
      {"check --latex rlc.xml", 0, "begin{pmatrix}"},
  };
  workplace *w = *state;
  char examples[1000];
  source_path(examples, sizeof examples, "examples");
  char *example = read_file(examples, "rlc.xml");
  assert_non_null(example);
  write_file(w->folder, "rlc.xml", example);
  free(example);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    expect_code(w, rows[i].arguments, rows[i].code);
    assert_contains(rows[i].code == 0 ? w->out : w->err, rows[i].text);
  }
}

/** Four sections that each block what is slow, s^4 at the lowest frequencies: at 1 nHz that is 1.6e-33 of terms of size 1, beyond 34 digits. */
static void a_response_that_is_not_known(void **state) {
  workplace *w = *state;
  char text[4000] = "<screwbond version='1' id='x'><network domain='electric'><J0 id='n0'/>"
                    "<Se id='S' effort='1 V'/><bond from='S' to='n0'/>";
  for (int i = 0; i < 4; i++) {
    size_t used = strlen(text);
    (void)snprintf(text + used, sizeof text - used,
                   "<J1 id='j%d'/><C id='C%d' c='1 F'/><J0 id='n%d'/><R id='R%d' r='1 ohm'/>"
                   "<bond from='n%d' to='j%d'/><bond from='j%d' to='C%d'/>"
                   "<bond from='j%d' to='n%d'/><bond from='n%d' to='R%d'/>",
                   i, i, i + 1, i, i, i, i, i, i, i + 1, i + 1, i);
  }
  strcat(text, "</network><run t-end='1 s'/><output of='R3.e'/></screwbond>");
  write_file(w->folder, "highpass.xml", text);
  expect_code(w, "linearize highpass.xml --frequencies '1e-9 1e-6 Hz'", EXIT_FINE);
  assert_contains(w->out, "\r\n1e-09,nan,nan\r\n1e-06,1.55854545"); // (2 pi 1e-6)^4
  expect_code(w, "linearize highpass.xml --frequencies '1e-9 Hz' --json", EXIT_FINE);
  assert_true(json_valid(w->out));
  assert_contains(w->out,
                  "{\"frequency\": 1e-09, \"magnitude\": [null], \"phase\": [null], \"error\": [");
}

static void an_equilibrium_is_json(void **state) {
  workplace *w = *state;
  write_file(w->folder, "rlc.xml", rlc);
  expect_code(w, "equilibrium rlc.xml --json", EXIT_FINE);
  assert_true(json_valid(w->out));
  assert_contains(
      w->out, "\"t\": 0, \"freedoms\": 2, \"growth\": 0, \"doubtful_growth\": 0,\n \"states\": [");
  assert_contains(w->out, "\"efforts\": [");
  assert_contains(w->out, "\"changed\": []}");
}

static void every_status_has_its_code(void **state) {
  (void)state;
  static const struct {
    sb_status status;
    int code;
  } rows[] = {{SB_OK, 0},          {SB_ERR_XML, 2},       {SB_ERR_OVERRIDE, 2},
              {SB_ERR_CHOICE, 2},  {SB_ERR_STRUCTURE, 2}, {SB_ERR_SOLVER, 3},
              {SB_ERR_CHATTER, 3}, {SB_ERR_UNSOLVED, 3},  {SB_ERR_AUDIT, 4},
              {SB_ERR_IO, 5},      {SB_ERR_LIMIT, 6},     {SB_ERR_MEMORY, 6},
              {SB_ERR_USAGE, 1},   {SB_ERR_INTERNAL, 70}, {SB_INTERRUPTED, 130}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_int_equal(exit_code_of(rows[i].status), rows[i].code);
  }
}

/** Sends a signal to a run that would take ages, once results have come. */
static void interrupt_with(workplace *w, int signal_number) {
  const char *text = "";
  const struct timespec pause = {.tv_nsec = 10000000};
  write_file(w->folder, "rlc.out/results.csv", ""); // of the run before
  pid_t child = start_command(w, "run rlc.xml --t-end 1e6 --json");
  for (int i = 0; i < 1000 && strlen(text) < 2000; i++) {
    (void)nanosleep(&pause, NULL);
    text = file_text(w, "rlc.out/results.csv");
  }
  assert_int_equal(kill(child, signal_number), 0);
  assert_int_equal(finish_command(w, child), 128 + signal_number);
  text = file_text(w, "rlc.out/audit.json");
  assert_true(json_valid(text));
  assert_contains(json_at(text, "status"), "\"interrupted\"");
  assert_string_equal(w->out, text);
  text = file_text(w, "rlc.out/results.csv");
  assert_true(strlen(text) >= 2000);
}

static void signals_end_a_run_tidily(void **state) {
  workplace *w = *state;
  write_file(w->folder, "rlc.xml", rlc);
  expect_code(w, "run rlc.xml", EXIT_FINE); // makes the folder
  interrupt_with(w, SIGINT);
  interrupt_with(w, SIGTERM);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(usage_errors_exit_1, set_up_workplace, tear_down_workplace),
      cmocka_unit_test_setup_teardown(information_goes_to_stdout, set_up_workplace,
                                      tear_down_workplace),
      cmocka_unit_test_setup_teardown(good_run_writes_four_files, set_up_workplace,
                                      tear_down_workplace),
      cmocka_unit_test_setup_teardown(json_is_the_audit, set_up_workplace, tear_down_workplace),
      cmocka_unit_test_setup_teardown(states_are_the_default_outputs, set_up_workplace,
                                      tear_down_workplace),
      cmocka_unit_test_setup_teardown(options_override, set_up_workplace, tear_down_workplace),
      cmocka_unit_test_setup_teardown(wrong_model_exits_2_and_writes_nothing, set_up_workplace,
                                      tear_down_workplace),
      cmocka_unit_test_setup_teardown(contact_that_cannot_be_exits_2, set_up_workplace,
                                      tear_down_workplace),
      cmocka_unit_test_setup_teardown(unknown_quantities_have_hints, set_up_workplace,
                                      tear_down_workplace),
      cmocka_unit_test_setup_teardown(units_of_expectations_fit, set_up_workplace,
                                      tear_down_workplace),
      cmocka_unit_test_setup_teardown(solver_failure_exits_3_and_keeps_results, set_up_workplace,
                                      tear_down_workplace),
      cmocka_unit_test_setup_teardown(missed_expectation_exits_4, set_up_workplace,
                                      tear_down_workplace),
      cmocka_unit_test_setup_teardown(warnings_stop_nothing, set_up_workplace, tear_down_workplace),
      cmocka_unit_test_setup_teardown(a_loss_beside_a_larger_part_exits_4, set_up_workplace,
                                      tear_down_workplace),
      cmocka_unit_test_setup_teardown(files_in_the_way_exit_5, set_up_workplace,
                                      tear_down_workplace),
      cmocka_unit_test_setup_teardown(methods_that_are_not_for_the_model, set_up_workplace,
                                      tear_down_workplace),
      cmocka_unit_test_setup_teardown(limits_exit_6, set_up_workplace, tear_down_workplace),
      cmocka_unit_test_setup_teardown(what_a_run_has_shown, set_up_workplace, tear_down_workplace),
      cmocka_unit_test_setup_teardown(a_response_that_is_not_known, set_up_workplace,
                                      tear_down_workplace),
      cmocka_unit_test_setup_teardown(an_equilibrium_is_json, set_up_workplace,
                                      tear_down_workplace),
      cmocka_unit_test_setup_teardown(analyses_exit_as_they_should, set_up_workplace,
                                      tear_down_workplace),
      cmocka_unit_test(every_status_has_its_code),
      cmocka_unit_test_setup_teardown(signals_end_a_run_tidily, set_up_workplace,
                                      tear_down_workplace),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
