/* Matching: the sender and the receiver of each message, the members of each collective operation.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MATCHING_PRIVATE_H
#define PD_MATCHING_PRIVATE_H

#include "analyse/pd-analysis-private.h"
#include "analyse/pd-replay-private.h"

/* Messages between the same two ranks, of one communicator and tag. */
typedef struct _PdChannel PdChannel;
/* All channels of a program. */
typedef struct _PdChannels PdChannels;

/* @keeps: receives are cancelled or peeked at */
PdChannels *pd_channels_new (const PdProgram *program, gboolean keeps);
void pd_channels_free (PdChannels *self);
/* Messages that begin in the present action of @replay, or are cancelled: ranks ascend. */
void pd_channels_collect (PdChannels *self, const PdReplay *replay);
/* Likewise, behind %PD_STEP_BEGUN. */
void pd_channels_collect_begun (PdChannels *self, const PdReplay *replay);
/* That was the last action of the rank. */
void pd_channels_end_rank (PdChannels *self, const PdReplay *replay);
/* All have been collected. @is_cut: those of each channel that are missing are the last ones.
 * Returns: how many sends and receives have no partner, those that are cancelled aside. */
guint64 pd_channels_match (PdChannels *self, gboolean is_cut);
/* Sets the partners of messages that begin in the present action of @replay: in the order of
 * pd_channels_collect(), once. */
void pd_channels_follow (PdChannels *self, const PdReplay *replay);
/* Likewise, behind %PD_STEP_BEGUN, and pd_replay_begin(), which returned @request. */
void pd_channels_follow_begun (PdChannels *self, const PdReplay *replay,
                               PdRecordedRequest *request);
/* The partner of the receive that the rank posts next, in a program with probes. */
void pd_channels_peek (PdChannels *self, const PdReplay *replay, PdPartner *partner);
/* Returns: (transfer none) (nullable): that of a message which begins in the present action. */
PdChannel *pd_channels_find (PdChannels *self, const PdReplay *replay,
                             const PdStartedRequest *started);
guint32 pd_channel_get_target (const PdChannel *self);
gboolean pd_channels_is_cancelled (const PdChannels *self, guint32 received);

/* When a rank came to a collective operation, and from where it called. */
typedef struct
{
  gint64 when;
  guint32 rank; /* in the world */
  guint32 site; /* %PD_PROGRAM_NONE: unknown */
} PdArrival;

/* One collective operation. */
typedef struct
{
  PdCollKind op;
  guint32 n;        /* members that have been there */
  guint32 root;     /* rank in the world */
  PdArrival last;   /* who came last, the lowest rank of several */
  PdArrival rooted; /* when the root came; -1: not yet */
  gint64 ends;      /* when the last was through */
  gboolean has_arrivals;
  guint arrivals; /* where those of its members begin, if some wait for some only */
} PdMet;

typedef struct
{
  PdChannels *channels; /* (nullable) */
  PdVector *met;        /* (array length=n_comms): PdMet */
  guint32 n_comms;
  GArray *arrivals;     /* PdArrival: of scans, the last up to each member; of operations with
                         * neighbours, each member's */
  GHashTable **members; /* (array length=n_comms) (nullable elements): rank to member */
  struct _PdRma *rma;   /* one-sided communication */
  guint64 n_messages;
  PdTimeSum n_bytes;
  guint64 n_unmatched;
  guint64 n_missing; /* members of collective operations */
  gboolean is_cut;   /* the rest of the run was not recorded: partners may be missing */
  guint64 n_clock;   /* messages that arrive before they are sent, though none is missing */
} PdMatching;

/* @retiming, @progress: (nullable): as in a #PdReplay. %NULL with %PD_TRACE_ERROR_LIMIT: there are
 * too many sends, receives or collective operations, see pd_analysis_can_number(). */
PdMatching *pd_matching_new (const PdProgram *program, const PdRetiming *retiming,
                             PdProgress *progress, GError **error);
void pd_matching_free (PdMatching *self);
/* Frees the channels: partners are known no longer. */
void pd_matching_drop_messages (PdMatching *self);
const PdMet *pd_matching_get_met (const PdMatching *self, PdMeeting meeting);
/* Where a rank of the world is in a communicator; %PD_ANALYSIS_NONE: nowhere. */
guint32 pd_matching_get_member (PdMatching *self, const PdProgram *program, guint32 comm,
                                guint32 rank);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdMatching, pd_matching_free)

#endif
