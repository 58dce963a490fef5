// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog.h"

#include <string.h>

#include "contact/parts.h"
#include "contact/rigid.h"
#include "elements/elements.h"

const sb_element_type *const sb_catalog[] = {&sb_kind_Se,
                                             &sb_kind_Sf,
                                             &sb_kind_C,
                                             &sb_kind_I,
                                             &sb_kind_R,
                                             &sb_kind_CField,
                                             &sb_kind_IField,
                                             &sb_kind_ICField,
                                             &sb_kind_RField,
                                             &sb_kind_HeatR,
                                             &sb_kind_Friction,
                                             &sb_kind_TF,
                                             &sb_kind_GY,
                                             &sb_kind_MTF,
                                             &sb_kind_MGY,
                                             &sb_kind_J0,
                                             &sb_kind_J1,
                                             &sb_kind_Switch,
                                             &sb_kind_Clutch,
                                             &sb_kind_Diode,
                                             &sb_kind_Stop,
                                             &sb_kind_signal,
                                             &sb_kind_Hysteresis,
                                             &sb_kind_SampleHold,
                                             &sb_kind_TransferFunction,
                                             &sb_kind_Delay,
                                             &sb_kind_body,
                                             &sb_kind_ground,
                                             &sb_kind_Line,
                                             &sb_kind_Axis,
                                             &sb_kind_Slide,
                                             &sb_kind_Bushing,
                                             &sb_kind_bushing_elastic,
                                             &sb_kind_Wrench,
                                             &sb_kind_contact,
                                             &sb_kind_contact_elastic,
                                             &sb_kind_contact_damper,
                                             &sb_kind_contact_slipping,
                                             &sb_kind_contact_slip,
                                             &sb_kind_contact_friction,
                                             &sb_kind_contact_bristle_friction,
                                             &sb_kind_contact_bristles,
                                             &sb_kind_contact_potential,
                                             &sb_kind_contact_rolling,
                                             &sb_kind_contact_turning,
                                             &sb_kind_contact_holding,
                                             &sb_kind_contact_turning_springs,
                                             &sb_kind_contact_rigid,
                                             &sb_kind_contact_hold,
                                             &sb_kind_contact_rub,
                                             NULL};

const sb_element_type *sb_catalog_find(const char *name) {
  for (const sb_element_type *const *kind = sb_catalog; *kind != NULL; kind++) {
    if ((*kind)->name[0] == name[0] &&
        strcmp((*kind)->name, name) == 0) { // called for every element
      return *kind;
    }
  }
  return NULL;
}
