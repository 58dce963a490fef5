// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold after every step for a run to go on.
//
// Structures may divide by a number of theirs, such as the ratio of a modulated transformer, in the
// causality that the network gives them. Where that number goes to zero the flows grow beyond all
// bounds: steps would become ever shorter, and the zero itself would never be reached.
//
// No temperature is below 0 K. A heat capacity that is linear in its entropy knows no such end.
#include <math.h>

#include "core/base/array.h"
#include "core/graph/domain.h"
#include "core/loop/loop.h"
#include "core/simulation/simulation_private.h"

/** A divisor this small, as a part of its largest so far, has become zero. The steps of an explicit
 *  method go with its square. */
static const double vanished = 1e-6;

static bool add(sb_simulation *sim, sb_limit limit) {
  return sb_append(&sim->limits, &sim->limit_count, &sim->limit_capacity, sizeof limit, &limit);
}

/** Whether a port of a storage gives an effort that cannot be negative. */
static bool gives_positive(const sb_instance *instance, int port) {
  const sb_port *p = &instance->layout.ports[port];
  const sb_domain *domain = p->domain == NULL ? NULL : sb_domain_find(p->domain);
  return instance->type->storage != NULL && domain != NULL && domain->positive && p->dim == 1 &&
         p->output == SB_EFFORT;
}

sb_status sb_limits_find(sb_simulation *sim, sb_error *err) {
  bool ok = true;
  for (int i = 0; i < sim->network->instance_count; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    if (instance->type->structure != NULL && instance->type->structure->division.divisor != NULL) {
      sim->hooks = true;
      ok = add(sim, (sb_limit){.instance = i, .component = -1}) && ok;
    }
    for (int k = 0; k < instance->layout.port_count; k++) {
      if (gives_positive(instance, k)) {
        ok = add(sim, (sb_limit){.instance = i, .component = instance->first[k]}) && ok;
      }
    }
  }
  return ok ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

static sb_status check_divisor(sb_simulation *sim, sb_limit *limit, sb_error *err) {
  double divisor = sb_divisor(sim->work, limit->instance, sim->t, sim->x);
  if (isinf(divisor)) {
    return SB_OK;
  }
  if (!(fabs(divisor) > vanished * limit->largest)) {
    return sb_divisor_word(sim->work, limit->instance, divisor, sim->t, err);
  }
  limit->largest = fmax(limit->largest, fabs(divisor));
  return SB_OK;
}

static sb_status check_temperature(const sb_simulation *sim, const sb_limit *limit, sb_error *err) {
  const sb_instance *instance = &sim->network->instances[limit->instance];
  double T = instance->linear ? 0 : sim->work->values[instance->out + limit->component];
  for (int k = 0; instance->linear && k < instance->components; k++) {
    T +=
        instance->matrix[limit->component * instance->components + k] * sim->x[instance->state + k];
  }
  if (!(T < 0)) {
    return SB_OK;
  }
  (void)sb_fail(err, SB_ERR_SOLVER, "the temperature of '%s' has fallen below 0 K at t = %s s",
                instance->id, sb_number_word(sim->t).text);
  sb_error_hint(err, "temperatures are absolute; an energy such as C*T0*(exp(q/C) - 1) keeps them "
                     "positive, whatever entropy is taken");
  sb_place_into(&instance->place, err);
  return SB_ERR_SOLVER;
}

sb_status sb_limits_check(sb_simulation *sim, sb_error *err) {
  for (int i = 0; i < sim->limit_count; i++) {
    sb_limit *limit = &sim->limits[i];
    SB_TRY(limit->component < 0 ? check_divisor(sim, limit, err)
                                : check_temperature(sim, limit, err));
  }
  return SB_OK;
}
