// SPDX-License-Identifier: GPL-3.0-or-later
// The command as scripts see it: exit codes, files, JSON, signals. SB_COMMAND is its path.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/json_check.h"
#include "tests/near.h"
#include "tools/command.h"

enum { OUTPUT_MAX = 1 << 18, ARGUMENTS_MAX = 12 };

/** A folder to work in, and what the last command said. */
typedef struct world {
  char folder[40];
  char out[OUTPUT_MAX], err[OUTPUT_MAX];
} world;

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

static void write_file(const world *w, const char *name, const char *text) {
  char path[128];
  (void)snprintf(path, sizeof path, "%s/%s", w->folder, name);
  FILE *out = fopen(path, "w");
  assert_non_null(out);
  (void)fputs(text, out);
  assert_int_equal(fclose(out), 0);
}

/** Reads a file of the folder; false if there is none. */
static bool read_file(const world *w, const char *name, char text[OUTPUT_MAX]) {
  char path[128];
  (void)snprintf(path, sizeof path, "%s/%s", w->folder, name);
  FILE *in = fopen(path, "r");
  text[0] = '\0';
  if (in == NULL) {
    return false;
  }
  text[fread(text, 1, OUTPUT_MAX - 1, in)] = '\0';
  (void)fclose(in);
  return true;
}

static bool exists(const world *w, const char *name) {
  char path[128];
  (void)snprintf(path, sizeof path, "%s/%s", w->folder, name);
  return access(path, F_OK) == 0;
}

static void redirect(const char *path, int descriptor) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file < 0 || dup2(file, descriptor) < 0) {
    _exit(126);
  }
  (void)close(file);
}

/** Starts the command in the folder, with the words of `line`, separated by blanks. */
static pid_t start(const world *w, const char *line) {
  const char *program = getenv("SB_COMMAND");
  assert_non_null(program);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    char words[512], *argv[ARGUMENTS_MAX] = {(char *)program}, *rest = words;
    (void)snprintf(words, sizeof words, "%s", line);
    for (int i = 1; i < ARGUMENTS_MAX - 1; i++) {
      argv[i] = strtok_r(rest, " ", &rest);
    }
    if (chdir(w->folder) != 0) {
      _exit(126);
    }
    redirect("stdout", STDOUT_FILENO);
    redirect("stderr", STDERR_FILENO);
    (void)execv(program, argv);
    _exit(126);
  }
  return child;
}

static int finish(world *w, pid_t child) {
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  (void)read_file(w, "stdout", w->out);
  (void)read_file(w, "stderr", w->err);
  if (!WIFEXITED(status)) {
    fail_msg("ended by signal %d: %s", WTERMSIG(status), w->err);
  }
  return WEXITSTATUS(status);
}

static int screwbond(world *w, const char *line) {
  return finish(w, start(w, line));
}

static void expect_code(world *w, const char *line, int expected) {
  int code = screwbond(w, line);
  if (code != expected) {
    fail_msg("screwbond %s: exit %d, not %d\n%s%s", line, code, expected, w->out, w->err);
  }
}

static void expect_text(const char *text, const char *part) {
  if (strstr(text, part) == NULL) {
    fail_msg("'%s' is not in: %s", part, text);
  }
}

static int set_up(void **state) {
  world *w = calloc(1, sizeof *w);
  if (w == NULL) {
    return -1;
  }
  (void)snprintf(w->folder, sizeof w->folder, "/tmp/sb_cli_XXXXXX");
  *state = w;
  return mkdtemp(w->folder) != NULL ? 0 : -1;
}

static int tear_down(void **state) {
  world *w = *state;
  char remove_all[80];
  (void)snprintf(remove_all, sizeof remove_all, "rm -rf %s", w->folder);
  int failed = system(remove_all);
  free(w);
  return failed;
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
      {"list", "is missing", "kinds|methods|laws|surfaces|units"},
      {"help bdoy", "unknown kind bdoy", "did you mean body?"},
  };
  world *w = *state;
  write_file(w, "rlc.xml", rlc);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    expect_code(w, rows[i].arguments, EXIT_USAGE);
    expect_text(w->err, rows[i].text);
    expect_text(w->err, rows[i].hint);
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
      {"run --help", "--t-end T"},
      {"help", "element kinds:"},
      {"help C", "example:"},
      {"help body", "mass"},
      {"help contact", "law"},
      {"list kinds", "C "},
      {"list methods", "dormand-prince-5"},
      {"list laws", "hunt-crossley"},
      {"list surfaces", "ellipsoid"},
      {"list units", "ohm"},
  };
  world *w = *state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    expect_code(w, rows[i].arguments, EXIT_FINE);
    expect_text(w->out, rows[i].text);
    assert_string_equal(w->err, "");
  }
}

static void good_run_writes_four_files(void **state) {
  world *w = *state;
  char text[OUTPUT_MAX];
  write_file(w, "rlc.xml", rlc);
  expect_code(w, "run rlc.xml", EXIT_FINE);
  assert_string_equal(w->err, "");
  assert_true(read_file(w, "rlc.out/audit.txt", text));
  assert_string_equal(w->out, text);
  assert_true(read_file(w, "rlc.out/events.csv", text));
  assert_true(read_file(w, "rlc.out/results.csv", text));
  expect_text(text, "t [s],uC [V],L1.f [mA]\r\n0,0,0\r\n");
  int lines = 0;
  for (const char *at = text; (at = strstr(at, "\r\n")) != NULL; at += 2) {
    lines++;
  }
  assert_int_equal(lines, 1 + 67 + 1); // the header, 0 to 66 times 0.3 ms, the end
  assert_true(read_file(w, "rlc.out/audit.json", text));
  assert_true(json_valid(text));
  expect_text(json_at(text, "status"), "\"ok\"");
  assert_near(strtod(json_at(text, "time/end"), NULL), 0.02, 1e-15);
  assert_near(strtod(json_at(text, "final/uC"), NULL), 5, 1e-2);
  assert_true(strtod(json_at(text, "energy/dissipated"), NULL) > 0);
  expect_text(text, "\"of\": \"L1.f\", \"at\": 0.00105");
}

static void json_is_the_audit(void **state) {
  world *w = *state;
  char text[OUTPUT_MAX];
  write_file(w, "rlc.xml", rlc);
  expect_code(w, "run --json -o some/where rlc.xml", EXIT_FINE);
  assert_true(read_file(w, "some/where/audit.json", text));
  assert_string_equal(w->out, text);
  expect_code(w, "run --quiet --output=some rlc.xml", EXIT_FINE);
  assert_string_equal(w->out, "");
  assert_true(exists(w, "some/results.csv"));
  expect_code(w, "check rlc.xml --json", EXIT_FINE);
  assert_true(json_valid(w->out));
  expect_code(w, "check rlc.xml", EXIT_FINE);
  expect_text(w->out, "C1");
}

static void states_are_the_default_outputs(void **state) {
  world *w = *state;
  char text[OUTPUT_MAX];
  write_file(w, "decay.xml",
             "<screwbond version='1' id='decay'><network domain='electric'><J0 id='node'/>"
             "<R id='R1' r='1 ohm'/><C id='C1' c='1 F' q0='2.385 C'/><bond from='node' to='R1'/>"
             "<bond from='node' to='C1'/></network><run t-end='1 s' sample='0.5 s'/></screwbond>");
  expect_code(w, "run decay.xml", EXIT_FINE);
  assert_true(read_file(w, "decay.out/results.csv", text));
  expect_text(text, "t [s],C1.q [C]\r\n0,2.385\r\n0.5,1.44");
}

static void options_override(void **state) {
  world *w = *state;
  write_file(w, "rlc.xml", rlc);
  expect_code(w,
              "run rlc.xml --json --t-end=25ms --method zonneveld-4 --step 1us "
              "--set R0=12ohm",
              EXIT_FINE);
  assert_near(strtod(json_at(w->out, "time/end"), NULL), 0.025, 1e-15);
  expect_text(json_at(w->out, "method"), "\"zonneveld-4\"");
  assert_near(strtod(json_at(w->out, "work/steps"), NULL), 25000, 20);
}

static void wrong_model_exits_2_and_writes_nothing(void **state) {
  world *w = *state;
  write_file(w, "rlc.xml", rlc);
  write_file(w, "bad.xml", "<screwbond version='1' id='x'>\n  <newtork/>\n</screwbond>\n");
  expect_code(w, "run bad.xml", EXIT_MODEL);
  expect_text(w->err, "bad.xml:2:");
  expect_text(w->err, "error[SB0201]");
  expect_text(w->err, "network");
  expect_code(w, "run bad.xml --json", EXIT_MODEL);
  *strchr(w->err, '\n') = '\0';
  assert_true(json_valid(w->err));
  expect_code(w, "check bad.xml", EXIT_MODEL);
  expect_code(w, "run rlc.xml --set nothing=1", EXIT_MODEL);
  write_file(w, "endless.xml",
             "<screwbond version='1' id='x'><network domain='electric'><Se id='s' effort='5 V'/>"
             "<C id='c' c='1 F'/><R id='r' r='1 ohm'/><J1 id='j'/><bond from='s' to='j'/>"
             "<bond from='j' to='c'/><bond from='j' to='r'/></network></screwbond>");
  expect_code(w, "run endless.xml", EXIT_MODEL);
  expect_text(w->err, "endless.xml: error[SB0203]: nothing tells how long to run");
  assert_false(exists(w, "endless.out"));
  expect_code(w, "run endless.xml --t-end 1s --set s.waveform=sine", EXIT_MODEL);
  expect_text(w->err, "Se 's': a sine needs a positive frequency");
  expect_code(w, "run endless.xml --t-end 1s", EXIT_FINE);
  assert_false(exists(w, "bad.out"));
  assert_false(exists(w, "rlc.out"));
}

/** Faults that only the geometry sees have codes of the solver, but nothing has run. */
static void contact_that_cannot_be_exits_2(void **state) {
  world *w = *state;
  write_file(w, "ball.xml",
             "<screwbond version='1' id='x'><materials>"
             "<material id='m' stiffness='1 1 1 N/m' spin-stiffness='1 N.m/rad'/></materials>"
             "<mechanism><body id='b' mass='1 kg' material='m'>"
             "<shape kind='sphere' radius='1 m'/></body><contact a='b' b='b'/></mechanism>"
             "</screwbond>");
  expect_code(w, "run ball.xml", EXIT_MODEL);
  expect_text(w->err, "error[SB0503]: a contact of 'b' with itself");
}

static void unknown_quantities_have_hints(void **state) {
  static const struct {
    const char *of, *hint;
  } rows[] = {{"m1.L1.f", "did you mean 'm1/L1.f'?"},
              {"contact(b,floor).gap", "did you mean 'contact(floor,b).gap'?"},
              {"suorce.f", "did you mean 'source'?"}};
  world *w = *state;
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
    write_file(w, "model.xml", text);
    expect_code(w, "run model.xml", EXIT_MODEL);
    expect_text(w->err, "there is no element");
    expect_text(w->err, rows[i].hint);
  }
}

static void solver_failure_exits_3_and_keeps_results(void **state) {
  world *w = *state;
  char text[OUTPUT_MAX];
  write_file(w, "rlc.xml", rlc);
  // From 1 ms on the currents are beyond all numbers.
  expect_code(w,
              "run rlc.xml --set src.effort=1e308V --set src.waveform=step "
              "--set src.start=1ms",
              EXIT_SOLVER);
  assert_true(read_file(w, "rlc.out/audit.json", text));
  assert_true(json_valid(text));
  expect_text(json_at(text, "status"), "\"solver-failed\"");
  assert_true(read_file(w, "rlc.out/results.csv", text));
  expect_text(text, "\r\n0.0009,0,0\r\n");
  expect_text(w->err, "error[SB0502]");
}

static void missed_expectation_exits_4(void **state) {
  world *w = *state;
  char text[OUTPUT_MAX];
  write_file(w, "rlc.xml", rlc);
  expect_code(w, "run rlc.xml --set src.effort=6V", EXIT_AUDIT);
  expect_text(w->err, "rlc.xml:12:");
  expect_text(w->err, "C1.e at 0.02 s: expected 5 within 0.01, actual ");
  assert_true(read_file(w, "rlc.out/audit.json", text));
  expect_text(json_at(text, "status"), "\"audit-failed\"");
  expect_code(w, "run rlc.xml --rtol 1e-3 --atol 1e-4", EXIT_AUDIT);
  expect_text(w->err, "the energy residual ");
  expect_code(w, "run rlc.xml --t-end 0.5ms --quiet", EXIT_AUDIT);
  expect_text(w->err, "expected 0, found nothing");
  char *tolerance = strstr(strcpy(text, rlc), " abs-tol='10 mV'");
  memset(tolerance, ' ', strlen(" abs-tol='10 mV'"));
  write_file(w, "rlc.xml", text);
  expect_code(w, "run rlc.xml --set src.effort=5.000113V", EXIT_AUDIT);
  expect_text(w->err, "give abs-tol or rel-tol");
}

static void files_in_the_way_exit_5(void **state) {
  world *w = *state;
  expect_code(w, "run missing.xml", EXIT_IO);
  expect_text(w->err, "missing.xml");
  write_file(w, "rlc.xml", rlc);
  write_file(w, "rlc.out", "a file");
  expect_code(w, "run rlc.xml", EXIT_IO);
  expect_text(w->err, "cannot make the folder rlc.out: Not a directory");
}

static void limits_exit_6(void **state) {
  world *w = *state;
  write_file(w, "rlc.xml", rlc);
  expect_code(w, "run rlc.xml --set run.max-steps=3", EXIT_LIMIT);
  expect_text(w->err, "error[SB0601]: more than 3 steps");
  assert_true(exists(w, "rlc.out/audit.json"));
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
static void interrupt_with(world *w, int signal_number) {
  char text[OUTPUT_MAX] = "";
  const struct timespec pause = {.tv_nsec = 10000000};
  write_file(w, "rlc.out/results.csv", ""); // of the run before
  pid_t child = start(w, "run rlc.xml --t-end 1e6 --json");
  for (int i = 0; i < 1000 && strlen(text) < 2000; i++) {
    (void)nanosleep(&pause, NULL);
    (void)read_file(w, "rlc.out/results.csv", text);
  }
  assert_int_equal(kill(child, signal_number), 0);
  assert_int_equal(finish(w, child), 128 + signal_number);
  assert_true(read_file(w, "rlc.out/audit.json", text));
  assert_true(json_valid(text));
  expect_text(json_at(text, "status"), "\"interrupted\"");
  assert_string_equal(w->out, text);
  assert_true(read_file(w, "rlc.out/results.csv", text));
  assert_true(strlen(text) >= 2000);
}

static void signals_end_a_run_tidily(void **state) {
  world *w = *state;
  write_file(w, "rlc.xml", rlc);
  expect_code(w, "run rlc.xml", EXIT_FINE); // makes the folder
  interrupt_with(w, SIGINT);
  interrupt_with(w, SIGTERM);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(usage_errors_exit_1, set_up, tear_down),
      cmocka_unit_test_setup_teardown(information_goes_to_stdout, set_up, tear_down),
      cmocka_unit_test_setup_teardown(good_run_writes_four_files, set_up, tear_down),
      cmocka_unit_test_setup_teardown(json_is_the_audit, set_up, tear_down),
      cmocka_unit_test_setup_teardown(states_are_the_default_outputs, set_up, tear_down),
      cmocka_unit_test_setup_teardown(options_override, set_up, tear_down),
      cmocka_unit_test_setup_teardown(wrong_model_exits_2_and_writes_nothing, set_up, tear_down),
      cmocka_unit_test_setup_teardown(contact_that_cannot_be_exits_2, set_up, tear_down),
      cmocka_unit_test_setup_teardown(unknown_quantities_have_hints, set_up, tear_down),
      cmocka_unit_test_setup_teardown(solver_failure_exits_3_and_keeps_results, set_up, tear_down),
      cmocka_unit_test_setup_teardown(missed_expectation_exits_4, set_up, tear_down),
      cmocka_unit_test_setup_teardown(files_in_the_way_exit_5, set_up, tear_down),
      cmocka_unit_test_setup_teardown(limits_exit_6, set_up, tear_down),
      cmocka_unit_test(every_status_has_its_code),
      cmocka_unit_test_setup_teardown(signals_end_a_run_tidily, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
