// SPDX-License-Identifier: GPL-3.0-or-later
// Expands a contact into its structure, its elastic and its viscous part, and connects them. One that slips has a
// 0-junction at the load of its structure, where the flow splits up into the slip and what the skin takes,
// elastic and viscous part at a 1-junction. One with a friction law of its own has that 1-junction at its load.
#include "contact/contact.h"

#include <math.h>
#include <stdio.h>

#include "contact/expressed.h"
#include "contact/rigid.h"
#include "contact/skin_private.h"
#include "elements/elements.h"
#include "geometry/closest.h"

enum { NAME_MAX_SIZE = 460 };

static sb_status bond(sb_graph *graph, const char *id, const char *port, const char *to,
                      sb_error *err) {
  char from[NAME_MAX_SIZE];
  (void)snprintf(from, sizeof from, "%.220s.%.200s", id, port);
  return sb_graph_bond(graph, from, to, err);
}

static sb_status wire(sb_graph *graph, const char *from, const char *signal, const char *to,
                      const char *input, sb_error *err) {
  char a[NAME_MAX_SIZE], b[NAME_MAX_SIZE];
  (void)snprintf(a, sizeof a, "%.220s.%.200s", from, signal);
  (void)snprintf(b, sizeof b, "%.220s.%.200s", to, input);
  return sb_graph_wire(graph, a, b, err);
}

/** An element ID/name of the contact at a bond from ID`from`. */
static sb_status add_at(sb_graph *graph, const sb_contact_spec *spec, const char *name,
                        const sb_element_type *type, const char *from, sb_element **element,
                        sb_error *err) {
  char id[NAME_MAX_SIZE], port[NAME_MAX_SIZE];
  (void)snprintf(id, sizeof id, "%.220s/%s", spec->id, name);
  (void)snprintf(port, sizeof port, "%.220s%s", spec->id, from);
  SB_TRY(sb_graph_add(graph, type, id, element, err));
  return sb_graph_bond(graph, port, id, err);
}

/** Those of a law by expression are of every part, that of a potential of its elastic part alone. */
static sb_status own_expressions(const sb_contact_spec *spec, const sb_element_type *type,
                                 sb_contact_law *law, sb_error *err) {
  return spec->law.normal->expressed || type == &sb_kind_contact_potential
             ? sb_contact_law_copy_expressions(&spec->law, law, err)
             : SB_OK;
}

static sb_status add_part(sb_graph *graph, const sb_contact_spec *spec, const char *name,
                          const sb_element_type *type, const char *from,
                          const sb_contact_data *data, sb_error *err) {
  char id[NAME_MAX_SIZE];
  sb_element *element;
  (void)snprintf(id, sizeof id, "%.220s/%s", spec->id, name);
  SB_TRY(add_at(graph, spec, name, type, from, &element, err));
  sb_contact_elastic_data *part = sb_element_data(element);
  *part = (sb_contact_elastic_data){data->skin, data->law, data->hardens};
  SB_TRY(own_expressions(spec, type, &part->law, err));
  return wire(graph, spec->id, "frame", id, "frame", err);
}

/** One that is limited by the normal force, or by other loads of the elastic part. */
static sb_status add_limited(sb_graph *graph, const sb_contact_spec *spec, const char *name,
                             const sb_element_type *type, const char *from,
                             const sb_contact_data *data, sb_error *err) {
  char id[NAME_MAX_SIZE], elastic[NAME_MAX_SIZE];
  (void)snprintf(id, sizeof id, "%.220s/%s", spec->id, name);
  (void)snprintf(elastic, sizeof elastic, "%.220s/elastic", spec->id);
  SB_TRY(add_part(graph, spec, name, type, from, data, err));
  return wire(graph, elastic, "load", id, "load", err);
}

/** The resistance to turning, and its springs beside it. */
static sb_status add_turning(sb_graph *graph, const sb_contact_spec *spec,
                             const sb_contact_data *data, sb_error *err) {
  if (!sb_turning_holds(&spec->law.turning)) {
    return add_limited(graph, spec, "turning", &sb_kind_contact_turning, ".turning", data, err);
  }
  SB_TRY(add_limited(graph, spec, "turning", &sb_kind_contact_holding, ".turning", data, err));
  return add_part(graph, spec, "turning-springs", &sb_kind_contact_turning_springs,
                  "/turning.springs", data, err);
}

/** At the 1-junction of the parts: the friction, and its bristles beside it. */
static sb_status add_friction(sb_graph *graph, const sb_contact_spec *spec,
                              const sb_contact_data *data, sb_error *err) {
  const bool bristles = spec->law.friction.kind == SB_FRICTION_BRISTLE;
  char friction[NAME_MAX_SIZE], stored[NAME_MAX_SIZE];
  SB_TRY(add_limited(graph, spec, "friction",
                     bristles ? &sb_kind_contact_bristle_friction : &sb_kind_contact_friction,
                     "/skin", data, err));
  if (!bristles) {
    return SB_OK;
  }
  (void)snprintf(friction, sizeof friction, "%.220s/friction", spec->id);
  (void)snprintf(stored, sizeof stored, "%.220s/bristles", spec->id);
  SB_TRY(add_part(graph, spec, "bristles", &sb_kind_contact_bristles, "/friction.bristles", data,
                  err));
  return wire(graph, stored, "state", friction, "state", err);
}

static sb_status add_parts(sb_graph *graph, const sb_contact_spec *spec,
                           const sb_contact_data *data, sb_error *err) {
  sb_element *junction;
  char hardening[NAME_MAX_SIZE];
  const bool slips = spec->law.slips, one_load = sb_contact_law_one_load(&spec->law);
  if (slips) {
    SB_TRY(add_at(graph, spec, "split", &sb_kind_J0, ".load", &junction, err));
  }
  if (one_load) {
    SB_TRY(add_at(graph, spec, "skin", &sb_kind_J1, slips ? "/split" : ".load", &junction, err));
  }
  SB_TRY(
      add_part(graph, spec, "elastic",
               spec->law.normal->potential ? &sb_kind_contact_potential : &sb_kind_contact_elastic,
               one_load ? "/skin" : ".store", data, err));
  SB_TRY(add_part(graph, spec, "damper", &sb_kind_contact_damper, one_load ? "/skin" : ".dis", data,
                  err));
  if (data->hardens) {
    (void)snprintf(hardening, sizeof hardening, "%.220s/elastic." SB_CONTACT_HARDENING, spec->id);
    SB_TRY(bond(graph, spec->id, SB_CONTACT_HARDENING, hardening, err));
  }
  if (sb_turning_acts(&spec->law.turning)) {
    SB_TRY(add_turning(graph, spec, data, err));
  }
  if (spec->law.friction.kind != SB_FRICTION_NONE) {
    return add_friction(graph, spec, data, err);
  }
  return slips ? add_limited(graph, spec, "slip", &sb_kind_contact_slip, "/split", data, err)
               : SB_OK;
}

static sb_status check_friction(const sb_contact_law *law, sb_error *err) {
  SB_TRY(sb_turning_check(&law->turning, law->normal->name, NULL, err));
  if (law->friction.kind != SB_FRICTION_NONE) {
    SB_TRY(sb_friction_check(&law->friction, NULL, err));
    return law->slips || law->tangential != SB_TANGENTIAL_MATERIAL
               ? sb_fail(err, SB_ERR_RANGE,
                         "a friction law of its own excludes slip and tangential springs")
               : SB_OK;
  }
  if (law->slips && (!(law->mu >= 0) || !(law->mu_static == 0 || law->mu_static >= law->mu) ||
                     !(law->friction_radius >= 0) || !(law->friction_damping > 0) ||
                     !(law->friction.v_stribeck >= 0))) {
    return sb_fail(
        err, SB_ERR_RANGE,
        "friction needs mu and friction-radius that are not negative, mu-static not below "
        "mu, and a positive friction-damping");
  }
  return SB_OK;
}

/** A potential tells all loads but those of the dampers and of friction. */
static sb_status take_potential(sb_contact_law *law, sb_error *err) {
  SB_TRY(sb_potential_check(&law->potential, law->normal->name, err));
  if (law->stiffness > 0 || sb_contact_law_damps(law) ||
      law->tangential != SB_TANGENTIAL_MATERIAL) {
    return sb_fail(err, SB_ERR_RANGE, "the law '%s' takes no stiffness and no damping",
                   law->normal->name);
  }
  SB_TRY(sb_contact_law_check_radius(law, err));
  law->potential.isotropic = sb_potential_isotropic(&law->potential);
  if (!law->potential.isotropic) { // of length 1 from here on
    sb_vec3_store(law->potential.axis, sb_vec3_direction(sb_vec3_load(law->potential.axis)));
  }
  law->clamp = false;
  return SB_OK;
}

/** What a rigid contact consists of, beside its structure. */
static sb_status add_rigid_parts(sb_graph *graph, const sb_contact_spec *spec,
                                 const sb_contact_data *data, sb_error *err) {
  sb_element *element;
  char hold[NAME_MAX_SIZE], part[NAME_MAX_SIZE];
  (void)snprintf(hold, sizeof hold, "%.220s/hold", spec->id);
  SB_TRY(sb_graph_add(graph, &sb_kind_contact_hold, hold, &element, err));
  (void)snprintf(part, sizeof part, "%.220s.n", hold);
  SB_TRY(bond(graph, spec->id, "normal", part, err));
  (void)snprintf(part, sizeof part, "%.220s.t", hold);
  SB_TRY(bond(graph, spec->id, "tangent", part, err));
  if (!data->law.slips) {
    return SB_OK;
  }
  (void)snprintf(part, sizeof part, "%.220s/friction", spec->id);
  SB_TRY(add_at(graph, spec, "friction", &sb_kind_contact_rub, ".slip", &element, err));
  *(sb_contact_data *)sb_element_data(element) = *data;
  SB_TRY(wire(graph, spec->id, "frame", part, "frame", err));
  return wire(graph, spec->id, "normal.e", part, "normal", err);
}

/** Checks what is stated as an energy. No copy of the law keeps an expression that the caller lends. */
static sb_status take_energy(sb_contact_law *law, sb_error *err) {
  if (law->normal->potential) {
    SB_TRY(take_potential(law, err));
  } else if (law->normal->expressed) {
    SB_TRY(sb_expressed_check(law, NULL, err));
    if (law->stiffness > 0 || law->damping > 0 || law->damping_factor > 0 || law->hertz) {
      return sb_fail(err, SB_ERR_RANGE, "the law '%s' takes no stiffness and no damping",
                     law->normal->name);
    }
  }
  law->potential.energy = law->damping_force = NULL;
  return SB_OK;
}

/** What slips needs springs that let it stick, and a bound for each. */
static sb_status check_slip(const sb_contact_law *law, const sb_contact_skin *skin, sb_error *err) {
  if (law->slips && !(skin->k_t > 0)) {
    return sb_fail(
        err, SB_ERR_MISSING,
        "friction needs a tangential stiffness, and the materials of the pair have none");
  }
  if (law->slips && skin->k_theta > 0 && !(law->friction_radius > 0)) {
    return sb_fail(err, SB_ERR_MISSING,
                   "the pair has a spin stiffness: friction needs a positive friction-radius");
  }
  return SB_OK;
}

/** A stiffness by the curvature needs one that is finite and does not jump; at the present point, as dk/dx is part of the
 *  wrench, a derivative of it that is finite. */
static sb_status check_smooth(const sb_contact_data *data, sb_error *err) {
  for (int i = 0; i < 2 && data->law.hertz; i++) {
    const sb_surface *s = &data->surface[i];
    if (!s->type->smooth) {
      return sb_fail(err, SB_ERR_CONTACT,
                     "the law '%s' needs smooth curvatures, and that of a %s jumps or is infinite",
                     data->law.normal->name, s->type->name);
    }
    if (data->law.stiffness_at == SB_AT_POINT && s->type->steady && !s->type->steady(s)) {
      (void)sb_fail(
          err, SB_ERR_CONTACT,
          "the law '%s' needs curvatures with a finite derivative, and that of a %s with the "
          "exponent %s has none where x, y or z of the shape is zero",
          data->law.normal->name, s->type->name, sb_number_word(s->exponent).text);
      sb_error_hint(err, "stiffness-at=\"touch\" keeps the stiffness as it was where the bodies "
                         "touched; or the exponent 2, an ellipsoid");
      return SB_ERR_CONTACT;
    }
  }
  return SB_OK;
}

sb_status sb_contact_prepare(const sb_contact_spec *spec, sb_contact_data *data, sb_error *err) {
  *data = (sb_contact_data){.surface = {spec->surface[0], spec->surface[1]}, .law = spec->law};
  SB_TRY(sb_contact_law_complete(&data->law, NULL, err));
  SB_TRY(check_friction(&data->law, err));
  SB_TRY(take_energy(&data->law, err));
  SB_TRY(sb_surface_check(&spec->surface[0], err));
  SB_TRY(sb_surface_check(&spec->surface[1], err));
  SB_TRY(sb_closest_supported(&spec->surface[0], &spec->surface[1], err));
  const sb_surface *s = data->surface;
  data->reach = fmin(s[0].reach, s[1].reach);
  data->width = fmin(sb_surface_width(&s[0]), sb_surface_width(&s[1]));
  SB_TRY(check_smooth(data, err));
  if (data->law.normal->rigid) {
    return SB_OK;
  }
  SB_TRY(sb_contact_skin_combine(spec, data, err));
  data->load_count = sb_contact_law_one_load(&data->law) ? SB_CONTACT_DIM : 2 * SB_CONTACT_DIM;
  data->turn_count = sb_turning_acts(&data->law.turning) ? SB_TURNING_DIM : 0;
  data->hardens =
      (data->law.hertz || data->directed_normal) && data->law.stiffness_at == SB_AT_POINT;
  return check_slip(&data->law, &data->skin, err);
}

sb_status sb_contact_check(const sb_contact_spec *spec, sb_error *err) {
  sb_contact_data data;
  return sb_contact_prepare(spec, &data, err);
}

sb_status sb_contact_add(sb_graph *graph, const sb_contact_spec *spec, sb_error *err) {
  sb_contact_data data;
  sb_element *structure;
  SB_TRY(sb_contact_prepare(spec, &data, err));
  for (int i = 0; i < 2; i++) {
    if (!sb_graph_knows(graph, spec->body[i])) {
      return sb_fail(err, SB_ERR_REFERENCE, "there is no body '%s'", spec->body[i]);
    }
  }
  const bool rigid = data.law.normal->rigid;
  const sb_element_type *structure_kind =
      rigid                                ? &sb_kind_contact_rigid
      : sb_turning_acts(&data.law.turning) ? &sb_kind_contact_rolling
      : sb_contact_law_one_load(&data.law) ? &sb_kind_contact_slipping
                                           : &sb_kind_contact;
  SB_TRY(sb_graph_add(graph, structure_kind, spec->id, &structure, err));
  sb_contact_data *own = sb_element_data(structure);
  *own = data;
  SB_TRY(own_expressions(spec, structure_kind, &own->law, err));
  SB_TRY(bond(graph, spec->id, "body1", spec->body[0], err));
  SB_TRY(bond(graph, spec->id, "body2", spec->body[1], err));
  SB_TRY(wire(graph, spec->body[0], "pose", spec->id, "pose1", err));
  SB_TRY(wire(graph, spec->body[1], "pose", spec->id, "pose2", err));
  return rigid ? add_rigid_parts(graph, spec, &data, err) : add_parts(graph, spec, &data, err);
}
