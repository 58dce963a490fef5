// SPDX-License-Identifier: GPL-3.0-or-later
// Diodes, and stops that are closed, have s e >= 0 and -s f >= 0 of which one is zero. Where several of them change at one instant, their
// modes are those of a linear complementarity problem. With x+ = x + h f the implicit Euler step of the whole part has, for a small h,
// the modes that hold behind the instant, with impulses or without (rational complementarity: Heemels, Schumacher and Weiland,
// "Linear complementarity systems", SIAM J. Appl. Math. 60, 2000). All else is eliminated from its equations (instant_rows.c); what is
// left is a relation between the e and f of these elements, which is monotone as all else is passive. So the matrix M of the
// problem is positive semidefinite, and the criss-cross method (relation.c) ends with a solution if there is one.
#include "core/model/complementarity.h"

#include "core/model/instant_rows_private.h"
#include "core/model/relation_private.h"

int sb_complementary_count(const sb_network *network, const int modes[], int part) {
  int count = 0;
  for (int i = 0; i < network->instance_count; i++) {
    sb_complementary kind;
    count += network->part_of[i] == part &&
             sb_instance_is_complementary(&network->instances[i], modes, &kind);
  }
  return count;
}

/** The sign with which a variable of the relation is not below zero. */
static double sign_of(const sb_instant *instant, int column) {
  const sb_pair *pair = &instant->pairs[column % instant->count];
  return column < instant->count ? pair->kind.sign : -pair->kind.sign * pair->instance->signs[0];
}

/** The null space of the rows, of these variables alone. */
static void fill(sb_relation *r, const sb_instant *instant, const sb_nullspace *space) {
  for (int k = 0; k < space->count; k++) {
    for (int i = space->first[k]; i < space->first[k + 1]; i++) {
      const int column = instant->column_of[space->terms[i].var];
      if (column >= 0) {
        r->a[k * r->columns + column] = column < 2 * r->n
                                            ? space->terms[i].factor * sign_of(instant, column)
                                            : space->terms[i].factor;
      }
    }
  }
}

static sb_status solve(sb_relation *r, sb_instant *instant, int modes[]) {
  bool *held = sb_arena_zeroed(&instant->memory, r->n, sizeof *held);
  if (held == NULL) {
    return SB_ERR_MEMORY;
  }
  for (int k = 0; k < r->n; k++) {
    held[k] = instant->pairs[k].held;
  }
  SB_TRY(sb_relation_normalise(r));
  SB_TRY(sb_relation_solve(r, held, &instant->memory));
  for (int k = 0; k < r->n; k++) {
    const sb_pair *pair = &instant->pairs[k];
    modes[pair->instance->mode] =
        sb_relation_first_is_zero(r, k) ? pair->kind.free : pair->kind.held;
  }
  return SB_OK;
}

sb_status sb_complementarity_solve(sb_workspace *work, int part, double t, const double x[],
                                   int modes[]) {
  sb_instant instant;
  sb_nullspace space;
  sb_status status = sb_instant_build(&instant, work, part, t, x, modes);
  sb_arena *memory = &instant.memory;
  if (status == SB_OK) {
    status = sb_nullspace_find(instant.eq.terms, instant.eq.first, instant.eq.row_count,
                               instant.vars, instant.late, SB_NULLSPACE_ROUNDING, memory, &space);
  }
  if (status == SB_OK) {
    sb_relation r = {.rows = space.count, .n = instant.count, .columns = 2 * instant.count + 1};
    status = sb_relation_make(&r, memory);
    if (status == SB_OK) {
      fill(&r, &instant, &space);
      status = solve(&r, &instant, modes);
    }
  }
  sb_instant_finish(&instant);
  return status;
}
