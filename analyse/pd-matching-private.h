/* Who sent what whom received, who met whom.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MATCHING_PRIVATE_H
#define PD_MATCHING_PRIVATE_H

#include "analyse/pd-analysis-private.h"
#include "analyse/pd-replay-private.h"

typedef struct
{
  gint64 enter; /* of the call that starts it */
  guint32 rank;
  guint32 recv; /* its partner; %PD_ANALYSIS_NONE */
  guint32 next; /* of the same ranks, communicator and tag */
  guint32 site; /* that sends; %PD_PROGRAM_NONE */
} PdSent;

typedef struct
{
  gint64 posted;
  guint32 rank;
  guint32 send;          /* its partner; %PD_ANALYSIS_NONE */
  guint32 next;          /* likewise */
  guint32 site;          /* that posts it; likewise */
  gboolean is_uncertain; /* the partner is another one's if messages between are missing */
} PdReceived;

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
  PdVector sent;     /* PdSent */
  PdVector received; /* PdReceived */
  GArray **met;      /* (array length=n_comms) (nullable elements): PdMet */
  guint32 n_comms;
  GArray *arrivals;     /* PdArrival: of scans, the last up to each member; of operations with
                         * neighbours, each member's */
  GHashTable **members; /* (array length=n_comms) (nullable elements): rank to member */
  struct _PdRma *rma;   /* one-sided communication */
  guint64 n_messages;
  PdTimeSum n_bytes;
  guint64 n_unmatched;
  guint64 n_missing; /* members of collective operations */
  gboolean is_cut;   /* the rest of the run was not recorded: nobody need have a partner */
  guint64 n_clock;   /* messages that arrive before they are sent, though none is missing */
} PdMatching;

/* @retiming, @progress: (nullable): as in a #PdReplay */
PdMatching *pd_matching_new (const PdProgram *program, const PdRetiming *retiming,
                             PdProgress *progress);
void pd_matching_free (PdMatching *self);
/* Gives back the memory of sent and received: nobody asks for them any more. */
void pd_matching_drop_messages (PdMatching *self);
const PdMet *pd_matching_get_met (const PdMatching *self, PdMeeting meeting);
/* Where a rank of the world is in a communicator; %PD_ANALYSIS_NONE: nowhere. */
guint32 pd_matching_get_member (PdMatching *self, const PdProgram *program, guint32 comm,
                                guint32 rank);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdMatching, pd_matching_free)

#endif
