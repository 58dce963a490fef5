// SPDX-License-Identifier: GPL-3.0-or-later
// screwbond: port-Hamiltonian bond graphs with spatial contact and an energy ledger that closes.
// Reading path: sb_graph (or sb_netlist_read) -> sb_model_compile -> sb_simulation_run -> sb_ledger.
#ifndef SCREWBOND_H
#define SCREWBOND_H

#include "catalog.h"
#include "contact/contact.h"
#include "core/dirac.h"
#include "core/domain.h"
#include "core/drawing.h"
#include "core/error.h"
#include "core/graph.h"
#include "core/hamiltonian.h"
#include "core/ledger.h"
#include "core/linearize.h"
#include "core/model.h"
#include "core/simulation.h"
#include "elements/elements.h"
#include "netlist/netlist.h"
#include "report/report.h"

#define SCREWBOND_VERSION "0.1.0"

#endif
