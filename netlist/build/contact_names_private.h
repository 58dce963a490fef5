// SPDX-License-Identifier: GPL-3.0-or-later
// Contacts while they are built, and what they refer to.
#ifndef SB_NETLIST_BUILD_CONTACT_NAMES_PRIVATE_H
#define SB_NETLIST_BUILD_CONTACT_NAMES_PRIVATE_H

#include "netlist/build/words_private.h"

/** A shape in a contact, and the name that it has there. */
typedef struct sb_contact_shape {
  const sb_shape_entry *shape;
  const char *name;
} sb_contact_shape;

/** Two shapes that have a contact of their own. */
typedef struct sb_stated_pair {
  const sb_shape_entry *shape[2];
  const sb_item *item; // that states it
} sb_stated_pair;

/** A joint at a body, for the list of those of the body. */
typedef struct sb_joint_end {
  const sb_item *joint;
  int other; // item of the body or ground at its other end
  int next;  // number of the next in the list, from 1; 0: none
} sb_joint_end;

struct sb_among;
/** That a shape is in <contacts> of which only near pairs have an element. */
typedef struct sb_crowd_place {
  const struct sb_among *among;
  int named; // as part of which of these
  int next;  // number of the next place of the shape, from 1; 0: none
} sb_crowd_place;

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
  sb_stated_pair *stated; // (stated_count)
  int stated_count, stated_capacity;
  const sb_item *warned_of_loads,
      *warned_of_dampers; // the last that has been: once is enough for all its pairs
  int *first_place;       // (items) number of the first place of a shape in crowds, from 1; 0: none
  sb_crowd_place *places; // (place_count)
  int place_count, place_capacity;
  int *first_joint;         // (items) number of the first end at a body or ground, from 1; 0: none
  sb_joint_end *joint_ends; // (joint_end_count)
  int joint_end_count;
} sb_contacts;

/** Fills first_joint and joint_ends (jointed.c). @return false: out of memory, reported */
bool sb_find_jointed(sb_contacts *all);
/** The joint between two bodies or grounds; NULL: none joins them directly. */
const sb_item *sb_joint_between(const sb_contacts *all, const sb_item *a, const sb_item *b);
/** Whether two bodies may have the contact that an item states. @return false: a joint joins them; reported */
bool sb_check_jointed(const sb_contacts *all, const sb_item *item, const sb_item *a,
                      const sb_item *b);

/** A contact of two shapes, that the item states. */
void sb_contact_add_pair(sb_contacts *all, const sb_item *item, const sb_contact_law *law,
                         sb_contact_shape a, sb_contact_shape b);
/** The k-th shape of what a contact names. Its name is that of what is named, if that has one shape. */
sb_contact_shape sb_contact_take_shape(const sb_contacts *all, const sb_item *item, int k);
/** What tells a shape: its id, or that of its body, whose only shape it is. */
const char *sb_shape_name(const sb_shape_entry *shape);
/** What <contacts> are among. */
typedef struct sb_among {
  const sb_item *item;    // the <contacts>
  const sb_item **bodies; // (count) or shapes; NULL: one that was refused
  int count;
  int (*except)[2]; // (except_count) pairs of these without a contact
  int except_count;
  double margin; // [m]
  bool jointed;  // bodies that a joint joins have contacts too
} sb_among;

/** Reads `except`; what is wrong is reported (crowds.c). */
void sb_read_except(sb_contacts *all, sb_among *among);
/** Whether two have no contact: they are named so, or a joint joins them. */
bool sb_is_excepted(const sb_contacts *all, const sb_among *among, int i, int j);
/** Contacts of which only those that are near have an element, but for those that the netlist names elsewhere. To be
 *  built behind all others. */
void sb_build_near(sb_contacts *all, const sb_among *among, const sb_contact_law *law);

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
