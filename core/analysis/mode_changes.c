// SPDX-License-Identifier: GPL-3.0-or-later
// Modes at a state that was found without events on the way. There each event indicator g(x) of the present modes must not be below
// zero: as the effort and the way of a stop, both sides of a switching element are complementary, and one of them is zero. One that is
// below zero is where a run would have had an event; the first of them along the chord to the state has it, as the ratio test of a
// pivoting method chooses (Cottle, Pang, Stone, "The Linear Complementarity Problem", 1992).
#include "core/analysis/mode_changes_private.h"

#include <math.h>
#include <string.h>

#include "core/analysis/manifold_private.h"

enum { ALL = SB_INDICATORS_MAX, BISECTIONS_MAX = 60 };
/** States that the search has found are known to this fraction of their sizes, and so are the sources. */
static const double known = 1e-9;

/** Those of an element that may be in another mode than at the start. */
static const sb_switching_hooks *hooks_of(const sb_instance *instance) {
  const bool switches = instance->mode >= 0 && instance->layout.pieces == 0;
  const sb_switching_hooks *hooks = switches ? instance->type->switching : NULL;
  return hooks != NULL && hooks->indicators != NULL ? hooks : NULL;
}

sb_status sb_mode_changes_init(sb_mode_changes *m, sb_operating_point *p, sb_error *err) {
  const sb_network *network = &p->network;
  int components = 0;
  *m = (sb_mode_changes){.p = p, .count = network->instance_count * ALL};
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    const sb_switching_hooks *hooks = hooks_of(instance);
    m->any = m->any || hooks != NULL;
    m->sees_ports = m->sees_ports || (hooks != NULL && hooks->sees_ports);
    components = instance->components > components ? instance->components : components;
  }
  double **const arrays[] = {&m->g, &m->now, &m->blur};
  for (int k = 0; k < 3; k++) {
    *arrays[k] = sb_arena_zeroed(&m->memory, m->count, sizeof(double));
  }
  double **const vectors[] = {&m->from, &m->to, &m->back};
  for (int k = 0; k < 3; k++) {
    *vectors[k] = sb_arena_zeroed(&m->memory, sb_vector_count(network), sizeof(double));
  }
  m->against = sb_arena_zeroed(&m->memory, m->count, sizeof(bool));
  m->ports = sb_arena_zeroed(&m->memory, 2 * components, sizeof(double));
  m->kept = sb_arena_zeroed(&m->memory, network->discrete_count, sizeof(double));
  m->energy = sb_arena_zeroed(&m->memory, network->part_count, sizeof(double));
  m->modes = sb_arena_zeroed(&m->memory, network->mode_count, sizeof(int));
  return m->memory.failed ? sb_fail(err, SB_ERR_MEMORY, "out of memory") : SB_OK;
}

void sb_mode_changes_finish(sb_mode_changes *m) {
  sb_arena_finish(&m->memory);
}

sb_at sb_mode_changes_at(const sb_mode_changes *m, const sb_instance *instance) {
  const sb_workspace *work = m->p->work;
  sb_at at = sb_at_instance(work, instance, m->p->t, m->p->x);
  if (instance->type->switching->sees_ports) {
    for (int k = 0; k < instance->components; k++) {
      m->ports[k] = work->bond_values[sb_effort_var(instance, k)];
      m->ports[instance->components + k] =
          work->bond_values[sb_flow_var(instance, k)] * instance->signs[k];
    }
    at.in = m->ports;
  }
  return at;
}

bool sb_mode_changes_enter(const sb_mode_changes *m) {
  sb_workspace *work = m->p->work;
  sb_workspace_changed(work);
  if (sb_workspace_evaluate(work, m->p->t, m->p->x) != 0) {
    return false;
  }
  if (m->sees_ports) {
    sb_trace(work, m->p->x);
  }
  return true;
}

void sb_mode_changes_accept(const sb_mode_changes *m) {
  const sb_network *network = &m->p->network;
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    if (hooks_of(instance) != NULL && instance->type->switching->accept != NULL) {
      const sb_at at = sb_mode_changes_at(m, instance);
      instance->type->switching->accept(instance->self, &at,
                                        m->p->work->discrete + instance->discrete);
    }
  }
}

/** All indicators at p->x. @return false: an element gives no finite number */
static bool read(const sb_mode_changes *m, double g[]) {
  const sb_network *network = &m->p->network;
  const size_t size = (size_t)network->discrete_count * sizeof(double);
  double *discrete = m->p->work->discrete, gdot[ALL];
  for (int j = 0; j < m->count; j++) {
    g[j] = NAN;
  }
  if (!sb_mode_changes_enter(m)) {
    return false;
  }
  memcpy(m->kept, discrete, size);
  sb_mode_changes_accept(m);
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    if (hooks_of(instance) == NULL) {
      continue;
    }
    const sb_at at = sb_mode_changes_at(m, instance);
    const int count = hooks_of(instance)->indicators(instance->self, &at, g + i * ALL, gdot);
    for (int k = count > 0 ? count : 0; k < ALL; k++) {
      g[i * ALL + k] = NAN;
    }
  }
  memcpy(discrete, m->kept, size);
  return true;
}

/** Adds what the storages of each part hold at p->x. */
static void add_energies(const sb_mode_changes *m) {
  const sb_operating_point *p = m->p;
  const bool finite = sb_mode_changes_enter(m);
  for (int i = 0; finite && i < p->network.instance_count; i++) {
    const double energy = sb_instance_energy(p->work, i, p->t, p->x);
    m->energy[p->network.part_of[i]] += isfinite(energy) ? fabs(energy) : 0;
  }
}

/** The sizes of the states: what they are at either end, or would be if they held the energy of their part.
 *  @param size  (states) out */
static void find_sizes(const sb_mode_changes *m, double size[]) {
  const sb_operating_point *p = m->p;
  const sb_network *network = &p->network;
  memset(size, 0, (size_t)p->states * sizeof *size);
  (void)sb_mode_changes_enter(m);
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    const sb_storage_hooks *hooks = instance->type->storage;
    const double energy = m->energy[network->part_of[i]];
    double *own = size + instance->state;
    const int n = instance->layout.states;
    if (hooks == NULL) {
      continue;
    }
    if (!instance->linear && hooks->sizes.nominal != NULL) {
      const sb_at at = sb_at_instance(p->work, instance, p->t, p->x);
      (void)hooks->sizes.nominal(instance->self, &at, energy, own, NULL);
    }
    for (int k = 0; instance->linear && k < n; k++) {
      const double stiffness = instance->matrix[k * n + k];
      own[k] = stiffness > 0 ? sqrt(2 * energy / stiffness) : 0;
    }
  }
  for (int k = 0; k < p->states; k++) {
    const double ends = fmax(fabs(m->from[k]), fabs(p->x[k]));
    size[k] = isfinite(size[k]) ? fmax(size[k], ends) : ends;
  }
}

static void add_blur(const sb_mode_changes *m) {
  const bool finite = read(m, m->now);
  for (int j = 0; finite && j < m->count; j++) {
    const double off = fabs(m->now[j] - m->g[j]);
    m->blur[j] += isfinite(off) ? off : 0;
  }
}

/** What the indicators are known to at p->x, where they are m->g: by what each state and all sources are. */
static void find_blur(sb_mode_changes *m) {
  sb_operating_point *p = m->p;
  double *size = m->back;
  const size_t bytes = (size_t)sb_vector_count(&p->network) * sizeof(double);
  memset(m->energy, 0, (size_t)p->network.part_count * sizeof(double));
  memset(m->blur, 0, (size_t)m->count * sizeof(double));
  memcpy(m->to, p->x, bytes);
  add_energies(m);
  memcpy(p->x, m->from, bytes);
  add_energies(m);
  memcpy(p->x, m->to, bytes);
  find_sizes(m, size);
  for (int k = 0; k < p->states; k++) {
    p->x[k] = m->to[k] + known * size[k];
    if (size[k] > 0) {
      add_blur(m);
    }
    p->x[k] = m->to[k];
  }
  p->gain = 1 + known;
  add_blur(m);
  p->gain = 1;
}

static bool any_below(const sb_mode_changes *m, double least) {
  bool any = false;
  for (int j = 0; j < m->count; j++) {
    any = any || m->g[j] < least;
  }
  return any;
}

bool sb_mode_changes_contradict(sb_mode_changes *m) {
  bool any = false;
  if (!read(m, m->g) || !any_below(m, 0)) {
    return false;
  }
  find_blur(m);
  for (int j = 0; j < m->count; j++) {
    m->against[j] = m->g[j] < -m->blur[j];
    m->blur[j] = 0; // they have their events at zero
    any = any || m->against[j];
  }
  return any;
}

/** Not contacts of bodies: where those have no equilibrium, one step is no way to another one, as they turn and slip. */
static bool may_depart(const sb_instance *instance) {
  return instance->type->switching->sees_ports || sb_instance_has_condition(instance);
}

bool sb_mode_changes_begin(sb_mode_changes *m) {
  bool any = false;
  memcpy(m->p->x, m->from, (size_t)sb_vector_count(&m->p->network) * sizeof(double));
  if (!read(m, m->g)) {
    return false;
  }
  find_blur(m);
  for (int j = 0; j < m->count; j++) {
    m->against[j] = m->g[j] >= -m->blur[j] && may_depart(&m->p->network.instances[j / ALL]);
    m->blur[j] =
        m->g[j] > m->blur[j] ? 0 : m->blur[j]; // what is not at zero now has its event there
    any = any || m->against[j];
  }
  return any;
}

bool sb_mode_changes_is_reached(const sb_mode_changes *m, int j) {
  return m->against[j] && m->now[j] < -m->blur[j];
}

bool sb_mode_changes_reached(void *context) {
  const sb_mode_changes *m = context;
  bool any = false;
  if (!read(m, m->now)) {
    return false;
  }
  for (int j = 0; j < m->count; j++) {
    any = any || sb_mode_changes_is_reached(m, j);
  }
  return any;
}

/** p->x a fraction of the way from m->from to m->to, on the manifold. */
static bool go(const sb_mode_changes *m, double fraction) {
  sb_operating_point *p = m->p;
  for (int k = 0; k < p->states; k++) {
    p->x[k] = fraction < 1 ? m->from[k] + fraction * (m->to[k] - m->from[k]) : m->to[k];
  }
  return sb_manifold_enter(p);
}

void sb_mode_changes_locate(sb_mode_changes *m) {
  double before = 0, behind = 1;
  memcpy(m->to, m->p->x, (size_t)m->p->states * sizeof(double));
  if (go(m, 0) && sb_mode_changes_reached(m)) {
    return;
  }
  for (int k = 0; k < BISECTIONS_MAX; k++) {
    const double middle = 0.5 * (before + behind);
    *(go(m, middle) && sb_mode_changes_reached(m) ? &behind : &before) = middle;
  }
  (void)go(m, behind);
  (void)sb_mode_changes_reached(m);
}

const sb_instance *sb_mode_changes_first(const sb_mode_changes *m) {
  int j = 0;
  while (j < m->count - 1 && !m->against[j]) {
    j++;
  }
  return &m->p->network.instances[j / ALL];
}
