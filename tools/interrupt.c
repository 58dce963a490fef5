// SPDX-License-Identifier: GPL-3.0-or-later
#include "interrupt.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "command.h"

// [s] One wish to end may come as several signals at once: timeout(1) sends its own to the child and then to
// the group, a terminal repeats a key that is held. Who asks again because nothing happens does so later; a
// run that still steps then is stuck.
static const double insistence = 1;

// A handler reaches nothing but statics.
static volatile sig_atomic_t caught;
static sb_simulation *volatile running;
static struct timespec first; // when the first signal came

static double since_first(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now); // which a handler may call
  return (double)(now.tv_sec - first.tv_sec) + 1e-9 * (double)(now.tv_nsec - first.tv_nsec);
}

static void on_signal(int number) {
  if (running == NULL || (caught != 0 && since_first() > insistence)) {
    _exit(EXIT_SIGNAL + number);
  }
  if (caught == 0) {
    (void)clock_gettime(CLOCK_MONOTONIC, &first);
    caught = number;
    sb_simulation_interrupt(running);
  }
}

/** No handler interrupts another. */
static void handle_by(void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler};
  (void)sigemptyset(&action.sa_mask);
  (void)sigaddset(&action.sa_mask, SIGINT);
  (void)sigaddset(&action.sa_mask, SIGTERM);
  (void)sigaction(SIGINT, &action, NULL);
  (void)sigaction(SIGTERM, &action, NULL);
}

void interrupt_init(void) {
  handle_by(on_signal);
}

void interrupt_begin(sb_simulation *sim) {
  caught = 0;
  running = sim;
}

int interrupt_finish(void) {
  // For good: files that are half written help nobody, and SIGQUIT and SIGKILL are left.
  handle_by(SIG_IGN);
  running = NULL;
  return caught;
}
