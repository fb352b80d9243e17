/* OTF2 archives: a rank on its way through its events. Between MPI calls it computes.
 * The records inside the region of a call describe an action, which is added when the
 * region ends, or when the next record begins another action.
 * SPDX-License-Identifier: MIT */
#include "traces/otf2/pd-otf2-rank-private.h"
#include "traces/otf2/pd-otf2-calls-private.h"
#include "traces/otf2/pd-otf2-threads-private.h"
#include "traces/program/pd-action.h"
#include "traces/program/pd-program-builder.h"

/* Levels of MPI_Pcontrol that open and close an interval. */
#define PCONTROL_OPENS  100
#define PCONTROL_CLOSES 101

/* Likewise a stretch that several ranks compute alike. */
#define PCONTROL_ALIKE_BEGINS 200
#define PCONTROL_ALIKE_ENDS   201

PdPlace
pd_otf2_rank_place (const PdOtf2Rank *self)
{
  return (PdPlace){ self->archive->path, 0,   self->mpi != NULL ? self->mpi->name : NULL, -1,
                    self->rank,          TRUE };
}

#define MOST 4e18 /* ps of processor time; only damaged archives have more */

/* ---- time */

PdTime
pd_otf2_ticks_to_ps (const PdOtf2Archive *archive, guint64 ticks)
{
  __extension__ typedef unsigned __int128 Wide;
  Wide ps = (Wide) ticks * G_GUINT64_CONSTANT (1000000000000) / archive->resolution;

  return PD_TIME (ps > G_MAXINT64 ? G_MAXINT64 : (gint64) ps);
}

void
pd_otf2_rank_start (PdOtf2Rank *self, guint64 ticks)
{
  self->started = TRUE;
  self->begin = ticks;
  self->until = pd_otf2_to_ps (self->archive, ticks, self->archive->until).ps;
}

static inline gboolean
goes_into_program (const PdOtf2Rank *self)
{
  return self->archive->error == NULL && !self->is_over && !self->is_further;
}

/* Returns: @is_added; if not, the error says which action it is. */
static inline gboolean
note_added (PdOtf2Rank *self, gboolean is_added)
{
  PdOtf2Archive *archive = self->archive;

  if (G_UNLIKELY (!is_added))
    g_prefix_error (&archive->error, "%s: rank %u, action %" G_GUINT64_FORMAT ": ", archive->path,
                    self->rank, pd_program_builder_get_n_actions (archive->builder, self->rank));
  return is_added;
}

gboolean
pd_otf2_rank_add (PdOtf2Rank *self, const PdAction *action)
{
  PdOtf2Archive *archive = self->archive;

  if (G_LIKELY (goes_into_program (self)))
    return note_added (
        self, pd_program_builder_add (archive->builder, self->rank, action, &archive->error));
  if (archive->error == NULL && !self->is_over)
    pd_otf2_threads_add (self->threads, action);
  return archive->error == NULL;
}

/* A pause of the recording is no part of the run; its events are not known. */
static void
pause_until (PdOtf2Rank *self, gint64 now)
{
  PdAction action;

  self->skipped += now - self->last;
  if (!self->archive->recorded)
    return;
  pd_action_init (&action, PD_ACT_DELAY);
  action.recorded = now - self->last;
  pd_otf2_rank_add (self, &action);
}

/* How much of a part of the stretch between the last two readings the rank had a processor, ps. */
static gint64
computed_in (const PdOtf2Rank *self, gint64 time)
{
  __extension__ typedef __int128 Wide;

  if (self->passed <= 0 || time >= self->passed)
    return self->passed > 0 ? self->used : time;
  return (gint64) ((Wide) time * self->used / self->passed);
}

/* Time between calls in which the rank had no processor is no computation. */
static void
add_lost (PdOtf2Rank *self, gint64 time)
{
  PdOtf2Archive *archive = self->archive;
  PdAction action;

  if (time <= 0 || !archive->recorded)
    return;
  pd_action_init (&action, PD_ACT_LOCAL);
  action.name = pd_program_builder_add_string (archive->builder, PD_PROGRAM_LOST);
  action.recorded = time;
  pd_otf2_rank_add (self, &action);
}

/* The time since the last event was computation, or a pause: calls that complete
 * what began before it are recorded in a pause, too. */
void
pd_otf2_rank_compute (PdOtf2Rank *self, gint64 now)
{
  if (now <= self->last)
    return;
  if (self->is_further)
    {
      self->last = now;
      return;
    }
  if (self->is_paused)
    {
      pause_until (self, now);
      self->last = now;
      return;
    }
  PdTime amount = PD_TIME (computed_in (self, now - self->last));
  gint64 processor = -1;
  pd_time_sum_add (&self->computed, amount);
  if (self->rate >= 0 && self->archive->recorded)
    processor = (gint64) MIN (self->rate * (gdouble) (now - self->last) + 0.5, MOST);
  if (goes_into_program (self))
    note_added (self, pd_program_builder_add_compute (self->archive->builder, self->rank, amount,
                                                      processor, &self->archive->error));
  add_lost (self, now - self->last - amount.ps);
  self->last = now;
}

void
pd_otf2_rank_lose (PdOtf2Rank *self, gint64 now)
{
  if (self->is_further || self->is_paused)
    pd_otf2_rank_compute (self, now);
  add_lost (self, now - self->last);
  self->last = MAX (self->last, now);
}

/* ---- requests */

guint32
pd_otf2_rank_new_slot (PdOtf2Rank *self, guint64 request)
{
  if (self->is_further)
    return pd_otf2_threads_add_request (self->threads, request);
  return pd_pending_add (&self->pending, request);
}

/* The slot of @request, noted in @list; @ends: it is free from now on. */
void
pd_otf2_rank_note (PdOtf2Rank *self, guint64 request, GArray *list, gboolean ends)
{
  guint32 slot;

  if (self->is_further)
    {
      slot = pd_otf2_threads_add_request (self->threads, request);
      g_array_append_val (list, slot);
      return;
    }
  if (!pd_pending_find (&self->pending, request, &slot))
    return;
  g_array_append_val (list, slot);
  if (ends && self->threads != NULL)
    g_array_append_val (self->ended, slot);
  else if (ends)
    pd_pending_remove (&self->pending, slot);
}

/* Frees the slots of requests that the call completed. Only at its end, because other threads may
 * have begun requests during the call, which cannot have got these slots. */
static void
free_slots (PdOtf2Rank *self)
{
  if (self->ended->len == 0)
    return;
  for (guint i = 0; i < self->ended->len; i++)
    pd_pending_remove (&self->pending, g_array_index (self->ended, guint32, i));
  g_array_set_size (self->ended, 0);
}

/* ---- actions of calls */

/* The name of the function in the program. */
static guint32
name_region (PdOtf2Rank *self)
{
  PdOtf2Region *region = (PdOtf2Region *) self->mpi;

  if (region->name_index == PD_PROGRAM_NONE)
    region->name_index = pd_program_builder_add_string (self->archive->builder, region->name);
  return region->name_index;
}

/* Likewise, if it is not that of the action; %PD_PROGRAM_NONE. */
static guint32
find_called (PdOtf2Rank *self, const PdAction *action)
{
  PdOtf2Region *region = (PdOtf2Region *) self->mpi;
  guint32 what = 1 + ((guint32) action->kind << 8 | (guint32) action->op);

  if (region == NULL || !self->archive->recorded)
    return PD_PROGRAM_NONE;
  if (region->last_action != what)
    {
      region->last_action = what;
      region->called = g_str_equal (region->name, pd_action_name (action)) ? PD_PROGRAM_NONE
                                                                           : name_region (self);
    }
  return region->called;
}

static inline void
set_file (const PdOtf2Rank *self, PdAction *action)
{
  if (G_LIKELY (self->work.file == PD_PROGRAM_NONE))
    return;
  action->file = self->work.file;
  action->file_op = self->work.op;
  action->file_collective = self->work.is_collective;
  action->file_bytes = self->work.bytes;
}

/* An action of the call: who called, and what, where another function does the same. */
static void
add_action (PdOtf2Rank *self, PdAction *action)
{
  action->site = self->site;
  action->called = find_called (self, action);
  set_file (self, action);
  pd_otf2_rank_add (self, action);
}

PdCollKind
pd_otf2_rank_coll (const PdOtf2Rank *self, OTF2_CollectiveOp op)
{
  if (self->mpi != NULL && self->mpi->call->what == PD_OTF2_COLL)
    return self->mpi->call->op;
  return pd_otf2_coll_of_op (op);
}

/* Adds the action of the call so far, if there is one. */
static void
flush_action (PdOtf2Rank *self)
{
  if (self->has_action)
    add_action (self, &self->action);
  self->has_action = FALSE;
}

void
pd_otf2_rank_begin (PdOtf2Rank *self, PdActionKind kind)
{
  flush_action (self);
  pd_action_init (&self->action, kind);
  self->has_action = TRUE;
}

/* Waits for one request, or for several; of tests that failed none is known to
 * have completed. */
static gboolean
add_wait (PdOtf2Rank *self, PdActionKind kind)
{
  gboolean is_test = kind >= PD_ACT_TEST && kind <= PD_ACT_TESTSOME;
  const GArray *slots = self->completed->len > 0 ? self->completed : self->tested;
  gboolean done = self->completed->len > 0;
  g_autofree guint32 *places = NULL;
  PdAction action;

  if (slots->len == 0 || (!done && !is_test))
    return FALSE;
  pd_action_init (&action, kind);
  if (!is_test && slots->len == 1)
    action.kind = PD_ACT_WAIT;
  else if (!is_test)
    action.kind = PD_ACT_WAITALL;
  else if (slots->len == 1)
    action.kind = PD_ACT_TEST;
  if (is_test && done)
    places = g_new (guint32, slots->len);
  for (guint32 i = 0; places != NULL && i < slots->len; i++)
    places[i] = i;
  if (action.kind == PD_ACT_WAIT || action.kind == PD_ACT_TEST)
    action.request = g_array_index (slots, guint32, 0);
  else
    {
      action.slots = (const guint32 *) (const void *) slots->data;
      action.n_slots = slots->len;
    }
  action.has_done = is_test;
  action.n_done = places != NULL ? slots->len : 0;
  action.done = places;
  action.recorded = self->action.recorded;
  add_action (self, &action);
  return TRUE;
}

/* Nothing in the archive says what the call did, or nothing need be said: of
 * kind OTHER or LOCAL it takes @amount. */
static void
add_call (PdOtf2Rank *self, PdActionKind kind, gint64 amount, gint64 took)
{
  PdAction action;

  pd_action_init (&action, kind);
  action.name = name_region (self);
  action.amount.time.ps = amount;
  action.recorded = self->archive->recorded && took != amount ? took : -1;
  action.site = self->site;
  set_file (self, &action);
  pd_otf2_rank_add (self, &action);
}

/* The interval of the programmer's number: it is where any rank first began it, the lowest rank
 * first. */
static guint32
find_marked (PdOtf2Rank *self)
{
  PdOtf2Archive *archive = self->archive;
  gpointer key = (gpointer) (gsize) self->id;
  guint known = GPOINTER_TO_UINT (g_hash_table_lookup (archive->marked, key));
  PdProgramInterval interval = { "", "", 0, self->id };

  if (known > 0)
    return known - 1;
  if (self->at != NULL && self->at->line > 0 && self->level == PCONTROL_OPENS)
    {
      interval.file = self->at->file;
      interval.line = self->at->line;
    }
  guint32 index = pd_program_builder_add_interval (archive->builder, &interval);
  g_hash_table_insert (archive->marked, key, GUINT_TO_POINTER (index + 1));
  return index;
}

/* Intervals by the programmer's number, and stretches. */
static void
add_control (PdOtf2Rank *self)
{
  static const struct
  {
    gint64 level;
    PdActionKind kind;
  } rows[] = {
    { PCONTROL_OPENS, PD_ACT_ENTER },
    { PCONTROL_CLOSES, PD_ACT_LEAVE },
    { PCONTROL_ALIKE_BEGINS, PD_ACT_ALIKE_BEGIN },
    { PCONTROL_ALIKE_ENDS, PD_ACT_ALIKE_END },
  };
  PdAction action;

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      if (rows[i].level != self->level)
        continue;
      pd_action_init (&action, rows[i].kind);
      if (i < 2)
        action.interval = find_marked (self);
      else
        action.tag = (gint32) CLAMP (self->id, 0, G_MAXINT32);
      pd_otf2_rank_add (self, &action);
    }
}

/* A fence of a window has no record of its own in some archives. */
static void
end_call (PdOtf2Rank *self, gint64 took)
{
  const PdOtf2Call *call = self->mpi->call;
  gboolean has_records =
      call->what == PD_OTF2_WIN || call->what == PD_OTF2_COLL || call->what == PD_OTF2_OTHER;
  gboolean known = self->has_action;

  if (self->archive->recorded)
    self->action.recorded = took;
  flush_action (self);
  if (call->what == PD_OTF2_WAIT)
    known |= add_wait (self, call->kind);
  if (!known && has_records)
    add_call (self, PD_ACT_OTHER, took, took);
  else if (!known && self->archive->recorded && took > 0 && call->what != PD_OTF2_START
           && call->what != PD_OTF2_END)
    add_call (self, PD_ACT_LOCAL, 0, took); /* its time was spent, whatever it did */
  if (call->what == PD_OTF2_CONTROL)
    add_control (self);
}

/* ---- regions */

gboolean
pd_otf2_rank_goes_on (PdOtf2Rank *self, gint64 now)
{
  if (self->mpi == NULL && now > self->until && !self->is_over)
    {
      pd_otf2_threads_catch_up (self, self->until);
      pd_otf2_rank_compute (self, self->until);
      self->is_over = TRUE;
    }
  return !self->is_over;
}

void
pd_otf2_rank_enter (PdOtf2Rank *self, const PdOtf2Region *region, gint64 now)
{
  pd_otf2_threads_catch_up (self, now);
  pd_otf2_rank_compute (self, now);
  self->rate = -1;
  self->passed = 0;
  self->mpi = region;
  self->inside = 1;
  self->has_action = FALSE;
  self->action.recorded = -1;
  self->work = (PdOtf2FileWork){ .file = PD_PROGRAM_NONE };
  self->level = 0;
  if (self->completed->len > 0)
    g_array_set_size (self->completed, 0);
  if (self->tested->len > 0)
    g_array_set_size (self->tested, 0);
  self->archive->has_init |= region->call->what == PD_OTF2_START;
  if (region->call->what == PD_OTF2_END)
    self->end = now - self->skipped;
}

void
pd_otf2_rank_leave (PdOtf2Rank *self, gint64 now)
{
  PdOtf2What what = self->mpi->call->what;

  now = MIN (now, self->until);
  gint64 took = MAX (now - self->last, 0);
  pd_otf2_threads_begin_during (self, now);
  if (what == PD_OTF2_LOCAL && !self->archive->recorded)
    pd_otf2_rank_compute (self, now);
  else if (what == PD_OTF2_LOCAL)
    add_call (self, PD_ACT_LOCAL, computed_in (self, took), took);
  else
    end_call (self, took);
  if (what == PD_OTF2_START || what == PD_OTF2_END)
    self->skipped += took;
  if (what == PD_OTF2_START)
    self->in_init = self->skipped;
  if (what == PD_OTF2_END)
    self->in_finalize = took;
  if (self->is_further)
    pd_otf2_threads_add_call (self->threads, self->last, now, what == PD_OTF2_SKIP);
  self->last = MAX (now, self->last);
  self->mpi = NULL;
  self->passed = 0;
  free_slots (self);
  pd_otf2_threads_catch_up (self, now);
}

void
pd_otf2_rank_switch (PdOtf2Rank *self, gboolean on, gint64 now)
{
  if (self->mpi == NULL)
    {
      pd_otf2_threads_catch_up (self, now);
      pd_otf2_rank_compute (self, now);
    }
  self->is_paused = !on;
  self->read_at = self->own_at = -1;
  self->passed = 0;
}

void
pd_otf2_rank_mark (PdOtf2Rank *self, PdOtf2Region *region, PdActionKind kind, gint64 now)
{
  PdProgramInterval interval = { region->name, region->file, region->line, -1 };
  PdAction action;

  if (self->is_further)
    return;
  pd_otf2_threads_catch_up (self, now);
  pd_otf2_rank_compute (self, now);
  if (region->interval == PD_PROGRAM_NONE)
    region->interval = pd_program_builder_add_interval (self->archive->builder, &interval);
  pd_action_init (&action, kind);
  action.interval = region->interval;
  pd_otf2_rank_add (self, &action);
}
