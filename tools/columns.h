// SPDX-License-Identifier: GPL-3.0-or-later
// Aligned columns of text on stdout.
#ifndef SB_TOOLS_COLUMNS_H
#define SB_TOOLS_COLUMNS_H

/** A text and blanks up to `width` characters, then two more. NULL is empty. */
void column_print(const char *text, int width);
/** The larger of `width` and the characters of `text`. */
int column_widen(int width, const char *text);

#endif
