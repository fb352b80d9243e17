/* SPDX-License-Identifier: MIT */
#include "comsys/queue/pd-pending-peers.h"

#include <string.h>

PdPendingPeers *
pd_pending_peers_new (guint32 n_words)
{
  PdPendingPeers *self = g_new (PdPendingPeers, 1);

  self->n_words = n_words;
  self->present = g_new0 (guint64, n_words);
  self->several = g_new0 (guint64, n_words);
  self->places = g_new (guint32, 64 * (gsize) n_words);
  return self;
}

void
pd_pending_peers_free (PdPendingPeers *self)
{
  if (self == NULL)
    return;
  g_free (self->present);
  g_free (self->several);
  g_free (self->places);
  g_free (self);
}

void
pd_pending_peers_reset (PdPendingPeers *self)
{
  memset (self->present, 0, self->n_words * sizeof *self->present);
  memset (self->several, 0, self->n_words * sizeof *self->several);
}

void
pd_pending_peers_add (PdPendingPeers *self, guint32 peer, guint32 place)
{
  if (pd_bits_has (self->present, peer))
    pd_bits_set (self->several, peer);
  else
    {
      pd_bits_set (self->present, peer);
      self->places[peer] = place;
    }
}

void
pd_pending_peers_drop (PdPendingPeers *self, guint32 peer, guint32 bit,
                       const PdPendingTransferEntry *entries, guint32 first, guint32 end)
{
  guint32 i = pd_bits_has (self->several, peer) ? self->places[peer] : end;

  for (i = MAX (i, first); i < end && entries[i].peer != bit; i++)
    ;
  if (i < end)
    {
      self->places[peer] = i;
      return;
    }
  pd_bits_clear (self->present, peer);
  pd_bits_clear (self->several, peer);
}
