// SPDX-License-Identifier: GPL-3.0-or-later
// Rates by which constraints are enforced, off by a factor 1 + lie: the audit finds them and names the element. The
// projection on the constraints hides the drift, and the energy balance may be met all the same.
#include "core/model/model_data.h"
#include "tests/fixture.h"

/** A kind whose rates are wrong. One at a time. */
static struct {
  const sb_element_type *right;
  double factor;
} wrong;

static int scaled(int status, int count, double y[]) {
  for (int k = 0; k < count; k++) {
    y[k] *= wrong.factor;
  }
  return status;
}

static int wrong_hessian(const void *self, const sb_at *at, double K[]) {
  return scaled(wrong.right->storage->constraints.hessian(self, at, K), 1, K);
}

static int wrong_source_rate(const void *self, const sb_at *at, double ydot[]) {
  return scaled(wrong.right->source->rate(self, at, ydot), 1, ydot);
}

static int wrong_signal_rate(const void *self, const sb_at *at, double rate[]) {
  return scaled(wrong.right->signal->output_rate(self, at, rate), 1, rate);
}

/** Each of the two operators writes one of the two outputs. */
static int wrong_forward_rate(const void *self, const sb_at *at, double ydot[]) {
  double before[2] = {ydot[0], ydot[1]};
  int status = wrong.right->structure->rates.forward(self, at, ydot);
  for (int k = 0; k < 2; k++) {
    ydot[k] = ydot[k] == before[k] ? ydot[k] : wrong.factor * ydot[k];
  }
  return status;
}

/** Gives an instance wrong rates, whatever it is. */
static void spoil(run *r, const char *id, double lie) {
  static sb_element_type type;
  static sb_storage_hooks storage;
  static sb_source_hooks source;
  static sb_signal_hooks signal;
  static sb_structure_hooks structure;
  sb_network *network = &r->model->network;
  sb_instance *instance = NULL;
  for (int i = 0; i < network->instance_count; i++) {
    instance = strcmp(network->instances[i].id, id) == 0 ? &network->instances[i] : instance;
  }
  assert_non_null(instance);
  type = *instance->type;
  wrong.right = instance->type;
  wrong.factor = 1 + lie;
  if (type.storage != NULL) {
    storage = *type.storage;
    storage.constraints.hessian = wrong_hessian;
    type.storage = &storage;
  } else if (type.source != NULL) {
    source = *type.source;
    source.rate = wrong_source_rate;
    type.source = &source;
  } else if (type.signal != NULL) {
    signal = *type.signal;
    signal.output_rate = wrong_signal_rate;
    type.signal = &signal;
  } else {
    structure = *type.structure;
    structure.rates.forward = wrong_forward_rate;
    type.structure = &structure;
  }
  instance->type = &type;
}

/** Networks with constraints, and the elements in them whose rates these use. */
static const struct {
  const char *text, *at_fault[3];
} networks[] = {
    // a source that follows a signal, right on a capacitor
    {"<network domain='electric'><signal id='i' of='L.f'/><signal id='u' value='3[V] + 2[ohm]*i'/>"
     "<Se id='S' effort='u*u/1[V]'/><C id='store' c='0.2 F' q0='1.8 C'/><bond from='S' to='store'/>"
     "<J1 id='j'/><I id='L' l='0.7 H'/><C id='C' c='0.3 F' q0='0.4 C'/>"
     "<bond from='j' to='L'/><bond from='j' to='C'/></network>",
     {"u", "S", NULL}},
    // inertias on both sides of a ratio that follows the angle
    {"<network domain='rotation'><signal id='w' of='wheel.f'/><signal id='th' rate='w'/>"
     "<I id='wheel' inertia='0.3 kg.m^2' p0='0.9 N.m.s'/><J1 id='shaft'/>"
     "<MTF id='crank' ratio='2 + sin(th)'/><I id='load' inertia='0.05 kg.m^2' p0='0.3 N.m.s'/>"
     "<bond from='shaft' to='wheel'/><bond from='shaft' to='crank'/>"
     "<bond from='crank' to='load'/></network>",
     {"crank", NULL}},
    // a point mass on a rod, whose joint has no inertia: one constraint, one multiplier
    {"<network domain='translation'><signal id='th' rate='w' start='0.6 rad'/>"
     "<signal id='w' of='swing.f'/><J1 id='swing' domain='rotation'/>"
     "<MTF id='tx' ratio='1.5[m]*cos(th)'/><MTF id='ty' ratio='1.5[m]*sin(th)'/>"
     "<J1 id='mx'/><I id='Lx' mass='2 kg'/><J1 id='my'/><I id='Ly' mass='2 kg'/>"
     "<Se id='G' effort='-19.6[N]'/><bond from='swing' to='tx'/><bond from='tx' to='mx'/>"
     "<bond from='mx' to='Lx'/><bond from='swing' to='ty'/><bond from='ty' to='my'/>"
     "<bond from='my' to='Ly'/><bond from='G' to='my'/></network>",
     {"tx", "ty", NULL}},
    // springs with laws of their own side by side
    {"<network domain='translation'><J0 id='j'/><J1 id='v'/><I id='m' mass='1.3 kg' p0='0.7 N.s'/>"
     "<C id='soft' energy='2[N/m]*q^2 + 0.3[N/m^3]*q^4' q0='0.1 m'/>"
     "<C id='hard' energy='2[N/m]*q^2 + 0.3[N/m^3]*q^4' q0='0.1 m'/><R id='R' r='0.1 N.s/m'/>"
     "<bond from='v' to='m'/><bond from='v' to='R'/><bond from='j' to='v'/><bond from='j' "
     "to='soft'/>"
     "<bond from='j' to='hard'/></network>",
     {"soft", "hard", NULL}},
    // a swinging voltage across a capacitor
    {"<network domain='electric'><Se id='U' effort='2.3[V]*sin(1.7*t/1[s])'/>"
     "<C id='C' c='0.3 F'/><J0 id='n'/><R id='R' r='0.9 ohm'/><bond from='U' to='n'/>"
     "<bond from='n' to='C'/><bond from='n' to='R'/></network>",
     {"U", NULL}},
};

static int nothing(void *context, const sb_simulation *sim, double t) {
  (void)context, (void)sim, (void)t;
  return 0;
}

/** @param id  NULL: all rates are right */
static run run_with(const char *text, const char *id, double lie) {
  run r = prepare_inside(text);
  sb_error err = {0};
  if (id != NULL) {
    spoil(&r, id, lie);
  }
  start_by(&r, &r.netlist->options);
  ok(sb_simulation_run(r.sim, 2, 0.1, nothing, NULL, &err), &err);
  return r;
}

/** The figure is the lie, as a part of the wrong rate. */
static void structure_names_a_wrong_rate(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
    run right = run_with(networks[i].text, NULL, 0);
    assert_near(ledger_of(&right)->structure.residual_relative, 0, 1e-13);
    stop(&right);
    for (int k = 0; networks[i].at_fault[k] != NULL; k++) {
      for (double lie = 1e-5; lie < 1; lie *= 1e4) {
        run r = run_with(networks[i].text, networks[i].at_fault[k], lie);
        assert_string_equal(ledger_of(&r)->structure.worst, networks[i].at_fault[k]);
        assert_near_relative(ledger_of(&r)->structure.residual_relative, lie / (1 + lie), 1e-3);
        stop(&r);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(structure_names_a_wrong_rate)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
