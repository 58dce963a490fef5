// SPDX-License-Identifier: GPL-3.0-or-later
// From bonds to equations: circuits whose every variable is known in closed form, whatever their
// causality, and graphs that have none, each with its message.
#include "tests/fixture.h"

#include <gsl/gsl_linalg.h>

/** An element: kind, id, and one parameter (NULL: none). */
typedef struct item {
  const char *kind, *id, *param;
  double value;
} item;

/** @param items  ended by a kind of NULL  @param bonds "from to" each, ended by NULL */
static sb_graph *build(const item items[], const char *const bonds[]) {
  sb_graph *graph;
  assert_int_equal(sb_graph_create("network", &graph, NULL), SB_OK);
  for (const item *p = items; p->kind != NULL; p++) {
    add_kind(graph, p->kind, p->id, p->param, p->value);
  }
  for (const char *const *b = bonds; *b != NULL; b++) {
    char from[32];
    const char *blank = strchr(*b, ' ');
    memcpy(from, *b, (size_t)(blank - *b));
    from[blank - *b] = '\0';
    add_bond(graph, from, blank + 1);
  }
  return graph;
}

/** Compiles the graph, destroys it, and goes to time t [s]. */
static run go_graph(sb_graph *graph, double t) {
  sb_options options = sb_options_defaults();
  options.rtol = 1e-11;
  options.atol = 1e-14;
  run r = start_graph(graph, options);
  advance(&r, t);
  assert_balanced(&r);
  assert_near(ledger_of(&r)->structure.skew_relative, 0, 1e-12);
  return r;
}

static const double R = 3.13, L = 0.213, C = 0.037, V = 4.77, t1 = 0.0831;

/** Charge of a series circuit from rest, and its rate. */
static double charge(double u, double r, double l, double c, double t, double *i) {
  double d = r / (2 * l), w = sqrt(1 / (l * c) - d * d), decay = exp(-d * t);
  *i = u / (w * l) * decay * sin(w * t);
  return c * u * (1 - decay * (cos(w * t) + d / w * sin(w * t)));
}

static void series_circuit(void **state) {
  (void)state;
  const item items[] = {{"Se", "s", "effort", V}, {"R", "r", "r", R},   {"I", "l", "l", L},
                        {"C", "c", "c", C},       {"J1", "j", NULL, 0}, {NULL, NULL, NULL, 0}};
  run r = go_graph(build(items, (const char *[]){"s j", "j r", "j l", "j c", NULL}), t1);
  double i, q = charge(V, R, L, C, t1, &i);
  assert_near_relative(value(&r, "c.q"), q, 1e-9);
  assert_near_relative(value(&r, "r.e"), R * i, 1e-9);
  assert_near_relative(value(&r, "l.e"), V - R * i - q / C, 1e-8);
  assert_near_relative(value(&r, "s.f"), i, 1e-9);
  stop(&r);
}

/** The dual: a source of flow in parallel to G = 1/r, C and L. */
static void parallel_circuit(void **state) {
  (void)state;
  const item items[] = {{"Sf", "s", "flow", V}, {"R", "r", "r", 1 / R}, {"I", "l", "l", C},
                        {"C", "c", "c", L},     {"J0", "j", NULL, 0},   {NULL, NULL, NULL, 0}};
  run r = go_graph(build(items, (const char *[]){"s j", "j r", "j l", "j c", NULL}), t1);
  double e, p = charge(V, R, L, C, t1, &e);
  assert_near_relative(value(&r, "l.p"), p, 1e-9);
  assert_near_relative(value(&r, "c.e"), e, 1e-9);
  assert_near_relative(value(&r, "r.f"), R * e, 1e-9);
  assert_near_relative(value(&r, "s.power"), V * e, 1e-9);
  stop(&r);
}

/** Transformers and gyrators in chains only scale the circuit behind them. */
static void chains(void **state) {
  (void)state;
  const double n = 1.7, m = -0.6, g = 2.3, h = 0.9;
  const item tf[] = {{"Se", "s", "effort", V}, {"R", "r", "r", R},   {"I", "l", "l", L},
                     {"C", "c", "c", C},       {"J1", "j", NULL, 0}, {"TF", "a", "ratio", n},
                     {"TF", "b", "ratio", m},  {NULL, NULL, NULL, 0}};
  run r = go_graph(build(tf, (const char *[]){"s a", "a b", "b j", "j r", "j l", "j c", NULL}), t1);
  double i, q = charge(V / (n * m), R, L, C, t1, &i); // e_to = e_from / n
  assert_near_relative(value(&r, "c.q"), q, 1e-9);
  assert_near_relative(value(&r, "s.f"), i / (n * m), 1e-9);
  assert_near_relative(value(&r, "a.from.f"), i / (n * m), 1e-9);
  assert_near_relative(value(&r, "a.to.f"), i / m, 1e-9);
  stop(&r);
  const item gy[] = {{"Se", "s", "effort", V}, {"R", "r", "r", R},   {"I", "l", "l", L},
                     {"C", "c", "c", C},       {"J1", "j", NULL, 0}, {"GY", "a", "ratio", g},
                     {"GY", "b", "ratio", h},  {NULL, NULL, NULL, 0}};
  r = go_graph(build(gy, (const char *[]){"s a", "a b", "b j", "j r", "j l", "j c", NULL}), t1);
  q = charge(V * h / g, R, L, C, t1, &i); // e = g f', e'' = h f', f' = e / g
  assert_near_relative(value(&r, "c.q"), q, 1e-9);
  assert_near_relative(value(&r, "s.f"), i * h / g, 1e-9);
  stop(&r);
}

/** Junctions of one kind behind each other are one junction. */
static void chained_junctions(void **state) {
  (void)state;
  const item items[] = {{"Se", "s", "effort", V}, {"R", "r", "r", R},   {"I", "l", "l", L},
                        {"C", "c", "c", C},       {"J1", "j", NULL, 0}, {"J1", "k", NULL, 0},
                        {"J0", "n", NULL, 0},     {"J0", "m", NULL, 0}, {NULL, NULL, NULL, 0}};
  run r = go_graph(
      build(items, (const char *[]){"s n", "n m", "m j", "j r", "j k", "k l", "k c", NULL}), t1);
  double i, q = charge(V, R, L, C, t1, &i);
  assert_near_relative(value(&r, "c.q"), q, 1e-9);
  assert_near_relative(value(&r, "s.f"), i, 1e-9);
  stop(&r);
}

/** Half arrows are a choice of signs: turned round between two junctions the energies stay. */
static void reversed_bonds(void **state) {
  (void)state;
  const item items[] = {{"Se", "s", "effort", V}, {"R", "r", "r", R},      {"I", "l", "l", L},
                        {"C", "c", "c", C},       {"R", "leak", "r", 2.9}, {"J1", "j", NULL, 0},
                        {"J0", "n", NULL, 0},     {NULL, NULL, NULL, 0}};
  const char *const ways[4][7] = {{"s j", "j r", "j l", "j n", "n c", "n leak", NULL},
                                  {"s j", "j r", "j l", "n j", "n c", "n leak", NULL},
                                  {"j s", "r j", "l j", "j n", "c n", "leak n", NULL},
                                  {"s j", "r j", "j l", "n j", "c n", "n leak", NULL}};
  double want[3] = {0};
  for (int k = 0; k < 4; k++) {
    run r = go_graph(build(items, ways[k]), t1);
    const sb_account *total = &ledger_of(&r)->total;
    double have[3] = {total->supplied, total->stored_end, total->dissipated};
    for (int i = 0; i < 3; i++) {
      want[i] = k == 0 ? have[i] : want[i];
      assert_true(have[i] > 0.01);
      assert_near_relative(have[i], want[i], 1e-9);
    }
    stop(&r);
  }
}

/** Two resistors divide a voltage for a third, beside a storage that has nothing to do with it. */
static void divider(void **state) {
  (void)state;
  const double r1 = 2.9, r2 = 4.7, r3 = 1.3;
  const item items[] = {{"Se", "s", "effort", V}, {"R", "r1", "r", r1}, {"R", "r2", "r", r2},
                        {"R", "r3", "r", r3},     {"J1", "j", NULL, 0}, {"J0", "n", NULL, 0},
                        {NULL, NULL, NULL, 0}};
  run r = go_graph(build(items, (const char *[]){"s j", "j r1", "j n", "n r2", "n r3", NULL}), t1);
  double low = r2 * r3 / (r2 + r3), i = V / (r1 + low);
  assert_near_relative(value(&r, "r1.f"), i, 1e-13);
  assert_near_relative(value(&r, "r2.f"), i * low / r2, 1e-13);
  assert_near_relative(value(&r, "r3.e"), i * low, 1e-13);
  assert_near_relative(ledger_of(&r)->total.dissipated, V * i * t1, 1e-12);
  stop(&r);
}

/** Wheatstone's bridge, a loop that no propagation of strokes resolves: against the nodal equations
 *  of a, b, solved by Cramer's rule. Of ohms, megaohms, or pascal seconds per cubic metre. */
static void bridge_of(double k) {
  const double g[5] = {1 / 2.9 / k, 1 / 4.7 / k, 1 / 1.3 / k, 1 / 3.7 / k,
                       1 / 0.83 / k}; // top-a, top-b, a-0, b-0, a-b
  const item items[] = {
      {"Se", "s", "effort", V},  {"R", "ta", "r", 2.9 * k}, {"R", "tb", "r", 4.7 * k},
      {"R", "a0", "r", 1.3 * k}, {"R", "b0", "r", 3.7 * k}, {"R", "ab", "r", 0.83 * k},
      {"J0", "top", NULL, 0},    {"J0", "a", NULL, 0},      {"J0", "b", NULL, 0},
      {"J1", "jta", NULL, 0},    {"J1", "jtb", NULL, 0},    {"J1", "jab", NULL, 0},
      {NULL, NULL, NULL, 0}};
  run r = go_graph(
      build(items, (const char *[]){"s top", "top jta", "top jtb", "jta ta", "jtb tb", "jta a",
                                    "jtb b", "a a0", "b b0", "a jab", "jab ab", "jab b", NULL}),
      t1);
  double aa = g[0] + g[2] + g[4], bb = g[1] + g[3] + g[4], det = aa * bb - g[4] * g[4];
  double ua = V * (g[0] * bb + g[1] * g[4]) / det, ub = V * (g[1] * aa + g[0] * g[4]) / det;
  assert_near_relative(value(&r, "a0.e"), ua, 1e-12);
  assert_near_relative(value(&r, "b0.e"), ub, 1e-12);
  assert_near_relative(value(&r, "ab.f"), (ua - ub) * g[4], 1e-12);
  assert_near_relative(value(&r, "s.f"), (V - ua) * g[0] + (V - ub) * g[1], 1e-12);
  stop(&r);
}

static void bridge(void **state) {
  (void)state;
  const double scales[] = {1, 1e6, 1e15, 1e-13};
  for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
    bridge_of(scales[i]);
  }
}

/** Multibonds: M x'' + D x' + K x = F with full matrices, against exp(A t) by GSL. */
static void full_matrices(void **state) {
  (void)state;
  const double c[9] = {0.21, 0.03, -0.02, 0.03, 0.35, 0.05, -0.02, 0.05, 0.17};
  const double l[9] = {1.3, 0.2, 0.1, 0.2, 2.1, -0.4, 0.1, -0.4, 0.9};
  const double d[9] = {0.8, 0.5, 0, -0.5, 1.1, 0.2, 0, 0.2, 0.4}; // with a skew part
  const double f[3] = {2.385, -1.1, 0.7};
  const item items[] = {{"C", "c", "dim", 3}, {"I", "l", "dim", 3}, {"R", "r", "dim", 3},
                        {"Se", "s", NULL, 0}, {"J1", "j", NULL, 0}, {NULL, NULL, NULL, 0}};
  sb_graph *graph = build(items, (const char *[]){NULL});
  set_values(sb_graph_find(graph, "c"), "c", c, 9);
  set_values(sb_graph_find(graph, "l"), "l", l, 9);
  set_values(sb_graph_find(graph, "r"), "r", d, 9);
  set_values(sb_graph_find(graph, "s"), "effort", f, 3);
  set_values(sb_graph_find(graph, "c"), "q0", (double[]){0.1, -0.3, 0.2}, 3);
  const char *const bonds[] = {"s", "j", "j", "c", "j", "l", "j", "r"};
  for (int i = 0; i < 8; i += 2) {
    add_bond(graph, bonds[i], bonds[i + 1]);
  }
  double t = 1.31;
  run r = go_graph(graph, t);
  gsl_matrix *A = gsl_matrix_calloc(7, 7), *X = gsl_matrix_calloc(7, 7);
  gsl_matrix *inverse[2]; // of c and l
  for (int k = 0; k < 2; k++) {
    inverse[k] = gsl_matrix_alloc(3, 3);
    for (size_t i = 0; i < 9; i++) {
      gsl_matrix_set(inverse[k], i / 3, i % 3, k == 0 ? c[i] : l[i]);
    }
    gsl_linalg_cholesky_decomp(inverse[k]);
    gsl_linalg_cholesky_invert(inverse[k]);
  }
  for (size_t i = 0; i < 3; i++) { // q' = l^-1 p, p' = f - c^-1 q - d l^-1 p; the constant is x[6]
    for (size_t k = 0; k < 3; k++) {
      double damping = 0;
      for (size_t j = 0; j < 3; j++) {
        damping += d[3 * i + j] * gsl_matrix_get(inverse[1], j, k);
      }
      gsl_matrix_set(A, i, 3 + k, t * gsl_matrix_get(inverse[1], i, k));
      gsl_matrix_set(A, 3 + i, k, -t * gsl_matrix_get(inverse[0], i, k));
      gsl_matrix_set(A, 3 + i, 3 + k, -t * damping);
    }
    gsl_matrix_set(A, 3 + i, 6, t * f[i]);
  }
  gsl_linalg_exponential_ss(A, X, GSL_PREC_DOUBLE);
  const double x0[7] = {0.1, -0.3, 0.2, 0, 0, 0, 1};
  for (size_t i = 0; i < 6; i++) {
    double want = 0;
    for (size_t k = 0; k < 7; k++) {
      want += gsl_matrix_get(X, i, k) * x0[k];
    }
    assert_near(component(&r, i < 3 ? "c.q" : "l.p", (int)(i % 3)), want, 1e-9);
  }
  gsl_matrix_free(A);
  gsl_matrix_free(X);
  gsl_matrix_free(inverse[0]);
  gsl_matrix_free(inverse[1]);
  stop(&r);
}

static void source_on_resistor(void **state) {
  (void)state;
  const item e[] = {{"Se", "s", "effort", V}, {"R", "r", "r", R}, {NULL, NULL, NULL, 0}};
  const item f[] = {{"Sf", "s", "flow", V}, {"R", "r", "r", R}, {NULL, NULL, NULL, 0}};
  run a = go_graph(build(e, (const char *[]){"s r", NULL}), t1);
  run b = go_graph(build(f, (const char *[]){"r s", NULL}),
                   t1); // the half arrow points into the source
  assert_near_relative(value(&a, "r.f"), V / R, 1e-14);
  assert_near_relative(ledger_of(&a)->total.supplied, V * V / R * t1, 1e-13);
  assert_near_relative(ledger_of(&b)->total.dissipated, V * V * R * t1, 1e-13);
  stop(&a);
  stop(&b);
}

// ---- graphs without an answer

static void refuse_network(const item items[], const char *const bonds[], sb_status status,
                           const char *text) {
  refuse_graph(build(items, bonds), status, text);
}

/** Two resistors in parallel behind a law: what rounding leaves of the law in their currents is no term. One of these pairs
 *  was refused. */
static void rounding_is_no_term(void **state) {
  (void)state;
  double r0 = 1.17249716240746, r1 = 17.110020479376;
  for (int k = 0; k < 200; k++, r0 += 0.0137, r1 *= 1.0171) {
    char text[1000];
    (void)snprintf(
        text, sizeof text,
        "<network domain='electric'><J0 id='a'/><R id='r0' r='%.17g'/><bond from='r0' to='a'/>"
        "<J1 id='b'/><bond from='a' to='b'/><R id='r1' r='%.17g'/><bond from='b' to='r1'/>"
        "<J1 id='c'/><bond from='a' to='c'/><I id='L' l='17.4801481929342' p0='-17.4801481929342'/>"
        "<bond from='c' to='L'/><R id='r2' r='5.87117433664453' exponent='1.25'/>"
        "<bond from='c' to='r2'/></network>",
        r0, r1);
    run r = start(text, 1e-8, 0);
    assert_near(value(&r, "L.e"), r0 * r1 / (r0 + r1) + 5.87117433664453, 1e-12);
    stop(&r);
  }
}

/** A source E, a law and a capacitor in a ring that one resistor alone joins to ground, by no current whatever its law: e = E - u,
 *    f = A sinh(e/U):  tanh(e/(2 U)) = tanh(E/(2 U)) e^(-A t/(C U)),     e = r f |f|:  sqrt e = sqrt E - t/(2 C sqrt r).
 *  The node at the resistor is at zero, and with it the others: no row by itself tells so. */
static void laws_in_a_ring_that_leaks(void **state) {
  (void)state;
  const double E = 2.385, U = 0.713, A = 0.0471, r = 2.1, c = 0.0137, t = 0.05;
  const double left[] = {2 * U * atanh(tanh(E / (2 * U)) * exp(-A * t / (c * U))),
                         pow(sqrt(E) - t / (2 * c * sqrt(r)), 2)};
  const char *const laws[] = {"0.0471[A]*sinh(e/0.713[V])", "2.1[ohm/A]*f*abs(f)"};
  const char *const leaks[] = {"r='31 ohm'", "law='0.3[A]*sinh(e/1[V])'",
                               "law='1[V]*(f/1[A] + (f/1[A])^3)'"};
  for (int k = 0; k < 18; k++) {
    char text[1000], node[8];
    (void)snprintf(text, sizeof text,
                   "<network domain='electric'><J0 id='n0'/><J0 id='n1'/><J0 id='n2'/>"
                   "<Se id='S' effort='2.385'/><J1 id='s'/><R id='D' law='%s'/><J1 id='d'/>"
                   "<C id='C' c='0.0137'/><J1 id='c'/><R id='L' %s/><bond from='S' to='s'/>"
                   "<bond from='n2' to='s'/><bond from='s' to='n0'/><bond from='n0' to='d'/>"
                   "<bond from='d' to='D'/><bond from='d' to='n1'/><bond from='n1' to='c'/>"
                   "<bond from='c' to='C'/><bond from='c' to='n2'/><bond from='n%d' to='L'/>"
                   "</network>",
                   laws[k % 2], leaks[k / 2 % 3], k / 6);
    (void)snprintf(node, sizeof node, "n%d.e", k / 6);
    run q = start(text, 1e-10, 0);
    advance(&q, t);
    assert_near_relative(value(&q, "C.e"), E - left[k % 2], 1e-8);
    assert_near_relative(value(&q, "D.e"), left[k % 2], 1e-8);
    assert_near(value(&q, "L.f"), 0, 1e-15);
    assert_near(value(&q, node), 0, 1e-15);
    assert_balanced(&q);
    stop(&q);
  }
}

static void conflicts(void **state) {
  (void)state;
  const item two_se[] = {{"Se", "a", "effort", 1.7},
                         {"Se", "b", "effort", 2.9},
                         {"R", "r", "r", R},
                         {"J0", "n", NULL, 0},
                         {NULL, NULL, NULL, 0}};
  refuse_network(two_se, (const char *[]){"a n", "b n", "n r", NULL}, SB_ERR_CAUSALITY,
                 "the sources 'a' and 'b' fix the same variable at 'n'");
}

/** A suppressor that is flat between two voltages cannot tell its own from the current of a coil. */
static void flat_law_beside_a_coil(void **state) {
  (void)state;
  sb_errors errors = {0};
  sb_model *model = NULL;
  sb_netlist *netlist = NULL;
  static const char text[] =
      "<screwbond version='1' id='i'><network domain='electric'><J1 id='j'/><I id='L' l='6 mH'/>"
      "<R id='tvs' law='0.05[S]*(max(0[V], e - 4[V]) + min(0[V], e + 3[V]))'/>"
      "<bond from='j' to='L'/><bond from='j' to='tvs'/></network></screwbond>";
  assert_int_equal(sb_netlist_parse("t.xml", text, strlen(text), NULL, 0, &netlist, &errors),
                   SB_OK);
  assert_int_equal(sb_model_compile(netlist->graph, &model, &errors), SB_ERR_CAUSALITY);
  assert_string_equal(errors.items[0].text,
                      "'L' and 'tvs' both determine the same variable at 'j': a storage does, and "
                      "a law that cannot be inverted");
  assert_non_null(strstr(errors.items[0].hint, "one that is flat in part"));
  sb_netlist_destroy(netlist);
  sb_errors_finish(&errors);
}

/** Sources between nodes of which none is known. */
static void rivals(void **state) {
  (void)state;
  const item items[] = {{"Se", "a", "effort", 1.7}, {"Se", "b", "effort", 2.9},
                        {"R", "g", "r", R},         {"R", "r", "r", R},
                        {"J0", "n", NULL, 0},       {"J0", "m", NULL, 0},
                        {"J1", "ja", NULL, 0},      {"J1", "jb", NULL, 0},
                        {"J1", "jr", NULL, 0},      {NULL, NULL, NULL, 0}};
  refuse_network(items,
                 (const char *[]){"a ja", "n ja", "ja m", "b jb", "n jb", "jb m", "n jr", "jr m",
                                  "jr r", "n g", NULL},
                 SB_ERR_CAUSALITY,
                 "the sources 'a' and 'b' contradict each other: the efforts round a loop of "
                 "bonds add up to zero, and here all are given");
  const item cut[] = {{"Sf", "a", "flow", 1.7}, {"Sf", "b", "flow", 2.9}, {"R", "q", "r", R},
                      {"R", "r", "r", R},       {"J0", "n", NULL, 0},     {"J0", "m", NULL, 0},
                      {"J1", "jq", NULL, 0},    {"J1", "jr", NULL, 0},    {NULL, NULL, NULL, 0}};
  const char *const bonds[] = {"a n", "b m", "n jq", "jq m", "jq q", "n jr", "jr m", "jr r", NULL};
  refuse_network(cut, bonds, SB_ERR_CAUSALITY,
                 "the sources 'a' and 'b' contradict each other: the flows into a part of the "
                 "network add up to zero, and here all are given");
  refuse_network(cut + 1, bonds + 1, SB_ERR_CAUSALITY,
                 "the source 'b' stands alone: the flows into a part of the network add up to "
                 "zero, and only its own is there");
}

static void ports(void **state) {
  (void)state;
  sb_error err = {0};
  const item items[] = {{"Se", "s", "effort", V},
                        {"R", "r", "r", R},
                        {"J1", "j", NULL, 0},
                        {"TF", "t", "ratio", 1.7},
                        {NULL, NULL, NULL, 0}};
  refuse_network(items, (const char *[]){"s r", "t j", NULL}, SB_ERR_PORT,
                 "port 'from' of 't' is not connected");
  refuse_network(items, (const char *[]){"s r", "t j", NULL}, SB_ERR_PORT,
                 "junction 'j' joins one bond only: it needs two bonds or more");
  refuse_network(items, (const char *[]){"s j", "j t", NULL}, SB_ERR_PORT, "'r' is not connected");
  refuse_network(items, (const char *[]){"s r", NULL}, SB_ERR_PORT,
                 "junction 'j' joins no bond: it needs two bonds or more");
  sb_graph *graph = build(items, (const char *[]){"s r", "j t", NULL});
  assert_int_equal(sb_graph_bond(graph, "j", "r", &err), SB_ERR_PORT);
  assert_string_equal(err.text, "'r' is connected twice: its other port is 'r.heat'");
  assert_int_equal(sb_graph_bond(graph, "j", "s", &err), SB_ERR_PORT);
  assert_string_equal(err.text, "'s' is connected twice: it has one port");
  assert_int_equal(sb_graph_bond(graph, "j", "t", &err), SB_ERR_PORT);
  assert_string_equal(err.text, "port 'from' of 't' is connected twice");
  assert_int_equal(sb_graph_bond(graph, "j", "t.top", &err), SB_ERR_PORT);
  assert_string_equal(err.text, "TF 't' has no port 'top'");
  assert_int_equal(sb_graph_bond(graph, "j", "x", &err), SB_ERR_REFERENCE);
  assert_string_equal(err.text, "there is no element 'x'");
  assert_int_equal(sb_graph_bond(graph, "j", "j", &err), SB_ERR_PORT);
  assert_string_equal(err.text, "a bond joins 'j' with itself");
  assert_int_equal(sb_graph_add(graph, sb_catalog_find("R"), "r", NULL, &err), SB_ERR_DUPLICATE);
  assert_string_equal(err.text, "there is already an element 'r'");
  assert_int_equal(sb_graph_wire(graph, "s.e", "r.pose", &err), SB_ERR_REFERENCE);
  assert_string_equal(err.text, "R 'r' has no signal input 'pose'");
  sb_graph_destroy(graph);
}

static void dimensions_and_domains(void **state) {
  (void)state;
  sb_error err = {0};
  const item items[] = {{"Se", "s", "effort", V},
                        {"R", "r", "r", R},
                        {"C", "c", "c", C},
                        {"J1", "j", NULL, 0},
                        {NULL, NULL, NULL, 0}};
  sb_graph *graph = build(items, (const char *[]){"s j", "j r", "j c", NULL});
  set_values(sb_graph_find(graph, "c"), "dim", (double[]){3}, 1);
  refuse_graph(graph, SB_ERR_DIMENSION, "bond j -> c joins a port of 1 component with one of 3");
  graph = build(items, (const char *[]){"s j", "j r", "j c", NULL});
  ok(sb_element_set_domain(sb_graph_find(graph, "j"), -1, "electric", &err), &err);
  ok(sb_element_set_domain(sb_graph_find(graph, "c"), -1, "hydraulic", &err), &err);
  refuse_graph(graph, SB_ERR_DOMAIN, "bond j -> c joins the domains electric and hydraulic");
}

static void numbers(void **state) {
  (void)state;
  sb_error err = {0};
  const item items[] = {{"R", "r", "r", R}, {"C", "c", "c", C}, {NULL, NULL, NULL, 0}};
  sb_graph *graph = build(items, (const char *[]){"r c", NULL});
  const double bad = NAN, negative = -2.385;
  assert_int_equal(sb_element_set(sb_graph_find(graph, "r"), "r", &bad, 1, &err), SB_ERR_RANGE);
  assert_string_equal(err.text, "R 'r': r must be finite");
  assert_int_equal(sb_element_set(sb_graph_find(graph, "r"), "x", &bad, 1, &err), SB_ERR_ATTRIBUTE);
  assert_string_equal(err.text, "R 'r' has no parameter 'x'");
  assert_int_equal(sb_element_set(sb_graph_find(graph, "r"), "r", &negative, 1, &err),
                   SB_ERR_RANGE);
  assert_string_equal(err.text, "R 'r': r must not be negative");
  set_values(sb_graph_find(graph, "r"), "dim", (double[]){2}, 1);
  set_values(sb_graph_find(graph, "r"), "r", (double[]){1.7, 0.2, -3.1, 0.4}, 4);
  refuse_graph(
      graph, SB_ERR_RANGE,
      "R 'r': the matrix r would give power: its symmetric part must be positive semi-definite");
  graph = build(items, (const char *[]){"r c", NULL});
  set_values(sb_graph_find(graph, "c"), "dim", (double[]){2}, 1);
  set_values(sb_graph_find(graph, "c"), "c", (double[]){1.7, 0.2, 0.3, 0.4}, 4);
  refuse_graph(graph, SB_ERR_RANGE,
               "C 'c': the matrix c must be symmetric: "
               "0.2 in row 1, column 2, but 0.3 in row 2, column 1");
  graph = build(items, (const char *[]){"r c", NULL});
  set_values(sb_graph_find(graph, "c"), "q0", (double[]){1.7, 0.2}, 2);
  refuse_graph(graph, SB_ERR_DIMENSION, "C 'c': q0 takes one number for dim=\"1\", got 2");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(series_circuit),
      cmocka_unit_test(parallel_circuit),
      cmocka_unit_test(chains),
      cmocka_unit_test(chained_junctions),
      cmocka_unit_test(reversed_bonds),
      cmocka_unit_test(divider),
      cmocka_unit_test(bridge),
      cmocka_unit_test(full_matrices),
      cmocka_unit_test(source_on_resistor),
      cmocka_unit_test(rounding_is_no_term),
      cmocka_unit_test(laws_in_a_ring_that_leaks),
      cmocka_unit_test(flat_law_beside_a_coil),
      cmocka_unit_test(conflicts),
      cmocka_unit_test(rivals),
      cmocka_unit_test(ports),
      cmocka_unit_test(dimensions_and_domains),
      cmocka_unit_test(numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
