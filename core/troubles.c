// SPDX-License-Identifier: GPL-3.0-or-later
// Words for what is wrong with an algebraic loop that is solved while the program runs.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/workspace_private.h"

/** An output that misses what it should be by less than this part is no other value. */
static const double steep_tol = 1e-6;

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

/** "e = 0.5, 1 or 1.5 V of 'td'", "'u' = -1 or 1 V": what tells several solutions apart. */
static void list_solutions(const sb_workspace *work, const sb_trouble *trouble, char text[],
                           size_t size) {
  const sb_part *part = &work->model->parts[trouble->part];
  sb_variable given = work->program->causality.given[trouble->part];
  bool signal = trouble->output > 0 && part->type->role == SB_SIGNAL;
  const char *letter = given == SB_FLOW ? "f" : "e"; // what the part reads
  char port[60] = "", name[400], numbers[3 * sizeof(sb_number_text) + 30];
  int component = trouble->output - 1 - part->out;
  if (trouble->output > 0 && component >= 0 && component < part->components) {
    int p = sb_port_of(part, component);
    letter = sb_output_given(part->layout.ports[p].output, given) == SB_EFFORT ? "e" : "f";
    if (part->layout.port_count > 1) {
      (void)snprintf(port, sizeof port, ".%s", part->type->ports[p].name);
    }
  }
  sb_quantity quantity = {0};
  (void)snprintf(name, sizeof name, "%s%s%s%s", part->id, port, signal ? "" : ".",
                 signal ? "" : letter);
  const char *unit =
      sb_model_find(work->model, name, &quantity, NULL) == SB_OK ? quantity.unit : "";
  bool three = trouble->count > 2;
  (void)snprintf(numbers, sizeof numbers, "%s%s%s%s%s%s", sb_number_word(trouble->at[0]).text,
                 three ? ", " : " or ", sb_number_word(trouble->at[1]).text,
                 trouble->count == 3 ? " or "
                 : three             ? ", "
                                     : "",
                 three ? sb_number_word(trouble->at[2]).text : "",
                 trouble->count > 3 ? " or other" : "");
  if (signal) {
    (void)snprintf(text, size, "'%.80s' = %s%s%s", part->id, numbers, unit[0] != '\0' ? " " : "",
                   unit);
  } else {
    (void)snprintf(text, size, "%s = %s%s%s of '%.80s%s'", letter, numbers,
                   unit[0] != '\0' ? " " : "", unit, part->id, port);
  }
}

static sb_status word_open(const sb_trouble *trouble, const char *members, sb_error *err) {
  sb_status status =
      sb_fail(err, SB_ERR_UNSOLVED,
              "the algebraic loop of %s leaves its values open at t = %s s: any that "
              "agree would do",
              members, sb_number_word(trouble->t).text);
  sb_error_hint(err, "a gain of exactly 1 goes round: change it, or put an integral, a C or an I "
                     "into the loop");
  return status;
}

static sb_status word_several(const sb_workspace *work, const sb_trouble *trouble,
                              const char *members, sb_error *err) {
  const sb_part *part = &work->model->parts[trouble->part];
  char what[400];
  list_solutions(work, trouble, what, sizeof what);
  sb_status status = sb_fail(err, SB_ERR_UNSOLVED,
                             "the algebraic loop of %s has several solutions at t = %s s: %s",
                             members, sb_number_word(trouble->t).text, what);
  if (part->type->role == SB_SIGNAL) {
    sb_error_hint(
        err,
        "which of them holds depends on what is not in the model: a small lag decides it, "
        "as a signal 'lag' of rate=\"(%.40s - lag)/1[ms]\" to read in place of '%.40s'",
        part->id, part->id);
  } else {
    sb_error_hint(err,
                  "which of them holds depends on what is not in the model: a small C or I "
                  "beside '%.80s' decides it",
                  part->id);
  }
  return status;
}

/** A law that goes up like a wall: what its input loses by rounding is more than its output may. */
static sb_status word_steep(const sb_trouble *trouble, const char *members, const char *given,
                            const char *id, sb_error *err) {
  (void)sb_fail(
      err, SB_ERR_UNSOLVED,
      "the algebraic loop of %s cannot be solved at t = %s s: at %s = %s the law of '%.80s' "
      "is too steep",
      members, sb_number_word(trouble->t).text, given, sb_number_word(trouble->at[0]).text, id);
  sb_error_hint(err,
                "what it is a law of has gone to zero there, as a conductance: bound it from "
                "below, or state '%.80s' the other way round",
                id);
  return SB_ERR_UNSOLVED;
}

static sb_status word_none(const sb_workspace *work, const sb_trouble *trouble, const char *members,
                           sb_error *err) {
  const char *id = work->model->parts[trouble->part].id;
  const char *given =
      work->program->causality.given[trouble->part] == SB_FLOW ? "f" : "e"; // what the law reads
  const double *at = trouble->at;
  char what[260];
  if (isfinite(at[0]) && fabs(at[1] - at[2]) <= steep_tol * fabs(at[1])) {
    return word_steep(trouble, members, given, id, err);
  }
  if (!isfinite(at[0]) && isfinite(at[2])) {
    (void)snprintf(what, sizeof what, "'%.80s' should give %s, and gives %s", id,
                   sb_number_word(at[1]).text, sb_number_word(at[2]).text);
  } else if (!isfinite(at[0])) {
    (void)snprintf(what, sizeof what, "'%.80s' gives no finite number", id);
  } else if (!isfinite(at[2])) {
    (void)snprintf(what, sizeof what, "the law of '%.80s' has no value at %s = %s", id, given,
                   sb_number_word(at[0]).text);
  } else {
    (void)snprintf(what, sizeof what, "at %s = %s '%.80s' should give %s, and its law gives %s",
                   given, sb_number_word(at[0]).text, id, sb_number_word(at[1]).text,
                   sb_number_word(at[2]).text);
  }
  sb_status status =
      sb_fail(err, SB_ERR_UNSOLVED, "the algebraic loop of %s has no solution at t = %s s: %s",
              members, sb_number_word(trouble->t).text, what);
  sb_error_hint(err, "what '%.80s' can take does not reach what the others demand", id);
  return status;
}

sb_status sb_trouble_word(const sb_workspace *work, const sb_trouble *trouble, sb_error *err) {
  if (trouble->kind == SB_TROUBLE_DIVISOR) {
    return sb_divisor_word(work, trouble->part, trouble->at[0], trouble->t, err);
  }
  char members[200];
  list_members(work, &work->program->loops[trouble->loop], members, sizeof members);
  sb_status status = trouble->kind == SB_TROUBLE_OPEN   ? word_open(trouble, members, err)
                     : trouble->kind == SB_TROUBLE_NONE ? word_none(work, trouble, members, err)
                                                        : word_several(work, trouble, members, err);
  if (err != NULL) {
    sb_place_into(&work->model->parts[trouble->part].place, err);
  }
  return status;
}
