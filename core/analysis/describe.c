// SPDX-License-Identifier: GPL-3.0-or-later
// A readable description of a compiled model's structure, as text or as JSON: states, causality, dependent
// storages, conserved quantities, and how many times the equations must be differentiated to become an
// ordinary system.
#include <math.h>

#include "core/analysis/dependence_private.h"
#include "core/analysis/describe_private.h"
#include "core/base/json.h"
#include "core/causality/constraint.h"
#include "core/loop/loop.h"
#include "core/model/rhs.h"
#include "core/program/workspace.h"

static const char *const role_names[] = {"storage", "dissipation", "source", "structure", "signal"};

/** What an element gives at its first port. */
static const char *causality_of(const sb_description *d, int index) {
  const sb_instance *instance = &d->network->instances[index];
  if (instance->layout.port_count == 0) {
    return "";
  }
  if (instance->linear && instance->type->dissipation != NULL) {
    // folded into the network: its causality is where its variables were determined
    return sb_description_either(d, "free", "indifferent");
  }
  if (instance->type->structure != NULL && !instance->hooked) {
    return sb_description_either(d, "by the network", "set by the network");
  }
  bool effort = sb_output_variable(instance->layout.ports[0].output,
                                   d->program->causality.assigned[index]) == SB_EFFORT;
  return effort ? sb_description_either(d, "effort", "effort out")
                : sb_description_either(d, "flow", "flow out");
}

static void put_elements(sb_description *d) {
  for (int i = 0; i < d->network->instance_count; i++) {
    const sb_instance *instance = &d->network->instances[i];
    const char *role = role_names[instance->type->role], *causality = causality_of(d, i);
    if (!d->json) {
      sb_text_put(&d->t, "%-28s %-16s %-12s %7d  %s\n", instance->id, instance->type->name, role,
                  instance->layout.states, causality);
      continue;
    }
    sb_text_put(&d->t, "%s\n  {\"id\": ", i == 0 ? "" : ",");
    sb_description_word(d, instance->id);
    sb_text_put(
        &d->t,
        ", \"kind\": \"%s\", \"role\": \"%s\", \"states\": %d, \"linear\": %s, \"output\": \"%s\"}",
        instance->type->name, role, instance->layout.states, instance->linear ? "true" : "false",
        causality);
  }
}

/** States of a storage of singular matrix that follow from its others. */
static int count_dependent(const sb_instance *instance) {
  int count = 0;
  for (int k = 0; k < instance->components; k++) {
    count += sb_instance_depends(instance, k);
  }
  return count;
}

static int count_all_dependent(const sb_description *d) {
  const sb_causality *causality = &d->program->causality;
  int count = causality->constraint_count - causality->algebraic_count - d->implied;
  for (int i = 0; i < d->network->instance_count; i++) {
    count += count_dependent(&d->network->instances[i]);
  }
  return count;
}

static void put_singular_storages(sb_description *d) {
  for (int i = 0, listed = 0; i < d->network->instance_count; i++) {
    const sb_instance *instance = &d->network->instances[i];
    int count = count_dependent(instance);
    if (d->json && instance->inverse != NULL) {
      sb_text_put(&d->t, listed++ > 0 ? ", " : "");
      sb_description_ids(d, &i, 1);
    } else if (count > 0) {
      sb_text_put(&d->t,
                  "  %d of the %d states of %s follow%s its others: its matrix is singular\n",
                  count, instance->components, instance->id, count == 1 ? "s" : "");
    }
  }
}

/** The structural index of the equations: 2 where a storage depends on others, as its constraint must be
 *  differentiated; 1 where algebraic loops remain to be solved; else 0. */
static int index_of(const sb_description *d) {
  bool loops = d->program->causality.loop_count > 0 || d->program->loop_count > 0;
  return count_all_dependent(d) > 0 ? 2 : loops;
}

/** The elements of each nonlinear loop, each once. */
static void put_loops(sb_description *d) {
  for (int i = 0; i < d->program->loop_count; i++) {
    const sb_loop *loop = &d->program->loops[i];
    const sb_loop_hook *hooks = d->program->loop_hooks + loop->first;
    sb_description_put(d, i > 0 ? ", {\"ids\": [" : "{\"ids\": [",
                       "nonlinear algebraic loop, solved in every evaluation: ");
    for (int j = 0, listed = 0; j < loop->count; j++) {
      bool named = false;
      for (int k = 0; k < j; k++) {
        named = named || hooks[k].op.instance == hooks[j].op.instance;
      }
      if (!named) {
        sb_text_put(&d->t, listed++ > 0 ? ", " : "");
        sb_description_ids(d, &hooks[j].op.instance, 1);
      }
    }
    sb_description_put(d, "]}", "\n");
  }
}

/** The start: which constraints imply each other there, and whether a nonlinear loop cannot be solved. Numbers that come
 *  from outside are not known before a run.
 *  @param memory  of the description  @param err  out: the words of its `failure` */
static void look_at_start(sb_description *d, sb_arena *memory, sb_error *err) {
  const sb_causality *causality = &d->program->causality;
  const int vector = sb_vector_count(d->network);
  d->x = sb_arena_zeroed(memory, 2 * vector, sizeof *d->x);
  d->redundant = sb_arena_zeroed(memory, causality->constraint_count, sizeof *d->redundant);
  d->seen = sb_arena_zeroed(memory, sb_dependence_scratch(d->network, causality), sizeof(char));
  (void)sb_workspace_create(d->model, &d->work, NULL);
  d->t.failed = d->t.failed || memory->failed || d->work == NULL;
  if (d->t.failed) {
    return;
  }
  for (int i = 0; i < causality->constraint_count; i++) {
    d->redundant[i].group = -1;
  }
  sb_model_start(d->model, d->work, d->x);
  d->work->inside = nextafter(0, HUGE_VAL);
  if (d->network->input_count > 0) {
    return;
  }
  const bool solved = sb_workspace_rhs(d->work, 0, d->x, d->x + vector) == 0;
  if (solved && sb_has_multipliers(causality)) {
    d->implied = sb_constraints_redundant(d->work, d->x, d->redundant);
  }
  const bool fails =
      solved ? !sb_loop_single(d->work, 0, d->x) : d->work->failure.kind != SB_LOOP_SOLVED;
  if (d->program->loop_count > 0 && fails) {
    (void)sb_loop_failure_word(d->work, &d->work->failure, err);
    d->failure = err->text;
  }
}

/** What kinds say of the inside of their elements, at the start. */
static void put_insides(sb_description *d) {
  for (int i = 0, listed = 0; i < d->network->instance_count; i++) {
    const sb_instance *instance = &d->network->instances[i];
    if (instance->type->measures.describe != NULL) {
      const sb_at at = sb_at_instance(d->work, instance, 0, d->x);
      sb_description_put(d, listed++ > 0 ? ",\n  {\"id\": " : "\n  {\"id\": ", "\n");
      sb_description_ids(d, &i, 1);
      sb_description_put(d, ", ", ": ");
      instance->type->measures.describe(instance->self, &at, d->json, &d->t);
      sb_description_put(d, "}", "");
    }
  }
}

static void describe_json(sb_description *d) {
  sb_text *t = &d->t;
  sb_text_put(t, "{\"model\": ");
  sb_description_word(d, d->network->name);
  sb_text_put(t, ", \"states\": %d, \"integrals\": %d, \"bonds\": %d, \"elements\": [",
              d->network->state_count - count_all_dependent(d),
              d->network->quadrature_count - d->network->integral_count, d->network->pair_count);
  put_elements(d);
  sb_text_put(t, "],\n \"insides\": [");
  put_insides(d);
  sb_text_put(t, "],\n \"dependent_storages\": [");
  sb_description_dependent(d);
  sb_text_put(t, "],\n \"singular_storages\": [");
  put_singular_storages(d);
  sb_text_put(t, "],\n \"index\": %d, \"linear_loops\": %d, \"nonlinear_loops\": [", index_of(d),
              d->program->causality.loop_count);
  put_loops(d);
  sb_text_put(t, "],\n \"start\": ");
  sb_json_quote(t, d->failure);
  sb_text_put(t, ",\n \"algebraic\": [");
  sb_description_algebraics(d);
  sb_text_put(t, "],\n \"redundant\": [");
  sb_description_redundant(d);
  sb_text_put(t, "],\n \"casimirs\": ");
  sb_description_casimirs(d);
  sb_text_put(t, "}\n");
}

static void put_counts(sb_description *d) {
  int counts[5] = {0}, dependent = count_all_dependent(d);
  int independent = d->network->state_count - dependent,
      integrals = d->network->quadrature_count - d->network->integral_count;
  for (int i = 0; i < d->network->instance_count; i++) {
    counts[d->network->instances[i].type->role]++;
  }
  sb_text_put(&d->t, "%s: %d element%s (", d->network->name, d->network->instance_count,
              d->network->instance_count == 1 ? "" : "s");
  for (int k = 0; k < 4 + (counts[4] > 0); k++) {
    sb_text_put(&d->t, "%s%d %s%s", k > 0 ? ", " : "", counts[k], role_names[k],
                counts[k] == 1 ? "" : "s");
  }
  sb_text_put(&d->t, ")\n");
  sb_text_put(&d->t, "%d state%s%s; %d integral%s in the ledger\n", independent,
              independent == 1 ? "" : "s", dependent == 0 ? ", all in integral causality" : "",
              integrals, integrals == 1 ? "" : "s");
  if (dependent > 0) {
    sb_text_put(&d->t, "%d dependent storage%s (derivative causality):\n", dependent,
                dependent == 1 ? "" : "s");
  }
}

static void describe_text(sb_description *d) {
  int linear = d->program->causality.loop_count;
  put_counts(d);
  sb_description_dependent(d);
  put_singular_storages(d);
  sb_description_algebraics(d);
  sb_text_put(&d->t, "structural index %d\n", index_of(d));
  if (linear > 0) {
    sb_text_put(&d->t, "%d linear algebraic loop%s, solved once\n", linear, linear == 1 ? "" : "s");
  }
  put_loops(d);
  if (d->failure != NULL) {
    sb_text_put(&d->t, "cannot start: %s\n", d->failure);
  }
  sb_description_redundant(d);
  sb_description_casimirs(d);
  sb_text_put(&d->t, "\n%-28s %-16s %-12s %7s  %s\n", "element", "kind", "role", "states",
              "causality");
  put_elements(d);
  put_insides(d);
}

sb_status sb_model_describe(const sb_model *model, bool json, char **text, sb_error *err) {
  sb_description d = {
      .model = model, .network = &model->network, .program = model->program, .json = json};
  sb_arena memory = {0};
  sb_casimirs casimirs;
  sb_error failure;
  sb_status status = sb_casimirs_find(model, &memory, &casimirs);
  d.casimirs = status == SB_OK ? &casimirs : NULL;
  d.t.failed = status == SB_ERR_MEMORY;
  look_at_start(&d, &memory, &failure);
  if (!d.t.failed) {
    (json ? describe_json : describe_text)(&d);
  }
  sb_workspace_destroy(d.work);
  sb_arena_finish(&memory);
  return sb_text_give(&d.t, text, err);
}
