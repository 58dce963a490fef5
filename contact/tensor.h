// SPDX-License-Identifier: GPL-3.0-or-later
// Skins with directions: stiffness and damping tensors fixed in the bodies, and their series combination at the
// point of contact. Stramigioli and Duindam, section 4.2.1.
#ifndef SB_CONTACT_TENSOR_H
#define SB_CONTACT_TENSOR_H

#include "contact/contact.h"
#include "contact/parts.h"

/** The tensors of a material, in the axes of its body; those of one that is isotropic in the tangent plane
 *  are multiples of 1, with normal components of their own.
 *  @return SB_ERR_RANGE for a stiffness that is not positive definite, a damping that is neither that nor zero */
sb_status sb_contact_side_init(const sb_material *material, sb_contact_side *side, sb_error *err);

/** Whether the normal compliances of both bodies are known, and one of them is of a tensor. */
bool sb_contact_sides_direct(const sb_contact_side side[2]);

/** What the tensors are at a point with the normal n of body 1: the maps and dampers of the tangent plane, and the
 *  normal damper of the materials; where the pair says so, alpha and the normal stiffness. */
void sb_contact_directed_at(const sb_contact_data *contact, sb_vec3 n, const sb_pose *H1,
                            const sb_pose *H2, sb_contact_skin *skin);

/** The differential of ln k_n for k_n of the tensors; see sb_contact_frame. */
sb_wrench sb_contact_directed_hardening(const sb_contact_data *contact, const sb_closest *points,
                                        const sb_pose *H1, const sb_pose *H2);

#endif
