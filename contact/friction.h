// SPDX-License-Identifier: GPL-3.0-or-later
// Friction of a contact by a law of its own between the tangential velocity v, the normal force f_n and a load f_t
// on the surfaces, one row each; Coulomb's friction with a skin that sticks and slips is slip.h. With
//   dir(v) = v/|v| for |v| >= v_e, else (v/v_e) (3/2 - |v|^2/(2 v_e^2)),   v_e = v_S/100
// (Gonthier et al., 2004, eq (20); the printed inner branch is not smooth at v_e):
//   viscous       f_t = sigma2 v
//   stribeck      f_t = (mu_k + (mu_s - mu_k) exp(-|v|^2/v_S^2)) f_n dir(v) + sigma2 v
//   bristle-dwell f_t = f_br + sigma2 v, eqs (15) to (26), with the bristles zb:
//     s = exp(-|v|^2/v_S^2),  s_dw' = (s - s_dw)/tau,  tau = tau_dw for s >= s_dw, else sigma1/sigma0,
//     f_br = sigma0 zb + sigma1 zb',  zb' = s v + (1 - s) (mu_k f_n dir(v) - sigma0 zb)/sigma1,
//   and where |f_br| would be above f_max = f_n (mu_k + (mu_s - mu_k) s_dw) it is f_max along it, with the zb' that
//   belongs to it. (The paper limits the force alone: bristles then store energy that nothing gave, at least at
//   every release, where f_n is 0. Motions differ by less than 1e-3.)
// The bristles store sigma0 |zb|^2/2, and P = f_br . v - sigma0 zb . zb' + sigma2 |v|^2 is dissipated. As printed P >= 0 for
//   kappa = v_S sigma1/(mu_k f_n) >= 1/2:
// below f_max P >= s sigma1 |v|^2 + (1 - s) (mu_k f_n |v| - (mu_k f_n)^2/(4 sigma1)), which is not negative then as
// 1 - s <= |v|^2/v_S^2; and at f_max P is between that and sigma0^2 |zb|^2/sigma1, its value without force.
// For a smaller kappa bristles wind up to mu_k f_n/sigma0 at the rate mu_k f_n/sigma1, however slowly the surfaces slide, and there
// are motions that gain energy from them (below 0.33, by search), so that no storage function makes the printed law passive.
// Unless `as_printed`, zb' is therefore limited along zb so that sigma0 zb . zb' <= f_br . v: the force is the printed one, P >= 0
// always, and for kappa >= 1/2 nothing differs. It is continuous, as sigma0 zb . zb' - f_br . v <= 0 near zb = 0.
#ifndef SB_CONTACT_FRICTION_H
#define SB_CONTACT_FRICTION_H

#include <stdbool.h>

#include "core/base/error.h"

typedef enum sb_friction_kind {
  SB_FRICTION_NONE, // the tangential springs of the skin, that hold or slip
  SB_FRICTION_VISCOUS,
  SB_FRICTION_STRIBECK,
  SB_FRICTION_BRISTLE
} sb_friction_kind;

typedef struct sb_friction {
  int kind;                      // sb_friction_kind
  double mu_static, mu_kinetic;  // static: 0, as kinetic
  double sigma0, sigma1, sigma2; // [N/m], [N s/m], [N s/m]
  double v_stribeck;             // [m/s] v_S
  double tau_dwell;              // [s]
  double dwell_at_touch;         // s_dw where a contact begins, 0 to 1
  bool as_printed;               // bristles may take up power that nothing gives
} sb_friction;

typedef struct sb_friction_row {
  const char *name, *help; // NULL name ends the list
  int kind;
  const char *needs;    // the parameters that must be given, separated by blanks
  const char *optional; // those that may be
} sb_friction_row;

SB_API const sb_friction_row sb_friction_rows[];
SB_API const sb_friction_row *sb_friction_row_find(const char *name); // NULL: none

/** @return SB_ERR_RANGE, worded; `about`: the parameter, or NULL */
SB_API sb_status sb_friction_check(const sb_friction *friction, const char **about, sb_error *err);

/** What friction follows from; laws without bristles do not read these and their dwell state. */
typedef struct sb_friction_state {
  double f_n;   // [N] the normal force, >= 0
  double v[2];  // [m/s] of body 2 against body 1, along the tangent plane
  double zb[2]; // [m] the bristles
  double s_dw;
} sb_friction_state;

typedef struct sb_friction_rates {
  double force[2];  // [N] f_t
  double zb_dot[2]; // [m/s]
} sb_friction_rates;

/** Where the laws have kinks: |v| = v_e; |f_br| = f_max; where bristles would take up what nothing gives; and s = s_dw. The sides of the latter two
 *  are not held: beyond the third zb' is infinite where zb is zero, and s_dw is a state by itself. */
enum { SB_FRICTION_FAST, SB_FRICTION_YIELDS, SB_FRICTION_FED, SB_FRICTION_AGES, SB_FRICTION_KINKS };
/** How many of these a law has. */
SB_API int sb_friction_kinks(const sb_friction *friction);
/** @param sides  of the kinks, see kinks.h; NULL: the guards decide  @param guard  out: of the kinks */
SB_API void sb_friction_force(const sb_friction *friction, const sb_friction_state *state,
                              const double sides[], sb_friction_rates *out,
                              double guard[SB_FRICTION_KINKS]);

/** s_dw' [1/s] of bristles.  @param speed  [m/s]  @param guard  out: of s = s_dw */
SB_API double sb_friction_dwell_rate(const sb_friction *friction, double speed, double s_dw,
                                     double *guard);

/** dir(v) by its factor below v_e, dir(v) = factor v.  @param square  |v|^2  @param least  v_e > 0 */
static inline double sb_friction_slow(double square, double least) {
  return (1.5 - 0.5 * square / (least * least)) / least;
}

/** kappa of the bristles under a normal force f_n [N], below 1/2 of which the printed law may give power; infinite without load. */
SB_API double sb_friction_kappa(const sb_friction *friction, double f_n);

#endif
