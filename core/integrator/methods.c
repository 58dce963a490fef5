// SPDX-License-Identifier: GPL-3.0-or-later
// The methods offered, one row each; their Butcher tables by SUNDIALS' names.
#include <math.h>
#include <stdio.h>

#include <arkode/arkode_butcher_dirk.h>
#include <arkode/arkode_butcher_erk.h>
#include <string.h>

#include "core/integrator/stepper.h"

// name, help, order, implicit, adaptive, table or form as in sb_integrator, stepper, implicit and smooth partner
#define METHODS(ROW)                                                                               \
  ROW("bogacki-shampine-3", "explicit, 4 stages, order 3(2)", 3, false, true,                      \
      ARKODE_BOGACKI_SHAMPINE_4_2_3, &sb_arkode, NULL, NULL)                                       \
  ROW("zonneveld-4", "explicit, 5 stages, order 4(3)", 4, false, true, ARKODE_ZONNEVELD_5_3_4,     \
      &sb_arkode, NULL, NULL)                                                                      \
  ROW("dormand-prince-5", "explicit, 7 stages, order 5(4)", 5, false, true,                        \
      ARKODE_DORMAND_PRINCE_7_4_5, &sb_arkode, NULL, NULL)                                         \
  ROW("auto",                                                                                      \
      "dormand-prince-5, kvaerno-5 while that costs less, as in stiff models, and verner-6 in "    \
      "long smooth motions; the default",                                                          \
      5, false, true, ARKODE_DORMAND_PRINCE_7_4_5, &sb_arkode, "kvaerno-5", "verner-6")            \
  ROW("verner-6", "explicit, 8 stages, order 6(5)", 6, false, true, ARKODE_VERNER_8_5_6,           \
      &sb_arkode, NULL, NULL)                                                                      \
  ROW("fehlberg-8", "explicit, 13 stages, order 8(7); for tight tolerances", 8, false, true,       \
      ARKODE_FEHLBERG_13_7_8, &sb_arkode, NULL, NULL)                                              \
  ROW("kvaerno-5",                                                                                 \
      "diagonally implicit, stiffly accurate, 7 stages, order 5(4); for stiff models", 5, true,    \
      true, ARKODE_KVAERNO_7_4_5, &sb_arkode, NULL, NULL)                                          \
  ROW("implicit-midpoint", "implicit, 1 stage, order 2, fixed step; conserves quadratic energies", \
      2, true, false, -1, &sb_arkode, NULL, NULL)                                                  \
  ROW("discrete-gradient",                                                                         \
      "implicit, order 2, fixed step; conserves every energy (Gonzalez's midpoint form)", 2, true, \
      false, SB_GRADIENT_MIDPOINT, &sb_discrete_gradient, NULL, NULL)                              \
  ROW("mean-value-gradient",                                                                       \
      "implicit, order 2, fixed step; conserves every energy (average of the gradient)", 2, true,  \
      false, SB_GRADIENT_MEAN_VALUE, &sb_discrete_gradient, NULL, NULL)

#define METHOD(name, help, order, implicit, adaptive, table, stepper, partner, smooth)             \
  {name, help, order, implicit, adaptive, partner, smooth},
#define INTEGRATOR(name, help, order, implicit, adaptive, table, stepper, partner, smooth)         \
  {table, stepper},

const sb_method sb_methods[] = {METHODS(METHOD){0}};
static const sb_integrator integrators[] = {METHODS(INTEGRATOR)};

const sb_integrator *sb_integrator_of(const sb_method *method) {
  return &integrators[method - sb_methods];
}

sb_options sb_options_defaults(void) {
  return (sb_options){.method = sb_method_find("auto"),
                      .rtol = 1e-8,
                      .max_steps = 100000000,
                      .max_events_at_once = 64,
                      .structure_limit = 1e-12};
}

double sb_options_limit(const sb_options *o) {
  double followed = o->step > 0 ? 1e-8 : fmin(100 * o->rtol, 1e-3);
  return o->residual_limit > 0 ? o->residual_limit : followed;
}

const sb_method *sb_method_find(const char *name) {
  for (const sb_method *method = sb_methods; method->name != NULL; method++) {
    if (strcmp(method->name, name) == 0) {
      return method;
    }
  }
  return NULL;
}
