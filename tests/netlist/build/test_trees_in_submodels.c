// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies and joints in sub-models: used twice and repeated they move as if they were written out.
#include "tests/fixture.h"

/** An arm of two bodies with a hinge, a tendon, a push, a contact and a signal. */
#define ARM(P, m, half)                                                                            \
  "<body id='" P "upper' mass='" m "'><shape id='" P "stem' kind='capsule' radius='0.1 m' "        \
  "length='1 m' at='0 0 -0.5 m'/></body><body id='" P "lower' mass='" half "'><shape id='" P       \
  "tip' kind='sphere' radius='0.1 m' at='0 0 -0.5 m'/><frame id='" P "hand' at='0 0.1 -0.6 m'/>"   \
  "</body><joint id='" P "hinge' kind='revolute' axis='0 1 0' parent='" P "upper' child='" P       \
  "lower' at='0 0 -1 m' damping='0.3 N.m.s/rad' q0='20 deg' limits='-1 1 rad'/>"                   \
  "<Line id='" P "muscle' from='" P "upper' to='" P "hand'/><Wrench id='" P "push' on='" P         \
  "hand' force-x='0.1[N]*cos(3*t/1[s])'/><ground id='" P "wall'><shape kind='plane' "              \
  "normal='0 0 1' offset='-2 m'/></ground><contact a='" P "tip' b='" P "wall' law='hit'/>"
#define INSIDE(P)                                                                                  \
  "<C id='" P "k' c='0.01 m/N' domain='translation'/><bond from='" P "muscle' to='" P "k'/>"       \
  "<signal id='" P "q' of='" P "hinge.q'/><Se id='" P "back' domain='rotation' effort='-2*" P      \
  "q*1[N.m]'/><bond from='" P "back' to='" P "hinge'/>"
#define LAWS "<laws><contact-law id='hit' normal='linear' stiffness='1e4 N/m'/></laws>"
#define TRUNK(left, right)                                                                         \
  "<body id='trunk' mass='10 kg' inertia='1 1 1 kg.m^2'/><joint id='base' kind='prismatic' "       \
  "parent='world' child='trunk' stiffness='300 N/m'/>" left right
#define ENDS(L, R)                                                                                 \
  "<joint id='l' kind='revolute' axis='1 0 0' parent='trunk' child='" L                            \
  "upper' at='0 0.3 0 m'/><joint id='r' kind='spherical' parent='trunk' child='" R                 \
  "upper' at='0 -0.3 0 m' w0='0.5 0 0.2 rad/s'/>"
#define DRIVES(L, R)                                                                               \
  "<network domain='rotation'><R id='brake' r='0.1 N.m.s/rad'/><Se id='motor' effort='0.2 N.m'/>"  \
  "<bond from='" L "' to='brake'/><bond from='motor' to='" R "'/></network>"

static void two_arms(void **state) {
  (void)state;
  run flat = start(LAWS "<mechanism gravity='0 0 -9.81 m/s^2'>" TRUNK(ARM("a_", "1 kg", "0.5 kg"),
                                                                      ARM("b_", "2 kg", "1 kg"))
                       ENDS("a_", "b_") "</mechanism><network>" INSIDE("a_")
                           INSIDE("b_") "</network>" DRIVES("a_hinge", "b_hinge"),
                   1e-10, 0);
  run nested = start(
      "<submodel id='Arm'><parameters><param id='m' value='1 kg'/></parameters><port id='shoulder' "
      "domain='rotation' node='hinge'/><mechanism>" ARM(
          "", "m",
          "m/2") "</mechanism><network>" INSIDE("") "</network></submodel>" LAWS
                                                    "<mechanism gravity='0 0 -9.81 m/s^2'>" TRUNK(
                                                        "<use id='a' submodel='Arm'/>",
                                                        "<use id='b' submodel='Arm'><set param='m' "
                                                        "value='2 kg'/></use>")
                                                        ENDS("a/", "b/") "</mechanism>" DRIVES(
                                                            "a.shoulder", "b.shoulder"),
      1e-10, 0);
  static const char *const names[][2] = {{"base.q", "base.q"},
                                         {"a_hinge.q", "a/hinge.q"},
                                         {"b_hinge.q", "b/hinge.q"},
                                         {"a_muscle.length", "a/muscle.length"},
                                         {"b_q.value", "b/q.value"},
                                         {"contact(a_tip,a_wall).gap", "contact(a/tip,a/wall).gap"},
                                         {"b_hand.position", "b/hand.position"}};
  for (double t = 0.25; t < 1.1; t += 0.25) {
    advance(&flat, t);
    advance(&nested, t);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
      assert_near(value(&nested, names[i][1]), value(&flat, names[i][0]), 1e-10);
    }
  }
  assert_near(ledger_of(&nested)->total.dissipated, ledger_of(&flat)->total.dissipated, 1e-10);
  stop(&flat);
  stop(&nested);
}

/** A chain of links that hangs by its first from the world: with m = 1 kg and l = 1 m each, of ten at rest at the angle a
 *  the whole has the energy -m g l cos(a) 10^2/2. */
static void chain(void **state) {
  (void)state;
  static const char text[] =
      "<submodel id='Link'><mechanism><body id='rod' mass='1 kg' com='0 0 -0.5 m' "
      "inertia='1/12 1/12 1e-3'><frame id='end' at='0 0 -1 m'/></body></mechanism></submodel>"
      "<mechanism gravity='0 0 -10 m/s^2'>"
      "<use id='link[0]' submodel='Link'/><joint id='j[0]' kind='revolute' axis='0 1 0' "
      "parent='world' child='link[0]/rod' q0='60 deg'/>"
      "<repeat index='k' count='9'><use id='link[k]' submodel='Link'/><joint id='j[k]' "
      "kind='revolute' axis='0 1 0' parent='link[k-1]/rod' child='link[k]/rod' at='0 0 -1 m'/>"
      "</repeat></mechanism>";
  run r = start(text, 1e-10, 0);
  assert_near(value(&r, "tree(link[0]/rod).potential-energy"), -10 * 50 * 0.5, 1e-10);
  assert_near(component(&r, "link[9]/end.position", 2), -5, 1e-12);
  advance(&r, 0.5);
  assert_near(value(&r, "tree(link[0]/rod).potential-energy") +
                  value(&r, "tree(link[0]/rod).kinetic-energy"),
              -250, 1e-6);
  stop(&r);
}

static void assert_fault(const char *inside, const char *message) {
  char text[3000];
  sb_errors errors = {0};
  sb_netlist *netlist = NULL;
  (void)snprintf(text, sizeof text, "<screwbond version='1' id='m'>%s<run t-end='1'/></screwbond>",
                 inside);
  (void)sb_netlist_parse("test.xml", text, strlen(text), NULL, 0, &netlist, &errors);
  if (errors.count != 1) {
    show_errors(&errors);
  }
  assert_int_equal(errors.count, 1);
  assert_string_equal(errors.items[0].text, message);
  sb_errors_finish(&errors);
  sb_netlist_destroy(netlist);
}

#define SUB(more, inside)                                                                          \
  "<submodel id='S'><mechanism " more "><body id='a' mass='1' inertia='1 1 1'/>" inside            \
  "</mechanism></submodel><mechanism><use id='s' submodel='S'/>"
static void faults(void **state) {
  (void)state;
  assert_fault(SUB("gravity='0 0 -9 m/s^2'", "") "</mechanism>",
               "the <mechanism> of a sub-model has no gravity (in 's')");
  assert_fault(
      SUB("", "<joint id='j' kind='revolute' parent='out' child='a'/>") "<body id='out' "
                                                                        "mass='1' inertia='1 1 "
                                                                        "1'/></mechanism>",
      "joint 'j': there is no body 's/out' (in 's')");
  assert_fault(SUB("", "") "<joint id='j' kind='revolute' parent='world' child='s/b'/></mechanism>",
               "joint 'j': there is no body 's/b'");
  assert_fault(
      SUB("",
          "<joint id='j' kind='revolute' parent='world' child='a'/>") "</mechanism>"
                                                                      "<network><R id='R' r='1' "
                                                                      "domain='rotation'/><bond "
                                                                      "from='s/j' "
                                                                      "to='R'/></network>",
      "a bond can connect to 's' only through its ports");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_arms), cmocka_unit_test(chain),
                                     cmocka_unit_test(faults)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
