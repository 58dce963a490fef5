// SPDX-License-Identifier: GPL-3.0-or-later
// The methods offered, one row each; their Butcher tables by SUNDIALS' names.
#include <stdio.h>

#include <arkode/arkode_butcher_dirk.h>
#include <arkode/arkode_butcher_erk.h>
#include <string.h>

#include "core/stepper_private.h"

const sb_method sb_methods[] = {
    {"bogacki-shampine-3", "explicit, 4 stages, order 3(2)", 3, false, true,
     ARKODE_BOGACKI_SHAMPINE_4_2_3, &sb_arkode},
    {"zonneveld-4", "explicit, 5 stages, order 4(3)", 4, false, true, ARKODE_ZONNEVELD_5_3_4,
     &sb_arkode},
    {"dormand-prince-5", "explicit, 7 stages, order 5(4); the default", 5, false, true,
     ARKODE_DORMAND_PRINCE_7_4_5, &sb_arkode},
    {"verner-6", "explicit, 8 stages, order 6(5)", 6, false, true, ARKODE_VERNER_8_5_6, &sb_arkode},
    {"fehlberg-8", "explicit, 13 stages, order 8(7); for tight tolerances", 8, false, true,
     ARKODE_FEHLBERG_13_7_8, &sb_arkode},
    {"kvaerno-5", "diagonally implicit, stiffly accurate, 7 stages, order 5(4); for stiff models",
     5, true, true, ARKODE_KVAERNO_7_4_5, &sb_arkode},
    {"implicit-midpoint", "implicit, 1 stage, order 2, fixed step; conserves quadratic energies", 2,
     true, false, -1, &sb_arkode},
    {"discrete-gradient",
     "implicit, order 2, fixed step; conserves every energy (Gonzalez's midpoint form)", 2, true,
     false, -1, &sb_discrete_gradient},
    {"mean-value-gradient",
     "implicit, order 2, fixed step; conserves every energy (average of the gradient)", 2, true,
     false, -1, &sb_mean_value_gradient},
    {0},
};

const sb_method *sb_method_find(const char *name) {
  for (const sb_method *method = sb_methods; method->name != NULL; method++) {
    if (strcmp(method->name, name) == 0) {
      return method;
    }
  }
  return NULL;
}
