// SPDX-License-Identifier: GPL-3.0-or-later
// A readable account of a compiled model's structure: states, causality, sizes.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/array_private.h"
#include "core/json.h"
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

static const char *const role_names[] = {"storage", "dissipation", "source", "structure"};

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
  if (output == SB_EITHER) {
    output = model->program->causality.given[index] == SB_EFFORT ? SB_FLOW : SB_EFFORT;
  }
  return output == SB_EFFORT ? "effort" : "flow";
}

static void describe_json(const sb_model *model, text *t) {
  put(t, "{\"model\": ");
  put_quoted(t, model->name);
  put(t, ", \"states\": %d, \"integrals\": %d, \"bonds\": %d, \"elements\": [", model->state_count,
      model->integral_count, model->cell_count);
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
  put(t, "],\n \"dependent_storages\": [], \"loops\": []}\n");
}

static void describe_text(const sb_model *model, text *t) {
  int counts[4] = {0};
  for (int i = 0; i < model->part_count; i++) {
    counts[model->parts[i].type->role]++;
  }
  put(t, "%s: %d elements (%d storages, %d dissipations, %d sources, %d structures)\n", model->name,
      model->part_count, counts[0], counts[1], counts[2], counts[3]);
  put(t, "%d states, all in integral causality; %d integrals in the ledger\n\n", model->state_count,
      model->integral_count);
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
