// SPDX-License-Identifier: GPL-3.0-or-later
// The ledger of a run whose elements come and go. Accounts of elements that have gone stand behind those of the
// present ones, if anything ever happened there, and are taken up again where they come back.
#include <string.h>

#include "core/audit/audit_private.h"

/** An id that outlives its network; NULL stays. Where memory runs out it is empty. */
static const char *keep_id(sb_audit *a, const char *id) {
  int known = id == NULL ? -1 : sb_names_find(&a->known_ids, id, strlen(id));
  if (id == NULL || known >= 0) {
    return id == NULL ? NULL : a->ids[known];
  }
  char *copy = sb_arena_copy(&a->id_memory, id, strlen(id));
  if (copy == NULL ||
      !sb_arena_append(&a->id_memory, &a->ids, &a->id_count, &a->id_capacity, sizeof copy, &copy) ||
      !sb_names_add(&a->known_ids, copy, a->id_count - 1)) {
    return "";
  }
  return copy;
}

/** What is kept beyond networks moves over. */
static void succeed_ids(sb_audit *a, sb_audit *before) {
  a->known_ids = before->known_ids;
  a->ids = before->ids;
  a->id_count = before->id_count;
  a->id_capacity = before->id_capacity;
  a->id_memory = before->id_memory;
  before->known_ids = (sb_names){0};
  before->id_memory = (sb_arena){0};
  a->event_capacity = before->event_capacity;
  a->named_events = before->named_events;
}

/** All figures but the accounts, with ids that last. */
static void succeed_ledger(sb_audit *a, sb_audit *before) {
  sb_ledger own = a->ledger, *ledger = &a->ledger;
  *ledger = before->ledger; // with the events
  before->ledger.events = NULL;
  ledger->elements = own.elements, ledger->element_count = own.element_count;
  ledger->groups = own.groups, ledger->group_count = own.group_count;
  ledger->parts = own.parts, ledger->part_count = own.part_count;
  ledger->total.id = own.total.id;
  ledger->structure.worst = keep_id(a, ledger->structure.worst);
  ledger->passivity.element = keep_id(a, ledger->passivity.element);
  ledger->residual_element = keep_id(a, ledger->residual_element);
  for (int i = a->named_events; i < ledger->event_count; i++) {
    ledger->events[i].element = keep_id(a, ledger->events[i].element);
  }
  a->named_events = ledger->event_count;
}

static void succeed_sizes(sb_audit *a, const sb_audit *before, const sb_succession *s) {
  sb_succession_states(s, before->state_start, a->state_start);
  sb_succession_states(s, before->exchanged, a->exchanged);
  sb_succession_states(s, before->state_accepted, a->state_accepted);
  sb_succession_states(s, before->output_accepted, a->output_accepted);
  sb_succession_instances(s, before->energy_accepted, a->energy_accepted);
  sb_succession_states(s, before->scalar_start, a->scalar_start);
  sb_succession_instances(s, before->power_max, a->power_max);
  sb_succession_instances(s, before->power_error, a->power_error);
  sb_succession_instances(s, before->account_error, a->account_error);
  sb_succession_instances(s, before->taken, a->taken);
  const int last = SB_POWERS_KEPT - 1;
  sb_succession_instances(s, before->powers + last * s->from->instance_count,
                          a->powers + last * s->to->instance_count);
  a->power_times[last] = before->power_times[last];
  a->power_count = before->power_count < 1 ? before->power_count : 1;
  sb_succession_pairs(s, before->sizes, a->sizes);
  sb_succession_pairs(s, before->largest, a->largest);
  for (int i = 0; i < s->to->instance_count; i++) {
    a->idle[i] = s->before[i] >= 0 && before->idle[s->before[i]];
  }
  a->sampled_t = before->sampled_t;
  a->settled = before->settled;
}

/** Parts are the same, in the same order. */
static void succeed_parts(sb_audit *a, const sb_audit *before, const sb_succession *s) {
  for (int i = 0; i < a->ledger.part_count; i++) {
    sb_part *part = &a->ledger.parts[i];
    const char *id = part->account.id;
    int count = part->element_count, worst = s->now[before->courses[i].worst];
    *part = before->ledger.parts[i];
    part->account.id = part->residual_element = id;
    part->element_count = count;
    a->courses[i] = before->courses[i];
    a->courses[i].worst = worst < 0 ? a->ranges[i].first : worst;
    a->now[i] = before->now[i];
    a->courses[i].gone = 0;
  }
}

/** An account that has gone. */
static void put_away(sb_audit *a, const sb_account *account, int part) {
  if (part >= 0 &&
      (account->dissipated != 0 || account->supplied != 0 || account->event_loss != 0)) {
    sb_account *gone = &a->ledger.elements[a->network->instance_count + a->gone_count];
    *gone = *account;
    gone->id = keep_id(a, account->id);
    gone->stored_end = 0;
    a->gone_part[a->gone_count++] = part;
    a->courses[part].gone += account->dissipated - account->supplied;
  }
}

/** An element that comes back goes on with the account that it had. */
static void take_up(sb_audit *a, const sb_account *account, int index, double x[]) {
  const sb_instance *instance = &a->network->instances[index];
  a->work->event_loss[index] = account->event_loss;
  if (instance->quadrature >= 0) {
    x[a->network->state_count + instance->quadrature] =
        instance->type->source != NULL ? account->supplied : account->dissipated;
  }
}

/** Those that have gone before: they have come back, or not. */
static void succeed_gone(sb_audit *a, const sb_audit *before, double x[]) {
  for (int i = 0; i < before->gone_count; i++) {
    const sb_account *account = &before->ledger.elements[before->network->instance_count + i];
    int index = sb_names_find(&a->network->names, account->id, strlen(account->id));
    if (index >= 0) {
      take_up(a, account, index, x);
    } else {
      put_away(a, account, before->gone_part[i]);
    }
  }
}

/** Those of the network before: they last, or have gone with what they held. */
static void succeed_present(sb_audit *a, const sb_audit *before, const sb_succession *s) {
  for (int i = 0; i < s->from->instance_count; i++) {
    sb_account account = before->ledger.elements[i];
    int part = s->from->part_of[i];
    if (s->now[i] >= 0) {
      a->ledger.elements[s->now[i]].stored_start = account.stored_start;
      a->work->event_loss[s->now[i]] = account.event_loss;
    } else if (part >= 0) {
      account.event_loss += account.stored_end;
      a->ledger.parts[part].account.event_loss += account.stored_end;
      put_away(a, &account, part);
    }
  }
}

/** What is new may hold energy, which nobody supplied. */
static void enter_new(sb_audit *a, const sb_succession *s, double t, const double x[]) {
  for (int i = 0; i < s->to->instance_count; i++) {
    if (s->before[i] < 0 && s->to->instances[i].type->storage != NULL) {
      double energy = sb_instance_energy(a->work, i, t, x);
      a->work->event_loss[i] -= energy;
      a->ledger.parts[s->to->part_of[i]].account.event_loss -= energy;
    }
  }
}

sb_status sb_audit_succeed(sb_audit *a, sb_audit *before, const sb_succession *s, double t,
                           double x[], sb_error *err) {
  int present = a->network->instance_count;
  int most = before->gone_count + s->from->instance_count;
  sb_account *accounts = sb_arena_zeroed(&a->memory, present + most, sizeof *accounts);
  a->gone_part = sb_arena_zeroed(&a->memory, most, sizeof(int));
  if (a->memory.failed) {
    return sb_fail(err, SB_ERR_MEMORY, "out of memory");
  }
  memcpy(accounts, a->ledger.elements, (size_t)present * sizeof *accounts);
  a->ledger.elements = accounts;
  succeed_ids(a, before);
  succeed_ledger(a, before);
  succeed_sizes(a, before, s);
  succeed_parts(a, before, s);
  succeed_gone(a, before, x);
  succeed_present(a, before, s);
  enter_new(a, s, t, x);
  sb_audit_accounts_succeed(a, s, t, x);
  a->ledger.element_count = present + a->gone_count;
  return SB_OK;
}
