// SPDX-License-Identifier: GPL-3.0-or-later
// Eigenvalues with more digits than those of doubles, by the same algorithm.
#define SB_EXTENDED
#include "core/linalg/eigenvalues.c" // NOLINT(bugprone-suspicious-include)
