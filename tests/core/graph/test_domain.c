// SPDX-License-Identifier: GPL-3.0-or-later
// The table of domains: effort times flow is power, displacement and momentum are their integrals.
#include "tests/near.h"

#include "core/graph/domain.h"
#include "netlist/value/unit.h"

static sb_dimension product(const char *a, const char *b) {
  sb_dimension da, db;
  double scale;
  sb_error err = {0};
  ok(sb_unit_parse(a, strlen(a), &da, &scale, &err), &err);
  assert_near(scale, 1, 0); // an SI unit
  ok(sb_unit_parse(b, strlen(b), &db, &scale, &err), &err);
  assert_near(scale, 1, 0);
  assert_true(sb_dimension_multiply(&da, &db, 1, 1));
  return da;
}

static void effort_times_flow_is_power(void **state) {
  (void)state;
  int scalar = 0;
  for (const sb_domain *d = sb_domains; d->name != NULL; d++) {
    assert_ptr_equal(sb_domain_find(d->name), d);
    if (d->effort == NULL) {
      continue; // of components that have different units
    }
    sb_dimension power = product(d->effort, d->flow), watt = product("W", "1");
    sb_dimension displacement = product(d->displacement, "1"), fs = product(d->flow, "s");
    sb_dimension momentum = product(d->momentum, "1"), es = product(d->effort, "s");
    assert_true(sb_dimension_equal(&power, &watt));
    assert_true(sb_dimension_equal(&displacement, &fs));
    assert_true(sb_dimension_equal(&momentum, &es));
    scalar++;
  }
  assert_int_equal(scalar, 6);
  assert_null(sb_domain_find("electrical"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(effort_times_flow_is_power)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
