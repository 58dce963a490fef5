// SPDX-License-Identifier: GPL-3.0-or-later
#include "interrupt.h"

#include <signal.h>
#include <unistd.h>

#include "command.h"

// A handler reaches nothing but statics.
static volatile sig_atomic_t caught;
static sb_simulation *volatile running;

static void on_signal(int number) {
  if (running == NULL || caught != 0) {
    _exit(EXIT_SIGNAL + number);
  }
  caught = number;
  sb_simulation_interrupt(running);
}

static void handle_by(void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler};
  (void)sigemptyset(&action.sa_mask);
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
  handle_by(SIG_IGN);
  running = NULL;
  return caught;
}
