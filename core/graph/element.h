// SPDX-License-Identifier: GPL-3.0-or-later
// An element kind is one constant table. The core knows vectors and ports of a dimension; what an
// element does is in at most a handful of hooks of its role (NULL: does not do that):
//   storage      state x, energy H(x); port input u, output y, with dH/dt = y . u
//   dissipation  a law between effort and flow that never gives power
//   source       effort or flow from time or from outside
//   structure    a Dirac structure E e + F f = 0, constant, modulated by signals or switched
//   signal       a function or an integral of signals; it has no ports and carries no power
// The audit follows from the role alone: no element keeps books of its own.
#ifndef SB_CORE_ELEMENT_H
#define SB_CORE_ELEMENT_H

#include "core/graph/param.h"

typedef enum sb_role { SB_STORAGE, SB_DISSIPATION, SB_SOURCE, SB_STRUCTURE, SB_SIGNAL } sb_role;
/** SB_OPPOSITE: what a port gives that does not give what the element's ports of SB_INDIFFERENT do. */
typedef enum sb_variable { SB_EFFORT, SB_FLOW, SB_INDIFFERENT, SB_OPPOSITE } sb_variable;

/** What a port gives if the ports of SB_INDIFFERENT are given `given`. */
static inline sb_variable sb_output_variable(sb_variable declared, sb_variable assigned) {
  return declared == SB_INDIFFERENT ? (assigned == SB_EFFORT ? SB_FLOW : SB_EFFORT)
         : declared == SB_OPPOSITE  ? assigned
                                    : declared;
}

/** A port as its kind declares it. Power counts positive into a storage or dissipation, out of a
 *  source, and out of a structure into what is attached; into a structure of one port (a switch). */
typedef struct sb_port_spec {
  const char *name;   // NULL ends the list
  int dim;            // components; 0: the element's own `dim`, or what the bonds say
  const char *domain; // NULL: any
  sb_variable output; // what the element gives; SB_INDIFFERENT: what the network leaves to it
  bool shared;        // any number of bonds may meet here, and share the element's output
  bool many;          // every bond makes a new port (junctions); only as the sole port
  bool optional;      // there only where a bond needs it or one behind it; behind all others
  char side;          // modulated structures: 'A' is what forward() reads, 'B' what it writes
} sb_port_spec;

/** The ports of a kind; those that are not optional. */
static inline int sb_port_count(const sb_port_spec *ports, bool optional) {
  int count = 0;
  while (ports != NULL && ports[count].name != NULL && (optional || !ports[count].optional)) {
    count++;
  }
  return count;
}

/** A port of one element. init() may change dim, domain and output. */
typedef struct sb_port {
  int dim;
  const char *domain;
  sb_variable output;
  double sign; // of a structure: +1 if the bond's half arrow leaves it, -1 if it arrives
} sb_port;

/** A signal: powerless, one way. Inputs must be connected: to an output of the same size or, if they
 *  have one component, to an effort, a flow or a state. */
typedef struct sb_signal_spec {
  const char *name; // NULL ends the list
  int count;
  bool input;
  bool many; // the last input: any number of wires end here, in the order of their making
} sb_signal_spec;

/** A named quantity to print or read. offset >= 0: a part of the element's signal outputs, else
 *  the kind's measure() is called with the row's number. */
typedef struct sb_quantity_spec {
  const char *name; // NULL ends the list
  int count;
  const char *unit; // or "@f2/f1", "@e2/f1": a ratio of port variables
  const char *help;
} sb_quantity_spec;

/** What hooks see. Pointers are valid during the call. */
typedef struct sb_at {
  double t;                     // [s]
  double inside;                // [s] a time inside the present smooth piece, to choose branches
  const double *x;              // (states) own state
  const double *in;             // port inputs, port after port
  const double *const *signals; // the connected outputs, one pointer per signal input
  const double *in_rate;        // d/dt of in, and of the signals: for the hooks that give
  const double *const *signal_rates; // rates of what the element gives
  double *own;            // own signal outputs; written by output(), value() or forward()
  const double *discrete; // (memos) what was latched at the last accepted step or event
  int mode;               // of a switching element
  int dim;                // components of its first port
  sb_variable assigned;   // what its ports of SB_INDIFFERENT are given
  double *input;          // (external) what the embedding program set, for sources
} sb_at;

/** Rows of a kernel form E e + F f = 0 as a list of entries. */
typedef struct sb_kernel sb_kernel;
/** Adds a coefficient; `component` counts through all ports of the element. Memory that runs out is
 *  remembered in the kernel and reported by whoever made it. */
SB_API void sb_kernel_add(sb_kernel *kernel, int row, int component, sb_variable variable,
                          double value);

/** What init() decides beyond the parameters. */
typedef struct sb_layout {
  int states;
  sb_port *ports; // (port_count) as declared, those there; junctions: those that the bonds made
  int port_count;
  int wires; // that end at the input of any number
  int dim;   // components of ports declared with dim 0; 0: unknown yet
  /** What the ports of SB_INDIFFERENT give where the network leaves that open: the effort, or the flow. */
  sb_variable preferred;
} sb_layout;

typedef struct sb_storage_hooks {
  /** If y = K x, xdot = u, H = x.Kx/2 with constant K (states x states, row-major): fills K and
   *  returns true. The core then needs no other hook but start. Where output() is there, it answers
   *  for these too, or with a status that is not 0; the audit compares. */
  bool (*linear)(const void *self, int dim, double K[]);
  /** If K cannot be inverted, as some y carries no energy: fills M of x = M y and returns true. K is then
   *  zero in the rows and columns of the states that follow from the others, x = M K x. NULL: it can. */
  bool (*inverse)(const void *self, int dim, double M[]);
  void (*start)(const void *self, double x[]);
  int (*output)(const void *self, const sb_at *at, double y[]); // may use x and signals, not in
  int (*rate)(const void *self, const sb_at *at, double xdot[]);
  double (*energy)(const void *self, const sb_at *at); // [J]
  /** Sum of the absolute values of the energy's terms [J], to judge residuals by; NULL: |H|. */
  double (*magnitude)(const void *self, const sb_at *at);
  /** With y = dH/dx of at->x alone and xdot = u: the Hessian of H (states x states, row-major), so that
   *  the storage may depend on others, tied to it by the network. NULL: it may not. */
  int (*hessian)(const void *self, const sb_at *at, double K[]);
  /** What the energy is summed up from, without signs [J]: to rounding of this it is known, which is far
   *  more than |H| where terms cancel. NULL: magnitude. */
  double (*terms)(const void *self, const sb_at *at);
  void (*reset)(const void *self, const sb_at *at, double x[]); // after an event it listens to
  /** How far the rates are from what must hold beyond the energy, relative to the terms, with the
   *  input at->in and the port's output y: a pose moves as the port's twist says. For the audit. */
  double (*motion)(const void *self, const sb_at *at, const double y[], const double xdot[]);
} sb_storage_hooks;

typedef struct sb_dissipation_hooks {
  bool (*linear)(const void *self, int dim, double R[]); // e = R f, as above
  /** The port's output from at->in; `given` says which variable in is. Returns 0 if possible. Of a
   *  linear element the audit asks it for the effort. */
  int (*law)(const void *self, const sb_at *at, sb_variable assigned, double y[]);
} sb_dissipation_hooks;

typedef struct sb_source_hooks {
  int (*value)(const void *self, const sb_at *at, double y[]);
  double (*next_break)(const void *self, double t); // first kink after t [s]; HUGE_VAL: none
  int (*external)(const void *self);                // how many numbers come from outside
  /** d/dt of value(), by the rates of the signals; NULL: unknown. */
  int (*rate)(const void *self, const sb_at *at, double ydot[]);
  double (*horizon)(const void *self); // [s] longest step that sees its turns; NULL: any
} sb_source_hooks;

/** Signals: own outputs from states, if there are any, else from the inputs, and the time. */
typedef struct sb_signal_hooks {
  int (*output)(const void *self, const sb_at *at, double own[]);
  void (*start)(const void *self, double x[]);
  int (*rate)(const void *self, const sb_at *at, double xdot[]);
  /** d/dt of output(), by the rates of the signals; NULL: unknown. With states the outputs are these. */
  int (*output_rate)(const void *self, const sb_at *at, double rate[]);
  double (*next_break)(const void *self, double t); // as of sources
  double (*horizon)(const void *self);
} sb_signal_hooks;

/** Constant structures have kernel() only. Modulated ones also the operator form: with inputs of
 *  side A forward() gives the outputs of side B, with inputs of side B adjoint() those of side A;
 *  both write y at the place of the output component among all components.
 *  Constant ones may have states, as many as components, that carry no energy: what they integrate is
 *  the flow of their ports (a displacement); start() sets them. */
typedef struct sb_structure_hooks {
  void (*kernel)(const void *self, const sb_at *at, const sb_layout *layout, sb_kernel *kernel);
  int (*forward)(const void *self, const sb_at *at, double y[]);
  int (*adjoint)(const void *self, const sb_at *at, double y[]);
  /** d/dt of forward() and adjoint(), by the rates of the inputs and of the signals, so that storages
   *  may depend on each other through the structure. NULL: they may not. */
  int (*forward_rate)(const void *self, const sb_at *at, double ydot[]);
  int (*adjoint_rate)(const void *self, const sb_at *at, double ydot[]);
  void (*start)(const void *self, double x[]);
  /** What forward() and adjoint() divide by in the causality at->given, HUGE_VAL: by nothing; and how
   *  messages call it. A run ends with an error where it goes to zero. NULL: they never divide. */
  double (*divisor)(const void *self, const sb_at *at);
  const char *divisor_name;
} sb_structure_hooks;

enum { SB_INDICATORS_MAX = 4, SB_HESSIAN_MAX = 8 };

/** How an element takes an event. */
typedef struct sb_transition {
  int mode;         // the new mode
  const char *kind; // as reported: "touch", "release", "switch", ...; NULL: not reported
  /** Of a constant structure whose new mode makes storages meet by impulses: they are thrown back by
   *  this part of what the impulses took (Newton's restitution), and the mode becomes `rebound`. */
  double restitution;
  int rebound;
  sb_error *err; // where a refusal is worded
} sb_transition;

/** Switching: guards are functions of the state that fire when they cross zero downwards. For
 *  constant structures at->in holds the efforts and then the flows of all components. */
typedef struct sb_switching_hooks {
  bool sees_ports; // of a constant structure: the hooks below read at->in
  int (*initial_mode)(const void *self, const sb_at *at, double discrete[]);
  /** Values and, where known, time derivatives (else NAN) of the guards armed in this mode. */
  int (*indicators)(const void *self, const sb_at *at, double g[], double gdot[]);
  sb_status (*fire)(const void *self, const sb_at *at, int indicator, double discrete[],
                    sb_transition *out); // guard < 0: the time of next_time() has come
  double (*next_time)(const void *self, const sb_at *at, double t);
  double (*horizon)(const void *self, const sb_at *at); // longest step that can miss nothing [s]
  void (*accept)(const void *self, const sb_at *at, double discrete[]); // after each accepted step
} sb_switching_hooks;

typedef struct sb_element_type {
  const char *name, *help;
  sb_role role;
  size_t size; // of the instance data
  const sb_param *params;
  const sb_port_spec *ports;
  const sb_signal_spec *signals;      // outputs first, then inputs
  const sb_quantity_spec *quantities; // beyond the port variables and states
  int discrete_states;                // numbers latched between steps
  const char *const *state_names;     // NULL: "q" or "p"
  sb_status (*init)(void *self, sb_layout *layout, sb_error *err); // checks and derives
  void (*measure)(const void *self, const sb_at *at, int quantity, double out[]);
  const char *(*unit)(const void *self, int quantity); // NULL: as the table of quantities says
  const sb_storage_hooks *storage;
  const sb_dissipation_hooks *dissipation;
  const sb_source_hooks *source;
  const sb_structure_hooks *structure;
  const sb_signal_hooks *signal;
  const sb_switching_hooks *switching;
  bool one_domain;     // its ports are all of one physical domain
  const char *example; // a netlist line for the help
} sb_element_type;

#endif
