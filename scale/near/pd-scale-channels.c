/* SPDX-License-Identifier: MIT */
#include "scale/near/pd-scale-channels-private.h"

struct _PdScaleChannels
{
  const PdProgram *program;
  GHashTable *channels; /* PdScaleEnds* → PdScaleChannel* */
  GHashTable *targets;  /* communicator and rank → PdScaleTarget* */
  GHashTable *ranks;    /* communicator and rank of the world → 1 + rank there */
  GPtrArray *in_order;  /* (element-type PdScaleTarget) */
};

static guint
hash_ends (gconstpointer data)
{
  const PdScaleEnds *ends = data;
  guint64 h = ((guint64) (guint32) ends->source << 32 | (guint32) ends->target)
              * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  h ^= ((guint64) ends->comm << 32 | (guint32) ends->tag) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  return (guint) (h >> 32 ^ h);
}

static gboolean
equal_ends (gconstpointer a, gconstpointer b)
{
  const PdScaleEnds *x = a, *y = b;

  return x->comm == y->comm && x->source == y->source && x->target == y->target && x->tag == y->tag;
}

static void
free_channel (gpointer data)
{
  PdScaleChannel *channel = data;

  g_clear_pointer (&channel->taken, g_array_unref);
  g_free (channel);
}

static void
free_target (gpointer data)
{
  PdScaleTarget *target = data;

  g_ptr_array_unref (target->channels);
  g_free (target);
}

static gint64 *
make_key (guint32 comm, guint32 rank)
{
  gint64 *key = g_new (gint64, 1);

  *key = (gint64) comm << 32 | rank;
  return key;
}

PdScaleChannels *
pd_scale_channels_new (const PdProgram *program)
{
  PdScaleChannels *self = g_new0 (PdScaleChannels, 1);

  self->program = program;
  self->channels = g_hash_table_new_full (hash_ends, equal_ends, NULL, free_channel);
  self->targets = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, free_target);
  self->ranks = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->in_order = g_ptr_array_new ();
  for (guint32 comm = 1; comm < pd_program_get_n_comms (program); comm++)
    {
      guint32 n;
      const guint32 *members = pd_program_get_comm (program, comm, &n);
      for (guint32 i = 0; members != NULL && i < n; i++)
        g_hash_table_insert (self->ranks, make_key (comm, members[i]), GUINT_TO_POINTER (i + 1));
    }
  return self;
}

void
pd_scale_channels_free (PdScaleChannels *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->targets);
  g_hash_table_unref (self->channels);
  g_hash_table_unref (self->ranks);
  g_ptr_array_unref (self->in_order);
  g_free (self);
}

gint32
pd_scale_channels_rank_in (PdScaleChannels *self, guint32 comm, guint32 rank)
{
  const gint64 key = (gint64) comm << 32 | rank;
  guint32 n;

  if (pd_program_get_comm (self->program, comm, &n) == NULL)
    return (gint32) rank;
  return (gint32) GPOINTER_TO_UINT (g_hash_table_lookup (self->ranks, &key)) - 1;
}

guint32
pd_scale_channels_world_rank (const PdScaleChannels *self, guint32 comm, gint32 rank)
{
  guint32 n;
  const guint32 *members = pd_program_get_comm (self->program, comm, &n);

  if (rank < 0 || (guint32) rank >= n)
    return PD_PROGRAM_NONE;
  return members != NULL ? members[rank] : (guint32) rank;
}

PdScaleTarget *
pd_scale_channels_get_target (PdScaleChannels *self, guint32 comm, gint32 rank)
{
  const gint64 key = (gint64) comm << 32 | (guint32) rank;
  PdScaleTarget *target = g_hash_table_lookup (self->targets, &key);

  if (target != NULL)
    return target;
  target = g_new0 (PdScaleTarget, 1);
  target->channels = g_ptr_array_new ();
  g_hash_table_insert (self->targets, make_key (comm, (guint32) rank), target);
  g_ptr_array_add (self->in_order, target);
  return target;
}

PdScaleChannel *
pd_scale_channels_get (PdScaleChannels *self, PdScaleEnds ends)
{
  PdScaleChannel *channel = g_hash_table_lookup (self->channels, &ends);

  if (channel != NULL)
    return channel;
  channel = g_new0 (PdScaleChannel, 1);
  channel->ends = ends;
  g_hash_table_insert (self->channels, &channel->ends, channel);
  g_ptr_array_add (pd_scale_channels_get_target (self, ends.comm, ends.target)->channels, channel);
  return channel;
}

const GPtrArray *
pd_scale_channels_list (const PdScaleChannels *self)
{
  return self->in_order;
}
