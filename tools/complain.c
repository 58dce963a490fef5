// SPDX-License-Identifier: GPL-3.0-or-later
// Messages for people, on stderr, and what a status means for the exit code.
#include "command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/nearest.h"
#include "report/diagnostics.h"

int exit_code_of(sb_status status) {
  // The first row whose bound is not below the status.
  static const struct {
    int last;
    enum exit_code code;
  } rows[] = {
      {SB_OK, EXIT_FINE},
      {499, EXIT_MODEL},
      {SB_ERR_AUDIT - 1, EXIT_SOLVER},
      {SB_ERR_AUDIT, EXIT_AUDIT},
      {599, EXIT_SOLVER},
      {699, EXIT_LIMIT},
      {SB_ERR_USAGE - 1, EXIT_IO},
      {SB_ERR_USAGE, EXIT_USAGE},
      {799, EXIT_IO},
      {SB_ERR_INTERNAL, EXIT_BUG},
      {SB_INTERRUPTED, EXIT_SIGNAL + 2},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if ((int)status <= rows[i].last) {
      return (int)rows[i].code;
    }
  }
  return EXIT_BUG;
}

bool colour_wanted(int descriptor) {
  const char *no_colour = getenv("NO_COLOR");
  return (no_colour == NULL || no_colour[0] == '\0') && isatty(descriptor) == 1;
}

int complain_usage(const char *hint, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)fputs("screwbond: ", stderr);
  (void)vfprintf(stderr, format, args);
  (void)fputc('\n', stderr);
  va_end(args);
  if (hint != NULL && hint[0] != '\0') {
    (void)fprintf(stderr, "  hint: %s\n", hint);
  }
  return EXIT_USAGE;
}

int complain_unknown(const char *what, const sb_suggestion *names, const char *otherwise) {
  char hint[SB_NEAREST_LENGTH_MAX + 32];
  bool near = names->best[0] != '\0';
  if (near) {
    (void)snprintf(hint, sizeof hint, "did you mean %s?", names->best);
  }
  return complain_usage(near ? hint : otherwise, "unknown %s %s", what, names->name);
}

int complain(const sb_errors *errors, bool json) {
  sb_errors_form form = colour_wanted(STDERR_FILENO) ? SB_ERRORS_COLOUR : SB_ERRORS_PLAIN;
  char *text;
  if (sb_errors_text(errors, json ? SB_ERRORS_JSON : form, &text, NULL) == SB_OK) {
    (void)fputs(text, stderr);
    free(text);
  } else {
    (void)fputs("screwbond: out of memory\n", stderr);
  }
  return errors->count > 0 ? exit_code_of(errors->items[0].status) : EXIT_LIMIT;
}

int complain_once(const sb_error *err, bool json) {
  const sb_errors errors = {.items = (sb_error[]){*err}, .count = 1, .capacity = 1};
  return complain(&errors, json);
}
