// SPDX-License-Identifier: GPL-3.0-or-later
// Constraints in the description of a model: dependent storages, algebraic variables, and what is stated twice.
#include <math.h>

#include "core/analysis/dependence_private.h"
#include "core/analysis/describe_private.h"
#include "core/base/number.h"
#include "core/causality/constraint.h"
#include "core/graph/domain.h"

/** What both together are, in the unit of its parameter: q/e of a C, p/f of an I. */
static void put_effective(sb_description *d, const sb_dependence *storage) {
  const sb_instance *other = &d->network->instances[storage->others[0]];
  const sb_port *port = &other->layout.ports[0];
  const sb_domain *domain = port->domain == NULL ? NULL : sb_domain_find(port->domain);
  const char *unit = domain == NULL            ? NULL
                     : port->output == SB_FLOW ? domain->inertia
                                               : domain->compliance;
  sb_text_put(&d->t, "; together they act as %s with %s%s%s", other->id,
              sb_number_word(storage->effective).text, unit != NULL ? " " : "",
              unit != NULL ? unit : "");
}

void sb_description_dependent(sb_description *d) {
  const sb_causality *causality = &d->program->causality;
  for (int i = 0, listed = 0; i < causality->constraint_count; i++) {
    if (causality->constraints[i].determines || d->redundant[i].implied) {
      continue;
    }
    sb_dependence storage = sb_dependence_of(d->model, &causality->constraints[i], d->seen);
    sb_description_put(d, listed++ > 0 ? ", {\"id\": " : "{\"id\": ", "  ");
    sb_description_ids(d, &storage.dependent, 1);
    sb_description_put(d, ", \"follows\": [", storage.other_count > 0 ? " follows " : " follows");
    sb_description_ids(d, storage.others, storage.other_count);
    sb_description_put(d, "], \"through\": [", storage.through_count > 0 ? " through " : "");
    sb_description_ids(d, storage.through, storage.through_count);
    if (d->json) {
      sb_text_put(&d->t, "], \"effective\": ");
      sb_description_number(d, storage.effective);
    } else if (!isnan(storage.effective)) {
      put_effective(d, &storage);
    }
    sb_description_put(d, "}", "\n");
  }
}

/** Variables that no storage determines, by the junction or element that the structure reads them from. */
void sb_description_algebraics(sb_description *d) {
  const sb_causality *causality = &d->program->causality;
  for (int i = 0; i < causality->algebraic_count; i++) {
    const sb_algebraic *own = &causality->algebraics[i];
    const char *variable = own->var % 2 == 0 ? "effort" : "flow";
    sb_description_put(d, i > 0 ? ", {\"id\": " : "{\"id\": ", "");
    sb_description_ids(d, &own->instance, 1);
    sb_text_put(&d->t,
                d->json ? ", \"port\": \"%s\", \"variable\": \"%s\"}"
                        : ".%s: its %s follows from constraints alone, as no storage is there\n",
                sb_algebraic_port(d->network, own), variable);
  }
}

/** Loops of junctions; returns how many. */
static int put_redundant_loops(sb_description *d) {
  const sb_causality *causality = &d->program->causality;
  for (int i = 0; i < causality->redundant_loop_count; i++) {
    const sb_redundant_loop *loop = &causality->redundant_loops[i];
    const char *variable = loop->effort ? "effort" : "flow";
    if (d->json) {
      sb_text_put(&d->t, "%s{\"variable\": \"%s\", \"ids\": [", i > 0 ? ", " : "", variable);
    } else {
      sb_text_put(&d->t, "redundant constraint: ");
    }
    sb_description_ids(d, causality->redundant_instances + loop->first, loop->count);
    if (d->json) {
      sb_text_put(&d->t, "]}");
    } else {
      sb_text_put(
          &d->t,
          " state one constraint twice; of the %ss that may circulate there the smallest is "
          "taken\n",
          variable);
    }
  }
  return causality->redundant_loop_count;
}

/** The elements that the constraints of a group lead through, or else at which they are. */
static void list_group(const sb_description *d, int group, sb_dependence *all) {
  const sb_causality *causality = &d->program->causality;
  for (int i = 0; i < causality->constraint_count; i++) {
    if (d->redundant[i].group == group) {
      sb_dependence_through(d->model, &causality->constraints[i], d->seen, all);
    }
  }
}

/** Constraints that imply each other at the start. */
static void put_redundant_constraints(sb_description *d, int listed) {
  const int all = d->program->causality.constraint_count;
  for (int i = 0, last = -1; i < all; i++) {
    int group = d->redundant[i].group, implied = 0;
    if (!d->redundant[i].implied || group == last) {
      continue;
    }
    sb_dependence elements = {.dependent = -1};
    last = group;
    list_group(d, group, &elements);
    for (int k = 0; k < all; k++) {
      implied += d->redundant[k].implied && d->redundant[k].group == group;
    }
    if (d->json) {
      sb_text_put(&d->t, "%s{\"variable\": \"multiplier\", \"ids\": [", listed++ > 0 ? ", " : "");
    } else {
      sb_text_put(&d->t, "redundant constraint%s: ", implied > 1 ? "s" : "");
    }
    sb_description_ids(d, elements.through, elements.through_count);
    if (d->json) {
      sb_text_put(&d->t, "]}");
    } else {
      sb_text_put(&d->t,
                  " state %d constraint%s twice at the start; they share what they do together\n",
                  implied, implied > 1 ? "s" : "");
    }
  }
}

void sb_description_redundant(sb_description *d) {
  put_redundant_constraints(d, put_redundant_loops(d));
}
