// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of a compiled model.
#ifndef SB_CORE_MODEL_DATA_H
#define SB_CORE_MODEL_DATA_H

#include "core/graph/neighbours.h"
#include "core/model/model.h"
#include "core/program/program.h"

struct sb_model {
  sb_network network;
  sb_program *program; // in the modes at the start
  int *start_modes;    // (mode_count)
  sb_graph *source;    // of which models for other neighbours are made; NULL: it monitors nobody
  double *monitored;   // (network.monitored_count) the signals that it is populated for
};

/** A graph as it is, with nobody near (compile.c). */
sb_status sb_model_compile_graph(const sb_graph *graph, sb_model **model, sb_errors *errors);
/** The model of a source for signals of whom it monitors; it borrows from the source (population.c).
 *  @param monitored  (network.monitored_count) */
sb_status sb_model_populate(const sb_graph *source, const double monitored[], sb_lasting lasting,
                            sb_model **model, sb_errors *errors);
/** The same for those at the start; it owns its source. */
sb_status sb_model_populate_start(const sb_graph *graph, sb_model **model, sb_errors *errors);

#endif
