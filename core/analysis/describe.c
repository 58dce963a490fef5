// SPDX-License-Identifier: GPL-3.0-or-later
// A readable account of a compiled model's structure: states, causality, sizes, what is tied, what is
// conserved, and how many times the equations must be differentiated to become an ordinary system.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/analysis/casimirs_private.h"
#include "core/base/array.h"
#include "core/base/json.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/causality/constraint.h"
#include "core/loop/loop.h"
#include "core/model/model_data.h"
#include "core/model/rhs.h"
#include "core/program/workspace.h"

/** What the text shows of long lists; JSON has all. */
enum { CASIMIRS_SHOWN = 20, TERMS_SHOWN = 12 };

static void put_quoted(sb_text *t, const char *word) {
  char quoted[1300];
  (void)sb_json_quote(word, quoted, sizeof quoted);
  sb_text_put(t, "%s", quoted);
}

static const char *const role_names[] = {"storage", "dissipation", "source", "structure", "signal"};

static const char *output_name(const sb_model *model, int index, int port) {
  const sb_instance *instance = &model->network.instances[index];
  sb_variable output = instance->layout.ports[port].output;
  if (instance->linear && instance->type->role == SB_DISSIPATION) {
    // folded into the network: its causality is where its variables were determined
    return "free";
  }
  if (instance->type->role == SB_STRUCTURE && !instance->hooked) {
    return "by the network";
  }
  output = sb_output_variable(output, model->program->causality.assigned[index]);
  return output == SB_EFFORT ? "effort" : "flow";
}

enum { TIED_MAX = 8 };

/** A dependent storage: what it follows, and as what the two act together, if it is one scalar
 *  storage that follows one other: E = (1/K_j + K_d (a/K_j)^2) y_j^2 / 2 with x_d = a x_j. */
typedef struct constraint {
  const sb_instance *dependent;
  const sb_instance *others[TIED_MAX];
  int count;
  const sb_instance *through[TIED_MAX]; // modulated structures
  int through_count;
  double effective; // NAN: not that simple
} constraint;

static void list_once(const sb_instance *list[], int *count, const sb_instance *instance) {
  bool listed = *count == TIED_MAX;
  for (int i = 0; i < *count; i++) {
    listed = listed || list[i] == instance;
  }
  if (!listed) {
    list[(*count)++] = instance;
  }
}

/** What is behind a variable, state or value. */
static void list_behind(const sb_model *model, int var, constraint *t) {
  const sb_causality *c = &model->program->causality;
  int known = var - sb_known_base(&model->network);
  for (int i = 0; known < 0 && i < c->count[var]; i++) {
    list_behind(model, c->terms[c->first[var] + i].var, t);
  }
  if (known < 0) {
    return;
  }
  int index = sb_owner_of(&model->network, known);
  const sb_instance *instance = &model->network.instances[index];
  if (instance->type->role != SB_STRUCTURE) {
    if (instance != t->dependent) {
      list_once(t->others, &t->count, instance);
    }
    return;
  }
  char other = sb_instance_side(instance, known - model->network.state_count - instance->out) == 'A'
                   ? 'B'
                   : 'A';
  list_once(t->through, &t->through_count, instance);
  for (int k = 0; k < instance->components; k++) {
    if (sb_instance_side(instance, k) == other) {
      bool flow = sb_reads_flow(&model->network, c, index, k);
      list_behind(model, flow ? sb_flow_var(instance, k) : sb_effort_var(instance, k), t);
    }
  }
}

static constraint tie_of(const sb_model *model, int number) {
  const sb_causality *causality = &model->program->causality;
  int base = sb_known_base(&model->network), count, state = sb_constraint_state(causality, number);
  const sb_term *terms = sb_constraint_terms(causality, number, &count);
  constraint t = {.dependent = &model->network.instances[sb_owner_of(&model->network, state)],
                  .effective = NAN};
  double own = 1, other = 0;
  for (int k = 0; k < count; k++) {
    bool dependent = terms[k].var == base + state;
    list_behind(model, terms[k].var, &t);
    *(dependent ? &own : &other) = terms[k].factor;
  }
  bool scalar = !sb_constraint_has_multiplier(causality, number) && t.count == 1 &&
                t.dependent->components == 1 && t.others[0]->components == 1;
  if (scalar && t.others[0]->type->role == SB_STORAGE) {
    double a = -other / own, k_j = t.others[0]->matrix[0], k_d = t.dependent->matrix[0];
    t.effective = 1 / k_j + k_d * (a / k_j) * (a / k_j);
  }
  return t;
}

static int count_singular(const sb_model *model) {
  int count = 0;
  for (int i = 0; i < model->network.instance_count; i++) {
    for (int k = 0; k < model->network.instances[i].components; k++) {
      count += sb_instance_depends(&model->network.instances[i], k);
    }
  }
  return count;
}

static void list_singular(const sb_model *model, sb_text *out) {
  for (int i = 0; i < model->network.instance_count; i++) {
    const sb_instance *instance = &model->network.instances[i];
    int count = 0;
    for (int k = 0; k < instance->components; k++) {
      count += sb_instance_depends(instance, k);
    }
    if (count > 0) {
      sb_text_put(out, "  %d of the %d states of %s follow%s its others: its matrix is singular\n",
                  count, instance->components, instance->id, count == 1 ? "s" : "");
    }
  }
}

static void list_ties_json(const sb_model *model, sb_text *out) {
  char number[SB_NUMBER_SIZE];
  for (int i = 0; i < model->program->causality.constraint_count; i++) {
    constraint t = tie_of(model, i);
    sb_text_put(out, i > 0 ? ", {\"id\": " : "{\"id\": ");
    put_quoted(out, t.dependent->id);
    sb_text_put(out, ", \"follows\": [");
    for (int k = 0; k < t.count; k++) {
      sb_text_put(out, k > 0 ? ", " : "");
      put_quoted(out, t.others[k]->id);
    }
    (void)sb_number_format_json(t.effective, number, sizeof number);
    sb_text_put(out, "], \"through\": [");
    for (int k = 0; k < t.through_count; k++) {
      sb_text_put(out, k > 0 ? ", " : "");
      put_quoted(out, t.through[k]->id);
    }
    sb_text_put(out, "], \"effective\": %s}", number);
  }
}

static void list_constraints(const sb_model *model, sb_text *out) {
  for (int i = 0; i < model->program->causality.constraint_count; i++) {
    constraint t = tie_of(model, i);
    sb_text_put(out, "  %s follows", t.dependent->id);
    for (int k = 0; k < t.count; k++) {
      sb_text_put(out, "%s %s", k > 0 ? "," : "", t.others[k]->id);
    }
    for (int k = 0; k < t.through_count; k++) {
      sb_text_put(out, "%s %s", k > 0 ? "," : " through", t.through[k]->id);
    }
    if (!isnan(t.effective)) {
      sb_text_put(out, "; together they act as %s with %s", t.others[0]->id,
                  sb_number_word(t.effective).text);
    }
    sb_text_put(out, "\n");
  }
}

/** The structural index of the equations: 2 where a storage depends on others, as its tie must be
 *  differentiated; 1 where loops of algebraic equations remain to be solved; else 0. */
static int index_of(const sb_model *model) {
  const sb_program *program = model->program;
  return program->causality.constraint_count > 0 || count_singular(model) > 0 ? 2
         : program->causality.loop_count > 0 || program->loop_count > 0       ? 1
                                                                              : 0;
}

static void list_names(const sb_model *model, const int instances[], int count, bool json,
                       sb_text *out) {
  for (int i = 0; i < count; i++) {
    sb_text_put(out, i > 0 ? ", " : "");
    if (json) {
      put_quoted(out, model->network.instances[instances[i]].id);
    } else {
      sb_text_put(out, "%s", model->network.instances[instances[i]].id);
    }
  }
}

/** The elements of a loop, each once. */
static void list_members(const sb_model *model, const sb_loop *loop, bool json, sb_text *out) {
  const sb_loop_hook *hooks = model->program->loop_hooks + loop->first;
  for (int i = 0; i < loop->count; i++) {
    bool named = false;
    for (int k = 0; k < i; k++) {
      named = named || hooks[k].op.instance == hooks[i].op.instance;
    }
    if (!named) {
      sb_text_put(out, i > 0 ? ", " : "");
      list_names(model, &hooks[i].op.instance, 1, json, out);
    }
  }
}

static void list_loops_json(const sb_model *model, sb_text *out) {
  const sb_program *program = model->program;
  for (int i = 0; i < program->loop_count; i++) {
    sb_text_put(out, i > 0 ? ", {\"ids\": [" : "{\"ids\": [");
    list_members(model, &program->loops[i], true, out);
    sb_text_put(out, "]}");
  }
}

static void list_loops(const sb_model *model, sb_text *out) {
  const sb_program *program = model->program;
  int linear = program->causality.loop_count;
  if (linear > 0) {
    sb_text_put(out, "%d linear loop%s, solved once\n", linear, linear == 1 ? "" : "s");
  }
  for (int i = 0; i < program->loop_count; i++) {
    sb_text_put(out, "nonlinear loop, solved in every evaluation: ");
    list_members(model, &program->loops[i], false, out);
    sb_text_put(out, "\n");
  }
}

static void list_rings_json(const sb_model *model, sb_text *out) {
  const sb_causality *causality = &model->program->causality;
  for (int i = 0; i < causality->scc_count; i++) {
    const sb_redundant_loop *scc = &causality->sccs[i];
    sb_text_put(out, "%s{\"variable\": \"%s\", \"ids\": [", i > 0 ? ", " : "",
                scc->effort ? "effort" : "flow");
    list_names(model, causality->redundant_instances + scc->first, scc->count, true, out);
    sb_text_put(out, "]}");
  }
}

static void list_redundant_loops(const sb_model *model, sb_text *out) {
  const sb_causality *causality = &model->program->causality;
  for (int i = 0; i < causality->scc_count; i++) {
    const sb_redundant_loop *scc = &causality->sccs[i];
    sb_text_put(out, "redundant: ");
    list_names(model, causality->redundant_instances + scc->first, scc->count, false, out);
    sb_text_put(out, " state one constraint twice; the %s that may go round there is the least\n",
                scc->effort ? "effort" : "flow");
  }
}

/** "C1.q", or "L.p.2" of a vector. */
static void name_state(const sb_model *model, int state, char name[340]) {
  const sb_instance *instance = &model->network.instances[sb_owner_of(&model->network, state)];
  char base[300];
  (void)sb_network_state_name(&model->network, state, base);
  bool many = !sb_instance_names_states(instance) && instance->layout.states > 1;
  (void)snprintf(name, 340, many ? "%s.%d" : "%s", base, state - instance->state);
}

static const char *state_unit(const sb_model *model, int state, sb_quantity *quantity) {
  char name[300];
  sb_error err;
  (void)sb_network_state_name(&model->network, state, name);
  return sb_network_find(&model->network, name, quantity, &err) == SB_OK ? quantity->unit : "";
}

static void list_casimirs_json(const sb_model *model, const sb_nullspace *casimirs, sb_text *out) {
  char number[SB_NUMBER_SIZE], name[340];
  sb_quantity quantity;
  for (int k = 0; k < casimirs->count; k++) {
    const sb_term *terms = casimirs->terms + casimirs->first[k];
    sb_text_put(out, "%s\n  {\"terms\": [", k > 0 ? "," : "");
    for (int i = 0; i < casimirs->first[k + 1] - casimirs->first[k]; i++) {
      name_state(model, terms[i].var, name);
      sb_text_put(out, i > 0 ? ", {\"state\": " : "{\"state\": ");
      put_quoted(out, name);
      (void)sb_number_format_json(terms[i].factor, number, sizeof number);
      sb_text_put(out, ", \"factor\": %s}", number);
    }
    sb_text_put(out, "], \"unit\": ");
    put_quoted(out, state_unit(model, terms[0].var, &quantity));
    sb_text_put(out, "}");
  }
}

/** "C1.q - 2 C2.q". */
static void put_casimir(const sb_model *model, const sb_term terms[], int count, sb_text *out) {
  char name[340];
  for (int i = 0; i < count && i < TERMS_SHOWN; i++) {
    double size = fabs(terms[i].factor);
    bool minus = terms[i].factor < 0;
    name_state(model, terms[i].var, name);
    sb_text_put(out, "%s", i == 0 ? minus ? "-" : "" : minus ? " - " : " + ");
    if (size != 1) {
      sb_text_put(out, "%s ", sb_number_word(size).text);
    }
    sb_text_put(out, "%s", name);
  }
  if (count > TERMS_SHOWN) {
    sb_text_put(out, " + ... (%d terms)", count);
  }
}

static void list_casimirs(const sb_model *model, const sb_nullspace *casimirs, sb_text *out) {
  sb_quantity quantity;
  if (casimirs->count > 0) {
    sb_text_put(out, "%d conserved, whatever the energies and laws are%s:\n", casimirs->count,
                model->network.mode_count > 0 ? ", in the modes at the start" : "");
  }
  for (int k = 0; k < casimirs->count && k < CASIMIRS_SHOWN; k++) {
    const sb_term *terms = casimirs->terms + casimirs->first[k];
    const char *unit = state_unit(model, terms[0].var, &quantity);
    sb_text_put(out, "  ");
    put_casimir(model, terms, casimirs->first[k + 1] - casimirs->first[k], out);
    sb_text_put(out, unit[0] == '\0' ? "\n" : " [%s]\n", unit);
  }
  if (casimirs->count > CASIMIRS_SHOWN) {
    sb_text_put(out, "  and %d more (all by --json)\n", casimirs->count - CASIMIRS_SHOWN);
  }
}

/** What a nonlinear loop has against the start, where it is known before a run. */
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

static void describe_json(const sb_model *model, const sb_nullspace *casimirs, sb_text *t) {
  sb_text_put(t, "{\"model\": ");
  put_quoted(t, model->network.name);
  sb_text_put(t, ", \"states\": %d, \"integrals\": %d, \"bonds\": %d, \"elements\": [",
              model->network.state_count - model->program->causality.constraint_count -
                  count_singular(model),
              model->network.quadrature_count, model->network.pair_count);
  for (int i = 0; i < model->network.instance_count; i++) {
    const sb_instance *instance = &model->network.instances[i];
    sb_text_put(t, "%s\n  {\"id\": ", i == 0 ? "" : ",");
    put_quoted(t, instance->id);
    sb_text_put(
        t,
        ", \"kind\": \"%s\", \"role\": \"%s\", \"states\": %d, \"linear\": %s, \"output\": \"%s\"}",
        instance->type->name, role_names[instance->type->role], instance->layout.states,
        instance->linear ? "true" : "false",
        instance->layout.port_count > 0 ? output_name(model, i, 0) : "");
  }
  sb_text_put(t, "],\n \"dependent_storages\": [");
  list_ties_json(model, t);
  sb_text_put(t, "],\n \"singular_storages\": [");
  for (int i = 0, listed = 0; i < model->network.instance_count; i++) {
    if (model->network.instances[i].inverse != NULL) {
      sb_text_put(t, listed++ > 0 ? ", " : "");
      put_quoted(t, model->network.instances[i].id);
    }
  }
  sb_text_put(t, "],\n \"index\": %d, \"linear_loops\": %d, \"nonlinear_loops\": [",
              index_of(model), model->program->causality.loop_count);
  list_loops_json(model, t);
  sb_error err;
  sb_text_put(t, "],\n \"start\": ");
  if (find_failure(model, 0, &err)) {
    put_quoted(t, err.text);
  } else {
    sb_text_put(t, "null");
  }
  sb_text_put(t, ",\n \"redundant\": [");
  list_rings_json(model, t);
  sb_text_put(t, "],\n \"casimirs\": ");
  if (casimirs == NULL) {
    sb_text_put(t, "null}\n");
    return;
  }
  sb_text_put(t, "[");
  list_casimirs_json(model, casimirs, t);
  sb_text_put(t, "]}\n");
}

static void describe_text(const sb_model *model, const sb_nullspace *casimirs, sb_text *t) {
  int counts[5] = {0};
  for (int i = 0; i < model->network.instance_count; i++) {
    counts[model->network.instances[i].type->role]++;
  }
  sb_text_put(t, "%s: %d elements (%d storages, %d dissipations, %d sources, %d structures",
              model->network.name, model->network.instance_count, counts[0], counts[1], counts[2],
              counts[3]);
  sb_text_put(t, counts[4] > 0 ? ", %d signals)\n" : ")\n", counts[4]);
  int constrained = model->program->causality.constraint_count + count_singular(model);
  int independent = model->network.state_count - constrained;
  sb_text_put(t, "%d state%s%s; %d integral%s in the ledger\n", independent,
              independent == 1 ? "" : "s", constrained == 0 ? ", all in integral causality" : "",
              model->network.quadrature_count, model->network.quadrature_count == 1 ? "" : "s");
  if (constrained > 0) {
    sb_text_put(t, "%d dependent storage%s:\n", constrained, constrained == 1 ? "" : "s");
  }
  list_constraints(model, t);
  list_singular(model, t);
  sb_text_put(t, "structural index %d\n", index_of(model));
  list_loops(model, t);
  sb_error err;
  if (find_failure(model, 0, &err)) {
    sb_text_put(t, "cannot start: %s\n", err.text);
  }
  list_redundant_loops(model, t);
  if (casimirs != NULL) {
    list_casimirs(model, casimirs, t);
  } else {
    sb_text_put(t,
                "conserved quantities: given up, the network is too entangled (limit: %d terms)\n",
                SB_NULLSPACE_WORK_LEAST + SB_NULLSPACE_WORK * sb_known_base(&model->network));
  }
  sb_text_put(t, "\n");
  sb_text_put(t, "%-28s %-16s %-12s %7s  %s\n", "element", "kind", "role", "states", "gives");
  for (int i = 0; i < model->network.instance_count; i++) {
    const sb_instance *instance = &model->network.instances[i];
    sb_text_put(t, "%-28s %-16s %-12s %7d  %s\n", instance->id, instance->type->name,
                role_names[instance->type->role], instance->layout.states,
                instance->layout.port_count > 0 ? output_name(model, i, 0) : "");
  }
}

char *sb_model_describe(const sb_model *model, bool json) {
  sb_text t = {0};
  sb_nullspace casimirs;
  sb_status status = sb_casimirs_find(model, &casimirs);
  t.failed = status == SB_ERR_MEMORY;
  (json ? describe_json : describe_text)(model, status == SB_OK ? &casimirs : NULL, &t);
  sb_nullspace_finish(&casimirs);
  if (t.failed) {
    free(t.bytes);
    return NULL;
  }
  return t.bytes;
}
