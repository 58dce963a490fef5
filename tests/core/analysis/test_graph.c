// SPDX-License-Identifier: GPL-3.0-or-later
// The drawing of a bond graph: its text as a whole, and by a small parser the laws of causality:
// one stroke per bond, and what junctions, transducers, sources and storages allow.
#include <glob.h>

#include "core/analysis/drawing.h"
#include "tests/fixture.h"

enum { BONDS_MAX = 200, NAME_SIZE = 120 };

/** A bond as drawn. */
typedef struct edge {
  char from[NAME_SIZE], to[NAME_SIZE];
  bool stroke_from, stroke_to, half_arrow;
} edge;

typedef struct picture {
  edge edges[BONDS_MAX];
  int count;
} picture;

static char *draw(const char *text) {
  run r = prepare(text);
  char *drawn;
  assert_int_equal(sb_model_draw(r.model, &drawn, NULL), SB_OK);
  assert_non_null(drawn);
  stop(&r);
  return drawn;
}

/** A quoted name at *at, without its escapes. */
static bool read_name(const char **at, char name[NAME_SIZE]) {
  int length = 0;
  const char *c = *at;
  if (*c++ != '"') {
    return false;
  }
  for (; *c != '"' && *c != '\0' && length < NAME_SIZE - 1; c++) {
    c += *c == '\\';
    name[length++] = *c;
  }
  name[length] = '\0';
  *at = c + 1;
  return *c == '"';
}

static void parse(char *text, picture *p) {
  char *rest = text;
  p->count = 0;
  for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    const char *at = line + strspn(line, " ");
    edge e = {0};
    if (!read_name(&at, e.from) || strncmp(at, " -> ", 4) != 0 || strstr(at, "dashed") != NULL) {
      continue;
    }
    at += 4;
    assert_true(read_name(&at, e.to));
    e.stroke_from = strstr(at, "arrowtail=tee") != NULL;
    e.stroke_to = strstr(at, "arrowhead=tee") != NULL;
    e.half_arrow = strstr(at, "lvee") != NULL;
    assert_true(p->count < BONDS_MAX);
    p->edges[p->count++] = e;
  }
}

/** Bonds of an element, and those of them with the stroke at it: it is given their effort. */
static int bonds_of(const picture *p, const char *id, int *strokes) {
  int count = 0;
  *strokes = 0;
  for (int i = 0; i < p->count; i++) {
    const edge *e = &p->edges[i];
    bool from = strcmp(e->from, id) == 0, to = strcmp(e->to, id) == 0;
    count += from || to;
    *strokes += (from && e->stroke_from) || (to && e->stroke_to);
  }
  return count;
}

static void check(const sb_model *model, const picture *p) {
  for (int i = 0; i < p->count; i++) {
    if (p->edges[i].stroke_from == p->edges[i].stroke_to || !p->edges[i].half_arrow) {
      fail_msg("%s -> %s has not one stroke and one half arrow", p->edges[i].from, p->edges[i].to);
    }
  }
  for (int i = 0; i < sb_model_element_count(model); i++) {
    const char *kind = sb_model_element_kind(model, i), *id = sb_model_element_id(model, i);
    int strokes, count = bonds_of(p, id, &strokes);
    bool right = strcmp(kind, "J0") == 0   ? strokes == 1
                 : strcmp(kind, "J1") == 0 ? strokes == count - 1
                 : strcmp(kind, "TF") == 0 ? strokes == 1
                 : strcmp(kind, "GY") == 0 ? strokes == 0 || strokes == 2
                 : strcmp(kind, "Se") == 0 ? strokes == 0
                 : strcmp(kind, "Sf") == 0 ? strokes == 1
                 : strcmp(kind, "C") == 0  ? strokes == 0
                 : strcmp(kind, "I") == 0  ? strokes == 1
                                           : true;
    if (!right) {
      fail_msg("%s '%s': %d strokes at %d bonds", kind, id, strokes, count);
    }
  }
}

static void rlc_as_a_whole(void **state) {
  (void)state;
  char *text = draw("<screwbond version='1' id='rlc'><network domain='electric'>"
                    "<Se id='src' effort='5 V'/><J1 id='loop'/><R id='R1' r='1 ohm'/>"
                    "<I id='L1' l='1 mH'/><C id='C1' c='1 uF'/><bond from='src' to='loop'/>"
                    "<bond from='loop' to='R1'/><bond from='loop' to='L1'/>"
                    "<bond from='loop' to='C1'/></network><run t-end='1 s'/></screwbond>");
  assert_string_equal(
      text,
      "digraph \"rlc\" {\n"
      "  rankdir=LR;\n"
      "  node [fontname=\"sans-serif\"];\n"
      "  edge [dir=both, fontname=\"sans-serif\"];\n"
      "  \"src\" [label=\"Se\\nsrc\", shape=ellipse, style=filled, fillcolor=\"#d9ead3\"];\n"
      "  \"loop\" [label=\"1\\nloop\", shape=plaintext];\n"
      "  \"R1\" [label=\"R\\nR1\", shape=box, style=filled, fillcolor=\"#f8d9c4\"];\n"
      "  \"L1\" [label=\"I\\nL1\", shape=box, style=\"rounded,filled\", fillcolor=\"#cfe2f3\"];\n"
      "  \"C1\" [label=\"C\\nC1\", shape=box, style=\"rounded,filled\", fillcolor=\"#cfe2f3\"];\n"
      "  \"src\" -> \"loop\" [arrowtail=none, arrowhead=teelvee];\n"
      "  \"loop\" -> \"R1\" [arrowtail=tee, arrowhead=lvee];\n"
      "  \"loop\" -> \"L1\" [arrowtail=none, arrowhead=teelvee];\n"
      "  \"loop\" -> \"C1\" [arrowtail=tee, arrowhead=lvee];\n"
      "}\n");
  free(text);
}

static void check_text(const char *text) {
  static picture p;
  run r = prepare(text);
  char *drawn;
  assert_int_equal(sb_model_draw(r.model, &drawn, NULL), SB_OK);
  assert_non_null(drawn);
  parse(drawn, &p);
  check(r.model, &p);
  free(drawn);
  stop(&r);
}

static void transducers(void **state) {
  (void)state;
  check_text("<screwbond version='1' id='chain'><network>"
             "<Sf id='pump' domain='electric' flow='1 A'/><J0 id='n' domain='electric'/>"
             "<C id='c' c='1 mF'/><R id='r' r='3 ohm'/><TF id='t' ratio='2.3'/>"
             "<J1 id='coil' domain='electric'/><I id='l' l='1 mH'/>"
             "<GY id='g' ratio='0.3 N.m/A'/><J1 id='rotor' domain='rotation'/>"
             "<I id='j' inertia='1 kg.m^2'/><bond from='pump' to='n'/><bond from='n' to='c'/>"
             "<bond from='n' to='r'/><bond from='n' to='t'/><bond from='t' to='coil'/>"
             "<bond from='coil' to='l'/><bond from='coil' to='g'/><bond from='g' to='rotor'/>"
             "<bond from='rotor' to='j'/></network><run t-end='1 s'/></screwbond>");
}

/** Two resistors between effort and effort: a loop that causality does not settle by itself. */
static void linear_loop(void **state) {
  (void)state;
  check_text("<screwbond version='1' id='divider'><network domain='electric'>"
             "<Se id='u' effort='1 V'/><J1 id='s'/><R id='a' r='1 ohm'/><J0 id='n'/>"
             "<R id='b' r='2 ohm'/><J1 id='k'/><R id='d' r='3 ohm'/><R id='e' r='4 ohm'/>"
             "<bond from='u' to='s'/><bond from='s' to='a'/><bond from='s' to='n'/>"
             "<bond from='n' to='b'/><bond from='n' to='k'/><bond from='k' to='d'/>"
             "<bond from='k' to='e'/></network><run t-end='1 s'/></screwbond>");
}

/** The load follows the motor through the gear: it gives the effort that its inertia takes. */
static void dependent_storage(void **state) {
  (void)state;
  char *text = draw("<screwbond version='1' id='geared'><network>"
                    "<Se id='u' domain='rotation' effort='1 N.m'/>"
                    "<J1 id='rotor' domain='rotation'/><I id='j' inertia='1 kg.m^2'/>"
                    "<TF id='gear' ratio='0.05'/><J1 id='out' domain='rotation'/>"
                    "<I id='load' inertia='2 kg.m^2'/><bond from='u' to='rotor'/>"
                    "<bond from='rotor' to='j'/><bond from='rotor' to='gear'/>"
                    "<bond from='gear' to='out'/><bond from='out' to='load'/></network>"
                    "<run t-end='1 s'/></screwbond>");
  bool first = strstr(text, "\"rotor\" -> \"j\" [arrowtail=none, arrowhead=teelvee]") != NULL;
  bool second = strstr(text, "\"out\" -> \"load\" [arrowtail=none, arrowhead=teelvee]") != NULL;
  assert_true(first != second); // one of the two is integrated
  free(text);
}

static void examples(void **state) {
  (void)state;
  static picture p;
  char pattern[512];
  glob_t files;
  source_path(pattern, sizeof pattern, "examples/*.xml");
  assert_int_equal(glob(pattern, 0, NULL, &files), 0);
  int bonds = 0;
  for (size_t i = 0; i < files.gl_pathc; i++) {
    if (strstr(files.gl_pathv[i], ".sub.xml") != NULL) {
      continue; // a sub-model is no model
    }
    run r = {.netlist = read_example(strrchr(files.gl_pathv[i], '/') + 1, NULL, 0)};
    r.model = compile_graph(r.netlist->graph);
    char *text;
    assert_int_equal(sb_model_draw(r.model, &text, NULL), SB_OK);
    assert_non_null(text);
    parse(text, &p);
    for (int k = 0; k < p.count; k++) {
      assert_true(p.edges[k].stroke_from != p.edges[k].stroke_to && p.edges[k].half_arrow);
    }
    bonds += p.count;
    free(text);
    stop(&r);
  }
  assert_true(bonds >= 20);
  globfree(&files);
}

/** The programming interface allows ids that a netlist does not. */
static void ids_are_escaped(void **state) {
  (void)state;
  sb_graph *graph;
  assert_int_equal(sb_graph_create("quo\"te", &graph, NULL), SB_OK);
  (void)add_kind(graph, "C", "a\"b\\n", "c", 1);
  (void)add_kind(graph, "R", "m/r", "r", 1);
  add_bond(graph, "a\"b\\n", "m/r");
  sb_model *model = compile_graph(graph);
  char *text;
  assert_int_equal(sb_model_draw(model, &text, NULL), SB_OK);
  assert_contains(text, "digraph \"quo\\\"te\"");
  assert_contains(text, "\"a\\\"b\\\\n\" [label=\"C\\na\\\"b\\\\n\"");
  assert_contains(text, "subgraph \"cluster m\" {\n    label=\"m\";\n    \"m/r\" [label=\"R\\nr\"");
  assert_contains(text, "\"a\\\"b\\\\n\" -> \"m/r\" [arrowtail=none, arrowhead=teelvee]");
  free(text);
  sb_model_destroy(model);
  sb_graph_destroy(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rlc_as_a_whole), cmocka_unit_test(transducers),
      cmocka_unit_test(linear_loop),    cmocka_unit_test(dependent_storage),
      cmocka_unit_test(examples),       cmocka_unit_test(ids_are_escaped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
