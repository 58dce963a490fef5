// SPDX-License-Identifier: GPL-3.0-or-later
// Netlists that are longer or deeper than a file may be, lists of errors that are, and what is no file.
#include "tests/netlist/reader/parsing.h"

/** A chain of parameters as long as a file allows costs time, but no depth. */
static void long_chain(void **state) {
  (void)state;
  const int count = 100000;
  size_t size = (size_t)count * 48 + 256, used = 0;
  char *text = malloc(size);
  assert_non_null(text);
  used += (size_t)snprintf(text, size, "<screwbond version='1' id='m'><parameters>");
  for (int i = 0; i < count; i++) {
    used += (size_t)snprintf(text + used, size - used, "<param id='p%d' value='p%d'/>", i, i + 1);
  }
  (void)snprintf(text + used, size - used,
                 "<param id='p%d' value='2.385 ohm'/></parameters><network domain='electric'>"
                 "<R id='R1' r='p0'/></network></screwbond>",
                 count);
  sb_netlist *n = read_netlist(text, NULL, 0);
  assert_near(number_of(n, "R1", "r", 0), 2.385, 0);
  sb_netlist_destroy(n);
  free(text);
}

/** Repeats `unit` between `head` and `tail`. */
static char *repeated(const char *head, const char *unit, int count, const char *tail) {
  size_t length = strlen(unit), used = strlen(head);
  char *text = malloc(used + (size_t)count * (length + 8) + strlen(tail) + 1);
  assert_non_null(text);
  memcpy(text, head, used);
  for (int i = 0; i < count; i++) {
    used += (size_t)sprintf(text + used, unit, i);
  }
  memcpy(text + used, tail, strlen(tail) + 1);
  return text;
}

static void check_huge(char *text, sb_status status, int count) {
  sb_errors errors = {0};
  assert_null(parse_with(text, NULL, 0, &errors));
  assert_int_equal(errors.items[0].status, status);
  assert_int_equal(errors.count, count);
  sb_errors_finish(&errors);
  free(text);
}

static void huge_inputs(void **state) {
  (void)state;
  const int many = THOROUGH ? 200000 : 20000;
  check_huge(repeated("<screwbond version='1' id='m'", " a%d='1'", 20000, "/>"), SB_ERR_TOO_LARGE,
             1);
  check_huge(repeated("<screwbond version='1' id='m'>", "<network doc='%d'>", 100000, ""),
             SB_ERR_TOO_LARGE, 1);
  check_huge(
      repeated("<screwbond version='1' id='m'>", "<run t-end='%d s'/>", many, "</screwbond>"),
      SB_ERR_DUPLICATE, SB_ERRORS_MAX);
  check_huge(repeated("<screwbond version='1' id='m'><network>", "<bond from='a%d' to='b'/>",
                      many / 2, "</network></screwbond>"),
             SB_ERR_REFERENCE, SB_ERRORS_MAX);
  check_huge(repeated("<screwbond version='1' id='m'><mechanism><contacts among='", "b%d ", 5000,
                      "'/></mechanism></screwbond>"),
             SB_ERR_REFERENCE, SB_ERRORS_MAX);
  // one fault found 40,000 times; what is refused before it is expanded, in one loop and in two
  check_huge(strdup("<screwbond version='1' id='m'><network domain='electric'><repeat index='k' "
                    "count='40000'><J0 id='n[k]'/><bond from='n[k]' to='zz[k]'/></repeat>"
                    "</network></screwbond>"),
             SB_ERR_REFERENCE, 1);
  check_huge(strdup("<screwbond version='1' id='m'><network domain='electric'><repeat index='k' "
                    "count='900000'><R id='a[k]'/><R id='b[k]'/><R id='c[k]'/></repeat>"
                    "</network></screwbond>"),
             SB_ERR_TOO_LARGE, 1);
  check_huge(strdup("<screwbond version='1' id='m'><network domain='electric'><repeat index='i' "
                    "count='1200'><repeat index='j' count='i+700'><R id='a[i][j]' r='1 ohm'/>"
                    "<C id='b[i][j]' c='1 F'/></repeat></repeat></network></screwbond>"),
             SB_ERR_TOO_LARGE, 1);
}

/** Errors that all lines of a netlist make: beyond those that are kept each is counted, and none is worded. */
static void errors_beyond_the_list_are_counted(void **state) {
  (void)state;
  enum { LINES = 250 };
  static const char *const rows[][2] = {
      {"\n<R id='r%d' r='1 om'/>", "unknown unit 'om'"},
      {"\n<R id='r%d' r='1 V'/>", "the unit 'V' does not fit"},
      {"\n<R id='r%d' r='x'/>", "unknown parameter 'x'"},
      {"\n<R id='r%d' rr='1 ohm' r='1 ohm'/>", "<R> has no attribute 'rr'"},
      {"\n<Rr id='r%d'/>", "unknown element <Rr>"},
      {"\n<signal id='r%d' value='2*x'/>", "unknown name 'x'"},
      {"\n<param id='p%d' value='1 om'/>", "<param> is not allowed"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sb_errors errors = {0};
    char *text = repeated("<screwbond version='1' id='m'><network domain='electric'>", rows[i][0],
                          LINES, "</network></screwbond>");
    assert_null(parse_with(text, NULL, 0, &errors));
    assert_int_equal(errors.count, SB_ERRORS_MAX);
    assert_int_equal(errors.dropped, LINES - SB_ERRORS_MAX);
    for (int k = 0; k < errors.count; k++) {
      assert_contains(errors.items[k].text, rows[i][1]);
      assert_int_equal(errors.items[k].line, k + 2);
    }
    sb_errors_finish(&errors);
    free(text);
  }
}

static void not_a_file(void **state) {
  (void)state;
  char folder[FOLDER_SIZE], pipe[FOLDER_SIZE + 8];
  sb_errors errors = {0};
  sb_netlist *netlist;
  make_folder(folder);
  (void)snprintf(pipe, sizeof pipe, "%s/pipe", folder);
  assert_int_equal(mkfifo(pipe, 0600), 0);
  const char *const paths[] = {folder, pipe, "/nowhere/model.xml"};
  for (int i = 0; i < 3; i++) {
    assert_int_equal(sb_netlist_read(paths[i], NULL, 0, &netlist, &errors),
                     i < 2 ? SB_ERR_FILE : SB_ERR_IO);
    assert_null(netlist);
    assert_int_equal(errors.count, i + 1);
    assert_string_equal(errors.items[i].file, paths[i]);
    assert_int_equal(errors.items[i].line, 0);
  }
  sb_errors_finish(&errors);
  remove_folder(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      repeating_test(long_chain),
      repeating_test(huge_inputs),
      cmocka_unit_test(errors_beyond_the_list_are_counted),
      cmocka_unit_test(not_a_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
