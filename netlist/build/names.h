// SPDX-License-Identifier: GPL-3.0-or-later
// What attributes name: the ends of bonds, quantities, and lists of names.
#ifndef SB_NETLIST_NAMES_H
#define SB_NETLIST_NAMES_H

#include "netlist/build/build.h"

/** ends.c: what an end of a bond names, as the graph knows it; through ports of uses to the node
 *  inside. A fault is reported.
 *  @param connected  (items) out: the ports of uses on the way; NULL: not wanted
 *  @return the item of an element; NULL: none */
enum { SB_END_MAX = SB_PATH_MAX + 100 };
const sb_item *sb_find_end(const sb_build *build, const sb_setting *setting, bool connected[],
                           char out[SB_END_MAX]);
/** Finds the nodes of all ports. */
void sb_check_ports(const sb_build *build, bool connected[]);
/** Reports ports that no bond names. @param whole  all bonds are good */
void sb_check_connected(const sb_build *build, const bool connected[], bool whole);

/** words.c: a word of a list of names with its place in the value. */
typedef struct sb_word {
  const char *start;
  size_t length;
  int column; // characters from 1
} sb_word;
/** Moves to the next word; start with word->start NULL. */
bool sb_next_word(const char *text, sb_word *word);
/** The place of a word in the file; none for what the command line set. */
void sb_word_place(const sb_setting *setting, int column, int *line, int *place);

/** words.c: zeroed memory for an entry of each item of some tags (blanks between), kept by the reader;
 *  NULL: out of memory, reported. */
void *sb_new_list(sb_reader *reader, const char *tags, size_t size);

/** quantities.c: whether a word is ELEMENT.NAME, or a signal; else that is reported. */
bool sb_check_quantity(const sb_build *build, const sb_setting *setting, const sb_word *word);
/** Whether the element of a quantity is there; one that is not is reported, unless it has been.
 *  @param plain  the quantity without indices that are to be evaluated */
bool sb_check_owner(const sb_build *build, const sb_setting *setting, const sb_word *word,
                    const char *plain);
/** Whether a quantity can be given in a dimension; else that is reported. */
bool sb_check_dimension(const sb_build *build, const sb_setting *setting, const char *plain,
                        const sb_dimension *dimension);
/** The dimension of a signal, an effort, a flow or a state by its full name; `any` where the netlist
 *  does not know it. */
sb_dimension sb_quantity_dimension(const sb_build *build, const char *of);
/** Whether a name leads into a use that was left out, and reported. */
bool sb_leads_nowhere(const sb_reader *reader, const char *name);

#endif
