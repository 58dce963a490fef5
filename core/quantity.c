// SPDX-License-Identifier: GPL-3.0-or-later
// Names for what a model knows: "C1.e", "gear.to.f", "C1.q", "grey.position", "ball.energy".
#include <stdio.h>
#include <string.h>

#include "core/domain.h"
#include "core/simulation_private.h"

enum { EFFORT, FLOW, STATE, MEASURE, ENERGY, POWER };

static const char *state_name(const sb_part *part, int state) {
  static const char *const names[2][SB_STIFFNESS_MAX] = {
      {"q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8"},
      {"p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"}};
  if (part->type->state_names != NULL) {
    return part->type->state_names[state];
  }
  if (sb_part_is_field(part)) {
    return names[part->layout.ports[state].output == SB_FLOW][state];
  }
  return part->layout.ports[0].output == SB_FLOW ? "p" : "q";
}

static void set_unit(sb_quantity *quantity, const char *unit) {
  (void)snprintf(quantity->unit, sizeof quantity->unit, "%s", unit == NULL ? "" : unit);
}

static void port_unit(sb_quantity *q, const sb_part *part, int port, int kind, bool integral) {
  const sb_domain *domain = part->layout.ports[port].domain == NULL
                                ? NULL
                                : sb_domain_find(part->layout.ports[port].domain);
  if (domain != NULL) {
    set_unit(q, integral ? (kind == EFFORT ? domain->momentum : domain->displacement)
                         : (kind == EFFORT ? domain->effort : domain->flow));
  }
}

/** "e" or "f" of the only port, or "port.e". */
static bool find_port_variable(const sb_part *part, const char *name, sb_quantity *q) {
  size_t length = strlen(name);
  char last = length == 0 ? '\0' : name[length - 1];
  int port = -1;
  if (last != 'e' && last != 'f') {
    return false;
  }
  if (length == 1 && part->layout.port_count >= 1 &&
      (sb_port_count(part->type->ports, false) == 1 || part->type->ports[0].many)) {
    port = 0;
  }
  for (int i = 0; length > 2 && part->type->ports != NULL && !part->type->ports[0].many &&
                  i < part->layout.port_count;
       i++) {
    const char *spec = part->type->ports[i].name;
    if (name[length - 2] == '.' && strlen(spec) == length - 2 &&
        strncmp(spec, name, length - 2) == 0) {
      port = i;
    }
  }
  if (port < 0) {
    return false;
  }
  q->kind = last == 'e' ? EFFORT : FLOW;
  q->first = part->first[port];
  q->count = part->layout.ports[port].dim;
  port_unit(q, part, port, q->kind, false);
  return true;
}

static bool find_state(const sb_part *part, const char *name, sb_quantity *q) {
  bool named = sb_part_names_states(part);
  for (int i = 0; i < part->layout.states; i++) {
    if (strcmp(state_name(part, i), name) == 0) {
      q->kind = STATE;
      q->first = i;
      q->count = named ? 1 : part->layout.states;
      bool of_port = named && part->layout.states == part->components;
      if (!named || of_port) { // the integral of what the port is given
        int port = of_port ? sb_port_of(part, i) : 0;
        port_unit(q, part, port, part->layout.ports[port].output == SB_FLOW ? EFFORT : FLOW, true);
      }
      return true;
    }
  }
  return false;
}

/** The unit of a port variable as "@f2/f1" has it: f2. */
static const char *variable_unit(const sb_part *part, const char *at) {
  const char *name = part->layout.ports[at[1] - '1'].domain;
  const sb_domain *domain = name == NULL ? NULL : sb_domain_find(name);
  return domain == NULL ? NULL : at[0] == 'e' ? domain->effort : domain->flow;
}

/** The unit of a ratio, "@f2/f1" or "@e2/f1". */
static void ratio_unit(sb_quantity *q, const sb_part *part, const char *formula) {
  const char *above = variable_unit(part, formula + 1), *below = variable_unit(part, formula + 4);
  if (above != NULL && below != NULL && strcmp(above, below) != 0) {
    (void)snprintf(q->unit, sizeof q->unit, "(%s)/(%s)", above, below);
  }
}

static bool find_in_part(const sb_part *part, const char *name, sb_quantity *q) {
  const sb_quantity_spec *specs = part->type->quantities;
  for (int i = 0; specs != NULL && specs[i].name != NULL; i++) {
    if (strcmp(specs[i].name, name) == 0) {
      q->kind = MEASURE;
      q->first = i;
      q->count = specs[i].count;
      const char *unit = part->type->unit != NULL ? part->type->unit(part->self, i) : specs[i].unit;
      if (unit != NULL && unit[0] == '@') {
        ratio_unit(q, part, unit);
      } else {
        set_unit(q, unit);
      }
      return true;
    }
  }
  bool energy = part->type->role == SB_STORAGE && strcmp(name, "energy") == 0;
  bool powerless = part->type->role == SB_STRUCTURE || part->type->role == SB_SIGNAL;
  if (energy || (!powerless && strcmp(name, "power") == 0)) {
    q->kind = energy ? ENERGY : POWER;
    q->count = 1;
    set_unit(q, energy ? "J" : "W");
    return true;
  }
  return find_state(part, name, q) || find_port_variable(part, name, q);
}

static void list_names(const sb_part *part, sb_error *err) {
  char text[SB_ERROR_HINT] = "";
  const sb_quantity_spec *specs = part->type->quantities;
  for (int i = 0; specs != NULL && specs[i].name != NULL; i++) {
    size_t used = strlen(text);
    (void)snprintf(text + used, sizeof text - used, "%s, ", specs[i].name);
  }
  if (part->type->role == SB_SIGNAL) {
    sb_error_hint(err, "it has: value");
    return;
  }
  size_t used = strlen(text);
  (void)snprintf(text + used, sizeof text - used, "%s%s",
                 part->type->role == SB_STORAGE     ? "energy, power, "
                 : part->type->role != SB_STRUCTURE ? "power, "
                                                    : "",
                 part->layout.port_count == 1 || part->type->ports[0].many ? "e, f"
                                                                           : "PORT.e, PORT.f");
  if (part->layout.states > 0) {
    used = strlen(text);
    (void)snprintf(text + used, sizeof text - used, ", %s", state_name(part, 0));
  }
  sb_error_hint(err, "it has: %s", text);
}

sb_status sb_part_sense(const sb_model *model, const sb_part *part, const char *name, int *var,
                        double *sign, sb_error *err) {
  sb_quantity q = {0};
  bool found = find_in_part(part, name, &q);
  if (!found || (q.kind != EFFORT && q.kind != FLOW && q.kind != STATE)) {
    (void)sb_fail(err, SB_ERR_REFERENCE,
                  found ? "'%s.%s' cannot be read by a signal" : "'%s' has no quantity '%s'",
                  part->id, name);
    sb_error_hint(err, "signals read efforts, flows and states, as in C1.e, C1.f, C1.q");
    return SB_ERR_REFERENCE;
  }
  if (q.count != 1) {
    return sb_fail(err, SB_ERR_DIMENSION, "'%s.%s' has %d components, a signal has one", part->id,
                   name, q.count);
  }
  *sign = q.kind == FLOW ? part->signs[q.first] : 1;
  *var = q.kind == EFFORT ? sb_effort_var(part, q.first)
         : q.kind == FLOW ? sb_flow_var(part, q.first)
                          : sb_state_var(model, part->state + q.first);
  return SB_OK;
}

sb_status sb_model_find(const sb_model *model, const char *name, sb_quantity *q, sb_error *err) {
  const char *dot = strchr(name, '.');
  size_t length = dot == NULL ? strlen(name) : (size_t)(dot - name);
  *q = (sb_quantity){.element = sb_names_find(&model->names, name, length)};
  if (q->element < 0) {
    return sb_fail(err, SB_ERR_REFERENCE, "there is no element '%.*s'", (int)length, name);
  }
  const sb_part *part = &model->parts[q->element];
  const char *quantity = dot != NULL ? dot + 1 : part->type->role == SB_SIGNAL ? "value" : "";
  if (!find_in_part(part, quantity, q)) {
    (void)sb_fail(err, SB_ERR_REFERENCE, "%s '%s' has no quantity '%s'", part->type->name, part->id,
                  quantity);
    list_names(part, err);
    return SB_ERR_REFERENCE;
  }
  return SB_OK;
}

const char *sb_model_state_name(const sb_model *model, int state, char name[300]) {
  name[0] = '\0';
  for (int i = 0; i < model->part_count; i++) {
    const sb_part *part = &model->parts[i];
    if (state >= part->state && state < part->state + part->layout.states) {
      (void)snprintf(name, 300, "%s.%s", part->id, state_name(part, state - part->state));
    }
  }
  return name;
}

static double power_of(const sb_workspace *work, const sb_part *part) {
  double power = 0;
  for (int k = 0; k < part->components; k++) {
    power += work->cells[2 * part->cells[k]] * work->cells[2 * part->cells[k] + 1] * part->signs[k];
  }
  return power;
}

/** Flows count into a one-port (out of a source), and along the half arrow at a structure between
 *  bonds, so that f_to = n f_from of a transformer and the common flow of a junction read as said. */
static double flow_sign(const sb_part *part, int component) {
  bool between = part->type->role == SB_STRUCTURE &&
                 (part->type->ports[0].many || part->layout.port_count > 1);
  return between ? 1 : part->signs[component];
}

void sb_simulation_read(const sb_simulation *sim, const sb_quantity *q, double out[]) {
  const sb_part *part = &sim->model->parts[q->element];
  const double *x = sim->view_x;
  sb_at at = sb_at_part(sim->work, part, sim->view_t, x);
  bool port = q->kind == EFFORT || q->kind == FLOW || q->kind == POWER;
  bool known = sim->work->traced == x && sim->work->traced_at == sim->work->rhs_count;
  if (port && !known) { // once for all that is read at a sample
    sb_trace(sim->work, x);
  }
  for (int k = 0; k < q->count; k++) {
    int c = q->first + k;
    out[k] = q->kind == EFFORT   ? sim->work->cells[2 * part->cells[c]]
             : q->kind == FLOW   ? sim->work->cells[2 * part->cells[c] + 1] * flow_sign(part, c)
             : q->kind == STATE  ? x[part->state + c]
             : q->kind == POWER  ? power_of(sim->work, part)
             : q->kind == ENERGY ? sb_part_energy(sim->work, q->element, sim->view_t, x)
                                 : out[k];
  }
  if (q->kind == MEASURE) {
    part->type->measure(part->self, &at, q->first, out);
  }
}

int sb_simulation_find_input(const sb_simulation *sim, const char *source, sb_error *err) {
  int index = sb_names_find(&sim->model->names, source, strlen(source));
  if (index < 0) {
    (void)sb_fail(err, SB_ERR_REFERENCE, "there is no element '%s'", source);
    return -1;
  }
  if (sim->model->parts[index].input_count == 0) {
    (void)sb_fail(err, SB_ERR_USAGE, "'%s' is not set from outside", source);
    sb_error_hint(err, "give the source waveform=\"input\"");
    return -1;
  }
  return index;
}

void sb_simulation_set(sb_simulation *sim, int input, const double values[]) {
  const sb_part *part = &sim->model->parts[input];
  memcpy(sim->work->inputs + part->input, values, (size_t)part->input_count * sizeof(double));
  sim->inputs_changed = true;
  sim->restart = true; // the integrator's next step must not reuse the old right-hand side
}

sb_status sb_simulation_set_input(sb_simulation *sim, const char *source, const double values[],
                                  int count, sb_error *err) {
  int input = sb_simulation_find_input(sim, source, err);
  if (input < 0) {
    return SB_ERR_REFERENCE;
  }
  if (count != sim->model->parts[input].input_count) {
    return sb_fail(err, SB_ERR_DIMENSION, "'%s' takes %d numbers, got %d", source,
                   sim->model->parts[input].input_count, count);
  }
  sb_simulation_set(sim, input, values);
  return SB_OK;
}
