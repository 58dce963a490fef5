// SPDX-License-Identifier: GPL-3.0-or-later
// Loops of laws that rise, with kinks and steep exponentials: one solution, against node potentials found by a method of their own.
#include "tests/fixture.h"

enum { NODES_MAX = 5, BRANCHES_MAX = 8, LAWS = 6 };

static const char *const texts[LAWS] = {
    "if(e&gt;0[V],1[S]*e,1e-6[S]*e)",
    "max(0[A],1[S]*e)+1e-6[S]*e",
    "max(0[A],1[S]*(e-0.7[V]))+1e-6[S]*e",
    "0.5[S]*(e+abs(e))+1e-6[S]*e",
    "max(0[A],1[S]*(e-0.7[V]))+min(0[A],1[S]*(e+5[V]))+1e-6[S]*e",
    "1e-12[A]*(exp(e/0.026[V])-1)+1e-6[S]*e"};

static double flow_by(int law, double e) {
  const double leak = 1e-6 * e;
  switch (law) {
  case 0:
    return e > 0 ? e : leak;
  case 1:
  case 3:
    return fmax(0, e) + leak;
  case 2:
    return fmax(0, e - 0.7) + leak;
  case 4:
    return fmax(0, e - 0.7) + fmin(0, e + 5) + leak;
  default:
    return 1e-12 * expm1(e / 0.026) + leak;
  }
}

/** Nodes with a resistor to ground each, branches between them; the source of 10 V at node 0 behind a resistor. */
typedef struct circuit {
  int law, nodes, branches;
  int from[BRANCHES_MAX], to[BRANCHES_MAX];
  double resistance[BRANCHES_MAX]; // 0: the law
  double ground[NODES_MAX], source;
} circuit;

static double uniform(unsigned *seed, double low, double high) {
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * (*seed >> 8) / 16777216.0;
}

static circuit draw(int law, unsigned seed) {
  circuit c = {.law = law};
  c.nodes = (int)uniform(&seed, 2, NODES_MAX + 0.99);
  c.branches = (int)uniform(&seed, c.nodes, c.nodes + 3.99);
  for (int k = 0; k < c.branches; k++) {
    int a = k + 1 < c.nodes ? k + 1 : (int)uniform(&seed, 0, c.nodes - 0.01), b = a;
    while (b == a) {
      b = (int)uniform(&seed, 0, (k + 1 < c.nodes ? a : c.nodes) - 0.01);
    }
    const bool turned = uniform(&seed, 0, 1) < 0.5;
    c.from[k] = turned ? b : a;
    c.to[k] = turned ? a : b;
    c.resistance[k] = uniform(&seed, 0, 3) < 1 ? pow(10, uniform(&seed, 0, 3)) : 0;
  }
  for (int i = 0; i < c.nodes; i++) {
    c.ground[i] = pow(10, uniform(&seed, 2, 5));
  }
  c.source = pow(10, uniform(&seed, 0, 2));
  return c;
}

/** What flows out of the nodes at potentials v: the gradient of a strictly convex function of v, the content of the circuit (Millar 1951). */
static void outflows(const circuit *c, const double v[], double drive, double out[]) {
  for (int i = 0; i < c->nodes; i++) {
    out[i] = v[i] / c->ground[i] + (i == 0 ? (v[0] - drive) / c->source : 0);
  }
  for (int k = 0; k < c->branches; k++) {
    const double e = v[c->from[k]] - v[c->to[k]],
                 f = c->resistance[k] > 0 ? e / c->resistance[k] : flow_by(c->law, e);
    out[c->from[k]] += f;
    out[c->to[k]] -= f;
  }
}

/** Newton's direction by slopes over 1e-9 V, by elimination without pivoting, as the Hessian is positive definite. */
static void direct(const circuit *c, const double v[], double drive, double d[]) {
  const int n = c->nodes;
  double H[NODES_MAX][NODES_MAX], up[NODES_MAX], down[NODES_MAX], moved[NODES_MAX];
  for (int k = 0; k < n; k++) {
    memcpy(moved, v, sizeof moved);
    moved[k] = v[k] + 1e-9;
    outflows(c, moved, drive, up);
    moved[k] = v[k] - 1e-9;
    outflows(c, moved, drive, down);
    for (int i = 0; i < n; i++) {
      H[i][k] = (up[i] - down[i]) / 2e-9;
    }
  }
  outflows(c, v, drive, d);
  for (int p = 0; p < n; p++) {
    for (int i = p + 1; i < n; i++) {
      const double factor = H[i][p] / H[p][p];
      for (int k = p; k < n; k++) {
        H[i][k] -= factor * H[p][k];
      }
      d[i] -= factor * d[p];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) {
      d[i] -= H[i][k] * d[k];
    }
    d[i] /= H[i][i];
  }
}

/** The slope of the content along -d, at a fraction of it: it rises with the fraction. */
static double slope_along(const circuit *c, const double v[], const double d[], double fraction,
                          double drive) {
  double at[NODES_MAX], out[NODES_MAX], sum = 0;
  for (int i = 0; i < c->nodes; i++) {
    at[i] = v[i] - fraction * d[i];
  }
  outflows(c, at, drive, out);
  for (int i = 0; i < c->nodes; i++) {
    sum -= d[i] * out[i];
  }
  return sum;
}

/** The least content, along each direction by bisection. */
static void find_potentials(const circuit *c, double drive, double v[]) {
  double d[NODES_MAX];
  memset(v, 0, NODES_MAX * sizeof *v);
  for (int step = 0; step < 300; step++) {
    double low = 0, high = 1;
    direct(c, v, drive, d);
    for (int i = 0; i < 60 && !(slope_along(c, v, d, high, drive) <= 0); i++) {
      const double middle = 0.5 * (low + high);
      *(slope_along(c, v, d, middle, drive) > 0 ? &high : &low) = middle;
    }
    for (int i = 0; i < c->nodes; i++) {
      v[i] -= high * d[i];
    }
  }
}

static void word(const circuit *c, char text[], size_t size) {
  int end = snprintf(text, size,
                     "<network domain='electric'><Se id='s' effort='10 V' waveform='sine' "
                     "frequency='50 Hz'/><J1 id='sj'/><R id='Rs' r='%.17g'/><bond from='s' "
                     "to='sj'/><bond from='sj' to='Rs'/><bond from='sj' to='n0'/>",
                     c->source);
  for (int i = 0; i < c->nodes; i++) {
    end += snprintf(text + end, size - (size_t)end,
                    "<J0 id='n%d'/><R id='g%d' r='%.17g'/><bond from='n%d' to='g%d'/>", i, i,
                    c->ground[i], i, i);
  }
  for (int k = 0; k < c->branches; k++) {
    char law[160];
    if (c->resistance[k] > 0) {
      (void)snprintf(law, sizeof law, "r='%.17g'", c->resistance[k]);
    } else {
      (void)snprintf(law, sizeof law, "law='%s'", texts[c->law]);
    }
    end += snprintf(text + end, size - (size_t)end,
                    "<J1 id='b%d'/><R id='E%d' %s/><bond from='n%d' to='b%d'/><bond from='b%d' "
                    "to='E%d'/><bond from='b%d' to='n%d'/>",
                    k, k, law, c->from[k], k, k, k, k, c->to[k]);
  }
  assert_true((size_t)snprintf(text + end, size - (size_t)end, "</network>") < size - (size_t)end);
}

/** Both half waves of 50 Hz, and where all kinks at zero are passed at once. */
static void random_circuits(void **state) {
  (void)state;
  static const double times[] = {3.7e-3, 0.01, 13.1e-3};
  for (int law = 0; law < LAWS; law++) {
    for (unsigned seed = 0; seed < (THOROUGH ? 3 : 1); seed++) {
      const circuit c = draw(law, 100 * (unsigned)law + seed);
      char text[6000], name[16];
      word(&c, text, sizeof text);
      run r = go(text, times[0]);
      for (int i = 0; i < 3; i++) {
        double v[NODES_MAX];
        advance(&r, times[i]);
        find_potentials(&c, 10 * sin(2 * acos(-1) * 50 * times[i]), v);
        for (int k = 0; k < c.nodes; k++) {
          (void)snprintf(name, sizeof name, "g%d.e", k);
          assert_near(value(&r, name), v[k], 1e-9);
        }
      }
      assert_closes(&r);
      stop(&r);
    }
  }
}

/** A clamp, two diodes that pass their kinks at one instant: v/r_s + v/r_p + (1 S + 2 uS) |v| = u/r_s. */
static void both_kinks_at_once(void **state) {
  (void)state;
  run r = go("<network domain='electric'><Se id='s' effort='10 V' waveform='sine' frequency='50 "
             "Hz'/><J1 id='j'/><R id='Rs' r='100'/><J0 id='n'/><R id='D0' "
             "law='max(0[A],1[S]*e)+1[uS]*e'/><J1 id='q'/><R id='D1' "
             "law='max(0[A],1[S]*e)+1[uS]*e'/><R id='Rp' r='1000'/><bond from='s' to='j'/><bond "
             "from='j' to='Rs'/><bond from='j' to='n'/><bond from='n' to='D0'/><bond from='q' "
             "to='n'/><bond from='q' to='D1'/><bond from='n' to='Rp'/></network>",
             2.3e-3);
  static const double times[] = {2.3e-3, 12.1e-3, 0.02};
  for (int i = 0; i < 3; i++) {
    advance(&r, times[i]);
    const double u = 10 * sin(2 * acos(-1) * 50 * times[i]);
    assert_near(value(&r, "D0.e"), u / 100 / (0.01 + 0.001 + 1 + 2e-6), 1e-14);
  }
  assert_closes(&r);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_circuits),
                                     cmocka_unit_test(both_kinks_at_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
