// SPDX-License-Identifier: GPL-3.0-or-later
// A term of an expression over a span of the time, by interval arithmetic on its nodes and by the mean value
// form: f(t) is in f(c) + f' (t - c), with f' enclosed too.
#include <math.h>

#include "core/expression/features_private.h"

static sb_interval point(double x) {
  return (sb_interval){x, x};
}

/** On the branch of the middle c: value = value(c) + sum of partial_k (a_k - a_k(c)), exactly. */
static sb_enclosure on_branch(const sb_node *node, const double middle[], const sb_enclosure got[],
                              double value) {
  double c[3] = {0}, partial[3] = {0};
  sb_enclosure sum = {point(value), {0, 0}};
  for (int k = 0; k < node->function->arity; k++) {
    c[k] = middle[node->arguments[k]];
  }
  node->function->slope(c, c, value, partial);
  for (int k = 0; k < node->function->arity; k++) {
    const sb_enclosure *a = &got[node->arguments[k]];
    sb_interval factor = point(partial[k]);
    sb_interval apart = sb_interval_add(a->value, point(-c[k]));
    sum.value = sb_interval_add(sum.value, sb_interval_multiply(factor, apart));
    sum.slope = sb_interval_add(sum.slope, sb_interval_multiply(factor, a->slope));
  }
  return sum;
}

sb_enclosure sb_term_enclose(const sb_features *f, const sb_moving_term *term, double from,
                             double to, bool smooth, double *centre) {
  sb_enclosure *got = f->got;
  double *middle = f->middle, half = 0.5 * (to - from), at = from + half;
  for (int i = term->first; i <= term->node; i++) {
    const sb_node *node = &f->expression->nodes[i];
    const sb_node_rule *rule = &f->rules[i];
    if (rule->enclose == NULL || rule->steady) {
      bool time = node->variable >= 0;
      middle[i] = rule->steady ? 1 : time ? at : node->number;
      got[i] = (sb_enclosure){time ? (sb_interval){from, to} : point(middle[i]), point(time)};
      continue;
    }
    double c[3] = {0};
    sb_enclosure a[3];
    for (int k = 0; k < node->function->arity; k++) {
      c[k] = middle[node->arguments[k]];
      a[k] = got[node->arguments[k]];
    }
    middle[i] = node->function->value(c, c);
    got[i] = smooth && rule->kink ? on_branch(node, middle, got, middle[i]) : rule->enclose(a);
    got[i].slope = sb_interval_known(got[i].slope);
    sb_interval span = sb_interval_multiply(got[i].slope, (sb_interval){-half, half});
    got[i].value = sb_interval_meet(sb_interval_known(got[i].value),
                                    sb_interval_known(sb_interval_add(point(middle[i]), span)));
  }
  *centre = middle[term->node];
  return got[term->node];
}
