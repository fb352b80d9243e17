/* Surveys of parts of a trace of Dimemas become that of the whole.
 * SPDX-License-Identifier: MIT */
#include "traces/dim/pd-dim-survey-private.h"

void
pd_dim_survey_init_part (PdDimSurvey *self, const PdDimSurvey *whole)
{
  pd_dim_survey_init (self);
  self->n_tasks = whole->n_tasks;
  for (guint i = 0; i < whole->comms->len; i++)
    {
      PdDimComm comm = g_array_index (whole->comms, PdDimComm, i);
      if (comm.members != NULL)
        g_atomic_rc_box_acquire (comm.members);
      comm.calls = g_array_new (FALSE, TRUE, sizeof (PdDimCall));
      g_array_append_val (self->comms, comm);
    }
}

/* FALSE: the same call has another operation or root there. */
static gboolean
merge_calls (PdDimComm *self, const PdDimComm *other)
{
  for (guint i = 0; i < other->calls->len; i++)
    {
      const PdDimCall *from = &g_array_index (other->calls, PdDimCall, i);
      if (i == self->calls->len)
        g_array_append_val (self->calls, *from);
      PdDimCall *to = &g_array_index (self->calls, PdDimCall, i);
      if (to->op != from->op || (to->has_root && from->has_root && to->root != from->root))
        return FALSE;
      if (from->has_root)
        *to = *from;
    }
  return TRUE;
}

gboolean
pd_dim_survey_merge (PdDimSurvey *self, const PdDimSurvey *part)
{
  for (guint i = 0; i < self->comms->len; i++)
    if (!merge_calls (&g_array_index (self->comms, PdDimComm, i),
                      &g_array_index (part->comms, PdDimComm, i)))
      return FALSE;
  for (guint i = 0; i < part->types->len; i++)
    {
      const PdDimEventType *from = &g_array_index (part->types, PdDimEventType, i);
      PdDimEventType *to = pd_dim_survey_get_type (self, from->type);
      to->closes |= from->closes;
      to->is_broken |= from->is_broken;
    }
  return TRUE;
}

void
pd_dim_survey_share (PdDimSurvey *self, const PdDimSurvey *whole)
{
  for (guint i = 0; i < whole->comms->len; i++)
    {
      PdDimComm *comm = &g_array_index (self->comms, PdDimComm, i);
      g_array_unref (comm->calls);
      comm->calls = g_array_ref (g_array_index (whole->comms, PdDimComm, i).calls);
    }
  g_array_unref (self->types);
  g_hash_table_unref (self->type_index);
  self->types = g_array_ref (whole->types);
  self->type_index = g_hash_table_ref (whole->type_index);
  self->type = 0;
  pd_dim_survey_rewind (self);
}
