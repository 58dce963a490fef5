// SPDX-License-Identifier: GPL-3.0-or-later
// An equilibrium and the modes of its elements. It is looked for in the modes of the start, as if there were no events. Where it
// contradicts them, as a stop that is open beyond its limit, the first event on the chord from the start is taken, and the search goes
// on from there in the new modes. Where there is no equilibrium, as of a mass that falls, the first event is looked for on the way of
// implicit Euler steps x(h) of growing length h. Each change leads to other modes than all before, so that this ends. Where the first
// event leads back, as of a load that slips back at the start and forward in the end, dissipations take the modes that the rest found
// demands, the first one of them at a time: the least-index rule of principal pivoting, which comes to the solution from any modes where
// the network is monotone (Murty, "Linear Complementarity, Linear and Nonlinear Programming", 1988; with bounds on both sides Judice and
// Pires, "Basic-set algorithm for a generalized linear complementarity problem", 1992).
#include <stdio.h>
#include <string.h>

#include "core/analysis/mode_changes_private.h"

enum { CHANGES_MAX = 200 };

static bool has_changed(const sb_operating_point *p, int i) {
  const int mode = p->network.instances[i].mode;
  return p->changed[i] != NULL && mode >= 0 && p->work->modes[mode] != p->start_modes[mode];
}

int sb_operating_point_list_changed(const sb_operating_point *p, sb_arena *memory,
                                    sb_mode_change **changed) {
  int count = 0;
  *changed = sb_arena_zeroed(memory, p->network.instance_count, sizeof **changed);
  for (int i = 0; *changed != NULL && i < p->network.instance_count; i++) {
    const char *id = p->network.instances[i].id;
    if (has_changed(p, i)) {
      (*changed)[count++] = (sb_mode_change){sb_arena_copy(memory, id, strlen(id)), p->changed[i]};
    }
  }
  return count;
}

/** "st (touch), D1 (switch)": what is in another mode than at the start. */
static void list_changes(const sb_operating_point *p, char text[], size_t size) {
  text[0] = '\0';
  for (int i = 0; i < p->network.instance_count; i++) {
    const size_t used = strlen(text);
    if (has_changed(p, i)) {
      (void)snprintf(text + used, size - used, "%s'%s' (%s)", used > 0 ? ", " : "",
                     p->network.instances[i].id, p->changed[i]);
    }
  }
}

/** No equilibrium in the present modes, which may be others than at the start. */
static sb_status word_failure(const sb_operating_point *p, const sb_error *why, sb_error *err) {
  char changes[200];
  list_changes(p, changes, sizeof changes);
  if (err != NULL) {
    *err = *why;
  }
  if (changes[0] != '\0') {
    (void)sb_fail(err, why->status, "%.250s, where another mode is that of %s", why->text, changes);
    sb_error_hint(err, "%s", why->hint);
  }
  return why->status;
}

static sb_status word_contradiction(const sb_mode_changes *m, sb_error *err) {
  const sb_operating_point *p = m->p;
  const sb_instance *instance = sb_mode_changes_first(m);
  (void)sb_fail(err, SB_ERR_SOLVER,
                "no equilibrium of '%s' was found near its state at %s s: the one that was "
                "contradicts the mode of "
                "'%s', and no modes were found that fit",
                p->network.name, sb_number_word(p->t).text, instance->id);
  sb_error_hint(
      err, "%s",
      instance->type->switching->unilateral != NULL
          ? "a rigid contact stays in the mode of that time: start at a later one, at which it "
            "touches"
          : "start nearer to it, for instance at a later time; what changes over again and again, "
            "as a thermostat, has none");
  sb_place_into(&instance->place, err);
  return SB_ERR_SOLVER;
}

/** The change of modes that a rest at l->x contradicts. */
static sb_status change(sb_mode_changes *m, const sb_linear *l) {
  const bool pivots = m->pivots;
  sb_status status = SB_ERR_SOLVER;
  for (int k = 0; k < 2 && status == SB_ERR_SOLVER; k++) {
    memcpy(m->p->x, l->x, (size_t)m->p->states * sizeof(double));
    if (pivots == (k == 0)) {
      status = sb_mode_changes_pivot(m);
    } else {
      sb_mode_changes_locate(m);
      status = sb_mode_changes_take(m);
    }
  }
  return status;
}

/** After a search that has ended with `why`. @param done  out: nothing is left to change  @return SB_OK: the modes are other ones */
static sb_status go_on(sb_mode_changes *m, sb_linear *l, const sb_error *why, bool *done,
                       sb_error *err) {
  sb_operating_point *p = m->p;
  const size_t size = (size_t)p->states * sizeof(double);
  bool found = false;
  if (why->status == SB_OK) {
    memcpy(p->x, l->x, size);
    *done = !sb_mode_changes_contradict(m);
    if (*done) {
      return SB_OK;
    }
  } else {
    memcpy(l->x, m->from, size);
    if (sb_mode_changes_begin(m)) {
      SB_TRY(sb_operating_point_depart(p, l, sb_mode_changes_reached, m, &found, err));
    }
    if (!found) {
      return word_failure(p, why, err);
    }
  }
  const sb_status status = why->status == SB_OK ? change(m, l) : sb_mode_changes_take(m);
  memcpy(l->x, p->x, size);
  return status == SB_OK           ? SB_OK
         : status == SB_ERR_MEMORY ? sb_fail(err, SB_ERR_MEMORY, "out of memory")
         : why->status == SB_OK    ? word_contradiction(m, err)
                                   : word_failure(p, why, err);
}

sb_status sb_operating_point_settle(sb_operating_point *p, sb_linear *l, bool relaxes,
                                    sb_error *err) {
  sb_mode_changes m;
  bool done = p->states == 0;
  sb_status status = sb_mode_changes_init(&m, p, err);
  for (int k = 0; status == SB_OK && !done && k <= CHANGES_MAX; k++) {
    sb_error why = {0};
    memcpy(m.from, p->x, (size_t)sb_vector_count(&p->network) * sizeof(double));
    memcpy(m.from, l->x, (size_t)p->states * sizeof(double));
    const sb_status rests = sb_operating_point_rest(p, l, relaxes, &why);
    why.status = rests; // an attempt that failed before another one leaves its own
    done = rests == SB_ERR_MEMORY || !m.any;
    if (!done) {
      status = go_on(&m, l, &why, &done, err);
    } else if (rests != SB_OK) {
      status = word_failure(p, &why, err);
    }
  }
  if (status == SB_OK && !done) {
    status = word_contradiction(&m, err);
  }
  sb_mode_changes_finish(&m);
  return status;
}
