// SPDX-License-Identifier: GPL-3.0-or-later
// An element kind is one constant table. The core knows state vectors and ports of a dimension; what
// an element does is in at most six hooks of its role (NULL: does not do that):
//   storage      state x, energy H(x); port input u, output y, with dH/dt = y . u
//   dissipation  a law between effort and flow that never supplies power
//   source       an effort or a flow as a function of time, of signals or of outside inputs
//   structure    a Dirac structure E e + F f = 0, constant, modulated by signals or switched
//   signal       a function or an integral of signals; it has no ports and carries no power
// What only few kinds need stands in groups of optional hooks behind these. The energy ledger follows
// from the role alone: no element keeps accounts of its own.
//
// Arrays of ports (u, y, in) hold one number for each component, port after port; efforts and flows
// are in the SI units of the port's domain, so that effort times flow is a power [W].
#ifndef SB_CORE_ELEMENT_H
#define SB_CORE_ELEMENT_H

#include "core/graph/param.h"

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

/** A named quantity to print or read. */
typedef struct sb_quantity_spec {
  const char *name; // NULL ends the list
  int count;        // numbers
  const char *
      unit; // SI, or "@f2/f1", "@e2/f1": a ratio of port variables; or one for each number, with blanks between
  const char *help;
} sb_quantity_spec;

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

/** What init() decides beyond the parameters. */
typedef struct sb_layout {
  int states;
  sb_port *ports; // (port_count) as declared, those that exist; junctions: those of the bonds
  int port_count;
  int wires;     // signals that end at the input of any number
  bool one_mode; // set by an element of a kind that switches if it does not
  int dim;       // components of ports declared with dim 0; 0: unknown yet
  /** The output variable of ports of indifferent causality that is preferred where the network allows
   *  both: the effort, or the flow. */
  sb_variable preferred;
} sb_layout;

/** How the output of a storage changes whose states do not integrate its inputs, as the twist of a body. It is linear in
 *  the inputs; impulses at its ports, which move its states, change it likewise. */
typedef struct sb_storage_acceleration {
  /** d/dt of output() by the inputs at->in (components). @return as output() */
  int (*rate)(const void *self, const sb_at *at, double ydot[]);
  /** An impulse w (components) at the ports: it moves the states by dx (states) and the output by dy (components).
   *  @param gradient  (states) out: d(w.y)/dx over the states that impulses move, zero at the others
   *  @param dx        as gradient and dy, NULL: not wanted
   *  @return as output() */
  int (*impulse)(const void *self, const sb_at *at, const double w[], double dx[],
                 double gradient[], double dy[]);
  /** Moves what the states have of places by a displacement, the velocities that an impulse made, taken for a time of 1 s.
   *  @param moved  (states) where impulse() gives the gradient  @param x  (states) in and out */
  void (*displace)(const void *self, const sb_at *at, const double moved[], double x[]);
  /** size (components) of what rate() is the difference of, after that: a rate that forces hold at zero is the rounding of
   *  this. NULL: of what the inputs make */
  void (*terms)(const void *self, const sb_at *at, double size[]);
} sb_storage_acceleration;

/** Lets the network make a storage dependent on others (derivative causality). */
typedef struct sb_storage_constraints {
  /** Of a linear storage whose K is singular, as some y carries no energy: fills M of x = M y
   *  (states x states, row-major) and returns true. K is then zero in the rows and columns of the
   *  states that depend on the others, x = M K x. NULL: K is regular. */
  bool (*inverse)(const void *self, int dim, double M[]);
  /** With y = dH/dx of at->x alone and xdot = u: the Hessian d2H/dx2 (states x states, row-major), of
   *  at most SB_HESSIAN_MAX states. NULL: the storage cannot depend on others, unless it accelerates. */
  int (*hessian)(const void *self, const sb_at *at, double K[]);
  /** In its place where xdot is not u. NULL: it is. */
  const sb_storage_acceleration *acceleration;
} sb_storage_constraints;

/** Lets the audit judge an energy by its rounding, and what no energy tells. */
typedef struct sb_storage_audit {
  /** The sum of the absolute values of the terms that H is computed from [J]: H is known to the rounding
   *  of this, which is far more than |H| where terms cancel. NULL: |H|. */
  double (*terms)(const void *self, const sb_at *at);
  /** sum |dH/dx.(x - x0)| [J] over the vectors that the states form, what they have exchanged since they were x0, to judge
   *  residuals by: a constant in H is no part of it. NULL: by output(), if each state has one, else |H - H0|. */
  double (*exchanged)(const void *self, const sb_at *at, const double x0[]);
  /** How far the rates xdot (states) are from what must hold beyond the energy, relative to the terms,
   *  with the input at->in and the output y (components): a pose moves as the port's twist says. */
  double (*motion)(const void *self, const sb_at *at, const double y[], const double xdot[]);
  /** H(x) [J] with what H reads of signals as it will be after a time h [s], by the rates that follow from the
   *  input at->in. NULL: H reads no signals. */
  double (*ahead)(const void *self, const sb_at *at, double h);
} sb_storage_audit;

/** A step of a discrete gradient method; at->x is its middle. */
typedef struct sb_gradient_step {
  const double *before; // (states) x at its beginning
  double h;             // [s] its length
  /** (components) impulses at the ports by which y meets the constraints of the network, NULL: there are none. What
   *  they change of y is taken back from the chain rule elsewhere: they do no work. */
  const double *push;
} sb_gradient_step;

/** Of a storage whose states do not integrate its inputs: xdot = J(x) dH/dx + G(x) u, y = G(x)^T dH/dx with a skew-symmetric
 *  J, so that with any numbers in the place of dH/dx the power y.u is dH/dx.xdot: discrete gradient methods put theirs there. */
typedef struct sb_storage_structure {
  /** dH/dx (states) at at->x; what output() has left stays. @return as output() */
  int (*gradient)(const void *self, const sb_at *at, double gradient[]);
  /** y (components) and then xdot (states) by `gradient`, with J and G of at->x, after output() there. @param y, xdot  NULL:
   *  not wanted */
  int (*act)(const void *self, const sb_at *at, const sb_gradient_step *step,
             const double gradient[], double y[], double xdot[]);
  /** dy (components) by a change of those of the states that inputs move, dx (states), with what else holds y over the
   *  step, after act(). NULL: nothing can depend on it. */
  void (*respond)(const void *self, const sb_at *at, const double dx[], double dy[]);
} sb_storage_structure;

/** Variables z in which explicit methods step in place of the states x, where small errors of some states would be large ones of
 *  outputs. They are of the size of the states. */
typedef struct sb_storage_chart {
  /** Whether they serve better than the states. */
  bool (*serves)(const void *self);
  /** scale (states) at x, where steps begin: 0 of states that are their own variable.
   *  @return what rounding makes of the rates of the variables, as a fraction of them; HUGE_VAL: there is no answer */
  double (*scale)(const void *self, const sb_at *at, double scale[]);
  /** z (states) of at->x. @return as output() */
  int (*enter)(const void *self, const sb_at *at, const double scale[], double z[]);
  /** x (states) of z, which is at->x. */
  void (*leave)(const void *self, const sb_at *at, const double scale[], double x[]);
  /** zdot (states), in: xdot, after rate() at x. @return as output() */
  int (*rates)(const void *self, const sb_at *at, const double scale[], double zdot[]);
} sb_storage_chart;

struct sb_text; // core/base/text.h

/** What counts of the states, where more than their own amount tells: of poses, and of springs that touch now and then. */
typedef struct sb_storage_sizes {
  /** The size of each state (states), by which its error becomes a number without a unit: what holds the
   *  energy that the storage holds now or, if that is more, `floor` [J]. It must not depend on where the
   *  origin is. Of linear storages, and of those with a Hessian, the core knows it; else NULL: |x|.
   *  @param size  (states) in: 0 or the largest so far; out: no less; HUGE_VAL: no error matters
   *  @return the energy that it holds, above the least that it can hold [J] */
  double (*nominal)(const void *self, const sb_at *at, double floor, double size[]);
  /** The states count with this fraction of the amplitude that would hold the largest energy in the part, at least. 0: by what
   *  the integrator takes. */
  double least;
  /** The energy that is the rounding of places [J], (1/2) K (eps |c|)^2 of a stiffness K between points that are
   *  |c| from the origin: no state in the part can be known better. NULL: none. */
  double (*noise)(const void *self, const sb_at *at);
} sb_storage_sizes;

/** Of states that must agree with each other, as those of closed loops do: they are on a manifold. */
typedef struct sb_storage_manifold {
  /** Moves x (states) to where its states agree with each other, from which they drift by the errors of integration:
   *  the hooks have been asked at x. NULL: they always agree. */
  void (*project)(const void *self, const sb_at *at, double x[]);
  /** How far x is from a singular position, in which what project() keeps loses rank: from 1, far, to 0; after output().
   *  NULL: there is none.
   *  @param words  NULL; or out: "the constraints of ... lose rank there, and ...", or what constrains it where it is far */
  double (*clearance)(const void *self, const sb_at *at, struct sb_text *words);
  /** Takes out of an error of x (states) what is no error, as the hooks read x without it and project() removes it: they have
   *  been asked at a state next to x. NULL: all of it counts. */
  void (*count)(const void *self, const sb_at *at, double error[]);
} sb_storage_manifold;

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
  /** Rates of those of its signal outputs (signal outputs) that its states alone tell, after output(), so that constraints may
   *  lead through what reads them. NULL: none. */
  int (*signal_rates)(const void *self, const sb_at *at, double rates[]);
  bool (*tells_rate)(const void *self, int signal);    // whether that one's is among them
  double (*energy)(const void *self, const sb_at *at); // H [J]
  /** Sets x (states) after an event of an element whose signals it reads, unless it `continues`; NULL: x
   *  goes on. */
  void (*reset)(const void *self, const sb_at *at, double x[]);
  const sb_storage_structure
      *structure;         // NULL: y = dH/dx and xdot = u, or discrete gradients do not know it
  sb_storage_sizes sizes; // optional
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
  /** dy/du of a law of one input u and one output y; not a number where it is not known, and may be
   *  infinite. NULL: unknown. Newton's method then takes differences. */
  double (*slope)(const void *self, const sb_at *at, sb_variable assigned);
  /** Whether the element sticks in this mode, as dry friction does: the input of its first component is zero,
   *  and its output is what the network needs to keep it so. NULL: never. */
  bool (*sticks)(const void *self, int mode);
  /** Whether in this mode its output does not depend on the input, but on the time and signals at most: the law cannot
   *  be inverted, and a port of indifferent causality has the output that it prefers. Storages may depend on it. NULL: never. */
  bool (*flat)(const void *self, int mode);
  /** dy/dt (components) where it is flat, by the rates of the signals. NULL: zero. */
  int (*rate)(const void *self, const sb_at *at, double ydot[]);
} sb_dissipation_hooks;

/** An effort or a flow from outside. */
typedef struct sb_source_hooks {
  /** y(t, signals, input) (components). @return 0; < 0: there is no answer */
  int (*value)(const void *self, const sb_at *at, double y[]);
  /** dy/dt (components) by the rates of the signals, so that storages may depend on the source.
   *  NULL: unknown. */
  int (*rate)(const void *self, const sb_at *at, double ydot[]);
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
  /** Whether output() reads the signals. NULL: it does if there are no states. */
  bool (*reads)(const void *self);
  /** NULL: it is no delay. Its output() takes the input from at->past and reads no signals. */
  const sb_delay_hooks *delay;
} sb_signal_hooks;

/** Lets storages depend on each other through a modulated structure: d/dt of forward() and adjoint(),
 *  by the rates of the inputs and of the signals. NULL: they cannot. */
typedef struct sb_structure_rates {
  int (*forward)(const void *self, const sb_at *at, double ydot[]);
  int (*adjoint)(const void *self, const sb_at *at, double ydot[]);
  /** Of one whose signals change with its flows alone, as poses with twists, so that nobody else is asked for their
   *  rates: the signals after a time h [s] by the flows at->in. NULL: at->signal_rates has them. */
  void (*ahead)(const void *self, const sb_at *at, double h, double *const signals[]);
} sb_structure_rates;

/** A run ends with an error where a number that a structure divides by goes to zero. */
typedef struct sb_division {
  /** What forward() and adjoint() divide by in the causality at->assigned; HUGE_VAL: by nothing.
   *  NULL: they never divide. */
  double (*divisor)(const void *self, const sb_at *at);
  const char *name; // in messages
} sb_division;

/** A displacement q that a structure gives to energies by its own signals, and that one of its flows is the rate of. */
typedef struct sb_displacement {
  int component;   // of the flow
  double time;     // [s] over which the structure changes as a whole; 0: it does not move
  double terms;    // the sum of the absolute values of the terms that the flow is computed from
  double rounding; // of q
} sb_displacement;

/** Lets the audit difference such a displacement. */
typedef struct sb_structure_audit {
  /** By the inputs at->in. @return false: there is none in this mode. NULL: never */
  bool (*displacement)(const void *self, const sb_at *at, sb_displacement *out);
  /** q as forward() has it after a time h [s], by the inputs at->in; not a number: there is no answer. */
  double (*ahead)(const void *self, const sb_at *at, double h);
} sb_structure_audit;

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
  sb_structure_rates rates; // optional
  sb_division division;     // optional
  sb_structure_audit audit; // optional
  /** Words why forward(), adjoint() or the event indicators have no answer at this point or right behind it.
   *  NULL: as no finite number. */
  sb_status (*explain)(const void *self, const sb_at *at, sb_error *err);
} sb_structure_hooks;

/** Where what sources and signals prescribe is not smooth in time. */
typedef struct sb_time_hooks {
  double (*next_break)(const void *self, double t); // [s] first kink after t; HUGE_VAL: none
  double (*horizon)(const void *self); // [s] longest step that misses no turn; NULL: any
} sb_time_hooks;

enum { SB_INDICATORS_MAX = 4, SB_HESSIAN_MAX = 8 };

/** How an element takes an event. */
typedef struct sb_transition {
  int mode;         // the new mode
  bool continues;   // storages that listen to the element go on as they are; else they are reset
  const char *kind; // as reported: "touch", "release", "switch", ...; NULL: not reported
  /** Of a constant structure whose new mode makes storages meet by impulses: they are thrown back by
   *  this fraction of the impulses (Newton's restitution), and the mode becomes `rebound`. */
  double restitution;
  int rebound;
  /** Of what sticks: the mode it takes if the network determines nothing else, since others stick there
   *  already and hold it at rest. */
  int held;
  sb_error *err; // where a refusal is worded
} sb_transition;

/** The modes of a rigid contact. */
enum sb_unilateral_mode { SB_APART, SB_SLIDES, SB_STICKS };
/** What the restitution e of an impact is a ratio of. */
typedef enum sb_impact_law {
  SB_IMPACT_NEWTON,  // of speeds: v_n+ = -e v_n-
  SB_IMPACT_POISSON, // of impulses: p_restitution = e p_compression
  SB_IMPACT_STRONGE, // of works of the normal force: W_restitution = -e^2 W_compression
} sb_impact_law;

/** What the solver of rigid contacts asks of one (core/simulation/impacts.c). */
typedef struct sb_unilateral_terms {
  bool touches;   // its gap is zero, or closed to rounding
  double overlap; // [m] beyond that
  double speed;   // [m/s] of its points at the last step
  double rest;    // [m/s] impacts below it have come to rest
  double length;  // [m] the size of the places that its gap is the difference of
  bool rubs;      // it has tangential components
  double mu;      // Coulomb's coefficient of friction; HUGE_VAL: it never slips
  sb_impact_law impact;
  bool in_turn;   // impacts follow each other, else they are at once
  double slip[2]; // unit vector along which it began to slip, where it slides without a speed
} sb_unilateral_terms;

/** A contact whose forces are those of constraints. The flows behind its body ports from `component` on are the rate of
 *  the gap and two tangential velocities; a part of its composite that follows its mode makes them zero. */
typedef struct sb_unilateral_hooks {
  int component;
  void (*terms)(const void *self, const sb_at *at, sb_unilateral_terms *out);
  /** The restitution of an impact at a speed [m/s]; 0 also where impacts have come to rest. */
  double (*restitution)(const void *self, const sb_at *at, double speed, double discrete[]);
  /** The gap [m] at the point of the last evaluation, in contact: zero, but for drift. @param size  out: what it is the difference of [m] */
  double (*gap)(const void *self, const sb_at *at, double *size);
  /** Takes a mode. @param slip  unit vector along which it slides from rest */
  void (*enter)(const void *self, const sb_at *at, int mode, const double slip[2],
                double discrete[]);
} sb_unilateral_hooks;

/** Modes. An event indicator g(t, x) triggers an event when it falls through zero. */
typedef struct sb_switching_hooks {
  int discrete_states; // numbers that are set at accepted steps and events only
  /** Of a constant structure, or a dissipation that sticks: the hooks below read at->in, which then holds the
   *  efforts and then the flows of all components. */
  bool sees_ports;
  /** Whether the events of a mode are taken just before an indicator falls through zero, so that what is
   *  dissipated never changes its sign. NULL: all are taken just behind it. */
  bool (*before)(const void *self, int mode);
  /** The mode at t = 0, and the discrete states. */
  int (*initial_mode)(const void *self, const sb_at *at, double discrete[]);
  /** The indicators that are active in this mode, and their time derivatives (NAN: unknown).
   *  @return how many, at most SB_INDICATORS_MAX */
  int (*indicators)(const void *self, const sb_at *at, double g[], double gdot[]);
  /** Takes an event. @param indicator  -1: the time of next_time() has come */
  sb_status (*fire)(const void *self, const sb_at *at, int indicator, double discrete[],
                    sb_transition *out);
  double (*next_time)(const void *self, const sb_at *at, double t); // [s] first event after t
  double (*horizon)(const void *self, const sb_at *at); // [s] longest step that misses no event
  void (*accept)(const void *self, const sb_at *at, double discrete[]); // after an accepted step
  /** Whether in this mode all that the element gives, at its ports, as signals and as rates of states, is zero
   *  whatever it is given: its hooks are then not asked. Of modulated structures; NULL: never. */
  bool (*idle)(const void *self, int mode);
  bool of_composite; // the element is a part COMPOSITE/NAME: its events are those of COMPOSITE
  bool follows;      // and its mode is that of COMPOSITE; it has none of the hooks above
  /** Of a rigid contact: its events are taken by the solver of these, in place of fire(). NULL: it is none. */
  const sb_unilateral_hooks *unilateral;
} sb_switching_hooks;

/** A quantity that a composite has from its part ID/`part`. */
typedef struct sb_part_quantity {
  const char *name; // NULL ends the list
  const char *part, *quantity;
} sb_part_quantity;

/** What can be read of an element beyond its port variables, states, power and energy. */
typedef struct sb_measures {
  const sb_quantity_spec *quantities; // NULL: nothing
  /** The quantity of a row of the table: out (count). */
  void (*measure)(const void *self, const sb_at *at, int quantity, double out[]);
  const char *(*unit)(const void *self, int quantity); // NULL: as the table says
  /** Turns a vector in world axes, NAME.QUANTITY(FRAME), to those of a frame.
   *  @param pose    (12) the signal "pose" of the frame
   *  @param vector  (3) in and out; NULL: nothing is asked but whether the quantity is one
   *  @return false: it is none. NULL: none is */
  bool (*turn)(const void *self, int quantity, const double pose[], double vector[]);
  /** Whether a quantity is a force or a moment that something inside carries: sb_equilibrium_find() lists these. NULL:
   *  none is. */
  bool (*carries)(const void *self, int quantity);
  /** An integral over the time, kept beside those of the ledger, and what is integrated, by signals and what the
   *  element gives at its ports, y (components). Steps do not depend on it. NULL: none. */
  const sb_quantity_spec *integral;
  double (*integrand)(const void *self, const sb_at *at, const double y[]);
  /** Of a composite, which consists of the elements ID/... that follow it: what it has from them, besides their
   *  energy, power and losses together. NULL: it is none. */
  const sb_part_quantity *of_parts;
  /** What is to be known of its inside at the states at->x, for people in lines, or as members of a JSON object.
   *  NULL: nothing. */
  void (*describe)(const void *self, const sb_at *at, bool json, struct sb_text *out);
} sb_measures;

/** Of what counts places from a common point near by, and not from the world's origin: that keeps the digits of a scene
 *  that is far away (network/origin.c). Until refer() the point is the world's origin. */
typedef struct sb_place_hooks {
  /** Where it starts [m]; returns what it extends to from there [m]. NULL: it is nowhere, as the ground. */
  double (*start)(const void *self, double place[3]);
  void (*refer)(void *self, const double origin[3]); // [m]
  /** What the energies that are reported have beyond energy() [J]: the potential of the common point. NULL: nothing. */
  double (*level)(const void *self);
  /** About the world's origin what is read by name: states, and the efforts and flows of a port.
   *  @param first  state, or component of the element  @param values  in and out */
  void (*state)(const void *self, int first, double values[]); // NULL: no state depends on it
  void (*effort)(const void *self, int first, double values[]);
  void (*flow)(const void *self, int first, double values[]);
} sb_place_hooks;

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
  /** From 1: a signal input. While the element that gives it is idle, so is this one. 0: none. */
  int idles_with;
  bool
      by_ports; // a structure whose forward() and adjoint() take their inputs by sb_at_port() alone
} sb_element_type;

#endif
