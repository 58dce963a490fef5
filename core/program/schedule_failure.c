// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of a network that cannot be put into an order: loops that are not solved for, constraints that
// nothing enforces.
#include "core/causality/constraint.h"
#include "core/program/schedule_private.h"

/** Instances of a component, each once, as many as are named and one more.
 *  @param constraints  out: whether it has any  @return how many */
static int list_instances(const sb_schedule *s, const sb_scc *scc, int instances[],
                          bool *constraints) {
  int count = 0;
  *constraints = false;
  for (int i = 0; i < scc->count; i++) {
    const sb_op *op = sb_schedule_op(s, s->members[scc->first + i]);
    *constraints = *constraints || (op != NULL && sb_operation_is_condition(op->kind));
    bool listed = op == NULL || sb_operations[op->kind].row || count > SB_INSTANCES_NAMED;
    for (int k = 0; !listed && k < count; k++) {
      listed = instances[k] == op->instance;
    }
    if (!listed) {
      instances[count++] = op->instance;
    }
  }
  return count;
}

void sb_schedule_report_ratios(const sb_schedule *s, int algebraic) {
  const sb_instance *reader = &s->network->instances[s->causality->algebraics[algebraic].instance];
  sb_error err;
  sb_fail(&err, SB_ERR_LOOP,
          "what '%s' reads follows from constraints alone, and the ratios of these depend on it",
          reader->id);
  sb_error_hint(&err, "a storage (I or C) at '%s.%s' lets it follow from a state", reader->id,
                sb_algebraic_port(s->network, &s->causality->algebraics[algebraic]));
  sb_instance_error(reader, &err, s->errors);
}

void sb_schedule_report_loop(const sb_schedule *s, const sb_scc *scc) {
  char names[SB_INSTANCES_TEXT];
  int instances[SB_INSTANCES_NAMED + 1] = {0};
  bool constraints;
  const int count = list_instances(s, scc, instances, &constraints);
  sb_error err;
  sb_instances_name(s->network, instances, count, names);
  sb_fail(&err, SB_ERR_LOOP,
          "algebraic loop through %s: each needs the output of the others, and more than %d "
          "unknowns would have to be solved for together",
          names, SB_LOOP_MAX);
  sb_error_hint(&err,
                constraints
                    ? "storages depend on each other through ratios that change (derivative "
                      "causality): a spring (C) or an R between two of them makes them independent"
                    : "a small storage (C or I) between them breaks the loop");
  sb_instance_error(&s->network->instances[instances[count - 1]], &err, s->errors);
}

void sb_schedule_report_constraint(const sb_schedule *s, const sb_op *op) {
  const sb_causality *c = s->causality;
  int instance = op->kind == SB_OP_BALANCE ? c->algebraics[op->instance].instance
                                           : c->constraints[op->instance].where;
  const sb_instance *where = &s->network->instances[instance];
  sb_error err;
  sb_fail(&err, SB_ERR_CAUSALITY,
          "the storages at '%s' are to depend on each other, but no constraint force there can "
          "enforce it",
          where->id);
  sb_error_hint(&err,
                "none changes their rates (derivative causality): check the bonds around '%s'",
                where->id);
  sb_instance_error(where, &err, s->errors);
}
