// SPDX-License-Identifier: GPL-3.0-or-later
// A handle for a named quantity of a model, such as "C1.e", "grey.position" or "load.f".
#ifndef SB_CORE_NETWORK_QUANTITY_H
#define SB_CORE_NETWORK_QUANTITY_H

#include <stdbool.h>

#include "core/base/error.h"

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
  int first; // component, state, or row of the kind's own quantities
  int count; // numbers that it has
  char unit
      [64]; // SI; where its numbers have not all the same, one for each, with blanks between ("rad m"), 1: none
  int axes; // of a vector in the axes of a frame, NAME.QUANTITY(FRAME): 1 + the place of the frame's pose among
      // the values of the network; 0: in world axes, or no such vector
  int only,
      of; // of a number by itself, NAME.QUANTITY.x: 1 + which it is, of how many; 0: all are meant
} sb_quantity;

/** Whether it is an integral over the run. */
static inline bool sb_quantity_integrates(const sb_quantity *quantity) {
  return quantity->kind == SB_QUANTITY_INTEGRAL || quantity->kind == SB_QUANTITY_LOST;
}

enum { SB_QUANTITY_COMPONENTS_MAX = 64 }; // of which one may be asked for by itself

/** The unit of one of its numbers. @param units  as in sb_quantity  @return `unit`; "": none */
SB_API const char *sb_unit_of_component(const char *units, int component, char unit[64]);

/** The name of one of its numbers, as in the header of results: alone `label`, of three LABEL.x, LABEL.y, LABEL.z, else LABEL.0
 *  and on; cut off where the buffer ends. */
SB_API void sb_component_name(char *buffer, int size, const char *label, int component, int count);

/** Which of several numbers an ending such as ".x" or ".3" names; "" is that of a single one.
 *  @param end  in or behind `name`  @return -1: none of them, worded as SB_ERR_DIMENSION */
SB_API int sb_component_find(const char *name, const char *end, int count, sb_error *err);

#endif
