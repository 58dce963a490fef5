// SPDX-License-Identifier: GPL-3.0-or-later
// Kinks and jumps of contact laws by expression as events: motions of piecewise forces against their closed forms, piece by
// piece, by every kind of method; and what is refused.
#include "tests/fixture.h"

static const char *const methods[] = {"dormand-prince-5", "kvaerno-5", "fehlberg-8"};
static const double mass = 2, speed = 1.5; // [kg], [m/s]
enum { SIZE = 3000 };

/** f = k z + F + b zd from the depth `from` on. */
typedef struct piece {
  double from, k, F, b;
} piece;

/** The depth and its rate a time t after (z, u) in one piece, by m z'' = -k z - F - b z'. */
static double follow(const piece *p, double z, double u, double t, double *rate) {
  const double l = p->b / (2 * mass), w = sqrt(p->k / mass - l * l), x = z + p->F / p->k;
  const double c = exp(-l * t) * cos(w * t), s = exp(-l * t) * sin(w * t);
  *rate = u * c - (l * u + (w * w + l * l) * x) / w * s;
  return x * c + (u + l * x) / w * s - p->F / p->k;
}

/** The time from (z, u) to the depth `to` inwards or outwards, or to where u is 0 if that is first; (z, u) goes there. */
static double pass(const piece *p, double *z, double *u, double to) {
  const double l = p->b / (2 * mass), w = sqrt(p->k / mass - l * l);
  const double away = *u > 0 ? 1 : -1, drives = l * *u + (w * w + l * l) * (*z + p->F / p->k);
  double turns = atan2(*u * w, drives) / w, low = 0, high = turns > 0 ? turns : turns + pi / w,
         rate;
  if (away * (follow(p, *z, *u, high, &rate) - to) > 0) {
    for (int i = 0; i < 200; i++) {
      const double middle = 0.5 * (low + high);
      *(away * (follow(p, *z, *u, middle, &rate) - to) > 0 ? &high : &low) = middle;
    }
  }
  *z = follow(p, *z, *u, high, u);
  return high;
}

/** A body that meets the pieces with `speed`: in to where it turns and out, freely once it would be pulled.
 *  @param lasts  out: the time in contact [s]  @return the speed it leaves with [m/s] */
static double thrown_back(const piece pieces[], int count, double *lasts) {
  double z = 0, u = speed, t = 0;
  int i = 0;
  for (; i < count; i++) {
    t += pass(&pieces[i], &z, &u, i + 1 < count ? pieces[i + 1].from : HUGE_VAL);
    if (i + 1 == count || z < pieces[i + 1].from * (1 - 1e-12)) {
      break;
    }
  }
  for (u = -1e-30; i >= 0; i--) {
    const piece *p = &pieces[i];
    if (p->k * z + p->F + p->b * u < 0) {
      t += z / -u;
      break;
    }
    t += pass(p, &z, &u, p->from);
  }
  *lasts = t;
  return -u;
}

static run meet(const char *law, const char *method, double rtol) {
  char text[SIZE];
  (void)snprintf(text, sizeof text,
                 "<laws><contact-law id='l' %s/></laws><mechanism gravity='0 0 0 m/s^2'>"
                 "<ground id='wall'><shape kind='plane' normal='0 0 1'/></ground>"
                 "<body id='ball' mass='2 kg' position='0 0 0.1 m' velocity='0 0 -1.5 m/s'>"
                 "<shape kind='sphere' radius='0.1 m'/></body>"
                 "<contact a='wall' b='ball' law='l'/></mechanism>",
                 law);
  run r = prepare_inside(text);
  sb_options options = sb_options_defaults();
  options.method = sb_method_find(method);
  options.rtol = rtol;
  start_by(&r, &options);
  return r;
}

static const struct {
  const char *law;
  int count, kinks, jumps; // of the motion
  piece pieces[3];
} bounces[] = {
    {"normal='expression' energy='400[N/m]*z^2 + 3[kN/m]*max(0[m], z - 3[cm])^2'",
     2,
     2,
     0,
     {{0, 800, 0, 0}, {0.03, 6800, -180, 0}}},
    {"normal='potential' energy='if(z &gt; 3[cm], 3.4[kN/m]*z^2 - 180[N]*z + 2.7[J], "
     "400[N/m]*z^2)'",
     2,
     2,
     0,
     {{0, 800, 0, 0}, {0.03, 6800, -180, 0}}},
    // a kink of the energy: the force jumps
    {"normal='expression' energy='400[N/m]*z^2 + 20[N]*max(0[m], z - 3[cm])'",
     2,
     2,
     2,
     {{0, 800, 0, 0}, {0.03, 800, 20, 0}}},
    {"normal='potential' energy='400[N/m]*z^2 + 10[N]*abs(z - 3[cm]) - 0.3[J] + 10[N]*z'",
     2,
     2,
     2,
     {{0, 800, 0, 0}, {0.03, 800, 20, 0}}},
    // of a damping that begins at a depth
    {"normal='expression' energy='400[N/m]*z^2' damping-force='10[N.s/m]*zd*(z &gt; 2[cm])'",
     2,
     2,
     2,
     {{0, 800, 0, 0}, {0.02, 800, 0, 10}}},
    // which would pull on the way out: from there on the body is free
    {"normal='expression' energy='400[N/m]*z^2 + 5[N]*max(0[m], z - 1[cm])' "
     "damping-force='50[N.s/m]*zd*(z &lt; 2[cm])'",
     3,
     2,
     4,
     {{0, 800, 0, 50}, {0.01, 800, 5, 50}, {0.02, 800, 5, 0}}},
};

/** Steps and repeated ones of the smooth laws of the first and the last piece together. */
static long smooth_steps(int i, const char *method, double rtol, double t) {
  long steps = 0;
  for (int k = 0; k < bounces[i].count; k += bounces[i].count - 1) {
    char law[200];
    const piece *p = &bounces[i].pieces[k];
    (void)snprintf(law, sizeof law,
                   "normal='expression' energy='%g[N/m]*z^2' damping-force='%g[N.s/m]*zd'",
                   p->k / 2, p->b);
    run r = meet(law, method, rtol);
    advance(&r, t);
    steps += ledger_of(&r)->work.steps + ledger_of(&r)->work.rejected;
    stop(&r);
  }
  return steps;
}

/** A ball that is thrown back: the error falls with the tolerance, jumps are listed, and a kink costs a few steps. */
static void pieces_by_depth(void **state) {
  (void)state;
  const double t = 0.4;
  for (int i = 0; i < (int)(sizeof bounces / sizeof *bounces); i++) {
    for (int m = THOROUGH ? 0 : i % 3; m < 3; m += THOROUGH ? 1 : 3) {
      double before = HUGE_VAL, lasts,
             leaves = thrown_back(bounces[i].pieces, bounces[i].count, &lasts);
      for (double rtol = 1e-6; rtol > 3e-13; rtol /= 100) {
        run r = meet(bounces[i].law, methods[m], rtol);
        advance(&r, t);
        const double error =
            fmax(fabs(component(&r, "ball.position", 2) - 0.1 - leaves * (t - lasts)),
                 fabs(component(&r, "ball.velocity", 2) - leaves));
        const long steps = ledger_of(&r)->work.steps + ledger_of(&r)->work.rejected;
        const int jumps = events_of(&r, "jump", "contact(wall,ball)/elastic") +
                          events_of(&r, "jump", "contact(wall,ball)/damper");
        if (!(error < 10 * rtol + 1e-13 && error < before / 15 + 1e-13) ||
            jumps != bounces[i].jumps ||
            steps >
                smooth_steps(i, methods[m], rtol, t) + 5 * (bounces[i].kinks + bounces[i].jumps)) {
          fail_msg("%d, %s, rtol %g: error %g after %g, %d jumps, %ld steps, smooth %ld", i,
                   methods[m], rtol, error, before, jumps, steps,
                   smooth_steps(i, methods[m], rtol, t));
        }
        assert_closes(&r);
        before = error;
        stop(&r);
      }
    }
  }
}

/** The integral of m u du/(1 + c u) from 0 to u, by which V' (1 + c u) brings u to rest. */
static double taken(double c, double u) {
  return mass * (u / c - log(1 + c * u) / (c * c));
}

/** f = V'(z) (1 + c(zd) zd): from m u du/dz = -f follow the energy where the body turns, whatever V is, and the speed it
 *  leaves with. c changes where it turns, and at a speed, where the force jumps. */
static void pieces_by_speed(void **state) {
  (void)state;
  static const struct {
    const char *law;
    double at, fast, slow, back; // [m/s, s/m]
    int jumps;
  } laws[] = {
      {"normal='expression' energy='400[N/m]*z^2' damping-force='800[N/m]*z*zd*if(zd &gt; 0[m/s], "
       "0.3[s/m], 0.1[s/m])'",
       0, 0.3, 0.3, 0.1, 0},
      {"normal='expression' energy='2e4[N/m^1.5]*z^2.5' "
       "damping-force='5e4[N/m^1.5]*z^1.5*(0.2[s/m]*"
       "zd + 0.1[s/m]*abs(zd))'",
       0, 0.3, 0.3, 0.1, 0},
      {"normal='expression' energy='400[N/m]*z^2' damping-force='800[N/m]*z*zd*(0.1[s/m] + "
       "0.2[s/m]*(zd &gt; 0.7[m/s]))'",
       0.7, 0.3, 0.1, 0.1, 1},
  };
  for (int i = 0; i < 3; i++) {
    const double V = taken(laws[i].fast, speed) - taken(laws[i].fast, laws[i].at) +
                     taken(laws[i].slow, laws[i].at);
    double low = 0, high = speed;
    for (int k = 0; k < 100; k++) {
      const double u = 0.5 * (low + high);
      *(taken(-laws[i].back, u) < V ? &low : &high) = u;
    }
    for (int m = 0; m < 3; m++) {
      for (double rtol = 1e-6; rtol > 3e-11; rtol /= 100) {
        run r = meet(laws[i].law, methods[m], rtol);
        advance(&r, 0.4);
        assert_near(component(&r, "ball.velocity", 2), low, 3 * rtol);
        assert_int_equal(events_of(&r, "jump", "contact(wall,ball)/damper"), laws[i].jumps);
        assert_closes(&r);
        stop(&r);
      }
    }
  }
}

/** A foot that stands and does not turn, pushed sideways in the middle of its play g = 3 cm: it moves on for g, is turned by half
 *  a swing of w^2 = k/m, and comes back. Along an axis of the plane, in any direction of it, and with an effort that jumps. */
static void play_sideways(void **state) {
  (void)state;
  static const char *const energies[] = {"400[N/m]*max(0[m], abs(x) - 3[cm])^2",
                                         "400[N/m]*max(0[m], r - 3[cm])^2",
                                         "5[N]*max(0[m], abs(x) - 3[cm])"};
  for (int i = 0; i < 3; i++) {
    const double u = i == 1 ? hypot(1, 0.3) : 1, flight = 0.03 / u,
                 half = i == 2 ? 2 * mass * u / 5 : pi / 20;
    for (int m = 0; m < 3; m++) {
      for (double rtol = 1e-6; rtol > 3e-9; rtol /= 100) {
        char text[SIZE];
        (void)snprintf(
            text, sizeof text,
            "<laws><contact-law id='l' normal='potential' axis='1 0 0' energy='1500[N/m]*z^2 + "
            "%s'/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
            "<ground id='floor'><shape kind='plane' normal='0 0 1'/></ground>"
            "<body id='foot' mass='2 kg' inertia='1e9 1e9 1e9' position='0 0 93.46 mm' "
            "velocity='1 %g 0 m/s'><shape kind='sphere' radius='0.1 m'/></body>"
            "<contact a='floor' b='foot' law='l'/></mechanism>",
            energies[i], i == 1 ? 0.3 : 0);
        run r = prepare_inside(text);
        sb_options options = sb_options_defaults();
        options.method = sb_method_find(methods[m]);
        options.rtol = rtol;
        start_by(&r, &options);
        const double t = 2.3 * flight + half;
        advance(&r, t);
        assert_near(component(&r, "foot.position", 0), -0.3 * 0.03 / u, 2 * rtol + 1e-10);
        assert_near(component(&r, "foot.velocity", 0), -1, 2 * rtol + 1e-10);
        assert_int_equal(events_of(&r, "jump", "contact(floor,foot)/elastic"), i == 2 ? 2 : 0);
        assert_true(ledger_of(&r)->work.steps + ledger_of(&r)->work.rejected < 80);
        assert_closes(&r);
        stop(&r);
      }
    }
  }
}

/** A ball that slides all the time without turning loses mu times what it gains along the normal, through the kinks of the
 *  normal force that limits its friction. */
static void friction_follows(void **state) {
  (void)state;
  static const char *const frictions[] = {
      "friction='stribeck' mu-kinetic='0.2' v-stribeck='1 mm/s'", "friction='coulomb' mu='0.2'"};
  for (int i = 0; i < 2; i++) {
    for (int m = 0; m < 3; m++) {
      char text[SIZE];
      (void)snprintf(
          text, sizeof text,
          "<materials><material id='s' stiffness='3e4 3e4 1 N/m' damping='300 300 0 "
          "N.s/m'/></materials>"
          "<laws><contact-law id='l' normal='expression' energy='400[N/m]*z^2 + 20[N]*max(0[m], z "
          "- 3[cm])' "
          "damping-force='8[N.s/m]*zd*(z &gt; 2[cm])*if(zd &gt; 0.7[m/s], 1, 2)' %s/></laws>"
          "<mechanism gravity='0 0 0 m/s^2'>"
          "<ground id='wall' material='s'><shape kind='plane' normal='0 0 1'/></ground>"
          "<body id='ball' mass='2 kg' inertia='1e9 1e9 1e9' material='s' position='0 0 0.1 m' "
          "velocity='4 0 -1.5 m/s'><shape kind='sphere' radius='0.1 m'/></body>"
          "<contact a='wall' b='ball' law='l'/></mechanism>",
          frictions[i]);
      run r = prepare_inside(text);
      sb_options options = sb_options_defaults();
      options.method = sb_method_find(methods[m]);
      options.rtol = 1e-8;
      start_by(&r, &options);
      advance(&r, 0.4);
      const double gained = component(&r, "ball.velocity", 2) + speed;
      assert_near(component(&r, "ball.velocity", 0), 4 - 0.2 * gained, m == 1 ? 3e-7 : 1e-13);
      // of kvaerno-5 they are 8 to 20 by rtol from 3e-9 to 5e-8
      assert_true(ledger_of(&r)->work.rejected < 30);
      assert_closes(&r);
      stop(&r);
    }
  }
}

/** A ball that hops along a floor: every touch begins with the branches of a touch, wherever the one before has ended, and
 *  nothing is lost. */
static void begins_anew(void **state) {
  (void)state;
  for (int m = 0; m < 3; m++) {
    run r = prepare_inside(
        "<laws><contact-law id='l' normal='potential' axis='1 0 0' energy='400[N/m]*z^2 + "
        "2e5[N/m^3]*z^2*max(0[m], abs(x) - 1[cm])^2'/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
        "<ground id='floor'><shape kind='plane' normal='0 0 1'/></ground>"
        "<body id='ball' mass='2 kg' inertia='1e9 1e9 1e9' position='0 0 0.2 m' velocity='0.5 0 0 "
        "m/s'>"
        "<shape kind='sphere' radius='0.1 m'/></body><contact a='floor' b='ball' "
        "law='l'/></mechanism>");
    sb_options options = sb_options_defaults();
    options.method = sb_method_find(methods[m]);
    options.rtol = 1e-9;
    start_by(&r, &options);
    advance(&r, 2.5);
    const int touches = events_of(&r, "touch", "contact(floor,ball)");
    assert_true(touches >= 3);
    assert_int_equal(ledger_of(&r)->event_count, 2 * touches);
    assert_near(ledger_of(&r)->total.event_loss, 0, 1e-9);
    assert_true(ledger_of(&r)->work.rejected < 3 * touches);
    assert_closes(&r);
    stop(&r);
  }
}

static void refuse(const char *law, sb_status status, const char *message, const char *hint) {
  char text[SIZE];
  sb_error err;
  double t;
  (void)snprintf(
      text, sizeof text,
      "<screwbond version='1' id='m'><laws><contact-law id='l' %s/></laws>"
      "<mechanism gravity='0 0 0 m/s^2'><ground id='wall'><shape kind='plane' normal='0 0 "
      "1'/></ground>"
      "<body id='ball' mass='2 kg' position='0 0 0.1 m' velocity='0.4 0 -1.5 m/s'>"
      "<shape kind='sphere' radius='0.1 m'/></body><contact a='wall' b='ball' law='l'/></mechanism>"
      "<run t-end='1 s' max-steps='5000'/></screwbond>",
      law);
  assert_int_equal(try_run(text, 1, &t, &err), status);
  assert_contains(err.text, message);
  assert_contains(err.hint, hint);
}

/** An energy that jumps would take an infinite force; a damping force that holds at rest is dry friction, which is another law. */
static void refused(void **state) {
  (void)state;
  refuse("normal='expression' energy='400[N/m]*z^2 + if(z &gt; 3[cm], 0.2[J], 0[J])'",
         SB_ERR_NOT_FINITE,
         "the energy of 'contact(wall,ball)/elastic' jumps by 0.2 J at t = 0.0205758423 s: its "
         "effort would be infinite",
         "pieces of an energy meet where they change");
  refuse("normal='expression' energy='400[N/m]*z^2*if(z &gt; 3[cm], 2, 1)'", SB_ERR_NOT_FINITE,
         "jumps by 0.36 J", "meet");
  refuse("normal='potential' energy='400[N/m]*z^2 + 0.1[J]*(z &gt; 1[mm])*floor(abs(x)/1[mm])'",
         SB_ERR_NOT_FINITE, "jumps by 0.1 J", "meet");
  refuse("normal='expression' clamp='no' energy='400[N/m]*z^2' damping-force='2[kN/m]*z*sign(zd)'",
         SB_ERR_CHATTER, "'contact(wall,ball)/damper' switches without end",
         "what its expression switches drives it back");
}

/** A ball that rolls touches where x = 0, the bottom of an energy z abs(x): it would stay there, but goes to and fro by rounding, ever
 *  faster as it sinks. The run ends by name within its first microseconds. */
static void trembling_is_refused(void **state) {
  (void)state;
  sb_error err = {0};
  double t;
  assert_int_equal(
      try_run("<screwbond version='1' id='m'><laws><contact-law id='l' normal='potential' "
              "energy='1e4[N/m]*z*abs(x)'/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
              "<ground id='floor'><shape kind='plane' normal='0 0 1'/></ground>"
              "<body id='b' mass='1 kg' inertia='4e-3 4e-3 4e-3 kg.m^2' position='0 0 0.101 m' "
              "velocity='0.05 0.02 -0.1 m/s' angular-velocity='0.3 0.5 1 rad/s'>"
              "<shape kind='sphere' radius='0.1 m'/></body><contact id='c' a='floor' b='b' "
              "law='l'/></mechanism><run t-end='0.5 s' max-steps='5000'/></screwbond>",
              0.5, &t, &err),
      SB_ERR_CHATTER);
  assert_true(t > 0.00735 && t < 0.01); // touch: 1 mm = 0.1 m/s t + g t^2/2
  assert_contains(err.text, "'c/elastic' switches without end at t = 0.0");
  assert_contains(err.text, "it goes to and fro with less energy than rtol resolves");
  assert_contains(err.hint, "round the kink");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(pieces_by_depth),
      repeating_test(pieces_by_speed),
      repeating_test(play_sideways),
      repeating_test(friction_follows),
      repeating_test(begins_anew),
      cmocka_unit_test(refused),
      cmocka_unit_test(trembling_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
