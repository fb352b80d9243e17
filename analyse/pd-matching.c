/* Who sent what whom received: messages between the same two ranks, of one
 * communicator and tag, are received in the order in which they are sent. Who met
 * whom: the n-th collective operation of every member of a communicator.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-analysis-private.h"
#include "analyse/pd-matching-private.h"
#include "analyse/pd-replay-private.h"
#include "analyse/pd-waits-rma-private.h"

/* The messages of two ranks, a communicator and a tag. */
typedef struct
{
  guint32 comm;
  guint32 source; /* ranks of the world */
  guint32 target;
  gint32 tag;
  struct
  {
    guint32 first; /* %PD_ANALYSIS_NONE */
    guint32 last;
    guint32 n;
  } halves[2]; /* sends; receives */
} Line;

static guint
line_hash (gconstpointer data)
{
  const Line *line = data;
  guint32 hash = line->comm;

  hash = hash * 0x9e3779b1u + line->source;
  hash = hash * 0x9e3779b1u + line->target;
  hash = hash * 0x9e3779b1u + (guint32) line->tag;
  return hash ^ hash >> 15;
}

static gboolean
line_equal (gconstpointer a, gconstpointer b)
{
  const Line *x = a, *y = b;

  return x->comm == y->comm && x->source == y->source && x->target == y->target && x->tag == y->tag;
}

void
pd_matching_drop_messages (PdMatching *self)
{
  for (guint i = 0; i < 2; i++)
    {
      pd_vector_clear (&self->halves[i].all);
      g_clear_pointer (&self->halves[i].first, g_free);
    }
  g_clear_pointer (&self->uncertain, g_free);
  pd_hash_map_clear (&self->cancelled);
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

guint32
pd_matching_get_rank (const PdMatching *self, gboolean is_recv, guint32 number)
{
  const guint32 *first = self->halves[is_recv].first;
  guint32 low = 0, high = self->n_ranks;

  while (high - low > 1)
    {
      guint32 middle = low + (high - low) / 2;
      if (first[middle] <= number)
        low = middle;
      else
        high = middle;
    }
  return low;
}

gboolean
pd_matching_is_uncertain (const PdMatching *self, guint32 received)
{
  return self->uncertain != NULL && (self->uncertain[received / 8] >> received % 8 & 1) != 0;
}

static Line *
look_up_line (GHashTable *lines, const PdReplay *replay, const PdStartedRequest *started)
{
  guint32 other = pd_replay_world_rank (replay->program, started->comm, started->peer);
  Line key = { .comm = started->comm,
               .source = started->is_recv ? other : replay->rank,
               .target = started->is_recv ? replay->rank : other,
               .tag = started->tag,
               .halves = { { PD_ANALYSIS_NONE, 0, 0 }, { PD_ANALYSIS_NONE, 0, 0 } } };

  if (other == PD_ANALYSIS_NONE || started->tag < 0)
    return NULL;
  Line *line = g_hash_table_lookup (lines, &key);
  if (line == NULL)
    {
      line = g_new (Line, 1);
      *line = key;
      g_hash_table_add (lines, line);
    }
  return line;
}

/* Calls of one shape send to the same line, and receive from the same: notes of the shape. What
 * persistent requests start, their own call has said. */
static Line *
find_line (GHashTable *lines, const PdReplay *replay, const PdStartedRequest *started)
{
  guint64 *note = &replay->reader.shape->notes[started->is_recv];

  if (replay->action->kind == PD_ACT_START)
    return look_up_line (lines, replay, started);
  if (G_UNLIKELY (*note == 0))
    *note = (guint64) (gsize) look_up_line (lines, replay, started);
  return (Line *) (gsize) *note;
}

static void
add_half (PdMatching *self, Line *line, gboolean is_recv, const PdReplay *replay)
{
  PdVector *all = &self->halves[is_recv].all;
  guint32 number = (guint32) all->n;

  pd_vector_append (all, PdHalf) =
      (PdHalf){ replay->enter, PD_ANALYSIS_NONE, replay->action->site };
  if (line == NULL)
    return;
  if (line->halves[is_recv].n++ == 0)
    line->halves[is_recv].first = number;
  else
    pd_vector_at (all, PdHalf, line->halves[is_recv].last).partner = number;
  line->halves[is_recv].last = number;
}

static void
collect_messages (PdMatching *self, GHashTable *lines, const PdReplay *replay)
{
  for (guint i = 0; i < replay->started.n; i++)
    {
      const PdStartedRequest *started = &pd_vector_at (&replay->started, PdStartedRequest, i);
      add_half (self, find_line (lines, replay, started), started->is_recv, replay);
      if (started->is_recv)
        continue;
      self->n_messages++;
      self->n_bytes.ps += started->bytes;
    }
  if (replay->cancelled != PD_ANALYSIS_NONE)
    pd_hash_map_get (&self->cancelled, replay->cancelled, 1, 0);
}

/* Receives that are cancelled do not count. */
static gboolean
is_cancelled (const PdMatching *self, guint32 received)
{
  return self->cancelled.n > 0 && pd_hash_map_find (&self->cancelled, received, 1) != NULL;
}

/* Which messages are missing cannot be seen: calls of several threads, or those in
 * a pause, need not be recorded. Of a run whose rest is missing, they are the last ones. */
static void
doubt (PdMatching *self, const Line *line)
{
  if (self->uncertain == NULL)
    self->uncertain = g_new0 (guint8, self->halves[TRUE].all.n / 8 + 1);
  for (guint32 r = line->halves[TRUE].first; r != PD_ANALYSIS_NONE;
       r = pd_matching_get_half (self, TRUE, r)->partner)
    self->uncertain[r / 8] |= (guint8) (1 << r % 8);
}

static guint32
count_cancelled (const PdMatching *self, const Line *line)
{
  guint32 n = 0;

  for (guint32 r = line->halves[TRUE].first; self->cancelled.n > 0 && r != PD_ANALYSIS_NONE;
       r = pd_matching_get_half (self, TRUE, r)->partner)
    n += is_cancelled (self, r) ? 1 : 0;
  return n;
}

/* Goes to the next half, and sets the partner of this one. */
static void
step (PdMatching *self, gboolean is_recv, guint32 *number, guint32 partner)
{
  PdHalf *half = pd_matching_get_half (self, is_recv, *number);

  *number = half->partner;
  half->partner = partner;
}

static void
match_line (PdMatching *self, const Line *line)
{
  guint32 s = line->halves[FALSE].first, r = line->halves[TRUE].first;

  if (line->halves[FALSE].n != line->halves[TRUE].n - count_cancelled (self, line) && !self->is_cut)
    doubt (self, line);
  while (s != PD_ANALYSIS_NONE || r != PD_ANALYSIS_NONE)
    {
      guint32 sent = s, received = r;
      if (r != PD_ANALYSIS_NONE && is_cancelled (self, r))
        step (self, TRUE, &r, PD_ANALYSIS_NONE);
      else
        {
          if (s != PD_ANALYSIS_NONE)
            step (self, FALSE, &s, received);
          if (r != PD_ANALYSIS_NONE)
            step (self, TRUE, &r, sent);
        }
    }
}

static void
count_unmatched (PdMatching *self)
{
  for (gboolean i = FALSE; i <= TRUE; i++)
    for (gsize k = 0; k < self->halves[i].all.n; k++)
      self->n_unmatched += pd_matching_get_half (self, i, (guint32) k)->partner == PD_ANALYSIS_NONE;
  self->n_unmatched -= self->cancelled.n;
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

/* The halves of @rank begin here. FALSE, and an error, if those before it are too many. */
static gboolean
begin_halves (PdMatching *self, guint32 rank, GError **error)
{
  static const char *const names[] = { "sends", "receives" };

  for (guint i = 0; i < 2; i++)
    {
      if (!pd_analysis_can_number (self->halves[i].all.n, names[i], error))
        return FALSE;
      self->halves[i].first[rank] = (guint32) self->halves[i].all.n;
    }
  return TRUE;
}

static void
collect_rank (PdMatching *self, GHashTable *lines, PdReplay *replay, guint32 rank)
{
  pd_replay_begin_rank (replay, rank);
  while (pd_replay_next_compute (replay) || pd_replay_next (replay))
    {
      if (replay->action->kind == PD_ACT_COMPUTE)
        continue;
      collect_messages (self, lines, replay);
      if (pd_replay_is_collective (replay->action))
        meet (self, replay);
      else if (pd_rma_is_one_sided (replay->action->kind))
        pd_rma_collect (self->rma, replay);
    }
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
  self->n_ranks = pd_program_get_n_ranks (program);
  for (guint i = 0; i < 2; i++)
    self->halves[i].first = g_new0 (guint32, self->n_ranks + 1);
  return self;
}

PdMatching *
pd_matching_new (const PdProgram *program, const PdRetiming *retiming, PdProgress *progress,
                 GError **error)
{
  g_autoptr (GHashTable) lines = g_hash_table_new_full (line_hash, line_equal, g_free, NULL);
  g_autoptr (PdMatching) self = matching_new (program);
  g_auto (PdReplay) replay = { 0 };
  GHashTableIter iter;
  gpointer line;

  pd_replay_init (&replay, program, retiming);
  replay.progress = progress;
  for (guint32 rank = 0; rank < self->n_ranks; rank++)
    {
      collect_rank (self, lines, &replay, rank);
      if (!begin_halves (self, rank + 1, error))
        return NULL;
    }
  /* lines do not touch each other, so that their order does not matter */
  g_hash_table_iter_init (&iter, lines);
  while (g_hash_table_iter_next (&iter, &line, NULL))
    match_line (self, line);
  pd_rma_match (self->rma);
  count_unmatched (self);
  finish_meetings (self, program);
  return g_steal_pointer (&self);
}
