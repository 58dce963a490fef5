// SPDX-License-Identifier: GPL-3.0-or-later
#include "interrupt.h"

#include <signal.h>

// A handler reaches nothing but statics.
static volatile sig_atomic_t caught;
static sb_simulation *volatile watched;

static void on_signal(int number) {
  caught = number;
  if (watched != NULL) {
    sb_simulation_interrupt(watched);
  }
}

void interrupt_watch(sb_simulation *sim) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
  (void)sigemptyset(&action.sa_mask);
  caught = 0;
  watched = sim;
  (void)sigaction(SIGINT, &action, NULL);
  (void)sigaction(SIGTERM, &action, NULL);
}

int interrupt_finish(void) {
  watched = NULL;
  return caught;
}
