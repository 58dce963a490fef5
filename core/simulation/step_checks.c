// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold after every step for a run to go on.
//
// Structures may divide by a number, such as the ratio of a modulated transformer, in the causality that
// the network assigns to them. Where it goes to zero the flows grow beyond all bounds: steps would become
// ever shorter, and the zero itself would never be reached.
//
// Algebraic variables are determined by constraints whose ratios do not vanish all at once.
//
// No spring of a contact holds less than nothing, and every energy is a number, though forces may be where it is none.
//
// No temperature is below 0 K. The law of a heat capacity that is linear in its entropy has no such bound.
#include <math.h>

#include "core/causality/constraint.h"
#include "core/graph/domain.h"
#include "core/loop/loop.h"
#include "core/model/constraints.h"
#include "core/simulation/simulation_private.h"

/** A divisor below this fraction of its largest value so far is refused: the stable step of an explicit method is proportional to
 *  its square. */
static const double vanished = 1e-6;

static bool add(sb_simulation *sim, sb_step_check check) {
  if (!sb_arena_grow(&sim->memory, &sim->checks, &sim->check_capacity, sim->check_count + 1,
                     sizeof check)) {
    return false;
  }
  sim->checks[sim->check_count++] = check;
  return true;
}

/** Whether a storage computes an effort at a port that cannot be negative. */
static bool is_positive(const sb_instance *instance, int port) {
  const sb_port *p = &instance->layout.ports[port];
  const sb_domain *domain = p->domain == NULL ? NULL : sb_domain_find(p->domain);
  return instance->type->storage != NULL && domain != NULL && domain->positive && p->dim == 1 &&
         p->output == SB_EFFORT;
}

sb_status sb_step_checks_find(sb_simulation *sim, sb_error *err) {
  bool ok = true;
  for (int i = 0; i < sim->network->instance_count; i++) {
    const sb_instance *instance = &sim->network->instances[i];
    if (instance->type->structure != NULL && instance->type->structure->division.divisor != NULL) {
      sim->evaluates_ends = true;
      ok = add(sim, (sb_step_check){.instance = i, .component = -1}) && ok;
    }
    for (int k = 0; k < instance->layout.port_count; k++) {
      if (is_positive(instance, k)) {
        ok = add(sim, (sb_step_check){.instance = i, .component = instance->first[k]}) && ok;
      }
    }
  }
  return ok ? SB_OK : sb_fail(err, SB_ERR_MEMORY, "out of memory");
}

static sb_status check_divisor(sb_simulation *sim, sb_step_check *check, sb_error *err) {
  double divisor = sb_divisor(sim->work, check->instance, sim->t, sim->x);
  if (isinf(divisor)) {
    return SB_OK;
  }
  if (!(fabs(divisor) > vanished * check->largest)) {
    return sb_divisor_word(sim->work, check->instance, divisor, check->largest, sim->t, err);
  }
  check->largest = fmax(check->largest, fabs(divisor));
  return SB_OK;
}

static double temperature(const sb_simulation *sim, const sb_step_check *check) {
  const sb_instance *instance = &sim->network->instances[check->instance];
  double T = instance->linear ? 0 : sim->work->values[instance->out + check->component];
  for (int k = 0; instance->linear && k < instance->components; k++) {
    T +=
        instance->matrix[check->component * instance->components + k] * sim->x[instance->state + k];
  }
  return T;
}

static sb_status check_temperature(const sb_simulation *sim, sb_step_check *check, sb_error *err) {
  const sb_instance *instance = &sim->network->instances[check->instance];
  const double T = temperature(sim, check);
  if (!(T < 0)) {
    check->largest = T;
    return SB_OK;
  }
  (void)sb_fail(err, SB_ERR_SOLVER, "the temperature of '%s' is below 0 K at t = %s s",
                instance->id, sb_number_word(sim->t).text);
  sb_error_hint(err, "temperatures are absolute; an energy such as C*T0*(exp(q/C) - 1) keeps them "
                     "positive, whatever entropy is taken");
  sb_place_into(&instance->place, err);
  return SB_ERR_SOLVER;
}

static sb_status check_algebraics(sb_simulation *sim, sb_error *err) {
  const sb_causality *c = &sim->work->program->causality;
  int found = c->algebraic_count > 0 ? sb_algebraic_undetermined(sim->work, sim->x) : -1;
  if (found < 0) {
    return SB_OK;
  }
  const sb_instance *reader = &sim->network->instances[c->algebraics[found].instance];
  const char *port = sb_algebraic_port(sim->network, &c->algebraics[found]);
  (void)sb_fail(err, SB_ERR_NOT_FINITE,
                "the constraints no longer determine what '%s' reads at '%s' at t = %s s",
                reader->id, port, sb_number_word(sim->t).text);
  sb_error_hint(err,
                "all their ratios there are zero, or two joints constrain the same direction; with "
                "an I or C at "
                "'%s.%s' it follows from a state",
                reader->id, port);
  sb_place_into(&reader->place, err);
  return SB_ERR_NOT_FINITE;
}

bool sb_temperatures_overdue(sb_simulation *sim, int attempt, double *length) {
  const double whole = sim->t - sim->t0, weight = ldexp(1, 3 * attempt);
  double before = HUGE_VAL; // fraction of the step
  for (int i = 0; i < sim->check_count; i++) {
    const sb_step_check *check = &sim->checks[i];
    const double T = check->component >= 0 ? temperature(sim, check) : 0;
    if (T < 0) {
      before = fmin(before, check->largest / (check->largest - weight * T));
    }
  }
  if (!(before < 1) || (attempt == 0 && !sb_refusals_go_on(sim))) {
    return false;
  }
  const double known = fmax(sim->options.rtol * sim->refused_length, 4 * sb_time_rounding(sim->t));
  *length = fmax(before * whole - 0.5 * known, known);
  return whole > 1.5 * known;
}

sb_status sb_temperatures_check(sb_simulation *sim, sb_error *err) {
  for (int i = 0; i < sim->check_count; i++) {
    if (sim->checks[i].component >= 0) {
      SB_TRY(check_temperature(sim, &sim->checks[i], err));
    }
  }
  return SB_OK;
}

/** The energy of a contact is that of a spring: where it falls below zero, it has given more than it took. Whether it rises again
 *  further on is not known: nothing may hold the bodies back. */
static sb_status check_springs(sb_simulation *sim, sb_error *err) {
  const int index = sb_audit_below_zero(&sim->audit);
  if (index < 0) {
    return SB_OK;
  }
  const sb_instance *instance = &sim->network->instances[index];
  const double stored = sb_instance_energy(sim->work, index, sim->t, sim->x);
  (void)sb_fail(err, SB_ERR_SOLVER, "the energy stored in '%.100s' has fallen to %s J at t = %s s",
                instance->id, sb_number_word(stored).text, sb_number_word(sim->t).text);
  sb_error_hint(err,
                "below zero it is less than that of bodies apart, so that the contact has "
                "given more than it took, whether it rises again further on or not: the energy "
                "of its law must not be negative at any displacement that occurs");
  sb_place_into(&instance->place, err);
  return SB_ERR_SOLVER;
}

static sb_status check_energies(sb_simulation *sim, sb_error *err) {
  const int index = sb_audit_not_finite(&sim->audit, sim->t, sim->x);
  if (index < 0) {
    return SB_OK;
  }
  const sb_instance *instance = &sim->network->instances[index];
  (void)sb_fail(err, SB_ERR_NOT_FINITE,
                "the energy stored in '%.100s' is no finite number at t = %s s", instance->id,
                sb_number_word(sim->t).text);
  sb_error_hint(err, "no balance can be met with it; its law must have a value at every state that "
                     "occurs");
  sb_place_into(&instance->place, err);
  return SB_ERR_NOT_FINITE;
}

sb_status sb_step_checks_run(sb_simulation *sim, sb_error *err) {
  SB_TRY(check_energies(sim, err));
  SB_TRY(check_springs(sim, err));
  SB_TRY(check_algebraics(sim, err));
  for (int i = 0; i < sim->check_count; i++) {
    if (sim->checks[i].component < 0) {
      SB_TRY(check_divisor(sim, &sim->checks[i], err));
    }
  }
  return sb_temperatures_check(sim, err);
}
