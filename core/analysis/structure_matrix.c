// SPDX-License-Identifier: GPL-3.0-or-later
// The structure matrix: the null space of the kernel rows of the constant structures, in terms of what
// the other elements give, holds what these are given.
#include "core/analysis/structure_matrix_private.h"

#include <math.h>
#include <stdio.h>

#include "core/linalg/nullspace.h"
#include "core/linalg/numbers.h"
#include "core/program/program.h"

/** A number at a port of an element that is no constant structure. */
typedef struct end {
  int input, output; // variables
  double in_sign, out_sign, power;
} end;

typedef struct structure {
  end *ends;      // (count)
  double *matrix; // (count x count) each end's input by the outputs of all
  sb_labels in, out;
  int count;
} structure;

static bool has_ends(const sb_instance *instance) {
  return instance->type->structure == NULL || instance->hooked;
}

/** Instances with hooks say so themselves; their shared ports have rows of their own. */
static bool gives_effort(const sb_model *model, int index, int port, int owner) {
  const sb_instance *instance = &model->network.instances[index];
  sb_variable output = instance->layout.ports[port].output;
  if (!instance->hooked) {
    return owner == index;
  }
  return sb_output_variable(output, model->program->causality.assigned[index]) == SB_EFFORT;
}

/** How well a component is fit to give the Lagrange multiplier of a constraint, and to be given the variable
 *  that the constraint has determined twice: where the multiplier acts, rather a storage; else the pivot of
 *  the constraint. */
static int fitness(const sb_model *model, const sb_constraint *c, const sb_instance *instance,
                   int k) {
  int var = instance->hooked ? sb_value_var(&model->network, instance->out + k)
                             : sb_state_var(&model->network, instance->state + k);
  bool acts = sb_effort_var(instance, k) == (c->acting & ~1); // effort and flow are neighbours
  return acts ? 2 + (instance->type->storage != NULL) : c->pivot == var;
}

static bool is_turned(const sb_model *model, const sb_instance *instance, int component) {
  const sb_causality *causality = &model->program->causality;
  bool turned = false;
  for (int i = 0; i < causality->constraint_count; i++) {
    const sb_constraint *c = &causality->constraints[i];
    int own = c->solved ? fitness(model, c, instance, component) : 0;
    bool best = own > 0;
    for (int p = 0; best && p < model->network.instance_count; p++) {
      const sb_instance *other = &model->network.instances[p];
      for (int k = 0; has_ends(other) && k < other->components; k++) {
        int rival = fitness(model, c, other, k);
        bool before = other < instance || (other == instance && k < component);
        best = best && (rival < own || (rival == own && !before));
      }
    }
    turned = turned || best;
  }
  return turned;
}

/** "id.e" or "id.port.e", of vectors with the component. */
static void name_end(const sb_instance *instance, int k, const char *variable,
                     char label[SB_LABEL_SIZE]) {
  char port_name[SB_LABEL_SIZE], base[SB_LABEL_SIZE];
  int port = sb_port_of(instance, k);
  (void)snprintf(port_name, sizeof port_name,
                 instance->layout.port_count > 1 ? "%.200s.%.40s." : "%.200s.", instance->id,
                 instance->type->ports[port].name);
  (void)snprintf(base, sizeof base, "%.300s%s", port_name, variable);
  sb_component_name(label, SB_LABEL_SIZE, base, k - instance->first[port],
                    instance->layout.ports[port].dim);
}

/** @param owner  instances that give the variables */
static void list_ends(const sb_model *model, const int owner[], structure *s) {
  int count = 0;
  for (int i = 0; i < model->network.instance_count; i++) {
    const sb_instance *instance = &model->network.instances[i];
    bool outwards = instance->type->structure != NULL || instance->type->source != NULL;
    for (int k = 0; has_ends(instance) && k < instance->components; k++, count++) {
      int effort = sb_effort_var(instance, k), flow = sb_flow_var(instance, k);
      bool gives = gives_effort(model, i, sb_port_of(instance, k), owner[effort]) !=
                   is_turned(model, instance, k);
      s->ends[count] = (end){.input = gives ? flow : effort,
                             .output = gives ? effort : flow,
                             .in_sign = gives ? instance->signs[k] : 1,
                             .out_sign = gives ? 1 : instance->signs[k],
                             .power = outwards ? -1 : 1};
      name_end(instance, k, gives ? "f" : "e", s->in.items[count]);
      name_end(instance, k, gives ? "e" : "f", s->out.items[count]);
    }
  }
}

sb_status sb_constant_equations(const sb_model *model, const char zero[], sb_equations *eq) {
  int rows = 0, terms = 0;
  SB_TRY(sb_equations_build(&model->network, model->start_modes, eq));
  for (int r = 0, next = 0; r < eq->row_count; r++) {
    int first = next;
    next = eq->first[r + 1];
    if (sb_equations_constant(&model->network, eq, r)) {
      for (int i = first; i < next; i++) {
        eq->terms[terms] = eq->terms[i];
        terms += !zero[eq->terms[i].var];
      }
      eq->first[++rows] = terms;
    }
  }
  eq->row_count = rows;
  return SB_OK;
}

/** The end whose output every number of a vector goes with; -1: none, -2: more than one. */
static int find_output(const sb_nullspace *space, int k, const int end_of[]) {
  int found = -1;
  for (int i = space->first[k]; i < space->first[k + 1]; i++) {
    int j = end_of[space->terms[i].var] - 1;
    found = j < 0 ? found : found == -1 ? j : -2;
  }
  return found;
}

/** One column of the matrix from each vector; false: an input is left undetermined.
 *  @param end_of  (variables) whose output it is, from 1
 *  @param value   (variables) scratch, zero */
static bool fill_columns(const sb_nullspace *space, const int end_of[], double value[],
                         structure *s) {
  int columns = 0;
  for (int k = 0; k < space->count; k++) {
    int j = find_output(space, k, end_of);
    columns += j >= 0;
    for (int i = space->first[k]; i < space->first[k + 1]; i++) {
      value[space->terms[i].var] = (double)space->terms[i].factor;
    }
    for (int i = 0; i < s->count; i++) {
      double factor = value[s->ends[i].input];
      if (factor != 0 && j < 0) {
        return false;
      }
      if (factor != 0) {
        s->matrix[i * s->count + j] = factor * s->ends[i].in_sign * s->ends[j].out_sign;
      }
    }
    for (int i = space->first[k]; i < space->first[k + 1]; i++) {
      value[space->terms[i].var] = 0;
    }
  }
  return columns == s->count;
}

/** The null space of the rows, with a vector for each output. */
static sb_status fill_matrix(const sb_model *model, structure *s, sb_arena *memory) {
  sb_equations eq = {0};
  sb_nullspace space;
  int variables = sb_known_base(&model->network);
  char *none = sb_arena_zeroed(memory, variables, sizeof *none);
  char *given = sb_arena_zeroed(memory, variables, sizeof *given);
  int *end_of = sb_arena_zeroed(memory, variables, sizeof *end_of);
  double *value = sb_arena_zeroed(memory, variables, sizeof *value);
  if (memory->failed) {
    return SB_ERR_MEMORY;
  }
  SB_TRY(sb_constant_equations(model, none, &eq));
  for (int i = 0; i < s->count; i++) {
    given[s->ends[i].output] = 1;
    end_of[s->ends[i].output] = i + 1;
  }
  sb_status status = sb_nullspace_find(eq.terms, eq.first, eq.row_count, variables, given,
                                       SB_NULLSPACE_ROUNDING, memory, &space);
  sb_equations_finish(&eq);
  return status == SB_OK && !fill_columns(&space, end_of, value, s) ? SB_ERR_SINGULAR : status;
}

static void put_structure(const sb_model *model, structure *s, sb_matrix_text *t) {
  int n = s->count;
  double skew = 0;
  sb_matrix_clean(s->matrix, n * n, sb_largest(s->matrix, n * n));
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      skew = fmax(skew, fabs(s->ends[i].power * s->matrix[i * n + j] +
                             s->ends[j].power * s->matrix[j * n + i]));
    }
  }
  sb_text_put(&t->text, "%s%s: what each element is given (rows) by what all give (columns)\n",
              t->latex ? "% " : "", model->network.name);
  sb_matrix_text_matrix(t, "J", s->matrix, &s->in, &s->out);
  sb_text_put(&t->text, "\n");
  sb_matrix_text_statement(
      t, "J is skew-symmetric where power counts into each element, largest |J + J^T|",
      skew <= 1e-12 * fmax(sb_largest(s->matrix, n * n), 1), skew);
}

sb_status sb_structure_matrix_write(const sb_model *model, int most, sb_matrix_text *text,
                                    sb_arena *memory, sb_error *err) {
  structure s = {0};
  for (int i = 0; i < model->network.instance_count; i++) {
    const sb_instance *instance = &model->network.instances[i];
    s.count += has_ends(instance) ? instance->components : 0;
  }
  if (s.count > most) {
    return sb_fail(err, SB_ERR_LIMIT, "%d numbers at ports; at most %d are written down", s.count,
                   most);
  }
  int *owner = sb_arena_zeroed(memory, sb_known_base(&model->network), sizeof *owner);
  s.ends = sb_arena_zeroed(memory, s.count, sizeof *s.ends);
  s.matrix = sb_arena_zeroed(memory, s.count * s.count, sizeof *s.matrix);
  sb_status status = SB_ERR_MEMORY;
  if (sb_labels_init(&s.in, s.count, memory) && sb_labels_init(&s.out, s.count, memory) &&
      !memory->failed &&
      sb_causality_owners(&model->network, model->start_modes, &model->program->causality, owner)) {
    list_ends(model, owner, &s);
    status = fill_matrix(model, &s, memory);
  }
  if (status != SB_OK) {
    return sb_fail(err, status,
                   status == SB_ERR_MEMORY ? "out of memory"
                   : status == SB_ERR_LIMIT
                       ? "the structure of '%s' is too dense to be written down"
                       : "the structure of '%s' is not determined by what its "
                         "elements give",
                   model->network.name);
  }
  put_structure(model, &s, text);
  return SB_OK;
}
