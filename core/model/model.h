// SPDX-License-Identifier: GPL-3.0-or-later
// A compiled model: immutable, shareable between threads. Each running simulation has a workspace
// of its own.
#ifndef SB_CORE_MODEL_H
#define SB_CORE_MODEL_H

#include "core/graph/graph.h"
#include "core/network/quantity.h"

typedef struct sb_model sb_model;
typedef struct sb_workspace sb_workspace;

/** Compiles a graph: checks ports, dimensions and domains, assigns causality, lays out the state.
 *  All faults are reported. The graph is only read, and may be destroyed afterwards. */
SB_API sb_status sb_model_compile(const sb_graph *graph, sb_model **model, sb_errors *errors);
SB_API void sb_model_destroy(sb_model *model);

/** States of the storages, without the quadratures of the ledger that follow them. */
SB_API int sb_model_state_count(const sb_model *model);
/** Length of the vector that is integrated: the states, then the ledger's quadratures. */
SB_API int sb_model_vector_count(const sb_model *model);
SB_API int sb_model_element_count(const sb_model *model);
/** The first so many elements last. The others stand for neighbours: they come and go during a run, and are read
 *  as not-a-number where they are gone. */
SB_API int sb_model_lasting_count(const sb_model *model);
SB_API const char *sb_model_element_id(const sb_model *model, int element);
SB_API const char *sb_model_element_kind(const sb_model *model, int element);
/** Adds where the element of this id stands to an error, if it is known. */
SB_API void sb_model_place(const sb_model *model, const char *element, sb_error *err);

/** The names of all quantities that are states of storages, "C1.q", for k < sb_model_state_count.
 *  The buffer holds 300 bytes. */
SB_API const char *sb_model_state_name(const sb_model *model, int state, char name[300]);

/** Writes a readable account of the structure: states, storages and their causality. The caller
 *  frees the text.
 *  @return SB_ERR_MEMORY */
SB_API sb_status sb_model_describe(const sb_model *model, bool json, char **text, sb_error *err);

/** @return SB_ERR_MEMORY */
SB_API sb_status sb_workspace_create(const sb_model *model, sb_workspace **work, sb_error *err);
SB_API void sb_workspace_destroy(sb_workspace *work);

/** Initial state and zero quadratures. */
SB_API void sb_model_start(const sb_model *model, sb_workspace *work, double x[]);

/** Right-hand side of the compiled model and of its ledger. No allocation.
 *  @param x     (sb_model_vector_count)
 *  @param xdot  (same) out; must not alias x
 *  @return 0; < 0 if an element fails or gives a number that is not finite (see
 *          sb_workspace_failure) */
SB_API int sb_model_rhs(const sb_model *model, sb_workspace *work, double t, const double x[],
                        double xdot[]);
/** Names the element that failed in the last sb_model_rhs; NULL if none did. */
SB_API const char *sb_workspace_failure(const sb_workspace *work);

/** Finds a quantity by its name, "C1.e".
 *  @return SB_ERR_REFERENCE for an unknown element, or a quantity that it has not; the hint lists
 *          what it has */
SB_API sb_status sb_model_find(const sb_model *model, const char *name, sb_quantity *quantity,
                               sb_error *err);

#endif
