// SPDX-License-Identifier: GPL-3.0-or-later
// What the figures of an audit say against a run, or against its start, in words.
#ifndef SB_TOOLS_VERDICT_H
#define SB_TOOLS_VERDICT_H

#include "core/integrator/options.h"
#include "core/model/model.h"
#include "report/report.h"

/** Words each figure of the audit that is beyond its limit, with the place of the element.
 *  @param options  of the run */
void verdict_word(const sb_model *model, const sb_options *options, const sb_report *report,
                  sb_errors *errors);

#endif
