// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions of signals and of the time over a step: all values that they may have in it, where states and what is read of bonds
// move evenly from one end to the other, and signals are their own expressions.
#ifndef SB_CORE_SIMULATION_FORMULAS_PRIVATE_H
#define SB_CORE_SIMULATION_FORMULAS_PRIVATE_H

#include "core/expression/enclosure.h"
#include "core/network/turns.h"
#include "core/simulation/simulation_private.h"

/** An expression of an element. */
typedef struct sb_moving_formula {
  sb_formula of;
  sb_enclosing *enclosing;
  int instance;
  int own;    // (of.own) the first of its own variables among those of all formulas
  bool known; // the next three are; they hold with all that the signals in it are expressions of
  bool even;  // what moves it does so evenly throughout the run
  bool moves; // by more than the time
  bool bends; // it is more than sums and multiples of what moves it,
  bool turns; // also at a given time
  long step;  // number of the step in which it was last enclosed,
  double from, to; // over this span
} sb_moving_formula;

/** What gives a value of the network. */
typedef struct sb_moving_value {
  int formula;    // -1: unknown; it moves evenly in a step,
  bool even;      // or throughout the run
  double through; // it is so many times its formula,
  bool rests;     // and something that moves evenly in a step
} sb_moving_value;

/** A branch that an indicator tells, at a node of an expression. */
typedef struct sb_branch_place {
  int formula, node; // -1: unknown
} sb_branch_place;

struct sb_formulas {
  sb_moving_formula *list; // (count)
  int count, capacity;
  int *first;                  // (instances) its first formula; all of one stand in a row
  sb_moving_value *values;     // (network values)
  sb_branch_place *branches;   // (network branches)
  double *start, *end;         // (network values) at both ends of the step
  double *own_start, *own_end; // (own variables of all formulas) likewise
  int own_count;
  long step; // its number
};

/** Lists them all, where there are any. */
sb_status sb_formulas_list(sb_simulation *sim, sb_error *err);
/** What they depend on at the start of a step, and at its end, where the workspace is. */
void sb_formulas_begin(sb_simulation *sim);
void sb_formulas_end(sb_simulation *sim);
/** The formula of which the signal at a variable is a multiple; -1: it is none, or the formula does not use it. */
int sb_formula_behind(const sb_simulation *sim, int index, int slot);
/** Whether it acts on more than signals and conditions: by bonds, states or a memory. */
bool sb_formula_acts(const sb_simulation *sim, int index);
/** Its value at the start of the step, or at the end. */
double sb_formula_end(const sb_simulation *sim, int index, bool end);
/** A formula over a span of the step, whose length counts as 1; it may reach beyond. */
sb_motion sb_formula_enclose(const sb_simulation *sim, int index, double from, double to);
/** The sum of the absolute values of the terms of a formula at a place in the step, those of the signals that it reads with them. */
double sb_formula_terms(const sb_simulation *sim, int index, double place);
/** Its variables where the workspace is. @param variables  (SB_EXPRESSION_VARIABLES_MAX) out */
void sb_formula_variables(const sb_simulation *sim, int index, double variables[]);

enum { SB_SPANS_MAX = 128 };
/** Spans of a step that are looked at, the widest first. */
typedef struct sb_spans {
  int taken, count;
  double from[SB_SPANS_MAX], to[SB_SPANS_MAX];
} sb_spans;

/** Beyond the last one that there is room for none is added. */
static inline void sb_spans_add(sb_spans *s, double from, double to) {
  if (s->count < SB_SPANS_MAX) {
    s->from[s->count] = from;
    s->to[s->count++] = to;
  }
}

static inline bool sb_spans_take(sb_spans *s, double *from, double *to) {
  if (s->taken == s->count) {
    return false;
  }
  *from = s->from[s->taken];
  *to = s->to[s->taken++];
  return true;
}

#endif
