// SPDX-License-Identifier: GPL-3.0-or-later
// screwbond, the command.
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "interrupt.h"
#include "screwbond.h"

static const char *const tables[] = {"kinds",    "methods",   "joints",  "laws",  "materials",
                                     "surfaces", "functions", "domains", "units", NULL};

const command commands[] = {
    {"run", "MODEL.xml", NULL,
     "--output --set --t-end --method --rtol --atol --step --quiet --json",
     "simulate; write the results, the events and the energy ledger into a folder", run_model},
    {"check", "MODEL.xml", NULL, "--set --equations --latex --json",
     "validate, compile and report the structure; no run", check_model},
    {"graph", "MODEL.xml", NULL, "--set --output --svg --json",
     "draw the bond graph with its causality, as text for Graphviz or as SVG", graph_model},
    {"linearize", "MODEL.xml", NULL,
     "--set --at --equilibrium --input --output --frequencies --sweep --json",
     "matrices, modes and frequency response about an operating point", linearize_model},
    {"equilibrium", "MODEL.xml", NULL, "--set --at --output --json",
     "where the model rests: its states, outputs and the efforts at its ports", find_equilibrium},
    {"restitution", NULL, NULL,
     "--law --set --mass --speeds --sweep --restitution --at --output --svg",
     "the coefficient of restitution of a normal law against the speed of impact",
     restitution_of_law},
    {"help", "[KIND]", NULL, "", "the element kinds, or one with its parameters and an example",
     help_kinds},
    {"list", "kinds|methods|joints|laws|materials|surfaces|functions|domains|units", tables, "",
     "the names of a table", list_names},
    {0},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands - 1 };

static int usage(void) {
  (void)puts(
      "screwbond simulates port-Hamiltonian bond graphs and checks the energy balance of every "
      "run.\n");
  for (const command *c = commands; c->name != NULL; c++) {
    (void)printf("  screwbond %s%s%s%s\n      %s\n", c->name, c->operand != NULL ? " " : "",
                 c->operand != NULL ? c->operand : "", c->options[0] != '\0' ? " [OPTION]..." : "",
                 c->help);
  }
  (void)puts("\nscrewbond COMMAND --help lists the options of a command; --version the version.\n"
             "Exit codes: 0 ok, 1 usage, 2 the model is wrong, 3 the solver failed, 4 the audit or "
             "an\nexpectation failed, 5 input or output, 6 a limit, 70 a bug, 128+n signal n.");
  return EXIT_FINE;
}

static int command_usage(const command *c) {
  (void)printf("screwbond %s%s%s%s\n  %s\n\n", c->name, c->operand != NULL ? " " : "",
               c->operand != NULL ? c->operand : "", c->options[0] != '\0' ? " [OPTION]..." : "",
               c->help);
  options_print(c);
  return EXIT_FINE;
}

static int unknown_command(const char *name) {
  const size_t length = strlen(name);
  if (length > 4 && strcmp(name + length - 4, ".xml") == 0) {
    char hint[200];
    (void)snprintf(hint, sizeof hint, "did you mean screwbond run %.160s?", name);
    return complain_usage(hint, "unknown command %s", name);
  }
  sb_suggestion names = sb_suggestion_start(name);
  for (int i = 0; i < COMMAND_COUNT; i++) {
    (void)sb_suggestion_offer(&names, commands[i].name);
  }
  return complain_unknown(name[0] == '-' ? "option" : "command", &names,
                          "screwbond --help lists the commands");
}

static int run_command(const command *c, int argc, char *argv[]) {
  arguments args;
  int code = arguments_parse(c, argc, argv, &args);
  if (code == EXIT_FINE) {
    code = args.help ? command_usage(c) : c->run(&args);
  }
  arguments_finish(&args);
  return code;
}

static int dispatch(int argc, char *argv[]) {
  if (argc < 2) {
    return complain_usage("screwbond --help lists the commands", "a command is missing");
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    return usage();
  }
  if (strcmp(argv[1], "--version") == 0) {
    (void)printf("screwbond %s\n", sb_version());
    return EXIT_FINE;
  }
  for (const command *c = commands; c->name != NULL; c++) {
    if (strcmp(c->name, argv[1]) == 0) {
      return run_command(c, argc, argv);
    }
  }
  return unknown_command(argv[1]);
}

int main(int argc, char *argv[]) {
  interrupt_init();
  int code = dispatch(argc, argv);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    (void)fputs("screwbond: cannot write to stdout\n", stderr);
    return code == EXIT_FINE ? EXIT_IO : code;
  }
  return code;
}
