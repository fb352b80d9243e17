/* Which pending transfers are tried.
 *
 * When a channel of a hub gets empty, the first of its pending transfers whose other end has an
 * empty channel, too, becomes its candidate; the least candidate of all hubs is tried. A hub whose
 * candidate was tried goes on to the next one. Those passed over need no attention until their
 * other ends get empty channels: these have candidates of their own then.
 *
 * With hubs of directions a transfer needs to be the candidate of one of its ends only. Where both
 * get empty channels at the same moment, that is the end of the leading direction: a hub of this
 * direction looks for a candidate after all hubs of the other one are open, and is open itself only
 * when it has no candidate. With transfers requested source by source, all targets would otherwise
 * try those of one source after the other, of which one starts. The other direction leads from the
 * next moment on if most candidates were tried in vain. This changes no result: always the least
 * transfer that can start is started.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/net-myrinet-try-private.h"
#include "comsys/queue/pd-lines.h"

#define NONE PD_PENDING_TRANSFER_NONE

/* The data of the hub so many places ahead is loaded from memory. */
#define AHEAD 8

/* The other direction leads if more candidates than so many are tried for each that starts. */
#define TRIES 4

void
pd_myrinet_set_open (PdMyrinet *self, guint32 h, gboolean is_open)
{
  if (!self->hubs[h].is_open == !is_open)
    return;
  self->hubs[h].is_open = is_open ? 1 : 0;
  pd_pending_transfers_set_open (&self->transfers, h, is_open);
}

void
pd_myrinet_add_candidate (PdMyrinet *self, guint32 source, guint32 target)
{
  guint32 w = pd_pending_transfers_find (&self->transfers, source, target);

  if (w != NONE)
    pd_min_set_add (&self->candidates, w);
}

/* The next candidate of @h is the first one behind @after that may start. */
static void
set_cursor (PdMyrinet *self, guint32 h, guint32 after)
{
  guint32 w = pd_pending_transfers_first_open (&self->transfers, h, after);

  self->hubs[h].cursor = w;
  if (w == NONE)
    return;
  pd_prefetch (&self->transfers.transfers[w]);
  pd_min_set_add (&self->candidates, w);
}

/* Whether hub @h is of the leading direction. */
static inline gboolean
leads (const PdMyrinet *self, guint32 h)
{
  return self->ports == PD_MYRINET_PORT_OF_DIRECTION && (h & 1) == self->leading;
}

/* Has @h look for a candidate once all hubs of the other direction are open. */
static void
add_woken (PdMyrinet *self, guint32 h)
{
  if (self->n_woken == self->n_woken_allocated)
    {
      self->n_woken_allocated = MAX (16, 2 * self->n_woken_allocated);
      self->woken = g_renew (guint32, self->woken, self->n_woken_allocated);
    }
  self->woken[self->n_woken++] = h;
}

/* The same for a hub of the leading direction, which is open without a candidate. */
static void
set_leading_cursor (PdMyrinet *self, guint32 h, guint32 after)
{
  set_cursor (self, h, after);
  if (self->hubs[h].cursor == NONE)
    pd_myrinet_set_open (self, h, TRUE);
}

void
pd_myrinet_set_leading_cursors (PdMyrinet *self)
{
  for (guint32 i = 0; i < self->n_woken; i++)
    {
      if (i + AHEAD < self->n_woken)
        {
          pd_prefetch (&self->hubs[self->woken[i + AHEAD]]);
          pd_prefetch (&self->transfers.queues[self->woken[i + AHEAD]]);
        }
      set_leading_cursor (self, self->woken[i], NONE);
    }
  self->n_woken = 0;
}

void
pd_myrinet_choose_leading (PdMyrinet *self, gsize n_tried, gsize n_started)
{
  if (n_tried > TRIES * (n_started + 1))
    self->leading ^= 1;
}

void
pd_myrinet_advance (PdMyrinet *self, guint32 h, PdTime now)
{
  PdHub *hub = &self->hubs[h];
  guint32 tried = hub->cursor;

  hub->cursor = NONE;
  if (hub->n_waiting == 0 || !pd_hub_has_empty (hub, self->config->channels, now))
    return;
  if (leads (self, h))
    set_leading_cursor (self, h, tried);
  else
    set_cursor (self, h, tried);
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
  if (leads (self, h))
    {
      /* if it is open already, its transfers are candidates of their other ends */
      if (!hub->is_open)
        add_woken (self, h);
      return;
    }
  pd_myrinet_set_open (self, h, TRUE);
  set_cursor (self, h, NONE);
}
