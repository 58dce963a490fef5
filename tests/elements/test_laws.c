// SPDX-License-Identifier: GPL-3.0-or-later
// Laws that hold for every kind of its role; a new kind is tested by being in the catalog. Kinds
// that only a contact makes are met in a scene of two bodies that touch.
#include "tests/fixture.h"

#include "contact/expressed.h"
#include "contact/parts.h"
#include "contact/rigid.h"
#include "core/graph/kernel.h"
#include "core/model/model_data.h"
#include "core/program/workspace.h"
#include "geometry/quat.h"
#include "tests/dirac_matrices.h"

enum { TRIALS = 25 };

static double random_in(double low, double high) {
  return low + (high - low) * rand() / (double)RAND_MAX;
}

static bool made_by_contact(const sb_element_type *kind) {
  return strncmp(kind->name, "contact", 7) == 0;
}

static int port_dim(const sb_element_type *kind) {
  return kind->ports[0].dim > 0 ? kind->ports[0].dim : 1;
}

static bool required(const sb_param *p) {
  return p->fallback == NULL;
}

/** Whether expressions of the kind may name signals. */
static bool takes_signals(const sb_element_type *kind) {
  const sb_signal_spec *s = kind->signals;
  while (s != NULL && s->name != NULL && !s->many) {
    s++;
  }
  return s != NULL && s->name != NULL;
}

/** An expression that a kind needs, by what it may depend on. */
static const char *expression_for(const sb_param *p) {
  bool energy = p->unit != NULL && strcmp(p->unit, "J") == 0;
  bool contact =
      p->arguments != NULL && p->arguments->name != NULL && strcmp(p->arguments->name, "x") == 0;
  return contact      ? "0.8*z^2 + 0.3*x^2"
         : energy     ? "0.8*q1^2 + 0.3*p2^2*(2 + q1^2)"
         : p->signals ? "1.37 + 0.61*u1"
                      : "2.1*T1";
}

/** Gives every positive number a random value, a modulated kind its ratio, and every list that is required, or the kind's first
 *  (a list without a default), one number, or three for an inertia. */
static void randomise(sb_element *element) {
  const sb_element_type *kind = sb_element_type_of(element);
  for (const sb_param *p = kind->params; p != NULL && p->name != NULL; p++) {
    double values[4] = {random_in(1.1, 1.9), random_in(0.1, 0.9), 0, random_in(1.1, 1.9)};
    bool field = sb_port_count(kind->ports, false) > 1;
    values[2] = field ? values[1] : random_in(1.1, 1.9); // a symmetric matrix
    values[1] = field ? values[1] : random_in(1.1, 1.9);
    bool list = p->kind == SB_PARAM_LIST && (required(p) || p == kind->params);
    bool real =
        p->kind == SB_PARAM_REAL && (required(p) || p->range == SB_POSITIVE || p == kind->params);
    sb_error err = {0};
    if (p == kind->params && p->kind == SB_PARAM_EXPRESSION) {
      bool plain = kind->role == SB_SIGNAL; // nothing is connected to it
      ok(sb_element_express(element, p->name, plain ? "2*t" : expression_for(p), &err), &err);
    }
    if (list || real) {
      bool matrix = list && field && p->range != SB_ONE_NOT_NEGATIVE; // else one conductance
      int count = list && strcmp(kind->name, "body") == 0 ? 3 : matrix ? 4 : 1;
      ok(sb_element_set(element, p->name, values, count, &err), &err);
    }
  }
}

/** A kind with random parameters. */
static sb_element *add(sb_graph *graph, const sb_element_type *kind, const char *id) {
  sb_element *element = add_element(graph, kind, id);
  randomise(element);
  return element;
}

static bool is_thermal(const sb_port_spec *port) {
  return port->domain != NULL && strcmp(port->domain, "thermal") == 0;
}

/** The kind with a source of the other variable at each of its ports. */
static sb_graph *alone(const sb_element_type *kind) {
  sb_graph *graph;
  assert_int_equal(sb_graph_create("specimen", &graph, NULL), SB_OK);
  sb_error err = {0};
  add(graph, kind, "x");
  for (int k = 0; k < sb_port_count(kind->ports, false); k++) {
    const sb_port_spec *port = &kind->ports[k];
    bool effort = port->output == SB_FLOW || (strcmp(kind->name, "ICField") == 0 && k == 1);
    double values[6];
    char id[20], to[20];
    for (int i = 0; i < 6; i++) {
      values[i] = is_thermal(port) ? random_in(200, 400) : random_in(-2, 2);
    }
    (void)snprintf(id, sizeof id, "s%d", k);
    (void)snprintf(to, sizeof to, "x.%s", port->name);
    sb_element *source = add(graph, sb_catalog_find(effort ? "Se" : "Sf"), id);
    ok(sb_element_set(source, effort ? "effort" : "flow", values, port_dim(kind), &err), &err);
    add_bond(graph, id, to);
  }
  return graph;
}

/** V = 900 z^2 (1 + x^2 + 3 y^2 + x y + theta^2). */
static double stored(void *context, const double q[], double gradient[]) {
  (void)context;
  const double x = q[0], y = q[1], k = 900 * q[2] * q[2];
  const double form = 1 + x * x + 3 * y * y + x * y + q[3] * q[3];
  gradient[SB_POTENTIAL_X] = k * (2 * x + y);
  gradient[SB_POTENTIAL_Y] = k * (6 * y + x);
  gradient[SB_POTENTIAL_Z] = 1800 * q[2] * form;
  gradient[SB_POTENTIAL_THETA] = 2 * k * q[3];
  return k * form;
}

/** The friction whose contact has a part of this kind. */
static int friction_of(const sb_element_type *kind) {
  return kind == &sb_kind_contact_friction ? SB_FRICTION_STRIBECK
         : kind == &sb_kind_contact_bristles || kind == &sb_kind_contact_bristle_friction
             ? SB_FRICTION_BRISTLE
             : SB_FRICTION_NONE;
}

/** How the contact of a part of this kind resists turning. */
enum { NOT_AT_ALL, BY_THE_RATE, BY_SPRINGS };
static int turning_of(const sb_element_type *kind) {
  return kind == &sb_kind_contact_turning ? BY_THE_RATE
         : kind == &sb_kind_contact_holding || kind == &sb_kind_contact_turning_springs
             ? BY_SPRINGS
             : NOT_AT_ALL;
}

/** Two ellipsoids that overlap, under one of the normal laws. */
static sb_graph *touching(const sb_normal_law *normal, bool slips, int friction, int turns) {
  sb_graph *graph;
  assert_int_equal(sb_graph_create("touching", &graph, NULL), SB_OK);
  sb_error err = {0};
  sb_material skin = {.stiffness = {1730, 1730, 2385},
                      .spin_stiffness = 1.7,
                      .damping = {3.1, 3.1, 2.9},
                      .spin_damping = 0.7,
                      .youngs_modulus = 8300,
                      .poisson_ratio = 0.31};
  sb_contact_law law = sb_contact_law_defaults();
  law.normal = normal;
  law.exponent = normal->free == SB_FIXED_EXPONENTS ? 0 : 1.37;
  law.damping_factor = sb_contact_law_by_energy(&law) || normal->restitution != NULL ? 0 : 0.31;
  law.restitution = normal->restitution != NULL ? 0.73 : NAN;
  law.slips = slips && friction == SB_FRICTION_NONE;
  law.friction = (sb_friction){friction, 0.5, 0.4, 2100, 39, 0.3, 0.1, 0.2, 0.3, false};
  if (turns != NOT_AT_ALL) {
    law.turning =
        (sb_turning){0.003, 0.002, 0.01, 0.02, 0.05, turns == BY_SPRINGS ? 2.7 : 0, 0.013};
  }
  if (normal->potential) {
    law.potential.function = stored;
  } else if (normal->expressed) {
    ok(sb_param_express(sb_param_find(sb_contact_law_params, "energy"), &law, "1900*z^2 + 7e4*z^4",
                        &err),
       &err);
    ok(sb_param_express(sb_param_find(sb_contact_law_params, "damping-force"), &law,
                        "310*z*zd*(1 + abs(zd))", &err),
       &err);
  }
  law.mu = 0.37;
  law.friction_radius = 0.021;
  sb_contact_spec spec = {
      .id = "c",
      .body = {"a", "b"},
      .surface = {sb_surface_ellipsoid((sb_vec3){0.5, 0.4, 0.3}, sb_pose_identity()),
                  sb_surface_ellipsoid((sb_vec3){0.3, 0.45, 0.4}, sb_pose_identity())},
      .material = {skin, skin},
      .law = law};
  add(graph, sb_catalog_find("body"), "a");
  sb_element *b = add(graph, sb_catalog_find("body"), "b");
  ok(sb_element_set(b, "position", (double[]){0.23, 0.11, 0.63}, 3, &err), &err);
  ok(sb_contact_add(graph, &spec, &err), &err);
  sb_contact_law_finish(&law);
  return graph;
}

static sb_model *compile(sb_graph *graph) {
  sb_model *model = compile_graph(graph);
  sb_graph_destroy(graph);
  return model;
}

/** dH/dt by central differences along xdot is the power at the port, for all storages of a model. */
static void check_storages(sb_model *model, const char *kind) {
  sb_error err = {0};
  sb_workspace *work;
  assert_int_equal(sb_workspace_create(model, &work, &err), SB_OK);
  assert_non_null(work);
  int n = sb_model_vector_count(model), parts = model->network.instance_count, seen = 0;
  double x[80], xdot[80], moved[80], rate[80], energy[2][16], power[16];
  assert_true(n <= 80 && parts <= 16);
  sb_model_start(model, work, x);
  for (int i = 0; i < model->network.state_count; i++) {
    x[i] += random_in(-0.04, 0.04);
  }
  for (int i = 0; i < model->network.mode_count; i++) {
    work->modes[i] = 1; // in contact
  }
  assert_int_equal(sb_model_rhs(model, work, 0, x, xdot), 0);
  sb_trace(work, x);
  for (int i = 0; i < parts; i++) {
    const sb_instance *part = &model->network.instances[i];
    power[i] = 0;
    for (int k = 0; k < part->components; k++) {
      power[i] += work->bond_values[2 * part->pairs[k]] *
                  work->bond_values[2 * part->pairs[k] + 1] * part->signs[k];
    }
  }
  const double h = 1e-6;
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < n; i++) {
      moved[i] = x[i] + (side == 0 ? -h : h) * xdot[i];
    }
    assert_int_equal(sb_model_rhs(model, work, 0, moved, rate), 0);
    for (int i = 0; i < parts; i++) {
      energy[side][i] = sb_instance_energy(work, i, 0, moved);
    }
  }
  for (int i = 0; i < parts; i++) {
    if (model->network.instances[i].type->role == SB_STORAGE) {
      double hdot = (energy[1][i] - energy[0][i]) / (2 * h);
      if (!(fabs(hdot - power[i]) <= 1e-6 * (1 + fabs(power[i])))) {
        print_error("%s '%s'\n", model->network.instances[i].type->name,
                    model->network.instances[i].id);
      }
      assert_near(hdot, power[i], 1e-6 * (1 + fabs(power[i])));
      seen += strcmp(model->network.instances[i].type->name, kind) == 0;
    }
  }
  assert_true(seen > 0);
  sb_workspace_destroy(work);
  sb_model_destroy(model);
}

static void storages_give_back_what_they_take(void **state) {
  (void)state;
  for (const sb_element_type *const *kind = sb_catalog; *kind != NULL; kind++) {
    for (int trial = 0; (*kind)->role == SB_STORAGE && trial < TRIALS; trial++) {
      if (!made_by_contact(*kind)) {
        check_storages(compile(alone(*kind)), (*kind)->name);
      }
      for (const sb_normal_law *law = sb_normal_laws; made_by_contact(*kind) && law->name != NULL;
           law++) {
        const bool by_potential = *kind == &sb_kind_contact_potential;
        if (law->rigid || ((by_potential || *kind == &sb_kind_contact_elastic) &&
                           law->potential != by_potential)) {
          continue; // its elastic part is of the other kind, or it has none
        }
        check_storages(compile(touching(law, trial % 2, friction_of(*kind), turning_of(*kind))),
                       (*kind)->name);
      }
    }
  }
}

// ---- dissipation

static void check_law(const sb_element_type *kind, const sb_instance *part) {
  const sb_dissipation_hooks *hooks = kind->dissipation;
  const sb_port *port = &part->layout.ports[0];
  int d = part->components;
  double u[8] = {0}, y[8] = {0}, back[8], R[64];
  sb_contact_frame frame = {.gap = random_in(-0.01, 0.0001), .active = rand() % 2};
  const double load[SB_LOAD_COUNT] = {0, 0, 0, random_in(0, 3)};
  const double *signals[] = {(const double *)(const void *)&frame, load};
  frame.pushing = frame.active;
  if (hooks->by_signals) {
    return; // what it dissipates depends on the network: tests/contact/test_slip.c
  }
  sb_at at = {.in = u, .signals = signals};
  assert_true(d <= 8);
  bool linear = hooks->linear != NULL && hooks->linear(part->self, d, R);
  bool switches = part->mode >= 0; // it may be flat once it slips, here in its first such mode
  bool flat = switches && hooks->jumps.flat != NULL && hooks->jumps.flat(part->self, 1);
  for (int given = SB_EFFORT; given <= SB_FLOW; given++) {
    if (port->output != SB_INDIFFERENT && (int)port->output == given) {
      continue; // it gives that one
    }
    double power = 0, size = 0;
    for (int i = 0; i < d; i++) {
      bool thermal = is_thermal(&kind->ports[kind->ports[0].many ? 0 : sb_port_of(part, i)]);
      u[i] = thermal ? random_in(200, 400) : random_in(-2, 2);
    }
    if (linear) {
      for (int i = 0; i < d; i++) {
        y[i] = 0;
        for (int k = 0; k < d; k++) {
          y[i] += R[i * d + k] * u[k];
        }
      }
    } else {
      assert_int_equal(hooks->law(part->self, &at, (sb_variable)given, y), 0);
    }
    for (int i = 0; i < d; i++) {
      power += u[i] * y[i];
      size += fabs(u[i] * y[i]);
    }
    assert_true(power >= (part->layout.port_count > 1 ? -1e-14 * size : 0));
    bool rests = switches && y[0] == 0; // the same for all inputs inside a jump
    if (!linear && port->output == SB_INDIFFERENT && !flat && !rests) {
      double asked[8];
      memcpy(asked, u, sizeof asked);
      memcpy(u, y, sizeof u);
      assert_int_equal(hooks->law(part->self, &at, given == SB_EFFORT ? SB_FLOW : SB_EFFORT, back),
                       0);
      for (int i = 0; i < d; i++) {
        assert_near(back[i], asked[i], 1e-12);
      }
    }
  }
}

static void table_of(sb_graph *graph) { // for kinds that take one: R
  sb_error err = {0};
  sb_element *x = sb_graph_find(graph, "x");
  ok(sb_element_set(x, "flows", (double[]){-1.3, 0, 0.4, 1.7}, 4, &err), &err);
  ok(sb_element_set(x, "efforts", (double[]){-0.9, 0, 1.1, 1.2}, 4, &err), &err);
}

static void check_parts(sb_model *model, const sb_element_type *kind) {
  int seen = 0;
  for (int i = 0; i < model->network.instance_count; i++) {
    if (model->network.instances[i].type == kind) {
      check_law(kind, &model->network.instances[i]);
      seen++;
    }
  }
  assert_true(seen > 0);
  sb_model_destroy(model);
}

static void dissipation_never_gives(void **state) {
  (void)state;
  for (const sb_element_type *const *kind = sb_catalog; *kind != NULL; kind++) {
    const bool here = (*kind)->role == SB_DISSIPATION &&
                      *kind != &sb_kind_contact_rub; // of rigid contacts: test_rigid
    for (int trial = 0; here && trial < TRIALS; trial++) {
      for (const sb_normal_law *law = sb_normal_laws; made_by_contact(*kind) && law->name != NULL;
           law++) {
        const bool slips = *kind == &sb_kind_contact_slip;
        if (!law->rigid) {
          check_parts(compile(touching(law, slips, friction_of(*kind), turning_of(*kind))), *kind);
        }
      }
      if (!made_by_contact(*kind)) {
        sb_graph *graph = alone(*kind);
        if (trial % 2 == 1 && sb_param_find((*kind)->params, "flows") != NULL) {
          table_of(graph);
        }
        check_parts(compile(graph), *kind);
      }
    }
  }
}

// ---- structures

static int count_ports(const sb_element_type *kind) {
  int count = 0;
  while (kind->ports[count].name != NULL) {
    count++;
  }
  return count == 1 && kind->ports[0].many ? 2 + rand() % 4 : count;
}

/** Every mode of every structure is power-free and has as many rows as components. */
static void structures_are_power_free(void **state) {
  (void)state;
  for (const sb_element_type *const *kind = sb_catalog; *kind != NULL; kind++) {
    for (int trial = 0; (*kind)->role == SB_STRUCTURE && trial < TRIALS; trial++) {
      sb_graph *graph;
      assert_int_equal(sb_graph_create("one", &graph, NULL), SB_OK);
      sb_element *element = add(graph, *kind, "x");
      sb_port ports[8];
      sb_layout layout = {.ports = ports, .port_count = count_ports(*kind), .dim = 1 + trial % 3};
      int n = 0;
      for (int i = 0; i < layout.port_count; i++) {
        const sb_port_spec *spec = &(*kind)->ports[(*kind)->ports[0].many ? 0 : i];
        int dim = spec->dim > 0 ? spec->dim : layout.dim;
        ports[i] = (sb_port){dim, NULL, spec->output, rand() % 2 == 0 ? 1 : -1};
        n += dim;
      }
      sb_quat q = {random_in(-1, 1), random_in(-1, 1), random_in(-1, 1), random_in(0.1, 1)};
      sb_contact_frame frame = {
          .pose = {sb_quat_rotation(q), {random_in(-2, 2), random_in(-2, 2), random_in(-2, 2)}},
          .active = 1};
      const double signal = random_in(-3, 3), *signals[] = {&signal};
      sb_at at = {.own = (double *)(void *)&frame,
                  .mode = trial % 2,
                  .signals = signals,
                  .dim = layout.dim};
      double columns[100]; // of a structure between bodies, and how they change
      const bool between = (*kind)->structure->rates.ahead != NULL && (*kind)->init != NULL;
      for (int i = 0; i < 100; i++) {
        columns[i] = random_in(-2, 2);
      }
      at.own = between ? columns : at.own;
      if (*kind == &sb_kind_contact_rigid) { // with the port of its slip
        ((sb_contact_data *)sb_element_data(element))->law.slips = true;
      }
      if (takes_signals(*kind) || between) {
        sb_error err = {0};
        layout.wires = 1;
        ok((*kind)->init(sb_element_data(element), &layout, &err), &err);
      }
      sb_kernel kernel = {0};
      sb_dirac dirac;
      double *work = calloc((size_t)(2 * n * n + 3 * n), sizeof *work);
      (*kind)->structure->kernel(sb_element_data(element), &at, &layout, &kernel);
      dirac_init(&dirac, n);
      sb_dirac_load(&dirac, &kernel);
      assert_near(dirac_skew_residual(&dirac), 0, 1e-12);
      assert_int_equal(sb_dirac_rank(&dirac, work), n);
      free(work);
      dirac_finish(&dirac);
      sb_kernel_finish(&kernel);
      sb_graph_destroy(graph);
    }
  }
}

// ---- parameters

/** A value is refused with these words, and the element keeps what it had. */
static void refuse(sb_element *element, const char *name, const double values[], int count,
                   sb_status status, const char *words) {
  sb_error err = {0};
  char want[200];
  (void)snprintf(want, sizeof want, "%s %s", name, words);
  for (char *c = want; *c != ' '; c++) {
    *c = *c == '_' ? '-' : *c; // as a netlist writes it
  }
  assert_int_equal(sb_element_set(element, name, values, count, &err), status);
  assert_contains(err.text, want);
  assert_contains(err.text, "'x': "); // whose it is
}

static void check_param(sb_element *element, const sb_param *p) {
  sb_error err = {0};
  const double minus = -2.385, zero = 0, one_and_half = 1.5, falling[2] = {2.9, 2.385};
  const double bad[2] = {NAN, HUGE_VAL};
  double wrong[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  assert_non_null(p->help);
  assert_true(strlen(p->help) > 0);
  if (p->kind == SB_PARAM_CHOICE || p->kind == SB_PARAM_FLAG) {
    char want[200];
    refuse(element, p->name, &minus, 1, SB_ERR_CHOICE, "takes a word, not a number");
    (void)snprintf(want, sizeof want, "%s cannot be 'nonsense'", p->name);
    assert_int_equal(sb_element_choose(element, p->name, "nonsense", &err), SB_ERR_CHOICE);
    assert_contains(err.text, want);
    assert_contains(err.text, "'x': ");
    assert_non_null(p->fallback);
    ok(sb_element_choose(element, p->name, p->fallback, &err), &err);
    return;
  }
  assert_int_equal(sb_element_choose(element, p->name, "yes", &err), SB_ERR_CHOICE);
  if (p->kind == SB_PARAM_EXPRESSION) {
    refuse(element, p->name, &zero, 1, SB_ERR_CHOICE, "takes an expression, not a number");
    assert_int_equal(sb_element_express(element, p->name, "1 + nonsense", &err), SB_ERR_REFERENCE);
    assert_int_equal(err.column, 5);
    return;
  }
  int count = p->kind == SB_PARAM_VECTOR ? p->count : 1;
  for (int i = 0; i < 2; i++) {
    double values[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    values[count - 1] = bad[i];
    refuse(element, p->name, values, count, SB_ERR_RANGE, "must be finite");
  }
  if (p->range == SB_POSITIVE || p->range == SB_ONE_POSITIVE) {
    refuse(element, p->name, &minus, 1, SB_ERR_RANGE, "must be positive");
    refuse(element, p->name, &zero, 1, SB_ERR_RANGE, "must be positive");
  }
  if (p->range == SB_NOT_NEGATIVE || p->range == SB_ONE_NOT_NEGATIVE) {
    refuse(element, p->name, &minus, 1, SB_ERR_RANGE, "must not be negative");
  }
  if (p->range == SB_NONZERO) {
    refuse(element, p->name, &zero, 1, SB_ERR_RANGE, "must not be zero");
  }
  if (p->range == SB_DIRECTION) {
    refuse(element, p->name, (double[3]){0}, 3, SB_ERR_RANGE, "is zero, and tells no direction");
  }
  if (p->range == SB_INCREASING) {
    refuse(element, p->name, falling, 2, SB_ERR_RANGE,
           "must increase from each number to the next: 2.385 follows 2.9");
  }
  if (p->kind == SB_PARAM_INT) {
    refuse(element, p->name, &one_and_half, 1, SB_ERR_RANGE, "must be a whole number");
  }
  if (p->kind != SB_PARAM_LIST) {
    char want[60];
    (void)snprintf(want, sizeof want, "takes %d number%s, got %d", count, count == 1 ? "" : "s",
                   count + 1);
    refuse(element, p->name, wrong, count + 1, SB_ERR_DIMENSION, want);
  }
}

static void parameters_are_checked(void **state) {
  (void)state;
  for (const sb_element_type *const *kind = sb_catalog; *kind != NULL; kind++) {
    assert_true((*kind)->help != NULL && strlen((*kind)->help) > 5);
    assert_ptr_equal(sb_catalog_find((*kind)->name), *kind);
    for (const sb_quantity_spec *q = (*kind)->measures.quantities; q != NULL && q->name != NULL;
         q++) {
      assert_true(q->help != NULL && q->unit != NULL && q->count > 0);
      int blanks = 0; // a unit, or a list of one for each number
      for (const char *at = strchr(q->unit, ' '); at != NULL; at = strchr(at + 1, ' ')) {
        blanks++;
      }
      assert_true(blanks == 0 || blanks == q->count - 1);
    }
    for (const sb_param *p = (*kind)->params; p != NULL && p->name != NULL; p++) {
      sb_graph *graph;
      assert_int_equal(sb_graph_create("one", &graph, NULL), SB_OK);
      check_param(add(graph, *kind, "x"), p);
      sb_graph_destroy(graph);
    }
  }
  assert_null(sb_catalog_find("Nonsense"));
}

/** Without a parameter that has no default, a model is refused in words that name the element. */
static void what_is_required_is_asked_for(void **state) {
  (void)state;
  for (const sb_element_type *const *kind = sb_catalog; *kind != NULL; kind++) {
    for (const sb_param *p = (*kind)->params; p != NULL && p->name != NULL; p++) {
      if (!required(p)) {
        continue;
      }
      sb_graph *graph;
      assert_int_equal(sb_graph_create("one", &graph, NULL), SB_OK);
      sb_errors errors = {0};
      sb_error err = {0};
      sb_model *model;
      sb_element *element = NULL;
      ok(sb_graph_add(graph, *kind, "x", &element, &err), &err);
      for (const sb_param *other = (*kind)->params; other->name != NULL; other++) {
        const double three[3] = {1.3, 1.4, 1.5};
        if (other != p && required(other)) {
          ok(sb_element_set(element, other->name, three, other->kind == SB_PARAM_LIST ? 3 : 1,
                            &err),
             &err);
        }
      }
      bool named = false;
      assert_true(sb_model_compile(graph, &model, &errors) != SB_OK);
      for (int i = 0; i < errors.count; i++) {
        named = named || (strstr(errors.items[i].text, "'x'") != NULL &&
                          strstr(errors.items[i].text, p->name) != NULL);
      }
      if (!named) {
        print_error("%s without %s: %s\n", (*kind)->name, p->name,
                    errors.count > 0 ? errors.items[0].text : "accepted");
      }
      assert_true(named);
      sb_errors_finish(&errors);
      sb_graph_destroy(graph);
    }
  }
}

/** A table is linear between its points, and each end of a piece is an event: m v' = -(0.52 N + 0.16 N.s/m v) above 0.5 m/s, where it is at
 *  t1, and -1.2 N.s/m v below, with m = 2 kg and v = 2 m/s at first. A point on a line is none. An algebraic loop passes several at once. */
static void tables_change_their_slope_at_events(void **state) {
  (void)state;
  static const char *const methods[] = {"dormand-prince-5", "verner-6", "kvaerno-5"};
  const double t1 = 2 / 0.16 * log((2 + 3.25) / (0.5 + 3.25));
  for (int i = 0; i < 3; i++) {
    char text[700];
    (void)snprintf(text, sizeof text,
                   "<screwbond version='1' id='m'><network domain='translation'><J1 id='j'/>"
                   "<I id='m' mass='2 kg' p0='4 N.s'/>"
                   "<R id='b' flows='-3 -0.5 0 0.5 1.5 3 m/s' efforts='-1 -0.6 0 0.6 0.76 1 N'/>"
                   "<bond from='j' to='m'/><bond from='j' to='b'/></network>"
                   "<run t-end='5 s' rtol='1e-10' method='%s'/></screwbond>",
                   methods[i]);
    run r = start_netlist(text);
    advance(&r, 3);
    assert_near(value(&r, "m.f"), 5.25 * exp(-0.08 * 3) - 3.25, 1e-9);
    advance(&r, 5);
    assert_near(value(&r, "m.f"), 0.5 * exp(-0.6 * (5 - t1)), 1e-9);
    assert_true(ledger_of(&r)->work.rejected <= 2);
    assert_balanced(&r);
    stop(&r);
  }
  run r = go("<network domain='electric'><Se id='V' effort='if(t &lt; 1[s], 1[V], -7[V])'/>"
             "<J1 id='j'/><R id='r' r='1 ohm'/><R id='d' flows='-4 -2 -1 0 1 2 A' "
             "efforts='-5 -4 -1 0 2 6 V'/><bond from='V' to='j'/><bond from='j' to='r'/>"
             "<bond from='j' to='d'/></network>",
             0.5);
  assert_near(value(&r, "d.f"), 1. / 3, 1e-14);
  advance(&r, 2);
  assert_near(value(&r, "d.f"), -8. / 3, 1e-14); // -7 = f + (-4 + (f + 2)/2)
  stop(&r);
  // e = f^2/20 at the whole numbers, through 190 of its pieces at once: between 95 and 96
  char flows[2000] = "", efforts[2000] = "", text[5000];
  for (int i = 0, a = 0, b = 0; i <= 200; i++) {
    a += snprintf(flows + a, sizeof flows - (size_t)a, "%d ", i);
    b += snprintf(efforts + b, sizeof efforts - (size_t)b, "%g ", 0.05 * i * i);
  }
  (void)snprintf(text, sizeof text,
                 "<network domain='electric'><Se id='V' effort='if(t &lt; 1[s], 1[V], 548[V])'/>"
                 "<J1 id='j'/><R id='r' r='1 ohm'/><R id='d' flows='%s A' efforts='%s V'/>"
                 "<bond from='V' to='j'/><bond from='j' to='r'/><bond from='j' to='d'/></network>",
                 flows, efforts);
  r = go(text, 2);
  assert_near(value(&r, "d.f"), 95 + (548 - 95 - 0.05 * 95 * 95) / (1 + 0.05 * 191), 1e-12);
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tables_change_their_slope_at_events),
      repeating_test(storages_give_back_what_they_take),
      repeating_test(dissipation_never_gives),
      cmocka_unit_test(structures_are_power_free),
      cmocka_unit_test(parameters_are_checked),
      cmocka_unit_test(what_is_required_is_asked_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
