// SPDX-License-Identifier: GPL-3.0-or-later
// An element kind is one constant table. The core knows state vectors and ports of a dimension; what
// an element does is in at most six hooks of its role (NULL: does not do that):
//   storage      state x, energy H(x); port input u, output y, with dH/dt = y . u
//   dissipation  a law between effort and flow that never supplies power
//   source       an effort or a flow as a function of time, of signals or of outside inputs
//   structure    a Dirac structure E e + F f = 0, constant, modulated by signals or switched
//   signal       a function or an integral of signals; it has no ports and carries no power
// What only few kinds need stands in groups of optional hooks behind these, in headers of their own: storage_options.h,
// structure_options.h, switching.h, measures.h. A new kind begins without them. The energy ledger follows from the role
// alone: no element keeps accounts of its own.
//
// Arrays of ports (u, y, in) hold one number for each component, port after port; efforts and flows
// are in the SI units of the port's domain, so that effort times flow is a power [W].
#ifndef SB_CORE_ELEMENT_H
#define SB_CORE_ELEMENT_H

#include "core/graph/measures.h"
#include "core/graph/param.h"
#include "core/graph/storage_options.h"
#include "core/graph/structure_options.h"
#include "core/graph/switching.h"

typedef enum sb_role { SB_STORAGE, SB_DISSIPATION, SB_SOURCE, SB_STRUCTURE, SB_SIGNAL } sb_role;
/** The output variable of a port. SB_INDIFFERENT: the network assigns it; SB_OPPOSITE: the other one
 *  than at the element's ports of indifferent causality. */
typedef enum sb_variable { SB_EFFORT, SB_FLOW, SB_INDIFFERENT, SB_OPPOSITE } sb_variable;

/** The output variable of a port.
 *  @param declared  by its kind
 *  @param assigned  the input variable of the element's ports of indifferent causality */
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
  sb_variable output; // what the element computes
  bool shared;        // any number of bonds may meet here, and share the element's output
  bool many;          // every bond makes a new port (junctions); only as the sole port
  char common;        // of many: 'e' or 'f', which of both all bonds share; 0: it is not told
  /** It exists only if it or a port behind it has a bond; behind all others. A shared one that stands before others has
   *  no components without a bond of its own. */
  bool optional;
  char side; // modulated structures: 'A' is what forward() reads, 'B' what it writes
} sb_port_spec;

/** The number of ports of a kind.
 *  @param ports     NULL: none
 *  @param optional  with the optional ones */
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
  int count;        // numbers
  bool input;
  bool many; // the last input: any number of signals end here, in the order of their connection
} sb_signal_spec;

/** What hooks see. Pointers are valid during the call. */
typedef struct sb_at {
  double t;      // [s]
  double inside; // [s] a time inside the present smooth piece, to choose branches
  /** A number of (t, x), by which hooks that are called more than once there share what they have found; 0: within a
   *  right-hand side, where it is not known. */
  long point;
  const double *x;  // (states) own state
  const double *in; // (components) port inputs, port after port
  const double *const
      *ports;       // (ports) those of each port, which stand elsewhere; NULL: they do not
  const int *first; // (ports + 1) the first component of each port, then how many there are
  const double *const *signals;      // (signal inputs) the outputs that they are connected to
  const double *in_rate;             // (components) d/dt of in: for the hooks that give rates
  const double *const *signal_rates; // (signal inputs) d/dt of the signals, for the same
  double *own;            // own signal outputs; written by output(), law(), value() or forward()
  const double *discrete; // (discrete_states) as they were set at the last accepted step or event
  const sb_branches *branches;   // of expressions, that are held; NULL: none are
  int mode;                      // of a switching element
  int dim;                       // components of its first port
  sb_variable assigned;          // the input variable of its ports of indifferent causality
  const struct sb_history *past; // of a delay: what its input has been; core/base/history.h
  double *input;                 // (external) what the embedding program set, for sources
  /** (1) Of a law with an infinite slope at zero: below this size its input is at rest as far as the run tells, and it gives
   *  in proportion; NULL or zero: nowhere. */
  const double *rest;
} sb_at;

/** The inputs of a port, for the kinds that are `by_ports`.  @param first  of its components */
static inline const double *sb_at_port(const sb_at *at, int port, int first) {
  return at->ports != NULL ? at->ports[port] : at->in + first;
}

/** Rows of a kernel form E e + F f = 0 as a list of entries. */
typedef struct sb_kernel sb_kernel;
/** Adds a coefficient of E or F. Memory that runs out is remembered in the kernel and reported by
 *  whoever made it.
 *  @param component  counted through all ports of the element
 *  @param variable   SB_EFFORT: of E, SB_FLOW: of F */
SB_API void sb_kernel_add(sb_kernel *kernel, int row, int component, sb_variable variable,
                          double value);
/** The same of a coefficient that is known to the rounding of more than its own size, as a lever is to that of the places that it is the
 *  difference of.  @param terms  the sum of their absolute values */
SB_API void sb_kernel_add_of(sb_kernel *kernel, int row, int component, sb_variable variable,
                             double value, double terms);

/** What init() decides beyond the parameters. */
typedef struct sb_layout {
  int states;
  sb_port *ports; // (port_count) as declared, those that exist; junctions: those of the bonds
  int port_count;
  int wires;     // signals that end at the input of any number
  bool one_mode; // set by an element of a kind that switches if it does not
  /** Pieces of the law of an element that switches for the sake of steps alone: discrete states tell the present one, and where they are
   *  zero the law follows its input. 0: it is none. */
  int pieces;
  int dim;                        // components of ports declared with dim 0; 0: unknown yet
  const char *const *state_units; // (states) SI; as its kind declares, if not set by init()
  /** The output variable of ports of indifferent causality that is preferred where the network allows
   *  both: the effort, or the flow. */
  sb_variable preferred;
  bool
      rises; // set by a dissipation of one effort and one flow: each is larger where the other is, everywhere
  bool continuous; // after that: it rises without a jump
} sb_layout;

/** State x, energy H(x), output y, input u = at->in, with dH/dt = y . u for every u. */
typedef struct sb_storage_hooks {
  /** If y = K x, xdot = u, H = x.Kx/2 with constant K (states x states, row-major): fills K and
   *  returns true. The core then needs no other hook but start. Where output() is set, it answers
   *  for these too, or with a status that is not 0; the audit compares. */
  bool (*linear)(const void *self, int dim, double K[]);
  void (*start)(const void *self, double x[]); // x (states) at t = 0; NULL: zero
  /** y(x, signals) (components), not of at->in. @return 0; < 0: there is no answer */
  int (*output)(const void *self, const sb_at *at, double y[]);
  /** xdot(x, u, signals) (states). @return as output() */
  int (*rate)(const void *self, const sb_at *at, double xdot[]);
  double (*energy)(const void *self, const sb_at *at); // H [J]
  /** Sets x (states) after an event of an element whose signals it reads, unless it `continues`; NULL: x
   *  goes on. */
  void (*reset)(const void *self, const sb_at *at, double x[]);
  const sb_storage_structure
      *structure;             // NULL: y = dH/dx and xdot = u, or discrete gradients do not know it
  sb_storage_signals signals; // optional
  sb_storage_sizes sizes;     // optional
  sb_storage_manifold manifold;       // optional
  sb_storage_constraints constraints; // optional
  sb_storage_audit audit;             // optional
  const sb_storage_chart *chart;      // optional
} sb_storage_hooks;

/** A law between efforts and flows with e . f >= 0. */
typedef struct sb_dissipation_hooks {
  /** If e = R f with constant R (components x components, row-major): fills R and returns true. */
  bool (*linear)(const void *self, int dim, double R[]);
  /** The output y (components) from the input at->in; `assigned` is the variable of the input.
   *  Of a linear element the audit asks it for the effort.
   *  @return 0; < 0: there is no answer */
  int (*law)(const void *self, const sb_at *at, sb_variable assigned, double y[]);
  /** law() reads signals alone, and no port: it dissipates by how these come about. Its output is the one that its
   *  ports declare. */
  bool by_signals;
  /** What law() reads of an algebraic loop enters linearly, as the normal force enters Coulomb's friction. */
  bool affine;
  /** Of such a law: the sum of the absolute values of the terms of its power e.f [W], with the terms of the efforts that its
   *  signals tell: e.f is known to the rounding of it. NULL: what the ports have. */
  double (*terms)(const void *self, const sb_at *at);
  /** Whether the mode in which law() holds has ended, as that of a contact that pulls: at the event that ends it the power says nothing.
   *  NULL: it has not. */
  bool (*ended)(const void *self, const sb_at *at);
  /** dy/du of a law of one input u and one output y; not a number where it is not known, and may be
   *  infinite. NULL: unknown. Newton's method then takes differences. */
  double (*slope)(const void *self, const sb_at *at, sb_variable assigned);
  sb_jumping_law jumps; // optional
} sb_dissipation_hooks;

/** An effort or a flow from outside. */
typedef struct sb_source_hooks {
  /** y(t, signals, input) (components). @return 0; < 0: there is no answer */
  int (*value)(const void *self, const sb_at *at, double y[]);
  /** dy/dt (components) by the rates of the signals, so that storages may depend on the source.
   *  NULL: unknown. */
  int (*rate)(const void *self, const sb_at *at, double ydot[]);
  /** Of value(): the sum of the absolute values of the terms of each number, with the condition of what is computed from them: it is
   *  known to the rounding of that. 1 - cos(w t) is to that of 1. NULL: to that of its values. */
  void (*terms)(const void *self, const sb_at *at, double terms[]);
  int (*external)(const void *self); // how many numbers the embedding program sets; NULL: 0
  bool (*steady)(
      const void *self); // value() gives the same always and cannot fail; NULL: it may not
} sb_source_hooks;

/** Of a signal that gives what its input was some time ago: the run remembers the input. */
typedef struct sb_delay_hooks {
  double (*lag)(const void *self);                    // [s] above zero: how long ago
  double (*input)(const void *self, const sb_at *at); // what is remembered
  double (*before)(const void *self); // what it was before the start; NAN: as at the start
} sb_delay_hooks;

/** Signals: own outputs from the states, if there are any, else from the inputs, and the time. */
typedef struct sb_signal_hooks {
  /** Fills own (signal outputs). @return 0; < 0: there is no answer */
  int (*output)(const void *self, const sb_at *at, double own[]);
  void (*start)(const void *self, double x[]);                   // x (states) at t = 0; NULL: zero
  int (*rate)(const void *self, const sb_at *at, double xdot[]); // xdot (states)
  /** d/dt of output() by the rates of the signals; NULL: unknown. */
  int (*output_rate)(const void *self, const sb_at *at, double rate[]);
  /** Of output(), as of sources. */
  void (*terms)(const void *self, const sb_at *at, double terms[]);
  /** Whether output() reads the signals. NULL: it does if there are no states. */
  bool (*reads)(const void *self);
  /** NULL: it is no delay. Its output() takes the input from at->past and reads no signals. */
  const sb_delay_hooks *delay;
  /** Of what takes its input at times and holds it: that, and for how long; `before` is not asked. NULL: it does not. */
  const sb_delay_hooks *samples;
  /** How many times the value of its one expression output() is; what else is in it comes of the states alone. NULL: unknown. */
  double (*through)(const void *self);
  /** The same of the rates of its states, less what they have because the time is rounded; NULL: what its inputs move tells.
   *  @param own  (states) out */
  void (*rate_terms)(const void *self, const sb_at *at, double own[]);
  bool integrates; // its state, if it has one, is the integral of its one expression
} sb_signal_hooks;

/** A power-free relation E e + F f = 0 of its ports, E F^T + F E^T = 0. Constant structures have
 *  kernel() only. Modulated ones also the operator form: with inputs of side A forward() gives the
 *  outputs of side B, y = B(signals) u, with inputs of side B adjoint() those of side A, by B^T up to
 *  the sign; both write y at the place of the output component among all components. */
typedef struct sb_structure_hooks {
  /** The rows of E and F (components x components), by sb_kernel_add(). */
  void (*kernel)(const void *self, const sb_at *at, const sb_layout *layout, sb_kernel *kernel);
  int (*forward)(const void *self, const sb_at *at, double y[]);
  int (*adjoint)(const void *self, const sb_at *at, double y[]);
  /** Constant structures may have states, as many as components, that carry no energy: the integrals of
   *  the flows of their ports (displacements). x (states) at t = 0; NULL: zero. */
  void (*start)(const void *self, double x[]);
  /** How far such states are foreseen to move (states), from the parameters: their errors count relative to 1e-6 of it at
   *  least; NULL: relative to how far they have moved alone. */
  void (*nominal)(const void *self, double size[]);
  sb_structure_rates rates; // optional
  sb_division division;     // optional
  sb_structure_audit audit; // optional
  /** Words why forward(), adjoint() or the event indicators have no answer at this point or right behind it;
   *  SB_OK: nothing tells. NULL: as no finite number. */
  sb_status (*explain)(const void *self, const sb_at *at, sb_error *err);
  /** Words why steps have become too short to advance, as an effort is infinite close to this point, or jumps without end; SB_OK:
   *  nothing tells. NULL: nothing does. */
  sb_status (*unbounded)(const void *self, const sb_at *at, sb_error *err);
} sb_structure_hooks;

/** Where what sources and signals prescribe is not smooth in time. */
typedef struct sb_time_hooks {
  double (*next_break)(const void *self, double t); // [s] first kink after t; HUGE_VAL: none
  double (*horizon)(const void *self); // [s] longest step that misses no turn; NULL: any
} sb_time_hooks;

typedef struct sb_element_type {
  const char *name, *help;
  const char *example; // a netlist line for the help
  sb_role role;
  size_t size; // [bytes] of the data of an element, `self` of the hooks
  const sb_param *params;
  const sb_port_spec *ports;
  const sb_signal_spec *signals;  // outputs first, then inputs
  const char *const *state_names; // (states, NULL); NULL: "q" or "p"
  const char *const
      *state_units; // (states) SI; NULL: those of what the ports integrate, if they do
  /** Lengths of the vectors that the states form, in their order, 1 for a number by itself; 0 ends the list. The
   *  components of a vector have one unit, and their errors count by its length, so that no axes are special.
   *  NULL: each state is a number by itself. */
  const int *state_vectors;
  /** Checks the parameters, and derives what the hooks need. */
  sb_status (*init)(void *self, sb_layout *layout, sb_error *err);
  // the hooks of its role; the others are NULL
  const sb_storage_hooks *storage;
  const sb_dissipation_hooks *dissipation;
  const sb_source_hooks *source;
  const sb_structure_hooks *structure;
  const sb_signal_hooks *signal;
  // optional, for every role
  const sb_switching_hooks *switching;
  const sb_time_hooks *time;
  const sb_place_hooks *place;
  sb_measures measures;
  bool one_domain; // its ports are all of one physical domain
  bool component;  // another kind makes it; nobody writes it into a netlist
  /** From 1: a signal input. While the element that gives it is idle, so is this one. 0: none. */
  int idles_with;
  bool
      by_ports; // a structure whose forward() and adjoint() take their inputs by sb_at_port() alone
} sb_element_type;

#endif
