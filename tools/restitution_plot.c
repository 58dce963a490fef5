// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>

#include "core/base/number.h"
#include "restitution.h"

/** The frame [px]: e from 0 to 1 upwards, the speed to the right. */
enum { LEFT = 60, TOP = 30, WIDTH = 520, HEIGHT = 320, ROOM = 60 };

typedef struct range {
  double from, to; // log10 of [m/s]
} range;

static range range_of(const restitution_table *table) {
  range r = {log10(table->rows[0].speed), log10(table->rows[0].speed)};
  for (int i = 1; i < table->count; i++) {
    r.from = fmin(r.from, log10(table->rows[i].speed));
    r.to = fmax(r.to, log10(table->rows[i].speed));
  }
  return r.to > r.from ? r : (range){r.from - 0.5, r.to + 0.5};
}

static double across(range r, double log_speed) {
  return LEFT + WIDTH * (log_speed - r.from) / (r.to - r.from);
}

static double up(double e) {
  return TOP + HEIGHT * (1 - e);
}

static void put_tick(FILE *out, int x1, int y1, int x2, int y2, int x, int y, const char *anchor,
                     double value) {
  (void)fprintf(out,
                "<line x1='%d' y1='%d' x2='%d' y2='%d' stroke='#ccc'/>"
                "<text x='%d' y='%d' text-anchor='%s'>%s</text>\n",
                x1, y1, x2, y2, x, y, anchor, sb_number_word(value).text);
}

static void put_axes(FILE *out, range r) {
  for (int i = 0; i <= 5; i++) {
    const int y = (int)lround(up(0.2 * i));
    put_tick(out, LEFT, y, LEFT + WIDTH, y, LEFT - 8, y + 4, "end", 0.2 * i);
  }
  for (int decade = (int)ceil(r.from - 1e-9); decade <= r.to + 1e-9; decade++) {
    const int x = (int)lround(across(r, decade));
    put_tick(out, x, TOP, x, TOP + HEIGHT, x, TOP + HEIGHT + 18, "middle", pow(10, decade));
  }
  (void)fprintf(out,
                "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='black'/>\n"
                "<text x='%d' y='%d' text-anchor='middle'>speed of impact [m/s]</text>\n"
                "<text x='15' y='%d' text-anchor='middle'>e</text>\n",
                LEFT, TOP, WIDTH, HEIGHT, LEFT + WIDTH / 2, TOP + HEIGHT + 42, TOP + HEIGHT / 2);
}

void restitution_plot(const void *context, FILE *out) {
  const restitution_table *table = context;
  const range r = range_of(table);
  (void)fprintf(out,
                "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' "
                "font-family='sans-serif' font-size='13'>\n"
                "<rect width='100%%' height='100%%' fill='white'/>\n",
                LEFT + WIDTH + ROOM / 2, TOP + HEIGHT + ROOM);
  (void)fprintf(out, "<text x='%d' y='20' text-anchor='middle'>%s, m = %s kg</text>\n",
                LEFT + WIDTH / 2, table->law.normal->name, sb_number_word(table->mass).text);
  put_axes(out, r);
  // in tenths of a pixel
  (void)fputs(
      "<polyline transform='scale(0.1)' fill='none' stroke='#1f5fa8' stroke-width='20' points='",
      out);
  for (int i = 0; i < table->count; i++) {
    const restitution_row *row = &table->rows[i];
    (void)fprintf(out, "%ld,%ld ", lround(10 * across(r, log10(row->speed))),
                  lround(10 * up(row->restitution)));
  }
  (void)fputs("'/>\n</svg>\n", out);
}
