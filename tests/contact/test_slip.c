// SPDX-License-Identifier: GPL-3.0-or-later
// Slip of a contact: the law over random states against bisection, and bodies that slide, spin and roll
// against closed forms that include the springs and dampers of the skin.
#include "tests/contact/on_plane.h"

static double random_in(double low, double high) {
  return low + (high - low) * rand() / (double)RAND_MAX;
}

static double limited(const double tau[3], double lever) {
  return sqrt(tau[0] * tau[0] + tau[1] * tau[1] + pow(tau[2] / lever, 2));
}

/** tau(gam) = (1 + gam B G)^-1 trial on the surface of `limit`, gam by bisection. */
static void load_by_bisection(const double trial[3], const double B[3], double lever, double limit,
                              double tau[3]) {
  double low = 0, high = 1e30;
  for (int k = 0; k < 400; k++) {
    double gam = k < 200 ? sqrt(fmax(low, 1e-30) * high) : 0.5 * (low + high);
    for (int i = 0; i < 3; i++) {
      tau[i] = trial[i] / (1 + gam * B[i] * (i < 2 ? 1 : 1 / (lever * lever)));
    }
    *(limited(tau, lever) > limit ? &low : &high) = gam;
  }
}

/** Loads on their surface, slip normal to it, dissipation >= 0; power into the skin and the slip is all power. */
static void law_of_slip(void **state) {
  (void)state;
  srand(7);
  for (int trial_no = 0; trial_no < 20000; trial_no++) {
    double lever = pow(10, random_in(-4, 1)), limit = pow(10, random_in(-6, 3));
    double trial[3], B[3], w[3], tau[3], want[3], power = 0, size = 0;
    B[0] = B[1] = pow(10, random_in(-2, 3));
    B[2] = pow(10, random_in(-6, 3));
    for (int i = 0; i < 3; i++) {
      trial[i] = random_in(-1, 1) * (i < 2 ? 1 : lever);
    }
    double factor = limit * (1 + pow(10, random_in(-6, 6))) / limited(trial, lever);
    for (int i = 0; i < 3; i++) {
      trial[i] *= factor;
    }
    assert_near_relative(sb_slip_size(trial, lever), limited(trial, lever), 1e-14);
    sb_slip_flow(trial, B, lever, limit, w);
    load_by_bisection(trial, B, lever, limit, want);
    for (int i = 0; i < 3; i++) {
      double arm = i < 2 ? 1 : lever;
      tau[i] = trial[i] - B[i] * w[i];
      assert_near(tau[i] / arm, want[i] / arm, 1e-9 * limit + 1e-14 * factor);
      power += tau[i] * w[i];
      size += fabs(trial[i] * w[i]);
      assert_true(want[i] * w[i] >= 0);
    }
    assert_near(limited(tau, lever), limit, 1e-10 * limit + 1e-14 * factor);
    assert_true(power >= -1e-14 * size);
  }
}

/** Without a limit the spring relaxes alone: tau = 0. Within the limit w turns round smoothly. */
static void limits_of_the_law(void **state) {
  (void)state;
  const double trial[] = {1.2, -0.7, 0.02}, B[] = {31, 31, 0.017}, lever = 0.013;
  double w[3], size = limited(trial, lever), out[3], in[3];
  sb_slip_flow(trial, B, lever, 0, w);
  for (int i = 0; i < 3; i++) {
    assert_near_relative(w[i], trial[i] / B[i], 1e-13);
  }
  sb_slip_flow(trial, B, lever, size, w);
  sb_slip_flow(trial, B, lever, size * (1 - 1e-5), out);
  sb_slip_flow(trial, B, lever, size * (1 + 1e-5), in);
  for (int i = 0; i < 3; i++) {
    assert_near(w[i], 0, 1e-15);
    assert_near_relative(in[i], -out[i], 1e-3);
  }
  const double free_spin[] = {31, 31, 0}, none[3] = {0, 0, 0};
  sb_slip_flow(trial, free_spin, 0, 0.3, w);
  assert_near(hypot(trial[0] - 31 * w[0], trial[1] - 31 * w[1]), 0.3, 1e-14);
  assert_near(w[2], 0, 0);
  sb_slip_flow(none, B, lever, 0, w);
  assert_near(w[0] + w[1] + w[2], 0, 0);
}

/** Sliding with v' = -a, K s = lim (1 - exp(-t/beta)), until the damper carries no more than the spring
 *  leaves, B v = lim exp(-t/beta): there it sticks.  @return that time [s] */
static double sticking_time(double v0, double a, double lim, double beta) {
  double low = 0, high = v0 / a;
  for (int k = 0; k < 200; k++) {
    double t = 0.5 * (low + high);
    *(beta * k_t * (v0 - a * t) > lim * exp(-t / beta) ? &low : &high) = t;
  }
  return low;
}

/** A block stops, with its skin relaxed, s* short of where it began to stick. The limit of a stiff skin is
 *  v^2/(2 mu g). A disc that only spins does so by its angle times the radius of friction r, J = m r^2. */
static void block_and_disc_stop(void **state) {
  (void)state;
  const double mu = 0.31, beta = 0.004, patch = 0.017, v0 = 0.7;
  for (int i = 0; i < 6; i += THOROUGH ? 1 : 5) {
    bool spins = i >= 3;
    setting s = {.mu = mu,
                 .patch = patch,
                 .damping = beta,
                 .inertia = {1e15, 1e15, mass * patch * patch},
                 .velocity = {spins ? 0 : 0.6 * v0, spins ? 0 : -0.8 * v0, 0},
                 .spin = {0, 0, spins ? v0 / patch : 0}};
    double lim = mu * mass * g, t = sticking_time(v0, mu * g, lim, beta);
    double way = v0 * t - mu * g * t * t / 2 - lim / k_t * (1 - exp(-t / beta));
    run r = on_plane(&s, methods[i % 3], 1e-10);
    advance(&r, t + 5);
    const sb_event *stick = find_event(&r, "stick");
    assert_string_equal(stick->element, "contact(f,b)");
    assert_near(stick->t, t, 1e-8);
    assert_near(component(&r, "b.position", 0), spins ? 0 : 0.6 * way, 1e-8);
    assert_near(component(&r, "b.position", 1), spins ? 0 : -0.8 * way, 1e-8);
    assert_near(way, v0 * v0 / (2 * mu * g), 3 * v0 * beta + lim / k_t);
    assert_near(component(&r, "b.velocity", 0), 0, 1e-8);
    assert_near(component(&r, "b.angular-velocity", 2), 0, 1e-7);
    // the energy of the motion is lost, that of the weight on its spring is held
    assert_near(value(&r, "contact(f,b).slip-distance"), spins ? 0 : way, 1e-8);
    assert_near(value(&r, "contact(f,b).lost"), mass * v0 * v0 / 2, 1e-8);
    assert_near(value(&r, "contact(f,b).energy"), pow(mass * g, 2) / (2 * k_n), 1e-8);
    assert_near(value(&r, "contact(f,b).sticks"), 1, 0);
    assert_near(ledger_of(&r)->residual_relative, 0, 1e-8);
    assert_balanced(&r);
    stop(&r);
  }
}

typedef struct disc {
  double mu, patch, beta, J, x[8]; // v, omega, s, theta, x, y
} disc;

/** A disc that slides and spins: m v' = -tau, J omega' = -tau_theta, s' = (omega/2) n x s + v - w. Returns how far
 *  the loads would be above their limit without slip. */
static double disc_rates(const disc *d, const double x[8], double rate[8]) {
  double lim = d->mu * mass * g, k_theta = k_t * d->patch * d->patch, load[3], trial[3], tau[3],
         B[3];
  for (int i = 0; i < 3; i++) {
    double k = i < 2 ? k_t : k_theta;
    B[i] = d->beta * k;
    load[i] = k * x[3 + i];
    trial[i] = load[i] + B[i] * x[i];
  }
  load_by_bisection(trial, B, d->patch, lim, tau);
  for (int i = 0; i < 3; i++) {
    rate[i] = -tau[i] / (i < 2 ? mass : d->J);
    rate[3 + i] = (tau[i] - load[i]) / B[i];
  }
  rate[3] -= 0.5 * x[2] * x[4];
  rate[4] += 0.5 * x[2] * x[3];
  rate[6] = x[0];
  rate[7] = x[1];
  return limited(trial, d->patch) - lim;
}

/** Runge and Kutta's method to where it sticks, the last step by linear interpolation. Returns the time [s]. */
static double disc_sticks(disc *d) {
  const double h = 2e-5;
  double k[4][8], y[8], left = disc_rates(d, d->x, k[0]), t = 0;
  while (true) {
    memcpy(y, d->x, sizeof y);
    for (int stage = 0; stage < 4; stage++) {
      double z[8], step = stage == 0 ? 0 : stage == 3 ? h : h / 2;
      for (int i = 0; i < 8; i++) {
        z[i] = d->x[i] + (stage == 0 ? 0 : step * k[stage - 1][i]);
      }
      (void)disc_rates(d, z, k[stage]);
      for (int i = 0; i < 8; i++) {
        y[i] += h / (stage == 0 || stage == 3 ? 6 : 3) * k[stage][i];
      }
    }
    double next = disc_rates(d, y, k[0]);
    if (next <= 0) {
      return t + h * left / (left - next);
    }
    memcpy(d->x, y, sizeof y);
    left = next;
    t += h;
  }
}

/** The friction of a disc that spins is turned against its way, and it slides further than one that does not. */
static void spinning_disc_slides(void **state) {
  (void)state;
  const double inertias[] = {mass * 0.017 * 0.017, 0.3 * mass * 0.017 * 0.017};
  for (int i = 0; i < (THOROUGH ? 2 : 1); i++) {
    disc d = {.mu = 0.31, .patch = 0.017, .beta = 0.004, .J = inertias[i]};
    d.x[0] = 0.7, d.x[1] = -0.4, d.x[2] = 33;
    setting s = {.mu = d.mu,
                 .patch = d.patch,
                 .damping = d.beta,
                 .inertia = {1e15, 1e15, d.J},
                 .velocity = {0.7, -0.4, 0},
                 .spin = {0, 0, 33}};
    run r = on_plane(&s, "fehlberg-8", 1e-11);
    double t = disc_sticks(&d);
    advance(&r, t - 1e-4);
    assert_near(component(&r, "b.position", 0), d.x[6], 1e-5);
    advance(&r, t + 0.01);
    assert_near(find_event(&r, "stick")->t, t, 1e-8);
    if (i == 0) { // of a stiff skin: all three stop together
      assert_near(t, hypot(hypot(0.7, 0.4), 33 * 0.017) / (0.31 * g), 1e-2);
    }
    assert_balanced(&r);
    stop(&r);
  }
}

/** A ball that slides begins to roll at v0/(1 + (2/5) (r/r_c)^2), r_c = r - depth the height of its centre: the
 *  angular momentum about the point of contact is kept. */
static void ball_begins_to_roll(void **state) {
  (void)state;
  const double J = 0.4 * mass * radius * radius, v0 = 1.7;
  double arm = radius - mass * g / k_n, roll = v0 / (1 + J / (mass * arm * arm));
  for (int i = 0; i < 3; i++) {
    setting s = {.mu = 0.23,
                 .patch = 0.003,
                 .damping = 0.01,
                 .inertia = {J, J, J},
                 .velocity = {0.6 * v0, 0.8 * v0, 0}};
    run r = on_plane(&s, methods[i], 1e-11);
    advance(&r, 4);
    assert_near(find_event(&r, "stick")->t, (v0 - roll) / (0.23 * g), 1e-2);
    assert_near(component(&r, "b.velocity", 0), 0.6 * roll, 1e-8);
    assert_near(component(&r, "b.velocity", 1), 0.8 * roll, 1e-8);
    assert_near(component(&r, "b.angular-velocity", 0), -0.8 * roll / arm, 1e-6);
    assert_balanced(&r);
    stop(&r);
  }
}

/** At rest on a slope: held below the angle of friction, without creep; else with g (sin - mu cos). */
static void slopes(void **state) {
  (void)state;
  const double slope = 0.4; // tan = 0.4228
  setting s = {
      .slope = slope, .mu = 0.7, .patch = 0.01, .damping = 0.1, .inertia = {1e15, 1e15, 1e15}};
  run r;
  for (int i = 0; i < 2; i++, s.mu = 0.43) { // the second slips a little at first
    r = on_plane(&s, "dormand-prince-5", 1e-8);
    advance(&r, 10);
    double before = component(&r, "b.position", 0),
           energy = pow(mass * g * sin(slope), 2) / k_t / 2;
    if (i == 0) {
      assert_near(before, mass * g * sin(slope) / k_t, 1e-9);
      assert_near(ledger_of(&r)->total.dissipated, energy, 1e-7 * energy);
    }
    advance(&r, 110);
    assert_near(component(&r, "b.position", 0), before, 1e-9);
    assert_balanced(&r);
    stop(&r);
  }
  s.mu = 0.41;
  r = on_plane(&s, "dormand-prince-5", 1e-10);
  advance(&r, 2);
  double v = component(&r, "b.velocity", 0);
  advance(&r, 3);
  assert_near(component(&r, "b.velocity", 0) - v, g * (sin(slope) - 0.41 * cos(slope)), 1e-8);
  assert_string_equal(find_event(&r, "slip")->element, "contact(f,b)");
  stop(&r);
}

/** Down a slope a block slides w = v - s' until it sticks, way = v0 t - a t^2/2, a = g (mu cos - sin), less what the
 *  spring has taken; that holds m g sin in the end. Of a stiff skin the way is v0^2/(2 a). What is lost is the energy of
 *  the motion and of the fall, less what that spring holds. */
static void slip_distance_on_a_slope(void **state) {
  (void)state;
  const double slope = 0.3, mu = 0.5, v0 = 1.1, beta = 0.002;
  double a = g * (mu * cos(slope) - sin(slope)), lim = mu * mass * g * cos(slope),
         pull = mass * g * sin(slope), t = sticking_time(v0, a, lim, beta);
  double way = v0 * t - a * t * t / 2 - lim / k_t * (1 - exp(-t / beta)), fall = way + pull / k_t;
  double held = pull * pull / (2 * k_t), normal = pow(mass * g * cos(slope), 2) / (2 * k_n);
  for (int i = 0; i < 3; i++) {
    setting s = {.slope = slope,
                 .mu = mu,
                 .patch = 0.01,
                 .damping = beta,
                 .inertia = {1e15, 1e15, 1e15},
                 .velocity = {v0, 0, 0}};
    run r = on_plane(&s, methods[i], 1e-10);
    advance(&r, t / 2); // x = s + the slip while it slides
    assert_near(value(&r, "contact(f,b).slip-distance"),
                v0 * t / 2 - a * t * t / 8 - lim / k_t * (1 - exp(-t / 2 / beta)), 1e-8);
    assert_near(value(&r, "contact(f,b).slip-speed"),
                v0 - a * t / 2 - lim / k_t / beta * exp(-t / 2 / beta), 1e-8);
    assert_near(value(&r, "contact(f,b).power"), lim * (v0 - a * t / 2), 1e-6);
    assert_near(value(&r, "contact(f,b).sticks"), 0, 0);
    advance(&r, t + 10); // what it sticks with has died down
    assert_near(value(&r, "contact(f,b).slip-distance"), way, 1e-8);
    assert_near(value(&r, "contact(f,b).slip-distance"), v0 * v0 / (2 * a),
                3 * v0 * beta + lim / k_t);
    assert_near(value(&r, "contact(f,b).lost"), mass * v0 * v0 / 2 + pull * fall - held, 1e-8);
    assert_near(value(&r, "contact(f,b).energy"), held + normal, 1e-8);
    assert_near(value(&r, "contact(f,b)/slip.lost") + value(&r, "contact(f,b)/damper.lost"),
                value(&r, "contact(f,b).lost"), 1e-14);
    stop(&r);
  }
}

/** A body that turns falls with implicit steps: the loads are limited by nothing before the touch and by mu f_n
 *  behind it, a kink of the rates at the point from which the first step sets out. */
static void implicit_steps_from_a_touch(void **state) {
  (void)state;
  const double rtols[] = {1e-5, 1e-7, 1e-8}, damping[] = {5.2, 0.66};
  for (int i = 0; i < 2; i++) {
    double x[4];
    for (int k = 0; k < 4; k++) {
      char text[2000];
      (void)snprintf(text, sizeof text,
                     "<screwbond version='1' id='m'><materials><material id='m' "
                     "stiffness='4200 4200 5037 N/m' spin-stiffness='0.42 N.m/rad'/></materials>"
                     "<laws><contact-law id='l' normal='hunt-crossley' exponent='1' "
                     "damping-factor='%.17g s/m' friction='coulomb' mu='0.0632' "
                     "friction-radius='5.1 mm' friction-damping='1.28 ms'/></laws>"
                     "<mechanism gravity='0 0 -9.81 m/s^2'><body id='b' mass='8.2 kg' material='m' "
                     "position='0 0 0.3 m' rotation='71 deg about 0.3 1 -0.4' "
                     "velocity='-0.7 0.25 0.3 m/s' angular-velocity='2 -4 1.3 rad/s'>"
                     "<shape kind='ellipsoid' semi-axes='0.18 0.13 0.16 m'/></body><ground id='f'>"
                     "<shape kind='plane' normal='0 0 1'/></ground><contact a='f' b='b' law='l'/>"
                     "</mechanism><run t-end='0.5 s' method='%s' rtol='%.17g'/></screwbond>",
                     damping[i], k < 3 ? "kvaerno-5" : "fehlberg-8", k < 3 ? rtols[k] : 1e-11);
      run r = start_netlist(text);
      advance(&r, 0.5);
      assert_string_equal(find_event(&r, "touch")->element, "contact(f,b)");
      x[k] = component(&r, "b.position", 0);
      stop(&r);
    }
    for (int k = 0; k < 3; k++) {
      assert_near(x[k], x[3], 10 * rtols[k]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(law_of_slip),
      cmocka_unit_test(limits_of_the_law),
      cmocka_unit_test(block_and_disc_stop),
      repeating_test(spinning_disc_slides),
      repeating_test(ball_begins_to_roll),
      repeating_test(slopes),
      repeating_test(slip_distance_on_a_slope),
      repeating_test(implicit_steps_from_a_touch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
