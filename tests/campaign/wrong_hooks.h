// SPDX-License-Identifier: GPL-3.0-or-later
// Gives an instance of a compiled model one hook whose first number is off by a factor. One at a time.
#ifndef SB_TESTS_WRONG_HOOKS_H
#define SB_TESTS_WRONG_HOOKS_H

#include <string.h>

#include "core/model/model_data.h"
#include "screwbond.h"

typedef enum wrong_hook {
  WRONG_OUTPUT,
  WRONG_RATE,
  WRONG_ENERGY,
  WRONG_FORWARD,
  WRONG_ADJOINT,
  WRONG_HOOKS_WITHOUT_RATES, // those by which constraints are enforced
  WRONG_HESSIAN = WRONG_HOOKS_WITHOUT_RATES,
  WRONG_FORWARD_RATE,
  WRONG_ADJOINT_RATE,
  WRONG_SOURCE_RATE,
  WRONG_SIGNAL_RATE,
  WRONG_HOOKS
} wrong_hook;

static const char *const wrong_hook_names[WRONG_HOOKS] = {
    "output",  "rate",         "energy",       "forward",     "adjoint",
    "Hessian", "forward rate", "adjoint rate", "source rate", "rate of output"};

static struct {
  const sb_element_type *right;
  double factor;
} wrong;

static int wrong_first(int status, double y[]) {
  y[0] *= wrong.factor;
  return status;
}

static int wrong_output(const void *self, const sb_at *at, double y[]) {
  return wrong_first(wrong.right->storage->output(self, at, y), y);
}

static int wrong_rate(const void *self, const sb_at *at, double xdot[]) {
  return wrong_first(wrong.right->storage->rate(self, at, xdot), xdot);
}

static double wrong_energy(const void *self, const sb_at *at) {
  return wrong.right->storage->energy(self, at) * wrong.factor;
}

static int wrong_hessian(const void *self, const sb_at *at, double K[]) {
  return wrong_first(wrong.right->storage->constraints.hessian(self, at, K), K);
}

static int wrong_source_rate(const void *self, const sb_at *at, double ydot[]) {
  return wrong_first(wrong.right->source->rate(self, at, ydot), ydot);
}

static int wrong_signal_rate(const void *self, const sb_at *at, double rate[]) {
  return wrong_first(wrong.right->signal->output_rate(self, at, rate), rate);
}

/** The first component that an operator writes; it leaves those of its own side alone. */
static int wrong_operator(int (*hook)(const void *, const sb_at *, double[]), const void *self,
                          const sb_at *at, double y[]) {
  double before[SB_DIM_MAX];
  int status, k = 0, count = 2 * at->dim;
  memcpy(before, y, (size_t)count * sizeof *y);
  status = hook(self, at, y);
  while (k < count && memcmp(&before[k], &y[k], sizeof *y) == 0) {
    k++;
  }
  return k < count ? wrong_first(status, y + k) : status;
}

static int wrong_forward(const void *self, const sb_at *at, double y[]) {
  return wrong_operator(wrong.right->structure->forward, self, at, y);
}

static int wrong_adjoint(const void *self, const sb_at *at, double y[]) {
  return wrong_operator(wrong.right->structure->adjoint, self, at, y);
}

static int wrong_forward_rate(const void *self, const sb_at *at, double ydot[]) {
  return wrong_operator(wrong.right->structure->rates.forward, self, at, ydot);
}

static int wrong_adjoint_rate(const void *self, const sb_at *at, double ydot[]) {
  return wrong_operator(wrong.right->structure->rates.adjoint, self, at, ydot);
}

/** Whether a kind has a hook that its instance uses. */
static bool has_hook(const sb_instance *instance, wrong_hook which) {
  const sb_element_type *type = instance->type;
  const sb_storage_hooks *storage = instance->hooked ? type->storage : NULL;
  const sb_structure_hooks *structure =
      instance->hooked && instance->components <= SB_DIM_MAX ? type->structure : NULL;
  const bool has[WRONG_HOOKS] = {
      [WRONG_OUTPUT] = storage != NULL && storage->output != NULL,
      [WRONG_RATE] = storage != NULL && storage->rate != NULL,
      [WRONG_ENERGY] = storage != NULL && storage->energy != NULL,
      [WRONG_FORWARD] = structure != NULL && structure->forward != NULL,
      [WRONG_ADJOINT] = structure != NULL && structure->adjoint != NULL,
      [WRONG_HESSIAN] = storage != NULL && storage->constraints.hessian != NULL,
      [WRONG_FORWARD_RATE] = structure != NULL && structure->rates.forward != NULL,
      [WRONG_ADJOINT_RATE] = structure != NULL && structure->rates.adjoint != NULL,
      [WRONG_SOURCE_RATE] = type->source != NULL && type->source->rate != NULL,
      [WRONG_SIGNAL_RATE] = type->signal != NULL && type->signal->output_rate != NULL};
  return has[which];
}

/** Replaces a hook by a wrong one, where has_hook(). */
static void spoil_hook(sb_instance *instance, wrong_hook which, double factor) {
  static sb_element_type type;
  static sb_storage_hooks storage;
  static sb_structure_hooks structure;
  static sb_source_hooks source;
  static sb_signal_hooks signal;
  wrong.right = instance->type;
  wrong.factor = factor;
  type = *wrong.right;
  if (type.storage != NULL) {
    storage = *type.storage;
    storage.output = which == WRONG_OUTPUT ? wrong_output : storage.output;
    storage.rate = which == WRONG_RATE ? wrong_rate : storage.rate;
    storage.energy = which == WRONG_ENERGY ? wrong_energy : storage.energy;
    storage.constraints.hessian =
        which == WRONG_HESSIAN ? wrong_hessian : storage.constraints.hessian;
    type.storage = &storage;
  } else if (type.structure != NULL) {
    structure = *type.structure;
    structure.forward = which == WRONG_FORWARD ? wrong_forward : structure.forward;
    structure.adjoint = which == WRONG_ADJOINT ? wrong_adjoint : structure.adjoint;
    structure.rates.forward =
        which == WRONG_FORWARD_RATE ? wrong_forward_rate : structure.rates.forward;
    structure.rates.adjoint =
        which == WRONG_ADJOINT_RATE ? wrong_adjoint_rate : structure.rates.adjoint;
    type.structure = &structure;
  } else if (type.source != NULL) {
    source = *type.source;
    source.rate = wrong_source_rate;
    type.source = &source;
  } else {
    signal = *type.signal;
    signal.output_rate = wrong_signal_rate;
    type.signal = &signal;
  }
  instance->type = &type;
}

#endif
