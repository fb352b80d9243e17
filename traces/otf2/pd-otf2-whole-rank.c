/* OTF2 archives: all that is known of a rank, from the locations of its threads.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-rank-private.h"
#include "traces/otf2/pd-otf2-decode-private.h"
#include "traces/otf2/pd-otf2-events-private.h"
#include "traces/otf2/pd-otf2-location-private.h"
#include "traces/otf2/pd-otf2-lookahead-private.h"
#include "traces/otf2/pd-otf2-threads-private.h"
#include "traces/program/pd-program-builder.h"

static void
rank_clear (PdOtf2Rank *self)
{
  if (!self->is_further)
    {
      pd_otf2_ahead_free (self->ahead);
      pd_otf2_threads_free (self->threads);
    }
  g_array_unref (self->completed);
  g_array_unref (self->tested);
  g_array_unref (self->ended);
  pd_pending_clear (&self->pending);
  g_hash_table_unref (self->numbers);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PdOtf2Rank, rank_clear)

/* Clocks of nodes differ, but not by more than the whole recording took: such events are of
 * another run. */
static void
check_clock (const PdOtf2Rank *self)
{
  const PdOtf2Archive *archive = self->archive;
  gdouble ticks = (gdouble) archive->resolution;
  gdouble length = (gdouble) archive->clock_length / ticks;
  gdouble begin = ((gdouble) self->begin - (gdouble) archive->clock_begin) / ticks;
  gdouble end = begin + (gdouble) self->last / (gdouble) PD_PS_PER_S;
  PdPlace place = { archive->path, 0, NULL, -1, self->rank, TRUE };

  if (length == 0 || !self->started || (begin >= -length && end <= 2 * length))
    return;
  pd_messages_add (archive->messages, PD_SEVERITY_WARNING, "clock-mismatch", NULL, &place,
                   "its events are from %.6g s to %.6g s of a recording of %.6g s: are they of "
                   "another run?",
                   begin, end, length);
}

static void
rank_init (PdOtf2Rank *self)
{
  self->completed = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->tested = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->ended = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->numbers = g_hash_table_new (NULL, NULL);
  self->end = self->read_at = self->own_at = -1;
  self->rate = -1;
}

/* The calls of one further thread; @main: what the rank's first one is known of. */
static gboolean
read_thread (PdOtf2Rank *main, OTF2_LocationRef location, GError **error)
{
  g_auto (PdOtf2Rank) self = { .archive = main->archive,
                               .rank = main->rank,
                               .ahead = main->ahead,
                               .threads = main->threads,
                               .is_further = TRUE,
                               .started = TRUE,
                               .begin = main->begin };

  rank_init (&self);
  self.until = pd_otf2_to_ps (main->archive, main->begin, main->archive->until).ps;
  if (!pd_otf2_ahead_read (main->ahead, main->archive, location, error)
      || !pd_otf2_read_rank_events (&self, location, error))
    return FALSE;
  if (self.mpi != NULL)
    pd_otf2_rank_leave (&self, self.last); /* the trace ends in a call */
  return TRUE;
}

/* Whether the rank has more locations than its first one. */
static gboolean
has_threads (const PdOtf2Rank *self)
{
  for (guint i = 0; i < self->archive->threads->len; i++)
    if (g_array_index (self->archive->threads, PdOtf2Location, i).rank == self->rank)
      return TRUE;
  return FALSE;
}

static gboolean
look_ahead (PdOtf2Rank *self, OTF2_LocationRef location, GError **error)
{
  self->ahead = pd_otf2_ahead_new ();
  if (has_threads (self) || !pd_otf2_can_decode (self->archive, location))
    return pd_otf2_ahead_read (self->ahead, self->archive, location, error);
  pd_otf2_ahead_follow (self->ahead, self->archive, location);
  return TRUE;
}

/* Reads the further threads of the rank, if there are any that called MPI. */
static gboolean
read_threads (PdOtf2Rank *self, GError **error)
{
  PdOtf2Archive *archive = self->archive;

  for (guint i = 0; i < archive->threads->len; i++)
    {
      const PdOtf2Location *thread = &g_array_index (archive->threads, PdOtf2Location, i);
      if (thread->rank != self->rank)
        continue;
      if (self->threads == NULL
          && !pd_otf2_threads_begin (self, archive->world->members[self->rank], error))
        return FALSE;
      if (!read_thread (self, thread->ref, error))
        return FALSE;
    }
  if (self->threads != NULL)
    pd_otf2_threads_settle (self);
  return TRUE;
}

gboolean
pd_otf2_read_rank (PdOtf2Archive *archive, guint32 rank, GError **error)
{
  OTF2_LocationRef location = archive->world->members[rank];
  g_auto (PdOtf2Rank) self = { .archive = archive, .rank = rank };

  rank_init (&self);
  if (archive->reading_costs != NULL)
    self.cost = archive->reading_costs[rank];
  if (!look_ahead (&self, location, error) || !read_threads (&self, error)
      || !pd_otf2_read_rank_events (&self, location, error))
    return FALSE;
  check_clock (&self);
  if (self.end < 0 && !self.is_paused && !self.is_over)
    g_array_append_val (archive->unfinished, rank);
  if (self.mpi != NULL)
    pd_otf2_rank_leave (&self, self.last); /* the trace ends in a call */
  pd_otf2_threads_catch_up (&self, G_MAXINT64);
  pd_program_builder_set_recorded_end (
      archive->builder, rank, PD_TIME (self.end >= 0 ? self.end : self.last - self.skipped));
  pd_program_builder_set_recorded_init (archive->builder, rank, PD_TIME (self.in_init));
  pd_program_builder_set_recorded_finalize (archive->builder, rank, PD_TIME (self.in_finalize));
  PdTime begin =
      pd_time_add (pd_otf2_to_ps (archive, archive->origin, self.begin), PD_TIME (self.in_init));
  g_array_append_val (archive->begins, begin);
  g_array_append_val (archive->computed, self.computed);
  if (archive->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&archive->error));
      return FALSE;
    }
  return TRUE;
}
