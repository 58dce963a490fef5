// SPDX-License-Identifier: GPL-3.0-or-later
// Rigid contacts, all that touch at once. For these the program is compiled in which they are held, with what the
// network holds beside them, c(x) = 0 for the flows c and the impulses p of their constraints:
//   x+ = x- + G^T p,   c+ = c- + W p,   W = C G^T (core/model/constraints.h),
// with the other constraints taken out: no impulse on a contact violates them. It is asked twice:
//   impact      where a gap closes: p by the law of impacts
//   modes       with the forces f that hold all of them the rates without forces are -W f; the forces that satisfy the
//               conditions of contact and friction (core/linalg/unilateral.h) tell who goes on in contact, and how
// The loss of a contact is -p . (c- + c+)/2, whatever the others do.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/causality/constraint.h"
#include "core/linalg/dense.h"
#include "core/linalg/unilateral.h"
#include "core/model/constraints.h"
#include "core/simulation/impacts_private.h"

enum { IN_TURN_MAX = 20000 };
/** Speeds below this fraction of what they are the difference of are zero, and those of a slip that ends below the other
 *  one of the speed before. */
static const double rounding = 1e-10, slip_rounding = 1e-6;
/** An impact that gives more than this fraction of the energy that it turns over gives energy. */
static const double gain = 1e-9;
static const double force_rounding = 1e-13;
static const double rank_tol = 1e-12, nothing = 1e-14, redundant = 1e-9;

// ---- the contacts that touch

static sb_at at_contact(const sb_simulation *sim, const sb_touch *touch) {
  return sb_at_switch(sim, &sim->switches[touch->index], sim->t, sim->x);
}

static const sb_unilateral_hooks *hooks_of(const sb_simulation *sim, int index) {
  return sim->network->instances[sim->switches[index].instance].type->switching->unilateral;
}

/** Lists those that touch. @param struck  counts as one of them; -1: none */
static sb_status list_touching(sb_simulation *sim, int struck, sb_touches *all, sb_error *err) {
  all->touches = sb_zeroed(sim->switch_count, sizeof *all->touches);
  if (all->touches == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int i = 0; i < sim->switch_count; i++) {
    const sb_unilateral_hooks *hooks = hooks_of(sim, i);
    sb_touch *touch = &all->touches[all->count];
    const sb_instance *instance = &sim->network->instances[sim->switches[i].instance];
    if (hooks == NULL) {
      continue;
    }
    *touch = (sb_touch){.index = i, .instance = sim->switches[i].instance};
    sb_at at = at_contact(sim, touch);
    touch->mode = at.mode;
    hooks->terms(instance->self, &at, &touch->terms);
    if (touch->terms.overlap > 0 && at.mode == SB_APART && i != struck) {
      sb_error why;
      (void)sb_fail(&why, SB_ERR_CONTACT, "rigid bodies overlap by %s m",
                    sb_number_word(touch->terms.overlap).text);
      sb_error_hint(&why, "start with the bodies apart, or touching");
      return sb_refusal_place(instance, sim->t, &why, err);
    }
    all->count += touch->terms.touches || i == struck;
  }
  return SB_OK;
}

static void set_mode(sb_simulation *sim, const sb_touch *touch, int mode) {
  sim->work->modes[sim->network->instances[touch->instance].mode] = mode;
  sb_workspace_changed(sim->work);
}

// ---- how they respond

/** The contact and its component that a constraint holds, and the factor between them. */
static int component_of(const sb_simulation *sim, const sb_touches *all, int constraint,
                        double *factor) {
  int count;
  const sb_term *term = sb_constraint_terms(&sim->work->program->causality, constraint, &count);
  int value = term->var - sb_known_base(sim->network) - sim->network->state_count;
  for (int c = 0; count == 1 && c < all->count; c++) {
    const sb_instance *instance = &sim->network->instances[all->touches[c].instance];
    int component = value - instance->out - hooks_of(sim, all->touches[c].index)->component;
    if (component >= 0 && component < 3) {
      *factor = term->factor;
      return 3 * c + component;
    }
  }
  return -1;
}

/** Takes the constraints beside the contacts out of the rows: G' = G - G C_b^T (C_b G_b^T)^-1 G_b.
 *  @param C, G  (rows x n), the first `contacts` rows those of contacts */
static sb_status take_out(double *C, double *G, int contacts, int rows, int n, sb_error *err) {
  int others = rows - contacts;
  double *a = sb_zeroed(2 * others * others + 4 * others + 4, sizeof(double));
  int *order = sb_zeroed(others + 1, sizeof(int));
  if (a == NULL || order == NULL) {
    free(a);
    free(order);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  double *used = a + others * others, *z = used + others * others, *scratch = z + 2 * others + 2;
  for (int i = 0; i < others; i++) {
    for (int j = 0; j < others; j++) {
      for (int k = 0; k < n; k++) {
        a[i * others + j] += C[(contacts + i) * n + k] * G[(contacts + j) * n + k];
      }
    }
  }
  for (int c = 0; c < contacts && others > 0; c++) {
    memcpy(used, a, (size_t)(others * others) * sizeof *a);
    for (int i = 0; i < others; i++) {
      z[i] = 0;
      for (int k = 0; k < n; k++) {
        z[i] += C[(contacts + i) * n + k] * G[c * n + k];
      }
    }
    (void)sb_solve_least_norm(used, z, others, others, rank_tol, order, scratch);
    for (int i = 0; i < others; i++) {
      for (int k = 0; k < n; k++) {
        G[c * n + k] -= z[i] * G[(contacts + i) * n + k];
      }
    }
  }
  free(a);
  free(order);
  return SB_OK;
}

/** A direction in which a contact does not move, as across the plane of a mechanism, has no response but rounding. */
static void drop_still(sb_touches *all) {
  int m = 3 * all->count;
  double most = 0;
  for (int i = 0; i < m; i++) {
    most = fmax(most, all->W[i * m + i]);
  }
  for (int i = 0; i < m; i++) {
    if (!(all->W[i * m + i] > redundant * most)) {
      for (int j = 0; j < m; j++) {
        all->W[i * m + j] = all->W[j * m + i] = 0;
      }
      memset(all->G + i * all->n, 0, (size_t)all->n * sizeof *all->G);
      all->v[i] = 0;
    }
  }
}

/** Fills v, size, W and G of the contacts, by the program in which they are held. */
static sb_status find_responses(sb_simulation *sim, sb_touches *all, sb_error *err) {
  const sb_causality *causality = &sim->work->program->causality;
  int n = sim->network->state_count, m = 3 * all->count, total = m + causality->constraint_count;
  sb_constraint_groups *groups = sb_constraint_groups_of(sim->work);
  free(all->numbers);
  all->numbers = sb_zeroed(2 * total * n + m * m + 5 * m, sizeof(double));
  if (all->numbers == NULL || groups == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  all->n = n;
  double *C = all->numbers + total * n;
  all->G = all->numbers;
  all->W = C + total * n;
  all->v = all->W + m * m;
  all->size = all->v + m;
  all->p = all->size + m;
  all->step = all->p + m;
  all->v0 = all->step + m;
  int rows = m;
  for (int i = 0; i < causality->constraint_count; i++) {
    double factor = 1;
    const sb_constraint_row *row = sb_constraint_row_at(groups, sim->work, i, sim->x, true);
    int own = component_of(sim, all, i, &factor), to = own >= 0 ? own : rows++;
    for (int k = 0; k < row->count; k++) {
      C[to * n + row->states[k]] = row->gradient[row->states[k]] / factor;
      all->G[to * n + row->states[k]] = row->impulse[row->states[k]] / factor;
    }
    if (own >= 0) {
      all->v[own] = row->residual / factor;
      all->size[own] = (row->size + row->terms) / fabs(factor);
    }
  }
  SB_TRY(take_out(C, all->G, m, rows, n, err));
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) {
      for (int k = 0; k < n; k++) {
        all->W[i * m + j] += C[i * n + k] * all->G[j * n + k];
      }
    }
  }
  drop_still(all);
  return SB_OK;
}

/** The rates of the flows of those that are held. */
static void read_rates(const sb_simulation *sim, sb_touches *all) {
  const sb_causality *causality = &sim->work->program->causality;
  for (int i = 0; i < causality->constraint_count; i++) {
    double factor;
    int own = component_of(sim, all, i, &factor);
    if (own >= 0) {
      int value = sb_constraint_rate_value(sim->network, causality, i);
      all->touches[own / 3].rate[own % 3] = sim->work->values[value] / factor;
    }
  }
}

/** The program in which all of them are held. */
static sb_status hold(sb_simulation *sim, sb_touches *all, sb_error *err) {
  sb_errors errors = {0};
  for (int c = 0; c < all->count; c++) {
    set_mode(sim, &all->touches[c], all->touches[c].terms.rubs ? SB_STICKS : SB_SLIDES);
  }
  sb_status status = sb_workspace_recompile(sim->work, &errors);
  if (status != SB_OK) {
    status =
        sb_fail(err, SB_ERR_SOLVER, "'%s' cannot be in contact at t = %s s: %.380s",
                sim->network->instances[all->touches[0].instance].id, sb_number_word(sim->t).text,
                errors.count > 0 ? errors.items[0].text : "out of memory");
  }
  sb_errors_finish(&errors);
  SB_TRY(status);
  sim->work->loops.least_squares = true;
  status = sb_evaluate(sim, sim->t, sim->x, err);
  sim->work->loops.least_squares = false;
  SB_TRY(status);
  SB_TRY(find_responses(sim, all, err));
  read_rates(sim, all);
  for (int c = 0; c < all->count; c++) {
    sb_touch *touch = &all->touches[c];
    sb_at at = at_contact(sim, touch);
    for (int k = 0; k < 3; k++) {
      touch->held[k] = -at.in[hooks_of(sim, touch->index)->component + k];
    }
    // by what it may be off, of all speeds in it
    touch->slow = rounding * (all->size[3 * c] + all->size[3 * c + 1] + all->size[3 * c + 2]);
  }
  return SB_OK;
}

// ---- impacts

static bool approaches(const sb_touches *all, int c) {
  return all->v[3 * c] < -all->touches[c].slow;
}

/** Moves the state by the impulses in all->step, and enters their losses. */
static void apply(sb_simulation *sim, sb_touches *all) {
  int m = 3 * all->count;
  double most = 0;
  for (int i = 0; i < m; i++) {
    most = fmax(most, fabs(all->step[i]));
  }
  for (int i = 0; i < m; i++) { // what is nothing but rounding would move what is at rest
    all->step[i] = fabs(all->step[i]) > nothing * most ? all->step[i] : 0;
  }
  memcpy(all->v0, all->v, (size_t)m * sizeof *all->v);
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < m; j++) {
      all->v[i] += all->W[i * m + j] * all->step[j];
    }
    for (int k = 0; k < all->n; k++) {
      sim->x[k] += all->G[i * all->n + k] * all->step[i];
    }
  }
  for (int i = 0; i < m; i++) {
    sb_touch *touch = &all->touches[i / 3];
    touch->loss -= 0.5 * all->step[i] * (all->v[i] + all->v0[i]);
    touch->turned += fabs(0.5 * all->step[i]) * (fabs(all->v[i]) + fabs(all->v0[i]));
    touch->struck = touch->struck || all->step[i] != 0;
    all->p[i] += all->step[i];
    all->step[i] = 0;
  }
  sb_workspace_changed(sim->work);
}

static sb_status refuse(const sb_simulation *sim, const sb_touch *touch, const char *what,
                        const char *hint, sb_error *err) {
  sb_error why;
  (void)sb_fail(&why, SB_ERR_SOLVER, "%s", what);
  sb_error_hint(&why, "%s", hint);
  return sb_refusal_place(&sim->network->instances[touch->instance], sim->t, &why, err);
}

static double restitution_of(sb_simulation *sim, const sb_touches *all, int c) {
  const sb_instance *instance = &sim->network->instances[all->touches[c].instance];
  sb_at at = at_contact(sim, &all->touches[c]);
  return hooks_of(sim, all->touches[c].index)
      ->restitution(instance->self, &at, fmax(-all->v[3 * c], 0),
                    sim->work->discrete + instance->discrete);
}

/** One contact alone. */
static sb_status strike_one(sb_simulation *sim, sb_touches *all, int c, sb_error *err) {
  const sb_touch *touch = &all->touches[c];
  int m = 3 * all->count;
  double e = restitution_of(sim, all, c), W[9], *p = all->step + 3 * c, *v = all->v + 3 * c;
  for (int i = 0; i < 9; i++) {
    W[i] = all->W[(3 * c + i / 3) * m + 3 * c + i % 3];
  }
  if (!touch->terms.rubs) {
    p[0] = -(1 + e) * v[0] / W[0]; // by all laws
    return SB_OK;
  }
  if (!isinf(touch->terms.mu)) {
    return sb_routh(W, v, touch->terms.mu, e, (int)touch->terms.impact, p)
               ? SB_OK
               : refuse(sim, touch, "the impact does not end by this restitution and friction",
                        "a smaller mu, or impact=\"stronge\"", err);
  }
  sb_unilateral one = {.rubs = true, .mu = HUGE_VAL};
  double b[3] = {(1 + e) * v[0], v[1], v[2]}, scratch[64];
  return sb_unilateral_solve(&one, 1, W, b, p, scratch) == SB_UNILATERAL_SOLVED
             ? SB_OK
             : refuse(sim, touch, "the impact has no impulse that ends the slip",
                      "use friction=\"coulomb\"", err);
}

/** What the contacts may do, all with a sum of what they have. */
static sb_status solve_all(const sb_simulation *sim, const sb_touches *all,
                           sb_unilateral contacts[], const double b[], double p[], sb_error *err) {
  double *scratch = sb_zeroed(sb_unilateral_numbers(all->count), sizeof *scratch);
  if (scratch == NULL) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  sb_unilateral_status status = sb_unilateral_solve(contacts, all->count, all->W, b, p, scratch);
  free(scratch);
  const sb_touch *first = &all->touches[0];
  static const char hint[] = "rigid bodies with so much friction have no motion that goes on "
                             "(Painleve): a smaller mu, or a contact with a stiffness";
  return status == SB_UNILATERAL_SOLVED ? SB_OK
         : status == SB_UNILATERAL_NONE
             ? refuse(sim, first, "no force satisfies contact and friction", hint, err)
         : status == SB_UNILATERAL_TWO
             ? refuse(sim, first, "two forces satisfy contact and friction, one of them zero", hint,
                      err)
             : refuse(sim, first, "no forces are found that satisfy contact and friction", hint,
                      err);
}

/** All at once: Newton's law, u = v+ + e v- for every contact; or Poisson's without friction, a second solution for what
 *  is given back. */
static sb_status strike_all(sb_simulation *sim, sb_touches *all, sb_error *err) {
  int m = 3 * all->count;
  bool poisson = false;
  sb_unilateral *contacts = sb_zeroed(all->count, sizeof *contacts);
  double *b = sb_zeroed(2 * m, sizeof *b), *e = b + m;
  if (contacts == NULL || b == NULL) {
    free(contacts);
    free(b);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int c = 0; c < all->count; c++) {
    const sb_unilateral_terms *terms = &all->touches[c].terms;
    poisson = poisson || terms->impact == SB_IMPACT_POISSON;
    contacts[c] = (sb_unilateral){.rubs = terms->rubs, .mu = terms->mu};
    e[c] = approaches(all, c) ? restitution_of(sim, all, c) : 0;
    memcpy(b + 3 * c, all->v + 3 * c, 3 * sizeof *b);
    b[3 * c] *= poisson ? 1 : 1 + e[c];
  }
  sb_status status = solve_all(sim, all, contacts, b, all->step, err);
  if (status == SB_OK && poisson) {
    apply(sim, all);
    for (int c = 0; c < all->count; c++) {
      all->step[3 * c] = e[c] * all->p[3 * c];
    }
    apply(sim, all);
    memcpy(b, all->v, (size_t)m * sizeof *b);
    status = solve_all(sim, all, contacts, b, all->step, err);
  }
  free(contacts);
  free(b);
  return status;
}

static int fastest(const sb_touches *all) {
  int chosen = -1;
  for (int c = 0; c < all->count; c++) {
    if (approaches(all, c) && (chosen < 0 || all->v[3 * c] < all->v[3 * chosen])) {
      chosen = c;
    }
  }
  return chosen;
}

/** What a contact would give to others in an impact of them all is theirs; an impact that gives energy is refused. */
static sb_status settle_losses(const sb_simulation *sim, sb_touches *all, sb_error *err) {
  static const char *const laws[] = {"newton", "poisson", "stronge"};
  double turned = 0, sum = 0, positive = 0;
  sb_touch *worst = &all->touches[0];
  for (int c = 0; c < all->count; c++) {
    sb_touch *touch = &all->touches[c];
    turned += touch->turned;
    sum += touch->loss;
    positive += fmax(touch->loss, 0);
    worst = touch->loss < worst->loss ? touch : worst;
  }
  if (sum < -gain * turned) {
    sb_error why;
    (void)sb_fail(&why, SB_ERR_SOLVER, "the impact law '%s' gives energy here, %s J",
                  laws[worst->terms.impact], sb_number_word(-sum).text);
    sb_error_hint(&why, "with friction impact=\"stronge\" never does");
    return sb_refusal_place(&sim->network->instances[worst->instance], sim->t, &why, err);
  }
  for (int c = 0; c < all->count; c++) {
    sb_touch *touch = &all->touches[c];
    touch->loss = positive > 0 ? fmax(touch->loss, 0) * fmax(sum, 0) / positive : 0;
  }
  return SB_OK;
}

/** Impulses until no contact approaches. */
static sb_status strike(sb_simulation *sim, sb_touches *all, sb_error *err) {
  bool in_turn = all->count == 1, poisson = false, rubs = false;
  // works, and impulses with friction, are those of one contact at a time
  for (int c = 0; c < all->count; c++) {
    const sb_unilateral_terms *terms = &all->touches[c].terms;
    in_turn = in_turn || terms->in_turn || terms->impact == SB_IMPACT_STRONGE;
    poisson = poisson || terms->impact == SB_IMPACT_POISSON;
    rubs = rubs || (terms->rubs && !isinf(terms->mu));
  }
  in_turn = in_turn || (poisson && rubs);
  int first = fastest(all), times = 0;
  for (int c = first; c >= 0; c = fastest(all)) {
    bool one = in_turn && times++ < IN_TURN_MAX;
    SB_TRY(one ? strike_one(sim, all, c, err) : strike_all(sim, all, err));
    apply(sim, all);
    if (!one) {
      break;
    }
  }
  return first < 0 ? SB_OK : settle_losses(sim, all, err);
}

// ---- modes

/** Whether a contact has no speed of slip. @param reversed  a slip has just ended: with it end those that are as slow, as the feet
 *  of one body */
static bool is_still(const sb_touches *all, int c, bool reversed) {
  const double *v = all->v + 3 * c;
  const sb_touch *touch = &all->touches[c];
  double speed = hypot(v[1], v[2]);
  return speed <= (reversed ? slip_rounding * touch->terms.speed : 0) + touch->slow;
}

/** Takes what is left of slips that have ended, so that they begin anew from rest, whichever way.
 *  @param ended  (contacts) */
static sb_status end_slips(sb_simulation *sim, sb_touches *all, const bool ended[], sb_error *err) {
  int m = 3 * all->count, n = 0;
  double *a = sb_zeroed(m * m + 2 * m, sizeof *a), *rhs = a + m * m;
  int *order = sb_zeroed(2 * m, sizeof *order), *rows = order + m;
  bool *struck = sb_zeroed(all->count, sizeof *struck);
  if (a == NULL || order == NULL || struck == NULL) {
    free(a);
    free(order);
    free(struck);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int c = 0; c < all->count; c++) {
    struck[c] = all->touches[c].struck; // this is no impact
  }
  for (int i = 0; i < m; i++) { // what else is held stays so
    const sb_touch *touch = &all->touches[i / 3];
    bool holds = i % 3 > 0 ? touch->mode == SB_STICKS
                           : touch->mode != SB_APART && !(all->v[i] > touch->slow);
    rows[n] = i;
    n += holds || (ended[i / 3] && i % 3 > 0);
  }
  for (int i = 0; i < n; i++) {
    rhs[i] = -all->v[rows[i]];
    for (int k = 0; k < n; k++) {
      a[i * n + k] = all->W[rows[i] * m + rows[k]];
    }
  }
  (void)sb_solve_least_norm(a, rhs, n, n, rank_tol, order, rhs + m);
  for (int i = 0; i < n; i++) {
    all->step[rows[i]] = rhs[i];
  }
  apply(sim, all);
  for (int c = 0; c < all->count; c++) {
    all->touches[c].struck = struck[c];
  }
  free(struck);
  free(a);
  free(order);
  return SB_OK;
}

/** Which contacts go on, and how, by the forces that satisfy the conditions. */
static sb_status find_modes(sb_simulation *sim, sb_touches *all, int index, int indicator,
                            sb_error *err) {
  int m = 3 * all->count;
  sb_unilateral *contacts = sb_zeroed(all->count, sizeof *contacts);
  double *b = sb_zeroed(2 * m, sizeof *b), *f = b + m;
  if (contacts == NULL || b == NULL) {
    free(contacts);
    free(b);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  bool slip_ends = false, *ended = sb_zeroed(all->count, sizeof *ended);
  if (ended == NULL) {
    free(contacts);
    free(b);
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  for (int c = 0; c < all->count; c++) {
    const sb_touch *touch = &all->touches[c];
    slip_ends = slip_ends || (touch->index == index && indicator == 1 && touch->mode == SB_SLIDES);
  }
  for (int c = 0; c < all->count; c++) {
    const sb_touch *touch = &all->touches[c];
    const double *v = all->v + 3 * c;
    bool reversed = slip_ends && touch->mode == SB_SLIDES;
    double speed = hypot(v[1], v[2]);
    ended[c] = reversed && is_still(all, c, true);
    contacts[c] = (sb_unilateral){.rubs = touch->terms.rubs,
                                  .mu = touch->terms.mu,
                                  .slides = touch->terms.rubs && !isinf(touch->terms.mu) &&
                                            !is_still(all, c, reversed)};
    if (contacts[c].slides) {
      contacts[c].s[0] = v[1] / speed;
      contacts[c].s[1] = v[2] / speed;
    }
    for (int i = 0; i < m; i++) {
      b[i] += i / 3 == c ? touch->rate[i % 3] : 0;
      for (int k = 0; k < 3; k++) {
        b[i] -= all->W[i * m + 3 * c + k] * touch->held[k];
      }
    }
  }
  for (int c = 0; c < all->count; c++) { // what parts takes no part
    const sb_touch *touch = &all->touches[c];
    double rest =
        touch->slow * touch->slow / (rounding * touch->terms.length); // what v v/l is known to
    b[3 * c] = all->v[3 * c] > touch->slow ? HUGE_VAL : fabs(b[3 * c]) > rest ? b[3 * c] : 0;
  }
  sb_status status = slip_ends ? end_slips(sim, all, ended, err) : SB_OK;
  status = status == SB_OK ? solve_all(sim, all, contacts, b, f, err) : status;
  free(ended);
  for (int c = 0; status == SB_OK && c < all->count; c++) {
    sb_touch *touch = &all->touches[c];
    // what takes no force is free, though it touches: a constraint would have nothing but rounding to do
    touch->next = !contacts[c].acts ? SB_APART : contacts[c].sticks ? SB_STICKS : SB_SLIDES;
    memcpy(touch->terms.slip, contacts[c].s, sizeof contacts[c].s);
    memcpy(touch->force, f + 3 * c, sizeof touch->force);
  }
  free(contacts);
  free(b);
  return status;
}

/** Of a contact, as reported; NULL: nothing happened to it. */
static const char *kind_of(const sb_touch *touch) {
  bool apart = touch->mode == SB_APART, leaves = touch->next == SB_APART;
  return touch->struck                ? "impact"
         : apart && leaves            ? NULL
         : apart                      ? "touch"
         : leaves                     ? "release"
         : touch->next == touch->mode ? NULL
         : touch->next == SB_STICKS   ? "stick"
                                      : "slip";
}

/** An event of every contact to which something happened. Together they lose what the storages lost; each loses its own, and
 *  what is rounding of them all is with the largest. */
static sb_status report(sb_simulation *sim, const sb_touches *all, int index, sb_error *err) {
  sb_ledger *ledger = &sim->audit.ledger;
  int first = ledger->event_count, largest = first;
  double most = -1, sum = 0;
  for (int i = 0; i < 2 * all->count;
       i++) { // the first that is reported is given what the storages lost
    const sb_touch *touch = &all->touches[i % all->count];
    const char *kind = kind_of(touch);
    kind = kind == NULL && touch->index == index && touch->mode != SB_APART ? "shift" : kind;
    if ((kind != NULL) != (i < all->count)) {
      continue;
    }
    sim->audit.source_in_impact = true; // its loss has other reasons than a constraint
    SB_TRY(sb_audit_event(&sim->audit, sim->t, sim->x, kind, touch->instance, err));
    if (kind == NULL) {
      continue;
    }
    sb_event *event = &ledger->events[ledger->event_count - 1];
    sum += event->loss - touch->loss;
    event->loss = touch->loss;
    largest = touch->loss > most ? ledger->event_count - 1 : largest;
    most = fmax(most, touch->loss);
  }
  if (first < ledger->event_count) {
    ledger->events[largest].loss = fmax(most + sum, 0);
  }
  for (int i = first; i < ledger->event_count; i++) {
    sb_event *event = &ledger->events[i];
    event->stored_before = i > first ? event[-1].stored_after : event->stored_before;
    event->stored_after = event->stored_before - event->loss;
  }
  return SB_OK;
}

static void disarm(sb_simulation *sim, int index) {
  sim->switches[index].since = sim->t;
  for (int k = 0; k < SB_INDICATORS_MAX; k++) {
    sim->switches[index].indicators[k].armed = false;
  }
}

/** Contacts that hold one thing twice go on with the forces that were found: their multipliers, the efforts on body 1, differ from
 *  these as little as they can. */
static void refer_multipliers(sb_simulation *sim, const sb_touches *all) {
  const sb_program *program = sim->work->program;
  const sb_causality *causality = &program->causality;
  for (int i = 0; i < causality->constraint_count; i++) {
    double factor;
    int own = component_of(sim, all, i, &factor);
    int value = sb_multiplier_value(sim->network, causality, i);
    for (int k = 0; own >= 0 && k < program->loop_output_count; k++) {
      if (program->loop_outputs[k] == value) {
        sim->work->loops.reference[k] = -all->touches[own / 3].force[own % 3];
      }
    }
  }
}

/** What is held is at rest to the rounding of the forces f that hold it: over a length l that is a work of rounding f l, and an
 *  energy of rounding^2 f l, below which nothing is followed. */
static void note_noise(sb_simulation *sim, const sb_touches *all) {
  for (int c = 0; c < all->count; c++) {
    const sb_touch *touch = &all->touches[c];
    double force = 0;
    for (int k = 0; k < 3 && touch->next != SB_APART; k++) {
      force += fabs(touch->held[k]);
    }
    int part = sim->network->part_of[touch->instance];
    double work = force_rounding * force * touch->terms.length;
    sim->nominal.idle[part] = fmax(sim->nominal.idle[part], work);
    sim->nominal.noise[part] = fmax(sim->nominal.noise[part], force_rounding * work);
  }
}

static sb_status take(sb_simulation *sim, sb_touches *all, int index, int indicator,
                      sb_error *err) {
  sb_changed none[SB_COMMUTATION_MAX];
  int more = 0;
  sb_audit_before(&sim->audit, sim->t, sim->x);
  SB_TRY(hold(sim, all, err));
  SB_TRY(strike(sim, all, err));
  bool struck = false;
  for (int c = 0; c < all->count; c++) {
    struck = struck || all->touches[c].struck;
  }
  if (struck) {
    SB_TRY(hold(sim, all, err));
  }
  SB_TRY(find_modes(sim, all, index, indicator, err));
  for (int c = 0; c < all->count; c++) {
    const sb_touch *touch = &all->touches[c];
    const sb_instance *instance = &sim->network->instances[touch->instance];
    sb_at at = at_contact(sim, touch);
    hooks_of(sim, touch->index)
        ->enter(instance->self, &at, touch->next, touch->terms.slip,
                sim->work->discrete + instance->discrete);
    set_mode(sim, touch, touch->next);
    disarm(sim, touch->index);
  }
  SB_TRY(sb_commutate(sim, sim->switch_count > 0 ? all->touches[0].index : -1, none, &more, err));
  refer_multipliers(sim, all);
  sb_workspace_changed(sim->work);
  SB_TRY(sb_evaluate_resting(sim, err));
  SB_TRY(sb_loops_check(sim, err));
  note_noise(sim, all);
  sim->restart = true;
  return report(sim, all, index, err);
}

static sb_status take_and_free(sb_simulation *sim, int index, int indicator, sb_error *err) {
  sb_touches all = {0};
  sb_status status = list_touching(sim, index, &all, err);
  if (status == SB_OK && all.count > 0) {
    status = take(sim, &all, index, indicator, err);
  }
  free(all.touches);
  free(all.numbers);
  return status;
}

bool sb_is_unilateral(const sb_simulation *sim, int index) {
  return hooks_of(sim, index) != NULL;
}

sb_status sb_impact_fire(sb_simulation *sim, int index, int indicator, sb_error *err) {
  return take_and_free(sim, index, indicator, err);
}

sb_status sb_impacts_start(sb_simulation *sim, sb_error *err) {
  return take_and_free(sim, -1, -1, err);
}
