// SPDX-License-Identifier: GPL-3.0-or-later
// The normal laws of a contact: the force is the derivative of the stored energy, for every law of the
// table, and the values of the laws by hand.
#include "tests/near.h"

#include "contact/law.h"

static void force_is_the_derivative_of_the_energy(void **state) {
  (void)state;
  for (const sb_normal_law *row = sb_normal_laws; row->name != NULL; row++) {
    sb_contact_law law = sb_contact_law_defaults();
    law.normal = row;
    law.exponent = row->fixed_exponent != 0 ? row->fixed_exponent : 1.5;
    for (double d = 1e-4; d < 0.1; d *= 7) {
      double force, unused, h = 1e-4 * d;
      (void)row->energy(&law, 2385, d, &force);
      double rise =
          row->energy(&law, 2385, d + h, &unused) - row->energy(&law, 2385, d - h, &unused);
      assert_near_relative(force, rise / (2 * h), 1e-8);
      assert_true(row->damping(&law, d) > 0);
      assert_near_relative(row->ratio(&law, 2385, d) * row->damping(&law, d), force, 1e-15);
    }
    assert_true(isfinite(row->ratio(&law, 2385, 0)));
    assert_ptr_equal(sb_normal_law_find(row->name), row);
  }
  assert_null(sb_normal_law_find("plastic"));
}

/** Hertz: V = 2/5 k d^(5/2), f = k d^(3/2), and damping in proportion to d^(3/2). */
static void laws_by_hand(void **state) {
  (void)state;
  sb_contact_law law = sb_contact_law_defaults();
  double force;
  assert_near(law.normal->energy(&law, 1700, 0.02, &force), 0.34, 1e-15);
  assert_near(force, 34, 1e-14);
  assert_near(law.normal->damping(&law, 0.02), 1, 0);
  law.normal = sb_normal_law_find("hunt-crossley");
  law.exponent = 1.5;
  assert_near(law.normal->energy(&law, 1e6, 0.04, &force), 0.4 * 1e6 * 0.00032, 1e-11);
  assert_near(force, 8000, 1e-9);
  assert_near(law.normal->damping(&law, 0.04), 0.008, 1e-17);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(force_is_the_derivative_of_the_energy),
      cmocka_unit_test(laws_by_hand),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
