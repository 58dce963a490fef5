// SPDX-License-Identifier: GPL-3.0-or-later
// screwbond check: reads and compiles a netlist, shows its structure, and starts it as run would.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/hamiltonian.h"
#include "load.h"
#include "report/diagnostics.h"

/** The text, and in JSON as the last key the warnings. */
static void put_description(const char *text, const sb_errors *warnings, bool json) {
  size_t length = strlen(text);
  char *list = NULL;
  while (length > 0 && text[length - 1] == '\n') {
    length--;
  }
  length -= json; // the closing brace
  (void)fwrite(text, 1, length, stdout);
  if (json && sb_errors_text(warnings, SB_ERRORS_JSON, &list, NULL) == SB_OK) {
    (void)fputs(",\n \"warnings\": [", stdout);
    for (char *line = strtok(list, "\n"), *next; line != NULL; line = next) {
      next = strtok(NULL, "\n");
      (void)printf("\n  %s%s", line, next != NULL ? "," : "");
    }
    (void)fputs("]}", stdout);
  }
  (void)fputs("\n", stdout);
  free(list);
}

int check_model(const arguments *args) {
  loaded model;
  int code = loaded_init(&model, args);
  if (code == EXIT_FINE) {
    sb_error err = {0};
    sb_errors findings = {0};
    char *text;
    loaded_start(&model, &findings);
    sb_status status = args->equations || args->latex
                           ? sb_model_equations(model.model, args->latex, &text, &err)
                           : sb_model_describe(model.model, args->json, &text, &err);
    if (status != SB_OK) {
      code = complain_once(&err, args->json);
    } else {
      loaded_warn(&model, args->json);
      put_description(text, &model.netlist->warnings,
                      args->json && !args->equations && !args->latex);
    }
    free(text);
    if (code == EXIT_FINE && findings.count + findings.dropped > 0) {
      (void)fflush(stdout);
      code = loaded_code(args, complain(&findings, args->json));
    }
    sb_errors_finish(&findings);
  }
  loaded_finish(&model);
  return code;
}
