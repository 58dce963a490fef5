// SPDX-License-Identifier: GPL-3.0-or-later
// A readable account of a compiled model's structure, as text or as JSON: states, causality, dependent
// storages, conserved quantities, and how many times the equations must be differentiated to become an
// ordinary system.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/analysis/casimirs_private.h"
#include "core/analysis/dependence_private.h"
#include "core/base/json.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/loop/loop.h"
#include "core/model/rhs.h"
#include "core/program/workspace.h"

/** What the text shows of long lists; JSON has all. */
enum { CASIMIRS_SHOWN = 20, TERMS_SHOWN = 12 };

typedef struct account {
  const sb_model *model;
  const sb_network *network;
  const sb_program *program;
  const sb_casimirs *casimirs; // NULL: they were not found
  bool json;
  sb_text t;
} account;

static const char *either(const account *a, const char *json, const char *text) {
  return a->json ? json : text;
}

/** A word, quoted in JSON. */
static void put_word(account *a, const char *word) {
  char quoted[1300];
  if (a->json) {
    (void)sb_json_quote(word, quoted, sizeof quoted);
  }
  sb_text_put(&a->t, "%s", a->json ? quoted : word);
}

/** The id of an instance in a list, whose first entry stands at 0. */
static void put_id(account *a, int place, int instance) {
  sb_text_put(&a->t, place > 0 ? ", " : "");
  put_word(a, a->network->instances[instance].id);
}

static void put_ids(account *a, const int instances[], int count) {
  for (int i = 0; i < count; i++) {
    put_id(a, i, instances[i]);
  }
}

static void put_json_number(account *a, double value) {
  char number[SB_NUMBER_SIZE];
  (void)sb_number_format_json(value, number, sizeof number);
  sb_text_put(&a->t, "%s", number);
}

static const char *const role_names[] = {"storage", "dissipation", "source", "structure", "signal"};

/** What an element gives at its first port. */
static const char *causality_of(const account *a, int index) {
  const sb_instance *instance = &a->network->instances[index];
  if (instance->layout.port_count == 0) {
    return "";
  }
  if (instance->linear && instance->type->dissipation != NULL) {
    // folded into the network: its causality is where its variables were determined
    return either(a, "free", "indifferent");
  }
  if (instance->type->structure != NULL && !instance->hooked) {
    return either(a, "by the network", "set by the network");
  }
  bool effort = sb_output_variable(instance->layout.ports[0].output,
                                   a->program->causality.assigned[index]) == SB_EFFORT;
  return effort ? either(a, "effort", "effort out") : either(a, "flow", "flow out");
}

static void put_elements(account *a) {
  for (int i = 0; i < a->network->instance_count; i++) {
    const sb_instance *instance = &a->network->instances[i];
    const char *role = role_names[instance->type->role], *causality = causality_of(a, i);
    if (!a->json) {
      sb_text_put(&a->t, "%-28s %-16s %-12s %7d  %s\n", instance->id, instance->type->name, role,
                  instance->layout.states, causality);
      continue;
    }
    sb_text_put(&a->t, "%s\n  {\"id\": ", i == 0 ? "" : ",");
    put_word(a, instance->id);
    sb_text_put(
        &a->t,
        ", \"kind\": \"%s\", \"role\": \"%s\", \"states\": %d, \"linear\": %s, \"output\": \"%s\"}",
        instance->type->name, role, instance->layout.states, instance->linear ? "true" : "false",
        causality);
  }
}

static void put_dependent_storages(account *a) {
  const sb_causality *causality = &a->program->causality;
  for (int i = 0; i < causality->constraint_count; i++) {
    sb_dependence d = sb_dependence_of(a->model, &causality->constraints[i]);
    sb_text_put(&a->t, "%s", either(a, i > 0 ? ", {\"id\": " : "{\"id\": ", "  "));
    put_id(a, 0, d.dependent);
    sb_text_put(&a->t, "%s",
                either(a, ", \"follows\": [", d.other_count > 0 ? " follows " : " follows"));
    put_ids(a, d.others, d.other_count);
    sb_text_put(&a->t, "%s",
                either(a, "], \"through\": [", d.through_count > 0 ? " through " : ""));
    put_ids(a, d.through, d.through_count);
    if (a->json) {
      sb_text_put(&a->t, "], \"effective\": ");
      put_json_number(a, d.effective);
    } else if (!isnan(d.effective)) {
      sb_text_put(&a->t, "; together they act as %s with %s", a->network->instances[d.others[0]].id,
                  sb_number_word(d.effective).text);
    }
    sb_text_put(&a->t, "%s", either(a, "}", "\n"));
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

static int count_all_dependent(const account *a) {
  int count = a->program->causality.constraint_count;
  for (int i = 0; i < a->network->instance_count; i++) {
    count += count_dependent(&a->network->instances[i]);
  }
  return count;
}

static void put_singular_storages(account *a) {
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
static int index_of(const account *a) {
  bool loops = a->program->causality.loop_count > 0 || a->program->loop_count > 0;
  return count_all_dependent(a) > 0 ? 2 : loops;
}

/** The elements of each nonlinear loop, each once. */
static void put_loops(account *a) {
  for (int i = 0; i < a->program->loop_count; i++) {
    const sb_loop *loop = &a->program->loops[i];
    const sb_loop_hook *hooks = a->program->loop_hooks + loop->first;
    sb_text_put(&a->t, "%s",
                either(a, i > 0 ? ", {\"ids\": [" : "{\"ids\": [",
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
    sb_text_put(&a->t, "%s", either(a, "]}", "\n"));
  }
}

static void put_redundant_loops(account *a) {
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

/** "C1.q", or "L.p.2" of a vector. */
static void name_state(const account *a, int state, char name[340]) {
  const sb_instance *instance = &a->network->instances[sb_owner_of(a->network, state)];
  char base[300];
  (void)sb_network_state_name(a->network, state, base);
  bool many = !sb_instance_names_states(instance) && instance->layout.states > 1;
  (void)snprintf(name, 340, many ? "%s.%d" : "%s", base, state - instance->state);
}

static const char *state_unit(const account *a, int state, sb_quantity *quantity) {
  char name[300];
  sb_error err;
  (void)sb_network_state_name(a->network, state, name);
  return sb_network_find(a->network, name, quantity, &err) == SB_OK ? quantity->unit : "";
}

static void put_casimirs_json(account *a) {
  char name[340];
  sb_quantity quantity;
  for (int k = 0; k < a->casimirs->count; k++) {
    const sb_casimir *casimir = &a->casimirs->items[k];
    sb_text_put(&a->t, "%s\n  {\"terms\": [", k > 0 ? "," : "");
    for (int i = 0; i < casimir->count; i++) {
      name_state(a, casimir->terms[i].var, name);
      sb_text_put(&a->t, i > 0 ? ", {\"state\": " : "{\"state\": ");
      put_word(a, name);
      sb_text_put(&a->t, ", \"factor\": ");
      put_json_number(a, casimir->terms[i].factor);
      sb_text_put(&a->t, "}");
    }
    sb_text_put(&a->t, "], \"unit\": ");
    put_word(a, state_unit(a, casimir->terms[0].var, &quantity));
    sb_text_put(&a->t, "}");
  }
}

/** "C1.q - 2 C2.q [C]". */
static void put_casimir(account *a, const sb_casimir *casimir) {
  char name[340];
  sb_quantity quantity;
  for (int i = 0; i < casimir->count && i < TERMS_SHOWN; i++) {
    double size = fabs(casimir->terms[i].factor);
    bool minus = casimir->terms[i].factor < 0;
    name_state(a, casimir->terms[i].var, name);
    sb_text_put(&a->t, "%s", i == 0 ? minus ? "-" : "" : minus ? " - " : " + ");
    if (size != 1) {
      sb_text_put(&a->t, "%s ", sb_number_word(size).text);
    }
    sb_text_put(&a->t, "%s", name);
  }
  if (casimir->count > TERMS_SHOWN) {
    sb_text_put(&a->t, " + ... (%d terms)", casimir->count);
  }
  const char *unit = state_unit(a, casimir->terms[0].var, &quantity);
  sb_text_put(&a->t, unit[0] == '\0' ? "\n" : " [%s]\n", unit);
}

static void put_casimirs(account *a) {
  if (a->casimirs == NULL) {
    sb_text_put(&a->t,
                "conserved quantities: not found, the elimination fills in too much (limit: %d "
                "terms)\n",
                SB_NULLSPACE_WORK_LEAST + SB_NULLSPACE_WORK * sb_known_base(a->network));
    return;
  }
  if (a->casimirs->count > 0) {
    sb_text_put(&a->t, "%d conserved, whatever the energies and laws are%s:\n", a->casimirs->count,
                a->network->mode_count > 0 ? ", in the modes at the start" : "");
  }
  for (int k = 0; k < a->casimirs->count && k < CASIMIRS_SHOWN; k++) {
    sb_text_put(&a->t, "  ");
    put_casimir(a, &a->casimirs->items[k]);
  }
  if (a->casimirs->count > CASIMIRS_SHOWN) {
    sb_text_put(&a->t, "  and %d more (all by --json)\n", a->casimirs->count - CASIMIRS_SHOWN);
  }
}

/** Whether a nonlinear loop cannot be solved at the start, where that is known before a run. */
static bool find_failure(const sb_model *model, double t, sb_error *err) {
  bool outside = false;
  for (int i = 0; i < model->network.instance_count; i++) {
    outside = outside || model->network.instances[i].input_count > 0;
  }
  sb_workspace *work = sb_workspace_create(model, NULL);
  double *x = sb_zeroed(2 * sb_vector_count(&model->network), sizeof *x);
  bool failure = false;
  if (work != NULL && x != NULL && !outside && model->program->loop_count > 0) {
    sb_model_start(model, work, x);
    work->inside = nextafter(t, HUGE_VAL);
    failure = sb_workspace_rhs(work, t, x, x + sb_vector_count(&model->network)) != 0 &&
              work->failure.kind != SB_LOOP_SOLVED;
    if (failure) {
      (void)sb_loop_failure_word(work, &work->failure, err);
    }
  }
  sb_workspace_destroy(work);
  free(x);
  return failure;
}

static void describe_json(account *a) {
  sb_text *t = &a->t;
  sb_error err;
  sb_text_put(t, "{\"model\": ");
  put_word(a, a->network->name);
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
    put_word(a, err.text);
  } else {
    sb_text_put(t, "null");
  }
  sb_text_put(t, ",\n \"redundant\": [");
  put_redundant_loops(a);
  sb_text_put(t, "],\n \"casimirs\": ");
  if (a->casimirs == NULL) {
    sb_text_put(t, "null}\n");
    return;
  }
  sb_text_put(t, "[");
  put_casimirs_json(a);
  sb_text_put(t, "]}\n");
}

static void put_counts(account *a) {
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

static void describe_text(account *a) {
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
  put_casimirs(a);
  sb_text_put(&a->t, "\n%-28s %-16s %-12s %7s  %s\n", "element", "kind", "role", "states",
              "causality");
  put_elements(a);
}

char *sb_model_describe(const sb_model *model, bool json) {
  account a = {.model = model, .network = &model->network, .program = model->program, .json = json};
  sb_arena memory = {0};
  sb_casimirs casimirs;
  sb_status status = sb_casimirs_find(model, &memory, &casimirs);
  a.casimirs = status == SB_OK ? &casimirs : NULL;
  a.t.failed = status == SB_ERR_MEMORY;
  (json ? describe_json : describe_text)(&a);
  sb_arena_finish(&memory);
  if (a.t.failed) {
    free(a.t.bytes);
    return NULL;
  }
  return a.t.bytes;
}
