// SPDX-License-Identifier: GPL-3.0-or-later
// Names for what a model knows: "C1.e", "gear.to.f", "C1.q", "grey.position", "ball.energy".
#include <stdio.h>
#include <string.h>

#include "core/base/nearest.h"
#include "core/graph/domain.h"
#include "core/network/junctions_private.h"
#include "core/network/roles.h"

static const char *state_name(const sb_instance *instance, int state) {
  static const char *const names[2][SB_HESSIAN_MAX] = {
      {"q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8"},
      {"p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"}};
  if (instance->type->state_names != NULL) {
    return instance->type->state_names[state];
  }
  if (sb_instance_is_field(instance)) {
    return names[instance->layout.ports[state].output == SB_FLOW][state];
  }
  return instance->layout.ports[0].output == SB_FLOW ? "p" : "q";
}

static void set_unit(sb_quantity *quantity, const char *unit) {
  (void)snprintf(quantity->unit, sizeof quantity->unit, "%s", unit == NULL ? "" : unit);
}

static void port_unit(sb_quantity *q, const sb_instance *instance, int port, sb_quantity_kind kind,
                      bool integral) {
  const sb_domain *domain = instance->layout.ports[port].domain == NULL
                                ? NULL
                                : sb_domain_find(instance->layout.ports[port].domain);
  if (domain != NULL && domain->effort == NULL && !integral) {
    set_unit(q, kind == SB_QUANTITY_EFFORT ? domain->efforts : domain->flows);
  } else if (domain != NULL) {
    set_unit(q, integral ? (kind == SB_QUANTITY_EFFORT ? domain->momentum : domain->displacement)
                         : (kind == SB_QUANTITY_EFFORT ? domain->effort : domain->flow));
  }
}

/** "e" or "f" of the only port, or "port.e". */
static bool find_port_variable(const sb_instance *instance, const char *name, sb_quantity *q) {
  size_t length = strlen(name);
  char last = length == 0 ? '\0' : name[length - 1];
  int port = -1;
  if (last != 'e' && last != 'f') {
    return false;
  }
  if (length == 1 && instance->layout.port_count >= 1 &&
      (sb_port_count(instance->type->ports, false) == 1 || instance->type->ports[0].many) &&
      sb_junction_has(instance, last)) {
    port = 0;
  }
  for (int i = 0; length > 2 && instance->type->ports != NULL && !instance->type->ports[0].many &&
                  i < instance->layout.port_count;
       i++) {
    const char *spec = instance->type->ports[i].name;
    if (name[length - 2] == '.' && strlen(spec) == length - 2 &&
        strncmp(spec, name, length - 2) == 0) {
      port = i;
    }
  }
  if (port < 0) {
    return false;
  }
  q->kind = last == 'e' ? SB_QUANTITY_EFFORT : SB_QUANTITY_FLOW;
  q->first = instance->first[port];
  q->count = instance->layout.ports[port].dim;
  if (q->count == 0) { // nothing is joined there
    return false;
  }
  port_unit(q, instance, port, q->kind, false);
  return true;
}

/** Whether a state is one of the four numbers of a quaternion, whose errors count as angles though it is a pure number. */
static bool in_quaternion(const sb_instance *instance, int state) {
  const int *vectors = instance->type->state_vectors;
  int end = 0;
  for (; vectors != NULL && *vectors > 0; vectors++) {
    end += *vectors;
    if (state < end) {
      return *vectors == 4 && strcmp(instance->layout.state_units[state], "rad") == 0;
    }
  }
  return false;
}

static bool find_state(const sb_instance *instance, const char *name, sb_quantity *q) {
  bool named = sb_instance_names_states(instance);
  for (int i = 0; i < instance->layout.states; i++) {
    if (strcmp(state_name(instance, i), name) == 0) {
      q->kind = SB_QUANTITY_STATE;
      q->first = i;
      q->count = named ? 1 : instance->layout.states;
      bool of_port = named && instance->layout.states == instance->components;
      if (!named || of_port) { // the integral of the port's input
        int port = of_port ? sb_port_of(instance, i) : 0;
        port_unit(q, instance, port,
                  instance->layout.ports[port].output == SB_FLOW ? SB_QUANTITY_EFFORT
                                                                 : SB_QUANTITY_FLOW,
                  true);
      }
      if (q->count == 1 && instance->layout.state_units != NULL && !in_quaternion(instance, i)) {
        set_unit(q, instance->layout.state_units[i]);
      }
      return true;
    }
  }
  return false;
}

/** The unit of a port variable as "@f2/f1" has it: f2. */
static const char *variable_unit(const sb_instance *instance, const char *at) {
  const char *name = instance->layout.ports[at[1] - '1'].domain;
  const sb_domain *domain = name == NULL ? NULL : sb_domain_find(name);
  return domain == NULL ? NULL : at[0] == 'e' ? domain->effort : domain->flow;
}

/** The unit of a ratio, "@f2/f1" or "@e2/f1". */
static void ratio_unit(sb_quantity *q, const sb_instance *instance, const char *formula) {
  const char *above = variable_unit(instance, formula + 1),
             *below = variable_unit(instance, formula + 4);
  if (above != NULL && below != NULL && strcmp(above, below) != 0) {
    (void)snprintf(q->unit, sizeof q->unit, "(%s)/(%s)", above, below);
  }
}

/** Energy, power and losses of an element with its parts. */
static bool find_energy(const sb_instance *instance, const char *name, sb_quantity *q) {
  const sb_element_type *type = instance->type;
  bool composite = instance->part_count > 0, storage = type->storage != NULL;
  const struct {
    const char *name, *unit;
    sb_quantity_kind kind;
    bool has;
  } rows[] = {{"energy", "J", SB_QUANTITY_ENERGY, composite || storage},
              {"power", "W", SB_QUANTITY_POWER, composite || sb_roles[type->role].powered},
              {"lost", "J", SB_QUANTITY_LOST, composite || type->dissipation != NULL}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].has && strcmp(rows[i].name, name) == 0) {
      q->kind = rows[i].kind;
      q->count = 1;
      set_unit(q, rows[i].unit);
      return true;
    }
  }
  return false;
}

static bool find_in_instance(const sb_instance *instance, const char *name, sb_quantity *q) {
  const sb_quantity_spec *specs = instance->type->measures.quantities;
  for (int i = 0; specs != NULL && specs[i].name != NULL; i++) {
    if (strcmp(specs[i].name, name) == 0) {
      q->kind = SB_QUANTITY_MEASURE;
      q->first = i;
      q->count = specs[i].count;
      const char *unit = instance->type->measures.unit != NULL
                             ? instance->type->measures.unit(instance->self, i)
                             : specs[i].unit;
      if (unit != NULL && unit[0] == '@') {
        ratio_unit(q, instance, unit);
      } else {
        set_unit(q, unit);
      }
      return true;
    }
  }
  const sb_quantity_spec *integral = instance->type->measures.integral;
  if (integral != NULL && strcmp(integral->name, name) == 0) {
    q->kind = SB_QUANTITY_INTEGRAL;
    q->count = 1;
    set_unit(q, integral->unit);
    return true;
  }
  return find_energy(instance, name, q) || find_state(instance, name, q) ||
         find_port_variable(instance, name, q);
}

/** What a composite has from one of its parts, if it has that part. */
static const sb_part_quantity *find_of_parts(const sb_network *network, sb_quantity *q,
                                             const char *name) {
  const sb_instance *composite = &network->instances[q->element];
  const sb_part_quantity *row = composite->type->measures.of_parts;
  while (row != NULL && row->name != NULL && strcmp(row->name, name) != 0) {
    row++;
  }
  for (int i = 1; row != NULL && row->name != NULL && i <= composite->part_count; i++) {
    if (strcmp(composite[i].id + strlen(composite->id) + 1, row->part) == 0) {
      q->element += i;
      return row;
    }
  }
  return NULL;
}

/** Ends a message about a quantity by the name that was meant, or by all that there are. */
static void hint_names(const sb_suggestion *names, sb_error *err) {
  if (names->best[0] != '\0') {
    sb_error_hint(err, "did you mean '%s'?", names->best);
  } else if (names->used > 0) {
    sb_error_hint(err, "it has: %s", names->all);
  }
}

/** The quantities of a part of an element, which has them as "PART.QUANTITY". */
static void list_names_of_part(const sb_instance *instance, const char *part, size_t length,
                               const char *wanted, sb_error *err) {
  const sb_quantity_spec *specs = instance->type->measures.quantities;
  sb_suggestion names = sb_suggestion_start(wanted);
  for (int i = 0; specs != NULL && specs[i].name != NULL; i++) {
    if (strncmp(specs[i].name, part, length) == 0 && specs[i].name[length] == '.') {
      (void)sb_suggestion_offer(&names, specs[i].name + length + 1);
    }
  }
  for (int i = 0; i < instance->layout.states;
       i++) { // the coordinate of a joint, but no components
    const char *state = state_name(instance, i);
    if (strncmp(state, part, length) == 0 && state[length] == '.' &&
        strchr(state + length + 1, '.') == NULL) {
      (void)sb_suggestion_offer(&names, state + length + 1);
    }
  }
  hint_names(&names, err);
}

/** Quantities that the kind itself states, and those that a composite has from its parts. */
static void offer_measures(const sb_network *network, int index, sb_suggestion *names) {
  const sb_measures *measures = &network->instances[index].type->measures;
  const sb_part_quantity *of_part = measures->of_parts;
  if (measures->quantities != NULL) {
    sb_suggestion_offer_rows(names, measures->quantities, sizeof *measures->quantities);
  }
  for (; of_part != NULL && of_part->name != NULL; of_part++) {
    sb_quantity q = {.element = index};
    if (find_of_parts(network, &q, of_part->name) != NULL) {
      (void)sb_suggestion_offer(names, of_part->name);
    }
  }
  (void)sb_suggestion_offer(names, measures->integral == NULL ? NULL : measures->integral->name);
}

static void list_names(const sb_network *network, int index, const char *wanted, sb_error *err) {
  static const char *const of_composite[] = {"energy", "power", "lost", NULL};
  const sb_instance *instance = &network->instances[index];
  sb_suggestion names = sb_suggestion_start(wanted);
  const char *const *of_role =
      instance->part_count > 0 ? of_composite : sb_roles[instance->type->role].quantities;
  offer_measures(network, index, &names);
  if (instance->type->signal != NULL) {
    (void)sb_suggestion_offer(&names, "value");
    hint_names(&names, err);
    return;
  }
  sb_suggestion_offer_rows(&names, of_role, sizeof *of_role);
  const sb_port_spec *specs = instance->type->ports;
  const bool one = instance->layout.port_count == 1 || specs[0].many;
  const char common = specs[0].many ? specs[0].common : '\0';
  (void)sb_suggestion_offer(&names, common == 'f' ? NULL : one ? "e" : "PORT.e");
  (void)sb_suggestion_offer(&names, common == 'e' ? NULL : one ? "f" : "PORT.f");
  const bool named = sb_instance_names_states(instance); // else one name is that of all
  for (int i = 0; i < instance->layout.states && (named || i == 0); i++) {
    (void)sb_suggestion_offer(&names, state_name(instance, i));
  }
  hint_names(&names, err);
}

/** A quantity by its name, without axes. */
static sb_status find_quantity(const sb_network *network, const char *name, sb_quantity *q,
                               sb_error *err) {
  const char *dot = strchr(name, '.');
  size_t length = dot == NULL ? strlen(name) : (size_t)(dot - name);
  *q = (sb_quantity){.element = sb_names_find(&network->names, name, length)};
  bool part = q->element < 0;
  q->element = part ? sb_names_find(&network->aliases, name, length) : q->element;
  if (q->element < 0) {
    return sb_fail(err, SB_ERR_REFERENCE, "there is no element '%.*s'", (int)length, name);
  }
  const sb_instance *instance = &network->instances[q->element];
  const char *quantity = part                             ? name
                         : dot != NULL                    ? dot + 1
                         : instance->type->signal != NULL ? "value"
                                                          : "";
  const sb_part_quantity *of_part = find_of_parts(network, q, quantity);
  quantity = of_part == NULL ? quantity : of_part->quantity;
  if (!find_in_instance(&network->instances[q->element], quantity, q)) {
    if (sb_junction_is_asked(&network->instances[q->element], quantity)) {
      return sb_junction_fail(network, q->element, quantity[0], err);
    }
    if (part && dot != NULL) {
      (void)sb_fail(err, SB_ERR_REFERENCE, "'%.*s' has no quantity '%s'", (int)length, name,
                    dot + 1);
      list_names_of_part(instance, name, length, dot + 1, err);
    } else {
      (void)sb_fail(err, SB_ERR_REFERENCE, "%s '%s' has no quantity '%s'", instance->type->name,
                    instance->id, quantity);
      list_names(network, q->element, quantity, err);
    }
    return SB_ERR_REFERENCE;
  }
  return SB_OK;
}

/** With axes, but all of its numbers. */
static sb_status find_whole(const sb_network *network, const char *name, sb_quantity *q,
                            sb_error *err) {
  const char *axes = sb_quantity_axes(name);
  char whole[600];
  if (axes == NULL || (size_t)(axes - name) >= sizeof whole) {
    return find_quantity(network, name, q, err);
  }
  (void)snprintf(whole, sizeof whole, "%.*s", (int)(axes - name), name);
  SB_TRY(find_quantity(network, whole, q, err));
  return sb_quantity_turn(network, name, q, err);
}

/** One number of a quantity, by the name that it has in results: velocity.x, q.0. */
static bool find_component(const sb_network *network, const char *name, sb_quantity *q) {
  const char *dot = strrchr(name, '.');
  char whole[600], unit[64];
  if (dot == NULL || (size_t)(dot - name) >= sizeof whole) {
    return false;
  }
  (void)snprintf(whole, sizeof whole, "%.*s", (int)(dot - name), name);
  if (find_whole(network, whole, q, NULL) != SB_OK || q->count == 1) {
    return false;
  }
  for (int k = 0; k < q->count && q->count <= SB_QUANTITY_COMPONENTS_MAX; k++) {
    char end[32];
    sb_component_name(end, sizeof end, "", k, q->count);
    if (strcmp(end, dot) == 0) {
      q->only = k + 1;
      q->of = q->count;
      q->count = 1;
      (void)snprintf(q->unit, sizeof q->unit, "%s", sb_unit_of_component(q->unit, k, unit));
      return true;
    }
  }
  return false;
}

/** Where a name is that of a quantity with something behind, "grey.position.w": says which components that has. */
static bool fail_component(const sb_network *network, const char *name, sb_error *err) {
  const char *dot = strrchr(name, '.');
  char whole[600];
  sb_quantity q;
  if (dot == NULL || (size_t)(dot - name) >= sizeof whole) {
    return false;
  }
  (void)snprintf(whole, sizeof whole, "%.*s", (int)(dot - name), name);
  if (strchr(whole, '.') == NULL || find_whole(network, whole, &q, NULL) != SB_OK) {
    return false;
  }
  (void)sb_component_find(name, dot, q.count, err);
  if (err != NULL) {
    err->status = SB_ERR_REFERENCE; // as of other names that there are not
  }
  return true;
}

sb_status sb_network_find(const sb_network *network, const char *name, sb_quantity *q,
                          sb_error *err) {
  sb_quantity component;
  const sb_status status = find_whole(network, name, q, NULL);
  if (status == SB_OK) {
    return SB_OK;
  }
  if (find_component(network, name, &component)) {
    *q = component;
    return SB_OK;
  }
  if (!fail_component(network, name, err)) {
    return find_whole(network, name, q, err);
  }
  return SB_ERR_REFERENCE;
}

const char *sb_network_state_unit(const sb_network *network, int state) {
  const sb_instance *instance = &network->instances[sb_owner_of(network, state)];
  int own = state - instance->state;
  if (instance->layout.state_units != NULL || instance->layout.states != instance->components) {
    return instance->layout.state_units == NULL ? NULL : instance->layout.state_units[own];
  }
  const sb_port *port = &instance->layout.ports[sb_port_of(instance, own)];
  const sb_domain *domain = port->domain == NULL ? NULL : sb_domain_find(port->domain);
  return domain == NULL ? NULL : port->output == SB_FLOW ? domain->momentum : domain->displacement;
}

const char *sb_network_state_name(const sb_network *network, int state, char name[300]) {
  const sb_instance *instance = &network->instances[sb_owner_of(network, state)];
  (void)snprintf(name, 300, "%s.%s", instance->id, state_name(instance, state - instance->state));
  return name;
}
