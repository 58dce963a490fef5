// SPDX-License-Identifier: GPL-3.0-or-later
// screwbond inside another program: a model built in C, stepped at 1 kHz, with an input that the
// program computes and quantities that it reads by handle. Two things share one graph:
//   - a mass on a spring with a damper, m v' = F - k x - d v, whose force F comes from a controller
//     in this program, F = K (1 cm - x), so that x settles at 1 cm K / (k + K) = 8 mm;
//   - a ball that is dropped on a floor and comes to rest on it.
//
// Build against the installed library:
//   cc embed.c $(pkg-config --cflags --libs screwbond) -lm -o embed
// The program ends with 1 if anything fails or the energy balance is not met.
#include <math.h>
#include <screwbond.h>
#include <stdio.h>
#include <stdlib.h>

static const double mass = 0.5, stiffness = 200, damping = 8; // [kg], [N/m], [N s/m]
static const double gain = 800, target = 0.01;                // [N/m], [m]
static const double period = 1e-3, t_end = 2;                 // [s]

/** An element of a kind in the catalogue, its parameters still at their defaults. */
static sb_status add(sb_graph *graph, const char *kind, const char *id, sb_element **element,
                     sb_error *err) {
  return sb_graph_add(graph, sb_catalog_find(kind), id, element, err);
}

/** The same with one number given. */
static sb_status add_with(sb_graph *graph, const char *kind, const char *id, const char *param,
                          double value, sb_error *err) {
  sb_element *element;
  SB_TRY(add(graph, kind, id, &element, err));
  return sb_element_set(element, param, &value, 1, err);
}

/** Step 1: elements and bonds. Parameters are SI numbers; a bond counts power from its first end to
 *  its second. */
static sb_status build_oscillator(sb_graph *graph, sb_error *err) {
  SB_TRY(add_with(graph, "Se", "force", "effort", 0, err)); // 0 N until the program sets it
  SB_TRY(sb_element_choose(sb_graph_find(graph, "force"), "waveform", "input", err));
  SB_TRY(sb_element_set_domain(sb_graph_find(graph, "force"), -1, "translation", err));
  SB_TRY(add_with(graph, "I", "mass", "mass", mass, err));
  SB_TRY(add_with(graph, "C", "spring", "compliance", 1 / stiffness, err));
  SB_TRY(add_with(graph, "R", "damper", "r", damping, err));
  sb_element *junction; // of common velocity
  SB_TRY(add(graph, "J1", "velocity", &junction, err));
  SB_TRY(sb_graph_bond(graph, "force", "velocity", err));
  SB_TRY(sb_graph_bond(graph, "velocity", "mass", err));
  SB_TRY(sb_graph_bond(graph, "velocity", "spring", err));
  return sb_graph_bond(graph, "velocity", "damper", err);
}

/** Step 2: a body, and a contact between its surface and that of the ground. */
static sb_status build_ball(sb_graph *graph, sb_error *err) {
  const double m = 0.2, r = 0.05, j = 0.4 * m * r * r; // [kg], [m], [kg m^2] of a solid sphere
  sb_element *ball, *floor;
  SB_TRY(add(graph, "body", "ball", &ball, err));
  SB_TRY(sb_element_set(ball, "mass", &m, 1, err));
  SB_TRY(sb_element_set(ball, "inertia", (double[]){j, j, j}, 3, err));
  SB_TRY(sb_element_set(ball, "position", (double[]){0, 0, 0.2}, 3, err));
  SB_TRY(sb_element_set(ball, "gravity", (double[]){0, 0, -9.81}, 3, err));
  SB_TRY(add(graph, "ground", "floor", &floor, err));

  sb_contact_spec contact = {
      .id = "contact",
      .body = {"floor", "ball"}, // body 1 and body 2
      .surface = {sb_surface_plane((sb_vec3){0, 0, 1}, 0), sb_surface_sphere(r, (sb_vec3){0})},
      .material = {sb_material_rigid(), {.stiffness = {1e4, 1e4, 1e4}, .spin_stiffness = 1}},
      .law = sb_contact_law_defaults()};
  contact.law.normal = sb_normal_law_find("hunt-crossley");
  contact.law.damping_factor = 2; // [s/m]
  return sb_contact_add(graph, &contact, err);
}

/** Step 3: the model. It is immutable, and the graph is not needed any more. Compiling finds all
 *  faults of a graph. */
static sb_status compile(sb_model **model, sb_errors *errors) {
  sb_graph *graph;
  sb_error err = {0};
  sb_status status = sb_graph_create("embed", &graph, &err);
  if (status == SB_OK) {
    status = build_oscillator(graph, &err);
  }
  if (status == SB_OK) {
    status = build_ball(graph, &err);
  }
  if (status == SB_OK) {
    status = sb_model_compile(graph, model, errors);
  } else {
    sb_errors_add(errors, &err);
  }
  sb_graph_destroy(graph);
  return status;
}

/** What the loop reads, found by name once. */
typedef struct handles {
  sb_quantity x, v, force, power, height, gap; // [m], [m/s], [N], [W], [m], [m]
  int input;
} handles;

static sb_status find_handles(const sb_model *model, const sb_simulation *sim, handles *h,
                              sb_error *err) {
  SB_TRY(sb_model_find(model, "spring.q", &h->x, err)); // a state
  SB_TRY(sb_model_find(model, "mass.f", &h->v, err));   // a port variable
  SB_TRY(sb_model_find(model, "force.e", &h->force, err));
  SB_TRY(sb_model_find(model, "damper.power", &h->power, err));
  SB_TRY(sb_model_find(model, "ball.x.z", &h->height, err));
  SB_TRY(sb_model_find(model, "contact.gap", &h->gap, err));
  return sb_simulation_find_input(sim, "force", &h->input, err);
}

static double read_one(const sb_simulation *sim, const sb_quantity *quantity) {
  double value; // quantity->count is 1 for all that are read here
  sb_simulation_read(sim, quantity, &value);
  return value;
}

static void print_row(const sb_simulation *sim, const handles *h) {
  printf("%6.3f %10.6f %10.6f %9.4f %10.6f %10.6f %11.8f\n", sb_simulation_time(sim),
         read_one(sim, &h->x), read_one(sim, &h->v), read_one(sim, &h->force),
         read_one(sim, &h->power), read_one(sim, &h->height), read_one(sim, &h->gap));
}

/** Step 4: the loop of the controller. The integrator chooses its own steps within a period, locates
 *  events, and stops at its end exactly. Times come from a count, so that nothing adds up. */
static sb_status run(const sb_model *model, sb_simulation *sim, sb_error *err) {
  handles h;
  SB_TRY(find_handles(model, sim, &h, err));
  printf("%6s %10s %10s %9s %10s %10s %11s\n", "t [s]", "x [m]", "v [m/s]", "F [N]", "damper [W]",
         "ball z [m]", "gap [m]");
  int periods = (int)lround(t_end / period);
  for (int k = 0; k < periods; k++) {
    double force = gain * (target - read_one(sim, &h.x));
    sb_simulation_set(sim, h.input, &force);
    SB_TRY(sb_simulation_advance(sim, (k + 1) * period, err));
    if ((k + 1) % 200 == 0) {
      sb_simulation_audit(sim); // checks the structures; the energy is followed at every step
      print_row(sim, &h);
    }
  }
  return SB_OK;
}

/** Step 5: the ledger. */
static bool balances(const sb_ledger *ledger) {
  const sb_account *total = &ledger->total;
  printf("\n%-20s %12s %12s %12s %12s\n", "energy [J]", "stored", "supplied", "dissipated",
         "event loss");
  for (int i = 0; i < ledger->element_count; i++) {
    const sb_account *a = &ledger->elements[i];
    if (a->role != SB_STRUCTURE) {
      printf("%-20s %12.6f %12.6f %12.6f %12.6f\n", a->id, a->stored_end, a->supplied,
             a->dissipated, a->event_loss);
    }
  }
  printf("%-20s %12.6f %12.6f %12.6f %12.6f\n", "total", total->stored_end, total->supplied,
         total->dissipated, total->event_loss);
  printf("stored at the start %.6f J, %d events, %ld steps\n", total->stored_start,
         ledger->event_count, ledger->work.steps);
  printf("residual %.2e (limit %.0e), structure %.2e\n", ledger->residual_relative, ledger->limit,
         ledger->structure.residual_relative);
  return ledger->residual_relative <= ledger->limit && ledger->passivity.violations == 0 &&
         ledger->structure.residual_relative <= 1e-12; // rounding only
}

/** What went wrong, as the command of screwbond prints it. */
static void print_errors(const sb_errors *errors) {
  char *text;
  if (sb_errors_text(errors, SB_ERRORS_PLAIN, &text, NULL) == SB_OK) {
    fputs(text, stderr);
    free(text);
  }
}

int main(void) {
  sb_error err = {0};
  sb_errors errors = {0};
  sb_model *model = NULL;
  sb_simulation *sim = NULL;
  sb_options options = sb_options_defaults(); // order 5, rtol 1e-8, residual limit 1e-8
  options.rtol = 1e-9;

  sb_status status = compile(&model, &errors);
  if (status == SB_OK) {
    status = sb_simulation_create(model, &options, &sim, &err);
  }
  if (status == SB_OK) {
    status = run(model, sim, &err);
  }
  bool ok = status == SB_OK && balances(sb_simulation_ledger(sim));
  if (status != SB_OK) {
    if (errors.count == 0) {
      sb_errors_add(&errors, &err);
    }
    print_errors(&errors);
  } else if (!ok) {
    fprintf(stderr, "embed: the energy balance is not met\n");
  }
  sb_errors_finish(&errors);
  sb_simulation_destroy(sim);
  sb_model_destroy(model);
  return ok ? 0 : 1;
}
