// SPDX-License-Identifier: GPL-3.0-or-later
// Sub-models that use each other twice double at every level: thirty of them make 10^9 elements. Each sub-model is
// counted once, from the XML,
//   size(node) = 1 + sum of what its children are; of a use 1 + size(sub-model), of a repeat 1 + count sum of its own,
// and never for more than it makes: a count that names a parameter is 0.
#include "netlist/reader/foresight_private.h"

#include <math.h>
#include <string.h>

#include "core/base/number.h"

enum {
  COUNTING = -1, // the size of a sub-model that contains itself, which is refused elsewhere
  DEPTH_MAX = 32 // and so are uses deeper inside each other
};

/** The count of a repeat, if it is written as a whole number. */
static double count_of(const sb_xml_node *repeat) {
  const sb_xml_attribute *count = sb_xml_attribute_find(repeat, "count");
  double number;
  size_t used;
  if (count == NULL) {
    return 0;
  }
  const size_t length = strlen(count->value);
  bool whole = sb_number_parse(count->value, length, &number, &used) == SB_OK && used == length &&
               number == floor(number);
  return whole && number > 0 ? number : 0;
}

static double inside(sb_reader *reader, const sb_xml_node *node, int depth);

static double of_use(sb_reader *reader, const sb_xml_node *use, int depth) {
  const sb_xml_attribute *name = sb_xml_attribute_find(use, "submodel");
  int index = name == NULL || depth == DEPTH_MAX
                  ? -1
                  : sb_names_find(&reader->submodels.ids, name->value, strlen(name->value));
  if (index < 0) {
    return 0;
  }
  sb_submodel *submodel = &reader->submodels.list[index];
  if (submodel->size == 0) {
    submodel->size = COUNTING;
    submodel->size = 1 + inside(reader, submodel->node, depth + 1);
  }
  return submodel->size == COUNTING ? 0 : submodel->size;
}

static double inside(sb_reader *reader, const sb_xml_node *node, int depth) {
  double count = 0;
  for (const sb_xml_node *child = node->first_child; child != NULL; child = child->next) {
    const double rounds = strcmp(child->name, "repeat") == 0 ? count_of(child) : 1;
    count += 1 + (rounds > 0 ? rounds * inside(reader, child, depth) : 0);
    count += strcmp(child->name, "use") == 0 ? of_use(reader, child, depth) : 0;
  }
  return count;
}

double sb_count_use(sb_reader *reader, const sb_xml_node *use) {
  return of_use(reader, use, 0);
}

double sb_count_inside(sb_reader *reader, const sb_xml_node *node) {
  return inside(reader, node, 0);
}
