// SPDX-License-Identifier: GPL-3.0-or-later
// The reduced program of the present modes, which computes the same numbers, to the last bit, with fewer operations:
//   an idle element (all outputs zero in this mode) is not evaluated, and terms and products that read it are left out
//   a steady source is evaluated once
//   an input that equals an output of one other element is read at that output's place
// Inputs that are not filled for this reason are copied where all values are wanted (`inputs`).
#ifndef SB_CORE_PROGRAM_LIVE_H
#define SB_CORE_PROGRAM_LIVE_H

#include <stddef.h>

#include "core/program/program.h"

typedef struct sb_span {
  int first, count;
} sb_span;

/** What an operation of a live part takes but the time and the state, if it calls a hook. */
typedef struct sb_call {
  int (*hook)(const void *self, const sb_at *at, double y[]); // NULL: a law, or by the table
  int (*law)(const void *self, const sb_at *at, sb_variable assigned, double y[]); // NULL: none
  const void *self;
  double *out;     // NULL: rates of its states
  ptrdiff_t state; // first
  sb_at at;
} sb_call;

typedef struct sb_live {
  bool possible;             // the program has operations
  const sb_program *program; // whose part it is, NULL: of none yet
  int *modes;                // (mode_count) it is made for
  sb_program part; // borrows from the program, but for the operations, rows, terms and products
  sb_op inputs;    // a block of rows of the part: inputs that no hook of it reads
  sb_call *calls;  // (program->op_count) what they call, in the same places
  sb_span
      *rated; // (program->op_count) states whose rates they give, at most; of neighbours one span
  int rated_count;
  sb_span *still; // states whose rates are zero
  int still_count;
  int *integrals; // instances with an integral of their own that are not idle
  int integral_count;
  int *
      integral_call; // (network->integral_count) the call of the law of each; -1: none, as of those in a loop
  int *leader;         // (instances) the one that it is idle with; -1: none
  int *copy_of;        // (values) the value that this one is a copy of; -1: none
  int *source;         // (instances) the value where its inputs stand
  int *first_port;     // (instances) in the next, of kinds that are by_ports; -1
  int *port_source;    // the values where the inputs of each port stand
  const double **port; // and these places
  int port_count;
  bool *idle;   // (instances)
  bool *given;  // (values) an input that no hook reads
  bool *zero;   // (values) always zero in these modes
  bool *looped; // (values) an input of a loop, which writes it anew
  void *block;  // holds all of these
} sb_live;

/** Makes room for the parts of a program; the present one is none. False: out of memory */
bool sb_live_reserve(sb_live *live, const sb_network *network, const sb_program *program);
void sb_live_finish(sb_live *live);
/** Fills in where inputs stand: for the whole program, once (live_inputs.c). */
void sb_live_find_inputs(sb_live *live, const sb_network *network, const sb_program *program);
/** Whether an instance is idle in the modes that the part is made for. */
static inline bool sb_live_idles(const sb_live *live, int instance) {
  return live->possible && live->program != NULL && live->idle[instance];
}
/** Whether it idles with another one, so that nothing that it tells changes meanwhile. */
static inline bool sb_live_follows(const sb_live *live, int instance) {
  return sb_live_idles(live, instance) && live->leader[instance] != instance;
}
/** Whether an operation is a source whose value is computed once for a part. */
bool sb_live_is_steady(const sb_network *network, const sb_op *op);
/** Whether the part is that of these modes, too, as the same elements are idle: of a contact that slips or sticks. Takes
 *  them over then. */
bool sb_live_adapts(sb_live *live, const sb_network *network, const sb_program *program,
                    const int modes[]);
/** The part of the program in these modes. Values that are zero in it are set to zero.
 *  @param values  (program->value_count) those of steady sources are there */
void sb_live_make(sb_live *live, const sb_network *network, const sb_program *program,
                  const int modes[], double values[]);

#endif
