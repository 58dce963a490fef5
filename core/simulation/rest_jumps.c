// SPDX-License-Identifier: GPL-3.0-or-later
// Dissipation whose law jumps where all its port inputs are zero, but by no branch of an expression, as Coulomb's friction
// in a plane, e = F f/|f|: its limit along d is another one than along -d. Jumps by sign() or if() are located and stuck in; this one has
// no mode, and what comes to rest there goes to and fro in ever shorter steps.
#include <math.h>

#include "core/simulation/simulation_private.h"
#include "core/simulation/switching_private.h"

enum { PORTS_MAX = 4 };
/** Inputs [SI] beside zero: an output that is the same at both is that of the limit. Their squares are no zeros yet. */
static const double beside = 1e-30, nearer = 1e-60;
/** Outputs that agree, as a fraction of them. */
static const double agree = 1e-6;

/** A jump of the output of a component. */
typedef struct jump {
  int component;
  double from, to; // [SI]
} jump;

static bool outputs_at(const sb_instance *instance, const sb_at *at, const int d[], double scale,
                       double y[]) {
  double in[PORTS_MAX];
  sb_at here = *at;
  for (int k = 0; k < instance->components; k++) {
    in[k] = scale * d[k];
  }
  here.in = in;
  here.ports = NULL;
  return instance->type->dissipation->law(instance->self, &here, at->assigned, y) == 0;
}

/** Along d, whose components are -1, 0 and 1. */
static bool jumps_along(const sb_instance *instance, const sb_at *at, const int d[], jump *found) {
  double y[PORTS_MAX], near[PORTS_MAX], back[PORTS_MAX];
  if (!outputs_at(instance, at, d, beside, y) || !outputs_at(instance, at, d, nearer, near) ||
      !outputs_at(instance, at, d, -beside, back)) {
    return false;
  }
  for (int k = 0; k < instance->components; k++) {
    if (fabs(near[k] - y[k]) <= agree * fabs(y[k]) &&
        fabs(back[k] - y[k]) > agree * (fabs(y[k]) + fabs(back[k]))) {
      *found = (jump){k, back[k], y[k]};
      return true;
    }
  }
  return false;
}

static bool jumps_at_rest(const sb_instance *instance, const sb_at *at, jump *found) {
  int directions = 1, d[PORTS_MAX];
  for (int k = 0; k < instance->components; k++) {
    directions *= 3;
  }
  for (int i = directions / 2 + 1; i < directions; i++) { // the others are their opposites
    for (int k = 0, rest = i; k < instance->components; k++, rest /= 3) {
      d[k] = rest % 3 - 1;
    }
    if (jumps_along(instance, at, d, found)) {
      return true;
    }
  }
  return false;
}

bool sb_rest_jumps_foresee(const sb_simulation *sim, sb_errors *warnings) {
  bool added = true;
  for (int i = 0; i < sim->network->instance_count; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    const bool law = instance->type->dissipation != NULL && instance->hooked &&
                     instance->type->dissipation->law != NULL && instance->type->switching == NULL;
    const sb_at at = sb_at_instance(sim->work, instance, sim->t, sim->x);
    jump found;
    if (!law || instance->components > PORTS_MAX || !jumps_at_rest(instance, &at, &found)) {
      continue;
    }
    sb_error err = {0};
    const int before = warnings->count;
    sb_warn(&err, SB_ERR_RANGE,
            "the law of '%.100s' jumps at rest: what it gives at its port %d goes to %s from one "
            "side and to %s from the "
            "other, as its inputs go to zero together; a run that comes to rest there takes ever "
            "shorter steps",
            instance->id, found.component + 1, sb_number_word(found.from).text,
            sb_number_word(found.to).text);
    sb_error_hint(&err, "give it a finite slope there, f1/sqrt(f1^2 + f2^2 + (1e-6[m/s])^2), or "
                        "use a Friction along "
                        "each axis, which sticks");
    sb_place_into(&instance->place, &err);
    sb_errors_add(warnings, &err);
    added = warnings->count > before && added;
  }
  return added;
}
