// SPDX-License-Identifier: GPL-3.0-or-later
// Contact in motion: impacts and rest against closed forms, falls that must not tunnel, events that
// coincide or graze, and the drop of two ellipsoids against its conservation laws.
#include "tests/fixture.h"

#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sf_lambert.h>

#include "geometry/quat.h"

typedef struct scene {
  sb_graph *graph; // until it is compiled
  run run;
} scene;

static scene scene_start(void) {
  scene s = {0};
  assert_int_equal(sb_graph_create("scene", &s.graph, NULL), SB_OK);
  add_kind(s.graph, "ground", "floor", NULL, 0);
  return s;
}

typedef struct solid {
  double mass;
  double inertia[3], gravity[3], position[3], rotation[4], velocity[3], spin[3];
} solid;

static void add_solid(scene *s, const char *id, const solid *b) {
  sb_element *element = add_kind(s->graph, "body", id, NULL, 0);
  const double unit[4] = {1, 0, 0, 0};
  set_values(element, "mass", &b->mass, 1);
  set_values(element, "inertia", b->inertia, 3);
  set_values(element, "gravity", b->gravity, 3);
  set_values(element, "position", b->position, 3);
  set_values(element, "rotation", b->rotation[0] == 0 ? unit : b->rotation, 4);
  set_values(element, "velocity", b->velocity, 3);
  set_values(element, "angular-velocity", b->spin, 3);
}

static const double radius = 0.0523, mass = 0.2385;

/** A solid ball with its lowest point at the height `gap` [m]. */
static solid ball(double gap, double vz, double g) {
  double j = 0.4 * mass * radius * radius;
  return (solid){.mass = mass,
                 .inertia = {j, j, j},
                 .gravity = {0, 0, -g},
                 .position = {0.31, -0.17, radius + gap},
                 .velocity = {0, 0, vz}};
}

static sb_contact_law law_of(const char *name, double k, double n, double factor, int clamp) {
  sb_contact_law law = sb_contact_law_defaults();
  law.normal = sb_normal_law_find(name);
  law.stiffness = k;
  law.exponent = n;
  law.damping_factor = factor;
  law.clamp = clamp;
  return law;
}

static sb_surface floor_surface(void) {
  return sb_surface_plane((sb_vec3){0, 0, 1}, 0);
}

static sb_surface ball_surface(void) {
  return sb_surface_sphere(radius, (sb_vec3){0, 0, 0});
}

static void touchable(scene *s, const char *id, const char *a, sb_surface sa, const char *b,
                      sb_surface sb, sb_contact_law law) {
  sb_error err = {0};
  sb_contact_spec spec = {.id = id,
                          .body = {a, b},
                          .surface = {sa, sb},
                          .material = {sb_material_rigid(), sb_material_rigid()},
                          .law = law};
  ok(sb_contact_add(s->graph, &spec, &err), &err);
}

static void scene_run(scene *s, sb_options options) {
  s->run = start_graph(s->graph, options);
  s->graph = NULL;
}

static void scene_stop(scene *s) {
  const sb_ledger *ledger = ledger_of(&s->run);
  assert_int_equal(ledger->passivity.violations, 0);
  assert_true(ledger->structure.rank_ok);
  assert_near(ledger->structure.residual_relative, 0, 1e-12);
  assert_near(ledger->structure.skew_relative, 0, 1e-12);
  stop(&s->run);
}

static void scene_advance(scene *s, double t) {
  advance(&s->run, t);
  sb_simulation_audit(s->run.sim);
}

static const sb_event *event(const scene *s, int k) {
  const sb_ledger *ledger = ledger_of(&s->run);
  assert_true(k < ledger->event_count);
  return &ledger->events[k];
}

static scene ball_on_floor(const solid *b, sb_contact_law law, sb_options options) {
  scene s = scene_start();
  add_solid(&s, "ball", b);
  touchable(&s, "c", "floor", floor_surface(), "ball", ball_surface(), law);
  scene_run(&s, options);
  return s;
}

static sb_material skin(double k_t, double k_n, double k_theta) {
  return (sb_material){.stiffness = {k_t, k_t, k_n},
                       .spin_stiffness = k_theta,
                       .damping = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                       .spin_damping = HUGE_VAL};
}

static void skinned(scene *s, const char *id, const char *body, sb_surface plane,
                    sb_surface surface, sb_material material, sb_contact_law law) {
  sb_error err = {0};
  sb_contact_spec spec = {.id = id,
                          .body = {"floor", body},
                          .surface = {plane, surface},
                          .material = {sb_material_rigid(), material},
                          .law = law};
  ok(sb_contact_add(s->graph, &spec, &err), &err);
}

/** What an impact should give: coefficient of restitution, contact time. */
typedef struct impact {
  double e, duration;
} impact;

/** Lets the ball hit the floor at speed v without gravity. */
static void check_impact_by(const char *method, sb_contact_law law, double v, impact want) {
  const double gap = 0.0137, touch = gap / v;
  solid b = ball(gap, -v, 0);
  scene s = ball_on_floor(&b, law, options_of(method, 1e-11));
  scene_advance(&s, touch + 1.5 * want.duration);
  assert_int_equal(ledger_of(&s.run)->event_count, 2);
  assert_string_equal(event(&s, 0)->kind, "touch");
  assert_string_equal(event(&s, 1)->kind, "release");
  assert_near_relative(event(&s, 0)->t, touch, 1e-11);
  assert_near(component(&s.run, "ball.velocity", 2) / v, want.e, 1e-8);
  double scale = 0.5 * mass * v * v;
  assert_near(event(&s, 1)->loss, 0, 1e-12 * scale);
  const sb_account *total = &ledger_of(&s.run)->total;
  assert_near(total->dissipated, scale * (1 - want.e * want.e), 1e-8 * scale);
  assert_near(ledger_of(&s.run)->residual_relative, 0, 1e-9);
  if (want.duration < 1) {
    assert_near(event(&s, 1)->t - touch, want.duration, 1e-8 * want.duration);
  }
  scene_stop(&s);
}

static void check_impact(sb_contact_law law, double v, impact want) {
  check_impact_by("dormand-prince-5", law, v, want);
  check_impact_by("fehlberg-8", law, v, want); // its error estimate is blind at a touch
}

/** m z'' + b z' + k z = 0 from z = 0, z' = v, until z = 0 again (no clamp) or k z + b z' = 0, from where the
 *  ball leaves the floor without force. */
static impact kelvin_voigt(double zeta, double k, bool clamp) {
  double omega = sqrt(k / mass), w = sqrt(fabs(1 - zeta * zeta));
  double tau = pi / w, s, c;
  if (clamp) {
    double y = 2 * zeta * w, x = 2 * zeta * zeta - 1;
    tau = zeta < 1 ? atan2(y, x) / w : atanh(y / x) / w;
  }
  s = (zeta < 1 ? sin(w * tau) : sinh(w * tau)) / w;
  c = zeta < 1 ? cos(w * tau) : cosh(w * tau);
  double decay = exp(-zeta * tau), e = decay * (zeta * s - c);
  return (impact){e, (tau + (clamp ? decay * s / e : 0)) / omega};
}

static void kelvin_voigt_restitution(void **state) {
  (void)state;
  const double k = 2385, zetas[] = {0, 0.031, 0.17, 0.46, 0.83, 1.37};
  for (int i = 0; i < 6; i++) {
    double v = 1.73, factor = 2 * zetas[i] * sqrt(mass / k); // b = factor k
    check_impact(law_of("linear", k, 1, factor, 1), v, kelvin_voigt(zetas[i], k, true));
    if (zetas[i] < 1) {
      check_impact(law_of("linear", k, 1, factor, 0), v, kelvin_voigt(zetas[i], k, false));
    }
  }
}

/** e = (1 + W0(-(1 + s) exp(-(1 + s)))) / s with s = a v, whatever the exponent; the time of contact
 *  is not known in closed form, only that it is a few times that without damping. */
static void hunt_crossley_restitution(void **state) {
  (void)state;
  const double exponents[] = {1, 1.5, 2.3}, s[] = {0.047, 0.31, 1.42, 5.3}, v = 1.73;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 4; j++) {
      double e = (1 + gsl_sf_lambert_W0(-(1 + s[j]) * exp(-(1 + s[j])))) / s[j];
      double k = 2385 * pow(0.03, 1 - exponents[i]);
      for (int clamp = 0; clamp < 2; clamp++) {
        check_impact(law_of("hunt-crossley", k, exponents[i], s[j] / v, clamp), v, (impact){e, 2});
      }
    }
  }
}

/** d_max = (5 m v^2 / (4 k))^(2/5), and a duration of (4/5) B(2/5, 1/2) d_max / v. */
static void hertz_impact(void **state) {
  (void)state;
  const double k = 83500, v = 1.38, gap = 0.0042;
  double depth = pow(1.25 * mass * v * v / k, 0.4);
  double duration = 0.8 * gsl_sf_beta(0.4, 0.5) * depth / v;
  assert_near(gsl_sf_beta(0.4, 0.5) * 0.8, 2.9432751843, 1e-10);
  solid b = ball(gap, -v, 0);
  scene s = ball_on_floor(&b, law_of("hunt-crossley", k, 1.5, 0, 1), options_of("verner-6", 1e-11));
  scene_advance(&s, gap / v + duration / 2);
  assert_near_relative(component(&s.run, "c.gap", 0), -depth, 1e-8);
  assert_near_relative(component(&s.run, "c.normal-force", 0), k * pow(depth, 1.5), 1e-8);
  scene_advance(&s, gap / v + 1.2 * duration);
  assert_near_relative(event(&s, 1)->t - event(&s, 0)->t, duration, 1e-8);
  assert_near_relative(component(&s.run, "ball.velocity", 2), v, 1e-8);
  scene_stop(&s);
}

/** A ball is drawn away from a clamped floor faster than its skin recovers, and slides on it: from where the
 *  spring and the damper would pull the normal force is zero, but the tangential springs hold on until the gap
 *  opens. Its lateral motion is then the free vibration of m on k_t, from the touch on. */
static void springs_outlive_the_clamp(void **state) {
  (void)state;
  const double v = 1.73, u = 0.043, gap = 0.0137, k = 2385, k_t = 391, zeta = 0.83;
  impact want = kelvin_voigt(zeta, k, true);
  solid b = ball(gap, -v, 0);
  b.velocity[0] = u;
  memcpy(b.inertia, (double[3]){1e9, 1e9, 1e9}, sizeof b.inertia); // it does not roll
  scene s = scene_start();
  add_solid(&s, "ball", &b);
  sb_material rubber = skin(k_t, k, 0);
  rubber.damping[0] = rubber.damping[1] = 0, rubber.damping[2] = 2 * zeta * sqrt(mass * k);
  skinned(&s, "c", "ball", floor_surface(), ball_surface(), rubber, law_of("linear", 0, 1, 0, 1));
  scene_run(&s, options_of("fehlberg-8", 1e-11));
  double touch = gap / v, omega = sqrt(k_t / mass), free_at = touch + 0.99 * want.duration;
  scene_advance(&s, free_at);
  assert_int_equal(ledger_of(&s.run)->event_count, 1);
  assert_true(component(&s.run, "c.gap", 0) < 0);
  assert_near(component(&s.run, "c.normal-force", 0), 0, 0);
  assert_near(component(&s.run, "c.store.e", 2) + component(&s.run, "c.dis.e", 2), 0, 0);
  assert_near(component(&s.run, "ball.velocity", 0), u * cos(omega * (free_at - touch)), 1e-9);
  scene_advance(&s, touch + 1.5 * want.duration);
  assert_string_equal(event(&s, 1)->kind, "release");
  assert_near(event(&s, 1)->t - touch, want.duration, 1e-9 * want.duration);
  double stretch = u / omega * sin(omega * want.duration);
  assert_near_relative(event(&s, 1)->loss, k_t * stretch * stretch / 2, 1e-7);
  assert_near(component(&s.run, "ball.velocity", 0), u * cos(omega * want.duration), 1e-9);
  scene_stop(&s);
}

/** Drawn out of a floor that it overlaps, the ball is clamped from the first instant. */
static void parts_at_the_start(void **state) {
  (void)state;
  const double depth = 0.0123, v = 3.1, k = 1742, factor = 0.01; // b v = 54 N, k depth = 21 N
  solid b = ball(-depth, v, 0);
  scene s = ball_on_floor(&b, law_of("linear", k, 1, factor, 1), options_of("fehlberg-8", 1e-11));
  scene_advance(&s, 0.01);
  const sb_ledger *ledger = ledger_of(&s.run);
  assert_near_relative(component(&s.run, "ball.velocity", 2), v, 1e-13);
  assert_near_relative(ledger->total.dissipated, k * depth * depth / 2, 1e-9);
  assert_near_relative(event(&s, ledger->event_count - 1)->t, depth / v, 1e-9);
  scene_stop(&s);
}

/** Two free spheres meet head on: the reduced mass sets the time, the momentum is kept. */
static void spheres_collide(void **state) {
  (void)state;
  const double r2 = 0.0711, m2 = 0.517, v = 2.385, k = 4170, share = 1 / (1 + mass / m2);
  double zeta = 0.23, m = mass * share, omega = sqrt(k / m), w = sqrt(1 - zeta * zeta);
  solid a = ball(0.2, v, 0), b = ball(0.2 + 2 * r2 + 0.03 - (r2 - radius), 0, 0);
  b.mass = m2;
  scene s = scene_start();
  add_solid(&s, "a", &a);
  add_solid(&s, "b", &b);
  touchable(&s, "c", "a", ball_surface(), "b", sb_surface_sphere(r2, (sb_vec3){0, 0, 0}),
            law_of("linear", k, 1, 2 * zeta * sqrt(m / k), 0));
  scene_run(&s, options_of("fehlberg-8", 1e-11));
  double gap = b.position[2] - a.position[2] - r2 - radius;
  scene_advance(&s, 0.2);
  double e = exp(-pi * zeta / w), u = mass * v / (mass + m2);
  assert_near_relative(event(&s, 0)->t, gap / v, 1e-10);
  assert_near_relative(event(&s, 1)->t - event(&s, 0)->t, pi / (w * omega), 1e-8);
  assert_near(component(&s.run, "b.velocity", 2), u * (1 + e), 1e-8);
  assert_near(component(&s.run, "a.velocity", 2), u * (1 + e) - e * v, 1e-8);
  assert_near_relative(component(&s.run, "a.momentum", 2) + component(&s.run, "b.momentum", 2),
                       mass * v, 1e-14);
  scene_stop(&s);
}

/** A damped ball settles where k d^n = m g. */
static void comes_to_rest(void **state) {
  (void)state;
  const double k = 1742, g = 9.81;
  solid b = ball(0.013, 0, g);
  scene s =
      ball_on_floor(&b, law_of("linear", k, 1, 0.01, 1), options_of("dormand-prince-5", 1e-9));
  scene_advance(&s, 5);
  // to a hundred rtol of what the momentum has been
  assert_near_relative(component(&s.run, "c.gap", 0), -mass * g / k, 1e-7);
  assert_near_relative(component(&s.run, "c.normal-force", 0), mass * g, 1e-7);
  assert_near(component(&s.run, "ball.velocity", 2), 0, 1e-8);
  scene_stop(&s);
}

/** What starts at rest but for the rounding of its place takes no more steps than what comes to rest: a ball d off its depth m g/k, 10 cm from
 *  the world's origin and 1 km away. */
static void rests_from_the_start(void **state) {
  static const double off[] = {0, 1e-14, 1e-12, 1e-10, 1e-8}, away[] = {0, 1000};
  (void)state;
  for (int i = 0; i < 4; i++) {
    const double k = i % 2 == 0 ? 1e4 : 1e6;
    long steps[5];
    for (int n = 0; n < 5; n++) {
      char text[900];
      (void)snprintf(
          text, sizeof text,
          "<screwbond version='1' id='rest'><laws><contact-law id='l' normal='linear' "
          "stiffness='%g N/m' damping='200 N.s/m'/></laws><mechanism gravity='0 0 -9.81 m/s^2'>"
          "<ground id='f'><shape kind='plane' normal='0 0 1'/></ground><body id='b' mass='1 kg' "
          "position='%g 0 %.17g m'><shape kind='sphere' radius='0.05 m'/></body>"
          "<contact id='c' a='f' b='b' law='l'/></mechanism><run t-end='3 s'/></screwbond>",
          k, away[i / 2], 0.05 - 9.81 / k + off[n]);
      run r = start_netlist(text);
      advance(&r, 3);
      assert_near(value(&r, "c.gap"), -9.81 / k, 1e-12);
      steps[n] = ledger_of(&r)->work.steps;
      stop(&r);
    }
    for (int n = 0; n < 4; n++) {
      assert_true(steps[n] < 2 * steps[4]);
    }
  }
}

/** At rest exactly in contact: z = -(m g / k)(1 - cos omega t), which never leaves the floor. */
static void starts_touching(void **state) {
  (void)state;
  const double k = 1742, g = 9.81, t = 0.733;
  solid b = ball(0, 0, g);
  scene s = ball_on_floor(&b, law_of("linear", k, 1, 0, 1), options_of("fehlberg-8", 1e-11));
  scene_advance(&s, t);
  assert_near(component(&s.run, "c.gap", 0), -mass * g / k * (1 - cos(sqrt(k / mass) * t)), 1e-9);
  assert_near(ledger_of(&s.run)->residual_relative, 0, 1e-9);
  scene_stop(&s);
}

/** Overlapping at the start by d: thrown off at d sqrt(k / m) after a quarter of a period. */
static void starts_overlapping(void **state) {
  (void)state;
  const double k = 1742, depth = 0.0123;
  solid b = ball(-depth, 0, 0);
  scene s = ball_on_floor(&b, law_of("linear", k, 1, 0, 1), options_of("fehlberg-8", 1e-11));
  assert_near_relative(ledger_of(&s.run)->total.stored_start, k * depth * depth / 2, 1e-12);
  scene_advance(&s, 0.1);
  const sb_ledger *ledger = ledger_of(&s.run);
  const sb_event *last = event(&s, ledger->event_count - 1);
  assert_string_equal(last->kind, "release");
  assert_near_relative(last->t, pi / 2 * sqrt(mass / k), 1e-9);
  assert_near_relative(component(&s.run, "ball.velocity", 2), depth * sqrt(k / mass), 1e-9);
  assert_near(ledger->residual_relative, 0, 1e-9);
  scene_stop(&s);
}

static void falls_from(double height, bool sphere, const sb_method *method, double rtol) {
  const double g = 9.81, axes[3] = {0.071, 0.052, 0.033};
  double touch = sqrt(2 * height / g);
  sb_quat q = sb_quat_from_axis_angle((sb_vec3){0.36, 0.48, 0.8}, 0.713);
  sb_pose pose = {sb_quat_rotation(q), {0, 0, 0}};
  sb_surface surface =
      sphere ? ball_surface()
             : sb_surface_ellipsoid((sb_vec3){axes[0], axes[1], axes[2]}, sb_pose_identity());
  double support = sb_surface_support(&surface, &pose, (sb_vec3){0, 0, -1}, NULL);
  solid b = ball(height + support - radius, 0, g);
  memcpy(b.rotation, (double[4]){q.w, q.x, q.y, q.z}, sizeof b.rotation);
  sb_options options = options_of(method->name, rtol);
  options.step = method->adaptive ? 0 : touch / 7.3;
  scene s = scene_start();
  add_solid(&s, "ball", &b);
  touchable(&s, "c", "floor", floor_surface(), "ball", surface, law_of("linear", 2385, 1, 0, 1));
  scene_run(&s, options);
  scene_advance(&s, touch * (1 + 1e-5));
  if (ledger_of(&s.run)->event_count != 1 || !(fabs(event(&s, 0)->t - touch) <= 1e-9 * touch)) {
    print_error("%s, rtol %g, %s from %g m\n", method->name, rtol, sphere ? "sphere" : "ellipsoid",
                height);
  }
  assert_int_equal(ledger_of(&s.run)->event_count, 1);
  assert_near_relative(event(&s, 0)->t, touch, 1e-9);
  scene_stop(&s);
}

/** Free fall is a parabola, which every method here follows exactly: only a contact that is passed
 *  by, or an event that is located badly, can be late. */
static void never_tunnels(void **state) {
  (void)state;
  const double heights[] = {1e-4, 1e-2, 1, 100, 1000}, rtols[] = {1e-3, 1e-6, 1e-9, 1e-11};
  for (const sb_method *method = sb_methods; method->name != NULL; method++) {
    bool any_storage = strstr(method->name, "gradient") == NULL; // discrete gradients: no bodies
    for (int i = 0; i < 5 && any_storage; i++) {
      for (int k = 0; k < 4; k++) {
        falls_from(heights[i], true, method, rtols[k]);
        falls_from(heights[i], false, method, rtols[k]);
      }
    }
  }
}

/** A ball flies past a fixed one at the distance (r1 + r2)(1 + miss). */
static void grazes(double miss, const char *method) {
  const double v = 1.73, r = 2 * radius, start = 0.42, b = r * (1 + miss);
  solid flying = ball(0, 0, 0);
  memcpy(flying.position, (double[3]){-start, 0.6 * b, 0.8 * b}, sizeof flying.position);
  memcpy(flying.velocity, (double[3]){v, 0, 0}, sizeof flying.velocity);
  scene s = scene_start();
  add_solid(&s, "ball", &flying);
  touchable(&s, "c", "floor", ball_surface(), "ball", ball_surface(),
            law_of("linear", 2385, 1, 0, 1));
  scene_run(&s, options_of(method, 1e-9));
  scene_advance(&s, 0.5);
  const sb_ledger *ledger = ledger_of(&s.run);
  if (miss > 0) {
    assert_int_equal(ledger->event_count, 0);
    assert_near(component(&s.run, "ball.velocity", 0), v, 1e-14);
  } else if (miss < 0) {
    double half = sqrt(r * r - b * b) / v; // the springs hardly turn the path
    assert_int_equal(ledger->event_count, 2);
    assert_near(event(&s, 0)->t, start / v - half, 1e-3 * half);
    assert_near(event(&s, 1)->t, start / v + half, 1e-3 * half);
  }
  assert_near(ledger->total.stored_end, mass * v * v / 2, 1e-10);
  scene_stop(&s);
}

static void grazing(void **state) {
  (void)state;
  const char *const methods[] = {"dormand-prince-5", "fehlberg-8", "bogacki-shampine-3"};
  for (int i = 0; i < 3; i++) {
    grazes(1e-9, methods[i]);
    grazes(0, methods[i]);
    grazes(-1e-8, methods[i]);
    grazes(-1e-6, methods[i]);
  }
}

/** Two balls that know nothing of each other reach the floor at the same instant. */
static void simultaneous(void **state) {
  (void)state;
  const double k = 2385, g = 9.81, height = 0.113;
  solid a = ball(height, 0, g), b = ball(height, 0, g);
  b.position[0] += 1.7;
  scene s = scene_start();
  add_solid(&s, "a", &a);
  add_solid(&s, "b", &b);
  touchable(&s, "c", "floor", floor_surface(), "a", ball_surface(), law_of("linear", k, 1, 0, 1));
  touchable(&s, "d", "floor", floor_surface(), "b", ball_surface(), law_of("linear", k, 1, 0, 1));
  scene_run(&s, options_of("fehlberg-8", 1e-11));
  double omega = sqrt(k / mass), v = sqrt(2 * g * height), touch = v / g;
  double duration = 2 * (pi - atan(omega * v / g)) / omega; // of x'' = g - omega^2 x from (0, v)
  scene_advance(&s, touch + 2 * duration);
  assert_int_equal(ledger_of(&s.run)->event_count, 4);
  for (int i = 0; i < 4; i++) {
    assert_near_relative(event(&s, i)->t, i < 2 ? touch : touch + duration, 1e-9);
  }
  assert_near(component(&s.run, "a.position", 2), component(&s.run, "b.position", 2), 1e-13);
  scene_stop(&s);
}

/** A ball pressed on the floor by its weight and turned about the vertical: the torsional spring
 *  makes it swing as w0 cos(sqrt(k_theta / J) t). */
static void torsional_spring(void **state) {
  (void)state;
  const double k = 2385, k_theta = 0.0417, g = 9.81, w0 = 3.7, t = 0.617;
  solid b = ball(-mass * g / k, 0, g);
  b.spin[2] = w0;
  scene s = scene_start();
  add_solid(&s, "ball", &b);
  skinned(&s, "c", "ball", floor_surface(), ball_surface(), skin(0, k, k_theta),
          law_of("linear", 0, 1, 0, 1));
  scene_run(&s, options_of("fehlberg-8", 1e-11));
  scene_advance(&s, t);
  double omega = sqrt(k_theta / b.inertia[2]);
  assert_near(component(&s.run, "ball.angular-velocity", 2), w0 * cos(omega * t), 1e-8);
  assert_near(component(&s.run, "c/elastic.theta", 0), w0 / omega * sin(omega * t), 1e-9);
  assert_near(component(&s.run, "c.gap", 0), -mass * g / k, 1e-12);
  scene_stop(&s);
}

/** The same with levers far larger than 1e15 m: the normal is no lever, whose rounding is taken for zero. */
static void torsional_spring_of_any_size(void **state) {
  (void)state;
  static const double sizes[] = {1e12, 1e17, 1e22}; // [m]
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const double size = sizes[i], k = 2385, k_theta = 0.0417 * size * size, w0 = 0.37, t = 0.617;
    const double g = 9.81 * size, j = 0.4 * mass * size * size;
    solid b = {.mass = mass,
               .inertia = {j, j, j},
               .gravity = {0, 0, -g},
               .position = {0.31 * size, -0.17 * size, size - mass * g / k},
               .spin = {0, 0, w0}};
    scene s = scene_start();
    add_solid(&s, "ball", &b);
    skinned(&s, "c", "ball", floor_surface(), sb_surface_sphere(size, (sb_vec3){0, 0, 0}),
            skin(0, k, k_theta), law_of("linear", 0, 1, 0, 1));
    scene_run(&s, options_of("fehlberg-8", 1e-11));
    scene_advance(&s, t);
    double omega = sqrt(k_theta / b.inertia[2]);
    assert_near(component(&s.run, "ball.angular-velocity", 2), w0 * cos(omega * t), 1e-8);
    assert_near(component(&s.run, "c/elastic.theta", 0), w0 / omega * sin(omega * t), 1e-9);
    scene_stop(&s);
  }
}

/** A block on three round feet stands on a slope: it does not creep, and the tangential springs
 *  carry m g sin(slope). */
static void rests_on_a_slope(void **state) {
  (void)state;
  const double m = 1.237, g = 9.81, slope = 0.317, foot = 0.01, k_t = 3170, k_n = 5230;
  const double feet[3][2] = {{0.1, 0}, {-0.06, 0.08}, {-0.04, -0.08}};
  sb_surface plane = sb_surface_plane((sb_vec3){sin(slope), 0, cos(slope)}, 0);
  sb_quat q = sb_quat_from_axis_angle((sb_vec3){0, 1, 0}, slope);
  solid b = {.mass = m, .inertia = {0.006, 0.007, 0.009}, .gravity = {0, 0, -g}};
  memcpy(b.rotation, (double[4]){q.w, q.x, q.y, q.z}, sizeof b.rotation);
  memcpy(b.position, (double[3]){0.04 * sin(slope), 0, 0.04 * cos(slope)}, sizeof b.position);
  scene s = scene_start();
  add_solid(&s, "block", &b);
  const char *const ids[] = {"c0", "c1", "c2"};
  for (int i = 0; i < 3; i++) {
    sb_vec3 at = {feet[i][0], feet[i][1], foot - 0.04};
    skinned(&s, ids[i], "block", plane, sb_surface_sphere(foot, at), skin(k_t, k_n, 0.2),
            law_of("linear", 0, 1, 0.01, 1));
  }
  scene_run(&s, options_of("dormand-prince-5", 1e-8));
  double before[3], after[3], carried = 0, pressed = 0;
  scene_advance(&s, 10);
  read_all(&s.run, "block.position", before);
  scene_advance(&s, 100);
  read_all(&s.run, "block.position", after);
  for (int i = 0; i < 3; i++) {
    char name[32];
    double w[6];
    (void)snprintf(name, sizeof name, "c%d.body2.e", i);
    read_all(&s.run, name, w);
    carried += w[3] * cos(slope) - w[5] * sin(slope);
    pressed += w[3] * sin(slope) + w[5] * cos(slope);
    assert_near(after[i], before[i], 1e-9);
  }
  assert_near_relative(carried, -m * g * sin(slope), 1e-7);
  assert_near_relative(pressed, m * g * cos(slope), 1e-7);
  assert_near(component(&s.run, "block.velocity", 0), 0, 1e-9);
  scene_stop(&s);
}

/** Two ellipsoids, one above the other, fall on the floor; frictionless and undamped, or with the
 *  tangential springs and the damping 4 s/m |gap| K of the example. */
static scene two_ellipsoids(bool damped, sb_options options) {
  const double axes[2][3] = {{0.15, 0.12, 0.08}, {0.24, 0.16, 0.14}}, masses[2] = {1.0, 0.8};
  const double turn = pi / 180, heights[2] = {0.16, 0.45};
  const sb_quat q[2] = {sb_quat_from_axis_angle((sb_vec3){0, 1, 0}, 6 * turn),
                        sb_quat_from_axis_angle((sb_vec3){0.2, 1, 0}, 30 * turn)};
  const char *const names[3] = {"grey", "black", "floor"};
  sb_surface surface[3] = {[2] = floor_surface()};
  scene s = scene_start();
  for (int i = 0; i < 2; i++) {
    double a = axes[i][0] * axes[i][0], b = axes[i][1] * axes[i][1], c = axes[i][2] * axes[i][2];
    double m5 = masses[i] / 5;
    solid body = {.mass = masses[i],
                  .inertia = {m5 * (b + c), m5 * (a + c), m5 * (a + b)},
                  .gravity = {0, 0, -9.81},
                  .position = {0, 0, heights[i]},
                  .rotation = {q[i].w, q[i].x, q[i].y, q[i].z}};
    add_solid(&s, names[i], &body);
    surface[i] =
        sb_surface_ellipsoid((sb_vec3){axes[i][0], axes[i][1], axes[i][2]}, sb_pose_identity());
  }
  const int pairs[3][2] = {{2, 0}, {0, 1}, {2, 1}};
  const char *const ids[3] = {"floor-grey", "grey-black", "floor-black"};
  for (int k = 0; k < 3; k++) {
    sb_contact_spec spec = {.id = ids[k], .law = law_of("hunt-crossley", 0, 1, damped ? 4 : 0, 0)};
    for (int i = 0; i < 2; i++) {
      int j = pairs[k][i];
      spec.body[i] = names[j];
      spec.surface[i] = surface[j];
      spec.material[i] = skin(damped ? (j == 2 ? 3000 : 1500) : 0, j == 2 ? 4000 : 2000,
                              damped ? (j == 2 ? 3 : 2) : 0);
      memset(spec.material[i].damping, 0, sizeof spec.material[i].damping);
      spec.material[i].spin_damping = 0;
    }
    sb_error err = {0};
    ok(sb_contact_add(s.graph, &spec, &err), &err);
  }
  scene_run(&s, options);
  return s;
}

static int opposite_wrenches(void *context, const sb_simulation *sim, double t) {
  const scene *s = context;
  (void)t, (void)sim;
  double w1[6], w2[6];
  read_all(&s->run, "grey-black.body1.e", w1);
  read_all(&s->run, "grey-black.body2.e", w2);
  for (int i = 0; i < 6; i++) {
    assert_true(w1[i] + w2[i] == 0);
  }
  return 0;
}

static double energy_drift(double rtol) {
  scene s = two_ellipsoids(false, options_of("fehlberg-8", rtol));
  sb_error err = {0};
  ok(sb_simulation_run(s.run.sim, 0.9, 0.01, opposite_wrenches, &s, &err), &err);
  const sb_ledger *ledger = ledger_of(&s.run);
  double drift = fabs(ledger->total.stored_end / ledger->total.stored_start - 1);
  assert_true(ledger->event_count >= 2);
  assert_near(ledger->total.dissipated, 0, 0);
  scene_stop(&s);
  return drift;
}

static void ellipsoids_keep_their_energy(void **state) {
  (void)state;
  assert_near(energy_drift(1e-9), 0, 1e-8);
  assert_near(energy_drift(1e-11), 0, 1e-10);
}

/** Runs the damped scene; returns the ledger's residual. @param times (4) out */
static double damped_drop(const char *method, double rtol, double times[4]) {
  scene s = two_ellipsoids(true, options_of(method, rtol));
  sb_error err = {0};
  ok(sb_simulation_run(s.run.sim, 1.2, 0.01, opposite_wrenches, &s, &err), &err);
  const sb_ledger *ledger = ledger_of(&s.run);
  const char *const want[4][2] = {{"touch", "floor-grey"},
                                  {"touch", "grey-black"},
                                  {"touch", "floor-black"},
                                  {"release", "grey-black"}};
  assert_int_equal(ledger->event_count, 4);
  for (int i = 0; i < 4; i++) {
    assert_string_equal(event(&s, i)->kind, want[i][0]);
    assert_string_equal(event(&s, i)->element, want[i][1]);
    times[i] = event(&s, i)->t;
  }
  double residual = ledger->residual_relative;
  scene_stop(&s);
  return residual;
}

static void ellipsoids_meet_their_energy_balance(void **state) {
  (void)state;
  const char *const methods[] = {"dormand-prince-5", "fehlberg-8"};
  double times[2][4], angle = pi / 30;
  double support = sqrt(pow(0.15 * sin(angle), 2) + pow(0.08 * cos(angle), 2));
  for (int i = 0; i < 2; i++) {
    double loose = damped_drop(methods[i], 1e-7, times[i]);
    double tight = damped_drop(methods[i], 1e-9, times[i]);
    assert_near(tight, 0, 1e-8);
    assert_true(tight <= 0.1 * loose);
    (void)damped_drop(methods[i], 1e-10, times[i]);
    assert_near(times[i][0], sqrt(2 * (0.16 - support) / 9.81), 1e-10);
    assert_near(times[i][0], 0.126835558, 5e-10);
  }
  for (int k = 0; k < 4; k++) {
    assert_near(times[0][k], times[1][k], 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(kelvin_voigt_restitution),
      repeating_test(hunt_crossley_restitution),
      cmocka_unit_test(hertz_impact),
      cmocka_unit_test(springs_outlive_the_clamp),
      cmocka_unit_test(parts_at_the_start),
      cmocka_unit_test(spheres_collide),
      cmocka_unit_test(comes_to_rest),
      repeating_test(rests_from_the_start),
      cmocka_unit_test(starts_touching),
      cmocka_unit_test(starts_overlapping),
      repeating_test(never_tunnels),
      cmocka_unit_test(grazing),
      cmocka_unit_test(simultaneous),
      cmocka_unit_test(torsional_spring),
      cmocka_unit_test(torsional_spring_of_any_size),
      repeating_test(rests_on_a_slope),
      repeating_test(ellipsoids_keep_their_energy),
      repeating_test(ellipsoids_meet_their_energy_balance),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
