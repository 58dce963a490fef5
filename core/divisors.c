// SPDX-License-Identifier: GPL-3.0-or-later
// Structures that divide by a number of theirs, such as the ratio of a modulated transformer, in the
// causality that the network gives them. Where that number goes to zero the flows grow beyond all
// bounds: steps would become ever shorter, and the zero itself would never be reached.
#include <math.h>

#include "core/array_private.h"
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
  return SB_ERR_NOT_FINITE;
}

sb_status sb_divisors_find(sb_simulation *sim, sb_error *err) {
  for (int i = 0; i < sim->model->part_count; i++) {
    const sb_element_type *type = sim->model->parts[i].type;
    const sb_divisor_watch watch = {.part = i};
    if (type->role == SB_STRUCTURE && type->structure->divisor != NULL &&
        !sb_append(&sim->divisors, &sim->divisor_count, &sim->divisor_capacity, sizeof watch,
                   &watch)) {
      return sb_fail(err, SB_ERR_MEMORY, "out of memory");
    }
  }
  sim->hooks = sim->hooks || sim->divisor_count > 0;
  return SB_OK;
}

sb_status sb_divisors_check(sb_simulation *sim, sb_error *err) {
  for (int i = 0; i < sim->divisor_count; i++) {
    sb_divisor_watch *watch = &sim->divisors[i];
    double divisor = sb_divisor(sim->work, watch->part, sim->t, sim->x);
    if (isinf(divisor)) {
      continue;
    }
    if (!(fabs(divisor) > vanished * watch->largest)) {
      return sb_divisor_word(sim->work, watch->part, divisor, sim->t, err);
    }
    watch->largest = fmax(watch->largest, fabs(divisor));
  }
  return SB_OK;
}
