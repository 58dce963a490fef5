// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_CORE_EXPRESSION_PRIVATE_H
#define SB_CORE_EXPRESSION_PRIVATE_H

#include "core/expression/expression.h"

struct sb_expression {
  int variable_count;
  int count;
  sb_node nodes[]; // (count)
};

typedef enum sb_operator {
  SB_OP_NEGATE,
  SB_OP_ADD,
  SB_OP_SUBTRACT,
  SB_OP_MULTIPLY,
  SB_OP_DIVIDE,
  SB_OP_POWER,
  SB_OP_LESS,
  SB_OP_LESS_EQUAL,
  SB_OP_GREATER,
  SB_OP_GREATER_EQUAL,
  SB_OP_EQUAL,
  SB_OP_NOT_EQUAL,
  SB_OPERATORS
} sb_operator;

/** Values of all nodes on the branches of the variables, and their derivatives by one of these; NULL: not wanted. */
void sb_nodes_run(const sb_expression *expression, const double variables[], int slot,
                  double value[], double slope[]);

/** Values of all nodes, all on the branches that they have by other values of all. */
void sb_nodes_run_on(const sb_expression *expression, const double variables[],
                     const double chosen[], double value[]);

/** The sums of the absolute values of the terms of all nodes, as of sb_expression_terms(), by their values.
 *  @param sizes  those of the variables; NULL: the absolute values of these */
void sb_nodes_terms(const sb_expression *expression, const double value[], const double sizes[],
                    double terms[]);

/** Whether a node has kinks or jumps that can be foreseen: in arguments that are piecewise linear in the
 *  variables other than signals. */
bool sb_node_has_kink(const sb_expression *expression, const sb_node *node);

/** Whether sums and products alone lead from a node to this argument of it. */
bool sb_node_passes(const sb_node *node, int argument);

/** Whether a node is a sine, cosine or tangent. */
bool sb_node_is_periodic(const sb_node *node);

extern const sb_function sb_operators[SB_OPERATORS];

/** What decides on the branch of a node: its sign, or the whole number below it. */
double sb_node_deciding(const sb_node *node, const double a[]);
/** Whether it is its sign. */
bool sb_node_by_sign(const sb_node *node);
/** The branch of a node with these arguments: the sign of what decides, or the whole number below it. */
double sb_branch_of(const sb_node *node, const double a[]);
/** Notes how far the arguments are inside the branch that is held, if that is wanted. */
void sb_branch_note(const sb_node *node, const sb_branches *branches, const double a[]);
/** How far what decides is from its kink, with its sign. */
double sb_branch_off(const sb_node *node, const double a[]);
/** The sum of the terms of what decides. @param terms  (arity) those of the arguments */
double sb_branch_terms(const sb_node *node, const double a[], const double terms[]);
/** Arguments by which the node takes a branch. @return false: it is free */
bool sb_branch_arguments(const sb_node *node, double held, double c[3]);

/** Whether a sum, a difference or a comparison is one of the same on both sides, on some branches of min, max, abs and `if` in it
 *  (identities.c). */
bool sb_node_may_vanish(const sb_expression *expression, int node);
/** Whether it is on the branches that are held. @param value  of all nodes before it */
bool sb_node_vanishes(const sb_expression *expression, const sb_node *node, const double held[],
                      const double value[]);

/** A function f with a 1 beside it that cancels, by u without that (beside_one.c). s = 1 + u. */
typedef struct sb_beside_one {
  bool sum, less;                      // it is of 1 + u; 1 is taken from it
  double (*value)(double u, double s); // f(u) - 1, f(1 + u) or f(1 + u) - 1
  double (*slope)(double u, double s); // its derivative
} sb_beside_one;
extern const sb_beside_one sb_cosine_beside_one, sb_cosh_beside_one, sb_exp_beside_one,
    sb_log_beside_one, sb_sqrt_beside_one;
/** Marks the nodes in which a 1 cancels; to be called whenever nodes have changed. */
void sb_expression_find_beside_one(sb_expression *expression);
/** The value of such a node, and the terms of it. @param value, terms  of all nodes before it */
double sb_node_beside_one(const sb_expression *expression, const sb_node *node,
                          const double value[]);
double sb_node_beside_one_terms(const sb_expression *expression, const sb_node *node,
                                const double value[], const double terms[]);

/** A function by its name; NULL: there is none. */
const sb_function *sb_function_find(const char *name, size_t length);
/** Whether its value jumps where it has a kink. */
bool sb_function_jumps(const sb_function *function);
/** The order of a function of arguments of these orders. */
int sb_function_order(const sb_function *function, const int orders[]);

#endif
