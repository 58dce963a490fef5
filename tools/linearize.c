// SPDX-License-Identifier: GPL-3.0-or-later
// screwbond linearize: matrices, modes and frequency response about an operating point.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "linearize.h"
#include "netlist/value/unit.h"
#include "netlist/value/value.h"
#include "values.h"

enum { NAME_SIZE = 700 };

const double linearize_known = 1e-3;

int linearize_out_of_memory(const session *s) {
  const sb_error err = {.status = SB_ERR_MEMORY, .text = "out of memory"};
  return complain_once(&err, s->args->json);
}

/** The frequencies of the response [Hz]. */
static int parse_frequencies(session *s) {
  const sb_dimension hertz = {.exponent = {0, 0, -SB_EXPONENT_ONE}, .cycle = SB_EXPONENT_ONE};
  const value_axis axis = {"linearize", "--frequencies", "1 Hz:10 kHz:50", hertz, 0};
  return value_axis_parse(&axis, s->args->frequencies, s->args->sweep, &s->frequencies,
                          &s->frequency_count);
}

/** Takes an output of the netlist that is no integral over the run. */
static void want(session *s, const char *of) {
  sb_quantity quantity;
  if (sb_model_find(s->model.model, of, &quantity, NULL) != SB_OK ||
      !sb_quantity_integrates(&quantity)) {
    s->wanted[s->wanted_count++] = of;
  }
}

/** The quantities asked for, else those of the netlist, else all states. */
static int choose_outputs(session *s) {
  const sb_netlist *netlist = s->model.netlist;
  int room = s->args->quantity_count + netlist->output_count + s->model.outputs.count + 1;
  s->wanted = calloc((size_t)room, sizeof *s->wanted);
  if (s->wanted == NULL) {
    return linearize_out_of_memory(s);
  }
  for (int i = 0; i < s->args->quantity_count; i++) {
    s->wanted[s->wanted_count++] = s->args->quantities[i];
  }
  for (int i = 0; s->args->quantity_count == 0 && i < netlist->output_count; i++) {
    want(s, netlist->outputs[i].of);
  }
  bool states = s->wanted_count == 0;
  for (int i = 0; states && i < s->model.outputs.count; i++) {
    want(s, s->model.outputs.columns[i].label);
  }
  return EXIT_FINE;
}

/** A state of the model; a vector's states share their name, and are numbered. */
static char *name_state(const sb_model *model, int state) {
  char name[300], other[300], full[NAME_SIZE];
  int states = sb_model_state_count(model), first = state, end = state + 1;
  (void)sb_model_state_name(model, state, name);
  while (first > 0 && strcmp(name, sb_model_state_name(model, first - 1, other)) == 0) {
    first--;
  }
  while (end < states && strcmp(name, sb_model_state_name(model, end, other)) == 0) {
    end++;
  }
  sb_component_name(full, sizeof full, name, state - first, end - first);
  return strdup(full);
}

static bool name_states(session *s) {
  s->states = calloc((size_t)s->linear->states + 1, sizeof *s->states);
  bool named = s->states != NULL;
  for (int i = 0; named && i < s->linear->states; i++) {
    s->states[i] = name_state(s->model.model, s->linear->state[i]);
    named = s->states[i] != NULL;
  }
  return named;
}

static bool name_outputs(session *s) {
  s->outputs = calloc((size_t)s->linear->outputs + 1, sizeof *s->outputs);
  for (int i = 0, at = 0; s->outputs != NULL && i < s->wanted_count; i++) {
    sb_quantity quantity;
    char name[NAME_SIZE];
    (void)sb_model_find(s->model.model, s->wanted[i], &quantity, NULL);
    for (int k = 0; k < quantity.count; k++) {
      sb_component_name(name, sizeof name, s->wanted[i], k, quantity.count);
      s->outputs[at] = strdup(name);
      if (s->outputs[at++] == NULL) {
        return false;
      }
    }
  }
  return s->outputs != NULL;
}

static int failed(const session *s, sb_error *err) {
  return complain_once(err, s->args->json);
}

static int linearize_at(session *s, double t) {
  const arguments *args = s->args;
  sb_error err = {0};
  sb_simulation *sim = NULL;
  sb_status status = sb_simulation_create(s->model.model, &s->model.netlist->options, &sim, &err);
  if (status == SB_OK && t > s->model.netlist->options.t_start) {
    status = sb_simulation_advance(sim, t, &err);
  }
  const sb_linear_request request = {.inputs = args->input_count > 0 ? args->inputs : NULL,
                                     .input_count = args->input_count,
                                     .outputs = s->wanted,
                                     .output_count = s->wanted_count,
                                     .equilibrium = args->equilibrium};
  if (status == SB_OK) {
    status = sb_linearize(sim, &request, &s->linear, &err);
  }
  sb_simulation_destroy(sim);
  if (status != SB_OK) {
    return failed(s, &err);
  }
  s->modes = calloc((size_t)s->linear->states + 1, sizeof *s->modes);
  if (s->modes == NULL || !name_states(s) || !name_outputs(s)) {
    return linearize_out_of_memory(s);
  }
  return sb_linear_modes(s->linear, s->modes, &err) == SB_OK ? EXIT_FINE : failed(s, &err);
}

/** Floating-point operations that the factors of all channels may take, about 30 n^3 each, and what one with more digits costs. */
static const double work_max = 2e10, extended_cost = 70;

/** The transfer functions of all channels, if they are not too many. */
static int find_factors(session *s) {
  const sb_linear *l = s->linear;
  int count = l->outputs * l->inputs, n = l->states + 1;
  const double cost = l->states <= SB_LINEAR_EXTENDED_MAX ? extended_cost : 1;
  if (30.0 * cost * count * n * n * n > work_max) {
    return EXIT_FINE;
  }
  s->channels = calloc((size_t)count + 1, sizeof *s->channels);
  s->channel_errors = calloc((size_t)count + 1, sizeof *s->channel_errors);
  s->roots = calloc((size_t)count * (size_t)(2 * n + l->order) + 1, sizeof *s->roots);
  if (s->channels == NULL || s->channel_errors == NULL || s->roots == NULL) {
    return linearize_out_of_memory(s);
  }
  for (int i = 0; i < count; i++) {
    s->channels[i].zeros = s->roots + i * (2 * n + l->order);
    s->channels[i].poles = s->channels[i].zeros + n + l->order;
  }
  return sb_linear_all_factors(l, s->channels, s->channel_errors) == SB_OK
             ? EXIT_FINE
             : linearize_out_of_memory(s);
}

bool polar_init(polar *p, const session *s) {
  const size_t room = (size_t)(s->linear->outputs * s->linear->inputs) + 1;
  *p = (polar){calloc(room, sizeof(double)), calloc(room, sizeof(double)),
               calloc(room, sizeof(double))};
  return p->size != NULL && p->phase != NULL && p->error != NULL;
}

void polar_finish(polar *p) {
  free(p->size);
  free(p->phase);
  free(p->error);
}

int linearize_polar(const session *s, double frequency, polar *p) {
  const double degree = 0.017453292519943295769, two_pi = 6.283185307179586477;
  double *re = p->size, *im = p->phase;
  sb_error err = {0};
  if (sb_linear_response(s->linear, two_pi * frequency, re, im, p->error, &err) != SB_OK) {
    return failed(s, &err);
  }
  for (int i = 0; i < s->linear->outputs * s->linear->inputs; i++) {
    const bool known = p->error[i] <= linearize_known;
    const double magnitude = known ? hypot(re[i], im[i]) : NAN;
    const double phase = atan2(im[i], re[i]) / degree;
    p->size[i] = magnitude;
    p->phase[i] = isfinite(magnitude) ? phase : NAN;
  }
  return EXIT_FINE;
}

static int run(session *s) {
  double t = 0;
  int code = parse_frequencies(s);
  code = code == EXIT_FINE
             ? value_time("linearize", s->args->at, s->model.netlist->options.t_start, &t)
             : code;
  code = code == EXIT_FINE ? choose_outputs(s) : code;
  code = code == EXIT_FINE ? linearize_at(s, t) : code;
  bool all = s->args->json || s->frequency_count == 0;
  code = code == EXIT_FINE && all ? find_factors(s) : code;
  if (code != EXIT_FINE) {
    return code;
  }
  if (s->args->json) {
    return linearize_print_json(s);
  }
  if (s->frequency_count > 0) {
    return linearize_print_csv(s);
  }
  linearize_print_text(s);
  return EXIT_FINE;
}

static void free_names(char **names, int count) {
  for (int i = 0; names != NULL && i < count; i++) {
    free(names[i]);
  }
  free(names);
}

int linearize_model(const arguments *args) {
  session s = {.args = args};
  int code = loaded_init(&s.model, args);
  if (code == EXIT_FINE) {
    code = run(&s);
  }
  free_names(s.states, s.linear != NULL ? s.linear->states : 0);
  free_names(s.outputs, s.linear != NULL ? s.linear->outputs : 0);
  free(s.wanted);
  free(s.modes);
  free(s.channels);
  free(s.channel_errors);
  free(s.roots);
  free(s.frequencies);
  sb_linear_destroy(s.linear);
  loaded_finish(&s.model);
  return code;
}
