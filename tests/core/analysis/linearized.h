// SPDX-License-Identifier: GPL-3.0-or-later
// Models that are linearised at a point.
#ifndef SB_TESTS_LINEARIZED_H
#define SB_TESTS_LINEARIZED_H

#include <complex.h>

#include "core/analysis/differences_private.h"
#include "core/analysis/hamiltonian.h"
#include "core/analysis/linearize.h"
#include "core/model/model_data.h"
#include "tests/fixture.h"

enum { TEXT_MAX = 1 << 16 };

/** A model at its operating point, and its linearisation there. */
typedef struct point {
  run r;
  sb_linear *linear;
  sb_mode modes[200];
} point;

static inline void start_point(point *p, const char *text) {
  *p = (point){.r = start_netlist(text)};
}

static inline void linearize(point *p, const char *const outputs[], int count, bool equilibrium) {
  sb_error err = {0};
  const sb_linear_request request = {
      .outputs = outputs, .output_count = count, .equilibrium = equilibrium};
  ok(sb_linearize(p->r.sim, &request, &p->linear, &err), &err);
  assert_true(p->linear->states <= 200);
  ok(sb_linear_modes(p->linear, p->modes, &err), &err);
}

static inline void stop_point(point *p) {
  sb_linear_destroy(p->linear);
  stop(&p->r);
}

#define RUN "<run t-end='1 s' rtol='1e-8' atol='1e-10'/>"
static const char rlc[] =
    "<screwbond version='1' id='rlc'><network domain='electric'>"
    "<Se id='src' effort='5 V' waveform='sine' frequency='50 Hz'/><J1 id='loop'/>"
    "<R id='R1' r='3.7 ohm'/><I id='L1' l='12.5 mH'/><C id='C1' c='2.385 uF' q0='1 uC'/>"
    "<bond from='src' to='loop'/><bond from='loop' to='R1'/><bond from='loop' to='L1'/>"
    "<bond from='loop' to='C1'/></network>" RUN "</screwbond>";

#endif
