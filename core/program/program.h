// SPDX-License-Identifier: GPL-3.0-or-later
// The straight-line program of a model in given modes: what a right-hand side executes.
//   ops      in the order of data dependence: blocks of rows, and hooks of elements
//   rates    xdot of the linear storages as sparse combinations of states, grouped by length
//   products the powers that the ledger integrates
#ifndef SB_CORE_PROGRAM_PRIVATE_H
#define SB_CORE_PROGRAM_PRIVATE_H

#include "core/causality/causality.h"
#include "core/program/operation.h"

/** values[dest] = sum factor * x[index] (`states` terms), + sum factor * values[index] (the rest).
 *  With repeat > 1 (and no states) the same again for dest + 1, index + 1, ...: vectors. */
typedef struct sb_row {
  int dest, first, states, count, repeat;
} sb_row;

enum { SB_RUN_TERMS = 3 };

enum { SB_LOOP_MAX = 1000, SB_LOOP_INPUTS_MAX = 4000 }; // numbers that a loop solves for and reads

/** A hook of a loop. Its inputs and outputs are values: loop_inputs[first_input] ... */
typedef struct sb_loop_hook {
  sb_op op;
  int first_input, input_count;
  int first_output, output_count;
  int vector; // of a multiplier: the first value of the vector whose component it holds; -1: of none,
  int contact; // and the instance of the rigid contact that it is of
} sb_loop_hook;

/** A row of the matrix A of a loop, that of an input: terms in ascending columns, which are its outputs. */
typedef struct sb_loop_row {
  int first, count; // in loop_terms
} sb_loop_row;
typedef struct sb_loop_term {
  int column;
  double factor;
} sb_loop_term;

/** A bond variable that a loop with multipliers solves for, as the sum of terms[first] ... in loop_bond_terms. */
typedef struct sb_loop_bond {
  int first, count;
} sb_loop_bond;

/** Hooks that feed each other: their outputs y solve y = hooks(b + A y), b by rows before. An input
 *  that is one of the outputs itself, a signal, has no row and b = 0. */
typedef struct sb_loop {
  int first, count;               // in loop_hooks
  int first_input, input_count;   // in loop_inputs
  int first_output, output_count; // in loop_outputs
  int first_bond, bond_count;     // in loop_bonds
  int condition_count;            // hooks that are conditions
} sb_loop;

/** `count` rows of the same shape at a constant distance, as chains of equal elements make them:
 *  xdot[dest + r stride] = sum_k factor_k[r] * x[index[k] + r stride]. */
typedef struct sb_rate_run {
  int terms, count, stride, dest;
  int index[SB_RUN_TERMS];
  int first;    // factors in rate_factor: of term k and row r at first + k count + r,
  bool uniform; // or, the same for all rows, at first + k
} sb_rate_run;

/** Two runs of stride 2 whose rows alternate, as one of stride 1: the states of a chain as they stand.
 *  xdot[dest + r] = sum_k factor_k[r] * x[index[k] + r], and factor_k[r % 2] if they are uniform. */
typedef struct sb_rate_band {
  int terms, count, dest;
  int index[SB_RUN_TERMS];
  int first; // in band_factor: of term k and row r at sb_band_factor()
  bool uniform;
} sb_rate_band;

/** Where the factor of term k and row r stands. */
static inline int sb_band_factor(const sb_rate_band *band, int k, int r) {
  return band->first + (band->uniform ? 2 * k + r % 2 : k * band->count + r);
}

/** `count` other rows of `terms` states each: xdot[dest] = sum factor * x[index]. */
typedef struct sb_rate_group {
  int terms, first_row, count, first_term;
} sb_rate_group;

/** xdot[dest] += factor * values[index]. */
typedef struct sb_rate_extra {
  int dest, index;
  double factor;
} sb_rate_extra;

/** d/dt quadrature[dest] += sum_r factor * (a + r) * (b + r); a, b < state_count: states, else values. */
typedef struct sb_product {
  int dest, a, b, count;
  double factor;
} sb_product;

/** d/dt quadrature[dest + r] = factor[r] * x[a + r stride] * x[b + r stride], the only products there. */
typedef struct sb_product_run {
  int count, stride, dest, a, b;
  int first; // in product_factor: a factor for each, or one for all
  bool uniform;
} sb_product_run;

typedef struct sb_program {
  sb_arena memory; // all but the causality
  /** Gives the states that its operations read in place of x, NULL if that fails; NULL: x itself. */
  const double *(*substitute)(sb_workspace *work, double t, const double x[]);
  const sb_operation *operations; // (SB_OPERATION_KINDS) how its operations are run
  sb_op *ops;
  int op_count, op_capacity;
  sb_row *rows;
  int row_count, row_capacity;
  int *index; // terms of the rows
  double *factor;
  int term_count, index_capacity, factor_capacity;
  sb_loop *loops;
  int loop_count, loop_capacity;
  sb_loop_hook *loop_hooks;
  int loop_hook_count, loop_hook_capacity;
  int *loop_inputs, *loop_outputs; // values; -1 - value: an input that is an output itself
  int loop_input_count, loop_input_capacity, loop_output_count, loop_output_capacity;
  bool *loop_feeds; // of loop_outputs: whether it is in an input of the loop
  int loop_feed_count, loop_feed_capacity;
  sb_loop_row *loop_rows; // of loop_inputs
  int loop_row_count, loop_row_capacity;
  sb_loop_term *loop_terms;
  int loop_term_count, loop_term_capacity;
  sb_loop_bond *loop_bonds;
  int loop_bond_count, loop_bond_capacity;
  sb_loop_term *
      loop_bond_terms; // column -1 - k: not an output but what is known before, state k, or value k less their number
  int loop_bond_term_count, loop_bond_term_capacity;
  sb_rate_run *runs;
  int run_count, run_capacity;
  sb_rate_band *bands;
  int band_count, band_capacity;
  double *band_factor;
  int band_factor_count, band_factor_capacity;
  sb_rate_group *groups;
  int group_count, group_capacity;
  int *rate_dest, *rate_index;
  double *rate_factor;
  sb_rate_extra *extras;
  int extra_count, extra_capacity;
  sb_product *products;
  int product_count, product_capacity;
  double *product_factor;
  int product_factor_count, product_factor_capacity;
  sb_product_run *product_runs;
  int product_run_count, product_run_capacity;
  int *zeros; // quadratures that products add to
  int zero_count, zero_capacity;
  int value_count;        // with temporaries
  sb_causality causality; // kept: the audit recomputes every port variable from it
} sb_program;

sb_status sb_program_create(const sb_network *network, const int modes[], sb_program **program,
                            sb_errors *errors);
void sb_program_destroy(sb_program *program);

/** Where the factors of a product stand. */
static inline const double *sb_product_factor(int index, const double x[], const double values[],
                                              int state_count) {
  return index < state_count ? x + index : values + (index - state_count);
}
/** xdot of the linear storages by states (rates.c). */
void sb_run_rates(const sb_program *program, const double x[], double xdot[]);
/** The powers of all products (rates.c). Returns 0 if those with values are finite; 0 times any other number
 *  is not 0. */
double sb_run_powers(const sb_program *program, const double x[], const double values[],
                     int state_count, double power[]);

#endif
