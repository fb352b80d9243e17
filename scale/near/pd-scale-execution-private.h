/* A program that is executed without times: positions of its ranks, and their waits.
 * SPDX-License-Identifier: MIT */
#ifndef PD_SCALE_EXECUTION_PRIVATE_H
#define PD_SCALE_EXECUTION_PRIVATE_H

#include "scale/near/pd-scale-channels-private.h"
#include "scale/near/pd-scale-collectives-private.h"
#include "scale/near/pd-scale-mend.h"

#include "traces/program/pd-action-reader.h"

typedef enum
{
  PD_SCALE_NOTHING, /* or it is complete */
  PD_SCALE_MESSAGE, /* the @index-th of a channel, from 1 */
  PD_SCALE_WILD,    /* the @index-th of those that a rank takes from several channels */
  PD_SCALE_SENT,    /* the receive of the @index-th of a channel */
  PD_SCALE_MEMBERS, /* the collective operation @index of a communicator, from 0 */
} PdScaleWaitKind;

/* A message or an operation that a rank waits for, or that a request stands for. */
typedef struct
{
  PdScaleWaitKind what;
  guint64 index;
  guint64 wild; /* how many receives with wildcards take the sent message at the latest; 0: it has
                 * one of its own */
  guint64 call; /* that began it */
  PdScaleChannel *channel;
  PdScaleTarget *target;
  guint32 comm;
  gboolean is_persistent; /* then, until it is started again: */
  gboolean is_send;
  PdScaleEnds ends;
} PdScaleWait;

#define PD_SCALE_NO_WAIT ((PdScaleWait){ .what = PD_SCALE_NOTHING })

/* A rank on its way. */
typedef struct
{
  PdActionReader reader;
  PdAction action; /* the present one */
  guint64 call;    /* its number */
  gboolean has_action;
  gboolean is_queued;
  PdScaleWait own;  /* of @action itself */
  PdScaleWait sent; /* likewise, of the message that it sends */
  GArray *requests; /* (element-type PdScaleWait): by slot */
} PdScaleActor;

typedef struct
{
  PdScaleMends *mends;
  const PdProgram *program;
  gboolean is_buffered;              /* every message; else none */
  const volatile sig_atomic_t *stop; /* (nullable) */
  PdScaleChannels *channels;
  PdScaleCollectives *collectives;
  PdScaleActor *ranks;
  GQueue *queue; /* of ranks that may go on */
} PdScaleExecution;

/**
 * pd_scale_execution_get_request:
 * @slot: less than those of the rank
 */
static inline PdScaleWait *
pd_scale_execution_get_request (PdScaleActor *rank, guint32 slot)
{
  return &g_array_index (rank->requests, PdScaleWait, slot);
}

/**
 * pd_scale_execution_wake:
 * @rank: may go on; %PD_PROGRAM_NONE: none does
 */
void pd_scale_execution_wake (PdScaleExecution *self, guint32 rank);

/**
 * pd_scale_execution_find_wait:
 * Returns: (transfer none) (nullable): the first thing that @rank waits for in vain; %NULL: it may
 *   go on.
 */
PdScaleWait *pd_scale_execution_find_wait (const PdScaleExecution *self, PdScaleActor *rank);

/**
 * pd_scale_execution_break_circle:
 * @self: no rank may go on
 *
 * Loses the message, or else the operation, that the rank waits for that has come least far.
 *
 * Returns: %FALSE if no rank waits.
 */
gboolean pd_scale_execution_break_circle (PdScaleExecution *self);

#endif
