// SPDX-License-Identifier: GPL-3.0-or-later
// Loops of the forces of rigid contacts: wherever they start, the solution is known to rounding, and what no forces satisfy is refused.
#include "core/loop/newton_private.h"
#include "core/model/rhs.h"
#include "core/simulation/simulation_private.h"
#include "tests/netlist_text.h"

static const double g = 9.81;

/** The loop of the contacts of a run. */
static sb_newton loop_of(const run *r) {
  const sb_program *program = r->sim->work->program;
  for (int k = 0; k < program->loop_count; k++) {
    const sb_newton n = sb_newton_begin(r->sim->work, k, r->sim->t, r->sim->x);
    if (sb_newton_of_contacts(&n)) {
      return n;
    }
  }
  fail();
  return (sb_newton){0};
}

/** A block of 20 g on a slope, on three feet or on four at the corners of 3 cm by 2 cm, whose shares are open. */
static run start_block(int feet) {
  static const double at[][4][2] = {
      {{-0.015, -0.01}, {-0.015, 0.01}, {0.015, 0}},
      {{-0.015, -0.01}, {-0.015, 0.01}, {0.015, -0.01}, {0.015, 0.01}}};
  char text[TEXT] = "";
  add(text,
      "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-9'/><laws><contact-law id='l' "
      "normal='rigid' friction='coulomb' mu='0.4'/></laws><mechanism gravity='%.17g 0 %.17g'>"
      "<ground id='f'><shape kind='plane' normal='0 0 1'/></ground><body id='b' mass='0.02' "
      "inertia='2e-6 3e-6 4e-6' position='0 0 0.012'>",
      g * sin(0.3), -g * cos(0.3));
  for (int k = 0; k < feet; k++) {
    add(text, "<shape id='s%d' kind='sphere' radius='0.002' at='%g %g -0.01'/>", k,
        at[feet == 4][k][0], at[feet == 4][k][1]);
  }
  add(text, "</body>");
  for (int k = 0; k < feet; k++) {
    add(text, "<contact id='c%d' a='f' b='s%d' law='l'/>", k, k);
  }
  add(text, "</mechanism></screwbond>");
  return start_netlist(text);
}

// What a start that is 1e9 times too large would leave is its rounding, 1e-7 of the forces.
static void forces_do_not_depend_on_the_start(void **state) {
  (void)state;
  for (int feet = 3; feet <= 4; feet++) {
    run r = start_block(feet);
    double normal = 0, along = 0, moment = 0, y[SB_LOOP_MAX], far[SB_LOOP_MAX];
    for (int k = 0; k < feet; k++) {
      char force[16], point[16];
      (void)snprintf(force, sizeof force, "c%d.force", k);
      (void)snprintf(point, sizeof point, "c%d.point", k);
      normal += component(&r, force, 2);
      along += component(&r, force, 0);
      moment += component(&r, point, 0) * component(&r, force, 2);
    }
    assert_near(normal, 0.02 * g * cos(0.3), 1e-14);
    assert_near(along, -0.02 * g * sin(0.3), 1e-14);
    assert_near(moment, 0.012 * 0.02 * g * sin(0.3), 1e-16); // about the centre of mass
    const sb_newton n = loop_of(&r);
    double most = 0;
    for (int k = 0; k < n.m; k++) {
      y[k] = r.sim->work->values[n.outputs[k]];
      far[k] = 1e9 * (y[k] + sin(k));
      most = fmax(most, fabs(y[k]));
    }
    assert_true(sb_newton_solve_contacts(&n, far));
    for (int k = 0; k < n.m; k++) {
      assert_near(far[k], y[k], 1e-13 * most);
    }
    stop(&r);
  }
}

/** A foot of a hinged bar holds it once more: at rest any turn is held. If the bar turned, the foot would roll towards its hinge or away from it, and so
 *  rise from the floor or sink: it lets go, or no forces hold it. */
static void what_contradicts_lets_go_or_is_refused(void **state) {
  (void)state;
  for (int sinks = 0; sinks < 2; sinks++) {
    const double hinge = sinks ? 0.02 : 0.08;
    char text[TEXT] = "";
    add(text,
        "<screwbond version='1' id='m'><run t-end='1 s' rtol='1e-9'/><laws><contact-law id='l' "
        "normal='rigid' friction='coulomb' mu='0.4'/></laws><mechanism gravity='0 0 -9.81'><ground "
        "id='f'><shape kind='plane' normal='0 0 1'/></ground><body id='b' mass='0.7' com='0.2 0 0'>"
        "<shape id='s' kind='sphere' radius='0.05' at='0.4 0 %g'/></body><joint id='j' "
        "kind='revolute' axis='0 1 0' parent='world' child='b' at='0 0 %g'/><contact id='c' a='f' "
        "b='s' law='l'/></mechanism></screwbond>",
        0.05 - hinge, hinge);
    run r = start_netlist(text);
    const double fx = component(&r, "c.force", 0), fz = component(&r, "c.force", 2);
    assert_near(0.4 * fz + hinge * fx, 0.2 * 0.7 * g, 1e-13);
    sb_workspace *work = r.sim->work;
    double x[2] = {r.sim->x[0], 0.3}; // [rad], [N m s]
    sb_workspace_changed(work);
    assert_int_equal(sb_workspace_evaluate(work, 0, x) != 0, sinks);
    assert_int_equal(work->failure.kind, sinks ? SB_LOOP_NO_SOLUTION : SB_LOOP_SOLVED);
    stop(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_do_not_depend_on_the_start),
      cmocka_unit_test(what_contradicts_lets_go_or_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
