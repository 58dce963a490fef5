// SPDX-License-Identifier: GPL-3.0-or-later
// What a program can do in one operation: one row of a table for each kind states what it reads, what
// it computes and how it is run. The order of the program, the loops in it, the pattern of its Jacobian
// and its execution all work from these rows.
#ifndef SB_CORE_PROGRAM_OPERATION_H
#define SB_CORE_PROGRAM_OPERATION_H

#include "core/network/network.h"

typedef enum sb_operation_kind {
  SB_OP_OUTPUT,      // storage: output()
  SB_OP_VALUE,       // source: value(); dissipation by signals: law()
  SB_OP_LAW,         // dissipation: law()
  SB_OP_FORWARD,     // modulated structure: forward()
  SB_OP_ADJOINT,     // modulated structure: adjoint()
  SB_OP_RATE,        // storage: rate()
  SB_OP_SIGNAL,      // signal: output()
  SB_OP_SIGNAL_RATE, // signal: rate()
  SB_OP_SENSOR,      // an effort, flow or state that a signal reads: a row
  // time derivatives of what the others compute, needed for constraints
  SB_OP_OUTPUT_DOT, // storage: hessian() times the input, or its acceleration by it
  SB_OP_VALUE_DOT,
  SB_OP_FORWARD_DOT,
  SB_OP_ADJOINT_DOT,
  SB_OP_SIGNAL_DOT,
  SB_OP_SENSOR_DOT,
  SB_OP_MEASURE,    // what the kind of an element measures, for a signal
  SB_OP_MULTIPLIER, // the Lagrange multiplier of a constraint, by which its rate is zero
  SB_OP_BALANCE,    // the rate of an algebraic variable, by which its balance is met
  SB_OP_ALGEBRAIC,  // the algebraic variables of a group (core/model/algebraic.c)
  SB_OP_ROWS,       // a block of rows of the program
  SB_OP_LOOP,       // an algebraic loop (core/loop)
  SB_OPERATION_KINDS
} sb_operation_kind;

/** One operation of a program. */
typedef struct sb_op {
  sb_operation_kind kind;
  int instance; // of operations without hooks, while a program is ordered: their number; -1: none
  int first, count; // rows of SB_OP_ROWS; the loop of SB_OP_LOOP; the group of SB_OP_ALGEBRAIC;
                    // `count` of SB_OP_MEASURE: the sensor; else 0
} sb_op;

typedef struct sb_workspace sb_workspace;
/** Runs an operation at (t, x): reads and writes the values of the workspace, or writes xdot.
 *  @return 0; else the hook failed */
typedef int (*sb_op_run)(sb_workspace *work, const sb_op *op, double t, const double x[],
                         double xdot[]);

/** Which components of an instance's ports. */
typedef enum sb_components {
  SB_COMPONENTS_NONE,
  SB_COMPONENTS_ALL,
  SB_COMPONENTS_A, // those on side A of a modulated structure
  SB_COMPONENTS_B
} sb_components;

typedef struct sb_operation {
  sb_components reads, gives; // port inputs and outputs
  bool reads_rates;           // and the rates of those inputs
  bool gives_signals;         // the instance's own signal outputs
  bool gives_xdot;            // rates of the instance's states
  bool dot;                   // what it computes are time derivatives
  bool row;                   // is no hook of an instance
  sb_op_run run;              // NULL: by rows, by core/loop or core/model
  /** The hook of an instance that it calls; NULL: none. @param y  out: what it computes */
  int (*hook)(const sb_instance *instance, const sb_at *at, double y[]);
} sb_operation;

/** The table; discrete gradient methods run a copy with other functions. */
extern const sb_operation sb_operations[SB_OPERATION_KINDS];

/** Whether an operation is no more than a condition that a loop solves for its unknown. */
static inline bool sb_operation_is_condition(sb_operation_kind kind) {
  return kind == SB_OP_MULTIPLIER || kind == SB_OP_BALANCE;
}
/** Whether a set of components holds one of an instance's. */
bool sb_components_hold(sb_components set, const sb_instance *instance, int component);
/** The port inputs that an operation reads, of a measured quantity those that it is of. */
sb_components sb_operation_reads(const sb_network *network, const sb_op *op);
/** Signals whose values it reads: those with states output these, whatever their inputs. */
int sb_operation_wires(sb_operation_kind kind, const sb_instance *instance);
/** Signals whose rates it reads. */
int sb_operation_wire_rates(sb_operation_kind kind, const sb_instance *instance);
/** Whether it must follow the instance's first operation, whose signals it reads. */
bool sb_operation_follows(sb_operation_kind kind, const sb_instance *instance);

/** The operations of an instance with hooks, in order. Returns how many.
 *  @param dots  with the time derivatives, where they are known */
int sb_operations_of(const sb_instance *instance, bool dots, sb_operation_kind kinds[4]);

#endif
