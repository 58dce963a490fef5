// SPDX-License-Identifier: GPL-3.0-or-later
// The ladder of ladder.h by the command screwbond and by ngspice, whole processes from the netlist to
// 51 samples of up to 14 voltages in a file: processor time at the same error. The error is the
// largest of these voltages at 5 ms against fehlberg-8 at rtol 1e-12, which for 10 and 100 sections is
// held against the exponential of the matrix. ngspice is held to steps of 1 us, as its users do, and
// of 0.2 us; screwbond takes the loosest rtol of 1e-3, 3e-4, 1e-4, ... that is no less exact. Skipped
// (77) where ngspice is not installed.
//   bench_ngspice COMMAND
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/clock.h"
#include "bench/common.h"
#include "bench/ladder.h"

static const double t_end = 5e-3; // [s]
enum { NODES = 14, SKIPPED = 77, LINE = 1 << 12, EXPONENTIAL_MAX = 100 };
static const int places[NODES] = {1, 2, 3, 5, 7, 10, 14, 20, 28, 40, 57, 80, 113, 150};

static int node_count(int sections) {
  int count = 0;
  while (count < NODES && places[count] <= sections) {
    count++;
  }
  return count;
}

static FILE *open_file(const char *name, const char *mode) {
  FILE *file = fopen(name, mode);
  if (file == NULL) {
    bench_fail("%s cannot be opened", name);
  }
  return file;
}

static void write_spice(int sections, const char *longest) {
  FILE *f = open_file("ladder.cir", "w");
  (void)fprintf(f, "ladder\nV1 n0 0 1\n");
  for (int k = 1; k <= sections; k++) {
    (void)fprintf(f, "R%d n%d m%d 1\nL%d m%d n%d 1m\nC%d n%d 0 1u\n", k, k - 1, k, k, k, k, k, k);
  }
  (void)fprintf(f, "Rload n%d 0 31.62\n.tran 0.1m 5m 0 %s uic\n.save", sections, longest);
  for (int i = 0; i < node_count(sections); i++) {
    (void)fprintf(f, " v(n%d)", places[i]);
  }
  (void)fprintf(f, "\n.control\nset numdgt=12\nset wr_singlescale\nrun\nlinearize\n"
                   "wrdata spice.txt");
  for (int i = 0; i < node_count(sections); i++) {
    (void)fprintf(f, " v(n%d)", places[i]);
  }
  (void)fprintf(f, "\nquit\n.endc\n.end\n");
  (void)fclose(f);
}

static void write_netlist(int sections, double rtol) {
  FILE *f = open_file("ladder.xml", "w");
  (void)fprintf(
      f,
      "<screwbond version=\"1\" id=\"ladder\"><network domain=\"electric\"><Se id=\"n0\" "
      "effort=\"1 V\"/><repeat index=\"k\" count=\"%d\"><J1 id=\"m[k]\"/><J0 id=\"n[k]\"/>"
      "<R id=\"R[k]\" r=\"1 ohm\"/><I id=\"L[k]\" l=\"1 mH\"/><C id=\"C[k]\" c=\"1 uF\"/>"
      "<bond from=\"m[k]\" to=\"R[k]\"/><bond from=\"m[k]\" to=\"L[k]\"/>"
      "<bond from=\"m[k]\" to=\"n[k]\"/><bond from=\"n[k]\" to=\"C[k]\"/></repeat>"
      "<bond from=\"n0\" to=\"m[1]\"/><repeat index=\"k\" count=\"%d\">"
      "<bond from=\"n[k]\" to=\"m[k+1]\"/></repeat><R id=\"load\" r=\"31.62 ohm\"/>"
      "<bond from=\"n[%d]\" to=\"load\"/></network>\n<run t-end=\"5 ms\" sample=\"0.1 ms\" "
      "rtol=\"%g\" atol=\"%g\"/>\n",
      sections, sections - 1, sections, rtol, rtol * ladder_capacitance * ladder_step);
  for (int i = 0; i < node_count(sections); i++) {
    (void)fprintf(f, "<output of=\"C[%d].e\"/>\n", places[i]);
  }
  (void)fprintf(f, "<audit residual=\"0.1\"/></screwbond>\n"); // as loose as the rtol
  (void)fclose(f);
}

/** Processor time of a command that must succeed [s]; -1 if there is no such program. */
static double run_command(char *const arguments[]) {
  int status;
  struct rusage usage;
  (void)fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    int nowhere = open("/dev/null", O_RDWR);
    (void)dup2(nowhere, 0);
    (void)dup2(nowhere, 1);
    (void)dup2(nowhere, 2);
    (void)execvp(arguments[0], arguments);
    _exit(127);
  }
  struct rusage before;
  (void)getrusage(RUSAGE_CHILDREN, &before);
  if (child < 0 || waitpid(child, &status, 0) != child) {
    bench_fail("%s could not be run", arguments[0]);
  }
  (void)getrusage(RUSAGE_CHILDREN, &usage);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
    return -1;
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    bench_fail("%s failed", arguments[0]);
  }
  return (double)(usage.ru_utime.tv_sec - before.ru_utime.tv_sec) +
         (double)(usage.ru_stime.tv_sec - before.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec - before.ru_utime.tv_usec) +
         1e-6 * (double)(usage.ru_stime.tv_usec - before.ru_stime.tv_usec);
}

/** Largest error of the last line of a file: the time, then the voltages. */
static double error_of(const char *name, const double expected[], int count) {
  static char line[LINE], last[LINE];
  FILE *f = open_file(name, "r");
  while (fgets(line, sizeof line, f) != NULL) {
    memcpy(last, line, sizeof last);
  }
  (void)fclose(f);
  char *at = last;
  double worst = fabs(strtod(at, &at) - t_end) < 1e-12 ? 0 : NAN;
  for (int i = 0; i < count; i++) {
    at += *at == ',';
    worst = fmax(worst, fabs(strtod(at, &at) - expected[i]));
  }
  return worst;
}

typedef struct figure {
  double seconds, error; // [s, V]
} figure;

static figure measure(char *const arguments[], const char *file, const double expected[],
                      int count) {
  enum { MOST = 15 };
  double times[MOST], sum = 0;
  int rounds = 0;
  while (rounds < MOST && (rounds < 1 || sum < 2)) {
    times[rounds] = run_command(arguments);
    sum += times[rounds++];
  }
  return (figure){clock_median(times, rounds), error_of(file, expected, count)};
}

/** Voltages at the end by the library itself, in another method than those compared. */
static void reference(int sections, double voltage[]) {
  sb_graph *graph = ladder_graph(sections, ladder_inductance, 0);
  sb_model *model = bench_compile(graph);
  sb_simulation *sim = bench_simulation(model, "fehlberg-8", 1e-12, 1e-18);
  sb_error err;
  bench_must(sb_simulation_advance(sim, t_end, &err), &err);
  for (int i = 0; i < node_count(sections); i++) {
    voltage[i] = sb_simulation_state(sim)[2 * places[i] - 1] / ladder_capacitance;
  }
  sb_simulation_destroy(sim);
  sb_model_destroy(model);
  sb_graph_destroy(graph);
}

static void multiply(int n, const double a[], const double b[], double c[]) {
  memset(c, 0, (size_t)(n * n) * sizeof *c);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n; k++) {
      double factor = a[i * n + k];
      for (int j = 0; j < n && factor != 0; j++) {
        c[i * n + j] += factor * b[k * n + j];
      }
    }
  }
}

/** exp(A) by its series for A/2^s, squared s times; A is overwritten. (n x n) each */
static void exponential(int n, int s, double a[], double sum[], double term[], double next[]) {
  enum { TERMS = 20 };
  for (int i = 0; i < n * n; i++) {
    a[i] = ldexp(a[i], -s);
    sum[i] = term[i] = i % (n + 1) == 0;
  }
  for (int k = 1; k <= TERMS; k++) {
    multiply(n, a, term, next);
    for (int i = 0; i < n * n; i++) {
      term[i] = next[i] / k;
      sum[i] += term[i];
    }
  }
  for (int k = 0; k < s; k++) {
    multiply(n, sum, sum, next);
    memcpy(sum, next, (size_t)(n * n) * sizeof *sum);
  }
}

/** The same voltages from currents times sqrt(L/C), voltages, and a constant 1 as state. */
static void check_reference(int sections, const double voltage[]) {
  int n = 2 * sections + 1;
  double *a = bench_zeros(4 * n * n), *exp_a = a + n * n;
  double rate = t_end / sqrt(ladder_inductance * ladder_capacitance), worst = 0;
  for (int k = 0; k < sections; k++) {
    int i = 2 * k, u = i + 1;
    a[i * n + i] = -ladder_resistance / ladder_inductance * t_end;
    a[i * n + u] = -rate;
    a[i * n + (k > 0 ? u - 2 : n - 1)] = rate * (k > 0 ? 1 : ladder_step);
    a[u * n + i] = rate;
    a[u * n + (k < sections - 1 ? i + 2 : u)] =
        k < sections - 1 ? -rate : -t_end / (ladder_load * ladder_capacitance);
  }
  exponential(n, 12, a, exp_a, a + 2 * n * n, a + 3 * n * n);
  for (int i = 0; i < node_count(sections); i++) {
    worst = fmax(worst, fabs(exp_a[(2 * places[i] - 1) * n + n - 1] - voltage[i]));
  }
  printf("%8d  the reference differs from the exponential of the matrix by %.1g V\n", sections,
         worst);
  if (!(worst < 1e-9)) {
    bench_fail("which is too much");
  }
  free(a);
}

static void compare(int sections, const char *longest, char *command, const double expected[]) {
  char *spice[] = {"ngspice", "-b", "ladder.cir", NULL};
  char *ours[] = {command, "run", "ladder.xml", NULL};
  int count = node_count(sections);
  figure a, b = {0, HUGE_VAL};
  double rtol = 0;
  write_spice(sections, longest);
  a = measure(spice, "spice.txt", expected, count);
  for (int i = 0; i < 16 && !(b.error <= a.error); i++) {
    rtol = (i % 2 == 0 ? 1e-3 : 3e-4) * pow(10, -(i / 2));
    write_netlist(sections, rtol);
    (void)run_command(ours);
    b.error = error_of("ladder.out/results.csv", expected, count);
  }
  b = measure(ours, "ladder.out/results.csv", expected, count);
  printf("%8d %8s %12.1f %10.1g   %7.0e %12.1f %10.1g %9.1f\n", sections, longest, 1e3 * a.seconds,
         a.error, rtol, 1e3 * b.seconds, b.error, a.seconds / b.seconds);
}

int main(int argc, char *argv[]) {
  static const int sizes[] = {10, 100, 1000, 10000};
  char *const spice[] = {"ngspice", "--version", NULL};
  char folder[] = "/tmp/bench_ngspice_XXXXXX";
  if (argc != 2 || argv[1][0] != '/') {
    bench_fail("usage: bench_ngspice COMMAND, with its whole path");
  }
  char *command = argv[1];
  if (run_command(spice) < 0) {
    printf("skipped: ngspice is not installed\n");
    return SKIPPED;
  }
  if (mkdtemp(folder) == NULL || chdir(folder) != 0) {
    bench_fail("no folder to work in");
  }
  printf("sections    steps ngspice [ms]  error [V]      rtol    ours [ms]  error [V]   times "
         "faster\n");
  for (int i = 0; i < 4; i++) {
    double expected[NODES];
    reference(sizes[i], expected);
    if (sizes[i] <= EXPONENTIAL_MAX) {
      check_reference(sizes[i], expected);
    }
    compare(sizes[i], "1u", command, expected);
    if (sizes[i] <= 1000) { // ten thousand would take ngspice minutes
      compare(sizes[i], "0.2u", command, expected);
    }
  }
  printf("The files are in %s.\n", folder);
  return EXIT_SUCCESS;
}
