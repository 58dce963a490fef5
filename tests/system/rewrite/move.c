// SPDX-License-Identifier: GPL-3.0-or-later
// A scene at another place: bodies with their positions, planes of the ground with their offsets.
#include <math.h>
#include <stdlib.h>

#include "tests/near.h"

#include "tests/system/rewrite/rewrite.h"

/** Up to three numbers in metres. */
static void read_metres(const char *text, double out[], int count) {
  rewrite_token token = {0};
  int k = 0;
  while (text != NULL && rewrite_next_token(text, true, &token)) {
    if (token.kind == REWRITE_NUMBER) {
      assert_true(k < count);
      out[k++] = strtod(token.start, NULL);
    }
    assert_true(token.kind != REWRITE_UNIT || rewrite_is(&token, "m"));
    assert_true(token.kind != REWRITE_WORD);
  }
}

static void move_body(const rewrite *r, xmlNode *body) {
  double x[3] = {0};
  rewrite_text text = {0};
  read_metres(rewrite_get(body, "position"), x, 3);
  rewrite_put(&text, "%.17g %.17g %.17g m", x[0] + r->move[0], x[1] + r->move[1],
              x[2] + r->move[2]);
  rewrite_set(body, "position", text.chars);
}

/** n.x = offset with n of length one. */
static void move_plane(const rewrite *r, xmlNode *plane) {
  double n[3], offset = 0;
  rewrite_text text = {0};
  read_metres(rewrite_get(plane, "normal"), n, 3);
  read_metres(rewrite_get(plane, "offset"), &offset, 1);
  double along = n[0] * r->move[0] + n[1] * r->move[1] + n[2] * r->move[2];
  rewrite_put(&text, "%.17g m", offset + along / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
  rewrite_set(plane, "offset", text.chars);
}

int rewrite_move(rewrite *r) {
  int moved = 0;
  for (xmlNode *n = xmlDocGetRootElement(r->doc); (n = rewrite_find(n, "body")) != NULL; moved++) {
    move_body(r, n);
  }
  for (xmlNode *n = xmlDocGetRootElement(r->doc); (n = rewrite_find(n, "shape")) != NULL;) {
    if (strcmp(rewrite_get(n, "kind"), "plane") == 0) {
      move_plane(r, n);
    }
  }
  return moved;
}
