// SPDX-License-Identifier: GPL-3.0-or-later
// Complex linear equations with more digits than those of doubles, by the same elimination.
// The source is compiled a second time with another type of numbers, as C has no templates: hence the include of a .c file.
#define SB_EXTENDED
#include "core/analysis/complex.c" // NOLINT(bugprone-suspicious-include)
