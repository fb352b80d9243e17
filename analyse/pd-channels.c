/* Messages between the same two ranks, of one communicator and tag, are received in the order in
 * which they are sent. Of each such channel there is, at either end, a list of when and where calls
 * began: one rank writes it, the other one reads it when its own calls are charged, each once and
 * in that order. Cancelled receives are skipped.
 * SPDX-License-Identifier: MIT */
#include "analyse/pd-matching-private.h"
#include "base/memory/pd-bytes.h"

#include <string.h>

/* An entry: a byte with how many more the time since the one before has (3 bits) and from which
 * site it was, see Site; these bytes; perhaps the site, in 4. */
#define MAX_ENTRY 13
#define SPARE     8 /* bytes behind the last one that may be read */

enum
{
  SAME_SITE,
  OTHER_SITE, /* the last one that was another */
  NEW_SITE,
};

typedef struct
{
  PdVector bytes; /* guint8 */
  guint64 n;      /* entries: written */
  guint64 n_read;
  gsize at; /* where the next one is read */
  /* of the last entry: */
  gint64 when;
  guint32 site;
  guint32 other; /* the last one before that was another */
} End;

struct _PdChannel
{
  guint32 comm;
  guint32 source; /* ranks of the world */
  guint32 target;
  gint32 tag;
  End ends[2]; /* sends; receives */
  guint64 n_cancelled;
  gboolean is_uncertain;
};

struct _PdChannels
{
  GHashTable *all;     /* PdChannel */
  PdVector receives;   /* (nullable elements) PdChannel *: of each receive, if they are kept */
  gboolean keeps;      /* since receives are cancelled or probed */
  guint64 *n_receives; /* (array length=n_ranks): up to the end of each rank */
  PdHashMap cancelled; /* receives: record, 1; and channel, 2 + their number in it */
  guint64 n_cancelled; /* receives */
  guint64 n_lost;      /* sends and receives that belong to no channel: they have no partner */
};

static guint
channel_hash (gconstpointer data)
{
  const PdChannel *channel = data;
  guint32 hash = channel->comm;

  hash = hash * 0x9e3779b1u + channel->source;
  hash = hash * 0x9e3779b1u + channel->target;
  hash = hash * 0x9e3779b1u + (guint32) channel->tag;
  return hash ^ hash >> 15;
}

static gboolean
channel_equal (gconstpointer a, gconstpointer b)
{
  const PdChannel *x = a, *y = b;

  return x->comm == y->comm && x->source == y->source && x->target == y->target && x->tag == y->tag;
}

static void
channel_free (gpointer data)
{
  PdChannel *self = data;

  for (guint i = 0; i < 2; i++)
    pd_vector_clear (&self->ends[i].bytes);
  g_free (self);
}

PdChannels *
pd_channels_new (const PdProgram *program, gboolean keeps)
{
  PdChannels *self = g_new0 (PdChannels, 1);

  self->all = g_hash_table_new_full (channel_hash, channel_equal, channel_free, NULL);
  self->keeps = keeps;
  self->n_receives = g_new0 (guint64, pd_program_get_n_ranks (program));
  return self;
}

void
pd_channels_free (PdChannels *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->all);
  pd_vector_clear (&self->receives);
  pd_hash_map_clear (&self->cancelled);
  g_free (self->n_receives);
  g_free (self);
}

/* ---- entries */

static inline void
end_write (End *self, gint64 when, guint32 site)
{
  guint64 passed = (guint64) when - (guint64) self->when;
  guint64 bytes = GUINT64_TO_LE (passed);
  guint size = (guint) (63 - __builtin_clzll (passed | 1)) / 8;
  guint from = SAME_SITE;

  if (G_UNLIKELY (self->bytes.room - self->bytes.n < MAX_ENTRY + SPARE))
    pd_vector_reserve (&self->bytes, self->bytes.n + self->bytes.n / 2 + MAX_ENTRY + SPARE, 1);
  guint8 *at = (guint8 *) self->bytes.data + self->bytes.n;
  memcpy (at + 1, &bytes, sizeof bytes);
  if (site != self->site)
    {
      guint32 number = GUINT32_TO_LE (site);
      from = site == self->other && self->n > 1 ? OTHER_SITE : NEW_SITE;
      self->other = self->site;
      self->site = site;
      memcpy (at + size + 2, &number, sizeof number);
    }
  *at = (guint8) (from << 3 | size);
  self->bytes.n += size + 2 + (from == NEW_SITE ? sizeof site : 0);
  self->when = when;
  self->n++;
}

/* From the first entry on. */
static void
end_rewind (End *self)
{
  self->when = 0;
  self->site = self->other = 0;
}

/* FALSE: there is none. */
static inline gboolean
end_read (End *self)
{
  if (self->n_read == self->n)
    return FALSE;
  const guint8 *at = (const guint8 *) self->bytes.data + self->at;
  guint from = *at >> 3, size = (*at & 7u) + 1;
  guint32 site = self->other;

  self->when = (gint64) ((guint64) self->when + pd_bytes_load_low (at + 1, size));
  at += 1 + size;
  if (from == NEW_SITE)
    {
      site = (guint32) pd_bytes_load_low (at, sizeof site);
      at += sizeof site;
    }
  if (from != SAME_SITE)
    {
      self->other = self->site;
      self->site = site;
    }
  self->at = (gsize) (at - (const guint8 *) self->bytes.data);
  self->n_read++;
  return TRUE;
}

/* ---- channels */

static PdChannel *
look_up (PdChannels *self, const PdReplay *replay, const PdStartedRequest *started)
{
  guint32 other = pd_replay_world_rank (replay->program, started->comm, started->peer);
  const PdChannel key = { .comm = started->comm,
                          .source = started->is_recv ? other : replay->rank,
                          .target = started->is_recv ? replay->rank : other,
                          .tag = started->tag };

  if (other == PD_ANALYSIS_NONE || started->tag < 0)
    return NULL;
  PdChannel *channel = g_hash_table_lookup (self->all, &key);
  if (channel == NULL)
    {
      channel = g_new (PdChannel, 1);
      *channel = key;
      g_hash_table_add (self->all, channel);
    }
  return channel;
}

/* Calls of one shape send to the same channel, and receive from the same: notes of the shape. What
 * persistent requests start, their own call has said. */
PdChannel *
pd_channels_find (PdChannels *self, const PdReplay *replay, const PdStartedRequest *started)
{
  guint64 *note = &replay->reader.shape->notes[2 + started->is_recv];

  if (replay->action->kind == PD_ACT_START)
    return look_up (self, replay, started);
  if (G_UNLIKELY (*note == 0))
    *note = (guint64) (gsize) look_up (self, replay, started);
  return (PdChannel *) (gsize) *note;
}

/* Likewise, behind %PD_STEP_BEGUN. */
static inline PdChannel *
find_begun (PdChannels *self, const PdReplay *replay, gboolean is_recv)
{
  guint64 note = replay->reader.shape->notes[2 + is_recv];

  if (G_LIKELY (note != 0))
    return (PdChannel *) (gsize) note;
  const PdStartedRequest started = pd_replay_describe (replay->action);
  return pd_channels_find (self, replay, &started);
}

guint32
pd_channel_get_target (const PdChannel *self)
{
  return self->target;
}

/* ---- collecting */

/* The number of a receive in its channel: there are few behind it. */
static guint64
number_in (const PdChannels *self, const PdChannel *channel, guint32 record)
{
  guint64 number = channel->ends[TRUE].n - 1;

  for (gsize i = record + 1; i < self->receives.n; i++)
    number -= pd_vector_at (&self->receives, PdChannel *, i) == channel;
  return number;
}

static void
cancel (PdChannels *self, guint32 record)
{
  PdChannel *channel = pd_vector_at (&self->receives, PdChannel *, record);

  if (pd_hash_map_find (&self->cancelled, record, 1) != NULL)
    return;
  pd_hash_map_get (&self->cancelled, record, 1, 0);
  self->n_cancelled++;
  if (channel == NULL)
    {
      self->n_lost--;
      return;
    }
  channel->n_cancelled++;
  pd_hash_map_get (&self->cancelled, (guint64) (gsize) channel,
                   2 + number_in (self, channel, record), 0);
}

/* A message that the present action begins. @channel: (nullable) */
static inline void
collect (PdChannels *self, PdChannel *channel, gboolean is_recv, const PdReplay *replay)
{
  if (channel != NULL)
    end_write (&channel->ends[is_recv], replay->enter, replay->action->site);
  else
    self->n_lost++;
  if (self->keeps && is_recv)
    pd_vector_append (&self->receives, PdChannel *) = channel;
}

void
pd_channels_collect (PdChannels *self, const PdReplay *replay)
{
  const PdStartedRequest *started = replay->started.data;

  for (gsize left = replay->started.n; left > 0; left--, started++)
    {
      PdChannel *channel = pd_channels_find (self, replay, started);
      collect (self, channel, started->is_recv, replay);
    }
  if (replay->cancelled != PD_ANALYSIS_NONE)
    cancel (self, replay->cancelled);
}

void
pd_channels_collect_begun (PdChannels *self, const PdReplay *replay)
{
  gboolean is_recv = replay->action->kind == PD_ACT_IRECV;

  collect (self, find_begun (self, replay, is_recv), is_recv, replay);
}

void
pd_channels_end_rank (PdChannels *self, const PdReplay *replay)
{
  self->n_receives[replay->rank] = replay->n_recvs;
}

/* Which messages are missing cannot be seen: calls of several threads, or those in
 * a pause, need not be recorded. Of a run whose rest is missing, they are the last ones. */
guint64
pd_channels_match (PdChannels *self, gboolean is_cut)
{
  guint64 n_unmatched = self->n_lost;
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, self->all); /* they do not touch each other */
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      PdChannel *channel = key;
      guint64 n_sent = channel->ends[FALSE].n;
      guint64 n_received = channel->ends[TRUE].n - channel->n_cancelled;
      n_unmatched += MAX (n_sent, n_received) - MIN (n_sent, n_received);
      channel->is_uncertain = n_sent != n_received && !is_cut;
      end_rewind (&channel->ends[FALSE]);
      end_rewind (&channel->ends[TRUE]);
    }
  return n_unmatched;
}

/* ---- following */

gboolean
pd_channels_is_cancelled (const PdChannels *self, guint32 received)
{
  return self->n_cancelled > 0 && pd_hash_map_find (&self->cancelled, received, 1) != NULL;
}

/* The next entry of the other end. */
static inline void
set_partner (const PdChannels *self, PdChannel *channel, gboolean is_recv, End *end,
             PdPartner *partner)
{
  do
    if (!end_read (end))
      {
        partner->when = -1;
        return;
      }
  while (G_UNLIKELY (channel->n_cancelled > 0) && !is_recv
         && pd_hash_map_find (&self->cancelled, (guint64) (gsize) channel, 1 + end->n_read)
                != NULL);
  partner->when = end->when;
  partner->rank = is_recv ? channel->source : channel->target;
  partner->site = end->site;
  partner->is_uncertain = channel->is_uncertain;
}

/* Of a message that begins. @channel: (nullable) */
static inline void
follow (const PdChannels *self, PdChannel *channel, gboolean is_recv, guint32 record,
        PdPartner *partner)
{
  if (channel == NULL || (is_recv && pd_channels_is_cancelled (self, record)))
    {
      partner->when = -1;
      return;
    }
  End *end = &channel->ends[!is_recv];
  set_partner (self, channel, is_recv, end, partner);
  if (G_UNLIKELY (end->n_read == end->n))
    pd_vector_clear (&end->bytes); /* all of it has been read */
}

void
pd_channels_follow (PdChannels *self, const PdReplay *replay)
{
  const PdStartedRequest *started = replay->started.data;

  for (gsize left = replay->started.n; left > 0; left--, started++)
    follow (self, pd_channels_find (self, replay, started), started->is_recv, started->record,
            started->partner);
}

void
pd_channels_follow_begun (PdChannels *self, const PdReplay *replay, PdRecordedRequest *request)
{
  gboolean is_recv = request->kind == PD_RECORDED_REQUEST_RECV;

  follow (self, find_begun (self, replay, is_recv), is_recv, request->record, &request->partner);
}

void
pd_channels_peek (PdChannels *self, const PdReplay *replay, PdPartner *partner)
{
  PdChannel *channel = NULL;

  partner->when = -1;
  if (replay->n_recvs < self->n_receives[replay->rank]
      && !pd_channels_is_cancelled (self, (guint32) replay->n_recvs))
    channel = pd_vector_at (&self->receives, PdChannel *, replay->n_recvs);
  if (channel == NULL)
    return;
  End end = channel->ends[FALSE];
  set_partner (self, channel, TRUE, &end, partner);
}
