/* Receives with MPI_ANY_SOURCE or MPI_ANY_TAG: who gets which message of the lists of
 * pd-wildcard-lists.c, and when.
 * SPDX-License-Identifier: MIT */
#include "comsys/p2p/pd-wildcard.h"

#include "base/pd-time.h"
#include "comsys/p2p/pd-match.h"
#include "comsys/p2p/pd-message.h"
#include "comsys/p2p/pd-req-pool.h"
#include "comsys/p2p/pd-scheduler-internal.h"
#include "comsys/p2p/pd-wildcard-lists.h"
#include "comsys/p2p/pd-wildcard-table-private.h"
#include "comsys/state/pd-comsys-data.h"
#include "comsys/state/pd-lookup.h"
#include "comsys/state/pd-probe.h"

/* The receives with a chance try it, the oldest first. */
static void
take_chances (PdComsys *self)
{
  while (self->wildcards->chances->len > 0)
    {
      PdWildcardChance chance = pd_wildcard_chance_pop (self);
      const PdReq *r = pd_req (self, chance.recv);
      if (r->kind != PD_REQ_RECV || r->matched || pd_req_order (r) != chance.order)
        continue; /* had two, and took the other */
      guint32 send = pd_wildcard_find_message (self, chance.recv);
      if (send == 0)
        continue;
      pd_wildcard_unlist_receive (self, chance.recv);
      pd_wildcard_unlist_message (self, send);
      pd_message_match (self, send, chance.recv);
    }
}

/* Whether @rank is blocked in MPI_Probe for a message that is there now. */
static void
try_probe (PdComsys *self, guint32 rank)
{
  PdRank *r = &self->ranks[rank];
  guint32 probe = r->first;

  if (probe == 0 || !pd_req (self, probe)->probe)
    return;
  guint32 send = pd_wildcard_find_message (self, probe);
  if (send == 0)
    return;
  const PdReq *s = pd_req (self, send);
  PdStatus *status = pd_req (self, probe)->status;
  if (status != NULL)
    *status = (PdStatus){ (gint32) s->source_in_comm, s->tag, s->bytes };
  r->first = r->pending = 0;
  pd_req_drop (self, probe, PD_HELD_OWNER);
  PD_PROBE (self, probe_found, rank, send, r->overhead);
  pd_rank_return (self, rank, pd_time_add (self->now, r->overhead));
}

/* Matches what can be matched. A match may make other messages arrive at once,
 * which comes back here: one loop does it all. */
static void
pump (PdComsys *self)
{
  PdWildcard *wildcards = self->wildcards;

  if (wildcards->pumping)
    return;
  wildcards->pumping = TRUE;
  take_chances (self);
  for (guint i = 0; i < wildcards->targets->len; i++)
    {
      const guint32 *coming = &self->ranks[g_array_index (wildcards->targets, guint32, i)].coming;
      while (*coming != 0 && pd_req (self, *coming)->arrival.ps <= self->now.ps)
        pd_wildcard_become_visible (self, *coming);
      take_chances (self);
      try_probe (self, g_array_index (wildcards->targets, guint32, i));
    }
  g_array_set_size (wildcards->targets, 0);
  wildcards->pumping = FALSE;
}

static void
look_at (PdComsys *self, guint32 rank)
{
  g_array_append_val (self->wildcards->targets, rank);
  pump (self);
}

void
pd_wildcard_visible_event (PdComsys *self, guint32 rank, guint32 argument G_GNUC_UNUSED)
{
  look_at (self, rank);
}

/* ---- coming in */

static int
compare_order (gconstpointer a, gconstpointer b, gpointer data)
{
  const PdReq *x = pd_req (data, *(const guint32 *) a), *y = pd_req (data, *(const guint32 *) b);

  if (x->kind != y->kind)
    return x->kind == PD_REQ_SEND ? -1 : 1;
  return pd_req_order (x) < pd_req_order (y) ? -1 : 1;
}

/* Takes over what waits in pd-match.c, in order; once in the life of a system.
 * Messages that exact receives have got stay theirs, visible or not. */
static void
take_over (PdComsys *self)
{
  g_autoptr (GArray) waiting = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 1; i < self->n_reqs; i++)
    if (pd_req (self, i)->queued && !pd_req (self, i)->collective)
      g_array_append_val (waiting, i);
  g_array_sort_with_data (waiting, compare_order, self);
  for (guint i = 0; i < waiting->len; i++)
    pd_match_remove (self, g_array_index (waiting, guint32, i));
  for (guint i = 0; i < waiting->len; i++)
    {
      guint32 req = g_array_index (waiting, guint32, i);
      if (pd_req (self, req)->kind == PD_REQ_SEND)
        pd_wildcard_send (self, req);
      else
        pd_wildcard_list_receive (self, req); /* nothing matches it: both were in the same queue */
    }
}

static void
create (PdComsys *self)
{
  PdWildcard *wildcards = g_new0 (PdWildcard, 1);

  self->wildcards = wildcards;
  pd_wildcard_table_init (wildcards);
  wildcards->chances = g_array_new (FALSE, FALSE, sizeof (PdWildcardChance));
  wildcards->targets = g_array_new (FALSE, FALSE, sizeof (guint32));
  pd_wildcard_make_room (self);
  take_over (self);
}

void
pd_wildcard_recv (PdComsys *self, guint32 recv)
{
  if (self->wildcards == NULL)
    create (self);
  pd_wildcard_make_room (self);
  look_at (self, pd_req (self, recv)->rank);
  guint32 send = pd_wildcard_find_message (self, recv);
  if (send == 0)
    {
      pd_wildcard_list_receive (self, recv);
      return;
    }
  pd_wildcard_unlist_message (self, send);
  pd_message_match (self, send, recv);
  pump (self);
}

guint32
pd_wildcard_probe (PdComsys *self, guint32 probe)
{
  if (self->wildcards == NULL)
    create (self);
  pd_wildcard_make_room (self);
  look_at (self, pd_req (self, probe)->rank);
  return pd_wildcard_find_message (self, probe);
}

void
pd_wildcard_send (PdComsys *self, guint32 send)
{
  pd_wildcard_make_room (self);
  pd_wildcard_list_message (self, send);
  if (!pd_time_is_pending (pd_req (self, send)->arrival))
    pd_wildcard_arrival_known (self, send);
}
