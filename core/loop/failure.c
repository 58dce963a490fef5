// SPDX-License-Identifier: GPL-3.0-or-later
// Words for what is wrong with an algebraic loop that is solved while the program runs.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/loop/loop.h"

/** An output that misses what it should be by less than this part is no other value. */
static const double steep_tol = 1e-6;

/** "'a', 'b'": the members of a loop, each once. */
static void list_members(const sb_workspace *work, const sb_loop *loop, char text[], size_t size) {
  const sb_loop_hook *hooks = work->program->loop_hooks + loop->first;
  text[0] = '\0';
  for (int k = 0; k < loop->count; k++) {
    const char *id = work->network->instances[hooks[k].op.instance].id;
    size_t used = strlen(text);
    bool named = false;
    for (int i = 0; i < k; i++) {
      named = named || hooks[i].op.instance == hooks[k].op.instance;
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

/** "e = 0.5, 1 or 1.5 V of 'td'", "'u' = -1 or 1 V": what tells several solutions apart. */
static void list_solutions(const sb_workspace *work, const sb_loop_failure *failure, char text[],
                           size_t size) {
  const sb_instance *instance = &work->network->instances[failure->instance];
  sb_variable assigned = work->program->causality.assigned[failure->instance];
  bool signal = failure->output > 0 && instance->type->signal != NULL;
  const char *letter = assigned == SB_FLOW ? "f" : "e"; // what the part reads
  char port[60] = "", name[400], numbers[3 * sizeof(sb_number_text) + 30];
  int component = failure->output - 1 - instance->out;
  if (failure->output > 0 && component >= 0 && component < instance->components) {
    int p = sb_port_of(instance, component);
    letter =
        sb_output_variable(instance->layout.ports[p].output, assigned) == SB_EFFORT ? "e" : "f";
    if (instance->layout.port_count > 1) {
      (void)snprintf(port, sizeof port, ".%s", instance->type->ports[p].name);
    }
  }
  sb_quantity quantity = {0};
  (void)snprintf(name, sizeof name, "%s%s%s%s", instance->id, port, signal ? "" : ".",
                 signal ? "" : letter);
  const char *unit =
      sb_network_find(work->network, name, &quantity, NULL) == SB_OK ? quantity.unit : "";
  bool three = failure->count > 2;
  (void)snprintf(numbers, sizeof numbers, "%s%s%s%s%s%s", sb_number_word(failure->at[0]).text,
                 three ? ", " : " or ", sb_number_word(failure->at[1]).text,
                 failure->count == 3 ? " or "
                 : three             ? ", "
                                     : "",
                 three ? sb_number_word(failure->at[2]).text : "",
                 failure->count > 3 ? " or other" : "");
  if (signal) {
    (void)snprintf(text, size, "'%.80s' = %s%s%s", instance->id, numbers,
                   unit[0] != '\0' ? " " : "", unit);
  } else {
    (void)snprintf(text, size, "%s = %s%s%s of '%.80s%s'", letter, numbers,
                   unit[0] != '\0' ? " " : "", unit, instance->id, port);
  }
}

static sb_status word_open(const sb_loop_failure *failure, const char *members, sb_error *err) {
  sb_status status = sb_fail(err, SB_ERR_UNSOLVED,
                             "the algebraic loop of %s has infinitely many solutions at t = %s s",
                             members, sb_number_word(failure->t).text);
  sb_error_hint(
      err, "its loop gain is exactly 1: change it, or put an integral, a C or an I into the loop");
  return status;
}

static sb_status word_several(const sb_workspace *work, const sb_loop_failure *failure,
                              const char *members, sb_error *err) {
  const sb_instance *instance = &work->network->instances[failure->instance];
  char what[400];
  list_solutions(work, failure, what, sizeof what);
  sb_status status = sb_fail(err, SB_ERR_UNSOLVED,
                             "the algebraic loop of %s has several solutions at t = %s s: %s",
                             members, sb_number_word(failure->t).text, what);
  if (instance->type->signal != NULL) {
    sb_error_hint(
        err,
        "which of them holds depends on what is not in the model: a small lag decides it, "
        "as a signal 'lag' of rate=\"(%.40s - lag)/1[ms]\" to read in place of '%.40s'",
        instance->id, instance->id);
  } else {
    sb_error_hint(err,
                  "which of them holds depends on what is not in the model: a small C or I "
                  "beside '%.80s' decides it",
                  instance->id);
  }
  return status;
}

/** A law that goes up like a wall: what its input loses by rounding is more than its output may. */
static sb_status word_steep(const sb_loop_failure *failure, const char *members,
                            const char *assigned, const char *id, sb_error *err) {
  (void)sb_fail(
      err, SB_ERR_UNSOLVED,
      "the algebraic loop of %s cannot be solved at t = %s s: at %s = %s the law of '%.80s' "
      "is too steep",
      members, sb_number_word(failure->t).text, assigned, sb_number_word(failure->at[0]).text, id);
  sb_error_hint(
      err,
      "a factor of the law has become zero there, such as a conductance, or a resistance beside "
      "it is all but nothing, or all but infinite: bound it, or state the law of '%.80s' for the "
      "other variable",
      id);
  return SB_ERR_UNSOLVED;
}

static sb_status word_none(const sb_workspace *work, const sb_loop_failure *failure,
                           const char *members, sb_error *err) {
  const char *id = work->network->instances[failure->instance].id;
  const char *assigned = work->program->causality.assigned[failure->instance] == SB_FLOW
                             ? "f"
                             : "e"; // what the law reads
  const double *at = failure->at;
  char what[260];
  if (failure->steep || (failure->kind != SB_LOOP_LOST && isfinite(at[0]) &&
                         fabs(at[1] - at[2]) <= steep_tol * fabs(at[1]))) {
    return word_steep(failure, members, assigned, id, err);
  }
  if (!isfinite(at[0]) && isfinite(at[2])) {
    (void)snprintf(what, sizeof what, "'%.80s' should give %s, and gives %s", id,
                   sb_number_word(at[1]).text, sb_number_word(at[2]).text);
  } else if (!isfinite(at[0])) {
    (void)snprintf(what, sizeof what, "'%.80s' gives no finite number", id);
  } else if (!isfinite(at[2])) {
    (void)snprintf(what, sizeof what, "the law of '%.80s' has no value at %s = %s", id, assigned,
                   sb_number_word(at[0]).text);
  } else {
    (void)snprintf(what, sizeof what, "at %s = %s '%.80s' should give %s, and its law gives %s",
                   assigned, sb_number_word(at[0]).text, id, sb_number_word(at[1]).text,
                   sb_number_word(at[2]).text);
  }
  sb_status status =
      sb_fail(err, SB_ERR_UNSOLVED, "the algebraic loop of %s has no solution%s at t = %s s: %s",
              members, failure->kind == SB_LOOP_LOST ? " that continues the present one" : "",
              sb_number_word(failure->t).text, what);
  sb_error_hint(err, "what '%.80s' can take does not reach what the others demand", id);
  return status;
}

sb_status sb_divisor_word(const sb_workspace *work, int index, double divisor, double largest,
                          double t, sb_error *err) {
  const sb_instance *instance = &work->network->instances[index];
  const sb_structure_hooks *hooks = instance->type->structure;
  char what[120] = "is no finite number", before[100] = "";
  if (isfinite(divisor)) {
    (void)snprintf(what, sizeof what, "is %s", sb_number_word(divisor).text);
  }
  if (isfinite(divisor) && divisor != 0) {
    (void)snprintf(before, sizeof before, ", too small beside the %s that it has been",
                   sb_number_word(largest).text);
  }
  (void)sb_fail(err, SB_ERR_NOT_FINITE, "the %s of '%s' %s at t = %s s%s, and '%s' divides by it",
                hooks->division.name, instance->id, what, sb_number_word(t).text, before,
                instance->id);
  sb_error_hint(err,
                "where the network gives the flow of '%s.%s', as an I there does, it multiplies",
                instance->id, instance->type->ports[0].name);
  sb_place_into(&instance->place, err);
  return SB_ERR_NOT_FINITE;
}

/** A structure of the loop that knows why there is no answer where the evaluation was refused. */
static bool is_explained(const sb_workspace *work, const sb_loop_failure *failure, sb_error *err) {
  const sb_loop *loop = &work->program->loops[failure->loop];
  const bool none = failure->kind == SB_LOOP_NO_SOLUTION || failure->kind == SB_LOOP_LOST;
  for (int k = 0; none && work->refused >= 0 && k < loop->count; k++) {
    const int index = work->program->loop_hooks[loop->first + k].op.instance;
    const sb_instance *instance = &work->network->instances[index];
    const sb_structure_hooks *hooks = instance->type->structure;
    if (hooks == NULL || hooks->explain == NULL) {
      continue;
    }
    const sb_at at = sb_at_instance(work, instance, work->refused_t, work->refused_x);
    sb_error why = {0};
    if (hooks->explain(instance->self, &at, &why) != SB_OK) {
      (void)sb_fail(err, why.status, "'%.100s' at t = %s s: %.340s", instance->id,
                    sb_number_word(failure->t).text, why.text);
      sb_error_hint(err, "%s", why.hint);
      sb_place_into(&instance->place, err);
      return true;
    }
  }
  return false;
}

sb_status sb_loop_failure_word(const sb_workspace *work, const sb_loop_failure *failure,
                               sb_error *err) {
  sb_error known = {0};
  if (failure->kind == SB_LOOP_DIVISOR) {
    return sb_divisor_word(work, failure->instance, failure->at[0], 0, failure->t, err);
  }
  if (is_explained(work, failure, &known)) {
    if (err != NULL) {
      *err = known;
    }
    return known.status;
  }
  char members[200];
  list_members(work, &work->program->loops[failure->loop], members, sizeof members);
  sb_status status = failure->kind == SB_LOOP_UNDETERMINED ? word_open(failure, members, err)
                     : failure->kind == SB_LOOP_NO_SOLUTION || failure->kind == SB_LOOP_LOST
                         ? word_none(work, failure, members, err)
                         : word_several(work, failure, members, err);
  if (err != NULL) {
    sb_place_into(&work->network->instances[failure->instance].place, err);
  }
  return status;
}
