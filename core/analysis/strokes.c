// SPDX-License-Identifier: GPL-3.0-or-later
// Which end of a bond gives the effort: the propagation of causality.c over the same rows, with a
// record of whose row determined each variable. Where a linear loop is solved as a whole, a
// dissipation in it is let read its flow, as one would draw it by hand.
#include "core/analysis/drawing_private.h"
#include "core/base/array.h"
#include "core/model/model_data.h"

typedef struct strokes {
  const sb_model *model;
  sb_equations eq;
  int base;
  int *owner;   // (base) part whose row determined the variable, -1: none yet
  char *done;   // (rows)
  int *unknown; // (rows)
  int *first;   // (base + 1) rows of a variable: rows[first[v]] ... rows[first[v + 1] - 1]
  int *rows;
  int *queue; // (rows)
  int queued;
} strokes;

static bool init(strokes *s) {
  if (sb_equations_build(&s->model->network, s->model->start_modes, &s->eq) != SB_OK) {
    return false;
  }
  s->base = sb_known_base(&s->model->network);
  s->done = sb_zeroed(s->eq.row_count, sizeof(char));
  s->unknown = sb_zeroed(s->eq.row_count, sizeof(int));
  s->first = sb_zeroed(s->base + 2, sizeof(int));
  s->rows = sb_zeroed(s->eq.term_count, sizeof(int));
  s->queue = sb_zeroed(s->eq.row_count, sizeof(int));
  return s->done != NULL && s->unknown != NULL && s->first != NULL && s->rows != NULL &&
         s->queue != NULL;
}

static void finish(strokes *s) {
  sb_equations_finish(&s->eq);
  free(s->done);
  free(s->unknown);
  free(s->first);
  free(s->rows);
  free(s->queue);
}

static void enqueue(strokes *s, int row) {
  if (!s->done[row] && s->unknown[row] == 1) {
    s->done[row] = 1; // each row gives one variable at the most
    s->queue[s->queued++] = row;
  }
}

static void determine(strokes *s, int var, int owner) {
  if (s->owner[var] >= 0) {
    return;
  }
  s->owner[var] = owner;
  for (int i = s->first[var]; i < s->first[var + 1]; i++) {
    s->unknown[s->rows[i]]--;
    enqueue(s, s->rows[i]);
  }
}

/** The rows in force: a dissipation's free causality is known, a dependent storage takes what the
 *  network gives it. */
static void choose_rows(strokes *s) {
  const sb_causality *causality = &s->model->program->causality;
  for (int i = 0; i < s->model->network.instance_count; i++) {
    int choice = s->eq.choice[i];
    int rows = s->eq.free_rows[i],
        first = choice + (causality->assigned[i] == SB_EFFORT ? rows : 0);
    for (int row = first; choice >= 0 && row < first + rows; row++) {
      s->eq.active[row] = 1;
    }
  }
  for (int i = 0; i < causality->constraint_count; i++) {
    if (!causality->constraints[i].solved) {
      s->eq.active[s->eq.output_row[causality->constraints[i].dependent]] = 0;
    }
  }
  for (int row = 0; row < s->eq.row_count; row++) {
    s->done[row] = !s->eq.active[row];
  }
}

static void index_rows(strokes *s) {
  const sb_equations *eq = &s->eq;
  for (int i = 0; i < eq->term_count; i++) {
    if (eq->terms[i].var < s->base) {
      s->first[eq->terms[i].var + 2]++;
    }
  }
  for (int v = 0; v < s->base; v++) {
    s->first[v + 2] += s->first[v + 1];
    s->owner[v] = -1;
  }
  for (int row = 0; row < eq->row_count; row++) {
    for (int i = eq->first[row]; i < eq->first[row + 1]; i++) {
      if (eq->terms[i].var < s->base) {
        s->rows[s->first[eq->terms[i].var + 1]++] = row;
        s->unknown[row]++;
      }
    }
  }
}

/** A dependent storage gives what it would otherwise be given. */
static void start_dependent(strokes *s) {
  const sb_causality *causality = &s->model->program->causality;
  for (int i = 0; i < causality->constraint_count; i++) {
    int state = causality->constraints[i].dependent;
    if (causality->constraints[i].solved) {
      determine(s, causality->constraints[i].acting, causality->constraints[i].where);
      continue;
    }
    for (int k = 0; k < s->model->network.instance_count; k++) {
      const sb_instance *instance = &s->model->network.instances[k];
      int component = state - instance->state;
      if (instance->type->role == SB_STORAGE && component >= 0 &&
          component < instance->components) {
        bool effort = instance->layout.ports[sb_port_of(instance, component)].output == SB_EFFORT;
        determine(s, effort ? sb_flow_var(instance, component) : sb_effort_var(instance, component),
                  k);
      }
    }
  }
}

static void propagate(strokes *s) {
  while (s->queued > 0) {
    int row = s->queue[--s->queued];
    for (int i = s->eq.first[row]; i < s->eq.first[row + 1]; i++) {
      int var = s->eq.terms[i].var;
      if (var < s->base && s->owner[var] < 0) {
        determine(s, var, s->eq.owner[row]);
      }
    }
  }
}

/** In a loop: the next linear dissipation reads its flow; then whatever is left, flows first. The
 *  owner is no part, which stands for the other end. */
static bool open_loop(strokes *s) {
  for (int i = 0; i < s->model->network.instance_count; i++) {
    const sb_instance *instance = &s->model->network.instances[i];
    for (int k = 0;
         instance->linear && instance->type->role == SB_DISSIPATION && k < instance->components;
         k++) {
      if (s->owner[sb_flow_var(instance, k)] < 0 && s->owner[sb_effort_var(instance, k)] < 0) {
        determine(s, sb_flow_var(instance, k), s->model->network.instance_count);
        determine(s, sb_effort_var(instance, k), i);
        return true;
      }
    }
  }
  for (int odd = 1; odd >= 0; odd--) {
    for (int v = odd; v < s->base; v += 2) {
      if (s->owner[v] < 0) {
        determine(s, v, s->model->network.instance_count);
        return true;
      }
    }
  }
  return false;
}

bool sb_strokes_owners(const sb_model *model, int owner[]) {
  strokes s = {.model = model, .owner = owner};
  bool ok = init(&s);
  if (ok) {
    choose_rows(&s);
    index_rows(&s);
    start_dependent(&s);
    for (int row = 0; row < s.eq.row_count; row++) {
      enqueue(&s, row);
    }
    propagate(&s);
    while (open_loop(&s)) {
      propagate(&s);
    }
  }
  finish(&s);
  return ok;
}

bool sb_strokes_find(const sb_model *model, char effort_from[]) {
  int *owner = sb_zeroed(sb_known_base(&model->network), sizeof *owner);
  bool ok = owner != NULL && sb_strokes_owners(model, owner);
  for (int i = 0; ok && i < model->network.bond_count; i++) {
    const sb_network_bond *bond = &model->network.bonds[i];
    int effort = owner[2 * bond->pair], flow = owner[2 * bond->pair + 1];
    bool known = effort == bond->from || effort == bond->to;
    effort_from[i] = known ? effort == bond->from : flow != bond->from;
  }
  free(owner);
  return ok;
}
