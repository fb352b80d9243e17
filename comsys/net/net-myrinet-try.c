/* Which of those who wait are tried.
 *
 * A transfer waits at a hub that refuses it, or at both. When a channel of a hub
 * gets empty those who wait there are looked at in order of request, up to the
 * first whose other end takes it; the others go to wait there.
 *
 * Where each sends to each (dense) nearly all other ends are busy, and moving on
 * takes long. So a hub that has looked at some asks the free hubs instead whether
 * there is a pending transfer between them. If there is none it is idle, though some wait
 * there: who gets free next has those between it and the idle hubs tried. An idle
 * hub sends one on whenever it is met, so that it does not stay idle for ever.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/net-myrinet-try-private.h"

#define NONE PD_PENDING_TRANSFER_NONE

/* To move a pending transfer costs about as much as to ask so many hubs. */
#define MOVE 6

/* ---- free and idle hubs */

static void
add_to_list (PdMyrinet *self, PdHubList *list, guint32 h, guint32 listed)
{
  if (self->hubs[h].state & listed)
    return;
  self->hubs[h].state |= listed;
  list->hubs[list->n++] = h;
}

/* The hub at *@i of the list that is in @state, of those from there on; NONE
 * behind the last one. */
static guint32
next_of_list (PdMyrinet *self, PdHubList *list, guint32 i, guint32 state, guint32 listed)
{
  while (i < list->n)
    {
      PdHub *hub = &self->hubs[list->hubs[i]];
      if (hub->state & state)
        return list->hubs[i];
      hub->state &= ~listed;
      list->hubs[i] = list->hubs[--list->n];
    }
  return NONE;
}

void
pd_myrinet_set_free (PdMyrinet *self, guint32 h)
{
  PdHub *hub = &self->hubs[h];

  if (hub->state & PD_HUB_IS_FREE)
    return;
  hub->state |= PD_HUB_IS_FREE;
  self->n_free++;
  add_to_list (self, &self->free, h, PD_HUB_LISTED_FREE);
}

void
pd_myrinet_set_taken (PdMyrinet *self, guint32 h)
{
  PdHub *hub = &self->hubs[h];

  if (!(hub->state & PD_HUB_IS_FREE))
    return;
  hub->state &= ~(guint32) (PD_HUB_IS_FREE | PD_HUB_IS_IDLE);
  self->n_free--;
}

/* ---- candidates */

static void
add_candidate (PdMyrinet *self, guint32 w)
{
  if (w != NONE)
    pd_min_set_add (&self->candidates, w);
}

void
pd_myrinet_add_candidate (PdMyrinet *self, guint32 source, guint32 target)
{
  add_candidate (self, pd_pending_transfers_find (&self->transfers, source, target));
}

static void
set_cursor (PdMyrinet *self, guint32 h, guint32 w)
{
  self->hubs[h].cursor = w;
  add_candidate (self, w);
}

/* The hub that the first who waits at @h would have to take, too, if that
 * refuses him; else NONE. */
static guint32
get_refuser (const PdMyrinet *self, guint32 h, guint32 first, PdTime now)
{
  const PdPendingTransfer *pending = &self->transfers.transfers[first];
  PdPath path;

  pd_myrinet_get_path (self, pending->source, pending->target, &path);
  guint32 other = path.hubs[path.hubs[0] == h ? path.n_hubs - 1 : 0];
  guint32 channel = pd_hub_find (&self->hubs[other], self->config->channels, &path.transfer, now);
  return channel == PD_HUB_NONE ? other : NONE;
}

/* The first pending transfer between two ports in either direction; NONE if none. */
static guint32
find_between (PdMyrinet *self, guint32 a, guint32 b)
{
  if (pd_myrinet_has_pairs (self))
    return MIN (pd_pending_transfers_find (&self->transfers, a, b),
                pd_pending_transfers_find (&self->transfers, b, a));
  if (pd_myrinet_is_incoming (a) == pd_myrinet_is_incoming (b))
    return NONE;
  return pd_pending_transfers_find (&self->transfers, pd_myrinet_is_incoming (a) ? b : a,
                                    pd_myrinet_is_incoming (a) ? a : b);
}

/* Makes the first pending transfer between @h and a free hub its candidate, or @h idle. */
static void
ask_free_hubs (PdMyrinet *self, guint32 h)
{
  guint32 best = NONE, f;

  for (guint32 i = 0;
       (f = next_of_list (self, &self->free, i, PD_HUB_IS_FREE, PD_HUB_LISTED_FREE)) != NONE; i++)
    best = MIN (best, find_between (self, h, f));
  set_cursor (self, h, best);
  if (best != NONE)
    return;
  self->hubs[h].state |= PD_HUB_IS_IDLE;
  add_to_list (self, &self->idle, h, PD_HUB_LISTED_IDLE);
}

void
pd_myrinet_advance (PdMyrinet *self, guint32 h, PdTime now)
{
  const PdHub *hub = &self->hubs[h];
  guint32 tried = hub->cursor;

  set_cursor (self, h, NONE);
  if (hub->n_waiting == 0 || !pd_hub_has_empty (hub, self->config->channels, now))
    return;
  for (guint32 n_met = 0;; n_met++)
    {
      guint32 w = pd_pending_transfers_first (&self->transfers, h);
      /* with few it is tried anyway, when its other hub has been loaded */
      gboolean is_asked = w != NONE && (self->transfers.is_dense || w == tried);
      guint32 refuser = is_asked ? get_refuser (self, h, w, now) : NONE;
      if (refuser == NONE)
        {
          set_cursor (self, h, w);
          return;
        }
      if (self->transfers.is_dense && MOVE * (n_met + 1) > self->n_free)
        {
          ask_free_hubs (self, h);
          return;
        }
      pd_pending_transfers_move_first (&self->transfers, h, refuser);
    }
}

/* Has the pending transfers between @h, now free, and the idle hubs tried. Each of these
 * sends on one who waits there, so that it does not stay idle for ever. */
static void
meet_idle_hubs (PdMyrinet *self, guint32 h, PdTime now)
{
  guint32 idle;

  for (guint32 i = 0;
       (idle = next_of_list (self, &self->idle, i, PD_HUB_IS_IDLE, PD_HUB_LISTED_IDLE)) != NONE;
       i++)
    {
      guint32 w = pd_pending_transfers_first (&self->transfers, idle);
      guint32 refuser = w != NONE ? get_refuser (self, idle, w, now) : NONE;
      if (pd_myrinet_has_pairs (self))
        {
          pd_myrinet_add_candidate (self, idle, h);
          pd_myrinet_add_candidate (self, h, idle);
        }
      else
        add_candidate (self, find_between (self, h, idle));
      if (w == NONE)
        self->hubs[idle].state &= ~(guint32) PD_HUB_IS_IDLE;
      else if (refuser != NONE)
        pd_pending_transfers_move_first (&self->transfers, idle, refuser);
    }
}

void
pd_myrinet_wake_hub (PdMyrinet *self, guint32 h, PdTime now)
{
  PdHub *hub = &self->hubs[h];

  if (hub->n_waiting == 0 || hub->cursor != NONE)
    return;
  gboolean has_empty = pd_hub_has_empty (hub, self->config->channels, now);
  for (guint32 i = 0; pd_myrinet_has_pairs (self) && i < 2 * hub->n_channels; i++)
    {
      const PdChannel *channel = &hub->channels[i / 2];
      const PdSlot *slot = &channel->slots[i % 2];
      if (pd_slot_is_busy (slot, now)
          && (has_empty || pd_channel_get_single (channel, now) != NULL))
        pd_myrinet_add_candidate (self, slot->target, slot->source);
    }
  if (!has_empty)
    return;
  pd_myrinet_set_free (self, h);
  meet_idle_hubs (self, h, now);
  set_cursor (self, h, pd_pending_transfers_first (&self->transfers, h));
}
