// SPDX-License-Identifier: GPL-3.0-or-later
// The order of elements: the children of every XML element at random, by a seed.
#include "tests/near.h"

#include "tests/system/rewrite/rewrite.h"

enum { CHILDREN_MAX = 400 };

static unsigned draw(unsigned *seed, unsigned limit) {
  *seed = *seed * 1664525U + 1013904223U;
  return (*seed >> 12) % limit;
}

static int shuffle(xmlNode *parent, unsigned *seed) {
  xmlNode *children[CHILDREN_MAX];
  int count = 0, moved = 0;
  for (xmlNode *c = xmlFirstElementChild(parent); c != NULL; c = xmlNextElementSibling(c)) {
    assert_true(count < CHILDREN_MAX);
    children[count++] = c;
  }
  for (int left = count; left > 0; left--) {
    int i = (int)draw(seed, (unsigned)left);
    xmlNode *child = children[i];
    children[i] = children[left - 1];
    moved += i < left - 1;
    xmlUnlinkNode(child);
    (void)xmlAddChild(parent, child);
  }
  return moved;
}

int rewrite_order(rewrite *r) {
  unsigned seed = (unsigned)r->number;
  int moved = 0;
  for (xmlNode *n = xmlDocGetRootElement(r->doc); n != NULL; n = rewrite_next(n)) {
    moved += shuffle(n, &seed);
  }
  return moved;
}
