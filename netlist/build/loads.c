// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the bristles of a contact are passive over the loads to be expected: kappa = v_S sigma1/(mu f_n) >= 1/2, contact/friction.h
// and contact/load_range.h; and whether the depth of its spring can be told under them.
#include "netlist/build/loads_private.h"

#include <math.h>
#include <string.h>

#include "contact/load_range.h"
#include "core/base/number.h"
#include "elements/elements.h"
#include "geometry/quat.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"

static const double *numbers_of(sb_element *element, const char *name) {
  const sb_param *row = sb_param_find(sb_element_type_of(element)->params, name);
  return (const double *)(const void *)((const char *)sb_element_data(element) + row->offset);
}

/** Of a body of a mechanism with joints it is not known here. */
static void start_of(sb_graph *graph, const char *id, sb_contact_start *start) {
  sb_element *element = sb_graph_find(graph, id);
  *start = (sb_contact_start){.pose = sb_pose_identity(), .mass = HUGE_VAL};
  if (element == NULL || sb_element_type_of(element) != &sb_kind_body) {
    start->unplaced = element == NULL || sb_element_type_of(element) != &sb_kind_ground;
    return;
  }
  const double *q = numbers_of(element, "rotation");
  start->mass = *numbers_of(element, "mass");
  start->gravity = sb_vec3_load(numbers_of(element, "gravity"));
  start->velocity = sb_vec3_load(numbers_of(element, "velocity"));
  start->angular_velocity = sb_vec3_load(numbers_of(element, "angular-velocity"));
  start->pose =
      (sb_pose){sb_quat_rotation(sb_quat_load(q)), sb_vec3_load(numbers_of(element, "position"))};
}

/** The least number of two digits that is no smaller, but for rounding. */
static double rounded_up(double x) {
  static const double rounding = 1e-10;
  const double digit = pow(10, floor(log10(x)) - 1);
  return digit * ceil((1 - rounding) * x / digit);
}

bool sb_warn_of_loads(const sb_build *build, const sb_item *item, const sb_contact_spec *spec) {
  static const double bound = 0.5 * (1 - 1e-9);
  const sb_friction *friction = &spec->law.friction;
  const sb_setting *law = sb_item_text(build->reader, item, "law");
  sb_contact_start start[2];
  bool impact;
  if (friction->kind != SB_FRICTION_BRISTLE || law == NULL) {
    return false;
  }
  start_of(build->graph, spec->body[0], &start[0]);
  start_of(build->graph, spec->body[1], &start[1]);
  const double load = sb_contact_expected_load(spec, start, &impact);
  const double kappa = sb_friction_kappa(friction, load);
  if (kappa >= bound) {
    return false;
  }
  sb_error err;
  char enough[SB_NUMBER_SIZE];
  (void)sb_number_format_short(rounded_up(0.5 * friction->mu_kinetic * load / friction->v_stribeck),
                               2, enough, sizeof enough);
  sb_warn(&err, SB_ERR_RANGE,
          "the bristles of the law '%.80s' %s: kappa = %s, below 1/2, under the %s of %s N",
          law->value,
          friction->as_printed ? "may give power" : "are limited, as printed they may give power",
          sb_number_word(kappa).text, impact ? "impact" : "weight", sb_number_word(load).text);
  sb_error_hint(&err, "kappa = v-stribeck sigma1/(mu-kinetic f_n): sigma1 = %s N.s/m is enough",
                enough);
  sb_report_value(build->reader, law, &err);
  return true;
}

bool sb_refuse_stiffness(const sb_build *build, const sb_item *item, const sb_contact_spec *spec) {
  sb_contact_start start[2];
  double depth, stake;
  start_of(build->graph, spec->body[0], &start[0]);
  start_of(build->graph, spec->body[1], &start[1]);
  const double excess = sb_contact_stiffness_excess(spec, start, &depth, &stake);
  if (!(excess > 1)) {
    return false;
  }
  sb_error err;
  (void)sb_fail(
      &err, SB_ERR_RANGE,
      "the contact of '%.80s' with '%.80s' is too stiff for a run: at a depth of %s m, the least "
      "that can be told, its spring holds %s J, and they have %s J to press it with",
      spec->body[0], spec->body[1], sb_number_word(depth).text, sb_number_word(excess * stake).text,
      sb_number_word(stake).text);
  sb_error_hint(&err, "make it softer by a factor of %s, or take a law with normal=\"rigid\"",
                sb_number_word(excess).text);
  sb_report_item(build->reader, item, &err);
  return true;
}
