/* Who sent what whom received, who met whom.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MATCHING_PRIVATE_H
#define PD_MATCHING_PRIVATE_H

#include "analyse/pd-analysis-private.h"

typedef struct
{
  gint64 enter; /* of the call that starts it */
  gint64 leave;
  guint32 rank;
  guint32 recv; /* its partner; %PD_ANALYSIS_NONE */
  guint32 next; /* of the same ranks, communicator and tag */
} PdSent;

typedef struct
{
  gint64 posted;
  guint32 rank;
  guint32 send;          /* its partner; %PD_ANALYSIS_NONE */
  guint32 next;          /* likewise */
  gboolean is_uncertain; /* the partner is another one's if messages between are missing */
} PdReceived;

/* One collective operation. */
typedef struct
{
  PdCollKind op;
  guint32 n;     /* members that have been there */
  guint32 last;  /* the rank that came last */
  guint32 root;  /* rank in the world */
  gint64 begins; /* when the first came, the root or not */
  gint64 latest; /* when the last came */
  gint64 ends;   /* when the last was through */
  gint64 rooted; /* when the root came; -1: not yet */
  gint64 others; /* when the first came that is not the root; -1 */
} PdMet;

typedef struct
{
  GArray *sent;     /* PdSent */
  GArray *received; /* PdReceived */
  GArray **met;     /* (array length=n_comms) (nullable elements): PdMet */
  guint32 n_comms;
  guint64 n_messages;
  PdTimeSum n_bytes;
  guint64 n_unmatched;
  guint64 n_missing; /* members of collective operations */
  guint64 n_clock;   /* messages that arrive before they are sent, though none is missing */
} PdMatching;

PdMatching *pd_matching_new (const PdProgram *program);
void pd_matching_free (PdMatching *self);
/* Whether the members of an action meet: collective operations that block and are
 * no system calls, and fences. */
gboolean pd_matching_is_collective (const PdAction *action);
/* The next operation of the rank on a communicator: @counters has one per
 * communicator it has used. */
PdMet *pd_matching_next (PdMatching *self, GHashTable *counters, guint32 comm);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PdMatching, pd_matching_free)

#endif
