// SPDX-License-Identifier: GPL-3.0-or-later
// Outputs and expectations. Their quantities are looked up once the model is compiled; here their
// texts, units and places are kept.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array_private.h"
#include "netlist/build/build.h"
#include "netlist/language/values.h"
#include "netlist/reader/expand.h"

/** The place of a word in the file; none for what the command line set. */
static void word_place(const sb_setting *setting, int column, int *line, int *place) {
  *line = 0;
  *place = 0;
  if (setting->attribute != NULL) {
    sb_xml_value_place(setting->attribute, column, line, place);
  }
}

static bool is_signal(const sb_item *item) {
  return item->tag->flags & SB_TAG_SIGNAL;
}

static bool makes_element(const sb_item *item) {
  return item->type != NULL;
}

/** Whether the element of a quantity is there; one that is not is reported, unless it has been. The
 *  pairs of bodies in contact have many names, and are looked up in the model only. */
static bool check_owner(sb_reader *reader, const sb_setting *setting, const sb_word *word,
                        const char *plain) {
  char name[SB_PATH_MAX + 1];
  size_t length = strcspn(plain, ".");
  (void)snprintf(name, sizeof name, "%.*s", (int)length, plain);
  if (strchr(name, '(') != NULL || sb_graph_find(reader->netlist->graph, name) != NULL) {
    return true;
  }
  int index = sb_scope_find(reader, name, length);
  bool failed =
      index >= 0 && (reader->items[index].tag == NULL || makes_element(&reader->items[index]));
  if (failed || sb_leads_nowhere(reader, name)) {
    return false;
  }
  if (index >= 0 || strchr(name, '/') != NULL) {
    return true; // of a mechanism, or a part of an element
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_REFERENCE, "there is no element '%.80s'", name);
  sb_hint_id_in(reader, setting->scope, name, length, makes_element, &err);
  err.column = word->column;
  sb_report_value(reader, setting, &err);
  return false;
}

/** Whether a quantity can be given in a dimension. */
static bool check_dimension(sb_reader *reader, const sb_setting *setting, const char *plain,
                            const sb_dimension *dimension) {
  sb_dimension own = sb_quantity_dimension(reader, plain);
  if (own.any || dimension->any || sb_dimension_fits(dimension, &own)) {
    return true;
  }
  char unit[SB_DIMENSION_SIZE];
  sb_error err;
  (void)sb_unit_describe(&own, unit, sizeof unit);
  (void)sb_fail(&err, SB_ERR_DIMENSION, "'%s' does not fit: %.80s is in %s", setting->value, plain,
                strcmp(unit, "1") == 0 ? "no unit" : unit);
  sb_report_value(reader, setting, &err);
  return false;
}

/** A quantity is ELEMENT.NAME, or a signal. */
static bool check_quantity(sb_reader *reader, const sb_setting *setting, const sb_word *word) {
  const char *dot = memchr(word->start, '.', word->length);
  sb_error err;
  if ((dot != NULL && dot > word->start && dot + 1 < word->start + word->length) ||
      (dot == NULL && sb_find_signal(reader, setting->scope, word->start, word->length) >= 0)) {
    return true;
  }
  (void)sb_fail(&err, SB_ERR_REFERENCE, "'%.*s' is not a quantity",
                (int)(word->length > 80 ? 80 : word->length), word->start);
  sb_hint_id_in(reader, setting->scope, word->start, word->length, is_signal, &err);
  if (dot != NULL || err.hint[0] == '\0') {
    sb_error_hint(&err, "write ELEMENT.QUANTITY, for instance C1.e");
  }
  err.column = word->column;
  sb_report_value(reader, setting, &err);
  return false;
}

/** @param unit  with its scale and dimension; NULL: SI */
static void add_output(sb_reader *reader, const sb_setting *of, const sb_word *word,
                       const char *label, const sb_setting *unit, double scale,
                       const sb_dimension *dimension) {
  sb_netlist *netlist = reader->netlist;
  char plain[SB_PATH_MAX + 1];
  if (!sb_plain_name(reader, of, word->start, word->length, plain) ||
      !check_owner(reader, of, word, plain) ||
      (unit != NULL && !check_dimension(reader, unit, plain, dimension))) {
    return;
  }
  if (!sb_grow(&netlist->outputs, &reader->output_capacity, netlist->output_count + 1,
               sizeof(sb_netlist_output))) {
    sb_report_memory(reader);
    return;
  }
  sb_netlist_output *output = &netlist->outputs[netlist->output_count++];
  *output = (sb_netlist_output){.of = sb_duplicate(plain), .scale = scale};
  output->label = sb_duplicate(label != NULL ? label : plain);
  output->unit = unit != NULL ? sb_duplicate(unit->value) : NULL;
  if (unit != NULL) {
    word_place(unit, 1, &output->unit_line, &output->unit_column);
  }
  word_place(of, word->column, &output->line, &output->column);
  if (output->of == NULL || output->label == NULL || (unit != NULL && output->unit == NULL)) {
    sb_report_memory(reader);
  }
}

static int count_words(const char *text) {
  sb_word word = {0};
  int count = 0;
  while (sb_next_word(text, &word)) {
    count++;
  }
  return count;
}

static void build_output(sb_reader *reader, const sb_item *item) {
  const sb_setting *of = sb_item_text(reader, item, "of");
  const sb_setting *unit = sb_item_text(reader, item, "unit");
  double scale = 1;
  sb_dimension dimension = {.any = true};
  sb_error err = {0};
  if (unit != NULL &&
      sb_unit_parse(unit->value, strlen(unit->value), &dimension, &scale, &err) != SB_OK) {
    sb_report_value(reader, unit, &err);
    unit = NULL;
  }
  int count = of == NULL ? 0 : count_words(of->value);
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
  sb_word word = {0};
  while (count > 0 && sb_next_word(of->value, &word)) {
    if (check_quantity(reader, of, &word)) {
      add_output(reader, of, &word, item->id, unit, scale, &dimension);
    }
  }
}

void sb_build_outputs(sb_reader *reader) {
  sb_item *item = NULL;
  while ((item = sb_next_item(reader, item, "output")) != NULL) {
    build_output(reader, item);
  }
}

/** One number of a known dimension; `missing` where the setting is NULL. */
static bool read_number(sb_reader *reader, const sb_setting *setting, const sb_dimension *expected,
                        double missing, double *value, sb_dimension *dimension) {
  int count;
  sb_dimension unused;
  *value = missing;
  return setting == NULL || sb_read_numbers(reader, setting, expected, value, 1, &count,
                                            dimension != NULL ? dimension : &unused);
}

static bool read_tolerance(sb_reader *reader, const sb_item *item, const sb_dimension *dimension,
                           sb_netlist_expect *expect) {
  const sb_setting *setting = sb_item_text(reader, item, "abs-tol");
  if (!read_number(reader, setting, dimension, 0, &expect->abs_tol, NULL)) {
    return false;
  }
  if (setting != NULL && !(expect->abs_tol >= 0 && isfinite(expect->abs_tol))) {
    sb_error err;
    (void)sb_fail(&err, SB_ERR_RANGE, "abs-tol must not be negative");
    sb_report_value(reader, setting, &err);
    return false;
  }
  return true;
}

/** A time within the run that the netlist states; the command line may state another. */
static bool check_time(sb_reader *reader, const sb_setting *setting, double at) {
  const sb_item *run = sb_next_item(reader, NULL, "run");
  const sb_setting *end = run == NULL ? NULL : sb_item_text(reader, run, "t-end");
  double start = reader->netlist->options.t_start, last = reader->netlist->t_end;
  bool late = end != NULL && end->attribute != NULL && last > 0 && at > last;
  if (!late && !(at < start)) {
    return true;
  }
  sb_error err;
  (void)sb_fail(&err, SB_ERR_RANGE, "%s s is %s of the run, %s s", sb_number_word(at).text,
                late ? "after the end" : "before the start",
                sb_number_word(late ? last : start).text);
  sb_report_value(reader, setting, &err);
  return false;
}

static bool read_time(sb_reader *reader, const sb_setting *setting, sb_netlist_expect *expect) {
  const sb_dimension time = {.exponent = {0, 0, SB_DIMENSION_PART}};
  if (setting == NULL) {
    return false;
  }
  expect->at_end = strcmp(setting->value, "end") == 0;
  return expect->at_end || (read_number(reader, setting, &time, 0, &expect->at, NULL) &&
                            check_time(reader, setting, expect->at));
}

/** Takes over the expectation. */
static void add_expect(sb_reader *reader, sb_netlist_expect *expect,
                       const sb_dimension *dimension) {
  sb_netlist *netlist = reader->netlist;
  char unit[SB_DIMENSION_SIZE];
  (void)sb_dimension_format(dimension, unit, sizeof unit);
  expect->unit = dimension->any ? NULL : sb_duplicate(unit);
  if (expect->of == NULL || (expect->unit == NULL && !dimension->any) ||
      !sb_grow(&netlist->expects, &reader->expect_capacity, netlist->expect_count + 1,
               sizeof *expect)) {
    free(expect->unit);
    free(expect->of);
    sb_report_memory(reader);
    return;
  }
  netlist->expects[netlist->expect_count++] = *expect;
}

/** An expectation is of one quantity. */
static bool check_single(sb_reader *reader, const sb_setting *of, sb_word word) {
  sb_error err;
  if (!sb_next_word(of->value, &word)) {
    return true;
  }
  (void)sb_fail(&err, SB_ERR_REFERENCE, "an <expect> is of one quantity");
  sb_error_hint(&err, "write an <expect> for each");
  err.column = word.column;
  sb_report_value(reader, of, &err);
  return false;
}

static void build_expect(sb_reader *reader, const sb_item *item) {
  const sb_setting *of = sb_item_text(reader, item, "of");
  sb_netlist_expect expect = {.line = item->node->line, .column = item->node->column};
  sb_expect_values values = {0};
  sb_dimension dimension = {.any = true};
  sb_word word = {0};
  const sb_setting *value = sb_item_text(reader, item, "value");
  bool named = of != NULL && sb_next_word(of->value, &word) && check_quantity(reader, of, &word) &&
               check_single(reader, of, word);
  bool good = sb_read_values(reader, item, sb_expect_table, NULL, &values);
  good = read_time(reader, sb_item_text(reader, item, "at"), &expect) && good;
  if (read_number(reader, value, NULL, 0, &expect.value, &dimension)) {
    good = read_tolerance(reader, item, dimension.any ? NULL : &dimension, &expect) && good;
  } else {
    good = false;
  }
  char plain[SB_PATH_MAX + 1];
  good = named && sb_plain_name(reader, of, word.start, word.length, plain) &&
         check_owner(reader, of, &word, plain) &&
         (value == NULL || check_dimension(reader, value, plain, &dimension)) && good;
  if (good) {
    expect.rel_tol = values.rel_tol;
    expect.component = values.component;
    word_place(of, word.column, &expect.line, &expect.column);
    expect.of = sb_duplicate(plain);
    add_expect(reader, &expect, &dimension);
  }
}

void sb_build_expects(sb_reader *reader) {
  sb_item *item = NULL;
  while ((item = sb_next_item(reader, item, "expect")) != NULL) {
    build_expect(reader, item);
  }
}
