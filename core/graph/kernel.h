// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel form as a sparse list of entries.
#ifndef SB_CORE_KERNEL_PRIVATE_H
#define SB_CORE_KERNEL_PRIVATE_H

#include "core/graph/element.h"

typedef struct sb_kernel_entry {
  int row, component;
  sb_variable variable;
  double value, terms; // and the sum of the absolute values of what it is the sum of
} sb_kernel_entry;

struct sb_kernel {
  sb_kernel_entry *entries;
  int count, capacity;
  bool failed; // out of memory
};

void sb_kernel_finish(sb_kernel *kernel);

#endif
