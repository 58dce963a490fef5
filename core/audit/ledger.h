// SPDX-License-Identifier: GPL-3.0-or-later
// The energy ledger. Three figures, none derived from another: structure (the Dirac structures are
// power-free and solved), integration (the energy balance is met), passivity (no dissipation delivered power).
#ifndef SB_CORE_LEDGER_H
#define SB_CORE_LEDGER_H

#include "core/graph/element.h"

/** All energies in J. `supplied` is what a source delivered, `dissipated` what a dissipation absorbed,
 *  `event_loss` what left a storage at events. */
typedef struct sb_account {
  const char *id;
  const char *kind; // NULL for groups and parts
  sb_role role;
  bool powerless; // a structure or a signal: only event_loss may differ from zero
  double stored_start, stored_end, supplied, dissipated, event_loss;
  /** Energies stored are about the point that places count from, for their digits; about the world's origin they are larger
   *  by this constant [J], which is zero unless the bodies are far from it. Reports have it added. */
  double level;
} sb_account;

typedef struct sb_event {
  double t; // [s]
  const char *kind;
  const char *element;
  double loss;                        // [J]
  double stored_before, stored_after; // [J] of the whole system
  long steps;                         // that were accepted so far
} sb_event;

/** The energy balance of a connected part of the network, which no bond joins to the others.
 *  residual_relative is what of residual_max is beyond its rounding, over the scale. */
typedef struct sb_part {
  sb_account account; // its id is that of an element in it
  int element_count;
  double scale;    // [J] largest energy that its storages exchanged, or that was supplied or lost
  double rounding; // [J] the balance is known to this
  double residual_max; // [J] largest energy-balance error, at residual_time [s]
  double residual_relative, residual_time;
  const char *residual_element; // where power balances are off most
  bool unresolved;              // only its rounding excuses an error beyond the limit
  double terms;                 // [J] the largest sum of terms of an energy in it at the end
  const char *terms_element;    // and whose; NULL: it has no storage
  double
      blurred; // [J] what the rounding of an element may amount to, where that is beyond the limit, else 0
  const char *blurring_element; // and which it is; NULL: none
} sb_part;

/** Whether dissipations gave power. */
typedef struct sb_passivity {
  long violations;
  double worst; // [W] the most negative power absorbed, 0: none was negative
  const char *element;
  double t;
} sb_passivity;

typedef struct sb_ledger {
  double t_start, t_end;
  struct {
    long steps, rejected, rhs, jacobians, events;
    // Of the steps, and of the method, if that is chosen while the run lasts.
    long implicit_steps, smooth_steps, changes; // smooth: explicit, of the higher order
  } work;
  sb_account total;
  // The energy-balance error of the part where it is relatively largest; that of the whole is no larger.
  double scale, residual_max, residual_relative, residual_time, limit;
  const char *residual_element;
  int worst_part; // among the parts; -1: there are none
  struct {
    long checked;
    double residual_relative, skew_relative, limit;
    bool rank_ok;
    const char *worst;
  } structure;
  sb_passivity passivity;
  sb_account *elements; // (element_count)
  int element_count;
  sb_account *groups; // (group_count)
  int group_count;
  sb_part *parts; // (part_count)
  int part_count;
  sb_event *events; // (event_count)
  int event_count;
} sb_ledger;

#endif
