/* Calls that ask for a message or a request, and those that ask again and again.
 *
 * A poll returns at once, whether it finds something or not. Polls that find nothing
 * wait from their beginning until what they ask for was done, inside the calls: that
 * of which a test asks, or, of a probe, the message that the rank receives next. What
 * is between two polls is computation, unless it is so short that only the loop can
 * have gone round, and the recorder have done its work: then it belongs to the polls,
 * and waits like them. So does an interruption, as by the recorder when it needs another
 * block, or by the system: it comes after many polls, and all interruptions together are
 * shorter than the polls. Any other gap is computation, and polls are counted anew behind it.
 * Polls with nothing but such gaps between them are one loop: the call that ends it was let go by
 * the other rank if this one did so since the first.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-waits-private.h"
#include "traces/program/pd-action.h"

#include <string.h>

#define LONGEST_GAP (5 * PD_PS_PER_US) /* a fault of a page takes half of it */
#define MANY        1000               /* polls for each interruption */

static const struct
{
  const char *name;
  PdProbe probe;
} probes[PD_N_PROBES] = {
  { "MPI_Probe", PD_PROBE_BLOCKS },   { "MPI_Mprobe", PD_PROBE_BLOCKS },
  { "MPI_Iprobe", PD_PROBE_POLLS },   { "MPI_Improbe", PD_PROBE_POLLS },
  { PD_PROGRAM_LOST, PD_PROBE_LOST },
};

gboolean
pd_waits_has_probes (const PdProgram *program)
{
  PdReasons reasons;

  pd_waits_find_probes (&reasons, program);
  for (guint i = 0; i < PD_N_PROBES; i++)
    if (probes[i].probe != PD_PROBE_LOST && reasons.probes[i] != PD_PROGRAM_NONE)
      return TRUE;
  return pd_program_has (program, PD_ACT_PROBE) || pd_program_has (program, PD_ACT_IPROBE);
}

/* Archives say no more of a probe than its name. */
void
pd_waits_find_probes (PdReasons *self, const PdProgram *program)
{
  guint32 n = pd_program_get_n_strings (program);

  for (guint i = 0; i < PD_N_PROBES; i++)
    {
      self->probes[i] = PD_PROGRAM_NONE;
      for (guint32 name = 0; name < n && self->probes[i] == PD_PROGRAM_NONE; name++)
        if (strcmp (pd_program_get_string (program, name), probes[i].name) == 0)
          self->probes[i] = name;
    }
}

PdProbe
pd_waits_is_probe (const PdReasons *self, const PdAction *action)
{
  if (action->kind == PD_ACT_PROBE)
    return PD_PROBE_BLOCKS;
  if (action->kind == PD_ACT_IPROBE)
    return PD_PROBE_POLLS;
  for (guint i = 0; action->kind == PD_ACT_LOCAL && i < PD_N_PROBES; i++)
    if (action->name == self->probes[i])
      return probes[i].probe;
  return PD_PROBE_NONE;
}

gboolean
pd_waits_is_poll (const PdReasons *self, const PdAction *action)
{
  return (action->kind >= PD_ACT_TEST && action->kind <= PD_ACT_TESTSOME)
         || pd_waits_is_probe (self, action) == PD_PROBE_POLLS;
}

static gint64
begin_of (const PdReasons *self, const PdReplay *replay)
{
  return self->polling.is_open ? self->polling.begin : replay->enter;
}

void
pd_waits_charge_probe (PdReasons *self, const PdReplay *replay, PdCharge *charge)
{
  gboolean polls = pd_waits_is_probe (self, replay->action) == PD_PROBE_POLLS;

  PdPartner partner;

  charge->quantity = PD_Q_SENDRECV;
  pd_channels_peek (self->matching->channels, replay, &partner);
  PdNeed need = pd_waits_need_of_partner (&partner, PD_WAIT_LATE_SENDER);
  if (need.when > replay->leave && !polls)
    return; /* it has found another message */
  charge->n_polls = polls && need.when >= replay->leave;
  pd_waits_charge_needs (replay, &need, 1,
                         charge->n_polls > 0 ? replay->leave : begin_of (self, replay), charge);
}

/* One that asks for all waits for the last, one that asks for any for the first. */
void
pd_waits_charge_failed_test (PdReasons *self, const PdReplay *replay, PdCharge *charge)
{
  PdActionKind kind = replay->action->kind;
  gboolean any = kind == PD_ACT_TESTANY || kind == PD_ACT_TESTSOME;
  guint32 n;
  const guint32 *slots = pd_replay_get_slots (replay->action, &n);
  PdNeed chosen = { .when = -1 };

  for (guint32 i = 0; i < n; i++)
    {
      const PdRecordedRequest *request = pd_replay_get_pending (replay, slots[i]);
      if (request == NULL)
        continue;
      PdNeed need = pd_waits_need_of_request (self, replay, request);
      if (chosen.when < 0 || (any ? need.when < chosen.when : need.when > chosen.when))
        chosen = need;
    }
  charge->n_polls = 1;
  pd_waits_charge_needs (replay, &chosen, 1, replay->leave, charge);
}

/* Whether a gap that is not short is one: @length, ps. */
static gboolean
is_interruption (const PdPolling *polling, gint64 length)
{
  return polling->n >= MANY * (polling->n_interrupted + 1)
         && polling->interrupted + length < polling->polled;
}

void
pd_waits_charge_gap (PdReasons *self, PdReplay *replay, PdCharge *charge)
{
  PdPolling *polling = &self->polling;
  gint64 length = replay->leave - replay->enter;
  gboolean is_short = length <= LONGEST_GAP;

  if (!polling->is_open)
    return;
  const PdAction *next = pd_action_reader_peek (&replay->reader);
  if (next == NULL)
    return;
  if (!is_short && !is_interruption (polling, length))
    {
      polling->polled = polling->interrupted = 0;
      polling->n = polling->n_interrupted = 0;
      return;
    }
  if (!pd_waits_is_poll (self, next) && pd_waits_is_probe (self, next) != PD_PROBE_LOST)
    return;
  charge->is_gap = TRUE;
  charge->costs.count = 0;
  charge->quantity = polling->quantity;
  pd_waits_charge_needs (replay, &polling->need, 1, replay->leave, charge);
  if (is_short)
    polling->polled += length;
  else
    {
      polling->interrupted += length;
      polling->n_interrupted++;
    }
}

/* A poll in vain goes on with the loop, or begins one. */
static void
follow_poll (PdPolling *polling, const PdReplay *replay, const PdCharge *charge)
{
  if (!polling->is_open)
    *polling = (PdPolling){ .is_open = TRUE, .begin = replay->enter };
  polling->need = charge->late;
  polling->quantity = charge->quantity;
  polling->polled += replay->leave - replay->enter;
  polling->n++;
}

void
pd_waits_follow_polls (PdReasons *self, const PdReplay *replay, const PdCharge *charge)
{
  if (charge->is_gap || replay->action->kind >= PD_ACT_ENTER)
    return;
  if (charge->n_polls > 0)
    follow_poll (&self->polling, replay, charge);
  else
    self->polling.is_open = FALSE;
}
