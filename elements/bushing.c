// SPDX-License-Identifier: GPL-3.0-or-later
// A bushing: a linear stiffness and damping against all six relative motions of two frames, with an energy on SE(3) that
// is exact for any rotation. With H the pose of the second frame in the first, x = log H its twist coordinates (rotation
// vector, then shift), and T the relative twist in the axes of the second frame, H^-1 Hdot:
//   V = x.K x / 2,   xdot = dexp(-x)^-1 T,   e = dV/dx of that = dexp(-x)^-T K x
//   Bushing          the structure: T at its port
//   bushing-elastic  the storage of x there
// Barfoot, State Estimation for Robotics, section 7.1.
#include "elements/bushing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "elements/between_private.h"
#include "elements/elements.h"
#include "elements/linear_private.h"
#include "geometry/se3.h"

enum { DIM = 6 };

typedef struct bushing {
  sb_between between; // first
  sb_list stiffness, turn_stiffness, stiffness_coupling, damping, turn_damping, damping_coupling;
} bushing;

/** r along the axes of the second frame, which is at p: (r, 0) of turns and (p x r, r) of shifts. */
static bool columns(const void *self, const sb_between_frames *f, sb_wrench A[], sb_wrench Adot[],
                    double *q) {
  const sb_pose *second = &f->pose[1];
  const sb_vec3 p = second->position, v = sb_twist_at(f->twist[1], p), none = {0, 0, 0};
  (void)self;
  *q = 0;
  for (int c = 0; c < 3; c++) {
    const double(*R)[3] = second->rotation.m;
    const sb_vec3 r = {R[0][c], R[1][c], R[2][c]}, rdot = sb_vec3_cross(f->twist[1].angular, r);
    A[c] = (sb_wrench){r, none};
    Adot[c] = (sb_wrench){rdot, none};
    A[3 + c] = (sb_wrench){sb_vec3_cross(p, r), r};
    Adot[3 + c] = (sb_wrench){sb_vec3_add(sb_vec3_cross(v, r), sb_vec3_cross(p, rdot)), rdot};
  }
  return true;
}

static sb_status init(void *self, sb_layout *layout, sb_error *err) {
  return sb_between_init(self, columns, layout, err);
}

/** The deflection x = log H. */
static void measure(const void *self, const sb_at *at, int quantity, double out[]) {
  const sb_pose first = *(const sb_pose *)(const void *)at->signals[0],
                second = *(const sb_pose *)(const void *)at->signals[1];
  const sb_twist x = sb_se3_log(sb_pose_compose(sb_pose_inverse(first), second));
  (void)self;
  sb_vec3_store(out, quantity == 0 ? x.angular : x.linear);
}

static const sb_structure_hooks hooks = {SB_BETWEEN_HOOKS};

/** What the elastic part needs. */
typedef struct elastic {
  double K[DIM][DIM]; // of turns, then of shifts
  double start[DIM];
} elastic;

static void start(const void *self, double x[]) {
  memcpy(x, ((const elastic *)self)->start, DIM * sizeof *x);
}

/** K x */
static void load_of(const elastic *s, const double x[], double load[DIM]) {
  for (int i = 0; i < DIM; i++) {
    load[i] = 0;
    for (int k = 0; k < DIM; k++) {
      load[i] += s->K[i][k] * x[k];
    }
  }
}

/** dexp(-x)^-1 */
static void inverse_differential(const double x[], double m[6][6]) {
  sb_se3_dexp_inverse(sb_twist_scale((sb_twist){sb_vec3_load(x), sb_vec3_load(x + 3)}, -1), m);
}

static int output(const void *self, const sb_at *at, double y[]) {
  double m[6][6], load[DIM];
  inverse_differential(at->x, m);
  load_of(self, at->x, load);
  for (int i = 0; i < DIM; i++) {
    y[i] = 0;
    for (int k = 0; k < DIM; k++) {
      y[i] += m[k][i] * load[k];
    }
  }
  return isfinite(y[0] + y[1] + y[2]) ? 0 : -1;
}

static int rate(const void *self, const sb_at *at, double xdot[]) {
  double m[6][6];
  (void)self;
  inverse_differential(at->x, m);
  for (int i = 0; i < DIM; i++) {
    xdot[i] = 0;
    for (int k = 0; k < DIM; k++) {
      xdot[i] += m[i][k] * at->in[k];
    }
  }
  return 0;
}

/** sum of half the products, or of their absolute values. */
static double energy_of(const elastic *s, const double x[], const double y[], bool absolute) {
  double load[DIM], sum = 0;
  load_of(s, y, load);
  for (int i = 0; i < DIM; i++) {
    sum += 0.5 * (absolute ? fabs(x[i] * load[i]) : x[i] * load[i]);
  }
  return sum;
}

static double energy(const void *self, const sb_at *at) {
  return energy_of(self, at->x, at->x, false);
}

static double exchanged(const void *self, const sb_at *at, const double x0[]) {
  double moved[DIM];
  for (int i = 0; i < DIM; i++) {
    moved[i] = at->x[i] - x0[i];
  }
  return 2 * energy_of(self, moved, at->x, true);
}

/** By the energy that each coordinate alone would hold; one without stiffness holds none. */
static double nominal(const void *self, const sb_at *at, double floor, double size[],
                      double kept[]) {
  (void)kept;
  const elastic *s = self;
  const double stored = energy(self, at);
  for (int i = 0; i < DIM; i++) {
    size[i] = fmax(size[i], s->K[i][i] > 0 ? sqrt(2 * fmax(stored, floor) / s->K[i][i]) : HUGE_VAL);
  }
  return stored;
}

static const sb_storage_hooks elastic_hooks = {.start = start,
                                               .output = output,
                                               .rate = rate,
                                               .energy = energy,
                                               .sizes = {.nominal = nominal},
                                               .audit = {.exchanged = exchanged}};

/** A symmetric block from no, three or six numbers: xx yy zz xy xz yz. */
static sb_status fill_block(double matrix[DIM][DIM], int first, const sb_list *list,
                            const char *name, sb_error *err) {
  static const int place[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  if (list->count != 0 && list->count != 3 && list->count != 6) {
    return sb_fail_at(err, SB_ERR_DIMENSION, name,
                      "%s takes 3 numbers (xx yy zz) or 6 (xx yy zz xy xz yz), got %d", name,
                      list->count);
  }
  for (int k = 0; k < list->count; k++) {
    const int i = first + place[k][0], j = first + place[k][1];
    matrix[i][j] = matrix[j][i] = list->values[k];
  }
  return SB_OK;
}

static sb_status fill_matrix(double matrix[DIM][DIM], const sb_list *shifts, const sb_list *turns,
                             const sb_list *coupling, const char *const names[3], sb_error *err) {
  memset(matrix, 0, DIM * sizeof *matrix);
  SB_TRY(fill_block(matrix, 3, shifts, names[0], err));
  SB_TRY(fill_block(matrix, 0, turns, names[1], err));
  if (coupling->count != 0 && coupling->count != 9) {
    return sb_fail_at(err, SB_ERR_DIMENSION, names[2], "%s takes 9 numbers, row by row, got %d",
                      names[2], coupling->count);
  }
  for (int k = 0; k < coupling->count; k++) {
    matrix[3 + k / 3][k % 3] = matrix[k % 3][3 + k / 3] = coupling->values[k];
  }
  double checked[DIM * DIM];
  memcpy(checked, matrix, sizeof checked);
  return sb_matrix_check_passive(checked, DIM, names[0], err);
}

static bool is_zero(const double matrix[DIM][DIM]) {
  bool zero = true;
  for (int i = 0; i < DIM; i++) {
    for (int k = 0; k < DIM; k++) {
      zero = zero && matrix[i][k] == 0;
    }
  }
  return zero;
}

static sb_status add_part(sb_graph *graph, const char *id, const char *name,
                          const sb_element_type *type, sb_element **element, sb_error *err) {
  char part[260];
  (void)snprintf(part, sizeof part, "%.200s/%s", id, name);
  SB_TRY(sb_graph_add(graph, type, part, element, err));
  return sb_graph_bond(graph, id, part, err);
}

sb_status sb_bushing_complete(sb_graph *graph, sb_element *bushing_element, sb_pose deflection,
                              sb_error *err) {
  static const char *const stiffness[3] = {"stiffness", "turn-stiffness", "stiffness-coupling"};
  static const char *const damping[3] = {"damping", "turn-damping", "damping-coupling"};
  const bushing *s = sb_element_data(bushing_element);
  const char *id = sb_element_id(bushing_element);
  const sb_twist x = sb_se3_log(deflection);
  double D[DIM][DIM];
  elastic own = {{{0}}, {0}};
  sb_element *part;
  sb_vec3_store(own.start, x.angular);
  sb_vec3_store(own.start + 3, x.linear);
  SB_TRY(fill_matrix(own.K, &s->stiffness, &s->turn_stiffness, &s->stiffness_coupling, stiffness,
                     err));
  SB_TRY(fill_matrix(D, &s->damping, &s->turn_damping, &s->damping_coupling, damping, err));
  SB_TRY(add_part(graph, id, "elastic", &sb_kind_bushing_elastic, &part, err));
  memcpy(sb_element_data(part), &own, sizeof own);
  if (is_zero(D)) {
    return SB_OK;
  }
  SB_TRY(add_part(graph, id, "damper", &sb_kind_R, &part, err));
  const double dim = DIM;
  SB_TRY(sb_element_set(part, "dim", &dim, 1, err));
  return sb_element_set(part, "r", &D[0][0], DIM * DIM, err);
}

#define LIST(name_, field_, unit_, help_)                                                          \
  {                                                                                                \
    .name = (name_), .kind = SB_PARAM_LIST, .offset = offsetof(bushing, field_), .unit = (unit_),  \
    .fallback = "", .help = (help_)                                                                \
  }
static const sb_param params[] = {
    LIST("stiffness", stiffness, "N/m",
         "against shifts, in the axes of the frames: xx yy zz, or xx yy zz xy xz yz"),
    LIST("turn_stiffness", turn_stiffness, "N.m/rad", "against turns, likewise"),
    LIST("stiffness_coupling", stiffness_coupling, "N/rad",
         "forces by turns: 9 numbers, a row for each force"),
    LIST("damping", damping, "N.s/m", "of shifts, likewise"),
    LIST("turn_damping", turn_damping, "N.m.s/rad", "of turns, likewise"),
    LIST("damping_coupling", damping_coupling, "N.s/rad", "forces by rates of turns, likewise"),
    {0}};
static const sb_port_spec ports[] = {SB_BETWEEN_PORTS(DIM, "screw")};
static const sb_signal_spec signals[] = {SB_BETWEEN_SIGNALS(DIM, "none")};
static const sb_quantity_spec quantities[] = {
    {"turn", 3, "rad", "of the second frame against the first: rotation vector"},
    {"shift", 3, "m", "twist coordinates of the shift: the shift itself where nothing has turned"},
    {0}};
static const sb_port_spec elastic_ports[] = {
    {"p", .dim = DIM, .domain = "screw", .output = SB_EFFORT}, {0}};
static const char *const state_names[] = {"turn.x",  "turn.y",  "turn.z", "shift.x",
                                          "shift.y", "shift.z", NULL};
static const char *const state_units[] = {"rad", "rad", "rad", "m", "m", "m"};
static const int state_vectors[] = {3, 3, 0};

const sb_element_type sb_kind_Bushing = {
    .name = "Bushing",
    .help = "stiffness and damping against all six relative motions of two frames",
    .role = SB_STRUCTURE,
    .size = sizeof(bushing),
    .params = params,
    .ports = ports,
    .signals = signals,
    .measures = {.quantities = quantities, .measure = measure},
    .init = init,
    .structure = &hooks,
    .place = &sb_between_place,
    .example = "<Bushing id=\"mount\" from=\"frame\" to=\"engine\" stiffness=\"2e5 2e5 8e5 N/m\" "
               "turn-stiffness=\"300 300 100 N.m/rad\"/>"};
const sb_element_type sb_kind_bushing_elastic = {.name = "bushing-elastic",
                                                 .help =
                                                     "elastic part of a bushing (made by Bushing)",
                                                 .role = SB_STORAGE,
                                                 .size = sizeof(elastic),
                                                 .ports = elastic_ports,
                                                 .state_names = state_names,
                                                 .state_units = state_units,
                                                 .state_vectors = state_vectors,
                                                 .storage = &elastic_hooks,
                                                 .component = true};
