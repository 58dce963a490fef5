// SPDX-License-Identifier: GPL-3.0-or-later
// Which variable a law of indifferent causality reads, where the network leaves that open. What the network gives its port is a
// line, e = E - Z f, and the law crosses it once. A law that reads the flow is given u = (E - e)/Z, one that reads the effort
// u = E - Z f: with Z -> 0 the first is a small difference divided by next to nothing, with Z -> infinity the second, where E is Z
// times a flow. Either way what comes back to the law through the line is its loop gain, and the two gains are each other's
// reciprocal: a law that amplifies what comes back reads the other variable. The slope is that at zero, so that the choice is one
// of the parameters, whatever the units.
#include <math.h>

#include "core/causality/assign_private.h"

/** The slope at zero of a law that no signal changes; 0: it is not known. */
static double slope_at_zero(const sb_instance *instance, sb_variable assigned) {
  const sb_dissipation_hooks *law = instance->type->dissipation;
  if (law == NULL || law->slope == NULL || instance->components != 1 ||
      instance->layout.wires > 0) {
    return 0;
  }
  const double zero = 0;
  const sb_at at = {.in = &zero, .dim = 1, .assigned = assigned};
  const double slope = law->slope(instance->self, &at, assigned);
  return isnan(slope) ? 0 : fabs(slope);
}

/** d(input)/d(output) of a law through rows alone. @param along  scratch (all variables), zero, and left so */
static double slope_of_line(const sb_network *network, const sb_causality *causality, int index,
                            double along[]) {
  const sb_instance *instance = &network->instances[index];
  const int output = sb_value_var(network, instance->out);
  const int base = sb_known_base(network);
  along[output] = 1;
  for (int i = 0; i < base; i++) {
    const int var = causality->order[i];
    for (int k = 0; k < causality->count[var]; k++) {
      const sb_term term = causality->terms[causality->first[var] + k];
      along[var] += term.factor * along[term.var];
    }
  }
  const double slope =
      along[sb_reads_flow(network, causality, index, 0) ? sb_flow_var(instance, 0)
                                                        : sb_effort_var(instance, 0)];
  along[output] = 0;
  for (int var = 0; var < base; var++) {
    along[var] = 0;
  }
  return fabs(slope);
}

bool sb_causality_prefer(const sb_network *network, sb_causality *causality, bool *changed) {
  sb_arena memory = {0};
  double *along = sb_arena_zeroed(
      &memory, sb_value_var(network, sb_fixed_values(network, causality)), sizeof *along);
  *changed = false;
  for (int i = 0; along != NULL && i < network->instance_count; i++) {
    const double slope =
        causality->open[i] ? slope_at_zero(&network->instances[i], causality->assigned[i]) : 0;
    if (slope > 0 && slope * slope_of_line(network, causality, i, along) > 1) {
      causality->turned[i] = 1;
      *changed = true;
    }
  }
  sb_arena_finish(&memory);
  return along != NULL;
}
