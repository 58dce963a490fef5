// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold after every step for a run to go on.
//
// Structures may divide by a number of theirs, such as the ratio of a modulated transformer, in the
// causality that the network gives them. Where that number goes to zero the flows grow beyond all
// bounds: steps would become ever shorter, and the zero itself would never be reached.
//
// No temperature is below 0 K. A heat capacity that is linear in its entropy knows no such end.
#include <math.h>

#include "core/array_private.h"
#include "core/domain.h"
#include "core/simulation_private.h"

/** A divisor this small, as a part of its largest so far, has become zero. The steps of an explicit
 *  method go with its square. */
static const double vanished = 1e-6;

double sb_divisor(const sb_workspace *work, int index, double t, const double x[]) {
  const sb_part *part = &work->model->parts[index];
  if (part->type->role != SB_STRUCTURE || part->type->structure->divisor == NULL) {
    return HUGE_VAL;
  }
  sb_at at = sb_at_part(work, part, t, x);
  return part->type->structure->divisor(part->self, &at);
}

sb_status sb_divisor_word(const sb_workspace *work, int index, double divisor, double t,
                          sb_error *err) {
  const sb_part *part = &work->model->parts[index];
  const sb_structure_hooks *hooks = part->type->structure;
  (void)sb_fail(err, SB_ERR_NOT_FINITE, "the %s of '%s' %s at t = %s s, and '%s' divides by it",
                hooks->divisor_name, part->id,
                isfinite(divisor) ? "has become zero" : "is no finite number",
                sb_number_word(t).text, part->id);
  sb_error_hint(err,
                "where the network gives the flow of '%s.%s', as an I there does, it multiplies",
                part->id, part->type->ports[0].name);
  sb_place_into(&part->place, err);
  return SB_ERR_NOT_FINITE;
}

static bool add(sb_simulation *sim, sb_limit limit) {
  return sb_append(&sim->limits, &sim->limit_count, &sim->limit_capacity, sizeof limit, &limit);
}

/** Whether a port of a storage gives an effort that cannot be negative. */
static bool gives_positive(const sb_part *part, int port) {
  const sb_port *p = &part->layout.ports[port];
  const sb_domain *domain = p->domain == NULL ? NULL : sb_domain_find(p->domain);
  return part->type->role == SB_STORAGE && domain != NULL && domain->positive && p->dim == 1 &&
         p->output == SB_EFFORT;
}

sb_status sb_limits_find(sb_simulation *sim, sb_error *err) {
  bool ok = true;
  for (int i = 0; i < sim->model->part_count; i++) {
    const sb_part *part = &sim->model->parts[i];
    if (part->type->role == SB_STRUCTURE && part->type->structure->divisor != NULL) {
      sim->hooks = true;
      ok = add(sim, (sb_limit){.part = i, .component = -1}) && ok;
    }
    for (int k = 0; k < part->layout.port_count; k++) {
      if (gives_positive(part, k)) {
        ok = add(sim, (sb_limit){.part = i, .component = part->first[k]}) && ok;
      }
    }
  }
  return ok ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

static sb_status check_divisor(sb_simulation *sim, sb_limit *limit, sb_error *err) {
  double divisor = sb_divisor(sim->work, limit->part, sim->t, sim->x);
  if (isinf(divisor)) {
    return SB_OK;
  }
  if (!(fabs(divisor) > vanished * limit->largest)) {
    return sb_divisor_word(sim->work, limit->part, divisor, sim->t, err);
  }
  limit->largest = fmax(limit->largest, fabs(divisor));
  return SB_OK;
}

static sb_status check_temperature(const sb_simulation *sim, const sb_limit *limit, sb_error *err) {
  const sb_part *part = &sim->model->parts[limit->part];
  double T = part->linear ? 0 : sim->work->values[part->out + limit->component];
  for (int k = 0; part->linear && k < part->components; k++) {
    T += part->matrix[limit->component * part->components + k] * sim->x[part->state + k];
  }
  if (!(T < 0)) {
    return SB_OK;
  }
  (void)sb_fail(err, SB_ERR_SOLVER, "the temperature of '%s' has fallen below 0 K at t = %s s",
                part->id, sb_number_word(sim->t).text);
  sb_error_hint(err, "temperatures are absolute; an energy such as C*T0*(exp(q/C) - 1) keeps them "
                     "positive, whatever entropy is taken");
  sb_place_into(&part->place, err);
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
