// SPDX-License-Identifier: GPL-3.0-or-later
// The terms of an expression of the time: found, and enclosed over a span (moving_terms.c), measured
// (swing.c), and how far each is clear (features.c).
#ifndef SB_CORE_EXPRESSION_FEATURES_PRIVATE_H
#define SB_CORE_EXPRESSION_FEATURES_PRIVATE_H

#include "core/base/arena.h"
#include "core/expression/enclosure_private.h"
#include "core/expression/features.h"

/** A term: the nodes [first, node], of which the last is its value. */
typedef struct sb_moving_term {
  int first, node;
  int within;      // the term that it is a part of; -1: of none
  int group;       // of terms that are added up
  bool held;       // what jumps in it does so at events, but for what is foreseen
  double swing;    // largest minus smallest value found
  double size;     // largest absolute value found,
  double peak;     // and where
  double shortest; // what is narrower is left out
  double clear;    // length of the last clear span
} sb_moving_term;

typedef struct sb_node_rule {
  sb_enclose enclose; // NULL: a number or a variable, or a difference that is zero at all times
  double number;      // of what does not move
  bool moves;         // by the time
  bool signal;        // by a signal, too
  int steady_up_to;   // a sine counts as constant in terms up to this node; -1: in none
  bool kink;          // that is foreseen
  bool cancels;       // may be zero over a span, by the branches of what it adds up or compares
} sb_node_rule;

/** Terms that are added up. */
typedef struct sb_term_group {
  double constant; // largest absolute value of a constant in it
  int within;      // the term that it is in; -1: in none
  bool bent;       // by a function that is no product: what is largest in it need not count most
} sb_term_group;

struct sb_features {
  const sb_expression *expression;
  int slot, term_count, group_count;
  sb_term_group *groups;             // (up to nodes + 1)
  int *parents;                      // (nodes)
  bool same;                         // a comparison has the same on both sides
  bool beside;                       // other variables are numbers
  const volatile sig_atomic_t *stop; // NULL: nothing ends a search
  sb_moving_term *terms;             // (term_count)
  sb_node_rule *rules;               // (nodes)
  sb_motion *got;                    // (nodes) of a term that is enclosed
  sb_arena memory;                   // of all this
};

static inline bool sb_features_stopped(const sb_features *f) {
  return f->stop != NULL && *f->stop != 0;
}

/** Says of each node what moves it, and lists the terms, for which there is room. */
void sb_moving_terms_find(sb_features *f);

/** Whether the variable and others meet in more than sums and products. */
bool sb_moving_terms_meet(const sb_expression *expression, int slot);

/** The enclosure of a term over [from, to], and its value in the middle.
 *  @param smooth  no kink that is foreseen is inside: the branch of the middle holds throughout */
sb_motion sb_term_enclose(const sb_features *f, const sb_moving_term *term, double from, double to,
                          bool smooth);

/** By how much at most the outermost term that a term is a part of moves with it in [from, to], as a fraction: 0 where a factor is beside zero,
 *  or `if`, min and max choose another one. */
double sb_term_weight(const sb_features *f, const sb_moving_term *term, double from, double to,
                      bool smooth);
/** The outermost term that a term is a part of. */
const sb_moving_term *sb_term_whole(const sb_features *f, const sb_moving_term *term);

/** Whether a node compares two numbers. */
bool sb_node_compares(const sb_node *node);
/** Whether a node is a difference or a comparison of the same on both sides, whatever the variables are (identities.c). */
bool sb_node_is_identity(const sb_expression *expression, const sb_node *node);
/** Whether a sum, a difference or a comparison has min, max, abs or `if` in it, so that it may be one of the same on their branches. */
bool sb_node_may_cancel(const sb_expression *expression, const sb_node *node);
/** Whether it is, throughout a span. @param got  (nodes) enclosures over it */
bool sb_node_cancels(const sb_expression *expression, const sb_node *node, const sb_motion got[]);

/** Times that differ by as many roundings are one instant. */
#define SB_SAME_TIME 8

#endif
