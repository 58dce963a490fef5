// SPDX-License-Identifier: GPL-3.0-or-later
// screwbond check: reads and compiles a netlist, shows its structure, and starts it as run would.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/analysis/hamiltonian.h"
#include "load.h"

int check_model(const arguments *args) {
  loaded model;
  int code = loaded_init(&model, args);
  if (code == EXIT_FINE) {
    loaded_warn(&model);
    sb_error err = {0};
    char *text;
    sb_status status = args->equations || args->latex
                           ? sb_model_equations(model.model, args->latex, &text, &err)
                           : sb_model_describe(model.model, args->json, &text, &err);
    if (status != SB_OK) {
      code = complain_once(&err, args->json);
    } else {
      size_t length = strlen(text);
      (void)fputs(text, stdout);
      (void)fputs(length == 0 || text[length - 1] != '\n' ? "\n" : "", stdout);
    }
    free(text);
    if (code == EXIT_FINE && !args->equations && !args->latex) {
      (void)fflush(stdout);
      code = loaded_foresee(&model, args->json);
    }
  }
  loaded_finish(&model);
  return code;
}
