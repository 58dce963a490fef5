// SPDX-License-Identifier: GPL-3.0-or-later
// Elements that switch: modes, the event indicators that end them, discrete states; rigid contacts among them.
#ifndef SB_CORE_SWITCHING_H
#define SB_CORE_SWITCHING_H

#include "core/base/error.h"

typedef struct sb_at sb_at; // core/graph/element.h

enum { SB_INDICATORS_MAX = 4 };

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
  bool flat;      // it touches along a line or a side: no pair of points moves with the bodies
  double speed;   // [m/s] the fastest of its points so far, as it impacts or slips
  double rest;    // [m/s] impacts below it have come to rest
  double length;  // [m] what its gap is small against
  double known;   // [m] and to what it is known
  double speeds;  // [m/s] what its flows are small against, frame-indifferent as the length
  bool rubs;      // it has tangential components
  double mu;      // Coulomb's coefficient of friction; HUGE_VAL: it never slips
  sb_impact_law impact;
  bool in_turn;   // impacts follow each other, else they are at once
  double slip[2]; // unit vector along which it began to slip, where it slides without a speed
  double load_rate
      [3]; // [N/s] of the normal force and of both tangential efforts while it sticks; zero: not known
} sb_unilateral_terms;

/** A slip faster than so many times what is too slow for a direction has its own; between the two it is partly that which it began with. */
#define SB_SLIP_FOLLOWS 2.

/** A contact whose forces are those of constraints. The flows behind its body ports from `component` on are the rate of
 *  the gap and two tangential velocities; a part of its composite that follows its mode makes them zero. */
typedef struct sb_unilateral_hooks {
  int component;
  void (*terms)(const void *self, const sb_at *at, sb_unilateral_terms *out);
  /** The restitution of an impact at a speed [m/s]; 0 also where impacts have come to rest. */
  double (*restitution)(const void *self, const sb_at *at, double speed, double discrete[]);
  /** The gap [m] at the point of the last evaluation, in contact.
   *  @param held  out: what it is held at [m]; not zero only where gaps contradict each other  @param known  out: to what it is known [m] */
  double (*gap)(const void *self, const sb_at *at, double *held, double *known);
  /** Takes a mode. @param slip  unit vector along which it slides from rest  @param turning  [rad/s] about the normal, of that, where it has stuck; else NAN
   *  @param still  [m/s] a slower slip keeps that direction: see SB_SLIP_FOLLOWS */
  void (*enter)(const void *self, const sb_at *at, int mode, const double slip[2], double turning,
                double still, double discrete[]);
} sb_unilateral_hooks;

/** When events may come. */
typedef struct sb_event_times {
  double (*next_time)(const void *self, const sb_at *at, double t); // [s] first event after t
  double (*horizon)(const void *self, const sb_at *at); // [s] longest step that misses no event
  /** Whether an event may have been missed in the step that ends here, which nothing at its start told. NULL: never. */
  bool (*overdue)(const void *self, const sb_at *at);
  /** [s] mean time between events that come again and again, as its parameter `period` states; 0: none do.
   *  Only the parameters are read. */
  double (*interval)(const void *self);
  const char *event; // what such a one is called, "sample"
} sb_event_times;

/** Of a constant structure of one component, as a diode or a stop that is closed: with a sign s, s e >= 0 and -s f >= 0, and one of
 *  the two is zero. */
typedef struct sb_complementary {
  int free, held; // the modes in which e = 0, and in which f = 0
  double sign;    // s
} sb_complementary;

/** What is known of a mode alone. */
typedef struct sb_mode_properties {
  /** Whether the event of an indicator is taken just before it falls through zero, so that what is
   *  dissipated never changes its sign. NULL: all are taken just behind it. */
  bool (*before)(const void *self, int mode, int indicator);
  /** Whether in this mode all that the element gives, at its ports, as signals and as rates of states, is zero
   *  whatever it is given: its hooks are then not asked. Of modulated structures; NULL: never. */
  bool (*idle)(const void *self, int mode);
  /** Whether the element is complementary in this mode. NULL: never. */
  bool (*complementary)(const void *self, int mode, sb_complementary *out);
} sb_mode_properties;

/** Of a dissipation that switches, as its law jumps: dry friction. */
typedef struct sb_jumping_law {
  /** Whether the element sticks in this mode: the input of its first component is constant, and its output is what the
   *  network needs to keep it so. NULL: never. */
  bool (*sticks)(const void *self, int mode);
  /** Whether in this mode it is at rest at its jump as others hold it there, with an output of its own. */
  bool (*held)(const void *self, int mode);
  /** The input at which it jumps, of the jump that a mode is about. NULL: zero. Where that is another number its law, asked while it sticks,
   *  gives it. */
  double (*place)(const void *self, int mode);
  /** The mode on a side of a jump, 1 or -1, and at rest there, 0, or where others hold it at an end of the jump, 2 or -2; below zero: there is
   *  no such jump. They are counted from 0. */
  int (*mode)(const void *self, int jump, int side);
  /** The outputs of the law on both sides of the jump of the mode. */
  void (*limits)(const void *self, const sb_at *at, double *low, double *high);
  /** Takes one of these modes, with others that have been found together. @param at  with the mode before */
  void (*enter)(const void *self, const sb_at *at, int mode, double discrete[], sb_transition *out);
  /** Whether in this mode its output does not depend on the input, but on the time and signals at most: the law cannot
   *  be inverted, and a port of indifferent causality has the output that it prefers. Storages may depend on it. NULL: never. */
  bool (*flat)(const void *self, int mode);
  /** dy/dt (components) where it is flat, by the rates of the signals. NULL: zero. */
  int (*rate)(const void *self, const sb_at *at, double ydot[]);
} sb_jumping_law;

/** What the distances from kinks are relative to that its indicators are. */
typedef enum sb_bends {
  SB_BENDS_NOT,
  SB_BENDS_WITH_PIECES, // where its layout has pieces: the size of its input
  SB_BENDS_AT_GUARDS,   // they are numbers of size 1
} sb_bends;

/** Modes. An event indicator g(t, x) triggers an event when it falls through zero. */
typedef struct sb_switching_hooks {
  int discrete_states; // numbers that are set at accepted steps and events only
  /** Of a constant structure, or a dissipation that sticks: the hooks below read at->in, which then holds the
   *  efforts and then the flows of all components. */
  bool sees_ports;
  /** The mode at t = 0, and the discrete states. */
  int (*initial_mode)(const void *self, const sb_at *at, double discrete[]);
  /** The indicators that are active in this mode, and their time derivatives (NAN: unknown; -HUGE_VAL: it falls, at a rate that is
   *  not known).
   *  @return how many, at most SB_INDICATORS_MAX */
  int (*indicators)(const void *self, const sb_at *at, double g[], double gdot[]);
  /** To what one of them is known, as it is a difference of larger numbers: closer to zero it is rounding. NULL: to nothing less than
   *  its own value. */
  double (*known)(const void *self, const sb_at *at, int indicator);
  /** Of one that sees no ports: in this mode and with these discrete states its one indicator is `sign` times this expression of its signals, and of the time,
   *  plus `offset`. @return NULL: there is none */
  const struct sb_expression *(*condition)(const void *self, int mode, const double discrete[],
                                           double *sign, double *offset);
  /** Takes an event. @param indicator  -1: the time of next_time() has come */
  sb_status (*fire)(const void *self, const sb_at *at, int indicator, double discrete[],
                    sb_transition *out);
  /** Takes the event of an indicator by which nothing jumps and the mode is the same: only the step ends there, and discrete states may follow.
   *  It is not reported.  @return false: it is another event, and nothing is done. NULL: none is such */
  bool (*pass_kink)(const void *self, const sb_at *at, int indicator, double discrete[]);
  void (*accept)(const void *self, const sb_at *at, double discrete[]); // after an accepted step
  /** Whether what it gives jumps by that: events may follow at once. NULL: never. */
  bool (*jumps)(const void *self, const sb_at *at);
  /** Whether at this end of a step what it gave strays from its law, so that a shorter step is to be taken. NULL: never. */
  bool (*strays)(const void *self, const sb_at *at);
  /** Whether its events are the kinks of a continuous law, which change no mode: within the error of what its indicators are distances of a kink
   *  is none. */
  sb_bends bends;
  /** Before the first step behind a start or an event. NULL: as it is. */
  void (*begin)(const void *self, const sb_at *at, double discrete[]);
  /** Words a warning of what the run so far has shown, by its discrete states, without its name; asked when the run ends or the
   *  element goes. NULL: it has none. @return how grave it is, above 0; 0: there is nothing to tell */
  double (*remark)(const void *self, const double discrete[], sb_error *err);
  sb_event_times times;     // optional
  sb_mode_properties modes; // optional
  bool of_composite; // the element is a part COMPOSITE/NAME: its events are those of COMPOSITE
  bool follows;      // and its mode is that of COMPOSITE; it has none of the hooks above
  /** Of a rigid contact: its events are taken by the solver of these, in place of fire(). NULL: it is none. */
  const sb_unilateral_hooks *unilateral;
} sb_switching_hooks;

#endif
