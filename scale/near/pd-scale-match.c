/* Two ends for each message, and all members in each collective operation, whatever the order of
 * calls.
 * SPDX-License-Identifier: MIT */
#include "scale/near/pd-scale-channels-private.h"
#include "scale/near/pd-scale-mend.h"

#include "traces/program/pd-action-reader.h"

#include <string.h>

typedef struct _Match Match;

/* A message of the rank that is executed; @action is %NULL if its request is persistent. */
typedef void (*MessageFunc) (Match *self, PdScaleChannel *channel, gboolean is_send,
                             PdAction *action);

struct _Match
{
  PdScaleMends *mends;
  const PdProgram *program;
  const volatile sig_atomic_t *stop; /* (nullable) */
  PdScaleChannels *channels;
  MessageFunc visit;
  guint32 rank;
  gboolean is_counted;    /* all messages and operations are; changes follow */
  gboolean is_changed;    /* the present action; */
  gboolean is_left_out;   /* likewise */
  GHashTable *requests;   /* slot → Request*: the rank's persistent ones */
  GHashTable *operations; /* Operation* (its key) → itself */
};

typedef struct
{
  PdScaleEnds ends;
  gboolean is_send;
} Request;

/* A collective operation of a communicator. */
typedef struct
{
  guint32 key[3];  /* communicator, kind of action, operation */
  guint64 *counts; /* (array length=members): how often each member comes to it */
  guint64 least;   /* of these */
} Operation;

#define CHANNEL(array, i) ((PdScaleChannel *) g_ptr_array_index ((array), (i)))

/* ---- collective operations */

static guint
hash_operation (gconstpointer data)
{
  const guint32 *key = ((const Operation *) data)->key;

  return (key[0] * 31 + key[1]) * 31 + key[2];
}

static gboolean
equal_operations (gconstpointer a, gconstpointer b)
{
  const Operation *one = a, *other = b;

  return memcmp (one->key, other->key, sizeof one->key) == 0;
}

static void
free_operation (gpointer data)
{
  Operation *operation = data;

  g_free (operation->counts);
  g_free (operation);
}

static Operation *
get_operation (Match *self, const PdAction *action)
{
  const Operation wanted = { .key = { action->comm, action->kind, action->op } };
  Operation *operation = g_hash_table_lookup (self->operations, &wanted);
  guint32 n;

  if (operation != NULL)
    return operation;
  operation = g_new0 (Operation, 1);
  *operation = wanted;
  pd_program_get_comm (self->program, action->comm, &n);
  operation->counts = g_new0 (guint64, n);
  g_hash_table_add (self->operations, operation);
  return operation;
}

/* Each member comes to an operation as often as the one that does so least: the last times are left
 * out. */
static void
visit_collective (Match *self, const PdAction *action, gint32 own)
{
  Operation *operation = get_operation (self, action);

  if (own < 0)
    return;
  if (!self->is_counted)
    operation->counts[own]++;
  else if (operation->counts[own]++ >= operation->least)
    {
      self->is_changed = self->is_left_out = TRUE;
      self->mends->n++;
      self->mends->n_lost++;
    }
}

static void
find_least (Match *self)
{
  GHashTableIter iter;
  gpointer data;

  g_hash_table_iter_init (&iter, self->operations);
  while (g_hash_table_iter_next (&iter, &data, NULL))
    {
      Operation *operation = data;
      guint32 n;
      pd_program_get_comm (self->program, operation->key[0], &n);
      operation->least = operation->counts[0];
      for (guint32 i = 0; i < n; i++)
        {
          operation->least = MIN (operation->least, operation->counts[i]);
          operation->counts[i] = 0;
        }
    }
}

/* ---- going through messages */

static void
visit (Match *self, PdScaleEnds ends, gboolean is_send, PdAction *action)
{
  gint32 other = is_send ? ends.target : ends.source;

  if (pd_scale_channels_world_rank (self->channels, ends.comm, other) == PD_PROGRAM_NONE
      && (is_send || other != PD_PROGRAM_ANY))
    return;
  self->visit (self, pd_scale_channels_get (self->channels, ends), is_send, action);
}

static void
keep_request (Match *self, const PdAction *action, gint32 own)
{
  Request *request = g_new (Request, 1);

  request->is_send = action->kind != PD_ACT_RECV_INIT;
  request->ends = request->is_send ? pd_scale_ends_of_send (action, own)
                                   : pd_scale_ends_of_receive (action, own, TRUE);
  g_hash_table_insert (self->requests, GUINT_TO_POINTER (action->request), request);
}

/* Where a rank takes what comes first, no receive with wildcards can be sure of a message. */
static PdScaleEnds
get_ends (Match *self, PdAction *action, gint32 own)
{
  PdScaleTarget *target = pd_scale_channels_get_target (self->channels, action->comm, own);
  PdScaleEnds known = pd_scale_ends_of_receive (action, own, TRUE);
  PdScaleEnds ends = pd_scale_ends_of_receive (action, own, FALSE);

  target->has_wild = target->has_wild || pd_scale_ends_are_wild (known);
  if (!target->has_wild)
    return known;
  self->is_changed =
      self->is_changed || (pd_scale_ends_are_wild (ends) && !pd_scale_ends_are_wild (known));
  return ends;
}

static void
visit_action (Match *self, PdAction *action)
{
  gint32 own = pd_scale_channels_rank_in (self->channels, action->comm, self->rank);

  if (pd_scale_action_sends (action->kind))
    visit (self, pd_scale_ends_of_send (action, own), TRUE, action);
  if (pd_scale_action_receives (action->kind))
    visit (self, get_ends (self, action, own), FALSE, action);
  if (pd_scale_action_is_collective (action->kind))
    visit_collective (self, action, own);
  if (action->kind >= PD_ACT_SEND_INIT && action->kind <= PD_ACT_RECV_INIT)
    keep_request (self, action, own);
  for (guint32 i = 0; action->kind == PD_ACT_START && i < action->n_slots; i++)
    {
      const Request *request =
          g_hash_table_lookup (self->requests, GUINT_TO_POINTER (action->slots[i]));
      if (request != NULL)
        visit (self, request->ends, request->is_send, NULL);
    }
}

static gboolean
is_stopped (const Match *self)
{
  return self->stop != NULL && *self->stop != 0;
}

static void
visit_all (Match *self, MessageFunc func)
{
  g_auto (PdActionReader) reader = { .program = NULL };
  PdAction *action;

  self->visit = func;
  pd_action_reader_init (&reader, self->program);
  for (self->rank = 0; self->rank < self->mends->n_ranks; self->rank++)
    {
      guint64 call = 0;
      g_hash_table_remove_all (self->requests);
      pd_action_reader_begin (&reader, self->rank);
      while (!is_stopped (self) && (action = pd_action_reader_next (&reader)) != NULL)
        {
          if (!pd_scale_mends_counts (action->kind))
            continue;
          PdAction copy = *action;
          self->is_changed = self->is_left_out = FALSE;
          visit_action (self, &copy);
          if (self->is_counted && self->is_changed)
            pd_scale_mends_add (self->mends, self->rank, call, &copy, self->is_left_out);
          call++;
        }
    }
}

/* ---- both ends */

static void
note (Match *self, PdScaleChannel *channel, gboolean is_send, PdAction *action)
{
  (void) self, (void) channel, (void) is_send, (void) action;
}

static void
count (Match *self, PdScaleChannel *channel, gboolean is_send, PdAction *action)
{
  if (is_send && action != NULL)
    channel->most = MAX (channel->most, action->bytes);
  channel->sent += is_send ? 1 : 0;
  channel->received += is_send ? 0 : 1;
  self->mends->n++;
}

static void
take (PdScaleChannel *to, PdScaleChannel *from, guint64 n)
{
  const PdScaleTaken taken = { from->ends, from->most, n };

  if (n == 0)
    return;
  if (to->taken == NULL)
    to->taken = g_array_new (FALSE, FALSE, sizeof (PdScaleTaken));
  g_array_append_val (to->taken, taken);
  from->left -= n;
}

/* How many receives have no message yet. */
static guint64
count_open (const PdScaleChannel *channel)
{
  guint64 n = channel->received - channel->kept;

  for (guint i = 0; channel->taken != NULL && i < channel->taken->len; i++)
    n -= g_array_index (channel->taken, PdScaleTaken, i).n;
  return n;
}

/* Receives with @n_wild wildcards take messages that remain.
 * @is_sure: each gets the sender that it has there, or it might take what another one waits for. */
static void
match_wild (const GPtrArray *channels, guint n_wild, gboolean is_sure)
{
  for (guint i = 0; i < channels->len; i++)
    {
      PdScaleChannel *to = CHANNEL (channels, i);
      PdScaleEnds ends = to->ends;
      if ((ends.source == PD_PROGRAM_ANY) + (ends.tag == PD_PROGRAM_ANY) != (gint) n_wild)
        continue;
      for (guint k = 0; k < channels->len && count_open (to) > 0; k++)
        {
          PdScaleChannel *from = CHANNEL (channels, k);
          if ((ends.source != PD_PROGRAM_ANY && from->ends.source != ends.source)
              || (ends.tag != PD_PROGRAM_ANY && from->ends.tag != ends.tag))
            continue;
          guint64 n = MIN (from->left, count_open (to));
          if (is_sure)
            {
              take (to, from, n);
              continue;
            }
          from->left -= n;
          to->kept += n;
          to->most = n > 0 ? MAX (to->most, from->most) : to->most;
        }
    }
}

static gint
compare_channels (gconstpointer a, gconstpointer b)
{
  const PdScaleEnds *one = &(*(PdScaleChannel *const *) a)->ends;
  const PdScaleEnds *other = &(*(PdScaleChannel *const *) b)->ends;

  if (one->tag != other->tag)
    return one->tag < other->tag ? -1 : 1;
  return one->source < other->source ? -1 : one->source > other->source;
}

/* Receives @to take messages @from, both of those that remain, and sorted: of the same tag, or all.
 */
static void
redirect (const GPtrArray *to, const GPtrArray *from, gboolean same_tag)
{
  for (guint i = 0, k = 0; i < to->len && k < from->len;)
    {
      PdScaleChannel *receive = CHANNEL (to, i), *send = CHANNEL (from, k);
      gboolean differ = same_tag && receive->ends.tag != send->ends.tag;
      if (!differ)
        take (receive, send, MIN (count_open (receive), send->left));
      if (differ ? receive->ends.tag < send->ends.tag : count_open (receive) == 0)
        i++;
      else
        k++;
    }
}

static void
match_target (const GPtrArray *channels)
{
  g_autoptr (GPtrArray) to = g_ptr_array_new (), from = g_ptr_array_new ();
  gboolean is_sure = FALSE;

  for (guint i = 0; i < channels->len; i++)
    {
      PdScaleChannel *channel = CHANNEL (channels, i);
      channel->kept = MIN (channel->sent, channel->received);
      channel->left = channel->sent - channel->kept;
      is_sure = is_sure || (channel->received > 0 && !pd_scale_ends_are_wild (channel->ends));
    }
  match_wild (channels, 1, is_sure);
  match_wild (channels, 2, is_sure);
  for (guint i = 0; i < channels->len; i++)
    {
      PdScaleChannel *channel = CHANNEL (channels, i);
      if (channel->left > 0)
        g_ptr_array_add (from, channel);
      if (count_open (channel) > 0)
        g_ptr_array_add (to, channel);
    }
  g_ptr_array_sort (to, compare_channels);
  g_ptr_array_sort (from, compare_channels);
  redirect (to, from, TRUE);
  redirect (to, from, FALSE);
}

/* ---- changes */

/* The last ones go to MPI_PROC_NULL. */
static void
change_send (Match *self, PdScaleChannel *channel, PdAction *action)
{
  if (channel->sent > channel->left)
    {
      channel->sent--;
      return;
    }
  if (action == NULL)
    return;
  self->mends->n_lost++;
  self->is_changed = TRUE;
  action->peer = PD_PROGRAM_PROC_NULL;
}

static void
make_room (Match *self, PdAction *action, gint64 most)
{
  gint64 *room = action->kind == PD_ACT_SENDRECV ? &action->recv_bytes : &action->bytes;

  self->is_changed = self->is_changed || *room < most;
  *room = MAX (*room, most);
}

static void
set_source (PdAction *action, gint32 source, gint32 tag)
{
  gboolean both = action->kind == PD_ACT_SENDRECV;

  *(both ? &action->recv_peer : &action->peer) = source;
  *(both ? &action->recv_tag : &action->tag) = tag;
}

static void
change_receive (Match *self, PdScaleChannel *channel, PdAction *action)
{
  PdScaleTaken *taken = channel->taken != NULL && channel->next < channel->taken->len
                            ? &g_array_index (channel->taken, PdScaleTaken, channel->next)
                            : NULL;

  if (channel->kept > 0)
    {
      channel->kept--;
      if (action != NULL)
        make_room (self, action, channel->most);
      return;
    }
  if (taken != NULL && --taken->n == 0)
    channel->next++;
  if (action == NULL)
    return;
  self->is_changed = TRUE;
  self->mends->n_redirected += taken != NULL ? 1 : 0;
  self->mends->n_lost += taken != NULL ? 0 : 1;
  if (taken != NULL)
    {
      set_source (action, taken->ends.source, taken->ends.tag);
      make_room (self, action, taken->most);
    }
  else
    set_source (action, PD_PROGRAM_PROC_NULL, MAX (channel->ends.tag, 0));
}

static void
change (Match *self, PdScaleChannel *channel, gboolean is_send, PdAction *action)
{
  if (is_send)
    change_send (self, channel, action);
  else
    change_receive (self, channel, action);
}

gboolean
pd_scale_mends_match (PdScaleMends *self, const PdProgram *program,
                      const volatile sig_atomic_t *stop)
{
  g_autoptr (PdScaleChannels) channels = pd_scale_channels_new (program);
  g_autoptr (GHashTable) requests = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GHashTable) operations =
      g_hash_table_new_full (hash_operation, equal_operations, free_operation, NULL);
  Match match = { .mends = self,
                  .program = program,
                  .stop = stop,
                  .channels = channels,
                  .requests = requests,
                  .operations = operations };

  visit_all (&match, note); /* who takes what comes first */
  visit_all (&match, count);
  const GPtrArray *targets = pd_scale_channels_list (channels);
  for (guint i = 0; i < targets->len; i++)
    match_target (((const PdScaleTarget *) g_ptr_array_index (targets, i))->channels);
  find_least (&match);
  match.is_counted = TRUE;
  visit_all (&match, change);
  return !is_stopped (&match);
}
