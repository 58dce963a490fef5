// SPDX-License-Identifier: GPL-3.0-or-later
// screwbond help: the element kinds and the other elements of the language, from their tables.
#include <stdio.h>
#include <string.h>

#include "catalog.h"
#include "columns.h"
#include "command.h"
#include "netlist/language/schema.h"

enum { CELL = 128 };

/** A line of the table of attributes. */
typedef struct line {
  char name[SB_SCHEMA_NAME];
  char unit[CELL], range[CELL], fallback[CELL];
  const char *help, *aliases;
} line;

static void words(const sb_param *row, char text[CELL]) {
  text[0] = '\0';
  for (int i = 0; row->choices != NULL && row->choices[i] != NULL; i++) {
    size_t used = strlen(text);
    (void)snprintf(text + used, CELL - used, "%s%s", i > 0 ? "|" : "", row->choices[i]);
  }
}

static void fill_range(const sb_param *row, char text[CELL]) {
  static const char *const ranges[] = {[SB_ANY] = "",
                                       [SB_POSITIVE] = "> 0",
                                       [SB_NOT_NEGATIVE] = ">= 0",
                                       [SB_NONZERO] = "not 0",
                                       [SB_INCREASING] = "increasing",
                                       [SB_ONE_POSITIVE] = "> 0",
                                       [SB_ONE_NOT_NEGATIVE] = ">= 0",
                                       [SB_DIRECTION] = "not all 0"};
  if (row->kind == SB_PARAM_CHOICE) {
    words(row, text);
  } else if (row->kind == SB_PARAM_FLAG) {
    (void)snprintf(text, CELL, "yes|no");
  } else {
    (void)snprintf(text, CELL, "%s", ranges[row->range]);
  }
}

static void fill_unit(const sb_param *row, char text[CELL]) {
  bool any = row->unit != NULL && strcmp(row->unit, SB_UNIT_ANY) == 0;
  const char *unit = row->unit != NULL && !any ? row->unit : "";
  unit += unit[0] == '@'; // a formula over the units of the port's domain
  if (row->kind == SB_PARAM_VECTOR) {
    (void)snprintf(text, CELL, "%d x %s", row->count, unit[0] != '\0' ? unit : "1");
  } else if (row->kind == SB_PARAM_LIST) {
    (void)snprintf(text, CELL, "list of %s", unit[0] != '\0' ? unit : "numbers");
  } else {
    (void)snprintf(text, CELL, "%s", unit);
  }
}

/** Whether the default stands for "not given": nobody can write it, as the range excludes zero, or a turn is written as an
 *  angle about an axis, not as a quaternion. */
static bool is_none(const sb_param *row) {
  const bool excluded = row->range == SB_POSITIVE || row->range == SB_NONZERO,
             quaternion = row->kind == SB_PARAM_VECTOR && row->count == 4;
  return quaternion || (excluded && strcmp(row->fallback, "0") == 0);
}

/** What a default stands for, as the help tells behind "; 0: " or "if not given "; false: itself, or in too many words. */
static bool find_meaning(const sb_param *row, char text[CELL]) {
  enum { LONGEST = 24 };
  static const char *const marks[] = {"; 0: ", "; if not given "};
  for (int i = 0; i < 2 && strcmp(row->fallback, "0") == 0 && row->help != NULL; i++) {
    const char *at = strstr(row->help, marks[i]);
    const char *from = at == NULL ? NULL : at + strlen(marks[i]);
    const size_t length = from == NULL ? 0 : strcspn(from, ",;");
    if (length > 0 && length <= LONGEST) {
      (void)snprintf(text, CELL, "%.*s", (int)length, from);
      return true;
    }
  }
  return false;
}

static line line_of_param(const sb_param *row) {
  line l = {.help = row->help, .aliases = row->aliases};
  (void)sb_schema_name(row, l.name);
  fill_unit(row, l.unit);
  fill_range(row, l.range);
  if (row->fallback == NULL || !find_meaning(row, l.fallback)) {
    (void)snprintf(l.fallback, CELL, "%s",
                   row->fallback == NULL ? "required"
                   : is_none(row)        ? ""
                                         : row->fallback);
  }
  return l;
}

static line line_of_attribute(const sb_attribute *row) {
  line l = {.help = row->help};
  (void)snprintf(l.name, sizeof l.name, "%s", row->name);
  (void)snprintf(l.fallback, CELL, "%s", row->required ? "required" : "");
  return l;
}

/** The line of the attribute with this number, those of the tag first. @return false: there are no more */
static bool find_line(const sb_tag *tag, const sb_param *params, int number, line *l) {
  for (const sb_attribute *row = tag != NULL ? tag->attributes : NULL;
       row != NULL && row->name != NULL; row++) {
    if (row->kind != SB_ATTRIBUTE_RESERVED && number-- == 0) {
      *l = line_of_attribute(row);
      return true;
    }
  }
  for (; params != NULL && params->name != NULL; params++) {
    if (number-- == 0) {
      *l = line_of_param(params);
      return true;
    }
  }
  return false;
}

/** Other names of the attribute, "; also written mass, inductance". */
static void print_aliases(const char *aliases) {
  const char *before = "; also written ";
  for (size_t length; aliases != NULL && *aliases != '\0'; aliases += length) {
    aliases += strspn(aliases, " ");
    length = strcspn(aliases, " ");
    (void)printf("%s%.*s", before, (int)length, aliases);
    before = ", ";
  }
}

static const line heading = {"attribute", "unit", "range", "default", "meaning", NULL};

static void print_lines(const sb_tag *tag, const sb_param *params) {
  line l = heading;
  int name = 0, unit = 0, range = 0, fallback = 0;
  for (int i = 0; i == 0 || find_line(tag, params, i - 1, &l); i++) {
    name = column_widen(name, l.name);
    unit = column_widen(unit, l.unit);
    range = column_widen(range, l.range);
    fallback = column_widen(fallback, l.fallback);
  }
  l = heading;
  for (int i = 0; i == 0 || find_line(tag, params, i - 1, &l); i++) {
    (void)fputs("  ", stdout);
    column_print(l.name, name);
    column_print(l.unit, unit);
    column_print(l.range, range);
    column_print(l.fallback, fallback);
    (void)fputs(l.help != NULL ? l.help : "", stdout);
    print_aliases(l.aliases);
    (void)putchar('\n');
  }
}

static bool has_formula(const sb_param *params) {
  for (; params != NULL && params->name != NULL; params++) {
    if (params->unit != NULL && params->unit[0] == '@') {
      return true;
    }
  }
  return false;
}

static void print_quantity(const sb_quantity_spec *q) {
  const char *unit = q->unit != NULL ? q->unit : "";
  unit += unit[0] == '@'; // a formula, as in fill_unit()
  bool shown = unit[0] != '\0';
  (void)printf("  quantity %s%s%s%s: %s\n", q->name, shown ? " [" : "", unit, shown ? "]" : "",
               q->help != NULL ? q->help : "");
}

static void print_ports(const sb_port_spec *port) {
  for (; port != NULL && port->name != NULL; port++) {
    (void)printf("  port %s", port->name);
    if (port->dim > 0) {
      (void)printf(", %d component%s", port->dim, port->dim > 1 ? "s" : "");
    }
    (void)printf("%s%s%s\n", port->domain != NULL ? ", " : "",
                 port->domain != NULL ? port->domain : "",
                 port->many       ? ", any number"
                 : port->optional ? ", may be left out"
                                  : "");
    if (port->common != '\0') {
      const bool effort = port->common == 'e';
      (void)printf("  quantity %c: the common %s; each bond has its own %s, that of the element at "
                   "its other end\n",
                   port->common, effort ? "effort" : "flow", effort ? "flow" : "effort");
    }
  }
}

static bool has_quantity(const sb_measures *measures, const char *name) {
  const sb_quantity_spec *q = measures->quantities;
  while (q != NULL && q->name != NULL && strcmp(q->name, name) != 0) {
    q++;
  }
  return q != NULL && q->name != NULL;
}

/** Those that `other` has too, or has not; NULL: all of them. */
static void print_quantities(const sb_measures *measures, const sb_measures *other, bool both) {
  for (const sb_quantity_spec *q = measures->quantities; q != NULL && q->name != NULL; q++) {
    if (other == NULL || has_quantity(other, q->name) == both) {
      print_quantity(q);
    }
  }
  if (both) {
    return;
  }
  if (measures->integral != NULL) {
    print_quantity(measures->integral);
  }
  for (const sb_part_quantity *q = measures->of_parts; q != NULL && q->name != NULL; q++) {
    (void)printf("  quantity %s: that of its part, ID/%s.%s\n", q->name, q->part, q->quantity);
  }
}

/** What can be read of what a tag makes, which may be of two kinds. */
static void print_tag_quantities(const sb_tag_measures *row) {
  const sb_measures *other = row->other != NULL ? &row->other->measures : NULL;
  if (other != NULL) {
    print_quantities(&row->measures, other, true);
    (void)printf("  %s also:\n", row->words);
  }
  print_quantities(&row->measures, other, false);
  for (const sb_quantity_spec *q = row->energies; q != NULL && q->name != NULL; q++) {
    print_quantity(q);
  }
  if (other != NULL) {
    (void)printf("  %s also:\n", row->other_words);
    print_quantities(other, &row->measures, false);
  }
}

static int help_one(const char *name) {
  static const char *const roles[] = {"storage", "dissipation", "source", "structure", "signal"};
  const sb_element_type *type;
  const sb_tag *tag = sb_schema_find(name, &type);
  type = tag == NULL ? sb_catalog_find(name) : type; // a part of a composite
  const sb_param *params = tag != NULL && tag->values != NULL ? tag->values
                           : type != NULL                     ? type->params
                                                              : NULL;
  (void)printf("%s: %s\n", name, type != NULL ? type->help : tag->help);
  if (type != NULL) {
    (void)printf("  %s%s\n", roles[type->role], tag == NULL ? ", a part of composites" : "");
    print_ports(type->ports);
    print_quantities(&type->measures, NULL, false);
  }
  for (const sb_tag_measures *row = sb_measures_of_tags; type == NULL && row->tag != NULL; row++) {
    if (strcmp(row->tag, name) == 0) {
      print_tag_quantities(row);
    }
  }
  if (tag != NULL && tag->parents[0] != '\0') {
    (void)printf("  stands in: %s\n", tag->parents);
  }
  if (tag != NULL && tag->flags & SB_TAG_RESERVED) {
    (void)puts("  reserved for a later version");
    return EXIT_FINE;
  }
  (void)putchar('\n');
  print_lines(tag, params);
  if (has_formula(params)) {
    (void)puts("\n  units by the port's domain: e effort, f flow, q = f s, p = e s");
  }
  if (type != NULL && type->example != NULL) {
    (void)printf("\nexample:\n  %s\n", type->example);
  }
  return EXIT_FINE;
}

static int help_all(void) {
  int width = 0;
  for (int i = 0; sb_catalog[i] != NULL; i++) {
    width = column_widen(width, sb_catalog[i]->name);
  }
  for (const sb_tag *tag = sb_tags; tag->name != NULL; tag++) {
    width = column_widen(width, tag->name);
  }
  (void)puts("element kinds:");
  for (int made = 0; made < 2; made++) { // those that nobody writes come last
    for (int i = 0; sb_catalog[i] != NULL; i++) {
      if ((strstr(sb_catalog[i]->help, "(made by ") != NULL) == (made == 1)) {
        (void)fputs("  ", stdout);
        column_print(sb_catalog[i]->name, width);
        (void)puts(sb_catalog[i]->help);
      }
    }
  }
  (void)puts("\nthe rest of the language:");
  for (const sb_tag *tag = sb_tags; tag->name != NULL; tag++) {
    bool kind = tag->name[0] == '\0' || sb_catalog_find(tag->name) != NULL;
    if (!kind && !(tag->flags & SB_TAG_RESERVED)) {
      (void)fputs("  ", stdout);
      column_print(tag->name, width);
      (void)puts(tag->help);
    }
  }
  (void)puts("\nscrewbond help NAME shows the attributes of one.");
  return EXIT_FINE;
}

int help_kinds(const arguments *args) {
  if (args->operand == NULL) {
    return help_all();
  }
  const sb_element_type *type;
  if (args->operand[0] != '\0' &&
      (sb_schema_find(args->operand, &type) != NULL || sb_catalog_find(args->operand) != NULL)) {
    return help_one(args->operand);
  }
  const char *table = list_holding(args->operand);
  if (table != NULL) {
    char hint[80];
    (void)snprintf(hint, sizeof hint, "it is among those of: screwbond list %s", table);
    return complain_usage(hint, "unknown kind %s", args->operand);
  }
  sb_suggestion names = sb_suggestion_start(args->operand);
  for (int i = 0; sb_catalog[i] != NULL; i++) {
    (void)sb_suggestion_offer(&names, sb_catalog[i]->name);
  }
  sb_suggestion_offer_rows(&names, sb_tags, sizeof *sb_tags);
  return complain_unknown("kind", &names, "screwbond help lists all");
}
