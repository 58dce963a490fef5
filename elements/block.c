// SPDX-License-Identifier: GPL-3.0-or-later
// What the blocks have in common: one input, an expression of the time and of signals, and one output.
#include <math.h>

#include "elements/signals_private.h"

const sb_argument sb_of_time[] = {{.name = "t", .unit = "s"}, {0}};
const sb_signal_spec sb_block_signals[] = {{.name = "value", .count = 1}, SB_SIGNAL_INPUTS, {0}};

void sb_block_measure(const void *self, const sb_at *at, int quantity, double out[]) {
  (void)self, (void)quantity;
  out[0] = at->own[0];
}

const char *sb_block_unit(const void *self, int quantity) {
  (void)quantity;
  return ((const sb_shown *)self)->unit;
}

const sb_quantity_spec sb_block_quantities[] = {{"value", 1, "", "at present"}, {0}};

sb_status sb_block_init(sb_block *block, sb_layout *layout, sb_error *err) {
  if (block->of == NULL) {
    return sb_fail(err, SB_ERR_MISSING, "its input 'of' is missing");
  }
  block->signals = layout->wires;
  return sb_signals_check(block->of, 1, layout->wires, err);
}

double sb_block_input(const sb_block *block, const sb_at *at) {
  const sb_signal_values u = sb_signals_read(at, block->signals);
  return sb_expression_at(block->of, u.now, u.inside, at->branches, -1).value;
}

double sb_block_input_rate(const sb_block *block, const sb_at *at) {
  const sb_signal_values u = sb_signals_read(at, block->signals);
  return sb_signals_rate(block->of, u.now, u.inside, 1, at, block->signals);
}

int sb_block_at_rest(const void *self, const sb_at *at, double rate[]) {
  (void)self, (void)at;
  rate[0] = 0;
  return 0;
}

bool sb_block_reads_nothing(const void *self) {
  (void)self;
  return false;
}
