// SPDX-License-Identifier: GPL-3.0-or-later
// Netlists of the ladder of ladder.h, five elements a section, written out and by a repeat: time to
// read and to compile them, by element, and the memory that it takes at its peak. Each is measured in
// a process of its own, as often as ROUNDS says; times are medians.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/clock.h"
#include "bench/common.h"
#include "netlist/netlist.h"

enum { ROUNDS = 7, PER_SECTION = 5, LINE_MAX_BYTES = 512 };

static const char *const head =
    "<screwbond version=\"1\" id=\"ladder\"><network domain=\"electric\">"
    "<Se id=\"n0\" effort=\"1 V\"/>\n";
static const char *const tail = "<R id=\"load\" r=\"31.62 ohm\"/><bond from=\"n%d\" to=\"load\"/>"
                                "</network><run t-end=\"5 ms\"/></screwbond>\n";

static char *write_flat(int sections) {
  char *text = malloc((size_t)(sections + 4) * LINE_MAX_BYTES), *at = text;
  if (text == NULL) {
    bench_fail("out of memory");
  }
  at += sprintf(at, "%s", head);
  for (int k = 1; k <= sections; k++) {
    at += sprintf(at,
                  "<J1 id=\"m%d\"/><R id=\"R%d\" r=\"1 ohm\"/><I id=\"L%d\" l=\"1 mH\"/>"
                  "<J0 id=\"n%d\"/><C id=\"C%d\" c=\"1 uF\"/>"
                  "<bond from=\"n%d\" to=\"m%d\"/><bond from=\"m%d\" to=\"R%d\"/>"
                  "<bond from=\"m%d\" to=\"L%d\"/><bond from=\"m%d\" to=\"n%d\"/>"
                  "<bond from=\"n%d\" to=\"C%d\"/>\n",
                  k, k, k, k, k, k - 1, k, k, k, k, k, k, k, k, k);
  }
  (void)sprintf(at, tail, sections);
  return text;
}

static char *write_repeat(int sections) {
  char *text = malloc(4 * LINE_MAX_BYTES), *at = text;
  if (text == NULL) {
    bench_fail("out of memory");
  }
  at += sprintf(at, "%s", head);
  at += sprintf(at,
                "<repeat index=\"k\" count=\"%d\"><J1 id=\"m[k]\"/><R id=\"R[k]\" r=\"1 ohm\"/>"
                "<I id=\"L[k]\" l=\"1 mH\"/><J0 id=\"n[k]\"/><C id=\"C[k]\" c=\"1 uF\"/>"
                "<bond from=\"m[k]\" to=\"R[k]\"/><bond from=\"m[k]\" to=\"L[k]\"/>"
                "<bond from=\"m[k]\" to=\"n[k]\"/><bond from=\"n[k]\" to=\"C[k]\"/></repeat>"
                "<bond from=\"n0\" to=\"m[1]\"/><repeat index=\"k\" count=\"%d\">"
                "<bond from=\"n[k]\" to=\"m[k+1]\"/></repeat>\n",
                sections, sections - 1);
  (void)sprintf(at,
                "<R id=\"load\" r=\"31.62 ohm\"/><bond from=\"n[%d]\" to=\"load\"/></network>"
                "<run t-end=\"5 ms\"/></screwbond>\n",
                sections);
  return text;
}

typedef struct sample {
  double read, compile; // [s]
  long memory;          // [KiB] at its peak
  int elements, states;
} sample;

/** In the child. */
static sample load(const char *text) {
  sb_errors errors = {0};
  sb_netlist *netlist;
  double start = clock_now();
  if (sb_netlist_parse("ladder.xml", text, strlen(text), NULL, 0, &netlist, &errors) != SB_OK) {
    bench_fail("%s", errors.count > 0 ? errors.items[0].text : "out of memory");
  }
  double middle = clock_now();
  sb_model *model = bench_compile(netlist->graph);
  sample s = {.read = middle - start,
              .compile = clock_now() - middle,
              .elements = sb_model_element_count(model),
              .states = sb_model_state_count(model)};
  struct rusage usage;
  (void)getrusage(RUSAGE_SELF, &usage);
  s.memory = usage.ru_maxrss;
  return s;
}

static sample load_apart(const char *text) {
  int ends[2], status;
  sample s;
  (void)fflush(stdout);
  pid_t child = pipe(ends) == 0 ? fork() : -1;
  if (child == 0) {
    s = load(text);
    _exit(write(ends[1], &s, sizeof s) == sizeof s ? EXIT_SUCCESS : EXIT_FAILURE);
  }
  if (child < 0 || read(ends[0], &s, sizeof s) != sizeof s || waitpid(child, &status, 0) != child) {
    bench_fail("a process to measure in could not be made, or failed");
  }
  (void)close(ends[0]);
  (void)close(ends[1]);
  return s;
}

static void measure(const char *what, char *text, int sections) {
  double read[ROUNDS], compile[ROUNDS], all[ROUNDS];
  sample s = {0};
  for (int i = 0; i < ROUNDS; i++) {
    s = load_apart(text);
    read[i] = s.read;
    compile[i] = s.compile;
    all[i] = s.read + s.compile;
  }
  if (s.elements != PER_SECTION * sections + 2 || s.states != 2 * sections) {
    bench_fail("%d elements and %d states", s.elements, s.states);
  }
  double total = clock_median(all, ROUNDS);
  printf("%-12s %8d %10.4g %10.4g %10.4g %14.3g %10.1f\n", what, s.elements,
         1e3 * clock_median(read, ROUNDS), 1e3 * clock_median(compile, ROUNDS), 1e3 * total,
         1e6 * total / s.elements, (double)s.memory / 1024);
  free(text);
}

int main(void) {
  printf("netlist      elements  read [ms] compile [ms] both [ms]  by element [us]  peak [MiB]\n");
  for (int sections = 200; sections <= 20000; sections *= 10) {
    measure("written out", write_flat(sections), sections);
    measure("repeat", write_repeat(sections), sections);
  }
  return EXIT_SUCCESS;
}
