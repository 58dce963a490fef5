// SPDX-License-Identifier: GPL-3.0-or-later
// The transformer: f_to = N f_from and e_from = N^T e_to for bonds that pass through, with N a number, a row or a
// matrix. Port flows count power outwards, so that f_from changes its sign in the kernel rows.
#include "elements/elements.h"

typedef struct transformer {
  double ratio;   // N of ports with the same components; 0: `ratios` state it
  sb_list ratios; // (rows x columns) row-major
  int rows;       // components of the port `to`
} transformer;

/** All zero, the network would fall apart at the transformer. */
static bool says_nothing(const transformer *s) {
  for (int i = 0; i < s->ratios.count; i++) {
    if (s->ratios.values[i] != 0) {
      return false;
    }
  }
  return true;
}

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  const transformer *s = self;
  const int count = s->ratios.count;
  if (count == 0 && s->ratio == 0) {
    return sb_fail(err, SB_ERR_MISSING, "ratio is missing");
  }
  if (count == 0) {
    return SB_OK;
  }
  if (s->ratio != 0) {
    return sb_fail_at(err, SB_ERR_CHOICE, "ratios", "ratio and ratios exclude each other");
  }
  if (s->rows < 1 || count % s->rows != 0) {
    return sb_fail_at(err, SB_ERR_DIMENSION, s->rows < 1 ? "rows" : "ratios",
                      "%d ratios do not form %d row%s", count, s->rows, s->rows == 1 ? "" : "s");
  }
  if (says_nothing(s)) {
    return sb_fail_at(err, SB_ERR_RANGE, "ratios", "all ratios are zero");
  }
  layout->ports[0].dim = count / s->rows;
  layout->ports[1].dim = s->rows;
  return SB_OK;
}

static void kernel(const void *self, const sb_at *at, const sb_layout *layout, sb_kernel *kernel) {
  const transformer *s = self;
  const int columns = layout->ports[0].dim, rows = layout->ports[1].dim;
  const bool matrix = s->ratios.count > 0;
  (void)at;
  for (int j = 0; j < rows; j++) {
    sb_kernel_add(kernel, j, columns + j, SB_FLOW, 1);
  }
  for (int i = 0; i < columns; i++) {
    sb_kernel_add(kernel, rows + i, i, SB_EFFORT, 1);
    for (int j = 0; j < rows; j++) {
      const double n = matrix ? s->ratios.values[j * columns + i] : i == j ? s->ratio : 0;
      if (n != 0) {
        sb_kernel_add(kernel, j, i, SB_FLOW, n);
        sb_kernel_add(kernel, rows + i, columns + j, SB_EFFORT, -n);
      }
    }
  }
}

static const sb_structure_hooks hooks = {.kernel = kernel};
static const sb_port_spec ports[] = {{.name = "from"}, {.name = "to"}, {0}};
static const sb_param params[] = {
    {.name = "ratio",
     .aliases = "n",
     .kind = SB_PARAM_REAL,
     .offset = offsetof(transformer, ratio),
     .unit = "@f2/f1",
     .range = SB_NONZERO,
     .fallback = "0",
     .help = "n of f_to = n f_from, e_from = n e_to"},
    {.name = "ratios",
     .kind = SB_PARAM_LIST,
     .offset = offsetof(transformer, ratios),
     .unit = SB_UNIT_ANY,
     .fallback = "",
     .help = "in its place, in SI: a row, or a matrix N row by row, f_to = N f_from, e_from = N^T "
             "e_to, between ports of several components"},
    {.name = "rows",
     .kind = SB_PARAM_INT,
     .offset = offsetof(transformer, rows),
     .fallback = "1",
     .help = "of ratios: components of the port to"},
    {0}};

const sb_element_type sb_kind_TF = {
    .name = "TF",
    .help = "transformer, gear, lever",
    .role = SB_STRUCTURE,
    .size = sizeof(transformer),
    .params = params,
    .ports = ports,
    .init = init,
    .structure = &hooks,
    .example = "<TF id=\"gear\" ratio=\"0.05\"/> <TF id=\"tilt\" ratios=\"0.6 0.8 0\"/>"};
