// SPDX-License-Identifier: GPL-3.0-or-later
// The three kinds that a contact expands into, and the signals between them.
#ifndef SB_CONTACT_PARTS_H
#define SB_CONTACT_PARTS_H

#include <float.h>
#include <math.h>

#include "contact/law.h"
#include "contact/recovery.h"
#include "core/graph/element.h"
#include "geometry/closest.h"
#include "geometry/se2t.h"

SB_API const sb_element_type sb_kind_contact, sb_kind_contact_elastic, sb_kind_contact_damper,
    sb_kind_contact_slipping, sb_kind_contact_slip, sb_kind_contact_potential,
    sb_kind_contact_friction, sb_kind_contact_bristle_friction, sb_kind_contact_bristles,
    sb_kind_contact_turning, sb_kind_contact_holding, sb_kind_contact_turning_springs,
    sb_kind_contact_rolling;

/** The port of a stiffness that changes: flow d ln k/dt [1/s], effort k dV/dk [J]. */
#define SB_CONTACT_HARDENING "hardening"

/** Components of the storage and dissipation ports, in the contact frame: se(2) x T. */
enum { SB_CONTACT_X, SB_CONTACT_Y, SB_CONTACT_Z, SB_CONTACT_THETA, SB_CONTACT_DIM };

/** The skin of the pair: the series combination of the two bodies' tensors. Forms of the tangent plane are
 *  xx, xy, yy in the axes of the contact frame. */
typedef struct sb_contact_skin {
  double k_t, k_n, k_theta; // [N/m], [N/m^n], [N m/rad]
  double b_t, b_n, b_theta; // of the materials, and of the law's factor: B = factor K
  double alpha;             // c = (1 - alpha) p1 + alpha p2
  double map[3];            // N of the tangential springs: K_t = k_t N^2; 1 if isotropic
  double spin_map;          // the same of the torsional one: k_theta spin_map^2
  double drag[3];           // [N s/m] tangential damping; b_t if isotropic
  double axis[2]; // of a potential: the direction of its x, a unit vector in the contact frame
} sb_contact_skin;

/** What is fixed in one body of a pair, in its axes; see tensor.h. */
typedef struct sb_contact_side {
  bool directed;                             // by SB_AXES_BODY
  bool undamped;                             // along the tangent plane
  sb_mat3 compliance, mobility;              // [m/N], [m/(N s)]: inverses of stiffness and damping
  double normal_compliance, normal_mobility; // [m^n/N], [m/(N s)]; not-a-number: of the tensor
} sb_contact_side;

/** K1 K2 / (K1 + K2) with its limits: a rigid one gives the other, a zero gives zero; two rigid ones, zero. */
double sb_series(double a, double b);

/** Largest stiffness of a pair [N/m^n], and largest number of a tensor of a material; one over it is the least of these.
 *  Their squares are finite. */
#define SB_STIFFNESS_MAX 1e150

/** What the structure tells its elastic and viscous part (a signal of doubles). */
typedef struct sb_contact_frame {
  sb_pose pose;      // H_c^0: z axis outward of body 1, origin where the bodies' springs meet
  sb_vec3 spin;      // [rad/s] angular velocity of the tangential springs
  double gap;        // [m] < 0: compressed; of a surface that recovers, its own
  double places;     // [m] absolute values of the terms that the gap is a sum of
  double reach;      // [m] of a ball about its body that holds the lesser shape
  double active;     // 1 in contact, else 0
  double recovering; // 1 while the bodies are apart and the surface recovers
  double
      clamped; // 1 while the normal force is held at zero, as it would pull or the surface recovers; else 0
  double pushing;       // 1 while the law of the normal force gives a push, else 0
  sb_twist4 twist;      // of body 2 against body 1, in this frame
  sb_contact_skin skin; // at the point of contact
  /** The differential of ln k_n [1/rad; 1/m]: its power with T_2 - T_1 is d ln k_n/dt. */
  sb_wrench hardening;
  sb_mat3 levers;    // [m] moments of unit forces along the axes of the frame, in its columns
  sb_closest points; // of the bodies; of those apart as they were asked for at the point `solved`
  double solved; // sb_at.point, of bodies apart; its negative: of the bound of their gap; else 0
  double far;    // 1: that bound is the one by balls, else 0
} sb_contact_frame;
enum { SB_CONTACT_FRAME_COUNT = sizeof(sb_contact_frame) / sizeof(double) };

/** What the structure tells a part by the part's first signal. */
static inline const sb_contact_frame *sb_contact_frame_of(const sb_at *at) {
  return (const sb_contact_frame *)(const void *)at->signals[0];
}

/** What the rounding of places makes of the energy of a spring in the contact [J]: a fourth of eps of its own place in the root mean square,
 *  and near the world's origin eps of how far the lesser shape reaches. @param k  [N/m] */
static inline double sb_contact_noise(const sb_contact_frame *frame, double k) {
  const double place = DBL_EPSILON / 4 * sb_vec3_norm(frame->pose.position); // [m]
  const double off = fmax(place, DBL_EPSILON * frame->reach);
  return 0.5 * k * off * off;
}
/** What the rounding of a gap makes of an energy of it, with the loads y = dV/dq of its port: eps times this [J]. */
static inline double sb_contact_places(const void *self, const sb_at *at, const double y[]) {
  (void)self;
  return fabs(y[SB_CONTACT_Z]) * sb_contact_frame_of(at)->places;
}
/** Tangential springs count with this fraction of the amplitude that would hold the energy of the part, at least: what
 *  they hold less moves nothing, and where a contact begins they are relaxed. */
#define SB_CONTACT_LEAST 1e-3

typedef struct sb_contact_data {
  // what every evaluation reads, close together
  double reach, width; // [m] the lesser of both bodies: of a ball that holds it, and its thickness
  int load_count; // components for loads: of one port before the slip, or of storage and dissipation
  int turn_count;       // and behind them for the moment of a resistance to turning
  sb_contact_skin skin; // as far as it does not change with the point
  bool directed;        // a tensor is fixed in a body
  bool directed_normal; // k_n is of such
  bool directed_point;  // alpha is of such
  bool hardens;         // k_n changes while the bodies are in contact
  sb_contact_law law;
  sb_surface surface[2];
  // and what few do
  double modulus;        // [Pa] E* of a law that takes k_n from the curvatures
  double shear, torsion; // [Pa] K_t and k_theta of a patch of 1 m, where they follow from the patch
  sb_contact_side side[2];
  sb_vec3 origin; // [m] of the point that poses count from, in the world
  double extent;  // [m] of what moves together with its bodies
} sb_contact_data;

typedef struct sb_contact_elastic_data {
  sb_contact_skin skin;
  sb_contact_law law;
  bool hardens;
} sb_contact_elastic_data;

typedef sb_contact_elastic_data sb_contact_damper_data, sb_contact_slip_data,
    sb_contact_friction_data, sb_contact_turning_data;

/** The expressions of the law, which every part owns: rows of its parameters.
 *  @param stores, damps  whether the hooks of the part evaluate the energy and the damping-force, so that their branches
 *                        are held between events */
#define SB_CONTACT_EXPRESSIONS(type, stores, damps)                                                \
  {.name = "energy",                                                                               \
   .kind = SB_PARAM_EXPRESSION,                                                                    \
   .offset = offsetof(type, law.potential.energy),                                                 \
   .unit = "J",                                                                                    \
   .fallback = "",                                                                                 \
   .arguments = sb_contact_law_arguments,                                                          \
   .held = (stores),                                                                               \
   .help = "stored, of a law by expression or by a potential"},                                    \
  {                                                                                                \
    .name = "damping-force", .kind = SB_PARAM_EXPRESSION,                                          \
    .offset = offsetof(type, law.damping_force), .unit = "N", .fallback = "",                      \
    .arguments = sb_contact_law_motion, .held = (damps),                                           \
    .help = "viscous force of a law by expression"                                                 \
  }

/** What a contact keeps from where it began. */
typedef struct sb_contact_latch {
  double stiffness; // [N/m^n] k_n, if the law keeps it; else 0
  double speed;     // [m/s] at which the bodies met; 0: apart, or none
  sb_recovery recovery;
  double recovering; // [N/m^n] k_n of the surface that recovers
} sb_contact_latch;

/** The skin at the closest points.
 *  @param latch      NULL: as all zero
 *  @param hardening  out: the differential of ln k_n, see sb_contact_frame; NULL: not wanted
 *  @return false: the bodies conform or touch along a line, and the law has no stiffness there */
bool sb_contact_skin_at(const sb_contact_data *contact, const sb_closest *points, const sb_pose *H1,
                        const sb_pose *H2, const sb_contact_latch *latch, sb_contact_skin *skin,
                        sb_wrench *hardening);

/** |d ln k_n/dL| (|L1| + |L2|), of which the rounding of ln k_n is a part: a hollow leaves little of the curvature of a body
 *  that almost fills it. 0: k_n does not follow from the curvatures. */
double sb_contact_curvature_terms(const sb_contact_data *contact, const sb_closest *points);

/** Words why sb_contact_skin_at() has no answer. */
sb_status sb_contact_explain_skin(const sb_contact_data *contact, const sb_closest *points,
                                  sb_error *err);

/** What the elastic part tells those whose loads the normal force limits (a signal): its own loads on the surfaces, that of
 *  the normal counted as a push. */
enum { SB_LOAD_X, SB_LOAD_Y, SB_LOAD_THETA, SB_LOAD_NORMAL, SB_LOAD_COUNT }; // [N, N, N m, N]
void sb_contact_store_load(const double effort[SB_CONTACT_DIM], double load[SB_LOAD_COUNT]);
/** The normal force that limits friction [N]: the push of elastic and viscous part together; 0 where that is held at
 *  zero, or pulls. */
double sb_contact_push(const sb_contact_law *law, const sb_contact_frame *frame,
                       const double load[SB_LOAD_COUNT], const sb_branches *branches);

/** Normal force [N] of elastic and viscous part together; `pull` [N/m^n] has its sign but no root
 *  at zero depth, so that the end of contact is a simple root. */
double sb_contact_normal_force(const sb_contact_law *law, const sb_contact_skin *skin, double gap,
                               double gap_rate, double *pull);

#endif
