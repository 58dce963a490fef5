// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/roles.h"

#include <math.h>
#include <string.h>

const sb_role_traits sb_roles[] = {
    [SB_STORAGE] = {.inward = true, .powered = true, .quantities = {"energy", "power"}},
    [SB_DISSIPATION] = {.inward = true,
                        .powered = true,
                        .quadrature = true,
                        .quantities = {"power", "lost"}},
    [SB_SOURCE] = {.powered = true, .quadrature = true, .quantities = {"power"}},
    [SB_STRUCTURE] = {0},
    [SB_SIGNAL] = {0},
};

double sb_instance_power_sign(const sb_instance *instance, bool arrives) {
  bool one_port = instance->type->structure != NULL && !instance->type->ports[0].many &&
                  instance->layout.port_count == 1;
  return (sb_roles[instance->type->role].inward || one_port) == arrives ? 1 : -1;
}

void sb_instance_start(const sb_instance *instance, double x[]) {
  const sb_element_type *type = instance->type;
  void (*start)(const void *, double[]) = type->storage != NULL     ? type->storage->start
                                          : type->signal != NULL    ? type->signal->start
                                          : type->structure != NULL ? type->structure->start
                                                                    : NULL;
  if (start != NULL) {
    start(instance->self, x);
  }
}

int sb_instance_output(const sb_instance *instance, const sb_at *at, double y[]) {
  const sb_element_type *type = instance->type;
  if (type->structure != NULL) {
    int status = type->structure->forward(instance->self, at, y);
    return status != 0 ? status : type->structure->adjoint(instance->self, at, y);
  }
  return type->storage != NULL  ? type->storage->output(instance->self, at, y)
         : type->source != NULL ? type->source->value(instance->self, at, y)
         : type->signal != NULL ? type->signal->output(instance->self, at, y)
         : type->dissipation != NULL
             ? type->dissipation->law(
                   instance->self, at,
                   sb_natural_output(instance, 0) == SB_EFFORT ? SB_FLOW : SB_EFFORT, y)
             : -1;
}

int sb_flat_rate(const sb_instance *instance, const sb_at *at, double ydot[]) {
  const sb_dissipation_hooks *hooks = instance->type->dissipation;
  memset(ydot, 0, (size_t)instance->components * sizeof *ydot);
  return hooks->jumps.rate != NULL ? hooks->jumps.rate(instance->self, at, ydot) : 0;
}

int sb_storage_output_rate(const sb_instance *instance, const sb_at *at, const double xdot[],
                           double ydot[]) {
  double K[SB_HESSIAN_MAX * SB_HESSIAN_MAX];
  if (sb_instance_accelerates(instance)) {
    return instance->type->storage->constraints.acceleration->rate(instance->self, at, ydot);
  }
  int status = instance->type->storage->constraints.hessian(instance->self, at, K);
  for (int i = 0, n = instance->components; i < n; i++) {
    ydot[i] = 0;
    for (int k = 0; k < n; k++) {
      ydot[i] += K[i * n + k] * xdot[k];
    }
  }
  return status;
}

int sb_instance_output_rate(const sb_instance *instance, const sb_at *at, double ydot[]) {
  const sb_element_type *type = instance->type;
  if (type->structure != NULL) {
    int status = type->structure->rates.forward(instance->self, at, ydot);
    return status != 0 ? status : type->structure->rates.adjoint(instance->self, at, ydot);
  }
  return type->storage != NULL       ? sb_storage_output_rate(instance, at, at->in_rate, ydot)
         : type->source != NULL      ? type->source->rate(instance->self, at, ydot)
         : type->signal != NULL      ? type->signal->output_rate(instance->self, at, ydot)
         : type->dissipation != NULL ? sb_flat_rate(instance, at, ydot)
                                     : -1;
}

int sb_instance_output_count(const sb_instance *instance) {
  return instance->type->signal != NULL ? instance->signal_count : instance->components;
}

bool sb_instance_has_output_rate(const sb_instance *instance) {
  const sb_element_type *type = instance->type;
  return sb_instance_may_depend(instance) ||
         (sb_instance_has_rate(instance) && instance->wire_count > 0) ||
         (type->signal != NULL && type->signal->output_rate != NULL) ||
         (instance->hooked && type->structure != NULL && type->structure->rates.forward != NULL &&
          type->structure->rates.adjoint != NULL);
}

bool sb_instance_feeds_through(const sb_instance *instance) {
  const sb_signal_hooks *hooks = instance->type->signal;
  return hooks->reads != NULL ? hooks->reads(instance->self) : instance->layout.states == 0;
}
