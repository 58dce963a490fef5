// SPDX-License-Identifier: GPL-3.0-or-later
// screwbond: port-Hamiltonian bond graphs with spatial contact and an energy ledger that closes.
// All that is installed, for C17 and C++17.
// Reading path: sb_graph (or sb_netlist_read) -> sb_model_compile -> sb_simulation_run -> sb_ledger.
#ifndef SCREWBOND_H
#define SCREWBOND_H

#include "catalog.h"
#include "contact/contact.h"
#include "contact/crowd.h"
#include "contact/materials.h"
#include "contact/restitution.h"
#include "core/analysis/drawing.h"
#include "core/analysis/equilibrium.h"
#include "core/analysis/hamiltonian.h"
#include "core/analysis/linearize.h"
#include "core/audit/ledger.h"
#include "core/base/error.h"
#include "core/base/version.h"
#include "core/graph/dirac.h"
#include "core/graph/domain.h"
#include "core/graph/graph.h"
#include "core/graph/neighbours.h"
#include "core/model/model.h"
#include "core/simulation/simulation.h"
#include "elements/bushing.h"
#include "elements/elements.h"
#include "geometry/closest.h"
#include "geometry/se2t.h"
#include "geometry/se3.h"
#include "mechanism/dynamics.h"
#include "mechanism/mechanism.h"
#include "netlist/netlist.h"
#include "report/diagnostics.h"
#include "report/report.h"
#include "report/results.h"

#endif
