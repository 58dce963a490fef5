// SPDX-License-Identifier: GPL-3.0-or-later
// Which normal forces a contact is to be expected to bear, by what is known before a run: from 0 to the larger of
//   - the weight of the lighter of the bodies that can move and have one, and
//   - the force at the depth where the normal spring alone holds m v^2/2, with m = m1 m2/(m1 + m2) and v the speed at which the bodies
//     meet if they go on as they start along the normal of their closest points: v^2 = v_n^2 + 2 g_n gap.
// A body that others lie on, that is driven, or that falls elsewhere may bear more.
#ifndef SB_CONTACT_LOAD_RANGE_H
#define SB_CONTACT_LOAD_RANGE_H

#include "contact/contact.h"

/** A body where the run begins. */
typedef struct sb_contact_start {
  sb_pose pose;
  sb_vec3 velocity, angular_velocity; // of the origin of its frame; world axes
  sb_vec3 gravity;                    // [m/s^2]
  double mass;                        // [kg] infinite: it is held
  bool unplaced; // where it is, and how it moves, is not known: it counts as held
} sb_contact_start;

/** The upper end of the range [N]; the weight alone where the bodies have no closest points, or the law no spring.
 *  @param impact  out: whether it is that of the impact */
SB_API double sb_contact_expected_load(const sb_contact_spec *spec, const sb_contact_start start[2],
                                       bool *impact);

/** How much more the spring holds at the least depth that can be told, a rounding of the smaller body or of the gap, than what the bodies
 *  have to press it with: m v^2/2, or their weight over their size. Above 1 one rounding throws them farther than all that moves them.
 *  0: not known.  @param depth, stake  out: that depth [m], and what they have [J] */
SB_API double sb_contact_stiffness_excess(const sb_contact_spec *spec,
                                          const sb_contact_start start[2], double *depth,
                                          double *stake);

#endif
