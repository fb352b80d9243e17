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
  guint32 sent; /* the first one; %PD_ANALYSIS_NONE */
  guint32 last_sent;
  guint32 received;
  guint32 last_received;
} Line;

/* Those of all, and of those that come again soon, by their hashes. */
#define N_RECENT 256
typedef struct
{
  GHashTable *all;
  Line *recent[N_RECENT]; /* (nullable elements) */
} Lines;

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
pd_matching_free (PdMatching *self)
{
  if (self == NULL)
    return;
  pd_vector_clear (&self->sent);
  pd_vector_clear (&self->received);
  for (guint32 i = 0; i < self->n_comms; i++)
    {
      g_clear_pointer (&self->met[i], g_array_unref);
      g_clear_pointer (&self->members[i], g_hash_table_unref);
    }
  g_free (self->met);
  g_free (self->members);
  g_array_unref (self->arrivals);
  pd_rma_free (self->rma);
  g_free (self);
}

void
pd_matching_drop_messages (PdMatching *self)
{
  pd_vector_clear (&self->sent);
  pd_vector_clear (&self->received);
}

/* ---- messages */

static Line *
find_line (Lines *lines, const PdReplay *replay, const PdStartedRequest *started)
{
  guint32 other = pd_replay_world_rank (replay->program, started->comm, started->peer);
  Line key = { .comm = started->comm,
               .source = started->is_recv ? other : replay->rank,
               .target = started->is_recv ? replay->rank : other,
               .tag = started->tag,
               .sent = PD_ANALYSIS_NONE,
               .received = PD_ANALYSIS_NONE };

  if (other == PD_ANALYSIS_NONE || started->tag < 0)
    return NULL;
  Line **recent = &lines->recent[line_hash (&key) % N_RECENT];
  if (*recent != NULL && line_equal (*recent, &key))
    return *recent;
  Line *line = g_hash_table_lookup (lines->all, &key);
  if (line == NULL)
    {
      line = g_new (Line, 1);
      *line = key;
      g_hash_table_add (lines->all, line);
    }
  return *recent = line;
}

/* Receives that are cancelled do not count; none is at the head of a line then. */
static void
add_received (PdMatching *self, Line *line, const PdReplay *replay)
{
  guint32 record = (guint32) self->received.n;

  pd_vector_append (&self->received, PdReceived) = (PdReceived){ .posted = replay->enter,
                                                                 .rank = replay->rank,
                                                                 .send = PD_ANALYSIS_NONE,
                                                                 .next = PD_ANALYSIS_NONE,
                                                                 .site = replay->action->site };
  if (line == NULL)
    return;
  if (line->received == PD_ANALYSIS_NONE)
    line->received = record;
  else
    pd_vector_at (&self->received, PdReceived, line->last_received).next = record;
  line->last_received = record;
}

static void
add_sent (PdMatching *self, Line *line, const PdReplay *replay, gint64 bytes)
{
  guint32 record = (guint32) self->sent.n;

  pd_vector_append (&self->sent, PdSent) = (PdSent){ .enter = replay->enter,
                                                     .rank = replay->rank,
                                                     .recv = PD_ANALYSIS_NONE,
                                                     .next = PD_ANALYSIS_NONE,
                                                     .site = replay->action->site };
  self->n_messages++;
  self->n_bytes.ps += bytes;
  if (line == NULL)
    return;
  if (line->sent == PD_ANALYSIS_NONE)
    line->sent = record;
  else
    pd_vector_at (&self->sent, PdSent, line->last_sent).next = record;
  line->last_sent = record;
}

/* A cancelled receive has a partner that does not exist. */
#define CANCELLED (G_MAXUINT32 - 1)

static void
collect_messages (PdMatching *self, Lines *lines, const PdReplay *replay)
{
  for (guint i = 0; i < replay->started.n; i++)
    {
      const PdStartedRequest *started = &pd_vector_at (&replay->started, PdStartedRequest, i);
      Line *line = find_line (lines, replay, started);
      if (started->is_recv)
        add_received (self, line, replay);
      else
        add_sent (self, line, replay, started->bytes);
    }
  if (replay->cancelled != PD_ANALYSIS_NONE)
    pd_vector_at (&self->received, PdReceived, replay->cancelled).send = CANCELLED;
}

/* Which messages are missing cannot be seen: calls of several threads, or those in
 * a pause, need not be recorded. Of a run whose rest is missing, they are the last ones. */
static void
doubt (PdMatching *self, const Line *line)
{
  for (guint32 r = line->received; r != PD_ANALYSIS_NONE;)
    {
      PdReceived *received = &pd_vector_at (&self->received, PdReceived, r);
      received->is_uncertain = TRUE;
      r = received->next;
    }
}

static void
match_line (PdMatching *self, const Line *line)
{
  guint32 s = line->sent, r = line->received;

  while (s != PD_ANALYSIS_NONE && r != PD_ANALYSIS_NONE)
    {
      PdReceived *received = &pd_vector_at (&self->received, PdReceived, r);
      PdSent *sent = &pd_vector_at (&self->sent, PdSent, s);
      if (received->send != CANCELLED)
        {
          received->send = s;
          sent->recv = r;
          s = sent->next;
        }
      r = received->next;
    }
  while (r != PD_ANALYSIS_NONE && pd_vector_at (&self->received, PdReceived, r).send == CANCELLED)
    r = pd_vector_at (&self->received, PdReceived, r).next;
  if ((s != PD_ANALYSIS_NONE || r != PD_ANALYSIS_NONE) && !self->is_cut)
    doubt (self, line);
}

static void
count_unmatched (PdMatching *self)
{
  for (gsize i = 0; i < self->sent.n; i++)
    self->n_unmatched += pd_vector_at (&self->sent, PdSent, i).recv == PD_ANALYSIS_NONE;
  for (gsize i = 0; i < self->received.n; i++)
    {
      PdReceived *received = &pd_vector_at (&self->received, PdReceived, i);
      self->n_unmatched += received->send == PD_ANALYSIS_NONE;
      if (received->send == CANCELLED)
        received->send = PD_ANALYSIS_NONE;
    }
}

/* ---- collective operations */

const PdMet *
pd_matching_get_met (const PdMatching *self, PdMeeting meeting)
{
  return &g_array_index (self->met[meeting.comm], PdMet, meeting.number);
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
  GArray **all = &self->met[meeting.comm];

  if (*all == NULL)
    *all = g_array_new (FALSE, TRUE, sizeof (PdMet));
  if (meeting.number >= (*all)->len)
    g_array_set_size (*all, meeting.number + 1);
  PdMet *met = &g_array_index (*all, PdMet, meeting.number);
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
      for (guint i = 0; self->met[comm] != NULL && i < self->met[comm]->len; i++)
        {
          const PdMet *met = &g_array_index (self->met[comm], PdMet, i);
          self->n_missing += n - MIN (n, met->n);
          if (is_scan (met->op) && met->has_arrivals)
            accumulate (self, met, n);
        }
    }
}

PdMatching *
pd_matching_new (const PdProgram *program, const PdRetiming *retiming, PdProgress *progress)
{
  g_autoptr (GHashTable) all = g_hash_table_new_full (line_hash, line_equal, g_free, NULL);
  Lines lines = { .all = all };
  PdMatching *self = g_new0 (PdMatching, 1);
  g_auto (PdReplay) replay = { 0 };
  GHashTableIter iter;
  gpointer line;

  self->n_comms = pd_program_get_n_comms (program);
  self->is_cut = pd_program_get_recorded_share (program) < 1;
  self->met = g_new0 (GArray *, self->n_comms);
  self->members = g_new0 (GHashTable *, self->n_comms);
  self->arrivals = g_array_new (FALSE, FALSE, sizeof (PdArrival));
  self->rma = pd_rma_new (program);
  pd_replay_init (&replay, program, retiming);
  replay.progress = progress;
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    {
      pd_replay_begin_rank (&replay, rank);
      while (pd_replay_next (&replay))
        {
          collect_messages (self, &lines, &replay);
          if (pd_replay_is_collective (replay.action))
            meet (self, &replay);
          else if (pd_rma_is_one_sided (replay.action->kind))
            pd_rma_collect (self->rma, &replay);
        }
    }
  /* lines do not touch each other, so that their order does not matter */
  g_hash_table_iter_init (&iter, all);
  while (g_hash_table_iter_next (&iter, &line, NULL))
    match_line (self, line);
  pd_rma_match (self->rma);
  count_unmatched (self);
  finish_meetings (self, program);
  return self;
}
