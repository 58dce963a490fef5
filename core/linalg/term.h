// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef SB_CORE_LINALG_TERM_H
#define SB_CORE_LINALG_TERM_H

/** One entry of a sparse linear combination, sum factor * var. */
typedef struct sb_term {
  int var;
  double factor;
} sb_term;

#endif
