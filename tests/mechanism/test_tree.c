// SPDX-License-Identifier: GPL-3.0-or-later
// What a tree is made of, and what is refused.
#include "tests/mechanism/specimen.h"

#include <stdio.h>

static sb_tree_body plain(const char *joint, int parent) {
  const sb_pose here = sb_pose_identity();
  return (sb_tree_body){.name = joint,
                        .parent = parent,
                        .joint = sb_joint_find(joint),
                        .in_parent = {here.rotation, {0.3, -0.2, 0.7}},
                        .in_body = here,
                        .axis = {0, 0, 2},
                        .inertia = sb_inertia_make(1.3, (sb_vec3){0.1, 0.2, 0.3},
                                                   sb_mat3_diag((sb_vec3){0.1, 0.12, 0.15}))};
}

static void refused(const sb_tree_body body[], int count, sb_status status, int faulty,
                    const char *text) {
  sb_tree *tree;
  sb_error err = {0};
  int found = -2;
  assert_int_equal(sb_tree_create(body, count, (sb_vec3){0, 0, 0}, &tree, &found, &err), status);
  assert_string_equal(err.text, text);
  assert_int_equal(found, faulty);
  assert_null(tree);
}

static void joints_stand_one_behind_the_other(void **state) {
  (void)state;
  const sb_tree_body body[] = {plain("free", -1), plain("fixed", 0), plain("universal", 1),
                               plain("spherical", 0), plain("planar", -1)};
  sb_tree *tree;
  sb_error err;
  ok(sb_tree_create(body, 5, (sb_vec3){0, 0, 0}, &tree, NULL, &err), &err);
  assert_int_equal(sb_tree_bodies(tree), 5);
  assert_int_equal(sb_tree_velocities(tree), 6 + 0 + 2 + 3 + 3);
  assert_int_equal(sb_tree_coordinates(tree), 7 + 0 + 2 + 4 + 3);
  const sb_tree_joint third = sb_tree_joint_of(tree, 3);
  assert_int_equal(third.coordinate, 9);
  assert_int_equal(third.coordinates, 4);
  assert_int_equal(third.velocity, 8);
  assert_int_equal(third.velocities, 3);
  assert_ptr_equal(third.kind, sb_joint_find("spherical"));
  assert_near(sb_tree_mass(tree), 5 * 1.3, 1e-15);
  sb_tree_destroy(tree);
}

/** Bodies that are fixed in the world have their place, do not move, and take every wrench. */
static void fixed_in_the_world(void **state) {
  (void)state;
  const sb_tree_body body[] = {plain("fixed", -1), plain("fixed", 0), plain("revolute", 1)};
  sb_tree *tree;
  sb_error err;
  ok(sb_tree_create(body, 3, (sb_vec3){0, 0, -9.81}, &tree, NULL, &err), &err);
  assert_near(sb_tree_mass(tree), 1.3, 1e-15); // of what can move
  double *scratch = calloc((size_t)sb_tree_scratch(tree), sizeof *scratch);
  const double q = 0.3, v = 2;
  double p, qdot, pdot[2];
  sb_tree_place(tree, &q, scratch);
  sb_tree_move(tree, &v, scratch, &p);
  assert_near(sb_tree_pose(tree, scratch, 1).position.z, 1.4, 1e-15);
  assert_near(sb_vec3_norm(sb_tree_twist(tree, scratch, 1).angular), 0, 0);
  assert_near(sb_tree_twist(tree, scratch, 2).angular.z, 2, 1e-15);
  sb_wrench push[3] = {{{1, 2, 3}, {4, 5, 6}}, {{3, 1, 2}, {5, 3, 1}}, {{0, 0, 0}, {0, 0, 0}}};
  sb_tree_rates(tree, &q, NULL, push, scratch, &qdot, &pdot[0]);
  sb_tree_rates(tree, &q, NULL, NULL, scratch, &qdot, &pdot[1]);
  assert_near(pdot[0], pdot[1], 0);
  free(scratch);
  sb_tree_destroy(tree);
}

/** A tree of nothing but fixed bodies has no state. */
static void nothing_moves(void **state) {
  (void)state;
  const sb_tree_body body[] = {plain("fixed", -1)};
  sb_tree *tree;
  sb_error err;
  ok(sb_tree_create(body, 1, (sb_vec3){0, 0, 0}, &tree, NULL, &err), &err);
  assert_int_equal(sb_tree_velocities(tree), 0);
  sb_tree_destroy(tree);
  sb_tree_destroy(NULL);
}

static void parents_stand_before(void **state) {
  (void)state;
  const sb_tree_body forward[] = {plain("revolute", 1), plain("revolute", -1)},
                     itself[] = {plain("free", -1), plain("revolute", 1)},
                     unknown[] = {plain("revolute", -2)};
  const char *const text = "the body 'revolute' must stand behind the body that carries it";
  refused(forward, 2, SB_ERR_REFERENCE, 0, text);
  refused(itself, 2, SB_ERR_REFERENCE, 1, text);
  refused(unknown, 1, SB_ERR_REFERENCE, 0, text);
}

static void axes_must_be_told(void **state) {
  (void)state;
  sb_tree_body body[] = {plain("free", -1), plain("universal", 0)};
  body[0].axis = (sb_vec3){0, 0, 0}; // a free joint needs none
  body[1].second = (sb_vec3){0, 0, -3};
  refused(body, 2, SB_ERR_RANGE, 1, "the two axes of the joint of 'universal' are parallel");
  body[1].axis = (sb_vec3){0, 0, 0};
  refused(body, 2, SB_ERR_RANGE, 1, "the axis of the joint of 'universal' is zero");
  body[1].axis.x = NAN;
  refused(body, 2, SB_ERR_RANGE, 1, "the axis of the joint of 'universal' is zero");
}

static void springs_must_be_springs(void **state) {
  (void)state;
  sb_tree_body body[] = {plain("free", -1), plain("cylindrical", 0)};
  body[1].stiffness[1] = -1;
  refused(body, 2, SB_ERR_RANGE, 1,
          "the stiffness of the joint of 'cylindrical' must be finite, and not negative");
  body[0].stiffness[4] = 1;
  refused(body, 2, SB_ERR_RANGE, 0,
          "the joint of 'free' turns freely and takes no stiffness against that");
}

static void what_has_no_mass_is_told(void **state) {
  (void)state;
  const char *const turns = "nothing that the joint of '%s' turns has inertia against that";
  const char *const shifts = "nothing that the joint of '%s' shifts has mass";
  char text[2][SB_ERROR_TEXT];
  static const struct {
    const char *joint;
    bool turns, point; // a point mass in the joint's axis; else no mass
  } rows[] = {
      {"revolute", true, false},    {"revolute", true, true},   {"prismatic", false, false},
      {"helical", true, false},     {"spherical", true, false}, {"spherical", true, true},
      {"universal", true, false},   {"free", true, false},      {"free", true, true},
      {"planar", true, false},      {"planar", true, true},     {"translational", false, false},
      {"cylindrical", false, false}};
  for (size_t i = 0; i < 20 * sizeof rows / sizeof *rows; i++) {
    const size_t r = i % (sizeof rows / sizeof *rows);
    sb_tree_body body[] = {plain("free", -1), plain(rows[r].joint, 0)};
    const sb_vec3 z = sb_vec3_normalize(body[1].axis = uniform_vec3(1));
    body[1].in_parent = uniform_pose();
    body[1].inertia =
        rows[r].point ? sb_inertia_make(1.7, sb_vec3_scale(z, uniform(0.1, 2)), (sb_mat3){{{0}}})
                      : (sb_inertia){0};
    const bool free_point = rows[r].point && strcmp(rows[r].joint, "free") == 0;
    (void)snprintf(text[0], sizeof text[0],
                   free_point      ? "body '%s' moves freely, and has no inertia against a turn "
                                     "about one of its axes"
                   : rows[r].turns ? turns
                                   : shifts,
                   rows[r].joint);
    refused(body, 2, SB_ERR_SINGULAR, 1, text[0]);
  }
  // behind a fixed joint it is a body after all; behind a free one it is not
  sb_tree_body carried[] = {plain("revolute", -1), plain("fixed", 0), plain("free", 0)};
  sb_tree *tree;
  sb_error err;
  carried[0].inertia = (sb_inertia){0};
  ok(sb_tree_create(carried, 2, (sb_vec3){0, 0, 0}, &tree, NULL, &err), &err);
  sb_tree_destroy(tree);
  carried[1] = carried[2];
  (void)snprintf(text[1], sizeof text[1], turns, "revolute");
  refused(carried, 2, SB_ERR_SINGULAR, 0, text[1]);
  // a body as good as without mass is none the less one: a gear of 1e-9 of the mass, alone against its axis
  sb_tree_body gear[] = {plain("free", -1), plain("revolute", 0)};
  gear[1].inertia =
      sb_inertia_make(1e-9, (sb_vec3){0, 0, 0.4}, sb_mat3_diag((sb_vec3){1e-15, 1e-15, 1e-15}));
  ok(sb_tree_create(gear, 2, (sb_vec3){0, 0, 0}, &tree, NULL, &err), &err);
  sb_tree_destroy(tree);
}

/** Against the root of a long chain stands a link alone, next to nothing of the whole. */
static void long_chains_are_no_rounding(void **state) {
  (void)state;
  enum { LINKS = 20000 };
  sb_tree_body *body = calloc(LINKS, sizeof *body);
  sb_tree *tree;
  sb_error err;
  for (int i = 0; i < LINKS; i++) {
    body[i] = plain("revolute", i - 1);
    body[i].axis = i % 2 == 0 ? (sb_vec3){0, 0, 1} : (sb_vec3){0, 1, 0};
  }
  ok(sb_tree_create(body, LINKS, (sb_vec3){0, 0, 0}, &tree, NULL, &err), &err);
  sb_tree_destroy(tree);
  free(body);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joints_stand_one_behind_the_other),
      cmocka_unit_test(fixed_in_the_world),
      cmocka_unit_test(nothing_moves),
      cmocka_unit_test(parents_stand_before),
      cmocka_unit_test(axes_must_be_told),
      cmocka_unit_test(springs_must_be_springs),
      cmocka_unit_test(what_has_no_mass_is_told),
      cmocka_unit_test(long_chains_are_no_rounding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
