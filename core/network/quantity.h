// SPDX-License-Identifier: GPL-3.0-or-later
// A handle for a named quantity of a model, such as "C1.e", "grey.position" or "load.f".
#ifndef SB_CORE_NETWORK_QUANTITY_H
#define SB_CORE_NETWORK_QUANTITY_H

typedef enum sb_quantity_kind {
  SB_QUANTITY_EFFORT,
  SB_QUANTITY_FLOW,
  SB_QUANTITY_STATE,
  SB_QUANTITY_MEASURE,  // a row of the element kind's own quantities
  SB_QUANTITY_INTEGRAL, // the kind's own
  // of an element and its parts ID/... together
  SB_QUANTITY_ENERGY,
  SB_QUANTITY_POWER,
  SB_QUANTITY_LOST
} sb_quantity_kind;

typedef struct sb_quantity {
  int element;
  sb_quantity_kind kind;
  int first;     // component, state, or row of the kind's own quantities
  int count;     // numbers that it has
  char unit[24]; // SI
} sb_quantity;

#endif
