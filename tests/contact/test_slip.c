// SPDX-License-Identifier: GPL-3.0-or-later
// Slip of a contact: the law over random states against bisection, and bodies that slide, stick, spin and roll
// against closed forms that include the springs and dampers of the skin.
#include "tests/fixture.h"

#include "contact/slip.h"

static double random_in(double low, double high) {
  return low + (high - low) * rand() / (double)RAND_MAX;
}

static double limited(const double tau[3], double radius) {
  return sqrt(tau[0] * tau[0] + tau[1] * tau[1] + pow(tau[2] / radius, 2));
}

/** tau(gam) = (1 + gam B G)^-1 trial on the surface of `limit`, gam by bisection. */
static void load_by_bisection(const double trial[3], const double B[3], double radius, double limit,
                              double tau[3]) {
  double low = 0, high = 1e30;
  for (int k = 0; k < 400; k++) {
    double gam = k < 200 ? sqrt(fmax(low, 1e-30) * high) : 0.5 * (low + high);
    for (int i = 0; i < 3; i++) {
      tau[i] = trial[i] / (1 + gam * B[i] * (i < 2 ? 1 : 1 / (radius * radius)));
    }
    *(limited(tau, radius) > limit ? &low : &high) = gam;
  }
}

/** Loads on their surface, slip normal to it, dissipation >= 0; power into the skin and the slip is all power. */
static void law_of_slip(void **state) {
  (void)state;
  srand(7);
  for (int trial_no = 0; trial_no < 20000; trial_no++) {
    double radius = pow(10, random_in(-4, 1)), limit = pow(10, random_in(-6, 3));
    double trial[3], B[3], w[3], tau[3], want[3], power = 0, size = 0;
    B[0] = B[1] = pow(10, random_in(-2, 3));
    B[2] = pow(10, random_in(-6, 3));
    for (int i = 0; i < 3; i++) {
      trial[i] = random_in(-1, 1) * (i < 2 ? 1 : radius);
    }
    double factor = limit * (1 + pow(10, random_in(-6, 6))) / limited(trial, radius);
    for (int i = 0; i < 3; i++) {
      trial[i] *= factor;
    }
    assert_near_relative(sb_slip_size(trial, radius), limited(trial, radius), 1e-14);
    sb_slip_flow(trial, B, radius, limit, w);
    load_by_bisection(trial, B, radius, limit, want);
    for (int i = 0; i < 3; i++) {
      double arm = i < 2 ? 1 : radius;
      tau[i] = trial[i] - B[i] * w[i];
      assert_near(tau[i] / arm, want[i] / arm, 1e-9 * limit + 1e-14 * factor);
      power += tau[i] * w[i];
      size += fabs(trial[i] * w[i]);
      assert_true(want[i] * w[i] >= 0);
    }
    assert_near(limited(tau, radius), limit, 1e-10 * limit + 1e-14 * factor);
    assert_true(power >= -1e-14 * size);
  }
}

/** Without a limit the spring relaxes alone: tau = 0. Within the limit w turns round smoothly. */
static void limits_of_the_law(void **state) {
  (void)state;
  const double trial[] = {1.2, -0.7, 0.02}, B[] = {31, 31, 0.017}, radius = 0.013;
  double w[3], size = limited(trial, radius), out[3], in[3];
  sb_slip_flow(trial, B, radius, 0, w);
  for (int i = 0; i < 3; i++) {
    assert_near_relative(w[i], trial[i] / B[i], 1e-13);
  }
  sb_slip_flow(trial, B, radius, size, w);
  sb_slip_flow(trial, B, radius, size * (1 - 1e-5), out);
  sb_slip_flow(trial, B, radius, size * (1 + 1e-5), in);
  for (int i = 0; i < 3; i++) {
    assert_near(w[i], 0, 1e-15);
    assert_near_relative(in[i], -out[i], 1e-3);
  }
  const double free_spin[] = {31, 31, 0}, none[3] = {0, 0, 0};
  sb_slip_flow(trial, free_spin, 0, 0.3, w);
  assert_near(hypot(trial[0] - 31 * w[0], trial[1] - 31 * w[1]), 0.3, 1e-14);
  assert_near(w[2], 0, 0);
  sb_slip_flow(none, B, radius, 0, w);
  assert_near(w[0] + w[1] + w[2], 0, 0);
}

// ---- bodies

static const double mass = 1.3, g = 9.81, k_n = 5230, k_t = 3170, radius = 0.05;

typedef struct setting {
  double slope, mu, mu_static, patch, damping; // [rad], -, -, [m], [s]
  double inertia[3], velocity[3], spin[3];     // about the normal last
  double stribeck;                             // [m/s] 0: none
} setting;

/** A ball that lies on a plane of a slope as deep as its weight presses it, with axes along the slope. */
static run on_plane(const setting *s, const char *method, double rtol) {
  char text[3000], peak[120] = "", speed[60] = "";
  double depth = mass * g * cos(s->slope) / k_n;
  if (s->mu_static > 0) {
    if (s->stribeck > 0) {
      (void)snprintf(speed, sizeof speed, "v-stribeck='%.17g m/s'", s->stribeck);
    }
    (void)snprintf(peak, sizeof peak, "mu-static='%.17g' %s", s->mu_static, speed);
  }
  (void)snprintf(text, sizeof text,
                 "<screwbond version='1' id='slip'>"
                 "<materials><material id='m' stiffness='%.17g %.17g %.17g N/m' "
                 "spin-stiffness='%.17g N.m/rad'/></materials>"
                 "<laws><contact-law id='l' normal='linear' friction='coulomb' mu='%.17g' %s "
                 "friction-radius='%.17g m' "
                 "friction-damping='%.17g s'/></laws>"
                 "<mechanism gravity='%.17g 0 %.17g m/s^2'>"
                 "<body id='b' mass='%.17g kg' inertia='%.17g %.17g %.17g kg.m^2' material='m' "
                 "position='0 0 %.17g m' "
                 "velocity='%.17g %.17g %.17g m/s' angular-velocity='%.17g %.17g %.17g rad/s'>"
                 "<shape kind='sphere' radius='%.17g m'/></body>"
                 "<ground id='f'><shape kind='plane' normal='0 0 1'/></ground><contact a='f' b='b' "
                 "law='l'/></mechanism>"
                 "<run t-end='1 s' method='%s' rtol='%.17g'/></screwbond>",
                 k_t, k_t, k_n, k_t * s->patch * s->patch, s->mu, peak, s->patch, s->damping,
                 g * sin(s->slope), -g * cos(s->slope), mass, s->inertia[0], s->inertia[1],
                 s->inertia[2], radius - depth, s->velocity[0], s->velocity[1], s->velocity[2],
                 s->spin[0], s->spin[1], s->spin[2], radius, method, rtol);
  return start_netlist(text);
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

static const sb_event *find_event(const run *r, const char *kind) {
  const sb_ledger *ledger = ledger_of(r);
  for (int i = 0; i < ledger->event_count; i++) {
    if (strcmp(ledger->events[i].kind, kind) == 0) {
      return &ledger->events[i];
    }
  }
  fail_msg("no event '%s'", kind);
  return NULL;
}

static const char *const methods[] = {"dormand-prince-5", "fehlberg-8", "kvaerno-5"};

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

/** Between the two angles what rests is held, and what slides goes on; the peak lasts until it slips. */
static void static_peak(void **state) {
  (void)state;
  setting s = {.slope = 0.4,
               .mu = 0.35,
               .mu_static = 0.7,
               .patch = 0.01,
               .damping = 0.1,
               .inertia = {1e15, 1e15, 1e15}};
  run r = on_plane(&s, "fehlberg-8", 1e-10);
  advance(&r, 3);
  assert_near(component(&r, "b.velocity", 0), 0, 1e-9);
  stop(&r);
  s.velocity[0] = 0.9;
  r = on_plane(&s, "fehlberg-8", 1e-10);
  advance(&r, 1);
  double v = component(&r, "b.velocity", 0);
  advance(&r, 2);
  assert_near(component(&r, "b.velocity", 0) - v, g * (sin(0.4) - 0.35 * cos(0.4)), 1e-8);
  stop(&r);
}

/** v' = -g mu(v) with mu(v) = mu + (mu_s - mu) exp(-v^2/v_S^2): the time from v0 to v1 by Simpson's rule. */
static double time_between(double v0, double v1, double mu, double peak, double v_S) {
  const int n = 2000;
  const double h = (v0 - v1) / n;
  double sum = 0;
  for (int i = 0; i <= n; i++) {
    const double v = v1 + i * h;
    sum += (i == 0 || i == n ? 1
            : i % 2 == 1     ? 4
                             : 2) /
           (mu + (peak - mu) * exp(-v * v / (v_S * v_S)));
  }
  return sum * h / 3 / g;
}

/** Stribeck's peak of what slides, and where it ends: a block, or a disc that spins, by its angle times the radius of
 *  friction, J = m r^2. It sticks, and is held at rest. */
static void stribeck_peak(void **state) {
  (void)state;
  const double mu = 0.2, peak = 0.45, v_S = 0.15, v0 = 0.7, patch = 0.02;
  for (size_t i = 0; i < 2 * sizeof methods / sizeof *methods; i++) {
    const bool spins = i % 2 == 1;
    setting s = {.mu = mu,
                 .mu_static = peak,
                 .stribeck = v_S,
                 .patch = patch,
                 .damping = 0.05,
                 .inertia = {1e15, 1e15, mass * patch * patch},
                 .velocity = {spins ? 0 : -0.6 * v0, spins ? 0 : 0.8 * v0, 0},
                 .spin = {0, 0, spins ? v0 / patch : 0}};
    run r = on_plane(&s, methods[i / 2], 1e-10);
    static const double speeds[] = {0.4, 0.2, 0.08};
    for (int k = 0; k < 3; k++) {
      const double v1 = speeds[k];
      advance(&r, time_between(v0, v1, mu, peak, v_S));
      assert_near(spins ? patch * component(&r, "b.angular-velocity", 2)
                        : hypot(component(&r, "b.velocity", 0), component(&r, "b.velocity", 1)),
                  v1, 1e-8);
    }
    advance(&r, 2);
    assert_true(find_event(&r, "stick")->t < time_between(v0, 0, mu, peak, v_S));
    assert_near(component(&r, spins ? "b.angular-velocity" : "b.velocity", spins ? 2 : 1), 0, 1e-8);
    assert_int_equal(value(&r, "contact(f,b).sticks"), 1);
    assert_balanced(&r);
    stop(&r);
  }
}

/** On a slope between the angles of mu and mu_s what rests is held; above mu_s it slips, and gains on the law of what slides. */
static void stribeck_on_a_slope(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    const double slope = i == 0 ? 0.34 : 0.43; // tan: 0.3537, 0.4586
    setting s = {.slope = slope,
                 .mu = 0.2,
                 .mu_static = 0.45,
                 .stribeck = 0.15,
                 .patch = 0.02,
                 .damping = 0.1,
                 .inertia = {1e15, 1e15, 1e15}};
    run r = on_plane(&s, "dormand-prince-5", 1e-10);
    advance(&r, i == 0 ? 3 : 1);
    const double v = component(&r, "b.velocity", 0), h = 1e-3;
    if (i == 0) {
      assert_near(v, 0, 1e-7);
    } else {
      advance(&r, 1 + h);
      const double mean = 0.5 * (v + component(&r, "b.velocity", 0));
      const double mu = 0.2 + 0.25 * exp(-mean * mean / 0.0225);
      assert_near((component(&r, "b.velocity", 0) - v) / h, g * (sin(slope) - mu * cos(slope)),
                  1e-5);
    }
    assert_balanced(&r);
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

/** What is told of a ball that slides and spins: its loads are mu f_n against its slip, and the wrenches on both
 *  bodies are theirs about their origins. */
static void told_by_name(void **state) {
  (void)state;
  const double J = 0.4 * mass * radius * radius;
  setting s = {.mu = 0.31,
               .patch = 0.01,
               .damping = 0.002,
               .inertia = {J, J, J},
               .velocity = {1.2, -0.9, 0},
               .spin = {0, 0, 3}};
  run r = on_plane(&s, "dormand-prince-5", 1e-9);
  double load[4], wrench[6], own[6], other[6], slide[3], x[3], v[3], w[3], roll1[3], roll2[3];
  advance(&r, 0.1);
  read_all(&r, "contact(f,b).load", load);
  read_all(&r, "contact(f,b).wrench", wrench);
  read_all(&r, "contact(f,b).wrench-1", own);
  read_all(&r, "contact(f,b).wrench-2", other);
  read_all(&r, "contact(f,b).sliding-velocity", slide);
  read_all(&r, "contact(f,b).rolling-velocity-1", roll1);
  read_all(&r, "contact(f,b).rolling-velocity-2", roll2);
  read_all(&r, "b.position", x);
  read_all(&r, "b.velocity", v);
  read_all(&r, "b.angular-velocity", w);
  double normal = mass * g, arm = x[2]; // alpha = 0: the point is on the plane
  assert_near(value(&r, "contact(f,b).penetration"), mass * g / k_n, 1e-8);
  assert_near(value(&r, "contact(f,b).touches"), 1, 0);
  assert_near(value(&r, "contact(f,b)/slip.sticks"), 0, 0);
  assert_near(sb_slip_size((double[]){load[0], load[1], load[3]}, s.patch), s.mu * normal, 1e-6);
  assert_near(-load[2], normal, 1e-6);
  assert_near(hypot(slide[0], slide[1]), hypot(v[0] - w[1] * arm, v[1] + w[0] * arm), 1e-9);
  assert_near(value(&r, "contact(f,b)/slip.speed"), hypot(slide[0], slide[1]), 2e-2);
  assert_true(wrench[3] * slide[0] > 0 && wrench[4] * slide[1] > 0); // the floor is dragged along
  assert_near(wrench[5], -normal, 1e-6);
  assert_near(wrench[0], x[1] * wrench[5], 1e-9);  // the point is in the plane z = 0
  assert_near(wrench[1], -x[0] * wrench[5], 1e-9); // below the ball's centre
  for (int i = 0; i < 6; i++) {
    assert_near(own[i], wrench[i], 1e-12); // the floor is in the world's frame
  }
  double push = hypot(hypot(wrench[3], wrench[4]), wrench[5]); // the ball has turned
  assert_near(hypot(hypot(other[3], other[4]), other[5]), push, 1e-9);
  double turn_about = hypot(arm * hypot(wrench[3], wrench[4]), load[3]);
  assert_near(hypot(hypot(other[0], other[1]), other[2]), turn_about, 1e-9);
  for (int i = 0; i < 2; i++) {
    assert_near(roll1[i], v[i], 1e-9); // the foot of the ball's centre over the floor
    double turn = i == 0 ? w[1] : -w[0];
    assert_near(roll2[i], radius * turn, 1e-9); // the lowest point over the ball
  }
  stop(&r);
}

/** What a contact without friction loses: its damper all along, and its tangential springs where it ends. Both
 *  are what the motion of the ball has less, half m v^2 + half J w^2 + m g z. */
static void lost_with_the_release(void **state) {
  (void)state;
  const char *text =
      "<screwbond version='1' id='m'><materials><material id='m' stiffness='3000 3000 5230 N/m' "
      "damping='2 2 3 N.s/m'/></materials><laws><contact-law id='l' normal='linear'/></laws>"
      "<mechanism gravity='0 0 -9.81 m/s^2'><body id='b' mass='1.3 kg' inertia='2e-3 2e-3 2e-3' "
      "material='m' position='0 0 0.3 m' velocity='0.7 0.2 0 m/s' angular-velocity='2 -4 1.3 "
      "rad/s'>"
      "<shape kind='sphere' radius='5 cm'/></body><ground id='f'><shape kind='plane' "
      "normal='0 0 1'/></ground><contact id='c' a='f' b='b' law='l'/></mechanism>"
      "<run t-end='1 s' method='dormand-prince-5' rtol='1e-10'/></screwbond>";
  run r = start_netlist(text);
  double start = mass / 2 * (0.7 * 0.7 + 0.2 * 0.2) + 1e-3 * (4 + 16 + 1.69) + mass * g * 0.3;
  advance(&r, 0.33);
  assert_near(value(&r, "c.energy"), 0, 0);
  assert_int_equal(ledger_of(&r)->event_count, 2);
  double now = mass * g * component(&r, "b.position", 2);
  for (int i = 0; i < 3; i++) {
    now += mass / 2 * pow(component(&r, "b.velocity", i), 2) +
           1e-3 * pow(component(&r, "b.angular-velocity", i), 2);
  }
  assert_near(value(&r, "c.lost"), start - now, 1e-8);
  assert_true(value(&r, "c.lost") > value(&r, "c/damper.lost") + 1e-4); // the springs were loaded
  sb_error err = {0};
  sb_quantity unused;
  assert_int_equal(sb_model_find(r.model, "c.slip-distance", &unused, &err), SB_ERR_REFERENCE);
  assert_string_equal(err.text, "contact 'c' has no quantity 'slip-distance'");
  assert_int_equal(sb_model_find(r.model, "c.force", &unused, &err), SB_ERR_REFERENCE);
  assert_string_equal(
      err.hint, "it has: gap, normal, point, normal-force, depth-ratio, penetration, axis-x, "
                "axis-y, touches, load, wrench, wrench-1, wrench-2, sliding-velocity, "
                "rolling-velocity-1, rolling-velocity-2, relative-curvatures, patch, patch-axis, "
                "energy, power, lost, PORT.e, PORT.f");
  assert_int_equal(sb_model_find(r.model, "c.normal-forse", &unused, &err), SB_ERR_REFERENCE);
  assert_string_equal(err.hint, "did you mean 'normal-force'?");
  stop(&r);
}

/** mu = 0, or one whose loads are below the rounding of what they are computed from, is no friction: on the level a ball
 *  keeps its speed and its spin, on a slope it falls as in free flight along it, x = v t + g sin t^2/2. */
static void without_friction(void **state) {
  (void)state;
  static const struct {
    double mu, slope, patch;
    double velocity[3], spin[3];
  } rows[] = {{0, 0, 0.01, {0.7, -0.4, 0}, {3.1, 1.9, -2.3}},
              {0, 0.4, 0.02, {0.2, 0.5, 0}, {0, 2.7, 1.1}},
              {1e-17, 0.15, 0.01, {-0.6, 0.3, 0}, {5.3, -1.7, 8.9}},
              {0, 0, 0.01, {0, 0, 0}, {0, 0, 7.7}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
      setting s = {.slope = rows[i].slope,
                   .mu = rows[i].mu,
                   .patch = rows[i].patch,
                   .damping = 1e-2,
                   .inertia = {2e-3, 2e-3, 2e-3}};
      memcpy(s.velocity, rows[i].velocity, sizeof s.velocity);
      memcpy(s.spin, rows[i].spin, sizeof s.spin);
      run r = on_plane(&s, methods[k], 1e-10);
      advance(&r, 1);
      const double fall = g * sin(s.slope);
      assert_near(component(&r, "b.position", 0), s.velocity[0] + fall / 2, 1e-8);
      assert_near(component(&r, "b.position", 1), s.velocity[1], 1e-9);
      for (int c = 0; c < 3; c++) {
        assert_near(component(&r, "b.angular-velocity", c), s.spin[c], 1e-9);
      }
      assert_near(ledger_of(&r)->total.dissipated, 0, 1e-12);
      assert_balanced(&r);
      stop(&r);
    }
  }
}

/** A leg of a walker, of which there are four. */
#define LEG                                                                                        \
  "<submodel id='Leg'><mechanism><body id='thigh' mass='1 kg' com='0 0 -0.15 m' "                  \
  "inertia='0.01 0.01 0.001 kg.m^2'/><body id='shin' mass='0.5 kg' com='0 0 -0.15 m' "             \
  "inertia='0.004 0.004 0.0005 kg.m^2' material='m'><shape kind='sphere' radius='2 cm' "           \
  "at='0 0 -0.3 m'/></body><joint id='knee' kind='revolute' axis='0 1 0' parent='thigh' "          \
  "child='shin' at='0 0 -0.3 m' q0='-60 deg' rest='-60 deg' stiffness='300 N.m/rad' "              \
  "damping='5 N.m.s/rad'/></mechanism></submodel>"

/** Feet that come down with hardly any motion along the floor stick at once, at depths that are rounding of their places: their
 *  slip until then gives no power. */
static void feet_stick_at_once(void **state) {
  static const char *const at[] = {"0.3 0.15", "0.3 -0.15", "-0.3 0.15", "-0.3 -0.15"};
  (void)state;
  for (int i = 0; i < 4; i++) {
    char text[4000];
    int used = snprintf(text, sizeof text,
                        LEG "<materials><material id='m' stiffness='2e4 2e4 2e4 N/m' "
                            "spin-stiffness='5 N.m/rad'/></materials><laws><contact-law id='l' "
                            "normal='hunt-crossley' exponent='1' damping-factor='0.5 s/m' "
                            "friction='coulomb' mu='0.7' friction-radius='5 mm'/></laws>"
                            "<mechanism gravity='0 0 -9.81 m/s^2'><ground id='f' material='m'>"
                            "<shape kind='plane' normal='0 0 1'/></ground><body id='trunk' "
                            "mass='12 kg' inertia='0.1 0.4 0.45 kg.m^2' position='0 0 %g m'/>",
                        0.58 + 0.02 * i);
    for (int k = 0; k < 4; k++) {
      used += snprintf(text + used, sizeof text - (size_t)used,
                       "<use id='leg%d' submodel='Leg'/><joint id='hip%d' kind='revolute' "
                       "axis='0 1 0' parent='trunk' child='leg%d/thigh' at='%s 0 m' q0='30 deg' "
                       "rest='30 deg' stiffness='300 N.m/rad' damping='5 N.m.s/rad'/>"
                       "<contact a='leg%d/shin' b='f' law='l'/>",
                       k, k, k, at[k], k);
    }
    (void)snprintf(text + used, sizeof text - (size_t)used, "</mechanism>");
    run r = start(text, 1e-8, 0);
    advance(&r, 0.3);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A block on four points, which is let go just above the floor, moves along it by 1e-25 m/s. Where it meets the floor the
 *  depths stay zero for many of the shortest steps: the points stick at once, and do not let go in turn. It comes to rest
 *  m g/(4 K) deep, K = 20 N/mm of a point. */
static void points_that_touch_at_rest_stick(void **state) {
  static const double heights[] = {1e-4, 1e-6, 1e-8, 0};
  (void)state;
  for (size_t i = 0; i < sizeof heights / sizeof *heights; i += PLAIN ? 1 : 3) {
    char text[2000];
    (void)snprintf(text, sizeof text,
                   "<materials><material id='m' stiffness='20 20 40 N/mm' spin-stiffness='2 "
                   "N.m/rad'/></materials><laws><contact-law id='l' normal='hunt-crossley' "
                   "exponent='1' damping-factor='5 s/m' friction='coulomb' mu='0.6' "
                   "friction-radius='5 mm'/></laws><defaults><contact law='l'/></defaults>"
                   "<mechanism gravity='0 0 -10 m/s^2'><ground id='f' material='m'><shape "
                   "kind='plane' normal='0 0 1'/></ground><body id='b' mass='0.5 kg' "
                   "inertia='1e-3 1e-3 1e-3 kg.m^2' material='m' position='0.125 0.25 %.17g m' "
                   "velocity='1e-25 1e-27 -0.0001 m/s'><shape id='p1' kind='point' "
                   "at='20 20 -30 mm'/><shape id='p2' kind='point' at='-20 20 -30 mm'/><shape "
                   "id='p3' kind='point' at='-20 -20 -30 mm'/><shape id='p4' kind='point' "
                   "at='20 -20 -30 mm'/></body><contact a='p1' b='f'/><contact a='p2' b='f'/>"
                   "<contact a='p3' b='f'/><contact a='p4' b='f'/></mechanism>",
                   0.03 + heights[i]);
    run r = start(text, 1e-11, 0);
    advance(&r, 3);
    assert_near(component(&r, "b.position", 2), 0.03 - 0.5 * 10 / (4 * 20e3), 1e-9);
    assert_near(component(&r, "b.position", 0), 0.125, 1e-15);
    assert_balanced(&r);
    stop(&r);
  }
}

/** A ball of 1 kg lies on a table of 3 kg, whose velocity a source makes another one at once: by the impulse of the start, and later as its
 *  input is set. It slid over the table before, and sticks behind, as |v| < mu m g/B, B = 300 N s/m. In the frame of the table all of
 *  m v^2/2 goes into the damper, and where it slid what the springs of K = 5e4 N/m hold, (mu m g)^2/(2 K); the source gives 3 kg w^2 for
 *  the jump by w, half of which is lost, and m v times its velocity. */
static void impulses_make_it_stick(void **state) {
  (void)state;
  static const char *const scene =
      "<materials><material id='m' stiffness='1e5 1e5 1e5 N/m'/></materials><laws><contact-law "
      "id='L' normal='linear' damping='300 N.s/m' friction='coulomb' mu='0.5'/></laws>"
      "<mechanism gravity='0 0 -10 m/s^2'><body id='table' mass='3 kg' inertia='0.1 0.1 0.1' "
      "material='m'><shape id='top' kind='plane' normal='0 0 1'/></body><joint id='axle' "
      "kind='prismatic' axis='1 0 0' parent='world' child='table' w0='0 m/s'/><body id='ball' "
      "mass='1 kg' inertia='1e6 1e6 1e6' material='m' position='0 0 0.0998 m' "
      "velocity='%.17g 0 0 m/s'><shape kind='sphere' radius='0.1 m'/></body><contact id='c' "
      "a='top' b='ball' law='L'/></mechanism><network domain='translation'><Sf id='drive' "
      "flow='%.17g m/s' waveform='input'/><bond from='drive' to='axle'/></network>";
  for (int late = 0; late < 2; late++) {
    const double jump = 1, speed = late ? 1.49 : 0.99; // 1 m/s at 0.1 s, by mu g = 5 m/s^2
    char text[2000];
    (void)snprintf(text, sizeof text, scene, speed, late ? 0 : jump);
    run r = start(text, 1e-9, 0);
    double v = speed - jump, left = v * v / 2;
    if (late) {
      int input;
      sb_error err = {0};
      advance(&r, 0.1);
      v = component(&r, "ball.velocity", 0) - jump;
      left = ledger_of(&r)->total.dissipated + v * v / 2 + 5 * 5 / (2 * 5e4);
      ok(sb_simulation_find_input(r.sim, "drive", &input, &err), &err);
      sb_simulation_set(r.sim, input, &jump);
    }
    assert_in_range((uintmax_t)fabs(v * 1e6), 1000, 16600); // it moves, and may stick
    advance(&r, 1);
    assert_closes(&r);
    assert_int_equal(events_of(&r, "stick", "c"), 1);
    assert_near(event_time(&r, "stick", 0), late ? 0.1 : 0, 0);
    assert_near(component(&r, "ball.velocity", 0), jump, 1e-8);
    assert_near(ledger_of(&r)->total.dissipated, left, 1e-9);
    assert_near(ledger_of(&r)->total.event_loss, 3 * jump * jump / 2, 1e-9);
    assert_near(ledger_of(&r)->total.supplied, 3 * jump * jump - v * jump, 1e-8);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(law_of_slip),
      cmocka_unit_test(limits_of_the_law),
      cmocka_unit_test(block_and_disc_stop),
      cmocka_unit_test(spinning_disc_slides),
      cmocka_unit_test(ball_begins_to_roll),
      cmocka_unit_test(slopes),
      cmocka_unit_test(slip_distance_on_a_slope),
      cmocka_unit_test(static_peak),
      cmocka_unit_test(stribeck_peak),
      cmocka_unit_test(stribeck_on_a_slope),
      cmocka_unit_test(implicit_steps_from_a_touch),
      cmocka_unit_test(told_by_name),
      cmocka_unit_test(lost_with_the_release),
      cmocka_unit_test(without_friction),
      cmocka_unit_test(feet_stick_at_once),
      cmocka_unit_test(points_that_touch_at_rest_stick),
      cmocka_unit_test(impulses_make_it_stick),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
