// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and strings as the files want them, whatever the locale.
#ifndef SB_REPORT_PUT_PRIVATE_H
#define SB_REPORT_PUT_PRIVATE_H

#include <stdio.h>

#include "core/graph/element.h"

/** The shortest form that reads back as the same number. */
void sb_put_number(FILE *out, double value);
/** The same; null for what is not finite, which JSON cannot say. */
void sb_put_json_number(FILE *out, double value);
/** Quoted and escaped; null for NULL. */
void sb_put_json_string(FILE *out, const char *text);
/** A field of CSV, quoted where it has to be. */
void sb_put_csv_field(FILE *out, const char *text);

const char *sb_role_name(sb_role role);

#endif
