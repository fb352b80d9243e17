/* Matching of collective operations: the n-th one of every member of a communicator; and the whole
 * of the matching.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-analysis-private.h"
#include "analyse/pd-matching-private.h"
#include "analyse/pd-replay-private.h"
#include "analyse/pd-waits-private.h"

void
pd_matching_drop_messages (PdMatching *self)
{
  g_clear_pointer (&self->channels, pd_channels_free);
}

void
pd_matching_free (PdMatching *self)
{
  if (self == NULL)
    return;
  pd_matching_drop_messages (self);
  for (guint32 i = 0; i < self->n_comms; i++)
    {
      pd_vector_clear (&self->met[i]);
      g_clear_pointer (&self->members[i], g_hash_table_unref);
    }
  g_free (self->met);
  g_free (self->members);
  g_array_unref (self->arrivals);
  pd_rma_free (self->rma);
  g_free (self);
}

/* ---- messages */

static inline void
count_message (PdMatching *self, gint64 bytes)
{
  self->n_messages++;
  self->n_bytes.ps += bytes;
}

static void
collect_messages (PdMatching *self, const PdReplay *replay)
{
  pd_channels_collect (self->channels, replay);
  for (guint i = 0; i < replay->started.n; i++)
    if (!pd_vector_at (&replay->started, PdStartedRequest, i).is_recv)
      count_message (self, pd_vector_at (&replay->started, PdStartedRequest, i).bytes);
}

/* Behind %PD_STEP_BEGUN, where requests do not matter. */
static void
collect_begun (PdMatching *self, PdReplay *replay)
{
  pd_channels_collect_begun (self->channels, replay);
  if (replay->action->kind == PD_ACT_IRECV)
    replay->n_recvs++;
  else
    {
      replay->n_sends++;
      count_message (self, replay->action->bytes);
    }
}

/* ---- collective operations */

const PdMet *
pd_matching_get_met (const PdMatching *self, PdMeeting meeting)
{
  return &pd_vector_at (&self->met[meeting.comm], PdMet, meeting.number);
}

guint32
pd_matching_get_member (PdMatching *self, const PdProgram *program, guint32 comm, guint32 rank)
{
  guint32 n;
  const guint32 *ranks = pd_program_get_comm (program, comm, &n);
  gpointer member;

  if (ranks == NULL)
    return rank < n ? rank : PD_ANALYSIS_NONE;
  if (self->members[comm] == NULL)
    {
      self->members[comm] = g_hash_table_new (NULL, NULL);
      for (guint32 i = 0; i < n; i++)
        g_hash_table_insert (self->members[comm], GUINT_TO_POINTER (ranks[i]),
                             GUINT_TO_POINTER (i));
    }
  if (!g_hash_table_lookup_extended (self->members[comm], GUINT_TO_POINTER (rank), NULL, &member))
    return PD_ANALYSIS_NONE;
  return GPOINTER_TO_UINT (member);
}

static gboolean
is_scan (PdCollKind op)
{
  return op == PD_COLL_SCAN || op == PD_COLL_EXSCAN;
}

/* Room for the arrivals of @n members. */
static guint
add_arrivals (PdMatching *self, guint32 n)
{
  guint first = self->arrivals->len;
  const PdArrival nobody = { -1, PD_ANALYSIS_NONE, PD_PROGRAM_NONE };

  for (guint32 i = 0; i < n; i++)
    g_array_append_val (self->arrivals, nobody);
  return first;
}

static void
begin_meeting (PdMatching *self, const PdReplay *replay, PdMet *met)
{
  const PdAction *a = replay->action;
  gboolean is_fence = a->kind == PD_ACT_WIN_FENCE;
  guint32 n;

  *met = (PdMet){ .op = is_fence ? PD_COLL_BARRIER : a->op,
                  .root = pd_replay_world_rank (replay->program, a->comm, is_fence ? 0 : a->peer),
                  .last = { -1, PD_ANALYSIS_NONE, PD_PROGRAM_NONE },
                  .rooted = { -1, PD_ANALYSIS_NONE, PD_PROGRAM_NONE } };
  if (!is_scan (met->op)
      && (met->op < PD_COLL_NEIGHBOR_ALLGATHER || met->op > PD_COLL_NEIGHBOR_ALLTOALLW))
    return;
  pd_program_get_comm (replay->program, a->comm, &n);
  met->arrivals = add_arrivals (self, n);
  met->has_arrivals = TRUE;
}

static void
meet (PdMatching *self, const PdReplay *replay)
{
  const PdArrival own = { replay->enter, replay->rank, replay->action->site };
  PdMeeting meeting = replay->meeting;
  PdVector *all = &self->met[meeting.comm];

  while (meeting.number >= all->n)
    pd_vector_append (all, PdMet) = (PdMet){ .n = 0 };
  PdMet *met = &pd_vector_at (all, PdMet, meeting.number);
  if (met->n == 0)
    begin_meeting (self, replay, met);
  met->n++;
  if (own.when > met->last.when)
    met->last = own;
  met->ends = MAX (met->ends, replay->leave);
  if (replay->rank == met->root)
    met->rooted = own;
  if (!met->has_arrivals)
    return;
  guint32 member = pd_matching_get_member (self, replay->program, meeting.comm, replay->rank);
  if (member != PD_ANALYSIS_NONE)
    g_array_index (self->arrivals, PdArrival, met->arrivals + member) = own;
}

/* Each member of a scan needs all before it: the last of them. */
static void
accumulate (PdMatching *self, const PdMet *met, guint32 n)
{
  PdArrival *arrivals = &g_array_index (self->arrivals, PdArrival, met->arrivals);

  for (guint32 i = 1; i < n; i++)
    if (arrivals[i - 1].when > arrivals[i].when)
      arrivals[i] = arrivals[i - 1];
}

static void
finish_meetings (PdMatching *self, const PdProgram *program)
{
  for (guint32 comm = 0; comm < self->n_comms; comm++)
    {
      guint32 n;
      pd_program_get_comm (program, comm, &n);
      for (gsize i = 0; i < self->met[comm].n; i++)
        {
          const PdMet *met = &pd_vector_at (&self->met[comm], PdMet, i);
          self->n_missing += n - MIN (n, met->n);
          if (is_scan (met->op) && met->has_arrivals)
            accumulate (self, met, n);
        }
    }
}

gboolean
pd_analysis_can_number (guint64 n, const char *things, GError **error)
{
  if (n < PD_ANALYSIS_NONE)
    return TRUE;
  g_set_error (error, PD_TRACE_ERROR, PD_TRACE_ERROR_LIMIT,
               "%" G_GUINT64_FORMAT " %s of all ranks, expected at most %u: record a shorter part "
               "of the run",
               n, things, PD_ANALYSIS_NONE - 1);
  return FALSE;
}

static gboolean
can_number (const PdReplay *replay, GError **error)
{
  return pd_analysis_can_number (replay->n_sends, "sends", error)
         && pd_analysis_can_number (replay->n_recvs, "receives", error)
         && pd_analysis_can_number (replay->n_met, "collective operations of a communicator",
                                    error);
}

static inline void
collect_action (PdMatching *self, PdReplay *replay)
{
  if (replay->started.n > 0 || replay->cancelled != PD_ANALYSIS_NONE)
    collect_messages (self, replay);
  if (pd_replay_is_collective (replay->action))
    meet (self, replay);
  else if (pd_rma_is_one_sided (replay->action->kind))
    pd_rma_collect (self->rma, replay);
}

/* @is_fast: requests do not matter */
static void
collect_rank (PdMatching *self, PdReplay *replay, guint32 rank, gboolean is_fast)
{
  pd_replay_begin_rank (replay, rank);
  for (;;)
    {
      PdReplayStep step = is_fast ? pd_replay_step (replay) : PD_STEP_NONE;
      if (step == PD_STEP_COMPUTED)
        continue;
      if (step == PD_STEP_BEGUN)
        {
          collect_begun (self, replay);
          continue;
        }
      if (step == PD_STEP_CALLED)
        pd_replay_act (replay);
      else if (!pd_replay_next (replay))
        break;
      collect_action (self, replay);
    }
  pd_channels_end_rank (self->channels, replay);
}

static PdMatching *
matching_new (const PdProgram *program)
{
  PdMatching *self = g_new0 (PdMatching, 1);

  self->n_comms = pd_program_get_n_comms (program);
  self->is_cut = pd_program_get_recorded_share (program) < 1;
  self->met = g_new0 (PdVector, self->n_comms);
  self->members = g_new0 (GHashTable *, self->n_comms);
  self->arrivals = g_array_new (FALSE, FALSE, sizeof (PdArrival));
  self->rma = pd_rma_new (program);
  self->channels = pd_channels_new (program, pd_program_has (program, PD_ACT_CANCEL)
                                                 || pd_waits_has_probes (program));
  return self;
}

PdMatching *
pd_matching_new (const PdProgram *program, const PdRetiming *retiming, PdProgress *progress,
                 GError **error)
{
  g_autoptr (PdMatching) self = matching_new (program);
  g_auto (PdReplay) replay = { 0 };

  pd_replay_init (&replay, program, retiming);
  replay.progress = progress;
  gboolean is_fast = pd_replay_ignore_requests (&replay);
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    {
      collect_rank (self, &replay, rank, is_fast);
      if (!can_number (&replay, error))
        return NULL;
    }
  self->n_unmatched = pd_channels_match (self->channels, self->is_cut);
  pd_rma_match (self->rma);
  finish_meetings (self, program);
  return g_steal_pointer (&self);
}
