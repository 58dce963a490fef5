// SPDX-License-Identifier: GPL-3.0-or-later
// A readable account of a compiled model's structure, as text or as JSON: states, causality, dependent
// storages, conserved quantities, and how many times the equations must be differentiated to become an
// ordinary system.
#include <math.h>

#include "core/analysis/dependence_private.h"
#include "core/analysis/describe_private.h"
#include "core/base/number.h"
#include "core/loop/loop.h"
#include "core/model/rhs.h"
#include "core/program/workspace.h"

/** The id of an instance in a list, whose first entry stands at 0. */
static void put_id(sb_account *a, int place, int instance) {
  sb_text_put(&a->t, place > 0 ? ", " : "");
  sb_account_word(a, a->network->instances[instance].id);
}

static void put_ids(sb_account *a, const int instances[], int count) {
  for (int i = 0; i < count; i++) {
    put_id(a, i, instances[i]);
  }
}

static const char *const role_names[] = {"storage", "dissipation", "source", "structure", "signal"};

/** What an element gives at its first port. */
static const char *causality_of(const sb_account *a, int index) {
  const sb_instance *instance = &a->network->instances[index];
  if (instance->layout.port_count == 0) {
    return "";
  }
  if (instance->linear && instance->type->dissipation != NULL) {
    // folded into the network: its causality is where its variables were determined
    return sb_account_either(a, "free", "indifferent");
  }
  if (instance->type->structure != NULL && !instance->hooked) {
    return sb_account_either(a, "by the network", "set by the network");
  }
  bool effort = sb_output_variable(instance->layout.ports[0].output,
                                   a->program->causality.assigned[index]) == SB_EFFORT;
  return effort ? sb_account_either(a, "effort", "effort out")
                : sb_account_either(a, "flow", "flow out");
}

static void put_elements(sb_account *a) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    const char *role = role_names[instance->type->role], *causality = causality_of(a, i);
    if (!a->json) {
      sb_text_put(&a->t, "%-28s %-16s %-12s %7d  %s\n", instance->id, instance->type->name, role,
                  instance->layout.states, causality);
      continue;
    }
    sb_text_put(&a->t, "%s\n  {\"id\": ", i == 0 ? "" : ",");
    sb_account_word(a, instance->id);
    sb_text_put(
        &a->t,
        ", \"kind\": \"%s\", \"role\": \"%s\", \"states\": %d, \"linear\": %s, \"output\": \"%s\"}",
        instance->type->name, role, instance->layout.states, instance->linear ? "true" : "false",
        causality);
  }
}

static void put_dependent_storages(sb_account *a) {
  const sb_causality *causality = &a->program->causality;
  for (int i = 0; i < causality->constraint_count; i++) {
    sb_dependence d = sb_dependence_of(a->model, &causality->constraints[i]);
    sb_text_put(&a->t, "%s", sb_account_either(a, i > 0 ? ", {\"id\": " : "{\"id\": ", "  "));
    put_id(a, 0, d.dependent);
    sb_text_put(
        &a->t, "%s",
        sb_account_either(a, ", \"follows\": [", d.other_count > 0 ? " follows " : " follows"));
    put_ids(a, d.others, d.other_count);
    sb_text_put(&a->t, "%s",
                sb_account_either(a, "], \"through\": [", d.through_count > 0 ? " through " : ""));
    put_ids(a, d.through, d.through_count);
    if (a->json) {
      sb_text_put(&a->t, "], \"effective\": ");
      sb_account_number(a, d.effective);
    } else if (!isnan(d.effective)) {
      sb_text_put(&a->t, "; together they act as %s with %s", a->network->instances[d.others[0]].id,
                  sb_number_word(d.effective).text);
    }
    sb_text_put(&a->t, "%s", sb_account_either(a, "}", "\n"));
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

static int count_all_dependent(const sb_account *a) {
  int count = a->program->causality.constraint_count;
  for (int i = 0; i < a->network->instance_count; i++) {
    count += count_dependent(&a->network->instances[i]);
  }
  return count;
}

static void put_singular_storages(sb_account *a) {
  for (int i = 0, listed = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    int count = count_dependent(instance);
    if (a->json && instance->inverse != NULL) {
      put_id(a, listed++, i);
    } else if (count > 0) {
      sb_text_put(&a->t,
                  "  %d of the %d states of %s follow%s its others: its matrix is singular\n",
                  count, instance->components, instance->id, count == 1 ? "s" : "");
    }
  }
}

/** The structural index of the equations: 2 where a storage depends on others, as its constraint must be
 *  differentiated; 1 where algebraic loops remain to be solved; else 0. */
static int index_of(const sb_account *a) {
  bool loops = a->program->causality.loop_count > 0 || a->program->loop_count > 0;
  return count_all_dependent(a) > 0 ? 2 : loops;
}

/** The elements of each nonlinear loop, each once. */
static void put_loops(sb_account *a) {
  for (int i = 0; i < a->program->loop_count; i++) {
    const sb_loop *loop = &a->program->loops[i];
    const sb_loop_hook *hooks = a->program->loop_hooks + loop->first;
    sb_text_put(&a->t, "%s",
                sb_account_either(a, i > 0 ? ", {\"ids\": [" : "{\"ids\": [",
                                  "nonlinear algebraic loop, solved in every evaluation: "));
    for (int j = 0, listed = 0; j < loop->count; j++) {
      bool named = false;
      for (int k = 0; k < j; k++) {
        named = named || hooks[k].op.instance == hooks[j].op.instance;
      }
      if (!named) {
        put_id(a, listed++, hooks[j].op.instance);
      }
    }
    sb_text_put(&a->t, "%s", sb_account_either(a, "]}", "\n"));
  }
}

static void put_redundant_loops(sb_account *a) {
  const sb_causality *causality = &a->program->causality;
  for (int i = 0; i < causality->redundant_loop_count; i++) {
    const sb_redundant_loop *loop = &causality->redundant_loops[i];
    const char *variable = loop->effort ? "effort" : "flow";
    if (a->json) {
      sb_text_put(&a->t, "%s{\"variable\": \"%s\", \"ids\": [", i > 0 ? ", " : "", variable);
    } else {
      sb_text_put(&a->t, "redundant constraint: ");
    }
    put_ids(a, causality->redundant_instances + loop->first, loop->count);
    if (a->json) {
      sb_text_put(&a->t, "]}");
    } else {
      sb_text_put(
          &a->t,
          " state one constraint twice; of the %ss that may circulate there the smallest is "
          "taken\n",
          variable);
    }
  }
}

/** Whether a nonlinear loop cannot be solved at the start, where that is known before a run. */
static bool find_failure(const sb_model *model, double t, sb_error *err) {
  bool outside = false;
  for (int i = 0; i < model->network.instance_count; i++) {
    outside = outside || model->network.instances[i].input_count > 0;
  }
  sb_workspace *work;
  (void)sb_workspace_create(model, &work, NULL);
  double *x = sb_zeroed(2 * sb_vector_count(&model->network), sizeof *x);
  bool failure = false;
  if (work != NULL && x != NULL && !outside && model->program->loop_count > 0) {
    sb_model_start(model, work, x);
    work->inside = nextafter(t, HUGE_VAL);
    int status = sb_workspace_rhs(work, t, x, x + sb_vector_count(&model->network));
    failure = status == 0 ? !sb_loop_single(work, t, x) : work->failure.kind != SB_LOOP_SOLVED;
    if (failure) {
      (void)sb_loop_failure_word(work, &work->failure, err);
    }
  }
  sb_workspace_destroy(work);
  free(x);
  return failure;
}

static void describe_json(sb_account *a) {
  sb_text *t = &a->t;
  sb_error err;
  sb_text_put(t, "{\"model\": ");
  sb_account_word(a, a->network->name);
  sb_text_put(t, ", \"states\": %d, \"integrals\": %d, \"bonds\": %d, \"elements\": [",
              a->network->state_count - count_all_dependent(a), a->network->quadrature_count,
              a->network->pair_count);
  put_elements(a);
  sb_text_put(t, "],\n \"dependent_storages\": [");
  put_dependent_storages(a);
  sb_text_put(t, "],\n \"singular_storages\": [");
  put_singular_storages(a);
  sb_text_put(t, "],\n \"index\": %d, \"linear_loops\": %d, \"nonlinear_loops\": [", index_of(a),
              a->program->causality.loop_count);
  put_loops(a);
  sb_text_put(t, "],\n \"start\": ");
  if (find_failure(a->model, 0, &err)) {
    sb_account_word(a, err.text);
  } else {
    sb_text_put(t, "null");
  }
  sb_text_put(t, ",\n \"redundant\": [");
  put_redundant_loops(a);
  sb_text_put(t, "],\n \"casimirs\": ");
  sb_account_casimirs(a);
  sb_text_put(t, "}\n");
}

static void put_counts(sb_account *a) {
  int counts[5] = {0}, dependent = count_all_dependent(a);
  int independent = a->network->state_count - dependent, integrals = a->network->quadrature_count;
  for (int i = 0; i < a->network->instance_count; i++) {
    counts[a->network->instances[i].type->role]++;
  }
  sb_text_put(&a->t, "%s: %d elements (%d storages, %d dissipations, %d sources, %d structures",
              a->network->name, a->network->instance_count, counts[0], counts[1], counts[2],
              counts[3]);
  sb_text_put(&a->t, counts[4] > 0 ? ", %d signals)\n" : ")\n", counts[4]);
  sb_text_put(&a->t, "%d state%s%s; %d integral%s in the ledger\n", independent,
              independent == 1 ? "" : "s", dependent == 0 ? ", all in integral causality" : "",
              integrals, integrals == 1 ? "" : "s");
  if (dependent > 0) {
    sb_text_put(&a->t, "%d dependent storage%s (derivative causality):\n", dependent,
                dependent == 1 ? "" : "s");
  }
}

static void describe_text(sb_account *a) {
  int linear = a->program->causality.loop_count;
  sb_error err;
  put_counts(a);
  put_dependent_storages(a);
  put_singular_storages(a);
  sb_text_put(&a->t, "structural index %d\n", index_of(a));
  if (linear > 0) {
    sb_text_put(&a->t, "%d linear algebraic loop%s, solved once\n", linear, linear == 1 ? "" : "s");
  }
  put_loops(a);
  if (find_failure(a->model, 0, &err)) {
    sb_text_put(&a->t, "cannot start: %s\n", err.text);
  }
  put_redundant_loops(a);
  sb_account_casimirs(a);
  sb_text_put(&a->t, "\n%-28s %-16s %-12s %7s  %s\n", "element", "kind", "role", "states",
              "causality");
  put_elements(a);
}

sb_status sb_model_describe(const sb_model *model, bool json, char **text, sb_error *err) {
  sb_account a = {
      .model = model, .network = &model->network, .program = model->program, .json = json};
  sb_arena memory = {0};
  sb_casimirs casimirs;
  sb_status status = sb_casimirs_find(model, &memory, &casimirs);
  a.casimirs = status == SB_OK ? &casimirs : NULL;
  a.t.failed = status == SB_ERR_MEMORY;
  (json ? describe_json : describe_text)(&a);
  sb_arena_finish(&memory);
  *text = a.t.bytes;
  if (a.t.failed) {
    free(a.t.bytes);
    *text = NULL;
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  return SB_OK;
}
