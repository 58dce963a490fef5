// SPDX-License-Identifier: GPL-3.0-or-later
// The words for each figure of the structures that is beyond its limit: the gravest of them, with the element's place.
// Only an element type written in C can fail in the first two.
#include "tools/verdict.h"

#include "tests/fixture.h"

static const char line[] =
    "<screwbond version='1' id='m'><network domain='electric'><J1 id='loop'/>\n"
    "<I id='L' l='1 H' p0='1 Wb'/><R id='R' r='1 ohm'/>\n"
    "<bond from='loop' to='L'/><bond from='loop' to='R'/></network>\n"
    "<run t-end='1 s'/></screwbond>";

static void each_figure_in_words(void **state) {
  (void)state;
  const struct {
    bool rank_ok;
    double skew, residual;
    const char *say;
  } cases[] = {
      {false, 1, 1, "the rows of the Dirac structure of loop are not independent"},
      {true, 0.5, 1, "the Dirac structure of loop is not power-free: E F^T + F E^T is 0.5 of"},
      {true, NAN, 1, "is not power-free"},
      {true, 0, 0.25, "a structure or a law does not hold: residual 0.25, worst in loop"},
      {true, 0, 0, NULL},
  };
  run r = prepare(line);
  sb_options options = {0};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    sb_ledger ledger = {.limit = 1, .structure = {.limit = 1e-9, .worst = "loop"}};
    ledger.structure.rank_ok = cases[i].rank_ok;
    ledger.structure.skew_relative = cases[i].skew;
    ledger.structure.residual_relative = cases[i].residual;
    const sb_report report = {.ledger = &ledger};
    sb_errors errors = {0};
    verdict_word(r.model, &options, &report, &errors);
    assert_int_equal(errors.count, cases[i].say != NULL);
    if (cases[i].say != NULL) {
      assert_non_null(strstr(errors.items[0].text, cases[i].say));
      assert_int_equal(errors.items[0].line, 1);
      assert_int_equal(errors.items[0].column, 58);
    }
    sb_errors_finish(&errors);
  }
  stop(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_figure_in_words)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
