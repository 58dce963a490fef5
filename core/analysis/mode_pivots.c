// SPDX-License-Identifier: GPL-3.0-or-later
// The change of modes at a state where event indicators are zero: the elements fire as in a run, the structure is compiled anew, and
// the state is projected onto what it constrains.
#include <string.h>

#include "core/analysis/mode_changes_private.h"
#include "core/model/constraints.h"

enum { ALL = SB_INDICATORS_MAX };

/** Lets an element take its event at p->x. @return false: it refuses, or its mode stays */
static bool fire(const sb_mode_changes *m, int index, int indicator, sb_transition *next) {
  const sb_operating_point *p = m->p;
  const sb_instance *instance = &p->network.instances[index];
  const sb_switching_hooks *hooks = instance->type->switching;
  double *discrete = p->work->discrete + instance->discrete;
  sb_error why = {0};
  const sb_at at = sb_mode_changes_at(m, instance);
  *next = (sb_transition){.mode = at.mode, .err = &why};
  const bool taken = hooks->fire != NULL && // else impacts have its events
                     hooks->fire(instance->self, &at, indicator, discrete, next) == SB_OK;
  next->err = NULL;
  if (!taken || next->mode == at.mode) {
    return false;
  }
  p->work->modes[instance->mode] = next->mode;
  p->changed[index] = next->kind != NULL ? next->kind : p->changed[index];
  if (!next->continues) {
    sb_workspace_reset_listeners(p->work, index, p->t, p->x);
  }
  return true;
}

/** The program for the present modes. */
static sb_status recompile(const sb_mode_changes *m) {
  sb_errors errors = {0};
  const sb_status status = sb_workspace_recompile(m->p->work, &errors);
  sb_errors_finish(&errors);
  return status == SB_OK || status == SB_ERR_MEMORY ? status : SB_ERR_SOLVER;
}

/** The same, and p->x on its constraints. */
static sb_status compile(const sb_mode_changes *m) {
  sb_operating_point *p = m->p;
  int violated;
  SB_TRY(recompile(m));
  if (!sb_mode_changes_enter(m)) {
    return SB_ERR_SOLVER;
  }
  SB_TRY(sb_workspace_project(p->work, p->t, p->x, &violated));
  return sb_mode_changes_enter(m) ? SB_OK : SB_ERR_SOLVER;
}

static bool is_tried(const sb_mode_changes *m) {
  const int n = m->p->network.mode_count;
  bool any = false;
  for (int k = 0; k < m->tried_count && !any; k++) {
    any = memcmp(m->tried + k * n, m->p->work->modes, (size_t)n * sizeof(int)) == 0;
  }
  return any;
}

/** Notes the present modes as tried. */
static sb_status note(sb_mode_changes *m) {
  const int n = m->p->network.mode_count;
  if (!sb_arena_grow(&m->memory, &m->tried, &m->tried_capacity, (m->tried_count + 1) * n,
                     sizeof(int))) {
    return SB_ERR_MEMORY;
  }
  memcpy(m->tried + m->tried_count++ * n, m->p->work->modes, (size_t)n * sizeof(int));
  return SB_OK;
}

/** Which elements change over together: the first that has been reached, all of these, or all that may; or the first dissipation. */
enum { ONE, REACHED, EVERY, ATTEMPTS, DISSIPATION = ATTEMPTS };

static bool is_wanted(const sb_mode_changes *m, int j, int which) {
  const sb_element_type *type = m->p->network.instances[j / ALL].type;
  return m->against[j] && (which == EVERY         ? true
                           : which == DISSIPATION ? type->dissipation != NULL
                                                  : sb_mode_changes_is_reached(m, j));
}

/** One such change. What comes to stick and cannot, as others at the same place do, is held by these. */
static sb_status attempt(sb_mode_changes *m, int which) {
  const sb_operating_point *p = m->p;
  sb_transition next = {0};
  int fired = 0, last = -1;
  if (!sb_mode_changes_enter(m)) {
    return SB_ERR_SOLVER;
  }
  sb_mode_changes_accept(m);
  const bool alone = which == ONE || which == DISSIPATION;
  for (int j = 0; j < m->count && !(alone && fired > 0); j++) {
    if (is_wanted(m, j, which) && last != j / ALL && fire(m, j / ALL, j % ALL, &next)) {
      last = j / ALL;
      fired++;
    }
  }
  if (fired == 0 || is_tried(m)) {
    return SB_ERR_SOLVER;
  }
  sb_status status = compile(m);
  const sb_instance *instance = &p->network.instances[last];
  if (status == SB_ERR_SOLVER && fired == 1 && sb_instance_sticks(instance, p->work->modes)) {
    p->work->modes[instance->mode] = next.held;
    status = is_tried(m) ? SB_ERR_SOLVER : compile(m);
  }
  return status;
}

/** The attempts from one to, not including, another. */
static sb_status take(sb_mode_changes *m, int first, int end) {
  sb_operating_point *p = m->p;
  sb_workspace *work = p->work;
  const size_t vector = (size_t)sb_vector_count(&p->network) * sizeof(double),
               modes = (size_t)p->network.mode_count * sizeof(int),
               discrete = (size_t)p->network.discrete_count * sizeof(double);
  sb_status status = m->tried_count == 0 ? note(m) : SB_OK;
  double *x = m->back,
         *before = sb_arena_zeroed(&m->memory, p->network.discrete_count, sizeof(double));
  if (status != SB_OK || before == NULL) {
    return SB_ERR_MEMORY;
  }
  memcpy(x, p->x, vector);
  memcpy(m->modes, work->modes, modes);
  memcpy(before, work->discrete, discrete);
  for (int which = first; which < end; which++) {
    status = attempt(m, which);
    if (status != SB_ERR_SOLVER) {
      return status == SB_OK ? note(m) : status;
    }
    memcpy(p->x, x, vector);
    memcpy(work->modes, m->modes, modes);
    memcpy(work->discrete, before, discrete);
    SB_TRY(recompile(m));
  }
  return SB_ERR_SOLVER;
}

sb_status sb_mode_changes_take(sb_mode_changes *m) {
  return take(m, ONE, ATTEMPTS);
}

sb_status sb_mode_changes_pivot(sb_mode_changes *m) {
  m->tried_count = m->pivots ? m->tried_count : 0;
  m->pivots = true;
  return take(m, DISSIPATION, DISSIPATION + 1);
}
