// SPDX-License-Identifier: GPL-3.0-or-later
// Expands a contact into its structure, its elastic and its viscous part, and connects them.
#include "contact/contact.h"

#include <stdio.h>

#include "contact/skin_private.h"
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

static sb_status add_part(sb_graph *graph, const sb_contact_spec *spec, const char *name,
                          const sb_element_type *type, const char *port,
                          const sb_contact_data *data, sb_error *err) {
  char id[NAME_MAX_SIZE];
  sb_element *element;
  (void)snprintf(id, sizeof id, "%.220s/%s", spec->id, name);
  SB_TRY(sb_graph_add(graph, type, id, &element, err));
  *(sb_contact_elastic_data *)sb_element_data(element) =
      (sb_contact_elastic_data){data->skin, data->law, data->hardens};
  SB_TRY(bond(graph, spec->id, port, id, err));
  return wire(graph, spec->id, "frame", id, "frame", err);
}

static sb_status check_law(const sb_contact_law *law, sb_error *err) {
  if (law->normal == NULL || !(law->exponent > 0) || !(law->damping_factor >= 0) ||
      !(law->stiffness >= 0)) {
    return sb_fail(err, SB_ERR_RANGE,
                   "the contact law needs a normal law, a positive exponent, and "
                   "damping-factor and stiffness that are not negative");
  }
  return SB_OK;
}

/** A stiffness by the curvature needs one that is finite and does not jump. */
static sb_status check_smooth(const sb_contact_data *data, sb_error *err) {
  for (int i = 0; i < 2 && data->law.normal->hertz; i++) {
    if (!data->surface[i].type->smooth) {
      return sb_fail(err, SB_ERR_CONTACT,
                     "the law '%s' needs smooth curvatures, and that of a %s jumps or is infinite",
                     data->law.normal->name, data->surface[i].type->name);
    }
  }
  return SB_OK;
}

sb_status sb_contact_add(sb_graph *graph, const sb_contact_spec *spec, sb_error *err) {
  sb_contact_data data = {.surface = {spec->surface[0], spec->surface[1]}, .law = spec->law};
  sb_element *structure;
  SB_TRY(check_law(&data.law, err));
  if (data.law.normal->fixed_exponent > 0) {
    data.law.exponent = data.law.normal->fixed_exponent;
  }
  SB_TRY(sb_surface_check(&spec->surface[0], err));
  SB_TRY(sb_surface_check(&spec->surface[1], err));
  SB_TRY(sb_closest_supported(&spec->surface[0], &spec->surface[1], err));
  SB_TRY(check_smooth(&data, err));
  SB_TRY(sb_contact_skin_combine(spec, &data, err));
  data.hardens =
      (data.law.normal->hertz || data.directed_normal) && data.law.stiffness_at == SB_AT_POINT;
  for (int i = 0; i < 2; i++) {
    if (sb_graph_find(graph, spec->body[i]) == NULL) {
      return sb_fail(err, SB_ERR_REFERENCE, "there is no body '%s'", spec->body[i]);
    }
  }
  SB_TRY(sb_graph_add(graph, &sb_kind_contact, spec->id, &structure, err));
  *(sb_contact_data *)sb_element_data(structure) = data;
  SB_TRY(bond(graph, spec->id, "body1", spec->body[0], err));
  SB_TRY(bond(graph, spec->id, "body2", spec->body[1], err));
  SB_TRY(wire(graph, spec->body[0], "pose", spec->id, "pose1", err));
  SB_TRY(wire(graph, spec->body[1], "pose", spec->id, "pose2", err));
  SB_TRY(add_part(graph, spec, "elastic", &sb_kind_contact_elastic, "store", &data, err));
  if (data.hardens) {
    char to[NAME_MAX_SIZE];
    (void)snprintf(to, sizeof to, "%.220s/elastic." SB_CONTACT_HARDENING, spec->id);
    SB_TRY(bond(graph, spec->id, SB_CONTACT_HARDENING, to, err));
  }
  return add_part(graph, spec, "damper", &sb_kind_contact_damper, "dis", &data, err);
}
