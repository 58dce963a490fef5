// SPDX-License-Identifier: GPL-3.0-or-later
// fault NETLIST SEED [ENDING]: runs a netlist twice, as it is and with one wrong term in its compiled form, and
// prints in one line what the audit says of the second run. With ENDING the term is one of an element whose id
// ends so, and so must be that of the element that the audit names. Used by tools/campaign.
//   as it stands       "sound: ...": how the first run ended if that was not ok; "long: ...": in too many steps;
//                      "limit: ...": where closest points cease to be unique
//   the wrong term     changes neither the states nor the ledger beyond their rounding and the errors of integration:
//                      "harmless"
//   else               "found ...", "refused ..." (the run ended with an error), "MISSED ..." or
//                      "MISNAMED ..." (another element is named)
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "screwbond.h"
#include "tests/campaign/random.h"
#include "tests/campaign/wrong_hooks.h"

enum { STEPS_MAX = 20000, ATTEMPTS_MAX = 20, DRAWS_MAX = 400, TIGHTER = 100 };

/** Gives an instance one wrong hook; false: it has none that could be wrong.
 *  @param hooks  the first so many; those of rates are of no use without constraints */
static bool spoil_any_hook(sb_instance *instance, int hooks, chance *c, double factor,
                           char text[200]) {
  int first = pick(c, hooks), k = 0;
  while (k < hooks && !has_hook(instance, (wrong_hook)((first + k) % hooks))) {
    k++;
  }
  if (k == hooks) {
    return false;
  }
  wrong_hook which = (wrong_hook)((first + k) % hooks);
  spoil_hook(instance, which, factor);
  (void)snprintf(text, 200, "%s of %s", wrong_hook_names[which], instance->id);
  return true;
}

/** Whether an element is of a part of the network, by the end of its id; contact(a,b)/elastic by that of b. */
static bool ends_so(const char *id, const char *ending) {
  size_t length = id == NULL ? 0 : strcspn(id, "/)"), own = strlen(ending);
  return length >= own && strncmp(id + length - own, ending, own) == 0;
}

/** Whether what is added to a state, or behind these to a quadrature, is of an element whose id ends so. */
static bool is_of(const sb_network *network, int place, const char *ending) {
  for (int i = 0; i < network->instance_count; i++) {
    const sb_instance *instance = &network->instances[i];
    bool own = place >= instance->state && place < instance->state + instance->layout.states;
    if (own ||
        (instance->quadrature >= 0 && place == network->state_count + instance->quadrature)) {
      return ends_so(instance->id, ending);
    }
  }
  return false;
}

/** One term of an element whose id ends so; NULL: none of the kind that was drawn. */
static double *term_ending(const sb_model *model, chance *c, const char *ending, char text[200]) {
  sb_program *p = model->program;
  int which = pick(c, 3), k;
  if (which == 0 && p->run_count > 0) {
    const sb_rate_run *run = &p->runs[k = pick(c, p->run_count)];
    int term = pick(c, run->terms), row = pick(c, run->count);
    (void)snprintf(text, 200, "rate run %d", k);
    bool of = is_of(&model->network, run->dest + row * run->stride, ending);
    return of && (run->count == 1 || !run->uniform)
               ? &p->rate_factor[run->first + term * (run->uniform ? 1 : run->count) + row]
               : NULL;
  }
  if (which == 1 && p->extra_count > 0) {
    (void)snprintf(text, 200, "rate term %d", k = pick(c, p->extra_count));
    return is_of(&model->network, p->extras[k].dest, ending) ? &p->extras[k].factor : NULL;
  }
  if (which == 2 && p->product_count > 0) {
    (void)snprintf(text, 200, "product %d", k = pick(c, p->product_count));
    int place = model->network.state_count + p->products[k].dest;
    return is_of(&model->network, place, ending) ? &p->products[k].factor : NULL;
  }
  return NULL;
}

static double *term_of(sb_program *p, chance *c, char text[200]) {
  int k;
  switch (pick(c, 6)) {
  case 0:
    if (p->run_count > 0) {
      const sb_rate_run *run = &p->runs[k = pick(c, p->run_count)];
      (void)snprintf(text, 200, "rate run %d", k);
      return &p->rate_factor[run->first + pick(c, run->terms * (run->uniform ? 1 : run->count))];
    }
    break;
  case 1:
    if (p->group_count > 0) {
      const sb_rate_group *group = &p->groups[k = pick(c, p->group_count)];
      (void)snprintf(text, 200, "rate group %d", k);
      return group->terms * group->count == 0
                 ? NULL
                 : &p->rate_factor[group->first_term + pick(c, group->terms * group->count)];
    }
    break;
  case 2:
    if (p->extra_count > 0) {
      (void)snprintf(text, 200, "rate term %d", k = pick(c, p->extra_count));
      return &p->extras[k].factor;
    }
    break;
  case 3:
    if (p->product_count > 0) {
      (void)snprintf(text, 200, "product %d", k = pick(c, p->product_count));
      return &p->products[k].factor;
    }
    break;
  case 4:
    if (p->product_factor_count > 0) {
      (void)snprintf(text, 200, "product factor %d", k = pick(c, p->product_factor_count));
      return &p->product_factor[k];
    }
    break;
  default:
    if (p->term_count > 0) {
      (void)snprintf(text, 200, "term %d of a row", k = pick(c, p->term_count));
      return &p->factor[k];
    }
  }
  return NULL;
}

/** Puts one wrong term into a model; false: it has none of the kind that was drawn. */
static bool spoil_model(sb_model *model, chance *c, const char *ending, char text[200]) {
  double delta = (happens(c, 0.5) ? 1 : -1) * spread(c, 1e-6, 0.3);
  double factor = happens(c, 0.1) ? -1 : 1 + delta;
  char where[200];
  bool done;
  if (happens(c, 0.4)) {
    sb_instance *instance = &model->network.instances[pick(c, model->network.instance_count)];
    int hooks =
        model->program->causality.constraint_count > 0 ? WRONG_HOOKS : WRONG_HOOKS_WITHOUT_RATES;
    done = ends_so(instance->id, ending) && spoil_any_hook(instance, hooks, c, factor, where);
  } else {
    double *term =
        *ending == '\0' ? term_of(model->program, c, where) : term_ending(model, c, ending, where);
    done = term != NULL;
    if (done) {
      *term *= factor;
    }
  }
  (void)snprintf(text, 200, "%.150s times %.9g", where, factor);
  return done;
}

/** How a run ended. */
typedef struct ending {
  sb_status status;
  bool accepted; // by the audit
  bool named;    // the elements that the audit finds at fault are those that end so
  double *x;     // (vector_count) states and quadratures; owned
  double *known; // (vector_count) what energies [J] are known to, 0 of states; owned
  char text[400];
} ending;

static int ignore(void *context, const sb_simulation *sim, double t) {
  (void)context, (void)sim, (void)t;
  return 0;
}

/** An energy is known to the error of the balance that it belongs to, of its part of the network, and to its rounding. */
static void find_known(const sb_network *network, const sb_ledger *ledger, double known[]) {
  for (int i = 0; i < network->instance_count; i++) {
    const int part = network->part_of[i], quadrature = network->instances[i].quadrature;
    if (quadrature >= 0 && part >= 0 && part < ledger->part_count) {
      known[network->state_count + quadrature] =
          fmax(ledger->parts[part].rounding, ledger->parts[part].residual_max);
    }
  }
}

static void finish_ending(ending *e) {
  free(e->x);
  free(e->known);
}

/** @param most     steps: what is wrong may make a model so stiff that it would take hours
 *  @param tighter  its rtol is that of the netlist over this */
static ending run_model(const sb_netlist *netlist, const sb_model *model, int most, double tighter,
                        const char *ending_of_id) {
  sb_options options = netlist->options;
  options.max_steps = most;
  options.rtol /= tighter;
  ending e = {0};
  sb_simulation *sim = NULL;
  sb_error err = {0};
  size_t n = (size_t)sb_model_vector_count(model);
  e.x = calloc(n + 1, sizeof *e.x);
  e.known = calloc(n + 1, sizeof *e.known);
  e.status = sb_simulation_create(model, &options, &sim, &err);
  if (e.status == SB_OK) {
    e.status = sb_simulation_run(sim, netlist->t_end, netlist->sample, ignore, NULL, &err);
    const sb_ledger *ledger = sb_simulation_ledger(sim);
    const sb_report report = {.model = "", .method = "", .version = "", .ledger = ledger};
    const sb_findings found = sb_report_findings(&report);
    e.accepted = sb_report_judge(&report) == SB_OUTCOME_OK;
    e.named = (found.integration || ends_so(ledger->residual_element, ending_of_id)) &&
              (found.structure || ends_so(ledger->structure.worst, ending_of_id)) &&
              (found.passivity || ends_so(ledger->passivity.element, ending_of_id));
    memcpy(e.x, sb_simulation_state(sim), n * sizeof *e.x);
    find_known(&model->network, ledger, e.known);
    (void)snprintf(e.text, sizeof e.text, "%s%s%s integration %.2g (%s), structure %.2g (%s)",
                   found.integration ? "" : "I", found.structure ? "" : "S",
                   found.passivity ? "" : "P", ledger->residual_relative,
                   ledger->residual_element != NULL ? ledger->residual_element : "",
                   ledger->structure.residual_relative,
                   ledger->structure.worst != NULL ? ledger->structure.worst : "");
  }
  if (e.status != SB_OK) {
    (void)snprintf(e.text, sizeof e.text, "%d %.300s", (int)e.status, err.text);
  }
  sb_simulation_destroy(sim);
  return e;
}

/** The largest relative difference of a result from that of the right model: of 1e-12 J in a balance that is met to
 *  1e-11 J nothing is known. */
static double difference(const sb_model *model, const ending *right, const ending *other) {
  double worst = 0;
  for (int k = 0; k < sb_model_vector_count(model); k++) {
    const double size = fmax(fabs(right->x[k]), fabs(other->x[k])),
                 apart = fabs(right->x[k] - other->x[k]);
    worst = size > 0 && apart > right->known[k] ? fmax(worst, apart / size) : worst;
  }
  return worst;
}

static sb_model *compile(const sb_netlist *netlist) {
  sb_errors errors = {0};
  sb_model *model = NULL;
  (void)sb_model_compile(netlist->graph, &model, &errors);
  sb_errors_finish(&errors);
  return model;
}

/** Whether two results differ by no more than their errors of integration, as where a wrong term moves nothing by itself but
 *  the lengths of the steps by rounding: these errors fall with the tolerance, what a wrong term does stays. */
static bool is_noise(const sb_netlist *netlist, const sb_model *right, const sb_model *spoilt,
                     double effect) {
  ending before = run_model(netlist, right, STEPS_MAX, TIGHTER, ""),
         after = run_model(netlist, spoilt, STEPS_MAX, TIGHTER, "");
  const bool noise = before.status == SB_OK && after.status == SB_OK && before.accepted &&
                     after.accepted && difference(right, &before, &after) < effect / 10;
  finish_ending(&before);
  finish_ending(&after);
  return noise;
}

/** Draws wrong terms until one changes something: of a program that is only for the modes at the start, or of
 *  a part at rest, none does. Prints what the audit says. */
static void try_faults(const sb_netlist *netlist, const sb_model *right, chance c,
                       const char *ending_of_id) {
  ending before = run_model(netlist, right, STEPS_MAX, 1, ending_of_id);
  if (before.status != SB_OK || !before.accepted) {
    (void)printf("%s: %s\n",
                 before.status == SB_ERR_LIMIT     ? "long"
                 : before.status == SB_ERR_CONTACT ? "limit"
                                                   : "sound",
                 before.text);
    finish_ending(&before);
    return;
  }
  const char *word = "harmless";
  double effect = 0;
  char text[200] = "nothing", said[400] = "";
  int draws = 0;
  for (int attempt = 0;
       attempt < ATTEMPTS_MAX && draws < DRAWS_MAX && strcmp(word, "harmless") == 0; draws++) {
    sb_model *spoilt = compile(netlist);
    if (spoilt != NULL && spoil_model(spoilt, &c, ending_of_id, text)) {
      attempt++;
      ending after = run_model(netlist, spoilt, STEPS_MAX, 1, ending_of_id);
      effect = difference(right, &before, &after);
      word = after.status != SB_OK ? "refused"
             : !after.accepted     ? (after.named ? "found" : "MISNAMED")
             : !(effect > 1e-9) || is_noise(netlist, right, spoilt, effect) ? "harmless"
                                                                            : "MISSED";
      memcpy(said, after.text, sizeof said);
      finish_ending(&after);
    }
    sb_model_destroy(spoilt);
  }
  (void)printf("%s %s, effect %.2g, %s\n", word, text, effect, said);
  finish_ending(&before);
}

int main(int count, char **words) {
  sb_netlist *netlist = NULL;
  sb_errors errors = {0};
  if (count < 3 || count > 4 || sb_netlist_read(words[1], NULL, 0, &netlist, &errors) != SB_OK) {
    (void)printf("sound %s\n", errors.count > 0 ? errors.items[0].text : "usage");
    sb_errors_finish(&errors);
    return 1;
  }
  sb_model *right = compile(netlist);
  if (right != NULL) {
    try_faults(netlist, right, (chance){strtoull(words[2], NULL, 10)}, count > 3 ? words[3] : "");
  } else {
    (void)printf("sound: does not compile\n");
  }
  sb_model_destroy(right);
  sb_netlist_destroy(netlist);
  return 0;
}
