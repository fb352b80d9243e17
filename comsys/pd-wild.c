/* Receives with MPI_ANY_SOURCE or MPI_ANY_TAG. From the first one on, a rank's
 * receives and the messages to it are kept in two lists, and matched when the
 * messages become visible: an eager one at its delivery, a rendezvous one at
 * the arrival of its announcement.
 * SPDX-License-Identifier: MIT */
#include "comsys/pd-comsys-private.h"

void
pd_wild_free (gpointer data)
{
  PdWild *wild = data;

  g_array_unref (wild->posted);
  g_array_unref (wild->arriving);
  g_free (wild);
}

static PdWild *
wild_of (const PdComsys *self, guint32 rank)
{
  return g_ptr_array_index (self->wilds, self->ranks[rank].wild - 1);
}

static gboolean
is_match (const PdReq *recv, const PdReq *send)
{
  return recv->context == send->context && (recv->peer == G_MAXUINT32 || recv->peer == send->rank)
         && (recv->tag == PD_ANY_TAG || recv->tag == send->tag);
}

/* The message @recv gets now: the earliest visible, then the lowest source,
 * never before an earlier one of the same source. -1: none yet. */
static gint
select_message (PdComsys *self, const PdWild *wild, const PdReq *recv)
{
  gint best = -1;

  for (guint i = 0; i < wild->arriving->len; i++)
    {
      const PdReq *send = pd_req (self, g_array_index (wild->arriving, guint32, i));
      gboolean overtakes = FALSE;

      if (!is_match (recv, send) || pd_time_is_pending (send->arrival)
          || send->arrival.ps > self->now.ps)
        continue;
      for (guint k = 0; k < i && !overtakes; k++)
        {
          const PdReq *earlier = pd_req (self, g_array_index (wild->arriving, guint32, k));
          overtakes = earlier->rank == send->rank && is_match (recv, earlier);
        }
      if (overtakes)
        continue;
      const PdReq *other
          = best < 0 ? NULL : pd_req (self, g_array_index (wild->arriving, guint32, best));
      if (other == NULL || send->arrival.ps < other->arrival.ps
          || (send->arrival.ps == other->arrival.ps && send->rank < other->rank))
        best = (gint) i;
    }
  return best;
}

/* Matches what can be matched now, receives in posting order. */
static void
pump (PdComsys *self, PdWild *wild)
{
  for (guint i = 0; i < wild->posted->len;)
    {
      guint32 recv = g_array_index (wild->posted, guint32, i);
      gint best = select_message (self, wild, pd_req (self, recv));
      if (best < 0)
        {
          i++;
          continue;
        }
      guint32 send = g_array_index (wild->arriving, guint32, best);
      g_array_remove_index (wild->posted, i);
      g_array_remove_index (wild->arriving, (guint) best);
      pd_p2p_match (self, send, recv);
    }
}

/* Moves what the exact queues hold for @rank into its lists, in order of
 * creation; the pool is searched once per rank that uses wildcards. */
static void
adopt (PdComsys *self, PdWild *wild, guint32 rank)
{
  for (guint32 i = 1; i < self->n_reqs; i++)
    {
      PdReq *req = pd_req (self, i);
      gboolean is_send = req->kind == PD_REQ_SEND && req->peer == rank;

      if (req->kind == PD_REQ_FREE || !req->queued
          || !(is_send || (req->kind == PD_REQ_RECV && req->rank == rank)))
        continue;
      pd_match_remove (self, i);
      g_array_append_val (is_send ? wild->arriving : wild->posted, i);
      if (is_send && req->arrival.ps > self->now.ps)
        pd_comsys_at (self, req->arrival, PD_EVENT_VISIBLE, rank, i);
    }
}

gboolean
pd_wild_applies (const PdComsys *self, guint32 target, gboolean is_wild_recv)
{
  return self->ranks[target].wild != 0 || is_wild_recv;
}

void
pd_wild_recv (PdComsys *self, guint32 recv)
{
  guint32 rank = pd_req (self, recv)->rank;

  if (self->ranks[rank].wild == 0)
    {
      PdWild *wild = g_new0 (PdWild, 1);
      wild->posted = g_array_new (FALSE, FALSE, sizeof (guint32));
      wild->arriving = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_ptr_array_add (self->wilds, wild);
      self->ranks[rank].wild = self->wilds->len;
      adopt (self, wild, rank);
    }
  g_array_append_val (wild_of (self, rank)->posted, recv);
  pump (self, wild_of (self, rank));
}

void
pd_wild_send (PdComsys *self, guint32 send)
{
  guint32 target = pd_req (self, send)->peer;

  g_array_append_val (wild_of (self, target)->arriving, send);
  if (!pd_time_is_pending (pd_req (self, send)->arrival)) /* to oneself */
    pd_wild_arrival_known (self, send);
}

void
pd_wild_visible (PdComsys *self, guint32 send)
{
  const PdReq *s = pd_req (self, send);

  if (!s->matched && s->kind == PD_REQ_SEND)
    pump (self, wild_of (self, s->peer));
}

void
pd_wild_arrival_known (PdComsys *self, guint32 send)
{
  const PdReq *s = pd_req (self, send);

  if (self->ranks[s->peer].wild != 0)
    pd_comsys_at (self, s->arrival, PD_EVENT_VISIBLE, s->peer, send);
}
