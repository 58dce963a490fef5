// SPDX-License-Identifier: GPL-3.0-or-later
// How far two runs are apart, of which one is of the netlist rewritten.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/near.h"

#include "tests/system/rewrite/rewrite.h"

/** contact(b,a)/elastic of contact(a,b)/elastic. */
static void exchange_bodies(const char *name, char out[REWRITE_NAME]) {
  size_t first = strcspn(name, ",") - 8, second = strcspn(name + 9 + first, ")");
  (void)snprintf(out, REWRITE_NAME, "contact(%.*s,%.*s)%s", (int)second, name + 9 + first,
                 (int)first, name + 8, name + first + second + 10);
}

static const sb_account *find(const sb_account accounts[], int count, const char *id) {
  for (int i = 0; i < count; i++) {
    if (strcmp(accounts[i].id, id) == 0) {
      return &accounts[i];
    }
  }
  return NULL;
}

/** A tree of bodies is called by the one that is told first: the only tree there is; else NULL. */
static const sb_account *find_tree(const sb_account b[], int count) {
  const sb_account *only = NULL;
  int trees = 0;
  for (int i = 0; i < count; i++) {
    if (strncmp(b[i].id, "tree(", 5) == 0) {
      only = &b[i];
      trees++;
    }
  }
  return trees == 1 ? only : NULL;
}

/** The greatest difference of two accounts [J], as they are reported. */
static double account_gap(const sb_account *a, const sb_account *b, double factor) {
  const double gaps[] = {a->stored_start + a->level - (b->stored_start + b->level) / factor,
                         a->stored_end + a->level - (b->stored_end + b->level) / factor,
                         a->supplied - b->supplied / factor, a->dissipated - b->dissipated / factor,
                         a->event_loss - b->event_loss / factor};
  double gap = 0;
  for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
    gap = isnan(gaps[i]) ? HUGE_VAL : fmax(gap, fabs(gaps[i]));
  }
  return gap;
}

/** The same over a list of accounts. */
static double accounts_gap(const rewrite *r, const sb_account a[], int count, const sb_account b[],
                           int other_count) {
  double gap = 0;
  for (int i = 0; i < count; i++) {
    char exchanged[REWRITE_NAME];
    const sb_account *is = r->ordered ? &b[i] : find(b, other_count, a[i].id);
    if (is == NULL && strncmp(a[i].id, "contact(", 8) == 0) {
      exchange_bodies(a[i].id, exchanged);
      is = find(b, other_count, exchanged);
    }
    if (is == NULL && strncmp(a[i].id, "tree(", 5) == 0) {
      is = find_tree(b, other_count);
    }
    if (is == NULL || other_count < count) {
      fail_msg("%s has no account", a[i].id);
    }
    gap = fmax(gap, account_gap(&a[i], is, r->energy));
  }
  return gap;
}

double rewrite_energy_gap(const rewrite *r, const sb_ledger *a, const sb_ledger *b) {
  double gap = account_gap(&a->total, &b->total, r->energy);
  gap = fmax(gap, accounts_gap(r, a->elements, a->element_count, b->elements, b->element_count));
  gap = fmax(gap, accounts_gap(r, a->groups, a->group_count, b->groups, b->group_count));
  // What exchanges nothing has its whole energy for a scale.
  return gap == 0 ? 0 : gap / (a->scale > 0 ? a->scale : fabs(a->total.stored_start));
}

/** The name that a result has now, and by what to multiply it. */
static const char *name_now(const rewrite *r, const rewrite_run *other, int i, const char *was,
                            char exchanged[REWRITE_NAME], double *factor) {
  sb_quantity quantity;
  *factor = 1;
  if (r->ordered) {
    return other->netlist->outputs[i].of;
  }
  for (int k = 0; k < r->quantity_count; k++) {
    if (strcmp(r->quantities[k].from, was) == 0) {
      *factor = r->quantities[k].factor;
      return r->quantities[k].to;
    }
  }
  if (strncmp(was, "contact(", 8) == 0 &&
      sb_model_find(other->model, was, &quantity, NULL) != SB_OK) {
    exchange_bodies(was, exchanged);
    return exchanged;
  }
  return was;
}

/** Whether a quantity of a contact is another one where its bodies are exchanged: the normal turns round. */
static bool counts_from_body_1(const char *quantity) {
  static const char *const names[] = {"patch-axis",
                                      "normal",
                                      "axis-x",
                                      "axis-y",
                                      "load",
                                      "force",
                                      "wrench",
                                      "wrench-1",
                                      "wrench-2",
                                      "sliding-velocity",
                                      "rolling-velocity-1",
                                      "rolling-velocity-2"};
  const char *dot = strrchr(quantity, '.');
  for (size_t i = 0; dot != NULL && i < sizeof names / sizeof *names; i++) {
    if (strcmp(dot + 1, names[i]) == 0) {
      return true;
    }
  }
  return false;
}

/** Of results that are differences of others: eps times the largest of the same unit. */
static double rounding_of(const rewrite_run *plain, const char *unit) {
  double largest = 0;
  for (int i = 0; i < plain->netlist->output_count && i < REWRITE_RESULTS; i++) {
    sb_quantity other;
    assert_int_equal(sb_model_find(plain->model, plain->netlist->outputs[i].of, &other, NULL),
                     SB_OK);
    largest = strcmp(other.unit, unit) == 0 ? fmax(largest, plain->largest[i]) : largest;
  }
  return 4 * DBL_EPSILON * largest;
}

double rewrite_result_gap(const rewrite *r, const rewrite_run *plain, const rewrite_run *other) {
  double gap = 0;
  for (int i = 0; i < plain->netlist->output_count && i < REWRITE_RESULTS; i++) {
    sb_quantity was, is;
    double a[16], b[16], factor;
    char exchanged[REWRITE_NAME];
    const char *of = plain->netlist->outputs[i].of;
    const char *now = name_now(r, other, i, of, exchanged, &factor);
    if (now == exchanged && counts_from_body_1(of)) {
      continue;
    }
    assert_int_equal(sb_model_find(plain->model, of, &was, NULL), SB_OK);
    if (sb_model_find(other->model, now, &is, NULL) != SB_OK) {
      fail_msg("there is no %s", now);
    }
    factor /= rewrite_base_factor(r, was.unit, strlen(was.unit));
    sb_simulation_read(plain->sim, &was, a);
    sb_simulation_read(other->sim, &is, b);
    for (int k = 0; k < was.count; k++) {
      double own = fabs(a[k] - factor * b[k]), rounding = rounding_of(plain, was.unit);
      own = own <= rounding ? 0 : own;
      gap = own == 0 ? gap : isnan(own) ? HUGE_VAL : fmax(gap, own / plain->largest[i]);
    }
  }
  return gap;
}
