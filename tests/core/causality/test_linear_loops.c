// SPDX-License-Identifier: GPL-3.0-or-later
// Linear algebraic loops that are solved at compilation, against closed forms.
#include "core/model/model_data.h"
#include "tests/fixture.h"

/** An inductance l behind a transformer n is n^2 l beside another, M = L + n^2 l, and moves as that does; R behind the ratio m damps by
 *  d = m^2 R. A current F into the capacitor between:
 *    M f' = -d f - q/C,  q' = f + F,  from rest:
 *    q = C d F + e^(-a t) (-C d F cos w t + b sin w t),  a = d/(2 M),  w^2 = 1/(M C) - a^2,  b w = F - a C d F.
 *  Behind n are a gyrator and a transformer on the same current, whose efforts cancel. The effort of C counts in what acts on l
 *  by n l/M, and before the transformer by n^2 l/M: a coupling, as small as it may be; also where a second bond states a constraint
 *  twice. */
static void couplings_behind_a_ratio(void **state) {
  (void)state;
  static const double ratios[] = {-1244,     -1.244e-2, -1.244e-5,  -1.244e-6, -1.244e-7,
                                  -1.244e-8, -1.244e-9, -1.244e-10, -1.244e-18};
  const double L = 53.5195, l = 9.6237e-6, C = 21.6907, R = 7.1708e-6, m = 4.4083, F = 2.0659e-6;
  for (int k = 0; k < 2 * (int)(sizeof ratios / sizeof *ratios); k++) {
    char text[1500];
    const double n = ratios[k / 2], t = 45.50467;
    (void)snprintf(
        text, sizeof text,
        "<network domain='electric'><J1 id='n0'/><J0 id='n1'/><J0 id='n2'/><J1 id='n3'/>"
        "<J0 id='n4'/><J0 id='n5'/><TF id='m' ratio='%.17g'/><TF id='n' ratio='%.17g'/>"
        "<GY id='g' ratio='-2.5658'/><TF id='h' ratio='34480'/><I id='l' l='%.17g'/>"
        "<Sf id='F' flow='%.17g'/><I id='L' l='%.17g'/><C id='C' c='%.17g'/><R id='R' r='%.17g'/>"
        "<bond from='n0' to='m'/><bond from='m' to='n1'/><bond from='n0' to='n2'/>"
        "<bond from='n0' to='n'/><bond from='n' to='n3'/><bond from='n3' to='n4'/>"
        "<bond from='n4' to='g'/><bond from='g' to='n5'/><bond from='n5' to='h'/>"
        "<J1 id='n6'/><bond from='n3' to='n6'/>%s<bond from='n6' to='l'/>"
        "<bond from='h' to='n3'/><bond from='F' to='n2'/>"
        "<bond from='n0' to='L'/><bond from='n2' to='C'/><bond from='n1' to='R'/></network>",
        m, n, l, F, L, C, R, k % 2 == 1 ? "<bond from='n3' to='n6'/>" : "");
    const double M = L + n * n * l, d = m * m * R, a = d / (2 * M), w = sqrt(1 / (M * C) - a * a);
    const double end = C * d * F, b = (F - a * end) / w, fade = exp(-a * t);
    const double q = end + fade * (-end * cos(w * t) + b * sin(w * t));
    const double rate = fade * ((a * end + b * w) * cos(w * t) + (end * w - a * b) * sin(w * t));
    const double f = rate - F, f_rate = (-d * f - q / C) / M;
    run r = go(text, t);
    assert_near_relative(value(&r, "C.q"), q, 1e-8);
    assert_near_relative(value(&r, "C.e"), q / C, 1e-8);
    assert_near_relative(value(&r, "L.p"), L * f, 1e-8);
    assert_near_relative(value(&r, "l.p"), l * n * f, 1e-8);
    assert_near_relative(value(&r, "l.e"), l * n * f_rate, 1e-8);
    assert_near_relative(value(&r, "n.from.e"), l * n * n * f_rate, 1e-8);
    stop(&r);
  }
}

/** A current I through one port of a resistance field (a b; c d), R behind the transformer n at the other:
 *    R i + n^2 d i = -n c I,  i = -n c I/(R + n^2 d),  and e1 = a I + b f2 with f2 = n i at the other port.
 *  R/n^2 is up to 1e5 d: e2 = c I + d f2 is all but zero, or all but c I, beside its terms. */
static void field_behind_a_transformer(void **state) {
  (void)state;
  static const struct {
    double a, b, c, d, n, R;
  } tried[] = {
      {14, 2.6, 2.6, 0.58, 0.075, 170}, {9e4, -480, 480, 250, 0.1, 16e3}, {1e6, -1, 1, 1e-6, 1, 1}};
  for (int k = 0; k < (int)(sizeof tried / sizeof *tried); k++) {
    char text[1000];
    const double n = tried[k].n, d = tried[k].d, I = 1.385;
    (void)snprintf(
        text, sizeof text,
        "<network domain='electric'><Sf id='S' flow='%.17g'/>"
        "<RField id='F' r='%.17g %.17g %.17g %.17g'/><J1 id='k'/><J1 id='j'/>"
        "<TF id='T' ratio='%.17g'/><J1 id='l'/><R id='R' r='%.17g'/><bond from='S' to='k'/>"
        "<bond from='k' to='F.1'/><bond from='l' to='R'/><bond from='l' to='T.from'/>"
        "<bond from='T.to' to='j'/><bond from='j' to='F.2'/></network>",
        I, tried[k].a, tried[k].b, tried[k].c, d, n, tried[k].R);
    run r = go(text, 1);
    const double i = -n * tried[k].c * I / (tried[k].R + n * n * d);
    assert_near_relative(value(&r, "R.f"), i, 4e-15);
    assert_near_relative(value(&r, "S.e"), tried[k].a * I + tried[k].b * n * i, 4e-15);
    assert_true(ledger_of(&r)->structure.residual_relative < 1e-13);
    stop(&r);
  }
}

/** Storages of three fields held to each other by a junction and a gyrator: seven states, four constraints. Values at 3 s by
 *  the matrix exponential of the regular pencil of all equations. */
static void implied_constraints_are_no_rounding(void **state) {
  (void)state;
  const char *const text =
      "<network domain='electric'><CField id='CF' c='4 20 20 2000'/>"
      "<Sf id='S' flow='6.6[A]*sin(1.2[1/s]*t)'/><J0 id='a'/><J1 id='b'/><R id='R' r='4.4'/>"
      "<IField id='L4' l='0.6 -0.04 -0.04 0.0041'/><GY id='G' ratio='1660'/>"
      "<IField id='L6' l='12.7 0.034 0.034 0.001'/><I id='L5' l='0.0114'/>"
      "<bond from='b' to='L6.1'/><bond from='S' to='a'/><bond from='L6.2' to='b'/>"
      "<bond from='L4.2' to='b'/><bond from='a' to='CF.1'/><bond from='a' to='R'/>"
      "<bond from='CF.2' to='a'/><bond from='a' to='L5'/><bond from='G.to' to='b'/>"
      "<bond from='a' to='L4.1'/><bond from='a' to='G.from'/></network>";
  run r = start(text, 1e-10, 1e-12);
  advance(&r, 3);
  assert_near_relative(value(&r, "a.e"), 0.00473427296, 1e-7);
  assert_near_relative(value(&r, "L5.f"), 0.7730008928, 1e-7);
  stop(&r);
}

/** A current s fixes both currents of coupled coils, one of them behind a ratio n: i = s/n, beside a further coil. Where the constraint of
 *  that is what is left of those of the coupled ones, its coefficient is 5e-5 of theirs and has as many digits less. */
static void constraints_keep_their_digits(void **state) {
  (void)state;
  const char *const text =
      "<network domain='electric'><J1 id='j0'/><Sf id='S' flow='8.45[A]*sin(4.94[1/s]*t)'/>"
      "<I id='I5' l='0.00109'/><TF id='T' ratio='0.00251'/>"
      "<IField id='L' l='166 0.279 0.279 0.0052'/><J1 id='j1'/><bond from='j1' to='L.2'/>"
      "<bond from='j0' to='L.1'/><bond from='I5' to='j0'/><bond from='j0' to='T.from'/>"
      "<bond from='S' to='j1'/><bond from='T.to' to='j1'/></network>";
  run r = start(text, 1e-8, 0);
  advance(&r, 3);
  const double s = 8.45 * sin(4.94 * 3), i = s / 0.00251;
  assert_near_relative(value(&r, "I5.p"), -0.00109 * i, 1e-14);
  assert_near_relative(value(&r, "L.p1"), 166 * i + 0.279 * s, 1e-14);
  assert_near_relative(value(&r, "L.p2"), 0.279 * i + 0.0052 * s, 1e-14);
  assert_balanced(&r);
  stop(&r);
}

/** A voltage u fixes both of a capacitive field, through ratios: e2 = n4 u and e1 = n1 n4 u/n3, and q = C e to the last digits, though the two
 *  constraints are found one after the other, and each charge is in the voltages of both. */
static void both_states_of_a_field_depend(void **state) {
  (void)state;
  const char *const text =
      "<network domain='electric'><J0 id='j1'/><Se id='S' effort='5.22[V]*sin(2.96[1/s]*t)'/>"
      "<TF id='T4' ratio='-29.5'/><J0 id='j3'/><J0 id='j0'/>"
      "<CField id='F' c='1.8 0.183 0.183 0.0229'/><J0 id='j4'/><TF id='T3' ratio='1.29'/>"
      "<TF id='T1' ratio='48.5'/><bond from='T1.to' to='j1'/><bond from='T4.to' to='j4'/>"
      "<bond from='F.2' to='j1'/><bond from='T3.to' to='j3'/><bond from='j0' to='T1.from'/>"
      "<bond from='j1' to='T4.from'/><bond from='j3' to='F.1'/><bond from='j4' to='S'/>"
      "<bond from='j0' to='T3.from'/></network>";
  run r = start(text, 1e-8, 0);
  for (int k = 1; k <= 20; k++) {
    advance(&r, 0.05 * k);
    const double u = 5.22 * sin(2.96 * 0.05 * k), e2 = -29.5 * u, e1 = 48.5 * e2 / 1.29;
    assert_near_relative(value(&r, "F.q1"), 1.8 * e1 + 0.183 * e2, 1e-13);
    assert_near_relative(value(&r, "F.q2"), 0.183 * e1 + 0.0229 * e2, 1e-13);
  }
  assert_balanced(&r);
  stop(&r);
}

/** Two junctions that two transformers of different ratios n6 and n5 join have no effort, and no flow passes the gyrator r behind them, to
 *  which a coil l is bound: a current s is all of it, l s' = r f at the gyrator. With the transformer n7 between,
 *  f (1 - 1/n7) = i (1/n6 + 1/n5). Efforts and flows are two loops; that of the flows is singular until that of the efforts
 *  has told that the coil depends. */
static void loops_wait_for_constraints(void **state) {
  (void)state;
  const char *const text =
      "<network domain='electric'><J0 id='j1'/><GY id='T1' ratio='-0.0321'/>"
      "<TF id='T7' ratio='-1.17'/><TF id='T5' ratio='-39.2'/><TF id='T6' ratio='-28.5'/>"
      "<J1 id='j5'/><J0 id='j4'/><J1 id='j0'/><I id='I2' l='1030'/>"
      "<Sf id='S' flow='0.7[A]*sin(1.3[1/s]*t)'/><bond from='S' to='j1'/>"
      "<bond from='T1.to' to='j1'/><bond from='T6.to' to='j5'/><bond from='j4' to='T7.from'/>"
      "<bond from='j4' to='T6.from'/><bond from='j1' to='I2'/><bond from='j0' to='j4'/>"
      "<bond from='j4' to='T5.from'/><bond from='T7.to' to='j0'/><bond from='j0' to='T1.from'/>"
      "<bond from='T5.to' to='j5'/></network>";
  run r = start(text, 1e-8, 0);
  advance(&r, 2);
  const double s = 0.7 * sin(2.6), s_rate = 0.7 * 1.3 * cos(2.6), f = 1030 * s_rate / -0.0321;
  assert_near_relative(value(&r, "I2.p"), 1030 * s, 1e-13);
  assert_near_relative(value(&r, "I2.e"), 1030 * s_rate, 1e-13);
  assert_near_relative(value(&r, "T1.from.f"), f, 1e-13);
  assert_near_relative(value(&r, "T6.to.f"), f * (1 + 1 / 1.17) / (-1 / 28.5 - 1 / 39.2), 1e-12);
  assert_balanced(&r);
  stop(&r);
}

/** Two gyrators g1 and g6 between two junctions allow neither the effort at the one nor the flow at the other. A capacitive field then follows the
 *  voltage u and the charge S of the source of current: with e1 = u + n4 e2 and q2 = S - n4 q1, e2 = (S - (c12 + c11 n4) u)/
 *  (c22 + 2 c12 n4 + c11 n4^2); f = q1', and (g1 - g6) i = n2 u - w + g1 n5 f is the flow i of a gyrator. In the solution by the knowns alone the
 *  flow of the capacitor, which is 12.7 F/0.0129 beside a difference of efforts, was rounding, and the junction held to 1.1e-12. */
static void rows_hold_where_voltages_cancel(void **state) {
  (void)state;
  const char *const text =
      "<network domain='electric'><GY id='T1' ratio='9.04'/><TF id='T4' ratio='-0.0318'/>"
      "<TF id='T5' ratio='-0.0129'/><J1 id='j3'/><CField id='F' c='2.93 0.0715 0.0715 0.0194'/>"
      "<Sf id='Sf1' flow='6.21[A]*sin(2.26[1/s]*t)'/><J0 id='j4'/><TF id='T2' ratio='3.23'/>"
      "<J0 id='j5'/><GY id='T6' ratio='1.9'/><C id='C2' c='12.7'/><J0 id='j2'/>"
      "<C id='C3' c='44.5'/><Se id='Se4' effort='0.321[V]*sin(0.346[1/s]*t)'/>"
      "<Se id='Se0' effort='1.57[V]*sin(0.75[1/s]*t)'/><J0 id='j0'/><J1 id='j1'/>"
      "<bond from='T2.to' to='j2'/><bond from='T1.to' to='j1'/><bond from='j2' to='C3'/>"
      "<bond from='T5.to' to='j5'/><bond from='F.2' to='j4'/><bond from='j4' to='Sf1'/>"
      "<bond from='j2' to='j3'/><bond from='j5' to='C2'/><bond from='j3' to='T4.from'/>"
      "<bond from='T4.to' to='j4'/><bond from='j5' to='j0'/><bond from='Se0' to='j1'/>"
      "<bond from='j3' to='F.1'/><bond from='j1' to='T6.from'/><bond from='T6.to' to='j0'/>"
      "<bond from='j3' to='T5.from'/><bond from='j0' to='T1.from'/><bond from='j1' to='T2.from'/>"
      "<bond from='Se4' to='j2'/></network>";
  run r = start(text, 1e-8, 0);
  const double n = 0.0318, c11 = 2.93, c12 = 0.0715, c = 0.0194 + 2 * c12 * n + c11 * n * n;
  for (int k = 1; k <= 6; k++) {
    const double t = 0.5 * k;
    advance(&r, t);
    const double u = 0.321 * sin(0.346 * t), u_rate = 0.321 * 0.346 * cos(0.346 * t),
                 s = 6.21 * sin(2.26 * t), e2_rate = (s - (c12 + c11 * n) * u_rate) / c,
                 f = c11 * (u_rate + n * e2_rate) + c12 * e2_rate;
    assert_near_relative(value(&r, "j3.f"), f, 1e-13);
    assert_near_relative(value(&r, "T6.to.f"),
                         (3.23 * u - 1.57 * sin(0.75 * t) + 9.04 * 0.0129 * f) / (9.04 - 1.9),
                         2e-13);
  }
  assert_balanced(&r);
  stop(&r);
}

/** A voltage of 1 V, `stages` of series resistors a, transformers n and shunt resistors b behind each, and a capacitor c at the end. */
typedef struct ladder {
  int stages;
  double a, n, b, c;
} ladder;

static run prepare_ladder(const ladder *l) {
  const size_t most = 400 * (size_t)l->stages + 400;
  char *text = malloc(most);
  assert_non_null(text);
  size_t end = (size_t)snprintf(text, most,
                                "<screwbond version='1' id='m'><network domain='electric'>"
                                "<Se id='k0' effort='1 V'/><C id='C' c='%.17g F'/>",
                                l->c);
  for (int k = 1; k <= l->stages; k++) {
    end += (size_t)snprintf(
        text + end, most - end,
        "<J1 id='j%d'/><J0 id='k%d'/><R id='A%d' r='%.17g'/><R id='B%d' r='%.17g'/>"
        "<TF id='T%d' ratio='%.17g'/><bond from='k%d' to='j%d'/><bond from='j%d' to='A%d'/>"
        "<bond from='j%d' to='T%d.from'/><bond from='T%d.to' to='k%d'/>"
        "<bond from='k%d' to='B%d'/>",
        k, k, k, l->a, k, l->b, k, l->n, k - 1, k, k, k, k, k, k, k, k, k);
  }
  end += (size_t)snprintf(text + end, most - end,
                          "<bond from='k%d' to='C'/></network><run t-end='1 s'/></screwbond>",
                          l->stages);
  assert_true(end < most);
  run r = prepare(text);
  free(text);
  return r;
}

/** The voltage before the first stage, by the voltage u and the current i behind the last: u_k-1 = n u_k + a i_k-1 with
 *  i_k-1 = (i_k + u_k/b)/n. All terms have one sign. */
static double before_the_ladder(const ladder *l, double u, double i) {
  for (int k = 0; k < l->stages; k++) {
    i = (i + u / l->b) / l->n;
    u = l->n * u + l->a * i;
  }
  return u;
}

/** What of 1 V arrives at the end of a ladder, 1e-28 V and less, is the rest of no terms that cancel, and as certain as it: E = 1/u(1, 0)
 *  without and I = 1/u(0, 1) through a short circuit, u = E (1 - exp(-t I/(E c))). */
static void ladders_keep_what_is_small(void **state) {
  (void)state;
  const ladder ladders[] = {{50, 1, 1, 1, 0.05},     {70, 1.3, 1.7, 2.1, 0.05},
                            {200, 0.1, 1, 1, 0.5},   {200, 0.01, 0.6, 1, 2},
                            {1000, 0.02, 1, 1.3, 5}, {12, 1e6, 1, 1e-3, 300}};
  for (int k = 0; k < 6; k++) {
    const ladder *l = &ladders[k];
    run r = prepare_ladder(l);
    start_by(&r, &r.netlist->options);
    advance(&r, 0.3);
    const double E = 1 / before_the_ladder(l, 1, 0), I = 1 / before_the_ladder(l, 0, 1);
    assert_near_relative(value(&r, "C.e"), E * (1 - exp(-0.3 * I / (E * l->c))), 1e-6);
    assert_near_relative(before_the_ladder(l, value(&r, "C.e"), value(&r, "C.f")), 1.0, 1e-12);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A law of such a ladder that is off by 1e-9, where the voltage is 1e-19 V, is named. */
static void ladders_tell_wrong_laws(void **state) {
  (void)state;
  run r = prepare_ladder(&(ladder){70, 1, 1, 1, 0.05});
  for (int i = 0; i < r.model->network.instance_count; i++) {
    if (strcmp(r.model->network.instances[i].id, "A46") == 0) {
      r.model->network.instances[i].matrix[0] *= 1 + 1e-9;
    }
  }
  start_by(&r, &r.netlist->options);
  advance(&r, 0.3);
  sb_simulation_audit(r.sim);
  assert_string_equal(ledger_of(&r)->structure.worst, "A46");
  assert_in_range((uintmax_t)(1e12 * ledger_of(&r)->structure.residual_relative), 100, 3000);
  stop(&r);
}

/** A grid of resistors between `rows` x `columns` nodes, 1 V at the first one and a capacitor of 1 F at the last one.
 *  @param values  (2 rows * columns) to the next row and column from each node; some are not used */
static run grid_of(int rows, int columns, const double values[]) {
  const size_t most = 500 * (size_t)(rows * columns) + 500;
  char *text = malloc(most);
  assert_non_null(text);
  size_t end = (size_t)snprintf(text, most,
                                "<screwbond version='1' id='m'><network domain='electric'>"
                                "<Se id='S' effort='1 V'/><C id='C' c='1 F'/>"
                                "<bond from='S' to='n0'/><bond from='n%d' to='C'/>",
                                rows * columns - 1);
  for (int k = 0; k < rows * columns; k++) {
    end += (size_t)snprintf(text + end, most - end, "<J0 id='n%d'/>", k);
    for (int way = 0; way < 2; way++) {
      const int other = way == 0 ? k + columns : k + 1;
      if (way == 0 ? other < rows * columns : other % columns != 0) {
        end += (size_t)snprintf(text + end, most - end,
                                "<J1 id='b%d'/><R id='R%d' r='%.17g'/><bond from='n%d' to='b%d'/>"
                                "<bond from='b%d' to='n%d'/><bond from='b%d' to='R%d'/>",
                                2 * k + way, 2 * k + way, values[2 * k + way], k, 2 * k + way,
                                2 * k + way, other, 2 * k + way, 2 * k + way);
      }
    }
  }
  end += (size_t)snprintf(text + end, most - end, "</network><run t-end='1 s'/></screwbond>");
  assert_true(end < most);
  run r = prepare(text);
  free(text);
  start_by(&r, &r.netlist->options);
  return r;
}

/** The resistance between opposite corners of a grid of 1 ohm, by the modes of its two chains, of the eigenvalues 2 - 2 cos(pi j/m) (Wu,
 *  "Theory of resistor networks: the two-point resistance", 2004). */
static double across_the_grid(int rows, int columns) {
  const int m[2] = {rows, columns};
  double sum = 0;
  for (int j = 0; j < rows; j++) {
    for (int k = 0; k < columns; k++) {
      const int mode[2] = {j, k};
      double first = 1, last = 1, eigenvalue = 0;
      for (int way = 0; way < 2; way++) {
        const double turn = acos(-1) * mode[way] / m[way];
        const double size = sqrt((mode[way] == 0 ? 1.0 : 2.0) / m[way]);
        first *= size * cos(turn / 2);
        last *= size * cos(turn * (m[way] - 0.5));
        eigenvalue += 2 - 2 * cos(turn);
      }
      sum += j + k > 0 ? (first - last) * (first - last) / eigenvalue : 0;
    }
  }
  return sum;
}

/** The same of any values, by taking out the nodes between one by one: its neighbours i and j are then joined by g_i g_j/sum g (Rosen's star-
 *  mesh transformation, 1924). Nothing is subtracted, so that all digits are kept. */
static double across_any_grid(int rows, int columns, const double values[]) {
  const int n = rows * columns;
  double *g = calloc((size_t)(n * n), sizeof *g);
  assert_non_null(g);
  for (int k = 0; k < n; k++) {
    for (int way = 0; way < 2; way++) {
      const int other = way == 0 ? k + columns : k + 1;
      if (way == 0 ? other < n : other % columns != 0) {
        g[k * n + other] = g[other * n + k] = 1 / values[2 * k + way];
      }
    }
  }
  for (int k = 1; k < n - 1; k++) {
    double sum = 0;
    g[k * n + k] = 0;
    for (int j = 0; j < n; j++) {
      sum += g[k * n + j];
    }
    for (int i = 0; i < n; i++) {
      const double part = g[i * n + k] / sum;
      for (int j = 0; part > 0 && j < n; j++) {
        g[i * n + j] += part * g[k * n + j];
      }
      g[i * n + k] = 0;
    }
  }
  const double resistance = 1 / g[n - 1];
  free(g);
  return resistance;
}

/** A capacitor of 1 F behind the resistance Z of a grid has u = 1 - exp(-t/Z), and the current (1 - u)/Z, which is the source's. None of its
 *  resistors has lost its digits: solved from node to node, along the grid, each would be a difference of what grows by 2.6 per node. */
static void assert_grid(int rows, int columns, const double values[], double resistance,
                        double rtol) {
  run r = grid_of(rows, columns, values);
  advance(&r, 0.7 * resistance);
  const double u = value(&r, "C.e"), i = value(&r, "C.f");
  assert_near_relative(u, 1 - exp(-0.7), 1e-6);
  assert_near_relative(i * resistance, 1 - u, rtol);
  assert_near_relative(fabs(value(&r, "S.f")), i, rtol);
  assert_balanced(&r);
  for (int k = 0; k < ledger_of(&r)->part_count; k++) {
    assert_null(ledger_of(&r)->parts[k].blurring_element);
  }
  stop(&r);
}

static void grids_keep_their_digits(void **state) {
  (void)state;
  static const int sizes[][2] = {{4, 5}, {11, 11}, {16, 20}, {20, 20}, {2, 200}, {3, 100}};
  static double values[2 * 400];
  assert_near_relative(across_the_grid(2, 2), 1.0, 1e-14);
  assert_near_relative(across_the_grid(3, 3), 1.5, 1e-14);
  for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s += THOROUGH ? 1 : 2) {
    const int rows = sizes[s][0], columns = sizes[s][1];
    for (int k = 0; k < 2 * rows * columns; k++) {
      values[k] = 1;
    }
    assert_grid(rows, columns, values, across_the_grid(rows, columns), 1e-11);
    uint32_t seed = 2385;
    for (int k = 0; k < 2 * rows * columns; k++) {
      seed = 1664525 * seed + 1013904223;
      values[k] = pow(10, 6.0 * (seed >> 8) / (1 << 24) - 3);
    }
    assert_grid(rows, columns, values, across_any_grid(rows, columns, values), 2e-10);
  }
}

/** A capacitor of 1 F and 1 V among resistors: a and beside it b + c || (d + e) take 1 V e^(-t G), G their conductance. It never depends on
 *  them, however different they are. */
static void capacitor_among_resistors(void **state) {
  (void)state;
  static const double values[][5] = {{1e-3, 4700, 1e-2, 4.7e6, 1},
                                     {1, 1e6, 1, 1e12, 1e3},
                                     {1e6, 1e-6, 1e6, 1e-6, 1e6},
                                     {1e9, 1e-9, 1e-9, 1e9, 1e9}};
  for (int k = 0; k < (int)(sizeof values / sizeof *values); k++) {
    const double *v = values[k], de = v[3] + v[4], beside = v[1] + v[2] * de / (v[2] + de);
    const double G = 1 / v[0] + 1 / beside;
    char text[1500];
    (void)snprintf(
        text, sizeof text,
        "<network domain='electric'><J0 id='n1'/><J0 id='n2'/><J0 id='n3'/><J1 id='ja'/>"
        "<J1 id='jb'/><J1 id='jc'/><J1 id='jC'/><R id='a' r='%.17g'/><R id='b' r='%.17g'/>"
        "<R id='c' r='%.17g'/><R id='d' r='%.17g'/><R id='e' r='%.17g'/><C id='C' c='1' q0='1'/>"
        "<bond from='ja' to='a'/><bond from='n2' to='ja'/><bond from='ja' to='n1'/>"
        "<bond from='jb' to='b'/><bond from='n3' to='jb'/><bond from='jb' to='n2'/>"
        "<bond from='jc' to='c'/><bond from='n3' to='jc'/><bond from='jc' to='n1'/>"
        "<bond from='n1' to='d'/><bond from='n3' to='e'/>"
        "<bond from='jC' to='C'/><bond from='n2' to='jC'/><bond from='jC' to='n1'/></network>",
        v[0], v[1], v[2], v[3], v[4]);
    run r = go(text, 0.7 / G);
    assert_near_relative(value(&r, "C.e"), exp(-0.7), 1e-6);
    assert_near_relative(value(&r, "a.f") * v[0], value(&r, "C.e"), 1e-12);
    assert_near_relative(fabs(value(&r, "b.f")) * beside, value(&r, "C.e"), 1e-12);
    assert_balanced(&r);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(couplings_behind_a_ratio),
      cmocka_unit_test(field_behind_a_transformer),
      cmocka_unit_test(implied_constraints_are_no_rounding),
      cmocka_unit_test(constraints_keep_their_digits),
      cmocka_unit_test(both_states_of_a_field_depend),
      cmocka_unit_test(loops_wait_for_constraints),
      cmocka_unit_test(rows_hold_where_voltages_cancel),
      cmocka_unit_test(ladders_keep_what_is_small),
      cmocka_unit_test(ladders_tell_wrong_laws),
      cmocka_unit_test(grids_keep_their_digits),
      cmocka_unit_test(capacitor_among_resistors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
