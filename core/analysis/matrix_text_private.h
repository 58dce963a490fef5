// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors and matrices with names, as text or as LaTeX.
#ifndef SB_CORE_ANALYSIS_MATRIX_TEXT_PRIVATE_H
#define SB_CORE_ANALYSIS_MATRIX_TEXT_PRIVATE_H

#include "core/base/arena.h"
#include "core/base/text.h"
#include "core/network/network.h"

enum { SB_LABEL_SIZE = 360 };

/** Names of rows or columns. */
typedef struct sb_labels {
  char (*items)[SB_LABEL_SIZE]; // (count)
  int count;
} sb_labels;

/** Empty labels; false: out of memory. */
bool sb_labels_init(sb_labels *labels, int count, sb_arena *memory);
/** "C1.q", or "L.p.2" of a vector. */
void sb_label_state(char label[SB_LABEL_SIZE], const sb_network *network, int state);

/** Zero-initialise the text. */
typedef struct sb_matrix_text {
  sb_text text;
  bool latex;
} sb_matrix_text;

/** Sets to zero what is rounding beside `size`. */
void sb_matrix_clean(double m[], int count, double size);

void sb_matrix_text_vector(sb_matrix_text *t, const char *symbol, const sb_labels *labels);
/** @param m  (rows x columns) row by row */
void sb_matrix_text_matrix(sb_matrix_text *t, const char *symbol, const double m[],
                           const sb_labels *rows, const sb_labels *columns);
/** Whether something holds, and the figure that tells; a comment in LaTeX. */
void sb_matrix_text_statement(sb_matrix_text *t, const char *what, bool holds, double figure);

#endif
