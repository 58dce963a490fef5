// SPDX-License-Identifier: GPL-3.0-or-later
// The contacts that touch at an instant: which ones, held all at once, and the forces that satisfy their conditions.
// A response to forces is that of the network in which they are held (touch_responses.c).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/causality/constraint.h"
#include "core/linalg/unilateral.h"
#include "core/simulation/impacts_private.h"
#include "core/simulation/switching_private.h"

enum { SETTLINGS_MAX = 3 };
/** Flows are known to SB_TOUCH_ROUNDING of what they are small against, unless this fraction of their terms is more. */
static const double flow_rounding = 1e-2;

sb_at sb_touch_at(const sb_simulation *sim, const sb_touch *touch) {
  return sb_at_switch(sim, &sim->switches[touch->index], sim->t, sim->x);
}

const sb_unilateral_hooks *sb_touch_hooks(const sb_simulation *sim, int index) {
  return sim->network->instances[sim->switches[index].instance].type->switching->unilateral;
}

sb_status sb_touches_list(sb_simulation *sim, int struck, int indicator, sb_touches *all,
                          sb_error *err) {
  all->touches = sb_zeroed(sim->switch_count, sizeof *all->touches);
  if (all->touches == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  all->span = sim->t - sim->options.t_start;
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_unilateral_hooks *hooks = sb_touch_hooks(sim, i);
    sb_touch *touch = &all->touches[all->count];
    const sb_instance *instance = &sim->network->instances[sim->switches[i].instance];
    if (hooks == NULL) {
      continue;
    }
    *touch = (sb_touch){.index = i, .instance = sim->switches[i].instance};
    sb_at at = sb_touch_at(sim, touch);
    touch->mode = at.mode;
    hooks->terms(instance->self, &at, &touch->terms);
    // what is located is off by what times are rounded to, others are by what steps are
    const double known = i == struck ? HUGE_VAL : sb_touches_tolerance(sim) * touch->terms.length;
    if (touch->terms.overlap > (sim->accepted > 0 ? known : 0) && at.mode == SB_APART) {
      sb_error why;
      (void)sb_fail(&why, SB_ERR_CONTACT, "rigid bodies overlap by %s m",
                    sb_number_word(touch->terms.overlap).text);
      sb_error_hint(&why, "start with the bodies apart, or touching");
      return sb_refusal_place(instance, sim->t, &why, err);
    }
    if (touch->terms.flat) {
      return sb_refusal_word(sim, touch->instance, sim->t, sim->x, err);
    }
    all->count += touch->terms.touches || i == struck;
  }
  sb_touches_list_stops(sim, struck, indicator, all);
  return SB_OK;
}

void sb_touch_set_mode(sb_simulation *sim, const sb_touch *touch, int mode) {
  sim->work->modes[sim->network->instances[touch->instance].mode] = mode;
  sb_workspace_changed(sim->work);
}

bool sb_touches_beside(const sb_simulation *sim, int instance) {
  const sb_network *network = sim->network;
  bool any = false;
  for (int i = 0; i < sim->switch_count && !any; i++) {
    const int other = sim->switches[i].instance;
    any = sb_touch_hooks(sim, i) != NULL && network->part_of[other] == network->part_of[instance] &&
          sim->work->modes[network->instances[other].mode] != SB_APART;
  }
  return any;
}

/** The rates of the flows of those that are held. */
static void read_rates(const sb_simulation *sim, sb_touches *all) {
  const sb_causality *causality = &sim->work->program->causality;
  for (int i = 0; i < causality->constraint_count; i++) {
    double factor;
    int own = sb_touch_component(sim, all, i, &factor, NULL);
    if (own >= 0) {
      int value = sb_constraint_rate_value(sim->network, causality, i);
      all->touches[own / 3].rate[own % 3] = sim->work->values[value] / factor;
    }
  }
}

/** Of redundant contacts those forces that contradict each other least. */
sb_status sb_touches_evaluate(sb_simulation *sim, sb_error *err) {
  sim->work->loops.least_squares = true;
  sb_status status = sb_evaluate(sim, sim->t, sim->x, err);
  sim->work->loops.least_squares = false;
  return status;
}

/** Closes the gaps of those that have only begun, by a few steps of Newton's method. */
static sb_status settle(sb_simulation *sim, sb_error *err) {
  bool moved = true;
  for (int i = 0; moved && i < SETTLINGS_MAX; i++) {
    if (sb_workspace_settle(sim->work, sim->t, sim->x, &moved) != SB_OK) {
      return sb_fail(err, SB_ERR_MEMORY, "out of memory");
    }
    if (moved) {
      sb_workspace_changed(sim->work);
      SB_TRY(sb_touches_evaluate(sim, err));
    }
  }
  return SB_OK;
}

double sb_touch_speeds(const sb_touches *all, int c) {
  const double *size = all->size + 3 * c;
  return fmax(all->touches[c].terms.speeds, flow_rounding * (size[0] + size[1] + size[2]));
}

/** The network with all of `all` held could not be compiled. */
static sb_status report_held(const sb_simulation *sim, const sb_touches *all, sb_status status,
                             const sb_errors *errors, sb_error *err) {
  const char *first = sim->network->instances[all->touches[0].instance].id;
  const sb_number_text when = sb_number_word(sim->t);
  if (status == SB_ERR_MEMORY) {
    return sb_fail(err, status, "out of memory");
  }
  if (errors->count > 0 && errors->items[0].status == SB_ERR_LOOP) {
    sb_fail(err, SB_ERR_SOLVER,
            "the forces of %d rigid contacts at t = %s s, that of '%s' among them, depend on each "
            "other: more unknowns than the %d that are solved for together",
            all->count, when.text, first, SB_LOOP_MAX);
    sb_error_hint(err,
                  "three points hold a body on a plane, more only share its load; soft contact "
                  "laws need no common solution");
    return err->status;
  }
  return sb_fail(err, SB_ERR_SOLVER, "'%s' cannot be in contact at t = %s s: %.380s", first,
                 when.text, errors->count > 0 ? errors->items[0].text : "");
}

/** The forces with which one of them is held. */
static void read_held(const sb_simulation *sim, sb_touch *touch) {
  const sb_at at = sb_touch_at(sim, touch);
  memset(touch->held, 0, sizeof touch->held);
  if (touch->strength > 0) {
    touch->held[1] = -at.in[0];
  } else if (touch->side != 0) {
    touch->held[0] = touch->side * at.in[0];
  } else {
    const int first = sb_touch_hooks(sim, touch->index)->component;
    for (int k = 0; k < 3; k++) {
      touch->held[k] = -at.in[first + k];
    }
  }
}

/** Compiles the program in which contacts are held. @param held  whether frictions and stops are, too
 *  @param any  out: whether there are any of these */
static sb_status compile(sb_simulation *sim, const sb_touches *all, bool held, bool *any,
                         sb_error *err) {
  sb_errors errors = {0};
  *any = false;
  for (int c = 0; c < all->count; c++) {
    const sb_touch *touch = &all->touches[c];
    *any = *any || sb_touch_is_element(touch);
    sb_touch_set_mode(sim, touch,
                      sb_touch_is_element(touch)
                          ? (held && !touch->loose ? touch->stick : touch->free)
                      : touch->terms.rubs ? SB_STICKS
                                          : SB_SLIDES);
  }
  sb_status status = sb_workspace_recompile(sim->work, &errors);
  if (status != SB_OK) {
    status = report_held(sim, all, status, &errors, err);
  }
  sb_errors_finish(&errors);
  SB_TRY(status);
  sb_workspace_forget_shares(sim->work); // these are asked for anew
  return sb_touches_evaluate(sim, err);
}

/** Forces by the program in which all of them are held. Responses are by the one in which frictions and stops are free, which tells their
 *  flows: their efforts need be no multipliers of the former, as beside a storage that depends on what they hold. Where something else holds the
 *  motion of a stop, as friction that sticks again behind an impact and has not joined them, no program holds it twice: the stop bears nothing. */
sb_status sb_touches_hold(sb_simulation *sim, sb_touches *all, sb_error *err) {
  bool elements;
  sb_error none;
  sb_status status = compile(sim, all, true, &elements, err);
  if (status == SB_ERR_SOLVER && elements && compile(sim, all, false, &elements, &none) == SB_OK) {
    SB_TRY(sb_touches_respond(sim, all, err));
    status = sb_touches_find_loose(all) ? compile(sim, all, true, &elements, err) : SB_OK;
  }
  SB_TRY(status);
  SB_TRY(settle(sim, err));
  read_rates(sim, all);
  sb_indicators_trace(sim, sim->x);
  for (int c = 0; c < all->count; c++) {
    read_held(sim, &all->touches[c]);
  }
  SB_TRY(elements ? compile(sim, all, false, &elements, err) : SB_OK);
  SB_TRY(sb_touches_respond(sim, all, err));
  sb_touches_rate_loose(all);
  for (int c = 0; c < all->count; c++) { // by what it may be off, of all speeds in it
    all->touches[c].slow = SB_TOUCH_ROUNDING * sb_touch_speeds(all, c);
  }
  sb_touches_find_still(sim, all);
  return SB_OK;
}

sb_status sb_touch_refuse(const sb_simulation *sim, const sb_touch *touch, const char *what,
                          const char *hint, sb_error *err) {
  sb_error why;
  (void)sb_fail(&why, SB_ERR_SOLVER, "%s", what);
  sb_error_hint(&why, "%s", hint);
  return sb_refusal_place(&sim->network->instances[touch->instance], sim->t, &why, err);
}

sb_status sb_touch_refuse_driven(const sb_simulation *sim, const sb_touch *touch, sb_error *err) {
  return sb_touch_refuse(sim, touch,
                         "what drives the bodies along each other makes the contact slip, which "
                         "friction=\"stuck\" rules out",
                         "a source of velocity gives way to nothing: use friction=\"coulomb\", or "
                         "drive by a force, or through a spring or a damper",
                         err);
}

/** What can be changed where no forces are found, or no impulses: what is stuck has no mu, and what wedges by its friction may not be given the speed
 *  that Newton's restitution asks for. */
static const char *hint_of_none(const sb_unilateral contacts[], int count, bool impulses) {
  for (int i = 0; i < count; i++) {
    if (contacts[i].rubs && isinf(contacts[i].mu)) {
      return "friction=\"stuck\" holds by any force, also where nothing presses: use "
             "friction=\"coulomb\" with a mu, or let the run end before";
    }
  }
  return impulses
             ? "bodies that are wedged between others take impact=\"stronge\" or "
               "impact=\"poisson\", impacts=\"sequential\", a smaller mu, or a contact with a "
               "stiffness"
             : "bodies that are wedged between others, or that almost coincide, take a smaller "
               "mu, or a contact with a stiffness";
}

/** What the contacts may do, all with a sum of what they have. */
sb_status sb_touches_solve(const sb_simulation *sim, const sb_touches *all,
                           sb_unilateral contacts[], const double b[], const double v[], double p[],
                           bool *impact, sb_error *err) {
  const sb_unilateral_status status = sb_unilateral_solve(contacts, all->count, all->W, b, v, p);
  *impact = status == SB_UNILATERAL_IMPACT;
  return status == SB_UNILATERAL_SOLVED || *impact ? SB_OK
         : status == SB_UNILATERAL_MEMORY
             ? sb_fail(err, SB_ERR_MEMORY, "out of memory")
             : sb_touch_refuse(sim, &all->touches[0],
                               v == NULL ? "no impulses are found that satisfy contact and friction"
                                         : "no forces are found that satisfy contact and friction",
                               hint_of_none(contacts, all->count, v == NULL), err);
}
