// SPDX-License-Identifier: GPL-3.0-or-later
// How a command ends that is stopped or refused: signals while it reads, steps and samples; what becomes of
// the results of the run before, and of files that are no files; the times of samples.
#include <signal.h>
#include <time.h>

#include "tests/command.h"
#include "tests/json_check.h"
#include "tools/command.h"

static const char head[] = "<screwbond version='1' id='m'><network domain='electric'>"
                           "<C id='C1' c='1 F' q0='1 C'/><R id='R1' r='1 ohm'/><J0 id='n'/>"
                           "<I id='L1' l='1 H'/><bond from='n' to='L1'/>"
                           "<bond from='n' to='C1'/><bond from='n' to='R1'/></network>";

static void write_model(workplace *w, const char *times) {
  char text[2000];
  (void)snprintf(text, sizeof text, "%s%s<output of='C1.e'/></screwbond>", head, times);
  write_file(w->folder, "m.xml", text);
}

static void pause_for(long nanoseconds) {
  const struct timespec pause = {.tv_nsec = nanoseconds};
  (void)nanosleep(&pause, NULL);
}

/** The size of a file of the folder; -1: there is none. */
static long size_of(const workplace *w, const char *name) {
  struct stat info;
  char path[PATH_MAX_SIZE];
  join_path(path, w->folder, name);
  return stat(path, &info) == 0 ? (long)info.st_size : -1;
}

// ---- signals

/** A file of many elements, which takes seconds to read. */
static void write_large(const workplace *w) {
  char path[PATH_MAX_SIZE];
  join_path(path, w->folder, "large.xml");
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  (void)fputs("<screwbond version='1' id='large'><network domain='electric'>"
              "<Se id='s' effort='1 V'/><J0 id='n'/><bond from='s' to='n'/>\n",
              file);
  for (int i = 0; i < 90000; i++) {
    (void)fprintf(file, "<R id='R%d' r='%d ohm'/><bond from='n' to='R%d'/>\n", i, i + 1, i);
  }
  (void)fputs("</network><run t-end='1 s'/></screwbond>", file);
  assert_int_equal(fclose(file), 0);
}

/** Every command, in whatever it does before there are results. */
static void signals_stop_reading(void **state) {
  static const char *const commands_[] = {"run", "check", "graph", "linearize", "equilibrium"};
  workplace *w = *state;
  write_large(w);
  for (int i = 0; i < 5; i++) {
    for (int k = 0; k < (PLAIN ? 2 : 1); k++) {
      char line[100];
      int number = (i + k) % 2 == 0 ? SIGINT : SIGTERM;
      (void)snprintf(line, sizeof line, "%s large.xml", commands_[i]);
      pid_t child = start_command(w, line);
      while (size_of(w, "stderr") != 0) { // of the command before
        pause_for(1000000);
      }
      pause_for(PLAIN ? 80000000 : 300000000); // its handler is set, and it reads
      assert_int_equal(kill(child, number), 0);
      assert_int_equal(finish_command(w, child), EXIT_SIGNAL + number);
      assert_string_equal(w->out, "");
      assert_int_equal(size_of(w, "large.out/results.csv"), -1);
    }
  }
}

/** A signal to a run, once its results have this size. */
static void interrupt(workplace *w, const char *times, long size, int number) {
  write_model(w, times);
  write_file(w->folder, "m.out/results.csv", "");
  pid_t child = start_command(w, "run m.xml --json");
  while (size_of(w, "m.out/results.csv") < size) {
    pause_for(1000000);
  }
  pause_for(20000000);
  assert_int_equal(kill(child, number), 0);
  assert_int_equal(finish_command(w, child), EXIT_SIGNAL + number);
  assert_contains(json_at(w->out, "status"), "\"interrupted\"");
  const char *text = file_text(w, "m.out/audit.json");
  assert_string_equal(w->out, text);
  text = file_text(w, "m.out/results.csv");
  assert_string_equal(text + strlen(text) - 2, "\r\n"); // no line is cut
}

static void signals_stop_stepping_and_sampling(void **state) {
  workplace *w = *state;
  write_model(w, "<run t-end='1 ms'/>");
  expect_code(w, "run m.xml", EXIT_FINE); // makes the folder
  interrupt(w, "<run t-end='1e6 s' method='dormand-prince-5' sample='1e6 s'/>", 10, SIGINT);
  interrupt(w, "<run t-end='90 s' method='kvaerno-5' max-step='1 us' sample='90 s'/>", 10, SIGTERM);
  interrupt(w, "<run t-end='90 s' method='discrete-gradient' step='1 us' sample='90 s'/>", 10,
            SIGINT);
  interrupt(w, "<run t-end='0.5 s' sample='1e-12 s'/>", 5000, SIGTERM);
  interrupt(w, "<run t-end='0.5 s' method='kvaerno-5' sample='1e-12 s'/>", 5000, SIGINT);
}

/** Two signals at once, as timeout(1) sends them: the results are there, and the first one tells the code. The process is
 *  stopped meanwhile, so that both are due when it goes on, SIGINT first by its number. */
static void two_signals_at_once_are_one(void **state) {
  workplace *w = *state;
  int status;
  write_model(w, "<run t-end='1e6 s' method='dormand-prince-5' sample='1e6 s'/>");
  pid_t child = start_command(w, "run m.xml");
  while (size_of(w, "m.out/results.csv") < 10) {
    pause_for(1000000);
  }
  pause_for(20000000);
  assert_int_equal(kill(child, SIGSTOP), 0);
  assert_int_equal(waitpid(child, &status, WUNTRACED), child);
  assert_int_equal(kill(child, SIGTERM), 0);
  assert_int_equal(kill(child, SIGINT), 0);
  assert_int_equal(kill(child, SIGCONT), 0);
  assert_int_equal(finish_command(w, child), EXIT_SIGNAL + SIGINT);
  assert_contains(
      w->err, "screwbond: interrupted; the results so far are in m.out\n   hint: it was at t = ");
  assert_contains(file_text(w, "m.out/audit.json"), "\"status\": \"interrupted\"");
  assert_contains(file_text(w, "m.out/audit.txt"), "interrupted");
  assert_contains(file_text(w, "m.out/events.csv"), "t [s]");
}

// ---- files

/** Results of a run stay as long as no other has begun. */
static void old_results_survive_what_cannot_start(void **state) {
  static const char *const runs[] = {
      "<run t-end='1 ms' sample='1e-300 s'/>",                // refused when read
      "<run t-end='1 ms'/><output of='C9.e'/>",               // when outputs are looked up
      "<run t-end='1 ms' max-step='1 ns' method='no-such'/>", // a method
      ("<run t-end='1 ms' inconsistent='refuse'/><network><C id='C2' c='1 F' q0='2 C'/>"
       "<bond from='n' to='C2'/></network>"), // when it starts
  };
  workplace *w = *state;
  char path[PATH_MAX_SIZE];
  write_model(w, "<run t-end='1 ms' sample='0.1 ms'/>");
  expect_code(w, "run m.xml", EXIT_FINE);
  char *results = read_file(w->folder, "m.out/results.csv");
  char *audit = read_file(w->folder, "m.out/audit.json");
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    write_model(w, runs[i]);
    assert_int_not_equal(run_command(w, "run m.xml"), EXIT_FINE);
    assert_string_equal(file_text(w, "m.out/results.csv"), results);
    assert_string_equal(file_text(w, "m.out/audit.json"), audit);
  }
  write_model(w, "<run t-end='1 ms' sample='0.1 ms'/>");
  join_path(path, w->folder, "m.out/events.csv");
  assert_int_equal(unlink(path), 0);
  assert_int_equal(mkfifo(path, 0666), 0); // a file of the new run that cannot be written
  expect_code(w, "run m.xml", EXIT_IO);
  assert_contains(w->err, "cannot write m.out/events.csv: it is a pipe");
  assert_string_equal(file_text(w, "m.out/results.csv"), results);
  assert_string_equal(file_text(w, "m.out/audit.json"), audit);
  free(results);
  free(audit);
}

static void drawings_replace_only_files(void **state) {
  workplace *w = *state;
  char path[PATH_MAX_SIZE], real[PATH_MAX_SIZE];
  struct stat info;
  write_model(w, "<run t-end='1 ms'/>");
  expect_code(w, "graph m.xml -o drawing", EXIT_FINE);
  expect_code(w, "graph m.xml -o drawing", EXIT_FINE); // a file is replaced
  assert_contains(file_text(w, "drawing"), "digraph");
  join_path(real, w->folder, "drawing");
  join_path(path, w->folder, "pipe");
  assert_int_equal(mkfifo(path, 0666), 0);
  expect_code(w, "graph m.xml -o pipe", EXIT_IO);
  assert_contains(w->err, "cannot write pipe: it is a pipe");
  assert_int_equal(lstat(path, &info), 0);
  assert_true(S_ISFIFO(info.st_mode));
  join_path(path, w->folder, "link");
  assert_int_equal(symlink(real, path), 0);
  expect_code(w, "graph m.xml -o link", EXIT_IO);
  assert_contains(w->err, "cannot write link: it is a symbolic link");
  assert_int_equal(lstat(path, &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  expect_code(w, "graph m.xml -o m.out/..", EXIT_IO); // and nothing stays behind
  assert_int_equal(size_of(w, "drawing.tmp"), -1);
  assert_int_equal(size_of(w, "link.tmp"), -1);
}

// ---- samples

static void times_are_multiples_in_decimal(void **state) {
  static const struct {
    const char *run, *text;
  } rows[] = {
      {"<run t-end='1 s' sample='0.1 s'/>", "\r\n0.3,"},
      {"<run t-end='1 s' sample='0.1 s'/>", "\r\n0.7,"},
      {"<run t-end='1 ms' sample='10 us'/>", "\r\n7e-05,"},
      {"<run t-end='0.9 ms' sample='1e-1 ms'/>", "\r\n0.0006,"},
      {"<run t-start='0.7 s' t-end='1 s' sample='100 ms'/>", "\r\n0.8,"},
  };
  workplace *w = *state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    write_model(w, rows[i].run);
    (void)run_command(w, "run m.xml");
    assert_contains(file_text(w, "m.out/results.csv"), rows[i].text);
  }
}

static void too_many_samples_are_refused_with_their_place(void **state) {
  static const struct {
    const char *run, *text;
  } rows[] = {
      {"<run t-end='1 s' sample='1e-300 s'/>", "sample must be from 1e-100 to 1e+100"},
      {"<run t-end='1 year' sample='1 us'/>", "more than 1e+12 samples"},
      {"<run t-end='1 s' sample='1e-16 s'/>", "more than 1e+12 samples"},
      {"<run t-start='1e9 s' t-end='1000000001 s' sample='1 ns'/>",
       "times near t = 1e+09 s are rounded to"},
  };
  workplace *w = *state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    write_model(w, rows[i].run);
    expect_code(w, "check m.xml", EXIT_MODEL);
    assert_contains(w->err, "m.xml:1:");
    if (strstr(rows[i].run, "year") == NULL) { // a unit of its own
      assert_contains(w->err, rows[i].text);
    }
    const char *first = strstr(w->err, "error[SB");
    assert_true(first != NULL && strstr(first + 1, "error[SB") == NULL); // one fault, one error
  }
  write_model(w, "<run t-end='1 s' sample='1 ns'/>");
  expect_code(w, "run m.xml --t-end 1e9", EXIT_USAGE);
  assert_contains(w->err, "--t-end '1e9': a sample every 1e-09 s until t = 1e+09 s");
}

/** A clock whose events are too many, or closer than the rounding of the time, is refused as samples of the run are. */
static void clocks_too_fast_are_refused_with_their_place(void **state) {
  static const struct {
    const char *element, *run, *text, *place;
  } rows[] = {
      {"<SampleHold id='h' of='sin(t/1[s])' period='1e-15 s'/>", "<run t-end='1 s'/>",
       "SampleHold 'h': a sample every 1e-15 s until t = 1 s: more than 100000000 samples",
       "m.xml:1:102: "},
      {"<SampleHold id='h' of='sin(t/1[s])' period='20 ns'/>",
       "<run t-start='1e9 s' t-end='1000000001 s'/>",
       "SampleHold 'h': a sample every 2e-08 s: times near t = 1e+09 s are rounded to",
       "m.xml:1:102: "},
      {"<Switch id='w' times='0 1e-15 s' period='3e-15 s'/>", "<run t-end='1 s'/>",
       "Switch 'w': a change every 1.5e-15 s until t = 1 s: more than 100000000 changes",
       "m.xml:1:"},
      {"<SampleHold id='h' of='sin(t/1[s])' period='1 ms'/>", "<run t-end='1 s' max-steps='999'/>",
       "SampleHold 'h': a sample every 0.001 s until t = 1 s: more than 999 samples",
       "m.xml:1:102: "},
      {"<Delay id='h' of='sin(t/1[s])' delay='1e-15 s'/>", "<run t-end='1 s'/>",
       "Delay 'h': a step every 1e-15 s until t = 1 s: more than 100000000 steps", "m.xml:1:96: "},
  };
  workplace *w = *state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[900];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><network domain='electric'>%s<Sf id='s' "
                   "flow='2 A'/><C id='C' c='1 F'/><J0 id='j'/><bond from='s' to='j'/>"
                   "<bond from='j' to='C'/>%s</network>%s"
                   "</screwbond>",
                   rows[i].element,
                   strstr(rows[i].element, "Switch") == NULL ? "" : "<bond from='j' to='w'/>",
                   rows[i].run);
    write_file(w->folder, "m.xml", text);
    for (int k = 0; k < 2; k++) {
      expect_code(w, k == 0 ? "check m.xml" : "run m.xml", EXIT_MODEL);
      assert_contains(w->err, rows[i].text);
      assert_contains(w->err, rows[i].place);
    }
  }
}

/** Sines that drive something must not have more periods than steps may be taken, nor expressions more kinks that come again and
 *  again; a sine that is only read may, and so may what stands still. */
static void sines_too_fast_are_refused_with_their_place(void **state) {
  static const struct {
    const char *elements, *run, *text; // text: NULL: it runs
  } rows[] = {
      {"<Se id='s' waveform='sine' effort='2 V' frequency='1e20 Hz'/>", "<run t-end='1 s'/>",
       "Se 's': a period every 1e-20 s until t = 1 s: more than 100000000 periods"},
      {"<Se id='s' effort='2[V]*sin(1e20[rad/s]*t)^2'/>", "<run t-end='1 s'/>",
       "Se 's': a period every 6.28318531e-20 s until t = 1 s: more than 100000000 periods"},
      {"<signal id='q' value='sin(1e20[rad/s]*t)'/><Se id='s' effort='2[V]*q'/>",
       "<run t-end='1 s'/>",
       "signal 'q': a period every 6.28318531e-20 s until t = 1 s: more than 100000000 periods"},
      {"<signal id='q' rate='1[1/s]*cos(1e20[rad/s]*t)'/><Se id='s' effort='2 V'/>",
       "<run t-end='1 s'/>", "signal 'q': a period every 6.28318531e-20 s until t = 1 s"},
      {"<Se id='s' waveform='sine' effort='2 V' frequency='1 kHz'/>",
       "<run t-end='1 s' max-steps='999'/>", "a period every 0.001 s until t = 1 s: more than 999"},
      {"<Se id='s' waveform='sine' effort='2 V' frequency='100 MHz'/>",
       "<run t-start='1e9 s' t-end='1000000000.5 s'/>",
       "Se 's': a period every 1e-08 s: times near t = 1e+09 s are rounded to"},
      {"<signal id='q' value='sin(1e20[rad/s]*t)'/><Se id='s' effort='2 V'/>", "<run t-end='1 s'/>",
       NULL},
      {"<Se id='s' effort='2[V]*cos(0[rad/s]*t)'/>", "<run t-end='1 s'/>", NULL},
      {"<Se id='s' effort='2[V]*(t/1[s] - 1e-20*floor(t/1e-20[s]))'/>", "<run t-end='1 s'/>",
       "Se 's': a kink every 1e-20 s until t = 1 s: more than 100000000 kinks"},
      {"<Se id='s' effort='if(mod(t, 1[ps]) &lt; 0.3[ps], 1[V], 0[V])'/>", "<run t-end='1 s'/>",
       "Se 's': a kink every 1e-12 s until t = 1 s: more than 100000000 kinks"},
      {"<signal id='q' value='ceil(t/1[ps])'/><Se id='s' effort='2 V'/>", "<run t-end='1 s'/>",
       "signal 'q': a kink every 1e-12 s until t = 1 s: more than 100000000 kinks"},
      {"<Se id='s' effort='2[V]*floor(t/1[ms])'/>", "<run t-end='1 s'/>", NULL},
  };
  workplace *w = *state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[900];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='m'><network domain='electric'>%s<R id='R' r='1 ohm'/>"
        "<C id='C' c='1 F'/><J1 id='j'/><bond from='s' to='j'/><bond from='j' to='R'/>"
        "<bond from='j' to='C'/></network>%s</screwbond>",
        rows[i].elements, rows[i].run);
    write_file(w->folder, "m.xml", text);
    for (int k = 0; k < 2; k++) {
      expect_code(w, k == 0 ? "check m.xml" : "run m.xml",
                  rows[i].text == NULL ? EXIT_FINE : EXIT_MODEL);
      if (rows[i].text != NULL) {
        assert_contains(w->err, rows[i].text);
        assert_contains(w->err, "m.xml:1:58: ");
      }
    }
  }
}

/** A source or signal whose expression of the time ends, or has a pole, at t = 0.5 s ends the run by name, with its place and what to do;
 *  a run to 0.5 s has it where the value there is a number. */
static void expressions_that_end_are_named(void **state) {
  static const struct {
    const char *expression;
    bool last; // it has a value at 0.5 s
  } rows[] = {{"sqrt(1 - 2*t/1[s])", true}, {"log(1 - 2*t/1[s])", false},
              {"asin(2*t/1[s])", true},     {"(1 - 2*t/1[s])^0.5", true},
              {"1/(1 - 2*t/1[s])", false},  {"1/log(2*t/1[s])", false}};
  workplace *w = *state;
  for (size_t i = 0; i < 4 * sizeof rows / sizeof *rows; i += THOROUGH ? 1 : 3) {
    char text[900];
    const char *e = rows[i / 4].expression;
    const bool signal = i % 2, whole = i / 2 % 2 || !rows[i / 4].last;
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><network domain='electric'>\n%s%s%s"
                   "\n<R id='R' r='1 ohm'/><C id='C' c='20 mF'/><J1 id='j'/><bond from='S' to='j'/>"
                   "<bond from='j' to='R'/><bond from='j' to='C'/></network>"
                   "<run t-end='%s s'/></screwbond>",
                   signal ? "<signal id='s' value='1[V]*" : "<Se id='S' effort='1[V]*", e,
                   signal ? "'/>\n<Se id='S' effort='s'/>" : "'/>", whole ? "1" : "0.5");
    write_file(w->folder, "m.xml", text);
    const int code = run_command(w, "run m.xml");
    assert_int_equal(code, whole ? EXIT_SOLVER : EXIT_FINE);
    if (code == EXIT_SOLVER) {
      assert_contains(w->err, "m.xml:2:1: error[SB0502]: ");
      assert_contains(w->err,
                      signal ? "'s' g" : "'S' g"); // gives or gave no finite number, or grows
      assert_contains(w->err, " t = 0.5 s");
      assert_contains(w->err, "let the run end before");
    }
  }
}

/** What only an output reads stops no run: u = log(2.1 - q) with q(t) = t is not-a-number from 2.1 s on. */
static void outputs_without_a_value_are_named(void **state) {
  static const char model[] =
      "<screwbond version='1' id='m'><network domain='electric'><Sf id='s' flow='1 A'/>"
      "<C id='C' c='1 F'/><bond from='s' to='C'/>\n<signal id='q' of='C.e'/>"
      "<signal id='u' value='log(2.1 - q/1[V])'/><signal id='p' value='sqrt(t/1[s])'/></network>"
      "<run t-end='%s s' sample='0.25 s'/>\n<output of='C.e'/><output id='mine' of='u'/>"
      "<output of='p'/></screwbond>";
  workplace *w = *state;
  char text[900];
  (void)snprintf(text, sizeof text, model, "3");
  write_file(w->folder, "m.xml", text);
  expect_code(w, "run m.xml", EXIT_FINE);
  assert_contains(
      w->err,
      "m.xml:3:41: warning[SB0502]: the output 'mine' is no finite number, first at t = 2.25");
  assert_null(strstr(w->err, "output 'C.e' is"));
  assert_null(strstr(w->err, "output 'p' is"));
  (void)snprintf(text, sizeof text, model, "1.75");
  write_file(w->folder, "m.xml", text);
  expect_code(w, "run m.xml", EXIT_FINE);
  assert_null(strstr(w->err, "warning"));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_workplace, tear_down_workplace)
  const struct CMUnitTest tests[] = {
      TEST(signals_stop_reading),
      TEST(signals_stop_stepping_and_sampling),
      TEST(two_signals_at_once_are_one),
      TEST(old_results_survive_what_cannot_start),
      TEST(drawings_replace_only_files),
      TEST(times_are_multiples_in_decimal),
      TEST(too_many_samples_are_refused_with_their_place),
      TEST(clocks_too_fast_are_refused_with_their_place),
      TEST(sines_too_fast_are_refused_with_their_place),
      TEST(expressions_that_end_are_named),
      TEST(outputs_without_a_value_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
