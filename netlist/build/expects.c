// SPDX-License-Identifier: GPL-3.0-or-later
// The expected results of a run. The quantities are looked up once the model is compiled; here
// their texts, units and places are kept.
#include <math.h>
#include <string.h>

#include "netlist/build/build.h"
#include "netlist/build/quantities_private.h"
#include "netlist/build/values_private.h"
#include "netlist/build/words_private.h"
#include "netlist/language/values.h"
#include "netlist/reader/index.h"
#include "netlist/reader/numbers.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"
#include "netlist/reader/tree.h"
#include "netlist/value/angle.h"

/** One number of a known dimension; `missing` where the setting is NULL. */
static bool read_number(sb_reader *reader, const sb_setting *setting, const sb_dimension *expected,
                        double missing, double *value, sb_dimension *dimension) {
  *value = missing;
  return setting == NULL || sb_read_number(reader, setting, expected, NULL, value, dimension).known;
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
static bool check_time(const sb_reader *reader, const sb_netlist *netlist,
                       const sb_setting *setting, double at) {
  const sb_item *run = sb_next_item(reader, NULL, "run");
  const sb_setting *end = run == NULL ? NULL : sb_item_text(reader, run, "t-end");
  double start = netlist->options.t_start, last = netlist->t_end;
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

static bool read_time(sb_reader *reader, const sb_netlist *netlist, const sb_setting *setting,
                      sb_netlist_expect *expect) {
  const sb_dimension time = {.exponent = {0, 0, SB_EXPONENT_ONE}};
  if (setting == NULL) {
    return false;
  }
  expect->at_end = strcmp(setting->value, "end") == 0;
  return expect->at_end || (read_number(reader, setting, &time, 0, &expect->at, NULL) &&
                            check_time(reader, netlist, setting, expect->at));
}

/** The expectations while they are built. */
typedef struct expect_list {
  const sb_build *build;
  sb_netlist *netlist;
  sb_arena *memory;
  int capacity;
} expect_list;

/** @param plain      the quantity
 *  @param dimension  of the expected value */
static void add_expect(expect_list *list, sb_netlist_expect *expect, const char *plain,
                       const sb_dimension *dimension) {
  sb_netlist *netlist = list->netlist;
  char unit[SB_DIMENSION_SIZE];
  (void)sb_dimension_format(dimension, unit, sizeof unit);
  expect->of = sb_arena_copy(list->memory, plain, strlen(plain));
  expect->unit = dimension->any ? NULL : sb_arena_copy(list->memory, unit, strlen(unit));
  expect->cycles = dimension->cycle;
  if (expect->of == NULL || (expect->unit == NULL && !dimension->any) ||
      !sb_arena_grow(list->memory, &netlist->expects, &list->capacity, netlist->expect_count + 1,
                     sizeof *expect)) {
    sb_report_memory(list->build->reader);
    return;
  }
  netlist->expects[netlist->expect_count++] = *expect;
}

/** An expectation is of one quantity. */
static bool check_single(const sb_reader *reader, const sb_setting *of, sb_word word) {
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

/** The quantity of an expectation, if it is named and there. */
static bool read_quantity(const sb_build *build, const sb_setting *of, sb_word *word) {
  return of != NULL && sb_next_word(of->value, word) && sb_check_quantity(build, of, word) &&
         check_single(build->reader, of, *word);
}

/** An angular velocity that is expected of a frequency is converted; a frequency is none. */
static bool convert_angle(const sb_build *build, const sb_setting *value, const char *plain,
                          const sb_dimension *dimension, sb_netlist_expect *expect) {
  sb_dimension own = sb_quantity_dimension(build, plain);
  double factor;
  sb_error err = {0};
  if (value == NULL || dimension->any || own.any || sb_angle_convert(dimension, &own, &factor)) {
    bool states = value != NULL && !dimension->any && !own.any;
    expect->value *= states ? factor : 1;
    expect->abs_tol *= states ? factor : 1;
    return true;
  }
  (void)sb_angle_refuse("the value", value->value, (int)strcspn(value->value, "\r\n"), dimension,
                        &own, &err);
  sb_report_value(build->reader, value, &err);
  return false;
}

/** An expectation that zero would meet as well fails only by a wrong sign or order of magnitude. */
static void check_tolerance(sb_reader *reader, const sb_item *item,
                            const sb_netlist_expect *expect) {
  bool relative = expect->rel_tol >= 1;
  const sb_setting *setting = sb_item_text(reader, item, relative ? "rel-tol" : "abs-tol");
  if (setting != NULL && expect->value != 0 &&
      (relative || expect->abs_tol >= fabs(expect->value))) {
    sb_error err;
    sb_warn(&err, SB_ERR_RANGE,
            "the tolerance is not below the value: a result of 0 would pass as well");
    sb_report_value(reader, setting, &err);
  } else if (expect->value != 0 && isfinite(expect->value) && expect->abs_tol == 0 &&
             expect->rel_tol == 0 && sb_item_text(reader, item, "abs-tol") == NULL &&
             sb_item_text(reader, item, "rel-tol") == NULL) {
    sb_error err;
    sb_warn(&err, SB_ERR_RANGE, "without a tolerance the value must be met to the last digit");
    sb_error_hint(&err, "give abs-tol or rel-tol");
    sb_report_item(reader, item, &err);
  }
}

static void build_expect(expect_list *list, const sb_item *item) {
  const sb_build *build = list->build;
  sb_reader *reader = build->reader;
  const sb_setting *of = sb_item_text(reader, item, "of");
  const sb_setting *value = sb_item_text(reader, item, "value");
  sb_netlist_expect expect = {.line = item->node->line, .column = item->node->column};
  sb_expect_values values = {0};
  sb_dimension dimension = {.any = true};
  sb_word word = {0};
  char plain[SB_PATH_MAX + 1];
  bool named = read_quantity(build, of, &word);
  bool good = sb_read_values(build, item, sb_expect_table, NULL, &values);
  good = read_time(reader, list->netlist, sb_item_text(reader, item, "at"), &expect) && good;
  good = read_number(reader, value, NULL, 0, &expect.value, &dimension) && good;
  good = named && sb_plain_name(reader, of, word.start, word.length, plain) &&
         sb_check_owner(build, of, &word, plain) &&
         (value == NULL || sb_check_dimension(build, value, plain, &dimension)) &&
         read_tolerance(reader, item, dimension.any ? NULL : &dimension, &expect) &&
         convert_angle(build, value, plain, &dimension, &expect) && good;
  if (good) {
    expect.rel_tol = values.rel_tol;
    expect.component = values.component;
    check_tolerance(reader, item, &expect);
    sb_word_place(of, word.column, &expect.line, &expect.column);
    expect.value_line = expect.line;
    expect.value_column = expect.column;
    if (value != NULL) {
      sb_word_place(value, 1, &expect.value_line, &expect.value_column);
    }
    add_expect(list, &expect, plain, &dimension);
  }
}

void sb_build_expects(const sb_build *build, sb_netlist *netlist, sb_arena *memory) {
  expect_list list = {.build = build, .netlist = netlist, .memory = memory};
  const sb_item *item = NULL;
  while ((item = sb_next_item(build->reader, item, "expect")) != NULL) {
    build_expect(&list, item);
  }
}
