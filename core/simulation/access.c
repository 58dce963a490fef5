// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulation/access.h"

#include "core/simulation/simulation_private.h"

sb_simulation_point sb_simulation_at(const sb_simulation *sim) {
  return (sb_simulation_point){sim->model, sim->work, sim->t, sim->x};
}
