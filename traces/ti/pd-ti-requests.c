/* Requests of time-independent traces: waits, and pending requests.
 * SPDX-License-Identifier: MIT */
#include "traces/ti/pd-ti-private.h"
#include "traces/program/pd-action.h"
#include "traces/ti/pd-ti-actions-private.h"
#include "traces/ti/pd-ti-fields-private.h"
#include "traces/ti/pd-ti-requests-private.h"

/* A request from a rank to itself is found by the other's key, too, as in
 * SMPI: both are (rank, rank, tag) there. */
guint64
pd_ti_key (guint32 rank, gint32 peer, gint32 tag, gboolean is_send)
{
  gboolean is_own = peer >= 0 && (guint32) peer == rank;
  guint32 side = is_own || is_send ? 0 : 1U << 30;

  return (guint64) ((guint32) (peer + 2) | side) << 32 | (guint32) tag;
}

guint64
pd_ti_collective_key (void)
{
  return G_MAXUINT64;
}

/* A Waitany completes one, whichever; when all have, none is pending. */
static void
settle (PdTiRank *own)
{
  if (own->n_any < own->pending.n)
    return;
  pd_pending_remove_all (&own->pending);
  own->n_any = 0;
}

gboolean
pd_ti_add_waitall (PdTi *self, GError **error)
{
  PdAction action;

  pd_action_init (&action, PD_ACT_WAITALL);
  pd_pending_remove_all (&self->own->pending);
  self->own->n_any = 0;
  return pd_ti_add (self, &action, error);
}

/* SRC DST TAG: the request that is waited for. The tracer writes a wildcard receive with the
 * source and tag it was posted with, a collective operation with its internal tag. */
static gboolean
take_request (PdTi *self, PdTiFields *fields, guint32 *slot, gboolean *found, GError **error)
{
  const PdPending *pending = &self->own->pending;
  gint32 source, target, tag;

  if (!pd_ti_take_peer (self, fields, "source", &source, error)
      || !pd_ti_take_peer (self, fields, "target", &target, error)
      || !pd_ti_take_tag (self, fields, &tag, error))
    return FALSE;
  gboolean is_send = source >= 0 && (guint32) source == self->rank;
  gint32 peer = is_send ? target : source;
  *found = pd_pending_find (pending, pd_ti_key (self->rank, peer, tag, is_send), slot)
           || pd_pending_find (pending, pd_ti_key (self->rank, PD_PROGRAM_ANY, tag, FALSE), slot)
           || (tag < 0 && pd_pending_find (pending, pd_ti_collective_key (), slot));
  if (!*found)
    pd_ti_warn (self, PD_SEVERITY_NOTE, "ti-no-request", NULL,
                "no such request is pending; it is taken for complete, as SMPI does");
  return TRUE;
}

gboolean
pd_ti_read_wait (PdTi *self, PdTiFields *fields, GError **error)
{
  PdAction action;
  gboolean found;

  pd_action_init (&action, self->action->kind);
  if (!take_request (self, fields, &action.request, &found, error))
    return FALSE;
  if (!found)
    return TRUE;
  if (action.kind == PD_ACT_WAIT)
    {
      pd_pending_remove (&self->own->pending, action.request);
      settle (self->own);
    }
  return pd_ti_add (self, &action, error);
}

gboolean
pd_ti_read_waitall (PdTi *self, PdTiFields *fields, GError **error)
{
  gint64 n;

  if (pd_ti_has_more (fields))
    {
      if (!pd_ti_take_int (self, fields, "count", &n, error))
        return FALSE;
      if (n != (gint64) self->own->pending.n - self->own->n_any)
        pd_ti_warn (self, PD_SEVERITY_NOTE, "ti-waitall-count", NULL,
                    "waits for all %u pending requests, though it names %" G_GINT64_FORMAT
                    ": the trace does not record which",
                    self->own->pending.n - self->own->n_any, n);
    }
  return self->own->pending.n == 0 || pd_ti_add_waitall (self, error);
}

/* waitAny [n], testall, testany, testsome: of which requests, is not recorded. */
gboolean
pd_ti_read_some (PdTi *self, PdTiFields *fields, GError **error)
{
  PdAction action;

  fields->p = fields->end;
  if (self->own->pending.n == 0)
    return TRUE;
  self->n_listed += self->own->pending.n;
  if (self->n_listed > PD_TI_MAX_LISTED)
    {
      g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT,
                   "%u requests are pending; such actions are of over %" G_GUINT64_FORMAT " in all",
                   self->own->pending.n, PD_TI_MAX_LISTED);
      return FALSE;
    }
  pd_action_init (&action, self->action->kind);
  pd_pending_list (&self->own->pending, self->slots);
  action.slots = (const guint32 *) (void *) self->slots->data;
  action.n_slots = self->slots->len;
  if (!pd_ti_add (self, &action, error))
    return FALSE;
  pd_ti_warn (self, PD_SEVERITY_NOTE, "ti-which-requests", self->action->name,
              "takes all pending requests: the trace does not record which");
  if (action.kind == PD_ACT_WAITANY)
    {
      self->own->n_any++;
      settle (self->own);
    }
  return TRUE;
}
