// SPDX-License-Identifier: GPL-3.0-or-later
// A user's program in C++17 against the installed library: a mass on a spring with a damper, with an
// element kind of its own, and what is printed of a graph with a fault. Prints the version of the
// library; ends with 1 if anything is not as expected.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <screwbond.h>

namespace {

constexpr double mass = 0.5, compliance = 1 / 200.0, damping = 8, force = 2.385; // SI

bool check(const char *what, bool ok) {
  if (!ok) {
    std::fprintf(stderr, "%s: not as expected\n", what);
  }
  return ok;
}

/** A damper F = r v as a kind of its own. */
struct damper {
  double r; // [N s/m]
};

int damper_law(const void *self, const sb_at *at, sb_variable, double y[]) {
  y[0] = static_cast<const damper *>(self)->r * at->in[0];
  return 0;
}

const sb_element_type *damper_type() {
  static sb_param params[2] = {};
  static sb_port_spec ports[2] = {};
  static sb_dissipation_hooks hooks = {};
  static sb_element_type type = {};
  params[0].name = "r";
  params[0].kind = SB_PARAM_REAL;
  params[0].offset = offsetof(damper, r);
  params[0].unit = "N s/m";
  params[0].range = SB_POSITIVE;
  ports[0].name = "p";
  ports[0].dim = 1;
  ports[0].output = SB_EFFORT;
  hooks.law = damper_law;
  type.name = "damper";
  type.help = "linear damper";
  type.role = SB_DISSIPATION;
  type.size = sizeof(damper);
  type.params = params;
  type.ports = ports;
  type.dissipation = &hooks;
  return &type;
}

sb_status add(sb_graph *graph, const sb_element_type *type, const char *id, const char *param,
              double value, sb_error *err) {
  sb_element *element;
  SB_TRY(sb_graph_add(graph, type, id, &element, err));
  SB_TRY(sb_element_set(element, param, &value, 1, err));
  return sb_graph_bond(graph, "velocity", id, err);
}

sb_status build(sb_graph *graph, sb_error *err) {
  SB_TRY(sb_graph_add(graph, sb_catalog_find("J1"), "velocity", nullptr, err));
  SB_TRY(add(graph, &sb_kind_Se, "force", "effort", -force, err)); // the bond leaves the junction
  SB_TRY(add(graph, &sb_kind_I, "mass", "mass", mass, err));
  SB_TRY(add(graph, &sb_kind_C, "spring", "compliance", compliance, err));
  return add(graph, damper_type(), "damper", "r", damping, err);
}

/** The spring ends at F c; the ledger balances at every sample. */
sb_status simulate(const sb_model *model, bool *ok, sb_error *err) {
  sb_simulation *sim;
  sb_quantity x;
  sb_options options = sb_options_defaults();
  SB_TRY(sb_model_find(model, "spring.q", &x, err));
  SB_TRY(sb_simulation_create(model, &options, &sim, err));
  int samples = 0;
  sb_sampler count = [](void *context, const sb_simulation *, double) {
    ++*static_cast<int *>(context);
    return 0;
  };
  sb_status status = sb_simulation_run(sim, 4, 0.5, count, &samples, err);
  double end;
  sb_simulation_read(sim, &x, &end);
  const sb_ledger *ledger = sb_simulation_ledger(sim);
  *ok = check("samples", samples == 9) &&
        check("spring", std::fabs(std::fabs(end) - force * compliance) < 1e-7) &&
        check("ledger", ledger->residual_relative < 1e-8 && ledger->structure.rank_ok);
  sb_simulation_destroy(sim);
  return status;
}

bool run() {
  sb_graph *graph;
  sb_model *model = nullptr;
  sb_error err = {};
  sb_errors errors = {};
  bool ok = false;
  sb_status status = sb_graph_create("embed", &graph, &err);
  if (status == SB_OK) {
    status = build(graph, &err);
  }
  if (status == SB_OK) {
    status = sb_model_compile(graph, &model, &errors);
  }
  if (status == SB_OK) {
    status = simulate(model, &ok, &err);
  }
  if (status != SB_OK) {
    std::fprintf(stderr, "%s\n", errors.count > 0 ? errors.items[0].text : err.text);
  }
  sb_errors_finish(&errors);
  sb_model_destroy(model);
  sb_graph_destroy(graph);
  return ok;
}

/** What is not there is told by a status, and leaves NULL. */
bool refuses_unknown_names() {
  sb_graph *graph;
  sb_error err = {};
  if (sb_graph_create("empty", &graph, &err) != SB_OK) {
    return false;
  }
  int other;
  sb_element *element = reinterpret_cast<sb_element *>(&other);
  bool ok = check("kind", sb_graph_add(graph, sb_catalog_find("none"), "x", &element, &err) ==
                                  SB_ERR_REFERENCE &&
                              element == nullptr) &&
            check(err.text, std::strcmp(err.text, "'x': there is no such kind of element") == 0);
  sb_graph_destroy(graph);
  return ok;
}

/** An error of a netlist, as the command prints it. */
bool words_a_fault() {
  sb_netlist *netlist;
  sb_errors errors = {};
  char *text;
  const char source[] = "<screwbond version='1' id='x'><newtork/></screwbond>";
  sb_status status =
      sb_netlist_parse("x.xml", source, sizeof source - 1, nullptr, 0, &netlist, &errors);
  bool ok = check("status", status == SB_ERR_ELEMENT && netlist == nullptr) &&
            check("text", sb_errors_text(&errors, SB_ERRORS_PLAIN, &text, nullptr) == SB_OK);
  if (ok) {
    ok = check(text, std::strncmp(text, "x.xml:1:31: error[SB0201]: ", 27) == 0);
    std::free(text);
  }
  sb_errors_finish(&errors);
  sb_netlist_destroy(netlist);
  return ok;
}

/** The inline functions return structs by value. */
bool moves_points() {
  sb_pose pose = sb_pose_identity();
  pose.position = sb_vec3{1, 2, 3};
  sb_pose there = sb_pose_compose(sb_se3_exp(sb_twist{{0, 0, SB_PI / 2}, {0, 0, 0}}), pose);
  sb_vec3 p = sb_pose_point(sb_pose_inverse(there), sb_vec3{-2, 1, 3}); // the origin again
  sb_quat half = {0, 0, 0, 1};
  sb_vec3 q = sb_mat3_apply(sb_quat_rotation(sb_quat_mul(half, half)), pose.position);
  return check("pose", sb_vec3_norm(p) < 1e-15) &&
         check("rotation", sb_vec3_norm(sb_vec3_sub(q, pose.position)) < 1e-15);
}

} // namespace

int main() {
  std::printf("%s\n", sb_version());
  bool ok = run();
  ok = refuses_unknown_names() && ok;
  ok = words_a_fault() && ok;
  ok = moves_points() && ok;
  return ok ? 0 : 1;
}
