// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/succession.h"

#include <string.h>

sb_status sb_succession_find(sb_succession *s, sb_arena *memory, const sb_network *from,
                             const sb_network *to) {
  *s = (sb_succession){.from = from, .to = to};
  s->now = sb_arena_zeroed(memory, from->instance_count, sizeof(int));
  s->before = sb_arena_zeroed(memory, to->instance_count, sizeof(int));
  if (memory->failed) {
    return SB_ERR_MEMORY;
  }
  for (int i = 0; i < from->instance_count; i++) {
    const char *id = from->instances[i].id;
    s->now[i] = sb_names_find(&to->names, id, strlen(id));
  }
  for (int i = 0; i < to->instance_count; i++) {
    s->before[i] = -1;
  }
  for (int i = 0; i < from->instance_count; i++) {
    if (s->now[i] >= 0) {
      s->before[s->now[i]] = i;
    }
  }
  return SB_OK;
}

void sb_succession_instances(const sb_succession *s, const double from[], double to[]) {
  for (int i = 0; i < s->to->instance_count; i++) {
    if (s->before[i] >= 0) {
      to[i] = from[s->before[i]];
    }
  }
}

void sb_succession_of_states(const sb_succession *s, int each, const double from[], double to[]) {
  for (int i = 0; i < s->to->instance_count; i++) {
    const sb_instance *own = &s->to->instances[i];
    if (s->before[i] >= 0 && own->layout.states > 0) {
      memcpy(to + each * own->state, from + each * s->from->instances[s->before[i]].state,
             (size_t)(each * own->layout.states) * sizeof *to);
    }
  }
}

void sb_succession_states(const sb_succession *s, const double from[], double to[]) {
  sb_succession_of_states(s, 1, from, to);
}

void sb_succession_quadratures(const sb_succession *s, const double from[], double to[]) {
  for (int i = 0; i < s->to->instance_count; i++) {
    const sb_instance *own = &s->to->instances[i];
    const sb_instance *was = s->before[i] < 0 ? NULL : &s->from->instances[s->before[i]];
    if (was != NULL && own->quadrature >= 0) {
      to[own->quadrature] = from[was->quadrature];
    }
    if (was != NULL && own->integral >= 0) {
      to[own->integral] = from[was->integral];
    }
  }
}

void sb_succession_vector(const sb_succession *s, const double from[], double to[]) {
  sb_succession_states(s, from, to);
  sb_succession_quadratures(s, from + s->from->state_count, to + s->to->state_count);
}

/** The first components of a port in both networks. @return how many there are in both */
static int common(const sb_instance *own, const sb_instance *was, int port, int *k, int *before) {
  const int dim = own->layout.ports[port].dim, other = was->layout.ports[port].dim;
  *k = own->first[port];
  *before = was->first[port];
  return dim < other ? dim : other;
}

static int common_ports(const sb_instance *own, const sb_instance *was) {
  return own->layout.port_count < was->layout.port_count ? own->layout.port_count
                                                         : was->layout.port_count;
}

void sb_succession_components(const sb_instance *own, const sb_instance *was, const double from[],
                              double to[]) {
  int k, before;
  for (int port = 0; port < common_ports(own, was); port++) {
    const int count = common(own, was, port, &k, &before);
    for (int i = 0; i < count; i++) {
      to[k + i] = from[before + i];
    }
  }
}

static void succeed_pairs(const sb_instance *own, const sb_instance *was, const double from[],
                          double to[]) {
  int k, before;
  for (int port = 0; port < common_ports(own, was); port++) {
    const int count = common(own, was, port, &k, &before);
    for (int i = 0; i < count; i++) {
      to[sb_effort_var(own, k + i)] = from[sb_effort_var(was, before + i)];
      to[sb_flow_var(own, k + i)] = from[sb_flow_var(was, before + i)];
    }
  }
}

void sb_succession_pairs(const sb_succession *s, const double from[], double to[]) {
  for (int i = 0; i < s->to->instance_count; i++) {
    if (s->before[i] >= 0) {
      succeed_pairs(&s->to->instances[i], &s->from->instances[s->before[i]], from, to);
    }
  }
}
