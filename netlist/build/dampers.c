// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the damping of a material comes to anything in a contact: the dampers of both bodies are in series, Stramigioli and Duindam
// eq (28), and beside a body without damping that of the other does nothing. (A rigid
// one, whose damping is infinite, leaves all to the other.)
#include "netlist/build/loads_private.h"

#include <math.h>

#include "netlist/reader/report.h"

/** Which of the two has damping that does nothing beside the other; -1: neither. */
static int in_vain(const sb_material m[2], int direction) {
  const double b1 = m[0].damping[direction], b2 = m[1].damping[direction];
  return b2 == 0 && b1 > 0 && !isinf(b1) ? 0 : b1 == 0 && b2 > 0 && !isinf(b2) ? 1 : -1;
}

/** @param which  the directions  @param vain  the body whose material has that damping */
static void warn(const sb_build *build, const sb_item *item, const sb_contact_spec *spec,
                 const char *which, int vain) {
  sb_error err;
  sb_warn(&err, SB_ERR_ATTRIBUTE,
          "the %s damping of the material of '%.80s' does nothing here: '%.80s' has none, and the "
          "dampers of both are in series",
          which, spec->body[vain], spec->body[1 - vain]);
  sb_error_hint(&err, "give both materials a damping, or the law one");
  sb_report_item(build->reader, item, &err);
}

bool sb_warn_of_dampers(const sb_build *build, const sb_item *item, const sb_contact_spec *spec) {
  const sb_contact_law *law = &spec->law;
  const bool tangential = law->friction.kind == SB_FRICTION_NONE && law->damping_factor == 0;
  const int normal = in_vain(spec->material, 2),
            slide = tangential ? in_vain(spec->material, 0) : -1;
  const bool both = normal >= 0 && slide == normal;
  if (law->normal->rigid || law->normal->expressed || sb_contact_law_damps(law)) {
    return false;
  }
  if (normal >= 0) {
    warn(build, item, spec, both ? "normal and tangential" : "normal", normal);
  }
  if (slide >= 0 && !both) {
    warn(build, item, spec, "tangential", slide);
  }
  return normal >= 0 || slide >= 0;
}
