// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of a compiled model.
#ifndef SB_CORE_MODEL_DATA_H
#define SB_CORE_MODEL_DATA_H

#include "core/model/model.h"
#include "core/program/program.h"

struct sb_model {
  sb_network network;
  sb_program *program; // in the modes at the start
  int *start_modes;    // (mode_count)
};

#endif
