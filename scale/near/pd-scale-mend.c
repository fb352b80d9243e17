/* SPDX-License-Identifier: MIT */
#include "scale/near/pd-scale-mend.h"

#include "traces/program/pd-action.h"

PdScaleMends *
pd_scale_mends_new (guint32 n_ranks)
{
  PdScaleMends *self = g_new0 (PdScaleMends, 1);

  self->n_ranks = n_ranks;
  self->ranks = g_new0 (GArray *, n_ranks);
  return self;
}

void
pd_scale_mends_free (PdScaleMends *self)
{
  if (self == NULL)
    return;
  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    g_clear_pointer (&self->ranks[rank], g_array_unref);
  g_free (self->ranks);
  g_free (self);
}

/* Where @call is, or belongs. */
static guint
find (const GArray *mends, guint64 call)
{
  guint low = 0, high = mends->len;

  if (high > 0 && g_array_index (mends, PdScaleMend, high - 1).call < call)
    return high;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (g_array_index (mends, PdScaleMend, middle).call < call)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

void
pd_scale_mends_add (PdScaleMends *self, guint32 rank, guint64 call, const PdAction *action,
                    gboolean is_left_out)
{
  const PdScaleMend mend = { .call = call,
                             .peer = action->peer,
                             .tag = action->tag,
                             .recv_peer = action->recv_peer,
                             .recv_tag = action->recv_tag,
                             .bytes = action->bytes,
                             .recv_bytes = action->recv_bytes,
                             .is_left_out = is_left_out };

  if (self->ranks[rank] == NULL)
    self->ranks[rank] = g_array_new (FALSE, FALSE, sizeof (PdScaleMend));
  GArray *mends = self->ranks[rank];
  guint i = find (mends, call);
  if (i < mends->len && g_array_index (mends, PdScaleMend, i).call == call)
    g_array_index (mends, PdScaleMend, i) = mend;
  else
    g_array_insert_val (mends, i, mend);
}

gboolean
pd_scale_program_is_buffered (const PdProgram *program)
{
  g_autoptr (PdScaleMends) none = pd_scale_mends_new (pd_program_get_n_ranks (program));

  pd_scale_mends_execute (none, program, FALSE, NULL);
  return none->n_lost > 0;
}

gboolean
pd_scale_mends_has (const PdScaleMends *self, guint32 rank)
{
  return self->ranks[rank] != NULL;
}

/* The request of a nonblocking operation stays, as that of a receive from MPI_PROC_NULL. */
static gboolean
leave_out (PdAction *action)
{
  const PdAction old = *action;

  if (old.kind != PD_ACT_ICOLLECTIVE)
    return FALSE;
  pd_action_init (action, PD_ACT_IRECV);
  action->peer = PD_PROGRAM_PROC_NULL;
  action->comm = old.comm;
  action->request = old.request;
  action->site = old.site;
  action->line = old.line;
  return TRUE;
}

gboolean
pd_scale_mends_apply (const PdScaleMends *self, guint32 rank, guint64 call, PdAction *action)
{
  const GArray *mends = self->ranks[rank];
  guint i = mends != NULL ? find (mends, call) : 0;

  if (mends == NULL || i == mends->len || g_array_index (mends, PdScaleMend, i).call != call)
    return TRUE;
  const PdScaleMend *mend = &g_array_index (mends, PdScaleMend, i);
  if (mend->is_left_out)
    return leave_out (action);
  action->peer = mend->peer;
  action->tag = mend->tag;
  action->recv_peer = mend->recv_peer;
  action->recv_tag = mend->recv_tag;
  action->bytes = mend->bytes;
  action->recv_bytes = mend->recv_bytes;
  action->matched_peer = action->matched_tag = PD_PROGRAM_ANY;
  return TRUE;
}
