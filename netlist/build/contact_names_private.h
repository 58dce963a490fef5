// SPDX-License-Identifier: GPL-3.0-or-later
// Contacts while they are built, and what they refer to.
#ifndef SB_NETLIST_BUILD_CONTACT_NAMES_PRIVATE_H
#define SB_NETLIST_BUILD_CONTACT_NAMES_PRIVATE_H

#include "netlist/build/words_private.h"

/** What contacts are made of, and which errors have been reported. */
typedef struct sb_contacts {
  const sb_build *build;
  const sb_shapes *shapes;
  const sb_material_entry *materials;
  const sb_law_entry *laws;
  bool *shape_reported;    // (items) that something is missing for a contact
  bool *material_reported; // (items) that its normal stiffness suits no law
  sb_names pairs;          // "a b", of the shapes that have a contact -> item of the contact
  int pair_count;
} sb_contacts;

bool sb_is_ground(const sb_item *item);
/** The body or ground that an item named in a contact is, or whose shape it is. */
const sb_item *sb_contact_body(const sb_contacts *all, const sb_item *item);
/** The shapes of what is named in a contact: all of a body, or the shape itself. */
const sb_shape_entry *sb_contact_shapes(const sb_contacts *all, const sb_item *item, int *count);
/** The law of a contact; false: one that failed. */
bool sb_contact_find_law(const sb_contacts *all, const sb_item *item, sb_contact_law *law);
/** The body, ground or shape that a word names; NULL: none that can take part under the law, reported.
 *  @param law  NULL: one that failed */
const sb_item *sb_contact_find_body(sb_contacts *all, const sb_contact_law *law,
                                    const sb_setting *setting, const sb_word *word);
/** The material of a body, whose normal stiffness must suit the law; false: it does not,
 *  reported. */
bool sb_contact_find_material(sb_contacts *all, const sb_item *item, const sb_contact_law *law,
                              sb_material *material);

#endif
