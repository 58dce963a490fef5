// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of the results. Their quantities are looked up once the model is compiled; here their
// texts, units and places are kept.
#include <string.h>

#include "netlist/build/build.h"
#include "netlist/build/quantities_private.h"
#include "netlist/build/words_private.h"
#include "netlist/reader/index.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"

/** What an <output> says of all its columns. */
typedef struct column_style {
  const char *label;      // NULL: the name of the quantity
  const sb_setting *unit; // with its scale and dimension; NULL: SI
  double scale;
  sb_dimension dimension;
} column_style;

/** The outputs while they are built. */
typedef struct output_list {
  const sb_build *build;
  sb_netlist *netlist;
  sb_arena *memory;
  int capacity;
} output_list;

static void add_output(output_list *list, const sb_setting *of, const sb_word *word,
                       const column_style *style) {
  sb_reader *reader = list->build->reader;
  sb_netlist *netlist = list->netlist;
  char plain[SB_PATH_MAX + 1];
  if (!sb_plain_name(reader, of, word->start, word->length, plain) ||
      !sb_check_owner(list->build, of, word, plain) ||
      (style->unit != NULL &&
       !sb_check_dimension(list->build, style->unit, plain, &style->dimension))) {
    return;
  }
  const char *label = style->label != NULL ? style->label : plain;
  const char *unit = style->unit == NULL ? "" : style->unit->value;
  sb_netlist_output output = {.of = sb_arena_copy(list->memory, plain, strlen(plain)),
                              .label = sb_arena_copy(list->memory, label, strlen(label)),
                              .unit = sb_arena_copy(list->memory, unit, strlen(unit)),
                              .scale = style->scale};
  if (output.of == NULL || output.label == NULL || output.unit == NULL ||
      !sb_arena_grow(list->memory, &netlist->outputs, &list->capacity, netlist->output_count + 1,
                     sizeof output)) {
    sb_report_memory(reader);
    return;
  }
  if (style->unit != NULL) {
    sb_word_place(style->unit, 1, &output.unit_line, &output.unit_column);
  } else {
    output.unit = NULL;
  }
  sb_word_place(of, word->column, &output.line, &output.column);
  netlist->outputs[netlist->output_count++] = output;
}

static int count_words(const char *text) {
  sb_word word = {0};
  int count = 0;
  while (sb_next_word(text, &word)) {
    count++;
  }
  return count;
}

/** The number of columns. */
static int check_columns(const sb_reader *reader, const sb_item *item, const sb_setting *of) {
  int count = of == NULL ? 0 : count_words(of->value);
  sb_error err = {0};
  if (of != NULL && count == 0) {
    (void)sb_fail(&err, SB_ERR_MISSING, "an output needs a quantity");
    sb_error_hint(&err, "write ELEMENT.QUANTITY, for instance C1.e");
    sb_report_value(reader, of, &err);
  }
  if (item->id != NULL && count > 1) {
    (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "the id '%s' labels one column, but there are %d",
                  item->id, count);
    sb_report_value(reader, sb_item_text(reader, item, "id"), &err);
  }
  return count;
}

static void build_output(output_list *list, const sb_item *item) {
  const sb_reader *reader = list->build->reader;
  const sb_setting *of = sb_item_text(reader, item, "of");
  const sb_setting *unit = sb_item_text(reader, item, "unit");
  column_style style = {.label = item->id, .unit = unit, .scale = 1, .dimension.any = true};
  sb_error err = {0};
  if (unit != NULL && sb_unit_parse(unit->value, strlen(unit->value), &style.dimension,
                                    &style.scale, &err) != SB_OK) {
    sb_report_value(reader, unit, &err);
    style.unit = NULL;
  }
  int count = check_columns(reader, item, of);
  sb_word word = {0};
  while (count > 0 && sb_next_word(of->value, &word)) {
    if (sb_check_quantity(list->build, of, &word)) {
      add_output(list, of, &word, &style);
    }
  }
}

void sb_build_outputs(const sb_build *build, sb_netlist *netlist, sb_arena *memory) {
  output_list list = {.build = build, .netlist = netlist, .memory = memory};
  const sb_item *item = NULL;
  while ((item = sb_next_item(build->reader, item, "output")) != NULL) {
    build_output(&list, item);
  }
}
