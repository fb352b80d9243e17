/* Messages of a program by their ends: over one communicator, from one rank to another with one
 * tag.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_CHANNELS_PRIVATE_H
#define PD_SCALE_CHANNELS_PRIVATE_H

#include "traces/program/pd-program.h"

/* Ranks of the communicator; of receives also %PD_PROGRAM_ANY: from anybody, with any tag. */
typedef struct
{
  guint32 comm;
  gint32 source;
  gint32 target;
  gint32 tag;
} PdScaleEnds;

typedef struct
{
  PdScaleEnds ends;
  gint64 most;           /* bytes of the longest message that these receives get */
  guint64 sent;          /* so far */
  guint64 received;      /* likewise, with these ends */
  guint64 left;          /* of those that are sent: that no receive has yet */
  guint64 kept;          /* receives that are as they are; behind them: */
  GArray *taken;         /* (nullable) (element-type PdScaleTaken): messages of other ends */
  guint next;            /* of these */
  guint64 lost_receives; /* receives that come next, whose sends are to MPI_PROC_NULL */
  guint64 lost;          /* sends that come next, whose receives are from MPI_PROC_NULL */
} PdScaleChannel;

/* Messages that receives with other ends take. */
typedef struct
{
  PdScaleEnds ends;
  gint64 most; /* bytes of the longest one */
  guint64 n;
} PdScaleTaken;

/* All channels to a rank over a communicator. */
typedef struct
{
  GPtrArray *channels;   /* (element-type PdScaleChannel): as they were met */
  gboolean has_wild;     /* some receive takes what comes first */
  guint64 spare;         /* messages that have arrived before a receive with their ends was begun */
  guint64 lost_receives; /* of all channels */
  guint64 n_wild;        /* receives from anybody, or with any tag, that have begun */
} PdScaleTarget;

typedef struct _PdScaleChannels PdScaleChannels;

/**
 * pd_scale_channels_new:
 * @program: borrowed
 *
 * Returns: (transfer full): no channels yet.
 */
PdScaleChannels *pd_scale_channels_new (const PdProgram *program);

/**
 * pd_scale_channels_free:
 * @self: (nullable): frees them
 */
void pd_scale_channels_free (PdScaleChannels *self);

/**
 * pd_scale_channels_rank_in:
 * @rank: of the world
 *
 * Returns: what rank it is in @comm; -1 = none.
 */
gint32 pd_scale_channels_rank_in (PdScaleChannels *self, guint32 comm, guint32 rank);

/**
 * pd_scale_channels_world_rank:
 * @rank: in @comm
 *
 * Returns: which rank of the world that is; it is none of the communicator: %PD_PROGRAM_NONE.
 */
guint32 pd_scale_channels_world_rank (const PdScaleChannels *self, guint32 comm, gint32 rank);

/**
 * pd_scale_channels_get:
 * Returns: (transfer none): the channel with these ends, of which there may have been nothing.
 */
PdScaleChannel *pd_scale_channels_get (PdScaleChannels *self, PdScaleEnds ends);

/**
 * pd_scale_channels_get_target:
 * Returns: (transfer none): what goes to that rank.
 */
PdScaleTarget *pd_scale_channels_get_target (PdScaleChannels *self, guint32 comm, gint32 target);

/**
 * pd_scale_channels_list:
 * Returns: (transfer none) (element-type PdScaleTarget): all of them, as they were met.
 */
const GPtrArray *pd_scale_channels_list (const PdScaleChannels *self);

/**
 * pd_scale_ends_are_wild:
 * Returns: whether messages of several channels have these ends.
 */
static inline gboolean
pd_scale_ends_are_wild (PdScaleEnds ends)
{
  return ends.source == PD_PROGRAM_ANY || ends.tag == PD_PROGRAM_ANY;
}

/**
 * pd_scale_action_sends:
 * Returns: whether actions of @kind send a message when they begin.
 */
static inline gboolean
pd_scale_action_sends (PdActionKind kind)
{
  return (kind >= PD_ACT_SEND && kind <= PD_ACT_IRSEND) || kind == PD_ACT_SENDRECV;
}

/**
 * pd_scale_action_receives:
 * Returns: likewise, receive one.
 */
static inline gboolean
pd_scale_action_receives (PdActionKind kind)
{
  return kind == PD_ACT_RECV || kind == PD_ACT_IRECV || kind == PD_ACT_SENDRECV;
}

/**
 * pd_scale_action_is_collective:
 * Returns: whether all members of a communicator have to come to actions of @kind.
 */
static inline gboolean
pd_scale_action_is_collective (PdActionKind kind)
{
  return kind == PD_ACT_COLLECTIVE || kind == PD_ACT_ICOLLECTIVE || kind == PD_ACT_WIN_FENCE;
}

/**
 * pd_scale_ends_of_send:
 * @own: the caller, in the communicator of @action
 */
static inline PdScaleEnds
pd_scale_ends_of_send (const PdAction *action, gint32 own)
{
  return (PdScaleEnds){ action->comm, own, action->peer, action->tag };
}

/**
 * pd_scale_ends_of_receive:
 * @own: the caller, in the communicator of @action
 * @is_known: with wildcards the ends are those of the message that was recorded there
 */
static inline PdScaleEnds
pd_scale_ends_of_receive (const PdAction *action, gint32 own, gboolean is_known)
{
  gboolean both = action->kind == PD_ACT_SENDRECV;
  gint32 source = both ? action->recv_peer : action->peer;
  gint32 tag = both ? action->recv_tag : action->tag;

  if (is_known && source == PD_PROGRAM_ANY)
    source = action->matched_peer;
  if (is_known && tag == PD_PROGRAM_ANY)
    tag = action->matched_tag;
  return (PdScaleEnds){ action->comm, source, own, tag };
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdScaleChannels, pd_scale_channels_free)

#endif
