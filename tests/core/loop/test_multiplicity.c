// SPDX-License-Identifier: GPL-3.0-or-later
// How many solutions algebraic loops through signals have, against closed forms.
#include "tests/fixture.h"

/** Runs what stands in a network until t_end.
 *  @param err  out: if it does not come to that
 *  @return where it ended; -1: it did not start */
static double attempt(const char *inside, const char *method, double t_end, sb_error *err) {
  char text[4000];
  double t;
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='m'><network domain='electric'>%s</network>"
                 "<run t-end='9 s' step='1 ms' method='%s'/></screwbond>",
                 inside, method);
  (void)try_run(text, t_end, &t, err);
  return t;
}

/** The solutions in an error, "... of 'x': 'v' = 1, 2 or 3"; returns how many there are. */
static int solutions(const sb_error *err, double at[3]) {
  const char *from = strstr(err->text, " s: "), *list = from != NULL ? strstr(from, " = ") : NULL;
  if (err->status != SB_ERR_UNSOLVED || strstr(err->text, "has several solutions") == NULL) {
    return 0;
  }
  assert_non_null(list);
  int two = sscanf(list, " = %lf or %lf", &at[0], &at[1]);
  return two == 2 ? 2 : sscanf(list, " = %lf, %lf or %lf", &at[0], &at[1], &at[2]);
}

/** A source that gives a function of its own voltage v, beside a resistor. */
static void write_source(char text[], size_t size, const char *function) {
  (void)snprintf(text, size,
                 "<signal id='v' of='r.e'/><Se id='s' effort='%s'/><R id='r' r='3 ohm'/>"
                 "<bond from='s' to='r'/>",
                 function);
}

/** v = tanh(k (u + v)): with w = k (u + v), u = w/k - tanh w falls where 1/k < 1/cosh^2 w. Three
 *  solutions for k > 1 and |u| < a - artanh(a)/k, a = sqrt(1 - 1/k); else one. */
static double threshold(double k) {
  double a = sqrt(1 - 1 / k);
  return k > 1 ? a - atanh(a) / k : 0;
}

static void comparator(void **state) {
  (void)state;
  static const double gains[] = {0.3, 0.97, 1.03, 1.4, 3, 10, 230, 1e4};
  for (size_t i = 0; i < sizeof gains / sizeof *gains; i++) {
    double k = gains[i], most = threshold(k), offset = fmax(most, 1e-3);
    for (double fraction = -1.9; fraction < 2; fraction += 0.2) {
      char text[1000], function[200];
      double u = fraction * offset, at[3] = {0};
      sb_error err;
      (void)snprintf(function, sizeof function, "1[V]*tanh(%.17g*(%.17g + v/1[V]))", k, u);
      write_source(text, sizeof text, function);
      (void)attempt(text, "dormand-prince-5", 0.01, &err);
      bool several = fabs(u) < most;
      assert_int_equal(solutions(&err, at), several ? 3 : 0);
      assert_int_equal(err.status, several ? SB_ERR_UNSOLVED : SB_OK);
      if (several) { // on the three branches, the middle one falling
        assert_true(at[0] < at[1] - 1e-3 && at[1] < at[2] - 1e-3);
        assert_near(atanh(at[1]) / k - at[1], u, 1e-7);
        assert_true(1 - at[1] * at[1] > 1 / k);
      }
    }
  }
}

/** v = U tanh(k v/U) at rest, where nothing tells U: all three solutions, of any size. */
static void latch_at_rest(void **state) {
  (void)state;
  for (int power = -12; power <= 18; power += 6) {
    char text[1000], function[200];
    double U = pow(10, power), at[3] = {0};
    sb_error err;
    (void)snprintf(function, sizeof function, "%.17g[V]*tanh(2*v/%.17g[V])", U, U);
    write_source(text, sizeof text, function);
    (void)attempt(text, "dormand-prince-5", 0.01, &err);
    assert_int_equal(err.status, SB_ERR_UNSOLVED);
    assert_non_null(strstr(err.text, "several solutions"));
    assert_true(solutions(&err, at) >= 2);
    assert_near_relative(fabs(at[0]), 0.95750402407727 * U, 1e-6);
  }
}

/** What the error says. */
static void comparator_in_words(void **state) {
  (void)state;
  sb_error err;
  (void)attempt("<signal id='v' of='r.e'/><signal id='out' value='tanh(v/0.1[V])'/>"
                "<Se id='s' effort='out*1[V]'/><R id='r' r='3 ohm'/><bond from='s' to='r'/>",
                "dormand-prince-5", 0.1, &err);
  assert_string_equal(err.text, "the algebraic loop of 'v', 's', 'out' has several solutions at t "
                                "= 0 s: 'v' = -0.999999996, 0 or 0.999999996 V");
  assert_string_equal(err.hint, "which of them holds depends on what is not in the model: a small "
                                "lag decides it, as a signal 'lag' of rate=\"(v - lag)/1[ms]\" to "
                                "read in place of 'v'");
}

/** v = u - v^2: two solutions above u = -1/4, none below. */
static void quadratic(void **state) {
  (void)state;
  for (double u = -0.62; u < 5; u = u < 0 ? u + 0.1 : 2.3 * u) {
    char text[1000], function[200];
    double at[3];
    sb_error err;
    (void)snprintf(function, sizeof function, "%.17g[V] - v*v/1[V]", u);
    write_source(text, sizeof text, function);
    (void)attempt(text, "dormand-prince-5", 0.01, &err);
    int count = solutions(&err, at);
    assert_int_equal(err.status, SB_ERR_UNSOLVED);
    assert_int_equal(count, u > -0.25 ? 2 : 0);
    if (count == 0) {
      assert_contains(err.text, "has no solution at t = 0 s");
    } else {
      assert_near(at[0], -0.5 - sqrt(0.25 + u), 1e-8);
      assert_near(at[1], -0.5 + sqrt(0.25 + u), 1e-8);
    }
  }
}

/** v = 2 sin(3 v): the peaks of the sine at v = pi/6 + 2 pi j/3 are above the line up to v = 2, the
 *  first alone: three solutions. v = 2 sin(9 v) has three peaks above, and 11. */
static void sines(void **state) {
  (void)state;
  char text[1000];
  double at[3] = {0};
  sb_error err;
  write_source(text, sizeof text, "2[V]*sin(3*v/1[V])");
  (void)attempt(text, "dormand-prince-5", 0.01, &err);
  assert_int_equal(solutions(&err, at), 3);
  assert_near(at[2], 2 * sin(3 * at[2]), 1e-8);
  assert_near(at[0], -at[2], 1e-8);
  assert_near(at[1], 0, 1e-8);
  assert_true(at[2] > 0.5);
  write_source(text, sizeof text, "2[V]*sin(9*v/1[V])");
  (void)attempt(text, "dormand-prince-5", 0.01, &err);
  assert_contains(err.text, "has several solutions");
  assert_contains(err.text, " or other ");
}

/** A source that gives 4 ohm times its own current into e = 1 ohm f + 1 f^3: f = 0 and +-sqrt 3. */
static void source_of_its_own_flow(void **state) {
  (void)state;
  double at[3] = {0};
  sb_error err;
  (void)attempt("<signal id='i' of='r.f'/><Se id='s' effort='i*4[ohm]'/>"
                "<R id='r' law='f*1[ohm] + f^3*1[V/A^3]'/><bond from='s' to='r'/>",
                "dormand-prince-5", 0.1, &err);
  assert_int_equal(solutions(&err, at), 3);
  assert_near(at[0], -sqrt(3), 1e-8);
  assert_near(at[1], 0, 1e-8);
  assert_near(at[2], sqrt(3), 1e-8);
}

/** A resistor r = 0.065 + v^2 of its own voltage v behind 0.945 ohm and U: v^3 - U v^2 + 1.01 v -
 *  0.065 U = (v - 0.2)(v - 0.5)(v - 1.3) for U = 2; one solution for U = 5. */
static void resistor_of_its_own_effort(void **state) {
  (void)state;
  static const char circuit[] =
      "<Se id='s' effort='%s'/><J1 id='j'/><R id='a' r='0.945'/><signal id='v' of='b.e'/>"
      "<R id='b' law='f*(0.065[ohm] + v*v*1[ohm/V^2])'/><bond from='s' to='j'/>"
      "<bond from='j' to='a'/><bond from='j' to='b'/>";
  char text[1000];
  double at[3] = {0};
  sb_error err;
  (void)snprintf(text, sizeof text, circuit, "2 V");
  (void)attempt(text, "dormand-prince-5", 0.1, &err);
  assert_int_equal(solutions(&err, at), 3);
  assert_near(at[0], 0.2, 1e-8);
  assert_near(at[1], 0.5, 1e-8);
  assert_near(at[2], 1.3, 1e-8);
  (void)snprintf(text, sizeof text, circuit, "5 V");
  assert_near(attempt(text, "dormand-prince-5", 0.1, &err), 0.1, 0);
}

/** e = g (f^3 - 3 f^2 + 2.5 f), g from a signal, beside a resistor with 3 A through both: e = r (3 A - f)
 *  holds for f = 0.5, 1 and 1.5 at r = 1/4, and once at r = 0.7, above the steepest fall of 1/2. */
static void law_with_a_signal(void **state) {
  (void)state;
  static const char *const loads[] = {"0.25", "0.7"};
  for (int k = 0; k < 2; k++) {
    char text[1000];
    double at[3] = {0};
    sb_error err;
    (void)snprintf(text, sizeof text,
                   "<Sf id='s' flow='3'/><J0 id='j'/><R id='r' r='%s'/>"
                   "<signal id='g' value='1 + 0*t/1[s]'/>"
                   "<R id='td' law='g*(f^3*1[V/A^3] - f^2*3[V/A^2] + f*2.5[V/A])'/>"
                   "<bond from='s' to='j'/><bond from='j' to='r'/><bond from='j' to='td'/>",
                   loads[k]);
    (void)attempt(text, "dormand-prince-5", 0.1, &err);
    assert_int_equal(err.status, k == 0 ? SB_ERR_UNSOLVED : SB_OK);
    assert_int_equal(solutions(&err, at), k == 0 ? 3 : 0);
    for (int j = 0; k == 0 && j < 3; j++) {
      assert_near(at[j], 0.5 * (j + 1), 1e-8);
    }
  }
}

/** A transformer of ratio n = 1.5 - f between 0.18 ohm and 1 ohm: U = 0.18 f + n^2 f, and for U = 0.486
 *  (f - 0.3)(f - 0.9)(f - 1.8) = 0. With n = f the right-hand side rises: one. */
static void transformer_of_its_own_flow(void **state) {
  (void)state;
  static const char *const ratios[] = {"1.5 - i*1[1/A]", "i*1[1/A]"};
  for (int k = 0; k < 2; k++) {
    char text[1000];
    double at[3] = {0};
    sb_error err;
    (void)snprintf(text, sizeof text,
                   "<Se id='s' effort='0.486 V'/><J1 id='j'/><R id='a' r='0.18'/>"
                   "<signal id='i' of='a.f'/><MTF id='T' ratio='%s'/><R id='b' r='1'/>"
                   "<bond from='s' to='j'/><bond from='j' to='a'/><bond from='j' to='T'/>"
                   "<bond from='T' to='b'/>",
                   ratios[k]);
    (void)attempt(text, "dormand-prince-5", 0.1, &err);
    assert_int_equal(err.status, k == 0 ? SB_ERR_UNSOLVED : SB_OK);
    if (k == 0) {
      assert_int_equal(solutions(&err, at), 3);
      assert_near(at[0], 0.3, 1e-8);
      assert_near(at[1], 0.9, 1e-8);
      assert_near(at[2], 1.8, 1e-8);
    }
  }
}

/** Sources k = 1 ... count of tanh(own v_k + across (sum of all others)), each beside a resistor. */
static void write_sources(char text[], size_t size, int count, double own, double across) {
  size_t used = 0;
  for (int k = 0; k < count; k++) {
    used += (size_t)snprintf(text + used, size - used,
                             "<signal id='v%d' of='r%d.e'/><R id='r%d' r='3'/>"
                             "<Se id='s%d' effort='1[V]*tanh((%.17g*v%d",
                             k, k, k, k, own, k);
    for (int j = 0; j < count; j++) {
      used += j == k ? 0 : (size_t)snprintf(text + used, size - used, " + %.17g*v%d", across, j);
    }
    used += (size_t)snprintf(text + used, size - used,
                             ")/1[V] + 0.1)'/><bond from='s%d' to='r%d'/>", k, k);
  }
}

/** Two and three of them. One solution where the greatest slope 1 of tanh makes a contraction, |own| +
 *  (count - 1)|across| < 1, or where own < 0 dominates; several where each could be at either end. */
static void sources_of_each_other(void **state) {
  (void)state;
  static const struct {
    double own, across;
    bool several;
  } cases[] = {{0.5, 0.2, false}, {-7, 0.9, false}, {4, 0.1, true}, {0, 0.4, false}, {0, -3, true}};
  for (int count = 2; count <= 3; count++) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      char text[2000];
      sb_error err;
      write_sources(text, sizeof text, count, cases[i].own, cases[i].across);
      (void)attempt(text, "dormand-prince-5", 0.1, &err);
      assert_int_equal(strstr(err.text, "has several solutions") != NULL, cases[i].several);
      assert_int_equal(err.status, cases[i].several ? SB_ERR_UNSOLVED : SB_OK);
    }
  }
}

/** What falls everywhere meets v once: saturations of negative feedback, the cosine below the line. */
static void one_solution(void **state) {
  (void)state;
  static const char *const functions[] = {"1[V]*tanh(1e4*(0.3 + sin(9*t/1[s]) - v/1[V]))",
                                          "max(-2[V], min(2[V], 1e3*(5[V]*sin(3*t/1[s]) - v)))",
                                          "1[V]*cos(v/1[V] + 0.4*t/1[s])",
                                          "1[V]*exp(-v/1[V])",
                                          "12[V] - v^3*1e5[1/V^2]",
                                          "if(t &lt; 0.5[s], 7[V] - 3*v, 1[V] - 2*v)",
                                          "1e7[V] + 0.4*v*sin(5*t/1[s])",
                                          "1e-9[V]*tanh(3 - v/1e-11[V])",
                                          "300[V] + 1[V]*tanh(3*t/1[s] - (v - 300[V])/0.01[V])"};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    char text[1000];
    sb_error err;
    write_source(text, sizeof text, functions[i]);
    assert_near(attempt(text, "dormand-prince-5", 1, &err), 1, 0);
    assert_string_equal(err.text, "");
  }
}

/** Around an operating point far from zero: v = 300 + tanh(3 (v - 300)). */
static void far_from_zero(void **state) {
  (void)state;
  char text[1000];
  double at[3] = {0};
  sb_error err;
  write_source(text, sizeof text, "300[V] + 1[V]*tanh((v - 300[V])/0.1[V])");
  (void)attempt(text, "dormand-prince-5", 0.01, &err);
  assert_int_equal(solutions(&err, at), 3);
  assert_near(at[0], 299, 1e-6);
  assert_near(at[2], 301, 1e-6);
}

/** A ramp u = t - 1 of v = tanh(3 (u + v)): the solution ends in the fold at u = threshold. */
static void fold_is_met(void **state) {
  (void)state;
  static const char *const methods[] = {"dormand-prince-5", "kvaerno-5", "discrete-gradient"};
  for (int i = PLAIN ? 0 : 1; i < 3; i += PLAIN ? 1 : 2) {
    char text[1000];
    sb_error err;
    write_source(text, sizeof text, "1[V]*tanh(3*(t/1[s] - 1 + v/1[V]))");
    strcat(text, "<Se id='s2' effort='v'/><J1 id='j'/><R id='a' r='1'/><C id='c' c='0.2'/>"
                 "<bond from='s2' to='j'/><bond from='j' to='a'/><bond from='j' to='c'/>");
    double t = attempt(text, methods[i], 2, &err);
    assert_int_equal(err.status, SB_ERR_UNSOLVED);
    assert_non_null(strstr(err.text, "has no solution that continues the present one at t = 1.43"));
    assert_near(t, 1 + threshold(3), 1e-3);
  }
}

/** v = tanh(g v), g = 0.5 + t/s: v = 0 stays a solution, and is followed. From g = 1 on it is not the only
 *  one, which a run that starts there sees. */
static void nothing_moves(void **state) {
  (void)state;
  char text[1000];
  sb_error err;
  write_source(text, sizeof text, "1[V]*tanh((0.5 + t/1[s])*v/1[V])");
  assert_near(attempt(text, "discrete-gradient", 2, &err), 2, 0);
  assert_string_equal(err.text, "");
  write_source(text, sizeof text, "1[V]*tanh((1.5 + t/1[s])*v/1[V])");
  assert_near(attempt(text, "discrete-gradient", 2, &err), -1, 0);
  assert_non_null(strstr(err.text, "has several solutions at t = 0 s"));
}

/** v = sqrt(1 - t - v/10), v^2 + v/10 = 1 - t, has no root above zero from t = 1 on. */
static void solution_leaves(void **state) {
  (void)state;
  char text[1000];
  sb_error err;
  write_source(text, sizeof text, "1[V]*sqrt(1 - t/1[s] - 0.1*v/1[V])");
  double t = attempt(text, "discrete-gradient", 2, &err);
  assert_contains(err.text, "the algebraic loop of 'v', 's' has no solution at t = 1");
  assert_near(t, 1, 2e-3);
}

static int keep_going(void *context, const sb_simulation *sim, double t) {
  (void)context, (void)sim, (void)t;
  return 0;
}

/** An evaluation is a function of the state, whatever came before, and so a run does not depend on how many
 *  samples are taken: bitwise. Two diodes in a bridge with a law of their own and a capacitor. */
static void function_of_the_state(void **state) {
  (void)state;
  static const char text[] =
      "<network domain='electric'><C id='c' c='0.3 F' q0='0.7 C'/><J1 id='j'/>"
      "<R id='a' law='1e-3[A]*(exp(e/0.1[V]) - 1)'/><R id='b' r='0.6' exponent='2'/>"
      "<bond from='c' to='j'/><bond from='j' to='a'/><bond from='j' to='b'/>"
      "</network>";
  run r = start(text, 1e-8, 1e-10);
  int n = sb_model_vector_count(r.model);
  double x[2][16] = {{0}}, first[16], last[16];
  assert_true(n <= 16);
  sb_workspace *work;
  assert_int_equal(sb_workspace_create(r.model, &work, NULL), SB_OK);
  sb_model_start(r.model, work, x[0]);
  memcpy(x[1], x[0], sizeof x[0]);
  x[1][0] = -0.11;
  for (int k = 0; k < 2; k++) {
    assert_int_equal(sb_model_rhs(r.model, work, 0, x[k], first), 0);
    assert_int_equal(sb_model_rhs(r.model, work, 0, x[1 - k], last), 0);
    assert_int_equal(sb_model_rhs(r.model, work, 0, x[k], last), 0);
    assert_memory_equal(first, last, (size_t)n * sizeof *first);
  }
  sb_workspace_destroy(work);
  assert_int_equal(sb_simulation_run(r.sim, 1.5, 0, NULL, NULL, NULL), SB_OK);
  memcpy(first, sb_simulation_state(r.sim), (size_t)n * sizeof *first);
  stop(&r);
  r = start(text, 1e-8, 1e-10);
  assert_int_equal(sb_simulation_run(r.sim, 1.5, 1.3e-4, keep_going, NULL, NULL), SB_OK);
  assert_memory_equal(first, sb_simulation_state(r.sim), (size_t)n * sizeof *first);
  stop(&r);
}

/** A ring of as many values as a loop may have: u_k = 0.3 sin(u_(k+1)) + 0.02, all the same by symmetry. */
static void largest_loop(void **state) {
  (void)state;
  static char text[60000] = "<screwbond version='1' id='m'><network domain='electric'>";
  enum { COUNT = 80 }; // each a signal and a source
  for (int k = 0; k < COUNT; k++) {
    size_t used = strlen(text);
    (void)snprintf(text + used, sizeof text - used,
                   "<signal id='u%d' of='R%d.e'/><Sf id='S%d' flow='1[A]*(0.3*sin(u%d/1[V]) + "
                   "0.02)'/><R id='R%d' r='1'/><bond from='S%d' to='R%d'/>",
                   k, (k + 1) % COUNT, k, k, k, k, k);
  }
  strcat(text, "</network><run t-end='1 s'/></screwbond>");
  run r = prepare(text);
  assert_int_equal(sb_simulation_create(r.model, &r.netlist->options, &r.sim, NULL), SB_OK);
  double u = 0;
  for (int i = 0; i < 100; i++) {
    u = 0.3 * sin(u) + 0.02;
  }
  assert_near(value(&r, "R0.e"), u, 1e-14);
  assert_near(value(&r, "R79.e"), u, 1e-14);
  stop(&r);
}

/** Increasing laws have one solution. The side of a kink that is held does not go on beyond it: 1e12 f |f| + 1e9 f = 1e6, of a pump on an orifice
 *  and a pipe, has no root -1.6e-3. And in a bridge of orifices, which has one by its balances of flows and pressures, what is left of a
 *  row at 1e173 m^3/s is no root. */
static void orifices(void **state) {
  (void)state;
  run r = go("<network domain='hydraulic'><Se id='p' effort='10 bar'/><J1 id='a'/><R id='o' "
             "law='1e12[Pa.s^2/m^6]*f*abs(f)'/><R id='pipe' r='1e9 Pa.s/m^3'/><bond from='p' "
             "to='a'/><bond from='a' to='o'/><bond from='a' to='pipe'/></network>",
             1);
  assert_near_relative(value(&r, "o.f"), (sqrt(5) - 1) / 2 * 1e-3, 1e-12);
  stop(&r);
  static const double k[] = {1.63552e11, 2.54197e12, 2.01411e12, 7.5981e12, 3.48522e11};
  r = go("<network domain='hydraulic'><Se id='p' effort='1e6 Pa'/><J0 id='nP'/><J0 id='nA'/><J0 "
         "id='nB'/><J1 id='j0'/><J1 id='j1'/><J1 id='j2'/><R id='o1' r='1.63552e11' exponent='2'/>"
         "<R id='o2' r='2.54197e12' exponent='2'/><R id='o3' r='2.01411e12' exponent='2'/><R "
         "id='o4' r='7.5981e12' exponent='2'/><R id='o5' r='3.48522e11' exponent='2'/><J1 id='s'/>"
         "<R id='rs' r='5.852e7'/><bond from='p' to='s'/><bond from='s' to='rs'/><bond from='s' "
         "to='nP'/><bond from='nP' to='j0'/><bond from='j0' to='o1'/><bond from='j0' to='nA'/>"
         "<bond from='nP' to='j1'/><bond from='j1' to='o2'/><bond from='j1' to='nB'/><bond "
         "from='nA' to='o3'/><bond from='nB' to='o4'/><bond from='nA' to='j2'/><bond from='j2' "
         "to='o5'/><bond from='j2' to='nB'/></network>",
         1);
  double f[5], e[5];
  for (int i = 0; i < 5; i++) {
    char name[8];
    (void)snprintf(name, sizeof name, "o%d.f", i + 1);
    f[i] = value(&r, name);
    e[i] = k[i] * f[i] * fabs(f[i]);
  }
  const double p = 1e6 - 5.852e7 * (f[0] + f[1]);
  assert_near_relative(e[0] + e[2], p, 1e-10);
  assert_near_relative(e[1] + e[3], p, 1e-10);
  assert_near_relative(e[0] + e[4], e[1], 1e-10);
  assert_near_relative(f[0], f[2] + f[4], 1e-10);
  assert_near_relative(f[1] + f[4], f[3], 1e-10);
  stop(&r);
}

/** A reference that jumps before a limit and a dead zone in one feedback: with the sides from before the jump held the loop has a solution that is none
 *  of the laws themselves, which have one other. */
static void jump_before_kinks(void **state) {
  (void)state;
  run r = go("<network domain='electric'><signal id='w' value='0.34[V]*floor(5*sin(2*pi*t/1[s]) + "
             "0.5)'/><signal id='v' of='RL.e'/><signal id='a' value='min(max(12.8*(w - v), "
             "-1.066[V]), 1.066[V])'/><signal id='b' value='a - v'/><signal id='u' "
             "value='3.79*(max(b - 0.047[V], 0[V]) + min(b + 0.047[V], 0[V]))'/><Se id='s' "
             "effort='u'/><J1 id='j'/><R id='Ro' r='1.25'/><R id='RL' r='0.163'/>"
             "<bond from='s' to='j'/><bond from='j' to='Ro'/><bond from='j' to='RL'/></network>",
             0.02);
  const double g = 3.79 * 0.163 / (1.25 + 0.163); // v = g (12.8 (0.34 - v) - v - 0.047)
  assert_near_relative(value(&r, "RL.e"), g * (12.8 * 0.34 - 0.047) / (1 + 13.8 * g), 1e-12);
  assert_closes(&r);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(orifices),
      repeating_test(jump_before_kinks),
      repeating_test(comparator),
      cmocka_unit_test(latch_at_rest),
      cmocka_unit_test(comparator_in_words),
      cmocka_unit_test(quadratic),
      cmocka_unit_test(sines),
      cmocka_unit_test(source_of_its_own_flow),
      cmocka_unit_test(resistor_of_its_own_effort),
      cmocka_unit_test(law_with_a_signal),
      cmocka_unit_test(transformer_of_its_own_flow),
      repeating_test(sources_of_each_other),
      repeating_test(one_solution),
      cmocka_unit_test(far_from_zero),
      repeating_test(fold_is_met),
      cmocka_unit_test(nothing_moves),
      cmocka_unit_test(solution_leaves),
      cmocka_unit_test(function_of_the_state),
      repeating_test(largest_loop),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
