// SPDX-License-Identifier: GPL-3.0-or-later
// Why a contact has no answer at a point: its closest points are not found or cease to be unique, or its skin has
// no stiffness there; and what is told of one that came near such a point.
#include <math.h>

#include "contact/hertz.h"
#include "contact/structure_private.h"
#include "core/base/number.h"

static const char feet[] =
    "a contact has one pair of points: give the body feet, as several spheres or points, or "
    "surfaces that are curved everywhere, as an ellipsoid's";
static const char wider[] = "make the hollow wider, or what is to go into it smaller";

/** Whether both surfaces are flat along a common direction: a flat side or a straight edge lies on the other. */
static bool lies_flat(const sb_closest *points) {
  static const double flat = 1e-9; // least curvature as a share of the largest
  double k[2];
  sb_hertz_curvatures(sb_mat3_add(points->shape1, points->shape2), points->normal, k);
  return points->depth_ratio <= SB_CLOSEST_DEPTH_LIMIT && fabs(k[1]) <= flat * fabs(k[0]);
}

/** Whether one of the surfaces bends away from its body, by more than a flat side does by rounding. */
static bool is_hollow(const sb_closest *points) {
  static const double flat = 1e-9;
  double k1[2], k2[2];
  sb_hertz_curvatures(points->shape1, points->normal, k1);
  sb_hertz_curvatures(points->shape2, points->normal, k2);
  return fmin(k1[1], k2[1]) <
         -flat * fmax(fabs(k1[0]), fmax(fabs(k2[0]), fmax(fabs(k1[1]), fabs(k2[1]))));
}

/** Whether what is in a hollow conforms to it along some direction.  @param share  out: by which share of its own its curvature is larger */
static bool conforms(const sb_closest *points, double *share) {
  double k1[2], k2[2], k[2];
  sb_hertz_curvatures(points->shape1, points->normal, k1);
  sb_hertz_curvatures(points->shape2, points->normal, k2);
  sb_hertz_curvatures(sb_mat3_add(points->shape1, points->shape2), points->normal, k);
  *share = fabs(k[1]) / fmax(k1[0], k2[0]);
  return is_hollow(points) && points->depth_ratio <= SB_CLOSEST_DEPTH_LIMIT &&
         *share <= SB_CLOSEST_CONFORMING;
}

/** One conforms to the other, or is rounder only beside where the hollow of the other is narrowest, and has come to lie
 *  on it along a curve. */
static sb_status explain_hollow(const sb_contact_data *s, const sb_closest *points, double share,
                                sb_error *err) {
  static const double rounding = 1e-9; // of a radius
  const bool first = s->surface[0].type->narrowest != NULL;
  const sb_surface *hollow = &s->surface[first ? 0 : 1];
  double k[2]; // of what is in it
  sb_hertz_curvatures(first ? points->shape2 : points->shape1, points->normal, k);
  const double least = hollow->type->narrowest == NULL ? INFINITY : hollow->type->narrowest(hollow);
  if (k[1] > 0 && 1 / k[1] > (1 + rounding) * least) {
    (void)sb_fail(err, SB_ERR_CONTACT,
                  "the closest points of the bodies cease to be unique: one, with a radius of "
                  "curvature of %s m, touches along a curve, as it does not fit into the hollow of "
                  "the other, whose radius of curvature is %s m where that is narrowest",
                  sb_number_word(1 / k[1]).text, sb_number_word(least).text);
    sb_error_hint(err, wider);
    return SB_ERR_CONTACT;
  }
  const bool same = share <= rounding * rounding;
  char told[SB_NUMBER_SIZE];
  (void)sb_number_format_short(share, 2, told, sizeof told);
  (void)sb_fail(err, SB_ERR_CONTACT,
                "the closest points of the bodies cease to be unique: one conforms to the other, "
                "with the same radius%s%s%s",
                same ? "" : " but for ", same ? "" : told,
                same ? "" : " of it, and rounding tells its points no more");
  sb_error_hint(err, "a contact has one pair of points: make the inner radius smaller");
  return SB_ERR_CONTACT;
}

static double thickness(const sb_contact_data *s) {
  return fmin(sb_surface_width(&s->surface[0]), sb_surface_width(&s->surface[1]));
}

sb_status sb_contact_check_overlap(const sb_contact_data *s, double gap, sb_error *err) {
  static const double rounding = 1e-9; // of a thickness
  const double width = thickness(s);
  if (!(-gap >= 0.5 * (1 - rounding) * width)) {
    return SB_OK;
  }
  (void)sb_fail(err, SB_ERR_CONTACT,
                "where the contact begins the bodies overlap by %s m, and the thinner one is %s m "
                "thick",
                sb_number_word(-gap).text, sb_number_word(width).text);
  sb_error_hint(err, "start with the bodies apart, or overlapping by no more than the springs of "
                     "the contact take");
  return SB_ERR_CONTACT;
}

sb_status sb_contact_lies_flat(sb_error *err) {
  (void)sb_fail(err, SB_ERR_CONTACT,
                "the closest points of the bodies cease to be unique: a flat side or a straight "
                "edge of one lies flat on the other");
  sb_error_hint(err, feet);
  return SB_ERR_CONTACT;
}

/** The pair that the contact had is no more, while there is a next one.  @param gap  [m] of that */
static sb_status explain_passing(const sb_contact_data *s, const sb_at *at, double gap,
                                 sb_error *err) {
  const double *latched = at->discrete;
  (void)sb_fail(err, SB_ERR_CONTACT,
                "the closest points of the bodies cease to be unique: those of the contact are "
                "no more, as the bodies pass through each other, and the next pair of them has "
                "the gap %s m; the depth was %s m, the thinner body is %s m thick, and the depth "
                "ratio was %s",
                sb_number_word(gap).text, sb_number_word(fmax(-latched[LATCHED_GAP], 0)).text,
                sb_number_word(thickness(s)).text,
                sb_number_word(latched[LATCHED_DEPTH_RATIO]).text);
  sb_error_hint(err, "a stiffer material, a thicker body, or a smaller speed");
  return SB_ERR_CONTACT;
}

/** Whether a body is in a hollow of the other. */
static bool has_hollow(const sb_contact_data *s) {
  return s->surface[0].type->narrowest != NULL || s->surface[1].type->narrowest != NULL;
}

sb_status sb_contact_explain_two_places(const sb_contact_data *s, sb_error *err) {
  if (!has_hollow(s)) {
    return SB_OK;
  }
  (void)sb_fail(err, SB_ERR_CONTACT,
                "the closest points of the bodies cease to be unique: one touches the hollow of "
                "the other at two places at once");
  sb_error_hint(err, wider);
  return SB_ERR_CONTACT;
}

/** Bodies without hollows have sunk into each other until another pair is as deep. */
static sb_status explain_sunk(const sb_contact_data *s, const sb_closest *points, sb_error *err) {
  (void)sb_fail(err, SB_ERR_CONTACT,
                "the closest points of the bodies cease to be unique: another pair of them has the "
                "same gap, %s m; the thinner body is %s m thick, and the depth ratio %s",
                sb_number_word(points->gap).text, sb_number_word(thickness(s)).text,
                sb_number_word(points->depth_ratio).text);
  sb_error_hint(err, "a stiffer material, a thicker body, or a smaller speed; a start apart, or "
                     "nearer to one of the pairs");
  return SB_ERR_CONTACT;
}

/** Another pair is as near, or the one that the contact had is no more while there is a next one. */
static sb_status explain_branch(const sb_contact_data *s, const sb_at *at, const sb_closest *points,
                                sb_error *err) {
  static const double rounding = 1e-9; // of a thickness
  sb_closest anew;
  sb_closest_points(&s->surface[0], pose_of(at, 0), &s->surface[1], pose_of(at, 1), NULL, &anew);
  if (sb_contact_usable(&anew)) {
    return explain_passing(s, at, anew.gap, err);
  }
  const double gap = points->gap;
  if (!has_hollow(s) && gap < 0) {
    return explain_sunk(s, points, err);
  }
  (void)sb_fail(err, SB_ERR_CONTACT,
                "the closest points of the bodies cease to be unique: another pair of them has the "
                "same gap, %s m",
                sb_number_word(gap).text);
  if (has_hollow(s) && gap <= rounding * thickness(s)) {
    sb_error_hint(err, wider); // wherever it starts
  } else {
    sb_error_hint(err, "a contact has one pair of points: start nearer to one of them, or apart");
  }
  return SB_ERR_CONTACT;
}

sb_status sb_contact_explain(const void *self, const sb_at *at, sb_error *err) {
  const sb_contact_data *s = self;
  double width = thickness(s);
  sb_closest points;
  sb_contact_closest(s, at, &points);
  if (points.status == SB_CLOSEST_FAILED) {
    (void)sb_fail(err, SB_ERR_CONTACT, "the closest points of the bodies are not found");
    sb_error_hint(
        err,
        "this happens where a flat side or a straight edge lies almost flat on the other body, and "
        "they jump from one end to the other: give the body feet, as several spheres or points");
    return SB_ERR_CONTACT;
  }
  sb_contact_skin skin;
  if (sb_contact_usable(&points) && !sb_contact_skin_here(s, at, &points, &skin, NULL)) {
    return sb_contact_explain_skin(s, &points, err);
  }
  double share;
  if (conforms(&points, &share) || (lies_flat(&points) && is_hollow(&points))) {
    return explain_hollow(s, &points, share, err);
  }
  if (sb_contact_usable(&points) && sb_closest_unique(&s->surface[0], &s->surface[1])) {
    return SB_OK; // a curvature may vanish there
  }
  if (lies_flat(&points)) {
    return sb_contact_lies_flat(err);
  }
  if (sb_contact_usable(&points)) {
    return SB_OK;
  }
  if (is_hollow(&points) && isinf(points.depth_ratio)) {
    (void)sb_fail(err, SB_ERR_CONTACT,
                  "the closest points of the bodies cease to be unique: one is bent less than the "
                  "hollow of the other, does not fit into it, and overlaps by %s m",
                  sb_number_word(-points.gap).text);
    sb_error_hint(err, wider);
    return SB_ERR_CONTACT;
  }
  if (points.depth_ratio <= SB_CLOSEST_DEPTH_LIMIT) {
    return explain_branch(s, at, &points, err);
  }
  (void)sb_fail(err, SB_ERR_CONTACT,
                "the closest points of the bodies cease to be unique: the depth is %s m, the "
                "thinner body %s m "
                "thick, and the depth ratio, which is 1 where the branch ends, %s",
                sb_number_word(fmax(-points.gap, 0)).text, sb_number_word(width).text,
                sb_number_word(points.depth_ratio).text);
  sb_error_hint(err,
                "a start apart, a stiffer material, a rounder or thicker surface, or a smaller "
                "speed: depths below 0.3 of both the thickness and the radii of curvature are "
                "safe");
  return SB_ERR_CONTACT;
}

/** A side that rocks has come to lie flat. */
static sb_status explain_rocking(const sb_contact_data *s, const sb_at *at, sb_error *err) {
  const double *latched = at->discrete;
  (void)sb_fail(err, SB_ERR_CONTACT,
                "the closest points of the bodies cease to be unique: a flat side or a straight "
                "edge of one lies flat on the other, as they leap from end to end of it ever "
                "faster; the depth is %s m, the thinner body %s m thick, and the depth ratio %s",
                sb_number_word(fmax(-latched[LATCHED_GAP], 0)).text,
                sb_number_word(thickness(s)).text,
                sb_number_word(latched[LATCHED_DEPTH_RATIO]).text);
  sb_error_hint(err, feet);
  return SB_ERR_CONTACT;
}

sb_status sb_contact_explain_yielding(const void *self, const sb_at *at, sb_error *err) {
  sb_closest points;
  sb_contact_closest(self, at, &points);
  if (touches(at->mode) && sb_rocking_ends(at->discrete + LATCHED_ROCKING)) {
    return sb_contact_flat(&points) ? sb_contact_lies_flat(err) : explain_rocking(self, at, err);
  }
  return sb_contact_leaps(at, &points) || sb_contact_gap_leaps(self, at)
             ? explain_passing(self, at, points.gap, err)
             : sb_contact_explain(self, at, err);
}

sb_status sb_contact_explain_depth(const void *self, const sb_at *at, sb_error *err) {
  const double width = thickness(self);
  sb_closest points;
  if (at->mode == SB_APART) {
    return SB_OK;
  }
  sb_contact_closest(self, at, &points);
  if (!(-points.gap >= 0.5 * width)) {
    return SB_OK;
  }
  (void)sb_fail(err, SB_ERR_CONTACT,
                "no step is short enough where the closest points of the bodies are so deep in "
                "them that they jump from one side to another: the depth is %s m, and the thinner "
                "body is %s m thick",
                sb_number_word(-points.gap).text, sb_number_word(width).text);
  sb_error_hint(err, "a stiffer material, a thicker body, or a smaller speed");
  return SB_ERR_CONTACT;
}

/** Half of the thinner body has been in the other, as at a start that is refused. Where one surface is flat, or hardly bent, no depth
 *  ratio tells. */
static double remark_depth(const sb_contact_data *s, const double discrete[], sb_error *err) {
  const double depth = discrete[LATCHED_DEPTH], width = thickness(s);
  if (!(depth >= 0.5 * width)) {
    return 0;
  }
  sb_warn(
      err, SB_ERR_CONTACT,
      "the depth came to %s m, at t = %s s, and the thinner body is %s m thick: the springs of a "
      "contact stand for a skin that is thin against both bodies",
      sb_number_word(depth).text, sb_number_word(discrete[LATCHED_DEPTH_TIME]).text,
      sb_number_word(width).text);
  sb_error_hint(err, "a stiffer material, a thicker body, or a smaller speed");
  return depth / width;
}

double sb_contact_remark(const void *self, const double discrete[], sb_error *err) {
  const double ratio = discrete[LATCHED_DEEPEST];
  if (!(ratio > SB_CLOSEST_DEPTH_DEEP)) {
    return remark_depth(self, discrete, err);
  }
  sb_warn(err, SB_ERR_CONTACT,
          "the depth ratio came to %s, at t = %s s: the branch of the closest points ends at 1, "
          "and so near to that the "
          "kinematics of the contact is coarse",
          sb_number_word(ratio).text, sb_number_word(discrete[LATCHED_DEEPEST_TIME]).text);
  sb_error_hint(err,
                "a stiffer material, a rounder surface, or a smaller speed: below %s of the radii "
                "of curvature depths are safe",
                sb_number_word(SB_CLOSEST_DEPTH_DEEP).text);
  return ratio;
}
