// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/common.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

_Noreturn void bench_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  (void)fflush(stdout);
  (void)vfprintf(stderr, format, arguments);
  (void)fputc('\n', stderr);
  va_end(arguments);
  exit(EXIT_FAILURE);
}

void bench_must(sb_status status, const sb_error *err) {
  if (status != SB_OK) {
    bench_fail("%s", err->text);
  }
}

double *bench_zeros(int count) {
  double *values = calloc((size_t)count, sizeof *values);
  if (values == NULL) {
    bench_fail("out of memory");
  }
  return values;
}

sb_model *bench_compile(const sb_graph *graph) {
  sb_errors errors = {0};
  sb_model *model;
  if (sb_model_compile(graph, &model, &errors) != SB_OK) {
    bench_fail("%s", errors.count > 0 ? errors.items[0].text : "out of memory");
  }
  return model;
}

sb_simulation *bench_simulation(const sb_model *model, const char *method, double rtol,
                                double atol) {
  sb_options options = sb_options_defaults();
  options.method = sb_method_find(method);
  options.rtol = rtol;
  options.atol = atol;
  sb_error err;
  sb_simulation *sim;
  bench_must(sb_simulation_create(model, &options, &sim, &err), &err);
  return sim;
}

double bench_equal_error(double (*error_at)(void *context, double tolerance), void *context,
                         double error, double tolerance) {
  enum { TRIALS_MAX = 12 };
  static const double near = 0.9; // of the error asked for
  const double middle = sqrt(near);
  double found = error_at(context, tolerance);
  for (int i = 0; i < TRIALS_MAX && !(found >= near * error && found <= error); i++) {
    double factor = middle * error / found; // errors are about proportional
    tolerance *= fmin(fmax(factor, 0.1), 10);
    found = error_at(context, tolerance);
  }
  return tolerance;
}

void bench_flush_denormals(void) {
#if defined(__SSE2__)
  _mm_setcsr(_mm_getcsr() | 0x8040U);
#endif
}
