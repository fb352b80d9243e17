/* The channels of a node's adapter, or of a network, for net-myrinet.c.
 *
 * A channel holds at most two transfers, and two only if they run between the
 * same pair of endpoints in opposite directions.
 * SPDX-License-Identifier: MIT */
#ifndef NET_MYRINET_PRIVATE_H
#define NET_MYRINET_PRIVATE_H

#include "base/pd-time.h"

#define PD_HUB_NONE G_MAXUINT32

/* One direction of a channel. */
typedef struct
{
  gint64 end; /* free from this moment on */
  guint32 source;
  guint32 target : 31;
  guint32 is_wake : 1; /* the caller's: the end is to be noticed */
} PdSlot;

typedef struct
{
  PdSlot slots[2];
} PdChannel;

/* Only the channels that were ever needed exist: the lowest free one is taken,
 * so they are the first. With many nodes each access is a cache miss, so a hub
 * fills a line. */
typedef struct
{
  PdChannel *channels; /* @first until more are needed, then room for a power of two */
  guint32 n_channels;
  guint32 n_waiting; /* this and the next three are the caller's */
  guint32 cursor;
  guint32 is_open;
  gint64 last_wake;
  PdChannel first;
} PdHub;

G_STATIC_ASSERT (sizeof (PdHub) == 64);

static inline void
pd_hub_init (PdHub *self)
{
  *self = (PdHub){ .cursor = PD_HUB_NONE };
  self->channels = &self->first;
}

static inline void
pd_hub_clear (PdHub *self)
{
  if (self->channels != &self->first)
    g_free (self->channels);
}

static inline gboolean
pd_slot_is_busy (const PdSlot *slot, PdTime now)
{
  return slot->end > now.ps;
}

/* The only busy slot of @channel, or NULL if both or none are busy. */
static inline const PdSlot *
pd_channel_get_single (const PdChannel *channel, PdTime now)
{
  gboolean busy[2] = { pd_slot_is_busy (&channel->slots[0], now),
                       pd_slot_is_busy (&channel->slots[1], now) };

  return busy[0] == busy[1] ? NULL : &channel->slots[busy[0] ? 0 : 1];
}

static inline gboolean
pd_channel_is_empty (const PdChannel *channel, PdTime now)
{
  return !pd_slot_is_busy (&channel->slots[0], now) && !pd_slot_is_busy (&channel->slots[1], now);
}

/* Whether one of the hub's channels, @most at most, is empty. */
static inline gboolean
pd_hub_has_empty (const PdHub *self, gint64 most, PdTime now)
{
  if (self->n_channels < most)
    return TRUE;
  for (guint32 i = 0; i < self->n_channels; i++)
    if (pd_channel_is_empty (&self->channels[i], now))
      return TRUE;
  return FALSE;
}

/* The lowest channel that can take @transfer, of @most at most; NONE if none. A
 * message of a node to itself has no opposite direction. */
static inline guint32
pd_hub_find (const PdHub *self, gint64 most, const PdSlot *transfer, PdTime now)
{
  for (guint32 i = 0; i < self->n_channels; i++)
    {
      const PdChannel *channel = &self->channels[i];
      if (pd_channel_is_empty (channel, now))
        return i;
      const PdSlot *single = pd_channel_get_single (channel, now);
      if (single != NULL && single->source == transfer->target && single->target == transfer->source
          && transfer->source != transfer->target)
        return i;
    }
  return self->n_channels < most ? self->n_channels : PD_HUB_NONE;
}

static inline void
pd_hub_add_channel (PdHub *self)
{
  guint32 n = self->n_channels;

  if (n == 1)
    {
      self->channels = g_new (PdChannel, 2);
      self->channels[0] = self->first;
    }
  else if (n > 1 && (n & (n - 1)) == 0)
    self->channels = g_renew (PdChannel, self->channels, 2 * (gsize) n);
  self->channels[self->n_channels++] = (PdChannel){ 0 };
}

/* Puts @transfer into the channel that pd_hub_find() gave; returns its slot. */
static inline PdSlot *
pd_hub_occupy (PdHub *self, guint32 channel, const PdSlot *transfer, PdTime now)
{
  if (channel == self->n_channels)
    pd_hub_add_channel (self);
  PdSlot *slots = self->channels[channel].slots;
  PdSlot *slot = pd_slot_is_busy (&slots[0], now) ? &slots[1] : &slots[0];
  *slot = *transfer;
  return slot;
}

#endif
