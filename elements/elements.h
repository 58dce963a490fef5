// SPDX-License-Identifier: GPL-3.0-or-later
// The element kinds of this folder.
#ifndef SB_ELEMENTS_ELEMENTS_H
#define SB_ELEMENTS_ELEMENTS_H

#include "core/graph/graph.h"

SB_API const sb_element_type sb_kind_C, sb_kind_I, sb_kind_R;
SB_API const sb_element_type sb_kind_Se, sb_kind_Sf;
SB_API const sb_element_type sb_kind_J0, sb_kind_J1, sb_kind_TF, sb_kind_GY, sb_kind_Switch,
    sb_kind_Clutch, sb_kind_Diode, sb_kind_Stop;
SB_API const sb_element_type sb_kind_CField, sb_kind_IField, sb_kind_ICField, sb_kind_RField,
    sb_kind_HeatR, sb_kind_Friction;
SB_API const sb_element_type sb_kind_MTF, sb_kind_MGY, sb_kind_signal;
SB_API const sb_element_type sb_kind_Hysteresis, sb_kind_SampleHold, sb_kind_TransferFunction;
SB_API const sb_element_type sb_kind_Delay;
SB_API const sb_element_type sb_kind_body, sb_kind_ground;
SB_API const sb_element_type sb_kind_Line, sb_kind_Axis, sb_kind_Slide, sb_kind_Bushing,
    sb_kind_bushing_elastic, sb_kind_Wrench;

/** States the unit in which a signal is shown. */
SB_API void sb_signal_set_unit(sb_element *element, const char *unit);

#endif
