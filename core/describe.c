// SPDX-License-Identifier: GPL-3.0-or-later
// A readable account of a compiled model's structure: states, causality, sizes.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/array_private.h"
#include "core/assign_private.h"
#include "core/json.h"
#include "core/number.h"
#include "core/workspace_private.h"

typedef struct text {
  char *bytes;
  int length, capacity;
  bool failed;
} text;

__attribute__((format(printf, 2, 3))) static void put(text *t, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int size = vsnprintf(NULL, 0, format, args);
  if (size < 0 || !sb_grow(&t->bytes, &t->capacity, t->length + size + 1, 1)) {
    t->failed = true;
  } else {
    (void)vsnprintf(t->bytes + t->length, (size_t)size + 1, format, again);
    t->length += size;
  }
  va_end(again);
  va_end(args);
}

static void put_quoted(text *t, const char *word) {
  char quoted[1300];
  (void)sb_json_quote(word, quoted, sizeof quoted);
  put(t, "%s", quoted);
}

static const char *const role_names[] = {"storage", "dissipation", "source", "structure", "signal"};

static const char *output_name(const sb_model *model, int index, int port) {
  const sb_part *part = &model->parts[index];
  sb_variable output = part->layout.ports[port].output;
  if (part->linear && part->type->role == SB_DISSIPATION) {
    // folded into the network: its causality is where its variables were determined
    return "free";
  }
  if (part->type->role == SB_STRUCTURE && !part->hooked) {
    return "by the network";
  }
  output = sb_output_given(output, model->program->causality.given[index]);
  return output == SB_EFFORT ? "effort" : "flow";
}

/** A dependent storage: what it follows, and as what the two act together, if it is one scalar
 *  storage that follows one other: E = (1/K_j + K_d (a/K_j)^2) y_j^2 / 2 with x_d = a x_j. */
typedef struct tie {
  const sb_part *dependent;
  const sb_part *others[8];
  int count;
  double effective; // NAN: not that simple
} tie;

static tie tie_of(const sb_model *model, const sb_constraint *c) {
  const sb_term *terms = &model->program->causality.constraint_terms[c->first];
  int base = sb_known_base(model), partner = -1;
  tie t = {.dependent = &model->parts[sb_owner_of(model, c->dependent)], .effective = NAN};
  double own = 1, other = 0;
  for (int k = 0; k < c->count; k++) {
    int known = terms[k].var - base;
    if (known == c->dependent) {
      own = terms[k].factor;
    } else if (t.count < 8) {
      partner = sb_owner_of(model, known);
      other = terms[k].factor;
      t.others[t.count++] = &model->parts[partner];
    }
  }
  bool scalar = t.count == 1 && t.dependent->components == 1 && t.others[0]->components == 1;
  if (scalar && t.others[0]->linear && t.others[0]->type->role == SB_STORAGE) {
    double a = -other / own, k_j = t.others[0]->matrix[0], k_d = t.dependent->matrix[0];
    t.effective = 1 / k_j + k_d * (a / k_j) * (a / k_j);
  }
  return t;
}

static void list_ties_json(const sb_model *model, text *out) {
  char number[SB_NUMBER_SIZE];
  for (int i = 0; i < model->program->causality.constraint_count; i++) {
    tie t = tie_of(model, &model->program->causality.constraints[i]);
    put(out, i > 0 ? ", {\"id\": " : "{\"id\": ");
    put_quoted(out, t.dependent->id);
    put(out, ", \"follows\": [");
    for (int k = 0; k < t.count; k++) {
      put(out, k > 0 ? ", " : "");
      put_quoted(out, t.others[k]->id);
    }
    (void)sb_number_format_json(t.effective, number, sizeof number);
    put(out, "], \"effective\": %s}", number);
  }
}

static void list_ties(const sb_model *model, text *out) {
  for (int i = 0; i < model->program->causality.constraint_count; i++) {
    tie t = tie_of(model, &model->program->causality.constraints[i]);
    put(out, "  %s follows", t.dependent->id);
    for (int k = 0; k < t.count; k++) {
      put(out, "%s %s", k > 0 ? "," : "", t.others[k]->id);
    }
    if (!isnan(t.effective)) {
      put(out, "; together they act as %s with %s", t.others[0]->id,
          sb_number_word(t.effective).text);
    }
    put(out, "\n");
  }
}

static void describe_json(const sb_model *model, text *t) {
  put(t, "{\"model\": ");
  put_quoted(t, model->name);
  put(t, ", \"states\": %d, \"integrals\": %d, \"bonds\": %d, \"elements\": [",
      model->state_count - model->program->causality.constraint_count, model->integral_count,
      model->cell_count);
  for (int i = 0; i < model->part_count; i++) {
    const sb_part *part = &model->parts[i];
    put(t, "%s\n  {\"id\": ", i == 0 ? "" : ",");
    put_quoted(t, part->id);
    put(t,
        ", \"kind\": \"%s\", \"role\": \"%s\", \"states\": %d, \"linear\": %s, \"output\": \"%s\"}",
        part->type->name, role_names[part->type->role], part->layout.states,
        part->linear ? "true" : "false",
        part->layout.port_count > 0 ? output_name(model, i, 0) : "");
  }
  put(t, "],\n \"dependent_storages\": [");
  list_ties_json(model, t);
  put(t, "]}\n");
}

static void describe_text(const sb_model *model, text *t) {
  int counts[4] = {0};
  for (int i = 0; i < model->part_count; i++) {
    counts[model->parts[i].type->role]++;
  }
  put(t, "%s: %d elements (%d storages, %d dissipations, %d sources, %d structures)\n", model->name,
      model->part_count, counts[0], counts[1], counts[2], counts[3]);
  int tied = model->program->causality.constraint_count;
  int independent = model->state_count - tied;
  put(t, "%d state%s%s; %d integral%s in the ledger\n", independent, independent == 1 ? "" : "s",
      tied == 0 ? ", all in integral causality" : "", model->integral_count,
      model->integral_count == 1 ? "" : "s");
  if (tied > 0) {
    put(t, "%d dependent storage%s:\n", tied, tied == 1 ? "" : "s");
  }
  list_ties(model, t);
  put(t, "\n");
  put(t, "%-28s %-16s %-12s %7s  %s\n", "element", "kind", "role", "states", "gives");
  for (int i = 0; i < model->part_count; i++) {
    const sb_part *part = &model->parts[i];
    put(t, "%-28s %-16s %-12s %7d  %s\n", part->id, part->type->name, role_names[part->type->role],
        part->layout.states, part->layout.port_count > 0 ? output_name(model, i, 0) : "");
  }
}

char *sb_model_describe(const sb_model *model, bool json) {
  text t = {0};
  (json ? describe_json : describe_text)(model, &t);
  if (t.failed) {
    free(t.bytes);
    return NULL;
  }
  return t.bytes;
}
