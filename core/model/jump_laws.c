// SPDX-License-Identifier: GPL-3.0-or-later
// Laws y = g(u) that rise and jump at u0 from a to b are maximal monotone graphs, and so is what the rest of a network leaves between their u
// and y: their modes at an instant are one problem. With the tangents s- and s+ of both sides, s the lesser of them, and
//   u = u0 + p - m,  y = a + s (u - u0) + l,  k = b - a + (s+ - s) p - l,  n = l + (s- - s) m
// it is linear and complementary: p >= 0 and k >= 0, m >= 0 and n >= 0, of which one each is zero. In front of the jump p and n are zero, behind
// it m and k, and at rest p and m. As u'y' <= 0 in what the rest of the network leaves of changes u', y',
//   p'k' + m'n' = -u'y' + s u'^2 + (s+ - s) p'^2 + (s- - s) m'^2 >= 0
// its matrix is positive semidefinite, and the criss-cross method (relation.c) ends with a solution if there is one. The basis of that is a set of
// modes which determine everything: of two laws that may both rest where only one can, the other one has an end of its jump.
// A law with several jumps has two pairs for each, whose l add up (jump_graph_private.h).
// Laws that are not linear are so about the solution before, by secants from u0 where they jump, which rise if they do.
// What states determine by themselves, as a velocity does that of dry friction on it, is left to its own events, as long as all laws of the part
// are so. Where some are not, those that rest are in their problem, which is that of an implicit Euler step of next to no length: what rests may
// bear many things, which move nothing at the instant, but decide on what moves behind it.
#include "core/model/jump_laws.h"

#include <math.h>
#include <string.h>

#include "core/model/jump_graph_private.h"
#include "core/model/relation_private.h"
#include "core/model/rhs.h"

/** So many problems are solved; after each row of WHOLE a lesser part of the way to the solution is taken. */
enum { ROUNDS = 100, WHOLE = 10 };
/** So many with the same modes are enough, where some laws are at the ends of their jumps, by rounding. */
enum { AGREE = 10 };
/** Of the way to its jump: what moves less from one problem to the next stays on its side. */
static const double little = 0.1;
/** A coefficient below this fraction of the largest of its variable is zero. */
static const double rounding = 1e-14;

/** A solution of the problem. */
typedef struct problem {
  sb_instant *instant;
  sb_jump_graph *laws; // (count)
  int count, pairs;
  sb_relation raw, r;
  double *near; // (bond variables)
} problem;

int sb_jump_law_count(const sb_network *network, int part) {
  int count = 0;
  for (int i = 0; i < network->instance_count; i++) {
    count += network->part_of[i] == part && sb_instance_jumps(&network->instances[i]);
  }
  return count;
}

static sb_status list_laws(problem *p, sb_arena *memory) {
  const sb_instant *s = p->instant;
  p->pairs = 0;
  for (int k = 0; k < p->count; k++) {
    const sb_instance *instance = s->pairs[k].instance;
    const bool of_effort = sb_natural_output(instance, 0) == SB_FLOW;
    const double sign = of_effort ? 1 : instance->signs[0],
                 u = p->near[of_effort ? sb_effort_var(instance, 0) : sb_flow_var(instance, 0)];
    sb_jump_graph *g = &p->laws[k];
    SB_TRY(sb_jump_graph_init(g, instance, sign * u, s->modes[instance->mode], memory));
    g->u_column = of_effort ? k : p->count + k;
    g->y_column = of_effort ? p->count + k : k;
    g->u_sign = sign;
    g->y_sign = of_effort ? instance->signs[0] : 1;
    g->pair = p->pairs;
    p->pairs += 2 * g->count;
  }
  return SB_OK;
}

/** All vectors that the equations leave. */
static sb_status find_raw(problem *p) {
  sb_instant *s = p->instant;
  sb_nullspace space;
  SB_TRY(sb_nullspace_find(s->eq.terms, s->eq.first, s->eq.row_count, s->vars, s->late,
                           SB_NULLSPACE_ROUNDING, &s->memory, &space));
  p->raw = (sb_relation){.rows = space.count, .n = p->count, .columns = s->columns};
  SB_TRY(sb_relation_make(&p->raw, &s->memory));
  for (int k = 0; k < space.count; k++) {
    for (int i = space.first[k]; i < space.first[k + 1]; i++) {
      const int column = s->column_of[space.terms[i].var];
      if (column >= 0) {
        p->raw.a[k * p->raw.columns + column] = space.terms[i].factor;
      }
    }
  }
  return sb_relation_normalise(&p->raw);
}

/** Whether anything but the states, at the instant, moves a variable. */
static bool moves(const sb_relation *raw, int column) {
  bool any = false;
  for (int i = 0; i < raw->rows && !any; i++) {
    any = !raw->taken[i] &&
          sb_extended_abs(raw->a[i * raw->columns + column]) > rounding * raw->scale[column];
  }
  return any;
}

/** A vector in the variables of the problem, with all of l at the first jump. */
static void transform(const problem *p, const sb_jump_graph *g, const sb_extended from[],
                      sb_extended to[]) {
  const int n = p->r.n, last = g->count - 1;
  const sb_extended one = from[2 * p->count], u = g->u_sign * from[g->u_column],
                    l = g->y_sign * from[g->y_column] - g->low[0] * one -
                        g->slope * (u - g->places[0] * one);
  for (int k = 0; k < g->count; k++) {
    const int pair = g->pair + 2 * k;
    const sb_extended way = u - g->places[k] * one;
    to[pair] = way;
    to[n + pair] = (sb_extended)(g->high[k] - g->low[k]) * one + (k == last ? g->behind : 0) * way -
                   (k == 0 ? l : 0);
    to[n + pair + 1] = k == 0 ? l : 0;
  }
}

/** The vectors that move none of its bond variables: p and m of a jump that rise together, and l that passes from the first one to another. */
static int add_inner(const problem *p, const sb_jump_graph *g, int row) {
  const int n = p->r.n;
  for (int k = 0; k < g->count; k++) {
    sb_extended *together = p->r.a + row++ * p->r.columns;
    const int pair = g->pair + 2 * k;
    together[pair] = together[pair + 1] = 1;
    together[n + pair] = k == g->count - 1 ? g->behind : 0;
    together[n + pair + 1] = k == 0 ? g->in_front : 0;
  }
  for (int k = 1; k < g->count; k++) {
    sb_extended *passes = p->r.a + row++ * p->r.columns;
    passes[n + g->pair + 2 * k] = passes[n + g->pair + 1] = -1;
    passes[n + g->pair + 2 * k + 1] = passes[n + g->pair] = 1;
  }
  return row;
}

static sb_status set_up(problem *p) {
  sb_instant *s = p->instant;
  const int behind = s->columns - 2 * p->count, n = p->pairs; // 1 and what goes along
  p->r = (sb_relation){.rows = p->raw.rows + n - p->count, .n = n, .columns = 2 * n + behind};
  SB_TRY(sb_relation_make(&p->r, &s->memory));
  for (int i = 0; i < p->raw.rows; i++) {
    const sb_extended *from = p->raw.a + i * p->raw.columns;
    sb_extended *to = p->r.a + i * p->r.columns;
    memcpy(to + 2 * n, from + 2 * p->count, (size_t)behind * sizeof *to);
    for (int k = 0; k < p->count; k++) {
      transform(p, &p->laws[k], from, to);
    }
  }
  for (int k = 0, row = p->raw.rows; k < p->count; k++) {
    row = add_inner(p, &p->laws[k], row);
  }
  return sb_relation_normalise(&p->r);
}

/** Where a law is in the solution. @param sure  out: whether it has moved little on its way to its jump, since the one before, or rests
 *  @return whether its mode is as before */
static bool take_law(const problem *p, sb_jump_graph *g, double part, bool *sure) {
  const int jump = g->jump, side = g->side;
  const double before = g->u;
  int rests = -1;
  for (int k = 0; k < g->count; k++) {
    const int pair = g->pair + 2 * k;
    const bool own =
        sb_relation_first_is_zero(&p->r, pair) && sb_relation_first_is_zero(&p->r, pair + 1);
    rests = rests < 0 && own ? k : rests;
  }
  if (rests >= 0) {
    sb_jump_graph_move(g, g->places[rests], rests, 0, part);
  } else {
    sb_jump_graph from = *g;
    from.u =
        g->places[0] + sb_relation_value(&p->r, g->pair) - sb_relation_value(&p->r, g->pair + 1);
    const int next = sb_jump_graph_nearest(&from);
    const bool in_front = sb_relation_first_is_zero(&p->r, g->pair + 2 * next);
    sb_jump_graph_move(g, from.u, next, in_front ? -1 : 1, part);
  }
  *sure = g->side == 0 || fabs(g->u - before) <= little * part * fabs(g->u - g->places[g->jump]);
  return g->jump == jump && g->side == side;
}

/** Takes the solution: modes, and where laws are linear next.
 *  @param part  of the way to the solution  @param sure  out: whether all are  @return whether modes are as before */
static bool take(problem *p, double part, bool *sure) {
  const sb_instant *s = p->instant;
  bool same = true;
  *sure = true;
  for (int k = 0; k < p->count; k++) {
    bool own;
    same = take_law(p, &p->laws[k], part, &own) && same;
    *sure = *sure && own;
  }
  for (int c = 2 * p->count + 1; c < s->columns; c++) {
    double *near = &p->near[s->var_of[c]];
    *near += part * (sb_relation_value(&p->r, c - 2 * p->count + 2 * p->pairs) - *near);
  }
  return same;
}

/** One linear problem. @param part, sure  as of take()  @param same  out: whether it has the modes of the one before */
static sb_status solve_once(problem *p, double part, bool *same, bool *sure) {
  bool *second = sb_arena_zeroed(&p->instant->memory, p->pairs, sizeof *second);
  if (second == NULL) {
    return SB_ERR_MEMORY;
  }
  for (int i = 0; i < p->count; i++) {
    sb_jump_graph *g = &p->laws[i];
    if (!sb_jump_graph_read(g, p->instant)) {
      return SB_ERR_LIMIT;
    }
    for (int k = 0; k < g->count; k++) {
      const int side = k < g->jump ? 1 : k > g->jump ? -1 : g->side;
      second[g->pair + 2 * k] = side > 0;
      second[g->pair + 2 * k + 1] = side < 0;
    }
  }
  SB_TRY(find_raw(p));
  SB_TRY(set_up(p));
  SB_TRY(sb_relation_solve(&p->r, second, &p->instant->memory));
  *same = take(p, part, sure);
  return SB_OK;
}

/** Which laws the problem is about: those that something else than states decides on, and with them those that rest.
 *  @param rests, chosen  (instances)  @return SB_ERR_LIMIT: none */
static sb_status choose(problem *p, const bool rests[], bool chosen[]) {
  bool any = false;
  SB_TRY(find_raw(p));
  for (int k = 0; k < p->count; k++) {
    const sb_jump_graph *g = &p->laws[k];
    const long own = g->instance - p->instant->work->network->instances;
    const bool free = moves(&p->raw, g->u_column) && moves(&p->raw, g->y_column);
    chosen[own] = free || rests[own];
    any = any || free;
  }
  return any ? SB_OK : SB_ERR_LIMIT;
}

/** What a problem is posed with. */
typedef struct question {
  sb_workspace *work;
  int part;
  double t, h;
  const double *x;
  sb_instant_end end;
  const int *modes;
} question;

/** The equations, about the laws chosen or all. */
static sb_status build(problem *p, const question *q, sb_instant *instant, const bool chosen[]) {
  SB_TRY(sb_instant_build_laws(instant, q->work, q->part, q->t, q->h, q->x, &q->end, q->modes,
                               chosen, p->near));
  p->instant = instant;
  p->count = instant->count;
  return SB_OK;
}

/** The first linear problem, whose states stay, tells which laws it is about. */
static sb_status begin(problem *p, const question *q, const bool rests[], bool chosen[],
                       sb_arena *memory) {
  sb_instant instant;
  sb_status status = build(p, q, &instant, NULL);
  status = status == SB_OK ? list_laws(p, memory) : status;
  status = status == SB_OK ? choose(p, rests, chosen) : status;
  sb_instant_finish(&instant);
  return status;
}

/** Linear problems, each about the solution of the one before, until laws are on the same sides. */
static sb_status iterate(problem *p, const question *q, const bool chosen[], sb_arena *memory) {
  sb_status status = SB_OK;
  bool done = false;
  for (int round = 0, agree = 0; status == SB_OK && !done; round++) {
    sb_instant instant;
    bool same = false, sure = false;
    status = build(p, q, &instant, chosen);
    if (status == SB_OK && round == 0) {
      status = list_laws(p, memory);
    }
    if (status == SB_OK) {
      // pieces that are steeper than their graph let it go to and fro
      const double part = 1. / (1 + round / WHOLE);
      status = round < ROUNDS ? solve_once(p, part, &same, &sure) : SB_ERR_LIMIT;
    }
    agree = same ? agree + 1 : 0;
    done = round > 0 && same && (sure || agree == AGREE);
    sb_instant_finish(&instant);
  }
  return status;
}

sb_status sb_jump_laws_solve(sb_workspace *work, int part, double t, double h, const double x[],
                             const int modes[], bool solved, const bool rests[], int found[]) {
  const sb_network *network = work->network;
  sb_arena memory = {0};
  problem p = {0};
  question q = {work, part, t, h, x, {t, x}, modes};
  bool *chosen = sb_arena_zeroed(&memory, network->instance_count, sizeof *chosen);
  double *x_end = sb_arena_zeroed(&memory, sb_vector_count(network), sizeof *x_end);
  p.near = sb_arena_zeroed(&memory, 2 * network->pair_count, sizeof *p.near);
  p.laws = sb_arena_zeroed(&memory, network->instance_count, sizeof *p.laws);
  sb_status status = memory.failed ? SB_ERR_MEMORY : SB_OK;
  if (status == SB_OK && solved) {
    sb_instant_go(work, t, h, x, x_end, &q.end);
  }
  if (status == SB_OK) {
    memcpy(p.near, work->bond_values, (size_t)(2 * network->pair_count) * sizeof *p.near);
    status = begin(&p, &q, rests, chosen, &memory);
  }
  if (status == SB_OK) {
    status = iterate(&p, &q, chosen, &memory);
  }
  if (solved && sb_workspace_evaluate(work, t, x) == 0) {
    sb_trace(work, x);
  }
  for (int i = 0; i < network->instance_count && status == SB_OK; i++) {
    found[i] = SB_JUMP_GIVEN;
  }
  for (int k = 0; k < p.count && status == SB_OK; k++) {
    found[p.laws[k].instance - network->instances] = sb_jump_graph_mode(&p.laws[k]);
  }
  sb_arena_finish(&memory);
  return status;
}
