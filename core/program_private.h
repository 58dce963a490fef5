// SPDX-License-Identifier: GPL-3.0-or-later
// The straight-line program of a model in given modes: what a right-hand side executes.
//   ops      in the order of data dependence: blocks of rows, and hooks of elements
//   rates    xdot of the linear storages as sparse combinations of states, grouped by length
//   products the powers whose integrals the ledger keeps
#ifndef SB_CORE_PROGRAM_PRIVATE_H
#define SB_CORE_PROGRAM_PRIVATE_H

#include "core/causality_private.h"

/** values[dest] = sum factor * x[index] (`states` terms), + sum factor * values[index] (the rest). */
typedef struct sb_row {
  int dest, first, states, count;
} sb_row;

typedef struct sb_op sb_op;
typedef int (*sb_op_run)(const sb_model *model, sb_workspace *work, const sb_op *op, double t,
                         const double x[], double xdot[]);
struct sb_op {
  sb_op_run run;
  int part;
  int first_row, row_count;
};

/** `count` rows of `terms` states each: xdot[dest] = sum factor * x[index]. */
typedef struct sb_rate_group {
  int terms, first_row, count, first_term;
} sb_rate_group;

/** xdot[dest] += factor * values[index]. */
typedef struct sb_rate_extra {
  int dest, index;
  double factor;
} sb_rate_extra;

/** integral[dest]' += factor * a * b; a, b < state_count: states, else values. */
typedef struct sb_product {
  int dest, a, b;
  double factor;
} sb_product;

typedef struct sb_program {
  sb_op *ops;
  int op_count, op_capacity;
  sb_row *rows;
  int row_count, row_capacity;
  int *index; // terms of the rows
  double *factor;
  int term_count, index_capacity, factor_capacity;
  sb_rate_group *groups;
  int group_count, group_capacity;
  int *rate_dest, *rate_index;
  double *rate_factor;
  sb_rate_extra *extras;
  int extra_count, extra_capacity;
  sb_product *products; // first those of two states
  int product_count, product_capacity, state_products;
  int value_count;        // with temporaries
  sb_causality causality; // kept: the audit recomputes every port variable from it
} sb_program;

sb_status sb_program_create(const sb_model *model, const int modes[], sb_program **program,
                            sb_errors *errors);
void sb_program_destroy(sb_program *program);

#endif
