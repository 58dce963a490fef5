// SPDX-License-Identifier: GPL-3.0-or-later
// Laws that jump on nodes without a storage. With a source and a resistance that rises beside it there is one power of the source: the laws are
// maximal monotone graphs, and what meets all of them and Kirchhoff's laws is the solution, however it has been found.
#include "tests/fixture.h"

enum { NODES_MAX = 24, TEXT_MAX = 8000, LINE_MAX = 300 };
/** What the numbers of a solution are off, of some volts and amperes. */
static const double tolerance = 1e-9;

enum { STEPS = 2 };
/** A leaf: y = a u + b_i (sign(u - u_i) + sign(u_i)) + c tanh u, of the flow or of the effort; a junction; or a storage. */
typedef struct node {
  char kind; // 'f', 'e': a law of it; 'F': Friction; '0', '1'; 'C', 'I'
  double a, b[STEPS], c, at[STEPS];
  int parent;
} node;

typedef struct tree {
  node nodes[NODES_MAX];
  int count;
  unsigned long long seed;
} tree;

/** From 0 to 1. */
static double draw(tree *t) {
  t->seed = t->seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(t->seed >> 11) / 9007199254740992.0;
}

static double between(tree *t, double low, double high) {
  return floor((low + (high - low) * draw(t)) * 1000) / 1000;
}

static int add(tree *t, char kind, int parent) {
  t->nodes[t->count] = (node){.kind = kind, .parent = parent};
  return t->count++;
}

static void add_leaf(tree *t, int parent, bool rises) {
  node *l = &t->nodes[add(t, draw(t) < 0.5 ? 'f' : 'e', parent)];
  const double form = draw(t);
  l->a = rises || form < 0.4 ? between(t, 0.1, 3) : 0;
  l->b[0] = form < 0.85 || !rises ? between(t, 0.2, 2) : 0;
  l->c = form > 0.7 && form < 0.85 ? between(t, 0.2, 2) : 0;
  l->a = l->c > 0 ? fmax(l->a, 0.1) : l->a; // what is bounded by tanh has no inverse
  for (int i = 0; i < STEPS; i++) {
    l->at[i] = i > 0 || draw(t) < 0.3 ? (draw(t) < 0.5 ? -1 : 1) * between(t, 0.2, 1.5) : 0;
  }
  l->b[1] = draw(t) < 0.2 ? between(t, 0.1, 1) : 0;
  if (!rises && draw(t) < 0.15) {
    l->kind = 'F';
    l->c = l->at[0] = l->b[1] = 0;
  }
}

static void add_branches(tree *t, int parent, int leaves) {
  const int own = leaves < 3 ? 2 : 2 + (draw(t) < 0.4);
  for (int i = 0; i < own; i++) {
    const int share = i == own - 1 ? leaves : 1 + (int)(draw(t) * (leaves - (own - 1 - i)));
    leaves -= share;
    if (share == 1) {
      add_leaf(t, parent, false);
    } else {
      add_branches(t, add(t, t->nodes[parent].kind == '1' ? '0' : '1', parent), share);
    }
  }
}

static double sign_of(double x) {
  return (x > 0) - (x < 0);
}

static void write_leaf(const node *l, int i, char line[]) {
  const char u = l->kind == 'e' ? 'e' : 'f';
  const char *y_unit = u == 'e' ? "A" : "V", *u_unit = u == 'e' ? "V" : "A",
             *slope = u == 'e' ? "S" : "ohm";
  if (l->kind == 'F') {
    (void)snprintf(line, LINE_MAX, "<Friction id='n%d' coulomb='%g V' viscous='%g ohm'/>", i,
                   l->b[0], l->a);
    return;
  }
  int used = snprintf(line, LINE_MAX, "<R id='n%d' law='%g[%s]*%c", i, l->a, slope, u);
  for (int k = 0; k < STEPS; k++) {
    used +=
        snprintf(line + used, (size_t)(LINE_MAX - used), " + %g[%s]*(sign(%c - (%g)[%s]) + (%g))",
                 l->b[k], y_unit, u, l->at[k], u_unit, sign_of(l->at[k]));
  }
  (void)snprintf(line + used, (size_t)(LINE_MAX - used), " + %g[%s]*tanh(%c/1[%s])'/>", l->c,
                 y_unit, u, u_unit);
}

/** The netlist, its lines in an order of their own. */
static void write_tree(tree *t, const char *source, bool of_effort, int order, char text[]) {
  static char lines[2 * NODES_MAX + 2][LINE_MAX];
  int count = 0;
  (void)snprintf(lines[count++], LINE_MAX, "<S%c id='s' %s='%s'/>", of_effort ? 'e' : 'f',
                 of_effort ? "effort" : "flow", source);
  (void)snprintf(lines[count++], LINE_MAX, "<bond from='s' to='n0'/>");
  for (int i = 0; i < t->count; i++) {
    const node *own = &t->nodes[i];
    if (own->kind == '0' || own->kind == '1') {
      (void)snprintf(lines[count++], LINE_MAX, "<J%c id='n%d'/>", own->kind, i);
    } else if (own->kind == 'C') {
      (void)snprintf(lines[count++], LINE_MAX, "<C id='n%d' c='%g F' q0='%g C'/>", i, own->a,
                     own->b[0]);
    } else if (own->kind == 'I') {
      (void)snprintf(lines[count++], LINE_MAX, "<I id='n%d' l='%g H' p0='%g V.s'/>", i, own->a,
                     own->b[0]);
    } else {
      write_leaf(own, i, lines[count++]);
    }
    if (own->parent >= 0) {
      (void)snprintf(lines[count++], LINE_MAX, "<bond from='n%d' to='n%d'/>", own->parent, i);
    }
  }
  for (int i = count - 1; order > 0 && i > 0; i--) {
    char kept[LINE_MAX];
    const int k = (int)(draw(t) * (i + 1));
    (void)memcpy(kept, lines[i], LINE_MAX);
    (void)memcpy(lines[i], lines[k], LINE_MAX);
    (void)memcpy(lines[k], kept, LINE_MAX);
  }
  int used = snprintf(text, TEXT_MAX, "<network domain='electric'>");
  for (int i = 0; i < count; i++) {
    used += snprintf(text + used, (size_t)(TEXT_MAX - used), "%s", lines[i]);
  }
  (void)snprintf(text + used, (size_t)(TEXT_MAX - used), "</network>");
}

/** What a leaf has is on its graph. */
static void assert_on_graph(const node *l, double e, double f) {
  const double u = l->kind == 'e' ? e : f, y = l->kind == 'e' ? f : e;
  double low = l->a * u + l->c * tanh(u), high = low;
  for (int k = 0; k < STEPS; k++) {
    const double way = u - l->at[k], sign = sign_of(l->at[k]);
    low += l->b[k] * (sign + (way > tolerance ? 1 : -1));
    high += l->b[k] * (sign + (way < -tolerance ? -1 : 1));
  }
  assert_true(y > low - 10 * tolerance && y < high + 10 * tolerance);
}

/** Kirchhoff's laws at each junction, and all laws. */
static void assert_solved(const tree *t, run *r) {
  double e[NODES_MAX] = {0}, f[NODES_MAX] = {0}, common[NODES_MAX];
  bool known[NODES_MAX] = {false};
  for (int i = t->count - 1; i >= 0; i--) { // branches stand behind their junctions
    const node *own = &t->nodes[i];
    if (own->kind != '0' && own->kind != '1') {
      char name[20];
      (void)snprintf(name, sizeof name, "n%d.e", i);
      e[i] = value(r, name);
      name[strlen(name) - 1] = 'f';
      f[i] = value(r, name);
      if (own->kind != 'C' && own->kind != 'I') {
        assert_on_graph(own, e[i], f[i]);
      }
    } else {
      *(own->kind == '0' ? &e[i] : &f[i]) = common[i];
    }
    if (own->parent >= 0) {
      const bool zero = t->nodes[own->parent].kind == '0';
      const double shared = zero ? e[i] : f[i];
      *(zero ? &f[own->parent] : &e[own->parent]) += zero ? f[i] : e[i];
      if (known[own->parent]) {
        assert_near(shared, common[own->parent], tolerance);
      }
      common[own->parent] = shared;
      known[own->parent] = true;
    }
  }
  assert_near(e[0], value(r, "s.e"), tolerance);
  assert_near(f[0], value(r, "s.f"), tolerance);
}

/** Series and parallel resistances beside a source that is constant, jumps, or is a sine, and with a storage on every other node. The
 *  first ten are solved in each order of their elements, the others in one. */
static void random_trees(void **state) {
  (void)state;
  static const char *const forms[] = {"%g[%c]", "if(t &lt; 0.4[s], %g[%c], %g[%c])",
                                      "%g[%c] + %g[%c]*sin(4[rad/s]*t)"};
  for (int i = 0; i < (THOROUGH ? 40 : 4); i++) {
    tree t = {.seed = 77 + (unsigned long long)i};
    const bool of_effort = draw(&t) < 0.5;
    char source[LINE_MAX], text[TEXT_MAX];
    const char unit = of_effort ? 'V' : 'A';
    (void)add(&t, of_effort ? '1' : '0', -1);
    add_leaf(&t, 0, true);
    add_branches(&t, 0, 2 + (int)(draw(&t) * 5));
    if (i % 2 == 0) {
      node *x = &t.nodes[add(&t, draw(&t) < 0.5 ? 'C' : 'I', 0)];
      while (t.nodes[x->parent].kind != '0' && t.nodes[x->parent].kind != '1') {
        x->parent = (int)(draw(&t) * (t.count - 1));
      }
      x->a = between(&t, 0.5, 2);
      x->b[0] = between(&t, -1, 1);
    }
    const double A = between(&t, -4, 4), B = between(&t, 0.5, 5);
    (void)snprintf(source, sizeof source, forms[i % 3], A, unit, B, unit);
    const bool all = THOROUGH && i < 10;
    for (int order = all ? 0 : (i + i / 3) % 3; order < 3; order += all ? 1 : 3) {
      write_tree(&t, source, of_effort, order, text);
      run r = start(text, 1e-8, 1e-12);
      for (int k = 0; k <= 10; k++) {
        advance(&r, 0.1 * k);
        assert_solved(&t, &r);
      }
      assert_int_equal(ledger_of(&r)->passivity.violations, 0);
      assert_balanced(&r);
      stop(&r);
    }
  }
}

/** Two in series, which all voltage leaves as a third one rests at zero volts beside them: their loop is at rest, where any number that is
 *  all but zero is as much of a solution, and there is one. */
static void rest_in_series(void **state) {
  (void)state;
  run r = go("<network domain='electric'><Se id='s' effort='-0.424[V] + "
             "4.085[V]*sin(5.891[rad/s]*t)'/><J1 id='a'/><R id='r' law='0.222[ohm]*f + "
             "2.221[V]*tanh(f/1[A])'/><J0 id='b'/><R id='A' law='0.492[A]*sign(e)'/><J1 id='c'/>"
             "<R id='B' law='0.164[S]*e + 1.642[A]*tanh(e/1[V])'/>"
             "<R id='C' law='2.108[S]*e + 0.492[A]*(sign(e + 0.561[V]) - 1)'/>"
             "<bond from='s' to='a'/><bond from='a' to='r'/><bond from='a' to='b'/>"
             "<bond from='b' to='A'/><bond from='b' to='c'/><bond from='c' to='B'/>"
             "<bond from='c' to='C'/></network>",
             0);
  for (int k = 1; k <= 40; k++) {
    advance(&r, 0.05 * k);
    const double e = value(&r, "s.e"), f = value(&r, "r.f");
    if (fabs(f) < 0.4) { // all of it passes through what rests
      assert_near(0.222 * f + 2.221 * tanh(f), e, 1e-9);
      assert_near(value(&r, "A.f"), f, 1e-12);
    }
  }
  assert_int_equal(ledger_of(&r)->passivity.violations, 0);
  assert_balanced(&r);
  stop(&r);
}

/** Limiters whose steps are away from zero, in series beside a source: the lesser one takes what voltage there is, and the other is at its
 *  jump. Both are level beside it: neither determines the voltage. */
static void limiters_away_from_zero(void **state) {
  (void)state;
  static const char *const laws[] = {"<R id='A' law='0.9[A]*(e &gt; 1.2[V])'/>",
                                     "<R id='B' law='0.45[A]*(e &gt; 0.7[V])'/>"};
  for (int order = 0; order < 2; order++) {
    char text[1000];
    (void)snprintf(text, sizeof text,
                   "<network domain='electric'><J1 id='n'/>%s%s<R id='r' r='2 ohm'/>"
                   "<Se id='s' effort='1[V/s]*t'/><bond from='s' to='n'/><bond from='n' to='r'/>"
                   "<bond from='n' to='A'/><bond from='n' to='B'/></network>",
                   laws[order], laws[1 - order]);
    run r = go(text, 2.5); // f = (s - 1.2 V - 0.7 V)/r until that is 0.45 A
    assert_near(value(&r, "r.f"), 0.3, 1e-12);
    assert_near(value(&r, "A.e"), 1.2, 1e-12);
    assert_near(value(&r, "B.e"), 0.7, 1e-12);
    advance(&r, 4);
    assert_near(value(&r, "r.f"), 0.45, 1e-12);
    assert_near(value(&r, "A.e"), 1.2, 1e-12);
    assert_near(value(&r, "B.e"), 4 - 1.2 - 0.9, 1e-12);
    assert_int_equal(ledger_of(&r)->passivity.violations, 0);
    stop(&r);
  }
}

/** A capacitor that begins beyond the level of what is level beside it comes to it by an impulse at the start, which loses the difference of
 *  its energies, in any order. */
static void begins_beyond_its_level(void **state) {
  (void)state;
  static const char *const forms[] = {
      "<C id='c' c='0.7 F' q0='-0.9 C'/><R id='L' law='0.6[V]*sign(f)'/><R id='r' r='3 ohm'/>",
      "<R id='r' r='3 ohm'/><R id='L' law='0.6[V]*sign(f)'/><C id='c' c='0.7 F' q0='-0.9 C'/>"};
  for (int form = 0; form < 2; form++) {
    run r = go_with("<network domain='electric'><J0 id='n'/><Sf id='s' flow='0.1 A'/>%s"
                    "<bond from='s' to='n'/><bond from='n' to='c'/><bond from='n' to='L'/>"
                    "<bond from='n' to='r'/></network>",
                    forms[form], 0);
    assert_near(value(&r, "c.e"), -0.6, 1e-14);
    assert_near(ledger_of(&r)->total.event_loss, 0.5 * (0.81 / 0.7 - 0.36 * 0.7), 1e-12);
    advance(&r, 1); // (0.1 A + 0.6 V/3 ohm) charge it from there
    const double tau = 3 * 0.7, end = 0.3;
    assert_near(value(&r, "c.e"), end - (end + 0.6) * exp(-1 / tau), 1e-8);
    assert_int_equal(ledger_of(&r)->passivity.violations, 0);
    assert_balanced(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_trees),
      repeating_test(rest_in_series),
      cmocka_unit_test(limiters_away_from_zero),
      cmocka_unit_test(begins_beyond_its_level),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
