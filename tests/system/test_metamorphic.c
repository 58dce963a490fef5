// SPDX-License-Identifier: GPL-3.0-or-later
// What must not change the energies: the names and the order of elements, the direction of half
// arrows, a transformer n followed by 1/n, a junction split in two of its kind. Random trees of
// junctions, with whatever dependent storages and loops they have.
#include "tests/fixture.h"

enum { ELEMENTS_MAX = 80, NETWORKS = 40 };

typedef struct item {
  const sb_element_type *type;
  const char *param;
  double value;
  int parent; // the junction that it hangs on, -1: the root
} item;

typedef struct network {
  item items[ELEMENTS_MAX];
  int count;
} network;

static unsigned seed;

static unsigned draw(unsigned limit) {
  seed = seed * 1664525U + 1013904223U;
  return (seed >> 12) % limit;
}

static void add(network *n, const sb_element_type *type, const char *param, double value,
                int parent) {
  n->items[n->count++] = (item){type, param, value, parent};
}

/** A junction with an R, one or two storages, and perhaps junctions of the other kind. */
static void grow(network *n, int parent, bool series, int depth) {
  int self = n->count;
  add(n, series ? &sb_kind_J1 : &sb_kind_J0, NULL, 0, parent);
  add(n, &sb_kind_R, "r", 0.5 + 0.25 * draw(9), self);
  for (unsigned i = 0, count = 1 + draw(2); i < count; i++) {
    bool compliance = draw(2) == 0;
    add(n, compliance ? &sb_kind_C : &sb_kind_I, compliance ? "c" : "l", 0.3 + 0.2 * draw(9), self);
  }
  for (unsigned i = 0, count = depth > 0 ? 1 + draw(2) : 0; i < count; i++) {
    grow(n, self, !series, depth - 1);
  }
}

static network make(unsigned number) {
  network n = {.count = 0};
  seed = 77U + number;
  add(&n, &sb_kind_Se, "effort", 2.385, 1);
  grow(&n, -1, true, 2);
  return n;
}

typedef enum change {
  NOTHING,
  REVERSED_ORDER,
  REVERSED_BONDS,
  TRANSFORMERS,
  SPLIT,
  CHANGES
} change;

static void name_of(int i, change how, char name[24]) {
  (void)snprintf(name, 24, how == REVERSED_ORDER ? "z%d" : "e%d",
                 how == REVERSED_ORDER ? 100 - i : i);
}

static void join(sb_graph *graph, const char *from, const char *to, bool turned) {
  add_bond(graph, turned ? to : from, turned ? from : to);
}

/** The bond of an item to its junction, with what the change puts in between. */
static void hang(sb_graph *graph, const network *n, int i, change how) {
  const item *it = &n->items[i];
  char self[24], parent[24], a[24], b[24];
  name_of(i, how, self);
  name_of(it->parent, how, parent);
  bool source = it->type == &sb_kind_Se;
  (void)snprintf(a, sizeof a, "a%d", i);
  (void)snprintf(b, sizeof b, "b%d", i);
  if (how == TRANSFORMERS && i % 2 == 0) {
    add_kind(graph, "TF", a, "ratio", 3.7);
    add_kind(graph, "TF", b, "ratio", 1 / 3.7);
    join(graph, source ? self : parent, a, false);
    join(graph, a, b, false);
    join(graph, b, source ? parent : self, false);
    return;
  }
  if (how == SPLIT && i % 2 == 0) {
    add_element(graph, n->items[it->parent].type, a);
    join(graph, source ? self : parent, a, false);
    join(graph, a, source ? parent : self, false);
    return;
  }
  join(graph, source ? self : parent, source ? parent : self,
       how == REVERSED_BONDS && i % 3 != 0 && !source);
}

static sb_graph *build(const network *n, change how) {
  sb_graph *graph;
  assert_int_equal(sb_graph_create("random", &graph, NULL), SB_OK);
  for (int k = 0; k < n->count; k++) {
    int i = how == REVERSED_ORDER ? n->count - 1 - k : k;
    char name[24];
    name_of(i, how, name);
    add_kind(graph, n->items[i].type->name, name, n->items[i].param, n->items[i].value);
  }
  for (int k = 0; k < n->count; k++) {
    int i = how == REVERSED_ORDER ? n->count - 1 - k : k;
    if (n->items[i].parent >= 0) {
      hang(graph, n, i, how);
    }
  }
  return graph;
}

static sb_account energies(const network *n, change how) {
  sb_options options = sb_options_defaults();
  options.method = sb_method_find("fehlberg-8");
  options.step = 0.01; // the same steps whatever the states are
  run r = start_graph(build(n, how), options);
  advance(&r, 1.0);
  sb_simulation_audit(r.sim);
  const sb_ledger *ledger = ledger_of(&r);
  assert_true(ledger->structure.residual_relative < 1e-12);
  assert_true(ledger->residual_relative < 1e-8);
  sb_account total = ledger->total;
  stop(&r);
  return total;
}

static void energies_do_not_change(void **state) {
  (void)state;
  for (unsigned number = 0; number < NETWORKS; number++) {
    network n = make(number);
    sb_account plain = energies(&n, NOTHING);
    double scale = fabs(plain.supplied) + fabs(plain.stored_end);
    for (change how = NOTHING + 1; how < CHANGES; how++) {
      sb_account changed = energies(&n, how);
      assert_near(changed.supplied, plain.supplied, 1e-11 * scale);
      assert_near(changed.dissipated, plain.dissipated, 1e-11 * scale);
      assert_near(changed.stored_end, plain.stored_end, 1e-11 * scale);
      assert_near(changed.event_loss, plain.event_loss, 1e-11 * scale);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(energies_do_not_change)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
