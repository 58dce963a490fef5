// SPDX-License-Identifier: GPL-3.0-or-later
// Mass, centre of mass and inertia of a body, as stated or of its parts: points of mass, shapes with a mass or a density,
// and shapes with neither, which have what is left of the body's mass, uniformly. With parts (m_i, c_i, J_i),
//   m = sum m_i,  c = sum m_i c_i / m,  J = sum J_i + m_i (d_i.d_i 1 - d_i d_i^T),  d_i = c_i - c
// (the parallel axis theorem). Whatever the body states itself takes the place of what follows from them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mechanism/inertia.h"
#include "mechanism/mechanism.h"
#include "netlist/build/mechanisms_private.h"
#include "netlist/build/values_private.h"
#include "netlist/language/values.h"
#include "netlist/reader/numbers.h"
#include "netlist/reader/report.h"
#include "netlist/reader/settings.h"

/** How far stated masses may be from their sum, as decimals are. */
static const double mass_rounding = 1e-9;

typedef struct part {
  double mass;     // [kg]
  sb_vec3 at;      // [m] its centre of mass in the body's frame
  sb_mat3 central; // [kg m^2] about it, in the body's axes
} part;

typedef struct parts {
  const sb_build *build;
  const sb_item *item; // the body
  const sb_shape_entry *shapes;
  int shape_count;
  part *list;
  int count, capacity;
  double own;    // [kg] of those that state their own
  bool any;      // whether some do
  double volume; // [m^3] of the other solids
  int solids;    // how many these are
} parts;

static bool is_solid(const sb_shape_entry *shape) {
  return shape->surface.type->volume != NULL;
}

static sb_mat3 turned(sb_mat3 r, sb_mat3 a) {
  return sb_mat3_mul(r, sb_mat3_mul(a, sb_mat3_transpose(r)));
}

static void add_part(parts *p, double mass, sb_vec3 at, sb_mat3 central) {
  const part own = {mass, at, central};
  if (mass > 0 && !sb_arena_append(&p->build->reader->memory, &p->list, &p->count, &p->capacity,
                                   sizeof own, &own)) {
    sb_report_memory(p->build->reader);
  }
}

/** The points of mass. @return false: an error, reported */
static bool add_points(parts *p) {
  const sb_item *items = p->build->reader->tree.items;
  bool good = true;
  for (int i = p->item->first_child; i >= 0; i = items[i].next) {
    sb_mass_values values = {0};
    if (items[i].tag != NULL && items[i].tag->values == sb_mass_table) {
      good = sb_read_values(p->build, &items[i], sb_mass_table, NULL, &values) && good;
      add_part(p, values.m, sb_vec3_load(values.at), (sb_mat3){{{0}}});
      p->own += values.m;
      p->any = true;
    }
  }
  return good;
}

static void sum_shapes(parts *p) {
  for (int i = 0; i < p->shape_count; i++) {
    const sb_shape_entry *shape = &p->shapes[i];
    if (shape->weighed) {
      p->own += shape->mass;
      p->any = true;
    } else if (is_solid(shape)) {
      p->volume += sb_surface_volume(&shape->surface);
      p->solids++;
    }
  }
}

/** @param rest [kg]  of the shapes without a mass of their own */
static void add_shapes(parts *p, double rest) {
  for (int i = 0; i < p->shape_count; i++) {
    const sb_shape_entry *shape = &p->shapes[i];
    const sb_pose *local = &shape->surface.local;
    const double share =
        p->solids == 1 ? rest : rest * sb_surface_volume(&shape->surface) / p->volume;
    const double mass = shape->weighed ? shape->mass : is_solid(shape) ? share : 0;
    add_part(p, mass, local->position,
             turned(local->rotation, sb_mat3_diag(sb_surface_inertia(&shape->surface, mass))));
  }
}

/** Whether the masses of the parts make that of the body. Parts without any, which are for contacts, leave it as it is.
 *  @param mass [kg]  that it states */
static bool check_sum(const parts *p, double mass) {
  const double rest = mass - p->own, slack = mass_rounding * mass;
  sb_error err;
  if (p->own == 0 || (p->solids > 0 && rest >= -slack) || fabs(rest) <= slack) {
    return true;
  }
  (void)sb_fail(&err, SB_ERR_RANGE, "the parts of '%.80s' have %s kg together, not %s kg",
                p->item->id, sb_number_word(p->own).text, sb_number_word(mass).text);
  sb_error_hint(&err, "mass is that of the whole body, and may be left out");
  sb_report_value(p->build->reader, sb_item_text(p->build->reader, p->item, "mass"), &err);
  return false;
}

static sb_vec3 centre_of(const parts *p) {
  double mass = 0;
  sb_vec3 first = {0, 0, 0};
  for (int i = 0; i < p->count; i++) {
    mass += p->list[i].mass;
    first = sb_vec3_axpy(first, p->list[i].mass, p->list[i].at);
  }
  return p->count == 0 ? first : p->count == 1 ? p->list[0].at : sb_vec3_scale(first, 1 / mass);
}

/** About the centre of all. */
static sb_mat3 inertia_of(const parts *p, sb_vec3 centre) {
  sb_mat3 sum = {{{0}}};
  for (int i = 0; i < p->count; i++) {
    const part *own = &p->list[i];
    const sb_inertia moved = sb_inertia_make(own->mass, sb_vec3_sub(own->at, centre), own->central);
    sum = sb_mat3_add(sum, moved.second);
  }
  return sum;
}

/** Three principal moments, or six: xx yy zz xy xz yz. @return false: an error, reported */
static bool read_inertia(const sb_build *build, const sb_setting *setting, sb_mat3 *out) {
  sb_reader *reader = build->reader;
  const sb_dimension expected = {.exponent = {2 * SB_EXPONENT_ONE, SB_EXPONENT_ONE}};
  double j[6] = {0};
  int count;
  sb_error err = {0};
  sb_lookup lookup;
  sb_value_scope scope = sb_lookup_begin(&lookup, reader, setting);
  sb_status status = sb_value_parse(setting->value, &expected, &scope, j, 6, &count, NULL, &err);
  if (!sb_lookup_end(&lookup, status, NULL, &err).known) {
    return false;
  }
  if (count != 3 && count != 6) {
    (void)sb_fail(&err, SB_ERR_DIMENSION, "inertia takes 3 or 6 numbers, got %d", count);
    sb_error_hint(&err, "xx yy zz, or xx yy zz xy xz yz, about the centre of mass");
    sb_hint_count(reader, setting, &err);
    sb_report_value(reader, setting, &err);
    return false;
  }
  static const sb_param diagonal = {.name = "inertia", .range = SB_NOT_NEGATIVE},
                        beside = {.name = "inertia", .range = SB_ANY};
  if (sb_param_check_size(&diagonal, j, 3, &err) != SB_OK ||
      sb_param_check_size(&beside, j + 3, count - 3, &err) != SB_OK) {
    sb_report_value(reader, setting, &err);
    return false;
  }
  *out = (sb_mat3){{{j[0], j[3], j[4]}, {j[3], j[1], j[5]}, {j[4], j[5], j[2]}}};
  return true;
}

static bool report_no_inertia(const parts *p) {
  sb_error err;
  (void)sb_fail(&err, SB_ERR_MISSING, "body '%s' needs the attribute 'inertia'", p->item->id);
  sb_error_hint(&err, "%s",
                p->shape_count == 0
                    ? "with a shape that bounds a solid it would be that of the uniform solid"
                : p->shape_count == 1 ? "its shape bounds no solid"
                                      : "its shapes bound no solids");
  sb_report_item(p->build->reader, p->item, &err);
  return false;
}

/** The one way to say a thing: a point has no inertia. */
static bool check_point(const parts *p) {
  const sb_reader *reader = p->build->reader;
  const sb_setting *inertia = sb_item_own(reader, p->item, "inertia");
  sb_error err;
  if (inertia == NULL) {
    return true;
  }
  (void)sb_fail(&err, SB_ERR_ATTRIBUTE, "a point mass has no inertia");
  sb_error_hint(&err, "leave out point-mass=\"yes\", or the inertia");
  sb_report_name(reader, inertia->scope, inertia->attribute, &err);
  return false;
}

/** A centre that is stated beside an inertia that is not may be a mistake. */
static void warn_of_centre(const parts *p, const sb_mechanism_body *body, sb_vec3 derived) {
  const double size = sb_vec3_norm(derived) + sb_vec3_norm(body->com);
  sb_error err;
  if (sb_vec3_norm(sb_vec3_sub(body->com, derived)) <= mass_rounding * size) {
    return;
  }
  sb_warn(&err, SB_ERR_RANGE, "the parts of '%.80s' have their centre of mass at %s %s %s m",
          p->item->id, sb_number_word(derived.x).text, sb_number_word(derived.y).text,
          sb_number_word(derived.z).text);
  sb_error_hint(&err, "it is moved to com, with their inertia about it; state the inertia too");
  sb_report_value(p->build->reader, sb_item_text(p->build->reader, p->item, "com"), &err);
}

/** Whether there is such a body. */
static bool check_body(const parts *p, const sb_mechanism_body *body, const sb_setting *inertia) {
  const sb_inertia whole = sb_inertia_make(body->mass, body->com, body->inertia);
  sb_error err = {0};
  if (sb_inertia_check(&whole, &err) == SB_OK) {
    return true;
  }
  if (inertia != NULL) {
    sb_report_value(p->build->reader, inertia, &err);
  } else {
    char text[SB_ERROR_TEXT];
    memcpy(text, err.text, sizeof text);
    (void)snprintf(err.text, sizeof err.text, "body '%.80s': %.380s", p->item->id, text);
    sb_report_item(p->build->reader, p->item, &err);
  }
  return false;
}

/** Centre and inertia, once the parts and the mass are known. */
static bool complete(const parts *p, bool point, sb_mechanism_body *body) {
  const sb_build *build = p->build;
  const sb_setting *inertia = sb_item_text(build->reader, p->item, "inertia"),
                   *com = sb_item_text(build->reader, p->item, "com");
  const bool stated = inertia != NULL && !point;
  const sb_vec3 derived = stated && !p->any ? (sb_vec3){0, 0, 0} : centre_of(p);
  body->com = derived;
  if ((point && !check_point(p)) || !sb_read_vector(build, p->item, "com", "m", &body->com)) {
    return false;
  }
  if (stated) {
    return read_inertia(build, inertia, &body->inertia) && check_body(p, body, inertia);
  }
  if (!point && p->count == 0 && body->mass > 0) {
    return report_no_inertia(p);
  }
  body->inertia = point ? (sb_mat3){{{0}}} : inertia_of(p, derived);
  if (com != NULL && !point) {
    warn_of_centre(p, body, derived);
  }
  return check_body(p, body, NULL);
}

static bool read_size(const sb_build *build, const sb_setting *setting, const sb_param *row,
                      double *value) {
  sb_error err = {0};
  if (!sb_read_value(build, setting, row, value, NULL, NULL)) {
    return false;
  }
  if (sb_param_check_size(row, value, 1, &err) != SB_OK) {
    sb_report_value(build->reader, setting, &err);
    return false;
  }
  return true;
}

bool sb_read_mass(const sb_build *build, const sb_shapes *shapes, const sb_item *item,
                  sb_mechanism_body *body) {
  static const sb_param row = {.name = "mass",
                               .kind = SB_PARAM_REAL,
                               .unit = "kg",
                               .range = SB_NOT_NEGATIVE,
                               .help = "of the body, unless its shapes and masses have theirs"};
  const sb_made *made = sb_made_of(build, item);
  const sb_body_entry *entry = made->entry < 0 ? NULL : &shapes->bodies[made->entry];
  const sb_setting *mass = sb_item_text(build->reader, item, "mass");
  bool point;
  if (entry == NULL || (entry->count > 0 && !entry->good) ||
      !sb_read_flag(build, item, "point-mass", &point)) {
    return false;
  }
  parts p = {.build = build,
             .item = item,
             .shapes = shapes->shapes + entry->first,
             .shape_count = entry->count};
  sum_shapes(&p);
  if (!add_points(&p) || (mass != NULL && !read_size(build, mass, &row, &body->mass))) {
    return false;
  }
  if (mass == NULL && !p.any) {
    return sb_missing_value(build->reader, item, &row);
  }
  if (mass != NULL && !check_sum(&p, body->mass)) {
    return false;
  }
  body->mass = mass == NULL ? p.own : body->mass;
  add_shapes(&p, mass == NULL ? 0 : fmax(body->mass - p.own, 0));
  return complete(&p, point, body);
}
