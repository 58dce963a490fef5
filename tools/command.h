// SPDX-License-Identifier: GPL-3.0-or-later
// What the sub-commands of screwbond share: their arguments, exit codes and messages.
#ifndef SB_TOOLS_COMMAND_H
#define SB_TOOLS_COMMAND_H

#include "core/base/nearest.h"
#include "netlist/netlist.h"

/** Scripts rely on these. A signal n ends a run with 128 + n. */
enum exit_code {
  EXIT_FINE = 0,
  EXIT_USAGE = 1,
  EXIT_MODEL = 2,  // nothing is written
  EXIT_SOLVER = 3, // the results so far are kept
  EXIT_AUDIT = 4,
  EXIT_IO = 5,
  EXIT_LIMIT = 6,
  EXIT_BUG = 70,
  EXIT_SIGNAL = 128,
};

/** A command line, parsed. NULL or false where an option was not given. */
typedef struct arguments {
  const char *operand; // the model, the kind, the table
  const char *folder, *t_end, *method, *rtol, *atol, *step;
  sb_override *overrides; // (override_count) owned; `id` and `value` point into argv
  int override_count;
  const char *at, *frequencies, *sweep;
  const char **inputs, **quantities; // (counts) owned, the words in argv
  int input_count, quantity_count;
  const char *law, *mass, *speeds, *restitution;
  bool equilibrium, svg, equations, latex;
  bool quiet, json, help;
} arguments;

typedef struct command {
  const char *name;
  const char *operand;         // as the usage shows it, "[KIND]" if optional; NULL: none
  const char *const *operands; // the words allowed; NULL: any
  const char *options;         // names of those it takes, separated by blanks
  const char *help;
  int (*run)(const arguments *args);
} command;

extern const command commands[]; // NULL name ends the list

/** Parses argv from argv[2] on, and says on stderr what is wrong with it.
 *  @return EXIT_FINE or EXIT_USAGE */
int arguments_parse(const command *to, int argc, char *argv[], arguments *args);
void arguments_finish(arguments *args);
void options_print(const command *of);

int run_model(const arguments *args);
int check_model(const arguments *args);
int graph_model(const arguments *args);
int linearize_model(const arguments *args);
int find_equilibrium(const arguments *args);
int restitution_of_law(const arguments *args);
int help_kinds(const arguments *args);
int list_names(const arguments *args);
/** The table of `screwbond list` that has this name; NULL: none. */
const char *list_holding(const char *name);

int exit_code_of(sb_status status);

/** One line on stderr, and a hint below it; NULL or "": none. Returns EXIT_USAGE. */
int complain_usage(const char *hint, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** "unknown WHAT NAME", with the nearest of the names that were offered as the hint, or `otherwise`. Returns EXIT_USAGE. */
int complain_unknown(const char *what, const sb_suggestion *names, const char *otherwise);
/** Prints errors on stderr, with the lines of their files or as JSON, and returns the exit code of
 *  the first. */
int complain(const sb_errors *errors, bool json);
int complain_once(const sb_error *err, bool json);

/** Whether escape sequences for colours may be written to a descriptor. */
bool colour_wanted(int descriptor);

#endif
