/* Who sent what whom received, who met whom.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MATCHING_PRIVATE_H
#define PD_MATCHING_PRIVATE_H

#include "analyse/pd-analysis-private.h"
#include "analyse/pd-replay-private.h"

/* What one rank does for a message: a send, or a receive that is posted. */
typedef struct
{
  gint64 when;     /* its call begins */
  guint32 partner; /* the other half's number; %PD_ANALYSIS_NONE. While matching: the next of the
                    * same ranks, communicator and tag */
  guint32 site;    /* that calls; %PD_PROGRAM_NONE */
} PdHalf;

/* All sends, or all receives, rank by rank. */
typedef struct
{
  PdVector all;   /* PdHalf */
  guint32 *first; /* (array length=n_ranks + 1): those of each rank */
} PdHalves;

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
  PdHalves halves[2]; /* sends; receives */
  guint32 n_ranks;
  guint8 *uncertain;   /* (nullable): a bit for each receive: its partner is another one's if
                        * messages between are missing */
  PdHashMap cancelled; /* receives: number, 1 */
  PdVector *met;       /* (array length=n_comms): PdMet */
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

/* @retiming, @progress: (nullable): as in a #PdReplay. %NULL with %PD_TRACE_ERROR_LIMIT: there are
 * too many sends or receives, see pd_analysis_can_number(). */
PdMatching *pd_matching_new (const PdProgram *program, const PdRetiming *retiming,
                             PdProgress *progress, GError **error);
void pd_matching_free (PdMatching *self);
/* A send, or a receive, by its number. */
static inline PdHalf *
pd_matching_get_half (const PdMatching *self, gboolean is_recv, guint32 number)
{
  return &pd_vector_at (&self->halves[is_recv].all, PdHalf, number);
}
/* Whose it is. */
guint32 pd_matching_get_rank (const PdMatching *self, gboolean is_recv, guint32 number);
gboolean pd_matching_is_uncertain (const PdMatching *self, guint32 received);
/* Gives back the memory of sends and receives: nobody asks for them any more. */
void pd_matching_drop_messages (PdMatching *self);
const PdMet *pd_matching_get_met (const PdMatching *self, PdMeeting meeting);
/* Where a rank of the world is in a communicator; %PD_ANALYSIS_NONE: nowhere. */
guint32 pd_matching_get_member (PdMatching *self, const PdProgram *program, guint32 comm,
                                guint32 rank);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdMatching, pd_matching_free)

#endif
