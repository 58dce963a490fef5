// SPDX-License-Identifier: GPL-3.0-or-later
// The units and prefixes that can be written: the SI brochure, 9th edition, tables 2, 4, 7 and 8,
// and those that engineers cannot do without.
#include "netlist/value/unit_table.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/base/nearest.h"

#define PI 3.14159265358979323846

// Exponents of m, kg, s, A, K, mol, cd; of the angle and the cycle.
const sb_unit sb_units[] = {
    {"m", 1, true, {1}, "length"},
    {"g", 1e-3, true, {0, 1}, "mass (kg is the SI unit)"},
    {"s", 1, true, {0, 0, 1}, "time"},
    {"A", 1, true, {0, 0, 0, 1}, "electric current"},
    {"K", 1, true, {0, 0, 0, 0, 1}, "temperature"},
    {"mol", 1, true, {0, 0, 0, 0, 0, 1}, "amount of substance"},
    {"cd", 1, true, {0, 0, 0, 0, 0, 0, 1}, "luminous intensity"},
    {"N", 1, true, {1, 1, -2}, "force"},
    {"J", 1, true, {2, 1, -2}, "energy"},
    {"W", 1, true, {2, 1, -3}, "power"},
    {"Pa", 1, true, {-1, 1, -2}, "pressure"},
    {"V", 1, true, {2, 1, -3, -1}, "voltage"},
    {"ohm", 1, true, {2, 1, -3, -2}, "electric resistance"},
    {"\u03a9", 1, true, {2, 1, -3, -2}, "electric resistance, the same as ohm"},
    {"S", 1, true, {-2, -1, 3, 2}, "electric conductance"},
    {"F", 1, true, {-2, -1, 4, 2}, "capacitance"},
    {"H", 1, true, {2, 1, -2, -2}, "inductance"},
    {"C", 1, true, {0, 0, 1, 1}, "electric charge"},
    {"Wb", 1, true, {2, 1, -2, -1}, "magnetic flux"},
    {"T", 1, true, {0, 1, -2, -1}, "magnetic flux density"},
    {"Hz", 1, true, {0, 0, -1, 0, 0, 0, 0, 0, 1}, "frequency, cycles per second: 1/s without 2 pi"},
    {"rad", 1, true, {0, 0, 0, 0, 0, 0, 0, 1}, "angle, a pure number"},
    {"deg", PI / 180, false, {0, 0, 0, 0, 0, 0, 0, 1}, "angle, pi/180 rad"},
    {"rev", 2 * PI, false, {0, 0, 0, 0, 0, 0, 0, 1}, "a turn, 2 pi rad"},
    {"rpm", 2 * PI / 60, false, {0, 0, -1, 0, 0, 0, 0, 1}, "turns per minute, 2 pi/60 rad/s"},
    {"min", 60, false, {0, 0, 1}, "minute"},
    {"h", 3600, false, {0, 0, 1}, "hour"},
    {"L", 1e-3, true, {3}, "litre"},
    {"bar", 1e5, true, {-1, 1, -2}, "pressure, 1e5 Pa"},
    {"t", 1e3, false, {0, 1}, "tonne, 1000 kg"},
    {"eV", 1.602176634e-19, true, {2, 1, -2}, "electronvolt"},
    {"%", 1e-2, false, {0}, "per cent"},
    {0},
};

static const struct {
  const char *name;
  double scale;
} prefixes[] = {
    {"k", 1e3},   {"M", 1e6},   {"G", 1e9},       {"m", 1e-3},      {"u", 1e-6},  {"n", 1e-9},
    {"p", 1e-12}, {"c", 1e-2},  {"d", 1e-1},      {"h", 1e2},       {"da", 1e1},  {"T", 1e12},
    {"P", 1e15},  {"E", 1e18},  {"Z", 1e21},      {"Y", 1e24},      {"f", 1e-15}, {"a", 1e-18},
    {"z", 1e-21}, {"y", 1e-24}, {"\u00b5", 1e-6}, {"\u03bc", 1e-6},
};
enum { PREFIX_COUNT = sizeof prefixes / sizeof *prefixes };

static bool same(const char *name, const char *text, size_t length) {
  return length > 0 && name[0] == text[0] && strncmp(name, text, length) == 0 &&
         name[length] == '\0';
}

static const sb_unit *find_plain(const char *name, size_t length) {
  for (const sb_unit *unit = sb_units; unit->name != NULL; unit++) {
    if (same(unit->name, name, length)) {
      return unit;
    }
  }
  return NULL;
}

static const sb_unit *find_prefixed(const char *name, size_t length, double *prefix) {
  *prefix = 1;
  const sb_unit *unit = find_plain(name, length);
  for (int i = 0; unit == NULL && i < PREFIX_COUNT; i++) {
    size_t size = strlen(prefixes[i].name);
    if (length > size && memcmp(name, prefixes[i].name, size) == 0) {
      *prefix = prefixes[i].scale;
      unit = find_plain(name + size, length - size);
      unit = unit != NULL && unit->prefixable ? unit : NULL;
    }
  }
  return unit;
}

bool sb_unit_find(const char *name, size_t length, sb_dimension *dimension, double *scale) {
  double prefix;
  const sb_unit *unit = find_prefixed(name, length, &prefix);
  if (unit == NULL) {
    return false;
  }
  *dimension = (sb_dimension){0};
  for (int i = 0; i < SB_DIMENSION_BASES; i++) {
    dimension->exponent[i] = unit->base[i] * SB_EXPONENT_ONE;
  }
  dimension->angle = unit->base[SB_DIMENSION_BASES] * SB_EXPONENT_ONE;
  dimension->cycle = unit->base[SB_DIMENSION_BASES + 1] * SB_EXPONENT_ONE;
  *scale = strcmp(unit->name, "g") == 0 ? prefix / 1e3 : prefix * unit->scale;
  return true;
}

// What people write for it elsewhere.
static const char *const habits[][2] = {
    {"sec", "s"},       {"hr", "h"},       {"hour", "h"},   {"volt", "V"},     {"amp", "A"},
    {"newton", "N"},    {"metre", "m"},    {"meter", "m"},  {"\u00b0", "deg"}, {"degree", "deg"},
    {"degrees", "deg"}, {"\u2126", "ohm"}, {"l", "L"},      {"Nm", "N.m"},     {"RPM", "rpm"},
    {"Volt", "V"},      {"volts", "V"},    {"Volts", "V"},  {"Amp", "A"},      {"amps", "A"},
    {"ampere", "A"},    {"Ampere", "A"},   {"Newton", "N"}, {"watt", "W"},     {"Watt", "W"},
    {"joule", "J"},     {"Joule", "J"},    {"second", "s"}, {"seconds", "s"},  {"minute", "min"},
    {"kilogram", "kg"}, {"farad", "F"},    {"henry", "H"},  {"hertz", "Hz"},   {"pascal", "Pa"},
    {"ohms", "ohm"},    {"Ohms", "ohm"},
};

/** Writes "kohm" for "kohms", "mH" for "mh": a prefix before what people write elsewhere, or in letters of another size. */
static bool find_meant(const char *name, size_t length, char *text, size_t size) {
  for (int i = 0; i < PREFIX_COUNT; i++) {
    const size_t head = strlen(prefixes[i].name);
    if (length <= head || memcmp(name, prefixes[i].name, head) != 0) {
      continue;
    }
    const char *meant = NULL;
    for (size_t k = 0; meant == NULL && k < sizeof habits / sizeof *habits; k++) {
      const bool one = strchr(habits[k][1], '.') == NULL;
      meant = one && same(habits[k][0], name + head, length - head) ? habits[k][1] : NULL;
    }
    for (const sb_unit *unit = sb_units; meant == NULL && unit->name != NULL; unit++) {
      const bool alike = unit->prefixable && strlen(unit->name) == length - head &&
                         strncasecmp(unit->name, name + head, length - head) == 0;
      meant = alike ? unit->name : NULL;
    }
    if (meant != NULL) {
      (void)snprintf(text, size, "%s%s", prefixes[i].name, meant);
      return true;
    }
  }
  return false;
}

/** Writes "kW.h" for "kWh": units without a point between them, the first perhaps prefixed. */
static bool split(const char *name, size_t length, bool first, char *text, size_t size) {
  double prefix;
  for (size_t head = length; head > 0; head--) {
    const sb_unit *unit = first ? find_prefixed(name, head, &prefix) : find_plain(name, head);
    int written = snprintf(text, size, "%s%.*s", first ? "" : ".", (int)head, name);
    if (unit == NULL || written < 0 || (size_t)written >= size) {
      continue;
    }
    if (head == length ||
        split(name + head, length - head, false, text + written, size - (size_t)written)) {
      return true;
    }
  }
  return false;
}

/** The nearest unit with or without a prefix. */
static bool nearest(const char *name, size_t length, char *text, size_t size) {
  int least = sb_nearest_cutoff(length);
  bool found = false;
  for (int i = -1; i < PREFIX_COUNT; i++) {
    for (const sb_unit *unit = sb_units; unit->name != NULL; unit++) {
      char candidate[16];
      if (i >= 0 && !unit->prefixable) {
        continue;
      }
      int written =
          snprintf(candidate, sizeof candidate, "%s%s", i < 0 ? "" : prefixes[i].name, unit->name);
      int cost = sb_nearest_distance(name, length, candidate, (size_t)written);
      if (cost < least + !found) {
        least = cost;
        found = true;
        (void)snprintf(text, size, "%s", candidate);
      }
    }
  }
  return found;
}

void sb_unit_hint(const char *name, size_t length, sb_error *err) {
  char text[32];
  double prefix;
  if (err == NULL || length > SB_NEAREST_LENGTH_MAX / 4) {
    return;
  }
  if (same("degC", name, length) || same("\u00b0C", name, length)) {
    sb_error_hint(err, "temperatures are in K: 20 degrees Celsius are 293.15 K");
    return;
  }
  for (size_t i = 0; i < sizeof habits / sizeof *habits; i++) {
    if (same(habits[i][0], name, length)) {
      sb_error_hint(err, "did you mean '%s'?", habits[i][1]);
      return;
    }
  }
  // A capital K is a kelvin, and often meant as kilo.
  if (name[0] == 'K') {
    (void)snprintf(text, sizeof text, "k%.*s", (int)length - 1, name + 1);
    if (find_prefixed(text, length, &prefix) != NULL) {
      sb_error_hint(err, "did you mean '%s'?", text);
      return;
    }
  }
  if (find_meant(name, length, text, sizeof text)) {
    sb_error_hint(err, "did you mean '%s'?", text);
  } else if (split(name, length, true, text, sizeof text)) {
    sb_error_hint(err, "did you mean '%s'? A product is written with a point", text);
  } else if (nearest(name, length, text, sizeof text)) {
    sb_error_hint(err, "did you mean '%s'?", text);
  }
}
