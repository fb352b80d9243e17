/* OTF2 archives: a collective operation as its records tell it, see pd-otf2-counts.c.
 * SPDX-License-Identifier: MIT */
#ifndef PD_OTF2_WRITE_SUMS_PRIVATE_H
#define PD_OTF2_WRITE_SUMS_PRIVATE_H

#include "traces/otf2/pd-otf2-write-private.h"

/* What a rank's record of a collective operation says. */
typedef struct
{
  OTF2_CollectiveOp op;
  guint32 root; /* OTF2_UNDEFINED_UINT32: there is none */
  guint64 sent;
  guint64 received;
} PdOtf2Sums;

/* FALSE: the format has no such operation. @me, @n: the rank in the
 * communicator, and its size. */
gboolean pd_otf2_sum_up (const PdProgram *program, const PdAction *action, guint32 me, guint32 n,
                         PdOtf2Sums *sums);

#endif
