// SPDX-License-Identifier: GPL-3.0-or-later
// Contacts that exist only while their bodies are near: the motion, the events and the ledger are those of all pairs;
// whatever moves how fast, none is missing; and every fault is told in its place.
#include "tests/fixture.h"

#include "contact/crowd.h"
#include "contact/sweep.h"

enum { TEXT = 40000 };

static double random_in(double low, double high) {
  return low + (high - low) * rand() / RAND_MAX;
}

/** What is different between the netlists that are compared. */
typedef struct scene {
  int bodies;
  bool ellipsoids, slips, reversed, rigid;
  const char *pairs; // attributes of <contacts>
  double rtol, span; // [s]
  double swirl;      // [m/s] of the bodies at the start
} scene;

static char *append(char *at, const char *format, ...) __attribute__((format(printf, 2, 3)));
static char *append(char *at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  at += vsprintf(at, format, args);
  va_end(args);
  return at;
}

static char *append_body(char *at, const scene *s, int k) {
  double p[3] = {0.25 * (k % 2) + random_in(-0.01, 0.01),
                 0.25 * (k / 2 % 2) + random_in(-0.01, 0.01),
                 0.15 + 0.27 * (k / 4) + random_in(-0.01, 0.01)};
  at = append(at, "<body id='b%d' mass='1 kg' material='m' position='%.17g %.17g %.17g m' ", k,
              p[0], p[1], p[2]);
  at = append(at, "velocity='%.17g %.17g %.17g m/s' angular-velocity='3 %.17g 1 rad/s'>",
              s->swirl * random_in(-1, 1), s->swirl * random_in(-1, 1), s->swirl * random_in(-1, 1),
              random_in(-5, 5));
  return append(at, s->ellipsoids ? "<shape kind='ellipsoid' semi-axes='0.12 0.1 0.08 m'/></body>"
                                  : "<shape kind='sphere' radius='0.1 m'/></body>");
}

/** Bodies that fall into a bowl of five planes and onto each other. */
static void write_scene(const scene *s, char text[TEXT]) {
  static const char *const planes[5] = {"0 0 1", "1 0 0.5", "-1 0 0.5", "0 1 0.5", "0 -1 0.5"};
  static const double offsets[5] = {0, -0.1, -0.3, -0.1, -0.3};
  char *at = append(text,
                    "<screwbond version='1' id='crowd'><materials><material id='m' "
                    "stiffness='2e4 2e4 3e4 N/m' spin-stiffness='20 N.m/rad'/></materials>"
                    "<laws><contact-law id='l' %s %s/></laws>"
                    "<mechanism gravity='0 0 -9.81 m/s^2'>",
                    s->rigid   ? "normal='rigid' restitution='0.6'"
                    : s->slips ? "normal='hunt-crossley' exponent='1' damping-factor='0.3 s/m'"
                               : "normal='hunt-crossley' exponent='1' damping-factor='0 s/m'",
                    s->slips ? "friction='coulomb' mu='0.3' friction-radius='1 cm' "
                               "friction-damping='1 ms'"
                             : "friction='none'");
  srand(11);
  for (int k = 0; k < 5; k++) {
    at = append(at, "<ground id='g%d'><shape kind='plane' normal='%s' offset='%g m'/></ground>", k,
                planes[k], offsets[k]);
  }
  for (int k = 0; k < s->bodies; k++) {
    at = append_body(at, s, k);
  }
  at = append(at, "<contacts law='l' %s among='g0 g1 g2 g3 g4", s->pairs);
  for (int k = 0; k < s->bodies; k++) {
    at = append(at, " b%d", s->reversed ? s->bodies - 1 - k : k);
  }
  at = append(at, "'/></mechanism><run t-end='9 s' method='fehlberg-8' rtol='%g'/></screwbond>",
              s->rtol);
  assert_true(at - text < TEXT);
}

static run run_scene(scene s) {
  static char text[TEXT];
  write_scene(&s, text);
  run r = start_netlist(text);
  advance(&r, s.span);
  return r;
}

static void read_named(const run *r, const char *name, double out[]) {
  sb_quantity quantity;
  sb_error err = {0};
  ok(sb_model_find(r->model, name, &quantity, &err), &err);
  sb_simulation_read(r->sim, &quantity, out);
}

/** The largest difference of a position [m]. */
static double distance(const run *a, const run *b, int bodies) {
  double worst = 0;
  for (int k = 0; k < bodies; k++) {
    char name[30];
    double p[3], q[3];
    (void)snprintf(name, sizeof name, "b%d.position", k);
    read_named(a, name, p);
    read_named(b, name, q);
    for (int i = 0; i < 3; i++) {
      worst = fmax(worst, fabs(p[i] - q[i]));
    }
  }
  return worst;
}

static const sb_account *account_of(const sb_ledger *ledger, const char *id) {
  for (int i = 0; i < ledger->element_count; i++) {
    if (strcmp(ledger->elements[i].id, id) == 0) {
      return &ledger->elements[i];
    }
  }
  return NULL;
}

/** Events are the same, in the same order, and what every element took up or lost. */
static void compare_ledgers(const sb_ledger *all, const sb_ledger *near) {
  assert_int_equal(all->event_count, near->event_count);
  for (int i = 0; i < all->event_count; i++) {
    assert_near(near->events[i].t, all->events[i].t, 1e-10);
    assert_string_equal(near->events[i].kind, all->events[i].kind);
    assert_string_equal(near->events[i].element, all->events[i].element);
    assert_near(near->events[i].loss, all->events[i].loss, 1e-9);
  }
  for (int i = 0; i < all->element_count; i++) {
    const sb_account *a = &all->elements[i], *b = account_of(near, a->id);
    assert_near(b == NULL ? 0 : b->dissipated, a->dissipated, 1e-9);
    assert_near(b == NULL ? 0 : b->event_loss, a->event_loss, 1e-9);
    assert_near(b == NULL ? 0 : b->stored_end, a->stored_end, 1e-8);
  }
  assert_near(near->total.dissipated, all->total.dissipated, 1e-9);
  assert_near(near->total.stored_end, all->total.stored_end, 1e-8);
  assert_true(near->residual_relative <= 1e-9);
  assert_near(near->structure.residual_relative, 0, 1e-12);
  assert_int_equal(near->passivity.violations, 0);
}

static void compare(scene s) {
  s.pairs = "pairs='all'";
  run all = run_scene(s);
  s.pairs = "pairs='near' margin='2 cm'";
  run near = run_scene(s);
  assert_true(ledger_of(&all)->event_count > 20);
  assert_true(sb_model_element_count(near.model) < sb_model_element_count(all.model) / 2);
  assert_near(distance(&all, &near, s.bodies), 0, 1e-10);
  compare_ledgers(ledger_of(&all), ledger_of(&near));
  stop(&all);
  stop(&near);
}

static void near_pairs_do_what_all_do(void **state) {
  (void)state;
  compare((scene){.bodies = 10, .rtol = 1e-12, .span = 0.25, .swirl = 0.5});
}

static void near_pairs_slip_as_all_do(void **state) {
  (void)state;
  compare((scene){.bodies = 6, .slips = true, .rtol = 1e-12, .span = 0.2, .swirl = 1});
}

static void near_ellipsoids_do_what_all_do(void **state) {
  (void)state;
  compare((scene){.bodies = 8, .ellipsoids = true, .rtol = 1e-12, .span = 0.2, .swirl = 0.5});
}

/** Near pairs cost few steps, and where steps are long, as between impacts of rigid bodies, at most one more for each list. */
static void near_pairs_step_as_all_do(void **state) {
  (void)state;
  scene s = {.bodies = THOROUGH ? 20 : 10, .rigid = true, .rtol = 1e-8, .span = 0.3, .swirl = 0.5};
  run r[2];
  for (int i = 0; i < 2; i++) {
    s.pairs = i ? "pairs='near'" : "pairs='all'";
    r[i] = run_scene(s);
  }
  const long all = ledger_of(&r[0])->work.steps, near = ledger_of(&r[1])->work.steps;
  assert_true(ledger_of(&r[0])->event_count > (THOROUGH ? 60 : 15));
  compare_ledgers(ledger_of(&r[0]), ledger_of(&r[1]));
  assert_near(distance(&r[0], &r[1], s.bodies), 0, 1e-10);
  assert_true(5 * near < 6 * all);
  stop(&r[0]);
  stop(&r[1]);
}

/** One step for nearly all of a margin: a ball alone glides 20 m by margins of 10 cm, of which each list uses at least 3/4. */
static void steps_use_the_margin(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='glide'><materials><material id='m' stiffness='0 0 1e5 N/m'/>"
      "</materials><laws><contact-law id='l' normal='linear'/></laws>"
      "<mechanism gravity='0 0 0 m/s^2'><body id='a' mass='1 kg' material='m' velocity='2 0 0 m/s'>"
      "<shape kind='sphere' radius='1 cm'/></body><body id='b' mass='1 kg' material='m' "
      "position='0 1 0 m'><shape kind='sphere' radius='1 cm'/></body>"
      "<contacts law='l' pairs='near' margin='10 cm' among='a b'/></mechanism>"
      "<run t-end='10 s' method='dormand-prince-5'/></screwbond>");
  advance(&r, 10);
  assert_in_range(ledger_of(&r)->work.steps, 20 / 0.1, 20 / 0.075 + 10);
  stop(&r);
}

/** Named in another order, with another margin. */
static void order_does_not_matter(void **state) {
  (void)state;
  scene s = {.bodies = 10, .rtol = 1e-12, .span = 0.2, .swirl = 0.5, .pairs = "pairs='near'"};
  run a = run_scene(s);
  s.reversed = true;
  s.pairs = "pairs='near' margin='5 mm'";
  run b = run_scene(s);
  assert_near(distance(&a, &b, s.bodies), 0, 1e-10);
  assert_int_equal(ledger_of(&a)->event_count, ledger_of(&b)->event_count);
  stop(&a);
  stop(&b);
}

/** A ball flies past others at 300 m/s, through many margins in what would be one step, and hits the last: by
 *  momentum and energy it stops there, and the last goes on with its speed. */
static void nothing_is_passed_through(void **state) {
  (void)state;
  char text[TEXT], *at = text;
  at = append(at, "<screwbond version='1' id='shot'><materials><material id='m' stiffness="
                  "'0 0 1e9 N/m'/></materials><laws><contact-law id='l' normal='linear'/></laws>"
                  "<mechanism><body id='shot' mass='1 kg' material='m' position='-3 0 0 m' "
                  "velocity='300 0 0 m/s'><shape kind='sphere' radius='1 cm'/></body>");
  for (int k = 0; k < 12; k++) {
    at = append(at,
                "<body id='b%d' mass='1 kg' material='m' position='%g %g 0 m'>"
                "<shape kind='sphere' radius='1 cm'/></body>",
                k, 0.5 * k, k < 11 ? 0.03 : 0);
  }
  at = append(at, "<contacts law='l' pairs='near' margin='4 mm' among='shot");
  for (int k = 0; k < 12; k++) {
    at = append(at, " b%d", k);
  }
  (void)append(at, "'/></mechanism><run t-end='1 s' method='dormand-prince-5' rtol='1e-10'/>"
                   "</screwbond>");
  run r = start_netlist(text);
  advance(&r, 0.03);
  double v[3];
  read_named(&r, "shot.velocity", v);
  assert_near(v[0], 0, 1e-6);
  read_named(&r, "b11.velocity", v);
  assert_near(v[0], 300, 1e-6);
  assert_int_equal(ledger_of(&r)->event_count, 2);
  assert_string_equal(ledger_of(&r)->events[0].element, "contact(shot,b11)");
  // 8.5 m less two radii
  assert_near(ledger_of(&r)->events[0].t, 8.48 / 300, 1e-12);
  stop(&r);
}

/** An account goes on where a pair meets again: a ball that bounces between two others. */
static void accounts_come_back(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='again'><materials><material id='m' stiffness='0 0 1e5 N/m'/>"
      "</materials><laws><contact-law id='l' normal='hunt-crossley' exponent='1' "
      "damping-factor='0.1 s/m'/></laws><mechanism>"
      "<ground id='left'><shape kind='plane' normal='1 0 0'/></ground>"
      "<ground id='right'><shape kind='plane' normal='-1 0 0' offset='-1 m'/></ground>"
      "<body id='ball' mass='1 kg' material='m' position='0.5 0 0 m' velocity='2 0 0 m/s'>"
      "<shape kind='sphere' radius='1 cm'/></body>"
      "<contacts law='l' pairs='near' margin='2 cm' among='left right ball'/></mechanism>"
      "<run t-end='9 s' method='dormand-prince-5' rtol='1e-10'/></screwbond>");
  advance(&r, 4);
  const sb_ledger *ledger = ledger_of(&r);
  double sum = 0;
  for (int i = 0; i < ledger->element_count; i++) {
    sum += ledger->elements[i].dissipated;
  }
  assert_true(ledger->event_count >= 10);
  assert_near(sum, ledger->total.dissipated, 1e-14);
  assert_near(ledger->total.stored_start - ledger->total.stored_end, sum, 1e-8);
  assert_true(account_of(ledger, "contact(left,ball)/damper")->dissipated > 0.1);
  assert_true(account_of(ledger, "contact(right,ball)/damper")->dissipated > 0.1);
  assert_true(ledger->residual_relative <= 1e-8);
  stop(&r);
}

/** How deep a contact was is told though its pair has gone, and once though it meets again. Springs of 400 N/m under 1 kg: the depth
 *  2 m/s / (20 1/s) = 0.1 m is a fourth of the radii 0.3 + 0.1 m on the left and half of 0.1 + 0.1 m on the right. */
static void depths_of_those_gone(void **state) {
  (void)state;
  run r = start_netlist(
      "<screwbond version='1' id='deep'><materials><material id='m' stiffness='0 0 400 N/m'/>"
      "</materials><mechanism><ground id='left'>"
      "<shape kind='sphere' radius='0.3 m' at='-1 0 0 m'/></ground><ground id='right'>"
      "<shape kind='sphere' radius='0.1 m' at='1 0 0 m'/></ground>"
      "<body id='ball' mass='1 kg' material='m' velocity='2 0 0 m/s'>"
      "<shape kind='sphere' radius='0.1 m'/></body>"
      "<contacts pairs='near' margin='2 cm' among='left right ball'/></mechanism>"
      "<run t-end='9 s' method='dormand-prince-5' rtol='1e-9'/>"
      "<output of='contact(right,ball).gap'/></screwbond>");
  for (double t = 1.2; t < 4; t += 1.5) { // the right one touches from 0.4 and 2.1 s on, for 0.16 s
    double gap;
    sb_errors warnings = {0};
    advance(&r, t);
    read_named(&r, "contact(right,ball).gap", &gap);
    assert_true(isnan(gap) || gap > 0.2);
    assert_int_equal(sb_simulation_remarks(r.sim, &warnings), SB_OK);
    assert_int_equal(warnings.count, 1);
    static const char words[] = "'contact(right,ball)': the depth ratio came to ";
    assert_int_equal(strncmp(warnings.items[0].text, words, sizeof words - 1), 0);
    assert_near(strtod(warnings.items[0].text + sizeof words - 1, NULL), 0.5, 0.01);
    sb_errors_finish(&warnings);
  }
  stop(&r);
}

/** A pair that touches is one of the crowd that has it, and not of another that leaves it out: the same with near pairs as with all,
 *  and in either order. */
static void crowds_leave_each_other_their_pairs(void **state) {
  (void)state;
  run r[3];
  for (int i = 0; i < 3; i++) {
    char text[2000];
    const char *pairs = i ? "pairs='near' margin='5 cm'" : "pairs='all'";
    char crowds[2][200];
    (void)snprintf(crowds[0], sizeof crowds[0], "<contacts among='g b0' %s law='l'/>", pairs);
    (void)snprintf(crowds[1], sizeof crowds[1],
                   "<contacts among='g b0 b1' except='g,b0' %s law='l'/>", pairs);
    (void)snprintf(
        text, sizeof text,
        "<laws><contact-law id='l' normal='linear' stiffness='3000 N/m' damping='3 N.s/m'/></laws>"
        "<mechanism gravity='0 0 -9.81 m/s^2'><ground id='g'><shape kind='plane' normal='0 0 "
        "1'/></ground>"
        "<body id='b0' mass='0.1 kg' position='0 0 0.12 m' velocity='1 0 0 m/s'><shape "
        "kind='sphere' "
        "radius='0.1 m'/></body><body id='b1' mass='0.1 kg' position='1 0 0.12 m' velocity='-1 0 0 "
        "m/s'>"
        "<shape kind='sphere' radius='0.1 m'/></body>%s%s</mechanism>",
        crowds[i == 2], crowds[i != 2]);
    r[i] = start(text, 1e-8, 0);
    advance(&r[i], 1);
  }
  for (int i = 0; i < 3; i++) {
    assert_near(component(&r[i], "b0.position", 0), component(&r[0], "b0.position", 0), 1e-9);
    assert_near(component(&r[i], "b1.position", 2), component(&r[0], "b1.position", 2), 1e-9);
  }
  for (int i = 0; i < 3; i++) {
    stop(&r[i]);
  }
}

/** A surface that recovers, with u' = -(k/b) u, while its ball is beyond the margin: the pair lasts, and the ball meets the
 *  surface again where all pairs do, which test_recovery.c compares with closed forms. The energy goes to the damper. */
static void surfaces_recover_though_far(void **state) {
  (void)state;
  run r[2];
  for (int i = 0; i < 2; i++) {
    char text[2000];
    (void)snprintf(
        text, sizeof text,
        "<screwbond version='1' id='t'><laws><contact-law id='l' normal='linear' stiffness='1000 "
        "N/m' "
        "damping='1000 N.s/m' recovery='yes'/></laws><mechanism gravity='0 0 0 m/s^2'><ground "
        "id='F'>"
        "<shape kind='plane' normal='0 0 1'/></ground><body id='b' mass='1 kg' position='0 0 .1 m' "
        "velocity='0 0 -1 m/s'><shape kind='sphere' radius='0.1 m'/></body><body id='d' mass='1 "
        "kg' "
        "position='0 0 3 m'><shape kind='sphere' radius='0.1 m'/></body><Wrench id='w' on='b' "
        "force-z='-20[N]+if(t&gt;0.3[s], 60[N], 0[N])-if(t&gt;0.36[s], 80[N], 0[N])'/>"
        "<contacts among='F d b' pairs='%s' %s law='l'/></mechanism>"
        "<run t-end='0.6 s' rtol='1e-10'/></screwbond>",
        i ? "near" : "all", i ? "margin='2 mm'" : "");
    r[i] = start_netlist(text);
    advance(&r[i], 0.6);
  }
  const sb_ledger *near = ledger_of(&r[1]);
  compare_ledgers(ledger_of(&r[0]), near);
  assert_near(distance(&r[0], &r[1], 0), 0, 0);
  assert_near(component(&r[1], "b.position", 2), component(&r[0], "b.position", 2), 1e-12);
  // by an independent integration of both motions
  assert_near(event_time(&r[1], "touch", 1), 0.50390730148, 1e-10);
  assert_near(near->total.event_loss, 0, 1e-15);
  stop(&r[0]);
  stop(&r[1]);
}

/** A pair that an output names is there though it is far; others are not-a-number. */
static void named_pairs_stay(void **state) {
  (void)state;
  static const char bodies[] =
      "<screwbond version='1' id='pins'><materials><material id='m' stiffness='0 0 1e5 N/m'/>"
      "</materials><mechanism>"
      "<body id='a' mass='1 kg' material='m'><shape kind='sphere' radius='1 cm'/></body>"
      "<body id='b' mass='1 kg' material='m' position='3 0 0 m'><shape kind='sphere' "
      "radius='1 cm'/></body>"
      "<body id='c' mass='1 kg' material='m' position='6 0 0 m' velocity='1 0 0 m/s'>"
      "<shape kind='sphere' radius='1 cm'/></body><body id='d' mass='1 kg' material='m' "
      "position='6.021 0 0 m'><shape kind='sphere' radius='1 cm'/></body>"
      "<contacts pairs='near' margin='1 cm' among='a b c d'/></mechanism>"
      "<run t-end='2 s' method='dormand-prince-5'/><output of='contact(a,b).gap'/></screwbond>";
  run r = start_netlist(bodies);
  double gap;
  advance(&r, 1);
  read_named(&r, "contact(a,b).gap", &gap);
  assert_near(gap, 2.98, 1e-12);
  read_named(&r, "contact(c,d).gap", &gap); // c has hit d, which went on with 1 m/s
  assert_true(isnan(gap));
  stop(&r);
}

/** Each message stands at the line of what it is about. */
static void faults_are_told(void **state) {
  (void)state;
  static const struct {
    const char *inside, *text;
    int line;
  } faults[] = {
      {"<contacts pairs='some' among='a b'/>", "pairs cannot be 'some'", 9},
      {"<contacts pairs='near' margin='-1 mm' among='a b'/>", "margin must not be negative", 9},
      {"<contacts pairs='near' margin='1 kg' among='a b'/>",
       "the unit 'kg' does not fit: expected a unit like m", 9},
      {"<contacts pairs='near' among='a b' except='a'/>", "'a' is no pair", 9},
      {"<contacts pairs='all' among='a b' except='a,e'/>",
       "'e' is not among those of these contacts", 9},
      {"<contacts among='a b c' except='b,b'/>", "'b,b' names one body twice", 9},
      {"<contacts pairs='near' among='a b c'/>\n<contact a='c' b='a'/>",
       "'c' and 'a' have a contact in line 10 already", 9},
      {"<contacts pairs='near' among='a b c'/>\n<contacts pairs='near' among='b c'/>",
       "'b' and 'c' have a contact in line 9 already", 10},
      // a pair that the second has in common with the first, not with the one between
      {"<contacts pairs='near' among='a b'/>\n<contacts pairs='near' among='a c'/>\n"
       "<contacts pairs='near' among='b a'/>",
       "'b' and 'a' have a contact in line 9 already", 11},
      {"<contacts pairs='near' among='a b'/>\n<contacts among='b a'/>",
       "'b' and 'a' have a contact in line 10 already", 9},
      {"<contacts pairs='near' among='a p q'/>",
       "a contact between the shapes plane and plane is not supported", 9},
      {"<contacts pairs='near' among='a soft'/>", "the normal stiffness of the pair is zero", 9},
      {"<contacts pairs='near' among='a bare'/>", "'bare' is in a contact but has no shape", 9},
      {"<contacts pairs='near' among='p q' margin='0 m'/>",
       "contacts need a positive margin: no moving shape has a size to take it from", 9},
      {"<contacts pairs='near' among='a b b'/>", "'b' is named twice", 9},
  };
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    char text[4000];
    sb_netlist *netlist = NULL;
    sb_errors errors = {0};
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='faults'><materials><material id='m' stiffness='0 0 "
                   "1e5 N/m'/>\n<material id='none' stiffness='1e3 1e3 0 "
                   "N/m'/></materials><mechanism>\n<body id='a' mass='1 "
                   "kg' material='m'><shape kind='sphere' radius='1 cm'/></body>\n<body id='b' "
                   "mass='1 kg' material='m'><shape kind='sphere' radius='1 cm'/></body>\n<body "
                   "id='c' mass='1 kg' material='m'><shape kind='sphere' radius='1 cm'/></body>\n"
                   "<ground id='bare'/><body id='soft' mass='1 kg' material='none'><shape "
                   "kind='sphere' radius='1 cm'/></body>\n<body id='p' mass='1 kg' inertia='1 1 1 "
                   "kg.m^2' material='m'><shape kind='plane' normal='0 0 1'/></body>\n<body "
                   "id='q' mass='1 kg' inertia='1 1 1 kg.m^2' material='m'><shape kind='plane' "
                   "normal='1 0 0'/></body>\n%s</mechanism></screwbond>",
                   faults[i].inside);
    sb_status status = sb_netlist_parse("test.xml", text, strlen(text), NULL, 0, &netlist, &errors);
    bool told = false;
    for (int k = 0; k < errors.count; k++) {
      told = told || (strncmp(errors.items[k].text, faults[i].text, strlen(faults[i].text)) == 0 &&
                      errors.items[k].line == faults[i].line);
    }
    if (!told) {
      print_error("fault %d: %s\n", (int)i, faults[i].inside);
      show_errors(&errors);
    }
    assert_true(told);
    assert_true(status != SB_OK);
    sb_errors_finish(&errors);
    sb_netlist_destroy(netlist);
  }
}

/** Against all pairs of boxes, one by one. */
static void sweeping_finds_all_pairs(void **state) {
  (void)state;
  srand(3);
  for (int trial = 0; trial < 40; trial++) {
    enum { MOST = 60 };
    sb_sweep sweep = {0};
    sb_vec3 center[MOST];
    double reach[MOST];
    int count = trial == 0 ? 0 : 1 + rand() % MOST, next = 0;
    for (int i = 0; i < count; i++) {
      center[i] = (sb_vec3){random_in(-1, 1), random_in(-3, 3), random_in(-1, 1)};
      reach[i] = rand() % 15 == 0 ? HUGE_VAL : random_in(0, 0.3);
      assert_true(sb_sweep_add(&sweep, i, center[i], reach[i]));
    }
    assert_true(sb_sweep_run(&sweep));
    for (int i = 0; i < count; i++) {
      for (int j = i + 1; j < count; j++) {
        sb_vec3 d = sb_vec3_sub(center[j], center[i]);
        double most = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
        if (most <= reach[i] + reach[j]) {
          assert_true(next < sweep.pair_count);
          assert_int_equal(sweep.pairs[next][0], i);
          assert_int_equal(sweep.pairs[next++][1], j);
        }
      }
    }
    assert_int_equal(next, sweep.pair_count);
    sb_sweep_finish(&sweep);
  }
}

/** As many as you like may happen at once: a hundred balls, pressed into a floor at the start, touch and stick there at one time. They
 *  come to rest m g/K deep. */
static void a_hundred_stick_at_once(void **state) {
  (void)state;
  enum { ACROSS = 10 };
  static char text[TEXT];
  char *at = append(
      text, "<screwbond version='1' id='s'><run t-end='1 s' rtol='1e-9'/><materials><material "
            "id='m' stiffness='2e4 2e4 4e4 N/m' spin-stiffness='5 "
            "N.m/rad'/></materials><laws><contact-law id='l' normal='hunt-crossley' "
            "exponent='1' damping-factor='100 s/m' friction='coulomb' mu='0.3' "
            "friction-radius='5 mm'/></laws><mechanism gravity='0 0 -10 m/s^2'><ground "
            "id='f' material='m'><shape kind='plane' normal='0 0 1'/></ground>");
  for (int k = 0; k < ACROSS * ACROSS; k++) {
    at = append(at,
                "<body id='b%d' mass='1 kg' material='m' position='%d %d 0.0995 m'><shape "
                "kind='sphere' radius='0.1 m'/></body><contact a='b%d' b='f' law='l'/>",
                k, k % ACROSS, k / ACROSS, k);
  }
  (void)append(at, "</mechanism></screwbond>");
  run r = start_netlist(text);
  advance(&r, 1);
  assert_int_equal(ledger_of(&r)->event_count, 2 * ACROSS * ACROSS);
  assert_near(component(&r, "b0.position", 2), 0.1 - 10 / 2e4, 1e-9);
  assert_near(component(&r, "b99.position", 2), 0.1 - 10 / 2e4, 1e-9);
  assert_balanced(&r);
  stop(&r);
}

/** Twelve balls that fly to the middle of a circle have 12 contacts at 0.85 s and none before. What is sized by the network grows with it: the sines of
 *  time that it has, and what delays remember of steps of a given length. x(t) and x(t - 0.1 s) by their integrals; the midpoint rule is off by h^2/24. */
static void delays_and_sines_stay(void **state) {
  (void)state;
  static const char *const rates[] = {"cos(t/1[s])", "exp(-t/1[s])"};
  for (int i = 0; i < 4; i++) {
    const bool fixed = i < 2, turns = i % 2 == 0;
    static char text[TEXT];
    char *at = append(
        text,
        "<screwbond version='1' id='m'><run t-end='0.9 s' %s/><network><signal id='x' "
        "rate='%s*1[1/s]'/><Delay id='y' of='x' delay='0.1 s'/></network><materials><material "
        "id='m' stiffness='2e3 2e3 3e3 N/m' spin-stiffness='20 N.m/rad'/></materials><laws>"
        "<contact-law id='l' normal='hunt-crossley' exponent='1' damping-factor='0.3 s/m' "
        "friction='none'/></laws><mechanism>",
        fixed ? "method='implicit-midpoint' step='1 ms'" : "rtol='1e-8'", rates[i % 2]);
    for (int k = 0; k < 12; k++) {
      const double c = 3 * cos(k * acos(-1) / 6), s = 3 * sin(k * acos(-1) / 6);
      at = append(at,
                  "<body id='b%d' mass='1 kg' material='m' position='%.17g %.17g 0 m' "
                  "velocity='%.17g %.17g 0 m/s'><shape kind='sphere' radius='0.1 m'/></body>",
                  k, c, s, -c, -s);
    }
    (void)append(at, "<contacts law='l' pairs='near' among='b0 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 "
                     "b11'/></mechanism></screwbond>");
    run r = start_netlist(text);
    advance(&r, 0.9);
    assert_int_equal(ledger_of(&r)->event_count, 12);
    assert_near(value(&r, "x"), turns ? sin(0.9) : 1 - exp(-0.9), fixed ? 1e-6 : 1e-8);
    assert_near(value(&r, "y"), turns ? sin(0.8) : 1 - exp(-0.8), fixed ? 1e-6 : 1e-8);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sweeping_finds_all_pairs),
      repeating_test(near_pairs_do_what_all_do),
      repeating_test(near_pairs_slip_as_all_do),
      repeating_test(near_ellipsoids_do_what_all_do),
      repeating_test(near_pairs_step_as_all_do),
      cmocka_unit_test(steps_use_the_margin),
      repeating_test(order_does_not_matter),
      repeating_test(nothing_is_passed_through),
      cmocka_unit_test(accounts_come_back),
      cmocka_unit_test(depths_of_those_gone),
      cmocka_unit_test(named_pairs_stay),
      cmocka_unit_test(faults_are_told),
      repeating_test(surfaces_recover_though_far),
      cmocka_unit_test(crowds_leave_each_other_their_pairs),
      repeating_test(a_hundred_stick_at_once),
      repeating_test(delays_and_sines_stay),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
