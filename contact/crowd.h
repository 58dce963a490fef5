// SPDX-License-Identifier: GPL-3.0-or-later
// Contacts among many bodies, of which only those exist whose bodies are near.
#ifndef SB_CONTACT_CROWD_H
#define SB_CONTACT_CROWD_H

#include "contact/contact.h"

/** A shape that takes part. */
typedef struct sb_party {
  const char *body; // id of an element as in sb_contact_spec
  const char *name; // in the ids of its contacts, contact(NAME,NAME)
  bool fixed;       // its body never moves: two fixed ones have no contact
  sb_surface surface;
  sb_material material;
} sb_party;

typedef struct sb_crowd_spec {
  const sb_party *parties; // (count) shapes of one body have no contact with each other
  int count;
  const int (*except)[2]; // (except_count) pairs of parties without a contact
  int except_count;
  sb_contact_law law;
  double
      margin; // [m] a contact exists while its gap may be below this; 0: chosen by the sizes of the shapes
} sb_crowd_spec;

/** All pairs are checked at once, as by sb_contact_add().
 *  @return what that returns; SB_ERR_RANGE for a margin that is negative, or 0 where no shape has a size */
SB_API sb_status sb_crowd_add(sb_graph *graph, const sb_crowd_spec *spec, sb_error *err);

#endif
