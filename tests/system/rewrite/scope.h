// SPDX-License-Identifier: GPL-3.0-or-later
// What names and values inside a use or a repeat mean where all is written out.
#ifndef SB_TESTS_REWRITE_SCOPE_H
#define SB_TESTS_REWRITE_SCOPE_H

#include "tests/system/rewrite/rewrite.h"

enum { REWRITE_SCOPES = 400 };

/** The netlist itself, a use or a round of a repeat. */
typedef struct rewrite_scope {
  const struct rewrite_scope *outer;
  char prefix[REWRITE_NAME]; // "m1_"
  const xmlNode *use;        // NULL: none
  xmlNode *submodel;         // what it is a use of
  const char *index;         // of a repeat; NULL: none
  long round;
} rewrite_scope;

typedef struct rewrite_flattening {
  xmlNode *from, *to; // roots
  xmlNode *network;   // that grows
  rewrite_scope scopes[REWRITE_SCOPES];
  int scope_count, expanded;
} rewrite_flattening;

/** The child of this name whose attribute has this value; NULL: none. */
xmlNode *rewrite_child(const xmlNode *parent, const char *name, const char *attribute,
                       const rewrite_token *value);
rewrite_token rewrite_word_of(const char *text, size_t length);
/** A sum of products of whole numbers, indices and parameters. */
long rewrite_whole(const rewrite_flattening *f, const rewrite_scope *s, const char *text,
                   size_t length);
/** s[k+1]/C1 as s_4_C1. */
void rewrite_put_path(const rewrite_flattening *f, const rewrite_scope *s, const char *text,
                      size_t length, rewrite_text *out);
/** Names with what is behind their points; a contact and its parts are called as ever. */
void rewrite_put_paths(const rewrite_flattening *f, const rewrite_scope *s, const char *text,
                       rewrite_text *out);
/** A value: parameters of a use as those of the netlist, indices as numbers.
 *  @param row  tells the variables of an expression; NULL: none */
void rewrite_put_value(const rewrite_scope *s, const char *text, const sb_param *row,
                       rewrite_text *out);

#endif
