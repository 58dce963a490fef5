// SPDX-License-Identifier: GPL-3.0-or-later
// The command line: options in any order, as "--opt value" or "--opt=value".
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/nearest.h"

typedef enum option_kind { OPTION_FLAG, OPTION_TEXT, OPTION_LIST, OPTION_OVERRIDE } option_kind;

typedef struct option {
  const char *name;  // with its dashes
  const char *brief; // one letter, or NULL
  option_kind kind;
  size_t offset;     // into arguments
  const char *value; // as the usage shows it
  const char *help;
  const char *command; // the only one that means this by the name; NULL: any
  size_t count;        // of a list: the offset of its length
} option;

static const option options[] = {
    {"--output", "-o", OPTION_TEXT, offsetof(arguments, folder), "DIR",
     "folder of the results (default: MODEL.out)", "run", 0},
    {"--output", "-o", OPTION_TEXT, offsetof(arguments, folder), "FILE",
     "file for the drawing (default: stdout)", "graph", 0},
    {"--output", "-o", OPTION_TEXT, offsetof(arguments, folder), "FILE",
     "file for the table or the plot (default: stdout)", "restitution", 0},
    {"--set", NULL, OPTION_OVERRIDE, 0, "NAME=VALUE",
     "a parameter of the law (stiffness='1e10 N/m^(3/2)'); repeatable", "restitution", 0},
    {"--at", NULL, OPTION_TEXT, offsetof(arguments, at), "V",
     "the speed at which --restitution is wanted ('1 m/s')", "restitution", 0},
    {"--svg", NULL, OPTION_FLAG, offsetof(arguments, svg), NULL, "plot the restitution as SVG",
     "restitution", 0},
    {"--sweep", NULL, OPTION_TEXT, offsetof(arguments, sweep), "FROM:TO:N",
     "N speeds, evenly on a logarithmic axis ('1 cm/s:5 m/s:50')", "restitution", 0},
    {"--law", NULL, OPTION_TEXT, offsetof(arguments, law), "NAME",
     "a normal law (screwbond list laws)", NULL, 0},
    {"--mass", NULL, OPTION_TEXT, offsetof(arguments, mass), "M",
     "the mass that meets the law; of two bodies m1 m2/(m1 + m2)", NULL, 0},
    {"--speeds", NULL, OPTION_TEXT, offsetof(arguments, speeds), "LIST",
     "speeds of impact ('0.1 1 m/s')", NULL, 0},
    {"--restitution", NULL, OPTION_TEXT, offsetof(arguments, restitution), "E",
     "the restitution that is wanted: of the law, or at the speed --at by its damping", NULL, 0},
    {"--output", "-o", OPTION_LIST, offsetof(arguments, quantities), "QTY",
     "an output (C1.e); repeatable (default: those of the netlist)", "linearize",
     offsetof(arguments, quantity_count)},
    {"--output", "-o", OPTION_LIST, offsetof(arguments, quantities), "QTY",
     "an output (hinge.q); repeatable (default: those of the netlist)", "equilibrium",
     offsetof(arguments, quantity_count)},
    {"--set", NULL, OPTION_OVERRIDE, 0, "ID=VALUE",
     "override a parameter, or an attribute by path (C1.q0='1 mC'); repeatable", NULL, 0},
    {"--t-end", NULL, OPTION_TEXT, offsetof(arguments, t_end), "T", "end of the run ('500 ms')",
     NULL, 0},
    {"--method", NULL, OPTION_TEXT, offsetof(arguments, method), "M",
     "integration method (screwbond list methods)", NULL, 0},
    {"--rtol", NULL, OPTION_TEXT, offsetof(arguments, rtol), "R", "relative tolerance", NULL, 0},
    {"--atol", NULL, OPTION_TEXT, offsetof(arguments, atol), "A",
     "absolute tolerances, as 1uV or '1 uV 1 nm'", NULL, 0},
    {"--step", NULL, OPTION_TEXT, offsetof(arguments, step), "H", "fixed step ('0.1 ms')", NULL, 0},
    {"--at", NULL, OPTION_TEXT, offsetof(arguments, at), "T",
     "time of the operating point ('0.2 s'; default: the start)", NULL, 0},
    {"--equilibrium", NULL, OPTION_FLAG, offsetof(arguments, equilibrium), NULL,
     "move the operating point to rest first", NULL, 0},
    {"--input", NULL, OPTION_LIST, offsetof(arguments, inputs), "NAME",
     "a source that is an input; repeatable (default: all)", NULL,
     offsetof(arguments, input_count)},
    {"--frequencies", NULL, OPTION_TEXT, offsetof(arguments, frequencies), "LIST",
     "frequency response there, as CSV ('1 10 100 Hz')", NULL, 0},
    {"--sweep", NULL, OPTION_TEXT, offsetof(arguments, sweep), "FROM:TO:N",
     "the same at N frequencies ('1 Hz:10 kHz:50')", NULL, 0},
    {"--svg", NULL, OPTION_FLAG, offsetof(arguments, svg), NULL, "draw as SVG by Graphviz's dot",
     NULL, 0},
    {"--equations", NULL, OPTION_FLAG, offsetof(arguments, equations), NULL,
     "show the port-Hamiltonian form instead", NULL, 0},
    {"--latex", NULL, OPTION_FLAG, offsetof(arguments, latex), NULL, "the equations as LaTeX", NULL,
     0},
    {"--quiet", NULL, OPTION_FLAG, offsetof(arguments, quiet), NULL,
     "no ledger on stdout, no progress", NULL, 0},
    {"--json", NULL, OPTION_FLAG, offsetof(arguments, json), NULL,
     "JSON on stdout, errors as JSON lines on stderr", NULL, 0},
    {"--help", "-h", OPTION_FLAG, offsetof(arguments, help), NULL, "this text", NULL, 0},
};
enum { OPTION_COUNT = sizeof options / sizeof *options };

static bool takes(const command *to, const option *opt) {
  if (strcmp(opt->name, "--help") == 0) {
    return true;
  }
  if (opt->command != NULL && strcmp(opt->command, to->name) != 0) {
    return false;
  }
  size_t length = strlen(opt->name);
  for (const char *at = to->options; (at = strstr(at, opt->name)) != NULL; at += length) {
    if (at[length] == ' ' || at[length] == '\0') {
      return true;
    }
  }
  return false;
}

static const option *find(const command *to, const char *name, size_t length) {
  for (int i = 0; i < OPTION_COUNT; i++) {
    const option *opt = &options[i];
    bool same = (strlen(opt->name) == length && strncmp(opt->name, name, length) == 0) ||
                (opt->brief != NULL && strlen(opt->brief) == length &&
                 strncmp(opt->brief, name, length) == 0);
    if (same && takes(to, opt)) {
      return opt;
    }
  }
  return NULL;
}

void options_print(const command *of) {
  for (int i = 0; i < OPTION_COUNT; i++) {
    const option *opt = &options[i];
    if (find(of, opt->name, strlen(opt->name)) == opt) {
      char left[40];
      (void)snprintf(left, sizeof left, "%s%s%s%s%s", opt->brief != NULL ? opt->brief : "",
                     opt->brief != NULL ? ", " : "    ", opt->name, opt->value != NULL ? " " : "",
                     opt->value != NULL ? opt->value : "");
      (void)printf("  %-22s %s\n", left, opt->help);
    }
  }
}

static int unknown_option(const command *to, const char *name, int length) {
  char given[SB_NEAREST_LENGTH_MAX + 1], otherwise[80];
  (void)snprintf(given, sizeof given, "%.*s", length, name);
  sb_suggestion names = sb_suggestion_start(given);
  for (int i = 0; i < OPTION_COUNT; i++) {
    (void)sb_suggestion_offer(&names, takes(to, &options[i]) ? options[i].name : NULL);
  }
  (void)snprintf(otherwise, sizeof otherwise, "screwbond %s --help lists the options", to->name);
  return complain_unknown("option", &names, otherwise);
}

/** Splits "ID=VALUE" where it stands, in argv. */
static int add_override(const command *to, char *text, arguments *args) {
  char *equals = strchr(text, '=');
  if (equals == NULL || equals == text) {
    return complain_usage("for instance --set R0='12 ohm'", "%s: --set needs ID=VALUE, not '%s'",
                          to->name, text);
  }
  *equals = '\0';
  args->overrides[args->override_count++] = (sb_override){text, equals + 1};
  return EXIT_FINE;
}

static int take_option(const command *to, int argc, char *argv[], int *at, arguments *args) {
  char *name = argv[*at];
  char *equals = strchr(name, '=');
  size_t length = equals != NULL ? (size_t)(equals - name) : strlen(name);
  const option *opt = find(to, name, length);
  if (opt == NULL) {
    return unknown_option(to, name, (int)length);
  }
  void *field = (char *)args + opt->offset;
  if (opt->kind == OPTION_FLAG) {
    if (equals != NULL) {
      return complain_usage(NULL, "%s: %s takes no value", to->name, opt->name);
    }
    *(bool *)field = true;
    return EXIT_FINE;
  }
  char *value = equals != NULL ? equals + 1 : *at + 1 < argc ? argv[++*at] : NULL;
  if (value == NULL || value[0] == '\0') {
    char hint[80];
    (void)snprintf(hint, sizeof hint, "%s %s: %s", opt->name, opt->value, opt->help);
    return complain_usage(hint, "%s: %s needs a value", to->name, opt->name);
  }
  if (opt->kind == OPTION_OVERRIDE) {
    return add_override(to, value, args);
  }
  if (opt->kind == OPTION_LIST) {
    int *count = (int *)(void *)((char *)args + opt->count);
    (*(const char ***)field)[(*count)++] = value;
    return EXIT_FINE;
  }
  *(const char **)field = value;
  return EXIT_FINE;
}

static int take_operand(const command *to, const char *text, arguments *args) {
  if (to->operand == NULL || args->operand != NULL) {
    return complain_usage(args->override_count > 0 ? "quote values with blanks: --set R1.r='12 ohm'"
                                                   : NULL,
                          "%s: one argument too many: %s", to->name, text);
  }
  args->operand = text;
  return EXIT_FINE;
}

static int check_operand(const command *to, const arguments *args) {
  if (args->operand == NULL) {
    if (to->operand == NULL || to->operand[0] == '[' || args->help) {
      return EXIT_FINE;
    }
    char hint[120];
    (void)snprintf(hint, sizeof hint, "screwbond %s %s", to->name, to->operand);
    return complain_usage(hint, "%s: %s is missing", to->name, to->operand);
  }
  sb_suggestion operands = sb_suggestion_start(args->operand);
  for (int i = 0; to->operands != NULL && to->operands[i] != NULL; i++) {
    if (strcmp(to->operands[i], args->operand) == 0) {
      return EXIT_FINE;
    }
    (void)sb_suggestion_offer(&operands, to->operands[i]);
  }
  return to->operands == NULL ? EXIT_FINE : complain_unknown("argument", &operands, to->operand);
}

int arguments_parse(const command *to, int argc, char *argv[], arguments *args) {
  *args = (arguments){.overrides = calloc((size_t)argc, sizeof(sb_override)),
                      .inputs = calloc((size_t)argc, sizeof(char *)),
                      .quantities = calloc((size_t)argc, sizeof(char *))};
  if (args->overrides == NULL || args->inputs == NULL || args->quantities == NULL) {
    (void)fputs("screwbond: out of memory\n", stderr);
    return EXIT_LIMIT;
  }
  bool options_ended = false;
  int code = EXIT_FINE;
  for (int i = 2; i < argc && code == EXIT_FINE; i++) {
    if (!options_ended && strcmp(argv[i], "--") == 0) {
      options_ended = true;
    } else if (!options_ended && argv[i][0] == '-' && argv[i][1] != '\0') {
      code = take_option(to, argc, argv, &i, args);
    } else {
      code = take_operand(to, argv[i], args);
    }
  }
  return code == EXIT_FINE ? check_operand(to, args) : code;
}

void arguments_finish(arguments *args) {
  free(args->overrides);
  free(args->inputs);
  free(args->quantities);
}
