// SPDX-License-Identifier: GPL-3.0-or-later
#include "mechanism/momentum_size.h"

#include <math.h>

#include "core/base/wide.h"

/** A force that is small beside this fraction of the largest one, as the rounding of a balance is, has no direction. */
static const double faint = 0.1;
/** What forces exchange, if it is less than this fraction of the kinetic energy, is not followed more closely: as what slides without friction,
 *  which forces by rounding alone are along. */
static const double trifle = 1e-8;

/** Radius [N s] of a sphere that holds all momenta so far: that of the last one, or the least about it and p. The same velocity added to
 *  all moves its centre alone; of motion along a line it is half of the range. No more than the largest |p|, which a sphere that grows step by
 *  step may pass. */
static double spread(sb_momentum_kept *kept, sb_vec3 p) {
  sb_vec3 centre = kept->begun != 0 ? sb_vec3_load(kept->centre) : p;
  const sb_vec3 off = sb_vec3_sub(p, centre);
  const double away = sb_vec3_norm(off), radius = kept->radius;
  if (away > radius) {
    kept->radius = 0.5 * (away + radius);
    centre = sb_vec3_axpy(centre, 0.5 * (1 - radius / away), off);
  }
  kept->begun = 1;
  kept->largest = sb_larger(kept->largest, sb_vec3_norm(p));
  sb_vec3_store(kept->centre, centre);
  return kept->radius < kept->largest ? kept->radius : kept->largest;
}

/** With a size s and p_f along f the energy is off by (p_f/m) rtol s: below a trifle of rtol p^2/m the size need not be less. */
double sb_momentum_size(sb_momentum_kept *kept, sb_vec3 p, sb_vec3 f) {
  const double changed = spread(kept, p), force = sb_vec3_norm(f);
  kept->force = sb_larger(kept->force, force);
  if (!(kept->force > 0)) {
    return sb_larger(changed, sb_vec3_norm(p));
  }
  const double along = fabs(sb_vec3_dot(p, f)) / (force + faint * (kept->force - force));
  kept->along = sb_larger(kept->along, along);
  const double whole = kept->largest;
  const double enough = trifle * whole < kept->along ? trifle * whole * whole / kept->along : whole;
  return sb_larger(sb_larger(changed, kept->along), enough);
}
