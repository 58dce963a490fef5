// SPDX-License-Identifier: GPL-3.0-or-later
// The order of elements: the children of every XML element at random, by a seed. Not those of a mechanism with joints, where
// the first body names a tree and the first joint of a body carries it (test_linkage.c has other orders).
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
    children[left - 1] = child;
    moved += i < left - 1;
  }
  for (int i = 0; i < count; i++) {
    xmlUnlinkNode(children[i]);
    (void)xmlAddChild(parent, children[i]);
  }
  return moved;
}

int rewrite_order(rewrite *r) {
  unsigned seed = (unsigned)r->number;
  int moved = 0;
  const bool trees = rewrite_find(xmlDocGetRootElement(r->doc), "joint") != NULL;
  for (xmlNode *n = xmlDocGetRootElement(r->doc); n != NULL; n = rewrite_next(n)) {
    if (!trees || !rewrite_named(n, "mechanism")) {
      moved += shuffle(n, &seed);
    }
  }
  return moved;
}
