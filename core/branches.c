// SPDX-License-Identifier: GPL-3.0-or-later
// How many solutions a nonlinear loop has. With laws that rise there is one (newton.c). A law that falls
// somewhere, such as a tunnel diode's, may meet the network more than once; which of these holds then
// depends on what the model leaves out, and so none is chosen.
//
// One law: in = b + a law(in) with a <= 0, as the network is passive, and in law(in) >= 0. All solutions
// lie between 0 and b, where they are found by samples and bisection. Several laws: a search from many
// starts, which finds further solutions where it leads to them, and proves nothing where it does not.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/newton_private.h"

/** Samples of a law that tell whether it rises; of the range of a scalar loop; starts for each law. */
enum { EVEN_SAMPLES = 400, DECADE_SAMPLES = 24, DECADES = 6, SCALAR_SAMPLES = 400, STARTS = 9 };
enum { BISECTIONS = 2100 };
/** A fall by less than this part of the largest output is rounding. */
static const double fall_tol = 1e-12;
/** A fall that is this part as steep as what allows several solutions does not: it is sampled. */
static const double steep_part = 0.9;
/** Solutions of several laws that differ by less than this part are one. */
static const double same_tol = 1e-6;
/** The shortest part of b by which a solution is followed. */
static const double shortest = 1e-9;
/** How far around the inputs of several laws one looks for other solutions, as a multiple. */
static const double reach = 4;

static sb_seen *seen_of(const sb_newton *n, int k) {
  return &n->work->seen[n->loop->first + k];
}

/** Looks at a law from `from` to `to` > from, in the direction of `sign`: where it falls. */
static void look(const sb_newton *n, int k, double from, double to, double sign) {
  sb_seen *seen = seen_of(n, k);
  double last = sign * sb_newton_law(n, k, sign * from), most = fabs(last), before = from;
  int decades = from == 0 ? DECADE_SAMPLES * DECADES : 0;
  for (int i = 0; i < decades + EVEN_SAMPLES; i++) {
    double part = i < decades ? pow(10, (double)(i - decades) / DECADE_SAMPLES) / EVEN_SAMPLES
                              : (double)(i - decades + 1) / EVEN_SAMPLES;
    double u = from + part * (to - from), y = sign * sb_newton_law(n, k, sign * u);
    if (!isfinite(y)) {
      return; // beyond its range
    }
    if (y < last - fall_tol * most) {
      seen->falls = fmin(seen->falls, u);
      seen->steep = fmax(seen->steep, (last - y) / (u - before));
    }
    last = y;
    before = u;
    most = fmax(most, fabs(y));
  }
}

/** Whether a law falls somewhere up to |in| = range; what has been looked at is kept. */
static bool falls(const sb_newton *n, int k, double range) {
  const sb_part *part = &n->model->parts[n->hooks[k].op.part];
  sb_seen *seen = seen_of(n, k);
  if (part->wire_count > 0 || part->mode >= 0) { // it changes with more than its input
    return false;
  }
  if (range > seen->to) {
    look(n, k, seen->to, 2 * range, 1);
    look(n, k, seen->to, 2 * range, -1);
    seen->to = 2 * range;
  }
  return seen->falls <= range;
}

/** in - b - a law(in) in the direction of b; a law without a value stands for an infinite one. */
static double gap(const sb_newton *n, double in) {
  double sign = n->b[0] < 0 ? -1 : 1, y = sb_newton_law(n, 0, in);
  double g = sign * (in - n->b[0] - n->a[0] * y);
  return isfinite(g) ? g : HUGE_VAL;
}

static double bisect(const sb_newton *n, double low, double high) {
  bool rises = gap(n, low) < 0;
  for (int i = 0; i < BISECTIONS; i++) {
    double middle = 0.5 * (low + high);
    if (middle == low || middle == high) {
      break;
    }
    *((gap(n, middle) < 0) == rises ? &low : &high) = middle;
  }
  return low;
}

/** Inputs that solve a loop of one law, the first three; returns how many there are. */
static int scalar_solutions(const sb_newton *n, double at[3]) {
  double before = 0, last = gap(n, 0);
  int count = 0;
  for (int i = 1; i <= SCALAR_SAMPLES; i++) {
    double in = n->b[0] * i / SCALAR_SAMPLES, now = gap(n, in);
    if ((last < 0) != (now < 0)) {
      if (count < 3) {
        at[count] = bisect(n, before, in);
      }
      count++;
    }
    before = in;
    last = now;
  }
  return count;
}

static bool fail(const sb_newton *n, sb_trouble trouble) {
  trouble.loop = n->index;
  trouble.t = n->t;
  n->work->trouble = trouble;
  return false;
}

static bool refuse_several(const sb_newton *n, int k, int count, const double at[]) {
  sb_trouble trouble = {.kind = SB_TROUBLE_SEVERAL, .part = n->hooks[k].op.part, .count = count};
  memcpy(trouble.at, at, (size_t)(count < 3 ? count : 3) * sizeof *at);
  return fail(n, trouble);
}

/** The hook of an output. */
static int hook_of(const sb_newton *n, int output) {
  int hook = n->loop->count - 1;
  while (n->hooks[hook].first_output > output) {
    hook--;
  }
  return hook;
}

/** What keeps the hooks from meeting: one without a value, or the one that is most off. */
static bool refuse_none(const sb_newton *n, const double y[]) {
  sb_trouble trouble = {.kind = SB_TROUBLE_NONE};
  int worst = sb_newton_worst(n, y, &trouble.at[2]);
  double in = n->scalar ? n->b[worst] : NAN;
  for (int j = 0; n->scalar && j < n->m; j++) {
    in += n->a[worst * n->m + j] * y[j];
  }
  trouble.part = n->hooks[hook_of(n, worst)].op.part;
  trouble.at[0] = in;
  trouble.at[1] = y[worst];
  return fail(n, trouble);
}

/** Newton's method from the outputs that belong to one input of law j, and zero for the others. */
static bool solve_from(const sb_newton *n, int j, double in_j, double y[], double in[]) {
  for (int k = 0; k < n->m; k++) {
    double out = sb_newton_law(n, k, k == j ? in_j : 0);
    y[k] = isfinite(out) ? out : 0;
  }
  return sb_newton_solve(n, y, in);
}

/** Follows the solution from b = 0, where all is zero, as far towards the whole of b as it exists.
 *  @param y  out: the solution there @return whether that is the whole */
static bool follow(const sb_newton *n, double y[]) {
  double done = 0, step = 0.25, next[SB_LOOP_MAX], in[SB_LOOP_INPUTS_MAX];
  while (done < 1 && step > shortest) {
    sb_newton part = *n;
    double to = fmin(done + step, 1);
    for (int k = 0; k < n->loop->input_count; k++) {
      part.b[k] = to * n->b[k];
    }
    memcpy(next, y, (size_t)n->m * sizeof *y);
    if (sb_newton_solve(&part, next, in)) {
      memcpy(y, next, (size_t)n->m * sizeof *y);
      done = to;
      step *= 2;
    } else {
      step *= 0.25;
    }
  }
  return done == 1;
}

bool sb_branches_find(const sb_newton *n, double y[], double in[]) {
  double best[SB_LOOP_MAX] = {0};
  if (n->scalar && n->m == 1) {
    double at[3];
    if (n->b[0] != 0 && scalar_solutions(n, at) > 0) {
      y[0] = n->a[0] == 0 ? sb_newton_law(n, 0, at[0]) : (at[0] - n->b[0]) / n->a[0];
      best[0] = y[0];
      return sb_newton_solve(n, y, in) || refuse_none(n, best);
    }
    return refuse_none(n, best);
  }
  bool found = follow(n, best);
  memcpy(y, best, (size_t)n->m * sizeof *y);
  return (found && sb_newton_solve(n, y, in)) || refuse_none(n, best);
}

static bool differ(const double a[], const double b[], int m, int *where) {
  double most = same_tol;
  *where = -1;
  for (int k = 0; k < m; k++) {
    double off = fabs(a[k] - b[k]) / (fabs(a[k]) + fabs(b[k]) + 1e-300);
    if (off > most) {
      most = off;
      *where = k;
    }
  }
  return *where >= 0;
}

/** Looks for another solution of several laws from starts all over the range of those that fall. */
static bool search(const sb_newton *n, const double in[], const bool falling[]) {
  for (int j = 0; j < n->m; j++) {
    double range = reach * fmax(fabs(n->b[j]), fabs(in[j]));
    for (int i = -STARTS; falling[j] && i <= STARTS; i++) {
      double y[SB_LOOP_MAX], other[SB_LOOP_INPUTS_MAX];
      int where;
      if (solve_from(n, j, range * i / STARTS, y, other) && differ(in, other, n->m, &where)) {
        const double at[] = {in[where], other[where]};
        return refuse_several(n, where, 2, at);
      }
    }
  }
  return true;
}

/** A loop through other hooks than laws: at its first solution it must not go round with a gain of 1. Of
 *  other solutions nothing is known. */
static bool is_determined(const sb_newton *n, const double y[], double u[]) {
  sb_seen *seen = seen_of(n, 0);
  if (seen->to > 0) {
    return true;
  }
  seen->to = 1;
  return sb_newton_regular(n, y, u) ||
         fail(n, (sb_trouble){.kind = SB_TROUBLE_OPEN, .part = n->hooks[0].op.part});
}

bool sb_branches_single(const sb_newton *n, const double y[], double in[]) {
  bool falling[SB_LOOP_MAX], any = false;
  if (!n->scalar) {
    return is_determined(n, y, in);
  }
  if (n->m == 1) {
    double at[3];
    bool rises = !falls(n, 0, fabs(n->b[0])) || fabs(n->a[0]) * seen_of(n, 0)->steep < steep_part;
    int count = rises ? 1 : scalar_solutions(n, at); // rises: in - a law(in) does
    return count <= 1 || refuse_several(n, 0, count, at);
  }
  for (int k = 0; k < n->m; k++) {
    falling[k] = falls(n, k, reach * fmax(fabs(n->b[k]), fabs(in[k])));
    any = any || falling[k];
  }
  return !any || search(n, in, falling);
}

/** "'a', 'b'": the members of a loop, each once. */
static void list_members(const sb_workspace *work, const sb_loop *loop, char text[], size_t size) {
  const sb_loop_hook *hooks = work->program->loop_hooks + loop->first;
  text[0] = '\0';
  for (int k = 0; k < loop->count; k++) {
    const char *id = work->model->parts[hooks[k].op.part].id;
    size_t used = strlen(text);
    bool named = false;
    for (int i = 0; i < k; i++) {
      named = named || hooks[i].op.part == hooks[k].op.part;
    }
    if (!named && used + strlen(id) + 16 > size) {
      (void)snprintf(text + used, size - used, " ...");
      return;
    }
    if (!named) {
      (void)snprintf(text + used, size - used, "%s'%s'", k > 0 ? ", " : "", id);
    }
  }
}

sb_status sb_trouble_word(const sb_workspace *work, const sb_trouble *trouble, sb_error *err) {
  const sb_loop *loop = &work->program->loops[trouble->loop];
  const char *id = work->model->parts[trouble->part].id;
  const char *given =
      work->program->causality.given[trouble->part] == SB_FLOW ? "f" : "e"; // what the law reads
  char members[200], what[260];
  list_members(work, loop, members, sizeof members);
  if (trouble->kind == SB_TROUBLE_OPEN) {
    sb_status open =
        sb_fail(err, SB_ERR_UNSOLVED,
                "the algebraic loop of %s leaves its values open at t = %s s: any that "
                "agree would do",
                members, sb_number_word(trouble->t).text);
    sb_error_hint(err, "a gain of exactly 1 goes round: change it, or put an integral, a C or an I "
                       "into the loop");
    return open;
  }
  bool none = trouble->kind == SB_TROUBLE_NONE, some = trouble->count > 2;
  bool scalar = isfinite(trouble->at[0]);
  if (none && !scalar && isfinite(trouble->at[2])) {
    (void)snprintf(what, sizeof what, "'%.80s' should give %s, and gives %s", id,
                   sb_number_word(trouble->at[1]).text, sb_number_word(trouble->at[2]).text);
  } else if (none && !scalar) {
    (void)snprintf(what, sizeof what, "'%.80s' gives no finite number", id);
  } else if (none && !isfinite(trouble->at[2])) {
    (void)snprintf(what, sizeof what, "the law of '%.80s' has no value at %s = %s", id, given,
                   sb_number_word(trouble->at[0]).text);
  } else if (none) {
    (void)snprintf(what, sizeof what, "at %s = %s '%.80s' should give %s, and its law gives %s",
                   given, sb_number_word(trouble->at[0]).text, id,
                   sb_number_word(trouble->at[1]).text, sb_number_word(trouble->at[2]).text);
  } else {
    (void)snprintf(what, sizeof what, "%s = %s%s%s%s%s of '%.80s'", given,
                   sb_number_word(trouble->at[0]).text, some ? ", " : " or ",
                   sb_number_word(trouble->at[1]).text, some ? " or " : "",
                   some ? sb_number_word(trouble->at[2]).text : "", id);
  }
  sb_status status =
      sb_fail(err, SB_ERR_UNSOLVED, "the algebraic loop of %s has %s at t = %s s: %s", members,
              none ? "no solution" : "several solutions", sb_number_word(trouble->t).text, what);
  if (none) {
    sb_error_hint(err, "what '%.80s' can take does not reach what the others demand", id);
  } else {
    sb_error_hint(err,
                  "which of them holds depends on what is not in the model: a small C or I "
                  "beside '%.80s' decides it",
                  id);
  }
  return status;
}
