/* The check of programs: does each message have two ends of a size?
 *
 * Messages over one communicator, from one rank to another with one tag, are a
 * channel: the k-th that is sent there is the k-th that is received. Where the
 * target also receives from anyone, or with any tag, only the numbers of
 * messages can be compared.
 * SPDX-License-Identifier: MIT */
#include "traces/audit/pd-program-audit-private.h"
#include "traces/program/pd-action.h"
#include "traces/audit/pd-program-audit-messages-private.h"

typedef struct
{
  guint32 comm;
  guint32 source; /* in the communicator; G_MAXUINT32: all, of a target with wildcards */
  guint32 target;
  gint32 tag;
} Key;

/* So many messages of one size, one after the other. */
typedef struct
{
  gint64 bytes;
  guint64 n;
} Run;

/* One end of a channel. */
typedef struct
{
  Run first;    /* of most there is no other */
  GArray *more; /* (nullable): Run */
  guint64 n;
  guint32 rank; /* who does it, and when last */
  guint64 number;
  const char *record;
} End;

typedef struct
{
  Key key;
  End ends[2]; /* by is_send */
} Channel;

struct _PdAuditMessages
{
  PdAudit *audit;
  GHashTable *channels;  /* Key* -> Channel* */
  Channel *recent[64];   /* (nullable elements): of these, where they were found last */
  GPtrArray *in_order;   /* the same, as they were met */
  GHashTable *wildcards; /* Key* of all messages to a target that uses them -> Channel* */
};

static guint
key_hash (gconstpointer data)
{
  const Key *key = data;
  guint64 h = ((guint64) key->source << 32 | key->target) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  h ^= ((guint64) key->comm << 32 | (guint32) key->tag) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  return (guint) (h >> 32 ^ h);
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const Key *x = a, *y = b;

  return x->comm == y->comm && x->source == y->source && x->target == y->target && x->tag == y->tag;
}

static void
channel_free (gpointer data)
{
  Channel *channel = data;

  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&channel->ends[i].more, g_array_unref);
  g_free (channel);
}

PdAuditMessages *
pd_audit_messages_new (PdAudit *audit)
{
  PdAuditMessages *self = g_new0 (PdAuditMessages, 1);

  self->audit = audit;
  self->channels = g_hash_table_new (key_hash, key_equal);
  self->in_order = g_ptr_array_new_with_free_func (channel_free);
  self->wildcards = g_hash_table_new_full (key_hash, key_equal, NULL, channel_free);
  return self;
}

void
pd_audit_messages_free (PdAuditMessages *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->channels);
  g_ptr_array_unref (self->in_order);
  g_hash_table_unref (self->wildcards);
  g_free (self);
}

static Channel *
get_channel (PdAuditMessages *self, Key key)
{
  Channel **recent = &self->recent[key_hash (&key) % G_N_ELEMENTS (self->recent)];

  if (*recent != NULL && key_equal (&(*recent)->key, &key))
    return *recent;
  Channel *channel = *recent = g_hash_table_lookup (self->channels, &key);
  if (channel != NULL)
    return channel;
  channel = *recent = g_new0 (Channel, 1);
  channel->key = key;
  g_hash_table_insert (self->channels, &channel->key, channel);
  g_ptr_array_add (self->in_order, channel);
  return channel;
}

/* All messages to a target, once it receives from anyone. */
static Channel *
get_wildcards (PdAuditMessages *self, guint32 comm, guint32 target)
{
  Key key = { comm, G_MAXUINT32, target, 0 };
  Channel *channel = g_hash_table_lookup (self->wildcards, &key);

  if (channel != NULL)
    return channel;
  channel = g_new0 (Channel, 1);
  channel->key = key;
  g_hash_table_insert (self->wildcards, &channel->key, channel);
  return channel;
}

static void
extend (PdAuditMessages *self, End *end, gint64 bytes)
{
  const PdAudit *audit = self->audit;
  Run run = { bytes, 1 };

  end->n++;
  end->rank = audit->rank;
  end->number = audit->number;
  end->record = pd_action_name (audit->action);
  if (bytes < 0)
    return;
  Run *last = end->more == NULL ? &end->first : &g_array_index (end->more, Run, end->more->len - 1);
  if (last->n == 0)
    *last = run;
  else if (last->bytes == bytes)
    last->n++;
  else
    {
      if (end->more == NULL)
        end->more = g_array_new (FALSE, FALSE, sizeof (Run));
      g_array_append_val (end->more, run);
    }
}

void
pd_audit_messages_add (PdAuditMessages *self, const PdAction *action, guint32 me, gboolean is_send)
{
  if (action->peer == PD_PROGRAM_PROC_NULL)
    return;
  if (!is_send && (action->peer == PD_PROGRAM_ANY || action->tag == PD_PROGRAM_ANY))
    {
      extend (self, &get_wildcards (self, action->comm, me)->ends[FALSE], -1);
      return;
    }
  guint32 peer = (guint32) action->peer;
  Key key = { action->comm, is_send ? me : peer, is_send ? peer : me, action->tag };
  extend (self, &get_channel (self, key)->ends[is_send], action->bytes);
}

/* ---- the end */

static void
find_unmatched (PdAuditMessages *self, const Channel *channel)
{
  guint64 n_sent = channel->ends[TRUE].n, n_received = channel->ends[FALSE].n;
  const End *end = &channel->ends[n_sent > n_received];
  g_autofree char *from = channel->key.source == G_MAXUINT32
                              ? g_strdup ("anyone")
                              : g_strdup_printf ("rank %u", channel->key.source);
  g_autofree char *tag = channel->key.source == G_MAXUINT32
                             ? g_strdup ("any tag")
                             : g_strdup_printf ("tag %d", channel->key.tag);

  if (n_sent == n_received)
    return;
  pd_audit_find (self->audit, n_sent > n_received ? "unmatched-send" : "unmatched-receive",
                 end->rank, end->number, end->record,
                 "%" G_GUINT64_FORMAT " messages sent and %" G_GUINT64_FORMAT
                 " received from %s to rank %u with %s over communicator %u",
                 n_sent, n_received, from, channel->key.target, tag, channel->key.comm);
}

/* The @i-th run of @end; of no message behind the last one. */
static Run
get_run (const End *end, guint i)
{
  if (i == 0)
    return end->first;
  return end->more != NULL && i <= end->more->len ? g_array_index (end->more, Run, i - 1)
                                                  : (Run){ 0, 0 };
}

/* The first message that its receive has no room for. */
static void
find_truncated (PdAuditMessages *self, const Channel *channel)
{
  const End *sends = &channel->ends[TRUE], *receives = &channel->ends[FALSE];
  Run sent = get_run (sends, 0), received = get_run (receives, 0);

  for (guint s = 0, r = 0; sent.n > 0 && received.n > 0;)
    {
      if (sent.bytes > received.bytes)
        {
          pd_audit_find (self->audit, "message-truncated", receives->rank, receives->number,
                         receives->record,
                         "a message of %" G_GINT64_FORMAT " bytes from rank %u with tag %d is "
                         "received with room for %" G_GINT64_FORMAT,
                         sent.bytes, channel->key.source, channel->key.tag, received.bytes);
          return;
        }
      guint64 n = MIN (sent.n, received.n);
      sent.n -= n;
      received.n -= n;
      if (sent.n == 0)
        sent = get_run (sends, ++s);
      if (received.n == 0)
        received = get_run (receives, ++r);
    }
}

/* Messages to a target with wildcards are counted there instead. */
static gboolean
count_with_wildcards (PdAuditMessages *self, const Channel *channel)
{
  Key key = { channel->key.comm, G_MAXUINT32, channel->key.target, 0 };
  Channel *all = g_hash_table_lookup (self->wildcards, &key);

  if (all == NULL)
    return FALSE;
  for (guint i = 0; i < 2; i++)
    {
      const End *end = &channel->ends[i];
      all->ends[i].n += end->n;
      if (end->n > 0 && all->ends[i].record == NULL)
        {
          all->ends[i].rank = end->rank;
          all->ends[i].number = end->number;
          all->ends[i].record = end->record;
        }
    }
  return TRUE;
}

void
pd_audit_messages_end (PdAuditMessages *self)
{
  /* in the order of the channels, so that the first place is always the same */
  g_autoptr (GHashTable) reported = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < self->in_order->len; i++)
    {
      const Channel *channel = g_ptr_array_index (self->in_order, i);
      if (count_with_wildcards (self, channel))
        continue;
      find_unmatched (self, channel);
      find_truncated (self, channel);
    }
  for (guint i = 0; i < self->in_order->len; i++)
    {
      const Channel *channel = g_ptr_array_index (self->in_order, i);
      Key key = { channel->key.comm, G_MAXUINT32, channel->key.target, 0 };
      Channel *all = g_hash_table_lookup (self->wildcards, &key);
      if (all != NULL && g_hash_table_add (reported, all))
        find_unmatched (self, all);
    }
  /* receivers to which no rank sends */
  for (guint32 comm = 0; comm < pd_program_get_n_comms (self->audit->program); comm++)
    {
      guint32 n;
      pd_program_get_comm (self->audit->program, comm, &n);
      for (guint32 target = 0; target < n && g_hash_table_size (self->wildcards) > 0; target++)
        {
          Key key = { comm, G_MAXUINT32, target, 0 };
          Channel *all = g_hash_table_lookup (self->wildcards, &key);
          if (all != NULL && g_hash_table_add (reported, all))
            find_unmatched (self, all);
        }
    }
}
