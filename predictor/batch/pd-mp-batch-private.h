/* The interpreter of message-passing programs in several lanes: what its files share.
 * SPDX-License-Identifier: MIT */
#ifndef PD_MP_BATCH_PRIVATE_H
#define PD_MP_BATCH_PRIVATE_H

#include "comsys/batch/pd-batch.h"
#include "predictor/batch/pd-mp-batch.h"
#include "predictor/mp/pd-mp-state.h"

/* The times of a rank in an interval. */
typedef struct
{
  PdBatchTime cpu;
  PdBatchTime insufficient;
  PdBatchTime spent[PD_MP_N_CATEGORIES];
  PdBatchTime synchronization;
  PdBatchTime variation;
  PdBatchWaitStats waited;
  guint32 n_entered;
  guint32 n_sends;
  guint32 n_receives;
  guint32 n_waits;
  guint32 n_collectives;
  guint32 spare[11];
} PdMpAccount;

G_STATIC_ASSERT (sizeof (PdMpAccount) % 64 == 0);

/* A rank's progress. */
typedef struct
{
  _Alignas(64) gdouble scales[PD_BATCH_SIZE]; /* of computation here, by lane */
  PdBatchTime mark;                           /* of stretches that are computed alike: cpu when
                                               * that was last looked at */
  const PdProgramCell *cell;
  const PdProgramCell *end;
  PdRequest *slots;
  PdMpAccount *account;
  PdBatchRank *calls;
  guint32 node;
  guint32 n_alike;
  guint8 state; /* PdMpState */
  guint8 category;
  guint8 has_one_scale; /* the same in all lanes */
} PdMpBatchRank;

typedef struct
{
  PdMp *mps[PD_BATCH_SIZE]; /* those beyond k are the first one again */
  guint k;
  const PdProgram *program;
  PdBatch *batch;
  guint32 n;
  guint32 n_finished;
  gboolean is_flops;
  gboolean has_ratios;  /* intervals may differ in speed */
  PdMpBatchRank *ranks; /* (array length=n) */
  PdRequest *slots;
  GPtrArray *accounts;    /* by node, (nullable) PdMpAccount (array length=n) */
  PdMpBarriers *barriers; /* collective operations under way */
} PdMpBatch;

#endif
