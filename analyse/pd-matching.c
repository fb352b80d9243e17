/* Who sent what whom received: messages between the same two ranks, of one
 * communicator and tag, are received in the order in which they are sent. Who met
 * whom: the n-th collective operation of every member of a communicator.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-analysis-private.h"
#include "analyse/pd-matching-private.h"
#include "analyse/pd-replay-private.h"

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
  g_array_unref (self->sent);
  g_array_unref (self->received);
  for (guint32 i = 0; i < self->n_comms; i++)
    g_clear_pointer (&self->met[i], g_array_unref);
  g_free (self->met);
  g_free (self);
}

/* ---- messages */

static Line *
find_line (GHashTable *lines, const PdReplay *replay, const PdStartedRequest *started)
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
  Line *line = g_hash_table_lookup (lines, &key);
  if (line != NULL)
    return line;
  line = g_new (Line, 1);
  *line = key;
  g_hash_table_add (lines, line);
  return line;
}

/* Receives that are cancelled do not count; none is at the head of a line then. */
static void
add_received (PdMatching *self, Line *line, const PdReplay *replay)
{
  guint32 record = self->received->len;
  PdReceived received = { replay->enter, replay->rank, PD_ANALYSIS_NONE, PD_ANALYSIS_NONE, FALSE };

  g_array_append_val (self->received, received);
  if (line == NULL)
    return;
  if (line->received == PD_ANALYSIS_NONE)
    line->received = record;
  else
    g_array_index (self->received, PdReceived, line->last_received).next = record;
  line->last_received = record;
}

static void
add_sent (PdMatching *self, Line *line, const PdReplay *replay, gint64 bytes)
{
  guint32 record = self->sent->len;
  PdSent sent = { replay->enter, replay->leave, replay->rank, PD_ANALYSIS_NONE, PD_ANALYSIS_NONE };

  g_array_append_val (self->sent, sent);
  self->n_messages++;
  self->n_bytes.ps += bytes;
  if (line == NULL)
    return;
  if (line->sent == PD_ANALYSIS_NONE)
    line->sent = record;
  else
    g_array_index (self->sent, PdSent, line->last_sent).next = record;
  line->last_sent = record;
}

/* A cancelled receive has a partner that does not exist. */
#define CANCELLED (G_MAXUINT32 - 1)

static void
collect_messages (PdMatching *self, GHashTable *lines, const PdReplay *replay)
{
  for (guint i = 0; i < replay->started->len; i++)
    {
      const PdStartedRequest *started = &g_array_index (replay->started, PdStartedRequest, i);
      Line *line = find_line (lines, replay, started);
      if (started->is_recv)
        add_received (self, line, replay);
      else
        add_sent (self, line, replay, started->bytes);
    }
  if (replay->cancelled != PD_ANALYSIS_NONE)
    g_array_index (self->received, PdReceived, replay->cancelled).send = CANCELLED;
}

/* Which messages are missing cannot be seen: calls of several threads, or those in
 * a pause, need not be recorded. */
static void
doubt (PdMatching *self, const Line *line)
{
  for (guint32 r = line->received; r != PD_ANALYSIS_NONE;)
    {
      PdReceived *received = &g_array_index (self->received, PdReceived, r);
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
      PdReceived *received = &g_array_index (self->received, PdReceived, r);
      PdSent *sent = &g_array_index (self->sent, PdSent, s);
      if (received->send != CANCELLED)
        {
          received->send = s;
          sent->recv = r;
          s = sent->next;
        }
      r = received->next;
    }
  while (r != PD_ANALYSIS_NONE && g_array_index (self->received, PdReceived, r).send == CANCELLED)
    r = g_array_index (self->received, PdReceived, r).next;
  if (s != PD_ANALYSIS_NONE || r != PD_ANALYSIS_NONE)
    doubt (self, line);
}

static void
count_unmatched (PdMatching *self)
{
  for (guint i = 0; i < self->sent->len; i++)
    self->n_unmatched += g_array_index (self->sent, PdSent, i).recv == PD_ANALYSIS_NONE;
  for (guint i = 0; i < self->received->len; i++)
    {
      PdReceived *received = &g_array_index (self->received, PdReceived, i);
      self->n_unmatched += received->send == PD_ANALYSIS_NONE;
      if (received->send == CANCELLED)
        received->send = PD_ANALYSIS_NONE;
    }
}

/* ---- collective operations */

gboolean
pd_matching_is_collective (const PdAction *action)
{
  return action->kind == PD_ACT_WIN_FENCE
         || (action->kind == PD_ACT_COLLECTIVE && action->op < PD_COLL_COMM_DUP);
}

PdMet *
pd_matching_next (PdMatching *self, GHashTable *counters, guint32 comm)
{
  gpointer key = GUINT_TO_POINTER (comm);
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (counters, key));

  g_hash_table_insert (counters, key, GUINT_TO_POINTER (number + 1));
  if (self->met[comm] == NULL)
    self->met[comm] = g_array_new (FALSE, TRUE, sizeof (PdMet));
  if (number >= self->met[comm]->len)
    g_array_set_size (self->met[comm], number + 1);
  return &g_array_index (self->met[comm], PdMet, number);
}

static void
meet (PdMatching *self, const PdReplay *replay, GHashTable *counters)
{
  const PdAction *a = &replay->action;
  PdMet *met = pd_matching_next (self, counters, a->comm);
  gint32 root = a->kind == PD_ACT_COLLECTIVE ? a->peer : 0;

  if (met->n == 0)
    *met = (PdMet){ .op = a->kind == PD_ACT_COLLECTIVE ? a->op : PD_COLL_BARRIER,
                    .root = pd_replay_world_rank (replay->program, a->comm, root),
                    .begins = replay->enter,
                    .latest = G_MININT64,
                    .rooted = -1,
                    .others = -1 };
  met->n++;
  met->begins = MIN (met->begins, replay->enter);
  if (replay->enter > met->latest)
    {
      met->latest = replay->enter;
      met->last = replay->rank;
    }
  met->ends = MAX (met->ends, replay->leave);
  if (replay->rank == met->root)
    met->rooted = replay->enter;
  else if (met->others < 0 || replay->enter < met->others)
    met->others = replay->enter;
}

static void
count_missing (PdMatching *self, const PdProgram *program)
{
  for (guint32 comm = 0; comm < self->n_comms; comm++)
    {
      guint32 n;
      pd_program_get_comm (program, comm, &n);
      for (guint i = 0; self->met[comm] != NULL && i < self->met[comm]->len; i++)
        {
          guint32 there = g_array_index (self->met[comm], PdMet, i).n;
          self->n_missing += n - MIN (n, there);
        }
    }
}

PdMatching *
pd_matching_new (const PdProgram *program)
{
  g_autoptr (GHashTable) lines = g_hash_table_new_full (line_hash, line_equal, g_free, NULL);
  PdMatching *self = g_new0 (PdMatching, 1);
  g_auto (PdReplay) replay = { 0 };
  GHashTableIter iter;
  gpointer line;

  self->sent = g_array_new (FALSE, FALSE, sizeof (PdSent));
  self->received = g_array_new (FALSE, FALSE, sizeof (PdReceived));
  self->n_comms = pd_program_get_n_comms (program);
  self->met = g_new0 (GArray *, self->n_comms);
  pd_replay_init (&replay, program);
  for (guint32 rank = 0; rank < pd_program_get_n_ranks (program); rank++)
    {
      g_autoptr (GHashTable) counters = g_hash_table_new (NULL, NULL);
      pd_replay_begin_rank (&replay, rank);
      while (pd_replay_next (&replay))
        {
          collect_messages (self, lines, &replay);
          if (pd_matching_is_collective (&replay.action))
            meet (self, &replay, counters);
        }
    }
  /* lines do not touch each other, so that their order does not matter */
  g_hash_table_iter_init (&iter, lines);
  while (g_hash_table_iter_next (&iter, &line, NULL))
    match_line (self, line);
  count_unmatched (self);
  count_missing (self, program);
  return self;
}
