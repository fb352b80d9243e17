/* Which pending transfers are tried.
 *
 * When a channel of a hub gets empty, the first of its pending transfers whose other end has an
 * empty channel, too, becomes its candidate; the least candidate of all hubs is tried. A hub whose
 * candidate was tried goes on to the next one. Those passed over need no attention until their
 * other ends get empty channels: these have candidates of their own then.
 * SPDX-License-Identifier: MIT */
#include "comsys/net/net-myrinet-try-private.h"

#define NONE PD_PENDING_TRANSFER_NONE

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
  __builtin_prefetch (&self->transfers.transfers[w]);
  pd_min_set_add (&self->candidates, w);
}

void
pd_myrinet_advance (PdMyrinet *self, guint32 h, PdTime now)
{
  PdHub *hub = &self->hubs[h];
  guint32 tried = hub->cursor;

  hub->cursor = NONE;
  if (hub->n_waiting > 0 && pd_hub_has_empty (hub, self->config->channels, now))
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
  pd_myrinet_set_open (self, h, TRUE);
  set_cursor (self, h, NONE);
}
