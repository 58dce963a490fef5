// SPDX-License-Identifier: GPL-3.0-or-later
// Sub-models, imports and repeats: what they expand to is what could have been written out, and
// faults are found at their places in their files.
#include "tests/fixture.h"

#include <time.h>

#include "core/graph/graph_data.h"

enum { PATH = 600, TEXT = 1 << 16 };

#define NETLIST(body) "<screwbond version='1' id='m'>\n" body "\n</screwbond>"
#define RUN                                                                                        \
  "<run t-end='3 ms' rtol='1e-8' atol='1e-12'/>"                                                   \
  "<audit residual='1e-6'/>"

static double number_of(const sb_netlist *netlist, const char *id, const char *name) {
  sb_element *element = sb_graph_find(netlist->graph, id);
  if (element == NULL) {
    fail_msg("there is no %s", id);
  }
  const sb_param *row = sb_param_find(sb_element_type_of(element)->params, name);
  const void *field = (const char *)sb_element_data(element) + row->offset;
  if (row->kind == SB_PARAM_LIST) {
    return ((const sb_list *)field)->values[0];
  }
  return *(const double *)field;
}

/** Runs a netlist to its end. */
static run simulate(const char *text) {
  run r = start_netlist(text);
  advance(&r, r.netlist->t_end);
  sb_simulation_audit(r.sim);
  return r;
}

/** Both run to the same bits: states, integrals, and what the ledger says. */
static void same_bits(const char *flat, const char *hierarchical) {
  run a = simulate(flat), b = simulate(hierarchical);
  int count = sb_model_vector_count(a.model);
  assert_int_equal(sb_model_element_count(a.model), sb_model_element_count(b.model));
  assert_int_equal(sb_model_vector_count(b.model), count);
  assert_true(count > 0);
  assert_memory_equal(sb_simulation_state(a.sim), sb_simulation_state(b.sim),
                      (size_t)count * sizeof(double));
  double most = 0;
  for (int i = 0; i < count; i++) {
    most = fmax(most, fabs(sb_simulation_state(a.sim)[i]));
  }
  assert_true(most > 1e-9); // something moved
  const sb_ledger *x = sb_simulation_ledger(a.sim), *y = sb_simulation_ledger(b.sim);
  assert_near(x->residual_max, y->residual_max, 0);
  stop(&a);
  stop(&b);
}

#define CELL                                                                                       \
  "<submodel id='Cell'><parameters><param id='r'/><param id='c' value='3 uF'/>"                    \
  "</parameters><port id='in' domain='electric' node='a'/>"                                        \
  "<port id='out' domain='electric' node='b' open='yes'/>"                                         \
  "<network domain='electric'><J1 id='a'/><R id='R' r='r'/><J0 id='b'/>"                           \
  "<C id='C' c='c'/><bond from='a' to='R'/><bond from='a' to='b'/>"                                \
  "<bond from='b' to='C'/></network></submodel>"

static const char two_flat[] =
    NETLIST("<network domain='electric'><Se id='src' effort='2.385 V'/><J1 id='m1_a'/>"
            "<R id='m1_R' r='23 ohm'/><J0 id='m1_b'/><C id='m1_C' c='3 uF'/>"
            "<bond from='m1_a' to='m1_R'/><bond from='m1_a' to='m1_b'/>"
            "<bond from='m1_b' to='m1_C'/><J1 id='m2_a'/><R id='m2_R' r='46 ohm'/>"
            "<J0 id='m2_b'/><C id='m2_C' c='7 uF'/><bond from='m2_a' to='m2_R'/>"
            "<bond from='m2_a' to='m2_b'/><bond from='m2_b' to='m2_C'/>"
            "<bond from='src' to='m1_a'/><bond from='m1_b' to='m2_a'/></network>" RUN);

static const char two_uses[] =
    NETLIST("<network domain='electric'><Se id='src' effort='2.385 V'/>"
            "<use id='m1' submodel='Cell'><set param='r' value='R0'/></use>"
            "<use id='m2' submodel='Cell'><set param='c' value='7 uF'/>"
            "<set param='r' value='2*R0'/></use><bond from='src' to='m1.in'/>"
            "<bond from='m1.out' to='m2.in'/></network>" CELL
            "<parameters><param id='R0' value='23 ohm'/></parameters>" RUN);

static void uses_are_what_could_be_written_out(void **state) {
  (void)state;
  same_bits(two_flat, two_uses);
}

/** The same cells, inside a sub-model of their own. */
static const char nested[] = NETLIST(
    CELL "<submodel id='Pair'><parameters><param id='r' value='9 ohm'/></parameters>"
         "<port id='p' domain='electric' node='m1.in'/><network><use id='m1' submodel='Cell'>"
         "<set param='r' value='r'/></use><use id='m2' submodel='Cell'>"
         "<set param='c' value='7 uF'/><set param='r' value='2*r'/></use>"
         "<bond from='m1.out' to='m2.in'/></network></submodel><network domain='electric'>"
         "<Se id='src' effort='2.385 V'/><use id='x' submodel='Pair'>"
         "<set param='r' value='23 ohm'/></use><bond from='src' to='x.p'/></network>" RUN);

static void uses_nest(void **state) {
  (void)state;
  sb_netlist *n = read_netlist(nested, NULL, 0);
  assert_near(number_of(n, "x/m1/R", "r"), 23, 0);
  assert_near(number_of(n, "x/m2/R", "r"), 46, 0);
  assert_near_relative(number_of(n, "x/m1/C", "c"), 3e-6, 1e-15);
  assert_near_relative(number_of(n, "x/m2/C", "c"), 7e-6, 1e-15);
  sb_netlist_destroy(n);
  run a = simulate(two_uses), b = simulate(nested);
  double u, v;
  sb_quantity quantity;
  assert_int_equal(sb_model_find(a.model, "m2/C.e", &quantity, NULL), SB_OK);
  sb_simulation_read(a.sim, &quantity, &u);
  assert_int_equal(sb_model_find(b.model, "x/m2/C.e", &quantity, NULL), SB_OK);
  sb_simulation_read(b.sim, &quantity, &v);
  assert_near(u, v, 0);
  stop(&a);
  stop(&b);
}

static void command_line_sets(void **state) {
  (void)state;
  const sb_override sets[] = {{"x.r", "5 ohm"},       // a parameter of a use
                              {"x/m1.c", "11 uF"},    // of a use inside
                              {"x/m2/R.r", "4 ohm"},  // an attribute
                              {"src.effort", "3 V"}}; // as ever
  sb_netlist *n = read_netlist(nested, sets, 4);
  assert_near(number_of(n, "x/m1/R", "r"), 5, 0);
  assert_near_relative(number_of(n, "x/m1/C", "c"), 11e-6, 1e-15);
  assert_near(number_of(n, "x/m2/R", "r"), 4, 0);
  assert_near(number_of(n, "src", "effort"), 3, 0);
  sb_netlist_destroy(n);
}

static void check_set(const sb_override *set, const char *text, const char *hint) {
  sb_errors errors = {0};
  sb_netlist *netlist;
  (void)sb_netlist_parse("test.xml", nested, strlen(nested), set, 1, &netlist, &errors);
  assert_null(netlist);
  assert_int_equal(errors.count, 1);
  assert_string_equal(errors.items[0].file, "--set");
  assert_int_equal(errors.items[0].status, SB_ERR_OVERRIDE);
  assert_string_equal(errors.items[0].text, text);
  assert_string_equal(errors.items[0].hint, hint);
  sb_errors_finish(&errors);
}

static void command_line_is_checked(void **state) {
  (void)state;
  check_set(&(sb_override){"x.radius", "1"},
            "'x.radius' matches nothing: the sub-model 'Pair' of 'x' has no parameter 'radius'",
            "");
  check_set(&(sb_override){"x/m3.r", "1"}, "'x/m3.r' matches nothing: there is no element 'x/m3'",
            "did you mean 'x/m1'?");
}

/** A wrong name in a <set> is one error, which says what is meant. */
static void misspelt_set_is_one_error(void **state) {
  (void)state;
  static const char *const rows[][2] = {{"torqe", "did you mean 'torque'?"},
                                        {"x", "did you mean 'torque'? it must be set"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[1000];
    sb_errors errors = {0};
    sb_netlist *netlist;
    (void)snprintf(text, sizeof text,
                   NETLIST("<submodel id='D'><parameters><param id='torque'/></parameters>"
                           "<port id='p' node='s'/><network domain='rotation'>"
                           "<Se id='s' effort='torque'/></network></submodel>"
                           "<network domain='rotation'><use id='m' submodel='D'>"
                           "<set param='%s' value='2 N.m'/></use><R id='R' r='1 N.m.s'/>"
                           "<bond from='m.p' to='R'/></network>" RUN),
                   rows[i][0]);
    (void)sb_netlist_parse("test.xml", text, strlen(text), NULL, 0, &netlist, &errors);
    assert_null(netlist);
    assert_int_equal(errors.count, 1);
    assert_int_equal(errors.items[0].status, SB_ERR_REFERENCE);
    assert_string_equal(errors.items[0].hint, rows[i][1]);
    sb_errors_finish(&errors);
  }
}

#define LADDER(body)                                                                               \
  NETLIST("<parameters><param id='N' value='4'/><param id='R0' value='2.5 ohm'/>"                  \
          "</parameters><network domain='electric'><Se id='src' effort='2.385 V'/>" body           \
          "<bond from='src' to='a[1]'/></network>" RUN)
#define SECTION(k)                                                                                 \
  "<J1 id='a[" k "]'/><R id='R[" k "]' r='R0*" k "'/><J0 id='b[" k "]'/>"                          \
  "<C id='C[" k "]' c='13 uF'/><bond from='a[" k "]' to='R[" k "]'/>"                              \
  "<bond from='a[" k "]' to='b[" k "]'/><bond from='b[" k "]' to='C[" k "]'/>"

static void repeat_is_what_could_be_written_out(void **state) {
  (void)state;
  same_bits(LADDER(SECTION("1") SECTION("2") SECTION("3")
                       SECTION("4") "<bond from='b[1]' to='a[2]'/><bond from='b[2]' to='a[3]'/>"
                                    "<bond from='b[3]' to='a[4]'/>"),
            LADDER("<repeat index='k' count='N'>" SECTION(
                "k") "</repeat><repeat index='k' count='N-1'><bond from='b[k]' to='a[k+1]'/>"
                     "</repeat>"));
}

#define BODIES(body)                                                                               \
  NETLIST(                                                                                         \
      "<parameters><param id='N' value='3'/></parameters><materials>"                              \
      "<material id='m' stiffness='3 3 8 kN/m' damping='1 1 7 N.s/m'/></materials>"                \
      "<mechanism gravity='0 0 -9.81 m/s^2'><ground id='f'><shape kind='plane' normal='0 0 1'/>"   \
      "</ground>" body "<contacts among='f b[2] b[N]' except='b[N-1],b[N]'/></mechanism>" RUN)
#define BODY(k)                                                                                    \
  "<body id='b[" k "]' mass='0.5[kg]*" k "' material='m' position='" k "*2[mm] 0 98[mm]*" k        \
  "-52[mm]' angular-velocity='0 " k "*1[rad/s] 0'><shape kind='sphere' radius='50 mm'/></body>"

/** A row of balls that press on each other; contacts name a body of each round. */
static void bodies_repeat(void **state) {
  (void)state;
  same_bits(BODIES(BODY("1") BODY("2") BODY("3") "<contact id='c[1]' a='b[1]' b='b[2]'/>"
                                                 "<contact id='c[2]' a='b[2]' b='b[3]'/>"
                                                 "<contact a='f' b='b[1]'/>"),
            BODIES("<repeat index='k' count='N'>" BODY(
                "k") "</repeat><repeat index='k' count='N-1'>"
                     "<contact id='c[k]' a='b[k]' b='b[k+1]'/></repeat><contact a='f' b='b[1]'/>"));
  same_bits(BODIES(BODY("2") BODY("3")),
            BODIES("<repeat index='i' count='1'><repeat index='k' "
                   "first='2' count='2*i'>" BODY("k") "</repeat></repeat>"));
}

#define STAGES(body)                                                                               \
  NETLIST("<parameters><param id='N' value='3'/></parameters><network domain='electric'>"          \
          "<signal id='v[0]' value='2.385[V]*cos(t/1[ms])'/>" body                                 \
          "<signal id='all' value='v[1] + 2*v[N-1] + v[ N ]/3 + 0*v[2]'/>"                         \
          "<Se id='S' effort='all'/><I id='L' l='1 mH'/><bond from='S' to='L'/>"                   \
          "</network>" RUN)
#define STAGE(k, before)                                                                           \
  "<Se id='S[" k "]' effort='v[" before "]/(1 + abs(v[" before "])/2[V])'/><J1 id='j[" k "]'/>"    \
  "<R id='R[" k "]' r='5 ohm'/><C id='C[" k "]' c='" k "*130[uF]'/>"                               \
  "<bond from='S[" k "]' to='j[" k "]'/><bond from='j[" k "]' to='R[" k "]'/>"                     \
  "<bond from='j[" k "]' to='C[" k "]'/><signal id='v[" k "]' of='C[" k "].e'/>"

static void rounds_are_coupled_by_signals(void **state) {
  (void)state;
  same_bits(STAGES(STAGE("1", "0") STAGE("2", "1") STAGE("3", "2")),
            STAGES("<repeat index='k' count='N'>" STAGE("k", "k-1") "</repeat>"));
}

static void grids_of_signals_are_read(void **state) {
  (void)state;
  sb_netlist *n = read_netlist(
      NETLIST("<network domain='electric'><repeat index='i' count='2'>"
              "<repeat index='k' count='3'>"
              "<signal id='x[i][k]' value='1[V]*(10*i + k)*cos(t/1[s])'/></repeat></repeat>"
              "<signal id='d' value='x[2][1] - x[1][3]/2'/><Se id='S' effort='d'/>"
              "<R id='R' r='1 ohm'/><bond from='S' to='R'/></network>" RUN
              "<expect of='R.e' at='0 s' value='14.5 V'/>"),
      NULL, 0);
  assert_int_equal(n->graph->wire_count, 3);
  sb_netlist_destroy(n);
}

static void repeats_nest_and_count_from_anywhere(void **state) {
  (void)state;
  sb_netlist *n = read_netlist(
      NETLIST("<parameters><param id='N' value='2'/></parameters><network domain='electric'>"
              "<J0 id='j'/><repeat index='i' count='N' first='0'>"
              "<repeat index='k' count='2*N-i' first='-1'>"
              "<R id='R[i][k]' r='(10*i+k+2)*1[ohm]'/><bond from='j' to='R[i][k]'/></repeat>"
              "</repeat></network><audit><group id='g' members='R[N-1][0] R[0][-1]'/></audit>"
              "<output of='R[N-2][2].e'/><expect of='R[1][N-1].e' at='end' value='0 V'/>"),
      NULL, 0);
  assert_int_equal(n->graph->element_count, 1 + 4 + 3);
  assert_near(number_of(n, "R[0][-1]", "r"), 1, 0);
  assert_near(number_of(n, "R[0][2]", "r"), 4, 0);
  assert_near(number_of(n, "R[1][1]", "r"), 13, 0);
  assert_int_equal(n->graph->groups[0].count, 2);
  assert_string_equal(n->outputs[0].of, "R[0][2].e");
  assert_string_equal(n->outputs[0].label, "R[0][2].e");
  assert_string_equal(n->expects[0].of, "R[1][1].e");
  sb_netlist_destroy(n);
}

static void count_follows_the_command_line(void **state) {
  (void)state;
  const sb_override sets[] = {{"N", "7"}, {"C[7].c", "3 F"}};
  sb_netlist *n = read_netlist(
      LADDER("<repeat index='k' count='N'>" SECTION(
          "k") "</repeat><repeat index='k' count='N-1'><bond from='b[k]' to='a[k+1]'/></repeat>"),
      sets, 2);
  assert_near(number_of(n, "R[7]", "r"), 17.5, 0);
  assert_near(number_of(n, "C[7]", "c"), 3, 0);
  assert_int_equal(n->graph->element_count, 29);
  sb_netlist_destroy(n);
}

/** A sub-model has classes of its own; those around it do not reach into it. */
static void defaults_stay_in_their_scope(void **state) {
  (void)state;
  sb_netlist *n = read_netlist(
      NETLIST("<defaults><R r='1 ohm' exponent='3'/></defaults><submodel id='S'><defaults>"
              "<R r='2 ohm'/><R class='big' r='9 ohm'/></defaults><port id='p' node='j'/>"
              "<network domain='electric'><J0 id='j'/><R id='R1'/><R id='R2' class='big'/>"
              "<bond from='j' to='R1'/><bond from='j' to='R2'/></network></submodel>"
              "<network domain='electric'><use id='s' submodel='S'/><R id='R'/>"
              "<bond from='s.p' to='R'/></network>"),
      NULL, 0);
  assert_near(number_of(n, "R", "r"), 1, 0);
  assert_near(number_of(n, "s/R1", "r"), 2, 0);
  assert_near(number_of(n, "s/R1", "exponent"), 1, 0);
  assert_near(number_of(n, "s/R2", "r"), 9, 0);
  sb_netlist_destroy(n);
}

/** Time of the processor, so that other programs do not count [s]. */
static double now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void ten_thousand_sections(void **state) {
  (void)state;
  const char *text =
      NETLIST("<network domain='electric'><Se id='src' effort='2.385 V'/>"
              "<repeat index='k' count='10000'><use id='s[k]' submodel='Cell'>"
              "<set param='r' value='23 ohm'/></use></repeat><repeat index='k' count='9999'>"
              "<bond from='s[k].out' to='s[k+1].in'/></repeat><bond from='src' "
              "to='s[1].in'/></network>" CELL);
  double start = now();
  sb_netlist *n = read_netlist(text, NULL, 0);
  sb_model *model = compile_graph(n->graph);
  double time = now() - start;
  assert_int_equal(sb_model_element_count(model), 40001);
  assert_int_equal(sb_model_state_count(model), 10000);
  if (time > 10) { // with room for the sanitizers
    fail_msg("it took %g s", time);
  }
  sb_model_destroy(model);
  sb_netlist_destroy(n);
}

/** Compares the only fault of a netlist with a line of the table. */
static bool check_fault(const char *folder, const char *line) {
  char main[PATH], file[PATH], text[PATH], path[2 * PATH], expected[2 * PATH], code[8], wanted[16];
  int row, column;
  if (sscanf(line, "%599s %599s %15s %d %d %599[^\n]", main, file, wanted, &row, &column, text) !=
      6) {
    fail_msg("not a row of the table: %s", line);
  }
  (void)snprintf(path, sizeof path, "%s/%s", folder, main);
  (void)snprintf(expected, sizeof expected, "%s/%s", folder, file);
  sb_errors errors = {0};
  sb_netlist *netlist;
  sb_model *model = NULL;
  if (sb_netlist_read(path, NULL, 0, &netlist, &errors) == SB_OK) {
    (void)sb_model_compile(netlist->graph, &model, &errors);
  }
  const sb_error *e = errors.count > 0 ? &errors.items[0] : NULL;
  bool good = errors.count == 1 && strcmp(e->file, expected) == 0 && e->line == row &&
              e->column == column && strcmp(e->text, text) == 0 &&
              strcmp(sb_status_code(e->status, code), wanted) == 0;
  for (int i = 0; !good && i < errors.count; i++) {
    e = &errors.items[i];
    print_error("%s%s:%d:%d: %s\n", line, e->file, e->line, e->column, e->text);
  }
  sb_model_destroy(model);
  sb_netlist_destroy(netlist);
  sb_errors_finish(&errors);
  return good;
}

static void corpus_of_faults(void **state) {
  (void)state;
  char folder[PATH], path[PATH + 16], line[3 * PATH];
  int count = 0, wrong = 0;
  source_path(folder, sizeof folder, "tests/netlists/bad/hierarchy");
  (void)snprintf(path, sizeof path, "%s/expected.txt", folder);
  FILE *table = fopen(path, "r");
  assert_non_null(table);
  while (fgets(line, sizeof line, table) != NULL) {
    if (line[0] != '#') {
      wrong += !check_fault(folder, line);
      count++;
    }
  }
  (void)fclose(table);
  assert_true(count >= 60);
  assert_int_equal(wrong, 0);
}

static sb_status read_status(const char *folder, const char *name, int count) {
  char path[2 * PATH];
  sb_errors errors = {0};
  sb_netlist *netlist;
  (void)snprintf(path, sizeof path, "%s/%s", folder, name);
  sb_status status = sb_netlist_read(path, NULL, 0, &netlist, &errors);
  assert_int_equal(errors.count, count);
  sb_netlist_destroy(netlist);
  sb_errors_finish(&errors);
  return status;
}

/** A link inside the folder is as good as a file; one that leads out of it is not followed. */
static void links_are_resolved(void **state) {
  (void)state;
  char folder[FOLDER_SIZE], inside[FOLDER_SIZE + 8], link[PATH];
  make_folder(folder);
  (void)snprintf(inside, sizeof inside, "%s/in", folder);
  assert_int_equal(mkdir(inside, 0700), 0);
  write_file(folder, "out.sub.xml", "<submodel version='1' id='Out'/>");
  write_file(inside, "part.sub.xml", "<submodel version='1' id='Part'/>");
  write_file(inside, "good.xml",
             NETLIST("<import href='link.sub.xml'/><import href='./part.sub.xml'/>"
                     "<import href='x/../part.sub.xml'/>"));
  write_file(inside, "bad.xml", NETLIST("<import href='away.sub.xml'/>"));
  write_file(inside, "worse.xml", NETLIST("<import href='folder/out.sub.xml'/>"));
  (void)snprintf(link, sizeof link, "%s/x", inside);
  assert_int_equal(mkdir(link, 0700), 0);
  (void)snprintf(link, sizeof link, "%s/link.sub.xml", inside);
  assert_int_equal(symlink("part.sub.xml", link), 0);
  (void)snprintf(link, sizeof link, "%s/away.sub.xml", inside);
  assert_int_equal(symlink("../out.sub.xml", link), 0);
  (void)snprintf(link, sizeof link, "%s/folder", inside);
  assert_int_equal(symlink("..", link), 0);
  assert_int_equal(read_status(inside, "good.xml", 0), SB_OK);
  assert_int_equal(read_status(inside, "bad.xml", 1), SB_ERR_FORBIDDEN);
  assert_int_equal(read_status(inside, "worse.xml", 1), SB_ERR_FORBIDDEN);
  remove_folder(folder);
}

static void memory_imports_nothing(void **state) {
  (void)state;
  const char *text = NETLIST("<import href='a.sub.xml'/>");
  sb_errors errors = {0};
  sb_netlist *netlist;
  assert_int_equal(sb_netlist_parse("x.xml", text, strlen(text), NULL, 0, &netlist, &errors),
                   SB_ERR_FORBIDDEN);
  assert_int_equal(errors.count, 1);
  assert_string_equal(errors.items[0].text,
                      "a netlist that is not read from a file has no imports");
  assert_int_equal(errors.items[0].line, 2);
  assert_int_equal(errors.items[0].column, 15);
  sb_errors_finish(&errors);
}

/** Sub-models inside each other up to the limit, and one more. */
static void depth_has_a_limit(void **state) {
  (void)state;
  for (int levels = 32; levels <= 33; levels++) {
    char *text = malloc(TEXT);
    assert_non_null(text);
    size_t used = (size_t)snprintf(text, TEXT,
                                   "<screwbond version='1' id='m'><network>"
                                   "<use id='u' submodel='S1'/></network>");
    for (int i = 1; i <= levels; i++) {
      used += (size_t)snprintf(text + used, TEXT - used, "<submodel id='S%d'><network>", i);
      used += i == levels ? 0
                          : (size_t)snprintf(text + used, TEXT - used,
                                             "<use id='u' submodel='S%d'/>", i + 1);
      used += (size_t)snprintf(text + used, TEXT - used, "</network></submodel>");
    }
    (void)snprintf(text + used, TEXT - used, "</screwbond>");
    sb_errors errors = {0};
    sb_netlist *netlist;
    sb_status status = sb_netlist_parse("test.xml", text, strlen(text), NULL, 0, &netlist, &errors);
    assert_int_equal(status, levels == 32 ? SB_OK : SB_ERR_TOO_LARGE);
    if (levels > 32) {
      assert_contains(errors.items[0].text, "uses nested more than 32 deep");
    }
    sb_netlist_destroy(netlist);
    sb_errors_finish(&errors);
    free(text);
  }
}

/** Sub-models, each of which holds the next one by `body`, and a capacitor at last; used by 'top'. */
static void write_levels(int levels, const char *body, char text[TEXT]) {
  size_t used = (size_t)snprintf(text, TEXT, "<screwbond version='1' id='m'>");
  for (int i = 0; i < levels; i++) {
    used += (size_t)snprintf(text + used, TEXT - used,
                             "<submodel id='S%d'><network domain='electric'>", i);
    used += (size_t)snprintf(text + used, TEXT - used, body, i + 1, i + 1);
    used += (size_t)snprintf(text + used, TEXT - used, "</network></submodel>\n");
  }
  (void)snprintf(text + used, TEXT - used,
                 "<submodel id='S%d'><network domain='electric'><signal id='a' "
                 "value='1'/></network></submodel>\n<network domain='electric'>"
                 "<use id='top' submodel='S0'/></network></screwbond>",
                 levels);
}

/** What doubles at every level is refused where it is used, before any of it is made; what fits is read. */
static void doubling_is_foreseen(void **state) {
  (void)state;
  static const struct {
    const char *body;
    int fits, too_many;
  } rows[] = {{"<use id='x' submodel='S%d'/><use id='y' submodel='S%d'/>", 8, 20},
              {"<repeat index='k' count='2'><use id='x[k]' submodel='S%d'/></repeat>", 6, 20}};
  char *text = malloc(TEXT);
  assert_non_null(text);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    for (int many = 0; many < 2; many++) {
      sb_errors errors = {0};
      sb_netlist *netlist;
      int levels = many ? rows[i].too_many : rows[i].fits;
      write_levels(levels, rows[i].body, text);
      (void)sb_netlist_parse("test.xml", text, strlen(text), NULL, 0, &netlist, &errors);
      assert_int_equal(errors.count, many);
      assert_int_equal(netlist != NULL, !many);
      if (many) {
        assert_string_equal(errors.items[0].text,
                            "the netlist expands to more than 2000000 XML elements");
        assert_int_equal(errors.items[0].line, levels + 2);
        assert_int_equal(errors.items[0].column, 28);
      }
      sb_netlist_destroy(netlist);
      sb_errors_finish(&errors);
    }
  }
  free(text);
}

/** A count that names a parameter is not known before. */
static void foresight_is_not_too_strict(void **state) {
  (void)state;
  const sb_override none = {"N", "0"};
  sb_netlist_destroy(
      read_netlist(NETLIST("<parameters><param id='N' value='900000'/></parameters>"
                           "<submodel id='S'><parameters><param id='M'/></parameters>"
                           "<network domain='electric'><repeat index='k' count='M'>"
                           "<C id='C[k]' c='1 F'/><J0 id='j[k]'/><J1 id='i[k]'/></repeat>"
                           "</network></submodel><network domain='electric'>"
                           "<use id='u' submodel='S'><set param='M' value='N'/></use></network>"),
                   &none, 1));
}

static void signals_with_an_index_wait_for_later_ones(void **state) {
  (void)state;
  sb_netlist *netlist =
      read_netlist(NETLIST("<network domain='electric'><repeat index='k' count='2'>"
                           "<signal id='s[k]' value='2.385*k'/>"
                           "<signal id='b[k]' value='late + s[k]'/></repeat>"
                           "<signal id='late' value='sin(t/1[s])'/>"
                           "<Se id='E1' effort='1 V'/><R id='R1' r='1 ohm'/>"
                           "<bond from='E1' to='R1'/></network>" RUN),
                   NULL, 0);
  assert_non_null(sb_graph_find(netlist->graph, "b[2]"));
  assert_false(sb_graph_find(netlist->graph, "b[2]")->failed);
  sb_netlist_destroy(netlist);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(signals_with_an_index_wait_for_later_ones),
      cmocka_unit_test(uses_are_what_could_be_written_out),
      cmocka_unit_test(uses_nest),
      cmocka_unit_test(command_line_sets),
      cmocka_unit_test(command_line_is_checked),
      cmocka_unit_test(misspelt_set_is_one_error),
      cmocka_unit_test(repeat_is_what_could_be_written_out),
      cmocka_unit_test(bodies_repeat),
      cmocka_unit_test(rounds_are_coupled_by_signals),
      cmocka_unit_test(grids_of_signals_are_read),
      cmocka_unit_test(repeats_nest_and_count_from_anywhere),
      cmocka_unit_test(count_follows_the_command_line),
      cmocka_unit_test(defaults_stay_in_their_scope),
      repeating_test(ten_thousand_sections),
      cmocka_unit_test(corpus_of_faults),
      cmocka_unit_test(links_are_resolved),
      cmocka_unit_test(memory_imports_nothing),
      cmocka_unit_test(depth_has_a_limit),
      cmocka_unit_test(doubling_is_foreseen),
      cmocka_unit_test(foresight_is_not_too_strict),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
