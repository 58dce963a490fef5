// SPDX-License-Identifier: GPL-3.0-or-later
// What an element names of itself to be read, and where it is.
#ifndef SB_CORE_MEASURES_H
#define SB_CORE_MEASURES_H

#include <stdbool.h>

typedef struct sb_at sb_at; // core/graph/element.h
struct sb_text;             // core/base/text.h

/** A named quantity to print or read. */
typedef struct sb_quantity_spec {
  const char *name; // NULL ends the list
  int count;        // numbers
  const char *
      unit; // SI, or "@f2/f1", "@e2/f1": a ratio of port variables; or one for each number, with blanks between
  const char *help;
} sb_quantity_spec;

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
  /** What the rounding of a quantity is a fraction of beside its own numbers, out (count): a joint that is held has the rounding of
   *  the motion of all others. NULL: of nothing. */
  void (*sizes)(const void *self, const sb_at *at, int quantity, double out[]);
  /** The same of the signals that an element gives beside its states, own (signal outputs); those that are not known stay. NULL: of none. */
  void (*signal_sizes)(const void *self, const sb_at *at, double own[]);
  /** Turns a vector in world axes, NAME.QUANTITY(FRAME), to those of a frame.
   *  @param pose    (12) the signal "pose" of the frame
   *  @param vector  (3) in and out; NULL: nothing is asked but whether the quantity is one
   *  @return false: it is none. NULL: none is */
  bool (*turn)(const void *self, int quantity, const double pose[], double vector[]);
  /** Whether a quantity is a force or a moment that something inside carries: sb_equilibrium_find() lists these. NULL:
   *  none is. */
  bool (*carries)(const void *self, int quantity);
  /** Whether a quantity is of the inputs at the ports as well, and not of states and signals alone. NULL: it may be. */
  bool (*reads)(const void *self, int quantity);
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
#define SB_PLACE_EXTENT_MOST                                                                       \
  1. // [m] what a body by itself counts as: one that is not to turn may have any moment of inertia
typedef struct sb_place_hooks {
  /** Where it starts [m]; returns what it extends to from there [m]. NULL: it is nowhere, as the ground. */
  double (*start)(const void *self, double place[3]);
  void (*refer)(void *self, const double origin[3]); // [m]
  /** Of what does not move, and may be counted from many points: what it gives by its signals where that is `origin` [m]. NULL: it moves. */
  void (*seen)(const double origin[3], double signals[]);
  /** Takes the extent of what it moves together with at the start [m], which no displacement and no rotation changes. NULL: of no use to it. */
  void (*extend)(void *self, double extent);
  /** What the energies that are reported have beyond energy() [J]: the potential of the common point. NULL: nothing. */
  double (*level)(const void *self);
  /** Whether efforts and flows at a port of the element are about the point. NULL: those of all its ports are. */
  bool (*placed)(const void *self, int port);
  /** About the world's origin what is read by name: states, and the efforts and flows of a port that is placed.
   *  @param first  state  @param port  of the element  @param values  in and out; of a state NULL: nothing is asked but what is returned
   *  @return whether the state depends on the point */
  bool (*state)(const void *self, int first, double values[]); // NULL: none does
  void (*effort)(const void *self, int port, double values[]);
  void (*flow)(const void *self, int port, double values[]);
} sb_place_hooks;

#endif
